/* layout.c -- the arithmetic of slices.
 *
 * What a slice is made of is said once, as shapes: how wide the parts of an item are and at which
 * bit each begins (`PeShape` of an instruction, the row sums of a switch, the bits of a node).
 * Sizes and places are read off these: layout_bits multiplies items, layout_find adds up what lies
 * before a field.
 *
 * Cost. Making a layout is linear in components, rows and body nodes; layout_find is a few
 * additions, but for a decomposable switch, where it adds up the lanes of a row.
 */
#include "config/layout.h"

enum { REGION_FIELD = 32, REGION_BITS = 5 * REGION_FIELD };
enum { MAX_SIZE_LOG2 = 15, UNTAGGED_LANES = 1 << 16 };
enum { STREAM_CONDITIONS = 5, PREDICATE_BITS = 4, CMPI_PREDICATES = 10, CMPF_PREDICATES = 16 };

/* ---- switches -------------------------------------------------------------------------------- */

u32 layout_lanes(const Adg *adg, const AdgSwitch *sw, u32 port) {
  return sw->decomposable_bits ? adg->ports[port].width / sw->decomposable_bits : 1;
}

/* Lanes of the inputs below `end` that are in `mask`. */
static u64 input_lanes(const Adg *adg, const AdgSwitch *sw, u32 mask, u32 end) {
  u64 n = 0;
  for (u32 i = 0; i < end; i++)
    if (mask >> i & 1) n += layout_lanes(adg, sw, adg_input(adg, sw->component, i));
  return n;
}

/* Pairs of one lane of an output. */
static u64 row_bits(const Adg *adg, const AdgSwitch *sw, u32 output) {
  const AdgComponent *c = &adg->components[sw->component];
  return input_lanes(adg, sw, adg->rows[sw->first_row + output], c->ninputs);
}

/* Pairs of the outputs below `end`. */
static u64 pairs_before(const Adg *adg, const AdgSwitch *sw, u32 end) {
  u64 n = 0;
  for (u32 o = 0; o < end; o++)
    n += row_bits(adg, sw, o) * layout_lanes(adg, sw, adg_output(adg, sw->component, o));
  return n;
}

static u64 discard_bits(const Adg *adg, const AdgSwitch *sw) {
  return input_lanes(adg, sw, UINT32_MAX, adg->components[sw->component].ninputs);
}

/* All ports of what has slots or instructions have one tagged type. */
static u32 first_tag_width(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return c->ninputs + c->noutputs ? adg->ports[c->first_port].tag_width : 0;
}

/* Bits of a slot in front of its pairs: valid and tag. */
static u64 slot_head(const Adg *adg, const AdgSwitch *sw) {
  return sw->num_route_table ? (u64)1 + first_tag_width(adg, sw->component) : 0;
}

/* ---- tags, memories -------------------------------------------------------------------------- */

static u32 source_tag(const Adg *adg, u32 component) {
  return adg->ports[adg_input(adg, component, 0)].tag_width;
}

static u32 result_tag(const Adg *adg, u32 component) {
  return adg->ports[adg_output(adg, component, 0)].tag_width;
}

static u64 entry_bits(const Adg *adg, u32 component) {
  return (u64)1 + source_tag(adg, component) + result_tag(adg, component);
}

/* Tags, or lanes, that a memory's requests can have. */
static u64 memory_tags(const Adg *adg, const AdgMemory *memory) {
  u32 width = 0;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++)
    if (memory->ports[f] != ADG_NONE && adg->ports[memory->ports[f]].tag_width > width)
      width = adg->ports[memory->ports[f]].tag_width;
  return width ? (u64)1 << width : UNTAGGED_LANES;
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* An instruction; of a spatial PE all in front of the payload. Widths, and where the first of each
 * group begins. */
typedef struct {
  u32 tag, opcode, in_sel, out_sel; /* bits of one field */
  u32 reg, is_reg;
  u64 operands, muxes, demuxes, results; /* offsets */
  u32 operand, mux, demux, result;       /* bits of one of them */
  u64 bits;
} PeShape;

static PeShape pe_shape(const Adg *adg, const AdgPe *pe) {
  const AdgComponent *c = &adg->components[pe->component];
  PeShape s = {.tag = pe->is_temporal ? first_tag_width(adg, pe->component) : 0,
               .opcode = adg_choice_bits(pe->nfus),
               .in_sel = adg_choice_bits(c->ninputs),
               .out_sel = adg_choice_bits(c->noutputs),
               .reg = adg_choice_bits(pe->num_register),
               .is_reg = pe->num_register > 0};
  s.operand = s.reg + s.is_reg;
  s.mux = s.in_sel + 2;
  s.demux = s.out_sel + 2;
  s.result = s.tag + s.reg + s.is_reg;
  s.operands = (u64)1 + s.tag + s.opcode;
  s.muxes = s.operands + (u64)pe->max_inputs * s.operand;
  s.demuxes = s.muxes + (u64)pe->max_inputs * s.mux;
  s.results = s.demuxes + (u64)pe->max_outputs * s.demux;
  s.bits = s.results + (u64)pe->max_outputs * s.result;
  return s;
}

/* What a fabric.mux chooses among. */
static u32 mux_ways(const AdgNode *node) {
  return node->noperands > node->nresults ? node->noperands : node->nresults;
}

static u32 literal_bits(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  return adg->values[body->first_value + node->first_result].bits;
}

/* What an operation has to configure. */
static u32 node_bits(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  switch ((OpKind)node->kind) {
  case OP_FABRIC_MUX: return adg_choice_bits(mux_ways(node)) + 2;
  case OP_HANDSHAKE_CONSTANT: return literal_bits(adg, body, node);
  case OP_HANDSHAKE_JOIN: return node->noperands;
  case OP_ARITH_CMPI:
  case OP_ARITH_CMPF: return PREDICATE_BITS;
  case OP_DATAFLOW_STREAM: return STREAM_CONDITIONS;
  default: return 0;
  }
}

static u64 body_bits(const Adg *adg, const AdgBody *body) {
  u64 bits = 0;
  for (u32 n = 0; n < body->nnodes; n++)
    bits += node_bits(adg, body, &adg->nodes[body->first_node + n]);
  return bits;
}

static const AdgBody *body_of(const Adg *adg, u32 fu) {
  return &adg->bodies[adg->fus[fu].body];
}

static u64 pe_bits(const Adg *adg, const AdgPe *pe) {
  u64 payload = 0;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
    u64 bits = body_bits(adg, body_of(adg, f));
    payload = pe->is_temporal ? payload + bits : bits > payload ? bits : payload;
  }
  return pe_shape(adg, pe).bits * (pe->is_temporal ? pe->num_instruction : 1) + payload;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

u64 layout_bits(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW: {
    const AdgSwitch *sw = &adg->switches[c->detail];
    u64 pairs = pairs_before(adg, sw, c->noutputs);
    if (sw->num_route_table) return (slot_head(adg, sw) + pairs) * sw->num_route_table;
    return pairs + discard_bits(adg, sw);
  }
  case ADG_ADD_TAG: return result_tag(adg, component);
  case ADG_MAP_TAG: return entry_bits(adg, component) * adg->tags[c->detail].table_size;
  case ADG_FIFO: return adg->fifos[c->detail].bypassable;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: return (u64)REGION_BITS * adg->memories[c->detail].nregions;
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: return pe_bits(adg, &adg->pes[c->detail]);
  default: return 0;
  }
}

u64 *layout_all_bits(const Adg *adg) {
  u64 *bits = mem_alloc((adg->ncomponents + 1) * sizeof *bits);
  for (u32 i = 0; i < adg->ncomponents; i++) bits[i] = layout_bits(adg, i);
  return bits;
}

u64 layout_item_bits(const Layout *layout, u32 component) {
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW:
    return slot_head(adg, &adg->switches[c->detail]) + layout->pair_bits[c->detail];
  case ADG_MAP_TAG: return entry_bits(adg, component);
  case ADG_MEMORY:
  case ADG_EXTMEMORY: return REGION_BITS;
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: return pe_shape(adg, &adg->pes[c->detail]).bits;
  default: return layout_bits(adg, component);
  }
}

u64 layout_payload_bits(const Layout *layout, u32 fu) {
  const Adg *adg = layout->adg;
  const AdgBody *body = body_of(adg, fu);
  if (!body->nnodes) return 0;
  u32 last = body->first_node + body->nnodes - 1;
  return layout->node_at[last] + node_bits(adg, body, &adg->nodes[last]);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static bool add_slice(Layout *layout, u32 component) {
  u64 bits = layout_bits(layout->adg, component), words = bits / 32 + (bits % 32 != 0);
  if (!bits) return true;
  if (words > LAYOUT_MAX_WORDS - layout->nwords) return false;
  layout->slice_of[component] = layout->nslices;
  layout->slices[layout->nslices++] = (LayoutSlice){component, layout->nwords, (u32)words, bits};
  layout->nwords += (u32)words;
  return true;
}

static void sum_switches(Layout *layout) {
  const Adg *adg = layout->adg;
  for (u32 s = 0; s < adg->nswitches; s++) {
    const AdgSwitch *sw = &adg->switches[s];
    u64 at = 0;
    for (u32 o = 0; o < adg->components[sw->component].noutputs; o++) {
      layout->row_at[sw->first_row + o] = at;
      at += row_bits(adg, sw, o) * layout_lanes(adg, sw, adg_output(adg, sw->component, o));
    }
    layout->pair_bits[s] = at;
  }
}

static void sum_payloads(Layout *layout) {
  const Adg *adg = layout->adg;
  for (u32 i = 0; i < adg->nbodies; i++) {
    const AdgBody *body = &adg->bodies[i];
    u64 at = 0;
    for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++) {
      layout->node_at[n] = at;
      at += node_bits(adg, body, &adg->nodes[n]);
    }
  }
  for (u32 i = 0; i < adg->npes; i++) {
    const AdgPe *pe = &adg->pes[i];
    u64 at = pe_shape(adg, pe).bits * (pe->is_temporal ? pe->num_instruction : 1);
    for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++) {
      layout->payload_at[f] = at;
      if (pe->is_temporal) at += layout_payload_bits(layout, f);
    }
  }
}

static void *table(u32 n, size_t size) {
  return mem_alloc(mem_size(n + (size_t)1, size));
}

Layout *layout_new(Context *ctx, const Adg *adg) {
  Layout *layout = mem_alloc(sizeof *layout);
  *layout = (Layout){.adg = adg,
                     .slices = table(adg->ncomponents, sizeof *layout->slices),
                     .slice_of = table(adg->ncomponents, sizeof *layout->slice_of),
                     .row_at = table(adg->nrows, sizeof *layout->row_at),
                     .pair_bits = table(adg->nswitches, sizeof *layout->pair_bits),
                     .payload_at = table(adg->nfus, sizeof *layout->payload_at),
                     .node_at = table(adg->nnodes, sizeof *layout->node_at)};
  bool fits = true;
  for (u32 i = 0; i < adg->ncomponents; i++) layout->slice_of[i] = ADG_NONE;
  for (u32 i = 0; fits && i < adg->ncomponents; i++) {
    AdgKind kind = (AdgKind)adg->components[i].kind;
    if (kind != ADG_SPATIAL_PE && kind != ADG_TEMPORAL_PE) fits = add_slice(layout, i);
  }
  for (u32 i = 0; fits && i < adg->npes; i++) fits = add_slice(layout, adg->pes[i].component);
  if (fits) {
    sum_switches(layout);
    sum_payloads(layout);
    return layout;
  }
  diag(ctx, adg->loc, COMP_FABRIC_TOO_LARGE, "the configuration of @%s has more than %llu words",
       adg_text(adg, adg->name), (unsigned long long)LAYOUT_MAX_WORDS);
  layout_free(layout);
  return NULL;
}

void layout_free(Layout *layout) {
  if (!layout) return;
  mem_free(layout->slices);
  mem_free(layout->slice_of);
  mem_free(layout->row_at);
  mem_free(layout->pair_bits);
  mem_free(layout->payload_at);
  mem_free(layout->node_at);
  mem_free(layout);
}

/* ---- places ---------------------------------------------------------------------------------- */

static FieldPlace find_in_switch(const Layout *layout, const AdgSwitch *sw, u32 s, Field f) {
  const Adg *adg = layout->adg;
  u64 head = slot_head(adg, sw), at = f.item * (head + layout->pair_bits[s]);
  switch (f.kind) {
  case FIELD_VALID: return (FieldPlace){at, head > 0};
  case FIELD_TAG: return (FieldPlace){at + 1, head ? (u32)head - 1 : 0};
  case FIELD_DISCARD:
    if (head) return (FieldPlace){0, 0};
    at = layout->pair_bits[s] + input_lanes(adg, sw, UINT32_MAX, f.a) + f.a_lane;
    return (FieldPlace){at, 1};
  case FIELD_PAIR:
    if (!adg_connects(adg, sw, f.b, f.a)) return (FieldPlace){0, 0};
    at += head + layout->row_at[sw->first_row + f.a];
    if (f.a_lane) at += f.a_lane * row_bits(adg, sw, f.a);
    at += input_lanes(adg, sw, adg->rows[sw->first_row + f.a], f.b) + f.b_lane;
    return (FieldPlace){at, 1};
  default: loom_bug("a switch has no field of kind %d", (int)f.kind);
  }
}

static FieldPlace find_in_tag(const Adg *adg, u32 component, Field f) {
  u32 source = source_tag(adg, component), result = result_tag(adg, component);
  u64 at = f.item * ((u64)1 + source + result);
  if (adg->components[component].kind == ADG_ADD_TAG) return (FieldPlace){0, result};
  switch (f.kind) {
  case FIELD_VALID: return (FieldPlace){at, 1};
  case FIELD_TAG: return (FieldPlace){at + 1, source};
  case FIELD_DST_TAG: return (FieldPlace){at + 1 + source, result};
  default: loom_bug("a table of tags has no field of kind %d", (int)f.kind);
  }
}

static FieldPlace find_in_region(Field f) {
  u64 at = (u64)f.item * REGION_BITS;
  switch (f.kind) {
  case FIELD_VALID: return (FieldPlace){at, REGION_FIELD};
  case FIELD_START: return (FieldPlace){at + REGION_FIELD, REGION_FIELD};
  case FIELD_END: return (FieldPlace){at + (u64)2 * REGION_FIELD, REGION_FIELD};
  case FIELD_ADDR_OFFSET: return (FieldPlace){at + (u64)3 * REGION_FIELD, REGION_FIELD};
  case FIELD_ELEM_SIZE_LOG2: return (FieldPlace){at + (u64)4 * REGION_FIELD, REGION_FIELD};
  default: loom_bug("a memory has no field of kind %d", (int)f.kind);
  }
}

static FieldPlace find_in_payload(const Layout *layout, const AdgPe *pe, Field f) {
  const Adg *adg = layout->adg;
  u32 fu = pe->first_fu + f.item;
  const AdgBody *body = body_of(adg, fu);
  const AdgNode *node = &adg->nodes[body->first_node + f.a];
  u64 at = layout->payload_at[fu] + layout->node_at[body->first_node + f.a];
  u32 bits = node_bits(adg, body, node);
  switch (f.kind) {
  case FIELD_NODE_SEL: return (FieldPlace){at, bits - 2};
  case FIELD_NODE_DISCARD: return (FieldPlace){at + bits - 2, 1};
  case FIELD_NODE_DISCONNECT: return (FieldPlace){at + bits - 1, 1};
  case FIELD_NODE_JOIN: return (FieldPlace){at + f.b, 1};
  default: return (FieldPlace){at, bits};
  }
}

static FieldPlace find_in_pe(const Layout *layout, const AdgPe *pe, Field f) {
  if (layout_is_payload(f.kind)) return find_in_payload(layout, pe, f);
  const PeShape s = pe_shape(layout->adg, pe);
  const u64 at = f.item * s.bits, operand = at + s.operands + (u64)f.a * s.operand,
            mux = at + s.muxes + (u64)f.a * s.mux, demux = at + s.demuxes + (u64)f.a * s.demux,
            result = at + s.results + (u64)f.a * s.result;
  switch (f.kind) {
  case FIELD_VALID: return (FieldPlace){at, 1};
  case FIELD_TAG: return (FieldPlace){at + 1, s.tag};
  case FIELD_OPCODE: return (FieldPlace){at + 1 + s.tag, s.opcode};
  case FIELD_OPERAND_REG: return (FieldPlace){operand, s.reg};
  case FIELD_OPERAND_IS_REG: return (FieldPlace){operand + s.reg, s.is_reg};
  case FIELD_MUX_SEL: return (FieldPlace){mux, s.in_sel};
  case FIELD_MUX_DISCARD: return (FieldPlace){mux + s.in_sel, 1};
  case FIELD_MUX_DISCONNECT: return (FieldPlace){mux + s.in_sel + 1, 1};
  case FIELD_DEMUX_SEL: return (FieldPlace){demux, s.out_sel};
  case FIELD_DEMUX_DISCARD: return (FieldPlace){demux + s.out_sel, 1};
  case FIELD_DEMUX_DISCONNECT: return (FieldPlace){demux + s.out_sel + 1, 1};
  case FIELD_RESULT_TAG: return (FieldPlace){result, s.tag};
  case FIELD_RESULT_REG: return (FieldPlace){result + s.tag, s.reg};
  case FIELD_RESULT_IS_REG: return (FieldPlace){result + s.tag + s.reg, s.is_reg};
  default: loom_bug("a PE has no field of kind %d", (int)f.kind);
  }
}

/* From the start of the slice. */
static FieldPlace find_in_slice(const Layout *layout, u32 component, Field f) {
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW: return find_in_switch(layout, &adg->switches[c->detail], c->detail, f);
  case ADG_ADD_TAG:
  case ADG_MAP_TAG: return find_in_tag(adg, component, f);
  case ADG_FIFO: return (FieldPlace){0, adg->fifos[c->detail].bypassable};
  case ADG_MEMORY:
  case ADG_EXTMEMORY: return find_in_region(f);
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: return find_in_pe(layout, &adg->pes[c->detail], f);
  default: return (FieldPlace){0, 0};
  }
}

FieldPlace layout_find(const Layout *layout, u32 component, Field f) {
  u32 slice = layout->slice_of[component];
  if (slice == ADG_NONE) return (FieldPlace){0, 0};
  const LayoutSlice *s = &layout->slices[slice];
  FieldPlace place = find_in_slice(layout, component, f);
  if (place.at + place.width > s->bits)
    loom_bug("'%s' has no such field (kind %d, item %u)", adg_name(layout->adg, component),
             (int)f.kind, f.item);
  place.at += (u64)s->first_word * 32;
  return place;
}

static const AdgNode *node_of(const Adg *adg, const AdgPe *pe, Field f) {
  return &adg->nodes[body_of(adg, pe->first_fu + f.item)->first_node + f.a];
}

u64 layout_limit(const Layout *layout, u32 component, Field f) {
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  bool is_memory = c->kind == ADG_MEMORY || c->kind == ADG_EXTMEMORY;
  switch (f.kind) {
  case FIELD_VALID: return is_memory ? 2 : 0;
  case FIELD_START: return memory_tags(adg, &adg->memories[c->detail]);
  case FIELD_END: return memory_tags(adg, &adg->memories[c->detail]) + 1;
  case FIELD_ELEM_SIZE_LOG2: return MAX_SIZE_LOG2 + 1;
  case FIELD_OPCODE: return adg->pes[c->detail].nfus;
  case FIELD_OPERAND_REG:
  case FIELD_RESULT_REG: return adg->pes[c->detail].num_register;
  case FIELD_MUX_SEL: return c->ninputs;
  case FIELD_DEMUX_SEL: return c->noutputs;
  case FIELD_NODE_SEL: return mux_ways(node_of(adg, &adg->pes[c->detail], f));
  case FIELD_NODE_DISCARD: /* one way only: nothing to discard, nothing left if disconnected */
  case FIELD_NODE_DISCONNECT: return mux_ways(node_of(adg, &adg->pes[c->detail], f)) > 1 ? 0 : 1;
  case FIELD_NODE_PREDICATE:
    return node_of(adg, &adg->pes[c->detail], f)->kind == OP_ARITH_CMPI ? CMPI_PREDICATES
                                                                        : CMPF_PREDICATES;
  default: return 0;
  }
}

/* layout.c -- the fields of each kind of component, told in their order.
 *
 * For each kind there is one function that walks its fields from low to high. It serves twice: to
 * measure (then no field is shown, and of many equal items only the first is walked and multiplied)
 * and to visit. So size and contents cannot disagree.
 */
#include "fabric/layout.h"

#include <stdarg.h>

typedef struct {
  const Adg *adg;
  LayoutVisit visit; /* NULL: only measured */
  void *context;
  u64 at; /* bits so far */
  u32 item, unit;
  char prefix[48]; /* of the item that is walked: "slot3." */
  AdgText unit_name;
  Buf name;
} Walk;

/* ---- one field ------------------------------------------------------------------------------- */

/* The next field, called by the prefix and `format`. */
PRINTF_LIKE(5, 6)
static void field(Walk *w, FieldRole role, u32 width, u64 limit, const char *format, ...) {
  if (w->visit && width) {
    char last[64];
    va_list args;
    va_start(args, format);
    vsnprintf(last, sizeof last, format, args);
    va_end(args);
    w->name.len = 0;
    if (w->unit != ADG_NONE) buf_printf(&w->name, "%s.", adg_text(w->adg, w->unit_name));
    buf_printf(&w->name, "%s%s", w->prefix, last);
    LayoutField f = {w->name.data, width, w->at, limit, role, w->item, w->unit};
    w->visit(w->context, &f);
  }
  w->at += width;
}

/* A choice among n. */
#define choice(w, role, n, ...) field(w, role, adg_choice_bits(n), n, __VA_ARGS__)
#define flag(w, role, ...)      field(w, role, 1, 0, __VA_ARGS__)

PRINTF_LIKE(2, 3)
static void set_prefix(Walk *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(w->prefix, sizeof w->prefix, format, args);
  va_end(args);
}

/* Walks n equal items, called "NOUN0.", "NOUN1.", ... */
static void items(Walk *w, u32 n, const char *noun, void (*walk)(Walk *, const void *),
                  const void *of) {
  u64 start = w->at;
  for (u32 i = 0; i < (w->visit ? n : 1); i++) {
    w->item = i;
    set_prefix(w, "%s%u.", noun, i);
    walk(w, of);
  }
  if (!w->visit) w->at = start + (w->at - start) * n;
  w->item = 0;
  w->prefix[0] = 0;
}

/* ---- switches -------------------------------------------------------------------------------- */

static u32 lanes(const Walk *w, const AdgSwitch *sw, u32 port) {
  return sw->decomposable_bits ? w->adg->ports[port].width / sw->decomposable_bits : 1;
}

/* The bits of the pairs of one output, or of one lane of it. */
static void pairs_of(Walk *w, const AdgSwitch *sw, u32 o, u32 o_lane) {
  const AdgComponent *c = &w->adg->components[sw->component];
  for (u32 i = 0; i < c->ninputs; i++) {
    if (!adg_connects(w->adg, sw, i, o)) continue;
    u32 n = lanes(w, sw, adg_input(w->adg, sw->component, i));
    if (!w->visit) w->at += n;
    for (u32 lane = 0; w->visit && lane < n; lane++)
      if (sw->decomposable_bits)
        flag(w, ROLE_OTHER, "out%u[%u].in%u[%u]", o, o_lane, i, lane);
      else
        flag(w, ROLE_OTHER, "out%u.in%u", o, i);
  }
}

static void pairs(Walk *w, const AdgSwitch *sw) {
  const AdgComponent *c = &w->adg->components[sw->component];
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 n = lanes(w, sw, adg_output(w->adg, sw->component, o));
    u64 start = w->at;
    for (u32 lane = 0; lane < (w->visit ? n : 1); lane++) pairs_of(w, sw, o, lane);
    if (!w->visit) w->at = start + (w->at - start) * n;
  }
}

static void walk_spatial_sw(Walk *w, const AdgSwitch *sw) {
  const AdgComponent *c = &w->adg->components[sw->component];
  pairs(w, sw);
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 n = lanes(w, sw, adg_input(w->adg, sw->component, i));
    if (!w->visit) w->at += n;
    for (u32 lane = 0; w->visit && lane < n; lane++)
      if (sw->decomposable_bits)
        flag(w, ROLE_OTHER, "discard.in%u[%u]", i, lane);
      else
        flag(w, ROLE_OTHER, "discard.in%u", i);
  }
}

static u32 first_tag_width(const Walk *w, u32 component) {
  const AdgComponent *c = &w->adg->components[component];
  return c->ninputs + c->noutputs ? w->adg->ports[c->first_port].tag_width : 0;
}

static void walk_slot(Walk *w, const void *of) {
  const AdgSwitch *sw = of;
  flag(w, ROLE_VALID, "valid");
  field(w, ROLE_KEY, first_tag_width(w, sw->component), 0, "tag");
  pairs(w, sw);
}

/* ---- tags, memories -------------------------------------------------------------------------- */

static void walk_entry(Walk *w, const void *of) {
  u32 component = ((const AdgTag *)of)->component;
  flag(w, ROLE_VALID, "valid");
  field(w, ROLE_KEY, w->adg->ports[adg_input(w->adg, component, 0)].tag_width, 0, "src_tag");
  field(w, ROLE_OTHER, w->adg->ports[adg_output(w->adg, component, 0)].tag_width, 0, "dst_tag");
}

enum { REGION_FIELD = 32, MAX_SIZE_LOG2 = 15, UNTAGGED_LANES = 1 << 16 };

static void walk_region(Walk *w, const void *of) {
  const AdgMemory *memory = of;
  u32 tag_width = 0;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++)
    if (memory->ports[f] != ADG_NONE && w->adg->ports[memory->ports[f]].tag_width > tag_width)
      tag_width = w->adg->ports[memory->ports[f]].tag_width;
  u64 tags = tag_width ? (u64)1 << tag_width : UNTAGGED_LANES;
  field(w, ROLE_VALID, REGION_FIELD, 2, "valid");
  field(w, ROLE_START, REGION_FIELD, tags, "start");
  field(w, ROLE_END, REGION_FIELD, tags + 1, "end");
  field(w, ROLE_OTHER, REGION_FIELD, 0, "addr_offset");
  field(w, ROLE_OTHER, REGION_FIELD, MAX_SIZE_LOG2 + 1, "elem_size_log2");
}

/* ---- PEs ------------------------------------------------------------------------------------- */

static void walk_node(Walk *w, const AdgBody *body, u32 n) {
  const AdgNode *node = &w->adg->nodes[body->first_node + n];
  u32 ways = node->noperands > node->nresults ? node->noperands : node->nresults;
  switch ((OpKind)node->kind) {
  case OP_FABRIC_MUX:
    choice(w, ROLE_PAYLOAD, ways, "%u.sel", n);
    flag(w, ROLE_PAYLOAD, "%u.discard", n);
    flag(w, ROLE_PAYLOAD, "%u.disconnect", n);
    break;
  case OP_HANDSHAKE_CONSTANT:
    field(w, ROLE_PAYLOAD, w->adg->values[body->first_value + node->first_result].bits, 0,
          "%u.literal", n);
    break;
  case OP_HANDSHAKE_JOIN:
    for (u32 i = 0; i < node->noperands; i++) flag(w, ROLE_PAYLOAD, "%u.in%u", n, i);
    break;
  case OP_ARITH_CMPI: field(w, ROLE_PAYLOAD, 4, 10, "%u.predicate", n); break;
  case OP_ARITH_CMPF: field(w, ROLE_PAYLOAD, 4, 16, "%u.predicate", n); break;
  case OP_DATAFLOW_STREAM: field(w, ROLE_ONE_HOT, 5, 0, "%u.cont_cond", n); break;
  default: break;
  }
}

static void walk_payload(Walk *w, const AdgPe *pe, u32 opcode) {
  const AdgFu *fu = &w->adg->fus[pe->first_fu + opcode];
  const AdgBody *body = &w->adg->bodies[fu->body];
  w->unit = opcode;
  w->unit_name = fu->name;
  for (u32 n = 0; n < body->nnodes; n++) walk_node(w, body, n);
  w->unit = ADG_NONE;
}

/* Of a mux in front of a unit's input, or a demux behind an output. */
static void walk_mux(Walk *w, const char *noun, u32 i, u32 ways) {
  choice(w, ROLE_OTHER, ways, "%s%u.sel", noun, i);
  flag(w, ROLE_OTHER, "%s%u.discard", noun, i);
  flag(w, ROLE_OTHER, "%s%u.disconnect", noun, i);
}

static void walk_muxes(Walk *w, const AdgPe *pe) {
  const AdgComponent *c = &w->adg->components[pe->component];
  for (u32 i = 0; i < pe->max_inputs; i++) walk_mux(w, "mux", i, c->ninputs);
  for (u32 i = 0; i < pe->max_outputs; i++) walk_mux(w, "demux", i, c->noutputs);
}

static void walk_spatial_pe(Walk *w, const AdgPe *pe) {
  flag(w, ROLE_VALID, "enable");
  choice(w, ROLE_OPCODE, pe->nfus, "opcode");
  walk_muxes(w, pe);
  u64 start = w->at, end = start;
  for (u32 f = 0; f < pe->nfus; f++) {
    w->at = start;
    walk_payload(w, pe, f);
    if (w->at > end) end = w->at;
  }
  w->at = end;
}

static void walk_register(Walk *w, const AdgPe *pe, const char *noun, u32 i) {
  if (!pe->num_register) return;
  choice(w, ROLE_OTHER, pe->num_register, "%s%u.reg_idx", noun, i);
  flag(w, ROLE_OTHER, "%s%u.is_reg", noun, i);
}

static void walk_instruction(Walk *w, const void *of) {
  const AdgPe *pe = of;
  u32 tag_width = first_tag_width(w, pe->component);
  flag(w, ROLE_VALID, "valid");
  field(w, ROLE_KEY, tag_width, 0, "tag");
  choice(w, ROLE_OPCODE, pe->nfus, "opcode");
  for (u32 i = 0; i < pe->max_inputs; i++) walk_register(w, pe, "operand", i);
  walk_muxes(w, pe);
  for (u32 i = 0; i < pe->max_outputs; i++) {
    field(w, ROLE_OTHER, tag_width, 0, "result%u.res_tag", i);
    walk_register(w, pe, "result", i);
  }
}

static void walk_temporal_pe(Walk *w, const AdgPe *pe) {
  items(w, pe->num_instruction, "inst", walk_instruction, pe);
  for (u32 f = 0; f < pe->nfus; f++) walk_payload(w, pe, f);
}

/* ---- components ------------------------------------------------------------------------------ */

/* Returns the number of bits. */
static u64 walk_component(const Adg *adg, u32 component, LayoutVisit visit, void *context) {
  const AdgComponent *c = &adg->components[component];
  Walk w = {.adg = adg, .visit = visit, .context = context, .unit = ADG_NONE};
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW: walk_spatial_sw(&w, &adg->switches[c->detail]); break;
  case ADG_TEMPORAL_SW: {
    const AdgSwitch *sw = &adg->switches[c->detail];
    items(&w, sw->num_route_table, "slot", walk_slot, sw);
    break;
  }
  case ADG_ADD_TAG:
    field(&w, ROLE_OTHER, adg->ports[adg_output(adg, component, 0)].tag_width, 0, "tag");
    break;
  case ADG_MAP_TAG: {
    const AdgTag *tag = &adg->tags[c->detail];
    items(&w, tag->table_size, "entry", walk_entry, tag);
    break;
  }
  case ADG_FIFO:
    if (adg->fifos[c->detail].bypassable) flag(&w, ROLE_OTHER, "bypassed");
    break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: {
    const AdgMemory *memory = &adg->memories[c->detail];
    items(&w, memory->nregions, "region", walk_region, memory);
    break;
  }
  case ADG_SPATIAL_PE: walk_spatial_pe(&w, &adg->pes[c->detail]); break;
  case ADG_TEMPORAL_PE: walk_temporal_pe(&w, &adg->pes[c->detail]); break;
  default: break;
  }
  buf_free(&w.name);
  return w.at;
}

u64 layout_bits(const Adg *adg, u32 component) {
  return walk_component(adg, component, NULL, NULL);
}

void layout_visit(const Layout *layout, u32 slice, LayoutVisit visit, void *context) {
  walk_component(layout->adg, layout->slices[slice].component, visit, context);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static bool add_slice(Layout *layout, u32 component) {
  u64 bits = layout_bits(layout->adg, component), words = bits / 32 + (bits % 32 != 0);
  if (!bits) return true;
  if (words > LAYOUT_MAX_WORDS - layout->nwords) return false;
  layout->slices[layout->nslices++] = (LayoutSlice){component, layout->nwords, (u32)words, bits};
  layout->nwords += (u32)words;
  return true;
}

Layout *layout_new(Context *ctx, const Adg *adg) {
  Layout *layout = mem_alloc(sizeof *layout);
  layout->adg = adg;
  layout->slices = mem_alloc(mem_size(adg->ncomponents + (size_t)1, sizeof *layout->slices));
  bool fits = true;
  for (u32 i = 0; fits && i < adg->ncomponents; i++) {
    AdgKind kind = (AdgKind)adg->components[i].kind;
    if (kind != ADG_SPATIAL_PE && kind != ADG_TEMPORAL_PE) fits = add_slice(layout, i);
  }
  for (u32 i = 0; fits && i < adg->npes; i++) fits = add_slice(layout, adg->pes[i].component);
  if (fits) return layout;
  diag(ctx, adg->loc, COMP_FABRIC_TOO_LARGE, "the configuration of @%s has more than %llu words",
       adg_text(adg, adg->name), (unsigned long long)LAYOUT_MAX_WORDS);
  layout_free(layout);
  return NULL;
}

void layout_free(Layout *layout) {
  if (!layout) return;
  mem_free(layout->slices);
  mem_free(layout);
}

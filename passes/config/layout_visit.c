/* layout_visit.c -- all fields of a slice, one after the other, and what they are called.
 *
 * A visit knows which fields there are and in which order; where each of them lies it asks
 * layout_find. That it meets every bit exactly once, in ascending order, and no name twice, is
 * tested on random fabrics (spec-tests/tools/config_check.c).
 */
#include "config/layout.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* What items are called, where there are several. */
static const char *item_noun(AdgKind kind) {
  switch (kind) {
  case ADG_TEMPORAL_SW: return "slot";
  case ADG_MAP_TAG: return "entry";
  case ADG_MEMORY:
  case ADG_EXTMEMORY: return "region";
  case ADG_TEMPORAL_PE: return "inst";
  default: return NULL;
  }
}

static void put_unit_name(const Adg *adg, const AdgPe *pe, u32 opcode, Buf *out) {
  const char *name = adg_text(adg, adg->fus[pe->first_fu + opcode].name);
  bool own = strncmp(name, "opcode", 6) != 0;
  for (u32 f = 0; f < opcode && own; f++)
    own = strcmp(name, adg_text(adg, adg->fus[pe->first_fu + f].name)) != 0;
  if (own)
    buf_str(out, name);
  else
    buf_printf(out, "opcode%u", opcode);
}

static void put_port_name(const AdgSwitch *sw, const char *noun, u32 port, u32 lane, Buf *out) {
  buf_printf(out, "%s%u", noun, port);
  if (sw->decomposable_bits) buf_printf(out, "[%u]", lane);
}

void layout_name(const Layout *layout, u32 component, Field f, Buf *out) {
  static const char *const parts[FIELD_KIND_COUNT] = {
      [FIELD_VALID] = "valid",
      [FIELD_TAG] = "tag",
      [FIELD_DST_TAG] = "dst_tag",
      [FIELD_BYPASSED] = "bypassed",
      [FIELD_START] = "start",
      [FIELD_END] = "end",
      [FIELD_ADDR_OFFSET] = "addr_offset",
      [FIELD_ELEM_SIZE_LOG2] = "elem_size_log2",
      [FIELD_OPCODE] = "opcode",
      [FIELD_OPERAND_REG] = "operand%u.reg_idx",
      [FIELD_OPERAND_IS_REG] = "operand%u.is_reg",
      [FIELD_MUX_SEL] = "mux%u.sel",
      [FIELD_MUX_DISCARD] = "mux%u.discard",
      [FIELD_MUX_DISCONNECT] = "mux%u.disconnect",
      [FIELD_DEMUX_SEL] = "demux%u.sel",
      [FIELD_DEMUX_DISCARD] = "demux%u.discard",
      [FIELD_DEMUX_DISCONNECT] = "demux%u.disconnect",
      [FIELD_RESULT_TAG] = "result%u.res_tag",
      [FIELD_RESULT_REG] = "result%u.reg_idx",
      [FIELD_RESULT_IS_REG] = "result%u.is_reg",
      [FIELD_NODE_SEL] = "%u.sel",
      [FIELD_NODE_DISCARD] = "%u.discard",
      [FIELD_NODE_DISCONNECT] = "%u.disconnect",
      [FIELD_NODE_LITERAL] = "%u.literal",
      [FIELD_NODE_JOIN] = "%u.in",
      [FIELD_NODE_PREDICATE] = "%u.predicate",
      [FIELD_NODE_CONT_COND] = "%u.cont_cond",
  };
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  const char *noun = item_noun((AdgKind)c->kind), *part = parts[f.kind], *number;
  if (layout_is_payload(f.kind)) {
    put_unit_name(adg, &adg->pes[c->detail], f.item, out);
    buf_char(out, '.');
  } else if (noun) {
    buf_printf(out, "%s%u.", noun, f.item);
  }
  if (f.kind == FIELD_PAIR) {
    put_port_name(&adg->switches[c->detail], "out", f.a, f.a_lane, out);
    put_port_name(&adg->switches[c->detail], ".in", f.b, f.b_lane, out);
  } else if (f.kind == FIELD_DISCARD) {
    put_port_name(&adg->switches[c->detail], "discard.in", f.a, f.a_lane, out);
  } else if (f.kind == FIELD_VALID && c->kind == ADG_SPATIAL_PE) {
    buf_str(out, "enable");
  } else if (f.kind == FIELD_TAG && c->kind == ADG_MAP_TAG) {
    buf_str(out, "src_tag");
  } else if ((number = strchr(part, '%'))) {
    buf_put(out, part, (size_t)(number - part));
    buf_u64(out, f.a);
    buf_str(out, number + 2);
    if (f.kind == FIELD_NODE_JOIN) buf_u64(out, f.b);
  } else {
    buf_str(out, part);
  }
}

/* ---- the visit ------------------------------------------------------------------------------- */

typedef struct {
  const Layout *layout;
  u32 component;
  u64 start; /* of the slice, in bits */
  LayoutVisit visit;
  void *context;
} Walk;

static void tell(const Walk *w, Field f) {
  FieldPlace place = layout_find(w->layout, w->component, f);
  if (place.width) w->visit(w->context, f, place.at - w->start, place.width);
}

static void walk_pairs(const Walk *w, const AdgSwitch *sw, u32 slot) {
  const Adg *adg = w->layout->adg;
  const AdgComponent *c = &adg->components[w->component];
  for (u32 o = 0; o < c->noutputs; o++)
    for (u32 ol = 0; ol < layout_lanes(adg, sw, adg_output(adg, w->component, o)); ol++)
      for (u32 i = 0; i < c->ninputs; i++) {
        if (!adg_connects(adg, sw, i, o)) continue;
        u32 lanes = layout_lanes(adg, sw, adg_input(adg, w->component, i));
        for (u32 il = 0; il < lanes; il++) tell(w, (Field){FIELD_PAIR, slot, o, i, ol, il});
      }
}

static void walk_switch(const Walk *w, const AdgSwitch *sw) {
  const Adg *adg = w->layout->adg;
  for (u32 slot = 0; slot < sw->num_route_table; slot++) {
    tell(w, field_of(FIELD_VALID, slot, 0));
    tell(w, field_of(FIELD_TAG, slot, 0));
    walk_pairs(w, sw, slot);
  }
  if (sw->num_route_table) return;
  walk_pairs(w, sw, 0);
  for (u32 i = 0; i < adg->components[w->component].ninputs; i++)
    for (u32 l = 0; l < layout_lanes(adg, sw, adg_input(adg, w->component, i)); l++)
      tell(w, field_discard(i, l));
}

/* The fields `kinds` of each of n items. */
static void walk_items(const Walk *w, u32 n, const FieldKind *kinds, u32 nkinds) {
  for (u32 i = 0; i < n; i++)
    for (u32 k = 0; k < nkinds; k++) tell(w, field_of(kinds[k], i, 0));
}

/* Fields `first` ... `last` of each of n muxes, operands, ... of an instruction. */
static void walk_group(const Walk *w, u32 inst, u32 n, FieldKind first, FieldKind last) {
  for (u32 i = 0; i < n; i++)
    for (u32 kind = first; kind <= (u32)last; kind++) tell(w, field_of((FieldKind)kind, inst, i));
}

static void walk_payload(const Walk *w, const AdgPe *pe, u32 opcode) {
  const Adg *adg = w->layout->adg;
  const AdgBody *body = &adg->bodies[adg->fus[pe->first_fu + opcode].body];
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = &adg->nodes[body->first_node + n];
    switch ((OpKind)node->kind) {
    case OP_FABRIC_MUX:
      tell(w, field_node(FIELD_NODE_SEL, opcode, n));
      tell(w, field_node(FIELD_NODE_DISCARD, opcode, n));
      tell(w, field_node(FIELD_NODE_DISCONNECT, opcode, n));
      break;
    case OP_HANDSHAKE_CONSTANT: tell(w, field_node(FIELD_NODE_LITERAL, opcode, n)); break;
    case OP_HANDSHAKE_JOIN:
      for (u32 i = 0; i < node->noperands; i++) tell(w, field_join(opcode, n, i));
      break;
    case OP_ARITH_CMPI:
    case OP_ARITH_CMPF: tell(w, field_node(FIELD_NODE_PREDICATE, opcode, n)); break;
    case OP_DATAFLOW_STREAM: tell(w, field_node(FIELD_NODE_CONT_COND, opcode, n)); break;
    default: break;
    }
  }
}

static void walk_pe(const Walk *w, const AdgPe *pe) {
  for (u32 i = 0; i < (pe->is_temporal ? pe->num_instruction : 1); i++) {
    walk_group(w, i, 1, FIELD_VALID, FIELD_TAG);
    walk_group(w, i, 1, FIELD_OPCODE, FIELD_OPCODE);
    walk_group(w, i, pe->max_inputs, FIELD_OPERAND_REG, FIELD_OPERAND_IS_REG);
    walk_group(w, i, pe->max_inputs, FIELD_MUX_SEL, FIELD_MUX_DISCONNECT);
    walk_group(w, i, pe->max_outputs, FIELD_DEMUX_SEL, FIELD_DEMUX_DISCONNECT);
    walk_group(w, i, pe->max_outputs, FIELD_RESULT_TAG, FIELD_RESULT_IS_REG);
  }
  for (u32 f = 0; f < pe->nfus; f++) walk_payload(w, pe, f);
}

void layout_visit(const Layout *layout, u32 slice, LayoutVisit visit, void *context) {
  static const FieldKind entry[] = {FIELD_VALID, FIELD_TAG, FIELD_DST_TAG};
  static const FieldKind region[] = {FIELD_VALID, FIELD_START, FIELD_END, FIELD_ADDR_OFFSET,
                                     FIELD_ELEM_SIZE_LOG2};
  const Adg *adg = layout->adg;
  const LayoutSlice *s = &layout->slices[slice];
  Walk w = {layout, s->component, (u64)s->first_word * 32, visit, context};
  const AdgComponent *c = &adg->components[w.component];
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW: walk_switch(&w, &adg->switches[c->detail]); break;
  case ADG_ADD_TAG: tell(&w, field_of(FIELD_TAG, 0, 0)); break;
  case ADG_MAP_TAG: walk_items(&w, adg->tags[c->detail].table_size, entry, COUNT_OF(entry)); break;
  case ADG_FIFO: tell(&w, field_of(FIELD_BYPASSED, 0, 0)); break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY:
    walk_items(&w, adg->memories[c->detail].nregions, region, COUNT_OF(region));
    break;
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: walk_pe(&w, &adg->pes[c->detail]); break;
  default: break;
  }
}

/* layout_name.c -- what fields are called. That no two of a slice have one name is tested on random
 * fabrics (spec-tests/tools/config_check.c). */
#include "config/layout.h"

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
    if (adg->pes[c->detail].unit_config) buf_printf(out, "%s%u.", noun, f.a_lane);
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

/* layout_name.c -- the names of fields, as layout.h describes them. That they are unique in a slice
 * is tested on random fabrics (spec-tests/tools/config_check.c). */
#include "config/layout.h"

/* The prefix of an item's fields, for components that may have several items. */
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
  bool by_name = strncmp(name, "opcode", 6) != 0;
  for (u32 f = 0; f < opcode && by_name; f++)
    by_name = strcmp(name, adg_text(adg, adg->fus[pe->first_fu + f].name)) != 0;
  if (by_name)
    buf_str(out, name);
  else
    buf_printf(out, "opcode%u", opcode);
}

static void put_port_name(const AdgSwitch *sw, const char *noun, u32 port, u32 lane, Buf *out) {
  buf_printf(out, "%s%u", noun, port);
  if (sw->decomposable_bits) buf_printf(out, "[%u]", lane);
}

void layout_name(const Layout *layout, u32 component, Field f, Buf *out) {
  const Adg *adg = layout->adg;
  const AdgComponent *c = &adg->components[component];
  const char *noun = item_noun((AdgKind)c->kind), *number;
  const char *name = layout_run(layout, component, f).name;
  bool is_payload = layout_is_payload(f.kind);
  if (is_payload) {
    if (adg->pes[c->detail].unit_config) buf_printf(out, "%s%u.", noun, f.a_lane);
    put_unit_name(adg, &adg->pes[c->detail], f.item, out);
    buf_printf(out, ".%u.", f.a);
  } else if (noun) {
    buf_printf(out, "%s%u.", noun, f.item);
  }
  if (f.kind == FIELD_PAIR) {
    put_port_name(&adg->switches[c->detail], "out", f.a, f.a_lane, out);
    put_port_name(&adg->switches[c->detail], ".in", f.b, f.b_lane, out);
  } else if (f.kind == FIELD_DISCARD) {
    put_port_name(&adg->switches[c->detail], "discard.in", f.a, f.a_lane, out);
  } else if ((number = strchr(name, '%'))) {
    buf_put(out, name, (size_t)(number - name));
    buf_u64(out, is_payload ? f.b : f.a);
    buf_str(out, number + 2);
  } else {
    buf_str(out, name);
  }
}

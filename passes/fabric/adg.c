/* adg.c -- queries on an ADG, and the choice of the module to flatten.
 *
 * `adg_find` is a binary search over the sorted names; `adg_top` is linear in the file's ops. */
#include "fabric/adg.h"

#include "ir/fabric.h"

static const char *const kind_texts[ADG_KIND_COUNT] = {
#define MODULE_PORT(NAME, text)                     text,
#define COMPONENT(NAME, text, class, configuration) text,
#include "ir/fabric.def"
};

const char *adg_kind_text(AdgKind kind) {
  return kind_texts[kind];
}

void adg_free(Adg *adg) {
  if (adg) arena_free(adg->arena);
}

u32 adg_find(const Adg *adg, const char *name) {
  u32 low = 0, high = adg->ncomponents;
  while (low < high) {
    u32 middle = low + (high - low) / 2, id = adg->components_by_name[middle];
    int order = strcmp(name, adg_name(adg, id));
    if (order == 0) return id;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return ADG_NONE;
}

/* ---- the top module -------------------------------------------------------------------------- */

static void mark_instantiated(const Op *module, Map *instantiated) {
  for_each_op (op, module->regions[0].first)
    if (op->kind == OP_FABRIC_INSTANCE && fabric_definition(op))
      map_put(instantiated, PTR_KEY(fabric_definition(op)), 1);
}

static bool has_function(const Block *body) {
  for_each_op (op, body)
    if (op->kind == OP_FUNC_FUNC || op->kind == OP_HANDSHAKE_FUNC) return true;
  return false;
}

Op *adg_top(Module *module, const char *name) {
  Context *ctx = module->ctx;
  Map instantiated = {0};
  Op *found = NULL, *second = NULL;
  u64 yes;
  fabric_resolve(module->top, NULL, NULL);
  const Block *body = module->top->regions[0].first;
  for_each_op (op, body)
    if (op->kind == OP_FABRIC_MODULE) mark_instantiated(op, &instantiated);
  for_each_op (op, body) {
    if (op->kind != OP_FABRIC_MODULE) continue;
    if (name ? strcmp(fabric_name(op)->text, name) != 0 : map_get(&instantiated, PTR_KEY(op), &yes))
      continue;
    if (!found)
      found = op;
    else if (!second)
      second = op;
  }
  map_free(&instantiated);
  if (found && !second) return found;
  if (name)
    diag(ctx, module->top->loc, COMP_FABRIC_NO_MODULE, "there is no fabric.module @%s in this file",
         name);
  else if (!found) {
    diag(ctx, module->top->loc, COMP_FABRIC_NO_MODULE, "there is no fabric.module in this file");
    if (has_function(body))
      diag_hint(ctx,
                "it has functions, and no hardware: map one onto a fabric first (loom map FILE "
                "--adg FABRIC -o DIR)");
  } else {
    diag(ctx, second->loc, COMP_FABRIC_NO_MODULE,
         "the file has several fabric.modules that no other instantiates");
    diag_note(ctx, found->loc, "another one is here");
    diag_hint(ctx, "choose one with --module NAME");
  }
  return NULL;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

bool adg_lane_connects(const Adg *adg, const AdgSwitch *sw, u32 i, u32 il, u32 o, u32 ol) {
  if (sw->first_lane_row == ADG_NONE) return true;
  u32 row = ol, column = il, ins = 0;
  for (u32 k = 0; k < o; k++) row += adg_lanes(adg, sw, adg_output(adg, sw->component, k));
  for (u32 k = 0; k < adg->components[sw->component].ninputs; k++) {
    u32 n = adg_lanes(adg, sw, adg_input(adg, sw->component, k));
    if (k < i) column += n;
    ins += n;
  }
  size_t bit = (size_t)row * ins + column;
  return adg->lane_rows[sw->first_lane_row + bit / 32] >> bit % 32 & 1;
}

bool adg_goes_straight(const Adg *adg, const AdgSwitch *sw, u32 i, u32 o) {
  if (!adg_connects(adg, sw, i, o)) return false;
  if (sw->first_lane_row == ADG_NONE) return true;
  u32 ins = adg_lanes(adg, sw, adg_input(adg, sw->component, i));
  u32 outs = adg_lanes(adg, sw, adg_output(adg, sw->component, o));
  for (u32 l = 0; l < outs; l++)
    if (!ins || !adg_lane_connects(adg, sw, i, l % ins, o, l)) return false;
  return true;
}

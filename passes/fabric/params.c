/* params.c -- hardware parameters: from attributes of ops to fields of the ADG, and to JSON.
 *
 *     fabric.fifo @f [depth = 4, bypassable]        AdgFifo {.depth = 4, .bypassable = true}
 *                                                   "depth": 4, "bypassable": true
 *
 * The parameters and their fields are rows of ir/fabric.def; apart from the default latencies of
 * memories, no parameter is named here. A negative number in the text means "none", stored as 0. */
#include "fabric/build.h"
#include "fabric/show.h"

#include <stddef.h>

/* By FabricParamId. */
static const struct {
  bool is_field;
  u32 offset;
  const char *json;
} fields[FABRIC_PARAM_COUNT] = {
#define PARAM(kind, name, form, low, high, default_value, code, type, field, json)                 \
  {true, offsetof(type, field), json},
#define PARAM_ALONE(...) {0},
#include "ir/fabric.def"
};

static u32 get(const FabricParam *param, const void *detail) {
  const char *at = (const char *)detail + fields[param - fabric_param_rows].offset;
  u32 number;
  if (param->form == PARAM_FLAG) return *(const bool *)at;
  memcpy(&number, at, sizeof number);
  return number;
}

void adg_read_params(const Op *def, void *detail) {
  for_each_param(param, def->kind) {
    if (!fields[param - fabric_param_rows].is_field) continue;
    char *at = (char *)detail + fields[param - fabric_param_rows].offset;
    i64 value = fabric_param_value(def, param);
    u32 number = value < 0 ? 0 : (u32)value;
    if (param->form == PARAM_FLAG)
      *(bool *)at = number;
    else
      memcpy(at, &number, sizeof number);
  }
}

static const void *detail_of(const Adg *adg, const AdgComponent *c) {
  switch (adg_class(c->kind)) {
  case CLASS_PE: return &adg->pes[c->detail];
  case CLASS_SWITCH: return &adg->switches[c->detail];
  case CLASS_FIFO: return &adg->fifos[c->detail];
  case CLASS_TAG: return &adg->tags[c->detail];
  case CLASS_MEMORY: return &adg->memories[c->detail];
  default: return NULL;
  }
}

OpKind adg_op_kind(AdgKind kind) {
  static const u16 kinds[] = {
#define MODULE_PORT(NAME, text)                     [ADG_##NAME] = OP_COUNT,
#define COMPONENT(NAME, text, class, configuration) [ADG_##NAME] = OP_FABRIC_##NAME,
#include "ir/fabric.def"
  };
  return (OpKind)kinds[kind];
}

bool adg_param(const Adg *adg, u32 component, const char *name, u32 *value) {
  const AdgComponent *c = &adg->components[component];
  const FabricParam *param =
      adg_class(c->kind) == CLASS_PORT ? NULL : fabric_param(adg_op_kind((AdgKind)c->kind), name);
  if (!param || !fields[param - fabric_param_rows].is_field) return false;
  *value = get(param, detail_of(adg, c));
  return true;
}

void adg_print_params(const Adg *adg, u32 component, Json *json) {
  const AdgComponent *c = &adg->components[component];
  if (adg_class(c->kind) == CLASS_PORT) return;
  for_each_param(param, adg_op_kind((AdgKind)c->kind)) {
    const char *name = fields[param - fabric_param_rows].json;
    if (!name) continue;
    u32 value = get(param, detail_of(adg, c));
    if (*name == '?' && value == param->default_value) continue;
    name += *name == '?';
    if (param->form == PARAM_FLAG)
      json_put_bool(json, name, value);
    else if (param->form == PARAM_CHOICE)
      json_put_text(json, name, param->words[value]);
    else
      json_put_number(json, name, value);
  }
}

u32 adg_default_latency(bool is_external) {
  FabricParamId id = is_external ? PARAM_EXTMEMORY_latency : PARAM_MEMORY_latency;
  return (u32)fabric_param_rows[id].default_value;
}

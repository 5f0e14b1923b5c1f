/* binding.c -- reads and prints bindings as JSON. What the JSON leaves out is bound by name; the
 * rules are at binding_read in binding.h. */
#include "config/binding.h"

#include "base/json.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct {
  Context *ctx;
  const Dfg *dfg;
  const Adg *adg;
  const Image *image;
  Loc loc;
  json_t *root; /* NULL: bind everything by name */
  MapBinding *binding;
  bool failed;
} BindingReader;

PRINTF_LIKE(2, 3)
static void bad(BindingReader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(r->ctx, r->loc, CHECK_BINDING, format, args);
  va_end(args);
  r->failed = true;
}

static json_t *member(const BindingReader *r, const char *table, const char *name) {
  return json_object_get(json_object_get(r->root, table), name);
}

static u32 number(BindingReader *r, json_t *object, const char *name, u64 otherwise) {
  json_t *value = json_object_get(object, name);
  if (!value) return (u32)otherwise;
  if (json_is_integer(value) && json_integer_value(value) >= 0 &&
      json_integer_value(value) < UINT32_MAX)
    return (u32)json_integer_value(value);
  bad(r, "'%s' must be a number", name);
  return 0;
}

/* Reads the tag of an argument's tokens: the input must be tagged, and wide enough for it. */
static void read_tag(BindingReader *r, json_t *given, u32 component) {
  const AdgPort *port = &r->adg->ports[adg_output(r->adg, component, 0)];
  u32 tag = number(r, given, "tag", ADG_NONE);
  r->binding->input_tags[component] = tag;
  if (tag != ADG_NONE && (!port->is_tagged || tag >> port->tag_width))
    bad(r, "input '%s' cannot carry tag %u", adg_name(r->adg, component), tag);
}

/* The component of an argument or result: the one that the table gives it, else the one of its
 * name. MAP_NONE where there is none of that kind, an error if the table gives one or `is_needed`.
 */
static u32 port_of(BindingReader *r, const char *table, const char *name, AdgKind kind,
                   bool is_needed) {
  json_t *given = member(r, table, name);
  json_t *input = kind == ADG_INPUT ? json_object_get(given, "input") : NULL;
  const char *target = given ? json_string_value(input ? input : given) : name;
  u32 c = target ? adg_find(r->adg, target) : ADG_NONE;
  if (c != ADG_NONE && r->adg->components[c].kind == kind) {
    if (input) read_tag(r, given, c);
    return c;
  }
  if (given || is_needed)
    bad(r, "cannot bind %s '%s' to '%s': the fabric has no %s of that name",
        kind == ADG_INPUT ? "argument" : "result", name, target ? target : "?",
        adg_kind_text(kind));
  return MAP_NONE;
}

static bool is_used(const Dfg *dfg, const DfgArg *arg) {
  return dfg->results[dfg->nodes[arg->node].first_result].nedges > 0;
}

static bool is_taken(const BindingReader *r, u32 component) {
  for (u32 a = 0; a < r->dfg->nargs; a++)
    if (r->binding->args[a] == component) return true;
  return false;
}

/* An argument without a use is at the input that is given, at none where that is null, else at the
 * input of its name, unless another argument is there. */
static void read_unused(BindingReader *r, u32 a) {
  const char *name = dfg_text(r->dfg, r->dfg->args[a].name);
  json_t *given = member(r, "args", name);
  if (json_is_null(given)) return;
  u32 component = port_of(r, "args", name, ADG_INPUT, false);
  if (given || !is_taken(r, component)) r->binding->args[a] = component;
}

static void read_ports(BindingReader *r) {
  const Dfg *dfg = r->dfg;
  for (u32 a = 0; a < dfg->nargs; a++) {
    const DfgArg *arg = &dfg->args[a];
    r->binding->args[a] = MAP_NONE;
    if (arg->role != DFG_ARG_MEMREF && is_used(dfg, arg))
      r->binding->args[a] = port_of(r, "args", dfg_text(dfg, arg->name), ADG_INPUT, true);
  }
  for (u32 a = 0; a < dfg->nargs; a++)
    if (dfg->args[a].role != DFG_ARG_MEMREF && !is_used(dfg, &dfg->args[a])) read_unused(r, a);
  for (u32 o = 0; o < dfg->noutputs; o++)
    r->binding->outputs[o] =
        port_of(r, "results", dfg_text(dfg, dfg->outputs[o].name), ADG_OUTPUT, true);
}

static bool names_match(const char *name, size_t len, const char *wanted) {
  return strlen(wanted) == len && memcmp(name, wanted, len) == 0;
}

/* The memory of the fabric of that name or, with `by_memref`, the extmemory whose memref has it. */
static u32 find_named(const Adg *adg, const char *name, size_t len, bool by_memref) {
  for (u32 m = 0; m < adg->nmemories; m++) {
    const AdgMemory *memory = &adg->memories[m];
    if (names_match(name, len, adg_name(adg, memory->component))) return m;
    if (by_memref && memory->is_external &&
        names_match(name, len, adg_text(adg, adg->args[memory->arg].name)))
      return m;
  }
  return MAP_NONE;
}

/* The same for a name or "NAME.rN", the name that configured_graph gives to region N. */
static u32 find_memory(const Adg *adg, const char *name, bool by_memref, u32 *region) {
  u32 found = find_named(adg, name, strlen(name), by_memref);
  const char *dot = strrchr(name, '.');
  char *end = NULL;
  *region = 0;
  if (found != MAP_NONE || !dot || dot[1] != 'r' || dot[2] < '0' || dot[2] > '9') return found;
  unsigned long number = strtoul(dot + 2, &end, 10);
  if (*end || number > UINT16_MAX) return MAP_NONE;
  *region = (u32)number;
  return find_named(adg, name, (size_t)(dot - name), by_memref);
}

static void read_lanes(BindingReader *r, json_t *object, const char *table, u32 first, u32 n,
                       u32 start) {
  json_t *lanes = json_object_get(object, table);
  for (u32 i = 0; i < n; i++) r->binding->lanes[first + i] = start + i;
  if (!lanes) return;
  if (!json_is_array(lanes) || json_array_size(lanes) != n) {
    bad(r, "'%s' must be an array of %u lanes", table, n);
    return;
  }
  for (u32 i = 0; i < n; i++) {
    json_t *lane = json_array_get(lanes, i);
    if (json_is_integer(lane) && json_integer_value(lane) >= 0 && json_integer_value(lane) < 65536)
      r->binding->lanes[first + i] = (u32)json_integer_value(lane);
    else
      bad(r, "a lane in '%s' must be a number below 65536", table);
  }
}

static void read_memory(BindingReader *r, u32 m) {
  const DfgMemory *memory = &r->dfg->memories[m];
  MapMemory *place = &r->binding->memories[m];
  const char *name = dfg_text(r->dfg, memory->name);
  *place = (MapMemory){MAP_NONE, 0, 0, 0, 0};
  json_t *object = member(r, "memories", name), *given = json_object_get(object, "memory");
  const char *target = json_string_value(given);
  if (given && !target) bad(r, "the 'memory' of '%s' must be a string", name);
  if (!target)
    target = memory->arg != DFG_NONE ? dfg_text(r->dfg, r->dfg->args[memory->arg].name) : name;
  u32 region;
  place->memory = find_memory(r->adg, target, memory->arg != DFG_NONE, &region);
  if (place->memory == MAP_NONE) {
    bad(r, "cannot bind memory '%s' to '%s': the fabric has no memory of that name", name, target);
    return;
  }
  const AdgMemory *hw = &r->adg->memories[place->memory];
  u64 start = 0, end = 0, offset = 0;
  place->region = number(r, object, "region", region);
  if (place->region < hw->nregions) {
    start = image_get(r->image, hw->component, field_of(FIELD_START, place->region, 0));
    end = image_get(r->image, hw->component, field_of(FIELD_END, place->region, 0));
    offset = image_get(r->image, hw->component, field_of(FIELD_ADDR_OFFSET, place->region, 0));
  }
  place->start = number(r, object, "start", start);
  place->end = number(r, object, "end", end);
  place->offset = number(r, object, "offset", offset);
  read_lanes(r, object, "stores", memory->first_port, memory->nstores, place->start);
  read_lanes(r, object, "loads", memory->first_port + memory->nstores, memory->nloads,
             place->start);
}

/* ---- the names in a binding ------------------------------------------------------------------ */

static const char *arg_name(const Dfg *dfg, u32 a) {
  return dfg->args[a].role == DFG_ARG_MEMREF ? NULL : dfg_text(dfg, dfg->args[a].name);
}

static const char *result_name(const Dfg *dfg, u32 o) {
  return dfg_text(dfg, dfg->outputs[o].name);
}

static const char *memory_name(const Dfg *dfg, u32 m) {
  return dfg_text(dfg, dfg->memories[m].name);
}

/* Checks that a table is an object, and that the graph has everything that it names. */
static void check_table(BindingReader *r, const char *table, const char *noun, u32 n,
                        const char *(*name_of)(const Dfg *, u32)) {
  json_t *object = json_object_get(r->root, table), *value;
  const char *key;
  if (object && !json_is_object(object)) bad(r, "'%s' must be an object", table);
  json_object_foreach(object, key, value) {
    bool is_found = false;
    for (u32 i = 0; i < n && !is_found; i++) {
      const char *name = name_of(r->dfg, i);
      is_found = name && strcmp(name, key) == 0;
    }
    if (!is_found) bad(r, "the graph has no %s '%s'", noun, key);
  }
}

/* Checks that an object has no other members than these. */
static void check_members(BindingReader *r, const char *noun, json_t *object,
                          const char *const *names, size_t n) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    bool is_known = false;
    for (size_t i = 0; i < n; i++) is_known |= strcmp(key, names[i]) == 0;
    if (!is_known) bad(r, "%s has no member '%s'", noun, key);
  }
}

static void check_names(BindingReader *r) {
  static const char *const tables[] = {"args", "results", "memories"};
  static const char *const port[] = {"input", "tag"};
  static const char *const place[] = {"memory", "region", "start", "end",
                                      "offset", "stores", "loads"};
  const char *key;
  json_t *value;
  check_members(r, "a binding", r->root, tables, COUNT_OF(tables));
  check_table(r, "args", "argument", r->dfg->nargs, arg_name);
  check_table(r, "results", "result", r->dfg->noutputs, result_name);
  check_table(r, "memories", "memory", r->dfg->nmemories, memory_name);
  json_object_foreach(json_object_get(r->root, "args"), key, value) {
    check_members(r, "the place of an argument", value, port, COUNT_OF(port));
  }
  json_object_foreach(json_object_get(r->root, "memories"), key, value) {
    if (!json_is_object(value)) bad(r, "the place of memory '%s' must be an object", key);
    check_members(r, "the place of a memory", value, place, COUNT_OF(place));
  }
}

MapBinding *binding_read(Context *ctx, const Dfg *dfg, const Image *image, const Source *source) {
  json_t *root = source ? json_read(ctx, source, CHECK_BINDING) : NULL;
  if (source && !root) return NULL;
  Arena *arena = arena_new();
  BindingReader r = {.ctx = ctx,
                     .dfg = dfg,
                     .adg = image->layout->adg,
                     .image = image,
                     .loc = source ? source->base : dfg->loc,
                     .root = json_object_get(root, "binding"),
                     .binding = NEW(arena, MapBinding)};
  if (!r.root) r.root = root;
  bool is_incomplete = json_is_true(json_object_get(root, "incomplete"));
  *r.binding = (MapBinding){.arena = arena,
                            .args = NEW_ARRAY(arena, u32, dfg->nargs),
                            .outputs = NEW_ARRAY(arena, u32, dfg->noutputs),
                            .memories = NEW_ARRAY(arena, MapMemory, dfg->nmemories),
                            .lanes = NEW_ARRAY(arena, u32, dfg_nports(dfg)),
                            .input_tags = NEW_ARRAY(arena, u32, r.adg->ncomponents)};
  for (u32 c = 0; c < r.adg->ncomponents; c++) r.binding->input_tags[c] = ADG_NONE;
  if (source && is_incomplete) {
    diag(ctx, r.loc, MAP_INCOMPLETE, "%s is an incomplete mapping, which binds nothing",
         source->name);
    r.failed = true;
  } else if (source && !json_is_object(r.root)) {
    bad(&r, "a binding must be an object");
  } else {
    check_names(&r);
    read_ports(&r);
    for (u32 m = 0; m < dfg->nmemories; m++) read_memory(&r, m);
  }
  json_decref(root);
  if (!r.failed) return r.binding;
  binding_free(r.binding);
  return NULL;
}

void binding_free(MapBinding *binding) {
  if (binding) arena_free(binding->arena);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void put_lanes(Json *json, const char *noun, const u32 *lanes, u32 n) {
  json_open(json, noun, '[');
  for (u32 i = 0; i < n; i++) json_put_number(json, NULL, lanes[i]);
  json_close(json, ']');
}

static void put_argument(Json *json, const char *name, const Adg *adg, const MapBinding *binding,
                         u32 component) {
  const char *input = component == MAP_NONE ? NULL : adg_name(adg, component);
  if (!input || binding->input_tags[component] == MAP_NONE) {
    json_put_text(json, name, input);
    return;
  }
  json_open(json, name, '{');
  json_put_text(json, "input", input);
  json_put_number(json, "tag", binding->input_tags[component]);
  json_close(json, '}');
}

static void put_memory(Json *json, const Dfg *dfg, const DfgMemory *memory, const Adg *adg,
                       const MapBinding *binding, const MapMemory *p) {
  const u32 *lanes = binding->lanes + memory->first_port;
  json_open(json, dfg_text(dfg, memory->name), '{');
  json_put_text(json, "memory", adg_name(adg, adg->memories[p->memory].component));
  json_put_number(json, "region", p->region);
  json_put_number(json, "start", p->start);
  json_put_number(json, "end", p->end);
  json_put_number(json, "offset", p->offset);
  put_lanes(json, "stores", lanes, memory->nstores);
  put_lanes(json, "loads", lanes + memory->nstores, memory->nloads);
  json_close(json, '}');
}

void binding_print(const Dfg *dfg, const Adg *adg, const MapBinding *binding, Buf *out) {
  Json json = {.out = out};
  json_open(&json, NULL, '{');
  json_open(&json, "args", '{');
  for (u32 a = 0; a < dfg->nargs; a++)
    if (dfg->args[a].role != DFG_ARG_MEMREF)
      put_argument(&json, dfg_text(dfg, dfg->args[a].name), adg, binding, binding->args[a]);
  json_close(&json, '}');
  json_line(&json, 3);
  json_open(&json, "results", '{');
  for (u32 o = 0; o < dfg->noutputs; o++)
    json_put_text(&json, dfg_text(dfg, dfg->outputs[o].name), adg_name(adg, binding->outputs[o]));
  json_close(&json, '}');
  json_line(&json, 3);
  json_open(&json, "memories", '{');
  for (u32 m = 0; m < dfg->nmemories; m++) {
    const DfgMemory *memory = &dfg->memories[m];
    const MapMemory *p = &binding->memories[m];
    if (p->memory != MAP_NONE) put_memory(&json, dfg, memory, adg, binding, p);
  }
  json_close(&json, '}');
  json_close(&json, '}');
}

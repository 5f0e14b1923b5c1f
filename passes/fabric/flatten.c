/* flatten.c -- flattens a fabric.module with its instances into one graph (adg.h).
 *
 *     fabric.module @cell(%a) { %f = fabric.fifo @f (%a)  fabric.yield %f }
 *     fabric.module @top(%x)  { %c = fabric.instance @cell(%x) {sym_name = "c"}  fabric.yield %c }
 *       components  x, c/f, out0         channels  x -> c/f, c/f -> out0
 *
 * Requires a text that verify_module accepted: instances can be resolved, and no module contains
 * itself. First every instantiation of a module gets a context, and every component in it an id and
 * its ports, in a walk in the order of the text. (The walk has an explicit stack: modules may be
 * nested deeply.) Then the driver of each input port is found by following its value through
 * arguments and yields of modules, any number of times, to the output of a component.
 *
 * Cost: linear, except for sorting the names and for following values across module boundaries,
 * which MAX_STEPS bounds. A short text may flatten to a huge graph (modules of modules of modules),
 * so components are counted before any is made, and the text of names is bounded as it grows. */
#include "fabric/build.h"

#include <stdlib.h>

enum { MAX_TEXT = 1 << 26, MAX_STEPS = 1 << 28 };

/* ---- names ----------------------------------------------------------------------------------- */

AdgText adg_put(AdgBuild *b, const char *text, size_t len) {
  if (!b->text.len) buf_put(&b->text, "\0", 1); /* 0 is the empty string */
  if (b->text.len + len >= MAX_TEXT) {
    b->too_large = true;
    return 0;
  }
  AdgText at = (AdgText)b->text.len;
  if (len == 0) return 0;
  buf_put(&b->text, text, len);
  buf_put(&b->text, "\0", 1);
  return at;
}

/* The name of a definition, once for all its instances. */
static AdgText definition_text(AdgBuild *b, const Op *def) {
  const Str *name = fabric_name(def);
  u64 known;
  if (!name) return 0;
  if (map_get(&b->definitions, PTR_KEY(name), &known)) return (AdgText)known;
  AdgText at = adg_put(b, name->text, name->len);
  map_put(&b->definitions, PTR_KEY(name), at);
  return at;
}

/* `path` and `name`, with `.1`, `.2`, ... where they are taken, and `end` behind it. */
static AdgText unique_name(AdgBuild *b, AdgText path, const char *name, const char *end) {
  Buf full = {0};
  buf_str(&full, b->text.data ? b->text.data + path : "");
  buf_str(&full, name);
  size_t stem = full.len;
  const Str *wanted = str_intern(b->ctx, full.data ? full.data : "", full.len), *got = wanted;
  u64 taken = 0, dummy;
  while (map_get(&b->names, PTR_KEY(got), &dummy)) {
    map_get(&b->names, PTR_KEY(wanted), &taken);
    map_put(&b->names, PTR_KEY(wanted), taken + 1);
    full.len = stem;
    buf_printf(&full, ".%llu", (unsigned long long)taken + 1);
    got = str_intern(b->ctx, full.data, full.len);
  }
  map_put(&b->names, PTR_KEY(got), 0);
  buf_free(&full);
  Buf text = {0};
  buf_put(&text, got->text, got->len);
  buf_str(&text, end);
  AdgText at = adg_put(b, text.data, text.len);
  buf_free(&text);
  return at;
}

/* ---- components ------------------------------------------------------------------------------ */

static AdgKind kind_of(OpKind kind) {
  static const u8 kinds[OP_COUNT] = {
#define COMPONENT(NAME, ...) [OP_FABRIC_##NAME] = ADG_##NAME,
#include "ir/fabric.def"
  };
  if (!kinds[kind]) loom_bug("%s is no component", op_info(kind)->name);
  return (AdgKind)kinds[kind];
}

/* Adds a port, unless the type is a memref. */
static void put_port(AdgBuild *b, u32 component, bool is_output, const Type *type) {
  FabricPort port;
  if (!fabric_port(b->ctx, type, &port)) return;
  AdgComponent *c = &b->components.at[component];
  AdgPort p = {.component = component,
               .index = is_output ? c->noutputs++ : c->ninputs++,
               .is_output = is_output,
               .is_tagged = port.is_tagged,
               .width = port.width,
               .tag_width = port.tag_width,
               .first_channel = ADG_NONE};
  vec_push(&b->ports, p);
}

static u32 put_component(AdgBuild *b, AdgKind kind, AdgText name, Loc loc) {
  AdgComponent c = {.kind = (u8)kind,
                    .name = name,
                    .first_port = (u32)b->ports.len,
                    .detail = ADG_NONE,
                    .loc = loc};
  vec_push(&b->components, c);
  return (u32)b->components.len - 1;
}

/* The configuration of `def`, overridden by that of its instance `op`. */
static const Attr *runtime_of(AdgBuild *b, const Op *op, const Op *def) {
  NamedAttr found[8];
  u32 n = 0;
  const char *names = fabric_runtime((OpKind)def->kind);
  while (*names) {
    size_t len = strcspn(names, " ");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)len, names);
    const Attr *value = op_attr(op, name);
    if (!value) value = op_attr(def, name);
    if (value && n < COUNT_OF(found))
      found[n++] = (NamedAttr){.name = str_of(b->ctx, name), .value = value};
    names += len;
    names += strspn(names, " ");
  }
  return n ? attr_dict(b->ctx, found, n) : NULL;
}

static void put_pe(AdgBuild *b, u32 component, const Op *def) {
  AdgPe pe = {.component = component, .is_temporal = def->kind == OP_FABRIC_TEMPORAL_PE};
  adg_read_params(def, &pe);
  b->components.at[component].detail = (u32)b->pes.len;
  vec_push(&b->pes, pe);
  adg_build_units(b, (u32)b->pes.len - 1, def);
}

static bool has_lane_rows(const Op *def, const FabricLanes *lanes) {
  const Attr *table = op_attr(def, "connectivity_table");
  return table && fabric_has_lane_rows(lanes, table->n, (u32)table->elems[0]->str->len);
}

/* The connectivity by lanes, a bit for each pair. */
static void put_lane_rows(AdgBuild *b, const Op *def, const FabricLanes *lanes, AdgSwitch *sw) {
  const Attr *table = op_attr(def, "connectivity_table");
  size_t ins = lanes->in_at[lanes->ninputs], n = table->n * ins;
  sw->first_lane_row = (u32)b->lane_rows.len;
  for (size_t i = 0; i < n; i++) {
    if (i % 32 == 0) vec_push(&b->lane_rows, 0);
    vec_last(&b->lane_rows) |= (u32)(table->elems[i / ins]->str->text[i % ins] == '1') << i % 32;
  }
}

static void put_switch(AdgBuild *b, u32 component, const Op *def) {
  const AdgComponent *c = &b->components.at[component];
  i64 bits = op_attr_int(def, "decomposable_bits", FABRIC_WHOLE_PORTS);
  AdgSwitch sw = {.component = component,
                  .first_row = (u32)b->rows.len,
                  .decomposable_bits = bits > 0 ? (u32)bits : 0,
                  .first_lane_row = ADG_NONE};
  FabricLanes lanes;
  adg_read_params(def, &sw);
  fabric_lanes(b->ctx, def, &lanes);
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 bits = 0;
    for (u32 i = 0; i < c->ninputs; i++) bits |= (u32)fabric_switch_joins(def, &lanes, i, o) << i;
    for (u32 left = bits; left; left &= left - 1) sw.npairs++;
    vec_push(&b->rows, bits);
  }
  if (has_lane_rows(def, &lanes)) put_lane_rows(b, def, &lanes, &sw);
  b->components.at[component].detail = (u32)b->switches.len;
  vec_push(&b->switches, sw);
}

static void put_memory(AdgBuild *b, u32 component, const Op *def) {
  const Type *memref = op_attr(def, "memrefType")->type;
  AdgComponent *c = &b->components.at[component];
  bool is_external = def->kind == OP_FABRIC_EXTMEMORY;
  i64 elements = type_static_elements(memref);
  AdgMemory m = {.component = component,
                 .is_external = is_external,
                 .channels = 1,
                 .banks = 1,
                 .arg = ADG_NONE,
                 .elem_bits = type_bits(b->ctx, memref->elem),
                 .elements = elements < 0 ? 0 : (u64)elements,
                 .memref = memref};
  adg_read_params(def, &m);
  if (m.banks > 1) m.channels = m.banks;
  u32 in = c->first_port, out = c->first_port + c->ninputs;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++) {
    u32 n = adg_family_ports(&m, f), *at = f < ADG_LOAD_DATA ? &in : &out;
    m.ports[f] = n ? *at : ADG_NONE;
    *at += n;
  }
  c->detail = (u32)b->memories.len;
  vec_push(&b->memories, m);
}

static void put_fifo(AdgBuild *b, u32 component, const Op *def) {
  AdgFifo fifo = {.component = component};
  adg_read_params(def, &fifo);
  b->components.at[component].detail = (u32)b->fifos.len;
  vec_push(&b->fifos, fifo);
}

static void put_tag(AdgBuild *b, u32 component, const Op *def) {
  AdgTag tag = {.component = component};
  adg_read_params(def, &tag);
  b->components.at[component].detail = (u32)b->tags.len;
  vec_push(&b->tags, tag);
}

static void put_detail(AdgBuild *b, u32 component, const Op *def) {
  switch (adg_class(b->components.at[component].kind)) {
  case CLASS_PE: put_pe(b, component, def); break;
  case CLASS_SWITCH: put_switch(b, component, def); break;
  case CLASS_MEMORY: put_memory(b, component, def); break;
  case CLASS_FIFO: put_fifo(b, component, def); break;
  default: put_tag(b, component, def);
  }
}

/* The name of an op: its own, else its definition's, else its kind's. */
static const char *own_name(const Op *op, const Op *def, AdgKind kind) {
  const Str *name = fabric_name(op);
  if (!name && op != def) name = fabric_name(def);
  return name ? name->text : adg_kind_text(kind);
}

static u32 build_component(AdgBuild *b, const AdgContext *context, const Op *op, const Op *def) {
  AdgKind kind = kind_of((OpKind)def->kind);
  AdgText name = unique_name(b, context->path, own_name(op, def, kind), "");
  u32 id = put_component(b, kind, name, op->loc);
  const Type *ports = fabric_is_component((OpKind)def->kind) ? op_function_type(def) : NULL;
  b->components.at[id].runtime = runtime_of(b, op, def);
  if (op != def) b->components.at[id].definition = definition_text(b, def);
  if (ports) {
    for (u32 i = 0; i < ports->nelems; i++) put_port(b, id, i >= ports->ninputs, ports->elems[i]);
  } else {
    put_port(b, id, false, op_operand(op, 0)->type);
    put_port(b, id, true, op->results[0].type);
  }
  put_detail(b, id, def);
  return id;
}

/* ---- the size of the flattened graph --------------------------------------------------------- */

/* Components and contexts of a module, from those of the modules in it; saturates at the limit. */
static u64 own_size(const Op *module, const Map *sizes) {
  u64 size = 1, inner;
  for_each_op (op, module->regions[0].first) {
    const Op *def = fabric_is_part(op) ? fabric_inner_module(op) : NULL;
    inner = fabric_is_part(op) && !def;
    if (def) map_get(sizes, PTR_KEY(def), &inner);
    size += inner;
    if (size > ADG_MAX_COMPONENTS) return ADG_MAX_COMPONENTS + (u64)1;
  }
  return size;
}

/* A few modules can stand for millions of components: they are counted before any is made. Each
 * module is sized once, after those in it. */
static u64 flattened_size(Op *top) {
  Vec(Op *) stack = {0};
  Map sizes = {0};
  u64 size = 0;
  vec_push(&stack, top);
  while (stack.len) {
    Op *module = vec_last(&stack);
    size_t before = stack.len;
    if (map_get(&sizes, PTR_KEY(module), &size)) { /* pushed twice: two instances in one module */
      stack.len--;
      continue;
    }
    for_each_op (op, module->regions[0].first) {
      Op *def = fabric_inner_module(op);
      if (def && !map_get(&sizes, PTR_KEY(def), &size)) vec_push(&stack, def);
    }
    if (stack.len > before) continue;
    size = own_size(module, &sizes);
    map_put(&sizes, PTR_KEY(module), size);
    stack.len--;
  }
  vec_free(&stack);
  map_free(&sizes);
  return size;
}

/* ---- contexts -------------------------------------------------------------------------------- */

static u32 open_context(AdgBuild *b, const Op *module, const Op *instance, u32 outer) {
  AdgContext context = {.module = module, .instance = instance, .outer = outer};
  u32 n = 0;
  for_each_op (op, module->regions[0].first)
    if (fabric_is_part(op)) op->index = n++;
  context.made = NEW_ARRAY(b->scratch, u32, n);
  if (instance)
    context.path =
        unique_name(b, b->contexts.at[outer].path, own_name(instance, module, ADG_INPUT), "/");
  vec_push(&b->contexts, context);
  return (u32)b->contexts.len - 1;
}

typedef struct {
  u32 context;
  Op *next;
} Frame;

/* All components, in the order of the text. */
static void build_components(AdgBuild *b, const Op *top) {
  Vec(Frame) stack = {0};
  u32 first = open_context(b, top, NULL, ADG_NONE);
  vec_push(&stack, ((Frame){first, top->regions[0].first->first}));
  while (stack.len && !b->too_large) {
    Frame *frame = &vec_last(&stack);
    Op *op = frame->next;
    if (!op) {
      stack.len--;
      continue;
    }
    frame->next = op->next;
    if (!fabric_is_part(op)) continue;
    const Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
    u32 context = frame->context, made;
    if (def->kind == OP_FABRIC_MODULE) {
      made = open_context(b, def, op, context);
      vec_push(&stack, ((Frame){made, def->regions[0].first->first}));
    } else {
      AdgContext copy = b->contexts.at[context];
      made = build_component(b, &copy, op, def);
    }
    b->contexts.at[context].made[op->index] = made;
  }
  vec_free(&stack);
}

/* ---- drivers --------------------------------------------------------------------------------- */

typedef struct {
  const Value *value;
  u32 context;
} Driver;

/* Follows a value out of and into modules to a component's result or an argument of the top. False
 * for a cycle that passes module boundaries only. */
static bool follow_value(AdgBuild *b, Driver *s) {
  for (size_t steps = 0; steps <= 2 * b->contexts.len + 2; steps++, b->steps++) {
    const AdgContext *context = &b->contexts.at[s->context];
    if (s->value->is_arg) {
      if (!context->instance) return true;
      s->value = op_operand(context->instance, s->value->index);
      s->context = context->outer;
      continue;
    }
    const Op *op = value_op(s->value);
    const Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
    if (def->kind != OP_FABRIC_MODULE) return true;
    s->context = context->made[op->index];
    s->value = op_operand(def->regions[0].first->last, s->value->index);
  }
  return false;
}

/* follow_value with a report; false after one, or after too many steps. */
static bool find_source(AdgBuild *b, Driver *s, const Op *op, u32 operand) {
  if (b->steps > MAX_STEPS) b->too_large = true;
  if (b->too_large || b->is_ring) return false;
  if (follow_value(b, s)) return true;
  diag(b->ctx, op->loc, COMP_FABRIC_RING,
       "operand %u of this %s has no driver: its wire is a loop through modules", operand,
       op_name(op));
  b->is_ring = true;
  return false;
}

/* The output port of a driver; `args` are the components of the top's arguments. */
static u32 source_port(const AdgBuild *b, const Driver *s, const AdgModulePort *args) {
  if (s->value->is_arg) return b->components.at[args[s->value->index].component].first_port;
  const Op *op = value_op(s->value);
  const AdgComponent *c = &b->components.at[b->contexts.at[s->context].made[op->index]];
  u32 skipped = type_is_memref(op->results[0].type); /* the memref result of a memory is no port */
  return c->first_port + c->ninputs + s->value->index - skipped;
}

/* drivers[port] for every input port. */
static void find_drivers(AdgBuild *b, const Op *top, Adg *adg, u32 *drivers) {
  for (u32 k = 0; k < b->contexts.len; k++) {
    const AdgContext *context = &b->contexts.at[k];
    for_each_op (op, context->module->regions[0].first) {
      const Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
      if (!fabric_is_part(op) || def->kind == OP_FABRIC_MODULE) continue;
      const AdgComponent *c = &b->components.at[context->made[op->index]];
      u32 at = c->first_port;
      for (u32 i = 0; i < op->noperands; i++) {
        Driver s = {op_operand(op, i), k};
        if (!find_source(b, &s, op, i)) return;
        if (type_is_memref(s.value->type))
          b->memories.at[c->detail].arg = s.value->index;
        else
          drivers[at++] = source_port(b, &s, adg->args);
      }
    }
  }
  const Op *yield = top->regions[0].first->last;
  for (u32 i = 0; i < adg->noutputs; i++) {
    AdgModulePort *out = (AdgModulePort *)&adg->outputs[i];
    Driver s = {op_operand(yield, i), 0};
    if (!find_source(b, &s, yield, i)) return;
    if (!out->is_memref)
      drivers[b->components.at[out->component].first_port] = source_port(b, &s, adg->args);
    else if (!s.value->is_arg)
      out->component = b->contexts.at[s.context].made[value_op(s.value)->index];
  }
}

/* Channels in the order of the ports that drive them, by a counting sort. */
static void build_channels(AdgBuild *b, Adg *adg, const u32 *drivers) {
  AdgChannel *channels = NEW_ARRAY(adg->arena, AdgChannel, adg->nchannels);
  for (u32 p = 0; p < b->ports.len; p++)
    if (!b->ports.at[p].is_output) b->ports.at[drivers[p]].nchannels++;
  u32 at = 0;
  for (u32 p = 0; p < b->ports.len; p++) {
    AdgPort *port = &b->ports.at[p];
    if (!port->is_output) continue;
    port->first_channel = at;
    at += port->nchannels;
    port->nchannels = 0;
  }
  for (u32 p = 0; p < b->ports.len; p++) {
    AdgPort *port = &b->ports.at[p];
    if (port->is_output) continue;
    AdgPort *driver = &b->ports.at[drivers[p]];
    port->first_channel = driver->first_channel + driver->nchannels++;
    port->nchannels = 1;
    channels[port->first_channel] = (AdgChannel){drivers[p], p};
  }
  adg->channels = channels;
}

/* ---- the module's own ports ------------------------------------------------------------------ */

static void build_args(AdgBuild *b, Adg *adg, const Op *top) {
  const Block *body = top->regions[0].first;
  AdgModulePort *args = NEW_ARRAY(adg->arena, AdgModulePort, body->nargs);
  for (u32 i = 0; i < body->nargs; i++) {
    const Value *arg = body->args[i];
    char number[24];
    snprintf(number, sizeof number, "arg%u", i);
    AdgModulePort port = {.is_memref = type_is_memref(arg->type), .component = ADG_NONE};
    port.name = unique_name(b, 0, arg->name ? arg->name->text : number, "");
    if (port.is_memref) {
      port.memref = arg->type;
    } else {
      port.component = put_component(b, ADG_INPUT, port.name, arg->loc ? arg->loc : top->loc);
      b->components.at[port.component].detail = i;
      put_port(b, port.component, true, arg->type);
    }
    args[i] = port;
  }
  adg->args = args;
  adg->nargs = body->nargs;
}

static void build_outputs(AdgBuild *b, Adg *adg, const Op *top) {
  const Type *ports = op_function_type(top);
  const Op *yield = top->regions[0].first->last;
  adg->noutputs = ports->nelems - ports->ninputs;
  AdgModulePort *outputs = NEW_ARRAY(adg->arena, AdgModulePort, adg->noutputs);
  for (u32 i = 0; i < adg->noutputs; i++) {
    const Type *type = ports->elems[ports->ninputs + i];
    char number[24];
    snprintf(number, sizeof number, "out%u", i);
    AdgModulePort port = {.is_memref = type_is_memref(type), .component = ADG_NONE};
    port.name = unique_name(b, 0, number, "");
    if (port.is_memref) {
      port.memref = type;
    } else {
      port.component = put_component(b, ADG_OUTPUT, port.name, yield->loc);
      b->components.at[port.component].detail = i;
      put_port(b, port.component, false, type);
    }
    outputs[i] = port;
  }
  adg->outputs = outputs;
}

/* ---- the graph ------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  u32 id;
} ByName;

static int by_name(const void *a, const void *b) {
  return strcmp(((const ByName *)a)->name, ((const ByName *)b)->name);
}

static void sort_names(Adg *adg) {
  ByName *list = mem_alloc(mem_size(adg->ncomponents, sizeof *list));
  u32 *ids = NEW_ARRAY(adg->arena, u32, adg->ncomponents);
  for (u32 i = 0; i < adg->ncomponents; i++) list[i] = (ByName){adg_name(adg, i), i};
  qsort(list, adg->ncomponents, sizeof *list, by_name);
  for (u32 i = 0; i < adg->ncomponents; i++) ids[i] = list[i].id;
  adg->components_by_name = ids;
  mem_free(list);
}

#define KEEP(field, count)                                                                         \
  (adg->count = (u32)b->field.len,                                                                 \
   adg->field = arena_copy(adg->arena, b->field.at, mem_size(b->field.len, sizeof *b->field.at)))

static void keep_tables(AdgBuild *b, Adg *adg) {
  KEEP(components, ncomponents);
  KEEP(ports, nports);
  KEEP(pes, npes);
  KEEP(fus, nfus);
  KEEP(bodies, nbodies);
  KEEP(nodes, nnodes);
  KEEP(values, nvalues);
  KEEP(operands, noperands);
  KEEP(evals, nevals);
  KEEP(switches, nswitches);
  KEEP(rows, nrows);
  KEEP(lane_rows, nlane_rows);
  KEEP(fifos, nfifos);
  KEEP(tags, ntags);
  KEEP(memories, nmemories);
  adg->text = arena_copy(adg->arena, b->text.data, b->text.len);
  adg_find_operators(adg);
}

static bool build(AdgBuild *b, Adg *adg, Op *top) {
  const Str *name = fabric_name(top);
  const char *viz = op_attr_text(top, "viz_file");
  adg->name = adg_put(b, name->text, name->len);
  adg->viz_file = adg_put(b, viz ? viz : "", viz ? strlen(viz) : 0);
  adg->loc = top->loc;
  adg->index_width = b->ctx->index_width;
  b->too_large = flattened_size(top) > ADG_MAX_COMPONENTS;
  if (!b->too_large) {
    build_args(b, adg, top);
    build_components(b, top);
    build_outputs(b, adg, top);
  }
  u32 *drivers = NEW_ARRAY(b->scratch, u32, b->ports.len);
  if (!b->too_large) find_drivers(b, top, adg, drivers);
  if (b->is_ring) return false;
  if (b->too_large) {
    diag(b->ctx, top->loc, COMP_FABRIC_TOO_LARGE,
         "@%s is too large when flattened: it has more than %u components, or too long names",
         name->text, ADG_MAX_COMPONENTS);
    return false;
  }
  for (u32 p = 0; p < b->ports.len; p++) adg->nchannels += !b->ports.at[p].is_output;
  build_channels(b, adg, drivers);
  keep_tables(b, adg);
  sort_names(adg);
  return true;
}

Adg *adg_flatten(Context *ctx, Op *top) {
  AdgBuild b = {.ctx = ctx, .scratch = arena_new()};
  Arena *arena = arena_new();
  Adg *adg = NEW(arena, Adg);
  Op *root = top;
  adg->arena = arena;
  while (op_parent(root)) root = op_parent(root);
  fabric_resolve(root, NULL, NULL);
  bool is_built = build(&b, adg, top);
  vec_free(&b.contexts);
  vec_free(&b.components);
  vec_free(&b.ports);
  vec_free(&b.pes);
  vec_free(&b.fus);
  vec_free(&b.bodies);
  vec_free(&b.nodes);
  vec_free(&b.values);
  vec_free(&b.operands);
  vec_free(&b.evals);
  vec_free(&b.switches);
  vec_free(&b.rows);
  vec_free(&b.lane_rows);
  vec_free(&b.fifos);
  vec_free(&b.tags);
  vec_free(&b.memories);
  buf_free(&b.text);
  map_free(&b.names);
  map_free(&b.body_of);
  map_free(&b.pe_of);
  map_free(&b.definitions);
  arena_free(b.scratch);
  if (is_built) return adg;
  adg_free(adg);
  return NULL;
}

/* fabric.c -- rules of all ops of hardware: places, names, ports, instances, wiring.
 *
 *     fabric.module @top(%a: !fabric.bits<32>) -> (!fabric.bits<32>) {
 *       %t = fabric.add_tag %a {tag = 1 : i64} : !fabric.bits<32> -> !fabric.tagged<...>
 *       fabric.yield %t : !fabric.tagged<...>       error[COMP_FABRIC_TAG_KIND]
 *     }
 *
 * Every op is in a region that may hold it; names are unique in their scope; an instance fits its
 * target; a channel connects tagged to tagged and plain to plain. Widths may differ. Any output may
 * be wired to several inputs; only switches copy tokens, so configuration chooses one input for
 * any other (config/configured_flow.c). Linear in the file.
 */
#include "verify/fabric.h"

/* ---- places ---------------------------------------------------------------------------------- */

enum { IN_TOP = 1, IN_MODULE = 2, IN_PE = 4, IN_UNIT = 8 };

static unsigned place_of(const Op *op) {
  const Op *parent = op_parent(op);
  if (!parent) return 0;
  if (parent->kind == OP_BUILTIN_MODULE) return IN_TOP;
  if (parent->kind == OP_FABRIC_MODULE) return IN_MODULE;
  if (parent->kind == OP_FABRIC_FUNCTION_UNIT) return IN_UNIT;
  return fabric_is_pe((OpKind)parent->kind) ? IN_PE : 0;
}

static unsigned places_for(const Op *op) {
  switch ((OpKind)op->kind) {
  case OP_FABRIC_MODULE: return IN_TOP;
  case OP_FABRIC_INSTANCE: return IN_MODULE | IN_PE;
  case OP_FABRIC_YIELD: return IN_MODULE | IN_PE | IN_UNIT;
  case OP_FABRIC_FUNCTION_UNIT: return IN_TOP | IN_MODULE | IN_PE;
  case OP_FABRIC_MUX: return IN_UNIT;
  case OP_FABRIC_ADD_TAG:
  case OP_FABRIC_MAP_TAG:
  case OP_FABRIC_DEL_TAG: return IN_MODULE;
  default: return fabric_is_inline(op) ? IN_MODULE : IN_TOP | IN_MODULE;
  }
}

static bool place_ok(Verifier *v, const Op *op) {
  static const char *const names[] = {"the top of the file", "fabric.module", "a PE",
                                      "a fabric.function_unit"};
  unsigned places = places_for(op);
  if (place_of(op) & places) return true;
  Buf list = {0};
  for (u32 i = 0, left = places; left; left &= ~(1u << i++)) {
    if (!(left >> i & 1)) continue;
    if (list.len) buf_str(&list, left == 1u << i ? " or " : ", ");
    buf_str(&list, names[i]);
  }
  const Op *parent = op_parent(op);
  diag(v->ctx, op->loc, COMP_FABRIC_PLACE, "%s%s must be directly in %s, but is in %s",
       fabric_is_inline(op) ? "an inline " : "", op_name(op), list.data,
       parent ? op_name(parent) : "nothing");
  buf_free(&list);
  return false;
}

/* Modules and PEs hold nothing but hardware. */
static void contents_ok(Verifier *v, const Op *op) {
  for_each_op (inner, op->regions[0].first) {
    if (fabric_is_op(inner)) continue;
    diag(v->ctx, inner->loc, COMP_FABRIC_BODY, "%s can contain only hardware, but got %s",
         op_name(op), op_name(inner));
    diag_hint(v->ctx, "operations that compute belong in a fabric.function_unit");
  }
}

/* ---- attributes ------------------------------------------------------------------------------ */

#define COMMON_ATTRS "sym_name sym_visibility function_type inline_instantiation"

/* Attributes that are unknown for the kind are kept, but warned of: they may be typing errors. A
 * name with a dot belongs to another dialect. */
static void check_strays(Verifier *v, const Op *op, const Op *def) {
  const char *own = op->kind == OP_FABRIC_MODULE ? "viz_file" : op == def ? "" : "module";
  for (u32 i = 0; i < op->nattrs; i++) {
    const char *name = op->attrs[i].name->text;
    if (strchr(name, '.') || word_in(COMMON_ATTRS, name) || word_in(own, name) ||
        word_in(fabric_runtime((OpKind)def->kind), name) ||
        (op == def && fabric_param((OpKind)op->kind, name)))
      continue;
    diag_warning(v->ctx, op->loc, COMP_FABRIC_ATTR, "unknown attribute '%s' of a %s", name,
                 op_name(def));
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

static void name_ok(Verifier *v, const Op *op) {
  const Attr *name = op_attr(op, "sym_name");
  if (name && name->kind != ATTR_STRING) {
    diag(v->ctx, op->loc, COMP_FABRIC_NAME, "%s: 'sym_name' must be a string", op_name(op));
  } else if (fabric_is_definition(op)) {
    if (!name) {
      diag(v->ctx, op->loc, COMP_FABRIC_NAME, "this definition of a %s has no @name", op_name(op));
      if (fabric_is_component((OpKind)op->kind))
        diag_hint(v->ctx, "an inline component has a list of operands instead of a name");
    } else if (!name->str->len || strlen(name->str->text) != name->str->len) {
      diag(v->ctx, op->loc, COMP_FABRIC_NAME, "the name of this %s is empty or contains a NUL byte",
           op_name(op));
    }
  }
}

/* ---- parameters ------------------------------------------------------------------------------ */

bool optional_param(Verifier *v, const Op *op, const char *name, Code code, i64 min, i64 max,
                    i64 *value) {
  const Attr *attr = op_attr(op, name);
  if (!attr) return true;
  if (attr->kind != ATTR_INT) {
    diag(v->ctx, op->loc, COMP_FABRIC_PARAM, "%s: '%s' must be an integer", op_name(op), name);
    return false;
  }
  *value = attr->i;
  if (attr->i >= min && attr->i <= max) return true;
  if (max == INT32_MAX && attr->i < min)
    diag(v->ctx, op->loc, code, "%s: %s must be at least %lld, but got %lld", op_name(op), name,
         (long long)min, (long long)attr->i);
  else
    diag(v->ctx, op->loc, code, "%s: %s must be %lld to %lld, but got %lld", op_name(op), name,
         (long long)min, (long long)max, (long long)attr->i);
  return false;
}

bool optional_flag(Verifier *v, const Op *op, const char *name, Code code) {
  const Attr *attr = op_attr(op, name);
  if (!attr || attr->kind == ATTR_UNIT || attr->kind == ATTR_BOOL) return true;
  diag(v->ctx, op->loc, code, "%s: '%s' must be true or false", op_name(op), name);
  return false;
}

/* Checks a parameter, if present: one of the words of a choice. */
static bool choice_ok(Verifier *v, const Op *op, const FabricParam *p) {
  if (fabric_param_value(op, p) >= 0) return true;
  Buf words = {0};
  for (u32 i = 0; p->words[i]; i++) buf_printf(&words, "%s\"%s\"", i ? ", " : "", p->words[i]);
  diag(v->ctx, op->loc, p->code, "%s: '%s' must be one of: %s", op_name(op), p->name, words.data);
  buf_free(&words);
  return false;
}

static bool param_ok(Verifier *v, const Op *op, const FabricParam *p) {
  i64 value;
  if (p->form == PARAM_OTHER) return true;
  if (p->form == PARAM_FLAG) return optional_flag(v, op, p->name, p->code);
  if (p->form == PARAM_CHOICE) return choice_ok(v, op, p);
  if (!p->is_required || op_attr(op, p->name))
    return optional_param(v, op, p->name, p->code, p->low, p->high, &value);
  diag(v->ctx, op->loc, COMP_FABRIC_PARAM, "%s needs the parameter '%s'", op_name(op), p->name);
  return false;
}

bool params_ok(Verifier *v, const Op *op) {
  bool good = true;
  for_each_param(param, op->kind) good &= param_ok(v, op, param);
  return good;
}

/* ---- ports ----------------------------------------------------------------------------------- */

FabricPort port_shape(const Verifier *v, const Type *type) {
  FabricPort port = {0};
  fabric_port(v->ctx, type, &port);
  return port;
}

bool same_port(const Verifier *v, const Type *a, const Type *b) {
  FabricPort p = port_shape(v, a), q = port_shape(v, b);
  return p.is_tagged == q.is_tagged && p.width == q.width && p.tag_width == q.tag_width;
}

/* The ports that may be memrefs: those of modules, the first input of an extmemory, and a memory's
 * results; the rules of these ops check the details. */
static bool may_be_memref(const Op *op, u32 i, const Type *ports) {
  switch ((OpKind)op->kind) {
  case OP_FABRIC_MODULE: return true;
  case OP_FABRIC_EXTMEMORY: return i == 0;
  case OP_FABRIC_MEMORY: return i >= ports->ninputs;
  default: return false;
  }
}

/* The ports of a component: its function_type, after a check that each is a type of a port. NULL
 * after a report. */
static const Type *need_ports(Verifier *v, const Op *op) {
  const Type *ports = op_function_type(op);
  const Type *native = NULL;
  if (!ports) {
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s needs an attribute 'function_type': its ports",
         op_name(op));
    return NULL;
  }
  for (u32 i = 0; i < ports->nelems; i++) {
    const Type *type = ports->elems[i];
    FabricPort port;
    if (op->kind == OP_FABRIC_FUNCTION_UNIT) break; /* its own rule is stricter */
    u32 errors = v->ctx->errors;
    check_type(v, type, op->loc);
    if (errors != v->ctx->errors) return NULL;
    if (type_is_memref(type) && may_be_memref(op, i, ports)) continue;
    if (!fabric_port(v->ctx, type, &port)) {
      diag(v->ctx, op->loc, COMP_FABRIC_PORT_TYPE, "%s: %s %u cannot be %s", op_name(op),
           i < ports->ninputs ? "input" : "output", i < ports->ninputs ? i : i - ports->ninputs,
           type_text(v, type));
      diag_hint(v->ctx,
                "the type of a port is !fabric.bits<N> or !fabric.tagged<!fabric.bits<N>, iK>");
      return NULL;
    }
    const Type *value = port.is_tagged ? type->elem : type;
    if (fabric_is_native(value) && value->kind != TYPE_NONE) native = type;
  }
  if (native && v->ctx->strict)
    diag_remark(v->ctx, op->loc, COMP_FABRIC_NATIVE_PORT,
                "%s: a port of type %s is read as bits of that width", op_name(op),
                type_text(v, native));
  return ports;
}

void check_one_tag(Verifier *v, const Op *op, const Type *ports) {
  for (u32 i = 0; i < ports->nelems; i++) {
    FabricPort port = port_shape(v, ports->elems[i]);
    if (port.is_tagged && port.tag_width == port_shape(v, ports->elems[0]).tag_width) continue;
    diag(v->ctx, op->loc, COMP_FABRIC_TEMPORAL_PORT,
         "all ports of a %s must have tags of the same width, but got %s%s%s", op_name(op),
         type_text(v, ports->elems[i]), i ? " after " : "", i ? type_text(v, ports->elems[0]) : "");
    return;
  }
}

/* ---- wiring ---------------------------------------------------------------------------------- */

/* Checks that a driver of one type may be connected to `noun` i of the op, a port of another. */
static bool connection_ok(Verifier *v, const Op *op, const char *noun, u32 i, const Type *driver,
                          const Type *port) {
  if (type_is_memref(port) ? driver == port : fabric_connects(driver, port)) return true;
  bool is_memory = type_is_memref(port) || type_is_memref(driver);
  diag(v->ctx, op->loc, is_memory ? COMP_FABRIC_INSTANCE_PORTS : COMP_FABRIC_TAG_KIND,
       "%s: %s %u is %s, but is connected to %s", op_name(op), noun, i, type_text(v, port),
       type_text(v, driver));
  if (!is_memory)
    diag_hint(v->ctx, "use fabric.add_tag to add a tag and fabric.del_tag to remove it");
  return false;
}

void check_consumers(Verifier *v, const Op *op) {
  for (u32 i = 0; i < op->nresults; i++) {
    const Value *value = op_result(op, i);
    Loc loc = value->loc ? value->loc : op->loc;
    if (!value->uses && v->ctx->strict)
      diag_remark(v->ctx, loc, COMP_FABRIC_UNWIRED, "output %u of this %s is not connected", i,
                  op_name(op));
  }
}

const Type *component_ok(Verifier *v, const Op *op) {
  if (!place_ok(v, op)) return NULL;
  name_ok(v, op);
  const Type *ports = need_ports(v, op);
  if (!ports || !fabric_is_inline(op)) return ports;
  if (op->noperands != ports->ninputs || op->nresults != ports_out(ports)) {
    diag(v->ctx, op->loc, COMP_FABRIC_INSTANCE_PORTS,
         "%s has %u input%s and %u output%s, but %u operand%s and %u result%s", op_name(op),
         ports->ninputs, plural(ports->ninputs), ports_out(ports), plural(ports_out(ports)),
         op->noperands, plural(op->noperands), op->nresults, plural(op->nresults));
    return NULL;
  }
  for (u32 i = 0; i < ports->ninputs; i++)
    if (!connection_ok(v, op, "input", i, type_of(op, i), ports->elems[i])) return NULL;
  for (u32 i = 0; i < op->nresults; i++)
    if (!result_is(v, op, i, port_out(ports, i), COMP_FABRIC_INSTANCE_PORTS, "like its port"))
      return NULL;
  check_consumers(v, op);
  return ports;
}

/* ---- modules, instances, yields -------------------------------------------------------------- */

void rule_FABRIC_MODULE(Verifier *v, Op *op) {
  if (!place_ok(v, op)) return;
  name_ok(v, op);
  const Attr *viz = op_attr(op, "viz_file");
  text_ok(v, op, viz);
  if (viz && viz->kind != ATTR_STRING)
    diag(v->ctx, op->loc, COMP_FABRIC_VIZ_FILE, "fabric.module: 'viz_file' must be a string");
  check_strays(v, op, op);
  const Type *ports = need_ports(v, op);
  contents_ok(v, op);
  need_end(v, op, 0, OP_FABRIC_YIELD);
  const Block *body = op->regions[0].first;
  if (ports)
    lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(body, 0), "block argument",
                function_inputs(ports), "declared input");
}

void rule_FABRIC_YIELD(Verifier *v, Op *op) {
  if (!place_ok(v, op)) return;
  const Op *parent = op_parent(op);
  const Type *ports = op_function_type(parent);
  if (fabric_is_pe((OpKind)parent->kind)) {
    if (op->noperands)
      diag(v->ctx, op->loc, COMP_FABRIC_YIELD,
           "the fabric.yield of a PE must have no operands: the configuration selects the unit of "
           "each output");
    return;
  }
  if (!ports) return;
  if (op->noperands != ports_out(ports)) {
    diag(v->ctx, op->loc, COMP_FABRIC_YIELD, "%u value%s for %u output%s of %s", op->noperands,
         plural(op->noperands), ports_out(ports), plural(ports_out(ports)), op_name(parent));
    return;
  }
  for (u32 i = 0; i < op->noperands; i++) {
    const Type *given = type_of(op, i), *port = port_out(ports, i);
    if (parent->kind == OP_FABRIC_MODULE) {
      connection_ok(v, op, "output", i, given, port);
    } else if (given != port) {
      diag(v->ctx, op->loc, COMP_FABRIC_YIELD, "value %u is %s, but output %u is %s", i,
           type_text(v, given), i, type_text(v, port));
    }
  }
}

static bool target_ok(Verifier *v, const Op *op, const Op *def, const char *name) {
  bool in_pe = fabric_is_pe((OpKind)op_parent(op)->kind);
  bool is_unit = def->kind == OP_FABRIC_FUNCTION_UNIT;
  if (in_pe == is_unit) return true;
  diag(v->ctx, op->loc, COMP_FABRIC_TARGET, "@%s is a %s, which cannot be instantiated in a %s",
       name, op_name(def), op_name(op_parent(op)));
  diag_note(v->ctx, def->loc, "defined here");
  diag_hint(v->ctx,
            is_unit ? "a function unit must be in a PE" : "a PE can contain only function units");
  return false;
}

static void unknown_target(Verifier *v, const Op *op, const Attr *target) {
  diag(v->ctx, op->loc, COMP_FABRIC_UNKNOWN, "no definition @%s is visible here",
       target->str->text);
  const Op *scope = op_parent(op);
  for_each_op (other, scope->regions[0].first)
    if (fabric_is_inline(other) && fabric_name(other) == target->str) {
      diag_note(v->ctx, other->loc, "this component is inline, so it is not a definition");
      return;
    }
}

void rule_FABRIC_INSTANCE(Verifier *v, Op *op) {
  if (!place_ok(v, op)) return;
  name_ok(v, op);
  const Attr *target = fabric_target(op);
  const Op *def = fabric_definition(op);
  if (!target) {
    need_attr(v, op, "module", ATTR_SYMBOL, "the @name of the instantiated component");
    return;
  }
  if (!def) {
    if (!v->ctx->max_errors || v->ctx->errors < v->ctx->max_errors)
      unknown_target(v, op, target);
    else
      diag(v->ctx, op->loc, COMP_FABRIC_UNKNOWN, "@%s", target->str->text);
    return;
  }
  if (!target_ok(v, op, def, target->str->text)) return;
  if (fabric_is_pe((OpKind)op_parent(op)->kind)) {
    if (op->noperands || op->nresults)
      diag(v->ctx, op->loc, COMP_FABRIC_INSTANCE_PORTS,
           "an instance in a PE must have no operands and no results: the configuration selects "
           "its ports");
    return;
  }
  const Type *ports = op_function_type(def);
  if (!ports) return;
  if (op->noperands != ports->ninputs || op->nresults != ports_out(ports)) {
    diag(v->ctx, op->loc, COMP_FABRIC_INSTANCE_PORTS,
         "@%s has %u input%s and %u output%s, but this instance has %u operand%s and %u result%s",
         target->str->text, ports->ninputs, plural(ports->ninputs), ports_out(ports),
         plural(ports_out(ports)), op->noperands, plural(op->noperands), op->nresults,
         plural(op->nresults));
    diag_note(v->ctx, def->loc, "@%s is defined here", target->str->text);
    return;
  }
  for (u32 i = 0; i < op->noperands; i++)
    connection_ok(v, op, "input", i, type_of(op, i), ports->elems[i]);
  for (u32 i = 0; i < op->nresults; i++)
    connection_ok(v, op, "output", i, type_of_result(op, i), port_out(ports, i));
  if (def->kind == OP_FABRIC_EXTMEMORY && op->noperands && !op_operand(op, 0)->is_arg)
    diag(v->ctx, op->loc, COMP_FABRIC_MEM_BINDING,
         "the memory of an extmemory must be a memref argument of its module");
  check_consumers(v, op);
  if (def->kind == OP_FABRIC_MODULE) vec_push(&v->fabric_edges, op);
}

/* ---- the whole file -------------------------------------------------------------------------- */

static void defined_twice(void *user, const Op *first, const Op *again) {
  Verifier *v = user;
  diag(v->ctx, again->loc, COMP_FABRIC_DUPLICATE, "@%s is defined twice in this %s",
       fabric_name(again)->text, op_parent(again) ? op_name(op_parent(again)) : "file");
  diag_note(v->ctx, first->loc, "the first definition is here");
}

void fabric_begin(Verifier *v, Op *top) {
  fabric_resolve(top, defined_twice, v);
}

/* An instance on a cycle, of those that remain: `Op.index` of their modules is not 0. From any of
 * them, as many steps as there are instances end on a cycle; of that, the first in the file. */
static const Op *cyclic_instance(const Verifier *v) {
  u32 n = (u32)v->fabric_edges.len;
  u64 at = n;
  Map next = {0}; /* module -> its first instance that remains */
  for (u32 i = n; i-- > 0;) {
    if (!fabric_definition(v->fabric_edges.at[i])->index) continue;
    at = i;
    map_put(&next, PTR_KEY(op_parent(v->fabric_edges.at[i])), i);
  }
  u64 first = at;
  for (u32 step = 0; step < 2 * n; step++) {
    map_get(&next, PTR_KEY(fabric_definition(v->fabric_edges.at[at])), &at);
    if (step == n || (step > n && at < first)) first = at;
  }
  map_free(&next);
  return v->fabric_edges.at[first];
}

/* No module may contain itself, over any number of steps. A topological sort (Kahn) removes the
 * modules whose instances are all of modules removed before; what remains is on a cycle or leads to
 * one. `Op.index` of a module counts the instances in it that remain. */
static void check_recursion(Verifier *v) {
  u32 n = (u32)v->fabric_edges.len;
  Map users = {0}; /* module -> 1 + first instance of it; then `next` */
  u32 *next = NEW_ARRAY(v->scratch, u32, n + (size_t)1);
  Vec(Op *) ready = {0};
  for (u32 i = 0; i < n; i++) {
    op_parent(v->fabric_edges.at[i])->index = 0;
    fabric_definition(v->fabric_edges.at[i])->index = 0;
  }
  for (u32 i = 0; i < n; i++) {
    Op *instance = v->fabric_edges.at[i];
    u64 first = 0;
    op_parent(instance)->index++;
    map_get(&users, PTR_KEY(fabric_definition(instance)), &first);
    next[i] = (u32)first;
    map_put(&users, PTR_KEY(fabric_definition(instance)), i + 1u);
  }
  for (u32 i = 0; i < n; i++) {
    Op *module = fabric_definition(v->fabric_edges.at[i]);
    if (module->index == 0 && next[i] == 0) vec_push(&ready, module);
  }
  u32 removed = 0; /* instances */
  while (ready.len) {
    Op *module = vec_pop(&ready);
    u64 at = 0;
    map_get(&users, PTR_KEY(module), &at);
    for (; at; at = next[at - 1], removed++) {
      Op *user = op_parent(v->fabric_edges.at[at - 1]);
      u64 used;
      if (--user->index == 0 && map_get(&users, PTR_KEY(user), &used)) vec_push(&ready, user);
    }
  }
  if (removed < n) {
    const Op *instance = cyclic_instance(v);
    diag(v->ctx, instance->loc, COMP_FABRIC_RECURSION,
         "with this instance of @%s the module contains itself",
         fabric_target(instance)->str->text);
  }
  map_free(&users);
  vec_free(&ready);
}

/* Checks that need the whole file: configurations of instances, known tags. */
void fabric_end(Verifier *v) {
  if (v->fabric_edges.len) check_recursion(v);
  for (size_t i = 0; i < v->fabric_late.len; i++) {
    Op *op = v->fabric_late.at[i];
    const Op *def = op->kind == OP_FABRIC_INSTANCE ? fabric_definition(op) : op;
    u64 bad;
    if (!def || map_get(&v->fabric_bad, PTR_KEY(def), &bad)) continue;
    check_strays(v, op, def);
    const char *names = fabric_runtime((OpKind)def->kind);
    u32 before = begin_configuration(v);
    check_configuration(v, op, def);
    if (!end_configuration(v, op, names, before) ||
        (op->kind != OP_FABRIC_ADD_TAG && op->kind != OP_FABRIC_MAP_TAG))
      continue;
    before = begin_configuration(v);
    check_known_tags(v, op);
    end_configuration(v, op, names, before);
  }
}

/* handshake.c -- rules of CIRCT's handshake ops, one by one: operands, results, attributes.
 *
 *     %t, %f = handshake.cond_br %c, %v : f32               %c: i1; %v, %t, %f: one type
 *     %m = handshake.mux %s [%a, %b] : i1, f32              i1 chooses among two
 *     %x, %addr = handshake.load [%i] %data, %go : index, f32
 *     %mem:3 = handshake.memory[ld = 1, st = 1] (%sd, %sa, %la) ...
 *              : memref<64xf32>, (f32, index, index) -> (f32, none, none)
 *
 * A memory's operands are its stores' data and addresses, then its loads' addresses; its results
 * are the loads' data, then the stores' done tokens, then the loads'. How accesses and memories are
 * wired together is checked for the whole function: memory.c.
 */
#include "verify/rules.h"

bool in_graph(Verifier *v, const Op *op) {
  static const OpKind parents[] = {OP_HANDSHAKE_FUNC, OP_UNREGISTERED};
  const Op *parent = op_parent(op);
  if (parent && parent->kind == OP_FABRIC_FUNCTION_UNIT) return true; /* see unit_may_hold */
  return (parent && parent->kind == OP_UNREGISTERED) || need_parent(v, op, parents);
}

static bool is_control(const Type *t) {
  return t->kind == TYPE_NONE;
}

/* Addresses are index, or integers after CIRCT's lowering to hardware. */
static bool is_address(const Type *t) {
  return t->kind == TYPE_INDEX || is_signless_int(t);
}

static bool control_ok(Verifier *v, const Op *op, u32 i) {
  return operand_ok(v, op, i, is_control(type_of(op, i)), COMP_HANDSHAKE_CTRL_TYPE,
                    "a control token (none)");
}

/* ---- functions ------------------------------------------------------------------------------- */

static void names_ok(Verifier *v, const Op *op, const char *attr_name, u32 n) {
  const Attr *names = list_attr(v, op, attr_name, ATTR_STRING, n, "strings");
  for (u32 i = 0; names && i < n; i++) text_ok(v, op, names->elems[i]);
}

void rule_HANDSHAKE_FUNC(Verifier *v, Op *op) {
  const Type *type = need_function(v, op);
  if (!type) return;
  names_ok(v, op, "argNames", type->ninputs);
  names_ok(v, op, "resNames", type->nelems - type->ninputs);
  const Block *body = op->regions[0].first;
  if (!body) return;
  if (!lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(body, 0), "block argument",
                   function_inputs(type), "declared input"))
    return;
  need_end(v, op, 0, OP_HANDSHAKE_RETURN);
  for (u32 i = 0; i < body->nargs; i++) {
    if (!is_any_memref(body->args[i]->type)) continue;
    for_each_use (use, body->args[i])
      if (use->owner->kind != OP_HANDSHAKE_EXTMEMORY)
        diag(v->ctx, use->owner->loc, COMP_HANDSHAKE_ACCESS,
             "in a dataflow graph only a handshake.extmemory can use a memref, but got %s",
             op_name(use->owner));
  }
}

void rule_HANDSHAKE_RETURN(Verifier *v, Op *op) {
  if (op_parent(op)->kind == OP_HANDSHAKE_FUNC) rule_FUNC_RETURN(v, op);
}

void rule_HANDSHAKE_INSTANCE(Verifier *v, Op *op) {
  const Attr *name = need_attr(v, op, "module", ATTR_SYMBOL, "the @name of a handshake.func");
  if (!name) return;
  const Op *func = find_symbol(v, name);
  if (!func || func->kind != OP_HANDSHAKE_FUNC) {
    diag(v->ctx, op->loc, COMP_SYMBOL_UNKNOWN, "there is no handshake.func @%s in this module",
         name->str->text);
    return;
  }
  const Type *type = op_function_type(func);
  if (type) check_call(v, op, 0, type, "instance result");
}

/* A count that the custom form has in [...], where the parser has the same limit. */
static const Attr *count_attr(Verifier *v, const Op *op, const char *name, const char *want) {
  enum { MAX_COUNT = 1 << 16 };
  const Attr *count = need_attr(v, op, name, ATTR_INT, want);
  if (!count || (count->type == type_int(v->ctx, 32, SIGNLESS) && count->i <= MAX_COUNT))
    return count;
  diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: '%s' must be an i32 of at most %d", op_name(op), name,
       MAX_COUNT);
  return NULL;
}

/* ---- constants and routing ------------------------------------------------------------------- */

void rule_HANDSHAKE_CONSTANT(Verifier *v, Op *op) {
  if (!control_ok(v, op, 0)) return;
  const Attr *value = op_attr(op, "value");
  if (!value)
    need_attr(v, op, "value", ATTR_INT, "the constant");
  else if (value->type != type_of_result(op, 0))
    diag(v->ctx, op->loc, COMP_CONSTANT_VALUE,
         "handshake.constant: the value is %s%s, but the result is of type %s",
         value->type ? "of type " : "", value->type ? type_text(v, value->type) : "not a number",
         type_text(v, type_of_result(op, 0)));
}

void rule_HANDSHAKE_COND_BR(Verifier *v, Op *op) {
  operand_ok(v, op, 0, type_is_i1(type_of(op, 0)), COMP_HANDSHAKE_SELECT, "i1");
}

/* Whether a number of this type can name each of n inputs. */
static bool can_choose(const Type *t, u32 n) {
  if (t->kind == TYPE_INDEX) return true;
  return is_signless_int(t) && (t->width >= 32 || n <= (u32)1 << t->width);
}

void rule_HANDSHAKE_MUX(Verifier *v, Op *op) {
  const Type *select = type_of(op, 0);
  u32 n = op->noperands - 1;
  if (!can_choose(select, n) || (type_is_i1(select) && n != 2))
    diag(v->ctx, op->loc, COMP_HANDSHAKE_SELECT,
         "handshake.mux: a select of type %s cannot choose among %u input%s", type_text(v, select),
         n, plural(n));
}

void rule_HANDSHAKE_JOIN(Verifier *v, Op *op) {
  result_ok(v, op, 0, is_control(type_of_result(op, 0)), COMP_HANDSHAKE_CTRL_TYPE,
            "a control token (none)");
}

void rule_HANDSHAKE_CONTROL_MERGE(Verifier *v, Op *op) {
  result_ok(v, op, 1, can_choose(type_of_result(op, 1), op->noperands), COMP_HANDSHAKE_SELECT,
            "index, or an integer wide enough to name each input");
}

void rule_HANDSHAKE_BUFFER(Verifier *v, Op *op) {
  const Attr *slots = count_attr(v, op, "slots", "the number of tokens that it can hold");
  if (slots && slots->i < 1)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "handshake.buffer must hold at least 1 token, but got %lld",
         (long long)slots->i);
  const Attr *type = need_attr(v, op, "bufferType", ATTR_STRING, "\"seq\" or \"fifo\"");
  bool known = type && attr_is_text(type) &&
               (!strcmp(type->str->text, "seq") || !strcmp(type->str->text, "fifo"));
  if (type && !known)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "handshake.buffer must be seq or fifo, but got '%s'",
         type->str->text);
}

void rule_HANDSHAKE_SOURCE(Verifier *v, Op *op) {
  result_ok(v, op, 0, is_control(type_of_result(op, 0)), COMP_HANDSHAKE_CTRL_TYPE,
            "a control token (none)");
}
void rule_HANDSHAKE_SYNC(Verifier *v, Op *op) {
  lists_agree(v, op->loc, COMP_OP_TYPE_MISMATCH, operand_types(op, 0, op->noperands),
              "synchronized value", result_types(op), "result");
}

void rule_HANDSHAKE_PACK(Verifier *v, Op *op) {
  const Type *tuple = type_of_result(op, 0);
  if (result_ok(v, op, 0, tuple->kind == TYPE_TUPLE, COMP_OP_TYPE, "a tuple"))
    lists_agree(v, op->loc, COMP_OP_TYPE_MISMATCH, operand_types(op, 0, op->noperands),
                "packed value", type_list(tuple->elems, tuple->nelems), "tuple element");
}

void rule_HANDSHAKE_UNPACK(Verifier *v, Op *op) {
  const Type *tuple = type_of(op, 0);
  if (operand_ok(v, op, 0, tuple->kind == TYPE_TUPLE, COMP_OP_TYPE, "a tuple"))
    lists_agree(v, op->loc, COMP_OP_TYPE_MISMATCH, type_list(tuple->elems, tuple->nelems),
                "tuple element", result_types(op), "result");
}

/* ---- accesses and memories ------------------------------------------------------------------- */

/* Operands: addresses, data, control; results: data (check_shape has compared its type), addresses.
 */
static void check_access(Verifier *v, const Op *op) {
  u32 addresses = op->noperands - 2;
  if (op->nresults != addresses + 1) {
    diag(v->ctx, op->loc, COMP_OP_ARITY, "%s of %u address%s must have %u results, but got %u",
         op_name(op), addresses, addresses == 1 ? "" : "es", addresses + 1, op->nresults);
    return;
  }
  for (u32 i = 0; i < addresses; i++)
    if (operand_ok(v, op, i, is_address(type_of(op, i)), COMP_OP_TYPE, "an address (index)"))
      result_is(v, op, i + 1, type_of(op, i), COMP_OP_TYPE_MISMATCH, "like the address given");
  control_ok(v, op, addresses + 1);
}

void rule_HANDSHAKE_LOAD(Verifier *v, Op *op) {
  check_access(v, op);
}
void rule_HANDSHAKE_STORE(Verifier *v, Op *op) {
  check_access(v, op);
}

/* Checks the types of a memory's operands and results; ports_of has checked their numbers. */
static void check_port_types(Verifier *v, const Op *op, const Ports *ports) {
  u32 at = ports->first;
  for (u32 port = 0; port < ports->stores + ports->loads; port++) {
    if (port < ports->stores)
      operand_is(v, op, at++, ports->memref->elem, COMP_MEMREF_ELEMENT_TYPE, "(data to store)");
    for (u32 k = 0; k < ports->addresses; k++, at++)
      operand_ok(v, op, at, is_address(type_of(op, at)), COMP_OP_TYPE, "an address (index)");
  }
  for (u32 i = 0; i < ports->loads; i++)
    result_is(v, op, i, ports->memref->elem, COMP_MEMREF_ELEMENT_TYPE, "(data loaded)");
  for (u32 i = ports->loads; i < op->nresults; i++)
    result_ok(v, op, i, is_control(type_of_result(op, i)), COMP_HANDSHAKE_CTRL_TYPE,
              "a done token (none)");
}

static void check_memory(Verifier *v, const Op *op, const Type *memref) {
  const Attr *ld = count_attr(v, op, "ldCount", "the number of load ports (ld)");
  const Attr *st = count_attr(v, op, "stCount", "the number of store ports (st)");
  Ports ports;
  if (!ld || !st) return;
  if (ld->i < 0 || st->i < 0) {
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: ld and st cannot be negative", op_name(op));
  } else if (ld->i == 0 && st->i == 0) {
    diag(v->ctx, op->loc, COMP_MEMORY_PORTS_EMPTY, "%s has no port: ld and st are both 0",
         op_name(op));
    diag_hint(v->ctx, "remove a memory that is neither read nor written");
  } else if (!ports_of(op, &ports)) {
    diag(v->ctx, op->loc, COMP_HANDSHAKE_MEMORY_PORTS,
         "%s of %s with ld = %lld, st = %lld: %u operands and %u results do not match its ports",
         op_name(op), type_text(v, memref), (long long)ld->i, (long long)st->i, op->noperands,
         op->nresults);
    diag_hint(v->ctx, "operands: data and address of each store, then the address of each load; "
                      "results: data of each load, a done for each store, a done for each load");
  } else {
    check_port_types(v, op, &ports);
  }
}

void rule_HANDSHAKE_MEMORY(Verifier *v, Op *op) {
  const Attr *type = need_attr(v, op, "memRefType", ATTR_TYPE, "the memory's memref type");
  if (!type) return;
  check_type(v, type->type, op->loc);
  if (!type_is_memref(type->type)) {
    diag(v->ctx, op->loc, COMP_MEMREF_TYPE,
         "handshake.memory must be of ranked memref type, but got %s", type_text(v, type->type));
    return;
  }
  check_memory(v, op, type->type);
  check_initial_value(v, op, op_attr(op, "init"), type->type);
}

void rule_HANDSHAKE_EXTMEMORY(Verifier *v, Op *op) {
  const Value *memref = op_operand(op, 0);
  alias_group_ok(v, op, op_attr(op, "loom.alias_group"));
  if (operand_ok(v, op, 0, type_is_memref(memref->type) && memref->is_arg, COMP_MEMREF_TYPE,
                 "a memref argument of the function"))
    check_memory(v, op, type_of(op, 0));
}

/* inline.c -- calls become their callees' bodies, and source accesses get their numbers.
 *
 *     func.func private @sq(%x: i32) -> i32 {       func.func @f(%a: i32) -> i32 {
 *       %y = arith.muli %x, %x : i32                  %y = arith.muli %a, %a : i32
 *       return %y : i32                        =>     return %y : i32
 *     }                                             }
 *     func.func @f(%a: i32) -> i32 {
 *       %r = call @sq(%a) : (i32) -> i32
 *       return %r : i32
 *     }
 *
 * A spatial machine has no stack: every call site becomes hardware of its own. So recursion and
 * callees without a body are refused. The size after inlining may be exponential in the input; it
 * is computed before anything is copied, and refused above MAX_OPS. Linear in that size.
 *
 * Afterwards each load and store is numbered in textual order (`loom.access = N`). By this number
 * the history of an access, its addresses and values, is compared between engines; the reference
 * interpreter, which makes real calls, numbers them in the same way. A memref.copy counts as a load
 * and a store. The same walk refuses ops and types that no later stage can lower.
 *
 * Inlined ops keep their location, together with that of the call, as in MLIR:
 * loc(callsite(... at ...)). */
#include "lower/stages.h"
#include "text/text.h"

enum { MAX_OPS = 4000000 };

typedef struct Callee {
  Op *func;
  u64 ops;     /* after inlining; 0: not computed yet */
  u32 nest;    /* the depth of its regions, after inlining */
  bool active; /* on the call path from the root: a call to it is recursion */
} Callee;

typedef struct {
  Module *m;
  Vec(Callee) callees;
  Map number_of; /* func Op -> index in callees */
  Map symbols;   /* id of a function's name -> Op; filled at the first call */
  u32 depth;     /* regions around the op that is measured, over all calls on the path */
  u32 calls;     /* the number of functions on the path */
  bool too_deep; /* a path too long was reported, and measuring ends */
  bool failed;
} Inliner;

static Op *callee_of(Inliner *in, const Op *call) {
  if (!in->symbols.len)
    for_each_op (op, region_entry(&in->m->top->regions[0])) {
      const Attr *name = op->kind == OP_FUNC_FUNC ? op_attr(op, "sym_name") : NULL;
      u64 first;
      if (name && !map_get(&in->symbols, name->str->id, &first))
        map_put(&in->symbols, name->str->id, PTR_KEY(op));
    }
  const Attr *symbol = op_attr(call, "callee");
  u64 found;
  if (!symbol || !map_get(&in->symbols, symbol->str->id, &found)) return NULL;
  return (Op *)(uintptr_t)found;
}

static bool has_body(const Op *func) {
  return func->nregions && func->regions[0].first;
}

static size_t find_callee(Inliner *in, Op *func) {
  u64 at;
  if (map_get(&in->number_of, PTR_KEY(func), &at)) return at;
  map_put(&in->number_of, PTR_KEY(func), in->callees.len);
  vec_push(&in->callees, ((Callee){.func = func}));
  return in->callees.len - 1;
}

static u64 measure(Inliner *in, Op *func);

/* There are `inner` levels of regions in `op`: makes *nest at least that, and reports a path that
 * is too deep. */
static void grow_nest(Inliner *in, const Op *op, u32 *nest, u32 inner) {
  if (inner > *nest) *nest = inner;
  if (in->depth + inner <= MAX_NEST || in->too_deep) return;
  in->too_deep = in->failed = true;
  diag(in->m->ctx, op->loc, COMP_LOWER_TOO_LARGE,
       "regions are nested more than %d deep once all calls are inlined", MAX_NEST);
}

/* The number of ops in a region, and the depth of the regions in it. */
static u64 measure_region(Inliner *in, Region *region, u32 *nest) {
  u64 ops = 0;
  for_each_block (block, region)
    for_each_op (op, block) {
      ops++;
      if (op->nregions) grow_nest(in, op, nest, 1); /* before the recursion goes deeper */
      for (u32 r = 0; r < op->nregions && !in->too_deep; r++) {
        u32 inner = 0;
        in->depth++;
        ops += measure_region(in, &op->regions[r], &inner);
        in->depth--;
        grow_nest(in, op, nest, inner + 1);
      }
      if (op->kind != OP_FUNC_CALL) continue;
      Op *callee = callee_of(in, op);
      size_t number = callee ? find_callee(in, callee) : 0;
      if (!callee || !has_body(callee)) {
        diag(in->m->ctx, op->loc, COMP_LOWER_CALL, "the callee of this call has no body to inline");
        diag_hint(in->m->ctx, "define the function in this file");
        in->failed = true;
      } else if (in->callees.at[number].active) {
        diag(in->m->ctx, op->loc, COMP_LOWER_RECURSION,
             "@%s calls itself, directly or indirectly; a dataflow graph has no stack",
             op_attr_text(callee, "sym_name"));
        diag_hint(in->m->ctx, "write the recursion as a loop");
        in->failed = true;
      } else if (!in->too_deep) {
        ops += measure(in, callee);
        grow_nest(in, op, nest, in->callees.at[number].nest);
      }
      if (ops > MAX_OPS) ops = MAX_OPS + 1;
    }
  return ops;
}

/* The number of ops in `func` once all calls in it are inlined. Recursion is as deep as the longest
 * call chain, which MAX_CALLS bounds. */
enum { MAX_CALLS = 10000 };

static u64 measure(Inliner *in, Op *func) {
  size_t at = find_callee(in, func);
  assert(at < in->callees.len && in->callees.at);
  if (in->callees.at[at].ops) return in->callees.at[at].ops;
  if (in->calls == MAX_CALLS) {
    in->too_deep = in->failed = true;
    diag(in->m->ctx, func->loc, COMP_LOWER_TOO_LARGE, "calls are nested more than %d deep",
         MAX_CALLS);
    return 0;
  }
  in->callees.at[at].active = true;
  u32 nest = 0;
  in->calls++;
  u64 ops = 1 + measure_region(in, &func->regions[0], &nest);
  in->calls--;
  in->callees.at[at].active = false;
  in->callees.at[at].nest = nest;
  return in->callees.at[at].ops = ops;
}

/* ---- copying --------------------------------------------------------------------------------- */

/* Makes loc(callsite(...)) the location of an op and of those in its regions. */
static void place_at_call(Module *m, Op *op, const Attr *call_loc) {
  op_set_loc_attr(m, op, attr_loc_callsite(m->ctx, op_location(m->ctx, op), call_loc));
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for_each_op (inner, block) place_at_call(m, inner, call_loc);
}

static void inline_region(Inliner *in, Region *region);

static void inline_call(Inliner *in, Op *call) {
  Module *m = in->m;
  Op *callee = callee_of(in, call);
  Block *body = region_entry(&callee->regions[0]);
  const Attr *call_loc = op_location(m->ctx, call);
  Map map = {0};
  for (u32 i = 0; i < body->nargs; i++)
    map_put(&map, PTR_KEY(body->args[i]), PTR_KEY(op_operand(call, i)));
  for_each_op (op, body) {
    Op *copy = op_clone(m, op, &map);
    if (op->kind == OP_FUNC_RETURN) {
      for (u32 i = 0; i < call->nresults; i++)
        value_replace_uses(op_result(call, i), op_operand(copy, i));
      op_erase(copy);
    } else {
      place_at_call(m, copy, call_loc);
      op_insert_before(call, copy);
    }
  }
  map_free(&map);
  op_erase(call);
}

/* Inlines until no call is left: a callee's ops replace the call, and are visited next. */
static void inline_region(Inliner *in, Region *region) {
  for_each_block (block, region) {
    for (Op *op = block->first; op;) {
      if (op->kind == OP_FUNC_CALL) {
        Op *before = op->prev, *after = op->next;
        inline_call(in, op);
        op = before ? before->next : block->first;
        if (!op) op = after;
        continue;
      }
      for (u32 r = 0; r < op->nregions; r++) inline_region(in, &op->regions[r]);
      op = op->next;
    }
  }
}

/* ---- ops and types that cannot be lowered ---------------------------------------------------- */

typedef struct {
  Module *m;
  const Str *key_access;
  u64 ops; /* the function itself included */
  u32 accesses;
  bool failed;
} Survey;

static void refuse(Survey *s, const Op *op, Code code, const char *why, const char *hint) {
  diag(s->m->ctx, op->loc, code, "%s cannot be lowered: %s", op_name(op), why);
  if (hint) diag_hint(s->m->ctx, "%s", hint);
  s->failed = true;
}

static bool can_be_token(const Type *t) {
  return type_is_scalar(t) || t->kind == TYPE_NONE;
}

/* `part`, such as "its result", is of a type that no token can have. */
static void refuse_type(Survey *s, const Op *op, const Type *type, const char *part) {
  Buf text = {0};
  text_type(type, &text);
  diag(s->m->ctx, op->loc, COMP_LOWER_TYPE,
       "%s cannot be lowered: %s is of type %s, but a token holds an integer of 1 to 64 bits, "
       "a float or an index",
       op_name(op), part, text.data);
  buf_free(&text);
  const char *advice = type_advice(type);
  if (advice) diag_hint(s->m->ctx, "%s", advice);
  s->failed = true;
}

static bool makes_memref(const Op *op) {
  const char *name = op_name(op);
  return strncmp(name, "memref.", 7) == 0;
}

/* True for ops that may yield one of several memrefs, which choices.c resolves. */
static bool may_choose(const Op *op) {
  switch ((OpKind)op->kind) {
  case OP_ARITH_SELECT:
  case OP_SCF_IF:
  case OP_SCF_FOR:
  case OP_SCF_WHILE:
  case OP_SCF_INDEX_SWITCH:
  case OP_SCF_EXECUTE_REGION:
  case OP_MEMREF_ALLOCA_SCOPE: return true;
  default: return false;
  }
}

static void check_types(Survey *s, const Op *op) {
  for (u32 i = 0; i < op->nresults; i++) {
    const Type *t = op->results[i].type;
    bool memref = t->kind == TYPE_MEMREF || t->kind == TYPE_UNRANKED_MEMREF;
    if (memref && !makes_memref(op) && !(t->kind == TYPE_MEMREF && may_choose(op))) {
      refuse(s, op, COMP_LOWER_MEMREF_VALUE, "its result is a memref chosen at run time",
             "choose between the values loaded, not between the memrefs");
      return;
    }
    if (!memref && !can_be_token(t)) {
      refuse_type(s, op, t, "its result");
      return;
    }
  }
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for (u32 i = 0; i < block->nargs; i++) {
        const Type *t = block->args[i]->type;
        if (can_be_token(t) || (t->kind == TYPE_MEMREF && may_choose(op))) continue;
        if (t->kind == TYPE_MEMREF || t->kind == TYPE_UNRANKED_MEMREF)
          refuse(s, op, COMP_LOWER_MEMREF_VALUE, "a memref is carried around the loop", NULL);
        else
          refuse_type(s, op, t, "an argument of its region");
        return;
      }
}

static bool is_lowerable(const Op *op) {
  if (op->kind == OP_UNREGISTERED) return false;
  const OpInfo *info = op_info((OpKind)op->kind);
  if (info->fire == FIRE_PURE) return true;
  switch ((OpKind)op->kind) {
  case OP_ARITH_CONSTANT:
  case OP_INDEX_CONSTANT:
  case OP_INDEX_BOOL_CONSTANT:
  case OP_INDEX_SIZEOF:
  case OP_UB_POISON:
  case OP_FUNC_RETURN:
  case OP_SCF_FOR:
  case OP_SCF_WHILE:
  case OP_SCF_IF:
  case OP_SCF_EXECUTE_REGION:
  case OP_SCF_INDEX_SWITCH:
  case OP_SCF_FORALL_IN_PARALLEL:
  case OP_SCF_PARALLEL:
  case OP_SCF_REDUCE:
  case OP_CF_ASSERT:
  case OP_SCF_REDUCE_RETURN:
  case OP_SCF_CONDITION:
  case OP_SCF_YIELD: return true;
  case OP_SCF_FORALL: return !op->nresults;
  default: return strncmp(info->name, "memref.", 7) == 0;
  }
}

/* Does the function return a memory that it allocated, or a view? Only arguments may be returned.
 */
static bool returns_memory(const Op *op) {
  for (u32 i = 0; op->kind == OP_FUNC_RETURN && i < op->noperands; i++) {
    const Value *value = op_operand(op, i);
    bool memref = value->type->kind == TYPE_MEMREF || value->type->kind == TYPE_UNRANKED_MEMREF;
    if (memref && !value->is_arg) return true;
  }
  return false;
}

static void survey_op(void *data, Op *op) {
  Survey *s = data;
  Context *ctx = s->m->ctx;
  s->ops++;
  if (!is_lowerable(op)) {
    const Op *parent = op_parent(op); /* a terminator goes with the op that was refused already */
    bool ends = op_has_trait(op, TRAIT_TERMINATOR) || (op->kind == OP_UNREGISTERED && !op->next);
    if (ends && parent && !is_lowerable(parent)) return;
    refuse(s, op, COMP_LOWER_OP, "it has no dataflow form", dialect_advice(op_name(op)));
    return;
  }
  if (returns_memory(op)) {
    refuse(s, op, COMP_LOWER_MEMREF_VALUE, "a returned memref must be an unchanged argument",
           "mlir-opt --buffer-results-to-out-params converts it to an output argument");
    return;
  }
  check_types(s, op);
  if (op->kind == OP_MEMREF_LOAD || op->kind == OP_MEMREF_STORE || op->kind == OP_MEMREF_COPY) {
    const Attr *number = attr_int(ctx, s->accesses, type_int(ctx, 32, SIGNLESS));
    op_set_attr_str(s->m, op, s->key_access, number, false);
    s->accesses += op->kind == OP_MEMREF_COPY ? 2 : 1;
  }
}

static bool is_small_enough(Context *ctx, const Op *func, u64 ops) {
  if (ops <= MAX_OPS) return true;
  diag(ctx, func->loc, COMP_LOWER_TOO_LARGE,
       "@%s has more than %d operations once all calls are inlined", op_attr_text(func, "sym_name"),
       MAX_OPS);
  return false;
}

static bool inline_all(Module *m, Op *func) {
  Inliner in = {.m = m};
  u64 ops = measure(&in, func);
  bool good = !in.failed && is_small_enough(m->ctx, func, ops);
  for (size_t i = 0; i < in.callees.len && good; i++)
    good = lift_branches_of(m, in.callees.at[i].func);
  bool calls = in.callees.len > 1; /* the function itself is the first */
  if (good && calls) inline_region(&in, &func->regions[0]);
  vec_free(&in.callees);
  map_free(&in.number_of);
  map_free(&in.symbols);
  return good;
}

bool inline_calls(Module *m, Op *func, bool calls) {
  bool good = !calls || inline_all(m, func);
  if (!good) return false;
  Survey survey = {.m = m, .ops = 1, .key_access = str_of(m->ctx, "loom.access")};
  walk_ops(&func->regions[0], survey_op, &survey);
  Block *body = region_entry(&func->regions[0]);
  for (u32 i = 0; i < body->nargs && !survey.failed; i++) {
    const Value *arg = body->args[i];
    if (can_be_token(arg->type) || type_is_memref(arg->type)) continue;
    Buf type = {0};
    text_type(arg->type, &type);
    diag(m->ctx, arg->loc ? arg->loc : func->loc, COMP_LOWER_TYPE,
         "argument %%%s of @%s cannot be lowered: %s is neither a supported scalar nor a ranked "
         "memref",
         arg_shown_name(m->ctx, arg), op_attr_text(func, "sym_name"), type.data);
    buf_free(&type);
    const char *advice = type_advice(arg->type);
    if (advice) diag_hint(m->ctx, "%s", advice);
    survey.failed = true;
  }
  return !survey.failed && is_small_enough(m->ctx, func, survey.ops);
}

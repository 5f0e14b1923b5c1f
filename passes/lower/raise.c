/* raise.c -- recognises loops that count, and rewrites them so that they become streams.
 *
 *     %r = scf.while (%x = %a) : (index) -> index {
 *       %c = arith.cmpi slt, %x, %n : index
 *       scf.condition(%c) %x : index                    scf.for %x = %a to %n step %s {
 *     } do {                                      =>      ...
 *     ^bb0(%x: index):                                  }
 *       ...
 *       %y = arith.addi %x, %s : index
 *       scf.yield %y : index
 *     }
 *
 * dataflow.stream makes an induction variable in one node, one step ahead of the body; the general
 * while template needs a carry, a comparison and a split for it. A while loop is *counted* where
 * its before region only compares one before argument with a value from outside, and its after
 * region yields for that argument the argument stepped by a value from outside:
 *
 *     step      addi +=   subi -=   muli *=   divsi /=   shli <<=   shrsi >>=
 *     compare   slt <     sle <=    sgt >     sge >=     ne !=
 *
 * Other arguments are carried as in a for loop. A loop with step += and condition <, whose step is
 * a positive literal and whose last value is not used, becomes scf.for; the others stay scf.while,
 * and dataflow.c recognises them again by counted_loop_match.
 *
 * Streams count signed numbers in `index`. A for loop over other numbers is rewritten so that the
 * stream takes the same steps and wraps where the loop does (raise_for); a loop over a type wider
 * than index that may leave the range of index is refused by dataflow.c (COMP_LOWER_INDEX_WIDTH). A
 * while loop is rewritten to index where that cannot change its meaning: where the width is the
 * same, or where ranges show that none of its values leaves the narrower of the two types;
 * otherwise it gets the general template, which counts in any type.
 *
 * Requires lifted regions. One walk, inner loops first; linear but for range queries. */
#include "lower/loops.h"

static const struct {
  OpKind kind;
  const char *step_op;
} steppers[] = {
    {OP_ARITH_ADDI, "+="},  {OP_ARITH_SUBI, "-="},  {OP_ARITH_MULI, "*="},
    {OP_ARITH_DIVSI, "/="}, {OP_ARITH_SHLI, "<<="}, {OP_ARITH_SHRSI, ">>="},
};

/* By CmpiPredicate; NULL: not a stream's condition. The second column is the same comparison with
 * its sides exchanged. */
static const char *const conditions[INT_PREDICATES][2] = {
    [CMPI_NE] = {"!=", "!="}, [CMPI_SLT] = {"<", ">"},   [CMPI_SLE] = {"<=", ">="},
    [CMPI_SGT] = {">", "<"},  [CMPI_SGE] = {">=", "<="},
};

CmpiPredicate condition_predicate(const char *cont_cond) {
  u32 predicate = CMPI_SGE;
  while (predicate > CMPI_NE && strcmp(conditions[predicate][0], cont_cond) != 0) predicate--;
  return (CmpiPredicate)predicate;
}

static const char *stepper_of(const Op *op) {
  for (size_t i = 0; i < COUNT_OF(steppers); i++)
    if (op->kind == steppers[i].kind) return steppers[i].step_op;
  return NULL;
}

static bool comes_from_outside(const Context *ctx, const Value *v, const Op *loop) {
  u64 bits;
  if (value_is_literal(ctx, v, &bits)) return true;
  return value_is_outside(v, &loop->regions[0]) && value_is_outside(v, &loop->regions[1]);
}

/* The comparison in the before region, where there are only literals besides; else NULL. */
static Op *only_comparison(const Context *ctx, Op *loop) {
  Block *before = region_entry(&loop->regions[0]);
  Op *condition = block_terminator(before), *compare = value_def(op_operand(condition, 0));
  if (!compare || compare->kind != OP_ARITH_CMPI || compare->block != before ||
      !value_has_one_use(op_result(compare, 0)))
    return NULL;
  u64 bits;
  for_each_op (op, before)
    if (op != compare && op != condition &&
        !(op->nresults == 1 && value_is_literal(ctx, op_result(op, 0), &bits)))
      return NULL;
  return compare;
}

static bool may_be_zero(const Context *ctx, const Value *v) {
  Interval r = value_range(ctx, v);
  return r.min <= 0 && r.max >= 0;
}

static bool match_while(const Context *ctx, Op *loop, CountedLoop *found) {
  Block *before = region_entry(&loop->regions[0]), *after = region_entry(&loop->regions[1]);
  Op *compare = only_comparison(ctx, loop);
  if (!compare) return false;
  i64 predicate = op_attr_int(compare, "predicate", 0);
  if (predicate < 0 || predicate >= INT_PREDICATES) return false;
  Value *left = op_operand(compare, 0), *right = op_operand(compare, 1);
  bool exchanged = !(left->is_arg && value_block(left) == before);
  Value *stepped = exchanged ? right : left, *bound = exchanged ? left : right;
  const char *cont_cond = conditions[predicate][exchanged];
  if (!cont_cond || !stepped->is_arg || value_block(stepped) != before ||
      !comes_from_outside(ctx, bound, loop))
    return false;

  Op *condition = block_terminator(before);
  for (u32 j = 1; j < condition->noperands; j++) {
    const Value *given = op_operand(condition, j);
    if (!(given->is_arg && value_block(given) == before) && !comes_from_outside(ctx, given, loop))
      return false;
  }
  const Value *next = op_operand(block_terminator(after), stepped->index);
  Op *step_op = value_def(next);
  const char *step_name = step_op && step_op->block == after ? stepper_of(step_op) : NULL;
  if (!step_name) return false;
  Value *from = op_operand(step_op, 0), *step = op_operand(step_op, 1);
  if (op_has_trait(step_op, TRAIT_COMMUTATIVE) && comes_from_outside(ctx, from, loop)) {
    Value *swap = from;
    from = step;
    step = swap;
  }
  if (!from->is_arg || value_block(from) != after ||
      op_operand(condition, from->index + 1u) != stepped || !comes_from_outside(ctx, step, loop))
    return false;
  i64 number;
  /* A stream traps on a step of zero; a while that adds it is endless, one that multiplies by it
   * may end. */
  if (value_is_int(ctx, step, &number) && number == 0) return false;
  if (strcmp(step_name, "*=") == 0 && may_be_zero(ctx, step)) return false;
  *found = (CountedLoop){.op = loop,
                         .start = op_operand(loop, stepped->index),
                         .step = step,
                         .bound = bound,
                         .step_op = step_name,
                         .cont_cond = cont_cond,
                         .body = after,
                         .stepped = stepped->index,
                         .from = from};
  return true;
}

/* Matches a loop over any integer type; the caller requires index or rewrites the loop to it. */
static bool match_any_type(const Context *ctx, Op *op, CountedLoop *loop) {
  if (op->kind == OP_SCF_WHILE) return match_while(ctx, op, loop);
  if (op->kind != OP_SCF_FOR || op_attr(op, "unsignedCmp")) return false;
  *loop = (CountedLoop){.op = op,
                        .start = op_operand(op, 0),
                        .step = op_operand(op, 2),
                        .bound = op_operand(op, 1),
                        .step_op = "+=",
                        .cont_cond = "<",
                        .body = region_entry(&op->regions[0])};
  return true;
}

bool counted_loop_match(const Context *ctx, Op *op, CountedLoop *loop) {
  return match_any_type(ctx, op, loop) && loop->start->type->kind == TYPE_INDEX;
}

/* ---- does it run at least once? -------------------------------------------------------------- */

/* True where `a cond b` holds for all a and b in the ranges. */
static bool always(const char *cond, Interval a, Interval b) {
  if (strcmp(cond, "<") == 0) return a.max < b.min;
  if (strcmp(cond, "<=") == 0) return a.max <= b.min;
  if (strcmp(cond, ">") == 0) return a.min > b.max;
  if (strcmp(cond, ">=") == 0) return a.min >= b.max;
  return a.max < b.min || a.min > b.max;
}

/* True where the loop is in the first region of an scf.if on the same comparison. */
static bool is_guarded(const CountedLoop *loop) {
  const Op *inside = loop->op;
  for (Op *op = op_parent(inside); op; inside = op, op = op_parent(op)) {
    if (op->kind != OP_SCF_IF || inside->block->region != &op->regions[0]) continue;
    const Op *compare = value_def(op_operand(op, 0));
    if (!compare || compare->kind != OP_ARITH_CMPI) continue;
    i64 predicate = op_attr_int(compare, "predicate", 0);
    if (predicate < 0 || predicate >= INT_PREDICATES) continue;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
      const char *cond = conditions[predicate][exchanged];
      if (cond && strcmp(cond, loop->cont_cond) == 0 &&
          op_operand(compare, (u32)exchanged) == loop->start &&
          op_operand(compare, (u32)!exchanged) == loop->bound)
        return true;
    }
  }
  return false;
}

bool counted_loop_runs(Module *m, const CountedLoop *loop, const Str **reason) {
  if (reason) *reason = NULL;
  if (is_guarded(loop)) return true;
  Interval start = value_range(m->ctx, loop->start), bound = value_range(m->ctx, loop->bound);
  if (!always(loop->cont_cond, start, bound)) return false;
  bool constant = start.min == start.max && bound.min == bound.max;
  if (reason && !constant)
    *reason =
        str_printf(m->ctx, "%lld..%lld %s %lld..%lld", (long long)start.min, (long long)start.max,
                   loop->cont_cond, (long long)bound.min, (long long)bound.max);
  return true;
}

/* ---- counting in index ----------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *a, const char *b) {
  return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

/* True where no value of the variable leaves the narrower of its type and index. */
static bool fits_index(const Context *ctx, const CountedLoop *loop) {
  u32 bits = type_bits(ctx, loop->start->type);
  if (bits == ctx->index_width) return true;
  u32 narrow = bits < ctx->index_width ? bits : ctx->index_width;
  i64 max = (i64)eval_mask(narrow - 1), min = -max - 1, edge;
  Interval start = value_range(ctx, loop->start), bound = value_range(ctx, loop->bound),
           step = value_range(ctx, loop->step);
  if (start.min < min || start.max > max || bound.min < min || bound.max > max || step.min < 1 ||
      step.max > max)
    return false;
  if (is_one_of(loop->step_op, "/=", ">>=")) return true;
  if (strcmp(loop->step_op, "+=") == 0 && is_one_of(loop->cont_cond, "<", "<="))
    return !__builtin_add_overflow(bound.max, step.max, &edge) && edge <= max;
  if (strcmp(loop->step_op, "-=") == 0 && is_one_of(loop->cont_cond, ">", ">="))
    return !__builtin_sub_overflow(bound.min, step.max, &edge) && edge >= min;
  return false;
}

static Value *cast(Builder *b, Value *v, const Type *type) {
  i64 number;
  if (v->type == type) return v;
  Value *result = value_is_int(b->m->ctx, v, &number)
                      ? build_int(b, number, type)
                      : build_1(b, OP_ARITH_INDEX_CAST, type, &v, 1);
  result->name = v->name;
  return result;
}

/* Gives a block argument a new type; its uses see a value of the old one, cast back. */
static void retype_arg(Module *m, Block *block, Value *arg, const Type *type) {
  const Type *old = arg->type;
  arg->type = type;
  if (!arg->uses) return;
  Builder b = builder_before(m, block->first);
  Op *back = build_op(&b, OP_ARITH_INDEX_CAST, NULL, 1, &old, 1, 0);
  op_result(back, 0)->name = arg->name;
  value_replace_uses(arg, op_result(back, 0));
  op_set_operand(back, 0, arg);
}

/* ---- for loops ------------------------------------------------------------------------------- */

/* True where the variable never wraps and stays in the signed range of index: then a signed stream
 * can count the sign-extended or, of an unsigned loop, zero-extended numbers. */
static bool for_fits_index(const Context *ctx, const Op *op) {
  LoopRanges r = loop_ranges(ctx, op, RANGE_DEPTH);
  i64 max = (i64)eval_mask(ctx->index_width - 1), min = -max - 1;
  return r.never_wraps && r.start.min >= min && r.start.max <= max && r.bound.min >= min &&
         r.bound.max <= max && r.step.max <= max && r.past <= max;
}

/* The mapping from the numbers of a loop to those that its stream counts: extended, shifted left to
 * the top of index, and with the top bit inverted. */
typedef struct {
  bool is_unsigned, inverted;
  u32 shift;
} Recount;

static Value *into_index(Builder *b, Value *v, Recount by, bool inverted) {
  const Type *index = type_index(b->m->ctx);
  const Str *name = v->name;
  u32 top = b->m->ctx->index_width - 1;
  u64 bits;
  if (value_is_literal(b->m->ctx, v, &bits))
    v = build_literal(
        b, by.is_unsigned ? bits : (u64)eval_signed(bits, type_bits(b->m->ctx, v->type)), index);
  else if (v->type != index)
    v = build_1(b, by.is_unsigned ? OP_ARITH_INDEX_CASTUI : OP_ARITH_INDEX_CAST, index, &v, 1);
  if (by.shift) v = build_folded(b, OP_ARITH_SHLI, v, build_int(b, by.shift, index));
  if (inverted) v = build_folded(b, OP_ARITH_XORI, v, build_literal(b, (u64)1 << top, index));
  v->name = name;
  return v;
}

/* The inverse mapping: the loop's variable from that of the stream. */
static Value *out_of_index(Builder *b, Value *v, Recount by, const Type *type) {
  const Type *index = v->type;
  u32 top = b->m->ctx->index_width - 1;
  if (by.inverted) v = build_folded(b, OP_ARITH_XORI, v, build_literal(b, (u64)1 << top, index));
  if (by.shift) v = build_folded(b, OP_ARITH_SHRUI, v, build_int(b, by.shift, index));
  return type == index ? v : build_1(b, OP_ARITH_INDEX_CAST, type, &v, 1);
}

static void count_for_in_index(Module *m, Op *op, Recount by) {
  Builder outside = builder_before(m, op);
  Block *body = region_entry(&op->regions[0]);
  Value *iv = body->args[0];
  const Type *type = iv->type;
  for (u32 i = 0; i < 3; i++)
    op_set_operand(op, i, into_index(&outside, op_operand(op, i), by, by.inverted && i < 2));
  op_set_attr(m, op, "unsignedCmp", NULL);
  iv->type = type_index(m->ctx);
  if (!iv->uses || (type == iv->type && !by.inverted)) return;
  Builder inside = builder_before(m, body->first);
  Value *placeholder = build_literal(&inside, 0, type); /* has the uses while its value is built */
  value_replace_uses(iv, placeholder);
  Value *variable = out_of_index(&inside, iv, by, type);
  variable->name = iv->name;
  value_replace_uses(placeholder, variable);
  op_erase(value_op(placeholder));
}

/* For a type wider than index: counts iterations, and carries the variable.
 *
 *     scf.for %i = %a to %b step %s : i64 {...}
 *  =>  %_ = scf.for %k = 0 to trips step 1 iter_args(%i = %a) -> (i64) {
 *        ...; %n = arith.addi %i, %s : i64; scf.yield %n } */
static void count_iterations(Module *m, Op *op, u64 trips) {
  const Type *index = type_index(m->ctx);
  Block *from = region_entry(&op->regions[0]);
  Builder b = builder_before(m, op);
  u32 n = op->nresults + 1;
  Value **operands = NEW_ARRAY(m->arena, Value *, n + (size_t)3);
  Value **yields = NEW_ARRAY(m->arena, Value *, n);
  operands[0] = build_int(&b, 0, index);
  operands[1] = build_int(&b, (i64)trips, index);
  operands[2] = build_int(&b, 1, index);
  operands[3] = op_operand(op, 0);
  for (u32 i = 1; i < n; i++) operands[3 + i] = op_operand(op, i + 2);
  Block *body = build_for(&b, operands, n + 3);
  Op *made = body->region->parent;
  for (u32 i = 0; i < n; i++) {
    body->args[1 + i]->name = from->args[i]->name;
    value_replace_uses(from->args[i], body->args[1 + i]);
    if (i == 0) continue;
    op_result(made, i)->name = op_result(op, i - 1)->name;
    value_replace_uses(op_result(op, i - 1), op_result(made, i));
  }
  move_ops(from, body);
  Op *yield = block_terminator(body);
  Builder end = builder_before(m, yield);
  yields[0] = build_2(&end, OP_ARITH_ADDI, body->args[1], op_operand(op, 2));
  for (u32 i = 1; i < n; i++) yields[i] = op_operand(yield, i - 1);
  build_op(&end, OP_SCF_YIELD, yields, n, NULL, 0, 0);
  op_erase(yield);
  op_erase(op);
}

/* A stream counts signed numbers of the width of index, and wraps there. A loop over such numbers
 * is not changed; one that ranges show never to wrap is counted in extended numbers. Other numbers
 * not wider than index are shifted to its top, where they wrap and compare as before; inverting the
 * top bit turns the unsigned order into the signed one. */
static bool raise_for(Module *m, Op *op) {
  const Type *type = op_operand(op, 0)->type;
  bool is_unsigned = op_attr(op, "unsignedCmp") != NULL;
  u32 bits = type_bits(m->ctx, type), width = m->ctx->index_width;
  u64 trips;
  if (type->kind == TYPE_INDEX && !is_unsigned) return false;
  if (for_fits_index(m->ctx, op)) {
    count_for_in_index(m, op, (Recount){.is_unsigned = is_unsigned});
  } else if (bits <= width) {
    count_for_in_index(m, op, (Recount){is_unsigned, is_unsigned, width - bits});
  } else if (known_trips(m->ctx, op, &trips) && trips <= eval_mask(width - 1)) {
    count_iterations(m, op, trips);
  } else {
    return false;
  }
  return true;
}

/* ---- while loops ----------------------------------------------------------------------------- */

static void count_while_in_index(Module *m, const CountedLoop *loop) {
  Context *ctx = m->ctx;
  const Type *index = type_index(ctx), *old = loop->start->type;
  Op *op = loop->op;
  Block *before = region_entry(&op->regions[0]), *after = loop->body;
  Op *condition = block_terminator(before), *compare = value_def(op_operand(condition, 0));
  Op *yield = block_terminator(after);
  Value *stepped = before->args[loop->stepped];
  Builder outside = builder_before(m, op), at_compare = builder_before(m, compare);

  Value *bound = loop->bound;
  if (value_is_outside(bound, &op->regions[0]))
    bound = cast(&outside, bound, index);
  else
    bound = cast(&at_compare, bound, index);
  bool exchanged = op_operand(compare, 0) != stepped;
  op_set_operand(compare, exchanged ? 0 : 1, bound);
  op_set_operand(op, loop->stepped, cast(&outside, loop->start, index));
  stepped->type = index;

  const Op *step_op = value_def(op_operand(yield, loop->stepped));
  Builder inside = builder_before(m, yield);
  for (u32 j = 0; j < after->nargs; j++) {
    if (op_operand(condition, j + 1) != stepped) continue;
    retype_arg(m, after, after->args[j], index);
    Value *result = op_result(op, j);
    result->type = index;
    if (!result->uses) continue;
    Builder behind = outside;
    behind.before = op->next;
    Op *back = build_op(&behind, OP_ARITH_INDEX_CAST, NULL, 1, &old, 1, 0);
    value_replace_uses(result, op_result(back, 0));
    op_set_operand(back, 0, result);
  }
  /* the step, in index, of the argument itself instead of its cast */
  i64 number;
  Value *step = value_is_int(ctx, loop->step, &number) ? build_int(&inside, number, index)
                                                       : cast(&outside, loop->step, index);
  op_set_operand(yield, loop->stepped, build_2(&inside, (OpKind)step_op->kind, loop->from, step));
}

/* ---- while to for ---------------------------------------------------------------------------- */

static bool becomes_for(const Context *ctx, const CountedLoop *loop) {
  i64 step;
  if (loop->op->kind != OP_SCF_WHILE || strcmp(loop->step_op, "+=") != 0 ||
      strcmp(loop->cont_cond, "<") != 0 || !value_is_int(ctx, loop->step, &step) || step < 1)
    return false;
  const Op *condition = block_terminator(region_entry(&loop->op->regions[0]));
  const Value *stepped = region_entry(&loop->op->regions[0])->args[loop->stepped];
  for (u32 j = 0; j < loop->op->nresults; j++)
    if (op_operand(condition, j + 1) == stepped && op_result(loop->op, j)->uses) return false;
  return true;
}

/* The index of the before argument that scf.condition passes for result j; -1: it passes a value
 * from outside. */
static int before_arg_of(const Op *condition, u32 j, const Block *before) {
  const Value *given = op_operand(condition, j + 1);
  return given->is_arg && value_block(given) == before ? (int)given->index : -1;
}

/* Replaces the yield of a while by that of the for it becomes. */
static void replace_yield(Module *m, Op *loop, Op *yield, Value *const *values, u32 n) {
  Builder b = builder_before(m, loop);
  b.block = yield->block;
  b.before = yield;
  build_op(&b, OP_SCF_YIELD, values, n, NULL, 0, 0);
  op_erase(yield);
}

static void make_for(Module *m, const CountedLoop *loop) {
  Op *op = loop->op;
  Block *before = region_entry(&op->regions[0]), *after = loop->body;
  Op *condition = block_terminator(before), *yield = block_terminator(after);
  Builder b = builder_before(m, op);
  u32 ncarried = before->nargs - 1;
  Value **operands = NEW_ARRAY(m->arena, Value *, 3 + ncarried);
  Value **yields = NEW_ARRAY(m->arena, Value *, ncarried);
  operands[0] = loop->start;
  operands[1] = build_outside(&b, loop->bound, op);
  operands[2] = build_outside(&b, loop->step, op);
  for (u32 i = 0, k = 0; i < before->nargs; i++) {
    if (i == loop->stepped) continue;
    operands[3 + k] = op_operand(op, i);
    yields[k++] = op_operand(yield, i);
  }
  replace_yield(m, op, yield, yields, ncarried);
  Block *body = build_for(&b, operands, 3 + ncarried);
  Op *made = body->region->parent;
  for (u32 i = 0, k = 1; i < before->nargs; i++)
    body->args[i == loop->stepped ? 0 : k++]->name = before->args[i]->name;

  for (u32 j = 0; j < after->nargs; j++) {
    int arg = before_arg_of(condition, j, before);
    Value *inside, *result = NULL;
    if (arg < 0) {
      inside = result = build_outside(&b, op_operand(condition, j + 1), op);
    } else if ((u32)arg == loop->stepped) {
      inside = body->args[0];
    } else {
      u32 k = (u32)arg - ((u32)arg > loop->stepped);
      inside = body->args[k + 1];
      result = op_result(made, k);
      if (!result->name) result->name = op_result(op, j)->name;
    }
    value_replace_uses(after->args[j], inside);
    if (result) value_replace_uses(op_result(op, j), result);
  }
  move_ops(after, body);
  op_erase(op);
}

/* ---- do-while loops -------------------------------------------------------------------------- */

/* The body is the before region, and its condition compares the next number; the after region only
 * computes carried values:
 *
 *     scf.while (%i = %a, %s = %z) {           %ub = maxsi %n, %a + 1
 *       ...                                    scf.for %i = %a to %ub step 1 iter_args(%s = %z) {
 *       %j = arith.addi %i, 1            =>      ...
 *       %m = arith.cmpi slt, %j, %n              scf.yield what after yields
 *       scf.condition(%m) ...                  }
 *     } do { ... }
 *
 * It runs at least once, and so does the for loop, unless %a + 1 wraps, which the range of %a must
 * exclude. The for runs the after region also in the last iteration, where its results are not
 * used; it has no effects and cannot trap. Operands of scf.condition whose results are used are
 * carried, too. */
typedef struct {
  Op *op;
  Block *before, *after;
  Op *condition, *yield;
  Value *bound;
  u32 counted; /* index of the before argument that counts */
} BottomLoop;

static bool is_number(const Type *t) {
  return t->kind == TYPE_INT || t->kind == TYPE_INDEX || type_is_float(t);
}

static bool is_plus_one(const Context *ctx, const Value *v, const Value *of) {
  const Op *op = value_def(v);
  i64 one;
  return op && op->kind == OP_ARITH_ADDI && op_operand(op, 0) == of &&
         value_is_int(ctx, op_operand(op, 1), &one) && one == 1;
}

static bool only_computes(const Block *block) {
  for_each_op (op, block)
    if (op->next && !is_repeatable(op)) return false;
  return true;
}

static bool match_bottom(const Context *ctx, Op *op, BottomLoop *l) {
  if (op->kind != OP_SCF_WHILE) return false;
  *l = (BottomLoop){
      .op = op, .before = region_entry(&op->regions[0]), .after = region_entry(&op->regions[1])};
  if (!l->before || !l->after) return false;
  l->condition = block_terminator(l->before), l->yield = block_terminator(l->after);
  const Op *test = value_def(op_operand(l->condition, 0));
  if (!test || test->kind != OP_ARITH_CMPI || test->block != l->before || !only_computes(l->after))
    return false;
  i64 predicate = op_attr_int(test, "predicate", 0);
  bool is_less = predicate == CMPI_SLT, is_greater = predicate == CMPI_SGT;
  if (!is_less && !is_greater) return false;
  const Value *next = op_operand(test, is_greater);
  l->bound = op_operand(test, is_less);
  if (!comes_from_outside(ctx, l->bound, op)) return false;
  while (l->counted < l->before->nargs && !is_plus_one(ctx, next, l->before->args[l->counted]))
    l->counted++;
  if (l->counted == l->before->nargs) return false;
  const Value *start = op_operand(op, l->counted), *stepped = op_operand(l->yield, l->counted);
  u32 bits = type_bits(ctx, start->type);
  if (bits < 2 || value_range(ctx, start).max >= (i64)eval_mask(bits - 1)) return false;
  bool steps = stepped == next;
  for (u32 j = 0; j < l->after->nargs && !steps; j++) {
    const Value *given = op_operand(l->condition, j + 1);
    steps =
        (given == l->before->args[l->counted] && is_plus_one(ctx, stepped, l->after->args[j])) ||
        (given == next && stepped == l->after->args[j]);
  }
  for (u32 j = 0; j < op->nresults; j++)
    if (op_result(op, j)->uses && !is_number(op_result(op, j)->type)) return false;
  return steps;
}

static void make_bottom_for(Module *m, const BottomLoop *l) {
  Op *op = l->op;
  Builder b = builder_before(m, op);
  u32 most = l->before->nargs + op->nresults, n = 0;
  Value **operands = NEW_ARRAY(m->arena, Value *, 3 + most),
        **yields = NEW_ARRAY(m->arena, Value *, most);
  const Type *type = op_operand(op, l->counted)->type;
  u32 *result_of = NEW_ARRAY(m->arena, u32, most);
  Value *one = build_int(&b, 1, type), *start = op_operand(op, l->counted);
  Value *first = build_2(&b, OP_ARITH_ADDI, start, one);
  Value *bound = build_outside(&b, l->bound, op);
  operands[0] = start;
  operands[1] = build_2(&b, OP_ARITH_MAXSI, bound, first);
  operands[2] = one;
  for (u32 i = 0; i < l->before->nargs; i++)
    if (i != l->counted) {
      yields[n] = op_operand(l->yield, i);
      operands[3 + n++] = op_operand(op, i);
    }
  for (u32 j = 0; j < op->nresults; j++)
    if (op_result(op, j)->uses) {
      result_of[j] = n;
      yields[n] = op_operand(l->condition, j + 1);
      operands[3 + n++] = build_literal(&b, 0, op_result(op, j)->type);
    }
  replace_yield(m, op, l->yield, yields, n);
  Block *body = build_for(&b, operands, 3 + n);
  Op *made = body->region->parent;
  for (u32 i = 0, k = 1; i < l->before->nargs; i++) {
    Value *inside = i == l->counted ? body->args[0] : body->args[k++];
    inside->name = l->before->args[i]->name;
    value_replace_uses(l->before->args[i], inside);
  }
  for (u32 j = 0; j < l->after->nargs; j++) {
    Value *given = op_operand(l->condition, j + 1);
    value_replace_uses(l->after->args[j], given);
    if (!op_result(op, j)->uses) continue;
    Value *result = op_result(made, result_of[j]);
    if (!result->name) result->name = op_result(op, j)->name;
    value_replace_uses(op_result(op, j), result);
  }
  op_erase(l->condition);
  move_ops(l->before, body);
  move_ops(l->after, body);
  op_erase(op);
  raise_for(m, made);
}

static bool raise_op(LoopPass *pass, Op *op) {
  Module *m = pass->m;
  CountedLoop loop;
  bool changed = false;
  BottomLoop bottom;
  if (op->kind == OP_SCF_FOR) return raise_for(m, op);
  if (match_bottom(m->ctx, op, &bottom)) {
    make_bottom_for(m, &bottom);
    return true;
  }
  if (!match_any_type(m->ctx, op, &loop)) return false;
  if (loop.start->type->kind != TYPE_INDEX) {
    if (!fits_index(m->ctx, &loop)) return false;
    count_while_in_index(m, &loop);
    match_any_type(m->ctx, op, &loop);
    changed = true;
  }
  if (!becomes_for(m->ctx, &loop)) return changed;
  make_for(m, &loop);
  return true;
}

/* Inner loops first, as a while that becomes a for moves its ops to the new op. */
bool raise_loops(Module *m, Op *func) {
  return each_op(m, func, OP_UNREGISTERED, raise_op);
}

/* unroll_while.c -- unrolling of while loops: the conditions of several iterations are tested at
 * once.
 *
 *     scf.while (%i = %0) {                     scf.while (%i = %0) {
 *       %x = load %text[%i]                       %x = load %text[%i]
 *       %more = %x != 0                           %i1 = %i + 1
 *       scf.condition(%more) %i                   %x1 = load %text[minui(%i1, %last)]
 *     } do {                              =>      %i2 = %i1 + 1
 *       %i1 = %i + 1                              %end = select %x != 0, %i1, %i
 *       scf.yield %i1                             scf.condition(%x != 0 and %x1 != 0) %end, %i2
 *     } {loom.copies = 2 : i32}                 } do {
 *                                                 scf.yield %i2
 *                                               }
 *
 * A loop whose end depends on data starts an iteration when the condition of the one before is
 * known: each waits for a load and a comparison. One that is marked `loom.copies = N` computes N
 * iterations speculatively, and waits once for all N conditions. Its results are those of the first
 * iteration that ends the loop.
 *
 * All iterations but the first run early (early.c), so the ops of the loop cannot trap, do not
 * store, and their loads are clamped to be in bounds. A loop with ifs, unless speculate.c has made
 * selects of them, and one that counts, which becomes a stream, are not changed. Cost: linear in
 * the ops that it makes. */
#include "lower/loops.h"

enum { MOST_TESTED = 16, MOST_OPS = 192 };

typedef struct {
  Module *m;
  const Op *func;
  Op *loop, *condition, *yield;
  Block *before, *after;
} Unroller;

/* Folds (x + 1) + 1 to x + 2, so that counters of the copies do not wait for one another. */
static void fold_sum(Module *m, Op *op) {
  Context *ctx = m->ctx;
  i64 one, more;
  if (op->kind != OP_ARITH_ADDI || !value_is_int(ctx, op_operand(op, 1), &more)) return;
  const Op *inner = value_def(op_operand(op, 0));
  if (!inner || inner->kind != OP_ARITH_ADDI || !value_is_int(ctx, op_operand(inner, 1), &one))
    return;
  Builder b = builder_before(m, op);
  op_set_operand(op, 0, op_operand(inner, 0));
  op_set_operand(op, 1, build_literal(&b, (u64)one + (u64)more, op_operand(op, 1)->type));
}

/* Copies the ops of a block up to `last` in front of the condition, made safe to run early. */
static void clone_early(const Unroller *u, const Block *block, const Op *last, Map *made) {
  for (const Op *op = last ? block->first : NULL; op; op = op == last ? NULL : op->next) {
    Op *copy = op_clone(u->m, op, made);
    op_insert_before(u->condition, copy);
    make_early(u->m, u->func, copy);
    fold_sum(u->m, copy);
  }
}

/* Builds the iteration after the one whose scf.condition has the operands `given`: `carried`
 * becomes the values that it starts with, and `values`, unless NULL, the operands of its
 * scf.condition. */
static void next_iteration(const Unroller *u, const Op *last, Value *const *given, Value **carried,
                           Value **values) {
  Map made = {0};
  for (u32 i = 0; i < u->after->nargs; i++)
    map_put(&made, PTR_KEY(u->after->args[i]), PTR_KEY(given[1 + i]));
  clone_early(u, u->after, u->yield->prev, &made);
  for (u32 i = 0; i < u->before->nargs; i++)
    carried[i] = value_mapped(&made, op_operand(u->yield, i));
  map_free(&made);
  if (!values) return;
  for (u32 i = 0; i < u->before->nargs; i++)
    map_put(&made, PTR_KEY(u->before->args[i]), PTR_KEY(carried[i]));
  clone_early(u, u->before, last, &made);
  for (u32 i = 0; i < u->condition->noperands; i++)
    values[i] = value_mapped(&made, op_operand(u->condition, i));
  map_free(&made);
}

static void unroll_while(Unroller *u, u32 copies) {
  Module *m = u->m;
  Op *last = u->condition->prev;
  u32 given = u->condition->noperands, ncarried = u->before->nargs;
  Value **values = NEW_ARRAY(m->arena, Value *, copies * (size_t)given);
  Value **carried = NEW_ARRAY(m->arena, Value *, ncarried + (size_t)1);
  Value **flags = NEW_ARRAY(m->arena, Value *, copies);
  for (u32 i = 0; i < given; i++) values[i] = op_operand(u->condition, i);
  for (u32 k = 0; k < copies; k++)
    next_iteration(u, last, values + k * given, carried,
                   k + 1 < copies ? values + (k + 1) * given : NULL);
  Builder b = builder_before(m, u->condition);
  for (u32 k = 0; k < copies; k++) flags[k] = values[k * given];
  for (u32 i = 1; i < given; i++) {
    Value *end = values[(copies - 1) * given + i];
    for (u32 k = copies - 1; k-- > 0;) {
      Value *was = values[k * given + i];
      if (end != was) end = build_select(&b, values[k * given], end, was);
    }
    op_set_operand(u->condition, i, end);
  }
  op_set_operand(u->condition, 0, build_tree(&b, OP_ARITH_ANDI, flags, copies));
  for (u32 i = 0; i < ncarried; i++) {
    Value *v = carried[i];
    op_set_operand(u->yield, i, block_add_arg(m, u->after, v->type, NULL, v->loc));
    yield_more(m, u->condition, v);
    u->loop = loop_with_result(m, u->loop, NULL, v->type);
  }
  while (u->yield->prev) op_erase(u->yield->prev);
}

static bool unroll_if_marked(LoopPass *pass, Op *loop) {
  Module *m = pass->m;
  i64 copies = op_attr_int(loop, "loom.copies", 1);
  op_set_attr(m, loop, "loom.copies", NULL);
  u64 ops;
  if (copies < 2 || copies > MOST_TESTED || !may_run_on(m->ctx, pass->func, loop, &ops) ||
      ops * (u64)copies > MOST_OPS)
    return false;
  Unroller u = {.m = m, .func = pass->func, .loop = loop};
  u.before = region_entry(&loop->regions[0]), u.after = region_entry(&loop->regions[1]);
  u.condition = block_terminator(u.before), u.yield = block_terminator(u.after);
  unroll_while(&u, (u32)copies);
  return true;
}

bool unroll_whiles(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_WHILE, unroll_if_marked);
}

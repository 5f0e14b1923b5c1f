/* overshoot.c -- a strip-mined speculative while: whether it has ended is tested only after a strip
 * of iterations.
 *
 *     scf.while (%i = %0) {                scf.while (%i = %0) {
 *       %x = load %text[%i]                  %end, %more, %i2 = scf.for 16 times (%y = %i, %m = 1)
 *       %more = %x != 0                        %x = load %text[minui(%y, %last)]
 *       scf.condition(%more) %i     =>         %end = select %m, %y, %end before
 *     } do {                                   scf.yield %end, %m and %x != 0, %y + 1
 *       %i1 = %i + 1                         }
 *       scf.yield %i1                        scf.condition(%more) %end, %i2
 *     }                                    } do {
 *                                            scf.yield %i2
 *                                          }
 *
 * A while starts an iteration when the condition of the one before is known: the ops that compute
 * the condition, a load above all, are on its recurrence. Iterations of the counted loop do not
 * wait for it: their loads are pipelined, and the recurrence consists of the carried values and one
 * bit, whether the source would still be in its loop. The results are those of the first iteration
 * whose condition fails. Iterations after it have no effect: they overshoot (Rauchwerger and Padua,
 * Parallelizing While Loops for Multiprocessor Systems; here by strips, of which only the last is
 * wasted in part).
 *
 * Any iteration of a strip but its first may be wasted, so the ops of the loop must be able to run
 * early (early.c): they cannot trap, do not store, and their loads are in bounds, by clamps if need
 * be. A loop with ifs, unless speculate.c has made selects of them, and one that counts are not
 * changed. unroll_while.c may have put several tests into an iteration. Because of the wasted
 * iterations this is one of the choices that -O2 tries. Cost: linear. */
#include "lower/loops.h"

enum { STRIP = 16 }; /* iterations */

typedef struct {
  Module *m;
  const Op *func;
  Op *loop, *condition, *yield;
  const Block *before, *after;
  u32 *used, nused; /* indices of the loop's results that have uses */
} Overshooter;

static Builder builder_at_end(const Overshooter *o, Block *block) {
  return (Builder){
      .m = o->m, .block = block, .loc = o->loop->loc, .loc_attr = op_loc_attr(o->loop)};
}

/* An out-of-bounds subscript in the first iteration is the program's own error and must still trap,
 * so undo there the clamps of make_early. `before` are the load's operands as they were. */
static void unclamp_first(const Overshooter *o, Op *load, Value *const *before) {
  Value *iteration = load->block->args[0];
  for (u32 i = 1; i < load->noperands; i++) {
    if (op_operand(load, i) == before[i]) continue;
    Op *clamp = value_def(op_operand(load, i));
    assert(clamp && clamp->kind == OP_ARITH_MINUI && op_operand(clamp, 0) == before[i]);
    Builder b = builder_before(o->m, clamp);
    Value *last = op_operand(clamp, 1);
    Value *zero = build_int(&b, 0, iteration->type);
    Value *is_first = build_compare(&b, CMPI_EQ, iteration, zero);
    Value *most = build_int(&b, -1, last->type);
    op_set_operand(clamp, 1, build_select(&b, is_first, most, last));
  }
}

/* Copies the ops of a block but its terminator to the end of another, made safe to run early. */
static void clone_early(const Overshooter *o, const Block *from, Block *to, Map *made) {
  for (const Op *op = from->first; op != from->last; op = op->next) {
    Op *copy = op_clone(o->m, op, made);
    op_append(to, copy);
    Value **operands = NEW_ARRAY(o->m->arena, Value *, copy->noperands + (size_t)1);
    for (u32 i = 0; i < copy->noperands; i++) operands[i] = op_operand(copy, i);
    make_early(o->m, o->func, copy);
    if (copy->kind == OP_MEMREF_LOAD && from == o->before) unclamp_first(o, copy, operands);
  }
}

/* Builds one iteration at the end of `body`, whose arguments are its number in the strip, the
 * carried values, whether the source would still be in its loop, and the loop's results so far. */
static void build_iteration(const Overshooter *o, Block *body) {
  Module *m = o->m;
  u32 carried = o->before->nargs, n = 0;
  Value **next = NEW_ARRAY(m->arena, Value *, carried + 1 + (size_t)o->nused);
  Value *alive = body->args[1 + carried];
  Map made = {0};
  for (u32 i = 0; i < carried; i++)
    map_put(&made, PTR_KEY(o->before->args[i]), PTR_KEY(body->args[1 + i]));
  clone_early(o, o->before, body, &made);
  for (u32 i = 0; i < o->after->nargs; i++)
    map_put(&made, PTR_KEY(o->after->args[i]),
            PTR_KEY(value_mapped(&made, op_operand(o->condition, 1 + i))));
  clone_early(o, o->after, body, &made);
  Builder b = builder_at_end(o, body);
  for (u32 i = 0; i < carried; i++) next[n++] = value_mapped(&made, op_operand(o->yield, i));
  Value *goes_on = value_mapped(&made, op_operand(o->condition, 0));
  next[n++] = build_2(&b, OP_ARITH_ANDI, alive, goes_on);
  for (u32 i = 0; i < o->nused; i++) {
    Value *result = value_mapped(&made, op_operand(o->condition, 1 + o->used[i]));
    next[n++] = build_select(&b, alive, result, body->args[2 + carried + i]);
  }
  build_op(&b, OP_SCF_YIELD, next, n, NULL, 0, 0);
  map_free(&made);
}

/* Builds a strip at the end of `before`, whose arguments are the carried values. */
static Op *build_strip(const Overshooter *o, Block *before) {
  Module *m = o->m;
  const Type *index = type_index(m->ctx);
  Builder b = builder_at_end(o, before);
  u32 carried = before->nargs, n = carried + 1 + o->nused;
  Value **operands = NEW_ARRAY(m->arena, Value *, 3 + (size_t)n);
  operands[0] = build_int(&b, 0, index);
  operands[1] = build_int(&b, STRIP, index);
  operands[2] = build_int(&b, 1, index);
  for (u32 i = 0; i < carried; i++) operands[3 + i] = before->args[i];
  operands[3 + carried] = build_literal(&b, 1, type_i1(m->ctx));
  for (u32 i = 0; i < o->nused; i++)
    operands[4 + carried + i] = build_literal(&b, 0, o->loop->results[o->used[i]].type);
  Block *body = build_for(&b, operands, 3 + n);
  for (u32 i = 0; i < carried; i++) body->args[1 + i]->name = o->before->args[i]->name;
  build_iteration(o, body);
  return body->region->parent;
}

/* Replaces the loop by a while whose results are the used ones of the source, then the values that
 * it carries from strip to strip. */
static void overshoot_while(const Overshooter *o) {
  Module *m = o->m;
  Op *loop = o->loop;
  u32 carried = o->before->nargs, given = o->nused, n = given + carried;
  Value **inits = NEW_ARRAY(m->arena, Value *, carried);
  Value **values = NEW_ARRAY(m->arena, Value *, 1 + (size_t)n);
  const Type **types = NEW_ARRAY(m->arena, const Type *, n);
  for (u32 i = 0; i < carried; i++) inits[i] = op_operand(loop, i);
  for (u32 i = 0; i < n; i++)
    types[i] = i < given ? loop->results[o->used[i]].type : o->before->args[i - given]->type;
  Builder b = builder_before(m, loop);
  Op *made = build_op(&b, OP_SCF_WHILE, inits, carried, types, n, 2);
  Block *before = block_new(m, &made->regions[0]), *after = block_new(m, &made->regions[1]);
  for (u32 i = 0; i < carried; i++)
    block_add_arg(m, before, o->before->args[i]->type, o->before->args[i]->name, loop->loc);
  for (u32 i = 0; i < n; i++) block_add_arg(m, after, types[i], NULL, loop->loc);
  Op *strip = build_strip(o, before);
  values[0] = op_result(strip, carried);
  for (u32 i = 0; i < given; i++) values[1 + i] = op_result(strip, carried + 1 + i);
  for (u32 i = 0; i < carried; i++) values[1 + given + i] = op_result(strip, i);
  Builder end = builder_at_end(o, before);
  build_op(&end, OP_SCF_CONDITION, values, 1 + n, NULL, 0, 0);
  end = builder_at_end(o, after);
  build_op(&end, OP_SCF_YIELD, after->args + given, carried, NULL, 0, 0);
  for (u32 i = 0; i < given; i++) {
    op_result(made, i)->name = loop->results[o->used[i]].name;
    value_replace_uses(op_result(loop, o->used[i]), op_result(made, i));
  }
  op_erase(loop);
}

static bool overshoot(LoopPass *pass, Op *op) {
  u64 ops;
  Overshooter o = {.m = pass->m, .func = pass->func, .loop = op};
  o.before = region_entry(&op->regions[0]), o.after = region_entry(&op->regions[1]);
  o.condition = block_terminator(o.before), o.yield = block_terminator(o.after);
  if (!op->noperands || !may_run_on(pass->m->ctx, pass->func, op, &ops)) return false;
  o.used = NEW_ARRAY(pass->m->arena, u32, op->nresults + (size_t)1);
  for (u32 i = 0; i < op->nresults; i++)
    if (op_result(op, i)->uses) o.used[o.nused++] = i;
  overshoot_while(&o);
  return true;
}

bool overshoot_whiles(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_WHILE, overshoot);
}

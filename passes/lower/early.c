/* early.c -- ops that may run before it is known whether they are needed (speculation).
 *
 *     scf.if %open {                                   %a = arith.minui %i, %last
 *       %v = memref.load %x[%i]                =>      %v = memref.load %x[%a]
 *       %t = arith.addi %v, %s                         %t = arith.addi %v, %s
 *       ...                                            scf.if %open { ...
 *
 * Some stages (speculate.c, overshoot.c and others) move ops out of regions that do not always run.
 * This must not be observable: such an op cannot trap, its result is used only where the
 * source computes it, too, and a load is in bounds. That follows from the ranges of its subscripts
 * (range.c), or is enforced: minui(subscript, size - 1) equals the subscript wherever the source
 * makes the access, and is in bounds elsewhere. It requires a memory that is not empty: one of
 * static size, or one that another access of the same memref certainly touches before.
 *
 * A load must read the same value: there is no store to what may be its memory between its old
 * place and its new. Iterations of scf.parallel do not touch elements that others store; with a
 * speculated load of a memory to which they store they may, so their mark loom.independent is
 * removed.
 *
 * Cost: for each load the number of ops in front of it in its block. */
#include "lower/loops.h"

enum { MOST_EARLY = 48 };

/* ---- may it? --------------------------------------------------------------------------------- */

/* Is it a division by a literal by which it cannot trap? */
static bool divides_safely(const Context *ctx, const Op *op) {
  i64 by;
  switch ((OpKind)op->kind) {
  case OP_ARITH_DIVSI:
  case OP_ARITH_REMSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_REMUI:
    return value_is_int(ctx, op_operand(op, 1), &by) && by != 0 && by != -1 &&
           !op_attr(op, "isExact");
  default: return false;
  }
}

/* Does an access of this memref, directly in a block around `where`, certainly run before it? */
static bool is_touched_before(const Value *memref, const Op *where) {
  for (; where && where->block; where = op_parent(where)) {
    for (const Op *op = where->prev; op; op = op->prev)
      if (is_access(op) && memref_of(op) == memref) return true;
    const Op *parent = op_parent(where);
    if (!parent || parent->kind != OP_SCF_WHILE || where->block->region == &parent->regions[0])
      continue;
    for_each_op (op, region_entry(&parent->regions[0]))
      if (is_access(op) && memref_of(op) == memref) return true;
  }
  return false;
}

static bool is_stored_before(const Op *func, const Op *load) {
  for (Op *op = load->block->first; op != load; op = op->next)
    if (may_touch_memory(func, op, op_operand(load, 0), false)) return true;
  return false;
}

/* May `op` run at `where`, whether or not it is needed? Its operands are not looked at. */
static bool may_run_early(const Context *ctx, const Op *func, const Op *op, const Op *where) {
  if (op->kind != OP_MEMREF_LOAD) return is_speculatable(ctx, op) || divides_safely(ctx, op);
  const Value *memref = op_operand(op, 0);
  return type_is_scalar(memref->type->elem) && !is_stored_before(func, op) &&
         (type_static_elements(memref->type) > 0 || is_touched_before(memref, where));
}

static bool all_may_run_early(const Context *ctx, const Op *func, const Block *block,
                              const Op *where, u64 *ops) {
  for (const Op *op = block->first; op != block->last; op = op->next, ++*ops)
    if (!may_run_early(ctx, func, op, where)) return false;
  return true;
}

bool may_run_on(const Context *ctx, const Op *func, Op *loop, u64 *ops) {
  CountedLoop counted;
  const Op *condition = block_terminator(region_entry(&loop->regions[0]));
  *ops = 0;
  if (counted_loop_match(ctx, loop, &counted)) return false;
  for (u32 r = 0; r < 2; r++)
    if (!all_may_run_early(ctx, func, region_entry(&loop->regions[r]), condition, ops))
      return false;
  for (u32 i = 1; i < condition->noperands; i++)
    if (!type_is_scalar(op_operand(condition, i)->type)) return false;
  return true;
}

bool plan_early(Early *e, const Value *v) {
  const Block *block = value_block(v);
  if (block != e->from) return value_is_outside(v, e->from->region);
  if (v->is_arg) return true;
  Op *op = value_op(v);
  for (size_t i = 0; i < e->ops.len; i++)
    if (e->ops.at[i] == op) return true;
  if (e->ops.len >= MOST_EARLY || !may_run_early(e->m->ctx, e->func, op, e->where)) return false;
  size_t before = e->ops.len;
  for (u32 i = 0; i < op->noperands; i++)
    if (!plan_early(e, op_operand(op, i))) {
      e->ops.len = before;
      return false;
    }
  vec_push(&e->ops, op);
  return true;
}

/* ---- loads in bounds ------------------------------------------------------------------------- */

/* size - 1 of dimension `d`, computed as far out as the memref is known. */
static Value *last_subscript(Module *m, const Op *load, u32 d) {
  Value *memref = op_operand(load, 0);
  Op *where = (Op *)(uintptr_t)load;
  while (value_is_outside(memref, where->block->region) && op_parent(where)->kind != OP_FUNC_FUNC)
    where = op_parent(where);
  Builder b = builder_before(m, where);
  const Type *index = type_index(m->ctx);
  i64 size = memref->type->shape[d];
  if (size != DYNAMIC) return build_int(&b, size - 1, index);
  Value *dim = build_1(&b, OP_MEMREF_DIM, index, (Value *[]){memref, build_int(&b, d, index)}, 2);
  return build_1(&b, OP_ARITH_SUBI, index, (Value *[]){dim, build_int(&b, 1, index)}, 2);
}

/* Is the subscript already clamped, minui(..., last_subscript)? */
static bool is_clamped(const Context *ctx, const Value *at, const Value *memref, u32 d) {
  const Op *least = value_def(at), *last, *size;
  i64 number, wanted = memref->type->shape[d];
  if (!least || least->kind != OP_ARITH_MINUI) return false;
  if (wanted != DYNAMIC)
    return value_is_int(ctx, op_operand(least, 1), &number) && number == wanted - 1;
  last = value_def(op_operand(least, 1));
  if (!last || last->kind != OP_ARITH_SUBI || !value_is_int(ctx, op_operand(last, 1), &number) ||
      number != 1)
    return false;
  size = value_def(op_operand(last, 0));
  return size && size->kind == OP_MEMREF_DIM && op_operand(size, 0) == memref &&
         value_is_int(ctx, op_operand(size, 1), &number) && number == d;
}

/* Removes loom.independent from loops around the load that store to what may be its memory. */
static void withdraw_promises(Module *m, const Op *func, const Op *load) {
  for (Op *op = op_parent(load); op != func; op = op_parent(op)) {
    OpList inside = {0};
    if (!op_attr(op, "loom.independent")) continue;
    bool keeps = gather_accesses(&op->regions[0], &inside);
    for (size_t i = 0; i < inside.len; i++)
      keeps = keeps && (inside.at[i]->kind != OP_MEMREF_STORE ||
                        !may_be_one_memory(func, op_operand(inside.at[i], 1), op_operand(load, 0)));
    if (!keeps) op_set_attr(m, op, "loom.independent", NULL);
    vec_free(&inside);
  }
}

static bool is_in_range(const Context *ctx, const Op *load, u32 d) {
  Interval range = value_range(ctx, op_operand(load, 1 + d));
  i64 size = op_operand(load, 0)->type->shape[d];
  return size != DYNAMIC && range.min >= 0 && range.max < size;
}

bool load_exists(const Context *ctx, const Op *load) {
  for (u32 d = 0; d < op_operand(load, 0)->type->rank; d++)
    if (!is_in_range(ctx, load, d)) return false;
  return true;
}

void make_early(Module *m, const Op *func, Op *op) {
  if (op->kind != OP_MEMREF_LOAD) return;
  const Type *memref = op_operand(op, 0)->type;
  withdraw_promises(m, func, op);
  for (u32 d = 0; d < memref->rank; d++) {
    Value *at = op_operand(op, 1 + d);
    if (is_in_range(m->ctx, op, d) || is_clamped(m->ctx, at, op_operand(op, 0), d)) continue;
    Value *last = last_subscript(m, op, d);
    Builder b = builder_before(m, op);
    op_set_operand(op, 1 + d, build_2(&b, OP_ARITH_MINUI, at, last));
  }
}

void move_early(const Early *e, Op *where) {
  for (size_t i = 0; i < e->ops.len; i++) {
    op_unlink(e->ops.at[i]);
    op_insert_before(where, e->ops.at[i]);
    make_early(e->m, e->func, e->ops.at[i]);
  }
}

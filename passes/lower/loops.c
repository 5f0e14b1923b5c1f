/* loops.c -- helpers of the stages that transform loops: the accesses in a region and their
 * memories, values that can be computed in front of a loop, additional results. See loops.h. */
#include "lower/loops.h"

#include <stdlib.h>

enum { MAX_DEPTH = 8, MAX_RANK = 8 };

/* The memory that a memref is, after all views, a view of; NULL: unknown. */
static const Value *root_of(const Op *func, const Value *v) {
  for (const Op *op; (op = value_def(v)); v = op_operand(op, 0)) {
    if (op->kind == OP_MEMREF_ALLOC || op->kind == OP_MEMREF_ALLOCA ||
        op->kind == OP_MEMREF_GET_GLOBAL)
      return v;
    if (op->nregions || !op->noperands || !type_is_memref(op_operand(op, 0)->type)) return NULL;
  }
  return value_block(v) == region_entry(&func->regions[0]) ? v : NULL;
}

bool may_be_one_memory(const Op *func, const Value *a, const Value *b) {
  const Value *x = root_of(func, a), *y = root_of(func, b);
  if (!x || !y || x == y) return true;
  if (x->is_arg && y->is_arg) {
    i64 group = alias_group_of(func, x->index);
    return group >= 0 && group == alias_group_of(func, y->index);
  }
  const Op *one = value_def(x), *other = value_def(y);
  return one && other && one->kind == OP_MEMREF_GET_GLOBAL && other->kind == OP_MEMREF_GET_GLOBAL &&
         op_attr(one, "name") == op_attr(other, "name");
}

bool may_conflict(const Op *func, const Op *a, const Op *b) {
  if (a->kind != OP_MEMREF_STORE && b->kind != OP_MEMREF_STORE) return false;
  return may_be_one_memory(func, memref_of(a), memref_of(b));
}

/* Is the stride of dimension d greater than the largest offset that the dimensions with smaller or
 * equal strides add up to? */
static bool is_stride_apart(const Type *memref, const i64 *strides, u32 d) {
  Wide stride = llabs(strides[d]), span = 0;
  for (u32 k = 0; k < memref->rank; k++) {
    Wide other = strides[k] == DYNAMIC ? 0 : llabs(strides[k]);
    if (k == d || memref->shape[k] == 1 || other > stride) continue;
    if (strides[k] == DYNAMIC || memref->shape[k] == DYNAMIC) return false;
    span += other * (Wide)(memref->shape[k] - 1);
    if (span >= stride) return false;
  }
  return stride > 0;
}

static bool are_strides_apart(const Type *memref) {
  i64 strides[MAX_RANK], offset;
  if (!memref->layout) return true; /* row-major */
  if (memref->rank > MAX_RANK || !type_strides(memref, strides, &offset)) return false;
  for (u32 d = 0; d < memref->rank; d++)
    if (memref->shape[d] != 1 && (strides[d] == DYNAMIC || !is_stride_apart(memref, strides, d)))
      return false;
  return true;
}

/* An argument's layout that leaves all strides open is row-major (views.c). */
static bool is_row_major_argument(const Value *v) {
  i64 strides[MAX_RANK], offset;
  if (!v->is_arg || value_block(v)->region->parent->kind != OP_FUNC_FUNC) return false;
  if (v->type->rank > MAX_RANK || !type_strides(v->type, strides, &offset)) return false;
  for (u32 d = 0; d < v->type->rank; d++)
    if (strides[d] != DYNAMIC && (d + 1 < v->type->rank || strides[d] != 1)) return false;
  return true;
}

static bool has_known_strides(const Op *subview) {
  const Attr *strides = op_attr(subview, "static_strides");
  for (u32 i = 0; strides && i < strides->n; i++)
    if (strides->ints[i] == DYNAMIC || strides->ints[i] == 0) return false;
  return strides;
}

/* Do different subscripts mean different elements? That also holds for parts and casts of such a
 * memref. */
static bool has_elements_apart(const Value *v) {
  while (!are_strides_apart(v->type) && !is_row_major_argument(v)) {
    const Op *op = value_def(v);
    switch (op ? (OpKind)op->kind : OP_UNREGISTERED) {
    case OP_MEMREF_SUBVIEW:
      if (!has_known_strides(op)) return false;
      break;
    case OP_MEMREF_CAST:
    case OP_MEMREF_MEMORY_SPACE_CAST:
    case OP_MEMREF_COLLAPSE_SHAPE:
    case OP_MEMREF_EXPAND_SHAPE:
    case OP_MEMREF_TRANSPOSE:
    case OP_MEMREF_ASSUME_ALIGNMENT: break;
    default: return false;
    }
    v = op_operand(op, 0);
    if (v->type->kind != TYPE_MEMREF) return false;
  }
  return true;
}

bool have_comparable_subscripts(const Op *a, const Op *b) {
  return memref_of(a) == memref_of(b) && has_elements_apart(memref_of(a));
}

bool may_meet(LoopPass *pass, const Op *loop, const Op *a, const Op *b) {
  if (!may_conflict(pass->func, a, b)) return false;
  return !have_comparable_subscripts(a, b) ||
         !accesses_ordered(pass->m->ctx, &pass->solver, loop, loop, a, b) ||
         !accesses_ordered(pass->m->ctx, &pass->solver, loop, loop, b, a);
}

bool gather_accesses_of(Op *op, OpList *to) {
  bool is_harmless = op_has_trait(op, TRAIT_PURE) || op_has_trait(op, TRAIT_TERMINATOR) ||
                     op->nregions || op->kind == OP_MEMREF_ALLOC || op->kind == OP_MEMREF_ALLOCA ||
                     op->kind == OP_MEMREF_GET_GLOBAL;
  if (is_access(op))
    vec_push(to, op);
  else if (!is_harmless || op->kind == OP_UNREGISTERED)
    return false;
  for (u32 i = 0; i < op->nregions; i++)
    if (!gather_accesses(&op->regions[i], to)) return false;
  return true;
}

bool gather_accesses(const Region *region, OpList *to) {
  for_each_block (block, region)
    for_each_op (op, block)
      if (!gather_accesses_of(op, to)) return false;
  return true;
}

bool may_touch_memory(const Op *func, Op *op, const Value *memref, bool loads) {
  OpList accesses = {0};
  bool found = !gather_accesses_of(op, &accesses);
  for (size_t i = 0; i < accesses.len && !found; i++) {
    const Op *access = accesses.at[i];
    found = (loads || access->kind == OP_MEMREF_STORE) &&
            may_be_one_memory(func, memref_of(access), memref);
  }
  vec_free(&accesses);
  return found;
}

static bool is_computed_at(const Value *v, const Region *body,
                           bool (*takes)(const Value *arg, const Region *body), int depth) {
  if (value_is_outside(v, body)) return true;
  if (v->is_arg) return takes(v, body);
  const Op *op = value_op(v);
  if (depth == 0 || op->nregions || !op_has_trait(op, TRAIT_PURE)) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (!is_computed_at(op_operand(op, i), body, takes, depth - 1)) return false;
  return true;
}

bool is_computed_from(const Value *v, const Region *body,
                      bool (*takes)(const Value *arg, const Region *body)) {
  return is_computed_at(v, body, takes, MAX_DEPTH);
}

static bool is_computable_at(const Value *v, const Region *body, const Value *iv, int depth) {
  if (v == iv || value_is_outside(v, body)) return true;
  const Op *op = value_def(v);
  if (!op || depth == 0 || !is_repeatable(op)) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (!is_computable_at(op_operand(op, i), body, iv, depth - 1)) return false;
  return true;
}

bool counts_up(const Context *ctx, const Op *loop) {
  if (loop->kind != OP_SCF_FOR || op_attr(loop, "unsignedCmp")) return false;
  LoopRanges ranges = loop_ranges(ctx, loop, RANGE_DEPTH);
  return ranges.never_wraps && ranges.step.min > 0;
}

static bool is_of_other_loop(const Value *arg, const Region *body) {
  return value_block(arg)->region != body;
}

bool is_fixed_in(const Value *v, const Region *body) {
  return is_computed_from(v, body, is_of_other_loop);
}

/* Do a and b access one element, the same in all iterations? */
static bool is_fixed_element(const Op *a, const Op *b, const Region *body) {
  if (memref_of(a) != memref_of(b)) return false;
  for (u32 d = 0; d < rank_of(a); d++)
    if (subscript_of(a, d) != subscript_of(b, d) || !is_fixed_in(subscript_of(a, d), body))
      return false;
  return true;
}

bool has_recurrence(const OpList *all, const Region *body) {
  for (size_t i = 0; i < all->len; i++)
    for (size_t k = 0; k < all->len; k++)
      if (all->at[i]->kind == OP_MEMREF_LOAD && all->at[k]->kind == OP_MEMREF_STORE &&
          is_fixed_element(all->at[i], all->at[k], body))
        return true;
  return false;
}

static bool each_op_in(LoopPass *pass, const Region *region, OpKind kind,
                       bool (*change)(LoopPass *pass, Op *op)) {
  bool changed = false;
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      if (!op->nregions) continue;
      for (u32 r = 0; r < op->nregions; r++)
        changed |= each_op_in(pass, &op->regions[r], kind, change);
      if (kind == OP_UNREGISTERED || op->kind == kind) changed |= change(pass, op);
    }
  return changed;
}

bool each_op(Module *m, Op *func, OpKind kind, bool (*change)(LoopPass *pass, Op *op)) {
  LoopPass pass = {.m = m, .func = func, .solver = linear_solver(m->ctx)};
  bool changed = each_op_in(&pass, &func->regions[0], kind, change);
  linear_solver_free(&pass.solver);
  return changed;
}

bool is_computable(const Value *v, const Region *body, const Value *iv) {
  return is_computable_at(v, body, iv, MAX_DEPTH);
}

Value *value_before_loop(Module *m, Op *loop, Value *v) {
  if (value_is_outside(v, &loop->regions[0])) return v;
  if (v == region_entry(&loop->regions[0])->args[0]) return op_operand(loop, 0);
  Map made = {0};
  const Op *op = value_def(v);
  for (u32 i = 0; i < op->noperands; i++) {
    Value *operand = op_operand(op, i), *outside = value_before_loop(m, loop, operand);
    if (outside != operand) map_put(&made, PTR_KEY(operand), PTR_KEY(outside));
  }
  Op *copy = op_clone(m, op, &made);
  op_insert_before(loop, copy);
  map_free(&made);
  return op_result(copy, v->index);
}

Op *build_access(Module *m, Op *where, const Op *like, Value *memref, Value *const *subscripts,
                 Value *value) {
  u32 rank = memref->type->rank, n = 0;
  Value **operands = NEW_ARRAY(m->arena, Value *, rank + (size_t)2);
  Builder b = builder_before(m, where);
  b.loc = like->loc;
  if (value) operands[n++] = value;
  operands[n++] = memref;
  for (u32 i = 0; i < rank; i++) operands[n++] = subscripts[i];
  Op *op = build_op(&b, value ? OP_MEMREF_STORE : OP_MEMREF_LOAD, operands, n, &memref->type->elem,
                    !value, 0);
  const Attr *number = op_attr(like, "loom.access");
  if (number) op_set_attr(m, op, "loom.access", number);
  return op;
}

void copy_iteration(Module *m, const Block *body, const Op *last, Op *where, Value *variable,
                    Value **carried) {
  Map made = {0};
  const Op *yield = block_terminator(body);
  map_put(&made, PTR_KEY(body->args[0]), PTR_KEY(variable));
  for (u32 i = 1; i < body->nargs; i++)
    map_put(&made, PTR_KEY(body->args[i]), PTR_KEY(carried[i - 1]));
  for (const Op *op = last ? body->first : NULL; op; op = op == last ? NULL : op->next)
    op_insert_before(where, op_clone(m, op, &made));
  for (u32 i = 0; i < yield->noperands; i++) carried[i] = value_mapped(&made, op_operand(yield, i));
  map_free(&made);
}

Op *loop_with_result(Module *m, Op *op, Value *init, const Type *type) {
  Builder b = builder_before(m, op);
  u32 n = op->nresults;
  Value **operands = NEW_ARRAY(m->arena, Value *, op->noperands + (size_t)1);
  const Type **types = NEW_ARRAY(m->arena, const Type *, n + (size_t)1);
  for (u32 i = 0; i < op->noperands; i++) operands[i] = op_operand(op, i);
  for (u32 i = 0; i < n; i++) types[i] = op_result(op, i)->type;
  operands[op->noperands] = init;
  types[n] = type;
  Op *made = build_op(&b, (OpKind)op->kind, operands, op->noperands + (init != NULL), types, n + 1,
                      op->nregions);
  op_init_attrs(m, made, op->attrs, op->nattrs);
  for (u32 r = 0; r < op->nregions; r++)
    if (op->regions[r].first) block_move(op->regions[r].first, &made->regions[r]);
  for (u32 i = 0; i < n; i++) {
    op_result(made, i)->name = op_result(op, i)->name;
    value_replace_uses(op_result(op, i), op_result(made, i));
  }
  op_erase(op);
  return made;
}

void yield_more(Module *m, Op *yield, Value *value) {
  Value **values = NEW_ARRAY(m->arena, Value *, yield->noperands + (size_t)1);
  for (u32 i = 0; i < yield->noperands; i++) values[i] = op_operand(yield, i);
  values[yield->noperands] = value;
  op_set_operands(m, yield, values, yield->noperands + 1);
}

typedef struct {
  Module *m;
  i64 next;
} Numbering;

static void number_access(void *data, Op *op) {
  Numbering *numbering = data;
  if (!op_attr(op, "loom.access")) return;
  op_set_attr(
      numbering->m, op, "loom.access",
      attr_int(numbering->m->ctx, numbering->next, type_int(numbering->m->ctx, 32, SIGNLESS)));
  numbering->next += op->kind == OP_MEMREF_COPY ? 2 : 1;
}

void number_accesses(Module *m, Op *func) {
  walk_ops(&func->regions[0], number_access, &(Numbering){.m = m});
}

bool neutral_of(OpKind kind, u32 width, u64 *bits) {
  u64 all = eval_mask(width), top = (u64)1 << (width - 1);
  switch (kind) {
  case OP_ARITH_ADDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
  case OP_ARITH_MAXUI: *bits = 0; return true;
  case OP_ARITH_ANDI:
  case OP_ARITH_MINUI: *bits = all; return true;
  case OP_ARITH_MULI: *bits = 1; return true;
  case OP_ARITH_MAXSI: *bits = top; return true;
  case OP_ARITH_MINSI: *bits = top - 1; return true;
  default: return false;
  }
}

/* Plans to compute `v` in front of an if, by comparisons and selects alone. */
static bool plan_choice(Early *e, const Op *op, u32 region, const Value *v) {
  if (!op->regions[region].first) return true;
  e->from = region_entry(&op->regions[region]);
  bool good = plan_early(e, v);
  for (size_t i = 0; i < e->ops.len && good; i++) {
    OpKind kind = (OpKind)e->ops.at[i]->kind;
    good = kind == OP_ARITH_CMPI || kind == OP_ARITH_ANDI || kind == OP_ARITH_SELECT;
  }
  return good;
}

static Value *result_of_if(Module *m, Op **op, Value *const *values) {
  *op = loop_with_result(m, *op, NULL, values[0]->type);
  if (!(*op)->regions[1].first) {
    Builder b = {.m = m, .block = block_new(m, &(*op)->regions[1]), .loc = (*op)->loc};
    build_op(&b, OP_SCF_YIELD, NULL, 0, NULL, 0, 0);
  }
  for (u32 k = 0; k < 2; k++)
    yield_more(m, block_terminator(region_entry(&(*op)->regions[k])), values[k]);
  return op_result(*op, (*op)->nresults - 1);
}

Value *build_choice(Module *m, const Op *func, Op **op, Value *then, Value *otherwise) {
  Value *result;
  Early sides[2] = {{.m = m, .func = func, .where = *op}, {.m = m, .func = func, .where = *op}};
  if (then == otherwise) return then;
  if (plan_choice(&sides[0], *op, 0, then) && plan_choice(&sides[1], *op, 1, otherwise)) {
    for (u32 k = 0; k < 2; k++) move_early(&sides[k], *op);
    Builder b = builder_before(m, *op);
    result = build_select(&b, op_operand(*op, 0), then, otherwise);
  } else {
    result = result_of_if(m, op, (Value *[]){then, otherwise});
  }
  for (u32 k = 0; k < 2; k++) vec_free(&sides[k].ops);
  return result;
}

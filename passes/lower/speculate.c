/* speculate.c -- ops of ifs and whiles run before their conditions are known.
 *
 *     %n, %at = scf.if %same {                        %n1 = arith.addi %n0, %one
 *       %n1 = arith.addi %n0, %one                    %at1 = arith.addi %at0, %one
 *       scf.yield %n1, %at0                           %n = arith.select %same, %n1, %one
 *     } else {                                 =>     %at = arith.select %same, %at0, %at1
 *       memref.store %n0, %runs[%at0]                 scf.if %same {} else {
 *       %at1 = arith.addi %at0, %one                    memref.store %n0, %runs[%at0]
 *       scf.yield %one, %at1                          }
 *     }
 *
 *     scf.while (%x = %a) {                           scf.while (%x = %a) {
 *       %more = arith.cmpi ne, %x, %one                 %more = arith.cmpi ne, %x, %one
 *       scf.condition(%more) %x                         %y = arith.shrui %x, %one
 *     } do {                                   =>       scf.condition(%more) %x, %y
 *       %y = arith.shrui %x, %one                     } do {
 *       scf.yield %y                                    scf.yield %y
 *     }                                               }
 *
 * The ops of a branch wait for its condition, even if their operands were ready long before; where
 * the result is carried by a loop, that is on its recurrence. A select takes values that are
 * computed in parallel with the condition. So the ops that compute the results of an if move in
 * front of it, and those that compute the values for the next iteration of a while in front of its
 * condition, as far as they may run early (early.c); the others stay.
 *
 *     %old = load %x[%i]                              %old = load %x[%i]
 *     scf.if %less {                           =>     %v = arith.select %less, %new, %old
 *       store %new, %x[%i]                            store %v, %x[%i]
 *     }
 *
 * A store that waits for a condition delays all accesses that wait for it. Where its element was
 * loaded in front of the if, the store is made unconditional, and stores the old value where the
 * source does not store (if-conversion; Allen, Kennedy, Porterfield and Warren, Conversion of
 * control dependence to data dependence, 1983).
 *
 * Only ifs in loops are changed, and only those whose condition is computed in the loop. Whiles
 * that count become streams, and are left alone. It is not always faster, as more is computed and
 * loaded, and so it is one of the choices that -O2 tries. Inner regions come first. Cost: linear,
 * but for the loads of a block, each of which is compared with the ops in front of it, and for
 * is_tested, which is quadratic in the ops that depend on a result. */
#include "lower/loops.h"

typedef struct {
  Module *m;
  const Op *func;
  bool changed;
} Speculator;

static Early early_before(const Speculator *s, const Region *from, const Op *where) {
  return (Early){.m = s->m, .func = s->func, .from = region_entry(from), .where = where};
}

/* ---- ifs ------------------------------------------------------------------------------------- */

/* Adds the ops of the block that use a value, themselves or in their regions, each once. */
static void add_users(OpList *users, const Value *v, const Block *block) {
  for (const Use *use = v->uses; use; use = use->next) {
    Op *user = use->owner;
    while (user->block != block) user = op_parent(user);
    bool is_new = true;
    for (size_t i = 0; i < users->len && is_new; i++) is_new = users->at[i] != user;
    if (is_new) vec_push(users, user);
  }
}

/* Does the condition of the while around depend on this result? A select for it may simplify to the
 * condition of the if, and the while's condition then to the same value. The rest of the if still
 * belongs to the before region, but csim's generated code would put it into what follows. */
static bool is_tested(const Op *op, const Value *result) {
  const Op *condition = op->block->last;
  if (condition->kind != OP_SCF_CONDITION || !type_is_i1(result->type)) return false;
  const Value *tested = op_operand(condition, 0);
  OpList users = {0};
  bool found = result == tested;
  add_users(&users, result, op->block);
  for (size_t i = 0; i < users.len && !found; i++)
    for (u32 r = 0; r < users.at[i]->nresults; r++) {
      found |= op_result(users.at[i], r) == tested;
      add_users(&users, op_result(users.at[i], r), op->block);
    }
  vec_free(&users);
  return found;
}

/* Is the condition of the if computed in a loop around it, with only ifs in between? */
static bool is_waited_for(const Op *op) {
  const Op *loop = op_parent(op);
  while (loop && loop->kind == OP_SCF_IF) loop = op_parent(loop);
  if (!loop || (loop->kind != OP_SCF_FOR && loop->kind != OP_SCF_WHILE)) return false;
  for (u32 r = 0; r < loop->nregions; r++)
    if (!value_is_outside(op_operand(op, 0), &loop->regions[r])) return true;
  return false;
}

/* Rebuilds an if with those of its results that are kept. */
static void keep_results(Module *m, Op *op, const bool *keep, u32 n) {
  Builder b = builder_before(m, op);
  const Type **types = NEW_ARRAY(m->arena, const Type *, n + (size_t)1);
  Value *condition = op_operand(op, 0);
  u32 next = 0;
  for (u32 i = 0; i < op->nresults; i++)
    if (keep[i]) types[next++] = op_result(op, i)->type;
  Op *made = build_op(&b, OP_SCF_IF, &condition, 1, types, n, op->nregions);
  op_init_attrs(m, made, op->attrs, op->nattrs);
  for (u32 r = 0; r < op->nregions; r++) {
    Value **values = NEW_ARRAY(m->arena, Value *, n + (size_t)1);
    if (!op->regions[r].first) continue;
    Op *yield = block_terminator(region_entry(&op->regions[r]));
    next = 0;
    for (u32 i = 0; i < op->nresults; i++)
      if (keep[i]) values[next++] = op_operand(yield, i);
    op_set_operands(m, yield, values, n);
    block_move(op->regions[r].first, &made->regions[r]);
  }
  next = 0;
  for (u32 i = 0; i < op->nresults; i++)
    if (keep[i]) {
      op_result(made, next)->name = op_result(op, i)->name;
      value_replace_uses(op_result(op, i), op_result(made, next++));
    }
  op_erase(op);
}

static bool is_empty(const Region *region) {
  return !region->first || region->first->first == region->first->last;
}

/* Plans which results are computed in front of the if; false: some ops or results stay in it. With
 * `keep_tests` results on which the while's condition depends are kept. */
static bool plan_results(Op *op, Early sides[2], bool *keep, u32 *kept, bool keep_tests) {
  *kept = 0;
  for (u32 k = 0; k < 2; k++) vec_clear(&sides[k].ops);
  for (u32 i = 0; i < op->nresults; i++) {
    size_t before = sides[0].ops.len;
    keep[i] = !type_is_scalar(op_result(op, i)->type) ||
              (keep_tests && is_tested(op, op_result(op, i))) ||
              !plan_early(&sides[0], op_operand(block_terminator(sides[0].from), i));
    if (!keep[i] && !plan_early(&sides[1], op_operand(block_terminator(sides[1].from), i))) {
      sides[0].ops.len = before;
      keep[i] = true;
    }
    *kept += keep[i];
  }
  size_t rest = 0;
  for (u32 k = 0; k < 2; k++) {
    for_each_op (inner, sides[k].from) rest += inner->next != NULL;
    rest -= sides[k].ops.len;
  }
  return !*kept && !rest;
}

static void speculate_if(Speculator *s, Op *op) {
  if (!op->nresults || !is_waited_for(op)) return;
  Early sides[2] = {early_before(s, &op->regions[0], op), early_before(s, &op->regions[1], op)};
  bool *keep = NEW_ARRAY(s->m->arena, bool, op->nresults);
  u32 kept;
  if (!plan_results(op, sides, keep, &kept, false)) plan_results(op, sides, keep, &kept, true);
  if (kept < op->nresults) {
    s->changed = true;
    for (u32 k = 0; k < 2; k++) move_early(&sides[k], op);
    Builder b = builder_before(s->m, op);
    for (u32 i = 0; i < op->nresults; i++) {
      if (keep[i]) continue;
      Value *chosen =
          build_select(&b, op_operand(op, 0), op_operand(block_terminator(sides[0].from), i),
                       op_operand(block_terminator(sides[1].from), i));
      chosen->name = op_result(op, i)->name;
      value_replace_uses(op_result(op, i), chosen);
    }
    if (!kept && is_empty(&op->regions[0]) && is_empty(&op->regions[1]))
      op_erase(op);
    else
      keep_results(s->m, op, keep, kept);
  }
  for (u32 k = 0; k < 2; k++) vec_free(&sides[k].ops);
}

/* ---- stores in ifs --------------------------------------------------------------------------- */

static bool is_of_element(const Op *op, const Op *store) {
  if (op->kind != OP_MEMREF_LOAD) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (op_operand(op, i) != op_operand(store, 1 + i)) return false;
  return true;
}

/* The value of a store's element at `from`, where it was loaded before in that block; NULL: it was
 * not, or there may have been a store since. */
static Value *held_before(const Speculator *s, Op *from, const Op *store) {
  for (Op *op = from; op; op = op->prev) {
    if (is_of_element(op, store)) return op_result(op, 0);
    if (may_touch_memory(s->func, op, op_operand(store, 1), false)) return NULL;
  }
  return NULL;
}

/* May the store move in front of the ops of the if that stay? */
static bool may_pass(const Speculator *s, const Early *e, const Op *store) {
  bool good = true;
  for (Op *op = e->from->first; op != store && good; op = op->next) {
    bool goes = false;
    for (size_t i = 0; i < e->ops.len; i++) goes |= e->ops.at[i] == op;
    good = goes || !may_touch_memory(s->func, op, op_operand(store, 1), true);
  }
  return good;
}

static bool plan_store(Early *e, const Op *store) {
  for (u32 i = 0; i < store->noperands; i++)
    if (!plan_early(e, op_operand(store, i))) return false;
  return true;
}

static void convert_store(Speculator *s, Op *op, bool is_then, Op *store, Op *from) {
  Early e = early_before(s, &op->regions[!is_then], op);
  Value *held = held_before(s, from, store);
  if (held && plan_store(&e, store) && may_pass(s, &e, store)) {
    move_early(&e, op);
    Builder b = builder_before(s->m, op);
    Value *x = op_operand(store, 0);
    op_set_operand(store, 0,
                   build_select(&b, op_operand(op, 0), is_then ? x : held, is_then ? held : x));
    op_unlink(store);
    op_insert_before(op, store);
    s->changed = true;
  }
  vec_free(&e.ops);
}

/* Makes stores of an if unconditional where their elements were loaded in front of it. Stores of
 * one side may be to one element: where that side does not run, all of them store its old value. A
 * store of the other side would overwrite the element with a value loaded before them: so for that
 * side the search starts behind the converted stores (`from`), and finds that the element may have
 * changed. True where nothing is left of the if. */
static bool convert_stores(Speculator *s, Op *op) {
  if (!is_waited_for(op)) return false;
  for (u32 k = 0; k < 2; k++) {
    Op *from = op->prev;
    if (!op->regions[k].first) continue;
    for_each_op_safe (inner, region_entry(&op->regions[k]))
      if (inner->kind == OP_MEMREF_STORE) convert_store(s, op, k == 0, inner, from);
  }
  bool is_over = !op->nresults && is_empty(&op->regions[0]) && is_empty(&op->regions[1]);
  if (is_over) op_erase(op);
  return is_over;
}

/* ---- whiles ---------------------------------------------------------------------------------- */

/* Passes a value from the before region to the after region, where it is used there. */
static Op *pass_to_after(Module *m, Op *loop, Value *v) {
  Block *after = region_entry(&loop->regions[1]);
  Value *arg = NULL;
  for (Use *use = v->uses, *next; use; use = next) {
    next = use->next;
    const Op *user = use->owner;
    while (op_parent(user) != loop) user = op_parent(user);
    if (user->block != after) continue;
    if (!arg) arg = block_add_arg(m, after, v->type, v->name, v->loc);
    op_set_operand(use->owner, use_index(use), arg);
  }
  if (!arg) return loop;
  yield_more(m, block_terminator(region_entry(&loop->regions[0])), v);
  return loop_with_result(m, loop, NULL, v->type);
}

static void speculate_while(Speculator *s, Op *loop) {
  CountedLoop counted;
  if (counted_loop_match(s->m->ctx, loop, &counted)) return;
  Op *condition = block_terminator(region_entry(&loop->regions[0]));
  Early e = early_before(s, &loop->regions[1], condition);
  const Op *yield = block_terminator(e.from);
  for (u32 i = 0; i < yield->noperands; i++) plan_early(&e, op_operand(yield, i));
  for (size_t i = 0; i < e.ops.len; i++)
    for (u32 k = 0; k < e.ops.at[i]->noperands; k++) {
      const Value *v = op_operand(e.ops.at[i], k);
      if (v->is_arg && value_block(v) == e.from)
        op_set_operand(e.ops.at[i], k, op_operand(condition, 1 + v->index));
    }
  move_early(&e, condition);
  for (size_t i = 0; i < e.ops.len; i++)
    for (u32 k = 0; k < e.ops.at[i]->nresults; k++)
      loop = pass_to_after(s->m, loop, op_result(e.ops.at[i], k));
  s->changed |= e.ops.len > 0;
  vec_free(&e.ops);
}

/* ---- every if and while ---------------------------------------------------------------------- */

static bool speculate_op(LoopPass *pass, Op *op) {
  Speculator s = {.m = pass->m, .func = pass->func};
  if (op->kind == OP_SCF_IF && !convert_stores(&s, op)) speculate_if(&s, op);
  if (op->kind == OP_SCF_WHILE) speculate_while(&s, op);
  return s.changed;
}

bool speculate(Module *m, Op *func) {
  return each_op(m, func, OP_UNREGISTERED, speculate_op);
}

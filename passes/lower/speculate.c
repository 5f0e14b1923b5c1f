/* speculate.c -- values are computed before it is known which of them are wanted.
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
 * What a branch computes waits for its condition, though it may have been there long before; where
 * the result goes round a loop, each iteration waits. A select takes what is computed beside the
 * condition. What both sides need as results goes in front of an if, what an iteration hands to the
 * next in front of the condition of a while, as far as it may run early (early.c); the rest stays.
 *
 *     %old = load %x[%i]                              %old = load %x[%i]
 *     scf.if %less {                           =>     %v = arith.select %less, %new, %old
 *       store %new, %x[%i]                            store %v, %x[%i]
 *     }
 *
 * A store that waits for a condition keeps all behind it waiting for the same. Where the element
 * was loaded in front of the if, it is stored in any case, what it holds already where the source
 * does not store (if-conversion; Allen, Kennedy, Porterfield and Warren, Conversion of control
 * dependence to data dependence, 1983).
 *
 * Only ifs in loops, and none whose condition is known before the loop begins: nobody waits for
 * that. Not whiles that count, which become streams. It is not always quicker: more is computed,
 * and more loaded. So a choice of the search of -O2. Inner regions come first. Cost: linear, but
 * for the loads of a region, whose number is multiplied by that of its accesses, and for what a
 * while tests, by how much is computed from it. */
#include "lower/loops.h"

typedef struct {
  Module *m;
  Op *func;
  bool changed;
} Speculator;

static Early early_before(const Speculator *s, const Region *from, const Op *where) {
  return (Early){.m = s->m, .func = s->func, .from = region_entry(from), .where = where};
}

/* ---- ifs ------------------------------------------------------------------------------------- */

/* Adds who uses a value: each once, and as the op of this block that it is or lies in. */
static void add_users(OpList *users, const Value *v, const Block *block) {
  for (const Use *use = v->uses; use; use = use->next) {
    Op *user = use->owner;
    while (user->block != block) user = op_parent(user);
    bool is_new = true;
    for (size_t i = 0; i < users->len && is_new; i++) is_new = users->at[i] != user;
    if (is_new) vec_push(users, user);
  }
}

/* Is the test of the while around computed from this result? A select for it may simplify to the
 * condition of the if, and the test then to the same value. What stays of the if runs before the
 * end of the test, but generated code would take it for a part of what follows (csim). */
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

static bool is_waited_for(const Op *op) {
  const Op *loop = op_parent(op);
  while (loop && loop->kind == OP_SCF_IF) loop = op_parent(loop);
  if (!loop || (loop->kind != OP_SCF_FOR && loop->kind != OP_SCF_WHILE)) return false;
  for (u32 r = 0; r < loop->nregions; r++)
    if (!value_is_outside(op_operand(op, 0), &loop->regions[r])) return true;
  return false;
}

/* The same if, with those of its results that are kept. */
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

/* Plans which results are computed in front of the if; false: something of it stays. With
 * `keep_tests` those that a test is computed from are kept. */
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
      Value *choices[3] = {op_operand(op, 0), op_operand(block_terminator(sides[0].from), i),
                           op_operand(block_terminator(sides[1].from), i)};
      Value *chosen = build_1(&b, OP_ARITH_SELECT, op_result(op, i)->type, choices, 3);
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

/* ---- stores in ifs ---------------------------------------------------------------------------- */

static bool is_of_element(const Op *op, const Op *store) {
  if (op->kind != OP_MEMREF_LOAD) return false;
  for (u32 i = 0; i < op->noperands; i++)
    if (op_operand(op, i) != op_operand(store, 1 + i)) return false;
  return true;
}

/* What the element of a store held at `from`, in whose block it was loaded before; NULL: it was
 * not, or something may have been stored since. */
static Value *held_before(const Speculator *s, Op *from, const Op *store) {
  for (Op *op = from; op; op = op->prev) {
    if (is_of_element(op, store)) return op_result(op, 0);
    if (may_touch_memory(s->func, op, op_operand(store, 1), false)) return NULL;
  }
  return NULL;
}

/* Accesses that stay in the if stay behind what goes in front of it. */
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
    Value *choices[3] = {op_operand(op, 0), is_then ? x : held, is_then ? held : x};
    op_set_operand(store, 0, build_1(&b, OP_ARITH_SELECT, x->type, choices, 3));
    op_unlink(store);
    op_insert_before(op, store);
    s->changed = true;
  }
  vec_free(&e.ops);
}

/* Stores of an if to elements that were loaded in front of it: the others are stored as they were.
 * Those of one side may be of one element, as all of them store what they found where none is
 * wanted. A store of the other side would undo what the first has stored: so it comes behind those
 * of the first, which may have changed the element since. True where nothing is left of the if. */
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

/* What is computed in front of the condition is handed to the after region, where it is used there.
 * */
static Op *hand_on(Module *m, Op *loop, Value *v) {
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
      loop = hand_on(s->m, loop, op_result(e.ops.at[i], k));
  s->changed |= e.ops.len > 0;
  vec_free(&e.ops);
}

/* ---- every if and while ---------------------------------------------------------------------- */

static void speculate_region(Speculator *s, const Region *region) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      for (u32 r = 0; r < op->nregions; r++) speculate_region(s, &op->regions[r]);
      if (op->kind == OP_SCF_IF && !convert_stores(s, op)) speculate_if(s, op);
      if (op->kind == OP_SCF_WHILE) speculate_while(s, op);
    }
}

bool speculate(Module *m, Op *func) {
  Speculator s = {.m = m, .func = func};
  speculate_region(&s, &func->regions[0]);
  return s.changed;
}

/* split_sums.c -- reduction splitting: a sum that is carried through inner loops starts anew in
 * each of them.
 *
 *     scf.for %i iter_args(%s) {                   scf.for %i iter_args(%s) {
 *       %t = scf.for %j iter_args(%u = %s) {         %t = scf.for %j iter_args(%u = 0) {
 *         %v = %u + A[%i, %j]               =>         %v = %u + A[%i, %j]
 *         yield %v                                     yield %v
 *       }                                            }
 *       yield %t                                     %w = %s + %t
 *     }                                              yield %w
 *                                                  }
 *
 * On the left the inner loop starts with the sum of the previous outer iteration, so the outer
 * iterations, and copies of them (unroll_jam.c, which calls this), run one after the other. On the
 * right it starts with the neutral element, 0 for a sum, and they are independent but for one
 * operation at the end.
 *
 * Legal where the value is only used by operations of one kind on integers, associative and
 * commutative, with another operand; always, or on some paths, by selects. Floats keep their order.
 * Cost: linear in the ops that the value goes through. */
#include "lower/loops.h"

typedef struct {
  Op *loop;
  u32 operand, result;
} Entry;

typedef struct {
  const Context *ctx;
  OpKind kind; /* of all operations; arith.constant: none found yet */
  Vec(Entry) entries;
} Sum;

/* Is `op` an operation of the sum's kind? The first one decides the kind. */
static bool is_part_of_sum(Sum *s, const Op *op) {
  u64 neutral;
  if (op->noperands != 2 || op->nresults != 1 || op_attr(op, "overflowFlags")) return false;
  if (!type_is_scalar(op->results[0].type) ||
      !neutral_of((OpKind)op->kind, type_bits(s->ctx, op->results[0].type), &neutral))
    return false;
  if (s->kind == OP_ARITH_CONSTANT) s->kind = (OpKind)op->kind;
  return s->kind == (OpKind)op->kind;
}

/* The result of select %c, op(v, x), v, or with the two exchanged, if these are v's only uses; else
 * NULL. */
static Value *chosen(Sum *s, const Value *v) {
  const Use *one = v->uses, *other = one->next;
  if (other->next) return NULL;
  if (one->owner->kind != OP_ARITH_SELECT) one = other, other = v->uses;
  Op *select = one->owner, *op = other->owner;
  if (select->block != value_block(v) || op->block != select->block) return NULL;
  if (select->kind != OP_ARITH_SELECT || use_index(one) == 0 || !is_part_of_sum(s, op)) return NULL;
  if (!value_has_one_use(op_result(op, 0)) || op_result(op, 0)->uses->owner != select) return NULL;
  return use_index(op_result(op, 0)->uses) == 0 ? NULL : op_result(select, 0);
}

#define LOST UINT32_MAX

static u32 follow(Sum *s, Value *v, bool is_outer);

/* The result of the while in which before argument `at` ends up; LOST: its uses do not match. */
static u32 through_while(Sum *s, const Op *loop, u32 at) {
  const Block *before = region_entry(&loop->regions[0]), *after = region_entry(&loop->regions[1]);
  const Value *v = before->args[at];
  const Use *out = v->uses, *more = out ? out->next : NULL;
  if (!out || (more && more->next)) return LOST;
  if (more && out->owner != before->last) out = more, more = v->uses;
  if (out->owner != before->last || use_index(out) == 0) return LOST;
  u32 result = use_index(out) - 1, passed = result;
  if (more) { /* the value for the next iteration is computed in front of the condition */
    if (more->owner->block != before || !is_part_of_sum(s, more->owner)) return LOST;
    u32 operand = follow(s, op_result(more->owner, 0), false);
    if (operand == LOST || operand == 0) return LOST;
    passed = operand - 1;
    if (after->args[result]->uses || loop->results[passed].uses) return LOST;
  }
  return follow(s, after->args[passed], false) == at ? result : LOST;
}

/* The result of the loop in which its operand ends up; LOST: its uses do not match. */
static u32 through(Sum *s, const Op *loop, u32 operand) {
  if (loop->kind == OP_SCF_WHILE) return through_while(s, loop, operand);
  if (loop->kind != OP_SCF_FOR || operand < 3) return LOST;
  u32 at = operand - 3;
  return follow(s, region_entry(&loop->regions[0])->args[1 + at], false) == at ? at : LOST;
}

/* The operand of its block's terminator in which a value ends up; LOST: its uses do not match. */
static u32 follow(Sum *s, Value *v, bool is_outer) {
  while (v->uses) {
    const Use *use = v->uses;
    Op *op = use->owner;
    if (op->block != value_block(v)) return LOST;
    if (use->next) {
      if (!(v = chosen(s, v))) return LOST;
    } else if (op == op->block->last) {
      return use_index(use);
    } else if (op->nregions) {
      Entry entry = {.loop = op, .operand = use_index(use)};
      entry.result = through(s, op, entry.operand);
      if (entry.result == LOST) return LOST;
      if (is_outer) vec_push(&s->entries, entry);
      v = op_result(op, entry.result);
    } else {
      if (!is_part_of_sum(s, op)) return LOST;
      v = op_result(op, 0);
    }
  }
  return LOST;
}

/* Starts the inner loop with the neutral element, and combines its result with the old start. */
static void split(Module *m, const Sum *s, const Entry *e) {
  u64 neutral = 0;
  Value *start = op_operand(e->loop, e->operand), *end = op_result(e->loop, e->result);
  Builder b = builder_before(m, e->loop);
  neutral_of(s->kind, type_bits(m->ctx, start->type), &neutral);
  op_set_operand(e->loop, e->operand, build_literal(&b, neutral, start->type));
  b.before = e->loop->next;
  Value *both = build_2(&b, s->kind, start, start);
  value_replace_uses(end, both);
  op_set_operand(value_op(both), 1, end);
}

bool split_sums(Module *m, const Op *loop) {
  bool changed = false;
  const Block *body = region_entry(&loop->regions[0]);
  for (u32 i = 0; i < loop->nresults; i++) {
    Sum s = {.ctx = m->ctx, .kind = OP_ARITH_CONSTANT};
    bool is_sum = follow(&s, body->args[1 + i], true) == i && s.kind != OP_ARITH_CONSTANT;
    for (size_t k = 0; k < s.entries.len && is_sum; k++) split(m, &s, &s.entries.at[k]);
    changed |= is_sum && s.entries.len > 0;
    vec_free(&s.entries);
  }
  return changed;
}

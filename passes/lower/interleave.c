/* interleave.c -- interleaves several iterations of a loop in the while that is inside.
 *
 *     scf.for %i = 0 to %n {                       scf.while (%next = 0, slots) {
 *       %s0 = ... %i ...                             an iteration of the while, for slot 0
 *       %end = scf.while (%s = %s0) { ... }   =>     if it was the last: store, begin with %next
 *       memref.store %end, %out[%i]                  slots 1, 2, 3 move up; slot 0 becomes the last
 *     } {loom.copies = 4 : i32}                    }
 *
 * An iteration of a while waits for the previous one, for as many cycles as its recurrence has, and
 * meanwhile its units are idle. Where the iterations of the outer loop are independent, the units
 * can serve several of them in turn: each is in a slot, and the slots rotate as in a shift
 * register. In each round the slot in front executes one iteration of its while. So with a
 * recurrence of 20 cycles and 4 slots an iteration starts every 5 cycles, with one set of units;
 * unroll_jam.c would need four. A slot whose while has ended executes the ops behind it and takes
 * the next iteration of the outer loop, however long the other slots still need. (The principle of
 * the barrel processor: Thornton, Parallel operation in the Control Data 6600, 1964, of its
 * peripheral processors.)
 *
 * A slot holds %i, the values that the while carries, and those computed in front of the while and
 * needed later. A slot is *alive* while %i < bound; all are empty at the start. `live` counts the
 * slots alive: when it reaches 0, %i becomes -1, and when that arrives at the front, the new while
 * ends. So the test of a round uses a value that is as many rounds old as there are slots, and is
 * not on the recurrence.
 *
 *     alive = i < bound             next'  = min(next + (keep ? 0 : step), bound)
 *     keep  = alive and goes on     alive' = keep or next < bound
 *     i     = live' = 0 ? -1 : keep ? i : next        live' = live + alive' - alive
 *
 * Conditions:
 *
 *   - The outer loop carries no values, and counts signed numbers without wrapping, from a start
 *     that is not negative, by a literal step.
 *   - It contains one loop, directly in its block: a while that is not a counted loop, without
 *     loops in it.
 *   - There is no store in front of the while or in it, and no load there from a memory that may be
 *     stored to behind it.
 *   - Accesses behind it are independent of those of other iterations (depends.c), or the outer
 *     loop is loom.independent (scf.parallel).
 *
 * Ops that must not run for an empty slot, because they access memory or can trap, are put in an
 * if: by `alive`, by `keep`, or where there is a next iteration. So an iteration that traps still
 * does; but where several would, the trap of a later one may be reported, with other stores done by
 * then. Loops are marked loom.copies as for unroll_jam.c; one without a mark gets FEW_SLOTS. The
 * stage is one of the choices that -O2 tries.
 *
 * Cost: linear in the ops that it makes, and quadratic in the accesses (MAX_ACCESSES). */
#include "lower/loops.h"

enum { FEW_SLOTS = 4, MOST_SLOTS = 16 };

typedef Vec(Value *) Values;

typedef struct {
  Module *m;
  Op *outer, *loop; /* the for, and the while in it */
  Op *condition, *yield;
  Block *body, *before, *after;
  Map behind;  /* the ops of the body behind the while */
  Values kept; /* computed in front of the while, needed in it or behind */
  u32 slots;
  u32 width; /* the number of values in a slot: %i, those carried, those kept */
  Value *bound;
} Ring;

/* ---- legality -------------------------------------------------------------------------------- */

/* The while that is the only loop in the body; else NULL. */
static Op *only_while(const Op *outer) {
  const Block *body = region_entry(&outer->regions[0]);
  Op *found = NULL;
  for_each_op (op, body) {
    for (u32 r = 0; r < op->nregions; r++)
      if (has_op(&op->regions[r], is_loop)) return NULL;
    if (is_loop(op) && found) return NULL;
    if (is_loop(op)) found = op;
  }
  return found && found->kind == OP_SCF_WHILE ? found : NULL;
}

static bool counts(const Context *ctx, const Op *outer) {
  i64 step;
  return counts_up(ctx, outer) && !outer->nresults &&
         value_is_int(ctx, op_operand(outer, 2), &step) &&
         value_range(ctx, op_operand(outer, 0)).min >= 0;
}

static bool takes_scalars(const Op *op) {
  for (u32 i = 0; i < op->noperands; i++)
    if (!type_is_scalar(op_operand(op, i)->type)) return false;
  return true;
}

static bool all_are_scalars(const Ring *r) {
  for (const Op *op = r->body->first; op != r->loop; op = op->next)
    for (u32 i = 0; i < op->nresults; i++)
      if (!type_is_scalar(op->results[i].type)) return false;
  return takes_scalars(r->loop) && takes_scalars(r->condition);
}

/* Is an op of the body, or of a region in it, behind the while? */
static bool is_behind(const Ring *r, const Op *op) {
  const Op *at = op;
  u64 found;
  while (at->block != r->body) at = op_parent(at);
  return map_get(&r->behind, PTR_KEY(at), &found);
}

static bool is_apart(LoopPass *pass, const Ring *r, const Op *a, const Op *b) {
  if (!may_conflict(pass->func, a, b)) return true;
  return is_behind(r, a) && is_behind(r, b) &&
         (op_attr(r->outer, "loom.independent") || !may_meet(pass, r->outer, a, b));
}

static bool are_independent(LoopPass *pass, const Ring *r) {
  OpList accesses = {0};
  const Region *body = &r->outer->regions[0];
  bool good = gather_accesses(body, &accesses) && accesses.len <= MAX_ACCESSES;
  for (size_t i = 0; good && i < accesses.len; i++) {
    good = value_is_outside(memref_of(accesses.at[i]), body);
    for (size_t k = i; good && k < accesses.len; k++)
      good = is_apart(pass, r, accesses.at[i], accesses.at[k]);
  }
  vec_free(&accesses);
  return good;
}

static bool is_ring(LoopPass *pass, Op *outer, Ring *r) {
  CountedLoop counted;
  *r = (Ring){.m = pass->m, .outer = outer, .body = region_entry(&outer->regions[0])};
  if (!counts(pass->m->ctx, outer) || !(r->loop = only_while(outer)) ||
      counted_loop_match(pass->m->ctx, r->loop, &counted))
    return false;
  for (const Op *op = r->loop->next; op; op = op->next) map_put(&r->behind, PTR_KEY(op), 1);
  i64 slots = op_attr_int(outer, "loom.copies", FEW_SLOTS);
  r->slots = slots >= 2 && slots <= MOST_SLOTS ? (u32)slots : 0;
  r->before = region_entry(&r->loop->regions[0]), r->after = region_entry(&r->loop->regions[1]);
  r->condition = block_terminator(r->before), r->yield = block_terminator(r->after);
  return r->slots && r->loop->noperands && all_are_scalars(r) && are_independent(pass, r);
}

/* ---- the values of a slot -------------------------------------------------------------------- */

/* Moves loop-invariant ops in front of the loop, so that slots do not keep their results. */
static void hoist(const Ring *r) {
  for_each_op_safe (op, r->body) {
    bool is_fixed = op != r->body->last && is_speculatable(r->m->ctx, op);
    for (u32 i = 0; i < op->noperands; i++)
      is_fixed = is_fixed && value_is_outside(op_operand(op, i), r->body->region);
    if (is_fixed) op_unlink(op), op_insert_before(r->outer, op);
  }
}

static bool is_needed_later(const Ring *r, const Value *v) {
  for (const Use *use = v->uses; use; use = use->next)
    if (use->owner != r->loop && (op_is_inside(use->owner, r->loop) || is_behind(r, use->owner)))
      return true;
  return false;
}

static void find_kept(Ring *r) {
  for (Op *op = r->body->first; op != r->loop; op = op->next)
    for (u32 i = 0; i < op->nresults; i++)
      if (is_needed_later(r, op_result(op, i))) vec_push(&r->kept, op_result(op, i));
  r->width = 1 + r->before->nargs + (u32)r->kept.len;
}

/* The source value that value `i` of a slot stands for. */
static Value *in_slot(const Ring *r, u32 i) {
  if (i == 0) return r->body->args[0];
  return i <= r->before->nargs ? r->before->args[i - 1] : r->kept.at[i - 1 - r->before->nargs];
}

/* ---- a round --------------------------------------------------------------------------------- */

/* The ops of the source from `first` up to, but without, `end`. */
typedef struct {
  const Op *first, *end;
} Part;

static bool is_part_speculatable(const Context *ctx, Part part) {
  for (const Op *op = part.first; op != part.end; op = op->next)
    if (!is_speculatable(ctx, op)) return false;
  return true;
}

static void clone_part(Module *m, Part part, Block *to, Map *made) {
  for (const Op *op = part.first; op != part.end; op = op->next)
    op_append(to, op_clone(m, op, made));
}

/* Copies a part into an if on `wanted`; values[], of the source, become the results of the if,
 * which are `otherwise` where it is false. */
static void build_guarded(Builder *b, Part part, Value *wanted, Map *made, Value **values,
                          Value *const *otherwise, u32 n) {
  Module *m = b->m;
  Builder in;
  Op *choice = build_if(b, wanted, otherwise, n, &in);
  clone_part(m, part, in.block, made);
  for (u32 i = 0; i < n; i++) values[i] = value_mapped(made, values[i]);
  build_op(&in, OP_SCF_YIELD, values, n, NULL, 0, 0);
  for (u32 i = 0; i < n; i++) values[i] = op_result(choice, i);
}

/* Does the part compute `v`? Among the operands of the op at its end, all from its block but the
 * arguments are computed by it. */
static bool is_made_by(Part part, const Value *v) {
  return !v->is_arg && value_block(v) == part.end->block;
}

/* Copies a part to the end of a block; values[], of the source, become those of the copy. They are
 * not used where `wanted` is false: a part that must not run then is guarded, and they are 0. */
static void build_part(Builder *b, Part part, Value *wanted, Map *made, Value **values, u32 n) {
  Module *m = b->m;
  Value **of_part = NEW_ARRAY(m->arena, Value *, n), **none = NEW_ARRAY(m->arena, Value *, n);
  u32 given = 0;
  if (is_part_speculatable(m->ctx, part)) {
    clone_part(m, part, b->block, made);
  } else {
    for (u32 i = 0; i < n; i++) {
      if (!is_made_by(part, values[i])) continue;
      none[given] = build_literal(b, 0, values[i]->type);
      of_part[given++] = values[i];
    }
    build_guarded(b, part, wanted, made, of_part, none, given);
    for (u32 i = 0, k = 0; i < n; i++)
      if (is_made_by(part, values[i])) map_put(made, PTR_KEY(values[i]), PTR_KEY(of_part[k++]));
  }
  for (u32 i = 0; i < n; i++) values[i] = value_mapped(made, values[i]);
}

/* An iteration of the while: `state` becomes the carried values for the next one. Returns the value
 * `keep`: the slot is alive and its while goes on. */
static Value *build_iteration(const Ring *r, Builder *b, Value *alive, Map *made, Value **state) {
  u32 given = r->condition->noperands, carried = r->before->nargs;
  Value **values = NEW_ARRAY(r->m->arena, Value *, given);
  for (u32 i = 0; i < given; i++) values[i] = op_operand(r->condition, i);
  build_part(b, (Part){r->before->first, r->condition}, alive, made, values, given);
  Value *keep = build_2(b, OP_ARITH_ANDI, alive, values[0]);
  for (u32 i = 0; i + 1 < given; i++) {
    map_put(made, PTR_KEY(r->after->args[i]), PTR_KEY(values[1 + i]));
    map_put(made, PTR_KEY(op_result(r->loop, i)), PTR_KEY(values[1 + i]));
  }
  for (u32 i = 0; i < carried; i++) state[i] = op_operand(r->yield, i);
  build_part(b, (Part){r->after->first, r->yield}, keep, made, state, carried);
  return keep;
}

/* Fills the slot with the values that the outer loop computes in front of its while in the
 * iteration `next`, except where `keep` is true. `stays`: the slot is alive afterwards. */
static void build_refill(const Ring *r, Builder *b, Value *next, Value *keep, Value *stays,
                         Value **slot) {
  Module *m = r->m;
  u32 n = r->width - 1, carried = r->before->nargs;
  Part part = {r->body->first, r->loop};
  Map made = {0};
  Value **values = NEW_ARRAY(m->arena, Value *, n);
  for (u32 i = 0; i < n; i++)
    values[i] = i < carried ? op_operand(r->loop, i) : r->kept.at[i - carried];
  map_put(&made, PTR_KEY(r->body->args[0]), PTR_KEY(next));
  if (is_part_speculatable(m->ctx, part)) {
    build_part(b, part, NULL, &made, values, n);
    for (u32 i = 0; i < n; i++)
      if (values[i] != slot[1 + i]) values[i] = build_select(b, keep, slot[1 + i], values[i]);
  } else {
    build_guarded(b, part, build_2(b, OP_ARITH_XORI, stays, keep), &made, values, slot + 1, n);
  }
  for (u32 i = 0; i < n; i++) slot[1 + i] = values[i];
  map_free(&made);
}

/* The body of the new while, for one round; its arguments are next, live, and the slots. */
static void build_round(const Ring *r, Block *block) {
  Module *m = r->m;
  Builder b = builder_before(m, r->outer);
  b.block = block, b.before = NULL;
  u32 n = block->nargs;
  Value *next = block->args[0], *live = block->args[1], *i = block->args[2];
  const Type *type = next->type;
  Value **slot = NEW_ARRAY(m->arena, Value *, r->width), **out = NEW_ARRAY(m->arena, Value *, n);
  Map made = {0};
  for (u32 k = 0; k < r->width; k++) {
    slot[k] = block->args[2 + k];
    map_put(&made, PTR_KEY(in_slot(r, k)), PTR_KEY(slot[k]));
  }
  Value *alive = build_compare(&b, CMPI_SLT, i, r->bound);
  Value *keep = build_iteration(r, &b, alive, &made, slot + 1);
  Value *more = build_compare(&b, CMPI_SLT, next, r->bound);
  Value *stays = build_2(&b, OP_ARITH_ORI, keep, more); /* alive, afterwards */
  if (r->loop->next != r->body->last)
    build_guarded(&b, (Part){r->loop->next, r->body->last}, build_2(&b, OP_ARITH_XORI, alive, keep),
                  &made, NULL, NULL, 0);
  map_free(&made);
  build_refill(r, &b, next, keep, stays, slot);
  Value *by = build_select(&b, keep, build_int(&b, 0, type), op_operand(r->outer, 2));
  out[0] = build_2(&b, OP_ARITH_MINUI, build_2(&b, OP_ARITH_ADDI, next, by), r->bound);
  Value *born = build_1(&b, OP_ARITH_EXTUI, live->type, &stays, 1);
  Value *died = build_1(&b, OP_ARITH_EXTUI, live->type, &alive, 1);
  out[1] = build_2(&b, OP_ARITH_ADDI, live, build_2(&b, OP_ARITH_SUBI, born, died));
  Value *over = build_compare(&b, CMPI_EQ, out[1], build_int(&b, 0, live->type));
  slot[0] = build_select(&b, over, build_int(&b, -1, type), build_select(&b, keep, i, next));
  for (u32 k = 2; k < n; k++)
    out[k] = k + r->width < n ? block->args[k + r->width] : slot[k + r->width - n];
  build_op(&b, OP_SCF_YIELD, out, n, NULL, 0, 0);
}

/* ---- the new while --------------------------------------------------------------------------- */

/* Replaces the outer loop. */
static void build_ring(Ring *r) {
  Module *m = r->m;
  Op *outer = r->outer;
  Builder b = builder_before(m, outer);
  u32 n = 2 + r->slots * r->width;
  Value *start = op_operand(outer, 0), **inits = NEW_ARRAY(m->arena, Value *, n);
  Value **given = NEW_ARRAY(m->arena, Value *, 1 + (size_t)n);
  const Type **types = NEW_ARRAY(m->arena, const Type *, n);
  r->bound = op_operand(outer, 1);
  if (value_range(m->ctx, r->bound).min < value_range(m->ctx, start).max)
    r->bound = build_folded(&b, OP_ARITH_MAXSI, r->bound, start);
  inits[0] = start;
  inits[1] = build_int(&b, 0, type_int(m->ctx, 32, SIGNLESS));
  for (u32 k = 2; k < n; k++) {
    u32 at = (k - 2) % r->width;
    inits[k] = at ? build_literal(&b, 0, in_slot(r, at)->type) : r->bound;
  }
  for (u32 k = 0; k < n; k++) types[k] = inits[k]->type;
  Op *ring = build_op(&b, OP_SCF_WHILE, inits, n, types, n, 2);
  Block *blocks[2];
  for (u32 region = 0; region < 2; region++) {
    blocks[region] = block_new(m, &ring->regions[region]);
    for (u32 k = 0; k < n; k++)
      block_add_arg(m, blocks[region], types[k],
                    k < 2 ? NULL : in_slot(r, (k - 2) % r->width)->name, outer->loc);
  }
  b.block = blocks[0], b.before = NULL;
  given[0] = build_compare(&b, CMPI_SGE, blocks[0]->args[2], build_int(&b, 0, start->type));
  for (u32 k = 0; k < n; k++) given[1 + k] = blocks[0]->args[k];
  build_op(&b, OP_SCF_CONDITION, given, 1 + n, NULL, 0, 0);
  build_round(r, blocks[1]);
  op_erase(outer);
}

static bool interleave(LoopPass *pass, Op *outer) {
  Ring r;
  bool good = is_ring(pass, outer, &r);
  if (good) {
    hoist(&r);
    find_kept(&r);
    build_ring(&r);
  }
  map_free(&r.behind);
  vec_free(&r.kept);
  return good;
}

bool interleave_loops(Module *m, Op *func) {
  return each_op(m, func, OP_SCF_FOR, interleave);
}

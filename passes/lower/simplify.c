/* simplify.c -- constant folding, common subexpressions, dead code, if-conversion, loop-invariant
 * code motion: every op that remains becomes hardware.
 *
 *     %a = arith.addi %x, %c0         %a is %x                        (neutral operands)
 *     %b = arith.muli %c2, %c3        %b is the literal 6             (folding)
 *     %c = arith.addi %x, %y          %d is %c                        (equal values)
 *     %d = arith.addi %x, %y
 *     %e = k / 8 * 8 + k % 8          %e is k                         (recombination, whole.c)
 *     %r = scf.if %p -> i32 {         %s = arith.subi %x, %y
 *       %s = arith.subi %x, %y   =>   %r = arith.select %p, %s, %x    (small ifs)
 *       scf.yield %s
 *     } else { scf.yield %x }
 *
 * Two walks a round, until a round changes nothing (at most MAX_ROUNDS). Down, in dominance
 * order: fold, apply identities, merge with an equal op that dominates (a scoped hash table), and
 * rewrite regions whose outcome is known. Up, against dominance order: erase pure ops without
 * uses, and move ops out of loops where that saves nodes.
 *
 * A small if becomes selects, as a branch costs a cond_br for every value it reads and a mux for
 * every result, and a select only one node per result. Both sides are then computed, so only ops
 * that cannot trap are moved, and shifts only by literal amounts (too large an amount is poison).
 *
 * A loop-invariant op moves out of its loop only if its operands have no other use inside: in the
 * loop it costs one node and an invariant for each operand, outside one node and an invariant for
 * its result.
 *
 * Loads and stores are kept, as engines are compared by access histories; only those in code that
 * never runs are erased. Cost: linear in the program for each round. */
#include "lower/stages.h"

enum { MAX_SPECULATED = 4 };

/* ---- equal values: a hash table with scopes -------------------------------------------------- */

typedef struct {
  u64 hash;
  Op *op;
  u32 older; /* 1 + index of the next in its chain, or 0 */
} SeenOp;

/* The entries are those of the open scopes, innermost last; leaving a scope removes the newest from
 * their chains. */
typedef struct {
  Module *m;
  Vec(SeenOp) entries;
  u32 *chains; /* by the low bits of the hash: 1 + index of the newest, or 0 */
  size_t nchains;
  bool changed;
} Simplifier;

static u32 *chain_of(Simplifier *s, u64 hash) {
  return &s->chains[hash & (s->nchains - 1)];
}

static Op *find_equal(Simplifier *s, const Op *op, u64 hash) {
  for (u32 at = s->nchains ? *chain_of(s, hash) : 0; at; at = s->entries.at[at - 1].older) {
    const SeenOp *entry = &s->entries.at[at - 1];
    if (entry->hash == hash && op_is_same(entry->op, op)) return entry->op;
  }
  return NULL;
}

static void add_to_chain(Simplifier *s, size_t index) {
  u32 *chain = chain_of(s, s->entries.at[index].hash);
  s->entries.at[index].older = *chain;
  *chain = (u32)index + 1;
}

static void more_chains(Simplifier *s) {
  mem_free(s->chains);
  s->nchains = s->nchains ? 2 * s->nchains : 64;
  s->chains = mem_alloc(mem_size(s->nchains, sizeof *s->chains));
  for (size_t i = 0; i < s->entries.len; i++) add_to_chain(s, i);
}

static void remember(Simplifier *s, Op *op, u64 hash) {
  if (s->entries.len == s->nchains) more_chains(s);
  vec_push(&s->entries, ((SeenOp){.hash = hash, .op = op}));
  add_to_chain(s, s->entries.len - 1);
}

static void leave_scope(Simplifier *s, size_t entries_before) {
  while (s->entries.len > entries_before) {
    SeenOp last = vec_pop(&s->entries);
    *chain_of(s, last.hash) = last.older;
  }
}

/* ---- one op ---------------------------------------------------------------------------------- */

static bool is_pure(const Op *op) {
  return op->kind != OP_UNREGISTERED && op_has_trait(op, TRAIT_PURE) && !op->nregions;
}

static void replace_by(Simplifier *s, Op *op, Value *value) {
  value_replace_uses(op_result(op, 0), value);
  op_erase(op);
  s->changed = true;
}

/* Replaces an op whose operands are all literals by the literal it computes. */
static bool fold_literals(Simplifier *s, Op *op) {
  u64 in[EVAL_MAX_OPERANDS], out[EVAL_MAX_RESULTS];
  const Type *types[EVAL_MAX_OPERANDS];
  if (op->nresults != 1 || op->noperands == 0 || op->noperands > EVAL_MAX_OPERANDS) return false;
  if (op_info((OpKind)op->kind)->fire != FIRE_PURE) return false;
  Context *ctx = s->m->ctx;
  for (u32 i = 0; i < op->noperands; i++) {
    if (!value_is_literal(ctx, op_operand(op, i), &in[i])) return false;
    types[i] = op_operand(op, i)->type;
  }
  const Type *result = op->results[0].type;
  if (!type_is_scalar(result) || !eval_pure(ctx, (OpKind)op->kind, op, types, result, in, out))
    return false;
  Builder b = builder_before(s->m, op);
  Value *literal = build_literal(&b, out[0], result);
  literal->name = op->results[0].name;
  replace_by(s, op, literal);
  return true;
}

/* Folds ops whose result is the same for all values: a comparison of a value with itself, a
 * difference of equals, a remainder by one. */
static bool fold_known(Simplifier *s, Op *op) {
  if (op->noperands != 2) return false;
  bool equal = op_operand(op, 0) == op_operand(op, 1);
  i64 by;
  u64 bits = 0;
  switch ((OpKind)op->kind) {
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI:
    if (!value_is_int(s->m->ctx, op_operand(op, 1), &by) || by != 1) return false;
    break;
  case OP_ARITH_SUBI:
  case OP_ARITH_XORI:
    if (!equal) return false;
    break;
  case OP_ARITH_CMPI: {
    i64 predicate = op_attr_int(op, "predicate", -1);
    if (!equal) return false;
    bits = predicate == CMPI_EQ || predicate == CMPI_SLE || predicate == CMPI_SGE ||
           predicate == CMPI_ULE || predicate == CMPI_UGE;
    break;
  }
  default: return false;
  }
  if (!type_is_scalar(op->results[0].type)) return false;
  Builder b = builder_before(s->m, op);
  replace_by(s, op, build_literal(&b, bits, op->results[0].type));
  return true;
}

/* The operand that `op` is always equal to, or NULL. */
static Value *identity_of(Context *ctx, Op *op) {
  if (op->noperands == 0) return NULL;
  Value *a = op_operand(op, 0), *b = op_operand(op, op->noperands > 1); /* a where there is one */
  i64 x = -1, y = -1;
  bool x_known = value_is_int(ctx, a, &x), y_known = value_is_int(ctx, b, &y);
  switch ((OpKind)op->kind) {
  case OP_ARITH_ADDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
    if (x_known && x == 0) return b;
    return y_known && y == 0 ? a : NULL;
  case OP_ARITH_SUBI:
  case OP_ARITH_SHLI:
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI: return y_known && y == 0 ? a : NULL;
  case OP_ARITH_MULI:
    if ((x_known && x == 0) || (y_known && y == 1)) return a;
    return (y_known && y == 0) || (x_known && x == 1) ? b : NULL;
  case OP_ARITH_ANDI:
    if (a == b || (y_known && y == -1) || (x_known && x == 0)) return a;
    return (x_known && x == -1) || (y_known && y == 0) ? b : NULL;
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI: return y_known && y == 1 && type_bits(ctx, a->type) > 1 ? a : NULL;
  case OP_ARITH_MAXSI:
  case OP_ARITH_MAXUI:
  case OP_ARITH_MINSI:
  case OP_ARITH_MINUI: return a == b ? a : NULL;
  case OP_ARITH_SELECT:
    if (b == op_operand(op, 2)) return b;
    return x_known ? (x & 1 ? b : op_operand(op, 2)) : NULL;
  case OP_ARITH_BITCAST: return a->type == op->results[0].type ? a : NULL;
  case OP_ARITH_INDEX_CAST: {
    /* a cast and its inverse, where the first does not truncate */
    const Op *inner = value_def(a);
    if (!inner || inner->kind != OP_ARITH_INDEX_CAST) return NULL;
    Value *origin = op_operand(inner, 0);
    return origin->type == op->results[0].type &&
                   type_bits(ctx, a->type) >= type_bits(ctx, origin->type)
               ? origin
               : NULL;
  }
  default: return NULL;
  }
}

/* select %c, true, false is %c. */
static Value *select_of_bools(Context *ctx, Op *op) {
  i64 yes, no;
  if (op->kind != OP_ARITH_SELECT || !type_is_i1(op->results[0].type)) return NULL;
  if (!value_is_int(ctx, op_operand(op, 1), &yes) || !value_is_int(ctx, op_operand(op, 2), &no))
    return NULL;
  return (yes & 1) && !(no & 1) ? op_operand(op, 0) : NULL;
}

/* ---- regions whose outcome is known ---------------------------------------------------------- */

/* Replaces carried values that never change by their initial values. */
static void simplify_carried(Simplifier *s, Op *loop) {
  Block *body = region_entry(&loop->regions[0]);
  Op *yield = block_terminator(body);
  for (u32 i = 0; i < yield->noperands; i++) {
    Value *arg = body->args[i + 1], *init = op_operand(loop, i + 3), *next = op_operand(yield, i);
    if (next != arg && next != init) continue;
    if (!arg->uses && !op_result(loop, i)->uses) continue;
    bool is_only_yielded = arg->uses && arg->uses->owner == yield && !arg->uses->next;
    if (next == arg && is_only_yielded && !op_result(loop, i)->uses) continue;
    value_replace_uses(op_result(loop, i), init);
    value_replace_uses(arg, init);
    op_set_operand(yield, i, arg);
    s->changed = true;
  }
}

/* Replaces a loop that never runs by its initial values, and one that runs once by its body. */
static bool simplify_for(Simplifier *s, Op *op) {
  u64 trips;
  if (known_trips(s->m->ctx, op, &trips) && trips <= 1) {
    Block *body = region_entry(&op->regions[0]);
    Value **args = NEW_ARRAY(s->m->arena, Value *, body->nargs);
    args[0] = op_operand(op, 0);
    for (u32 i = 1; i < body->nargs; i++) args[i] = op_operand(op, i + 2);
    if (trips == 1) {
      splice_region(op, &op->regions[0], args);
    } else {
      for (u32 i = 0; i < op->nresults; i++) value_replace_uses(op_result(op, i), args[i + 1]);
      op_erase(op);
    }
    return s->changed = true;
  }
  simplify_carried(s, op);
  return false;
}

bool is_speculatable(const Context *ctx, const Op *op) {
  if (!is_repeatable(op)) return false;
  static const char *const promises[] = {"overflowFlags", "isExact", "nonNeg", "nneg"};
  for (size_t i = 0; i < COUNT_OF(promises); i++)
    if (op_attr(op, promises[i])) return false; /* poison if broken */
  for (u32 i = 0; i < op->nresults; i++)
    if (!type_is_scalar(op->results[i].type)) return false;
  switch ((OpKind)op->kind) {
  case OP_ARITH_SHLI:
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
  case OP_INDEX_SHL:
  case OP_INDEX_SHRS:
  case OP_INDEX_SHRU: {
    i64 amount;
    return value_is_int(ctx, op_operand(op, 1), &amount) && amount >= 0 &&
           amount < (i64)type_bits(ctx, op_operand(op, 0)->type);
  }
  case OP_ARITH_FPTOSI:
  case OP_ARITH_FPTOUI: return false; /* poison where out of range */
  default: return true;
  }
}

/* The number of ops in a branch without literals; MAX_SPECULATED + 1 where one may not move. */
static u32 speculation_cost(const Context *ctx, const Region *region) {
  const Block *block = region->first;
  u32 cost = 0;
  u64 bits;
  for (const Op *op = block ? block->first : NULL; op && op != block->last; op = op->next) {
    if (!is_speculatable(ctx, op)) return MAX_SPECULATED + 1;
    if (!(op->nresults == 1 && value_is_literal(ctx, &op->results[0], &bits))) cost++;
  }
  return cost;
}

static void hoist_all(Op *op, Region *region) {
  Block *block = region->first;
  while (block && block->first && block->first != block->last) {
    Op *inner = block->first;
    op_unlink(inner);
    op_insert_before(op, inner);
  }
}

static bool simplify_if(Simplifier *s, Op *op) {
  Context *ctx = s->m->ctx;
  Region *then_region = &op->regions[0], *else_region = &op->regions[1];
  i64 known;
  if (value_is_int(ctx, op_operand(op, 0), &known)) {
    Region *taken = known & 1 ? then_region : else_region;
    if (taken->first)
      splice_region(op, taken, NULL);
    else
      op_erase(op);
    return s->changed = true;
  }
  for (u32 i = 0; i < op->nresults; i++) {
    Value *yielded = op_operand(then_region->first->last, i);
    if (yielded != op_operand(else_region->first->last, i) || !op_result(op, i)->uses) continue;
    value_replace_uses(op_result(op, i), yielded);
    s->changed = true;
  }
  if (speculation_cost(ctx, then_region) + speculation_cost(ctx, else_region) > MAX_SPECULATED)
    return false;
  for (u32 i = 0; i < op->nresults; i++)
    if (!type_is_scalar(op->results[i].type)) return false;
  hoist_all(op, then_region);
  hoist_all(op, else_region);
  Builder b = builder_before(s->m, op);
  for (u32 i = 0; i < op->nresults; i++) {
    Value *yes = op_operand(then_region->first->last, i);
    Value *no = op_operand(else_region->first->last, i);
    Value *chosen = yes == no ? yes : build_select(&b, op_operand(op, 0), yes, no);
    if (!chosen->name) chosen->name = op->results[i].name;
    value_replace_uses(op_result(op, i), chosen);
  }
  op_erase(op);
  return s->changed = true;
}

/* Replaces before arguments of a while that never change by their initial values, and literals and
 * values from outside that scf.condition passes. */
static void simplify_while(Simplifier *s, Op *op) {
  Block *before = region_entry(&op->regions[0]), *after = region_entry(&op->regions[1]);
  Op *condition = block_terminator(before), *yield = block_terminator(after);
  for (u32 i = 0; i < before->nargs; i++) {
    Value *next = op_operand(yield, i), *init = op_operand(op, i);
    bool same = next == init;
    if (!same && next->is_arg && value_block(next) == after)
      same = op_operand(condition, next->index + 1u) == before->args[i];
    if (!same || !before->args[i]->uses) continue;
    value_replace_uses(before->args[i], init);
    s->changed = true;
  }
  for (u32 j = 0; j < after->nargs; j++) {
    Value *given = op_operand(condition, j + 1);
    u64 bits;
    /* a value from outside, or a literal: the same in the after region and behind the loop */
    bool outside = value_is_outside(given, &op->regions[0]);
    bool literal = value_is_literal(s->m->ctx, given, &bits);
    if (!outside && !literal) continue;
    if (!after->args[j]->uses && !op_result(op, j)->uses) continue;
    if (!outside) {
      Builder b = builder_before(s->m, op);
      given = build_literal(&b, bits, given->type);
    }
    value_replace_uses(after->args[j], given);
    value_replace_uses(op_result(op, j), given);
    s->changed = true;
  }
}

/* ---- down ------------------------------------------------------------------------------------ */

static void simplify_region(Simplifier *s, Region *region);

static void simplify_op(Simplifier *s, Op *op) {
  Context *ctx = s->m->ctx;
  if (op->kind == OP_SCF_IF && simplify_if(s, op)) return;
  if (op->kind == OP_SCF_FOR && simplify_for(s, op)) return;
  if (op->kind == OP_SCF_WHILE) simplify_while(s, op);
  if (is_pure(op) && op->nresults) {
    if (fold_literals(s, op) || fold_known(s, op)) return;
    Value *same = op->nresults == 1 ? identity_of(ctx, op) : NULL;
    if (!same) same = select_of_bools(ctx, op);
    if (!same) same = build_whole(s->m, op);
    if (same) {
      replace_by(s, op, same);
      return;
    }
    u64 hash = op_hash(op);
    Op *equal = find_equal(s, op, hash);
    if (equal) {
      for (u32 i = 0; i < op->nresults; i++)
        value_replace_uses(op_result(op, i), op_result(equal, i));
      op_erase(op);
      s->changed = true;
      return;
    }
    remember(s, op, hash);
  }
  for (u32 r = 0; r < op->nregions; r++) simplify_region(s, &op->regions[r]);
}

static void simplify_region(Simplifier *s, Region *region) {
  size_t entries = s->entries.len;
  for_each_block (block, region)
    for_each_op_safe (op, block) simplify_op(s, op);
  leave_scope(s, entries);
}

/* ---- up -------------------------------------------------------------------------------------- */

static bool is_used(const Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    if (op->results[i].uses) return true;
  return false;
}

enum { MAX_USES_CHECKED = 64 };

/* True where all uses of `v` inside the region are by `op`. A value with many uses is assumed to
 * have others, so that the walk stays linear. */
static bool used_only_by(const Value *v, const Op *op, const Region *region) {
  u32 checked = 0;
  for_each_use (use, v) {
    if (use->owner == op) continue;
    if (++checked > MAX_USES_CHECKED) return false;
    if (op_is_inside(use->owner, region->parent) && use->owner != region->parent) return false;
  }
  return true;
}

/* True where moving `op` in front of the loop that owns `region` saves nodes. */
static bool should_hoist(const Context *ctx, const Op *op, const Region *region) {
  u64 bits;
  if (!is_speculatable(ctx, op) || op->nresults != 1 ||
      op_info((OpKind)op->kind)->fire != FIRE_PURE)
    return false;
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *v = op_operand(op, i);
    if (value_is_literal(ctx, v, &bits)) continue;
    if (!value_is_outside(v, region) || !used_only_by(v, op, region)) return false;
  }
  return true;
}

/* Moves an op in front of the loop, and makes the literals that it uses again there. */
static void hoist(Simplifier *s, Op *op, Op *loop) {
  u64 bits;
  for (u32 i = 0; i < op->noperands; i++) {
    Value *v = op_operand(op, i);
    if (!value_is_literal(s->m->ctx, v, &bits) || value_is_outside(v, op->block->region)) continue;
    Builder b = builder_before(s->m, loop);
    op_set_operand(op, i, build_literal(&b, bits, v->type));
  }
  op_unlink(op);
  op_insert_before(loop, op);
  s->changed = true;
}

static void sweep_region(Simplifier *s, Region *region) {
  Op *parent = region->parent;
  bool in_loop = is_loop(parent);
  for_each_block (block, region) {
    for (Op *op = block->last; op;) {
      Op *before = op_prefetch_prev(op->prev);
      for (u32 r = 0; r < op->nregions; r++) sweep_region(s, &op->regions[r]);
      if (is_pure(op) && !is_used(op)) {
        op_erase(op);
        s->changed = true;
      } else if (in_loop && should_hoist(s->m->ctx, op, region)) {
        hoist(s, op, parent);
      }
      op = before;
    }
  }
}

u32 simplify_function(Module *m, Op *func) {
  u32 rounds = 0;
  for (bool changed = true; changed && rounds < MAX_ROUNDS; rounds += changed) {
    Simplifier s = {.m = m};
    simplify_region(&s, &func->regions[0]);
    sweep_region(&s, &func->regions[0]);
    vec_free(&s.entries);
    mem_free(s.chains);
    changed = s.changed;
  }
  return rounds;
}

/* clean.c -- a lean graph: equal nodes merge, nodes that nothing needs go.
 *
 *     %p = dataflow.invariant %g, %start      %p for both     (the control of a region, and the
 *     %q = dataflow.invariant %g, %start                       entry of a memory's loop)
 *     %m = handshake.mux %c [%x, %x]          %x
 *     handshake.join %a, %a, %b               handshake.join %a, %b
 *
 * A node of a dataflow graph is a function from streams to streams, state machines included: two
 * nodes of one kind with the same operands give the same streams, and one of them can serve both.
 * Loads, stores and memories are never merged, as each stands for a source access; nor are streams:
 * two loops with the same bounds that run one after the other would share one, and all iterations
 * of the second would have to queue up while the first runs.
 *
 * Needed is what a return, a store, a load or a memory depends on. Everything else goes, also when
 * it feeds itself round a loop (a carried value that is not read). That only removes consumers
 * of streams, so the other nodes still see one token where they saw one.
 *
 * Merging goes through the block in order, so what it finds is mostly known to the users when they
 * are looked at. Where a user came first (a carry) another round follows, at most MAX_ROUNDS; each
 * is linear. */
#include "lower/stages.h"

typedef Vec(Op *) Ops;

/* What Op.index says here; what other stages leave in it counts ops or values, and stays far
 * below. */
#define LOOKED_AT(round) (UINT32_MAX - (round)) /* by round 1 to MAX_ROUNDS */
#define NEEDED           LOOKED_AT(MAX_ROUNDS + 1)
#define PASSED           LOOKED_AT(MAX_ROUNDS + 2)

static bool is_mergeable(const Op *op) {
  switch ((FireClass)op_info((OpKind)op->kind)->fire) {
  case FIRE_PURE:
  case FIRE_CONSTANT:
  case FIRE_COND_BR:
  case FIRE_MUX:
  case FIRE_JOIN:
  case FIRE_GATE:
  case FIRE_CARRY:
  case FIRE_INVARIANT: return true;
  default: return false;
  }
}

/* The one value that a mux or join always equals, or NULL. Drops repeated operands of a join. */
static Value *trivial_value(Module *m, Op *op) {
  if (op->kind == OP_HANDSHAKE_MUX && op->noperands == 3) {
    Value *no = op_operand(op, 1), *yes = op_operand(op, 2);
    Op *split = value_def(no);
    bool rejoined = split && split == value_def(yes) && split->kind == OP_HANDSHAKE_COND_BR &&
                    no->index == 1 && yes->index == 0 && op_operand(split, 0) == op_operand(op, 0);
    return rejoined ? op_operand(split, 1) : NULL;
  }
  if (op->kind != OP_HANDSHAKE_JOIN) return NULL;
  Value **kept = NEW_ARRAY(m->arena, Value *, op->noperands);
  u32 n = 0;
  for (u32 i = 0; i < op->noperands; i++) {
    bool repeated = false;
    for (u32 k = 0; k < n && k < 64 && !repeated; k++) repeated = kept[k] == op_operand(op, i);
    if (!repeated) kept[n++] = op_operand(op, i);
  }
  if (n == 1) return kept[0];
  if (n < op->noperands) op_set_operands(m, op, kept, n);
  return NULL;
}

/* ---- equal ops ------------------------------------------------------------------------------- */

/* The ops met in a round, to find an equal one among them: a hash table, but one that is laid out
 * like the graph. Equal ops have the same operands, and are mostly made soon after the newest of
 * them; so an op is put near the place that corresponds to that operand's in memory, and a walk
 * along the block is a walk along the table. Only where NEAR slots there are taken it goes where
 * its hash says, and from there on in steps of its own: what lies near fills long runs of slots,
 * out of which steps of 1 would be long. (Places depend on addresses; what is found does not.) */
typedef struct {
  u32 hash, place;
  Op *op; /* NULL: empty */
} Met;

typedef struct {
  Met *slots;
  size_t cap, len; /* cap: a power of two */
  u32 round;
} MetTable;

enum { NEAR = 4, BYTES_A_SLOT = 256 /* of memory that ops take, for one slot of the table */ };

/* Most ops need no such look-up: with an operand that nobody else uses an op has no equal. */
static bool may_have_equal(const Op *op) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Use *use = &op->operands[i];
    if (!use->next && use->link == &use->value->uses) return false;
  }
  return true;
}

static u32 place_of(const Op *op) {
  uintptr_t newest = 0;
  for (u32 i = 0; i < op->noperands; i++) {
    uintptr_t operand = (uintptr_t)op_operand(op, i);
    if (operand > newest) newest = operand;
  }
  return (u32)(newest / BYTES_A_SLOT / NEAR * NEAR);
}

/* The slot of an op equal to `met.op`, or the empty one where it belongs. */
static Met *met_slot(const MetTable *table, Met met) {
  u32 step = met.hash >> 16 | 1; /* odd, so that every slot is come to */
  for (u32 k = 0;; k++) {
    u32 at = k < NEAR ? met.place + k : met.hash + k * step;
    Met *slot = &table->slots[at & (table->cap - 1)];
    if (!slot->op || (slot->hash == met.hash && op_is_same(slot->op, met.op))) return slot;
  }
}

/* An op equal to this one that was met before; NULL where there is none, and this one is now met.
 */
static Op *meet(MetTable *table, Op *op) {
  if (!may_have_equal(op)) return NULL;
  if (table->len >= table->cap / 2) {
    MetTable old = *table;
    table->cap = old.cap ? 2 * old.cap : 256;
    table->slots = mem_alloc(mem_size(table->cap, sizeof *table->slots));
    for (size_t i = 0; i < old.cap; i++)
      if (old.slots[i].op) *met_slot(table, old.slots[i]) = old.slots[i];
    mem_free(old.slots);
  }
  Met met = {.hash = (u32)op_hash(op), .place = place_of(op), .op = op};
  Met *slot = met_slot(table, met);
  if (slot->op) return slot->op;
  *slot = met;
  table->len++;
  return NULL;
}

static bool was_looked_at(const MetTable *table, const Op *op) {
  return op->index == LOOKED_AT(table->round) && is_mergeable(op);
}

/* Puts `by` in the place of a value; true where that changes an op that this round has already
 * looked at: a carry, whose back operand is made after it, or one in a ring of such. The one that
 * had `by` for itself may have equals from now on. */
static bool replace(MetTable *table, Value *old, Value *by) {
  bool seen = false;
  Op *only = value_has_one_use(by) ? by->uses->owner : NULL;
  for_each_use (use, old) seen |= was_looked_at(table, use->owner);
  value_replace_uses(old, by);
  if (only && was_looked_at(table, only)) meet(table, only);
  return seen;
}

/* True where another round may find more. */
static bool merge_round(Module *m, Block *block, u32 round) {
  MetTable met = {.round = round};
  bool again = false;
  const Op *ahead = op_some_later(block->first);
  for_each_op_safe (op, block) {
    if (ahead) op_fetch_operands(ahead), ahead = ahead->next;
    Value *same = trivial_value(m, op);
    if (same) {
      again |= replace(&met, op_result(op, 0), same);
      op_erase(op);
      continue;
    }
    op->index = LOOKED_AT(round);
    Op *equal = is_mergeable(op) ? meet(&met, op) : NULL;
    if (!equal) continue;
    for (u32 i = 0; i < op->nresults; i++)
      again |= replace(&met, op_result(op, i), op_result(equal, i));
    op_erase(op);
  }
  mem_free(met.slots);
  return again;
}

/* ---- ops that nothing needs ------------------------------------------------------------------ */

static bool is_root(const Op *op) {
  switch ((FireClass)op_info((OpKind)op->kind)->fire) {
  case FIRE_RETURN:
  case FIRE_LOAD:
  case FIRE_STORE:
  case FIRE_MEMORY:
  case FIRE_EXTMEMORY:
  case FIRE_SINK:
  case FIRE_INSTANCE: return true;
  default: return false;
  }
}

/* Marks the ops that `op` depends on. Those that the walk has passed go to `work`. */
static void need_operands(const Op *op, Ops *work) {
  for (u32 i = 0; i < op->noperands; i++) {
    Op *def = value_def(op_operand(op, i));
    if (!def || def->index == NEEDED) continue;
    if (def->index == PASSED) vec_push(work, def);
    def->index = NEEDED;
  }
}

/* Against the text what an op depends on is met after it, but for what a loop feeds back: one walk
 * finds nearly everything, and goes through memory in order. */
static void erase_unneeded(Block *block) {
  Ops work = {0}, passed = {0};
  const Op *behind = op_some_earlier(block->last);
  for (Op *op = block->last; op; op = op_prefetch_prev(op->prev)) {
    if (behind) op_fetch_operands(behind), behind = behind->prev;
    if (is_root(op)) op->index = NEEDED;
    if (op->index == NEEDED) {
      need_operands(op, &work);
    } else {
      op->index = PASSED;
      vec_push(&passed, op);
    }
    while (work.len) need_operands(vec_pop(&work), &work);
  }
  size_t unneeded = 0;
  for (size_t k = 0; k < passed.len; k++)
    if (passed.at[k]->index == PASSED) passed.at[unneeded++] = passed.at[k];
  /* first all uses among them, as they may form cycles; then the ops */
  for (size_t k = 0; k < unneeded; k++)
    for (u32 i = 0; i < passed.at[k]->noperands; i++) op_set_operand(passed.at[k], i, NULL);
  for (size_t k = 0; k < unneeded; k++) op_erase(passed.at[k]);
  vec_free(&work);
  vec_free(&passed);
}

void clean_dataflow(Module *m, Op *handshake_func) {
  Block *block = region_entry(&handshake_func->regions[0]);
  for (u32 round = 1; round <= MAX_ROUNDS && merge_round(m, block, round); round++) {
  }
  erase_unneeded(block);
}

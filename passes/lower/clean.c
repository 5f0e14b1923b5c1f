/* clean.c -- merges equal nodes of a graph (common subexpressions), and erases unneeded ones.
 *
 *     %p = dataflow.invariant %g, %start      %p for both     (the control of a region, and the
 *     %q = dataflow.invariant %g, %start                       entry of a memory's loop)
 *     %m = handshake.mux %c [%x, %x]          %x
 *     handshake.join %a, %a, %b               handshake.join %a, %b
 *
 * A node of a dataflow graph, state machines included, is a function from streams to streams: two
 * nodes of one kind with the same operands have the same result streams, and one can replace the
 * other. Loads, stores and memories are never merged, as each stands for a source access; nor are
 * dataflow.stream nodes: two loops with the same bounds that run one after the other would share
 * one, and all iterations of the second would have to be buffered while the first runs.
 *
 * Needed are the nodes that a return, a store, a load or a memory depends on. All others are
 * erased, also those on a cycle (a carried value that is not read). This only removes consumers of
 * streams, so the token counts at the remaining nodes do not change.
 *
 * Nodes are merged by a hash table in one walk over the block, in order, so that mostly an op's
 * operands are final when it is visited. Where an op precedes the definition of its operand (a
 * carry), another round follows, MAX_ROUNDS at most; each is linear. */
#include "lower/stages.h"

typedef Vec(Op *) Ops;

/* Marks in Op.index. Other stages leave numbers of ops or values in it, which are far smaller. */
#define VISITED(round) (UINT32_MAX - (round)) /* by round 1 to MAX_ROUNDS of merging */
#define NEEDED         VISITED(MAX_ROUNDS + 1)
#define PASSED         VISITED(MAX_ROUNDS + 2) /* visited by erase_unneeded, not needed so far */

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

/* The ops visited in a round: a hash table for equal ops, laid out like the graph for the sake of
 * the cache. Equal ops have the same operands, and are mostly allocated soon after the newest of
 * these; so the first NEAR slots to probe follow from the address of that operand, and a walk along
 * the block is a walk along the table. Only where these are taken the hash decides, with double
 * hashing: such places cluster, and linear probing would be slow. (The order of probing depends on
 * addresses; the op that is found does not.) */
typedef struct {
  u32 hash, place;
  Op *op; /* NULL: empty */
} SeenOp;

typedef struct {
  SeenOp *slots;
  size_t cap, len; /* cap: a power of two */
  u32 round;
} SeenTable;

enum { NEAR = 4, BYTES_A_SLOT = 256 /* of memory that ops take, for one slot of the table */ };

/* Most ops need no look-up: an op with an operand that no other op uses has no equal. */
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

/* The slot of an op equal to wanted.op, or the empty one where that belongs. */
static SeenOp *find_slot(const SeenTable *table, SeenOp wanted) {
  u32 step = wanted.hash >> 16 | 1; /* odd, so that every slot is probed */
  for (u32 k = 0;; k++) {
    u32 at = k < NEAR ? wanted.place + k : wanted.hash + k * step;
    SeenOp *slot = &table->slots[at & (table->cap - 1)];
    if (!slot->op || (slot->hash == wanted.hash && op_is_same(slot->op, wanted.op))) return slot;
  }
}

/* An equal op visited before; NULL where there is none, and `op` is then added to the table. */
static Op *find_or_add(SeenTable *table, Op *op) {
  if (!may_have_equal(op)) return NULL;
  if (table->len >= table->cap / 2) {
    SeenTable old = *table;
    table->cap = old.cap ? 2 * old.cap : 256;
    table->slots = mem_alloc(mem_size(table->cap, sizeof *table->slots));
    for (size_t i = 0; i < old.cap; i++)
      if (old.slots[i].op) *find_slot(table, old.slots[i]) = old.slots[i];
    mem_free(old.slots);
  }
  SeenOp added = {.hash = (u32)op_hash(op), .place = place_of(op), .op = op};
  SeenOp *slot = find_slot(table, added);
  if (slot->op) return slot->op;
  *slot = added;
  table->len++;
  return NULL;
}

static bool was_visited(const SeenTable *table, const Op *op) {
  return op->index == VISITED(table->round) && is_mergeable(op);
}

/* Replaces the uses of `old`; true where one of them is in an op that this round has already
 * visited: a carry, whose feedback operand is defined behind it, or an op of a cycle of such. The
 * op that was the only user of `by` was not looked up before, and can have equals from now on. */
static bool replace(SeenTable *table, Value *old, Value *by) {
  bool revisit = false;
  Op *only = value_has_one_use(by) ? by->uses->owner : NULL;
  for_each_use (use, old) revisit |= was_visited(table, use->owner);
  value_replace_uses(old, by);
  if (only && was_visited(table, only)) find_or_add(table, only);
  return revisit;
}

/* True where another round may find more. */
static bool merge_round(Module *m, Block *block, u32 round) {
  SeenTable seen = {.round = round};
  bool again = false;
  const Op *ahead = op_some_later(block->first);
  for_each_op_safe (op, block) {
    if (ahead) op_fetch_operands(ahead), ahead = ahead->next;
    Value *same = trivial_value(m, op);
    if (same) {
      again |= replace(&seen, op_result(op, 0), same);
      op_erase(op);
      continue;
    }
    op->index = VISITED(round);
    Op *equal = is_mergeable(op) ? find_or_add(&seen, op) : NULL;
    if (!equal) continue;
    for (u32 i = 0; i < op->nresults; i++)
      again |= replace(&seen, op_result(op, i), op_result(equal, i));
    op_erase(op);
  }
  mem_free(seen.slots);
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

/* In a backward walk an op comes before the ops that it depends on, feedback of loops apart: one
 * walk finds nearly all needed ops, and goes through memory in order. */
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

/* loops.h -- private to lower/: what the stages that change loops (-O1, -O2) share.
 *
 * Each of them goes over the loops of a function, changes accesses of memory, and numbers them anew
 * in the end. Each stands by itself; the table in lower.c has them in their order. */
#ifndef LOOM_LOWER_LOOPS_H
#define LOOM_LOWER_LOOPS_H

#include "lower/stages.h"

/* Loops with more accesses are left alone. */
enum { MAX_ACCESSES = 64 };

typedef Vec(Op *) OpList;

static inline bool is_access(const Op *op) {
  return op->kind == OP_MEMREF_LOAD || op->kind == OP_MEMREF_STORE;
}
/* Which operand of an access is its memref; the subscripts follow. */
static inline u32 memref_at(const Op *access) {
  return access->kind == OP_MEMREF_STORE;
}
static inline const Value *memref_of(const Op *access) {
  return op_operand(access, memref_at(access));
}

/* Puts the loads and stores inside, in textual order. False where something else in there may touch
 * memory. */
bool gather_accesses(const Region *region, OpList *to);
/* The same of one op and what is inside. */
bool gather_accesses_of(Op *op, OpList *to);
/* False where two memrefs of a function are certainly of different memories. */
bool may_be_one_memory(const Op *func, const Value *a, const Value *b);
/* Do two accesses have an order, whichever elements they touch? */
bool may_conflict(const Op *func, const Op *a, const Op *b);
/* Are both accesses of one memref, whose elements are different ones where a subscript is? They are
 * not in a view that overlaps itself, as one with strides [1, 1] does. */
bool have_comparable_subscripts(const Op *a, const Op *b);
/* May `op`, or what is inside, store to the memory of this memref, or with `loads` load from it? */
bool may_touch_memory(const Op *func, Op *op, const Value *memref, bool loads);

/* Is it a for whose variable only grows, as a signed number? */
bool counts_up(const Context *ctx, const Op *loop);
/* Is there another loop inside? */
bool has_loop(const Region *region);
/* Is `v` computed by pure ops from what is outside of a loop's body, and from variables of other
 * loops? */
bool is_fixed_in(const Value *v, const Region *body);
/* Is an element loaded and stored, by two of these, at subscripts of which none hangs on the
 * variable of the loop with this body? So its iterations follow one another. */
bool has_recurrence(const OpList *all, const Region *body);

/* Is `v` computed by pure ops without regions from values outside of `body`, and from arguments of
 * blocks in it that `takes` accepts? */
bool is_computed_from(const Value *v, const Region *body,
                      bool (*takes)(const Value *arg, const Region *body));
/* Is `v` computed from values outside of a loop's body, and from `iv` (NULL: not from that), by
 * what may also run in front of the loop? */
bool is_computable(const Value *v, const Region *body, const Value *iv);
/* Such a value, made again in front of the loop, as it is in the first iteration. */
Value *value_before_loop(Module *m, Op *loop, Value *v);

/* A load before `where` or, with a value, a store of it; it stands for `like`. */
Op *build_access(Module *m, Op *where, const Op *like, Value *memref, Value *const *subscripts,
                 Value *value);
/* A loop's body again in front of `where`, up to the op `last`, with `variable` for its own;
 * `carried` is what it is given, then what it gives. */
void copy_iteration(Module *m, const Block *body, const Op *last, Op *where, Value *variable,
                    Value **carried);
/* Rebuilds a for or if with one extra result; for a for, `init` is its initial value. Its regions
 * do not yield the result yet: yield_more. */
Op *loop_with_result(Module *m, Op *op, Value *init, const Type *type);
/* Adds an operand to a yield. */
void yield_more(Module *m, Op *yield, Value *value);

/* A for becomes so many copies of its body in a row, with its variable from its start on. */
void unroll_loop(Module *m, Op *op, u64 trips, i64 step);
/* A value that is `then`, of the if's first region, or `otherwise`, of its second, as the if
 * decides: a select in front of it, where both can be computed there by comparisons and selects
 * alone; else an extra result of the if, which is rebuilt. *op becomes the if. */
Value *build_choice(Module *m, const Op *func, Op **op, Value *then, Value *otherwise);

/* What changes nothing as an operand of such an operation, which is of integers of so many bits;
 * false: it is not associative and commutative. */
bool neutral_of(OpKind kind, u32 width, u64 *bits);
/* Sums that a for hands through the loops inside begin anew in each; true where it changed
 * something. */
bool split_sums(Module *m, const Op *loop);

/* A stage that changes the loops of one function, and asks which accesses may touch the same. */
typedef struct {
  Module *m;
  const Op *func;
  LinearSolver solver;
} LoopPass;

/* Calls `change` for each for of a function, inner ones first; true where it was for one of
 * them. */
bool each_loop(Module *m, Op *func, bool (*change)(LoopPass *pass, Op *loop));

/* May the two, inside of a for, touch the same element in different iterations of it, and one of
 * them store? Both are of memrefs from outside of it. */
bool may_meet(LoopPass *pass, const Op *loop, const Op *a, const Op *b);

/* The loop that two of one block become, in the place of the first; NULL: they stay as they are. */
Op *fuse_pair(LoopPass *pass, Op *first, Op *second);

/* What may run early, before `where`, out of the block `from`, of which nobody knows yet whether it
 * runs: `ops`, operands first. See early.c. */
typedef struct {
  Module *m;
  const Op *func, *where;
  Block *from;
  OpList ops;
} Early;

/* May iterations of a while run that the source does not run, its test before it is known whether
 * the loop goes on, and its body? *ops: how many ops they are. A loop that counts is left alone. */
bool may_run_on(const Context *ctx, const Op *func, Op *loop, u64 *ops);
/* Adds what computes `v`, if all of it may, up to arguments of the block and what is outside of its
 * region; else nothing, and false. */
bool plan_early(Early *e, const Value *v);
/* Is what it loads in bounds, by the ranges of its subscripts? */
bool load_exists(const Context *ctx, const Op *load);
/* Of an op that now does run early: a load is in bounds everywhere. */
void make_early(Module *m, const Op *func, Op *op);
/* Moves what is planned in front of `where`. */
void move_early(const Early *e, Op *where);

/* Numbers accesses that have a number (loom.access) in textual order. */
void number_accesses(Module *m, Op *func);

#endif

/* loops.h -- private to lower/: helpers of the stages that transform loops (-O1, -O2).
 *
 * Each of these stages can run alone; lower.c has their order, and renumbers the accesses after
 * each. */
#ifndef LOOM_LOWER_LOOPS_H
#define LOOM_LOWER_LOOPS_H

#include "lower/stages.h"

/* Loops with more accesses are left alone. */
enum { MAX_ACCESSES = 64 };

typedef Vec(Op *) OpList;

/* Appends the loads and stores in the region to *to, in textual order. False where another op in
 * the region may access memory. */
bool gather_accesses(const Region *region, OpList *to);
/* The same for an op and its regions. */
bool gather_accesses_of(Op *op, OpList *to);
/* False where two memrefs of a function certainly refer to different memories. */
bool may_be_one_memory(const Op *func, const Value *a, const Value *b);
/* May the two accesses be of one memory, and is one of them a store? Elements are not compared. */
bool may_conflict(const Op *func, const Op *a, const Op *b);
/* Are both accesses of one memref in which different subscripts mean different elements? That fails
 * for a view that overlaps itself, such as one with strides [1, 1]. */
bool have_comparable_subscripts(const Op *a, const Op *b);
/* May `op`, or an op in its regions, store to (with `loads`: or load from) the memory of `memref`?
 */
bool may_touch_memory(const Op *func, Op *op, const Value *memref, bool loads);

/* Is it an scf.for whose variable only grows, as a signed number? */
bool counts_up(const Context *ctx, const Op *loop);
/* Is `v` computed by pure ops from values outside of a loop's body, and from variables of other
 * loops? */
bool is_fixed_in(const Value *v, const Region *body);
/* Do a load and a store of these access one element in each iteration of the loop with this body,
 * at subscripts that do not depend on its variable? Then its iterations are serial. */
bool has_recurrence(const OpList *all, const Region *body);

/* Is `v` computed by pure ops without regions from values outside of `body`, and from arguments of
 * blocks in it that `takes` accepts? */
bool is_computed_from(const Value *v, const Region *body,
                      bool (*takes)(const Value *arg, const Region *body));
/* Is `v` computed from values outside of a loop's body, and from `iv` (NULL: not from that), by ops
 * that may also run in front of the loop? */
bool is_computable(const Value *v, const Region *body, const Value *iv);
/* Such a value, computed in front of the loop, as of the first iteration. */
Value *value_before_loop(Module *m, Op *loop, Value *v);

/* A load before `where` or, with a value, a store of it, with the location and the number of
 * `like`. */
Op *build_access(Module *m, Op *where, const Op *like, Value *memref, Value *const *subscripts,
                 Value *value);
/* Copies a loop's body in front of `where`, up to the op `last`, with `variable` for its induction
 * variable; `carried` has the carried values before the iteration, and then those after it. */
void copy_iteration(Module *m, const Block *body, const Op *last, Op *where, Value *variable,
                    Value **carried);
/* Rebuilds a for or if with one extra result; for a for, `init` is its initial value. Its regions
 * do not yield the result yet: yield_more. */
Op *loop_with_result(Module *m, Op *op, Value *init, const Type *type);
/* Adds an operand to a yield. */
void yield_more(Module *m, Op *yield, Value *value);

/* Replaces an scf.for by `trips` copies of its body. */
void unroll_loop(Module *m, Op *op, u64 trips, i64 step);
/* Merges `then`, of an if's first region, and `otherwise`, of its second: by a select in front of
 * the if, where both can be computed there by comparisons and selects alone; else by an extra
 * result of the if, which is rebuilt. *op becomes the if. */
Value *build_choice(Module *m, const Op *func, Op **op, Value *then, Value *otherwise);

/* The neutral element of an integer operation of `width` bits; false: the operation is not
 * associative and commutative. */
bool neutral_of(OpKind kind, u32 width, u64 *bits);
/* Sums that a for carries through the loops inside start anew in each of these (split_sums.c); true
 * where it changed something. */
bool split_sums(Module *m, const Op *loop);

/* The state of a stage that transforms the loops of one function. */
typedef struct {
  Module *m;
  const Op *func;
  LinearSolver solver;
} LoopPass;

/* Calls `change` for each op of a kind (OP_UNREGISTERED: of any) that has regions, inner ones
 * first; true where one call returned true. */
bool each_op(Module *m, Op *func, OpKind kind, bool (*change)(LoopPass *pass, Op *op));

/* May two accesses in an scf.for touch the same element in different iterations, one of them
 * storing? Both are of memrefs from outside of the loop. */
bool may_meet(LoopPass *pass, const Op *loop, const Op *a, const Op *b);

/* Fuses two loops of one block, and returns the fused loop; NULL: they stay as they are. */
Op *fuse_pair(LoopPass *pass, Op *first, Op *second);

/* A plan to move `ops`, operands first, out of the block `from` and before `where`, where it is not
 * known yet whether the block runs. See early.c. */
typedef struct {
  Module *m;
  const Op *func, *where;
  Block *from;
  OpList ops;
} Early;

/* May test and body of a while run in iterations that the source does not run? *ops: the number of
 * ops in both. False for a loop that counts. */
bool may_run_on(const Context *ctx, const Op *func, Op *loop, u64 *ops);
/* Adds the ops that compute `v` from arguments of the block and values outside of its region, if
 * all of them may run early; else none, and false. */
bool plan_early(Early *e, const Value *v);
/* Do the ranges of its subscripts prove that a load is in bounds? */
bool load_exists(const Context *ctx, const Op *load);
/* Makes an op safe that has been moved to run early: clamps a load's subscripts to its bounds. */
void make_early(Module *m, const Op *func, Op *op);
/* Moves the planned ops in front of `where`. */
void move_early(const Early *e, Op *where);

/* Renumbers the accesses that have a number (loom.access) in textual order. */
void number_accesses(Module *m, Op *func);

#endif

/* stages.h -- private to lower/: the entry points of the stages, and the helpers they share.
 *
 * A function starts as a func.func, which may have branches between blocks before `lift`; from
 * `structure` to `guard` its body is one block of structured ops, and from `dataflow` on it is a
 * handshake.func. The table of stages in lower.c calls the entry points. */
#ifndef LOOM_LOWER_STAGES_H
#define LOOM_LOWER_STAGES_H

#include "ir/eval.h"
#include "ir/linear.h"
#include "lower/lower.h"

/* The most rounds of a stage that iterates to a fixpoint. */
enum { MAX_ROUNDS = 8 };
/* The deepest nest of regions that inlining and `structure` may make: stages recurse over it. */
enum { MAX_NEST = 4096 };

/* The state of lowering one function. */
struct Lowering {
  Module *m;
  Op *func;          /* as the last stage left it */
  Op *source;        /* the func.func that a graph was built from; NULL before `dataflow` */
  bool serial;       /* from LowerOptions */
  const u32 *copies; /* likewise */
  u32 ncopies;
  bool has_calls;      /* the function may contain calls */
  bool simplify_again; /* it changed since `simplify`, or that did not reach a fixpoint */
  ProofReport *report;
};

/* Branches between blocks become loops and ifs; false after a diagnostic. */
bool lift_branches_of(Module *m, Op *func);
/* `calls`: the function may contain calls. Lifts the branches of callees. */
bool inline_calls(Module *m, Op *func, bool calls);
bool structure_regions(Module *m, Op *func);
/* Memrefs that a select, an if or a loop yields become numbers and a view of their one root; false
 * after a diagnostic. */
bool resolve_choices(Module *m, Op *func);
/* Returns the number of rounds that changed something; MAX_ROUNDS: not yet at a fixpoint. */
u32 simplify_function(Module *m, Op *func);

/* From here to divide_by_literals, a stage returns true where it changed something. */

/* While loops that count become for loops. */
bool raise_loops(Module *m, Op *func);
/* Short loops become copies of their bodies. */
bool unroll_loops(Module *m, Op *func);
/* Unrolls loops whose variable is in subscripts of small local arrays. */
bool unroll_for_locals(Module *m, Op *func);
/* Small local arrays become values. */
bool promote_locals(Module *m, Op *func);
/* Values that loops carry are kept in the memory elements to which they are stored at the end. */
bool expand_sums(Module *m, Op *func);
/* Loop fission: one loop becomes two, each with a part of the body. */
bool split_loops(Module *m, Op *func);
/* Loop interchange: two nested loops change places. */
bool interchange_loops(Module *m, Op *func);
/* The iterations of a loop around a while are interleaved in that while. */
bool interleave_loops(Module *m, Op *func);
/* Two nested loops become one. */
bool coalesce_loops(Module *m, Op *func);
/* Loops over the same range become one. */
bool fuse_loops(Module *m, Op *func);
/* Ops of ifs and whiles run before their conditions are known. */
bool speculate(Module *m, Op *func);
/* While loops marked loom.copies test several iterations at once. */
bool unroll_whiles(Module *m, Op *func);
/* While loops run some iterations more before they test whether they were done. */
bool overshoot_whiles(Module *m, Op *func);
/* Unroll-and-jam of loops marked loom.copies. */
bool unroll_jam(Module *m, Op *func);
/* Sums that a loop scatters over a memory are first collected in private memories. */
bool privatise(Module *m, Op *func);
/* Memory elements that a loop accesses at one address become values. */
bool scalar_replace(Module *m, Op *func);
/* Elements that an earlier iteration has stored (reuse_loaded: has loaded) are not loaded again. */
bool reuse_stored(Module *m, Op *func);
bool reuse_loaded(Module *m, Op *func);
/* Divisions by literals become products, shifts or comparisons. */
bool divide_by_literals(Module *m, Op *func);

/* Gives loops that have no loom.copies yet one from `copies`, in textual order. */
void mark_copies(Module *m, Op *func, const u32 *copies, u32 n);
/* True where `op` may run where the source does not run it: it is pure, cannot trap, and yields no
 * poison. */
bool is_speculatable(const Context *ctx, const Op *op);
/* loom.alias_group of an argument; -1: it has none. */
i64 alias_group_of(const Op *func, u32 arg);
/* Sets *changed where it changed something; false after a diagnostic. */
bool linearise_views(Module *m, Op *func, bool *changed);
/* Wraps counted loops in guards; true where it made one. */
bool guard_loops(Module *m, Op *func);
/* Builds the handshake.func of `func`, memory network included, in front of it; `func` is not
 * changed. NULL after a diagnostic. */
Op *build_dataflow(Module *m, Op *func, bool serial);
/* Merges equal nodes, and erases unneeded ones. */
void clean_dataflow(Module *m, Op *handshake_func);

/* ---- values and regions (values.c) ----------------------------------------------------------- */

/* True for the result of a constant op of scalar type, which is re-made where it is needed rather
 * than carried. Its bits go to *bits. */
bool value_is_literal(const Context *ctx, const Value *v, u64 *bits);
/* The same for an integer or index literal, sign-extended. */
bool value_is_int(const Context *ctx, const Value *v, i64 *number);
/* True where `v` is defined outside of `region` (and outside of all regions inside it). */
bool value_is_outside(const Value *v, const Region *region);
/* An arith.constant with these bits, before b->before. */
Value *build_literal(Builder *b, u64 bits, const Type *type);
/* A builder that inserts ops before `op`, with its source location. */
Builder builder_before(Module *m, Op *op);
/* The binary op `kind` on x and y, folded where both are literals or one is neutral. */
Value *build_folded(Builder *b, OpKind kind, Value *x, Value *y);

/* Builds before `op` the value that an addition of quotient and remainder gives back; NULL: it is
 * no such addition (whole.c). */
Value *build_whole(Module *m, Op *op);
/* A copy before b->before, which is in front of `loop`, of a literal defined inside the loop; any
 * other value is returned as it is. */
Value *build_outside(Builder *b, Value *v, const Op *loop);
/* The attribute of a constant with these bits. */
const Attr *literal_attr(Context *ctx, u64 bits, const Type *type);

/* Sets operandSegmentSizes: the number of operands of each of the `n` groups of an op. */
void set_operand_groups(Module *m, Op *op, const i64 *sizes, u32 n);

/* Moves all ops of `from` to the end of `to`, or in front of `where`. */
void move_ops(Block *from, Block *to);
void move_ops_before(Block *from, Op *where);
/* Builds an scf.if, whose `n` results are `otherwise` where the condition is false, and sets *then
 * to the end of its first region, which has no terminator yet. */
Op *build_if(Builder *b, Value *condition, Value *const *otherwise, u32 n, Builder *then);
/* Builds an scf.for of `n` operands, and returns its body, which has its arguments and nothing
 * else. */
Block *build_for(Builder *b, Value *const *operands, u32 n);
/* Builds a loop from 0 to `size`, and moves b to the end of its body; returns its variable. */
Value *build_loop_over(Builder *b, Value *size);
/* The values, of which there is one at least, combined by `kind` in a balanced tree, for the
 * shortest latency; values[] is overwritten. */
Value *build_tree(Builder *b, OpKind kind, Value **values, u32 n);
/* The types of an op's results, and its results, in the module's arena. */
const Type **types_of_results(Module *m, const Op *op);
Value **result_values(Module *m, Op *op);
/* Replaces the results of `op` by those of `by`, and erases `op`. */
void replace_op(Op *op, Op *by);
/* Replaces `op` by the ops of a one-block region: `args` (NULL where there are none) stand for the
 * block's arguments, the terminator's operands for the results of `op`. */
void splice_region(Op *op, Region *region, Value *const *args);

/* Is there an op of which `is` is true in the region, or in those inside it? */
bool has_op(const Region *region, bool (*is)(const Op *op));
bool is_loop(const Op *op);
/* Can the op be computed again, or where the source does not run it? It is pure, without regions,
 * and cannot trap. Its result may be poison: see is_speculatable. */
bool is_repeatable(const Op *op);

/* Calls visit(data, op) for every op inside the region, outer before inner, in textual order.
 * `visit` may erase the op it is given; ops put in its place are not visited. */
typedef void VisitFn(void *data, Op *op);
void walk_ops(Region *region, VisitFn *visit, void *data);

/* ---- ranges (range.c) ------------------------------------------------------------------------ */

/* An interval that contains an integer or index value, read as a signed number: of literals,
 * induction variables of for loops with bounded bounds, and of + - *, min, max, and, remainder,
 * shifts and extensions of such values. The range of the type for all others. */
Interval value_range(const Context *ctx, const Value *v);
/* The same, following at most `depth` definitions. */
enum { RANGE_DEPTH = 12 };
Interval value_range_at(const Context *ctx, const Value *v, int depth);

/* ---- trip counts (trips.c) ------------------------------------------------------------------- */

/* An scf.for whose operands are literals: their bits, and their type. */
typedef struct {
  u32 width; /* 1..64 */
  bool is_unsigned;
  u64 start, bound, step;
} ConstantLoop;

/* False where one of the three is no literal. */
bool constant_loop(const Context *ctx, const Op *op, ConstantLoop *loop);
/* The trip count, with wrapping taken into account; false: the loop never ends (also with a step of
 * zero, unless it does not run at all). */
bool trip_count(const ConstantLoop *loop, u64 *trips);
/* That of an scf.for; false also where it is not known. */
bool known_trips(const Context *ctx, const Op *op, u64 *trips);

typedef struct {
  Wide min, max;
} WideRange;

/* The ranges of an scf.for's operands as the loop reads them (unsigned ones are not negative), and
 * of its variable. */
typedef struct {
  WideRange start, step, bound;
  Wide past;        /* where never_wraps: the largest value of the variable, the one that ends the
                     * loop included; a loop that does not run may have a larger start */
  bool never_wraps; /* and the step is not negative */
} LoopRanges;

/* `depth`: as for value_range_at; RANGE_DEPTH unless value_range_at calls it. */
LoopRanges loop_ranges(const Context *ctx, const Op *op, int depth);

/* ---- counted loops (raise.c) ----------------------------------------------------------------- */

/* An scf.for, or a while loop that does nothing but step one variable: both become a stream. */
typedef struct {
  Op *op;
  Value *start, *step, *bound;     /* source values, all outside the loop */
  const char *step_op, *cont_cond; /* as dataflow.stream has them */
  Block *body;
  u32 stepped; /* of a while: the index of the before argument that is stepped, */
  Value *from; /* and the body argument that the step is added to */
} CountedLoop;

/* arith.cmpi's predicate for a stream's condition: slt for "<". */
CmpiPredicate condition_predicate(const char *cont_cond);
/* True where `op` is an scf.for over signed numbers of index, or an scf.while of that shape. */
bool counted_loop_match(const Context *ctx, Op *op, CountedLoop *loop);
/* True where constants or ranges prove that the loop runs at least once; *reason (may be NULL)
 * becomes "constant" or a phrase that names the ranges. */
bool counted_loop_runs(Module *m, const CountedLoop *loop, const Str **reason);

/* Wraps the loop in `if (start < bound)` (guard.c); loop->op is then inside. */
void guard_loop(Module *m, const CountedLoop *loop);

/* ---- accesses: loads and stores -------------------------------------------------------------- */

static inline bool is_access(const Op *op) {
  return op->kind == OP_MEMREF_LOAD || op->kind == OP_MEMREF_STORE;
}
/* Which operand of an access is its memref; the subscripts follow. */
static inline u32 memref_at(const Op *access) {
  return access->kind == OP_MEMREF_STORE;
}
static inline Value *memref_of(const Op *access) {
  return op_operand(access, memref_at(access));
}
static inline u32 rank_of(const Op *access) {
  return access->noperands - memref_at(access) - 1;
}
/* The subscript in dimension `d`; with one linear index, that is its address. */
static inline Value *subscript_of(const Op *access, u32 d) {
  return op_operand(access, memref_at(access) + 1 + d);
}

/* ---- dependences (depends.c) ----------------------------------------------------------------- */

/* True where access `second` never touches, in any iteration of `loop`, an element that `first`
 * has touched in an earlier one. Both are loads or stores inside the loop, of one memory, with one
 * linear index. */
bool access_is_not_met(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *first,
                       const Op *second);

/* True where a in one iteration of `loop` and b in another or the same one never touch the same
 * element. Both are accesses of one memref value, with one subscript per dimension, in bounds. */
bool access_avoids(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *a,
                   const Op *b);
/* The same for one execution of the region `common`, which contains both accesses, in different ops
 * of its block. */
bool accesses_apart(const Context *ctx, LinearSolver *solver, const Region *common, const Op *a,
                    const Op *b);
/* True where b in an iteration of the loop `second` never touches the element that a touches in a
 * later iteration of `first`: two loops of one block over the same range, without wrapping, and
 * accesses as above. */
bool accesses_ordered(const Context *ctx, LinearSolver *solver, const Op *first, const Op *second,
                      const Op *a, const Op *b);
/* True where the two accesses have no dependence of direction (<, >) in a nest of two loops: in
 * iterations (i, j) and (i', j') with i < i' and j > j', one of them in the one and the other in
 * the other never touch the same element. Accesses as above, inside both loops, which do not wrap.
 */
bool accesses_interchange(const Context *ctx, LinearSolver *solver, const Op *outer,
                          const Op *inner, const Op *a, const Op *b);

#endif

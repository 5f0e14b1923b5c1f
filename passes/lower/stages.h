/* stages.h -- private to lower/: what the stages share.
 *
 * A function comes as a func.func, with branches between blocks before `lift`; from `structure` to
 * `guard` its body is one block of structured ops, and from `dataflow` on it is a handshake.func.
 * The table of stages, lower.c, calls what is declared here. */
#ifndef LOOM_LOWER_STAGES_H
#define LOOM_LOWER_STAGES_H

#include "ir/eval.h"
#include "ir/linear.h"
#include "lower/lower.h"

/* Rounds of a stage that goes on until nothing changes. */
enum { MAX_ROUNDS = 8 };

/* One function on its way through the stages. */
struct Lowering {
  Module *m;
  Op *func;          /* as the last stage left it */
  Op *source;        /* of a graph: the func.func that it was made of; NULL before */
  bool serial;       /* as of LowerOptions */
  const u32 *copies; /* likewise */
  u32 ncopies;
  bool has_calls;      /* there may be calls in it */
  bool simplify_again; /* the function changed since, or did not reach a fixpoint */
  ProofReport *report;
};

/* Branches between blocks become loops and ifs; false after a diagnostic. */
bool lift_branches_of(Module *m, Op *func);
/* `calls`: there may be calls in it. Lifts the branches of callees. */
bool inline_calls(Module *m, Op *func, bool calls);
bool structure_regions(Module *m, Op *func);
/* Memrefs that a select, an if or a loop gives become numbers and a view of their one root. */
bool resolve_choices(Module *m, Op *func);
/* An operation of the index dialect becomes that of arith; others stay (index.c). */
void index_as_arith(Module *m, Op *op);
/* How many rounds changed something; MAX_ROUNDS: another may do so too. */
u32 simplify_function(Module *m, Op *func);
/* True where it changed something. */
bool raise_loops(Module *m, Op *func);
/* Short loops become copies of their bodies; true where it changed something. */
bool unroll_loops(Module *m, Op *func);
/* Loops that count the subscripts of small local arrays are unrolled; true where it changed
 * something. */
bool unroll_for_locals(Module *m, Op *func);
/* Small local arrays become values; true where it changed something. */
bool promote_locals(Module *m, Op *func);
/* Values that loops hand round live in the elements where they are stored; true where it changed
 * something. */
bool expand_sums(Module *m, Op *func);
/* A loop's body goes into two loops, one behind the other; true where it changed something. */
bool split_loops(Module *m, Op *func);
/* Two loops, one in the other, change places; true where it changed something. */
bool interchange_loops(Module *m, Op *func);
/* Iterations of a loop with a while inside take turns in that; true where it changed something. */
bool interleave_loops(Module *m, Op *func);
/* A loop in a loop becomes one loop; true where it changed something. */
bool coalesce_loops(Module *m, Op *func);
/* Loops over the same range become one; true where it changed something. */
bool fuse_loops(Module *m, Op *func);
/* True where `op` may run where the source does not run it: it is pure, cannot trap, and gives no
 * poison. */
bool is_speculatable(const Context *ctx, const Op *op);
/* What ifs and whiles compute, they compute before they know that it is wanted; true where it
 * changed something. */
bool speculate(Module *m, Op *func);
/* While loops that are marked so test several iterations at once; true where it changed something.
 */
bool unroll_whiles(Module *m, Op *func);
/* While loops go on for some rounds before they ask whether they are over; true where it changed
 * something. */
bool overshoot_whiles(Module *m, Op *func);
/* Iterations of loops that are marked so go on side by side; true where it changed something. */
bool unroll_jam(Module *m, Op *func);
/* Sums that a loop scatters over a memory go into private memories first; true where it changed
 * something. */
bool privatise(Module *m, Op *func);
/* Marks loops, in textual order, that have no mark yet. */
void mark_copies(Module *m, Op *func, const u32 *copies, u32 n);
/* Elements that a loop uses at one address become values; true where it changed something. */
bool scalar_replace(Module *m, Op *func);
/* What an iteration has stored, the next one does not load; the second: nor what it has loaded.
 * True where they changed something. */
bool reuse_stored(Module *m, Op *func);
bool reuse_loaded(Module *m, Op *func);
/* Divisions by literals become products, shifts or comparisons; true where it changed something. */
bool divide_by_literals(Module *m, Op *func);
/* loom.alias_group of an argument; -1: it has none. */
i64 alias_group_of(const Op *func, u32 arg);
/* *changed becomes true where it changed something. */
bool linearise_views(Module *m, Op *func, bool *changed);
/* True where it made a guard. */
bool guard_loops(Module *m, Op *func);
/* Makes the handshake.func of `func`, memory network included, in front of it; `func` stays as it
 * is. NULL after a diagnostic. */
Op *build_dataflow(Module *m, Op *func, bool serial);
void clean_dataflow(Module *m, Op *handshake_func);

/* ---- small questions about values (values.c) ------------------------------------------------- */

/* A value that is re-made where it is needed rather than carried: the result of a constant op of
 * scalar type. Its bits go to *bits. */
bool value_is_literal(const Context *ctx, const Value *v, u64 *bits);
/* The same for an integer or index literal, sign-extended. */
bool value_is_int(const Context *ctx, const Value *v, i64 *number);
/* True where `v` is defined outside of `region` (and outside of all regions inside it). */
bool value_is_outside(const Value *v, const Region *region);
/* An arith.constant with these bits, before b->before. */
Value *build_literal(Builder *b, u64 bits, const Type *type);
/* A builder that puts ops before `op` and gives them its place. */
Builder builder_before(Module *m, Op *op);
/* The binary op `kind` on x and y, folded where both are literals or one is neutral. */
Value *build_folded(Builder *b, OpKind kind, Value *x, Value *y);

/* What a sum of a quotient and a remainder is, before it; NULL: it is of other things (whole.c). */
Value *build_whole(Module *m, Op *op);
/* Of a literal that is defined inside `loop` a copy before b->before, which is in front of the
 * loop; any other value itself. */
Value *build_outside(Builder *b, Value *v, const Op *loop);
/* The attribute of a constant with these bits. */
const Attr *literal_attr(Context *ctx, u64 bits, const Type *type);

/* operandSegmentSizes: how many operands each of the `n` groups of an op has. */
void set_operand_groups(Module *m, Op *op, const i64 *sizes, u32 n);

/* All ops of `from` to the end of `to`. */
void move_ops(Block *from, Block *to);
/* The types of an op's results, and its results, in the module's arena. */
const Type **types_of_results(Module *m, const Op *op);
Value **result_values(Module *m, Op *op);
/* Results of `by` take the place of those of `op`, which goes. */
void replace_op(Op *op, Op *by);
/* Puts the ops of a one-block region in the place of `op`, which goes: `args` (NULL where there are
 * none) take the place of the block's arguments, the terminator's operands that of op's results. */
void splice_region(Op *op, Region *region, Value *const *args);

/* Calls visit(data, op) for every op inside the region, outer before inner, in textual order.
 * `visit` may erase the op it is given; ops put in its place are not visited. */
typedef void VisitFn(void *data, Op *op);
void walk_ops(Region *region, VisitFn *visit, void *data);

/* ---- ranges (range.c) ------------------------------------------------------------------------ */

/* The least interval that simple reasoning gives for an integer or index value, as a signed
 * number: literals, induction variables of for loops with bounded bounds, + - *, min, max, and,
 * remainder, shifts and widening by such. The whole range of the type where it knows nothing. */
Interval value_range(const Context *ctx, const Value *v);
/* The same, looking at most `depth` ops deep. */
enum { RANGE_DEPTH = 12 };
Interval value_range_at(const Context *ctx, const Value *v, int depth);

/* ---- trip counts (trips.c) ------------------------------------------------------------------- */

/* An scf.for whose operands are literals: their bits, and the type they are of. */
typedef struct {
  u32 width; /* 1..64 */
  bool is_unsigned;
  u64 start, bound, step;
} ConstantLoop;

/* False where one of the three is no literal. */
bool constant_loop(const Context *ctx, const Op *op, ConstantLoop *loop);
/* How often its body runs, every wrap on the way included; false: it never ends (a step of zero is
 * such a loop, too, unless it does not run at all). */
bool trip_count(const ConstantLoop *loop, u64 *trips);

typedef struct {
  Wide min, max;
} WideRange;

/* What is known of an scf.for: its operands as the loop reads them (unsigned ones are not
 * negative), and how far its variable can get. */
typedef struct {
  WideRange start, step, bound;
  Wide past;        /* where never_wraps: no value of the variable is larger, the last included,
                     * unless the loop does not run and it is the start */
  bool never_wraps; /* and the step is not negative */
} LoopRanges;

/* `depth`: as for value_range_at; RANGE_DEPTH unless called from there. */
LoopRanges loop_ranges(const Context *ctx, const Op *op, int depth);

/* ---- counted loops (raise.c) ----------------------------------------------------------------- */

/* What scf.for and a while loop that only steps one variable have in common: a stream. */
typedef struct {
  Op *op;
  Value *start, *step, *bound;     /* source values, all outside the loop */
  const char *step_op, *cont_cond; /* as dataflow.stream has them */
  Block *body;
  u32 stepped; /* while: which before argument is the stepped one, */
  Value *from; /* and the argument of the body that the step is from */
} CountedLoop;

/* arith.cmpi's predicate of a stream's condition: "<" is slt. */
CmpiPredicate condition_predicate(const char *cont_cond);
/* True where `op` is an scf.for over signed numbers of index, or an scf.while of that shape. */
bool counted_loop_match(const Context *ctx, Op *op, CountedLoop *loop);
/* True where constants or ranges prove that it runs at least once; *reason (may be NULL) becomes
 * "constant" or a phrase that names the ranges. */
bool counted_loop_runs(Module *m, const CountedLoop *loop, const Str **reason);

/* Wraps it in its guard (guard.c); the same op is then inside. */
void guard_loop(Module *m, const CountedLoop *loop);

/* ---- dependences (depends.c) ----------------------------------------------------------------- */

/* True where no iteration of `loop` makes access `second` touch an element that access `first` has
 * touched in an earlier one; both are memref.load/store with one linear index, inside, of one
 * memory. */
bool access_is_not_met(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *first,
                       const Op *second);

/* True where no two iterations of `loop`, the same one twice included, make access a (in one) and
 * access b (in the other) touch the same element. Both are accesses of one memref value, with a
 * subscript a dimension, and in bounds. */
bool access_avoids(const Context *ctx, LinearSolver *solver, const Op *loop, const Op *a,
                   const Op *b);
/* The same for one execution of the region `common`, in which both are, in different ops of its
 * block. */
bool accesses_apart(const Context *ctx, LinearSolver *solver, const Region *common, const Op *a,
                    const Op *b);
/* True where no iteration of the loop `second` makes access b touch what a later iteration of
 * `first` makes a touch: two loops of one block over the same range, without wrapping, and accesses
 * as above. */
bool accesses_ordered(const Context *ctx, LinearSolver *solver, const Op *first, const Op *second,
                      const Op *a, const Op *b);
/* True where no two iterations (i, j) and (i', j') of the nest of two loops, i < i' and j > j',
 * make one of the accesses (in one) and the other (in the other) touch the same element: direction
 * vector (<, >). Accesses as above, inside of both; loops that do not wrap. */
bool accesses_interchange(const Context *ctx, LinearSolver *solver, const Op *outer,
                          const Op *inner, const Op *a, const Op *b);

#endif

/* ref_code.h -- private to the reference interpreter: the decoded program and the state of a run.
 *
 *   ref_decode.c   a func.func becomes a Function: operands found, constants put in place
 *   ref_memref.c   memories, views, loads and stores
 *   ref.c          all other ops, regions and calls, and the entry points
 *
 * A Function mirrors the source one to one: an op is a Step, a block a Body, and a region is
 * represented by its first Body. Nothing is rewritten; decoding only saves repeated look-ups: of an
 * operand's slot, of the function that evaluates an op, of the op that a symbol names.
 *
 * Values live in a frame of u64 slots, one frame for each call that is running. A scalar has one
 * slot. A memref has several: its buffer, its offset, its sizes, its strides. So a view is a few
 * additions, and passing a memref around copies the slots. Constants (and the addresses of
 * globals) are in the frame from the start, so they need no steps.
 */
#ifndef LOOM_RUN_REF_CODE_H
#define LOOM_RUN_REF_CODE_H

#include "ir/eval.h"
#include "run/layout.h"
#include "run/ref.h"

typedef struct Ref Ref;
typedef struct Step Step;
typedef struct Body Body;
typedef struct Function Function;

/* Runs one op on a frame; false when the run has ended (r->status says why). */
typedef bool Action(Ref *r, const Step *step, u64 *frame);

/* Slots to be copied at once: all sources are read before a target is written. */
typedef struct {
  u32 from, to;
} Move;

typedef struct {
  Move *at;
  u32 n;
  bool overlap; /* a target is also a source */
} Moves;

/* scf.for; the values it carries are in the slots of its body's arguments. */
typedef struct {
  Body *body;
  Moves enter, leave; /* initial values to arguments, arguments to results */
  u32 iv;
  u8 width; /* bits of the variable */
  bool is_unsigned;
} ForLoop;

/* scf.while: the values of scf.condition go to the arguments of the after region. */
typedef struct {
  Body *before, *after;
  Moves enter, leave; /* initial values to before's arguments, after's arguments to results */
  u32 condition;
  u32 iteration; /* slot of a counter, for messages */
} WhileLoop;

/* scf.parallel and scf.forall, iterated in row-major order; reductions start in the results. */
typedef struct {
  Body *body;
  Moves enter;
  u32 rank;
  const u32 *lower, *upper, *step, *iv; /* slots, one a dimension */
} ParallelLoop;

/* One operand of an scf.reduce. */
typedef struct {
  Body *body;
  Moves operands; /* the partial result and the operand to the region's arguments */
} Reduction;

typedef struct {
  u32 n;
  Reduction *at;
} Reductions;

/* The regions of scf.if and scf.index_switch, to choose from; scf.execute_region has one. */
typedef struct {
  u32 n;
  const i64 *cases; /* index_switch: of regions 1 and up */
  Body **bodies;    /* NULL: an empty else */
} Choice;

typedef struct {
  Function *callee;
  Moves arguments; /* from slots of the caller to slots of the callee */
  Moves results;   /* from slots of the callee to slots of the caller */
} RefCall;

struct Step {
  Action *run;
  const Op *op;
  const u32 *in; /* slots of its operands */
  u32 out;       /* slot of its first result; the others follow */
  u32 number;    /* load, store, copy, call: of its first access in the function */
  union {
    EvalOp eval;
    Moves moves;
    ForLoop *loop;
    WhileLoop *while_loop;
    ParallelLoop *parallel;
    Reductions *reductions;
    Choice *choice;
    RefCall *call;
    struct {
      u32 rank; /* load, store */
    } access;
    struct {
      u32 slot; /* alloc: slot of the buffer of its last execution; 0: not reused */
    } local;
  };
};

typedef struct {
  Body *body;
  Moves arguments;
} Target;

struct Body {
  Step *steps;
  u32 nsteps;
  Moves leave; /* the terminator's operands to slots of the op that owns the region */
  const Op *terminator;
  u32 ntargets; /* 0: leaves the region */
  Target *targets;
  u32 selector;     /* slot of the value that chooses the target */
  const u64 *cases; /* cf.switch: of targets 1 and up; NULL: cf.br, cf.cond_br */
};

/* A load or store of a function, or a call, for those of its callee. */
typedef struct {
  const Function *callee; /* NULL: a load or store */
  u64 first;              /* its number, or that of the first of the callee */
  Loc loc;
  bool is_store;
  const Type *type;
} ElementAccess;

struct Function {
  const Op *op;
  Body *body;
  Vec(u64) initial; /* the frame at the start: constants; its length is the frame's */
  Vec(u32) locals;  /* slots that remember buffers to free at the end */
  Vec(ElementAccess) accesses;
  u64 naccesses;       /* with those of its callees */
  u32 *args, *results; /* slots of arguments, and of the values that return gives */
  bool decoding;
};

/* One memory. */
typedef struct Buffer {
  struct Buffer *next, **link;
  Array *array; /* held; NULL once the elements are gone */
  void *data;   /* the array's */
  u8 bytes;     /* of an element */
  bool is_own;  /* this is the array's only holder: it may be written */
  u64 n;        /* elements that may be used: 0 once it was freed */
  u64 size;     /* elements it has */
  bool freed;
  Loc made, freed_at;
} Buffer;

struct Ref {
  Context *ctx;
  const Module *module;
  const RunOptions *options;
  RunResult *result;
  RunStatus status;

  Arena *arena;  /* of the decoded functions */
  Map slots;     /* Value to slot; scf.while to its count; Block to its Body's number */
  Map functions; /* func.func to its index in `decoded` */
  Map symbols;   /* name of a function or global to its op */
  Map globals;   /* memref.global to Buffer */
  Vec(Function *) decoded;
  Map ranks;   /* Block to its place in program order, in functions with branches */
  bool ranked; /* the function being decoded has branches, and `ranks` has its blocks */
  bool dead;   /* the block being decoded cannot be reached: its accesses have no numbers */
  bool recursive;
  bool numbered, linear; /* a stage of lowering: see ref_run_stage */

  Buffer *buffers;
  u64 live;     /* elements in all buffers */
  u64 *scratch; /* for moves that overlap */
  u32 nscratch;
  u32 depth;      /* regions being run (or decoded) inside one another */
  u32 call_notes; /* "called from here" notes of a trap so far */

  u64 steps, check_at; /* ops executed; the number of them at which limits are next checked */
  double started;
  RunAccess *accesses; /* NULL: no histories */
  u64 first_access;    /* number of the running call's access 0 */
  unsigned address_bytes;
};

/* Depth of nested regions that are run (or decoded), over all calls: it bounds the C stack. A call
 * is made only while MAX_NESTED levels are left, which is more than one function has. */
enum { REF_MAX_LEVELS = 4000, MAX_NESTED = 300 };

/* With more accesses, calls inlined, there are no histories. */
enum { REF_MAX_ACCESSES = 1 << 20 };

/* ---- ref_decode.c ---------------------------------------------------------------------------- */

/* The function decoded, with all it calls; NULL after a diagnostic. */
Function *ref_decode(Ref *r, const Op *func);
u32 ref_slot(const Ref *r, const Value *value);
/* Slots a value of this type takes. */
u32 ref_words(const Type *type);

/* ---- ref.c ----------------------------------------------------------------------------------- */

/* Ends the run with an error at the step's op, and notes the iteration. Returns false. */
PRINTF_LIKE(5, 6)
bool ref_trap(Ref *r, const Step *step, const u64 *frame, Code code, const char *format, ...);

/* Checks the limits, once r->steps has reached r->check_at; false when the run has ended. */
bool ref_within_limits(Ref *r, const Op *op);

Action ref_pure_1, ref_pure_2, ref_pure_3, ref_for, ref_while, ref_parallel, ref_reduce, ref_if,
    ref_index_switch, ref_region, ref_call, ref_assert, ref_unreachable, ref_poison, ref_copy_slots,
    ref_select;

/* ---- ref_memref.c ---------------------------------------------------------------------------- */

/* Makes a buffer of an array, and takes over the reference to that. */
Buffer *ref_buffer(Ref *r, Array *array, Loc made);
void ref_buffers_free(Ref *r);
/* Frees the buffer of an alloc when its function returns. */
void ref_release(Ref *r, Buffer *buffer);
/* Writes a memref into its slots. */
void ref_put_view(const Type *type, Buffer *buffer, const ElementLayout *layout, u64 *slots);

/* The memory of a memref.global, filled; NULL where its type cannot be laid out. */
Buffer *ref_global(Ref *r, const Op *global, ElementLayout *layout);

Action ref_load_linear, ref_store_linear, ref_load, ref_store, ref_copy, ref_alloc, ref_dealloc,
    ref_dim, ref_rank, ref_cast, ref_subview, ref_reinterpret_cast, ref_collapse_shape,
    ref_expand_shape, ref_transpose, ref_extract_strided_metadata;

#endif

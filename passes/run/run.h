/* run.h -- what every engine is asked and what it answers.
 *
 * An engine takes a program, a Case (its arguments) and RunOptions, and fills a RunResult: how the
 * run ended, the results, the final contents of the memories it was given, and the histories of
 * the program's memory accesses. Two engines are compared by comparing two RunResults; a run is
 * compared with a case's expectation by case_compare.
 *
 * Trouble is reported as diagnostics when it happens (RT_ codes); the status says which kind it
 * was.
 */
#ifndef LOOM_RUN_RUN_H
#define LOOM_RUN_RUN_H

#include "run/array.h"
#include "run/history.h"

typedef enum {
  RUN_FINISHED, /* everything there was to give was given, and nothing is left behind */
  RUN_LEFTOVER, /* finished, but tokens are left or a state machine stopped halfway (graphs) */
  RUN_DEADLOCK, /* nothing can fire, but results are missing (graphs) */
  RUN_TRAP,     /* division by zero, out of bounds, zero step, poison under strict, ... */
  RUN_LIMIT,    /* a limit of RunOptions was reached */
  RUN_REFUSED   /* never started: the case does not fit the function, or the engine cannot run an
                   op of it */
} RunStatus;

/* {0} is a good default but has no limit; run_options() has the command line's. */
typedef struct {
  u64 max_steps;      /* ops executed (ref) or firings (graphs); 0: no limit */
  double max_seconds; /* of wall time; 0: no limit */
  bool histories;     /* record the accesses' histories; an engine may record edges too */
  bool keep;          /* and keep every entry of them, not only count and hash */
  bool strict;        /* stop where MLIR says poison (RT_POISON) */
} RunOptions;

RunOptions run_options(void); /* 10^12 steps, no time limit, histories on */

/* The tokens of one result, in order; a source program gives exactly one, a graph any number. */
typedef struct {
  const Type *type;
  Vec(u64) tokens;
} RunTokens;

/* The final contents of the memory behind one memref argument, in row-major order of the argument's
 * shape. Where nothing was stored the array may be the case's own. */
typedef struct {
  u32 arg; /* which argument */
  const Type *elem;
  Array *array; /* held */
  u32 rank;
  const i64 *shape; /* as long as the case */
} RunMemory;

/* One load or store of the source, numbered in textual pre-order of the inlined function. */
typedef struct {
  bool present; /* false: this engine has no such access (a graph dropped it) */
  bool is_store;
  u8 address_bytes, value_bytes;
  const Type *type; /* of the value */
  Loc loc;
  History history;
} RunAccess;

typedef struct {
  RunStatus status;
  Vec(RunTokens) results;  /* one a result that is not `none` */
  Vec(RunMemory) memories; /* one a memref argument, in order of the arguments */
  Vec(RunAccess) accesses; /* index is the access's number */
  bool observable;         /* accesses are meaningful (asked for, and the program has numbers) */
  Code trap;               /* ref, where it trapped: which trap */
  u64 steps;               /* ops executed, or firings */
  u64 loads, stores;       /* memory elements read and written */
  double seconds;          /* of running alone: no parsing, no preparing */
} RunResult;

void run_result_free(RunResult *result);

/* What tokens.at[i] is of: the type itself, or the scalar that stands there in a tuple, whose
 * tokens are their scalars in a row. */
const Type *run_scalar_type(const Context *ctx, const RunTokens *tokens, size_t i);
/* How many there are, where word 0 of a tagged value of two words (run/value.h) stands for it. */
size_t run_count(const Context *ctx, const RunTokens *tokens);

/* The access of a number; makes room for it (and those below, absent) where needed. The pointer
 * is good until the next call. */
RunAccess *run_access(RunResult *result, u32 number);

/* Says in diagnostics (RT_ENGINES_DIFFER) where two engines that ran the same thing disagree, the
 * first few differences of each kind; true where they agree in status, results, memories and
 * accesses. `a` and `b` name the engines in messages. */
bool run_compare(Context *ctx, const char *a, const RunResult *ra, const char *b,
                 const RunResult *rb);

#endif

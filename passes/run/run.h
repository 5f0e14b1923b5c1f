/* run.h -- the options and the result of a run, the same for every engine.
 *
 * An engine takes a program, a Case (its arguments) and RunOptions, and fills a RunResult: how the
 * run ended, the results, the final contents of the memories it was given, and the histories of
 * the program's memory accesses. Two engines are compared by comparing two RunResults; a run is
 * compared with a case's expectation by case_compare.
 *
 * Failures are reported as diagnostics when they happen (RT_ codes); the status gives the kind.
 */
#ifndef LOOM_RUN_RUN_H
#define LOOM_RUN_RUN_H

#include "run/array.h"
#include "run/history.h"

typedef enum {
  RUN_FINISHED, /* all results are there, and (graphs) no tokens are left */
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
  u32 arg; /* number of the argument */
  const Type *elem;
  Array *array; /* held */
  u32 rank;
  const i64 *shape; /* lives as long as the case */
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
  bool observable;         /* accesses are recorded: wanted, and the program has numbers */
  Code trap;               /* ref, where it trapped: the trap's code */
  u64 steps;               /* ops executed, or firings */
  u64 loads, stores;       /* memory elements read and written */
  double seconds;          /* of the run itself, without parsing and preparation */
} RunResult;

void run_result_free(RunResult *result);

/* The type of the scalar in tokens.at[i]: the tokens' own type or, since a tuple is stored as its
 * scalars one after the other, that of one of the tuple's scalars. */
const Type *run_scalar_type(const Context *ctx, const RunTokens *tokens, size_t i);
/* The number of scalars; a tagged value of two words (run/value.h) is one. */
size_t run_count(const Context *ctx, const RunTokens *tokens);

/* The access of a number, which is added (and those below, absent) if it is not there yet. The
 * pointer is valid until the next call. */
RunAccess *run_access(RunResult *result, u32 number);
/* Sets the description of an access that the engine has, to a value of `type`, and whether its
 * history keeps every entry. */
void run_access_describe(const Context *ctx, RunAccess *access, bool is_store, const Type *type,
                         Loc loc, bool keep);

/* Reports (RT_ENGINES_DIFFER) where two runs of the same program on the same case differ, the first
 * few differences of each result, memory and access; true where they agree in status, results,
 * memories and accesses. `a` and `b` name the engines in messages. */
bool run_compare(Context *ctx, const char *a, const RunResult *ra, const char *b,
                 const RunResult *rb);

#endif

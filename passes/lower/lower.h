/* lower.h -- from SCF, or branches between blocks, to an explicit dataflow graph.
 *
 *     lower_module(module, &(LowerOptions){.func = "fir"})     func.func @fir becomes handshake.func
 *
 * Lowering is a list of stages, lower_stages: each has a name, a file of its own, and says what it
 * needs a function to be and what it makes of it. `loom lower --stop-after=STAGE` prints what a
 * stage left, `loom opt --pass=STAGE` runs one, `loom help lower` lists them.
 */
#ifndef LOOM_LOWER_LOWER_H
#define LOOM_LOWER_LOWER_H

#include "prove/prove.h"

/* What is known of a function between two stages. */
enum {
  LOWER_TRAPS = 1,      /* whatever could trap in the source is still there */
  LOWER_NO_CALLS = 2,   /* nothing is called; accesses have the numbers of the source's */
  LOWER_STRUCTURED = 4, /* its regions are those of scf.for, scf.while and scf.if */
  LOWER_LINEAR = 8,     /* an access has one index: an element's number in its root memory */
  LOWER_GUARDED = 16,   /* a counted loop runs at least once, or stands in `if (lb < ub)` */
  LOWER_GRAPH = 32,     /* it is a handshake.func */
  LOWER_CLEAN = 64,     /* without equal nodes, and without nodes that nothing needs */
  LOWER_PROVED = 128,   /* balanced, attached, ordered (prove/prove.h) */
  LOWER_LIFTED = 256    /* each of its regions has one block */
};

/* A level of optimisation above those that there are: a stage that runs only where it is asked for,
 * by name or as one of the choices, each of them a bit. */
enum { LOWER_BY_NAME = 3, LOWER_CHOICES = 9 };
enum {
  LOWER_FUSED = 1,
  LOWER_WINDOWS = 2,
  LOWER_SPECULATED = 4,
  LOWER_PRIVATE = 8,
  LOWER_OVERSHOT = 16,
  LOWER_LOCALS = 32,
  LOWER_INTERCHANGED = 64,
  LOWER_COALESCED = 128,
  LOWER_INTERLEAVED = 256
};

typedef struct Lowering Lowering; /* a function on its way: lower/stages.h */

typedef struct {
  const char *name, *summary;
  bool (*run)(Lowering *lowering); /* false after a diagnostic; or NULL, and instead */
  bool (*transform)(Module *m,
                    Op *func);   /* true where it changed something: then simplify runs, too */
  u32 requires, ensures, breaks; /* LOWER_...; `breaks` is no longer known afterwards */
  u32 level;                     /* runs from this level of optimisation on, */
  u32 choice;                    /* or where this is chosen; 0: it is nothing to choose */
  bool never_alone;              /* lower_pass cannot run it */
  bool numbers_loops;            /* LowerOptions.copies has the order of the loops it leaves */
} LowerStage;

extern const LowerStage lower_stages[];
extern const size_t lower_stage_count;
/* NULL: there is none of that name. */
const LowerStage *lower_stage_find(const char *name, size_t len);

typedef struct {
  const char *func;             /* lower only this function; NULL: all that have a body */
  bool serial;                  /* --order=serial: never overlap iterations that touch a memory */
  u32 level;                    /* -O: optional stages of this level and below run; 0: none */
  u32 choices;                  /* LOWER_FUSED and so on: stages besides those of the level */
  const u32 *copies;            /* of -O2, by loop in textual order (LowerStage.numbers_loops): */
  u32 ncopies;                  /* loom.copies of loops that have none; below 2: none */
  const LowerStage *stop_after; /* NULL: run all */
  /* NULL, or called with each function as a stage left it and with what is known of it, as long as
   * it is no graph. False ends the lowering, after a diagnostic of its own. */
  bool (*after_stage)(void *user, const Op *func, const LowerStage *stage, u32 known);
  void *user;
  ProofReport *report; /* NULL, or where the proof of the last function says what it found */
} LowerOptions;

/* Turns the func.func ops of a verified module into handshake.func ops, in place; private helper
 * functions disappear into their callers. Every lowered function is proved. False after
 * diagnostics (COMP_LOWER_..., COMP_PROOF_...): the module is then not to be used further. */
bool lower_module(Module *module, const LowerOptions *options);

/* Program order where branches lead from block to block: the order in which the blocks of a
 * function, and those of regions in it, come to stand once they are lifted to loops and ifs
 * (lift.c). Puts a rank for each block with an access or a call that can be reached; the module
 * stays as it is. False, without a word, where the function cannot be lifted. */
bool lifted_order(Context *ctx, const Op *func, Map *ranks);

/* Runs a stage that stands by itself on every function of a verified module that is of its kind, in
 * place. False after diagnostics. */
bool lower_pass(Module *module, const LowerStage *stage);

#endif

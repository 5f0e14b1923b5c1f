/* lower.h -- from SCF, or branches between blocks, to an explicit dataflow graph.
 *
 *     lower_module(module, &(LowerOptions){.func = "fir"});  func.func @fir becomes handshake.func
 *
 * Lowering is a list of stages (passes), lower_stages: each has a name, mostly a file of its own,
 * and the properties of a function that it requires, ensures and breaks. `loom lower
 * --stop-after=STAGE` prints the result of a stage, `loom opt --pass=STAGE` runs one, `loom help
 * lower` lists them. */
#ifndef LOOM_LOWER_LOWER_H
#define LOOM_LOWER_LOWER_H

#include "prove/prove.h"

/* Properties of a function between two stages. */
enum {
  LOWER_TRAPS = 1,      /* every op that can trap in the source is still there */
  LOWER_NO_CALLS = 2,   /* no calls; accesses have their loom.access numbers */
  LOWER_STRUCTURED = 4, /* all regions are those of scf.for, scf.while and scf.if */
  LOWER_LINEAR = 8,     /* an access has one index: the element's number in its root memory */
  LOWER_GUARDED = 16,   /* a counted loop runs at least once, or stands in `if (lb < ub)` */
  LOWER_GRAPH = 32,     /* it is a handshake.func */
  LOWER_CLEAN = 64,     /* without equal nodes, and without nodes that nothing needs */
  LOWER_PROVED = 128,   /* balanced, attached, ordered (prove/prove.h) */
  LOWER_LIFTED = 256    /* each region has one block */
};

/* Stages that run only where they are requested, by name or by LowerOptions.choices, where each has
 * one of LOWER_CHOICES bits; or with LOWER_BY_NAME none of these. */
enum { LOWER_CHOICES = 9, LOWER_BY_NAME = 1 << LOWER_CHOICES };
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

typedef struct Lowering Lowering; /* lower/stages.h */

typedef struct {
  const char *name, *summary;
  /* One of the two: `run` returns false after a diagnostic; `transform` returns true where it
   * changed something, and the function is then simplified. */
  bool (*run)(Lowering *lowering);
  bool (*transform)(Module *m, Op *func);
  u32 requires, ensures, breaks; /* LOWER_...: properties before it, gained and lost. Transforms
                                  * require LOWER_LIFTED */
  u32 level;                     /* runs from this optimisation level on, */
  u32 choice;                    /* or, if not 0, where LowerOptions.choices has this bit */
  bool never_alone;              /* lower_pass cannot run it */
  bool numbers_loops;            /* LowerOptions.copies is by the order of the loops it leaves */
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
  const u32 *copies;            /* -O2: loom.copies for loops that have none, in textual order */
  u32 ncopies;                  /* (LowerStage.numbers_loops); below 2: none */
  const LowerStage *stop_after; /* NULL: run all */
  /* NULL, or called after each stage with the function and its properties, until it is a graph.
   * False, after a diagnostic of its own, ends the lowering. */
  bool (*after_stage)(void *user, const Op *func, const LowerStage *stage, u32 known);
  void *user;
  ProofReport *report; /* NULL, or receives the proof of the last function */
} LowerOptions;

/* Turns the func.func ops of a verified module into handshake.func ops, in place; private helper
 * functions are inlined into their callers. Every lowered function is proved. False after
 * diagnostics (COMP_LOWER_..., COMP_PROOF_...): the module must not be used further. */
bool lower_module(Module *module, const LowerOptions *options);

/* Program order where there are branches between blocks: the order of the blocks of a function, and
 * of the regions in it, once they are lifted to loops and ifs (lift.c). Maps each reachable block
 * with an access or a call to its rank; the module is not changed. False, without a diagnostic,
 * where the function cannot be lifted. */
bool lifted_order(Context *ctx, const Op *func, Map *ranks);

/* Runs one stage, which is not never_alone, on every func.func of a verified module (handshake.func
 * for a stage that requires a graph), in place. False after diagnostics. */
bool lower_pass(Module *module, const LowerStage *stage);

#endif

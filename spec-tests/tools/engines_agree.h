/* engines_agree.h -- the question that fuzz_diff.c asks of random programs and reduce.c of ever
 * smaller ones: do all engines agree on this program and this case? */
#ifndef LOOM_ENGINES_AGREE_H
#define LOOM_ENGINES_AGREE_H

#include "native/code.h"
#include "native/trial.h"

typedef enum {
  AGREE,
  BAD_PROGRAM, /* it does not parse or verify, the case does not fit, or ref traps */
  BAD_PRINT,   /* what is printed does not parse, or prints differently */
  REFUSED,     /* lowering or freezing refused it, or a proof rejected the graph */
  BAD_RUN,     /* the graph deadlocked, trapped, left tokens or hit a limit */
  DIFFER,      /* it ran, and gave other results, memories or histories */
  CRASHED      /* only reduce.c, which runs each attempt in a process of its own, can tell */
} Verdict;

typedef struct CcBatch CcBatch;

typedef struct {
  unsigned index_width; /* 0: 32 */
  bool print;           /* also check that printing is a fixed point */
  bool all;             /* lower every function, not only the one the case runs */
  u32 level;            /* of optimisation, where the order is automatic */
  u32 choices;          /* likewise from -O2 on: stages that only somebody who asks for them gets */
  u64 schedule;         /* a random order of firing, beside the usual one; 0: none */
  bool jit;             /* also as machine code, all histories */
  CcBatch *batch;       /* programs that agree so far wait here for the C compiler; NULL: none */
  u64 seed;             /* the name of the program in there */
  u64 max_steps;        /* 0: 2,000,000 */
} AgreeOptions;

typedef struct {
  Verdict verdict;
  const char
      *order;    /* "auto", "serial", "shuffled", "jit", "jit, bare", "cc"; "" before lowering */
  char code[64]; /* the first diagnostic's code, or "" */
  u64 steps, firings, nodes;
} AgreeReport;

/* How the program of a seed is asked about: every eighth is also printed, every eighth lowered
 * whole, half are run shuffled, a few have another width of index. */
AgreeOptions agree_options(u64 seed);

/* Parses, verifies, interprets and lowers the module in every order of memory there is, runs each
 * graph, and compares. Diagnostics go to `err`, where not NULL. */
Verdict engines_agree(const Buf *text, const Buf *json, const AgreeOptions *options, FILE *err,
                      AgreeReport *report);
const char *verdict_text(Verdict verdict);
/* ---- cc_batch.c -----------------------------------------------------------------------------
 * Random programs for the system's compiler, many in one call of it: started for each alone, it
 * would take most of its time to start. */

typedef struct {
  u64 seed;
  Context *ctx;
  Dfg *dfg;
  Case *input;
  Buf text;    /* the graph as C, with histories */
  Trial trial; /* on the token simulator */
} CcProgram;

struct CcBatch {
  Vec(CcProgram) programs; /* the batch's own, with all that hangs on them */
};

/* Compiles, runs and compares all programs, calls `failed` for each that does not agree, with its
 * diagnostics, and leaves the batch empty. False where the compiler itself failed: all are wrong.
 */
bool cc_batch_run(CcBatch *batch, void *user,
                  void (*failed)(void *user, u64 seed, const char *said));

/* Prints what ref gives, a number a line: the bits of every result and then of every element of
 * every memory argument. The form that a program's @entry prints too (random_program.h). */
bool print_reference(const Buf *text, const Buf *json, unsigned index_width, FILE *out);

#endif

/* hand_kernel.h -- golden kernels as C sees them: arrays, scalars, and golden/NAME/hand.c.
 *
 * Two tools use it: hand_check.c asks whether the hand-written kernels compute what the cases
 * expect, bench_native.c how much faster they are than what LOOM writes.
 */
#ifndef LOOM_HAND_KERNEL_H
#define LOOM_HAND_KERNEL_H

#include "../golden/hand.h"
#include "native/code.h"
#include "subjects.h"

#include <libtcc.h>

/* A case's memory: what it is now, and what it was at the start. */
typedef struct {
  void *data, *fresh;
  size_t elements, stride; /* bytes of the C type */
} HandArray;

/* A golden kernel with its case, lowered, its arguments laid out as C arrays. */
typedef struct {
  Kernel kernel;
  const char *dir; /* and what is in it: */
  Context *ctx;
  Case *input;
  Dfg *dfg;
  const ProofDomains *domains; /* NULL: not proved */
  u32 narrays;
  HandArray *arrays; /* one a memref of the case, in order */
  HandCall call;     /* for hand(): points to those */
  u64 *result;       /* where call.result points */
  u32 nresults;      /* of the function */
} HandKernel;

/* False after diagnostics. hand_kernel_free in either case. */
bool hand_kernel_read(const char *dir, HandKernel *k);
void hand_kernel_free(HandKernel *k);
/* All arrays as they were at the start. */
void hand_kernel_restore(HandKernel *k);
/* Are the arrays and `results` (bits, one a result) what the case expects? Else diagnostics. */
bool hand_kernel_check(HandKernel *k, const u64 *results);

typedef void (*HandFunction)(const HandCall *);

/* dir/hand.c compiled in memory by libtcc, without optimising, as `--engine jit` compiles. NULL
 * after libtcc has said why on stderr. The code is gone with tcc_delete(*state). */
HandFunction hand_by_tcc(const char *dir, TCCState **state);
/* And by a C compiler, with the flags of `--engine cc`. NULL where it does not take it; else the code is gone with
 * dlclose(*library). */
HandFunction hand_by_cc(const char *cc, const char *dir, void **library);

#endif

/* optimise.h -- what -O2 does with the loops of a kernel on a fabric: the choice of optimise.c.
 *
 *     LoopChoice choice;
 *     status = choose_loops(call, module, "matmul", input, "large", &choice);
 *     loop_choice_apply(&choice, &options);        then lower_module(module, &options) does it
 */
#ifndef LOOM_DRIVER_OPTIMISE_H
#define LOOM_DRIVER_OPTIMISE_H

#include "driver/driver.h"
#include "lower/lower.h"
#include "sim/case.h"

/* Loops beyond are left as they are. */
enum { MAX_CHOSEN = 16 };

typedef struct {
  u32 level;              /* LowerOptions.level: 1, 2, or LOWER_BY_NAME where loops are fused */
  u32 n;                  /* loops, in textual order as `unroll` leaves them */
  u32 copies[MAX_CHOSEN]; /* of each; 0: it stays as it is */
  Loc at[MAX_CHOSEN];
  u64 before, cycles; /* of the case, with -O1 and so; 0: it does not map */
  u32 tried, mapped;  /* programs that were lowered, and of these mapped */
} LoopChoice;

/* Searches; the module stays as it is. An exit status: not EXIT_GOOD where the fabric cannot be read. */
int choose_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *fabric, LoopChoice *choice);
/* The choice has to outlive the lowering. */
void loop_choice_apply(const LoopChoice *choice, LowerOptions *options);
/* "2 copies of the loop at 9:3: 70,000 cycles instead of 133,157 (25 programs, 5 mapped)". */
void loop_choice_print(Context *ctx, const LoopChoice *choice, Buf *out);

#endif

/* asm_lists.h -- lists that mix numbers and values, `[0, %n, 4]`, and attributes after regions:
 * what ops have in common that have functions of their own. */
#ifndef LOOM_TEXT_ASM_LISTS_H
#define LOOM_TEXT_ASM_LISTS_H

#include "text/asm.h"

typedef struct {
  const Attr *statics; /* array<i64: 0, DYNAMIC, 4> */
  Range operands;      /* those that were values, on p->operands; they are index */
} IndexList;

/* `open` is [ or (. */
IndexList parse_index_list(Parser *p, char open);
/* Prints it back, taking values from the op's operands at *next on. */
void print_index_list(Printer *pr, const Op *op, const Attr *statics, u32 *next, char open);

/* Gives the draft operandSegmentSizes: how many operands each group has (at most 8 groups). */
void give_segments(Parser *p, const u32 *sizes, u32 n);

/* `(%a = %x, %b = %y) -> (T, U)`, what a loop carries: the names become more of `args`, with their
 * types; returns the initial values, on p->operands. */
Range parse_carried(Parser *p, Range *args, Range *types);
/* `(%i, %j)` onto p->args, of type index. */
Range parse_loop_variables(Parser *p);

/* The op of a draft, then its one region, whose entry block has these arguments and whose last
 * block gets a terminator of that kind where it has none (OP_UNREGISTERED: it gets none), and then
 * its attributes: `{ ... } {attrs}`. */
Op *finish_with_region(Parser *p, Draft *d, Range types, Range args, OpKind terminator);

/* `{attrs}` after the regions of an op that was made already; the draft's attributes began at
 * `mark`. The second takes those that were read by other means. */
void parse_late_attrs(Parser *p, Op *op, u32 mark);
void late_attrs(Parser *p, Op *op, u32 mark);

#endif

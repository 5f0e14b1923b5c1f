/* asm_lists.h -- lists that mix numbers and values, `[0, %n, 4]`, and attributes after regions:
 * shared by the parsers of single ops (asm_*.c) and that of forms (form_parse.c). */
#ifndef LOOM_TEXT_ASM_LISTS_H
#define LOOM_TEXT_ASM_LISTS_H

#include "text/asm.h"

typedef struct {
  const Attr *statics; /* array<i64: 0, DYNAMIC, 4> */
  Range operands;      /* the values in the list, on p->operands; their type is index */
} IndexList;

/* Reads a list in [] or (), as `open` says. */
IndexList parse_index_list(Parser *p, char open);
/* Prints it. Values are the op's operands from *next on, which is moved past them. */
void print_index_list(Printer *pr, const Op *op, const Attr *statics, u32 *next, char open);

/* Gives the draft operandSegmentSizes: how many operands each of the `n` groups has. */
enum { MAX_SEGMENTS = 8 };
void give_segments(Parser *p, const u32 *sizes, u32 n);

/* asm_scf.c. `(%a = %x, %b = %y) -> (T, U)`, the loop-carried values: appends the names, with their
 * types, to `args`; sets *types; returns the initial values, on p->operands. */
Range parse_carried(Parser *p, Range *args, Range *types);
/* asm_scf.c. `(%i, %j)` onto p->args, of type index. */
Range parse_loop_variables(Parser *p);

/* Makes the op of a draft, and reads its one region and then its attributes: `{ ... } {attrs}`. The
 * entry block gets these arguments; a last block without a terminator gets one of that kind
 * (OP_UNREGISTERED: never). NULL after a diagnostic. */
Op *finish_with_region(Parser *p, Draft *d, Range types, Range args, OpKind terminator);

/* Reads `{attrs}` after the regions of an op, and adds them to it. `mark` is the length of p->attrs
 * before. An attribute that the op has already is an error (COMP_TEXT_ATTR). The second only adds
 * the attributes above `mark`. */
void parse_late_attrs(Parser *p, Op *op, u32 mark);
void add_late_attrs(Parser *p, Op *op, u32 mark);

#endif

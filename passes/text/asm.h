/* asm.h -- how each op is written: a parse and a print function for every row of ops.def.
 *
 * Rows of FORM_SAME and FORM_CAST share theirs; a row of FORM_OWN has parse_ID and print_ID in the
 * asm_*.c file of its dialect, side by side, so that what is printed and what is read back can be
 * seen at one glance. The name of the op is read and printed by the caller. */
#ifndef LOOM_ASM_H
#define LOOM_ASM_H

#include "text/parse.h"
#include "text/print.h"

typedef Op *ParseFn(Parser *p, Draft *d);
typedef void PrintFn(Printer *pr, const Op *op);

typedef struct {
  ParseFn *parse; /* both NULL: only the generic form */
  PrintFn *print;
} Asm;

const Asm *asm_of(OpKind kind);

/* The attributes that are part of the op (the generic form puts them in <{...}>), as words with
 * spaces between; others only ride along. */
const char *asm_inherent(OpKind kind);
bool asm_is_inherent(OpKind kind, const char *attr);
/* What an absent inherent attribute means, as text ("fastmath = #arith.fastmath<none>"), or NULL:
 * the generic form shows it. At most one an op. */
const char *asm_default(OpKind kind);

/* The dialect whose ops need no prefix directly inside the op's regions, or "". */
const char *asm_default_dialect(OpKind kind);

/* Drops attributes that say what their absence says, and checks those with a syntax of their own
 * that came as plain attributes. */
void asm_settle_attrs(Parser *p, Op *op);
void settle_arith(Parser *p, Op *op);

/* Brings an op that was read in the generic form up to the newest names and shape; and what that
 * means for single ops, which their custom form may need as well. */
void asm_settle(Parser *p, Op *op);
/* Gives the draft operandSegmentSizes: how many operands each group has (at most 8 groups). */
void give_segments(Parser *p, const u32 *sizes, u32 n);
void settle_index_cmp(Parser *p, Op *op);
void settle_parallel(Parser *p, Op *op);
void settle_expand_shape(Parser *p, Op *op);
void settle_stream(Parser *p, Op *op);
void settle_component(Parser *p, Op *op);

#define ASM_DECLARE_FORM_GENERIC(id)
#define ASM_DECLARE_FORM_SAME(id)
#define ASM_DECLARE_FORM_CAST(id)
#define ASM_DECLARE_FORM_OWN(id)                                                                   \
  ParseFn parse_##id;                                                                              \
  PrintFn print_##id;
#define OP(id, name, form, types, fire, traits, time, eval) ASM_DECLARE_##form(id)
#include "ir/ops.def"
#undef OP

ParseFn parse_same, parse_cast;
PrintFn print_same, print_cast;

#endif

/* asm.h -- ops whose text no format describes, mostly structured ones.
 *
 * For a row of ops.def with OWN(name, ...), parse_name and print_name stand side by side in the
 * asm_*.c file of the dialect, so that the two are easy to compare. All other ops have a format and
 * share parse_form and print_form: form.h. The caller reads and prints the name of the op. */
#ifndef LOOM_TEXT_ASM_H
#define LOOM_TEXT_ASM_H

#include "text/parse.h"
#include "text/print.h"

typedef Op *ParseFn(Parser *p, Draft *d);
typedef void PrintFn(Printer *pr, const Op *op);

typedef struct {
  ParseFn *parse;
  PrintFn *print;
} Asm;

const Asm *asm_of(OpKind kind);

/* True for an inherent attribute, which the generic form puts in <{...}>, as opposed to a
 * discardable one. */
bool asm_is_inherent(Context *ctx, OpKind kind, const Str *attr);

/* The dialect whose ops need no prefix directly inside the op's regions, or "". */
const char *asm_default_dialect(OpKind kind);

/* Upgrades an op that was read in the generic form to the newest names and structure. The others
 * are its parts for single ops; the parsers of custom forms call them, too. */
void asm_normalise(Parser *p, Op *op);
void normalise_parallel(Parser *p, Op *op);
void normalise_stream(Parser *p, Op *op);
void normalise_component(Parser *p, Op *op);

#define ASM_TEXT(format)              form
#define ASM_OWN(function, attributes) function

#define DECLARE(name) DECLARE_BOTH(name)
#define DECLARE_BOTH(name)                                                                         \
  ParseFn parse_##name;                                                                            \
  PrintFn print_##name;
#define OP(id, name, text, shape, types, fire, traits, eval) DECLARE(ASM_##text)
#include "ir/ops.def"
#undef OP
#undef DECLARE_BOTH
#undef DECLARE

#endif

/* asm_func.h -- signatures of functions of all dialects and of fabric modules. */
#ifndef LOOM_TEXT_ASM_FUNC_H
#define LOOM_TEXT_ASM_FUNC_H

#include "text/asm.h"

typedef struct {
  Range args;                        /* on p->args */
  Range results;                     /* on p->types */
  const Attr *arg_attrs, *res_attrs; /* an array of dictionaries, or NULL */
} Signature;

/* Reads `(%a: T {..}, T) -> (T {..})` and gives the draft function_type, arg_attrs and res_attrs.
 * With `ellipsis` the arguments may end in `...`. */
void parse_signature(Parser *p, Signature *s, bool ellipsis);
/* Reads `{ ... }`, the body of an op that has been made (or is NULL), which gets a block in any
 * case. Returns the op. */
Op *parse_body(Parser *p, Draft *d, Op *op, Range args);
/* Prints `(%a: T {..}, T`: the inputs, with the names of the entry block's arguments; `attrs` is an
 * array of dictionaries, or NULL. */
void print_inputs(Printer *pr, const Op *op, const Type *function, const Attr *attrs);

#endif

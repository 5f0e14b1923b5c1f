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

#endif

/* asm_func.h -- signatures, which functions of all dialects and fabric modules share. */
#ifndef LOOM_TEXT_ASM_FUNC_H
#define LOOM_TEXT_ASM_FUNC_H

#include "text/asm.h"

typedef struct {
  Range args;                        /* on p->args */
  Range results;                     /* on p->types */
  const Attr *arg_attrs, *res_attrs; /* an array of dictionaries, or NULL */
} Signature;

/* `(%a: T {..}, T) -> (T {..})`, giving the draft function_type and what it says of attributes.
 * With `ellipsis` the arguments may end in `...`. */
void parse_signature(Parser *p, Signature *s, bool ellipsis);

#endif

/* asm_fabric.h -- `[depth = 4] attributes {bypassed = true}`, which ops of hardware have that are
 * written by functions of their own (asm_fabric.c) and those that have a format. */
#ifndef LOOM_TEXT_ASM_FABRIC_H
#define LOOM_TEXT_ASM_FABRIC_H

#include "text/asm.h"

/* Hardware parameters in [...], or configuration in {...} with or without the word, onto the
 * draft's attributes. False: neither is next. With `has_body` a `{` may also begin a region. */
bool parse_bracket(Parser *p, const Draft *d, bool has_body);
/* Both, where there are any. */
void print_brackets(Printer *pr, const Op *op, bool keyword);

#endif

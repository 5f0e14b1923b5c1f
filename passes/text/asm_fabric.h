/* asm_fabric.h -- `[depth = 4] attributes {bypassed = true}`: shared by the ops of hardware in
 * asm_fabric.c and those that have a format. */
#ifndef LOOM_TEXT_ASM_FABRIC_H
#define LOOM_TEXT_ASM_FABRIC_H

#include "text/asm.h"

/* Reads hardware parameters in [...], or configuration in {...} with or without `attributes`, onto
 * the draft's attributes. False: neither is next. With `has_body` a `{` may also begin a region. */
bool parse_bracket(Parser *p, const Draft *d, bool has_body);
/* Prints both, if there are any; with `keyword`, the word `attributes`. */
void print_brackets(Printer *pr, const Op *op, bool keyword);

#endif

/* c_text.h -- private to passes/host: pure ops as C text. c_text.c writes expressions, prelude.c
 * has the helper functions that they call. */
#ifndef LOOM_HOST_C_TEXT_H
#define LOOM_HOST_C_TEXT_H

#include "dfg/dfg.h"

#include <ctype.h>

/* Is it a character of an identifier? */
static inline bool c_text_is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The smallest of 8, 16, 32, 64 that holds an integer of `bits`. */
static inline unsigned c_text_width(u32 bits) {
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}
/* The C type of a token ("uint32_t"); NULL for none, tuples, tagged values. */
const char *c_text_type(const DfgType *type);

/* Appends result `which` of a pure node as a C expression over those of its operands. An integer of
 * 32 or 64 bits has exactly its C type, a narrower one any that holds it; a float its C type. An
 * operand is a name or in parentheses, and its type follows the same rule. */
void c_text_expression(const Dfg *dfg, u32 node, u32 which, const char *const *operands, Buf *out);
void c_text_canonical(const DfgType *type, const char *value, Buf *out);
void c_text_to_bits(const DfgType *type, const char *value, Buf *out);
void c_text_from_bits(const DfgType *type, const char *bits, Buf *out);
bool c_text_may_trap(const Dfg *dfg, u32 node);
bool c_text_is_loose_nan(const Dfg *dfg, u32 node);

/* Appends the helpers (prelude.c) that `used`, any C text, calls, and those that they call, each
 * before its first use. */
void c_text_prelude(const char *used, Buf *out);

#endif

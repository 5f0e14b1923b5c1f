/* value.h -- scalars and tagged values as text and in JSON.
 *
 * Integers are printed signed, i1 as 0 or 1, floats with the fewest digits that read back to the
 * same bits ("nan", "inf", "-inf" for the others), none as (), tagged values with their tag, which
 * is unsigned: {"value": 5, "tag": 3}.
 *
 * A token is one word of 64 bits. A tagged value is packed, the value in the low bits and the tag
 * in the high ones; where that is more than 64 bits the token is two words, the low one first.
 */
#ifndef LOOM_RUN_VALUE_H
#define LOOM_RUN_VALUE_H

#include "ir/ir.h"

/* Words of a token that is not a tuple: 2 for a tagged value of more than 64 bits, else 1. */
u32 value_words(const Context *ctx, const Type *type);
/* A tagged value as a token of value_words words, and back. */
void value_pack(const Context *ctx, const Type *type, u64 value, u64 tag, u64 *words);
void value_unpack(const Context *ctx, const Type *type, const u64 *words, u64 *value, u64 *tag);

/* A token of value_words words. */
void value_token_text(const Context *ctx, const Type *type, const u64 *words, Buf *buf);
void value_token_json(const Context *ctx, const Type *type, const u64 *words, Buf *buf);

/* The same for a token of one word. */
void value_text(const Context *ctx, const Type *type, u64 bits, Buf *buf);
/* The same for JSON: nan, inf and -inf are in quotes. */
void value_json(const Context *ctx, const Type *type, u64 bits, Buf *buf);
/* Reads all of `text` as a scalar: what value_text prints, an unsigned reading (255 for an i8),
 * true and false, +inf, and 0x... as the bits themselves. NULL on success, else the reason, in a
 * few words: "does not fit its type". */
const char *value_read(const Context *ctx, const Type *type, const char *text, u64 *bits);

#endif

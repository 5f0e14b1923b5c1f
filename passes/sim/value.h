/* value.h -- scalars as people and JSON write them.
 *
 * Integers are printed signed, i1 as 0 or 1, floats with the fewest digits that read back to the
 * same bits ("nan", "inf", "-inf" for the others), none as ().
 */
#ifndef LOOM_VALUE_H
#define LOOM_VALUE_H

#include "ir/ir.h"

void value_text(const Context *ctx, const Type *type, u64 bits, Buf *buf);
/* The same for JSON: nan, inf and -inf stand in quotes. */
void value_json(const Context *ctx, const Type *type, u64 bits, Buf *buf);
/* Reads all of `text` as a scalar: what value_text prints, an unsigned reading (255 for an i8),
 * true and false, +inf, and 0x... as the bits themselves. NULL when good, else why not, in a few
 * words: "does not fit i8". */
const char *value_read(const Context *ctx, const Type *type, const char *text, u64 *bits);

#endif

/* number.h -- floating-point numbers as bits and as text, the way MLIR writes them. */
#ifndef LOOM_TEXT_NUMBER_H
#define LOOM_TEXT_NUMBER_H

#include "ir/ir.h"

/* The bits, in a format, of the number nearest to `value` (ties to even). MLIR reads literals as
 * double first, so f32 and smaller are rounded twice; so do we. */
u64 float_from_double(FloatKind format, double value);
/* Appends 1.000000e+00, 3.14159274, or 0x7FC00000: the first of six digits, the digits the format
 * needs, and the bits that names the number exactly. */
void float_text(FloatKind format, u64 bits, Buf *out);

#endif

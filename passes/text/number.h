/* number.h -- floating-point numbers as bits and as text, the way MLIR writes them. */
#ifndef LOOM_TEXT_NUMBER_H
#define LOOM_TEXT_NUMBER_H

#include "ir/ir.h"

/* Appends 1.000000e+00, 3.14159274, or 0x7FC00000: six digits, as many as the format needs, or the
 * bits, whichever first names the number exactly. */
void float_text(FloatKind format, u64 bits, Buf *out);

#endif

/* timing.h -- the logic depth of operations in hardware, their recommended latency, and the cycles
 * of units that end early. */
#ifndef LOOM_IR_TIMING_H
#define LOOM_IR_TIMING_H

#include "base/base.h"
#include "ir/ir.h"

typedef struct {
  u32 levels; /* two-input gates on the longest path without registers; serial: an estimate */
  u32 latency, interval; /* the least with which no stage has more than TIMING_LEVELS levels */
} OpTiming;

enum { TIMING_LEVELS = 30 };

/* The timing of an operation whose widest operand or result has that many bits. */
OpTiming op_timing(OpKind kind, u32 bits);

/* Whether it is an integer division or remainder; if so, sets *is_signed. */
bool op_divides(OpKind kind, bool *is_signed);

/* ---- early-out --------------------------------------------------------------------------------
 * A serial divider computes two bits of the quotient per cycle. With early-out it skips the leading
 * bits that must be 0 by the lengths of the operands: a / b is below 2^(length(a) - length(b) + 1),
 * where the length of 0 counts as 1. Cortex-M3's divider works so. Two cycles precede, for the
 * magnitudes and their lengths, and one follows, for rounding and the sign.
 *
 * A remainder of floats takes a cycle for each bit of the quotient, ilogb(a) - ilogb(b) + 1 of
 * them: usually a few, but up to thousands. If there are none, or an operand is 0, infinite or NaN,
 * it takes one cycle. Two cycles precede, for normalising and the difference of exponents, and
 * three follow, for normalising and rounding. */
typedef enum { EARLY_NO, EARLY_UNSIGNED, EARLY_SIGNED, EARLY_FLOAT, EARLY_BF16 } EarlyOut;

/* How an operation can end early; `float_kind` matters for floats only. */
EarlyOut op_early_out(OpKind kind, FloatKind float_kind);
/* Cycles: the minimum; the maximum for operands of `bits` bits, 1 to 64; for given operands. */
u32 early_out_least(EarlyOut how);
u32 early_out_most(EarlyOut how, u32 bits);
u32 early_out_cycles(EarlyOut how, u32 bits, u64 a, u64 b);
/* The exponent bits of a float of that many bits. */
u32 early_out_exponent_bits(EarlyOut how, u32 bits);

#endif

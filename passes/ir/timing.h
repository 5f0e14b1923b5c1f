/* timing.h -- how deep the hardware of an operation is, and the latency that it should have. */
#ifndef LOOM_IR_TIMING_H
#define LOOM_IR_TIMING_H

#include "base/base.h"
#include "ir/ir.h"

typedef struct {
  u32 levels; /* of two-input gates on the longest path between registers; of a serial unit an estimate */
  u32 latency, interval; /* with which no stage has more than TIMING_LEVELS of them */
} OpTiming;

enum { TIMING_LEVELS = 30 };

/* Of an operation whose widest operand or result has so many bits. */
OpTiming op_timing(OpKind kind, u32 bits);

/* ---- division with early-out ------------------------------------------------------------------
 * A serial divider gives two bits of the quotient a cycle. With early-out it does not work on those
 * that are 0 for sure, as the dividend has so many bits and the divisor so many: a / b is below
 * 2^(length(a) - length(b) + 1), where the length of 0 counts as 1. Cortex-M3's divide is such a
 * one. Two cycles come before, for magnitudes and for their lengths, and one behind, for rounding
 * and the sign. */

/* An integer division or remainder, signed or not. */
bool op_divides(OpKind kind, bool *is_signed);

/* What a divider with early-out takes: 3 cycles, and one for two bits of the quotient. `bits` is
 * the width of a and b, 1 to 64. */
u32 division_cycles(bool is_signed, u32 bits, u64 a, u64 b);

enum { DIVISION_LEAST = 3 };

/* The same at most. */
u32 division_most(u32 bits);

#endif

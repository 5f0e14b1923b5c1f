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

/* An integer division or remainder, signed or not. */
bool op_divides(OpKind kind, bool *is_signed);

/* ---- early-out --------------------------------------------------------------------------------
 * A serial divider gives two bits of the quotient a cycle. With early-out it does not work on those
 * that are 0 for sure, as the dividend has so many bits and the divisor so many: a / b is below
 * 2^(length(a) - length(b) + 1), where the length of 0 counts as 1. Cortex-M3's divide is such a
 * one. Two cycles come before, for magnitudes and for their lengths, and one behind, for rounding
 * and the sign.
 *
 * A remainder of floats takes a cycle for each bit of the quotient, ilogb(a) - ilogb(b) + 1 of them,
 * which may be thousands and is a few as a rule; where there is none, or an operand is 0, infinite
 * or NaN, one cycle. Two come before, for normalising and for the distance, and three behind, for
 * normalising and rounding. */
typedef enum { EARLY_NO, EARLY_UNSIGNED, EARLY_SIGNED, EARLY_FLOAT, EARLY_BF16 } EarlyOut;

/* As which an operation can end early, on values of a type (of TYPE_FLOAT: its FloatKind). */
EarlyOut op_early_out(OpKind kind, FloatKind float_kind);
/* Cycles: the fewest; of operands of so many bits, 1 to 64, the most; of two operands. */
u32 early_out_least(EarlyOut how);
u32 early_out_most(EarlyOut how, u32 bits);
u32 early_out_cycles(EarlyOut how, u32 bits, u64 a, u64 b);
/* Of a float of so many bits. */
u32 early_out_exponent_bits(EarlyOut how, u32 bits);

#endif

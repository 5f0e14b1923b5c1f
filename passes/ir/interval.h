/* interval.h -- interval arithmetic: the transfer functions of integer operations.
 *
 *     a in 0..7, b in 1..2        a + b in 1..9      a * b in 0..14      a / b in 0..7
 *
 * An interval bounds an integer or index, read as a signed number. The transfer functions are one
 * table by operation, shared by all range analyses: the lowering's, the proofs' on the finished
 * graph, and the code generators', which omit needless checks. How an analysis finds the intervals
 * of operands is its own affair. */
#ifndef LOOM_IR_INTERVAL_H
#define LOOM_IR_INTERVAL_H

#include "ir/ir.h"

typedef struct {
  i64 min, max;
} Interval;

/* The range of a signed type of that many bits; for 0, and 64 or more, that of i64. */
Interval interval_whole(u32 bits);
Interval interval_hull(Interval a, Interval b);
static inline bool interval_fits(Interval a, Interval in) {
  return a.min >= in.min && a.max <= in.max;
}

/* The interval of an operation's first result, an integer whose type has the range `type`, if
 * operand i lies in in[i] (ignored for operands that are no integers) and operand 0 has `bits`
 * bits. If the operation might wrap, or is not in the table, it is `type`. */
bool interval_knows(OpKind kind); /* whether the table has the operation */
Interval interval_of(OpKind kind, const Interval *in, u32 bits, Interval type);

#endif

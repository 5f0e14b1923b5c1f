/* interval.h -- interval arithmetic: the transfer functions of integer operations.
 *
 *     a in 0..7, b in 1..2        a + b in 1..9      a * b in 0..14      a / b in 0..7
 *
 * An interval holds an integer or index read as a signed number. The transfer functions are one
 * table by operation, shared by all range analyses: the lowering of its source, the proofs of
 * the finished graph, generated code of what needs no check. What they know about operands is
 * their own affair. */
#ifndef LOOM_IR_INTERVAL_H
#define LOOM_IR_INTERVAL_H

#include "ir/ir.h"

typedef struct {
  i64 min, max;
} Interval;

/* All of a type of so many bits; 0, and 64 or more: all there is. */
Interval interval_whole(u32 bits);
Interval interval_hull(Interval a, Interval b);
static inline bool interval_fits(Interval a, Interval in) {
  return a.min >= in.min && a.max <= in.max;
}

/* The interval of an operation's first result, an integer of type `type`, where operand i lies in
 * in[i] (of those that are no integers nothing is looked at) and operand 0 has `bits` bits. An
 * operation that might wrap, or that is not in the table, gives all of the type. */
bool interval_knows(OpKind kind); /* false: it gives all of the type, whatever the operands */
Interval interval_of(OpKind kind, const Interval *in, u32 bits, Interval type);

#endif

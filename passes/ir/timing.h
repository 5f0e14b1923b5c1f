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

#endif

/* timing.c -- how deep the hardware of an operation is, and the latency that it should have.
 *
 * The table is timing.def. What has no row there is taken to be two gates deep, with one stage:
 * right for wires, logic and choices; of what is simulated only (sin, ...) it says nothing. */
#include "ir/timing.h"

typedef struct {
  OpKind kind;
  u32 levels[4], latency[4];
  bool is_serial;
} TimingRow;

static const TimingRow rows[] = {
#define TIMING(op, l8, l16, l32, l64, s8, s16, s32, s64)                                           \
  {OP_##op, {l8, l16, l32, l64}, {s8, s16, s32, s64}, false},
#define SERIAL(op, s8, s16, s32, s64) {OP_##op, {0}, {s8, s16, s32, s64}, true},
#include "ir/timing.def"
#undef TIMING
#undef SERIAL
};

OpTiming op_timing(OpKind kind, u32 bits) {
  u32 column = bits > 32 ? 3 : bits > 16 ? 2 : bits > 8 ? 1 : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    u32 latency = rows[i].latency[column];
    if (rows[i].kind != kind) continue;
    if (rows[i].is_serial) return (OpTiming){TIMING_LEVELS / 2 * latency, latency, latency};
    return (OpTiming){rows[i].levels[column], latency, 1};
  }
  return (OpTiming){2, 1, 1};
}

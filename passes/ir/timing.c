/* timing.c -- how deep the hardware of an operation is, and the latency that it should have.
 *
 * The table is timing.def. What has no row there is taken to be two gates deep, with one stage:
 * right for logic and choices; of what is simulated only (sin, ...) it says nothing. Constants are there
 * from the configuration, and a join of tokens has no bits. */
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

bool op_divides(OpKind kind, bool *is_signed) {
  switch (kind) {
  case OP_ARITH_DIVSI:
  case OP_ARITH_CEILDIVSI:
  case OP_ARITH_FLOORDIVSI:
  case OP_ARITH_REMSI: *is_signed = true; return true;
  case OP_ARITH_DIVUI:
  case OP_ARITH_CEILDIVUI:
  case OP_ARITH_REMUI: *is_signed = false; return true;
  default: return false;
  }
}

static u64 magnitude(bool is_signed, u32 bits, u64 x) {
  u64 mask = bits < 64 ? ((u64)1 << bits) - 1 : UINT64_MAX;
  return is_signed && x >> (bits - 1) & 1 ? -x & mask : x & mask;
}

/* Its bits; 0 has one. */
static u32 length(u64 x) {
  return 1 + log2_up(x / 2 + 1);
}

u32 division_cycles(bool is_signed, u32 bits, u64 a, u64 b) {
  u32 more = length(magnitude(is_signed, bits, a)) + 2;
  u32 less = length(magnitude(is_signed, bits, b));
  return DIVISION_LEAST + (more > less ? (more - less) / 2 : 0);
}

u32 division_most(u32 bits) {
  return DIVISION_LEAST + (bits + 1) / 2;
}

OpTiming op_timing(OpKind kind, u32 bits) {
  u32 column = bits > 32 ? 3 : bits > 16 ? 2 : bits > 8 ? 1 : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    u32 latency = rows[i].latency[column];
    if (rows[i].kind != kind) continue;
    if (rows[i].is_serial) return (OpTiming){TIMING_LEVELS / 2 * latency, latency, latency};
    return (OpTiming){rows[i].levels[column], latency, 1};
  }
  bool is_there = kind == OP_HANDSHAKE_CONSTANT || kind == OP_HANDSHAKE_JOIN;
  return (OpTiming){is_there ? 0 : 2, 1, 1};
}

/* timing.c -- the logic depth of operations in hardware, their recommended latency, and the cycles
 * of early-out dividers. See timing.h.
 *
 * The table is timing.def. An operation without a row counts as two gates deep with one stage,
 * which is right for logic and selection, and meaningless for operations that are only simulated
 * (sin, ...). Constants come from the configuration, and a join of tokens has no bits: no gates. */
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

/* The bit length of x; 1 for 0. */
static u32 length(u64 x) {
  return 1 + log2_up(x / 2 + 1);
}

enum { DIVISION_LEAST = 3, REMAINDER_LEAST = 6 };

static u32 division_cycles(bool is_signed, u32 bits, u64 a, u64 b) {
  u32 dividend = length(magnitude(is_signed, bits, a)) + 2; /* + 1, and 1 to round up */
  u32 divisor = length(magnitude(is_signed, bits, b));
  return DIVISION_LEAST + (dividend > divisor ? (dividend - divisor) / 2 : 0);
}

EarlyOut op_early_out(OpKind kind, FloatKind float_kind) {
  bool is_signed;
  if (op_divides(kind, &is_signed)) return is_signed ? EARLY_SIGNED : EARLY_UNSIGNED;
  if (kind != OP_ARITH_REMF) return EARLY_NO;
  return float_kind == FLOAT_BF16 ? EARLY_BF16 : EARLY_FLOAT;
}

u32 early_out_least(EarlyOut how) {
  return how >= EARLY_FLOAT ? REMAINDER_LEAST : DIVISION_LEAST;
}

u32 early_out_exponent_bits(EarlyOut how, u32 bits) {
  return how == EARLY_BF16 || bits == 32 ? 8 : bits == 16 ? 5 : 11;
}

u32 early_out_most(EarlyOut how, u32 bits) {
  if (how < EARLY_FLOAT) return DIVISION_LEAST + (bits + 1) / 2;
  u32 exponent_bits = early_out_exponent_bits(how, bits), fraction_bits = bits - 1 - exponent_bits;
  return REMAINDER_LEAST - 1 + (1u << exponent_bits) + fraction_bits - 2;
}

/* The biased exponent, 1 or more for normal numbers and continued below 1 for subnormal ones; false
 * for 0, infinity and NaN, which have none. */
static bool exponent_of(u64 x, u32 bits, u32 exponent_bits, int *exponent) {
  u32 fraction_bits = bits - 1 - exponent_bits, top = (1u << exponent_bits) - 1;
  u64 fraction = x & (((u64)1 << fraction_bits) - 1);
  u32 field = (u32)(x >> fraction_bits) & top;
  *exponent = field ? (int)field : (int)length(fraction) - (int)fraction_bits;
  return field != top && (field || fraction);
}

u32 early_out_cycles(EarlyOut how, u32 bits, u64 a, u64 b) {
  if (how < EARLY_FLOAT) return division_cycles(how == EARLY_SIGNED, bits, a, b);
  u32 exponent_bits = early_out_exponent_bits(how, bits);
  int of_a, of_b;
  bool is_a = exponent_of(a, bits, exponent_bits, &of_a);
  bool is_b = exponent_of(b, bits, exponent_bits, &of_b);
  return REMAINDER_LEAST + (is_a && is_b && of_a > of_b ? (u32)(of_a - of_b) : 0);
}

OpTiming op_timing(OpKind kind, u32 bits) {
  u32 column = bits > 32 ? 3 : bits > 16 ? 2 : bits > 8 ? 1 : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    u32 latency = rows[i].latency[column];
    if (rows[i].kind != kind) continue;
    if (rows[i].is_serial) return (OpTiming){TIMING_LEVELS / 2 * latency, latency, latency};
    return (OpTiming){rows[i].levels[column], latency, 1};
  }
  bool is_free = kind == OP_HANDSHAKE_CONSTANT || kind == OP_HANDSHAKE_JOIN;
  return (OpTiming){is_free ? 0 : 2, 1, 1};
}

/* rtl_reference.c -- the expected results of each hardware operation, by the host's arithmetic.
 * Shares no code with LOOM.
 *
 * Integers are 64-bit words of the host, cut or extended to the operand's width. f32 and f64 are
 * its float and double, rounded to nearest. For f16 and bf16 an operation is done in float with
 * rounding towards zero, and the last bit is set where the host's flag says that it was inexact.
 * That is rounding to odd; rounding the result to the narrow format then gives what one rounding of
 * the exact value would (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
 * algorithms using rounding to odd", 2008). The last rounding is the compiler's for f16 (_Float16),
 * and narrow_float's for bf16.
 *
 * Functions of math (exp, sin, ...) are libm's in double, rounded once: so LOOM defines them.
 * What else LOOM defines where MLIR or IEEE 754 leave it open is written here a second time
 * (spec-tests/14-arith.md, 15-math.md): a NaN that is computed is the positive quiet one without
 * payload; conversions to integers saturate, and give 0 for a NaN; shifts by the width or more
 * shift everything out; ipowi with a negative exponent is the whole part of the
 * quotient; divisions trap.
 */
#include "rtl_units.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t extend(uint64_t x, unsigned bits) {
  uint64_t top = (uint64_t)1 << (bits - 1);
  return (int64_t)(((x & mask(bits)) ^ top) - top);
}

/* Trap codes, as the units give them. */
enum { DIVIDES_BY_ZERO = 1, OVERFLOWS = 2 };

/* A reference of integers from the statements that set its results: a and b are the operands
 * without sign, s and t the same with sign, w is their width. */
#define INT(name, ...)                                                                             \
  static void name(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {  \
    const unsigned w = u->a.bits;                                                                  \
    const uint64_t a = in[0] & mask(w), b = in[1] & mask(w);                                       \
    const int64_t s = extend(a, w), t = extend(b, w);                                              \
    (void)a, (void)b, (void)s, (void)t, (void)predicate;                                           \
    __VA_ARGS__                                                                                    \
    out[0] &= mask(u->y.bits);                                                                     \
  }

INT(addi, out[0] = a + b;)
INT(subi, out[0] = a - b;)
INT(muli, out[0] = a * b;)
INT(andi, out[0] = a & b;)
INT(ori, out[0] = a | b;)
INT(xori, out[0] = a ^ b;)
INT(shli, out[0] = b < w ? a << b : 0;)
INT(shrui, out[0] = b < w ? a >> b : 0;)
INT(shrsi, out[0] = (uint64_t)(s >> (b < w ? b : w - 1));)
INT(maxsi, out[0] = (uint64_t)(s > t ? s : t);)
INT(minsi, out[0] = (uint64_t)(s < t ? s : t);)
INT(maxui, out[0] = a > b ? a : b;)
INT(minui, out[0] = a < b ? a : b;)
INT(absi, out[0] = (uint64_t)(s < 0 ? -(i128)s : s);)
INT(extsi, out[0] = (uint64_t)s;)
INT(extui, out[0] = a;)

INT(addui_extended, out[0] = a + b; out[1] = ((u128)a + b) >> w & 1;)
INT(mului_extended, out[0] = a * b; out[1] = (uint64_t)((u128)a * b >> w) & mask(w);)
INT(mulsi_extended, out[0] = a * b; out[1] = (uint64_t)((i128)s * t >> w) & mask(w);)

#define UNSIGNED_DIVISION(name, e)                                                                 \
  INT(name, out[1] = b == 0 ? DIVIDES_BY_ZERO : 0; if (!out[1]) out[0] = (e);)
#define SIGNED_DIVISION(name, e)                                                                   \
  INT(name, out[1] = t == 0                                   ? DIVIDES_BY_ZERO                    \
                     : t == -1 && a == (uint64_t)1 << (w - 1) ? OVERFLOWS                          \
                                                              : 0;                                 \
      if (!out[1]) out[0] = (uint64_t)(e);)

UNSIGNED_DIVISION(divui, a / b)
UNSIGNED_DIVISION(remui, a % b)
UNSIGNED_DIVISION(ceildivui, a / b + (a % b != 0))
SIGNED_DIVISION(divsi, s / t)
SIGNED_DIVISION(remsi, s % t)
SIGNED_DIVISION(ceildivsi, s / t + (s % t != 0 && (s ^ t) >= 0))
SIGNED_DIVISION(floordivsi, s / t - (s % t != 0 && (s ^ t) < 0))

/* a to the power n, modulo 2^64: square and multiply. */
static uint64_t power(uint64_t a, uint64_t n) {
  uint64_t p = 1;
  for (int bit = 63; bit >= 0; bit--) {
    p *= p;
    if (n >> bit & 1) p *= a;
  }
  return p;
}

INT(ipowi, out[1] = t < 0 && s == 0 ? DIVIDES_BY_ZERO : 0;
    if (t >= 0) out[0] = power((uint64_t)s, (uint64_t)t);
    else out[0] = s == 1    ? 1
                  : s == -1 ? (uint64_t)(t % 2 ? -1 : 1)
                            : 0;)

INT(ctpop, out[0] = 0; for (unsigned i = 0; i < w; i++) out[0] += a >> i & 1;)
INT(ctlz, out[0] = 0; while (out[0] < w && !(a >> (w - 1 - out[0]) & 1)) out[0]++;)
INT(cttz, out[0] = 0; while (out[0] < w && !(a >> out[0] & 1)) out[0]++;)
INT(bitreverse, out[0] = 0; for (unsigned i = 0; i < w; i++) out[0] = out[0] << 1 | (a >> i & 1);)

INT(
    cmpi, switch (predicate) { /* numbered as MLIR's CmpIPredicate */
case 0: out[0] = a == b; break;
case 1: out[0] = a != b; break;
case 2: out[0] = s < t; break;
case 3: out[0] = s <= t; break;
case 4: out[0] = s > t; break;
case 5: out[0] = s >= t; break;
case 6: out[0] = a < b; break;
case 7: out[0] = a <= b; break;
case 8: out[0] = a > b; break;
case 9: out[0] = a >= b; break;
default: out[0] = 0; /* there is no such predicate */
    })

static void choose(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  (void)predicate;
  out[0] = (in[0] & 1 ? in[1] : in[2]) & mask(u->y.bits);
}

/* ---- formats --------------------------------------------------------------------------------- */

static uint32_t float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float bits_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double bits_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

__extension__ typedef _Float16 half;

static half bits_half(uint64_t bits) {
  uint16_t narrow = (uint16_t)bits;
  half x;
  memcpy(&x, &narrow, sizeof x);
  return x;
}

static bool is_f64(RtlType type) {
  return type.bits == 64;
}

static bool is_f32(RtlType type) {
  return type.bits == 32;
}

static bool is_f16(RtlType type) {
  return type.bits == 16 && type.kind == 'f';
}

/* The value of a float of any format; every one is a double. */
static double value(RtlType type, uint64_t bits) {
  if (is_f64(type)) return bits_double(bits);
  if (is_f32(type)) return bits_float((uint32_t)bits);
  if (is_f16(type)) return bits_half(bits);
  return bits_float((uint32_t)bits << 16);
}

static uint64_t quiet_nan(RtlType type) {
  return is_f64(type)   ? 0x7ff8000000000000
         : is_f32(type) ? 0x7fc00000
         : is_f16(type) ? 0x7e00
                        : 0x7fc0;
}

/* From float to f16 or bf16, to nearest, ties to even: for bf16 half a unit in the last place, less
 * one where that is even, is added before the lower 16 bits are cut off. */
static uint64_t narrow_float(RtlType type, float x) {
  if (x != x) return quiet_nan(type);
  if (is_f16(type)) {
    half y = (half)x;
    uint16_t bits;
    memcpy(&bits, &y, sizeof bits);
    return bits;
  }
  uint32_t bits = float_bits(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* Operands of an operation in float. They and its result are volatile, so that the compiler does
 * not move the operation across the changes of the rounding mode. */
typedef struct {
  volatile float x, y, z;
} Narrow;
typedef float NarrowOp(const Narrow *);

/* Does an operation rounded to odd in float, and rounds that to f16 or bf16. */
static uint64_t round_narrow(RtlType type, NarrowOp *op, const Narrow *in) {
  fesetround(FE_TOWARDZERO);
  feclearexcept(FE_ALL_EXCEPT);
  volatile float cut = op(in);
  bool inexact = fetestexcept(FE_INEXACT) != 0;
  fesetround(FE_TONEAREST);
  float odd = cut;
  if (inexact && isfinite(odd)) odd = bits_float(float_bits(odd) | 1);
  return narrow_float(type, odd);
}

static uint64_t as_float(float x) {
  return x != x ? 0x7fc00000 : float_bits(x);
}

static uint64_t as_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7ff8000000000000 : bits;
}

/* A conversion to float as a NarrowOp; Narrow has no room for its operand. */
static volatile double double_operand;
static float double_to_float(const Narrow *in) {
  (void)in;
  return (float)double_operand;
}

/* A double to any format, rounded once. */
static uint64_t narrow(RtlType type, double x) {
  if (is_f64(type)) return as_double(x);
  if (is_f32(type)) return as_float((float)x);
  double_operand = x;
  return round_narrow(type, double_to_float, &(Narrow){0, 0, 0});
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* An operation in the format itself: in double, in float, or in float rounded to odd. */
#define ARITHMETIC(name, in_double, in_float)                                                      \
  static float name##_narrow(const Narrow *in) {                                                   \
    volatile float x = in->x, y = in->y, z = in->z;                                                \
    (void)x, (void)y, (void)z;                                                                     \
    return (in_float);                                                                             \
  }                                                                                                \
  static void name(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {  \
    const RtlType type = u->a;                                                                     \
    (void)predicate;                                                                               \
    if (is_f64(type)) {                                                                            \
      const double x = bits_double(in[0]), y = bits_double(in[1]), z = bits_double(in[2]);         \
      (void)y, (void)z;                                                                            \
      out[0] = as_double(in_double);                                                               \
      return;                                                                                      \
    }                                                                                              \
    const Narrow n = {(float)value(type, in[0]), (float)value(type, in[1]),                        \
                      (float)value(type, in[2])};                                                  \
    out[0] = is_f32(type) ? as_float(name##_narrow(&n)) : round_narrow(type, name##_narrow, &n);   \
  }

ARITHMETIC(addf, x + y, x + y)
ARITHMETIC(subf, x - y, x - y)
ARITHMETIC(mulf, x *y, x *y)
ARITHMETIC(divf, x / y, x / y)
ARITHMETIC(remf, fmod(x, y), fmodf(x, y))
ARITHMETIC(fma3, fma(x, y, z), fmaf(x, y, z))
ARITHMETIC(sqrt1, sqrt(x), sqrtf(x))

/* An operation in double, rounded to the format: exact ones, and those of math that LOOM defines
 * so. */
#define IN_DOUBLE(name, e)                                                                         \
  static void name(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {  \
    const double x = value(u->a, in[0]), y = value(u->a, in[1]);                                   \
    (void)y, (void)predicate;                                                                      \
    out[0] = narrow(u->a, e);                                                                      \
  }

/* Of the host's library, by their own names. */
#define OF_LIBRARY(X)                                                                              \
  X(acos)                                                                                          \
  X(acosh)                                                                                         \
  X(asin)                                                                                          \
  X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1)  \
      X(floor) X(log) X(log10) X(log1p) X(log2) X(round) X(sin) X(sinh) X(tan) X(tanh) X(trunc)
#define IN_DOUBLE_OF(name) IN_DOUBLE(math_##name, name(x))
OF_LIBRARY(IN_DOUBLE_OF)
IN_DOUBLE(rsqrt, 1 / sqrt(x))
IN_DOUBLE(roundeven1, nearbyint(x))
IN_DOUBLE(atan2_2, atan2(x, y))
IN_DOUBLE(powf2, pow(x, y))

static void fpowi(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  (void)predicate;
  out[0] = narrow(u->a, pow(value(u->a, in[0]), (double)extend(in[1], u->b.bits)));
}

/* The greater one, as of IEEE 754-2019, 9.6: +0 is greater than -0. No NaNs. */
static double larger(double x, double y) {
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}

IN_DOUBLE(maximumf, isunordered(x, y) ? NAN : larger(x, y))
IN_DOUBLE(minimumf, isunordered(x, y) ? NAN : -larger(-x, -y))
IN_DOUBLE(maxnumf, x != x ? y : y != y ? x : larger(x, y))
IN_DOUBLE(minnumf, x != x ? y : y != y ? x : -larger(-x, -y))

/* Predicates are numbered as MLIR's CmpFPredicate. */
static bool holds(unsigned predicate, double x, double y) {
  switch (predicate) {
  case 1: return x == y;
  case 2: return isgreater(x, y);
  case 3: return isgreaterequal(x, y);
  case 4: return isless(x, y);
  case 5: return islessequal(x, y);
  case 6: return islessgreater(x, y);
  case 7: return !isunordered(x, y);
  case 8: return isunordered(x, y) || x == y;
  case 9: return !islessequal(x, y);
  case 10: return !isless(x, y);
  case 11: return !isgreaterequal(x, y);
  case 12: return !isgreater(x, y);
  case 13: return x != y;
  case 14: return isunordered(x, y);
  default: return predicate == 15;
  }
}

/* An operation on the bits of a float, which keeps those of a NaN, or whose result is no float. */
#define BITS(name, e)                                                                              \
  static void name(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {  \
    const RtlType type = u->a;                                                                     \
    const uint64_t a = in[0] & mask(type.bits), b = in[1], sign = (uint64_t)1 << (type.bits - 1);  \
    (void)a, (void)b, (void)sign, (void)predicate;                                                 \
    out[0] = (e);                                                                                  \
  }

BITS(cmpf, holds(predicate, value(type, a), value(type, b)))
BITS(negf, a ^ sign)
BITS(absf, a &(sign - 1))
BITS(copysignf2, (a & (sign - 1)) | (b & sign))
BITS(bitcast, a)
BITS(isfinite1, isfinite(value(type, a)) != 0)
BITS(isinf1, isinf(value(type, a)) != 0)
BITS(isnan1, isnan(value(type, a)) != 0)

/* Compares with the smallest normal number of the format; bf16 has the exponents of f32. */
static void isnormal1(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  double x = fabs(value(u->a, in[0]));
  (void)predicate;
  out[0] = isfinite(x) && x >= (is_f64(u->a) ? 0x1p-1022 : is_f16(u->a) ? 0x1p-14 : 0x1p-126);
}

static void convert(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  (void)predicate;
  out[0] = narrow(u->y, value(u->a, in[0]));
}

/* ---- between floats and integers ------------------------------------------------------------- */

static volatile int64_t signed_operand;
static volatile uint64_t unsigned_operand;
static float signed_to_float(const Narrow *in) {
  (void)in;
  return (float)signed_operand;
}
static float unsigned_to_float(const Narrow *in) {
  (void)in;
  return (float)unsigned_operand;
}

static void sitofp(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  int64_t x = signed_operand = extend(in[0], u->a.bits);
  (void)predicate;
  out[0] = is_f64(u->y)   ? as_double((double)x)
           : is_f32(u->y) ? as_float((float)x)
                          : round_narrow(u->y, signed_to_float, &(Narrow){0, 0, 0});
}

static void uitofp(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  uint64_t x = unsigned_operand = in[0] & mask(u->a.bits);
  (void)predicate;
  out[0] = is_f64(u->y)   ? as_double((double)x)
           : is_f32(u->y) ? as_float((float)x)
                          : round_narrow(u->y, unsigned_to_float, &(Narrow){0, 0, 0});
}

/* Truncates and saturates. From 2^70 on, beyond any 64-bit range, x need not fit an i128. */
static uint64_t clamp(double x, i128 low, i128 high) {
  if (x != x) return 0;
  if (fabs(x) >= 0x1p70) return (uint64_t)(x < 0 ? low : high);
  i128 whole = (i128)x;
  return (uint64_t)(whole < low ? low : whole > high ? high : whole);
}

static void fptosi(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  i128 half_range = (i128)1 << (u->y.bits - 1);
  (void)predicate;
  out[0] = clamp(value(u->a, in[0]), -half_range, half_range - 1) & mask(u->y.bits);
}

static void fptoui(const RtlUnit *u, const uint64_t in[3], unsigned predicate, uint64_t out[3]) {
  (void)predicate;
  out[0] = clamp(value(u->a, in[0]), 0, ((i128)1 << u->y.bits) - 1);
}

/* ---- by name --------------------------------------------------------------------------------- */

static const struct {
  const char *op;
  RtlReference *reference;
} references[] = {
#define ROW_OF(name) {"math." #name, math_##name},
    OF_LIBRARY(ROW_OF){"arith.addi", addi},
    {"arith.subi", subi},
    {"arith.muli", muli},
    {"arith.divsi", divsi},
    {"arith.divui", divui},
    {"arith.ceildivsi", ceildivsi},
    {"arith.ceildivui", ceildivui},
    {"arith.floordivsi", floordivsi},
    {"arith.remsi", remsi},
    {"arith.remui", remui},
    {"arith.andi", andi},
    {"arith.ori", ori},
    {"arith.xori", xori},
    {"arith.shli", shli},
    {"arith.shrsi", shrsi},
    {"arith.shrui", shrui},
    {"arith.maxsi", maxsi},
    {"arith.maxui", maxui},
    {"arith.minsi", minsi},
    {"arith.minui", minui},
    {"arith.addui_extended", addui_extended},
    {"arith.mulsi_extended", mulsi_extended},
    {"arith.mului_extended", mului_extended},
    {"arith.cmpi", cmpi},
    {"arith.select", choose},
    {"arith.extsi", extsi},
    {"arith.extui", extui},
    {"arith.trunci", extui},
    {"arith.index_cast", extsi},
    {"arith.index_castui", extui},
    {"arith.bitcast", bitcast},
    {"math.absi", absi},
    {"math.ctlz", ctlz},
    {"math.cttz", cttz},
    {"math.ctpop", ctpop},
    {"math.ipowi", ipowi},
    {"llvm.intr.bitreverse", bitreverse},
    {"arith.addf", addf},
    {"arith.subf", subf},
    {"arith.mulf", mulf},
    {"arith.divf", divf},
    {"arith.remf", remf},
    {"arith.negf", negf},
    {"arith.maximumf", maximumf},
    {"arith.minimumf", minimumf},
    {"arith.maxnumf", maxnumf},
    {"arith.minnumf", minnumf},
    {"arith.maxf", maximumf},
    {"arith.minf", minimumf},
    {"arith.cmpf", cmpf},
    {"arith.extf", convert},
    {"arith.truncf", convert},
    {"arith.sitofp", sitofp},
    {"arith.uitofp", uitofp},
    {"arith.fptosi", fptosi},
    {"arith.fptoui", fptoui},
    {"math.absf", absf},
    {"math.atan2", atan2_2},
    {"math.copysign", copysignf2},
    {"math.fma", fma3},
    {"math.fpowi", fpowi},
    {"math.isfinite", isfinite1},
    {"math.isinf", isinf1},
    {"math.isnan", isnan1},
    {"math.isnormal", isnormal1},
    {"math.powf", powf2},
    {"math.roundeven", roundeven1},
    {"math.rsqrt", rsqrt},
    {"math.sqrt", sqrt1},
};

RtlReference *rtl_reference(const char *op) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    if (strcmp(references[i].op, op) == 0) return references[i].reference;
  return NULL;
}

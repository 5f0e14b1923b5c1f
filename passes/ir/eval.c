/* eval.c -- the evaluation of pure operations on bit patterns.
 *
 * Each row of ops.def that has an evaluation becomes one function here (four, one a format, where
 * floats are involved), and a table from kind to function. So
 *
 *     OP(ARITH_SHRUI, "arith.shrui", ..., EVAL_INT(2, b >= w ? POISON(0) : a >> b))
 *
 * becomes, with the frame of INT_FUNCTION around the row's own expression,
 *
 *     static EvalStatus eval_ARITH_SHRUI(const EvalOp *o, const u64 *in, u64 *out) {
 *       a = in[0], b = in[1], w = o->w
 *       result = b >= w ? (status = EVAL_POISON, 0) : a >> b
 *       if it did not trap: out[0] = result & o->mask
 *       return status
 *     }
 *
 * Ops that fit no frame are written out by hand below: those with a predicate, two results or two
 * formats, select, fpowi, and the tests of floats (isnan, ...).
 *
 * Floats. All arithmetic of f16, bf16 and f32 is done in double and rounded once. For + - * / and
 * sqrt that gives the correctly rounded result in the narrow format, because double has at least
 * 2p + 2 bits for the p = 11, 8, 24 of those formats (Figueroa, "When is double rounding
 * innocuous?", 1995); it also holds if the result is subnormal, which only has fewer bits. It
 * does not hold for fma, nor for 64-bit integers, so those round to odd to get the double:
 * truncate, and set the last bit if anything was cut off. A double rounded to odd then rounds to
 * fewer bits as the exact value would (Boldo and Melquiond, 2008). Functions of libm are computed
 * in double: the result in a narrow format is nearly always the correctly rounded one.
 *
 * Rejected: a float variant of each expression (twice the code, and double rounding of f16 through
 * f32 is not innocuous); the host's _Float16 (not everywhere, and gcc's differs from clang's).
 *
 * Needs -ffp-contract=off, which the Makefile gives and nothing here can check, and a host whose
 * double is IEEE binary64 without excess precision, which is checked below.
 */
#include "ir/eval.h"
#include "../plugins/loom_predicates.h"

#include <float.h>
#include <math.h>

_Static_assert(DBL_MANT_DIG == 53 && FLT_MANT_DIG == 24, "float and double must be IEEE");
_Static_assert(FLT_EVAL_METHOD == 0, "no excess precision");

/* ---- formats --------------------------------------------------------------------------------- */

static inline u64 double_bits(double value) {
  u64 bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double bits_double(u64 bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double f16_value(u64 bits) {
  unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                     : exponent == 0
                         ? fraction * 0x1p-24
                         : bits_double((u64)(exponent + 1023 - 15) << 52 | (u64)fraction << 42);
  return bits >> 15 & 1 ? -magnitude : magnitude;
}

static inline double f32_value(u64 bits) {
  u32 low = (u32)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static inline u64 f32_bits(double value) {
  float narrow = (float)value;
  u32 bits;
  memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

/* The nearest float of 1 sign bit, `ebits` of exponent and `mbits` of fraction, ties to even.
 * The fraction is cut by `shift` bits, more where the result is subnormal; a carry out of the
 * rounding increments the exponent, as it should, up to infinity. */
static u64 narrow_bits(double value, int ebits, int mbits) {
  u64 bits = double_bits(value), sign = bits >> 63 << (ebits + mbits);
  int bias = (1 << (ebits - 1)) - 1, exponent = (int)(bits >> 52 & 2047) - 1023;
  u64 infinity = eval_mask((unsigned)ebits) << mbits;
  if (exponent == 1024) return sign | infinity;
  int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  int shift = 52 - mbits + below;
  if (shift > 54) return sign; /* under half of the smallest subnormal */
  u64 fraction = (bits & eval_mask(52)) | (u64)1 << 52;
  u64 kept = fraction >> shift, rest = fraction & eval_mask((unsigned)shift);
  u64 half = (u64)1 << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) kept++;
  u64 result = below ? kept : ((u64)(exponent + bias - 1) << mbits) + kept;
  return sign | (result < infinity ? result : infinity);
}

static inline double value_of(FloatKind format, u64 bits) {
  switch (format) {
  case FLOAT_F16: return f16_value(bits);
  case FLOAT_BF16: return f32_value(bits << 16);
  case FLOAT_F32: return f32_value(bits);
  case FLOAT_F64: return bits_double(bits);
  }
  return 0;
}

static inline u64 bits_of(FloatKind format, double value) {
  bool is_nan = value != value;
  switch (format) {
  case FLOAT_F16: return is_nan ? 0x7e00 : narrow_bits(value, 5, 10);
  case FLOAT_BF16: return is_nan ? 0x7fc0 : narrow_bits(value, 8, 7);
  case FLOAT_F32: return is_nan ? 0x7fc00000 : f32_bits(value);
  case FLOAT_F64: return is_nan ? (u64)0x7ff8 << 48 : double_bits(value);
  }
  return 0;
}

double eval_float_value(FloatKind format, u64 bits) {
  return value_of(format, bits);
}

u64 eval_float_bits(FloatKind format, double value) {
  return bits_of(format, value);
}

/* ---- helpers of the expressions -------------------------------------------------------------- */

/* The variables of an expression, as far as its frame (below) defines them: `a` and `b` are integer
 * operands, `x`, `y` and `z` floats, `w` is the width of the operands, `rw` that of the result,
 * `format` the float format (a constant in each function), and `status` the return value. */
#define S(x)             eval_signed(x, w)
#define SIGN(w)          ((u64)1 << ((w)-1))
#define POISON(v)        (status = EVAL_POISON, (u64)(v))
#define TRAP(why)        (status = (why), (u64)0)
#define SHR_S(x, n)      ((u64)((i64)(x) >> (n)))
#define DIV_S(x, y)      div_s(x, y, w, &status)
#define DIV_U(x, y)      ((y) == 0 ? TRAP(EVAL_DIV_ZERO) : (x) / (y))
#define REM_S(x, y)      rem_s(x, y, w, &status)
#define REM_U(x, y)      ((y) == 0 ? TRAP(EVAL_DIV_ZERO) : (x) % (y))
#define POWER_S(x, y)    power_s(x, y, &status)
#define CEILDIV_S(x, y)  ceildiv_s(x, y, w, &status)
#define CEILDIV_U(x, y)  ((y) == 0 ? TRAP(EVAL_DIV_ZERO) : (x) == 0 ? 0 : ((x)-1) / (y) + 1)
#define FLOORDIV_S(x, y) floordiv_s(x, y, w, &status)

#define COUNT_LEADING_ZEROS(x, w)  ((x) == 0 ? (w) : (u64)__builtin_clzll(x) - (64 - (w)))
#define COUNT_TRAILING_ZEROS(x, w) ((x) == 0 ? (w) : (u64)__builtin_ctzll(x))
#define COUNT_ONES(x)              ((u64)__builtin_popcountll(x))
#define BIT_REVERSE(x, w)          bit_reverse(x, w)

#define FMOD(x, y)    fmod(x, y)
#define MAXIMUM(x, y) maximum(x, y)
#define MINIMUM(x, y) (-maximum(-(x), -(y)))
#define MAXNUM(x, y)  maxnum(x, y)
#define MINNUM(x, y)  (-maxnum(-(x), -(y)))
#define FMA(x, y, z)  (format == FLOAT_F64 ? fma(x, y, z) : fma_to_odd(x, y, z))
#define POW(x, y)     pow(x, y)
#define ATAN2(x, y)   atan2(x, y)
#define ACOS(x)       acos(x)
#define ACOSH(x)      acosh(x)
#define ASIN(x)       asin(x)
#define ASINH(x)      asinh(x)
#define ATAN(x)       atan(x)
#define ATANH(x)      atanh(x)
#define CBRT(x)       cbrt(x)
#define CEIL(x)       ceil(x)
#define COS(x)        cos(x)
#define COSH(x)       cosh(x)
#define ERF(x)        erf(x)
#define ERFC(x)       erfc(x)
#define EXP(x)        exp(x)
#define EXP2(x)       exp2(x)
#define EXPM1(x)      expm1(x)
#define FLOOR(x)      floor(x)
#define LOG(x)        log(x)
#define LOG10(x)      log10(x)
#define LOG1P(x)      log1p(x)
#define LOG2(x)       log2(x)
#define ROUND(x)      round(x)
#define ROUNDEVEN(x)  nearbyint(x) /* the rounding mode is never changed */
#define RSQRT(x)      (1 / sqrt(x))
#define SIN(x)        sin(x)
#define SINH(x)       sinh(x)
#define SQRT(x)       sqrt(x)
#define TAN(x)        tan(x)
#define TANH(x)       tanh(x)
#define TRUNC(x)      trunc(x)

#define FROM_S(x) (format == FLOAT_F64 ? (double)(x) : from_signed_to_odd(x))
#define FROM_U(x) (format == FLOAT_F64 ? (double)(x) : from_unsigned_to_odd(x))
#define TO_S(x)   to_signed(x, rw, &status)
#define TO_U(x)   to_unsigned(x, rw, &status)

/* Whether x / y traps; sets *status if so. */
static inline bool division_traps(i64 x, i64 y, unsigned w, EvalStatus *status) {
  if (y == 0) return *status = EVAL_DIV_ZERO, true;
  if (y == -1 && x == eval_signed(SIGN(w), w)) return *status = EVAL_OVERFLOW, true;
  return false;
}

static inline u64 div_s(i64 x, i64 y, unsigned w, EvalStatus *status) {
  return division_traps(x, y, w, status) ? 0 : (u64)(x / y);
}

static inline u64 rem_s(i64 x, i64 y, unsigned w, EvalStatus *status) {
  return division_traps(x, y, w, status) ? 0 : (u64)(x % y);
}

static inline u64 ceildiv_s(i64 x, i64 y, unsigned w, EvalStatus *status) {
  if (division_traps(x, y, w, status)) return 0;
  return (u64)(x / y + (x % y != 0 && (x < 0) == (y < 0)));
}

static inline u64 floordiv_s(i64 x, i64 y, unsigned w, EvalStatus *status) {
  if (division_traps(x, y, w, status)) return 0;
  return (u64)(x / y - (x % y != 0 && (x < 0) != (y < 0)));
}

/* x to the power y, wrapping. A negative power is 1 / x^-y rounded towards zero; for x = 0 it traps
 * as a division by zero. */
static u64 power_s(i64 x, i64 y, EvalStatus *status) {
  if (y < 0) {
    if (x == 0) *status = EVAL_DIV_ZERO;
    return x == 1 || (x == -1 && y % 2 == 0) ? 1 : x == -1 ? (u64)x : 0;
  }
  u64 power = 1, square = (u64)x;
  for (; y; y >>= 1, square *= square)
    if (y & 1) power *= square;
  return power;
}

static u64 bit_reverse(u64 x, unsigned w) {
  u64 reversed = 0;
  for (unsigned i = 0; i < w; i++) reversed |= (x >> i & 1) << (w - 1 - i);
  return reversed;
}

/* The larger; -0 < +0. NaN if either is NaN. */
static inline double maximum(double x, double y) {
  if (x != x || y != y) return (double)NAN;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}

/* The same, but NaN only if both are. */
static inline double maxnum(double x, double y) {
  return x != x ? y : y != y ? x : maximum(x, y);
}

/* x * y + z of a format narrower than double, rounded to odd. The product is exact; the error of
 * the sum is found by Knuth's TwoSum, and where there is one and the sum's last bit is not set,
 * the exact value lies between the sum and its neighbour in the direction of the error, which is
 * the odd one. */
static double fma_to_odd(double x, double y, double z) {
  double product = x * y, sum = product + z;
  if (!isfinite(sum)) return sum;
  double virtual_z = sum - product;
  double error = (product - (sum - virtual_z)) + (z - virtual_z);
  u64 bits = double_bits(sum);
  if (error != 0 && !(bits & 1)) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return bits_double(bits);
}

static double from_unsigned_to_odd(u64 x) {
  if (x >> 53 == 0) return (double)x;
  unsigned shift = 11 - (unsigned)__builtin_clzll(x);
  u64 top = x >> shift | ((x & eval_mask(shift)) != 0);
  return ldexp((double)top, (int)shift);
}

static double from_signed_to_odd(i64 x) {
  return x < 0 ? -from_unsigned_to_odd(0 - (u64)x) : from_unsigned_to_odd((u64)x);
}

static u64 to_signed(double x, unsigned rw, EvalStatus *status) {
  double limit = ldexp(1, (int)rw - 1), whole = trunc(x);
  if (x != x) return *status = EVAL_POISON, 0;
  if (whole < -limit) return *status = EVAL_POISON, SIGN(rw);
  if (whole >= limit) return *status = EVAL_POISON, SIGN(rw) - 1;
  return (u64)(i64)whole;
}

static u64 to_unsigned(double x, unsigned rw, EvalStatus *status) {
  double whole = trunc(x);
  if (x != x || whole < 0) return *status = EVAL_POISON, 0;
  if (whole >= ldexp(1, (int)rw)) return *status = EVAL_POISON, eval_mask(rw);
  return (u64)whole;
}

/* ---- one function a row ---------------------------------------------------------------------- */

/* The evaluation column as macro arguments: the frame, the number of operands, the expression. */
#define NO_EVAL          NO, 0, 0
#define EVAL_INT(n, e)   INT, n, e
#define EVAL_FLOAT(n, e) FLOAT, n, e
#define EVAL_TO_INT(e)   TO_INT, 1, e
#define EVAL_FROM_INT(e) FROM_INT, 1, e

#define EVAL_FUNCTION(name) static EvalStatus eval_##name(const EvalOp *o, const u64 *in, u64 *out)

#define NO_FUNCTION(id, n, e)

#define INT_FUNCTION(id, n, e)                                                                     \
  EVAL_FUNCTION(id) {                                                                              \
    EvalStatus status = EVAL_OK;                                                                   \
    const unsigned w = o->w;                                                                       \
    const u64 a = in[0], b = (n) > 1 ? in[(n) > 1] : 0;                                            \
    (void)w, (void)b;                                                                              \
    u64 result = (e);                                                                              \
    if (status <= EVAL_POISON) out[0] = result & o->mask;                                          \
    return status;                                                                                 \
  }

#define FLOAT_IN(id, suffix, kind, n, e)                                                           \
  EVAL_FUNCTION(id##suffix) {                                                                      \
    const FloatKind format = kind;                                                                 \
    const double x = value_of(format, in[0]), y = (n) > 1 ? value_of(format, in[(n) > 1]) : 0;     \
    const double z = (n) > 2 ? value_of(format, in[(n) > 2 ? 2 : 0]) : 0;                          \
    (void)y, (void)z, (void)o;                                                                     \
    out[0] = bits_of(format, (e));                                                                 \
    return EVAL_OK;                                                                                \
  }

#define TO_INT_IN(id, suffix, kind, n, e)                                                          \
  EVAL_FUNCTION(id##suffix) {                                                                      \
    EvalStatus status = EVAL_OK;                                                                   \
    const unsigned rw = o->rw;                                                                     \
    const double x = value_of(kind, in[0]);                                                        \
    u64 result = (e);                                                                              \
    out[0] = result & o->mask;                                                                     \
    return status;                                                                                 \
  }

#define FROM_INT_IN(id, suffix, kind, n, e)                                                        \
  EVAL_FUNCTION(id##suffix) {                                                                      \
    const FloatKind format = kind;                                                                 \
    const unsigned w = o->w;                                                                       \
    const u64 a = in[0];                                                                           \
    (void)w;                                                                                       \
    out[0] = bits_of(format, (e));                                                                 \
    return EVAL_OK;                                                                                \
  }

#define EACH_FORMAT(FRAME, id, n, e)                                                               \
  FRAME(id, _f16, FLOAT_F16, n, e)                                                                 \
  FRAME(id, _bf16, FLOAT_BF16, n, e)                                                               \
  FRAME(id, _f32, FLOAT_F32, n, e)                                                                 \
  FRAME(id, _f64, FLOAT_F64, n, e)
#define FLOAT_FUNCTION(id, n, e)    EACH_FORMAT(FLOAT_IN, id, n, e)
#define TO_INT_FUNCTION(id, n, e)   EACH_FORMAT(TO_INT_IN, id, n, e)
#define FROM_INT_FUNCTION(id, n, e) EACH_FORMAT(FROM_INT_IN, id, n, e)

#define FUNCTION_OF(id, frame, n, e)                         frame##_FUNCTION(id, n, e)
#define FUNCTION(id, ...)                                    FUNCTION_OF(id, __VA_ARGS__)
#define OP(id, name, text, shape, types, fire, traits, eval) FUNCTION(id, eval)
#include "ir/ops.def"
#undef OP

/* The functions of a row by float format; for an integer op all four are the same. */
typedef struct {
  EvalFn by_format[4];
  u8 noperands;
} EvalRow;

#define ROW_4(id)               eval_##id##_f16, eval_##id##_bf16, eval_##id##_f32, eval_##id##_f64
#define NO_ROW(id, n)           [OP_##id] = {{NULL, NULL, NULL, NULL}, 0},
#define INT_ROW(id, n)          [OP_##id] = {{eval_##id, eval_##id, eval_##id, eval_##id}, n},
#define FLOAT_ROW(id, n)        [OP_##id] = {{ROW_4(id)}, n},
#define TO_INT_ROW(id, n)       [OP_##id] = {{ROW_4(id)}, n},
#define FROM_INT_ROW(id, n)     [OP_##id] = {{ROW_4(id)}, n},
#define ROW_OF(id, frame, n, e) frame##_ROW(id, n)
#define ROW(id, ...)            ROW_OF(id, __VA_ARGS__)

static const EvalRow rows[OP_COUNT] = {
#define OP(id, name, text, shape, types, fire, traits, eval) ROW(id, eval)
#include "ir/ops.def"
#undef OP
};

/* ---- written by hand ------------------------------------------------------------------------- */

/* A comparison's predicate is a set of relations: bit EQ, GT, LT or UNORDERED (a NaN) is set where
 * the predicate holds for operands so related. */
enum { EQ = 0, GT = 1, LT = 2, UNORDERED = 3 };

EVAL_FUNCTION(compare_signed) {
  i64 a = eval_signed(in[0], o->w), b = eval_signed(in[1], o->w);
  out[0] = o->predicate >> (a == b ? EQ : a > b ? GT : LT) & 1;
  return EVAL_OK;
}

EVAL_FUNCTION(compare_unsigned) {
  out[0] = o->predicate >> (in[0] == in[1] ? EQ : in[0] > in[1] ? GT : LT) & 1;
  return EVAL_OK;
}

EVAL_FUNCTION(compare_float) {
  double x = value_of((FloatKind)o->format, in[0]), y = value_of((FloatKind)o->format, in[1]);
  out[0] = o->predicate >> (x == y ? EQ : x > y ? GT : x < y ? LT : UNORDERED) & 1;
  return EVAL_OK;
}

EVAL_FUNCTION(select) {
  (void)o;
  out[0] = in[0] & 1 ? in[1] : in[2];
  return EVAL_OK;
}

EVAL_FUNCTION(float_cast) {
  out[0] = bits_of((FloatKind)o->result_format, value_of((FloatKind)o->format, in[0]));
  return EVAL_OK;
}

EVAL_FUNCTION(fpowi) {
  double x = value_of((FloatKind)o->format, in[0]);
  out[0] = bits_of((FloatKind)o->format, pow(x, (double)eval_signed(in[1], o->w)));
  return EVAL_OK;
}

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

EVAL_FUNCTION(addui_extended) {
  u128 sum = (u128)in[0] + in[1];
  out[0] = (u64)sum & o->mask;
  out[1] = (u64)(sum >> o->w) & 1;
  return EVAL_OK;
}

EVAL_FUNCTION(mulsi_extended) {
  u128 product = (u128)((i128)eval_signed(in[0], o->w) * eval_signed(in[1], o->w));
  out[0] = (u64)product & o->mask;
  out[1] = (u64)(product >> o->w) & o->mask;
  return EVAL_OK;
}

EVAL_FUNCTION(mului_extended) {
  u128 product = (u128)in[0] * in[1];
  out[0] = (u64)product & o->mask;
  out[1] = (u64)(product >> o->w) & o->mask;
  return EVAL_OK;
}

EVAL_FUNCTION(isfinite) {
  out[0] = isfinite(value_of((FloatKind)o->format, in[0])) != 0;
  return EVAL_OK;
}

EVAL_FUNCTION(isinf) {
  out[0] = isinf(value_of((FloatKind)o->format, in[0])) != 0;
  return EVAL_OK;
}

EVAL_FUNCTION(isnan) {
  out[0] = isnan(value_of((FloatKind)o->format, in[0])) != 0;
  return EVAL_OK;
}

EVAL_FUNCTION(isnormal) {
  static const double smallest[] = {0x1p-14, 0x1p-126, 0x1p-126, 0x1p-1022};
  double x = fabs(value_of((FloatKind)o->format, in[0]));
  out[0] = x >= smallest[o->format] && x <= DBL_MAX;
  return EVAL_OK;
}

static const struct {
  OpKind kind;
  EvalRow row;
} by_hand[] = {
#define BY_HAND(id, function, n)                                                                   \
  {                                                                                                \
    OP_##id, {                                                                                     \
      {function, function, function, function}, n                                                  \
    }                                                                                              \
  }
    BY_HAND(ARITH_CMPI, eval_compare_signed, 2),
    BY_HAND(INDEX_CMP, eval_compare_signed, 2),
    BY_HAND(ARITH_CMPF, eval_compare_float, 2),
    BY_HAND(ARITH_SELECT, eval_select, 3),
    BY_HAND(ARITH_EXTF, eval_float_cast, 1),
    BY_HAND(ARITH_TRUNCF, eval_float_cast, 1),
    BY_HAND(ARITH_ADDUI_EXTENDED, eval_addui_extended, 2),
    BY_HAND(ARITH_MULSI_EXTENDED, eval_mulsi_extended, 2),
    BY_HAND(ARITH_MULUI_EXTENDED, eval_mului_extended, 2),
    BY_HAND(MATH_FPOWI, eval_fpowi, 2),
    BY_HAND(MATH_ISFINITE, eval_isfinite, 1),
    BY_HAND(MATH_ISINF, eval_isinf, 1),
    BY_HAND(MATH_ISNAN, eval_isnan, 1),
    BY_HAND(MATH_ISNORMAL, eval_isnormal, 1),
#undef BY_HAND
};

static const EvalRow *row_of(OpKind kind) {
  if (rows[kind].noperands) return &rows[kind];
  for (size_t i = 0; i < COUNT_OF(by_hand); i++)
    if (by_hand[i].kind == kind) return &by_hand[i].row;
  return NULL;
}

/* ---- predicates ------------------------------------------------------------------------------ */

const char *const int_predicate_names[] = {CMPI_WORDS};

/* Indexed like int_predicate_names, by CmpiPredicate. */
static const struct {
  u8 relations;
  bool is_unsigned;
} int_predicates[INT_PREDICATES] = {
    [CMPI_EQ] = {1 << EQ, false},  [CMPI_NE] = {1 << GT | 1 << LT, false},
    [CMPI_SLT] = {1 << LT, false}, [CMPI_SLE] = {1 << LT | 1 << EQ, false},
    [CMPI_SGT] = {1 << GT, false}, [CMPI_SGE] = {1 << GT | 1 << EQ, false},
    [CMPI_ULT] = {1 << LT, true},  [CMPI_ULE] = {1 << LT | 1 << EQ, true},
    [CMPI_UGT] = {1 << GT, true},  [CMPI_UGE] = {1 << GT | 1 << EQ, true},
};

/* Float predicates in arith.cmpf's numbering: false, oeq, ogt, oge, olt, ole, one, ord, and the
 * same again with UNORDERED: ueq, ugt, uge, ult, ule, une, uno, true. */
static const u8 float_predicates[16] = {
    0,
    1 << EQ,
    1 << GT,
    1 << GT | 1 << EQ,
    1 << LT,
    1 << LT | 1 << EQ,
    1 << LT | 1 << GT,
    1 << LT | 1 << GT | 1 << EQ,
    1 << UNORDERED | 1 << EQ,
    1 << UNORDERED | 1 << GT,
    1 << UNORDERED | 1 << GT | 1 << EQ,
    1 << UNORDERED | 1 << LT,
    1 << UNORDERED | 1 << LT | 1 << EQ,
    1 << UNORDERED | 1 << LT | 1 << GT,
    1 << UNORDERED,
    1 << UNORDERED | 1 << LT | 1 << GT | 1 << EQ,
};

static bool text_has_word(const char *text, const char *word) {
  size_t len = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++) {
    bool starts = at == text || strchr(" <,.", at[-1]);
    bool ends = at[len] == '\0' || strchr(" >,", at[len]);
    if (starts && ends) return true;
  }
  return false;
}

/* A number in arith.cmpi and arith.cmpf, #index<cmp_predicate slt> in index.cmp. */
i64 eval_predicate(const Op *op) {
  const Attr *attr = op_attr(op, op->kind == OP_INDEX_CMP ? "pred" : "predicate");
  if (!attr) return -1;
  if (attr->kind == ATTR_INT) return attr->i;
  for (i64 i = 0; attr->str && i < INT_PREDICATES; i++)
    if (text_has_word(attr->str->text, int_predicate_names[i])) return i;
  return -1;
}

bool eval_set_predicate(EvalOp *e, OpKind kind, unsigned number) {
  if (kind == OP_ARITH_CMPF) {
    if (number >= COUNT_OF(float_predicates)) return false;
    e->predicate = float_predicates[number];
    return true;
  }
  if (number >= COUNT_OF(int_predicates)) return false;
  e->predicate = int_predicates[number].relations;
  e->run = int_predicates[number].is_unsigned ? eval_compare_unsigned : eval_compare_signed;
  return true;
}

static bool prepare_compare(OpKind kind, const Op *op, EvalOp *e) {
  i64 number = op ? eval_predicate(op) : -1;
  return number >= 0 && number <= UINT8_MAX && eval_set_predicate(e, kind, (unsigned)number);
}

/* ---- flags that make a result poison --------------------------------------------------------- */

enum { FLAG_NSW = 1, FLAG_NUW = 2, FLAG_EXACT = 4, FLAG_NNEG = 8 };

/* Whether the exact result of an op with nsw or nuw, computed in 128 bits, does not fit its width.
 * The op is identified by its evaluation function (`unflagged`). */
static bool overflows(const EvalOp *o, const u64 *in, bool is_signed) {
  i128 a = is_signed ? eval_signed(in[0], o->w) : (i128)in[0], b = 0, exact;
  if (o->noperands > 1) b = is_signed ? eval_signed(in[1], o->w) : (i128)in[1];
  if (o->unflagged == eval_ARITH_ADDI) {
    exact = a + b;
  } else if (o->unflagged == eval_ARITH_SUBI) {
    exact = a - b;
  } else if (o->unflagged == eval_ARITH_MULI) {
    if (!is_signed) return (u128)a * (u128)b > o->mask;
    exact = a * b;
  } else if (o->unflagged == eval_ARITH_SHLI) {
    if (in[1] >= o->w) return false; /* poison already */
    exact = (i128)((u128)a << in[1]);
  } else {
    exact = a; /* trunci */
  }
  i128 wrapped = is_signed ? eval_signed((u64)exact, o->rw) : (i128)((u64)exact & o->mask);
  return wrapped != exact;
}

/* Whether a division or right shift marked exact leaves a remainder. A division by zero has trapped
 * before. */
static bool is_inexact(const EvalOp *o, const u64 *in) {
  if (o->unflagged == eval_ARITH_SHRSI || o->unflagged == eval_ARITH_SHRUI)
    return in[1] < o->w && (in[0] & eval_mask((unsigned)in[1])) != 0;
  i64 a = eval_signed(in[0], o->w), b = eval_signed(in[1], o->w);
  if (b == 0 || in[1] == 0) return false;
  return o->unflagged == eval_ARITH_DIVSI ? a % b != 0 : in[0] % in[1] != 0;
}

EVAL_FUNCTION(flagged) {
  EvalStatus status = o->unflagged(o, in, out);
  if (status != EVAL_OK) return status;
  bool poison = ((o->flags & FLAG_NSW) && overflows(o, in, true)) ||
                ((o->flags & FLAG_NUW) && overflows(o, in, false)) ||
                ((o->flags & FLAG_EXACT) && is_inexact(o, in)) ||
                ((o->flags & FLAG_NNEG) && eval_signed(in[0], o->w) < 0);
  return poison ? EVAL_POISON : EVAL_OK;
}

static u8 flags_of(OpKind kind, const Op *op) {
  u8 flags = 0;
  const Attr *overflow = op_attr(op, "overflowFlags");
  switch (kind) {
  case OP_ARITH_ADDI:
  case OP_ARITH_SUBI:
  case OP_ARITH_MULI:
  case OP_ARITH_SHLI:
  case OP_ARITH_TRUNCI:
    if (overflow && overflow->str && text_has_word(overflow->str->text, "nsw")) flags |= FLAG_NSW;
    if (overflow && overflow->str && text_has_word(overflow->str->text, "nuw")) flags |= FLAG_NUW;
    break;
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
    if (op_attr(op, "isExact")) flags |= FLAG_EXACT;
    break;
  case OP_ARITH_EXTUI:
  case OP_ARITH_INDEX_CASTUI:
  case OP_ARITH_UITOFP:
    if (op_attr(op, "nonNeg") || op_attr(op, "nneg")) flags |= FLAG_NNEG;
    break;
  default: break;
  }
  return flags;
}

/* ---- preparing and folding ------------------------------------------------------------------- */

static bool rounds_to_nearest(const Op *op) {
  return !op || op_attr_int(op, "roundingmode", 0) == 0;
}

bool eval_prepare(const Context *ctx, OpKind kind, const Op *op, const Type *const *operands,
                  const Type *result, EvalOp *e) {
  const EvalRow *row = row_of(kind);
  if (!row || !type_is_scalar(result) || !rounds_to_nearest(op)) return false;
  for (u32 i = 0; i < row->noperands; i++)
    if (!type_is_scalar(operands[i])) return false;
  /* The operand that gives width and format: select's first is its condition, fpowi's second is
   * the integer. */
  const Type *value = kind == OP_ARITH_SELECT ? operands[1] : operands[0];
  const Type *sized = kind == OP_MATH_FPOWI ? operands[1] : value;
  *e = (EvalOp){.noperands = row->noperands, .nresults = 1};
  e->w = (u8)type_bits(ctx, sized);
  e->rw = (u8)type_bits(ctx, result);
  e->mask = eval_mask(e->rw);
  e->format = type_is_float(value) ? value->float_kind : 0;
  e->result_format = type_is_float(result) ? result->float_kind : 0;
  e->run = row->by_format[type_is_float(value) ? e->format : e->result_format];
  switch (kind) {
  case OP_ARITH_CMPI:
  case OP_INDEX_CMP:
  case OP_ARITH_CMPF: return prepare_compare(kind, op, e);
  case OP_ARITH_ADDUI_EXTENDED:
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED: e->nresults = 2; break;
  default: break;
  }
  if (op) e->flags = flags_of(kind, op);
  if (e->flags) {
    e->unflagged = e->run;
    e->run = eval_flagged;
  }
  return true;
}

bool eval_pure(const Context *ctx, OpKind kind, const Op *op, const Type *const *operands,
               const Type *result, const u64 *in, u64 *out) {
  EvalOp e;
  u64 values[EVAL_MAX_RESULTS];
  if (!eval_prepare(ctx, kind, op, operands, result, &e)) return false;
  if (eval_run(&e, in, values) != EVAL_OK) return false;
  memcpy(out, values, e.nresults * sizeof *out);
  return true;
}

bool eval_constant(const Context *ctx, const Op *op, u64 *bits) {
  switch (op->kind) {
  case OP_UB_POISON:
  case OP_INDEX_SIZEOF:
  case OP_ARITH_CONSTANT:
  case OP_INDEX_CONSTANT:
  case OP_INDEX_BOOL_CONSTANT:
  case OP_HANDSHAKE_CONSTANT: break;
  default: return false; /* the common case */
  }
  if (op->nresults != 1) return false;
  const Type *type = op->results[0].type;
  unsigned width = type->kind == TYPE_NONE || type_is_scalar(type) ? type_bits(ctx, type) : 65;
  if (width > 64) return false;
  if (op->kind == OP_UB_POISON) return *bits = 0, true;
  if (op->kind == OP_INDEX_SIZEOF) return *bits = ctx->index_width, true;
  const Attr *value = op_attr(op, "value");
  if (type->kind == TYPE_NONE) return *bits = 0, true;
  if (!value) return false;
  if (value->kind != ATTR_INT && value->kind != ATTR_BOOL && value->kind != ATTR_FLOAT)
    return false;
  *bits = (u64)value->i & eval_mask(width);
  return true;
}

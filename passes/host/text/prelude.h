/* prelude.h -- the helper functions of generated C, each copied only where it is used.
 *
 * prelude.c takes this text in pieces, divided by empty lines: a piece defines one name. Those
 * without one, such as this, are for readers here. A piece stands behind those that it uses.
 *
 * What ir/eval.c does for the interpreter is said here again for three compilers, two of which
 * optimise. So: macros where the type of an argument is open or a trap must leave from the middle,
 * small functions for the rest. All of it is C99 without a header but <stdint.h> (functions of libm
 * are declared here), and keeps away from what tcc 0.9.27 gets wrong:
 *
 *     !(x < y) where one is a NaN       is written as other comparisons
 *     -x of a NaN                       flips the sign bit in the bits
 *     uint64_t to double and back       goes through int64_t */

#if defined(__GNUC__)
#define LOOM_HELPER static inline __attribute__((unused))
#else
#define LOOM_HELPER static inline
#endif

/* ---- integers; traps: 1 divides by zero, 2 overflows ---- */

#define LOOM_CHECKED_U(y, node, result) ((y) == 0 ? (loom_trap(1, node, 0, 0), (y)) : (result))

#define LOOM_DIVIDE_U(x, y, node, op) LOOM_CHECKED_U(y, node, (x)op(y))

#define LOOM_DIVIDE_UP_U(x, y, node) LOOM_CHECKED_U(y, node, (x) == 0 ? (x) : ((x)-1) / (y) + 1)

#define LOOM_CHECKED(T, x, y, smallest, node, result)                                              \
  ((y) == 0                       ? (loom_trap(1, node, 0, 0), (T)0)                               \
   : (y) == -1 && (x) == smallest ? (loom_trap(2, node, 0, 0), (T)0)                               \
                                  : (T)(result))

#define LOOM_DIVIDE(T, x, y, smallest, node, op) LOOM_CHECKED(T, x, y, smallest, node, (x)op(y))

#define LOOM_DIVIDE_UP(T, x, y, smallest, node)                                                    \
  LOOM_CHECKED(T, x, y, smallest, node, (x) / (y) + ((x) % (y) != 0 && ((x) < 0) == ((y) < 0)))

#define LOOM_DIVIDE_DOWN(T, x, y, smallest, node)                                                  \
  LOOM_CHECKED(T, x, y, smallest, node, (x) / (y) - ((x) % (y) != 0 && ((x) < 0) != ((y) < 0)))

LOOM_HELPER uint32_t loom_power32(int32_t x, int32_t y) {
  uint32_t power = 1, square = (uint32_t)x;
  if (y < 0) return x == 1 || (x == -1 && y % 2 == 0) ? 1u : x == -1 ? square : 0u;
  for (; y; y >>= 1, square *= square)
    if (y & 1) power *= square;
  return power;
}

LOOM_HELPER uint64_t loom_power64(int64_t x, int64_t y) {
  uint64_t power = 1, square = (uint64_t)x;
  if (y < 0) return x == 1 || (x == -1 && y % 2 == 0) ? 1u : x == -1 ? square : 0u;
  for (; y; y >>= 1, square *= square)
    if (y & 1) power *= square;
  return power;
}

#define LOOM_POWER(power, x, y, node)                                                              \
  ((y) < 0 && (x) == 0 ? (loom_trap(1, node, 0, 0), 0u) : power(x, y))

LOOM_HELPER uint32_t loom_clz32(uint32_t x) {
#if defined(__GNUC__) && !defined(__TINYC__)
  return x == 0 ? 32 : (uint32_t)__builtin_clz(x);
#else
  uint32_t n = 0;
  if (x == 0) return 32;
  if (x >> 16 == 0) n += 16, x <<= 16;
  if (x >> 24 == 0) n += 8, x <<= 8;
  if (x >> 28 == 0) n += 4, x <<= 4;
  if (x >> 30 == 0) n += 2, x <<= 2;
  return n + (x >> 31 == 0);
#endif
}

LOOM_HELPER uint64_t loom_clz64(uint64_t x) {
  return x >> 32 ? loom_clz32((uint32_t)(x >> 32)) : 32 + loom_clz32((uint32_t)x);
}

LOOM_HELPER uint32_t loom_popcount32(uint32_t x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

LOOM_HELPER uint64_t loom_popcount64(uint64_t x) {
  return (uint64_t)loom_popcount32((uint32_t)x) + loom_popcount32((uint32_t)(x >> 32));
}

LOOM_HELPER uint32_t loom_ctz32(uint32_t x, uint32_t width) {
#if defined(__GNUC__) && !defined(__TINYC__)
  return x == 0 ? width : (uint32_t)__builtin_ctz(x);
#else
  return x == 0 ? width : loom_popcount32(~x & (x - 1));
#endif
}

LOOM_HELPER uint64_t loom_ctz64(uint64_t x, uint64_t width) {
  return x == 0 ? width : loom_popcount64(~x & (x - 1));
}

LOOM_HELPER uint32_t loom_reverse32(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}

LOOM_HELPER uint64_t loom_reverse64(uint64_t x) {
  return (uint64_t)loom_reverse32((uint32_t)x) << 32 | loom_reverse32((uint32_t)(x >> 32));
}

/* The high 64 bits of a product. */
LOOM_HELPER uint64_t loom_high(uint64_t a, uint64_t b) {
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (uint32_t)mid;
  return ah * bh + (mid >> 32) + (mid2 >> 32);
}

LOOM_HELPER uint64_t loom_high_u(uint64_t a, uint64_t b, uint32_t w) {
  uint64_t high = loom_high(a, b);
  return w == 64 ? high : high << (64 - w) | (a * b) >> w;
}

LOOM_HELPER uint64_t loom_high_s(int64_t a, int64_t b, uint32_t w) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b, high = loom_high(ua, ub);
  if (a < 0) high -= ub;
  if (b < 0) high -= ua;
  return w == 64 ? high : high << (64 - w) | (ua * ub) >> w;
}

/* ---- floats and their bits ---- */

LOOM_HELPER uint32_t loom_f32_bits(float x) {
  union {
    float value;
    uint32_t bits;
  } both;
  both.value = x;
  return both.bits;
}

LOOM_HELPER float loom_f32_of_bits(uint32_t bits) {
  union {
    float value;
    uint32_t bits;
  } both;
  both.bits = bits;
  return both.value;
}

LOOM_HELPER uint64_t loom_f64_bits(double x) {
  union {
    double value;
    uint64_t bits;
  } both;
  both.value = x;
  return both.bits;
}

LOOM_HELPER double loom_f64_of_bits(uint64_t bits) {
  union {
    double value;
    uint64_t bits;
  } both;
  both.bits = bits;
  return both.value;
}

#define LOOM_INFINITY loom_f64_of_bits(0x7ff0000000000000u)

#define LOOM_CANONICAL_F32(x) ((x) == (x) ? (x) : loom_f32_of_bits(0x7fc00000u))

#define LOOM_CANONICAL_F64(x) ((x) == (x) ? (x) : loom_f64_of_bits(0x7ff8000000000000u))

LOOM_HELPER float loom_canonical_f32(float x) {
  return LOOM_CANONICAL_F32(x);
}

LOOM_HELPER double loom_canonical_f64(double x) {
  return LOOM_CANONICAL_F64(x);
}

LOOM_HELPER int loom_is_between(double x, double low, double high) {
  if (x < 0) x = -x;
  return x >= low && x <= high;
}

LOOM_HELPER double loom_maximum(double x, double y) {
  if (x != x) return x;
  if (y != y) return y;
  if (x == y) return loom_f64_bits(x) >> 63 ? y : x;
  return x > y ? x : y;
}

LOOM_HELPER double loom_minimum(double x, double y) {
  if (x != x) return x;
  if (y != y) return y;
  if (x == y) return loom_f64_bits(x) >> 63 ? x : y;
  return x < y ? x : y;
}

LOOM_HELPER double loom_maxnum(double x, double y) {
  return x != x ? y : y != y ? x : loom_maximum(x, y);
}

LOOM_HELPER double loom_minnum(double x, double y) {
  return x != x ? y : y != y ? x : loom_minimum(x, y);
}

/* x * y + z of narrower floats, rounded to odd: rounding that once more gives the float
 * nearest to the exact value. */
LOOM_HELPER double loom_fma_odd(double x, double y, double z) {
  double product = x * y, sum = product + z, part = sum - product;
  double error = (product - (sum - part)) + (z - part);
  uint64_t bits = loom_f64_bits(sum);
  if (loom_is_between(sum, 0.0, 1.7976931348623157e308) && error != 0 && (bits & 1) == 0)
    bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return loom_f64_of_bits(bits);
}

/* ---- f16 and bf16 ---- */

LOOM_HELPER double loom_f16_value(uint32_t bits) {
  uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  uint64_t sign = (uint64_t)(bits >> 15) << 63;
  if (exponent == 31)
    return loom_f64_of_bits(sign | (fraction ? 0x7ff8000000000000u : 0x7ff0000000000000u));
  if (exponent != 0) return loom_f64_of_bits(sign | (exponent + 1008) << 52 | fraction << 42);
  return loom_f64_of_bits(sign | loom_f64_bits((double)(int32_t)fraction * 5.9604644775390625e-08));
}

LOOM_HELPER double loom_bf16_value(uint32_t bits) {
  return (double)loom_f32_of_bits(bits << 16);
}

/* The nearest float of `ebits` of exponent and `mbits` of fraction, ties to even. */
LOOM_HELPER uint16_t loom_narrow(double x, int ebits, int mbits) {
  uint64_t bits = loom_f64_bits(x), kept, rest, half;
  uint32_t sign = (uint32_t)(bits >> 63) << (ebits + mbits);
  uint32_t infinity = ((1u << ebits) - 1) << mbits;
  int lowest = 2 - (1 << (ebits - 1)), exponent = (int)(bits >> 52 & 2047) - 1023;
  int below = exponent < lowest ? lowest - exponent : 0, shift = 52 - mbits + below;
  if (x != x) return (uint16_t)(infinity | 1u << (mbits - 1));
  if (exponent == 1024) return (uint16_t)(sign | infinity);
  if (shift > 54) return (uint16_t)sign;
  bits = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
  kept = bits >> shift;
  rest = bits & (((uint64_t)1 << shift) - 1);
  half = (uint64_t)1 << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) kept++;
  if (below == 0) kept += (uint64_t)(exponent - lowest) << mbits;
  return (uint16_t)(sign | (kept < infinity ? (uint32_t)kept : infinity));
}

/* Where the result is a normal number, its bits are those of the double with another bias, and what
 * is cut off rounds by an addition that may carry into the exponent. */

LOOM_HELPER uint16_t loom_f16_of(double x) {
  uint64_t bits = loom_f64_bits(x), rest = bits - ((uint64_t)1008 << 52);
  if ((bits >> 52 & 2047) - 1009 >= 30) return loom_narrow(x, 5, 10);
  rest += 0x1ffffffffffu + (rest >> 42 & 1);
  return (uint16_t)((bits >> 63) << 15 | (rest >> 42 & 0x7fff));
}

LOOM_HELPER uint16_t loom_bf16_of(double x) {
  uint64_t bits = loom_f64_bits(x), rest = bits - ((uint64_t)896 << 52);
  if ((bits >> 52 & 2047) - 897 >= 254) return loom_narrow(x, 8, 7);
  rest += 0xfffffffffffu + (rest >> 45 & 1);
  return (uint16_t)((bits >> 63) << 15 | (rest >> 45 & 0x7fff));
}

/* ---- floats and integers ---- */

LOOM_HELPER double loom_f64_of_u64(uint64_t x) {
  return x >> 63 ? 2.0 * (double)(int64_t)(x >> 1 | (x & 1)) : (double)(int64_t)x;
}

/* Rounded to odd, so that rounding it to a narrower float is as good as rounding once. */
LOOM_HELPER double loom_f64_of_u64_odd(uint64_t x) {
  uint64_t scale = 1, cut = 0;
  for (; x >> 53; x >>= 1, scale *= 2) cut |= x & 1;
  return (double)(int64_t)(x | cut) * (double)(int64_t)scale;
}

LOOM_HELPER double loom_f64_of_s64_odd(int64_t x) {
  return x < 0 ? -loom_f64_of_u64_odd(0 - (uint64_t)x) : loom_f64_of_u64_odd((uint64_t)x);
}

LOOM_HELPER uint64_t loom_u64_of_f64(double x) {
  if (x < 9223372036854775808.0) return (uint64_t)(int64_t)x;
  return (uint64_t)(int64_t)(x - 9223372036854775808.0) | 0x8000000000000000u;
}

/* Cut to an integer; beyond the limits the nearest one, 0 for a NaN. */
LOOM_HELPER uint64_t loom_to_signed(double x, double limit) {
  if (x >= limit) return loom_u64_of_f64(limit) - 1;
  if (x < -limit) return 0 - loom_u64_of_f64(limit);
  return x == x ? (uint64_t)(int64_t)x : 0;
}

LOOM_HELPER uint64_t loom_to_unsigned(double x, double limit) {
  if (x >= limit) return limit > 1e19 ? ~(uint64_t)0 : loom_u64_of_f64(limit) - 1;
  return x > 0 ? loom_u64_of_f64(x) : 0;
}

/* ---- libm ---- */

double acos(double);

double acosh(double);

double asin(double);

double asinh(double);

double atan(double);

double atanh(double);

double cbrt(double);

double ceil(double);

double cos(double);

double cosh(double);

double erf(double);

double erfc(double);

double exp(double);

double exp2(double);

double expm1(double);

double floor(double);

double log(double);

double log10(double);

double log1p(double);

double log2(double);

double nearbyint(double);

double round(double);

double sin(double);

double sinh(double);

double sqrt(double);

double tan(double);

double tanh(double);

double trunc(double);

double atan2(double, double);

double fmod(double, double);

double pow(double, double);

double fma(double, double, double);

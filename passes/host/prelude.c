/* prelude.c -- the helper functions of generated C, each given out only where it is used.
 *
 * What ir/eval.c does for the interpreter is said here again for three compilers, two of which
 * optimise. So: macros where an argument's type is open or a trap must leave from the middle,
 * small functions for the rest. All of it is C99 without a header but <stdint.h> (functions of libm
 * are declared here), and keeps away from what tcc 0.9.27 gets wrong:
 *
 *     !(x < y) where one is a NaN       is written as other comparisons
 *     -x of a NaN                       flips the sign bit in the bits
 *     uint64_t to double and back       goes through int64_t
 *
 * Helpers stand in an order in which each comes after those it uses. */
#include "host/c_text.h"

#include <ctype.h>

static const struct {
  const char *name, *text;
} helpers[] = {
    {"LOOM_HELPER", "#if defined(__GNUC__)\n"
                    "#define LOOM_HELPER static inline __attribute__((unused))\n"
                    "#else\n"
                    "#define LOOM_HELPER static inline\n"
                    "#endif\n"},

    /* integers; traps: 1 divides by zero, 2 overflows */
    {"LOOM_CHECKED_U", "#define LOOM_CHECKED_U(y, node, result) \\\n"
                       "  ((y) == 0 ? (loom_trap(1, node, 0, 0), (y)) : (result))\n"},
    {"LOOM_DIVIDE_U", "#define LOOM_DIVIDE_U(x, y, node, op) LOOM_CHECKED_U(y, node, (x)op(y))\n"},
    {"LOOM_DIVIDE_UP_U", "#define LOOM_DIVIDE_UP_U(x, y, node) \\\n"
                         "  LOOM_CHECKED_U(y, node, (x) == 0 ? (x) : ((x)-1) / (y) + 1)\n"},
    {"LOOM_CHECKED",
     "#define LOOM_CHECKED(T, x, y, smallest, node, result) \\\n"
     "  ((y) == 0 ? (loom_trap(1, node, 0, 0), (T)0) \\\n"
     "   : (y) == -1 && (x) == smallest ? (loom_trap(2, node, 0, 0), (T)0) : (T)(result))\n"},
    {"LOOM_DIVIDE", "#define LOOM_DIVIDE(T, x, y, smallest, node, op) \\\n"
                    "  LOOM_CHECKED(T, x, y, smallest, node, (x)op(y))\n"},
    {"LOOM_DIVIDE_UP", "#define LOOM_DIVIDE_UP(T, x, y, smallest, node) \\\n"
                       "  LOOM_CHECKED(T, x, y, smallest, node, \\\n"
                       "               (x) / (y) + ((x) % (y) != 0 && ((x) < 0) == ((y) < 0)))\n"},
    {"LOOM_DIVIDE_DOWN",
     "#define LOOM_DIVIDE_DOWN(T, x, y, smallest, node) \\\n"
     "  LOOM_CHECKED(T, x, y, smallest, node, \\\n"
     "               (x) / (y) - ((x) % (y) != 0 && ((x) < 0) != ((y) < 0)))\n"},
#define POWER(k)                                                                                   \
  {                                                                                                \
    "loom_power" #k,                                                                               \
        "LOOM_HELPER uint" #k "_t loom_power" #k "(int" #k "_t x, int" #k "_t y) {\n"              \
        "  uint" #k "_t power = 1, square = (uint" #k "_t)x;\n"                                    \
        "  if (y < 0) return x == 1 || (x == -1 && y % 2 == 0) ? 1u : x == -1 ? square "           \
        ": 0u;\n"                                                                                  \
        "  for (; y; y >>= 1, square *= square)\n"                                                 \
        "    if (y & 1) power *= square;\n"                                                        \
        "  return power;\n"                                                                        \
        "}\n"                                                                                      \
  }
    POWER(32),
    POWER(64),
#undef POWER
    {"LOOM_POWER", "#define LOOM_POWER(power, x, y, node) \\\n"
                   "  ((y) < 0 && (x) == 0 ? (loom_trap(1, node, 0, 0), 0u) : power(x, y))\n"},
    {"loom_clz32", "LOOM_HELPER uint32_t loom_clz32(uint32_t x) {\n"
                   "#if defined(__GNUC__) && !defined(__TINYC__)\n"
                   "  return x == 0 ? 32 : (uint32_t)__builtin_clz(x);\n"
                   "#else\n"
                   "  uint32_t n = 0;\n"
                   "  if (x == 0) return 32;\n"
                   "  if (x >> 16 == 0) n += 16, x <<= 16;\n"
                   "  if (x >> 24 == 0) n += 8, x <<= 8;\n"
                   "  if (x >> 28 == 0) n += 4, x <<= 4;\n"
                   "  if (x >> 30 == 0) n += 2, x <<= 2;\n"
                   "  return n + (x >> 31 == 0);\n"
                   "#endif\n"
                   "}\n"},
    {"loom_clz64", "LOOM_HELPER uint64_t loom_clz64(uint64_t x) {\n"
                   "  return x >> 32 ? loom_clz32((uint32_t)(x >> 32)) : 32 + "
                   "loom_clz32((uint32_t)x);\n"
                   "}\n"},
    {"loom_popcount32", "LOOM_HELPER uint32_t loom_popcount32(uint32_t x) {\n"
                        "  x -= x >> 1 & 0x55555555u;\n"
                        "  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);\n"
                        "  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;\n"
                        "}\n"},
    {"loom_popcount64",
     "LOOM_HELPER uint64_t loom_popcount64(uint64_t x) {\n"
     "  return (uint64_t)loom_popcount32((uint32_t)x) + loom_popcount32((uint32_t)(x >> 32));\n"
     "}\n"},
    {"loom_ctz32", "LOOM_HELPER uint32_t loom_ctz32(uint32_t x, uint32_t width) {\n"
                   "#if defined(__GNUC__) && !defined(__TINYC__)\n"
                   "  return x == 0 ? width : (uint32_t)__builtin_ctz(x);\n"
                   "#else\n"
                   "  return x == 0 ? width : loom_popcount32(~x & (x - 1));\n"
                   "#endif\n"
                   "}\n"},
    {"loom_ctz64", "LOOM_HELPER uint64_t loom_ctz64(uint64_t x, uint64_t width) {\n"
                   "  return x == 0 ? width : loom_popcount64(~x & (x - 1));\n"
                   "}\n"},
    {"loom_reverse32", "LOOM_HELPER uint32_t loom_reverse32(uint32_t x) {\n"
                       "  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;\n"
                       "  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;\n"
                       "  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;\n"
                       "  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;\n"
                       "  return x >> 16 | x << 16;\n"
                       "}\n"},
    {"loom_reverse64",
     "LOOM_HELPER uint64_t loom_reverse64(uint64_t x) {\n"
     "  return (uint64_t)loom_reverse32((uint32_t)x) << 32 | loom_reverse32((uint32_t)(x >> 32));\n"
     "}\n"},
    {"loom_high", "/* The high 64 bits of a product. */\n"
                  "LOOM_HELPER uint64_t loom_high(uint64_t a, uint64_t b) {\n"
                  "  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;\n"
                  "  uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + "
                  "(uint32_t)mid;\n"
                  "  return ah * bh + (mid >> 32) + (mid2 >> 32);\n"
                  "}\n"},
    {"loom_high_u", "LOOM_HELPER uint64_t loom_high_u(uint64_t a, uint64_t b, uint32_t w) {\n"
                    "  uint64_t high = loom_high(a, b);\n"
                    "  return w == 64 ? high : high << (64 - w) | (a * b) >> w;\n"
                    "}\n"},
    {"loom_high_s", "LOOM_HELPER uint64_t loom_high_s(int64_t a, int64_t b, uint32_t w) {\n"
                    "  uint64_t ua = (uint64_t)a, ub = (uint64_t)b, high = loom_high(ua, ub);\n"
                    "  if (a < 0) high -= ub;\n"
                    "  if (b < 0) high -= ua;\n"
                    "  return w == 64 ? high : high << (64 - w) | (ua * ub) >> w;\n"
                    "}\n"},

    /* floats and their bits */
    {"loom_f32_bits", "LOOM_HELPER uint32_t loom_f32_bits(float x) {\n"
                      "  union { float value; uint32_t bits; } both;\n"
                      "  both.value = x;\n"
                      "  return both.bits;\n"
                      "}\n"},
    {"loom_f32_of_bits", "LOOM_HELPER float loom_f32_of_bits(uint32_t bits) {\n"
                         "  union { float value; uint32_t bits; } both;\n"
                         "  both.bits = bits;\n"
                         "  return both.value;\n"
                         "}\n"},
    {"loom_f64_bits", "LOOM_HELPER uint64_t loom_f64_bits(double x) {\n"
                      "  union { double value; uint64_t bits; } both;\n"
                      "  both.value = x;\n"
                      "  return both.bits;\n"
                      "}\n"},
    {"loom_f64_of_bits", "LOOM_HELPER double loom_f64_of_bits(uint64_t bits) {\n"
                         "  union { double value; uint64_t bits; } both;\n"
                         "  both.bits = bits;\n"
                         "  return both.value;\n"
                         "}\n"},
    {"LOOM_INFINITY", "#define LOOM_INFINITY loom_f64_of_bits(0x7ff0000000000000u)\n"},
    {"LOOM_CANONICAL_F32",
     "#define LOOM_CANONICAL_F32(x) ((x) == (x) ? (x) : loom_f32_of_bits(0x7fc00000u))\n"},
    {"LOOM_CANONICAL_F64",
     "#define LOOM_CANONICAL_F64(x) ((x) == (x) ? (x) : loom_f64_of_bits(0x7ff8000000000000u))\n"},
    {"loom_canonical_f32", "LOOM_HELPER float loom_canonical_f32(float x) {\n"
                           "  return LOOM_CANONICAL_F32(x);\n"
                           "}\n"},
    {"loom_canonical_f64", "LOOM_HELPER double loom_canonical_f64(double x) {\n"
                           "  return LOOM_CANONICAL_F64(x);\n"
                           "}\n"},
    {"loom_is_between", "LOOM_HELPER int loom_is_between(double x, double low, double high) {\n"
                        "  if (x < 0) x = -x;\n"
                        "  return x >= low && x <= high;\n"
                        "}\n"},
    {"loom_maximum", "LOOM_HELPER double loom_maximum(double x, double y) {\n"
                     "  if (x != x) return x;\n"
                     "  if (y != y) return y;\n"
                     "  if (x == y) return loom_f64_bits(x) >> 63 ? y : x;\n"
                     "  return x > y ? x : y;\n"
                     "}\n"},
    {"loom_minimum", "LOOM_HELPER double loom_minimum(double x, double y) {\n"
                     "  if (x != x) return x;\n"
                     "  if (y != y) return y;\n"
                     "  if (x == y) return loom_f64_bits(x) >> 63 ? x : y;\n"
                     "  return x < y ? x : y;\n"
                     "}\n"},
    {"loom_maxnum", "LOOM_HELPER double loom_maxnum(double x, double y) {\n"
                    "  return x != x ? y : y != y ? x : loom_maximum(x, y);\n"
                    "}\n"},
    {"loom_minnum", "LOOM_HELPER double loom_minnum(double x, double y) {\n"
                    "  return x != x ? y : y != y ? x : loom_minimum(x, y);\n"
                    "}\n"},
    {"loom_fma_odd",
     "/* x * y + z of narrower floats, rounded to odd: rounding that once more gives the float\n"
     " * nearest to the exact value. */\n"
     "LOOM_HELPER double loom_fma_odd(double x, double y, double z) {\n"
     "  double product = x * y, sum = product + z, part = sum - product;\n"
     "  double error = (product - (sum - part)) + (z - part);\n"
     "  uint64_t bits = loom_f64_bits(sum);\n"
     "  if (loom_is_between(sum, 0.0, 1.7976931348623157e308) && error != 0 && (bits & 1) == 0)\n"
     "    bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;\n"
     "  return loom_f64_of_bits(bits);\n"
     "}\n"},

    /* f16 and bf16 */
    {"loom_f16_value",
     "LOOM_HELPER double loom_f16_value(uint32_t bits) {\n"
     "  uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;\n"
     "  uint64_t sign = (uint64_t)(bits >> 15) << 63;\n"
     "  if (exponent == 31) return loom_f64_of_bits(sign | (fraction ? 0x7ff8000000000000u\n"
     "                                                               : 0x7ff0000000000000u));\n"
     "  if (exponent != 0) return loom_f64_of_bits(sign | (exponent + 1008) << 52 | fraction << "
     "42);\n"
     "  return loom_f64_of_bits(sign | loom_f64_bits((double)(int32_t)fraction * "
     "5.9604644775390625e-08));\n"
     "}\n"},
    {"loom_bf16_value", "LOOM_HELPER double loom_bf16_value(uint32_t bits) {\n"
                        "  return (double)loom_f32_of_bits(bits << 16);\n"
                        "}\n"},
    {"loom_narrow",
     "/* The nearest float of `ebits` of exponent and `mbits` of fraction, ties to even. */\n"
     "LOOM_HELPER uint16_t loom_narrow(double x, int ebits, int mbits) {\n"
     "  uint64_t bits = loom_f64_bits(x), kept, rest, half;\n"
     "  uint32_t sign = (uint32_t)(bits >> 63) << (ebits + mbits);\n"
     "  uint32_t infinity = ((1u << ebits) - 1) << mbits;\n"
     "  int lowest = 2 - (1 << (ebits - 1)), exponent = (int)(bits >> 52 & 2047) - 1023;\n"
     "  int below = exponent < lowest ? lowest - exponent : 0, shift = 52 - mbits + below;\n"
     "  if (x != x) return (uint16_t)(infinity | 1u << (mbits - 1));\n"
     "  if (exponent == 1024) return (uint16_t)(sign | infinity);\n"
     "  if (shift > 54) return (uint16_t)sign;\n"
     "  bits = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;\n"
     "  kept = bits >> shift;\n"
     "  rest = bits & (((uint64_t)1 << shift) - 1);\n"
     "  half = (uint64_t)1 << (shift - 1);\n"
     "  if (rest > half || (rest == half && (kept & 1))) kept++;\n"
     "  if (below == 0) kept += (uint64_t)(exponent - lowest) << mbits;\n"
     "  return (uint16_t)(sign | (kept < infinity ? (uint32_t)kept : infinity));\n"
     "}\n"},
    /* Where the result is a normal number, its bits are those of the double with another bias, and
       what is cut off rounds by an addition that may carry into the exponent. */
    {"loom_f16_of", "LOOM_HELPER uint16_t loom_f16_of(double x) {\n"
                    "  uint64_t bits = loom_f64_bits(x), rest = bits - ((uint64_t)1008 << 52);\n"
                    "  if ((bits >> 52 & 2047) - 1009 >= 30) return loom_narrow(x, 5, 10);\n"
                    "  rest += 0x1ffffffffffu + (rest >> 42 & 1);\n"
                    "  return (uint16_t)((bits >> 63) << 15 | (rest >> 42 & 0x7fff));\n"
                    "}\n"},
    {"loom_bf16_of", "LOOM_HELPER uint16_t loom_bf16_of(double x) {\n"
                     "  uint64_t bits = loom_f64_bits(x), rest = bits - ((uint64_t)896 << 52);\n"
                     "  if ((bits >> 52 & 2047) - 897 >= 254) return loom_narrow(x, 8, 7);\n"
                     "  rest += 0xfffffffffffu + (rest >> 45 & 1);\n"
                     "  return (uint16_t)((bits >> 63) << 15 | (rest >> 45 & 0x7fff));\n"
                     "}\n"},

    /* floats and integers */
    {"loom_f64_of_u64", "LOOM_HELPER double loom_f64_of_u64(uint64_t x) {\n"
                        "  return x >> 63 ? 2.0 * (double)(int64_t)(x >> 1 | (x & 1)) : "
                        "(double)(int64_t)x;\n"
                        "}\n"},
    {"loom_f64_of_u64_odd",
     "/* Rounded to odd, so that rounding it to a narrower float is as good as rounding once. */\n"
     "LOOM_HELPER double loom_f64_of_u64_odd(uint64_t x) {\n"
     "  uint64_t scale = 1, cut = 0;\n"
     "  for (; x >> 53; x >>= 1, scale *= 2) cut |= x & 1;\n"
     "  return (double)(int64_t)(x | cut) * (double)(int64_t)scale;\n"
     "}\n"},
    {"loom_f64_of_s64_odd",
     "LOOM_HELPER double loom_f64_of_s64_odd(int64_t x) {\n"
     "  return x < 0 ? -loom_f64_of_u64_odd(0 - (uint64_t)x) : loom_f64_of_u64_odd((uint64_t)x);\n"
     "}\n"},
    {"loom_u64_of_f64", "LOOM_HELPER uint64_t loom_u64_of_f64(double x) {\n"
                        "  if (x < 9223372036854775808.0) return (uint64_t)(int64_t)x;\n"
                        "  return (uint64_t)(int64_t)(x - 9223372036854775808.0) | "
                        "0x8000000000000000u;\n"
                        "}\n"},
    {"loom_to_signed", "/* Cut to an integer; beyond the limits the nearest one, 0 for a NaN. */\n"
                       "LOOM_HELPER uint64_t loom_to_signed(double x, double limit) {\n"
                       "  if (x >= limit) return loom_u64_of_f64(limit) - 1;\n"
                       "  if (x < -limit) return 0 - loom_u64_of_f64(limit);\n"
                       "  return x == x ? (uint64_t)(int64_t)x : 0;\n"
                       "}\n"},
    {"loom_to_unsigned", "LOOM_HELPER uint64_t loom_to_unsigned(double x, double limit) {\n"
                         "  if (x >= limit) return limit > 1e19 ? ~(uint64_t)0 : "
                         "loom_u64_of_f64(limit) - 1;\n"
                         "  return x > 0 ? loom_u64_of_f64(x) : 0;\n"
                         "}\n"},

/* libm */
#define LIBM_1(name)                                                                               \
  { #name, "double " #name "(double);\n" }
#define LIBM_2(name)                                                                               \
  { #name, "double " #name "(double, double);\n" }
    LIBM_1(acos),
    LIBM_1(acosh),
    LIBM_1(asin),
    LIBM_1(asinh),
    LIBM_1(atan),
    LIBM_1(atanh),
    LIBM_1(cbrt),
    LIBM_1(ceil),
    LIBM_1(cos),
    LIBM_1(cosh),
    LIBM_1(erf),
    LIBM_1(erfc),
    LIBM_1(exp),
    LIBM_1(exp2),
    LIBM_1(expm1),
    LIBM_1(floor),
    LIBM_1(log),
    LIBM_1(log10),
    LIBM_1(log1p),
    LIBM_1(log2),
    LIBM_1(nearbyint),
    LIBM_1(round),
    LIBM_1(sin),
    LIBM_1(sinh),
    LIBM_1(sqrt),
    LIBM_1(tan),
    LIBM_1(tanh),
    LIBM_1(trunc),
    LIBM_2(atan2),
    LIBM_2(fmod),
    LIBM_2(pow),
    {"fma", "double fma(double, double, double);\n"},
};

static bool has_word(const char *text, const char *word) {
  size_t len = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++) {
    bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    bool ends = !(isalnum((unsigned char)at[len]) || at[len] == '_');
    if (starts && ends) return true;
  }
  return false;
}

void c_text_prelude(const char *used, Buf *out) {
  bool wanted[COUNT_OF(helpers)] = {false};
  wanted[0] = true;
  for (size_t i = COUNT_OF(helpers); i-- > 0;) {
    wanted[i] = wanted[i] || has_word(used, helpers[i].name);
    for (size_t k = 0; wanted[i] && k < i; k++)
      wanted[k] = wanted[k] || has_word(helpers[i].text, helpers[k].name);
  }
  for (size_t i = 0; i < COUNT_OF(helpers); i++)
    if (wanted[i]) buf_str(out, helpers[i].text);
}

/* number.c -- floating-point numbers as MLIR prints them, digit for digit.
 *
 *     f32 1.5         1.500000e+00       six digits are exact
 *     f32 pi          3.14159274         nine are
 *     f32 1234567     0x4996B438         nine are, but would look like an integer
 *     f32 nan         0x7FC00000         no digits
 *
 * The rule is LLVM's (APFloat::toString):
 *   1. six significant digits and a lower-case e, if that reads back as the same number;
 *   2. else as many digits as tell all numbers of the format apart (5 for f16, 4 for bf16, 9 for
 *      f32, 17 for f64), without trailing zeros, and with an upper-case E if the number is very
 *      large or small;
 *   3. but the bits instead of 2. if that would have no decimal point, and for NaN and infinity.
 * The digits are not always those of printf: see `decimal`. */
#include "text/number.h"

#include "ir/eval.h"

#include <math.h>
#include <stdlib.h>

static const struct {
  u8 bits, digits;
} formats[] = {
    [FLOAT_F16] = {16, 5},
    [FLOAT_BF16] = {16, 4},
    [FLOAT_F32] = {32, 9},
    [FLOAT_F64] = {64, 17},
};

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct {
  char digits[24]; /* d.ddd: without the point */
  int n;
  int power; /* of ten, of the first digit */
} Decimal;

/* What LLVM calls the significand: the integer S in value = S * 10^exponent that has no factor left
 * to shift out (an odd number times a power of 5, or an integer). */
typedef struct {
  int exponent; /* of ten; 0 or negative */
  u32 bits;     /* of S */
} Significand;

static Significand significand_of(double value) {
  Significand s = {0};
  int exponent;
  double fraction = frexp(value, &exponent);
  u64 odd = (u64)ldexp(fraction, 53);
  int low = exponent - 53 + __builtin_ctzll(odd); /* value = odd number * 2^low */
  if (low >= 0) {
    s.bits = (u32)exponent;
  } else {
    /* S = value * 10^-low, never so near a power of two that the logarithm is too inexact */
    s.exponent = low;
    s.bits = (u32)floorl(log2l((long double)value) - low * log2l(10.0L)) + 1;
  }
  return s;
}

/* The leading `n` digits of a number, not rounded; returns the power of ten of the first one. */
static int leading_digits(double value, char *digits, u32 n) {
  char text[800];
  snprintf(text, sizeof text, "%.40e", value); /* d.ddddde+dd */
  /* printf rounds; where that may have reached the digits we want, write out all there are */
  if (strspn(text + 2 + n, "0") >= 40 - n) snprintf(text, sizeof text, "%.770e", value);
  digits[0] = text[0];
  memcpy(digits + 1, text + 2, n - 1);
  return atoi(strchr(text, 'e') + 1);
}

/* At most n significant digits of a positive number, by LLVM's rule: S is first divided by a power
 * of ten that leaves a few bits more than n digits need (196/59 is its log2(10)), and what is left
 * is rounded half up if it has more than n digits. It may have just n, and then it was cut off
 * rather than rounded: 0.7 gets six digits 699999. */
static Decimal decimal(double value, int n) {
  Decimal d = {.n = n};
  Significand s = significand_of(value);
  u32 wanted = ((u32)n * 196 + 58) / 59;
  int removed = s.bits > wanted ? (int)((s.bits - wanted) * 59 / 196) : 0;
  char digits[32];
  d.power = leading_digits(value, digits, (u32)n + 1);
  int left = d.power - s.exponent + 1 - removed; /* digits of S that are left */
  memcpy(d.digits, digits, (size_t)n);
  if (left <= n) {
    d.n = left;
    return d;
  }
  if (digits[n] < '5') return d;
  int at = n - 1;
  while (at >= 0 && d.digits[at] == '9') d.digits[at--] = '0';
  if (at >= 0) {
    d.digits[at]++;
  } else {
    d.digits[0] = '1';
    d.power++;
  }
  return d;
}

static void put_power(Buf *out, int power, bool two_digits) {
  buf_char(out, power < 0 ? '-' : '+');
  if (power < 0) power = -power;
  if (two_digits && power < 10) buf_char(out, '0');
  buf_u64(out, (u64)power);
}

/* d.ddddddde+dd, with six decimals of which the last is always 0. */
static void six_digits(double value, Buf *out) {
  Decimal d = decimal(fabs(value), 6);
  if (signbit(value)) buf_char(out, '-');
  buf_char(out, d.digits[0]);
  buf_char(out, '.');
  buf_put(out, d.digits + 1, (size_t)(d.n - 1));
  buf_put(out, "000000", (size_t)(7 - d.n));
  buf_char(out, 'e');
  put_power(out, d.power, true);
}

/* As many digits as the format needs; false if they would have no decimal point. */
static bool all_digits(double value, int n, Buf *out) {
  Decimal d = decimal(fabs(value), n);
  while (d.n > 1 && d.digits[d.n - 1] == '0') d.n--;
  int last = d.power - d.n + 1; /* the power of ten of the last digit */
  bool scientific;
  if (last >= 0)
    scientific = last > 3 || d.n + last > n;
  else
    scientific = d.power < 0 && -d.power > 3;
  if (last >= 0 && !scientific) return false; /* an integer */
  if (signbit(value)) buf_char(out, '-');
  if (scientific) {
    buf_char(out, d.digits[0]);
    buf_char(out, '.');
    if (d.n == 1)
      buf_char(out, '0');
    else
      buf_put(out, d.digits + 1, (size_t)(d.n - 1));
    buf_char(out, 'E');
    put_power(out, d.power, false);
    return true;
  }
  int at = 0;
  if (d.power >= 0) {
    buf_put(out, d.digits, (size_t)d.power + 1);
    at = d.power + 1;
    buf_char(out, '.');
  } else {
    buf_str(out, "0.");
    for (int zeros = -d.power - 1; zeros > 0; zeros--) buf_char(out, '0');
  }
  buf_put(out, d.digits + at, (size_t)(d.n - at));
  return true;
}

/* The common case: a small number with at most six binary places, of which six digits are exact. */
static bool try_six_digits(double value, Buf *out) {
  static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  double size = fabs(value);
  if (size >= 1e6 || (size < 1e-3 && size != 0)) return false;
  u32 power = 0;
  while (ldexp(size, (int)power) != floor(ldexp(size, (int)power)))
    if (++power > 6) return false;
  u64 whole = (u64)(size * tens[power]);
  if (whole > 999999) return false;
  char digits[8];
  int n = snprintf(digits, sizeof digits, "%u", (unsigned)whole);
  if (signbit(value)) buf_char(out, '-');
  buf_char(out, digits[0]);
  buf_char(out, '.');
  buf_put(out, digits + 1, (size_t)(n - 1));
  buf_put(out, "000000", (size_t)(7 - n));
  buf_char(out, 'e');
  put_power(out, whole ? n - 1 - (int)power : 0, true);
  return true;
}

void float_text(FloatKind format, u64 bits, Buf *out) {
  double value = eval_float_value(format, bits);
  size_t start = out->len;
  if (isfinite(value)) {
    if (try_six_digits(value, out)) return;
    six_digits(value, out);
    if (eval_float_bits(format, strtod(out->data + start, NULL)) == bits) return;
    out->len = start;
    if (all_digits(value, formats[format].digits, out)) return;
    out->len = start;
  }
  buf_printf(out, "0x%0*llX", formats[format].bits / 4, (unsigned long long)bits);
}

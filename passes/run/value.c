/* value.c -- prints scalars with the fewest digits, and reads them with checked ranges.
 *
 * A float is printed with the fewest significant digits that read back to the same bits. A decimal
 * of DIG digits survives a round trip through its format, so a value that has a short decimal shows
 * it when printed with DIG digits (`%g` drops trailing zeros); otherwise one digit more is tried at
 * a time, up to the number that is always enough (DECIMAL_DIG). Subnormals have no such guarantee
 * and start from one digit.
 *
 * A decimal is read as a double and then rounded to its type, as MLIR reads its own literals.
 */
#include "run/value.h"

#include "base/json.h"
#include "ir/eval.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const struct {
  int digits, enough; /* digits that survive; digits that always tell two values apart */
  double smallest_normal;
} formats[] = {
    [FLOAT_F16] = {3, 5, 0x1p-14},
    [FLOAT_BF16] = {2, 4, 0x1p-126},
    [FLOAT_F32] = {FLT_DIG, FLT_DECIMAL_DIG, FLT_MIN},
    [FLOAT_F64] = {DBL_DIG, DBL_DECIMAL_DIG, DBL_MIN},
};

static const double whole_numbers_below = 1e7; /* these are printed without an exponent */

static void finite_text(FloatKind format, u64 bits, double value, Buf *buf) {
  if (value == 0) {
    buf_str(buf, signbit(value) ? "-0.0" : "0");
    return;
  }
  if (value == trunc(value) && fabs(value) < whole_numbers_below) {
    buf_i64(buf, (i64)value);
    return;
  }
  bool subnormal = fabs(value) < formats[format].smallest_normal;
  char text[40];
  for (int digits = subnormal ? 1 : formats[format].digits;; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (digits >= formats[format].enough || eval_float_bits(format, strtod(text, NULL)) == bits)
      break;
  }
  buf_str(buf, text);
}

static void scalar_text(const Context *ctx, const Type *type, u64 bits, const char *quote,
                        Buf *buf) {
  if (type->kind == TYPE_NONE) {
    buf_printf(buf, "%s()%s", quote, quote);
  } else if (!type_is_float(type)) {
    unsigned width = type_bits(ctx, type);
    if (width == 1)
      buf_u64(buf, bits & 1);
    else
      buf_i64(buf, eval_signed(bits, width));
  } else {
    FloatKind format = (FloatKind)type->float_kind;
    double value = eval_float_value(format, bits);
    if (isfinite(value))
      finite_text(format, bits, value, buf);
    else
      buf_printf(buf, "%s%s%s", quote, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", quote);
  }
}

/* ---- tagged values --------------------------------------------------------------------------- */

u32 value_words(const Context *ctx, const Type *type) {
  return type->kind == TYPE_TAGGED && type_bits(ctx, type) > 64 ? 2 : 1;
}

void value_pack(const Context *ctx, const Type *type, u64 value, u64 tag, u64 *words) {
  unsigned width = type_bits(ctx, type->elem);
  words[0] = value | (width < 64 ? tag << width : 0);
  if (value_words(ctx, type) > 1) words[1] = tag >> (64 - width);
}

void value_unpack(const Context *ctx, const Type *type, const u64 *words, u64 *value, u64 *tag) {
  unsigned width = type_bits(ctx, type->elem);
  *value = words[0] & eval_mask(width);
  *tag = width < 64 ? words[0] >> width : 0;
  if (value_words(ctx, type) > 1) *tag |= words[1] << (64 - width);
  *tag &= eval_mask(type->width);
}

static void token_text(const Context *ctx, const Type *type, const u64 *words, const char *quote,
                       Buf *buf) {
  if (type->kind != TYPE_TAGGED) {
    scalar_text(ctx, type, words[0], quote, buf);
    return;
  }
  u64 value, tag;
  value_unpack(ctx, type, words, &value, &tag);
  Json json = {.out = buf};
  json_open(&json, NULL, '{');
  scalar_text(ctx, type->elem, value, quote, json_put_other(&json, "value"));
  json_put_number(&json, "tag", (i64)tag);
  json_close(&json, '}');
}

void value_token_text(const Context *ctx, const Type *type, const u64 *words, Buf *buf) {
  token_text(ctx, type, words, "", buf);
}

void value_token_json(const Context *ctx, const Type *type, const u64 *words, Buf *buf) {
  token_text(ctx, type, words, "\"", buf);
}

void value_text(const Context *ctx, const Type *type, u64 bits, Buf *buf) {
  value_token_text(ctx, type, (const u64[]){bits, 0}, buf);
}

void value_json(const Context *ctx, const Type *type, u64 bits, Buf *buf) {
  value_token_json(ctx, type, (const u64[]){bits, 0}, buf);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *read_bits(const char *text, unsigned width, u64 *bits) {
  char *end;
  if (!isxdigit((unsigned char)text[2])) return "is not a number";
  errno = 0;
  *bits = strtoull(text + 2, &end, 16);
  if (*end) return "is not a number";
  return errno || *bits > eval_mask(width) ? "has too many bits" : NULL;
}

static const char *read_int(const char *text, unsigned width, u64 *bits) {
  if (strcmp(text, "true") == 0) return *bits = 1, NULL;
  if (strcmp(text, "false") == 0) return *bits = 0, NULL;
  bool negative = *text == '-';
  const char *digits = text + (*text == '-' || *text == '+');
  char *end;
  if (!isdigit((unsigned char)*digits)) return "is not an integer";
  errno = 0;
  u64 magnitude = strtoull(digits, &end, 10);
  if (*end) return "is not an integer";
  u64 limit = negative ? (u64)1 << (width - 1) : eval_mask(width);
  if (errno || magnitude > limit) return "does not fit its type";
  *bits = (negative ? 0 - magnitude : magnitude) & eval_mask(width);
  return NULL;
}

static const char *read_float(const char *text, FloatKind format, u64 *bits) {
  const char *digits = text + (*text == '-' || *text == '+');
  double value;
  if (strcmp(digits, "inf") == 0) {
    value = *text == '-' ? -(double)INFINITY : (double)INFINITY;
  } else if (strcmp(text, "nan") == 0) {
    value = (double)NAN;
  } else {
    char *end;
    if (!isdigit((unsigned char)*digits) && *digits != '.') return "is not a number";
    if (digits[0] == '0' && (digits[1] | 32) == 'x') return "is not a number";
    value = strtod(text, &end);
    if (end == text || *end) return "is not a number";
    if (!isfinite(eval_float_value(format, eval_float_bits(format, value))))
      return "does not fit its type";
  }
  *bits = eval_float_bits(format, value);
  return NULL;
}

const char *value_read(const Context *ctx, const Type *type, const char *text, u64 *bits) {
  if (type->kind == TYPE_NONE) return strcmp(text, "()") == 0 ? (*bits = 0, NULL) : "is not ()";
  if (!type_is_scalar(type)) return "is not of a scalar type";
  unsigned width = type_bits(ctx, type);
  if (text[0] == '0' && text[1] == 'x') return read_bits(text, width, bits);
  if (type_is_float(type)) return read_float(text, (FloatKind)type->float_kind, bits);
  return read_int(text, width, bits);
}

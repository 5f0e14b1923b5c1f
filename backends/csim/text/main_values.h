/* ---- a program: values -------------------------------------------------------------------------
 * Numbers of JSON to bits of a type and back, exactly. */

static double main_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t main_double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Bits of the exponent and the fraction of a float. */
static void main_format(int kind, int *ebits, int *mbits) {
  *ebits = kind == MAIN_F16 ? 5 : kind == MAIN_F64 ? 11 : 8;
  *mbits = kind == MAIN_F16 ? 10 : kind == MAIN_BF16 ? 7 : kind == MAIN_F32 ? 23 : 52;
}

/* The value of a float's bits, exactly. */
static double main_float_value(int kind, uint64_t bits) {
  int ebits, mbits, bias, exponent;
  uint64_t fraction, all;
  double magnitude;
  main_format(kind, &ebits, &mbits);
  if (kind == MAIN_F64) return main_double(bits);
  all = ((uint64_t)1 << ebits) - 1;
  bias = (1 << (ebits - 1)) - 1;
  fraction = bits & (((uint64_t)1 << mbits) - 1);
  exponent = (int)(bits >> mbits & all);
  if ((uint64_t)exponent == all)
    magnitude = main_double((uint64_t)2047 << 52 | fraction << (52 - mbits));
  else if (exponent)
    magnitude = main_double((uint64_t)(exponent - bias + 1023) << 52 | fraction << (52 - mbits));
  else /* a subnormal: fraction * 2^(1 - bias - mbits) */
    magnitude = (double)fraction * main_double((uint64_t)(1 - bias - mbits + 1023) << 52);
  return bits >> (ebits + mbits) & 1 ? -magnitude : magnitude;
}

/* The nearest float of a kind, ties to even; every NaN the positive quiet one. */
static uint64_t main_float_bits(int kind, double value) {
  int ebits, mbits, bias, exponent, below, shift;
  uint64_t bits = main_double_bits(value), sign, infinity, fraction, kept, rest, half, result;
  main_format(kind, &ebits, &mbits);
  infinity = (((uint64_t)1 << ebits) - 1) << mbits;
  if (value != value) return infinity | (uint64_t)1 << (mbits - 1);
  if (kind == MAIN_F64) return bits;
  sign = bits >> 63 << (ebits + mbits);
  bias = (1 << (ebits - 1)) - 1;
  exponent = (int)(bits >> 52 & 2047) - 1023;
  if (exponent == 1024) return sign | infinity;
  below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  shift = 52 - mbits + below;
  if (shift > 54) return sign; /* under half of the smallest subnormal */
  fraction = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  kept = fraction >> shift;
  rest = fraction & (((uint64_t)1 << shift) - 1);
  half = (uint64_t)1 << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) kept++;
  result = below ? kept : ((uint64_t)(exponent + bias - 1) << mbits) + kept;
  return sign | (result < infinity ? result : infinity);
}

static int main_is_float(const MainType *type) {
  return type->kind >= MAIN_F16 && type->kind <= MAIN_F64;
}

static uint64_t main_mask(const MainType *type) {
  return type->bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << type->bits) - 1;
}

/* An integer in its type's signed or unsigned range. */
static uint64_t main_integer(const MainJson *json, const char *text, const MainType *type) {
  uint64_t mask = main_mask(type), magnitude, limit;
  int negative = *text == '-';
  char *end;
  text += negative || *text == '+';
  if (*text < '0' || *text > '9') main_fail(json->at, "expected an integer");
  errno = 0;
  magnitude = strtoull(text, &end, 10);
  if (*end) main_fail(json->at, "expected an integer");
  limit = negative ? (uint64_t)1 << (type->bits - 1) : mask;
  if (errno || magnitude > limit) main_fail(json->at, "the number does not fit its type");
  return (negative ? 0 - magnitude : magnitude) & mask;
}

static uint64_t main_decimal(const MainJson *json, const char *text, const MainType *type) {
  char *end;
  uint64_t bits;
  double value;
  const char *digits = text + (*text == '-' || *text == '+');
  if ((*digits < '0' || *digits > '9') && *digits != '.') main_fail(json->at, "expected a number");
  if (digits[0] == '0' && (digits[1] | 32) == 'x') main_fail(json->at, "expected a number");
  value = strtod(text, &end);
  if (end == text || *end) main_fail(json->at, "expected a number");
  bits = main_float_bits((int)type->kind, value);
  value = main_float_value((int)type->kind, bits);
  if (value - value != 0)
    main_fail(json->at, "the number is too large for its type; write \"inf\" for infinity");
  return bits;
}

/* Strings: "inf", "-inf", "nan", "0x..." (the bits themselves), or a number. */
static uint64_t main_word(const MainJson *json, const MainType *type) {
  const char *text = json->text;
  if (text[0] == '0' && text[1] == 'x') {
    char *end;
    uint64_t bits;
    errno = 0;
    bits = strtoull(text + 2, &end, 16);
    if (main_hex(text[2]) < 0 || *end) main_fail(json->at, "this is not a number");
    if (errno || bits > main_mask(type)) main_fail(json->at, "the number has too many bits");
    return bits;
  }
  if (!main_is_float(type)) {
    if (strcmp(text, "true") == 0) return 1;
    if (strcmp(text, "false") == 0) return 0;
    return main_integer(json, text, type);
  }
  if (strcmp(text, "nan") == 0)
    return main_float_bits((int)type->kind, main_double((uint64_t)2047 << 52 | 1));
  if (strcmp(text + (*text == '-' || *text == '+'), "inf") == 0)
    return main_float_bits((int)type->kind,
                           main_double((uint64_t)(*text == '-' ? 4095 : 2047) << 52));
  return main_decimal(json, text, type);
}

static uint64_t main_scalar(const MainJson *json, const MainType *type) {
  if (type->kind == MAIN_NONE) return 0;
  if (json->kind == '"') return main_word(json, type);
  if ((json->kind == 't' || json->kind == 'f') && type->bits == 1) return json->kind == 't';
  if (json->kind != '0') main_fail(json->at, "expected a number");
  return main_is_float(type) ? main_decimal(json, json->text, type)
                             : main_integer(json, json->text, type);
}

/* ---- tokens: a word, or two of a tagged value that is longer, the low one first ---- */

static uint32_t main_words(const MainType *type) {
  return type->tag && type->bits + type->tag > 64 ? 2 : 1;
}

static uint64_t main_tag(const MainType *type, const uint64_t *words) {
  uint64_t tag = type->bits < 64 ? words[0] >> type->bits : 0;
  if (main_words(type) > 1) tag |= words[1] << (64 - type->bits);
  return tag & (((uint64_t)1 << type->tag) - 1);
}

/* {"value": 5, "tag": 3}, or a number. */
static void main_token(const MainJson *json, const MainType *type, uint64_t *words) {
  static const char *const names[] = {"value", "tag", NULL};
  const MainJson *found[2];
  MainType tag_type;
  uint64_t tag;
  if (!type->tag) {
    words[0] = main_scalar(json, type);
    return;
  }
  main_members(json, names, found);
  if (!found[0] || !found[1]) main_fail(json->at, "expected {\"value\": 5, \"tag\": 3}");
  tag_type.text = "tag";
  tag_type.kind = MAIN_INTEGER;
  tag_type.bits = type->tag;
  tag_type.tag = 0;
  if (found[1]->kind != '0' || *found[1]->text == '-')
    main_fail(found[1]->at, "a tag cannot be negative");
  tag = main_scalar(found[1], &tag_type);
  words[0] = main_scalar(found[0], type);
  if (type->bits < 64) words[0] |= tag << type->bits;
  if (main_words(type) > 1) words[1] = tag >> (64 - type->bits);
}

/* A float with the fewest digits that read back to the same bits. */
static void main_print_float(FILE *out, int kind, uint64_t bits) {
  static const int digits_kept[] = {3, 2, 6, 15}, digits_enough[] = {5, 4, 9, 17};
  double value = main_float_value(kind, bits), magnitude = value < 0 ? -value : value;
  int ebits, mbits, digits, subnormal;
  char text[64];
  main_format(kind, &ebits, &mbits);
  if (value != value) {
    fputs("\"nan\"", out);
  } else if (value - value != 0) {
    fputs(value < 0 ? "\"-inf\"" : "\"inf\"", out);
  } else if (value == 0) {
    fputs(bits >> (ebits + mbits) & 1 ? "-0.0" : "0", out);
  } else if (magnitude < 1e7 && value == (double)(int32_t)value) {
    fprintf(out, "%ld", (long)value);
  } else {
    subnormal = (bits >> mbits & (((uint64_t)1 << ebits) - 1)) == 0;
    for (digits = subnormal ? 1 : digits_kept[kind - MAIN_F16];; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, value);
      if (digits >= digits_enough[kind - MAIN_F16] ||
          main_float_bits(kind, strtod(text, NULL)) == bits)
        break;
    }
    fputs(text, out);
  }
}

static void main_print(FILE *out, const MainType *type, const uint64_t *words) {
  uint64_t bits = words[0];
  if (type->tag) fputs("{\"value\": ", out);
  if (type->tag) bits &= main_mask(type);
  if (type->kind == MAIN_NONE)
    fputs("\"()\"", out);
  else if (main_is_float(type))
    main_print_float(out, (int)type->kind, bits);
  else if (type->bits > 1 && bits >> (type->bits - 1) & 1)
    fprintf(out, "-%llu", (unsigned long long)((0 - bits) & main_mask(type)));
  else
    fprintf(out, "%llu", (unsigned long long)bits);
  if (type->tag) fprintf(out, ", \"tag\": %llu}", (unsigned long long)main_tag(type, words));
}

static void main_print_list(FILE *out, const MainType *type, const uint64_t *data, uint64_t n) {
  uint64_t at;
  fputc('[', out);
  for (at = 0; at < n; at += main_words(type)) {
    if (at) fputs(at / main_words(type) % 16 ? ", " : ",\n      ", out);
    main_print(out, type, data + at);
  }
  fputc(']', out);
}

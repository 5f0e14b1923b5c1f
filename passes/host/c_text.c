/* c_text.c -- writes pure ops as C99 expressions.
 *
 * The evaluation column of ops.def is compiled into the interpreters by ir/eval.c; here the same
 * text is turned into a string, and its names are replaced by typed C in one scan:
 *
 *     arith.shrui  "b >= w ? POISON(0) : a >> b"      on i8, %x and %y
 *                  (uint32_t)y >= 8 ? 0 : (uint32_t)x >> (uint32_t)y
 *     arith.divsi  "DIV_S(S(a), S(b))"                on i32
 *                  LOOM_DIVIDE(uint32_t, (int32_t)x, (int32_t)y, INT32_MIN, 17, /)
 *     math.sin     "SIN(x)"                           on f16
 *                  loom_f16_of(sin(loom_f16_value(x)))
 *
 * so an op that is changed there changes here too, and only *helpers* (DIV_S) are defined twice:
 * there for the interpreter, in text/prelude.h for generated code; a test compares all of them. The
 * ops that eval.c computes by hand are written by hand at the end of this file.
 *
 * Integers. eval.c computes in 64 bits and truncates; here uint32_t is used where operands and
 * result have at most 32 bits. That is the same, because every expression is either a ring
 * operation, whose low bits depend on low bits only, or has a result that fits its operands' width.
 * Narrower operands are converted first, or C would promote them to `int`, whose overflow is
 * undefined (65535 * 65535 in uint16_t). Results are truncated only where they can exceed their
 * width.
 *
 * Floats. f32 and f64 are float and double. An expression without a call (+ - * /) on f32 is
 * computed in float: rounding an exact result once is the same as rounding it to double first, as
 * eval.c does, because double has more than twice the bits (see there). With a call it is computed
 * in double and rounded. f16 and bf16 are bits in a uint16_t and computed in double. The bits of a
 * NaN matter only where they are observed; see is_loose_nan in loom_plugin.h.
 */
#include "host/c_text.h"

#include <ctype.h>

/* ---- the column ------------------------------------------------------------------------------ */

typedef enum { ROW_NONE, ROW_INT, ROW_FLOAT, ROW_TO_INT, ROW_FROM_INT } RowFrame;

typedef struct {
  u8 frame; /* RowFrame */
  u8 noperands;
  const char *text;
} OpText;

#define NO_EVAL          ROW_NONE, 0, NULL
#define EVAL_INT(n, e)   ROW_INT, n, #e
#define EVAL_FLOAT(n, e) ROW_FLOAT, n, #e
#define EVAL_TO_INT(e)   ROW_TO_INT, 1, #e
#define EVAL_FROM_INT(e) ROW_FROM_INT, 1, #e

static const OpText rows[OP_COUNT] = {
#define OP(id, name, text, shape, types, fire, traits, eval) [OP_##id] = {eval},
#include "ir/ops.def"
#undef OP
};

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_integer(const DfgType *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_INDEX;
}
static bool is_float(const DfgType *type, FloatKind kind) {
  return type->kind == TYPE_FLOAT && type->float_kind == kind;
}

const char *c_text_type(const DfgType *type) {
  if (is_float(type, FLOAT_F32)) return "float";
  if (is_float(type, FLOAT_F64)) return "double";
  if (type->kind == TYPE_FLOAT) return "uint16_t";
  if (!is_integer(type)) return NULL;
  switch (c_text_width(type->bits)) {
  case 8: return "uint8_t";
  case 16: return "uint16_t";
  case 32: return "uint32_t";
  default: return "uint64_t";
  }
}

/* A float type in the names of helpers. */
static const char *format_name(const DfgType *type) {
  static const char *const names[] = {"f16", "bf16", "f32", "f64"};
  return names[type->float_kind];
}

/* A macro where the value is a name, which can be evaluated twice: tcc inlines no functions. */
void c_text_canonical(const DfgType *type, const char *value, Buf *out) {
  if (!is_float(type, FLOAT_F32) && !is_float(type, FLOAT_F64)) {
    buf_str(out, value);
    return;
  }
  bool is_name = true;
  for (const char *at = value; *at; at++) is_name = is_name && c_text_is_name(*at);
  const char *format = type->bits == 32 ? "F32" : "F64";
  if (is_name)
    buf_printf(out, "LOOM_CANONICAL_%s(%s)", format, value);
  else
    buf_printf(out, "loom_canonical_%s(%s)", format_name(type), value);
}

void c_text_to_bits(const DfgType *type, const char *value, Buf *out) {
  if (is_float(type, FLOAT_F32) || is_float(type, FLOAT_F64))
    buf_printf(out, "loom_%s_bits(%s)", format_name(type), value);
  else
    buf_printf(out, "(uint64_t)%s", value);
}

void c_text_from_bits(const DfgType *type, const char *bits, Buf *out) {
  if (is_float(type, FLOAT_F32))
    buf_printf(out, "loom_f32_of_bits((uint32_t)(%s))", bits);
  else if (is_float(type, FLOAT_F64))
    buf_printf(out, "loom_f64_of_bits(%s)", bits);
  else
    buf_printf(out, "(%s)(%s)", c_text_type(type), bits);
}

/* ---- one expression -------------------------------------------------------------------------- */

typedef struct {
  const Dfg *dfg;
  u32 node;
  const DfgNode *n;
  const EvalOp *e;
  const char *const *operands;
  unsigned k;  /* integers are computed in uint32_t or uint64_t */
  bool direct; /* x, y, z are float itself, not widened to double */
} Emitter;

static const DfgType *operand_type(const Emitter *s, u32 i) {
  return dfg_edge_type(s->dfg, dfg_operand(s->dfg, s->node, i));
}
static const DfgType *result_type(const Emitter *s, u32 i) {
  return &s->dfg->types[s->dfg->results[s->n->first_result + i].type];
}

static void put_literal(u64 value, unsigned k, Buf *out) {
  buf_printf(out, value < 10 ? "%lluu%s" : "0x%llxu%s", (unsigned long long)value,
             k == 64 ? "ll" : "");
}

/* Operand i as an unsigned of k bits: its value, or the bits of a float. */
static void put_unsigned(const Emitter *s, u32 i, Buf *out) {
  const DfgType *type = operand_type(s, i);
  bool is_bits = !is_float(type, FLOAT_F32) && !is_float(type, FLOAT_F64);
  if (c_text_width(type->bits) != s->k) buf_printf(out, "(uint%u_t)", s->k);
  if (!is_bits) buf_printf(out, "loom_%s_bits", format_name(type));
  buf_printf(out, is_bits ? "%s" : "(%s)", s->operands[i]);
}

/* The low w bits of operand i, sign-extended to k. */
static void put_signed(const Emitter *s, u32 i, unsigned w, Buf *out) {
  unsigned c = c_text_width(w);
  if (c == w && w == s->k) {
    buf_printf(out, "(int%u_t)", w);
    put_unsigned(s, i, out);
  } else if (c == w) {
    buf_printf(out, "(int%u_t)(int%u_t)%s", s->k, w, s->operands[i]);
  } else {
    buf_printf(out, "((int%u_t)(", s->k);
    put_unsigned(s, i, out);
    buf_printf(out, " << %u) >> %u)", s->k - w, s->k - w);
  }
}

/* Operand i as a double, or, where floats are computed as such, as it is. */
static void put_real(const Emitter *s, u32 i, Buf *out) {
  assert(i < EVAL_MAX_OPERANDS);
  const DfgType *type = operand_type(s, i);
  if (is_float(type, FLOAT_F64) || (is_float(type, FLOAT_F32) && s->direct))
    buf_str(out, s->operands[i]);
  else if (is_float(type, FLOAT_F32))
    buf_printf(out, "(double)%s", s->operands[i]);
  else
    buf_printf(out, "loom_%s_value(%s)", format_name(type), s->operands[i]);
}

/* A double as result type: rounded once. */
static void put_rounded(const DfgType *type, const char *text, Buf *out) {
  if (is_float(type, FLOAT_F64))
    buf_str(out, text);
  else if (is_float(type, FLOAT_F32))
    buf_printf(out, "(float)(%s)", text);
  else
    buf_printf(out, "loom_%s_of(%s)", format_name(type), text);
}

/* ---- helpers by name ------------------------------------------------------------------------- */

/* The C template of a helper of ops.def. $1, $2, $3 are its arguments, $k is 32 or 64, $w the width
 * of operands, $m the smallest signed number of that width, $l the least power of two beyond the
 * range of the result, $n the node. A name that is not here is a function of libm in capitals. */
typedef struct {
  const char *name, *narrow;
  const char *wide; /* of FMA, and of 64 bits: where the result is not f64; or NULL */
} Helper;

static const Helper helpers[] = {
    {"POISON", "$1", NULL},
    {"SHR_S", "(uint$k_t)($1 >> ($2))", NULL},
    {"DIV_S", "LOOM_DIVIDE(uint$k_t, $1, $2, $m, $nu, /)", NULL},
    {"REM_S", "LOOM_DIVIDE(uint$k_t, $1, $2, $m, $nu, %)", NULL},
    {"DIV_U", "LOOM_DIVIDE_U($1, $2, $nu, /)", NULL},
    {"REM_U", "LOOM_DIVIDE_U($1, $2, $nu, %)", NULL},
    {"CEILDIV_S", "LOOM_DIVIDE_UP(uint$k_t, $1, $2, $m, $nu)", NULL},
    {"CEILDIV_U", "LOOM_DIVIDE_UP_U($1, $2, $nu)", NULL},
    {"FLOORDIV_S", "LOOM_DIVIDE_DOWN(uint$k_t, $1, $2, $m, $nu)", NULL},
    {"POWER_S", "LOOM_POWER(loom_power$k, $1, $2, $nu)", NULL},
    {"COUNT_LEADING_ZEROS", "loom_clz$k($1) - ($k - $w)", NULL},
    {"COUNT_TRAILING_ZEROS", "loom_ctz$k($1, $w)", NULL},
    {"COUNT_ONES", "loom_popcount$k($1)", NULL},
    {"BIT_REVERSE", "loom_reverse$k($1) >> ($k - $w)", NULL},
    {"MAXIMUM", "loom_maximum($1, $2)", NULL},
    {"MINIMUM", "loom_minimum($1, $2)", NULL},
    {"MAXNUM", "loom_maxnum($1, $2)", NULL},
    {"MINNUM", "loom_minnum($1, $2)", NULL},
    {"FMA", "fma($1, $2, $3)", "loom_fma_odd($1, $2, $3)"},
    {"ROUNDEVEN", "nearbyint($1)", NULL},
    {"RSQRT", "1 / sqrt($1)", NULL},
    {"FROM_S", "(double)$1", "loom_f64_of_s64_odd($1)"},
    {"FROM_U", "(double)(int64_t)$1", "loom_f64_of_u64_odd($1)"},
    {"TO_S", "loom_to_signed($1, $l)", NULL},
    {"TO_U", "loom_to_unsigned($1, $l)", NULL},
};

static const char *template_of(const Emitter *s, const char *name, size_t len, Buf *libm) {
  for (size_t i = 0; i < COUNT_OF(helpers); i++) {
    const Helper *h = &helpers[i];
    if (strlen(h->name) != len || memcmp(h->name, name, len) != 0) continue;
    bool to_double =
        result_type(s, 0)->kind == TYPE_FLOAT && is_float(result_type(s, 0), FLOAT_F64);
    if (strcmp(h->name, "FMA") == 0) return to_double ? h->narrow : h->wide;
    if (s->k == 64 && strcmp(h->name, "FROM_S") == 0) return to_double ? h->narrow : h->wide;
    if (s->k == 64 && strcmp(h->name, "FROM_U") == 0)
      return to_double ? "loom_f64_of_u64($1)" : h->wide;
    return h->narrow;
  }
  for (size_t i = 0; i < len; i++) buf_char(libm, (char)tolower((unsigned char)name[i]));
  buf_str(libm, "($1");
  for (unsigned i = 1; i < s->e->noperands; i++) buf_printf(libm, ", $%u", i + 1);
  buf_char(libm, ')');
  return libm->data;
}

/* 2 to the power n, which a double holds, as C text. */
static void put_power_of_two(unsigned n, Buf *out) {
  if (n < 64)
    buf_printf(out, "%llu.0", 1ull << n);
  else
    buf_str(out, "18446744073709551616.0");
}

static void put_smallest(const Emitter *s, Buf *out) {
  unsigned w = s->e->w;
  if (w == 1)
    buf_str(out, "-1");
  else
    buf_printf(out, "(-0x%llx%s - 1)", (unsigned long long)eval_mask(w - 1),
               s->k == 64 ? "ll" : "");
}

static void fill_template(const Emitter *s, const char *at, const Buf *args, bool is_to_signed,
                          Buf *out) {
  for (; *at; at++) {
    if (*at != '$') {
      buf_char(out, *at);
      continue;
    }
    switch (*++at) {
    case 'k': buf_u64(out, s->k); break;
    case 'w': buf_u64(out, s->e->w); break;
    case 'n': buf_u64(out, s->node); break;
    case 'm': put_smallest(s, out); break;
    case 'l': put_power_of_two(s->e->rw - (unsigned)is_to_signed, out); break;
    default: buf_str(out, args[*at - '1'].data); break;
    }
  }
}

/* ---- rewriting an expression of ops.def ------------------------------------------------------ */

static void rewrite(const Emitter *s, const char *text, size_t len, Buf *out);

/* Rewrites a call `name(arguments)` of a helper; returns its end. */
static const char *rewrite_call(const Emitter *s, const char *name, size_t len, const char *open,
                                Buf *out) {
  Buf args[EVAL_MAX_OPERANDS] = {{0}}, libm = {0};
  const char *at = open + 1, *start = at;
  u32 depth = 1, n = 0;
  for (; depth; at++) {
    if (*at == '(') depth++;
    if (*at == ')') depth--;
    if (depth == 0 || (depth == 1 && *at == ',')) {
      while (*start == ' ') start++;
      if (n < EVAL_MAX_OPERANDS) rewrite(s, start, (size_t)(at - start), &args[n++]);
      start = at + 1;
    }
  }
  bool is_variable = at - open == 3; /* S(a) */
  if (len == 1 && *name == 'S' && is_variable) {
    put_signed(s, (u32)(open[1] - 'a'), s->e->w, out);
  } else if (len == 4 && memcmp(name, "SIGN", 4) == 0) {
    put_literal((u64)1 << (s->e->w - 1), s->k, out);
  } else {
    const char *template = template_of(s, name, len, &libm);
    fill_template(s, template, args, memcmp(name, "TO_S", 4) == 0, out);
  }
  for (u32 i = 0; i < COUNT_OF(args); i++) buf_free(&args[i]);
  buf_free(&libm);
  return at;
}

static void rewrite(const Emitter *s, const char *text, size_t len, Buf *out) {
  for (const char *at = text, *end = text + len; at < end;) {
    if (!isalpha((unsigned char)*at)) {
      buf_char(out, *at++);
      continue;
    }
    const char *name = at;
    while (at < end && c_text_is_name(*at)) at++;
    size_t n = (size_t)(at - name);
    if (at < end && *at == '(')
      at = rewrite_call(s, name, n, at, out);
    else if (*name == 'w')
      buf_u64(out, s->e->w);
    else if (*name == 'a' || *name == 'b')
      put_unsigned(s, (u32)(*name - 'a'), out);
    else
      put_real(s, (u32)(*name - 'x'), out);
  }
}

/* ---- results --------------------------------------------------------------------------------- */

/* True where the result fits its width without truncation, if the operands do. */
static bool fits(OpKind kind) {
  switch (kind) {
  case OP_ARITH_DIVUI:
  case OP_ARITH_CEILDIVUI:
  case OP_ARITH_REMUI:
  case OP_ARITH_ANDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
  case OP_ARITH_SHRUI:
  case OP_ARITH_MAXSI:
  case OP_ARITH_MAXUI:
  case OP_ARITH_MINSI:
  case OP_ARITH_MINUI:
  case OP_ARITH_EXTUI:
  case OP_MATH_CTLZ:
  case OP_MATH_CTTZ:
  case OP_MATH_CTPOP:
  case OP_INDEX_DIVU:
  case OP_INDEX_CEILDIVU:
  case OP_INDEX_REMU:
  case OP_INDEX_AND:
  case OP_INDEX_OR:
  case OP_INDEX_XOR:
  case OP_INDEX_SHRU:
  case OP_INDEX_MAXS:
  case OP_INDEX_MAXU:
  case OP_INDEX_MINS:
  case OP_INDEX_MINU:
  case OP_LLVM_BITREVERSE: return true;
  default: return false;
  }
}

/* An integer expression of `k` bits, truncated to the result's type. `exact`: it is unsigned of k
 * bits; `fits`: its value has no more bits than the result. */
static void put_cut(const DfgType *type, unsigned k, const char *text, bool exact, bool fits,
                    Buf *out) {
  unsigned w = type->bits, c = c_text_width(w);
  if (exact && (w == k || (fits && c < 32)))
    buf_str(out, text);
  else if (w == c || (fits && c >= 32))
    buf_printf(out, "(uint%u_t)(%s)", c, text);
  else {
    buf_printf(out, c == 64 || k == 32 ? "(%s) & " : "(uint32_t)(%s) & ", text);
    put_literal(eval_mask(w), c == 64 ? 64 : 32, out);
  }
}

static void put_bits_result(const Emitter *s, const char *text, bool exact, Buf *out) {
  const DfgType *type = result_type(s, 0);
  if (is_float(type, FLOAT_F32))
    buf_printf(out, "loom_f32_of_bits(%s)", text);
  else if (is_float(type, FLOAT_F64))
    buf_printf(out, "loom_f64_of_bits(%s)", text);
  else
    put_cut(type, s->k, text, exact, fits((OpKind)s->n->kind), out);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void put_int_compare(Emitter *s, Buf *out) {
  static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  u32 p = s->n->predicate;
  for (u32 i = 0; i < 2; i++) {
    if (i) buf_printf(out, " %s ", relations[p]);
    if (p >= 2 && p <= 5)
      put_signed(s, i, s->e->w, out);
    else
      put_unsigned(s, i, out);
  }
}

/* $x and $y are the operands. No text uses `!`, which tcc gets wrong where one is a NaN. */
static void put_float_compare(const Emitter *s, Buf *out) {
  static const char *const texts[16] = {
      "0",
      "$x == $y",
      "$x > $y",
      "$x >= $y",
      "$x < $y",
      "$x <= $y",
      "$x < $y || $x > $y",
      "$x == $x && $y == $y",
      "$x == $y || $x != $x || $y != $y",
      "$x > $y || $x != $x || $y != $y",
      "$x >= $y || $x != $x || $y != $y",
      "$x < $y || $x != $x || $y != $y",
      "$x <= $y || $x != $x || $y != $y",
      "$x != $y",
      "$x != $x || $y != $y",
      "1",
  };
  for (const char *at = texts[s->n->predicate]; *at; at++) {
    if (*at == '$')
      put_real(s, (u32)(*++at - 'x'), out);
    else
      buf_char(out, *at);
  }
}

static void put_sum_extended(const Emitter *s, u32 which, Buf *out) {
  unsigned w = s->e->w;
  Buf sum = {0};
  put_unsigned(s, 0, &sum);
  buf_str(&sum, " + ");
  put_unsigned(s, 1, &sum);
  if (which == 0) {
    put_cut(result_type(s, 0), s->k, sum.data, true, false, out);
  } else if (w == s->k) {
    buf_printf(out, "%s < ", sum.data);
    put_unsigned(s, 0, out);
  } else {
    buf_printf(out, "(%s) >> %u & 1u", sum.data, w);
  }
  buf_free(&sum);
}

static void put_product_extended(Emitter *s, u32 which, bool is_signed, Buf *out) {
  unsigned w = s->e->w;
  Buf text = {0}, a[2] = {{0}};
  s->k = 64;
  for (u32 i = 0; i < 2; i++)
    if (is_signed)
      put_signed(s, i, w, &a[i]);
    else
      put_unsigned(s, i, &a[i]);
  if (w > 32 && which == 1)
    buf_printf(&text, "loom_high_%s(%s, %s, %u)", is_signed ? "s" : "u", a[0].data, a[1].data, w);
  else if (w > 32)
    buf_printf(&text, "(uint64_t)%s * (uint64_t)%s", a[0].data, a[1].data);
  else
    buf_printf(&text, which ? "(uint64_t)(%s * %s) >> %u" : "(uint64_t)(%s * %s)", a[0].data,
               a[1].data, w);
  put_cut(result_type(s, which), 64, text.data, true, false, out);
  buf_free(&text), buf_free(&a[0]), buf_free(&a[1]);
}

/* isnan, isinf, isfinite or isnormal of a float. */
static void put_test(const Emitter *s, Buf *out) {
  static const char *const smallest[] = {"6.103515625e-05", "1.1754943508222875e-38",
                                         "1.1754943508222875e-38", "2.2250738585072014e-308"};
  Buf x = {0};
  put_real(s, 0, &x);
  const char *v = x.data;
  switch (s->n->kind) {
  case OP_MATH_ISNAN: buf_printf(out, "%s != %s", v, v); break;
  case OP_MATH_ISINF:
    buf_printf(out, "loom_is_between(%s, LOOM_INFINITY, LOOM_INFINITY)", v);
    break;
  case OP_MATH_ISFINITE:
    buf_printf(out, "loom_is_between(%s, 0.0, 1.7976931348623157e308)", v);
    break;
  default:
    buf_printf(out, "loom_is_between(%s, %s, 1.7976931348623157e308)", v, smallest[s->e->format]);
  }
  buf_free(&x);
}

static void put_by_hand(Emitter *s, u32 which, Buf *out) {
  Buf text = {0};
  switch (s->n->kind) {
  case OP_ARITH_CMPI:
  case OP_INDEX_CMP: put_int_compare(s, out); break;
  case OP_ARITH_CMPF: put_float_compare(s, out); break;
  case OP_ARITH_SELECT:
    buf_printf(out, "%s ? %s : %s", s->operands[0], s->operands[1], s->operands[2]);
    break;
  case OP_ARITH_EXTF:
  case OP_ARITH_TRUNCF:
    s->direct = false;
    put_real(s, 0, &text);
    put_rounded(result_type(s, 0), text.data, out);
    break;
  case OP_MATH_FPOWI:
    s->direct = false;
    s->k = s->e->w <= 32 ? 32 : 64;
    buf_str(&text, "pow(");
    put_real(s, 0, &text);
    buf_str(&text, ", (double)");
    put_signed(s, 1, s->e->w, &text);
    buf_char(&text, ')');
    put_rounded(result_type(s, 0), text.data, out);
    break;
  case OP_ARITH_ADDUI_EXTENDED: put_sum_extended(s, which, out); break;
  case OP_ARITH_MULSI_EXTENDED: put_product_extended(s, which, true, out); break;
  case OP_ARITH_MULUI_EXTENDED: put_product_extended(s, which, false, out); break;
  case OP_MATH_ISFINITE:
  case OP_MATH_ISINF:
  case OP_MATH_ISNAN:
  case OP_MATH_ISNORMAL: put_test(s, out); break;
  default: loom_bug("%s has no C text", dfg_text(s->dfg, s->n->op));
  }
  buf_free(&text);
}

/* ---- entry points ---------------------------------------------------------------------------- */

void c_text_expression(const Dfg *dfg, u32 node, u32 which, const char *const *operands, Buf *out) {
  const DfgNode *n = dfg_node(dfg, node);
  const OpText *row = &rows[n->kind];
  Emitter s = {.dfg = dfg, .node = node, .n = n, .e = &dfg->evals[n->eval], .operands = operands};
  unsigned widest = s.e->w > s.e->rw && row->frame != ROW_TO_INT ? s.e->w : s.e->rw;
  if (row->frame == ROW_FROM_INT || row->frame == ROW_NONE) widest = s.e->w;
  s.k = widest <= 32 ? 32 : 64;
  s.direct = row->frame == ROW_NONE || (row->frame == ROW_FLOAT && !strchr(row->text, '('));
  Buf text = {0};
  if (row->frame != ROW_NONE) rewrite(&s, row->text, strlen(row->text), &text);
  switch ((RowFrame)row->frame) {
  case ROW_NONE: put_by_hand(&s, which, out); break;
  case ROW_INT: put_bits_result(&s, text.data, memcmp(row->text, "S(", 2) != 0, out); break;
  case ROW_TO_INT: put_cut(result_type(&s, 0), 64, text.data, true, false, out); break;
  case ROW_FLOAT:
    if (s.direct && is_float(result_type(&s, 0), FLOAT_F32)) {
      buf_str(out, text.data);
      break;
    }
    put_rounded(result_type(&s, 0), text.data, out);
    break;
  case ROW_FROM_INT: put_rounded(result_type(&s, 0), text.data, out); break;
  }
  buf_free(&text);
}

bool c_text_may_trap(const Dfg *dfg, u32 node) {
  return op_info((OpKind)dfg_node(dfg, node)->kind)->traits & TRAIT_MAY_TRAP;
}

bool c_text_is_loose_nan(const Dfg *dfg, u32 node) {
  const DfgNode *n = dfg_node(dfg, node);
  if (n->eval == DFG_NONE || n->nresults == 0) return false;
  const DfgType *type = &dfg->types[dfg->results[n->first_result].type];
  if (!is_float(type, FLOAT_F32) && !is_float(type, FLOAT_F64)) return false;
  return rows[n->kind].frame == ROW_FLOAT || n->kind == OP_ARITH_EXTF ||
         n->kind == OP_ARITH_TRUNCF || n->kind == OP_MATH_FPOWI;
}

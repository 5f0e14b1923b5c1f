/* bulk.c -- what a pure operation computes, many tokens at a time.
 *
 *     EvalBulk add = eval_bulk(OP_ARITH_ADDI, &op, 0);         of int32_t
 *     add(&op, sums, (const void *[]){a, b}, 1024);            sums[i] = a[i] + b[i]
 *
 * eval.c goes from 64-bit patterns to 64-bit patterns, a token a call. Here tokens lie in arrays of
 * their C types, as generated code keeps them (loom_plugin.h, "a value's C type"), and an operation
 * is a loop over its row's expression in ops.def: the same text, compiled once more for each width
 * that fills a C type, and for i1. Such loops have no branch and no call, so the compiler makes
 * wide registers of them, and a token takes a tenth of a nanosecond.
 *
 * Only what such a loop can do well is here: what may trap is not (a trap has a place and a time),
 * what calls libm is not, widths like i7 are not, f16 and bf16 are not. eval_bulk says so with
 * NULL, and whoever asks must have another way.
 *
 * Integers of up to 32 bits are computed in 32, as spell.c does and for its reason: each expression
 * either is a ring operation, whose low bits depend on low bits alone, or gives what fits its
 * operands. f32 is computed in float, which for + - * / and a conversion rounds as eval.c does
 * through double (see there). Every NaN that an operation makes is the canonical one.
 */
#include "base/wide.h"
#include "ir/eval.h"

#define BULK(name)                                                                                 \
  WIDE static void name(const EvalOp *o, void *to, const void *const *from, size_t n)

/* Arrays of floats are also read as their bits. */
#if defined(__GNUC__)
#define ANY_ALIAS __attribute__((may_alias))
#else
#define ANY_ALIAS
#endif
typedef u8 ANY_ALIAS Bits8;
typedef u16 ANY_ALIAS Bits16;
typedef u32 ANY_ALIAS Bits32;
typedef u64 ANY_ALIAS Bits64;

/* ---- rows of ops.def ------------------------------------------------------------------------- */

/* What the expressions call. K is the unsigned type they are computed in, KS its signed twin. */
#define POISON(x)   (x)
#define S(x)        ((KS)((K)(x) << (sizeof(K) * 8 - w)) >> (sizeof(K) * 8 - w))
#define SIGN(bits)  ((K)1 << ((bits)-1))
#define SHR_S(x, y) ((K)((x) >> (y)))

#define OPERANDS_1(T) const T *const pa = from[0];
#define OPERANDS_2(T)                                                                              \
  const T *const pa = from[0];                                                                     \
  const T *const pb = from[1];
#define TAKE_1(T) const T a = (T)pa[i];
#define TAKE_2(T)                                                                                  \
  const T a = (T)pa[i];                                                                            \
  const T b = (T)pb[i];

#define INT_LOOP(id, n_operands, bits, Element, Unsigned, Signed, e)                               \
  BULK(id##_##bits) {                                                                              \
    typedef Unsigned K;                                                                            \
    typedef Signed KS;                                                                             \
    enum { w = bits };                                                                             \
    Element *restrict const out = to;                                                              \
    OPERANDS_##n_operands(Element)(void) o;                                                        \
    for (size_t i = 0; i < n; i++) {                                                               \
      TAKE_##n_operands(K) out[i] = (Element)((K)(e) & (K)eval_mask(w));                           \
    }                                                                                              \
    (void)sizeof(KS);                                                                              \
  }
#define INT_ROW(id, n_operands, e)                                                                 \
  INT_LOOP(id, n_operands, 1, Bits8, u32, int32_t, e)                                              \
  INT_LOOP(id, n_operands, 8, Bits8, u32, int32_t, e)                                              \
  INT_LOOP(id, n_operands, 16, Bits16, u32, int32_t, e)                                            \
  INT_LOOP(id, n_operands, 32, Bits32, u32, int32_t, e)                                            \
  INT_LOOP(id, n_operands, 64, Bits64, u64, i64, e)

/* An index has 32 bits or more. */
#define INDEX_ROW(id, n_operands, e)                                                               \
  INT_LOOP(id, n_operands, 32, Bits32, u32, int32_t, e)                                            \
  INT_LOOP(id, n_operands, 64, Bits64, u64, i64, e)
/* The bits of floats. */
#define SIGN_ROW(id, n_operands, e)                                                                \
  INT_LOOP(id, n_operands, 16, Bits16, u32, int32_t, e)                                            \
  INDEX_ROW(id, n_operands, e)

static inline float canonical_f32(float x) {
  static const u32 nan = 0x7fc00000;
  float quiet;
  memcpy(&quiet, &nan, sizeof quiet);
  return x == x ? x : quiet;
}
static inline double canonical_f64(double x) {
  static const u64 nan = 0x7ff8000000000000;
  double quiet;
  memcpy(&quiet, &nan, sizeof quiet);
  return x == x ? x : quiet;
}

#define FLOAT_LOOP(id, bits, Element, e)                                                           \
  BULK(id##_##bits) {                                                                              \
    Element *restrict const out = to;                                                              \
    const Element *const px = from[0], *const py = from[1];                                        \
    (void)o;                                                                                       \
    for (size_t i = 0; i < n; i++) {                                                               \
      const Element x = px[i], y = py[i];                                                          \
      out[i] = canonical_f##bits(e);                                                               \
    }                                                                                              \
  }
#define FLOAT_ROW(id, n_operands, e)                                                               \
  FLOAT_LOOP(id, 32, float, e)                                                                     \
  FLOAT_LOOP(id, 64, double, e)

/* The rows that loops are made of. A row is in the list where its name follows PICKED_ below. */
#define PICKED_ARITH_ADDI    ~, INT
#define PICKED_ARITH_SUBI    ~, INT
#define PICKED_ARITH_MULI    ~, INT
#define PICKED_ARITH_ANDI    ~, INT
#define PICKED_ARITH_ORI     ~, INT
#define PICKED_ARITH_XORI    ~, INT
#define PICKED_ARITH_SHLI    ~, INT
#define PICKED_ARITH_SHRSI   ~, INT
#define PICKED_ARITH_SHRUI   ~, INT
#define PICKED_ARITH_MAXSI   ~, INT
#define PICKED_ARITH_MAXUI   ~, INT
#define PICKED_ARITH_MINSI   ~, INT
#define PICKED_ARITH_MINUI   ~, INT
#define PICKED_ARITH_NEGF    ~, SIGN
#define PICKED_MATH_ABSF     ~, SIGN
#define PICKED_MATH_ABSI     ~, INT
#define PICKED_MATH_COPYSIGN ~, SIGN
#define PICKED_INDEX_ADD     ~, INDEX
#define PICKED_INDEX_SUB     ~, INDEX
#define PICKED_INDEX_MUL     ~, INDEX
#define PICKED_INDEX_AND     ~, INDEX
#define PICKED_INDEX_OR      ~, INDEX
#define PICKED_INDEX_XOR     ~, INDEX
#define PICKED_INDEX_SHL     ~, INDEX
#define PICKED_INDEX_SHRS    ~, INDEX
#define PICKED_INDEX_SHRU    ~, INDEX
#define PICKED_INDEX_MAXS    ~, INDEX
#define PICKED_INDEX_MAXU    ~, INDEX
#define PICKED_INDEX_MINS    ~, INDEX
#define PICKED_INDEX_MINU    ~, INDEX
#define PICKED_ARITH_ADDF    ~, FLOAT
#define PICKED_ARITH_SUBF    ~, FLOAT
#define PICKED_ARITH_MULF    ~, FLOAT
#define PICKED_ARITH_DIVF    ~, FLOAT

/* PICK(id) is INT, INDEX, SIGN, FLOAT or, of a name that is not picked, NO. */
#define SECOND(x, y, ...) y
#define PICK_(...)        SECOND(__VA_ARGS__, NO, NO)
#define PICK(id)          PICK_(PICKED_##id)

#define EVAL_INT(n, e)   n, e
#define EVAL_FLOAT(n, e) n, e
#define EVAL_TO_INT(e)   1, e
#define EVAL_FROM_INT(e) 1, e
#define NO_EVAL          0, 0

#define CALL(macro, ...) macro(__VA_ARGS__)
#define JOIN_(a, b)      a##b
#define JOIN(a, b)       JOIN_(a, b)

#define NO_ROW(...)
#define OP(id, name, form, types, fire, traits, ...) CALL(JOIN(PICK(id), _ROW), id, __VA_ARGS__)
#include "ir/ops.def"
#undef OP

typedef struct {
  EvalBulk by_width[5]; /* 1, 8, 16, 32, 64 */
} Row;

#define NO_ENTRY(id)
#define INT_ENTRY(id)   [OP_##id] = {{id##_1, id##_8, id##_16, id##_32, id##_64}},
#define INDEX_ENTRY(id) [OP_##id] = {{NULL, NULL, NULL, id##_32, id##_64}},
#define SIGN_ENTRY(id)  [OP_##id] = {{NULL, NULL, id##_16, id##_32, id##_64}},
#define FLOAT_ENTRY(id) [OP_##id] = {{NULL, NULL, NULL, id##_32, id##_64}},

static const Row rows[OP_COUNT] = {
#define OP(id, name, form, types, fire, traits, ...) CALL(JOIN(PICK(id), _ENTRY), id)
#include "ir/ops.def"
#undef OP
};

/* ---- integers of other widths ---------------------------------------------------------------- */

#define CAST(name, From, To, value)                                                                \
  BULK(name) {                                                                                     \
    const From *const in = from[0];                                                                \
    To *restrict const out = to;                                                                   \
    const To mask = (To)o->mask;                                                                   \
    for (size_t i = 0; i < n; i++) out[i] = (To)((value)&mask);                                    \
  }
#define CASTS_TO(bits, To)                                                                         \
  CAST(cast_u8_##bits, Bits8, To, (To)in[i])                                                       \
  CAST(cast_u16_##bits, Bits16, To, (To)in[i])                                                     \
  CAST(cast_u32_##bits, Bits32, To, (To)in[i])                                                     \
  CAST(cast_u64_##bits, Bits64, To, (To)in[i])                                                     \
  CAST(cast_s1_##bits, Bits8, To, (To)(0 - (To)in[i]))                                             \
  CAST(cast_s8_##bits, Bits8, To, (To)(int8_t)in[i])                                               \
  CAST(cast_s16_##bits, Bits16, To, (To)(int16_t)in[i])                                            \
  CAST(cast_s32_##bits, Bits32, To, (To)(int32_t)in[i])
CASTS_TO(8, Bits8)
CASTS_TO(16, Bits16)
CASTS_TO(32, Bits32)
CASTS_TO(64, Bits64)

/* By widths of operand and result: 1, 8, 16, 32, 64. */
#define CASTS(sign, first, bits)                                                                   \
  {                                                                                                \
    cast_##first##_##bits, cast_##sign##8_##bits, cast_##sign##16_##bits, cast_##sign##32_##bits,  \
        cast_u64_##bits                                                                            \
  }
static const EvalBulk unsigned_casts[5][5] = {CASTS(u, u8, 8), CASTS(u, u8, 8), CASTS(u, u8, 16),
                                              CASTS(u, u8, 32), CASTS(u, u8, 64)};
static const EvalBulk signed_casts[5][5] = {CASTS(s, s1, 8), CASTS(s, s1, 8), CASTS(s, s1, 16),
                                            CASTS(s, s1, 32), CASTS(s, s1, 64)};

/* ---- comparisons and choices ----------------------------------------------------------------- */

/* A predicate is a set of relations, as in eval.c: bit 0 equal, 1 greater, 2 less, 3 neither. */
#define COMPARE(name, Element)                                                                     \
  BULK(name) {                                                                                     \
    const Element *const a = from[0], *const b = from[1];                                          \
    u8 *restrict const out = to;                                                                   \
    const u8 equal = o->predicate & 1, greater = o->predicate >> 1 & 1,                            \
             less = o->predicate >> 2 & 1;                                                         \
    for (size_t i = 0; i < n; i++) out[i] = a[i] == b[i] ? equal : a[i] > b[i] ? greater : less;   \
  }
typedef int8_t ANY_ALIAS Signed8;
typedef int16_t ANY_ALIAS Signed16;
typedef int32_t ANY_ALIAS Signed32;
typedef i64 ANY_ALIAS Signed64;
COMPARE(compare_u8, Bits8)
COMPARE(compare_u16, Bits16)
COMPARE(compare_u32, Bits32)
COMPARE(compare_u64, Bits64)
COMPARE(compare_s8, Signed8)
COMPARE(compare_s16, Signed16)
COMPARE(compare_s32, Signed32)
COMPARE(compare_s64, Signed64)

#define COMPARE_FLOATS(name, Element)                                                              \
  BULK(name) {                                                                                     \
    const Element *const a = from[0], *const b = from[1];                                          \
    u8 *restrict const out = to;                                                                   \
    const u8 equal = o->predicate & 1, greater = o->predicate >> 1 & 1;                            \
    const u8 less = o->predicate >> 2 & 1, neither = o->predicate >> 3 & 1;                        \
    for (size_t i = 0; i < n; i++)                                                                 \
      out[i] = a[i] == b[i] ? equal : a[i] > b[i] ? greater : a[i] < b[i] ? less : neither;        \
  }
COMPARE_FLOATS(compare_f32, float)
COMPARE_FLOATS(compare_f64, double)

#define SELECT(name, Element)                                                                      \
  BULK(name) {                                                                                     \
    const u8 *const which = from[0];                                                               \
    const Element *const a = from[1], *const b = from[2];                                          \
    Element *restrict const out = to;                                                              \
    (void)o;                                                                                       \
    for (size_t i = 0; i < n; i++) out[i] = which[i] ? a[i] : b[i];                                \
  }
SELECT(select_8, Bits8)
SELECT(select_16, Bits16)
SELECT(select_32, Bits32)
SELECT(select_64, Bits64)

static const EvalBulk unsigned_compares[5] = {compare_u8, compare_u8, compare_u16, compare_u32,
                                              compare_u64};
/* of i1, 1 is -1 */
static const EvalBulk signed_compares[5] = {NULL, compare_s8, compare_s16, compare_s32,
                                            compare_s64};
static const EvalBulk selects[5] = {select_8, select_8, select_16, select_32, select_64};

/* ---- floats of integers and of one another --------------------------------------------------- */

#define CONVERT(name, From, To, value)                                                             \
  BULK(name) {                                                                                     \
    const From *const in = from[0];                                                                \
    To *restrict const out = to;                                                                   \
    (void)o;                                                                                       \
    for (size_t i = 0; i < n; i++) out[i] = value;                                                 \
  }
CONVERT(f32_of_s32, Signed32, float, (float)in[i])
CONVERT(f64_of_s32, Signed32, double, (double)in[i])
CONVERT(f64_of_s64, Signed64, double, (double)in[i])
CONVERT(f64_of_f32, float, double, canonical_f64((double)in[i]))
CONVERT(f32_of_f64, double, float, canonical_f32((float)in[i]))

/* ---- choosing -------------------------------------------------------------------------------- */

/* 0 to 4 for 1, 8, 16, 32, 64 bits; -1 for others. */
static int number_of_width(unsigned bits) {
  switch (bits) {
  case 1: return 0;
  case 8: return 1;
  case 16: return 2;
  case 32: return 3;
  case 64: return 4;
  default: return -1;
  }
}

EvalBulk eval_bulk(OpKind kind, const EvalOp *e, unsigned predicate) {
  int w = number_of_width(e->w), rw = number_of_width(e->rw);
  if (w < 0 || rw < 0 || !is_wide_machine()) return NULL;
  switch (kind) {
  case OP_ARITH_EXTSI:
  case OP_ARITH_INDEX_CAST:
  case OP_INDEX_CASTS: return signed_casts[rw][w];
  case OP_ARITH_EXTUI:
  case OP_ARITH_TRUNCI:
  case OP_ARITH_INDEX_CASTUI:
  case OP_INDEX_CASTU: return unsigned_casts[rw][w];
  case OP_ARITH_CMPI:
  case OP_INDEX_CMP:
    return predicate >= 2 && predicate <= 5 ? signed_compares[w] : unsigned_compares[w];
  case OP_ARITH_CMPF: return w == 3 ? compare_f32 : w == 4 ? compare_f64 : NULL;
  case OP_ARITH_SELECT: return selects[w];
  case OP_ARITH_SITOFP:
    if (w == 3) return rw == 3 ? f32_of_s32 : rw == 4 ? f64_of_s32 : NULL;
    return w == 4 && rw == 4 ? f64_of_s64 : NULL;
  case OP_ARITH_EXTF: return w == 3 && rw == 4 ? f64_of_f32 : NULL;
  case OP_ARITH_TRUNCF: return w == 4 && rw == 3 ? f32_of_f64 : NULL;
  default: return w == rw ? rows[kind].by_width[w] : NULL;
  }
}

/* affine.c -- affine expressions, simplified on construction as MLIR does it, so that a map prints
 * the way mlir-opt prints it:
 *
 *     d0 + 0 -> d0      2 * d0 -> d0 * 2      (d0 + 1) + 2 -> d0 + 3      d0 * 2 + d0 -> d0 * 3
 *     (d0 * 4 + d1) mod 2 -> d1 mod 2         d0 - (d0 floordiv 4) * 4 -> d0 mod 4
 *
 * Constants are folded and moved to the right; symbols stand to the right of dims, and d1 to the
 * right of d0. Nothing else is reordered. The rules are those of MLIR's AffineExpr.cpp, and each
 * expression keeps its largest known divisor, so a node costs the comparison of its operands.
 *
 * Also the strides of memrefs, which an affine layout may define. */
#include "ir/ir.h"

static u64 magnitude(i64 value) {
  return value < 0 ? 0 - (u64)value : (u64)value;
}

static u64 hash_of(AffineKind kind, u64 first, u64 second) {
  return hash_bytes((u64[]){first, second}, 2 * sizeof first, kind);
}

const AffineExpr *affine_leaf(Context *ctx, AffineKind kind, i64 value) {
  AffineExpr *expr = NEW(ctx->arena, AffineExpr);
  *expr = (AffineExpr){.kind = (u8)kind,
                       .symbolic = kind != AFFINE_DIM,
                       .divisor = kind == AFFINE_CONST ? magnitude(value) : 1,
                       .hash = hash_of(kind, (u64)value, 0),
                       .value = value};
  return expr;
}

static bool is_constant(const AffineExpr *e) {
  return e->kind == AFFINE_CONST;
}
static i64 floor_div(i64 a, i64 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Folds two constants; false if the result is undefined or does not fit. INT64_MIN counts as not
 * fitting: the parser could not read it back, as a minus and a number above INT64_MAX. */
static bool fold(AffineKind kind, i64 a, i64 b, i64 *result) {
  if (kind == AFFINE_ADD) return !__builtin_add_overflow(a, b, result) && *result != INT64_MIN;
  if (kind == AFFINE_MUL) return !__builtin_mul_overflow(a, b, result) && *result != INT64_MIN;
  if (b < 1) return false;
  i64 quotient = floor_div(a, b);
  if (kind == AFFINE_MOD)
    *result = a - quotient * b;
  else
    *result = kind == AFFINE_FLOORDIV ? quotient : quotient + (a % b != 0);
  return true;
}

static const AffineExpr *constant(Context *ctx, i64 value) {
  return affine_leaf(ctx, AFFINE_CONST, value);
}

/* A divisor of `lhs kind rhs`, the largest that follows from those of the operands. */
static u64 known_divisor(AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs) {
  u64 product;
  if (kind == AFFINE_MUL)
    return __builtin_mul_overflow(lhs->divisor, rhs->divisor, &product) ? lhs->divisor : product;
  if (kind == AFFINE_ADD || kind == AFFINE_MOD) return gcd(lhs->divisor, rhs->divisor);
  u64 by = is_constant(rhs) ? rhs->divisor : 0;
  return by && lhs->divisor % by == 0 ? lhs->divisor / by : 1;
}

/* Splits e into the returned expression times *factor. */
static const AffineExpr *without_factor(const AffineExpr *e, i64 *factor) {
  bool has = e->kind == AFFINE_MUL && is_constant(e->rhs);
  *factor = has ? e->rhs->value : 1;
  return has ? e->lhs : e;
}

/* Each of these returns a simpler form of `lhs kind rhs`, or NULL if there is none. */
static const AffineExpr *simpler_sum(Context *ctx, const AffineExpr *lhs, const AffineExpr *rhs) {
  i64 a, b, sum;
  if (is_constant(rhs) && rhs->value == 0) return lhs;
  bool is_sum = lhs->kind == AFFINE_ADD && is_constant(lhs->rhs);
  if (is_sum && is_constant(rhs) && fold(AFFINE_ADD, lhs->rhs->value, rhs->value, &sum))
    return affine_binary(ctx, AFFINE_ADD, lhs->lhs, constant(ctx, sum));
  const AffineExpr *one = without_factor(lhs, &a), *other = without_factor(rhs, &b);
  if (affine_equal(one, other) && fold(AFFINE_ADD, a, b, &sum))
    return affine_binary(ctx, AFFINE_MUL, one, constant(ctx, sum));
  if (is_sum && !is_constant(rhs)) /* the constant stays rightmost */
    return affine_binary(ctx, AFFINE_ADD, affine_binary(ctx, AFFINE_ADD, lhs->lhs, rhs), lhs->rhs);
  /* e + (e floordiv c) * -c is e mod c */
  if (b < 0 && b != INT64_MIN && other->kind == AFFINE_FLOORDIV && is_constant(other->rhs) &&
      other->rhs->value == -b && affine_equal(other->lhs, lhs))
    return affine_binary(ctx, AFFINE_MOD, lhs, other->rhs);
  return NULL;
}

static const AffineExpr *simpler_product(Context *ctx, const AffineExpr *lhs,
                                         const AffineExpr *rhs) {
  i64 factor, product;
  if (is_constant(rhs) && rhs->value == 1) return lhs;
  if (is_constant(rhs) && rhs->value == 0) return rhs;
  const AffineExpr *rest = without_factor(lhs, &factor);
  if (rest == lhs) return NULL;
  if (!is_constant(rhs)) /* the constant stays rightmost */
    return affine_binary(ctx, AFFINE_MUL, affine_binary(ctx, AFFINE_MUL, rest, rhs), lhs->rhs);
  if (!fold(AFFINE_MUL, factor, rhs->value, &product)) return NULL;
  return affine_binary(ctx, AFFINE_MUL, rest, constant(ctx, product));
}

static const AffineExpr *simpler_quotient(Context *ctx, AffineKind kind, const AffineExpr *lhs,
                                          const AffineExpr *rhs) {
  i64 factor, by = is_constant(rhs) ? rhs->value : 0;
  if (by < 1) return NULL;
  if (by == 1) return lhs;
  const AffineExpr *rest = without_factor(lhs, &factor);
  if (factor % by == 0) return affine_binary(ctx, AFFINE_MUL, rest, constant(ctx, factor / by));
  bool distributes = kind == AFFINE_FLOORDIV && lhs->kind == AFFINE_ADD &&
                     (lhs->lhs->divisor % (u64)by == 0 || lhs->rhs->divisor % (u64)by == 0);
  if (!distributes) return NULL;
  return affine_binary(ctx, AFFINE_ADD, affine_binary(ctx, AFFINE_FLOORDIV, lhs->lhs, rhs),
                       affine_binary(ctx, AFFINE_FLOORDIV, lhs->rhs, rhs));
}

static const AffineExpr *simpler_remainder(Context *ctx, const AffineExpr *lhs,
                                           const AffineExpr *rhs) {
  i64 by = is_constant(rhs) ? rhs->value : 0;
  if (by < 1) return NULL;
  if (lhs->divisor % (u64)by == 0) return constant(ctx, 0);
  if (lhs->kind == AFFINE_ADD && lhs->lhs->divisor % (u64)by == 0)
    return affine_binary(ctx, AFFINE_MOD, lhs->rhs, rhs);
  if (lhs->kind == AFFINE_ADD && lhs->rhs->divisor % (u64)by == 0)
    return affine_binary(ctx, AFFINE_MOD, lhs->lhs, rhs);
  if (lhs->kind == AFFINE_MOD && is_constant(lhs->rhs) && lhs->rhs->value % by == 0)
    return affine_binary(ctx, AFFINE_MOD, lhs->lhs, rhs);
  return NULL;
}

/* Whether the left operand of a sum or product must move to the right: constants stand rightmost,
 * symbols to the right of dims, and d1 to the right of d0. */
static bool belongs_right(const AffineExpr *lhs, const AffineExpr *rhs) {
  if (is_constant(lhs) || is_constant(rhs)) return is_constant(lhs);
  if (!lhs->lhs && lhs->kind == rhs->kind) return lhs->value > rhs->value;
  return lhs->symbolic && !rhs->symbolic;
}

const AffineExpr *affine_binary(Context *ctx, AffineKind kind, const AffineExpr *lhs,
                                const AffineExpr *rhs) {
  i64 folded;
  if (is_constant(lhs) && is_constant(rhs)) {
    if (fold(kind, lhs->value, rhs->value, &folded)) return constant(ctx, folded);
  } else if ((kind == AFFINE_ADD || kind == AFFINE_MUL) && belongs_right(lhs, rhs)) {
    const AffineExpr *swap = lhs;
    lhs = rhs;
    rhs = swap;
  }
  const AffineExpr *simpler = kind == AFFINE_ADD   ? simpler_sum(ctx, lhs, rhs)
                              : kind == AFFINE_MUL ? simpler_product(ctx, lhs, rhs)
                              : kind == AFFINE_MOD ? simpler_remainder(ctx, lhs, rhs)
                                                   : simpler_quotient(ctx, kind, lhs, rhs);
  if (simpler) return simpler;
  AffineExpr *expr = NEW(ctx->arena, AffineExpr);
  *expr = (AffineExpr){.kind = (u8)kind,
                       .symbolic = lhs->symbolic && rhs->symbolic,
                       .divisor = known_divisor(kind, lhs, rhs),
                       .hash = hash_of(kind, lhs->hash, rhs->hash),
                       .lhs = lhs,
                       .rhs = rhs};
  return expr;
}

/* Recursion depth is the nesting of the expression, which the parser bounds. */
bool affine_equal(const AffineExpr *a, const AffineExpr *b) {
  if (a == b) return true;
  if (a->hash != b->hash || a->kind != b->kind || a->value != b->value || !a->lhs != !b->lhs)
    return false;
  return !a->lhs || (affine_equal(a->lhs, b->lhs) && affine_equal(a->rhs, b->rhs));
}

bool affine_map_is_identity(const AffineMap *map) {
  if (map->nresults != map->ndims) return false;
  for (u32 i = 0; i < map->nresults; i++)
    if (map->results[i]->kind != AFFINE_DIM || map->results[i]->value != (i64)i) return false;
  return true;
}

/* ---- layouts of memrefs ---------------------------------------------------------------------- */

i64 known_times(i64 a, i64 b) {
  i64 product;
  return a == DYNAMIC || b == DYNAMIC || __builtin_mul_overflow(a, b, &product) ? DYNAMIC : product;
}

i64 known_plus(i64 a, i64 b) {
  i64 sum;
  return a == DYNAMIC || b == DYNAMIC || __builtin_add_overflow(a, b, &sum) ? DYNAMIC : sum;
}

static bool is_number(const AffineExpr *e) {
  return e->kind == AFFINE_CONST || e->kind == AFFINE_SYMBOL;
}

/* An affine layout is strided if its one result is a sum of dimensions times numbers. Adds the
 * contribution of e * scale to the strides and the offset; false if e is not such a sum. Sums are
 * left-leaning and may be long, so the loop follows their left side and recursion the right. */
static bool add_strides(const AffineExpr *e, i64 scale, i64 *strides, i64 *offset) {
  for (;;) {
    switch ((AffineKind)e->kind) {
    case AFFINE_DIM: strides[e->value] = known_plus(strides[e->value], scale); return true;
    case AFFINE_SYMBOL: *offset = DYNAMIC; return true;
    case AFFINE_CONST: *offset = known_plus(*offset, known_times(scale, e->value)); return true;
    case AFFINE_ADD:
      if (!add_strides(e->rhs, scale, strides, offset)) return false;
      e = e->lhs;
      continue;
    case AFFINE_MUL: {
      const AffineExpr *number = is_number(e->rhs) ? e->rhs : e->lhs;
      if (!is_number(number)) return false;
      scale = known_times(scale, number->kind == AFFINE_CONST ? number->value : DYNAMIC);
      e = number == e->rhs ? e->lhs : e->rhs;
      continue;
    }
    default: return false;
    }
  }
}

bool type_strides(const Type *memref, i64 *strides, i64 *offset) {
  const Attr *layout = memref->layout;
  *offset = 0;
  for (u32 i = 0; i < memref->rank; i++) strides[i] = 0;
  if (!layout) {
    i64 stride = 1;
    for (u32 i = memref->rank; i-- > 0; stride = known_times(stride, memref->shape[i]))
      strides[i] = stride;
    return true;
  }
  if (layout->kind == ATTR_STRIDED && layout->n == memref->rank + 1) {
    *offset = layout->ints[0];
    for (u32 i = 0; i < memref->rank; i++) strides[i] = layout->ints[i + 1];
    return true;
  }
  return layout->kind == ATTR_AFFINE_MAP && layout->map->ndims == memref->rank &&
         layout->map->nresults == 1 && add_strides(layout->map->results[0], 1, strides, offset);
}

/* affine.c -- affine expressions, simplified on construction as MLIR does it, so that a map prints
 * the way mlir-opt prints it:
 *
 *     d0 + 0 -> d0      2 * d0 -> d0 * 2      (d0 + 1) + 2 -> d0 + 3      d0 mod 1 -> 0
 *
 * Constants fold and move to the right; symbols stand right of dims. Nothing else is reordered. */
#include "ir/ir.h"

const AffineExpr *affine_leaf(Context *ctx, AffineKind kind, i64 value) {
  AffineExpr *expr = NEW(ctx->arena, AffineExpr);
  expr->kind = (u8)kind;
  expr->value = value;
  return expr;
}

static bool is_constant(const AffineExpr *e) {
  return e->kind == AFFINE_CONST;
}
static bool is_symbolic(const AffineExpr *e) {
  return e->kind == AFFINE_CONST || e->kind == AFFINE_SYMBOL ||
         (e->lhs && e->lhs->kind >= AFFINE_SYMBOL && e->rhs->kind >= AFFINE_SYMBOL &&
          is_constant(e->rhs) && e->lhs->kind == AFFINE_SYMBOL);
}

static i64 floor_div(i64 a, i64 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Folds two constants; false where the result is undefined or does not fit. */
static bool fold(AffineKind kind, i64 a, i64 b, i64 *result) {
  if (kind == AFFINE_ADD) return !__builtin_add_overflow(a, b, result);
  if (kind == AFFINE_MUL) return !__builtin_mul_overflow(a, b, result);
  if (b < 1) return false;
  i64 quotient = floor_div(a, b);
  if (kind == AFFINE_MOD)
    *result = a - quotient * b;
  else
    *result = kind == AFFINE_FLOORDIV ? quotient : quotient + (a % b != 0);
  return true;
}

const AffineExpr *affine_binary(Context *ctx, AffineKind kind, const AffineExpr *lhs,
                                const AffineExpr *rhs) {
  i64 folded;
  if (is_constant(lhs) && is_constant(rhs) && fold(kind, lhs->value, rhs->value, &folded))
    return affine_leaf(ctx, AFFINE_CONST, folded);
  bool commutes = kind == AFFINE_ADD || kind == AFFINE_MUL;
  if (commutes && (is_constant(lhs) || (is_symbolic(lhs) && !is_symbolic(rhs)))) {
    const AffineExpr *swap = lhs;
    lhs = rhs;
    rhs = swap;
  }
  if (is_constant(rhs)) {
    i64 c = rhs->value;
    if (kind == AFFINE_ADD && c == 0) return lhs;
    if (kind == AFFINE_MUL && c == 1) return lhs;
    if (kind == AFFINE_MUL && c == 0) return rhs;
    if ((kind == AFFINE_FLOORDIV || kind == AFFINE_CEILDIV) && c == 1) return lhs;
    if (kind == AFFINE_MOD && c == 1) return affine_leaf(ctx, AFFINE_CONST, 0);
    /* (e + 1) + 2 and (e * 2) * 3 */
    if (commutes && lhs->kind == kind && is_constant(lhs->rhs) &&
        fold(kind, lhs->rhs->value, c, &folded))
      return affine_binary(ctx, kind, lhs->lhs, affine_leaf(ctx, AFFINE_CONST, folded));
  }
  /* (e + 1) + f: the constant stays rightmost */
  if (kind == AFFINE_ADD && lhs->kind == AFFINE_ADD && is_constant(lhs->rhs) && !is_constant(rhs))
    return affine_binary(ctx, AFFINE_ADD, affine_binary(ctx, AFFINE_ADD, lhs->lhs, rhs), lhs->rhs);
  AffineExpr *expr = NEW(ctx->arena, AffineExpr);
  *expr = (AffineExpr){.kind = (u8)kind, .lhs = lhs, .rhs = rhs};
  return expr;
}

/* Recursion depth is the nesting of the expression, which the parser bounds. */
bool affine_equal(const AffineExpr *a, const AffineExpr *b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->value != b->value || !a->lhs != !b->lhs) return false;
  return !a->lhs || (affine_equal(a->lhs, b->lhs) && affine_equal(a->rhs, b->rhs));
}

bool affine_map_is_identity(const AffineMap *map) {
  if (map->nresults != map->ndims) return false;
  for (u32 i = 0; i < map->nresults; i++)
    if (map->results[i]->kind != AFFINE_DIM || map->results[i]->value != (i64)i) return false;
  return true;
}

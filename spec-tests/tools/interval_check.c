/* interval_check.c -- interval arithmetic, compared with evaluating every number in the intervals.
 *
 *     interval-check                   N passed, 0 failed
 *
 * Every operation of which ir/interval.c has something to say, every two intervals of integers of 3
 * bits, every number in them: what ir/eval.c makes of it lies in the interval that interval_of
 * gives, poison's value too; where it traps there is nothing to hold. Casts are asked between all
 * widths of 1 to 4 bits. A check is an operation on two intervals. */
#include "base/base.h"
#include "ir/eval.h"
#include "ir/interval.h"

#include "lib.h"

enum { WIDTH = 3, MOST = 4 };

static u64 narrow; /* intervals that are not all of their type */

/* Both operands of `from` bits; select's are 1 and 2. */
static void ask(Context *ctx, OpKind kind, u32 from, u32 to, Interval a, Interval b) {
  const Type *i1 = type_int(ctx, 1, SIGNLESS), *of = type_int(ctx, from, SIGNLESS);
  bool selects = kind == OP_ARITH_SELECT, good = true;
  const Type *types[3] = {selects ? i1 : of, of, of};
  Interval in[3] = {selects ? interval_whole(1) : a, selects ? a : b, b};
  Interval type = interval_whole(to), all = interval_of(kind, in, from, type);
  EvalOp eval;
  if (!eval_prepare(ctx, kind, NULL, types, type_int(ctx, to, SIGNLESS), &eval)) return;
  for (i64 x = a.min; x <= a.max; x++)
    for (i64 y = b.min; y <= b.max; y++)
      for (u64 c = 0; c <= selects; c++) {
        u64 p = (u64)x & eval_mask(from), q = (u64)y & eval_mask(from), out[2];
        u64 values[3] = {selects ? c : p, selects ? p : q, q};
        EvalStatus status = eval_run(&eval, values, out);
        if (status != EVAL_OK && status != EVAL_POISON) continue;
        i64 is = eval_signed(out[0], to);
        good = good && is >= all.min && is <= all.max;
      }
  narrow += all.min != type.min || all.max != type.max;
  check(good, "%s of %lld..%lld and %lld..%lld: not all in %lld..%lld", op_info(kind)->name,
        (long long)a.min, (long long)a.max, (long long)b.min, (long long)b.max, (long long)all.min,
        (long long)all.max);
}

static void ask_all(Context *ctx, OpKind kind, u32 from, u32 to, bool two) {
  Interval of = interval_whole(from);
  for (i64 a = of.min; a <= of.max; a++)
    for (i64 b = a; b <= of.max; b++)
      for (i64 c = two ? of.min : 0; c <= (two ? of.max : 0); c++)
        for (i64 d = c; d <= (two ? of.max : 0); d++)
          ask(ctx, kind, from, to, (Interval){a, b}, (Interval){c, d});
}

static bool is_cast(Context *ctx, OpKind kind) {
  const Type *type = type_int(ctx, WIDTH, SIGNLESS), *types[3] = {type, type, type};
  EvalOp eval = {.noperands = 0};
  return eval_prepare(ctx, kind, NULL, types, type, &eval) && eval.noperands == 1;
}

/* Does the type rule of a cast allow it? */
static bool may_cast(OpKind kind, u32 from, u32 to) {
  switch ((OpTypes)op_info(kind)->types) {
  case TYPES_WIDEN_INT: return from < to;
  case TYPES_NARROW_INT: return from > to;
  default: return true;
  }
}

int main(void) {
  Context *ctx = context_new();
  for (u32 k = 0; k < OP_COUNT; k++) {
    OpKind kind = (OpKind)k;
    if (!interval_knows(kind)) continue;
    bool casts = is_cast(ctx, kind);
    if (!casts) ask_all(ctx, kind, WIDTH, WIDTH, true);
    for (u32 from = 1; casts && from <= MOST; from++)
      for (u32 to = 1; to <= MOST; to++)
        if (may_cast(kind, from, to)) ask_all(ctx, kind, from, to, false);
  }
  context_free(ctx);
  check(narrow > passed / 4, "hardly anything is narrower than its type");
  return checks_end();
}

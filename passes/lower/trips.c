/* trips.c -- trip counts of loops, and whether their variables wrap; the only place that decides
 * it.
 *
 *     scf.for %i = 0 to 10 step 3 : i8            4 iterations: 0, 3, 6, 9
 *     scf.for %i = 5 to 6 step 127 : i8           7: 5, -124, 3, -126, 1, -128, -1 (then 126)
 *     scf.for unsigned %i = 0 to 200 step 1 : i8  200
 *     scf.for %i = 0 to 127 step 2 : i8           endless: no even number of 8 bits is 127 or more
 *
 * The variable of a loop is stepped in its own type, wraps there, and is compared again, as in
 * MLIR's lowering to branches. Signed and unsigned loops are both computed with the offset
 * u = value - least value, 0 <= u < M = 2^width:
 *
 *     u(k) = (start + k * step) mod M       the loop ends at the first k with u(k) >= bound
 *
 * Where no wrap comes before that, k = ceil((bound - start) / step). Otherwise it is the least k
 * with L <= (k * step) mod M <= R for L = bound - start, R = M - 1 - start (both mod M; an interval
 * that does not wrap, as start < bound). It is found by a variant of Euclid's algorithm: if a
 * multiple of step lies in [L, R], the least one is the solution; else k * step = L..R + j * M for
 * the least j with (j * M mod step) in [-R, -L] mod step, the same problem with smaller numbers.
 * Factors are below 2^64, products have 128 bits. O(width) divisions.
 *
 * For dynamic bounds only the absence of wraps is decided: the last value that is stepped is at
 * most bound - 1, and one step further is still in the type's range. */
#include "lower/stages.h"

__extension__ typedef unsigned __int128 Natural;

/* The least k >= 0 with low <= (k * step) mod size <= high, where 0 < low <= high < size and
 * step < size; false where there is none. The recursion is Euclid's: a few dozen levels. */
static bool first_multiple(Natural step, Natural size, Natural low, Natural high, Natural *k) {
  Natural wraps;
  if (step == 0) return false;
  *k = (low + step - 1) / step;
  if (*k * step <= high) return true;
  /* no multiple lies between low and high, so taken modulo step they keep their order */
  if (!first_multiple(size % step, step, step - high % step, step - low % step, &wraps))
    return false;
  *k = (wraps * size + low + step - 1) / step;
  return true;
}

bool trip_count(const ConstantLoop *loop, u64 *trips) {
  Natural size = (Natural)1 << loop->width, top = loop->is_unsigned ? 0 : size >> 1, k = 0;
  Natural start = (loop->start + top) % size, bound = (loop->bound + top) % size;
  bool ends = start >= bound ||
              first_multiple(loop->step % size, size, bound - start, size - 1 - start, &k);
  *trips = (u64)k;
  return ends;
}

bool constant_loop(const Context *ctx, const Op *op, ConstantLoop *loop) {
  u64 numbers[3];
  for (u32 i = 0; i < 3; i++)
    if (!value_is_literal(ctx, op_operand(op, i), &numbers[i])) return false;
  *loop = (ConstantLoop){.width = type_bits(ctx, op_operand(op, 0)->type),
                         .is_unsigned = op_attr(op, "unsignedCmp") != NULL,
                         .start = numbers[0],
                         .bound = numbers[1],
                         .step = numbers[2]};
  return true;
}

bool known_trips(const Context *ctx, const Op *op, u64 *trips) {
  ConstantLoop loop;
  return constant_loop(ctx, op, &loop) && trip_count(&loop, trips);
}

/* The range of a value as the loop reads it, signed or unsigned. */
static WideRange read_range(const Context *ctx, const Value *v, bool is_unsigned, int depth) {
  Interval r = value_range_at(ctx, v, depth);
  if (!is_unsigned || r.min >= 0) return (WideRange){r.min, r.max};
  Wide size = (Wide)1 << type_bits(ctx, v->type);
  if (r.max < 0) return (WideRange){r.min + size, r.max + size};
  return (WideRange){0, size - 1};
}

LoopRanges loop_ranges(const Context *ctx, const Op *op, int depth) {
  bool is_unsigned = op_attr(op, "unsignedCmp") != NULL;
  u32 bits = type_bits(ctx, op_operand(op, 0)->type);
  LoopRanges r = {.start = read_range(ctx, op_operand(op, 0), is_unsigned, depth),
                  .bound = read_range(ctx, op_operand(op, 1), is_unsigned, depth),
                  .step = read_range(ctx, op_operand(op, 2), is_unsigned, depth)};
  Wide size = (Wide)1 << bits, least = is_unsigned ? 0 : -(size >> 1);
  Wide last = r.bound.max - 1, first = r.start.min, by = r.step.min;
  /* with known start and step the last value may be less than bound - 1 */
  if (first == r.start.max && by == r.step.max && by > 1 && last >= first)
    last = first + (last - first) / by * by;
  r.past = last + r.step.max;
  r.never_wraps = r.step.min >= 0 && r.past < least + size;
  return r;
}

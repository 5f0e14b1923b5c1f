/* trips_check.c -- how often a loop runs, as lowering works it out, against counting.
 *
 *     trips-check                      N passed, 0 failed
 *
 * Every loop over integers of 1 to 5 bits, every start, bound and step, signed and unsigned, and as
 * many again of wider types, drawn next to the edges, of which the ones that end within a few
 * thousand turns are counted. Counting is done with C's own numbers and shares nothing with
 * trips.c. */
#include "lib.h"
#include "lower/stages.h"

enum { MAX_TURNS = 4000, DRAWN = 60000, WHOLE_WIDTH = 5 };

static u64 below_top(u64 bits, u32 width) {
  return width == 64 ? bits : bits & (((u64)1 << width) - 1);
}

/* Turns; MAX_TURNS where there are as many or more. */
static u64 counted(const ConstantLoop *l) {
  u64 top = (u64)1 << (l->width - 1), n = 0;
  u64 bound = l->is_unsigned ? l->bound : l->bound ^ top;
  for (u64 v = l->start; n < MAX_TURNS; v = below_top(v + l->step, l->width), n++)
    if ((l->is_unsigned ? v : v ^ top) >= bound) break;
  return n;
}

static void check_loop(const ConstantLoop *l) {
  u64 trips, turns = counted(l);
  bool ends = trip_count(l, &trips);
  /* of 5 bits or fewer, a loop that takes more turns than there are numbers never ends */
  bool good = turns < MAX_TURNS         ? ends && trips == turns
              : l->width <= WHOLE_WIDTH ? !ends
                                        : !ends || trips >= MAX_TURNS;
  check(good, "i%u %s: %llu to %llu step %llu: %llu turns, but trip_count says %s%llu", l->width,
        l->is_unsigned ? "unsigned" : "signed", (unsigned long long)l->start,
        (unsigned long long)l->bound, (unsigned long long)l->step, (unsigned long long)turns,
        ends ? "" : "endless, ", (unsigned long long)trips);
}

static void all_of_width(u32 width) {
  u64 n = (u64)1 << width;
  for (u64 i = 0; i < 2 * n * n * n; i++) {
    ConstantLoop loop = {width, i & 1, i / 2 % n, i / 2 / n % n, i / 2 / n / n};
    check_loop(&loop);
  }
}

/* Next to 0, the middle, a power of two, or anywhere. */
static u64 edge(Random *random, u32 width) {
  u64 r = random_next(random), near = (r >> 8 & 15) - 8;
  switch (r & 3) {
  case 0: return below_top(near, width);
  case 1: return below_top(((u64)1 << (width - 1)) + near, width);
  case 2: return below_top(((u64)1 << (r >> 16) % width) + near, width);
  default: return below_top(random_next(random) >> (r >> 16 & 63), width);
  }
}

int main(void) {
  Random random = {1};
  for (u32 width = 1; width <= WHOLE_WIDTH; width++) all_of_width(width);
  for (u32 i = 0; i < DRAWN; i++) {
    u32 width = 1 + (u32)(random_next(&random) % 64);
    u64 start = edge(&random, width), bound = edge(&random, width), step = edge(&random, width);
    check_loop(&(ConstantLoop){width, i & 1, start, bound, step});
  }
  return checks_end();
}

/* bursts.c -- a loop's tokens from those of its body.
 *
 *     rows 1 2 3 4 5 6, ends 2 2 5, at a b c     1 2 a  b  3 4 5 c  6      whole
 *     the last burst is not over                 a a  -  c c c  d          spread, with at[3] = d
 *                                                a b  -  c d e  d          count, by 1
 *                                                1 1 0  0  1 1 1 0  1      more
 *                                                  1 0       1 1 0         again
 *
 * Bursts may be long or have a row or two; of the latter there are as many as of tokens. So runs
 * are written in chunks without regard to where they end: what is too much is written over by the
 * next run, or lies in the room that every array has at its end. Where no run is longer than a
 * chunk, there is no loop in the loop.
 */
#include "base/wide.h"
#include "host/columns.h"

#if defined(__GNUC__) && !defined(__clang__) /* or chunks become calls of memset and memcpy */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum { CHUNK = 32 }; /* bytes */

/* The longest and the shortest burst, and how many are empty, of those with both ends here. */
typedef struct {
  u32 longest, shortest, empty;
} Between;

#define MEASURE(kind, ATTRIBUTE)                                                                   \
  ATTRIBUTE static Between measure_##kind(const u32 *ends, u32 ended) {                            \
    u32 longest = 0, shortest = UINT32_MAX, empty = 0;                                             \
    for (u32 i = 1; i < ended; i++) {                                                              \
      const u32 n = ends[i] - ends[i - 1];                                                         \
      longest = n > longest ? n : longest;                                                         \
      shortest = n < shortest ? n : shortest;                                                      \
      empty += n == 0;                                                                             \
    }                                                                                              \
    return (Between){longest, shortest, empty};                                                    \
  }
MEASURE(wide, WIDE)
MEASURE(narrow, )

void bursts_measure(Bursts *b) {
  const Between between = (is_wide_machine() ? measure_wide : measure_narrow)(b->ends, b->ended);
  const u32 rest = b->rows - (b->ended ? b->ends[b->ended - 1] : 0);
  const u32 head = b->ended ? b->ends[0] : 0;
  const bool is_first = rest && !(b->goes_on && b->ended == 0); /* the rest has its burst's first */
  b->longest = between.longest > 1 ? between.longest : 1;
  if (b->longest < rest) b->longest = rest;
  if (b->longest < head) b->longest = head;
  b->each = between.longest == between.shortest && rest <= between.longest ? between.longest : 0;
  b->left = b->ended ? (head || b->goes_on) + b->ended - 1 - between.empty : 0;
  b->again = b->rows + (b->goes_on && b->ended) - is_first;
}

/* What of `to` is there, again and again until it has `size` bytes. */
static void repeat(void *to, size_t there, size_t size) {
  while (there < size) {
    const size_t n = there < size - there ? there : size - there;
    memcpy((u8 *)to + there, to, n);
    there += n;
  }
}

/* Where bursts are alike but for the first one, so many of them are written one by one and the rest
 * copied: enough of them that copies are long; 0 where all are to be written. */
static u32 alike_bursts(const Bursts *b, u32 extra, size_t bytes) {
  enum { ENOUGH = 256 };
  const u32 n = (u32)(ENOUGH / (bytes * (b->each + extra)) + 1);
  return 1 + n < b->ended ? n : 0;
}

/* Functions for elements of one size. `extra`: copies beside those of the rows. Chunks are vectors,
 * since memcpy would not use registers of this size. */
#define BURSTS_OF(Element, kind, ATTRIBUTE)                                                        \
  typedef Element Element##_##kind __attribute__((vector_size(CHUNK), aligned(1), may_alias));     \
  ATTRIBUTE static inline void copy_##Element##_##kind(Element *to, const Element *from) {         \
    *(Element##_##kind *)(void *)to = *(const Element##_##kind *)(const void *)from;               \
  }                                                                                                \
  ATTRIBUTE static void whole_##Element##_##kind(Element *to, const Element *rows,                 \
                                                 const Element *at, const Bursts *b) {             \
    const size_t chunk = CHUNK / sizeof(Element);                                                  \
    const bool is_short = b->longest <= chunk;                                                     \
    const u32 *const ends = b->ends, ended = b->ended;                                             \
    u32 before = 0;                                                                                \
    for (u32 i = 0; i < ended; i++) {                                                              \
      const u32 end = ends[i], n = end - before;                                                   \
      copy_##Element##_##kind(to, rows + before);                                                  \
      for (size_t k = chunk; !is_short && k < n; k += chunk)                                       \
        copy_##Element##_##kind(to + k, rows + before + k);                                        \
      to[n] = at[i];                                                                               \
      to += n + 1;                                                                                 \
      before = end;                                                                                \
    }                                                                                              \
    for (size_t k = 0; k < b->rows - before; k += chunk)                                           \
      copy_##Element##_##kind(to + k, rows + before + k);                                          \
  }                                                                                                \
  ATTRIBUTE static void spread_##Element##_##kind(Element *to, const Element *at, u32 extra,       \
                                                  const Bursts *b) {                               \
    const size_t chunk = CHUNK / sizeof(Element);                                                  \
    const bool is_short = b->longest + extra <= chunk;                                             \
    const u32 *const ends = b->ends, ended = b->ended;                                             \
    const Element##_##kind zeros = {0};                                                            \
    u32 before = 0;                                                                                \
    for (u32 i = 0; i < ended; i++) {                                                              \
      const Element##_##kind copies = zeros + at[i];                                               \
      const u32 n = ends[i] - before + extra;                                                      \
      *(Element##_##kind *)(void *)to = copies;                                                    \
      for (size_t k = chunk; !is_short && k < n; k += chunk)                                       \
        *(Element##_##kind *)(void *)(to + k) = copies;                                            \
      to += n;                                                                                     \
      before = ends[i];                                                                            \
    }                                                                                              \
    for (size_t k = 0; k < b->rows - before; k += chunk)                                           \
      *(Element##_##kind *)(void *)(to + k) = zeros + at[ended];                                   \
  }                                                                                                \
  ATTRIBUTE static void count_##Element##_##kind(Element *to, const Element *at, Element first,    \
                                                 Element start, Element step, u32 extra,           \
                                                 const Bursts *b) {                                \
    const u32 chunk = CHUNK / sizeof(Element), *const ends = b->ends, ended = b->ended;            \
    const Element advance = (Element)(chunk * step);                                               \
    const u32 alike = !at && b->each ? alike_bursts(b, extra, sizeof(Element)) : 0;                \
    const u32 written = alike ? 1 + alike : ended;                                                 \
    Element##_##kind ramp = {0};                                                                   \
    u32 before = 0;                                                                                \
    for (u32 k = 0; k < chunk; k++) ramp[k] = (Element)(k * step);                                 \
    for (u32 i = 0; i < written; i++) {                                                            \
      const u32 n = ends[i] - before + extra;                                                      \
      Element##_##kind values = ramp + (Element)(at ? at[i] : i ? start : first);                  \
      for (u32 k = 0; k < n; k += chunk) {                                                         \
        *(Element##_##kind *)(void *)(to + k) = values;                                            \
        values += advance;                                                                         \
      }                                                                                            \
      to += n;                                                                                     \
      before = ends[i];                                                                            \
    }                                                                                              \
    if (alike) {                                                                                   \
      const size_t there = (b->each + extra) * (size_t)alike;                                      \
      const size_t more = b->rows - before + extra * (ended - written);                            \
      repeat(to - there, there * sizeof(Element), (there + more) * sizeof(Element));               \
      return;                                                                                      \
    }                                                                                              \
    if (b->rows == before) return;                                                                 \
    Element##_##kind values = ramp + (Element)(at ? at[ended] : ended ? start : first);            \
    for (u32 k = 0; k < b->rows - before; k += chunk) {                                            \
      *(Element##_##kind *)(void *)(to + k) = values;                                              \
      values += advance;                                                                           \
    }                                                                                              \
  }
#define BURSTS(Element)                                                                            \
  BURSTS_OF(Element, wide, WIDE)                                                                   \
  BURSTS_OF(Element, narrow, )
BURSTS(u8)
BURSTS(u16)
BURSTS(u32)
BURSTS(u64)

/* The function for this machine and elements of a size. */
#define CHOOSE(name, bytes, ...)                                                                   \
  do {                                                                                             \
    const bool is_wide = is_wide_machine();                                                        \
    switch (bytes) {                                                                               \
    case 1: (is_wide ? name##_u8_wide : name##_u8_narrow)(__VA_ARGS__); break;                     \
    case 2: (is_wide ? name##_u16_wide : name##_u16_narrow)(__VA_ARGS__); break;                   \
    case 4: (is_wide ? name##_u32_wide : name##_u32_narrow)(__VA_ARGS__); break;                   \
    default: (is_wide ? name##_u64_wide : name##_u64_narrow)(__VA_ARGS__); break;                  \
    }                                                                                              \
  } while (0)

void bursts_whole(void *to, const void *rows, const void *at, unsigned bytes, const Bursts *b) {
  CHOOSE(whole, bytes, to, rows, at, b);
}

void bursts_spread(void *to, const void *at, unsigned extra, unsigned bytes, const Bursts *b) {
  CHOOSE(spread, bytes, to, at, extra, b);
}

void bursts_count(void *to, const void *at, u64 first, u64 start, u64 step, unsigned extra,
                  unsigned bytes, const Bursts *b) {
  CHOOSE(count, bytes, to, at, first, start, step, extra, b);
}

void bursts_more(u8 *to, const Bursts *b) {
  const u32 alike = b->each ? alike_bursts(b, 1, 1) : 0, written = alike ? 1 + alike : b->ended;
  const u32 size = b->rows + b->ended, known = alike ? b->ends[alike] + written : size;
  memset(to, 1, known);
  for (u32 i = 0; i < written; i++) to[b->ends[i] + i] = 0;
  if (alike) {
    const u32 there = (b->each + 1) * alike;
    repeat(to + known - there, there, there + size - known);
  }
}

void bursts_again(u8 *to, const Bursts *b) {
  const u32 alike = b->each ? alike_bursts(b, 0, 1) : 0, written = alike ? 1 + alike : b->ended;
  const u32 size = b->again;
  u32 count = b->goes_on && b->ended, before = 0;
  memset(to, 1, alike ? count + b->ends[alike] : size);
  for (u32 i = 0; i < written; i++) {
    u32 n = b->ends[i] - before;
    before = b->ends[i];
    count += n;
    if (n || (i == 0 && b->goes_on)) to[count - 1] = 0;
  }
  if (alike) {
    const u32 there = b->each * alike;
    repeat(to + count - there, there, there + size - count);
  }
}

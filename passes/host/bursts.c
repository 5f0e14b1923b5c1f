/* bursts.c -- loom_kernel_run.bursts: a loop's tokens from those of its body.
 *
 *     rows 1 2 3 4 5 6, ends 2 2 5, at a b c     1 2 a  b  3 4 5 c  6      WHOLE
 *     the last burst is not over                 a a  -  c c c  d          SPREAD, with at[3] = d
 *                                                1 1 0  0  1 1 1 0  1      MORE
 *                                                  1 0       1 1 0         AGAIN
 *
 * Bursts may be long or have a row or two; of the latter there are as many as of tokens. So runs
 * are written in chunks without regard to where they end: what is too much is written over by the
 * next run, or lies in the room that every array has at its end. Where no run is longer than a
 * chunk, there is no loop in the loop.
 */
#include "base/wide.h"
#include "host/native.h"

#if defined(__GNUC__) && !defined(__clang__) /* or chunks become calls of memset and memcpy */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum { CHUNK = 32 }; /* bytes */

/* Rows of the longest run, but at least 1: 0 is "not known". */
static u32 longest_run(const loom_kernel_bursts *b) {
  u32 longest = 0, before = 0;
  for (u32 i = 0; i <= b->ended; i++) {
    u32 end = i < b->ended ? b->ends[i] : b->rows;
    if (end - before > longest) longest = end - before;
    before = end;
  }
  return longest ? longest : 1;
}

/* Functions for elements of one size. `extra`: copies beside those of the rows. */
#define BURSTS_OF(Element, kind, ATTRIBUTE)                                                        \
  ATTRIBUTE static inline void copies_##Element##_##kind(Element *to, Element value) {             \
    for (size_t k = 0; k < CHUNK / sizeof(Element); k++) to[k] = value;                            \
  }                                                                                                \
  ATTRIBUTE static void whole_##Element##_##kind(Element *to, const Element *rows,                 \
                                                 const Element *at, const loom_kernel_bursts *b) { \
    const size_t chunk = CHUNK / sizeof(Element);                                                  \
    const bool is_short = b->longest <= chunk;                                                     \
    const u32 *const ends = b->ends, ended = b->ended;                                             \
    u32 before = 0;                                                                                \
    for (u32 i = 0; i < ended; i++) {                                                              \
      const u32 end = ends[i], n = end - before;                                                   \
      memcpy(to, rows + before, CHUNK);                                                            \
      for (size_t k = chunk; !is_short && k < n; k += chunk)                                       \
        memcpy(to + k, rows + before + k, CHUNK);                                                  \
      to[n] = at[i];                                                                               \
      to += n + 1;                                                                                 \
      before = end;                                                                                \
    }                                                                                              \
    for (size_t k = 0; k < b->rows - before; k += chunk) memcpy(to + k, rows + before + k, CHUNK); \
  }                                                                                                \
  ATTRIBUTE static void spread_##Element##_##kind(Element *to, const Element *at, u32 extra,       \
                                                  const loom_kernel_bursts *b) {                   \
    const size_t chunk = CHUNK / sizeof(Element);                                                  \
    const bool is_short = b->longest + extra <= chunk;                                             \
    const u32 *const ends = b->ends, ended = b->ended;                                             \
    u32 before = 0;                                                                                \
    for (u32 i = 0; i < ended; i++) {                                                              \
      const Element value = at[i];                                                                 \
      const u32 n = ends[i] - before + extra;                                                      \
      copies_##Element##_##kind(to, value);                                                        \
      for (size_t k = chunk; !is_short && k < n; k += chunk)                                       \
        copies_##Element##_##kind(to + k, value);                                                  \
      to += n;                                                                                     \
      before = ends[i];                                                                            \
    }                                                                                              \
    for (size_t k = 0; k < b->rows - before; k += chunk)                                           \
      copies_##Element##_##kind(to + k, at[ended]);                                                \
  }                                                                                                \
  static void write_##Element##_##kind(uint32_t array, Element *to, const Element *rows,           \
                                       const Element *at, const loom_kernel_bursts *b) {           \
    if (array == LOOM_BURST_WHOLE)                                                                 \
      whole_##Element##_##kind(to, rows, at, b);                                                   \
    else                                                                                           \
      spread_##Element##_##kind(to, at, array == LOOM_BURST_SPREAD_WHOLE, b);                      \
  }
#define BURSTS(Element)                                                                            \
  BURSTS_OF(Element, wide, WIDE)                                                                   \
  BURSTS_OF(Element, narrow, )                                                                     \
  static void write_##Element(uint32_t array, Element *to, const Element *rows, const Element *at, \
                              const loom_kernel_bursts *b) {                                       \
    (is_wide_machine() ? write_##Element##_wide : write_##Element##_narrow)(array, to, rows, at,   \
                                                                            b);                    \
  }
BURSTS(u8)
BURSTS(u16)
BURSTS(u32)
BURSTS(u64)

/* A one for each row and a zero for each end. */
static void write_conditions(u8 *to, const loom_kernel_bursts *b) {
  memset(to, 1, b->rows + b->ended);
  for (u32 i = 0; i < b->ended; i++) to[b->ends[i] + i] = 0;
}

/* The same without the first token of each burst; how many those are. `to` may be NULL. */
static u32 write_later_conditions(u8 *to, const loom_kernel_bursts *b) {
  bool only_more = b->goes_on && b->ended == 0;
  u32 count = b->goes_on && b->ended, before = 0;
  if (to) memset(to, 1, b->rows + b->ended);
  for (u32 i = 0; i < b->ended; i++) {
    u32 n = b->ends[i] - before;
    before = b->ends[i];
    count += n;
    if (to && (n || (i == 0 && b->goes_on))) to[count - 1] = 0;
  }
  u32 rest = b->rows - before;
  return count + rest - (rest && !only_more);
}

static u32 count_last(const loom_kernel_bursts *b) {
  u32 count = 0, before = 0;
  for (u32 i = 0; i < b->ended; i++) {
    count += b->ends[i] != before || (i == 0 && b->goes_on);
    before = b->ends[i];
  }
  return count;
}

/* In place: every NaN is the one that an operation gives (spec-tests/14-arith.md). */
static void make_canonical(void *data, size_t n, u64 bytes) {
  if (bytes == 4) {
    u32 *bits = data;
    for (size_t i = 0; i < n; i++)
      bits[i] = (bits[i] & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits[i];
  } else {
    u64 *bits = data;
    for (size_t i = 0; i < n; i++)
      bits[i] = (bits[i] << 1) > (u64)0x7ff << 53 ? (u64)0x7ff8 << 48 : bits[i];
  }
}

uint32_t native_bursts(uint32_t array, void *to, const void *rows, const void *at, uint64_t bytes,
                       loom_kernel_bursts *b) {
  if (b->longest == 0) b->longest = longest_run(b);
  switch ((enum loom_kernel_burst_array)array) {
  case LOOM_BURST_MORE: write_conditions(to, b); return b->rows + b->ended;
  case LOOM_BURST_AGAIN: return write_later_conditions(to, b);
  case LOOM_BURST_LAST: return count_last(b);
  case LOOM_BURST_CANONICAL: make_canonical(to, b->rows, bytes); return b->rows;
  default: break;
  }
  switch (bytes) {
  case 1: write_u8(array, to, rows, at, b); break;
  case 2: write_u16(array, to, rows, at, b); break;
  case 4: write_u32(array, to, rows, at, b); break;
  default: write_u64(array, to, rows, at, b); break;
  }
  return b->rows + (array == LOOM_BURST_SPREAD ? 0 : b->ended);
}

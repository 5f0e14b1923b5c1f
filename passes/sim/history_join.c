/* history_join.c -- many executions of one access: addresses and values from two arrays.
 *
 *     addresses a0 a1 a2 ..., values v0 v1 v2 ...         a0 v0 a1 v1 a2 v2 ...
 *
 * The history of an access has its address and its value in turn, but generated code keeps each in
 * an array of its own. Most addresses have 4 bytes; then a few entries at a time are put together
 * by shuffles (AVX2): each register that comes out has some bytes of some addresses and some of
 * some values, always the same ones. That takes half as long as hashing them, and joined one by one
 * five times as long. What is left over, and other sizes, are.
 *
 * Entries are put together a few kilobytes at a time, and hashed from there while the next ones are
 * put together: a processor does both at once.
 */
#include "base/wide.h"
#include "sim/history.h"

enum { BLOCK = 8192, SLACK = 16 };

/* Entries one by one; inlined, so that the copies are of constant size. */
static inline u8 *join_each(u8 *to, const u8 *addresses, unsigned na, const u8 *values, unsigned nv,
                            size_t n) {
  for (size_t i = 0; i < n; i++, to += na + nv) {
    memcpy(to, addresses + i * na, na);
    memcpy(to + na, values + i * nv, nv);
  }
  return to;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define LOAD(p)         _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE(p, x)     _mm_storeu_si128((__m128i *)(void *)(p), x)
#define BYTES(...)      _mm_setr_epi8(__VA_ARGS__)
#define MIX(a, b, x, y) _mm_or_si128(_mm_shuffle_epi8(a, x), _mm_shuffle_epi8(b, y))
#define X               (-128) /* from the other register, or the entry after these */

WIDE static u8 *join_bytes(u8 *to, const u8 *addresses, const u8 *values, size_t n) {
  const __m128i a0 = BYTES(0, 1, 2, 3, X, 4, 5, 6, 7, X, 8, 9, 10, 11, X, 12);
  const __m128i v0 = BYTES(X, X, X, X, 0, X, X, X, X, 1, X, X, X, X, 2, X);
  const __m128i a1 = BYTES(13, 14, 15, X, X, X, X, X, X, X, X, X, X, X, X, X);
  const __m128i v1 = BYTES(X, X, X, 3, X, X, X, X, X, X, X, X, X, X, X, X);
  for (; n >= 4; n -= 4, addresses += 16, values += 4, to += 20) {
    int four;
    memcpy(&four, values, 4);
    const __m128i a = LOAD(addresses), v = _mm_cvtsi32_si128(four);
    STORE(to, MIX(a, v, a0, v0));
    STORE(to + 16, MIX(a, v, a1, v1));
  }
  return join_each(to, addresses, 4, values, 1, n);
}

WIDE static u8 *join_halves(u8 *to, const u8 *addresses, const u8 *values, size_t n) {
  const __m128i a0 = BYTES(0, 1, 2, 3, X, X, 4, 5, 6, 7, X, X, 8, 9, 10, 11);
  const __m128i v0 = BYTES(X, X, X, X, 0, 1, X, X, X, X, 2, 3, X, X, X, X);
  const __m128i a1 = BYTES(X, X, 12, 13, 14, 15, X, X, X, X, X, X, X, X, X, X);
  const __m128i v1 = BYTES(4, 5, X, X, X, X, 6, 7, X, X, X, X, X, X, X, X);
  for (; n >= 4; n -= 4, addresses += 16, values += 8, to += 24) {
    const __m128i a = LOAD(addresses);
    const __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)values);
    STORE(to, MIX(a, v, a0, v0));
    STORE(to + 16, MIX(a, v, a1, v1));
  }
  return join_each(to, addresses, 4, values, 2, n);
}

WIDE static u8 *join_words(u8 *to, const u8 *addresses, const u8 *values, size_t n) {
  for (; n >= 8; n -= 8, addresses += 32, values += 32, to += 64) {
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)addresses);
    const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)values);
    const __m256i low = _mm256_unpacklo_epi32(a, v), high = _mm256_unpackhi_epi32(a, v);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(to + 32), _mm256_permute2x128_si256(low, high, 0x31));
  }
  return join_each(to, addresses, 4, values, 4, n);
}

WIDE static u8 *join_longs(u8 *to, const u8 *addresses, const u8 *values, size_t n) {
  const __m128i a0 = BYTES(0, 1, 2, 3, X, X, X, X, X, X, X, X, 4, 5, 6, 7);
  const __m128i v0 = BYTES(X, X, X, X, 0, 1, 2, 3, 4, 5, 6, 7, X, X, X, X);
  const __m128i a1 = BYTES(X, X, X, X, X, X, X, X, 8, 9, 10, 11, X, X, X, X);
  const __m128i v1 = BYTES(8, 9, 10, 11, 12, 13, 14, 15, X, X, X, X, X, X, X, X);
  const __m128i v2 = BYTES(X, X, X, X, X, X, X, X, X, X, X, X, 0, 1, 2, 3);
  const __m128i a3 = BYTES(X, X, X, X, 12, 13, 14, 15, X, X, X, X, X, X, X, X);
  const __m128i v3 = BYTES(4, 5, 6, 7, X, X, X, X, 8, 9, 10, 11, 12, 13, 14, 15);
  for (; n >= 4; n -= 4, addresses += 16, values += 32, to += 48) {
    const __m128i a = LOAD(addresses), low = LOAD(values), high = LOAD(values + 16);
    STORE(to, MIX(a, low, a0, v0));
    STORE(to + 16, _mm_or_si128(MIX(a, low, a1, v1), _mm_shuffle_epi8(high, v2)));
    STORE(to + 32, MIX(a, high, a3, v3));
  }
  return join_each(to, addresses, 4, values, 8, n);
}

static u8 *join_wide(u8 *to, const u8 *addresses, const u8 *values, unsigned nv, size_t n) {
  switch (nv) {
  case 1: return join_bytes(to, addresses, values, n);
  case 2: return join_halves(to, addresses, values, n);
  case 4: return join_words(to, addresses, values, n);
  default: return join_longs(to, addresses, values, n);
  }
}
#else
static u8 *join_wide(u8 *to, const u8 *addresses, const u8 *values, unsigned nv, size_t n) {
  return join_each(to, addresses, 4, values, nv, n);
}
#endif

static u8 *join(u8 *to, const void *addresses, unsigned address_bytes, const void *values,
                unsigned value_bytes, size_t n) {
  const unsigned nv = value_bytes;
  if (address_bytes == 4 && (nv == 1 || nv == 2 || nv == 4 || nv == 8) && is_wide_machine())
    return join_wide(to, addresses, values, nv, n);
  return join_each(to, addresses, address_bytes, values, nv, n);
}

void history_accesses(History *h, const void *addresses, unsigned address_bytes, const void *values,
                      unsigned value_bytes, size_t n) {
  u8 block[BLOCK + SLACK];
  const u8 *a = addresses, *v = values;
  const unsigned na = address_bytes, nv = value_bytes;
  const size_t most = BLOCK / (na + nv);
  h->count += n;
  while (n) {
    size_t m = n < most ? n : most;
    u8 *end = join(block, a, na, v, nv, m);
    a += m * na, v += m * nv, n -= m;
    history_raw(h, block, (size_t)(end - block));
  }
}

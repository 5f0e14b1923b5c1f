/* history_wide.c -- XXH3 for long histories, by the wide registers of x86-64 processors.
 *
 * XXH3 is defined without regard to how many lanes a machine adds up at once: the same hash comes
 * out of 16-byte registers, which every x86-64 has and history.c is compiled for, and of 32-byte
 * ones (AVX2), which nearly all have and which are twice as fast. So the updating function is
 * compiled a second time, here, and history.c asks the processor once which one to call. The state
 * is the same. Elsewhere this file is empty but for the answer "no".
 */
#include "sim/history.h"

#if defined(__x86_64__) && defined(__GNUC__)

#if defined(__clang__)
#include <immintrin.h> /* outside of what the attribute is put on */
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define XXH_VECTOR 2 /* XXH_AVX2, which the header names later */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/history_xxh.h"

/* What runs next may be code for 16-byte registers, which is slow while the upper halves of the
 * wide ones are in use. gcc frees them at the end of a function, but not of every one. */
static void update_wide(void *state, const void *data, size_t len) {
  XXH3_128bits_update(state, data, len);
  _mm256_zeroupper();
}

static Hash128 hash_wide(const void *data, size_t len) {
  XXH128_hash_t hash = XXH3_128bits(data, len);
  _mm256_zeroupper();
  return (Hash128){hash.high64, hash.low64};
}

static Hash128 hash_repeated_wide(const void *stripe, size_t len) {
  Hash128 hash = history_hash_repeated(stripe, len);
  _mm256_zeroupper();
  return hash;
}

static Hash128 hash_joined_wide(const void *addresses, unsigned address_bytes, const void *values,
                                unsigned value_bytes, size_t n) {
  Hash128 hash =
      history_hash_joined(&(HistoryParts){addresses, values, address_bytes, value_bytes}, n);
  _mm256_zeroupper();
  return hash;
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const HistoryFunctions *history_wide(void) {
  static const HistoryFunctions functions = {update_wide, hash_wide, hash_repeated_wide,
                                             hash_joined_wide};
  return __builtin_cpu_supports("avx2") ? &functions : NULL;
}

#else

const HistoryFunctions *history_wide(void) {
  return NULL;
}

#endif

/* history_widest.c -- XXH3 for long histories, by registers of 64 bytes.
 *
 * As history_wide.c, for processors with AVX-512: half the instructions, and room in registers for
 * what the stripes of a block are combined with, which makes it a third faster.
 */
#include "sim/history.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h> /* outside of what the attribute is put on */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define XXH_VECTOR 3 /* XXH_AVX512, which the header names later */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/history_xxh.h"

static void absorb(History *h, const void *data, size_t len) {
  history_absorb(h, data, len, false);
  _mm256_zeroupper();
}

static void absorb_repeated(History *h, const void *data, size_t len) {
  history_absorb(h, data, len, true);
  _mm256_zeroupper();
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const HistoryFunctions *history_widest(void) {
  static const HistoryFunctions functions = {absorb, absorb_repeated};
  return __builtin_cpu_supports("avx512f") ? &functions : NULL;
}

#else

const HistoryFunctions *history_widest(void) {
  return NULL;
}

#endif

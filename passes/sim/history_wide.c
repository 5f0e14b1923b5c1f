/* history_wide.c -- XXH3 for long histories, by the wide registers of x86-64 processors.
 *
 * XXH3 is defined without regard to how many lanes a machine adds up at once: the same hash comes
 * out of 16-byte registers, which every x86-64 has and history.c is compiled for, of 32-byte ones
 * (AVX2), which nearly all have, and of 64-byte ones (AVX-512; history_widest.c). So history_xxh.h
 * is compiled once more, here, and history.c asks the processor once which code to call. Elsewhere
 * this file is empty but for the answer "no".
 */
#include "sim/history.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h> /* outside of what the attribute is put on */
#if defined(__clang__)
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

const HistoryFunctions *history_wide(void) {
  static const HistoryFunctions functions = {absorb, absorb_repeated};
  return __builtin_cpu_supports("avx2") ? &functions : NULL;
}

#else

const HistoryFunctions *history_wide(void) {
  return NULL;
}

#endif

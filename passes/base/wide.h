/* wide.h -- functions for the wide registers of this machine.
 *
 * LOOM is compiled for any machine of its kind. Loops that do one thing to long arrays gain a
 * factor from registers of 32 bytes (AVX2), which nearly every x86-64 has: a function marked WIDE
 * is compiled for those, its loops as wide as they go, and may be called where is_wide_machine()
 * says so. Elsewhere WIDE is nothing, and it may always be called.
 */
#ifndef LOOM_WIDE_H
#define LOOM_WIDE_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__clang__)
#define WIDE __attribute__((target("avx2")))
#elif defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx2"), optimize("tree-vectorize")))
#else
#define WIDE
#endif

static inline bool is_wide_machine(void) {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}

#endif

/* token_bytes.h -- the bytes of tokens, for checks that must not lean on LOOM's own code.
 *
 * Values come as texts or numbers of JSON, go into little-endian bytes as golden traces hash them
 * (chapter 56), and are hashed with xxHash.
 */
#ifndef TOKEN_BYTES_H
#define TOKEN_BYTES_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fatal(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

typedef struct {
  unsigned char *at;
  size_t len, cap, count;
} Bytes;

static inline void put(Bytes *b, uint64_t value, unsigned n) {
  if (b->len + n > b->cap) {
    b->cap = 2 * b->cap + 64;
    b->at = realloc(b->at, b->cap);
    if (!b->at) fatal("no memory");
  }
  for (unsigned i = 0; i < n; i++) b->at[b->len++] = (unsigned char)(value >> (8 * i));
}

static inline unsigned bytes_of(const char *type) {
  if (strcmp(type, "index") == 0) return 4; /* golden traces are made with 32 bits */
  if (strcmp(type, "bf16") == 0) return 2;
  return ((unsigned)atoi(type + 1) + 7) / 8;
}

static inline double small_float_value(uint32_t bits, bool half) {
  unsigned exponent = half ? bits >> 10 & 31 : bits >> 7 & 255;
  unsigned fraction = half ? bits & 1023 : bits & 127, steps = half ? 1024 : 128;
  int bias = half ? 15 : 127, top = half ? 31 : 255;
  double magnitude = (int)exponent == top ? (fraction ? (double)NAN : (double)INFINITY)
                     : exponent == 0      ? ldexp((double)fraction / steps, 1 - bias)
                                     : ldexp(1 + (double)fraction / steps, (int)exponent - bias);
  return bits >> 15 ? -magnitude : magnitude;
}

/* The bits of an IEEE half or a bfloat16: the pattern whose value is nearest to a decimal that was
 * printed from it. */
static inline uint64_t small_float_bits(double value, bool half) {
  static double values[2][0x10000];
  if (values[half][1] == 0)
    for (uint32_t bits = 0; bits < 0x10000; bits++)
      values[half][bits] = small_float_value(bits, half);
  if (isnan(value)) return half ? 0x7e00 : 0x7fc0;
  if (isinf(value)) return (half ? 0x7c00u : 0x7f80u) | (value < 0) << 15;
  uint32_t first = signbit(value) ? 0x8000 : 0, best = first;
  for (uint32_t bits = first; bits < first + 0x8000; bits++)
    if (fabs(values[half][bits] - value) < fabs(values[half][best] - value)) best = bits;
  return best;
}

/* The bits of a float of a type. */
static inline uint64_t float_bits(double x, const char *type) {
  if (strcmp(type, "f32") == 0) {
    float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return isnan(x) ? 0x7fc00000 : bits;
  }
  if (strcmp(type, "f64") == 0) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7ff8000000000000 : bits;
  }
  return small_float_bits(x, type[0] == 'f');
}

static inline bool is_float_type(const char *type) {
  return type[0] == 'f' || type[0] == 'b';
}

/* "COUNT xxh3:HASH", as a golden trace has it behind name and type. */
static inline void count_and_hash(const Bytes *bytes, char out[80]) {
  XXH128_hash_t hash = XXH3_128bits(bytes->at ? (const char *)bytes->at : "", bytes->len);
  snprintf(out, 80, "%zu xxh3:%016llx%016llx", bytes->count, (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}

/* A word, up to one of `stops`. */
static inline void copy_until(char out[200], const char *at, const char *stops) {
  size_t len = strcspn(at, stops);
  if (len > 199) len = 199;
  memcpy(out, at, len);
  out[len] = '\0';
}

#endif

/* history_xxh.h -- private to history*.c: XXH3 of a history, a stretch of bytes at a time.
 *
 * XXH3 cuts long inputs into stripes of 64 bytes and blocks of 16 stripes. A stripe is eight words;
 * each is added to a sum, not its own but its neighbour's, and to its own goes the product of its
 * halves, after an exclusive or with bytes of the secret that depend on where in the block the
 * stripe stands. At the end of each block but the last the sums are scrambled. The last 64 bytes
 * are added once more at the very end, so the last stripe is only counted in when more bytes come.
 *
 *     history->buffer    sums | 64 bytes before those | bytes not yet in the sums, 1 to 128
 *
 * What a block adds does not depend on the sums. So the words of its stripes are added up first,
 * and change places with their neighbours once a block; and of an input that is the same stripe
 * again and again all blocks add the same, which is found once: a kilobyte then takes no longer
 * than a stripe.
 *
 * Whoever includes this defines XXH_VECTOR (XXH_AVX512, XXH_AVX2, or another for plain code) and
 * has included xxhash.h. That the hash is XXH3's, spec-tests/tools/history_check.c holds against
 * the library. */
#ifndef LOOM_HISTORY_XXH_H
#define LOOM_HISTORY_XXH_H

enum {
  HISTORY_STRIPES = (XXH_SECRET_DEFAULT_SIZE - XXH_STRIPE_LEN) / XXH_SECRET_CONSUME_RATE,
  HISTORY_STRIPE = XXH_STRIPE_LEN,
  HISTORY_BLOCK = HISTORY_STRIPES * HISTORY_STRIPE,
  HISTORY_PENDING = 2 * HISTORY_STRIPE /* where they stand in the buffer */
};
static const u8 *const history_last_secret = XXH3_kSecret + sizeof XXH3_kSecret - HISTORY_STRIPE;

/* ---- the sums -------------------------------------------------------------------------------- */

/* history_stripe: the products of a stripe to `sums`, its words to `words`; history_settle: these
 * to the sums of their neighbours, once for some stripes. */
#if XXH_VECTOR == XXH_AVX512
typedef struct {
  __m512i all;
} HistorySums;

XXH_FORCE_INLINE HistorySums history_sums(const void *from) {
  return (HistorySums){_mm512_loadu_si512(from)};
}
XXH_FORCE_INLINE void history_put_sums(void *to, const HistorySums *sums) {
  _mm512_storeu_si512(to, sums->all);
}
XXH_FORCE_INLINE void history_add(HistorySums *sums, const HistorySums *more) {
  sums->all = _mm512_add_epi64(sums->all, more->all);
}
XXH_FORCE_INLINE void history_stripe(HistorySums *sums, HistorySums *words, const u8 *data,
                                     const u8 *secret) {
  const __m512i w = _mm512_loadu_si512(data), k = _mm512_xor_si512(w, _mm512_loadu_si512(secret));
  sums->all = _mm512_add_epi64(sums->all, _mm512_mul_epu32(k, _mm512_srli_epi64(k, 32)));
  words->all = _mm512_add_epi64(words->all, w);
}
XXH_FORCE_INLINE void history_settle(HistorySums *sums, const HistorySums *words) {
  sums->all = _mm512_add_epi64(sums->all, _mm512_shuffle_epi32(words->all, _MM_PERM_BADC));
}
#elif XXH_VECTOR == XXH_AVX2
typedef struct {
  __m256i halves[2];
} HistorySums;

XXH_FORCE_INLINE __m256i history_half(const void *from, int half) {
  return _mm256_loadu_si256((const __m256i *)from + half);
}
XXH_FORCE_INLINE HistorySums history_sums(const void *from) {
  return (HistorySums){{history_half(from, 0), history_half(from, 1)}};
}
XXH_FORCE_INLINE void history_put_sums(void *to, const HistorySums *sums) {
  for (int i = 0; i < 2; i++) _mm256_storeu_si256((__m256i *)to + i, sums->halves[i]);
}
XXH_FORCE_INLINE void history_add(HistorySums *sums, const HistorySums *more) {
  for (int i = 0; i < 2; i++) sums->halves[i] = _mm256_add_epi64(sums->halves[i], more->halves[i]);
}
XXH_FORCE_INLINE void history_stripe(HistorySums *sums, HistorySums *words, const u8 *data,
                                     const u8 *secret) {
  for (int i = 0; i < 2; i++) {
    const __m256i w = history_half(data, i), k = _mm256_xor_si256(w, history_half(secret, i));
    const __m256i product = _mm256_mul_epu32(k, _mm256_srli_epi64(k, 32));
    sums->halves[i] = _mm256_add_epi64(sums->halves[i], product);
    words->halves[i] = _mm256_add_epi64(words->halves[i], w);
  }
}
XXH_FORCE_INLINE void history_settle(HistorySums *sums, const HistorySums *words) {
  for (int i = 0; i < 2; i++)
    sums->halves[i] =
        _mm256_add_epi64(sums->halves[i], _mm256_shuffle_epi32(words->halves[i], 0x4e));
}
#else
typedef struct {
  XXH_ALIGN(XXH_ACC_ALIGN) u64 all[XXH_ACC_NB];
} HistorySums;

XXH_FORCE_INLINE HistorySums history_sums(const void *from) {
  HistorySums sums;
  memcpy(sums.all, from, sizeof sums.all);
  return sums;
}
XXH_FORCE_INLINE void history_put_sums(void *to, const HistorySums *sums) {
  memcpy(to, sums->all, sizeof sums->all);
}
XXH_FORCE_INLINE void history_add(HistorySums *sums, const HistorySums *more) {
  for (size_t i = 0; i < XXH_ACC_NB; i++) sums->all[i] += more->all[i];
}
XXH_FORCE_INLINE void history_stripe(HistorySums *sums, HistorySums *words, const u8 *data,
                                     const u8 *secret) {
  (void)words; /* both at once */
  XXH3_accumulate_512(sums->all, data, secret);
}
XXH_FORCE_INLINE void history_settle(HistorySums *sums, const HistorySums *words) {
  (void)sums, (void)words;
}
#endif

static const u64 history_none[XXH_ACC_NB];

/* `n` stripes, `apart` bytes from one another, the first of which is number `first` in its block.
 */
XXH_FORCE_INLINE void history_stripes(HistorySums *sums, const u8 *data, size_t apart, u32 first,
                                      size_t n) {
  const u8 *secret = XXH3_kSecret + first * XXH_SECRET_CONSUME_RATE;
  HistorySums words = history_sums(history_none);
  for (size_t i = 0; i < n; i++, data += apart, secret += XXH_SECRET_CONSUME_RATE)
    history_stripe(sums, &words, data, secret);
  history_settle(sums, &words);
}

/* The same with a whole block: where there are registers for it, the secret stays in them. */
XXH_FORCE_INLINE void history_block(HistorySums *sums, const u8 *data, size_t apart) {
  HistorySums words = history_sums(history_none);
#if XXH_VECTOR == XXH_AVX512 && !defined(__clang__) /* which needs not be told */
#pragma GCC unroll 16
#endif
  for (size_t i = 0; i < HISTORY_STRIPES; i++)
    history_stripe(sums, &words, data + i * apart, XXH3_kSecret + i * XXH_SECRET_CONSUME_RATE);
  history_settle(sums, &words);
}

XXH_FORCE_INLINE void history_scramble(HistorySums *sums) {
  XXH_ALIGN(XXH_ACC_ALIGN) u64 all[XXH_ACC_NB]; /* in registers, for a compiler that optimises */
  history_put_sums(all, sums);
  XXH3_scrambleAcc(all, history_last_secret);
  *sums = history_sums(all);
}

/* ---- bytes into the sums --------------------------------------------------------------------- */

/* `n` stripes; with `repeated` they are all the one at `data`. */
XXH_FORCE_INLINE void history_consume(HistorySums *sums, u64 *stripes, const u8 *data, size_t n,
                                      bool repeated) {
  const size_t apart = repeated ? 0 : HISTORY_STRIPE;
  const u32 first = (u32)(*stripes % HISTORY_STRIPES);
  *stripes += n;
  if (first) {
    const size_t head = n < HISTORY_STRIPES - first ? n : HISTORY_STRIPES - first;
    history_stripes(sums, data, apart, first, head);
    if (first + head < HISTORY_STRIPES) return;
    history_scramble(sums);
    data += head * apart, n -= head;
  }
  HistorySums block = history_sums(history_none);
  if (repeated && n >= HISTORY_STRIPES) history_block(&block, data, 0);
  for (; n >= HISTORY_STRIPES; n -= HISTORY_STRIPES, data += HISTORY_STRIPES * apart) {
    if (repeated)
      history_add(sums, &block);
    else
      history_block(sums, data, HISTORY_STRIPE);
    history_scramble(sums);
  }
  if (n) history_stripes(sums, data, apart, 0, n);
}

/* The next `len` bytes of a history, at least one, which has more than XXH3_MIDSIZE_MAX with them;
 * with `repeated` they are the 64 at `data` again and again, which stand there three times. */
XXH_FORCE_INLINE void history_absorb(History *h, const u8 *data, size_t len, bool repeated) {
  static const u64 initial[XXH_ACC_NB] = XXH3_INIT_ACC;
  u8 start[HISTORY_BUFFER + HISTORY_STRIPE], *had = h->buffer + HISTORY_PENDING;
  size_t n = h->used - HISTORY_PENDING; /* bytes that it has not yet in its sums */
  HistorySums sums;
  if (h->stripes) {
    sums = history_sums(h->buffer);
  } else {
    n = h->used, had = start;
    if (n) memcpy(start, h->buffer, sizeof h->buffer);
    sums = history_sums(initial);
  }
  if (n) {
    size_t head = -n % HISTORY_STRIPE;
    if (head > len) head = len;
    memcpy(had + n, data, head);
    n += head, data += head, len -= head;
    const size_t full = (n - (len == 0)) / HISTORY_STRIPE;
    history_consume(&sums, &h->stripes, had, full, false);
    if (full) memcpy(h->buffer + HISTORY_STRIPE, had + (full - 1) * HISTORY_STRIPE, HISTORY_STRIPE);
    n -= full * HISTORY_STRIPE;
    memmove(h->buffer + HISTORY_PENDING, had + full * HISTORY_STRIPE, n);
  }
  if (len) { /* n is zero */
    const size_t full = (len - 1) / HISTORY_STRIPE;
    n = len - full * HISTORY_STRIPE;
    history_consume(&sums, &h->stripes, data, full, repeated);
    if (len < HISTORY_STRIPE) /* or else all that may be needed are the last 64 */
      memcpy(h->buffer + HISTORY_PENDING, data, n);
    else
      memcpy(h->buffer + HISTORY_STRIPE + n,
             repeated ? data + n % HISTORY_STRIPE : data + len - HISTORY_STRIPE, HISTORY_STRIPE);
  }
  h->used = (u32)(HISTORY_PENDING + n);
  history_put_sums(h->buffer, &sums);
}

#endif

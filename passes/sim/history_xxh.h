/* history_xxh.h -- private to history.c and history_wide.c, which both compile it with xxHash.
 *
 * XXH3 hashes long inputs in blocks of 16 stripes of 64 bytes. To its eight sums it adds something
 * of each stripe, which depends on the stripe and its number in the block but not on the sums, and
 * at the end of each block it scrambles them. So of an input that is the same stripe again and
 * again all blocks add the same, which is found once: a kilobyte then takes no longer than a
 * stripe. The hash is that of any other way, which spec-tests/tools/history_check.c holds against
 * XXH3_128bits.
 */
#ifndef LOOM_HISTORY_XXH_H
#define LOOM_HISTORY_XXH_H

enum {
  HISTORY_STRIPES = (XXH_SECRET_DEFAULT_SIZE - XXH_STRIPE_LEN) / XXH_SECRET_CONSUME_RATE,
  HISTORY_BLOCK = HISTORY_STRIPES * XXH_STRIPE_LEN,
  HISTORY_LEAST = 241 /* bytes from which on XXH3 is so */
};
static const u8 *const history_last_secret = XXH3_kSecret + sizeof XXH3_kSecret - XXH_STRIPE_LEN;

/* `n` stripes of a block, which stand `apart` bytes from one another, into the sums. */
XXH_FORCE_INLINE void history_stripes(u64 *restrict sums, const u8 *restrict data, size_t apart,
                                      size_t n) {
  for (size_t i = 0; i < n; i++)
    XXH3_accumulate_512(sums, data + i * apart, XXH3_kSecret + i * XXH_SECRET_CONSUME_RATE);
}

/* The hash, once all stripes but the last one, the last 64 bytes, are in. */
XXH_FORCE_INLINE Hash128 history_end(u64 *sums, const u8 *last, u64 len) {
  XXH3_accumulate_512(sums, last, history_last_secret - XXH_SECRET_LASTACC_START);
  return (Hash128){
      .low = XXH3_mergeAccs(sums, XXH3_kSecret + XXH_SECRET_MERGEACCS_START, len * XXH_PRIME64_1),
      .high = XXH3_mergeAccs(sums, history_last_secret - XXH_SECRET_MERGEACCS_START,
                             ~(len * XXH_PRIME64_2))};
}

/* The hash of `len` bytes which are a stripe of 64 repeated. If the last one is cut, its bytes must
 * be those that end the stripe: they repeat with the tokens that they are, and len is a multiple of
 * those. */
static inline Hash128 history_hash_repeated(const void *stripe, size_t len) {
  XXH_ALIGN(XXH_ACC_ALIGN) u64 sums[XXH_ACC_NB] = XXH3_INIT_ACC;
  XXH_ALIGN(XXH_ACC_ALIGN) u64 block[XXH_ACC_NB] = {0};
  const size_t blocks = (len - 1) / HISTORY_BLOCK;
  if (blocks) history_stripes(block, stripe, 0, HISTORY_STRIPES);
  for (size_t i = 0; i < blocks; i++) {
    for (size_t k = 0; k < XXH_ACC_NB; k++) sums[k] += block[k];
    XXH3_scrambleAcc(sums, history_last_secret);
  }
  history_stripes(sums, stripe, 0, (len - 1) % HISTORY_BLOCK / XXH_STRIPE_LEN);
  return history_end(sums, stripe, len);
}

/* Parts of an entry of an access, of so many bytes: an array of addresses, one of values. */
typedef struct {
  const u8 *addresses, *values;
  unsigned address_bytes, value_bytes;
} HistoryParts;

/* The hash of n entries put together from their parts. Some blocks of them at a time, for which
 * there is room: an entry has at most 16 bytes, and if it fills no block, 1024 of at most 7 or 512
 * of 10 or 256 of 12 do. */
static inline Hash128 history_hash_joined(const HistoryParts *parts, size_t n) {
  enum { MOST = 10 * HISTORY_BLOCK, BEFORE = XXH_STRIPE_LEN, SLACK = 64 };
  XXH_ALIGN(XXH_ACC_ALIGN) u64 sums[XXH_ACC_NB] = XXH3_INIT_ACC;
  XXH_ALIGN(64) u8 room[BEFORE + MOST + SLACK];
  const unsigned na = parts->address_bytes, nv = parts->value_bytes, size = na + nv;
  const size_t len = n * size;
  const u8 *a = parts->addresses, *v = parts->values;
  u8 *const data = room + BEFORE;
  size_t many = HISTORY_BLOCK / (size & (0u - size)); /* entries that fill blocks */
  while (n) {
    const size_t m = n <= many ? n : many, bytes = m * size;
    const size_t blocks = m == n ? (bytes - 1) / HISTORY_BLOCK : bytes / HISTORY_BLOCK;
    history_join(data, a, na, v, nv, m);
    for (size_t i = 0; i < blocks; i++) {
      history_stripes(sums, data + i * HISTORY_BLOCK, XXH_STRIPE_LEN, HISTORY_STRIPES);
      XXH3_scrambleAcc(sums, history_last_secret);
    }
    if (m == n) {
      history_stripes(sums, data + blocks * HISTORY_BLOCK, XXH_STRIPE_LEN,
                      (bytes - 1) % HISTORY_BLOCK / XXH_STRIPE_LEN);
      return history_end(sums, data + bytes - XXH_STRIPE_LEN, len);
    }
    memcpy(room, data + bytes - BEFORE, BEFORE); /* the last stripe may begin there */
    a += m * na, v += m * nv, n -= m;
  }
  return (Hash128){0};
}

#endif

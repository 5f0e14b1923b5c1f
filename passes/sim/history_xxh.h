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

/* The hash of `len` bytes, more than 240, which are a stripe of 64 bytes repeated; if the last one
 * is cut, then so that what is there ends as the stripe does: its bytes repeat every 8, and len is
 * a multiple of how many of those are a token. */
static inline Hash128 history_hash_repeated(const void *stripe, size_t len) {
  enum { STRIPES = (XXH_SECRET_DEFAULT_SIZE - XXH_STRIPE_LEN) / XXH_SECRET_CONSUME_RATE };
  XXH_ALIGN(XXH_ACC_ALIGN) u64 acc[XXH_ACC_NB] = XXH3_INIT_ACC;
  XXH_ALIGN(XXH_ACC_ALIGN) u64 block[XXH_ACC_NB] = {0};
  const u8 *const secret = XXH3_kSecret, *const last =
                                             secret + sizeof XXH3_kSecret - XXH_STRIPE_LEN;
  const size_t blocks = (len - 1) / (STRIPES * XXH_STRIPE_LEN);
  const size_t rest = (len - 1) % (STRIPES * XXH_STRIPE_LEN) / XXH_STRIPE_LEN;
  for (size_t i = 0; blocks && i < STRIPES; i++)
    XXH3_accumulate_512(block, stripe, secret + i * XXH_SECRET_CONSUME_RATE);
  for (size_t i = 0; i < blocks; i++) {
    for (size_t k = 0; k < XXH_ACC_NB; k++) acc[k] += block[k];
    XXH3_scrambleAcc(acc, last);
  }
  for (size_t i = 0; i < rest; i++)
    XXH3_accumulate_512(acc, stripe, secret + i * XXH_SECRET_CONSUME_RATE);
  XXH3_accumulate_512(acc, stripe, last - XXH_SECRET_LASTACC_START);
  return (Hash128){
      .low = XXH3_mergeAccs(acc, secret + XXH_SECRET_MERGEACCS_START, (u64)len * XXH_PRIME64_1),
      .high = XXH3_mergeAccs(acc, last - XXH_SECRET_MERGEACCS_START, ~((u64)len * XXH_PRIME64_2))};
}

#endif

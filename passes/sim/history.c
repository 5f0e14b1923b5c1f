/* history.c -- token histories: the buffer and the hash behind it.
 *
 * xxHash's code is compiled in (XXH_INLINE_ALL), so the binary needs no library. Short histories
 * are hashed from their buffer in one go, which by construction of XXH3 gives the same hash; those
 * whose buffer ran full once have a state in it, which is XXH3's in a form of our own
 * (history_xxh.h).
 */
#include "sim/history.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/history_xxh.h"

static void absorb_plain(History *h, const void *data, size_t len) {
  history_absorb(h, data, len, false);
}

static void absorb_repeated_plain(History *h, const void *data, size_t len) {
  history_absorb(h, data, len, true);
}

const HistoryFunctions *history_plain(void) {
  static const HistoryFunctions functions = {absorb_plain, absorb_repeated_plain};
  return &functions;
}

/* The best for this processor. */
static const HistoryFunctions *functions(void) {
  static const HistoryFunctions *best;
  if (!best) best = history_widest();
  if (!best) best = history_wide();
  if (!best) best = history_plain();
  return best;
}

/* All but the last few bytes go into the state. */
void history_flush(History *h) {
  u8 bytes[HISTORY_BUFFER];
  const u32 from = h->stripes ? HISTORY_PENDING : 0, n = h->used - from;
  memcpy(bytes, h->buffer + from, n);
  h->used = from;
  functions()->absorb(h, bytes, n);
}

void history_raw(History *h, const void *data, size_t len) {
  if (len > HISTORY_BUFFER - h->used) {
    functions()->absorb(h, data, len);
  } else if (len) {
    memcpy(h->buffer + h->used, data, len);
    h->used += (u32)len;
  }
}

/* Arrays of elements have the bytes that are hashed. */
static bool is_little_endian(void) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return true;
#else
  return false;
#endif
}

void history_tokens(History *h, const void *data, size_t n, unsigned stride, unsigned bytes) {
  bool as_it_stands = stride == bytes && !h->keep && (is_little_endian() || bytes == 1);
  if (n == 1 && bytes) { /* of many edges there is one token */
    history_token(h, history_element(data, 0, stride), bytes);
  } else if (as_it_stands) {
    history_raw(h, data, n * bytes);
    h->count += n;
  } else if (bytes == 0) {
    for (size_t i = 0; h->keep && i < n; i++) vec_push(&h->kept, 0);
    h->count += n;
  } else {
    for (size_t i = 0; i < n; i++) history_token(h, history_element(data, i, stride), bytes);
  }
}

/* Eight little-endian bytes of tokens that are all the same, of 1, 2, 4 or 8 bytes. */
static u64 repeated_word(u64 value, unsigned bytes) {
  u64 word = bytes == 8 ? value : value & (((u64)1 << 8 * bytes) - 1);
  for (unsigned bits = 8 * bytes; bits < 64; bits *= 2) word |= word << bits;
  if (is_little_endian()) return word;
  u8 eight[8];
  for (unsigned i = 0; i < sizeof eight; i++) eight[i] = (u8)(word >> 8 * i);
  memcpy(&word, eight, sizeof word);
  return word;
}

void history_repeat(History *h, u64 value, size_t n, unsigned bytes) {
  u64 same[3 * HISTORY_STRIPE / sizeof(u64)];
  const size_t len = n * bytes;
  if (h->keep || bytes == 0 || (bytes & (bytes - 1)) != 0) {
    for (size_t i = 0; i < n && (h->keep || bytes); i++) history_piece(h, value, bytes);
    h->count += n;
    return;
  }
  h->count += n;
  const u64 word = repeated_word(value, bytes);
  if (len > HISTORY_BUFFER - h->used) {
    for (size_t i = 0; i < COUNT_OF(same); i++) same[i] = word;
    functions()->absorb_repeated(h, same, len);
    return;
  }
  size_t i = 0;
  for (; i + sizeof word <= len; i += sizeof word)
    memcpy(h->buffer + h->used + i, &word, sizeof word);
  for (; i < len; i++) h->buffer[h->used + i] = (u8)(value >> (8 * (i % bytes)));
  h->used += (u32)len;
}

void history_copy(History *to, const History *from) {
  *to = *from;
  memset(&to->kept, 0, sizeof to->kept);
  for (size_t i = 0; i < from->kept.len; i++) vec_push(&to->kept, from->kept.at[i]);
}

Hash128 history_hash(const History *h) {
  if (!h->stripes) {
    XXH128_hash_t hash = XXH3_128bits(h->buffer, h->used);
    return (Hash128){hash.high64, hash.low64};
  }
  History flushed; /* all stripes but the last one must be in the sums */
  if (h->used > HISTORY_PENDING + HISTORY_STRIPE) {
    flushed = *h;
    history_flush(&flushed);
    h = &flushed;
  }
  const u64 len = h->stripes * HISTORY_STRIPE + h->used - HISTORY_PENDING;
  XXH_ALIGN(XXH_ACC_ALIGN) u64 sums[XXH_ACC_NB];
  memcpy(sums, h->buffer, sizeof sums);
  XXH3_accumulate_512(sums, h->buffer + h->used - HISTORY_STRIPE,
                      history_last_secret - XXH_SECRET_LASTACC_START);
  return (Hash128){
      .low = XXH3_mergeAccs(sums, XXH3_kSecret + XXH_SECRET_MERGEACCS_START, len * XXH_PRIME64_1),
      .high = XXH3_mergeAccs(sums, history_last_secret - XXH_SECRET_MERGEACCS_START,
                             ~(len * XXH_PRIME64_2))};
}

void history_hash_text(Hash128 hash, Buf *buf) {
  buf_printf(buf, "xxh3:%016llx%016llx", (unsigned long long)hash.high,
             (unsigned long long)hash.low);
}

bool history_equal(const History *a, const History *b) {
  if (a->count != b->count) return false;
  Hash128 ha = history_hash(a), hb = history_hash(b);
  return ha.high == hb.high && ha.low == hb.low;
}

void history_free(History *h) {
  vec_free(&h->kept);
  *h = (History){0};
}

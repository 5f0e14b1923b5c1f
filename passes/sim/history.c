/* history.c -- token histories: the buffer and the hash behind it.
 *
 * The one file that holds xxHash's code: XXH_INLINE_ALL compiles it in here, so the binary needs
 * no library and the hash state can be fed a block at a time. The state is large (576 bytes) and
 * must be aligned to 64, so it is made only when a buffer first runs full; a short history is
 * hashed from its buffer in one go, which by construction of XXH3 gives the same hash.
 */
#include "sim/history.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/history_xxh.h"

enum { STATE_ALIGNMENT = 64 };

/* The state inside its over-allocated block. */
static XXH3_state_t *state_of(void *hasher) {
  uintptr_t at = (uintptr_t)hasher;
  return (XXH3_state_t *)((at + STATE_ALIGNMENT - 1) & ~(uintptr_t)(STATE_ALIGNMENT - 1));
}

static void update_plain(void *state, const void *data, size_t len) {
  XXH3_128bits_update(state, data, len);
}

static Hash128 hash_plain(const void *data, size_t len) {
  XXH128_hash_t hash = XXH3_128bits(data, len);
  return (Hash128){hash.high64, hash.low64};
}

static Hash128 hash_joined_plain(const void *addresses, unsigned address_bytes, const void *values,
                                 unsigned value_bytes, size_t n) {
  return history_hash_joined(&(HistoryParts){addresses, values, address_bytes, value_bytes}, n);
}

/* The best for this processor. */
static const HistoryFunctions *functions(void) {
  static const HistoryFunctions plain = {update_plain, hash_plain, history_hash_repeated,
                                         hash_joined_plain};
  static const HistoryFunctions *best;
  if (!best) {
    best = history_wide();
    if (!best) best = &plain;
  }
  return best;
}

static void update(void *hasher, const void *data, size_t len) {
  functions()->update(state_of(hasher), data, len);
}

void history_flush(History *h) {
  if (h->sealed) loom_bug("a token after the last one");
  if (!h->hasher) {
    h->hasher = mem_realloc(NULL, sizeof(XXH3_state_t) + STATE_ALIGNMENT); /* need not be zero */
    XXH3_128bits_reset(state_of(h->hasher));
  }
  if (h->used) update(h->hasher, h->buffer, h->used);
  h->used = 0;
}

void history_raw(History *h, const void *data, size_t len) {
  if (h->used + len > HISTORY_BUFFER) history_flush(h);
  if (len <= HISTORY_BUFFER) {
    if (len) memcpy(h->buffer + h->used, data, len);
    h->used += (u32)len;
  } else {
    update(h->hasher, data, len);
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
  if (as_it_stands) {
    history_raw(h, data, n * bytes);
    h->count += n;
  } else if (bytes == 0) {
    for (size_t i = 0; h->keep && i < n; i++) vec_push(&h->kept, 0);
    h->count += n;
  } else {
    for (size_t i = 0; i < n; i++) history_token(h, history_element(data, i, stride), bytes);
  }
}

/* All there is of a history, which becomes its hash. */
static void seal(History *h, Hash128 hash) {
  memcpy(h->buffer, &hash, sizeof hash);
  h->sealed = true;
  h->used = HISTORY_BUFFER; /* the next token would find no room */
}

void history_last_raw(History *h, const void *data, size_t len) {
  if (h->hasher || h->used || len <= HISTORY_BUFFER) {
    history_raw(h, data, len);
    return;
  }
  seal(h, functions()->hash(data, len));
}

void history_last_tokens(History *h, const void *data, size_t n, unsigned stride, unsigned bytes) {
  if (h->keep || stride != bytes || !is_little_endian()) {
    history_tokens(h, data, n, stride, bytes);
    return;
  }
  history_last_raw(h, data, n * bytes);
  h->count += n;
}

/* Fills `to` with the little-endian bytes of tokens that are all the same, as many as fit; of 1, 2,
 * 4 or 8 bytes. */
static void fill_words(u64 *to, size_t n, u64 value, unsigned bytes) {
  u8 eight[8];
  u64 word;
  for (unsigned i = 0; i < 8; i++) eight[i] = (u8)(value >> (i % bytes * 8));
  memcpy(&word, eight, sizeof word);
  for (size_t i = 0; i < n; i++) to[i] = word;
}

void history_repeat(History *h, u64 value, size_t n, unsigned bytes, bool last) {
  enum { WORDS = 128 };
  u64 block[WORDS];
  if (h->keep || bytes == 0 || (bytes & (bytes - 1)) != 0) {
    for (size_t i = 0; i < n && (h->keep || bytes); i++) history_piece(h, value, bytes);
    h->count += n;
    return;
  }
  h->count += n;
  if (last && !h->hasher && !h->used && n * bytes > HISTORY_BUFFER) {
    fill_words(block, 8, value, bytes);
    seal(h, functions()->hash_repeated(block, n * bytes));
    return;
  }
  fill_words(block, n * bytes < sizeof block ? n * bytes / 8 + 1 : WORDS, value, bytes);
  for (size_t len = n * bytes, part; len; len -= part) {
    part = len < sizeof block ? len : sizeof block;
    history_raw(h, block, part);
  }
}

bool history_last_accesses(History *h, const void *addresses, unsigned address_bytes,
                           const void *values, unsigned value_bytes, size_t n) {
  if (h->hasher || h->used || h->keep || n * (address_bytes + value_bytes) < HISTORY_LEAST)
    return false;
  h->count += n;
  seal(h, functions()->hash_joined(addresses, address_bytes, values, value_bytes, n));
  return true;
}

void history_copy(History *to, const History *from) {
  *to = *from;
  if (from->hasher) {
    to->hasher = mem_alloc(sizeof(XXH3_state_t) + STATE_ALIGNMENT);
    XXH3_copyState(state_of(to->hasher), state_of(from->hasher));
  }
  memset(&to->kept, 0, sizeof to->kept);
  for (size_t i = 0; i < from->kept.len; i++) vec_push(&to->kept, from->kept.at[i]);
}

Hash128 history_hash(const History *h) {
  XXH128_hash_t hash;
  Hash128 sealed;
  if (h->sealed) {
    memcpy(&sealed, h->buffer, sizeof sealed);
    return sealed;
  }
  if (!h->hasher) {
    hash = XXH3_128bits(h->buffer, h->used);
  } else {
    XXH3_state_t rest;
    XXH3_copyState(&rest, state_of(h->hasher));
    XXH3_128bits_update(&rest, h->buffer, h->used);
    hash = XXH3_128bits_digest(&rest);
  }
  return (Hash128){hash.high64, hash.low64};
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
  mem_free(h->hasher);
  vec_free(&h->kept);
  *h = (History){0};
}

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

enum { STATE_ALIGNMENT = 64 };

/* The state inside its over-allocated block. */
static XXH3_state_t *state_of(void *hasher) {
  uintptr_t at = (uintptr_t)hasher;
  return (XXH3_state_t *)((at + STATE_ALIGNMENT - 1) & ~(uintptr_t)(STATE_ALIGNMENT - 1));
}

static void update_plain(void *state, const void *data, size_t len) {
  XXH3_128bits_update(state, data, len);
}

static void update(void *hasher, const void *data, size_t len) {
  static HistoryUpdate best;
  if (!best) {
    best = history_update_wide();
    if (!best) best = update_plain;
  }
  best(state_of(hasher), data, len);
}

void history_flush(History *h) {
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

void history_tokens(History *h, const void *data, size_t n, unsigned stride, unsigned bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  bool as_it_stands = stride == bytes && !h->keep;
#else
  bool as_it_stands = stride == 1 && bytes == 1 && !h->keep;
#endif
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

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

void history_flush(History *h) {
  if (!h->hasher) {
    h->hasher = mem_alloc(sizeof(XXH3_state_t) + STATE_ALIGNMENT);
    XXH3_128bits_reset(state_of(h->hasher));
  }
  XXH3_128bits_update(state_of(h->hasher), h->buffer, h->used);
  h->used = 0;
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

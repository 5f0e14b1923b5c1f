/* history.c -- token histories: the buffer and the hash behind it.
 *
 * The hash is xxHash's streaming XXH3, whose code is compiled in (XXH_INLINE_ALL), so the binary
 * needs no library. Short histories are hashed from their buffer in one go, which by definition of
 * XXH3 gives the same hash.
 *
 * The history of an access has its address and its value in turn, while generated code keeps each
 * in an array of its own. They are interleaved a few kilobytes at a time and hashed from there.
 *
 * Cost: linear in the bytes of the tokens.
 */
#include "run/history.h"
#include "run/array.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The state needs a larger alignment than the allocator gives. */
enum { STATE_ALIGNMENT = _Alignof(XXH3_state_t) };

static XXH3_state_t *state_of(const History *h) {
  return (XXH3_state_t *)((char *)h->state + (-(uintptr_t)h->state % STATE_ALIGNMENT));
}

static void allocate_state(History *h) {
  h->state = mem_alloc(sizeof(XXH3_state_t) + STATE_ALIGNMENT);
}

void history_flush(History *h) {
  if (!h->state) {
    allocate_state(h);
    XXH3_128bits_reset(state_of(h));
  }
  XXH3_128bits_update(state_of(h), h->buffer, h->used);
  h->used = 0;
}

/* Bytes in the form of a history, without counting or keeping them. */
static void history_raw(History *h, const void *data, size_t len) {
  if (len > HISTORY_BUFFER - h->used) {
    history_flush(h);
    XXH3_128bits_update(state_of(h), data, len);
  } else if (len) {
    memcpy(h->buffer + h->used, data, len);
    h->used += (u32)len;
  }
}

void history_tokens(History *h, const void *data, size_t n, unsigned stride, unsigned bytes) {
  bool as_it_stands = stride == bytes && !h->keep && (is_little_endian() || bytes == 1);
  if (n == 1 && bytes) { /* frequent: many edges have one token */
    history_token(h, element_get(data, stride, 0), bytes);
  } else if (as_it_stands) {
    history_raw(h, data, n * bytes);
    h->count += n;
  } else if (bytes == 0) {
    for (size_t i = 0; h->keep && i < n; i++) vec_push(&h->kept, 0);
    h->count += n;
  } else {
    for (size_t i = 0; i < n; i++) history_token(h, element_get(data, stride, i), bytes);
  }
}

/* Interleaves n entries; inlined, so that copies are of constant size where the sizes are. */
static inline void interleave_each(u8 *to, const u8 *addresses, unsigned na, const u8 *values,
                                   unsigned nv, size_t n) {
  for (size_t i = 0; i < n; i++, to += na + nv) {
    memcpy(to, addresses + i * na, na);
    memcpy(to + na, values + i * nv, nv);
  }
}

/* Interleaves addresses and values of n entries. Nearly all addresses have 4 bytes. */
static void interleave(u8 *to, const u8 *addresses, unsigned na, const u8 *values, unsigned nv,
                       size_t n) {
  switch (na == 4 ? nv : 0) {
  case 1: interleave_each(to, addresses, 4, values, 1, n); break;
  case 2: interleave_each(to, addresses, 4, values, 2, n); break;
  case 4: interleave_each(to, addresses, 4, values, 4, n); break;
  case 8: interleave_each(to, addresses, 4, values, 8, n); break;
  default: interleave_each(to, addresses, na, values, nv, n);
  }
}

void history_accesses(History *h, const void *addresses, unsigned address_bytes, const void *values,
                      unsigned value_bytes, size_t n) {
  u8 block[8192];
  const u8 *a = addresses, *v = values;
  const unsigned na = address_bytes, nv = value_bytes;
  const size_t most = sizeof block / (na + nv);
  h->count += n;
  while (n) {
    const size_t m = n < most ? n : most;
    interleave(block, a, na, v, nv, m);
    history_raw(h, block, m * (na + nv));
    a += m * na, v += m * nv, n -= m;
  }
}

void history_copy(History *to, const History *from) {
  *to = *from;
  memset(&to->kept, 0, sizeof to->kept);
  for (size_t i = 0; i < from->kept.len; i++) vec_push(&to->kept, from->kept.at[i]);
  if (!from->state) return;
  allocate_state(to);
  *state_of(to) = *state_of(from);
}

Hash128 history_hash(const History *h) {
  XXH128_hash_t hash;
  if (h->state) {
    XXH3_state_t all = *state_of(h);
    XXH3_128bits_update(&all, h->buffer, h->used);
    hash = XXH3_128bits_digest(&all);
  } else {
    hash = XXH3_128bits(h->buffer, h->used);
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
  vec_free(&h->kept);
  mem_free(h->state);
  *h = (History){0};
}

/* history.h -- token histories: the sequence of tokens on an edge, as a count and a hash.
 *
 * A lowered graph is a Kahn network: for given inputs the sequence of tokens on every edge is
 * fixed, whatever the schedule. So two engines are compared edge by edge by their histories. One
 * is kept as the number of tokens and the 128-bit XXH3 hash of their bytes: every token is
 * written little-endian in its type's bits rounded up to whole bytes (i1 takes one byte, an index
 * of 32 bits four, `none` no byte at all), one token after the other.
 *
 * The history of a memory access (a load or store of the source program) has one entry each time
 * it is executed: the address, as an index token, and then the value. The address is the number
 * of the element in the root memory.
 *
 * Tokens are gathered in a buffer, so adding one costs a few instructions, and are hashed when it
 * is full; long arrays of tokens are hashed directly. The state of the hash is allocated when the
 * buffer is full for the first time: most histories are shorter than that.
 */
#ifndef LOOM_RUN_HISTORY_H
#define LOOM_RUN_HISTORY_H

#include "base/base.h"

enum { HISTORY_BUFFER = 256 };

typedef struct {
  u64 count;                 /* tokens, or executions of the access */
  u32 used;                  /* bytes of the buffer */
  bool keep;                 /* also keep every token in `kept` */
  Vec(u64) kept;             /* values; address and value in turn for an access */
  void *state;               /* xxHash's, of all bytes before the buffer; NULL: there are none */
  u8 buffer[HISTORY_BUFFER]; /* the last bytes */
} History;

typedef struct {
  u64 high, low;
} Hash128;

/* Bytes of one token with this number of bits. */
static inline unsigned history_bytes(unsigned bits) {
  return (bits + 7) / 8;
}

void history_flush(History *h);

/* One scalar of `bytes` bytes (0..8), without counting it: the pieces of a compound token. */
static inline void history_piece(History *h, u64 value, unsigned bytes) {
  if (h->used + 8 > HISTORY_BUFFER) history_flush(h);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(h->buffer + h->used, &value, 8); /* the bytes past `bytes` are overwritten by the next */
#else
  for (unsigned i = 0; i < bytes; i++) h->buffer[h->used + i] = (u8)(value >> (8 * i));
#endif
  h->used += bytes;
  if (h->keep) vec_push(&h->kept, value);
}

/* One token of `bytes` bytes. */
static inline void history_token(History *h, u64 value, unsigned bytes) {
  history_piece(h, value, bytes);
  h->count++;
}

/* `n` tokens of `bytes` bytes (0..8) in an array of `stride`-byte elements (1, 2, 4 or 8; at least
 * `bytes`) in this machine's byte order: the same as n calls of history_token, at the speed of the
 * hash where stride and bytes are the same. */
void history_tokens(History *h, const void *data, size_t n, unsigned stride, unsigned bytes);

/* One execution of a memory access, in the form that all engines record. */
static inline void history_access(History *h, u64 address, unsigned address_bytes, u64 value,
                                  unsigned value_bytes) {
  history_piece(h, address, address_bytes);
  history_piece(h, value, value_bytes);
  h->count++;
}

/* n executions, with addresses and values in two arrays of packed elements of that many bytes in
 * little-endian order; h->keep must not be set. */
void history_accesses(History *h, const void *addresses, unsigned address_bytes, const void *values,
                      unsigned value_bytes, size_t n);

/* Copies a history; `to` must be empty. */
void history_copy(History *to, const History *from);

/* The hash of all tokens so far; more may follow. */
Hash128 history_hash(const History *h);
/* The form in golden files: "xxh3:" and 32 hexadecimal digits. */
void history_hash_text(Hash128 hash, Buf *buf);
/* Same number of tokens and same hash. */
bool history_equal(const History *a, const History *b);
void history_free(History *h);

#endif

/* history_check.c -- hashes of histories, compared with XXH3 of the same bytes.
 *
 *     history-check [COUNT]
 *
 * Tokens come one by one, as arrays, and as addresses and values of accesses, in one go or in
 * parts, and the hash may be asked for on the way, or the history copied (history.h). All must give
 * what the library's plainest code gives for the bytes one after the other, which are put together
 * here. All lengths around those where something changes are tried (XXH3's and the buffer's), then
 * COUNT random ones. Prints "N passed, N failed".
 */
#include "lib.h"
#include "run/history.h"

#define XXH_VECTOR 0 /* XXH_SCALAR, which the header names later */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

enum { MOST = 1 << 16, ROOM = 8 * MOST };
static u8 bytes[ROOM], first[ROOM], second[ROOM]; /* what was told; where it is taken from */
static size_t len, tokens;

static void note(const void *data, size_t n) {
  memcpy(bytes + len, data, n);
  len += n;
}

typedef enum { ONE_BY_ONE, ARRAY, ACCESSES, WAYS } Way;

/* Tells n tokens: bytes of one, or of an address and a value. */
static void tell(History *h, Way way, size_t n, unsigned size, unsigned of_value) {
  tokens += n;
  switch (way) {
  case ONE_BY_ONE:
    for (size_t i = 0; i < n; i++) {
      u64 token = 0;
      memcpy(&token, first + i * size, size);
      history_token(h, token, size);
    }
    note(first, n * size);
    break;
  case ARRAY:
    history_tokens(h, first, n, size, size);
    note(first, n * size);
    break;
  default:
    history_accesses(h, first, size, second, of_value, n);
    for (size_t i = 0; i < n; i++) {
      note(first + i * size, size);
      note(second + i * of_value, of_value);
    }
  }
}

static void judge(History *h, const char *what, size_t n) {
  XXH128_hash_t want = XXH3_128bits(bytes, len);
  Hash128 got = history_hash(h);
  check(got.high == want.high64 && got.low == want.low64 && h->count == tokens,
        "%s: %zu tokens, %zu bytes", what, n, len);
  history_free(h);
  *h = (History){0};
  len = tokens = 0;
}

static const unsigned sizes[] = {1, 2, 4, 8};
static unsigned size_drawn(void) {
  return sizes[any_below(COUNT_OF(sizes))];
}

static void try_length(size_t n) {
  History h = {0};
  for (size_t s = 0; s < COUNT_OF(sizes); s++) {
    tell(&h, ARRAY, n, sizes[s], 0);
    judge(&h, "an array", n);
    for (unsigned address = 4; address <= 8; address += 4) {
      tell(&h, ACCESSES, n, address, sizes[s]);
      judge(&h, "accesses", n);
    }
  }
}

static void try_random(void) {
  History h = {0};
  size_t parts = any_below(3) ? 1 + any_below(4) : any_below(60), told = 0;
  for (size_t i = 0; i < parts; i++) {
    size_t n = any_below(any_below(3) || parts > 4 ? 300 : MOST / 16);
    tell(&h, (Way)any_below(WAYS), n, any_below(2) ? 4 : 8, size_drawn());
    told += n;
    if (any_below(8) == 0) history_hash(&h);
    if (any_below(8) == 0) {
      History copy;
      history_copy(&copy, &h);
      history_free(&h);
      h = copy;
    }
  }
  judge(&h, "parts", told);
}

int main(int argc, char **argv) {
  static const size_t edges[] = {241, 257, 1024, 2048, 3072, 5120, 8192, 9216, 16384};
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
  mem_init();
  for (size_t i = 0; i < ROOM; i++) first[i] = (u8)any_below(256), second[i] = (u8)any_below(256);
  for (size_t n = 0; n < 400; n++) try_length(n);
  for (size_t i = 0; i < COUNT_OF(edges); i++)
    for (size_t size = 1; size <= 16; size++)
      for (size_t n = edges[i] / size - 1; n <= edges[i] / size + 2; n++) try_length(n);
  for (size_t i = 0; i < count; i++) try_random();
  return checks_end();
}

/* map.c -- a hash map from u64 to u64: open addressing, linear probing, at most 5/8 full. It can
 * be looked into but not walked, so hash order cannot leak into any output. */
#include "base/base.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

u64 hash_bytes(const void *bytes, size_t len, u64 seed) {
  return XXH3_64bits_withSeed(bytes, len, seed);
}

/* Multiplicative mixing (the 64-bit golden ratio): keys are pointers or small numbers. */
static size_t slot_of(const Map *map, u64 key) {
  u64 mixed = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
  size_t mask = map->cap - 1, at = (size_t)(mixed >> 20) & mask;
  while (map->full[at] && map->keys[at] != key) at = (at + 1) & mask;
  return at;
}

bool map_get(const Map *map, u64 key, u64 *value) {
  if (!map->cap) return false;
  size_t at = slot_of(map, key);
  if (!map->full[at]) return false;
  *value = map->values[at];
  return true;
}

static void grow(Map *map) {
  Map old = *map;
  map->cap = old.cap ? old.cap * 2 : 16;
  map->keys = mem_alloc(mem_size(map->cap, sizeof(u64)));
  map->values = mem_alloc(mem_size(map->cap, sizeof(u64)));
  map->full = mem_alloc(map->cap);
  map->len = 0;
  for (size_t i = 0; i < old.cap; i++)
    if (old.full[i]) map_put(map, old.keys[i], old.values[i]);
  map_free(&old);
}

void map_put(Map *map, u64 key, u64 value) {
  if (map->len + 1 > map->cap / 8 * 5) grow(map);
  size_t at = slot_of(map, key);
  if (!map->full[at]) {
    map->full[at] = 1;
    map->keys[at] = key;
    map->len++;
  }
  map->values[at] = value;
}

void map_free(Map *map) {
  mem_free(map->keys);
  mem_free(map->values);
  mem_free(map->full);
  *map = (Map){0};
}

/* map.c -- a hash map from u64 to u64: open addressing, linear probing, at most 5/8 full. It has no
 * iteration and no removal, so hash order cannot leak into any output. */
#include "base/base.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

u64 hash_bytes(const void *bytes, size_t len, u64 seed) {
  return XXH3_64bits_withSeed(bytes, len, seed);
}

/* Multiplies by the 64-bit golden ratio and folds the upper half into the lower: keys are
 * pointers, small numbers, or two small numbers side by side. */
static size_t slot_of(const Map *map, u64 key) {
  u64 mixed = key * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15u;
  size_t mask = map->cap - 1, at = (size_t)(mixed >> 32) & mask;
  while (map->slots[at].key && map->slots[at].key != key) at = (at + 1) & mask;
  return at;
}

bool map_get(const Map *map, u64 key, u64 *value) {
  if (!key) {
    if (map->has_zero) *value = map->zero_value;
    return map->has_zero;
  }
  if (!map->cap) return false;
  const MapSlot *slot = &map->slots[slot_of(map, key)];
  if (!slot->key) return false;
  *value = slot->value;
  return true;
}

static void grow(Map *map, size_t cap) {
  Map old = *map;
  map->cap = cap;
  map->slots = mem_alloc(mem_size(map->cap, sizeof *map->slots));
  for (size_t i = 0; i < old.cap; i++)
    if (old.slots[i].key) map->slots[slot_of(map, old.slots[i].key)] = old.slots[i];
  mem_free(old.slots);
}

/* A small table grows in larger steps: it costs little to be too big. */
enum { SMALL = 1 << 14 };

u64 *map_slot(Map *map, u64 key) {
  if (!key) {
    map->has_zero = true;
    return &map->zero_value;
  }
  if (map->len + 1 > map->cap / 8 * 5)
    grow(map, !map->cap ? 16 : map->cap * (map->cap < SMALL ? 4 : 2));
  MapSlot *slot = &map->slots[slot_of(map, key)];
  if (!slot->key) {
    slot->key = key;
    map->len++;
  }
  return &slot->value;
}

void map_put(Map *map, u64 key, u64 value) {
  *map_slot(map, key) = value;
}

void map_free(Map *map) {
  mem_free(map->slots);
  *map = (Map){0};
}

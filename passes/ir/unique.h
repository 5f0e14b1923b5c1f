/* unique.h -- private to ir/: the tables that make types and attributes unique in a context. */
#ifndef LOOM_IR_UNIQUE_H
#define LOOM_IR_UNIQUE_H

#include "ir/ir.h"

/* Open addressing over objects and their hashes; lives in the context's arena (a grown table
 * leaves its predecessor there: at most as much again). */
typedef struct {
  const void **objects;
  u64 *hashes;
  u32 cap, len;
} UniqueTable;

struct IrTables {
  UniqueTable types, attrs;
  u32 next_type_id, next_attr_id;
  /* the types asked for all the time, by what they are */
  const Type *none, *index, *ints[65], *floats[4];
};

IrTables *ir_tables(Context *ctx);

typedef bool SameFn(const void *a, const void *b);
/* The object equal to `key` under `same`, or NULL; then *slot is where unique_add puts it. */
const void *unique_find(Context *ctx, UniqueTable *table, u64 hash, const void *key, SameFn *same,
                        u32 *slot);
void unique_add(UniqueTable *table, u32 slot, u64 hash, const void *object);

#endif

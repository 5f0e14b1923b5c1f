/* unique.h -- private to ir/: the hash-consing tables of types and attributes. */
#ifndef LOOM_IR_UNIQUE_H
#define LOOM_IR_UNIQUE_H

#include "ir/ir.h"

/* Open addressing with linear probing over objects and their hashes, at most half full. It lives in
 * the context's arena, and so do its outgrown predecessors, which together are no larger. */
typedef struct {
  const void **objects;
  u64 *hashes;
  u32 cap, len;
} UniqueTable;

struct IrTables {
  UniqueTable types, attrs;
  u32 next_type_id, next_attr_id;
  /* Cache of the most frequent types: integers by width, floats by FloatKind. */
  const Type *none, *index, *ints[65], *floats[4];
};

IrTables *ir_tables(Context *ctx);

typedef bool SameFn(const void *a, const void *b);
/* The object equal to `key` under `same`; or NULL, and *slot is the slot for unique_add. */
const void *unique_find(Context *ctx, UniqueTable *table, u64 hash, const void *key, SameFn *same,
                        u32 *slot);
void unique_add(UniqueTable *table, u32 slot, u64 hash, const void *object);

#endif

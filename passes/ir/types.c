/* types.c -- types: hash-consed, so equal types of a context are one object.
 *
 *     type_memref(ctx, (i64[]){4, DYNAMIC}, 2, f32, NULL, NULL)    memref<4x?xf32>
 *
 * A constructor fills a Type on the stack, looks for an equal one, and only if there is none
 * copies it with its shape and elements into the context's arena. So types are compared by pointer
 * everywhere else. A look-up hashes only the type's own fields: its components are unique already
 * and hashed by id, never by address. */
#include "ir/unique.h"

IrTables *ir_tables(Context *ctx) {
  if (!ctx->ir) ctx->ir = NEW(ctx->arena, IrTables);
  return ctx->ir;
}

/* ---- unique tables --------------------------------------------------------------------------- */

static void grow(Context *ctx, UniqueTable *table) {
  UniqueTable old = *table;
  table->cap = old.cap ? old.cap * 2 : 256;
  table->objects = NEW_ARRAY(ctx->arena, const void *, table->cap);
  table->hashes = NEW_ARRAY(ctx->arena, u64, table->cap);
  for (u32 i = 0; i < old.cap; i++) {
    if (!old.objects[i]) continue;
    u32 at = (u32)old.hashes[i] & (table->cap - 1);
    while (table->objects[at]) at = (at + 1) & (table->cap - 1);
    table->objects[at] = old.objects[i];
    table->hashes[at] = old.hashes[i];
  }
}

const void *unique_find(Context *ctx, UniqueTable *table, u64 hash, const void *key, SameFn *same,
                        u32 *slot) {
  if (table->len >= table->cap / 2) grow(ctx, table);
  u32 at = (u32)hash & (table->cap - 1);
  for (; table->objects[at]; at = (at + 1) & (table->cap - 1))
    if (table->hashes[at] == hash && same(table->objects[at], key)) return table->objects[at];
  *slot = at;
  return NULL;
}

void unique_add(UniqueTable *table, u32 slot, u64 hash, const void *object) {
  table->objects[slot] = object;
  table->hashes[slot] = hash;
  table->len++;
}

/* ---- types ----------------------------------------------------------------------------------- */

static u64 type_hash(const Type *t) {
  u64 ids[3] = {t->elem ? t->elem->id + 1u : 0, t->layout ? t->layout->id + 1u : 0,
                t->space ? t->space->id + 1u : 0};
  u64 head[4] = {(u64)t->kind | (u64)t->signedness << 8 | (u64)t->float_kind << 16,
                 (u64)t->width << 32 | t->rank, (u64)t->ninputs << 32 | t->nelems,
                 t->text ? t->text->hash : 0};
  u64 hash = hash_bytes(head, sizeof head, hash_bytes(ids, sizeof ids, 0));
  if (t->rank && t->shape) hash = hash_bytes(t->shape, t->rank * sizeof *t->shape, hash);
  for (u32 i = 0; i < t->nelems; i++) hash = hash * 31 + t->elems[i]->id;
  return hash;
}

static bool type_same(const void *one, const void *other) {
  const Type *a = one, *b = other;
  if (a->kind != b->kind || a->signedness != b->signedness || a->float_kind != b->float_kind ||
      a->width != b->width || a->rank != b->rank || a->ninputs != b->ninputs ||
      a->nelems != b->nelems || a->elem != b->elem || a->layout != b->layout ||
      a->space != b->space || a->text != b->text)
    return false;
  for (u32 i = 0; i < a->rank; i++)
    if (a->shape[i] != b->shape[i]) return false;
  for (u32 i = 0; i < a->nelems; i++)
    if (a->elems[i] != b->elems[i]) return false;
  return true;
}

static const Type *unique(Context *ctx, Type key) {
  IrTables *tables = ir_tables(ctx);
  u64 hash = type_hash(&key);
  u32 slot = 0;
  const Type *found = unique_find(ctx, &tables->types, hash, &key, type_same, &slot);
  if (found) return found;
  Type *type = arena_copy(ctx->arena, &key, sizeof key);
  type->id = tables->next_type_id++;
  if (key.rank) type->shape = arena_copy(ctx->arena, key.shape, mem_size(key.rank, sizeof(i64)));
  if (key.nelems)
    type->elems = arena_copy(ctx->arena, key.elems, mem_size(key.nelems, sizeof(Type *)));
  unique_add(&tables->types, slot, hash, type);
  return type;
}

const Type *type_none(Context *ctx) {
  IrTables *tables = ir_tables(ctx);
  if (!tables->none) tables->none = unique(ctx, (Type){.kind = TYPE_NONE});
  return tables->none;
}

const Type *type_index(Context *ctx) {
  IrTables *tables = ir_tables(ctx);
  if (!tables->index) tables->index = unique(ctx, (Type){.kind = TYPE_INDEX});
  return tables->index;
}

const Type *type_int(Context *ctx, u32 width, Signedness sign) {
  Type key = {.kind = TYPE_INT, .signedness = (u8)sign, .width = width};
  if (sign != SIGNLESS || width > 64) return unique(ctx, key);
  const Type **cached = &ir_tables(ctx)->ints[width];
  if (!*cached) *cached = unique(ctx, key);
  return *cached;
}

const Type *type_i1(Context *ctx) {
  return type_int(ctx, 1, SIGNLESS);
}

const Type *type_float(Context *ctx, FloatKind kind) {
  static const u32 widths[] = {16, 16, 32, 64};
  const Type **cached = &ir_tables(ctx)->floats[kind];
  if (!*cached)
    *cached =
        unique(ctx, (Type){.kind = TYPE_FLOAT, .float_kind = (u8)kind, .width = widths[kind]});
  return *cached;
}

const Type *type_function(Context *ctx, const Type *const *inputs, u32 ninputs,
                          const Type *const *results, u32 nresults) {
  const Type *few[16];
  u32 n = ninputs + nresults;
  const Type **elems = n <= COUNT_OF(few) ? few : mem_alloc(mem_size(n, sizeof *elems));
  for (u32 i = 0; i < ninputs; i++) elems[i] = inputs[i];
  for (u32 i = 0; i < nresults; i++) elems[ninputs + i] = results[i];
  const Type *type =
      unique(ctx, (Type){.kind = TYPE_FUNCTION, .ninputs = ninputs, .nelems = n, .elems = elems});
  if (elems != few) mem_free(elems);
  return type;
}

const Type *type_tuple(Context *ctx, const Type *const *elems, u32 n) {
  return unique(ctx, (Type){.kind = TYPE_TUPLE, .nelems = n, .elems = elems});
}

const Type *type_memref(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Attr *layout, const Attr *space) {
  if (layout && layout->kind == ATTR_AFFINE_MAP && affine_map_is_identity(layout->map))
    layout = NULL;
  return unique(ctx, (Type){.kind = TYPE_MEMREF,
                            .rank = rank,
                            .shape = shape,
                            .elem = elem,
                            .layout = layout,
                            .space = space});
}

const Type *type_unranked_memref(Context *ctx, const Type *elem, const Attr *space) {
  return unique(ctx, (Type){.kind = TYPE_UNRANKED_MEMREF, .elem = elem, .space = space});
}

const Type *type_tensor(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Attr *encoding) {
  return unique(
      ctx,
      (Type){.kind = TYPE_TENSOR, .rank = rank, .shape = shape, .elem = elem, .layout = encoding});
}

const Type *type_unranked_tensor(Context *ctx, const Type *elem) {
  return unique(ctx, (Type){.kind = TYPE_UNRANKED_TENSOR, .elem = elem});
}

const Type *type_vector(Context *ctx, const i64 *shape, u32 rank, const Type *elem,
                        const Str *scalable) {
  return unique(
      ctx,
      (Type){.kind = TYPE_VECTOR, .rank = rank, .shape = shape, .elem = elem, .text = scalable});
}

const Type *type_complex(Context *ctx, const Type *elem) {
  return unique(ctx, (Type){.kind = TYPE_COMPLEX, .elem = elem});
}

const Type *type_tagged(Context *ctx, const Type *value, u32 tag_width) {
  return unique(ctx, (Type){.kind = TYPE_TAGGED, .elem = value, .width = tag_width});
}

const Type *type_fabric_bits(Context *ctx, u32 width) {
  return unique(ctx, (Type){.kind = TYPE_BITS, .width = width});
}

const Type *type_fabric_tagged(Context *ctx, const Type *value, u32 tag_width) {
  return unique(ctx, (Type){.kind = TYPE_FABRIC_TAGGED, .elem = value, .width = tag_width});
}

const Type *type_opaque(Context *ctx, const Str *text) {
  return unique(ctx, (Type){.kind = TYPE_OPAQUE, .text = text});
}

u32 type_bits(const Context *ctx, const Type *t) {
  switch ((TypeKind)t->kind) {
  case TYPE_INDEX: return ctx->index_width;
  case TYPE_INT:
  case TYPE_FLOAT:
  case TYPE_BITS: return t->width;
  case TYPE_FABRIC_TAGGED:
  case TYPE_TAGGED: return type_bits(ctx, t->elem) + t->width;
  default: return 0;
  }
}

i64 type_static_elements(const Type *t) {
  i64 n = 1;
  for (u32 i = 0; i < t->rank; i++) {
    i64 extent = t->shape[i];
    if (extent == DYNAMIC || extent < 0) return -1;
    if (extent == 0) return 0;
    if (n > INT64_MAX / extent) return -1;
    n *= extent;
  }
  return n;
}

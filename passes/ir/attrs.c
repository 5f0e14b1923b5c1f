/* attrs.c -- attributes: hash-consed like types (see types.c), so equal attributes of a context are
 * one object and compare as pointers. Dense element lists are the exception: they can be megabytes
 * and nothing compares them, so each is an object of its own. */
#include "ir/unique.h"

static u64 attr_hash(const Attr *a) {
  u64 head[4] = {(u64)a->kind | (u64)a->loc_kind << 8 | (u64)a->splat << 16 | (u64)a->n << 32,
                 a->type ? a->type->id + 1u : 0, (u64)a->i, a->str ? a->str->hash : 0};
  u64 hash = hash_bytes(head, sizeof head, 0);
  switch ((AttrKind)a->kind) {
  case ATTR_STRIDED:
  case ATTR_DENSE_ARRAY: return hash_bytes(a->ints, a->n * sizeof *a->ints, hash);
  case ATTR_DICT:
    for (u32 i = 0; i < a->n; i++)
      hash = hash * 31 + (a->entries[i].name->hash ^ a->entries[i].value->id);
    return hash;
  case ATTR_AFFINE_MAP:
    hash = hash * 31 + a->map->ndims * 7 + a->map->nsyms * 3 + a->map->nresults;
    for (u32 i = 0; i < a->map->nresults; i++) hash = hash * 31 + a->map->results[i]->hash;
    return hash;
  default:
    for (u32 i = 0; a->elems && i < a->n; i++) hash = hash * 31 + a->elems[i]->id;
    return hash;
  }
}

static bool same_map(const AffineMap *a, const AffineMap *b) {
  if (a->ndims != b->ndims || a->nsyms != b->nsyms || a->nresults != b->nresults) return false;
  for (u32 i = 0; i < a->nresults; i++)
    if (!affine_equal(a->results[i], b->results[i])) return false;
  return true;
}

static bool attr_same(const void *one, const void *other) {
  const Attr *a = one, *b = other;
  if (a->kind != b->kind || a->loc_kind != b->loc_kind || a->splat != b->splat || a->n != b->n ||
      a->type != b->type || a->i != b->i || a->str != b->str)
    return false;
  switch ((AttrKind)a->kind) {
  case ATTR_STRIDED:
  case ATTR_DENSE_ARRAY: return a->n == 0 || memcmp(a->ints, b->ints, a->n * sizeof *a->ints) == 0;
  case ATTR_DICT:
    for (u32 i = 0; i < a->n; i++)
      if (a->entries[i].name != b->entries[i].name || a->entries[i].value != b->entries[i].value)
        return false;
    return true;
  case ATTR_AFFINE_MAP: return same_map(a->map, b->map);
  default:
    if (!a->elems != !b->elems) return false;
    for (u32 i = 0; a->elems && i < a->n; i++)
      if (a->elems[i] != b->elems[i]) return false;
    return true;
  }
}

/* `payload_size` is the size of each of the n elements that the union points to, which are copied;
 * 0: share the pointer. */
static const Attr *unique(Context *ctx, Attr key, size_t payload_size) {
  IrTables *tables = ir_tables(ctx);
  if (payload_size && !key.n) key.elems = NULL; /* all empty lists are equal */
  u64 hash = attr_hash(&key);
  u32 slot;
  const Attr *found = unique_find(ctx, &tables->attrs, hash, &key, attr_same, &slot);
  if (found) return found;
  Attr *attr = arena_copy(ctx->arena, &key, sizeof key);
  attr->id = tables->next_attr_id++;
  if (payload_size && key.n)
    attr->elems = arena_copy(ctx->arena, (const void *)key.elems, mem_size(key.n, payload_size));
  unique_add(&tables->attrs, slot, hash, attr);
  return attr;
}

bool attr_is_text(const Attr *attr) {
  return attr->kind == ATTR_STRING && strlen(attr->str->text) == attr->str->len;
}

const Attr *attr_unit(Context *ctx) {
  return unique(ctx, (Attr){.kind = ATTR_UNIT}, 0);
}

const Attr *attr_bool(Context *ctx, bool value) {
  return unique(ctx, (Attr){.kind = ATTR_BOOL, .i = value, .type = type_i1(ctx)}, 0);
}

const Attr *attr_int(Context *ctx, i64 value, const Type *type) {
  u32 width = type->kind == TYPE_INT ? type->width : 64;
  if (width < 64) {
    u64 cut = (u64)value & ((1ull << width) - 1), sign = width ? 1ull << (width - 1) : 0;
    value = type->signedness == UNSIGNED ? (i64)cut : (i64)((cut ^ sign) - sign);
  }
  return unique(ctx, (Attr){.kind = ATTR_INT, .i = value, .type = type}, 0);
}

const Attr *attr_float_bits(Context *ctx, u64 bits, const Type *type) {
  return unique(ctx, (Attr){.kind = ATTR_FLOAT, .i = (i64)bits, .type = type}, 0);
}

const Attr *attr_string(Context *ctx, const Str *text) {
  return unique(ctx, (Attr){.kind = ATTR_STRING, .str = text}, 0);
}

const Attr *attr_typed_string(Context *ctx, const Str *text, const Type *type) {
  return unique(ctx, (Attr){.kind = ATTR_STRING, .str = text, .type = type}, 0);
}

const Attr *attr_type(Context *ctx, const Type *type) {
  return unique(ctx, (Attr){.kind = ATTR_TYPE, .type = type}, 0);
}

const Attr *attr_array(Context *ctx, const Attr *const *elems, u32 n) {
  return unique(ctx, (Attr){.kind = ATTR_ARRAY, .elems = elems, .n = n}, sizeof *elems);
}

static int by_name(const NamedAttr *a, const NamedAttr *b) {
  return strcmp(a->name->text, b->name->text);
}

const Attr *attr_dict(Context *ctx, const NamedAttr *entries, u32 n) {
  NamedAttr *sorted = mem_alloc(mem_size(n, sizeof *sorted));
  for (u32 i = 0; i < n; i++) { /* insertion sort: few entries, usually in order */
    u32 at = i;
    for (; at > 0 && by_name(&entries[i], &sorted[at - 1]) < 0; at--) sorted[at] = sorted[at - 1];
    sorted[at] = entries[i];
    sorted[at].property = false;
  }
  const Attr *attr =
      unique(ctx, (Attr){.kind = ATTR_DICT, .entries = sorted, .n = n}, sizeof *sorted);
  mem_free(sorted);
  return attr;
}

const Attr *attr_symbol(Context *ctx, const Str *name, const Attr *const *nested, u32 n) {
  return unique(ctx, (Attr){.kind = ATTR_SYMBOL, .str = name, .elems = nested, .n = n},
                sizeof *nested);
}

const Attr *attr_affine_map(Context *ctx, const AffineMap *map) {
  return unique(ctx, (Attr){.kind = ATTR_AFFINE_MAP, .map = map}, 0);
}

const Attr *attr_affine_set(Context *ctx, const Str *text) {
  return unique(ctx, (Attr){.kind = ATTR_AFFINE_SET, .str = text}, 0);
}

const Attr *attr_strided(Context *ctx, i64 offset, const i64 *strides, u32 n) {
  i64 few[16];
  i64 *numbers = n < COUNT_OF(few) ? few : mem_alloc(mem_size(n + (size_t)1, sizeof *numbers));
  numbers[0] = offset;
  for (u32 i = 0; i < n; i++) numbers[i + 1] = strides[i];
  const Attr *attr =
      unique(ctx, (Attr){.kind = ATTR_STRIDED, .ints = numbers, .n = n + 1}, sizeof *numbers);
  if (numbers != few) mem_free(numbers);
  return attr;
}

const Attr *attr_dense(Context *ctx, const Type *type, const u64 *data, u32 n, bool splat) {
  Attr *attr = NEW(ctx->arena, Attr);
  attr->kind = ATTR_DENSE;
  attr->id = ir_tables(ctx)->next_attr_id++;
  attr->type = type;
  attr->splat = splat;
  attr->n = n;
  attr->data = arena_copy(ctx->arena, data, mem_size(n, sizeof *data));
  return attr;
}

const Attr *attr_dense_array(Context *ctx, const Type *elem, const i64 *values, u32 n) {
  return unique(ctx, (Attr){.kind = ATTR_DENSE_ARRAY, .type = elem, .ints = values, .n = n},
                sizeof *values);
}

const Attr *attr_opaque(Context *ctx, const Str *text, const Type *type) {
  return unique(ctx, (Attr){.kind = ATTR_OPAQUE, .str = text, .type = type}, 0);
}

/* ---- locations ------------------------------------------------------------------------------- */

static const Attr *location(Context *ctx, LocKind kind, Attr key) {
  key.kind = ATTR_LOC;
  key.loc_kind = (u8)kind;
  return unique(ctx, key, key.elems ? sizeof *key.elems : 0);
}

const Attr *attr_loc_unknown(Context *ctx) {
  return location(ctx, LOC_UNKNOWN, (Attr){0});
}

const Attr *attr_loc_file(Context *ctx, const Str *file, u32 line, u32 column) {
  return location(ctx, LOC_FILE, (Attr){.str = file, .i = (i64)((u64)line << 32 | column)});
}

const Attr *attr_loc_name(Context *ctx, const Str *name, const Attr *child) {
  return location(ctx, LOC_NAME, (Attr){.str = name, .elems = child ? &child : NULL, .n = !!child});
}

const Attr *attr_loc_callsite(Context *ctx, const Attr *callee, const Attr *caller) {
  const Attr *both[2] = {callee, caller};
  return location(ctx, LOC_CALLSITE, (Attr){.elems = both, .n = 2});
}

typedef struct {
  Vec(const Attr *) all;
  Map seen; /* by address: they are unique */
} Fused;

static void fuse(Fused *fused, const Attr *loc) {
  u64 known;
  if (loc->loc_kind == LOC_UNKNOWN || map_get(&fused->seen, PTR_KEY(loc), &known)) return;
  map_put(&fused->seen, PTR_KEY(loc), 1);
  vec_push(&fused->all, loc);
}

/* As in MLIR: duplicates and unknown locations are dropped, and a fused location with the same
 * metadata is replaced by its parts. Metadata, if any, is the last element, and `i` is 1. */
const Attr *attr_loc_fused(Context *ctx, const Attr *const *locs, u32 n, const Attr *metadata) {
  Fused fused = {0};
  for (u32 i = 0; i < n; i++) {
    u32 parts = locs[i]->n - (locs[i]->i != 0);
    bool flatten =
        locs[i]->loc_kind == LOC_FUSED && (locs[i]->i ? locs[i]->elems[parts] : NULL) == metadata;
    for (u32 k = 0; flatten && k < parts; k++) fuse(&fused, locs[i]->elems[k]);
    if (!flatten) fuse(&fused, locs[i]);
  }
  if (!fused.all.len) vec_push(&fused.all, attr_loc_unknown(ctx));
  const Attr *attr = fused.all.at[0];
  if (metadata) vec_push(&fused.all, metadata);
  if (fused.all.len > 1)
    attr = location(ctx, LOC_FUSED,
                    (Attr){.elems = fused.all.at, .n = (u32)fused.all.len, .i = metadata != NULL});
  vec_free(&fused.all);
  map_free(&fused.seen);
  return attr;
}

const Attr *attr_loc_opaque(Context *ctx, const Str *text) {
  return location(ctx, LOC_OPAQUE, (Attr){.str = text});
}

/* print_alias.c -- #map, #set and #loc: attributes that mlir-opt writes once per file.
 *
 *     #map = affine_map<(d0) -> (d0 * 2)>
 *     module {
 *       ... memref<4xi32, #map> ...
 *
 * Aliases are numbered as mlir-opt numbers them: by depth (a location made of others comes after
 * them), then by kind, then in the order in which they are met. If only maps and sets are met, in
 * the order of the text, the first numbers are the final ones, and one pass is enough; see
 * text_print. Locations only used at the ends of ops are defined at the end of the file. Cost is
 * n log n in the number of aliases. */
#include "text/print.h"

#include <stdlib.h>

/* The kinds of aliases, sorted by name. */
static const char *const alias_names[] = {"distinct", "loc", "map", "set"};

/* The kind of an attribute's aliases; -1: it has none. */
static int alias_kind(const Attr *attr) {
  switch ((AttrKind)attr->kind) {
  case ATTR_AFFINE_MAP: return 2;
  case ATTR_AFFINE_SET: return 3;
  case ATTR_LOC: return 1;
  case ATTR_OPAQUE: return strncmp(attr->str->text, "distinct[", 9) == 0 ? 0 : -1;
  default: return -1;
  }
}

static bool has_alias(const Attr *attr) {
  return attr->kind >= ATTR_AFFINE_MAP && alias_kind(attr) >= 0;
}

/* A location made of others. */
static bool is_nested_location(const Attr *attr) {
  return attr->kind == ATTR_LOC && attr->loc_kind >= LOC_NAME && attr->loc_kind != LOC_OPAQUE;
}

u32 alias_add(Aliases *aliases, const Attr *attr, bool deferred) {
  u64 known;
  u32 depth = 0;
  if (map_get(&aliases->index, attr->id, &known)) {
    if (!deferred && aliases->deferred.at[known]) {
      aliases->deferred.at[known] = false;
      if (is_nested_location(attr))
        for (u32 i = 0; i < attr->n; i++)
          if (has_alias(attr->elems[i])) alias_add(aliases, attr->elems[i], false);
    }
    return (u32)known;
  }
  u32 at = (u32)aliases->attrs.len;
  map_put(&aliases->index, attr->id, at);
  vec_push(&aliases->attrs, attr);
  u32 number = aliases->counts[alias_kind(attr)]++;
  vec_push(&aliases->number, number);
  vec_push(&aliases->deferred, deferred);
  vec_push(&aliases->depth, 0);
  if (is_nested_location(attr))
    for (u32 i = 0; i < attr->n; i++) {
      if (!has_alias(attr->elems[i])) continue;
      u32 child = alias_add(aliases, attr->elems[i], deferred);
      if (aliases->depth.at[child] >= depth) depth = aliases->depth.at[child] + 1;
    }
  aliases->depth.at[at] = depth;
  return at;
}

static void put_name(Buf *out, const Aliases *aliases, u32 at) {
  put_char(out, '#');
  put_text(out, alias_names[alias_kind(aliases->attrs.at[at])]);
  if (aliases->number.at[at]) put_number(out, aliases->number.at[at]);
}

bool put_alias_of(Buf *out, Aliases *aliases, const Attr *attr) {
  u64 known;
  if (!aliases || !has_alias(attr)) return false;
  if (!aliases->fixed)
    known = alias_add(aliases, attr, false);
  else if (!map_get(&aliases->index, attr->id, &known))
    return false;
  put_name(out, aliases, (u32)known);
  return true;
}

/* ---- numbering and definitions --------------------------------------------------------------- */

/* What the order of definitions depends on. */
typedef struct {
  u32 depth, at;
  int kind;
} AliasKey;

static int compare_keys(const void *a, const void *b) {
  const AliasKey *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  if (x->kind != y->kind) return x->kind - y->kind;
  return x->at < y->at ? -1 : 1;
}

/* All aliases in the order of their definitions. */
static AliasKey *alias_order(const Aliases *aliases) {
  size_t n = aliases->attrs.len;
  AliasKey *keys = mem_alloc(mem_size(n, sizeof *keys));
  for (u32 i = 0; i < n; i++)
    keys[i] = (AliasKey){aliases->depth.at[i], i, alias_kind(aliases->attrs.at[i])};
  qsort(keys, n, sizeof *keys, compare_keys);
  return keys;
}

void aliases_fix(Aliases *aliases) {
  AliasKey *order = alias_order(aliases);
  memset(aliases->counts, 0, sizeof aliases->counts);
  for (size_t i = 0; i < aliases->attrs.len; i++)
    aliases->number.at[order[i].at] = aliases->counts[order[i].kind]++;
  mem_free(order);
  aliases->fixed = true;
}

void aliases_define(Buf *out, Aliases *aliases, bool deferred) {
  AliasKey *order = alias_order(aliases);
  for (size_t i = 0; i < aliases->attrs.len; i++) {
    u32 at = order[i].at;
    const Attr *attr = aliases->attrs.at[at];
    if (aliases->deferred.at[at] != deferred) continue;
    put_name(out, aliases, at);
    PUT(out, " = ");
    put_attr_body(out, aliases, attr);
    put_char(out, '\n');
  }
  mem_free(order);
}

void aliases_free(Aliases *aliases) {
  map_free(&aliases->index);
  vec_free(&aliases->attrs);
  vec_free(&aliases->number);
  vec_free(&aliases->deferred);
  vec_free(&aliases->depth);
}

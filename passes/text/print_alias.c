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

/* The name of aliases of this kind: #map, #set, #loc, #distinct; NULL: there are none. */
static const char *alias_name(const Attr *attr) {
  switch ((AttrKind)attr->kind) {
  case ATTR_AFFINE_MAP: return "map";
  case ATTR_AFFINE_SET: return "set";
  case ATTR_LOC: return "loc";
  case ATTR_OPAQUE: return strncmp(attr->str->text, "distinct[", 9) == 0 ? "distinct" : NULL;
  default: return NULL;
  }
}

static bool has_alias(const Attr *attr) {
  return attr->kind >= ATTR_AFFINE_MAP && alias_name(attr);
}

/* The number of aliases of this kind so far. */
static u32 *counter(Aliases *aliases, const Attr *attr) {
  switch ((AttrKind)attr->kind) {
  case ATTR_AFFINE_MAP: return &aliases->counts[0];
  case ATTR_AFFINE_SET: return &aliases->counts[1];
  case ATTR_LOC: return &aliases->counts[2];
  default: return &aliases->counts[3];
  }
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
  u32 number = (*counter(aliases, attr))++;
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
  put_text(out, alias_name(aliases->attrs.at[at]));
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

static bool comes_before(const Aliases *aliases, u32 a, u32 b) {
  if (aliases->depth.at[a] != aliases->depth.at[b])
    return aliases->depth.at[a] < aliases->depth.at[b];
  int order = strcmp(alias_name(aliases->attrs.at[a]), alias_name(aliases->attrs.at[b]));
  return order ? order < 0 : a < b;
}

/* Indices of all aliases in the order of their definitions, by a merge sort. */
static u32 *alias_order(const Aliases *aliases) {
  u32 n = (u32)aliases->attrs.len;
  u32 *from = mem_alloc(mem_size(n, sizeof *from)), *to = mem_alloc(mem_size(n, sizeof *to));
  for (u32 i = 0; i < n; i++) from[i] = i;
  for (u64 width = 1; width < n; width *= 2) {
    for (u64 start = 0; start < n; start += 2 * width) {
      u64 mid = start + width < n ? start + width : n, end = mid + width < n ? mid + width : n;
      u64 a = start, b = mid;
      for (u64 i = start; i < end; i++)
        to[i] = b == end || (a < mid && comes_before(aliases, from[a], from[b])) ? from[a++]
                                                                                 : from[b++];
    }
    u32 *swap = from;
    from = to;
    to = swap;
  }
  mem_free(to);
  return from;
}

void aliases_fix(Aliases *aliases) {
  u32 *order = alias_order(aliases);
  memset(aliases->counts, 0, sizeof aliases->counts);
  for (size_t i = 0; i < aliases->attrs.len; i++)
    aliases->number.at[order[i]] = (*counter(aliases, aliases->attrs.at[order[i]]))++;
  mem_free(order);
  aliases->fixed = true;
}

void aliases_define(Buf *out, Aliases *aliases, bool deferred) {
  u32 *order = alias_order(aliases);
  for (size_t i = 0; i < aliases->attrs.len; i++) {
    const Attr *attr = aliases->attrs.at[order[i]];
    if (aliases->deferred.at[order[i]] != deferred) continue;
    put_name(out, aliases, order[i]);
    PUT(out, " = ");
    if (attr->kind == ATTR_AFFINE_MAP) {
      PUT(out, "affine_map<");
      put_affine_map(out, attr->map);
      put_char(out, '>');
    } else if (attr->kind == ATTR_LOC) {
      PUT(out, "loc(");
      put_location(out, aliases, attr);
      put_char(out, ')');
    } else {
      put_str(out, attr->str);
    }
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

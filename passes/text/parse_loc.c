/* parse_loc.c -- loc(...): the source locations of ops that a file gives.
 *
 *     loc("a.c":3:7)   loc("name"("a.c":3:7))   loc(callsite("f" at "a.c":3:7))
 *     loc(fused<"cse">["a.c":3:7, "b.c":1:1])   loc(unknown)   loc(#loc3)
 *
 * The alias of an op's location is usually defined at the end of the file: such ops are remembered
 * and get their location when the file is read. Locations of block arguments are checked and
 * dropped. */
#include "text/parse.h"

static const Attr *parse_location(Parser *p);

static const Attr *unknown(Parser *p) {
  return attr_loc_unknown(p->ctx);
}

/* "file":line:column, or a range: `to line:column`, `to :column` of the same line (kept as text),
 * or "name"(child). */
static const Attr *parse_string_location(Parser *p) {
  const char *start = p->cur;
  const Str *text = parse_string(p);
  Span file = {start, (u32)(p->last_end - start)};
  if (accept(p, '(')) {
    const Attr *child = parse_location(p);
    expect(p, ')', "')'");
    return attr_loc_name(p->ctx, text, child);
  }
  if (!accept(p, ':')) return attr_loc_name(p->ctx, text, NULL);
  u32 line = parse_count(p, UINT32_MAX, "a line number");
  u32 column = accept(p, ':') ? parse_count(p, UINT32_MAX, "a column number") : 0;
  if (!accept_word(p, "to")) return attr_loc_file(p->ctx, text, line, column);
  u32 last_line = at(p, ':') ? line : parse_count(p, UINT32_MAX, "a line number");
  expect(p, ':', "':' and a column number");
  u32 last_column = parse_count(p, UINT32_MAX, "a column number");
  if (p->failed) return unknown(p);
  if (last_line == line && last_column == column) return attr_loc_file(p->ctx, text, line, column);
  Buf range = {0};
  buf_printf(&range, "%.*s:%u:%u to ", (int)file.len, file.at, line, column);
  if (last_line != line) buf_u64(&range, last_line);
  buf_printf(&range, ":%u", last_column);
  const Attr *attr = attr_loc_opaque(p->ctx, str_intern(p->ctx, range.data, range.len));
  buf_free(&range);
  return attr;
}

static const Attr *parse_fused(Parser *p) {
  const Attr *metadata = NULL;
  u32 mark = (u32)p->elems.len;
  if (accept(p, '<')) {
    metadata = parse_attr(p);
    expect(p, '>', "'>'");
  }
  expect(p, '[', "'['");
  if (!at(p, ']')) {
    do {
      const Attr *loc = parse_location(p);
      vec_push(&p->elems, loc);
    } while (accept(p, ','));
  }
  expect(p, ']', "']'");
  const Attr *attr = attr_loc_fused(p->ctx, p->elems.at + mark, (u32)p->elems.len - mark, metadata);
  p->elems.len = mark;
  return attr;
}

static const Attr *parse_callsite(Parser *p) {
  expect(p, '(', "'('");
  const Attr *callee = parse_location(p);
  expect_word(p, "at");
  const Attr *caller = parse_location(p);
  expect(p, ')', "')'");
  return attr_loc_callsite(p->ctx, callee, caller);
}

/* The location in loc(...), or one nested in it, where loc( ) may be left out. */
static const Attr *parse_location(Parser *p) {
  if (!nest(p)) return unknown(p);
  const Attr *attr = unknown(p);
  if (at(p, '"')) {
    attr = parse_string_location(p);
  } else if (at(p, '#')) {
    Loc loc = loc_here(p);
    attr = parse_attr(p);
    if (!p->failed && attr->kind != ATTR_LOC)
      fail(p, loc, COMP_TEXT_ATTR, "this alias is not a location");
  } else if (accept_word(p, "callsite")) {
    attr = parse_callsite(p);
  } else if (accept_word(p, "fused")) {
    attr = parse_fused(p);
  } else if (accept_word(p, "loc")) {
    attr = parse_loc_attr(p);
  } else if (!accept_word(p, "unknown")) {
    fail_expected(p, "a location");
  }
  unnest(p);
  return p->failed ? unknown(p) : attr;
}

const Attr *parse_loc_attr(Parser *p) {
  expect(p, '(', "'('");
  const Attr *attr = parse_location(p);
  expect(p, ')', "')'");
  return attr;
}

/* An alias inside loc( ) that is not defined yet, or NULL. */
static const Str *future_alias(Parser *p) {
  if (!at(p, '#')) return NULL;
  Span name = {p->cur + 1, (u32)(run_end(p->cur + 1, IS_NAME) - p->cur - 1)};
  u64 known;
  if (name.len == 0 || memchr(name.at, '.', name.len)) return NULL;
  const Str *alias = intern(p, name);
  if (map_get(&p->attr_aliases, alias->id, &known)) return NULL;
  advance(p, name.at + name.len);
  return alias;
}

const Attr *parse_loc(Parser *p, const Str **late) {
  *late = NULL;
  if (*p->cur != 'l' || !accept_word(p, "loc")) return NULL;
  expect(p, '(', "'('");
  *late = future_alias(p);
  const Attr *attr = *late ? NULL : parse_location(p);
  expect(p, ')', "')'");
  return attr;
}

void skip_loc(Parser *p) {
  const Str *late;
  Loc loc = loc_here(p);
  parse_loc(p, &late);
  if (late) vec_push(&p->late_locs, ((LateLoc){.alias = late, .loc = loc}));
}

/* The place that a file location names, also one inside of a name or callsite, in a source that was
 * read. */
static Loc loc_of(Parser *p, const Attr *attr) {
  while (attr && (attr->loc_kind == LOC_NAME || attr->loc_kind == LOC_CALLSITE) && attr->n)
    attr = attr->elems[0];
  if (!attr || attr->loc_kind != LOC_FILE) return LOC_NONE;
  return source_at(p->ctx, attr->str->text, (u32)(attr->i >> 32), (u32)attr->i);
}

/* Arguments of a function, induction variables of loops. */
static void set_args_location(Block *block, Loc loc) {
  for (u32 i = 0; block && i < block->nargs; i++) block->args[i]->loc = loc;
}

void set_location(Parser *p, Op *op, const Attr *attr) {
  op_set_loc_attr(p->m, op, attr);
  Loc loc = p->src->is_translation ? loc_of(p, attr) : LOC_NONE;
  if (!loc) return;
  op->loc = loc;
  for (u32 i = 0; i < op->nresults; i++) op->results[i].loc = loc;
  for (u32 r = 0; r < op->nregions; r++) set_args_location(op->regions[r].first, loc);
}

void resolve_locs(Parser *p) {
  for (size_t i = 0; i < p->late_locs.len; i++) {
    const LateLoc *late = &p->late_locs.at[i];
    u64 at;
    if (!map_get(&p->attr_aliases, late->alias->id, &at)) {
      diag(p->ctx, late->loc, COMP_TEXT_ALIAS, "the location alias #%s is not defined",
           late->alias->text);
      continue;
    }
    const Attr *attr = p->aliases.at[at].meaning;
    if (attr->kind != ATTR_LOC)
      diag(p->ctx, late->loc, COMP_TEXT_ATTR, "the alias #%s is not a location", late->alias->text);
    else if (late->op)
      set_location(p, late->op, attr);
  }
}

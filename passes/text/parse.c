/* parse.c -- the basis of the parser: looking at the next characters, errors, and the top level.
 *
 * A file is a list of ops, of aliases (`#map = ...`, `!t = ...`), and maybe `{-# metadata #-}` at
 * the end. If the only op is a module, it is the result; otherwise the ops are put into a new one,
 * as mlir-opt does.
 *
 *     #map = affine_map<(d0) -> (d0 * 2)>          alias, resolved where it is used
 *     func.func @f(%a: memref<4xi32, #map>) {      names are bound as they are met; see
 *       return                                     parse_names.c
 *     }
 *
 * Cost: each character is looked at once or twice, and looking allocates nothing.
 * Recursion follows the nesting of regions, types, attributes and affine expressions, each at
 * most MAX_NESTED deep, so hostile nesting ends in a diagnostic. */
#include "text/parse.h"

static const char nothing[] = "";

static const char *const word_texts[WORD_COUNT] = {
#define WORD_TEXT(id, text) text,
    WORDS(WORD_TEXT)
#undef WORD_TEXT
};

/* A new parser of a source, into a module (which may be NULL for a type alone). */
static void parser_init(Parser *p, Context *ctx, const Source *source, Module *m) {
  *p = (Parser){.ctx = ctx, .m = m, .src = source};
  p->end = source->text + source->len;
  p->scratch = arena_new();
  /* so that an empty range of a stack points into it, and is not NULL */
  enum { A_FEW = 16 };
  vec_reserve(&p->operands, A_FEW);
  vec_reserve(&p->values, A_FEW);
  vec_reserve(&p->types, A_FEW);
  vec_reserve(&p->attrs, A_FEW);
  vec_reserve(&p->elems, A_FEW);
  p->isolated = p->last_isolated = 1;
  p->i32 = type_int(ctx, 32, SIGNLESS);
  const char *start = source->text;
  if (memcmp(start, "\xEF\xBB\xBF", source->len < 3 ? source->len + 1 : 3) == 0) start += 3;
  for (u32 i = 0; m && i < WORD_COUNT; i++) p->words[i] = str_of(ctx, word_texts[i]);
  advance(p, start);
}

static void parser_free(Parser *p) {
  arena_free(p->scratch);
  vec_free(&p->operands);
  vec_free(&p->values);
  vec_free(&p->types);
  vec_free(&p->attrs);
  vec_free(&p->succs);
  vec_free(&p->args);
  vec_free(&p->regions);
  vec_free(&p->elems);
  vec_free(&p->results);
  vec_free(&p->labels);
  map_free(&p->sets);
  map_free(&p->label_index);
  vec_free(&p->names);
  vec_free(&p->bindings);
  vec_free(&p->numbers);
  mem_free(p->name_table);
  vec_free(&p->defined);
  vec_free(&p->hidden);
  vec_free(&p->hidden_names);
  vec_free(&p->forwards);
  map_free(&p->forward_index);
  map_free(&p->attr_aliases);
  map_free(&p->type_aliases);
  vec_free(&p->aliases);
  vec_free(&p->late_locs);
  buf_free(&p->metadata);
  mem_free(p->kinds);
}

/* ---- errors ---------------------------------------------------------------------------------- */

void give_up(Parser *p) {
  if (p->failed) return;
  p->failed = true;
  p->failed_at = p->cur;
  p->cur = nothing;
}

bool fail(Parser *p, Loc loc, Code code, const char *format, ...) {
  if (p->failed) return false;
  va_list args;
  va_start(args, format);
  diag_args(p->ctx, loc, code, format, args);
  va_end(args);
  give_up(p);
  return false;
}

/* The text at `s` for "found ...": a word, a value, a number, or one character. */
static void describe(const Parser *p, const char *s, char *out, size_t size) {
  const char *stop = s + 1;
  if (s == p->end) {
    snprintf(out, size, "the end of the file");
    return;
  }
  if (*s == '"') {
    snprintf(out, size, "a string");
    return;
  }
  if ((unsigned char)*s < ' ' || (unsigned char)*s > '~') {
    snprintf(out, size, "the byte 0x%02X", (unsigned char)*s);
    return;
  }
  if (char_is(*s, IS_WORD)) stop = run_end(s, IS_WORD);
  if (*s == '%' || *s == '@' || *s == '^' || *s == '#' || *s == '!') stop = run_end(s + 1, IS_NAME);
  if (s[0] == '-' && s[1] == '>') stop = s + 2;
  int len = stop - s > 40 ? 40 : (int)(stop - s);
  snprintf(out, size, "'%.*s'%s", len, s, stop - s > 40 ? "..." : "");
}

bool fail_expected(Parser *p, const char *want) {
  if (p->failed) return false;
  if (p->cur == p->end) {
    if (p->end_reported) {
      give_up(p);
      return false;
    }
    p->end_reported = true;
  }
  char found[80];
  describe(p, p->cur, found, sizeof found);
  /* report something missing at the end of a line there, not at the start of the next one */
  const char *where = p->cur;
  if (p->last_end && p->last_end < p->cur &&
      memchr(p->last_end, '\n', (size_t)(p->cur - p->last_end)))
    where = p->last_end;
  return fail(p, loc_at(p, where), COMP_TEXT_SYNTAX, "expected %s, but got %s", want, found);
}

bool nest(Parser *p) {
  if (++p->nested > p->deepest) p->deepest = p->nested;
  if (p->nested <= MAX_NESTED) return true;
  return fail(p, loc_here(p), COMP_TEXT_NESTING, "nested more than %d deep", MAX_NESTED);
}

/* ---- words ----------------------------------------------------------------------------------- */

bool at_arrow(const Parser *p) {
  return p->cur[0] == '-' && p->cur[1] == '>';
}

bool accept_arrow(Parser *p) {
  if (!at_arrow(p)) return false;
  advance(p, p->cur + 2);
  return true;
}

bool expect_arrow(Parser *p) {
  return accept_arrow(p) || fail_expected(p, "'->'");
}

Span peek_word(const Parser *p) {
  if (!char_is(*p->cur, IS_LETTER)) return (Span){p->cur, 0};
  return (Span){p->cur, (u32)(run_end(p->cur, IS_WORD) - p->cur)};
}

bool at_word(const Parser *p, const char *word) {
  size_t len = strlen(word);
  return strncmp(p->cur, word, len) == 0 && !char_is(p->cur[len], IS_WORD);
}

bool accept_word(Parser *p, const char *word) {
  if (*p->cur != *word || !at_word(p, word)) return false;
  advance(p, p->cur + strlen(word));
  return true;
}

bool expect_word(Parser *p, const char *word) {
  if (accept_word(p, word)) return true;
  char want[64];
  snprintf(want, sizeof want, "'%s'", word);
  return fail_expected(p, want);
}

Span expect_any_word(Parser *p, const char *want) {
  Span word = peek_word(p);
  if (word.len == 0)
    fail_expected(p, want);
  else
    advance(p, word.at + word.len);
  return word;
}

/* ---- the file -------------------------------------------------------------------------------- */

const void *use_alias(Parser *p, Span name, char sigil) {
  u64 at;
  Map *index = sigil == '#' ? &p->attr_aliases : &p->type_aliases;
  if (name.len == 0 || !map_get(index, intern(p, name)->id, &at)) return NULL;
  const Alias *alias = &p->aliases.at[at];
  bool location = sigil == '#' && ((const Attr *)alias->meaning)->kind == ATTR_LOC;
  p->alias_weight += alias->weight;
  if (p->nested + alias->depth > p->deepest) p->deepest = p->nested + alias->depth;
  if (p->nested + alias->depth > MAX_NESTED)
    fail(p, loc_at(p, name.at), COMP_TEXT_NESTING,
         "nested more than %d deep once this alias is expanded", MAX_NESTED);
  else if (p->alias_weight / MAX_WEIGHT > 256 && !location)
    fail(p, loc_at(p, name.at), COMP_TEXT_COUNT,
         "the aliases of this file are too long once expanded");
  else
    return alias->meaning;
  return sigil == '#' ? (const void *)attr_unit(p->ctx) : (const void *)type_none(p->ctx);
}

void hint_alias(Parser *p, Span name, char sigil) {
  if (p->ctx->muted) return;
  Vec(const char *) names = {0};
  for (size_t i = 0; i < p->aliases.len; i++)
    if (p->aliases.at[i].sigil == sigil) vec_push(&names, p->aliases.at[i].name);
  const char *near = nearest_name(intern(p, name)->text, names.at, names.len);
  vec_free(&names);
  if (near) diag_hint(p->ctx, "did you mean %c%s?", sigil, near);
}

/* The name in `#name = ...`; NULL after an error. */
static const Str *parse_alias_name(Parser *p, char sigil) {
  Loc loc = loc_here(p);
  u64 known;
  Span name = {p->cur + 1, (u32)(run_end(p->cur + 1, IS_NAME) - p->cur - 1)};
  advance(p, name.at + name.len);
  if (name.len == 0 || memchr(name.at, '.', name.len)) {
    fail(p, loc, COMP_TEXT_ALIAS, "an alias must be a name without dots, such as %cname", sigil);
    return NULL;
  }
  const Str *str = intern(p, name);
  if (map_get(sigil == '#' ? &p->attr_aliases : &p->type_aliases, str->id, &known))
    fail(p, loc, COMP_TEXT_ALIAS, "the alias %c%s is defined twice", sigil, str->text);
  return p->failed ? NULL : str;
}

/* `#name = attribute` or `!name = type`. */
static void parse_alias(Parser *p) {
  char sigil = *p->cur;
  Loc loc = loc_here(p);
  const Str *name = parse_alias_name(p, sigil);
  if (!name || !expect(p, '=', "'='")) return;
  if (sigil == '!') accept_word(p, "type"); /* until LLVM 15 */
  u64 before = p->alias_weight;
  const char *start = p->cur;
  p->deepest = 0;
  const void *meaning = sigil == '#' ? (const void *)parse_attr(p) : (const void *)parse_type(p);
  u64 others = p->alias_weight - before, weight = others + (u64)(p->last_end - start);
  p->alias_weight = before;
  if (others > MAX_WEIGHT)
    fail(p, loc, COMP_TEXT_COUNT, "the alias %c%s is too long once expanded", sigil, name->text);
  if (p->failed) { /* define a placeholder, so that its uses are no errors of their own */
    meaning = sigil == '#' ? (const void *)attr_unit(p->ctx) : (const void *)type_none(p->ctx);
    weight = 0;
    p->deepest = 0;
  }
  map_put(sigil == '#' ? &p->attr_aliases : &p->type_aliases, name->id, p->aliases.len);
  vec_push(&p->aliases, ((Alias){.name = name->text,
                                 .sigil = sigil,
                                 .meaning = meaning,
                                 .depth = p->deepest,
                                 .weight = weight < UINT32_MAX ? (u32)weight : UINT32_MAX}));
}

/* {-# ... #-}, appended verbatim to the metadata read so far. */
static void parse_metadata(Parser *p) {
  const char *start = p->cur, *s = start + 3;
  while (*s && strncmp(s, "#-}", 3) != 0) {
    const char *after = skip_string_or_comment(s);
    s = after && after != s ? after : s + 1;
  }
  if (!*s) {
    fail(p, loc_at(p, start), COMP_TEXT_SYNTAX, "the metadata that starts here has no end: '#-}'");
    p->last_end = s; /* it swallows the rest of the file */
    return;
  }
  if (p->metadata.len) buf_char(&p->metadata, '\n');
  buf_put(&p->metadata, start, (size_t)(s + 3 - start));
  advance(p, s + 3);
}

/* Goes on behind the line of an error in the statement that began at `start`. */
static void recover_at_top(Parser *p, const char *start) {
  p->failed = false;
  p->nested = 0;
  const char *s = p->last_end > start ? p->last_end : start + 1;
  while (*s && *s != '\n') s++;
  advance(p, s);
}

static void parse_top(Parser *p) {
  NameScope names = open_names(p, true);
  while (p->cur != p->end) {
    const char *start = p->cur;
    if (at(p, '#') || at(p, '!'))
      parse_alias(p);
    else if (strncmp(p->cur, "{-#", 3) == 0)
      parse_metadata(p);
    else
      parse_op(p);
    if (p->failed) recover_at_top(p, start);
  }
  close_names(p, names);
  resolve_locs(p);
}

/* If the file's only op is a module, makes it the result. */
static void unwrap(Module *m) {
  Op *only = m->top->regions[0].first->first;
  if (!only || only->next || only->kind != OP_BUILTIN_MODULE) return;
  op_unlink(only);
  m->top = only;
}

Module *text_parse(Context *ctx, const Source *source) {
  u32 errors = ctx->errors;
  const char *nul = memchr(source->text, '\0', source->len);
  if (nul) {
    diag(ctx, source->base + (Loc)(nul - source->text), COMP_TEXT_SYNTAX,
         "unexpected NUL byte: this is not a text file");
    return NULL;
  }
  Module *m = module_new(ctx);
  Parser p;
  parser_init(&p, ctx, source, m);
  p.block = m->top->regions[0].first;
  p.parent = OP_BUILTIN_MODULE;
  m->top->loc = source->base;
  parse_top(&p);
  if (p.metadata.len) m->metadata = str_intern(ctx, p.metadata.data, p.metadata.len);
  parser_free(&p);
  if (ctx->errors == errors) {
    unwrap(m);
    return m;
  }
  module_free(m);
  return NULL;
}

const Type *text_parse_type(Context *ctx, const char *text) {
  Source source = {.name = "", .text = text, .len = (u32)strlen(text)};
  Parser p;
  parser_init(&p, ctx, &source, NULL);
  QuietScope quiet = diag_quiet(ctx);
  const Type *type = parse_type(&p);
  diag_quiet_end(ctx, &quiet);
  bool is_type = !p.failed && p.cur == p.end;
  parser_free(&p);
  return is_type ? type : NULL;
}

/* file.c -- makes golden traces from runs, writes, reads and compares them. See file.h.
 *
 * A line is made the same way for every engine: accesses and edges have histories, results and
 * memories are hashed here from their values, by the same bytes. The reader is strict (a trace is
 * written by a program, so any oddity means damage): sorted names, no blanks but those shown in
 * file.h, nothing after the last line. Comparing merges two sorted lists, in linear time.
 */
#include "golden/file.h"
#include "run/value.h"

#include "text/text.h"

#include <assert.h>
#include <stdlib.h>

#define FIRST_WORDS "loom golden trace "
static const char *const first_line = FIRST_WORDS "1";

/* ---- taking ---------------------------------------------------------------------------------- */

/* A name or type as written in a file, with \xNN escapes. */
static const char *escaped(Context *ctx, const char *text, bool spaces) {
  Buf buf = {0};
  for (const char *p = text; *p; p++) {
    bool plain = (*p > ' ' && *p < 0x7f && *p != '\\') || (*p == ' ' && spaces);
    if (plain)
      buf_char(&buf, *p);
    else
      buf_printf(&buf, "\\x%02x", (unsigned char)*p);
  }
  const char *out = str_intern(ctx, buf.data ? buf.data : "", buf.len)->text;
  buf_free(&buf);
  return out;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const GoldenLine *)a)->name, ((const GoldenLine *)b)->name);
}

static void sort_lines(GoldenLines *lines) {
  if (lines->len) qsort(lines->at, lines->len, sizeof *lines->at, by_name);
}

static const char *type_escaped(Context *ctx, const Type *type) {
  Buf buf = {0};
  text_type(type, &buf);
  const char *out = escaped(ctx, buf.data, true);
  buf_free(&buf);
  return out;
}

/* Hashes the scalars of one token, of which a tuple has several; returns the number of words. */
static size_t put_scalars(const Context *ctx, History *h, const Type *type, Elements values,
                          size_t at) {
  if (type->kind != TYPE_TUPLE) {
    u32 words = value_words(ctx, type), bits = type_bits(ctx, type);
    for (u32 i = 0; i < words; i++)
      history_piece(h, element_of(values, at + i),
                    history_bytes(i + 1 < words ? 64 : bits - 64 * i));
    return words;
  }
  size_t n = 0;
  for (u32 i = 0; i < type->nelems; i++) n += put_scalars(ctx, h, type->elems[i], values, at + n);
  return n;
}

/* The line of a result or memory, whose values are in an array. */
static GoldenLine line_of_values(Context *ctx, const char *kind, u32 number, const Type *type,
                                 Elements values) {
  History history = {0};
  for (size_t i = 0; i < values.n; history.count++) {
    size_t scalars = put_scalars(ctx, &history, type, values, i);
    if (scalars == 0) break; /* an empty tuple: nothing to hash */
    i += scalars;
  }
  GoldenLine line = {.name = str_printf(ctx, "%s.%u", kind, number)->text,
                     .type = type_escaped(ctx, type),
                     .count = history.count,
                     .hash = history_hash(&history),
                     .id = number};
  history_free(&history);
  return line;
}

void golden_take(Context *ctx, const RunResult *result, Golden *golden) {
  GoldenLines *lines = &golden->observable;
  golden->index_width = ctx->index_width;
  for (u32 i = 0; result->observable && i < result->accesses.len; i++) {
    const RunAccess *access = &result->accesses.at[i];
    if (!access->history.count) continue;
    const char *kind = access->is_store ? "store" : "load";
    vec_push(lines, ((GoldenLine){.name = str_printf(ctx, "%s.%u", kind, i)->text,
                                  .type = type_escaped(ctx, access->type),
                                  .count = access->history.count,
                                  .hash = history_hash(&access->history),
                                  .loc = access->loc,
                                  .id = i}));
  }
  for (size_t i = 0; i < result->memories.len; i++) {
    const RunMemory *m = &result->memories.at[i];
    vec_push(lines, line_of_values(ctx, "memory", m->arg, m->elem, array_elements(m->array)));
  }
  for (size_t i = 0; i < result->results.len; i++) {
    const RunTokens *r = &result->results.at[i];
    vec_push(lines, line_of_values(ctx, "result", (u32)i, r->type,
                                   elements_of_words(r->tokens.at, r->tokens.len)));
  }
  sort_lines(lines);
}

void golden_take_edges(Context *ctx, const Dfg *dfg, const History *results, Golden *golden) {
  const char **types = mem_alloc(mem_size((size_t)dfg->ntypes + 1, sizeof *types));
  for (u32 t = 0; t < dfg->ntypes; t++)
    types[t] = escaped(ctx, dfg_text(dfg, dfg->types[t].text), true);
  vec_reserve(&golden->edges, dfg->nedges);
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    if (!result->nedges) continue;
    GoldenLine line = {.type = types[result->type],
                       .count = results[r].count,
                       .hash = history_hash(&results[r]),
                       .loc = dfg->nodes[result->node].loc};
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
      line.name = escaped(ctx, dfg_text(dfg, dfg->edges[e].name), false);
      line.id = e;
      vec_push(&golden->edges, line);
    }
  }
  mem_free(types);
  sort_lines(&golden->edges);
}

void golden_free(Golden *golden) {
  vec_free(&golden->observable);
  vec_free(&golden->edges);
  *golden = (Golden){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_lines(const char *title, const GoldenLines *lines, Buf *buf) {
  buf_printf(buf, "\n%s\n", title);
  for (size_t i = 0; i < lines->len; i++) {
    const GoldenLine *line = &lines->at[i];
    buf_printf(buf, "%s %s %llu ", line->name, line->type, (unsigned long long)line->count);
    history_hash_text(line->hash, buf);
    buf_char(buf, '\n');
  }
}

void golden_write(const Golden *golden, Buf *buf) {
  buf_printf(buf, "%s\nindex %u\n", first_line, golden->index_width);
  write_lines("observable", &golden->observable, buf);
  write_lines("edges", &golden->edges, buf);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* `at` is at the start of a line; `stop` at its end, or at the end of the text. */
typedef struct {
  Context *ctx;
  const Source *source;
  const char *at, *stop, *end;
} Lines;

PRINTF_LIKE(3, 4)
static bool malformed(const Lines *lines, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(lines->ctx, lines->source->base + (Loc)(at - lines->source->text), RT_GOLDEN_FORM,
            format, args);
  va_end(args);
  return false;
}

static void find_stop(Lines *lines) {
  const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
  lines->stop = newline ? newline : lines->end;
}

static void next_line(Lines *lines) {
  lines->at = lines->stop < lines->end ? lines->stop + 1 : lines->end;
  find_stop(lines);
}

static bool line_is(const Lines *lines, const char *text) {
  size_t len = strlen(text);
  return (size_t)(lines->stop - lines->at) == len && memcmp(lines->at, text, len) == 0;
}

static bool expect_line(Lines *lines, const char *text) {
  if (lines->at == lines->end || !line_is(lines, text))
    return malformed(lines, lines->at, "expected the line \"%s\"", text);
  next_line(lines);
  return true;
}

/* Reads the first line. A byte order mark, CR LF and other versions get messages of their own. */
static bool expect_header(Lines *lines) {
  const char *text = lines->source->text, *at = text;
  size_t prefix = strlen(FIRST_WORDS), len = (size_t)(lines->end - text);
  if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    return malformed(lines, text, "the file must not start with a byte order mark");
  for (; (at = memchr(at, '\r', (size_t)(lines->end - at))); at++)
    if (at + 1 < lines->end && at[1] == '\n')
      return malformed(lines, at, "the line must end in LF, but ends in CR LF");
  if (len > prefix && memcmp(text, FIRST_WORDS, prefix) == 0 && !line_is(lines, first_line) &&
      text[prefix] >= '0' && text[prefix] <= '9')
    return malformed(lines, text + prefix, "this is version %.*s of golden traces; LOOM %s reads 1",
                     (int)(lines->stop - text - (ptrdiff_t)prefix < 20
                               ? lines->stop - text - (ptrdiff_t)prefix
                               : 20),
                     text + prefix, LOOM_VERSION);
  return expect_line(lines, first_line);
}

/* Reads a decimal number that ends at `stop`, of at most 19 digits without leading zeros. */
static bool read_decimal(const char *at, const char *stop, u64 *number) {
  *number = 0;
  if (at == stop || stop - at > 19 || (*at == '0' && stop - at > 1)) return false;
  for (; at < stop; at++) {
    if (*at < '0' || *at > '9') return false;
    *number = *number * 10 + (u64)(*at - '0');
  }
  return true;
}

static bool read_half(const char *digits, u64 *half) {
  static const char hex[] = "0123456789abcdef";
  *half = 0;
  for (int i = 0; i < 16; i++) {
    const char *found = digits[i] ? strchr(hex, digits[i]) : NULL;
    if (!found) return false;
    *half = *half << 4 | (u64)(found - hex);
  }
  return true;
}

/* Reads "xxh3:" and 32 digits, from `at` to the line's end. */
static bool read_hash(const Lines *lines, const char *at, Hash128 *hash) {
  return lines->stop - at == 37 && memcmp(at, "xxh3:", 5) == 0 && read_half(at + 5, &hash->high) &&
         read_half(at + 21, &hash->low);
}

/* The start of the last word before `stop`. */
static const char *last_word(const char *first, const char *stop) {
  while (stop > first && stop[-1] != ' ') stop--;
  return stop;
}

/* Reads NAME TYPE COUNT HASH; a type may contain blanks. */
static bool read_line(Lines *lines, GoldenLine *line) {
  const char *first = lines->at, *stop = lines->stop, *hash = last_word(first, stop);
  const char *name_end = memchr(first, ' ', (size_t)(stop - first));
  if (stop > first && (stop[-1] == ' ' || stop[-1] == '\t'))
    return malformed(lines, stop - 1, "unexpected blank at the end of the line");
  const char *count = hash > first ? last_word(first, hash - 1) : first;
  if (!name_end || name_end == first || count <= name_end + 2 || count >= hash ||
      name_end[1] == ' ' || count[-2] == ' ')
    return malformed(lines, first, "expected NAME TYPE COUNT xxh3:HASH");
  if (!read_decimal(count, hash - 1, &line->count))
    return malformed(lines, count, "expected a number of tokens without leading zeros");
  if (!read_hash(lines, hash, &line->hash))
    return malformed(lines, hash, "expected xxh3: and 32 hexadecimal digits");
  line->name = str_intern(lines->ctx, first, (size_t)(name_end - first))->text;
  line->type = str_intern(lines->ctx, name_end + 1, (size_t)(count - 1 - (name_end + 1)))->text;
  line->loc = lines->source->base + (Loc)(first - lines->source->text);
  return true;
}

/* Reads the lines of a section, up to a blank line or the end. */
static bool read_section(Lines *lines, const char *title, GoldenLines *out) {
  if (!expect_line(lines, "") || !expect_line(lines, title)) return false;
  while (lines->at < lines->end && lines->at < lines->stop) {
    GoldenLine line = {0};
    if (!read_line(lines, &line)) return false;
    assert(line.name);
    int order = out->len ? strcmp(vec_last(out).name, line.name) : -1;
    if (order == 0) return malformed(lines, lines->at, "duplicate name %.60s", line.name);
    if (order > 0)
      return malformed(lines, lines->at, "names must be sorted: %.60s must not follow %.60s",
                       line.name, vec_last(out).name);
    vec_push(out, line);
    next_line(lines);
  }
  return true;
}

static bool read_index_width(Lines *lines, unsigned *width) {
  u64 number = 0;
  bool good = lines->stop - lines->at > 6 && memcmp(lines->at, "index ", 6) == 0 &&
              read_decimal(lines->at + 6, lines->stop, &number) && number >= 32 && number <= 64;
  if (!good)
    return malformed(lines, lines->at, "expected the line \"index N\" with N from 32 to 64");
  *width = (unsigned)number;
  next_line(lines);
  return true;
}

bool golden_parse(Context *ctx, const Source *source, Golden *golden) {
  Lines lines = {ctx, source, source->text, NULL, source->text + source->len};
  find_stop(&lines);
  bool good = expect_header(&lines) && read_index_width(&lines, &golden->index_width) &&
              read_section(&lines, "observable", &golden->observable) &&
              read_section(&lines, "edges", &golden->edges);
  if (good && lines.at < lines.end)
    good = malformed(&lines, lines.at, "expected the end of the file");
  if (good && source->len && lines.end[-1] != '\n')
    good = malformed(&lines, lines.end, "the last line is truncated");
  if (!good) golden_free(golden);
  return good;
}

bool golden_read(Context *ctx, const char *path, Golden *golden) {
  const Source *source = source_read(ctx, path);
  return source && golden_parse(ctx, source, golden);
}

/* ---- comparing ------------------------------------------------------------------------------- */

bool golden_same(const GoldenLine *a, const GoldenLine *b) {
  return a->count == b->count && a->hash.high == b->hash.high && a->hash.low == b->hash.low &&
         strcmp(a->type, b->type) == 0;
}

bool golden_next_difference(const GoldenLines *a, size_t *i, const GoldenLines *b, size_t *j,
                            const GoldenLine **left, const GoldenLine **right) {
  while (*i < a->len || *j < b->len) {
    int order = *i == a->len ? 1 : *j == b->len ? -1 : strcmp(a->at[*i].name, b->at[*j].name);
    *left = order <= 0 ? &a->at[(*i)++] : NULL;
    *right = order >= 0 ? &b->at[(*j)++] : NULL;
    if (order != 0 || !golden_same(*left, *right)) return true;
  }
  return false;
}

const GoldenLine *golden_find(const GoldenLines *lines, const char *name) {
  GoldenLine key = {.name = name};
  return lines->len ? bsearch(&key, lines->at, lines->len, sizeof key, by_name) : NULL;
}

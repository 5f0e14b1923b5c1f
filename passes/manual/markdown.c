/* markdown.c -- splits a chapter of the manual into sections and fenced blocks.
 *
 *     # Loops                    section "Loops"
 *     ## scf.for                 section "Loops / scf.for"
 *     ```mlir                    a fence of that section: kind mlir, content up to the
 *     func.func ...              closing fence
 *     ```
 *
 * It parses only the Markdown that the manual uses: headings with #, fences of
 * three or more backticks or tildes at the start of a line (closed by at least as many), and the
 * two HTML comments that direct a section. Everything else is prose. A heading inside a fence is
 * content. One pass over the lines, linear.
 *
 * Mistakes of a chapter's author (an unknown label, an unclosed fence, a chapter without examples)
 * are collected as errors of the chapter and fail like tests: a block that silently is no test is
 * worse than a failing one.
 */
#include "manual/manual.h"

#include <stdlib.h>

enum { DEEPEST_HEADING = 6 };

typedef struct {
  Arena *arena;
  Chapter *chapter;
  const char *headings[DEEPEST_HEADING]; /* the path to here; NULL: none of that depth */
  u32 line;
} MarkdownReader;

typedef struct {
  const char *at;
  size_t len;
} Slice;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static Slice trimmed(Slice s) {
  while (s.len && is_blank(*s.at)) s.at++, s.len--;
  while (s.len && is_blank(s.at[s.len - 1])) s.len--;
  return s;
}

static const char *text_of(MarkdownReader *r, Slice s) {
  char *copy = arena_alloc(r->arena, s.len + 1);
  if (s.len) memcpy(copy, s.at, s.len);
  return copy;
}

static bool slice_is(Slice s, const char *text) {
  return s.len == strlen(text) && memcmp(s.at, text, s.len) == 0;
}

static bool starts_with(Slice s, const char *text) {
  size_t len = strlen(text);
  return s.len >= len && memcmp(s.at, text, len) == 0;
}

PRINTF_LIKE(3, 4)
static void complain(MarkdownReader *r, u32 line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ChapterError error = {line, arena_vprintf(r->arena, format, args)};
  va_end(args);
  vec_push(&r->chapter->errors, error);
}

/* ---- headings ------------------------------------------------------------------------------- */

static u32 heading_depth(Slice line) {
  u32 depth = 0;
  while (depth < line.len && line.at[depth] == '#') depth++;
  return depth <= DEEPEST_HEADING && depth < line.len && line.at[depth] == ' ' ? depth : 0;
}

static void open_section(MarkdownReader *r, Slice line, u32 depth) {
  Slice title = trimmed((Slice){line.at + depth, line.len - depth});
  r->headings[depth - 1] = text_of(r, title);
  for (u32 i = depth; i < DEEPEST_HEADING; i++) r->headings[i] = NULL;
  Buf path = {0};
  for (u32 i = 0; i < depth; i++) {
    if (!r->headings[i]) continue;
    if (path.len) buf_str(&path, " / ");
    buf_str(&path, r->headings[i]);
  }
  Section section = {
      .path = path.len ? arena_copy(r->arena, path.data, path.len + 1) : "",
      .line = r->line,
      .first = (u32)r->chapter->fences.len,
      .prose = line.at,
  };
  buf_free(&path);
  vec_push(&r->chapter->sections, section);
}

/* The section being read; text before the first heading gets one without a name. */
static Section *current_section(MarkdownReader *r) {
  if (r->chapter->sections.len == 0) {
    Section section = {.path = "(no heading)", .line = r->line, .prose = r->chapter->text};
    vec_push(&r->chapter->sections, section);
  }
  return &vec_last(&r->chapter->sections);
}

/* ---- <!-- skip: reason -->, <!-- engines: ref (reason) --> ---------------------------------- */

static void read_comment(MarkdownReader *r, Slice line) {
  Slice body = trimmed((Slice){line.at + 4, line.len - 4});
  if (body.len >= 3 && memcmp(body.at + body.len - 3, "-->", 3) == 0)
    body = trimmed((Slice){body.at, body.len - 3});
  Section *section = current_section(r);
  if (starts_with(body, "skip:")) {
    Slice reason = trimmed((Slice){body.at + 5, body.len - 5});
    if (!reason.len) complain(r, r->line, "expected a reason: <!-- skip: reason -->");
    section->skip = text_of(r, reason);
  } else if (starts_with(body, "engines:")) {
    Slice which = trimmed((Slice){body.at + 8, body.len - 8});
    section->ref_only = starts_with(which, "ref ");
    section->dfg_only = starts_with(which, "dfg ");
    const char *open = which.len ? memchr(which.at, '(', which.len) : NULL;
    if (!(section->ref_only || section->dfg_only) || !open)
      complain(r, r->line,
               "expected <!-- engines: ref (reason) --> or <!-- engines: dfg (reason) -->");
  }
}

/* ---- fences --------------------------------------------------------------------------------- */

/* The number of fence characters a line starts with: 3 or more, else 0. */
static size_t fence_length(Slice line) {
  size_t n = 0;
  if (line.len == 0 || (line.at[0] != '`' && line.at[0] != '~')) return 0;
  while (n < line.len && line.at[n] == line.at[0]) n++;
  return n >= 3 ? n : 0;
}

static bool closes(Slice line, char mark, size_t length) {
  size_t n = fence_length(line);
  return n >= length && line.at[0] == mark && trimmed((Slice){line.at + n, line.len - n}).len == 0;
}

/* Whether a name is that of a file in the example's folder. */
static bool is_plain_file_name(Slice name) {
  if (!name.len || name.at[0] == '.') return false;
  for (size_t i = 0; i < name.len; i++)
    if (name.at[i] == '/' || (unsigned char)name.at[i] <= ' ') return false;
  return true;
}

/* Reads the words after the opening fence. False: the block is neither a test nor a file. */
static bool read_label(MarkdownReader *r, Slice info, Fence *fence) {
  static const char *const labels[] = {"mlir", "console", "json", "text", "c"};
  size_t end = 0;
  while (end < info.len && !is_blank(info.at[end])) end++;
  Slice label = {info.at, end}, rest = trimmed((Slice){info.at + end, info.len - end});
  if (!label.len) return false;
  for (u32 i = 0; i < COUNT_OF(labels); i++) {
    if (!slice_is(label, labels[i])) continue;
    fence->kind = (FenceKind)i;
    if (starts_with(rest, "file=")) {
      Slice name = {rest.at + 5, rest.len - 5};
      const char *size = memmem(name.at, name.len, " size=", 6);
      if (size) {
        fence->size = strtoull(size + 6, NULL, 10);
        name.len = (size_t)(size - name.at);
      }
      if (is_plain_file_name(name))
        fence->file = text_of(r, name);
      else
        complain(r, r->line, "file= expects a plain file name");
    } else if (rest.len) {
      complain(r, r->line, "expected file=NAME after the label, but got '%.*s'", (int)rest.len,
               rest.at);
    }
    bool needs_file = i == FENCE_JSON || i == FENCE_TEXT || i == FENCE_C;
    if (needs_file && !fence->file)
      complain(r, r->line, "a %s block requires file=NAME", labels[i]);
    if (i == FENCE_CONSOLE && fence->file)
      complain(r, r->line, "a console block cannot have file=NAME");
    return !needs_file || fence->file;
  }
  const char *near = nearest_name(text_of(r, label), labels, COUNT_OF(labels));
  complain(r, r->line, "unknown label '%.*s'%s%s%s (mlir, console, json, text, c, or none)",
           (int)label.len, label.at, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
  return false;
}

/* ---- the chapter ---------------------------------------------------------------------------- */

static bool next_line(const char **at, const char *end, Slice *line) {
  if (*at >= end) return false;
  const char *stop = memchr(*at, '\n', (size_t)(end - *at));
  line->at = *at;
  line->len = (size_t)((stop ? stop : end) - *at);
  *at = stop ? stop + 1 : end;
  return true;
}

/* Called on an opening fence; leaves *at after the closing one. */
static void read_fence(MarkdownReader *r, Slice opening, const char **at, const char *end) {
  size_t length = fence_length(opening);
  u32 opened = r->line;
  Fence fence = {.line = opened, .text = *at};
  Slice info = trimmed((Slice){opening.at + length, opening.len - length});
  bool live = read_label(r, info, &fence);
  Slice line;
  bool closed = false;
  while (!closed && next_line(at, end, &line)) {
    r->line++;
    closed = closes(line, opening.at[0], length);
    if (!closed) fence.len = (size_t)(*at - fence.text);
  }
  if (!closed) complain(r, opened, "unterminated fence");
  if (!live) return;
  current_section(r)->n++;
  vec_push(&r->chapter->fences, fence);
}

void chapter_read(Arena *arena, const char *name, const char *text, size_t len, Chapter *chapter) {
  *chapter = (Chapter){.name = name, .text = text, .len = len};
  MarkdownReader r = {.arena = arena, .chapter = chapter};
  const char *at = text, *end = text + len;
  Slice line;
  while (next_line(&at, end, &line)) {
    r.line++;
    u32 depth = heading_depth(line);
    if (depth)
      open_section(&r, line, depth);
    else if (fence_length(line))
      read_fence(&r, line, &at, end);
    else if (starts_with(line, "<!--"))
      read_comment(&r, line);
  }
  for (size_t i = 0; i < chapter->sections.len; i++) {
    Section *section = &chapter->sections.at[i];
    const char *next = i + 1 < chapter->sections.len ? section[1].prose : end;
    section->prose_len = (size_t)(next - section->prose);
  }
  if (chapter->fences.len == 0) complain(&r, 1, "the chapter has no example");
}

void chapter_free(Chapter *chapter) {
  vec_free(&chapter->sections);
  vec_free(&chapter->fences);
  vec_free(&chapter->errors);
}

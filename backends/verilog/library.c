/* library.c -- which modules of the library a fabric needs: those that its text names, and those
 * that they name.
 *
 * Whatever is written goes by here. In a file of rtl/, a word loom_... that is the name of a file
 * of the library asks for it, but behind //. A module that calls C asks for loom_dpi.c.
 */
#include "verilog.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *file; /* "rtl/loom_fifo.sv" */
  const unsigned char *packed;
} LibraryFile;

#include "verilog_library.inc" /* library[]: every file of library/ */

typedef struct Written {
  const char *file;
  struct Written *next;
} Written;

struct Sources {
  unsigned char is_needed[LOOM_COUNT(library)], is_written[LOOM_COUNT(library)];
  Written *files; /* of rtl/ */
  uint32_t count;
  char word[40], last; /* the word that is being written, and the last character */
  uint32_t length;
  int in_comment; /* to the end of the line */
  uint64_t hash;  /* of every file's name and text */
};

static int is_in_rtl(const char *file) {
  return !strncmp(file, "rtl/", 4);
}

static int is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void need(struct Sources *s, const char *name, size_t length) {
  for (size_t i = 0; i < LOOM_COUNT(library); i++) {
    const char *base = library[i].file + strlen("rtl/");
    if (!strncmp(base, name, length) && base[length] == '.') s->is_needed[i] = 1;
  }
}

/* The word at hand has ended. */
static void end_word(struct Sources *s) {
  if (s->length > 5 && s->length < sizeof s->word && !strncmp(s->word, "loom_", 5))
    need(s, s->word, s->length);
  s->length = 0;
}

/* What is written comes in pieces, which may end within a word. */
static void note_char(struct Sources *s, char c) {
  if (is_word(c) && !s->in_comment) {
    if (s->length < sizeof s->word) s->word[s->length++] = c;
    s->last = c;
    return;
  }
  end_word(s);
  if (c == '/' && s->last == '/') s->in_comment = 1;
  if (c == '\n') s->in_comment = 0;
  s->last = c;
}

static void fold(struct Sources *s, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    s->hash = (s->hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    s->hash ^= s->hash >> 29;
  }
}

static void note_file(Verilog *v) {
  struct Sources *s = v->sources;
  Written *w = s->files;
  if (w && w->file == v->stream) return;
  while (w && strcmp(w->file, v->stream) != 0) w = w->next;
  if (w) return;
  w = verilog_alloc(v, 1, sizeof *w);
  *w = (Written){v->stream, s->files};
  fold(s, v->stream, strlen(v->stream));
  s->files = w;
  s->count++;
}

void library_note(Verilog *v, const char *bytes, size_t length) {
  if (!v->stream || !is_in_rtl(v->stream)) return;
  if (!v->sources) v->sources = verilog_alloc(v, 1, sizeof *v->sources);
  note_file(v);
  fold(v->sources, bytes, length);
  for (size_t i = 0; i < length; i++) note_char(v->sources, bytes[i]);
}

static void write_file(Verilog *v, size_t i) {
  source_open(v, library[i].file);
  v->sources->is_written[i] = 1;
  if (strstr(put_unpacked(v, library[i].packed), "import \"DPI-C\""))
    need(v->sources, "loom_dpi", strlen("loom_dpi"));
}

static int by_file(const void *x, const void *y) {
  const char *const *a = x, *const *b = y;
  return strcmp(*a, *b);
}

void library_list(Verilog *v, const char *before, const char *ending) {
  struct Sources *s = v->sources;
  const char **files = verilog_alloc(v, s->count, sizeof *files);
  uint32_t count = 0;
  for (Written *w = s->files; w; w = w->next) files[count++] = w->file;
  if (count) qsort(files, count, sizeof *files, by_file);
  for (uint32_t i = 0; i < count; i++)
    if (strstr(files[i], ending)) put(v, "%s%s\n", before, files[i]);
}

void library_need(Verilog *v) {
  struct Sources *s = v->sources;
  int again = s != NULL;
  while (again) {
    again = 0;
    for (size_t i = 0; i < LOOM_COUNT(library); i++) {
      if (!s->is_needed[i] || s->is_written[i]) continue;
      write_file(v, i);
      again = 1;
    }
  }
}

void library_write(Verilog *v) {
  library_need(v);
  v->stream = "rtl.f";
  if (v->sources) library_list(v, "", "");
}

unsigned long long library_hash(const Verilog *v) {
  return v->sources ? v->sources->hash : 0;
}

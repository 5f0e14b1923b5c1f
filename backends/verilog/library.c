/* library.c -- copies the library modules that a fabric needs: those that its Verilog names, and
 * those that they name.
 *
 * library_note scans all text that is written to files of rtl/ (or would be: Verilog.is_dry). A
 * word loom_NAME outside of // comments marks the library file of that name as needed. library_need
 * writes the marked files, which are scanned in turn, until none is missing. A module that imports
 * C functions (DPI) needs loom_dpi.c. The scan is linear in the text, with a search of the library
 * for each such word.
 */
#include "verilog.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *file;            /* "rtl/loom_fifo.sv": all are in rtl/ */
  const unsigned char *packed; /* its text, compressed by the build */
} LibraryFile;

#include "verilog_library.inc" /* library[]: every file of library/ */

/* A file of rtl/ that was written. */
typedef struct SourceFile {
  const char *name;
  struct SourceFile *next, *next_alike; /* of all; of those whose names have the same hash */
} SourceFile;

enum { ALIKE = 4096 };

struct Sources {
  unsigned char is_needed[LOOM_COUNT(library)], is_written[LOOM_COUNT(library)];
  SourceFile *files; /* the last one first */
  SourceFile *alike[ALIKE];
  uint32_t count; /* of files */
  /* State of the scanner: text comes in pieces that may end within a word. */
  char word[40]; /* the word so far, truncated: names of the library are shorter */
  uint32_t length;
  char last;      /* the previous character */
  int in_comment; /* after //, to the end of the line */
  uint64_t hash;  /* of every file's name and text */
};

static int is_in_rtl(const char *file) {
  return !strncmp(file, "rtl/", 4);
}

static int is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void mark_needed(struct Sources *s, const char *name, size_t length) {
  for (size_t i = 0; i < LOOM_COUNT(library); i++) {
    const char *base = library[i].file + strlen("rtl/");
    if (!strncmp(base, name, length) && base[length] == '.') s->is_needed[i] = 1;
  }
}

static void end_word(struct Sources *s) {
  if (s->length > 5 && s->length < sizeof s->word && !strncmp(s->word, "loom_", 5))
    mark_needed(s, s->word, s->length);
  s->length = 0;
}

static void scan_char(struct Sources *s, char c) {
  if (is_word_char(c) && !s->in_comment) {
    if (s->length < sizeof s->word) s->word[s->length++] = c;
    s->last = c;
    return;
  }
  end_word(s);
  if (c == '/' && s->last == '/') s->in_comment = 1;
  if (c == '\n') s->in_comment = 0;
  s->last = c;
}

/* FNV-1a (Fowler, Noll, Vo) from 0, with a shift added to mix the upper bits into the lower. */
static void hash_bytes(struct Sources *s, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    s->hash = (s->hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    s->hash ^= s->hash >> 29;
  }
}

static void note_file(Verilog *v) {
  struct Sources *s = v->sources;
  SourceFile *file = s->files, **alike;
  uint32_t hash = 0;
  if (file && file->name == v->stream) return;
  for (const char *c = v->stream; *c; c++) hash = hash * 31 + (unsigned char)*c;
  alike = &s->alike[hash % ALIKE];
  for (file = *alike; file; file = file->next_alike)
    if (!strcmp(file->name, v->stream)) return;
  file = verilog_alloc(v, 1, sizeof *file);
  *file = (SourceFile){v->stream, s->files, *alike};
  hash_bytes(s, v->stream, strlen(v->stream));
  s->files = *alike = file;
  s->count++;
}

void library_note(Verilog *v, const char *bytes, size_t length) {
  if (!v->stream || !is_in_rtl(v->stream)) return;
  if (!v->sources) v->sources = verilog_alloc(v, 1, sizeof *v->sources);
  note_file(v);
  hash_bytes(v->sources, bytes, length);
  for (size_t i = 0; i < length; i++) scan_char(v->sources, bytes[i]);
}

static void write_file(Verilog *v, size_t i) {
  source_open(v, library[i].file);
  v->sources->is_written[i] = 1;
  if (strstr(put_unpacked(v, library[i].packed), "import \"DPI-C\""))
    mark_needed(v->sources, "loom_dpi", strlen("loom_dpi"));
}

static int by_name(const void *x, const void *y) {
  const char *const *a = x, *const *b = y;
  return strcmp(*a, *b);
}

void library_list(Verilog *v, const char *before, const char *part) {
  struct Sources *s = v->sources;
  const char **files = verilog_alloc(v, s->count, sizeof *files);
  uint32_t count = 0;
  for (SourceFile *file = s->files; file; file = file->next) files[count++] = file->name;
  if (count) qsort(files, count, sizeof *files, by_name);
  for (uint32_t i = 0; i < count; i++)
    if (strstr(files[i], part)) put(v, "%s%s\n", before, files[i]);
}

void library_need(Verilog *v) {
  struct Sources *s = v->sources;
  int is_missing = s != NULL;
  while (is_missing) {
    is_missing = 0;
    for (size_t i = 0; i < LOOM_COUNT(library); i++) {
      if (!s->is_needed[i] || s->is_written[i]) continue;
      write_file(v, i);
      is_missing = 1;
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

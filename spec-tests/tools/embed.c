/* embed.c -- part of the build: copies texts into C tables.
 *
 *     embed --text loom_kernel plugins/loom_kernel.h > kernel.inc
 *
 * The whole file as `static const char *const loom_kernel[]`, NULL at the end. A string has as many
 * lines as C allows in one, without the end of the last; an #include is one by itself.
 *
 *     embed --pack loom_fifo backends/verilog/library/loom_fifo.sv > loom_fifo.inc
 *
 * The whole file, packed, behind its length in four bytes.
 *
 *     embed --pages code_pages spec-tests/90-codes-text.md ... > pages.inc
 *     embed --files headers plugins/loom_plugin.h ... > plugin_headers.inc
 *
 * Pages, packed. One is a section of the manual whose heading is `## ` and a code in capitals,
 * which ends at the next heading of that depth or above; or it is a file. Unpacked, a page is its
 * name (the code, or the file's name without folders), a line end, its lines, and a NUL; an empty
 * page ends them.
 *
 * Packed, they are a third: the layout is that of LZ4 blocks (github.com/lz4/lz4, lz4_Block_format),
 * and plugins/loom_unpack.h unpacks it.
 *
 * The output depends on nothing but the files' text.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 4000, LONGEST_CODE = 100, LARGEST_TEXT = 1 << 22 };

static unsigned char text[LARGEST_TEXT], packed[LARGEST_TEXT + LARGEST_TEXT / 128];
static int length, packed_length;

static bool read_code(const char *line, char *code) {
  if (strncmp(line, "## ", 3) != 0) return false;
  size_t len = strspn(line + 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (len < 4 || len > LONGEST_CODE || line[3 + len] != '\0') return false;
  memcpy(code, line + 3, len);
  code[len] = '\0';
  return strchr(code, '_') != NULL;
}

/* A string literal without its end. */
static void put_string(const char *text) {
  printf("    \"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < ' ' || c > '~' || c == '?') /* no trigraphs either */
      printf("\\%03o", c);
    else
      putchar(c);
  }
}

static void put_text(const char *bytes, int n) {
  if (length + n > LARGEST_TEXT) {
    fprintf(stderr, "embed: the pages are too long\n");
    exit(1);
  }
  memcpy(text + length, bytes, (size_t)n);
  length += n;
}

static void add_pages(const char *path) {
  static char line[LONGEST_LINE + 2], code[LONGEST_CODE + 1];
  FILE *file = fopen(path, "r");
  bool open = false, fenced = false;
  if (!file) {
    fprintf(stderr, "embed: cannot read %s\n", path);
    exit(1);
  }
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    bool heading = !fenced && (strncmp(line, "## ", 3) == 0 || strncmp(line, "# ", 2) == 0);
    if (heading && open) {
      put_text("", 1);
      open = false;
    }
    bool begins = !fenced && read_code(line, code);
    if (strncmp(line, "```", 3) == 0) fenced = !fenced;
    if (begins || open) {
      put_text(begins ? code : line, (int)strlen(begins ? code : line));
      put_text("\n", 1);
    }
    open |= begins;
  }
  if (open) put_text("", 1);
  fclose(file);
}

static void add_file(const char *path) {
  static char line[LONGEST_LINE + 2];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "embed: cannot read %s\n", path);
    exit(1);
  }
  put_text(name, (int)strlen(name));
  put_text("\n", 1);
  while (fgets(line, sizeof line, file)) put_text(line, (int)strlen(line));
  put_text("", 1);
  fclose(file);
}

/* ---- packing ----------------------------------------------------------------------------------
 */

enum { MIN_MATCH = 4, MAX_OFFSET = 65535, HASHES = 1 << 15, MAX_TRIES = 256 };

static int newest[HASHES], older[LARGEST_TEXT]; /* 1 + a place with the same hash, or 0 */

static unsigned hash_at(int at) {
  unsigned word = text[at] | (unsigned)text[at + 1] << 8 | (unsigned)text[at + 2] << 16 |
                  (unsigned)text[at + 3] << 24;
  return word * 2654435761u >> 17;
}

static void put_byte(int byte) {
  packed[packed_length++] = (unsigned char)byte;
}

static void put_more(int n) {
  for (n -= 15; n >= 255; n -= 255) put_byte(255);
  if (n >= 0) put_byte(n);
}

/* `n` literals from `from` on, and a match of `copy` bytes from `back` before it; copy 0: none. */
static void put_sequence(int from, int n, int copy, int back) {
  int more = copy ? copy - MIN_MATCH : 0;
  put_byte((n < 15 ? n : 15) << 4 | (more < 15 ? more : 15));
  put_more(n);
  for (int i = 0; i < n; i++) put_byte(text[from + i]);
  if (!copy) return;
  put_byte(back & 255);
  put_byte(back >> 8);
  put_more(more);
}

/* The longest earlier text like that at `at`; 0 where there is none. */
static int longest_match(int at, int *back) {
  int best = 0, tries = 0;
  for (int k = newest[hash_at(at)]; k && at - (k - 1) <= MAX_OFFSET && tries < MAX_TRIES;
       k = older[k - 1], tries++) {
    int n = 0;
    while (at + n < length && text[k - 1 + n] == text[at + n]) n++;
    if (n > best) best = n, *back = at - (k - 1);
  }
  return best >= MIN_MATCH ? best : 0;
}

static void pack(void) {
  int from = 0, at = 0;
  while (at + MIN_MATCH <= length) {
    int back = 0, copy = longest_match(at, &back), end = at + (copy ? copy : 1);
    if (copy) put_sequence(from, at - from, copy, back);
    for (; at < end; at++) {
      if (at + MIN_MATCH > length) continue;
      older[at] = newest[hash_at(at)];
      newest[hash_at(at)] = at + 1;
    }
    if (copy) from = at;
  }
  put_sequence(from, length - from, 0, 0);
}

static int embed_text(const char *name, const char *path) {
  static char line[LONGEST_LINE + 2];
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "embed: cannot read %s\n", path);
    return 1;
  }
  printf("/* %s, made by spec-tests/tools/embed.c */\n", path);
  printf("static const char *const %s[] = {\n", name);
  size_t piece = 0; /* bytes of the string that is open */
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    size_t n = strlen(line) + 2;
    bool alone = strncmp(line, "#include", 8) == 0;
    if (piece && !alone && piece + n <= LONGEST_LINE)
      printf("\\n\"\n");
    else if (piece)
      printf("\",\n"), piece = 0;
    put_string(line);
    piece = alone ? LONGEST_LINE : piece + n;
  }
  if (piece) printf("\",\n");
  printf("    NULL,\n};\n");
  fclose(file);
  return fflush(stdout) == 0 ? 0 : 1;
}

static int embed_packed(const char *name) {
  pack();
  printf("/* made by spec-tests/tools/embed.c */\n");
  printf("enum { %s_length = %d };\nstatic const unsigned char %s[] = {", name, length, name);
  for (int i = 0; i < packed_length; i++) printf("%s%d,", i % 20 ? "" : "\n", packed[i]);
  printf("\n};\n");
  return fflush(stdout) == 0 ? 0 : 1;
}

/* A file as it is, its length in four bytes before it, low one first. */
static int embed_file(const char *name, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file) length = (int)fread(text, 1, sizeof text, file);
  if (!file || length == LARGEST_TEXT) {
    fprintf(stderr, "embed: cannot read all of %s\n", path);
    return 1;
  }
  fclose(file);
  for (int i = 0; i < 4; i++) put_byte(length >> 8 * i & 255);
  return embed_packed(name);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--pack") == 0) return embed_file(argv[2], argv[3]);
  if (argc == 4 && strcmp(argv[1], "--text") == 0) return embed_text(argv[2], argv[3]);
  bool are_files = argc > 2 && strcmp(argv[1], "--files") == 0;
  if (!are_files && (argc < 3 || strcmp(argv[1], "--pages") != 0)) {
    fprintf(stderr, "usage: embed --text|--pack|--pages|--files NAME FILE...\n");
    return 1;
  }
  for (int i = 3; i < argc; i++) (are_files ? add_file : add_pages)(argv[i]);
  put_text("", 1);
  return embed_packed(argv[2]);
}

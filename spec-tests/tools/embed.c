/* embed.c -- part of the build: copies texts into C tables.
 *
 *     embed --text loom_kernel plugins/loom_kernel.h > kernel.inc
 *
 * The whole file as `static const char *const loom_kernel[]`, a string a line, NULL at the end.
 *
 *     embed spec-tests/90-codes-text.md ... > pages.inc
 *
 * The code pages of the manual.
 *
 * A page is a section whose heading is `## ` and a code in capitals; it ends at the next heading of
 * that depth or above. Every line becomes one string, so no literal is longer than C allows.
 * The output depends on nothing but the files' text.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 4000, LONGEST_CODE = 100, MOST_PAGES = 1000 };

static char codes[MOST_PAGES][LONGEST_CODE + 1];
static int ncodes;

static bool read_code(const char *line, char *code) {
  if (strncmp(line, "## ", 3) != 0) return false;
  size_t len = strspn(line + 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (len < 4 || len > LONGEST_CODE || line[3 + len] != '\0') return false;
  memcpy(code, line + 3, len);
  code[len] = '\0';
  return strchr(code, '_') != NULL;
}

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
  printf("\",\n");
}

static void embed(const char *path) {
  static char line[LONGEST_LINE + 2];
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
      printf("    NULL,\n};\n");
      open = false;
    }
    if (!fenced && ncodes < MOST_PAGES && read_code(line, codes[ncodes])) {
      printf("static const char *const page_%d[] = {\n", ncodes++);
      open = true;
      continue;
    }
    if (strncmp(line, "```", 3) == 0) fenced = !fenced;
    if (open) put_string(line);
  }
  if (open) printf("    NULL,\n};\n");
  fclose(file);
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
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    put_string(line);
  }
  printf("    NULL,\n};\n");
  fclose(file);
  return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--text") == 0) return embed_text(argv[2], argv[3]);
  printf("/* made by spec-tests/tools/embed.c */\n");
  for (int i = 1; i < argc; i++) embed(argv[i]);
  printf("static const Page pages[] = {\n");
  for (int i = 0; i < ncodes; i++) printf("    {\"%s\", page_%d},\n", codes[i], i);
  printf("    {NULL, NULL},\n};\n");
  return fflush(stdout) == 0 ? 0 : 1;
}

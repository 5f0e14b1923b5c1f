/* temporary.c -- temporary files and folders, by mkstemps and mkdtemp. See base.h. */
#include "base/base.h"

#include <stdlib.h>

const char *temporary_root(void) {
  const char *root = getenv("TMPDIR");
  return root && *root == '/' ? root : "/tmp";
}

/* A path template for mkdtemp and mkstemps, which replace the letters X. */
static char *template_of(Arena *arena, const char *parent, const char *name, const char *suffix) {
  Buf path = {0};
  buf_printf(&path, "%s/%s.XXXXXX%s", parent ? parent : temporary_root(), name, suffix);
  char *template = arena_copy(arena, path.data, path.len + 1);
  buf_free(&path);
  return template;
}

const char *temporary_folder(Arena *arena, const char *parent, const char *name) {
  return mkdtemp(template_of(arena, parent, name, ""));
}

int temporary_file(Arena *arena, const char *name, const char *suffix, const char **path) {
  char *template = template_of(arena, NULL, name, suffix);
  *path = template;
  return mkstemps(template, (int)strlen(suffix));
}

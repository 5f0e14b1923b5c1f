/* file_name.c -- file names made from names in the input, and checks of relative paths. See
 * base.h. */
#include "base/base.h"

#include "../plugins/loom_name.h"

enum { LONGEST_PATH = 1024, LONGEST_PART = 200 };

const char *file_name_of(Context *ctx, const char *text) {
  char name[LOOM_FILE_NAME];
  return str_intern(ctx, name, loom_file_name(text, name))->text;
}

const char *file_path_problem(const char *path) {
  if (!*path) return "it is empty";
  if (*path == '/') return "it must be a path inside the output folder";
  if (strlen(path) > LONGEST_PATH) return "it is too long";
  for (const char *part = path;; part++) {
    size_t len = strcspn(part, "/");
    if (len == 0) return "a part between slashes is empty";
    if (len > LONGEST_PART) return "it is too long";
    if (part[0] == '.' && (len == 1 || (len == 2 && part[1] == '.')))
      return "\".\" and \"..\" are not allowed in it";
    if (part[0] == '-') return "no part of it may begin with '-'";
    for (size_t i = 0; i < len; i++)
      if ((unsigned char)part[i] < ' ' || part[i] == 0x7f || part[i] == '\\')
        return "it contains a control character or a backslash";
    part += len;
    if (!*part) return NULL;
  }
}

size_t file_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

const char *file_beside(Context *ctx, const char *path, const char *name) {
  int folder = *name == '/' ? 0 : (int)file_folder(path);
  return str_printf(ctx, "%.*s%s", folder, path, name)->text;
}

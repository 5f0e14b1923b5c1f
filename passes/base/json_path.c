/* json_path.c -- locates a value in JSON text. See json.h.
 *
 * jansson does not record the line of a value. So a reader of a file keeps the path to the value at
 * hand, and only to report an error is the text scanned along that path. jansson has accepted the
 * text by then, so the scan needs no checks of its own. It is linear in the length of the text. */
#include "base/json.h"

#include <string.h>

static void path_text(const Path *path, Buf *buf) {
  if (!path) return;
  path_text(path->up, buf);
  if (path->key && path->index == PATH_NAME) return;
  if (!path->key)
    buf_printf(buf, "[%zu]", path->index);
  else
    buf_printf(buf, "%s%s", path->up ? "." : "", path->key);
}

const char *json_skip_space(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  return p;
}

static const char *skip_string(const char *p) {
  for (p++; *p && *p != '"'; p++)
    if (*p == '\\' && p[1]) p++;
  return *p ? p + 1 : p;
}

const char *json_skip_value(const char *p) {
  size_t depth = 0;
  do {
    p = json_skip_space(p);
    if (*p == '"') {
      p = skip_string(p);
    } else if (*p == '[' || *p == '{') {
      depth++;
      p++;
    } else if (*p == ']' || *p == '}') {
      depth--;
      p++;
    } else if (*p == ',' || *p == ':') {
      p++;
    } else {
      while (*p && !strchr(",:]} \t\r\n", *p)) p++;
    }
  } while (depth && *p);
  return p;
}

/* Recursion depth is the nesting of a case or a plan: a handful. */
const char *path_locate(const char *text, const Path *path) {
  if (!path) return json_skip_space(text);
  const char *container = path_locate(text, path->up), *p = json_skip_space(container + 1);
  for (size_t i = 0; *p && *p != ']' && *p != '}'; i++) {
    bool found = !path->key && i == path->index;
    const char *name = p;
    if (path->key) {
      size_t len = strlen(path->key);
      found = strncmp(p + 1, path->key, len) == 0 && p[1 + len] == '"';
      p = json_skip_space(skip_string(p)) + 1;
    }
    p = json_skip_space(p);
    if (found) return path->key && path->index == PATH_NAME ? name : p;
    p = json_skip_space(json_skip_value(p));
    if (*p == ',') p = json_skip_space(p + 1);
  }
  return container;
}

Loc path_loc(const Source *source, const Path *path) {
  return source->base + (Loc)(path_locate(source->text, path) - source->text);
}

void path_diag(Context *ctx, const Source *source, const Path *path, Code code, const char *format,
               va_list args) {
  Buf message = {0};
  path_text(path, &message);
  if (message.len) buf_str(&message, ": ");
  buf_vprintf(&message, format, args);
  diag(ctx, path_loc(source, path), code, "%s", message.data);
  buf_free(&message);
}

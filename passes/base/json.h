/* json.h -- a JSON writer, which sets the commas and quotes; reading JSON, and the places of values
 * in its text.
 *
 *     json_open(&j, NULL, '{');
 *     json_put_text(&j, "name", "pe_0");    {"name": "pe_0", "ports": [3, 4]}
 *     json_open(&j, "ports", '[');
 *     json_put_number(&j, NULL, 3);
 *     json_put_number(&j, NULL, 4);
 *     json_close(&j, ']');
 *     json_close(&j, '}');
 *
 * The key is that of an object's member; NULL for an array's element or the whole document.
 * json_line puts the next item, a member or a closing bracket, on a line of its own, indented by
 * that many spaces. */
#ifndef LOOM_BASE_JSON_H
#define LOOM_BASE_JSON_H

#include "base/base.h"

typedef struct {
  Buf *out;
  bool needs_comma; /* the next item is not the first of its object or array */
  bool on_line;     /* the next item begins a line, */
  u32 spaces;       /* indented so far */
} Json;

void json_line(Json *json, u32 spaces);
void json_open(Json *json, const char *key, char bracket);
void json_close(Json *json, char bracket);
void json_put_text(Json *json, const char *key, const char *text); /* NULL: null */
void json_put_number(Json *json, const char *key, i64 number);
void json_put_bool(Json *json, const char *key, bool is_true);
void json_put_real(Json *json, const char *key, double number, u32 digits);
/* Begins a value that the caller writes to the returned buffer. */
Buf *json_put_other(Json *json, const char *key);

/* ---- reading (json_read.c) ------------------------------------------------------------------- */

/* A file as a tree of jansson. An integer that an i64 does not hold becomes a string of its digits;
 * a key may not occur twice in an object. NULL after a diagnostic of `code`. */
struct json_t *json_read(Context *ctx, const Source *source, Code code);

/* ---- places in a text that was read (json_path.c) -------------------------------------------- */

/* A path from the root to a value, last step first: a member or an element. */
typedef struct Path {
  const struct Path *up; /* NULL: the root */
  const char *key;       /* NULL: element `index` */
  size_t index;          /* of a member 0: its value; PATH_NAME: its name */
} Path;
enum { PATH_NAME = 1 };

/* The start of the value at a path in valid JSON text; of its container if no member matches (the
 * key may be written with escapes). */
const char *path_locate(const char *text, const Path *path);
Loc path_loc(const Source *source, const Path *path);
/* Reports an error at a path, which begins the message: "args[1].memref.data[3]: ...". */
void path_diag(Context *ctx, const Source *source, const Path *path, Code code, const char *format,
               va_list args);
/* Skip white space, and one value with everything in it, in valid JSON text. */
const char *json_skip_space(const char *text);
const char *json_skip_value(const char *text);

#endif

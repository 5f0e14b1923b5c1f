/* json.h -- JSON as it is written: commas and quotes are the writer's, never its callers'.
 *
 *     json_open(&j, NULL, '{');
 *     json_put_text(&j, "name", "pe_0");    {"name": "pe_0", "ports": [3, 4]}
 *     json_open(&j, "ports", '[');
 *     json_put_number(&j, NULL, 3);
 *     json_put_number(&j, NULL, 4);
 *     json_close(&j, ']');
 *     json_close(&j, '}');
 *
 * What is a member of an object has a key; what stands in an array, or is the whole, has NULL.
 * json_line sets what comes next, a member or a closing bracket, on a line of its own, so many
 * spaces in. */
#ifndef LOOM_BASE_JSON_H
#define LOOM_BASE_JSON_H

#include "base/base.h"

typedef struct {
  Buf *out;
  bool is_behind; /* something stands before it in its object or array */
  bool on_line;   /* what comes next begins a line, */
  u32 spaces;     /* so far in */
} Json;

void json_line(Json *json, u32 spaces);
void json_open(Json *json, const char *key, char bracket);
void json_close(Json *json, char bracket);
void json_put_text(Json *json, const char *key, const char *text); /* NULL: null */
void json_put_number(Json *json, const char *key, i64 number);
void json_put_bool(Json *json, const char *key, bool is_true);
void json_put_real(Json *json, const char *key, double number, u32 digits);
/* What comes next the caller writes himself, to what is returned: a value. */
Buf *json_put_other(Json *json, const char *key);

/* ---- places in a text that was read ------------------------------------------------------------ */

/* A step from the root: a member or an element. */
typedef struct Path {
  const struct Path *up; /* NULL: the root */
  const char *key;       /* NULL: element `index` */
  size_t index;
} Path;

/* "args[1].memref.data[3]"; of NULL nothing. */
void path_text(const Path *path, Buf *buf);
/* Where the value at a path stands in valid JSON text; where its container stands, when there is no
 * such member (it may be spelled with escapes). */
const char *path_locate(const char *text, const Path *path);
/* In such text: past white space; past one value, with all that is in it. */
const char *json_skip_space(const char *text);
const char *json_skip_value(const char *text);

#endif

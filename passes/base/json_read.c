/* json_read.c -- reads JSON by jansson. See json.h.
 *
 * jansson refuses a text with an integer that an i64 does not hold. Such a text is parsed a second
 * time as reals, which finds what else is wrong in it, and a third time with these integers quoted:
 * strings hold any value, and each reader decides what it takes.
 */
#include "base/json.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* How long the number at `p` is where it is an integer that an i64 does not hold, else 0. */
static size_t long_integer(const char *p) {
  size_t len = strspn(p, "-0123456789");
  if (!len || (p[len] && strchr(".eE", p[len]))) return 0;
  errno = 0;
  strtoll(p, NULL, 10);
  return errno ? len : 0;
}

/* Valid JSON with its long integers as strings. */
static void quote_long_integers(const char *text, Buf *out) {
  for (const char *p = text; *p;) {
    size_t len = long_integer(p);
    if (len) {
      buf_printf(out, "\"%.*s\"", (int)len, p);
    } else {
      len = *p == '"' ? (size_t)(json_skip_value(p) - p) : strspn(p, "+-.0123456789eE");
      if (!len) len = 1;
      buf_put(out, p, len);
    }
    p += len;
  }
}

/* Where to report an error: jansson gives the end of the word, which it quotes behind "near". */
static int error_position(const Source *source, const json_error_t *error) {
  const char *word = strstr(error->text, " near '");
  size_t end = error->position > 0 ? (size_t)error->position : 0;
  size_t len = word ? strlen(word += strlen(" near '")) : 0;
  if (!len || word[--len] != '\'' || !len || len > end || end > source->len ||
      memcmp(source->text + end - len, word, len) != 0)
    return error->position;
  return (int)(end - len + 1);
}

json_t *json_read(Context *ctx, const Source *source, Code code) {
  json_error_t error;
  json_t *root = json_loadb(source->text, source->len, JSON_REJECT_DUPLICATES, &error);
  if (!root && json_error_code(&error) == json_error_numeric_overflow) {
    json_t *reals = json_loadb(source->text, source->len,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    Buf text = {0};
    if (reals) quote_long_integers(source->text, &text);
    if (reals) root = json_loadb(text.data, text.len, 0, &error);
    buf_free(&text);
    json_decref(reals);
  }
  if (!root) diag(ctx, source_nth(source, error_position(source, &error)), code, "%s", error.text);
  return root;
}

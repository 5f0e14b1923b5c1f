/* buf.c -- growable byte strings. Output is rendered into one, so that a file is complete in memory
 * before its first byte reaches the disk. Also UTF-8 checks and escaping. Appending is amortized
 * constant time per byte. */
#include "base/base.h"

/* A text of this size is likely to be a whole file. It is kept in mmapped pages, four times what it
 * holds: untouched pages cost nothing, and growing remaps them without a copy. */
static void grow_by_pages(Buf *buf, size_t want) {
  Buf old = *buf;
  size_t grown = buf->cap < SIZE_MAX / 4 ? buf->cap * 4 : buf->cap;
  buf->cap = pages_rounded(grown < want ? want : grown);
  if (old.cap >= HUGE_PAGE) {
    buf->data = pages_grow(old.data, old.cap, buf->cap);
    return;
  }
  buf->data = pages_alloc(buf->cap);
  if (old.len) memcpy(buf->data, old.data, old.len + 1);
  buf_free(&old);
}

static void make_room(Buf *buf, size_t more) {
  if (buf->cap - buf->len > more) return;
  size_t want = buf->len + more + 1, grown = buf->cap < 256 ? 256 : buf->cap + buf->cap / 2;
  if (want < more) loom_bug("a text of %zu + %zu bytes", buf->len, more);
  if (grown < want) grown = want;
  if (grown >= HUGE_PAGE) {
    grow_by_pages(buf, want);
    return;
  }
  buf->data = mem_realloc(buf->data, grown);
  buf->cap = grown;
}

void buf_put(Buf *buf, const void *bytes, size_t len) {
  make_room(buf, len);
  if (len) memcpy(buf->data + buf->len, bytes, len);
  buf->len += len;
  buf->data[buf->len] = '\0';
}

void buf_str(Buf *buf, const char *text) {
  buf_put(buf, text, strlen(text));
}

void buf_char(Buf *buf, char c) {
  make_room(buf, 1);
  buf->data[buf->len++] = c;
  buf->data[buf->len] = '\0';
}

void buf_u64(Buf *buf, u64 number) {
  char digits[20];
  int at = 20;
  do digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  buf_put(buf, digits + at, (size_t)(20 - at));
}

void buf_i64(Buf *buf, i64 number) {
  if (number < 0) buf_char(buf, '-');
  buf_u64(buf, number < 0 ? 0 - (u64)number : (u64)number);
}

void buf_vprintf(Buf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  if (len >= 0) { /* even an empty text is NUL-terminated */
    make_room(buf, (size_t)len);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
    buf->len += (size_t)len;
  }
  va_end(again);
}

void buf_printf(Buf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  buf_vprintf(buf, format, args);
  va_end(args);
}

void buf_free(Buf *buf) {
  if (buf->cap >= HUGE_PAGE)
    pages_free(buf->data, buf->cap);
  else
    mem_free(buf->data);
  *buf = (Buf){0};
}

/* The bounds of the second byte depend on the first: they exclude overlong encodings, UTF-16
 * surrogates and characters above U+10FFFF. */
size_t utf8_character(const char *p, const char *end) {
  const unsigned char *c = (const unsigned char *)p;
  if (p == end || *c < 0x80) return p < end;
  size_t len = *c >= 0xF0 ? 4 : *c >= 0xE0 ? 3 : 2;
  if (*c < 0xC2 || *c > 0xF4 || (size_t)(end - p) < len) return 0;
  if (c[1] < (*c == 0xE0 ? 0xA0 : *c == 0xF0 ? 0x90 : 0x80)) return 0;
  if (c[1] > (*c == 0xED ? 0x9F : *c == 0xF4 ? 0x8F : 0xBF)) return 0;
  for (size_t i = 2; i < len; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  return len;
}

bool text_is_utf8(const char *text, size_t len) {
  for (const char *end = text + len; text < end;) {
    size_t bytes = utf8_character(text, end);
    if (!bytes) return false;
    text += bytes;
  }
  return true;
}

void buf_shown(Buf *buf, const char *text) {
  for (const char *end = text + strlen(text); text < end;) {
    size_t len = utf8_character(text, end);
    unsigned char c = (unsigned char)*text;
    bool is_control = c < ' ' || c == 0x7f || (c == 0xC2 && len && (unsigned char)text[1] < 0xA0);
    if (c == '\\')
      buf_str(buf, "\\\\");
    else if (len && !is_control)
      buf_put(buf, text, len);
    for (size_t i = 0; is_control ? i < len : i < !len; i++)
      buf_printf(buf, "\\%02X", (unsigned char)text[i]);
    text += len ? len : 1;
  }
}

const char *text_shown(Context *ctx, const char *text) {
  Buf shown = {0};
  buf_shown(&shown, text);
  const char *kept = shown.len ? str_intern(ctx, shown.data, shown.len)->text : text;
  buf_free(&shown);
  return kept;
}

void buf_json(Buf *out, const char *text) {
  buf_char(out, '"');
  for (const char *end = text + strlen(text); text < end;) {
    size_t len = utf8_character(text, end);
    if (*text == '"' || *text == '\\') buf_char(out, '\\');
    if ((unsigned char)*text < ' ')
      buf_printf(out, "\\u%04x", (unsigned char)*text);
    else if (len)
      buf_put(out, text, len);
    else
      buf_str(out, "\\ufffd");
    text += len ? len : 1;
  }
  buf_char(out, '"');
}

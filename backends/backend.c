/* backend.c -- memory and text of a backend. See backend.h. */
#include "backend.h"
#include "loom_unpack.h"

#include <stdio.h>
#include <string.h>

void *backend_alloc(const loom_host *host, size_t count, size_t size) {
  if (count == 0) count = 1;
  return host->alloc(host, count <= SIZE_MAX / size ? count * size : SIZE_MAX);
}

const char *backend_text(const loom_host *host, char *room, size_t size, size_t *length,
                         const char *format, va_list args) {
  va_list again;
  int written;
  va_copy(again, args);
  written = vsnprintf(room, size, format, args);
  if (written >= 0 && (size_t)written >= size) {
    size = (size_t)written + 1;
    room = backend_alloc(host, size, 1);
    written = vsnprintf(room, size, format, again);
  }
  va_end(again);
  if (length) *length = written < 0 ? 0 : (size_t)written;
  return written < 0 ? "" : room;
}

void backend_append(const loom_host *host, BackendText *t, const char *bytes, size_t length) {
  if (t->length + length + 1 > t->size) {
    size_t size = 2 * t->size + length + 256;
    char *data = backend_alloc(host, size, 1);
    if (t->length) memcpy(data, t->data, t->length);
    t->data = data;
    t->size = size;
  }
  memcpy(t->data + t->length, bytes, length);
  t->length += length;
  t->data[t->length] = 0;
}

const char *backend_unpack(const loom_host *host, const unsigned char *packed, size_t *length) {
  char *text;
  *length = packed[0] | (size_t)packed[1] << 8 | (size_t)packed[2] << 16 | (size_t)packed[3] << 24;
  text = backend_alloc(host, *length + 1, 1);
  unpack(packed + 4, *length, text);
  return text;
}

/* How many bytes of UTF-8 begin here; 0: none. */
static size_t utf8_length(const unsigned char *p, size_t left) {
  size_t n = p[0] < 0x80                   ? 1
             : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
             : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
             : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                           : 0;
  if (n == 0 || n > left) return 0;
  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
      (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
    return 0;
  return n;
}

size_t backend_json(const char *text, size_t length, char out[BACKEND_JSON_ROOM]) {
  const unsigned char *p = (const unsigned char *)text;
  size_t n = utf8_length(p, length);
  if (n == 0) {
    memcpy(out, "\\ufffd", sizeof "\\ufffd");
    return 1;
  }
  if (*p < 0x20 || *p == '"' || *p == '\\' || *p == '<' || *p == 0x7f) {
    snprintf(out, BACKEND_JSON_ROOM, "\\u%04x", (unsigned)*p);
    return n;
  }
  memcpy(out, text, n);
  out[n] = 0;
  return n;
}

void backend_destroy(void *state) {
  (void)state;
}

/* A bit at a time: CRC-32, the lowest bit of a word first. */
uint32_t backend_checksum(const uint32_t *words, uint32_t count) {
  uint32_t crc = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++)
    for (int bit = 0; bit < 32; bit++)
      crc = crc >> 1 ^ ((crc ^ words[i] >> bit) & 1 ? 0xedb88320u : 0);
  return ~crc;
}

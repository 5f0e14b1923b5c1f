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

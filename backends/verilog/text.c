/* text.c -- writing: formatted text into the host's streams. */
#include "verilog.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *verilog_alloc(Verilog *v, size_t count, size_t size) {
  void *memory = NULL;
  if (count == 0) count = 1;
  if (count <= SIZE_MAX / size) memory = v->host->alloc(v->host, count * size);
  if (!memory) v->status = LOOM_ERROR;
  return memory;
}

static const char *format_text(Verilog *v, const char *format, va_list args) {
  char *made;
  va_list again;
  int length;
  va_copy(again, args);
  length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  made = length < 0 ? NULL : verilog_alloc(v, (size_t)length + 1, 1);
  if (made) vsnprintf(made, (size_t)length + 1, format, args);
  return made ? made : "";
}

const char *text(Verilog *v, const char *format, ...) {
  const char *made;
  va_list args;
  va_start(args, format);
  made = format_text(v, format, args);
  va_end(args);
  return made;
}

static void put_bytes(Verilog *v, const char *bytes, size_t length) {
  if (v->status == LOOM_OK) v->status = v->host->write(v->host, v->stream, bytes, length);
}

void put(Verilog *v, const char *format, ...) {
  char line[512];
  va_list args;
  int length;
  va_start(args, format);
  length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (length >= 0 && (size_t)length < sizeof line) {
    put_bytes(v, line, (size_t)length);
  } else { /* a long line: format it again where there is room */
    const char *made;
    va_start(args, format);
    made = format_text(v, format, args);
    va_end(args);
    put_bytes(v, made, strlen(made));
  }
}

void put_lines(Verilog *v, const char *const *lines) {
  for (; *lines; lines++) {
    put_bytes(v, *lines, strlen(*lines));
    put_bytes(v, "\n", 1);
  }
}

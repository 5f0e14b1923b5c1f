/* text.c -- writing: formatted text into the host's streams. */
#include "verilog.h"

#include <string.h>

void *verilog_alloc(Verilog *v, size_t count, size_t size) {
  return backend_alloc(v->host, count, size);
}

const char *text(Verilog *v, const char *format, ...) {
  const char *made;
  va_list args;
  va_start(args, format);
  made = backend_text(v->host, NULL, 0, NULL, format, args);
  va_end(args);
  return made;
}

static void put_bytes(Verilog *v, const char *bytes, size_t length) {
  library_note(v, bytes, length);
  if (v->is_dry) return;
  if (v->status == LOOM_OK) v->status = v->host->write(v->host, v->stream, bytes, length);
}

void put(Verilog *v, const char *format, ...) {
  char line[512];
  const char *made;
  size_t length;
  va_list args;
  va_start(args, format);
  made = backend_text(v->host, line, sizeof line, &length, format, args);
  va_end(args);
  put_bytes(v, made, length);
}

void put_lines(Verilog *v, const char *const *lines) {
  for (; *lines; lines++) {
    put_bytes(v, *lines, strlen(*lines));
    put_bytes(v, "\n", 1);
  }
}

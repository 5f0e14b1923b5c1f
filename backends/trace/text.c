/* text.c -- shared by all formats: streams of text, which go to the host in pieces of OUT_ROOM
 * bytes; strings of JSON and fields of CSV; source locations; tokens as text; patterns of names. */
#include "trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams --------------------------------------------------------------------------------- */

void trace_flush(Trace *t, Out *out) {
  if (out->used && t->host->write(t->host, out->stream, out->text, out->used)) t->failed = 1;
  out->used = 0;
}

void trace_text(Trace *t, Out *out, const char *text) {
  size_t len = strlen(text);
  while (len) {
    size_t part = len < OUT_ROOM - out->used ? len : OUT_ROOM - out->used;
    memcpy(out->text + out->used, text, part);
    out->used += part;
    text += part;
    len -= part;
    if (out->used == OUT_ROOM) trace_flush(t, out);
  }
}

void trace_number(Trace *t, Out *out, uint64_t number) {
  char digits[24], *at = digits + sizeof digits - 1;
  *at = '\0';
  do *--at = (char)('0' + number % 10);
  while (number /= 10);
  trace_text(t, out, at);
}

const char *trace_format(Trace *t, const char *format, ...) {
  const char *text;
  va_list args;
  va_start(args, format);
  text = backend_text(t->host, NULL, 0, NULL, format, args);
  va_end(args);
  return text;
}

void trace_printf(Trace *t, Out *out, const char *format, ...) {
  va_list args, again;
  int written;
  va_start(args, format);
  va_copy(again, args);
  written = vsnprintf(t->line, t->line_room, format, args);
  if (written >= 0 && (size_t)written >= t->line_room) {
    t->line_room = 2 * (size_t)written + 400;
    t->line = trace_alloc(t, t->line_room, 1);
    vsnprintf(t->line, t->line_room, format, again);
  }
  va_end(again);
  va_end(args);
  if (written > 0) trace_text(t, out, t->line);
}

const char *trace_json(Trace *t, const char *text) {
  size_t length = strlen(text);
  char *out = trace_alloc(t, length + 1, 6), *at = out;
  *at++ = '"';
  while (length) {
    size_t n = backend_json(text, length, at);
    at += strlen(at);
    text += n, length -= n;
  }
  *at++ = '"';
  *at = '\0';
  return out;
}

const char *csv_field(Trace *t, const char *text) {
  char *out, *at;
  if (!strpbrk(text, ",\"\r\n")) return text;
  out = at = trace_alloc(t, 2 * strlen(text) + 3, 1);
  *at++ = '"';
  for (; *text; text++) {
    if (*text == '"') *at++ = '"';
    *at++ = *text;
  }
  *at = '"';
  return out;
}

/* ---- locations ------------------------------------------------------------------------------- */

const char *trace_location(Trace *t, uint32_t node) {
  loom_source_place at;
  loom_source_file file;
  if (!t->source || t->source->place(t->design, node, &at, sizeof at) || at.file == LOOM_NONE ||
      t->source->file(t->design, at.file, &file, sizeof file))
    return "";
  return trace_format(t, "%s:%u:%u", file.name, at.line, at.column);
}

/* ---- values ---------------------------------------------------------------------------------- */

static double from_bits(uint64_t word, int exponent_bits, int fraction_bits) {
  int top = (1 << exponent_bits) - 1, bias = top / 2;
  int exponent = (int)(word >> fraction_bits) & top;
  double fraction = ldexp((double)(word & (((uint64_t)1 << fraction_bits) - 1)), -fraction_bits);
  double magnitude = exponent == top ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                     : exponent == 0 ? ldexp(fraction, 1 - bias)
                                     : ldexp(1 + fraction, exponent - bias);
  return word >> (exponent_bits + fraction_bits) & 1 ? -magnitude : magnitude;
}

/* Prints `digits` digits if these read back to the same value, else `enough`, which always do. */
static void float_text(double value, int digits, int enough, char out[VALUE_ROOM]) {
  if (value != value) {
    snprintf(out, VALUE_ROOM, "nan");
  } else if (value - value != 0) {
    snprintf(out, VALUE_ROOM, "%s", value < 0 ? "-inf" : "inf");
  } else {
    snprintf(out, VALUE_ROOM, "%.*g", digits, value);
    double back = strtod(out, NULL);
    int same = enough == 9 ? (float)back == (float)value : back == value;
    if (!same) snprintf(out, VALUE_ROOM, "%.*g", enough, value);
  }
}

void trace_value(const loom_type *type, uint64_t word, char out[VALUE_ROOM]) {
  switch (type->kind) {
  case LOOM_BF16: float_text(from_bits(word, 8, 7), 4, 4, out); return;
  case LOOM_IEEE:
    if (type->bits == 16)
      float_text(from_bits(word, 5, 10), 5, 5, out);
    else if (type->bits == 32)
      float_text(from_bits(word, 8, 23), 6, 9, out);
    else
      float_text(from_bits(word, 11, 52), 15, 17, out);
    return;
  case LOOM_INTEGER:
  case LOOM_INDEX: {
    unsigned bits = type->bits;
    int64_t value = (int64_t)word;
    if (bits > 1 && bits < 64 && word >> (bits - 1) & 1) value -= (int64_t)((uint64_t)1 << bits);
    snprintf(out, VALUE_ROOM, "%lld", (long long)value);
    return;
  }
  default: snprintf(out, VALUE_ROOM, "0x%llx", (unsigned long long)word); return;
  }
}

uint32_t trace_scalars(const Trace *t, uint32_t id, const loom_type **out, uint32_t room) {
  const loom_type *type = &t->type[id];
  if (type->kind == LOOM_NO_DATA) return 0;
  if (type->kind != LOOM_TUPLE) {
    if (room) out[0] = type;
    return 1;
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < type->element_count; i++) {
    uint32_t left = n < room ? room - n : 0;
    n += trace_scalars(t, type->elements[i], left ? out + n : out, left);
  }
  return n;
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* One pattern, which ends at a comma or a NUL. On a mismatch the last star takes one byte more. */
static int matches(const char *pattern, const char *text) {
  const char *star = NULL, *taken = NULL;
  for (;;) {
    int ends = *pattern == '\0' || *pattern == ',';
    if (*pattern == '*') {
      star = ++pattern;
      taken = text;
    } else if (ends && !*text) {
      return 1;
    } else if (*text && !ends && (*pattern == '?' || *pattern == *text)) {
      pattern++;
      text++;
    } else if (star && *taken) {
      pattern = star;
      text = ++taken;
    } else {
      return 0;
    }
  }
}

int trace_matches(const char *patterns, const char *text) {
  for (;;) {
    if (matches(patterns, text)) return 1;
    patterns = strchr(patterns, ',');
    if (!patterns) return 0;
    patterns++;
  }
}

int trace_by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

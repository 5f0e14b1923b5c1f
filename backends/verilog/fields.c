/* fields.c -- configuration fields as slices of the vector of a component's configuration bits.
 *
 *     {3'd0,bits[17:12],bits[5]}
 *
 * A Fields is a list of runs of bits, from the lowest up. A field that begins where the last run
 * ends extends that run, so that adjacent fields become one slice. The position of a field comes
 * from loom_image.field. */
#include "hardware.h"

#include <string.h>

Fields fields_new(Verilog *v, uint32_t component, const char *vector) {
  Fields f = {.v = v, .component = component, .vector = vector};
  return f;
}

static int continues(const struct Run *run, uint32_t at) {
  if (run->at == LOOM_NONE || at == LOOM_NONE) return run->at == at;
  return run->at + run->width == at;
}

/* Appends `width` bits of the vector from bit `at` on; LOOM_NONE: zeros. */
static void append(Fields *f, uint32_t at, uint32_t width) {
  struct Run *last = f->count ? &f->runs[f->count - 1] : NULL;
  f->bits += width;
  if (!width) return;
  if (last && continues(last, at)) {
    last->width += width;
    return;
  }
  if (!f->runs || f->count == f->capacity) {
    uint32_t capacity = f->runs ? 2 * f->capacity : 16;
    struct Run *runs = verilog_alloc(f->v, capacity, sizeof *runs);
    if (f->runs) memcpy(runs, f->runs, f->count * sizeof *runs);
    f->runs = runs;
    f->capacity = capacity;
  }
  f->runs[f->count++] = (struct Run){at, width};
}

uint32_t fields_add(Fields *f, loom_field field, uint32_t width) {
  uint32_t at = 0, length = 0, before = f->bits;
  int status = f->v->image->field(f->v->design, f->component, &field, &at, &length);
  if (status != LOOM_OK) f->v->status = LOOM_ERROR;
  if (width && length > width) length = width;
  append(f, at, length);
  if (width > length) append(f, LOOM_NONE, width - length);
  return f->bits - before;
}

void fields_zeros(Fields *f, uint32_t width) {
  append(f, LOOM_NONE, width);
}

static const char *run_text(const Fields *f, struct Run run) {
  if (run.at == LOOM_NONE) return text(f->v, "%u'd0", run.width);
  if (run.width == 1) return text(f->v, "%s[%u]", f->vector, run.at);
  return text(f->v, "%s[%u:%u]", f->vector, run.at + run.width - 1, run.at);
}

const char *fields_text(Fields *f) {
  BackendText made = {0};
  if (!f->count) return "1'b0";
  if (f->count == 1) return run_text(f, f->runs[0]);
  for (uint32_t i = f->count; i--;) {
    const char *piece = run_text(f, f->runs[i]);
    backend_append(f->v->host, &made, i + 1 == f->count ? "{" : ",", 1);
    backend_append(f->v->host, &made, piece, strlen(piece));
  }
  backend_append(f->v->host, &made, "}", 1);
  return made.data;
}

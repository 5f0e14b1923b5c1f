/* subjects.c -- see subjects.h. */
#include "subjects.h"

#include "generate/generate.h"
#include "map/map.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

bool read_buf(const char *path, Buf *buf) {
  size_t len;
  char *text = read_file(path, &len);
  if (!text) perror(path);
  if (text) buf_put(buf, text, len);
  free(text);
  return text;
}

static Module *parsed(Context *ctx, const Source *source) {
  Module *module = source ? text_parse(ctx, source) : NULL;
  if (module && verify_module(module)) return module;
  module_free(module);
  return NULL;
}

Module *module_read(Context *ctx, const char *name, const char *text, size_t len) {
  return parsed(ctx, source_from_memory(ctx, name, text, len));
}

/* ---- hardware --------------------------------------------------------------------------------- */

static bool flatten(Hardware *h) {
  h->top = h->module ? adg_top(h->module, NULL) : NULL;
  h->adg = h->top ? adg_flatten(h->ctx, h->top) : NULL;
  h->layout = h->adg ? layout_new(h->ctx, h->adg) : NULL;
  return h->layout;
}

bool hardware_of_text(Context *ctx, const Buf *text, Hardware *h) {
  *h = (Hardware){.ctx = ctx, .module = module_read(ctx, "fabric.mlir", text->data, text->len)};
  return flatten(h);
}

bool hardware_named(Context *ctx, const char *name, Hardware *h) {
  FabricPlan plan;
  Buf text = {0};
  *h = (Hardware){.ctx = ctx};
  if (!fabric_plan_preset(ctx, name, &plan))
    h->module = parsed(ctx, source_read(ctx, name));
  else {
    if (fabric_generate(ctx, &plan, &text, NULL))
      h->module = module_read(ctx, name, text.data, text.len);
    fabric_plan_free(&plan);
  }
  buf_free(&text);
  return flatten(h);
}

void hardware_free(Hardware *h) {
  layout_free(h->layout);
  adg_free(h->adg);
  module_free(h->module);
}

bool subject_map_graph(Subject *s, const Adg *adg) {
  if (!subject_make_graph(s, NULL)) return false;
  dfg_free(s->dfg);
  Op *graph = subject_function(s);
  mapping_legalise(s->module, graph, adg);
  s->dfg = dfg_freeze(s->ctx, graph);
  return s->dfg;
}

/* ---- golden kernels --------------------------------------------------------------------------- */

bool kernel_read(Context *ctx, const char *dir, Kernel *k) {
  *k = (Kernel){.dir = dir};
  k->input = case_read(ctx, path_in(dir, "case.json"));
  k->subject = (Subject){.ctx = ctx,
                         .module = parsed(ctx, source_read(ctx, path_in(dir, "kernel.mlir"))),
                         .function = k->input ? k->input->function : NULL,
                         .input = k->input};
  return k->subject.module && k->subject.function && subject_function(&k->subject);
}

bool kernel_lower(Context *ctx, const char *dir, Kernel *k) {
  return kernel_read(ctx, dir, k) && subject_make_graph(&k->subject, NULL);
}

void kernel_free(Kernel *k) {
  subject_free(&k->subject);
  module_free(k->subject.module);
  case_free(k->input);
}

/* ---- what was said ---------------------------------------------------------------------------- */

void heard_start(Context *ctx, Heard *h) {
  *h = (Heard){.before = ctx->err};
  ctx->err = open_memstream(&h->text, &h->len);
  ctx->errors = 0;
}

void heard_stop(Context *ctx, Heard *h) {
  fclose(ctx->err);
  ctx->err = h->before;
}

const char *first_code(const char *said, char code[64]) {
  const char *from = strstr(said, "error[");
  snprintf(code, 64, "%.63s", from ? from + 6 : "");
  code[strcspn(code, "]")] = '\0';
  return code;
}

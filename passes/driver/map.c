/* map.c -- loom map: a graph onto a fabric. */
#include "driver/steps.h"
#include "map/stages.h"

/* What is to be mapped, and onto what. */
typedef struct {
  Call *call;
  Module *module;
  const char *function;
  Adg *adg;
  Dfg *dfg; /* legalised for `adg` */
} MapJob;

static void job_end(MapJob *job) {
  dfg_free(job->dfg);
  adg_free(job->adg);
  module_free(job->module);
}

/* Reads the fabric and the function, lowers the function where it is not a graph yet, and makes it
 * one that the fabric's units can carry out. EXIT_GOOD to go on. */
static int job_begin(MapJob *job) {
  Call *call = job->call;
  if (!call->set.adg)
    return wrong_call(call->who, "name a fabric with --adg: a Fabric file, or a preset");
  job->module = call_read_module(call);
  if (!job->module) return EXIT_BAD_INPUT;
  Op *func = call_function(call, job->module, call->set.func);
  if (!func) return EXIT_BAD_CALL;
  job->function = str_of(call->ctx, function_name(func))->text;
  job->adg = call_read_adg(call, call->set.adg);
  if (!job->adg) return EXIT_BAD_INPUT;
  LowerOptions options = call_lower_options(call);
  options.func = job->function;
  if (func->kind == OP_FUNC_FUNC && !lower_module(job->module, &options)) return EXIT_BAD_INPUT;
  func = function_named(job->module, job->function);
  mapping_legalise(job->module, func, job->adg);
  job->dfg = dfg_freeze(call->ctx, func);
  return job->dfg ? EXIT_GOOD : EXIT_BAD_INPUT;
}

/* loom map --count: can it fit at all? */
static int count(MapJob *job) {
  Context *ctx = job->call->ctx;
  assert(job->adg && job->dfg); /* job_begin was good */
  MapCover *cover = mapping_cover(ctx, job->dfg, job->adg);
  int status = mapping_count(ctx, job->dfg, job->adg, cover) ? EXIT_GOOD : EXIT_CANNOT_MAP;
  if (!status) {
    Buf text = {0};
    buf_printf(&text, "@%s may fit onto @%s\n", job->function, adg_text(job->adg, job->adg->name));
    mapping_count_print(job->dfg, job->adg, cover, &text);
    status = call_write(job->call, "-", &text);
    buf_free(&text);
  }
  mapping_cover_free(cover);
  return status;
}

int drive_map(Call *call) {
  MapJob job = {.call = call};
  int status = job_begin(&job);
  if (!status) status = count(&job);
  job_end(&job);
  return status;
}

const Option options_map[] = {
    TEXT("--adg", "FABRIC", adg, "the hardware: a Fabric file, or the name of a preset"),
    FLAG("--count", count, "only count what is needed and what is there"),
    TEXT("--func", "NAME", func, "the function (the only one)"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    CHOICE("--order", "HOW", order, "memory order of the lowering, see `loom help lower`",
           order_choices),
    OPTIONS_END,
};

/* fabric.c -- loom adg: fabrics, made and shown. */
#include "driver/steps.h"
#include "fabric/generate.h"
#include "fabric/show.h"
#include "text/text.h"
#include "verify/verify.h"

/* ---- loom adg -------------------------------------------------------------------------------- */

/* Fabric text: a file's or, where `path` is the name of a preset, the preset's. */
static const Source *read_fabric(Call *call, const char *path) {
  FabricPlan plan;
  if (!fabric_plan_preset(path, &plan)) return source_read(call->ctx, path);
  Buf text = {0};
  const char *why;
  const Source *source = NULL;
  if (fabric_generate(call->ctx, &plan, &text, &why))
    source = source_from_memory(call->ctx, path, text.data, text.len);
  buf_free(&text);
  return source;
}

Module *call_read_fabric(Call *call, const char *path, Op **top) {
  const Source *source = read_fabric(call, path);
  Module *module = source ? text_parse(call->ctx, source) : NULL;
  *top = module && verify_module(module) ? adg_top(module, call->set.module) : NULL;
  if (*top) return module;
  module_free(module);
  return NULL;
}

Adg *call_read_adg(Call *call, const char *path) {
  Op *top;
  Module *module = call_read_fabric(call, path, &top);
  Adg *adg = module ? adg_flatten(call->ctx, top) : NULL;
  module_free(module);
  return adg;
}

static int show_adg(Call *call, const char *path) {
  Adg *adg = call_read_adg(call, path);
  if (!adg) return EXIT_BAD_INPUT;
  Buf out = {0};
  if (call->set.dot)
    adg_print_dot(adg, &out);
  else if (call->set.json)
    adg_print_json(adg, &out);
  else
    adg_print_summary(adg, &out);
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  adg_free(adg);
  return status;
}

/* A number of a plan: where the option was given, and is in [low, high], it takes its place. */
static bool plan_number(Call *call, const char *option, u64 given, u64 low, u64 high, u32 *to) {
  if (given == NOT_GIVEN) return true;
  *to = (u32)given;
  if (given >= low && given <= high) return true;
  wrong_call(call->who, "%s must be %llu to %llu", option, (unsigned long long)low,
             (unsigned long long)high);
  return false;
}

static u32 choice_number(const char *choice, const char *const *choices, u32 otherwise) {
  for (u32 i = 0; choice && choices[i]; i++)
    if (strcmp(choice, choices[i]) == 0) return i;
  return otherwise;
}

/* The options laid over a plan; false after a word on a number that cannot be. */
static bool read_plan(Call *call, FabricPlan *plan) {
  const Settings *set = &call->set;
  plan->topology = (FabricTopology)choice_number(set->topology, fabric_topologies, plan->topology);
  plan->units = (FabricUnits)choice_number(set->units, fabric_unit_libraries, plan->units);
  if (!plan_number(call, "--rows", set->rows, 1, FABRIC_MAX_SIDE, &plan->rows) ||
      !plan_number(call, "--cols", set->columns, 1, FABRIC_MAX_SIDE, &plan->columns) ||
      !plan_number(call, "--tracks", set->tracks, 1, FABRIC_MAX_TRACKS, &plan->tracks) ||
      !plan_number(call, "--width", set->width, 32, 64, &plan->width) ||
      !plan_number(call, "--instructions", set->instructions, 0, FABRIC_MAX_INSTRUCTIONS,
                   &plan->instructions) ||
      !plan_number(call, "--routes", set->routes, 1, FABRIC_MAX_ROUTES, &plan->routes) ||
      !plan_number(call, "--copies", set->copies, 1, FABRIC_MAX_COPIES, &plan->copies) ||
      !plan_number(call, "--memories", set->memories, 0, FABRIC_MAX_PORTS, &plan->memories) ||
      !plan_number(call, "--scratchpads", set->scratchpads, 0, FABRIC_MAX_PORTS,
                   &plan->scratchpads) ||
      !plan_number(call, "--words", set->words, 1, FABRIC_MAX_WORDS, &plan->words) ||
      !plan_number(call, "--lanes", set->lanes, 1, FABRIC_MAX_LANES, &plan->lanes) ||
      !plan_number(call, "--inputs", set->inputs, 1, FABRIC_MAX_PORTS, &plan->inputs) ||
      !plan_number(call, "--outputs", set->outputs, 1, FABRIC_MAX_PORTS, &plan->outputs))
    return false;
  if (plan->width == 32 || plan->width == 64) return true;
  wrong_call(call->who, "--width must be 32 or 64");
  return false;
}

static int make_adg(Call *call, FabricPlan plan) {
  if (!read_plan(call, &plan)) return EXIT_BAD_CALL;
  Buf out = {0};
  const char *why;
  int status = EXIT_GOOD;
  if (fabric_generate(call->ctx, &plan, &out, &why))
    status = call_write(call, call->set.output, &out);
  else
    status = wrong_call(call->who, "%s; take fewer --tracks, --memories, --lanes or ports", why);
  buf_free(&out);
  return status;
}

int drive_adg(Call *call) {
  FabricPlan plan = fabric_plan_default();
  const char *verb = call->nfiles ? call->files[0] : NULL;
  if (!verb && call->set.topology) return make_adg(call, plan);
  if (!verb) return wrong_call(call->who, "say show and a file, a preset, or a --topology");
  if (fabric_plan_preset(verb, &plan)) {
    if (call->nfiles == 1) return make_adg(call, plan);
    return wrong_call(call->who, "a preset needs no file; to look at it: show %s", verb);
  }
  if (strcmp(verb, "show") != 0)
    return wrong_call(
        call->who, "say show, or a preset (tiny small medium large xl temporal), not '%s'", verb);
  if (call->nfiles != 2) return wrong_call(call->who, "show needs a file");
  return show_adg(call, call->files[1]);
}

static const char *const topology_choices[] = {"chess", "mesh", "torus", NULL};
static const char *const unit_choices[] = {"int", "float", "full", "all", NULL};

const Option options_adg[] = {
    OUTPUT_FILE,
    CHOICE("--topology", "NAME", topology, "make one: chess, mesh, torus", topology_choices),
    COUNT("--rows", "N", rows, "rows of PEs, to 256 (4)"),
    COUNT("--cols", "N", columns, "columns of PEs, to 256 (4)"),
    COUNT("--tracks", "N", tracks, "channels between neighbouring switches, to 7 (2)"),
    CHOICE("--fu", "NAME", units, "what PEs compute: int, float, full, all (full)", unit_choices),
    COUNT("--width", "N", width, "bits of a channel: 32 or 64 (32)"),
    COUNT("--instructions", "N", instructions, "temporal PEs, with N each, to 256 (0: spatial)"),
    COUNT("--routes", "N", routes, "of a temporal switch, to 1024 (four for each instruction)"),
    COUNT("--copies", "N", copies, "of a unit with state in a temporal PE, to 16 (2)"),
    COUNT("--memories", "N", memories, "ways to memory outside (by the size, 1 to 8)"),
    COUNT("--scratchpads", "N", scratchpads, "memories on the fabric (1)"),
    COUNT("--words", "N", words, "of a memory on the fabric (1024)"),
    COUNT("--lanes", "N", lanes, "loads, and stores, of a memory, to 32 (2)"),
    COUNT("--inputs", "N", inputs, "inputs of the fabric itself (4)"),
    COUNT("--outputs", "N", outputs, "outputs of the fabric itself (2)"),
    FLAG("--dot", dot, "show: a graph for graphviz"),
    FLAG("--json", json, "show: everything, as JSON"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

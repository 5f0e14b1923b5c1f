/* map.c -- loom map: reads a graph, or lowers and proves a function; at -O2 with a case searches a
 * form of its loops (optimise.c); maps it onto a fabric (mapping.c) and writes the files; or, with
 * --count, only compares the units that it needs with those of the fabric. */
#include "driver/mapping.h"
#include "driver/optimise.h"
#include "driver/steps.h"
#include "map/report.h"
#include "map/stages.h"
#include "text/text.h"

/* loom map --count: can it fit at all? */
static int count(MapJob *job) {
  Context *ctx = job->call->ctx;
  MapCover *cover = mapping_cover(ctx, job->dfg, job->adg, NULL);
  int status = mapping_count(ctx, job->dfg, job->adg, cover) ? EXIT_GOOD : EXIT_CANNOT_MAP;
  if (!status) {
    Buf text = {0};
    buf_printf(&text, "%s may fit onto %s\n", symbol_shown(ctx, job->function),
               symbol_shown(ctx, adg_text(job->adg, job->adg->name)));
    mapping_count_print(job->dfg, job->adg, cover, &text);
    status = call_write(job->call, "-", &text);
    buf_free(&text);
  }
  mapping_cover_free(cover);
  return status;
}

/* The summary of the report: up to the second empty line, the first being that below the title. */
static void take_summary(MapJob *job, Buf *text) {
  mapping_print_text(job->call->ctx, job->mapping, text);
  char *title = strstr(text->data, "\n\n"), *end = title ? strstr(title + 2, "\n\n") : NULL;
  if (end) text->len = (size_t)(end - text->data) + 1;
}

static int map(MapJob *job, const Case *input) {
  Call *call = job->call;
  int status = map_job_fabric(job, call->set.adg);
  if (status) return status;
  if (call->set.count) return count(job);
  if (input) status = tokens_in_case(call, job->dfg, input, &job->tokens);
  if (status) return status;
  status = map_job_run(job);
  if (status == EXIT_CANNOT_MAP) return map_job_write_closest(job, call->set.output);
  if (status) return status;
  map_job_advise(job, input);
  Buf text = {0}; /* printed before the files are written: nothing can fail after that */
  take_summary(job, &text);
  status = map_job_write(job, call->set.output);
  if (!status) fwrite(text.data, 1, text.len, stdout);
  buf_free(&text);
  return status;
}

/* -O2 with a case (`input`; or NULL): searches the form of the loops with the fewest cycles. */
static int choose_loops(Call *call, const Module *module, const char *function, const Case *input,
                        LoopChoice *choice, FoundMapping *found) {
  const char *const fabrics[] = {call->set.adg, NULL};
  int status = search_loops(call, module, function, input, fabrics, choice, found);
  if (status || !choice->cycles) return status;
  Buf text = {0};
  loop_choice_print_search(call->ctx, choice, &text);
  printf("%s\n", text.data);
  buf_free(&text);
  return EXIT_GOOD;
}

/* An option that --count would ignore, as it neither searches nor writes; NULL: there is none. */
static const char *ignored_by_count(const Settings *set) {
  if (set->output) return "-o";
  if (set->seed) return "--seed";
  if (set->budget != mapping_options_default().budget) return "--budget";
  if (set->max_comb) return "--max-comb";
  if (set->pins.len) return "--pin";
  if (set->from) return "--from";
  if (set->dot) return "--dot";
  return set->view ? "--view" : NULL;
}

static int drive_map(Call *call) {
  const char *ignored = call->set.count ? ignored_by_count(&call->set) : NULL;
  if (!call->set.adg)
    return wrong_call(call->command, "name a fabric with --adg: a Fabric file, or a preset");
  if (!call->set.count && !names_folder(call))
    return wrong_call(call->command, "name a folder with -o, or use --count");
  if (ignored) return wrong_call(call->command, "%s has no effect with --count", ignored);
  if (!(call->set.budget > 0))
    return wrong_call(call->command, "--budget expects a number of seconds above 0");
  Module *module = call_read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  Op *func = NULL;
  Case *input = call->set.case_path ? case_read(call->ctx, call->set.case_path) : NULL;
  bool has_input = input || !call->set.case_path;
  int status = has_input ? call_function_of(call, module, input, &func) : EXIT_BAD_INPUT;
  if (func) {
    MapJob job = {.call = call,
                  .module = module,
                  .function = str_of(call->ctx, function_name(func))->text,
                  .keeps_best = true};
    LowerOptions options = call_lower_options(call);
    options.func = job.function;
    LoopChoice choice = {0};
    FoundMapping found = {0};
    job.found = &found;
    status = choose_loops(call, module, job.function, input, &choice, &found);
    loop_choice_apply(&choice, &options);
    if (!status && func->kind == OP_FUNC_FUNC && !lower_module(module, &options))
      status = EXIT_BAD_INPUT;
    if (!status) status = map(&job, input);
    bool has_files = status == EXIT_GOOD || (status == EXIT_CANNOT_MAP && job.closest);
    if (call->set.view && has_files) {
      const char *path =
          str_printf(call->ctx, "%s/%s", call->set.output, map_job_file(&job, "map.json"))->text;
      int viewed = emit_view(call, &path, 1, call->set.output);
      if (!status) status = viewed;
    }
    mapping_free(found.mapping);
    map_job_free(&job);
  }
  case_free(input);
  module_free(module);
  return status;
}

static const Option options_map[] = {
    TEXT("-o", "DIR", output, "output folder"),
    TEXT("--adg", "FABRIC", adg, "the hardware: a Fabric file, a description (.adg), or a preset",
         .names = fabric_presets),
    FLAG("--count", count, "only compare the resources needed with those available"),
    NUMBER("--seed", "N", seed, "random seed of the search", .initial = "0"),
    SECONDS("--budget", "S", budget, "give up after S seconds of CPU time", .initial = "60"),
    NUMBER("--max-comb", "N", max_comb, "at most N components between two registers; 0: no limit",
           .initial = "0"),
    TEXTS("--pin", "NODE=PE", pins, "place NODE on PE"),
    TEXT("--from", "DIR", from, "start from the placement of an earlier mapping"),
    FLAG("--dot", dot, "also write NAME.map.dot, a drawing for Graphviz"),
    FLAG("--view", view, "also write NAME.html, a page of the mapping or of the failed attempt"),
    KERNEL_OPTIONS,
    TEXT("--func", "NAME", func, "the function to use (the only one)"),
    TEXT("--module", "NAME", module,
         "the fabric.module to use (the one that no other instantiates)"),
    OPTIMISE_LEVEL,
    TEXT("--case", "CASE", case_path,
         "the run to optimise for; -O2 compares forms of the loops by its cycles"),
    CHOICE("--order", "HOW", order, order_choices,
           "memory order of the lowering, see `loom help lower`"),
    OPTIONS_END,
};

const Command command_map = {
    .name = "map",
    .takes = "GRAPH",
    .summary = "place and route a graph on a fabric",
    .text = "Chooses a function unit for every node of a function (or handshake.func), a\n"
            "route through the switches of --adg for every edge, and a region of hardware\n"
            "memory for every memory; checks the resulting configuration against the graph,\n"
            "and writes it with reports into a folder.",
    .options = options_map,
    .min_files = 1,
    .max_files = 1,
    .run = drive_map,
};

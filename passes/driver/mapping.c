/* mapping.c -- reads a fabric, legalises a graph for it, maps the one onto the other and writes the
 * files of the mapping, for loom map and loom build. See mapping.h; the search itself is map/. */
#include "base/interrupt.h"
#include "driver/mapping.h"
#include "run/token.h"
#include "driver/steps.h"
#include "config/configured.h"
#include "config/config.h"
#include "generate/generate.h"
#include "machine/connect.h"
#include "map/report.h"
#include "map/stages.h"
#include "text/text.h"
#include "native/native.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the graph and the fabric ---------------------------------------------------------------- */

Dfg *graph_for_fabric(Context *ctx, const Module *module, const char *function, const Adg *adg,
                      Module **graph) {
  Map copies = {0};
  *graph = module_new(ctx);
  Op *copy = op_clone(*graph, function_named(module, function), &copies);
  map_free(&copies);
  op_append(region_entry(&(*graph)->top->regions[0]), copy);
  mapping_legalise(*graph, copy, adg);
  return dfg_freeze(ctx, copy);
}

static bool take_graph(MapJob *job) {
  job->dfg = graph_for_fabric(job->call->ctx, job->module, job->function, job->adg, &job->graph);
  return job->dfg;
}

int map_job_hardware(MapJob *job, const char *path) {
  Context *ctx = job->call->ctx;
  job->preset = fabric_is_preset(path) ? path : NULL;
  job->fabric = call_read_fabric(job->call, path, true, &job->top);
  job->adg = job->fabric ? adg_flatten(ctx, job->top) : NULL;
  job->layout = job->adg ? layout_new(ctx, job->adg) : NULL;
  return job->layout ? EXIT_GOOD : EXIT_BAD_INPUT;
}

int map_job_fabric(MapJob *job, const char *path) {
  int status = map_job_hardware(job, path);
  return status || take_graph(job) ? status : EXIT_BAD_INPUT;
}

void map_job_free(MapJob *job) {
  mem_free(job->tokens);
  mapping_free(job->mapping);
  mapping_free(job->closest);
  dfg_free(job->dfg);
  layout_free(job->layout);
  adg_free(job->adg);
  module_free(job->graph);
  module_free(job->fabric);
  *job = (MapJob){.call = job->call,
                  .module = job->module,
                  .function = job->function,
                  .keeps_best = job->keeps_best};
}

u32 map_job_lacks(MapJob *job) {
  Context *ctx = job->call->ctx;
  QuietScope quiet = diag_quiet(ctx);
  MapCover *cover = mapping_cover(ctx, job->dfg, job->adg, NULL);
  bool fits = mapping_count(ctx, job->dfg, job->adg, cover) &&
              mapping_cut(ctx, job->dfg, job->adg, cover, NULL, NULL);
  u32 errors = ctx->errors - quiet.errors;
  mapping_cover_free(cover);
  diag_quiet_end(ctx, &quiet);
  return fits ? 0 : errors + !errors;
}

/* ---- options --------------------------------------------------------------------------------- */

static int no_such_node(const MapJob *job, const char *name) {
  Context *ctx = job->call->ctx;
  Vec(const char *) names = {0};
  for (u32 n = 0; n < job->dfg->nnodes; n++)
    vec_push(&names, dfg_text(job->dfg, job->dfg->nodes[n].name));
  const char *near = suggestion(ctx, name, names.at, names.len);
  vec_free(&names);
  return wrong_call(job->call->command, "--pin: @%s has no node '%s'%s", job->function, name, near);
}

static int no_such_pe(const MapJob *job, const char *name) {
  Context *ctx = job->call->ctx;
  Vec(const char *) names = {0};
  for (u32 pe = 0; pe < job->adg->npes; pe++)
    vec_push(&names, adg_name(job->adg, job->adg->pes[pe].component));
  const char *near = suggestion(ctx, name, names.at, names.len);
  vec_free(&names);
  return wrong_call(job->call->command, "--pin: @%s has no PE '%s'%s",
                    adg_text(job->adg, job->adg->name), name, near);
}

/* "NODE=PE". Names of PEs may hold any character but '='. */
static int read_pin(const MapJob *job, const char *text, MapPin *pin) {
  Call *call = job->call;
  const char *equals = strrchr(text, '=');
  if (!equals) return wrong_call(call->command, "--pin expects NODE=PE, but got '%s'", text);
  const char *node = str_intern(call->ctx, text, (size_t)(equals - text))->text;
  if (*node == '%') node++;
  u32 component = adg_find(job->adg, equals + 1);
  pin->node = dfg_find_node(job->dfg, node);
  if (pin->node == DFG_NONE) return no_such_node(job, node);
  FireClass fire = dfg_node(job->dfg, pin->node)->fire;
  if (fire == FIRE_ARG || fire == FIRE_RETURN || fire == FIRE_MEMORY || fire == FIRE_EXTMEMORY)
    return wrong_call(call->command, "--pin: node '%s' is not executed by a PE", node);
  if (component == ADG_NONE || !adg_is_pe(&job->adg->components[component]))
    return no_such_pe(job, equals + 1);
  pin->pe = job->adg->components[component].detail;
  return EXIT_GOOD;
}

static int read_pins(const MapJob *job, MapPin *pins) {
  int status = EXIT_GOOD;
  for (size_t i = 0; i < job->call->set.pins.len && !status; i++) {
    status = read_pin(job, job->call->set.pins.at[i], &pins[i]);
    for (size_t k = 0; k < i && !status; k++)
      if (pins[k].node == pins[i].node && pins[k].pe != pins[i].pe)
        status = wrong_call(job->call->command, "--pin %s and --pin %s contradict each other",
                            job->call->set.pins.at[k], job->call->set.pins.at[i]);
  }
  return status;
}

const char *map_job_file(const MapJob *job, const char *ending) {
  Context *ctx = job->call->ctx;
  return str_printf(ctx, "%s.%s", file_name_of(ctx, job->function), ending)->text;
}

/* Hints from the mapping in --from: where nodes were placed. */
static int read_earlier(const MapJob *job, MapOptions *options, MapPin **hints) {
  Call *call = job->call;
  if (!call->set.from) return EXIT_GOOD;
  const Source *source = source_read(
      call->ctx,
      str_printf(call->ctx, "%s/%s", call->set.from, map_job_file(job, "map.json"))->text);
  if (!source ||
      !mapping_read_places(call->ctx, source, job->dfg, job->adg, hints, &options->nhints))
    return EXIT_BAD_INPUT;
  options->hints = *hints;
  return EXIT_GOOD;
}

/* ---- the search ------------------------------------------------------------------------------ */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

/* Ctrl-C or SIGTERM ends the search, a second one the program. Signals that the caller ignores (a
 * script, in the background) stay ignored. */
static const int ends_search[] = {SIGINT, SIGTERM};
typedef struct {
  struct sigaction was[COUNT_OF(ends_search)];
} Signals;

static void catch_signals(Signals *signals) {
  struct sigaction note = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
  interrupted = 0;
  for (u32 i = 0; i < COUNT_OF(ends_search); i++) {
    sigaction(ends_search[i], NULL, &signals->was[i]);
    if (signals->was[i].sa_handler != SIG_IGN) sigaction(ends_search[i], &note, NULL);
  }
}

static void release_signals(const Signals *signals) {
  for (u32 i = 0; i < COUNT_OF(ends_search); i++) sigaction(ends_search[i], &signals->was[i], NULL);
}

typedef struct {
  bool shown, shows;
} Progress;

static bool show_progress(void *context, const char *stage, double cost, u32 overused,
                          double seconds) {
  Progress *p = context;
  if (p->shows) {
    fprintf(stderr, "\r  %-8s cost %.0f, %u overused, %.1f s\033[K", stage, cost, overused,
            seconds);
    fflush(stderr);
    p->shown = true;
  }
  interrupt_tick();
  return !interrupted;
}

/* Diagnostics of the search are printed when it ends. A copy without colours is kept for the file
 * of the closest attempt. */
typedef struct {
  FILE *err, *copy;
  char *text;
  size_t length;
} Captured;

static void capture_begin(Context *ctx, Captured *captured) {
  *captured = (Captured){.err = ctx->err};
  captured->copy = ctx->err ? open_memstream(&captured->text, &captured->length) : NULL;
  if (captured->copy) ctx->err = captured->copy;
}

static const char *capture_end(Context *ctx, Captured *captured) {
  Buf plain = {0};
  ctx->err = captured->err;
  if (!captured->copy) return NULL;
  fclose(captured->copy);
  for (size_t i = 0; i < captured->length; i++) {
    if (captured->text[i] == '\033')
      while (i < captured->length && captured->text[i] != 'm') i++;
    else
      buf_char(&plain, captured->text[i]);
  }
  fwrite(captured->text, 1, captured->length, captured->err);
  free(captured->text);
  const char *kept = plain.len ? arena_copy(ctx->arena, plain.data, plain.len + 1) : NULL;
  buf_free(&plain);
  return kept;
}

int tokens_in_case(Call *call, const Dfg *dfg, const Case *input, u64 **tokens) {
  RunOptions options = call_run_options(call);
  TokenOptions more = {.edges = true};
  RunResult result = {.status = RUN_REFUSED};
  TokenTrace trace = {0};
  RunStatus end = token_run_traced(call->ctx, dfg, input, &options, &more, &result, &trace);
  *tokens = NULL;
  if (end == RUN_FINISHED) {
    *tokens = mem_alloc(mem_size((size_t)dfg->nresults + 1, sizeof **tokens));
    for (u32 r = 0; r < dfg->nresults; r++) (*tokens)[r] = trace.results[r].count;
  }
  run_result_free(&result);
  token_trace_free(&trace);
  return end == RUN_FINISHED ? EXIT_GOOD : end == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_RUN_FAILED;
}

/* Takes the mapping that was found, if it is of the same graph and fabric, and neither --pin nor
 * --from is given. */
static bool takes_found(MapJob *job) {
  const Settings *set = &job->call->set;
  FoundMapping *found = job->found;
  if (!found || !found->mapping || set->pins.len || set->from ||
      found->shape != mapping_shape(job->dfg, job->layout))
    return false;
  if (mapping_adopt(job->call->ctx, found->mapping, job->dfg, job->layout)) {
    job->mapping = found->mapping;
    job->mapping->preset = job->preset;
  } else {
    mapping_free(found->mapping);
  }
  found->mapping = NULL;
  return job->mapping;
}

int map_job_run(MapJob *job) {
  if (takes_found(job)) return EXIT_GOOD;
  Call *call = job->call;
  MapOptions options = mapping_options_default();
  Progress progress = {.shows = isatty(STDERR_FILENO)};
  MapPin *pins = mem_alloc(mem_size(call->set.pins.len + 1, sizeof *pins)), *hints = NULL;
  options.seed = call->set.seed;
  if (call->set.budget > 0) options.budget = call->set.budget;
  options.max_chain = call->set.max_comb;
  options.tokens = job->tokens;
  options.pins = pins;
  options.npins = (u32)call->set.pins.len;
  options.progress = show_progress;
  options.context = &progress;
  options.closest = &job->closest;
  options.tells_refused = call->set.view;
  int status = read_pins(job, pins);
  if (!status) status = read_earlier(job, &options, &hints);
  if (!status) {
    Signals signals;
    const char *before = interrupt_while("a mapping was searched for");
    if (job->keeps_best) catch_signals(&signals);
    Captured captured;
    capture_begin(call->ctx, &captured);
    job->mapping = mapping_graph(call->ctx, job->dfg, job->layout, &options);
    if (!job->mapping && call->ctx->last_error == MAP_CONGESTED) map_job_hint(job, &options);
    job->reported = capture_end(call->ctx, &captured);
    if (job->keeps_best) release_signals(&signals);
    interrupt_while(before);
    if (progress.shown) fprintf(stderr, "\r\033[K");
    if (!job->mapping) status = EXIT_CANNOT_MAP;
    if (job->mapping) job->mapping->preset = job->preset;
    if (job->mapping && job->mapping->stats.is_cut_short)
      fprintf(stderr, "%s: the search was ended early; this is the best mapping so far\n",
              call->command);
  }
  mem_free(pins);
  mem_free(hints);
  return status;
}

Mapping *map_job_try(MapJob *job, const Layout *layout) {
  const Settings *set = &job->call->set;
  MapOptions options = mapping_options_default();
  Progress progress = {.shows = isatty(STDERR_FILENO)};
  options.seed = set->seed;
  if (set->budget > 0) options.budget = set->budget;
  options.max_chain = set->max_comb;
  options.tokens = job->tokens;
  options.progress = show_progress;
  options.context = &progress;
  Signals signals;
  const char *before = interrupt_while("advice for the report was searched for");
  if (job->keeps_best) catch_signals(&signals);
  Mapping *m = mapping_graph(job->call->ctx, job->dfg, layout, &options);
  if (job->keeps_best) release_signals(&signals);
  interrupt_while(before);
  if (progress.shown) fprintf(stderr, "\r\033[K");
  if (!m || !m->stats.is_cut_short) return m;
  mapping_free(m);
  return NULL;
}

/* ---- a case ---------------------------------------------------------------------------------- */

static bool is_as_expected(Context *ctx, const Connection *c, const MachineResult *from,
                           const Case *input) {
  RunResult result = {.status = from->status};
  connect_take(c, from, &result);
  bool good = case_compare(ctx, input, &result, 0);
  run_result_free(&result);
  return good;
}

/* A machine runs on for some cycles after its last result, which are not counted: a limit of
 * counted cycles must allow so many more. */
enum { SETTLING = 64 };

u64 mapping_run_case(Context *ctx, const Mapping *m, const Case *input, u64 most) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  Module *graph = module_new(ctx);
  Configured *conf = configured_new(ctx, &image);
  Dfg *decoded = dfg_freeze(ctx, configured_graph(graph, conf, NULL));
  Machine *machine = decoded ? machine_build(ctx, &image) : NULL;
  Connection *c = machine ? connect_case(ctx, machine, m->dfg, &m->binding, input) : NULL;
  MachineResult result = {0};
  u64 cycles = 0;
  if (c) {
    MachineJob *job = connect_job(c);
    NativeReport report = {0};
    job->max_cycles = most ? most + SETTLING : 0;
    if (clocked_run(ctx, NATIVE_JIT, machine, decoded, job, false, &result, &report) &&
        result.status == RUN_FINISHED && (!most || result.cycles <= most) &&
        is_as_expected(ctx, c, &result, input))
      cycles = result.cycles;
  }
  machine_result_free(&result);
  connect_free(c);
  machine_free(machine);
  dfg_free(decoded);
  configured_free(conf);
  module_free(graph);
  return cycles;
}

/* ---- files ----------------------------------------------------------------------------------- */

enum {
  MAP_JSON,
  MAP_TEXT,
  MAP_NUMBERS,
  MAP_GRAPH,
  MAP_FABRIC,
  MAP_BIN,
  MAP_WORDS,
  MAP_HEADER,
  MAP_DRAWING,
  MAP_DOT,
  MAP_PARTS
};

static const char *const endings[MAP_PARTS] = {
    [MAP_JSON] = "map.json",     [MAP_TEXT] = "map.txt",       [MAP_NUMBERS] = "report.json",
    [MAP_GRAPH] = "dfg.mlir",    [MAP_FABRIC] = "fabric.mlir", [MAP_BIN] = "config.bin",
    [MAP_WORDS] = "config.json", [MAP_HEADER] = "config.h",    [MAP_DRAWING] = "viz.json",
    [MAP_DOT] = "map.dot"};

/* Writes the parts whose bits are set in `wanted`, a drawing only if there is one; frees all. */
static bool write_parts(MapJob *job, const char *dir, Buf *parts, u32 wanted) {
  Context *ctx = job->call->ctx;
  FileText files[MAP_PARTS];
  u32 n = 0;
  for (u32 i = 0; i < MAP_PARTS; i++)
    if (wanted >> i & 1 && (i != MAP_DRAWING || parts[i].len))
      files[n++] =
          (FileText){.path = str_printf(ctx, "%s/%s", dir, map_job_file(job, endings[i]))->text,
                     .fd = -1,
                     .data = parts[i].data,
                     .len = parts[i].len};
  bool good = file_make_dir(ctx, dir) && files_write(ctx, files, n);
  for (u32 i = 0; i < MAP_PARTS; i++) buf_free(&parts[i]);
  return good;
}

/* The drawing of the fabric: generated for a preset; else a copy of the file that the text names.
 * The copy of the fabric then names the copy of the drawing. */
static void print_drawing(MapJob *job, Buf *out) {
  Context *ctx = job->call->ctx;
  FabricPlan plan;
  const char *own = map_job_file(job, "viz.json");
  QuietScope quiet = diag_quiet(ctx);
  if (job->preset && fabric_plan_preset(ctx, job->preset, &plan)) {
    Buf text = {0};
    fabric_generate(ctx, &plan, &text, out);
    fabric_plan_free(&plan);
    buf_free(&text);
  } else {
    const Source *source = fabric_drawing(ctx, job->top);
    if (source) buf_put(out, source->text, source->len);
  }
  diag_quiet_end(ctx, &quiet);
  if (out->len) op_set_attr(job->fabric, job->top, "viz_file", attr_string(ctx, str_of(ctx, own)));
}

/* The graph, the fabric and its drawing. */
static void print_inputs(MapJob *job, Buf *parts) {
  print_drawing(job, &parts[MAP_DRAWING]);
  text_print(job->graph, (PrintOptions){0}, &parts[MAP_GRAPH]);
  text_print(job->fabric, (PrintOptions){0}, &parts[MAP_FABRIC]);
}

int map_job_write(MapJob *job, const char *dir) {
  Context *ctx = job->call->ctx;
  const Mapping *m = job->mapping;
  Image image = {job->layout, m->image, job->layout->nwords, m->binding.input_tags};
  Buf parts[MAP_PARTS] = {0};
  mapping_print_json(ctx, m, map_job_file(job, endings[MAP_GRAPH]),
                     map_job_file(job, endings[MAP_FABRIC]), &parts[MAP_JSON]);
  mapping_print_text(ctx, m, &parts[MAP_TEXT]);
  mapping_print_numbers(m, &parts[MAP_NUMBERS]);
  config_fill_text(job->fabric, job->top, &image); /* replaces its configuration */
  print_inputs(job, parts);
  config_print_binary(&image, &parts[MAP_BIN]);
  config_print_words(&image, &parts[MAP_WORDS]);
  config_print_header(&image, job->function, &parts[MAP_HEADER]);
  if (job->call->set.dot) mapping_print_dot(m, &parts[MAP_DOT]);
  u32 wanted = ((u32)1 << MAP_PARTS) - 1;
  if (!job->call->set.dot) wanted &= ~((u32)1 << MAP_DOT);
  return write_parts(job, dir, parts, wanted) ? EXIT_GOOD : EXIT_FAULT;
}

/* Deletes the other files of an earlier mapping of this name, which are of another result. */
static void delete_parts(MapJob *job, const char *dir, u32 kept) {
  for (u32 i = 0; i < MAP_PARTS; i++)
    if (!(kept >> i & 1))
      unlink(str_printf(job->call->ctx, "%s/%s", dir, map_job_file(job, endings[i]))->text);
}

int map_job_write_closest(MapJob *job, const char *dir) {
  if (!job->closest) return EXIT_CANNOT_MAP;
  Buf parts[MAP_PARTS] = {0};
  mapping_print_closest(job->call->ctx, job->closest, job->reported,
                        map_job_file(job, endings[MAP_GRAPH]),
                        map_job_file(job, endings[MAP_FABRIC]), &parts[MAP_JSON]);
  print_inputs(job, parts);
  u32 wanted = 1u << MAP_JSON | 1u << MAP_GRAPH | 1u << MAP_FABRIC | 1u << MAP_DRAWING;
  if (!parts[MAP_DRAWING].len) wanted &= ~(1u << MAP_DRAWING);
  if (!write_parts(job, dir, parts, wanted)) return EXIT_FAULT;
  delete_parts(job, dir, wanted);
  if (!job->closest->is_missing)
    fprintf(stderr, "%s: the closest attempt is in %s/%s\n", job->call->command, dir,
            map_job_file(job, endings[MAP_JSON]));
  return EXIT_CANNOT_MAP;
}

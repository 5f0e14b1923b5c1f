/* sim.c -- loom sim: configured hardware, cycle by cycle.
 *
 * Of a fabric and an image, or of a mapping: the folder that `loom map` wrote names both, and the
 * graph that they are to be. Then the graph runs too, token by token, and every edge that has a way
 * through the hardware must carry the same tokens in both.
 */
#include "driver/steps.h"
#include "fabric/config.h"
#include "fabric/effective.h"
#include "host/host.h"
#include "machine/agree.h"
#include "machine/connect.h"
#include "sim/token.h"
#include "text/text.h"
#include "verify/verify.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

/* Cycles that `--cycles` shows. */
enum { MOST_CYCLES_SHOWN = 1000 };

/* A fabric, what configures it, and what comes of the two. */
typedef struct {
  Call *call;
  Module *fabric, *graph;
  Op *top;
  Adg *adg;
  Layout *layout;
  Image *image;
  Dfg *decoded;    /* the graph that the image holds */
  Module *source;  /* of a mapping: the graph that was asked for, else NULL */
  Dfg *asked;      /* likewise */
  json_t *mapping; /* likewise: NAME.map.json */
  const Dfg *dfg;  /* that, or the decoded one: whose arguments the case has */
  MapBinding *binding;
  Machine *machine;
  Case *input;
} Sim;

static void free_sim(Sim *s) {
  case_free(s->input);
  if (s->mapping) json_decref(s->mapping);
  dfg_free(s->asked);
  module_free(s->source);
  machine_free(s->machine);
  binding_free(s->binding);
  dfg_free(s->decoded);
  image_free(s->image);
  layout_free(s->layout);
  adg_free(s->adg);
  module_free(s->graph);
  module_free(s->fabric);
}

static Dfg *decode(Sim *s) {
  Effective *eff = effective_new(s->call->ctx, s->image);
  Dfg *dfg = NULL;
  if (eff->is_sound) {
    s->graph = module_new(s->call->ctx);
    dfg = dfg_freeze(s->call->ctx, effective_graph(s->graph, eff, NULL));
  }
  effective_free(eff);
  return dfg;
}

/* The case of the call; without one there is nothing to give. */
static Case *read_case(Call *call) {
  return call->set.case_path ? case_read(call->ctx, call->set.case_path) : case_new(NULL, 0);
}

/* ---- a mapping's folder ---------------------------------------------------------------------- */

/* The one NAME.map.json of a folder; NULL after a word on there being none, or several. */
static const char *find_mapping(Call *call, const char *dir) {
  DIR *d = opendir(dir);
  const char *found = NULL;
  u32 n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    size_t len = strlen(e->d_name);
    if (len < 9 || strcmp(e->d_name + len - 9, ".map.json") != 0) continue;
    found = str_printf(call->ctx, "%s/%s", dir, e->d_name)->text;
    n++;
  }
  if (d) closedir(d);
  if (n == 1) return found;
  wrong_call(call->who,
             n ? "'%s' has several mappings: name one of its .map.json files"
               : "'%s' has no .map.json of loom map",
             dir);
  return NULL;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_mapping(const char *path) {
  size_t len = strlen(path);
  return is_folder(path) || (len > 9 && strcmp(path + len - 9, ".map.json") == 0);
}

/* A file beside the mapping, by the name that member "graph" or "fabric" gives; NULL after
 * MAP_FILE. */
static const char *file_beside(Sim *s, const char *mapping, const char *member) {
  const char *file =
      json_string_value(json_object_get(json_object_get(s->mapping, member), "file"));
  const char *slash = strrchr(mapping, '/');
  if (!file || strchr(file, '/')) {
    diag(s->call->ctx, LOC_NONE, MAP_FILE, "%s names no file for its %s", mapping, member);
    return NULL;
  }
  return str_printf(s->call->ctx, "%.*s%s", slash ? (int)(slash - mapping) + 1 : 0, mapping, file)
      ->text;
}

static bool read_asked(Sim *s, const char *path) {
  Call *call = s->call;
  const Source *source = path ? source_read(call->ctx, path) : NULL;
  s->source = source ? text_parse(call->ctx, source) : NULL;
  Op *func = s->source && verify_module(s->source) ? call_function(call, s->source, NULL) : NULL;
  s->asked = func ? dfg_freeze(call->ctx, func) : NULL;
  return s->asked;
}

/* DIR, or DIR/NAME.map.json. False after diagnostics. */
static bool read_mapping(Sim *s, const char *path, const char **fabric, const char **image,
                         const Source **binding) {
  Call *call = s->call;
  if (is_folder(path)) path = find_mapping(call, path);
  *binding = path ? source_read(call->ctx, path) : NULL;
  if (!*binding) return false;
  json_error_t error;
  s->mapping = json_loadb((*binding)->text, (*binding)->len, 0, &error);
  if (!json_is_object(s->mapping)) {
    diag(call->ctx, LOC_NONE, MAP_FILE, "%s is no mapping: %s", path,
         s->mapping ? "it is no object" : error.text);
    return false;
  }
  *fabric = file_beside(s, path, "fabric");
  *image = str_printf(call->ctx, "%.*s.config.bin", (int)strlen(path) - 9, path)->text;
  return *fabric && read_asked(s, file_beside(s, path, "graph"));
}

/* FABRIC [IMAGE]: without an image what the text says; or a mapping. False after diagnostics. */
static bool prepare(Sim *s) {
  Call *call = s->call;
  const char *fabric = call->files[0], *image = call->nfiles == 2 ? call->files[1] : NULL;
  const Source *binding = NULL;
  if (is_mapping(fabric) && !read_mapping(s, fabric, &fabric, &image, &binding)) return false;
  s->fabric = call_read_fabric(call, fabric, &s->top);
  s->adg = s->fabric ? adg_flatten(call->ctx, s->top) : NULL;
  s->layout = s->adg ? layout_new(call->ctx, s->adg) : NULL;
  if (!s->layout) return false;
  s->image = image ? image_read(call->ctx, s->layout, image) : config_of_text(call->ctx, s->layout);
  s->decoded = s->image ? decode(s) : NULL;
  s->dfg = s->asked ? s->asked : s->decoded;
  s->binding = s->decoded ? binding_read(call->ctx, s->dfg, s->image, binding) : NULL;
  MachineTiming timing = machine_timing_default();
  s->machine = s->binding ? machine_build(call->ctx, s->image, &timing) : NULL;
  s->input = s->machine ? read_case(call) : NULL;
  return s->input;
}

/* ---- the table of cycles --------------------------------------------------------------------- */

typedef struct {
  u64 cycle;
  u32 input;
  u64 value;
} Transfer;

typedef struct {
  Vec(Transfer) seen;
} Seen;

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  Seen *seen = user;
  Transfer t = {cycle, input, value};
  if (cycle < MOST_CYCLES_SHOWN) vec_push(&seen->seen, t);
}

/* "pe_0.in1"; of a port that lanes or instructions share "mem.in0[2]"; of a register "pe_0.reg", of
 * an operand that comes from one "pe_0.op0". */
static const char *column_name(const Sim *s, u32 input) {
  const MachineInput *in = &s->machine->inputs[input];
  const MachineUnit *u = &s->machine->units[in->unit];
  const char *name = adg_name(s->adg, u->component);
  Context *ctx = s->call->ctx;
  if (in->port == ADG_NONE && u->kind == UNIT_FIFO) return str_printf(ctx, "%s.reg", name)->text;
  if (in->port == ADG_NONE) return str_printf(ctx, "%s.op%u", name, in->index)->text;
  const AdgPort *port = &s->adg->ports[in->port];
  if (port->is_tagged)
    return str_printf(ctx, "%s.in%u[%u]", adg_name(s->adg, port->component), port->index,
                      u->kind == UNIT_LOAD || u->kind == UNIT_STORE ? u->tag : u->instruction)
        ->text;
  return str_printf(ctx, "%s.in%u", adg_name(s->adg, port->component), port->index)->text;
}

/* A row a cycle, a column an operand: what it took. Columns are as in the machine's tables. */
static void print_cycles(const Sim *s, const Seen *seen, u64 cycles) {
  u32 n = s->machine->ninputs;
  const char **names = mem_alloc(mem_size((size_t)n + 1, sizeof *names));
  char(*row)[24] = mem_alloc(mem_size((size_t)n + 1, sizeof *row));
  printf("cycle");
  for (u32 i = 0; i < n; i++) printf("  %s", names[i] = column_name(s, i));
  printf("\n");
  size_t at = 0;
  for (u64 cycle = 0; cycle < cycles && cycle < MOST_CYCLES_SHOWN; cycle++) {
    for (u32 i = 0; i < n; i++) snprintf(row[i], sizeof row[i], ".");
    for (; at < seen->seen.len && seen->seen.at[at].cycle == cycle; at++)
      snprintf(row[seen->seen.at[at].input], sizeof *row, "%llu",
               (unsigned long long)seen->seen.at[at].value);
    printf("%5llu", (unsigned long long)cycle);
    for (u32 i = 0; i < n; i++) printf("  %*s", (int)strlen(names[i]), row[i]);
    printf("\n");
  }
  mem_free(row);
  mem_free(names);
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Generated code does not look at units that do not fire: only the reference knows why. */
static void print_stats(const Sim *s, const MachineResult *r, bool knows_stalls) {
  static const char *const kinds[] = {"input", "output", "drain",     "unit", "unit", "stream",
                                      "gate",  "carry",  "invariant", "fifo", "load", "store"};
  printf("%-24s %-10s %10s %8s", "unit", "", "firings", "used");
  if (knows_stalls) printf(" %10s %10s %10s", "starved", "blocked", "busy");
  printf("\n");
  for (u32 u = 0; u < s->machine->nunits; u++) {
    const MachineUnit *unit = &s->machine->units[u];
    printf("%-24s %-10s %10llu %7.1f%%", adg_name(s->adg, unit->component), kinds[unit->kind],
           (unsigned long long)r->firings[u],
           r->cycles ? 100.0 * (double)r->firings[u] / (double)r->cycles : 0.0);
    for (u32 k = 0; knows_stalls && k < STALL_COUNT; k++)
      printf(" %10llu", (unsigned long long)r->stalls[u][k]);
    printf("\n");
  }
}

/* ---- loom sim -------------------------------------------------------------------------------- */

static bool is_reference(const Call *call) {
  return !call->set.engine || strcmp(call->set.engine, "step") == 0;
}

static bool run(Sim *s, const MachineJob *job, MachineResult *result) {
  const char *engine = s->call->set.engine;
  if (is_reference(s->call)) {
    machine_run(s->machine, job, result);
    return true;
  }
  NativeEngine native = strcmp(engine, "jit") == 0 ? NATIVE_JIT : NATIVE_CC;
  return clocked_run(s->call->ctx, native, s->machine, s->decoded, job, s->call->set.stats, result,
                     NULL);
}

/* Results and memories as `expected` has them, or whether they are as expected. */
static int report(Sim *s, const RunResult *result) {
  Call *call = s->call;
  bool good = result->status == RUN_FINISHED;
  if (good && s->input->has_expected) {
    good = case_compare(call->ctx, s->input, result, call->set.ulp);
    printf("%s\n", good ? "PASS" : "FAIL");
  } else if (good || call->set.out) {
    Buf out = {0};
    case_write_expected(call->ctx, result, &out);
    int status = call_write(call, call->set.out ? call->set.out : "-", &out);
    buf_free(&out);
    if (status != EXIT_GOOD) return status;
  }
  return good ? EXIT_GOOD : EXIT_RUN_FAILED;
}

/* Both told of every transfer. */
typedef struct {
  Seen seen;
  Agreement *agreement; /* NULL: nobody compares */
  bool shows;
} Watcher;

static void watch(void *user, u64 cycle, u32 input, u64 value) {
  Watcher *w = user;
  if (w->agreement) agree_take(w->agreement, input, value);
  if (w->shows) on_transfer(&w->seen, cycle, input, value);
}

/* The graph's own run against the machine's: results, memories, and the tokens of every edge. */
static bool agrees(Sim *s, Agreement *agreement, const RunResult *result) {
  Call *call = s->call;
  RunOptions options = call_run_options(call);
  TokenOptions more = {.edges = true};
  RunResult expected;
  TokenTrace trace = {0};
  options.histories = false;
  bool good = token_run_traced(call->ctx, s->asked, s->input, &options, &more, &expected, &trace) ==
              RUN_FINISHED;
  good = good && run_compare(call->ctx, "the graph", &expected, "the machine", result);
  u32 compared = 0;
  good = good && agree_compare(call->ctx, agreement, &trace, &compared);
  if (good)
    printf("agrees with the graph: results, memories, the tokens of %u of %u edges (the others are "
           "inside a unit)\n",
           compared, s->asked->nedges);
  token_trace_free(&trace);
  run_result_free(&expected);
  return good;
}

static int simulate(Sim *s) {
  Call *call = s->call;
  Connection *connection = connect_case(call->ctx, s->machine, s->dfg, s->binding, s->input);
  if (!connection) return EXIT_BAD_INPUT;
  Watcher watcher = {.shows = call->set.cycles};
  if (s->asked && !call->set.alone)
    watcher.agreement = agree_new(s->asked, s->machine, s->binding, s->mapping);
  MachineObserver observer = {.user = &watcher, .transfer = watch};
  MachineJob *job = connect_job(connection);
  job->max_cycles = call->set.max_cycles;
  if (watcher.shows || watcher.agreement) job->observer = &observer;
  MachineResult from = {0};
  RunResult result = {0};
  int status = EXIT_FAULT;
  if (run(s, job, &from)) {
    if (call->set.cycles) print_cycles(s, &watcher.seen, from.cycles);
    connect_result(call->ctx, connection, &from, &result);
    printf("%llu cycles\n", (unsigned long long)from.cycles);
    if (call->set.stats) print_stats(s, &from, is_reference(call));
    status = report(s, &result);
    if (status == EXIT_GOOD && watcher.agreement && !agrees(s, watcher.agreement, &result))
      status = EXIT_RUN_FAILED;
  }
  run_result_free(&result);
  machine_result_free(&from);
  vec_free(&watcher.seen.seen);
  agree_free(watcher.agreement);
  connect_free(connection);
  return status;
}

int drive_sim(Call *call) {
  Sim s = {.call = call};
  int status = prepare(&s) ? simulate(&s) : EXIT_BAD_INPUT;
  free_sim(&s);
  return status;
}

static const char *const engine_choices[] = {"step", "jit", "cc", NULL};

const Option options_sim[] = {
    TEXT("--case", "FILE", case_path, "the arguments, as JSON"),
    CHOICE("--engine", "NAME", engine, "step (the reference), jit, cc", engine_choices),
    TEXT("--out", "FILE", out, "write results and memories here, as JSON"),
    FLAG("--cycles", cycles, "a table: which operand took what in which cycle"),
    FLAG("--alone", alone, "a mapping: do not run the graph to compare with"),
    FLAG("--stats", stats, "what each unit did, and why it waited"),
    COUNT("--max-cycles", "N", max_cycles, "stop then (100000000; 0: never)"),
    COUNT("--ulp", "N", ulp, "floats may differ by N units in the last place"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

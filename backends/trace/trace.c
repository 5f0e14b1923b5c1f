/* trace.c -- the trace backend: writes the events of a run, for people and tools.
 *
 *     loom emit trace kernel.mlir --case case.json -o out -- --format=vcd --edges='sum*,i'
 *
 *     vcd       trace.vcd         for a waveform viewer: each edge a valid and a data signal
 *     perfetto  trace.json        for ui.perfetto.dev or chrome://tracing: nodes as tracks
 *     csv       edges/NAME.csv    one an edge: token, time, value
 *               edges.csv         the operation that makes the tokens of each, its location
 *     hash      histories.trace   the edges section of a golden trace
 *
 * Time is the order of firing: one node fires in each unit of it. The run is replayed once, all
 * formats are written alongside, and memory does not grow with it: the host takes the text in small
 * pieces and spills it to disk.
 *
 * A run that fails is still worth seeing, so its events until then are written, with a note.
 * Hardware is shown by machine.c, where time is cycles.
 *
 * Each format gives the source locations of operations: for C input, those in the C file.
 *
 * This file chooses (options, edges, the window of time) and passes events on.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- setting up ------------------------------------------------------------------------------ */

void *trace_alloc(Trace *t, size_t count, size_t size) {
  return backend_alloc(t->host, count, size);
}

static int complain(const Trace *t, const char *code, const char *message) {
  t->host->diag(t->host, LOOM_FAILURE, code, LOOM_NONE, message);
  return LOOM_ERROR;
}

static void read_graph(Trace *t) {
  const loom_dfg *dfg = t->dfg;
  t->nodes = dfg->node_count(t->design);
  t->results = dfg->result_count(t->design);
  t->edges = dfg->edge_count(t->design);
  t->types = dfg->type_count(t->design);
  t->type = trace_alloc(t, t->types, sizeof *t->type);
  t->type_of = trace_alloc(t, t->results, sizeof *t->type_of);
  t->numbers = trace_alloc(t, t->results, sizeof *t->numbers);
  t->edge_chosen = trace_alloc(t, t->edges, 1);
  t->node_chosen = trace_alloc(t, t->nodes, 1);
  for (uint32_t i = 0; i < t->types; i++) dfg->type(t->design, i, &t->type[i], sizeof t->type[i]);
  for (uint32_t r = 0; r < t->results; r++) {
    loom_result result;
    dfg->result(t->design, r, &result, sizeof result);
    t->type_of[r] = result.type;
  }
}

/* Chooses the edges that --edges matches, and the nodes at their ends. */
static int choose_edges(Trace *t) {
  const char *patterns = t->host->option(t->host, "edges");
  int all = strcmp(patterns, "*") == 0;
  uint32_t n = 0;
  for (uint32_t e = 0; e < t->edges; e++) {
    loom_edge edge;
    t->dfg->edge(t->design, e, &edge, sizeof edge);
    if (!all && !trace_matches(patterns, edge.name)) continue;
    t->edge_chosen[e] = 1;
    t->node_chosen[edge.from] = t->node_chosen[edge.to] = 1;
    n++;
  }
  if (all) memset(t->node_chosen, 1, t->nodes);
  if (n || all) return LOOM_OK;
  return complain(t, "TRACE_NO_EDGE",
                  "--edges matches no edge; names are those of the graph that "
                  "loom lower prints");
}

static int choose_times(Trace *t) {
  long long from = strtoll(t->host->option(t->host, "from"), NULL, 10);
  long long count = strtoll(t->host->option(t->host, "count"), NULL, 10);
  if (from < 0 || count < 0)
    return complain(t, "TRACE_RANGE", "--from and --count cannot be negative");
  t->from = (uint64_t)from;
  t->to = count ? t->from + (uint64_t)count : UINT64_MAX;
  return LOOM_OK;
}

int trace_nothing(Trace *t, uint64_t length, const char *unit) {
  char message[120];
  snprintf(message, sizeof message, "--from=%llu is past the end: the run has %llu %s",
           (unsigned long long)t->from, (unsigned long long)length, unit);
  return complain(t, "TRACE_RANGE", message);
}

/* Chooses the formats that are made from events. *hash: whether that format is wanted, too. */
static void choose_formats(Trace *t, int *hash) {
  static const Format *const known[] = {&trace_vcd, &trace_timeline, &trace_csv};
  const char *wanted = t->host->option(t->host, "format");
  int all = strcmp(wanted, "all") == 0;
  for (size_t i = 0; i < LOOM_COUNT(known); i++)
    if (all || strcmp(wanted, known[i]->name) == 0) t->formats[t->nformats++] = known[i];
  *hash = all || strcmp(wanted, "hash") == 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Whether an event of this time is shown; past the window the run need not go on. */
static int is_shown(Trace *t, uint64_t time) {
  t->seen++;
  t->last = time;
  t->stopped = time >= t->to;
  return time >= t->from && !t->stopped;
}

static int on_firing(void *user, uint64_t time, uint32_t node) {
  Trace *t = user;
  if (!is_shown(t, time)) return t->stopped ? LOOM_ERROR : LOOM_OK;
  for (int i = 0; i < t->nformats; i++)
    if (t->formats[i]->firing) t->formats[i]->firing(t, time, node);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static int on_token(void *user, uint64_t time, uint32_t result, const uint64_t *words,
                    uint32_t count) {
  Trace *t = user;
  Token token = {.time = time, .number = t->numbers[result]++, .result = result, .words = words};
  if (!is_shown(t, time)) return t->stopped ? LOOM_ERROR : LOOM_OK;
  token.count = trace_scalars(t, t->type_of[result], token.types, MAX_SCALARS);
  if (token.count > MAX_SCALARS) token.count = MAX_SCALARS;
  if (token.count > count) token.count = count;
  for (int i = 0; i < t->nformats; i++) t->formats[i]->token(t, &token);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static int show_events(Trace *t) {
  const loom_visitor visitor = {sizeof visitor, t, on_firing, on_token};
  for (int i = 0; i < t->nformats && !t->failed; i++) t->formats[i]->begin(t);
  if (t->failed) return LOOM_ERROR;
  int status = t->nformats ? t->histories->replay(t->design, &visitor) : LOOM_OK;
  if (t->failed) return LOOM_ERROR;
  if (status != LOOM_OK && !t->stopped) {
    if (!t->seen) return complain(t, "TRACE_NO_RUN", "the run did not start");
    t->host->diag(t->host, LOOM_NOTE, "TRACE_CUT", LOOM_NONE,
                  "the run failed; the trace shows what happened until then");
  }
  if (t->seen && t->from > t->last) return trace_nothing(t, t->last + 1, "firings");
  for (int i = 0; i < t->nformats && !t->failed; i++)
    if (t->formats[i]->end) t->formats[i]->end(t);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- the backend ----------------------------------------------------------------------------- */

static int create(const loom_host *host, void **state) {
  Trace *t = host->alloc(host, sizeof *t);
  t->host = host;
  t->dfg = host->get_extension(host, "loom.dfg/1");
  t->histories = host->get_extension(host, "loom.histories/1");
  t->source = host->get_extension(host, "loom.source/1");
  *state = t;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  Trace *t = state;
  int hash;
  const loom_machine *machine = t->host->get_extension(t->host, "loom.machine/1");
  const loom_cycles *cycles = t->host->get_extension(t->host, "loom.cycles/1");
  t->design = design;
  if (load_find(t)) return LOOM_ERROR;
  if (machine && cycles) return choose_times(t) ? LOOM_ERROR : trace_machine(t, machine, cycles);
  read_graph(t);
  if (choose_edges(t) || choose_times(t)) return LOOM_ERROR;
  choose_formats(t, &hash);
  if (show_events(t)) return LOOM_ERROR;
  /* a replay that was cut short has only the start of the histories */
  if (hash && t->stopped && t->histories->replay(design, NULL)) return LOOM_ERROR;
  return hash ? trace_hashes(t) : LOOM_OK;
}

static const loom_option format_option =
    LOOM_OPTION(LOOM_CHOICE, "format", "all", "vcd|perfetto|csv|hash|all", "the format to write");
static const loom_option edges_option =
    LOOM_OPTION(LOOM_TEXT, "edges", "*", NULL,
                "only edges whose names match: patterns with * and ?, separated by commas");
static const loom_option from_option =
    LOOM_OPTION(LOOM_INT, "from", "0", NULL, "only firings, or cycles, from this number on");
static const loom_option count_option =
    LOOM_OPTION(LOOM_INT, "count", "0", NULL, "at most this many firings, or cycles; 0: all");
static const loom_option load_option = LOOM_OPTION(
    LOOM_FLAG, "load", "0", NULL,
    "of hardware: also show the loading of its configuration before the run, a word per cycle");
static const loom_option *const options[] = {&format_option, &edges_option, &from_option,
                                             &count_option, &load_option};
static const char *const requires[] = {"loom.dfg/1", "loom.histories/1"};

static const loom_backend backend = {
    .size = sizeof(loom_backend),
    .id = "trace",
    .version = "1.0.0",
    .summary = "what a run did: VCD waves, a Perfetto timeline, CSV tables, hashes",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .requires = requires,
    .require_count = LOOM_COUNT(requires),
    .create = create,
    .emit = emit,
    .destroy = backend_destroy,
};

static const loom_backend *const backends[] = {&backend};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);

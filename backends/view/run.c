/* run.c -- the events of a run, as packed columns.
 *
 * For hardware, time is cycles. For each input of the machine there is a column of the cycles in
 * which it took a token, one of those in which the token was used, and one of the values; for each
 * unit one of the cycles in which it fired, and four of its stalls. Loops repeat, so columns pack
 * well; the page unpacks them once. Several inputs of one output take the same values: those are
 * written once.
 *
 * For a graph alone, time is firings, one node in each. A column for each node, and for each
 * result.
 *
 * Of events before the window (--from) only what its first frame needs is kept: the tokens that
 * wait, and the contents of memories. Cost: linear in events, and in pairs of inputs (same_values).
 */
#include "view.h"

#include <string.h>

typedef struct {
  Column from, length, why, input;
} Stalls;

typedef struct {
  uint64_t *items, n, room;
} Values;

typedef struct {
  const View *v;
  uint64_t from, to;
  uint32_t ninputs, nunits, nmemories;
  loom_unit *units;
  loom_unit_input *inputs;
  Column *taken, *used, *values; /* by input */
  uint64_t *earlier;             /* by input: tokens that it took before the window */
  uint64_t *waiting;             /* by input: tokens that wait at the start of the window; */
  uint64_t *held;                /* and the value of the last of them (of a lane: queues) */
  Column *fired;                 /* by unit */
  Stalls *stalls;
  Values *queues;               /* by input of a lane: all it took before the window */
  uint64_t *store_firings;      /* by unit */
  uint64_t **memory, *elements; /* by memory, at the start of the window */
  uint32_t *memory_of;          /* by unit */
} Recorder;

/* ---- hardware -------------------------------------------------------------------------------- */

static void keep_value(const loom_host *host, Values *q, uint64_t value) {
  if (q->n == q->room) {
    uint64_t *items = backend_alloc(host, q->room ? 2 * (size_t)q->room : 64, sizeof *items);
    if (q->n) memcpy(items, q->items, (size_t)q->n * sizeof *items);
    q->room = q->room ? 2 * q->room : 64;
    q->items = items;
  }
  q->items[q->n++] = value;
}

static int is_lane(const loom_unit *u) {
  return u->kind == LOOM_UNIT_LOAD || u->kind == LOOM_UNIT_STORE;
}

static int on_transfer(void *user, uint64_t cycle, uint32_t input, uint64_t value) {
  Recorder *r = user;
  if (cycle >= r->to) return LOOM_ERROR;
  if (cycle < r->from) {
    r->waiting[input]++;
    r->earlier[input]++;
    r->held[input] = value;
    if (is_lane(&r->units[r->inputs[input].unit])) keep_value(r->v->host, &r->queues[input], value);
    return LOOM_OK;
  }
  column_time(&r->taken[input], r->v->host, cycle);
  column_value(&r->values[input], r->v->host, value);
  return LOOM_OK;
}

static int on_use(void *user, uint64_t cycle, uint32_t input) {
  Recorder *r = user;
  if (cycle < r->from)
    r->waiting[input] -= r->waiting[input] != 0;
  else
    column_time(&r->used[input], r->v->host, cycle);
  return LOOM_OK;
}

/* Applies a store before the window: a lane's operands are its address and its data. */
static void apply_store(Recorder *r, uint32_t unit) {
  const loom_unit *u = &r->units[unit];
  uint64_t k = r->store_firings[unit]++;
  uint32_t m = r->memory_of[unit];
  const Values *address = &r->queues[u->first_input], *data = &r->queues[u->first_input + 1];
  if (m == LOOM_NONE || k >= address->n || k >= data->n) return;
  if (address->items[k] < r->elements[m]) r->memory[m][address->items[k]] = data->items[k];
}

static int on_firing(void *user, uint64_t cycle, uint32_t unit) {
  Recorder *r = user;
  if (cycle >= r->from)
    column_time(&r->fired[unit], r->v->host, cycle);
  else if (r->units[unit].kind == LOOM_UNIT_STORE)
    apply_store(r, unit);
  return LOOM_OK;
}

static int on_stall(void *user, uint64_t from, uint64_t to, uint32_t unit, enum loom_wait why,
                    uint32_t input) {
  Recorder *r = user;
  const loom_host *host = r->v->host;
  Stalls *s = &r->stalls[unit];
  if (from < r->from) from = r->from;
  if (to > r->to) to = r->to;
  if (from >= to) return LOOM_OK;
  column_time(&s->from, host, from);
  column_value(&s->length, host, to - from);
  column_value(&s->why, host, (uint64_t)why);
  column_value(&s->input, host, input == LOOM_NONE ? 0 : (uint64_t)input + 1);
  return LOOM_OK;
}

static void read_memories(Recorder *r, const loom_design *graph) {
  const View *v = r->v;
  r->nmemories = v->dfg->memory_count(graph);
  r->memory = backend_alloc(v->host, r->nmemories, sizeof *r->memory);
  r->elements = backend_alloc(v->host, r->nmemories, sizeof *r->elements);
  for (uint32_t m = 0; v->contents && m < r->nmemories; m++) {
    const uint64_t *at = v->contents->memory(v->design, m, &r->elements[m]);
    if (!at) continue;
    r->memory[m] = backend_alloc(v->host, (size_t)r->elements[m], sizeof **r->memory);
    memcpy(r->memory[m], at, (size_t)r->elements[m] * sizeof *at);
  }
}

static void read_machine(Recorder *r) {
  const View *v = r->v;
  r->ninputs = v->machine->input_count(v->design);
  r->nunits = v->machine->unit_count(v->design);
  r->units = backend_alloc(v->host, r->nunits, sizeof *r->units);
  r->inputs = backend_alloc(v->host, r->ninputs, sizeof *r->inputs);
  r->taken = backend_alloc(v->host, r->ninputs, sizeof *r->taken);
  r->used = backend_alloc(v->host, r->ninputs, sizeof *r->used);
  r->values = backend_alloc(v->host, r->ninputs, sizeof *r->values);
  r->waiting = backend_alloc(v->host, r->ninputs, sizeof *r->waiting);
  r->earlier = backend_alloc(v->host, r->ninputs, sizeof *r->earlier);
  r->held = backend_alloc(v->host, r->ninputs, sizeof *r->held);
  r->queues = backend_alloc(v->host, r->ninputs, sizeof *r->queues);
  r->fired = backend_alloc(v->host, r->nunits, sizeof *r->fired);
  r->stalls = backend_alloc(v->host, r->nunits, sizeof *r->stalls);
  r->store_firings = backend_alloc(v->host, r->nunits, sizeof *r->store_firings);
  r->memory_of = backend_alloc(v->host, r->nunits, sizeof *r->memory_of);
  for (uint32_t i = 0; i < r->nunits; i++) {
    v->machine->unit(v->design, i, &r->units[i], sizeof r->units[i]);
    r->memory_of[i] = LOOM_NONE;
    for (uint32_t m = 0; m < r->nmemories; m++)
      if (is_lane(&r->units[i]) && v->binding->region(v->design, m) == r->units[i].region)
        r->memory_of[i] = m;
  }
  for (uint32_t i = 0; i < r->ninputs; i++)
    v->machine->input(v->design, i, &r->inputs[i], sizeof r->inputs[i]);
  for (uint32_t i = 0; i < r->ninputs; i++) r->taken[i].last = r->used[i].last = r->from;
  for (uint32_t i = 0; i < r->nunits; i++) r->fired[i].last = r->stalls[i].from.last = r->from;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_column(Json *j, const char *key, Column *c) {
  json_string(j, key, column_end(c));
}

/* An earlier input that takes the same values, if the window begins with the run; LOOM_NONE. */
static uint32_t same_values(const Recorder *r, uint32_t input) {
  const loom_unit_input *in = &r->inputs[input];
  for (uint32_t k = 0; k < input; k++)
    if (r->inputs[k].output == in->output && r->inputs[k].mask == in->mask && !in->move_count &&
        !r->inputs[k].move_count && r->values[k].count == r->values[input].count && r->from == 0)
      return k;
  return LOOM_NONE;
}

static void write_inputs(Recorder *r, Json *j) {
  json_open(j, "inputs", '[');
  for (uint32_t i = 0; i < r->ninputs; i++) {
    uint32_t same = same_values(r, i);
    json_open(j, NULL, '{');
    write_column(j, "taken", &r->taken[i]);
    write_column(j, "used", &r->used[i]);
    if (same != LOOM_NONE)
      json_number(j, "same", same);
    else
      write_column(j, "values", &r->values[i]);
    if (r->earlier[i]) json_number(j, "earlier", (long long)r->earlier[i]);
    if (r->waiting[i]) {
      const Values *queue = &r->queues[i];
      Column held = {0};
      json_number(j, "before", (long long)r->waiting[i]);
      for (uint64_t k = queue->n - (queue->n ? r->waiting[i] : 0); k < queue->n; k++)
        column_value(&held, r->v->host, queue->items[k]);
      if (!queue->n) column_value(&held, r->v->host, r->held[i]);
      write_column(j, "held", &held);
    }
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void write_unit_runs(Recorder *r, Json *j) {
  json_open(j, "units", '[');
  for (uint32_t u = 0; u < r->nunits; u++) {
    json_open(j, NULL, '{');
    write_column(j, "fired", &r->fired[u]);
    if (r->stalls[u].from.count) {
      json_open(j, "stalls", '{');
      write_column(j, "from", &r->stalls[u].from);
      write_column(j, "length", &r->stalls[u].length);
      write_column(j, "why", &r->stalls[u].why);
      write_column(j, "input", &r->stalls[u].input);
      json_close(j, '}');
    }
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void write_contents(Recorder *r, Json *j) {
  json_open(j, "memories", '[');
  for (uint32_t m = 0; m < r->nmemories; m++) {
    Column column = {0};
    for (uint64_t e = 0; r->memory[m] && e < r->elements[m]; e++)
      column_value(&column, r->v->host, r->memory[m][e]);
    write_column(j, NULL, &column);
  }
  json_close(j, ']');
}

static int past_the_end(const View *v) {
  v->host->diag(v->host, LOOM_FAILURE, "VIEW_RANGE", LOOM_NONE,
                "--from is past the end of the run");
  return LOOM_ERROR;
}

static int run_of_machine(const View *v, Json *j) {
  Recorder r = {0};
  uint64_t cycles = 0;
  loom_machine_visitor visitor = {0};
  r.v = v, r.from = v->from, r.to = v->count ? v->from + v->count : UINT64_MAX;
  read_memories(&r, v->shown);
  read_machine(&r);
  visitor.size = sizeof visitor;
  visitor.user = &r;
  visitor.transfer = on_transfer;
  visitor.firing = on_firing;
  visitor.use = on_use;
  visitor.stall = on_stall;
  v->cycles->replay(v->design, &visitor, v->count ? r.to : 0, &cycles);
  if (v->from && v->from >= cycles) return past_the_end(v);
  json_open(j, "run", '{');
  json_string(j, "time", "cycles");
  json_number(j, "from", (long long)v->from);
  json_number(j, "to", (long long)cycles);
  json_number(j, "total", (long long)(v->outcome ? v->outcome->cycles(v->design) : cycles));
  write_inputs(&r, j);
  write_unit_runs(&r, j);
  write_contents(&r, j);
  json_close(j, '}');
  return LOOM_OK;
}

/* ---- a graph --------------------------------------------------------------------------------- */

typedef struct {
  const View *v;
  uint64_t from, to, last;
  Column *fired;         /* by node */
  Column *sent, *values; /* by result */
  int any;
} Graph;

static int graph_firing(void *user, uint64_t time, uint32_t node) {
  Graph *g = user;
  if (time >= g->to) return LOOM_ERROR;
  g->last = time, g->any = 1;
  if (time >= g->from) column_time(&g->fired[node], g->v->host, time);
  return LOOM_OK;
}

static int graph_token(void *user, uint64_t time, uint32_t result, const uint64_t *words,
                       uint32_t count) {
  Graph *g = user;
  if (time >= g->to) return LOOM_ERROR;
  if (time < g->from) return LOOM_OK;
  column_time(&g->sent[result], g->v->host, time);
  column_value(&g->values[result], g->v->host, count ? words[0] : 0);
  return LOOM_OK;
}

static int run_of_graph(const View *v, Json *j) {
  Graph g = {0};
  Recorder memories = {0};
  uint32_t nodes = v->dfg->node_count(v->shown), results = v->dfg->result_count(v->shown);
  loom_visitor visitor = {0};
  int status;
  g.v = v, g.from = v->from, g.to = v->count ? v->from + v->count : UINT64_MAX;
  g.fired = backend_alloc(v->host, nodes, sizeof *g.fired);
  g.sent = backend_alloc(v->host, results, sizeof *g.sent);
  g.values = backend_alloc(v->host, results, sizeof *g.values);
  for (uint32_t i = 0; i < nodes; i++) g.fired[i].last = g.from;
  for (uint32_t i = 0; i < results; i++) g.sent[i].last = g.from;
  visitor.size = sizeof visitor, visitor.user = &g;
  visitor.firing = graph_firing, visitor.token = graph_token;
  status = v->histories->replay(v->shown, &visitor);
  if (status != LOOM_OK && !g.any) {
    v->host->diag(v->host, LOOM_FAILURE, "VIEW_NO_RUN", LOOM_NONE, "the run did not start");
    return LOOM_ERROR;
  }
  if (v->from > g.last) return past_the_end(v);
  memories.v = v;
  read_memories(&memories, v->shown);
  json_open(j, "run", '{');
  json_string(j, "time", "firings");
  json_number(j, "from", (long long)v->from);
  json_number(j, "to", (long long)g.last + 1);
  json_number(j, "total", (long long)g.last + 1);
  json_open(j, "nodes", '[');
  for (uint32_t i = 0; i < nodes; i++) write_column(j, NULL, &g.fired[i]);
  json_close(j, ']');
  json_open(j, "results", '[');
  for (uint32_t i = 0; i < results; i++) {
    json_open(j, NULL, '{');
    write_column(j, "sent", &g.sent[i]);
    write_column(j, "values", &g.values[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
  write_contents(&memories, j);
  json_close(j, '}');
  return LOOM_OK;
}

int view_run(const View *v, Json *j) {
  if (v->machine && v->cycles) return run_of_machine(v, j);
  if (!v->fabric && v->histories) return run_of_graph(v, j);
  return LOOM_OK;
}

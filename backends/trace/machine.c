/* machine.c -- the traces of configured hardware: time is cycles.
 *
 *     loom emit trace DIR --case case.json -o out -- --format=vcd --edges='pe_0_*' --from=100
 *
 *     vcd       trace.vcd       each operand a valid and a data signal: valid in a cycle in which
 *                               it takes a token, of that value
 *     perfetto  trace.json      each unit a track, each firing a slice of one microsecond at its
 *                               cycle, with the operands it fired on
 *     csv       transfers.csv   a line a token: cycle, operand, value
 *     hash      channels.timed  what `loom sim --timed` writes
 *
 * Operands are called as loom sim calls them, and --edges chooses among these names; --from and
 * --count are cycles. Values are written as their types are, where a mapping tells which edge of
 * the graph an operand takes; else they are bits, as numbers without a sign. Nothing is kept of the
 * events.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Trace *t;
  const loom_machine *machine;
  const loom_cycles *run;
  uint32_t ninputs, nunits;
  loom_unit_input *inputs;
  loom_unit *units;
  const char **names;    /* by input */
  loom_type *types;      /* by input; kind NO_DATA: not known, or of no data */
  unsigned char *chosen; /* by input: --edges */
  unsigned char *unit_chosen;
  uint64_t *last;          /* by input: the token it took last */
  uint64_t *counts, *sums; /* by input: of all cycles */
  /* vcd */
  uint32_t *valid, nvalid; /* inputs whose valid is 1 */
  uint64_t now;
  int begun;
  Out vcd, json, csv;
  int wants_vcd, wants_json, wants_csv;
} Wave;

/* ---- setting up ------------------------------------------------------------------------------ */

/* Of the graph that the hardware is to be. */
static const char *design_name(const Trace *t) {
  const loom_binding *binding = t->host->get_extension(t->host, "loom.binding/1");
  return t->dfg->name(binding ? binding->graph(t->design) : t->design);
}

static int read_machine(Wave *w) {
  Trace *t = w->t;
  const char *patterns = t->host->option(t->host, "edges");
  int all = strcmp(patterns, "*") == 0, any = all;
  uint32_t i;
  w->ninputs = w->machine->input_count(t->design);
  w->nunits = w->machine->unit_count(t->design);
  w->inputs = trace_alloc(t, w->ninputs, sizeof *w->inputs);
  w->units = trace_alloc(t, w->nunits, sizeof *w->units);
  w->names = trace_alloc(t, w->ninputs, sizeof *w->names);
  w->chosen = trace_alloc(t, w->ninputs, 1);
  w->unit_chosen = trace_alloc(t, w->nunits, 1);
  w->last = trace_alloc(t, w->ninputs, sizeof *w->last);
  w->counts = trace_alloc(t, w->ninputs, sizeof *w->counts);
  w->sums = trace_alloc(t, w->ninputs, sizeof *w->sums);
  w->valid = trace_alloc(t, w->ninputs, sizeof *w->valid);
  if (t->failed) return LOOM_ERROR;
  for (i = 0; i < w->nunits; i++)
    if (w->machine->unit(t->design, i, &w->units[i], sizeof w->units[i])) return LOOM_ERROR;
  for (i = 0; i < w->ninputs; i++) {
    if (w->machine->input(t->design, i, &w->inputs[i], sizeof w->inputs[i])) return LOOM_ERROR;
    w->names[i] = w->run->input_name(t->design, i);
    w->sums[i] = 0xcbf29ce484222325u;
    w->chosen[i] = (unsigned char)(all || trace_matches(patterns, w->names[i]));
    if (!w->chosen[i]) continue;
    w->unit_chosen[w->inputs[i].unit] = 1;
    any = 1;
  }
  if (any) return LOOM_OK;
  t->host->diag(t->host, LOOM_FAILURE, "TRACE_NO_EDGE", LOOM_NONE,
                "--edges matches no operand; names are those that loom sim --timed writes");
  return LOOM_ERROR;
}

/* The type of the edge whose tokens an input takes. */
static void find_types(Wave *w) {
  Trace *t = w->t;
  const loom_binding *binding = t->host->get_extension(t->host, "loom.binding/1");
  const loom_design *graph = binding ? binding->graph(t->design) : NULL;
  uint32_t i;
  w->types = trace_alloc(t, w->ninputs, sizeof *w->types);
  if (!binding || !LOOM_HAS(binding, edge)) return;
  for (i = 0; i < w->ninputs; i++) {
    loom_edge edge;
    loom_result result;
    uint32_t id = binding->edge(t->design, i);
    if (id == LOOM_NONE || t->dfg->edge(graph, id, &edge, sizeof edge) ||
        t->dfg->result(graph, edge.result, &result, sizeof result))
      continue;
    t->dfg->type(graph, result.type, &w->types[i], sizeof w->types[i]);
  }
}

/* A channel may be wider than what goes through it. */
static void value_text(const Wave *w, uint32_t input, uint64_t value, char out[VALUE_ROOM]) {
  const loom_type *type = &w->types[input];
  if (type->kind == LOOM_NO_DATA || type->kind == LOOM_TUPLE)
    snprintf(out, VALUE_ROOM, "%llu", (unsigned long long)value);
  else
    trace_value(type, type->bits < 64 ? value & (((uint64_t)1 << type->bits) - 1) : value, out);
}

/* ---- waves ----------------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t mask) {
  uint32_t n = 0;
  for (; mask; mask >>= 1) n++;
  return n;
}

static void begin_vcd(Wave *w) {
  Trace *t = w->t;
  uint32_t i;
  trace_text(t, &w->vcd, "$version loom trace $end\n$timescale 1 ns $end\n$scope module ");
  vcd_name(t, &w->vcd, design_name(t));
  trace_text(t, &w->vcd, " $end\n");
  for (i = 0; i < w->ninputs; i++) {
    uint32_t bits = bits_of(w->inputs[i].mask);
    if (!w->chosen[i]) continue;
    trace_text(t, &w->vcd, "$scope module ");
    vcd_name(t, &w->vcd, w->names[i]);
    trace_text(t, &w->vcd, " $end\n");
    vcd_declare(t, &w->vcd, 1, 2 * i, "valid");
    if (bits) vcd_declare(t, &w->vcd, bits, 2 * i + 1, "data");
    trace_text(t, &w->vcd, "$upscope $end\n");
  }
  trace_text(t, &w->vcd, "$upscope $end\n$enddefinitions $end\n");
}

static void put_level(Wave *w, const char *level, uint32_t input) {
  trace_text(w->t, &w->vcd, level);
  vcd_code(w->t, &w->vcd, 2 * input);
  trace_text(w->t, &w->vcd, "\n");
}

static void put_time(Wave *w, uint64_t cycle) {
  uint32_t i;
  trace_text(w->t, &w->vcd, "#");
  trace_number(w->t, &w->vcd, cycle);
  trace_text(w->t, &w->vcd, "\n");
  if (!w->begun) {
    trace_text(w->t, &w->vcd, "$dumpvars\n");
    for (i = 0; i < w->ninputs; i++) {
      if (!w->chosen[i]) continue;
      put_level(w, "0", i);
      if (!w->inputs[i].mask) continue;
      trace_text(w->t, &w->vcd, "bx ");
      vcd_code(w->t, &w->vcd, 2 * i + 1);
      trace_text(w->t, &w->vcd, "\n");
    }
    trace_text(w->t, &w->vcd, "$end\n");
  }
  w->begun = 1;
  w->now = cycle;
}

/* Moves on to a cycle: what was valid before it is not any more. */
static void advance(Wave *w, uint64_t cycle) {
  uint32_t i;
  if (w->begun && w->now == cycle) return;
  if (w->nvalid) put_time(w, w->now + 1);
  for (i = 0; i < w->nvalid; i++) put_level(w, "0", w->valid[i]);
  w->nvalid = 0;
  if (!w->begun || w->now != cycle) put_time(w, cycle);
}

static void vcd_transfer(Wave *w, uint64_t cycle, uint32_t input, uint64_t value) {
  uint32_t bits = bits_of(w->inputs[input].mask);
  advance(w, cycle);
  put_level(w, "1", input);
  w->valid[w->nvalid++] = input;
  if (bits) vcd_data(w->t, &w->vcd, 2 * input + 1, bits, value);
}

/* ---- the timeline ---------------------------------------------------------------------------- */

/* Names of components and operations are letters, digits and a few marks that JSON takes as they
 * are; what is not is left out. */
static void json_text(Wave *w, const char *text) {
  for (; *text; text++) {
    char c[2] = {*text, '\0'};
    if ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\') trace_text(w->t, &w->json, c);
  }
}

static const char *kind_text(Wave *w, uint32_t unit) {
  loom_node node;
  switch (w->units[unit].kind) {
  case LOOM_UNIT_STREAM: return "dataflow.stream";
  case LOOM_UNIT_GATE: return "dataflow.gate";
  case LOOM_UNIT_CARRY: return "dataflow.carry";
  case LOOM_UNIT_INVARIANT: return "dataflow.invariant";
  case LOOM_UNIT_LOAD: return "load";
  case LOOM_UNIT_STORE: return "store";
  default: break;
  }
  if (w->units[unit].node == LOOM_NONE ||
      w->t->dfg->node(w->t->design, w->units[unit].node, &node, sizeof node))
    return "handshake.load";
  return node.op_name;
}

static int fires(const loom_unit *u) {
  return u->kind >= LOOM_UNIT_FIRE && u->kind != LOOM_UNIT_FIFO;
}

static void begin_json(Wave *w) {
  Trace *t = w->t;
  uint32_t u;
  trace_text(t, &w->json,
             "{\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
             "\"args\":{\"name\":\"");
  json_text(w, design_name(t));
  trace_text(t, &w->json, "\"}}");
  for (u = 0; u < w->nunits; u++) {
    if (!fires(&w->units[u]) || !w->unit_chosen[u]) continue;
    trace_text(t, &w->json, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
    trace_number(t, &w->json, u);
    trace_text(t, &w->json, ",\"name\":\"thread_name\",\"args\":{\"name\":\"");
    json_text(w, w->units[u].name);
    trace_text(t, &w->json, ": ");
    json_text(w, kind_text(w, u));
    trace_text(t, &w->json, "\"}}");
  }
}

/* Which operands a mux or a machine took does not show; all others take all. */
static void json_firing(Wave *w, uint64_t cycle, uint32_t unit) {
  Trace *t = w->t;
  const loom_unit *u = &w->units[unit];
  int takes_all =
      u->kind == LOOM_UNIT_FIRE || u->kind == LOOM_UNIT_LOAD || u->kind == LOOM_UNIT_STORE;
  char value[VALUE_ROOM];
  uint32_t i;
  trace_text(t, &w->json, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":");
  trace_number(t, &w->json, unit);
  trace_text(t, &w->json, ",\"ts\":");
  trace_number(t, &w->json, cycle);
  trace_text(t, &w->json, ",\"dur\":1,\"name\":\"");
  json_text(w, kind_text(w, unit));
  trace_text(t, &w->json, "\",\"args\":{");
  for (i = 0; takes_all && i < u->input_count; i++) {
    trace_text(t, &w->json, i ? ",\"" : "\"");
    json_text(w, w->names[u->first_input + i]);
    trace_text(t, &w->json, "\":\"");
    value_text(w, u->first_input + i, w->last[u->first_input + i], value);
    trace_text(t, &w->json, value);
    trace_text(t, &w->json, "\"");
  }
  trace_text(t, &w->json, "}}");
}

/* ---- events ---------------------------------------------------------------------------------- */

static int on_transfer(void *user, uint64_t cycle, uint32_t input, uint64_t value) {
  Wave *w = user;
  Trace *t = w->t;
  uint64_t h = w->sums[input];
  t->seen++;
  h = (h ^ cycle) * 0x100000001b3u;
  h = (h ^ value) * 0x100000001b3u;
  w->sums[input] = h ^ h >> 29;
  w->counts[input]++;
  w->last[input] = value;
  if (!w->chosen[input] || cycle < t->from || cycle >= t->to) return LOOM_OK;
  if (w->wants_vcd) vcd_transfer(w, cycle, input, value);
  if (w->wants_csv) {
    char text[VALUE_ROOM];
    value_text(w, input, value, text);
    trace_number(t, &w->csv, cycle);
    trace_text(t, &w->csv, ",");
    trace_text(t, &w->csv, w->names[input]);
    trace_text(t, &w->csv, ",");
    trace_text(t, &w->csv, text);
    trace_text(t, &w->csv, "\n");
  }
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static int on_firing(void *user, uint64_t cycle, uint32_t unit) {
  Wave *w = user;
  Trace *t = w->t;
  if (!w->wants_json || !w->unit_chosen[unit] || cycle < t->from || cycle >= t->to) return LOOM_OK;
  json_firing(w, cycle, unit);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  uint64_t count, sum;
} Line;

static int by_name(const void *a, const void *b) {
  return strcmp(((const Line *)a)->name, ((const Line *)b)->name);
}

static int write_numbers(Wave *w, uint64_t cycles) {
  Trace *t = w->t;
  Out *out = trace_alloc(t, 1, sizeof *out);
  Line *lines = trace_alloc(t, w->ninputs, sizeof *lines);
  uint32_t i;
  if (!out || !lines) return LOOM_ERROR;
  out->stream = "channels.timed";
  for (i = 0; i < w->ninputs; i++) lines[i] = (Line){w->names[i], w->counts[i], w->sums[i]};
  qsort(lines, w->ninputs, sizeof *lines, by_name);
  trace_text(t, out, "cycles ");
  trace_number(t, out, cycles);
  trace_text(t, out, "\n");
  for (i = 0; i < w->ninputs; i++) {
    char sum[20];
    snprintf(sum, sizeof sum, " %016llx\n", (unsigned long long)lines[i].sum);
    trace_text(t, out, lines[i].name);
    trace_text(t, out, " ");
    trace_number(t, out, lines[i].count);
    trace_text(t, out, sum);
  }
  trace_flush(t, out);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

int trace_machine(Trace *t, const loom_machine *machine, const loom_cycles *run) {
  Wave *w = trace_alloc(t, 1, sizeof *w);
  const char *format = t->host->option(t->host, "format");
  int all = strcmp(format, "all") == 0, hash = all || strcmp(format, "hash") == 0;
  uint64_t cycles = 0;
  if (!w) return LOOM_ERROR;
  w->t = t;
  w->machine = machine;
  w->run = run;
  w->wants_vcd = all || strcmp(format, "vcd") == 0;
  w->wants_json = all || strcmp(format, "perfetto") == 0;
  w->wants_csv = all || strcmp(format, "csv") == 0;
  w->vcd.stream = "trace.vcd";
  w->json.stream = "trace.json";
  w->csv.stream = "transfers.csv";
  if (read_machine(w)) return LOOM_ERROR;
  find_types(w);
  if (w->wants_vcd) begin_vcd(w);
  if (w->wants_json) begin_json(w);
  if (w->wants_csv) trace_text(t, &w->csv, "cycle,operand,value\n");
  {
    const loom_machine_visitor visitor = {sizeof visitor, w, on_transfer, on_firing};
    /* the numbers are of the whole run, also where only a part is shown */
    uint64_t most = hash || t->to == UINT64_MAX ? 0 : t->to;
    int status = run->replay(t->design, &visitor, most, &cycles);
    if (t->failed) return LOOM_ERROR;
    if (status != LOOM_OK)
      t->host->diag(t->host, LOOM_NOTE, "TRACE_CUT", LOOM_NONE,
                    "the run failed; the trace shows what happened until then");
    if (t->from && t->from >= cycles) return trace_nothing(t, cycles, "cycles");
  }
  if (w->wants_vcd) {
    if (!w->begun) put_time(w, t->from);
    advance(w, w->now + 1);
    trace_flush(t, &w->vcd);
  }
  if (w->wants_json) {
    trace_text(t, &w->json, "\n]}\n");
    trace_flush(t, &w->json);
  }
  if (w->wants_csv) trace_flush(t, &w->csv);
  if (t->failed) return LOOM_ERROR;
  return hash ? write_numbers(w, cycles) : LOOM_OK;
}

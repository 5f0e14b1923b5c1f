/* machine.c -- traces of configured hardware: reads the machine, and passes the events of its run
 * on to the formats. See machine.h.
 *
 * No events are kept, except stalls for waves: a stall is reported when it ends, but waves must be
 * in order of time, so the run is first replayed for its stalls alone (machine_vcd.c).
 *
 * --format=hash is written here: counts and hashes of all operands are kept in any case, and cover
 * the whole run, even if the other formats show only a part.
 */
#include "machine.h"

#include "loom_timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine ----------------------------------------------------------------------------- */

static const loom_binding *binding_of(const MachineTrace *m) {
  return m->t->host->get_extension(m->t->host, "loom.binding/1");
}

const char *trace_machine_name(const MachineTrace *m) {
  const loom_binding *binding = binding_of(m);
  return m->t->dfg->name(binding ? binding->graph(m->t->design) : m->t->design);
}

/* For each input the edge of the graph whose tokens it takes: its value, type and source
 * location. */
static void find_values(MachineTrace *m) {
  Trace *t = m->t;
  const loom_binding *binding = binding_of(m);
  const loom_design *graph = binding ? binding->graph(t->design) : NULL;
  m->values = trace_alloc(t, m->ninputs, sizeof *m->values);
  m->locations = trace_alloc(t, m->ninputs, sizeof *m->locations);
  m->types = trace_alloc(t, m->ninputs, sizeof *m->types);
  for (uint32_t i = 0; i < m->ninputs; i++) {
    loom_edge edge;
    loom_result result;
    uint32_t id = binding && LOOM_HAS(binding, edge) ? binding->edge(t->design, i) : LOOM_NONE;
    m->values[i] = m->locations[i] = "";
    if (id == LOOM_NONE || t->dfg->edge(graph, id, &edge, sizeof edge) ||
        t->dfg->result(graph, edge.result, &result, sizeof result))
      continue;
    m->values[i] = result.name;
    m->locations[i] = trace_location(t, edge.from);
    t->dfg->type(graph, result.type, &m->types[i], sizeof m->types[i]);
  }
}

static int read_machine(MachineTrace *m) {
  Trace *t = m->t;
  m->ninputs = m->machine->input_count(t->design);
  m->nunits = m->machine->unit_count(t->design);
  m->inputs = trace_alloc(t, m->ninputs, sizeof *m->inputs);
  m->units = trace_alloc(t, m->nunits, sizeof *m->units);
  m->names = trace_alloc(t, m->ninputs, sizeof *m->names);
  m->last = trace_alloc(t, m->ninputs, sizeof *m->last);
  m->counts = trace_alloc(t, m->ninputs, sizeof *m->counts);
  m->hashes = trace_alloc(t, m->ninputs, sizeof *m->hashes);
  for (uint32_t i = 0; i < m->nunits; i++)
    if (m->machine->unit(t->design, i, &m->units[i], sizeof m->units[i])) return LOOM_ERROR;
  for (uint32_t i = 0; i < m->ninputs; i++) {
    if (m->machine->input(t->design, i, &m->inputs[i], sizeof m->inputs[i])) return LOOM_ERROR;
    m->names[i] = m->run->input_name(t->design, i);
    m->hashes[i] = LOOM_TIMED_START;
  }
  find_values(m);
  return LOOM_OK;
}

/* The first input that takes a result of the unit which has a name in the graph; LOOM_NONE. */
static uint32_t find_reader(const MachineTrace *m, const loom_unit *unit) {
  for (uint32_t o = unit->first_output; o < unit->first_output + unit->output_count; o++) {
    loom_unit_output out;
    if (m->machine->output(m->t->design, o, &out, sizeof out)) return LOOM_NONE;
    for (uint32_t i = 0; i < out.input_count; i++)
      if (*m->values[out.inputs[i]]) return out.inputs[i];
  }
  return LOOM_NONE;
}

static void find_readers(MachineTrace *m) {
  m->reader_of = trace_alloc(m->t, m->nunits, sizeof *m->reader_of);
  for (uint32_t u = 0; u < m->nunits; u++) m->reader_of[u] = find_reader(m, &m->units[u]);
}

/* Chooses the inputs that --edges matches, and their units. */
static int choose_inputs(MachineTrace *m) {
  Trace *t = m->t;
  const char *patterns = t->host->option(t->host, "edges");
  int all = strcmp(patterns, "*") == 0, any = all;
  m->chosen = trace_alloc(t, m->ninputs, 1);
  m->unit_chosen = trace_alloc(t, m->nunits, 1);
  for (uint32_t i = 0; i < m->ninputs; i++) {
    m->chosen[i] = (unsigned char)(all || trace_matches(patterns, m->names[i]) ||
                                   (*m->values[i] && trace_matches(patterns, m->values[i])));
    if (!m->chosen[i]) continue;
    m->unit_chosen[m->inputs[i].unit] = 1;
    any = 1;
  }
  if (any) return LOOM_OK;
  t->host->diag(t->host, LOOM_FAILURE, "TRACE_NO_EDGE", LOOM_NONE,
                "--edges matches no operand; names are those that loom sim --timed writes, or the "
                "graph's");
  return LOOM_ERROR;
}

/* Finds the route of each input's tokens. */
static void find_routes(MachineTrace *m) {
  Trace *t = m->t;
  uint32_t i, n;
  m->fabric = t->host->get_extension(t->host, "loom.fabric/1");
  m->routes = m->fabric ? t->host->get_extension(t->host, "loom.routes/1") : NULL;
  if (!m->routes) return;
  m->route_of = trace_alloc(t, m->ninputs, sizeof *m->route_of);
  for (i = 0; i < m->ninputs; i++) m->route_of[i] = LOOM_NONE;
  for (i = 0, n = m->routes->route_count(t->design); i < n; i++) {
    loom_route route;
    m->routes->route(t->design, i, &route, sizeof route);
    if (route.input != LOOM_NONE) m->route_of[route.input] = i;
  }
}

/* ---- for the formats ------------------------------------------------------------------------- */

/* A channel may be wider than its values: the other bits are ignored. */
void trace_machine_value(const MachineTrace *m, uint32_t input, uint64_t value,
                         char out[VALUE_ROOM]) {
  const loom_type *type = &m->types[input];
  if (type->kind == LOOM_NO_DATA || type->kind == LOOM_TUPLE)
    snprintf(out, VALUE_ROOM, "%llu", (unsigned long long)value);
  else
    trace_value(type, type->bits < 64 ? value & (((uint64_t)1 << type->bits) - 1) : value, out);
}

const char *trace_machine_operation(const MachineTrace *m, uint32_t unit) {
  loom_node node;
  switch (m->units[unit].kind) {
  case LOOM_UNIT_STREAM: return "dataflow.stream";
  case LOOM_UNIT_GATE: return "dataflow.gate";
  case LOOM_UNIT_CARRY: return "dataflow.carry";
  case LOOM_UNIT_INVARIANT: return "dataflow.invariant";
  case LOOM_UNIT_LOAD: return "load";
  case LOOM_UNIT_STORE: return "store";
  default: break;
  }
  /* Function units compute an operation, except those of a load: its two halves, for the request
   * and for the data, pass tokens on unchanged, and have no operation in the graph. */
  if (m->units[unit].node == LOOM_NONE ||
      m->t->dfg->node(m->t->design, m->units[unit].node, &node, sizeof node))
    return "handshake.load";
  return node.op_name;
}

const char *trace_machine_location(const MachineTrace *m, uint32_t unit) {
  uint32_t reader = m->reader_of[unit];
  return reader == LOOM_NONE ? "" : m->locations[reader];
}

int trace_machine_fires(const MachineTrace *m, uint32_t unit) {
  enum loom_unit_kind kind = m->units[unit].kind;
  return kind >= LOOM_UNIT_FIRE && kind != LOOM_UNIT_FIFO;
}

int trace_machine_clip(const MachineTrace *m, uint64_t *from, uint64_t *to) {
  if (*from < m->t->from) *from = m->t->from;
  if (*to > m->t->to) *to = m->t->to;
  return *from < *to;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int is_shown(const Trace *t, uint64_t cycle) {
  return cycle >= t->from && cycle < t->to;
}

static void on_passage(MachineTrace *m, const Passage *passage) {
  for (int i = 0; i < m->nformats; i++)
    if (m->formats[i]->passage) m->formats[i]->passage(m, passage);
}

/* Reports the switches on the token's route: it passes them in the cycle in which it is taken. */
static void pass_switches(MachineTrace *m, uint64_t cycle, uint32_t input) {
  const loom_design *d = m->t->design;
  loom_route route;
  if (!m->routes || m->route_of[input] == LOOM_NONE) return;
  m->routes->route(d, m->route_of[input], &route, sizeof route);
  for (uint32_t k = route.first + 1; k + 1 < route.port_count; k += 2) {
    loom_port from, to;
    loom_component c;
    m->fabric->port(d, route.ports[k], &from, sizeof from);
    m->fabric->port(d, route.ports[k + 1], &to, sizeof to);
    m->fabric->component(d, from.component, &c, sizeof c);
    if (c.kind != LOOM_SPATIAL_SW && c.kind != LOOM_TEMPORAL_SW) continue;
    on_passage(m, &(Passage){cycle, from.component, c.name, from.index, to.index, input});
  }
}

static int on_transfer(void *user, uint64_t cycle, uint32_t input, uint64_t value) {
  MachineTrace *m = user;
  int passages = 0;
  m->hashes[input] = loom_timed_fold(m->hashes[input], cycle, value);
  m->counts[input]++;
  m->last[input] = value;
  if (!m->chosen[input] || !is_shown(m->t, cycle)) return LOOM_OK;
  for (int i = 0; i < m->nformats; i++) {
    if (m->formats[i]->transfer) m->formats[i]->transfer(m, cycle, input, value);
    if (m->formats[i]->passage) passages = 1;
  }
  if (passages) pass_switches(m, cycle, input);
  return m->t->failed ? LOOM_ERROR : LOOM_OK;
}

static int on_firing(void *user, uint64_t cycle, uint32_t unit) {
  MachineTrace *m = user;
  if (!m->unit_chosen[unit] || !is_shown(m->t, cycle)) return LOOM_OK;
  for (int i = 0; i < m->nformats; i++)
    if (m->formats[i]->firing) m->formats[i]->firing(m, cycle, unit);
  return m->t->failed ? LOOM_ERROR : LOOM_OK;
}

/* Ports and FIFOs stall too, but only units that fire are shown. */
static int on_stall(void *user, uint64_t from, uint64_t to, uint32_t unit, enum loom_wait why,
                    uint32_t input) {
  MachineTrace *m = user;
  if (!trace_machine_fires(m, unit) || !m->unit_chosen[unit] || !trace_machine_clip(m, &from, &to))
    return LOOM_OK;
  for (int i = 0; i < m->nformats; i++)
    if (m->formats[i]->stall) m->formats[i]->stall(m, &(Stall){from, to, unit, why, input});
  return m->t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- channels.timed -------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  uint64_t count, hash;
} ChannelLine;

static int write_hashes(MachineTrace *m, uint64_t cycles) {
  Trace *t = m->t;
  Out *out = trace_alloc(t, 1, sizeof *out);
  ChannelLine *lines = trace_alloc(t, m->ninputs, sizeof *lines);
  out->stream = "channels.timed";
  for (uint32_t i = 0; i < m->ninputs; i++)
    lines[i] = (ChannelLine){m->names[i], m->counts[i], m->hashes[i]};
  qsort(lines, m->ninputs, sizeof *lines, trace_by_name);
  trace_printf(t, out, LOOM_TIMED_CYCLES, (unsigned long long)cycles);
  for (uint32_t i = 0; i < m->ninputs; i++)
    trace_printf(t, out, LOOM_TIMED_CHANNEL, lines[i].name, (unsigned long long)lines[i].count,
                 (unsigned long long)lines[i].hash);
  trace_flush(t, out);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Chooses the formats that are made from events. Returns whether hashes are wanted, too, which need
 * the whole run. */
static int choose_formats(MachineTrace *m) {
  static const MachineFormat *const known[] = {&trace_machine_vcd, &trace_machine_json,
                                               &trace_machine_csv};
  const char *wanted = m->t->host->option(m->t->host, "format");
  int all = strcmp(wanted, "all") == 0, hash = all || strcmp(wanted, "hash") == 0;
  for (size_t i = 0; i < LOOM_COUNT(known); i++)
    if (all || strcmp(wanted, known[i]->name) == 0) m->formats[m->nformats++] = known[i];
  m->max_cycles = hash || m->t->to == UINT64_MAX ? 0 : m->t->to;
  return hash;
}

static int replay(MachineTrace *m, uint64_t *cycles) {
  loom_machine_visitor visitor = {
      .size = sizeof visitor, .user = m, .transfer = on_transfer, .firing = on_firing};
  Trace *t = m->t;
  int status;
  for (int i = 0; i < m->nformats; i++)
    if (m->formats[i]->stall) visitor.stall = on_stall;
  status = m->run->replay(t->design, &visitor, m->max_cycles, cycles);
  if (t->failed) return LOOM_ERROR;
  if (status != LOOM_OK)
    t->host->diag(t->host, LOOM_NOTE, "TRACE_CUT", LOOM_NONE,
                  "the run failed; the trace shows what happened until then");
  if (m->nformats && t->from && t->from >= *cycles) return trace_nothing(t, *cycles, "cycles");
  return LOOM_OK;
}

int trace_machine(Trace *t, const loom_machine *machine, const loom_cycles *run) {
  MachineTrace *m = trace_alloc(t, 1, sizeof *m);
  uint64_t cycles = 0;
  int hash;
  m->t = t;
  m->machine = machine;
  m->run = run;
  if (read_machine(m) || choose_inputs(m)) return LOOM_ERROR;
  find_readers(m);
  find_routes(m);
  hash = choose_formats(m);
  for (int i = 0; i < m->nformats; i++) m->formats[i]->begin(m);
  if (replay(m, &cycles)) return LOOM_ERROR;
  for (int i = 0; i < m->nformats; i++) m->formats[i]->end(m, cycles);
  if (t->failed) return LOOM_ERROR;
  return hash ? write_hashes(m, cycles) : LOOM_OK;
}

/* sim_stats.c -- loom sim --stats: loops, units and channels of a run, for people and as JSON.
 *
 * A unit is in each cycle in one of six states, so the rows of the table of units add up to the
 * cycles of the run:
 *
 *     firings + busy + memory + starved + blocked + idle = cycles
 */
#include "driver/sim_show.h"
#include "base/json.h"
#include "base/table.h"

/* ---- utilisation ----------------------------------------------------------------------------- */

static bool is_of_pe(const Machine *m, u32 unit) {
  return m->units[unit].fu != MACHINE_NONE;
}

/* Cycles in which a PE fired: the sum over the instructions of a temporal PE; else of its units, as
 * the halves of a load, the most frequent. A PE's units are consecutive; *unit moves past them. */
static u64 pe_firings(const Machine *m, const u64 *firings, u32 *unit) {
  u32 component = m->units[*unit].component;
  bool is_temporal = m->units[*unit].issue_group != MACHINE_NONE;
  u64 n = 0;
  for (; *unit < m->nunits && m->units[*unit].component == component && is_of_pe(m, *unit); ++*unit)
    n = is_temporal ? n + firings[*unit] : firings[*unit] > n ? firings[*unit] : n;
  return n;
}

Utilisation utilisation_of(const Machine *m, const MachineResult *r) {
  Utilisation used = {0};
  u64 sum = 0, most = 0;
  for (u32 u = 0; u < m->nunits;) {
    if (!is_of_pe(m, u)) {
      u++;
      continue;
    }
    u32 first = u;
    u64 firings = pe_firings(m, r->firings, &u);
    sum += firings;
    used.pes++;
    if (used.pes > 1 && firings <= most) continue;
    most = firings;
    used.busiest_component = m->units[first].component;
  }
  if (r->cycles && used.pes) {
    used.mean = (double)sum / (double)used.pes / (double)r->cycles;
    used.busiest = (double)most / (double)r->cycles;
  }
  return used;
}

/* ---- for people ------------------------------------------------------------------------------ */

static double percent(u64 part, u64 cycles) {
  return cycles ? 100.0 * (double)part / (double)cycles : 0;
}

static void unit_cell(Table *t, const Machine *m, u32 unit,
                      void name(const Machine *, u32, Buf *)) {
  Buf text = {0};
  name(m, unit, &text);
  table_cell(t, "%s", text.data);
  buf_free(&text);
}

static void nodes_cell(Table *t, const Origins *origins, u32 unit) {
  Buf text = {0};
  origin_nodes(origins, unit, &text);
  table_cell(t, "%s", text.len ? text.data : "");
  buf_free(&text);
}

static void place_cell(Table *t, const char *place) {
  table_cell(t, "%s", place ? place : "");
}

/* The interval that the mapping expects, marked where it is an estimate or a bound (loops.h). */
static void expected_cell(Table *t, const MachineLoop *loop) {
  const char *about = loop->about == '~' ? "~" : loop->about ? ">= " : "";
  if (loop->expected_iterations)
    table_cell(t, "%s%.2f", about, (double)loop->cycles / (double)loop->expected_iterations);
  else
    table_cell(t, "-");
}

static void show_loops(const Simulation *s, const MachineLoop *loops, u32 nloops) {
  if (!nloops) return;
  bool any_expected = false;
  for (u32 i = 0; i < nloops; i++) any_expected |= loops[i].expected_iterations > 0;
  Table t = table_of(any_expected ? "<<<>>>>>" : "<<<>>>>");
  static const char *const titles[] = {"loop", "", "at", "entries", "iterations", "interval"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  if (any_expected) table_cell(&t, "expected");
  table_cell(&t, "bound");
  for (u32 i = 0; i < nloops; i++) {
    const MachineLoop *loop = &loops[i];
    unit_cell(&t, s->machine, loop->unit, machine_unit_name);
    nodes_cell(&t, s->origins, loop->unit);
    place_cell(&t, origin_place(s->origins, loop->unit));
    table_cell(&t, "%llu", (unsigned long long)loop->entries);
    table_cell(&t, "%llu", (unsigned long long)loop->iterations);
    if (loop->gaps)
      table_cell(&t, "%.2f", (double)loop->gap_cycles / (double)loop->gaps);
    else
      table_cell(&t, "-");
    if (any_expected) expected_cell(&t, loop);
    if (loop->bound)
      table_cell(&t, "%u", loop->bound);
    else
      table_cell(&t, "-");
  }
  printf("\n");
  table_show(&t);
}

static u64 idle_cycles(const MachineResult *r, u32 unit) {
  u64 idle = r->cycles - r->firings[unit];
  for (u32 k = 0; k < STALL_COUNT; k++) idle -= r->stalls[unit][k];
  return idle;
}

static const char *const stall_names[STALL_COUNT] = {[STALL_BUSY] = "busy",
                                                     [STALL_MEMORY] = "memory",
                                                     [STALL_STARVED] = "starved",
                                                     [STALL_BLOCKED] = "blocked"};

static void show_units(const Simulation *s, const MachineResult *r, bool knows_stalls) {
  Table t = table_of(knows_stalls ? "<<<<>>>>>>>" : "<<<<>>");
  static const char *const titles[] = {"unit", "", "", "at", "firings", "used"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  for (u32 k = 0; knows_stalls && k < STALL_COUNT; k++) table_cell(&t, "%s", stall_names[k]);
  if (knows_stalls) table_cell(&t, "idle");
  for (u32 u = 0; u < s->machine->nunits; u++) {
    unit_cell(&t, s->machine, u, machine_unit_name);
    unit_cell(&t, s->machine, u, machine_unit_op);
    nodes_cell(&t, s->origins, u);
    place_cell(&t, origin_place(s->origins, u));
    table_cell(&t, "%llu", (unsigned long long)r->firings[u]);
    table_cell(&t, "%.1f%%", percent(r->firings[u], r->cycles));
    for (u32 k = 0; knows_stalls && k < STALL_COUNT; k++)
      table_cell(&t, "%llu", (unsigned long long)r->stalls[u][k]);
    if (knows_stalls) table_cell(&t, "%llu", (unsigned long long)idle_cycles(r, u));
  }
  printf("\n");
  table_show(&t);
}

/* The place in the source of the node whose result an operand takes; NULL: not known. */
static const char *channel_place(const Simulation *s, u32 input) {
  u32 edge = origin_edge(s->origins, input);
  return edge == DFG_NONE ? NULL : s->origins->places[dfg_from(s->origins->dfg, edge)];
}

static void show_channels(const Simulation *s, const MachineResult *r) {
  Table t = table_of("<<<<>>");
  static const char *const titles[] = {"channel", "", "", "at", "tokens", "used"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  for (u32 i = 0; i < s->machine->ninputs; i++) {
    Buf to = {0};
    u32 edge = origin_edge(s->origins, i);
    buf_str(&to, "-> ");
    machine_input_name(s->machine, i, &to);
    unit_cell(&t, s->machine, s->machine->inputs[i].output, machine_output_name);
    table_cell(&t, "%s", to.data);
    table_cell(&t, "%s%s", edge == DFG_NONE ? "" : "%",
               edge == DFG_NONE ? "" : dfg_text(s->asked, s->asked->edges[edge].name));
    place_cell(&t, channel_place(s, i));
    table_cell(&t, "%llu", (unsigned long long)r->transfers[i]);
    table_cell(&t, "%.1f%%", percent(r->transfers[i], r->cycles));
    buf_free(&to);
  }
  printf("\n");
  table_show(&t);
}

void show_stats(const Simulation *s, const SimulationRun *run, Loops *loops) {
  const MachineResult *r = &run->machine;
  u32 nloops;
  const MachineLoop *measured = loops_measured(loops, &nloops);
  Utilisation used = utilisation_of(s->machine, r);
  if (used.pes)
    printf("\n%u of %u PEs in use, firing in %.1f%% of the cycles on average; the busiest, %s, in "
           "%.1f%%\n",
           used.pes, s->adg->npes, 100 * used.mean, adg_name(s->adg, used.busiest_component),
           100 * used.busiest);
  show_loops(s, measured, nloops);
  show_units(s, r, run->engine == SIM_STEP);
  show_channels(s, r);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_named(Json *json, const char *key, const Machine *m, u32 id,
                      void name(const Machine *, u32, Buf *)) {
  Buf text = {0};
  name(m, id, &text);
  json_put_text(json, key, text.data);
  buf_free(&text);
}

static void put_nodes(Json *json, const Origins *o, u32 unit) {
  const char *place = origin_place(o, unit);
  json_open(json, "nodes", '[');
  for (u32 i = o->first_node[unit]; i < o->first_node[unit + 1]; i++)
    json_put_text(json, NULL, dfg_text(o->dfg, o->dfg->nodes[o->nodes[i]].name));
  json_close(json, ']');
  if (place) json_put_text(json, "at", place);
}

static void put_loop(Json *json, const Simulation *s, const MachineLoop *loop) {
  put_named(json, "unit", s->machine, loop->unit, machine_unit_name);
  put_nodes(json, s->origins, loop->unit);
  json_put_number(json, "entries", loop->entries);
  json_put_number(json, "iterations", loop->iterations);
  json_put_number(json, "gaps", loop->gaps);
  json_put_number(json, "gap_cycles", loop->gap_cycles);
  if (loop->gaps) json_put_real(json, "interval", (double)loop->gap_cycles / (double)loop->gaps, 4);
  if (loop->expected_iterations)
    json_put_real(json, "expected", (double)loop->cycles / (double)loop->expected_iterations, 4);
  if (loop->expected_iterations && loop->about)
    json_put_text(json, "expected_is", loop->about == '~' ? "about" : "at least");
  if (loop->bound) json_put_number(json, "bound", loop->bound);
}

static void put_unit(Json *json, const Simulation *s, const SimulationRun *run, u32 unit) {
  const MachineResult *r = &run->machine;
  put_named(json, "unit", s->machine, unit, machine_unit_name);
  put_named(json, "op", s->machine, unit, machine_unit_op);
  put_nodes(json, s->origins, unit);
  json_put_number(json, "firings", r->firings[unit]);
  if (run->engine != SIM_STEP) return;
  for (u32 k = 0; k < STALL_COUNT; k++) json_put_number(json, stall_names[k], r->stalls[unit][k]);
  json_put_number(json, "idle", idle_cycles(r, unit));
}

static void put_channel(Json *json, const Simulation *s, const MachineResult *r, u32 input) {
  u32 edge = origin_edge(s->origins, input);
  put_named(json, "from", s->machine, s->machine->inputs[input].output, machine_output_name);
  put_named(json, "to", s->machine, input, machine_input_name);
  if (edge != DFG_NONE) {
    assert(s->asked); /* it is an edge of that graph */
    json_put_text(json, "edge", dfg_text(s->asked, s->asked->edges[edge].name));
  }
  const char *place = channel_place(s, input);
  if (place) json_put_text(json, "at", place);
  json_put_number(json, "tokens", r->transfers[input]);
}

/* An array of rows: one object a line. */
static void open_rows(Json *json, const char *key) {
  json_line(json, 2);
  json_open(json, key, '[');
}

static void open_row(Json *json) {
  json_line(json, 4);
  json_open(json, NULL, '{');
}

static void close_rows(Json *json) {
  json_line(json, 2);
  json_close(json, ']');
}

static void put_stats(const Simulation *s, const SimulationRun *run, Loops *loops, Json *json) {
  static const char *const endings[] = {
      [RUN_FINISHED] = "done", [RUN_LEFTOVER] = "leftover", [RUN_DEADLOCK] = "deadlock",
      [RUN_TRAP] = "trap",     [RUN_LIMIT] = "limit",       [RUN_REFUSED] = "refused"};
  Utilisation used = utilisation_of(s->machine, &run->machine);
  json_line(json, 2);
  json_put_text(json, "format", "loom statistics");
  json_line(json, 2);
  json_put_number(json, "version", 1);
  json_line(json, 2);
  json_put_text(json, "fabric", adg_text(s->adg, s->adg->name));
  if (s->asked) json_put_text(json, "graph", dfg_text(s->asked, s->asked->name));
  json_put_text(json, "engine", simulation_engines[run->engine]);
  json_put_text(json, "end", endings[run->result.status]);
  json_line(json, 2);
  json_put_number(json, "cycles", run->machine.cycles);
  json_put_number(json, "pes", s->adg->npes);
  json_put_number(json, "pes_used", used.pes);
  json_put_real(json, "utilisation", used.mean, 6);
  u32 nloops;
  const MachineLoop *measured = loops_measured(loops, &nloops);
  open_rows(json, "loops");
  for (u32 i = 0; i < nloops; i++) {
    open_row(json);
    put_loop(json, s, &measured[i]);
    json_close(json, '}');
  }
  close_rows(json);
  open_rows(json, "units");
  for (u32 u = 0; u < s->machine->nunits; u++) {
    open_row(json);
    put_unit(json, s, run, u);
    json_close(json, '}');
  }
  close_rows(json);
  open_rows(json, "channels");
  for (u32 i = 0; i < s->machine->ninputs; i++) {
    open_row(json);
    put_channel(json, s, &run->machine, i);
    json_close(json, '}');
  }
  close_rows(json);
}

void stats_print_json(const Simulation *s, const SimulationRun *run, Loops *loops) {
  Buf out = {0};
  Json json = {.out = &out};
  json_open(&json, NULL, '{');
  put_stats(s, run, loops, &json);
  json_line(&json, 0);
  json_close(&json, '}');
  buf_char(&out, '\n');
  fputs(out.data, stdout);
  buf_free(&out);
}

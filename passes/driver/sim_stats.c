/* sim_stats.c -- loom sim --stats: loops, units and channels of a run, for people and as JSON.
 *
 * A unit is in each cycle in one of six states, so the rows of the table of units add up to the
 * cycles of the run:
 *
 *     firings + busy + memory + starved + blocked + idle = cycles
 */
#include "driver/sim_show.h"
#include "driver/steps.h"
#include "base/table.h"
#include "fabric/show.h"

/* ---- utilisation ----------------------------------------------------------------------------- */

static bool is_of_pe(const Machine *m, u32 unit) {
  return m->units[unit].fu != MACHINE_NONE;
}

/* Cycles in which a PE fired: of a temporal one its instructions', of a load the more frequent
 * half's. A PE's units follow one another. */
static u64 pe_firings(const Machine *m, const u64 *firings, u32 *unit) {
  u32 component = m->units[*unit].component;
  bool is_temporal = m->units[*unit].turn != MACHINE_NONE;
  u64 all = 0;
  for (; *unit < m->nunits && m->units[*unit].component == component && is_of_pe(m, *unit); ++*unit)
    all = is_temporal ? all + firings[*unit] : firings[*unit] > all ? firings[*unit] : all;
  return all;
}

Utilisation utilisation_of(const Machine *m, const MachineResult *r) {
  Utilisation all = {0};
  u64 sum = 0, most = 0;
  for (u32 u = 0; u < m->nunits;) {
    if (!is_of_pe(m, u)) {
      u++;
      continue;
    }
    u32 first = u;
    u64 firings = pe_firings(m, r->firings, &u);
    sum += firings;
    all.pes++;
    if (all.pes > 1 && firings <= most) continue;
    most = firings;
    all.busiest_component = m->units[first].component;
  }
  if (r->cycles && all.pes) {
    all.mean = (double)sum / (double)all.pes / (double)r->cycles;
    all.busiest = (double)most / (double)r->cycles;
  }
  return all;
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

/* What the mapping expects, as number and what it is (loops.h). */
static void expected_cell(Table *t, const MachineLoop *loop) {
  const char *about = loop->about == '~' ? "~" : loop->about ? ">= " : "";
  if (loop->turns)
    table_cell(t, "%s%.2f", about, (double)loop->cycles / (double)loop->turns);
  else
    table_cell(t, "-");
}

static void show_loops(const Simulation *s, const MachineLoop *loops, u32 nloops) {
  if (!nloops) return;
  bool any_expected = false;
  for (u32 i = 0; i < nloops; i++) any_expected |= loops[i].turns > 0;
  Table t = table_of(any_expected ? "<<<>>>>>" : "<<<>>>>");
  static const char *const titles[] = {"loop", "", "at", "entries", "iterations", "interval"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  if (any_expected) table_cell(&t, "expected");
  table_cell(&t, "bound");
  for (u32 i = 0; i < nloops; i++) {
    const MachineLoop *loop = &loops[i];
    const char *place = origin_place(s->origins, loop->unit);
    unit_cell(&t, s->machine, loop->unit, machine_unit_name);
    nodes_cell(&t, s->origins, loop->unit);
    table_cell(&t, "%s", place ? place : "");
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
  Table t = table_of(knows_stalls ? "<<<>>>>>>>" : "<<<>>");
  static const char *const titles[] = {"unit", "", "", "firings", "used"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  for (u32 k = 0; knows_stalls && k < STALL_COUNT; k++) table_cell(&t, "%s", stall_names[k]);
  if (knows_stalls) table_cell(&t, "idle");
  for (u32 u = 0; u < s->machine->nunits; u++) {
    unit_cell(&t, s->machine, u, machine_unit_name);
    unit_cell(&t, s->machine, u, machine_unit_op);
    nodes_cell(&t, s->origins, u);
    table_cell(&t, "%llu", (unsigned long long)r->firings[u]);
    table_cell(&t, "%.1f%%", percent(r->firings[u], r->cycles));
    for (u32 k = 0; knows_stalls && k < STALL_COUNT; k++)
      table_cell(&t, "%llu", (unsigned long long)r->stalls[u][k]);
    if (knows_stalls) table_cell(&t, "%llu", (unsigned long long)idle_cycles(r, u));
  }
  printf("\n");
  table_show(&t);
}

static void show_channels(const Simulation *s, const MachineResult *r) {
  Table t = table_of("<<<>>");
  static const char *const titles[] = {"channel", "", "", "tokens", "used"};
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
    printf("\n%u of %u PEs in use: they fire in %.1f%% of the cycles, %s, the busiest, in %.1f%%\n",
           used.pes, s->adg->npes, 100 * used.mean, adg_name(s->adg, used.busiest_component),
           100 * used.busiest);
  show_loops(s, measured, nloops);
  show_units(s, r, run->engine == SIM_STEP);
  show_channels(s, r);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_text(Buf *out, const char *key, const char *text) {
  buf_printf(out, "\"%s\": ", key);
  buf_json(out, text);
  buf_str(out, ", ");
}

static void put_named(Buf *out, const char *key, const Machine *m, u32 id,
                      void name(const Machine *, u32, Buf *)) {
  Buf text = {0};
  name(m, id, &text);
  put_text(out, key, text.data);
  buf_free(&text);
}

static void put_number(Buf *out, const char *key, u64 number) {
  buf_printf(out, "\"%s\": %llu, ", key, (unsigned long long)number);
}

/* An object's or array's last member has no comma behind it. */
static void close_with(Buf *out, char end) {
  while (out->len && (out->data[out->len - 1] == ' ' || out->data[out->len - 1] == ',')) out->len--;
  buf_char(out, end);
}

static void put_nodes(Buf *out, const Origins *o, u32 unit) {
  const char *place = origin_place(o, unit);
  buf_str(out, "\"nodes\": [");
  for (u32 i = o->first_node[unit]; i < o->first_node[unit + 1]; i++) {
    buf_json(out, dfg_text(o->dfg, o->dfg->nodes[o->nodes[i]].name));
    buf_str(out, ", ");
  }
  close_with(out, ']');
  buf_str(out, ", ");
  if (place) put_text(out, "at", place);
}

static void put_loop(Buf *out, const Simulation *s, const MachineLoop *loop) {
  put_named(out, "unit", s->machine, loop->unit, machine_unit_name);
  put_nodes(out, s->origins, loop->unit);
  put_number(out, "entries", loop->entries);
  put_number(out, "iterations", loop->iterations);
  put_number(out, "gaps", loop->gaps);
  put_number(out, "gap_cycles", loop->gap_cycles);
  if (loop->gaps)
    buf_printf(out, "\"interval\": %.4f, ", (double)loop->gap_cycles / (double)loop->gaps);
  if (loop->turns)
    buf_printf(out, "\"expected\": %.4f, ", (double)loop->cycles / (double)loop->turns);
  if (loop->bound) put_number(out, "bound", loop->bound);
}

static void put_unit(Buf *out, const Simulation *s, const SimulationRun *run, u32 unit) {
  const MachineResult *r = &run->machine;
  put_named(out, "unit", s->machine, unit, machine_unit_name);
  put_named(out, "op", s->machine, unit, machine_unit_op);
  put_nodes(out, s->origins, unit);
  put_number(out, "firings", r->firings[unit]);
  if (run->engine != SIM_STEP) return;
  for (u32 k = 0; k < STALL_COUNT; k++) put_number(out, stall_names[k], r->stalls[unit][k]);
  put_number(out, "idle", idle_cycles(r, unit));
}

static void put_channel(Buf *out, const Simulation *s, const MachineResult *r, u32 input) {
  u32 edge = origin_edge(s->origins, input);
  put_named(out, "from", s->machine, s->machine->inputs[input].output, machine_output_name);
  put_named(out, "to", s->machine, input, machine_input_name);
  if (edge != DFG_NONE) {
    assert(s->asked); /* it is an edge of that graph */
    put_text(out, "edge", dfg_text(s->asked, s->asked->edges[edge].name));
  }
  put_number(out, "tokens", r->transfers[input]);
}

/* A row of an array: one object a line. */
static void open_row(Buf *out, u32 i) {
  buf_str(out, i ? ",\n    {" : "\n    {");
}

static void put_stats(const Simulation *s, const SimulationRun *run, Loops *loops, Buf *out) {
  static const char *const endings[] = {
      [RUN_FINISHED] = "done", [RUN_LEFTOVER] = "leftover", [RUN_DEADLOCK] = "deadlock",
      [RUN_TRAP] = "trap",     [RUN_LIMIT] = "limit",       [RUN_REFUSED] = "refused"};
  const Machine *m = s->machine;
  u32 nloops;
  const MachineLoop *measured = loops_measured(loops, &nloops);
  Utilisation used = utilisation_of(m, &run->machine);
  buf_str(out, "{\n  \"format\": \"loom statistics\",\n  \"version\": 1,\n  ");
  put_text(out, "fabric", adg_text(s->adg, s->adg->name));
  if (s->asked) put_text(out, "graph", dfg_text(s->asked, s->asked->name));
  put_text(out, "engine", simulation_engines[run->engine]);
  put_text(out, "end", endings[run->result.status]);
  close_with(out, ',');
  buf_str(out, "\n  ");
  put_number(out, "cycles", run->machine.cycles);
  buf_printf(out, "\"pes\": %u, \"pes_used\": %u, \"utilisation\": %.6f,\n  \"loops\": [",
             s->adg->npes, used.pes, used.mean);
  for (u32 i = 0; i < nloops; i++) {
    open_row(out, i);
    put_loop(out, s, &measured[i]);
    close_with(out, '}');
  }
  buf_str(out, "\n  ],\n  \"units\": [");
  for (u32 u = 0; u < m->nunits; u++) {
    open_row(out, u);
    put_unit(out, s, run, u);
    close_with(out, '}');
  }
  buf_str(out, "\n  ],\n  \"channels\": [");
  for (u32 i = 0; i < m->ninputs; i++) {
    open_row(out, i);
    put_channel(out, s, &run->machine, i);
    close_with(out, '}');
  }
  buf_str(out, "\n  ]\n}\n");
}

void stats_print_json(const Simulation *s, const SimulationRun *run, Loops *loops) {
  Buf out = {0};
  put_stats(s, run, loops, &out);
  fputs(out.data, stdout);
  buf_free(&out);
}

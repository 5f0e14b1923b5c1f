/* loops.c -- how often the loops of a machine begin an iteration. See loops.h. */
#include "machine/loops.h"

typedef struct {
  u64 cycles, times; /* so many gaps of so many cycles, one after the other */
} Gaps;

typedef struct {
  u32 condition;  /* output that says whether there is another iteration */
  u64 last;       /* cycle of the last iteration */
  u64 iterations; /* of this entry */
  Vec(Gaps) gaps; /* of this entry */
} Gauge;

struct Loops {
  const Machine *machine;
  const Origins *origins;
  Vec(MachineLoop) loops;
  Vec(Gauge) gauges; /* likewise */
  u32 *gauge_of;     /* by input: the loop whose condition is seen there, or MACHINE_NONE */
  Arena *arena;
};

/* ---- which loops there are ------------------------------------------------------------------- */

/* The output that a condition comes from at last: fifos hand it on, and so does a gate. */
static u32 condition_behind(const Machine *m, u32 input) {
  u32 output = m->inputs[input].output;
  for (u32 steps = 0; steps < m->nunits; steps++) {
    const MachineUnit *u = &m->units[m->outputs[output].unit];
    if (u->kind == UNIT_FIFO)
      output = m->inputs[u->first_input].output;
    else if (u->kind == UNIT_GATE && m->outputs[output].index == 1)
      output = m->inputs[u->first_input + 1].output;
    else
      break;
  }
  return output;
}

static u32 loop_with(const Loops *l, u32 condition) {
  for (u32 i = 0; i < l->gauges.len; i++)
    if (l->gauges.at[i].condition == condition) return i;
  return MACHINE_NONE;
}

static void add_loop(Loops *l, u32 unit, u32 condition) {
  const MachineOutput *out = &l->machine->outputs[condition];
  if (!out->nbranches || loop_with(l, condition) != MACHINE_NONE) return;
  MachineLoop loop = {.unit = unit};
  Gauge gauge = {.condition = condition};
  l->gauge_of[l->machine->branches[out->first_branch]] = (u32)l->loops.len;
  vec_push(&l->loops, loop);
  vec_push(&l->gauges, gauge);
}

static void find_loops(Loops *l) {
  const Machine *m = l->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_STREAM) add_loop(l, u, m->units[u].first_output + 1);
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_CARRY)
      add_loop(l, u, condition_behind(m, m->units[u].first_input));
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The loop that a recurrence goes round: that of the carry which one of its edges enters. */
static u32 loop_of(const Loops *l, const json_t *recurrence) {
  const Machine *m = l->machine;
  const json_t *edges = json_object_get(recurrence, "edges");
  for (size_t i = 0; i < json_array_size(edges); i++) {
    const char *name = json_string_value(json_array_get(edges, i));
    u32 edge = name ? dfg_find_edge(l->origins->dfg, name) : DFG_NONE;
    u32 input = edge == DFG_NONE ? MACHINE_NONE : l->origins->input_of[edge];
    if (input == MACHINE_NONE) continue;
    const MachineUnit *u = &m->units[m->inputs[input].unit];
    if (u->kind == UNIT_CARRY || u->kind == UNIT_INVARIANT)
      return loop_with(l, condition_behind(m, u->first_input));
  }
  return MACHINE_NONE;
}

static void find_bounds(Loops *l, const json_t *mapping) {
  const json_t *recurrences = json_object_get(mapping, "recurrences");
  for (u32 i = 0; i < l->loops.len; i++) l->loops.at[i].bound = 1;
  for (size_t i = 0; i < json_array_size(recurrences); i++) {
    const json_t *recurrence = json_array_get(recurrences, i);
    u64 latency = (u64)json_integer_value(json_object_get(recurrence, "latency"));
    u64 tokens = (u64)json_integer_value(json_object_get(recurrence, "tokens"));
    u32 loop = loop_of(l, recurrence);
    if (!tokens || loop == MACHINE_NONE) continue;
    u32 bound = (u32)((latency + tokens - 1) / tokens);
    if (bound > l->loops.at[loop].bound) l->loops.at[loop].bound = bound;
  }
}

Loops *loops_new(const Machine *m, const Origins *origins, const json_t *mapping) {
  Arena *arena = arena_new();
  Loops *l = NEW(arena, Loops);
  *l = (Loops){.machine = m, .origins = origins, .arena = arena};
  l->gauge_of = NEW_ARRAY(arena, u32, m->ninputs + (size_t)1);
  for (u32 i = 0; i < m->ninputs; i++) l->gauge_of[i] = MACHINE_NONE;
  find_loops(l);
  if (mapping && origins->dfg) find_bounds(l, mapping);
  return l;
}

void loops_free(Loops *l) {
  if (!l) return;
  for (size_t i = 0; i < l->gauges.len; i++) vec_free(&l->gauges.at[i].gaps);
  vec_free(&l->gauges);
  vec_free(&l->loops);
  arena_free(l->arena); /* the loops are in it too */
}

/* ---- while it runs --------------------------------------------------------------------------- */

static void iteration(Gauge *gauge, u64 cycle) {
  u64 gap = cycle - gauge->last;
  if (gauge->iterations && gauge->gaps.len && vec_last(&gauge->gaps).cycles == gap) {
    vec_last(&gauge->gaps).times++;
  } else if (gauge->iterations) {
    Gaps first = {gap, 1};
    vec_push(&gauge->gaps, first);
  }
  gauge->last = cycle;
  gauge->iterations++;
}

/* The later half of the gaps counts. */
static void end_entry(MachineLoop *loop, Gauge *gauge) {
  u64 wanted = gauge->iterations / 2; /* of n - 1 gaps the larger half */
  loop->entries++;
  loop->iterations += gauge->iterations;
  for (size_t i = gauge->gaps.len; wanted && i-- > 0;) {
    u64 times = gauge->gaps.at[i].times < wanted ? gauge->gaps.at[i].times : wanted;
    loop->gaps += times;
    loop->gap_cycles += times * gauge->gaps.at[i].cycles;
    wanted -= times;
  }
  gauge->gaps.len = 0;
  gauge->iterations = 0;
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  Loops *l = user;
  u32 i = l->gauge_of[input];
  if (i == MACHINE_NONE) return;
  if (value & 1)
    iteration(&l->gauges.at[i], cycle);
  else
    end_entry(&l->loops.at[i], &l->gauges.at[i]);
}

MachineObserver loops_observer(Loops *loops) {
  return (MachineObserver){.user = loops, .transfer = on_transfer};
}

const MachineLoop *loops_measured(Loops *l, u32 *nloops) {
  for (size_t i = 0; i < l->loops.len; i++)
    if (l->gauges.at[i].iterations) end_entry(&l->loops.at[i], &l->gauges.at[i]);
  *nloops = (u32)l->loops.len;
  return l->loops.at;
}

/* loops.c -- measures the initiation intervals of the loops of a machine. See loops.h. */
#include "machine/loops.h"

#include "map/rates.h"

typedef struct {
  u64 cycles, times; /* `times` successive gaps of `cycles` each */
} Gaps;

/* Iterations of one entry, by the cycles when they were observed. */
typedef struct {
  u64 last;              /* cycle of the last iteration */
  u64 timed;             /* iterations of this entry so far */
  Vec(Gaps) gaps;        /* of this entry, run-length encoded */
  u64 ngaps, gap_cycles; /* of all entries before: the gaps that count, and their sum */
} Timing;

typedef struct {
  u32 condition;  /* output whose tokens decide whether there is another iteration */
  u32 carry;      /* unit where iterations are timed, or MACHINE_NONE */
  bool is_inside; /* an entry has begun and not ended */
  Timing timing;
  u32 inner;      /* the first loop inside it; MACHINE_NONE: there is none */
  u32 outer;      /* the loop that has this one as `inner`; or MACHINE_NONE */
  Timing nest;    /* iterations, timed where entries into the inner loop end */
  u64 nends;      /* entries into the inner loop that have ended */
  u64 open;       /* iterations that the condition has begun in its current entry */
  Vec(u64) sizes; /* a queue of entries that the condition has ended but the inner loop has not: */
  size_t first_size; /* their numbers of iterations; the first entry is at this index */
} LoopCounter;

struct Loops {
  const Machine *machine;
  const Origins *origins;
  Vec(MachineLoop) loops;
  Vec(LoopCounter) counters; /* beside `loops` */
  /* By input, a loop or MACHINE_NONE: */
  u32 *counts_at; /* the loop whose iterations and entries the conditions taken here count */
  u32 *timed_at;  /* the loop of which an iteration begins when a token is taken here */
  u32 *ends_at;   /* the loop of which an entry ends when a false condition is taken here */
  Arena *arena;
};

/* ---- finding loops --------------------------------------------------------------------------- */

/* The output that makes the condition of an input: seen through fifos and gates, which pass it
 * on. */
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
  for (u32 i = 0; i < l->counters.len; i++)
    if (l->counters.at[i].condition == condition) return i;
  return MACHINE_NONE;
}

static u32 add_loop(Loops *l, u32 unit, u32 condition) {
  u32 known = loop_with(l, condition);
  if (known != MACHINE_NONE || !l->machine->outputs[condition].nbranches) return known;
  MachineLoop loop = {.unit = unit};
  LoopCounter counter = {
      .condition = condition, .carry = MACHINE_NONE, .inner = MACHINE_NONE, .outer = MACHINE_NONE};
  vec_push(&l->loops, loop);
  vec_push(&l->counters, counter);
  return (u32)l->loops.len - 1;
}

static void find_loops(Loops *l) {
  const Machine *m = l->machine;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_STREAM) add_loop(l, u, m->units[u].first_output + 1);
  for (u32 u = 0; u < m->nunits; u++) {
    if (!machine_is_carry(&m->units[u])) continue;
    u32 loop = add_loop(l, u, condition_behind(m, m->units[u].first_input));
    if (loop < l->counters.len && l->counters.at[loop].carry == MACHINE_NONE)
      l->counters.at[loop].carry = u;
  }
}

/* Sets at which inputs each loop is observed. */
static void place_probes(Loops *l) {
  const Machine *m = l->machine;
  for (u32 i = 0; i < l->counters.len; i++) {
    const LoopCounter *counter = &l->counters.at[i];
    u32 taker = m->branches[m->outputs[counter->condition].first_branch];
    bool has_carry = counter->carry != MACHINE_NONE;
    u32 condition = has_carry ? m->units[counter->carry].first_input : taker;
    l->counts_at[taker] = i;
    l->ends_at[condition] = i;
    l->timed_at[has_carry ? condition + 2 : condition] = i;
  }
}

/* ---- the mapping's expectations -------------------------------------------------------------- */

/* The loop whose condition a stream, carry, gate or invariant takes or makes; else MACHINE_NONE. */
static u32 loop_of_unit(const Loops *l, u32 unit) {
  const MachineUnit *u = &l->machine->units[unit];
  if (machine_is_carry(u)) return loop_with(l, condition_behind(l->machine, u->first_input));
  switch ((MachineUnitKind)u->kind) {
  case UNIT_STREAM: return loop_with(l, u->first_output + 1);
  case UNIT_GATE: return loop_with(l, condition_behind(l->machine, u->first_input + 1));
  case UNIT_INVARIANT: return loop_with(l, condition_behind(l->machine, u->first_input));
  default: return MACHINE_NONE;
  }
}

static u32 loop_of_node(const Loops *l, u32 node) {
  const Origins *o = l->origins;
  for (u32 u = 0; u < l->machine->nunits; u++)
    for (u32 i = o->first_node[u]; i < o->first_node[u + 1]; i++)
      if (o->nodes[i] == node) return loop_of_unit(l, u);
  return MACHINE_NONE;
}

/* The loop that an object of the mapping names; MACHINE_NONE: the machine has none of that name. */
static u32 loop_named(const Loops *l, const json_t *object) {
  const char *name = json_string_value(json_object_get(object, "loop"));
  u32 node = name ? dfg_find_node(l->origins->dfg, name) : DFG_NONE;
  return node == DFG_NONE ? MACHINE_NONE : loop_of_node(l, node);
}

/* The carry that a recurrence passes: one of its loop, whose condition or next value is on it. */
static u32 carry_of(const Loops *l, const json_t *recurrence) {
  const Machine *m = l->machine;
  u32 loop = loop_named(l, recurrence);
  const json_t *edges = json_object_get(recurrence, "edges");
  for (size_t i = 0; i < json_array_size(edges); i++) {
    const char *name = json_string_value(json_array_get(edges, i));
    u32 edge = name ? dfg_find_edge(l->origins->dfg, name) : DFG_NONE;
    u32 input = edge == DFG_NONE ? MACHINE_NONE : l->origins->input_of[edge];
    if (input == MACHINE_NONE) continue;
    u32 unit = m->inputs[input].unit;
    if (machine_is_carry(&m->units[unit]) && m->inputs[input].index != 1 &&
        (loop == MACHINE_NONE || loop_of_unit(l, unit) == loop))
      return unit;
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
    u32 carry = carry_of(l, recurrence);
    if (!tokens || carry == MACHINE_NONE) continue;
    u32 bound = (u32)(latency / tokens);
    u32 loop = loop_with(l, condition_behind(l->machine, l->machine->units[carry].first_input));
    if (loop >= l->loops.len || bound <= l->loops.at[loop].bound) continue;
    l->loops.at[loop].bound = bound;
    l->counters.at[loop].carry = carry;
  }
}

static void find_requests(Loops *l, const json_t *mapping) {
  const json_t *timing = json_object_get(mapping, "timing");
  const json_t *channel = json_object_get(timing, "bandwidth");
  u32 loop = channel ? loop_named(l, channel) : MACHINE_NONE;
  if (loop < l->loops.len)
    l->loops.at[loop].requests = (u32)json_integer_value(json_object_get(channel, "requests"));
}

/* The intervals that the mapping expects. `shared`, cycles that an iteration keeps a shared channel
 * or PE busy, is a lower limit. */
static void find_expected(Loops *l, const json_t *mapping) {
  const json_t *entries = json_object_get(mapping, "loops");
  for (size_t i = 0; i < json_array_size(entries); i++) {
    const json_t *entry = json_array_get(entries, i);
    u32 id = loop_named(l, entry);
    if (id >= l->loops.len) continue;
    MachineLoop *loop = &l->loops.at[id];
    u32 shared = (u32)json_integer_value(json_object_get(entry, "shared"));
    loop->cycles = (u32)json_integer_value(json_object_get(entry, "cycles"));
    loop->expected_iterations = (u32)json_integer_value(json_object_get(entry, "turns"));
    if (loop->cycles < (u64)shared * loop->expected_iterations)
      loop->cycles = shared, loop->expected_iterations = 1;
    if (shared > 1 || json_is_true(json_object_get(entry, "conditional")))
      loop->about = '~';
    else if (json_is_true(json_object_get(entry, "at_least")))
      loop->about = '>';
  }
}

/* The loop around another: the one that gives it its first values, once an iteration. */
static u32 loop_around(const Dfg *dfg, const Rates *rates, u32 loop) {
  for (u32 v = 0; v < dfg->nnodes; v++) {
    const DfgNode *node = dfg_node(dfg, v);
    bool is_stream = node->fire == FIRE_STREAM;
    if (rates->of_node[v] != loop ||
        (!is_stream && node->fire != FIRE_CARRY && node->fire != FIRE_INVARIANT))
      continue;
    u32 first = is_stream ? 0 : 1, end = is_stream ? node->noperands : 2;
    for (u32 i = first; i < end; i++) {
      u32 around = rates->of_result[dfg->edges[dfg_operand(dfg, v, i)].result];
      if (around != MAP_NONE && around != loop) return around;
    }
  }
  return MAP_NONE;
}

/* Finds, for loops with others inside, the first of these. */
static void find_nests(Loops *l) {
  const Dfg *dfg = l->origins->dfg;
  Rates *rates = rates_find(dfg);
  u32 *around = mem_alloc(mem_size(rates->nloops + (size_t)1, sizeof *around)),
      *loops = mem_alloc(mem_size(rates->nloops + (size_t)1, sizeof *loops));
  for (u32 i = 0; i < rates->nloops; i++) {
    around[i] = loop_around(dfg, rates, i);
    loops[i] =
        rates->loops[i].node == DFG_NONE ? MACHINE_NONE : loop_of_node(l, rates->loops[i].node);
  }
  for (u32 i = 0; i < rates->nloops; i++) {
    if (around[i] == MAP_NONE) continue;
    u32 inner = loops[i], outer = loops[around[i]];
    if (inner == MACHINE_NONE || outer == MACHINE_NONE || inner == outer) continue;
    if (l->counters.at[outer].inner != MACHINE_NONE) continue;
    l->counters.at[outer].inner = inner;
    l->counters.at[inner].outer = outer;
  }
  mem_free(loops);
  mem_free(around);
  rates_free(rates);
}

Loops *loops_new(const Machine *m, const Origins *origins, const json_t *mapping) {
  Arena *arena = arena_new();
  Loops *l = NEW(arena, Loops);
  *l = (Loops){.machine = m, .origins = origins, .arena = arena};
  l->counts_at = NEW_ARRAY(arena, u32, m->ninputs + (size_t)1);
  l->timed_at = NEW_ARRAY(arena, u32, m->ninputs + (size_t)1);
  l->ends_at = NEW_ARRAY(arena, u32, m->ninputs + (size_t)1);
  for (u32 i = 0; i < m->ninputs; i++)
    l->counts_at[i] = l->timed_at[i] = l->ends_at[i] = MACHINE_NONE;
  find_loops(l);
  if (mapping && origins->dfg) {
    find_bounds(l, mapping);
    find_requests(l, mapping);
    find_expected(l, mapping);
    find_nests(l);
  }
  place_probes(l);
  return l;
}

void loops_free(Loops *l) {
  if (!l) return;
  for (size_t i = 0; i < l->counters.len; i++) {
    vec_free(&l->counters.at[i].timing.gaps);
    vec_free(&l->counters.at[i].nest.gaps);
    vec_free(&l->counters.at[i].sizes);
  }
  vec_free(&l->counters);
  vec_free(&l->loops);
  arena_free(l->arena); /* the loops are in it too */
}

/* ---- during the run -------------------------------------------------------------------------- */

static void count(MachineLoop *loop, LoopCounter *counter, bool more) {
  loop->iterations += more;
  loop->entries += !more;
  counter->is_inside = more;
}

/* Records the gap before an iteration that is observed in this cycle. */
static void time_iteration(Timing *t, u64 cycle) {
  u64 gap = cycle - t->last;
  if (t->timed && t->gaps.len && vec_last(&t->gaps).cycles == gap) {
    vec_last(&t->gaps).times++;
  } else if (t->timed) {
    Gaps first = {gap, 1};
    vec_push(&t->gaps, first);
  }
  t->last = cycle;
  t->timed++;
}

/* Adds the later half of an entry's gaps. Where the mapping expects so many cycles for several
 * iterations, the gaps in between differ, so a multiple of that number is added. */
static void end_entry(const MachineLoop *loop, Timing *t) {
  u64 wanted = t->timed / 2; /* of n - 1 gaps the larger half */
  if (loop->expected_iterations && wanted >= loop->expected_iterations)
    wanted -= wanted % loop->expected_iterations;
  for (size_t i = t->gaps.len; wanted && i-- > 0;) {
    u64 times = t->gaps.at[i].times < wanted ? t->gaps.at[i].times : wanted;
    t->ngaps += times;
    t->gap_cycles += times * t->gaps.at[i].cycles;
    wanted -= times;
  }
  t->gaps.len = 0;
  t->timed = 0;
}

/* An entry into a loop has ended, and with it an iteration of the loop around it; and so on
 * outwards, where that was an entry's last. */
static void note_ends(Loops *l, u32 inner, u64 cycle) {
  for (u32 loop = l->counters.at[inner].outer; loop != MACHINE_NONE;) {
    LoopCounter *c = &l->counters.at[loop];
    time_iteration(&c->nest, cycle);
    c->nends++;
    if (c->first_size == c->sizes.len || c->nest.timed < c->sizes.at[c->first_size]) return;
    end_entry(&l->loops.at[loop], &c->nest);
    if (++c->first_size == c->sizes.len) c->first_size = c->sizes.len = 0;
    loop = c->outer;
  }
}

/* The condition of a loop with another inside was taken. */
static void count_around(Loops *l, u32 loop, bool more, u64 cycle) {
  LoopCounter *c = &l->counters.at[loop];
  c->open += more;
  if (more) return;
  if (c->first_size == c->sizes.len && c->nest.timed >= c->open) { /* all have ended already */
    end_entry(&l->loops.at[loop], &c->nest);
    note_ends(l, loop, cycle);
  } else {
    vec_push(&c->sizes, c->open);
  }
  c->open = 0;
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  Loops *l = user;
  u32 counts = l->counts_at[input], timed = l->timed_at[input], ends = l->ends_at[input];
  bool more = value & 1;
  if (counts != MACHINE_NONE) {
    count(&l->loops.at[counts], &l->counters.at[counts], more);
    if (l->counters.at[counts].inner != MACHINE_NONE) count_around(l, counts, more, cycle);
  }
  if (ends != MACHINE_NONE && !more) {
    end_entry(&l->loops.at[ends], &l->counters.at[ends].timing);
    if (l->counters.at[ends].inner == MACHINE_NONE) note_ends(l, ends, cycle);
  } else if (timed != MACHINE_NONE) {
    time_iteration(&l->counters.at[timed].timing, cycle);
  }
}

MachineObserver loops_observer(Loops *loops) {
  return (MachineObserver){.user = loops, .transfer = on_transfer};
}

/* Chooses what tells how long an iteration takes. */
static const Timing *timing_of(const MachineLoop *loop, const LoopCounter *c) {
  if (c->inner == MACHINE_NONE) return &c->timing;
  if (c->nends == loop->iterations) return &c->nest;
  return loop->bound > 1 ? &c->timing : NULL;
}

const MachineLoop *loops_measured(Loops *l, u32 *nloops) {
  for (size_t i = 0; i < l->loops.len; i++) {
    MachineLoop *loop = &l->loops.at[i];
    LoopCounter *c = &l->counters.at[i];
    loop->entries += c->is_inside;
    c->is_inside = false;
    end_entry(loop, &c->timing);
    end_entry(loop, &c->nest);
    const Timing *t = timing_of(loop, c);
    loop->gaps = t ? t->ngaps : 0;
    loop->gap_cycles = t ? t->gap_cycles : 0;
  }
  *nloops = (u32)l->loops.len;
  return l->loops.at;
}

/* deadlock.c -- explains why nothing moves, by a wait-for graph. See deadlock.h. */
#include "machine/deadlock.h"

/* ---- the graph ------------------------------------------------------------------------------- */

/* Event `from` waits for event `to`. Events are numbered: unit u fires (u), output o offers its
 * next token (nunits + o). */
typedef struct {
  u32 from, to;
  u32 input;    /* the operand that waits for a token or has no room, or MACHINE_NONE */
  bool is_wait; /* false: the token of an output waits for its own unit, which is not reported */
} Arc;

typedef struct {
  const Machine *m;
  const MachineSnapshot *now;
  u32 nnodes;
  Vec(Arc) arcs; /* sorted by from */
  u32 *first;    /* by node, and one more */
  Arena *arena;
} WaitGraph;

static void add_arc(WaitGraph *g, u32 from, u32 to, u32 input) {
  Arc arc = {from, to, input, input != MACHINE_NONE};
  vec_push(&g->arcs, arc);
}

static const Arc *arc_at(const WaitGraph *g, u32 a) {
  assert(a < g->arcs.len);
  return &g->arcs.at[a];
}

/* Adds arcs to the units that have not taken the token of an output, for lack of room. */
static void wait_for_takers(WaitGraph *g, u32 node, u32 output) {
  const MachineOutput *out = &g->m->outputs[output];
  for (u32 b = 0; b < out->nbranches; b++) {
    u32 input = g->m->branches[out->first_branch + b];
    if (!g->now->taken[input] && g->now->holds[input])
      add_arc(g, node, g->m->inputs[input].unit, input);
  }
}

static void add_unit(WaitGraph *g, u32 unit) {
  const MachineUnit *u = &g->m->units[unit];
  bool lacks = false;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++) {
    if (!g->now->lacks[i]) continue;
    lacks = true;
    add_arc(g, unit, g->m->nunits + g->m->inputs[i].output, i);
  }
  if (lacks) return;
  for (u32 o = u->first_output; o < u->first_output + u->noutputs; o++)
    if (g->now->offers[o]) wait_for_takers(g, unit, o);
}

static void add_output(WaitGraph *g, u32 output) {
  u32 node = g->m->nunits + output, unit = g->m->outputs[output].unit;
  if (g->now->offers[output])
    wait_for_takers(g, node, output);
  else if (g->m->units[unit].kind != UNIT_INPUT)
    add_arc(g, node, unit, MACHINE_NONE);
}

static WaitGraph *graph_new(const Machine *m, const MachineSnapshot *now) {
  Arena *arena = arena_new();
  WaitGraph *g = NEW(arena, WaitGraph);
  *g = (WaitGraph){.m = m, .now = now, .nnodes = m->nunits + m->noutputs, .arena = arena};
  g->first = NEW_ARRAY(arena, u32, g->nnodes + (size_t)1);
  for (u32 v = 0; v < g->nnodes; v++) {
    g->first[v] = (u32)g->arcs.len;
    if (v < m->nunits)
      add_unit(g, v);
    else
      add_output(g, v - m->nunits);
  }
  g->first[g->nnodes] = (u32)g->arcs.len;
  return g;
}

static void graph_free(WaitGraph *g) {
  vec_free(&g->arcs);
  arena_free(g->arena);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* A breadth-first search. `by` is the arc by which a node was first reached; MACHINE_NONE for those
 * from which the search started. */
typedef struct {
  u32 *by, *queue;
  bool *seen;
  u32 n;
} Reach;

/* Visits the arcs of `v`, up to one that leads to `end`, which is returned; MACHINE_NONE: there is
 * none. */
static u32 reach_node(const WaitGraph *g, Reach *r, u32 v, u32 end) {
  for (u32 a = g->first[v]; a < g->first[v + 1]; a++) {
    u32 to = arc_at(g, a)->to;
    if (to == end) return a;
    if (r->seen[to]) continue;
    r->seen[to] = true;
    r->by[to] = a;
    r->queue[r->n++] = to;
  }
  return MACHINE_NONE;
}

static void reach(const WaitGraph *g, Reach *r) {
  for (u32 k = 0; k < r->n; k++) reach_node(g, r, r->queue[k], MACHINE_NONE);
}

/* Empties the set of nodes that were reached. */
static void reach_clear(Reach *r) {
  for (u32 k = 0; k < r->n; k++) r->seen[r->queue[k]] = false;
  r->n = 0;
}

static void reach_from(Reach *r, u32 node) {
  if (r->seen[node]) return;
  r->queue[r->n++] = node;
  r->seen[node] = true;
  r->by[node] = MACHINE_NONE;
}

static Reach reach_new(const WaitGraph *g) {
  return (Reach){.by = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1),
                 .queue = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1),
                 .seen = NEW_ARRAY(g->arena, bool, g->nnodes + (size_t)1)};
}

/* Starts from the outputs of the fabric that lack owed tokens; if none does, from every unit and
 * output in which a token is left. */
static void reach_from_owed(const WaitGraph *g, const MachineJob *job, const MachineResult *result,
                            Reach *r) {
  const Machine *m = g->m;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].kind == UNIT_OUTPUT && job->owed && result->taken[u].len < job->owed[u])
      reach_from(r, u);
  if (r->n) return;
  for (u32 i = 0; i < m->ninputs; i++)
    if (g->now->holds[i]) reach_from(r, m->inputs[i].unit);
  for (u32 o = 0; o < m->noutputs; o++)
    if (g->now->offers[o]) reach_from(r, m->nunits + o);
}

/* The path by which `node` was reached, as arcs in order; returns how many. */
static u32 path_to(const WaitGraph *g, const Reach *r, u32 node, u32 *arcs) {
  u32 n = 0;
  for (u32 a = r->by[node]; a != MACHINE_NONE; a = r->by[arc_at(g, a)->from]) arcs[n++] = a;
  reverse(arcs, n);
  return n;
}

/* By node: 0 where it cannot be on a cycle. A node that no other waits for is on none; such nodes
 * are removed until there are none left. */
static u32 *find_waited_for(const WaitGraph *g, const Reach *depended) {
  u32 *waiting = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1);
  u32 *queue = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1), n = 0;
  for (size_t a = 0; a < g->arcs.len; a++)
    if (depended->seen[g->arcs.at[a].from]) waiting[g->arcs.at[a].to]++;
  for (u32 k = 0; k < depended->n; k++)
    if (!waiting[depended->queue[k]]) queue[n++] = depended->queue[k];
  for (u32 k = 0; k < n; k++)
    for (u32 a = g->first[queue[k]]; a < g->first[queue[k] + 1]; a++)
      if (!--waiting[arc_at(g, a)->to]) queue[n++] = arc_at(g, a)->to;
  return waiting;
}

/* Finds the shortest cycle through `node`, if it has fewer than `most` arcs. Returns its length; 0:
 * there is none. */
static u32 cycle_through(const WaitGraph *g, Reach *r, u32 node, u32 most, u32 *arcs) {
  u32 n = 1, last = 1; /* through the nodes of the queue before `last`, a cycle has n arcs */
  reach_clear(r);
  reach_from(r, node);
  for (u32 k = 0; k < r->n; k++) {
    if (k == last) n++, last = r->n;
    if (n >= most) return 0;
    u32 a = reach_node(g, r, r->queue[k], node);
    if (a == MACHINE_NONE) continue;
    u32 before = path_to(g, r, r->queue[k], arcs);
    arcs[before] = a;
    return n;
  }
  return 0;
}

/* Does the input share places of an operand buffer? */
static bool shares_places(const Machine *m, u32 input) {
  u32 pool = m->inputs[input].pool;
  return pool != MACHINE_NONE && m->pools[pool].places;
}

/* ---- waits to report ------------------------------------------------------------------------- */

static u32 unit_of(const WaitGraph *g, u32 node) {
  return node < g->m->nunits ? node : g->m->outputs[node - g->m->nunits].unit;
}

/* Turns the arcs of a path into waits, but those of an output for its own unit. Leaves room for one
 * more wait. */
static void set_waits(const WaitGraph *g, const u32 *arcs, u32 n, WaitPath *path) {
  path->waits = mem_alloc(mem_size((size_t)n + 1, sizeof *path->waits));
  for (u32 k = 0; k < n; k++) {
    const Arc *arc = arc_at(g, arcs[k]);
    if (!arc->is_wait) continue;
    bool lacks = arc->to >= g->m->nunits;
    path->waits[path->nwaits++] = (Wait){.kind = lacks ? WAIT_OPERAND : WAIT_SPACE,
                                         .unit = unit_of(g, arc->from),
                                         .input = arc->input,
                                         .on = unit_of(g, arc->to)};
  }
}

/* A wait for a place in a shared buffer may end although the cycle does not move: other operands,
 * which need not wait for it, can free a place. */
static bool may_resolve(const WaitGraph *g, const WaitPath *path) {
  for (u32 k = 0; k < path->nwaits; k++)
    if (path->waits[k].kind == WAIT_SPACE && shares_places(g->m, path->waits[k].input)) return true;
  return false;
}

static bool find_cycle(const WaitGraph *g, const Reach *depended, WaitPath *path) {
  Reach r = reach_new(g);
  u32 *best = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1);
  u32 *arcs = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1);
  const u32 *waited_for = find_waited_for(g, depended);
  u32 nbest = 0;
  for (u32 k = 0; k < depended->n; k++) {
    if (!waited_for[depended->queue[k]]) continue;
    u32 n = cycle_through(g, &r, depended->queue[k], nbest ? nbest : UINT32_MAX, arcs);
    if (!n) continue;
    nbest = n;
    memcpy(best, arcs, n * sizeof *arcs);
  }
  if (!nbest) return false;
  set_waits(g, best, nbest, path);
  path->is_cycle = !may_resolve(g, path);
  return true;
}

/* Finds the nearest input of the fabric that has given all its tokens. */
static void find_exhausted_input(const WaitGraph *g, const Reach *depended, WaitPath *path) {
  u32 *arcs = NEW_ARRAY(g->arena, u32, g->nnodes + (size_t)1);
  for (u32 k = 0; k < depended->n; k++) {
    u32 v = depended->queue[k], unit = unit_of(g, v);
    if (v < g->m->nunits || g->m->units[unit].kind != UNIT_INPUT || !g->now->exhausted[unit])
      continue;
    set_waits(g, arcs, path_to(g, depended, v, arcs), path);
    path->waits[path->nwaits++] =
        (Wait){.kind = WAIT_INPUT_ENDED, .unit = unit, .input = MACHINE_NONE, .on = unit};
    return;
  }
}

void deadlock_find(const Machine *m, const MachineJob *job, const MachineResult *result,
                   WaitPath *path) {
  *path = (WaitPath){0};
  if (!result->snapshot) return;
  WaitGraph *g = graph_new(m, result->snapshot);
  Reach depended = reach_new(g);
  reach_from_owed(g, job, result, &depended);
  reach(g, &depended);
  if (!find_cycle(g, &depended, path)) find_exhausted_input(g, &depended, path);
  graph_free(g);
}

/* " (edge %b)" where the graph has one. */
static void put_edge(const Origins *o, u32 input, Buf *out) {
  u32 edge = origin_edge(o, input);
  if (edge != DFG_NONE) buf_printf(out, " (edge %%%s)", dfg_text(o->dfg, o->dfg->edges[edge].name));
}

static void put_full(const Origins *o, const Wait *w, Buf *out) {
  const MachineUnit *taker = &o->machine->units[w->on];
  buf_str(out, " has a token for ");
  origin_unit_text(o, w->on, out);
  buf_str(out, ", but ");
  machine_input_name(o->machine, w->input, out);
  put_edge(o, w->input, out);
  if (taker->kind == UNIT_FIFO)
    buf_printf(out, " is full: %u token%s", taker->latency, plural(taker->latency));
  else if (shares_places(o->machine, w->input))
    buf_str(out, " has no place left for it in the shared operand buffer");
  else
    buf_str(out, " still holds the previous one");
}

static void report_wait(Context *ctx, const Origins *o, const MachineResult *result, const Wait *w,
                        const char *end) {
  const char *place = origin_place(o, w->unit);
  Buf text = {0};
  origin_unit_text(o, w->unit, &text);
  switch (w->kind) {
  case WAIT_OPERAND:
    buf_str(&text, " waits for a token from ");
    origin_unit_text(o, w->on, &text);
    buf_str(&text, " at ");
    machine_input_name(o->machine, w->input, &text);
    put_edge(o, w->input, &text);
    break;
  case WAIT_SPACE: put_full(o, w, &text); break;
  case WAIT_INPUT_ENDED: {
    u64 given = result->snapshot->given[w->unit];
    buf_printf(&text, " has sent all its tokens (%llu)", (unsigned long long)given);
    break;
  }
  }
  buf_str(&text, end);
  if (place) buf_printf(&text, "; source: %s", place);
  diag_note(ctx, origin_loc(o, w->unit), "%s", text.data);
  buf_free(&text);
}

void deadlock_report(Context *ctx, const Origins *o, const MachineResult *result,
                     const WaitPath *path) {
  for (u32 k = 0; k < path->nwaits; k++)
    report_wait(ctx, o, result, &path->waits[k],
                path->is_cycle && k + 1 == path->nwaits ? ", which closes the cycle" : "");
}

/* cycles.c -- the loops of a graph and the time round them. See cycles.h. */
#include "map/cycles.h"
#include "map/stages.h"

/* ---- the graph ------------------------------------------------------------------------------- */

/* A load's second vertex: what hands on the element. */
static u32 answer_vertex(const CycleInput *in, u32 cluster) {
  return in->nclusters + cluster;
}

static bool is_memory(const DfgNode *node) {
  return node->fire == FIRE_MEMORY || node->fire == FIRE_EXTMEMORY;
}

u32 cycles_access(const Dfg *dfg, const DfgNode *memory_node, u32 result) {
  const DfgMemory *m = &dfg->memories[memory_node->memory];
  u32 r = result - memory_node->first_result;
  /* results: load data, store dones, load dones; ports: stores, then loads */
  u32 port = r < m->nloads ? m->nstores + r : r - m->nloads;
  return dfg->ports[m->first_port + port];
}

static u32 tokens_of(const Dfg *dfg, const DfgEdge *edge) {
  const DfgNode *to = dfg_node(dfg, edge->to),
                *from = dfg_node(dfg, dfg->results[edge->result].node);
  if (to->fire == FIRE_CARRY) return edge->operand != 1;
  if (to->fire == FIRE_INVARIANT) return edge->operand == 0;
  if (from->fire == FIRE_BUFFER) return from->ninitials;
  return edge->is_back && !is_memory(from);
}

/* The edge by which an access asks the memory: that of its address, its last result. */
static u32 asking_edge(const Dfg *dfg, u32 access) {
  const DfgNode *node = dfg_node(dfg, access);
  const DfgResult *address = &dfg->results[node->first_result + node->nresults - 1];
  return address->nedges ? address->first_edge : MAP_NONE;
}

static u32 delay_of(const CycleInput *in, u32 edge) {
  return in->delay && edge != MAP_NONE ? in->delay[edge] : 0;
}

/* False where an edge is on no cycle: from an argument, to the return, into a memory (the way goes
 * on at what the memory gives). */
static bool make_arc(const CycleInput *in, u32 e, CycleArc *arc) {
  const Dfg *dfg = in->dfg;
  const DfgEdge *edge = &dfg->edges[e];
  u32 from = dfg_from(dfg, e), ask = MAP_NONE, latency = delay_of(in, e);
  const DfgNode *source = dfg_node(dfg, from), *target = dfg_node(dfg, edge->to);
  if (in->cluster_of[edge->to] == MAP_NONE) return false;
  u32 to = in->cluster_of[edge->to];
  if (is_memory(source)) {
    latency += in->memory_latency[source->memory];
    from = cycles_access(dfg, source, edge->result);
    if (from == DFG_NONE) return false;
    ask = asking_edge(dfg, from);
    latency += delay_of(in, ask);
  } else if (source->fire == FIRE_LOAD && edge->result != source->first_result) {
    return false; /* the address: see asking_edge */
  }
  if (in->cluster_of[from] == MAP_NONE) return false;
  bool answers = source->fire == FIRE_LOAD;
  u32 tail = in->cluster_of[from];
  if (tail == to && from != edge->to) return false; /* inside a unit */
  latency += in->latency[tail];
  if (target->fire == FIRE_LOAD && edge->operand == 1) to = answer_vertex(in, to);
  *arc = (CycleArc){.from = answers ? answer_vertex(in, tail) : tail,
                    .to = to,
                    .latency = latency,
                    .tokens = tokens_of(dfg, edge),
                    .edge = e,
                    .access = ask};
  return true;
}

/* Strongly connected parts (Tarjan, with a stack of its own: graphs may be deep). */
static void find_parts(CycleGraph *g) {
  Arena *scratch = arena_new();
  u32 n = g->nvertices, nstack = 0, ncalls = 0, clock = 0, nparts = 0;
  u32 *low = NEW_ARRAY(scratch, u32, n), *number = NEW_ARRAY(scratch, u32, n);
  u32 *stack = NEW_ARRAY(scratch, u32, n), *calls = NEW_ARRAY(scratch, u32, n);
  u32 *next = NEW_ARRAY(scratch, u32, n);
  for (u32 v = 0; v < n; v++) g->part[v] = MAP_NONE;
  for (u32 root = 0; root < n; root++) {
    if (number[root]) continue;
    calls[ncalls++] = root;
    number[root] = low[root] = ++clock;
    stack[nstack++] = root;
    next[root] = g->first[root];
    while (ncalls) {
      u32 v = calls[ncalls - 1];
      if (next[v] < g->first[v + 1]) {
        u32 w = g->arcs[next[v]++].to;
        if (!number[w]) {
          number[w] = low[w] = ++clock;
          stack[nstack++] = w;
          next[w] = g->first[w];
          calls[ncalls++] = w;
        } else if (g->part[w] == MAP_NONE && number[w] < low[v]) {
          low[v] = number[w];
        }
        continue;
      }
      ncalls--;
      if (ncalls && low[v] < low[calls[ncalls - 1]]) low[calls[ncalls - 1]] = low[v];
      if (low[v] != number[v]) continue;
      u32 w;
      do g->part[w = stack[--nstack]] = nparts;
      while (w != v);
      nparts++;
    }
  }
  arena_free(scratch);
}

CycleGraph *cycles_new(const CycleInput *in) {
  Arena *arena = arena_new();
  CycleGraph *g = NEW(arena, CycleGraph);
  g->arena = arena;
  g->nvertices = 2 * in->nclusters;
  g->first = NEW_ARRAY(arena, u32, g->nvertices + (size_t)1);
  g->part = NEW_ARRAY(arena, u32, g->nvertices);
  g->arcs = NEW_ARRAY(arena, CycleArc, in->dfg->nedges);
  g->removed = NEW_ARRAY(arena, bool, in->dfg->nedges);
  CycleArc arc;
  for (u32 e = 0; e < in->dfg->nedges; e++)
    if (make_arc(in, e, &arc)) g->first[arc.from]++;
  for (u32 v = 0; v < g->nvertices; v++) g->first[v + 1] += g->first[v];
  g->narcs = g->first[g->nvertices];
  for (u32 e = in->dfg->nedges; e-- > 0;)
    if (make_arc(in, e, &arc)) g->arcs[--g->first[arc.from]] = arc;
  find_parts(g);
  return g;
}

void cycles_free(CycleGraph *graph) {
  if (graph) arena_free(graph->arena);
}

/* ---- the worst cycle ------------------------------------------------------------------------- */

typedef struct {
  CycleGraph *g;
  i64 latency, tokens; /* the ratio to be beaten */
  i64 *distance;       /* by vertex: the heaviest way to it that has been found */
  u32 *by;             /* by vertex: the arc that it came by, or MAP_NONE */
  u32 *seen;           /* by vertex: mark of a walk back */
  u32 mark;
  u32 *order; /* arcs inside parts, the only ones that matter */
  u32 norder;
} Search;

static i64 weight(const Search *s, const CycleArc *arc) {
  return (i64)arc->latency * s->tokens - s->latency * (i64)arc->tokens;
}

/* The cycle that one comes to walking back from `v` along `by`; 0 where the walk ends. */
static u32 walk_back(Search *s, u32 v, u32 *out) {
  u32 start = ++s->mark;
  while (s->seen[v] != start) {
    s->seen[v] = start;
    if (s->by[v] == MAP_NONE) return 0;
    v = s->g->arcs[s->by[v]].from;
  }
  u32 n = 0, at = v;
  do {
    out[n++] = s->by[at];
    at = s->g->arcs[s->by[at]].from;
  } while (at != v);
  for (u32 i = 0; i < n / 2; i++) { /* from last to first, so far */
    u32 t = out[i];
    out[i] = out[n - 1 - i];
    out[n - 1 - i] = t;
  }
  return n;
}

/* A cycle of positive weight, 0 where there is none. */
static u32 positive_cycle(Search *s, u32 *out) {
  CycleGraph *g = s->g;
  for (u32 v = 0; v < g->nvertices; v++) {
    s->distance[v] = 0;
    s->by[v] = MAP_NONE;
  }
  for (u32 round = 0; round <= g->nvertices; round++) {
    u32 changed = MAP_NONE;
    for (u32 i = 0; i < s->norder; i++) {
      const CycleArc *arc = &g->arcs[s->order[i]];
      i64 there = s->distance[arc->from] + weight(s, arc);
      if (there <= s->distance[arc->to]) continue;
      s->distance[arc->to] = there;
      s->by[arc->to] = s->order[i];
      changed = arc->to;
    }
    if (changed == MAP_NONE) return 0;
    /* A cycle among `by` is one of positive weight; looking for it now and then is cheap. */
    if (round >= g->nvertices || (round & (round - 1)) == 0) {
      u32 n = walk_back(s, changed, out);
      if (n) return n;
    }
  }
  return 0;
}

static void add_up(const CycleGraph *g, const u32 *arcs, u32 n, u32 *latency, u32 *tokens) {
  *latency = *tokens = 0;
  for (u32 i = 0; i < n; i++) {
    *latency += g->arcs[arcs[i]].latency;
    *tokens += g->arcs[arcs[i]].tokens;
  }
}

/* Arcs that a search for any cycle may go by. */
typedef enum { ANY_ARC, NO_TOKENS, NO_LATENCY } Kept;

static bool is_kept(const CycleGraph *g, u32 a, Kept kept) {
  const CycleArc *arc = &g->arcs[a];
  if (g->removed[a] || g->part[arc->from] != g->part[arc->to]) return false;
  return kept == NO_TOKENS ? !arc->tokens : kept == NO_LATENCY ? !arc->latency : true;
}

/* Depth first from `root`; the way to where it stands is `way`. */
typedef struct {
  u32 *next, *way;
  u8 *state; /* by vertex; 1: on the way, 2: done */
} Depth;

static u32 cycle_from(const CycleGraph *g, Depth *d, u32 root, Kept kept, u32 *out) {
  u32 depth = 0, v = root;
  d->state[v] = 1;
  d->next[v] = g->first[v];
  for (;;) {
    if (d->next[v] == g->first[v + 1]) {
      d->state[v] = 2;
      if (!depth) return 0;
      v = g->arcs[d->way[--depth]].from;
      continue;
    }
    u32 a = d->next[v]++, to = g->arcs[a].to;
    if (!is_kept(g, a, kept) || d->state[to] == 2) continue;
    d->way[depth++] = a;
    if (d->state[to] == 1) {
      u32 begin = depth - 1, n = 0;
      while (g->arcs[d->way[begin]].from != to) begin--;
      for (u32 i = begin; i < depth; i++) out[n++] = d->way[i];
      return n;
    }
    v = to;
    d->state[v] = 1;
    d->next[v] = g->first[v];
  }
}

static u32 any_cycle(const CycleGraph *g, Kept kept, u32 *out) {
  Arena *scratch = arena_new();
  Depth d = {NEW_ARRAY(scratch, u32, g->nvertices),
             NEW_ARRAY(scratch, u32, g->nvertices + (size_t)1),
             NEW_ARRAY(scratch, u8, g->nvertices)};
  u32 n = 0;
  for (u32 root = 0; root < g->nvertices && !n; root++)
    if (!d.state[root]) n = cycle_from(g, &d, root, kept, out);
  arena_free(scratch);
  return n;
}

u32 cycles_of_wires(const CycleGraph *g, u32 *out) {
  return any_cycle(g, NO_LATENCY, out);
}

u32 cycles_worst(CycleGraph *g, u32 *out, u32 *latency, u32 *tokens) {
  Arena *scratch = arena_new();
  Search s = {.g = g,
              .distance = NEW_ARRAY(scratch, i64, g->nvertices),
              .by = NEW_ARRAY(scratch, u32, g->nvertices),
              .seen = NEW_ARRAY(scratch, u32, g->nvertices),
              .order = NEW_ARRAY(scratch, u32, g->narcs)};
  for (u32 a = 0; a < g->narcs; a++)
    if (!g->removed[a] && g->part[g->arcs[a].from] == g->part[g->arcs[a].to])
      s.order[s.norder++] = a;
  u32 n = any_cycle(g, NO_TOKENS, out);
  if (!n) n = any_cycle(g, ANY_ARC, out);
  u32 better = n;
  add_up(g, out, n, latency, tokens);
  u32 *other = NEW_ARRAY(scratch, u32, g->nvertices);
  while (better && *tokens) {
    s.latency = *latency;
    s.tokens = *tokens;
    better = positive_cycle(&s, other);
    if (!better) break;
    n = better;
    memcpy(out, other, n * sizeof *out);
    add_up(g, out, n, latency, tokens);
  }
  arena_free(scratch);
  return n;
}

void cycles_remove(CycleGraph *g, const u32 *arcs, u32 n) {
  bool any = false;
  for (u32 i = 0; i < n; i++) any |= g->arcs[arcs[i]].tokens > 0;
  for (u32 i = 0; i < n; i++)
    if (!any || g->arcs[arcs[i]].tokens) g->removed[arcs[i]] = true;
}

/* ---- how long hardware takes ----------------------------------------------------------------- */

u32 mapping_unit_latency(const AdgBody *body) {
  return body->latency < 0 ? 1 : (u32)body->latency;
}

u32 mapping_least_latency(const Dfg *dfg, const Adg *adg, u32 memory) {
  u32 least = UINT32_MAX;
  for (u32 h = 0; h < adg->nmemories; h++)
    if (adg->memories[h].latency < least && mapping_memory_fits(dfg, adg, memory, h))
      least = adg->memories[h].latency;
  return least < UINT32_MAX ? least : adg_usual_latency(dfg->memories[memory].arg != DFG_NONE);
}

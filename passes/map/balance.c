/* balance.c -- which FIFOs on the routes hold tokens, of those that can be passed by.
 *
 *     x -+---- mul (3 cycles) ----> add       the token of the lower way is there at once, and
 * waits
 *        +-----------[ ]----------> add       in add's operand latch for 3 cycles; x cannot go on
 *
 * An operand has room for one token. Where two ways from one result meet again, the next token has
 * no room on the quick way until the slow one's has come, so the slow way, however well it is
 * pipelined, is never full. A FIFO on the quick way makes room. It takes a cycle, too; so it is
 * switched on only where that is seen by nobody, and this is known of one case:
 *
 *     the quick way is one edge, from a result to an operand; the slow way is made of units that
 *     take one token from each operand and give one to each result; all its latencies together are
 *     longer than the edge's with the FIFOs on it
 *
 * Then the operand of the slow way comes later each time, whatever else holds it up, and no unit
 * fires later than it did without. (Where ways share a port by turns, as memories' ports are
 * shared, a token that comes sooner may still be another's loss.) A FIFO has two places at least:
 * one of one place takes a token every other cycle only. What is shared under tags is passed by
 * always, see graph.c.
 *
 * Cost: results of several edges times edges.
 */
#include "map/cycles.h"
#include "map/stages.h"

typedef struct {
  Mapping *m;
  const RatioGraph *graph;
  u32 *slack;      /* by edge: cycles that it may be delayed still */
  u32 *wanted;     /* by edge: tokens that should find room on its way, still */
  u32 *first;      /* by component, of a FIFO: edges through it, in `edges` */
  u32 *edges;      /* DFG */
  bool *passes_on; /* by vertex: one token from each operand, one to each result */
  bool *takes_all; /* by vertex: one token from each operand */
  u32 *order;      /* vertices that pass on, each behind those that feed it */
  u32 norder;
  u32 *latest; /* by vertex: the longest way from a result; 0: none */
  Arena *arena;
} Balance;

static bool can_hold(const Mapping *m, u32 component) {
  const AdgComponent *c = &m->adg->components[component];
  return c->kind == ADG_FIFO && m->adg->fifos[c->detail].bypassable &&
         m->adg->fifos[c->detail].depth > 1 && !m->adg->ports[c->first_port].is_tagged;
}

/* A load is two vertices, which ask and answer, each once a turn. */
static void find_kinds(Balance *b) {
  const Mapping *m = b->m;
  u32 n = m->cover->nclusters;
  for (u32 c = 0; c < n; c++) {
    const MapCluster *cluster = &m->cover->clusters[c];
    bool all = true, on = true;
    for (u32 i = 0; i < cluster->nnodes; i++) {
      u8 fire = dfg_node(m->dfg, m->cover->nodes[cluster->first_node + i])->fire;
      bool is_one = fire == FIRE_PURE || fire == FIRE_CONSTANT || fire == FIRE_JOIN ||
                    fire == FIRE_LOAD || fire == FIRE_STORE;
      all = all && (is_one || fire == FIRE_COND_BR);
      on = on && is_one;
    }
    b->takes_all[c] = b->takes_all[n + c] = all;
    b->passes_on[c] = b->passes_on[n + c] = on;
  }
}

/* Vertices whose operands all come from outside a loop of their own. */
static void find_order(Balance *b) {
  const RatioGraph *g = b->graph;
  u32 *waits = NEW_ARRAY(b->arena, u32, g->nvertices + (size_t)1);
  for (u32 a = 0; a < g->narcs; a++)
    waits[g->arcs[a].to] += !g->arcs[a].tokens && b->passes_on[g->arcs[a].from];
  for (u32 v = 0; v < g->nvertices; v++)
    if (!waits[v]) b->order[b->norder++] = v;
  for (u32 i = 0; i < b->norder; i++) {
    u32 v = b->order[i];
    if (!b->passes_on[v]) continue;
    for (u32 a = g->first[v]; a < g->first[v + 1]; a++)
      if (!g->arcs[a].tokens && --waits[g->arcs[a].to] == 0) b->order[b->norder++] = g->arcs[a].to;
  }
}

/* The slack of the edges of a result that `from` emits: how much later the slowest other way ends
 * where they do. */
static void find_slack(Balance *b, u32 from, const DfgResult *result) {
  const RatioGraph *g = b->graph;
  u32 first = result->first_edge, last = first + result->nedges;
  memset(b->latest, 0, g->nvertices * sizeof *b->latest);
  for (u32 a = g->first[from]; a < g->first[from + 1]; a++) {
    const RatioArc *arc = &g->arcs[a];
    if (arc->what < first || arc->what >= last || arc->tokens) continue;
    if ((u32)arc->latency + 1 > b->latest[arc->to]) b->latest[arc->to] = arc->latency + 1;
  }
  for (u32 i = 0; i < b->norder; i++) {
    u32 v = b->order[i];
    if (!b->latest[v] || !b->passes_on[v]) continue;
    for (u32 a = g->first[v]; a < g->first[v + 1]; a++) {
      const RatioArc *arc = &g->arcs[a];
      u32 comes = b->latest[v] + (u32)arc->latency;
      if (!arc->tokens && comes > b->latest[arc->to]) b->latest[arc->to] = comes;
    }
  }
  for (u32 a = g->first[from]; a < g->first[from + 1]; a++) {
    const RatioArc *arc = &g->arcs[a];
    if (arc->what < first || arc->what >= last || arc->tokens ||
        cycles_asking(b->m->dfg, arc->what) != MAP_NONE)
      continue;
    if (b->takes_all[arc->to])
      b->slack[arc->what] = b->wanted[arc->what] = b->latest[arc->to] - (u32)arc->latency - 1;
  }
}

static void find_all_slack(Balance *b) {
  const Dfg *dfg = b->m->dfg;
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    const DfgNode *node = dfg_node(dfg, result->node);
    u32 cluster = b->m->cover->cluster_of[result->node];
    if (result->nedges < 2 || cluster == MAP_NONE) continue;
    find_slack(b, node->fire == FIRE_LOAD ? b->m->cover->nclusters + cluster : cluster, result);
  }
}

/* The edges through each FIFO that could hold: counted, then listed. */
static void find_edges(Balance *b) {
  const Mapping *m = b->m;
  u32 n = 0;
  for (u32 pass = 0; pass < 2; pass++) {
    for (u32 e = m->dfg->nedges; e-- > 0;)
      for (u32 k = 1; k + 1 < m->routes[e].nsteps; k += 2) {
        u32 component = m->adg->ports[m->steps[m->routes[e].first_step + k]].component;
        if (!can_hold(m, component)) continue;
        if (pass)
          b->edges[--b->first[component]] = e;
        else
          b->first[component]++;
      }
    if (pass) break;
    for (u32 c = 0; c <= m->adg->ncomponents; c++) n += b->first[c], b->first[c] = n;
    b->edges = NEW_ARRAY(b->arena, u32, n + (size_t)1);
  }
}

/* A FIFO is switched on, if that helps an edge and harms none. */
static void consider(Balance *b, u32 component) {
  const Mapping *m = b->m;
  u32 depth = (u32)m->adg->fifos[m->adg->components[component].detail].depth, wanted = 0;
  for (u32 i = b->first[component]; i < b->first[component + 1]; i++) {
    if (!b->slack[b->edges[i]]) return;
    if (b->wanted[b->edges[i]] > wanted) wanted = b->wanted[b->edges[i]];
  }
  if (!wanted) return;
  b->m->holds[component] = true;
  for (u32 i = b->first[component]; i < b->first[component + 1]; i++) {
    u32 edge = b->edges[i];
    b->slack[edge]--;
    b->wanted[edge] -= depth < b->wanted[edge] ? depth : b->wanted[edge];
  }
}

void mapping_balance(Mapping *m) {
  RatioGraph *g = mapping_cycles(m);
  Balance b = {.m = m, .graph = g, .arena = arena_new()};
  size_t nedges = m->dfg->nedges + (size_t)1, nvertices = g->nvertices + (size_t)1;
  m->holds = NEW_ARRAY(m->arena, bool, m->adg->ncomponents + (size_t)1);
  b.slack = NEW_ARRAY(b.arena, u32, nedges);
  b.wanted = NEW_ARRAY(b.arena, u32, nedges);
  b.first = NEW_ARRAY(b.arena, u32, m->adg->ncomponents + (size_t)2);
  b.passes_on = NEW_ARRAY(b.arena, bool, nvertices);
  b.takes_all = NEW_ARRAY(b.arena, bool, nvertices);
  b.order = NEW_ARRAY(b.arena, u32, nvertices);
  b.latest = NEW_ARRAY(b.arena, u32, nvertices);
  find_kinds(&b);
  find_order(&b);
  find_all_slack(&b);
  find_edges(&b);
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    const MapRoute *route = &m->routes[e];
    for (u32 k = 1; b.wanted[e] && k + 1 < route->nsteps; k += 2) {
      u32 component = m->adg->ports[m->steps[route->first_step + k]].component;
      if (can_hold(m, component) && !m->holds[component]) consider(&b, component);
    }
  }
  ratio_free(g);
  arena_free(b.arena);
}

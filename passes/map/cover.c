/* cover.c -- every node into exactly one cluster.
 *
 *     %m = arith.muli %a, %b      one cluster {m, s} where there is a mac to spare,
 *     %s = arith.addi %m, %c      else two, {m} and {s}
 *
 * match.c lists what could be a cluster; this file chooses. A cover by single nodes always exists
 * where every node has a unit of its own, and is where choosing begins. Then:
 *
 *   1. Nodes without a unit of their own (a multiplication where there are only macs) must be in a
 *      larger cluster. They take the largest that is still free.
 *   2. All other clusters of several nodes are tried, the largest first, among equals those at the
 *      end of the graph first: chains are eaten from their end, and of a chain of 2n additions by
 *      units of two nothing is left over. One is taken where its nodes are free and the PEs do not
 *      become scarcer by it: the flow of supply.h says whether more clusters are without a PE than
 *      before. So scarce units are spared, and a mac is not used up where an adder would do.
 *   3. A mac of three cycles in a sum that needs but one cycle of addition makes every iteration
 *      of its loop longer. Where the worst recurrence of a loop (recurrences.h) is worse than with
 *      single nodes, the clusters on it are taken apart again, if there are PEs for the parts,
 *      until it is not: of each loop, as a slow one around it does not make up for it.
 *   4. A cluster gives its results together, when all its operands are there. What hands on an order
 *      token is not put with what others wait for and needs no such token: a compare would wait
 *      for a memory.
 *
 * Fewest clusters is a covering problem and hard in general; this is a greedy answer to it. It is
 * deterministic, and costs a flow step for each candidate and a few searches for recurrences. */
#include "map/cycles.h"
#include "map/hints.h"
#include "map/match.h"
#include "map/recurrences.h"
#include "map/stages.h"
#include "map/supply.h"

#include "ir/ir.h"

typedef struct {
  Context *ctx;
  const Dfg *dfg;
  const Adg *adg;
  const MapCandidates *candidates;
  const MapCover *all; /* the candidates */
  MapSupply *supply;
  bool *chosen;              /* by candidate */
  u32 *in;                   /* by DFG node: its candidate, or MAP_NONE */
  const MapOptions *options; /* whose pins count; or NULL */
  bool *is_stuck;            /* by candidate: not to be taken (again) */
  bool *is_ordered;          /* by DFG node: its control tokens have waited for a memory */
} CoverChoice;

/* The candidate that is a node alone; MAP_NONE: no unit is just that. */
static u32 single(const CoverChoice *c, u32 v) {
  u32 k = c->candidates->first_of[v];
  return k < c->candidates->first_of[v + 1] && c->all->clusters[k].nnodes == 1 ? k : MAP_NONE;
}

static const u32 *nodes_of(const CoverChoice *c, u32 k) {
  return c->all->nodes + c->all->clusters[k].first_node;
}

static bool is_in(const CoverChoice *c, u32 k, u32 v) {
  bool in = false;
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) in |= nodes_of(c, k)[i] == v;
  return in;
}

static void put_in(CoverChoice *c, u32 k) {
  c->chosen[k] = true;
  supply_take(c->supply, k);
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) c->in[nodes_of(c, k)[i]] = k;
}

static void take_out(CoverChoice *c, u32 k) {
  c->chosen[k] = false;
  supply_give(c->supply, k);
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) c->in[nodes_of(c, k)[i]] = MAP_NONE;
}

/* ---- larger clusters ------------------------------------------------------------------------- */

static bool pe_can_be(const CoverChoice *c, u32 k, u32 pe) {
  const AdgPe *p = &c->adg->pes[pe];
  const MapCluster *cluster = &c->all->clusters[k];
  for (u32 f = p->first_fu; f < p->first_fu + p->nfus; f++)
    for (u32 w = cluster->first_match; w < cluster->first_match + cluster->nmatches; w++)
      if (c->all->matches[w].body == c->adg->fus[f].body &&
          mapping_hosts(c->dfg, c->adg, c->all, &c->all->matches[w], pe))
        return true;
  return false;
}

/* Of a candidate's nodes, as the fabric's text has them: all in one unit, that does no more and can
 * be it; in several; or not all in any. */
typedef enum { TEXT_SAYS_NOTHING, TEXT_SAYS_TOGETHER, TEXT_SAYS_APART } TextSays;

static TextSays text_says(const CoverChoice *c, u32 k) {
  const MapHints *text = c->options ? c->options->text : NULL;
  const MapCluster *cluster = &c->all->clusters[k];
  u32 unit = MAP_NONE, known = 0;
  for (u32 i = 0; text && i < cluster->nnodes; i++) {
    u32 of = text->units[nodes_of(c, k)[i]];
    if (of == MAP_NONE) continue;
    if (known++ && of != unit) return TEXT_SAYS_APART;
    unit = of;
  }
  if (!known || known < cluster->nnodes || text->unit_nodes[unit] != known)
    return TEXT_SAYS_NOTHING;
  for (u32 w = cluster->first_match; w < cluster->first_match + cluster->nmatches; w++)
    if (c->all->matches[w].body == text->unit_body[unit]) return TEXT_SAYS_TOGETHER;
  return TEXT_SAYS_NOTHING;
}

/* Nodes that the user wants on different PEs do not go together, nor do any where the PE that is
 * wanted has no unit for all. */
static bool pins_allow(const CoverChoice *c, u32 k) {
  u32 pe = MAP_NONE;
  for (u32 p = 0; c->options && p < c->options->npins; p++) {
    const MapPin *pin = &c->options->pins[p];
    bool is_in = false;
    for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) is_in |= nodes_of(c, k)[i] == pin->node;
    if (!is_in) continue;
    if ((pe != MAP_NONE && pe != pin->pe) || !pe_can_be(c, k, pin->pe)) return false;
    pe = pin->pe;
  }
  return true;
}

/* All its nodes are alone, or in none. */
static bool is_free(const CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) {
    u32 in = c->in[nodes_of(c, k)[i]];
    if (in != MAP_NONE && c->all->clusters[in].nnodes > 1) return false;
  }
  return pins_allow(c, k) && text_says(c, k) != TEXT_SAYS_APART;
}

static void join_up(CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) {
    u32 in = c->in[nodes_of(c, k)[i]];
    if (in != MAP_NONE) take_out(c, in);
  }
  put_in(c, k);
}

/* Into single nodes again. */
static void take_apart(CoverChoice *c, u32 k) {
  take_out(c, k);
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++) {
    u32 alone = single(c, nodes_of(c, k)[i]);
    if (alone != MAP_NONE) put_in(c, alone);
  }
}

static bool can_come_apart(const CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++)
    if (single(c, nodes_of(c, k)[i]) == MAP_NONE) return false;
  return true;
}

/* True where node v is made of what node `of` gives, inside of the cluster. */
static bool is_behind(const CoverChoice *c, u32 k, u32 v, u32 of) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 i = 0; i < node->noperands; i++) {
    u32 from = dfg_from(c->dfg, dfg_operand(c->dfg, v, i));
    if (is_in(c, k, from) && (from == of || is_behind(c, k, from, of))) return true;
  }
  return false;
}

/* Marks the nodes whose control tokens have waited for a memory, which are those of its order; what
 * only repeats the start token is no such node. */
static void find_ordered(const CoverChoice *c) {
  const Dfg *dfg = c->dfg;
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 e = 0; e < dfg->nedges; e++) {
      const DfgResult *result = &dfg->results[dfg->edges[e].result];
      const DfgNode *from = dfg_node(dfg, result->node);
      u32 to = dfg->edges[e].to;
      if (c->is_ordered[to] || dfg->types[result->type].kind != TYPE_NONE) continue;
      c->is_ordered[to] = dfg_is_memory(from) || c->is_ordered[result->node];
      changed |= c->is_ordered[to];
    }
  }
}

/* Takes an order token from elsewhere. */
static bool takes_token(const CoverChoice *c, u32 k, u32 v) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 i = 0; i < node->noperands && c->is_ordered[v]; i++) {
    u32 e = dfg_operand(c->dfg, v, i);
    const DfgResult *result = &c->dfg->results[c->dfg->edges[e].result];
    if (!is_in(c, k, result->node) && c->dfg->types[result->type].kind == TYPE_NONE) return true;
  }
  return false;
}

static bool gives_away(const CoverChoice *c, u32 k, u32 v) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
    const DfgResult *result = &c->dfg->results[r];
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++)
      if (!is_in(c, k, c->dfg->edges[e].to)) return true;
  }
  return false;
}

/* A carry with a branch. It is wires, so it lengthens nothing, and what either gives has waited for
 * the carry's first value before. */
static bool is_loop_end(const CoverChoice *c, u32 k) {
  bool has_carry = false;
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++)
    has_carry |= dfg_node(c->dfg, nodes_of(c, k)[i])->fire == FIRE_CARRY;
  return has_carry && c->all->clusters[k].nnodes > 1;
}

/* What a node gives to others would wait for an order token that it has nothing to do with. */
static bool delays_others(const CoverChoice *c, u32 k) {
  if (is_loop_end(c, k)) return false;
  for (u32 i = 0; i < c->all->clusters[k].nnodes; i++)
    for (u32 j = 0; j < c->all->clusters[k].nnodes; j++) {
      u32 v = nodes_of(c, k)[i], other = nodes_of(c, k)[j];
      if (v != other && gives_away(c, k, v) && takes_token(c, k, other) &&
          !is_behind(c, k, v, other))
        return true;
    }
  return false;
}

/* Candidates of several nodes: the largest first, then those that end last in the graph. */
static u32 *by_size(const CoverChoice *c, u32 *n) {
  u32 nall = c->all->nclusters, *order = mem_alloc(mem_size(nall + (size_t)1, sizeof *order));
  u32 *last = mem_alloc(mem_size(c->dfg->nnodes + (size_t)1, sizeof *last));
  u32 *of = last; /* by place in Dfg.order, from its end: the node */
  *n = 0;
  for (u32 i = 0; i < c->dfg->nnodes; i++) of[i] = c->dfg->order[c->dfg->nnodes - 1 - i];
  for (u32 size = MATCH_MAX_NODES; size > 1; size--)
    for (u32 i = 0; i < c->dfg->nnodes; i++)
      for (u32 k = c->candidates->first_of[of[i]]; k < c->candidates->first_of[of[i] + 1]; k++)
        if (c->all->clusters[k].nnodes == size) order[(*n)++] = k;
  mem_free(last);
  return order;
}

/* What is together in the fabric's text stays so. */
static void join_as_text_says(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (!is_free(c, order[i]) || text_says(c, order[i]) != TEXT_SAYS_TOGETHER) continue;
    join_up(c, order[i]);
    c->is_stuck[order[i]] = true;
  }
}

static void join_needy(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    bool helps = false;
    for (u32 j = 0; j < c->all->clusters[order[i]].nnodes; j++)
      helps |= c->in[nodes_of(c, order[i])[j]] == MAP_NONE;
    if (helps && is_free(c, order[i])) join_up(c, order[i]);
  }
}

static void join_others(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    u32 k = order[i], unmet = c->supply->unmet;
    if (!is_free(c, k) || !can_come_apart(c, k)) continue;
    join_up(c, k);
    bool is_worth = c->supply->unmet < unmet || !delays_others(c, k);
    if (c->supply->unmet > unmet || !is_worth) take_apart(c, k);
  }
}

/* ---- recurrences ----------------------------------------------------------------------------- */

/* The quickest match of a candidate. */
static u32 latency_of(const CoverChoice *c, u32 k) {
  const MapCluster *cluster = &c->all->clusters[k];
  u32 least = UINT32_MAX;
  for (u32 w = 0; w < cluster->nmatches; w++) {
    u32 latency =
        mapping_unit_latency(&c->adg->bodies[c->all->matches[cluster->first_match + w].body]);
    if (latency < least) least = latency;
  }
  return least;
}

/* The clusters as they are, or, where `alone`, single nodes. */
static CycleInput input_of(const CoverChoice *c, bool alone, Arena *scratch) {
  u32 n = c->all->nclusters;
  u32 *cluster_of = NEW_ARRAY(scratch, u32, c->dfg->nnodes);
  u32 *latencies = NEW_ARRAY(scratch, u32, n);
  CycleMemory *memory = NEW_ARRAY(scratch, CycleMemory, c->dfg->nmemories);
  for (u32 v = 0; v < c->dfg->nnodes; v++) {
    u32 k = alone ? single(c, v) : MAP_NONE;
    cluster_of[v] = k == MAP_NONE ? c->in[v] : k;
  }
  for (u32 k = 0; k < n; k++) latencies[k] = latency_of(c, k);
  for (u32 i = 0; i < c->dfg->nmemories; i++)
    memory[i] = mapping_best_memory_time(c->dfg, c->adg, i);
  return (CycleInput){c->dfg, cluster_of, n, latencies, NULL, memory};
}

/* The recurrences of the cover as it is, or of single nodes. */
typedef struct {
  RatioGraph *graph;
  Recurrence *all;
  u32 n;
  Arena *arena;
} Recurrences;

static Recurrences recurrences_of(const CoverChoice *c, const Rates *rates, bool alone) {
  Recurrences r = {.arena = arena_new()};
  CycleInput in = input_of(c, alone, r.arena);
  r.graph = cycles_new(&in);
  r.n = recurrences_find(c->dfg, rates, r.graph, r.arena, &r.all);
  return r;
}

static void recurrences_free(Recurrences *r) {
  ratio_free(r->graph);
  arena_free(r->arena);
}

/* Cycles once round, and tokens. */
typedef struct {
  u64 latency, tokens;
} Pace;

static bool is_longer(const Recurrence *r, const Pace *than) {
  return r->latency * than->tokens > than->latency * r->tokens;
}

/* Takes apart the clusters on a recurrence, but for those whose parts want PEs that are not
 * there. */
static bool spare(CoverChoice *c, const Recurrences *r, const Recurrence *recurrence) {
  bool changed = false;
  for (u32 i = 0; i < recurrence->narcs; i++) {
    u32 k = r->graph->arcs[recurrence->arcs[i]].from % c->all->nclusters;
    u32 unmet = c->supply->unmet;
    if (!c->chosen[k] || c->all->clusters[k].nnodes == 1 || c->is_stuck[k] || is_loop_end(c, k) ||
        !can_come_apart(c, k))
      continue;
    take_apart(c, k);
    changed = true;
    if (c->supply->unmet > unmet) join_up(c, k), c->is_stuck[k] = true;
  }
  return changed;
}

/* Takes apart what makes the recurrences of any loop longer than they must be: a loop goes as fast
 * as its own, whatever the slowest of the graph is. */
static void spare_recurrences(CoverChoice *c) {
  Rates *rates = rates_find(c->dfg);
  Pace *best = mem_alloc(mem_size(rates->nloops + (size_t)1, sizeof *best)); /* the last: of none */
  for (u32 i = 0; i <= rates->nloops; i++) best[i] = (Pace){1, 1};
  Recurrences alone = recurrences_of(c, rates, true);
  for (u32 i = alone.n; i-- > 0;) {
    u32 loop = alone.all[i].loop < rates->nloops ? alone.all[i].loop : rates->nloops;
    if (is_longer(&alone.all[i], &best[loop]))
      best[loop] = (Pace){alone.all[i].latency, alone.all[i].tokens};
  }
  recurrences_free(&alone);
  for (bool changed = true; changed;) {
    changed = false;
    Recurrences now = recurrences_of(c, rates, false);
    for (u32 i = 0; i < now.n; i++) {
      u32 loop = now.all[i].loop < rates->nloops ? now.all[i].loop : rates->nloops;
      if (is_longer(&now.all[i], &best[loop])) changed |= spare(c, &now, &now.all[i]);
    }
    recurrences_free(&now);
  }
  mem_free(best);
  rates_free(rates);
}

/* The loop end on a cycle of wires that becomes a carry and a branch again: one that takes what
 * comes round as its next value, which is the outer of two loops, or any. MAP_NONE: there is
 * none. */
static u32 end_to_break(const CoverChoice *c, const RatioGraph *g, const u32 *arcs, u32 n) {
  u32 any = MAP_NONE;
  for (u32 i = 0; i < n; i++) {
    const DfgEdge *edge = &c->dfg->edges[g->arcs[arcs[i]].what];
    u32 k = c->in[edge->to];
    if (!is_loop_end(c, k) || !can_come_apart(c, k)) continue;
    if (cycles_is_next(c->dfg, c->in, edge)) return k;
    any = k;
  }
  return any;
}

/* Where ends of loops hand a value round with nothing between them (what an inner loop ends with is
 * the next value of the outer one), there would be no register on the way. */
static void break_wires(CoverChoice *c) {
  u32 end = 0;
  while (end != MAP_NONE) {
    Arena *scratch = arena_new();
    CycleInput in = input_of(c, false, scratch);
    RatioGraph *g = cycles_new(&in);
    u32 *arcs = NEW_ARRAY(scratch, u32, g->nvertices + (size_t)1), n = ratio_of_wires(g, arcs);
    end = end_to_break(c, g, arcs, n);
    if (end != MAP_NONE) take_apart(c, end);
    ratio_free(g);
    arena_free(scratch);
  }
}

/* The interval that a node's own unit allows; of those that it could have the shortest. */
static u32 least_interval(const CoverChoice *c, u32 k) {
  const MapCluster *cluster = &c->all->clusters[k];
  u32 least = UINT32_MAX;
  for (u32 w = 0; w < cluster->nmatches; w++) {
    u32 interval = c->adg->bodies[c->all->matches[cluster->first_match + w].body].interval;
    if (interval < least) least = interval;
  }
  return least;
}

/* The bound if every node had the quickest unit of its own, whatever PEs there are. */
static u32 bound_apart(const CoverChoice *c) {
  Arena *scratch = arena_new();
  CycleInput in = input_of(c, true, scratch);
  u32 ii = mapping_bound(&in);
  for (u32 v = 0; v < c->dfg->nnodes; v++) {
    u32 interval = in.cluster_of[v] == MAP_NONE ? 1 : least_interval(c, in.cluster_of[v]);
    if (interval > ii) ii = interval;
  }
  arena_free(scratch);
  return ii;
}

/* ---- writing the choice down ----------------------------------------------------------------- */

static u32 *append(u32 *to, u32 *len, const u32 *from, u32 n) {
  if (n) memcpy(to + *len, from, n * sizeof *to);
  *len += n;
  return to;
}

/* The chosen candidates, and nothing else of the matches. */
static MapCover *write_cover(const CoverChoice *c) {
  const MapCover *all = &c->candidates->all;
  Arena *arena = arena_new();
  MapCover *cover = NEW(arena, MapCover);
  u32 nnodes = 0, nbody_nodes = 0, nchoices = 0, nargs = 0, nresults = 0;
  for (u32 k = 0; k < all->nclusters; k++) {
    if (!c->chosen[k]) continue;
    cover->nclusters++;
    nnodes += all->clusters[k].nnodes;
    for (u32 w = 0; w < all->clusters[k].nmatches; w++) {
      const AdgBody *body = &c->adg->bodies[all->matches[all->clusters[k].first_match + w].body];
      cover->nmatches++;
      nbody_nodes += all->clusters[k].nnodes;
      nchoices += body->nmuxes;
      nargs += body->nargs;
      nresults += body->nresults;
    }
  }
  cover->arena = arena;
  cover->clusters = NEW_ARRAY(arena, MapCluster, cover->nclusters);
  cover->matches = NEW_ARRAY(arena, MapMatch, cover->nmatches);
  cover->nodes = NEW_ARRAY(arena, u32, nnodes);
  cover->body_nodes = NEW_ARRAY(arena, u32, nbody_nodes);
  cover->choices = NEW_ARRAY(arena, MapChoice, nchoices);
  cover->args = NEW_ARRAY(arena, u32, nargs);
  cover->results = NEW_ARRAY(arena, u32, nresults);
  cover->cluster_of = NEW_ARRAY(arena, u32, c->dfg->nnodes);
  for (u32 v = 0; v < c->dfg->nnodes; v++) cover->cluster_of[v] = MAP_NONE;
  u32 nclusters = 0, nmatches = 0;
  nnodes = nbody_nodes = nchoices = nargs = nresults = 0;
  for (u32 k = 0; k < all->nclusters; k++) {
    if (!c->chosen[k]) continue;
    const MapCluster *from = &all->clusters[k];
    MapCluster *to = &cover->clusters[nclusters];
    *to = (MapCluster){nnodes, from->nnodes, nmatches, from->nmatches};
    for (u32 i = 0; i < from->nnodes; i++)
      cover->cluster_of[all->nodes[from->first_node + i]] = nclusters;
    nclusters++;
    append(cover->nodes, &nnodes, all->nodes + from->first_node, from->nnodes);
    for (u32 w = 0; w < from->nmatches; w++) {
      const MapMatch *match = &all->matches[from->first_match + w];
      const AdgBody *body = &c->adg->bodies[match->body];
      cover->matches[nmatches++] = (MapMatch){match->body, nchoices, nbody_nodes, nargs, nresults};
      append(cover->body_nodes, &nbody_nodes, all->body_nodes + match->first_node, from->nnodes);
      append(cover->args, &nargs, all->args + match->first_arg, body->nargs);
      append(cover->results, &nresults, all->results + match->first_result, body->nresults);
      for (u32 i = 0; i < body->nmuxes; i++)
        cover->choices[nchoices++] = all->choices[match->first_choice + i];
    }
  }
  return cover;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* False after MAP_NO_UNIT where nodes are in no cluster. */
static bool covers_all(const CoverChoice *c) {
  Vec(u32) missing = {0};
  for (u32 v = 0; v < c->dfg->nnodes; v++)
    if (match_wants_unit(dfg_node(c->dfg, v)) && c->in[v] == MAP_NONE) vec_push(&missing, v);
  bool all = missing.len == 0;
  if (!all) explain_missing_unit(c->ctx, c->dfg, c->adg, missing.at, (u32)missing.len);
  vec_free(&missing);
  return all;
}

static void choose(CoverChoice *c) {
  u32 n, *order = by_size(c, &n);
  for (u32 v = 0; v < c->dfg->nnodes; v++)
    if (single(c, v) != MAP_NONE) put_in(c, single(c, v));
  join_as_text_says(c, order, n);
  join_needy(c, order, n);
  join_others(c, order, n);
  if (n) spare_recurrences(c);
  if (n) break_wires(c);
  mem_free(order);
}

MapCover *mapping_cover(Context *ctx, const Dfg *dfg, const Adg *adg, const MapOptions *options) {
  MapCandidates *candidates = candidates_find(dfg, adg);
  Arena *arena = arena_new();
  CoverChoice c = {.ctx = ctx,
                   .dfg = dfg,
                   .adg = adg,
                   .candidates = candidates,
                   .all = &candidates->all,
                   .options = options,
                   .supply = supply_new(dfg, adg, &candidates->all),
                   .chosen = NEW_ARRAY(arena, bool, candidates->all.nclusters),
                   .is_stuck = NEW_ARRAY(arena, bool, candidates->all.nclusters),
                   .is_ordered = NEW_ARRAY(arena, bool, dfg->nnodes),
                   .in = NEW_ARRAY(arena, u32, dfg->nnodes)};
  find_ordered(&c);
  for (u32 v = 0; v < dfg->nnodes; v++) c.in[v] = MAP_NONE;
  choose(&c);
  MapCover *cover = covers_all(&c) ? write_cover(&c) : NULL;
  if (cover) cover->apart = bound_apart(&c);
  supply_free(c.supply);
  arena_free(arena);
  candidates_free(candidates);
  return cover;
}

void mapping_cover_free(MapCover *cover) {
  if (cover) arena_free(cover->arena);
}

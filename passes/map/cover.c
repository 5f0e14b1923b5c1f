/* cover.c -- every node into exactly one cluster.
 *
 *     %m = arith.muli %a, %b      one cluster {m, s} where there is a mac to spare,
 *     %s = arith.addi %m, %c      else two, {m} and {s}
 *
 * match.c lists the candidates for clusters; this file chooses among them. It starts with clusters
 * of single nodes, of those that have a unit of their own. Then:
 *
 *   1. Nodes that one unit has in the fabric's text (hints.h) are joined.
 *   2. Nodes without a unit of their own (a multiplication where there are only macs) must be in a
 *      larger cluster. They take the largest that is still free.
 *   3. All other candidates of several nodes are tried, the largest first, among equals those at
 *      the end of the graph first: so units of two additions cover a chain of 2n with none left
 *      over. A candidate is taken if its nodes are free and the flow of supply.h leaves no more
 *      clusters without a PE than before. So a scarce mac is not used where an adder would do.
 *      And as a cluster gives no result before all its operands have come, it must not make a
 *      result wait for an order token that it does not need (a compare for a memory), unless
 *      more clusters get a PE by it.
 *   4. A mac of three cycles makes a loop slower whose recurrence needs one addition of a cycle.
 *      Where the worst recurrence of a loop (recurrences.h) is worse than with single nodes, the
 *      clusters on it are split again, if there are PEs for the parts. Each loop is checked, even
 *      if one around it is slower.
 *   5. A carry joined with its branch has no register; where such clusters form a combinational
 *      loop, one of them is split.
 *
 * A minimum cover is NP-hard in general; this is a deterministic greedy heuristic. Cost: a flow
 * step for each candidate, and a few searches for recurrences. */
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
  const MapCover *candidates; /* MapCandidates.all */
  const u32 *first_of;        /* MapCandidates.first_of */
  MapSupply *supply;
  bool *chosen;              /* by candidate */
  u32 *cluster_of;           /* by DFG node: the chosen candidate that it is in, or MAP_NONE */
  const MapOptions *options; /* for its pins and text; may be NULL */
  bool *is_fixed;            /* by candidate: not to be split to shorten a recurrence */
  bool *is_ordered;          /* by DFG node: its control tokens have waited for a memory */
} CoverChoice;

/* The candidate of a single node; MAP_NONE: no unit computes just that. */
static u32 single(const CoverChoice *c, u32 v) {
  u32 k = c->first_of[v];
  return k < c->first_of[v + 1] && c->candidates->clusters[k].nnodes == 1 ? k : MAP_NONE;
}

static const u32 *nodes_of(const CoverChoice *c, u32 k) {
  return c->candidates->nodes + c->candidates->clusters[k].first_node;
}

static bool is_in(const CoverChoice *c, u32 k, u32 v) {
  bool in = false;
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++) in |= nodes_of(c, k)[i] == v;
  return in;
}

static void choose_candidate(CoverChoice *c, u32 k) {
  c->chosen[k] = true;
  supply_take(c->supply, k);
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++) c->cluster_of[nodes_of(c, k)[i]] = k;
}

static void drop_candidate(CoverChoice *c, u32 k) {
  c->chosen[k] = false;
  supply_give(c->supply, k);
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++)
    c->cluster_of[nodes_of(c, k)[i]] = MAP_NONE;
}

/* ---- larger clusters ------------------------------------------------------------------------- */

static bool pe_can_be(const CoverChoice *c, u32 k, u32 pe) {
  const AdgPe *p = &c->adg->pes[pe];
  const MapCluster *cluster = &c->candidates->clusters[k];
  for (u32 f = p->first_fu; f < p->first_fu + p->nfus; f++)
    for (u32 w = cluster->first_match; w < cluster->first_match + cluster->nmatches; w++)
      if (c->candidates->matches[w].body == c->adg->fus[f].body &&
          mapping_hosts(c->dfg, c->adg, c->candidates, &c->candidates->matches[w], pe))
        return true;
  return false;
}

/* How the fabric's text configures a candidate's nodes: all in one unit that does nothing else and
 * can carry out the candidate; in several units; or otherwise. */
typedef enum { TEXT_OTHER, TEXT_TOGETHER, TEXT_APART } TextHint;

static TextHint text_hint(const CoverChoice *c, u32 k) {
  const MapHints *text = c->options ? c->options->text : NULL;
  const MapCluster *cluster = &c->candidates->clusters[k];
  u32 unit = MAP_NONE, known = 0;
  for (u32 i = 0; text && i < cluster->nnodes; i++) {
    u32 one = text->units[nodes_of(c, k)[i]];
    if (one == MAP_NONE) continue;
    if (known++ && one != unit) return TEXT_APART;
    unit = one;
  }
  if (!known || known < cluster->nnodes || text->text->units[unit].nops != known) return TEXT_OTHER;
  for (u32 w = cluster->first_match; w < cluster->first_match + cluster->nmatches; w++)
    if (c->candidates->matches[w].body == text->text->units[unit].body) return TEXT_TOGETHER;
  return TEXT_OTHER;
}

/* False where nodes are pinned to different PEs, or to a PE that has no unit for the candidate. */
static bool pins_allow(const CoverChoice *c, u32 k) {
  u32 pe = MAP_NONE;
  for (u32 p = 0; c->options && p < c->options->npins; p++) {
    const MapPin *pin = &c->options->pins[p];
    if (!is_in(c, k, pin->node)) continue;
    if ((pe != MAP_NONE && pe != pin->pe) || !pe_can_be(c, k, pin->pe)) return false;
    pe = pin->pe;
  }
  return true;
}

/* True where no node is in a larger cluster, and pins and the fabric's text allow the candidate. */
static bool is_free(const CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++) {
    u32 now = c->cluster_of[nodes_of(c, k)[i]];
    if (now != MAP_NONE && c->candidates->clusters[now].nnodes > 1) return false;
  }
  return pins_allow(c, k) && text_hint(c, k) != TEXT_APART;
}

/* Chooses a candidate in place of those that its nodes are in. */
static void join_nodes(CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++) {
    u32 now = c->cluster_of[nodes_of(c, k)[i]];
    if (now != MAP_NONE) drop_candidate(c, now);
  }
  choose_candidate(c, k);
}

/* Chooses the single nodes of a candidate in its place. */
static void split(CoverChoice *c, u32 k) {
  drop_candidate(c, k);
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++) {
    u32 alone = single(c, nodes_of(c, k)[i]);
    if (alone != MAP_NONE) choose_candidate(c, alone);
  }
}

static bool can_split(const CoverChoice *c, u32 k) {
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++)
    if (single(c, nodes_of(c, k)[i]) == MAP_NONE) return false;
  return true;
}

/* True where node v depends on node `other` inside the cluster. */
static bool depends_on(const CoverChoice *c, u32 k, u32 v, u32 other) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 i = 0; i < node->noperands; i++) {
    u32 from = dfg_from(c->dfg, dfg_operand(c->dfg, v, i));
    if (is_in(c, k, from) && (from == other || depends_on(c, k, from, other))) return true;
  }
  return false;
}

/* Marks the nodes that take a control token which has waited for a memory (an order token), rather
 * than only repeats the start token. */
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

/* True where node v takes an order token from outside the cluster. */
static bool takes_order_token(const CoverChoice *c, u32 k, u32 v) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 i = 0; i < node->noperands && c->is_ordered[v]; i++) {
    u32 e = dfg_operand(c->dfg, v, i);
    const DfgResult *result = &c->dfg->results[c->dfg->edges[e].result];
    if (!is_in(c, k, result->node) && c->dfg->types[result->type].kind == TYPE_NONE) return true;
  }
  return false;
}

/* True where a result of node v has a use outside the cluster. */
static bool has_outside_use(const CoverChoice *c, u32 k, u32 v) {
  const DfgNode *node = dfg_node(c->dfg, v);
  for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
    const DfgResult *result = &c->dfg->results[r];
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++)
      if (!is_in(c, k, c->dfg->edges[e].to)) return true;
  }
  return false;
}

/* True of a carry joined with its branch. The unit is combinational, so it adds no latency, and the
 * results of both have waited for the carry's first value anyway. */
static bool is_loop_end(const CoverChoice *c, u32 k) {
  bool has_carry = false;
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++)
    has_carry |= dfg_node(c->dfg, nodes_of(c, k)[i])->fire == FIRE_CARRY;
  return has_carry && c->candidates->clusters[k].nnodes > 1;
}

/* True where a result used outside would wait for an order token that it does not depend on. */
static bool delays_others(const CoverChoice *c, u32 k) {
  if (is_loop_end(c, k)) return false;
  for (u32 i = 0; i < c->candidates->clusters[k].nnodes; i++)
    for (u32 j = 0; j < c->candidates->clusters[k].nnodes; j++) {
      u32 v = nodes_of(c, k)[i], other = nodes_of(c, k)[j];
      if (v != other && has_outside_use(c, k, v) && takes_order_token(c, k, other) &&
          !depends_on(c, k, v, other))
        return true;
    }
  return false;
}

/* Candidates of several nodes: the largest first, then those that end last in the graph. */
static u32 *by_size(const CoverChoice *c, u32 *n) {
  u32 nall = c->candidates->nclusters,
      *order = mem_alloc(mem_size(nall + (size_t)1, sizeof *order));
  *n = 0;
  for (u32 size = MATCH_MAX_NODES; size > 1; size--)
    for (u32 i = c->dfg->nnodes; i-- > 0;) {
      u32 v = c->dfg->order[i];
      for (u32 k = c->first_of[v]; k < c->first_of[v + 1]; k++)
        if (c->candidates->clusters[k].nnodes == size) order[(*n)++] = k;
    }
  return order;
}

/* Joins nodes that the fabric's text has in one unit, for good. */
static void join_by_text(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (!is_free(c, order[i]) || text_hint(c, order[i]) != TEXT_TOGETHER) continue;
    join_nodes(c, order[i]);
    c->is_fixed[order[i]] = true;
  }
}

/* Joins nodes that have no unit of their own with others. */
static void join_uncovered(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    bool helps = false;
    for (u32 j = 0; j < c->candidates->clusters[order[i]].nnodes; j++)
      helps |= c->cluster_of[nodes_of(c, order[i])[j]] == MAP_NONE;
    if (helps && is_free(c, order[i])) join_nodes(c, order[i]);
  }
}

static void join_others(CoverChoice *c, const u32 *order, u32 n) {
  for (u32 i = 0; i < n; i++) {
    u32 k = order[i], unmet = c->supply->unmet;
    if (!is_free(c, k) || !can_split(c, k)) continue;
    join_nodes(c, k);
    bool is_worth_it = c->supply->unmet < unmet || !delays_others(c, k);
    if (c->supply->unmet > unmet || !is_worth_it) split(c, k);
  }
}

/* ---- recurrences ----------------------------------------------------------------------------- */

/* The input of cycles_new, for the chosen candidates or, if `alone`, single nodes. */
static CycleInput input_of(const CoverChoice *c, bool alone, Arena *scratch) {
  CycleInput in = cycles_unplaced(c->dfg, c->adg, c->candidates, false, scratch);
  u32 *cluster_of = NEW_ARRAY(scratch, u32, c->dfg->nnodes);
  for (u32 v = 0; v < c->dfg->nnodes; v++) {
    u32 k = alone ? single(c, v) : MAP_NONE;
    cluster_of[v] = k == MAP_NONE ? c->cluster_of[v] : k;
  }
  in.cluster_of = cluster_of;
  return in;
}

/* The recurrences with the chosen candidates, or with single nodes. */
static Recurrences recurrences_of(const CoverChoice *c, const Rates *rates, bool alone) {
  Arena *scratch = arena_new();
  CycleInput in = input_of(c, alone, scratch);
  Recurrences r = recurrences_find(&in, rates, false);
  arena_free(scratch);
  return r;
}

/* Of a recurrence: cycles once round, and tokens on it. */
typedef struct {
  u64 latency, tokens;
} Pace;

static bool is_longer(const Recurrence *r, const Pace *than) {
  return r->latency * than->tokens > than->latency * r->tokens;
}

/* Splits the clusters on a recurrence, except those whose parts there are no PEs for. True where it
 * has split one. */
static bool split_recurrence(CoverChoice *c, const Recurrences *r, const Recurrence *recurrence) {
  bool changed = false;
  for (u32 i = 0; i < recurrence->narcs; i++) {
    u32 k = r->graph->arcs[recurrence->arcs[i]].from % c->candidates->nclusters;
    u32 unmet = c->supply->unmet;
    if (!c->chosen[k] || c->candidates->clusters[k].nnodes == 1 || c->is_fixed[k] ||
        is_loop_end(c, k) || !can_split(c, k))
      continue;
    split(c, k);
    changed = true;
    if (c->supply->unmet > unmet) join_nodes(c, k), c->is_fixed[k] = true;
  }
  return changed;
}

/* Splits clusters that make the recurrences of any loop longer than with single nodes: a loop is as
 * fast as its own recurrences, whatever the slowest of the graph is. */
static void split_recurrences(CoverChoice *c) {
  Rates *rates = rates_find(c->dfg);
  /* By loop; the last is of recurrences that are in no loop that is known. */
  Pace *best = mem_alloc(mem_size(rates->nloops + (size_t)1, sizeof *best));
  for (u32 i = 0; i <= rates->nloops; i++) best[i] = (Pace){1, 1};
  Recurrences alone = recurrences_of(c, rates, true);
  for (u32 i = alone.n; i-- > 0;) {
    u32 loop = alone.list[i].loop < rates->nloops ? alone.list[i].loop : rates->nloops;
    if (is_longer(&alone.list[i], &best[loop]))
      best[loop] = (Pace){alone.list[i].latency, alone.list[i].tokens};
  }
  recurrences_free(&alone);
  for (bool changed = true; changed;) {
    changed = false;
    Recurrences now = recurrences_of(c, rates, false);
    for (u32 i = 0; i < now.n; i++) {
      u32 loop = now.list[i].loop < rates->nloops ? now.list[i].loop : rates->nloops;
      if (is_longer(&now.list[i], &best[loop])) changed |= split_recurrence(c, &now, &now.list[i]);
    }
    recurrences_free(&now);
  }
  mem_free(best);
  rates_free(rates);
}

/* The carry with its branch to split on a combinational loop: preferably one that takes the loop's
 * value as its next value, which is that of the outer of two loops. MAP_NONE: there is none. */
static u32 end_to_break(const CoverChoice *c, const RatioGraph *g, const u32 *arcs, u32 n) {
  u32 any = MAP_NONE;
  for (u32 i = 0; i < n; i++) {
    const DfgEdge *edge = &c->dfg->edges[g->arcs[arcs[i]].what];
    u32 k = c->cluster_of[edge->to];
    if (!is_loop_end(c, k) || !can_split(c, k)) continue;
    if (cycles_is_next(c->dfg, c->cluster_of, edge)) return k;
    any = k;
  }
  return any;
}

/* Splits carries from their branches where they form a combinational loop: for example, if the
 * final value of an inner loop is the next value of the outer one, with no register between. */
static void break_wires(CoverChoice *c) {
  u32 end = 0;
  while (end != MAP_NONE) {
    Arena *scratch = arena_new();
    CycleInput in = input_of(c, false, scratch);
    RatioGraph *g = cycles_new(&in);
    u32 *arcs = NEW_ARRAY(scratch, u32, g->nvertices + (size_t)1), n = ratio_of_wires(g, arcs);
    end = end_to_break(c, g, arcs, n);
    if (end != MAP_NONE) split(c, end);
    ratio_free(g);
    arena_free(scratch);
  }
}

/* The bound if every node had the quickest unit of its own, whatever PEs there are. */
static u32 bound_apart(const CoverChoice *c) {
  Arena *scratch = arena_new();
  CycleInput in = input_of(c, true, scratch);
  u32 ii = mapping_bound(&in);
  for (u32 v = 0; v < c->dfg->nnodes; v++) {
    u32 k = in.cluster_of[v];
    if (k == MAP_NONE) continue;
    u32 interval = mapping_least_of_units(c->adg, c->candidates, k, false, false);
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

/* Copies the chosen candidates, with their matches. */
static MapCover *write_cover(const CoverChoice *c) {
  const MapCover *all = c->candidates;
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
    if (match_wants_unit(dfg_node(c->dfg, v)) && c->cluster_of[v] == MAP_NONE)
      vec_push(&missing, v);
  bool covered = missing.len == 0;
  if (!covered) explain_missing_unit(c->ctx, c->dfg, c->adg, missing.at, (u32)missing.len);
  vec_free(&missing);
  return covered;
}

static void choose(CoverChoice *c) {
  u32 n, *order = by_size(c, &n);
  for (u32 v = 0; v < c->dfg->nnodes; v++)
    if (single(c, v) != MAP_NONE) choose_candidate(c, single(c, v));
  join_by_text(c, order, n);
  join_uncovered(c, order, n);
  join_others(c, order, n);
  if (n) split_recurrences(c);
  if (n) break_wires(c);
  mem_free(order);
}

MapCover *mapping_cover(Context *ctx, const Dfg *dfg, const Adg *adg, const MapOptions *options) {
  MapCandidates *candidates = candidates_find(dfg, adg);
  Arena *arena = arena_new();
  CoverChoice c = {.ctx = ctx,
                   .dfg = dfg,
                   .adg = adg,
                   .candidates = &candidates->all,
                   .first_of = candidates->first_of,
                   .options = options,
                   .supply = supply_new(dfg, adg, &candidates->all),
                   .chosen = NEW_ARRAY(arena, bool, candidates->all.nclusters),
                   .is_fixed = NEW_ARRAY(arena, bool, candidates->all.nclusters),
                   .is_ordered = NEW_ARRAY(arena, bool, dfg->nnodes),
                   .cluster_of = NEW_ARRAY(arena, u32, dfg->nnodes)};
  find_ordered(&c);
  for (u32 v = 0; v < dfg->nnodes; v++) c.cluster_of[v] = MAP_NONE;
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

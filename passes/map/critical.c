/* critical.c -- raises the weights of links on the slowest recurrences during annealing.
 *
 *     temperature 31: carry -> addf -> cond_br -> carry, 9 cycles      its links weigh 96 more
 *     temperature 32: carry -> select -> carry, 8 cycles               these do; the others decay
 *
 * Where hops take cycles, the initiation interval depends on the slowest recurrence rather than on
 * the length of all wires, and every move may change which one that is. So after each temperature
 * the recurrences are timed, with as many registers on a link as a shortest route has, and the
 * links of the slowest of each loop gain weight, while the weight that links have gained before
 * decays. These weights act as multipliers of a Lagrangian relaxation, found by subgradient steps:
 * links of recurrences that are equally slow end with weights that keep them so. (It is
 * timing-driven placement, as in VPR, with cycles in place of paths.)
 *
 * Cost: the worst cycle of each loop once a temperature (recurrences.h). */
#include "map/cycles.h"
#include "map/placer.h"
#include "map/recurrences.h"

/* GAIN: what a link on the slowest recurrence of one of the deepest loops gains in a temperature;
 * a loop nested one less deep counts an eighth of that, as an inner loop is taken to iterate eight
 * times as often (mapping_pace). 1 / DECAY of what was gained is lost in each temperature, so a
 * link comes to about GAIN * DECAY at most. */
enum { GAIN = 96, LOG2_INNER = 3, DECAY = 12 };

struct CriticalLinks {
  u32 *latency, *delay; /* of a CycleInput */
  CycleMemory *memories;
  Rates *rates;
};

static u32 latency_at(const MapSearch *s, u32 cluster) {
  return mapping_unit_latency(&s->adg->bodies[s->cover->matches[s->match_of[cluster]].body]);
}

static CycleMemory memory_at(const MapSearch *s, u32 memory) {
  static const CycleMemory none = {0};
  u32 at = s->place[s->first_memory + memory];
  return at == MAP_NONE ? none : mapping_memory_time(&s->adg->memories[at]);
}

void critical_new(Placer *p) {
  const MapSearch *s = p->s;
  CriticalLinks *c = p->critical = NEW(p->arena, CriticalLinks);
  c->latency = NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1);
  c->delay = NEW_ARRAY(p->arena, u32, s->dfg->nedges + (size_t)1);
  c->memories = NEW_ARRAY(p->arena, CycleMemory, s->dfg->nmemories + (size_t)1);
  c->rates = rates_find(s->dfg);
  p->slowness = NEW_ARRAY(p->arena, u32, s->dfg->nedges + (size_t)1);
}

/* The worst recurrence of each loop, with the latencies and routes of the current placement. */
static Recurrences slowest_now(const Placer *p) {
  const MapSearch *s = p->s;
  CriticalLinks *c = p->critical;
  for (u32 i = 0; i < p->nclusters; i++) c->latency[i] = latency_at(s, i);
  for (u32 m = 0; m < s->dfg->nmemories; m++) c->memories[m] = memory_at(s, m);
  for (u32 l = 0; l < p->nlinks; l++) {
    const NetLink *link = &p->links[l];
    size_t at = link_at(p, link, s->place[link->from], s->place[link->to]);
    c->delay[link->edge] = s->graph->delay[at];
  }
  CycleInput in = {.dfg = s->dfg,
                   .cluster_of = s->cover->cluster_of,
                   .nclusters = p->nclusters,
                   .latency = c->latency,
                   .delay = c->delay,
                   .memories = c->memories};
  return recurrences_find(&in, c->rates, true);
}

static void add_gain(Placer *p, const RatioGraph *g, const Recurrence *slowest, u32 gain) {
  const Dfg *dfg = p->s->dfg;
  for (u32 k = 0; k < slowest->narcs; k++) {
    u32 edge = g->arcs[slowest->arcs[k]].what, asking = cycles_asking(dfg, edge);
    p->slowness[edge] += gain;
    if (asking != MAP_NONE) p->slowness[asking] += gain;
  }
}

void critical_weigh(Placer *p) {
  if (!p->s->graph->delay) return;
  Recurrences slowest = slowest_now(p);
  u32 deepest = 0;
  for (u32 l = 0; l < p->nlinks; l++) {
    u32 *slowness = &p->slowness[p->links[l].edge];
    *slowness -= *slowness / DECAY;
  }
  for (u32 i = 0; i < slowest.n; i++)
    if (slowest.list[i].depth > deepest) deepest = slowest.list[i].depth;
  for (u32 i = 0; i < slowest.n; i++) {
    u32 outer = deepest - slowest.list[i].depth;
    if (outer * LOG2_INNER < 8)
      add_gain(p, slowest.graph, &slowest.list[i], GAIN >> outer * LOG2_INNER);
  }
  for (u32 l = 0; l < p->nlinks; l++) {
    NetLink *link = &p->links[l];
    link->weight = link->base_weight + p->slowness[link->edge];
  }
  recurrences_free(&slowest);
}

void critical_free(Placer *p) {
  rates_free(p->critical->rates);
}

/* firings.c -- how often temporal PEs must fire in an iteration. See firings.h. */
#include "map/firings.h"

#include "map/rates.h"
#include "map/stages.h"

static bool has_temporal(const Adg *adg) {
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (adg->pes[pe].is_temporal) return true;
  return false;
}

Firings firings_find(const Dfg *dfg, const MapCover *cover, const Adg *adg, Arena *arena) {
  Rates *rates = rates_find(dfg);
  Firings f = {.nloops = rates->nloops,
               .loop = NEW_ARRAY(arena, u32, cover->nclusters + (size_t)1),
               .fires = NEW_ARRAY(arena, u32, cover->nclusters + (size_t)1),
               .concurrent = has_temporal(adg) ? concurrent_find(dfg, rates, arena)
                                               : concurrent_none(rates->nloops, arena)};
  for (u32 c = 0; c < cover->nclusters; c++) {
    const MapCluster *cluster = &cover->clusters[c];
    f.loop[c] = MAP_NONE;
    f.fires[c] = 1;
    for (u32 i = 0; i < cluster->nnodes; i++) {
      u32 v = cover->nodes[cluster->first_node + i];
      if (rates->of_node[v] != MAP_NONE) f.loop[c] = rates->of_node[v];
      if (dfg_node(dfg, v)->fire == FIRE_LOAD) f.fires[c] = 2;
    }
  }
  rates_free(rates);
  return f;
}

/* A loop's entry in `by_loop`, or, if `concurrent`, the sum over the loops that run with it. */
static u32 sum_of(const Firings *f, const u32 *by_loop, u32 loop, bool concurrent) {
  const Digraph *with = &f->concurrent;
  u32 sum = 0;
  if (!concurrent) return by_loop[loop];
  for (u32 i = with->first[loop]; i < with->first[loop + 1]; i++) sum += by_loop[with->to[i]];
  return sum;
}

u32 firings_least(const Firings *f, const Adg *adg, u32 nclusters, bool concurrent) {
  u32 least = 1;
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (!adg->pes[pe].is_temporal) return 1;
  Arena *arena = arena_new();
  u32 *fires = NEW_ARRAY(arena, u32, f->nloops + (size_t)1);
  for (u32 c = 0; c < nclusters; c++)
    if (f->loop[c] != MAP_NONE) fires[f->loop[c]] += f->fires[c];
  for (u32 loop = 0; loop < f->nloops && adg->npes; loop++) {
    u32 n = (sum_of(f, fires, loop, concurrent) + adg->npes - 1) / adg->npes;
    if (n > least) least = n;
  }
  arena_free(arena);
  return least;
}

/* True of a cluster in a temporal PE that fires in each iteration of a loop. */
static bool takes_turns(const Mapping *m, const Firings *f, u32 cluster) {
  u32 pe = m->places[cluster].pe;
  return pe != MAP_NONE && f->loop[cluster] != MAP_NONE && m->adg->pes[pe].is_temporal;
}

/* Updates the busiest PE, and the bound of a loop (NULL: not wanted). */
static void note_busiest(BusiestPe *busiest, u32 *of_loop, u32 cycles, u32 pe, bool is_unit) {
  if (cycles > busiest->cycles) *busiest = (BusiestPe){cycles, pe, is_unit};
  if (of_loop && cycles > *of_loop) *of_loop = cycles;
}

BusiestPe firings_busiest(const Mapping *m, bool concurrent, u32 *of_loop) {
  const Adg *adg = m->adg;
  BusiestPe busiest = {0};
  u32 n = m->cover->nclusters;
  if (!has_temporal(adg)) return busiest;
  Arena *arena = arena_new();
  Firings f = firings_find(m->dfg, m->cover, adg, arena);
  u32 *of_pe = NEW_ARRAY(arena, u32, mem_size(adg->npes, f.nloops + (size_t)1)),
      *of_unit = NEW_ARRAY(arena, u32, mem_size(adg->nfus + (size_t)1, f.nloops + (size_t)1));
  for (u32 c = 0; c < n; c++) {
    const MapPlace *place = &m->places[c];
    if (!takes_turns(m, &f, c)) continue;
    u32 fu = adg->pes[place->pe].first_fu + place->opcode;
    of_pe[(size_t)place->pe * f.nloops + f.loop[c]] += f.fires[c];
    /* Each half of a load has an interval of its own, so the unit's counts once. */
    of_unit[(size_t)fu * f.nloops + f.loop[c]] += mapping_interval(m, c);
  }
  for (u32 c = 0; c < n; c++) {
    const MapPlace *place = &m->places[c];
    if (!takes_turns(m, &f, c)) continue;
    u32 fu = adg->pes[place->pe].first_fu + place->opcode;
    const u32 *pe_firings = &of_pe[(size_t)place->pe * f.nloops];
    const u32 *unit_cycles = &of_unit[(size_t)fu * f.nloops];
    u32 loop = f.loop[c], *of = of_loop ? &of_loop[loop] : NULL;
    note_busiest(&busiest, of, sum_of(&f, pe_firings, loop, concurrent), place->pe, false);
    note_busiest(&busiest, of, sum_of(&f, unit_cycles, loop, concurrent), place->pe, true);
  }
  arena_free(arena);
  return busiest;
}

/* firings.c -- how often temporal PEs must fire in an iteration. See firings.h. */
#include "map/firings.h"

#include "map/rates.h"
#include "map/stages.h"

Firings firings_find(const Dfg *dfg, const MapCover *cover, Arena *arena) {
  Rates *rates = rates_find(dfg);
  Firings f = {.nloops = rates->nloops,
               .loop = NEW_ARRAY(arena, u32, cover->nclusters + (size_t)1),
               .fires = NEW_ARRAY(arena, u32, cover->nclusters + (size_t)1)};
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

u32 firings_least(const Firings *f, const Adg *adg, u32 nclusters) {
  u32 least = 1;
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (!adg->pes[pe].is_temporal) return 1;
  for (u32 loop = 0; loop < f->nloops && adg->npes; loop++) {
    u32 n = 0;
    for (u32 c = 0; c < nclusters; c++)
      if (f->loop[c] == loop) n += f->fires[c];
    n = (n + adg->npes - 1) / adg->npes;
    if (n > least) least = n;
  }
  return least;
}

static bool has_temporal(const Adg *adg) {
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (adg->pes[pe].is_temporal) return true;
  return false;
}

/* Of PEs, or of their units, each loop by itself. */
static void add_firings(u32 *sum, u32 firings, u32 pe_of_sum, u32 *busiest, u32 *pe) {
  *sum += firings;
  if (*sum <= *busiest) return;
  *busiest = *sum;
  *pe = pe_of_sum;
}

u32 firings_busiest(const Mapping *m, u32 *pe) {
  const Adg *adg = m->adg;
  u32 busiest = 0, n = m->cover->nclusters;
  if (!has_temporal(adg)) return 0;
  Arena *arena = arena_new();
  Firings f = firings_find(m->dfg, m->cover, arena);
  u32 *of_pe = NEW_ARRAY(arena, u32, mem_size(adg->npes, f.nloops + (size_t)1)),
      *of_unit = NEW_ARRAY(arena, u32, mem_size(adg->nfus + (size_t)1, f.nloops + (size_t)1));
  for (u32 c = 0; c < n; c++) {
    const MapPlace *place = &m->places[c];
    if (place->pe == MAP_NONE || f.loop[c] == MAP_NONE || !adg->pes[place->pe].is_temporal)
      continue;
    u32 fu = adg->pes[place->pe].first_fu + place->opcode;
    add_firings(&of_pe[(size_t)place->pe * f.nloops + f.loop[c]], f.fires[c], place->pe, &busiest,
                pe);
    /* the halves of a load each rest by themselves */
    add_firings(&of_unit[(size_t)fu * f.nloops + f.loop[c]], mapping_interval(m, c), place->pe,
                &busiest, pe);
  }
  arena_free(arena);
  return busiest;
}

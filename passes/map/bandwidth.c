/* bandwidth.c -- how often an iteration can begin by what memories take.
 *
 *     for i: b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3]      4 loads of a: every 4 cycles
 *
 * The load lanes of a memory of the fabric share a channel, which takes one request a cycle, and so do
 * its store lanes. So a loop that asks it n times in each iteration begins one in n cycles at best.
 * That is the bound by resources of modulo scheduling (ResMII) with a request for an operation and a
 * channel for a resource. Only what is asked once in each iteration counts (rates.h), each loop by
 * itself, and no loop whose iterations may be spared a part.
 *
 * Cost: loops of the graph times its ports of memories. */
#include "map/stages.h"

#include "map/rates.h"

/* By what channels are told apart: the memory of the fabric, or, before one is chosen, of the graph. */
static u32 resource_of(const Mapping *m, u32 memory, bool with_places) {
  return with_places ? m->binding.memories[memory].memory : memory;
}

/* Requests of one kind to a memory of the graph in an iteration. */
static u32 requests(const Mapping *m, const Rates *rates, u32 loop, u32 memory, bool is_store) {
  const DfgMemory *dm = &m->dfg->memories[memory];
  u32 done = dfg_node(m->dfg, dm->node)->first_result + dm->nloads, n = 0;
  u32 first = is_store ? 0 : dm->nstores, end = is_store ? dm->nstores : dm->nstores + dm->nloads;
  for (u32 p = first; p < end; p++) n += rates->of_result[done + p] == loop;
  return n;
}

static MapBandwidth of_channel(const Mapping *m, const Rates *rates, u32 loop, u32 resource,
                               bool is_store, bool with_places) {
  MapBandwidth b = {0, resource, rates->loops[loop].node, is_store};
  for (u32 i = 0; i < m->dfg->nmemories; i++)
    if (resource_of(m, i, with_places) == resource)
      b.requests += requests(m, rates, loop, i, is_store);
  return b;
}

MapBandwidth mapping_bandwidth(const Mapping *m, bool with_places) {
  MapBandwidth worst = {0};
  u32 nresources = with_places ? m->adg->nmemories : m->dfg->nmemories;
  Rates *rates = rates_find(m->dfg);
  for (u32 loop = 0; loop < rates->nloops; loop++) {
    if (!rates->loops[loop].is_known || rates->loops[loop].is_conditional) continue;
    for (u32 r = 0; r < 2 * nresources; r++) {
      MapBandwidth one = of_channel(m, rates, loop, r / 2, r % 2, with_places);
      if (one.requests > worst.requests) worst = one;
    }
  }
  rates_free(rates);
  return worst;
}

/* bandwidth.c -- the bound on the initiation interval that the ports of memories set.
 *
 *     for i: b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3]      4 loads of a: every 4 cycles
 *
 * The load lanes of a memory of the fabric share a channel, which takes one request a cycle, and so
 * do its store lanes; a memory with several channels divides its lanes among them. A memory of N
 * banks has N ports, which count as channels here: it takes up to N requests in a cycle, and fewer
 * where addresses meet in a bank, which is not known in advance. So a loop with n requests to a
 * channel in each iteration starts an iteration every n cycles at best. This is the resource bound
 * of modulo scheduling (ResMII: Rau, Iterative Modulo Scheduling, 1994), with requests as
 * operations and channels as resources. Only requests that occur once in each iteration count
 * (rates.h). Each loop is bounded by itself; loops with conditions, which may skip requests, are
 * left out.
 *
 * Cost: loops times channels of the fabric times the graph's memory ports, at most. */
#include "map/rates.h"
#include "map/search.h"
#include "map/stages.h"

/* Requests of one kind to a memory of the graph in an iteration: those by lanes of `channel`, or
 * all (MAP_NONE). */
static u32 requests(const Mapping *m, const Rates *rates, u32 loop, u32 memory, bool is_store,
                    u32 channel) {
  const DfgMemory *dm = &m->dfg->memories[memory];
  const MapMemory *placed = &m->binding.memories[memory];
  u32 done = dfg_node(m->dfg, dm->node)->first_result + dm->nloads, n = 0;
  u32 first = is_store ? 0 : dm->nstores, end = is_store ? dm->nstores : dm->nstores + dm->nloads;
  for (u32 p = first; p < end; p++) {
    u32 lane = m->binding.lanes[dm->first_port + p];
    n += rates->of_result[done + p] == loop &&
         (channel == MAP_NONE ||
          adg_lane_channel(&m->adg->memories[placed->memory], lane) == channel);
  }
  return n;
}

/* The channel of the fabric that gets the most requests in an iteration. */
static MapBandwidth busiest_channel(const Mapping *m, const Rates *rates, u32 loop, bool is_store) {
  MapBandwidth worst = {0};
  for (u32 k = 0; k < m->adg->nmemories; k++)
    for (u32 channel = 0; channel < m->adg->memories[k].channels; channel++) {
      MapBandwidth b = {0, k, rates->loops[loop].node, is_store};
      for (u32 i = 0; i < m->dfg->nmemories; i++)
        if (m->binding.memories[i].memory == k)
          b.requests += requests(m, rates, loop, i, is_store, channel);
      if (b.requests > worst.requests) worst = b;
    }
  return worst;
}

/* The memory of the graph whose requests take the most cycles before it has a place: it is taken to
 * have as many channels as any memory of the fabric. */
static MapBandwidth busiest_memory(const Mapping *m, const Rates *rates, u32 loop, bool is_store) {
  MapBandwidth worst = {0};
  u32 channels = adg_most_channels(m->adg);
  for (u32 i = 0; i < m->dfg->nmemories; i++) {
    u32 total = requests(m, rates, loop, i, is_store, MAP_NONE);
    MapBandwidth b = {(total + channels - 1) / channels, i, rates->loops[loop].node, is_store};
    if (b.requests > worst.requests) worst = b;
  }
  return worst;
}

bool mapping_meets_in_banks(const Mapping *m, const Rates *rates, u32 loop) {
  bool meets = false;
  for (u32 k = 0; k < m->adg->nmemories; k++)
    for (u32 kind = 0; kind < 2 && m->adg->memories[k].banks > 1; kind++) {
      u32 n = 0;
      for (u32 i = 0; i < m->dfg->nmemories; i++)
        if (m->binding.memories[i].memory == k) n += requests(m, rates, loop, i, kind, MAP_NONE);
      meets |= n > 1;
    }
  return meets;
}

MapBandwidth mapping_bandwidth(const Mapping *m, bool with_places) {
  MapBandwidth worst = {0};
  Rates *rates = rates_find(m->dfg);
  for (u32 loop = 0; loop < rates->nloops; loop++) {
    if (!rates->loops[loop].is_known || rates->loops[loop].is_conditional) continue;
    for (u32 kind = 0; kind < 2; kind++) {
      MapBandwidth one = with_places ? busiest_channel(m, rates, loop, kind)
                                     : busiest_memory(m, rates, loop, kind);
      if (one.requests > worst.requests) worst = one;
    }
  }
  rates_free(rates);
  return worst;
}

/* ---- before memories are placed -------------------------------------------------------------- */

MemoryRequests requests_find(const Dfg *dfg, const Rates *rates, Arena *arena) {
  MemoryRequests r = {
      .nloops = rates->nloops,
      .counts = NEW_ARRAY(arena, u32, mem_size(2 * (size_t)rates->nloops + 1, dfg->nmemories)),
      .interval = NEW_ARRAY(arena, u32, rates->nloops + (size_t)1)};
  for (u32 loop = 0; loop < rates->nloops; loop++) {
    r.interval[loop] = 1;
    if (!rates->loops[loop].is_known || rates->loops[loop].is_conditional) continue;
    for (u32 i = 0; i < dfg->nmemories; i++) {
      const DfgMemory *memory = &dfg->memories[i];
      u32 done = dfg_node(dfg, memory->node)->first_result + memory->nloads;
      for (u32 p = 0; p < dfg_memory_ports(memory); p++)
        if (rates->of_result[done + p] == loop)
          r.counts[(2 * loop + (p < memory->nstores)) * dfg->nmemories + i]++;
    }
  }
  return r;
}

/* tags.c -- assigns regions and lanes of memories, instructions of temporal PEs and their tags, and
 * registers, for a given placement.
 *
 *     memory of 4 lanes, 2 regions      region 0   tags 0, 1    a: loads 0 and 1, store 0
 *                                       region 1   tag 2        b: load 2
 *
 * A memory of the graph gets a region, and in it as many lanes as it has loads or stores, whichever
 * are more: its load i and store i share the lane start + i, as loads and stores have ports of
 * their own. If the fabric's memory has several channels, each port gets the nearest lane instead,
 * so that the requests of a loop are spread evenly over the channels; a memory of the graph that
 * has one of the fabric to itself may use all of its lanes. Memories with stores come first, so
 * that a fabric's memory may have fewer store lanes than load lanes; if they do not fit so, they
 * are sorted by due dates (due_of). The storage of memories on the fabric is divided, too: a region
 * starts where the one before ends, rounded up to a multiple of its element size. A memory of
 * unknown size comes last.
 *
 * Registers of a temporal PE are assigned in the order of nets.
 *
 * Instructions of a temporal PE have the tags 0, 1, ... Without a map_tag in front of PEs that may
 * not do: a token reaches all of its consumers with the same tag, which must be theirs. Then
 * instructions of different PEs that take one result get one tag (MapSearch.tags_follow).
 *
 * The router chooses the tags on routes (route.c), and map_tag and add_tag are configured to them.
 *
 * Cost: of memories, ports times lanes; of tags, at worst the square of the clusters for each tag.
 */
#include "map/search.h"

#include "map/rates.h"

#include <stdlib.h>

/* The first order in which memories get regions: those with stores first; on the fabric, those of
 * unknown size last. */
static u32 rank_of(const DfgMemory *m, const AdgMemory *hw) {
  return (m->is_dynamic && !hw->is_external ? 2 : 0) + (m->nstores ? 0 : 1);
}

/* The second order: by the number below which the last lane of a memory must be, so that its loads
 * and stores have lanes; on the fabric, those of unknown size last. In the order of due dates
 * (Jackson's rule) all fit if they fit in any order. */
static u32 due_of(const DfgMemory *m, const AdgMemory *hw) {
  u32 loads = m->nloads ? hw->nloads - m->nloads : UINT16_MAX;
  u32 stores = m->nstores ? hw->nstores - m->nstores : UINT16_MAX;
  u32 latest = loads < stores ? loads : stores;
  return (rank_of(m, hw) & 2) << 30 | (latest + dfg_memory_lanes(m));
}

/* Gives memories regions in the order of the lower halves of `order`; false where they do not fit.
 */
static bool regions_in_order(const MapSearch *s, u32 adg_memory, const u32 *memories,
                             const u64 *order, u32 n, MapMemory *out) {
  const AdgMemory *hw = &s->adg->memories[adg_memory];
  u32 lane = 0;
  u64 bytes = 0, room = adg_memory_bytes(hw);
  for (u32 region = 0; region < n; region++) {
    const DfgMemory *m = &s->dfg->memories[memories[(u32)order[region]]];
    u32 element_log2 = adg_size_log2(s->dfg->types[m->elem].bits), lanes = dfg_memory_lanes(m);
    if (n == 1 && hw->channels > 1) lanes = hw->nloads > hw->nstores ? hw->nloads : hw->nstores;
    if (m->nloads && lane + m->nloads > hw->nloads) return false;
    if (m->nstores && lane + m->nstores > hw->nstores) return false;
    u64 offset = 0, elements = m->elements ? m->elements : 1; /* no two start at one offset */
    if (!hw->is_external) {
      if (!m->is_dynamic && elements > room >> element_log2) return false;
      offset = (bytes + ((u64)1 << element_log2) - 1) >> element_log2 << element_log2;
      bytes = m->is_dynamic ? room + 1 : offset + (elements << element_log2);
      if (offset > room || (!m->is_dynamic && bytes > room)) return false;
      if (offset > UINT32_MAX) return false;
    }
    if (out)
      out[(u32)order[region]] = (MapMemory){adg_memory, region, lane, lane + lanes, (u32)offset};
    lane += lanes;
  }
  return true;
}

bool tags_regions(const MapSearch *s, u32 adg_memory, const u32 *memories, u32 n, MapMemory *out) {
  const AdgMemory *hw = &s->adg->memories[adg_memory];
  bool is_tagged = false, fits = false;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++)
    for (u32 i = 0; i < adg_family_ports(hw, f); i++)
      is_tagged |= s->adg->ports[hw->ports[f] + i].is_tagged;
  if (n > hw->nregions || (n > 1 && !is_tagged && hw->channels == 1)) return false;
  for (u32 i = 0; i < n; i++)
    if (!mapping_memory_fits(s->dfg, s->adg, memories[i], adg_memory)) return false;
  u64 few[32], *order = FEW_OR_ALLOC(few, (size_t)n); /* keys << 32 | memories */
  for (u32 by_due = 0; by_due < 2 && !fits; by_due++) {
    for (u32 i = 0; i < n; i++)
      order[i] = (u64)(by_due ? due_of : rank_of)(&s->dfg->memories[memories[i]], hw) << 32 | i;
    qsort(order, n, sizeof *order, compare_u64);
    fits = regions_in_order(s, adg_memory, memories, order, n, out);
  }
  few_free(few, order);
  return fits;
}

/* The distance from the unit of a load or store to a lane, and back. For a load, family 0 is the
 * load address as a sink and the load data as a source; for a store, family 2 is the store data and
 * the store done. */
static u32 lane_distance(const MapSearch *s, const DfgMemory *m, u32 port, u32 adg_memory,
                         u32 lane) {
  const RouteGraph *g = s->graph;
  u32 node = s->dfg->ports[m->first_port + port], family = port < m->nstores ? 2 : 0;
  u32 cluster = node == DFG_NONE ? MAP_NONE : s->cover->cluster_of[node];
  if (cluster == MAP_NONE) return 0;
  u32 channel = lane % g->nchannels, unit = s->place[cluster];
  u32 lane_terminal = graph_memory_terminal(g, adg_memory, family, channel);
  return (u32)g->distance[(size_t)unit * g->nsinks + lane_terminal] +
         g->distance[(size_t)lane_terminal * g->nsinks + unit];
}

/* Gives each of `n` ports of a memory of the graph, loads or stores, a lane: one whose channel has
 * the fewest requests of the same loop, and of those the nearest. With one channel all are equal,
 * and the lanes are taken in turn. */
static void spread(MapSearch *s, const Rates *rates, const DfgMemory *m, bool loads, u32 first,
                   u32 n, const MapMemory *at) {
  const AdgMemory *hw = &s->adg->memories[at->memory];
  const u32 *loop = rates->of_result + dfg_node(s->dfg, m->node)->first_result + m->nloads;
  u32 *lanes = s->mapping->binding.lanes + m->first_port;
  u32 limit = loads ? hw->nloads : hw->nstores;
  u32 end = at->end < limit ? at->end : limit;
  for (u32 j = first; j < first + n; j++) {
    u32 nearest = MAP_NONE, least[2] = {UINT32_MAX, UINT32_MAX};
    for (u32 lane = at->start; lane < end; lane++) {
      u32 sharing = 0,
          distance = s->graph->nchannels == 1 ? 0 : lane_distance(s, m, j, at->memory, lane);
      bool is_free = true;
      for (u32 k = first; k < j; k++) {
        is_free &= lanes[k] != lane;
        sharing +=
            loop[k] == loop[j] && adg_lane_channel(hw, lanes[k]) == adg_lane_channel(hw, lane);
      }
      if (hw->channels == 1) sharing = 0;
      if (!is_free || sharing > least[0] || (sharing == least[0] && distance >= least[1])) continue;
      nearest = lane, least[0] = sharing, least[1] = distance;
    }
    lanes[j] = nearest;
  }
}

static void assign_memories(MapSearch *s) {
  const Dfg *dfg = s->dfg;
  MapBinding *binding = &s->mapping->binding;
  u32 *list = mem_alloc(mem_size(dfg->nmemories + (size_t)1, sizeof *list));
  MapMemory *regions = mem_alloc(mem_size(dfg->nmemories + (size_t)1, sizeof *regions));
  Rates *rates = rates_find(dfg);
  for (u32 m = 0; m < dfg->nmemories; m++) binding->memories[m] = (MapMemory){.memory = MAP_NONE};
  for (u32 k = 0; k < s->adg->nmemories; k++) {
    u32 n = 0;
    for (u32 m = 0; m < dfg->nmemories; m++)
      if (s->place[s->first_memory + m] == k) list[n++] = m;
    if (n && !tags_regions(s, k, list, n, regions)) loom_bug("a memory's lanes do not fit");
    for (u32 i = 0; i < n; i++) {
      const DfgMemory *m = &dfg->memories[list[i]];
      binding->memories[list[i]] = regions[i];
      spread(s, rates, m, false, 0, m->nstores, &regions[i]);
      spread(s, rates, m, true, m->nstores, m->nloads, &regions[i]);
    }
  }
  rates_free(rates);
  mem_free(regions);
  mem_free(list);
}

/* ---- the tags of instructions ---------------------------------------------------------------- */

/* Classes of clusters whose instructions get one tag, as lists known by their first cluster. */
typedef struct {
  u32 *first, *next, *last; /* by cluster */
  u32 *fixed;               /* by first cluster: the tag that it must have, MAP_NONE: any */
  u32 *tag;                 /* by first cluster; MAP_NONE: none yet */
} TagClasses;

static bool is_temporal(const MapSearch *s, u32 cluster) {
  return pe_at(s->graph, s->place[cluster])->is_temporal;
}

/* True where one tag can serve both classes: no two of their instructions are in one PE. */
static bool can_join(const MapSearch *s, const TagClasses *c, u32 a, u32 b) {
  if (c->fixed[a] != MAP_NONE && c->fixed[b] != MAP_NONE && c->fixed[a] != c->fixed[b])
    return false;
  for (u32 i = a; i != MAP_NONE; i = c->next[i])
    for (u32 k = b; k != MAP_NONE; k = c->next[k])
      if (s->place[i] == s->place[k]) return false;
  return true;
}

static void join(const MapSearch *s, TagClasses *c, u32 a, u32 b) {
  a = c->first[a], b = c->first[b];
  if (a == b || !can_join(s, c, a, b)) return;
  c->next[c->last[a]] = b;
  c->last[a] = c->last[b];
  if (c->fixed[b] != MAP_NONE) c->fixed[a] = c->fixed[b];
  for (u32 i = b; i != MAP_NONE; i = c->next[i]) c->first[i] = a;
}

/* Joins the classes of the consumers of each net. Tokens from a tagged memory have their lane's
 * tag. */
static void join_consumers(MapSearch *s, TagClasses *c) {
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    u32 earlier = MAP_NONE, fixed = MAP_NONE;
    if (net->source.kind == END_MEMORY) {
      const AdgMemory *m = &s->adg->memories[s->place[net->source.block]];
      if (s->adg->ports[adg_lane_port(m, net->source.family, 0)].is_tagged)
        fixed = s->mapping->binding.lanes[net->source.port];
    }
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
      const NetEnd *sink = &s->sinks[k];
      if (sink->kind != END_PE || !is_temporal(s, sink->block)) continue;
      u32 *tag = &c->fixed[c->first[sink->block]];
      if (*tag == MAP_NONE) *tag = fixed;
      if (earlier != MAP_NONE) join(s, c, earlier, sink->block);
      earlier = sink->block;
    }
  }
}

/* True where a class can have a tag: it fits the ports of its PEs, and no other instruction there
 * has it. */
static bool can_have_tag(const MapSearch *s, const TagClasses *c, u32 list, u32 tag) {
  for (u32 i = list; i != MAP_NONE; i = c->next[i]) {
    const AdgComponent *pe = &s->adg->components[pe_at(s->graph, s->place[i])->component];
    if (tag >> s->adg->ports[pe->first_port].tag_width) return false;
  }
  for (u32 other = 0; other < s->cover->nclusters; other++) {
    if (!is_temporal(s, other) || c->first[other] == list || c->tag[c->first[other]] != tag)
      continue;
    for (u32 i = list; i != MAP_NONE; i = c->next[i])
      if (s->place[i] == s->place[other]) return false;
  }
  return true;
}

/* Gives each class the lowest tag that it can have; first those with a fixed tag. False where there
 * are too few tags. */
static bool give_tags(const MapSearch *s, TagClasses *c) {
  for (u32 pass = 0; pass < 2; pass++)
    for (u32 i = 0; i < s->cover->nclusters; i++) {
      if (c->first[i] != i || !is_temporal(s, i) || c->tag[i] != MAP_NONE) continue;
      u32 tag = 0;
      if (!pass && c->fixed[i] == MAP_NONE) continue;
      if (!pass && can_have_tag(s, c, i, c->fixed[i])) {
        c->tag[i] = c->fixed[i];
        continue;
      }
      while (tag < 1 << 16 && !can_have_tag(s, c, i, tag)) tag++;
      if (tag == 1 << 16) return false;
      c->tag[i] = tag;
    }
  return true;
}

/* Gives instructions in different PEs that take one result one tag: without map_tags their tokens
 * all have the same. False where PEs have too few tags for that. */
static bool assign_classes(MapSearch *s) {
  u32 n = s->cover->nclusters;
  TagClasses c = {0};
  Arena *arena = arena_new();
  u32 **lists[] = {&c.first, &c.next, &c.last, &c.fixed, &c.tag};
  for (u32 i = 0; i < COUNT_OF(lists); i++) {
    *lists[i] = NEW_ARRAY(arena, u32, n + (size_t)1);
    for (u32 k = 0; k < n; k++) (*lists[i])[k] = i == 0 || i == 2 ? k : MAP_NONE;
  }
  join_consumers(s, &c);
  bool enough = give_tags(s, &c);
  for (u32 i = 0; i < n && enough; i++)
    if (is_temporal(s, i)) s->mapping->places[i].tag = c.tag[c.first[i]];
  arena_free(arena);
  return enough;
}

/* Makes the clusters of a temporal PE, in order, its instructions 0, 1, ..., with these tags. */
static void assign_clusters(MapSearch *s) {
  u32 *count = mem_alloc(mem_size(s->adg->npes + (size_t)1, sizeof *count));
  for (u32 c = 0; c < s->cover->nclusters; c++) {
    u32 pe = s->graph->pes[s->place[c]];
    u32 number = s->adg->pes[pe].is_temporal ? count[pe]++ : 0;
    s->mapping->places[c] = (MapPlace){.pe = pe,
                                       .opcode = s->fu_of[c] - s->adg->pes[pe].first_fu,
                                       .match = s->match_of[c],
                                       .instruction = number,
                                       .tag = number};
  }
  mem_free(count);
  if (s->tags_follow) assign_classes(s);
}

/* A register passes a result to one operand in the same PE. It saves a route out and back, so each
 * net with such an operand gets one, while there are any. But it takes a cycle, so a net that
 * lengthens the interval (is_urgent) is routed instead. */
static void assign_registers(MapSearch *s) {
  u32 *count = mem_alloc(mem_size(s->adg->npes + (size_t)1, sizeof *count));
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    if (net->source.kind != END_PE || s->is_urgent[net->result]) continue;
    u32 pe = s->graph->pes[s->place[net->source.block]];
    if (count[pe] >= s->adg->pes[pe].num_register) continue;
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
      NetEnd *sink = &s->sinks[k];
      if (sink->kind != END_PE || s->place[sink->block] != s->place[net->source.block]) continue;
      sink->kind = END_REGISTER;
      sink->port = count[pe]++;
      break;
    }
  }
  mem_free(count);
}

/* Writes the places of clusters, arguments and outputs. */
static void assign_places(MapSearch *s) {
  MapBinding *binding = &s->mapping->binding;
  for (u32 a = 0; a < s->dfg->nargs; a++) {
    u32 place = s->place[s->first_arg + a];
    binding->args[a] = place == MAP_NONE ? MAP_NONE : s->graph->inputs[place];
  }
  for (u32 o = 0; o < s->dfg->noutputs; o++)
    binding->outputs[o] = s->graph->outputs[s->place[s->first_output + o]];
  assign_clusters(s);
}

void tags_assign(MapSearch *s) {
  assign_memories(s);
  assign_registers(s);
  assign_places(s);
}

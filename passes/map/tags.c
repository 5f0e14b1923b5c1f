/* tags.c -- who has which tag: lanes and regions of memories, instructions of temporal PEs.
 *
 *     memory of 4 lanes, 2 regions      region 0   tags 0, 1    a: loads 0 and 1, store 0
 *                                       region 1   tag 2        b: load 2
 *
 * A memory of the graph gets a region, and in it as many lanes as it has loads, or stores, if those
 * are more: load i and store i of it share the number start + i, since loads and stores have ports
 * of their own. Where a memory has several channels it is the nearest lane instead, of those by
 * which the requests of one loop come to all channels alike; a memory of the graph that has one of
 * the fabric to itself chooses among all lanes. Memories with stores come first, so that a fabric's
 * memory may have fewer store lanes than load lanes; where they do not fit so, by due_of. Memories on the fabric are also divided: a
 * region starts where the one before it ends, at a multiple of its own elements' size. One whose
 * size nobody knows comes last.
 *
 * Registers of a temporal PE are given out in the order of nets.
 *
 * Instructions of a temporal PE have the tags 0, 1, ... Where no map_tag stands in front of PEs
 * that is not good enough: a token comes to all its takers with one tag, which must be theirs. Then
 * instructions of different PEs that take one result have one tag (MapSearch.tags_follow).
 *
 * The tags of nets are none of this file's business: whichever a route takes (route.c), map_tag and
 * add_tag are set to.
 */
#include "map/search.h"

#include "map/rates.h"

static u32 lanes_of(const DfgMemory *m) {
  return m->nloads > m->nstores ? m->nloads : m->nstores;
}

/* The order in which memories get their regions: those with stores first; inside, of unknown size
 * last. */
static u32 rank_of(const DfgMemory *m, const AdgMemory *hw) {
  return (m->is_dynamic && !hw->is_external ? 2 : 0) + (m->nstores ? 0 : 1);
}

/* Another: inside, of unknown size last, and the first the one whose last lane must be the lowest, if its
 * loads and stores shall have lanes. By due dates (Jackson's rule) all fit if in any order they do. */
static u32 due_of(const DfgMemory *m, const AdgMemory *hw) {
  u32 loads = m->nloads ? hw->nloads - m->nloads : UINT16_MAX;
  u32 stores = m->nstores ? hw->nstores - m->nstores : UINT16_MAX;
  u32 latest = loads < stores ? loads : stores;
  return (rank_of(m, hw) & 2) << 30 | (latest + lanes_of(m));
}

/* The memories by their keys, those with the same as they stand. */
static void sort_by(const u32 *keys, u32 n, u32 *order) {
  for (u32 i = 0; i < n; i++) {
    u32 at = i;
    for (; at > 0 && keys[order[at - 1]] > keys[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Gives memories their regions in an order; false where they do not fit so. */
static bool regions_in_order(const MapSearch *s, u32 adg_memory, const u32 *memories,
                             const u32 *order, u32 n, MapMemory *out) {
  const AdgMemory *hw = &s->adg->memories[adg_memory];
  u32 lane = 0;
  u64 bytes = 0, room = adg_memory_bytes(hw);
  for (u32 region = 0; region < n; region++) {
    const DfgMemory *m = &s->dfg->memories[memories[order[region]]];
    u32 log2 = adg_size_log2(s->dfg->types[m->elem].bits), lanes = lanes_of(m);
    if (n == 1 && hw->channels > 1) lanes = hw->nloads > hw->nstores ? hw->nloads : hw->nstores;
    if (m->nloads && lane + m->nloads > hw->nloads) return false;
    if (m->nstores && lane + m->nstores > hw->nstores) return false;
    u64 offset = 0, elements = m->elements ? m->elements : 1; /* no two begin at one place */
    if (!hw->is_external) {
      if (!m->is_dynamic && elements > room >> log2) return false;
      offset = (bytes + ((u64)1 << log2) - 1) >> log2 << log2;
      bytes = m->is_dynamic ? room + 1 : offset + (elements << log2);
      if (offset > room || (!m->is_dynamic && bytes > room)) return false;
      if (offset > UINT32_MAX) return false;
    }
    if (out) out[order[region]] = (MapMemory){adg_memory, region, lane, lane + lanes, (u32)offset};
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
  u32 few[2 * 32], *keys = FEW_OR_ALLOC(few, 2 * (size_t)n), *order = keys + n;
  for (u32 by_due = 0; by_due < 2 && !fits; by_due++) {
    for (u32 i = 0; i < n; i++)
      keys[i] = (by_due ? due_of : rank_of)(&s->dfg->memories[memories[i]], hw);
    sort_by(keys, n, order);
    fits = regions_in_order(s, adg_memory, memories, order, n, out);
  }
  few_free(few, keys);
  return fits;
}

/* How far it is from the unit that asks by a port of a memory of the graph to a lane, and back. */
static u32 lane_distance(const MapSearch *s, const DfgMemory *m, u32 port, u32 adg_memory,
                         u32 lane) {
  const RouteGraph *g = s->graph;
  u32 node = s->dfg->ports[m->first_port + port], family = port < m->nstores ? 2 : 0;
  u32 cluster = node == DFG_NONE ? MAP_NONE : s->cover->cluster_of[node];
  if (cluster == MAP_NONE) return 0;
  u32 channel = lane % g->nchannels, unit = s->place[cluster];
  u32 ways = graph_memory_terminal(g, adg_memory, family, channel);
  return (u32)g->distance[(size_t)unit * g->nsinks + ways] +
         g->distance[(size_t)ways * g->nsinks + unit];
}

/* Gives ports of a memory of the graph, loads or stores, the lanes that are nearest; but the
 * requests of one loop are shared evenly by the channels. Where there is one channel all are
 * equally near. */
static void spread(MapSearch *s, const Rates *rates, const DfgMemory *m, bool loads, u32 first,
                   u32 n, const MapMemory *at) {
  const AdgMemory *hw = &s->adg->memories[at->memory];
  const u32 *loop = rates->of_result + dfg_node(s->dfg, m->node)->first_result + m->nloads;
  u32 *lanes = s->mapping->binding.lanes + m->first_port;
  u32 limit = loads ? hw->nloads : hw->nstores;
  u32 end = at->end < limit ? at->end : limit;
  for (u32 j = first; j < first + n; j++) {
    u32 best = MAP_NONE, least[2] = {UINT32_MAX, UINT32_MAX};
    for (u32 lane = at->start; lane < end; lane++) {
      u32 sharing = 0,
          away = s->graph->nchannels == 1 ? 0 : lane_distance(s, m, j, at->memory, lane);
      bool is_free = true;
      for (u32 k = first; k < j; k++) {
        is_free &= lanes[k] != lane;
        sharing +=
            loop[k] == loop[j] && adg_lane_channel(hw, lanes[k]) == adg_lane_channel(hw, lane);
      }
      if (hw->channels == 1) sharing = 0;
      if (!is_free || sharing > least[0] || (sharing == least[0] && away >= least[1])) continue;
      best = lane, least[0] = sharing, least[1] = away;
    }
    lanes[j] = best;
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

/* Instructions that get one tag, as a list; by its first cluster. */
typedef struct {
  u32 *first, *next, *last; /* by cluster */
  u32 *fixed;               /* by first cluster: the tag that it must have, MAP_NONE: any */
  u32 *tag;                 /* by first cluster; MAP_NONE: none yet */
} Classes;

static bool is_temporal(const MapSearch *s, u32 cluster) {
  return pe_at(s->graph, s->place[cluster])->is_temporal;
}

/* One tag can serve the instructions of both lists: no two are in one PE. */
static bool can_join(const MapSearch *s, const Classes *c, u32 a, u32 b) {
  if (c->fixed[a] != MAP_NONE && c->fixed[b] != MAP_NONE && c->fixed[a] != c->fixed[b])
    return false;
  for (u32 i = a; i != MAP_NONE; i = c->next[i])
    for (u32 k = b; k != MAP_NONE; k = c->next[k])
      if (s->place[i] == s->place[k]) return false;
  return true;
}

static void join(const MapSearch *s, Classes *c, u32 a, u32 b) {
  a = c->first[a], b = c->first[b];
  if (a == b || !can_join(s, c, a, b)) return;
  c->next[c->last[a]] = b;
  c->last[a] = c->last[b];
  if (c->fixed[b] != MAP_NONE) c->fixed[a] = c->fixed[b];
  for (u32 i = b; i != MAP_NONE; i = c->next[i]) c->first[i] = a;
}

/* Who takes tokens of one net under tags should have one tag. What a tagged memory sends has its
 * lane's. */
static void join_takers(MapSearch *s, Classes *c) {
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    u32 one = MAP_NONE, fixed = MAP_NONE;
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
      if (one != MAP_NONE) join(s, c, one, sink->block);
      one = sink->block;
    }
  }
}

static bool has_tag(const MapSearch *s, const Classes *c, u32 list, u32 tag) {
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

/* Each list the lowest tag that it can have, those first that must have a certain one. False where
 * there are not enough. */
static bool give_tags(const MapSearch *s, Classes *c) {
  for (u32 pass = 0; pass < 2; pass++)
    for (u32 i = 0; i < s->cover->nclusters; i++) {
      if (c->first[i] != i || !is_temporal(s, i) || c->tag[i] != MAP_NONE) continue;
      u32 tag = 0;
      if (!pass && c->fixed[i] == MAP_NONE) continue;
      if (!pass && has_tag(s, c, i, c->fixed[i])) {
        c->tag[i] = c->fixed[i];
        continue;
      }
      while (tag < 1 << 16 && !has_tag(s, c, i, tag)) tag++;
      if (tag == 1 << 16) return false;
      c->tag[i] = tag;
    }
  return true;
}

/* Where nothing can give tokens another tag, their takers must have the one that they come with. So
 * instructions that take a result get one tag, if they are in different PEs. False where PEs have
 * too few tags for that. */
static bool assign_classes(MapSearch *s) {
  u32 n = s->cover->nclusters;
  Classes c = {0};
  Arena *arena = arena_new();
  u32 **lists[] = {&c.first, &c.next, &c.last, &c.fixed, &c.tag};
  for (u32 i = 0; i < COUNT_OF(lists); i++) {
    *lists[i] = NEW_ARRAY(arena, u32, n + (size_t)1);
    for (u32 k = 0; k < n; k++) (*lists[i])[k] = i == 0 || i == 2 ? k : MAP_NONE;
  }
  join_takers(s, &c);
  bool enough = give_tags(s, &c);
  for (u32 i = 0; i < n && enough; i++)
    if (is_temporal(s, i)) s->mapping->places[i].tag = c.tag[c.first[i]];
  arena_free(arena);
  return enough;
}

/* The clusters of a temporal PE, in their order, are its instructions 0, 1, ..., with these tags.
 */
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

/* A register holds what one result sends to one operand of the same PE. It saves a way out and
 * back, so each net with such an operand gets one, while there are any. But it takes a cycle: where
 * that makes the interval longer, the way out and back is better. */
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

/* Where clusters, arguments and outputs are. */
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

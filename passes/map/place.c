/* place.c -- where everything stands: simulated annealing.
 *
 *     PE 0   PE 1   PE 2          PE 0   PE 1   PE 2
 *      a             b     ->             a      b       b one step nearer to a: taken
 *
 * A thing (cluster, memory, argument, output) has a place; a move brings a thing to another place,
 * and where the place is taken, what stands there comes to the thing's old one. What it costs is
 * the sum over links of weight times distance. A link is a source and a sink of a net; its weight
 * falls with the net's fan-out, as sinks share most of their way. Moves that cost less are taken,
 * others with a chance that falls as the temperature does. Temperature and the range of moves
 * follow the rate at which moves are taken, as in VPR: it ends where nothing moves any more.
 *
 * Legal throughout: before and after every move each cluster has a function unit of its own that
 * can be it, a spatial PE one cluster, a temporal one no more than it has instructions; each memory
 * has regions and lanes, each port of the graph a port of the fabric that is wide enough.
 *
 * Integers alone, and an own generator: the same moves on any machine. Cost: a few links a move;
 * moves a temperature grow as things^(4/3).
 */
#include "map/search.h"

#include <stdlib.h>

typedef struct {
  u32 from, to;  /* things */
  u8 from_shift; /* END_MEMORY: which family; see term_of */
  u8 to_shift;
  u32 weight;
} Link;

/* A function unit of a kind of PE that a cluster could be: opcode and way. */
typedef struct {
  u32 opcode, way;
} Fit;

struct Placer {
  Search *s;
  Arena *arena;
  u32 npes, nclusters;

  /* PEs with the same units are of one kind. */
  u32 *kind_of; /* per PE */
  u32 nkinds;
  u32 *first_pe_of_kind;
  Fit *fits;      /* of (cluster, kind): first_fit[cluster * nkinds + kind] ... */
  u32 *first_fit; /* [nclusters * nkinds + 1] */
  u32 *capacity;  /* per PE */

  /* Who is where. */
  u32 *user_of_fu;               /* cluster, MAP_NONE: nobody */
  u32 *first_in_pe, *next_in_pe; /* clusters */
  u32 *count_in_pe;
  u32 *arg_at, *output_at; /* things, by input and output of the fabric */

  u32 *near; /* [pe * npes + i]: the i-th nearest PE to a PE */
  Link *links;
  u32 nlinks;
  u32 *first_link, *links_of; /* per thing: link ids */
  u32 *movable;
  u32 nmovable;
  u64 visits; /* place_first: bounds its search */
  u32 *seen;  /* PEs, by visit */
};

/* ---- what fits where ------------------------------------------------------------------------- */

static bool same_units(const Adg *adg, const AdgPe *a, const AdgPe *b) {
  if (a->nfus != b->nfus || a->is_temporal != b->is_temporal) return false;
  for (u32 i = 0; i < a->nfus; i++)
    if (adg->fus[a->first_fu + i].body != adg->fus[b->first_fu + i].body) return false;
  return true;
}

/* What tells kinds of PEs apart, as a number: equal PEs have equal ones. */
static u64 units_hash(const Adg *adg, const AdgPe *pe) {
  u64 hash = pe->is_temporal;
  for (u32 i = 0; i < pe->nfus; i++)
    hash = hash_bytes(&adg->fus[pe->first_fu + i].body, sizeof(u32), hash);
  return hash;
}

static void find_kinds(Placer *p) {
  const Adg *adg = p->s->adg;
  Map map = {0};
  p->kind_of = NEW_ARRAY(p->arena, u32, p->npes);
  p->first_pe_of_kind = NEW_ARRAY(p->arena, u32, p->npes);
  for (u32 pe = 0; pe < p->npes; pe++) {
    u64 key = units_hash(adg, &adg->pes[pe]), kind;
    while (map_get(&map, key, &kind) &&
           !same_units(adg, &adg->pes[pe], &adg->pes[p->first_pe_of_kind[kind]]))
      key++;
    if (!map_get(&map, key, &kind)) {
      kind = p->nkinds++;
      p->first_pe_of_kind[kind] = pe;
      map_put(&map, key, kind);
    }
    p->kind_of[pe] = (u32)kind;
  }
  map_free(&map);
}

/* The units of a kind that can be a cluster, the preferred way first. */
static void find_fits(Placer *p) {
  const Adg *adg = p->s->adg;
  const MapCover *cover = p->s->cover;
  Vec(Fit) fits = {0};
  p->first_fit = NEW_ARRAY(p->arena, u32, mem_size(p->nclusters, p->nkinds) + 1);
  for (u32 c = 0; c < p->nclusters; c++)
    for (u32 k = 0; k < p->nkinds; k++) {
      const AdgPe *pe = &adg->pes[p->first_pe_of_kind[k]];
      const MapCluster *cluster = &cover->clusters[c];
      p->first_fit[(size_t)c * p->nkinds + k] = (u32)fits.len;
      for (u32 w = cluster->first_way; w < cluster->first_way + cluster->nways; w++)
        for (u32 f = 0; f < pe->nfus; f++)
          if (adg->fus[pe->first_fu + f].body == cover->ways[w].body)
            vec_push(&fits, ((Fit){f, w}));
    }
  p->first_fit[(size_t)p->nclusters * p->nkinds] = (u32)fits.len;
  p->fits = arena_copy(p->arena, fits.at, mem_size(fits.len, sizeof *fits.at));
  vec_free(&fits);
}

/* The unit of a PE for a cluster, where `instead` (MAP_NONE: nobody) would be gone; NULL where
 * there is none. */
static const Fit *fit(const Placer *p, u32 cluster, u32 pe, u32 instead) {
  const Search *s = p->s;
  u32 gone = instead != MAP_NONE && s->place[instead] == pe;
  if (p->count_in_pe[pe] - gone >= p->capacity[pe]) return NULL;
  const u32 *first = &p->first_fit[(size_t)cluster * p->nkinds + p->kind_of[pe]];
  for (u32 i = first[0]; i < first[1]; i++) {
    u32 user = p->user_of_fu[s->adg->pes[pe].first_fu + p->fits[i].opcode];
    if (user == MAP_NONE || (gone && user == instead)) return &p->fits[i];
  }
  return NULL;
}

static void take_away(Placer *p, u32 cluster) {
  Search *s = p->s;
  u32 pe = s->place[cluster], *at = &p->first_in_pe[pe];
  while (*at != cluster) at = &p->next_in_pe[*at];
  *at = p->next_in_pe[cluster];
  p->count_in_pe[pe]--;
  p->user_of_fu[s->fu_of[cluster]] = MAP_NONE;
  s->place[cluster] = MAP_NONE;
}

static void put(Placer *p, u32 cluster, u32 pe, const Fit *how) {
  Search *s = p->s;
  s->place[cluster] = pe;
  s->fu_of[cluster] = s->adg->pes[pe].first_fu + how->opcode;
  s->way_of[cluster] = how->way;
  p->user_of_fu[s->fu_of[cluster]] = cluster;
  p->next_in_pe[cluster] = p->first_in_pe[pe];
  p->first_in_pe[pe] = cluster;
  p->count_in_pe[pe]++;
}

static u32 memories_at(const Search *s, u32 adg_memory, u32 *list) {
  u32 n = 0;
  for (u32 m = 0; m < s->dfg->nmemories; m++)
    if (s->place[s->first_memory + m] == adg_memory) list[n++] = m;
  return n;
}

/* True where a memory could stand at `place`, with `instead` (MAP_NONE: nobody) gone from there. */
static bool memory_fits(const Placer *p, u32 memory, u32 place, u32 instead) {
  const Search *s = p->s;
  u32 *list = mem_alloc(mem_size(s->dfg->nmemories + (size_t)1, sizeof *list)), n = 0;
  for (u32 m = 0; m < s->dfg->nmemories; m++)
    if (m == memory || (s->place[s->first_memory + m] == place && m != instead)) list[n++] = m;
  bool fits = tags_regions(s, place, list, n, NULL);
  mem_free(list);
  return fits;
}

static u32 port_bits(const Search *s, u32 thing) {
  const Dfg *dfg = s->dfg;
  if (thing >= s->first_output) return dfg->types[dfg->outputs[thing - s->first_output].type].bits;
  return dfg->types[dfg->args[thing - s->first_arg].type].bits;
}

/* Where the fabric's port is tagged it is of no use: nothing sets the tag. */
static bool port_fits(const Search *s, u32 thing, u32 place) {
  const RouteGraph *g = s->graph;
  u32 component = thing >= s->first_output ? g->outputs[place] : g->inputs[place];
  const AdgPort *port = &s->adg->ports[s->adg->components[component].first_port];
  return !port->is_tagged && port->width >= port_bits(s, thing);
}

/* ---- a first placement ----------------------------------------------------------------------- */

/* Places a cluster, moving others along where need be (as augmenting paths do). */
static bool place_cluster(Placer *p, u32 cluster, u32 visit) {
  for (u32 pe = 0; pe < p->npes; pe++) {
    const Fit *how = fit(p, cluster, pe, MAP_NONE);
    if (!how) continue;
    put(p, cluster, pe, how);
    return true;
  }
  for (u32 pe = 0; pe < p->npes; pe++) {
    if (p->seen[pe] == visit) continue;
    for (u32 o = p->first_in_pe[pe], next; o != MAP_NONE; o = next) {
      next = p->next_in_pe[o];
      const Fit *how = fit(p, cluster, pe, o);
      if (!how || p->s->is_pinned[o]) continue;
      u32 opcode = p->s->fu_of[o] - p->s->adg->pes[pe].first_fu;
      Fit old = {opcode, p->s->way_of[o]};
      p->seen[pe] = visit;
      take_away(p, o);
      put(p, cluster, pe, how);
      if (place_cluster(p, o, visit)) return true;
      take_away(p, cluster);
      put(p, o, pe, &old);
      if (p->s->adg->pes[pe].is_temporal) break;
    }
  }
  return false;
}

static bool place_clusters(Placer *p, u32 *what) {
  Search *s = p->s;
  u32 visit = 0;
  for (u32 i = 0; i < s->options->npins; i++) {
    const MapPin *pin = &s->options->pins[i];
    u32 cluster = s->cover->cluster_of[pin->node];
    if (cluster == MAP_NONE || s->is_pinned[cluster]) continue;
    const Fit *how = fit(p, cluster, pin->pe, MAP_NONE);
    *what = cluster;
    if (!how) return false;
    put(p, cluster, pin->pe, how);
    s->is_pinned[cluster] = true;
  }
  /* As they were, where the user has an earlier mapping of the same cover. */
  const Mapping *from = s->options->from;
  if (from && from->cover->nclusters == p->nclusters && from->adg->npes == p->npes)
    for (u32 c = 0; c < p->nclusters; c++) {
      const Fit *how = s->place[c] == MAP_NONE ? fit(p, c, from->places[c].pe, MAP_NONE) : NULL;
      if (how) put(p, c, from->places[c].pe, how);
    }
  for (u32 c = 0; c < p->nclusters; c++) {
    *what = c;
    if (s->place[c] == MAP_NONE && !place_cluster(p, c, ++visit)) return false;
  }
  return true;
}

/* Memories with many ports first; all ways are tried, but for a bound that no real job meets. */
static bool place_memory(Placer *p, const u32 *order, u32 n, u32 *what) {
  Search *s = p->s;
  if (!n) return true;
  if (++p->visits < 100000) *what = s->first_memory + order[0];
  for (u32 k = 0; k < s->adg->nmemories && p->visits < 100000; k++) {
    if (!memory_fits(p, order[0], k, MAP_NONE)) continue;
    s->place[s->first_memory + order[0]] = k;
    if (place_memory(p, order + 1, n - 1, what)) return true;
    s->place[s->first_memory + order[0]] = MAP_NONE;
  }
  return false;
}

static bool place_memories(Placer *p, u32 *what) {
  const Dfg *dfg = p->s->dfg;
  u32 *order = NEW_ARRAY(p->arena, u32, dfg->nmemories + 1), n = 0;
  for (u32 m = 0; m < dfg->nmemories; m++) {
    u32 ports = dfg->memories[m].nloads + dfg->memories[m].nstores, i = n;
    if (!ports) continue;
    for (n++; i > 0; i--) {
      const DfgMemory *before = &dfg->memories[order[i - 1]];
      if (before->nloads + before->nstores >= ports) break;
      order[i] = order[i - 1];
    }
    order[i] = m;
  }
  p->visits = 0;
  return place_memory(p, order, n, what);
}

/* A thing that needs a port and has none yet. */
#define UNPLACED (MAP_NONE - 1)

/* Arguments, or outputs: widest first, each to the narrowest port that will do. */
static bool place_ports(Placer *p, u32 first, u32 last, u32 *at, u32 nplaces, u32 *what) {
  Search *s = p->s;
  const u32 *ports = first == s->first_output ? s->graph->outputs : s->graph->inputs;
  for (;;) {
    u32 thing = MAP_NONE, best = MAP_NONE, best_width = MAP_NONE;
    for (u32 t = first; t < last; t++)
      if (s->place[t] == UNPLACED && (thing == MAP_NONE || port_bits(s, t) > port_bits(s, thing)))
        thing = t;
    if (thing == MAP_NONE) return true;
    for (u32 k = 0; k < nplaces; k++) {
      u32 width = s->adg->ports[s->adg->components[ports[k]].first_port].width;
      if (at[k] == MAP_NONE && port_fits(s, thing, k) && width < best_width)
        best = k, best_width = width;
    }
    *what = thing;
    if (best == MAP_NONE) return false;
    s->place[thing] = best;
    at[best] = thing;
  }
}

/* What can be moved, once all stands somewhere. */
static void find_movable(Placer *p) {
  Search *s = p->s;
  p->nmovable = 0;
  for (u32 t = 0; t < s->nthings; t++)
    if (s->place[t] != MAP_NONE && !(t < p->nclusters && s->is_pinned[t]))
      p->movable[p->nmovable++] = t;
}

bool place_first(Placer *p, u32 *what) {
  Search *s = p->s;
  const Dfg *dfg = s->dfg;
  for (u32 pe = 0; pe < p->npes; pe++) p->first_in_pe[pe] = MAP_NONE, p->count_in_pe[pe] = 0;
  for (u32 f = 0; f < s->adg->nfus; f++) p->user_of_fu[f] = MAP_NONE;
  for (u32 i = 0; i < s->graph->ninputs; i++) p->arg_at[i] = MAP_NONE;
  for (u32 i = 0; i < s->graph->noutputs; i++) p->output_at[i] = MAP_NONE;
  for (u32 t = 0; t < s->nthings; t++) s->place[t] = MAP_NONE;
  for (u32 n = 0; n < s->nnets; n++)
    if (s->nets[n].source.kind == END_PORT) s->place[s->nets[n].source.thing] = UNPLACED;
  for (u32 o = 0; o < dfg->noutputs; o++) s->place[s->first_output + o] = UNPLACED;
  bool all = place_memories(p, what) &&
             place_ports(p, s->first_arg, s->first_output, p->arg_at, s->graph->ninputs, what) &&
             place_ports(p, s->first_output, s->nthings, p->output_at, s->graph->noutputs, what) &&
             place_clusters(p, what);
  find_movable(p);
  return all;
}

/* ---- links and their cost -------------------------------------------------------------------- */

/* Sixteenths of a net's length that each of its sinks stands for. */
static u32 share_of(u32 fanout) {
  static const u8 shares[] = {16, 16, 14, 13, 12, 11, 10, 10, 9};
  return fanout < COUNT_OF(shares) ? shares[fanout] : 8;
}

static void find_links(Placer *p) {
  Search *s = p->s;
  p->nlinks = 0;
  for (u32 n = 0; n < s->nnets; n++) {
    const Net *net = &s->nets[n];
    for (u32 k = 0; k < net->nsinks; k++) {
      const NetEnd *sink = &s->sinks[net->first_sink + k];
      if (sink->kind == END_DISCARD) continue;
      bool from_memory = net->source.kind == END_MEMORY, to_memory = sink->kind == END_MEMORY;
      p->links[p->nlinks++] = (Link){net->source.thing, sink->thing,
                                     (u8)(from_memory ? net->source.family - ADG_LOAD_DATA : 0),
                                     (u8)(to_memory ? sink->family : 0),
                                     share_of(net->nsinks) * s->net_weight[net->result]};
    }
  }
  for (u32 t = 0; t <= s->nthings; t++) p->first_link[t] = 0;
  for (u32 l = 0; l < p->nlinks; l++) {
    p->first_link[p->links[l].from]++;
    if (p->links[l].to != p->links[l].from) p->first_link[p->links[l].to]++;
  }
  for (u32 t = 0, at = 0; t <= s->nthings; t++) at += p->first_link[t], p->first_link[t] = at;
  for (u32 l = p->nlinks; l-- > 0;) {
    p->links_of[--p->first_link[p->links[l].from]] = l;
    if (p->links[l].to != p->links[l].from) p->links_of[--p->first_link[p->links[l].to]] = l;
  }
}

static inline u32 term_of(const Placer *p, u32 thing, u32 family) {
  const Search *s = p->s;
  u32 place = s->place[thing];
  if (thing < s->first_memory) return place;
  if (thing < s->first_arg) return p->npes + place * 3 + family;
  return p->npes + s->adg->nmemories * 3 + place;
}

static inline i64 link_cost(const Placer *p, const Link *link) {
  const RouteGraph *g = p->s->graph;
  u32 from = term_of(p, link->from, link->from_shift), to = term_of(p, link->to, link->to_shift);
  return (i64)link->weight * g->distance[(size_t)from * g->nsinks + to];
}

/* What the links of a thing cost, those to `but` left out. */
static i64 cost_of(const Placer *p, u32 thing, u32 but) {
  i64 cost = 0;
  for (u32 i = p->first_link[thing]; i < p->first_link[thing + 1]; i++) {
    const Link *link = &p->links[p->links_of[i]];
    if (but != MAP_NONE && (link->from == but || link->to == but)) continue;
    cost += link_cost(p, link);
  }
  return cost;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* What a move did, so that it can be undone. */
typedef struct {
  u32 a, b; /* b: MAP_NONE where nobody had to make room */
  u32 a_place, b_place;
  Fit a_fit, b_fit;
} Move;

static Fit fit_now(const Placer *p, u32 cluster) {
  const Search *s = p->s;
  u32 pe = s->place[cluster];
  return (Fit){s->fu_of[cluster] - s->adg->pes[pe].first_fu, s->way_of[cluster]};
}

/* A PE that a cluster may go to: near to where it is, or to what it is wired to. */
static u32 choose_pe(Placer *p, u32 cluster, u32 range) {
  Search *s = p->s;
  u32 around = s->place[cluster], nlinks = p->first_link[cluster + 1] - p->first_link[cluster];
  if (nlinks && random_below(&s->random, 2)) {
    const Link *link =
        &p->links[p->links_of[p->first_link[cluster] + random_below(&s->random, nlinks)]];
    u32 other = link->from == cluster ? link->to : link->from;
    if (other < p->nclusters) around = s->place[other];
  }
  return p->near[(size_t)around * p->npes + random_below(&s->random, range)];
}

static bool move_cluster(Placer *p, Move *move, u32 range) {
  Search *s = p->s;
  u32 a = move->a, to = choose_pe(p, a, range);
  if (to == s->place[a]) return false;
  const Fit *how = fit(p, a, to, MAP_NONE);
  move->a_place = s->place[a];
  move->a_fit = fit_now(p, a);
  if (how) {
    take_away(p, a);
    put(p, a, to, how);
    return true;
  }
  if (!p->count_in_pe[to]) return false;
  u32 b = p->first_in_pe[to];
  for (u32 skip = random_below(&s->random, p->count_in_pe[to]); skip; skip--) b = p->next_in_pe[b];
  if (s->is_pinned[b]) return false;
  how = fit(p, a, to, b);
  const Fit *back = how ? fit(p, b, move->a_place, a) : NULL;
  if (!back) return false;
  move->b = b;
  move->b_place = to;
  move->b_fit = fit_now(p, b);
  take_away(p, a);
  take_away(p, b);
  put(p, a, to, how);
  put(p, b, move->a_place, back);
  return true;
}

static bool move_memory(Placer *p, Move *move) {
  Search *s = p->s;
  u32 m = move->a - s->first_memory, to = random_below(&s->random, s->adg->nmemories);
  u32 *list, n;
  move->a_place = s->place[move->a];
  if (to == move->a_place) return false;
  if (!memory_fits(p, m, to, MAP_NONE)) {
    list = mem_alloc(mem_size(s->dfg->nmemories + (size_t)1, sizeof *list));
    n = memories_at(s, to, list);
    u32 b = n ? list[random_below(&s->random, n)] : MAP_NONE;
    mem_free(list);
    if (b == MAP_NONE || !memory_fits(p, m, to, b)) return false;
    if (!memory_fits(p, b, move->a_place, m)) return false;
    move->b = s->first_memory + b;
    move->b_place = to;
    s->place[move->b] = move->a_place;
  }
  s->place[move->a] = to;
  return true;
}

static bool move_port(Placer *p, Move *move) {
  Search *s = p->s;
  bool is_output = move->a >= s->first_output;
  u32 *at = is_output ? p->output_at : p->arg_at;
  u32 to = random_below(&s->random, is_output ? s->graph->noutputs : s->graph->ninputs), b = at[to];
  move->a_place = s->place[move->a];
  if (to == move->a_place || !port_fits(s, move->a, to)) return false;
  if (b != MAP_NONE && !port_fits(s, b, move->a_place)) return false;
  at[to] = move->a;
  at[move->a_place] = b;
  s->place[move->a] = to;
  if (b != MAP_NONE) {
    move->b = b;
    move->b_place = to;
    s->place[b] = move->a_place;
  }
  return true;
}

static void undo(Placer *p, const Move *move) {
  Search *s = p->s;
  u32 now = s->place[move->a];
  if (move->a < p->nclusters) {
    take_away(p, move->a);
    if (move->b != MAP_NONE) take_away(p, move->b);
    put(p, move->a, move->a_place, &move->a_fit);
    if (move->b != MAP_NONE) put(p, move->b, move->b_place, &move->b_fit);
    return;
  }
  s->place[move->a] = move->a_place;
  if (move->b != MAP_NONE) s->place[move->b] = move->b_place;
  if (move->a >= s->first_arg) {
    u32 *at = move->a >= s->first_output ? p->output_at : p->arg_at;
    at[now] = move->b;
    at[move->a_place] = move->a;
  }
}

/* log2 of 2^32 / (r + 1), in 16ths: how much worse a move may be, in temperatures, where r is drawn
 * evenly; the share above x falls as 2^-x. */
static u32 luck(u32 r) {
  u32 zeros = 0;
  for (r |= 1; !(r >> 31); r <<= 1) zeros++;
  return zeros * 16 + (15 - (r >> 27 & 15));
}

/* Tries one move; *delta is what it costs. True where it was taken. */
static bool try_move(Placer *p, u32 range, i64 temperature, i64 *delta) {
  Search *s = p->s;
  Move move = {.a = p->movable[random_below(&s->random, p->nmovable)], .b = MAP_NONE};
  bool is_legal;
  /* The cost before is only known once it is clear who else moves: moves are made, then costed both
   * ways. */
  if (move.a < p->nclusters)
    is_legal = move_cluster(p, &move, range);
  else if (move.a < s->first_arg)
    is_legal = move_memory(p, &move);
  else
    is_legal = move_port(p, &move);
  *delta = 0;
  if (!is_legal) return false;
  i64 after = cost_of(p, move.a, move.b);
  if (move.b != MAP_NONE) after += cost_of(p, move.b, MAP_NONE);
  u32 a_now = s->place[move.a], b_now = move.b != MAP_NONE ? s->place[move.b] : 0;
  s->place[move.a] = move.a_place;
  if (move.b != MAP_NONE) s->place[move.b] = move.b_place;
  i64 before = cost_of(p, move.a, move.b);
  if (move.b != MAP_NONE) before += cost_of(p, move.b, MAP_NONE);
  s->place[move.a] = a_now;
  if (move.b != MAP_NONE) s->place[move.b] = b_now;
  *delta = after - before;
  if (*delta <= 0 || *delta * 16 <= temperature * luck(random_next(&s->random))) return true;
  undo(p, &move);
  return false;
}

/* ---- annealing ------------------------------------------------------------------------------- */

static u32 cube_root(u32 n) {
  u32 r = 1;
  while ((u64)(r + 1) * (r + 1) * (r + 1) <= n) r++;
  return r;
}

static i64 total_cost(const Placer *p) {
  i64 cost = 0;
  for (u32 l = 0; l < p->nlinks; l++) cost += link_cost(p, &p->links[l]);
  return cost;
}

enum { EFFORT = 10, FULL = 1000 };

void place_anneal(Placer *p, bool is_repair) {
  Search *s = p->s;
  MapStats *stats = &s->mapping->stats;
  nets_find(s);
  find_links(p);
  if (!p->nmovable || !p->nlinks) return;
  u32 moves = EFFORT * p->nmovable * cube_root(p->nmovable), range = p->npes;
  /* A feeling for what moves cost: everything is taken. */
  i64 sum = 0, delta;
  for (u32 i = 0; i < p->nmovable * 4; i++)
    if (!is_repair) {
      try_move(p, range, (i64)1 << 40, &delta);
      sum += delta < 0 ? -delta : delta;
    }
  i64 temperature = is_repair ? total_cost(p) / p->nlinks / 4 : sum / (p->nmovable * 4) * 2;
  if (is_repair) range = p->npes / 4 + 1;
  for (;;) {
    u32 accepted = 0;
    for (u32 i = 0; i < moves; i++) accepted += try_move(p, range, temperature, &delta);
    stats->moves += moves;
    stats->accepted += accepted;
    i64 cost = total_cost(p);
    u32 rate = (u32)((u64)accepted * FULL / moves);
    if (temperature * 200 * (i64)p->nlinks < cost || search_stopped(s, "placing", (double)cost, 0))
      break;
    temperature = temperature * (rate > 960 ? 50 : rate > 800 ? 90 : rate > 150 ? 95 : 80) / 100;
    range = (u32)((u64)range * (FULL - 440 + rate) / FULL);
    if (range > p->npes) range = p->npes;
    if (range < 9) range = p->npes < 9 ? p->npes : 9;
  }
  for (u32 i = 0; i < moves && !s->is_stopped; i++)
    stats->accepted += try_move(p, range, 0, &delta);
  nets_find(s);
}

/* ---- making one ------------------------------------------------------------------------------ */

/* Each PE's neighbours by distance: a counting sort, so that equals stay in the order of ids. */
static void sort_near(Placer *p) {
  const RouteGraph *g = p->s->graph;
  u32 *count = mem_alloc((FAR + 2) * sizeof *count);
  p->near = NEW_ARRAY(p->arena, u32, mem_size(p->npes, p->npes));
  for (u32 pe = 0; pe < p->npes; pe++) {
    const u16 *distance = g->distance + (size_t)pe * g->nsinks;
    u32 *near = p->near + (size_t)pe * p->npes;
    memset(count, 0, (FAR + 2) * sizeof *count);
    for (u32 q = 0; q < p->npes; q++) count[distance[q] + 1]++;
    for (u32 d = 0; d <= FAR; d++) count[d + 1] += count[d];
    for (u32 q = 0; q < p->npes; q++) near[count[distance[q]]++] = q;
  }
  mem_free(count);
}

Placer *placer_new(Search *s) {
  Arena *arena = arena_new();
  Placer *p = NEW(arena, Placer);
  p->s = s;
  p->arena = arena;
  p->npes = s->adg->npes;
  p->nclusters = s->cover->nclusters;
  find_kinds(p);
  find_fits(p);
  p->capacity = NEW_ARRAY(arena, u32, p->npes);
  for (u32 pe = 0; pe < p->npes; pe++)
    p->capacity[pe] = s->adg->pes[pe].is_temporal ? s->adg->pes[pe].num_instruction : 1;
  p->user_of_fu = NEW_ARRAY(arena, u32, s->adg->nfus);
  p->first_in_pe = NEW_ARRAY(arena, u32, p->npes);
  p->count_in_pe = NEW_ARRAY(arena, u32, p->npes);
  p->seen = NEW_ARRAY(arena, u32, p->npes);
  p->next_in_pe = NEW_ARRAY(arena, u32, p->nclusters);
  p->arg_at = NEW_ARRAY(arena, u32, s->graph->ninputs);
  p->output_at = NEW_ARRAY(arena, u32, s->graph->noutputs);
  p->links = NEW_ARRAY(arena, Link, s->dfg->nedges + (size_t)1);
  p->links_of = NEW_ARRAY(arena, u32, mem_size(2, s->dfg->nedges + (size_t)1));
  p->first_link = NEW_ARRAY(arena, u32, s->nthings + (size_t)2);
  p->movable = NEW_ARRAY(arena, u32, s->nthings + (size_t)1);
  sort_near(p);
  return p;
}

void placer_free(Placer *p) {
  if (p) arena_free(p->arena);
}

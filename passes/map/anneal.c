/* anneal.c -- placement by simulated annealing.
 *
 *     PE 0   PE 1   PE 2          PE 0   PE 1   PE 2
 *      a             b     ->             a      b       one step nearer to b: taken
 *
 * A block (cluster, memory, argument, output) has a place; a move brings a block to another place,
 * and where the place is taken, what stands there comes to the block's old one. What it costs is
 * the sum over links of weight times distance. A link is a source and a sink of a net; its weight
 * falls with the net's fan-out, as sinks share most of their way. Moves that cost less are taken,
 * others with a chance that falls as the temperature does. Temperature and the range of moves
 * follow the rate at which moves are taken, as in VPR: it ends where nothing moves any more. As
 * there, too, a cluster chooses among the PEs that it fits, not among all (VPR's compressed grids):
 * of twelve PEs around a load, one may be of the class that has loads.
 *
 * Each placement on the way is legal (place.c says what that is). Where memories and ports stand is
 * decided early and hardly changes later, so with small graphs it is done a few times over, and the
 * best is kept.
 *
 * Integers alone, and a random-number generator of its own: the same moves on any machine. Cost: a
 * few links a move; moves a temperature grow as blocks^(4/3).
 */
#include "map/placer.h"

/* ---- links and their cost -------------------------------------------------------------------- */

/* Sixteenths of a net's length that each of its sinks stands for. */
static u32 share_of(u32 fanout) {
  static const u8 shares[] = {16, 16, 14, 13, 12, 11, 10, 10, 9};
  return fanout < COUNT_OF(shares) ? shares[fanout] : 8;
}

/* The first of a block's terminals, which are rows and columns of RouteGraph.distance: PEs, then
 * those of each memory (load, store address, store data of each channel), then ports of the fabric.
 * Which channel of a memory a lane gets is settled later (tags.c): the channels are taken in turn,
 * and are near to each other.
 */
static u32 base_of(const Placer *p, const NetEnd *end, u32 first_family) {
  const RouteGraph *g = p->s->graph;
  if (end->kind == END_MEMORY)
    return graph_memory_terminal(g, 0, end->family - first_family, end->port % g->nchannels);
  return end->block < p->s->first_memory ? 0 : p->npes + graph_memory_terminals(g);
}

static u8 scale_of(const Placer *p, const NetEnd *end) {
  return end->kind == END_MEMORY ? (u8)(3 * p->s->graph->nchannels) : 1;
}

static NetLink link_of(const Placer *p, const NetEnd *from, const NetEnd *to, u32 weight,
                       bool is_copied) {
  return (NetLink){.from = from->block,
                   .to = to->block,
                   .from_base = base_of(p, from, ADG_LOAD_DATA),
                   .to_base = base_of(p, to, ADG_LOAD_ADDR),
                   .from_scale = scale_of(p, from),
                   .to_scale = scale_of(p, to),
                   .is_copied = is_copied,
                   .edge = to->edge,
                   .base_weight = weight,
                   .weight = weight + p->slowness[to->edge]};
}

static void find_links(Placer *p) {
  MapSearch *s = p->s;
  p->nlinks = 0;
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    for (u32 k = 0; k < net->nsinks; k++) {
      const NetEnd *sink = &s->sinks[net->first_sink + k];
      if (sink->kind == END_DISCARD) continue;
      p->links[p->nlinks++] =
          link_of(p, &net->source, sink, share_of(net->nsinks) * s->net_weight[net->result],
                  net->nsinks > 1);
    }
  }
  for (u32 t = 0; t <= s->nblocks; t++) p->first_link[t] = 0;
  for (u32 l = 0; l < p->nlinks; l++) {
    p->first_link[p->links[l].from]++;
    if (p->links[l].to != p->links[l].from) p->first_link[p->links[l].to]++;
  }
  for (u32 t = 0, at = 0; t <= s->nblocks; t++) at += p->first_link[t], p->first_link[t] = at;
  for (u32 l = p->nlinks; l-- > 0;) {
    p->links_of[--p->first_link[p->links[l].from]] = l;
    if (p->links[l].to != p->links[l].from) p->links_of[--p->first_link[p->links[l].to]] = l;
  }
}

/* What a link costs with its ends at two places. */
static inline i64 link_cost(const Placer *p, const NetLink *link, u32 from, u32 to) {
  return (i64)link->weight * p->s->graph->distance[link_at(p, link, from, to)];
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Block a goes to a place, and b (MAP_NONE: none), which is in its way there, to where a was. */
typedef struct {
  u32 a, to, b;
  Fit how, back; /* clusters: as what */
} BlockMove;

/* A PE that a cluster may go to: near to where it is, or to what it is wired to. */
static u32 choose_pe(Placer *p, u32 cluster, u32 range) {
  MapSearch *s = p->s;
  const Sites *sites = &p->sites[p->sites_of[cluster]];
  u32 around = s->place[cluster], nlinks = p->first_link[cluster + 1] - p->first_link[cluster];
  if (nlinks && random_below(&s->random, 2)) {
    const NetLink *link =
        &p->links[p->links_of[p->first_link[cluster] + random_below(&s->random, nlinks)]];
    u32 other = link->from == cluster ? link->to : link->from;
    if (other < p->nclusters) around = s->place[other];
    if (other >= s->first_memory && other < s->first_arg) around = p->npes + s->place[other];
  }
  u32 most = range < sites->npes ? range : sites->npes;
  return sites->near[(size_t)around * sites->npes + random_below(&s->random, most)];
}

/* Whether a can go there if b leaves, and b to where a is; and as what. */
static bool fits(const Placer *p, BlockMove *move, u32 b) {
  u32 from = p->s->place[move->a];
  const Fit *how = place_fit(p, move->a, move->to, b);
  const Fit *back = how && b != MAP_NONE ? place_fit(p, b, from, move->a) : NULL;
  if (!how || (b != MAP_NONE && !back)) return false;
  move->how = *how;
  if (back) move->back = *back;
  move->b = b;
  return true;
}

static bool plan_cluster(Placer *p, BlockMove *move, u32 range) {
  MapSearch *s = p->s;
  u32 to = move->to = choose_pe(p, move->a, range);
  if (to == s->place[move->a]) return false;
  if (fits(p, move, MAP_NONE)) return true;
  if (!p->count_in_pe[to]) return false;
  u32 b = p->first_in_pe[to];
  for (u32 skip = random_below(&s->random, p->count_in_pe[to]); skip; skip--) b = p->next_in_pe[b];
  return !s->is_pinned[b] && fits(p, move, b);
}

static u32 memories_at(const MapSearch *s, u32 adg_memory, u32 *list) {
  u32 n = 0;
  for (u32 m = 0; m < s->dfg->nmemories; m++)
    if (s->place[s->first_memory + m] == adg_memory) list[n++] = m;
  return n;
}

static bool plan_memory(Placer *p, BlockMove *move) {
  MapSearch *s = p->s;
  u32 m = move->a - s->first_memory, from = s->place[move->a];
  u32 to = move->to = s->graph->memories[random_below(&s->random, s->graph->nmemories)];
  if (to == from) return false;
  if (place_memory_fits(p, m, to, MAP_NONE)) return true;
  u32 *list = mem_alloc(mem_size(s->dfg->nmemories + (size_t)1, sizeof *list));
  u32 n = memories_at(s, to, list), b = n ? list[random_below(&s->random, n)] : MAP_NONE;
  mem_free(list);
  if (b == MAP_NONE || s->is_pinned[s->first_memory + b] || !place_memory_fits(p, m, to, b) ||
      !place_memory_fits(p, b, from, m))
    return false;
  move->b = s->first_memory + b;
  return true;
}

/* Who has the ports of the fabric, of outputs or of inputs. */
static u32 *ports_for(const Placer *p, u32 block) {
  return block >= p->s->first_output ? p->output_at : p->arg_at;
}

static bool plan_port(Placer *p, BlockMove *move) {
  MapSearch *s = p->s;
  u32 from = s->place[move->a];
  u32 n = move->a >= s->first_output ? s->graph->noutputs : s->graph->ninputs;
  u32 to = move->to = random_below(&s->random, n);
  u32 b = move->b = ports_for(p, move->a)[to];
  if (to == from || !place_port_fits(s, move->a, to)) return false;
  return b == MAP_NONE || (!s->is_pinned[b] && place_port_fits(s, b, from));
}

static void carry_out(Placer *p, const BlockMove *move) {
  MapSearch *s = p->s;
  u32 a = move->a, b = move->b, from = s->place[a];
  if (a < p->nclusters) {
    place_take_away(p, a);
    if (b != MAP_NONE) place_take_away(p, b);
    place_put(p, a, move->to, &move->how);
    if (b != MAP_NONE) place_put(p, b, from, &move->back);
    return;
  }
  s->place[a] = move->to;
  if (b != MAP_NONE) s->place[b] = from;
  if (a < s->first_arg) return;
  ports_for(p, a)[move->to] = a;
  ports_for(p, a)[from] = b;
}

/* Of 32 random bits about an exponential sample, in 16ths: more than x with a chance of 2^-x. It is
 * log2 of 2^32 / (r + 1). */
static u32 exponential_sample(u32 r) {
  u32 zeros = 0;
  for (r |= 1; !(r >> 31); r <<= 1) zeros++;
  return zeros * 16 + (15 - (r >> 27 & 15));
}

/* Where a block stands after a move. */
static inline u32 place_after(const Placer *p, const BlockMove *move, u32 block) {
  const u32 *place = p->s->place;
  return block == move->a ? move->to : block == move->b ? place[move->a] : place[block];
}

/* What the links of a block, except those to `but`, and the penalty of its place cost more after a move. */
static i64 delta_of_block(const Placer *p, const BlockMove *move, u32 block, u32 but) {
  const MapSearch *s = p->s;
  const u32 *penalty = s->penalty + (size_t)block * s->nplaces;
  const u16 *distance = s->graph->distance;
  i64 delta = (i64)penalty[place_after(p, move, block)] - penalty[s->place[block]];
  for (u32 i = p->first_link[block]; i < p->first_link[block + 1]; i++) {
    const NetLink *link = &p->links[p->links_of[i]];
    if (link->from == but || link->to == but) continue;
    i64 before = distance[link_at(p, link, s->place[link->from], s->place[link->to])];
    i64 after = distance[link_at(p, link, place_after(p, move, link->from),
                                 place_after(p, move, link->to))];
    delta += link->weight * (after - before);
  }
  return delta;
}

/* What the firings of temporal PEs cost more. Two of one loop may change places at no cost; of
 * two loops the differences are added as if the one did not move: good enough for a choice. */
static i64 delta_of_firings(const Placer *p, const BlockMove *move) {
  if (move->a >= p->nclusters) return 0;
  u32 from = p->s->place[move->a];
  i64 delta =
      place_firings_cost(p, move->a, from, -1) + place_firings_cost(p, move->a, move->to, 1);
  if (move->b == MAP_NONE) return delta;
  if (p->s->firings.loop[move->a] == p->s->firings.loop[move->b]) return 0;
  return delta + place_firings_cost(p, move->b, move->to, -1) +
         place_firings_cost(p, move->b, from, 1);
}

/* What it costs that the memories of the graph at `place`, with `one` among them or not, are asked
 * more often in an iteration than its loop begins one. */
static i64 crowd_at(const Placer *p, u32 place, u32 one, bool is_there) {
  enum { A_CYCLE_MORE = 16 * 128 };
  const MapSearch *s = p->s;
  const MemoryRequests *r = &s->requests;
  u32 n = s->dfg->nmemories, channels = s->adg->memories[place].channels;
  i64 cost = 0;
  for (u32 row = 0; row < 2 * r->nloops; row++) {
    u32 asked = 0;
    for (u32 i = 0; i < n; i++) {
      bool is_here = i == one ? is_there : s->place[s->first_memory + i] == place;
      if (is_here) asked += r->counts[row * n + i];
    }
    u32 cycles = (asked + channels - 1) / channels, free = r->interval[row / 2];
    if (cycles > free) cost += (i64)(cycles - free) * A_CYCLE_MORE;
  }
  return cost;
}

/* What a memory that moves, or two that change places, cost more by that. */
static i64 delta_of_requests(const Placer *p, const BlockMove *move) {
  u32 *place = p->s->place, from = place[move->a], a = move->a - p->s->first_memory;
  if (move->a < p->s->first_memory || move->a >= p->s->first_arg) return 0;
  i64 before = crowd_at(p, from, a, true) + crowd_at(p, move->to, a, false);
  if (move->b != MAP_NONE) place[move->b] = from;
  i64 after = crowd_at(p, from, a, false) + crowd_at(p, move->to, a, true);
  if (move->b != MAP_NONE) place[move->b] = move->to;
  return after - before;
}

/* What a move would cost: negative where it is better so. Most are refused, so none is made
 * first. A link between the two is b's. */
static i64 delta_of(const Placer *p, const BlockMove *move) {
  i64 delta = delta_of_block(p, move, move->a, move->b);
  if (move->b != MAP_NONE) delta += delta_of_block(p, move, move->b, MAP_NONE);
  return delta + delta_of_firings(p, move) + delta_of_requests(p, move);
}

/* The Metropolis rule: a move may make it worse by so many temperatures. */
static bool metropolis_accepts(MapSearch *s, i64 delta, i64 temperature) {
  return delta <= 0 || delta * 16 <= temperature * exponential_sample(random_next(&s->random));
}

/* Tries one move; *delta is what it costs. True where it was taken. */
static bool try_move(Placer *p, u32 range, i64 temperature, i64 *delta) {
  MapSearch *s = p->s;
  BlockMove move = {.a = p->movable[random_below(&s->random, p->nmovable)], .b = MAP_NONE};
  *delta = 0;
  if (!(move.a < s->first_memory ? plan_cluster(p, &move, range)
        : move.a < s->first_arg  ? plan_memory(p, &move)
                                 : plan_port(p, &move)))
    return false;
  *delta = delta_of(p, &move);
  if (!metropolis_accepts(s, *delta, temperature)) return false;
  carry_out(p, &move);
  return true;
}

/* ---- annealing ------------------------------------------------------------------------------- */

static u32 cube_root(u32 n) {
  u32 r = 1;
  while ((u64)(r + 1) * (r + 1) * (r + 1) <= n) r++;
  return r;
}

static i64 total_cost(const Placer *p) {
  const MapSearch *s = p->s;
  i64 cost = 0;
  for (u32 l = 0; l < p->nlinks; l++) {
    const NetLink *link = &p->links[l];
    cost += link_cost(p, link, s->place[link->from], s->place[link->to]);
  }
  for (u32 t = 0; t < s->nblocks; t++)
    if (s->place[t] != MAP_NONE) cost += s->penalty[(size_t)t * s->nplaces + s->place[t]];
  for (u32 i = 0; i < s->graph->nmemories; i++)
    cost += crowd_at(p, s->graph->memories[i], MAP_NONE, false);
  return cost;
}

enum {
  EFFORT = 5,         /* moves at a temperature, times n * cbrt(n) for n blocks */
  STARTS = 6,         /* full annealings at most, */
  MOVED_IN_ALL = 600, /* and blocks moved in all of them */
  NARROWEST = 16,     /* PEs around one of which a cluster takes its choice, at the end */
  NEARBY = 24         /* and in a perturbation */
};
/* Rates at which moves are taken are in thousandths. Above MIXED, which recurrence is slow is a
 * matter of chance. The others are VPR's: how quickly it cools, by rate, and the rate at which the
 * range of moves stays. */
enum { FULL = 1000, MIXED = 600, HOT = 960, WARM = 800, COLD = 150, STEADY = 440 };

/* Cools down from `temperature`, moving clusters as far as `range` PEs away at first. */
static void cool(Placer *p, i64 temperature, u32 range) {
  MapSearch *s = p->s;
  MapStats *stats = &s->mapping->stats;
  u64 moves = (u64)EFFORT * p->nmovable * cube_root(p->nmovable);
  assert(moves); /* callers ask for work first: find_work() */
  u32 narrowest = p->npes < NARROWEST ? p->npes : NARROWEST;
  i64 delta;
  for (bool is_last = false; !is_last;) {
    u32 accepted = 0;
    i64 cost = total_cost(p);
    is_last =
        temperature * 200 * (i64)p->nlinks < cost || search_stopped(s, "placing", (double)cost, 0);
    if (is_last) temperature = 0;
    for (u64 i = 0; i < moves; i++) accepted += try_move(p, range, temperature, &delta);
    stats->moves += moves;
    stats->accepted += accepted;
    u32 rate = (u32)((u64)accepted * FULL / moves);
    if (rate < MIXED) critical_weigh(p);
    temperature = temperature * (rate > HOT ? 50 : rate > WARM ? 90 : rate > COLD ? 95 : 80) / 100;
    range = (u32)((u64)range * (FULL - STEADY + rate) / FULL);
    if (range > p->npes) range = p->npes;
    if (range < narrowest) range = narrowest;
  }
}

/* What moves cost on average, while everything is taken and mixed well. */
static i64 stir(Placer *p) {
  i64 sum = 0, delta, moves = (i64)p->nmovable * 4;
  assert(moves);
  for (i64 i = 0; i < moves; i++) {
    try_move(p, p->npes, INT64_MAX >> 16, &delta);
    sum += delta < 0 ? -delta : delta;
  }
  return sum / moves;
}

static Placement room_for_one(Placer *p) {
  return (Placement){NEW_ARRAY(p->arena, u32, p->s->nblocks + (size_t)1),
                     NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1),
                     NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1), 0};
}

static void write_down(const Placer *p, const Placement *kept) {
  const MapSearch *s = p->s;
  memcpy(kept->place, s->place, s->nblocks * sizeof *kept->place);
  memcpy(kept->fu_of, s->fu_of, p->nclusters * sizeof *kept->fu_of);
  memcpy(kept->match_of, s->match_of, p->nclusters * sizeof *kept->match_of);
}

/* Keeps where blocks are, in the order of cost. */
static void keep(Placer *p, i64 cost) {
  u32 i = p->nkept++;
  Placement kept = p->kept[i];
  for (; i && p->kept[i - 1].cost > cost; i--) p->kept[i] = p->kept[i - 1];
  write_down(p, &kept);
  kept.cost = cost;
  p->kept[i] = kept;
}

static void put_back(Placer *p, const Placement *kept) {
  MapSearch *s = p->s;
  for (u32 c = 0; c < p->nclusters; c++) place_take_away(p, c);
  for (u32 c = 0; c < p->nclusters; c++) {
    u32 pe = kept->place[c];
    Fit how = {kept->fu_of[c] - pe_at(s->graph, pe)->first_fu, kept->match_of[c]};
    place_put(p, c, pe, &how);
  }
  memcpy(s->place, kept->place, s->nblocks * sizeof *kept->place);
  for (u32 i = 0; i < s->graph->ninputs; i++) p->arg_at[i] = MAP_NONE;
  for (u32 i = 0; i < s->graph->noutputs; i++) p->output_at[i] = MAP_NONE;
  for (u32 t = s->first_arg; t < s->nblocks; t++)
    if (s->place[t] != MAP_NONE) (t < s->first_output ? p->arg_at : p->output_at)[s->place[t]] = t;
}

/* Small graphs are annealed from several starts, as where memories end up is a matter of luck; of
 * large ones a single annealing takes so many moves that luck evens out. */
static u32 starts_for(u32 nmovable) {
  u32 starts = nmovable ? MOVED_IN_ALL / nmovable : 1;
  return starts < 1 ? 1 : starts > STARTS ? STARTS : starts;
}

/* Nets and links as the clusters' matches are now. False where there is nothing to be moved. */
static bool find_work(Placer *p) {
  nets_find(p->s);
  find_links(p);
  return p->nmovable && p->nlinks;
}

void place_anneal(Placer *p) {
  MapSearch *s = p->s;
  if (!p->kept) {
    p->kept = NEW_ARRAY(p->arena, Placement, STARTS);
    for (u32 i = 0; i < STARTS; i++) p->kept[i] = room_for_one(p);
    p->best = room_for_one(p);
  }
  p->nkept = p->next_kept = 0;
  u32 starts = starts_for(p->nmovable);
  for (u32 i = 0; find_work(p) && i < starts && !s->is_stopped; i++) {
    bool is_continued = s->options->nhints && s->mapping->stats.attempts == 1;
    /* Hints gave a placement: it is to be refined, so the start is cool. */
    i64 temperature = is_continued ? total_cost(p) / p->nlinks / 4 : stir(p) * 2;
    cool(p, temperature, p->npes);
    keep(p, total_cost(p));
  }
  place_next(p);
  nets_find(s);
}

bool place_next(Placer *p) {
  if (p->next_kept == p->nkept) return false;
  put_back(p, &p->kept[p->next_kept++]);
  find_work(p);
  return true;
}

void place_repair(Placer *p) {
  if (find_work(p)) cool(p, total_cost(p) / p->nlinks / 4, p->npes / 4 + 1);
  nets_find(p->s);
}

void place_remember(Placer *p) {
  write_down(p, &p->best);
}

void place_perturb(Placer *p) {
  put_back(p, &p->best);
  if (find_work(p)) cool(p, total_cost(p) / p->nlinks / 4, p->npes < NEARBY ? p->npes : NEARBY);
  nets_find(p->s);
}

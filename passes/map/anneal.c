/* anneal.c -- placement by simulated annealing.
 *
 *     PE 0   PE 1   PE 2          PE 0   PE 1   PE 2
 *      a             b     ->             a      b       one step nearer to b: taken
 *
 * A block (cluster, memory, argument, output) has a place; a move brings a block to another place,
 * and swaps it with the block that is there, if the place is taken. The cost is the sum over links
 * of weight times distance, plus penalties of places where routing failed (route.c), firings of
 * temporal PEs (place.c) and requests of memories beyond their channels. A link is a source and a
 * sink of a net; its weight falls with the net's fan-out, as sinks share most of their route. A
 * move that does not raise the cost is accepted, any other with a probability that falls with the
 * temperature (Metropolis). Temperature and the range of moves follow the acceptance rate, and the
 * end is at 0.005 of the mean cost of a link, as in VPR (Betz and Rose 1997); then a last round is
 * greedy. As there, too, a cluster chooses among the PEs that it fits, not among all (VPR's
 * compressed grids): of twelve PEs around a load, one may be of the class that has loads.
 *
 * Each placement on the way is legal (place.c says what that is). Where memories and ports go is
 * decided early and hardly changes later, so small graphs are annealed from several starts. All
 * results are kept, in order of cost: the best is tried first, place_next gives the others.
 *
 * Integers only, and LOOM's own random-number generator: the same moves on any machine. Cost: a few
 * links a move; moves a temperature grow as blocks^(4/3), as in VPR.
 */
#include "map/placer.h"

/* ---- links and their cost -------------------------------------------------------------------- */

/* The share of a net's wirelength that one of its sinks accounts for, in sixteenths: falls with the
 * fan-out, to a half. */
static u32 share_of(u32 fanout) {
  static const u8 shares[] = {16, 16, 14, 13, 12, 11, 10, 10, 9};
  return fanout < COUNT_OF(shares) ? shares[fanout] : 8;
}

/* A link's row or column in RouteGraph.distance is base + scale * place. Rows and columns are
 * terminals: PEs, then those of each memory (load, store address, store data; of each channel),
 * then ports of the fabric. Which channel of a memory a lane gets is decided later (tags.c); here
 * lanes take channels in turn, since the channels of a memory are near each other. */
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

/* The cost of a link with its ends at two places. */
static inline i64 link_cost(const Placer *p, const NetLink *link, u32 from, u32 to) {
  return (i64)link->weight * p->s->graph->distance[link_at(p, link, from, to)];
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Block a goes to the place `to`; b (MAP_NONE: none), which it displaces, goes to where a was. */
typedef struct {
  u32 a, to, b;
  Fit how, back; /* clusters: the unit and match of a and of b */
} BlockMove;

/* A random PE of the `range` nearest that the cluster fits: nearest to its place, or (half of the
 * time) to a cluster or memory that it has a link to. */
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

/* Is the move legal with b displaced (MAP_NONE: none)? Then fills how, back and b. */
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

/* The plan_ functions choose a random legal move of move->a, or return false. */
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

/* Lists the memories of the graph that are placed in one of the fabric. */
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
  u32 few[64], *list = FEW_OR_ALLOC(few, s->dfg->nmemories);
  u32 n = memories_at(s, to, list), b = n ? list[random_below(&s->random, n)] : MAP_NONE;
  few_free(few, list);
  if (b == MAP_NONE || s->is_pinned[s->first_memory + b] || !place_memory_fits(p, m, to, b) ||
      !place_memory_fits(p, b, from, m))
    return false;
  move->b = s->first_memory + b;
  return true;
}

/* By port of the fabric, the block in it: of outputs for an output, else of inputs. */
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
    place_remove(p, a);
    if (b != MAP_NONE) place_remove(p, b);
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

/* Turns 32 random bits into an exponential sample in sixteenths, about log2(2^32 / (r + 1)): it is
 * greater than x with probability 2^-x. The fraction is interpolated linearly. */
static u32 exponential_sample(u32 r) {
  u32 zeros = 0;
  for (r |= 1; !(r >> 31); r <<= 1) zeros++;
  return zeros * 16 + (15 - (r >> 27 & 15));
}

/* The place of a block after a move. */
static inline u32 place_after(const Placer *p, const BlockMove *move, u32 block) {
  const u32 *place = p->s->place;
  return block == move->a ? move->to : block == move->b ? place[move->a] : place[block];
}

/* The change in cost of a block's links, except those to block `but`, and of the penalty of its
 * place. */
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

/* The change in cost of the firings of temporal PEs. */
static i64 delta_of_firings(const Placer *p, const BlockMove *move) {
  if (move->a >= p->nclusters) return 0;
  return place_firings_cost(p, p->s->place[move->a], move->a, move->b) +
         place_firings_cost(p, move->to, move->b, move->a);
}

/* The cost of cycles by which requests to the memories of the graph at `place` exceed the interval
 * of their loops. Memory `one` (MAP_NONE: none) counts as there or not, as `is_there` says. */
static i64 requests_cost(const Placer *p, u32 place, u32 one, bool is_there) {
  enum { A_CYCLE_MORE = 16 * 128 }; /* as 32 steps of a net of one sink and initial weight */
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

/* The change in requests_cost if a memory moves, or two swap. Moves b for a while. */
static i64 delta_of_requests(const Placer *p, const BlockMove *move) {
  u32 *place = p->s->place, from = place[move->a], a = move->a - p->s->first_memory;
  if (move->a < p->s->first_memory || move->a >= p->s->first_arg) return 0;
  i64 before = requests_cost(p, from, a, true) + requests_cost(p, move->to, a, false);
  if (move->b != MAP_NONE) place[move->b] = from;
  i64 after = requests_cost(p, from, a, false) + requests_cost(p, move->to, a, true);
  if (move->b != MAP_NONE) place[move->b] = move->to;
  return after - before;
}

/* The change in cost that a move would make; negative is better. Computed without making the move,
 * since most are rejected. A link between a and b counts with b's. */
static i64 delta_of(const Placer *p, const BlockMove *move) {
  i64 delta = delta_of_block(p, move, move->a, move->b);
  if (move->b != MAP_NONE) delta += delta_of_block(p, move, move->b, MAP_NONE);
  return delta + delta_of_firings(p, move) + delta_of_requests(p, move);
}

/* The Metropolis rule, with base 2: accepts with probability 2^-(delta / temperature). */
static bool metropolis_accepts(MapSearch *s, i64 delta, i64 temperature) {
  return delta <= 0 || delta * 16 <= temperature * exponential_sample(random_next(&s->random));
}

/* Tries one random move; *delta is its change in cost, 0 where none was found. True if accepted. */
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
  i64 cost = place_all_firings_cost(p);
  for (u32 l = 0; l < p->nlinks; l++) {
    const NetLink *link = &p->links[l];
    cost += link_cost(p, link, s->place[link->from], s->place[link->to]);
  }
  for (u32 t = 0; t < s->nblocks; t++)
    if (s->place[t] != MAP_NONE) cost += s->penalty[(size_t)t * s->nplaces + s->place[t]];
  for (u32 i = 0; i < s->graph->nmemories; i++)
    cost += requests_cost(p, s->graph->memories[i], MAP_NONE, false);
  return cost;
}

enum {
  EFFORT = 5,         /* moves at a temperature, times n * cbrt(n) for n blocks */
  STARTS = 6,         /* full annealings at most, */
  MOVED_IN_ALL = 600, /* and blocks moved in all of them */
  NARROWEST = 16,     /* least range (PEs to choose from, see choose_pe), at the end; */
  NEARBY = 24         /* and the range of a perturbation */
};
/* Acceptance rates, in thousandths. Above MIXED the placement is too random to tell which
 * recurrence is slow (critical.c). The others are VPR's: thresholds of the cooling schedule, and
 * the rate at which the range of moves stays the same. */
enum { FULL = 1000, MIXED = 600, HOT = 960, WARM = 800, COLD = 150, STEADY = 440 };

/* Anneals from `temperature` down; clusters choose among the `range` nearest PEs at first. */
static void cool(Placer *p, i64 temperature, u32 range) {
  MapSearch *s = p->s;
  MapStats *stats = &s->mapping->stats;
  u64 moves = (u64)EFFORT * p->nmovable * cube_root(p->nmovable);
  assert(moves); /* callers ask for work first: rebuild_links() */
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

/* Randomises the placement: accepts all moves. Returns the mean change in cost, by magnitude. */
static i64 randomise(Placer *p) {
  i64 sum = 0, delta, moves = (i64)p->nmovable * 4;
  assert(moves);
  for (i64 i = 0; i < moves; i++) {
    try_move(p, p->npes, INT64_MAX >> 16, &delta);
    sum += delta < 0 ? -delta : delta;
  }
  return sum / moves;
}

static Placement new_placement(Placer *p) {
  return (Placement){NEW_ARRAY(p->arena, u32, p->s->nblocks + (size_t)1),
                     NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1),
                     NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1), 0};
}

static void save_placement(const Placer *p, const Placement *kept) {
  const MapSearch *s = p->s;
  memcpy(kept->place, s->place, s->nblocks * sizeof *kept->place);
  memcpy(kept->fu_of, s->fu_of, p->nclusters * sizeof *kept->fu_of);
  memcpy(kept->match_of, s->match_of, p->nclusters * sizeof *kept->match_of);
}

/* Saves the current placement in `kept`, which is sorted by cost (insertion). */
static void keep(Placer *p, i64 cost) {
  u32 i = p->nkept++;
  Placement kept = p->kept[i];
  for (; i && p->kept[i - 1].cost > cost; i--) p->kept[i] = p->kept[i - 1];
  save_placement(p, &kept);
  kept.cost = cost;
  p->kept[i] = kept;
}

static void restore_placement(Placer *p, const Placement *kept) {
  MapSearch *s = p->s;
  for (u32 c = 0; c < p->nclusters; c++) place_remove(p, c);
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

/* How often to anneal. Where memories of small graphs end up is a matter of luck; a single
 * annealing of a large graph makes so many moves that luck evens out. */
static u32 starts_for(u32 nmovable) {
  u32 starts = nmovable ? MOVED_IN_ALL / nmovable : 1;
  return starts < 1 ? 1 : starts > STARTS ? STARTS : starts;
}

/* Rebuilds nets and links for the current matches. False where there is nothing to move. */
static bool rebuild_links(Placer *p) {
  nets_find(p->s);
  find_links(p);
  return p->nmovable && p->nlinks;
}

void place_anneal(Placer *p) {
  MapSearch *s = p->s;
  if (!p->kept) {
    p->kept = NEW_ARRAY(p->arena, Placement, STARTS);
    for (u32 i = 0; i < STARTS; i++) p->kept[i] = new_placement(p);
    p->best = new_placement(p);
  }
  p->nkept = p->next_kept = 0;
  u32 starts = starts_for(p->nmovable);
  for (u32 i = 0; rebuild_links(p) && i < starts && !s->is_stopped; i++) {
    bool is_continued = s->options->nhints && s->mapping->stats.attempts == 1;
    /* Hints gave a placement: it is to be refined, so the start is cool. */
    i64 temperature = is_continued ? total_cost(p) / p->nlinks / 4 : randomise(p) * 2;
    cool(p, temperature, p->npes);
    keep(p, total_cost(p));
  }
  place_next(p);
  nets_find(s);
}

bool place_next(Placer *p) {
  if (p->next_kept == p->nkept) return false;
  restore_placement(p, &p->kept[p->next_kept++]);
  rebuild_links(p);
  return true;
}

void place_repair(Placer *p) {
  if (rebuild_links(p)) cool(p, total_cost(p) / p->nlinks / 4, p->npes / 4 + 1);
  nets_find(p->s);
}

void place_remember(Placer *p) {
  save_placement(p, &p->best);
}

void place_perturb(Placer *p) {
  restore_placement(p, &p->best);
  if (rebuild_links(p)) cool(p, total_cost(p) / p->nlinks / 4, p->npes < NEARBY ? p->npes : NEARBY);
  nets_find(p->s);
}

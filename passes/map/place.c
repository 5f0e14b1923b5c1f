/* place.c -- initial placement.
 *
 *     clusters   to function units: a spatial PE takes one cluster, a temporal one as many as it
 *                has instructions; where a PE is full, a cluster there may move to another PE
 *     memories   to memories of the fabric with free regions and lanes
 *     ports      widest first, each to the narrowest port of the fabric that is wide enough
 *
 * The result is legal, not good: anneal.c improves it. Several clusters of a temporal PE may share
 * a unit if it keeps no state, and if they agree in its configuration or each instruction has its
 * own.
 *
 * Clusters move along augmenting paths, as in Kuhn's algorithm for bipartite matching; a maximum
 * flow could express neither pins nor operand buffers. Memories are placed by backtracking: the
 * first choice as a rule, all choices in the worst case, up to MAX_VISITS.
 */
#include "map/hints.h"
#include "map/operands.h"
#include "map/placer.h"

#include <stdlib.h>

/* ---- what fits where ------------------------------------------------------------------------- */

/* Fills fits: by cluster and class of PEs, the units that implement the cluster, preferred match
 * first. The PE's ports must be wide enough. */
static void find_fits(Placer *p) {
  const Adg *adg = p->s->adg;
  const MapCover *cover = p->s->cover;
  const MapSupply *supply = p->s->supply;
  Vec(Fit) fits = {0};
  p->first_fit = NEW_ARRAY(p->arena, u32, mem_size(p->nclusters, supply->nclasses) + 1);
  for (u32 c = 0; c < p->nclusters; c++)
    for (u32 k = 0; k < supply->nclasses; k++) {
      u32 first_pe = supply->classes[k].first_pe;
      const AdgPe *pe = &adg->pes[first_pe];
      const MapCluster *cluster = &cover->clusters[c];
      p->first_fit[(size_t)c * supply->nclasses + k] = (u32)fits.len;
      for (u32 m = cluster->first_match; m < cluster->first_match + cluster->nmatches; m++)
        for (u32 f = 0; f < pe->nfus; f++)
          if (adg->fus[pe->first_fu + f].body == cover->matches[m].body &&
              mapping_hosts(p->s->dfg, adg, cover, &cover->matches[m], first_pe))
            vec_push(&fits, ((Fit){f, m}));
    }
  p->first_fit[(size_t)p->nclusters * supply->nclasses] = (u32)fits.len;
  p->fits = arena_copy(p->arena, fits.at, mem_size(fits.len, sizeof *fits.at));
  vec_free(&fits);
}

/* The fits of a cluster on a PE: from [0] to before [1] of Placer.fits. */
static const u32 *fits_of(const Placer *p, u32 cluster, u32 pe) {
  const MapSupply *supply = p->s->supply;
  return &p->first_fit[(size_t)cluster * supply->nclasses + supply->class_of[p->s->graph->pes[pe]]];
}

/* Places of the PE's shared operand buffer that its clusters need, without cluster `instead`. */
static u64 places_taken(const Placer *p, u32 pe, u32 instead) {
  u64 taken = 0;
  for (u32 c = p->first_in_pe[pe]; c != MAP_NONE; c = p->next_in_pe[c])
    if (c != instead) taken += p->operands[p->s->match_of[c]];
  return taken;
}

/* Has the shared operand buffer of the PE a place for each operand of one match more, without
 * cluster `instead`? Assumes that all operands come from inputs: which come from registers is not
 * known yet. */
static bool has_buffer_room(const Placer *p, u32 match, u32 pe, u32 instead) {
  u32 places = pe_at(p->s->graph, pe)->operand_buffer;
  return !places || (u64)p->operands[match] + places_taken(p, pe, instead) <= places;
}

/* Can the cluster share this unit with the clusters that use it, without cluster `instead`? */
static bool can_share(const Placer *p, u32 cluster, u32 pe, const Fit *how, u32 instead) {
  const MapSearch *s = p->s;
  const AdgPe *at = pe_at(s->graph, pe);
  u32 fu = at->first_fu + how->opcode;
  for (u32 c = p->first_in_pe[pe]; c != MAP_NONE; c = p->next_in_pe[c]) {
    if (c == instead || s->fu_of[c] != fu) continue;
    if (!adg_is_shareable(s->adg, at, fu)) return false;
    if (!adg_config_in_item(at) &&
        !mapping_same_payload(s->mapping, cluster, how->match, c, s->match_of[c]))
      return false;
  }
  return true;
}

const Fit *place_fit(const Placer *p, u32 cluster, u32 pe, u32 instead) {
  const MapSearch *s = p->s;
  u32 gone = instead != MAP_NONE && s->place[instead] == pe;
  if (p->count_in_pe[pe] - gone >= p->capacity[pe]) return NULL;
  const u32 *first = fits_of(p, cluster, pe);
  for (u32 i = first[0]; i < first[1]; i++) {
    if (!can_share(p, cluster, pe, &p->fits[i], instead)) continue;
    if (has_buffer_room(p, p->fits[i].match, pe, instead)) return &p->fits[i];
  }
  return NULL;
}

/* Why a PE does not take a cluster, with those that are in it now. */
typedef enum { NO_UNIT_FITS, IS_FULL, NO_UNIT_IS_FREE, NO_OPERAND_ROOM, WHY_NOT_COUNT } WhyNot;

static WhyNot why_not(const Placer *p, u32 cluster, u32 pe) {
  const u32 *first = fits_of(p, cluster, pe);
  if (first[0] == first[1]) return NO_UNIT_FITS;
  if (p->count_in_pe[pe] >= p->capacity[pe]) return IS_FULL;
  for (u32 i = first[0]; i < first[1]; i++)
    if (can_share(p, cluster, pe, &p->fits[i], MAP_NONE)) return NO_OPERAND_ROOM;
  return NO_UNIT_IS_FREE;
}

/* The operands of a cluster as the first unit of a PE that it can share. */
static u32 operands_of(const Placer *p, u32 cluster, u32 pe) {
  const u32 *first = fits_of(p, cluster, pe);
  for (u32 i = first[0]; i < first[1]; i++)
    if (can_share(p, cluster, pe, &p->fits[i], MAP_NONE)) return p->operands[p->fits[i].match];
  return 0;
}

enum { MAX_NAMES = 4 };

void place_explain(Placer *p, u32 cluster, u32 only_pe) {
  const MapSearch *s = p->s;
  static const char *const texts[WHY_NOT_COUNT] = {"", "no instruction left", "no unit for it left",
                                                   "too few places left in the operand buffer"};
  u64 least = UINT64_MAX; /* places with which a PE would take it */
  u32 full = MAP_NONE;    /* a PE without instructions left */
  for (u32 c = 0; only_pe != MAP_NONE && c < p->nclusters; c++)
    if (s->place[c] == only_pe && !s->is_pinned[c]) place_remove(p, c);
  for (u32 why = IS_FULL; why < WHY_NOT_COUNT; why++) {
    Buf names = {0};
    u32 n = 0;
    for (u32 pe = 0; pe < p->npes; pe++) {
      if ((only_pe != MAP_NONE && pe != only_pe) || why_not(p, cluster, pe) != (WhyNot)why)
        continue;
      const AdgPe *at = pe_at(s->graph, pe);
      if (!at->is_temporal) continue;
      u64 places = places_taken(p, pe, MAP_NONE) + operands_of(p, cluster, pe);
      if (why == NO_OPERAND_ROOM && places < least) least = places;
      if (why == IS_FULL && p->capacity[pe] == at->num_instruction) full = pe;
      if (n++ >= MAX_NAMES) continue;
      buf_printf(&names, "%s%s (", n > 1 ? ", " : "", adg_name(s->adg, at->component));
      if (why == NO_OPERAND_ROOM)
        buf_printf(&names, "%llu of %u taken)", (unsigned long long)places_taken(p, pe, MAP_NONE),
                   at->operand_buffer);
      else
        buf_printf(&names, "%u of %u taken)", p->count_in_pe[pe], p->capacity[pe]);
    }
    if (n > MAX_NAMES) buf_str(&names, ", ...");
    if (n)
      diag_note(s->ctx, LOC_NONE, "%u PE%s %s %s: %s", n, plural(n), n == 1 ? "has" : "have",
                texts[why], names.data);
    buf_free(&names);
  }
  if (least != UINT64_MAX && (only_pe != MAP_NONE || !operands_hint(s->ctx, s->cover, s->supply)))
    diag_hint(s->ctx,
              "use an operand buffer of at least %llu places (loom adg --operand-buffer %llu)",
              (unsigned long long)least, (unsigned long long)least);
  else if (least == UINT64_MAX && full != MAP_NONE)
    diag_hint(s->ctx, "use at least %u instructions (loom adg --instructions %u)",
              p->capacity[full] + 1, p->capacity[full] + 1);
}

/* The cost of the firings of a PE in an iteration. Instructions in one PE wait for each other, so
 * it grows quadratically; firings beyond the interval make the loop slower, and cost more. In the
 * annealer's units (anneal.c): a step of a net of one sink and initial weight is 64. */
enum { CROWD_COST = 32, EXCESS_COST = 512 };

static i64 crowd_cost(u32 firings, u32 interval) {
  i64 n = firings, excess = firings > interval ? firings - interval : 0;
  return CROWD_COST * n * (n + 1) / 2 + EXCESS_COST * excess * (excess + 1) / 2;
}

static bool has_firings(const Placer *p, u32 cluster, u32 pe) {
  return p->s->firings.loop[cluster] != MAP_NONE && pe_at(p->s->graph, pe)->is_temporal;
}

/* Adds (1) or removes (-1) the firings of a cluster, in each loop that may run concurrently with
 * its own. */
static void count_firings(Placer *p, u32 cluster, int times) {
  const Firings *f = &p->s->firings;
  u32 pe = p->s->place[cluster], loop = f->loop[cluster];
  if (!has_firings(p, cluster, pe)) return;
  for (u32 i = f->concurrent.first[loop]; i < f->concurrent.first[loop + 1]; i++)
    p->firings[(size_t)pe * f->nloops + f->concurrent.to[i]] += (u32)times * f->fires[cluster];
}

/* The loops in which a cluster's firings count, rising, and how often it fires. */
typedef struct {
  const u32 *loops, *end;
  u32 fires;
} Counted;

static Counted counted_of(const Placer *p, u32 cluster, u32 pe) {
  const Firings *f = &p->s->firings;
  if (cluster == MAP_NONE || !has_firings(p, cluster, pe)) return (Counted){NULL, NULL, 0};
  const u32 *first = &f->concurrent.first[f->loop[cluster]];
  return (Counted){f->concurrent.to + first[0], f->concurrent.to + first[1], f->fires[cluster]};
}

/* The firings in `loop`, past which the list then goes on; 0: not in the list. */
static u32 take_loop(Counted *counted, u32 loop) {
  if (counted->loops == counted->end || *counted->loops != loop) return 0;
  counted->loops++;
  return counted->fires;
}

i64 place_firings_cost(const Placer *p, u32 pe, u32 out, u32 in) {
  Counted less = counted_of(p, out, pe), more = counted_of(p, in, pe);
  const u32 *here = p->firings + (size_t)pe * p->s->firings.nloops;
  i64 cost = 0;
  while (less.loops != less.end || more.loops != more.end) {
    u32 loop = less.loops == less.end || (more.loops != more.end && *more.loops < *less.loops)
                   ? *more.loops
                   : *less.loops;
    u32 after = here[loop] - take_loop(&less, loop) + take_loop(&more, loop);
    cost += crowd_cost(after, p->interval[loop]) - crowd_cost(here[loop], p->interval[loop]);
  }
  return cost;
}

i64 place_all_firings_cost(const Placer *p) {
  u32 nloops = p->s->firings.nloops;
  i64 cost = 0;
  for (u32 pe = 0; pe < p->npes; pe++)
    for (u32 loop = 0; loop < nloops; loop++)
      cost += crowd_cost(p->firings[(size_t)pe * nloops + loop], p->interval[loop]);
  return cost;
}

void place_remove(Placer *p, u32 cluster) {
  MapSearch *s = p->s;
  u32 pe = s->place[cluster], *at = &p->first_in_pe[pe];
  while (*at != cluster) at = &p->next_in_pe[*at];
  *at = p->next_in_pe[cluster];
  p->count_in_pe[pe]--;
  count_firings(p, cluster, -1);
  s->place[cluster] = MAP_NONE;
}

void place_put(Placer *p, u32 cluster, u32 pe, const Fit *how) {
  MapSearch *s = p->s;
  s->place[cluster] = pe;
  s->fu_of[cluster] = pe_at(s->graph, pe)->first_fu + how->opcode;
  s->match_of[cluster] = how->match;
  p->next_in_pe[cluster] = p->first_in_pe[pe];
  p->first_in_pe[pe] = cluster;
  p->count_in_pe[pe]++;
  count_firings(p, cluster, 1);
}

bool place_memory_fits(const Placer *p, u32 memory, u32 place, u32 instead) {
  const MapSearch *s = p->s;
  if (!s->graph->is_inside[s->adg->memories[place].component]) return false;
  u32 few[64] = {0}, *list = FEW_OR_ALLOC(few, s->dfg->nmemories), n = 0;
  for (u32 m = 0; m < s->dfg->nmemories; m++)
    if (m == memory || (s->place[s->first_memory + m] == place && m != instead)) list[n++] = m;
  bool fits = tags_regions(s, place, list, n, NULL);
  few_free(few, list);
  return fits;
}

static u32 port_bits(const MapSearch *s, u32 block) {
  const Dfg *dfg = s->dfg;
  if (block >= s->first_output) return dfg->types[dfg->outputs[block - s->first_output].type].bits;
  return dfg->types[dfg->args[block - s->first_arg].type].bits;
}

/* Where the port is tagged the host sends tokens under the tag that their route begins with. */
bool place_port_fits(const MapSearch *s, u32 block, u32 place) {
  const RouteGraph *g = s->graph;
  u32 component = block >= s->first_output ? g->outputs[place] : g->inputs[place];
  const AdgPort *port = &s->adg->ports[s->adg->components[component].first_port];
  return port->width >= port_bits(s, block);
}

/* The place of a block that needs a port and has none yet. */
#define UNPLACED (MAP_NONE - 1)

/* The PE (as a place) that a unit is in; MAP_NONE: it is not in the region. */
static u32 place_of_fu(const MapSearch *s, u32 fu) {
  for (u32 pe = 0; pe < s->graph->npes; pe++) {
    const AdgPe *at = pe_at(s->graph, pe);
    if (fu >= at->first_fu && fu < at->first_fu + at->nfus) return pe;
  }
  return MAP_NONE;
}

/* ---- initial placement ----------------------------------------------------------------------- */

/* Length of an augmenting path; bounds the recursion. */
enum { MAX_PATH = 1000 };
/* Attempts to place a memory; no real graph gets there. */
enum { MAX_VISITS = 100000 };

/* Places a cluster on `only_pe`, or on any where that is MAP_NONE, moving others there along an
 * augmenting path of at most `depth` if need be; each cluster moves once a visit. Pinned clusters
 * change to other units of their PE at most. Restores everything where it fails. */
static bool place_cluster(Placer *p, u32 cluster, u32 only_pe, u32 visit, u32 depth) {
  bool is_any = only_pe == MAP_NONE;
  u32 first = is_any ? 0 : only_pe, end = is_any ? p->npes : only_pe + 1;
  for (u32 pe = first; pe < end; pe++) {
    const Fit *how = place_fit(p, cluster, pe, MAP_NONE);
    if (!how) continue;
    place_put(p, cluster, pe, how);
    return true;
  }
  for (u32 pe = first; depth && pe < end; pe++) {
    for (u32 o = p->first_in_pe[pe], next; o != MAP_NONE; o = next) {
      next = p->next_in_pe[o];
      if ((is_any && p->s->is_pinned[o]) || p->seen[o] == visit) continue;
      const Fit *how = place_fit(p, cluster, pe, o);
      if (!how) continue;
      Fit old = {p->s->fu_of[o] - pe_at(p->s->graph, pe)->first_fu, p->s->match_of[o]};
      p->seen[o] = visit;
      place_remove(p, o);
      place_put(p, cluster, pe, how);
      if (place_cluster(p, o, only_pe, visit, depth - 1)) return true;
      place_remove(p, cluster);
      place_put(p, o, pe, &old);
    }
  }
  return false;
}

/* The placement in the input text, for the first attempt; NULL: another attempt, or there is
 * none. */
static const MapHints *text_hints(const MapSearch *s) {
  return s->mapping->stats.attempts == 1 ? s->options->text : NULL;
}

/* Places clusters on the units that the text names, where these are free, and pins them; the others
 * are placed later like any cluster. */
static void place_clusters_by_text(Placer *p) {
  MapSearch *s = p->s;
  const MapHints *text = text_hints(s);
  for (u32 c = 0; text && c < p->nclusters; c++) {
    u32 fu = text->fus[c], pe = fu == MAP_NONE ? MAP_NONE : place_of_fu(s, fu);
    if (pe == MAP_NONE || s->place[c] != MAP_NONE || p->count_in_pe[pe] >= p->capacity[pe])
      continue;
    const u32 *first = fits_of(p, c, pe);
    for (u32 i = first[0]; i < first[1] && s->place[c] == MAP_NONE; i++)
      if (pe_at(s->graph, pe)->first_fu + p->fits[i].opcode == fu &&
          can_share(p, c, pe, &p->fits[i], MAP_NONE) &&
          has_buffer_room(p, p->fits[i].match, pe, MAP_NONE)) {
        place_put(p, c, pe, &p->fits[i]);
        s->is_pinned[c] = true;
      }
  }
}

/* Places as many clusters as possible: pinned ones, those in the text, hinted ones, the others.
 * False if one is left over; *what is the first such. */
static bool place_clusters(Placer *p, u32 *what) {
  MapSearch *s = p->s;
  u32 left = MAP_NONE;
  for (u32 i = 0; i < s->options->npins; i++) {
    const MapPin *pin = &s->options->pins[i];
    u32 cluster = s->cover->cluster_of[pin->node];
    if (cluster == MAP_NONE || s->is_pinned[cluster]) continue;
    u32 pe = place_of_pe(s->graph, pin->pe);
    bool is_there = pe != MAP_NONE && place_cluster(p, cluster, pe, ++p->visit, MAX_PATH);
    if (!is_there && left == MAP_NONE) left = cluster;
    s->is_pinned[cluster] = true;
  }
  place_clusters_by_text(p);
  /* Hints: the places of an earlier mapping, where they are still legal. */
  for (u32 i = 0; i < s->options->nhints; i++) {
    const MapPin *hint = &s->options->hints[i];
    u32 cluster = s->cover->cluster_of[hint->node];
    u32 pe = place_of_pe(s->graph, hint->pe);
    const Fit *how = cluster != MAP_NONE && pe != MAP_NONE && s->place[cluster] == MAP_NONE
                         ? place_fit(p, cluster, pe, MAP_NONE)
                         : NULL;
    if (how) place_put(p, cluster, pe, how);
  }
  for (u32 c = 0; c < p->nclusters; c++)
    if (s->place[c] == MAP_NONE && !s->is_pinned[c] &&
        !place_cluster(p, c, MAP_NONE, ++p->visit, MAX_PATH) && left == MAP_NONE)
      left = c;
  if (left != MAP_NONE) *what = left;
  return left == MAP_NONE;
}

/* Places the n memories of `order` by backtracking, up to MAX_VISITS. False: *what is a memory that
 * could not be placed with the choices for those before. */
static bool place_memory(Placer *p, const u64 *order, u32 n, u32 *what) {
  MapSearch *s = p->s;
  if (!n) return true;
  u32 memory = (u32)order[0], block = s->first_memory + memory;
  if (++p->visits < MAX_VISITS) *what = block;
  for (u32 i = 0; i < s->graph->nmemories && p->visits < MAX_VISITS; i++) {
    if (!place_memory_fits(p, memory, s->graph->memories[i], MAP_NONE)) continue;
    s->place[block] = s->graph->memories[i];
    if (place_memory(p, order + 1, n - 1, what)) return true;
    s->place[block] = MAP_NONE;
  }
  return false;
}

/* Memories with many ports first. */
static bool place_memories(Placer *p, u32 *what) {
  const Dfg *dfg = p->s->dfg;
  u64 *order = NEW_ARRAY(p->arena, u64, dfg->nmemories);
  u32 n = 0;
  for (u32 m = 0; m < dfg->nmemories; m++) {
    u32 ports = dfg_memory_ports(&dfg->memories[m]);
    if (!p->s->is_pinned[p->s->first_memory + m]) order[n++] = (u64)(UINT32_MAX - ports) << 32 | m;
  }
  qsort(order, n, sizeof *order, compare_u64);
  p->visits = 0;
  return place_memory(p, order, n, what);
}

/* Places blocks `first` to before `last` (arguments, or outputs), widest first, each in the
 * narrowest free port that is wide enough; `at` is by port the block in it. False: *what found
 * none. */
static bool place_ports(Placer *p, u32 first, u32 last, u32 *at, u32 nplaces, u32 *what) {
  MapSearch *s = p->s;
  const u32 *ports = first == s->first_output ? s->graph->outputs : s->graph->inputs;
  for (;;) {
    u32 block = MAP_NONE, best = MAP_NONE, best_width = MAP_NONE;
    for (u32 t = first; t < last; t++)
      if (s->place[t] == UNPLACED && (block == MAP_NONE || port_bits(s, t) > port_bits(s, block)))
        block = t;
    if (block == MAP_NONE) return true;
    for (u32 k = 0; k < nplaces; k++) {
      u32 width = s->adg->ports[s->adg->components[ports[k]].first_port].width;
      if (at[k] == MAP_NONE && place_port_fits(s, block, k) && width < best_width)
        best = k, best_width = width;
    }
    *what = block;
    if (best == MAP_NONE) return false;
    s->place[block] = best;
    at[best] = block;
  }
}

/* Lists the blocks that annealing may move. */
static void find_movable(Placer *p) {
  MapSearch *s = p->s;
  p->nmovable = 0;
  for (u32 t = 0; t < s->nblocks; t++)
    if (s->place[t] != MAP_NONE && !s->is_pinned[t]) p->movable[p->nmovable++] = t;
}

/* Places memories and ports where the text says, if that is legal, and pins them. */
static void place_rest_by_text(Placer *p) {
  MapSearch *s = p->s;
  const MapHints *text = text_hints(s);
  for (u32 m = 0; text && m < s->dfg->nmemories; m++) {
    u32 at = text->memories[m], block = s->first_memory + m;
    if (at == MAP_NONE || !place_memory_fits(p, m, at, MAP_NONE)) continue;
    s->place[block] = at;
    s->is_pinned[block] = true;
  }
  for (u32 t = s->first_arg; text && t < s->nblocks; t++) {
    bool is_output = t >= s->first_output;
    u32 component = is_output ? text->outputs[t - s->first_output] : text->args[t - s->first_arg];
    const u32 *ports = is_output ? s->graph->outputs : s->graph->inputs;
    u32 n = is_output ? s->graph->noutputs : s->graph->ninputs,
        *at = is_output ? p->output_at : p->arg_at;
    for (u32 k = 0; k < n && component != MAP_NONE; k++) {
      if (ports[k] != component || s->place[t] != UNPLACED || at[k] != MAP_NONE ||
          !place_port_fits(s, t, k))
        continue;
      s->place[t] = k;
      at[k] = t;
      s->is_pinned[t] = true;
    }
  }
}

bool place_first(Placer *p, u32 *what) {
  MapSearch *s = p->s;
  const Dfg *dfg = s->dfg;
  for (u32 pe = 0; pe < p->npes; pe++) p->first_in_pe[pe] = MAP_NONE, p->count_in_pe[pe] = 0;
  memset(p->firings, 0, (size_t)p->npes * s->firings.nloops * sizeof *p->firings);
  for (u32 i = 0; i < s->graph->ninputs; i++) p->arg_at[i] = MAP_NONE;
  for (u32 i = 0; i < s->graph->noutputs; i++) p->output_at[i] = MAP_NONE;
  for (u32 t = 0; t < s->nblocks; t++) s->place[t] = MAP_NONE;
  for (u32 n = 0; n < s->nnets; n++)
    if (s->nets[n].source.kind == END_PORT) s->place[s->nets[n].source.block] = UNPLACED;
  for (u32 o = 0; o < dfg->noutputs; o++) s->place[s->first_output + o] = UNPLACED;
  for (u32 t = 0; t < s->nblocks; t++) s->is_pinned[t] = false;
  place_rest_by_text(p);
  u32 other;
  bool all = place_memories(p, what);
  all = place_ports(p, s->first_arg, s->first_output, p->arg_at, s->graph->ninputs,
                    all ? what : &other) &&
        all;
  all = place_ports(p, s->first_output, s->nblocks, p->output_at, s->graph->noutputs,
                    all ? what : &other) &&
        all;
  all = place_clusters(p, all ? what : &other) && all;
  find_movable(p);
  return all;
}

/* ---- construction ---------------------------------------------------------------------------- */

static bool fits_class(const Placer *p, u32 cluster, u32 class) {
  const u32 *first = &p->first_fit[(size_t)cluster * p->s->supply->nclasses + class];
  return first[0] < first[1];
}

static bool fit_same_classes(const Placer *p, u32 a, u32 b) {
  for (u32 k = 0; k < p->s->supply->nclasses; k++)
    if (fits_class(p, a, k) != fits_class(p, b, k)) return false;
  return true;
}

/* From a PE to a PE; or of a memory, from the PE to the nearest of the memory's inputs. */
static u32 steps_between(const RouteGraph *g, u32 place, u32 pe) {
  u32 least = FAR;
  if (place < g->npes) return g->distance[(size_t)place * g->nsinks + pe];
  u32 first = graph_memory_terminal(g, place - g->npes, 0, 0);
  for (u32 sink = first; sink < first + 3 * g->nchannels; sink++) {
    u32 steps = g->distance[(size_t)pe * g->nsinks + sink];
    if (steps < least) least = steps;
  }
  return least;
}

/* All PEs by their distance from a place: a counting sort, so that equals stay in the order of ids.
 */
static void sort_by_distance(const RouteGraph *g, u32 place, u32 *sorted) {
  u32 *count = mem_alloc((FAR + 2) * sizeof *count);
  for (u32 pe = 0; pe < g->npes; pe++) count[steps_between(g, place, pe) + 1]++;
  for (u32 d = 0; d <= FAR; d++) count[d + 1] += count[d];
  for (u32 pe = 0; pe < g->npes; pe++) sorted[count[steps_between(g, place, pe)]++] = pe;
  mem_free(count);
}

/* Clusters that fit the same classes share one set of sites. Returns the number of sets; first[i]
 * is the first cluster that has the i-th. */
static u32 share_sites(Placer *p, u32 *first) {
  u32 n = 0;
  for (u32 c = 0; c < p->nclusters; c++) {
    u32 k = 0;
    while (k < n && !fit_same_classes(p, c, first[k])) k++;
    if (k == n) first[n++] = c;
    p->sites_of[c] = k;
  }
  return n;
}

/* Fills sites: by set of clusters and place, the PEs that fit, nearest first. */
static void find_sites(Placer *p) {
  const RouteGraph *g = p->s->graph;
  const u32 *class_of = p->s->supply->class_of;
  u32 nplaces = p->npes + g->adg->nmemories;
  u32 *first = mem_alloc(mem_size(p->nclusters + (size_t)1, sizeof *first));
  u32 *sorted = mem_alloc(mem_size(p->npes + (size_t)1, sizeof *sorted));
  p->sites_of = NEW_ARRAY(p->arena, u32, p->nclusters + (size_t)1);
  u32 n = share_sites(p, first);
  p->sites = NEW_ARRAY(p->arena, Sites, n + (size_t)1);
  for (u32 k = 0; k < n; k++) {
    for (u32 pe = 0; pe < p->npes; pe++)
      p->sites[k].npes += fits_class(p, first[k], class_of[g->pes[pe]]);
    p->sites[k].near = NEW_ARRAY(p->arena, u32, mem_size(nplaces, p->sites[k].npes) + 1);
  }
  for (u32 place = 0; place < nplaces; place++) {
    sort_by_distance(g, place, sorted);
    for (u32 k = 0; k < n; k++) {
      u32 *near = p->sites[k].near + (size_t)place * p->sites[k].npes;
      for (u32 i = 0; i < p->npes; i++)
        if (fits_class(p, first[k], class_of[g->pes[sorted[i]]])) *near++ = sorted[i];
    }
  }
  mem_free(sorted);
  mem_free(first);
}

/* By loop, the interval that is expected anyway; only firings beyond it are excess (crowd_cost). It
 * is the largest of the resource bound of all PEs together (firings_least), of its own recurrences,
 * and of those of loops that are not concurrent with it (cover->apart where theirs is unknown). */
static u32 *find_intervals(const MapSearch *s, Arena *arena) {
  const Firings *f = &s->firings;
  u32 *intervals = NEW_ARRAY(arena, u32, f->nloops + (size_t)1);
  u32 least = firings_least(f, s->adg, s->cover->nclusters, true);
  for (u32 i = 0; i < f->nloops; i++) {
    intervals[i] = least;
    for (u32 k = 0; k < f->nloops; k++) {
      u32 other = s->interval[k] ? s->interval[k] : s->cover->apart;
      if (other > intervals[i] && !concurrent_are(&f->concurrent, i, k)) intervals[i] = other;
    }
  }
  return intervals;
}

Placer *placer_new(MapSearch *s) {
  Arena *arena = arena_new();
  Placer *p = NEW(arena, Placer);
  p->s = s;
  p->arena = arena;
  p->npes = s->graph->npes;
  p->nclusters = s->cover->nclusters;
  find_fits(p);
  p->operands = NEW_ARRAY(arena, u32, s->cover->nmatches + (size_t)1);
  for (u32 m = 0; m < s->cover->nmatches; m++)
    p->operands[m] = supply_operands(s->adg, s->cover, &s->cover->matches[m]);
  p->capacity = NEW_ARRAY(arena, u32, p->npes);
  for (u32 pe = 0; pe < p->npes; pe++)
    p->capacity[pe] = supply_instructions(s->adg, s->graph->pes[pe]);
  p->first_in_pe = NEW_ARRAY(arena, u32, p->npes);
  p->count_in_pe = NEW_ARRAY(arena, u32, p->npes);
  p->firings = NEW_ARRAY(arena, u32, mem_size(p->npes, s->firings.nloops + (size_t)1));
  p->interval = find_intervals(s, arena);
  p->seen = NEW_ARRAY(arena, u32, p->nclusters + (size_t)1);
  p->next_in_pe = NEW_ARRAY(arena, u32, p->nclusters);
  p->arg_at = NEW_ARRAY(arena, u32, s->graph->ninputs);
  p->output_at = NEW_ARRAY(arena, u32, s->graph->noutputs);
  p->links = NEW_ARRAY(arena, NetLink, s->dfg->nedges + (size_t)1);
  p->links_of = NEW_ARRAY(arena, u32, mem_size(2, s->dfg->nedges + (size_t)1));
  p->first_link = NEW_ARRAY(arena, u32, s->nblocks + (size_t)2);
  p->movable = NEW_ARRAY(arena, u32, s->nblocks + (size_t)1);
  critical_new(p);
  find_sites(p);
  return p;
}

void placer_free(Placer *p) {
  if (!p) return;
  critical_free(p);
  arena_free(p->arena);
}

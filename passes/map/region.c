/* region.c -- chooses the parts of a fabric that the search works on.
 *
 *     . . . . . .
 *     . o o o o .      windows of a board: its middle, the middle with a ring around it, and so on,
 *     . o x x o .      up to all of it. Each is searched as if it were the whole fabric
 *     . o x x o .
 *     . o o o o .
 *     . . . . . .
 *
 * Windows. A graph that fits onto a fabric fits onto a larger one that has the first in its middle.
 * A random search cannot know that, and may end with longer wires on the larger one. So the search
 * goes from window to window, and a result in a larger one replaces an earlier one only if it is
 * better: a larger fabric never gives a worse result than the smaller one. (A window's components
 * are numbered in the same order as on a fabric that is just this window, so the search makes the
 * same moves there.)
 *
 * The middle is found without knowledge of boards. Take the graph of the switches that are wired to
 * each other both ways. Two are adjacent if they are wired so, or if two others are between them,
 * as at opposite corners of a square. With this measure the switches within k steps of a switch of
 * a board form a square, too. The middle is the center of this graph, the switches whose distance
 * to the furthest other one (eccentricity) is least; window k is what is within k steps of it, with
 * everything that is wired to nothing else (PEs; memories with their tags and switches; inputs and
 * outputs). A ring or a torus has no middle: it is one window.
 *
 * Growth. Of a fabric of very many PEs only a part is searched, so that a large fabric takes no
 * longer than it must: the surroundings of one of its memories, and more of them if that was not
 * enough.
 *
 * Cost: for windows switches times wires between them, and above MAX_STEPS there is only one; for
 * growth a search over the whole fabric.
 */
#include "base/digraph.h"
#include "map/search.h"

#include <stdlib.h>

/* The most steps from switch to switch that finding the middle may take; and the most PEs of a
 * fabric that is searched as a whole, and of a window. */
enum { MAX_STEPS = 1 << 24, SMALL = 400 };

/* ---- the graph of switches ------------------------------------------------------------------- */

typedef struct {
  const Adg *adg;
  Arena *arena;
  u32 n, *switches, *number; /* components; by component: its index there, or MAP_NONE */
  Digraph next;
} SwitchBoard;

/* The component that an output leads to, past FIFOs and tag components; MAP_NONE: none, or
 * several. */
static u32 leads_to(const Adg *adg, u32 output) {
  for (u32 passed = 0; passed < adg->ncomponents; passed++) {
    const AdgPort *port = &adg->ports[output];
    if (port->nchannels != 1) break;
    u32 component = adg->ports[adg->channels[port->first_channel].to].component;
    const AdgComponent *c = &adg->components[component];
    if (adg_is_switch(c) || !adg_passes_tokens(c)) return component;
    output = c->first_port + c->ninputs;
  }
  return MAP_NONE;
}

static bool has_pair(const DigraphEdges *pairs, u64 pair) {
  return pairs->len && bsearch(&pair, pairs->at, pairs->len, sizeof pair, compare_u64);
}

static void sort_pairs(DigraphEdges *pairs) {
  size_t n = 0;
  if (pairs->len) qsort(pairs->at, pairs->len, sizeof *pairs->at, compare_u64);
  for (size_t i = 0; i < pairs->len; i++)
    if (!n || pairs->at[n - 1] != pairs->at[i]) pairs->at[n++] = pairs->at[i];
  pairs->len = n;
}

/* Finds the switches that are wired to each other both ways, and these wires. */
static void find_switches(SwitchBoard *b, DigraphEdges *wires) {
  const Adg *adg = b->adg;
  DigraphEdges one_direction = {0};
  for (u32 c = 0; c < adg->ncomponents; c++)
    for (u32 o = 0; adg_is_switch(&adg->components[c]) && o < adg->components[c].noutputs; o++) {
      u32 to = leads_to(adg, adg_output(adg, c, o));
      if (to != MAP_NONE && to != c && adg_is_switch(&adg->components[to]))
        digraph_edge(&one_direction, c, to);
    }
  sort_pairs(&one_direction);
  b->number = NEW_ARRAY(b->arena, u32, adg->ncomponents + (size_t)1);
  b->switches = NEW_ARRAY(b->arena, u32, adg->ncomponents + (size_t)1);
  for (u32 c = 0; c < adg->ncomponents; c++) b->number[c] = MAP_NONE;
  for (size_t i = 0; i < one_direction.len; i++) {
    u32 from = (u32)(one_direction.at[i] >> 32), to = (u32)one_direction.at[i];
    if (!has_pair(&one_direction, (u64)to << 32 | from)) continue;
    if (b->number[from] == MAP_NONE) b->number[from] = b->n, b->switches[b->n++] = from;
  }
  for (size_t i = 0; i < one_direction.len; i++) {
    u32 from = (u32)(one_direction.at[i] >> 32), to = (u32)one_direction.at[i];
    if (has_pair(&one_direction, (u64)to << 32 | from))
      digraph_edge(wires, b->number[from], b->number[to]);
  }
  vec_free(&one_direction);
}

/* Adds the pairs of switches that have two others between them. False where that would take too
 * many steps. */
static bool find_squares(const SwitchBoard *b, DigraphEdges *pairs) {
  u32 *between = mem_alloc(mem_size(b->n + (size_t)1, sizeof *between));
  u64 steps = 0;
  for (u32 i = 0; i < b->n && steps <= MAX_STEPS; i++) {
    for (u32 pass = 0; pass < 2; pass++)
      for (u32 k = b->next.first[i]; k < b->next.first[i + 1]; k++) {
        u32 via = b->next.to[k];
        steps += b->next.first[via + 1] - b->next.first[via];
        for (u32 l = b->next.first[via]; l < b->next.first[via + 1]; l++) {
          u32 to = b->next.to[l];
          if (pass)
            between[to] = 0;
          else if (to != i && ++between[to] == 2)
            digraph_edge(pairs, i, to);
        }
      }
  }
  mem_free(between);
  return steps <= MAX_STEPS;
}

/* Finds the steps to each switch from the nearest of the first `n` of `queue`. Returns the most, or
 * MAP_NONE where a switch cannot be reached. */
static u32 measure_from(const SwitchBoard *b, u32 *queue, u32 n, u32 *steps) {
  for (u32 i = 0; i < b->n; i++) steps[i] = MAP_NONE;
  for (u32 i = 0; i < n; i++) steps[queue[i]] = 0;
  for (u32 head = 0; head < n; head++)
    for (u32 k = b->next.first[queue[head]]; k < b->next.first[queue[head] + 1]; k++) {
      u32 to = b->next.to[k];
      if (steps[to] != MAP_NONE) continue;
      steps[to] = steps[queue[head]] + 1;
      queue[n++] = to;
    }
  return n == b->n && n ? steps[queue[n - 1]] : MAP_NONE;
}

/* Finds the steps from the middle to each switch; returns the most, 0 where there is no middle. */
static u32 measure_from_middle(const SwitchBoard *b, u32 *steps) {
  u32 *queue = NEW_ARRAY(b->arena, u32, b->n + (size_t)1);
  u32 *most = NEW_ARRAY(b->arena, u32, b->n + (size_t)1), least = MAP_NONE, n = 0;
  if ((u64)b->n * b->next.first[b->n] > MAX_STEPS) return 0;
  for (u32 i = 0; i < b->n; i++) {
    queue[0] = i;
    most[i] = measure_from(b, queue, 1, steps);
    if (most[i] < least) least = most[i];
  }
  if (least == MAP_NONE) return 0;
  for (u32 i = 0; i < b->n; i++)
    if (most[i] == least) queue[n++] = i;
  return measure_from(b, queue, n, steps);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Components that are not switches of the graph form sets that are wired together without one. A
 * set is in the window of the furthest switch that any of its components is wired to. */
static void spread(const SwitchBoard *b, u32 *window_of) {
  const Adg *adg = b->adg;
  u32 *up = NEW_ARRAY(b->arena, u32, adg->ncomponents + (size_t)1);
  for (u32 c = 0; c < adg->ncomponents; c++) up[c] = c;
  for (u32 pass = 0; pass < 2; pass++)
    for (u32 p = 0; p < adg->nports; p++)
      for (u32 k = 0; adg->ports[p].is_output && k < adg->ports[p].nchannels; k++) {
        u32 from = adg->ports[p].component;
        u32 to = adg->ports[adg->channels[adg->ports[p].first_channel + k].to].component;
        bool is_from = b->number[from] != MAP_NONE, is_to = b->number[to] != MAP_NONE;
        if (!pass && !is_from && !is_to) up[find_root(up, from)] = find_root(up, to);
        if (!pass || is_from == is_to) continue;
        u32 *window = &window_of[find_root(up, is_from ? to : from)];
        u32 of_switch = window_of[is_from ? from : to];
        if (*window == MAP_NONE || of_switch > *window) *window = of_switch;
      }
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (b->number[c] == MAP_NONE) window_of[c] = window_of[find_root(up, c)];
}

u32 region_windows(const Adg *adg, u32 *window_of) {
  SwitchBoard b = {.adg = adg, .arena = arena_new()};
  DigraphEdges pairs = {0};
  u32 most = 0;
  for (u32 c = 0; c < adg->ncomponents; c++) window_of[c] = MAP_NONE;
  find_switches(&b, &pairs);
  sort_pairs(&pairs);
  b.next = digraph_new(b.arena, b.n, &pairs);
  if (find_squares(&b, &pairs)) {
    u32 *steps = NEW_ARRAY(b.arena, u32, b.n + (size_t)1);
    sort_pairs(&pairs);
    b.next = digraph_new(b.arena, b.n, &pairs);
    most = measure_from_middle(&b, steps);
    for (u32 i = 0; i < b.n; i++) window_of[b.switches[i]] = steps[i];
    if (most) spread(&b, window_of);
  }
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (!most || window_of[c] > most) window_of[c] = most;
  vec_free(&pairs);
  arena_free(b.arena);
  return most + 1;
}

/* ---- growth ---------------------------------------------------------------------------------- */

typedef struct {
  const Adg *adg;
  bool *is_inside, *is_lane; /* by component: in the region; visited by take_lanes */
  u32 *queue, *met_from;     /* components in the order of a breadth-first search from the seed, and
                              * by component the one before it, MAP_NONE: not met */
  u32 nmet;
  Extent has;
} Growth;

void region_count(const Adg *adg, u32 component, Extent *has) {
  const AdgComponent *c = &adg->components[component];
  has->pes += adg_is_pe(c);
  has->memories += adg_is_memory(c);
  has->inputs += c->kind == ADG_INPUT;
  has->outputs += c->kind == ADG_OUTPUT;
}

static void meet(Growth *g, u32 component, u32 from) {
  if (g->met_from[component] != MAP_NONE) return;
  g->met_from[component] = from;
  g->queue[g->nmet++] = component;
}

/* Meets the components that tokens can go on to from this one, and those that they come from, but
 * for switches, PEs and memories. So a path is one that tokens can take: none leads through a PE or
 * a memory, nor from lane to lane of one. */
static void meet_next(Growth *g, u32 component) {
  const Adg *adg = g->adg;
  const AdgComponent *c = &adg->components[component];
  if (!adg_passes_tokens(c)) return;
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 p = adg_input(adg, component, i), from = MAP_NONE;
    if (adg->ports[p].nchannels) from = adg->ports[adg_driver(adg, p)].component;
    if (from == MAP_NONE || adg_is_switch(&adg->components[from])) continue;
    if (adg->components[from].kind == ADG_INPUT || adg_passes_tokens(&adg->components[from]))
      meet(g, from, component);
  }
  for (u32 o = 0; o < c->noutputs; o++) {
    const AdgPort *port = &adg->ports[adg_output(adg, component, o)];
    for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++)
      meet(g, adg->ports[adg->channels[k].to].component, component);
  }
}

/* Adds a component to the region, and the path to it from the seed. */
static void take(Growth *g, u32 component) {
  if (g->met_from[component] == MAP_NONE) return;
  for (u32 c = component; !g->is_inside[c]; c = g->met_from[c]) {
    g->is_inside[c] = true;
    region_count(g->adg, c, &g->has);
  }
}

static bool has_tags(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  for (u32 p = c->first_port; p < c->first_port + c->ninputs + c->noutputs; p++)
    if (adg->ports[p].is_tagged) return true;
  return false;
}

/* Adds a memory to the region with the components that are wired to it and, where those have tags,
 * on to the switches without tags at the ends of its lanes. */
static void take_lanes(Growth *g, u32 component, bool is_memory) {
  const Adg *adg = g->adg;
  const AdgComponent *c = &adg->components[component];
  meet(g, component, component);
  take(g, component);
  if (g->is_lane[component] || (!is_memory && !has_tags(adg, component))) return;
  g->is_lane[component] = true;
  for (u32 p = c->first_port; p < c->first_port + c->ninputs + c->noutputs; p++)
    for (u32 k = 0; k < adg->ports[p].nchannels; k++) {
      const AdgChannel *channel = &adg->channels[adg->ports[p].first_channel + k];
      u32 other = adg->ports[p].is_output ? channel->to : channel->from;
      take_lanes(g, adg->ports[other].component, false);
    }
}

/* The switch to begin at: one that leads to the first memory, or PE. */
static u32 find_seed(const Adg *adg) {
  u32 c = adg->nmemories ? adg->memories[0].component : adg->pes[0].component;
  for (u32 passed = 0; passed < adg->ncomponents; passed++) {
    const AdgComponent *at = &adg->components[c];
    if (adg_is_switch(at) && !(adg->nmemories && has_tags(adg, c) && at->noutputs == 1)) break;
    u32 i = 0;
    while (i < at->ninputs && !adg->ports[adg_input(adg, c, i)].nchannels) i++;
    if (i == at->ninputs) break;
    c = adg->ports[adg_driver(adg, adg_input(adg, c, i))].component;
  }
  return c;
}

/* Adds the components nearest to the seed until there are enough PEs; then only the nearest
 * memories, inputs and outputs that are still wanted, each with its path, so that the region does
 * not grow to the whole board for one input in a far corner. */
static void grow_from(Growth *g, u32 seed, const Extent *want) {
  meet(g, seed, seed);
  for (u32 i = 0; i < g->nmet; i++) meet_next(g, g->queue[i]);
  for (u32 i = 0, n = g->nmet; i < n; i++) {
    Extent counts = {0};
    region_count(g->adg, g->queue[i], &counts);
    if (counts.memories && g->has.memories < want->memories)
      take_lanes(g, g->queue[i], true);
    else if (g->has.pes < want->pes || (counts.inputs && g->has.inputs < want->inputs) ||
             (counts.outputs && g->has.outputs < want->outputs))
      take(g, g->queue[i]);
  }
}

bool region_is_small(const Extent *has) {
  return has->pes <= SMALL;
}

bool region_grow(const Adg *adg, Extent want, bool *is_inside) {
  Arena *arena = arena_new();
  u32 n = adg->ncomponents, ninside = 0;
  Growth g = {.adg = adg,
              .is_inside = is_inside,
              .is_lane = NEW_ARRAY(arena, bool, n + (size_t)1),
              .queue = NEW_ARRAY(arena, u32, n + (size_t)1),
              .met_from = NEW_ARRAY(arena, u32, n + (size_t)1)};
  bool is_part = adg->npes > SMALL && want.pes < adg->npes;
  for (u32 c = 0; c < n; c++) g.met_from[c] = MAP_NONE;
  if (is_part) grow_from(&g, find_seed(adg), &want);
  for (u32 c = 0; c < n; c++) {
    is_inside[c] = is_inside[c] || !is_part;
    ninside += is_inside[c];
  }
  arena_free(arena);
  return ninside == n;
}

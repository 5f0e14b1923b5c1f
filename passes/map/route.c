/* route.c -- routes for all nets: negotiated congestion (PathFinder: McMurchie and Ebeling 1995).
 *
 *     a -> sw.in0 => sw.out2 -> c         both want out2 at first; out2 grows dearer with every
 *     b -> sw.in1 => sw.out2 -> d         round in which it is wanted twice, until b, which has
 *                 => sw.out3 -> d         another route, takes it
 *
 * Every net is routed as if it were alone, but for the price of states: what more nets use than can
 * costs more, the more so the later the round, and what has been contested before stays dearer.
 * Then those that are in conflict are ripped up and routed again. It ends when nothing is
 * used twice, or nothing gets better. Prices are integers; a step costs BASE where no net is.
 *
 * A net with several sinks is a tree: sinks one after the other, near ones first, each from any
 * point of the tree where tokens can be doubled: inside switches. Each search is A*: the distances
 * of graph.c are a lower bound, since no step costs less than BASE; so where nothing is in
 * the way it hardly looks aside.
 *
 * Cost: a search looks at a part of the states between two places; rounds are tens.
 */
#include "map/router.h"

/* How many steps round a FIFO are better than a cycle in it. */
enum { DELAY = 5 };
/* By StepKind: of an edge, and of one whose tokens wait anyway (waits.c), which may lose a cycle before
 * a PE and leaves the inputs without FIFOs to others. */
static const u16 prices[STEP_KINDS] = {BASE, DELAY *BASE, DELAY *BASE, BASE};
static const u16 prices_of_waiting[STEP_KINDS] = {BASE, DELAY *BASE, BASE, DELAY *BASE};
/* What a place of a contested net costs more: a few steps. */
enum { PENALTY = 256, MAX_PENALTY = 1 << 16, MAX_WEIGHT = 64 };
enum { MAX_ROUNDS = 80, PATIENCE = 16, MAX_PRICE = 1 << 20, MAX_FINITE_PRICE = MAX_PRICE - 1 };
/* Where so late a round leaves more conflicts than one for every second net, no later one has ever
 * ended without: of 583 routings that did, on fabrics with narrow channels, the worst had 0.39 a
 * net then. VPR gives up likewise, by the slope of its conflicts. */
enum { TELLING_ROUND = 8 };

/* ---- what is used ---------------------------------------------------------------------------- */

static void count_use(Router *r, u32 *used, u32 capacity, int by) {
  bool was = *used > capacity;
  *used = (u32)((i64)*used + by);
  r->overused += (*used > capacity);
  r->overused -= was;
}

void route_use(Router *r, u32 state, int by) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  count_use(r, &r->states[state].used, 1, by);
  if (port->pool == MAP_NONE) return;
  if (port->group != MAP_NONE) { /* the row is taken with the first that has the tag */
    u32 *users = &r->limit_used[port->group + state - port->first_state];
    if (by > 0 ? (*users)++ : --*users) return;
  }
  count_use(r, &r->limit_used[port->pool], r->g->limits[port->pool], by);
}

/* True where a sink has no route, and needs one. */
static bool is_missing(const Router *r, u32 sink) {
  return r->sink_at[sink] == MAP_NONE && r->s->sinks[sink].kind != END_REGISTER;
}

/* No sink of the net is routed then. */
static void rip_up(Router *r, u32 net) {
  RouteTree *tree = &r->trees[net];
  for (u32 i = 0; i < tree->len; i++) route_use(r, tree->states[i], -1);
  tree->len = 0;
  const PlacedNet *n = &r->s->nets[net];
  for (u32 k = 0; k < n->nsinks; k++) {
    if (is_missing(r, n->first_sink + k)) r->missing--;
    r->sink_at[n->first_sink + k] = MAP_NONE;
  }
  r->missing -= r->unclaimed[net];
  r->unclaimed[net] = 0;
}

static u32 limit_price(const Router *r, u32 limit) {
  u32 used = r->limit_used[limit], capacity = r->g->limits[limit];
  if (used < capacity) return r->limit_history[limit];
  u64 price = (u64)(BASE + r->limit_history[limit]) * r->pressure * (used + 1 - capacity) / 16;
  return price + r->limit_history[limit] < MAX_FINITE_PRICE ? (u32)price + r->limit_history[limit]
                                                            : MAX_FINITE_PRICE;
}

/* True where a state takes room in its pool: of those that share a row the first does. */
static bool takes_room(const Router *r, u32 state) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  return port->pool != MAP_NONE &&
         (port->group == MAP_NONE || !r->limit_used[port->group + state - port->first_state]);
}

/* What it costs to enter a state. */
static u32 price_of(const Router *r, u32 state) {
  const RouteState *at = &r->states[state];
  u32 base = r->prices[at->kind] + at->history;
  u64 price = base + (u64)base * r->pressure * at->used / 16;
  if (r->g->nlimits && takes_room(r, state))
    price += limit_price(r, r->g->ports[r->g->state_port[state]].pool);
  return price < MAX_PRICE ? (u32)price : MAX_FINITE_PRICE;
}

bool route_is_contested(const Router *r, u32 net) {
  const RouteTree *tree = &r->trees[net];
  for (u32 i = 0; i < tree->len; i++) {
    u32 state = tree->states[i];
    const SearchPort *port = &r->g->ports[r->g->state_port[state]];
    if (r->states[state].used > 1) return true;
    if (port->pool != MAP_NONE && r->limit_used[port->pool] > r->g->limits[port->pool]) return true;
  }
  const PlacedNet *n = &r->s->nets[net];
  for (u32 k = 0; k < n->nsinks; k++)
    if (is_missing(r, n->first_sink + k)) return true;
  return r->unclaimed[net] > 0;
}

/* ---- the queue: a binary heap ---------------------------------------------------------------- */

static void heap_push(Router *r, u64 key, u32 state) {
  vec_push(&r->heap, ((HeapItem){key, state}));
  HeapItem *h = r->heap.at, item = vec_last(&r->heap);
  size_t i = r->heap.len - 1;
  for (; i && h[(i - 1) / 2].key > key; i = (i - 1) / 2) h[i] = h[(i - 1) / 2];
  h[i] = item;
}

static HeapItem heap_pop(Router *r) {
  HeapItem *h = r->heap.at, top = h[0], item = vec_pop(&r->heap);
  size_t n = r->heap.len, i = 0, child;
  if (!n) return top;
  for (; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && h[child + 1].key < h[child].key) child++;
    if (item.key <= h[child].key) break;
    h[i] = h[child];
  }
  h[i] = item;
  return top;
}

/* ---- one search ------------------------------------------------------------------------------ */

static u32 bound_of(const Router *r, const RouteState *at) {
  return r->is_discard ? 0 : r->bound[at->local];
}

/* A path to `state` that costs `cost`, through `from` (MAP_NONE: it starts there). */
static void offer(Router *r, u32 state, u32 cost, u32 from) {
  RouteState *at = &r->states[state];
  u32 bound = bound_of(r, at);
  if (bound >= FAR || (at->stamp == r->search && at->cost <= cost)) return;
  at->stamp = r->search;
  at->cost = cost;
  at->from = from;
  heap_push(r, (u64)(cost + bound * BASE) << 32 | (UINT32_MAX - cost), state);
}

bool route_is_free(const Router *r, const PlacedNet *net, u32 state) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  return r->s->adg->ports[r->g->state_port[state]].width >= net->bits && !r->states[state].used &&
         (!takes_room(r, state) || r->limit_used[port->pool] < r->g->limits[port->pool]);
}

/* What it costs to enter an output that leads to several inputs: all that is entered with it. */
static u32 price_of_broadcast(Router *r, u32 state, u32 price) {
  u64 sum = price;
  if (!broadcast_is_wanted(r, state, false)) return MAX_PRICE;
  for (u32 i = 0; i < r->broadcast.len; i++) {
    u32 more = r->states[r->broadcast.at[i].state].tree_stamp == r->routing
                   ? MAX_PRICE
                   : price_of(r, r->broadcast.at[i].state);
    if (more >= MAX_PRICE) return MAX_PRICE;
    sum += more;
  }
  return sum < MAX_PRICE || price >= MAX_PRICE ? (u32)sum : MAX_FINITE_PRICE;
}

static void enter(void *context, u32 state) {
  Router *r = context;
  const RouteState *at = &r->states[state];
  /* No step costs less than BASE: where that is no better there is no need to ask. */
  if (at->stamp == r->search && at->cost <= r->at_cost + BASE) return;
  if (at->tree_stamp == r->routing || bound_of(r, at) >= FAR) return;
  if (at->width < r->net->bits) return;
  u32 price = price_of(r, state);
  if (r->has_broadcasts && is_broadcast(r, state)) price = price_of_broadcast(r, state, price);
  if (price < MAX_PRICE) offer(r, state, r->at_cost + price, r->at);
}

bool route_is_target(const Router *r, u32 state) {
  u32 p = r->g->state_port[state];
  const AdgPort *port = &r->s->adg->ports[p];
  if (port->is_output) return false;
  if (r->is_discard) {
    return adg_is_switch(&r->s->adg->components[port->component]) && !graph_is_pipe(r->g, p);
  }
  if (r->target_port != MAP_NONE && p != r->target_port) return false;
  if (port->component != r->target_component) return false;
  return r->target_tag == MAP_NONE || state_tag(r->g, state) == r->target_tag;
}

void route_aim(Router *r, const NetEnd *sink) {
  const MapSearch *s = r->s;
  r->is_discard = sink->kind == END_DISCARD;
  r->prices = sink->edge != MAP_NONE && r->waits[sink->edge] ? prices_of_waiting : prices;
  if (r->is_discard) return;
  u32 place = s->place[sink->block];
  r->target_port = MAP_NONE;
  r->target_tag = 0;
  r->bound = graph_steps_to(s->graph, end_sink(s, sink));
  if (sink->kind == END_PE) {
    r->target_component = pe_at(r->g, place)->component;
    r->target_tag = s->mapping->places[sink->block].tag;
  } else if (sink->kind == END_MEMORY) {
    r->target_port = end_port(s, sink);
    r->target_component = s->adg->memories[place].component;
    if (s->adg->ports[r->target_port].is_tagged)
      r->target_tag = s->mapping->binding.lanes[sink->port];
  } else {
    r->target_component = r->g->outputs[place];
    r->target_tag = MAP_NONE; /* the host takes any */
  }
}

/* True where another result of the instruction leaves by this port: each wants one of its own. Of a
 * spatial PE that goes without saying. */
static bool sibling_leaves_by(const Router *r, const PlacedNet *of, u32 port) {
  const MapSearch *s = r->s;
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    if (net == of || net->source.kind != END_PE || net->source.block != of->source.block) continue;
    if (r->trees[n].len && r->g->state_port[r->trees[n].states[0]] == port) return true;
  }
  return false;
}

/* How many sinks of a net want a route. */
static u32 count_routed(const Router *r, const PlacedNet *net) {
  u32 n = 0;
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++)
    n += r->s->sinks[k].kind != END_REGISTER;
  return n;
}

static void visit_if_wide(const Router *r, const PlacedNet *net, u32 port, u32 tag,
                          StateVisit visit, void *context) {
  if (tag < r->g->ports[port].ntags && r->s->adg->ports[port].width >= net->bits)
    visit(context, r->g->ports[port].first_state + tag);
}

void route_sources(const Router *r, const PlacedNet *net, StateVisit visit, void *context) {
  const MapSearch *s = r->s;
  const Adg *adg = s->adg;
  const NetEnd *source = &net->source;
  u32 place = s->place[source->block];
  if (source->kind == END_MEMORY) {
    u32 port = end_port(s, source);
    u32 tag = adg->ports[port].is_tagged ? s->mapping->binding.lanes[source->port] : 0;
    visit_if_wide(r, net, port, tag, visit, context);
    return;
  }
  u32 component = source->kind == END_PE ? pe_at(r->g, place)->component : r->g->inputs[place];
  const AdgComponent *c = &adg->components[component];
  bool is_copied = count_routed(r, net) > 1;
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 port = adg_output(adg, component, o);
    if (is_copied && r->g->ports[port].leads_to_one) continue;
    if (c->kind == ADG_TEMPORAL_PE && sibling_leaves_by(r, net, port)) continue;
    for (u32 t = 0; t < r->g->ports[port].ntags; t++)
      visit_if_wide(r, net, port, t, visit, context);
  }
}

/* Tokens can be doubled inside switches. */
static bool can_branch(const Router *r, u32 state) {
  const AdgPort *port = &r->s->adg->ports[r->g->state_port[state]];
  return !port->is_output && adg_is_switch(&r->s->adg->components[port->component]);
}

static void offer_tree(Router *r, const RouteTree *tree) {
  for (u32 i = 0; i < tree->len; i++)
    if (can_branch(r, tree->states[i])) offer(r, tree->states[i], 0, MAP_NONE);
}

static void add_to_tree(Router *r, RouteTree *tree, u32 state, u32 parent) {
  if (tree->len == tree->cap) {
    tree->cap = tree->cap ? tree->cap * 2 : 16;
    tree->states = mem_realloc(tree->states, mem_size(tree->cap, sizeof *tree->states));
    tree->parents = mem_realloc(tree->parents, mem_size(tree->cap, sizeof *tree->parents));
  }
  tree->states[tree->len] = state;
  tree->parents[tree->len] = parent;
  r->states[state].tree_stamp = r->routing;
  r->tree_index[state] = tree->len++;
  route_use(r, state, 1);
}

/* Adds where a net comes to by an output of its tree, beside the path that goes on by `next`. */
static void add_broadcast(Router *r, RouteTree *tree, u32 output, u32 next) {
  u32 at = tree->len - 1;
  broadcast_follow(r, output, next);
  for (u32 i = 0; i < r->broadcast.len; i++) {
    u32 parent = r->broadcast.at[i].parent;
    add_to_tree(r, tree, r->broadcast.at[i].state, parent == MAP_NONE ? at : at + 1 + parent);
  }
}

/* Adds the path that ends in `state` to the tree, and returns where it ends there. */
static u32 add_way(Router *r, RouteTree *tree, u32 state) {
  u32 n = 0, parent = MAP_NONE;
  for (; state != MAP_NONE; state = r->states[state].from) {
    if (r->states[state].tree_stamp == r->routing) {
      parent = r->tree_index[state];
      break;
    }
    r->path[n++] = state;
  }
  while (n) {
    u32 at = r->path[--n];
    add_to_tree(r, tree, at, parent);
    parent = tree->len - 1;
    if (r->has_broadcasts && n && is_broadcast(r, at)) add_broadcast(r, tree, at, r->path[n - 1]);
  }
  return parent;
}

/* As graph_next, without a call for each. */
static void follow(Router *r, u32 state) {
  const RouteGraph *g = r->g;
  if (!g->first_next) {
    graph_next(g, state, enter, r);
    return;
  }
  for (u32 k = g->first_next[state]; k < g->first_next[state + 1]; k++) enter(r, g->next[k]);
}

static u32 find_path(Router *r, RouteTree *tree, u32 k) {
  const NetEnd *sink = &r->s->sinks[k];
  u32 there = r->has_broadcasts ? broadcast_find(r, tree, k) : MAP_NONE;
  if (there != MAP_NONE) return there;
  route_aim(r, sink);
  r->search++;
  vec_clear(&r->heap);
  r->at = MAP_NONE;
  r->at_cost = 0;
  if (tree->len)
    offer_tree(r, tree);
  else
    route_sources(r, r->net, enter, r);
  while (r->heap.len) {
    HeapItem item = heap_pop(r);
    u32 cost = UINT32_MAX - (u32)item.key;
    if (cost != r->states[item.state].cost) continue;
    if (route_is_target(r, item.state) && r->states[item.state].tree_stamp != r->routing)
      return add_way(r, tree, item.state);
    r->at = item.state;
    r->at_cost = cost;
    follow(r, item.state);
  }
  return MAP_NONE;
}

/* Sinks one after the other, `first` (MAP_NONE: none) before the others. Returns the one that found
 * no route, MAP_NONE where all did. */
static u32 route_sinks(Router *r, u32 net, u32 first) {
  const MapSearch *s = r->s;
  const PlacedNet *n = &s->nets[net];
  RouteTree *tree = &r->trees[net];
  r->net = n;
  r->routing++;
  if (first != MAP_NONE) r->sink_at[first] = find_path(r, tree, first);
  if (first != MAP_NONE && r->sink_at[first] == MAP_NONE) return first;
  /* Near sinks first: those further away then find a part of their path done. */
  for (;;) {
    u32 best = MAP_NONE, best_distance = UINT32_MAX;
    for (u32 k = n->first_sink; k < n->first_sink + n->nsinks; k++) {
      const NetEnd *sink = &s->sinks[k];
      if (!is_missing(r, k)) continue;
      u32 distance = 0;
      if (sink->kind != END_DISCARD)
        distance =
            r->g->distance[(size_t)end_source(s, &n->source) * r->g->nsinks + end_sink(s, sink)];
      if (distance < best_distance) best = k, best_distance = distance;
    }
    if (best == MAP_NONE) return MAP_NONE;
    r->sink_at[best] = find_path(r, tree, best);
    if (r->sink_at[best] == MAP_NONE) return best;
  }
}

/* What is missing of a net that is routed as far as it goes. */
static void count_missing(Router *r, u32 net) {
  const PlacedNet *n = &r->s->nets[net];
  for (u32 k = 0; k < n->nsinks; k++) r->missing += is_missing(r, n->first_sink + k);
  if (r->has_broadcasts) r->missing += r->unclaimed[net] = broadcast_unclaimed(r, net);
}

/* Routes a net whose tree is empty. A sink that finds no route because others of the net have taken
 * what it could only share with them has another try, as the first. */
static void route_net(Router *r, u32 net) {
  u32 failed = route_sinks(r, net, MAP_NONE);
  count_missing(r, net);
  if (!r->has_broadcasts || failed == MAP_NONE || !r->trees[net].len) return;
  rip_up(r, net);
  route_sinks(r, net, failed);
  count_missing(r, net);
}

/* ---- negotiation ----------------------------------------------------------------------------- */

static void remember(Router *r) {
  for (u32 i = 0; i < r->g->nstates; i++)
    if (r->states[i].used > 1) r->states[i].history += BASE * (r->states[i].used - 1);
  for (u32 i = 0; i < r->g->nlimits; i++)
    if (r->limit_used[i] > r->g->limits[i])
      r->limit_history[i] += BASE * (r->limit_used[i] - r->g->limits[i]);
}

static void clear_history(Router *r) {
  for (u32 i = 0; i < r->g->nstates; i++) r->states[i].history = 0;
  memset(r->limit_history, 0, r->g->nlimits * sizeof *r->limit_history);
}

static void start_anew(Router *r) {
  const RouteGraph *g = r->g;
  for (u32 n = 0; n < r->ntrees; n++) r->trees[n].len = 0;
  for (u32 i = 0; i < g->nstates; i++) r->states[i].used = 0;
  memset(r->limit_used, 0, g->nlimits * sizeof *r->limit_used);
  clear_history(r);
  for (u32 k = 0; k < r->s->nsinks; k++) r->sink_at[k] = MAP_NONE;
  for (u32 n = 0; n < r->s->nnets; n++) r->unclaimed[n] = 0;
  r->overused = r->missing = 0;
  r->ntrees = r->s->nnets;
}

static void note_told(MapSearch *s, u32 contested) {
  if (contested < s->least_told) s->least_told = contested;
}

u32 route_all(Router *r) {
  MapSearch *s = r->s;
  start_anew(r);
  r->pressure = 8;
  u32 best = UINT32_MAX, since = 0;
  for (u32 n = 0; n < s->nnets; n++) route_net(r, n);
  for (u32 round = 1;; round++) {
    s->mapping->stats.route_rounds = round;
    u32 contested = r->overused + r->missing;
    if (!contested || round == TELLING_ROUND) note_told(s, contested);
    if (!contested) break;
    since = contested < best ? 0 : since + 1;
    if (!since) best = contested;
    if (round == MAX_ROUNDS || since == PATIENCE) return contested;
    if (round == TELLING_ROUND && contested > s->nnets / 2) return contested;
    if (search_stopped(s, "routing", 0, r->overused)) return contested;
    remember(r);
    if (r->pressure < 1 << 16) r->pressure += r->pressure / 2;
    for (u32 n = 0; n < s->nnets; n++) {
      if (!route_is_contested(r, n)) continue;
      rip_up(r, n);
      route_net(r, n);
    }
  }
  return 0;
}

static void penalise(MapSearch *s, const NetEnd *end) {
  if (end->kind == END_DISCARD || end->kind == END_REGISTER) return;
  u32 *penalty = &s->penalty[(size_t)end->block * s->nplaces + s->place[end->block]];
  if (*penalty < MAX_PENALTY) *penalty += PENALTY;
}

void route_penalise(Router *r) {
  MapSearch *s = r->s;
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    u32 *weight = &s->net_weight[net->result];
    if (!route_is_contested(r, n)) continue;
    if (*weight < MAX_WEIGHT) *weight += *weight / 2;
    penalise(s, &net->source);
    for (u32 k = 0; k < net->nsinks; k++) penalise(s, &s->sinks[net->first_sink + k]);
  }
}

/* ---- making one ------------------------------------------------------------------------------ */

Router *router_new(MapSearch *s) {
  Arena *arena = arena_new();
  Router *r = NEW(arena, Router);
  const RouteGraph *g = s->graph;
  r->s = s;
  r->g = g;
  r->arena = arena;
  r->states = NEW_ARRAY(arena, RouteState, g->nstates + (size_t)1);
  u8 *kind = NEW_ARRAY(arena, u8, s->adg->nports + (size_t)1);
  waits_find_steps(s->adg, kind);
  r->waits = waits_find(s->dfg, arena);
  r->prices = prices;
  for (u32 i = 0; i < g->nstates; i++) {
    const SearchPort *port = &g->ports[g->state_port[i]];
    r->states[i] = (RouteState){.local = port->local,
                                .width = (u16)s->adg->ports[g->state_port[i]].width,
                                .kind = kind[g->state_port[i]]};
  }
  r->tree_index = NEW_ARRAY(arena, u32, g->nstates + (size_t)1);
  r->path = NEW_ARRAY(arena, u32, g->nstates + (size_t)1);
  r->limit_used = NEW_ARRAY(arena, u32, g->most_limits + (size_t)1);
  r->limit_history = NEW_ARRAY(arena, u32, g->most_limits + (size_t)1);
  r->trees = NEW_ARRAY(arena, RouteTree, s->dfg->nresults + (size_t)1);
  r->sink_at = NEW_ARRAY(arena, u32, s->dfg->nedges + s->dfg->nresults + (size_t)1);
  r->unclaimed = NEW_ARRAY(arena, u32, s->dfg->nresults + (size_t)1);
  for (u32 p = 0; p < s->adg->nports; p++)
    r->has_broadcasts |= s->adg->ports[p].is_output && s->adg->ports[p].nchannels > 1;
  return r;
}

void router_free(Router *r) {
  if (!r) return;
  for (u32 n = 0; n < r->s->dfg->nresults; n++) {
    mem_free(r->trees[n].states);
    mem_free(r->trees[n].parents);
  }
  vec_free(&r->heap);
  vec_free(&r->broadcast);
  vec_free(&r->broadcast_sinks);
  arena_free(r->arena);
}

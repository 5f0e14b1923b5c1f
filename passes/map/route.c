/* route.c -- routes all nets by negotiated congestion (PathFinder: McMurchie and Ebeling 1995).
 *
 *     a -> sw.in0 => sw.out2 -> c         both want out2 at first; out2 costs more with every
 *     b -> sw.in1 => sw.out2 -> d         round in which it is overused, until b, which has
 *                 => sw.out3 -> d         another route, takes out3
 *
 * Every net may use any state, but an overused state costs more, the more so the later the round
 * (pressure), and one that was overused in earlier rounds stays expensive (history). In each round
 * nets in conflict are ripped up and rerouted. This succeeds when nothing is overused and every
 * sink has a route; it fails after PATIENCE rounds without improvement, after MAX_ROUNDS, with too
 * many conflicts at CHECK_ROUND, or when the search is stopped. Costs are integers; a free state
 * costs BASE, or DELAY times that (see step_costs).
 *
 * A net with several sinks is a tree: one sink after the other, near ones first, each from any
 * point of the tree where tokens can be duplicated: inside switches. Each search is A*: the
 * distances of graph.c, times BASE, are a lower bound, since no step costs less than BASE. So
 * without congestion it expands little more than the path.
 *
 * Cost: for each sink a search, which visits a part of the states between two places; tens of
 * rounds, in which only nets in conflict are rerouted.
 */
#include "map/router.h"

/* A FIFO that takes a cycle costs as much as this many other steps. */
enum { DELAY = 5 };
/* The cost of a step without congestion, by StepKind: for most edges; and for those whose tokens
 * wait anyway (waits.c), which may lose a cycle before a PE and should leave the inputs without
 * FIFOs to others. */
static const u16 step_costs[STEP_KINDS] = {BASE, DELAY *BASE, DELAY *BASE, BASE};
static const u16 step_costs_of_waiting[STEP_KINDS] = {BASE, DELAY *BASE, BASE, DELAY *BASE};
/* Feedback to placement, in its cost (weight times distance, anneal.c). PENALTY: of a place where a
 * contested net ends; 256 is four steps of a net of one sink, of initial weight. */
enum { PENALTY = 256, MAX_PENALTY = 1 << 16, MAX_WEIGHT = 64 };
/* PATIENCE: rounds without improvement. MAX_PRICE means that a state cannot be entered. */
enum { MAX_ROUNDS = 80, PATIENCE = 16, MAX_PRICE = 1 << 20, MAX_FINITE_PRICE = MAX_PRICE - 1 };
/* Routing gives up if this round leaves more than half as many conflicts as nets. Of 583 routings
 * that succeeded, on fabrics with narrow channels, the worst had 0.39 conflicts a net in this
 * round. (VPR predicts failure from the slope of its overuse.) */
enum { CHECK_ROUND = 8 };

/* ---- occupancy and cost ---------------------------------------------------------------------- */

/* Adds `by` to *used, and keeps Router.overused: how many states and limits are above capacity. */
static void count_use(Router *r, u32 *used, u32 capacity, int by) {
  bool was_over = *used > capacity;
  *used = (u32)((i64)*used + by);
  r->overused += (*used > capacity);
  r->overused -= was_over;
}

void route_use(Router *r, u32 state, int by) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  count_use(r, &r->states[state].used, 1, by);
  if (port->pool == MAP_NONE) return;
  /* nets of one tag share a slot: the first takes it, the last frees it */
  if (port->group != MAP_NONE) {
    u32 *users = &r->limit_used[port->group + state - port->first_state];
    if (by > 0 ? (*users)++ : --*users) return;
  }
  count_use(r, &r->limit_used[port->pool], r->g->limits[port->pool], by);
}

/* True where a sink has no route, and needs one. */
static bool is_missing(const Router *r, u32 sink) {
  return r->sink_at[sink] == MAP_NONE && r->s->sinks[sink].kind != END_REGISTER;
}

/* Removes the net's tree; none of its sinks is routed then. */
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

/* True if entering the state takes room in its pool; of nets that share a slot only the first
 * does. */
static bool takes_room(const Router *r, u32 state) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  return port->pool != MAP_NONE &&
         (port->group == MAP_NONE || !r->limit_used[port->group + state - port->first_state]);
}

/* The cost of entering a state. */
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

/* A* lower bound in steps, of the current target; FAR: it cannot be reached. */
static u32 bound_of(const Router *r, const RouteState *at) {
  return r->is_discard ? 0 : r->bound[at->local];
}

/* Relaxes: records a path to `state` of cost `cost` through `from` (MAP_NONE: it starts there), if
 * it is the cheapest so far. Ties in the heap: the state further along its path first. */
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

/* The cost of an output that leads to several inputs: its own, `price`, and that of all states
 * entered with it. MAX_PRICE where the net must not enter one of them. */
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

/* Visits a neighbour of Router.at; if that is MAP_NONE, a state where paths start. */
static void enter(void *context, u32 state) {
  Router *r = context;
  const RouteState *at = &r->states[state];
  /* No step costs less than BASE: do not compute the price if even that is no improvement. */
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

void route_set_target(Router *r, const NetEnd *sink) {
  const MapSearch *s = r->s;
  r->is_discard = sink->kind == END_DISCARD;
  r->prices = sink->edge != MAP_NONE && r->waits[sink->edge] ? step_costs_of_waiting : step_costs;
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
    r->target_tag = MAP_NONE; /* the host takes any tag */
  }
}

/* Temporal PEs: true where another result of the same instruction leaves by this port; each needs a
 * port of its own. (In a spatial PE any net of the port would be a conflict.) */
static bool sibling_leaves_by(const Router *r, const PlacedNet *of, u32 port) {
  const MapSearch *s = r->s;
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    if (net == of || net->source.kind != END_PE || net->source.block != of->source.block) continue;
    if (r->trees[n].len && r->g->state_port[r->trees[n].states[0]] == port) return true;
  }
  return false;
}

/* How many sinks of a net need a route: all but those reached by a register of their PE. */
static u32 count_routable(const Router *r, const PlacedNet *net) {
  u32 n = 0;
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++)
    n += r->s->sinks[k].kind != END_REGISTER;
  return n;
}

/* Visits a port's state of this tag, if there is one and the port is wide enough. */
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
  bool is_copied = count_routable(r, net) > 1;
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 port = adg_output(adg, component, o);
    if (is_copied && r->g->ports[port].leads_to_one) continue;
    if (c->kind == ADG_TEMPORAL_PE && sibling_leaves_by(r, net, port)) continue;
    for (u32 t = 0; t < r->g->ports[port].ntags; t++)
      visit_if_wide(r, net, port, t, visit, context);
  }
}

/* Tokens can be duplicated inside switches. */
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

/* Adds the other states that a broadcast output leads to, beside the path that goes on by
 * `next`. */
static void add_broadcast(Router *r, RouteTree *tree, u32 output, u32 next) {
  u32 output_index = tree->len - 1;
  broadcast_follow(r, output, next);
  for (u32 i = 0; i < r->broadcast.len; i++) {
    u32 parent = r->broadcast.at[i].parent;
    add_to_tree(r, tree, r->broadcast.at[i].state,
                parent == MAP_NONE ? output_index : output_index + 1 + parent);
  }
}

/* Adds the path that ends in `state` to the tree; returns the index of its last state there. */
static u32 add_path(Router *r, RouteTree *tree, u32 state) {
  u32 n = 0, parent = MAP_NONE;
  for (; state != MAP_NONE; state = r->states[state].from) {
    if (r->states[state].tree_stamp == r->routing) {
      parent = r->tree_index[state];
      break;
    }
    r->path[n++] = state;
  }
  while (n) {
    u32 entered = r->path[--n];
    add_to_tree(r, tree, entered, parent);
    parent = tree->len - 1;
    if (r->has_broadcasts && n && is_broadcast(r, entered))
      add_broadcast(r, tree, entered, r->path[n - 1]);
  }
  return parent;
}

/* Expands a state: as graph_next, but without an indirect call for each neighbour. */
static void follow(Router *r, u32 state) {
  const RouteGraph *g = r->g;
  if (!g->first_next) {
    graph_next(g, state, enter, r);
    return;
  }
  for (u32 k = g->first_next[state]; k < g->first_next[state + 1]; k++) enter(r, g->next[k]);
}

/* Routes sink k of Router.net. Returns where its path ends in the tree; MAP_NONE: there is none. */
static u32 find_path(Router *r, RouteTree *tree, u32 k) {
  const NetEnd *sink = &r->s->sinks[k];
  u32 known = r->has_broadcasts ? broadcast_find(r, tree, k) : MAP_NONE;
  if (known != MAP_NONE) return known;
  route_set_target(r, sink);
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
      return add_path(r, tree, item.state);
    r->at = item.state;
    r->at_cost = cost;
    follow(r, item.state);
  }
  return MAP_NONE;
}

/* Routes one sink after the other, `first` (MAP_NONE: none) before the others. Stops at a sink
 * without a route and returns it; MAP_NONE: all have one. Quadratic in sinks. */
static u32 route_sinks(Router *r, u32 net, u32 first) {
  const MapSearch *s = r->s;
  const PlacedNet *placed = &s->nets[net];
  RouteTree *tree = &r->trees[net];
  r->net = placed;
  r->routing++;
  if (first != MAP_NONE) r->sink_at[first] = find_path(r, tree, first);
  if (first != MAP_NONE && r->sink_at[first] == MAP_NONE) return first;
  /* Near sinks first: those further away can then share a part of the tree. */
  for (;;) {
    u32 best = MAP_NONE, best_distance = UINT32_MAX;
    for (u32 k = placed->first_sink; k < placed->first_sink + placed->nsinks; k++) {
      const NetEnd *sink = &s->sinks[k];
      if (!is_missing(r, k)) continue;
      u32 distance = 0;
      if (sink->kind != END_DISCARD)
        distance = r->g->distance[(size_t)end_source(s, &placed->source) * r->g->nsinks +
                                  end_sink(s, sink)];
      if (distance < best_distance) best = k, best_distance = distance;
    }
    if (best == MAP_NONE) return MAP_NONE;
    r->sink_at[best] = find_path(r, tree, best);
    if (r->sink_at[best] == MAP_NONE) return best;
  }
}

/* Adds a net's sinks without a route, and its unclaimed ends, to Router.missing. */
static void count_missing(Router *r, u32 net) {
  const PlacedNet *n = &r->s->nets[net];
  for (u32 k = 0; k < n->nsinks; k++) r->missing += is_missing(r, n->first_sink + k);
  if (r->has_broadcasts) r->missing += r->unclaimed[net] = broadcast_unclaimed(r, net);
}

/* Routes a net whose tree is empty. With broadcasts, the other sinks of a net can block a sink that
 * would have to share their states: then the net is routed once more, that sink first. */
static void route_net(Router *r, u32 net) {
  u32 failed = route_sinks(r, net, MAP_NONE);
  count_missing(r, net);
  if (!r->has_broadcasts || failed == MAP_NONE || !r->trees[net].len) return;
  rip_up(r, net);
  route_sinks(r, net, failed);
  count_missing(r, net);
}

/* ---- negotiation ----------------------------------------------------------------------------- */

/* PathFinder's history cost: grows by the overuse of each round. */
static void add_history(Router *r) {
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

/* No net routed, no history. */
static void reset_routing(Router *r) {
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

static void note_conflicts(MapSearch *s, u32 contested) {
  if (contested < s->fewest_conflicts) s->fewest_conflicts = contested;
}

u32 route_all(Router *r) {
  MapSearch *s = r->s;
  reset_routing(r);
  r->pressure = 8;
  u32 fewest = UINT32_MAX, stalled_rounds = 0;
  for (u32 n = 0; n < s->nnets; n++) route_net(r, n);
  for (u32 round = 1;; round++) {
    s->mapping->stats.route_rounds = round;
    u32 contested = r->overused + r->missing;
    if (!contested || round == CHECK_ROUND) note_conflicts(s, contested);
    if (!contested) break;
    stalled_rounds = contested < fewest ? 0 : stalled_rounds + 1;
    if (!stalled_rounds) fewest = contested;
    if (round == MAX_ROUNDS || stalled_rounds == PATIENCE) return contested;
    if (round == CHECK_ROUND && contested > s->nnets / 2) return contested;
    if (search_stopped(s, "routing", 0, r->overused)) return contested;
    add_history(r);
    if (r->pressure < 1 << 16) r->pressure += r->pressure / 2;
    for (u32 n = 0; n < s->nnets; n++) {
      if (!route_is_contested(r, n)) continue;
      rip_up(r, n);
      route_net(r, n);
    }
  }
  return 0;
}

/* Makes the place of a contested net's end more expensive for placement. */
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

/* ---- construction ---------------------------------------------------------------------------- */

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
  r->prices = step_costs;
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

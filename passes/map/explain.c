/* explain.c -- why a graph could not be routed, in the user's terms.
 *
 *     sw_a has 2 channels to sw_b, and 3 results want to cross       the cut: sw_a | sw_b
 *
 * When routing gives up, the nets in conflict are examined one by one. A breadth-first search from
 * the net's source visits every state that the net can enter while the others keep their routes. If
 * it does not reach a sink, the states that stopped it are a cut of the fabric: wires that are all
 * taken, by nets that are named. If the sink is not reached even without other nets, there is no
 * route at all: a port is too narrow, a tag does not fit, or nothing is connected. The first net
 * with such a sink is reported; without one, the ports that more nets want than can have them.
 *
 * Unlike count.c, cut.c and reach.c this proves nothing about other placements: it shows the
 * attempt that came closest. Cost: a search of the routing graph for each sink of a net in
 * conflict. */
#include "map/names.h"
#include "map/router.h"

typedef struct {
  const Router *r;
  Router *router; /* the same, to write: broadcast_is_wanted uses its scratch */
  const PlacedNet *net;
  bool alone; /* ignore other nets */
  /* Ports: the first broadcast output that leads to an input where the net is not wanted, and that
   * input; MAP_NONE: there is none. */
  u32 broadcast, unwanted;
  u8 *seen; /* by state: VISITED, ... */
  Vec(u32) queue;
  Vec(u32) wall;
} RouteSearch;

/* States that are taken are the WALL if they lead on to the sink, else ASIDE. */
enum { VISITED = 1, WALL, ASIDE, MAX_NOTES = 4 };

static void visit(void *context, u32 state) {
  RouteSearch *w = context;
  const RouteGraph *g = w->r->g;
  if (is_broadcast(w->r, state)) {
    w->router->net = w->net;
    if (!broadcast_is_wanted(w->router, state, true)) {
      if (w->router->unwanted != MAP_NONE && w->broadcast == MAP_NONE)
        w->broadcast = g->state_port[state], w->unwanted = g->state_port[w->router->unwanted];
      return;
    }
  }
  if (w->seen[state] || w->r->s->adg->ports[g->state_port[state]].width < w->net->bits) return;
  bool is_free = w->alone || route_is_free(w->r, w->net, state);
  u32 local = g->ports[g->state_port[state]].local;
  bool leads_on = w->r->is_discard || w->r->bound[local] < FAR;
  w->seen[state] = is_free ? VISITED : leads_on ? WALL : ASIDE;
  if (is_free)
    vec_push(&w->queue, state);
  else if (leads_on)
    vec_push(&w->wall, state);
}

/* Visits the states that the net can reach; true where the sink is among them. */
static bool reaches(RouteSearch *w, Router *r, const NetEnd *sink) {
  memset(w->seen, 0, r->g->nstates);
  w->broadcast = w->unwanted = MAP_NONE;
  vec_clear(&w->queue);
  vec_clear(&w->wall);
  route_set_target(r, sink);
  route_sources(r, w->net, visit, w);
  for (size_t i = 0; i < w->queue.len; i++) {
    u32 state = w->queue.at[i];
    if (route_is_target(r, state)) return true;
    graph_next(r->g, state, visit, w);
  }
  return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The component where an end is. */
static const char *end_name(const MapSearch *s, const NetEnd *end, bool is_source) {
  if (end->kind == END_DISCARD) return "a switch that discards it";
  u32 place = s->place[end->block], component;
  if (end->kind == END_PE)
    component = pe_at(s->graph, place)->component;
  else if (end->kind == END_MEMORY)
    component = s->adg->memories[place].component;
  else
    component = is_source ? s->graph->inputs[place] : s->graph->outputs[place];
  return adg_name(s->adg, component);
}

/* ---- the cut --------------------------------------------------------------------------------- */

/* A number for what keeps a net out of a state: a full table or queue, or else the port. */
static u64 obstacle(const Router *r, u32 state) {
  const SearchPort *port = &r->g->ports[r->g->state_port[state]];
  if (port->pool != MAP_NONE && r->limit_used[port->pool] >= r->g->limits[port->pool])
    return (u64)1 << 32 | port->pool;
  return r->s->adg->ports[r->g->state_port[state]].is_tagged
             ? (u64)2 << 32 | r->g->state_port[state]
             : state;
}

/* True where a net uses the resource that keeps others out of the wall's state. */
static bool is_in_wall(const Router *r, const RouteTree *tree, u32 wall) {
  u64 resource = obstacle(r, wall);
  for (u32 i = 0; i < tree->len; i++) {
    u32 p = r->g->state_port[tree->states[i]];
    const SearchPort *port = &r->g->ports[p];
    u64 pool = (u64)1 << 32 | port->pool;
    if (tree->states[i] == wall || (port->pool != MAP_NONE && pool == resource)) return true;
  }
  return false;
}

/* If the wall is one full table: notes how large it is. */
static void report_table(const Router *r, u32 wall) {
  const Adg *adg = r->s->adg;
  u32 p = r->g->state_port[wall];
  const AdgComponent *c = &adg->components[adg->ports[p].component];
  const SearchPort *port = &r->g->ports[p];
  if (port->pool == MAP_NONE || r->limit_used[port->pool] < r->g->limits[port->pool]) return;
  const char *name = adg_name(adg, adg->ports[p].component);
  u32 rows = r->g->limits[port->pool];
  if (c->kind == ADG_TEMPORAL_SW || c->kind == ADG_MAP_TAG)
    diag_note(r->s->ctx, c->loc, "the table of %s has %u row%s, one per tag", name, rows,
              plural(rows));
  else if (c->kind == ADG_FIFO)
    diag_note(r->s->ctx, c->loc,
              "%s is a FIFO that cannot be bypassed, so it carries only one result", name);
  else if (port->is_exclusive)
    diag_note(
        r->s->ctx, c->loc,
        "%s can carry only one result: with several tags it would wait for itself within a cycle",
        name);
  else
    diag_note(r->s->ctx, c->loc, "%s ignores tags, so each of its ports carries only one result",
              name);
}

static void note_cut(const Router *r, u32 state) {
  if (r->s->closest.is_incomplete) /* else nobody wants the closest attempt */
    mapping_add_cut(&r->s->closest, r->g->state_port[state]);
}

static void report_wall(const Router *r, const RouteSearch *w) {
  const MapSearch *s = r->s;
  const Adg *adg = s->adg;
  NameList inside = {0}, takers = {0};
  Map obstacles = {0};
  u32 nroutes = 0;
  bool *is_listed = mem_alloc(adg->ncomponents + (size_t)1); /* by component, in `inside` */
  for (size_t i = 0; i < w->queue.len; i++) {
    u32 c = adg->ports[r->g->state_port[w->queue.at[i]]].component;
    if (!is_listed[c]) names_add(&inside, adg_name(adg, c));
    is_listed[c] = true;
  }
  if (!inside.n) names_add(&inside, end_name(s, &w->net->source, true));
  for (size_t i = 0; i < w->wall.len; i++) {
    u64 *slot = map_slot(&obstacles, obstacle(r, w->wall.at[i]));
    nroutes += !*slot;
    *slot = 1;
    note_cut(r, w->wall.at[i]);
  }
  for (u32 n = 0; n < s->nnets; n++) {
    bool is_taker = false;
    for (size_t i = 0; i < w->wall.len && !is_taker && &s->nets[n] != w->net; i++)
      is_taker = is_in_wall(r, &r->trees[n], w->wall.at[i]);
    if (is_taker) names_add(&takers, result_name(s->dfg, s->nets[n].result));
  }
  Loc loc = w->wall.len ? adg->components[adg->ports[r->g->state_port[w->wall.at[0]]].component].loc
                        : LOC_NONE;
  diag_note(s->ctx, loc,
            nroutes == 1 ? "%u route leads on from %s, and it is in use by %s"
                         : "%u routes lead on from %s, and all are in use by %s",
            nroutes, names_end(&inside, "nobody"), names_end(&takers, "nobody"));
  if (nroutes == 1) report_table(r, w->wall.at[0]);
  buf_free(&inside.text);
  buf_free(&takers.text);
  map_free(&obstacles);
  mem_free(is_listed);
}

/* Reports a sink that the net cannot reach even alone: for its width, or whatever its width. */
static void report_no_route(Router *r, RouteSearch *w, const NetEnd *sink) {
  const MapSearch *s = r->s;
  const PlacedNet *net = w->net;
  u32 shared = w->broadcast, unwanted = w->unwanted;
  PlacedNet thin = *net;
  thin.bits = 0;
  w->net = &thin;
  bool is_narrow = reaches(w, r, sink);
  w->net = net;
  diag_note(s->ctx, s->dfg->nodes[s->dfg->results[net->result].node].loc,
            "no route exists from %s to %s for '%s' (%u bit%s): %s",
            end_name(s, &net->source, true), end_name(s, sink, false),
            result_name(s->dfg, net->result), net->bits, plural(net->bits),
            is_narrow            ? "every path has a narrower port"
            : shared != MAP_NONE ? "every path also leads to an input that must not get it"
                                 : "they are not connected, or a tag does not fit");
  if (is_narrow || shared == MAP_NONE) return;
  const AdgPort *port = &s->adg->ports[shared];
  diag_note(s->ctx, s->adg->components[port->component].loc,
            "output %u of %s drives %u inputs, which all get each token, also that of %s, which "
            "does not take '%s'",
            port->index, adg_name(s->adg, port->component), port->nchannels,
            adg_name(s->adg, s->adg->ports[unwanted].component), result_name(s->dfg, net->result));
}

/* True where a sink of the net cannot be reached; then it has reported why. */
static bool report_net(Router *r, RouteSearch *w, u32 n) {
  const MapSearch *s = r->s;
  const PlacedNet *net = &s->nets[n];
  w->net = net;
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
    const NetEnd *sink = &s->sinks[k];
    w->alone = false;
    if (sink->kind == END_REGISTER || reaches(w, r, sink)) continue;
    Loc loc = s->dfg->nodes[s->dfg->results[net->result].node].loc;
    w->alone = true;
    if (!reaches(w, r, sink)) {
      report_no_route(r, w, sink);
      return true;
    }
    diag_note(s->ctx, loc, "'%s' cannot be routed from %s to %s", result_name(s->dfg, net->result),
              end_name(s, &net->source, true), end_name(s, sink, false));
    w->alone = false;
    reaches(w, r, sink);
    report_wall(r, w);
    return true;
  }
  return false;
}

/* The tag that tokens must have at a sink; MAP_NONE: none. */
static u32 tag_at(const MapSearch *s, const NetEnd *sink) {
  u32 place = s->place[sink->block];
  if (sink->kind == END_PE && pe_at(s->graph, place)->is_temporal)
    return s->mapping->places[sink->block].tag;
  if (sink->kind != END_MEMORY) return MAP_NONE;
  u32 port = end_port(s, sink);
  return s->adg->ports[port].is_tagged ? s->mapping->binding.lanes[sink->port] : MAP_NONE;
}

/* Appends the consumer that a sink is for, and where it is. */
static void put_taker(const MapSearch *s, const NetEnd *sink, Buf *out) {
  const DfgEdge *edge = &s->dfg->edges[sink->edge];
  if (edge->to == s->dfg->return_node)
    buf_printf(out, "%s, which is result %u", end_name(s, sink, false), edge->operand);
  else
    buf_printf(out, "operand %u of '%s' in %s", edge->operand,
               dfg_text(s->dfg, s->dfg->nodes[edge->to].name), end_name(s, sink, false));
}

/* True where a net's tokens could be copied before they have a tag. */
static bool passes_untagged_switch(const Router *r, const RouteTree *tree) {
  for (u32 i = 0; i < tree->len; i++) {
    const AdgPort *port = &r->s->adg->ports[r->g->state_port[tree->states[i]]];
    if (r->s->adg->components[port->component].kind == ADG_SPATIAL_SW && !port->is_tagged)
      return true;
  }
  return false;
}

/* Reports a net that has routes to some of its sinks, but beside these none to another, although
 * each could be reached; and whether this is because nothing can give it a second tag. */
static void report_exclusive(const Router *r, u32 n) {
  const MapSearch *s = r->s;
  const PlacedNet *net = &s->nets[n];
  const NetEnd *ends[2] = {NULL, NULL};
  bool maps_tags = false;
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++)
    if (s->sinks[k].kind != END_REGISTER && s->sinks[k].kind != END_DISCARD)
      ends[r->sink_at[k] == MAP_NONE] = &s->sinks[k];
  if (!ends[0] || !ends[1]) return;
  for (u32 i = 0; i < s->adg->ntags; i++) maps_tags |= s->adg->tags[i].table_size > 0;
  u32 one = tag_at(s, ends[0]), other = tag_at(s, ends[1]);
  Loc loc = s->dfg->nodes[s->dfg->results[net->result].node].loc;
  Buf takers[2] = {{0}, {0}};
  for (u32 i = 0; i < 2; i++) put_taker(s, ends[i], &takers[i]);
  if (one != MAP_NONE && other != MAP_NONE && one != other && !maps_tags &&
      !passes_untagged_switch(r, &r->trees[n]))
    diag_note(s->ctx, loc,
              "'%s' would reach %s with tag %u and %s with tag %u, but nothing on the way can "
              "change its tag",
              result_name(s->dfg, net->result), takers[0].data, one, takers[1].data, other);
  else
    diag_note(s->ctx, loc, "'%s' has a route to %s, but then no route is left to %s",
              result_name(s->dfg, net->result), takers[0].data, takers[1].data);
  for (u32 i = 0; i < 2; i++) buf_free(&takers[i]);
}

/* Reports ports that more nets want than can have them, where no net is stopped by a wall. */
static void report_contested(const Router *r) {
  const MapSearch *s = r->s;
  const Adg *adg = s->adg;
  u32 reported = 0, contested = 0;
  for (u32 n = 0; n < s->nnets; n++) contested += route_is_contested(r, n);
  for (u32 n = 0; n < s->nnets; n++)
    if (route_is_contested(r, n)) report_exclusive(r, n);
  if (!r->overused) return;
  if (contested > 1)
    diag_note(s->ctx, LOC_NONE, "each of the others can be routed, but not all at once:");
  for (u32 state = 0; state < r->g->nstates && reported < MAX_NOTES; state++) {
    const AdgPort *port = &adg->ports[r->g->state_port[state]];
    u32 pool = r->g->ports[r->g->state_port[state]].pool;
    bool no_room = pool != MAP_NONE && r->limit_used[pool] > r->g->limits[pool];
    if (!r->states[state].used || (r->states[state].used < 2 && !no_room)) continue;
    NameList takers = {0};
    for (u32 n = 0; n < s->nnets; n++)
      for (u32 i = 0; i < r->trees[n].len; i++)
        if (r->trees[n].states[i] == state)
          names_add(&takers, result_name(s->dfg, s->nets[n].result));
    diag_note(s->ctx, adg->components[port->component].loc, "%s %u of %s is needed by %s%s",
              port->is_output ? "output" : "input", port->index, adg_name(adg, port->component),
              names_end(&takers, "nobody"), no_room ? ", but its table is full" : "");
    buf_free(&takers.text);
    note_cut(r, state);
    reported++;
  }
}

void route_explain(Router *r) {
  const MapSearch *s = r->s;
  RouteSearch w = {.r = r, .router = r, .seen = mem_alloc(r->g->nstates + (size_t)1)};
  bool is_reported = false;
  u32 contested = 0, tree_was;
  for (u32 n = 0; n < s->nnets; n++) contested += route_is_contested(r, n);
  double seconds = seconds_of_core() - s->started;
  bool is_timed = s->options->budget > 0;
  const char *graph = dfg_text(s->dfg, s->dfg->name), *fabric = adg_text(s->adg, s->adg->name);
  if (s->is_stopped && !is_timed)
    diag(s->ctx, s->dfg->loc, MAP_BUDGET,
         "no mapping of @%s onto @%s was found in %u rounds; %u of %u results were routed", graph,
         fabric, s->options->max_rounds, s->nnets - contested, s->nnets);
  else if (s->is_stopped)
    diag(s->ctx, s->dfg->loc, MAP_BUDGET,
         "no mapping of @%s onto @%s was found in %.3g s; %u of %u results were routed", graph,
         fabric, seconds < s->options->budget ? seconds : s->options->budget, s->nnets - contested,
         s->nnets);
  else
    diag(s->ctx, s->dfg->loc, MAP_CONGESTED,
         "the wires of @%s cannot carry all results of @%s: only %u of %u have a route", fabric,
         graph, s->nnets - contested, s->nnets);
  for (u32 n = 0; n < s->nnets && !is_reported; n++) {
    if (!route_is_contested(r, n)) continue;
    RouteTree *tree = &r->trees[n];
    tree_was = tree->len;
    for (u32 i = 0; i < tree_was; i++) route_use(r, tree->states[i], -1);
    tree->len = 0;
    is_reported = report_net(r, &w, n);
    tree->len = tree_was;
    for (u32 i = 0; i < tree_was; i++) route_use(r, tree->states[i], 1);
  }
  if (!is_reported) report_contested(r);
  /* what helps against MAP_CONGESTED is tried by driver/advise.c */
  if (s->is_stopped) diag_hint(s->ctx, "try a longer --budget, another --seed, or a larger fabric");
  vec_free(&w.queue);
  vec_free(&w.wall);
  mem_free(w.seen);
}

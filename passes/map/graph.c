/* graph.c -- the fabric as a graph to route on.
 *
 *     sw.out1 -> add_tag.in0 -> add_tag.out0 under tag 0 -> gather.in0 under tag 0 -> ...
 *                            \> add_tag.out0 under tag 1 -> gather.in0 under tag 1 -> ...
 *
 * Its nodes are states: a port under a tag, or a port that has none. The states that follow a state
 * are derived from the ADG (graph_next), and stored only if they are few. From an output a token
 * goes to the inputs that it is wired to, where its tag must fit; from an input to the outputs that
 * its component can send it to. PEs and memories pass nothing on: routes end there. A switch's
 * output that is wired to several inputs gives each token to all of them, wanted or not
 * (broadcast.c). Any other output gives it to the one input that is configured to take it. But some
 * inputs take tokens whatever is configured; if the output leads to one of these, its tokens must
 * go there.
 *
 * Distances come from a breadth-first search backwards from each sink, over ports, ignoring tags
 * and other nets. So none is longer than a route that exists: a lower bound for A* (route.c). All
 * sinks are searched for the table of distances that placement uses; the distances from every port
 * are kept only for the sinks that something is routed to, which are few. Cost: sinks times ports
 * of the region in time, sources times sinks in space. */
#include "map/search.h"

/* At most so many tags of a port are used, and fewer where there would be more states. */
enum { MAX_TAGS = 256, MAX_STATES = 1 << 22 };
/* The most successors of states that are stored, per port of the fabric. */
enum { MOST_NEXT = 64 };

/* ---- the region ------------------------------------------------------------------------------ */

static void list_region(RouteGraph *g) {
  const Adg *adg = g->adg;
  g->is_all = true;
  g->pes = NEW_ARRAY(g->arena, u32, adg->npes + (size_t)1);
  g->memories = NEW_ARRAY(g->arena, u32, adg->nmemories + (size_t)1);
  g->inputs = NEW_ARRAY(g->arena, u32, adg->ncomponents + (size_t)1);
  g->outputs = NEW_ARRAY(g->arena, u32, adg->ncomponents + (size_t)1);
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (g->is_inside[adg->pes[pe].component]) g->pes[g->npes++] = pe;
  for (u32 m = 0; m < adg->nmemories; m++)
    if (g->is_inside[adg->memories[m].component]) g->memories[g->nmemories++] = m;
  for (u32 c = 0; c < adg->ncomponents; c++) {
    g->is_all = g->is_all && g->is_inside[c];
    if (!g->is_inside[c]) continue;
    if (adg->components[c].kind == ADG_INPUT) g->inputs[g->ninputs++] = c;
    if (adg->components[c].kind == ADG_OUTPUT) g->outputs[g->noutputs++] = c;
  }
}

/* True of a port of the region; ports that only lead out of it, or into it, are outside. */
static bool port_is_inside(const RouteGraph *g, u32 p) {
  const Adg *adg = g->adg;
  const AdgPort *port = &adg->ports[p];
  bool is_inside = !port->nchannels;
  for (u32 k = 0; k < port->nchannels; k++) {
    const AdgChannel *channel = &adg->channels[port->first_channel + k];
    u32 other = port->is_output ? channel->to : channel->from;
    is_inside = is_inside || g->is_inside[adg->ports[other].component];
  }
  return is_inside && g->is_inside[port->component];
}

u32 place_of_pe(const RouteGraph *g, u32 pe) {
  for (u32 i = 0; i < g->npes; i++)
    if (g->pes[i] == pe) return i;
  return MAP_NONE;
}

/* ---- states ---------------------------------------------------------------------------------- */

static u32 add_limit(RouteGraph *g, u32 capacity) {
  g->limits[g->nlimits] = capacity;
  return g->nlimits++;
}

static u32 tags_of(const AdgPort *port, u32 most) {
  u32 n = port->is_tagged ? (u32)1 << port->tag_width : 1;
  return n < most ? n : most;
}

u32 graph_only_output(const Adg *adg, u32 component, u32 input) {
  const AdgComponent *c = &adg->components[component];
  const AdgSwitch *sw = &adg->switches[c->detail];
  u32 only = ADG_NONE;
  for (u32 o = 0; o < c->noutputs; o++) {
    if (!adg_connects(adg, sw, input, o)) continue;
    if (only != ADG_NONE) return ADG_NONE;
    only = o;
  }
  return only;
}

/* Adds the limits of a component, and assigns them to its ports. */
static void add_limits(RouteGraph *g, u32 component) {
  const Adg *adg = g->adg;
  const AdgComponent *c = &adg->components[component];
  if (!c->ninputs || !g->is_inside[component]) return;
  SearchPort *in = &g->ports[c->first_port];
  switch ((AdgKind)c->kind) {
  case ADG_TEMPORAL_SW: {
    u32 pool = add_limit(g, adg->switches[c->detail].num_route_table), group = g->nlimits;
    for (u32 t = 0; t < in->ntags; t++) add_limit(g, MAP_NONE);
    for (u32 i = 0; i < c->ninputs; i++) in[i].pool = pool, in[i].group = group;
    break;
  }
  case ADG_MAP_TAG: in->pool = add_limit(g, adg->tags[c->detail].table_size); break;
  case ADG_FIFO:
    in->is_delay = adg_is_register(adg, component);
    /* One net: a token that waits in the queue would block those behind it under other tags. */
    if (in->ntags > 1 && in->is_delay) in->pool = add_limit(g, 1);
    break;
  case ADG_SPATIAL_SW:
    /* The switch does not look at tags, so nets that share an input share all outputs after it: one
     * net an input, except where it leads to one output only. Nets with different tags may share an
     * output, in turn. */
    for (u32 i = 0; in->ntags > 1 && i < c->ninputs; i++)
      if (graph_only_output(adg, component, i) == ADG_NONE) in[i].pool = add_limit(g, 1);
    break;
  default: break;
  }
}

bool graph_is_pipe(const RouteGraph *g, u32 input_port) {
  const AdgPort *port = &g->adg->ports[input_port];
  return port->is_tagged && g->adg->components[port->component].kind == ADG_SPATIAL_SW &&
         g->ports[input_port].ntags > 1 &&
         graph_only_output(g->adg, port->component, port->index) != ADG_NONE;
}

bool graph_make_exclusive(RouteGraph *g, u32 port) {
  SearchPort *p = &g->ports[port];
  if (p->pool != MAP_NONE) return false;
  p->is_exclusive = true;
  p->pool = add_limit(g, 1);
  return true;
}

void graph_share_all(RouteGraph *g) {
  for (u32 p = 0; p < g->adg->nports; p++)
    if (g->ports[p].is_exclusive) g->ports[p].is_exclusive = false, g->ports[p].pool = MAP_NONE;
  g->nlimits = g->nlimits_made;
}

bool graph_leads_to_one(const Adg *adg, const AdgPort *port) {
  for (u32 steps = 0; steps < 8 && port->nchannels == 1; steps++) {
    u32 component = adg->ports[adg->channels[port->first_channel].to].component;
    const AdgComponent *c = &adg->components[component];
    if (adg_is_switch(c)) return false;
    if (!adg_passes_tokens(c)) return true;
    port = &adg->ports[adg_output(adg, component, 0)];
  }
  return false;
}

static void make_states(RouteGraph *g) {
  const Adg *adg = g->adg;
  u32 most = MAX_TAGS;
  size_t nlimits = 0;
  for (u64 n = MAX_STATES + 1; n > MAX_STATES && most > 1; most /= 2) {
    n = 0;
    for (u32 p = 0; p < adg->nports; p++)
      if (port_is_inside(g, p)) n += tags_of(&adg->ports[p], most);
    if (n <= MAX_STATES) break;
  }
  g->ports = NEW_ARRAY(g->arena, SearchPort, adg->nports + (size_t)1);
  for (u32 p = 0; p < adg->nports; p++) {
    SearchPort *port = &g->ports[p];
    bool is_inside = port_is_inside(g, p);
    *port = (SearchPort){.first_state = g->nstates,
                         .local = is_inside ? g->nlocal++ : MAP_NONE,
                         .pool = MAP_NONE,
                         .group = MAP_NONE};
    if (is_inside) port->ntags = tags_of(&adg->ports[p], most);
    port->leads_to_one = adg->ports[p].is_output && graph_leads_to_one(adg, &adg->ports[p]);
    g->nstates += port->ntags;
  }
  g->state_port = NEW_ARRAY(g->arena, u32, g->nstates + (size_t)1);
  for (u32 p = 0; p < adg->nports; p++)
    for (u32 t = 0; t < g->ports[p].ntags; t++) g->state_port[g->ports[p].first_state + t] = p;
  for (u32 c = 0; c < adg->ncomponents; c++) {
    const AdgComponent *component = &adg->components[c];
    nlimits += 1 + component->ninputs + component->noutputs +
               (component->ninputs ? g->ports[component->first_port].ntags : 0);
  }
  g->limits = NEW_ARRAY(g->arena, u32, nlimits);
  for (u32 c = 0; c < adg->ncomponents; c++) add_limits(g, c);
  g->nlimits_made = g->nlimits;
  g->most_limits = (u32)nlimits;
}

static void visit_port(const RouteGraph *g, u32 port, u32 tag, StateVisit visit, void *context) {
  if (tag < g->ports[port].ntags) visit(context, g->ports[port].first_state + tag);
}

/* True of an input that takes all tokens, however it is configured. A FIFO that can be bypassed
 * takes them if an input behind it does. `start` is the component of the first output, which a ring
 * of FIFOs leads back to. */
static bool always_takes(const Adg *adg, u32 input, u32 start) {
  u32 component = adg->ports[input].component;
  const AdgComponent *c = &adg->components[component];
  switch ((AdgKind)c->kind) {
  case ADG_OUTPUT:
  case ADG_MEMORY:
  case ADG_EXTMEMORY: return true;
  case ADG_FIFO:
    if (!adg->fifos[c->detail].bypassable) return true;
    break;
  case ADG_DEL_TAG: break;
  default: return false;
  }
  const AdgPort *out = &adg->ports[adg_output(adg, component, 0)];
  for (u32 k = out->first_channel; k < out->first_channel + out->nchannels; k++)
    if (component != start && always_takes(adg, adg->channels[k].to, start)) return true;
  return false;
}

/* Of an output that is no switch's and leads to several inputs: the first of them that always takes
 * tokens, so that no other can be chosen. MAP_NONE: any can. */
static u32 only_taker(const Adg *adg, const AdgPort *port) {
  if (port->nchannels < 2 || adg_is_switch(&adg->components[port->component])) return MAP_NONE;
  for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++)
    if (always_takes(adg, adg->channels[k].to, port->component)) return adg->channels[k].to;
  return MAP_NONE;
}

/* True of an output whose tokens several inputs would always take, so that it cannot be used. */
static bool has_several_takers(const Adg *adg, const AdgPort *port) {
  u32 n = 0;
  for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++)
    n += always_takes(adg, adg->channels[k].to, port->component);
  return n > 1;
}

void graph_next(const RouteGraph *g, u32 state, StateVisit visit, void *context) {
  const Adg *adg = g->adg;
  if (g->first_next) {
    for (u32 k = g->first_next[state]; k < g->first_next[state + 1]; k++)
      visit(context, g->next[k]);
    return;
  }
  u32 p = g->state_port[state], tag = state - g->ports[p].first_state;
  const AdgPort *port = &adg->ports[p];
  if (port->is_output) {
    u32 only = only_taker(adg, port);
    if (only != MAP_NONE && has_several_takers(adg, port)) return;
    if (only != MAP_NONE) visit_port(g, only, tag, visit, context);
    for (u32 k = 0; only == MAP_NONE && k < port->nchannels; k++)
      visit_port(g, adg->channels[port->first_channel + k].to, tag, visit, context);
    return;
  }
  const AdgComponent *c = &adg->components[port->component];
  u32 first_output = c->first_port + c->ninputs;
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW:
    for (u32 o = 0; o < c->noutputs; o++)
      if (adg_goes_straight(adg, &adg->switches[c->detail], port->index, o))
        visit_port(g, first_output + o, tag, visit, context);
    break;
  case ADG_FIFO: visit_port(g, first_output, tag, visit, context); break;
  case ADG_DEL_TAG: visit_port(g, first_output, 0, visit, context); break;
  case ADG_ADD_TAG:
  case ADG_MAP_TAG:
    for (u32 t = 0; t < g->ports[first_output].ntags; t++)
      visit_port(g, first_output, t, visit, context);
    break;
  default: break;
  }
}

typedef Vec(u32) StateList;

static void list_state(void *context, u32 state) {
  StateList *next = context;
  vec_push(next, state);
}

/* Stores the successors of all states, since searches visit the same states again and again; but
 * not if there are many for each port, as in a temporal fabric, where ports have many tags. */
static void find_next(RouteGraph *g) {
  size_t most = (size_t)MOST_NEXT * g->adg->nports;
  if (g->nstates > most) return;
  StateList next = {0};
  u32 *first = NEW_ARRAY(g->arena, u32, g->nstates + (size_t)1);
  for (u32 state = 0; state < g->nstates && next.len <= most; state++) {
    graph_next(g, state, list_state, &next);
    first[state + 1] = (u32)next.len;
  }
  if (next.len <= most) {
    g->first_next = first;
    g->next = arena_copy(g->arena, next.at, mem_size(next.len, sizeof *next.at));
  }
  vec_free(&next);
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Lists the ports of the region (SearchPort.local) from which a token may come to port p. */
static u32 list_before(const RouteGraph *g, u32 p, u32 *list) {
  const Adg *adg = g->adg;
  const AdgPort *port = &adg->ports[p];
  const AdgComponent *c = &adg->components[port->component];
  u32 n = 0;
  if (!port->is_output) {
    if (port->nchannels) list[n++] = g->ports[adg_driver(adg, p)].local;
  } else if (adg_is_switch(c)) {
    for (u32 i = 0; i < c->ninputs; i++)
      if (adg_goes_straight(adg, &adg->switches[c->detail], i, port->index))
        list[n++] = g->ports[c->first_port + i].local;
  } else if (adg_passes_tokens(c)) {
    list[n++] = g->ports[c->first_port].local;
  }
  u32 kept = 0;
  for (u32 i = 0; i < n; i++)
    if (list[i] != MAP_NONE) list[kept++] = list[i];
  return kept;
}

/* Lists the predecessors of each port of the region, once for all searches. */
static void find_before(RouteGraph *g) {
  const Adg *adg = g->adg;
  Vec(u32) before = {0};
  u32 most = 1;
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (adg->components[c].ninputs > most) most = adg->components[c].ninputs;
  u32 *list = mem_alloc(mem_size(most, sizeof *list));
  g->first_before = NEW_ARRAY(g->arena, u32, g->nlocal + (size_t)1);
  g->takes_cycle = NEW_ARRAY(g->arena, bool, g->nlocal + (size_t)1);
  for (u32 p = 0; p < adg->nports; p++) {
    if (g->ports[p].local == MAP_NONE) continue;
    u32 n = list_before(g, p, list);
    for (u32 i = 0; i < n; i++) vec_push(&before, list[i]);
    g->first_before[g->ports[p].local + 1] = (u32)before.len;
    g->takes_cycle[g->ports[p].local] =
        g->ports[p].is_delay || (adg->ports[p].is_output && adg_buffer(adg, p));
  }
  g->before = arena_copy(g->arena, before.at, mem_size(before.len, sizeof *before.at));
  vec_free(&before);
  mem_free(list);
}

/* The ports of a terminal: of a PE several, else one, or none where a family is absent. */
static u32 terminal_ports(const RouteGraph *g, u32 terminal, bool is_sink, u32 *first) {
  const Adg *adg = g->adg;
  u32 component;
  if (terminal < g->npes) {
    component = pe_at(g, terminal)->component;
  } else if (terminal < g->npes + graph_memory_terminals(g)) {
    u32 k = terminal - g->npes, channel = k % g->nchannels, family = k / g->nchannels % 3;
    *first = adg_lane_port(&adg->memories[k / g->nchannels / 3],
                           family + (is_sink ? ADG_LOAD_ADDR : ADG_LOAD_DATA), channel);
    return *first != ADG_NONE && g->is_inside[adg->ports[*first].component];
  } else {
    u32 k = terminal - g->npes - graph_memory_terminals(g);
    component = is_sink ? g->outputs[k] : g->inputs[k];
  }
  const AdgComponent *c = &adg->components[component];
  *first = c->first_port + (is_sink ? 0 : c->ninputs);
  return is_sink ? c->ninputs : c->noutputs;
}

/* Breadth-first search backwards from a sink. By port of the region, `steps` gets the fewest steps
 * to the sink, and `cycles` (may be NULL) the fewest cycles of the paths with so many steps. */
static void search_backwards(RouteGraph *g, u32 sink, u16 *steps, u16 *cycles) {
  u32 first, n = terminal_ports(g, sink, true, &first), tail = 0;
  for (u32 p = 0; p < g->nlocal; p++) steps[p] = FAR;
  for (u32 i = 0; i < n; i++) {
    u32 local = g->ports[first + i].local;
    if (local == MAP_NONE) continue;
    steps[local] = 0, g->queue[tail++] = local;
    if (cycles) cycles[local] = 0;
  }
  for (u32 head = 0; head < tail; head++) {
    u32 p = g->queue[head], distance = steps[p] + 1u;
    u32 taken = cycles ? cycles[p] + (u32)g->takes_cycle[p] : 0;
    if (distance >= FAR) return;
    for (u32 k = g->first_before[p]; k < g->first_before[p + 1]; k++) {
      u32 from = g->before[k];
      if (cycles && steps[from] == distance && cycles[from] > taken) cycles[from] = (u16)taken;
      if (steps[from] != FAR) continue;
      steps[from] = (u16)distance;
      if (cycles) cycles[from] = (u16)taken;
      g->queue[tail++] = from;
    }
  }
}

const u16 *graph_steps_to(RouteGraph *g, u32 sink) {
  if (!g->to_sink[sink]) {
    g->to_sink[sink] = NEW_ARRAY(g->arena, u16, g->nlocal + (size_t)1);
    search_backwards(g, sink, g->to_sink[sink], NULL);
  }
  return g->to_sink[sink];
}

bool graph_has_registers(const Adg *adg) {
  for (u32 i = 0; i < adg->nfifos; i++)
    if (!adg->fifos[i].bypassable) return true;
  for (u32 i = 0; i < adg->nswitches; i++)
    if (adg->switches[i].buffer != BUFFER_NONE) return true;
  return false;
}

/* Fills the distance and delay from a source to the sink of the backward search, at index `at`. */
static void measure_from(RouteGraph *g, u32 source, bool is_copied, const u16 *steps,
                         const u16 *cycles, size_t at) {
  u32 from, nfrom = terminal_ports(g, source, false, &from), best = FAR, delay = 0;
  for (u32 i = 0; i < nfrom; i++) {
    u32 local = g->ports[from + i].local;
    if (local == MAP_NONE || steps[local] + 1u > best) continue;
    if (is_copied && g->ports[from + i].leads_to_one) continue;
    if (cycles && (steps[local] + 1u < best || cycles[local] < delay)) delay = cycles[local];
    best = steps[local] + 1u;
  }
  if (cycles) g->delay[at] = (u8)(delay < UINT8_MAX ? delay : UINT8_MAX);
  g->distance[at] = (u16)best;
}

static void measure(RouteGraph *g) {
  u16 *steps = mem_alloc(mem_size(2, g->nlocal + (size_t)1) * sizeof *steps);
  size_t npairs = mem_size(2 * (g->nsources + (size_t)1), g->nsinks);
  u16 *cycles = graph_has_registers(g->adg) ? steps + g->nlocal : NULL;
  g->queue = NEW_ARRAY(g->arena, u32, g->nlocal + (size_t)1);
  g->to_sink = NEW_ARRAY(g->arena, u16 *, g->nsinks + (size_t)1);
  g->distance = NEW_ARRAY(g->arena, u16, npairs);
  if (cycles) g->delay = NEW_ARRAY(g->arena, u8, npairs);
  for (u32 sink = 0; sink < g->nsinks; sink++) {
    search_backwards(g, sink, steps, cycles);
    for (u32 source = 0; source < g->nsources; source++) {
      size_t at = (size_t)source * g->nsinks + sink;
      measure_from(g, source, false, steps, cycles, at);
      measure_from(g, source, true, steps, cycles, at + graph_pairs(g));
    }
  }
  mem_free(steps);
}

/* ---- the routing graph ----------------------------------------------------------------------- */

RouteGraph *graph_new(const Adg *adg, const bool *is_inside) {
  Arena *arena = arena_new();
  RouteGraph *g = NEW(arena, RouteGraph);
  g->adg = adg;
  g->arena = arena;
  g->is_inside = arena_copy(arena, is_inside, adg->ncomponents);
  list_region(g);
  g->nchannels = adg_most_channels(adg);
  g->nsources = g->npes + graph_memory_terminals(g) + g->ninputs;
  g->nsinks = g->npes + graph_memory_terminals(g) + g->noutputs;
  make_states(g);
  find_next(g);
  find_before(g);
  measure(g);
  return g;
}

void graph_free(RouteGraph *g) {
  if (g) arena_free(g->arena);
}

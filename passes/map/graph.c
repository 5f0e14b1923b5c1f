/* graph.c -- the fabric as a graph to route on.
 *
 *     sw.out1 -> add_tag.in0 -> add_tag.out0 under tag 0 -> gather.in0 under tag 0 -> ...
 *                            \> add_tag.out0 under tag 1 -> gather.in0 under tag 1 -> ...
 *
 * Its nodes are states: a port under a tag, or a port that has none. Edges are not stored: what
 * follows a state is told by the ADG (graph_next). From an output a token goes to the inputs it is
 * wired to, where its tag must fit; from an input to the outputs that its component can send it to.
 * PEs and memories pass nothing on: routes end there.
 *
 * Distances come from one search backwards from each sink, over ports without regard to tags and
 * to who is there already. So they are never longer than a route that exists: a lower bound for A*
 * (route.c). Each search looks at a port once: a switch's outputs share their inputs, and an input
 * once reached is not looked at again.
 */
#include "map/search.h"

/* How many tags are tried where a tag could be any of more. */
enum { MAX_TAGS = 256, MAX_STATES = 1 << 22 };

/* ---- states ---------------------------------------------------------------------------------- */

static u32 add_limit(RouteGraph *g, u32 capacity) {
  g->limits[g->nlimits] = capacity;
  return g->nlimits++;
}

static u32 tags_of(const AdgPort *port, u32 most) {
  u32 n = port->is_tagged ? (u32)1 << port->tag_width : 1;
  return n < most ? n : most;
}

/* The limits of a component: first counted (limits == NULL), then made. */
static void add_limits(RouteGraph *g, u32 component) {
  const Adg *adg = g->adg;
  const AdgComponent *c = &adg->components[component];
  if (!c->ninputs) return;
  SearchPort *in = &g->ports[c->first_port];
  switch ((AdgKind)c->kind) {
  case ADG_TEMPORAL_SW: {
    u32 pool = add_limit(g, adg->switches[c->detail].num_route_table), group = g->nlimits;
    for (u32 t = 0; t < in->ntags; t++) add_limit(g, 1);
    for (u32 i = 0; i < c->ninputs; i++) in[i].pool = pool, in[i].group = group;
    break;
  }
  case ADG_MAP_TAG: in->pool = add_limit(g, adg->tags[c->detail].table_size); break;
  case ADG_FIFO:
    /* What waits in a queue could hold up what is behind it under another tag: one net. */
    if (in->ntags > 1 && !adg->fifos[c->detail].bypassable) in->pool = add_limit(g, 1);
    break;
  case ADG_SPATIAL_SW:
    /* It does not look at tags: who shares an input would share all outputs. One net a port. */
    for (u32 i = 0; in->ntags > 1 && i < c->ninputs + c->noutputs; i++)
      in[i].pool = add_limit(g, 1);
    break;
  default: break;
  }
}

static void make_states(RouteGraph *g) {
  const Adg *adg = g->adg;
  u32 most = MAX_TAGS;
  size_t nlimits = 0;
  for (u64 n = MAX_STATES + 1; n > MAX_STATES && most > 1; most /= 2) {
    n = 0;
    for (u32 p = 0; p < adg->nports; p++) n += tags_of(&adg->ports[p], most);
    if (n <= MAX_STATES) break;
  }
  g->ports = NEW_ARRAY(g->arena, SearchPort, adg->nports + (size_t)1);
  for (u32 p = 0; p < adg->nports; p++) {
    SearchPort *port = &g->ports[p];
    *port = (SearchPort){g->nstates, tags_of(&adg->ports[p], most), MAP_NONE, MAP_NONE};
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
}

static void visit_port(const RouteGraph *g, u32 port, u32 tag, StateVisit visit, void *context) {
  if (tag < g->ports[port].ntags) visit(context, g->ports[port].first_state + tag);
}

void graph_next(const RouteGraph *g, u32 state, StateVisit visit, void *context) {
  const Adg *adg = g->adg;
  u32 p = g->state_port[state], tag = state - g->ports[p].first_state;
  const AdgPort *port = &adg->ports[p];
  if (port->is_output) {
    for (u32 i = 0; i < port->nchannels; i++)
      visit_port(g, adg->channels[port->first_channel + i].to, tag, visit, context);
    return;
  }
  const AdgComponent *c = &adg->components[port->component];
  u32 first_output = c->first_port + c->ninputs;
  switch ((AdgKind)c->kind) {
  case ADG_SPATIAL_SW:
  case ADG_TEMPORAL_SW:
    for (u32 o = 0; o < c->noutputs; o++)
      if (adg_connects(adg, &adg->switches[c->detail], port->index, o))
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

/* ---- distances ------------------------------------------------------------------------------- */

typedef struct {
  u32 *at;
  u32 head, tail;
} Queue;

static void reach(Queue *queue, u16 *steps, u32 port, u32 distance) {
  if (steps[port] != FAR || distance >= FAR) return;
  steps[port] = (u16)distance;
  queue->at[queue->tail++] = port;
}

/* All that leads to what is in the queue. */
static void search_backwards(const Adg *adg, Queue *queue, u16 *steps) {
  while (queue->head < queue->tail) {
    u32 p = queue->at[queue->head++], distance = steps[p] + 1u;
    const AdgPort *port = &adg->ports[p];
    if (!port->is_output) {
      if (port->nchannels) reach(queue, steps, adg_driver(adg, p), distance);
      continue;
    }
    const AdgComponent *c = &adg->components[port->component];
    switch ((AdgKind)c->kind) {
    case ADG_SPATIAL_SW:
    case ADG_TEMPORAL_SW:
      for (u32 i = 0; i < c->ninputs; i++)
        if (adg_connects(adg, &adg->switches[c->detail], i, port->index))
          reach(queue, steps, c->first_port + i, distance);
      break;
    case ADG_FIFO:
    case ADG_ADD_TAG:
    case ADG_MAP_TAG:
    case ADG_DEL_TAG: reach(queue, steps, c->first_port, distance); break;
    default: break;
    }
  }
}

/* The ports of a terminal: of a PE several, else one, or none where a family is absent. */
static u32 terminal_ports(const RouteGraph *g, u32 terminal, bool is_sink, u32 *first) {
  const Adg *adg = g->adg;
  u32 component;
  if (terminal < adg->npes) {
    component = adg->pes[terminal].component;
  } else if (terminal < adg->npes + adg->nmemories * 3) {
    u32 k = terminal - adg->npes;
    *first = adg->memories[k / 3].ports[k % 3 + (is_sink ? ADG_LOAD_ADDR : ADG_LOAD_DATA)];
    return *first != ADG_NONE;
  } else {
    u32 k = terminal - adg->npes - adg->nmemories * 3;
    component = is_sink ? g->outputs[k] : g->inputs[k];
  }
  const AdgComponent *c = &adg->components[component];
  *first = c->first_port + (is_sink ? 0 : c->ninputs);
  return is_sink ? c->ninputs : c->noutputs;
}

static void measure(RouteGraph *g) {
  const Adg *adg = g->adg;
  Queue queue = {mem_alloc(mem_size(adg->nports + (size_t)1, sizeof *queue.at)), 0, 0};
  g->to_sink = NEW_ARRAY(g->arena, u16, mem_size(g->nsinks + (size_t)1, adg->nports));
  g->distance = NEW_ARRAY(g->arena, u16, mem_size(g->nsources + (size_t)1, g->nsinks));
  for (u32 sink = 0; sink < g->nsinks; sink++) {
    u16 *steps = g->to_sink + (size_t)sink * adg->nports;
    u32 first, n = terminal_ports(g, sink, true, &first);
    for (u32 p = 0; p < adg->nports; p++) steps[p] = FAR;
    queue.head = queue.tail = 0;
    for (u32 i = 0; i < n; i++) reach(&queue, steps, first + i, 0);
    search_backwards(adg, &queue, steps);
    for (u32 source = 0; source < g->nsources; source++) {
      u32 from, nfrom = terminal_ports(g, source, false, &from), best = FAR;
      for (u32 i = 0; i < nfrom; i++)
        if (steps[from + i] + 1u < best) best = steps[from + i] + 1u;
      g->distance[(size_t)source * g->nsinks + sink] = (u16)best;
    }
  }
  mem_free(queue.at);
}

/* ---- all of it ------------------------------------------------------------------------------- */

RouteGraph *graph_new(const Adg *adg) {
  Arena *arena = arena_new();
  RouteGraph *g = NEW(arena, RouteGraph);
  g->adg = adg;
  g->arena = arena;
  g->inputs = NEW_ARRAY(arena, u32, adg->ncomponents + (size_t)1);
  g->outputs = NEW_ARRAY(arena, u32, adg->ncomponents + (size_t)1);
  for (u32 c = 0; c < adg->ncomponents; c++) {
    if (adg->components[c].kind == ADG_INPUT) g->inputs[g->ninputs++] = c;
    if (adg->components[c].kind == ADG_OUTPUT) g->outputs[g->noutputs++] = c;
  }
  g->nsources = adg->npes + adg->nmemories * 3 + g->ninputs;
  g->nsinks = adg->npes + adg->nmemories * 3 + g->noutputs;
  make_states(g);
  measure(g);
  return g;
}

void graph_free(RouteGraph *g) {
  if (g) arena_free(g->arena);
}

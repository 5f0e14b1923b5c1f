/* broadcast.c -- outputs of switches that lead to several inputs.
 *
 *     sw.out0 ──┬─► pe_0.in0      a net that leaves by out0 comes to all three inputs, wanted or
 *               ├─► pe_1.in1      not: pe_0 and pe_1 must both take an operand there, and switch t
 *               └─► t.in2         must route the tokens on or discard them
 *
 * So a net that enters such an output enters all of its inputs, and whatever follows from these
 * without a choice: FIFOs, tag components, and tagged inputs of switches that lead to a single
 * output (graph_is_pipe), up to another switch or an end. A net may enter the output only where
 * each such end, a port of a PE, of a memory or of the fabric, can be that of one of its own sinks.
 * Unrouted sinks take these ends before other routes are searched for.
 *
 * Cost: for each output that is tried, the states that follow from it times the net's sinks. */
#include "map/router.h"

static const AdgComponent *component_of(const Router *r, u32 state) {
  const Adg *adg = r->s->adg;
  return &adg->components[adg->ports[r->g->state_port[state]].component];
}

bool is_broadcast(const Router *r, u32 state) {
  const AdgPort *port = &r->s->adg->ports[r->g->state_port[state]];
  return port->is_output && port->nchannels > 1 && adg_is_switch(component_of(r, state));
}

/* True of an input where routes end: of a PE, a memory or an output of the fabric. */
static bool is_end(const Router *r, u32 state) {
  if (r->s->adg->ports[r->g->state_port[state]].is_output) return false;
  return !adg_passes_tokens(component_of(r, state));
}

/* True where the route of this sink may end in the state. */
static bool ends_at(const Router *r, const NetEnd *sink, u32 state) {
  const MapSearch *s = r->s;
  u32 port = r->g->state_port[state], component = s->adg->ports[port].component, tag = 0;
  if (sink->kind == END_DISCARD || sink->kind == END_REGISTER) return false;
  u32 place = s->place[sink->block];
  if (sink->kind == END_PE) {
    if (component != pe_at(r->g, place)->component) return false;
    tag = s->mapping->places[sink->block].tag;
  } else if (sink->kind == END_MEMORY) {
    if (port != end_port(s, sink)) return false;
    if (s->adg->ports[port].is_tagged) tag = s->mapping->binding.lanes[sink->port];
  } else {
    return component == r->g->outputs[place]; /* the host takes any tag */
  }
  return state_tag(r->g, state) == tag;
}

/* The state that follows an input without a choice; MAP_NONE: none does, or there is a choice.
 * Where the next tag can be set, it is the first that is free. */
static u32 next_of(const Router *r, u32 state) {
  const RouteGraph *g = r->g;
  const AdgComponent *c = component_of(r, state);
  u32 out = c->first_port + c->ninputs, tag = 0;
  switch ((AdgKind)c->kind) {
  case ADG_FIFO: tag = state_tag(g, state); break;
  case ADG_SPATIAL_SW: {
    u32 in = g->state_port[state];
    if (!graph_is_pipe(g, in)) return MAP_NONE;
    out += graph_only_output(r->s->adg, r->s->adg->ports[in].component, r->s->adg->ports[in].index);
    tag = state_tag(g, state);
    break;
  }
  case ADG_DEL_TAG: break;
  case ADG_ADD_TAG:
  case ADG_MAP_TAG:
    while (tag < g->ports[out].ntags && r->states[g->ports[out].first_state + tag].used) tag++;
    break;
  default: return MAP_NONE;
  }
  return tag < g->ports[out].ntags ? g->ports[out].first_state + tag : MAP_NONE;
}

/* Appends the inputs that an output leads to, except `but`. False where the output's tag does not
 * fit one of them. */
static bool follow(Router *r, u32 output, u32 parent, u32 but) {
  const Adg *adg = r->s->adg;
  const AdgPort *port = &adg->ports[r->g->state_port[output]];
  u32 tag = state_tag(r->g, output);
  for (u32 k = 0; k < port->nchannels; k++) {
    const SearchPort *in = &r->g->ports[adg->channels[port->first_channel + k].to];
    if (tag >= in->ntags) return false;
    if (in->first_state + tag != but)
      vec_push(&r->broadcast, ((BroadcastState){in->first_state + tag, parent}));
  }
  return true;
}

bool broadcast_follow(Router *r, u32 output, u32 but) {
  const Adg *adg = r->s->adg;
  vec_clear(&r->broadcast);
  if (!follow(r, output, MAP_NONE, but)) return false;
  for (u32 i = 0; i < r->broadcast.len; i++) {
    u32 state = r->broadcast.at[i].state, port = r->g->state_port[state];
    if (adg->ports[port].width < r->net->bits) return false;
    if (adg->ports[port].is_output) {
      if (adg->ports[port].nchannels > 1 && !is_broadcast(r, state))
        return false; /* copies no tokens: which input takes them would be a choice */
      if (!follow(r, state, i, MAP_NONE)) return false;
      continue;
    }
    u32 next = next_of(r, state);
    if (next != MAP_NONE)
      vec_push(&r->broadcast, ((BroadcastState){next, i}));
    else if (!is_end(r, state) && !adg_is_switch(component_of(r, state)))
      return false; /* no tag is left */
  }
  return true;
}

bool broadcast_is_wanted(Router *r, u32 output, bool by_any) {
  const MapSearch *s = r->s;
  const PlacedNet *net = r->net;
  bool fits = broadcast_follow(r, output, MAP_NONE);
  vec_clear(&r->broadcast_sinks);
  r->unwanted = MAP_NONE;
  for (u32 i = 0; i < r->broadcast.len && fits; i++) {
    u32 state = r->broadcast.at[i].state, k = net->first_sink, end = k + net->nsinks;
    if (!is_end(r, state)) continue;
    for (; k < end; k++) {
      bool is_taken = r->sink_at[k] != MAP_NONE && !by_any;
      for (u32 t = 0; t < r->broadcast_sinks.len && !is_taken; t++)
        is_taken = r->broadcast_sinks.at[t] == k;
      if (!is_taken && ends_at(r, &s->sinks[k], state)) break;
    }
    if (k == end) fits = false, r->unwanted = state;
    vec_push(&r->broadcast_sinks, k);
  }
  return fits;
}

u32 broadcast_find(const Router *r, const RouteTree *tree, u32 sink) {
  const PlacedNet *net = r->net;
  for (u32 i = 0; i < tree->len; i++) {
    if (!is_end(r, tree->states[i]) || !ends_at(r, &r->s->sinks[sink], tree->states[i])) continue;
    bool is_taken = false;
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++)
      is_taken = is_taken || r->sink_at[k] == i;
    if (!is_taken) return i;
  }
  return MAP_NONE;
}

u32 broadcast_unclaimed(const Router *r, u32 net) {
  const PlacedNet *n = &r->s->nets[net];
  const RouteTree *tree = &r->trees[net];
  u32 left = 0;
  for (u32 i = 0; i < tree->len; i++) {
    bool is_taken = !is_end(r, tree->states[i]);
    for (u32 k = n->first_sink; k < n->first_sink + n->nsinks && !is_taken; k++)
      is_taken = r->sink_at[k] == i;
    left += !is_taken;
  }
  return left;
}

bool broadcast_is_discarded(const Router *r, u32 net, u32 at) {
  const PlacedNet *n = &r->s->nets[net];
  const RouteTree *tree = &r->trees[net];
  u32 from = tree->parents[at];
  if (from == MAP_NONE || is_end(r, tree->states[at])) return false;
  if (r->s->adg->ports[r->g->state_port[tree->states[at]]].is_output) return false;
  for (u32 i = at + 1; i < tree->len; i++)
    if (tree->parents[i] == at) return false;
  for (u32 k = n->first_sink; k < n->first_sink + n->nsinks; k++)
    if (r->sink_at[k] == at) return false;
  return true;
}

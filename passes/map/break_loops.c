/* break_loops.c -- routing without combinational loops through shared channels.
 *
 *     inc ─► gather ─► inc      `inc` has latency 0; its operand and its result share a tagged
 *     x ───► gather ─► inc      channel. The channel is granted once all requests are known, but
 *                               inc requests it only when it has been granted to its operand
 *
 * The signals of a shared tagged channel and of a unit of latency 0 settle within a cycle, each
 * after those that it depends on (config/configured_loops.c checks the same in an image). Whether a
 * buffer of one place (`forward`) has room depends on the channels and forward buffers behind it,
 * and the shared channels before it depend on that. When all nets are routed, these dependencies
 * make a graph, from which edges are removed that no edge leads to, or no edge leads on from, until
 * there are none (as in Kahn's topological sort). What is left is on cycles or between them. The
 * channels that are left are limited to one net each, and routing goes on. This may be stricter
 * than necessary, since rerouting another net might do, so the limits hold for one attempt only.
 *
 * It ends, as each round limits another channel. Cost: a routing a round, and then the edges of the
 * dependencies times the passes over them, mostly few. */
#include "base/digraph.h"
#include "map/router.h"

/* An edge: `to` depends on `from`. The nodes are the clusters; the ports; the ports again, for the
 * channel inside a switch into the forward buffer at that output; and forward buffers, by points of
 * the nets' trees. */
static void add_dependency(DigraphEdges *edges, u32 from, u32 to) {
  if (from != MAP_NONE && to != MAP_NONE) digraph_edge(edges, from, to);
}

/* True of an end in a combinational unit. In a temporal PE all results pass a register. */
static bool is_wire(const MapSearch *s, const NetEnd *end) {
  if (end->kind != END_PE || pe_at(s->graph, s->place[end->block])->is_temporal) return false;
  return adg_is_wire(&s->adg->bodies[s->cover->matches[s->match_of[end->block]].body]);
}

/* True of an output that nets use under several tags. */
static bool is_shared(const Router *r, u32 port) {
  const SearchPort *p = &r->g->ports[port];
  u32 nets = 0;
  if (!r->s->adg->ports[port].is_output) return false;
  for (u32 t = 0; p->ntags > 1 && t < p->ntags; t++) nets += r->states[p->first_state + t].used;
  return nets > 1;
}

/* Shared channels on the route to the forward buffer at point i depend on its room. */
static void add_room_dependencies(const Router *r, const RouteTree *tree, u32 i, u32 buffer,
                                  DigraphEdges *edges) {
  const Adg *adg = r->s->adg;
  u32 nclusters = r->s->cover->nclusters;
  for (u32 j = tree->parents[i]; j != MAP_NONE; j = tree->parents[j]) {
    u32 port = r->g->state_port[tree->states[j]];
    if (r->g->ports[port].is_delay) break;
    if (is_shared(r, port)) add_dependency(edges, buffer, nclusters + port);
    if (adg_buffer(adg, port)) break;
  }
}

/* Adds the dependencies along a net's tree. By point of the tree, `before` gets the node that it
 * depends on within a cycle, and `behind` the forward buffer that it is behind with no other
 * register between (MAP_NONE: none). `buffers` is the node of the net's first point. */
static void add_net_dependencies(const Router *r, u32 n, u32 buffers, u32 *before, u32 *behind,
                                 DigraphEdges *edges) {
  const MapSearch *s = r->s;
  const PlacedNet *net = &s->nets[n];
  const RouteTree *tree = &r->trees[n];
  u32 nclusters = s->cover->nclusters, start = MAP_NONE;
  if (is_wire(s, &net->source)) start = net->source.block;
  for (u32 i = 0; i < tree->len; i++) {
    u32 port = r->g->state_port[tree->states[i]];
    u32 from = tree->parents[i] == MAP_NONE ? start : before[tree->parents[i]];
    u32 buffer = adg_buffer(s->adg, port);
    behind[i] = tree->parents[i] == MAP_NONE ? MAP_NONE : behind[tree->parents[i]];
    if (buffer == BUFFER_FORWARD) {
      u32 into = nclusters + s->adg->nports + port;
      add_dependency(edges, from, into);
      add_dependency(edges, buffers + i, into);
      add_dependency(edges, into, behind[i]);
      add_room_dependencies(r, tree, i, buffers + i, edges);
    }
    if (buffer) {
      from = MAP_NONE; /* the buffer's register separates the channel from what is before it */
      behind[i] = buffer == BUFFER_FORWARD ? buffers + i : MAP_NONE;
    }
    if (r->g->ports[port].is_delay) behind[i] = MAP_NONE;
    if (is_shared(r, port)) add_dependency(edges, nclusters + port, behind[i]);
    if (r->g->ports[port].is_delay) {
      before[i] = MAP_NONE;
    } else if (is_shared(r, port)) {
      add_dependency(edges, from, nclusters + port);
      before[i] = nclusters + port;
    } else {
      before[i] = from;
    }
  }
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
    u32 point = r->sink_at[k];
    if (point != MAP_NONE && is_wire(s, &s->sinks[k]))
      add_dependency(edges, before[point], s->sinks[k].block);
  }
}

/* Removes the edges that are not on a cycle or between cycles. Then `into` and `out` have, by node,
 * how many of the edges that are left enter and leave it. */
static void trim(const DigraphEdges *edges, u32 nnodes, u32 *into, u32 *out) {
  bool *is_removed = mem_alloc(edges->len + 1);
  memset(into, 0, nnodes * sizeof *into);
  memset(out, 0, nnodes * sizeof *out);
  for (size_t e = 0; e < edges->len; e++) into[(u32)edges->at[e]]++, out[edges->at[e] >> 32]++;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t e = 0; e < edges->len; e++) {
      u32 from = (u32)(edges->at[e] >> 32), to = (u32)edges->at[e];
      if (is_removed[e] || (into[from] && out[to])) continue;
      is_removed[e] = changed = true;
      out[from]--;
      into[to]--;
    }
  }
  mem_free(is_removed);
}

/* Limits channels that depend on themselves to one net each; returns how many. */
static u32 break_loops(Router *r) {
  const MapSearch *s = r->s;
  RouteGraph *g = s->graph;
  u32 nclusters = s->cover->nclusters, nnodes = nclusters + 2 * s->adg->nports;
  u32 longest = 0, made_exclusive = 0;
  DigraphEdges edges = {0};
  for (u32 n = 0; n < s->nnets; n++)
    if (r->trees[n].len > longest) longest = r->trees[n].len;
  u32 *before = mem_alloc(mem_size(longest + (size_t)1, sizeof *before));
  u32 *behind = mem_alloc(mem_size(longest + (size_t)1, sizeof *behind));
  for (u32 n = 0; n < s->nnets; n++) {
    add_net_dependencies(r, n, nnodes, before, behind, &edges);
    nnodes += r->trees[n].len;
  }
  if (edges.len) {
    u32 *into = mem_alloc(mem_size(nnodes, sizeof *into));
    u32 *out = mem_alloc(mem_size(nnodes, sizeof *out));
    trim(&edges, nnodes, into, out);
    for (u32 p = 0; p < s->adg->nports; p++)
      if (into[nclusters + p]) made_exclusive += graph_make_exclusive(g, p);
    mem_free(into);
    mem_free(out);
  }
  mem_free(before);
  mem_free(behind);
  vec_free(&edges);
  return made_exclusive;
}

u32 route_loop_free(Router *r) {
  graph_share_all(r->s->graph);
  for (;;) {
    u32 left = route_all(r);
    if (left || !break_loops(r)) return left;
  }
}

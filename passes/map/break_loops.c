/* break_loops.c -- no combinational loop through shared channels.
 *
 *     inc ─► gather ─► inc      `inc` has latency 0, and gives its result into a channel that it
 *     x ───► gather ─► inc      takes from, and shares there: the channel must know who wants it
 *                               before it can be granted, and inc wants it when it has got it
 *
 * The signals of a shared tagged channel and of a unit of latency 0 become stable within a cycle,
 * each after those that it depends on (configured_loops.c is the same for an image). Whether a
 * buffer of one place (`forward`) has room depends on the channels and such buffers behind it, and
 * the shared channels before it on that. When all nets are routed, this looks for those that would
 * depend on themselves, by taking away again and again what nothing leads to or nothing leads on
 * from (Kahn). A channel among what is left must not be shared: it gets room for one net, and
 * routing goes on. As that may be too strict (another of those who share it could have gone), it is
 * so for one attempt only.
 */
#include "map/router.h"

/* from << 32 | to; nodes are clusters, then ports, then ports once more: the channel from a switch
 * into a forward buffer of it; then forward buffers, by points of the nets' trees */
typedef Vec(u64) WaitEdges;

static void put_wait(WaitEdges *edges, u32 from, u32 to) {
  if (from != MAP_NONE && to != MAP_NONE) vec_push(edges, (u64)from << 32 | to);
}

/* A cluster whose unit gives its results in the cycle in which it has its operands. Those of a
 * temporal PE pass a register. */
static bool is_wire(const MapSearch *s, const NetEnd *end) {
  if (end->kind != END_PE || pe_at(s->graph, s->place[end->block])->is_temporal) return false;
  return adg_is_wire(&s->adg->bodies[s->cover->matches[s->match_of[end->block]].body]);
}

static bool is_shared(const Router *r, u32 port) {
  const SearchPort *p = &r->g->ports[port];
  u32 nets = 0;
  if (!r->s->adg->ports[port].is_output) return false;
  for (u32 t = 0; p->ntags > 1 && t < p->ntags; t++) nets += r->states[p->first_state + t].used;
  return nets > 1;
}

/* The channels on the route into point i, a forward buffer, wait for its room. */
static void put_room(const Router *r, const RouteTree *tree, u32 i, u32 buffer, WaitEdges *edges) {
  const Adg *adg = r->s->adg;
  u32 nclusters = r->s->cover->nclusters;
  for (u32 j = tree->parents[i]; j != MAP_NONE; j = tree->parents[j]) {
    u32 port = r->g->state_port[tree->states[j]];
    if (r->g->ports[port].is_delay) break;
    if (is_shared(r, port)) put_wait(edges, buffer, nclusters + port);
    if (adg_buffer(adg, port)) break;
  }
}

/* Along a net's tree: what comes before each point within a cycle of it, and the forward buffer
 * behind which it is, as far as no other register is between. `before` and `behind` are by point;
 * `buffers`: the first of the nodes that are points of this net. */
static void put_net(const Router *r, u32 n, u32 buffers, u32 *before, u32 *behind,
                    WaitEdges *edges) {
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
      put_wait(edges, from, into);
      put_wait(edges, buffers + i, into);
      put_wait(edges, into, behind[i]);
      put_room(r, tree, i, buffers + i, edges);
    }
    if (buffer) {
      from = MAP_NONE; /* registers are between the channel and what is before it */
      behind[i] = buffer == BUFFER_FORWARD ? buffers + i : MAP_NONE;
    }
    if (r->g->ports[port].is_delay) behind[i] = MAP_NONE;
    if (is_shared(r, port)) put_wait(edges, nclusters + port, behind[i]);
    if (r->g->ports[port].is_delay) {
      before[i] = MAP_NONE;
    } else if (is_shared(r, port)) {
      put_wait(edges, from, nclusters + port);
      before[i] = nclusters + port;
    } else {
      before[i] = from;
    }
  }
  for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
    u32 at = r->sink_at[k];
    if (at == MAP_NONE || !is_wire(s, &s->sinks[k]) || before[at] == MAP_NONE) continue;
    vec_push(edges, (u64)before[at] << 32 | s->sinks[k].block);
  }
}

/* Takes away, again and again, what nothing leads to, or nothing leads on from; what is left leads
 * round. By node: how many lead to it then. */
static void trim(const WaitEdges *edges, u32 nnodes, u32 *into, u32 *out) {
  bool *gone = mem_alloc(edges->len + 1);
  memset(into, 0, nnodes * sizeof *into);
  memset(out, 0, nnodes * sizeof *out);
  for (size_t e = 0; e < edges->len; e++) into[(u32)edges->at[e]]++, out[edges->at[e] >> 32]++;
  for (bool any = true; any;) {
    any = false;
    for (size_t e = 0; e < edges->len; e++) {
      u32 from = (u32)(edges->at[e] >> 32), to = (u32)edges->at[e];
      if (gone[e] || (into[from] && out[to])) continue;
      gone[e] = any = true;
      out[from]--;
      into[to]--;
    }
  }
  mem_free(gone);
}

/* Looks for channels that would have to wait for themselves and makes each one net's: how many. */
static u32 break_loops(Router *r) {
  const MapSearch *s = r->s;
  RouteGraph *g = s->graph;
  u32 nclusters = s->cover->nclusters, nnodes = nclusters + 2 * s->adg->nports, longest = 0,
      made_exclusive = 0;
  WaitEdges edges = {0};
  for (u32 n = 0; n < s->nnets; n++)
    if (r->trees[n].len > longest) longest = r->trees[n].len;
  u32 *before = mem_alloc(mem_size(longest + (size_t)1, sizeof *before));
  u32 *behind = mem_alloc(mem_size(longest + (size_t)1, sizeof *behind));
  for (u32 n = 0; n < s->nnets; n++) {
    put_net(r, n, nnodes, before, behind, &edges);
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

/* write_routes.c -- writes the router's trees into the mapping: a route for each edge, by ports.
 *
 *     tree: out0 -> in1 -> out2 -> in0     routes: out0 in1 out2 in0
 *                       -> out3 -> in4             out0 in1 out3 in4
 *
 * A net's tree has a path to each of its sinks, and to each switch that discards tokens of a
 * broadcast (broadcast.c). Routes of one net share their first steps; each is written in full.
 * Linear in the steps of all routes.
 */
#include "map/router.h"
#include "map/stages.h"

/* Appends to the steps the path from the root of a net's tree to its entry `at`. */
static MapRoute write_route(Router *r, u32 net, u32 at) {
  Mapping *m = r->s->mapping;
  const RouteTree *tree = &r->trees[net];
  MapRoute route = {r->s->nets[net].result, m->nsteps, 0, MAP_NONE};
  for (u32 i = at; i != MAP_NONE; i = tree->parents[i]) route.nsteps++;
  m->nsteps += route.nsteps;
  for (u32 i = at, k = m->nsteps; i != MAP_NONE; i = tree->parents[i]) {
    k--;
    m->steps[k] = r->g->state_port[tree->states[i]];
    m->tags[k] = (u16)state_tag(r->g, tree->states[i]);
  }
  return route;
}

void route_write(Router *r) {
  MapSearch *s = r->s;
  Mapping *m = s->mapping;
  size_t nsteps = 0;
  u32 ndiscards = 0;
  m->stats.wirelength = 0;
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    const RouteTree *tree = &r->trees[n];
    m->stats.wirelength += tree->len;
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
      ndiscards += s->sinks[k].kind == END_DISCARD;
      for (u32 i = r->sink_at[k]; i != MAP_NONE; i = tree->parents[i]) nsteps++;
    }
    for (u32 at = 0; r->has_broadcasts && at < tree->len; at++) {
      if (!broadcast_is_discarded(r, n, at)) continue;
      ndiscards++;
      for (u32 i = at; i != MAP_NONE; i = tree->parents[i]) nsteps++;
    }
  }
  m->steps = NEW_ARRAY(m->arena, u32, nsteps);
  m->tags = NEW_ARRAY(m->arena, u16, nsteps);
  m->routes = NEW_ARRAY(m->arena, MapRoute, s->dfg->nedges + (size_t)ndiscards + 1);
  m->nroutes = s->dfg->nedges;
  m->nsteps = 0;
  for (u32 e = 0; e < s->dfg->nedges; e++)
    m->routes[e] = (MapRoute){s->dfg->edges[e].result, 0, 0, MAP_NONE};
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
      const NetEnd *sink = &s->sinks[k];
      MapRoute *to = &m->routes[sink->kind == END_DISCARD ? m->nroutes++ : sink->edge];
      *to = write_route(r, n, r->sink_at[k]);
      if (sink->kind == END_REGISTER) to->register_index = sink->port;
    }
    for (u32 at = 0; r->has_broadcasts && at < r->trees[n].len; at++)
      if (broadcast_is_discarded(r, n, at)) m->routes[m->nroutes++] = write_route(r, n, at);
  }
}

u32 route_write_partial(Router *r, bool *is_unrouted) {
  const MapSearch *s = r->s;
  u32 *saved_len = mem_alloc(mem_size(s->nnets + (size_t)1, sizeof *saved_len)), nunrouted = 0;
  u32 *saved_sink_at = mem_alloc(mem_size(s->nsinks + (size_t)1, sizeof *saved_sink_at));
  memcpy(saved_sink_at, r->sink_at, s->nsinks * sizeof *saved_sink_at);
  for (u32 n = 0; n < s->nnets; n++) {
    RouteTree *tree = &r->trees[n];
    const PlacedNet *net = &s->nets[n];
    saved_len[n] = tree->len;
    if (!route_is_contested(r, n)) continue;
    is_unrouted[net->result] = true;
    nunrouted++;
    for (u32 i = 0; i < tree->len; i++) route_use(r, tree->states[i], -1);
    tree->len = 0;
    for (u32 k = 0; k < net->nsinks; k++) r->sink_at[net->first_sink + k] = MAP_NONE;
  }
  route_write(r);
  memcpy(r->sink_at, saved_sink_at, s->nsinks * sizeof *saved_sink_at);
  for (u32 n = 0; n < s->nnets; n++) {
    RouteTree *tree = &r->trees[n];
    if (tree->len == saved_len[n]) continue;
    tree->len = saved_len[n];
    for (u32 i = 0; i < tree->len; i++) route_use(r, tree->states[i], 1);
  }
  mem_free(saved_len);
  mem_free(saved_sink_at);
  return nunrouted;
}

u32 mapping_steps(const Mapping *m) {
  Map seen = {0};
  u32 count = 0;
  for (u32 i = 0; i < m->nroutes; i++) {
    const MapRoute *route = &m->routes[i];
    for (u32 k = route->first_step; k < route->first_step + route->nsteps; k++) {
      u64 *slot = map_slot(&seen, (u64)route->result << 32 | m->steps[k]);
      count += !*slot;
      *slot = 1;
    }
  }
  map_free(&seen);
  return count;
}

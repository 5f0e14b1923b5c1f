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

/* Appends the path from the root of a tree to its entry `at`. */
static void write_route(Router *r, const RouteTree *tree, u32 at, u32 *first, u32 *n) {
  Mapping *m = r->s->mapping;
  *first = m->nsteps;
  *n = 0;
  for (u32 i = at; i != MAP_NONE; i = tree->parents[i]) ++*n;
  m->nsteps += *n;
  for (u32 i = at, k = m->nsteps; i != MAP_NONE; i = tree->parents[i]) {
    k--;
    m->steps[k] = r->g->state_port[tree->states[i]];
    m->tags[k] = (u16)state_tag(r->g, tree->states[i]);
  }
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
  m->discards = NEW_ARRAY(m->arena, MapDiscard, ndiscards);
  m->nsteps = m->ndiscards = 0;
  for (u32 e = 0; e < s->dfg->nedges; e++) m->routes[e] = (MapRoute){0, 0, MAP_NONE};
  for (u32 n = 0; n < s->nnets; n++) {
    const PlacedNet *net = &s->nets[n];
    for (u32 k = net->first_sink; k < net->first_sink + net->nsinks; k++) {
      u32 first, count;
      write_route(r, &r->trees[n], r->sink_at[k], &first, &count);
      if (s->sinks[k].kind == END_DISCARD)
        m->discards[m->ndiscards++] = (MapDiscard){net->result, first, count};
      else
        m->routes[s->sinks[k].edge] = (MapRoute){
            first, count, s->sinks[k].kind == END_REGISTER ? s->sinks[k].port : MAP_NONE};
    }
    for (u32 at = 0; r->has_broadcasts && at < r->trees[n].len; at++) {
      if (!broadcast_is_discarded(r, n, at)) continue;
      u32 first, count;
      write_route(r, &r->trees[n], at, &first, &count);
      m->discards[m->ndiscards++] = (MapDiscard){net->result, first, count};
    }
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

static u32 new_steps(const Mapping *m, Map *seen, u32 result, u32 first, u32 n) {
  u32 count = 0;
  for (u32 k = first; k < first + n; k++) {
    u64 key = (u64)result << 32 | m->steps[k], unused;
    if (map_get(seen, key, &unused)) continue;
    map_put(seen, key, 1);
    count++;
  }
  return count;
}

u32 mapping_steps(const Mapping *m) {
  Map seen = {0};
  u32 count = 0;
  for (u32 e = 0; e < m->dfg->nedges; e++)
    count +=
        new_steps(m, &seen, m->dfg->edges[e].result, m->routes[e].first_step, m->routes[e].nsteps);
  for (u32 i = 0; i < m->ndiscards; i++)
    count += new_steps(m, &seen, m->discards[i].result, m->discards[i].first_step,
                       m->discards[i].nsteps);
  map_free(&seen);
  return count;
}

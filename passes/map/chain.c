/* chain.c -- the longest chain of combinational components between two registers.
 *
 *     acc -> [ sw_0 -> neg -> sw_1 ] -> add     `neg` has latency 0, the switches have no buffers:
 *                                               three components, and the clock waits for all
 *
 * Registers are at the outputs of units with a latency, of inputs of the fabric and of memories, in
 * FIFOs that hold tokens, and in buffers of switches. Between them a token passes, in one cycle,
 * switches, FIFOs that are bypassed, map_tags, the latches of operands, and units of latency 0; a
 * switch with buffers is the last of its chain. The signal that there is room (ready) goes the
 * other way, from latch to latch, and through buffers of one place (`forward`), at which tokens
 * stop. add_tag and del_tag are wires, and are not counted. The number of the others sets the clock
 * period as far as a mapping can influence it; the delay inside a unit is the same wherever the
 * unit is.
 *
 * Units of latency 0 are processed once the chains to all of their operands are known (Kahn's
 * topological order). For each the route of the longest such chain is noted, so the longest of all
 * can be traced back. Cost: the steps of the routes, and all routes again for each unit of latency
 * 0. */
#include "map/stages.h"

typedef struct {
  const Mapping *m;
  Arena *arena;
  u32 *arrival; /* by cluster: components from the last register to its operands, at most */
  u32 *route_of_arrival;          /* by cluster: the route of that chain; MAP_NONE: none */
  u32 longest, at_route, at_step; /* the longest chain ends at this step of a route; or, */
  u32 at_cluster;                 /* unless it is MAP_NONE, in this cluster */
  /* The longest chain is of the ready signal: it begins with its route, or behind the last wall. */
  bool of_room;
} Chains;

static u32 cluster_from(const Mapping *m, u32 route) {
  return m->cover->cluster_of[m->dfg->results[m->routes[route].result].node];
}

static u32 cluster_to(const Mapping *m, u32 route) {
  return route < m->dfg->nedges ? m->cover->cluster_of[m->dfg->edges[route].to] : MAP_NONE;
}

static bool is_wire(const Mapping *m, u32 cluster) {
  return cluster != MAP_NONE && mapping_latency(m, cluster) == 0;
}

static bool is_counted(const Mapping *m, u32 step) {
  u32 component = m->adg->ports[m->steps[step]].component;
  return adg_is_in_chain(&m->adg->components[component]) && !mapping_fifo_holds(m, component);
}

/* True where a token takes a cycle somewhere on the route. */
static bool is_broken(const Mapping *m, u32 route) {
  const MapRoute r = m->routes[route];
  for (u32 k = 1; k + 1 < r.nsteps; k += 2)
    if (mapping_places(m, r.first_step + k)) return true;
  return false;
}

/* True where neither tokens nor the ready signal pass within a cycle. */
static bool is_wall(const Mapping *m, u32 step) {
  return mapping_places(m, step) && adg_buffer(m->adg, m->steps[step + 1]) != BUFFER_FORWARD;
}

/* Follows the chains along a route; the first has `length` components before the route. */
static void walk(Chains *c, u32 route, u32 length) {
  const Mapping *m = c->m;
  const MapRoute r = m->routes[route];
  u32 room = 0;
  for (u32 k = 1; k + 1 < r.nsteps; k += 2) {
    u32 step = r.first_step + k;
    length += is_counted(m, step);
    room += is_counted(m, step);
    if (length > c->longest || room > c->longest) {
      c->of_room = room > length;
      c->longest = c->of_room ? room : length;
      c->at_route = route;
      c->at_step = k;
      c->at_cluster = MAP_NONE;
    }
    if (mapping_places(m, step)) length = 0;
    if (is_wall(m, step)) room = 0;
  }
  u32 to = cluster_to(m, route);
  if (to == MAP_NONE || to == cluster_from(m, route) || length <= c->arrival[to]) return;
  c->arrival[to] = length;
  c->route_of_arrival[to] = route;
}

/* Extends the chain to a unit of latency 0 along the routes of its results. Clusters that waited
 * for this unit alone become ready. */
static void pass_wire(Chains *c, u32 cluster, u32 *waits, u32 *ready, u32 *nready) {
  const Mapping *m = c->m;
  if (c->arrival[cluster] + 1 > c->longest) {
    c->longest = c->arrival[cluster] + 1;
    c->at_cluster = cluster;
    c->of_room = false;
  }
  for (u32 e = 0; e < m->nroutes; e++) {
    u32 to = cluster_to(m, e);
    if (cluster_from(m, e) != cluster || to == cluster) continue;
    walk(c, e, c->arrival[cluster] + 1);
    if (to != MAP_NONE && !is_broken(m, e) && --waits[to] == 0) ready[(*nready)++] = to;
  }
}

/* False where units of latency 0 are in a loop without a register. */
static bool find_longest(Chains *c) {
  const Mapping *m = c->m;
  u32 n = m->cover->nclusters, nready = 0;
  u32 *waits = NEW_ARRAY(c->arena, u32, n + (size_t)1);
  u32 *ready = NEW_ARRAY(c->arena, u32, n + (size_t)1);
  for (u32 e = 0; e < m->nroutes; e++) {
    u32 from = cluster_from(m, e), to = cluster_to(m, e);
    walk(c, e, 0);
    if (to != MAP_NONE && from != to && is_wire(m, from) && !is_broken(m, e)) waits[to]++;
  }
  for (u32 v = 0; v < n; v++)
    if (!waits[v]) ready[nready++] = v;
  for (u32 next = 0; next < nready; next++)
    if (is_wire(m, ready[next])) pass_wire(c, ready[next], waits, ready, &nready);
  return nready == n;
}

/* The step by which a route enters the last component that it passes; 0: it passes none. */
static u32 last_passed(const Mapping *m, u32 route) {
  u32 nsteps = m->routes[route].nsteps;
  return nsteps > 2 ? nsteps - 3 : 0;
}

/* Lists the longest chain, backwards from its end. */
static void trace(const Chains *c, MapChain *chain) {
  const Mapping *m = c->m;
  u32 cluster = c->at_cluster, route = c->at_route, k = c->at_step;
  do {
    if (cluster != MAP_NONE) {
      chain->components[chain->ncomponents++] = m->adg->pes[m->places[cluster].pe].component;
      route = c->route_of_arrival[cluster];
      if (route == MAP_NONE) return;
      k = last_passed(m, route);
    }
    const MapRoute r = m->routes[route];
    chain->results[chain->nresults++] = r.result;
    for (; k; k = k > 2 ? k - 2 : 0) {
      u32 step = r.first_step + k;
      if (is_counted(m, step))
        chain->components[chain->ncomponents++] = m->adg->ports[m->steps[step]].component;
      if (k > 2 && (c->of_room ? is_wall(m, step - 2) : mapping_places(m, step - 2) > 0)) return;
    }
    if (c->of_room) return;
    cluster = cluster_from(m, route);
  } while (is_wire(m, cluster));
}

MapChain mapping_chain(const Mapping *m, Arena *arena) {
  u32 n = m->cover->nclusters;
  Chains c = {.m = m, .arena = arena, .at_cluster = MAP_NONE};
  MapChain chain = {.components = NEW_ARRAY(arena, u32, m->nsteps + n + (size_t)1),
                    .results = NEW_ARRAY(arena, u32, n + (size_t)2)};
  c.arrival = NEW_ARRAY(arena, u32, n + (size_t)1);
  c.route_of_arrival = NEW_ARRAY(arena, u32, n + (size_t)1);
  for (u32 v = 0; v < n; v++) c.route_of_arrival[v] = MAP_NONE;
  bool has_end = find_longest(&c);
  chain.length = has_end ? c.longest : UINT32_MAX;
  if (has_end && c.longest) trace(&c, &chain);
  reverse(chain.components, chain.ncomponents);
  return chain;
}

/* marked_graph.c -- how fast tokens flow through what is placed and routed. See marked_graph.h.
 *
 * First the units and links that work once an iteration of the loop are found: clusters, each
 * load as two (what asks, what hands on), lanes of memories, FIFOs and registers on the route.
 * With them what they share with others, which turns.c arbitrates. Then the arcs of the marked graph
 * are put between their events. */
#include "ir/timing.h"
#include "map/marked_graph.h"

#include "map/cycles.h"
#include "map/stages.h"

#include <stdlib.h>

#define NO_UNIT UINT32_MAX

typedef struct {
  MarkedGraph *flow;
  const Mapping *m;
  const Rates *rates;
  MarkedRelief relief;
  u32 *data_of;  /* by Dfg.ports: of a lane that loads what gives the element */
  u32 *unit_of;  /* by cluster, then cluster again (the answer of a load), then Dfg.ports: lanes,
                   * then Dfg.args */
  bool *behind;  /* by node: of the half of a load that answers */
  u32 *fifo_at;  /* by output port: the unit of the FIFO or buffer there, of the net in hand */
  u32 *fifo_net; /* by output port: whose that is: result + 1 */
  u32 room_units, room_links;
} MarkedBuild;

/* ---- units ----------------------------------------------------------------------------------- */

static u32 add_unit(MarkedBuild *b, MarkedKind kind, u32 depth, u32 interval, u32 node) {
  MarkedGraph *f = b->flow;
  if (f->nunits == b->room_units) loom_bug("more units in a loop than were counted");
  f->units[f->nunits] = (MarkedUnit){.kind = (u8)kind,
                                     .depth = depth,
                                     .interval = interval,
                                     .node = node,
                                     .turns = MAP_NONE,
                                     .unit = MAP_NONE};
  return f->nunits++;
}

static u32 cluster_slot(u32 cluster) {
  return cluster;
}
static u32 answer_slot(const MarkedBuild *b, u32 cluster) {
  return b->m->cover->nclusters + cluster;
}
static u32 lane_slot(const MarkedBuild *b, u32 port) {
  return 2 * b->m->cover->nclusters + port;
}
static u32 arg_slot(const MarkedBuild *b, u32 nports, u32 arg) {
  return lane_slot(b, nports) + arg;
}

static bool has_load(const MarkedBuild *b, u32 c) {
  const MapCover *cover = b->m->cover;
  for (u32 i = 0; i < cover->clusters[c].nnodes; i++)
    if (dfg_node(b->m->dfg, cover->nodes[cover->clusters[c].first_node + i])->fire == FIRE_LOAD)
      return true;
  return false;
}

/* The cluster fires once an iteration, with all its nodes. */
static bool cluster_has_rate(const MarkedBuild *b, u32 c) {
  const MapCluster *cluster = &b->m->cover->clusters[c];
  for (u32 i = 0; i < cluster->nnodes; i++)
    if (b->rates->of_node[b->m->cover->nodes[cluster->first_node + i]] != b->flow->loop)
      return false;
  return true;
}

/* One that fires in a temporal PE. */
static u32 add_firing(MarkedBuild *b, u32 cluster, u32 half, u32 latency, u32 interval, u32 node) {
  const Mapping *m = b->m;
  const MapPlace *place = &m->places[cluster];
  u32 u = add_unit(b, latency ? MARKED_PIPELINE : MARKED_WIRE, latency, interval, node);
  b->flow->units[u].is_temporal = m->adg->pes[place->pe].is_temporal;
  if (!m->adg->pes[place->pe].is_temporal || b->relief.lone_instructions) return u;
  b->flow->units[u].turns = 2 * m->adg->nports + place->pe;
  b->flow->units[u].number = 2 * cluster + half;
  b->flow->units[u].unit = m->adg->pes[place->pe].first_fu + place->opcode;
  return u;
}

static void add_clusters(MarkedBuild *b) {
  const Mapping *m = b->m;
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    if (!cluster_has_rate(b, c)) continue;
    u32 last = m->cover->nodes[m->cover->clusters[c].first_node + m->cover->clusters[c].nnodes - 1];
    u32 latency = mapping_latency(m, c), interval = mapping_interval(m, c);
    /* Where quotients are short there shall be room for what comes so often. */
    u32 least = mapping_ends_early(m, last);
    if (least) latency = interval = least;
    b->unit_of[cluster_slot(c)] = add_firing(b, c, 0, latency, interval, last);
    if (has_load(b, c))
      b->unit_of[answer_slot(b, c)] = add_firing(b, c, 1, latency, interval, last);
  }
}

/* The port where the first lane of those is that a memory takes a request of in turn. */
static u32 lane_turns(const Mapping *m, u32 memory, u32 port) {
  const DfgMemory *dm = &m->dfg->memories[memory];
  const AdgMemory *hw = &m->adg->memories[m->binding.memories[memory].memory];
  u32 channel = adg_request_channel(hw, m->binding.lanes[dm->first_port + port]);
  return adg_lane_port(hw, port < dm->nstores ? ADG_STORE_ADDR : ADG_LOAD_ADDR, channel);
}

static void add_lanes(MarkedBuild *b) {
  const Dfg *dfg = b->m->dfg;
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *memory = &dfg->memories[i];
    const DfgNode *node = dfg_node(dfg, memory->node);
    for (u32 p = 0; p < dfg_memory_ports(memory); p++) {
      if (b->rates->of_result[node->first_result + memory->nloads + p] != b->flow->loop) continue;
      CycleMemory time = mapping_chosen_memory(b->m, i);
      u32 port = memory->first_port + p, lane = add_unit(b, MARKED_LANE, 1, 1, memory->node);
      b->flow->units[lane].places = time.places ? time.places : time.period;
      b->flow->units[lane].turns = lane_turns(b->m, i, p);
      b->flow->units[lane].number = b->m->binding.lanes[port];
      b->unit_of[lane_slot(b, port)] = lane;
      if (p < memory->nstores)
        b->flow->units[lane].answer = time.latency;
      else
        b->data_of[port] = add_unit(b, MARKED_DATA, time.latency, 1, memory->node);
    }
  }
}

/* An input of the fabric offers its next token when all consumers have the one before. */
static void add_args(MarkedBuild *b) {
  const Dfg *dfg = b->m->dfg;
  for (u32 a = 0; a < dfg->nargs; a++)
    if (b->rates->of_node[dfg->args[a].node] == b->flow->loop)
      b->unit_of[arg_slot(b, dfg_nports(dfg), a)] =
          add_unit(b, MARKED_PIPELINE, 1, 1, dfg->args[a].node);
}

/* Which unit gives a result, and takes an edge. */
static u32 unit_from(const MarkedBuild *b, u32 result) {
  const Dfg *dfg = b->m->dfg;
  u32 v = dfg->results[result].node;
  const DfgNode *node = dfg_node(dfg, v);
  if (node->fire == FIRE_ARG) return b->unit_of[arg_slot(b, dfg_nports(dfg), node->arg)];
  if (dfg_is_memory(node)) {
    const DfgMemory *m = &dfg->memories[node->memory];
    u32 port = dfg_port_of_result(m, result - node->first_result);
    if (!cycles_is_done(dfg, node, result)) return b->data_of[m->first_port + port];
    return b->unit_of[lane_slot(b, m->first_port + port)];
  }
  u32 c = b->m->cover->cluster_of[v];
  if (c == MAP_NONE) return NO_UNIT;
  bool answers = b->behind[v] || (node->fire == FIRE_LOAD && result == node->first_result);
  return b->unit_of[answers ? answer_slot(b, c) : cluster_slot(c)];
}

static u32 unit_to(const MarkedBuild *b, u32 edge) {
  const Dfg *dfg = b->m->dfg;
  u32 v = dfg->edges[edge].to, operand = dfg->edges[edge].operand;
  const DfgNode *node = dfg_node(dfg, v);
  if (dfg_is_memory(node)) {
    const DfgMemory *m = &dfg->memories[node->memory];
    return b->unit_of[lane_slot(b, m->first_port + dfg_port_of_operand(m, operand))];
  }
  u32 c = b->m->cover->cluster_of[v];
  if (c == MAP_NONE) return NO_UNIT;
  bool answers = b->behind[v] || (node->fire == FIRE_LOAD && operand == 1);
  return b->unit_of[answers ? answer_slot(b, c) : cluster_slot(c)];
}

/* ---- links ----------------------------------------------------------------------------------- */

static u32 add_link(MarkedBuild *b, u32 from, u32 to, u32 edge) {
  MarkedGraph *f = b->flow;
  if (f->nlinks == b->room_links) loom_bug("more links in a loop than were counted");
  f->links[f->nlinks] = (MarkedLink){.from = from, .to = to, .edge = edge, .pool = MAP_NONE};
  return f->nlinks++;
}

/* Along a route of a net: from its source, or from the last FIFO on it, on which tokens wait.
 * Routes of a net share their first steps, and with them the FIFOs there. `at` and `lead` are
 * where it has come to. */
typedef struct {
  u32 at, lead, edge;
  u32 first, k; /* steps: of the route the first, and the output port where `at` gives its tokens */
} RouteWalk;

static void add_channel(MarkedBuild *b, u32 turns, u32 step) {
  b->flow->channels[b->flow->nchannels++] = (MarkedChannel){turns, b->m->tags[step]};
}

/* The channels with tags from `at` to the component whose input is step `to`; and, of one with
 * buffers, into those. */
static void take_channels(MarkedBuild *b, const RouteWalk *w, u32 link, u32 to, bool is_into) {
  const Mapping *m = b->m;
  MarkedGraph *f = b->flow;
  f->links[link].first_channel = f->nchannels;
  if (b->relief.lone_instructions || b->relief.lone_results) return;
  for (u32 k = w->k; k < to; k += 2)
    if (m->adg->ports[m->steps[w->first + k]].is_tagged &&
        m->steps[w->first + k] + 1 != b->relief.lone_port)
      add_channel(b, m->steps[w->first + k], w->first + k);
  if (is_into && m->adg->ports[m->steps[w->first + to + 1]].is_tagged)
    add_channel(b, m->adg->nports + m->steps[w->first + to + 1], w->first + to + 1);
  f->links[link].nchannels = f->nchannels - f->links[link].first_channel;
}

static void into_fifo(MarkedBuild *b, RouteWalk *w, u32 fifo, u32 step) {
  u32 link = add_link(b, w->at, fifo, w->edge);
  b->flow->links[link].step = step;
  b->flow->links[link].lead = w->lead;
  w->lead = 0;
  w->at = fifo;
}

static void along(MarkedBuild *b, RouteWalk *w, const MapRoute *route) {
  const Mapping *m = b->m;
  u32 first = w->first = route->first_step, result = route->result;
  for (u32 k = 1; k + 1 < route->nsteps; k += 2) {
    u32 places = mapping_places(m, first + k), port = m->steps[first + k + 1];
    if (!places) continue;
    if (b->fifo_net[port] == result + 1) {
      w->at = b->fifo_at[port];
      w->lead = 0;
      w->k = k + 1;
      continue;
    }
    into_fifo(b, w, add_unit(b, MARKED_FIFO, places, 1, m->dfg->results[result].node), k);
    take_channels(b, w, b->flow->nlinks - 1, k, true);
    w->k = k + 1;
    b->flow->units[w->at].is_forward = adg_buffer(m->adg, port) == BUFFER_FORWARD;
    b->fifo_at[port] = w->at;
    b->fifo_net[port] = result + 1;
  }
}

static u32 lead_of(const Dfg *dfg, u32 result) {
  const DfgNode *node = dfg_node(dfg, dfg->results[result].node);
  return node->fire == FIRE_GATE && result == node->first_result + 1;
}

static u32 last_step(const MapRoute *route) {
  return route->first_step + route->nsteps - 1;
}

/* Operands of a PE that come from its inputs: as many as tags that are different at one of them. */
static u32 port_operands(const Mapping *m, const AdgComponent *pe) {
  Map seen = {0};
  u32 n = 0;
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    const MapRoute *route = &m->routes[e];
    if (!route->nsteps) continue;
    u32 port = m->steps[last_step(route)] - pe->first_port;
    if (port >= pe->ninputs) continue;
    u64 *slot = map_slot(&seen, (u64)port << 32 | m->tags[last_step(route)]);
    n += !*slot;
    *slot = 1;
  }
  map_free(&seen);
  return n;
}

/* An operand at input p may have another place of the pool while more than p of it are free. */
static void share_buffer(const MarkedBuild *b, const MapRoute *route, MarkedLink *link) {
  const Mapping *m = b->m;
  if (!route->nsteps) return;
  const AdgPort *port = &m->adg->ports[m->steps[last_step(route)]];
  const AdgComponent *c = &m->adg->components[port->component];
  if (c->kind != ADG_TEMPORAL_PE) return;
  u32 places = b->relief.operand_buffer;
  if (!places) places = m->adg->pes[c->detail].operand_buffer;
  if (!places) return;
  u32 not_mine = port_operands(m, c) + port->index;
  link->pool = c->detail;
  link->behind = link->most_pooled = places > not_mine ? places - not_mine : 0;
}

/* A carry and the branch of its value in one unit take each decision once, with the value that the
 * branch sends on: what says so is the branch's edge, and not the carry's, which alone would take
 * it with the next. */
static bool is_said_by_branch(const MarkedBuild *b, const DfgEdge *edge) {
  const Dfg *dfg = b->m->dfg;
  const DfgNode *carry = dfg_node(dfg, edge->to);
  if (carry->fire != FIRE_CARRY || edge->operand != 0) return false;
  const DfgResult *value = &dfg->results[carry->first_result];
  const u32 *cluster_of = b->m->cover->cluster_of;
  return value->nedges == 1 && cluster_of[dfg->edges[value->first_edge].to] == cluster_of[edge->to];
}

static void link_edge(MarkedBuild *b, u32 e, u32 source, u32 *reg) {
  const Mapping *m = b->m;
  const DfgEdge *edge = &m->dfg->edges[e];
  const MapRoute *route = &m->routes[e];
  RouteWalk w = {.at = source, .lead = lead_of(m->dfg, edge->result), .edge = e};
  if (!route->nsteps && route->register_index == MAP_NONE) return; /* inside a unit */
  if (is_said_by_branch(b, edge)) return;
  if (route->register_index != MAP_NONE) {
    u32 pe = m->places[m->cover->cluster_of[edge->to]].pe;
    if (*reg == NO_UNIT) {
      *reg = add_unit(b, MARKED_FIFO, m->adg->pes[pe].reg_fifo_depth, 1, dfg_from(m->dfg, e));
      into_fifo(b, &w, *reg, 0);
    }
    w.at = *reg;
    w.lead = 0;
  } else {
    along(b, &w, route);
  }
  u32 to = unit_to(b, e);
  if (to == NO_UNIT && edge->to != m->dfg->return_node) b->flow->is_whole = false;
  for (u32 i = 0; i < b->relief.nextra; i++)
    if (b->relief.extra[i].edge == e && b->relief.extra[i].places)
      into_fifo(b, &w, add_unit(b, MARKED_FIFO, b->relief.extra[i].places, 1, edge->to),
                route->nsteps - 1);
  if (to == NO_UNIT) to = add_unit(b, MARKED_DRAIN, 0, 1, edge->to);
  u32 link = add_link(b, w.at, to, e);
  b->flow->links[link].lead = w.lead;
  b->flow->links[link].step = route->nsteps ? route->nsteps - 1 : 0;
  b->flow->links[link].next = cycles_is_next(m->dfg, m->cover->cluster_of, edge);
  share_buffer(b, route, &b->flow->links[link]);
  if (route->nsteps) take_channels(b, &w, link, route->nsteps - 1, false);
}

static void add_links(MarkedBuild *b) {
  const Mapping *m = b->m;
  for (u32 r = 0; r < m->dfg->nresults; r++) {
    const DfgResult *result = &m->dfg->results[r];
    if (b->rates->of_result[r] != b->flow->loop) continue;
    u32 source = unit_from(b, r), reg = NO_UNIT;
    if (source == NO_UNIT) {
      b->flow->is_whole = false;
      continue;
    }
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++)
      link_edge(b, e, source, &reg);
    for (u32 i = m->dfg->nedges; i < m->nroutes; i++) {
      if (m->routes[i].result != r) continue;
      RouteWalk w = {.at = source, .lead = lead_of(m->dfg, r), .edge = MAP_NONE};
      along(b, &w, &m->routes[i]);
      u32 link = add_link(b, w.at, add_unit(b, MARKED_DRAIN, 0, 1, result->node), MAP_NONE);
      b->flow->links[link].lead = w.lead;
      take_channels(b, &w, link, m->routes[i].nsteps, false);
    }
  }
}

/* ---- events and arcs ------------------------------------------------------------------------- */

typedef struct {
  const MarkedGraph *flow;
  RatioArc *arcs;
  u32 n;
} Arcs;

static u32 ready(u32 unit) {
  return unit;
}
static u32 handed(const MarkedGraph *f, u32 unit) {
  return f->nunits + unit;
}
static u32 taken(const MarkedGraph *f, u32 link) {
  return 2 * f->nunits + link;
}
static u32 used(const MarkedGraph *f, u32 unit) {
  return f->units[unit].kind == MARKED_WIRE ? handed(f, unit) : ready(unit);
}

static void put(Arcs *a, u32 from, u32 to, u32 latency, i64 tokens, u32 what, WaitCause why) {
  a->arcs[a->n++] = (RatioArc){from, to, latency, tokens, what * WAIT_CAUSES + why};
}

static void put_unit(Arcs *a, u32 u) {
  const MarkedGraph *f = a->flow;
  const MarkedUnit *unit = &f->units[u];
  if (unit->kind == MARKED_FIFO || unit->kind == MARKED_DRAIN) return;
  if (unit->kind == MARKED_DATA) { /* the unit before it is the lane that asks */
    put(a, ready(u - 1), ready(u), 0, 0, u, WAIT_LATENCY);
    put(a, handed(f, u), ready(u - 1), 1, f->units[u - 1].places, u, WAIT_BUSY);
    return;
  }
  put(a, used(f, u), ready(u), unit->interval, 1, u, WAIT_BUSY);
  if (unit->kind == MARKED_LANE) {
    put(a, handed(f, u), ready(u), 1, unit->places, u, WAIT_BUSY);
    if (unit->answer) put(a, ready(u), ready(u), unit->answer + 1, unit->places, u, WAIT_BUSY);
    return;
  }
  if (unit->kind == MARKED_WIRE)
    put(a, ready(u), handed(f, u), 0, 0, u, WAIT_LATENCY);
  else
    put(a, handed(f, u), ready(u), unit->is_temporal,
        1 + (unit->depth - 1) / unit->interval + unit->is_temporal, u, WAIT_BUSY);
}

/* From the unit that gives: tokens of iteration k leave in its step k + lead. */
static void put_leaving(Arcs *a, u32 l) {
  const MarkedGraph *f = a->flow;
  const MarkedLink *link = &f->links[l];
  const MarkedUnit *from = &f->units[link->from];
  i64 lead = link->lead;
  u32 latency = from->kind == MARKED_WIRE ? 0 : from->kind == MARKED_FIFO ? 1 : from->depth;
  put(a, ready(link->from), taken(f, l), latency, -lead, link->from, WAIT_LATENCY);
  put(a, taken(f, l), handed(f, link->from), 0, lead, l, WAIT_FORK);
  if (latency > 1 || from->kind >= MARKED_FIFO || from->is_temporal)
    put(a, handed(f, link->from), taken(f, l), 1, 1 - lead, l, WAIT_FORK);
}

static void put_arriving(Arcs *a, u32 l) {
  const MarkedGraph *f = a->flow;
  const MarkedLink *link = &f->links[l];
  const MarkedUnit *to = &f->units[link->to];
  i64 next = link->next;
  if (to->kind == MARKED_DRAIN) return;
  put(a, taken(f, l), ready(link->to), 0, next, l, WAIT_TOKEN);
  if (to->kind == MARKED_FIFO)
    put(a, handed(f, link->to), taken(f, l), !to->is_forward, to->depth, l, WAIT_ROOM);
  else
    put(a, used(f, link->to), taken(f, l), 1, 1 + (i64)link->behind - next, l, WAIT_ROOM);
}

static void put_arcs(MarkedGraph *f) {
  Arcs a = {.flow = f,
            .arcs = mem_alloc(
                mem_size(3 * (size_t)f->nunits + 5 * (size_t)f->nlinks + 1, sizeof *a.arcs))};
  for (u32 u = 0; u < f->nunits; u++) put_unit(&a, u);
  for (u32 l = 0; l < f->nlinks; l++) {
    put_leaving(&a, l);
    put_arriving(&a, l);
  }
  f->graph = ratio_new(2 * f->nunits + f->nlinks, a.arcs, a.n);
  mem_free(a.arcs);
}

/* ---- what goes by turns ---------------------------------------------------------------------- */

/* Of numbers that are a channel and, in the lower half, a tag (or a PE and what fires there): the
 * most different ones that a channel has. Sorts them. */
static u32 most_tags(u64 *all, u32 n) {
  u32 most = 0, here = 0;
  if (n) qsort(all, n, sizeof *all, compare_u64);
  for (u32 i = 0; i < n; i++) {
    if (i && all[i] == all[i - 1]) continue;
    here = i && all[i] >> 32 == all[i - 1] >> 32 ? here + 1 : 1;
    if (here > most) most = here;
  }
  return most;
}

static u32 note_tags(const MarkedBuild *b, const MapRoute *route, u64 *all, u32 n) {
  const Mapping *m = b->m;
  for (u32 k = route->first_step; k < route->first_step + route->nsteps; k += 2)
    if (m->adg->ports[m->steps[k]].is_tagged && m->steps[k] + 1 != b->relief.lone_port)
      all[n++] = (u64)m->steps[k] << 32 | m->tags[k];
  return n;
}

/* Cycles an iteration of the unit that several instructions of the loop keep busiest; 0: there is no
 * such. */
static u32 busiest_unit(const MarkedBuild *b) {
  const Mapping *m = b->m;
  Arena *arena = arena_new();
  u32 *cycles = NEW_ARRAY(arena, u32, m->adg->nfus), n = m->cover->nclusters, most = 0;
  for (u32 slot = 0; slot < 2 * n; slot++) {
    const MapPlace *place = &m->places[slot % n];
    if (b->unit_of[slot] == NO_UNIT || !m->adg->pes[place->pe].is_temporal) continue;
    u32 *here = &cycles[m->adg->pes[place->pe].first_fu + place->opcode];
    bool is_shared = *here > 0;
    *here += mapping_interval(m, slot % n);
    if (is_shared && *here > most) most = *here;
  }
  arena_free(arena);
  return most;
}

static void count_shared(MarkedBuild *b) {
  if (b->relief.lone_instructions) return;
  const Mapping *m = b->m;
  u64 *all = mem_alloc(mem_size(m->nsteps + 2 * (size_t)m->cover->nclusters + 1, sizeof *all));
  u32 n = 0, loop = b->flow->loop;
  for (u32 i = 0; i < m->nroutes; i++)
    if (b->rates->of_result[m->routes[i].result] == loop) n = note_tags(b, &m->routes[i], all, n);
  u32 most = b->relief.lone_results ? 0 : most_tags(all, n);
  n = 0;
  for (u32 slot = 0; slot < 2 * m->cover->nclusters; slot++) {
    u32 pe = m->places[slot % m->cover->nclusters].pe;
    if (b->unit_of[slot] == NO_UNIT || !m->adg->pes[pe].is_temporal) continue;
    all[n++] = (u64)pe << 32 | slot;
  }
  u32 turns = most_tags(all, n), busy = busiest_unit(b);
  if (turns > most) most = turns;
  b->flow->most_shared = busy > most ? busy : most;
  mem_free(all);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* FIFOs that hold and buffers, a route at a time: more than there can be. */
static u32 count_fifos(const Mapping *m) {
  u32 n = 0;
  for (u32 k = 0; k < m->nsteps; k++)
    n += mapping_fifo_holds(m, m->adg->ports[m->steps[k]].component) ||
         adg_buffer(m->adg, m->steps[k]);
  return n;
}

MarkedGraph *marked_graph_new(const Mapping *m, const Rates *rates, u32 loop,
                              const MarkedRelief *relief) {
  Arena *arena = arena_new(), *scratch = arena_new();
  MarkedGraph *f = NEW(arena, MarkedGraph);
  *f = (MarkedGraph){.mapping = m,
                     .rates = rates,
                     .loop = loop,
                     .is_whole = rates->loops[loop].is_known,
                     .arena = arena};
  u32 nports = dfg_nports(m->dfg), nslots = 2 * m->cover->nclusters + nports + m->dfg->nargs;
  u32 nends = m->nroutes, nfifos = count_fifos(m) + (relief ? relief->nextra : 0);
  MarkedBuild b = {.flow = f,
                   .m = m,
                   .rates = rates,
                   .behind = cycles_behind_loads(m->dfg, m->cover->cluster_of, m->cover->nclusters),
                   .relief = relief ? *relief : (MarkedRelief){0},
                   .unit_of = NEW_ARRAY(scratch, u32, nslots + (size_t)1),
                   .data_of = NEW_ARRAY(scratch, u32, nports + (size_t)1),
                   .fifo_at = NEW_ARRAY(scratch, u32, m->adg->nports),
                   .fifo_net = NEW_ARRAY(scratch, u32, m->adg->nports),
                   .room_units = nslots + nports + nends + m->dfg->nresults + nfifos,
                   .room_links = nends + m->dfg->nresults + nfifos};
  f->units = NEW_ARRAY(arena, MarkedUnit, b.room_units + (size_t)1);
  f->links = NEW_ARRAY(arena, MarkedLink, b.room_links + (size_t)1);
  f->channels = NEW_ARRAY(arena, MarkedChannel, 2 * (size_t)m->nsteps + 1);
  f->nturns = 2 * m->adg->nports + m->adg->npes;
  for (u32 i = 0; i < nslots; i++) b.unit_of[i] = NO_UNIT;
  add_clusters(&b);
  add_lanes(&b);
  add_args(&b);
  add_links(&b);
  put_arcs(f);
  count_shared(&b);
  mem_free(b.behind);
  arena_free(scratch);
  return f;
}

bool marked_graph_is_whole(const Mapping *m, const Rates *rates, u32 loop) {
  if (!rates->loops[loop].is_known) return false;
  MarkedGraph *f = marked_graph_new(m, rates, loop, NULL);
  bool whole = f->is_whole;
  marked_graph_free(f);
  return whole;
}

void marked_graph_free(MarkedGraph *f) {
  if (!f) return;
  ratio_free(f->graph);
  arena_free(f->arena);
}

LoopInterval marked_graph_interval(const MarkedGraph *f, u32 *arcs, u32 *narcs) {
  u32 *out = arcs ? arcs : mem_alloc(mem_size(f->graph->nvertices + (size_t)1, sizeof *out));
  LoopInterval r;
  u32 n = ratio_worst(f->graph, out, &r.cycles, &r.iterations);
  if (narcs) *narcs = n;
  if (!arcs) mem_free(out);
  return r;
}

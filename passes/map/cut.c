/* cut.c -- proves by a minimum cut that the wires cannot carry a graph, whatever the placement.
 *
 *     x -> gather -> part -> out0            results x, y, z leave the fabric. All of them pass the
 *     y ->        ->      -> out1            output of `gather`, whose tag has one bit: it carries
 *     z ->        ->      -> out2            two results, so no search can route the third
 *
 * count.c counts places; this file counts the routes between them. Take all results that go from
 * one endpoint class (endpoints.h) to another: from all multiplications, say, to all additions. In
 * every placement each of these results starts in a PE that can multiply and ends in one that can
 * add, and no two results share a port under the same tag. So if there are fewer disjoint routes
 * from the one set of PEs to the other than results, there is no mapping (Menger's theorem). The
 * number of disjoint routes is a maximum flow (max_flow.h); the minimum cut names what limits it:
 * ports, tags, rows of a table (MAP_CUT). Where the flow is 0, the classes are not connected, or
 * only by wires that are too narrow (MAP_NO_WAY).
 *
 * Checked are: every pair of classes that a result connects; each class with all others; and the
 * same with all clusters as one class. Then a memory with all of its ports: it is placed in one
 * memory of the fabric, so if each of the candidates, taken alone, has too few routes to (or from)
 * the clusters, there is no mapping either.
 *
 * The flow network: each port is an arc whose capacity is the number of results that it can carry:
 * one, or as many as it has tags. Arcs without a limit are the wires, and inside a switch its
 * connections. A table that may limit the results is an arc too, between all inputs and all outputs
 * of its component. (A row of a temporal switch serves all of its inputs under one tag, as long as
 * each goes to an output of its own.) This arc forgets which input is connected to which output,
 * which only adds routes: a proof stays valid.
 *
 * Cost: linear in the fabric to build the network; then for each pair of classes one maximum flow
 * for each width, of at most as many units as it has results. Finding the pairs is results times
 * pairs.
 */
#include "map/endpoints.h"
#include "map/max_flow.h"
#include "map/names.h"

/* MAX_FLOW: the capacity of an arc that is no limit. */
enum { MAX_FLOW = 1 << 20, MAX_NOTES = 4 };

/* The results that go from one endpoint class to another. */
typedef struct {
  Endpoint from, to;
  u32 edge;         /* index in Dfg.edges: an edge of one of the results, for the report */
  Vec(u32) results; /* indices in Dfg.results, ascending */
} ResultGroup;

/* Vertices: two for each port, where tokens enter and leave it; two for each component, before and
 * behind its table; source and sink. FlowNetwork.arcs[2 * p] is port p's own arc, and
 * arcs[2 * (nports + p)] the one from the source to it, or from it to the sink. */
typedef struct {
  Context *ctx;
  Endpoints in;
  Vec(ResultGroup) groups;
  FlowNetwork flow;
  u32 *capacity;     /* by arc / 2: what FlowArc.room is before anything flows */
  bool *is_terminal; /* by port: routes may start (outputs) or end (inputs) here */
  Mapping *refused;  /* gets the cut and the unrouted results, to be drawn; NULL: not wanted */
} Cut;

/* ---- the flow graph -------------------------------------------------------------------------- */

static u32 enter_port(u32 port) {
  return 2 * port;
}
static u32 leave_port(u32 port) {
  return 2 * port + 1;
}
static u32 enter_table(const Cut *c, u32 component) {
  return 2 * (c->in.adg->nports + component);
}

static u32 source_vertex(const Cut *c) {
  return enter_table(c, c->in.adg->ncomponents);
}
static u32 sink_vertex(const Cut *c) {
  return source_vertex(c) + 1;
}

/* Rows of the component's table; MAX_FLOW where it has none. */
static u32 table_rows(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  if (c->kind == ADG_TEMPORAL_SW) return adg->switches[c->detail].num_route_table;
  if (c->kind == ADG_MAP_TAG) return adg->tags[c->detail].table_size;
  return MAX_FLOW;
}

/* Results that one row can serve: a row of a switch gives each input an output of its own. */
static u32 row_room(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return c->noutputs < c->ninputs ? c->noutputs : c->ninputs;
}

/* Results that one port can carry: each needs a tag, and a row for the tag in the component's
 * table. A FIFO that cannot be bypassed carries one, whatever its tags. */
static u32 port_room(const Adg *adg, u32 port) {
  const AdgPort *p = &adg->ports[port];
  if (!p->is_tagged || adg_is_register(adg, p->component)) return 1;
  u32 tags = (u32)1 << p->tag_width, rows = table_rows(adg, p->component);
  return tags < rows ? tags : rows;
}

/* Results that the table can serve. */
static u32 table_room(const Adg *adg, u32 component) {
  u64 room = (u64)table_rows(adg, component) * row_room(adg, component);
  return room < MAX_FLOW ? (u32)room : MAX_FLOW;
}

/* Inputs to outputs: through the table where it may be a limit, else as they are connected. */
static void connect_component(Cut *c, u32 component, u32 most) {
  const Adg *adg = c->in.adg;
  const AdgComponent *k = &adg->components[component];
  u32 room = table_room(adg, component), table = enter_table(c, component);
  bool is_limit = room < most;
  if (!adg_passes_tokens(k)) return;
  if (is_limit) flow_add(&c->flow, table, table + 1, room);
  for (u32 i = 0; is_limit && i < k->ninputs; i++)
    flow_add(&c->flow, leave_port(adg_input(adg, component, i)), table, MAX_FLOW);
  for (u32 o = 0; o < k->noutputs; o++) {
    u32 out = enter_port(adg_output(adg, component, o));
    if (is_limit) flow_add(&c->flow, table + 1, out, MAX_FLOW);
    for (u32 i = 0; !is_limit && i < k->ninputs; i++)
      if (!adg_is_switch(k) || adg_connects(adg, &adg->switches[k->detail], i, o))
        flow_add(&c->flow, leave_port(adg_input(adg, component, i)), out, MAX_FLOW);
  }
}

/* Builds the network and notes its capacities; `most`: an upper bound of what is ever sent. */
static void make_graph(Cut *c, u32 most) {
  const Adg *adg = c->in.adg;
  FlowNetwork *g = &c->flow;
  flow_init(g, sink_vertex(c) + 1);
  for (u32 p = 0; p < adg->nports; p++)
    flow_add(g, enter_port(p), leave_port(p), port_room(adg, p));
  for (u32 p = 0; p < adg->nports; p++)
    if (adg->ports[p].is_output)
      flow_add(g, source_vertex(c), enter_port(p), MAX_FLOW);
    else
      flow_add(g, leave_port(p), sink_vertex(c), MAX_FLOW);
  for (u32 p = 0; p < adg->nports; p++) {
    const AdgPort *port = &adg->ports[p];
    for (u32 k = 0; port->is_output && k < port->nchannels; k++)
      flow_add(g, leave_port(p), enter_port(adg->channels[port->first_channel + k].to), MAX_FLOW);
  }
  for (u32 k = 0; k < adg->ncomponents; k++) connect_component(c, k, most);
  c->capacity = mem_alloc(mem_size(g->arcs.len / 2 + 1, sizeof *c->capacity));
  for (size_t a = 0; a < g->arcs.len; a += 2) c->capacity[a / 2] = g->arcs.at[a].room;
}

/* How many of `most` results of `bits` bits can be routed from the starts to the ends
 * (is_terminal); the flow is left in c->flow. */
static u32 max_flow(Cut *c, u32 bits, u32 most) {
  const Adg *adg = c->in.adg;
  FlowNetwork *g = &c->flow;
  for (size_t a = 0; a < g->arcs.len; a += 2) {
    g->arcs.at[a].room = c->capacity[a / 2];
    g->arcs.at[a + 1].room = 0;
  }
  for (u32 p = 0; p < adg->nports; p++) {
    if (adg->ports[p].width < bits) g->arcs.at[2 * p].room = 0;
    if (!c->is_terminal[p]) g->arcs.at[2 * (adg->nports + p)].room = 0;
  }
  return flow_send(g, source_vertex(c), sink_vertex(c), most);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void add_to_group(Cut *c, Endpoint from, Endpoint to, u32 result, u32 edge) {
  size_t g = 0;
  while (g < c->groups.len && !(endpoint_is_same(&c->groups.at[g].from, &from) &&
                                endpoint_is_same(&c->groups.at[g].to, &to)))
    g++;
  if (g == c->groups.len)
    vec_push(&c->groups, ((ResultGroup){.from = from, .to = to, .edge = edge}));
  ResultGroup *group = &c->groups.at[g];
  /* Results come in ascending order, once for each edge: a repeated one is the last. */
  if (!group->results.len || vec_last(&group->results) < result) vec_push(&group->results, result);
}

/* Groups by the classes of clusters, or with all clusters as one class. The former are checked
 * first, as their reports are more specific. */
static void find_groups(Cut *c, bool all_clusters) {
  const Dfg *dfg = c->in.dfg;
  Endpoint any = {ENDPOINT_ANY, 0, 0}, any_cluster = {ENDPOINT_ANY_CLUSTER, 0, 0};
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
      u32 from = c->in.cover->cluster_of[result->node],
          to = c->in.cover->cluster_of[dfg->edges[e].to];
      if (from == to && from != MAP_NONE) continue;
      Endpoint source = endpoint_of_source(&c->in, r), taker = endpoint_of_sink(&c->in, e);
      if (all_clusters && endpoint_is_cluster(&source)) source = any_cluster;
      if (all_clusters && endpoint_is_cluster(&taker)) taker = any_cluster;
      add_to_group(c, source, taker, r, e);
      add_to_group(c, source, any, r, e);
      add_to_group(c, any, taker, r, e);
      if (!all_clusters || endpoint_is_cluster(&source) == endpoint_is_cluster(&taker)) continue;
      Endpoint *memory = endpoint_is_cluster(&source) ? &taker : &source;
      memory->family = ADG_FAMILY_COUNT;
      if (memory->kind == ENDPOINT_MEMORY) add_to_group(c, source, taker, r, e);
    }
  }
}

/* ---- what the refused mapping shows ---------------------------------------------------------- */

void mapping_add_cut(Mapping *m, u32 port) {
  if (!m->cut) m->cut = NEW_ARRAY(m->arena, u32, m->adg->nports + (size_t)1);
  for (u32 i = 0; i < m->ncut; i++)
    if (m->cut[i] == port) return;
  m->cut[m->ncut++] = port;
}

void mapping_add_unrouted(Mapping *m, u32 result) {
  if (!m->is_unrouted) m->is_unrouted = NEW_ARRAY(m->arena, bool, m->dfg->nresults + (size_t)1);
  m->is_unrouted[result] = true;
}

/* Notes the ports of an arc of the minimum cut, given by the vertex that it starts at: a port, or
 * for a table all ports of its component. */
static void note_cut(Cut *c, u32 vertex) {
  const Adg *adg = c->in.adg;
  if (!c->refused) return;
  if (vertex < 2 * adg->nports) {
    mapping_add_cut(c->refused, vertex / 2);
    return;
  }
  u32 component = vertex / 2 - adg->nports;
  const AdgComponent *k = &adg->components[component];
  for (u32 i = 0; i < k->ninputs; i++) mapping_add_cut(c->refused, adg_input(adg, component, i));
  for (u32 o = 0; o < k->noutputs; o++) mapping_add_cut(c->refused, adg_output(adg, component, o));
}

/* The results of the group that have at least `bits` bits, of which not all can be routed. */
static void note_unrouted(Cut *c, const ResultGroup *g, u32 bits) {
  const Dfg *dfg = c->in.dfg;
  for (size_t i = 0; c->refused && i < g->results.len; i++)
    if (dfg->types[dfg->results[g->results.at[i]].type].bits >= bits)
      mapping_add_unrouted(c->refused, g->results.at[i]);
}

/* Notes the ports that can be reached but are too narrow. */
static void note_narrow(Cut *c, u32 bits) {
  const Adg *adg = c->in.adg;
  flow_search(&c->flow, source_vertex(c));
  for (u32 p = 0; p < adg->nports; p++)
    if (adg->ports[p].width < bits && flow_reached(&c->flow, enter_port(p))) note_cut(c, 2 * p);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report_no_route(Cut *c, const ResultGroup *g, u32 bits) {
  u32 result = g->results.at[0], widest = bits;
  note_narrow(c, bits);
  Buf taker = {0}, from = {0}, to = {0};
  names_taker(c->in.dfg, g->edge, &taker);
  endpoint_put_hosts(&c->in, &g->from, true, &from);
  endpoint_put_hosts(&c->in, &g->to, false, &to);
  diag(c->ctx, c->in.dfg->nodes[c->in.dfg->results[result].node].loc, MAP_NO_WAY,
       "@%s has no route for '%s' to %s, for any placement", adg_text(c->in.adg, c->in.adg->name),
       result_name(c->in.dfg, result), taker.data);
  diag_note(c->ctx, LOC_NONE, "'%s' can come from %s; %s can be in %s",
            result_name(c->in.dfg, result), from.data, taker.data, to.data);
  while (widest > 0 && !max_flow(c, widest - 1, 1)) widest--;
  if (widest > 0)
    diag_note(c->ctx, LOC_NONE, "the widest route between them has %u bit%s, but '%s' needs %u",
              widest - 1, widest == 2 ? "" : "s", result_name(c->in.dfg, result), bits);
  else
    diag_note(c->ctx, LOC_NONE, "no path of wires and switches connects them");
  buf_free(&taker);
  buf_free(&from);
  buf_free(&to);
}

/* Why an arc of the cut has no more capacity: "output 0 of gather has a tag of 1 bit, which tells 2
 * results apart". */
static void note_arc(Cut *c, u32 vertex) {
  const Adg *adg = c->in.adg;
  bool is_table = vertex >= 2 * adg->nports;
  u32 component = is_table ? vertex / 2 - adg->nports : adg->ports[vertex / 2].component;
  const char *name = adg_name(adg, component);
  Loc loc = adg->components[component].loc;
  u32 rows = table_rows(adg, component), room = row_room(adg, component);
  if (!is_table && adg->ports[vertex / 2].is_tagged &&
      rows < (u32)1 << adg->ports[vertex / 2].tag_width) {
    const AdgPort *p = &adg->ports[vertex / 2];
    diag_note(
        c->ctx, loc, "%s %u of %s carries at most %u result%s: its table has %u row%s, one per tag",
        p->is_output ? "output" : "input", p->index, name, rows, plural(rows), rows, plural(rows));
    return;
  }
  if (is_table) {
    diag_note(c->ctx, loc, "the table of %s has %u row%s, one per tag", name, rows, plural(rows));
    if (room > 1)
      diag_note(c->ctx, loc,
                "%s has %u inputs and %u outputs, so at most %u results can share a tag", name,
                adg->components[component].ninputs, adg->components[component].noutputs, room);
    return;
  }
  const AdgPort *p = &adg->ports[vertex / 2];
  const char *side = p->is_output ? "output" : "input";
  if (adg_is_register(adg, component))
    diag_note(c->ctx, loc, "%s is a FIFO that cannot be bypassed, so it carries only one result",
              name);
  else if (p->is_tagged)
    diag_note(c->ctx, loc, "%s %u of %s has a tag of %u bit%s, which distinguishes only %u results",
              side, p->index, name, p->tag_width, plural(p->tag_width), 1u << p->tag_width);
  else
    diag_note(c->ctx, loc, "%s %u of %s carries only one result", side, p->index, name);
}

/* Reports the arcs of the minimum cut: full ones from what the source reaches to the rest. */
static void report_arcs(Cut *c) {
  FlowNetwork *g = &c->flow;
  u32 reported = 0, rest = 0;
  flow_search(g, source_vertex(c));
  for (u32 a = 0; a < g->arcs.len; a += 2) {
    u32 from = g->arcs.at[a + 1].to;
    if (!flow_reached(g, from) || flow_reached(g, g->arcs.at[a].to) || !flow_on(g, a)) continue;
    note_cut(c, from);
    if (reported++ < MAX_NOTES)
      note_arc(c, from);
    else
      rest++;
  }
  if (rest) diag_note(c->ctx, LOC_NONE, "and %u more such limits", rest);
}

/* "from pe_0 and pe_1 to its outputs" */
static void put_endpoints(const Cut *c, const ResultGroup *g, Buf *out) {
  if (g->from.kind == ENDPOINT_ARG && g->to.kind == ENDPOINT_ANY) {
    buf_str(out, "from its inputs");
  } else if (g->from.kind != ENDPOINT_ANY) {
    buf_str(out, "from ");
    endpoint_put_hosts(&c->in, &g->from, true, out);
  }
  if (g->from.kind != ENDPOINT_ANY && g->to.kind != ENDPOINT_ANY) buf_char(out, ' ');
  if (g->to.kind == ENDPOINT_OUTPUT && g->from.kind == ENDPOINT_ANY) {
    buf_str(out, "to its outputs");
  } else if (g->to.kind != ENDPOINT_ANY) {
    buf_str(out, "to ");
    endpoint_put_hosts(&c->in, &g->to, false, out);
  }
}

/* Of `wanted` results with at least `bits` bits only `room` can be routed. `hosts`: of a memory
 * with all of its ports, how many memories of the fabric it could be placed in; else 1. */
static void report_cut(Cut *c, const ResultGroup *g, u32 hosts, u32 bits, u32 wanted, u32 room) {
  NameList names = {0};
  Buf where = {0};
  u32 first = MAP_NONE;
  for (size_t i = 0; i < g->results.len; i++) {
    u32 r = g->results.at[i];
    if (c->in.dfg->types[c->in.dfg->results[r].type].bits < bits) continue;
    if (first == MAP_NONE) first = r;
    names_add(&names, result_name(c->in.dfg, r));
  }
  put_endpoints(c, g, &where);
  diag(c->ctx, c->in.dfg->nodes[c->in.dfg->results[first].node].loc, MAP_CUT,
       "@%s can carry at most %u result%s at once %s, but @%s needs %u: %s",
       adg_text(c->in.adg, c->in.adg->name), room, plural(room), where.data,
       dfg_text(c->in.dfg, c->in.dfg->name), wanted, names_end(&names, ""));
  report_arcs(c);
  if (hosts > 1)
    diag_note(c->ctx, LOC_NONE, "none of the %u memories that fit has room for more", hosts);
  diag_hint(c->ctx, "all of them pass through there in any placement; room for %u more is needed",
            wanted - room);
  buf_free(&names.text);
  buf_free(&where);
}

/* ---- the check ------------------------------------------------------------------------------- */

/* Checks for each width, from the widest on, the results of at least that width. False at the first
 * width where *lack results too many are wanted. `hosts`: as for report_cut; 0: report nothing. */
static bool carries(Cut *c, const ResultGroup *g, u32 hosts, u32 *lack) {
  bool has_start = false, has_end = false;
  if (endpoints_share_pe(&c->in, &g->from, &g->to)) return true;
  for (u32 p = 0; p < c->in.adg->nports; p++) {
    bool is_start = endpoint_has_port(&c->in, &g->from, p, true);
    bool is_end = endpoint_has_port(&c->in, &g->to, p, false);
    c->is_terminal[p] = is_start || is_end;
    has_start |= is_start;
    has_end |= is_end;
  }
  if (!has_start || !has_end) return true; /* pinned where it cannot be: reported elsewhere */
  u32 above = UINT32_MAX;
  for (;;) {
    u32 bits = 0, wanted = 0;
    bool has_width = false;
    for (size_t i = 0; i < g->results.len; i++) { /* the next width, descending */
      u32 b = c->in.dfg->types[c->in.dfg->results[g->results.at[i]].type].bits;
      if (b < above && (!has_width || b > bits)) bits = b, has_width = true;
    }
    if (!has_width) return true;
    for (size_t i = 0; i < g->results.len; i++)
      wanted += c->in.dfg->types[c->in.dfg->results[g->results.at[i]].type].bits >= bits;
    u32 room = max_flow(c, bits, wanted);
    *lack = wanted - room;
    if (hosts && room < wanted) note_unrouted(c, g, bits);
    if (hosts && !room) report_no_route(c, g, bits);
    if (hosts && room && room < wanted) report_cut(c, g, hosts, bits, wanted, room);
    if (room < wanted) return false;
    above = bits;
  }
}

/* A memory with all of its ports is tried in each memory of the fabric that fits it; where none has
 * routes enough, the one that lacks the fewest is reported. */
static bool group_fits(Cut *c, const ResultGroup *g) {
  ResultGroup placed = *g, best = *g;
  Endpoint *memory = g->from.kind == ENDPOINT_MEMORY ? &placed.from : &placed.to;
  u32 lack, least = UINT32_MAX, hosts = 0, id = memory->id;
  if (memory->kind != ENDPOINT_MEMORY || memory->family != ADG_FAMILY_COUNT)
    return carries(c, g, 1, &lack);
  for (u32 k = 0; k < c->in.adg->nmemories; k++) {
    if (!mapping_memory_fits(c->in.dfg, c->in.adg, id, k)) continue;
    *memory = (Endpoint){ENDPOINT_HW_MEMORY, k, 0};
    hosts++;
    if (carries(c, &placed, 0, &lack)) return true;
    if (lack < least) least = lack, best = placed;
  }
  return !hosts || carries(c, &best, hosts, &lack);
}

bool mapping_cut(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                 const MapOptions *options, Mapping *refused) {
  Cut c = {.ctx = ctx,
           .in = {dfg, adg, cover, options, supply_new(dfg, adg, cover)},
           .refused = refused};
  bool fits = true;
  c.is_terminal = mem_alloc(adg->nports + (size_t)1);
  find_groups(&c, false);
  find_groups(&c, true);
  make_graph(&c, dfg->nresults);
  for (size_t g = 0; g < c.groups.len; g++) fits = fits && group_fits(&c, &c.groups.at[g]);
  for (size_t g = 0; g < c.groups.len; g++) vec_free(&c.groups.at[g].results);
  vec_free(&c.groups);
  flow_free(&c.flow);
  mem_free(c.capacity);
  mem_free(c.is_terminal);
  supply_free(c.in.supply);
  return fits;
}

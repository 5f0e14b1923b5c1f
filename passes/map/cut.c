/* cut.c -- what the wires cannot carry, wherever everything is placed.
 *
 *     3 results of @f leave @fabric          all that leaves must pass `gather`, whose output has
 *     a -> gather -> part -> out             a tag of one bit: two at a time. So no search will
 *     b ->        ->      -> out             find a route for the third
 *
 * Counting (count.c) looks at places; here it is the routes between them. Take all results that go
 * from one endpoint class (endpoints.h) to another: from all multiplications, say, to all
 * additions. Wherever these are placed, the tokens of each such result start in one of the PEs that
 * can multiply and come to one of those that can add, and no two results go through one port under
 * one tag. So if fewer disjoint routes lead from all those PEs to all these than there are results,
 * there is no mapping (Menger's theorem). How many lead there is a maximum flow (max_flow.h), and
 * what holds up any more is a minimum cut of the fabric: ports, tags, rows of a table, which can be
 * named (MAP_CUT). Where not one route leads there, the two classes are not connected at all, or by
 * wires that are too narrow (MAP_NO_WAY).
 *
 * Every pair of endpoint classes is looked at, and each with all others together. Then a memory
 * with all of its ports: it is placed in one memory of the fabric, so if none of these, each by
 * itself, has routes enough from and to all clusters, there is no mapping either.
 *
 * The graph for the flow: each port is an arc, with room for as many results as it takes: one, or
 * as many as it has tags. Between them are the wires, and inside a switch what it connects. A table
 * with room for fewer than there could be results is an arc too, behind all inputs of its component
 * and before all outputs. (A row of a switch takes what has one tag at all of its inputs, as long
 * as each has an output of its own.) That forgets which input leads to which output: so much the
 * more routes, and what is proved is right.
 *
 * Cost: writing the graph down, linear in the fabric, and a few searches of it for each pair of
 * classes: milliseconds for a large fabric.
 */
#include "map/endpoints.h"
#include "map/max_flow.h"
#include "map/names.h"

enum { MAX_FLOW = 1 << 20, MAX_NOTES = 4 };

/* The results that go from one endpoint class to another. */
typedef struct {
  Endpoint from, to;
  u32 edge; /* DFG: one of theirs */
  Vec(u32) results;
} ResultGroup;

/* Vertices: two for each port, where tokens come to it and where they leave it; two for each
 * component, before and behind its table; source and sink. Arc p (times 2) is port p's own, arc
 * nports + p the one from the source to it, or from it to the sink. */
typedef struct {
  Context *ctx;
  Endpoints in;
  Vec(ResultGroup) groups;
  FlowNetwork flow;
  u32 *room;         /* by arc of one direction: its room where nothing flows */
  bool *is_terminal; /* by port: a start, if it is an output, or an end */
  Mapping *refused;  /* NULL: not wanted */
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

/* Rows of the component's table; MAX_FLOW: it has none. */
static u32 table_rows(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  if (c->kind == ADG_TEMPORAL_SW) return adg->switches[c->detail].num_route_table;
  if (c->kind == ADG_MAP_TAG) return adg->tags[c->detail].table_size;
  return MAX_FLOW;
}

/* Results that a row serves: a switch's says for each input where its tokens go. */
static u32 row_room(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return c->noutputs < c->ninputs ? c->noutputs : c->ninputs;
}

/* Results that one port takes: each has a tag there, and its component a row for the tag. What
 * waits in a queue is there alone, whatever its tag. */
static u32 port_room(const Adg *adg, u32 port) {
  const AdgPort *p = &adg->ports[port];
  if (!p->is_tagged || adg_is_register(adg, p->component)) return 1;
  u32 tags = (u32)1 << p->tag_width, rows = table_rows(adg, p->component);
  return tags < rows ? tags : rows;
}

/* Results that the table takes at once. */
static u32 table_room(const Adg *adg, u32 component) {
  u64 room = (u64)table_rows(adg, component) * row_room(adg, component);
  return room < MAX_FLOW ? (u32)room : MAX_FLOW;
}

static void connect_component(Cut *c, u32 component, u32 most) {
  const Adg *adg = c->in.adg;
  const AdgComponent *k = &adg->components[component];
  u32 rows = table_room(adg, component), table = enter_table(c, component);
  if (!adg_passes_tokens(k)) return;
  if (rows < most) flow_add(&c->flow, table, table + 1, rows);
  for (u32 i = 0; rows < most && i < k->ninputs; i++)
    flow_add(&c->flow, leave_port(adg_input(adg, component, i)), table, MAX_FLOW);
  for (u32 o = 0; o < k->noutputs; o++) {
    u32 out = enter_port(adg_output(adg, component, o));
    if (rows < most) flow_add(&c->flow, table + 1, out, MAX_FLOW);
    for (u32 i = 0; rows >= most && i < k->ninputs; i++)
      if (!adg_is_switch(k) || adg_connects(adg, &adg->switches[k->detail], i, o))
        flow_add(&c->flow, leave_port(adg_input(adg, component, i)), out, MAX_FLOW);
  }
}

/* `most`: no more than so many results will ever be sent. */
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
  c->room = mem_alloc(mem_size(g->arcs.len / 2 + 1, sizeof *c->room));
  for (size_t a = 0; a < g->arcs.len; a += 2) c->room[a / 2] = g->arcs.at[a].room;
}

/* How many of `most` results of a width get from the starts to the ends. */
static u32 flow(Cut *c, u32 bits, u32 most) {
  const Adg *adg = c->in.adg;
  FlowNetwork *g = &c->flow;
  for (size_t a = 0; a < g->arcs.len; a += 2) {
    g->arcs.at[a].room = c->room[a / 2];
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
  /* They come in their order; what is here already comes again. */
  if (!group->results.len || vec_last(&group->results) < result) vec_push(&group->results, result);
}

/* The endpoint classes one by one first: what is wrong with them says more. */
static void find_groups(Cut *c, bool all_clusters) {
  const Dfg *dfg = c->in.dfg;
  Endpoint any = {ENDPOINT_ANY, 0, 0}, all = {ENDPOINT_ANY_CLUSTER, 0, 0};
  for (u32 r = 0; r < dfg->nresults; r++) {
    const DfgResult *result = &dfg->results[r];
    for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
      u32 from = c->in.cover->cluster_of[result->node],
          to = c->in.cover->cluster_of[dfg->edges[e].to];
      if (from == to && from != MAP_NONE) continue;
      Endpoint source = endpoint_of_source(&c->in, r), taker = endpoint_of_sink(&c->in, e);
      if (all_clusters && endpoint_is_cluster(&source)) source = all;
      if (all_clusters && endpoint_is_cluster(&taker)) taker = all;
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

/* ---- pictures of it -------------------------------------------------------------------------- */

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

/* What an arc of the minimum cut stands for: a port, or a table, which has all of its
 * component's. */
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

/* Those of the group that do not all fit. */
static void note_unrouted(Cut *c, const ResultGroup *g, u32 bits) {
  const Dfg *dfg = c->in.dfg;
  for (size_t i = 0; c->refused && i < g->results.len; i++)
    if (dfg->types[dfg->results[g->results.at[i]].type].bits >= bits)
      mapping_add_unrouted(c->refused, g->results.at[i]);
}

/* Where a route ends that would have to be wider. */
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
       "there is no route on @%s for '%s' to %s, wherever the two are placed",
       adg_text(c->in.adg, c->in.adg->name), result_name(c->in.dfg, result), taker.data);
  diag_note(c->ctx, LOC_NONE, "'%s' can come from %s; %s can be in %s",
            result_name(c->in.dfg, result), from.data, taker.data, to.data);
  while (widest > 0 && !flow(c, widest - 1, 1)) widest--;
  if (widest > 0)
    diag_note(c->ctx, LOC_NONE, "the widest route between them has %u bit%s, and '%s' has %u",
              widest - 1, widest == 2 ? "" : "s", result_name(c->in.dfg, result), bits);
  else
    diag_note(c->ctx, LOC_NONE, "no wires and switches lead from the one to the other");
  buf_free(&taker);
  buf_free(&from);
  buf_free(&to);
}

/* "output 0 of gather has a tag of 1 bit: it takes 2" */
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
        c->ctx, loc, "%s %u of %s takes %u result%s: its table has %u row%s, one for each tag",
        p->is_output ? "output" : "input", p->index, name, rows, plural(rows), rows, plural(rows));
    return;
  }
  if (is_table) {
    diag_note(c->ctx, loc, "the table of %s has %u row%s, one for each tag", name, rows,
              plural(rows));
    if (room > 1)
      diag_note(c->ctx, loc, "%s has %u inputs and %u outputs, so %u results may have one tag",
                name, adg->components[component].ninputs, adg->components[component].noutputs,
                room);
    return;
  }
  const AdgPort *p = &adg->ports[vertex / 2];
  const char *side = p->is_output ? "output" : "input";
  if (adg_is_register(adg, component))
    diag_note(c->ctx, loc, "%s is a FIFO that cannot be bypassed, which takes one result", name);
  else if (p->is_tagged)
    diag_note(c->ctx, loc, "%s %u of %s has a tag of %u bit%s, which tells %u results apart", side,
              p->index, name, p->tag_width, plural(p->tag_width), 1u << p->tag_width);
  else
    diag_note(c->ctx, loc, "%s %u of %s takes one result", side, p->index, name);
}

/* What is full between what can be reached and what cannot. */
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
  if (rest) diag_note(c->ctx, LOC_NONE, "and %u more such places", rest);
}

static void put_endpoint(const Cut *c, const ResultGroup *g, Buf *out) {
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

/* `hosts`: how many memories one with all of its ports could be in. */
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
  put_endpoint(c, g, &where);
  diag(c->ctx, c->in.dfg->nodes[c->in.dfg->results[first].node].loc, MAP_CUT,
       "@%s can carry %u result%s at once %s, and @%s has %u: %s",
       adg_text(c->in.adg, c->in.adg->name), room, plural(room), where.data,
       dfg_text(c->in.dfg, c->in.dfg->name), wanted, names_end(&names, ""));
  report_arcs(c);
  if (hosts > 1)
    diag_note(c->ctx, LOC_NONE, "of %u memories that could be taken, none has room for more",
              hosts);
  diag_hint(c->ctx,
            "all of them must go through there, wherever they are placed; room for %u more "
            "is needed",
            wanted - room);
  buf_free(&names.text);
  buf_free(&where);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* For each width: the results that are at least so wide. False after the first that do not fit, of
 * which *lack more are wanted than there is room for; reported where there are `hosts`. */
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
    bool any = false;
    for (size_t i = 0; i < g->results.len; i++) { /* the widest that was not looked at */
      u32 b = c->in.dfg->types[c->in.dfg->results[g->results.at[i]].type].bits;
      if (b < above && (!any || b > bits)) bits = b, any = true;
    }
    if (!any) return true;
    for (size_t i = 0; i < g->results.len; i++)
      wanted += c->in.dfg->types[c->in.dfg->results[g->results.at[i]].type].bits >= bits;
    u32 room = flow(c, bits, wanted);
    *lack = wanted - room;
    if (hosts && room < wanted) note_unrouted(c, g, bits);
    if (hosts && !room) report_no_route(c, g, bits);
    if (hosts && room && room < wanted) report_cut(c, g, hosts, bits, wanted, room);
    if (room < wanted) return false;
    above = bits;
  }
}

/* A memory with all of its ports is tried in each that it could be in; reported is the one that
 * lacks the least. */
static bool group_fits(Cut *c, const ResultGroup *g) {
  ResultGroup at = *g, best = *g;
  Endpoint *memory = g->from.kind == ENDPOINT_MEMORY ? &at.from : &at.to;
  u32 lack, least = UINT32_MAX, hosts = 0, id = memory->id;
  if (memory->kind != ENDPOINT_MEMORY || memory->family != ADG_FAMILY_COUNT)
    return carries(c, g, 1, &lack);
  for (u32 k = 0; k < c->in.adg->nmemories; k++) {
    if (!mapping_memory_fits(c->in.dfg, c->in.adg, id, k)) continue;
    *memory = (Endpoint){ENDPOINT_HW_MEMORY, k, 0};
    hosts++;
    if (carries(c, &at, 0, &lack)) return true;
    if (lack < least) least = lack, best = at;
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
  mem_free(c.room);
  mem_free(c.is_terminal);
  supply_free(c.in.supply);
  return fits;
}

/* reach.c -- proves that a result cannot reach all of its consumers, wherever nodes are placed.
 *
 *     x -> sw_0 -> times         x goes to a product and to a sum; but no input of the fabric has
 *     y -> sw_1 -> plus          routes both to a PE that multiplies and to one that adds
 *
 * The flows of cut.c check routes from one endpoint class to another, for many results at once.
 * This checks one result with all of its consumers: it starts in one port, and from there each
 * consumer must be reachable, by a port or a tag of its own. So from each port where the result
 * could start a breadth-first search finds the reachable ports, and those of each class that
 * consumes it are counted. If no start reaches enough ports of each class, there is no mapping
 * (MAP_NO_WAY). As all consumers are reached from one port, this also finds results that would have
 * to be copied where there is no switch. A memory's result without a use (a done token that nothing
 * waits for) must reach a switch, which discards it.
 *
 * Cost: mostly one search over the fabric for each result with several consumers, since the first
 * start reaches them all. Results with the same source class and needs are checked once.
 */
#include "map/endpoints.h"
#include "map/names.h"

/* How many ports of a class are needed. */
typedef struct {
  Endpoint end;
  u32 wanted;
} Need;

typedef struct {
  Context *ctx;
  Endpoints in;
  Vec(Need) needs; /* of the current result */
  u32 result, bits;
  bool *seen; /* by port */
  Vec(u32) queue;
  Map checked;      /* hashes of source class, width and needs */
  Mapping *refused; /* NULL: not wanted */
} ReachProof;

/* ---- what a result needs --------------------------------------------------------------------- */

/* How many of a cluster's inputs take the result, in the match with the fewest. */
static u32 inputs_of(const ReachProof *r, u32 cluster) {
  const MapCover *cover = r->in.cover;
  const MapCluster *c = &cover->clusters[cluster];
  u32 least = UINT32_MAX;
  for (u32 w = c->first_match; w < c->first_match + c->nmatches; w++) {
    u32 used = 0;
    for (u32 a = 0; a < r->in.adg->bodies[cover->matches[w].body].nargs; a++) {
      u32 edge = cover->args[cover->matches[w].first_arg + a];
      used += edge != MAP_NONE && r->in.dfg->edges[edge].result == r->result;
    }
    if (used < least) least = used;
  }
  return least;
}

static void add_need(ReachProof *r, Endpoint end, u32 wanted) {
  for (size_t i = 0; i < r->needs.len; i++)
    if (endpoint_is_same(&r->needs.at[i].end, &end)) {
      r->needs.at[i].wanted += wanted;
      return;
    }
  vec_push(&r->needs, ((Need){end, wanted}));
}

/* Fills needs; returns how many ports they are in total. */
static u32 find_needs(ReachProof *r, const Endpoint *source) {
  const Dfg *dfg = r->in.dfg;
  const DfgResult *result = &dfg->results[r->result];
  u32 from = r->in.cover->cluster_of[result->node], last = result->first_edge + result->nedges,
      total = 0;
  vec_clear(&r->needs);
  for (u32 e = result->first_edge; e < last; e++) {
    u32 to = r->in.cover->cluster_of[dfg->edges[e].to], wanted = 1;
    bool is_repeated = false;
    if (to != MAP_NONE) {
      for (u32 k = result->first_edge; k < e && !is_repeated; k++)
        is_repeated = r->in.cover->cluster_of[dfg->edges[k].to] == to;
      if (to == from || is_repeated) continue;
      wanted = inputs_of(r, to);
    }
    if (wanted) add_need(r, endpoint_of_sink(&r->in, e), wanted);
  }
  for (size_t i = 0; i < r->needs.len; i++) {
    Need *n = &r->needs.at[i];
    /* a register of the source's PE may serve one operand */
    if (endpoint_is_cluster(source) && endpoints_share_pe(&r->in, source, &n->end)) n->wanted--;
    total += n->wanted;
  }
  return total;
}

/* ---- reachable ports ------------------------------------------------------------------------- */

static void visit(ReachProof *r, u32 port) {
  if (r->seen[port] || r->in.adg->ports[port].width < r->bits) return;
  r->seen[port] = true;
  vec_push(&r->queue, port);
}

static void walk(ReachProof *r, u32 start) {
  const Adg *adg = r->in.adg;
  memset(r->seen, 0, adg->nports);
  vec_clear(&r->queue);
  visit(r, start);
  for (size_t i = 0; i < r->queue.len; i++) {
    u32 p = r->queue.at[i];
    const AdgPort *port = &adg->ports[p];
    const AdgComponent *c = &adg->components[port->component];
    for (u32 k = 0; port->is_output && k < port->nchannels; k++)
      visit(r, adg->channels[port->first_channel + k].to);
    if (port->is_output || !adg_passes_tokens(c)) continue;
    for (u32 o = 0; o < c->noutputs; o++)
      if (!adg_is_switch(c) || adg_connects(adg, &adg->switches[c->detail], port->index, o))
        visit(r, adg_output(adg, port->component, o));
  }
}

/* How many of the ports or tags that a need wants were reached. */
static u32 found_of(const ReachProof *r, const Need *n) {
  const Adg *adg = r->in.adg;
  u32 found = 0;
  for (size_t i = 0; i < r->queue.len && found < n->wanted; i++) {
    u32 p = r->queue.at[i];
    if (endpoint_has_port(&r->in, &n->end, p, false))
      found += adg->ports[p].is_tagged ? (u32)1 << adg->ports[p].tag_width : 1;
  }
  return found < n->wanted ? found : n->wanted;
}

/* The first need that cannot be met from a start; NULL: all can. */
static const Need *missing_from(ReachProof *r, u32 start) {
  walk(r, start);
  for (size_t i = 0; i < r->needs.len; i++)
    if (found_of(r, &r->needs.at[i]) < r->needs.at[i].wanted) return &r->needs.at[i];
  return NULL;
}

/* ---- all results ----------------------------------------------------------------------------- */

/* Appends the consumers of the result that are in an endpoint class. */
static void put_takers(const ReachProof *r, const Endpoint *end, Buf *out) {
  const Dfg *dfg = r->in.dfg;
  const DfgResult *result = &dfg->results[r->result];
  NameList takers = {0};
  u32 last = MAP_NONE;
  for (u32 i = result->first_edge; i < result->first_edge + result->nedges; i++) {
    const DfgEdge *e = &dfg->edges[i];
    Endpoint to = endpoint_of_sink(&r->in, i);
    if (!endpoint_is_same(&to, end)) continue;
    if (e->to == last && last != dfg->return_node) continue;
    last = e->to;
    Buf name = {0};
    names_taker(dfg, i, &name);
    names_add(&takers, name.data);
    buf_free(&name);
  }
  buf_str(out, names_end(&takers, ""));
  buf_free(&takers.text);
}

static void report(ReachProof *r, const Endpoint *source, u32 start) {
  const Dfg *dfg = r->in.dfg;
  const Adg *adg = r->in.adg;
  const char *name = result_name(dfg, r->result);
  Buf from = {0};
  diag(r->ctx, dfg->nodes[dfg->results[r->result].node].loc, MAP_NO_WAY,
       "'%s' cannot be routed to all of its consumers on @%s, for any placement", name,
       adg_text(adg, adg->name));
  endpoint_put_hosts(&r->in, source, true, &from);
  diag_note(r->ctx, LOC_NONE, "'%s' can come from %s", name, from.data);
  for (size_t i = 0; i < r->needs.len; i++) {
    const Need *n = &r->needs.at[i];
    Buf takers = {0}, to = {0};
    put_takers(r, &n->end, &takers);
    endpoint_put_hosts(&r->in, &n->end, false, &to);
    diag_note(r->ctx, LOC_NONE, "for %s it needs %u input%s of %s", takers.data, n->wanted,
              plural(n->wanted), to.data);
    buf_free(&takers);
    buf_free(&to);
  }
  const Need *n = missing_from(r, start);
  Buf to = {0};
  endpoint_put_hosts(&r->in, &n->end, false, &to);
  diag_note(r->ctx, adg->components[adg->ports[start].component].loc,
            "for example, output %u of %s has routes to %u input%s of %s", adg->ports[start].index,
            adg_name(adg, adg->ports[start].component), found_of(r, n), plural(found_of(r, n)),
            to.data);
  if (found_of(r, n)) diag_hint(r->ctx, "only switches copy tokens; wires, FIFOs and PEs do not");
  buf_free(&to);
  buf_free(&from);
}

/* True where a result with the same source class, width and needs was checked before. */
static bool is_checked(ReachProof *r, const Endpoint *source) {
  u64 hash = hash_bytes(source, sizeof *source, r->bits);
  for (size_t i = 0; i < r->needs.len; i++) {
    const u32 key[] = {r->needs.at[i].end.kind, r->needs.at[i].end.id, r->needs.at[i].end.family,
                       r->needs.at[i].wanted};
    hash = hash_bytes(key, sizeof key, hash);
  }
  u64 *slot = map_slot(&r->checked, hash);
  bool was_set = *slot;
  *slot = 1;
  return was_set;
}

/* True where a memory's result without a use can be discarded. */
static bool can_be_discarded(ReachProof *r, const Endpoint *source) {
  const Adg *adg = r->in.adg;
  const DfgResult *result = &r->in.dfg->results[r->result];
  bool has_source = false;
  for (u32 p = 0; p < adg->nports; p++) {
    if (adg->ports[p].width < r->bits || !endpoint_has_port(&r->in, source, p, true)) continue;
    has_source = true;
    walk(r, p);
    for (size_t i = 0; i < r->queue.len; i++) {
      const AdgPort *port = &adg->ports[r->queue.at[i]];
      if (!port->is_output && adg_is_switch(&adg->components[port->component])) return true;
    }
  }
  if (!has_source) return true; /* reported elsewhere */
  Buf from = {0};
  endpoint_put_hosts(&r->in, source, true, &from);
  diag(r->ctx, r->in.dfg->nodes[result->node].loc, MAP_NO_WAY,
       "'%s' has no consumer, and @%s has no route to a switch that can discard it",
       dfg_text(r->in.dfg, result->name), adg_text(adg, adg->name));
  diag_note(r->ctx, LOC_NONE, "it comes from %s", from.data);
  buf_free(&from);
  return false;
}

/* True where each class of the needs has a port. */
static bool has_places(const ReachProof *r) {
  for (size_t i = 0; i < r->needs.len; i++) {
    bool has_port = false;
    for (u32 p = 0; p < r->in.adg->nports && !has_port; p++)
      has_port = endpoint_has_port(&r->in, &r->needs.at[i].end, p, false);
    if (!has_port) return false;
  }
  return true;
}

static bool reaches_all(ReachProof *r) {
  const Adg *adg = r->in.adg;
  Endpoint source = endpoint_of_source(&r->in, r->result);
  r->bits = r->in.dfg->types[r->in.dfg->results[r->result].type].bits;
  if (source.kind == ENDPOINT_MEMORY && !r->in.dfg->results[r->result].nedges)
    return can_be_discarded(r, &source);
  if (find_needs(r, &source) < 2 || is_checked(r, &source)) return true;
  u32 start = MAP_NONE;
  for (u32 p = 0; p < adg->nports; p++) {
    if (adg->ports[p].width < r->bits || !endpoint_has_port(&r->in, &source, p, true)) continue;
    if (!missing_from(r, p)) return true;
    if (start == MAP_NONE) start = p;
  }
  /* No start, or a class without a place: that is reported elsewhere. */
  if (start == MAP_NONE || !has_places(r)) return true;
  report(r, &source, start);
  return false;
}

bool mapping_reach(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                   const MapOptions *options, Mapping *refused) {
  ReachProof r = {.ctx = ctx,
                  .in = {dfg, adg, cover, options, supply_new(dfg, adg, cover)},
                  .refused = refused};
  bool fits = true;
  r.seen = mem_alloc(adg->nports + (size_t)1);
  for (r.result = 0; r.result < dfg->nresults && fits; r.result++) fits = reaches_all(&r);
  if (!fits && refused) mapping_add_unrouted(refused, r.result - 1);
  supply_free(r.in.supply);
  vec_free(&r.needs);
  vec_free(&r.queue);
  map_free(&r.checked);
  mem_free(r.seen);
  return fits;
}

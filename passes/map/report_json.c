/* report_json.c -- a mapping as JSON, and the reader of places for --from.
 *
 *     "clusters": [
 *       {"nodes": ["p", "t"], "pe": "pe_0", "unit": "mac", "opcode": 1, ...}],
 *     "edges": [
 *       {"name": "t.0", "from": "t", ..., "route": ["pe_0.out0", "sw_0.in1", ...]}],
 *
 * Members are in the order of mapping_print_json; spec-tests/24-mapping.md documents them. The
 * reader (jansson) uses "version" and, of each cluster, "pe" and the first of "nodes". Both are
 * linear in the mapping. */
#include "base/json.h"
#include "map/names.h"
#include "map/report.h"
#include "map/stages.h"

#include "config/config.h"
#include "config/binding.h"

#include <jansson.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Opens a member of the root, on a line of its own; and a row of such a member. */
static void open_section(Json *j, const char *key, char bracket) {
  json_line(j, 2);
  json_open(j, key, bracket);
}

static void close_section(Json *j, char bracket) {
  json_line(j, 2);
  json_close(j, bracket);
}

static void open_row(Json *j, const char *key) {
  json_line(j, 4);
  json_open(j, key, '{');
}

/* "pe_0.out1", with a tag "mem.in0@3". */
static void put_port(Json *j, const Mapping *m, u32 id, u32 tag) {
  const AdgPort *port = &m->adg->ports[id];
  Buf name = {0};
  buf_printf(&name, "%s.%s%u", adg_name(m->adg, port->component), port->is_output ? "out" : "in",
             port->index);
  if (port->is_tagged && tag != MAP_NONE) buf_printf(&name, "@%u", tag);
  json_put_text(j, NULL, name.data);
  buf_free(&name);
}

static void put_route(Json *j, const Mapping *m, const MapRoute *route) {
  json_open(j, "route", '[');
  for (u32 k = route->first_step; k < route->first_step + route->nsteps; k++)
    put_port(j, m, m->steps[k], m->tags[k]);
  json_close(j, ']');
}

/* ---- the tables ------------------------------------------------------------------------------ */

static void put_cluster(Json *j, const Mapping *m, u32 c) {
  const MapCluster *cluster = &m->cover->clusters[c];
  const MapPlace *place = &m->places[c];
  const MapMatch *match = &m->cover->matches[place->match];
  const AdgPe *pe = &m->adg->pes[place->pe];
  const AdgBody *body = &m->adg->bodies[match->body];
  open_row(j, NULL);
  json_open(j, "nodes", '[');
  for (u32 i = 0; i < cluster->nnodes; i++)
    json_put_text(j, NULL, node_name(m, m->cover->nodes[cluster->first_node + i]));
  json_close(j, ']');
  json_put_text(j, "pe", adg_name(m->adg, pe->component));
  json_put_text(j, "unit", adg_text(m->adg, m->adg->fus[pe->first_fu + place->opcode].name));
  json_put_number(j, "opcode", place->opcode);
  if (pe->is_temporal && (!m->is_incomplete || m->is_placed)) { /* set once all have a place */
    json_put_number(j, "instruction", place->instruction);
    json_put_number(j, "tag", place->tag);
  }
  json_open(j, "operands", '[');
  for (u32 a = 0; a < body->nargs; a++) {
    u32 edge = m->cover->args[match->first_arg + a];
    json_put_text(j, NULL, edge == MAP_NONE ? NULL : edge_name(m, edge));
  }
  json_close(j, ']');
  json_open(j, "results", '[');
  for (u32 r = 0; r < body->nresults; r++) {
    u32 result = m->cover->results[match->first_result + r];
    json_put_text(j, NULL, result == MAP_NONE ? NULL : result_name(m->dfg, result));
  }
  json_close(j, ']');
  json_close(j, '}');
}

static void put_where(Context *ctx, Json *j, const Mapping *m, u32 node) {
  Buf at = {0};
  dfg_where(ctx, m->dfg, node, &at);
  json_put_text(j, "at", at.data);
  buf_free(&at);
}

/* Every node that a unit carries out: its place, its operation in the unit's body, and its location
 * in the source. */
static void put_nodes(Context *ctx, Json *j, const Mapping *m) {
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    u32 c = m->cover->cluster_of[v], i = 0;
    if (c == MAP_NONE) continue;
    const MapPlace *place = &m->places[c];
    while (m->cover->nodes[m->cover->clusters[c].first_node + i] != v) i++;
    open_row(j, node_name(m, v));
    json_put_text(j, "pe", adg_name(m->adg, m->adg->pes[place->pe].component));
    json_put_number(j, "opcode", place->opcode);
    json_put_number(j, "instruction", place->instruction);
    json_put_number(j, "op", m->cover->body_nodes[m->cover->matches[place->match].first_node + i]);
    put_where(ctx, j, m, v);
    json_close(j, '}');
  }
}

static void put_edge(Json *j, const Mapping *m, u32 e, bool is_routed) {
  const DfgEdge *edge = &m->dfg->edges[e];
  const MapRoute *route = is_routed ? &m->routes[e] : NULL;
  open_row(j, NULL);
  json_put_text(j, "name", edge_name(m, e));
  json_put_text(j, "from", node_name(m, dfg_from(m->dfg, e)));
  json_put_text(j, "to", node_name(m, edge->to));
  json_put_number(j, "operand", edge->operand);
  if (route && route->register_index != MAP_NONE)
    json_put_number(j, "register", route->register_index);
  if (route) put_route(j, m, route);
  json_close(j, '}');
}

static void put_discard(Json *j, const Mapping *m, const MapRoute *discard) {
  open_row(j, NULL);
  json_put_text(j, "result", result_name(m->dfg, discard->result));
  put_route(j, m, discard);
  json_close(j, '}');
}

static void put_cycle(Json *j, const Mapping *m, const MapCycle *cycle) {
  open_row(j, NULL);
  json_put_number(j, "latency", cycle->latency);
  json_put_number(j, "tokens", cycle->tokens);
  json_put_number(j, "routing", cycle->routing);
  json_open(j, "edges", '[');
  for (u32 i = 0; i < cycle->nedges; i++)
    json_put_text(j, NULL, edge_name(m, m->cycle_edges[cycle->first_edge + i]));
  json_close(j, ']');
  if (cycle->loop != DFG_NONE) json_put_text(j, "loop", node_name(m, cycle->loop));
  json_close(j, '}');
}

static void put_throughput(Context *ctx, Json *j, const Mapping *m, const MapThroughput *t) {
  open_row(j, NULL);
  if (t->node != DFG_NONE) {
    json_put_text(j, "loop", node_name(m, t->node));
    put_where(ctx, j, m, t->node);
  }
  json_put_number(j, "cycles", t->cycles);
  json_put_number(j, "turns", t->iterations);
  json_put_bool(j, "conditional", t->is_conditional);
  json_put_number(j, "shared", t->shared);
  if (t->is_at_least) json_put_bool(j, "at_least", true);
  json_line(j, 5);
  json_open(j, "waits", '[');
  for (u32 i = 0; i < t->nwaits; i++) {
    const MapWait *wait = &t->waits[i];
    json_open(j, NULL, '{');
    if (wait->node != DFG_NONE)
      json_put_text(j, "node", node_name(m, wait->node));
    else
      json_put_text(j, wait->is_room ? "room" : "edge", edge_name(m, wait->edge));
    json_close(j, '}');
  }
  json_close(j, ']');
  if (mapping_may_be_faster(t)) {
    json_line(j, 5);
    json_open(j, "open", '{');
    json_put_number(j, "cycles", t->open_cycles);
    json_put_number(j, "turns", t->open_iterations);
    json_open(j, "fifos", '[');
    for (u32 i = 0; i < t->nfifos; i++) {
      json_open(j, NULL, '{');
      json_put_text(j, "edge", edge_name(m, t->fifos[i].edge));
      json_put_number(j, "places", t->fifos[i].places);
      json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, '}');
}

/* A member of the root that is not a section. */
static void put_line_text(Json *j, const char *key, const char *text) {
  json_line(j, 2);
  json_put_text(j, key, text);
}

static void put_line_number(Json *j, const char *key, u32 number) {
  json_line(j, 2);
  json_put_number(j, key, number);
}

static Json open_report(Buf *out, const Mapping *m) {
  Json j = {.out = out};
  json_open(&j, NULL, '{');
  put_line_text(&j, "format", "loom mapping");
  put_line_number(&j, "version", MAP_FORMAT_VERSION);
  put_line_text(&j, "tool", "loom " LOOM_VERSION);
  put_line_number(&j, "seed", m->seed);
  return j;
}

static void close_report(Json *j) {
  json_line(j, 0);
  json_close(j, '}');
  buf_char(j->out, '\n');
}

static void put_files(const Context *ctx, Json *j, const Mapping *m, const char *graph_file,
                      const char *fabric_file) {
  open_section(j, "graph", '{');
  json_put_text(j, "name", dfg_text(m->dfg, m->dfg->name));
  json_put_text(j, "file", graph_file);
  Place place = source_place(ctx, m->dfg->loc);
  if (place.file) {
    Buf at = {0};
    buf_printf(&at, "%s:%u:%u", place.file, place.line, place.column);
    json_put_text(j, "at", at.data);
    buf_free(&at);
  }
  json_close(j, '}');
  open_section(j, "fabric", '{');
  json_put_text(j, "name", adg_text(m->adg, m->adg->name));
  json_put_text(j, "file", fabric_file);
  json_close(j, '}');
}

static void put_numbers(Json *j, const Mapping *m) {
  const MapStats *s = &m->stats;
  u32 nodes = 0;
  for (u32 c = 0; c < m->cover->nclusters; c++) nodes += m->cover->clusters[c].nnodes;
  open_section(j, "timing", '{');
  json_put_number(j, "mii", s->mii);
  json_put_number(j, "ii", s->ii);
  if (s->is_busy)
    json_put_text(j, "busiest", adg_name(m->adg, m->adg->pes[s->busiest_pe].component));
  if (s->slow_cluster != MAP_NONE)
    json_put_text(j, "slow_unit",
                  node_name(m, m->cover->nodes[m->cover->clusters[s->slow_cluster].first_node]));
  if (s->bandwidth.requests) {
    json_open(j, "bandwidth", '{');
    json_put_number(j, "requests", s->bandwidth.requests);
    json_put_text(j, "kind", s->bandwidth.is_store ? "store" : "load");
    json_put_text(j, "memory", adg_name(m->adg, m->adg->memories[s->bandwidth.memory].component));
    if (s->bandwidth.loop != DFG_NONE) json_put_text(j, "loop", node_name(m, s->bandwidth.loop));
    json_close(j, '}');
  }
  json_put_number(j, "critical_path", s->critical_path);
  json_open(j, "chain", '[');
  for (u32 i = 0; i < m->chain.ncomponents; i++)
    json_put_text(j, NULL, adg_name(m->adg, m->chain.components[i]));
  json_close(j, ']');
  json_close(j, '}');
  open_section(j, "size", '{');
  json_put_number(j, "nodes", nodes);
  json_put_number(j, "clusters", m->cover->nclusters);
  json_put_number(j, "clusters_of_several", s->units_multi);
  json_put_number(j, "pes_used", s->pes_used);
  json_put_number(j, "pes", m->adg->npes);
  json_put_number(j, "edges", m->dfg->nedges);
  json_put_number(j, "wirelength", mapping_steps(m));
  json_close(j, '}');
  open_section(j, "search", '{');
  json_put_number(j, "attempts", s->attempts);
  json_put_number(j, "moves", (i64)s->moves);
  json_put_number(j, "accepted", (i64)s->accepted);
  json_put_number(j, "route_rounds", s->route_rounds);
  json_close(j, '}');
}

/* The source files that nodes come from, so that a mapping can be shown beside its source; without
 * those that are not UTF-8 or contain a NUL. */
static void put_sources(Context *ctx, Json *j, const Mapping *m) {
  open_section(j, "sources", '[');
  for (u32 s = 0; s < ctx->sources.len; s++) {
    const Source *source = &ctx->sources.at[s];
    bool is_used = false;
    for (u32 v = 0; v < m->dfg->nnodes && !is_used; v++)
      is_used = m->dfg->nodes[v].loc - source->base < source->len && m->dfg->nodes[v].loc;
    if (!is_used || !text_is_utf8(source->text, source->len) || strlen(source->text) < source->len)
      continue;
    open_row(j, NULL);
    json_put_text(j, "file", source->name);
    json_put_text(j, "text", source->text);
    json_close(j, '}');
  }
  close_section(j, ']');
}

static void put_binding(Json *j, const Mapping *m) {
  json_line(j, 2);
  binding_print(m->dfg, m->adg, &m->binding, json_put_other(j, "binding"));
}

/* The fields of the configuration, as `loom config decode` prints them. */
static void put_configuration(Json *j, const Mapping *m) {
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  json_line(j, 2);
  Buf *out = json_put_other(j, "configuration");
  config_print_fields(&image, out);
  while (out->len && out->data[out->len - 1] == '\n') out->len--;
}

void mapping_print_json(Context *ctx, const Mapping *m, const char *graph_file,
                        const char *fabric_file, Buf *out) {
  Json j = open_report(out, m);
  put_files(ctx, &j, m, graph_file, fabric_file);
  put_numbers(&j, m);
  open_section(&j, "recurrences", '[');
  for (u32 i = 0; i < m->ncycles; i++) put_cycle(&j, m, &m->cycles[i]);
  close_section(&j, ']');
  open_section(&j, "loops", '[');
  for (u32 i = 0; i < m->nthroughputs; i++) put_throughput(ctx, &j, m, &m->throughputs[i]);
  if (m->nthroughputs) json_line(&j, 2);
  json_close(&j, ']');
  put_sources(ctx, &j, m);
  put_binding(&j, m);
  open_section(&j, "clusters", '[');
  for (u32 c = 0; c < m->cover->nclusters; c++) put_cluster(&j, m, c);
  close_section(&j, ']');
  open_section(&j, "nodes", '{');
  put_nodes(ctx, &j, m);
  close_section(&j, '}');
  open_section(&j, "edges", '[');
  for (u32 e = 0; e < m->dfg->nedges; e++) put_edge(&j, m, e, true);
  close_section(&j, ']');
  open_section(&j, "discarded", '[');
  for (u32 i = m->dfg->nedges; i < m->nroutes; i++) put_discard(&j, m, &m->routes[i]);
  close_section(&j, ']');
  put_configuration(&j, m);
  close_report(&j);
}

/* ---- the closest attempt --------------------------------------------------------------------- */

static void put_missing(Json *j, const char *what, const char *name) {
  open_row(j, NULL);
  json_put_text(j, what, name);
  json_close(j, '}');
}

/* Nodes and memories without a place. Arguments and outputs may have none, either, but there are
 * enough of their places (count.c), so they are not listed. */
static void put_unplaced(Json *j, const Mapping *m) {
  if (m->is_missing) {
    for (u32 v = 0; v < m->dfg->nnodes; v++)
      if (m->is_missing[v]) put_missing(j, "node", node_name(m, v));
    return;
  }
  for (u32 v = 0; v < m->dfg->nnodes && !m->is_placed; v++) {
    u32 c = m->cover->cluster_of[v];
    if (c != MAP_NONE && m->places[c].pe == MAP_NONE) put_missing(j, "node", node_name(m, v));
  }
  for (u32 i = 0; i < m->dfg->nmemories && !m->is_placed; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    if (m->binding.memories[i].memory == MAP_NONE)
      put_missing(j, "memory", dfg_text(m->dfg, memory->name));
  }
}

/* True of an edge that has a route, or is inside a unit and needs none. */
static bool is_routed(const Mapping *m, u32 e) {
  u32 from = m->cover->cluster_of[dfg_from(m->dfg, e)];
  return !m->is_unrouted[m->dfg->edges[e].result] ||
         (from != MAP_NONE && from == m->cover->cluster_of[m->dfg->edges[e].to]);
}

static void put_edges(Json *j, const Mapping *m, bool routed) {
  if (routed ? !m->is_placed : !m->is_unrouted) return;
  for (u32 e = 0; e < m->dfg->nedges; e++)
    if (is_routed(m, e) == routed) put_edge(j, m, e, routed);
}

void mapping_print_closest(Context *ctx, const Mapping *m, const char *reported,
                           const char *graph_file, const char *fabric_file, Buf *out) {
  Json j = open_report(out, m);
  json_line(&j, 2);
  json_put_bool(&j, "incomplete", true);
  json_line(&j, 2);
  if (m->is_missing) json_put_bool(&j, "refused", true);
  put_line_text(&j, "why", code_name(m->why));
  if (reported) put_line_text(&j, "told", reported);
  put_files(ctx, &j, m, graph_file, fabric_file);
  put_sources(ctx, &j, m);
  open_section(&j, "unplaced", '[');
  put_unplaced(&j, m);
  close_section(&j, ']');
  open_section(&j, "unrouted", '[');
  put_edges(&j, m, false);
  close_section(&j, ']');
  if (m->ncut) {
    open_section(&j, "cut", '[');
    for (u32 i = 0; i < m->ncut; i++) put_port(&j, m, m->cut[i], MAP_NONE);
    json_close(&j, ']');
  }
  if (m->is_placed) put_binding(&j, m);
  open_section(&j, "clusters", '[');
  for (u32 c = 0; !m->is_missing && c < m->cover->nclusters; c++)
    if (m->places[c].pe != MAP_NONE) put_cluster(&j, m, c);
  close_section(&j, ']');
  open_section(&j, "nodes", '{');
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    open_row(&j, node_name(m, v));
    put_where(ctx, &j, m, v);
    json_close(&j, '}');
  }
  close_section(&j, '}');
  open_section(&j, "edges", '[');
  put_edges(&j, m, true);
  close_section(&j, ']');
  close_report(&j);
}

void mapping_print_numbers(const Mapping *m, Buf *out) {
  Json j = open_report(out, m);
  put_line_text(&j, "graph", dfg_text(m->dfg, m->dfg->name));
  put_line_text(&j, "fabric", adg_text(m->adg, m->adg->name));
  put_numbers(&j, m);
  close_report(&j);
}

/* ---- read back ------------------------------------------------------------------------------- */

static bool refuse(Context *ctx, const Source *source, const char *why) {
  diag(ctx, source->base, MAP_FILE, "cannot start from mapping %s: %s", source->name, why);
  return false;
}

/* False where it is not a cluster. A node or PE that does not exist here is skipped. */
static bool read_cluster(const json_t *cluster, const Dfg *dfg, const Adg *adg, MapPin *pins,
                         u32 *npins) {
  const char *pe_name = json_string_value(json_object_get(cluster, "pe"));
  const char *node = json_string_value(json_array_get(json_object_get(cluster, "nodes"), 0));
  if (!pe_name || !node) return false;
  u32 c = adg_find(adg, pe_name), v = dfg_find_node(dfg, node);
  if (c != ADG_NONE && v != DFG_NONE && adg_is_pe(&adg->components[c]))
    pins[(*npins)++] = (MapPin){v, adg->components[c].detail};
  return true;
}

bool mapping_read_places(Context *ctx, const Source *source, const Dfg *dfg, const Adg *adg,
                         MapPin **pins, u32 *npins) {
  *pins = NULL;
  *npins = 0;
  json_t *root = json_read(ctx, source, MAP_FILE);
  if (!root) return false;
  const json_t *clusters = json_object_get(root, "clusters");
  const json_t *version = json_object_get(root, "version");
  bool is_read = json_is_array(clusters) && json_is_integer(version);
  if (!is_read) {
    refuse(ctx, source, "\"clusters\" or \"version\" is missing");
  } else if (json_integer_value(version) != MAP_FORMAT_VERSION) {
    is_read = refuse(ctx, source, "unsupported version of the format");
  } else {
    size_t n = json_array_size(clusters);
    *pins = mem_alloc(mem_size(n + 1, sizeof **pins));
    for (size_t i = 0; i < n && is_read; i++)
      if (!read_cluster(json_array_get(clusters, i), dfg, adg, *pins, npins))
        is_read = refuse(ctx, source, "a cluster has no \"nodes\" or no \"pe\"");
  }
  json_decref(root);
  return is_read;
}

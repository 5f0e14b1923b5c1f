/* report_json.c -- a mapping as JSON, and what --from reads of it. */
#include "map/names.h"
#include "map/report.h"

#include "config/config.h"
#include "fabric/show.h"
#include "config/binding.h"

#include <jansson.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

/* What separates a member or an element from the one before: nothing at the beginning of an object,
 * of an array or of a line, or behind a key. */
static void next(Buf *out) {
  char last = out->data[out->len - 1];
  if (last != '{' && last != '[' && last != ' ') buf_str(out, ", ");
}

/* The same where each stands on a line of its own. */
static void next_row(Buf *out) {
  char last = out->data[out->len - 1];
  buf_str(out, last == '[' || last == '{' ? "\n    " : ",\n    ");
}

static void put_key(Buf *out, const char *key) {
  next(out);
  buf_printf(out, "\"%s\": ", key);
}

static void put_number(Buf *out, const char *key, u32 number) {
  put_key(out, key);
  buf_printf(out, "%u", number);
}

static void put_item(Buf *out, const char *text) {
  next(out);
  if (text)
    buf_json(out, text);
  else
    buf_str(out, "null");
}

static void put_text(Buf *out, const char *key, const char *text) {
  put_key(out, key);
  buf_json(out, text);
}

/* A member of the whole. */
static void put_section(Buf *out, const char *key, const char *open) {
  buf_printf(out, ",\n  \"%s\": %s", key, open);
}

/* "pe_0.out1", with a tag "mem.in0@3". */
static void put_port(Buf *out, const Mapping *m, u32 id, u32 tag) {
  const AdgPort *port = &m->adg->ports[id];
  Buf name = {0};
  buf_printf(&name, "%s.%s%u", adg_name(m->adg, port->component), port->is_output ? "out" : "in",
             port->index);
  if (port->is_tagged && tag != MAP_NONE) buf_printf(&name, "@%u", tag);
  put_item(out, name.data);
  buf_free(&name);
}

static void put_step(Buf *out, const Mapping *m, u32 step) {
  put_port(out, m, m->steps[step], m->tags[step]);
}

static void put_route(Buf *out, const Mapping *m, u32 first, u32 n) {
  put_key(out, "route");
  buf_char(out, '[');
  for (u32 k = 0; k < n; k++) put_step(out, m, first + k);
  buf_char(out, ']');
}

/* ---- the tables ------------------------------------------------------------------------------ */

static void put_cluster(Buf *out, const Mapping *m, u32 c) {
  const MapCluster *cluster = &m->cover->clusters[c];
  const MapPlace *place = &m->places[c];
  const MapMatch *match = &m->cover->matches[place->match];
  const AdgPe *pe = &m->adg->pes[place->pe];
  const AdgBody *body = &m->adg->bodies[match->body];
  next_row(out);
  buf_str(out, "{\"nodes\": [");
  for (u32 i = 0; i < cluster->nnodes; i++)
    put_item(out, node_name(m, m->cover->nodes[cluster->first_node + i]));
  buf_char(out, ']');
  put_text(out, "pe", adg_name(m->adg, pe->component));
  put_text(out, "unit", adg_text(m->adg, m->adg->fus[pe->first_fu + place->opcode].name));
  put_number(out, "opcode", place->opcode);
  if (pe->is_temporal) put_number(out, "instruction", place->instruction);
  if (pe->is_temporal) put_number(out, "tag", place->tag);
  put_key(out, "operands");
  buf_char(out, '[');
  for (u32 a = 0; a < body->nargs; a++) {
    u32 edge = m->cover->args[match->first_arg + a];
    put_item(out, edge == MAP_NONE ? NULL : edge_name(m, edge));
  }
  buf_char(out, ']');
  put_key(out, "results");
  buf_char(out, '[');
  for (u32 r = 0; r < body->nresults; r++) {
    u32 result = m->cover->results[match->first_result + r];
    put_item(out, result == MAP_NONE ? NULL : result_name(m->dfg, result));
  }
  buf_str(out, "]}");
}

static void put_where(Context *ctx, Buf *out, const Mapping *m, u32 node) {
  Buf at = {0};
  dfg_where(ctx, m->dfg, node, &at);
  put_text(out, "at", at.data);
  buf_free(&at);
}

/* Every node that a unit carries out: where, which operation of the unit it is, and where in the
 * source it comes from. */
static void put_nodes(Context *ctx, Buf *out, const Mapping *m) {
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    u32 c = m->cover->cluster_of[v], i = 0;
    if (c == MAP_NONE) continue;
    const MapPlace *place = &m->places[c];
    while (m->cover->nodes[m->cover->clusters[c].first_node + i] != v) i++;
    next_row(out);
    buf_json(out, node_name(m, v));
    buf_str(out, ": {");
    put_text(out, "pe", adg_name(m->adg, m->adg->pes[place->pe].component));
    put_number(out, "opcode", place->opcode);
    put_number(out, "instruction", place->instruction);
    put_number(out, "op", m->cover->body_nodes[m->cover->matches[place->match].first_node + i]);
    put_where(ctx, out, m, v);
    buf_char(out, '}');
  }
}

static void put_edge(Buf *out, const Mapping *m, u32 e, bool is_routed) {
  const DfgEdge *edge = &m->dfg->edges[e];
  const MapRoute *route = &m->routes[e];
  next_row(out);
  buf_char(out, '{');
  put_text(out, "name", edge_name(m, e));
  put_text(out, "from", node_name(m, dfg_from(m->dfg, e)));
  put_text(out, "to", node_name(m, edge->to));
  put_number(out, "operand", edge->operand);
  if (is_routed && route->register_index != MAP_NONE)
    put_number(out, "register", route->register_index);
  if (is_routed) put_route(out, m, route->first_step, route->nsteps);
  buf_char(out, '}');
}

static void put_discard(Buf *out, const Mapping *m, const MapDiscard *discard) {
  next_row(out);
  buf_char(out, '{');
  put_text(out, "result", result_name(m->dfg, discard->result));
  put_route(out, m, discard->first_step, discard->nsteps);
  buf_char(out, '}');
}

static void put_cycle(Buf *out, const Mapping *m, const MapCycle *cycle) {
  next_row(out);
  buf_char(out, '{');
  put_number(out, "latency", cycle->latency);
  put_number(out, "tokens", cycle->tokens);
  put_number(out, "routing", cycle->routing);
  put_key(out, "edges");
  buf_char(out, '[');
  for (u32 i = 0; i < cycle->nedges; i++)
    put_item(out, edge_name(m, m->cycle_edges[cycle->first_edge + i]));
  buf_char(out, ']');
  if (cycle->loop != DFG_NONE) put_text(out, "loop", node_name(m, cycle->loop));
  buf_char(out, '}');
}

static void put_throughput(Context *ctx, Buf *out, const Mapping *m, const MapThroughput *t) {
  next_row(out);
  buf_char(out, '{');
  if (t->node != DFG_NONE) {
    put_text(out, "loop", node_name(m, t->node));
    put_where(ctx, out, m, t->node);
  }
  put_number(out, "cycles", t->cycles);
  put_number(out, "turns", t->turns);
  put_key(out, "conditional");
  buf_str(out, t->is_conditional ? "true" : "false");
  put_number(out, "shared", t->shared);
  buf_str(out, ",\n     \"waits\": [");
  for (u32 i = 0; i < t->nwaits; i++) {
    const MapWait *wait = &t->waits[i];
    next(out);
    buf_char(out, '{');
    if (wait->node != DFG_NONE)
      put_text(out, "node", node_name(m, wait->node));
    else
      put_text(out, wait->is_room ? "room" : "edge", edge_name(m, wait->edge));
    buf_char(out, '}');
  }
  buf_char(out, ']');
  if (mapping_may_be_faster(t)) {
    buf_str(out, ",\n     \"open\": {");
    put_number(out, "cycles", t->open_cycles);
    put_number(out, "turns", t->open_turns);
    put_key(out, "fifos");
    buf_char(out, '[');
    for (u32 i = 0; i < t->nfifos; i++) {
      next(out);
      buf_char(out, '{');
      put_text(out, "edge", edge_name(m, t->fifos[i].edge));
      put_number(out, "places", t->fifos[i].places);
      buf_char(out, '}');
    }
    buf_str(out, "]}");
  }
  buf_char(out, '}');
}

static void put_head(Buf *out, const Mapping *m) {
  buf_printf(out, "{\n  \"format\": \"loom mapping\",\n  \"version\": %d,\n", MAP_FORMAT_VERSION);
  buf_printf(out, "  \"tool\": \"loom %s\",\n  \"seed\": %u", LOOM_VERSION, m->seed);
}

static void put_files(Buf *out, const Mapping *m, const char *graph_file, const char *fabric_file) {
  put_section(out, "graph", "{");
  put_text(out, "name", dfg_text(m->dfg, m->dfg->name));
  put_text(out, "file", graph_file);
  buf_char(out, '}');
  put_section(out, "fabric", "{");
  put_text(out, "name", adg_text(m->adg, m->adg->name));
  put_text(out, "file", fabric_file);
  buf_char(out, '}');
}

static void put_numbers(Buf *out, const Mapping *m) {
  const MapStats *s = &m->stats;
  u32 nodes = 0;
  for (u32 c = 0; c < m->cover->nclusters; c++) nodes += m->cover->clusters[c].nnodes;
  put_section(out, "timing", "{");
  put_number(out, "mii", s->mii);
  put_number(out, "ii", s->ii);
  if (s->is_busy) put_text(out, "busiest", adg_name(m->adg, m->adg->pes[s->busiest_pe].component));
  if (s->bandwidth.requests) {
    put_key(out, "bandwidth");
    buf_char(out, '{');
    put_number(out, "requests", s->bandwidth.requests);
    put_text(out, "kind", s->bandwidth.is_store ? "store" : "load");
    put_text(out, "memory", adg_name(m->adg, m->adg->memories[s->bandwidth.memory].component));
    if (s->bandwidth.loop != DFG_NONE) put_text(out, "loop", node_name(m, s->bandwidth.loop));
    buf_char(out, '}');
  }
  put_number(out, "critical_path", s->critical_path);
  put_key(out, "chain");
  buf_char(out, '[');
  for (u32 i = 0; i < m->chain.ncomponents; i++)
    put_item(out, adg_name(m->adg, m->chain.components[i]));
  buf_printf(out,
             "]},\n"
             "  \"size\": {\"nodes\": %u, \"clusters\": %u, \"clusters_of_several\": %u, "
             "\"pes_used\": %u, \"pes\": %u, \"edges\": %u, \"wirelength\": %u},\n"
             "  \"search\": {\"attempts\": %u, \"moves\": %llu, \"accepted\": %llu, "
             "\"route_rounds\": %u}",
             nodes, m->cover->nclusters, s->units_multi, s->pes_used, m->adg->npes, m->dfg->nedges,
             s->wirelength, s->attempts, (unsigned long long)s->moves,
             (unsigned long long)s->accepted, s->route_rounds);
}

/* The texts that nodes are from, so that a mapping can be shown beside its source: those that are
 * text that JSON can hold. */
static void put_sources(Context *ctx, Buf *out, const Mapping *m) {
  put_section(out, "sources", "[");
  for (u32 s = 0; s < ctx->sources.len; s++) {
    const Source *source = &ctx->sources.at[s];
    bool is_used = false;
    for (u32 v = 0; v < m->dfg->nnodes && !is_used; v++)
      is_used = m->dfg->nodes[v].loc - source->base < source->len && m->dfg->nodes[v].loc;
    if (!is_used || !text_is_utf8(source->text, source->len) || strlen(source->text) < source->len)
      continue;
    next_row(out);
    buf_char(out, '{');
    put_text(out, "file", source->name);
    put_text(out, "text", source->text);
    buf_char(out, '}');
  }
  buf_str(out, "\n  ]");
}

static void put_binding(Buf *out, const Mapping *m) {
  put_section(out, "binding", "");
  binding_print(m->dfg, m->adg, &m->binding, 2, out);
}

void mapping_print_json(Context *ctx, const Mapping *m, const char *graph_file,
                        const char *fabric_file, Buf *out) {
  put_head(out, m);
  put_files(out, m, graph_file, fabric_file);
  put_numbers(out, m);
  put_section(out, "recurrences", "[");
  for (u32 i = 0; i < m->ncycles; i++) put_cycle(out, m, &m->cycles[i]);
  buf_str(out, "\n  ]");
  put_section(out, "loops", "[");
  for (u32 i = 0; i < m->nthroughputs; i++) put_throughput(ctx, out, m, &m->throughputs[i]);
  buf_str(out, m->nthroughputs ? "\n  ]" : "]");
  put_sources(ctx, out, m);
  put_binding(out, m);
  put_section(out, "clusters", "[");
  for (u32 c = 0; c < m->cover->nclusters; c++) put_cluster(out, m, c);
  buf_str(out, "\n  ]");
  put_section(out, "nodes", "{");
  put_nodes(ctx, out, m);
  buf_str(out, "\n  }");
  put_section(out, "edges", "[");
  for (u32 e = 0; e < m->dfg->nedges; e++) put_edge(out, m, e, true);
  buf_str(out, "\n  ]");
  put_section(out, "thrown_away", "[");
  for (u32 i = 0; i < m->ndiscards; i++) put_discard(out, m, &m->discards[i]);
  buf_str(out, "\n  ]");
  put_section(out, "configuration", "");
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  config_print_fields(&image, out);
  while (out->len && out->data[out->len - 1] == '\n') out->len--;
  buf_str(out, "\n}\n");
}

/* ---- what came closest ----------------------------------------------------------------------- */

static void put_missing(Buf *out, const char *what, const char *name) {
  next_row(out);
  buf_char(out, '{');
  put_text(out, what, name);
  buf_char(out, '}');
}

/* What nothing was found for: nodes and memories. Ports, too, where not all is placed, but those
 * are counted before a search, and there are enough. */
static void put_unplaced(Buf *out, const Mapping *m) {
  if (m->is_missing) {
    for (u32 v = 0; v < m->dfg->nnodes; v++)
      if (m->is_missing[v]) put_missing(out, "node", node_name(m, v));
    return;
  }
  for (u32 v = 0; v < m->dfg->nnodes && !m->is_placed; v++) {
    u32 c = m->cover->cluster_of[v];
    if (c != MAP_NONE && m->places[c].pe == MAP_NONE) put_missing(out, "node", node_name(m, v));
  }
  for (u32 i = 0; i < m->dfg->nmemories && !m->is_placed; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    if (dfg_memory_ports(memory) && m->binding.memories[i].memory == MAP_NONE)
      put_missing(out, "memory", dfg_text(m->dfg, memory->name));
  }
}

/* An edge inside a unit needs no route. */
static bool is_routed(const Mapping *m, u32 e) {
  u32 from = m->cover->cluster_of[dfg_from(m->dfg, e)];
  return !m->is_unrouted[m->dfg->edges[e].result] ||
         (from != MAP_NONE && from == m->cover->cluster_of[m->dfg->edges[e].to]);
}

static void put_edges(Buf *out, const Mapping *m, bool routed) {
  for (u32 e = 0; m->is_placed && e < m->dfg->nedges; e++)
    if (is_routed(m, e) == routed) put_edge(out, m, e, routed);
}

void mapping_print_closest(Context *ctx, const Mapping *m, const char *reported,
                           const char *graph_file, const char *fabric_file, Buf *out) {
  put_head(out, m);
  put_section(out, "incomplete", "true");
  if (m->is_missing) put_section(out, "refused", "true");
  buf_printf(out, ",\n  \"why\": \"%s\"", code_name(m->why));
  if (reported) buf_str(out, ",\n  \"told\": "), buf_json(out, reported);
  put_files(out, m, graph_file, fabric_file);
  put_sources(ctx, out, m);
  put_section(out, "unplaced", "[");
  put_unplaced(out, m);
  buf_str(out, "\n  ]");
  put_section(out, "unrouted", "[");
  put_edges(out, m, false);
  buf_str(out, "\n  ]");
  if (m->ncut) {
    put_section(out, "cut", "[");
    for (u32 i = 0; i < m->ncut; i++) put_port(out, m, m->cut[i], MAP_NONE);
    buf_char(out, ']');
  }
  if (m->is_placed) put_binding(out, m);
  put_section(out, "clusters", "[");
  for (u32 c = 0; !m->is_missing && c < m->cover->nclusters; c++)
    if (m->places[c].pe != MAP_NONE) put_cluster(out, m, c);
  buf_str(out, "\n  ]");
  put_section(out, "nodes", "{");
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    next_row(out);
    buf_json(out, node_name(m, v));
    buf_str(out, ": {");
    put_where(ctx, out, m, v);
    buf_char(out, '}');
  }
  buf_str(out, "\n  }");
  put_section(out, "edges", "[");
  put_edges(out, m, true);
  buf_str(out, "\n  ]\n}\n");
}

void mapping_print_numbers(const Mapping *m, Buf *out) {
  put_head(out, m);
  buf_str(out, ",\n  ");
  put_text(out, "graph", dfg_text(m->dfg, m->dfg->name));
  buf_str(out, ",\n  ");
  put_text(out, "fabric", adg_text(m->adg, m->adg->name));
  put_numbers(out, m);
  buf_str(out, "\n}\n");
}

/* ---- read back ------------------------------------------------------------------------------- */

static bool refuse(Context *ctx, const Source *source, int at, const char *why) {
  diag(ctx, source_nth(source, at), MAP_FILE, "%s is no mapping that could be started from: %s",
       source->name, why);
  return false;
}

static void read_cluster(const json_t *cluster, const Dfg *dfg, const Adg *adg, MapPin *pins,
                         u32 *npins) {
  const json_t *nodes = json_object_get(cluster, "nodes");
  const char *pe_name = json_string_value(json_object_get(cluster, "pe"));
  const char *node = json_string_value(json_array_get(nodes, 0));
  u32 c = pe_name ? adg_find(adg, pe_name) : ADG_NONE;
  u32 v = node ? dfg_find_node(dfg, node) : DFG_NONE;
  if (c == ADG_NONE || v == DFG_NONE) return;
  if (!adg_is_pe(&adg->components[c])) return;
  pins[(*npins)++] = (MapPin){v, adg->components[c].detail};
}

bool mapping_read_places(Context *ctx, const Source *source, const Dfg *dfg, const Adg *adg,
                         MapPin **pins, u32 *npins) {
  json_error_t error;
  *pins = NULL;
  *npins = 0;
  json_t *root = json_loadb(source->text, source->len, 0, &error);
  if (!root) return refuse(ctx, source, error.position, error.text);
  const json_t *clusters = json_object_get(root, "clusters");
  const json_t *version = json_object_get(root, "version");
  bool good = json_is_array(clusters) && json_is_integer(version);
  if (!good) {
    refuse(ctx, source, 0, "it has no \"clusters\", or no \"version\"");
  } else if (json_integer_value(version) != MAP_FORMAT_VERSION) {
    good = refuse(ctx, source, 0, "it is of another version of the format");
  } else {
    size_t n = json_array_size(clusters);
    *pins = mem_alloc(mem_size(n + 1, sizeof **pins));
    for (size_t i = 0; i < n; i++)
      read_cluster(json_array_get(clusters, i), dfg, adg, *pins, npins);
  }
  json_decref(root);
  return good;
}

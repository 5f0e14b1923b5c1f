/* report_json.c -- a mapping as JSON, and what --from reads of it. */
#include "map/names.h"
#include "map/report.h"

#include "config/config.h"
#include "fabric/show.h"
#include "config/binding.h"

#include <jansson.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

static void put_name(Buf *out, const char *key, const char *name) {
  buf_printf(out, "\"%s\": ", key);
  buf_json(out, name);
}

/* "pe_0.out1", with a tag "mem.in0@3". */
static void put_step(Buf *out, const Mapping *m, u32 step) {
  const AdgPort *port = &m->adg->ports[m->steps[step]];
  char text[48];
  Buf name = {0};
  buf_str(&name, adg_name(m->adg, port->component));
  snprintf(text, sizeof text, ".%s%u", port->is_output ? "out" : "in", port->index);
  buf_str(&name, text);
  if (port->is_tagged) buf_printf(&name, "@%u", m->tags[step]);
  buf_json(out, name.data);
  buf_free(&name);
}

static void put_route(Buf *out, const Mapping *m, u32 first, u32 n) {
  buf_str(out, "\"route\": [");
  for (u32 k = 0; k < n; k++) {
    if (k) buf_str(out, ", ");
    put_step(out, m, first + k);
  }
  buf_char(out, ']');
}

/* A line of an array: what stands between it and the one before. */
static void next_row(Buf *out, bool first) {
  buf_str(out, first ? "\n    " : ",\n    ");
}

/* ---- the tables ------------------------------------------------------------------------------ */

static void put_cluster(Buf *out, const Mapping *m, u32 c) {
  const MapCluster *cluster = &m->cover->clusters[c];
  const MapPlace *place = &m->places[c];
  const MapMatch *match = &m->cover->matches[place->match];
  const AdgPe *pe = &m->adg->pes[place->pe];
  const AdgBody *body = &m->adg->bodies[match->body];
  buf_str(out, "{\"nodes\": [");
  for (u32 i = 0; i < cluster->nnodes; i++) {
    if (i) buf_str(out, ", ");
    buf_json(out, node_name(m, m->cover->nodes[cluster->first_node + i]));
  }
  buf_str(out, "], ");
  put_name(out, "pe", adg_name(m->adg, pe->component));
  buf_str(out, ", ");
  put_name(out, "unit", adg_text(m->adg, m->adg->fus[pe->first_fu + place->opcode].name));
  buf_printf(out, ", \"opcode\": %u", place->opcode);
  if (pe->is_temporal)
    buf_printf(out, ", \"instruction\": %u, \"tag\": %u", place->instruction, place->tag);
  buf_str(out, ", \"operands\": [");
  for (u32 a = 0; a < body->nargs; a++) {
    u32 edge = m->cover->args[match->first_arg + a];
    if (a) buf_str(out, ", ");
    if (edge == MAP_NONE)
      buf_str(out, "null");
    else
      buf_json(out, dfg_text(m->dfg, m->dfg->edges[edge].name));
  }
  buf_str(out, "], \"results\": [");
  for (u32 r = 0; r < body->nresults; r++) {
    u32 result = m->cover->results[match->first_result + r];
    if (r) buf_str(out, ", ");
    if (result == MAP_NONE)
      buf_str(out, "null");
    else
      buf_json(out, dfg_text(m->dfg, m->dfg->results[result].name));
  }
  buf_str(out, "]}");
}

/* Every node that a unit carries out: where, which operation of the unit it is, and where in the
 * source it comes from. */
static void put_nodes(Context *ctx, Buf *out, const Mapping *m) {
  Buf at = {0};
  bool first = true;
  for (u32 v = 0; v < m->dfg->nnodes; v++) {
    u32 c = m->cover->cluster_of[v];
    if (c == MAP_NONE) continue;
    const MapCluster *cluster = &m->cover->clusters[c];
    const MapPlace *place = &m->places[c];
    u32 i = 0;
    while (m->cover->nodes[cluster->first_node + i] != v) i++;
    next_row(out, first);
    first = false;
    buf_json(out, node_name(m, v));
    buf_str(out, ": {");
    put_name(out, "pe", adg_name(m->adg, m->adg->pes[place->pe].component));
    buf_printf(out, ", \"opcode\": %u, \"instruction\": %u, \"op\": %u, ", place->opcode,
               place->instruction,
               m->cover->body_nodes[m->cover->matches[place->match].first_node + i]);
    at.len = 0;
    dfg_where(ctx, m->dfg, v, &at);
    put_name(out, "at", at.data);
    buf_char(out, '}');
  }
  buf_free(&at);
}

static void put_end(Buf *out, const Mapping *m, u32 e) {
  const DfgEdge *edge = &m->dfg->edges[e];
  put_name(out, "name", dfg_text(m->dfg, edge->name));
  buf_str(out, ", ");
  put_name(out, "from", node_name(m, dfg_from(m->dfg, e)));
  buf_str(out, ", ");
  put_name(out, "to", node_name(m, edge->to));
  buf_printf(out, ", \"operand\": %u", edge->operand);
}

static void put_edge(Buf *out, const Mapping *m, u32 e) {
  const MapRoute *route = &m->routes[e];
  buf_char(out, '{');
  put_end(out, m, e);
  buf_str(out, ", ");
  if (route->register_index != MAP_NONE)
    buf_printf(out, "\"register\": %u, ", route->register_index);
  put_route(out, m, route->first_step, route->nsteps);
  buf_char(out, '}');
}

static void put_cycle(Buf *out, const Mapping *m, const MapCycle *cycle) {
  buf_printf(out, "{\"latency\": %u, \"tokens\": %u, \"edges\": [", cycle->latency, cycle->tokens);
  for (u32 i = 0; i < cycle->nedges; i++) {
    u32 edge = m->cycle_edges[cycle->first_edge + i];
    if (i) buf_str(out, ", ");
    buf_json(out, dfg_text(m->dfg, m->dfg->edges[edge].name));
  }
  buf_char(out, ']');
  if (cycle->loop != DFG_NONE) {
    buf_str(out, ", ");
    put_name(out, "loop", node_name(m, cycle->loop));
  }
  buf_char(out, '}');
}

static void put_head(Buf *out, const Mapping *m) {
  buf_printf(out, "{\n  \"format\": \"loom mapping\",\n  \"version\": %d,\n", MAP_FORMAT_VERSION);
  buf_printf(out, "  \"tool\": \"loom %s\",\n  \"seed\": %u,\n", LOOM_VERSION, m->seed);
}

static void put_numbers(Buf *out, const Mapping *m) {
  const MapStats *s = &m->stats;
  u32 nodes = 0;
  for (u32 c = 0; c < m->cover->nclusters; c++) nodes += m->cover->clusters[c].nnodes;
  buf_printf(out,
             "  \"timing\": {\"mii\": %u, \"ii\": %u, \"critical_path\": %u},\n"
             "  \"size\": {\"nodes\": %u, \"clusters\": %u, \"clusters_of_several\": %u, "
             "\"pes_used\": %u, \"pes\": %u, \"edges\": %u, \"wirelength\": %u},\n"
             "  \"search\": {\"attempts\": %u, \"moves\": %llu, \"accepted\": %llu, "
             "\"route_rounds\": %u}",
             s->mii, s->ii, s->critical_path, nodes, m->cover->nclusters, s->units_multi,
             s->pes_used, m->adg->npes, m->dfg->nedges, s->wirelength, s->attempts,
             (unsigned long long)s->moves, (unsigned long long)s->accepted, s->route_rounds);
}

/* The texts that nodes are from, so that a mapping can be shown beside its source: those that are text
 * that JSON can hold. */
static void put_sources(Context *ctx, Buf *out, const Mapping *m) {
  u32 n = 0;
  for (u32 s = 0; s < ctx->sources.len; s++) {
    const Source *source = &ctx->sources.at[s];
    bool is_used = false;
    for (u32 v = 0; v < m->dfg->nnodes && !is_used; v++)
      is_used = m->dfg->nodes[v].loc - source->base < source->len && m->dfg->nodes[v].loc;
    if (!is_used || !text_is_utf8(source->text, source->len) || strlen(source->text) < source->len)
      continue;
    next_row(out, ++n == 1);
    buf_char(out, '{');
    put_name(out, "file", source->name);
    buf_str(out, ", ");
    put_name(out, "text", source->text);
    buf_char(out, '}');
  }
}

void mapping_print_json(Context *ctx, const Mapping *m, const char *graph_file,
                        const char *fabric_file, Buf *out) {
  put_head(out, m);
  buf_str(out, "  \"graph\": {");
  put_name(out, "name", dfg_text(m->dfg, m->dfg->name));
  buf_str(out, ", ");
  put_name(out, "file", graph_file);
  buf_str(out, "},\n  \"fabric\": {");
  put_name(out, "name", adg_text(m->adg, m->adg->name));
  buf_str(out, ", ");
  put_name(out, "file", fabric_file);
  buf_str(out, "},\n");
  put_numbers(out, m);
  buf_str(out, ",\n  \"recurrences\": [");
  for (u32 i = 0; i < m->ncycles; i++) {
    next_row(out, i == 0);
    put_cycle(out, m, &m->cycles[i]);
  }
  buf_str(out, "\n  ],\n  \"loops\": ");
  mapping_print_json_throughputs(ctx, m, out);
  buf_str(out, ",\n  \"sources\": [");
  put_sources(ctx, out, m);
  buf_str(out, "\n  ]");
  buf_str(out, ",\n  \"binding\": ");
  binding_print(m->dfg, m->adg, &m->binding, 2, out);
  buf_str(out, ",\n  \"clusters\": [");
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    next_row(out, c == 0);
    put_cluster(out, m, c);
  }
  buf_str(out, "\n  ],\n  \"nodes\": {");
  put_nodes(ctx, out, m);
  buf_str(out, "\n  },\n  \"edges\": [");
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    next_row(out, e == 0);
    put_edge(out, m, e);
  }
  buf_str(out, "\n  ],\n  \"thrown_away\": [");
  for (u32 i = 0; i < m->ndiscards; i++) {
    next_row(out, i == 0);
    buf_char(out, '{');
    put_name(out, "result", dfg_text(m->dfg, m->dfg->results[m->discards[i].result].name));
    buf_str(out, ", ");
    put_route(out, m, m->discards[i].first_step, m->discards[i].nsteps);
    buf_char(out, '}');
  }
  buf_str(out, "\n  ],\n  \"configuration\": ");
  Image image = {m->layout, m->image, m->layout->nwords, m->binding.input_tags};
  config_print_fields(&image, out);
  while (out->len && out->data[out->len - 1] == '\n') out->len--;
  buf_str(out, "\n}\n");
}

/* ---- what came closest ----------------------------------------------------------------------- */

static void put_missing(Buf *out, u32 *n, const char *what, const char *name) {
  next_row(out, ++*n == 1);
  buf_char(out, '{');
  put_name(out, what, name);
  buf_char(out, '}');
}

/* What nothing was found for: nodes and memories. Ports, too, where not all is placed, but those
 * are counted before a search, and there are enough. */
static void put_unplaced(Buf *out, const Mapping *m) {
  u32 n = 0;
  for (u32 v = 0; v < m->dfg->nnodes && !m->is_placed; v++) {
    u32 c = m->cover->cluster_of[v];
    if (c != MAP_NONE && m->places[c].pe == MAP_NONE) put_missing(out, &n, "node", node_name(m, v));
  }
  for (u32 i = 0; i < m->dfg->nmemories && !m->is_placed; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    if (memory->nstores + memory->nloads && m->binding.memories[i].memory == MAP_NONE)
      put_missing(out, &n, "memory", dfg_text(m->dfg, memory->name));
  }
}

/* An edge inside a unit needs no way. */
static bool is_routed(const Mapping *m, u32 e) {
  u32 from = m->cover->cluster_of[dfg_from(m->dfg, e)];
  return !m->is_unrouted[m->dfg->edges[e].result] ||
         (from != MAP_NONE && from == m->cover->cluster_of[m->dfg->edges[e].to]);
}

static void put_edges(Buf *out, const Mapping *m, bool routed) {
  u32 n = 0;
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    if (!m->is_placed || is_routed(m, e) != routed) continue;
    next_row(out, ++n == 1);
    if (routed) {
      put_edge(out, m, e);
      continue;
    }
    buf_char(out, '{');
    put_end(out, m, e);
    buf_char(out, '}');
  }
}

void mapping_print_closest(Context *ctx, const Mapping *m, const char *graph_file,
                           const char *fabric_file, Buf *out) {
  u32 n = 0;
  put_head(out, m);
  buf_str(out, "  \"incomplete\": true,\n  ");
  put_name(out, "why", code_name(m->why));
  buf_str(out, ",\n  \"graph\": {");
  put_name(out, "name", dfg_text(m->dfg, m->dfg->name));
  buf_str(out, ", ");
  put_name(out, "file", graph_file);
  buf_str(out, "},\n  \"fabric\": {");
  put_name(out, "name", adg_text(m->adg, m->adg->name));
  buf_str(out, ", ");
  put_name(out, "file", fabric_file);
  buf_str(out, "},\n  \"sources\": [");
  put_sources(ctx, out, m);
  buf_str(out, "\n  ],\n  \"unplaced\": [");
  put_unplaced(out, m);
  buf_str(out, "\n  ],\n  \"unrouted\": [");
  put_edges(out, m, false);
  buf_str(out, "\n  ],\n");
  if (m->is_placed) {
    buf_str(out, "  \"binding\": ");
    binding_print(m->dfg, m->adg, &m->binding, 2, out);
    buf_str(out, ",\n");
  }
  buf_str(out, "  \"clusters\": [");
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    if (m->places[c].pe == MAP_NONE) continue;
    next_row(out, ++n == 1);
    put_cluster(out, m, c);
  }
  buf_str(out, "\n  ],\n  \"edges\": [");
  put_edges(out, m, true);
  buf_str(out, "\n  ]\n}\n");
}

void mapping_print_numbers(const Mapping *m, Buf *out) {
  put_head(out, m);
  buf_str(out, "  ");
  put_name(out, "graph", dfg_text(m->dfg, m->dfg->name));
  buf_str(out, ",\n  ");
  put_name(out, "fabric", adg_text(m->adg, m->adg->name));
  buf_str(out, ",\n");
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
  const char *node_name = json_string_value(json_array_get(nodes, 0));
  u32 c = pe_name ? adg_find(adg, pe_name) : ADG_NONE;
  u32 v = node_name ? dfg_find_node(dfg, node_name) : DFG_NONE;
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

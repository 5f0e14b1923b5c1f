/* map.c -- the mapper, stage by stage.
 *
 *     cover -> count -> cut, reach -> place and route (balance, detour) -> timing -> throughput
 *           -> configure -> check
 *
 * Counting, cut and reach prove infeasibility before any search; map.h lists the files of all
 * stages. A mapping is returned only after the checker, which gets just the image and the binding,
 * has found that it implements the graph. Nearly all the time is spent in place and route. */
#include "check/check.h"
#include "map/hints.h"
#include "map/stages.h"

MapOptions mapping_options_default(void) {
  return (MapOptions){.budget = 60};
}

void mapping_free(Mapping *mapping) {
  if (!mapping) return;
  mapping_cover_free(mapping->cover);
  arena_free(mapping->arena);
}

u64 mapping_shape(const Dfg *dfg, const Layout *layout) {
  const Adg *adg = layout->adg;
  u32 sizes[] = {dfg->nnodes, dfg->nresults,    dfg->nedges, layout->nwords,
                 adg->nports, adg->ncomponents, adg->npes,   adg->nmemories};
  u64 shape = hash_bytes(sizes, sizeof sizes, 0);
  for (u32 n = 0; n < dfg->nnodes; n++) {
    const DfgNode *node = dfg_node(dfg, n);
    u32 fields[] = {node->kind,      node->step_op,   node->cont_cond,
                    node->predicate, node->noperands, node->nresults};
    shape =
        hash_bytes(fields, sizeof fields, hash_bytes(&node->literal, sizeof node->literal, shape));
  }
  for (u32 r = 0; r < dfg->nresults; r++) {
    u32 fields[] = {dfg->results[r].node, dfg->types[dfg->results[r].type].bits};
    shape = hash_bytes(fields, sizeof fields, shape);
  }
  for (u32 e = 0; e < dfg->nedges; e++) {
    u32 fields[] = {dfg->edges[e].result, dfg->edges[e].to, dfg->edges[e].operand};
    shape = hash_bytes(fields, sizeof fields, shape);
  }
  return shape;
}

bool mapping_adopt(Context *ctx, Mapping *mapping, const Dfg *dfg, const Layout *layout) {
  mapping->dfg = dfg;
  mapping->adg = layout->adg;
  mapping->layout = layout;
  QuietScope quiet = diag_quiet(ctx);
  bool is_same = mapping_check(ctx, dfg, layout, mapping->image, &mapping->binding);
  diag_quiet_end(ctx, &quiet);
  return is_same;
}

/* A cover in which nodes that the text puts on different PEs are in different clusters; NULL where
 * none is possible. */
static MapCover *cover_as_text_says(Context *ctx, const Mapping *m, const MapOptions *options) {
  QuietScope quiet = diag_quiet(ctx);
  MapCover *cover = mapping_cover(ctx, m->dfg, m->adg, options);
  bool fits = cover && mapping_count(ctx, m->dfg, m->adg, cover) &&
              mapping_cut(ctx, m->dfg, m->adg, cover, options, NULL) &&
              mapping_reach(ctx, m->dfg, m->adg, cover, options, NULL);
  diag_quiet_end(ctx, &quiet);
  if (fits) return cover;
  mapping_cover_free(cover);
  return NULL;
}

/* False after MAP_CHAIN, which lists the chain. */
static bool chain_is_allowed(Context *ctx, const Mapping *m, const MapOptions *options) {
  if (!mapping_chain_excess(&m->chain, options)) return true;
  Buf names = {0};
  for (u32 i = 0; i < m->chain.ncomponents; i++)
    buf_printf(&names, "%s'%s'", i ? " -> " : "", adg_name(m->adg, m->chain.components[i]));
  u32 first = m->dfg->results[m->chain.results[m->chain.nresults - 1]].node;
  diag(ctx, dfg_node(m->dfg, first)->loc, MAP_CHAIN,
       "no mapping was found with at most %u component%s between two registers; the one found has "
       "%u: %s",
       options->max_chain, plural(options->max_chain), m->chain.length, names.data);
  diag_hint(ctx, "switches with buffers, or FIFOs between switches, end a chain (loom adg "
                 "--sw-buffer full, --fifo 2,bypassable)");
  buf_free(&names);
  return false;
}

/* Makes `m` the report of a graph that counting or a cut has refused, before any search. */
static void note_refused(const Context *ctx, Mapping *m) {
  m->is_incomplete = true;
  m->why = (Code)ctx->last_error;
  m->is_missing = NEW_ARRAY(m->arena, bool, m->dfg->nnodes + (size_t)1);
  mapping_count_missing(m->dfg, m->adg, m->cover, m->is_missing);
}

Mapping *mapping_graph(Context *ctx, const Dfg *dfg, const Layout *layout,
                       const MapOptions *options) {
  Arena *arena = arena_new();
  Mapping *m = NEW(arena, Mapping);
  double started = seconds_now();
  m->arena = arena;
  m->dfg = dfg;
  m->adg = layout->adg;
  m->layout = layout;
  m->seed = options->seed;
  m->tokens = options->tokens;
  m->stats.slow_cluster = MAP_NONE;
  MapHints *text = options->nhints ? NULL : hints_find(ctx, dfg, layout);
  MapOptions with_text = *options;
  with_text.text = text;
  m->cover = text ? cover_as_text_says(ctx, m, &with_text) : NULL;
  if (text && !m->cover) hints_tell_left(ctx, dfg, m->adg);
  if (m->cover) options = &with_text;
  if (m->cover) hints_settle(ctx, dfg, m->cover, text);
  if (!m->cover) m->cover = mapping_cover(ctx, dfg, m->adg, options);
  Mapping *refused = options->tells_refused ? m : NULL;
  bool is_possible = mapping_count(ctx, dfg, m->adg, m->cover) &&
                     mapping_cut(ctx, dfg, m->adg, m->cover, options, refused) &&
                     mapping_reach(ctx, dfg, m->adg, m->cover, options, refused);
  bool is_mapped = is_possible && mapping_place_and_route(ctx, m, options);
  if (is_mapped) is_mapped = mapping_timing(ctx, m) && chain_is_allowed(ctx, m, options);
  if (is_mapped) mapping_throughput(m);
  if (is_mapped) {
    mapping_configure(m);
    is_mapped = mapping_check(ctx, dfg, layout, m->image, &m->binding);
  }
  hints_free(text);
  m->tokens = NULL;
  if (!is_possible && refused) note_refused(ctx, m);
  m->stats.seconds = seconds_now() - started;
  if (is_mapped) return m;
  if (m->is_incomplete && options->closest)
    *options->closest = m;
  else
    mapping_free(m);
  return NULL;
}

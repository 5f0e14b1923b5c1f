/* hints.c -- configuration in the fabric's text as an initial placement. See hints.h. */
#include "map/hints.h"

#include "config/config.h"
#include "check/net.h"

enum { MAX_NOTES = 4 };

/* ---- does the text configure anything? ------------------------------------------------------- */

static bool has_instruction(const Adg *adg, u32 pe) {
  const Attr *attrs = adg->components[adg->pes[pe].component].runtime;
  for (u32 i = 0; attrs && i < attrs->n; i++)
    if (strncmp(attrs->entries[i].name->text, "instruction", 11) == 0) return true;
  return false;
}

static bool has_any(const Adg *adg) {
  for (u32 pe = 0; pe < adg->npes; pe++)
    if (has_instruction(adg, pe)) return true;
  return false;
}

/* ---- from pairs of nodes of the graph and of the configured hardware ------------------------- */

static void put_pair(const Dfg *dfg, MapHints *h, const NetNode *graph, const NetNode *text) {
  switch ((NetKind)graph->kind) {
  case NET_OP: h->units[graph->of] = h->text->ops[text->of].unit; break;
  case NET_ARG: h->args[graph->of] = text->of; break;
  case NET_OUTPUT: h->outputs[graph->of] = text->of; break;
  case NET_LOAD:
  case NET_STORE:
    h->memories[dfg_memory_of_port(dfg, graph->of)] = h->text->lanes[text->of].memory;
    break;
  }
}

static void put_pairs(const Dfg *dfg, MapHints *hints) {
  Net graph, hardware;
  net_of_graph(NULL, dfg, hints->text->adg, NULL, &graph);
  net_of_hardware(dfg, hints->text, NULL, &hardware);
  u32 *pairs = mem_alloc(mem_size(graph.nnodes + (size_t)1, sizeof *pairs));
  nets_guess(&graph, &hardware, pairs);
  for (u32 x = 0; x < graph.nnodes; x++)
    if (pairs[x] != MAP_NONE) put_pair(dfg, hints, &graph.nodes[x], &hardware.nodes[pairs[x]]);
  mem_free(pairs);
  net_free(&graph);
  net_free(&hardware);
}

static u32 *all_none(Arena *arena, u32 n) {
  u32 *list = NEW_ARRAY(arena, u32, n + (size_t)1);
  memset(list, 0xff, n * sizeof *list);
  return list;
}

MapHints *hints_find(Context *ctx, const Dfg *dfg, const Layout *layout) {
  const Adg *adg = layout->adg;
  if (!has_any(adg)) return NULL;
  Image *image = config_of_hints(ctx, layout);
  QuietScope quiet = diag_quiet(ctx);
  Configured *text = configured_new(ctx, image);
  diag_quiet_end(ctx, &quiet);
  image_free(image);
  Arena *arena = arena_new();
  MapHints *hints = NEW(arena, MapHints);
  *hints = (MapHints){.units = all_none(arena, dfg->nnodes),
                      .memories = all_none(arena, dfg->nmemories),
                      .args = all_none(arena, dfg->nargs),
                      .outputs = all_none(arena, dfg->noutputs),
                      .text = text,
                      .arena = arena};
  put_pairs(dfg, hints);
  return hints;
}

void hints_tell_left(Context *ctx, const Dfg *dfg, const Adg *adg) {
  diag_warning(ctx, dfg->loc, MAP_HINT,
               "no mapping of @%s was found that keeps the configuration in the text of @%s",
               dfg_text(dfg, dfg->name), adg_text(adg, adg->name));
  diag_hint(ctx, "that configuration is ignored");
}

void hints_free(MapHints *hints) {
  if (!hints) return;
  configured_free(hints->text);
  arena_free(hints->arena);
}

/* ---- from nodes to clusters ------------------------------------------------------------------ */

typedef struct {
  const MapCover *cover;
  MapHints *hints;
  bool *is_taken; /* by unit: a cluster has it */
} Settler;

static bool can_be(const Settler *s, u32 cluster, u32 unit) {
  const MapCluster *c = &s->cover->clusters[cluster];
  for (u32 w = c->first_match; w < c->first_match + c->nmatches; w++)
    if (s->cover->matches[w].body == s->hints->text->units[unit].body) return true;
  return false;
}

static void put_cluster(Settler *s, u32 cluster, u32 unit) {
  if (unit == MAP_NONE || s->is_taken[unit] || s->hints->fus[cluster] != MAP_NONE ||
      !can_be(s, cluster, unit))
    return;
  s->hints->fus[cluster] = s->hints->text->units[unit].fu;
  s->is_taken[unit] = true;
}

static void report_left_over(Context *ctx, const Dfg *dfg, const Settler *s) {
  u32 left = 0, reported = 0;
  const Configured *text = s->hints->text;
  for (u32 u = 0; u < text->nunits; u++) left += !s->is_taken[u];
  for (u32 u = 0; u < text->nunits && reported < MAX_NOTES; u++) {
    Buf name = {0};
    if (s->is_taken[u]) continue;
    conf_unit_text(text, u, &name);
    if (!reported++)
      diag_warning(ctx, conf_unit_loc(text, u), MAP_HINT,
                   "the text configures %s, but no node of @%s is left for it", name.data,
                   dfg_text(dfg, dfg->name));
    else
      diag_note(ctx, conf_unit_loc(text, u), "the same for %s", name.data);
    buf_free(&name);
  }
  if (left > reported) diag_note(ctx, LOC_NONE, "the same for %u more", left - reported);
  if (left) diag_hint(ctx, "that configuration is ignored");
}

void hints_settle(Context *ctx, const Dfg *dfg, const MapCover *cover, MapHints *hints) {
  Settler s = {cover, hints, mem_alloc(hints->text->nunits + (size_t)1)};
  hints->fus = all_none(hints->arena, cover->nclusters);
  for (u32 c = 0; c < cover->nclusters; c++)
    for (u32 i = 0; i < cover->clusters[c].nnodes; i++)
      put_cluster(&s, c, hints->units[cover->nodes[cover->clusters[c].first_node + i]]);
  for (u32 u = 0; u < hints->text->nunits; u++) /* units that are left: any cluster that fits */
    for (u32 c = 0; c < cover->nclusters && !s.is_taken[u]; c++) put_cluster(&s, c, u);
  report_left_over(ctx, dfg, &s);
  mem_free(s.is_taken);
}

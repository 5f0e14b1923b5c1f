/* cover.c -- every node into exactly one cluster.
 *
 *     %m = arith.muli %a, %b      one cluster {m, s} where there is a mac to spare,
 *     %s = arith.addi %m, %c      else two, {m} and {s}
 *
 * match.c lists what could be a cluster; this file chooses. */
#include "map/match.h"
#include "map/stages.h"

#include "ir/ir.h"

/* ---- writing the choice down ------------------------------------------------------------------
 */

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  const MapMatches *matches;
  bool *chosen; /* by candidate: matches->all.clusters */
} Choice;

static u32 *append(u32 *to, u32 *len, const u32 *from, u32 n) {
  if (n) memcpy(to + *len, from, n * sizeof *to);
  *len += n;
  return to;
}

/* The chosen candidates, and nothing else of the matches. */
static MapCover *write_cover(const Choice *c) {
  const MapCover *all = &c->matches->all;
  Arena *arena = arena_new();
  MapCover *cover = NEW(arena, MapCover);
  u32 nnodes = 0, nbody_nodes = 0, nchoices = 0, nargs = 0, nresults = 0;
  for (u32 k = 0; k < all->nclusters; k++) {
    if (!c->chosen[k]) continue;
    cover->nclusters++;
    nnodes += all->clusters[k].nnodes;
    for (u32 w = 0; w < all->clusters[k].nways; w++) {
      const AdgBody *body = &c->adg->bodies[all->ways[all->clusters[k].first_way + w].body];
      cover->nways++;
      nbody_nodes += all->clusters[k].nnodes;
      nchoices += body->nmuxes;
      nargs += body->nargs;
      nresults += body->nresults;
    }
  }
  cover->arena = arena;
  cover->clusters = NEW_ARRAY(arena, MapCluster, cover->nclusters);
  cover->ways = NEW_ARRAY(arena, MapWay, cover->nways);
  cover->nodes = NEW_ARRAY(arena, u32, nnodes);
  cover->body_nodes = NEW_ARRAY(arena, u32, nbody_nodes);
  cover->choices = NEW_ARRAY(arena, MapChoice, nchoices);
  cover->args = NEW_ARRAY(arena, u32, nargs);
  cover->results = NEW_ARRAY(arena, u32, nresults);
  cover->cluster_of = NEW_ARRAY(arena, u32, c->dfg->nnodes);
  for (u32 v = 0; v < c->dfg->nnodes; v++) cover->cluster_of[v] = MAP_NONE;
  u32 nclusters = 0, nways = 0;
  nnodes = nbody_nodes = nchoices = nargs = nresults = 0;
  for (u32 k = 0; k < all->nclusters; k++) {
    if (!c->chosen[k]) continue;
    const MapCluster *from = &all->clusters[k];
    MapCluster *to = &cover->clusters[nclusters];
    *to = (MapCluster){nnodes, from->nnodes, nways, from->nways};
    for (u32 i = 0; i < from->nnodes; i++)
      cover->cluster_of[all->nodes[from->first_node + i]] = nclusters;
    nclusters++;
    append(cover->nodes, &nnodes, all->nodes + from->first_node, from->nnodes);
    for (u32 w = 0; w < from->nways; w++) {
      const MapWay *way = &all->ways[from->first_way + w];
      const AdgBody *body = &c->adg->bodies[way->body];
      cover->ways[nways++] = (MapWay){way->body, nchoices, nbody_nodes, nargs, nresults};
      append(cover->body_nodes, &nbody_nodes, all->body_nodes + way->first_node, from->nnodes);
      append(cover->args, &nargs, all->args + way->first_arg, body->nargs);
      append(cover->results, &nresults, all->results + way->first_result, body->nresults);
      for (u32 i = 0; i < body->nmuxes; i++)
        cover->choices[nchoices++] = all->choices[way->first_choice + i];
    }
  }
  return cover;
}

MapCover *mapping_cover(Context *ctx, const Dfg *dfg, const Adg *adg) {
  MapMatches *matches = matches_find(dfg, adg);
  Choice c = {.dfg = dfg, .adg = adg, .matches = matches};
  c.chosen = NEW_ARRAY(matches->all.arena, bool, matches->all.nclusters + 1);
  MapCover *cover = NULL;
  Vec(u32) missing = {0};
  for (u32 v = 0; v < dfg->nnodes; v++) {
    u32 k = matches->first_of[v];
    if (!match_wants_unit(dfg_node(dfg, v))) continue;
    if (k < matches->first_of[v + 1] && matches->all.clusters[k].nnodes == 1)
      c.chosen[k] = true;
    else
      vec_push(&missing, v);
  }
  if (missing.len)
    lack_explain(ctx, dfg, adg, missing.at, (u32)missing.len);
  else
    cover = write_cover(&c);
  vec_free(&missing);
  matches_free(matches);
  return cover;
}

void mapping_cover_free(MapCover *cover) {
  if (cover) arena_free(cover->arena);
}

/* names.h -- names in what the mapper reports: lists, who takes a result (private to map/). */
#ifndef LOOM_MAP_NAMES_H
#define LOOM_MAP_NAMES_H

#include "map/map.h"

/* A list as people write it, of the first few: "a, b, c and 2 more". Begin with {0}. */
typedef struct {
  Buf text; /* to be freed with buf_free */
  u32 n;
} NameList;

void names_add(NameList *list, const char *name);
/* To be called when all are in; `none` is said where there is none. */
const char *names_end(NameList *list, const char *none);

/* "output 1", or "'sum'": who takes the tokens of an edge. */
void names_taker(const Dfg *dfg, u32 edge, Buf *out);

static inline const char *node_name(const Mapping *m, u32 node) {
  return dfg_text(m->dfg, m->dfg->nodes[node].name);
}
static inline const char *edge_name(const Mapping *m, u32 edge) {
  return dfg_text(m->dfg, m->dfg->edges[edge].name);
}
static inline const char *result_name(const Dfg *dfg, u32 result) {
  return dfg_text(dfg, dfg->results[result].name);
}

#endif

/* names.h -- names in the mapper's messages and reports: lists, consumers (private to map/). */
#ifndef LOOM_MAP_NAMES_H
#define LOOM_MAP_NAMES_H

#include "map/map.h"

/* A list of the first few names, as text: "a, b, c and 2 more". Begin with {0}. */
typedef struct {
  Buf text; /* to be freed with buf_free */
  u32 n;
  u32 most; /* how many; 0: six */
} NameList;

void names_add(NameList *list, const char *name);
/* To be called after the last name. Returns the text, or `none` for an empty list. */
const char *names_end(NameList *list, const char *none);
/* The same where the message has the number: "a, b, c, ...". */
const char *names_end_open(NameList *list);

/* Appends the consumer of an edge: "output 1", or "'sum'". */
void names_taker(const Dfg *dfg, u32 edge, Buf *out);

static inline const char *node_name(const Mapping *m, u32 node) {
  return dfg_text(m->dfg, m->dfg->nodes[node].name);
}
static inline const char *edge_name(const Mapping *m, u32 edge) {
  return dfg_text(m->dfg, m->dfg->edges[edge].name);
}
static inline const char *memory_name(const Dfg *dfg, const DfgMemory *memory) {
  return dfg_text(dfg, memory->arg != DFG_NONE ? dfg->args[memory->arg].name : memory->name);
}
static inline const char *result_name(const Dfg *dfg, u32 result) {
  return dfg_text(dfg, dfg->results[result].name);
}

#endif

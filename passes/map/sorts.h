/* sorts.h -- sorts of places, for proofs that ways are missing (private to map/).
 *
 * A proof must not depend on where the search puts what. So it does not ask where a result starts,
 * but where it could: all multiplications are of one sort, say, whose places are the PEs that can
 * multiply. Of a memory of the graph each family of ports is a sort, and its places are ports of
 * the fabric's memories that could hold it. Arguments are one sort, and so are results of the
 * graph.
 */
#ifndef LOOM_SORTS_H
#define LOOM_SORTS_H

#include "map/stages.h"
#include "map/supply.h"

/* Where results start or end: a sort, and which of it. */
typedef enum {
  SORT_KIND,
  SORT_PINNED,
  SORT_CLUSTER, /* all of these two */
  SORT_MEMORY,
  SORT_MEMORY_AT, /* all ports of one of the fabric's memories */
  SORT_ARG,
  SORT_OUTPUT,
  SORT_ANY
} SortKind;

typedef struct {
  u32 kind;   /* SortKind */
  u32 id;     /* supply kind; cluster; memory of the graph, of the fabric */
  u32 family; /* of a memory of the graph; ADG_FAMILY_COUNT: all of them */
} Sort;

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  const MapCover *cover;
  const MapOptions *options; /* NULL: nothing is pinned */
  MapSupply *supply;
} Sorts;

static inline bool sort_is_same(const Sort *a, const Sort *b) {
  return a->kind == b->kind && a->id == b->id && a->family == b->family;
}
static inline bool sort_is_cluster(const Sort *sort) {
  return sort->kind == SORT_KIND || sort->kind == SORT_PINNED || sort->kind == SORT_CLUSTER;
}
/* Components that pass tokens on. */
static inline bool sort_is_router(AdgKind kind) {
  return kind == ADG_SPATIAL_SW || kind == ADG_TEMPORAL_SW || kind == ADG_FIFO ||
         kind == ADG_ADD_TAG || kind == ADG_MAP_TAG || kind == ADG_DEL_TAG;
}

/* The sort where a result of the graph starts, and the one that an edge comes to. */
Sort sort_of_source(const Sorts *c, u32 result);
Sort sort_of_taker(const Sorts *c, u32 edge);
/* True where tokens of the sort start in (or come to) this port. */
bool sort_has_port(const Sorts *c, const Sort *sort, u32 port, bool is_source);
/* Both can be in one PE, and a register of it takes results from one to the other. */
bool sorts_meet(const Sorts *c, const Sort *from, const Sort *to);
/* Appends who is in a sort of the fabric's parts: "pe_0, pe_1 and 4 more". */
void sort_put_hosts(const Sorts *c, const Sort *sort, bool is_source, Buf *out);

#endif

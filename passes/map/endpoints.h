/* endpoints.h -- endpoint classes, for proofs that routes are missing (private to map/).
 *
 * A proof must not depend on where the search puts what. So it does not ask where a result starts,
 * but where it could: all multiplications are of one class, say, whose places are the PEs that can
 * multiply. Of a memory of the graph each family of ports is a class, and its places are ports of
 * the fabric's memories that could hold it. Arguments are one class, and so are results of the
 * graph.
 */
#ifndef LOOM_MAP_ENDPOINTS_H
#define LOOM_MAP_ENDPOINTS_H

#include "map/stages.h"
#include "map/supply.h"

/* Where results start or end: a class of endpoints, and which of its kind. */
typedef enum {
  ENDPOINT_KIND,
  ENDPOINT_PINNED,
  ENDPOINT_ANY_CLUSTER, /* all of these two */
  ENDPOINT_MEMORY,
  ENDPOINT_HW_MEMORY, /* all ports of one of the fabric's memories */
  ENDPOINT_ARG,
  ENDPOINT_OUTPUT,
  ENDPOINT_ANY
} EndpointKind;

typedef struct {
  u32 kind;   /* EndpointKind */
  u32 id;     /* supply kind; cluster; memory of the graph, of the fabric */
  u32 family; /* of a memory of the graph; ADG_FAMILY_COUNT: all of them */
} Endpoint;

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  const MapCover *cover;
  const MapOptions *options; /* NULL: nothing is pinned */
  MapSupply *supply;
} Endpoints;

static inline bool endpoint_is_same(const Endpoint *a, const Endpoint *b) {
  return a->kind == b->kind && a->id == b->id && a->family == b->family;
}
static inline bool endpoint_is_cluster(const Endpoint *end) {
  return end->kind == ENDPOINT_KIND || end->kind == ENDPOINT_PINNED ||
         end->kind == ENDPOINT_ANY_CLUSTER;
}
/* The class where a result of the graph starts, and the one that an edge comes to. */
Endpoint endpoint_of_source(const Endpoints *c, u32 result);
Endpoint endpoint_of_sink(const Endpoints *c, u32 edge);
/* True where tokens of the class start in (or come to) this port. */
bool endpoint_has_port(const Endpoints *c, const Endpoint *end, u32 port, bool is_source);
/* Both can be in one PE, and a register of it takes results from one to the other. */
bool endpoints_share_pe(const Endpoints *c, const Endpoint *from, const Endpoint *to);
/* Appends who is in a class of the fabric's parts: "pe_0, pe_1 and 4 more". */
void endpoint_put_hosts(const Endpoints *c, const Endpoint *end, bool is_source, Buf *out);

#endif

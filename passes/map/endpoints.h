/* endpoints.h -- endpoint classes, for proofs that routes are missing (private to map/).
 *
 * A proof must hold for every placement. So it does not consider where a result starts, but where
 * it could start: all multiplications, say, form one class, whose places are the PEs that can
 * multiply. Each family of ports of a memory of the graph is a class, and its places are ports of
 * the fabric's memories that could hold it. All arguments are one class, and so are all results of
 * the graph. Cost: endpoint_has_port is linear in the slots of a kind (supply.h) and the pins. */
#ifndef LOOM_MAP_ENDPOINTS_H
#define LOOM_MAP_ENDPOINTS_H

#include "map/stages.h"
#include "map/supply.h"

/* The kinds of endpoint classes. */
typedef enum {
  ENDPOINT_KIND,
  ENDPOINT_PINNED,
  ENDPOINT_ANY_CLUSTER, /* of either of these two */
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
/* The class that a result of the graph starts from, and the one that an edge leads to. */
Endpoint endpoint_of_source(const Endpoints *c, u32 result);
Endpoint endpoint_of_sink(const Endpoints *c, u32 edge);
/* True where tokens of the class start in (or come to) this port. */
bool endpoint_has_port(const Endpoints *c, const Endpoint *end, u32 port, bool is_source);
/* True where both can be in one PE with a register, so that results need no route. */
bool endpoints_share_pe(const Endpoints *c, const Endpoint *from, const Endpoint *to);
/* Appends the components that can host the class: "pe_0, pe_1 and 4 more". */
void endpoint_put_hosts(const Endpoints *c, const Endpoint *end, bool is_source, Buf *out);

#endif

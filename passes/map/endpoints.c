/* endpoints.c -- which places results can start from, and come to. See endpoints.h. */
#include "map/endpoints.h"

enum { MOST_NAMES = 6 };

static Endpoint endpoint_of_cluster(const Endpoints *c, u32 cluster) {
  for (u32 i = 0; c->options && i < c->options->npins; i++)
    if (c->cover->cluster_of[c->options->pins[i].node] == cluster)
      return (Endpoint){ENDPOINT_PINNED, cluster, 0};
  return (Endpoint){ENDPOINT_KIND, c->supply->kind_of[cluster], 0};
}

/* Of a memory's port: which of its results (dones of stores before those of loads), which of its
 * operands (data and address of stores, then loads' addresses). */
Endpoint endpoint_of_source(const Endpoints *c, u32 result) {
  const DfgNode *node = &c->dfg->nodes[c->dfg->results[result].node];
  u32 i = result - node->first_result;
  if (node->kind == OP_HANDSHAKE_FUNC) return (Endpoint){ENDPOINT_ARG, 0, 0};
  if (node->kind != OP_HANDSHAKE_MEMORY && node->kind != OP_HANDSHAKE_EXTMEMORY)
    return endpoint_of_cluster(c, c->cover->cluster_of[c->dfg->results[result].node]);
  const DfgMemory *m = &c->dfg->memories[node->memory];
  return (Endpoint){ENDPOINT_MEMORY, node->memory,
                    i < m->nloads                ? ADG_LOAD_DATA
                    : i < m->nloads + m->nstores ? ADG_STORE_DONE
                                                 : ADG_LOAD_DONE};
}

Endpoint endpoint_of_sink(const Endpoints *c, u32 edge) {
  const DfgNode *node = &c->dfg->nodes[c->dfg->edges[edge].to];
  u32 i = c->dfg->edges[edge].operand;
  if (c->dfg->edges[edge].to == c->dfg->return_node) return (Endpoint){ENDPOINT_OUTPUT, 0, 0};
  if (node->kind != OP_HANDSHAKE_MEMORY && node->kind != OP_HANDSHAKE_EXTMEMORY)
    return endpoint_of_cluster(c, c->cover->cluster_of[c->dfg->edges[edge].to]);
  const DfgMemory *m = &c->dfg->memories[node->memory];
  return (Endpoint){ENDPOINT_MEMORY, node->memory,
                    i >= 2 * m->nstores ? ADG_LOAD_ADDR
                    : i % 2             ? ADG_STORE_ADDR
                                        : ADG_STORE_DATA};
}

/* True where a PE can carry out clusters of the sort. */
static bool is_host(const Endpoints *c, const Endpoint *end, u32 pe) {
  const MapSupply *s = c->supply;
  if (end->kind == ENDPOINT_ANY_CLUSTER) return true;
  u32 kind = end->kind == ENDPOINT_KIND ? end->id : s->kind_of[end->id];
  for (u32 i = 0; end->kind == ENDPOINT_PINNED && i < c->options->npins; i++) {
    const MapPin *pin = &c->options->pins[i];
    if (c->cover->cluster_of[pin->node] == end->id && pin->pe != pe) return false;
  }
  const SupplyKind *k = &s->kinds[kind];
  for (u32 l = k->first_link; l < k->first_link + k->nlinks; l++)
    if (s->slots[s->links[l]].class == s->class_of[pe]) return true;
  return false;
}

/* Both can be in one PE, and a register of it takes results from one to the other. */
bool endpoints_share_pe(const Endpoints *c, const Endpoint *from, const Endpoint *to) {
  const Endpoint *ends[] = {from, to};
  for (u32 pe = 0; pe < c->adg->npes; pe++) {
    bool both = c->adg->pes[pe].num_register > 0;
    for (u32 i = 0; i < 2 && both; i++)
      both = ends[i]->kind == ENDPOINT_ANY ||
             (endpoint_is_cluster(ends[i]) && is_host(c, ends[i], pe));
    if (both) return true;
  }
  return false;
}

/* True where tokens of the sort start in (or come to) this port. */
bool endpoint_has_port(const Endpoints *c, const Endpoint *end, u32 port, bool is_source) {
  const AdgPort *p = &c->adg->ports[port];
  const AdgComponent *k = &c->adg->components[p->component];
  bool is_pe = k->kind == ADG_SPATIAL_PE || k->kind == ADG_TEMPORAL_PE;
  bool is_memory = k->kind == ADG_MEMORY || k->kind == ADG_EXTMEMORY;
  if (p->is_output != is_source) return false;
  switch ((EndpointKind)end->kind) {
  case ENDPOINT_ARG: return k->kind == ADG_INPUT;
  case ENDPOINT_OUTPUT: return k->kind == ADG_OUTPUT;
  case ENDPOINT_MEMORY:
    return is_memory && c->adg->memories[k->detail].ports[end->family] == port &&
           mapping_memory_fits(c->dfg, c->adg, end->id, k->detail);
  case ENDPOINT_HW_MEMORY: return is_memory && k->detail == end->id;
  case ENDPOINT_ANY: return !component_is_router((AdgKind)k->kind);
  default: return is_pe && is_host(c, end, k->detail);
  }
}

/* Who is in a sort of the fabric's parts: "pe_0, pe_1 and 4 more". */
void endpoint_put_hosts(const Endpoints *c, const Endpoint *end, bool is_source, Buf *out) {
  u32 n = 0, last = MAP_NONE;
  for (u32 p = 0; p < c->adg->nports; p++) {
    u32 component = c->adg->ports[p].component;
    if (component == last || !endpoint_has_port(c, end, p, is_source)) continue;
    last = component;
    if (n++ < MOST_NAMES) buf_printf(out, "%s%s", n > 1 ? ", " : "", adg_name(c->adg, component));
  }
  if (n > MOST_NAMES) buf_printf(out, " and %u more", n - MOST_NAMES);
  if (!n) buf_str(out, "nothing");
}

/* endpoints.c -- the places that results can start from, and come to. See endpoints.h. */
#include "map/endpoints.h"

#include "map/names.h"

static Endpoint endpoint_of_cluster(const Endpoints *c, u32 cluster) {
  for (u32 i = 0; c->options && i < c->options->npins; i++)
    if (c->cover->cluster_of[c->options->pins[i].node] == cluster)
      return (Endpoint){ENDPOINT_PINNED, cluster, 0};
  return (Endpoint){ENDPOINT_KIND, c->supply->kind_of[cluster], 0};
}

Endpoint endpoint_of_source(const Endpoints *c, u32 result) {
  const DfgNode *node = &c->dfg->nodes[c->dfg->results[result].node];
  if (node->kind == OP_HANDSHAKE_FUNC) return (Endpoint){ENDPOINT_ARG, 0, 0};
  if (!dfg_is_memory(node))
    return endpoint_of_cluster(c, c->cover->cluster_of[c->dfg->results[result].node]);
  return (Endpoint){
      ENDPOINT_MEMORY, node->memory,
      nets_result_family(&c->dfg->memories[node->memory], result - node->first_result)};
}

Endpoint endpoint_of_sink(const Endpoints *c, u32 edge) {
  const DfgEdge *e = &c->dfg->edges[edge];
  const DfgNode *node = &c->dfg->nodes[e->to];
  if (e->to == c->dfg->return_node) return (Endpoint){ENDPOINT_OUTPUT, 0, 0};
  if (!dfg_is_memory(node)) return endpoint_of_cluster(c, c->cover->cluster_of[e->to]);
  return (Endpoint){ENDPOINT_MEMORY, node->memory,
                    nets_operand_family(&c->dfg->memories[node->memory], e->operand)};
}

/* True where a PE can carry out clusters of the class. */
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

bool endpoints_share_pe(const Endpoints *c, const Endpoint *from, const Endpoint *to) {
  const Endpoint *ends[] = {from, to};
  for (u32 pe = 0; pe < c->adg->npes; pe++) {
    bool hosts_both = c->adg->pes[pe].num_register > 0;
    for (u32 i = 0; i < 2 && hosts_both; i++)
      hosts_both = ends[i]->kind == ENDPOINT_ANY ||
                   (endpoint_is_cluster(ends[i]) && is_host(c, ends[i], pe));
    if (hosts_both) return true;
  }
  return false;
}

bool endpoint_has_port(const Endpoints *c, const Endpoint *end, u32 port, bool is_source) {
  const AdgPort *p = &c->adg->ports[port];
  const AdgComponent *k = &c->adg->components[p->component];
  if (p->is_output != is_source) return false;
  switch ((EndpointKind)end->kind) {
  case ENDPOINT_ARG: return k->kind == ADG_INPUT;
  case ENDPOINT_OUTPUT: return k->kind == ADG_OUTPUT;
  case ENDPOINT_MEMORY:
    return adg_is_memory(k) && adg_port_family(&c->adg->memories[k->detail], port) == end->family &&
           mapping_memory_fits(c->dfg, c->adg, end->id, k->detail);
  case ENDPOINT_HW_MEMORY: return adg_is_memory(k) && k->detail == end->id;
  case ENDPOINT_ANY: return !adg_passes_tokens(k);
  default: return adg_is_pe(k) && is_host(c, end, k->detail);
  }
}

void endpoint_put_hosts(const Endpoints *c, const Endpoint *end, bool is_source, Buf *out) {
  NameList hosts = {0};
  u32 last = MAP_NONE;
  for (u32 p = 0; p < c->adg->nports; p++) {
    u32 component = c->adg->ports[p].component;
    if (component == last || !endpoint_has_port(c, end, p, is_source)) continue;
    last = component;
    names_add(&hosts, adg_name(c->adg, component));
  }
  buf_str(out, names_end(&hosts, "nothing"));
  buf_free(&hosts.text);
}

/* sorts.c -- which places results can start from, and come to. See sorts.h. */
#include "map/sorts.h"

enum { MOST_NAMES = 6 };

static Sort sort_of_cluster(const Sorts *c, u32 cluster) {
  for (u32 i = 0; c->options && i < c->options->npins; i++)
    if (c->cover->cluster_of[c->options->pins[i].node] == cluster)
      return (Sort){SORT_PINNED, cluster, 0};
  return (Sort){SORT_KIND, c->supply->kind_of[cluster], 0};
}

/* Of a memory's port: which of its results (dones of stores before those of loads), which of its
 * operands (data and address of stores, then loads' addresses). */
Sort sort_of_source(const Sorts *c, u32 result) {
  const DfgNode *node = &c->dfg->nodes[c->dfg->results[result].node];
  u32 i = result - node->first_result;
  if (node->kind == OP_HANDSHAKE_FUNC) return (Sort){SORT_ARG, 0, 0};
  if (node->kind != OP_HANDSHAKE_MEMORY && node->kind != OP_HANDSHAKE_EXTMEMORY)
    return sort_of_cluster(c, c->cover->cluster_of[c->dfg->results[result].node]);
  const DfgMemory *m = &c->dfg->memories[node->memory];
  return (Sort){SORT_MEMORY, node->memory,
                i < m->nloads                ? ADG_LOAD_DATA
                : i < m->nloads + m->nstores ? ADG_STORE_DONE
                                             : ADG_LOAD_DONE};
}

Sort sort_of_taker(const Sorts *c, u32 edge) {
  const DfgNode *node = &c->dfg->nodes[c->dfg->edges[edge].to];
  u32 i = c->dfg->edges[edge].operand;
  if (c->dfg->edges[edge].to == c->dfg->return_node) return (Sort){SORT_OUTPUT, 0, 0};
  if (node->kind != OP_HANDSHAKE_MEMORY && node->kind != OP_HANDSHAKE_EXTMEMORY)
    return sort_of_cluster(c, c->cover->cluster_of[c->dfg->edges[edge].to]);
  const DfgMemory *m = &c->dfg->memories[node->memory];
  return (Sort){SORT_MEMORY, node->memory,
                i >= 2 * m->nstores ? ADG_LOAD_ADDR
                : i % 2             ? ADG_STORE_ADDR
                                    : ADG_STORE_DATA};
}

/* True where a PE can carry out clusters of the sort. */
static bool is_host(const Sorts *c, const Sort *sort, u32 pe) {
  const MapSupply *s = c->supply;
  if (sort->kind == SORT_CLUSTER) return true;
  u32 kind = sort->kind == SORT_KIND ? sort->id : s->kind_of[sort->id];
  for (u32 i = 0; sort->kind == SORT_PINNED && i < c->options->npins; i++) {
    const MapPin *pin = &c->options->pins[i];
    if (c->cover->cluster_of[pin->node] == sort->id && pin->pe != pe) return false;
  }
  const SupplyKind *k = &s->kinds[kind];
  for (u32 l = k->first_link; l < k->first_link + k->nlinks; l++)
    if (s->slots[s->links[l].slot].make == s->make_of[pe]) return true;
  return false;
}

/* Both can be in one PE, and a register of it takes results from one to the other. */
bool sorts_meet(const Sorts *c, const Sort *from, const Sort *to) {
  const Sort *ends[] = {from, to};
  for (u32 pe = 0; pe < c->adg->npes; pe++) {
    bool both = c->adg->pes[pe].num_register > 0;
    for (u32 i = 0; i < 2 && both; i++)
      both = ends[i]->kind == SORT_ANY || (sort_is_cluster(ends[i]) && is_host(c, ends[i], pe));
    if (both) return true;
  }
  return false;
}

/* True where tokens of the sort start in (or come to) this port. */
bool sort_has_port(const Sorts *c, const Sort *sort, u32 port, bool is_source) {
  const AdgPort *p = &c->adg->ports[port];
  const AdgComponent *k = &c->adg->components[p->component];
  bool is_pe = k->kind == ADG_SPATIAL_PE || k->kind == ADG_TEMPORAL_PE;
  bool is_memory = k->kind == ADG_MEMORY || k->kind == ADG_EXTMEMORY;
  if (p->is_output != is_source) return false;
  switch ((SortKind)sort->kind) {
  case SORT_ARG: return k->kind == ADG_INPUT;
  case SORT_OUTPUT: return k->kind == ADG_OUTPUT;
  case SORT_MEMORY:
    return is_memory && c->adg->memories[k->detail].ports[sort->family] == port &&
           mapping_memory_fits(c->dfg, c->adg, sort->id, k->detail);
  case SORT_MEMORY_AT: return is_memory && k->detail == sort->id;
  case SORT_ANY: return !sort_is_router((AdgKind)k->kind);
  default: return is_pe && is_host(c, sort, k->detail);
  }
}

/* Who is in a sort of the fabric's parts: "pe_0, pe_1 and 4 more". */
void sort_put_hosts(const Sorts *c, const Sort *sort, bool is_source, Buf *out) {
  u32 n = 0, last = MAP_NONE;
  for (u32 p = 0; p < c->adg->nports; p++) {
    u32 component = c->adg->ports[p].component;
    if (component == last || !sort_has_port(c, sort, p, is_source)) continue;
    last = component;
    if (n++ < MOST_NAMES) buf_printf(out, "%s%s", n > 1 ? ", " : "", adg_name(c->adg, component));
  }
  if (n > MOST_NAMES) buf_printf(out, " and %u more", n - MOST_NAMES);
  if (!n) buf_str(out, "nothing");
}

/* supply.c -- are there enough PEs? See supply.h. */
#include "base/digraph.h"
#include "map/supply.h"
#include "map/stages.h"

#include <stdlib.h>

/* ---- matches and PEs ------------------------------------------------------------------------- */

/* A result that leaves a unit and has a consumer. */
static bool is_used(const Dfg *dfg, u32 result) {
  return result != MAP_NONE && dfg->results[result].nedges;
}

void widest_first(u32 *widths, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && widths[k - 1] < widths[k]; k--) {
      u32 swapped = widths[k];
      widths[k] = widths[k - 1];
      widths[k - 1] = swapped;
    }
}

u32 supply_widths(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                  bool results, u32 *widths) {
  const AdgBody *body = &adg->bodies[match->body];
  const AdgType *values = &adg->values[body->first_value];
  u32 n = 0;
  for (u32 a = 0; !results && a < body->nargs; a++)
    if (cover->args[match->first_arg + a] != MAP_NONE) widths[n++] = values[a].bits;
  for (u32 r = 0; results && r < body->nresults; r++)
    if (is_used(dfg, cover->results[match->first_result + r]))
      widths[n++] = values[adg->operands[body->first_yield + r]].bits;
  widest_first(widths, n);
  return n;
}

/* True where each of these values, the widest first, can have a wide enough port of its own. Any
 * value can go to any port, so for value i there must be more than i wide enough ones. */
static bool fit_ports(const Adg *adg, u32 first_port, u32 nports, const u32 *widths, u32 n) {
  for (u32 i = 0; i < n; i++) {
    u32 wide = 0;
    for (u32 p = first_port; p < first_port + nports; p++) wide += adg->ports[p].width >= widths[i];
    if (wide <= i) return false;
  }
  return true;
}

/* The same for a temporal PE with registers: a value in a register needs no port, but is no wider
 * than the widest one. */
static bool fit_registers(const Adg *adg, const AdgComponent *c, const u32 *in, u32 nin,
                          const u32 *out, u32 nout) {
  u32 widest = 0;
  for (u32 p = c->first_port; p < c->first_port + c->ninputs + c->noutputs; p++)
    if (adg->ports[p].width > widest) widest = adg->ports[p].width;
  return (!nin || in[0] <= widest) && (!nout || out[0] <= widest);
}

bool mapping_hosts(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                   u32 pe) {
  const AdgPe *p = &adg->pes[pe];
  const AdgComponent *c = &adg->components[p->component];
  const AdgBody *body = &adg->bodies[match->body];
  u32 few[64], *in = FEW_OR_ALLOC(few, body->nargs + body->nresults), *out = in + body->nargs;
  u32 nin = supply_widths(dfg, adg, cover, match, false, in);
  u32 nout = supply_widths(dfg, adg, cover, match, true, out);
  bool fits = p->is_temporal && p->num_register
                  ? fit_registers(adg, c, in, nin, out, nout)
                  : fit_ports(adg, c->first_port, c->ninputs, in, nin) &&
                        fit_ports(adg, c->first_port + c->ninputs, c->noutputs, out, nout);
  few_free(few, in);
  return fits;
}

/* ---- classes of PEs -------------------------------------------------------------------------- */

u32 supply_operands(const Adg *adg, const MapCover *cover, const MapMatch *match) {
  u32 n = 0;
  for (u32 a = 0; a < adg->bodies[match->body].nargs; a++)
    n += cover->args[match->first_arg + a] != MAP_NONE;
  return n;
}

u32 supply_instructions(const Adg *adg, u32 pe) {
  const AdgPe *p = &adg->pes[pe];
  const AdgPort *port = &adg->ports[adg->components[p->component].first_port];
  u32 tags = port->is_tagged ? (u32)1 << port->tag_width : 1, most = p->num_instruction;
  if (!p->is_temporal) return 1;
  return most > tags ? tags : most;
}

/* The most clusters of the cover whose operands fit into the shared buffer of a PE: the smallest
 * ones. */
static u32 fit_buffer(const Adg *adg, const MapCover *cover, const AdgPe *pe) {
  if (!pe->operand_buffer) return MAP_NONE;
  u64 *operands = mem_alloc(mem_size(cover->nclusters + (size_t)1, sizeof *operands));
  bool *has_body = mem_alloc(adg->nbodies + (size_t)1);
  u64 left = pe->operand_buffer;
  u32 n = 0, fitting = 0;
  for (u32 f = 0; f < pe->nfus; f++) has_body[adg->fus[pe->first_fu + f].body] = true;
  for (u32 c = 0; c < cover->nclusters; c++) {
    const MapCluster *cluster = &cover->clusters[c];
    u32 least = MAP_NONE;
    for (u32 m = cluster->first_match; m < cluster->first_match + cluster->nmatches; m++) {
      if (!has_body[cover->matches[m].body]) continue;
      u32 wanted = supply_operands(adg, cover, &cover->matches[m]);
      if (wanted < least) least = wanted;
    }
    if (least != MAP_NONE) operands[n++] = least;
  }
  if (n) qsort(operands, n, sizeof *operands, compare_u64);
  for (; fitting < n && operands[fitting] <= left; fitting++) left -= operands[fitting];
  mem_free(has_body);
  mem_free(operands);
  return fitting == n ? MAP_NONE : fitting;
}

static u32 pe_capacity(const Adg *adg, u32 id, u32 fit) {
  const AdgPe *pe = &adg->pes[id];
  u32 instructions = supply_instructions(adg, id);
  if (fit < instructions) instructions = fit;
  for (u32 f = pe->first_fu; f < pe->first_fu + pe->nfus; f++)
    if (adg_is_shareable(adg, pe, f)) return instructions;
  return !pe->is_temporal || instructions < pe->nfus ? instructions : pe->nfus;
}

/* True where two PEs do not differ in what a cluster needs: units, ports, registers, operand
 * buffer. */
static bool is_same_class(const Adg *adg, const AdgPe *a, const AdgPe *b) {
  const AdgComponent *ca = &adg->components[a->component], *cb = &adg->components[b->component];
  if (ca->kind != cb->kind || ca->ninputs != cb->ninputs || ca->noutputs != cb->noutputs ||
      a->num_instruction != b->num_instruction || a->operand_buffer != b->operand_buffer ||
      a->unit_config != b->unit_config || a->unit_state != b->unit_state || a->nfus != b->nfus)
    return false;
  if (!a->num_register != !b->num_register) return false;
  for (u32 i = 0; i < ca->ninputs + ca->noutputs; i++) {
    const AdgPort *p = &adg->ports[ca->first_port + i], *q = &adg->ports[cb->first_port + i];
    if (p->width != q->width || p->tag_width != q->tag_width) return false;
  }
  for (u32 f = 0; f < a->nfus; f++)
    if (adg->fus[a->first_fu + f].body != adg->fus[b->first_fu + f].body) return false;
  return true;
}

/* Classes in the order of their first PE. */
static void find_classes(MapSupply *s, const MapCover *cover) {
  const Adg *adg = s->adg;
  s->class_of = NEW_ARRAY(s->arena, u32, adg->npes);
  s->classes = NEW_ARRAY(s->arena, PeClass, adg->npes);
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u32 c = 0;
    while (c < s->nclasses && !is_same_class(adg, &adg->pes[s->classes[c].first_pe], &adg->pes[pe]))
      c++;
    if (c == s->nclasses)
      s->classes[s->nclasses++] =
          (PeClass){.first_pe = pe, .fit_buffer = fit_buffer(adg, cover, &adg->pes[pe])};
    s->class_of[pe] = c;
    s->classes[c].npes++;
    s->classes[c].capacity += pe_capacity(adg, pe, s->classes[c].fit_buffer);
  }
}

/* How many clusters all PEs of a class can carry out by a unit of which each has so many copies. */
static u32 slot_capacity(const Adg *adg, const PeClass *class, u32 fu, u32 copies) {
  const AdgPe *pe = &adg->pes[class->first_pe];
  if (adg_is_shareable(adg, pe, fu)) return class->capacity;
  return class->npes * (pe->is_temporal ? copies : 1);
}

/* The slots of each class: its bodies, in the order of a PE's units. */
static void find_slots(MapSupply *s) {
  const Adg *adg = s->adg;
  u32 *copies = NEW_ARRAY(s->arena, u32, adg->nbodies), most = 0;
  for (u32 c = 0; c < s->nclasses; c++) most += adg->pes[s->classes[c].first_pe].nfus;
  s->slots = NEW_ARRAY(s->arena, SupplySlot, most);
  for (u32 c = 0; c < s->nclasses; c++) {
    PeClass *class = &s->classes[c];
    const AdgPe *pe = &adg->pes[class->first_pe];
    class->first_slot = s->nslots;
    for (u32 f = 0; f < pe->nfus; f++) copies[adg->fus[pe->first_fu + f].body]++;
    for (u32 f = 0; f < pe->nfus; f++) {
      u32 body = adg->fus[pe->first_fu + f].body;
      if (!copies[body]) continue;
      s->slots[s->nslots++] =
          (SupplySlot){.class = c,
                       .body = body,
                       .capacity = slot_capacity(adg, class, pe->first_fu + f, copies[body])};
      copies[body] = 0;
    }
    class->nslots = s->nslots - class->first_slot;
  }
}

/* ---- kinds of clusters ----------------------------------------------------------------------- */

/* True for clusters of the same operations that match the same bodies, with the same arguments and
 * results in use. */
static bool is_same_kind(const Dfg *dfg, const Adg *adg, const MapCover *cover, u32 x, u32 y) {
  const MapCluster *a = &cover->clusters[x], *b = &cover->clusters[y];
  if (a->nnodes != b->nnodes || a->nmatches != b->nmatches) return false;
  for (u32 n = 0; n < a->nnodes; n++)
    if (dfg_node(dfg, cover->nodes[a->first_node + n])->kind !=
        dfg_node(dfg, cover->nodes[b->first_node + n])->kind)
      return false;
  for (u32 i = 0; i < a->nmatches; i++) {
    const MapMatch *p = &cover->matches[a->first_match + i],
                   *q = &cover->matches[b->first_match + i];
    const AdgBody *body = &adg->bodies[p->body];
    if (p->body != q->body) return false;
    for (u32 k = 0; k < body->nargs; k++)
      if ((cover->args[p->first_arg + k] == MAP_NONE) !=
          (cover->args[q->first_arg + k] == MAP_NONE))
        return false;
    for (u32 k = 0; k < body->nresults; k++)
      if (is_used(dfg, cover->results[p->first_result + k]) !=
          is_used(dfg, cover->results[q->first_result + k]))
        return false;
  }
  return true;
}

/* Kinds, in the order of their first cluster, each with the slots that can carry it out. */
static void find_kinds(MapSupply *s, const Dfg *dfg, const MapCover *cover) {
  Arena *scratch = arena_new();
  DigraphEdges slots = {0};
  Vec(u32) links = {0};
  for (u32 i = 0; i < s->nslots; i++) digraph_edge(&slots, s->slots[i].body, i);
  Digraph of_body = digraph_new(scratch, s->adg->nbodies, &slots);
  s->kind_of = NEW_ARRAY(s->arena, u32, cover->nclusters);
  s->kinds = NEW_ARRAY(s->arena, SupplyKind, cover->nclusters);
  for (u32 c = 0; c < cover->nclusters; c++) {
    u32 k = 0;
    while (k < s->nkinds && !is_same_kind(dfg, s->adg, cover, s->kinds[k].cluster, c)) k++;
    s->kind_of[c] = k;
    if (k < s->nkinds) continue;
    s->kinds[s->nkinds++] = (SupplyKind){.cluster = c, .first_link = (u32)links.len};
    const MapCluster *cluster = &cover->clusters[c];
    for (u32 m = cluster->first_match; m < cluster->first_match + cluster->nmatches; m++) {
      const MapMatch *match = &cover->matches[m];
      for (u32 i = of_body.first[match->body]; i < of_body.first[match->body + 1]; i++) {
        u32 slot = of_body.to[i];
        if (mapping_hosts(dfg, s->adg, cover, match, s->classes[s->slots[slot].class].first_pe))
          vec_push(&links, slot);
      }
    }
    s->kinds[k].nlinks = (u32)links.len - s->kinds[k].first_link;
  }
  s->links = arena_copy(s->arena, links.at, links.len * sizeof *links.at);
  vec_free(&links);
  vec_free(&slots);
  arena_free(scratch);
}

/* ---- the flow -------------------------------------------------------------------------------- */

/* Vertices: kinds from 0, then slots, classes, the source and the sink. */
static u32 slot_vertex(const MapSupply *s, u32 slot) {
  return s->nkinds + slot;
}
static u32 class_vertex(const MapSupply *s, u32 class) {
  return s->nkinds + s->nslots + class;
}
static u32 source_vertex(const MapSupply *s) {
  return class_vertex(s, s->nclasses);
}
static u32 sink_vertex(const MapSupply *s) {
  return source_vertex(s) + 1;
}

/* The arc from the source to a kind: these arcs come first. */
static u32 kind_arc(u32 kind) {
  return 2 * kind;
}

static void make_graph(MapSupply *s) {
  FlowNetwork *g = &s->flow;
  flow_init(g, sink_vertex(s) + 1);
  for (u32 k = 0; k < s->nkinds; k++) flow_add(g, source_vertex(s), k, 0);
  for (u32 k = 0; k < s->nkinds; k++)
    for (u32 l = s->kinds[k].first_link; l < s->kinds[k].first_link + s->kinds[k].nlinks; l++)
      flow_add(g, k, slot_vertex(s, s->links[l]), UINT32_MAX / 2);
  for (u32 t = 0; t < s->nslots; t++)
    flow_add(g, slot_vertex(s, t), class_vertex(s, s->slots[t].class), s->slots[t].capacity);
  for (u32 c = 0; c < s->nclasses; c++)
    flow_add(g, class_vertex(s, c), sink_vertex(s), s->classes[c].capacity);
}

MapSupply *supply_new(const Dfg *dfg, const Adg *adg, const MapCover *cover) {
  Arena *arena = arena_new();
  MapSupply *s = NEW(arena, MapSupply);
  s->adg = adg;
  s->arena = arena;
  find_classes(s, cover);
  find_slots(s);
  find_kinds(s, dfg, cover);
  make_graph(s);
  return s;
}

void supply_free(MapSupply *supply) {
  if (!supply) return;
  flow_free(&supply->flow);
  arena_free(supply->arena);
}

void supply_take(MapSupply *s, u32 cluster) {
  u32 kind = s->kind_of[cluster];
  s->kinds[kind].wanted++;
  s->flow.arcs.at[kind_arc(kind)].room++;
  s->unmet += 1 - flow_send(&s->flow, source_vertex(s), sink_vertex(s), 1);
}

/* If a cluster of the kind has no PE, that one is removed; else one PE is freed, which may serve
 * another kind. */
void supply_give(MapSupply *s, u32 cluster) {
  u32 kind = s->kind_of[cluster], arc = kind_arc(kind);
  bool has_pe = !s->flow.arcs.at[arc].room;
  s->kinds[kind].wanted--;
  if (has_pe) flow_take_back(&s->flow, arc, sink_vertex(s));
  s->flow.arcs.at[arc].room--;
  s->unmet -= has_pe ? flow_send(&s->flow, source_vertex(s), sink_vertex(s), 1) : 1;
}

/* ---- the reason ------------------------------------------------------------------------------ */

void supply_find_cut(MapSupply *s) {
  flow_search(&s->flow, source_vertex(s));
}

bool supply_reached_kind(const MapSupply *s, u32 kind) {
  return flow_reached(&s->flow, kind);
}
bool supply_reached_slot(const MapSupply *s, u32 slot) {
  return flow_reached(&s->flow, slot_vertex(s, slot));
}
bool supply_reached_class(const MapSupply *s, u32 class) {
  return flow_reached(&s->flow, class_vertex(s, class));
}

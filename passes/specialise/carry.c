/* carry.c -- transfers a mapping from a fabric onto a part of it. See specialise.h.
 *
 * Printing preserves the order: the k-th component that stays is the k-th of the part, and so for
 * the ports of each, and the units of a PE. So tables from old to new ids are built in one pass.
 * FIFOs that became wires are dropped from the routes, and the configuration image is made again.
 * use_lift applies the tables in the other direction, to uses. Linear in the fabric and the
 * mapping. */
#include "specialise/specialise.h"

#include "map/stages.h"

typedef struct {
  const FabricUse *use;
  const Adg *from, *to;
  u32 *components, *ports, *units; /* new ids by old ones; ADG_NONE: removed */
} Carry;

typedef struct {
  u32 *steps;
  u16 *tags;
  u32 n;
} Steps;

static void carry_component(Carry *c, u32 old_id, u32 new_id) {
  const AdgComponent *a = &c->from->components[old_id], *b = &c->to->components[new_id];
  u32 at = b->first_port;
  c->components[old_id] = new_id;
  for (u32 i = 0; i < a->ninputs + a->noutputs; i++)
    if (c->use->keeps[a->first_port + i]) c->ports[a->first_port + i] = at++;
  if (at != b->first_port + b->ninputs + b->noutputs || a->kind != b->kind)
    loom_bug("%s is not what it was", adg_name(c->from, old_id));
  if (!adg_is_pe(a)) return;
  const AdgPe *pe = &c->from->pes[a->detail];
  u32 unit = c->to->pes[b->detail].first_fu;
  for (u32 f = 0; f < pe->nfus; f++)
    if (c->use->units[pe->first_fu + f]) c->units[pe->first_fu + f] = unit++;
}

/* A table of n ids, all ADG_NONE. */
static u32 *new_ids(u32 n) {
  u32 *ids = mem_alloc(mem_size((size_t)n + 1, sizeof *ids));
  for (u32 i = 0; i < n; i++) ids[i] = ADG_NONE;
  return ids;
}

/* Appends the steps of a route to `to`, without those through wires. */
static void carry_steps(const Carry *c, const Mapping *m, Steps *to, MapRoute *route) {
  u32 begin = to->n;
  for (u32 k = route->first_step; k < route->first_step + route->nsteps; k++) {
    if (use_is_wire(c->use, c->from->ports[m->steps[k]].component)) continue;
    to->steps[to->n] = c->ports[m->steps[k]];
    to->tags[to->n++] = m->tags[k];
  }
  route->first_step = begin;
  route->nsteps = to->n - begin;
}

static void carry_routes(const Carry *c, Mapping *m) {
  size_t most = 1;
  for (u32 i = 0; i < m->nroutes; i++) most += m->routes[i].nsteps;
  Steps to = {NEW_ARRAY(m->arena, u32, most), NEW_ARRAY(m->arena, u16, most), 0};
  for (u32 i = 0; i < m->nroutes; i++) carry_steps(c, m, &to, &m->routes[i]);
  m->steps = to.steps;
  m->tags = to.tags;
  m->nsteps = to.n;
}

static u32 detail_of(const Carry *c, u32 component) {
  return c->to->components[c->components[component]].detail;
}

static void carry_places(const Carry *c, Mapping *m) {
  for (u32 k = 0; k < m->cover->nclusters; k++) {
    MapPlace *place = &m->places[k];
    const AdgPe *pe = &c->from->pes[place->pe];
    u32 unit = c->units[pe->first_fu + place->opcode];
    place->pe = detail_of(c, pe->component);
    place->opcode = unit - c->to->pes[place->pe].first_fu;
  }
}

/* Matches refer to bodies. A body that the part does not have becomes ADG_NONE: only matches that
 * the mapping does not use have those. */
static void carry_matches(const Carry *c, Mapping *m) {
  u32 *bodies = new_ids(c->from->nbodies);
  for (u32 f = 0; f < c->from->nfus; f++)
    if (c->units[f] != ADG_NONE) bodies[c->from->fus[f].body] = c->to->fus[c->units[f]].body;
  for (u32 k = 0; k < m->cover->nmatches; k++)
    if (m->cover->matches[k].body != ADG_NONE)
      m->cover->matches[k].body = bodies[m->cover->matches[k].body];
  mem_free(bodies);
}

static void carry_binding(const Carry *c, Mapping *m) {
  MapBinding *b = &m->binding;
  for (u32 i = 0; i < m->dfg->nargs; i++)
    if (b->args[i] != MAP_NONE) b->args[i] = c->components[b->args[i]];
  for (u32 i = 0; i < m->dfg->noutputs; i++) b->outputs[i] = c->components[b->outputs[i]];
  for (u32 i = 0; i < m->dfg->nmemories; i++) {
    MapMemory *at = &b->memories[i];
    if (at->memory != MAP_NONE) at->memory = detail_of(c, c->from->memories[at->memory].component);
  }
  b->input_tags = NEW_ARRAY(m->arena, u32, (size_t)c->to->ncomponents + 1);
}

static void carry_holds(const Carry *c, Mapping *m) {
  if (!m->holds) return;
  bool *holds = NEW_ARRAY(m->arena, bool, (size_t)c->to->ncomponents + 1);
  for (u32 i = 0; i < c->from->ncomponents; i++)
    if (c->components[i] != ADG_NONE) holds[c->components[i]] = m->holds[i];
  m->holds = holds;
}

static Carry carry_new(const FabricUse *use, const Adg *to) {
  Carry c = {use, use->adg, to, NULL, NULL, NULL};
  c.components = new_ids(c.from->ncomponents);
  c.ports = new_ids(c.from->nports);
  c.units = new_ids(c.from->nfus);
  for (u32 i = 0, k = 0; i < c.from->ncomponents; i++)
    if (use->stays[i]) carry_component(&c, i, k++);
  return c;
}

static void carry_free(Carry *c) {
  mem_free(c->components);
  mem_free(c->ports);
  mem_free(c->units);
}

void use_carry(const FabricUse *use, Mapping *m, const Layout *layout) {
  Carry c = carry_new(use, layout->adg);
  carry_routes(&c, m);
  MapBandwidth *channel = &m->stats.bandwidth;
  u32 busiest = m->stats.is_busy ? c.from->pes[m->stats.busiest_pe].component : ADG_NONE;
  carry_places(&c, m);
  carry_matches(&c, m);
  carry_binding(&c, m);
  carry_holds(&c, m);
  if (busiest != ADG_NONE) m->stats.busiest_pe = detail_of(&c, busiest);
  if (channel->requests)
    channel->memory = detail_of(&c, c.from->memories[channel->memory].component);
  m->adg = c.to;
  m->layout = layout;
  m->chain = mapping_chain(m, m->arena);
  m->stats.critical_path = m->chain.length;
  mapping_configure(m);
  carry_free(&c);
}

/* ---- lifting a use --------------------------------------------------------------------------- */

static u32 larger(u32 a, u32 b) {
  return a > b ? a : b;
}

static void lift_switch(const Carry *c, FabricUse *whole, const FabricUse *part, u32 component) {
  const AdgComponent *a = &c->from->components[component];
  const AdgSwitch *old_switch = &c->from->switches[a->detail];
  const AdgSwitch *new_switch = &c->to->switches[detail_of(c, component)];
  for (u32 o = 0; o < a->noutputs; o++) {
    u32 out = c->ports[adg_output(c->from, component, o)];
    if (out == ADG_NONE) continue;
    u32 row = part->rows[new_switch->first_row + c->to->ports[out].index];
    for (u32 i = 0; i < a->ninputs; i++) {
      u32 in = c->ports[a->first_port + i];
      if (in != ADG_NONE && row >> c->to->ports[in].index & 1)
        whole->rows[old_switch->first_row + o] |= (u32)1 << i;
    }
  }
}

static void lift_memory(const Carry *c, FabricUse *whole, const FabricUse *part, u32 component) {
  u32 old_id = c->from->components[component].detail, new_id = detail_of(c, component);
  whole->loads[old_id] = larger(whole->loads[old_id], part->loads[new_id]);
  whole->stores[old_id] = larger(whole->stores[old_id], part->stores[new_id]);
  whole->regions[old_id] = larger(whole->regions[old_id], part->regions[new_id]);
}

void use_lift(FabricUse *whole, const FabricUse *decided, const FabricUse *part) {
  Carry c = carry_new(decided, part->adg);
  for (u32 i = 0; i < c.from->nports; i++)
    if (c.ports[i] != ADG_NONE) whole->ports[i] |= part->ports[c.ports[i]];
  for (u32 f = 0; f < c.from->nfus; f++)
    if (c.units[f] != ADG_NONE) whole->units[f] |= part->units[c.units[f]];
  for (u32 i = 0; i < c.from->ncomponents; i++) {
    if (c.components[i] == ADG_NONE) continue;
    const AdgComponent *component = &c.from->components[i];
    whole->holds[i] |= part->holds[c.components[i]];
    if (adg_is_switch(component)) lift_switch(&c, whole, part, i);
    if (adg_is_memory(component)) lift_memory(&c, whole, part, i);
    u32 *n = adg_is_pe(component) ? &whole->instructions[component->detail] : NULL;
    if (n) *n = larger(*n, part->instructions[detail_of(&c, i)]);
  }
  carry_free(&c);
}

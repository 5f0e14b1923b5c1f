/* use.c -- records the parts of a fabric that mappings use, and decides which remain. See
 * specialise.h.
 *
 * A mapping names its function units and its memories, and each of its routes is a list of ports:
 * out of a component, into the next, and so on. Two consecutive ports of one component, in and out,
 * are a path through it.
 *
 * Adding a mapping is linear in its routes. use_decide is linear in the fabric for each round of
 * drop_undriven, which follows chains of undriven components step by step. */
#include "specialise/specialise.h"

FabricUse *use_new(const Adg *adg) {
  Arena *arena = arena_new();
  FabricUse *use = NEW(arena, FabricUse);
  use->arena = arena;
  use->adg = adg;
  use->ports = NEW_ARRAY(arena, bool, adg->nports);
  use->units = NEW_ARRAY(arena, bool, adg->nfus);
  use->holds = NEW_ARRAY(arena, bool, adg->ncomponents);
  use->rows = NEW_ARRAY(arena, u32, adg->nrows);
  use->loads = NEW_ARRAY(arena, u32, adg->nmemories);
  use->stores = NEW_ARRAY(arena, u32, adg->nmemories);
  use->regions = NEW_ARRAY(arena, u32, adg->nmemories);
  use->instructions = NEW_ARRAY(arena, u32, adg->npes);
  use->stays = NEW_ARRAY(arena, bool, adg->ncomponents);
  use->keeps = NEW_ARRAY(arena, bool, adg->nports);
  return use;
}

FabricUse *use_of_all(const Adg *adg) {
  FabricUse *use = use_new(adg);
  for (u32 i = 0; i < adg->nports; i++) use->ports[i] = true;
  for (u32 i = 0; i < adg->nfus; i++) use->units[i] = true;
  for (u32 i = 0; i < adg->ncomponents; i++) use->holds[i] = true;
  for (u32 i = 0; i < adg->nrows; i++) use->rows[i] = adg->rows[i];
  for (u32 i = 0; i < adg->npes; i++) use->instructions[i] = adg->pes[i].num_instruction;
  for (u32 i = 0; i < adg->nmemories; i++) {
    use->loads[i] = adg->memories[i].nloads;
    use->stores[i] = adg->memories[i].nstores;
    use->regions[i] = adg->memories[i].nregions;
  }
  return use;
}

void use_free(FabricUse *use) {
  if (use) arena_free(use->arena);
}

static void at_least(u32 *most, u32 n) {
  if (*most < n) *most = n;
}

static void add_route(FabricUse *use, const Mapping *m, u32 first, u32 n) {
  const Adg *adg = use->adg;
  for (u32 k = 0; k < n; k++) {
    u32 port = m->steps[first + k];
    const AdgPort *in = &adg->ports[port];
    use->ports[port] = true;
    if (in->is_output || k + 1 == n) continue;
    const AdgPort *out = &adg->ports[m->steps[first + k + 1]];
    const AdgComponent *c = &adg->components[in->component];
    if (adg_is_switch(c))
      use->rows[adg->switches[c->detail].first_row + out->index] |= (u32)1 << in->index;
  }
}

static void add_places(FabricUse *use, const Mapping *m) {
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    const MapPlace *place = &m->places[c];
    use->units[use->adg->pes[place->pe].first_fu + place->opcode] = true;
    at_least(&use->instructions[place->pe], place->instruction + 1);
  }
}

static void add_memories(FabricUse *use, const Mapping *m) {
  for (u32 i = 0; i < m->dfg->nmemories; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    const MapMemory *at = &m->binding.memories[i];
    at_least(&use->regions[at->memory], at->region + 1);
    for (u32 p = 0; p < dfg_memory_ports(memory); p++)
      at_least(p < memory->nstores ? &use->stores[at->memory] : &use->loads[at->memory],
               m->binding.lanes[memory->first_port + p] + 1);
  }
}

void use_add(FabricUse *use, const Mapping *m) {
  add_places(use, m);
  add_memories(use, m);
  for (u32 i = 0; i < m->nroutes; i++)
    add_route(use, m, m->routes[i].first_step, m->routes[i].nsteps);
  for (u32 c = 0; m->holds && c < use->adg->ncomponents; c++) use->holds[c] |= m->holds[c];
}

bool use_covers(const FabricUse *use, const Mapping *m) {
  FabricUse *own = use_new(use->adg);
  bool covers = true;
  use_add(own, m);
  for (u32 i = 0; i < use->adg->nfus; i++) covers &= !own->units[i] || use->units[i];
  for (u32 i = 0; i < use->adg->nports; i++) covers &= !own->ports[i] || use->ports[i];
  for (u32 i = 0; i < use->adg->nrows; i++) covers &= !(own->rows[i] & ~use->rows[i]);
  use_free(own);
  return covers;
}

/* ---- the part in use ------------------------------------------------------------------------- */

bool use_is_wire(const FabricUse *use, u32 component) {
  const AdgComponent *c = &use->adg->components[component];
  return adg_class(c->kind) == CLASS_FIFO && use->adg->fifos[c->detail].bypassable &&
         !use->holds[component];
}

u32 use_driver(const FabricUse *use, u32 input) {
  u32 from = adg_driver(use->adg, input);
  while (use_is_wire(use, use->adg->ports[from].component))
    from = adg_driver(use->adg, adg_input(use->adg, use->adg->ports[from].component, 0));
  return from;
}

static bool has_port(const FabricUse *use, u32 component) {
  const AdgComponent *c = &use->adg->components[component];
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++)
    if (use->ports[c->first_port + i]) return true;
  return false;
}

static bool has_unit(const FabricUse *use, const AdgPe *pe) {
  for (u32 f = 0; f < pe->nfus; f++)
    if (use->units[pe->first_fu + f]) return true;
  return false;
}

/* Every switch and PE must have an output, even a switch that only discards. */
static void keep_an_output(FabricUse *use, u32 component) {
  const AdgComponent *c = &use->adg->components[component];
  for (u32 o = 0; o < c->noutputs; o++)
    if (use->keeps[adg_output(use->adg, component, o)]) return;
  if (c->noutputs) use->keeps[adg_output(use->adg, component, 0)] = true;
}

static void decide_component(FabricUse *use, u32 component) {
  const AdgComponent *c = &use->adg->components[component];
  AdgClass class = adg_class(c->kind);
  use->stays[component] = has_port(use, component) && !use_is_wire(use, component) &&
                          (class != CLASS_PE || has_unit(use, &use->adg->pes[c->detail]));
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++)
    use->keeps[c->first_port + i] = use->stays[component] && use->ports[c->first_port + i];
}

static bool is_driven(const FabricUse *use, u32 input) {
  return use->keeps[use_driver(use, input)];
}

/* Removes inputs without a driver, outputs of switches that no input reaches then, and FIFOs, tag
 * components and outputs of the fabric without their input. False if there were none. */
static bool drop_undriven(FabricUse *use) {
  const Adg *adg = use->adg;
  bool has_removed = false;
  for (u32 i = 0; i < adg->nports; i++) {
    if (adg->ports[i].is_output || !use->keeps[i] || is_driven(use, i)) continue;
    use->keeps[i] = false;
    has_removed = true;
  }
  for (u32 s = 0; s < adg->nswitches; s++) {
    const AdgSwitch *sw = &adg->switches[s];
    const AdgComponent *c = &adg->components[sw->component];
    u32 inputs = 0;
    for (u32 i = 0; i < c->ninputs; i++) inputs |= (u32)use->keeps[c->first_port + i] << i;
    for (u32 o = 0; o < c->noutputs; o++) {
      u32 *row = &use->rows[sw->first_row + o];
      bool *keeps = &use->keeps[adg_output(adg, sw->component, o)];
      *row &= inputs;
      if (!*keeps || *row) continue;
      *keeps = false;
      has_removed = true;
    }
    if (!inputs) use->stays[sw->component] = false;
  }
  for (u32 t = 0; t < adg->ncomponents; t++) {
    const AdgComponent *c = &adg->components[t];
    bool is_conduit = adg_passes_tokens(c) && !adg_is_switch(c);
    if (!use->stays[t] || !(is_conduit || c->kind == ADG_OUTPUT) || use->keeps[c->first_port])
      continue;
    use->stays[t] = false;
    if (is_conduit) use->keeps[adg_output(adg, t, 0)] = false;
    has_removed = true;
  }
  return has_removed;
}

/* A memory keeps the ports (of each family, adg.h) of as many lanes as are in use. */
static void decide_memory(FabricUse *use, u32 m) {
  const AdgMemory *memory = &use->adg->memories[m];
  bool stays = use->loads[m] || use->stores[m];
  use->stays[memory->component] = stays;
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++) {
    u32 lanes = adg_is_load_family(f) ? use->loads[m] : use->stores[m];
    for (u32 i = 0; i < adg_family_ports(memory, f); i++)
      use->keeps[memory->ports[f] + i] = i < lanes;
  }
}

/* Lane i is on port i modulo channels, so unused lanes below the last used one keep their ports,
 * too; keep the outputs, such as those of bridges, that drive these. */
static void drive_memory(FabricUse *use, u32 m) {
  const Adg *adg = use->adg;
  const AdgMemory *memory = &adg->memories[m];
  for (u32 f = 0; f < ADG_FAMILY_COUNT; f++)
    for (u32 i = 0; i < adg_family_ports(memory, f); i++) {
      u32 port = memory->ports[f] + i;
      if (!use->keeps[port] || adg->ports[port].is_output) continue;
      u32 driver = adg_driver(adg, port);
      use->keeps[driver] |= use->stays[adg->ports[driver].component];
    }
}

void use_decide(FabricUse *use) {
  const Adg *adg = use->adg;
  for (u32 c = 0; c < adg->ncomponents; c++) decide_component(use, c);
  for (u32 m = 0; m < adg->nmemories; m++) decide_memory(use, m);
  for (u32 m = 0; m < adg->nmemories; m++) drive_memory(use, m);
  for (u32 c = 0; c < adg->ncomponents; c++) {
    AdgClass class = adg_class(adg->components[c].kind);
    if (use->stays[c] && (class == CLASS_PE || class == CLASS_SWITCH)) keep_an_output(use, c);
  }
  for (u32 s = 0; s < adg->nswitches; s++) { /* outputs kept although no route uses them */
    const AdgSwitch *sw = &adg->switches[s];
    for (u32 o = 0; o < adg->components[sw->component].noutputs; o++)
      if (use->keeps[adg_output(adg, sw->component, o)] && !use->rows[sw->first_row + o])
        use->rows[sw->first_row + o] = adg->rows[sw->first_row + o];
  }
  while (drop_undriven(use)) {
  }
}

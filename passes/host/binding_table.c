/* binding_table.c -- loom.binding/1: the units, regions and operands of the machine that correspond
 * to arguments, outputs, memories and edges of the graph that was mapped. */
#include "host/design.h"
#include "machine/connect.h"
#include "machine/origin.h"

void design_bind(loom_design *design, const Dfg *asked, const ProofDomains *proved,
                 const MapBinding *binding, const Origins *origins, const Case *input) {
  design->asked = design_new(design->ctx, asked, proved, input, NULL);
  design->binding = binding;
  design->origins = origins;
  design->input = input;
  design->ports = NEW_ARRAY(design->arena, u32, design->machine->adg->ncomponents);
  for (u32 c = 0; c < design->machine->adg->ncomponents; c++) design->ports[c] = LOOM_NONE;
  for (u32 u = 0; u < design->machine->nunits; u++) {
    const MachineUnit *unit = &design->machine->units[u];
    bool is_port = unit->kind == UNIT_INPUT || unit->kind == UNIT_OUTPUT;
    if (is_port && design->ports[unit->component] == LOOM_NONE) design->ports[unit->component] = u;
  }
}

void design_explain(loom_design *design, const json_t *mapping, const Source *mapping_text,
                    const Source *drawing) {
  design->mapping = mapping;
  design->mapping_text = mapping_text;
  design->drawing = drawing;
}

static const loom_design *graph(const loom_design *d) {
  return d->asked;
}

/* The unit of an input or output of the fabric. */
static u32 port_unit(const loom_design *d, u32 component) {
  return component == MAP_NONE ? LOOM_NONE : d->ports[component];
}

static u32 argument(const loom_design *d, u32 i) {
  return i < d->asked->dfg->nargs ? port_unit(d, d->binding->args[i]) : LOOM_NONE;
}

static u32 output(const loom_design *d, u32 i) {
  return i < d->asked->dfg->noutputs ? port_unit(d, d->binding->outputs[i]) : LOOM_NONE;
}

static u32 region(const loom_design *d, u32 memory) {
  if (memory >= d->asked->dfg->nmemories) return LOOM_NONE;
  return connect_region(d->machine, d->binding, memory);
}

static uint64_t elements(const loom_design *d, u32 memory) {
  if (region(d, memory) == LOOM_NONE) return 0;
  return connect_elements(d->machine, d->asked->dfg, d->binding, memory);
}

static uint32_t edge(const loom_design *d, uint32_t input) {
  return input < d->machine->ninputs ? origin_edge(d->origins, input) : LOOM_NONE;
}

static const loom_domains *domains(const loom_design *d) {
  return d->asked->proved ? &loom_domains_table : NULL;
}

const loom_binding loom_binding_table = {
    .size = sizeof(loom_binding),
    .graph = graph,
    .argument = argument,
    .output = output,
    .region = region,
    .elements = elements,
    .edge = edge,
    .domains = domains,
};

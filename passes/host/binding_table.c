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

/* The unit of this kind of a component of the fabric. */
static u32 unit_at(const loom_design *d, u32 component, MachineUnitKind kind) {
  for (u32 u = 0; component != MAP_NONE && u < d->machine->nunits; u++)
    if (d->machine->units[u].kind == kind && d->machine->units[u].component == component) return u;
  return LOOM_NONE;
}

static u32 argument(const loom_design *d, u32 i) {
  return i < d->asked->dfg->nargs ? unit_at(d, d->binding->args[i], UNIT_INPUT) : LOOM_NONE;
}

static u32 output(const loom_design *d, u32 i) {
  return i < d->asked->dfg->noutputs ? unit_at(d, d->binding->outputs[i], UNIT_OUTPUT) : LOOM_NONE;
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

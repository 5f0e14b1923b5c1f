/* decode.c -- hardware as a graph that has the ports of the graph it was made for. */
#include "check/check.h"

/* The memref type of a memory of the graph. */
static const Type *memory_type(Context *ctx, const Dfg *dfg, const DfgMemory *memory) {
  const Type *elem = dfg->types[memory->elem].ir;
  if (memory->arg != DFG_NONE) return dfg->types[dfg->args[memory->arg].type].ir;
  return type_memref(ctx, dfg->extents + memory->first_extent, memory->rank, elem, NULL, NULL);
}

static const Attr *initial_contents(Context *ctx, const Dfg *dfg, const DfgMemory *memory) {
  if (!memory->ninitials) return NULL;
  const Type *shape = type_tensor(ctx, dfg->extents + memory->first_extent, memory->rank,
                                  dfg->types[memory->elem].ir, NULL);
  return attr_dense(ctx, shape, dfg->initials + memory->first_initial, (u32)memory->ninitials,
                    memory->ninitials == 1);
}

static ConfFacePort memory_port(Context *ctx, const Dfg *dfg, u32 m, const MapBinding *binding) {
  const DfgMemory *memory = &dfg->memories[m];
  return (ConfFacePort){.name = dfg_text(dfg, memory->name),
                        .component = ADG_NONE,
                        .memory = binding->memories[m].memory,
                        .region = binding->memories[m].region,
                        .type = memory_type(ctx, dfg, memory),
                        .init = initial_contents(ctx, dfg, memory)};
}

Op *mapping_decode(Module *m, const Dfg *dfg, const Configured *conf, const MapBinding *binding) {
  ConfFacePort *args = NEW_ARRAY(m->arena, ConfFacePort, dfg->nargs + (size_t)1),
               *outputs = NEW_ARRAY(m->arena, ConfFacePort, dfg->noutputs + (size_t)1),
               *locals = NEW_ARRAY(m->arena, ConfFacePort, dfg->nmemories + (size_t)1);
  ConfFace face = {.name = dfg_text(dfg, dfg->name),
                   .nargs = dfg->nargs,
                   .noutputs = dfg->noutputs,
                   .args = args,
                   .outputs = outputs,
                   .locals = locals};
  for (u32 a = 0; a < dfg->nargs; a++)
    args[a] = (ConfFacePort){.name = dfg_text(dfg, dfg->args[a].name),
                             .component = binding->args[a],
                             .memory = ADG_NONE,
                             .region = ADG_NONE,
                             .type = dfg->types[dfg->args[a].type].ir};
  for (u32 o = 0; o < dfg->noutputs; o++)
    outputs[o] = (ConfFacePort){.name = dfg_text(dfg, dfg->outputs[o].name),
                                .component = binding->outputs[o],
                                .memory = ADG_NONE,
                                .region = ADG_NONE,
                                .type = dfg->types[dfg->outputs[o].type].ir};
  for (u32 k = 0; k < dfg->nmemories; k++) {
    const DfgMemory *memory = &dfg->memories[k];
    if (memory->nstores + memory->nloads == 0) continue;
    ConfFacePort port = memory_port(m->ctx, dfg, k, binding);
    if (memory->arg == DFG_NONE) {
      locals[face.nlocals++] = port;
    } else {
      port.name = args[memory->arg].name;
      args[memory->arg] = port;
    }
  }
  return configured_graph(m, conf, &face);
}

/* decode.c -- see decode.h. */
#include "decode.h"

#include "check/net.h"
#include "verify/verify.h"

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

static ConfSignaturePort memory_port(Context *ctx, const Dfg *dfg, u32 m,
                                     const MapBinding *binding) {
  const DfgMemory *memory = &dfg->memories[m];
  return (ConfSignaturePort){.name = dfg_text(dfg, memory->name),
                             .component = ADG_NONE,
                             .memory = binding->memories[m].memory,
                             .region = binding->memories[m].region,
                             .type = memory_type(ctx, dfg, memory),
                             .init = initial_contents(ctx, dfg, memory)};
}

/* At the end of `m`, with the arguments, results and memories of `dfg`. */
static Op *decode(Module *m, const Dfg *dfg, const Configured *conf, const MapBinding *binding) {
  ConfSignaturePort *args = NEW_ARRAY(m->arena, ConfSignaturePort, dfg->nargs + (size_t)1),
                    *outputs = NEW_ARRAY(m->arena, ConfSignaturePort, dfg->noutputs + (size_t)1),
                    *locals = NEW_ARRAY(m->arena, ConfSignaturePort, dfg->nmemories + (size_t)1);
  ConfSignature signature = {.name = dfg_text(dfg, dfg->name),
                             .nargs = dfg->nargs,
                             .noutputs = dfg->noutputs,
                             .args = args,
                             .outputs = outputs,
                             .locals = locals};
  for (u32 a = 0; a < dfg->nargs; a++)
    args[a] = (ConfSignaturePort){.name = dfg_text(dfg, dfg->args[a].name),
                                  .component = binding->args[a],
                                  .memory = ADG_NONE,
                                  .region = ADG_NONE,
                                  .type = dfg->types[dfg->args[a].type].ir};
  for (u32 o = 0; o < dfg->noutputs; o++)
    outputs[o] = (ConfSignaturePort){.name = dfg_text(dfg, dfg->outputs[o].name),
                                     .component = binding->outputs[o],
                                     .memory = ADG_NONE,
                                     .region = ADG_NONE,
                                     .type = dfg->types[dfg->outputs[o].type].ir};
  for (u32 k = 0; k < dfg->nmemories; k++) {
    const DfgMemory *memory = &dfg->memories[k];
    if (memory->nstores + memory->nloads == 0) continue;
    ConfSignaturePort port = memory_port(m->ctx, dfg, k, binding);
    if (memory->arg == DFG_NONE) {
      locals[signature.nlocals++] = port;
    } else {
      port.name = args[memory->arg].name;
      args[memory->arg] = port;
    }
  }
  return configured_graph(m, conf, &signature);
}

bool decoded_of(Context *ctx, const Dfg *asked, const Image *image, const MapBinding *binding,
                Decoded *d) {
  *d = (Decoded){configured_new(ctx, image), module_new(ctx), NULL};
  Op *func = decode(d->module, asked, d->conf, binding);
  d->dfg = func && verify_module(d->module) ? dfg_freeze(ctx, func) : NULL;
  return d->dfg;
}

void decoded_free(Decoded *d) {
  dfg_free(d->dfg);
  module_free(d->module);
  configured_free(d->conf);
}

/* Which operation of the hardware carries out each node; MAP_NONE: it is none. */
static u32 *pairs_of(const Dfg *dfg, const Configured *conf, const MapBinding *binding) {
  Context *ctx = context_new(); /* nothing is said here */
  Net graph = {0}, hardware = {0};
  u32 *op_of = mem_alloc(mem_size(dfg->nnodes + (size_t)1, sizeof *op_of));
  ctx->err = NULL;
  memset(op_of, 0xff, mem_size(dfg->nnodes, sizeof *op_of));
  net_of_graph(ctx, dfg, conf->adg, binding, &graph);
  net_of_hardware(dfg, conf, binding, &hardware);
  u32 *pairs = mem_alloc(mem_size(graph.nnodes + (size_t)1, sizeof *pairs));
  nets_match(ctx, &graph, &hardware, pairs);
  for (u32 x = 0; x < graph.nnodes; x++)
    if (graph.nodes[x].kind == NET_OP && pairs[x] != MAP_NONE)
      op_of[graph.nodes[x].of] = hardware.nodes[pairs[x]].of;
  mem_free(pairs);
  net_free(&graph);
  net_free(&hardware);
  context_free(ctx);
  return op_of;
}

bool decoded_tokens_agree(const Dfg *asked, const Decoded *d, const MapBinding *binding,
                          const Trial *a, const Trial *b) {
  u32 *op_of = pairs_of(asked, d->conf, binding);
  bool same = true;
  for (u32 n = 0; n < asked->nnodes; n++)
    for (u32 r = 0; op_of[n] != MAP_NONE && r < asked->nodes[n].nresults; r++) {
      Buf name = {0};
      conf_op_name(d->conf, op_of[n], &name);
      u32 node = dfg_find_node(d->dfg, name.data);
      buf_free(&name);
      if (node != DFG_NONE &&
          history_equal(&a->trace.results[asked->nodes[n].first_result + r],
                        &b->trace.results[d->dfg->nodes[node].first_result + r]))
        continue;
      printf("'%s' has other tokens\n", dfg_text(asked, asked->nodes[n].name));
      same = false;
    }
  mem_free(op_of);
  return same;
}

bool decoded_names_hold(const Decoded *d) {
  const Configured *conf = d->conf;
  bool hold = true;
  for (u32 o = 0; o < conf->nops; o++) {
    Buf name = {0};
    conf_op_name(conf, o, &name);
    u32 node = dfg_find_node(d->dfg, name.data);
    hold &=
        node != DFG_NONE && d->dfg->nodes[node].kind == conf->adg->nodes[conf->ops[o].node].kind;
    buf_free(&name);
  }
  return hold;
}

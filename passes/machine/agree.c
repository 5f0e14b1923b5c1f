/* agree.c -- compares the tokens of each edge in the machine and in the graph. A history keeps a
 * hash and a count of an edge's tokens, not the tokens. */
#include "machine/agree.h"

struct Agreement {
  const Origins *origins;
  History *histories; /* by edge */
  Arena *arena;
};

Agreement *agree_new(const Origins *origins) {
  Arena *arena = arena_new();
  Agreement *a = NEW(arena, Agreement);
  *a = (Agreement){.origins = origins, .arena = arena};
  a->histories = NEW_ARRAY(arena, History, origins->dfg->nedges + (size_t)1);
  return a;
}

void agree_free(Agreement *a) {
  if (!a) return;
  for (u32 e = 0; e < a->origins->dfg->nedges; e++) history_free(&a->histories[e]);
  arena_free(a->arena); /* the agreement is in it too */
}

void agree_take(Agreement *a, u32 input, u64 value, const u64 *wide) {
  u32 edge = a->origins->edge_of[input];
  if (edge == DFG_NONE) return;
  const DfgType *type = dfg_edge_type(a->origins->dfg, edge);
  u32 bits = type->bits;
  if (type->kind == TYPE_TUPLE) {
    history_piece(&a->histories[edge], wide[2 * value], 8);
    history_token(&a->histories[edge], wide[2 * value + 1], history_bytes(bits - 64));
    return;
  }
  history_token(&a->histories[edge], value & eval_mask(bits), history_bytes(bits));
}

bool agree_compare(Context *ctx, const Agreement *a, const TokenTrace *trace, u32 *compared) {
  const Dfg *dfg = a->origins->dfg;
  const Machine *m = a->origins->machine;
  *compared = 0;
  for (u32 e = 0; e < dfg->nedges; e++) {
    const DfgEdge *edge = &dfg->edges[e];
    if (a->origins->input_of[e] == MACHINE_NONE) continue;
    ++*compared;
    const History *in_graph = &trace->results[edge->result], *in_machine = &a->histories[e];
    if (history_equal(in_graph, in_machine)) continue;
    const MachineInput *in = &m->inputs[a->origins->input_of[e]];
    diag(ctx, dfg->nodes[edge->to].loc, RT_ENGINES_DIFFER,
         "edge '%s': %llu token%s in the graph, %llu at operand %u of '%s' in the machine%s",
         dfg_text(dfg, edge->name), (unsigned long long)in_graph->count, plural(in_graph->count),
         (unsigned long long)in_machine->count, in->index,
         adg_name(m->adg, m->units[in->unit].component),
         in_graph->count == in_machine->count ? ", with different values" : "");
    return false;
  }
  return true;
}

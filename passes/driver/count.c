/* count.c -- counts the nodes of a graph by kind, in one pass over its ops: see steps.h. */
#include "driver/steps.h"

GraphCount graph_count(const Op *func) {
  GraphCount count = {0};
  for_each_op (op, region_entry(&func->regions[0])) {
    for (u32 i = 0; i < op->noperands; i++)
      count.edges += !type_is_memref(op_operand(op, i)->type); /* a memref is a name, no wire */
    switch (op->kind) {
    case OP_HANDSHAKE_RETURN: break;
    case OP_HANDSHAKE_MEMORY:
    case OP_HANDSHAKE_EXTMEMORY: count.memories++; break;
    case OP_HANDSHAKE_LOAD:
    case OP_HANDSHAKE_STORE: count.ports++; break;
    default: count.nodes++; count.kinds[op->kind]++;
    }
  }
  return count;
}

u32 graph_next_kind(const GraphCount *count, u32 last) {
  u32 most = last < OP_COUNT ? count->kinds[last] : UINT32_MAX, best = OP_COUNT, found = 0;
  for (u32 k = 0; k < OP_COUNT; k++) {
    u32 n = count->kinds[k];
    bool is_later = n < most || (n == most && k > last);
    if (n > found && is_later) {
      best = k;
      found = n;
    }
  }
  return best;
}

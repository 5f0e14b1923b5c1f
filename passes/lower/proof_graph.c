/* proof_graph.c -- numbers a graph for the proofs: ops, values, and the parts that fire alone.
 *
 * The IR is a web of pointers; the proofs want arrays. Op.index becomes the op's place in its
 * block, values get ids (arguments first, then results op by op), parts get ids op by op. What the
 * proofs walk along, from an op to its operands and from a value to its takers, is copied into
 * arrays of such ids: they are a tenth of the IR's size and stay in the cache.
 *
 * Also here: the identity of a value. `fork`, `lazy_fork`, `buffer` and `br` pass tokens on
 * unchanged, so a condition seen through them is the same condition, and all proofs compare
 * identities rather than values. A chain of them is followed once, front to back, with the answer
 * left at every value on the way: linear, and safe on chains that bite their own tail. */
#include "lower/proof_parts.h"

Ports memory_ports(const Op *memory) {
  Ports ports = {.stores = (u32)op_attr_int(memory, "stCount", 0),
                 .loads = (u32)op_attr_int(memory, "ldCount", 0),
                 .addresses = 1,
                 .first = memory->kind == OP_HANDSHAKE_EXTMEMORY};
  u32 operands = memory->noperands - ports.first, count = ports.stores + ports.loads;
  if (count && operands > ports.stores) ports.addresses = (operands - ports.stores) / count;
  return ports;
}

static u32 count_parts(const Op *op) {
  if (op->kind == OP_HANDSHAKE_LOAD || op->kind == OP_DATAFLOW_GATE) return 2;
  if (!is_memory(op)) return 1;
  Ports ports = memory_ports(op);
  return ports.stores + ports.loads;
}

/* The ports of memory number `op`. */
static const Ports *ports_at(const Proof *p, u32 op) {
  size_t low = 0, high = p->memories.len;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (p->memories.at[middle].op <= op)
      low = middle;
    else
      high = middle;
  }
  return &p->memories.at[low].ports;
}

PartSpan split_parts_of_operand(const Proof *p, u32 op, u32 i) {
  u32 first = p->first_part[op], per_store, port, at;
  if (p->is_name[operand_at(p, op, i)]) return (PartSpan){first, first};
  switch (p->kind[op]) {
  case OP_DATAFLOW_GATE: return (PartSpan){first, first + 2};
  case OP_HANDSHAKE_LOAD:
    port = i + 2 == operand_count(p, op); /* the data */
    return (PartSpan){first + port, first + port + 1};
  case OP_HANDSHAKE_MEMORY:
  case OP_HANDSHAKE_EXTMEMORY: {
    const Ports *ports = ports_at(p, op);
    at = i - ports->first;
    per_store = 1 + ports->addresses;
    port = at / per_store;
    if (port >= ports->stores)
      port = ports->stores + (at - ports->stores * per_store) / ports->addresses;
    return (PartSpan){first + port, first + port + 1};
  }
  default: return (PartSpan){first, first + 1};
  }
}

u32 part_of_result(const Proof *p, u32 op, u32 r) {
  u32 first = p->first_part[op];
  switch (p->kind[op]) {
  case OP_DATAFLOW_GATE: return first + r;
  case OP_HANDSHAKE_LOAD: return first + (r == 0);
  case OP_HANDSHAKE_MEMORY:
  case OP_HANDSHAKE_EXTMEMORY: {
    /* load data, store dones, load dones: the dones are in the order of the parts */
    const Ports *ports = ports_at(p, op);
    return r < ports->loads ? first + ports->stores + r : first + r - ports->loads;
  }
  default: return first;
  }
}

static bool is_memory_kind(u16 kind) {
  return kind == OP_HANDSHAKE_MEMORY || kind == OP_HANDSHAKE_EXTMEMORY;
}

u32 split_next_operand(const Proof *p, u32 op, u32 part, u32 i) {
  u32 noperands = operand_count(p, op);
  if (is_memory_kind(p->kind[op])) {
    Ports ports = *ports_at(p, op);
    u32 port = part - p->first_part[op], per_store = 1 + ports.addresses;
    bool is_store = port < ports.stores;
    u32 first = ports.first +
                (is_store ? port * per_store
                          : ports.stores * per_store + (port - ports.stores) * ports.addresses);
    u32 end = first + (is_store ? per_store : ports.addresses);
    return i < first ? first : i < end ? i : noperands;
  }
  for (; i < noperands; i++) {
    PartSpan parts = parts_of_operand(p, op, i);
    if (part >= parts.first && part < parts.end) break;
  }
  return i;
}

u32 split_next_result(const Proof *p, u32 op, u32 part, u32 r) {
  u32 nresults = result_count(p, op);
  if (is_memory_kind(p->kind[op])) {
    Ports ports = *ports_at(p, op);
    u32 port = part - p->first_part[op], done = ports.loads + port;
    if (port >= ports.stores && r <= port - ports.stores) return port - ports.stores;
    return r <= done ? done : nresults;
  }
  while (r < nresults && part_of_result(p, op, r) != part) r++;
  return r;
}

/* True where `value` is a copy of the first operand of its op. */
static bool is_passed_on(const Proof *p, u32 value) {
  if (p->def[value] == NO_OP) return false;
  u16 kind = p->kind[p->def[value]];
  return kind == OP_HANDSHAKE_FORK || kind == OP_HANDSHAKE_LAZY_FORK ||
         kind == OP_HANDSHAKE_BUFFER || kind == OP_HANDSHAKE_BR;
}

static void find_identities(Proof *p) {
  const u32 unknown = UINT32_MAX, open = UINT32_MAX - 1;
  Vec(u32) chain = {0};
  for (u32 v = 0; v < p->nvalues; v++) p->same[v] = unknown;
  for (u32 v = 0; v < p->nvalues; v++) {
    u32 at = v;
    while (p->same[at] == unknown && is_passed_on(p, at)) {
      p->same[at] = open;
      vec_push(&chain, at);
      at = p->operand[p->first_operand[p->def[at]]];
    }
    /* `at` is known, or the start of the chain, or, in a ring of buffers, seen before: then any
     * of them will do */
    u32 root = p->same[at] == unknown || p->same[at] == open ? at : p->same[at];
    p->same[at] = root;
    while (chain.len) p->same[vec_pop(&chain)] = root;
  }
  vec_free(&chain);
}

/* Numbers the ops and counts parts, values and operands, in one walk along the block. */
static u32 number_ops(Proof *p, const Block *body) {
  Vec(Op *) ops = {0};
  Vec(u32) first_value = {0};
  u32 noperands = 0;
  p->nvalues = body->nargs;
  for_each_op (op, body) {
    op->index = (u32)ops.len;
    vec_push(&ops, op);
    vec_push(&first_value, p->nvalues);
    if (is_memory(op)) vec_push(&p->memories, ((Memory){op->index, memory_ports(op)}));
    p->nparts += count_parts(op);
    p->nvalues += op->nresults;
    noperands += op->noperands;
  }
  p->nops = (u32)ops.len;
  vec_push(&first_value, p->nvalues);
  p->ops = arena_copy(p->arena, ops.at, mem_size(ops.len, sizeof *ops.at));
  p->first_value = arena_copy(p->arena, first_value.at, mem_size(first_value.len, sizeof(u32)));
  vec_free(&ops);
  vec_free(&first_value);
  return noperands;
}

/* Lists what op number i consists of, from part, value and operand number `part`, `v` and `n` on.
 * False where an operand is none of the body's own values, or the op has regions. */
static bool list_op(Proof *p, u32 i, const Block *body, u32 part, u32 n) {
  Op *op = op_ahead(p->ops[i]);
  u32 nparts = count_parts(op);
  p->kind[i] = op->kind;
  p->first_part[i] = part;
  p->first_operand[i] = n;
  p->is_whole[i] = nparts == 1 && !is_memory(op);
  for (u32 k = 0; k < nparts; k++) p->op_of_part[part + k] = i;
  for (u32 r = 0, v = p->first_value[i]; r < op->nresults; r++, v++) {
    p->values[v] = op_result(op, r);
    p->def[v] = i;
    p->is_name[v] = type_is_memref(p->values[v]->type);
  }
  for (u32 k = 0; k < op->noperands; k++) {
    const Value *v = op_operand(op, k);
    if (!v || value_block(v) != body) return false;
    p->operand[n + k] = value_id(p, v);
    p->first_taker[p->operand[n + k] + 1]++;
    if (type_is_memref(v->type)) p->is_whole[i] = false;
  }
  return op->nregions == 0;
}

static bool list_ops(Proof *p, const Block *body) {
  u32 part = 0, n = 0;
  for (u32 i = 0; i < body->nargs; i++) {
    p->values[i] = body->args[i];
    p->def[i] = NO_OP;
    p->is_name[i] = type_is_memref(body->args[i]->type);
  }
  for (u32 i = 0; i < p->nops; i++) {
    if (!list_op(p, i, body, part, n)) return false;
    part += count_parts(p->ops[i]);
    n += p->ops[i]->noperands;
  }
  p->first_part[p->nops] = part;
  p->first_operand[p->nops] = n;
  return true;
}

static void list_takers(Proof *p) {
  for (u32 v = 0; v < p->nvalues; v++) p->first_taker[v + 1] += p->first_taker[v];
  u32 *next = arena_copy(p->arena, p->first_taker, mem_size(p->nvalues, sizeof *next));
  for (u32 i = 0; i < p->nops; i++)
    for (u32 at = p->first_operand[i]; at < p->first_operand[i + 1]; at++)
      p->taker[next[p->operand[at]]++] = (Taker){i, at - p->first_operand[i]};
}

bool proof_number(Proof *p) {
  const Region *region = &p->func->regions[0];
  Block *body = region->first;
  u32 noperands = number_ops(p, body), nops = p->nops, nvalues = p->nvalues;
  p->kind = NEW_ARRAY(p->arena, u16, nops);
  p->is_whole = NEW_ARRAY(p->arena, bool, nops);
  p->first_part = NEW_ARRAY(p->arena, u32, nops + 1);
  p->first_operand = NEW_ARRAY(p->arena, u32, nops + 1);
  p->op_of_part = NEW_ARRAY(p->arena, u32, p->nparts);
  p->operand = NEW_ARRAY(p->arena, u32, noperands);
  p->first_taker = NEW_ARRAY(p->arena, u32, nvalues + 1);
  p->taker = NEW_ARRAY(p->arena, Taker, noperands);
  p->values = NEW_ARRAY(p->arena, Value *, nvalues);
  p->def = NEW_ARRAY(p->arena, u32, nvalues);
  p->is_name = NEW_ARRAY(p->arena, bool, nvalues);
  if (body->next || !list_ops(p, body)) {
    diag(p->ctx, p->func->loc, COMP_PROOF_OPAQUE,
         "the body cannot be proved: it is more than one block, or has regions inside");
    return false;
  }
  list_takers(p);
  p->same = NEW_ARRAY(p->arena, u32, nvalues);
  p->domain = NEW_ARRAY(p->arena, DomainId, nvalues);
  p->origin = NEW_ARRAY(p->arena, u32, nvalues);
  p->home = NEW_ARRAY(p->arena, DomainId, nvalues);
  p->range = NEW_ARRAY(p->arena, Interval, nvalues);
  p->zero_trip = NEW_ARRAY(p->arena, u8, nvalues);
  p->reused = NEW_ARRAY(p->arena, bool, nvalues);
  find_identities(p);
  return true;
}

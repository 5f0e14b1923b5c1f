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

PartSpan parts_of_operand(const Proof *p, u32 op, u32 i) {
  u32 first = p->first_part[op], per_store, port, at;
  if (p->is_name[operand_at(p, op, i)]) return (PartSpan){first, first};
  switch (p->kind[op]) {
  case OP_DATAFLOW_GATE: return (PartSpan){first, first + 2};
  case OP_HANDSHAKE_LOAD:
    port = i + 2 == operand_count(p, op); /* the data */
    return (PartSpan){first + port, first + port + 1};
  case OP_HANDSHAKE_MEMORY:
  case OP_HANDSHAKE_EXTMEMORY: {
    const Ports *ports = &p->ports[op];
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
    const Ports *ports = &p->ports[op];
    return r < ports->loads ? first + ports->stores + r : first + r - ports->loads;
  }
  default: return first;
  }
}

static bool is_memory_kind(u16 kind) {
  return kind == OP_HANDSHAKE_MEMORY || kind == OP_HANDSHAKE_EXTMEMORY;
}

u32 next_operand(const Proof *p, u32 op, u32 part, u32 i) {
  u32 noperands = operand_count(p, op);
  if (is_memory_kind(p->kind[op])) {
    Ports ports = p->ports[op];
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

u32 next_result(const Proof *p, u32 op, u32 part, u32 r) {
  u32 nresults = result_count(p, op);
  if (is_memory_kind(p->kind[op])) {
    Ports ports = p->ports[op];
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

/* Lists the operands of each op and the takers of each value. False where an operand is none of
 * the body's own values, or an op has regions. */
static bool list_operands(Proof *p, const Block *body) {
  u32 n = 0;
  for (u32 i = 0; i < p->nops; i++) {
    const Op *op = p->ops[i];
    if (op->nregions) return false;
    p->first_operand[i] = n;
    for (u32 k = 0; k < op->noperands; k++, n++) {
      const Value *v = op_operand(op, k);
      if (!v || value_block(v) != body) return false;
      p->operand[n] = value_id(p, v);
      p->first_taker[p->operand[n] + 1]++;
    }
  }
  p->first_operand[p->nops] = n;
  for (u32 v = 0; v < p->nvalues; v++) p->first_taker[v + 1] += p->first_taker[v];
  u32 *next = NEW_ARRAY(p->arena, u32, p->nvalues);
  for (u32 i = 0; i < p->nops; i++)
    for (u32 at = p->first_operand[i]; at < p->first_operand[i + 1]; at++) {
      u32 v = p->operand[at];
      p->taker[p->first_taker[v] + next[v]++] = (Taker){i, at - p->first_operand[i]};
    }
  return true;
}

static void list_values(Proof *p, const Block *body) {
  for (u32 i = 0; i < body->nargs; i++) {
    p->values[i] = body->args[i];
    p->def[i] = NO_OP;
    p->is_name[i] = type_is_memref(body->args[i]->type);
  }
  for (u32 i = 0; i < p->nops; i++) {
    for (u32 part = p->first_part[i]; part < p->first_part[i + 1]; part++) p->op_of_part[part] = i;
    for (u32 r = 0; r < p->ops[i]->nresults; r++) {
      u32 v = p->first_value[i] + r;
      p->values[v] = op_result(p->ops[i], r);
      p->def[v] = i;
      p->is_name[v] = type_is_memref(p->values[v]->type);
    }
  }
}

bool proof_number(Proof *p) {
  const Region *region = &p->func->regions[0];
  Block *body = region->first;
  u32 nops = 0, nparts = 0, nvalues = body->nargs, noperands = 0;
  for_each_op (op, body) nops++;
  p->nops = nops;
  p->ops = NEW_ARRAY(p->arena, Op *, nops);
  p->kind = NEW_ARRAY(p->arena, u16, nops);
  p->first_part = NEW_ARRAY(p->arena, u32, nops + 1);
  p->first_value = NEW_ARRAY(p->arena, u32, nops + 1);
  p->first_operand = NEW_ARRAY(p->arena, u32, nops + 1);
  p->ports = NEW_ARRAY(p->arena, Ports, nops);
  u32 at = 0;
  for_each_op (op, body) {
    op->index = at;
    p->ops[at] = op;
    p->kind[at] = op->kind;
    p->first_part[at] = nparts;
    p->first_value[at] = nvalues;
    if (is_memory(op)) p->ports[at] = memory_ports(op);
    nparts += count_parts(op);
    nvalues += op->nresults;
    noperands += op->noperands;
    at++;
  }
  p->first_part[nops] = p->nparts = nparts;
  p->first_value[nops] = p->nvalues = nvalues;
  p->operand = NEW_ARRAY(p->arena, u32, noperands);
  p->first_taker = NEW_ARRAY(p->arena, u32, nvalues + 1);
  p->taker = NEW_ARRAY(p->arena, Taker, noperands);
  if (body->next || !list_operands(p, body)) {
    diag(p->ctx, p->func->loc, COMP_PROOF_OPAQUE,
         "the body cannot be proved: it is more than one block, or has regions inside");
    return false;
  }

  p->op_of_part = NEW_ARRAY(p->arena, u32, nparts);
  p->values = NEW_ARRAY(p->arena, Value *, nvalues);
  p->def = NEW_ARRAY(p->arena, u32, nvalues);
  p->is_name = NEW_ARRAY(p->arena, bool, nvalues);
  p->same = NEW_ARRAY(p->arena, u32, nvalues);
  p->domain = NEW_ARRAY(p->arena, DomainId, nvalues);
  p->origin = NEW_ARRAY(p->arena, u32, nvalues);
  p->home = NEW_ARRAY(p->arena, DomainId, nvalues);
  p->range = NEW_ARRAY(p->arena, Interval, nvalues);
  p->zero_trip = NEW_ARRAY(p->arena, u8, nvalues);
  p->reused = NEW_ARRAY(p->arena, bool, nvalues);
  list_values(p, body);
  find_identities(p);
  return true;
}

/* graph.c -- numbers a graph for the proofs: ops, values, and the parts that fire alone.
 *
 * The IR is a web of pointers; the proofs want arrays. Op.index becomes the op's place in its
 * block, values get ids (arguments first, then results op by op), parts get ids op by op. The edges
 * from an op to its operands and from a value to its defining op are copied into arrays of such ids
 * in one walk along the block. They are a tenth of the IR's size and stay in the cache; after that
 * the IR is read only for rare things: literals, and names for messages. An operand that is defined
 * further on (loops close that way) has no id yet when it is met; it is noted and filled in at the
 * end.
 *
 * Also here: the identity of a value. `fork`, `lazy_fork`, `buffer` and `br` pass tokens on
 * unchanged, so a condition seen through them is the same condition, and all proofs compare
 * identities rather than values. A chain of such ops is followed once, from its last value back to
 * its first, and the result is stored at every value on the way: linear, and it ends on cyclic
 * chains too. Lowered graphs have no such ops; then Proof.same is NULL.
 *
 * Cost: linear in ops and operands. */
#include "prove/parts.h"

static MemoryPorts memory_ports(const Op *memory) {
  MemoryPorts ports = {.stores = (u32)op_attr_int(memory, "stCount", 0),
                       .loads = (u32)op_attr_int(memory, "ldCount", 0),
                       .addresses = 1,
                       .first = memory->kind == OP_HANDSHAKE_EXTMEMORY};
  u32 operands = memory->noperands - ports.first, count = ports.stores + ports.loads;
  if (count && operands > ports.stores) ports.addresses = (operands - ports.stores) / count;
  return ports;
}

static u32 count_parts(const Op *op) {
  if (op->kind == OP_HANDSHAKE_LOAD || op->kind == OP_DATAFLOW_GATE) return 2;
  if (!is_memory(op->kind)) return 1;
  MemoryPorts ports = memory_ports(op);
  return ports.stores + ports.loads;
}

/* The ports of memory number `op`. */
static const MemoryPorts *ports_at(const Proof *p, u32 op) {
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
  u32 first = node_at(p, op)->part, per_store, port, at;
  if (p->flags.at[operand_at(p, op, i)] & VALUE_NAME) return (PartSpan){first, first};
  switch (node_at(p, op)->kind) {
  case OP_DATAFLOW_GATE: return (PartSpan){first, first + 2};
  case OP_HANDSHAKE_LOAD:
    port = i + 2 == operand_count(p, op); /* the data */
    return (PartSpan){first + port, first + port + 1};
  case OP_HANDSHAKE_MEMORY:
  case OP_HANDSHAKE_EXTMEMORY: {
    const MemoryPorts *ports = ports_at(p, op);
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
  u32 first = node_at(p, op)->part;
  switch (node_at(p, op)->kind) {
  case OP_DATAFLOW_GATE: return first + r;
  case OP_HANDSHAKE_LOAD: return first + (r == 0);
  case OP_HANDSHAKE_MEMORY:
  case OP_HANDSHAKE_EXTMEMORY: {
    /* load data, store dones, load dones: the dones are in the order of the parts */
    const MemoryPorts *ports = ports_at(p, op);
    return r < ports->loads ? first + ports->stores + r : first + r - ports->loads;
  }
  default: return first;
  }
}

u32 split_next_operand(const Proof *p, u32 op, u32 part, u32 i) {
  u32 noperands = operand_count(p, op);
  if (is_memory(node_at(p, op)->kind)) {
    u32 first, end;
    port_operands(ports_at(p, op), part - node_at(p, op)->part, &first, &end);
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
  if (is_memory(node_at(p, op)->kind)) {
    MemoryPorts ports = *ports_at(p, op);
    u32 port = part - node_at(p, op)->part, done = ports.loads + port;
    if (port >= ports.stores && r <= port - ports.stores) return port - ports.stores;
    return r <= done ? done : nresults;
  }
  while (r < nresults && part_of_result(p, op, r) != part) r++;
  return r;
}

/* True where `value` is a copy of the first operand of its op. */
static bool is_passed_on(const Proof *p, u32 value) {
  return p->def.at[value] != NO_OP && passes_on(node_at(p, p->def.at[value])->kind);
}

static void find_identities(Proof *p) {
  const u32 unknown = UINT32_MAX, open = UINT32_MAX - 1;
  Vec(u32) chain = {0};
  p->same = NEW_ARRAY(p->arena, u32, p->nvalues);
  for (u32 v = 0; v < p->nvalues; v++) p->same[v] = unknown;
  for (u32 v = 0; v < p->nvalues; v++) {
    u32 at = v;
    while (p->same[at] == unknown && is_passed_on(p, at)) {
      p->same[at] = open;
      vec_push(&chain, at);
      at = operand_at(p, p->def.at[at], 0);
    }
    /* `at` is known, or the start of the chain, or, in a ring of buffers, met before on this
     * chain: then any value of the ring will do */
    u32 root = p->same[at] == unknown || p->same[at] == open ? at : p->same[at];
    p->same[at] = root;
    while (chain.len) p->same[vec_pop(&chain)] = root;
  }
  vec_free(&chain);
}

/* An operand that is defined further on: its place in Proof.operand. */
typedef struct {
  u32 at;
  const Value *value;
} Later;

typedef struct {
  Proof *p;
  const Block *body;
  Vec(Later) later;
  bool any_passed_on;
} OpWalk;

static void add_value(Proof *p, const Type *type, u32 def, u8 flags) {
  if (type->kind == TYPE_NONE)
    flags |= VALUE_NONE;
  else if (type_is_memref(type))
    flags |= VALUE_NAME;
  else if (type_is_i1(type))
    flags |= VALUE_I1;
  vec_push(&p->def, def);
  vec_push(&p->flags, flags);
}

/* The value's id where it is an argument of the body or a result of an op numbered already. */
static bool find_id(const Proof *p, const Block *body, const Value *v, u32 *id) {
  *id = v->index;
  if (v->is_arg) return value_block(v) == body;
  u32 def = value_op(v)->index;
  if (def >= p->ops.len || p->ops.at[def] != value_op(v)) return false;
  *id += node_at(p, def)->value;
  return true;
}

/* Numbers the op, its operands and results. False where an operand is missing or the op has
 * regions. */
static bool add_op(OpWalk *w, Op *op) {
  Proof *p = w->p;
  u32 index = (u32)p->ops.len, nparts = count_parts(op), at = (u32)p->operand.len;
  Node node = {.value = (u32)p->def.len,
               .operand = at,
               .part = p->nparts,
               .kind = op->kind,
               .is_whole = nparts == 1 && !is_memory(op->kind),
               .fire = op_info((OpKind)op->kind)->fire};
  u8 controls = node.fire == FIRE_STREAM || node.fire == FIRE_GATE || node.fire == FIRE_CARRY
                    ? VALUE_CONTROLS
                    : 0;
  op->index = index;
  w->any_passed_on |= passes_on(op->kind);
  if (is_memory(op->kind)) vec_push(&p->memories, ((ProofMemory){index, memory_ports(op)}));
  for (u32 r = 0; r < op->nresults; r++) add_value(p, op_result(op, r)->type, index, controls);
  vec_reserve(&p->operand, p->operand.len + op->noperands);
  for (u32 i = 0; i < op->noperands; i++, at++) {
    const Value *v = op_operand(op, i);
    u32 id;
    if (!v) return false;
    if (!find_id(p, w->body, v, &id)) vec_push(&w->later, ((Later){at, v}));
    p->operand.at[at] = id;
    if (type_is_memref(v->type)) node.is_whole = false;
  }
  p->operand.len = at;
  p->nparts += nparts;
  vec_push(&p->ops, op);
  vec_push(&p->nodes, node);
  return op->nregions == 0;
}

/* Fills in the operands noted. False where one is not a value of the body. */
static bool add_later(OpWalk *w) {
  for (size_t i = 0; i < w->later.len; i++) {
    Later later = w->later.at[i];
    if (!find_id(w->p, w->body, later.value, &w->p->operand.at[later.at])) return false;
  }
  return true;
}

static bool add_body(OpWalk *w) {
  Proof *p = w->p;
  for (u32 i = 0; i < w->body->nargs; i++) add_value(p, w->body->args[i]->type, NO_OP, 0);
  const Op *ahead = op_some_later(w->body->first);
  for_each_op (op, w->body) {
    if (ahead) op_fetch_operands(ahead), ahead = ahead->next;
    if (!add_op(w, op)) return false;
  }
  Node end = {.value = (u32)p->def.len, .operand = (u32)p->operand.len, .part = p->nparts};
  vec_push(&p->nodes, end);
  return add_later(w);
}

bool proof_number(Proof *p) {
  OpWalk w = {.p = p, .body = region_entry(&p->func->regions[0])};
  bool numbered = !w.body->next && add_body(&w);
  vec_free(&w.later);
  if (!numbered) {
    diag(p->ctx, p->func->loc, COMP_PROOF_OPAQUE,
         "the body cannot be proved: it is more than one block, or has regions inside");
    return false;
  }
  p->nops = (u32)p->ops.len;
  p->nvalues = (u32)p->def.len;
  if (w.any_passed_on) find_identities(p);
  p->domain = NEW_ARRAY(p->arena, DomainId, p->nvalues);
  p->fact = NEW_ARRAY(p->arena, u32, p->nvalues);
  p->first_waiter = NEW_ARRAY(p->arena, u32, p->nvalues);
  return true;
}

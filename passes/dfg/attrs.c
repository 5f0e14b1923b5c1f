/* attrs.c -- converts the attributes of ops to fields of nodes.
 *
 *     %i, %more = dataflow.stream %a, %s, %b {step_op = "+=", cont_cond = "<"}
 *                                      node.step_op = STEP_ADD, node.cont_cond = CONT_LT
 *     %c = handshake.constant %go {value = -1 : i8} : i8
 *                                      node.literal = 0xff
 *     %l = arith.cmpi slt, %a, %b      node.predicate = 2, node.eval = its row of Dfg.evals
 *     %m:2 = handshake.extmemory[ld = 1, st = 0] (%A : memref<?xi32>) (%addr) ...
 *                                      node.memory = a row of Dfg.memories
 *
 * so that no consumer ever looks up an attribute by name. The last part, build_memories, also
 * records for every load and store the memory and port that it is wired to; that needs the edges.
 * Linear in the graph and its attributes.
 */
#include "dfg/build.h"
#include "ir/eval.h"

static const char *const step_op_texts[] = {"+=", "-=", "*=", "/=", "<<=", ">>="};
static const char *const cont_cond_texts[] = {"<", "<=", ">", ">=", "!="};

/* Accesses are numbered in source order. A huge number is a mistake in a hand-written graph, and
 * must not cost a table of that size. */
enum { MAX_ACCESS = 1 << 20 };

const char *dfg_step_op_text(DfgStepOp op) {
  return step_op_texts[op];
}

OpKind dfg_step_kind(DfgStepOp op) {
  static const OpKind kinds[] = {OP_ARITH_ADDI,  OP_ARITH_SUBI, OP_ARITH_MULI,
                                 OP_ARITH_DIVSI, OP_ARITH_SHLI, OP_ARITH_SHRSI};
  return kinds[op];
}

const char *dfg_cont_cond_text(DfgContCond cond) {
  return cont_cond_texts[cond];
}

PRINTF_LIKE(3, 4)
static bool refuse(DfgBuild *b, const Op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = str_vprintf(b->ctx, format, args)->text;
  va_end(args);
  diag(b->ctx, op->loc, COMP_DFG_OP, "%s: %s", op_name(op), text);
  return false;
}

/* ---- pure ops -------------------------------------------------------------------------------- */

static bool pure_op(DfgBuild *b, const Op *op, DfgNode *node) {
  const Type *types[EVAL_MAX_OPERANDS];
  if (op->noperands > EVAL_MAX_OPERANDS || op->nresults < 1)
    return refuse(b, op, "an operation of this shape cannot be evaluated");
  for (u32 i = 0; i < op->noperands; i++) types[i] = op_operand(op, i)->type;
  const Type *result = op_result(op, 0)->type;
  if (op->kind == OP_ARITH_SELECT && !type_is_scalar(result)) /* tuples or control tokens */
    types[1] = types[2] = result = type_int(b->ctx, 64, SIGNLESS);
  EvalOp eval;
  if (!eval_prepare(b->ctx, (OpKind)op->kind, op, types, result, &eval))
    return refuse(b, op, "the operation cannot be evaluated with these types and attributes");
  if (op->kind == OP_ARITH_CMPI || op->kind == OP_ARITH_CMPF || op->kind == OP_INDEX_CMP)
    node->predicate = (u8)eval_predicate(op);
  node->eval = (u32)b->evals.len;
  vec_push(&b->evals, eval);
  return true;
}

/* ---- other ops ------------------------------------------------------------------------------- */

static bool stream_op(DfgBuild *b, const Op *op, DfgNode *node) {
  const char *step = op_attr_text(op, "step_op"), *cond = op_attr_text(op, "cont_cond");
  if (!step) step = step_op_texts[STEP_ADD];
  if (!cond) cond = cont_cond_texts[CONT_LT];
  node->step_op = node->cont_cond = UINT8_MAX;
  for (size_t i = 0; i < COUNT_OF(step_op_texts); i++)
    if (strcmp(step, step_op_texts[i]) == 0) node->step_op = (u8)i;
  for (size_t i = 0; i < COUNT_OF(cont_cond_texts); i++)
    if (strcmp(cond, cont_cond_texts[i]) == 0) node->cont_cond = (u8)i;
  if (node->step_op == UINT8_MAX || node->cont_cond == UINT8_MAX)
    return refuse(b, op, "step_op or cont_cond is unknown");
  return true;
}

static bool constant_op(DfgBuild *b, const Op *op, DfgNode *node) {
  if (!eval_constant(b->ctx, op, &node->literal))
    return refuse(b, op, "the value is not a scalar of the result's type");
  return true;
}

/* Element i of a buffer's initial values. A float must have the buffer's type; an integer of any
 * type will do (`[1, 2]` is i64) if it fits the width, signed or unsigned. */
static bool initial_value(DfgBuild *b, const Op *op, const Type *type, const Attr *list, u32 i) {
  const Attr *one = list->kind == ATTR_ARRAY ? list->elems[i] : NULL;
  if (one && one->kind != ATTR_INT && one->kind != ATTR_BOOL && one->kind != ATTR_FLOAT)
    return refuse(b, op, "initial values must be numbers");
  i64 value = one ? one->i : list->ints[i];
  const Type *given = one ? one->type : list->type;
  u32 bits = type_bits(b->ctx, type);
  u64 cut = (u64)value & eval_mask(bits);
  bool fits = bits == 0 || (u64)value == cut || value == eval_signed(cut, bits);
  if (given != type && (type_is_float(type) || type_is_float(given) || !fits))
    return refuse(b, op, "initial value %u does not have the buffer's type", i);
  vec_push(&b->initials, cut);
  return true;
}

static bool buffer_op(DfgBuild *b, const Op *op, DfgNode *node) {
  i64 slots = op_attr_int(op, "slots", 1);
  const Attr *kind = op_attr(op, "bufferType"), *initial = op_attr(op, "initValues");
  node->slots = slots > 0 && slots < UINT32_MAX ? (u32)slots : 1;
  node->is_fifo = kind && kind->str && strcmp(kind->str->text, "fifo") == 0;
  node->first_initial = (u32)b->initials.len;
  if (!initial) return true;
  const Type *type = op_result(op, 0)->type;
  if (!type_is_scalar(type) && type->kind != TYPE_NONE)
    return refuse(b, op, "only buffers of scalars or control tokens can have initial values");
  if (initial->kind != ATTR_ARRAY && initial->kind != ATTR_DENSE_ARRAY)
    return refuse(b, op, "initial values must be an array");
  for (u32 i = 0; i < initial->n; i++)
    if (!initial_value(b, op, type, initial, i)) return false;
  node->ninitials = initial->n;
  return true;
}

static bool access_op(DfgBuild *b, const Op *op, u32 id) {
  i64 number = op_attr_int(op, "loom.access", -1);
  if (number < 0) return true;
  if (number >= MAX_ACCESS) return refuse(b, op, "loom.access is too large");
  while (b->accesses.len <= (size_t)number) vec_push(&b->accesses, DFG_NONE);
  if (b->accesses.at[number] != DFG_NONE) return true; /* a copy: the first one is recorded */
  b->accesses.at[number] = id;
  b->nodes.at[id].access = (u32)number;
  return true;
}

bool build_attributes(DfgBuild *b, u32 id) {
  const Op *op = b->ops.at[id];
  DfgNode *node = &b->nodes.at[id];
  switch (node->fire) {
  case FIRE_PURE: return pure_op(b, op, node);
  case FIRE_STREAM: return stream_op(b, op, node);
  case FIRE_CONSTANT: return constant_op(b, op, node);
  case FIRE_BUFFER: return buffer_op(b, op, node);
  case FIRE_LOAD:
  case FIRE_STORE: return access_op(b, op, id);
  default: return true;
  }
}

/* ---- memories -------------------------------------------------------------------------------- */

static const Type *memory_type(const DfgBuild *b, u32 id) {
  const DfgNode *node = &b->nodes.at[id];
  if (node->fire == FIRE_EXTMEMORY) return b->types.at[b->args.at[node->arg].type].ir;
  const Attr *attr = op_attr(b->ops.at[id], "memRefType");
  return attr && attr->kind == ATTR_TYPE && type_is_memref(attr->type) ? attr->type : NULL;
}

static bool initial_contents(DfgBuild *b, const Op *op, const Type *type, DfgMemory *memory) {
  const Attr *init = op_attr(op, "init");
  memory->first_initial = (u32)b->initials.len;
  if (!init) return true;
  if (init->kind != ATTR_DENSE || (init->n != memory->elements && !init->splat))
    return refuse(b, op, "init must be dense<...> with as many elements as the memory");
  memory->ninitials = init->n;
  /* An index literal has 64 bits in the IR, and fewer in a memory. */
  u64 mask = eval_mask(type_bits(b->ctx, type->elem));
  for (u32 i = 0; i < init->n; i++) vec_push(&b->initials, init->data[i] & mask);
  return true;
}

static bool push_memory(DfgBuild *b, u32 id) {
  const Op *op = b->ops.at[id];
  DfgNode *node = &b->nodes.at[id];
  const Type *type = memory_type(b, id);
  i64 nloads = op_attr_int(op, "ldCount", 0), nstores = op_attr_int(op, "stCount", 0);
  if (!type || !type_is_scalar(type->elem))
    return refuse(b, op, "a memory of this type cannot be simulated");
  DfgMemory memory = {.node = id,
                      .arg = node->fire == FIRE_EXTMEMORY ? node->arg : DFG_NONE,
                      .elem = build_type(b, type->elem, op->loc),
                      .rank = type->rank,
                      .first_extent = (u32)b->extents.len,
                      .id = op_attr_int(op, "id", 0),
                      .alias_group = op_attr_int(op, "loom.alias_group", -1)};
  for (u32 i = 0; i < type->rank; i++) vec_push(&b->extents, type->shape[i]);
  i64 elements = type_static_elements(type);
  memory.elements = elements < 0 ? 0 : (u64)elements;
  memory.is_dynamic = elements < 0;
  if (nloads < 0 || nstores < 0 || nloads > node->noperands || nstores > node->noperands)
    return refuse(b, op, "the numbers of ports and operands do not match");
  memory.nloads = (u32)nloads;
  memory.nstores = (u32)nstores;
  u64 ports = (u64)nloads + (u64)nstores, addresses = node->noperands - (u64)nstores;
  memory.naddresses = ports == 0 ? 1 : (u32)(addresses / ports);
  if (node->noperands < (u64)nstores || addresses != ports * memory.naddresses ||
      (memory.naddresses != 1 && memory.naddresses != type->rank) ||
      node->nresults != ports + (u64)nloads)
    return refuse(b, op, "the numbers of ports, operands and results do not match");
  if (memory.arg == DFG_NONE && elements < 0 && memory.naddresses != 1)
    return refuse(b, op, "a memory of dynamic size must be addressed by element numbers");
  if (memory.arg == DFG_NONE && !initial_contents(b, op, type, &memory)) return false;
  node->memory = (u32)b->memories.len;
  vec_push(&b->memories, memory);
  return true;
}

static bool is_wire(FireClass fire) {
  return fire == FIRE_BUFFER || fire == FIRE_FORK || fire == FIRE_LAZY_FORK || fire == FIRE_BR;
}

/* By result: the result whose tokens it forwards, through buffers, forks and branches. A wire that
 * closes a cycle of wires is its own origin. */
static u32 *find_origins(DfgBuild *b) {
  u32 *origins = NEW_ARRAY(b->scratch, u32, b->results.len);
  for (u32 r = 0; r < b->results.len; r++) origins[r] = r;
  for (size_t i = 0; i < b->order.len; i++) { /* producers first */
    const DfgNode *node = &b->nodes.at[b->order.at[i]];
    if (!is_wire(node->fire)) continue;
    u32 from = b->edges.at[b->operands.at[node->first_operand]].result;
    for (u32 r = 0; r < node->nresults; r++) origins[node->first_result + r] = origins[from];
  }
  return origins;
}

/* Records the load or store that drives the address of a port. */
static void attach(DfgBuild *b, const u32 *origins, u32 memory, u32 port, u32 operand,
                   FireClass fire) {
  u32 origin = origins[b->edges.at[b->operands.at[operand]].result];
  u32 id = b->results.at[origin].node;
  DfgNode *access = &b->nodes.at[id];
  bool is_unattached = access->fire == fire && access->memory == DFG_NONE;
  vec_push(&b->ports, is_unattached ? id : DFG_NONE);
  if (!is_unattached) return;
  access->memory = memory;
  access->port = port;
}

bool build_memories(DfgBuild *b) {
  bool good = true;
  for (u32 n = 0; n < b->nodes.len; n++) {
    FireClass fire = b->nodes.at[n].fire;
    if (fire == FIRE_MEMORY || fire == FIRE_EXTMEMORY) good = push_memory(b, n) && good;
  }
  const u32 *origins = find_origins(b);
  for (u32 m = 0; m < b->memories.len; m++) {
    DfgMemory *memory = &b->memories.at[m];
    memory->first_port = (u32)b->ports.len;
    u32 operand = b->nodes.at[memory->node].first_operand, k = memory->naddresses;
    for (u32 i = 0; i < memory->nstores; i++, operand += 1 + k)
      attach(b, origins, m, i, operand + 1, FIRE_STORE);
    for (u32 i = 0; i < memory->nloads; i++, operand += k)
      attach(b, origins, m, i, operand, FIRE_LOAD);
  }
  return good;
}

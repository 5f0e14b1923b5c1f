/* token_setup.c -- makes units, queues and memories of a frozen graph and a case.
 *
 *     node                       units
 *     handshake.load             its address half, its data half
 *     handshake.memory           one a port
 *     handshake.return           one an operand
 *     all others                 one
 *
 * because those parts do not wait for one another. A unit's Action is chosen here, so that firing
 * needs the unit alone.
 *
 * On demand. handshake.source gives a token whenever one is taken. A unit fed by nothing but such
 * tokens always gives the same value: constants on a source, arithmetic on such constants. Firing
 * them eagerly would never end, so each fires once here and its queues become *endless*: every read
 * gives that one token, and the unit never runs again. It counts as fired as often as a token was
 * taken (token.c adds that up at the end). A state machine or a memory port fed by nothing but
 * endless queues would never stop; such a graph is refused.
 *
 * Cost: linear in the graph and the contents of its memories. */
#include "run/entries.h"
#include "run/token_state.h"

/* ---- memories -------------------------------------------------------------------------------- */

/* The case has the elements in row-major order; the memory has them in the type's layout. A memory
 * without stores may share the case's array. */
static void argument_memory(Sim *s, u32 arg, const ArgEntry *entry) {
  Memory *memory = &s->memories[arg];
  Array *array = case_memory(entry->entry, &entry->layout);
  if (dfg_is_stored(s->dfg, arg)) array = array_own(array);
  *memory = (Memory){.data = array_data(array),
                     .elements = (u64)entry->layout.elements,
                     .bytes = (u8)array_elements(array).bytes,
                     .layout = entry->layout,
                     .entry = entry->entry,
                     .array = array};
}

static bool inner_memory(Sim *s, u32 id) {
  const DfgMemory *decl = &s->dfg->memories[id];
  Memory *memory = &s->memories[s->dfg->nargs + id];
  if (decl->arg != DFG_NONE) {
    *memory = s->memories[decl->arg];
    return true;
  }
  if (!entries_memory_fits(s->ctx, s->dfg, id)) return false;
  memory->elements = decl->elements;
  memory->grows = decl->is_dynamic;
  memory->bytes = (u8)element_bytes(s->dfg->types[decl->elem].bits);
  memory->data = arena_alloc(s->arena, mem_size((size_t)decl->elements + 1, memory->bytes));
  for (u64 i = 0; decl->ninitials && i < decl->elements; i++)
    element_put(memory->data, memory->bytes, i, entries_initial(s->dfg, decl, i));
  /* ports of a growing memory give element numbers; others may have one index per dimension */
  if (!memory->grows) entries_row_major(s->dfg, decl, &memory->layout);
  return true;
}

/* ---- queues ---------------------------------------------------------------------------------- */

enum { USUAL_CAPACITY = 64, LEAST_CAPACITY = 2, USUAL_ROOM = 1 << 22 };

/* Graphs with few results get rings that stay in the first-level cache, long enough for good
 * bursts; those with many get small rings, which grow where that is needed. */
static u64 first_capacity(Sim *s) {
  if (s->random) return (u64)1 << (s->random >> 7) % 7;
  u64 capacity = USUAL_CAPACITY;
  while (capacity > LEAST_CAPACITY && capacity * s->dfg->nresults > USUAL_ROOM) capacity /= 2;
  return capacity;
}

static void make_queues(Sim *s) {
  const Dfg *dfg = s->dfg;
  u64 capacity = first_capacity(s);
  s->queues = NEW_ARRAY(s->arena, Queue, dfg->nresults);
  for (u32 r = 0; r < dfg->nresults; r++) {
    Queue *q = &s->queues[r];
    const DfgNode *node = &dfg->nodes[dfg->results[r].node];
    if (s->trace && s->more.edges) q->history = &s->trace->results[r];
    u64 own = capacity;
    if (!dfg->results[r].nedges && !q->history) own = 1; /* never read: one slot, overwritten */
    while (node->fire == FIRE_BUFFER && own < node->ninitials) own *= 2;
    q->data = NEW_ARRAY(s->arena, u64, own);
    q->mask = own - 1;
    q->limit = dfg->results[r].nedges || q->history ? own : UINT64_MAX;
    q->inputs = NEW_ARRAY(s->arena, Input *, dfg->results[r].nedges);
    q->producer = DFG_NONE;
    s->room_used += own;
  }
}

/* ---- units ----------------------------------------------------------------------------------- */

static u32 units_of(const Dfg *dfg, const DfgNode *node) {
  switch (node->fire) {
  case FIRE_LOAD: return 2;
  case FIRE_MEMORY:
  case FIRE_EXTMEMORY:
    return dfg->memories[node->memory].nloads + dfg->memories[node->memory].nstores;
  case FIRE_RETURN: return node->noperands;
  case FIRE_NEVER: return 0;
  case FIRE_ARG: return node->nresults;
  default: return 1;
  }
}

typedef struct {
  Sim *s;
  u32 nunits, ninputs;
} Maker;

static Unit *new_unit(Maker *m, u32 node, Action action) {
  Unit *u = &m->s->units[m->nunits++];
  u->action = (u8)action;
  u->node = node;
  u->in = &m->s->inputs[m->ninputs];
  return u;
}

/* Operand i of the unit's node becomes its next input. */
static void add_input(Maker *m, Unit *u, u32 operand) {
  Sim *s = m->s;
  u32 edge = dfg_operand(s->dfg, u->node, operand);
  Queue *q = &s->queues[s->dfg->edges[edge].result];
  Input *in = &s->inputs[m->ninputs];
  *in = (Input){.queue = q, .unit = (u32)(u - s->units), .edge = edge};
  s->input_of[edge] = m->ninputs++;
  q->inputs[q->ninputs++] = in;
  u->nin++;
}

static void set_outputs(Sim *s, Unit *u, u32 first, u32 n) {
  u->out = &s->queues[s->dfg->nodes[u->node].first_result + first];
  u->nout = n;
  for (u32 i = 0; i < n; i++) u->out[i].producer = (u32)(u - s->units);
}

static bool is_compare(u16 kind) {
  return kind == OP_ARITH_CMPI || kind == OP_INDEX_CMP;
}

/* The action of a pure op: a case of its own in token_fire.c, or DO_EVAL_... */
static Action pure_action(const DfgNode *node, const EvalOp *eval) {
  if (eval->flags) return eval->noperands == 1 ? DO_EVAL_1 : DO_EVAL_2;
  switch (node->kind) {
  case OP_ARITH_ADDI:
  case OP_INDEX_ADD: return DO_ADD;
  case OP_ARITH_SUBI:
  case OP_INDEX_SUB: return DO_SUB;
  case OP_ARITH_MULI:
  case OP_INDEX_MUL: return DO_MUL;
  case OP_ARITH_ANDI:
  case OP_INDEX_AND: return DO_AND;
  case OP_ARITH_ORI:
  case OP_INDEX_OR: return DO_OR;
  case OP_ARITH_XORI:
  case OP_INDEX_XOR: return DO_XOR;
  case OP_ARITH_TRUNCI:
  case OP_ARITH_EXTUI:
  case OP_ARITH_BITCAST:
  case OP_ARITH_INDEX_CASTUI:
  case OP_INDEX_CASTU: return DO_MASK;
  case OP_ARITH_EXTSI:
  case OP_ARITH_INDEX_CAST:
  case OP_INDEX_CASTS: return DO_EXTEND;
  case OP_ARITH_SELECT: return DO_SELECT;
  default: break;
  }
  if (is_compare(node->kind))
    return node->predicate >= CMPI_ULT ? DO_COMPARE_UNSIGNED : DO_COMPARE_SIGNED;
  if (eval->nresults > 1) return DO_EVAL_N;
  return eval->noperands == 1 ? DO_EVAL_1 : eval->noperands == 2 ? DO_EVAL_2 : DO_EVAL_3;
}

static Action plain_action(const Sim *s, const DfgNode *node) {
  switch ((FireClass)node->fire) {
  case FIRE_PURE: return pure_action(node, &s->dfg->evals[node->eval]);
  case FIRE_CONSTANT: return DO_CONSTANT;
  case FIRE_COND_BR: return DO_COND_BR;
  case FIRE_MUX: return DO_MUX;
  case FIRE_JOIN: return node->noperands == 2 ? DO_JOIN_2 : DO_JOIN;
  case FIRE_STORE: return node->noperands == 3 ? DO_STORE : DO_STORE_N;
  case FIRE_STREAM: return DO_STREAM;
  case FIRE_GATE: return DO_GATE;
  case FIRE_CARRY: return DO_CARRY;
  case FIRE_INVARIANT: return DO_INVARIANT;
  case FIRE_FORK:
  case FIRE_LAZY_FORK: return node->nresults == 1 ? DO_COPY : DO_FORK;
  case FIRE_BUFFER:
  case FIRE_BR: return DO_COPY;
  case FIRE_MERGE: return DO_MERGE;
  case FIRE_CONTROL_MERGE: return DO_CONTROL_MERGE;
  case FIRE_SOURCE: return DO_NOTHING;
  case FIRE_SINK: return DO_SINK;
  case FIRE_SYNC: return DO_SYNC;
  case FIRE_PACK: return DO_PACK;
  case FIRE_UNPACK: return DO_UNPACK;
  default: loom_bug("a node of class %d in a frozen graph", node->fire);
  }
}

static void make_plain(Maker *m, u32 id) {
  Sim *s = m->s;
  const DfgNode *node = &s->dfg->nodes[id];
  Unit *u = new_unit(m, id, plain_action(s, node));
  for (u32 i = 0; i < node->noperands; i++) add_input(m, u, i);
  set_outputs(s, u, 0, node->nresults);
  switch ((FireClass)node->fire) {
  case FIRE_PURE:
    u->eval = &s->dfg->evals[node->eval];
    u->mask = u->eval->mask;
    u->width = u->eval->w;
    u->relations = u->eval->predicate;
    break;
  case FIRE_CONSTANT: u->literal = node->literal; break;
  case FIRE_STREAM:
    u->width = (u8)s->ctx->index_width;
    u->step_op = node->step_op;
    u->cont_cond = node->cont_cond;
    break;
  case FIRE_MERGE:
  case FIRE_CONTROL_MERGE:
    u->seen = NEW_ARRAY(s->arena, u64, u->nin);
    u->arrivals = mem_alloc(sizeof *u->arrivals);
    for (u32 i = 0; i < u->nin; i++) {
      u->in[i].watched = true;
      u->in[i].is_merge = true;
      u->in[i].queue->watchers++;
    }
    break;
  default: break;
  }
}

/* Operands: addresses, data, control; results: data, addresses. */
static void make_load(Maker *m, u32 id) {
  const DfgNode *node = &m->s->dfg->nodes[id];
  u32 naddresses = node->noperands - 2;
  Unit *address = new_unit(m, id, naddresses == 1 ? DO_LOAD : DO_LOAD_N);
  for (u32 i = 0; i < naddresses; i++) add_input(m, address, i);
  add_input(m, address, naddresses + 1);
  set_outputs(m->s, address, 1, naddresses);
  Unit *data = new_unit(m, id, DO_COPY);
  add_input(m, data, naddresses);
  set_outputs(m->s, data, 0, 1);
}

static void make_ports(Maker *m, u32 id) {
  Sim *s = m->s;
  const DfgNode *node = &s->dfg->nodes[id];
  const DfgMemory *memory = &s->dfg->memories[node->memory];
  u32 operand = 0, nports = dfg_memory_ports(memory);
  for (u32 p = 0; p < nports; p++) {
    bool is_store = p < memory->nstores;
    Unit *u = new_unit(m, id, is_store ? DO_STORE_PORT : DO_LOAD_PORT);
    for (u32 i = 0; i < memory->naddresses + is_store; i++) add_input(m, u, operand++);
    u32 done = memory->nloads + p; /* load data, store dones, load dones */
    if (is_store) {
      set_outputs(s, u, done, 1);
    } else {
      set_outputs(s, u, p - memory->nstores, 1);
      u->done = &s->queues[node->first_result + done];
      u->done->producer = (u32)(u - s->units);
    }
    u->memory = &s->memories[s->dfg->nargs + node->memory];
    u->touched = is_store ? &s->result->stores : &s->result->loads;
    /* reported and observed as the access that it serves, if there is one */
    u32 user = s->dfg->ports[memory->first_port + p];
    u->access_node = user == DFG_NONE ? id : user;
    const DfgNode *access = &s->dfg->nodes[u->access_node];
    if (access->access == DFG_NONE || !s->options->histories) continue; /* a memory has none */
    u->access = &s->result->accesses.at[access->access];
    run_access_describe(s->ctx, u->access, is_store, s->dfg->types[memory->elem].ir, access->loc,
                        s->options->keep);
  }
}

static void make_return(Maker *m, u32 id) {
  Sim *s = m->s;
  const DfgNode *node = &s->dfg->nodes[id];
  for (u32 i = 0; i < node->noperands; i++) {
    Unit *u = new_unit(m, id, DO_RETURN);
    add_input(m, u, i);
    u->output = i;
    u->tokens_at = DFG_NONE;
    const Type *type = s->dfg->types[s->dfg->outputs[i].type].ir;
    if (type->kind == TYPE_NONE) continue;
    u->tokens_at = (u32)s->result->results.len;
    vec_push(&s->result->results, ((RunTokens){.type = type}));
  }
}

static void make_units(Sim *s, const ArgEntry *entries) {
  const Dfg *dfg = s->dfg;
  s->first_unit = NEW_ARRAY(s->arena, u32, (size_t)dfg->nnodes + 1);
  for (u32 n = 0; n < dfg->nnodes; n++) {
    s->first_unit[n] = s->nunits;
    s->nunits += units_of(dfg, &dfg->nodes[n]);
  }
  s->first_unit[dfg->nnodes] = s->nunits;
  s->units = NEW_ARRAY(s->arena, Unit, s->nunits);
  s->inputs = NEW_ARRAY(s->arena, Input, dfg->nedges);
  s->input_of = NEW_ARRAY(s->arena, u32, dfg->nedges);
  Maker m = {.s = s};
  for (u32 n = 0; n < dfg->nnodes; n++) {
    switch ((FireClass)dfg->nodes[n].fire) {
    case FIRE_NEVER: break;
    case FIRE_LOAD: make_load(&m, n); break;
    case FIRE_MEMORY:
    case FIRE_EXTMEMORY: make_ports(&m, n); break;
    case FIRE_RETURN: make_return(&m, n); break;
    case FIRE_ARG:
      if (dfg->args[dfg->nodes[n].arg].role == DFG_ARG_MEMREF) break;
      Unit *u = new_unit(&m, n, DO_ARG);
      set_outputs(s, u, 0, 1);
      u->tokens = entries[dfg->nodes[n].arg].tokens;
      u->ntokens = entries[dfg->nodes[n].arg].ntokens;
      u->words = dfg->types[dfg->args[dfg->nodes[n].arg].type].nelems;
      break;
    default: make_plain(&m, n);
    }
  }
}

/* ---- on demand ------------------------------------------------------------------------------- */

static bool is_endless_unit(const Unit *u) {
  for (u32 i = 0; i < u->nin; i++)
    if (!token_is_endless(u->in[i].queue)) return false;
  return true;
}

/* False for nodes whose result depends on the tokens of one firing alone. */
static bool has_state(const Sim *s, const Unit *u) {
  const DfgNode *node = &s->dfg->nodes[u->node];
  switch ((FireClass)node->fire) {
  case FIRE_BUFFER: return node->ninitials != 0;
  case FIRE_PURE:
  case FIRE_CONSTANT:
  case FIRE_COND_BR:
  case FIRE_MUX:
  case FIRE_JOIN:
  case FIRE_FORK:
  case FIRE_LAZY_FORK:
  case FIRE_BR:
  case FIRE_SOURCE:
  case FIRE_SYNC:
  case FIRE_PACK:
  case FIRE_UNPACK: return false;
  default: return true;
  }
}

/* Fires a unit once and makes the queues of the tokens it emitted endless. */
static void make_endless(Sim *s, Unit *u) {
  s->burst = 1;
  if (u->nin && u->action != DO_NOTHING) token_visit(s, u);
  if (u->action == DO_PACK && u->nin == 0) u->out->data[0] = token_tuple_new(s, 0);
  bool emits = u->nin && u->action != DO_NOTHING;
  for (u32 i = 0; i < u->nout; i++) {
    Queue *q = &u->out[i];
    if (emits && q->tail == 0) continue; /* the other side of a cond_br */
    q->tail = ENDLESS;
    q->mask = 0;
    q->limit = UINT64_MAX;
  }
  for (u32 i = 0; i < u->nin; i++) u->in[i].head = 0;
  u->action = DO_NOTHING;
  u->fired = 0;
  vec_push(&s->endless, (u32)(u - s->units));
}

static bool refuse_endless(Sim *s, const Unit *u) {
  const DfgNode *node = &s->dfg->nodes[u->node];
  diag(s->ctx, node->loc, RT_UNSUPPORTED,
       "%%%s has only inputs from handshake.source, so it would never stop",
       dfg_text(s->dfg, node->name));
  return false;
}

static bool is_merge(const Unit *u) {
  return u->action == DO_MERGE || u->action == DO_CONTROL_MERGE;
}

/* Makes the units on demand endless, in one walk in topological order; false where a graph would
 * never stop. */
static bool find_endless(Sim *s) {
  const Dfg *dfg = s->dfg;
  bool good = true;
  for (u32 o = 0; o < dfg->nnodes && !s->stop; o++) {
    u32 n = dfg->order[o];
    for (u32 i = s->first_unit[n]; i < s->first_unit[n + 1]; i++) {
      Unit *u = &s->units[i];
      for (u32 k = 0; is_merge(u) && k < u->nin; k++)
        if (token_is_endless(u->in[k].queue)) good = refuse_endless(s, u);
      if (is_merge(u) || u->action == DO_ARG || u->action == DO_RETURN || !is_endless_unit(u))
        continue;
      if (u->action == DO_SINK)
        u->action = DO_NOTHING;
      else if (has_state(s, u))
        good = refuse_endless(s, u);
      else
        make_endless(s, u);
    }
  }
  s->work_head = s->work_tail = 0;
  vec_clear(&s->resumed);
  s->steps = 0;
  return good && !s->stop;
}

/* ---- the start ------------------------------------------------------------------------------- */

/* The tokens that buffers start with. */
static void fill_buffers(Sim *s) {
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    const DfgNode *node = &s->dfg->nodes[u->node];
    if (node->fire != FIRE_BUFFER || !node->ninitials) continue;
    memcpy(u->out->data, s->dfg->initials + node->first_initial, node->ninitials * sizeof(u64));
    token_emit(s, u->out, node->ninitials);
  }
}

/* Puts all units on the work list, producers before consumers. */
static void queue_all(Sim *s) {
  for (u32 o = 0; o < s->dfg->nnodes; o++) {
    u32 n = s->dfg->order[o];
    for (u32 i = s->first_unit[n]; i < s->first_unit[n + 1]; i++)
      if (!is_merge(&s->units[i]) && s->units[i].action != DO_NOTHING) /* arrivals queue a merge */
        s->work[s->work_tail++ & s->work_mask] = i;
  }
}

bool token_setup(Sim *s) {
  const Dfg *dfg = s->dfg;
  ArgEntry *entries = NEW_ARRAY(s->arena, ArgEntry, dfg->nargs);
  if (!entries_read(s->ctx, dfg, s->c, s->arena, entries)) return false;
  s->owes = true;
  for (u32 i = 0; i < dfg->nargs; i++) s->owes = s->owes && !entries[i].is_stream;
  if (s->options->histories && dfg->naccesses) {
    s->result->observable = true;
    run_access(s->result, dfg->naccesses - 1);
  }
  s->memories = NEW_ARRAY(s->arena, Memory, (size_t)dfg->nargs + dfg->nmemories);
  for (u32 i = 0; i < dfg->nargs; i++)
    if (dfg->args[i].role == DFG_ARG_MEMREF) argument_memory(s, i, &entries[i]);
  for (u32 i = 0; i < dfg->nmemories; i++)
    if (!inner_memory(s, i)) return false;
  make_queues(s);
  make_units(s, entries);
  u64 cap = 1;
  while (cap < s->nunits) cap *= 2;
  s->work = NEW_ARRAY(s->arena, u32, cap);
  s->work_mask = cap - 1;
  if (!find_endless(s)) return false;
  fill_buffers(s);
  queue_all(s);
  return true;
}

void token_clear(Sim *s) {
  for (u32 i = 0; i < s->nunits; i++)
    if (is_merge(&s->units[i])) mem_free(s->units[i].arrivals);
  for (u32 i = 0; s->memories && i < s->dfg->nargs; i++) array_release(s->memories[i].array);
  vec_free(&s->resumed);
  vec_free(&s->full);
  vec_free(&s->endless);
  mem_free(s->tuples.words);
  arena_free(s->arena);
}

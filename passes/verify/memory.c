/* memory.c -- checks how loads and stores of a dataflow graph are connected to their memories.
 *
 *                 %go ──► load ──address──► memory ──done──► the next access
 *                          ▲                   │
 *                          └───────data────────┘
 *
 * Requires a handshake.func whose ops are well-formed. Ensures, where it reports nothing:
 *   - every access is wired to exactly one port of one memory: a load's address goes into the port
 *     that its data comes from; a store's data and address go into one port together. (Each port
 *     has one done token and each access one control input by the shape of the ops.)
 *   - every memref argument belongs to at most one extmemory;
 *   - an access is ordered by its own memory only: going back from its control through joins,
 *     forks, branches, muxes, carries and invariants, along the tokens that these pass on, not
 *     along conditions, one reaches only done tokens of the same memory (or of one in the same
 *     `loom.alias_group`) and the start token.
 *
 * An access may also have its memory outside of the function, as CIRCT leaves it when it turns
 * memories into ports: its data comes from an argument and its address goes to the return.
 *
 * The last rule is checked forwards, by a worklist: done tokens, arguments other than the start
 * token, and results of handshake.source are origins, which spread along control edges; each value
 * keeps up to two. So it changes at most twice, the time is linear in the edges, and loops need no
 * special care. Two are enough, as of two origins at least one is foreign.
 *
 * CIRCT itself orders accesses by basic blocks, through merge and control_merge, so its graphs
 * break the last rule by design. LOOM never makes merges; in a graph that has one the finding is a
 * warning, and the graph can still be read, printed and run.
 */
#include "verify/rules.h"

#define NONE UINT32_MAX

typedef struct {
  Op *op;
  Ports ports;
  u32 group; /* the number of the first memory that may hold the same data */
} Memory;

/* Up to two origins of the control tokens of a value, other than the start token. An origin is a
 * group of memories; or, from the number of memories on, an argument; or, behind those,
 * handshake.source. */
typedef struct {
  u32 one, two; /* or NONE */
} Origins;

typedef struct {
  Op *op;
  u32 memory, port; /* NONE: not found */
  u32 parts;        /* wires found: data and addresses of a store, addresses of a load */
  bool split;       /* over several ports */
} Access;

typedef struct {
  Verifier *v;
  Block *body;
  Vec(Memory) memories;
  Vec(Access) accesses;
  Vec(Value *) work;     /* values whose users are to be visited */
  u32 *first_value;      /* by Op.index: the number of its first result */
  u32 *access_of;        /* by Op.index: where in `accesses` */
  const Value **sources; /* by number of value, for results of wires: see source_of */
  Origins *origins;      /* by number of value */
  bool has_merges;       /* made by CIRCT */
} Wiring;

bool ports_of(const Op *memory, Ports *ports) {
  bool ext = memory->kind == OP_HANDSHAKE_EXTMEMORY;
  const Attr *type = ext ? NULL : op_attr(memory, "memRefType");
  i64 ld = op_attr_int(memory, "ldCount", -1), st = op_attr_int(memory, "stCount", -1);
  ports->memref = ext ? type_of(memory, 0) : type ? type->type : NULL;
  ports->first = ext;
  if (!ports->memref || !type_is_memref(ports->memref) || ld < 0 || st < 0) return false;
  if (ld > memory->noperands || st > memory->noperands) return false;
  ports->loads = (u32)ld;
  ports->stores = (u32)st;
  /* A port has the element's number as its address or, in CIRCT, one index a dimension. */
  u64 inputs = memory->noperands - ports->first, count = ports->loads + (u64)ports->stores;
  ports->addresses = inputs == count + ports->stores ? 1 : ports->memref->rank;
  return count && ports->addresses && inputs == count * ports->addresses + ports->stores &&
         memory->nresults == count + ports->loads;
}

/* ---- which access is at which port ----------------------------------------------------------- */

/* True for an op that passes tokens on unchanged. Ops nested in unknown ops are not part of the
 * graph. */
static bool is_wire(const Wiring *w, const Op *op) {
  return op && op->block == w->body &&
         (op->kind == OP_HANDSHAKE_BUFFER || op->kind == OP_HANDSHAKE_FORK ||
          op->kind == OP_HANDSHAKE_LAZY_FORK || op->kind == OP_HANDSHAKE_BR);
}

static u32 value_number(const Wiring *w, const Value *value) {
  return w->first_value[value_op(value)->index] + value->index;
}

static void set_source(Wiring *w, Op *wire, const Value *source) {
  for (u32 r = 0; r < wire->nresults; r++) {
    w->sources[value_number(w, op_result(wire, r))] = source;
    vec_push(&w->work, op_result(wire, r));
  }
}

/* Finds the sources of all wires: the values at the start of chains of them. Visits each once. */
static void find_sources(Wiring *w) {
  for_each_op (op, w->body)
    if (is_wire(w, op) && !is_wire(w, value_def(op_operand(op, 0))))
      set_source(w, op, op_operand(op, 0));
  while (w->work.len) {
    const Value *value = vec_pop(&w->work);
    for_each_use (use, value)
      if (is_wire(w, use->owner)) set_source(w, use->owner, w->sources[value_number(w, value)]);
  }
}

/* The value at the start of the chain of wires that ends in `value`; that itself in a ring of
 * wires. */
static const Value *source_of(const Wiring *w, const Value *value) {
  const Value *source = is_wire(w, value_def(value)) ? w->sources[value_number(w, value)] : NULL;
  return source ? source : value;
}

static bool is_access(const Op *op) {
  return op && (op->kind == OP_HANDSHAKE_LOAD || op->kind == OP_HANDSHAKE_STORE);
}

/* Notes that operand `at` of a memory, at a port, comes from an access, of which it must be result
 * `part`. */
static void note_wire(Wiring *w, u32 memory, u32 port, u32 at, OpKind kind, u32 part) {
  const Op *op = w->memories.at[memory].op;
  const Value *source = source_of(w, op_operand(op, at));
  Op *from = value_def(source);
  if (!is_access(from)) return; /* a port that is used without an access op */
  Access *access = &w->accesses.at[w->access_of[from->index]];
  if (from->kind != kind || source->index != part) {
    diag(w->v->ctx, op->loc, COMP_HANDSHAKE_ACCESS,
         "%s: %s is the %s port's %s, but comes from the %s of a %s", op_name(op),
         operand_text(w->v, op, at), kind == OP_HANDSHAKE_LOAD ? "load" : "store",
         part ? "address" : "data", source->index ? "address" : "data", op_name(from));
    diag_note(w->v->ctx, from->loc, "the access is here");
    return;
  }
  if (access->memory == NONE) {
    access->memory = memory;
    access->port = port;
  }
  access->split |= access->memory != memory || access->port != port;
  access->parts++;
}

/* Notes all operands of a memory. Ports are numbered like them: stores, then loads. */
static void note_ports(Wiring *w, u32 memory) {
  Ports ports = w->memories.at[memory].ports;
  u32 at = ports.first;
  for (u32 port = 0; port < ports.stores + ports.loads; port++) {
    OpKind kind = port < ports.stores ? OP_HANDSHAKE_STORE : OP_HANDSHAKE_LOAD;
    if (port < ports.stores) note_wire(w, memory, port, at++, kind, 0);
    for (u32 k = 0; k < ports.addresses; k++) note_wire(w, memory, port, at++, kind, k + 1);
  }
}

static bool reaches_return(const Value *value) {
  for_each_use (use, value)
    if (use->owner->kind == OP_HANDSHAKE_RETURN) return true;
  return false;
}

/* True if the memory of this access is outside of the function. */
static bool is_outside(const Wiring *w, const Op *op) {
  bool load = op->kind == OP_HANDSHAKE_LOAD;
  const Value *data = load ? source_of(w, op_operand(op, op->noperands - 2)) : op_result(op, 0);
  if (load ? !data->is_arg : !reaches_return(data)) return false;
  for (u32 i = 1; i < op->nresults; i++)
    if (!reaches_return(op_result(op, i))) return false;
  return true;
}

static void check_access(Wiring *w, const Access *access) {
  Verifier *v = w->v;
  const Op *op = access->op;
  bool load = op->kind == OP_HANDSHAKE_LOAD;
  if (access->memory == NONE) {
    if (!is_outside(w, op))
      diag(v->ctx, op->loc, COMP_HANDSHAKE_ACCESS,
           "the address of this %s is not connected to a memory", op_name(op));
    return;
  }
  const Memory *memory = &w->memories.at[access->memory];
  if (access->split || access->parts != op->nresults - load) {
    diag(v->ctx, op->loc, COMP_HANDSHAKE_ACCESS, "%s of this %s must go to one port of one memory",
         load ? "the address" : "data and address", op_name(op));
    return;
  }
  if (!load) return;
  const Value *data = source_of(w, op_operand(op, op->noperands - 2));
  const Op *from = value_def(data);
  if (from && from == memory->op && data->index == access->port - memory->ports.stores) return;
  diag(v->ctx, op->loc, COMP_HANDSHAKE_ACCESS,
       "this %s must take its data from the port that takes its address", op_name(op));
  diag_note(v->ctx, memory->op->loc, "the address goes to load port %u of this memory",
            access->port - memory->ports.stores + 1);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The number N of `loom.alias_group = N : i32`: on the extmemory if lowering made it, on the
 * function's argument if it was written by hand. */
static bool alias_group(const Op *func, const Op *memory, u64 *number) {
  const Attr *group = op_attr(memory, "loom.alias_group");
  if (!group) group = op_arg_attr(func, op_operand(memory, 0)->index, "loom.alias_group");
  if (!group || group->kind != ATTR_INT) return false;
  *number = (u64)group->i;
  return true;
}

static void find_groups(Wiring *w, const Op *func) {
  Map by_arg = {0}, by_alias = {0};
  for (u32 i = 0; i < w->memories.len; i++) {
    Memory *memory = &w->memories.at[i];
    u64 first, alias;
    memory->group = i;
    if (memory->op->kind != OP_HANDSHAKE_EXTMEMORY) continue;
    const Value *arg = op_operand(memory->op, 0);
    if (map_get(&by_arg, PTR_KEY(arg), &first)) {
      diag(w->v->ctx, memory->op->loc, COMP_HANDSHAKE_ACCESS,
           "%s has two handshake.extmemory ops, so their accesses are not ordered",
           operand_text(w->v, memory->op, 0));
      diag_note(w->v->ctx, w->memories.at[first].op->loc, "the other is here");
      memory->group = (u32)first;
      continue;
    }
    map_put(&by_arg, PTR_KEY(arg), i);
    if (!alias_group(func, memory->op, &alias)) continue;
    if (map_get(&by_alias, alias, &first))
      memory->group = (u32)first;
    else
      map_put(&by_alias, alias, i);
  }
  map_free(&by_arg);
  map_free(&by_alias);
}

/* ---- origins of control tokens --------------------------------------------------------------- */

/* Control tokens, and tuples that may hold them. */
static bool may_carry(const Type *t) {
  return t->kind == TYPE_NONE || t->kind == TYPE_TUPLE;
}

static Origins *origins_of(Wiring *w, const Value *value) {
  if (value->is_arg) return NULL;
  return &w->origins[value_number(w, value)];
}

static void add_origins(Wiring *w, Value *value, Origins added) {
  Origins *known = origins_of(w, value);
  bool changed = false;
  for (int i = 0; i < 2; i++) {
    u32 origin = i ? added.two : added.one;
    if (origin == NONE || origin == known->one || origin == known->two || known->two != NONE)
      continue;
    *(known->one == NONE ? &known->one : &known->two) = origin;
    changed = true;
  }
  if (changed) vec_push(&w->work, value);
}

/* The number of results, from the first on, by which a token leaves that enters as operand i. */
static u32 results_reached(const Op *op, u32 i) {
  switch (op->kind) {
  case OP_HANDSHAKE_FORK:
  case OP_HANDSHAKE_LAZY_FORK:
  case OP_HANDSHAKE_BUFFER:
  case OP_HANDSHAKE_BR:
  case OP_HANDSHAKE_JOIN:
  case OP_HANDSHAKE_SYNC:
  case OP_HANDSHAKE_MERGE:
  case OP_HANDSHAKE_PACK:
  case OP_HANDSHAKE_UNPACK:
  case OP_HANDSHAKE_INSTANCE: return op->nresults;
  case OP_HANDSHAKE_CONTROL_MERGE: return 1;
  case OP_HANDSHAKE_COND_BR:
  case OP_HANDSHAKE_MUX:
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT:
  case OP_ARITH_SELECT: return i > 0 ? op->nresults : 0;
  case OP_DATAFLOW_GATE: return i == 0;
  default: return 0;
  }
}

/* The start token is the last argument, where that is a control token. */
static bool is_start(const Wiring *w, u32 arg) {
  return arg + 1 == w->body->nargs;
}

static void spread_to_use(Wiring *w, const Use *use, Origins origins) {
  if (use->owner->block != w->body) return;
  u32 end = results_reached(use->owner, use_index(use));
  for (u32 r = 0; r < end; r++)
    if (may_carry(type_of_result(use->owner, r))) add_origins(w, op_result(use->owner, r), origins);
}

/* The origins that no access may have: arguments other than the start token, and sources. */
static void add_wrong_origins(Wiring *w) {
  u32 first = (u32)w->memories.len, nargs = w->body->nargs;
  for (u32 a = 0; a < nargs; a++)
    if (may_carry(w->body->args[a]->type) && !is_start(w, a))
      for_each_use (use, w->body->args[a]) spread_to_use(w, use, (Origins){first + a, NONE});
  for_each_op (op, w->body)
    if (op->kind == OP_HANDSHAKE_SOURCE)
      add_origins(w, op_result(op, 0), (Origins){first + nargs, NONE});
}

static void find_origins(Wiring *w) {
  add_wrong_origins(w);
  for (u32 i = 0; i < w->memories.len; i++) {
    const Memory *memory = &w->memories.at[i];
    for (u32 r = memory->ports.loads; r < memory->op->nresults; r++)
      add_origins(w, op_result(memory->op, r), (Origins){memory->group, NONE});
  }
  while (w->work.len) {
    const Value *value = vec_pop(&w->work);
    Origins origins = *origins_of(w, value);
    for_each_use (use, value) spread_to_use(w, use, origins);
  }
}

static const char *memory_text(Wiring *w, const Memory *memory) {
  const Op *op = memory->op;
  const Value *value = op->kind == OP_HANDSHAKE_EXTMEMORY ? op_operand(op, 0) : op_result(op, 0);
  Buf buf = {0};
  buf_str(&buf, op->kind == OP_HANDSHAKE_EXTMEMORY ? "the memory of argument" : "memory");
  u32 number = value->is_arg ? value->index : (u32)(memory - w->memories.at);
  if (value->name)
    buf_printf(&buf, " %%%s", value->name->text);
  else
    buf_printf(&buf, " %u", number + 1);
  const char *text = arena_copy(w->v->scratch, buf.data, buf.len + 1);
  buf_free(&buf);
  return text;
}

typedef void ReportFn(Context *, Loc, Code, const char *, ...); /* diag or diag_warning */

/* The control of an access comes from an argument that is not the start token, or from a source. */
static void wrong_root(Wiring *w, const Op *op, const Memory *own, u32 arg, ReportFn *report) {
  Context *ctx = w->v->ctx;
  const Str *name = arg < w->body->nargs ? w->body->args[arg]->name : NULL;
  if (arg >= w->body->nargs)
    report(ctx, op->loc, COMP_HANDSHAKE_CTRL_ROOT,
           "the control of this %s of %s comes from handshake.source, which produces as many "
           "tokens as are consumed",
           op_name(op), memory_text(w, own));
  else
    report(ctx, op->loc, COMP_HANDSHAKE_CTRL_ROOT,
           "the control of this %s of %s comes from argument %s%s, which is not the start token",
           op_name(op), memory_text(w, own), name ? "%" : "",
           name ? name->text : str_printf(ctx, "%u", arg + 1)->text);
  diag_hint(ctx,
            "control tokens come from the start token, which is the last argument, or are done "
            "tokens of the same memory");
}

/* An origin that an access to memory `own` must not have; NONE if there is none. */
static u32 foreign_origin(Wiring *w, const Value *control, u32 own) {
  if (control->is_arg)
    return is_start(w, control->index) ? NONE : (u32)w->memories.len + control->index;
  const Origins *origins = origins_of(w, control);
  return origins->one != own ? origins->one : origins->two;
}

static void check_order(Wiring *w, const Access *access) {
  if (access->memory == NONE) return;
  Context *ctx = w->v->ctx;
  const Op *op = access->op;
  const Memory *own = &w->memories.at[access->memory];
  u32 foreign = foreign_origin(w, op_operand(op, op->noperands - 1), own->group);
  ReportFn *report = w->has_merges ? diag_warning : diag;
  if (foreign == NONE) return;
  if (foreign >= w->memories.len) {
    wrong_root(w, op, own, foreign - (u32)w->memories.len, report);
    return;
  }
  const Memory *other = &w->memories.at[foreign];
  report(ctx, op->loc, COMP_HANDSHAKE_CTRL_MULTI_MEM, "this %s of %s waits for done tokens of %s",
         op_name(op), memory_text(w, own), memory_text(w, other));
  diag_note(ctx, other->op->loc, "the other memory is here");
  diag_hint(ctx, "start its control from the function's start token; if the two memories may be "
                 "the same, give both arguments one loom.alias_group");
}

/* ---- the function ---------------------------------------------------------------------------- */

/* Numbers ops and values; lists memories and accesses. */
static void collect(Wiring *w) {
  Arena *arena = w->v->scratch;
  u32 nops = 0, nvalues = 0;
  for_each_op (op, w->body) nops++;
  w->first_value = NEW_ARRAY(arena, u32, nops);
  w->access_of = NEW_ARRAY(arena, u32, nops);
  nops = 0;
  for_each_op (op, w->body) {
    op->index = nops;
    w->first_value[nops] = nvalues;
    w->access_of[nops++] = (u32)w->accesses.len;
    nvalues += op->nresults;
    w->has_merges |= op->kind == OP_HANDSHAKE_MERGE || op->kind == OP_HANDSHAKE_CONTROL_MERGE;
    Access access = {.op = op, .memory = NONE};
    if (is_access(op)) vec_push(&w->accesses, access);
    Memory memory = {.op = op};
    bool is_memory = op->kind == OP_HANDSHAKE_MEMORY || op->kind == OP_HANDSHAKE_EXTMEMORY;
    if (is_memory && ports_of(op, &memory.ports)) vec_push(&w->memories, memory);
  }
  w->sources = NEW_ARRAY(arena, const Value *, nvalues);
  w->origins = NEW_ARRAY(arena, Origins, nvalues);
  memset(w->origins, 0xff, mem_size(nvalues, sizeof *w->origins)); /* all NONE */
}

/* In a function with accesses the last argument is a control token, if any is; so with results. */
static void check_controls(Wiring *w, const Op *func) {
  const Op *end = w->body->last;
  TypeList parts[] = {arg_types(w->body, 0), operand_types(end, 0, end->noperands)};
  static const char *const nouns[] = {"argument", "result"};
  for (int i = 0; w->accesses.len && i < 2; i++) {
    u32 last = NONE;
    for (u32 k = 0; k < parts[i].n; k++)
      if (list_at(parts[i], k)->kind == TYPE_NONE) last = k;
    if (last == NONE || last + 1 == parts[i].n) continue;
    diag(w->v->ctx, i ? end->loc : func->loc, COMP_HANDSHAKE_FUNC_CONTROL,
         "the control token must be the last %s of a function with memory, not %s %u of %u",
         nouns[i], nouns[i], last + 1, parts[i].n);
  }
}

void check_memory_wiring(Verifier *v, Op *func) {
  Wiring w = {.v = v, .body = func->regions[0].first};
  if (!w.body) return;
  ArenaMark mark = arena_mark(v->scratch);
  collect(&w);
  find_sources(&w);
  find_groups(&w, func);
  find_origins(&w);
  for (u32 i = 0; i < w.memories.len; i++) note_ports(&w, i);
  u32 errors = v->ctx->errors;
  for (u32 i = 0; i < w.accesses.len; i++) check_access(&w, &w.accesses.at[i]);
  check_controls(&w, func);
  if (v->ctx->errors == errors)
    for (u32 i = 0; i < w.accesses.len; i++) check_order(&w, &w.accesses.at[i]);
  vec_free(&w.memories);
  vec_free(&w.accesses);
  vec_free(&w.work);
  arena_release(v->scratch, mark);
}

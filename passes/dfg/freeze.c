/* freeze.c -- converts a handshake.func to the tables of dfg.h.
 *
 * The IR is walked once to make nodes and results, and once more, over the nodes, to make edges:
 * a graph region may use a value before the op that defines it, so no edge can be made before all
 * results have their ids.
 *
 * An instance of another function is inlined on the way. A body may be instantiated many times, so
 * the result of a value depends on the copy: every copy of a function is a *frame*, and a value is
 * looked up in a frame.
 *
 *     handshake.func @twice(%x: i32, ...) -> i32 {       frame 0: @f       value %r of frame 0
 *       %s = arith.addi %x, %x : i32                       %a -> node 0      is %s of frame 1
 *       handshake.return %s : i32                          %r -> frame 1   value %x of frame 1
 *     }                                                  frame 1: @twice     is %a of frame 0
 *     handshake.func @f(%a: i32, ...) -> i32 {             %s -> node 1
 *       %r = handshake.instance @twice(%a) : (i32) -> i32  parent: frame 0
 *       handshake.return %r : i32
 *     }
 *
 * `resolve` follows a value down into the frames of instances, from a result to its return operand,
 * and up from their arguments, to its definition. The definition of an instance's argument is
 * memoized in its frame, so that long chains of instances stay linear; an argument that depends on
 * itself (an instance that returns its argument, connected to that argument) is rejected.
 *
 * Requires a verified module. Ensures what dfg.h promises; the IR is unchanged but for the scratch
 * numbers Op.index of the functions copied. On errors it reports as many as it can and returns
 * NULL. Cost: linear in the nodes, and n log n to sort the names.
 */
#include "dfg/build.h"

#include "text/text.h"

#include <stdlib.h>

enum { MAX_INSTANCE_DEPTH = 256 };

/* ---- text and types -------------------------------------------------------------------------- */

DfgText build_text(DfgBuild *b, const char *text) {
  size_t len = strlen(text);
  if (len == 0) return 0;
  if (b->text.len + len + 1 > UINT32_MAX) loom_bug("more than 4 GiB of names");
  DfgText at = (DfgText)b->text.len;
  buf_put(&b->text, text, len + 1);
  return at;
}

DfgText build_join(DfgBuild *b, const char *prefix, const char *name) {
  if (!*prefix) return build_text(b, name);
  size_t len = strlen(prefix);
  DfgText at = (DfgText)b->text.len;
  /* `prefix` is usually in b->text, which moves when it grows. */
  char *copy = arena_copy(b->scratch, prefix, len);
  buf_put(&b->text, copy, len);
  build_text(b, name);
  return at;
}

/* Recursion is bounded by the nesting of tuples, which the parser limits. */
static bool is_token_type(const Context *ctx, const Type *type) {
  switch (type->kind) {
  case TYPE_NONE: return true;
  case TYPE_TUPLE:
    for (u32 i = 0; i < type->nelems; i++)
      if (!is_token_type(ctx, type->elems[i])) return false;
    return true;
  case TYPE_TAGGED: return is_token_type(ctx, type->elem);
  default: return type_is_scalar(type);
  }
}

static u32 push_type(DfgBuild *b, const Type *type);

static void push_elements(DfgBuild *b, DfgType *t, const Type *const *types, u32 n) {
  u32 *elems = NEW_ARRAY(b->scratch, u32, n);
  for (u32 i = 0; i < n; i++) {
    elems[i] = push_type(b, types[i]);
    t->bits += b->types.at[elems[i]].bits;
  }
  t->first_elem = (u32)b->type_elems.len;
  t->nelems = n;
  for (u32 i = 0; i < n; i++) vec_push(&b->type_elems, elems[i]);
}

/* The id of a type; DFG_NONE, without a diagnostic, if it is neither a token type nor a memref. */
static u32 push_type(DfgBuild *b, const Type *type) {
  u64 known;
  if (map_get(&b->type_ids, PTR_KEY(type), &known)) return (u32)known;
  if (!type_is_memref(type) && !is_token_type(b->ctx, type)) return DFG_NONE;
  DfgType t = {.kind = type->kind, .float_kind = type->float_kind, .ir = type};
  if (type->kind == TYPE_TUPLE) {
    push_elements(b, &t, type->elems, type->nelems);
  } else if (type->kind == TYPE_TAGGED && type_bits(b->ctx, type) > 64) {
    /* Two words, like a tuple (run/value.h). */
    const Type *words[] = {type_int(b->ctx, 64, SIGNLESS),
                           type_int(b->ctx, type_bits(b->ctx, type) - 64, SIGNLESS)};
    t.kind = TYPE_TUPLE;
    push_elements(b, &t, words, 2);
  } else if (!type_is_memref(type)) {
    t.bits = type_bits(b->ctx, type);
  }
  Buf text = {0};
  text_type(type, &text);
  t.text = build_text(b, text.data);
  buf_free(&text);
  u32 id = (u32)b->types.len;
  vec_push(&b->types, t);
  map_put(&b->type_ids, PTR_KEY(type), id);
  return id;
}

u32 build_type(DfgBuild *b, const Type *type, Loc loc) {
  u32 id = push_type(b, type);
  if (id != DFG_NONE) return id;
  Buf text = {0};
  text_type(type, &text);
  diag(b->ctx, loc, COMP_DFG_TYPE, "a token cannot have type %s", text.data);
  buf_free(&text);
  b->failed = true;
  return push_type(b, type_none(b->ctx));
}

/* ---- frames ---------------------------------------------------------------------------------- */

static Block *body_of(const Op *func) {
  return region_entry(&func->regions[0]);
}

static Op *return_of(const Op *func) {
  return block_terminator(body_of(func));
}

static bool is_graph(const Op *op) {
  if (op->kind != OP_HANDSHAKE_FUNC || !op->regions[0].first) return false;
  const Op *last = return_of(op);
  return op->regions[0].first == op->regions[0].last && last && last->kind == OP_HANDSHAKE_RETURN;
}

PRINTF_LIKE(3, 4)
static Op *refuse_instance(DfgBuild *b, const Op *instance, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(b->ctx, instance->loc, COMP_DFG_INSTANCE, format, args);
  va_end(args);
  b->failed = true;
  return NULL;
}

/* The function that an instance refers to, or NULL after a diagnostic. */
static Op *callee_of(DfgBuild *b, const Op *instance) {
  const Attr *symbol = op_attr(instance, "module");
  if (!symbol || symbol->kind != ATTR_SYMBOL)
    return refuse_instance(b, instance, "this instance does not name a function");
  u64 found = 0;
  if (!map_get(&b->functions, PTR_KEY(symbol->str), &found))
    return refuse_instance(b, instance, "there is no handshake.func @%s", symbol->str->text);
  Op *callee = (Op *)(uintptr_t)found;
  if (!is_graph(callee))
    return refuse_instance(b, instance, "@%s has no body to inline", symbol->str->text);
  if (return_of(callee)->noperands != instance->nresults ||
      body_of(callee)->nargs != instance->noperands)
    return refuse_instance(b, instance,
                           "the operands and results of this instance do not match @%s",
                           symbol->str->text);
  return callee;
}

static void find_functions(DfgBuild *b) {
  Op *top = op_enclosing(b->func, OP_BUILTIN_MODULE);
  if (!top) return;
  for_each_op (op, body_of(top)) {
    const Attr *name = op->kind == OP_HANDSHAKE_FUNC ? op_attr(op, "sym_name") : NULL;
    if (name && name->kind == ATTR_STRING) map_put(&b->functions, PTR_KEY(name->str), PTR_KEY(op));
  }
}

/* The ops and arguments of a function after inlining its instances, counted to one more than the
 * limit. Each function is measured once, and errors of instances are found on the way. 0 after a
 * diagnostic. */
static u64 measure(DfgBuild *b, const Op *func, u32 depth) {
  u64 size = body_of(func)->nargs, known;
  map_put(&b->sizes, PTR_KEY(func), 0); /* being measured */
  for_each_op (op, body_of(func)) {
    u64 one = 1;
    Op *callee = NULL;
    if (op->kind == OP_HANDSHAKE_INSTANCE && !(callee = callee_of(b, op))) return 0;
    if (callee && map_get(&b->sizes, PTR_KEY(callee), &known)) {
      one = known;
      if (!one)
        refuse_instance(b, op, "@%s contains itself: the graph would be infinite",
                        op_attr_text(callee, "sym_name"));
    } else if (callee && depth == MAX_INSTANCE_DEPTH) {
      refuse_instance(b, op, "instances are nested more than %d deep", MAX_INSTANCE_DEPTH);
    } else if (callee) {
      one = measure(b, callee, depth + 1);
    }
    if (b->failed) return 0;
    size += one;
    if (size > DFG_MAX_NODES) size = (u64)DFG_MAX_NODES + 1;
  }
  map_put(&b->sizes, PTR_KEY(func), size);
  return size;
}

static u32 push_frame(DfgBuild *b, Op *func, u32 parent, Op *instance, DfgText prefix) {
  u32 nops = 0;
  for_each_op (op, body_of(func)) op->index = nops++;
  Frame frame = {.func = func, .parent = parent, .instance = instance, .prefix = prefix};
  frame.at = NEW_ARRAY(b->scratch, u32, nops);
  if (instance) frame.args = NEW_ARRAY(b->scratch, Origin, body_of(func)->nargs);
  vec_push(&b->frames, frame);
  return (u32)b->frames.len - 1;
}

/* Finds the definition of a value of a frame. False after a diagnostic if there is none. */
static bool resolve(DfgBuild *b, u32 frame, Value *value, Origin *origin) {
  Vec(Origin *) passed = {0};
  for (;;) {
    const Frame *f = &b->frames.at[frame];
    if (value->is_arg && f->instance) {
      Origin *arg = &f->args[value->index];
      if (arg->value && arg->frame == DFG_NONE) break; /* being resolved: a cycle */
      if (arg->value) {
        frame = arg->frame, value = arg->value;
        continue;
      }
      *arg = (Origin){DFG_NONE, value};
      vec_push(&passed, arg);
      value = op_operand(f->instance, value->index);
      frame = f->parent;
    } else if (!value->is_arg && value_op(value)->kind == OP_HANDSHAKE_INSTANCE) {
      frame = f->at[value_op(value)->index];
      value = op_operand(return_of(b->frames.at[frame].func), value->index);
    } else {
      *origin = (Origin){frame, value};
      for (size_t i = 0; i < passed.len; i++) *passed.at[i] = *origin;
      vec_free(&passed);
      return true;
    }
  }
  refuse_instance(
      b, b->frames.at[frame].instance,
      "a result of this instance is connected to its own operand without a node in between");
  vec_free(&passed);
  return false;
}

/* ---- nodes and results ----------------------------------------------------------------------- */

static u32 push_node(DfgBuild *b, Op *op, u32 frame, FireClass fire) {
  DfgNode node = {.kind = op->kind,
                  .fire = (u8)fire,
                  .first_result = (u32)b->results.len,
                  .eval = DFG_NONE,
                  .memory = DFG_NONE,
                  .port = DFG_NONE,
                  .access = DFG_NONE,
                  .arg = DFG_NONE,
                  .loc = op->loc};
  DfgText *op_text = &b->op_texts[op->kind];
  if (!*op_text) *op_text = build_text(b, op_name(op));
  node.op = *op_text;
  if (op_loc_attr(op) && fire != FIRE_ARG) {
    Buf text = {0};
    const Attr *loc = op_loc_attr(op);
    if (loc->loc_kind == LOC_FILE)
      buf_printf(&text, "%s:%u:%u", loc->str->text, (u32)(loc->i >> 32), (u32)loc->i);
    else
      text_attr(loc, &text);
    node.loc_text = build_text(b, text.data);
    buf_free(&text);
  }
  vec_push(&b->nodes, node);
  vec_push(&b->ops, op);
  vec_push(&b->node_frames, frame);
  return (u32)b->nodes.len - 1;
}

static void push_result(DfgBuild *b, u32 node, const Value *value, DfgText name) {
  u32 type = build_type(b, value->type, value->loc);
  if (type_is_memref(value->type)) {
    diag(b->ctx, value->loc, COMP_DFG_TYPE,
         "a memref cannot be a token; only an argument can be one");
    b->failed = true;
  }
  vec_push(&b->results, ((DfgResult){.name = name, .node = node, .type = type}));
  b->nodes.at[node].nresults++;
}

/* Recognizes an extent: ARG_dimN of type index, after a memref ARG whose dimension N is dynamic. */
static void find_extent(const DfgBuild *b, DfgArg *arg) {
  const char *name = b->text.data + arg->name, *cut = NULL;
  for (const char *at = name; (at = strstr(at, "_dim")); at++) cut = at;
  if (!cut || b->types.at[arg->type].kind != TYPE_INDEX) return;
  size_t len = (size_t)(cut - name), digits = strspn(cut + 4, "0123456789");
  if (digits == 0 || digits > 3 || cut[4 + digits] || (cut[4] == '0' && digits > 1)) return;
  unsigned long dim = strtoul(cut + 4, NULL, 10);
  for (u32 i = 0; i < b->args.len; i++) {
    const DfgArg *of = &b->args.at[i];
    const char *of_name = b->text.data + of->name;
    if (of->role != DFG_ARG_MEMREF || strlen(of_name) != len || memcmp(of_name, name, len) != 0)
      continue;
    const Type *type = b->types.at[of->type].ir;
    if (dim >= type->rank || type->shape[dim] != DYNAMIC) continue;
    arg->role = DFG_ARG_EXTENT;
    arg->of = i;
    arg->dim = (u32)dim;
  }
}

/* Entry i of the attribute loom.c: the result's type in C, then those of the arguments. */
static DfgText c_type(DfgBuild *b, u32 i) {
  const Attr *types = op_attr(b->func, "loom.c");
  return build_text(b, types && i < types->n ? types->elems[i]->str->text : "");
}

static void push_args(DfgBuild *b, const ValueNames *names) {
  const Block *body = body_of(b->func);
  b->dfg->c_result = c_type(b, 0);
  for (u32 i = 0; i < body->nargs; i++) {
    const Value *value = body->args[i];
    DfgArg arg = {.name = build_text(b, names->args[i]->text), .c_type = c_type(b, i + 1)};
    arg.node = push_node(b, b->func, 0, FIRE_ARG);
    DfgNode *node = &b->nodes.at[arg.node];
    node->arg = i;
    node->name = arg.name;
    if (value->loc) node->loc = value->loc;
    if (type_is_memref(value->type)) {
      arg.role = DFG_ARG_MEMREF;
      arg.type = build_type(b, value->type, value->loc);
    } else {
      push_result(b, arg.node, value, arg.name);
      arg.role = value->type->kind == TYPE_NONE ? DFG_ARG_CONTROL : DFG_ARG_VALUE;
      arg.type = vec_last(&b->results).type;
      find_extent(b, &arg);
    }
    vec_push(&b->args, arg);
  }
}

/* The prefix of names inside an instance: the name of its first result, without "#0". */
static DfgText instance_prefix(DfgBuild *b, DfgText outer, const Op *op, const ValueNames *names) {
  const char *name = op->nresults ? names->ops[op->index][0]->text : op_attr_text(op, "module");
  size_t len = strcspn(name, "#");
  Buf text = {0};
  buf_put(&text, name, len);
  if (!op->nresults) buf_printf(&text, "#%u", op->index); /* SSA names have no # */
  buf_char(&text, '/');
  DfgText prefix = build_join(b, b->text.data + outer, text.data);
  buf_free(&text);
  return prefix;
}

/* Adds the nodes of one copy of a function, with those of its instances in their places. `measure`
 * has bounded the recursion. */
static void push_body(DfgBuild *b, u32 frame) {
  Op *func = b->frames.at[frame].func;
  DfgText prefix = b->frames.at[frame].prefix;
  ValueNames names = names_of_values(b, func);
  if (frame == 0) push_args(b, &names);
  for_each_op (op, body_of(func)) {
    FireClass fire = op_info((OpKind)op->kind)->fire;
    if (fire == FIRE_INSTANCE) {
      DfgText inside = instance_prefix(b, prefix, op, &names);
      u32 child = push_frame(b, callee_of(b, op), frame, op, inside);
      b->frames.at[frame].at[op->index] = child;
      push_body(b, child);
    } else if (fire == FIRE_RETURN && frame != 0) {
      continue;
    } else if (fire == FIRE_NOT || op->nregions) {
      diag(b->ctx, op->loc, COMP_DFG_OP, "%s is not allowed in a dataflow graph", op_name(op));
      b->failed = true;
    } else {
      u32 node = push_node(b, op, frame, fire);
      b->frames.at[frame].at[op->index] = (u32)b->results.len;
      for (u32 i = 0; i < op->nresults; i++)
        push_result(b, node, op_result(op, i),
                    build_join(b, b->text.data + prefix, names.ops[op->index][i]->text));
    }
  }
}

static void push_outputs(DfgBuild *b) {
  const Op *terminator = return_of(b->func);
  const Attr *names = op_attr(b->func, "resNames");
  if (names && (names->kind != ATTR_ARRAY || names->n != terminator->noperands)) names = NULL;
  for (u32 i = 0; i < terminator->noperands; i++) {
    const Value *value = op_operand(terminator, i);
    DfgOutput output = {.type = build_type(b, value->type, value->loc)};
    char numbered[24];
    snprintf(numbered, sizeof numbered, "out%u", i);
    const Str *name = names && names->elems[i]->kind == ATTR_STRING ? names->elems[i]->str : NULL;
    output.name = build_text(b, name ? text_shown(b->ctx, name->text) : numbered);
    vec_push(&b->outputs, output);
  }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The first operand of an extmemory is the memref: stores the argument's index in the node. */
static bool push_memref(DfgBuild *b, u32 node) {
  Origin origin;
  Op *op = b->ops.at[node];
  if (op->noperands == 0 || !resolve(b, b->node_frames.at[node], op_operand(op, 0), &origin))
    return false;
  if (!origin.value->is_arg || !type_is_memref(origin.value->type)) {
    diag(b->ctx, op->loc, COMP_DFG_OP, "the memory of an extmemory must be an argument");
    return false;
  }
  b->nodes.at[node].arg = origin.value->index;
  return true;
}

/* Fills Dfg.operands, with result ids until push_edges replaces them by edges. */
static void push_operands(DfgBuild *b) {
  for (u32 n = 0; n < b->nodes.len && !b->failed; n++) {
    Op *op = b->ops.at[n];
    DfgNode *node = &b->nodes.at[n];
    node->first_operand = (u32)b->operands.len;
    if (node->fire == FIRE_ARG) continue;
    u32 first = node->fire == FIRE_EXTMEMORY;
    if (first && !push_memref(b, n)) {
      b->failed = true;
      return;
    }
    node->noperands = op->noperands - first;
    for (u32 i = first; i < op->noperands; i++) {
      Origin origin;
      if (!resolve(b, b->node_frames.at[n], op_operand(op, i), &origin)) return;
      const Value *value = origin.value;
      if (type_is_memref(value->type)) {
        diag(b->ctx, op->loc, COMP_DFG_TYPE,
             "a memref cannot be a token; only an extmemory can use one");
        b->failed = true;
        return;
      }
      u32 result = value->is_arg
                       ? b->nodes.at[b->args.at[value->index].node].first_result
                       : b->frames.at[origin.frame].at[value_op(value)->index] + value->index;
      vec_push(&b->operands, result);
    }
  }
}

/* Makes the edges in the order of their results, then consumers, by a counting sort. */
static void push_edges(DfgBuild *b) {
  for (size_t i = 0; i < b->operands.len; i++) b->results.at[b->operands.at[i]].nedges++;
  u32 first = 0;
  for (size_t r = 0; r < b->results.len; r++) {
    b->results.at[r].first_edge = first;
    first += b->results.at[r].nedges;
    b->results.at[r].nedges = 0;
  }
  vec_reserve(&b->edges, first);
  b->edges.len = first;
  for (u32 n = 0; n < b->nodes.len; n++) {
    const DfgNode *node = &b->nodes.at[n];
    for (u32 i = 0; i < node->noperands; i++) {
      u32 *operand = &b->operands.at[node->first_operand + i];
      DfgResult *result = &b->results.at[*operand];
      u32 edge = result->first_edge + result->nedges++;
      b->edges.at[edge] = (DfgEdge){.result = *operand, .to = n, .operand = i};
      *operand = edge;
    }
  }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void *keep(DfgBuild *b, const void *data, size_t n, size_t size) {
  return arena_copy(b->dfg->arena, n ? data : "", mem_size(n, size));
}

#define KEEP(field) (dfg->field = keep(b, b->field.at, b->field.len, sizeof *b->field.at))

static void finish(DfgBuild *b) {
  Dfg *dfg = b->dfg;
  dfg->loc = b->func->loc;
  dfg->nnodes = (u32)b->nodes.len;
  dfg->nresults = (u32)b->results.len;
  dfg->nedges = (u32)b->edges.len;
  dfg->nargs = (u32)b->args.len;
  dfg->noutputs = (u32)b->outputs.len;
  dfg->ntypes = (u32)b->types.len;
  dfg->nmemories = (u32)b->memories.len;
  dfg->nevals = (u32)b->evals.len;
  dfg->naccesses = (u32)b->accesses.len;
  dfg->return_node = dfg->nnodes - 1;
  dfg->is_determinate = true;
  for (u32 n = 0; n < dfg->nnodes; n++) {
    FireClass fire = b->nodes.at[n].fire;
    if (fire == FIRE_MERGE || fire == FIRE_CONTROL_MERGE) dfg->is_determinate = false;
  }
  KEEP(nodes), KEEP(results), KEEP(edges), KEEP(operands), KEEP(types), KEEP(type_elems);
  KEEP(args), KEEP(outputs), KEEP(memories), KEEP(extents), KEEP(initials), KEEP(evals);
  KEEP(ports), KEEP(accesses), KEEP(order), KEEP(nodes_by_name), KEEP(results_by_name),
      KEEP(edges_by_name);
  dfg->text = keep(b, b->text.data, b->text.len, 1);
}

static void free_build(DfgBuild *b) {
  vec_free(&b->frames), vec_free(&b->nodes), vec_free(&b->ops), vec_free(&b->node_frames);
  vec_free(&b->results), vec_free(&b->edges), vec_free(&b->operands), vec_free(&b->types);
  vec_free(&b->type_elems), vec_free(&b->args), vec_free(&b->outputs), vec_free(&b->memories);
  vec_free(&b->extents), vec_free(&b->initials), vec_free(&b->evals), vec_free(&b->ports);
  vec_free(&b->accesses);
  vec_free(&b->order), vec_free(&b->nodes_by_name), vec_free(&b->results_by_name);
  vec_free(&b->edges_by_name);
  map_free(&b->type_ids);
  map_free(&b->functions);
  map_free(&b->sizes);
  buf_free(&b->text);
  arena_free(b->scratch);
}

static void build(DfgBuild *b) {
  buf_char(&b->text, '\0'); /* the empty string is text 0 */
  b->dfg->name = build_text(b, op_attr_text(b->func, "sym_name"));
  find_functions(b);
  u64 size = measure(b, b->func, 0);
  if (size > DFG_MAX_NODES) {
    diag(b->ctx, b->func->loc, COMP_DFG_TOO_LARGE,
         "@%s has more than %u nodes once its instances are inlined",
         op_attr_text(b->func, "sym_name"), DFG_MAX_NODES);
    b->failed = true;
  }
  if (b->failed) return;
  push_body(b, push_frame(b, b->func, DFG_NONE, NULL, 0));
  if (b->failed) return;
  for (u32 n = 0; n < b->nodes.len; n++)
    if (!build_attributes(b, n)) b->failed = true;
  if (!b->failed) push_outputs(b);
  if (!b->failed) push_operands(b);
  if (b->failed) return;
  push_edges(b);
  build_order(b);
  if (!build_memories(b)) b->failed = true;
  if (b->failed) return;
  build_names(b);
  finish(b);
}

Dfg *dfg_freeze(Context *ctx, Op *handshake_func) {
  if (!is_graph(handshake_func)) {
    diag(ctx, handshake_func->loc, COMP_DFG_OP, "a graph must be a handshake.func with a body");
    return NULL;
  }
  Arena *arena = arena_new();
  Dfg *dfg = NEW(arena, Dfg);
  dfg->arena = arena;
  DfgBuild b = {.ctx = ctx, .func = handshake_func, .dfg = dfg, .scratch = arena_new()};
  build(&b);
  bool failed = b.failed;
  free_build(&b);
  if (!failed) return dfg;
  dfg_free(dfg);
  return NULL;
}

void dfg_free(Dfg *dfg) {
  if (dfg) arena_free(dfg->arena); /* the Dfg is in it too */
}

void dfg_where(const Context *ctx, const Dfg *dfg, u32 node, Buf *buf) {
  const DfgNode *n = &dfg->nodes[node];
  Place place = source_place(ctx, n->loc);
  if (n->loc_text)
    buf_str(buf, dfg_text(dfg, n->loc_text));
  else if (place.file)
    buf_printf(buf, "%s:%u:%u", place.file, place.line, place.column);
  else
    buf_str(buf, "unknown");
}

/* dataflow.c -- builds the dataflow graph of a function: regions become streams of tokens.
 *
 *     %r = scf.for %i = %a to %n step %s          %raw, %more = dataflow.stream %a, %s, %n
 *          iter_args(%x = %z) -> (i32) {          %i, %again = dataflow.gate %raw, %more
 *       %y = arith.addi %x, %k : i32         =>   %c = dataflow.carry %more, %z, %y
 *       scf.yield %y : i32                        %x, %r = handshake.cond_br %more, %c
 *     }                                           %kk = dataflow.invariant %again, %k
 *                                                 %y = arith.addi %x, %kk : i32
 *
 * The invariant: per execution of a region, each value in it has exactly one token. So a value from
 * outside is converted at the boundary of the region, once, and only if an op in the region uses
 * it:
 *
 *     into                        by
 *     body of a counted loop      invariant(after_cond, v)
 *     before region of a while    invariant(raw_cond, v)
 *     after region of a while     the true side of cond_br(raw_cond, its before-region copy)
 *     then, else of an if         the true, false side of cond_br(cond, v)
 *
 * scopes.c makes these conversions, and knows which graph value stands for a source value in each
 * region. A literal is not converted: it is made again in the region that uses it, triggered by
 * that region's control token.
 *
 * In a while's before region the condition is not known until the region has been lowered;
 * invariants made until then are kept in `unconditioned`, and get it afterwards.
 *
 * Results of a counted loop are the false sides of the cond_br of their carries on the raw
 * condition, those of a while the false sides of the cond_br of scf.condition's arguments, those of
 * an if muxes.
 *
 * Requires: counted_loop_runs holds for every counted loop (guard.c). Ensures: one block of
 * handshake, dataflow and arithmetic ops; loads and stores get their memories and their control in
 * memory.c. Each source op is visited once, and each conversion is made once per region: linear in
 * the program times the depth of its nest. Recursion is as deep as the nest, which the parser
 * bounds. */
#include "lower/dataflow.h"

Value *graph_value(GraphBuilder *g, OpKind kind, Value *const *operands, u32 n, const Type *type,
                   const Str *name) {
  Value *result = op_result(build_op(&g->b, kind, operands, n, &type, 1, 0), 0);
  result->name = name;
  return result;
}

Op *graph_split(GraphBuilder *g, Value *condition, Value *value) {
  Op *split = build_op(&g->b, OP_HANDSHAKE_COND_BR, (Value *[]){condition, value}, 2,
                       (const Type *[]){value->type, value->type}, 2, 0);
  op_result(split, 0)->name = op_result(split, 1)->name = value->name;
  return split;
}

const Str *graph_name(GraphBuilder *g, const Str *base, const char *suffix) {
  if (!base) return NULL;
  g->name.len = 0;
  buf_put(&g->name, base->text, base->len);
  buf_char(&g->name, '_');
  buf_str(&g->name, suffix);
  return str_intern(g->m->ctx, g->name.data, g->name.len);
}

/* ---- plain ops and accesses ------------------------------------------------------------------ */

static void lower_plain(GraphBuilder *g, Scope *s, Op *op) {
  Value *operands[EVAL_MAX_OPERANDS];
  const Type *types[EVAL_MAX_RESULTS];
  if (op->noperands > COUNT_OF(operands) || op->nresults > COUNT_OF(types))
    loom_bug("'%s' has more operands or results than any plain op", op_name(op));
  for (u32 i = 0; i < op->noperands; i++) operands[i] = scope_value(g, s, op_operand(op, i));
  for (u32 i = 0; i < op->nresults; i++) types[i] = op->results[i].type;
  Op *node = build_op(&g->b, (OpKind)op->kind, operands, op->noperands, types, op->nresults, 0);
  op_init_attrs(g->m, node, op->attrs, op->nattrs);
  for (u32 i = 0; i < op->nresults; i++) {
    op_result(node, i)->name = op->results[i].name;
    scope_bind(g, s, op_result(op, i), op_result(node, i));
  }
}

static void add_root(GraphBuilder *g, Value *memref, i64 alias_group) {
  map_put(&g->root_of, PTR_KEY(memref), g->roots.len);
  vec_push(&g->roots, ((RootMemory){.root = memref, .alias_group = alias_group}));
}

static RootMemory *root_of(GraphBuilder *g, const Value *memref) {
  u64 at;
  if (!map_get(&g->root_of, PTR_KEY(memref), &at))
    loom_bug("an access to a memory that is not a root");
  return &g->roots.at[at];
}

static void enter_region(GraphBuilder *g, RegionOp *of, u32 region) {
  vec_push(&g->nest, ((Inside){of, region}));
  g->path = NULL;
}

static void leave_region(GraphBuilder *g) {
  (void)vec_pop(&g->nest);
  g->path = NULL;
}

static void lower_access(GraphBuilder *g, Scope *s, Op *op) {
  bool is_store = op->kind == OP_MEMREF_STORE;
  Value *address = scope_value(g, s, op_operand(op, is_store ? 2 : 1));
  Value *stored = is_store ? scope_value(g, s, op_operand(op, 0)) : NULL;
  const Value *memref = op_operand(op, is_store ? 1 : 0);
  Value *operands[3] = {address, stored, NULL};
  const Type *types[2] = {memref->type->elem, address->type};
  Op *node =
      build_op(&g->b, is_store ? OP_HANDSHAKE_STORE : OP_HANDSHAKE_LOAD, operands, 3, types, 2, 0);
  NamedAttr number = {.name = g->key_access, .value = op_attr_str(op, g->key_access)};
  op_init_attrs(g->m, node, &number, number.value != NULL);
  op_result(node, 0)->name = is_store ? graph_name(g, memref->name, "st") : op->results[0].name;
  if (!is_store) scope_bind(g, s, op_result(op, 0), op_result(node, 0));
  if (!g->path) g->path = arena_copy(g->notes, g->nest.at, g->nest.len * sizeof(Inside));
  vec_push(&root_of(g, memref)->accesses, ((SourceAccess){.source = op,
                                                          .node = node,
                                                          .path = g->path,
                                                          .depth = (u32)g->nest.len,
                                                          .order = g->naccesses++,
                                                          .is_store = is_store}));
}

/* ---- regions --------------------------------------------------------------------------------- */

static void lower_block(GraphBuilder *g, Scope *s, Block *block);

static RegionOp *new_region_op(GraphBuilder *g, Op *source, Value *condition, RegionEntry *entry,
                               bool counted) {
  RegionOp *made = NEW(g->notes, RegionOp);
  *made = (RegionOp){.source = source,
                     .condition = condition,
                     .entry = entry,
                     .loc_attr = op_loc_attr(source),
                     .loc = source->loc,
                     .is_if = source->kind == OP_SCF_IF,
                     .counted = counted};
  for (u32 r = 0; r < source->nregions; r++)
    if (source->regions[r].first) scope_number(g, source->regions[r].first);
  return made;
}

static void lower_region(GraphBuilder *g, Scope *s, RegionOp *of, u32 region) {
  enter_region(g, of, region);
  lower_block(g, s, region_entry(&of->source->regions[region]));
  leave_region(g);
}

static void lower_if(GraphBuilder *g, Scope *s, Op *op) {
  Value *condition = scope_value(g, s, op_operand(op, 0));
  Branch *branch = scope_branch(g, s, condition);
  Scope *sides = branch->sides;
  RegionOp *region_op = new_region_op(g, op, condition, &branch->entry, false);
  for (u32 r = 0; r < 2; r++)
    if (op->regions[r].first) lower_region(g, &sides[r], region_op, r);
  for (u32 i = 0; i < op->nresults; i++) { /* an if with results has both sides */
    Value *result = op_result(op, i);
    Value *yields[2] = {op_operand(block_terminator(region_entry(&op->regions[0])), i),
                        op_operand(block_terminator(region_entry(&op->regions[1])), i)};
    if (!result->uses) continue;
    if (yields[0] == yields[1]) {
      scope_bind(g, s, result, scope_value(g, s, yields[0]));
      continue;
    }
    Value *chosen[3] = {condition, scope_value(g, &sides[1], yields[1]),
                        scope_value(g, &sides[0], yields[0])};
    scope_bind(g, s, result,
               graph_value(g, OP_HANDSHAKE_MUX, chosen, 3, result->type, result->name));
  }
}

/* The carry of a value that a counted loop carries, and its split on the raw condition. */
static Op *build_carry(GraphBuilder *g, Value *raw_condition, Value *init, const Str *name,
                       Op **split) {
  Value *carry = graph_value(g, OP_DATAFLOW_CARRY, (Value *[]){raw_condition, init, NULL}, 3,
                             init->type, name);
  *split = graph_split(g, raw_condition, carry);
  return value_op(carry);
}

typedef struct {
  Op *carry;
  Value *next; /* the source value that is fed back */
} Feedback;

static void set_stream_attrs(GraphBuilder *g, Op *stream, const CountedLoop *loop) {
  Context *ctx = g->m->ctx;
  NamedAttr attrs[4];
  u32 n = 0;
  attrs[n++] = (NamedAttr){.name = g->key_cont_cond,
                           .value = attr_string(ctx, str_of(ctx, loop->cont_cond))};
  const Attr *independent = op_attr(loop->op, "loom.independent");
  if (independent) attrs[n++] = (NamedAttr){.name = g->key_independent, .value = independent};
  const Attr *nonzero = op_attr(loop->op, "loom.nonzero");
  if (nonzero) attrs[n++] = (NamedAttr){.name = g->key_nonzero, .value = nonzero};
  attrs[n++] =
      (NamedAttr){.name = g->key_step_op, .value = attr_string(ctx, str_of(ctx, loop->step_op))};
  op_init_attrs(g->m, stream, attrs, n);
}

/* Binds a counted for's body arguments and results. `splits`: of its carried values. */
static void bind_for(GraphBuilder *g, Scope *s, Scope *inside, const CountedLoop *loop,
                     Value *index, Op *const *splits) {
  scope_bind(g, inside, loop->body->args[0], index);
  for (u32 i = 0; i < loop->op->nresults; i++) {
    scope_bind(g, inside, loop->body->args[i + 1], op_result(splits[i], 0));
    scope_bind(g, s, op_result(loop->op, i), op_result(splits[i], 1));
  }
}

/* The same for a while, whose scf.condition may pass its values in any order. */
static void bind_while(GraphBuilder *g, Scope *s, Scope *inside, const CountedLoop *loop,
                       const Op *gate, Op *const *splits) {
  const Block *before = region_entry(&loop->op->regions[0]);
  const Op *condition = block_terminator(before);
  for (u32 j = 0; j < loop->body->nargs; j++) {
    Value *given = op_operand(condition, j + 1);
    Value *arg = loop->body->args[j], *result = op_result(loop->op, j);
    if (!given->is_arg || value_block(given) != before) { /* from outside */
      if (arg->uses) scope_bind(g, inside, arg, scope_value(g, inside, given));
      if (result->uses) scope_bind(g, s, result, scope_value(g, s, given));
    } else if (given->index == loop->stepped) {
      Value *raw_index = op_operand(gate, 0), *raw_condition = op_operand(gate, 1);
      scope_bind(g, inside, arg, op_result(gate, 0));
      if (result->uses)
        scope_bind(g, s, result, op_result(graph_split(g, raw_condition, raw_index), 1));
    } else {
      scope_bind(g, inside, arg, op_result(splits[given->index], 0));
      scope_bind(g, s, result, op_result(splits[given->index], 1));
    }
  }
}

/* scf.for and stream-shaped scf.while: stream, gate, carries; the body is controlled by after_cond.
 */
static void lower_counted(GraphBuilder *g, Scope *s, const CountedLoop *loop) {
  Op *op = loop->op;
  Context *ctx = g->m->ctx;
  bool is_for = op->kind == OP_SCF_FOR;
  Block *before = is_for ? NULL : region_entry(&op->regions[0]), *body = loop->body;
  const Str *name = is_for ? body->args[0]->name : before->args[loop->stepped]->name;

  RegionEntry *entry = NEW(g->notes, RegionEntry);
  RegionOp *region_op = new_region_op(g, op, NULL, entry, true);
  Value *inputs[3] = {scope_value(g, s, loop->start), scope_value(g, s, loop->step),
                      scope_value(g, s, loop->bound)};
  const Type *types[2] = {type_index(ctx), type_i1(ctx)};
  Op *stream = build_op(&g->b, OP_DATAFLOW_STREAM, inputs, 3, types, 2, 0);
  Value *raw_index = op_result(stream, 0), *raw_condition = op_result(stream, 1);
  set_stream_attrs(g, stream, loop);
  raw_index->name = graph_name(g, name, "raw");
  raw_condition->name = graph_name(g, name, "more");
  Op *gate =
      build_op(&g->b, OP_DATAFLOW_GATE, (Value *[]){raw_index, raw_condition}, 2, types, 2, 0);
  op_result(gate, 0)->name = name;
  op_result(gate, 1)->name = graph_name(g, name, "again");
  region_op->condition = op_result(gate, 1);
  Scope inside = {.parent = s, .kind = IN_COUNTED, .condition = op_result(gate, 1), .entry = entry};

  const Op *yield = block_terminator(body);
  u32 ncarried = is_for ? op->nresults : before->nargs;
  Feedback *feedbacks = NEW_ARRAY(g->notes, Feedback, ncarried);
  Op **splits = NEW_ARRAY(g->notes, Op *, ncarried);
  for (u32 i = 0; i < ncarried; i++) {
    if (!is_for && i == loop->stepped) continue;
    Value *arg = is_for ? body->args[i + 1] : before->args[i];
    Value *init = scope_value(g, s, op_operand(op, is_for ? i + 3 : i));
    feedbacks[i].carry = build_carry(g, raw_condition, init, arg->name, &splits[i]);
    feedbacks[i].next = op_operand(yield, i);
  }
  if (is_for)
    bind_for(g, s, &inside, loop, op_result(gate, 0), splits);
  else
    bind_while(g, s, &inside, loop, gate, splits);
  lower_region(g, &inside, region_op, is_for ? 0 : 1);
  for (u32 i = 0; i < ncarried; i++)
    if (feedbacks[i].carry)
      op_set_operand(feedbacks[i].carry, 2, scope_value(g, &inside, feedbacks[i].next));
  scope_end(g, &inside);
}

static void lower_while(GraphBuilder *g, Scope *s, Op *op) {
  Block *before = region_entry(&op->regions[0]), *after = region_entry(&op->regions[1]);
  const Op *condition = block_terminator(before), *yield = block_terminator(after);
  RegionOp *region_op = new_region_op(g, op, NULL, NULL, false);
  Scope in_before = {.parent = s, .kind = IN_BEFORE};
  Op **carries = NEW_ARRAY(g->notes, Op *, before->nargs);
  for (u32 i = 0; i < before->nargs; i++) {
    Value *init = scope_value(g, s, op_operand(op, i));
    Value *carry = graph_value(g, OP_DATAFLOW_CARRY, (Value *[]){NULL, init, NULL}, 3, init->type,
                               before->args[i]->name);
    carries[i] = value_op(carry);
    scope_bind(g, &in_before, before->args[i], carry);
  }
  lower_region(g, &in_before, region_op, 0);

  Value *raw_condition = scope_value(g, &in_before, op_operand(condition, 0));
  in_before.condition = raw_condition;
  for (u32 i = 0; i < before->nargs; i++) op_set_operand(carries[i], 0, raw_condition);
  for (size_t i = 0; i < in_before.unconditioned.len; i++)
    op_set_operand(in_before.unconditioned.at[i], 0, raw_condition);
  region_op->condition = raw_condition;

  Scope in_after = {.parent = &in_before, .kind = IN_AFTER, .condition = raw_condition};
  for (u32 j = 0; j < after->nargs; j++) {
    if (!after->args[j]->uses && !op_result(op, j)->uses) continue;
    Value *given = scope_value(g, &in_before, op_operand(condition, j + 1));
    Op *split = graph_split(g, raw_condition, given);
    scope_bind(g, &in_after, after->args[j], op_result(split, 0));
    scope_bind(g, s, op_result(op, j), op_result(split, 1));
  }
  lower_region(g, &in_after, region_op, 1);
  for (u32 i = 0; i < before->nargs; i++)
    op_set_operand(carries[i], 2, scope_value(g, &in_after, op_operand(yield, i)));
  scope_end(g, &in_after);
  scope_end(g, &in_before);
}

static void lower_op(GraphBuilder *g, Scope *s, Op *op) {
  CountedLoop loop;
  g->b.loc = op->loc;
  g->b.loc_attr = op_loc_attr(op);
  switch ((OpKind)op->kind) {
  case OP_SCF_IF: lower_if(g, s, op); return;
  case OP_SCF_FOR:
  case OP_SCF_WHILE:
    if (counted_loop_match(g->m->ctx, op, &loop))
      lower_counted(g, s, &loop);
    else
      lower_while(g, s, op);
    return;
  case OP_MEMREF_LOAD:
  case OP_MEMREF_STORE: lower_access(g, s, op); return;
  case OP_MEMREF_ALLOC:
  case OP_MEMREF_ALLOCA:
  case OP_MEMREF_GET_GLOBAL: add_root(g, op_result(op, 0), -1); return;
  default: break;
  }
  if (op_info((OpKind)op->kind)->fire == FIRE_PURE) lower_plain(g, s, op);
}

static void lower_block(GraphBuilder *g, Scope *s, Block *block) {
  for (Op *op = block->first; op && op != block->last; op = op->next) lower_op(g, s, op);
}

/* ---- loops that have no graph ---------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  bool refused;
} LoopCheck;

/* Reports a for loop that `raise` could not rewrite to count in index. */
static void check_loop(void *data, Op *op) {
  LoopCheck *check = data;
  Context *ctx = check->ctx;
  CountedLoop loop;
  if (op->kind != OP_SCF_FOR || counted_loop_match(ctx, op, &loop)) return;
  diag(ctx, op->loc, COMP_LOWER_INDEX_WIDTH,
       "scf.for cannot be lowered: its induction variable has %u bits, but index has %u, and its "
       "bounds may not fit in index",
       type_bits(ctx, op_operand(op, 0)->type), ctx->index_width);
  diag_hint(ctx, "set LOOM_INDEX_WIDTH to a decimal number up to 64, or bound the loop by "
                 "constants");
  check->refused = true;
}

/* ---- the function ---------------------------------------------------------------------------- */

i64 alias_group_of(const Op *func, u32 arg) {
  const Attr *group = op_arg_attr(func, arg, "loom.alias_group");
  return group ? group->i : -1;
}

/* An array attribute of port names: those of the values, made unique. */
static const Attr *port_names(Module *m, Value *const *values, u32 n, const char *otherwise,
                              const char *last) {
  Context *ctx = m->ctx;
  Map taken = {0};
  const Attr **names = NEW_ARRAY(m->arena, const Attr *, n + (size_t)1);
  map_put(&taken, str_of(ctx, last)->id, 0);
  for (u32 i = 0; i < n; i++) {
    const Str *base = values[i]->name, *name = base;
    u64 found, next = 0; /* the suffix to try next for a name that is taken */
    if (!base) base = name = str_printf(ctx, "%s%u", otherwise, i);
    map_get(&taken, base->id, &next);
    while (map_get(&taken, name->id, &found))
      name = str_printf(ctx, "%s_%llu", base->text, (unsigned long long)next++);
    if (name != base) map_put(&taken, base->id, next);
    map_put(&taken, name->id, 0);
    names[i] = attr_string(ctx, name);
  }
  names[n] = attr_string(ctx, str_of(ctx, last));
  map_free(&taken);
  return attr_array(ctx, names, n + 1);
}

static Op *new_handshake_func(GraphBuilder *g) {
  Module *m = g->m;
  Context *ctx = m->ctx;
  Block *source = region_entry(&g->func->regions[0]);
  Op *return_op = block_terminator(source);
  u32 nargs = source->nargs, nresults = return_op->noperands;
  Op *made = op_new(m, OP_HANDSHAKE_FUNC, g->func->loc, NULL, 0, NULL, 0, 1);
  op_set_loc_attr(m, made, op_loc_attr(g->func));
  Block *body = block_new(m, &made->regions[0]);
  const Type **types = NEW_ARRAY(m->arena, const Type *, nargs + nresults + (size_t)2);
  Value **returned = NEW_ARRAY(m->arena, Value *, nresults);
  for (u32 i = 0; i < nargs; i++) types[i] = source->args[i]->type;
  types[nargs] = type_none(ctx);
  for (u32 i = 0; i < nresults; i++) {
    returned[i] = op_operand(return_op, i);
    types[nargs + 1 + i] = returned[i]->type;
  }
  types[nargs + 1 + nresults] = type_none(ctx);
  for (u32 i = 0; i < nargs; i++)
    block_add_arg(m, body, types[i], source->args[i]->name, source->args[i]->loc);
  g->start = block_add_arg(m, body, types[nargs], str_of(ctx, "start"), g->func->loc);
  op_set_attr(m, made, "sym_name", op_attr(g->func, "sym_name"));
  op_set_attr(
      m, made, "function_type",
      attr_type(ctx, type_function(ctx, types, nargs + 1, types + nargs + 1, nresults + 1)));
  op_set_attr(m, made, "argNames", port_names(m, source->args, nargs, "arg", "start"));
  op_set_attr(m, made, "resNames", port_names(m, returned, nresults, "out", "done"));
  if (op_attr(g->func, "loom.c")) op_set_attr(m, made, "loom.c", op_attr(g->func, "loom.c"));
  return made;
}

/* All loops that cannot be lowered are reported first, so that no half-built graph is left. */
Op *build_dataflow(Module *m, Op *func, bool serial) {
  LoopCheck check = {.ctx = m->ctx};
  walk_ops(&func->regions[0], check_loop, &check);
  if (check.refused) return NULL;
  GraphBuilder g = {.m = m,
                    .notes = arena_new(),
                    .func = func,
                    .serial = serial,
                    .solver = linear_solver(m->ctx),
                    .key_value = str_of(m->ctx, "value"),
                    .key_access = str_of(m->ctx, "loom.access"),
                    .key_step_op = str_of(m->ctx, "step_op"),
                    .key_cont_cond = str_of(m->ctx, "cont_cond"),
                    .key_nonzero = str_of(m->ctx, "nonzero"),
                    .key_independent = str_of(m->ctx, "loom.independent")};
  Op *made = new_handshake_func(&g);
  Block *source = region_entry(&func->regions[0]), *body = region_entry(&made->regions[0]);
  g.b = (Builder){.m = m, .block = body, .loc = func->loc, .loc_attr = op_loc_attr(func)};
  Scope top = {.kind = IN_FUNCTION, .control = g.start};
  scope_number(&g, source);
  for (u32 i = 0; i < source->nargs; i++) {
    scope_bind(&g, &top, source->args[i], body->args[i]);
    if (type_is_memref(source->args[i]->type))
      add_root(&g, source->args[i], alias_group_of(func, i));
  }
  lower_block(&g, &top, source);
  Op *return_op = block_terminator(source);
  Value **results = NEW_ARRAY(m->arena, Value *, return_op->noperands + (size_t)1);
  for (u32 i = 0; i < return_op->noperands; i++)
    results[i] = scope_value(&g, &top, op_operand(return_op, i));
  results[return_op->noperands] = connect_memories(&g);
  g.b.loc = return_op->loc;
  build_op(&g.b, OP_HANDSHAKE_RETURN, results, return_op->noperands + 1, NULL, 0, 0);
  op_insert_before(func, made);
  scope_end(&g, &top);
  for (size_t i = 0; i < g.roots.len; i++) vec_free(&g.roots.at[i].accesses);
  vec_free(&g.roots);
  vec_free(&g.nest);
  vec_free(&g.newest);
  vec_free(&g.bindings);
  buf_free(&g.name);
  map_free(&g.root_of);
  map_free(&g.globals);
  linear_solver_free(&g.solver);
  arena_free(g.notes);
  return made;
}

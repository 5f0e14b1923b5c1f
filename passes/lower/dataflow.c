/* dataflow.c -- regions become streams.
 *
 *     %r = scf.for %i = %a to %n step %s          %raw, %more = dataflow.stream %a, %s, %n
 *          iter_args(%x = %z) -> (i32) {          %i, %again = dataflow.gate %raw, %more
 *       %y = arith.addi %x, %k : i32         =>   %c = dataflow.carry %more, %z, %y
 *       scf.yield %y : i32                        %x, %r = handshake.cond_br %more, %c
 *     }                                           %kk = dataflow.invariant %again, %k
 *                                                 %y = arith.addi %x, %kk : i32
 *
 * The rule that makes all lengths right: inside one execution of a region every value stream
 * carries exactly one token. So a value that crosses into a region is converted at the boundary,
 * once a region, and only if something in the region uses it:
 *
 *     into                        by
 *     body of a counted loop      invariant(after_cond, v)
 *     before region of a while    invariant(raw_cond, v)
 *     after region of a while     the true side of cond_br(raw_cond, its before-region copy)
 *     then, else of an if         the true, false side of cond_br(cond, v)
 *
 * A `Scope` is one region in the making. What source values are in it is filled in as ops are
 * lowered and as outer values are asked for (scope_value). Source values are numbered as the walk
 * comes to them, and each has a list of what it is in the scopes that are open: as long as the nest
 * is deep, and mostly one entry. The control token of a region is converted like any other value,
 * when first needed. A literal is not carried: it is made again in the region that uses it, from
 * that region's control token.
 *
 * In a while's before region the condition is not known until the region is done; invariants and
 * carries made meanwhile wait in `unconditioned` and get it then.
 *
 * Out of a region: a counted loop's results by the false side of the split of their carries on the
 * raw condition, a while's by the false side of the split of the condition's arguments, an if's by
 * mux.
 *
 * Requires: counted_loop_runs holds for every counted loop (guard.c). Ensures: one block of
 * handshake, dataflow and arithmetic ops; loads and stores get their memories and their control in
 * memory.c. Each source op is visited once, each conversion made once a region: linear in the
 * program times the depth of its nest. Recursion is as deep as the nest, which the parser bounds.
 */
#include "lower/dataflow.h"

typedef enum { IN_FUNCTION, IN_COUNTED, IN_BEFORE, IN_AFTER, IN_THEN, IN_ELSE } ScopeKind;

typedef struct Scope {
  struct Scope *parent;
  ScopeKind kind;
  Value *condition; /* what conversion hangs on; NULL: IN_BEFORE, not known yet */
  Value *control;   /* NULL: not asked for yet */
  u32 bindings;     /* 1 + index of the first, or 0 */
  Vec(Op *) unconditioned;
  const struct Scope *other; /* of a side of an if: the other one */
  struct Branch *branch;     /* the last if in it, or NULL */
  Entry *entry;              /* where it says how its control came in, or NULL */
} Scope;

/* The two sides of an if. Another if in the same region may have the same condition, as loops with
 * the same bounds have guards: then what was brought into the sides of the first is there in the
 * second too. */
typedef struct Branch {
  Scope sides[2];
  Entry entry;
} Branch;

static u32 source_number(const Value *v) {
  return (v->is_arg ? v->block->index : v->op->index) + v->index;
}

/* Numbers the values that a block defines itself. */
static void number_block(Graph *g, Block *block) {
  u32 n = (u32)g->newest.len;
  block->index = n;
  n += block->nargs;
  for_each_op (op, block) {
    op->index = n;
    n += op->nresults;
  }
  while (g->newest.len < n) vec_push(&g->newest, 0);
}

static void number_regions(Graph *g, Op *op) {
  for (u32 r = 0; r < op->nregions; r++)
    if (op->regions[r].first) number_block(g, op->regions[r].first);
}

Op *graph_op(Graph *g, OpKind kind, Value *const *operands, u32 n, const Type *const *types,
             u32 nresults) {
  return build_op(&g->b, kind, operands, n, types, nresults, 0);
}

Value *graph_value(Graph *g, OpKind kind, Value *const *operands, u32 n, const Type *type,
                   const Str *name) {
  Value *result = op_result(graph_op(g, kind, operands, n, &type, 1), 0);
  result->name = name;
  return result;
}

Op *graph_split(Graph *g, Value *condition, Value *value) {
  Op *split = graph_op(g, OP_HANDSHAKE_COND_BR, (Value *[]){condition, value}, 2,
                       (const Type *[]){value->type, value->type}, 2);
  op_result(split, 0)->name = op_result(split, 1)->name = value->name;
  return split;
}

const Str *graph_name(Graph *g, const Str *base, const char *suffix) {
  if (!base) return NULL;
  g->name.len = 0;
  buf_put(&g->name, base->text, base->len);
  buf_char(&g->name, '_');
  buf_str(&g->name, suffix);
  return str_intern(g->m->ctx, g->name.data, g->name.len);
}

/* ---- scopes
 * ------------------------------------------------------------------------------------------ */

static void bind(Graph *g, Scope *s, const Value *source, Value *value) {
  u32 at = g->free_binding, of = source_number(source);
  if (at) {
    g->free_binding = g->bindings.at[at - 1].next_in_scope;
  } else {
    vec_push(&g->bindings, ((Binding){0}));
    at = (u32)g->bindings.len;
  }
  g->bindings.at[at - 1] = (Binding){.scope = s,
                                     .value = value,
                                     .of = of,
                                     .older = g->newest.at[of],
                                     .next_in_scope = s->bindings};
  g->newest.at[of] = s->bindings = at;
}

static Value *find_bound(const Graph *g, const Scope *s, const Value *source) {
  assert(g->newest.at); /* the block that defines it was numbered */
  for (u32 at = g->newest.at[source_number(source)]; at; at = g->bindings.at[at - 1].older)
    if (g->bindings.at[at - 1].scope == s) return g->bindings.at[at - 1].value;
  return NULL;
}

static void scope_end(Graph *g, Scope *s);

static void close_branch(Graph *g, Scope *s) {
  for (u32 r = 0; r < 2 && s->branch; r++) scope_end(g, &s->branch->sides[r]);
}

/* Takes the scope's bindings off their values' lists. */
static void scope_end(Graph *g, Scope *s) {
  close_branch(g, s);
  for (u32 at = s->bindings, next; at; at = next) {
    Binding *b = &g->bindings.at[at - 1];
    u32 *link = &g->newest.at[b->of];
    while (*link != at) link = &g->bindings.at[*link - 1].older;
    *link = b->older;
    next = b->next_in_scope;
    b->next_in_scope = g->free_binding;
    g->free_binding = at;
  }
  vec_free(&s->unconditioned);
}

/* The stream of `outer`, a value of the parent, inside this region. `in_other` is what it is in the
 * other side of an if, or NULL: one split serves both. */
static Value *convert(Graph *g, Scope *s, Value *outer, const Value *in_other) {
  switch (s->kind) {
  case IN_COUNTED:
  case IN_BEFORE: {
    Value *inside = graph_value(g, OP_DATAFLOW_INVARIANT, (Value *[]){s->condition, outer}, 2,
                                outer->type, outer->name);
    if (!s->condition) vec_push(&s->unconditioned, inside->op);
    return inside;
  }
  case IN_AFTER:
  case IN_THEN:
  case IN_ELSE: {
    Op *split = in_other ? in_other->op : graph_split(g, s->condition, outer);
    return op_result(split, s->kind == IN_ELSE);
  }
  case IN_FUNCTION: break;
  }
  loom_bug("a value from outside the function");
}

static Value *scope_control(Graph *g, Scope *s) {
  assert(s->control || s->parent); /* the function's own is its argument */
  if (!s->control) {
    Value *outer = scope_control(g, s->parent);
    s->control = convert(g, s, outer, s->other ? s->other->control : NULL);
    if (s->entry) *s->entry = (Entry){.token = outer, .node = s->control->op};
  }
  return s->control;
}

static const Attr *literal_attr(Context *ctx, u64 bits, const Type *type) {
  if (type_is_float(type)) return attr_float_bits(ctx, bits, type);
  if (type_is_i1(type)) return attr_bool(ctx, bits & 1);
  return attr_int(ctx, eval_signed(bits, type_bits(ctx, type)), type);
}

static Value *make_literal(Graph *g, Scope *s, const Value *source, u64 bits) {
  Value *control = scope_control(g, s);
  Value *literal = graph_value(g, OP_HANDSHAKE_CONSTANT, &control, 1, source->type, source->name);
  NamedAttr attr = {.name = g->key_value, .value = literal_attr(g->m->ctx, bits, source->type)};
  op_init_attrs(g->m, literal->op, &attr, 1);
  return literal;
}

/* The graph value of a source value in this region, converted on the way in where it is from
 * outside. */
static Value *scope_value(Graph *g, Scope *s, Value *source) {
  u64 bits;
  Value *value = find_bound(g, s, source);
  if (value) return value;
  if (value_is_literal(g->m->ctx, source, &bits))
    value = make_literal(g, s, source, bits);
  else if (!s->parent)
    loom_bug("a value is used before it is lowered");
  else
    value = convert(g, s, scope_value(g, s->parent, source),
                    s->other ? find_bound(g, s->other, source) : NULL);
  bind(g, s, source, value);
  return value;
}

/* ---- plain ops and accesses
 * ---------------------------------------------------------------------------- */

static void lower_plain(Graph *g, Scope *s, Op *op) {
  Value *operands[EVAL_MAX_OPERANDS];
  const Type *types[EVAL_MAX_RESULTS];
  if (op->noperands > COUNT_OF(operands) || op->nresults > COUNT_OF(types))
    loom_bug("'%s' has more operands or results than any plain op", op_name(op));
  for (u32 i = 0; i < op->noperands; i++) operands[i] = scope_value(g, s, op_operand(op, i));
  for (u32 i = 0; i < op->nresults; i++) types[i] = op->results[i].type;
  Op *node = graph_op(g, (OpKind)op->kind, operands, op->noperands, types, op->nresults);
  op_init_attrs(g->m, node, op->attrs, op->nattrs);
  for (u32 i = 0; i < op->nresults; i++) {
    op_result(node, i)->name = op->results[i].name;
    bind(g, s, op_result(op, i), op_result(node, i));
  }
}

static void add_root(Graph *g, Value *memref, i64 alias_group) {
  map_put(&g->root_of, PTR_KEY(memref), g->roots.len);
  vec_push(&g->roots, ((Root){.root = memref, .alias_group = alias_group}));
}

static Root *root_of(Graph *g, const Value *memref) {
  u64 at;
  if (!map_get(&g->root_of, PTR_KEY(memref), &at))
    loom_bug("an access to a memory that is not a root");
  return &g->roots.at[at];
}

static void enter_region(Graph *g, RegionOp *of, u32 region) {
  vec_push(&g->here, ((Inside){of, region}));
  g->path = NULL;
}

static void leave_region(Graph *g) {
  (void)vec_pop(&g->here);
  g->path = NULL;
}

static void lower_access(Graph *g, Scope *s, Op *op) {
  bool is_store = op->kind == OP_MEMREF_STORE;
  Value *address = scope_value(g, s, op_operand(op, is_store ? 2 : 1));
  Value *stored = is_store ? scope_value(g, s, op_operand(op, 0)) : NULL;
  const Value *memref = op_operand(op, is_store ? 1 : 0);
  Value *operands[3] = {address, stored, NULL};
  const Type *types[2] = {memref->type->elem, address->type};
  Op *node = graph_op(g, is_store ? OP_HANDSHAKE_STORE : OP_HANDSHAKE_LOAD, operands, 3, types, 2);
  NamedAttr number = {.name = g->key_access, .value = op_attr_str(op, g->key_access)};
  op_init_attrs(g->m, node, &number, number.value != NULL);
  op_result(node, 0)->name = is_store ? graph_name(g, memref->name, "st") : op->results[0].name;
  if (!is_store) bind(g, s, op_result(op, 0), op_result(node, 0));
  if (!g->path) g->path = arena_copy(g->m->arena, g->here.at, g->here.len * sizeof(Inside));
  vec_push(&root_of(g, memref)->accesses, ((Access){.source = op,
                                                    .node = node,
                                                    .path = g->path,
                                                    .depth = (u32)g->here.len,
                                                    .order = g->naccesses++,
                                                    .is_store = is_store}));
}

/* ---- regions
 * ------------------------------------------------------------------------------------------------
 */

static void lower_block(Graph *g, Scope *s, Block *block);

static RegionOp *new_region_op(Graph *g, Op *source, Value *condition, Entry *entry, bool counted) {
  RegionOp *made = NEW(g->m->arena, RegionOp);
  *made = (RegionOp){.source = source,
                     .condition = condition,
                     .entry = entry,
                     .loc_attr = source->loc_attr,
                     .loc = source->loc,
                     .is_if = source->kind == OP_SCF_IF,
                     .counted = counted};
  number_regions(g, source);
  return made;
}

static void lower_region(Graph *g, Scope *s, RegionOp *of, u32 region) {
  enter_region(g, of, region);
  lower_block(g, s, region_entry(&of->source->regions[region]));
  leave_region(g);
}

/* The sides of an if in this scope. */
static Branch *open_branch(Graph *g, Scope *s, Value *condition) {
  if (s->branch && s->branch->sides[0].condition == condition) return s->branch;
  close_branch(g, s);
  Branch *branch = s->branch = NEW(g->m->arena, Branch);
  for (u32 r = 0; r < 2; r++)
    branch->sides[r] = (Scope){.parent = s,
                               .kind = r ? IN_ELSE : IN_THEN,
                               .condition = condition,
                               .other = &branch->sides[!r],
                               .entry = &branch->entry};
  return branch;
}

static void lower_if(Graph *g, Scope *s, Op *op) {
  Value *condition = scope_value(g, s, op_operand(op, 0));
  Branch *branch = open_branch(g, s, condition);
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
      bind(g, s, result, scope_value(g, s, yields[0]));
      continue;
    }
    Value *chosen[3] = {condition, scope_value(g, &sides[1], yields[1]),
                        scope_value(g, &sides[0], yields[0])};
    bind(g, s, result, graph_value(g, OP_HANDSHAKE_MUX, chosen, 3, result->type, result->name));
  }
}

/* A value carried round a counted loop: its carry and the split on the raw condition. */
static Op *carry_round(Graph *g, Value *raw_condition, Value *init, const Str *name, Op **split) {
  Value *carry = graph_value(g, OP_DATAFLOW_CARRY, (Value *[]){raw_condition, init, NULL}, 3,
                             init->type, name);
  *split = graph_split(g, raw_condition, carry);
  return carry->op;
}

typedef struct {
  Op *carry;
  Value *next; /* the source value that is fed back */
} Feedback;

static void set_stream_attrs(Graph *g, Op *stream, const CountedLoop *loop) {
  Context *ctx = g->m->ctx;
  NamedAttr attrs[3];
  u32 n = 0;
  attrs[n++] = (NamedAttr){.name = g->key_cont_cond,
                           .value = attr_string(ctx, str_of(ctx, loop->cont_cond))};
  const Attr *nonzero = op_attr(loop->op, "loom.nonzero");
  if (nonzero) attrs[n++] = (NamedAttr){.name = g->key_nonzero, .value = nonzero};
  attrs[n++] =
      (NamedAttr){.name = g->key_step_op, .value = attr_string(ctx, str_of(ctx, loop->step_op))};
  op_init_attrs(g->m, stream, attrs, n);
}

/* scf.for and stream-shaped scf.while: stream, gate, carries; the body hangs on after_cond. */
static void lower_counted(Graph *g, Scope *s, const CountedLoop *loop) {
  Op *op = loop->op;
  Context *ctx = g->m->ctx;
  bool is_for = op->kind == OP_SCF_FOR;
  Block *before = is_for ? NULL : region_entry(&op->regions[0]), *body = loop->body;
  const Str *name = is_for ? body->args[0]->name : before->args[loop->stepped]->name;

  Entry *entry = NEW(g->m->arena, Entry);
  RegionOp *region_op = new_region_op(g, op, NULL, entry, true);
  Value *inputs[3] = {scope_value(g, s, loop->start), scope_value(g, s, loop->step),
                      scope_value(g, s, loop->bound)};
  const Type *types[2] = {type_index(ctx), type_i1(ctx)};
  Op *stream = graph_op(g, OP_DATAFLOW_STREAM, inputs, 3, types, 2);
  Value *raw_index = op_result(stream, 0), *raw_condition = op_result(stream, 1);
  set_stream_attrs(g, stream, loop);
  raw_index->name = graph_name(g, name, "raw");
  raw_condition->name = graph_name(g, name, "more");
  Op *gate = graph_op(g, OP_DATAFLOW_GATE, (Value *[]){raw_index, raw_condition}, 2, types, 2);
  op_result(gate, 0)->name = name;
  op_result(gate, 1)->name = graph_name(g, name, "again");
  region_op->condition = op_result(gate, 1);
  Scope inside = {.parent = s, .kind = IN_COUNTED, .condition = op_result(gate, 1), .entry = entry};

  const Op *yield = block_terminator(body);
  u32 ncarried = is_for ? op->nresults : before->nargs;
  Feedback *feedbacks = NEW_ARRAY(g->m->arena, Feedback, ncarried);
  Op **splits = NEW_ARRAY(g->m->arena, Op *, ncarried);
  for (u32 i = 0; i < ncarried; i++) {
    if (!is_for && i == loop->stepped) continue;
    Value *arg = is_for ? body->args[i + 1] : before->args[i];
    Value *init = scope_value(g, s, op_operand(op, is_for ? i + 3 : i));
    feedbacks[i].carry = carry_round(g, raw_condition, init, arg->name, &splits[i]);
    feedbacks[i].next = op_operand(yield, i);
  }
  if (is_for) {
    bind(g, &inside, body->args[0], op_result(gate, 0));
    for (u32 i = 0; i < ncarried; i++) {
      bind(g, &inside, body->args[i + 1], op_result(splits[i], 0));
      bind(g, s, op_result(op, i), op_result(splits[i], 1));
    }
  } else {
    const Op *condition = block_terminator(before);
    for (u32 j = 0; j < body->nargs; j++) {
      Value *given = op_operand(condition, j + 1);
      Value *arg = body->args[j], *result = op_result(op, j);
      if (!given->is_arg || given->block != before) { /* from outside */
        if (arg->uses) bind(g, &inside, arg, scope_value(g, &inside, given));
        if (result->uses) bind(g, s, result, scope_value(g, s, given));
      } else if (given->index == loop->stepped) {
        bind(g, &inside, arg, op_result(gate, 0));
        if (result->uses)
          bind(g, s, result, op_result(graph_split(g, raw_condition, raw_index), 1));
      } else {
        bind(g, &inside, arg, op_result(splits[given->index], 0));
        bind(g, s, result, op_result(splits[given->index], 1));
      }
    }
  }
  lower_region(g, &inside, region_op, is_for ? 0 : 1);
  for (u32 i = 0; i < ncarried; i++)
    if (feedbacks[i].carry)
      op_set_operand(feedbacks[i].carry, 2, scope_value(g, &inside, feedbacks[i].next));
  scope_end(g, &inside);
}

static void lower_while(Graph *g, Scope *s, Op *op) {
  Block *before = region_entry(&op->regions[0]), *after = region_entry(&op->regions[1]);
  const Op *condition = block_terminator(before), *yield = block_terminator(after);
  RegionOp *region_op = new_region_op(g, op, NULL, NULL, false);
  Scope in_before = {.parent = s, .kind = IN_BEFORE};
  Op **carries = NEW_ARRAY(g->m->arena, Op *, before->nargs);
  for (u32 i = 0; i < before->nargs; i++) {
    Value *init = scope_value(g, s, op_operand(op, i));
    Value *carry = graph_value(g, OP_DATAFLOW_CARRY, (Value *[]){NULL, init, NULL}, 3, init->type,
                               before->args[i]->name);
    carries[i] = carry->op;
    bind(g, &in_before, before->args[i], carry);
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
    bind(g, &in_after, after->args[j], op_result(split, 0));
    bind(g, s, op_result(op, j), op_result(split, 1));
  }
  lower_region(g, &in_after, region_op, 1);
  for (u32 i = 0; i < before->nargs; i++)
    op_set_operand(carries[i], 2, scope_value(g, &in_after, op_operand(yield, i)));
  scope_end(g, &in_after);
  scope_end(g, &in_before);
}

/* The ops around it still ask for its results: they get what it starts from. */
static void refuse_loop(Graph *g, Scope *s, Op *op, const CountedLoop *loop) {
  for (u32 i = 0; i < op->nresults; i++)
    bind(g, s, op_result(op, i), scope_value(g, s, op_operand(op, i + 3)));
  bool is_unsigned = op_attr(op, "unsignedCmp") != NULL;
  if (is_unsigned)
    diag(g->m->ctx, op->loc, COMP_LOWER_OP,
         "scf.for cannot be lowered: its bounds are compared as unsigned numbers and may be "
         "negative");
  else
    diag(g->m->ctx, op->loc, COMP_LOWER_INDEX_WIDTH,
         "scf.for cannot be lowered: its induction variable has %u bits and index has %u, and its "
         "bounds may lie outside",
         type_bits(g->m->ctx, loop->start->type), g->m->ctx->index_width);
  if (!is_unsigned)
    diag_hint(g->m->ctx, "set LOOM_INDEX_WIDTH to a decimal number up to 64, or bound the loop by "
                         "constants");
  else
    diag_hint(g->m->ctx,
              "bound the loop by constants, or extend the bounds by arith.extui to a wider "
              "type and compare those as signed");
  g->failed = true;
}

static void lower_op(Graph *g, Scope *s, Op *op) {
  CountedLoop loop;
  g->b.loc = op->loc;
  g->b.loc_attr = op->loc_attr;
  switch ((OpKind)op->kind) {
  case OP_SCF_IF: lower_if(g, s, op); return;
  case OP_SCF_FOR:
    if (counted_loop_match(g->m->ctx, op, &loop) && !op_attr(op, "unsignedCmp")) {
      lower_counted(g, s, &loop);
    } else {
      loop.start = op_operand(op, 0);
      refuse_loop(g, s, op, &loop);
    }
    return;
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

static void lower_block(Graph *g, Scope *s, Block *block) {
  for (Op *op = block->first; op && op != block->last && !g->failed; op = op->next)
    lower_op(g, s, op);
}

/* ---- the function
 * ---------------------------------------------------------------------------------------------- */

static i64 alias_group_of(const Op *func, u32 arg) {
  const Attr *attrs = op_attr(func, "arg_attrs");
  if (!attrs || attrs->kind != ATTR_ARRAY || arg >= attrs->n) return -1;
  const Attr *dict = attrs->elems[arg];
  for (u32 i = 0; dict->kind == ATTR_DICT && i < dict->n; i++)
    if (strcmp(dict->entries[i].name->text, "loom.alias_group") == 0)
      return dict->entries[i].value->i;
  return -1;
}

/* An array attribute of port names: the values' own, made different where they collide. */
static const Attr *port_names(Module *m, Value *const *values, u32 n, const char *otherwise,
                              const char *last) {
  Context *ctx = m->ctx;
  Map taken = {0};
  const Attr **names = NEW_ARRAY(m->arena, const Attr *, n + (size_t)1);
  map_put(&taken, str_of(ctx, last)->id, 1);
  for (u32 i = 0; i < n; i++) {
    const Str *base = values[i]->name, *name = base;
    u64 there;
    if (!base) base = name = str_printf(ctx, "%s%u", otherwise, i);
    for (u32 k = 0; map_get(&taken, name->id, &there); k++)
      name = str_printf(ctx, "%s_%u", base->text, k);
    map_put(&taken, name->id, 1);
    names[i] = attr_string(ctx, name);
  }
  names[n] = attr_string(ctx, str_of(ctx, last));
  map_free(&taken);
  return attr_array(ctx, names, n + 1);
}

static Op *new_handshake_func(Graph *g) {
  Module *m = g->m;
  Context *ctx = m->ctx;
  Block *source = region_entry(&g->func->regions[0]);
  Op *return_op = block_terminator(source);
  u32 nargs = source->nargs, nresults = return_op->noperands;
  Op *made = op_new(m, OP_HANDSHAKE_FUNC, g->func->loc, NULL, 0, NULL, 0, 1);
  made->loc_attr = g->func->loc_attr;
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
  return made;
}

Op *build_dataflow(Module *m, Op *func, bool serial) {
  Graph g = {.m = m,
             .func = func,
             .serial = serial,
             .key_value = str_of(m->ctx, "value"),
             .key_access = str_of(m->ctx, "loom.access"),
             .key_step_op = str_of(m->ctx, "step_op"),
             .key_cont_cond = str_of(m->ctx, "cont_cond"),
             .key_nonzero = str_of(m->ctx, "nonzero")};
  Op *made = new_handshake_func(&g);
  Block *source = region_entry(&func->regions[0]), *body = region_entry(&made->regions[0]);
  g.b = (Builder){.m = m, .block = body, .loc = func->loc, .loc_attr = func->loc_attr};
  Scope top = {.kind = IN_FUNCTION, .control = g.start};
  number_block(&g, source);
  for (u32 i = 0; i < source->nargs; i++) {
    bind(&g, &top, source->args[i], body->args[i]);
    if (type_is_memref(source->args[i]->type))
      add_root(&g, source->args[i], alias_group_of(func, i));
  }
  lower_block(&g, &top, source);
  if (!g.failed) {
    Op *return_op = block_terminator(source);
    Value **results = NEW_ARRAY(m->arena, Value *, return_op->noperands + (size_t)1);
    for (u32 i = 0; i < return_op->noperands; i++)
      results[i] = scope_value(&g, &top, op_operand(return_op, i));
    results[return_op->noperands] = connect_memories(&g);
    g.b.loc = return_op->loc;
    build_op(&g.b, OP_HANDSHAKE_RETURN, results, return_op->noperands + 1, NULL, 0, 0);
    op_insert_before(func, made);
  }
  scope_end(&g, &top);
  for (size_t i = 0; i < g.roots.len; i++) vec_free(&g.roots.at[i].accesses);
  vec_free(&g.roots);
  vec_free(&g.here);
  vec_free(&g.newest);
  vec_free(&g.bindings);
  buf_free(&g.name);
  map_free(&g.root_of);
  return g.failed ? NULL : made;
}

/* scopes.c -- the mapping from source values to graph values, for each region.
 *
 *     %k defined in front of a loop,          in the function    %k
 *     used in an if in its body        =>     in the loop        %k1 = invariant(again, %k)
 *                                             in the then side   %k2, %k3 = cond_br(c, %k1)
 *                                             in the else side   %k3, of the same split
 *
 * A `Scope` is a region that is being lowered. A source value is bound in it when its op is lowered
 * (scope_bind), or when a value from outside is first used (scope_value): that is converted from
 * its graph value in the region around, as in the table in dataflow.c. The control token of a
 * region is converted like any other value, when first needed.
 *
 * Source values are numbered in the order of the walk, and each has a list of its bindings in the
 * open scopes, which is as long as the nest is deep, and mostly has one entry. So a lookup is fast,
 * and its memory was used recently.
 *
 * The sides of an if stay open until the region around it ends or has an if on another condition:
 * so a value is converted once per region and condition, however many ifs in a row use it. Equal
 * nodes that are made nevertheless are merged by clean.c. */
#include "lower/dataflow.h"

static u32 source_number(const Value *v) {
  return (v->is_arg ? value_block(v)->index : value_op(v)->index) + v->index;
}

void scope_number(GraphBuilder *g, Block *block) {
  u32 n = (u32)g->newest.len;
  block->index = n;
  n += block->nargs;
  for_each_op (op, block) {
    op->index = n;
    n += op->nresults;
  }
  while (g->newest.len < n) vec_push(&g->newest, 0);
}

void scope_bind(GraphBuilder *g, Scope *s, const Value *source, Value *value) {
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

static Value *find_bound(const GraphBuilder *g, const Scope *s, const Value *source) {
  assert(g->newest.at); /* the block that defines it was numbered */
  for (u32 at = g->newest.at[source_number(source)]; at; at = g->bindings.at[at - 1].older)
    if (g->bindings.at[at - 1].scope == s) return g->bindings.at[at - 1].value;
  return NULL;
}

static void close_branch(GraphBuilder *g, Scope *s) {
  for (u32 r = 0; r < 2 && s->branch; r++) scope_end(g, &s->branch->sides[r]);
}

void scope_end(GraphBuilder *g, Scope *s) {
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

/* Converts `outer`, a value of the parent, into this region. `in_other`: its conversion into the
 * other side of an if, or NULL: one cond_br serves both sides. */
static Value *convert(GraphBuilder *g, Scope *s, Value *outer, const Value *in_other) {
  switch (s->kind) {
  case IN_COUNTED:
  case IN_BEFORE: {
    Value *inside = graph_value(g, OP_DATAFLOW_INVARIANT, (Value *[]){s->condition, outer}, 2,
                                outer->type, outer->name);
    if (!s->condition) vec_push(&s->unconditioned, value_op(inside));
    return inside;
  }
  case IN_AFTER:
  case IN_THEN:
  case IN_ELSE: {
    Op *split = in_other ? value_op(in_other) : graph_split(g, s->condition, outer);
    return op_result(split, s->kind == IN_ELSE);
  }
  case IN_FUNCTION: break;
  }
  loom_bug("a value from outside the function");
}

static Value *scope_control(GraphBuilder *g, Scope *s) {
  assert(s->control || s->parent); /* that of the function is set from the start */
  if (!s->control) {
    Value *outer = scope_control(g, s->parent);
    s->control = convert(g, s, outer, s->other ? s->other->control : NULL);
    if (s->entry) *s->entry = (RegionEntry){.token = outer, .node = value_op(s->control)};
  }
  return s->control;
}

static Value *make_literal(GraphBuilder *g, Scope *s, const Value *source, u64 bits) {
  Value *control = scope_control(g, s);
  Value *literal = graph_value(g, OP_HANDSHAKE_CONSTANT, &control, 1, source->type, source->name);
  NamedAttr attr = {.name = g->key_value, .value = literal_attr(g->m->ctx, bits, source->type)};
  op_init_attrs(g->m, value_op(literal), &attr, 1);
  return literal;
}

Value *scope_value(GraphBuilder *g, Scope *s, Value *source) {
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
  scope_bind(g, s, source, value);
  return value;
}

Branch *scope_branch(GraphBuilder *g, Scope *s, Value *condition) {
  if (s->branch && s->branch->sides[0].condition == condition) return s->branch;
  close_branch(g, s);
  Branch *branch = s->branch = NEW(g->notes, Branch);
  for (u32 r = 0; r < 2; r++)
    branch->sides[r] = (Scope){.parent = s,
                               .kind = r ? IN_ELSE : IN_THEN,
                               .condition = condition,
                               .other = &branch->sides[!r],
                               .entry = &branch->entry};
  return branch;
}

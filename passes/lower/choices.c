/* choices.c -- memrefs that a select, an if or a loop gives, where all of them are in one memory.
 *
 *     %s = arith.select %c, %x, %y : memref<4xi32, strided<[1], offset: ?>>
 *
 *     =>   %o = arith.select %c, %x's offset, %y's offset : index
 *          %s = memref.reinterpret_cast %A to offset: [%o], sizes: [4], strides: [1]
 *
 * A graph has wires to one memory for each access: which memory that is cannot depend on the run.
 * But where it is in that memory can: one more number, which goes where the memref goes. So what a
 * select chooses, the branches of an if give, and a loop carries from one iteration to the next
 * becomes the numbers of it that its type does not say: offset, sizes, strides; and where it comes
 * out, a view of the root is made of them.
 *
 * The *root* of a memref is what it is a view of in the end. What a loop carries has the root of
 * what it starts with, and what it goes on with must have the same; an allocation inside of the
 * loop is another memory each time, and so no root outside. Requires: select, if, for and while are
 * the only choices (structure.c). Ensures: there are none of memrefs left. Linear, but for walks to
 * the root. */
#include "lower/stages.h"

typedef struct {
  Module *m;
  Map roots; /* of memrefs that were asked for; a carried one's is its start's */
  Map globals;
  bool failed;
} Choices;

static bool is_memref(const Value *v) {
  return v->type->kind == TYPE_MEMREF;
}

/* ---- roots ----------------------------------------------------------------------------------- */

static Value *root_of(Choices *c, Value *v);

/* What the terminator of an op's region hands on as number i, behind `skip` operands. */
static Value *handed_on(const Op *op, u32 region, u32 skip, u32 i) {
  return op_operand(block_terminator(region_entry(&op->regions[region])), skip + i);
}

static Value *root_of_argument(Choices *c, Value *v) {
  Block *block = value_block(v);
  Op *op = block->region->parent;
  if (op->kind == OP_SCF_FOR) return root_of(c, op_operand(op, 3 + v->index - 1));
  if (op->kind != OP_SCF_WHILE) return v;
  return root_of(c, block->region == &op->regions[0] ? op_operand(op, v->index)
                                                     : handed_on(op, 0, 1, v->index));
}

static Value *root_of_result(Choices *c, Value *v) {
  Op *op = value_def(v);
  u64 found;
  switch ((OpKind)op->kind) {
  case OP_MEMREF_ALLOC:
  case OP_MEMREF_ALLOCA: return v;
  case OP_MEMREF_GET_GLOBAL:
    if (map_get(&c->globals, op_attr(op, "name")->str->id, &found))
      return (Value *)(uintptr_t)found;
    map_put(&c->globals, op_attr(op, "name")->str->id, PTR_KEY(v));
    return v;
  case OP_ARITH_SELECT: return root_of(c, op_operand(op, 1));
  case OP_SCF_IF: return root_of(c, handed_on(op, 0, 0, v->index));
  case OP_SCF_FOR: return root_of(c, op_operand(op, 3 + v->index));
  case OP_SCF_WHILE: return root_of(c, handed_on(op, 0, 1, v->index));
  default: return op->noperands && is_memref(op_operand(op, 0)) ? root_of(c, op_operand(op, 0)) : v;
  }
}

/* By the first operand that leads to it; check_op sees to it that the others lead there, too.
 * Recursion: along the definitions, which are as many as there are ops. */
static Value *root_of(Choices *c, Value *v) {
  u64 found;
  if (map_get(&c->roots, PTR_KEY(v), &found)) return (Value *)(uintptr_t)found;
  Value *root = v->is_arg ? root_of_argument(c, v) : root_of_result(c, v);
  map_put(&c->roots, PTR_KEY(v), PTR_KEY(root));
  return root;
}

static void put_name(const Value *root, Buf *out) {
  if (root->name)
    buf_printf(out, "%%%s", root->name->text);
  else
    buf_str(out, root->is_arg ? "an argument without a name" : op_name(value_def(root)));
}

static void refuse(Choices *c, const Op *op, const char *why, const Value *one,
                   const Value *other) {
  Context *ctx = c->m->ctx;
  c->failed = true;
  diag(ctx, op->loc, COMP_LOWER_MEMREF_VALUE, "%s cannot be lowered: %s", op_name(op), why);
  if (other) {
    Buf names = {0};
    put_name(one, &names);
    buf_str(&names, " or ");
    put_name(other, &names);
    diag_note(ctx, LOC_NONE, "it is a view of %s", names.data);
    buf_free(&names);
  }
  diag_hint(ctx, "choose between the values loaded, not between the memrefs");
}

/* Whether `v`, the alternative, leads to the same memory as `first`, and that is one outside of
 * op. */
static void check_choice(Choices *c, const Op *op, Value *first, Value *v) {
  if (c->failed || !is_memref(first)) return;
  Value *one = root_of(c, first), *other = root_of(c, v);
  if (one != other) {
    refuse(c, op, "which memory its result is depends on the run", one, other);
    return;
  }
  const Op *global = value_def(one);
  if (global && global->kind == OP_MEMREF_GET_GLOBAL) return;
  for (u32 r = 0; r < op->nregions; r++)
    if (!value_is_outside(one, &op->regions[r]))
      refuse(c, op, "the memory that it gives is another one each time", one, NULL);
}

/* Roots are asked for while the ops still stand as they were. */
static void note_roots(Choices *c, Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    if (is_memref(&op->results[i])) root_of(c, op_result(op, i));
  for (u32 r = 0; r < op->nregions; r++)
    for_each_block (block, &op->regions[r])
      for (u32 i = 0; i < block->nargs; i++)
        if (is_memref(block->args[i])) root_of(c, block->args[i]);
}

static void check_op(void *data, Op *op) {
  Choices *c = data;
  note_roots(c, op);
  switch ((OpKind)op->kind) {
  case OP_ARITH_SELECT: check_choice(c, op, op_operand(op, 1), op_operand(op, 2)); return;
  case OP_SCF_IF:
    for (u32 i = 0; i < op->nresults; i++)
      check_choice(c, op, handed_on(op, 0, 0, i), handed_on(op, 1, 0, i));
    return;
  case OP_SCF_FOR:
    for (u32 i = 0; i < op->nresults; i++)
      check_choice(c, op, op_operand(op, 3 + i), handed_on(op, 0, 0, i));
    return;
  case OP_SCF_WHILE:
    for (u32 i = 0; i < op->noperands; i++)
      check_choice(c, op, op_operand(op, i), handed_on(op, 1, 0, i));
    for (u32 i = 0; i < op->nresults; i++)
      check_choice(c, op, handed_on(op, 0, 1, i), handed_on(op, 0, 1, i));
    return;
  default: return;
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Number `i` of a memref, of 1 + 2 * rank: offset, sizes, strides; DYNAMIC where the type does not
 * say. */
static i64 stated(const Type *type, u32 i) {
  const Attr *layout = type->layout;
  bool strided = layout && layout->kind == ATTR_STRIDED && layout->n == type->rank + 1;
  if (i > 0 && i <= type->rank) return type->shape[i - 1];
  if (layout) return strided ? layout->ints[i ? i - type->rank : 0] : DYNAMIC;
  i64 stride = 1;
  if (i == 0) return 0;
  for (u32 d = type->rank; d-- > i - type->rank;) {
    if (type->shape[d] == DYNAMIC || __builtin_mul_overflow(stride, type->shape[d], &stride))
      return DYNAMIC;
  }
  return stride;
}

/* The numbers of `v` that its type does not say, made before b->before; how many there are. With
 * NULL for `to` they are only counted. */
static u32 numbers_of(Builder *b, Value *v, Value **to) {
  Context *ctx = b->m->ctx;
  const Type *type = v->type, *index = type_index(ctx);
  u32 all = 1 + 2 * type->rank, n = 0;
  Op *metadata = NULL;
  if (to) {
    const Type **types = NEW_ARRAY(b->m->arena, const Type *, all + (size_t)1);
    types[0] = type_memref(ctx, NULL, 0, type->elem, NULL, type->space);
    for (u32 i = 0; i < all; i++) types[1 + i] = index;
    metadata = build_op(b, OP_MEMREF_EXTRACT_STRIDED_METADATA, &v, 1, types, all + 1, 0);
  }
  for (u32 i = 0; i < all; i++) {
    if (stated(type, i) != DYNAMIC) continue;
    if (to) to[n] = op_result(metadata, 1 + i);
    n++;
  }
  return n;
}

/* Returns how many of them are operands. */
static i64 set_numbers(Builder *b, Op *op, const char *name, const Type *type, u32 first, u32 n) {
  i64 *numbers = NEW_ARRAY(b->m->arena, i64, n + (size_t)1), dynamic = 0;
  for (u32 i = 0; i < n; i++) {
    numbers[i] = stated(type, first + i);
    dynamic += numbers[i] == DYNAMIC;
  }
  op_set_attr(b->m, op, name,
              attr_dense_array(b->m->ctx, type_int(b->m->ctx, 64, SIGNLESS), numbers, n));
  return dynamic;
}

/* A view of this type in the memory of `root`, with the numbers that numbers_of made. */
static Value *view_of_root(Builder *b, Value *root, const Type *type, Value *const *numbers,
                           u32 n) {
  if (value_def(root) && value_def(root)->kind == OP_MEMREF_GET_GLOBAL) {
    Map none = {0};
    Op *again = op_clone(b->m, value_def(root), &none);
    map_free(&none);
    op_insert_before(b->before, again);
    root = op_result(again, 0);
  }
  Value **operands = NEW_ARRAY(b->m->arena, Value *, n + (size_t)1);
  operands[0] = root;
  for (u32 i = 0; i < n; i++) operands[1 + i] = numbers[i];
  Op *op = build_op(b, OP_MEMREF_REINTERPRET_CAST, operands, n + 1, &type, 1, 0);
  const i64 groups[4] = {1, set_numbers(b, op, "static_offsets", type, 0, 1),
                         set_numbers(b, op, "static_sizes", type, 1, type->rank),
                         set_numbers(b, op, "static_strides", type, 1 + type->rank, type->rank)};
  set_operand_groups(b->m, op, groups, 4);
  return op_result(op, 0);
}

/* ---- rewriting ------------------------------------------------------------------------------- */

typedef Vec(Value *) Values;
typedef Vec(const Type *) Types;

static void add_numbers(Choices *c, Op *before, Value *v, Values *to) {
  if (!is_memref(v)) {
    vec_push(to, v);
    return;
  }
  Builder b = builder_before(c->m, before);
  Value **numbers = NEW_ARRAY(c->m->arena, Value *, 1 + 2 * (size_t)v->type->rank);
  u32 n = numbers_of(&b, v, numbers);
  for (u32 i = 0; i < n; i++) vec_push(to, numbers[i]);
}

/* Operands from `first` on, memrefs as their numbers. */
static void expand_operands(Choices *c, Op *op, u32 first) {
  Values values = {0};
  for (u32 i = 0; i < op->noperands; i++) {
    if (i < first)
      vec_push(&values, op_operand(op, i));
    else
      add_numbers(c, op, op_operand(op, i), &values);
  }
  op_set_operands(c->m, op, values.at, (u32)values.len);
  vec_free(&values);
}

static u32 count_numbers(Choices *c, const Value *v) {
  Builder b = {.m = c->m};
  Value like = *v;
  return is_memref(v) ? numbers_of(&b, &like, NULL) : 1;
}

/* Every use of `old`, a memref, becomes one of a view with these numbers (none, where its type says
 * all); else of the first. */
static void replace(Choices *c, Op *before, Value *old, Value *const *by, u32 n) {
  if (is_memref(old)) {
    Builder b = builder_before(c->m, before);
    value_replace_uses(old, view_of_root(&b, root_of(c, old), old->type, by, n));
    return;
  }
  if (n == 0) loom_bug("nothing stands for a value that is chosen");
  value_replace_uses(old, by[0]);
}

/* Moves a region's block into another op's, where its memref arguments are numbers. */
static void move_region(Choices *c, Region *from, Region *to) {
  const Type *index = type_index(c->m->ctx);
  Block *old = region_entry(from), *block = block_new(c->m, to);
  block->loc = old->loc;
  Op *first = old->first;
  move_ops(old, block);
  for (u32 i = 0; i < old->nargs; i++) {
    Value *arg = old->args[i];
    u32 n = count_numbers(c, arg), at = block->nargs;
    for (u32 k = 0; k < n; k++)
      block_add_arg(c->m, block, is_memref(arg) ? index : arg->type,
                    is_memref(arg) ? NULL : arg->name, arg->loc);
    replace(c, first, arg, block->args + at, n);
  }
}

/* An if or a loop with numbers in place of memrefs. */
static void rewrite_region_op(Choices *c, Op *op) {
  const Type *index = type_index(c->m->ctx);
  Types types = {0};
  for (u32 i = 0; i < op->nresults; i++)
    for (u32 n = count_numbers(c, op_result(op, i)); n; n--)
      vec_push(&types, is_memref(op_result(op, i)) ? index : op->results[i].type);
  expand_operands(c, op, op->kind == OP_SCF_FOR ? 3 : op->kind == OP_SCF_IF);
  Values operands = {0};
  for (u32 i = 0; i < op->noperands; i++) vec_push(&operands, op_operand(op, i));
  Builder b = builder_before(c->m, op);
  Op *made = build_op(&b, (OpKind)op->kind, operands.at, (u32)operands.len, types.at,
                      (u32)types.len, op->nregions);
  op_init_attrs(c->m, made, op->attrs, op->nattrs);
  for (u32 r = 0; r < op->nregions; r++) {
    if (!op->regions[r].first) continue;
    Op *end = block_terminator(region_entry(&op->regions[r]));
    expand_operands(c, end, end->kind == OP_SCF_CONDITION);
    move_region(c, &op->regions[r], &made->regions[r]);
  }
  for (u32 i = 0, at = 0; i < op->nresults; i++) {
    u32 n = count_numbers(c, op_result(op, i));
    Value **numbers = NEW_ARRAY(c->m->arena, Value *, n + (size_t)1);
    for (u32 k = 0; k < n; k++) numbers[k] = op_result(made, at + k);
    replace(c, op, op_result(op, i), numbers, n);
    if (!is_memref(op_result(op, i))) made->results[at].name = op->results[i].name;
    at += n;
  }
  vec_free(&types);
  vec_free(&operands);
  op_erase(op);
}

static void rewrite_select(Choices *c, Op *op) {
  Values yes = {0}, no = {0}, chosen = {0};
  Value *result = op_result(op, 0);
  add_numbers(c, op, op_operand(op, 1), &yes);
  add_numbers(c, op, op_operand(op, 2), &no);
  Builder b = builder_before(c->m, op);
  for (size_t i = 0; i < yes.len; i++)
    vec_push(&chosen, build_1(&b, OP_ARITH_SELECT, type_index(c->m->ctx),
                              (Value *[]){op_operand(op, 0), yes.at[i], no.at[i]}, 3));
  replace(c, op, result, chosen.at, (u32)chosen.len);
  vec_free(&yes);
  vec_free(&no);
  vec_free(&chosen);
  op_erase(op);
}

static bool gives_memref(const Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    if (is_memref(&op->results[i])) return true;
  for (u32 i = 0; op->kind == OP_SCF_WHILE && i < op->noperands; i++)
    if (is_memref(op_operand(op, i))) return true;
  return false;
}

static bool is_choice(const Op *op) {
  return op->kind == OP_ARITH_SELECT || op->kind == OP_SCF_IF || op->kind == OP_SCF_FOR ||
         op->kind == OP_SCF_WHILE;
}

/* Inner ones first: what is left of them are views, which an outer one takes like any other. */
static void rewrite_region(Choices *c, Region *region) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      for (u32 r = 0; r < op->nregions; r++) rewrite_region(c, &op->regions[r]);
      if (!is_choice(op) || !gives_memref(op)) continue;
      if (op->kind == OP_ARITH_SELECT)
        rewrite_select(c, op);
      else
        rewrite_region_op(c, op);
    }
}

static void find_choice(void *data, Op *op) {
  bool *found = data;
  *found |= is_choice(op) && gives_memref(op);
}

bool resolve_choices(Module *m, Op *func) {
  bool found = false;
  walk_ops(&func->regions[0], find_choice, &found);
  if (!found) return true;
  Choices c = {.m = m};
  walk_ops(&func->regions[0], check_op, &c);
  if (!c.failed) rewrite_region(&c, &func->regions[0]);
  map_free(&c.roots);
  map_free(&c.globals);
  return !c.failed;
}

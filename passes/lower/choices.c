/* choices.c -- selects, ifs and loops that yield memrefs of one memory yield numbers instead.
 *
 *     %s = arith.select %c, %x, %y : memref<4xi32, strided<[1], offset: ?>>
 *
 *     =>   %o = arith.select %c, %x's offset, %y's offset : index
 *          %s = memref.reinterpret_cast %A to offset: [%o], sizes: [4], strides: [1]
 *
 * In a graph each access is wired to one memory, so which memory that is cannot depend on data. The
 * position in that memory can. So a memref that a select or an if yields, or that a loop carries,
 * is replaced by those of its offset, sizes and strides that its type leaves open, and its uses by
 * a view of the root with these numbers (scalar replacement of the memref descriptor).
 *
 * The *root* of a memref is the memory that it is, after all views, a view of. A memref that a loop
 * carries has the root of its initial value, and the value of the next iteration must have the same
 * root; an allocation inside a loop is a new memory in each iteration, and so cannot be a root
 * outside. Requires: select, if, for and while are the only ops that choose (structure.c). Ensures:
 * none of them yields a memref. Linear: the root of each value is found once. */
#include "lower/stages.h"

typedef struct {
  Module *m;
  Map roots;   /* memref Value -> its root */
  Map globals; /* name of a global -> the result of its first get_global */
  bool failed;
} Choices;

static bool is_memref(const Value *v) {
  return v->type->kind == TYPE_MEMREF;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* Operand skip + i of the terminator of an op's region. */
static Value *yielded(const Op *op, u32 region, u32 skip, u32 i) {
  return op_operand(block_terminator(region_entry(&op->regions[region])), skip + i);
}

static Value *source_of_argument(Value *v) {
  Block *block = value_block(v);
  Op *op = block->region->parent;
  if (op->kind == OP_SCF_FOR) return op_operand(op, 3 + v->index - 1);
  if (op->kind != OP_SCF_WHILE) return v;
  return block->region == &op->regions[0] ? op_operand(op, v->index) : yielded(op, 0, 1, v->index);
}

static Value *source_of_result(Choices *c, Value *v) {
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
  case OP_ARITH_SELECT: return op_operand(op, 1);
  case OP_SCF_IF: return yielded(op, 0, 0, v->index);
  case OP_SCF_FOR: return op_operand(op, 3 + v->index);
  case OP_SCF_WHILE: return yielded(op, 0, 1, v->index);
  default: return op->noperands && is_memref(op_operand(op, 0)) ? op_operand(op, 0) : v;
  }
}

/* The memref that `v` is a view of, or the first of those that it may be (check_op checks that the
 * others have the same root); `v` itself where it is a root. Two get_global of one global have one
 * root: the first that was visited. */
static Value *source_of(Choices *c, Value *v) {
  return v->is_arg ? source_of_argument(v) : source_of_result(c, v);
}

/* Follows the sources without recursion, as chains of views may be long, and stores the root for
 * each value on the way. */
static Value *root_of(Choices *c, Value *v) {
  u64 found;
  Value *root = v;
  while (!map_get(&c->roots, PTR_KEY(root), &found)) {
    Value *source = source_of(c, root);
    if (source == root) map_put(&c->roots, PTR_KEY(root), PTR_KEY(root));
    root = source;
  }
  root = (Value *)(uintptr_t)found;
  for (; !map_get(&c->roots, PTR_KEY(v), &found); v = source_of(c, v))
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

/* Checks that `first` and `v`, of which `op` yields one, have the same root, outside of `op`. */
static void check_choice(Choices *c, const Op *op, Value *first, Value *v) {
  if (c->failed || !is_memref(first)) return;
  Value *one = root_of(c, first), *other = root_of(c, v);
  if (one != other) {
    refuse(c, op, "its result is a memref chosen at run time", one, other);
    return;
  }
  const Op *global = value_def(one);
  if (global && global->kind == OP_MEMREF_GET_GLOBAL) return;
  for (u32 r = 0; r < op->nregions; r++)
    if (!value_is_outside(one, &op->regions[r]))
      refuse(c, op, "the memref that it yields is defined inside of it", one, NULL);
}

/* Finds roots while no op has been rewritten yet. */
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
      check_choice(c, op, yielded(op, 0, 0, i), yielded(op, 1, 0, i));
    return;
  case OP_SCF_FOR:
    for (u32 i = 0; i < op->nresults; i++)
      check_choice(c, op, op_operand(op, 3 + i), yielded(op, 0, 0, i));
    return;
  case OP_SCF_WHILE:
    for (u32 i = 0; i < op->noperands; i++)
      check_choice(c, op, op_operand(op, i), yielded(op, 1, 0, i));
    for (u32 i = 0; i < op->nresults; i++)
      check_choice(c, op, yielded(op, 0, 1, i), yielded(op, 0, 1, i));
    return;
  default: return;
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Number `i` of the 1 + 2 * rank of a memref type: offset, sizes, strides; DYNAMIC where the type
 * leaves it open. */
static i64 static_number(const Type *type, u32 i) {
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

/* Builds before b->before the numbers of `v` that its type leaves open, and returns how many they
 * are. With NULL for `to` they are only counted. */
static u32 numbers_of(Builder *b, Value *v, Value **to) {
  Context *ctx = b->m->ctx;
  const Type *type = v->type, *index = type_index(ctx);
  u32 total = 1 + 2 * type->rank, n = 0;
  Op *metadata = NULL;
  if (to) {
    const Type **types = NEW_ARRAY(b->m->arena, const Type *, total + (size_t)1);
    types[0] = type_memref(ctx, NULL, 0, type->elem, NULL, type->space);
    for (u32 i = 0; i < total; i++) types[1 + i] = index;
    metadata = build_op(b, OP_MEMREF_EXTRACT_STRIDED_METADATA, &v, 1, types, total + 1, 0);
  }
  for (u32 i = 0; i < total; i++) {
    if (static_number(type, i) != DYNAMIC) continue;
    if (to) to[n] = op_result(metadata, 1 + i);
    n++;
  }
  return n;
}

/* Sets a static_... attribute; returns how many of its numbers are operands instead. */
static i64 set_numbers(Builder *b, Op *op, const char *name, const Type *type, u32 first, u32 n) {
  i64 *numbers = NEW_ARRAY(b->m->arena, i64, n + (size_t)1), dynamic = 0;
  for (u32 i = 0; i < n; i++) {
    numbers[i] = static_number(type, first + i);
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

/* Replaces memrefs among the operands from `first` on by their numbers. */
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

/* Replaces all uses of `old`: of a memref by a view with these numbers (none where its type has
 * them all), of another value by by[0]. */
static void replace(Choices *c, Op *before, Value *old, Value *const *by, u32 n) {
  if (is_memref(old)) {
    Builder b = builder_before(c->m, before);
    value_replace_uses(old, view_of_root(&b, root_of(c, old), old->type, by, n));
    return;
  }
  if (n == 0) loom_bug("nothing stands for a value that is chosen");
  value_replace_uses(old, by[0]);
}

/* Moves a region's block into a new op's region, with numbers for its memref arguments. */
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

/* Rebuilds an if or a loop with numbers in place of memrefs. */
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
    vec_push(&chosen, build_select(&b, op_operand(op, 0), yes.at[i], no.at[i]));
  replace(c, op, result, chosen.at, (u32)chosen.len);
  vec_free(&yes);
  vec_free(&no);
  vec_free(&chosen);
  op_erase(op);
}

static bool yields_memref(const Op *op) {
  for (u32 i = 0; i < op->nresults; i++)
    if (is_memref(&op->results[i])) return true;
  for (u32 i = 0; op->kind == OP_SCF_WHILE && i < op->noperands; i++)
    if (is_memref(op_operand(op, i))) return true;
  return false;
}

static bool chooses_memref(const Op *op) {
  bool chooses = op->kind == OP_ARITH_SELECT || op->kind == OP_SCF_IF || is_loop(op);
  return chooses && yields_memref(op);
}

/* Inner ops first: they leave views, which an outer op yields like any other memref. */
static void rewrite_region(Choices *c, Region *region) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      for (u32 r = 0; r < op->nregions; r++) rewrite_region(c, &op->regions[r]);
      if (!chooses_memref(op)) continue;
      if (op->kind == OP_ARITH_SELECT)
        rewrite_select(c, op);
      else
        rewrite_region_op(c, op);
    }
}

bool resolve_choices(Module *m, Op *func) {
  if (!has_op(&func->regions[0], chooses_memref)) return true;
  Choices c = {.m = m};
  walk_ops(&func->regions[0], check_op, &c);
  if (!c.failed) rewrite_region(&c, &func->regions[0]);
  map_free(&c.roots);
  map_free(&c.globals);
  return !c.failed;
}

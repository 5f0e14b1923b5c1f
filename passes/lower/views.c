/* views.c -- linearises accesses: each becomes an element number in its root memory, and views are
 * erased.
 *
 *     %v = memref.subview %A[%o, 0] [4, 8] [1, 1]        %p = %o * 32      (strides of %A: 32, 1)
 *            : memref<32x32xf32> to ...             =>   %q = %i * 32
 *     %x = memref.load %v[%i, %j]                        %x = memref.load %A[%p + %q + %j]
 *
 * The *root* of a memref is the memory that it is, after all views, a view of: a function argument,
 * an allocation, or a global. Each memref value gets a descriptor: its root, an offset in elements,
 * and a size and a stride per dimension, each either a number or an SSA value of type index. A view
 * op only computes a descriptor, and costs no more than the arithmetic for it; loads and stores
 * compute one linear index on the root from theirs. A root has the layout of its type, row-major
 * where that has none; extents that an argument's type leaves dynamic become extra `index`
 * arguments after the others, ARG_dimN.
 *
 * Products and sums are built outermost loop first: (i * 32 + j) + k, so that a partial sum can
 * move out of the inner loop.
 *
 * A sum loses its subscripts, and that they are in bounds: i * n + j and j * n + i are different
 * elements where i < j < n, but equal numbers where n is 1. Where the ranges of subscripts do not
 * show that they are in bounds, the sum gets an attribute with the dimension of each operand, or -1
 * for a sum of several, or a constant:
 *
 *     %q = arith.muli %i, %n
 *     %p = arith.addi %q, %j {loom.subscripts = array<i32: 0, 1>}
 *
 * All subscripts but the last are multiplied by a stride. The attribute is a promise that the
 * access itself justifies: each subscript is in its dimension's bounds, so that no product or sum
 * wraps, and two such sums in one memory are equal only where all subscripts are (depends.c).
 *
 * memref.copy becomes a nest of loops around a load and a store; dealloc is erased; all get_globals
 * of one name become one at the start. Requires: no select, if or loop yields a memref (choices.c,
 * in the stage `structure`). Ensures: the only memref ops left are load and store with one index,
 * alloc, alloca and get_global. One walk, linear in the program. */
#include "lower/stages.h"

#include <stdlib.h>

/* A number known now, or a value of type index. */
typedef struct {
  Value *value; /* NULL: `number` */
  i64 number;
} Num;

typedef struct {
  Value *root;
  u32 rank;
  Num offset, *sizes, *strides;
} MemrefView;

typedef struct {
  Module *m;
  Op *func;
  Map views;   /* memref Value -> MemrefView */
  Map globals; /* id of a symbol -> the Value of its one get_global */
  bool failed;
  bool changed; /* there was a memref op other than an access that was linear already */
} Linearizer;

static Num known(i64 n) {
  return (Num){NULL, n};
}

static Num num_of(const Context *ctx, Value *v) {
  i64 number;
  return value_is_int(ctx, v, &number) ? known(number) : (Num){v, 0};
}

static Value *num_value(Builder *b, Num n) {
  return n.value ? n.value : build_int(b, n.number, type_index(b->m->ctx));
}

static Num num_add(Builder *b, Num x, Num y) {
  if (!x.value && !y.value) return known((i64)((u64)x.number + (u64)y.number));
  if (!x.value && x.number == 0) return y;
  if (!y.value && y.number == 0) return x;
  return (Num){build_folded(b, OP_ARITH_ADDI, num_value(b, x), num_value(b, y)), 0};
}

static Num num_mul(Builder *b, Num x, Num y) {
  if (!x.value && !y.value) return known((i64)((u64)x.number * (u64)y.number));
  if (!x.value && x.number == 1) return y;
  if (!y.value && y.number == 1) return x;
  if ((!x.value && x.number == 0) || (!y.value && y.number == 0)) return known(0);
  return (Num){build_folded(b, OP_ARITH_MULI, num_value(b, x), num_value(b, y)), 0};
}

static void refuse(Linearizer *l, const Op *op, const char *why) {
  diag(l->m->ctx, op->loc, COMP_LOWER_VIEW, "%s cannot be lowered: %s", op_name(op), why);
  l->failed = true;
}

static void set_view(Linearizer *l, const Value *of, const MemrefView *view) {
  map_put(&l->views, PTR_KEY(of), PTR_KEY(view));
}

/* The view of a memref, which the caller fills in. */
static MemrefView *new_view(Linearizer *l, const Value *of, Value *root) {
  MemrefView *view = NEW(l->m->arena, MemrefView);
  u32 rank = of->type->rank;
  view->root = root;
  view->rank = rank;
  view->sizes = NEW_ARRAY(l->m->arena, Num, rank);
  view->strides = NEW_ARRAY(l->m->arena, Num, rank);
  set_view(l, of, view);
  return view;
}

static const MemrefView *view_of(const Linearizer *l, const Value *memref) {
  u64 found;
  return map_get(&l->views, PTR_KEY(memref), &found) ? (const MemrefView *)(uintptr_t)found : NULL;
}

/* Row-major strides from the sizes. */
static void set_dense_strides(Builder *b, MemrefView *view) {
  Num stride = known(1);
  for (u32 d = view->rank; d-- > 0;) {
    view->strides[d] = stride;
    if (d > 0) stride = num_mul(b, stride, view->sizes[d]);
  }
}

/* Sets offset and strides of a root from its type's layout; strides that a strided layout leaves
 * open, and all where there is no layout, are row-major. */
static bool set_root_layout(Linearizer *l, Builder *b, MemrefView *view, const Type *type) {
  i64 *strides = NEW_ARRAY(l->m->arena, i64, view->rank + (size_t)1), offset;
  set_dense_strides(b, view);
  if (!type->layout) return true;
  if (!type_strides(type, strides, &offset)) return false;
  bool may_be_open = type->layout->kind == ATTR_STRIDED;
  if (offset != DYNAMIC) view->offset = known(offset);
  bool good = may_be_open || offset != DYNAMIC;
  for (u32 d = 0; d < view->rank; d++) {
    if (strides[d] != DYNAMIC) view->strides[d] = known(strides[d]);
    good = good && (may_be_open || strides[d] != DYNAMIC);
  }
  return good;
}

/* True where the index of an access is the element number. */
static bool is_linear(const Type *root) {
  return root->rank == 1 && !root->layout;
}

/* ---- roots ----------------------------------------------------------------------------------- */

static const Str *extent_name(Context *ctx, const Value *arg, u32 d) {
  return arg->name ? str_printf(ctx, "%s_dim%u", arg->name->text, d)
                   : str_printf(ctx, "arg%u_dim%u", (unsigned)arg->index, d);
}

static bool is_name_of_argument(const Block *body, const Str *name) {
  for (u32 i = 0; i < body->nargs; i++)
    if (body->args[i]->name == name) return true;
  return false;
}

/* Extent arguments are recognised by their names, so an argument of the source that has such a name
 * gets another one. */
static void free_extent_names(Context *ctx, const Block *body) {
  for (u32 i = 0; i < body->nargs; i++) {
    const Type *type = body->args[i]->type;
    for (u32 d = 0; type_is_memref(type) && d < type->rank; d++) {
      const Str *name = extent_name(ctx, body->args[i], d), *other = name;
      if (type->shape[d] != DYNAMIC) continue;
      for (u32 k = 0; is_name_of_argument(body, other); k++)
        other = str_printf(ctx, "%s_%u", name->text, k);
      for (u32 j = 0; j < body->nargs; j++)
        if (body->args[j]->name == name) body->args[j]->name = other;
    }
  }
}

/* Adds the extent arguments and makes the views of the memref arguments. */
static void view_arguments(Linearizer *l) {
  Context *ctx = l->m->ctx;
  Block *body = region_entry(&l->func->regions[0]);
  u32 nargs = body->nargs;
  Builder b = builder_before(l->m, body->first);
  free_extent_names(ctx, body);
  for (u32 i = 0; i < nargs; i++) {
    Value *arg = body->args[i];
    if (!type_is_memref(arg->type)) continue;
    MemrefView *view = new_view(l, arg, arg);
    l->changed |= !is_linear(arg->type);
    for (u32 d = 0; d < view->rank; d++) {
      i64 extent = arg->type->shape[d];
      if (extent != DYNAMIC) {
        view->sizes[d] = known(extent);
        continue;
      }
      view->sizes[d].value =
          block_add_arg(l->m, body, type_index(ctx), extent_name(ctx, arg, d), arg->loc);
    }
    if (!set_root_layout(l, &b, view, arg->type)) {
      diag(ctx, arg->loc ? arg->loc : l->func->loc, COMP_LOWER_VIEW,
           "argument %%%s cannot be lowered: its layout is not strided", arg_shown_name(ctx, arg));
      l->failed = true;
    }
  }
}

static bool is_inside_loop(const Op *op) {
  for (const Op *parent = op_parent(op); parent; parent = op_parent(parent))
    if (is_loop(parent)) return true;
  return false;
}

/* The largest extent, and number of elements: no engine runs more (RT_ALLOC_SIZE). */
enum { LARGEST_BOUND = 1 << 20, LARGEST_MEMORY = 1 << 28 };

/* Gives an allocation whose dynamic extents are bounded by constants or ranges the static type of
 * the largest; true where that worked (or the type was static). */
static bool bound_extents(Linearizer *l, Op *op, const MemrefView *view) {
  const Type *type = op->results[0].type;
  i64 *shape = NEW_ARRAY(l->m->arena, i64, view->rank);
  bool changed = false;
  for (u32 d = 0; d < view->rank; d++) {
    Num size = view->sizes[d];
    shape[d] = size.value ? value_range(l->m->ctx, size.value).max : size.number;
    if (shape[d] < 0 || (size.value && shape[d] > LARGEST_BOUND)) return false;
    changed |= type->shape[d] == DYNAMIC;
  }
  if (!changed) return true;
  const Type *largest =
      type_memref(l->m->ctx, shape, view->rank, type->elem, type->layout, type->space);
  i64 elements = type_static_elements(largest);
  if (elements < 0 || elements > LARGEST_MEMORY) return false;
  op->results[0].type = largest;
  return true;
}

static void view_alloc(Linearizer *l, Op *op) {
  const Type *type = op->results[0].type;
  MemrefView *view = new_view(l, op_result(op, 0), op_result(op, 0));
  Builder b = builder_before(l->m, op);
  u32 next = 0;
  for (u32 d = 0; d < view->rank; d++) {
    bool given = type->shape[d] == DYNAMIC;
    view->sizes[d] = given ? num_of(l->m->ctx, op_operand(op, next++)) : known(type->shape[d]);
  }
  if (!bound_extents(l, op, view) && is_inside_loop(op)) {
    diag(l->m->ctx, op->loc, COMP_LOWER_ALLOC,
         "%s cannot be lowered: a memory allocated inside a loop is reused by every iteration, so "
         "its size must be static",
         op_name(op));
    diag_hint(l->m->ctx, "give it a static shape, or allocate it before the loop");
    l->failed = true;
  }
  if (!set_root_layout(l, &b, view, type)) refuse(l, op, "its layout is not strided");
}

/* All get_globals of a name are one memory: the first is moved to the start of the function. */
static void view_global(Linearizer *l, Op *op) {
  const Attr *symbol = op_attr(op, "name");
  u64 found;
  if (map_get(&l->globals, symbol->str->id, &found)) {
    Value *first = (Value *)(uintptr_t)found;
    value_replace_uses(op_result(op, 0), first);
    op_erase(op);
    return;
  }
  Block *body = region_entry(&l->func->regions[0]);
  op_unlink(op);
  op_prepend(body, op);
  map_put(&l->globals, symbol->str->id, PTR_KEY(op_result(op, 0)));
  view_alloc(l, op); /* its shape is static */
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Number i of a list of a view op, `statics`: where that has DYNAMIC, it is the next operand, at
 * *operand. */
static Num mixed(Linearizer *l, const Op *op, const char *statics, u32 i, u32 *operand) {
  const Attr *list = op_attr(op, statics);
  i64 number = list && i < list->n ? list->ints[i] : DYNAMIC;
  if (number != DYNAMIC) return known(number);
  return num_of(l->m->ctx, op_operand(op, (*operand)++));
}

static u32 count_of(const Op *op, const char *statics) {
  const Attr *list = op_attr(op, statics);
  return list ? list->n : 0;
}

static void view_subview(Linearizer *l, Op *op, const MemrefView *from) {
  const Type *type = op->results[0].type;
  Builder b = builder_before(l->m, op);
  u32 n = from->rank, operand = 1;
  if (count_of(op, "static_offsets") != n || count_of(op, "static_sizes") != n) {
    refuse(l, op, "its lists must have one entry per dimension of the source");
    return;
  }
  Num *sizes = NEW_ARRAY(l->m->arena, Num, n), *strides = NEW_ARRAY(l->m->arena, Num, n);
  Num offset = from->offset;
  for (u32 d = 0; d < n; d++)
    offset = num_add(&b, offset,
                     num_mul(&b, mixed(l, op, "static_offsets", d, &operand), from->strides[d]));
  for (u32 d = 0; d < n; d++) sizes[d] = mixed(l, op, "static_sizes", d, &operand);
  for (u32 d = 0; d < n; d++)
    strides[d] = num_mul(&b, mixed(l, op, "static_strides", d, &operand), from->strides[d]);

  /* A result of lower rank drops dimensions of static size 1, no matter which, as their index is
   * always 0. A dimension that stays has its size in the result's type, or ? for an operand. */
  MemrefView *view = new_view(l, op_result(op, 0), from->root);
  view->offset = offset;
  const Attr *statics = op_attr(op, "static_sizes");
  u32 kept = 0, to_drop = n - type->rank;
  for (u32 d = 0; d < n; d++) {
    bool fits = kept < type->rank && type->shape[kept] == statics->ints[d];
    bool unit = statics->ints[d] == 1;
    if (to_drop && unit && (!fits || n - d <= to_drop)) {
      to_drop--;
    } else if (kept < type->rank) {
      view->sizes[kept] = sizes[d];
      view->strides[kept++] = strides[d];
    }
  }
}

static void view_reinterpret(Linearizer *l, Op *op, const MemrefView *from) {
  MemrefView *view = new_view(l, op_result(op, 0), from->root);
  u32 operand = 1;
  view->offset = mixed(l, op, "static_offsets", 0, &operand);
  for (u32 d = 0; d < view->rank; d++) view->sizes[d] = mixed(l, op, "static_sizes", d, &operand);
  for (u32 d = 0; d < view->rank; d++)
    view->strides[d] = mixed(l, op, "static_strides", d, &operand);
}

static const Attr *group_of(const Op *op, u32 g) {
  const Attr *groups = op_attr(op, "reassociation");
  return groups && g < groups->n ? groups->elems[g] : NULL;
}

static void view_collapse(Linearizer *l, Op *op, const MemrefView *from) {
  MemrefView *view = new_view(l, op_result(op, 0), from->root);
  Builder b = builder_before(l->m, op);
  view->offset = from->offset;
  for (u32 g = 0; g < view->rank; g++) {
    const Attr *group = group_of(op, g);
    view->sizes[g] = known(1);
    view->strides[g] = known(1);
    for (u32 k = 0; group && k < group->n; k++) {
      u32 d = (u32)group->elems[k]->i;
      bool unit = !from->sizes[d].value && from->sizes[d].number == 1;
      view->sizes[g] = num_mul(&b, view->sizes[g], from->sizes[d]);
      if (!unit || k == 0) view->strides[g] = from->strides[d]; /* of the innermost not of size 1 */
    }
  }
}

/* The size of dimension d of an expand_shape's result: from its type, from output_shape where the
 * op has it, or what is left of the group's size. */
static Num expanded_size(Linearizer *l, Builder *b, const Op *op, const Attr *group, Num whole,
                         u32 d) {
  const Type *type = op->results[0].type;
  if (type->shape[d] != DYNAMIC) return known(type->shape[d]);
  const Attr *statics = op_attr(op, "static_output_shape");
  if (statics && op->noperands > 1) {
    u32 operand = 1;
    for (u32 k = 0; k < d && k < statics->n; k++) operand += statics->ints[k] == DYNAMIC;
    if (operand < op->noperands) return num_of(l->m->ctx, op_operand(op, operand));
  }
  i64 others = 1;
  for (u32 k = 0; k < group->n; k++) {
    i64 extent = type->shape[group->elems[k]->i];
    if (extent != DYNAMIC) others *= extent;
  }
  if (others == 0) return known(0);
  if (!whole.value) return known(whole.number / others);
  if (others == 1) return whole;
  return (Num){build_1(b, OP_ARITH_DIVUI, type_index(l->m->ctx),
                       (Value *[]){whole.value, num_value(b, known(others))}, 2),
               0};
}

static void view_expand(Linearizer *l, Op *op, const MemrefView *from) {
  MemrefView *view = new_view(l, op_result(op, 0), from->root);
  Builder b = builder_before(l->m, op);
  view->offset = from->offset;
  for (u32 d = 0; d < view->rank; d++) view->sizes[d] = view->strides[d] = known(1);
  for (u32 g = 0; g < from->rank; g++) {
    const Attr *group = group_of(op, g);
    Num stride = from->strides[g];
    for (u32 k = group ? group->n : 0; k-- > 0;) {
      u32 d = (u32)group->elems[k]->i;
      view->sizes[d] = expanded_size(l, &b, op, group, from->sizes[g], d);
      view->strides[d] = stride;
      if (k > 0) stride = num_mul(&b, stride, view->sizes[d]);
    }
  }
}

static void view_transpose(Linearizer *l, Op *op, const MemrefView *from) {
  const Attr *permutation = op_attr(op, "permutation");
  MemrefView *view = new_view(l, op_result(op, 0), from->root);
  view->offset = from->offset;
  for (u32 d = 0; d < view->rank; d++) {
    u32 source = permutation && permutation->kind == ATTR_AFFINE_MAP
                     ? (u32)permutation->map->results[d]->value
                     : d;
    view->sizes[d] = from->sizes[source];
    view->strides[d] = from->strides[source];
  }
}

static void replace_by_num(Builder *b, Value *result, Num n) {
  if (result->uses) value_replace_uses(result, num_value(b, n));
}

/* base, offset, sizes..., strides... */
static void view_metadata(Linearizer *l, Op *op, const MemrefView *from) {
  Builder b = builder_before(l->m, op);
  new_view(l, op_result(op, 0), from->root);
  replace_by_num(&b, op_result(op, 1), from->offset);
  for (u32 d = 0; d < from->rank; d++) {
    replace_by_num(&b, op_result(op, 2 + d), from->sizes[d]);
    replace_by_num(&b, op_result(op, 2 + from->rank + d), from->strides[d]);
  }
}

static void replace_dim(Linearizer *l, Op *op, const MemrefView *from) {
  i64 d;
  if (!value_is_int(l->m->ctx, op_operand(op, 1), &d) || d < 0 || d >= (i64)from->rank) {
    refuse(l, op, "its dimension must be a constant in range");
    return;
  }
  Builder b = builder_before(l->m, op);
  replace_by_num(&b, op_result(op, 0), from->sizes[d]);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static u32 depth_of(const Value *v) {
  u32 depth = 0;
  const Block *block = value_block(v);
  for (const Op *op = block->region->parent; op; op = op_parent(op)) depth++;
  return depth;
}

typedef struct {
  Num part;
  u32 depth;
  i64 order; /* 1 + its dimension; 0: an offset */
} IndexPart;

static int outermost_first(const void *a, const void *b) {
  const IndexPart *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

/* True where the ranges of the subscripts do not prove them in bounds. The first one need not be:
 * the sum of the others is smaller than its stride. */
static bool needs_promise(const Context *ctx, const MemrefView *view, Value *const *indices) {
  bool open = false;
  for (u32 d = 1; d < view->rank; d++) {
    Interval range = value_range(ctx, indices[d]);
    if (!view->strides[d - 1].value && view->strides[d - 1].number == 1) return false;
    open |= view->sizes[d].value || range.min < 0 || range.max >= view->sizes[d].number;
  }
  return open;
}

/* x + y, with the attribute loom.subscripts for the dimensions of its operands. */
static Num promised_sum(Builder *b, Num x, i64 of_x, Num y, i64 of_y) {
  Num sum = num_add(b, x, y);
  Op *op = sum.value ? value_def(sum.value) : NULL;
  bool is_new = op && op->kind == OP_ARITH_ADDI && op_operand(op, 0) == x.value && !sum.value->uses;
  if (is_new)
    op_set_attr(
        b->m, op, "loom.subscripts",
        attr_dense_array(b->m->ctx, type_int(b->m->ctx, 32, SIGNLESS), (i64[]){of_x, of_y}, 2));
  return sum;
}

/* offset + the sum of index * stride, as one value; outermost parts are added first. `promise`: the
 * subscripts are in bounds of a root, dimension by dimension. */
static Value *linear_index(Builder *b, const MemrefView *view, Value *const *indices,
                           bool promise) {
  Context *ctx = b->m->ctx;
  IndexPart *parts = NEW_ARRAY(b->m->arena, IndexPart, view->rank + (size_t)1);
  u32 n = 0;
  if (view->offset.value) parts[n++] = (IndexPart){view->offset, depth_of(view->offset.value), 0};
  Num constant = view->offset.value ? known(0) : view->offset;
  for (u32 d = 0; d < view->rank; d++) {
    Num index = num_of(ctx, indices[d]);
    Num part = num_mul(b, index, view->strides[d]);
    if (!part.value) {
      constant = num_add(b, constant, part);
      continue;
    }
    u32 depth = index.value ? depth_of(index.value) : 0;
    if (view->strides[d].value && depth_of(view->strides[d].value) > depth)
      depth = depth_of(view->strides[d].value);
    parts[n++] = (IndexPart){part, depth, d + 1};
  }
  qsort(parts, n, sizeof *parts, outermost_first);
  Num sum = n ? parts[0].part : constant;
  promise = promise && needs_promise(ctx, view, indices);
  for (u32 i = 1; i < n; i++)
    sum = promise ? promised_sum(b, sum, i > 1 ? -1 : parts[0].order - 1, parts[i].part,
                                 parts[i].order - 1)
                  : num_add(b, sum, parts[i].part);
  if (n)
    sum = promise ? promised_sum(b, sum, n > 1 ? -1 : parts[0].order - 1, constant, -1)
                  : num_add(b, sum, constant);
  return num_value(b, sum);
}

/* operands of a load: memref, indices; of a store: value, memref, indices */
static void linearise_access(Linearizer *l, Op *op) {
  u32 at = op->kind == OP_MEMREF_STORE;
  const MemrefView *view = view_of(l, op_operand(op, at));
  if (!view) {
    refuse(l, op, "its memref has no single root memory");
    return;
  }
  Builder b = builder_before(l->m, op);
  u64 bits;
  if (view->root == op_operand(op, at) && is_linear(view->root->type) &&
      !value_is_literal(l->m->ctx, op_operand(op, at + 1), &bits))
    return; /* it is linear already */
  l->changed = true;
  Value **indices = NEW_ARRAY(l->m->arena, Value *, view->rank);
  for (u32 d = 0; d < view->rank; d++) indices[d] = op_operand(op, at + 1 + d);
  Value *operands[3] = {op_operand(op, 0), NULL, NULL};
  operands[at] = view->root;
  bool is_root = view == view_of(l, view->root) && !view->root->type->layout;
  operands[at + 1] = linear_index(&b, view, indices, is_root);
  op_set_operands(l->m, op, operands, at + 2);
}

/* Replaces a copy by a nest of loops. Access N is the load, N + 1 the store. */
static void lower_copy(Linearizer *l, Op *op) {
  Module *m = l->m;
  Context *ctx = m->ctx;
  const MemrefView *from = view_of(l, op_operand(op, 0)), *to = view_of(l, op_operand(op, 1));
  if (!from || !to || from->rank != to->rank) {
    refuse(l, op, "one of its memrefs has no single root memory");
    return;
  }
  Builder b = builder_before(m, op);
  i64 number = op_attr_int(op, "loom.access", 0);
  Value **indices = NEW_ARRAY(m->arena, Value *, from->rank);
  for (u32 d = 0; d < from->rank; d++) {
    Num size = from->sizes[d].value ? to->sizes[d] : from->sizes[d];
    indices[d] = build_loop_over(&b, num_value(&b, size));
  }
  const Type *element = op_operand(op, 0)->type->elem;
  Value *value = build_1(&b, OP_MEMREF_LOAD, element,
                         (Value *[]){from->root, linear_index(&b, from, indices, false)}, 2);
  Op *store =
      build_op(&b, OP_MEMREF_STORE,
               (Value *[]){value, to->root, linear_index(&b, to, indices, false)}, 3, NULL, 0, 0);
  const Type *i32 = type_int(ctx, 32, SIGNLESS);
  op_set_attr(m, value_def(value), "loom.access", attr_int(ctx, number, i32));
  op_set_attr(m, store, "loom.access", attr_int(ctx, number + 1, i32));
  op_erase(op);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void visit(void *data, Op *op) {
  Linearizer *l = data;
  if (l->failed) return;
  const MemrefView *from = NULL;
  if (op->noperands && (op_operand(op, 0)->type->kind == TYPE_MEMREF ||
                        op_operand(op, 0)->type->kind == TYPE_UNRANKED_MEMREF))
    from = view_of(l, op_operand(op, 0));
  if (op->kind == OP_MEMREF_LOAD || op->kind == OP_MEMREF_STORE) {
    linearise_access(l, op);
    return;
  }
  if (strncmp(op_name(op), "memref.", 7) != 0) return;
  l->changed = true;
  switch ((OpKind)op->kind) {
  case OP_MEMREF_ALLOC:
  case OP_MEMREF_ALLOCA: view_alloc(l, op); return;
  case OP_MEMREF_GET_GLOBAL: view_global(l, op); return;
  case OP_MEMREF_DEALLOC: op_erase(op); return;
  case OP_MEMREF_COPY: lower_copy(l, op); return;
  default: break;
  }
  if (!from) {
    refuse(l, op, "its memref has no single root memory");
    return;
  }
  switch ((OpKind)op->kind) {
  case OP_MEMREF_CAST:
  case OP_MEMREF_MEMORY_SPACE_CAST: set_view(l, op_result(op, 0), from); return;
  case OP_MEMREF_ASSUME_ALIGNMENT:
    if (op->nresults) set_view(l, op_result(op, 0), from);
    return;
  case OP_MEMREF_SUBVIEW: view_subview(l, op, from); return;
  case OP_MEMREF_REINTERPRET_CAST: view_reinterpret(l, op, from); return;
  case OP_MEMREF_COLLAPSE_SHAPE: view_collapse(l, op, from); return;
  case OP_MEMREF_EXPAND_SHAPE: view_expand(l, op, from); return;
  case OP_MEMREF_TRANSPOSE: view_transpose(l, op, from); return;
  case OP_MEMREF_EXTRACT_STRIDED_METADATA: view_metadata(l, op, from); return;
  case OP_MEMREF_DIM: replace_dim(l, op, from); return;
  case OP_MEMREF_RANK: {
    Builder b = builder_before(l->m, op);
    replace_by_num(&b, op_result(op, 0), known(from->rank));
    return;
  }
  default: refuse(l, op, "it has no dataflow form"); return;
  }
}

static bool is_view_op(const Op *op) {
  return strncmp(op_name(op), "memref.", 7) == 0 && op->kind != OP_MEMREF_LOAD &&
         op->kind != OP_MEMREF_STORE && op->kind != OP_MEMREF_ALLOC &&
         op->kind != OP_MEMREF_ALLOCA && op->kind != OP_MEMREF_GET_GLOBAL;
}

/* Views have no users left but views behind them, which a backward walk erases first. */
static void erase_views(Region *region) {
  for_each_block (block, region)
    for (Op *op = block->last, *before; op; op = before) {
      before = op->prev;
      for (u32 r = 0; r < op->nregions; r++) erase_views(&op->regions[r]);
      if (is_view_op(op)) op_erase(op);
    }
}

bool linearise_views(Module *m, Op *func, bool *changed) {
  Linearizer l = {.m = m, .func = func};
  view_arguments(&l);
  walk_ops(&func->regions[0], visit, &l);
  if (!l.failed && l.changed) erase_views(&func->regions[0]);
  *changed |= l.changed;
  map_free(&l.views);
  map_free(&l.globals);
  return !l.failed;
}

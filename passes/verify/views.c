/* views.c -- rules of views of a memory: the result type must follow from the source and the op.
 *
 *     %v = memref.subview %m[2, 0] [4, 8] [1, 1]
 *         : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 16>>
 *     The offset is 2 * 8 + 0, the strides are those of the source times the op's.
 *
 * Every view is compared through strides: the address of element (i, j, ...) in the memory is
 * offset + i * stride0 + j * stride1 + ..., in elements. Offset and strides of the result are
 * computed from those of the source and the op, with `?` for unknown ones, and compared
 * with the result type; two spellings of one layout are the same. The rules are those
 * of `mlir-opt` 22; where 16 computed less (a zero times an unknown), both answers are accepted.
 */
#include "verify/rules.h"

/* ---- offsets and strides --------------------------------------------------------------------- */

/* A shape with strides; the arrays are in the scratch arena. */
typedef struct {
  u32 rank;
  i64 *shape, *strides;
  i64 offset;
} View;

static View view_new(Verifier *v, u32 rank) {
  return (View){.rank = rank,
                .shape = NEW_ARRAY(v->scratch, i64, (size_t)rank + 1),
                .strides = NEW_ARRAY(v->scratch, i64, (size_t)rank + 1)};
}

/* The view that a type describes; reports and returns false where its layout has no strides. */
static bool view_of(Verifier *v, const Op *op, const Type *type, View *view) {
  *view = view_new(v, type->rank);
  for (u32 i = 0; i < type->rank; i++) view->shape[i] = type->shape[i];
  if (type_strides(type, view->strides, &view->offset)) return true;
  diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "%s: the layout of %s is not strided", op_name(op),
       type_text(v, type));
  return false;
}

/* The text of a view as a memref type, with a strided layout unless it is contiguous. */
static const char *view_text(Verifier *v, const View *view, const Type *like) {
  const Attr *layout = attr_strided(v->ctx, view->offset, view->strides, view->rank);
  i64 stride = 1;
  bool plain = view->offset == 0;
  for (u32 i = view->rank; i-- > 0; stride = known_times(stride, view->shape[i]))
    plain = plain && view->strides[i] == stride && stride != DYNAMIC;
  return type_text(v, type_memref(v->ctx, view->shape, view->rank, like->elem,
                                  plain ? NULL : layout, like->space));
}

static bool same_view(const View *a, const View *b) {
  if (a->rank != b->rank || a->offset != b->offset) return false;
  for (u32 i = 0; i < a->rank; i++)
    if (a->shape[i] != b->shape[i] || a->strides[i] != b->strides[i]) return false;
  return true;
}

/* Computes the views of the source and the result, and begins that which the result must be, with
 * `rank` dimensions and the source's offset. */
static bool views_of(Verifier *v, const Op *op, u32 rank, View *from, View *result, View *want) {
  if (!view_of(v, op, type_of(op, 0), from) || !view_of(v, op, type_of_result(op, 0), result))
    return false;
  *want = view_new(v, rank);
  want->offset = from->offset;
  return true;
}

static void mismatch(Verifier *v, const Op *op, const View *want) {
  diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "%s: the result must be %s, but got %s", op_name(op),
       view_text(v, want, type_of(op, 0)), type_text(v, type_of_result(op, 0)));
}

/* Source and result are memrefs of the same elements in the same memory space. */
static bool one_memory(Verifier *v, const Op *op) {
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  if (!operand_ok(v, op, 0, type_is_memref(from), COMP_MEMREF_TYPE, "a ranked memref") ||
      !result_ok(v, op, 0, type_is_memref(to), COMP_MEMREF_TYPE, "a ranked memref"))
    return false;
  if (from->elem == to->elem && from->space == to->space) return true;
  diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "%s must keep %s, but got %s to %s", op_name(op),
       from->elem == to->elem ? "the memory space" : "the element type", type_text(v, from),
       type_text(v, to));
  return false;
}

/* ---- casts ----------------------------------------------------------------------------------- */

static bool fits_number(i64 a, i64 b) {
  return a == b || a == DYNAMIC || b == DYNAMIC;
}

/* A cast may make a number unknown or an unknown one known, but not change a known one. */
static bool cast_fits(Verifier *v, const Type *from, const Type *to) {
  if (!is_any_memref(from) || !is_any_memref(to)) return false;
  if (from->elem != to->elem || from->space != to->space) return false;
  bool ranked = type_is_memref(from) && type_is_memref(to);
  if (!ranked) return type_is_memref(from) || type_is_memref(to);
  if (from->rank != to->rank || !same_shape(from, to)) return false;
  if (from->layout == to->layout) return true;
  i64 *a = NEW_ARRAY(v->scratch, i64, (size_t)from->rank + 1);
  i64 *b = NEW_ARRAY(v->scratch, i64, (size_t)from->rank + 1);
  i64 offset_a, offset_b;
  if (!type_strides(from, a, &offset_a) || !type_strides(to, b, &offset_b)) return false;
  bool good = fits_number(offset_a, offset_b);
  for (u32 i = 0; i < from->rank; i++) good = good && fits_number(a[i], b[i]);
  return good;
}

void rule_MEMREF_CAST(Verifier *v, Op *op) {
  if (!cast_fits(v, type_of(op, 0), type_of_result(op, 0)))
    diag(v->ctx, op->loc, COMP_MEMREF_CAST, "memref.cast cannot convert %s to %s",
         type_text(v, type_of(op, 0)), type_text(v, type_of_result(op, 0)));
}

void rule_MEMREF_MEMORY_SPACE_CAST(Verifier *v, Op *op) {
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  bool good = is_any_memref(from) && from->kind == to->kind && from->elem == to->elem &&
              from->layout == to->layout && from->rank == to->rank;
  for (u32 i = 0; good && i < from->rank; i++) good = from->shape[i] == to->shape[i];
  if (!good)
    diag(v->ctx, op->loc, COMP_MEMREF_CAST,
         "memref.memory_space_cast must change only the memory space, but got %s to %s",
         type_text(v, from), type_text(v, to));
}

/* ---- subview, reinterpret_cast --------------------------------------------------------------- */

/* A list such as static_sizes, of `want` numbers; each `?` in it is one of `operands` operands. */
static const Attr *need_numbers(Verifier *v, const Op *op, const char *name, u32 operands, u32 want,
                                const char *noun) {
  const Attr *attr = need_array(v, op, name, 64);
  if (!attr) return NULL;
  u32 dynamic = dynamic_count(attr->ints, attr->n);
  if (dynamic != operands) {
    diag(v->ctx, op->loc, COMP_MEMREF_SIZES, "%s: %u dynamic %s in the list, but %u operand%s",
         op_name(op), dynamic, noun, operands, plural(operands));
    return NULL;
  }
  if (attr->n != want) {
    diag(v->ctx, op->loc, COMP_MEMREF_SIZES, "%s needs %u %s, but got %u", op_name(op), want, noun,
         attr->n);
    return NULL;
  }
  return attr;
}

typedef struct {
  const Attr *offsets, *sizes, *strides;
} Slice;

/* Reads the attributes; the operands are the source, then dynamic offsets, sizes and strides. */
static bool slice_of(Verifier *v, const Op *op, u32 noffsets, u32 rank, Slice *slice) {
  u32 sizes[4];
  if (!need_segments(v, op, 4, sizes)) return false;
  if (sizes[0] != 1) {
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s must have one source", op_name(op));
    return false;
  }
  slice->offsets = need_numbers(v, op, "static_offsets", sizes[1], noffsets, "offsets");
  slice->sizes = need_numbers(v, op, "static_sizes", sizes[2], rank, "sizes");
  slice->strides = need_numbers(v, op, "static_strides", sizes[3], rank, "strides");
  return slice->offsets && slice->sizes && slice->strides;
}

/* True if the result is the view, perhaps without some dimensions of one element. Dimensions are
 * matched greedily: any of the same extent and stride are interchangeable. */
static bool is_reduced(const View *whole, const View *result) {
  u32 taken = 0;
  for (u32 i = 0; i < whole->rank; i++) {
    if (taken < result->rank && whole->shape[i] == result->shape[taken] &&
        whole->strides[i] == result->strides[taken])
      taken++;
    else if (whole->shape[i] != 1)
      return false;
  }
  return taken == result->rank;
}

static void check_bounds(Verifier *v, const Op *op, const Slice *slice, const Type *source) {
  for (u32 i = 0; i < source->rank; i++) {
    i64 offset = slice->offsets->ints[i], size = slice->sizes->ints[i],
        stride = slice->strides->ints[i], extent = source->shape[i];
    i64 last = known_plus(offset, known_times(known_plus(size, -1), stride));
    const char *problem = NULL;
    if (offset != DYNAMIC && offset < 0)
      problem = "starts before its first element";
    else if (size != DYNAMIC && size < 0)
      problem = "has a negative size";
    else if (extent == DYNAMIC || size == 0)
      continue;
    else if (offset != DYNAMIC && offset >= extent)
      problem = "starts after its last element";
    else if (last != DYNAMIC && (last < 0 || last >= extent))
      problem = "ends outside of it";
    if (problem)
      diag(v->ctx, op->loc, COMP_MEMREF_BOUNDS, "%s: in dimension %u of %s the view %s",
           op_name(op), i, type_text(v, source), problem);
  }
}

void rule_MEMREF_SUBVIEW(Verifier *v, Op *op) {
  const Type *source = type_of(op, 0);
  Slice slice;
  View from, result, want;
  if (!one_memory(v, op) || !slice_of(v, op, source->rank, source->rank, &slice)) return;
  if (!views_of(v, op, source->rank, &from, &result, &want)) return;
  i64 coarse = from.offset; /* of LLVM 16, where zero times an unknown is unknown */
  for (u32 i = 0; i < source->rank; i++) {
    i64 offset = slice.offsets->ints[i], step = known_times(offset, from.strides[i]);
    want.shape[i] = slice.sizes->ints[i];
    want.strides[i] = known_times(slice.strides->ints[i], from.strides[i]);
    want.offset = known_plus(want.offset, offset == 0 ? 0 : step);
    coarse = known_plus(coarse, step);
  }
  if (!is_reduced(&want, &result) || (want.offset != result.offset && coarse != result.offset))
    mismatch(v, op, &want);
  else
    check_bounds(v, op, &slice, source);
}

void rule_MEMREF_REINTERPRET_CAST(Verifier *v, Op *op) {
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  Slice slice;
  View result, want;
  if (!operand_ok(v, op, 0, is_any_memref(from), COMP_MEMREF_TYPE, "a memref") ||
      !result_ok(v, op, 0, type_is_memref(to), COMP_MEMREF_TYPE, "a ranked memref"))
    return;
  if (from->elem != to->elem || from->space != to->space) {
    diag(v->ctx, op->loc, COMP_MEMREF_VIEW,
         "%s must keep the element type and the memory space, but got %s to %s", op_name(op),
         type_text(v, from), type_text(v, to));
    return;
  }
  if (!slice_of(v, op, 1, to->rank, &slice) || !view_of(v, op, to, &result)) return;
  want = view_new(v, to->rank);
  want.offset = slice.offsets->ints[0];
  bool good = result.offset == DYNAMIC || result.offset == want.offset;
  for (u32 i = 0; i < to->rank; i++) {
    want.shape[i] = slice.sizes->ints[i];
    want.strides[i] = slice.strides->ints[i];
    good = good && (result.shape[i] == DYNAMIC || result.shape[i] == want.shape[i]) &&
           (result.strides[i] == DYNAMIC || result.strides[i] == want.strides[i]);
  }
  if (!good) mismatch(v, op, &want);
}

/* ---- collapse_shape, expand_shape ------------------------------------------------------------ */

static bool is_group(const Attr *group, u32 *next_dim) {
  if (group->kind != ATTR_ARRAY || !group->n) return false;
  for (u32 i = 0; i < group->n; i++)
    if (group->elems[i]->kind != ATTR_INT || group->elems[i]->i != *next_dim + (i64)i) return false;
  *next_dim += group->n;
  return true;
}

/* The reassociation: for each dimension of `small` a group of those of `large`, all in order. */
static const Attr *need_groups(Verifier *v, const Op *op, const Type *small, const Type *large) {
  const Attr *list = need_attr(v, op, "reassociation", ATTR_ARRAY, "[[0, 1], [2], ...]");
  if (!list) return NULL;
  u32 dims = 0;
  bool good = list->n == small->rank;
  for (u32 i = 0; good && i < list->n; i++) good = is_group(list->elems[i], &dims);
  if (small->rank == 0 && good) {
    dims = large->rank;
    for (u32 i = 0; i < large->rank; i++) good = good && large->shape[i] == 1;
  }
  if (good && dims == large->rank) return list;
  diag(v->ctx, op->loc, COMP_MEMREF_VIEW,
       "%s: the groups must name the %u dimensions of %s, in order, in %u group%s", op_name(op),
       large->rank, type_text(v, large), small->rank, plural(small->rank));
  return NULL;
}

/* Checks that each extent of `small` is the product of its group's: known if all are known. */
static bool extents_fit(Verifier *v, const Op *op, const Attr *list, const Type *small,
                        const Type *large) {
  for (u32 i = 0, dim = 0; i < list->n; i++) {
    i64 product = 1;
    for (u32 k = 0; k < list->elems[i]->n; k++) product = known_times(product, large->shape[dim++]);
    if (product == small->shape[i]) continue;
    diag(v->ctx, op->loc, COMP_MEMREF_VIEW,
         "%s: dimension %u of %s is not the product of its group in %s", op_name(op), i,
         type_text(v, small), type_text(v, large));
    return false;
  }
  return true;
}

/* True if the dimensions [first, first + n) are contiguous in memory, as far as is known. */
static bool contiguous(const View *from, u32 first, u32 n, i64 stride) {
  for (u32 i = first + n; i-- > first + 1;) {
    stride = known_times(stride, from->shape[i]);
    if (from->shape[i - 1] != 1 && !fits_number(stride, from->strides[i - 1])) return false;
  }
  return true;
}

void rule_MEMREF_COLLAPSE_SHAPE(Verifier *v, Op *op) {
  const Type *large = type_of(op, 0), *small = type_of_result(op, 0);
  View from, result, want;
  if (!one_memory(v, op)) return;
  const Attr *list = need_groups(v, op, small, large);
  if (!list || !extents_fit(v, op, list, small, large)) return;
  if (!views_of(v, op, small->rank, &from, &result, &want)) return;
  for (u32 i = 0, first = 0; i < list->n; i++) {
    u32 n = list->elems[i]->n, last = first + n - 1;
    while (last > first && from.shape[last] == 1) last--;
    want.shape[i] = small->shape[i];
    want.strides[i] = from.shape[last] != DYNAMIC || last == first ? from.strides[last] : DYNAMIC;
    if (large->layout && !contiguous(&from, first, n, want.strides[i])) {
      diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "%s: group %u of %s is not contiguous in memory",
           op_name(op), i, type_text(v, large));
      return;
    }
    first += n;
  }
  bool plain = !large->layout && !small->layout;
  if (!plain && !same_view(&want, &result)) mismatch(v, op, &want);
}

static bool output_shape_fits(Verifier *v, const Op *op, const Type *large) {
  const Attr *shape = op_attr(op, "static_output_shape");
  if (!shape && op->noperands == 1) return true; /* before LLVM 19 it was not written */
  shape = need_numbers(v, op, "static_output_shape", op->noperands - 1, large->rank, "extents");
  if (!shape) return false;
  for (u32 i = 0; i < large->rank; i++)
    if (shape->ints[i] != large->shape[i]) {
      diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "%s: output_shape and %s differ in dimension %u",
           op_name(op), type_text(v, large), i);
      return false;
    }
  return true;
}

void rule_MEMREF_EXPAND_SHAPE(Verifier *v, Op *op) {
  const Type *small = type_of(op, 0), *large = type_of_result(op, 0);
  View from, result, want;
  if (!one_memory(v, op)) return;
  const Attr *list = need_groups(v, op, small, large);
  if (!list || !extents_fit(v, op, list, small, large) || !output_shape_fits(v, op, large)) return;
  if (!views_of(v, op, large->rank, &from, &result, &want)) return;
  for (u32 i = list->n, dim = large->rank; i-- > 0;) {
    i64 stride = from.strides[i];
    for (u32 k = list->elems[i]->n; k-- > 0;) {
      dim--;
      want.shape[dim] = large->shape[dim];
      want.strides[dim] = stride;
      stride = known_times(stride, large->shape[dim]);
    }
  }
  bool plain = !large->layout && !small->layout;
  if (!plain && !same_view(&want, &result)) mismatch(v, op, &want);
}

/* ---- transpose, view, metadata --------------------------------------------------------------- */

void rule_MEMREF_TRANSPOSE(Verifier *v, Op *op) {
  const Type *source = type_of(op, 0);
  View from, result, want;
  const Attr *attr =
      need_attr(v, op, "permutation", ATTR_AFFINE_MAP, "affine_map<(i, j) -> (j, i)>");
  if (!attr || !one_memory(v, op)) return;
  if (!views_of(v, op, source->rank, &from, &result, &want)) return;
  bool *taken = NEW_ARRAY(v->scratch, bool, (size_t)source->rank + 1);
  bool good = attr->map->ndims == source->rank && attr->map->nresults == source->rank;
  for (u32 i = 0; good && i < source->rank; i++) {
    const AffineExpr *e = attr->map->results[i];
    good = e->kind == AFFINE_DIM && !taken[e->value];
    if (!good) break;
    taken[e->value] = true;
    want.shape[i] = from.shape[e->value];
    want.strides[i] = from.strides[e->value];
  }
  if (!good)
    diag(v->ctx, op->loc, COMP_OP_ATTR,
         "memref.transpose: the map must be a permutation of the %u dimensions", source->rank);
  else if (!same_view(&want, &result))
    mismatch(v, op, &want);
}

/* A typed view of bytes. */
void rule_MEMREF_VIEW(Verifier *v, Op *op) {
  const Type *from = type_of(op, 0), *to = type_of_result(op, 0);
  bool bytes = type_is_memref(from) && from->rank == 1 && !from->layout &&
               is_signless_int(from->elem) && from->elem->width == 8;
  if (!operand_ok(v, op, 0, bytes, COMP_MEMREF_TYPE, "a memref of one dimension of i8") ||
      !result_ok(v, op, 0, type_is_memref(to), COMP_MEMREF_TYPE, "a ranked memref"))
    return;
  u32 dynamic = dynamic_count(to->shape, to->rank);
  if (dynamic != op->noperands - 2)
    diag(v->ctx, op->loc, COMP_MEMREF_SIZES,
         "memref.view: %u sizes for the %u dynamic dimensions of %s", op->noperands - 2, dynamic,
         type_text(v, to));
  if (from->space != to->space)
    diag(v->ctx, op->loc, COMP_MEMREF_VIEW, "memref.view must keep the memory space");
}

/* Base buffer, offset, sizes, strides. */
void rule_MEMREF_EXTRACT_STRIDED_METADATA(Verifier *v, Op *op) {
  const Type *from = type_of(op, 0);
  if (!operand_ok(v, op, 0, type_is_memref(from), COMP_MEMREF_TYPE, "a ranked memref")) return;
  u64 want = 2 + 2 * (u64)from->rank;
  if (op->nresults != want) {
    diag(v->ctx, op->loc, COMP_OP_ARITY, "%s of %s must have %llu results, but got %u", op_name(op),
         type_text(v, from), (unsigned long long)want, op->nresults);
    return;
  }
  const Type *base = type_memref(v->ctx, NULL, 0, from->elem, NULL, from->space);
  result_is(v, op, 0, base, COMP_MEMREF_VIEW, "(the bare buffer)");
}

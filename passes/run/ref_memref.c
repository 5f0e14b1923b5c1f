/* ref_memref.c -- the reference interpreter's memories and views.
 *
 * A memref in a frame is a few slots in a row,
 *
 *     buffer, offset, size of each dimension, stride of each dimension
 *
 * (an unranked one has its rank before the sizes, and room for LAYOUT_MAX_RANK). A view never
 * copies elements: it computes other slots over the same buffer,
 *
 *     subview [2, 0] [3, 4] [1, 2]    offset + 2 * s0 + 0 * s1, sizes 3 4, strides s0, 2 * s1
 *
 * An access checks each index against the size of its dimension, and then the element's number
 * against the buffer, so that even a wrong reinterpret_cast cannot reach outside. Freed buffers
 * stay as headers with no elements, so a use after free fails the same check, and is reported as
 * such.
 *
 * An alloc or alloca gives a fresh memory of zeros each time it is executed. Where the memref does
 * not escape (the decoder decides that), nothing can refer to the buffer of the last execution, so
 * it is cleared and reused: a loop with an alloc in it needs the memory of one iteration. Others
 * live until they are deallocated or the run ends.
 *
 * Cost: an access takes time in the rank of its memref; a copy in its elements.
 */
#include "run/ref_code.h"

/* ---- buffers --------------------------------------------------------------------------------- */

static void put_elements(Buffer *buffer, Array *array) {
  buffer->array = array;
  buffer->data = array_data(array);
  buffer->bytes = (u8)array_elements(array).bytes;
  buffer->n = buffer->size = array_length(array);
}

Buffer *ref_buffer(Ref *r, Array *array, Loc made) {
  Buffer *buffer = mem_alloc(sizeof *buffer);
  put_elements(buffer, array);
  buffer->made = made;
  buffer->next = r->buffers;
  buffer->link = &r->buffers;
  if (buffer->next) buffer->next->link = &buffer->next;
  r->buffers = buffer;
  r->live += buffer->n;
  return buffer;
}

/* A memory of `n` zeros. */
static Array *zeros(const Ref *r, u64 n, const Type *elem) {
  return array_new((size_t)n, element_bytes(type_bits(r->ctx, elem)));
}

/* Frees the elements; the header stays, to report uses after free. */
static void free_elements(Ref *r, Buffer *buffer) {
  array_release(buffer->array);
  buffer->array = NULL;
  buffer->data = NULL;
  buffer->is_own = false;
  r->live -= buffer->size;
  buffer->n = buffer->size = 0;
}

void ref_release(Ref *r, Buffer *buffer) {
  free_elements(r, buffer);
  *buffer->link = buffer->next;
  if (buffer->next) buffer->next->link = buffer->link;
  mem_free(buffer);
}

void ref_buffers_free(Ref *r) {
  while (r->buffers) {
    Buffer *next = r->buffers->next;
    array_release(r->buffers->array);
    mem_free(r->buffers);
    r->buffers = next;
  }
}

/* ---- memrefs in slots ------------------------------------------------------------------------ */

enum { BUFFER, OFFSET, SIZES, UNRANKED_SIZES };

static Buffer *buffer_of(const u64 *slots) {
  return (Buffer *)(uintptr_t)slots[BUFFER];
}

static Buffer *get_view(const Type *type, const u64 *slots, ElementLayout *layout) {
  bool ranked = type->kind == TYPE_MEMREF;
  const u64 *sizes = slots + (ranked ? SIZES : UNRANKED_SIZES);
  *layout = (ElementLayout){.rank = ranked ? type->rank : (u32)slots[SIZES],
                            .offset = (i64)slots[OFFSET]};
  for (u32 d = 0; d < layout->rank; d++) {
    layout->sizes[d] = (i64)sizes[d];
    layout->strides[d] = (i64)sizes[layout->rank + d];
  }
  return buffer_of(slots);
}

void ref_put_view(const Type *type, Buffer *buffer, const ElementLayout *layout, u64 *slots) {
  bool ranked = type->kind == TYPE_MEMREF;
  u64 *sizes = slots + (ranked ? SIZES : UNRANKED_SIZES);
  slots[BUFFER] = (u64)(uintptr_t)buffer;
  slots[OFFSET] = (u64)layout->offset;
  if (!ranked) slots[SIZES] = layout->rank;
  for (u32 d = 0; d < layout->rank; d++) {
    sizes[d] = (u64)layout->sizes[d];
    sizes[layout->rank + d] = (u64)layout->strides[d];
  }
}

static const Type *operand_type(const Step *step, u32 i) {
  return op_operand(step->op, i)->type;
}

static i64 index_operand(const Ref *r, const Step *step, u32 i, const u64 *frame) {
  return eval_signed(frame[step->in[i]], r->ctx->index_width);
}

/* Arguments of a function have a name even where the text gives none. */
static bool has_name(const Value *value) {
  return value->name || (value->is_arg && value_block(value)->region->parent->kind == OP_FUNC_FUNC);
}

static const char *name_of(Context *ctx, const Value *value) {
  if (value->name) return value->name->text;
  return has_name(value) ? arg_shown_name(ctx, value) : "the memref";
}

static const char *percent(const Value *value) {
  return has_name(value) ? "%" : "";
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Reports why an access has no element: freed, or out of bounds. */
static bool bad_access(Ref *r, const Step *step, const u64 *frame, u32 memref, u32 rank) {
  const Value *value = op_operand(step->op, memref);
  const u64 *slots = frame + step->in[memref];
  const Buffer *buffer = buffer_of(slots);
  if (buffer->freed) {
    ref_trap(r, step, frame, RT_FREED, "%s%s is used after it was freed", percent(value),
             name_of(r->ctx, value));
    if (buffer->freed_at) diag_note(r->ctx, buffer->freed_at, "it was freed here");
    return false;
  }
  Buf at = {0};
  for (u32 d = 0; d < rank; d++)
    buf_printf(&at, "%s%lld", d ? ", " : "",
               (long long)index_operand(r, step, memref + 1 + d, frame));
  u32 wrong = 0;
  while (wrong < rank && frame[step->in[memref + 1 + wrong]] < slots[SIZES + wrong]) wrong++;
  if (wrong < rank)
    ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
             "%s%s[%s] is out of bounds: dimension %u has %llu element%s", percent(value),
             name_of(r->ctx, value), at.data, wrong, (unsigned long long)slots[SIZES + wrong],
             plural(slots[SIZES + wrong]));
  else
    ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
             "%s%s[%s] is out of bounds: the memory of the view has %llu elements", percent(value),
             name_of(r->ctx, value), at.data ? at.data : "", (unsigned long long)buffer->n);
  buf_free(&at);
  return false;
}

/* The number of the element that the access's indices name; false where there is none. Indices are
 * zero-extended, so a negative index is larger than any size. */
static inline bool element(const Step *step, const u64 *frame, u32 memref, u32 rank, u64 *number) {
  const u64 *slots = frame + step->in[memref], *strides = slots + SIZES + rank;
  const u32 *indices = step->in + memref + 1;
  u64 at = slots[OFFSET];
  for (u32 d = 0; d < rank; d++) {
    u64 index = frame[indices[d]];
    if (index >= slots[SIZES + d]) return false;
    at += index * strides[d];
  }
  *number = at;
  return at < buffer_of(slots)->n;
}

static inline void record(Ref *r, const Step *step, u32 which, u64 address, u64 value) {
  if (!r->accesses) return;
  RunAccess *access = &r->accesses[r->first_access + step->number + which];
  history_access(&access->history, address, access->address_bytes, value, access->value_bytes);
}

static inline u64 get(const Buffer *buffer, u64 at) {
  return element_get(buffer->data, buffer->bytes, at);
}

/* At the first store: makes the elements the run's own (copy on write). */
static void make_own(Buffer *buffer) {
  buffer->array = array_own(buffer->array);
  buffer->data = array_data(buffer->array);
  buffer->is_own = true;
}

static inline void put(Buffer *buffer, u64 at, u64 value) {
  if (!buffer->is_own) make_own(buffer);
  element_put(buffer->data, buffer->bytes, at, value);
}

bool ref_load(Ref *r, const Step *step, u64 *frame) {
  u64 at;
  if (!element(step, frame, 0, step->access.rank, &at))
    return bad_access(r, step, frame, 0, step->access.rank);
  u64 value = get(buffer_of(frame + step->in[0]), at);
  frame[step->out] = value;
  r->result->loads++;
  record(r, step, 0, at, value);
  return true;
}

bool ref_store(Ref *r, const Step *step, u64 *frame) {
  u64 at;
  if (!element(step, frame, 1, step->access.rank, &at))
    return bad_access(r, step, frame, 1, step->access.rank);
  u64 value = frame[step->in[0]];
  put(buffer_of(frame + step->in[1]), at, value);
  r->result->stores++;
  record(r, step, 0, at, value);
  return true;
}

/* False, after a trap, where a linear access is out of bounds: its index is the number of the
 * element in the buffer. */
static bool has_element(Ref *r, const Step *step, const u64 *frame, u32 memref) {
  const Buffer *buffer = buffer_of(frame + step->in[memref]);
  if (frame[step->in[memref + 1]] < buffer->n) return true;
  const Value *value = op_operand(step->op, memref);
  return ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
                  "element %lld is out of bounds: the memory of %s%s has %llu",
                  (long long)index_operand(r, step, memref + 1, frame), percent(value),
                  name_of(r->ctx, value), (unsigned long long)buffer->n);
}

bool ref_load_linear(Ref *r, const Step *step, u64 *frame) {
  if (!has_element(r, step, frame, 0)) return false;
  u64 number = frame[step->in[1]], value = get(buffer_of(frame + step->in[0]), number);
  frame[step->out] = value;
  r->result->loads++;
  record(r, step, 0, number, value);
  return true;
}

bool ref_store_linear(Ref *r, const Step *step, u64 *frame) {
  if (!has_element(r, step, frame, 1)) return false;
  u64 value = frame[step->in[0]], number = frame[step->in[2]];
  put(buffer_of(frame + step->in[1]), number, value);
  r->result->stores++;
  record(r, step, 0, number, value);
  return true;
}

/* One element after the other in row-major order, each loaded and stored. */
bool ref_copy(Ref *r, const Step *step, u64 *frame) {
  ElementLayout from, to;
  Buffer *source = get_view(operand_type(step, 0), frame + step->in[0], &from);
  Buffer *target = get_view(operand_type(step, 1), frame + step->in[1], &to);
  if (source->freed || target->freed)
    return ref_trap(r, step, frame, RT_FREED, "the %s of the copy is used after it was freed",
                    source->freed ? "source" : "target");
  bool same = from.rank == to.rank;
  for (u32 d = 0; same && d < from.rank; d++) same = from.sizes[d] == to.sizes[d];
  if (!same)
    return ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
                    "the source and the target of the copy do not have the same shape");
  i64 at[LAYOUT_MAX_RANK] = {0};
  if (layout_is_empty(&from)) return true;
  do {
    if (++r->steps >= r->check_at && !ref_within_limits(r, step->op)) return false;
    u64 a = (u64)layout_at(&from, at), b = (u64)layout_at(&to, at);
    if (a >= source->n || b >= target->n)
      return ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
                      "the %s of the copy is out of bounds of its memory",
                      a >= source->n ? "source" : "target");
    u64 value = get(source, a);
    put(target, b, value);
    record(r, step, 0, a, value);
    record(r, step, 1, b, value);
    r->result->loads++;
    r->result->stores++;
  } while (layout_next(&from, at));
  return true;
}

/* ---- memories -------------------------------------------------------------------------------- */

/* A buffer of zeros for an alloc: the one of its last execution if that can be reused, else a new
 * one. */
static Buffer *fresh(Ref *r, const Step *step, u64 n, u64 *frame) {
  const Type *elem = step->op->results[0].type->elem;
  Buffer *last = step->local.slot ? (Buffer *)(uintptr_t)frame[step->local.slot] : NULL;
  if (last && last->size == n && last->data) {
    memset(last->data, 0, n * last->bytes);
    last->n = n;
    last->freed = false;
    return last;
  }
  if (last && last->data) free_elements(r, last);
  Buffer *buffer;
  if (last) {
    buffer = last;
    put_elements(buffer, zeros(r, n, elem));
    buffer->freed = false;
    r->live += n;
  } else {
    buffer = ref_buffer(r, zeros(r, n, elem), step->op->loc);
  }
  if (step->local.slot) frame[step->local.slot] = (u64)(uintptr_t)buffer;
  return buffer;
}

bool ref_alloc(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  i64 sizes[LAYOUT_MAX_RANK];
  u32 next = 0;
  for (u32 d = 0; d < type->rank; d++) {
    sizes[d] = type->shape[d] == DYNAMIC ? index_operand(r, step, next++, frame) : type->shape[d];
    if (sizes[d] < 0)
      return ref_trap(r, step, frame, RT_ALLOC_SIZE, "dimension %u would have %lld elements", d,
                      (long long)sizes[d]);
  }
  ElementLayout layout;
  if (!layout_of(type, sizes, &layout) || (u64)layout.elements > (u64)LAYOUT_MAX_ELEMENTS - r->live)
    return ref_trap(r, step, frame, RT_ALLOC_SIZE,
                    "more than %lld elements would be allocated at one time",
                    (long long)LAYOUT_MAX_ELEMENTS);
  Buffer *buffer = fresh(r, step, (u64)layout.elements, frame);
  ref_put_view(type, buffer, &layout, frame + step->out);
  return true;
}

bool ref_dealloc(Ref *r, const Step *step, u64 *frame) {
  Buffer *buffer = buffer_of(frame + step->in[0]);
  if (buffer->freed) {
    ref_trap(r, step, frame, RT_FREED, "this memref is freed twice");
    if (buffer->freed_at) diag_note(r->ctx, buffer->freed_at, "it was freed here");
    return false;
  }
  /* `n` makes every access fail; only an alloc's elements are freed: those of an argument are read
     at the end of the run */
  buffer->n = 0;
  buffer->freed = true;
  buffer->freed_at = step->op->loc;
  bool owned = buffer->made != LOC_NONE;
  if (owned) free_elements(r, buffer);
  return true;
}

Buffer *ref_global(Ref *r, const Op *global, ElementLayout *layout) {
  const Attr *type_attr = op_attr(global, "type"), *value = op_attr(global, "initial_value");
  const Type *type = type_attr ? type_attr->type : NULL;
  if (!type || type->kind != TYPE_MEMREF || !layout_of(type, type->shape, layout)) return NULL;
  u64 known;
  if (map_get(&r->globals, PTR_KEY(global), &known)) return (Buffer *)(uintptr_t)known;
  if ((u64)layout->elements > (u64)LAYOUT_MAX_ELEMENTS - r->live) return NULL;
  Buffer *buffer = ref_buffer(r, zeros(r, (u64)layout->elements, type->elem), LOC_NONE);
  map_put(&r->globals, PTR_KEY(global), PTR_KEY(buffer));
  if (!value || value->kind != ATTR_DENSE || layout_is_empty(layout)) return buffer;
  i64 at[LAYOUT_MAX_RANK] = {0};
  u32 i = 0;
  u64 mask = eval_mask(type_bits(r->ctx, type->elem)); /* an index literal may have 64 bits */
  do {
    put(buffer, (u64)layout_at(layout, at), value->data[value->splat ? 0 : i] & mask);
    i++;
  } while (layout_next(layout, at) && (value->splat || i < value->n));
  return buffer;
}

/* ---- questions ------------------------------------------------------------------------------- */

bool ref_dim(Ref *r, const Step *step, u64 *frame) {
  ElementLayout layout;
  get_view(operand_type(step, 0), frame + step->in[0], &layout);
  u64 d = frame[step->in[1]];
  if (d >= layout.rank)
    return ref_trap(r, step, frame, RT_OUT_OF_BOUNDS,
                    "dimension %lld is out of range: the memref has rank %u",
                    (long long)index_operand(r, step, 1, frame), layout.rank);
  frame[step->out] = (u64)layout.sizes[d] & eval_mask(r->ctx->index_width);
  return true;
}

bool ref_rank(Ref *r, const Step *step, u64 *frame) {
  (void)r;
  ElementLayout layout;
  get_view(operand_type(step, 0), frame + step->in[0], &layout);
  frame[step->out] = layout.rank;
  return true;
}

bool ref_extract_strided_metadata(Ref *r, const Step *step, u64 *frame) {
  ElementLayout layout, base = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &layout);
  const Type *type = step->op->results[0].type;
  u64 mask = eval_mask(r->ctx->index_width), *out = frame + step->out;
  ref_put_view(type, buffer, &base, out);
  out += SIZES; /* of a memref of rank 0 */
  *out++ = (u64)layout.offset & mask;
  for (u32 d = 0; d < layout.rank; d++) *out++ = (u64)layout.sizes[d] & mask;
  for (u32 d = 0; d < layout.rank; d++) *out++ = (u64)layout.strides[d] & mask;
  return true;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* A reinterpret_cast may state any offset and strides, and only an access can be wrong: arithmetic
 * on them wraps. */
static i64 wrap_mul(i64 a, i64 b) {
  return (i64)((u64)a * (u64)b);
}
static i64 wrap_add(i64 a, i64 b) {
  return (i64)((u64)a + (u64)b);
}

PRINTF_LIKE(4, 5)
static bool bad_view(Ref *r, const Step *step, const u64 *frame, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = str_vprintf(r->ctx, format, args)->text;
  va_end(args);
  ref_trap(r, step, frame, RT_VIEW, "%s", text);
  return false;
}

/* The sizes, offset and strides that the result type states must be the memref's. */
bool ref_cast(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  ElementLayout layout;
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &layout);
  if (type->kind == TYPE_MEMREF && type->rank != layout.rank)
    return bad_view(r, step, frame, "the memref has rank %u, not %u", layout.rank, type->rank);
  for (u32 d = 0; type->kind == TYPE_MEMREF && d < type->rank; d++)
    if (type->shape[d] != DYNAMIC && type->shape[d] != layout.sizes[d])
      return bad_view(r, step, frame, "dimension %u has %lld elements, not %lld", d,
                      (long long)layout.sizes[d], (long long)type->shape[d]);
  const Attr *strided = type->layout && type->layout->kind == ATTR_STRIDED ? type->layout : NULL;
  bool same = !strided || strided->ints[0] == DYNAMIC || strided->ints[0] == layout.offset;
  for (u32 d = 0; strided && d < layout.rank; d++)
    same &= strided->ints[d + 1] == DYNAMIC || layout.sizes[d] <= 1 ||
            strided->ints[d + 1] == layout.strides[d];
  if (!same)
    return bad_view(r, step, frame, "the memref has a different offset or different strides");
  ref_put_view(type, buffer, &layout, frame + step->out);
  return true;
}

/* Offsets, sizes or strides of a view: the static list, a DYNAMIC in it standing for the next
 * operand. Returns how many there are. */
static u32 mixed(const Ref *r, const Step *step, const char *attr, u32 *operand, const u64 *frame,
                 i64 *values) {
  const Attr *list = op_attr(step->op, attr);
  u32 n = list && list->n <= LAYOUT_MAX_RANK ? list->n : 0;
  for (u32 i = 0; i < n; i++)
    values[i] =
        list->ints[i] != DYNAMIC ? list->ints[i] : index_operand(r, step, (*operand)++, frame);
  return n;
}

/* Drops dimensions of static size 1 until the shape is the type's (rank-reducing subview). Which
 * of several such dimensions is dropped does not matter: the only index any of them takes is 0. */
static void reduce_rank(const Type *type, const Attr *static_sizes, ElementLayout *layout) {
  u32 kept = 0;
  for (u32 d = 0; d < layout->rank; d++) {
    u32 left = layout->rank - d, wanted = type->rank - kept;
    bool is_one = static_sizes->ints[d] == 1;
    bool matches = wanted && (type->shape[kept] == static_sizes->ints[d] ||
                              (type->shape[kept] == DYNAMIC && !is_one));
    if (!matches && is_one && left > wanted) continue;
    layout->sizes[kept] = layout->sizes[d];
    layout->strides[kept++] = layout->strides[d];
  }
  layout->rank = kept;
}

bool ref_subview(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  ElementLayout source, view = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &source);
  i64 offsets[LAYOUT_MAX_RANK], strides[LAYOUT_MAX_RANK];
  u32 operand = 1;
  mixed(r, step, "static_offsets", &operand, frame, offsets);
  view.rank = mixed(r, step, "static_sizes", &operand, frame, view.sizes);
  mixed(r, step, "static_strides", &operand, frame, strides);
  view.offset = source.offset;
  for (u32 d = 0; d < view.rank; d++) {
    i64 last;
    if (view.sizes[d] < 0)
      return bad_view(r, step, frame, "dimension %u would have %lld elements", d,
                      (long long)view.sizes[d]);
    bool outside = __builtin_mul_overflow(view.sizes[d] - 1, strides[d], &last) ||
                   __builtin_add_overflow(last, offsets[d], &last) ||
                   (view.sizes[d] && (offsets[d] < 0 || offsets[d] >= source.sizes[d] || last < 0 ||
                                      last >= source.sizes[d]));
    if (outside)
      return bad_view(
          r, step, frame,
          "%lld elements from %lld in steps of %lld exceed dimension %u, which has %lld",
          (long long)view.sizes[d], (long long)offsets[d], (long long)strides[d], d,
          (long long)source.sizes[d]);
    view.offset = wrap_add(view.offset, wrap_mul(offsets[d], source.strides[d]));
    view.strides[d] = wrap_mul(strides[d], source.strides[d]);
  }
  if (type->rank < view.rank) reduce_rank(type, op_attr(step->op, "static_sizes"), &view);
  ref_put_view(type, buffer, &view, frame + step->out);
  return true;
}

/* Its offset, sizes and strides are relative to the buffer, not to the source's view. */
bool ref_reinterpret_cast(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  ElementLayout source, view = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &source);
  u32 operand = 1;
  mixed(r, step, "static_offsets", &operand, frame, &view.offset);
  view.rank = mixed(r, step, "static_sizes", &operand, frame, view.sizes);
  mixed(r, step, "static_strides", &operand, frame, view.strides);
  for (u32 d = 0; d < view.rank; d++)
    if (view.sizes[d] < 0)
      return bad_view(r, step, frame, "dimension %u would have %lld elements", d,
                      (long long)view.sizes[d]);
  ref_put_view(type, buffer, &view, frame + step->out);
  return true;
}

/* The k-th group of a reassociation: first dimension and how many. */
static u32 group_of(const Op *op, u32 k, u32 *first) {
  const Attr *groups = op_attr(op, "reassociation");
  if (!groups || groups->kind != ATTR_ARRAY || k >= groups->n) return 0;
  const Attr *group = groups->elems[k];
  if (group->kind != ATTR_ARRAY || group->n == 0) return 0;
  *first = (u32)group->elems[0]->i;
  return group->n;
}

bool ref_collapse_shape(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  ElementLayout source, view = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &source);
  view.rank = type->rank;
  view.offset = source.offset;
  for (u32 k = 0; k < view.rank; k++) {
    u32 first = 0, n = group_of(step->op, k, &first);
    view.sizes[k] = view.strides[k] = 1;
    bool seen = false; /* a dimension with more than one element */
    for (u32 d = first + n; d-- > first;) {
      if (source.sizes[d] != 1 && seen && view.sizes[k] != 0 &&
          source.strides[d] != wrap_mul(view.strides[k], view.sizes[k]))
        return bad_view(r, step, frame, "dimensions %u and %u are not contiguous", d, d + 1);
      if (!seen) view.strides[k] = source.strides[d];
      seen |= source.sizes[d] != 1;
      view.sizes[k] = wrap_mul(view.sizes[k], source.sizes[d]);
    }
  }
  ref_put_view(type, buffer, &view, frame + step->out);
  return true;
}

/* A dynamic size is given by an operand; up to LLVM 18 there is none, and it is inferred. */
bool ref_expand_shape(Ref *r, const Step *step, u64 *frame) {
  const Type *type = step->op->results[0].type;
  ElementLayout source, view = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &source);
  view.rank = type->rank;
  view.offset = source.offset;
  u32 operand = 1;
  for (u32 d = 0; d < view.rank; d++) {
    bool is_given = type->shape[d] == DYNAMIC && operand < step->op->noperands;
    view.sizes[d] = is_given ? index_operand(r, step, operand++, frame) : type->shape[d];
    view.strides[d] = 1;
    if (is_given && view.sizes[d] < 0)
      return bad_view(r, step, frame, "dimension %u would have %lld elements", d,
                      (long long)view.sizes[d]);
  }
  for (u32 k = 0; k < source.rank; k++) {
    u32 first = 0, n = group_of(step->op, k, &first);
    i64 known = 1, stride = source.strides[k]; /* known: -1 after an overflow */
    for (u32 d = first; d < first + n; d++)
      if (view.sizes[d] >= 0 && __builtin_mul_overflow(known, view.sizes[d], &known)) known = -1;
    for (u32 d = first; d < first + n; d++) {
      if (view.sizes[d] >= 0) continue;
      view.sizes[d] = known > 0 ? source.sizes[k] / known : 0; /* beside a 0 any size would do */
      if (known > 0) known *= view.sizes[d];
    }
    if (known != source.sizes[k])
      return bad_view(r, step, frame, "dimension %u has %lld elements, but its expansion has %lld",
                      k, (long long)source.sizes[k], (long long)known);
    for (u32 d = first + n; d-- > first;) {
      view.strides[d] = stride;
      stride = wrap_mul(stride, view.sizes[d]);
    }
  }
  ref_put_view(type, buffer, &view, frame + step->out);
  return true;
}

bool ref_transpose(Ref *r, const Step *step, u64 *frame) {
  (void)r;
  const Type *type = step->op->results[0].type;
  const AffineMap *map = op_attr(step->op, "permutation")->map;
  ElementLayout source, view = {0};
  Buffer *buffer = get_view(operand_type(step, 0), frame + step->in[0], &source);
  view.rank = source.rank;
  view.offset = source.offset;
  for (u32 d = 0; d < view.rank; d++) {
    view.sizes[d] = source.sizes[map->results[d]->value];
    view.strides[d] = source.strides[map->results[d]->value];
  }
  ref_put_view(type, buffer, &view, frame + step->out);
  return true;
}

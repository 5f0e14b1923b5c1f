/* random_memory.c -- the memory half of the random program generator: declaring memories, looking
 * at parts of them, and indexing them in bounds.
 *
 * The forms of an index matter more than anything else here, since the lowering tells apart what
 * an affine test can prove disjoint from what it cannot. So where loop variables of known range
 * are in scope, an index is mostly one of
 *
 *     a[i]   a[i + c]   a[c - i]   a[2 * i + c]   a[i * N + j]
 *
 * with constants chosen so that it stays inside; otherwise any number at all, brought inside by
 * remui, andi or a clamp, or a constant.
 *
 * A local memory is written all over before anything else sees it: MLIR leaves its contents
 * undefined. Views (subview, cast, reinterpret_cast, collapse_shape, expand_shape, transpose) share their root
 * with what they look at; the type of the result is computed by the same rules as MLIR's.
 */
#include "random_gen.h"

/* ---- shapes and types ---------------------------------------------------------------------- */

static void append_number(char out[LINE], i64 n) {
  if (n == DYNAMIC_LAYOUT)
    append(out, "?");
  else
    append(out, "%lld", (long long)n);
}

void mem_type(const Mem *m, char out[LINE]) {
  out[0] = 0;
  append(out, "memref<");
  for (unsigned i = 0; i < m->rank; i++) {
    append_number(out, m->dynamic[i] ? DYNAMIC_LAYOUT : m->extent[i]);
    append(out, "x");
  }
  append(out, "%s", m->elem->name);
  if (m->strided) {
    append(out, ", strided<[");
    for (unsigned i = 0; i < m->rank; i++) {
      if (i) append(out, ", ");
      append_number(out, m->stride[i]);
    }
    append(out, "]");
    if (m->offset) {
      append(out, ", offset: ");
      append_number(out, m->offset);
    }
    append(out, ">");
  }
  append(out, ">");
}

i64 mem_elements(const Mem *m) {
  i64 n = 1;
  for (unsigned i = 0; i < m->rank; i++) n *= m->extent[i];
  return n;
}

Mem random_mem(Gen *g) {
  static const u8 extents[] = {1, 4, 5, 8, 8, 12, 16};
  unsigned form = below(g, 100);
  Mem m = {.elem = random_scalar(g), .root = ++g->next_root};
  m.rank = form < 62 ? 1 : form < 92 ? 2 : form < 97 ? 3 : 0;
  for (unsigned i = 0; i < m.rank; i++)
    m.extent[i] = m.rank == 1 ? extents[below(g, COUNT_OF(extents))] : between(g, 2, 7 - m.rank);
  if (m.rank == 2 && chance(g, 40)) m.extent[0] = m.extent[1] = 4;
  return m;
}

void dense_literal(Gen *g, const Mem *m, Buf *mlir, Buf *json) {
  i64 n = mem_elements(m);
  buf_str(mlir, "dense<");
  for (i64 e = 0; e < n; e++) {
    i64 inner = 1;
    for (unsigned i = m->rank; i-- > 0;) {
      inner *= m->extent[i];
      if (e % inner == 0) buf_char(mlir, '[');
    }
    random_literal(g, m->elem, mlir, json);
    inner = 1;
    for (unsigned i = m->rank; i-- > 0;) {
      inner *= m->extent[i];
      if ((e + 1) % inner == 0) buf_char(mlir, ']');
    }
    if (e + 1 < n) buf_str(mlir, ", ");
    if (e + 1 < n && json) buf_str(json, ", ");
  }
  buf_str(mlir, ">");
}

/* Fills in the strides of a memref of the identity layout. */
static Mem with_strides(Mem m) {
  if (m.strided) return m;
  i64 stride = 1;
  m.offset = 0;
  for (unsigned i = m.rank; i-- > 0;) {
    m.stride[i] = stride;
    if (stride != DYNAMIC_LAYOUT) stride = m.dynamic[i] ? DYNAMIC_LAYOUT : stride * m.extent[i];
  }
  return m;
}

/* ---- indices ------------------------------------------------------------------------------- */

static const Scalar *index_type(void) {
  return scalar_named("index");
}

static Val plus_constant(Gen *g, Val v, i64 c) {
  if (c == 0) return v;
  if (c < 0 && chance(g, 50))
    return binary(g, "arith.subi", v.type, v, constant_int(g, v.type, -c));
  Val constant = constant_int(g, v.type, c);
  return binary(g, "arith.addi", v.type, v, constant);
}

/* Moves v into [0, extent) by some constant where its range is small enough. */
static bool shifted(Gen *g, Val v, i64 extent, Val *out) {
  i64 least = -v.lo, most = extent - 1 - v.hi;
  if (least > most) return false;
  *out =
      plus_constant(g, v, chance(g, 40) && least <= 0 && most >= 0 ? 0 : between(g, least, most));
  return true;
}

static bool row_major(Gen *g, i64 extent, Val *out) {
  i64 n = between(g, 2, 5);
  Val u, v;
  if (!choose_within(g, index_type(), 0, extent / n - 1, &u)) return false;
  if (!choose_within(g, index_type(), 0, n - 1, &v)) return false;
  u = binary(g, "arith.muli", u.type, u, constant_int(g, u.type, n));
  *out = binary(g, "arith.addi", u.type, u, v);
  return true;
}

static bool affine_index(Gen *g, i64 extent, Val *out) {
  const Scalar *t = index_type();
  Val v;
  i64 k = between(g, 2, 3);
  switch (below(g, 6)) {
  case 0:
  case 1: return choose_within(g, t, 0, extent - 1, out);
  case 2:
    if (!choose_within(g, t, -8, extent + 7, &v)) return false;
    return shifted(g, v, extent, out);
  case 3:
    if (!choose_within(g, t, 0, (extent - 1) / k, &v)) return false;
    return shifted(g, binary(g, "arith.muli", t, v, constant_int(g, t, k)), extent, out);
  case 4: return row_major(g, extent, out);
  default:
    if (!choose_within(g, t, 0, extent - 1, &v)) return false;
    *out = binary(g, "arith.subi", t, constant_int(g, t, between(g, v.hi, extent - 1 + v.lo)), v);
    return true;
  }
}

Val index_below(Gen *g, i64 extent) {
  Val v;
  for (unsigned i = 0; i < 3; i++)
    if (chance(g, 80) && affine_index(g, extent, &v)) return v;
  if (extent == 1) return constant_int(g, index_type(), 0);
  return small_value(g, index_type(), extent - 1, false);
}

/* ---- loads and stores ---------------------------------------------------------------------- */

static bool is_usable(const Gen *g, const Mem *m, bool writable) {
  return (!g->hidden_root || m->root != g->hidden_root) &&
         !(writable && (m->read_only || g->no_effects));
}

bool choose_mem(Gen *g, bool writable, Mem *chosen) {
  unsigned n = 0;
  for (size_t i = 0; i < g->mems.len; i++) n += is_usable(g, &g->mems.at[i], writable);
  if (!n) return false;
  unsigned pick = below(g, n);
  for (size_t i = 0;; i++)
    if (is_usable(g, &g->mems.at[i], writable) && pick-- == 0) {
      *chosen = g->mems.at[i];
      return true;
    }
}

static bool choose_mem_of(Gen *g, const Scalar *elem, Mem *chosen) {
  for (unsigned tries = 0; tries < 4; tries++)
    if (choose_mem(g, false, chosen) && chosen->elem == elem) return true;
  return false;
}

static void random_indices(Gen *g, const Mem *m, Val indices[MAX_RANK]) {
  for (unsigned i = 0; i < m->rank; i++)
    indices[i] = m->literals ? constant_int(g, index_type(), below(g, (unsigned)m->extent[i]))
                             : index_below(g, m->extent[i]);
}

/* "[%i, %j] : memref<...>" */
static void append_access(const Mem *m, const Val *indices, char out[LINE]) {
  char type[LINE];
  mem_type(m, type);
  out[0] = 0;
  append(out, "[");
  for (unsigned i = 0; i < m->rank; i++) append(out, "%s%s", i ? ", " : "", indices[i].name);
  append(out, "] : %s", type);
}

static Val load_at(Gen *g, const Mem *m, const Val *indices) {
  Val v = new_value(g, "x", m->elem);
  char access[LINE];
  append_access(m, indices, access);
  say(g, "%s = memref.load %s%s", v.name, m->name, access);
  return remember(g, v);
}

bool load_value(Gen *g, const Scalar *t, Val *v) {
  Mem m;
  Val indices[MAX_RANK];
  if (!choose_mem_of(g, t, &m)) return false;
  random_indices(g, &m, indices);
  *v = load_at(g, &m, indices);
  return true;
}

void store_at(Gen *g, const Mem *m, const Val *indices, Val value) {
  char access[LINE];
  append_access(m, indices, access);
  say(g, "memref.store %s, %s%s", value.name, m->name, access);
}

void store_statement(Gen *g) {
  Mem m;
  Val indices[MAX_RANK];
  if (!choose_mem(g, true, &m)) return;
  random_indices(g, &m, indices);
  store_at(g, &m, indices, any_value(g, m.elem));
}

/* m[i] = m[i] op x, or the same a little further on: what kernels do most. */
void update_statement(Gen *g) {
  static const char *const ints[] = {"arith.addi", "arith.xori", "arith.maxsi", "arith.muli"};
  Mem m;
  Val indices[MAX_RANK];
  if (!choose_mem(g, true, &m)) return;
  random_indices(g, &m, indices);
  Val other = any_value(g, m.elem), old = load_at(g, &m, indices);
  const char *op = m.elem->kind == 'f' ? "arith.addf" : ints[below(g, 4)];
  Val value = binary(g, op, m.elem, old, other);
  if (chance(g, 30)) random_indices(g, &m, indices);
  store_at(g, &m, indices, value);
}

static void store_sometimes(Gen *g, const Mem *m, Val indices[2][MAX_RANK]) {
  Scope s = enter(g, 1);
  for (unsigned n = below(g, 3); n > 0; n--)
    store_at(g, m, indices[below(g, 2)], any_value(g, m->elem));
  if (chance(g, 20)) statements(g, 1, 1);
  for (unsigned n = below(g, 2); n > 0; n--)
    store_at(g, m, indices[below(g, 2)], any_value(g, m->elem));
  free_locals(g, s.mems);
  leave(g, s);
}

/* Two elements, which may be one, are looked at, and are then stored, or one of them is, or none: what
 * sorting does, or a maximum. */
void exchange_statement(Gen *g) {
  Mem m;
  Val indices[2][MAX_RANK], was[2], cond;
  if (!choose_mem(g, true, &m)) return;
  for (unsigned e = 0; e < 2; e++) {
    random_indices(g, &m, indices[e]);
    was[e] = load_at(g, &m, indices[e]);
  }
  cond = any_value(g, scalar_named("i1"));
  if (m.elem->kind != 'f' && chance(g, 70)) {
    cond = remember(g, new_value(g, "p", scalar_named("i1")));
    say(g, "%s = arith.cmpi slt, %s, %s : %s", cond.name, was[0].name, was[1].name, m.elem->name);
  }
  say(g, "scf.if %s {", cond.name);
  store_sometimes(g, &m, indices);
  if (chance(g, 50)) {
    say(g, "} else {");
    store_sometimes(g, &m, indices);
  }
  say(g, "}");
}

/* if (i < extent) m[i] else some other value: what must not be done where the branch is not
 * taken. */
void guarded_load_statement(Gen *g) {
  Mem m;
  char access[LINE];
  if (!choose_mem(g, false, &m) || m.rank != 1) return;
  Val i = any_value(g, index_type()), other = any_value(g, m.elem);
  Val end = constant_int(g, index_type(), m.extent[0]);
  Val p = remember(g, new_value(g, "p", scalar_named("i1")));
  Val v = new_value(g, "v", m.elem), x = new_value(g, "x", m.elem);
  append_access(&m, &i, access);
  say(g, "%s = arith.cmpi ult, %s, %s : index", p.name, i.name, end.name);
  say(g, "%s = scf.if %s -> (%s) {", v.name, p.name, m.elem->name);
  say(g, "  %s = memref.load %s%s", x.name, m.name, access);
  say(g, "  scf.yield %s : %s", x.name, m.elem->name);
  say(g, "} else {");
  say(g, "  scf.yield %s : %s", other.name, m.elem->name);
  say(g, "}");
  remember(g, v);
}

/* ---- local memories ------------------------------------------------------------------------ */

/* Writes every element, by loops or one by one. */
static void initialise(Gen *g, const Mem *m) {
  Val indices[MAX_RANK], value = any_value(g, m->elem);
  size_t vals = g->vals.len;
  u64 trips = g->trips;
  if (m->rank == 1 && m->extent[0] <= 5 && (m->literals || chance(g, 50))) {
    for (i64 e = 0; e < m->extent[0]; e++) {
      indices[0] = constant_int(g, index_type(), e);
      store_at(g, m, indices, chance(g, 50) ? value : any_value(g, m->elem));
    }
    return;
  }
  for (unsigned i = 0; i < m->rank; i++) {
    Val zero = constant_int(g, index_type(), 0), one = constant_int(g, index_type(), 1);
    Val end = constant_int(g, index_type(), m->extent[i]);
    indices[i] = with_range(new_value(g, "i", index_type()), 0, m->extent[i] - 1);
    say(g, "scf.for %s = %s to %s step %s {", indices[i].name, zero.name, end.name, one.name);
    remember(g, indices[i]);
    g->indent++;
    g->trips *= (u64)m->extent[i];
  }
  if (chance(g, 50)) value = any_value(g, m->elem);
  store_at(g, m, indices, value);
  for (unsigned i = 0; i < m->rank; i++) {
    g->indent--;
    say(g, "}");
  }
  g->trips = trips;
  g->vals.len = vals;
}

void alloc_statement(Gen *g) {
  char type[LINE];
  Mem m = random_mem(g);
  if (g->no_effects || g->trips * (u64)mem_elements(&m) > 512) return;
  snprintf(m.name, sizeof m.name, "%%m%u", g->next_name++);
  mem_type(&m, type);
  m.heap = chance(g, 50);
  m.literals = chance(g, 30);
  say(g, "%s = memref.alloc%s() : %s", m.name, m.heap ? "" : "a", type);
  initialise(g, &m);
  vec_push(&g->mems, m);
}

void free_locals(Gen *g, size_t first) {
  for (size_t i = first; i < g->mems.len; i++) {
    char type[LINE];
    mem_type(&g->mems.at[i], type);
    if (g->mems.at[i].heap) say(g, "memref.dealloc %s : %s", g->mems.at[i].name, type);
  }
}

/* ---- views --------------------------------------------------------------------------------- */

static void add_view(Gen *g, Mem *view, const Mem *of) {
  view->root = of->root;
  view->read_only = of->read_only;
  view->heap = false;
  vec_push(&g->mems, *view);
}

static void name_view(Gen *g, Mem *view) {
  snprintf(view->name, sizeof view->name, "%%w%u", g->next_name++);
}

/* [o, o][s, s][t, t]: in each dimension a part, or one row that the view leaves out. */
static void subview(Gen *g, const Mem *whole) {
  Mem m = with_strides(*whole), view = m;
  char offsets[LINE] = "", sizes[LINE] = "", strides[LINE] = "";
  char from[LINE], to[LINE];
  unsigned rank = 0;
  view.strided = true;
  for (unsigned i = 0; i < m.rank; i++) {
    const char *comma = i ? ", " : "";
    i64 step = m.extent[i] > 3 && chance(g, 30) ? 2 : 1;
    i64 size = between(g, 1, (m.extent[i] + step - 1) / step);
    bool row = m.rank > 1 && rank + m.rank - i > 1 && chance(g, 40);
    if (row) size = step = 1;
    Val known; /* a size that only the case knows */
    bool opaque = !row && step == 1 && chance(g, 20) &&
                  choose_within(g, index_type(), 1, m.extent[i], &known) && known.lo == known.hi &&
                  !known.literal;
    if (opaque) size = known.lo;
    if (opaque)
      append(sizes, "%s%s", comma, known.name);
    else
      append(sizes, "%s%lld", comma, (long long)size);
    i64 last = m.extent[i] - (size - 1) * step - 1; /* the greatest offset that fits */
    i64 offset = between(g, 0, last);
    i64 stride = m.stride[i];
    if (stride == DYNAMIC_LAYOUT || chance(g, 40)) {
      Val v = index_below(g, last + 1);
      append(offsets, "%s%s", comma, v.name);
      view.offset = DYNAMIC_LAYOUT;
    } else {
      append(offsets, "%s%lld", comma, (long long)offset);
      if (view.offset != DYNAMIC_LAYOUT) view.offset += offset * stride;
    }
    append(strides, "%s%lld", comma, (long long)step);
    if (row) continue;
    view.extent[rank] = size;
    view.dynamic[rank] = opaque;
    view.stride[rank++] = stride == DYNAMIC_LAYOUT ? stride : stride * step;
  }
  view.rank = rank;
  name_view(g, &view);
  mem_type(whole, from);
  mem_type(&view, to);
  say(g, "%s = memref.subview %s[%s] [%s] [%s] : %s to %s", view.name, m.name, offsets, sizes,
      strides, from, to);
  add_view(g, &view, whole);
}

/* Static extents become `?`, or the other way round. */
static void cast_view(Gen *g, const Mem *m) {
  Mem view = *m;
  char from[LINE], to[LINE];
  if (m->strided) return;
  unsigned i = below(g, m->rank);
  view.dynamic[i] = !view.dynamic[i];
  name_view(g, &view);
  mem_type(m, from);
  mem_type(&view, to);
  say(g, "%s = memref.cast %s : %s to %s", view.name, m->name, from, to);
  add_view(g, &view, m);
}

static bool is_static_identity(const Mem *m) {
  for (unsigned i = 0; i < m->rank; i++)
    if (m->dynamic[i]) return false;
  return !m->strided;
}

static void reinterpret_view(Gen *g, const Mem *m) {
  Mem view = *m;
  char from[LINE], to[LINE];
  i64 n = mem_elements(m);
  i64 columns = between(g, 1, 4), rows = n / columns;
  if (!is_static_identity(m) || !rows) return;
  view.strided = true;
  view.rank = 2;
  view.offset = between(g, 0, n - rows * columns);
  view.extent[0] = rows;
  view.extent[1] = columns;
  view.stride[0] = columns;
  view.stride[1] = 1;
  name_view(g, &view);
  mem_type(m, from);
  mem_type(&view, to);
  say(g,
      "%s = memref.reinterpret_cast %s to offset: [%lld], sizes: [%lld, %lld], strides: [%lld, 1] "
      ": %s to %s",
      view.name, m->name, (long long)view.offset, (long long)rows, (long long)columns,
      (long long)columns, from, to);
  add_view(g, &view, m);
}

static void collapse_view(Gen *g, const Mem *m) {
  Mem view = *m;
  char from[LINE], to[LINE];
  if (!is_static_identity(m) || m->rank != 2) return;
  view.rank = 1;
  view.extent[0] = mem_elements(m);
  name_view(g, &view);
  mem_type(m, from);
  mem_type(&view, to);
  say(g, "%s = memref.collapse_shape %s [[0, 1]] : %s into %s", view.name, m->name, from, to);
  add_view(g, &view, m);
}

static void expand_view(Gen *g, const Mem *m) {
  Mem view = *m;
  char from[LINE], to[LINE];
  if (!is_static_identity(m) || m->rank != 1 || m->extent[0] % 4 || g->options->sixteen) return;
  view.rank = 2;
  view.extent[0] = m->extent[0] / 4;
  view.extent[1] = 4;
  name_view(g, &view);
  mem_type(m, from);
  mem_type(&view, to);
  say(g, "%s = memref.expand_shape %s [[0, 1]] output_shape [%lld, 4] : %s into %s", view.name,
      m->name, (long long)view.extent[0], from, to);
  add_view(g, &view, m);
}

static void transpose_view(Gen *g, const Mem *m) {
  if (m->rank != 2 || g->options->sixteen) return;
  Mem of = with_strides(*m), view = of;
  char from[LINE], to[LINE];
  view.strided = true;
  for (unsigned i = 0; i < 2; i++) {
    view.extent[i] = of.extent[1 - i];
    view.dynamic[i] = of.dynamic[1 - i];
    view.stride[i] = of.stride[1 - i];
  }
  name_view(g, &view);
  mem_type(m, from);
  mem_type(&view, to);
  say(g, "%s = memref.transpose %s (d0, d1) -> (d1, d0) : %s to %s", view.name, m->name, from, to);
  add_view(g, &view, m);
}

void view_statement(Gen *g) {
  Mem m;
  if (!choose_mem(g, false, &m) || m.rank == 0) return;
  switch (below(g, 9)) {
  case 0: cast_view(g, &m); return;
  case 1: reinterpret_view(g, &m); return;
  case 2: collapse_view(g, &m); return;
  case 3: expand_view(g, &m); return;
  case 4: transpose_view(g, &m); return;
  default: subview(g, &m); return;
  }
}

/* ---- copies -------------------------------------------------------------------------------- */

static bool same_shape(const Mem *a, const Mem *b) {
  bool same = a->elem == b->elem && a->rank == b->rank && a->root != b->root;
  for (unsigned i = 0; same && i < a->rank; i++) same = a->extent[i] == b->extent[i];
  return same;
}

void copy_statement(Gen *g) {
  Mem to, from;
  char to_type[LINE], from_type[LINE];
  if (!choose_mem(g, true, &to) || g->trips * (u64)mem_elements(&to) > 512) return;
  for (unsigned tries = 0; tries < 8; tries++) {
    if (!choose_mem(g, false, &from) || !same_shape(&to, &from)) continue;
    mem_type(&to, to_type);
    mem_type(&from, from_type);
    say(g, "memref.copy %s, %s : %s to %s", from.name, to.name, from_type, to_type);
    g->cost += g->trips * (u64)mem_elements(&to);
    return;
  }
}

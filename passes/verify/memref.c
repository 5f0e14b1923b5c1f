/* memref.c -- rules of memref ops that allocate, read and write memory, and of globals.
 *
 *     %m = memref.alloc(%n) : memref<?x8xf32>            one size for each `?`
 *     %x = memref.load %m[%i, %j] : memref<?x8xf32>      one index a dimension; %x is f32
 *     memref.global @t : memref<2xi8> = dense<[1, 2]>    the initial value has the global's shape
 *
 * The rules are MLIR's. Ops that make a view of a memory are in views.c.
 */
#include "verify/rules.h"

/* ---- attributes of memories and accesses ----------------------------------------------------- */

/* An alignment is an integer of that many bits, and a power of two. */
static void check_alignment(Verifier *v, const Op *op, u32 bits) {
  const Attr *alignment = op_attr(op, "alignment");
  if (!alignment) return;
  bool good = alignment->kind == ATTR_INT && is_signless_int(alignment->type) &&
              alignment->type->width == bits && alignment->i > 0 &&
              (alignment->i & (alignment->i - 1)) == 0;
  if (!good)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: 'alignment' must be an i%u and a power of two",
         op_name(op), bits);
}

static void check_access_attrs(Verifier *v, const Op *op) {
  if (!op->nattrs) return;
  check_alignment(v, op, 64);
  const Attr *nontemporal = op_attr(op, "nontemporal");
  if (nontemporal && nontemporal->kind != ATTR_BOOL)
    diag(v->ctx, op->loc, COMP_OP_ATTR, "%s: 'nontemporal' must be true or false", op_name(op));
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Checks the memref at operand `at`, whose indices are the operands after it. */
static bool indices_ok(Verifier *v, const Op *op, u32 at) {
  const Type *memref = type_of(op, at);
  if (!operand_ok(v, op, at, type_is_memref(memref), COMP_MEMREF_TYPE, "a ranked memref"))
    return false;
  u32 n = op->noperands - at - 1;
  if (n != memref->rank) {
    diag(v->ctx, op->loc, COMP_MEMREF_INDICES, "%s: %u ind%s for %s, which has %u dimension%s",
         op_name(op), n, n == 1 ? "ex" : "ices", type_text(v, memref), memref->rank,
         plural(memref->rank));
    return false;
  }
  return true;
}

void rule_MEMREF_LOAD(Verifier *v, Op *op) {
  check_access_attrs(v, op);
  if (indices_ok(v, op, 0))
    result_is(v, op, 0, type_of(op, 0)->elem, COMP_MEMREF_ELEMENT_TYPE, "like the elements");
}

void rule_MEMREF_STORE(Verifier *v, Op *op) {
  check_access_attrs(v, op);
  if (indices_ok(v, op, 1))
    operand_is(v, op, 0, type_of(op, 1)->elem, COMP_MEMREF_ELEMENT_TYPE, "like the elements");
}

void rule_MEMREF_COPY(Verifier *v, Op *op) {
  const Type *from = type_of(op, 0), *to = type_of(op, 1);
  bool good = operand_ok(v, op, 0, is_any_memref(from), COMP_MEMREF_TYPE, "a memref") &&
              operand_ok(v, op, 1, is_any_memref(to), COMP_MEMREF_TYPE, "a memref");
  if (!good) return;
  bool ranked = type_is_memref(from) && type_is_memref(to);
  if (from->elem != to->elem)
    diag(v->ctx, op->loc, COMP_MEMREF_ELEMENT_TYPE,
         "memref.copy: the element types %s and %s differ", type_text(v, from->elem),
         type_text(v, to->elem));
  else if (ranked && !same_shape(from, to))
    diag(v->ctx, op->loc, COMP_MEMREF_TYPE, "memref.copy: the shapes of %s and %s differ",
         type_text(v, from), type_text(v, to));
}

/* ---- allocations, dim, rank ------------------------------------------------------------------ */

u32 dynamic_count(const i64 *numbers, u32 n) {
  u32 count = 0;
  for (u32 i = 0; i < n; i++) count += numbers[i] == DYNAMIC;
  return count;
}

/* Sizes for the `?`s of the shape, then symbols for those of the layout. */
static void check_allocation(Verifier *v, Op *op) {
  const Type *type = type_of_result(op, 0);
  u32 sizes[2], symbols = 0;
  check_alignment(v, op, 64);
  if (!result_ok(v, op, 0, type_is_memref(type), COMP_MEMREF_TYPE, "a ranked memref")) return;
  if (!need_segments(v, op, 2, sizes)) return;
  if (type->layout && type->layout->kind == ATTR_STRIDED)
    symbols = dynamic_count(type->layout->ints, type->layout->n);
  else if (type->layout && type->layout->kind == ATTR_AFFINE_MAP)
    symbols = type->layout->map->nsyms;
  u32 dims = dynamic_count(type->shape, type->rank);
  if (sizes[0] != dims)
    diag(v->ctx, op->loc, COMP_MEMREF_SIZES, "%s: %u size%s for the %u dynamic dimension%s of %s",
         op_name(op), sizes[0], plural(sizes[0]), dims, plural(dims), type_text(v, type));
  if (sizes[1] != symbols)
    diag(v->ctx, op->loc, COMP_MEMREF_SIZES,
         "%s: %u symbol%s for the %u unknown%s in the layout of %s", op_name(op), sizes[1],
         plural(sizes[1]), symbols, plural(symbols), type_text(v, type));
}

void rule_MEMREF_ALLOC(Verifier *v, Op *op) {
  check_allocation(v, op);
}
void rule_MEMREF_ALLOCA(Verifier *v, Op *op) {
  check_allocation(v, op);
}

void rule_MEMREF_DEALLOC(Verifier *v, Op *op) {
  operand_ok(v, op, 0, is_any_memref(type_of(op, 0)), COMP_MEMREF_TYPE, "a memref");
}

void rule_MEMREF_DIM(Verifier *v, Op *op) {
  const Type *type = type_of(op, 0);
  operand_ok(v, op, 0, is_any_memref(type) && !(type_is_memref(type) && type->rank == 0),
             COMP_MEMREF_TYPE, "a memref of at least one dimension");
}

void rule_MEMREF_RANK(Verifier *v, Op *op) {
  operand_ok(v, op, 0, is_any_memref(type_of(op, 0)), COMP_MEMREF_TYPE, "a memref");
}

void rule_MEMREF_ASSUME_ALIGNMENT(Verifier *v, Op *op) {
  operand_ok(v, op, 0, type_is_memref(type_of(op, 0)), COMP_MEMREF_TYPE, "a ranked memref");
  if (need_attr(v, op, "alignment", ATTR_INT, "a number of bytes")) check_alignment(v, op, 32);
  if (op->nresults > 1) /* before LLVM 21 it had none */
    diag(v->ctx, op->loc, COMP_OP_ARITY, "%s must have at most 1 result", op_name(op));
  else if (op->nresults)
    result_is(v, op, 0, type_of(op, 0), COMP_OP_TYPE_MISMATCH, "like the operand");
}

/* ---- globals --------------------------------------------------------------------------------- */

void check_initial_value(Verifier *v, const Op *op, const Attr *init, const Type *type) {
  if (!init || init->kind == ATTR_UNIT) return;
  if ((init->kind != ATTR_DENSE && init->kind != ATTR_OPAQUE) || !init->type) {
    diag(v->ctx, op->loc, COMP_MEMREF_INITIAL_VALUE, "%s: an initial value must be dense<...>",
         op_name(op));
    return;
  }
  bool good = init->type->kind == TYPE_TENSOR && init->type->rank == type->rank &&
              init->type->elem == type->elem;
  for (u32 i = 0; good && i < type->rank; i++) good = init->type->shape[i] == type->shape[i];
  if (!good)
    diag(v->ctx, op->loc, COMP_MEMREF_INITIAL_VALUE,
         "%s: the initial value is a %s, but the memory is a %s", op_name(op),
         type_text(v, init->type), type_text(v, type));
}

void rule_MEMREF_GLOBAL(Verifier *v, Op *op) {
  need_attr(v, op, "sym_name", ATTR_STRING, "the global's name");
  const Attr *type_attr = need_attr(v, op, "type", ATTR_TYPE, "the global's type");
  if (!type_attr) return;
  const Type *type = type_attr->type;
  if (!type_is_memref(type) || dynamic_count(type->shape, type->rank)) {
    diag(v->ctx, op->loc, COMP_MEMREF_TYPE, "a global must be a memref of static shape, but got %s",
         type_text(v, type));
    return;
  }
  check_type(v, type, op->loc);
  check_alignment(v, op, 64);
  check_initial_value(v, op, op_attr(op, "initial_value"), type);
}

void rule_MEMREF_GET_GLOBAL(Verifier *v, Op *op) {
  const Attr *name = need_attr(v, op, "name", ATTR_SYMBOL, "the @name of a global");
  if (!name) return;
  const Op *global = find_symbol(v, name);
  if (!global || global->kind != OP_MEMREF_GLOBAL) {
    diag(v->ctx, op->loc, COMP_SYMBOL_UNKNOWN, "memref.get_global: there is no memref.global @%s",
         name->str->text);
    return;
  }
  const Attr *type = op_attr(global, "type");
  if (type && type->kind == ATTR_TYPE)
    result_is(v, op, 0, type->type, COMP_OP_TYPE_MISMATCH, "like the global");
}

/* ---- scopes of stack memory ------------------------------------------------------------------ */

void rule_MEMREF_ALLOCA_SCOPE(Verifier *v, Op *op) {
  yields_results(v, op, 0, OP_MEMREF_ALLOCA_SCOPE_RETURN, "returned value");
}

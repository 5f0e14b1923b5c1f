/* asm_memref.c -- memories: making them, reading and writing them, and views of them.
 *
 *     %m = memref.alloc(%n)[%s] {alignment = 64 : i64} : memref<?xi32, #map>
 *     %v = memref.load %m[%i] : memref<?xi32>
 *     %s = memref.subview %m[0, %o] [2, %n] [1, 1]
 *            : memref<4x?xf32> to memref<2x?xf32, strided<...>>
 *
 * Older files have memref.expand_shape without output_shape and memref.assume_alignment without
 * a result; both are completed where that can be done from the types. */
#include "text/asm_func.h"
#include "text/asm_lists.h"

/* ---- allocation ------------------------------------------------------------------------------ */

static Op *parse_alloc(Parser *p, Draft *d) {
  Range sizes, symbols = {0, 0};
  expect(p, '(', "'('");
  sizes = parse_operands(p);
  expect(p, ')', "',' or ')'");
  if (accept(p, '[')) {
    symbols = parse_operands(p);
    expect(p, ']', "',' or ']'");
  }
  parse_attrs(p);
  const Type *type = colon_type(p);
  take_all(p, sizes, type_index(p->ctx));
  take_all(p, symbols, type_index(p->ctx));
  give_segments(p, (u32[]){sizes.n, symbols.n}, 2);
  return finish_one(p, d, type);
}

static void print_alloc(Printer *pr, const Op *op) {
  const Attr *segments = op_attr(op, "operandSegmentSizes");
  u32 sizes = op->noperands;
  if (segments && segments->kind == ATTR_DENSE_ARRAY && segments->n == 2 &&
      segments->shape[0] >= 0 && segments->shape[0] < op->noperands)
    sizes = (u32)segments->shape[0];
  put_char(pr->out, '(');
  print_operands(pr, op, 0, sizes);
  put_char(pr->out, ')');
  if (sizes < op->noperands) {
    put_char(pr->out, '[');
    print_operands(pr, op, sizes, op->noperands - sizes);
    put_char(pr->out, ']');
  }
  print_attrs(pr, op, "operandSegmentSizes");
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

Op *parse_MEMREF_ALLOC(Parser *p, Draft *d) {
  return parse_alloc(p, d);
}
void print_MEMREF_ALLOC(Printer *pr, const Op *op) {
  print_alloc(pr, op);
}
Op *parse_MEMREF_ALLOCA(Parser *p, Draft *d) {
  return parse_alloc(p, d);
}
void print_MEMREF_ALLOCA(Printer *pr, const Op *op) {
  print_alloc(pr, op);
}

/* memref.dealloc %m : memref<4xi32> */
Op *parse_MEMREF_DEALLOC(Parser *p, Draft *d) {
  Operand memref = parse_operand(p);
  parse_attrs(p);
  take(p, memref, colon_type(p));
  return finish_none(p, d);
}

void print_MEMREF_DEALLOC(Printer *pr, const Op *op) {
  print_head(pr, op, 1, "");
  print_operand_types(pr, op, 0, 1);
}

/* memref.alloca_scope -> (i32) { ... } */
Op *parse_MEMREF_ALLOCA_SCOPE(Parser *p, Draft *d) {
  Range types = {0, 0};
  if (accept_arrow(p)) types = parse_result_types(p);
  return finish_with_region(p, d, types, (Range){0, 0},
                            types.n ? OP_UNREGISTERED : OP_MEMREF_ALLOCA_SCOPE_RETURN);
}

void print_MEMREF_ALLOCA_SCOPE(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_arrow_list(pr, op);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], op->nresults ? 0 : NO_TERMINATOR);
  print_attrs(pr, op, "");
}

Op *parse_MEMREF_ALLOCA_SCOPE_RETURN(Parser *p, Draft *d) {
  return parse_values_and_types(p, d);
}
void print_MEMREF_ALLOCA_SCOPE_RETURN(Printer *pr, const Op *op) {
  print_values_and_types(pr, op);
}

/* ---- access ---------------------------------------------------------------------------------- */

/* `[%i, %j]` onto p->operands. */
static Range parse_indices(Parser *p) {
  expect(p, '[', "'[' and the indices");
  Range indices = parse_operands(p);
  expect(p, ']', "',' or ']'");
  return indices;
}

static const Type *element_of(Parser *p, const Type *memref, Loc loc) {
  if (!p->failed && memref->kind != TYPE_MEMREF) {
    fail(p, loc, COMP_TEXT_TYPE, "expected a memref type");
    return type_none(p->ctx);
  }
  return p->failed ? type_none(p->ctx) : memref->elem;
}

/* The attributes of an access; `nontemporal = false`, which goes without saying, is not shown. */
static void print_access_attrs(Printer *pr, const Op *op) {
  const Attr *nontemporal = op->nattrs ? op_attr(op, "nontemporal") : NULL;
  bool hide = nontemporal && nontemporal->kind == ATTR_BOOL && !nontemporal->i;
  print_attrs(pr, op, hide ? "nontemporal" : "");
}

/* `%m[%i] {attrs} : memref<4xi32>`. */
typedef struct {
  Operand memref;
  Range indices;
  const Type *type, *elem;
} Access;

static Access parse_access(Parser *p) {
  Access access = {.memref = parse_operand(p)};
  access.indices = parse_indices(p);
  parse_attrs(p);
  expect(p, ':', "':' and the type of the memref");
  Loc loc = loc_here(p);
  access.type = parse_type(p);
  access.elem = element_of(p, access.type, loc);
  return access;
}

static void take_access(Parser *p, const Access *access) {
  take(p, access->memref, access->type);
  take_all(p, access->indices, type_index(p->ctx));
}

/* The same of an op whose operand number `memref` it starts at. */
static void print_access(Printer *pr, const Op *op, u32 memref) {
  print_operand(pr, op, memref);
  put_char(pr->out, '[');
  print_operands(pr, op, memref + 1, op->noperands - memref - 1);
  put_char(pr->out, ']');
  print_access_attrs(pr, op);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, memref, 1);
}

/* memref.load %m[%i] {nontemporal = true} : memref<4xi32> */
Op *parse_MEMREF_LOAD(Parser *p, Draft *d) {
  Access access = parse_access(p);
  take_access(p, &access);
  return finish_one(p, d, access.elem);
}

void print_MEMREF_LOAD(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_access(pr, op, 0);
}

/* memref.store %v, %m[%i] : memref<4xi32> */
Op *parse_MEMREF_STORE(Parser *p, Draft *d) {
  Operand value = parse_operand(p);
  expect(p, ',', "','");
  Access access = parse_access(p);
  take(p, value, access.elem);
  take_access(p, &access);
  return finish_none(p, d);
}

void print_MEMREF_STORE(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, ", ");
  print_access(pr, op, 1);
}

/* memref.copy %a, %b : memref<4xi32> to memref<4xi32> */
Op *parse_MEMREF_COPY(Parser *p, Draft *d) {
  Operand from = parse_operand(p);
  expect(p, ',', "','");
  Operand to = parse_operand(p);
  parse_attrs(p);
  take(p, from, colon_type(p));
  expect_word(p, "to");
  take(p, to, parse_type(p));
  return finish_none(p, d);
}

void print_MEMREF_COPY(Printer *pr, const Op *op) {
  print_head(pr, op, 2, "");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, " to ");
  print_operand_types(pr, op, 1, 1);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* memref.dim %m, %i : memref<?xi32> */
Op *parse_MEMREF_DIM(Parser *p, Draft *d) {
  parse_attrs(p);
  Operand memref = parse_operand(p);
  expect(p, ',', "','");
  Operand dim = parse_operand(p);
  take(p, memref, colon_type(p));
  take(p, dim, type_index(p->ctx));
  return finish_one(p, d, type_index(p->ctx));
}

void print_MEMREF_DIM(Printer *pr, const Op *op) {
  print_attrs(pr, op, "");
  put_char(pr->out, ' ');
  print_operands(pr, op, 0, 2);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
}

/* memref.rank %m : memref<?xi32> */
Op *parse_MEMREF_RANK(Parser *p, Draft *d) {
  Operand memref = parse_operand(p);
  parse_attrs(p);
  take(p, memref, colon_type(p));
  return finish_one(p, d, type_index(p->ctx));
}

void print_MEMREF_RANK(Printer *pr, const Op *op) {
  print_head(pr, op, 1, "");
  print_operand_types(pr, op, 0, 1);
}

/* memref.extract_strided_metadata %m : memref<?xi32> -> memref<i32>, index, index, index */
Op *parse_MEMREF_EXTRACT_STRIDED_METADATA(Parser *p, Draft *d) {
  Operand memref = parse_operand(p);
  take(p, memref, colon_type(p));
  expect_arrow(p);
  Range types = parse_types(p);
  parse_attrs(p);
  return finish(p, d, types, 0);
}

void print_MEMREF_EXTRACT_STRIDED_METADATA(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, " -> ");
  print_result_types(pr, op);
  print_attrs(pr, op, "");
}

/* memref.assume_alignment %m, 16 : memref<4xi32>; without a result until LLVM 20 */
Op *parse_MEMREF_ASSUME_ALIGNMENT(Parser *p, Draft *d) {
  Operand memref = parse_operand(p);
  expect(p, ',', "','");
  give_attr(p, WORD_ALIGNMENT, parse_attr_of_type(p, type_int(p->ctx, 32, SIGNLESS)));
  parse_attrs(p);
  const Type *type = colon_type(p);
  take(p, memref, type);
  return finish_one(p, d, type);
}

void print_MEMREF_ASSUME_ALIGNMENT(Printer *pr, const Op *op) {
  const Attr *alignment = op_attr(op, "alignment");
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, ", ");
  if (alignment) put_attr(pr->out, &pr->aliases, alignment, NO_TYPE);
  print_attrs(pr, op, "alignment");
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* %m : T to U */
static Op *parse_view_like(Parser *p, Draft *d) {
  Operand memref = parse_operand(p);
  parse_attrs(p);
  take(p, memref, colon_type(p));
  expect_word(p, "to");
  return finish_one(p, d, parse_type(p));
}

static void print_from_to(Printer *pr, const Op *op, const char *to) {
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  put_text(pr->out, to);
  print_type(pr, op->results[0].type);
}

static void print_view_like(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  print_attrs(pr, op, "");
  print_from_to(pr, op, " to ");
}

Op *parse_MEMREF_CAST(Parser *p, Draft *d) {
  return parse_view_like(p, d);
}
void print_MEMREF_CAST(Printer *pr, const Op *op) {
  print_view_like(pr, op);
}
Op *parse_MEMREF_MEMORY_SPACE_CAST(Parser *p, Draft *d) {
  return parse_view_like(p, d);
}
void print_MEMREF_MEMORY_SPACE_CAST(Printer *pr, const Op *op) {
  print_view_like(pr, op);
}

/* Keeps a place for the first operand, whose type is read last. */
static u32 place_operand(Parser *p) {
  vec_push(&p->values, NULL);
  return (u32)p->values.len - 1;
}

/* Reads `: T to U` and the draft's offsets, sizes and strides. */
static Op *finish_strided(Parser *p, Draft *d, Operand source, u32 place, const IndexList *lists) {
  give_attr(p, WORD_STATIC_OFFSETS, lists[0].statics);
  give_attr(p, WORD_STATIC_SIZES, lists[1].statics);
  give_attr(p, WORD_STATIC_STRIDES, lists[2].statics);
  give_segments(p, (u32[]){1, lists[0].dynamic, lists[1].dynamic, lists[2].dynamic}, 4);
  parse_attrs(p);
  Value *value = resolve(p, source, colon_type(p));
  p->values.at[place] = value;
  expect_word(p, "to");
  return finish_one(p, d, parse_type(p));
}

/* memref.subview %m[0, %o] [2, %n] [1, 1] : T to U */
Op *parse_MEMREF_SUBVIEW(Parser *p, Draft *d) {
  Operand source = parse_operand(p);
  u32 place = place_operand(p);
  IndexList lists[3];
  for (u32 i = 0; i < 3; i++) lists[i] = parse_index_list(p, '[');
  return finish_strided(p, d, source, place, lists);
}

void print_MEMREF_SUBVIEW(Printer *pr, const Op *op) {
  u32 next = 1;
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  print_index_list(pr, op, op_attr(op, "static_offsets"), &next, '[');
  put_char(pr->out, ' ');
  print_index_list(pr, op, op_attr(op, "static_sizes"), &next, '[');
  put_char(pr->out, ' ');
  print_index_list(pr, op, op_attr(op, "static_strides"), &next, '[');
  print_attrs(pr, op, "operandSegmentSizes static_offsets static_sizes static_strides");
  print_from_to(pr, op, " to ");
}

/* memref.reinterpret_cast %m to offset: [%o], sizes: [4, %n], strides: [%n, 1] : T to U */
Op *parse_MEMREF_REINTERPRET_CAST(Parser *p, Draft *d) {
  static const char *const words[] = {"offset", "sizes", "strides"};
  Operand source = parse_operand(p);
  u32 place = place_operand(p);
  IndexList lists[3];
  expect_word(p, "to");
  for (u32 i = 0; i < 3; i++) {
    if (i) expect(p, ',', "','");
    expect_word(p, words[i]);
    expect(p, ':', "':'");
    lists[i] = parse_index_list(p, '[');
  }
  return finish_strided(p, d, source, place, lists);
}

void print_MEMREF_REINTERPRET_CAST(Printer *pr, const Op *op) {
  u32 next = 1;
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, " to offset: ");
  print_index_list(pr, op, op_attr(op, "static_offsets"), &next, '[');
  PUT(pr->out, ", sizes: ");
  print_index_list(pr, op, op_attr(op, "static_sizes"), &next, '[');
  PUT(pr->out, ", strides: ");
  print_index_list(pr, op, op_attr(op, "static_strides"), &next, '[');
  print_attrs(pr, op, "operandSegmentSizes static_offsets static_sizes static_strides");
  print_from_to(pr, op, " to ");
}

/* memref.collapse_shape %m [[0, 1], [2]] : T into U */
Op *parse_MEMREF_COLLAPSE_SHAPE(Parser *p, Draft *d) {
  Operand source = parse_operand(p);
  if (!at(p, '[')) fail_expected(p, "'['");
  give_attr(p, WORD_REASSOCIATION, parse_attr(p));
  parse_attrs(p);
  take(p, source, colon_type(p));
  expect_word(p, "into");
  return finish_one(p, d, parse_type(p));
}

void print_MEMREF_COLLAPSE_SHAPE(Printer *pr, const Op *op) {
  const Attr *groups = op_attr(op, "reassociation");
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  put_char(pr->out, ' ');
  if (groups) put_attr(pr->out, &pr->aliases, groups, TELL_TYPE);
  print_attrs(pr, op, "reassociation");
  print_from_to(pr, op, " into ");
}

/* memref.expand_shape %m [[0, 1], [2]] output_shape [2, %n, 4] : T into U; no output_shape until
 * LLVM 18 */
Op *parse_MEMREF_EXPAND_SHAPE(Parser *p, Draft *d) {
  Operand source = parse_operand(p);
  u32 place = place_operand(p);
  if (!at(p, '[')) fail_expected(p, "'['");
  give_attr(p, WORD_REASSOCIATION, parse_attr(p));
  if (accept_word(p, "output_shape"))
    give_attr(p, WORD_STATIC_OUTPUT_SHAPE, parse_index_list(p, '[').statics);
  parse_attrs(p);
  Value *value = resolve(p, source, colon_type(p));
  p->values.at[place] = value;
  expect_word(p, "into");
  Op *op = finish_one(p, d, parse_type(p));
  if (op) settle_expand_shape(p, op);
  return op;
}

void print_MEMREF_EXPAND_SHAPE(Printer *pr, const Op *op) {
  const Attr *groups = op_attr(op, "reassociation"), *shape = op_attr(op, "static_output_shape");
  u32 next = 1;
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  put_char(pr->out, ' ');
  if (groups) print_attr(pr, groups);
  if (shape) {
    PUT(pr->out, " output_shape ");
    print_index_list(pr, op, shape, &next, '[');
  }
  print_attrs(pr, op, "reassociation static_output_shape");
  print_from_to(pr, op, " into ");
}

/* Without output_shape, a result of fixed shape says what it would have been. */
void settle_expand_shape(Parser *p, Op *op) {
  const Type *type = op->nresults == 1 ? op->results[0].type : NULL;
  if (p->failed || !type || type->kind != TYPE_MEMREF || op_attr(op, "static_output_shape")) return;
  if (type_static_elements(type) < 0) return;
  op_set_attr_str(p->m, op, p->words[WORD_STATIC_OUTPUT_SHAPE],
                  attr_dense_array(p->ctx, type_int(p->ctx, 64, SIGNLESS), type->shape, type->rank),
                  false);
}

/* memref.transpose %m (i, j) -> (j, i) : T to U */
Op *parse_MEMREF_TRANSPOSE(Parser *p, Draft *d) {
  Operand source = parse_operand(p);
  give_attr(p, WORD_PERMUTATION, attr_affine_map(p->ctx, parse_affine_map_body(p)));
  parse_attrs(p);
  take(p, source, colon_type(p));
  expect_word(p, "to");
  return finish_one(p, d, parse_type(p));
}

void print_MEMREF_TRANSPOSE(Printer *pr, const Op *op) {
  const Attr *map = op_attr(op, "permutation");
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  put_char(pr->out, ' ');
  if (map && map->kind == ATTR_AFFINE_MAP) put_affine_map(pr->out, map->map);
  print_attrs(pr, op, "permutation");
  print_from_to(pr, op, " to ");
}

/* memref.view %m[%offset][%n] : memref<64xi8> to memref<?xi32> */
Op *parse_MEMREF_VIEW(Parser *p, Draft *d) {
  Operand source = parse_operand(p);
  Range offset = parse_indices(p);
  Range sizes = parse_indices(p);
  parse_attrs(p);
  take(p, source, colon_type(p));
  if (!p->failed && offset.n != 1)
    fail(p, d->loc, COMP_TEXT_COUNT, "memref.view has one offset, not %u", offset.n);
  take_all(p, offset, type_index(p->ctx));
  take_all(p, sizes, type_index(p->ctx));
  expect_word(p, "to");
  return finish_one(p, d, parse_type(p));
}

void print_MEMREF_VIEW(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  put_char(pr->out, '[');
  print_operand(pr, op, 1);
  PUT(pr->out, "][");
  print_operands(pr, op, 2, op->noperands - 2);
  put_char(pr->out, ']');
  print_attrs(pr, op, "");
  print_from_to(pr, op, " to ");
}

/* ---- globals --------------------------------------------------------------------------------- */

/* memref.global "private" constant @g : memref<4xi32> = dense<1> {alignment = 64 : i64} */
Op *parse_MEMREF_GLOBAL(Parser *p, Draft *d) {
  if (at(p, '"')) give_attr(p, WORD_SYM_VISIBILITY, attr_string(p->ctx, parse_string(p)));
  if (accept_word(p, "constant")) give_attr(p, WORD_CONSTANT, attr_unit(p->ctx));
  give_attr(p, WORD_SYM_NAME, attr_string(p->ctx, parse_symbol_name(p)));
  Loc loc;
  expect(p, ':', "':' and the type of the memref");
  loc = loc_here(p);
  const Type *type = parse_type(p);
  if (!p->failed && type->kind != TYPE_MEMREF)
    fail(p, loc, COMP_TEXT_TYPE, "expected a memref type");
  give_attr(p, WORD_TYPE, attr_type(p->ctx, type));
  if (accept(p, '=')) {
    if (accept_word(p, "uninitialized"))
      give_attr(p, WORD_INITIAL_VALUE, attr_unit(p->ctx));
    else
      give_attr(p, WORD_INITIAL_VALUE, parse_initial_value(p, type));
  }
  parse_attrs(p);
  return finish_none(p, d);
}

void print_MEMREF_GLOBAL(Printer *pr, const Op *op) {
  const Attr *visibility = op_attr(op, "sym_visibility"), *name = op_attr(op, "sym_name"),
             *type = op_attr(op, "type"), *value = op_attr(op, "initial_value");
  if (visibility) {
    put_char(pr->out, ' ');
    print_attr(pr, visibility);
  }
  if (op_attr(op, "constant")) PUT(pr->out, " constant");
  put_char(pr->out, ' ');
  if (name) put_symbol_name(pr->out, name->str);
  PUT(pr->out, " : ");
  if (type) print_attr(pr, type);
  if (value && value->kind == ATTR_UNIT) {
    PUT(pr->out, " = uninitialized");
  } else if (value) {
    PUT(pr->out, " = ");
    put_attr(pr->out, &pr->aliases, value, NO_TYPE);
  }
  print_attrs(pr, op, "constant initial_value sym_name sym_visibility type");
}

/* memref.get_global @g : memref<4xi32> */
Op *parse_MEMREF_GET_GLOBAL(Parser *p, Draft *d) {
  give_attr(p, WORD_NAME, parse_symbol(p));
  expect(p, ':', "':' and the type of the memref");
  const Type *type = parse_type(p);
  parse_attrs(p);
  return finish_one(p, d, type);
}

void print_MEMREF_GET_GLOBAL(Printer *pr, const Op *op) {
  const Attr *name = op_attr(op, "name");
  put_char(pr->out, ' ');
  if (name) print_attr(pr, name);
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
  print_attrs(pr, op, "name");
}

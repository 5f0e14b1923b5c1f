/* asm_memref.c -- memories: making them, and those views of them whose text is not regular.
 *
 *     %m = memref.alloc(%n)[%s] {alignment = 64 : i64} : memref<?xi32, #map>
 *     %s = memref.subview %m[0, %o] [2, %n] [1, 1]
 *            : memref<4x?xf32> to memref<2x?xf32, strided<...>>
 *
 * Older files have memref.expand_shape without output_shape and memref.assume_alignment without
 * a result; both are completed where that can be done from the types. */
#include "text/asm_func.h"
#include "text/asm_lists.h"

/* ---- allocation ------------------------------------------------------------------------------ */

Op *parse_memref_alloc(Parser *p, Draft *d) {
  Range sizes = parse_operand_list(p), symbols = {0, 0};
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

void print_memref_alloc(Printer *pr, const Op *op) {
  const Attr *segments = op_attr(op, "operandSegmentSizes");
  u32 sizes = op->noperands;
  if (segments && segments->kind == ATTR_DENSE_ARRAY && segments->n == 2 &&
      segments->shape[0] >= 0 && segments->shape[0] < op->noperands)
    sizes = (u32)segments->shape[0];
  print_operand_list(pr, op, 0, sizes);
  if (sizes < op->noperands) {
    put_char(pr->out, '[');
    print_operands(pr, op, sizes, op->noperands - sizes);
    put_char(pr->out, ']');
  }
  print_attrs(pr, op, "operandSegmentSizes");
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

/* memref.alloca_scope -> (i32) { ... } */
Op *parse_memref_alloca_scope(Parser *p, Draft *d) {
  Range types = {0, 0};
  if (accept_arrow(p)) types = parse_result_types(p);
  return finish_with_region(p, d, types, (Range){0, 0},
                            types.n ? OP_UNREGISTERED : OP_MEMREF_ALLOCA_SCOPE_RETURN);
}

void print_memref_alloca_scope(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_arrow_list(pr, op);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], op->nresults ? 0 : NO_TERMINATOR);
  print_attrs(pr, op, "");
}

/* ---- views ----------------------------------------------------------------------------------- */

static void print_from_to(Printer *pr, const Op *op, const char *to) {
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  put_text(pr->out, to);
  print_type(pr, op->results[0].type);
}

/* Keeps a place for the first operand, whose type is read last. */
static u32 place_operand(Parser *p) {
  vec_push(&p->values, NULL);
  return (u32)p->values.len - 1;
}

/* Offsets, sizes and strides, each behind a word where `words` says so, and `: T to U`. */
static Op *parse_strided(Parser *p, Draft *d, const char *const *words) {
  Operand source = parse_operand(p);
  u32 place = place_operand(p);
  IndexList lists[3];
  if (words) expect_word(p, "to");
  for (u32 i = 0; i < 3; i++) {
    if (words && i) expect(p, ',', "','");
    if (words) expect_word(p, words[i]);
    if (words) expect(p, ':', "':'");
    lists[i] = parse_index_list(p, '[');
  }
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

/* `before`: what stands in front of each list. */
static void print_strided(Printer *pr, const Op *op, const char *const before[3]) {
  static const char *const lists[] = {"static_offsets", "static_sizes", "static_strides"};
  u32 next = 1;
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  for (u32 i = 0; i < 3; i++) {
    put_text(pr->out, before[i]);
    print_index_list(pr, op, op_attr(op, lists[i]), &next, '[');
  }
  print_attrs(pr, op, "operandSegmentSizes static_offsets static_sizes static_strides");
  print_from_to(pr, op, " to ");
}

/* memref.subview %m[0, %o] [2, %n] [1, 1] : T to U */
Op *parse_memref_subview(Parser *p, Draft *d) {
  return parse_strided(p, d, NULL);
}

void print_memref_subview(Printer *pr, const Op *op) {
  print_strided(pr, op, (const char *[]){"", " ", " "});
}

/* memref.reinterpret_cast %m to offset: [%o], sizes: [4, %n], strides: [%n, 1] : T to U */
Op *parse_memref_reinterpret_cast(Parser *p, Draft *d) {
  return parse_strided(p, d, (const char *[]){"offset", "sizes", "strides"});
}

void print_memref_reinterpret_cast(Printer *pr, const Op *op) {
  print_strided(pr, op, (const char *[]){" to offset: ", ", sizes: ", ", strides: "});
}

/* memref.expand_shape %m [[0, 1], [2]] output_shape [2, %n, 4] : T into U; no output_shape until
 * LLVM 18 */
Op *parse_memref_expand_shape(Parser *p, Draft *d) {
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

void print_memref_expand_shape(Printer *pr, const Op *op) {
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

/* ---- globals --------------------------------------------------------------------------------- */

/* memref.global "private" constant @g : memref<4xi32> = dense<1> {alignment = 64 : i64} */
Op *parse_memref_global(Parser *p, Draft *d) {
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

void print_memref_global(Printer *pr, const Op *op) {
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

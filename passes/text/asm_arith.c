/* asm_arith.c -- arith, math, index and llvm.intr.bitreverse; also the two forms most ops share:
 *
 *     arith.addi %a, %b overflow<nsw> : i32         FORM_SAME
 *     arith.trunci %a overflow<nsw> : i64 to i32    FORM_CAST
 *     index.add %a, %b                              FORM_SAME of the index dialect: no type */
#include "text/asm.h"

/* ---- flags ----------------------------------------------------------------------------------- */

static const char *const fastmath_flags[] = {"reassoc", "nnan",     "ninf", "nsz",
                                             "arcp",    "contract", "afn"};
static const char *const overflow_flags[] = {"nsw", "nuw"};

/* The names of set bits, as MLIR writes the attribute. */
static const Attr *flags_attr(Parser *p, const char *prefix, const char *separator,
                              const char *const *names, u32 n, u32 bits) {
  Buf text = {0};
  buf_str(&text, prefix);
  bool any = false;
  for (u32 i = 0; i < n; i++) {
    if (!(bits >> i & 1)) continue;
    if (any) buf_str(&text, separator);
    any = true;
    buf_str(&text, names[i]);
  }
  buf_char(&text, '>');
  const Attr *attr = attr_opaque(p->ctx, str_intern(p->ctx, text.data, text.len), NULL);
  buf_free(&text);
  return attr;
}

/* `<a, b>` after the word: the bits of the names, all of them for `all`. */
static u32 parse_flag_bits(Parser *p, const char *const *names, u32 n, const char *all) {
  u32 bits = 0;
  expect(p, '<', "'<'");
  do {
    Loc loc = loc_here(p);
    Span word = expect_any_word(p, "a flag");
    u32 i = 0;
    while (i < n && !span_is(word, names[i])) i++;
    if (i < n)
      bits |= 1u << i;
    else if (all && span_is(word, all))
      bits |= (1u << n) - 1;
    else if (!span_is(word, "none"))
      fail(p, loc, COMP_TEXT_ATTR, "there is no such flag");
  } while (accept(p, ','));
  expect(p, '>', "',' or '>'");
  return bits;
}

static void parse_fastmath(Parser *p) {
  if (!accept_word(p, "fastmath")) return;
  u32 bits = parse_flag_bits(p, fastmath_flags, COUNT_OF(fastmath_flags), "fast");
  const char *fast = "fast";
  if (bits == 127)
    give_attr(p, WORD_FASTMATH, flags_attr(p, "#arith.fastmath<", ",", &fast, 1, 1));
  else if (bits)
    give_attr(
        p, WORD_FASTMATH,
        flags_attr(p, "#arith.fastmath<", ",", fastmath_flags, COUNT_OF(fastmath_flags), bits));
}

static void parse_overflow(Parser *p) {
  if (!accept_word(p, "overflow")) return;
  u32 bits = parse_flag_bits(p, overflow_flags, COUNT_OF(overflow_flags), NULL);
  if (bits)
    give_attr(
        p, WORD_OVERFLOW_FLAGS,
        flags_attr(p, "#arith.overflow<", ", ", overflow_flags, COUNT_OF(overflow_flags), bits));
}

/* Checks flags that came as an attribute, `#arith.fastmath<nnan,ninf>`, and brings them into the
 * order and spelling of the names. */
static void settle_flags(Parser *p, Op *op, Word word, const char *prefix, const char *separator,
                         const char *const *names, u32 n, const char *all) {
  const Attr *attr = op_attr_str(op, p->words[word]);
  if (!attr) return;
  const char *s = attr->kind == ATTR_OPAQUE ? attr->str->text : "";
  size_t len = strlen(prefix);
  u32 bits = 0;
  bool good = strncmp(s, prefix, len) == 0;
  for (s += good ? len : 0; good && *s != '>'; s += strspn(s, ", ")) {
    Span flag = {s, (u32)(run_end(s, IS_WORD) - s)};
    u32 i = 0;
    while (i < n && !span_is(flag, names[i])) i++;
    good = i < n || span_is(flag, "none") || (all && span_is(flag, all));
    bits |= i < n ? 1u << i : all && span_is(flag, all) ? (1u << n) - 1 : 0;
    s += flag.len;
  }
  if (!good || s[1]) {
    fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute '%s' must be %s...>", op_name(op),
         p->words[word]->text, prefix);
    return;
  }
  const Attr *settled = bits == 0 ? NULL
                        : all && bits == (1u << n) - 1
                            ? flags_attr(p, prefix, separator, &all, 1, 1)
                            : flags_attr(p, prefix, separator, names, n, bits);
  op_set_attr_str(p->m, op, p->words[word], settled, false);
}

void settle_arith(Parser *p, Op *op) {
  if (asm_is_inherent((OpKind)op->kind, "fastmath"))
    settle_flags(p, op, WORD_FASTMATH, "#arith.fastmath<", ",", fastmath_flags,
                 COUNT_OF(fastmath_flags), "fast");
  if (asm_is_inherent((OpKind)op->kind, "overflowFlags"))
    settle_flags(p, op, WORD_OVERFLOW_FLAGS, "#arith.overflow<", ", ", overflow_flags,
                 COUNT_OF(overflow_flags), NULL);
  const Attr *exact = op_attr_str(op, p->words[WORD_IS_EXACT]);
  if (exact && exact->kind != ATTR_UNIT && asm_is_inherent((OpKind)op->kind, "isExact"))
    fail(p, op->loc, COMP_TEXT_ATTR, "%s: the attribute 'isExact' has no value", op_name(op));
}

/* The flags that the op may have. */
static void parse_flags(Parser *p, OpKind kind) {
  if (*p->cur == ':') return;
  if (*p->cur == 'f' && asm_is_inherent(kind, "fastmath")) parse_fastmath(p);
  if (*p->cur == 'o' && asm_is_inherent(kind, "overflowFlags")) parse_overflow(p);
  if (*p->cur == 'e' && asm_is_inherent(kind, "isExact") && accept_word(p, "exact"))
    give_attr(p, WORD_IS_EXACT, attr_unit(p->ctx));
}

/* ` fastmath<fast>` from an attribute #arith.fastmath<fast>. */
static void print_flags(Printer *pr, const Op *op, const char *name, const char *shown) {
  if (!asm_is_inherent((OpKind)op->kind, name)) return;
  const Attr *attr = op_attr(op, name);
  const char *flags = attr && attr->kind == ATTR_OPAQUE ? strchr(attr->str->text, '<') : NULL;
  if (!flags) return;
  put_char(pr->out, ' ');
  put_text(pr->out, shown);
  put_text(pr->out, flags);
}

static void print_all_flags(Printer *pr, const Op *op) {
  if (op->nattrs == 0) return;
  print_flags(pr, op, "fastmath", "fastmath");
  print_flags(pr, op, "overflowFlags", "overflow");
  if (asm_is_inherent((OpKind)op->kind, "isExact") && op_attr(op, "isExact"))
    PUT(pr->out, " exact");
}

/* ---- the shared forms ------------------------------------------------------------------------ */

Op *parse_same(Parser *p, Draft *d) {
  const OpInfo *info = op_info(d->kind);
  const u32 n = info->noperands;
  Operand operands[3];
  for (u32 i = 0; i < n; i++) {
    if (i) expect(p, ',', "','");
    operands[i] = parse_operand(p);
  }
  parse_flags(p, d->kind);
  parse_attrs(p);
  const Type *type = info->types == TYPES_INDEX ? type_index(p->ctx) : colon_type(p);
  for (u32 i = 0; i < n; i++) take(p, operands[i], type);
  return finish_one(p, d, type);
}

void print_same(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operands(pr, op, 0, op->noperands);
  if (op->nattrs) {
    print_all_flags(pr, op);
    print_attrs(pr, op, asm_inherent((OpKind)op->kind));
  }
  if (op_info((OpKind)op->kind)->types == TYPES_INDEX) return;
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

static const char *const rounding_modes[] = {"to_nearest_even", "downward", "upward", "toward_zero",
                                             "to_nearest_away"};

static void parse_rounding_mode(Parser *p) {
  for (u32 i = 0; i < COUNT_OF(rounding_modes); i++)
    if (accept_word(p, rounding_modes[i])) {
      give_attr(p, WORD_ROUNDINGMODE, attr_int(p->ctx, i, type_int(p->ctx, 32, SIGNLESS)));
      return;
    }
}

Op *parse_cast(Parser *p, Draft *d) {
  Operand operand = parse_operand(p);
  if (d->kind == OP_ARITH_TRUNCF) parse_rounding_mode(p);
  parse_flags(p, d->kind);
  parse_attrs(p);
  take(p, operand, colon_type(p));
  expect_word(p, "to");
  return finish_one(p, d, parse_type(p));
}

void print_cast(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  if (op->nattrs) {
    i64 mode = op->kind == OP_ARITH_TRUNCF ? op_attr_int(op, "roundingmode", -1) : -1;
    if (mode >= 0 && mode < (i64)COUNT_OF(rounding_modes)) {
      put_char(pr->out, ' ');
      put_text(pr->out, rounding_modes[mode]);
    }
    print_all_flags(pr, op);
    print_attrs(pr, op, asm_inherent((OpKind)op->kind));
  }
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, " to ");
  print_type(pr, op->results[0].type);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* arith.constant 5 : i32 */
Op *parse_ARITH_CONSTANT(Parser *p, Draft *d) {
  parse_attrs(p);
  Loc loc = loc_here(p);
  const Attr *value = parse_attr(p);
  if (!p->failed && (!value->type || value->kind == ATTR_TYPE || value->kind == ATTR_DENSE_ARRAY))
    fail(p, loc, COMP_TEXT_ATTR, "a constant is a number, true, false, or dense elements");
  give_attr(p, WORD_VALUE, value);
  return finish_one(p, d, value->type);
}

void print_ARITH_CONSTANT(Printer *pr, const Op *op) {
  print_attrs(pr, op, "value");
  put_char(pr->out, ' ');
  const Attr *value = op_attr(op, "value");
  if (value) print_attr(pr, value);
}

/* index.constant 5 */
Op *parse_INDEX_CONSTANT(Parser *p, Draft *d) {
  const Type *index = type_index(p->ctx);
  give_attr(p, WORD_VALUE, parse_attr_of_type(p, index));
  parse_attrs(p);
  return finish_one(p, d, index);
}

void print_INDEX_CONSTANT(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  const Attr *value = op_attr(op, "value");
  if (value) put_attr(pr->out, &pr->aliases, value, NO_TYPE);
  print_attrs(pr, op, "value");
}

/* index.bool.constant true */
Op *parse_INDEX_BOOL_CONSTANT(Parser *p, Draft *d) {
  Loc loc = loc_here(p);
  const Attr *value = parse_attr(p);
  if (!p->failed && value->kind != ATTR_BOOL)
    fail(p, loc, COMP_TEXT_ATTR, "expected true or false");
  give_attr(p, WORD_VALUE, value);
  parse_attrs(p);
  return finish_one(p, d, type_i1(p->ctx));
}

void print_INDEX_BOOL_CONSTANT(Printer *pr, const Op *op) {
  print_INDEX_CONSTANT(pr, op);
}

/* index.sizeof */
Op *parse_INDEX_SIZEOF(Parser *p, Draft *d) {
  parse_attrs(p);
  return finish_one(p, d, type_index(p->ctx));
}

void print_INDEX_SIZEOF(Printer *pr, const Op *op) {
  print_attrs(pr, op, "");
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* i1, or a vector or tensor of i1 in the shape of `type`. */
static const Type *i1_like(Parser *p, const Type *type) {
  const Type *i1 = type_i1(p->ctx);
  switch ((TypeKind)type->kind) {
  case TYPE_VECTOR: return type_vector(p->ctx, type->shape, type->rank, i1, type->text);
  case TYPE_TENSOR: return type_tensor(p->ctx, type->shape, type->rank, i1, type->layout);
  case TYPE_UNRANKED_TENSOR: return type_unranked_tensor(p->ctx, i1);
  default: return i1;
  }
}

static const char *const cmpi_names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                         "sge", "ult", "ule", "ugt", "uge"};
static const char *const cmpf_names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                         "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

/* `slt,`: the word, or the number as a string, which is how LLVM 16 also writes it. */
static void parse_predicate(Parser *p, const char *const *names, u32 n) {
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "a comparison");
  u32 i = 0;
  while (i < n && !span_is(word, names[i])) i++;
  if (i == n && !p->failed) {
    const char *near = nearest_name(intern(p, word)->text, names, n);
    fail(p, loc, COMP_TEXT_ATTR, "there is no comparison '%s'", intern(p, word)->text);
    if (near) diag_hint(p->ctx, "did you mean %s?", near);
  }
  give_attr(p, WORD_PREDICATE, attr_int(p->ctx, i, type_int(p->ctx, 64, SIGNLESS)));
}

static Op *parse_comparison(Parser *p, Draft *d, const char *const *names, u32 n) {
  parse_predicate(p, names, n);
  expect(p, ',', "','");
  Operand a = parse_operand(p);
  expect(p, ',', "','");
  Operand b = parse_operand(p);
  parse_flags(p, d->kind);
  parse_attrs(p);
  const Type *type = colon_type(p);
  take(p, a, type);
  take(p, b, type);
  return finish_one(p, d, i1_like(p, type));
}

static void print_comparison(Printer *pr, const Op *op, const char *const *names, u32 n) {
  i64 predicate = op_attr_int(op, "predicate", 0);
  put_char(pr->out, ' ');
  put_text(pr->out, names[predicate >= 0 && predicate < n ? predicate : 0]);
  PUT(pr->out, ", ");
  print_operands(pr, op, 0, 2);
  if (op->nattrs > 1) {
    print_all_flags(pr, op);
    print_attrs(pr, op, asm_inherent((OpKind)op->kind));
  }
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
}

/* arith.cmpi slt, %a, %b : i32 */
Op *parse_ARITH_CMPI(Parser *p, Draft *d) {
  return parse_comparison(p, d, cmpi_names, COUNT_OF(cmpi_names));
}

void print_ARITH_CMPI(Printer *pr, const Op *op) {
  print_comparison(pr, op, cmpi_names, COUNT_OF(cmpi_names));
}

/* arith.cmpf olt, %a, %b fastmath<nnan> : f32 */
Op *parse_ARITH_CMPF(Parser *p, Draft *d) {
  return parse_comparison(p, d, cmpf_names, COUNT_OF(cmpf_names));
}

void print_ARITH_CMPF(Printer *pr, const Op *op) {
  print_comparison(pr, op, cmpf_names, COUNT_OF(cmpf_names));
}

/* `#index<cmp_predicate slt>` */
void settle_index_cmp(Parser *p, Op *op) {
  const Attr *pred = op_attr_str(op, p->words[WORD_PRED]);
  bool good = false;
  for (u32 i = 0; i < COUNT_OF(cmpi_names) && pred && pred->kind == ATTR_OPAQUE; i++)
    good |= str_printf(p->ctx, "#index<cmp_predicate %s>", cmpi_names[i]) == pred->str;
  if (!good)
    fail(p, op->loc, COMP_TEXT_ATTR,
         "index.cmp: the attribute 'pred' must be #index<cmp_predicate ...>");
}

/* index.cmp slt(%a, %b) */
Op *parse_INDEX_CMP(Parser *p, Draft *d) {
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "a comparison");
  u32 i = 0;
  while (i < COUNT_OF(cmpi_names) && !span_is(word, cmpi_names[i])) i++;
  if (i == COUNT_OF(cmpi_names)) fail(p, loc, COMP_TEXT_ATTR, "there is no such comparison");
  const Str *text = str_printf(p->ctx, "#index<cmp_predicate %.*s>", (int)(word.len & 63), word.at);
  give_attr(p, WORD_PRED, attr_opaque(p->ctx, text, NULL));
  expect(p, '(', "'('");
  Operand a = parse_operand(p);
  expect(p, ',', "','");
  Operand b = parse_operand(p);
  expect(p, ')', "')'");
  parse_attrs(p);
  take(p, a, type_index(p->ctx));
  take(p, b, type_index(p->ctx));
  return finish_one(p, d, type_i1(p->ctx));
}

void print_INDEX_CMP(Printer *pr, const Op *op) {
  const Attr *pred = op_attr(op, "pred");
  const char *word = pred && pred->kind == ATTR_OPAQUE ? strchr(pred->str->text, ' ') : NULL;
  put_char(pr->out, ' ');
  if (word) put_bytes(pr->out, word + 1, strcspn(word + 1, ">"));
  put_char(pr->out, '(');
  print_operands(pr, op, 0, 2);
  put_char(pr->out, ')');
  print_attrs(pr, op, "pred");
}

/* math.isnan %x fastmath<ninf> : f32 */
static Op *parse_classify(Parser *p, Draft *d) {
  Operand operand = parse_operand(p);
  parse_flags(p, d->kind);
  parse_attrs(p);
  const Type *type = colon_type(p);
  take(p, operand, type);
  return finish_one(p, d, i1_like(p, type));
}

static void print_classify(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  print_all_flags(pr, op);
  print_attrs(pr, op, "fastmath");
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
}

Op *parse_MATH_ISFINITE(Parser *p, Draft *d) {
  return parse_classify(p, d);
}
void print_MATH_ISFINITE(Printer *pr, const Op *op) {
  print_classify(pr, op);
}
Op *parse_MATH_ISINF(Parser *p, Draft *d) {
  return parse_classify(p, d);
}
void print_MATH_ISINF(Printer *pr, const Op *op) {
  print_classify(pr, op);
}
Op *parse_MATH_ISNAN(Parser *p, Draft *d) {
  return parse_classify(p, d);
}
void print_MATH_ISNAN(Printer *pr, const Op *op) {
  print_classify(pr, op);
}
Op *parse_MATH_ISNORMAL(Parser *p, Draft *d) {
  return parse_classify(p, d);
}
void print_MATH_ISNORMAL(Printer *pr, const Op *op) {
  print_classify(pr, op);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* arith.select %c, %a, %b : i32, or with the condition's type in front where it is not i1 */
Op *parse_ARITH_SELECT(Parser *p, Draft *d) {
  Operand condition = parse_operand(p);
  expect(p, ',', "','");
  Operand a = parse_operand(p);
  expect(p, ',', "','");
  Operand b = parse_operand(p);
  parse_attrs(p);
  const Type *type = colon_type(p), *condition_type = type_i1(p->ctx);
  if (accept(p, ',')) {
    condition_type = type;
    type = parse_type(p);
  }
  take(p, condition, condition_type);
  take(p, a, type);
  take(p, b, type);
  return finish_one(p, d, type);
}

void print_ARITH_SELECT(Printer *pr, const Op *op) {
  print_head(pr, op, 3, "");
  const Value *condition = op_operand(op, 0);
  if (condition && !type_is_i1(condition->type)) {
    print_type(pr, condition->type);
    PUT(pr->out, ", ");
  }
  print_type(pr, op->results[0].type);
}

/* arith.addui_extended %a, %b : i32, i1; the two multiplications have only the first type */
static Op *parse_extended(Parser *p, Draft *d) {
  Operand a = parse_operand(p);
  expect(p, ',', "','");
  Operand b = parse_operand(p);
  parse_attrs(p);
  const Type *type = colon_type(p), *second = type;
  if (d->kind == OP_ARITH_ADDUI_EXTENDED) {
    expect(p, ',', "','");
    second = parse_type(p);
  }
  take(p, a, type);
  take(p, b, type);
  Range types = {(u32)p->types.len, 2};
  vec_push(&p->types, type);
  vec_push(&p->types, second);
  return finish(p, d, types, 0);
}

static void print_extended(Printer *pr, const Op *op) {
  print_head(pr, op, 2, "");
  print_type(pr, op->results[0].type);
  if (op->kind != OP_ARITH_ADDUI_EXTENDED) return;
  PUT(pr->out, ", ");
  print_type(pr, op->results[1].type);
}

Op *parse_ARITH_ADDUI_EXTENDED(Parser *p, Draft *d) {
  return parse_extended(p, d);
}
void print_ARITH_ADDUI_EXTENDED(Printer *pr, const Op *op) {
  print_extended(pr, op);
}
Op *parse_ARITH_MULSI_EXTENDED(Parser *p, Draft *d) {
  return parse_extended(p, d);
}
void print_ARITH_MULSI_EXTENDED(Printer *pr, const Op *op) {
  print_extended(pr, op);
}
Op *parse_ARITH_MULUI_EXTENDED(Parser *p, Draft *d) {
  return parse_extended(p, d);
}
void print_ARITH_MULUI_EXTENDED(Printer *pr, const Op *op) {
  print_extended(pr, op);
}

/* math.fpowi %x, %n : f32, i32 */
Op *parse_MATH_FPOWI(Parser *p, Draft *d) {
  Operand base = parse_operand(p);
  expect(p, ',', "','");
  Operand power = parse_operand(p);
  parse_flags(p, d->kind);
  parse_attrs(p);
  const Type *type = colon_type(p);
  expect(p, ',', "','");
  take(p, base, type);
  take(p, power, parse_type(p));
  return finish_one(p, d, type);
}

void print_MATH_FPOWI(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operands(pr, op, 0, 2);
  print_all_flags(pr, op);
  print_attrs(pr, op, "fastmath");
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 2);
}

/* llvm.intr.bitreverse(%a) : (i32) -> i32 */
Op *parse_LLVM_BITREVERSE(Parser *p, Draft *d) {
  expect(p, '(', "'('");
  Operand operand = parse_operand(p);
  expect(p, ')', "')'");
  parse_attrs(p);
  expect(p, ':', "':'");
  expect(p, '(', "'('");
  take(p, operand, parse_type(p));
  expect(p, ')', "')'");
  expect_arrow(p);
  return finish_one(p, d, parse_type(p));
}

void print_LLVM_BITREVERSE(Printer *pr, const Op *op) {
  put_char(pr->out, '(');
  print_operand(pr, op, 0);
  put_char(pr->out, ')');
  print_attrs(pr, op, "");
  PUT(pr->out, " : ");
  print_signature(pr, op);
}

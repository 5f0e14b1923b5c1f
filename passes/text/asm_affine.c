/* asm_affine.c -- translates the affine dialect to scf, arith and memref as it is read.
 *
 *     affine.for %i = 0 to min affine_map<(d0)[s0] -> (d0 + 8, s0)>(%b)[%n] {
 *       %x = affine.load %m[%i + 1] : memref<?xf32>
 *  =>
 *     %0 = arith.addi %b, %c8 : index           %2 = arith.minsi %0, %n : index
 *     scf.for %i = %c0 to %2 step %c1 {
 *       %3 = arith.addi %i, %c1 : index
 *       %x = memref.load %m[%3] : memref<?xf32>
 *
 * Polyhedral tools need the dialect to know that subscripts and bounds are linear; LOOM recovers
 * that where it needs it (lower/range.c, lower/depends.c). So there is no affine op after reading,
 * and no printer for one. Divisors are positive, so a floordiv by a power of two is an arithmetic
 * shift and a mod a mask, also of negative numbers.
 *
 * memref.atomic_rmw is translated here, too. Iterations run as if one after the other, so it is a
 * load and a store, and its result is the old element, as that of LLVM's atomicrmw. Both get its
 * attributes, and the store gets `loom.atomic`: the iterations of a parallel loop that has one are
 * not independent (lower/structure.c). */
#include "text/asm_affine.h"

#include "ir/eval.h"
#include "text/asm_lists.h"

#include <math.h>

/* A map, or set, and the values of its dims and symbols. */
typedef struct {
  Parser *p;
  Builder b;
  const AffineMap *map;
  Value **operands;
} Applied;

/* ---- expressions ----------------------------------------------------------------------------- */

static Value *combine(Applied *a, OpKind kind, Value *x, Value *y) {
  return build_2(&a->b, kind, x, y);
}

static Value *number(Applied *a, i64 value) {
  return build_int(&a->b, value, type_index(a->p->ctx));
}

/* x mod y; the result is never negative. */
static Value *modulo(Applied *a, Value *x, Value *y) {
  Value *rest = combine(a, OP_ARITH_REMSI, x, y);
  Value *below = build_compare(&a->b, CMPI_SLT, rest, number(a, 0));
  Value *operands[] = {below, combine(a, OP_ARITH_ADDI, rest, y), rest};
  return build_1(&a->b, OP_ARITH_SELECT, x->type, operands, 3);
}

static Value *apply(Applied *a, const AffineExpr *e);

static Value *divide(Applied *a, const AffineExpr *e) {
  Value *x = apply(a, e->lhs);
  i64 by = e->rhs->kind == AFFINE_CONST ? e->rhs->value : 0;
  bool is_power = by > 0 && (by & (by - 1)) == 0;
  if (is_power && e->kind == AFFINE_FLOORDIV)
    return combine(a, OP_ARITH_SHRSI, x, number(a, __builtin_ctzll((u64)by)));
  if (is_power && e->kind == AFFINE_MOD) return combine(a, OP_ARITH_ANDI, x, number(a, by - 1));
  Value *y = apply(a, e->rhs);
  if (e->kind == AFFINE_MOD) return modulo(a, x, y);
  return combine(a, e->kind == AFFINE_FLOORDIV ? OP_ARITH_FLOORDIVSI : OP_ARITH_CEILDIVSI, x, y);
}

static bool is_negated(const AffineExpr *e) {
  return e->kind == AFFINE_MUL && e->rhs->kind == AFFINE_CONST && e->rhs->value == -1;
}

/* The parser has bounded the depth of the expression. */
static Value *apply(Applied *a, const AffineExpr *e) {
  switch ((AffineKind)e->kind) {
  case AFFINE_CONST: return number(a, e->value);
  case AFFINE_DIM: return a->operands[e->value];
  case AFFINE_SYMBOL: return a->operands[a->map->ndims + e->value];
  case AFFINE_MUL: return combine(a, OP_ARITH_MULI, apply(a, e->lhs), apply(a, e->rhs));
  case AFFINE_ADD: {
    bool minus = is_negated(e->rhs);
    Value *x = apply(a, e->lhs), *y = apply(a, minus ? e->rhs->lhs : e->rhs);
    return combine(a, minus ? OP_ARITH_SUBI : OP_ARITH_ADDI, x, y);
  }
  default: return divide(a, e);
  }
}

/* Prepares to apply a map (or NULL) to operands, which it resolves; false after an error. */
static bool applied_init(Applied *a, Parser *p, const Draft *d, const AffineMap *map,
                         Range operands) {
  *a = (Applied){.p = p, .map = map, .b = {.m = p->m, .block = p->block, .loc = d->loc}};
  a->operands = NEW_ARRAY(p->m->arena, Value *, operands.n);
  for (u32 i = 0; i < operands.n && !p->failed; i++)
    a->operands[i] = resolve(p, p->operands.at[operands.first + i], type_index(p->ctx));
  return !p->failed;
}

/* The minimum or maximum, by `kind`, of the map's results. */
static Value *reduce_results(Applied *a, OpKind kind) {
  Value *value = apply(a, a->map->results[0]);
  for (u32 i = 1; i < a->map->nresults; i++)
    value = combine(a, kind, value, apply(a, a->map->results[i]));
  return value;
}

/* `(%i, %j)[%n]` behind a map or set. */
static Range parse_map_operands(Parser *p, const AffineMap *map) {
  Loc loc = loc_here(p);
  Range operands = parse_operand_list(p);
  u32 ndims = operands.n;
  if (accept(p, '[')) {
    operands.n += at(p, ']') ? 0 : parse_operands(p).n;
    expect(p, ']', "',' or ']'");
  }
  if (!p->failed && (ndims != map->ndims || operands.n != map->ndims + map->nsyms))
    fail(p, loc, COMP_TEXT_COUNT, "the map takes %u dimensions and %u symbols", map->ndims,
         map->nsyms);
  return operands;
}

/* affine_map<...>(%i)[%n] or #alias(%i)[%n]; `several` allows more than one result. */
static bool parse_applied(Parser *p, const Draft *d, bool several, Applied *a) {
  Loc loc = loc_here(p);
  const Attr *attr = parse_attr(p);
  if (!p->failed && (attr->kind != ATTR_AFFINE_MAP || !attr->map->nresults))
    fail(p, loc, COMP_TEXT_ATTR, "expected an affine_map with results");
  else if (!p->failed && !several && attr->map->nresults > 1)
    fail(p, loc, COMP_TEXT_ATTR, "expected an affine_map with one result");
  if (p->failed) return false;
  return applied_init(a, p, d, attr->map, parse_map_operands(p, attr->map));
}

/* ---- apply, min, max, load, store ------------------------------------------------------------ */

/* The op that makes `value`. If that was not made after `last`, for this affine op, adds
 * `value + 0`, as the result needs an op of its own. */
static Op *result_op(Applied *a, const Op *last, Value *value) {
  Op *op = a->p->block->last;
  if (op != last && op->nresults && op_result(op, 0) == value) return op;
  combine(a, OP_ARITH_ADDI, value, number(a, 0));
  return a->p->block->last;
}

static Op *parse_reduced(Parser *p, Draft *d, bool several, OpKind kind) {
  Applied a;
  const Op *last = p->block->last;
  if (!parse_applied(p, d, several, &a)) return NULL;
  parse_attrs(p);
  if (p->failed) return NULL;
  Op *op = result_op(&a, last, reduce_results(&a, kind));
  add_late_attrs(p, op, d->attrs);
  return op;
}

static Op *parse_apply(Parser *p, Draft *d) {
  return parse_reduced(p, d, false, OP_ARITH_MINSI);
}
static Op *parse_min(Parser *p, Draft *d) {
  return parse_reduced(p, d, true, OP_ARITH_MINSI);
}
static Op *parse_max(Parser *p, Draft *d) {
  return parse_reduced(p, d, true, OP_ARITH_MAXSI);
}

/* `%m[%i + 1, %j] {attrs} : memref<...>`: a store of `value`, or a load if that is NULL. */
static Op *parse_access(Parser *p, Draft *d, const Operand *value) {
  Operand memref = parse_operand(p);
  Range operands;
  Applied a;
  expect(p, '[', "'['");
  const AffineMap *map = parse_subscripts(p, ']', &operands);
  parse_attrs(p);
  const Type *type = colon_type(p);
  if (!p->failed && type->kind != TYPE_MEMREF) fail(p, d->loc, COMP_TEXT_TYPE, "expected a memref");
  if (p->failed || !applied_init(&a, p, d, map, operands)) return NULL;
  if (value) take(p, *value, type->elem);
  take(p, memref, type);
  for (u32 i = 0; i < map->nresults; i++) vec_push(&p->values, apply(&a, map->results[i]));
  d->kind = value ? OP_MEMREF_STORE : OP_MEMREF_LOAD;
  Range types = {(u32)p->types.len, !value};
  vec_push(&p->types, type->elem);
  return finish(p, d, types, 0);
}

static Op *parse_load(Parser *p, Draft *d) {
  return parse_access(p, d, NULL);
}

static Op *parse_store(Parser *p, Draft *d) {
  Operand value = parse_operand(p);
  expect(p, ',', "',' and the memref");
  return parse_access(p, d, &value);
}

/* ---- for, if, yield -------------------------------------------------------------------------- */

/* `4`, `%n`, `max #map(%i)[%n]`. */
static Value *parse_bound(Parser *p, const Draft *d, const char *word, OpKind kind) {
  Applied a;
  if (at(p, '%')) return resolve(p, parse_operand(p), type_index(p->ctx));
  if (at(p, '-') || char_is(*p->cur, IS_DIGIT)) {
    i64 value = parse_integer(p);
    if (p->failed || !applied_init(&a, p, d, NULL, (Range){0, 0})) return NULL;
    return number(&a, value);
  }
  bool several = accept_word(p, word);
  return parse_applied(p, d, several, &a) ? reduce_results(&a, kind) : NULL;
}

/* affine.for %i = LOWER to UPPER step 2 iter_args(%a = %x) -> (f32) { ... } */
static Op *parse_for(Parser *p, Draft *d) {
  Range args = {(u32)p->args.len, 1}, inits = {0, 0}, types = {0, 0};
  Applied a;
  i64 step = 1;
  parse_arg(p, false);
  expect(p, '=', "'='");
  Value *lower = parse_bound(p, d, "max", OP_ARITH_MAXSI);
  expect_word(p, "to");
  Value *upper = parse_bound(p, d, "min", OP_ARITH_MINSI);
  Loc loc = loc_here(p);
  if (accept_word(p, "step")) step = parse_integer(p);
  if (step < 1) fail(p, loc, COMP_TEXT_NUMBER, "the step must be at least 1");
  if (accept_word(p, "iter_args")) inits = parse_carried(p, &args, &types);
  if (p->failed || !applied_init(&a, p, d, NULL, (Range){0, 0})) return NULL;
  p->args.at[args.first].type = type_index(p->ctx);
  vec_push(&p->values, lower);
  vec_push(&p->values, upper);
  vec_push(&p->values, number(&a, step));
  take_each(p, inits, types, d->loc);
  d->kind = OP_SCF_FOR;
  return finish_with_region(p, d, types, args, types.n ? OP_UNREGISTERED : OP_SCF_YIELD);
}

/* The condition of an affine.if; NULL after an error. */
static const AffineSet *parse_set(Parser *p) {
  Loc loc = loc_here(p);
  u64 known;
  const Attr *attr = parse_attr(p);
  if (p->failed) return NULL;
  if (attr->kind == ATTR_AFFINE_SET && map_get(&p->sets, PTR_KEY(attr), &known))
    return (const AffineSet *)(uintptr_t)known;
  fail(p, loc, COMP_TEXT_ATTR, "expected an affine_set with constraints");
  return NULL;
}

/* affine.if #set(%i)[%n] -> f32 { ... } else { ... } */
static Op *parse_if(Parser *p, Draft *d) {
  Applied a;
  const AffineSet *set = parse_set(p);
  if (!set || !applied_init(&a, p, d, &set->map, parse_map_operands(p, &set->map))) return NULL;
  Value *condition = NULL;
  for (u32 i = 0; i < set->map.nresults; i++) {
    Value *value = apply(&a, set->map.results[i]);
    Value *holds = build_compare(&a.b, set->is_equal[i] ? CMPI_EQ : CMPI_SGE, value, number(&a, 0));
    condition = condition ? combine(&a, OP_ARITH_ANDI, condition, holds) : holds;
  }
  vec_push(&p->values, condition);
  d->kind = OP_SCF_IF;
  return parse_form(p, d);
}

static Op *parse_yield(Parser *p, Draft *d) {
  parse_attrs(p);
  if (at(p, '%')) {
    Range operands = parse_operands(p);
    Loc loc = loc_here(p);
    expect(p, ':', "':' and types");
    take_each(p, operands, parse_types(p), loc);
  }
  d->kind = OP_SCF_YIELD;
  return finish_none(p, d);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* A reduction: its op, and its neutral element as an integer and as a double. ALL: all ones; LEAST,
 * GREATEST: of the type. */
enum { ALL = -1, LEAST = 2, GREATEST = 3 };
typedef struct {
  const char *name;
  OpKind kind;
  int of_int;
  double of_float;
} Reduction;

static const Reduction reductions[] = {
    {"addf", OP_ARITH_ADDF, 0, 0},         {"addi", OP_ARITH_ADDI, 0, 0},
    {"andi", OP_ARITH_ANDI, ALL, 0},       {"maximumf", OP_ARITH_MAXIMUMF, 0, -INFINITY},
    {"maxnumf", OP_ARITH_MAXNUMF, 0, NAN}, {"maxs", OP_ARITH_MAXSI, LEAST, 0},
    {"maxu", OP_ARITH_MAXUI, 0, 0},        {"minimumf", OP_ARITH_MINIMUMF, 0, INFINITY},
    {"minnumf", OP_ARITH_MINNUMF, 0, NAN}, {"mins", OP_ARITH_MINSI, GREATEST, 0},
    {"minu", OP_ARITH_MINUI, ALL, 0},      {"mulf", OP_ARITH_MULF, 1, 1},
    {"muli", OP_ARITH_MULI, 1, 1},         {"ori", OP_ARITH_ORI, 0, 0},
    {"xori", OP_ARITH_XORI, 0, 0},
};

static const Reduction *find_reduction(Parser *p, Loc loc, Span name) {
  for (size_t i = 0; i < COUNT_OF(reductions); i++)
    if (span_is(name, reductions[i].name)) return &reductions[i];
  fail(p, loc, COMP_TEXT_ATTR, "unknown reduction '%.*s'", (int)(name.len > 40 ? 40 : name.len),
       name.at);
  return NULL;
}

/* The neutral element as a constant; NULL after an error: the type has none. */
static Value *neutral(Applied *a, const Draft *d, const Reduction *r, const Type *type) {
  Context *ctx = a->p->ctx;
  bool is_number = type->kind == TYPE_INT || type->kind == TYPE_INDEX;
  u32 bits = is_number ? type_bits(ctx, type) : 0;
  i64 greatest = bits && bits <= 64 ? (i64)(UINT64_MAX >> 1 >> (64 - bits)) : 0;
  bool is_bound = r->of_int == LEAST || r->of_int == GREATEST;
  if (type->kind != TYPE_FLOAT && (!is_number || (is_bound && bits > 64))) {
    fail(a->p, d->loc, COMP_TEXT_TYPE, "the reduction \"%s\" has no initial value of this type",
         r->name);
    return NULL;
  }
  if (is_number)
    return build_int(&a->b,
                     !is_bound               ? r->of_int
                     : r->of_int == GREATEST ? greatest
                                             : -greatest - 1,
                     type);
  Op *op = build_op(&a->b, OP_ARITH_CONSTANT, NULL, 0, &type, 1, 0);
  u64 value = eval_float_bits((FloatKind)type->float_kind, r->of_float);
  op_set_attr(a->p->m, op, "value", attr_float_bits(ctx, value, type));
  return op_result(op, 0);
}

static void copy_attrs(Parser *p, Op *to, const Op *from) {
  for (u32 i = 0; i < from->nattrs; i++)
    op_set_attr_str(p->m, to, from->attrs[i].name, from->attrs[i].value, from->attrs[i].property);
}

/* memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4xf32>) -> f32 */
static Op *parse_atomic_rmw(Parser *p, Draft *d) {
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "a reduction such as addf");
  bool assigns = span_is(word, "assign");
  const Reduction *r = assigns || p->failed ? NULL : find_reduction(p, loc, word);
  Operand value = parse_operand(p);
  expect(p, ',', "',' and the memref");
  Operand memref = parse_operand(p);
  expect(p, '[', "'['");
  Range indices = at(p, ']') ? (Range){0, 0} : parse_operands(p);
  expect(p, ']', "']'");
  parse_attrs(p);
  expect(p, ':', "':' and types");
  Range types = parse_types_in_parens(p), results;
  expect_arrow(p);
  results = parse_result_types(p);
  if (!p->failed && (types.n != 2 || results.n != 1))
    fail(p, loc, COMP_TEXT_COUNT,
         "expected the types of a value and a memref, and one result type");
  Applied a;
  if (p->failed || !applied_init(&a, p, d, NULL, (Range){0, 0})) return NULL;
  Value *operand = resolve(p, value, type_in(p, types, 0));
  take(p, memref, type_in(p, types, 1));
  take_all(p, indices, type_index(p->ctx));
  d->kind = OP_MEMREF_LOAD;
  Op *load = finish(p, d, results, 0);
  if (!load) return NULL;
  Value *stored = r ? combine(&a, r->kind, op_result(load, 0), operand) : operand;
  u32 n = load->noperands + 1;
  Value **operands = NEW_ARRAY(p->m->arena, Value *, n);
  operands[0] = stored;
  for (u32 i = 1; i < n; i++) operands[i] = op_operand(load, i - 1);
  Op *store = build_op(&a.b, OP_MEMREF_STORE, operands, n, NULL, 0, 0);
  copy_attrs(p, store, load);
  op_set_attr(p->m, store, "loom.atomic", attr_unit(p->ctx));
  return load;
}

/* ---- parallel -------------------------------------------------------------------------------- */

/* `(0, max(%a, %b + 1))`: pushes the bounds onto p->values; returns how many. */
static u32 parse_bounds(Parser *p, const Draft *d, OpKind kind) {
  const char *word = kind == OP_ARITH_MAXSI ? "max" : "min";
  u32 n = 0;
  expect(p, '(', "'('");
  do {
    Range operands;
    bool several = accept_word(p, word);
    if (several) expect(p, '(', "'('");
    const AffineMap *map = parse_subscripts(p, several ? ')' : 0, &operands);
    Applied a;
    if (p->failed || !applied_init(&a, p, d, map, operands)) return 0;
    if (!map->nresults) fail(p, d->loc, COMP_TEXT_COUNT, "expected a bound");
    if (p->failed) return 0;
    vec_push(&p->values, reduce_results(&a, kind));
    n++;
  } while (accept(p, ','));
  expect(p, ')', "',' or ')'");
  return n;
}

static void parse_steps(Parser *p, const Draft *d, u32 rank) {
  Applied a;
  u32 n = 0;
  if (p->failed || !applied_init(&a, p, d, NULL, (Range){0, 0})) return;
  if (accept_word(p, "step")) {
    expect(p, '(', "'('");
    do {
      i64 step = parse_integer(p);
      if (step < 1) fail(p, d->loc, COMP_TEXT_NUMBER, "the step must be at least 1");
      if (!p->failed) vec_push(&p->values, number(&a, step));
      n++;
    } while (!p->failed && accept(p, ','));
    expect(p, ')', "',' or ')'");
  } else {
    for (; n < rank; n++) vec_push(&p->values, number(&a, 1));
  }
  if (n != rank) fail(p, d->loc, COMP_TEXT_COUNT, "%u loop variables, but %u steps", rank, n);
}

typedef Vec(const Reduction *) Reductions;

static void parse_reductions(Parser *p, Reductions *out) {
  expect(p, '(', "'('");
  do {
    Loc loc = loc_here(p);
    const Str *name = parse_string(p);
    if (p->failed) return;
    vec_push(out, find_reduction(p, loc, (Span){name->text, name->len}));
  } while (!p->failed && accept(p, ','));
  expect(p, ')', "',' or ')'");
}

/* Replaces the yield that ends the body by an scf.reduce of the same values, with a region for
 * each. */
static void end_parallel(Parser *p, Op *op, const Reductions *list) {
  Block *body = op->regions[0].last;
  Op *yield = body ? body->last : NULL;
  if (!yield || yield->kind != OP_SCF_YIELD || yield->noperands != op->nresults) {
    fail(p, op->loc, COMP_TEXT_COUNT, "expected an affine.yield of %u values at the end",
         op->nresults);
    return;
  }
  Value **values = NEW_ARRAY(p->m->arena, Value *, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) values[i] = op_operand(yield, i);
  Op *reduce = op_new(p->m, OP_SCF_REDUCE, op->loc, values, op->nresults, NULL, 0, op->nresults);
  for (u32 i = 0; i < list->len; i++) {
    const Type *type = op_result(op, i)->type;
    Block *block = block_new(p->m, &reduce->regions[i]);
    Builder b = {.m = p->m, .block = block, .loc = op->loc};
    Value *sides[2];
    for (u32 k = 0; k < 2; k++) sides[k] = block_add_arg(p->m, block, type, NULL, op->loc);
    Value *combined = build_1(&b, list->at[i]->kind, type, sides, 2);
    build_op(&b, OP_SCF_REDUCE_RETURN, &combined, 1, NULL, 0, 0);
  }
  copy_attrs(p, reduce, yield);
  op_erase(yield);
  op_append(body, reduce);
}

/* affine.parallel (%i, %j) = (0, 0) to (%n, 8) step (1, 2) reduce ("addf") -> (f32) { ... } */
static Op *parse_parallel(Parser *p, Draft *d) {
  Range args = parse_loop_variables(p), types = {0, 0};
  Reductions wanted = {0};
  Applied a;
  Op *op = NULL;
  expect(p, '=', "'='");
  u32 lower = parse_bounds(p, d, OP_ARITH_MAXSI);
  expect_word(p, "to");
  u32 upper = parse_bounds(p, d, OP_ARITH_MINSI);
  if (lower != args.n || upper != args.n)
    fail(p, d->loc, COMP_TEXT_COUNT, "%u loop variables, but %u bounds", args.n,
         lower != args.n ? lower : upper);
  parse_steps(p, d, args.n);
  if (accept_word(p, "reduce")) {
    parse_reductions(p, &wanted);
    expect_arrow(p);
    types = parse_result_types(p);
    if (types.n != wanted.len)
      fail(p, d->loc, COMP_TEXT_COUNT, "%zu reductions, but %u types", wanted.len, types.n);
  }
  if (!p->failed && types.n == wanted.len && applied_init(&a, p, d, NULL, (Range){0, 0})) {
    for (u32 i = 0; i < types.n && !p->failed; i++)
      vec_push(&p->values, neutral(&a, d, wanted.at[i], type_in(p, types, i)));
    give_segments(p, (u32[]){args.n, args.n, args.n, types.n}, 4);
    d->kind = OP_SCF_PARALLEL;
    op = finish_with_region(p, d, types, args, types.n ? OP_UNREGISTERED : OP_SCF_YIELD);
  }
  if (op && !p->failed) end_parallel(p, op, &wanted);
  vec_free(&wanted);
  return op;
}

/* ---- by name --------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  ParseFn *parse;
} rows[] = {
    {"affine.apply", parse_apply},
    {"affine.for", parse_for},
    {"affine.if", parse_if},
    {"affine.load", parse_load},
    {"affine.max", parse_max},
    {"affine.min", parse_min},
    {"affine.parallel", parse_parallel},
    {"affine.store", parse_store},
    {"affine.yield", parse_yield},
    {"memref.atomic_rmw", parse_atomic_rmw},
};

ParseFn *affine_parser(Span name) {
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    if (span_is(name, rows[i].name)) return rows[i].parse;
  return NULL;
}

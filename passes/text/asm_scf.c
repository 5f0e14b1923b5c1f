/* asm_scf.c -- structured control flow.
 *
 * A region that yields nothing is written without its terminator; the parser adds it. The form of
 * LLVM 16 is upgraded: an scf.parallel ended in scf.yield and had an scf.reduce for each result,
 * where now one scf.reduce ends it. */
#include "text/asm_lists.h"

/* ---- `(%a = %x, %b = %y)` -------------------------------------------------------------------- */

/* Reads `%a = %x, ...` up to `)`: names onto p->args (still without types), initial values onto
 * p->operands. */
static Range parse_assignments(Parser *p, Range *args) {
  Range inits = {(u32)p->operands.len, 0};
  args->first = (u32)p->args.len;
  if (!at(p, ')')) {
    do {
      parse_arg(p, false);
      expect(p, '=', "'=' and an initial value");
      vec_push(&p->operands, parse_operand(p));
    } while (accept(p, ','));
  }
  expect(p, ')', "',' or ')'");
  args->n = (u32)p->args.len - args->first;
  inits.n = (u32)p->operands.len - inits.first;
  return inits;
}

/* Sets the types of these arguments. */
static void give_arg_types(Parser *p, Range args, Range types, Loc loc) {
  if (args.n != types.n)
    fail(p, loc, COMP_TEXT_COUNT, "%u value%s but %u type%s", args.n, plural(args.n), types.n,
         plural(types.n));
  for (u32 i = 0; i < args.n && i < types.n; i++)
    p->args.at[args.first + i].type = type_in(p, types, i);
}

Range parse_carried(Parser *p, Range *args, Range *types) {
  Range carried;
  expect(p, '(', "'('");
  Range inits = parse_assignments(p, &carried);
  expect_arrow(p);
  Loc loc = loc_here(p);
  *types = parse_result_types(p);
  give_arg_types(p, carried, *types, loc);
  args->n += carried.n;
  return inits;
}

/* `(%a = %x, %b = %y)`: n arguments of a block from `first_arg` and n operands from `first`. */
static void print_assignments(Printer *pr, const Block *block, u32 first_arg, const Op *op,
                              u32 first, u32 n) {
  put_char(pr->out, '(');
  for (u32 i = 0; i < n; i++) {
    if (i) PUT(pr->out, ", ");
    if (block && first_arg + i < block->nargs) print_value(pr, block->args[first_arg + i]);
    PUT(pr->out, " = ");
    print_operand(pr, op, first + i);
  }
  put_char(pr->out, ')');
}

/* ---- for ------------------------------------------------------------------------------------- */

/* scf.for unsigned %i = %lb to %ub step %s iter_args(%a = %x) -> (f32) : i32 { ... } {attrs} */
Op *parse_scf_for(Parser *p, Draft *d) {
  if (accept_word(p, "unsigned")) give_attr(p, WORD_UNSIGNED_CMP, attr_unit(p->ctx));
  Range args = {(u32)p->args.len, 1}, types = {0, 0};
  parse_arg(p, false);
  expect(p, '=', "'='");
  Operand lower = parse_operand(p);
  expect_word(p, "to");
  Operand upper = parse_operand(p);
  expect_word(p, "step");
  Operand step = parse_operand(p);
  Range inits = {0, 0};
  if (accept_word(p, "iter_args")) inits = parse_carried(p, &args, &types);
  const Type *type = accept(p, ':') ? parse_type(p) : type_index(p->ctx);
  if (p->failed) return NULL;
  p->args.at[args.first].type = type;
  take(p, lower, type);
  take(p, upper, type);
  take(p, step, type);
  take_each(p, inits, types, d->loc);
  return finish_with_region(p, d, types, args, types.n ? OP_UNREGISTERED : OP_SCF_YIELD);
}

void print_scf_for(Printer *pr, const Op *op) {
  const Block *body = op->regions[0].first;
  u32 carried = op->noperands - 3;
  if (op->nattrs && op_attr(op, "unsignedCmp")) PUT(pr->out, " unsigned");
  put_char(pr->out, ' ');
  if (body && body->nargs) print_value(pr, body->args[0]);
  PUT(pr->out, " = ");
  print_operand(pr, op, 0);
  PUT(pr->out, " to ");
  print_operand(pr, op, 1);
  PUT(pr->out, " step ");
  print_operand(pr, op, 2);
  if (carried) {
    PUT(pr->out, " iter_args");
    print_assignments(pr, body, 1, op, 3, carried);
    PUT(pr->out, " -> (");
    print_operand_types(pr, op, 3, carried);
    put_char(pr->out, ')');
  }
  put_char(pr->out, ' ');
  const Type *type = op_operand(op, 0)->type;
  if (type->kind != TYPE_INDEX) {
    PUT(pr->out, " : ");
    print_type(pr, type);
    put_char(pr->out, ' ');
  }
  print_region(pr, &op->regions[0], carried ? 0 : NO_TERMINATOR);
  print_attrs(pr, op, "unsignedCmp");
}

/* ---- while ----------------------------------------------------------------------------------- */

/* scf.while (%a = %x) : (i32) -> f32 { ... } do { ... } attributes {...} */
Op *parse_scf_while(Parser *p, Draft *d) {
  Range args = {(u32)p->args.len, 0}, inits = {0, 0};
  if (accept(p, '(')) inits = parse_assignments(p, &args);
  expect(p, ':', "':' and the types of the loop");
  Loc loc = loc_here(p);
  Range types = parse_types_in_parens(p);
  expect_arrow(p);
  Range results = parse_result_types(p);
  give_arg_types(p, args, types, loc);
  take_each(p, inits, types, loc);
  u32 mark = (u32)p->attrs.len;
  Op *op = finish(p, d, results, 2);
  if (!op) return NULL;
  parse_region(p, d->kind, &op->regions[0], args);
  expect_word(p, "do");
  parse_region(p, d->kind, &op->regions[1], (Range){0, 0});
  parse_attrs_with_keyword(p);
  add_late_attrs(p, op, mark);
  return op;
}

void print_scf_while(Printer *pr, const Op *op) {
  if (op->noperands) {
    put_char(pr->out, ' ');
    print_assignments(pr, op->regions[0].first, 0, op, 0, op->noperands);
  }
  PUT(pr->out, " : ");
  print_signature(pr, op);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], 0);
  PUT(pr->out, " do ");
  print_region(pr, &op->regions[1], ENTRY_ARGS);
  print_attrs_with_keyword(pr, op, "");
}

/* ---- index_switch ---------------------------------------------------------------------------- */

/* Result types without parentheses; scf.index_switch is the only op that writes several so. */
static Range parse_bare_types(Parser *p) {
  Range types = parse_result_types(p);
  while (accept(p, ',')) types.n += parse_result_types(p).n;
  return types;
}

/* scf.index_switch %i {attrs} -> i32
 * case 2 { ... }
 * default { ... }
 * The default's region comes first in the op. */
Op *parse_scf_index_switch(Parser *p, Draft *d) {
  Vec(i64) cases = {0};
  take(p, parse_operand(p), type_index(p->ctx));
  parse_attrs(p);
  Range types = {0, 0};
  if (accept_arrow(p)) types = parse_bare_types(p);
  while (accept_word(p, "case")) {
    vec_push(&cases, parse_integer(p));
    parse_detached_region(p, d->kind, (Range){0, 0});
  }
  expect_word(p, "default");
  parse_detached_region(p, d->kind, (Range){0, 0});
  give_attr(p, WORD_CASES,
            attr_dense_array(p->ctx, type_int(p->ctx, 64, SIGNLESS), cases.at, (u32)cases.len));
  u32 n = (u32)cases.len;
  vec_free(&cases);
  Op *op = finish(p, d, types, n + 1);
  for (u32 i = 0; op && i <= n; i++) {
    Region *region = &op->regions[i == n ? 0 : i + 1];
    take_region_body(region, p->regions.at[d->regions + i]);
    if (types.n == 0) ensure_terminator(p, region, OP_SCF_YIELD);
  }
  return op;
}

void print_scf_index_switch(Printer *pr, const Op *op) {
  const Attr *cases = op_attr(op, "cases");
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  print_attrs(pr, op, "cases");
  if (op->nresults) PUT(pr->out, " -> ");
  print_result_types(pr, op);
  put_char(pr->out, ' ');
  for (u32 i = 1; i < op->nregions; i++) {
    put_char(pr->out, '\n');
    print_indent(pr);
    PUT(pr->out, "case ");
    if (cases && cases->kind == ATTR_DENSE_ARRAY && i <= cases->n)
      buf_i64(pr->out, cases->ints[i - 1]);
    put_char(pr->out, ' ');
    print_region(pr, &op->regions[i], 0);
  }
  put_char(pr->out, '\n');
  print_indent(pr);
  PUT(pr->out, "default ");
  print_region(pr, &op->regions[0], op->nresults ? 0 : NO_TERMINATOR);
}

/* ---- parallel -------------------------------------------------------------------------------- */

Range parse_loop_variables(Parser *p) {
  Range args = {(u32)p->args.len, 0};
  expect(p, '(', "'('");
  if (!at(p, ')')) do
      parse_arg(p, false);
    while (accept(p, ','));
  expect(p, ')', "',' or ')'");
  args.n = (u32)p->args.len - args.first;
  for (u32 i = 0; i < args.n; i++) p->args.at[args.first + i].type = type_index(p->ctx);
  return args;
}

/* ` (%i, %j)` of the first n arguments. */
static void print_loop_variables(Printer *pr, const Block *body, u32 n) {
  PUT(pr->out, " (");
  for (u32 i = 0; body && i < n && i < body->nargs; i++) {
    if (i) PUT(pr->out, ", ");
    print_value(pr, body->args[i]);
  }
  put_char(pr->out, ')');
}

/* scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%x) -> f32 { ... } {attrs} */
Op *parse_scf_parallel(Parser *p, Draft *d) {
  Range args = parse_loop_variables(p);
  expect(p, '=', "'='");
  Range bounds[3];
  bounds[0] = parse_operand_list(p);
  expect_word(p, "to");
  bounds[1] = parse_operand_list(p);
  expect_word(p, "step");
  bounds[2] = parse_operand_list(p);
  Range inits = {0, 0}, types = {0, 0};
  if (accept_word(p, "init")) inits = parse_operand_list(p);
  Loc loc = loc_here(p);
  if (accept_arrow(p)) types = parse_result_types(p);
  for (u32 i = 0; i < 3; i++) {
    if (bounds[i].n != args.n)
      fail(p, d->loc, COMP_TEXT_COUNT, "%u loop variables, but %u bounds or steps", args.n,
           bounds[i].n);
    take_all(p, bounds[i], type_index(p->ctx));
  }
  take_each(p, inits, types, loc);
  give_segments(p, (u32[]){args.n, args.n, args.n, inits.n}, 4);
  Op *op = finish_with_region(p, d, types, args, OP_UNREGISTERED);
  if (op) normalise_parallel(p, op);
  return op;
}

void print_scf_parallel(Printer *pr, const Op *op) {
  const Block *body = op->regions[0].first;
  u32 inits = op->nresults, rank = (op->noperands - inits) / 3;
  print_loop_variables(pr, body, body ? body->nargs : 0);
  PUT(pr->out, " = ");
  print_operand_list(pr, op, 0, rank);
  PUT(pr->out, " to ");
  print_operand_list(pr, op, rank, rank);
  PUT(pr->out, " step ");
  print_operand_list(pr, op, 2 * rank, rank);
  if (inits) PUT(pr->out, " init ");
  if (inits) print_operand_list(pr, op, 3 * rank, inits);
  print_arrow_results(pr, op);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], 0);
  print_attrs(pr, op, "operandSegmentSizes");
}

/* Upgrades a body that does not end in its only scf.reduce: merges all of them into one at the
 * end. */
void normalise_parallel(Parser *p, Op *op) {
  Region *region = op->nregions ? &op->regions[0] : NULL;
  if (p->failed || !region) return;
  if (!region->first) block_new(p->m, region);
  Block *body = region->last;
  Vec(Value *) values = {0};
  Vec(Region *) regions = {0};
  u32 reduces = 0;
  bool ends_in_reduce = body->last && body->last->kind == OP_SCF_REDUCE;
  for_each_op (inner, body) {
    if (inner->kind != OP_SCF_REDUCE) continue;
    reduces++;
    for (u32 i = 0; i < inner->noperands; i++) vec_push(&values, op_operand(inner, i));
    for (u32 i = 0; i < inner->nregions; i++) vec_push(&regions, &inner->regions[i]);
  }
  bool ends_wrong = body->last && !ends_in_reduce && op_has_trait(body->last, TRAIT_TERMINATOR) &&
                    (body->last->kind != OP_SCF_YIELD || body->last->noperands);
  if (!ends_wrong && !(ends_in_reduce && reduces == 1) && regions.len <= UINT16_MAX) {
    if (body->last && body->last->kind == OP_SCF_YIELD) op_unlink(body->last);
    Op *reduce =
        op_new(p->m, OP_SCF_REDUCE, op->loc, values.at, (u32)values.len, NULL, 0, (u32)regions.len);
    for (u32 i = 0; i < regions.len; i++) take_region_body(&reduce->regions[i], regions.at[i]);
    for_each_op_safe (inner, body)
      if (inner->kind == OP_SCF_REDUCE) op_erase(inner);
    op_append(body, reduce);
  }
  vec_free(&values);
  vec_free(&regions);
}

/* scf.reduce(%a, %b : f32, i32) { ^bb0(...): ... }, { ... }
 * and until LLVM 17 scf.reduce(%a) : f32 { ... } */
Op *parse_scf_reduce(Parser *p, Draft *d) {
  Range operands = {0, 0};
  if (accept(p, '(')) {
    operands = parse_operands(p);
    Range types = {(u32)p->types.len, 0};
    Loc loc = loc_here(p);
    if (accept(p, ':')) {
      types = parse_types(p);
      expect(p, ')', "')'");
    } else {
      expect(p, ')', "':' or ')'");
      loc = loc_here(p);
      if (operands.n && expect(p, ':', "':'")) types = parse_types(p);
    }
    take_each(p, operands, types, loc);
  }
  if (operands.n && at(p, '{')) do /* without operands it is {attributes} */
      parse_detached_region(p, d->kind, (Range){0, 0});
    while (accept(p, ','));
  u32 mark = (u32)p->attrs.len, n = (u32)p->regions.len - d->regions;
  Op *op = finish(p, d, (Range){0, 0}, n);
  if (!op) return NULL;
  for (u32 i = 0; i < n; i++) take_region_body(&op->regions[i], p->regions.at[d->regions + i]);
  parse_late_attrs(p, op, mark);
  return op;
}

void print_scf_reduce(Printer *pr, const Op *op) {
  if (op->noperands) {
    put_char(pr->out, '(');
    print_operands(pr, op, 0, op->noperands);
    PUT(pr->out, " : ");
    print_operand_types(pr, op, 0, op->noperands);
    put_char(pr->out, ')');
  }
  put_char(pr->out, ' ');
  for (u32 i = 0; i < op->nregions; i++) {
    if (i) PUT(pr->out, ", ");
    print_region(pr, &op->regions[i], ENTRY_ARGS);
  }
  print_attrs(pr, op, "");
}

/* ---- forall ---------------------------------------------------------------------------------- */

/* array<i64: ...> of n equal numbers. */
static const Attr *repeated(Parser *p, i64 value, u32 n) {
  i64 *values = mem_alloc(mem_size(n, sizeof *values));
  for (u32 i = 0; i < n; i++) values[i] = value;
  const Attr *attr = attr_dense_array(p->ctx, type_int(p->ctx, 64, SIGNLESS), values, n);
  mem_free(values);
  return attr;
}

static u32 parse_bounds(Parser *p, Word word, u32 rank) {
  Loc loc = loc_here(p);
  IndexList list = parse_index_list(p, '(');
  if (!p->failed && list.statics->n != rank)
    fail(p, loc, COMP_TEXT_COUNT, "%u loop variables, but %u bounds or steps", rank,
         list.statics->n);
  give_attr(p, word, list.statics);
  take_all(p, list.operands, type_index(p->ctx));
  return list.operands.n;
}

/* scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) { ... } {mapping = [...]}
 * scf.forall (%i) = (0) to (%n) step (1) { ... } */
Op *parse_scf_forall(Parser *p, Draft *d) {
  Range args = parse_loop_variables(p), inits = {0, 0}, types = {0, 0};
  u32 sizes[4] = {0};
  u32 rank = args.n;
  if (accept_word(p, "in")) {
    sizes[1] = parse_bounds(p, WORD_STATIC_UPPER, rank);
    give_attr(p, WORD_STATIC_LOWER, repeated(p, 0, p->failed ? 0 : rank));
    give_attr(p, WORD_STATIC_STEP, repeated(p, 1, p->failed ? 0 : rank));
  } else {
    expect(p, '=', "'in' or '='");
    sizes[0] = parse_bounds(p, WORD_STATIC_LOWER, rank);
    expect_word(p, "to");
    sizes[1] = parse_bounds(p, WORD_STATIC_UPPER, rank);
    expect_word(p, "step");
    sizes[2] = parse_bounds(p, WORD_STATIC_STEP, rank);
  }
  if (accept_word(p, "shared_outs")) inits = parse_carried(p, &args, &types);
  take_each(p, inits, types, d->loc);
  sizes[3] = inits.n;
  give_segments(p, sizes, 4);
  Op *op = finish_with_region(p, d, types, args, OP_UNREGISTERED);
  if (op && types.n == 0 && op->regions[0].last && !p->failed) {
    Block *body = op->regions[0].last;
    if (!body->last || !op_has_trait(body->last, TRAIT_TERMINATOR)) {
      Op *end = op_new(p->m, OP_SCF_FORALL_IN_PARALLEL, d->loc, NULL, 0, NULL, 0, 1);
      block_new(p->m, &end->regions[0]);
      op_append(body, end);
    }
  }
  return op;
}

static bool all_are(const Attr *attr, i64 value) {
  for (u32 i = 0; attr && i < attr->n; i++)
    if (attr->ints[i] != value) return false;
  return true;
}

void print_scf_forall(Printer *pr, const Op *op) {
  const Attr *lower = op_attr(op, "staticLowerBound"), *upper = op_attr(op, "staticUpperBound"),
             *step = op_attr(op, "staticStep");
  const Block *body = op->regions[0].first;
  u32 rank = upper ? upper->n : 0, next = 0;
  print_loop_variables(pr, body, rank);
  if (all_are(lower, 0) && all_are(step, 1)) {
    PUT(pr->out, " in ");
    print_index_list(pr, op, upper, &next, '(');
  } else {
    PUT(pr->out, " = ");
    print_index_list(pr, op, lower, &next, '(');
    PUT(pr->out, " to ");
    print_index_list(pr, op, upper, &next, '(');
    PUT(pr->out, " step ");
    print_index_list(pr, op, step, &next, '(');
  }
  if (op->noperands > next) {
    PUT(pr->out, " shared_outs");
    print_assignments(pr, body, rank, op, next, op->noperands - next);
  }
  print_arrow_list(pr, op);
  put_char(pr->out, ' ');
  print_region(pr, &op->regions[0], op->nresults ? 0 : NO_TERMINATOR);
  print_attrs(pr, op, "operandSegmentSizes staticLowerBound staticStep staticUpperBound");
}

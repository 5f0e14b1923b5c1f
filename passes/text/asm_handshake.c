/* asm_handshake.c -- CIRCT's handshake dialect.
 *
 *     handshake.func @f(%a: i32, %start: none, ...) -> (i32, none)
 *         attributes {argNames = ["a", "start"], resNames = ["out", "done"]} { ... }
 *     %t, %f = handshake.cond_br %c, %v : i32
 *     %d, %addr = handshake.load [%i] %data, %go : index, i32
 *     %m:3 = handshake.memory[ld = 1, st = 1] (%sd, %sa, %la) {id = 0 : i32, lsq = false}
 *                : memref<64xi32>, (i32, index, index) -> (i32, none, none)
 *
 * Inside handshake.func the prefix may be left out on input. What CIRCT's versions differ in is
 * read either way: the index type of control_merge, one type or all of them after join, the type
 * of source. */
#include "text/asm_func.h"

enum { MAX_COUNT = 1 << 16 };

/* ---- functions ------------------------------------------------------------------------------- */

Op *parse_HANDSHAKE_FUNC(Parser *p, Draft *d) {
  return parse_function(p, d, true);
}
void print_HANDSHAKE_FUNC(Printer *pr, const Op *op) {
  print_function(pr, op, true);
}

Op *parse_HANDSHAKE_RETURN(Parser *p, Draft *d) {
  return parse_values_and_types(p, d);
}
void print_HANDSHAKE_RETURN(Printer *pr, const Op *op) {
  print_values_and_types(pr, op);
}

/* handshake.instance @f(%a) {attrs} : (i32) -> i32 */
Op *parse_HANDSHAKE_INSTANCE(Parser *p, Draft *d) {
  return parse_call(p, d, WORD_MODULE);
}
void print_HANDSHAKE_INSTANCE(Printer *pr, const Op *op) {
  print_call(pr, op, "module");
}

/* ---- shared shapes --------------------------------------------------------------------------- */

/* `[n]`: how many results or slots. */
static u32 parse_size(Parser *p) {
  expect(p, '[', "'[' and a number");
  Loc loc = loc_here(p);
  u32 n = parse_count(p, MAX_COUNT, "this number");
  if (n == 0 && !p->failed) fail(p, loc, COMP_TEXT_COUNT, "this number must be at least 1");
  expect(p, ']', "']'");
  return n;
}

static Op *finish_copies(Parser *p, Draft *d, const Type *type, u32 n) {
  Range types = {(u32)p->types.len, n};
  if (p->failed) return NULL;
  for (u32 i = 0; i < n; i++) vec_push(&p->types, type);
  return finish(p, d, types, 0);
}

/* %a, %b {attrs} : T -- operands of one type, `nresults` results of it */
static Op *parse_uniform(Parser *p, Draft *d, u32 nresults) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  const Type *type = colon_type(p);
  take_all(p, operands, type);
  return finish_copies(p, d, type, nresults);
}

static void print_uniform(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  if (op->noperands) print_operand_types(pr, op, 0, 1);
}

Op *parse_HANDSHAKE_BR(Parser *p, Draft *d) {
  return parse_uniform(p, d, 1);
}
void print_HANDSHAKE_BR(Printer *pr, const Op *op) {
  print_uniform(pr, op);
}
Op *parse_HANDSHAKE_SINK(Parser *p, Draft *d) {
  return parse_uniform(p, d, 0);
}
void print_HANDSHAKE_SINK(Printer *pr, const Op *op) {
  print_uniform(pr, op);
}
Op *parse_HANDSHAKE_MERGE(Parser *p, Draft *d) {
  return parse_uniform(p, d, 1);
}
void print_HANDSHAKE_MERGE(Printer *pr, const Op *op) {
  print_uniform(pr, op);
}

/* handshake.fork [2] %a : i32 */
Op *parse_HANDSHAKE_FORK(Parser *p, Draft *d) {
  u32 n = parse_size(p);
  return parse_uniform(p, d, n);
}

void print_HANDSHAKE_FORK(Printer *pr, const Op *op) {
  PUT(pr->out, " [");
  put_number(pr->out, op->nresults);
  put_char(pr->out, ']');
  print_uniform(pr, op);
}

Op *parse_HANDSHAKE_LAZY_FORK(Parser *p, Draft *d) {
  return parse_HANDSHAKE_FORK(p, d);
}
void print_HANDSHAKE_LAZY_FORK(Printer *pr, const Op *op) {
  print_HANDSHAKE_FORK(pr, op);
}

/* ---- choice ---------------------------------------------------------------------------------- */

/* handshake.cond_br %c, %v : i32 */
Op *parse_HANDSHAKE_COND_BR(Parser *p, Draft *d) {
  Operand condition = parse_operand(p);
  expect(p, ',', "','");
  Operand value = parse_operand(p);
  parse_attrs(p);
  const Type *type = colon_type(p);
  vec_push(&p->values, resolve_any(p, condition, type_i1(p->ctx)));
  take(p, value, type);
  return finish_copies(p, d, type, 2);
}

void print_HANDSHAKE_COND_BR(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_operand_types(pr, op, 1, 1);
}

/* handshake.mux %s [%a, %b] : index, i32 */
Op *parse_HANDSHAKE_MUX(Parser *p, Draft *d) {
  Operand select = parse_operand(p);
  expect(p, '[', "'['");
  Range operands = parse_operands(p);
  expect(p, ']', "',' or ']'");
  parse_attrs(p);
  take(p, select, colon_type(p));
  expect(p, ',', "',' and the type of the values");
  const Type *type = parse_type(p);
  take_all(p, operands, type);
  return finish_one(p, d, type);
}

void print_HANDSHAKE_MUX(Printer *pr, const Op *op) {
  put_char(pr->out, ' ');
  print_operand(pr, op, 0);
  PUT(pr->out, " [");
  print_operands(pr, op, 1, op->noperands - 1);
  put_char(pr->out, ']');
  print_attrs(pr, op, "");
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, ", ");
  print_type(pr, op->results[0].type);
}

/* handshake.control_merge %a, %b : none, index */
Op *parse_HANDSHAKE_CONTROL_MERGE(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  const Type *type = colon_type(p);
  const Type *index = accept(p, ',') ? parse_type(p) : type_index(p->ctx);
  take_all(p, operands, type);
  Range types = {(u32)p->types.len, 2};
  vec_push(&p->types, type);
  vec_push(&p->types, index);
  return finish(p, d, types, 0);
}

void print_HANDSHAKE_CONTROL_MERGE(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_result_types(pr, op);
}

/* ---- tokens without values ------------------------------------------------------------------- */

/* handshake.join %a, %b : i32, none; one type for all is read too */
Op *parse_HANDSHAKE_JOIN(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  expect(p, ':', "':' and the types of the values");
  Loc loc = loc_here(p);
  Range types = parse_types(p);
  if (types.n == 1)
    take_all(p, operands, type_in(p, types, 0));
  else
    take_each(p, operands, types, loc);
  return finish_one(p, d, type_none(p->ctx));
}

static void print_operands_and_types(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_operand_types(pr, op, 0, op->noperands);
}

void print_HANDSHAKE_JOIN(Printer *pr, const Op *op) {
  print_operands_and_types(pr, op);
}

/* handshake.sync %a, %b : i32, none */
Op *parse_HANDSHAKE_SYNC(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  expect(p, ':', "':' and the types of the values");
  Loc loc = loc_here(p);
  Range types = parse_types(p);
  take_each(p, operands, types, loc);
  return finish(p, d, types, 0);
}

void print_HANDSHAKE_SYNC(Printer *pr, const Op *op) {
  print_operands_and_types(pr, op);
}

/* handshake.source */
Op *parse_HANDSHAKE_SOURCE(Parser *p, Draft *d) {
  parse_attrs(p);
  return finish_one(p, d, accept(p, ':') ? parse_type(p) : type_none(p->ctx));
}

void print_HANDSHAKE_SOURCE(Printer *pr, const Op *op) {
  print_attrs(pr, op, "");
  if (op->results[0].type->kind == TYPE_NONE) return;
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

/* handshake.never : i32 */
Op *parse_HANDSHAKE_NEVER(Parser *p, Draft *d) {
  parse_attrs(p);
  return finish_one(p, d, colon_type(p));
}

void print_HANDSHAKE_NEVER(Printer *pr, const Op *op) {
  print_attrs(pr, op, "");
  PUT(pr->out, " : ");
  print_type(pr, op->results[0].type);
}

/* handshake.constant %ctrl {value = 4 : i32} : i32 */
Op *parse_HANDSHAKE_CONSTANT(Parser *p, Draft *d) {
  Operand control = parse_operand(p);
  parse_attrs(p);
  vec_push(&p->values, resolve_any(p, control, type_none(p->ctx)));
  return finish_one(p, d, colon_type(p));
}

void print_HANDSHAKE_CONSTANT(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_type(pr, op->results[0].type);
}

/* handshake.buffer [2] seq %a {initValues = [1, 0]} : i32 */
Op *parse_HANDSHAKE_BUFFER(Parser *p, Draft *d) {
  u32 slots = parse_size(p);
  give_attr(p, WORD_SLOTS, attr_int(p->ctx, slots, type_int(p->ctx, 32, SIGNLESS)));
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "seq or fifo");
  if (!p->failed && !span_is(word, "seq") && !span_is(word, "fifo"))
    fail(p, loc, COMP_TEXT_SYNTAX, "a buffer is seq or fifo");
  give_attr(p, WORD_BUFFER_TYPE, attr_string(p->ctx, intern(p, word)));
  parse_attrs(p);
  return parse_uniform(p, d, 1);
}

void print_HANDSHAKE_BUFFER(Printer *pr, const Op *op) {
  const char *kind = op_attr_text(op, "bufferType");
  PUT(pr->out, " [");
  buf_i64(pr->out, op_attr_int(op, "slots", 1));
  PUT(pr->out, "] ");
  put_text(pr->out, kind ? kind : "seq");
  print_head(pr, op, op->noperands, "bufferType slots");
  print_type(pr, op->results[0].type);
}

/* `: tuple<i32, f32>`, its parts onto p->types; NULL after an error. */
static const Type *colon_tuple(Parser *p, Range *parts, Loc *loc) {
  expect(p, ':', "':' and a tuple type");
  *loc = loc_here(p);
  const Type *type = parse_type(p);
  if (!p->failed && type->kind != TYPE_TUPLE)
    fail(p, *loc, COMP_TEXT_TYPE, "expected a tuple type");
  if (p->failed) return NULL;
  *parts = (Range){(u32)p->types.len, type->nelems};
  for (u32 i = 0; i < type->nelems; i++) vec_push(&p->types, type->elems[i]);
  return type;
}

/* handshake.pack %a, %b : tuple<i32, f32> */
Op *parse_HANDSHAKE_PACK(Parser *p, Draft *d) {
  Range operands = parse_operands(p);
  parse_attrs(p);
  Range types;
  Loc loc;
  const Type *type = colon_tuple(p, &types, &loc);
  if (!type) return NULL;
  take_each(p, operands, types, loc);
  return finish_one(p, d, type);
}

void print_HANDSHAKE_PACK(Printer *pr, const Op *op) {
  print_head(pr, op, op->noperands, "");
  print_type(pr, op->results[0].type);
}

/* handshake.unpack %t : tuple<i32, f32> */
Op *parse_HANDSHAKE_UNPACK(Parser *p, Draft *d) {
  Operand operand = parse_operand(p);
  parse_attrs(p);
  Range types;
  Loc loc;
  const Type *type = colon_tuple(p, &types, &loc);
  if (!type) return NULL;
  take(p, operand, type);
  return finish(p, d, types, 0);
}

void print_HANDSHAKE_UNPACK(Printer *pr, const Op *op) {
  print_operands_and_types(pr, op);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* `[%i] %data, %ctrl : index, i32`: the last type is the data's, those before the addresses'; one
 * may stand for all of them. Results: data and addresses, in that order. */
static Op *parse_access(Parser *p, Draft *d) {
  expect(p, '[', "'[' and the addresses");
  Range addresses = parse_operands(p);
  expect(p, ']', "',' or ']'");
  Operand data = parse_operand(p);
  expect(p, ',', "','");
  Operand control = parse_operand(p);
  parse_attrs(p);
  expect(p, ':', "':' and the types of address and data");
  Loc loc = loc_here(p);
  Range types = parse_types(p);
  if (p->failed) return NULL;
  if (types.n < 2 || (types.n != 2 && types.n != addresses.n + 1)) {
    fail(p, loc, COMP_TEXT_COUNT, "expected the type of the addresses and the type of the data");
    return NULL;
  }
  const Type *type = type_in(p, types, types.n - 1);
  u32 step = types.n == 2 ? 0 : 1;
  for (u32 i = 0; i < addresses.n; i++)
    take(p, p->operands.at[addresses.first + i], type_in(p, types, i * step));
  take(p, data, type);
  vec_push(&p->values, resolve_any(p, control, type_none(p->ctx)));
  Range results = {(u32)p->types.len, addresses.n + 1};
  vec_push(&p->types, type);
  for (u32 i = 0; i < addresses.n; i++) {
    const Type *address = type_in(p, types, i * step);
    vec_push(&p->types, address);
  }
  return finish(p, d, results, 0);
}

static void print_access(Printer *pr, const Op *op) {
  u32 addresses = op->noperands - 2;
  PUT(pr->out, " [");
  print_operands(pr, op, 0, addresses);
  PUT(pr->out, "] ");
  print_operands(pr, op, addresses, 2);
  print_attrs(pr, op, "");
  PUT(pr->out, " : ");
  bool same = true;
  for (u32 i = 1; i < addresses; i++)
    same = same && op_operand(op, i)->type == op_operand(op, 0)->type;
  print_operand_types(pr, op, 0, same && addresses ? 1 : addresses);
  PUT(pr->out, ", ");
  print_operand_types(pr, op, addresses, 1);
}

Op *parse_HANDSHAKE_LOAD(Parser *p, Draft *d) {
  return parse_access(p, d);
}
void print_HANDSHAKE_LOAD(Printer *pr, const Op *op) {
  print_access(pr, op);
}
Op *parse_HANDSHAKE_STORE(Parser *p, Draft *d) {
  return parse_access(p, d);
}
void print_HANDSHAKE_STORE(Printer *pr, const Op *op) {
  print_access(pr, op);
}

/* [ld = 1, st = 2] */
static void parse_ports(Parser *p) {
  const Type *i32 = type_int(p->ctx, 32, SIGNLESS);
  expect(p, '[', "'['");
  expect_word(p, "ld");
  expect(p, '=', "'='");
  give_attr(p, WORD_LD_COUNT,
            attr_int(p->ctx, parse_count(p, MAX_COUNT, "the number of loads"), i32));
  expect(p, ',', "','");
  expect_word(p, "st");
  expect(p, '=', "'='");
  give_attr(p, WORD_ST_COUNT,
            attr_int(p->ctx, parse_count(p, MAX_COUNT, "the number of stores"), i32));
  expect(p, ']', "']'");
}

static void print_ports(Printer *pr, const Op *op) {
  PUT(pr->out, "[ld = ");
  buf_i64(pr->out, op_attr_int(op, "ldCount", 0));
  PUT(pr->out, ", st = ");
  buf_i64(pr->out, op_attr_int(op, "stCount", 0));
  PUT(pr->out, "] (");
}

/* `(%a, %b)` */
static Range parse_port_operands(Parser *p) {
  expect(p, '(', "'('");
  Range operands = parse_operands(p);
  expect(p, ')', "',' or ')'");
  return operands;
}

/* handshake.memory[ld = 1, st = 0] (%la) {id = 0 : i32, lsq = false} : memref<4xi32>, (index) ->
 * (..) */
Op *parse_HANDSHAKE_MEMORY(Parser *p, Draft *d) {
  parse_ports(p);
  Range operands = parse_port_operands(p);
  parse_attrs(p);
  give_attr(p, WORD_MEMREF_TYPE, attr_type(p->ctx, colon_type(p)));
  expect(p, ',', "',' and the types of the ports");
  Loc loc = loc_here(p);
  take_each(p, operands, parse_types_in_parens(p), loc);
  expect_arrow(p);
  return finish(p, d, parse_result_types(p), 0);
}

void print_HANDSHAKE_MEMORY(Printer *pr, const Op *op) {
  const Attr *type = op_attr(op, "memRefType");
  print_ports(pr, op);
  print_operands(pr, op, 0, op->noperands);
  put_char(pr->out, ')');
  print_attrs(pr, op, "ldCount memRefType stCount");
  PUT(pr->out, " : ");
  if (type) print_attr(pr, type);
  PUT(pr->out, ", ");
  print_signature(pr, op);
}

/* handshake.extmemory[ld = 1, st = 0] (%m : memref<4xi32>) (%la) {id = 0 : i32} : (index) -> (..)
 */
Op *parse_HANDSHAKE_EXTMEMORY(Parser *p, Draft *d) {
  parse_ports(p);
  expect(p, '(', "'(' and the memref");
  Operand memref = parse_operand(p);
  take(p, memref, colon_type(p));
  expect(p, ')', "')'");
  Range operands = parse_port_operands(p);
  parse_attrs(p);
  expect(p, ':', "':' and the types of the ports");
  Loc loc = loc_here(p);
  take_each(p, operands, parse_types_in_parens(p), loc);
  expect_arrow(p);
  return finish(p, d, parse_result_types(p), 0);
}

void print_HANDSHAKE_EXTMEMORY(Printer *pr, const Op *op) {
  print_ports(pr, op);
  print_operand(pr, op, 0);
  PUT(pr->out, " : ");
  print_operand_types(pr, op, 0, 1);
  PUT(pr->out, ") (");
  print_operands(pr, op, 1, op->noperands - 1);
  put_char(pr->out, ')');
  print_attrs(pr, op, "ldCount stCount");
  PUT(pr->out, " : (");
  print_operand_types(pr, op, 1, op->noperands - 1);
  PUT(pr->out, ") -> ");
  print_results_after_arrow(pr, op);
}

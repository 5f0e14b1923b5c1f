/* asm_lists.c -- lists that mix numbers and values, and attributes that come after regions.
 *
 *     [0, %n, 4]          static sizes array<i64: 0, DYNAMIC, 4>, and the operand %n
 *     ... { } {a = 1}     the op is made before its region is read; {a = 1} is added later */
#include "text/asm_lists.h"

IndexList parse_index_list(Parser *p, char open) {
  Vec(i64) statics = {0};
  IndexList list = {.operands.first = (u32)p->operands.len};
  char close = open == '[' ? ']' : ')';
  expect(p, open, open == '[' ? "'['" : "'('");
  if (!at(p, close)) {
    do {
      if (at(p, '%')) {
        vec_push(&p->operands, parse_operand(p));
        vec_push(&statics, DYNAMIC);
        list.operands.n++;
      } else {
        vec_push(&statics, parse_integer(p));
      }
    } while (accept(p, ','));
  }
  expect(p, close, open == '[' ? "',' or ']'" : "',' or ')'");
  list.statics =
      attr_dense_array(p->ctx, type_int(p->ctx, 64, SIGNLESS), statics.at, (u32)statics.len);
  vec_free(&statics);
  return list;
}

void print_index_list(Printer *pr, const Op *op, const Attr *statics, u32 *next, char open) {
  put_char(pr->out, open);
  for (u32 i = 0; statics && statics->kind == ATTR_DENSE_ARRAY && i < statics->n; i++) {
    if (i) PUT(pr->out, ", ");
    if (statics->ints[i] != DYNAMIC)
      buf_i64(pr->out, statics->ints[i]);
    else if (*next < op->noperands) /* ops that are not verified yet are printed, too */
      print_operand(pr, op, (*next)++);
  }
  put_char(pr->out, open == '[' ? ']' : ')');
}

void give_segments(Parser *p, const u32 *sizes, u32 n) {
  i64 values[MAX_SEGMENTS];
  assert(n <= MAX_SEGMENTS);
  for (u32 i = 0; i < n; i++) values[i] = sizes[i];
  give_attr(p, WORD_SEGMENTS, attr_dense_array(p->ctx, type_int(p->ctx, 32, SIGNLESS), values, n));
}

void add_late_attrs(Parser *p, Op *op, u32 mark) {
  if (p->attrs.len == mark || p->failed) return;
  for (u32 i = 0; i < op->nattrs; i++) vec_push(&p->attrs, op->attrs[i]);
  sort_attrs(p, mark, op->loc);
  u32 n = (u32)p->attrs.len - mark;
  if (n > UINT16_MAX) fail(p, op->loc, COMP_TEXT_COUNT, "more than %d attributes", UINT16_MAX);
  if (!p->failed) op_init_attrs(p->m, op, p->attrs.at + mark, n);
}

void parse_late_attrs(Parser *p, Op *op, u32 mark) {
  parse_attrs(p);
  add_late_attrs(p, op, mark);
}

Op *finish_with_region(Parser *p, Draft *d, Range types, Range args, OpKind terminator) {
  u32 mark = (u32)p->attrs.len;
  Op *op = finish(p, d, types, 1);
  if (!op) return NULL;
  parse_region(p, d->kind, &op->regions[0], args);
  if (terminator != OP_UNREGISTERED) ensure_terminator(p, &op->regions[0], terminator);
  parse_late_attrs(p, op, mark);
  return op;
}

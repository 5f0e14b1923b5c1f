/* values.c -- small questions about SCF values that several lowering stages ask, and the few
 * builders they share. */
#include "lower/stages.h"

bool value_is_literal(const Context *ctx, const Value *v, u64 *bits) {
  const Op *op = value_def(v);
  return op && op->noperands == 0 && type_is_scalar(v->type) && eval_constant(ctx, op, bits);
}

bool value_is_int(const Context *ctx, const Value *v, i64 *number) {
  u64 bits;
  if (type_is_float(v->type) || !value_is_literal(ctx, v, &bits)) return false;
  *number = eval_signed(bits, type_bits(ctx, v->type));
  return true;
}

bool value_is_outside(const Value *v, const Region *region) {
  const Block *block = value_block(v);
  while (block && block->region != region) {
    const Op *parent = block->region->parent;
    block = parent ? parent->block : NULL;
  }
  return !block;
}

Builder builder_before(Module *m, Op *op) {
  return (Builder){
      .m = m, .block = op->block, .before = op, .loc = op->loc, .loc_attr = op_loc_attr(op)};
}

Value *build_literal(Builder *b, u64 bits, const Type *type) {
  Context *ctx = b->m->ctx;
  Op *op = build_op(b, OP_ARITH_CONSTANT, NULL, 0, &type, 1, 0);
  const Attr *value = type_is_float(type)
                          ? attr_float_bits(ctx, bits, type)
                          : attr_int(ctx, eval_signed(bits, type_bits(ctx, type)), type);
  if (type_is_i1(type)) value = attr_bool(ctx, bits & 1);
  op_set_attr(b->m, op, "value", value);
  return op_result(op, 0);
}

Value *build_folded(Builder *b, OpKind kind, Value *x, Value *y) {
  Context *ctx = b->m->ctx;
  u64 in[2], out;
  bool x_known = value_is_literal(ctx, x, &in[0]), y_known = value_is_literal(ctx, y, &in[1]);
  const Type *types[2] = {x->type, y->type};
  if (x_known && y_known && eval_pure(ctx, kind, NULL, types, x->type, in, &out))
    return build_literal(b, out, x->type);
  if (kind == OP_ARITH_ADDI && x_known && in[0] == 0) return y;
  if ((kind == OP_ARITH_ADDI || kind == OP_ARITH_SUBI) && y_known && in[1] == 0) return x;
  if (kind == OP_ARITH_MULI && x_known && in[0] == 1) return y;
  if (kind == OP_ARITH_MULI && y_known && in[1] == 1) return x;
  if (kind == OP_ARITH_MULI && x_known && in[0] == 0) return x;
  if (kind == OP_ARITH_MULI && y_known && in[1] == 0) return y;
  return build_1(b, kind, x->type, (Value *[]){x, y}, 2);
}

void splice_region(Op *op, Region *region, Value *const *args) {
  Block *block = region_entry(region);
  Op *terminator = block_terminator(block);
  for (u32 i = 0; args && i < block->nargs; i++) value_replace_uses(block->args[i], args[i]);
  for (u32 i = 0; i < op->nresults; i++)
    value_replace_uses(op_result(op, i), op_operand(terminator, i));
  op_erase(terminator);
  while (block->first) {
    Op *inner = block->first;
    op_unlink(inner);
    op_insert_before(op, inner);
  }
  op_erase(op);
}

void walk_ops(Region *region, VisitFn *visit, void *data) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      visit(data, op);
      if (!op->block) continue; /* erased */
      for (u32 r = 0; r < op->nregions; r++) walk_ops(&op->regions[r], visit, data);
    }
}

/* values.c -- small helpers of the lowering stages: literals, builders, regions. See stages.h. */
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

const Attr *literal_attr(Context *ctx, u64 bits, const Type *type) {
  if (type_is_float(type)) return attr_float_bits(ctx, bits, type);
  if (type_is_i1(type)) return attr_bool(ctx, bits & 1);
  return attr_int(ctx, eval_signed(bits, type_bits(ctx, type)), type);
}

Value *build_literal(Builder *b, u64 bits, const Type *type) {
  Op *op = build_op(b, OP_ARITH_CONSTANT, NULL, 0, &type, 1, 0);
  op_set_attr(b->m, op, "value", literal_attr(b->m->ctx, bits, type));
  return op_result(op, 0);
}

Value *build_outside(Builder *b, Value *v, const Op *loop) {
  u64 bits;
  bool inside = op_is_inside(value_block(v)->region->parent, loop);
  return inside && value_is_literal(b->m->ctx, v, &bits) ? build_literal(b, bits, v->type) : v;
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
  return build_2(b, kind, x, y);
}

void set_operand_groups(Module *m, Op *op, const i64 *sizes, u32 n) {
  const Type *i32 = type_int(m->ctx, 32, SIGNLESS);
  op_set_attr(m, op, "operandSegmentSizes", attr_dense_array(m->ctx, i32, sizes, n));
}

void move_ops(Block *from, Block *to) {
  while (from->first) {
    Op *op = from->first;
    op_unlink(op);
    op_append(to, op);
  }
}

void move_ops_before(Block *from, Op *where) {
  while (from->first) {
    Op *op = from->first;
    op_unlink(op);
    op_insert_before(where, op);
  }
}

Op *build_if(Builder *b, Value *condition, Value *const *otherwise, u32 n, Builder *then) {
  const Type **types = NEW_ARRAY(b->m->arena, const Type *, n + (size_t)1);
  for (u32 i = 0; i < n; i++) types[i] = otherwise[i]->type;
  Op *made = build_op(b, OP_SCF_IF, &condition, 1, types, n, 2);
  Builder end = *b;
  end.before = NULL;
  end.block = block_new(b->m, &made->regions[0]);
  *then = end;
  if (!n) return made;
  end.block = block_new(b->m, &made->regions[1]);
  build_op(&end, OP_SCF_YIELD, otherwise, n, NULL, 0, 0);
  return made;
}

Block *build_for(Builder *b, Value *const *operands, u32 n) {
  const Type **types = NEW_ARRAY(b->m->arena, const Type *, n);
  for (u32 i = 3; i < n; i++) types[i - 3] = operands[i]->type;
  Op *loop = build_op(b, OP_SCF_FOR, operands, n, types, n - 3, 1);
  Block *body = block_new(b->m, &loop->regions[0]);
  block_add_arg(b->m, body, operands[0]->type, NULL, b->loc);
  for (u32 i = 3; i < n; i++) block_add_arg(b->m, body, operands[i]->type, NULL, b->loc);
  return body;
}

Value *build_loop_over(Builder *b, Value *size) {
  const Type *index = type_index(b->m->ctx);
  Value *range[3] = {build_int(b, 0, index), size, build_int(b, 1, index)};
  b->block = build_for(b, range, 3);
  b->before = NULL;
  b->before = build_op(b, OP_SCF_YIELD, NULL, 0, NULL, 0, 0);
  return b->block->args[0];
}

Value *build_tree(Builder *b, OpKind kind, Value **values, u32 n) {
  for (; n > 1; n = (n + 1) / 2)
    for (u32 i = 0; i < n; i += 2)
      values[i / 2] = i + 1 < n ? build_folded(b, kind, values[i], values[i + 1]) : values[i];
  return values[0];
}

const Type **types_of_results(Module *m, const Op *op) {
  const Type **types = NEW_ARRAY(m->arena, const Type *, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) types[i] = op->results[i].type;
  return types;
}

Value **result_values(Module *m, Op *op) {
  Value **values = NEW_ARRAY(m->arena, Value *, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) values[i] = op_result(op, i);
  return values;
}

void replace_op(Op *op, Op *by) {
  for (u32 i = 0; i < op->nresults; i++) value_replace_uses(op_result(op, i), op_result(by, i));
  op_erase(op);
}

void splice_region(Op *op, Region *region, Value *const *args) {
  Block *block = region_entry(region);
  Op *terminator = block_terminator(block);
  for (u32 i = 0; args && i < block->nargs; i++) value_replace_uses(block->args[i], args[i]);
  for (u32 i = 0; i < op->nresults; i++)
    value_replace_uses(op_result(op, i), op_operand(terminator, i));
  op_erase(terminator);
  move_ops_before(block, op);
  op_erase(op);
}

bool has_op(const Region *region, bool (*is)(const Op *op)) {
  for_each_block (block, region)
    for_each_op (op, block) {
      if (is(op)) return true;
      for (u32 r = 0; r < op->nregions; r++)
        if (has_op(&op->regions[r], is)) return true;
    }
  return false;
}

bool is_loop(const Op *op) {
  return op->kind == OP_SCF_FOR || op->kind == OP_SCF_WHILE;
}

bool is_repeatable(const Op *op) {
  return op_has_trait(op, TRAIT_PURE) && !op_has_trait(op, TRAIT_MAY_TRAP) && !op->nregions;
}

void walk_ops(Region *region, VisitFn *visit, void *data) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      visit(data, op);
      if (!op->block) continue; /* erased */
      for (u32 r = 0; r < op->nregions; r++) walk_ops(&op->regions[r], visit, data);
    }
}

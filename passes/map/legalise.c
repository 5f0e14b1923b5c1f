/* legalise.c -- a graph that the fabric's units can carry out, as the same graph.
 *
 *     %j = handshake.join %a, %b, %c, %d, %e : ...      with join units of at most 3 inputs:
 *
 *     %j_0 = handshake.join %a, %b, %c : none, none, none
 *     %j = handshake.join %d, %e, %j_0 : none, none, none
 *
 * A join gives a token when every operand has given one, so a tree of joins is the same join. The
 * operands stand in a queue; as long as there are more than a unit takes, the first of them become
 * a join at the end of the queue. Nobody is then joined again before all others were, which makes
 * the tree as low as it can be.
 *
 * Besides, what is no hardware of its own goes: `fork`, `lazy_fork` and `br` hand on what they get,
 * which is what wires and switches do anyway; a `sink` is a result that nothing uses. Where there
 * is no join unit of two inputs nothing can be done here: covering then says so. Linear. */
#include "map/map.h"

#include "ir/ir.h"

static u32 widest_join(const Adg *adg) {
  u32 widest = 0;
  for (u32 n = 0; n < adg->nnodes; n++)
    if (adg->nodes[n].kind == OP_HANDSHAKE_JOIN && adg->nodes[n].noperands > widest)
      widest = adg->nodes[n].noperands;
  return widest;
}

/* A name of a part of a join: after the join's, where it has one. */
static const Str *part_name(Context *ctx, const Op *join, u32 part) {
  const Str *name = op_result(join, 0)->name;
  return name ? str_printf(ctx, "%s_%u", name->text, part) : NULL;
}

static void split_join(Module *m, Op *join, u32 widest) {
  Vec(Value *) queue = {0};
  u32 first = 0, parts = 0;
  for (u32 i = 0; i < join->noperands; i++) vec_push(&queue, op_operand(join, i));
  while (queue.len - first > widest) {
    /* the lowest join is the one that may be small: all others are full */
    u32 left = (u32)queue.len - first, n = (left - widest) % (widest - 1);
    n = n ? n + 1 : widest;
    const Type *none = type_none(m->ctx);
    Op *part = op_new(m, OP_HANDSHAKE_JOIN, join->loc, queue.at + first, n, &none, 1, 0);
    op_set_loc_attr(m, part, op_loc_attr(join));
    op_result(part, 0)->name = part_name(m->ctx, join, parts++);
    op_insert_before(join, part);
    vec_push(&queue, op_result(part, 0));
    first += n;
  }
  op_set_operands(m, join, queue.at + first, (u32)queue.len - first);
  vec_free(&queue);
}

/* `op` only hands its operand on. */
static void remove_wire(Op *op) {
  Value *from = op_operand(op, 0);
  for (u32 r = 0; r < op->nresults; r++) value_replace_uses(op_result(op, r), from);
  op_erase(op);
}

void mapping_legalise(Module *module, Op *handshake_func, const Adg *adg) {
  u32 widest = widest_join(adg);
  for_each_op_safe (op, region_entry(&handshake_func->regions[0])) {
    switch ((OpKind)op->kind) {
    case OP_HANDSHAKE_FORK:
    case OP_HANDSHAKE_LAZY_FORK:
    case OP_HANDSHAKE_BR:
    case OP_HANDSHAKE_SINK: remove_wire(op); break;
    case OP_HANDSHAKE_JOIN:
      if (widest > 1 && op->noperands > widest) split_join(module, op, widest);
      break;
    default: break;
    }
  }
}

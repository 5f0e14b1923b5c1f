/* legalise.c -- rewrites a graph, in the IR, into one that the fabric's units can carry out.
 *
 *     %j = handshake.join %a, %b, %c, %d, %e : ...      with join units of at most 3 inputs:
 *
 *     %j_0 = handshake.join %a, %b, %c : none, none, none
 *     %j = handshake.join %d, %e, %j_0 : none, none, none
 *
 * A join gives a token when every operand has given one, so a tree of joins is the same join. The
 * operands stand in a queue; while there are more than a unit takes, the first of them become a
 * join, which goes to the end of the queue. So no result is joined again before all others have
 * been, and the tree is as low as possible.
 *
 * A literal needs no control token of its own where the token beside it can bring it:
 *
 *     %k = handshake.constant %go {value = 1}      %t = handshake.join %x : i32
 *     %y = arith.addi %x, %k                       %k = handshake.constant %t {value = 1}
 *                                                  %y = arith.addi %x, %k
 *
 * As many tokens come on %go as on %x, or the addition would leave some over. So where a unit of
 * the fabric holds these three operations, each use of the literal gets its own copy; the literal
 * and the control tokens that led to it are erased once they have no use.
 *
 * A loaded element goes from the memory to the load, which passes it on. Where the load takes
 * cycles, and so do hops between switches, its consumers take it directly from the memory, and the
 * load's result is discarded:
 *
 *     %x:2 = handshake.load [%i] %m#0, %go             %x:2 = handshake.load [%i] %m#0, %go
 *     %y = math.absi %x#0                              %y = math.absi %m#0
 *
 * A product of double length (mului_extended) by a literal, which -O1 makes of a division
 * (lower/divide.c), becomes products of halves where the fabric has no unit for it, but one for
 * `muli`:
 *
 *     p = low(x) * low(m)        q = high(x) * low(m) + high(p)       low  = x * m
 *                                r = low(x) * high(m) + low(q)        high = high(x) * high(m)
 *                                                                            + high(q) + high(r)
 *
 * Operations that need no hardware of their own are erased: `fork`, `lazy_fork` and `br` pass
 * tokens on, as wires and switches do anyway; a `sink` leaves its operand without a use. Where the
 * fabric has no join unit of two inputs, joins stay, and covering reports them (cover.c).
 *
 * Cost: linear in the graph, times the operations of the fabric's units for literals. */
#include "map/search.h"

#include "ir/eval.h"
#include "ir/ir.h"

static u32 widest_join(const Adg *adg) {
  u32 widest = 0;
  for (u32 n = 0; n < adg->nnodes; n++)
    if (adg->nodes[n].kind == OP_HANDSHAKE_JOIN && adg->nodes[n].noperands > widest)
      widest = adg->nodes[n].noperands;
  return widest;
}

/* The name of a part of an operation: after that of its result, where it has one. */
static const Str *part_name(Context *ctx, const Op *whole, u32 part) {
  const Str *name = op_result(whole, 0)->name;
  return name ? str_printf(ctx, "%s_%u", name->text, part) : NULL;
}

static void split_join(Module *m, Op *join, u32 widest) {
  Vec(Value *) queue = {0};
  u32 first = 0, parts = 0;
  for (u32 i = 0; i < join->noperands; i++) vec_push(&queue, op_operand(join, i));
  while (queue.len - first > widest) {
    /* only the first join may be small: all others are full */
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

/* Replaces an operation that only passes its operand on by the operand. One that feeds itself never
 * has a token: it stays, and covering refuses it. */
static void remove_wire(Op *op) {
  Value *from = op_operand(op, 0);
  if (value_def(from) == op) return;
  for (u32 r = 0; r < op->nresults; r++) value_replace_uses(op_result(op, r), from);
  op_erase(op);
}

/* ---- literals -------------------------------------------------------------------------------- */

/* Some unit has an operation of this kind whose operand `operand`, of this type, is a literal
 * triggered by the token of another operand. */
typedef struct {
  u16 kind;
  u32 operand;
  const Type *type;
} LiteralUse;
typedef Vec(LiteralUse) LiteralUses;

static bool is_commutative(u32 kind) {
  return op_info((OpKind)kind)->traits & TRAIT_COMMUTATIVE;
}

static const AdgNode *producer_of(const Adg *adg, const AdgBody *body, u32 value) {
  for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++)
    if (value - adg->nodes[n].first_result < adg->nodes[n].nresults) return &adg->nodes[n];
  return NULL;
}

/* True of a value of the body that is a literal triggered by a value, not by a control token. */
static bool is_triggered_by_value(const Adg *adg, const AdgBody *body, u32 value) {
  const AdgNode *node = producer_of(adg, body, value);
  if (!node || node->fire != FIRE_CONSTANT) return false;
  node = producer_of(adg, body, adg->operands[node->first_operand]);
  if (!node || node->fire != FIRE_JOIN) return false;
  return adg->values[body->first_value + adg->operands[node->first_operand]].kind != TYPE_NONE;
}

static LiteralUses find_literals(const Adg *adg) {
  LiteralUses list = {0};
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++) {
      const AdgNode *node = &adg->nodes[n];
      for (u32 i = 0; node->fire == FIRE_PURE && i < node->noperands; i++) {
        u32 value = adg->operands[node->first_operand + i];
        LiteralUse found = {node->kind, i, adg->values[body->first_value + value].ir};
        if (is_triggered_by_value(adg, body, value)) vec_push(&list, found);
      }
    }
  }
  return list;
}

static bool has_unit(const LiteralUses *list, const Op *op, u32 operand) {
  for (size_t k = 0; k < list->len; k++) {
    const LiteralUse *entry = &list->at[k];
    if (entry->kind == op->kind && entry->type == op_operand(op, operand)->type &&
        (entry->operand == operand || is_commutative(op->kind)))
      return true;
  }
  return false;
}

/* The other operand of a pure binary operation, unless it is a literal too. */
static Value *beside(const Op *op, u32 operand) {
  if (op_info((OpKind)op->kind)->fire != FIRE_PURE || op->noperands != 2) return NULL;
  Value *other = op_operand(op, 1 - operand);
  const Op *def = value_def(other);
  return def && def->kind == OP_HANDSHAKE_CONSTANT ? NULL : other;
}

/* Gives this operand a literal of its own, triggered by the token of `with`. */
static void bring(Module *m, Op *constant, Op *user, u32 operand, Value *with, u32 part) {
  const Type *none = type_none(m->ctx);
  Map same = {0};
  Op *join = op_new(m, OP_HANDSHAKE_JOIN, constant->loc, &with, 1, &none, 1, 0);
  Op *own = op_clone(m, constant, &same);
  map_free(&same);
  op_set_loc_attr(m, join, op_loc_attr(constant));
  op_insert_before(user, join);
  op_insert_before(user, own);
  op_set_operand(own, 0, op_result(join, 0));
  op_set_operand(user, operand, op_result(own, 0));
  const Str *name = part_name(m->ctx, constant, part);
  op_result(own, 0)->name = name;
  if (name) op_result(join, 0)->name = str_printf(m->ctx, "%s_with", name->text);
}

static bool bring_literal(Module *m, const LiteralUses *list, Op *constant) {
  u32 parts = 0;
  Vec(Use) uses = {0};
  for_each_use (use, op_result(constant, 0)) vec_push(&uses, *use);
  for (size_t u = 0; u < uses.len; u++) {
    Op *user = uses.at[u].owner;
    for (u32 i = 0; i < user->noperands; i++) {
      if (op_operand(user, i) != op_result(constant, 0)) continue;
      Value *with = has_unit(list, user, i) ? beside(user, i) : NULL;
      if (with) bring(m, constant, user, i, with, parts++);
    }
  }
  vec_free(&uses);
  return parts;
}

/* True of an operation without a use that may be erased. */
static bool is_unneeded(const Op *op) {
  switch ((FireClass)op_info((OpKind)op->kind)->fire) {
  case FIRE_PURE:
  case FIRE_CONSTANT:
  case FIRE_JOIN:
  case FIRE_COND_BR:
  case FIRE_MUX:
  case FIRE_GATE:
  case FIRE_CARRY:
  case FIRE_INVARIANT: break;
  default: return false;
  }
  for (u32 r = 0; r < op->nresults; r++)
    if (op_result(op, r)->uses) return false;
  return true;
}

/* True where some literal may have lost its last use. */
static bool bring_literals(Module *m, Block *block, const Adg *adg) {
  LiteralUses list = find_literals(adg);
  bool changed = false;
  for_each_op_safe (op, block)
    if (list.len && op->kind == OP_HANDSHAKE_CONSTANT) changed |= bring_literal(m, &list, op);
  vec_free(&list);
  return changed;
}

/* Erases literals without a use, and what led their control tokens to them. */
static void erase_unneeded(Block *block) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Op *op = block->last, *before; op; op = before) {
      before = op->prev;
      if (!is_unneeded(op)) continue;
      op_erase(op);
      changed = true;
    }
  }
}

/* ---- products of double length --------------------------------------------------------------- */

static bool has_node(const Adg *adg, OpKind kind, const Type *type) {
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++)
      if (adg->nodes[n].kind == kind &&
          adg->values[body->first_value + adg->nodes[n].first_result].ir == type)
        return true;
  }
  return false;
}

/* A literal with the type and the control token of the literal `beside`. */
static Value *literal_beside(Builder *b, Value *beside, u64 bits) {
  Value *control = op_operand(value_def(beside), 0);
  Value *v = build_1(b, OP_HANDSHAKE_CONSTANT, beside->type, &control, 1);
  op_set_attr(b->m, value_op(v), "value", attr_int(b->m->ctx, (i64)bits, beside->type));
  return v;
}

static void split_product(Module *m, Op *product, u64 literal) {
  Builder b = {.m = m,
               .block = product->block,
               .before = product,
               .loc = product->loc,
               .loc_attr = op_loc_attr(product)};
  Value *x = op_operand(product, 0), *beside = op_operand(product, 1);
  u32 half = type_bits(m->ctx, x->type) / 2;
  u64 mask = ((u64)1 << half) - 1;
  Value *low_mask = literal_beside(&b, beside, mask), *shift = literal_beside(&b, beside, half);
  Value *m_low = literal_beside(&b, beside, literal & mask);
  Value *m_high = literal_beside(&b, beside, literal >> half);
  Value *x_low = build_2(&b, OP_ARITH_ANDI, x, low_mask);
  Value *x_high = build_2(&b, OP_ARITH_SHRUI, x, shift);
  Value *p = build_2(&b, OP_ARITH_MULI, x_low, m_low);
  Value *q = build_2(&b, OP_ARITH_ADDI, build_2(&b, OP_ARITH_MULI, x_high, m_low),
                     build_2(&b, OP_ARITH_SHRUI, p, shift));
  Value *r = build_2(&b, OP_ARITH_ADDI, build_2(&b, OP_ARITH_MULI, x_low, m_high),
                     build_2(&b, OP_ARITH_ANDI, q, low_mask));
  Value *high = build_2(&b, OP_ARITH_ADDI, build_2(&b, OP_ARITH_MULI, x_high, m_high),
                        build_2(&b, OP_ARITH_SHRUI, q, shift));
  high = build_2(&b, OP_ARITH_ADDI, high, build_2(&b, OP_ARITH_SHRUI, r, shift));
  if (op_result(product, 0)->uses)
    value_replace_uses(op_result(product, 0), build_2(&b, OP_ARITH_MULI, x, beside));
  value_replace_uses(op_result(product, 1), high);
  op_erase(product);
}

/* True where a literal may have lost its last use. */
static bool split_products(Module *m, Block *block, const Adg *adg) {
  bool changed = false;
  for_each_op_safe (op, block) {
    u64 by;
    if (op->kind != OP_ARITH_MULUI_EXTENDED) continue;
    const Type *type = op_result(op, 0)->type;
    const Op *literal = value_def(op_operand(op, 1));
    u32 bits = type_bits(m->ctx, type);
    if (bits % 2 || bits > 64 || has_node(adg, OP_ARITH_MULUI_EXTENDED, type) ||
        !has_node(adg, OP_ARITH_MULI, type) || !literal || literal->kind != OP_HANDSHAKE_CONSTANT ||
        !eval_constant(m->ctx, literal, &by))
      continue;
    split_product(m, op, by);
    changed = true;
  }
  return changed;
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* The latency of the quickest load unit for this type of element. */
static u32 least_load_latency(const Adg *adg, const Type *element) {
  u32 least = UINT32_MAX;
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = body->first_node; n < body->first_node + body->nnodes; n++)
      if (adg->nodes[n].kind == OP_HANDSHAKE_LOAD && body->latency < least &&
          adg->values[body->first_value + adg->nodes[n].first_result].ir == element)
        least = (u32)body->latency;
  }
  return least == UINT32_MAX ? 0 : least;
}

/* Where it saves cycles, lets consumers of a load take the element from the memory. */
static void take_straight(Op *load, const Adg *adg) {
  if (graph_has_registers(adg) && least_load_latency(adg, op_result(load, 0)->type))
    value_replace_uses(op_result(load, 0), op_operand(load, 1));
}

void mapping_legalise(Module *module, Op *handshake_func, const Adg *adg) {
  u32 widest = widest_join(adg);
  Block *block = region_entry(&handshake_func->regions[0]);
  bool is_split = split_products(module, block, adg);
  if (bring_literals(module, block, adg) || is_split) erase_unneeded(block);
  for_each_op_safe (op, block) {
    switch ((OpKind)op->kind) {
    case OP_HANDSHAKE_FORK:
    case OP_HANDSHAKE_LAZY_FORK:
    case OP_HANDSHAKE_BR:
    case OP_HANDSHAKE_SINK: remove_wire(op); break;
    case OP_HANDSHAKE_LOAD: take_straight(op, adg); break;
    case OP_HANDSHAKE_JOIN:
      if (widest > 1 && op->noperands > widest) split_join(module, op, widest);
      break;
    default: break;
    }
  }
}

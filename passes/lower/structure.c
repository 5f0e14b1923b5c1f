/* structure.c -- rewrites ops with regions to for, while and if: execute_region and alloca_scope
 * are spliced into their parent, index_switch becomes a chain of ifs, parallel and forall become
 * nests of for loops. In the same walk ops of the index dialect become those of arith,
 * and cf.assert is dropped. Then memrefs that ifs, selects or loops yield are resolved (choices.c).
 *
 *     scf.index_switch %i -> i32               %c = arith.cmpi eq, %i, 2
 *     case 2 { scf.yield %a }           =>     scf.if %c -> i32 { scf.yield %a }
 *     default { scf.yield %b }                 else { scf.yield %b }
 *
 *     scf.parallel (%i) = (%a) to (%b) step (%s) init (%z) -> f32 {
 *       ...
 *       scf.reduce(%x) { ^bb0(%l, %r): ... scf.reduce.return %y }
 *     }
 *  =>
 *     scf.for %i = %a to %b step %s iter_args(%acc = %z) -> f32 {
 *       ...
 *       ...                         the body of the reduction, with %l = %acc and %r = %x
 *       scf.yield %y
 *     }
 *
 * The iterations of a parallel loop are independent by definition, so running them in order is one
 * of the orders allowed, and reductions become iteration arguments. Each of the loops is marked as
 * independent (`loom.independent`, numbered within the function), so that memory.c need not compare
 * addresses. It is not marked where the body allocates, as a graph has one memory for the
 * allocations of all iterations; nor where it updates a memory atomically (memref.atomic_rmw), as
 * other iterations may update it, too.
 *
 * Requires: each region that is spliced, and each body, is one block (lift.c). Ensures: ops with
 * regions are for, while and if, each region one block. Left as it is: a forall with results, which
 * builds a tensor and has no dataflow form. Linear, times the depth of nested parallel loops, whose
 * bodies are searched for allocations. The ifs of an index_switch are nested as deep as it has
 * cases, and the loops of a parallel as deep as it has dimensions; a nest of more than MAX_NEST is
 * refused. As the parser accepts 256 regions inside one another, an index_switch of more than
 * MOST_CHAINED cases becomes a binary tree of ifs instead, by the number of the case:
 *
 *     %k = select (%i == 5), 0, (select (%i == 9), 1, ..., the number of the default)
 *     scf.if (%k < 150) { scf.if (%k < 75) { ... } else { ... } } else { ... }
 */
#include "lower/stages.h"

enum { MOST_CHAINED = 200 };

/* Yields the results of `of`. */
static void yield_results(Builder *b, Op *of) {
  build_op(b, OP_SCF_YIELD, result_values(b->m, of), of->nresults, NULL, 0, 0);
}

/* The number of the case that is chosen, from 0; that of the default is the number of cases. Of
 * cases that are equal, as their numbers are too wide for an index, the first is chosen. */
static Value *case_number(Builder *b, Op *op, const Attr *cases) {
  const Type *index = type_index(b->m->ctx);
  Value *number = build_int(b, cases->n, index);
  for (u32 k = cases->n; k-- > 0;) {
    Value *literal = build_int(b, cases->ints[k], index);
    Value *equal = build_compare(b, CMPI_EQ, op_operand(op, 0), literal);
    Value *operands[] = {equal, build_int(b, k, index), number};
    number = build_1(b, OP_ARITH_SELECT, index, operands, 3);
  }
  return number;
}

/* Builds the ifs that choose between the cases from `low` up to `high` (exclusive) at the end of a
 * block, and yields their results there. Returns the outermost; NULL: there is one case alone, and
 * the block has its body. */
static Op *lower_cases(Module *m, Op *op, Value *number, u32 low, u32 high, Builder *b) {
  if (high - low == 1) {
    move_ops(region_entry(&op->regions[high == op->nregions ? 0 : high]), b->block);
    return NULL;
  }
  u32 middle = low + (high - low) / 2;
  Value *pivot = build_int(b, middle, type_index(m->ctx));
  Value *is_low = build_compare(b, CMPI_ULT, number, pivot);
  Op *choice = build_op(b, OP_SCF_IF, &is_low, 1, types_of_results(m, op), op->nresults, 2);
  for (u32 side = 0; side < 2; side++) {
    Builder inside = {.m = m, .block = block_new(m, &choice->regions[side]), .loc = b->loc};
    Op *inner = lower_cases(m, op, number, side ? middle : low, side ? high : middle, &inside);
    if (inner) yield_results(&inside, inner);
  }
  return choice;
}

/* Case k (region k + 1) goes to the then region of an if, all later ones to its else region, built
 * from the outside in. The default (region 0) goes to the innermost else; without cases it is
 * spliced in. */
static void lower_index_switch(Module *m, Op *op) {
  const Attr *cases = op_attr(op, "cases");
  u32 ncases = cases ? cases->n : 0;
  Builder b = builder_before(m, op);
  if (ncases > MOST_CHAINED) {
    replace_op(op, lower_cases(m, op, case_number(&b, op, cases), 0, ncases + 1, &b));
    return;
  }
  Op *outermost = NULL;
  for (u32 k = 0; k < ncases; k++) {
    Value *number = build_int(&b, cases->ints[k], type_index(m->ctx));
    Value *equal = build_compare(&b, CMPI_EQ, op_operand(op, 0), number);
    Op *choice = build_op(&b, OP_SCF_IF, &equal, 1, types_of_results(m, op), op->nresults, 2);
    move_ops(region_entry(&op->regions[k + 1]), block_new(m, &choice->regions[0]));
    Block *otherwise = block_new(m, &choice->regions[1]);
    if (outermost) yield_results(&b, choice);
    if (!outermost) outermost = choice;
    b.block = otherwise;
    b.before = NULL;
  }
  if (!outermost) {
    splice_region(op, &op->regions[0], NULL);
    return;
  }
  move_ops(region_entry(&op->regions[0]), b.block);
  replace_op(op, outermost);
}

/* Lower bounds, upper bounds and steps, `dims` of each. Of scf.parallel they are the first
 * operands; of scf.forall static ones are attributes. */
static Value **find_bounds(Module *m, Op *op, Builder *b, u32 dims) {
  static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  Value **bounds = NEW_ARRAY(m->arena, Value *, 3 * (size_t)dims);
  u32 next = 0;
  for (u32 k = 0; k < 3; k++)
    for (u32 d = 0; d < dims; d++) {
      i64 known = op->kind == OP_SCF_FORALL ? op_attr(op, names[k])->ints[d] : DYNAMIC;
      bounds[k * dims + d] =
          known == DYNAMIC ? op_operand(op, next++) : build_int(b, known, type_index(m->ctx));
    }
  return bounds;
}

/* Inlines the reductions in front of `reduce`, of the carried values with its operands, and yields
 * their results. (scf.forall.in_parallel: n is 0.) */
static void combine_results(Module *m, Builder *b, Op *reduce, Value *const *carried, u32 n) {
  Value **results = NEW_ARRAY(m->arena, Value *, n);
  for (u32 i = 0; i < n; i++) {
    Block *combine = region_entry(&reduce->regions[i]);
    value_replace_uses(combine->args[0], carried[i]);
    value_replace_uses(combine->args[1], op_operand(reduce, i));
    Op *terminator = block_terminator(combine);
    results[i] = op_operand(terminator, 0);
    op_erase(terminator);
    move_ops_before(combine, reduce);
  }
  build_op(b, OP_SCF_YIELD, results, n, NULL, 0, 0);
}

/* Does the op allocate, or update a memory atomically? Then iterations may affect each other.
 * (The text reader turns atomic_rmw into a load and a store with loom.atomic.) */
static bool shares_memory(const Op *op) {
  return op->kind == OP_MEMREF_ALLOC || op->kind == OP_MEMREF_ALLOCA ||
         (op->kind == OP_MEMREF_STORE && op_attr(op, "loom.atomic"));
}

/* Operands of scf.parallel: lower bounds, upper bounds, steps (one of each per dimension), inits. A
 * forall over memrefs has no results. */
static void lower_parallel(Module *m, Op *op, i64 *nindependent) {
  bool is_independent = !has_op(&op->regions[0], shares_memory);
  Block *body = region_entry(&op->regions[0]);
  u32 dims = body->nargs, ninits = op->nresults;
  Value **carried = NEW_ARRAY(m->arena, Value *, ninits);
  for (u32 i = 0; i < ninits; i++) carried[i] = op_operand(op, 3 * dims + i);

  Builder b = builder_before(m, op);
  Value **bounds = find_bounds(m, op, &b, dims);
  Op *outermost = NULL;
  for (u32 d = 0; d < dims; d++) {
    Value **operands = NEW_ARRAY(m->arena, Value *, 3 + ninits);
    for (u32 k = 0; k < 3; k++) operands[k] = bounds[k * dims + d];
    for (u32 i = 0; i < ninits; i++) operands[3 + i] = carried[i];
    Block *inside = build_for(&b, operands, 3 + ninits);
    Op *loop = inside->region->parent;
    if (is_independent)
      op_set_attr(m, loop, "loom.independent",
                  attr_int(m->ctx, (*nindependent)++, type_int(m->ctx, 32, SIGNLESS)));
    if (outermost) yield_results(&b, loop);
    if (!outermost) outermost = loop;
    inside->args[0]->name = body->args[d]->name;
    value_replace_uses(body->args[d], inside->args[0]);
    for (u32 i = 0; i < ninits; i++) carried[i] = inside->args[1 + i];
    b.block = inside;
    b.before = NULL;
  }

  Op *reduce = block_terminator(body); /* scf.reduce, or scf.forall.in_parallel */
  move_ops(body, b.block);
  b.before = reduce;
  combine_results(m, &b, reduce, carried, ninits);
  op_erase(reduce);
  assert(outermost); /* a parallel has a dimension */
  replace_op(op, outermost);
}

/* Ops of the index dialect become those of arith: they mean the same, and hardware has units only
 * for arith. */
static void index_as_arith(Module *m, Op *op) {
  if (op->kind == OP_INDEX_CMP) {
    i64 predicate = eval_predicate(op);
    op->kind = OP_ARITH_CMPI;
    op_set_attr(m, op, "pred", NULL);
    set_predicate(m, op, predicate < 0 ? CMPI_EQ : (CmpiPredicate)predicate);
  }
  op->kind = (u16)op_as_arith((OpKind)op->kind);
}

/* Inner regions first, so that ops that move outwards have been rewritten already. */
static void structure_region(Module *m, Region *region, i64 *nindependent) {
  for_each_block (block, region)
    for_each_op_safe (op, block) {
      for (u32 r = 0; r < op->nregions; r++) structure_region(m, &op->regions[r], nindependent);
      switch ((OpKind)op->kind) {
      case OP_SCF_EXECUTE_REGION:
      case OP_MEMREF_ALLOCA_SCOPE: splice_region(op, &op->regions[0], NULL); break;
      case OP_SCF_INDEX_SWITCH: lower_index_switch(m, op); break;
      case OP_SCF_FORALL:
        if (!op->nresults) lower_parallel(m, op, nindependent);
        break;
      case OP_SCF_PARALLEL: lower_parallel(m, op, nindependent); break;
      case OP_CF_ASSERT: op_erase(op); break; /* graphs do not check assertions */
      default: index_as_arith(m, op); break;
      }
    }
}

/* How many regions deep the ops of region `r` of an op will be. */
static u32 levels_of(const Op *op, u32 r) {
  u32 levels = 0;
  switch ((OpKind)op->kind) {
  case OP_SCF_INDEX_SWITCH:
    if (op->nregions - 1 <= MOST_CHAINED) return r ? r : op->nregions;
    while ((op->nregions - 1) >> levels) levels++;
    return levels;
  case OP_SCF_PARALLEL:
  case OP_SCF_FORALL: return region_entry(&op->regions[r])->nargs;
  default: return 1;
  }
}

/* Refuses regions that will be nested more than MAX_NEST deep, with `depth` around this one. */
static bool is_shallow(Module *m, const Region *region, u64 depth) {
  for_each_block (block, region)
    for_each_op (op, block)
      for (u32 r = 0; r < op->nregions; r++) {
        u64 inner = depth + (op->regions[r].first ? levels_of(op, r) : 0);
        if (inner > MAX_NEST) {
          diag(m->ctx, op->loc, COMP_LOWER_TOO_LARGE,
               "%s cannot be lowered: its loops or ifs would be nested more than %d deep",
               op_name(op), MAX_NEST);
          return false;
        }
        if (!is_shallow(m, &op->regions[r], inner)) return false;
      }
  return true;
}

bool structure_regions(Module *m, Op *func) {
  i64 nindependent = 0;
  if (!is_shallow(m, &func->regions[0], 0)) return false;
  structure_region(m, &func->regions[0], &nindependent);
  return resolve_choices(m, func);
}

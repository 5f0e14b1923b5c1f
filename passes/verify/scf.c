/* scf.c -- rules of structured loops and branches: a carried value has one type all the way round.
 *
 *     %sum = scf.for %i = %lb to %ub step %s iter_args(%acc = %zero) -> (f32) {
 *       ...                                   %zero, %acc, %next and %sum: one type;
 *       scf.yield %next : f32                 %lb, %ub, %s and %i: one type, index or integer
 *     }
 *
 * The rules are MLIR's. The step of a loop is not checked here: a zero traps when the loop runs
 * (spec-tests/12-scf-cf-ub.md).
 */
#include "verify/rules.h"

#include <stdlib.h>

static void index_or_integer(Verifier *v, const Op *op, u32 i) {
  operand_ok(v, op, i, is_int_or_index(type_of(op, i)), COMP_OP_TYPE, "index or an integer");
}

/* Compares the operands of a yield, unless that is NULL. */
static void yield_ok(Verifier *v, const Op *yield, const char *noun, TypeList taken,
                     const char *taken_noun) {
  if (yield)
    lists_agree(v, yield->loc, COMP_SCF_YIELD_TYPE, operand_types(yield, 0, yield->noperands), noun,
                taken, taken_noun);
}

void rule_SCF_FOR(Verifier *v, Op *op) {
  const Block *body = op->regions[0].first;
  const Type *type = type_of(op, 0);
  index_or_integer(v, op, 0);
  operand_is(v, op, 1, type, COMP_OP_TYPE_MISMATCH, "like the lower bound");
  operand_is(v, op, 2, type, COMP_OP_TYPE_MISMATCH, "like the lower bound");
  if (!body->nargs || body->args[0]->type != type) {
    diag(v->ctx, op->loc, COMP_BLOCK_ARGS,
         "scf.for: the first block argument must be the induction variable, of the type of the "
         "bounds, %s",
         type_text(v, type));
    return;
  }
  TypeList inits = operand_types(op, 3, op->noperands - 3), results = result_types(op);
  bool good =
      lists_agree(v, op->loc, COMP_SCF_LOOP_TYPE, inits, "initial value", results, "loop result") &&
      lists_agree(v, op->loc, COMP_SCF_LOOP_TYPE, inits, "initial value", arg_types(body, 1),
                  "loop-carried argument");
  Op *yield = need_end(v, op, 0, OP_SCF_YIELD);
  if (good) yield_ok(v, yield, "yielded value", results, "loop result");
}

/* inits -> before's arguments; condition's values -> after's arguments and results; after's yield
 * -> before's arguments. */
void rule_SCF_WHILE(Verifier *v, Op *op) {
  const Block *before = op->regions[0].first, *after = op->regions[1].first;
  TypeList carried = arg_types(before, 0), results = result_types(op);
  lists_agree(v, op->loc, COMP_SCF_LOOP_TYPE, operand_types(op, 0, op->noperands), "initial value",
              carried, "before-region argument");
  lists_agree(v, op->loc, COMP_SCF_LOOP_TYPE, arg_types(after, 0), "after-region argument", results,
              "loop result");
  Op *condition = need_end(v, op, 0, OP_SCF_CONDITION), *yield = need_end(v, op, 1, OP_SCF_YIELD);
  if (condition && condition->noperands)
    lists_agree(v, condition->loc, COMP_SCF_LOOP_TYPE,
                operand_types(condition, 1, condition->noperands - 1), "condition value", results,
                "loop result");
  yield_ok(v, yield, "yielded value", carried, "before-region argument");
}

void yields_results(Verifier *v, const Op *op, u32 region, OpKind kind, const char *noun) {
  need_no_args(v, op, region);
  yield_ok(v, need_end(v, op, region, kind), noun, result_types(op), "result");
}

void rule_SCF_IF(Verifier *v, Op *op) {
  if (!op->regions[0].first) {
    diag(v->ctx, op->loc, COMP_REGION_BLOCKS, "the then region of scf.if needs a block");
    return;
  }
  yields_results(v, op, 0, OP_SCF_YIELD, "yielded value");
  if (op->regions[1].first) {
    yields_results(v, op, 1, OP_SCF_YIELD, "yielded value");
  } else if (op->nresults) {
    diag(v->ctx, op->loc, COMP_SCF_IF_ELSE, "scf.if has %u result%s but no else to yield %s",
         op->nresults, plural(op->nresults), op->nresults == 1 ? "it" : "them");
    diag_hint(v->ctx, "add an else that yields the values for a false condition");
  }
}

/* A region of plain control flow: any block may yield. */
void rule_SCF_EXECUTE_REGION(Verifier *v, Op *op) {
  need_no_args(v, op, 0);
  for_each_block (block, &op->regions[0]) {
    const Op *end = block->last;
    if (end && end->kind == OP_SCF_YIELD)
      yield_ok(v, end, "yielded value", result_types(op), "result");
  }
}

static int compare_i64(const void *a, const void *b) {
  i64 x = *(const i64 *)a, y = *(const i64 *)b;
  return (x > y) - (x < y);
}

/* Reports a case value that is given twice. */
static void distinct_cases(Verifier *v, const Op *op, const Attr *cases) {
  if (cases->n < 2) return;
  i64 *sorted = arena_copy(v->scratch, cases->ints, mem_size(cases->n, sizeof *sorted));
  qsort(sorted, cases->n, sizeof *sorted, compare_i64);
  for (u32 i = 1; i < cases->n; i++)
    if (sorted[i] == sorted[i - 1]) {
      diag(v->ctx, op->loc, COMP_SWITCH_CASES, "%s: duplicate case %lld", op_name(op),
           (long long)sorted[i]);
      break;
    }
}

void rule_SCF_INDEX_SWITCH(Verifier *v, Op *op) {
  const Attr *cases = need_array(v, op, "cases", 64);
  if (cases && cases->n + 1u != op->nregions)
    diag(v->ctx, op->loc, COMP_SWITCH_CASES,
         "scf.index_switch has %u case%s, so it needs %u regions (the default first), but got %u",
         cases->n, plural(cases->n), cases->n + 1, op->nregions);
  else if (cases)
    distinct_cases(v, op, cases);
  for (u32 i = 0; i < op->nregions; i++) yields_results(v, op, i, OP_SCF_YIELD, "yielded value");
}

/* ---- parallel loops -------------------------------------------------------------------------- */

/* Checks the reductions of the body in both of their forms: since LLVM 18 its terminator is one
 * scf.reduce with all values; before, there was an scf.reduce for each and an scf.yield at the end.
 */
static void check_reductions(Verifier *v, const Op *op, const Block *body) {
  const Op *end = body->last;
  if (!end || !op_has_trait(end, TRAIT_TERMINATOR)) return;
  if (end->kind != OP_SCF_YIELD) {
    end = need_end(v, op, 0, OP_SCF_REDUCE);
    if (end)
      lists_agree(v, end->loc, COMP_SCF_REDUCE, operand_types(end, 0, end->noperands),
                  "reduced value", result_types(op), "loop result");
    return;
  }
  if (end->noperands)
    diag(v->ctx, end->loc, COMP_SCF_YIELD_TYPE,
         "the scf.yield of scf.parallel must have no operands");
  u32 n = 0;
  for_each_op (inner, body) {
    if (inner->kind != OP_SCF_REDUCE) continue;
    if (n < op->nresults && inner->noperands == 1)
      operand_is(v, inner, 0, type_of_result(op, n), COMP_SCF_REDUCE, "like the loop's result");
    n++;
  }
  if (n != op->nresults)
    diag(v->ctx, op->loc, COMP_SCF_REDUCE, "scf.parallel has %u results, but %u scf.reduce",
         op->nresults, n);
}

void rule_SCF_PARALLEL(Verifier *v, Op *op) {
  u32 sizes[4];
  if (!need_segments(v, op, 4, sizes)) return;
  const Block *body = op->regions[0].first;
  u32 n = sizes[0];
  if (!n || sizes[1] != n || sizes[2] != n || body->nargs != n) {
    diag(v->ctx, op->loc, COMP_OP_ARITY,
         "scf.parallel: %u lower bounds, %u upper bounds, %u steps and %u induction variables; "
         "these numbers must be equal and at least 1",
         sizes[0], sizes[1], sizes[2], body->nargs);
    return;
  }
  for (u32 i = 0; i < 3 * n; i++)
    operand_ok(v, op, i, type_of(op, i)->kind == TYPE_INDEX, COMP_OP_TYPE, "index");
  for (u32 i = 0; i < n; i++)
    if (body->args[i]->type->kind != TYPE_INDEX)
      diag(v->ctx, op->loc, COMP_BLOCK_ARGS, "scf.parallel: induction variable %u is not index",
           i + 1);
  lists_agree(v, op->loc, COMP_SCF_LOOP_TYPE, operand_types(op, 3 * n, sizes[3]), "initial value",
              result_types(op), "loop result");
  check_reductions(v, op, body);
}

void rule_SCF_REDUCE(Verifier *v, Op *op) {
  if (op->nregions != op->noperands) {
    diag(v->ctx, op->loc, COMP_REGION_BLOCKS,
         "scf.reduce of %u values needs as many regions, but got %u", op->noperands, op->nregions);
    return;
  }
  for (u32 i = 0; i < op->nregions; i++) {
    const Block *body = op->regions[i].first;
    const Type *pair[] = {type_of(op, i), type_of(op, i)};
    lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(body, 0), "reduction argument",
                type_list(pair, 2), "value to combine");
    Op *end = need_end(v, op, i, OP_SCF_REDUCE_RETURN);
    if (end && end->noperands)
      operand_is(v, end, 0, pair[0], COMP_SCF_REDUCE, "like the reduced value");
  }
}

/* Checks one of the three lists of bounds: a number for each variable, or `?` and an operand. */
static void forall_bounds(Verifier *v, Op *op, const char *name, u32 operands, u32 variables) {
  const Attr *list = need_array(v, op, name, 64);
  u32 dynamic = list ? dynamic_count(list->ints, list->n) : 0;
  if (list && (list->n != variables || dynamic != operands))
    diag(v->ctx, op->loc, COMP_OP_ATTR,
         "scf.forall: %s has %u numbers, %u of them dynamic, for %u variables and %u operands",
         name, list->n, dynamic, variables, operands);
}

/* The contents of in_parallel, which are on tensors, are not checked: no later stage takes them. */
void rule_SCF_FORALL(Verifier *v, Op *op) {
  static const char *const lists[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  const Block *body = op->regions[0].first;
  u32 sizes[4];
  if (!need_segments(v, op, 4, sizes)) return;
  if (body->nargs < op->nresults || sizes[3] != op->nresults) {
    diag(v->ctx, op->loc, COMP_BLOCK_ARGS,
         "scf.forall needs a region argument for each of its %u results, and an output for each",
         op->nresults);
    return;
  }
  u32 variables = body->nargs - op->nresults;
  for (u32 i = 0; i < variables; i++)
    if (body->args[i]->type->kind != TYPE_INDEX)
      diag(v->ctx, op->loc, COMP_BLOCK_ARGS, "scf.forall: induction variable %u is not index",
           i + 1);
  for (u32 i = 0; i < 3; i++) forall_bounds(v, op, lists[i], sizes[i], variables);
  need_end(v, op, 0, OP_SCF_FORALL_IN_PARALLEL);
}

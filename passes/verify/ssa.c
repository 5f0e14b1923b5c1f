/* ssa.c -- every value must be defined before it is used.
 *
 *     func.func @f(%c: i1) {            %x reaches the store: same block, earlier.
 *       %x = ...                        %y does not: it stands in a region that the store is
 *       scf.if %c {                     not in.
 *         %y = ...
 *       }
 *       memref.store %x, ...            error[COMP_SSA_DOMINANCE] for %y
 *     }
 *
 * Requires nothing of the module; ensures, where it reports nothing, that
 *   - an operand is defined in the block of its user or of an op around it, or in a block that
 *     dominates one of these in the same region;
 *   - in the same block the definition comes first (except in graph regions, such as a
 *     handshake.func's, where order means nothing);
 *   - no operand crosses the border of an isolated op, such as a function.
 *
 * Blocks that cannot be reached are not checked, as in MLIR: no run ever sees them.
 *
 * The walk over the module (verify.c) keeps a stack of scopes, one a region from the outermost to
 * the current one, and each has the slots of its blocks. `Block.index` is the block's slot, so
 * "does this region enclose the user, and in which of its ops" is two array reads, whatever the
 * nesting depth. `Op.index` numbers the ops of a block when the walk enters it. Both numbers may
 * be left from another pass, which is why a slot is valid only if it points back to the block.
 *
 * Dominators exist only where a region has several blocks, which kernels rarely have. Their tree
 * (ir/dominators.h) is turned into nested intervals, so that each query is two comparisons. Nothing
 * recurses, so no input is too deep.
 */
#include "verify/rules.h"

#include "ir/dominators.h"

/* ---- dominators ------------------------------------------------------------------------------ */

/* The slot of successor k within the region; NO_NODE where it leads elsewhere (which is reported
 * with the branch). */
static u32 successor_slot(const Slot *slots, u32 nblocks, const Op *end, u32 k, u32 base) {
  u32 at = op_succs(end)[k].block->index - base;
  return at < nblocks && slots[at].block == op_succs(end)[k].block ? at : NO_NODE;
}

/* Gives every reachable block an interval that lies inside those of its dominators: the sizes of
 * subtrees are summed up in reverse order, then intervals are assigned in order. */
static void number_tree(Slot *slots, u32 n, const u32 *order, const u32 *idom, u32 *size,
                        u32 *place) {
  for (u32 i = n - 1; i > 0; i--) size[idom[order[i]]] += ++size[order[i]];
  size[0]++;
  for (u32 i = 0; i < n; i++) {
    u32 at = order[i], enter = i ? place[idom[at]] : 1;
    if (i) place[idom[at]] += size[at];
    place[at] = enter + 1;
    slots[at].enter = enter;
    slots[at].leave = enter + size[at];
  }
}

/* Sets the intervals of a region's blocks, whose slots begin at `base`. */
static void find_dominators(Verifier *v, u32 base, u32 nblocks) {
  ArenaMark mark = arena_mark(v->scratch);
  Slot *slots = v->slots.at + base;
  u32 *first = NEW_ARRAY(v->scratch, u32, nblocks + (size_t)1), nedges = 0;
  for (u32 i = 0; i < nblocks; i++)
    nedges += slots[i].block->last ? slots[i].block->last->nsuccs : 0;
  u32 *to = NEW_ARRAY(v->scratch, u32, nedges + (size_t)1);
  for (u32 i = 0, n = 0; i < nblocks; first[++i] = n) {
    const Op *end = slots[i].block->last;
    for (u32 k = 0; end && k < end->nsuccs; k++) {
      u32 at = successor_slot(slots, nblocks, end, k, base);
      if (at != NO_NODE) to[n++] = at;
    }
  }
  u32 *idom = NEW_ARRAY(v->scratch, u32, mem_size(nblocks, 4)), *order = idom + nblocks;
  u32 n = dominators(v->scratch, nblocks, first, to, idom, order);
  number_tree(slots, n, order, idom, order + nblocks, order + 2 * (size_t)nblocks);
  arena_release(v->scratch, mark);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

void ssa_enter(Verifier *v, Region *region) {
  const Op *parent = region->parent;
  RegionScope scope = {.region = region, .first_slot = (u32)v->slots.len};
  bool isolated = !v->scopes.len || op_has_trait(parent, TRAIT_ISOLATED);
  scope.visible = isolated ? (u32)v->scopes.len : vec_last(&v->scopes).visible;
  /* MLIR assumes no order inside an op it does not know, and neither do we. */
  scope.ordered = parent->kind != OP_UNREGISTERED && !op_has_trait(parent, TRAIT_GRAPH);
  u32 nblocks = 0;
  for_each_block (block, region) {
    Slot slot = {.block = block, .scope = (u32)v->scopes.len};
    block->index = (u32)v->slots.len;
    vec_push(&v->slots, slot);
    nblocks++;
  }
  if (nblocks == 1) {
    vec_last(&v->slots).enter = 1;
    vec_last(&v->slots).leave = 2;
  } else if (nblocks > 1 && scope.ordered) {
    find_dominators(v, scope.first_slot, nblocks);
  }
  vec_push(&v->scopes, scope);
}

bool ssa_next_block(Verifier *v) {
  RegionScope *scope = &vec_last(&v->scopes);
  scope->block = scope->block ? scope->block->next : scope->region->first;
  if (!scope->block) return false;
  u32 number = 0;
  for_each_op (op, scope->block) op->index = number++;
  scope->next = scope->block->first;
  return true;
}

void ssa_leave(Verifier *v) {
  v->slots.len = vec_last(&v->scopes).first_slot;
  v->scopes.len--;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void report(Verifier *v, const Op *op, u32 i, const char *problem) {
  const Value *value = op_operand(op, i);
  diag(v->ctx, op->loc, COMP_SSA_DOMINANCE, "%s: %s %s", op_name(op), operand_text(v, op, i),
       problem);
  if (value->loc) diag_note(v->ctx, value->loc, "it is defined here");
}

/* The definition stands in another block than its user. */
static void check_outer(Verifier *v, const Op *op, u32 i, const Block *def) {
  const Value *value = op_operand(op, i);
  if (def->index >= v->slots.len || v->slots.at[def->index].block != def) {
    report(v, op, i, "is defined in a region that does not enclose this op");
    diag_hint(v->ctx, "yield the value as a result of the op with the region (scf.yield), or "
                      "define it before that op");
    return;
  }
  const Slot *slot = &v->slots.at[def->index];
  const RegionScope *scope = &v->scopes.at[slot->scope];
  if (slot->scope < vec_last(&v->scopes).visible) {
    const Op *border = v->scopes.at[vec_last(&v->scopes).visible].region->parent;
    report(v, op, i, "is defined outside of the function or module that uses it");
    diag_hint(v->ctx,
              "the body of %s cannot use values from outside; pass the value as an argument",
              op_name(border));
    return;
  }
  if (!scope->ordered) return;
  if (scope->block == def) {
    if (value->is_arg || value_op(value)->index < scope->op->index) return;
    report(v, op, i,
           value_op(value) == scope->op ? "is a result of the op whose region uses it"
                                        : "is used before it is defined");
    return;
  }
  const Slot *user_slot = &v->slots.at[scope->block->index];
  if (!user_slot->enter ||
      (slot->enter && slot->enter <= user_slot->enter && user_slot->leave <= slot->leave))
    return;
  report(v, op, i, "is defined in a block that does not dominate this use");
  diag_hint(v->ctx, "pass the value as a block argument");
}

static void check_operand(Verifier *v, const Op *op, u32 i, const Value *value) {
  const RegionScope *scope = &vec_last(&v->scopes);
  const Block *def = value_block(value);
  if (def != scope->block) {
    if (!scope->ordered || v->slots.at[scope->block->index].enter) check_outer(v, op, i, def);
  } else if (scope->ordered && !value->is_arg && value_op(value)->index >= op->index) {
    if (v->slots.at[scope->block->index].enter)
      report(v, op, i,
             value_op(value) == op ? "is its own result" : "is used before it is defined");
  }
}

void ssa_check_operands(Verifier *v, const Op *op) {
  for (u32 i = 0; i < op->noperands; i++) {
    const Value *value = op_operand(op, i);
    if (value)
      check_operand(v, op, i, value);
    else
      loom_bug("operand %u of %s is missing", i + 1, op_name(op));
  }
}

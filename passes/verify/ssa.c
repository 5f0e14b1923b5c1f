/* ssa.c -- every value must be defined before it is used, wherever the two stand.
 *
 *     func.func @f(%c: i1) {            %x reaches the store: same block, earlier.
 *       %x = ...                        %y does not: it stands in a region that the store is
 *       scf.if %c {                     not in.
 *         %y = ...
 *       }
 *       memref.store %x, ...            error[COMP_SSA_DOMINANCE] for %y
 *     }
 *
 * Requires nothing of the module; ensures, where it says nothing, that
 *   - an operand is defined in the block of its user or of an op around it, or in a block that
 *     dominates one of these in the same region;
 *   - in the same block the definition comes first (but for graph regions, such as a
 *     handshake.func's, where order means nothing);
 *   - no operand crosses the border of an isolated op, such as a function.
 *
 * Blocks that cannot be reached are not checked, as in MLIR: no run ever sees them.
 *
 * The walk over the module (verify.c) keeps a stack of scopes, one a region from the outermost to
 * the one at work, and each has the slots of its blocks. `Block.index` is the block's slot, so
 * "does this region lie around me, and which op of it am I in" is two array reads, whatever the
 * nesting depth. `Op.index` numbers the ops of a block when the walk enters it. Both numbers may
 * be left from another pass, which is why a slot is believed only if it names the block back.
 *
 * Dominators exist only where a region has several blocks, which kernels rarely have. They come
 * from Lengauer and Tarjan's algorithm in its simple form: O(edges * log blocks), also for graphs
 * made to hurt, where the shorter iteration of Cooper, Harvey and Kennedy goes quadratic. The
 * tree is then turned into nested intervals, so that each query is two comparisons. Nothing
 * recurses, so no input is too deep.
 */
#include "verify/rules.h"

#define NO_BLOCK UINT32_MAX

/* ---- dominators ------------------------------------------------------------------------------ */

/* Blocks by number of first visit in a depth-first walk from the entry, which is 0. */
typedef struct {
  Slot *slots; /* of the region */
  u32 n;       /* reachable blocks */
  u32 *slot;   /* by number, as all that follow */
  u32 *parent; /* in the depth-first tree */
  u32 *semi, *label, *ancestor, *idom;
  u32 *bucket, *next_in_bucket; /* blocks whose semidominator this is */
  u32 *first_pred, *preds;      /* predecessors of i: preds[first_pred[i] .. first_pred[i + 1]) */
  u32 *path;                    /* a stack */
} Dominators;

/* The slot of successor k within the region; NO_BLOCK where it leads elsewhere (which is reported
 * with the branch). */
static u32 successor_slot(const Dominators *d, const Op *end, u32 k, u32 base, u32 nblocks) {
  u32 at = op_succs(end)[k].block->index - base;
  return at < nblocks && d->slots[at].block == op_succs(end)[k].block ? at : NO_BLOCK;
}

/* Numbers the reachable blocks; `enter` of a slot holds its number + 1 meanwhile. */
static void visit_blocks(Dominators *d, u32 base, u32 nblocks, u32 *next_successor) {
  u32 depth = 0;
  d->slots[0].enter = 1;
  d->slot[d->n++] = 0;
  d->path[depth++] = 0;
  while (depth) {
    u32 number = d->path[depth - 1];
    const Op *end = d->slots[d->slot[number]].block->last;
    if (!end || next_successor[number] == end->nsuccs) {
      depth--;
      continue;
    }
    u32 to = successor_slot(d, end, next_successor[number]++, base, nblocks);
    if (to == NO_BLOCK || d->slots[to].enter) continue;
    d->parent[d->n] = number;
    d->slot[d->n] = to;
    d->path[depth++] = d->n++;
    d->slots[to].enter = d->n;
  }
}

/* Turns successors around. */
static void find_predecessors(Dominators *d, Arena *arena, u32 base, u32 nblocks) {
  d->first_pred = NEW_ARRAY(arena, u32, (size_t)d->n + 2);
  for (int filling = 0; filling < 2; filling++) {
    for (u32 i = 0; i < d->n; i++) {
      const Op *end = d->slots[d->slot[i]].block->last;
      for (u32 k = 0; end && k < end->nsuccs; k++) {
        u32 to = successor_slot(d, end, k, base, nblocks);
        if (to == NO_BLOCK) continue;
        u32 number = d->slots[to].enter - 1;
        if (filling)
          d->preds[d->first_pred[number + 1]++] = i;
        else
          d->first_pred[number + 2]++;
      }
    }
    if (filling) break;
    for (u32 i = 2; i < d->n + 2; i++) d->first_pred[i] += d->first_pred[i - 1];
    d->preds = NEW_ARRAY(arena, u32, d->first_pred[d->n + 1] + (size_t)1);
  }
}

/* The block of least semidominator on the path of linked ancestors above `x`, which is shortened
 * on the way. */
static u32 best_ancestor(Dominators *d, u32 x) {
  if (d->ancestor[x] == NO_BLOCK) return x;
  u32 depth = 0;
  for (u32 at = x; d->ancestor[d->ancestor[at]] != NO_BLOCK; at = d->ancestor[at])
    d->path[depth++] = at;
  while (depth) {
    u32 at = d->path[--depth], above = d->ancestor[at];
    if (d->semi[d->label[above]] < d->semi[d->label[at]]) d->label[at] = d->label[above];
    d->ancestor[at] = d->ancestor[above];
  }
  return d->label[x];
}

/* Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979). */
static void find_dominators(Dominators *d) {
  for (u32 i = 0; i < d->n; i++) {
    d->semi[i] = d->label[i] = i;
    d->ancestor[i] = d->bucket[i] = NO_BLOCK;
  }
  for (u32 w = d->n - 1; w > 0; w--) {
    for (u32 p = d->first_pred[w]; p < d->first_pred[w + 1]; p++) {
      u32 u = best_ancestor(d, d->preds[p]);
      if (d->semi[u] < d->semi[w]) d->semi[w] = d->semi[u];
    }
    d->next_in_bucket[w] = d->bucket[d->semi[w]];
    d->bucket[d->semi[w]] = w;
    d->ancestor[w] = d->parent[w];
    for (u32 x = d->bucket[d->parent[w]]; x != NO_BLOCK; x = d->next_in_bucket[x]) {
      u32 u = best_ancestor(d, x);
      d->idom[x] = d->semi[u] < d->semi[x] ? u : d->parent[w];
    }
    d->bucket[d->parent[w]] = NO_BLOCK;
  }
  for (u32 w = 1; w < d->n; w++)
    if (d->idom[w] != d->semi[w]) d->idom[w] = d->idom[d->idom[w]];
}

/* Gives every reachable block an interval that lies inside those of its dominators. A dominator
 * has the smaller number, so sizes add up backwards and places are dealt out forwards. */
static void number_tree(Dominators *d) {
  u32 *size = d->bucket, *place = d->label;
  for (u32 i = 0; i < d->n; i++) size[i] = 1;
  for (u32 i = d->n - 1; i > 0; i--) size[d->idom[i]] += size[i];
  for (u32 i = 0; i < d->n; i++) {
    u32 enter = i ? place[d->idom[i]] : 1;
    if (i) place[d->idom[i]] += size[i];
    place[i] = enter + 1;
    d->slots[d->slot[i]].enter = enter;
    d->slots[d->slot[i]].leave = enter + size[i];
  }
}

static void dominate(Verifier *v, u32 base, u32 nblocks) {
  ArenaMark mark = arena_mark(v->scratch);
  u32 *piece = NEW_ARRAY(v->scratch, u32, mem_size(nblocks, 9));
  Dominators d = {.slots = v->slots.at + base, .slot = piece, .parent = piece + nblocks};
  d.semi = d.parent + nblocks;
  d.label = d.semi + nblocks;
  d.ancestor = d.label + nblocks;
  d.idom = d.ancestor + nblocks;
  d.bucket = d.idom + nblocks;
  d.next_in_bucket = d.bucket + nblocks;
  d.path = d.next_in_bucket + nblocks;
  visit_blocks(&d, base, nblocks, d.semi);
  find_predecessors(&d, v->scratch, base, nblocks);
  find_dominators(&d);
  number_tree(&d);
  arena_release(v->scratch, mark);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

void ssa_enter(Verifier *v, Region *region) {
  const Op *parent = region->parent;
  Scope scope = {.region = region, .first_slot = (u32)v->slots.len};
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
    dominate(v, scope.first_slot, nblocks);
  }
  vec_push(&v->scopes, scope);
}

bool ssa_next_block(Verifier *v) {
  Scope *scope = &vec_last(&v->scopes);
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

static void report(Verifier *v, const Op *op, u32 i, const char *what) {
  const Value *value = op_operand(op, i);
  diag(v->ctx, op->loc, COMP_SSA_DOMINANCE, "%s: %s %s", op_name(op), operand_text(v, op, i), what);
  if (value->loc) diag_note(v->ctx, value->loc, "it is defined here");
}

/* The definition stands in another block than its user. */
static void check_outer(Verifier *v, const Op *op, u32 i, const Block *def) {
  const Value *value = op_operand(op, i);
  if (def->index >= v->slots.len || v->slots.at[def->index].block != def) {
    report(v, op, i, "is defined in a region that does not enclose this op");
    diag_hint(v->ctx, "a region hands values out as the results of its op (scf.yield), or define "
                      "the value before the op that has the region");
    return;
  }
  const Slot *slot = &v->slots.at[def->index];
  const Scope *scope = &v->scopes.at[slot->scope];
  if (slot->scope < vec_last(&v->scopes).visible) {
    const Op *border = v->scopes.at[vec_last(&v->scopes).visible].region->parent;
    report(v, op, i, "comes from outside the function or module it is used in");
    diag_hint(v->ctx, "the body of %s sees no value from outside: pass it in as an argument",
              op_name(border));
    return;
  }
  if (!scope->ordered) return;
  if (scope->block == def) {
    if (value->is_arg || value_op(value)->index < scope->op->index) return;
    report(v, op, i,
           value_op(value) == scope->op ? "is a result of the very op whose region it is used in"
                                        : "is used before it is defined");
    return;
  }
  const Slot *here = &v->slots.at[scope->block->index];
  if (!here->enter || (slot->enter && slot->enter <= here->enter && here->leave <= slot->leave))
    return;
  report(v, op, i, "is defined in a block that not every path to here passes");
  diag_hint(v->ctx, "pass it along as a block argument");
}

static void check_operand(Verifier *v, const Op *op, u32 i, const Value *value) {
  const Scope *scope = &vec_last(&v->scopes);
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

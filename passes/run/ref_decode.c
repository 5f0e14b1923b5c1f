/* ref_decode.c -- decodes a function for the reference interpreter.
 *
 *     func.func @f(%n: index) -> i32 {           slots   0 %n   1 %c1   2 %s   3 return value
 *       %c1 = arith.constant 1 : i32             frame   [0, 1, 0, 0]
 *       %s = func.call @g(%n, %c1) : ...         step    ref_call    in 0 1   out 2
 *       return %s : i32                          leave   2 -> 3
 *     }
 *
 * First every value of the function gets its slots, in textual order (in a graph of blocks a value
 * may be used above its definition, so this is a walk of its own). Then every op becomes a step.
 * The operands of a region's terminator (yield, return, condition) become a list of slots to copy
 * from and to; the op that owns the region gives the targets when it decodes the region.
 *
 * Functions are decoded when a call to them is first met. Accesses are numbered on the way, in the
 * order of regions and ops, and blocks connected by branches in the order that lowering gives them
 * (lifted_order); a call takes as many numbers as its callee has. A function that is met again
 * while it is being decoded is recursive: then there are no numbers, and no histories.
 *
 * An op that cannot be run is refused here, before anything is run. Cost: linear in the size of the
 * program, plus the uses of each alloc and its views (escape analysis).
 */
#include "run/ref_code.h"

#include "lower/lower.h"

#include "text/text.h"

#include <stdlib.h>

/* ---- slots ----------------------------------------------------------------------------------- */

u32 ref_words(const Type *type) {
  if (type->kind == TYPE_MEMREF) return 2 + 2 * type->rank;
  if (type->kind == TYPE_UNRANKED_MEMREF) return 3 + 2 * LAYOUT_MAX_RANK;
  return 1;
}

u32 ref_slot(const Ref *r, const Value *value) {
  u64 slot;
  if (!map_get(&r->slots, PTR_KEY(value), &slot)) loom_bug("a value without a slot");
  return (u32)slot;
}

static bool can_run(const Type *type) {
  if (type->kind == TYPE_NONE || type_is_scalar(type)) return true;
  if (type->kind == TYPE_MEMREF) return type->rank <= LAYOUT_MAX_RANK && type_is_scalar(type->elem);
  return type->kind == TYPE_UNRANKED_MEMREF && type_is_scalar(type->elem);
}

PRINTF_LIKE(3, 4)
static void refuse(Ref *r, Loc loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = str_vprintf(r->ctx, format, args)->text;
  va_end(args);
  diag(r->ctx, loc, RT_UNSUPPORTED, "the reference interpreter cannot run %s", what);
  r->status = RUN_REFUSED;
}

static u32 new_slots(Function *f, u32 words) {
  u32 slot = (u32)f->initial.len;
  for (u32 i = 0; i < words; i++) vec_push(&f->initial, 0);
  return slot;
}

static void define(Ref *r, Function *f, const Value *value, Loc loc) {
  if (!can_run(value->type)) {
    Buf type = {0};
    text_type(value->type, &type);
    refuse(r, loc, "with values of type %s", type.data);
    buf_free(&type);
    const char *advice = type_advice(value->type);
    if (advice) diag_hint(r->ctx, "%s", advice);
  }
  map_put(&r->slots, PTR_KEY(value), new_slots(f, ref_words(value->type)));
}

/* Recursion: as deep as regions are nested, which the parser bounds. */
static void define_region(Ref *r, Function *f, const Region *region) {
  for_each_block (block, region) {
    for (u32 i = 0; i < block->nargs; i++) define(r, f, block->args[i], block->args[i]->loc);
    for_each_op (op, block) {
      for (u32 i = 0; i < op->nresults; i++) define(r, f, op_result(op, i), op->loc);
      for (u32 i = 0; i < op->nregions; i++) define_region(r, f, &op->regions[i]);
    }
  }
}

static u32 *slots_of_results(Ref *r, const Op *op) {
  u32 *slots = NEW_ARRAY(r->arena, u32, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) slots[i] = ref_slot(r, op_result(op, i));
  return slots;
}

static u32 *slots_of_args(Ref *r, const Block *block) {
  u32 *slots = NEW_ARRAY(r->arena, u32, block->nargs);
  for (u32 i = 0; i < block->nargs; i++) slots[i] = ref_slot(r, block->args[i]);
  return slots;
}

static u32 *slots_of_operands(Ref *r, const Op *op, u32 first, u32 n) {
  u32 *slots = NEW_ARRAY(r->arena, u32, n);
  for (u32 i = 0; i < n; i++) slots[i] = ref_slot(r, op_operand(op, first + i));
  return slots;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Copies n values of the given types from and to the values with these first slots. The targets
 * are consecutive (arguments of a block, results of an op), so they overlap the sources only where
 * a source lies among them. */
static Moves new_moves(Ref *r, const u32 *from, const Type *const *types, const u32 *to, u32 n) {
  Moves moves = {0};
  u32 words = 0, lowest = UINT32_MAX, highest = 0;
  for (u32 i = 0; i < n; i++) {
    words += ref_words(types[i]);
    if (to[i] < lowest) lowest = to[i];
    if (to[i] > highest) highest = to[i];
  }
  moves.at = NEW_ARRAY(r->arena, Move, words);
  for (u32 i = 0; i < n; i++) {
    moves.overlap |= from[i] >= lowest && from[i] <= highest && from[i] != to[i];
    for (u32 w = 0; w < ref_words(types[i]); w++)
      moves.at[moves.n++] = (Move){from[i] + w, to[i] + w};
  }
  if (moves.n > r->nscratch) r->nscratch = moves.n;
  return moves;
}

static Moves moves_from_operands(Ref *r, const Op *op, u32 first, u32 n, const u32 *to) {
  const Type **types = NEW_ARRAY(r->arena, const Type *, n);
  for (u32 i = 0; i < n; i++) types[i] = op_operand(op, first + i)->type;
  return new_moves(r, slots_of_operands(r, op, first, n), types, to, n);
}

static Moves moves_to_results(Ref *r, const Op *op, const u32 *from) {
  const Type **types = NEW_ARRAY(r->arena, const Type *, op->nresults);
  for (u32 i = 0; i < op->nresults; i++) types[i] = op->results[i].type;
  return new_moves(r, from, types, slots_of_results(r, op), op->nresults);
}

/* ---- regions --------------------------------------------------------------------------------- */

static void decode_op(Ref *r, Function *f, Op *op, u32 *nreduced, Body *body);

/* The slots that a region's terminator copies its operands to. */
typedef struct {
  const u32 *slots;
  u32 n;
} Outputs;

/* The moves of a terminator: of all its operands but scf.condition's first; none for scf.reduce,
 * which is a step of its own. */
static void decode_leave(Ref *r, Op *op, Outputs out, Body *body) {
  u32 first = op->kind == OP_SCF_CONDITION ? 1 : 0, n = op->noperands - first;
  if (op->kind == OP_SCF_REDUCE || op->kind == OP_SCF_FORALL_IN_PARALLEL ||
      op->kind == OP_UB_UNREACHABLE || n > out.n)
    return;
  body->leave = moves_from_operands(r, op, first, n, out.slots);
}

/* `bodies` are those of the region's blocks. */
static void decode_branch(Ref *r, Op *op, Body *bodies, Body *body) {
  body->ntargets = op->nsuccs;
  body->targets = NEW_ARRAY(r->arena, Target, op->nsuccs);
  for (u32 i = 0; i < op->nsuccs; i++) {
    const Successor *to = &op_succs(op)[i];
    u64 number;
    if (!map_get(&r->slots, PTR_KEY(to->block), &number)) loom_bug("a branch to another region");
    body->targets[i].body = &bodies[number];
    body->targets[i].arguments =
        moves_from_operands(r, op, to->first, to->n, slots_of_args(r, to->block));
  }
  if (op->kind != OP_CF_BR) body->selector = ref_slot(r, op_operand(op, 0));
  const Attr *cases = op->kind == OP_CF_SWITCH ? op_attr(op, "case_values") : NULL;
  if (!cases || cases->kind != ATTR_DENSE) return;
  u64 *values = NEW_ARRAY(r->arena, u64, op->nsuccs);
  for (u32 i = 1; i < op->nsuccs; i++)
    values[i - 1] = cases->splat ? cases->data[0] : i - 1 < cases->n ? cases->data[i - 1] : 0;
  body->cases = values;
}

/* A block and its rank in program order; unreachable blocks come last. */
typedef struct {
  const Block *block;
  Body *body;
  u64 rank;
} Ranked;

static int by_rank(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->body < y->body ? -1 : 1;
}

static void decode_block(Ref *r, Function *f, const Block *block, Body *bodies, Body *body,
                         Outputs out) {
  u32 nops = 0, nreduced = 0;
  for_each_op (op, block) nops++;
  body->steps = NEW_ARRAY(r->arena, Step, nops);
  body->terminator = block->last;
  for_each_op (op, block) {
    bool branches = op->kind == OP_CF_BR || op->kind == OP_CF_COND_BR || op->kind == OP_CF_SWITCH;
    if (branches) {
      decode_branch(r, op, bodies, body);
    } else if (op_has_trait(op, TRAIT_TERMINATOR) && op == block->last) {
      decode_leave(r, op, out, body);
      if (op->kind == OP_SCF_REDUCE || op->kind == OP_UB_UNREACHABLE)
        decode_op(r, f, op, &nreduced, body);
    } else {
      decode_op(r, f, op, &nreduced, body);
    }
  }
}

/* A region as a list of bodies; NULL where it has no block. */
static Body *decode_region(Ref *r, Function *f, const Region *region, Outputs out) {
  u32 nblocks = 0;
  for_each_block (block, region) map_put(&r->slots, PTR_KEY(block), nblocks++);
  if (nblocks == 0) return NULL;
  r->depth++;
  Body *bodies = NEW_ARRAY(r->arena, Body, nblocks);
  Ranked *order = NEW_ARRAY(r->arena, Ranked, nblocks);
  u32 n = 0;
  for_each_block (block, region) {
    order[n] = (Ranked){block, &bodies[n], UINT64_MAX};
    map_get(&r->ranks, PTR_KEY(block), &order[n++].rank);
  }
  if (r->ranked) qsort(order, n, sizeof *order, by_rank);
  bool dead = r->dead;
  for (u32 i = 0; i < n; i++) {
    r->dead = dead || (r->ranked && order[i].rank == UINT64_MAX);
    decode_block(r, f, order[i].block, bodies, order[i].body, out);
  }
  r->dead = dead;
  r->depth--;
  return bodies;
}

/* ---- loops and choices ----------------------------------------------------------------------- */

static void decode_for(Ref *r, Function *f, const Op *op, Step *step) {
  ForLoop *loop = step->loop = NEW(r->arena, ForLoop);
  const Block *block = region_entry(&op->regions[0]);
  const u32 *args = slots_of_args(r, block);
  u32 ncarried = op->nresults;
  loop->iv = args[0];
  loop->width = (u8)type_bits(r->ctx, block->args[0]->type);
  loop->is_unsigned = op_attr(op, "unsignedCmp") != NULL;
  loop->enter = moves_from_operands(r, op, 3, ncarried, args + 1);
  loop->leave = moves_to_results(r, op, args + 1);
  loop->body = decode_region(r, f, &op->regions[0], (Outputs){args + 1, ncarried});
}

static void decode_while(Ref *r, Function *f, const Op *op, Step *step) {
  WhileLoop *loop = step->while_loop = NEW(r->arena, WhileLoop);
  const Block *before = region_entry(&op->regions[0]), *after = region_entry(&op->regions[1]);
  const u32 *before_args = slots_of_args(r, before), *after_args = slots_of_args(r, after);
  loop->iteration = new_slots(f, 1);
  map_put(&r->slots, PTR_KEY(op), loop->iteration);
  loop->condition = ref_slot(r, op_operand(block_terminator(before), 0));
  loop->enter = moves_from_operands(r, op, 0, op->noperands, before_args);
  loop->leave = moves_to_results(r, op, after_args);
  loop->before = decode_region(r, f, &op->regions[0], (Outputs){after_args, after->nargs});
  loop->after = decode_region(r, f, &op->regions[1], (Outputs){before_args, before->nargs});
}

static void decode_parallel(Ref *r, Function *f, const Op *op, Step *step) {
  ParallelLoop *loop = step->parallel = NEW(r->arena, ParallelLoop);
  const Block *block = region_entry(&op->regions[0]);
  u32 n = loop->rank = block->nargs;
  loop->lower = slots_of_operands(r, op, 0, n);
  loop->upper = slots_of_operands(r, op, n, n);
  loop->step = slots_of_operands(r, op, 2 * n, n);
  loop->iv = slots_of_args(r, block);
  loop->enter = moves_from_operands(r, op, 3 * n, op->nresults, slots_of_results(r, op));
  loop->body = decode_region(r, f, &op->regions[0], (Outputs){NULL, 0});
}

/* Slots of the bounds or steps of scf.forall: a static one gets a slot with the constant. */
static const u32 *forall_bounds(Ref *r, Function *f, const Op *op, const char *name, u32 n,
                                u32 *operand) {
  u32 *slots = NEW_ARRAY(r->arena, u32, n);
  const Attr *list = op_attr(op, name);
  for (u32 i = 0; i < n; i++) {
    i64 bound = list && i < list->n ? list->ints[i] : DYNAMIC;
    if (bound == DYNAMIC) {
      slots[i] = ref_slot(r, op_operand(op, (*operand)++));
    } else {
      slots[i] = new_slots(f, 1);
      f->initial.at[slots[i]] = (u64)bound & eval_mask(r->ctx->index_width);
    }
  }
  return slots;
}

static void decode_forall(Ref *r, Function *f, const Op *op, Step *step) {
  ParallelLoop *loop = step->parallel = NEW(r->arena, ParallelLoop);
  const Block *block = region_entry(&op->regions[0]);
  u32 operand = 0;
  loop->rank = block->nargs;
  loop->lower = forall_bounds(r, f, op, "staticLowerBound", loop->rank, &operand);
  loop->upper = forall_bounds(r, f, op, "staticUpperBound", loop->rank, &operand);
  loop->step = forall_bounds(r, f, op, "staticStep", loop->rank, &operand);
  loop->iv = slots_of_args(r, block);
  loop->body = decode_region(r, f, &op->regions[0], (Outputs){NULL, 0});
}

/* scf.reduce: operand k is combined with a result of the parallel loop, whose slot holds the
 * partial result. Up to MLIR 17 there is one scf.reduce for each result. */
static void decode_reduce(Ref *r, Function *f, const Op *op, u32 *nreduced, Step *step) {
  const Op *loop = op_parent(op);
  Reductions *reductions = step->reductions = NEW(r->arena, Reductions);
  reductions->at = NEW_ARRAY(r->arena, Reduction, op->nregions);
  for (u32 k = 0; k < op->nregions && *nreduced < loop->nresults; k++) {
    Reduction *reduction = &reductions->at[reductions->n++];
    u32 so_far = ref_slot(r, op_result(loop, (*nreduced)++)), *out = NEW(r->arena, u32);
    u32 from[2] = {so_far, ref_slot(r, op_operand(op, k))};
    const Type *type = op_operand(op, k)->type;
    *out = so_far;
    const u32 *args = slots_of_args(r, region_entry(&op->regions[k]));
    reduction->operands = new_moves(r, from, (const Type *[]){type, type}, args, 2);
    reduction->body = decode_region(r, f, &op->regions[k], (Outputs){out, 1});
  }
}

static void decode_choice(Ref *r, Function *f, const Op *op, Step *step) {
  Choice *choice = step->choice = NEW(r->arena, Choice);
  const Attr *cases = op_attr(op, "cases");
  const u32 *results = slots_of_results(r, op);
  choice->n = op->nregions;
  choice->cases = cases && cases->kind == ATTR_DENSE_ARRAY ? cases->ints : NULL;
  choice->bodies = NEW_ARRAY(r->arena, Body *, op->nregions);
  for (u32 i = 0; i < op->nregions; i++)
    choice->bodies[i] = decode_region(r, f, &op->regions[i], (Outputs){results, op->nresults});
}

/* ---- accesses and calls ---------------------------------------------------------------------- */

static void number_access(Ref *r, Function *f, const Op *op, Step *step) {
  bool copies = op->kind == OP_MEMREF_COPY, stores = op->kind == OP_MEMREF_STORE;
  const Type *memref = op_operand(op, stores ? 1 : 0)->type;
  u64 number = r->numbered ? (u64)op_attr_int(op, "loom.access", 0) : f->naccesses;
  if (r->dead) return;
  ElementAccess access = {
      .first = number, .loc = op->loc, .is_store = stores, .type = memref->elem};
  step->number = (u32)number;
  vec_push(&f->accesses, access);
  access.first++;
  access.is_store = true;
  if (copies) vec_push(&f->accesses, access);
  number += copies ? 2 : 1;
  if (number > f->naccesses) f->naccesses = number;
}

/* Looks up a function or global in a map of all, which the first look-up builds. Of two of one
 * name, as there are while one is lowered on a copy, the first counts. */
static const Op *find_symbol(Ref *r, OpKind kind, const Str *name) {
  u64 known;
  if (!r->symbols.len) {
    for_each_op (op, region_entry(&r->module->top->regions[0])) {
      bool is_used = op->kind == OP_FUNC_FUNC || op->kind == OP_MEMREF_GLOBAL;
      const Attr *own = is_used ? op_attr(op, "sym_name") : NULL;
      u64 *first = own ? map_slot(&r->symbols, PTR_KEY(own->str)) : NULL;
      if (first && !*first) *first = PTR_KEY(op);
    }
  }
  if (!map_get(&r->symbols, PTR_KEY(name), &known)) return NULL;
  const Op *op = (const Op *)(uintptr_t)known;
  return op->kind == kind ? op : NULL;
}

static void decode_call(Ref *r, Function *f, const Op *op, Step *step) {
  const Attr *symbol = op_attr(op, "callee");
  const Op *func = symbol ? find_symbol(r, OP_FUNC_FUNC, symbol->str) : NULL;
  if (!func) {
    refuse(r, op->loc, "this call: the file does not define the function");
    return;
  }
  Function *callee = ref_decode(r, func);
  if (!callee) return;
  RefCall *call = step->call = NEW(r->arena, RefCall);
  call->callee = callee;
  call->arguments = moves_from_operands(r, op, 0, op->noperands, callee->args);
  call->results = moves_to_results(r, op, callee->results);
  step->number = (u32)f->naccesses;
  if (r->dead) return;
  vec_push(&f->accesses, ((ElementAccess){.callee = callee, .first = f->naccesses}));
  f->naccesses += callee->naccesses;
  if (f->naccesses > REF_MAX_ACCESSES) f->naccesses = REF_MAX_ACCESSES + 1;
}

/* ---- constants and memories ------------------------------------------------------------------ */

static bool is_view(OpKind kind) {
  switch (kind) {
  case OP_MEMREF_CAST:
  case OP_MEMREF_SUBVIEW:
  case OP_MEMREF_REINTERPRET_CAST:
  case OP_MEMREF_COLLAPSE_SHAPE:
  case OP_MEMREF_EXPAND_SHAPE:
  case OP_MEMREF_TRANSPOSE:
  case OP_MEMREF_MEMORY_SPACE_CAST:
  case OP_MEMREF_ASSUME_ALIGNMENT:
  case OP_MEMREF_EXTRACT_STRIDED_METADATA: return true;
  default: return false;
  }
}

static bool returns_memref(const Op *call) {
  for (u32 i = 0; i < call->nresults; i++)
    if (ref_words(call->results[i].type) > 1) return true;
  return false;
}

/* True where a memref, or a view of it, escapes: yielded, carried, returned. Elements are scalars,
 * so a memref cannot be stored; a callee can only return it. */
static bool escapes(const Value *memref) {
  Vec(const Value *) views = {0};
  bool found = false;
  vec_push(&views, memref);
  while (views.len && !found) {
    const Value *value = vec_pop(&views);
    for_each_use (use, value) {
      const Op *user = use->owner;
      switch ((OpKind)user->kind) {
      case OP_MEMREF_LOAD:
      case OP_MEMREF_STORE:
      case OP_MEMREF_COPY:
      case OP_MEMREF_DEALLOC:
      case OP_MEMREF_DIM:
      case OP_MEMREF_RANK: break;
      case OP_FUNC_CALL: found |= returns_memref(user); break;
      default:
        found |= !is_view((OpKind)user->kind);
        if (user->nresults) vec_push(&views, op_result(user, 0));
        break;
      }
    }
  }
  vec_free(&views);
  return found;
}

static void decode_alloc(Function *f, const Op *op, Step *step) {
  if (escapes(op_result(op, 0))) return;
  step->local.slot = new_slots(f, 1);
  vec_push(&f->locals, step->local.slot);
}

static void decode_global(Ref *r, Function *f, const Op *op) {
  const Attr *symbol = op_attr(op, "name");
  const Op *global = symbol ? find_symbol(r, OP_MEMREF_GLOBAL, symbol->str) : NULL;
  ElementLayout layout;
  Buffer *buffer = global ? ref_global(r, global, &layout) : NULL;
  const Type *type = op->results[0].type;
  if (!buffer || type->kind != TYPE_MEMREF || type->rank != layout.rank) {
    refuse(r, op->loc, "this access of a global: the global is undefined or too large");
    return;
  }
  ref_put_view(type, buffer, &layout, f->initial.at + ref_slot(r, op_result(op, 0)));
}

/* ---- ops ------------------------------------------------------------------------------------- */

static const struct {
  OpKind kind;
  Action *run;
} actions[] = {
    {OP_SCF_FOR, ref_for},
    {OP_SCF_WHILE, ref_while},
    {OP_SCF_IF, ref_if},
    {OP_SCF_INDEX_SWITCH, ref_index_switch},
    {OP_SCF_EXECUTE_REGION, ref_region},
    {OP_SCF_PARALLEL, ref_parallel},
    {OP_SCF_FORALL, ref_parallel},
    {OP_SCF_REDUCE, ref_reduce},
    {OP_FUNC_CALL, ref_call},
    {OP_CF_ASSERT, ref_assert},
    {OP_UB_UNREACHABLE, ref_unreachable},
    {OP_UB_POISON, ref_poison},
    {OP_BUILTIN_CAST, ref_copy_slots},
    {OP_MEMREF_LOAD, ref_load},
    {OP_MEMREF_STORE, ref_store},
    {OP_MEMREF_COPY, ref_copy},
    {OP_MEMREF_ALLOC, ref_alloc},
    {OP_MEMREF_ALLOCA, ref_alloc},
    {OP_MEMREF_DEALLOC, ref_dealloc},
    {OP_MEMREF_DIM, ref_dim},
    {OP_MEMREF_RANK, ref_rank},
    {OP_MEMREF_CAST, ref_cast},
    {OP_MEMREF_SUBVIEW, ref_subview},
    {OP_MEMREF_REINTERPRET_CAST, ref_reinterpret_cast},
    {OP_MEMREF_COLLAPSE_SHAPE, ref_collapse_shape},
    {OP_MEMREF_EXPAND_SHAPE, ref_expand_shape},
    {OP_MEMREF_TRANSPOSE, ref_transpose},
    {OP_MEMREF_MEMORY_SPACE_CAST, ref_copy_slots},
    {OP_MEMREF_ASSUME_ALIGNMENT, ref_copy_slots},
    {OP_MEMREF_EXTRACT_STRIDED_METADATA, ref_extract_strided_metadata},
    {OP_MEMREF_ALLOCA_SCOPE, ref_region},
};

static Action *action_of(OpKind kind) {
  for (size_t i = 0; i < COUNT_OF(actions); i++)
    if (actions[i].kind == kind) return actions[i].run;
  return NULL;
}

/* Casts that compute nothing: operand i becomes result i. */
static bool decode_rename(Ref *r, const Op *op, Step *step) {
  if (op->nresults == 0) return true;
  if (op->noperands != op->nresults) return false;
  for (u32 i = 0; i < op->nresults; i++) {
    const Type *from = op_operand(op, i)->type, *to = op->results[i].type;
    if (ref_words(from) != ref_words(to)) return false;
    if (ref_words(to) == 1 && type_bits(r->ctx, from) != type_bits(r->ctx, to)) return false;
  }
  step->moves = moves_from_operands(r, op, 0, op->noperands, slots_of_results(r, op));
  return true;
}

static bool decode_pure(Ref *r, const Op *op, Step *step) {
  if (op->kind == OP_ARITH_SELECT && ref_words(op->results[0].type) > 1) {
    step->run = ref_select;
    return true;
  }
  const Type *types[EVAL_MAX_OPERANDS];
  if (op->noperands == 0 || op->noperands > EVAL_MAX_OPERANDS || op->nresults == 0) return false;
  for (u32 i = 0; i < op->noperands; i++) types[i] = op_operand(op, i)->type;
  if (!eval_prepare(r->ctx, (OpKind)op->kind, op, types, op->results[0].type, &step->eval))
    return false;
  if (step->eval.noperands != op->noperands) return false;
  step->run = op->noperands == 1 ? ref_pure_1 : op->noperands == 2 ? ref_pure_2 : ref_pure_3;
  return true;
}

/* Appends the op's step to the body; constants are put into the frame instead. */
static void decode_op(Ref *r, Function *f, Op *op, u32 *nreduced, Body *body) {
  u64 bits;
  bool poisons = op->kind == OP_UB_POISON && r->options->strict;
  if (!poisons && eval_constant(r->ctx, op, &bits)) {
    f->initial.at[ref_slot(r, op_result(op, 0))] = bits;
    return;
  }
  if (op->kind == OP_MEMREF_GET_GLOBAL) {
    decode_global(r, f, op);
    return;
  }
  Step *step = &body->steps[body->nsteps++];
  step->op = op;
  step->run = action_of((OpKind)op->kind);
  step->in = slots_of_operands(r, op, 0, op->noperands);
  step->out = op->nresults ? ref_slot(r, op_result(op, 0)) : 0;
  bool good = true;
  switch ((OpKind)op->kind) {
  case OP_SCF_FOR: decode_for(r, f, op, step); break;
  case OP_SCF_WHILE: decode_while(r, f, op, step); break;
  case OP_SCF_PARALLEL: decode_parallel(r, f, op, step); break;
  case OP_SCF_FORALL:
    good = op->nresults == 0;
    if (good) decode_forall(r, f, op, step);
    break;
  case OP_SCF_REDUCE: decode_reduce(r, f, op, nreduced, step); break;
  case OP_SCF_IF:
  case OP_SCF_INDEX_SWITCH:
  case OP_SCF_EXECUTE_REGION:
  case OP_MEMREF_ALLOCA_SCOPE: decode_choice(r, f, op, step); break;
  case OP_FUNC_CALL: decode_call(r, f, op, step); break;
  case OP_MEMREF_LOAD:
  case OP_MEMREF_STORE:
    number_access(r, f, op, step);
    if (r->linear) step->run = op->kind == OP_MEMREF_LOAD ? ref_load_linear : ref_store_linear;
    step->access.rank = op->noperands - (op->kind == OP_MEMREF_LOAD ? 1 : 2);
    break;
  case OP_MEMREF_COPY: number_access(r, f, op, step); break;
  case OP_MEMREF_ALLOC:
  case OP_MEMREF_ALLOCA: decode_alloc(f, op, step); break;
  case OP_BUILTIN_CAST:
  case OP_MEMREF_MEMORY_SPACE_CAST:
  case OP_MEMREF_ASSUME_ALIGNMENT: good = decode_rename(r, op, step); break;
  default: good = step->run || decode_pure(r, op, step); break;
  }
  if (good) return;
  refuse(r, op->loc, "%s", op_name(op));
  const char *advice = dialect_advice(op_name(op));
  if (advice) diag_hint(r->ctx, "%s", advice);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Recursion: as deep as regions are nested, which the parser bounds. */
static bool has_branches(const Region *region) {
  if (region->first && region->first->next) return true;
  for_each_block (block, region)
    for_each_op (op, block)
      for (u32 i = 0; i < op->nregions; i++)
        if (has_branches(&op->regions[i])) return true;
  return false;
}

Function *ref_decode(Ref *r, const Op *func) {
  u64 known;
  if (map_get(&r->functions, PTR_KEY(func), &known)) {
    Function *f = r->decoded.at[known];
    r->recursive |= f->decoding;
    return f;
  }
  const Block *entry = func->nregions ? region_entry(&func->regions[0]) : NULL;
  if (!entry) {
    refuse(r, func->loc, "@%s, which has no body", op_attr_text(func, "sym_name"));
    return NULL;
  }
  if (r->depth > REF_MAX_LEVELS - MAX_NESTED) {
    diag(r->ctx, func->loc, RT_CALL_DEPTH, "calls are nested too deeply to be run");
    r->status = RUN_REFUSED;
    return NULL;
  }
  Function *f = NEW(r->arena, Function);
  map_put(&r->functions, PTR_KEY(func), r->decoded.len);
  vec_push(&r->decoded, f);
  f->op = func;
  f->decoding = true;
  define_region(r, f, &func->regions[0]);
  f->args = slots_of_args(r, entry);
  const Attr *type = op_attr(func, "function_type");
  u32 nresults = type && type->type ? type->type->nelems - type->type->ninputs : 0;
  f->results = NEW_ARRAY(r->arena, u32, nresults);
  for (u32 i = 0; i < nresults; i++)
    f->results[i] = new_slots(f, ref_words(type->type->elems[type->type->ninputs + i]));
  bool ranked = r->ranked, dead = r->dead; /* of the caller */
  r->ranked = has_branches(&func->regions[0]) && lifted_order(r->ctx, func, &r->ranks);
  r->dead = false;
  f->body = decode_region(r, f, &func->regions[0], (Outputs){f->results, nresults});
  r->ranked = ranked;
  r->dead = dead;
  f->decoding = false;
  return f;
}

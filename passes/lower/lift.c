/* lift.c -- branches between blocks become loops and ifs.
 *
 *     ^bb0: cf.br ^bb1(%a)                         %r = scf.while (%i = %a) {
 *     ^bb1(%i): cf.cond_br %c, ^bb2, ^bb3     =>     scf.condition(%c) %i
 *     ^bb2: ... cf.br ^bb1(%j)                     } do { ... scf.yield %j }
 *     ^bb3: return %i                              return %r
 *
 * Any control-flow graph is lifted, irreducible ones too, and no op with an effect is copied. The
 * method is that of Bahmann, Reissmann, Jahre and Meyer, "Perfect reconstructability of control
 * flow from demand dependence graphs" (2015), section 4, which MLIR's own lifting uses as well:
 *
 *     prepare   one block returns. A switch becomes a chain of conditional branches. Each side of
 *               a conditional branch gets a block of its own, its *edge*, with nothing but a
 *               branch: so only plain branches pass values, and to redirect a side its edge's
 *               branch is replaced.
 *     loops     each strongly connected component becomes one block with an scf.while in it. Where
 *               it is entered at several blocks, a dispatch block in front of them, with a
 *               selector, becomes the only entry, the header. Then
 *                 while      the only exit is the header's condition: the header is the before
 *                            region, the other blocks the after region. Values of the header that
 *                            other blocks use are passed, but those of a single cheap op (is_cheap)
 *                            are computed again there: so a loop that counts has only its
 *                            comparison in the before region, as raise.c requires.
 *                 do-while   the only exit and the only back edge leave one block: the whole
 *                            component is the before region.
 *                 any other  all back edges and exits lead to a latch, a block with these
 *                            arguments: whether to repeat, the values for the header, those for
 *                            each exit, and the selector of the exit.
 *               Behind the loop the selector decides where to go on.
 *     branches  there are no cycles now. The blocks that one side of a conditional branch dominates
 *               become a region of an scf.if. Where all branches that leave both sides lead to one
 *               block, that is the continuation, and its arguments are the results of the if; where
 *               they lead to several, a dispatch block is put in between. Then the same for the
 *               continuation.
 *
 * The regions of the new ops are lifted in the same way, by a worklist. A value that is not defined
 * on some path (the arguments of the exits that are not taken) is zero there; it is not used.
 *
 * Requires a verified function. Ensures that its regions have one block each. Cost: for each level
 * of nesting, MAX_LEVELS at most, the number of blocks in it, and for each dispatch block behind a
 * branch, the number of blocks up to the next that all paths go through. For a loop that is entered
 * at several blocks, or never left, that of the blocks in the region around. */
#include "lower/flow_graph.h"
#include "lower/stages.h"
#include "text/text.h"

/* Less than the nesting that the parser accepts, 256, so that the lifted text can be read again. */
enum { MAX_LEVELS = 200 };

enum { WANTED = 1 }; /* Op.index of an op of a header whose results are needed elsewhere */

typedef struct {
  Region *region;
  u32 level;
} Work;

typedef Vec(Block *) Blocks;
typedef Vec(Value *) Values;

typedef struct {
  Module *m;
  Arena *arena; /* released after each region */
  Op *func;
  Vec(Work) work;
  u32 level;          /* of the region that is being lifted */
  Vec(Value *) zeros; /* one constant per type, at the start of the function */
  Blocks made;        /* the blocks made since the list was last emptied */
  bool failed;
} Lift;

/* ---- branches as data ------------------------------------------------------------------------ */

static Builder at_end(const Lift *l, Block *block, Loc loc) {
  return (Builder){.m = l->m, .block = block, .loc = loc};
}

/* Appends an op without results. */
static Op *end_with(const Lift *l, Block *block, OpKind kind, Value *const *values, u32 n,
                    Loc loc) {
  Builder b = at_end(l, block, loc);
  return build_op(&b, kind, values, n, NULL, 0, 0);
}

static void branch(const Lift *l, Block *from, Block *to, Value *const *values, u32 n, Loc loc) {
  Op *op = end_with(l, from, OP_CF_BR, values, n, loc);
  op_set_successors(l->m, op, &(Successor){to, 0, n}, 1);
}

/* The target of a block's plain branch; NULL: it ends with another op, or has no terminator yet. */
static Block *target_of(const Block *block) {
  return block->last && block->last->kind == OP_CF_BR ? op_succs(block->last)[0].block : NULL;
}

/* Copies the operands of a terminator, and erases it. */
static Value **take_operands(const Lift *l, Op *end, u32 *n) {
  *n = end->noperands;
  Value **values = NEW_ARRAY(l->arena, Value *, *n);
  for (u32 i = 0; i < *n; i++) values[i] = op_operand(end, i);
  op_erase(end);
  return values;
}

static void retarget(Block *from, Block *to) {
  op_succs(from->last)[0].block = to;
}

static Block *block_plain(Lift *l, Region *region) {
  Block *block = block_new(l->m, region);
  block->index = NO_BLOCK;
  vec_push(&l->made, block);
  return block;
}

static void add_args_like(const Lift *l, Block *block, Value *const *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    block_add_arg(l->m, block, values[i]->type, values[i]->name, values[i]->loc);
}

/* A new block with the arguments of another. */
static Block *block_like(Lift *l, Region *region, const Block *other) {
  Block *block = block_plain(l, region);
  block->loc = other->loc;
  add_args_like(l, block, other->args, other->nargs);
  return block;
}

static const Type **types_of(const Lift *l, Value *const *values, u32 n) {
  const Type **types = NEW_ARRAY(l->arena, const Type *, n);
  for (u32 i = 0; i < n; i++) types[i] = values[i]->type;
  return types;
}

/* The block of `region` that contains a use, directly or in nested regions. */
static const Block *block_around(const Use *use, const Region *region) {
  const Block *block = use->owner->block;
  while (block && block->region != region)
    block = block->region->parent ? block->region->parent->block : NULL;
  return block;
}

/* A zero of the type, in place of a value that is not used; NULL after a diagnostic. */
static Value *zero_of(Lift *l, const Type *type, Loc loc) {
  for (size_t i = 0; i < l->zeros.len; i++)
    if (l->zeros.at[i]->type == type) return l->zeros.at[i];
  Value *zero = NULL;
  if (type_is_scalar(type)) {
    Builder b = {.m = l->m, .before = region_entry(&l->func->regions[0])->first, .loc = loc};
    zero = build_literal(&b, 0, type);
  } else if (!l->failed) {
    Buf text = {0};
    text_type(type, &text);
    diag(l->m->ctx, loc, COMP_LOWER_MEMREF_VALUE,
         "@%s cannot be lowered: a value of type %s is not defined on all paths",
         op_attr_text(l->func, "sym_name"), text.data);
    buf_free(&text);
    l->failed = true;
  }
  if (!zero) return NULL;
  vec_push(&l->zeros, zero);
  return zero;
}

/* Zeros in place of all arguments of a block. */
static Value **zeros_of(Lift *l, const Block *block, Loc loc) {
  Value **zeros = NEW_ARRAY(l->arena, Value *, block->nargs);
  for (u32 i = 0; i < block->nargs; i++) zeros[i] = zero_of(l, block->args[i]->type, loc);
  return zeros;
}

/* ---- prepare --------------------------------------------------------------------------------- */

/* The edge of one successor: a new block that branches to it with its values. */
static Block *new_edge(Lift *l, Op *end, Successor to) {
  Block *edge = block_plain(l, end->block->region);
  Value **values = NEW_ARRAY(l->arena, Value *, to.n);
  for (u32 i = 0; i < to.n; i++) values[i] = op_operand(end, to.first + i);
  branch(l, edge, to.block, values, to.n, end->loc);
  return edge;
}

static void cond_branch(const Lift *l, Block *from, Value *condition, Block *yes, Block *no,
                        Loc loc) {
  Op *op = end_with(l, from, OP_CF_COND_BR, &condition, 1, loc);
  op_set_successors(l->m, op, (Successor[]){{yes, 1, 0}, {no, 1, 0}}, 2);
}

static Value *equals(const Lift *l, Block *block, Value *value, u64 number, Loc loc) {
  Builder b = at_end(l, block, loc);
  Value *literal = build_literal(&b, number, value->type);
  return build_compare(&b, CMPI_EQ, value, literal);
}

/* Branches to `edge` where the condition holds, else to a new block, which is returned. */
static Block *else_block(Lift *l, Block *from, Value *condition, Block *edge, Loc loc) {
  Block *other = block_plain(l, from->region), *next = block_plain(l, from->region);
  cond_branch(l, from, condition, edge, other, loc);
  branch(l, other, next, NULL, 0, loc);
  return next;
}

/* Gives both sides of a conditional branch edges, and turns a switch (successor 0 is its default)
 * into a chain of such branches. */
static void split_branch(Lift *l, Block *block) {
  Op *end = block->last;
  bool is_switch = end->kind == OP_CF_SWITCH;
  if (!is_switch && end->kind != OP_CF_COND_BR) return;
  Value *flag = op_operand(end, 0);
  const Attr *cases = is_switch ? op_attr(end, "case_values") : NULL;
  u32 n = end->nsuccs;
  Block **edges = NEW_ARRAY(l->arena, Block *, n);
  for (u32 i = 0; i < n; i++) edges[i] = new_edge(l, end, op_succs(end)[i]);
  Loc loc = end->loc;
  op_erase(end);
  if (!is_switch) {
    cond_branch(l, block, flag, edges[0], edges[1], loc);
    return;
  }
  for (u32 i = 1; i < n; i++) {
    Value *hit = equals(l, block, flag, cases->data[cases->splat ? 0 : i - 1], loc);
    block = else_block(l, block, hit, edges[i], loc);
  }
  branch(l, block, edges[0], NULL, 0, loc);
}

/* The number of values that the region yields to the op around it; their types where that is a
 * function. */
static u32 yielded_types(const Region *region, const Type *const **types) {
  Op *parent = region->parent;
  if (parent->kind == OP_FUNC_FUNC) {
    const Type *signature = op_attr(parent, "function_type")->type;
    *types = signature->elems + signature->ninputs;
    return signature->nelems - signature->ninputs;
  }
  return parent->nresults;
}

/* Makes all returns branches to one block, which has their values as arguments. Unreachable ends
 * return zeros. */
static void join_returns(Lift *l, Region *region) {
  Blocks ends = {0};
  bool dead = false;
  for_each_block (block, region) {
    if (block->last->nsuccs) continue;
    vec_push(&ends, block);
    dead |= block->last->kind == OP_UB_UNREACHABLE;
  }
  if (ends.len != 1 || dead) {
    Op *parent = region->parent;
    const Type *const *types = NULL;
    u32 n = yielded_types(region, &types);
    OpKind kind = parent->kind == OP_FUNC_FUNC ? OP_FUNC_RETURN : OP_SCF_YIELD;
    Block *exit = block_plain(l, region);
    for (u32 i = 0; i < n; i++)
      block_add_arg(l->m, exit, types ? types[i] : parent->results[i].type, NULL, parent->loc);
    Loc loc = ends.len ? ends.at[ends.len - 1]->last->loc : parent->loc;
    end_with(l, exit, kind, exit->args, n, loc);
    for (size_t i = 0; i < ends.len; i++) {
      Op *end = ends.at[i]->last;
      Loc where = end->loc;
      bool is_dead = end->kind == OP_UB_UNREACHABLE;
      Value **given = take_operands(l, end, &n),
            **values = is_dead ? zeros_of(l, exit, where) : given;
      if (!l->failed) branch(l, ends.at[i], exit, values, exit->nargs, where);
    }
  }
  vec_free(&ends);
}

/* Erases unreachable blocks, except the one that ends the region: moves them into an op, as they
 * may use one another's values, and erases that. */
static void drop_unreachable(const Lift *l, Region *region) {
  flow_graph(l->arena, region);
  Op *removed = op_new(l->m, OP_SCF_EXECUTE_REGION, 0, NULL, 0, NULL, 0, 1);
  for (Block *block = region->first, *next; block; block = next) {
    next = block->next;
    if (block->index == NO_BLOCK && block->last->nsuccs) block_move(block, &removed->regions[0]);
  }
  op_erase(removed);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

/* Branches from `from` to to[selector], by a chain of comparisons; `values` are the arguments of
 * the first target, then those of the second, ... */
static void dispatch(Lift *l, Block *from, Value *selector, Value *const *values, Block *const *to,
                     u32 n, Loc loc) {
  for (u32 i = 0; i < n; i++) {
    if (i + 1 == n) {
      branch(l, from, to[i], values, to[i]->nargs, loc);
      return;
    }
    Block *edge = block_plain(l, from->region);
    branch(l, edge, to[i], values, to[i]->nargs, loc);
    from = else_block(l, from, equals(l, from, selector, i, loc), edge, loc);
    values += to[i]->nargs;
  }
}

static u32 position(const Blocks *blocks, const Block *block) {
  for (u32 i = 0; i < blocks->len; i++)
    if (blocks->at[i] == block) return i;
  return NO_BLOCK;
}

static u32 position_or_new(Blocks *blocks, Block *block) {
  u32 at = position(blocks, block);
  if (at == NO_BLOCK) vec_push(blocks, block);
  return at == NO_BLOCK ? (u32)blocks->len - 1 : at;
}

/* Appends the values that a branch to targets.at[which] passes to a dispatch block instead, whose
 * arguments are those of all targets, one after the other, and, where there are several, the
 * selector. */
static void push_choice(Lift *l, Values *values, const Blocks *targets, u32 which,
                        Value *const *given, Block *from, Loc loc) {
  for (u32 t = 0; t < targets->len; t++)
    for (u32 i = 0; i < targets->at[t]->nargs; i++)
      vec_push(values, t == which ? given[i] : zero_of(l, targets->at[t]->args[i]->type, loc));
  if (targets->len < 2) return;
  Builder b = at_end(l, from, loc);
  vec_push(values, build_int(&b, which == NO_BLOCK ? 0 : which, type_index(l->m->ctx)));
}

static void add_choice_args(const Lift *l, Block *block, const Blocks *targets, Loc loc) {
  for (u32 t = 0; t < targets->len; t++)
    add_args_like(l, block, targets->at[t]->args, targets->at[t]->nargs);
  if (targets->len > 1) block_add_arg(l->m, block, type_index(l->m->ctx), NULL, loc);
}

/* Redirects the branches of `from`, each to one of the targets, to a new dispatch block. */
static Block *join_branches(Lift *l, Region *region, const Blocks *from, const Blocks *targets,
                            Loc loc) {
  Block *block = block_plain(l, region);
  add_choice_args(l, block, targets, loc);
  for (size_t i = 0; i < from->len; i++) {
    Op *end = from->at[i]->last;
    u32 which = position(targets, op_succs(end)[0].block), n;
    Loc where = end->loc;
    Value **given = take_operands(l, end, &n);
    Values values = {0};
    push_choice(l, &values, targets, which, given, from->at[i], where);
    if (!l->failed) branch(l, from->at[i], block, values.at, (u32)values.len, where);
    vec_free(&values);
  }
  if (!l->failed)
    dispatch(l, block, block->args[block->nargs - 1], block->args, targets->at, (u32)targets->len,
             loc);
  return block;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A block that branches into a component from outside. */
typedef struct {
  Block *block;
  u32 next; /* in Cycles.entries; NO_BLOCK: it is the last of the component */
} Entry;

/* The components of a region, with lists of what each loop needs, so that a loop costs its own size
 * and not that of the region. Components are lifted in the order of their numbers, and loops are
 * left to higher numbers only: blocks made for one are listed as entries of those to come. */
typedef struct {
  FlowGraph flow;
  u32 *next; /* by block: the next one of its component; NO_BLOCK: it is the last */
  Vec(Entry) entries;
  u32 *first, *last; /* by component: of its entries, in the order of the region; NO_BLOCK: none */
} Cycles;

typedef struct {
  Region *region;
  const FlowGraph *flow;
  const Cycles *cycles;
  u32 component;
  Blocks blocks;  /* those of the component, and the edges out of it */
  Map members;    /* the same, as a set */
  Blocks back;    /* blocks that branch to the header */
  Blocks exits;   /* blocks that branch out of the loop */
  Blocks outside; /* the targets of the exits, each once */
  Block *header;
  Loc loc;
} Loop;

static bool is_member(const Loop *loop, const Block *block) {
  u64 known;
  return map_get(&loop->members, PTR_KEY(block), &known);
}

static void add_member(Loop *loop, Block *block) {
  vec_push(&loop->blocks, block);
  map_put(&loop->members, PTR_KEY(block), 1);
}

static bool in_component(const FlowGraph *flow, const Block *block, u32 component) {
  return block->index != NO_BLOCK && flow->component[block->index] == component;
}

static void add_entry(Cycles *cycles, Block *block) {
  const FlowGraph *flow = &cycles->flow;
  const Block *to = target_of(block);
  if (!to || to->index == NO_BLOCK) return;
  u32 c = flow->component[to->index], at = (u32)cycles->entries.len;
  if (!flow->cyclic[c] || in_component(flow, block, c)) return;
  vec_push(&cycles->entries, ((Entry){block, NO_BLOCK}));
  if (cycles->first[c] == NO_BLOCK)
    cycles->first[c] = at;
  else
    cycles->entries.at[cycles->last[c]].next = at;
  cycles->last[c] = at;
}

static Cycles new_cycles(const Lift *l, const Region *region) {
  Cycles cycles = {.flow = flow_graph(l->arena, region)};
  u32 n = cycles.flow.n;
  cycles.next = NEW_ARRAY(l->arena, u32, n);
  cycles.first = NEW_ARRAY(l->arena, u32, n);
  cycles.last = NEW_ARRAY(l->arena, u32, n);
  for (u32 i = 0; i < n; i++) {
    u32 c = cycles.flow.component[i];
    if (c != i) cycles.next[cycles.last[c]] = i;
    cycles.last[c] = i;
    cycles.next[i] = cycles.first[i] = NO_BLOCK;
  }
  for_each_block (block, region) add_entry(&cycles, block);
  return cycles;
}

/* The block of an entry that still branches from the loop's region into the loop; else NULL. */
static Block *entry_block(const Loop *loop, u32 entry) {
  Block *block = loop->cycles->entries.at[entry].block;
  return block->region == loop->region && target_of(block) ? block : NULL;
}

/* The only block at which the loop is entered; a dispatch block is made where there are several. */
static Block *make_header(Lift *l, Loop *loop) {
  Blocks entries = {0}, from = {0};
  const Cycles *cycles = loop->cycles;
  for (u32 e = cycles->first[loop->component]; e != NO_BLOCK; e = cycles->entries.at[e].next)
    if (entry_block(loop, e)) position_or_new(&entries, target_of(entry_block(loop, e)));
  if (!entries.len || in_component(loop->flow, loop->region->first, loop->component))
    loom_bug("a cycle is entered nowhere, or where its region is");
  Block *header = entries.at[0];
  if (entries.len > 1) {
    for_each_block (block, loop->region)
      if (target_of(block) && position(&entries, target_of(block)) != NO_BLOCK)
        vec_push(&from, block);
    Block *before = loop->region->last;
    header = join_branches(l, loop->region, &from, &entries, loop->loc);
    for (Block *made = before->next; made; made = made->next) add_member(loop, made);
  }
  vec_free(&entries);
  vec_free(&from);
  return header;
}

/* Finds the header, the blocks, the back edges and the exits of a loop. */
static void find_members(Lift *l, Loop *loop) {
  loop->header = make_header(l, loop);
  if (l->failed) return;
  for (u32 i = loop->component; i != NO_BLOCK; i = loop->cycles->next[i])
    add_member(loop, loop->flow->blocks[i]);
  size_t n = loop->blocks.len;
  for (size_t i = 0; i < n; i++) {
    const Op *end = loop->blocks.at[i]->last;
    for (u32 k = 0; end->kind == OP_CF_COND_BR && k < 2; k++)
      if (!is_member(loop, op_succs(end)[k].block)) add_member(loop, op_succs(end)[k].block);
  }
  for (size_t i = 0; i < loop->blocks.len; i++) {
    Block *block = loop->blocks.at[i], *to = target_of(block);
    if (!to) continue;
    if (to == loop->header) {
      vec_push(&loop->back, block);
    } else if (!is_member(loop, to)) {
      vec_push(&loop->exits, block);
      position_or_new(&loop->outside, to);
    }
  }
}

/* Redirects all branches from outside to the header to `to`. */
static void enter_at(const Loop *loop, Block *to) {
  const Cycles *cycles = loop->cycles;
  for (u32 e = cycles->first[loop->component]; e != NO_BLOCK; e = cycles->entries.at[e].next) {
    Block *block = entry_block(loop, e);
    if (block && target_of(block) == loop->header && !is_member(loop, block)) retarget(block, to);
  }
}

static void push_region(Lift *l, Region *region) {
  vec_push(&l->work, ((Work){region, l->level + 1}));
}

/* Replaces the branches of `from` to `target` by the scf.yield of `region`, with their operands.
 * For several branches that is in a new block, with arguments like those of `target`. */
static void end_region(Lift *l, const Blocks *from, const Block *target, Region *region) {
  Block *end = from->at[0];
  if (from->len > 1) {
    end = block_like(l, region, target);
    for (size_t i = 0; i < from->len; i++) retarget(from->at[i], end);
    end_with(l, end, OP_SCF_YIELD, end->args, end->nargs,
             target->last ? target->last->loc : target->loc);
    return;
  }
  Loc loc = end->last->loc;
  u32 n;
  Value **values = take_operands(l, end->last, &n);
  end_with(l, end, OP_SCF_YIELD, values, n, loc);
}

static Op *build_while(const Lift *l, Block *at, const Loop *loop, Value *const *results, u32 n) {
  Builder b = at_end(l, at, loop->loc);
  return build_op(&b, OP_SCF_WHILE, at->args, at->nargs, types_of(l, results, n), n, 2);
}

/* ---- loops: while ---------------------------------------------------------------------------- */

/* The edge from the header into the loop, where the header has the only exit; else NULL. */
static Block *while_edge(const Loop *loop) {
  const Op *end = loop->header->last;
  if (loop->exits.len != 1 || end->kind != OP_CF_COND_BR) return NULL;
  Block *yes = op_succs(end)[0].block, *no = op_succs(end)[1].block;
  if (loop->exits.at[0] == no) return yes;
  return loop->exits.at[0] == yes ? no : NULL;
}

static const u8 opposites[INT_PREDICATES] = {
    [CMPI_EQ] = CMPI_NE,   [CMPI_NE] = CMPI_EQ,   [CMPI_SLT] = CMPI_SGE, [CMPI_SLE] = CMPI_SGT,
    [CMPI_SGT] = CMPI_SLE, [CMPI_SGE] = CMPI_SLT, [CMPI_ULT] = CMPI_UGE, [CMPI_ULE] = CMPI_UGT,
    [CMPI_UGT] = CMPI_ULE, [CMPI_UGE] = CMPI_ULT,
};

static Value *negated(const Lift *l, Op *end) {
  Context *ctx = l->m->ctx;
  Value *condition = op_operand(end, 0);
  Op *compare = value_def(condition);
  i64 predicate =
      compare && compare->kind == OP_ARITH_CMPI ? op_attr_int(compare, "predicate", 0) : -1;
  if (predicate >= 0 && predicate < INT_PREDICATES && value_has_one_use(condition)) {
    set_predicate(l->m, compare, (CmpiPredicate)opposites[predicate]);
    return condition;
  }
  Builder b = builder_before(l->m, end);
  Value *one = build_literal(&b, 1, type_i1(ctx));
  return build_2(&b, OP_ARITH_XORI, condition, one);
}

static bool is_plain(const Op *op) {
  return op->nresults == 1 && is_repeatable(op) && !type_is_float(op->results[0].type);
}

static bool is_cast(const Op *op) {
  return op->kind == OP_ARITH_EXTSI || op->kind == OP_ARITH_EXTUI || op->kind == OP_ARITH_TRUNCI ||
         op->kind == OP_ARITH_INDEX_CAST || op->kind == OP_ARITH_INDEX_CASTUI;
}

/* Is a value of the header available elsewhere by casts alone, of an argument or of a value that is
 * passed? */
static bool needs_only_casts(const Block *header, const Value *v) {
  for (const Op *op = value_def(v); op && op->block == header && is_plain(op); op = value_def(v)) {
    if (!is_cast(op)) return false;
    v = op_operand(op, 0);
  }
  return true;
}

/* May the op be computed again, as that costs less than to carry its result? It cannot trap, and is
 * a single op, such as the comparison of a counter, but not the whole computation of a do-while. */
static bool is_cheap(const Op *op) {
  bool cheap = is_plain(op);
  for (u32 i = 0; i < op->noperands; i++)
    cheap = cheap && needs_only_casts(op->block, op_operand(op, i));
  return cheap;
}

/* A place outside of the header that uses its values: the body of the while, or behind it. */
typedef struct {
  Block *block; /* copies of cheap ops are appended to it */
  Map values;   /* value of the header -> its replacement here */
} Elsewhere;

static Value *value_at(const Lift *l, Elsewhere *place, const Block *header, Value *v) {
  u64 known;
  if (map_get(&place->values, PTR_KEY(v), &known)) return (Value *)(uintptr_t)known;
  if (value_block(v) != header) return v;
  Op *op = value_op(v); /* cheap: its operands are reachable in a few steps, or were passed */
  for (u32 i = 0; i < op->noperands; i++) value_at(l, place, header, op_operand(op, i));
  Op *copy = op_clone(l->m, op, &place->values);
  op_append(place->block, copy);
  return op_result(copy, 0);
}

/* Replaces uses of the header's value in other blocks. */
static void replace_outside(const Lift *l, const Loop *loop, Value *v, Elsewhere *body,
                            Elsewhere *after) {
  for (Use *use = v->uses, *next; use; use = next) {
    next = use->next;
    const Block *around = block_around(use, loop->region);
    if (around == loop->header) continue;
    bool inside = is_member(loop, around) && around != loop->exits.at[0];
    Value *by = value_at(l, inside ? body : after, loop->header, v);
    op_set_operand(use->owner, use_index(use), by);
  }
}

static bool is_used_elsewhere(const Loop *loop, const Value *v) {
  for_each_use (use, v)
    if (block_around(use, loop->region) != loop->header) return true;
  return false;
}

/* Is a value of the header used elsewhere, or by an op that is computed again elsewhere? */
static bool is_wanted(const Loop *loop, const Value *v) {
  if (is_used_elsewhere(loop, v)) return true;
  for_each_use (use, v)
    if (use->owner->block == loop->header && use->owner->index == WANTED && is_cheap(use->owner))
      return true;
  return false;
}

/* Appends the header's arguments and results that are wanted and not computed again. */
static void find_passed(const Loop *loop, Values *passed) {
  const Block *header = loop->header;
  for (Op *op = header->last; op; op = op->prev) {
    op->index = 0;
    for (u32 i = 0; i < op->nresults; i++)
      if (is_wanted(loop, op_result(op, i))) op->index = WANTED;
  }
  for (u32 i = 0; i < header->nargs; i++)
    if (is_wanted(loop, header->args[i])) vec_push(passed, header->args[i]);
  for_each_op (op, header)
    for (u32 i = 0; op->index == WANTED && !is_cheap(op) && i < op->nresults; i++)
      vec_push(passed, op_result(op, i));
}

static void lift_while(Lift *l, Loop *loop, Block *edge) {
  Block *header = loop->header, *exit = loop->exits.at[0];
  Op *end = header->last;
  Value *condition = op_succs(end)[0].block == edge ? op_operand(end, 0) : negated(l, end);
  Values passed = {0};
  vec_push(&passed, condition);
  find_passed(loop, &passed);
  u32 n = (u32)passed.len - 1;

  Block *at = block_like(l, loop->region, header);
  enter_at(loop, at);
  Op *made = build_while(l, at, loop, passed.at + 1, n);
  Block *entry = block_plain(l, &made->regions[1]);
  add_args_like(l, entry, passed.at + 1, n);
  Elsewhere body = {.block = entry}, after = {.block = at};
  for (u32 i = 0; i < n; i++) {
    Value *v = passed.at[i + 1];
    map_put(&body.values, PTR_KEY(v), PTR_KEY(entry->args[i]));
    map_put(&after.values, PTR_KEY(v), PTR_KEY(op_result(made, i)));
    made->results[i].name = v->name;
  }
  op_erase(end);
  for (u32 i = 0; i < header->nargs; i++) replace_outside(l, loop, header->args[i], &body, &after);
  for_each_op (op, header)
    for (u32 i = 0; i < op->nresults; i++)
      if (is_used_elsewhere(loop, op_result(op, i)))
        replace_outside(l, loop, op_result(op, i), &body, &after);
  branch(l, entry, edge, NULL, 0, loop->loc);
  branch(l, at, exit, NULL, 0, loop->loc);

  end_region(l, &loop->back, header, &made->regions[1]);
  block_move(header, &made->regions[0]);
  end_with(l, header, OP_SCF_CONDITION, passed.at, (u32)passed.len, loop->loc);
  for (size_t i = 0; i < loop->blocks.len; i++)
    if (loop->blocks.at[i] != header && loop->blocks.at[i] != exit)
      block_move(loop->blocks.at[i], &made->regions[1]);
  push_region(l, &made->regions[1]);
  map_free(&body.values);
  map_free(&after.values);
  vec_free(&passed);
}

/* ---- loops: any other ------------------------------------------------------------------------ */

static bool is_used_outside(const Loop *loop, const Value *v) {
  for_each_use (use, v)
    if (!is_member(loop, block_around(use, loop->region))) return true;
  return false;
}

/* Values of the loop that are used outside. */
static void find_live_out(const Loop *loop, Values *live) {
  for (size_t i = 0; i < loop->blocks.len; i++) {
    Block *block = loop->blocks.at[i];
    for (u32 k = 0; k < block->nargs; k++)
      if (is_used_outside(loop, block->args[k])) vec_push(live, block->args[k]);
    for_each_op (op, block)
      for (u32 k = 0; k < op->nresults; k++)
        if (is_used_outside(loop, op_result(op, k))) vec_push(live, op_result(op, k));
  }
}

/* Is a value defined at the end of this block? For a block made after the numbering (NO_BLOCK) only
 * its own values and those of the header count. */
static bool is_defined_at(const Loop *loop, const Value *v, const Block *block) {
  const Block *made_in = value_block(v);
  if (made_in == block || made_in == loop->header) return true;
  if (made_in->index == NO_BLOCK || block->index == NO_BLOCK) return false;
  return flow_dominates(loop->flow, made_in->index, block->index);
}

/* The value passed for a header's argument where the loop is left: zero; for a memref, of which
 * there is no zero, the argument itself. */
static Value *unused_argument(Lift *l, Value *arg, Loc loc) {
  return type_is_scalar(arg->type) ? zero_of(l, arg->type, loc) : arg;
}

/* Redirects one back edge or exit to the latch, with values for all its arguments. */
static void branch_to_latch(Lift *l, const Loop *loop, Block *from, Block *latch,
                            const Values *live) {
  Context *ctx = l->m->ctx;
  Op *end = from->last;
  Loc loc = end->loc;
  Block *to = op_succs(end)[0].block;
  bool again = to == loop->header;
  u32 n;
  Value **given = take_operands(l, end, &n);
  Builder b = at_end(l, from, loc);
  Values values = {0};
  vec_push(&values, build_literal(&b, again, type_i1(ctx)));
  for (u32 i = 0; i < loop->header->nargs; i++)
    vec_push(&values, again ? given[i] : unused_argument(l, loop->header->args[i], loc));
  for (size_t i = 0; i < live->len; i++) {
    bool defined = !again && is_defined_at(loop, live->at[i], from);
    vec_push(&values, defined ? live->at[i] : zero_of(l, live->at[i]->type, loc));
  }
  push_choice(l, &values, &loop->outside, again ? NO_BLOCK : position(&loop->outside, to), given,
              from, loc);
  if (!l->failed) branch(l, from, latch, values.at, (u32)values.len, loc);
  vec_free(&values);
}

/* The block whose condition decides between the only back edge and the only exit; else NULL. */
static Block *do_while_end(const Loop *loop) {
  if (loop->exits.len != 1 || loop->back.len != 1) return NULL;
  for (size_t i = 0; i < loop->blocks.len; i++) {
    const Op *end = loop->blocks.at[i]->last;
    if (end->kind != OP_CF_COND_BR) continue;
    const Block *yes = op_succs(end)[0].block, *no = op_succs(end)[1].block;
    if ((yes == loop->back.at[0] && no == loop->exits.at[0]) ||
        (no == loop->back.at[0] && yes == loop->exits.at[0]))
      return loop->blocks.at[i];
  }
  return NULL;
}

/* The block that ends every iteration. `values` becomes the operands of scf.condition: repeat, the
 * header's arguments, values live outside, the arguments of the exits and their selector. */
static Block *make_latch(Lift *l, Loop *loop, const Values *live, Values *values) {
  Block *last = do_while_end(loop);
  if (last) {
    Op *end = last->last, *back = loop->back.at[0]->last, *out = loop->exits.at[0]->last;
    bool yes = op_succs(end)[0].block == loop->back.at[0];
    vec_push(values, yes ? op_operand(end, 0) : negated(l, end));
    for (u32 i = 0; i < back->noperands; i++) vec_push(values, op_operand(back, i));
    for (size_t i = 0; i < live->len; i++) vec_push(values, live->at[i]);
    for (u32 i = 0; i < out->noperands; i++) vec_push(values, op_operand(out, i));
    op_erase(end);
    op_erase(back);
    op_erase(out);
    block_unlink(loop->back.at[0]);
    block_unlink(loop->exits.at[0]);
    return last;
  }
  Block *latch = block_plain(l, loop->region);
  block_add_arg(l->m, latch, type_i1(l->m->ctx), NULL, loop->loc);
  add_args_like(l, latch, loop->header->args, loop->header->nargs);
  add_args_like(l, latch, live->at, live->len);
  add_choice_args(l, latch, &loop->outside, loop->loc);
  for (size_t i = 0; i < loop->back.len; i++)
    branch_to_latch(l, loop, loop->back.at[i], latch, live);
  for (size_t i = 0; i < loop->exits.len && !l->failed; i++)
    branch_to_latch(l, loop, loop->exits.at[i], latch, live);
  for (u32 i = 0; i < latch->nargs; i++) vec_push(values, latch->args[i]);
  return latch;
}

static Block *region_exit(const Region *region) {
  for_each_block (block, region)
    if (!block->last->nsuccs) return block;
  loom_bug("a region without an end");
}

/* Branches from behind the loop to the targets of its exits. A loop that never ends gets a branch
 * to the region's end, so that every block leads there. */
static void leave_loop(Lift *l, const Loop *loop, Block *at, Value *const *results, u32 n) {
  if (loop->outside.len) {
    Value *selector = loop->outside.len > 1 ? results[n - 1] : NULL;
    dispatch(l, at, selector, results, loop->outside.at, (u32)loop->outside.len, loop->loc);
    return;
  }
  Block *exit = region_exit(loop->region);
  Value **zeros = zeros_of(l, exit, loop->loc);
  if (!l->failed) branch(l, at, exit, zeros, exit->nargs, loop->loc);
}

static void lift_any(Lift *l, Loop *loop) {
  Values live = {0}, values = {0};
  Block *header = loop->header;
  find_live_out(loop, &live);
  Block *at = block_like(l, loop->region, header);
  enter_at(loop, at);
  Block *latch = make_latch(l, loop, &live, &values);
  if (!l->failed) {
    u32 n = (u32)values.len - 1;
    Op *made = build_while(l, at, loop, values.at + 1, n);
    Value **results = NEW_ARRAY(l->arena, Value *, n);
    for (u32 i = 0; i < n; i++) results[i] = op_result(made, i);
    Block *entry = block_plain(l, &made->regions[1]);
    for (u32 i = 0; i < n; i++) block_add_arg(l->m, entry, results[i]->type, NULL, loop->loc);
    end_with(l, entry, OP_SCF_YIELD, entry->args, header->nargs, loop->loc);
    for (size_t i = 0; i < live.len; i++)
      for (Use *use = live.at[i]->uses, *next; use; use = next) {
        next = use->next;
        const Block *around = block_around(use, loop->region);
        if (around != latch && !is_member(loop, around))
          op_set_operand(use->owner, use_index(use), results[header->nargs + i]);
      }
    u32 skipped = header->nargs + (u32)live.len;
    leave_loop(l, loop, at, results + skipped, n - skipped);
    end_with(l, latch, OP_SCF_CONDITION, values.at, (u32)values.len, loop->loc);
    block_move(header, &made->regions[0]);
    for (size_t i = 0; i < loop->blocks.len; i++) {
      Block *block = loop->blocks.at[i];
      if (block != header && block->region) block_move(block, &made->regions[0]);
    }
    if (latch->region != &made->regions[0]) block_move(latch, &made->regions[0]);
    push_region(l, &made->regions[0]);
  }
  vec_free(&live);
  vec_free(&values);
}

static void lift_loop(Lift *l, Loop *loop) {
  loop->loc = loop->flow->blocks[loop->component]->last->loc;
  find_members(l, loop);
  Block *edge = l->failed ? NULL : while_edge(loop);
  if (edge)
    lift_while(l, loop, edge);
  else if (!l->failed)
    lift_any(l, loop);
  vec_free(&loop->blocks);
  map_free(&loop->members);
  vec_free(&loop->back);
  vec_free(&loop->exits);
  vec_free(&loop->outside);
}

/* Turns each outermost cycle of a region into one block with a while. */
static void lift_loops(Lift *l, Region *region) {
  Cycles cycles = new_cycles(l, region);
  vec_clear(&l->made);
  for (u32 c = 0; c < cycles.flow.n && !l->failed; c++) {
    if (cycles.flow.component[c] != c || !cycles.flow.cyclic[c]) continue;
    Loop loop = {.region = region, .flow = &cycles.flow, .cycles = &cycles, .component = c};
    lift_loop(l, &loop);
    for (size_t i = 0; i < l->made.len; i++)
      if (l->made.at[i]->region == region) add_entry(&cycles, l->made.at[i]);
    vec_clear(&l->made);
  }
  vec_free(&cycles.entries);
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The dominator tree of a part of a region without cycles, with links downwards. A part begins with
 * the region's first block and ends with the next one that all paths go through: so where a tree
 * gets out of date, in a row of ifs, only the part with one of them is looked at again. */
typedef struct {
  Block *entry;
  Blocks ends;     /* of all parts, in order */
  size_t part;     /* the number of the end of this part */
  bool is_current; /* false: the tree is out of date */
  ArenaMark mark;  /* of the tree, which is all that Lift.arena has behind it */
  FlowGraph flow;
  u32 *child, *sibling; /* the first child, the next sibling; NO_BLOCK: none */
  u32 *side;            /* the root of the side that has the block, as collect has found it */
} Tree;

/* In a topological order all paths go through a block that no edge passes by. */
static Tree new_tree(const Lift *l, const Region *region) {
  Tree tree = {.entry = region->first, .mark = arena_mark(l->arena)};
  FlowGraph flow = flow_graph(l->arena, region);
  for (u32 i = 0, furthest = 0; i < flow.n; i++) {
    const Op *end = flow.blocks[i]->last;
    if (i && furthest == i) vec_push(&tree.ends, flow.blocks[i]);
    for (u32 k = 0; k < end->nsuccs; k++) {
      u32 to = op_succs(end)[k].block->index;
      if (to > furthest) furthest = to;
    }
  }
  for (u32 i = 0; i < flow.n; i++) flow.blocks[i]->index = NO_BLOCK;
  return tree;
}

/* Makes the tree of the part with the branch at the end of the entry, if it is out of date. */
static void update_tree(const Lift *l, Tree *tree) {
  while (tree->ends.at[tree->part]->region != tree->entry->region) { /* merged into the entry */
    tree->part++;
    tree->is_current = false;
  }
  if (tree->is_current) return;
  for (u32 i = 0; i < tree->flow.n; i++) tree->flow.blocks[i]->index = NO_BLOCK;
  arena_release(l->arena, tree->mark);
  tree->flow = flow_graph_part(l->arena, tree->entry, tree->ends.at[tree->part]);
  u32 n = tree->flow.n;
  tree->child = NEW_ARRAY(l->arena, u32, n);
  tree->sibling = NEW_ARRAY(l->arena, u32, n);
  tree->side = NEW_ARRAY(l->arena, u32, n);
  for (u32 i = 0; i < n; i++) tree->child[i] = tree->sibling[i] = tree->side[i] = NO_BLOCK;
  for (u32 i = n - 1; i > 0; i--) {
    tree->sibling[i] = tree->child[tree->flow.idom[i]];
    tree->child[tree->flow.idom[i]] = i;
  }
  tree->is_current = true;
}

/* Appends the blocks that the root dominates. */
static void collect(const Tree *tree, u32 root, Blocks *blocks) {
  size_t first = blocks->len;
  vec_push(blocks, tree->flow.blocks[root]);
  for (size_t i = first; i < blocks->len; i++) {
    u32 at = blocks->at[i]->index;
    tree->side[at] = root;
    for (u32 c = tree->child[at]; c != NO_BLOCK; c = tree->sibling[c])
      vec_push(blocks, tree->flow.blocks[c]);
  }
}

/* The blocks that one side of a branch dominates, and those of them that branch out of it. */
typedef struct {
  Blocks blocks, leaving;
} Side;

static Side new_side(const Tree *tree, Block *root, Blocks *targets) {
  Side side = {0};
  collect(tree, root->index, &side.blocks);
  for (size_t i = 0; i < side.blocks.len; i++) {
    Block *to = target_of(side.blocks.at[i]);
    if (!to || tree->side[to->index] == root->index) continue;
    vec_push(&side.leaving, side.blocks.at[i]);
    position_or_new(targets, to);
  }
  return side;
}

static void close_side(Lift *l, Side *side, const Block *target, Region *region) {
  end_region(l, &side->leaving, target, region);
  for (size_t i = 0; i < side->blocks.len; i++) block_move(side->blocks.at[i], region);
  /* the block that end_region made, if any, came first */
  if (region->first != side->blocks.at[0]) {
    Block *end = region->first;
    block_move(end, region);
  }
  push_region(l, region);
}

/* Puts the ops of `next`, which only `entry` leads to, at the end of `entry`. */
static void merge(Block *entry, Block *next, Value *const *values) {
  for (u32 i = 0; i < next->nargs; i++) value_replace_uses(next->args[i], values[i]);
  move_ops(next, entry);
  block_unlink(next);
}

/* Replaces the conditional branch at the end of `entry` by an scf.if and the ops of the
 * continuation. */
static void lift_if(Lift *l, Tree *tree, Block *entry) {
  Op *end = entry->last;
  Loc loc = end->loc;
  Blocks targets = {0};
  Side sides[2];
  for (u32 k = 0; k < 2; k++) sides[k] = new_side(tree, op_succs(end)[k].block, &targets);
  Block *next = targets.at[0];
  bool several = targets.len > 1;
  if (several) {
    Blocks from = {0};
    for (u32 k = 0; k < 2; k++)
      for (size_t i = 0; i < sides[k].leaving.len; i++) vec_push(&from, sides[k].leaving.at[i]);
    next = join_branches(l, entry->region, &from, &targets, loc);
    vec_free(&from);
  }
  if (!l->failed) {
    Value *condition = op_operand(end, 0);
    op_erase(end);
    Builder b = at_end(l, entry, loc);
    Op *made = build_op(&b, OP_SCF_IF, &condition, 1, types_of(l, next->args, next->nargs),
                        next->nargs, 2);
    for (u32 k = 0; k < 2; k++) close_side(l, &sides[k], next, &made->regions[k]);
    Value **results = NEW_ARRAY(l->arena, Value *, next->nargs);
    for (u32 i = 0; i < next->nargs; i++) {
      results[i] = op_result(made, i);
      results[i]->name = next->args[i]->name;
    }
    merge(entry, next, results);
  }
  for (u32 k = 0; k < 2; k++) {
    vec_free(&sides[k].blocks);
    vec_free(&sides[k].leaving);
  }
  vec_free(&targets);
  if (several) tree->is_current = false;
}

static void lift_branches(Lift *l, Region *region) {
  Block *entry = region->first;
  Tree tree = new_tree(l, region);
  while (entry->last->nsuccs && !l->failed) {
    Op *end = entry->last;
    if (end->kind == OP_CF_COND_BR) {
      update_tree(l, &tree);
      lift_if(l, &tree, entry);
      continue;
    }
    Block *next = op_succs(end)[0].block;
    u32 n;
    Value **values = take_operands(l, end, &n);
    merge(entry, next, values);
  }
  vec_free(&tree.ends);
}

/* ---- regions and functions ------------------------------------------------------------------- */

/* Are all terminators known? Reports one that is not. */
static bool are_ends_known(const Lift *l, const Region *region) {
  for_each_block (block, region) {
    const Op *end = block->last;
    switch ((OpKind)end->kind) {
    case OP_CF_BR:
    case OP_CF_COND_BR:
    case OP_CF_SWITCH:
    case OP_FUNC_RETURN:
    case OP_SCF_YIELD:
    case OP_UB_UNREACHABLE: continue;
    default: break;
    }
    diag(l->m->ctx, end->loc, COMP_LOWER_CFG, "%s ends a block, but its successors are not known",
         op_name(end));
    return false;
  }
  return true;
}

static void prepare(Lift *l, Region *region) {
  l->failed = !are_ends_known(l, region);
  if (!l->failed) join_returns(l, region);
  if (l->failed) return;
  drop_unreachable(l, region);
  Blocks blocks = {0};
  for_each_block (block, region) vec_push(&blocks, block);
  for (size_t i = 0; i < blocks.len; i++) split_branch(l, blocks.at[i]);
  vec_free(&blocks);
}

static void lift_region(Lift *l, Region *region) {
  prepare(l, region);
  if (!l->failed) push_region(l, region);
  while (l->work.len && !l->failed) {
    Work work = vec_pop(&l->work);
    l->level = work.level;
    if (work.level > MAX_LEVELS) {
      diag(l->m->ctx, l->func->loc, COMP_LOWER_CFG,
           "@%s cannot be lowered: its branches are nested more than %d deep",
           op_attr_text(l->func, "sym_name"), MAX_LEVELS);
      l->failed = true;
      return;
    }
    ArenaMark mark = arena_mark(l->arena);
    lift_loops(l, work.region);
    if (!l->failed) lift_branches(l, work.region);
    arena_release(l->arena, mark);
  }
}

/* Recursion is as deep as regions are nested, which the parser bounds. */
static void lift_inside(Lift *l, Region *region) {
  for_each_block (block, region)
    for_each_op (op, block)
      for (u32 i = 0; i < op->nregions; i++) {
        lift_inside(l, &op->regions[i]);
        if (op->regions[i].first && op->regions[i].first->next && !l->failed)
          lift_region(l, &op->regions[i]);
      }
}

bool lift_branches_of(Module *m, Op *func) {
  Lift l = {.m = m, .func = func, .arena = arena_new()};
  lift_inside(&l, &func->regions[0]);
  if (func->regions[0].first->next && !l.failed) lift_region(&l, &func->regions[0]);
  vec_free(&l.work);
  vec_free(&l.zeros);
  vec_free(&l.made);
  arena_free(l.arena);
  return !l.failed;
}

/* ---- the order of blocks --------------------------------------------------------------------- */

/* May the op be, or contain, an access or a call? An op with regions may have none, which does no
 * harm. */
static bool has_number(const Op *op) {
  return op->nregions || op->kind == OP_MEMREF_LOAD || op->kind == OP_MEMREF_STORE ||
         op->kind == OP_MEMREF_COPY || op->kind == OP_FUNC_CALL;
}

typedef Vec(const Block *) Originals;

/* Marks the ops of a copy that may have an access with the index in `blocks` of their original
 * block. */
static void mark_blocks(Module *m, const Region *original, Region *copy, Originals *blocks) {
  const Block *from = original->first;
  for_each_block (block, copy) {
    const Attr *mark = attr_int(m->ctx, (i64)blocks->len, type_int(m->ctx, 32, SIGNLESS));
    vec_push(blocks, from);
    const Op *was = from->first;
    for_each_op (op, block) {
      if (has_number(op)) op_set_attr(m, op, "loom.block", mark);
      for (u32 i = 0; i < op->nregions; i++)
        mark_blocks(m, &was->regions[i], &op->regions[i], blocks);
      was = was->next;
    }
    from = from->next;
  }
}

/* Ranks the marked blocks in the order of the lifted copy. */
static void read_order(const Region *region, const Originals *blocks, Map *ranks, u64 *next) {
  u64 known;
  for_each_block (block, region)
    for_each_op (op, block) {
      i64 mark = has_number(op) ? op_attr_int(op, "loom.block", -1) : -1;
      if (mark >= 0 && !map_get(ranks, PTR_KEY(blocks->at[mark]), &known))
        map_put(ranks, PTR_KEY(blocks->at[mark]), (*next)++);
      for (u32 i = 0; i < op->nregions; i++) read_order(&op->regions[i], blocks, ranks, next);
    }
}

bool lifted_order(Context *ctx, const Op *func, Map *ranks) {
  Module *m = module_new(ctx);
  Map map = {0};
  Originals blocks = {0};
  u64 next = 0;
  Op *copy = op_clone(m, func, &map);
  mark_blocks(m, &func->regions[0], &copy->regions[0], &blocks);
  QuietScope quiet = diag_quiet(ctx);
  bool good = lift_branches_of(m, copy);
  diag_quiet_end(ctx, &quiet);
  if (good) read_order(&copy->regions[0], &blocks, ranks, &next);
  map_free(&map);
  vec_free(&blocks);
  module_free(m);
  return good;
}

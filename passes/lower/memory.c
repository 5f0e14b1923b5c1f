/* memory.c -- builds memories, and the token network that keeps their accesses in order.
 *
 * Order is kept by a network of `none` tokens, one for each group: the accesses of one root memory
 * (or of arguments that share a loom.alias_group). An access waits for one control token and
 * produces one done token, and each region turns its entry token into a done token:
 *
 *     store A[%i]        entry ─► store ─done─► ┬► load ─done─┐
 *     load A[%j]                                └► load ─done─┴► join ─► done
 *     load A[%k]
 *
 * The items of a level are accesses, and whole loops and ifs. An item waits for the earlier ones
 * with which it may conflict: both may touch one element, and one of them stores. There is no order
 * between others. For a loop with after_cond g there are two templates:
 *
 *     serial      ctrl = carry(g, entry, next);  next, exit = cond_br(g, body's done)
 *     parallel    ctrl = invariant(g, entry);       _, exit = cond_br(g, body's done)
 *
 * Serial is always right. Parallel lets iterations overlap; it is used where the loop does not
 * store to the group, where depends.c shows that accesses in different iterations do not conflict,
 * or where the loop is loom.independent (scf.parallel). Where this is shown only for some accesses
 * (with all others), these are *early*: they take the token of the invariant, the others that of
 * the carry:
 *
 *     for %i:  load A[%i + 1]; store A[%i]; store A[%i + 1]      the load is early, the stores of
 *                                                                all iterations are in order
 *
 * An access that waits for an early one in its own iteration waits for the carry, too, and the next
 * token of the carry waits for all accesses. In one case iterations overlap in spite of a conflict:
 *
 *     for %i:  load A[%i + 1]; store A[%i]     a later iteration stores what an earlier one loads
 *
 * An access that waits for a textually earlier one in its own iteration thereby waits for that one
 * in all earlier iterations, as the dones of one port come in order. So such a conflict costs a
 * wait within the iteration, and no order between iterations.
 *
 * A while is always serial, as a parallel form would not wait for the last after region:
 *
 *     before = carry(raw, entry, after's done);  after's entry, exit = cond_br(raw, before's done)
 *
 * An if splits its token and merges the dones: mux(cond, else's done, then's done). Where a region
 * has no access of the group, its token passes straight through.
 *
 * The algorithm: the accesses of a group, in program order and with their nesting paths, are cut
 * recursively into runs that share the next region op of the path. Each access is visited once per
 * level of its nest. MAX_PAIRS bounds the pairs tested for a loop, which is serial beyond that, and
 * MAX_TESTS those tested for an item. */
#include "lower/dataflow.h"

#include <stdlib.h>

/* Pairs tested for a loop; items of a level whose addresses are compared, and pairs tested for one
 * of them; ops looked at by depends_on_data. Beyond that a conflict is assumed. */
enum { MAX_PAIRS = 1024, MAX_ITEMS = 64, MAX_TESTS = 64, MAX_STEPS = 64 };

typedef Vec(Value *) Tokens;

typedef struct {
  GraphBuilder *g;
  Tokens tokens;           /* scratch: those to join next */
  SourceAccess **accesses; /* of the group, in program order: n of them */
  u32 n;
  const Str *control, *done;  /* names for its tokens */
  Vec(const Op *) overlapped; /* loops around whose iterations overlap in spite of conflicts: their
                               * accesses wait for earlier ones in the iteration */
  bool *early; /* by access: in the loop entered last it does not wait for earlier iterations */
} Network;

/* The tokens for the accesses of a region that wait for no other in it. */
typedef struct {
  Value *ordered; /* comes after all before the region, and after earlier iterations of the loop */
  Value *early;   /* comes when the iteration begins; NULL: no access takes it */
} Entry;

/* ---- the memories ---------------------------------------------------------------------------- */

static const Attr *initial_contents(GraphBuilder *g, const Op *get_global) {
  u64 found;
  if (!g->globals.len)
    for_each_op (op, region_entry(&g->m->top->regions[0]))
      if (op->kind == OP_MEMREF_GLOBAL)
        map_put(&g->globals, PTR_KEY(op_attr(op, "sym_name")->str), PTR_KEY(op));
  if (!map_get(&g->globals, PTR_KEY(op_attr(get_global, "name")->str), &found)) return NULL;
  const Attr *init = op_attr((const Op *)(uintptr_t)found, "initial_value");
  return init && init->kind == ATTR_DENSE ? init : NULL;
}

/* Makes the memory of a root that is accessed: stores packed before loads; results are load data,
 * store dones, load dones. */
static void make_memory(GraphBuilder *g, RootMemory *root, u32 id) {
  Context *ctx = g->m->ctx;
  const Op *source = value_def(root->root);
  bool external = !source; /* an argument's memory is outside */
  u32 n = (u32)root->accesses.len, nst = 0;
  for (u32 i = 0; i < n; i++) nst += root->accesses.at[i].is_store;
  u32 nld = n - nst, nresults = n + nld, at = 0, load = 0, store = 0;
  Value **operands = NEW_ARRAY(g->notes, Value *, 1 + 2 * (size_t)nst + nld);
  const Type **types = NEW_ARRAY(g->notes, const Type *, nresults);
  if (external) operands[at++] = g->b.block->args[root->root->index];
  for (u32 i = 0; i < n; i++) {
    const SourceAccess *a = &root->accesses.at[i];
    if (!a->is_store) continue;
    operands[at++] = op_result(a->node, 0);
    operands[at++] = op_result(a->node, 1);
  }
  for (u32 i = 0; i < n; i++)
    if (!root->accesses.at[i].is_store) operands[at++] = op_result(root->accesses.at[i].node, 1);
  for (u32 i = 0; i < nresults; i++) types[i] = i < nld ? root->root->type->elem : type_none(ctx);

  if (source) {
    g->b.loc = source->loc;
    g->b.loc_attr = op_loc_attr(source);
  }
  Op *memory = build_op(&g->b, external ? OP_HANDSHAKE_EXTMEMORY : OP_HANDSHAKE_MEMORY, operands,
                        at, types, nresults, 0);
  const Type *i32 = type_int(ctx, 32, SIGNLESS);
  op_set_attr(g->m, memory, "id", attr_int(ctx, id, i32));
  op_set_attr(g->m, memory, "ldCount", attr_int(ctx, nld, i32));
  op_set_attr(g->m, memory, "stCount", attr_int(ctx, nst, i32));
  if (external && root->alias_group >= 0)
    op_set_attr(g->m, memory, "loom.alias_group", attr_int(ctx, root->alias_group, i32));
  if (source) {
    op_set_attr(g->m, memory, "lsq", attr_bool(ctx, false));
    op_set_attr(g->m, memory, "memRefType", attr_type(ctx, root->root->type));
    if (source->kind == OP_MEMREF_GET_GLOBAL)
      op_set_attr(g->m, memory, "init", initial_contents(g, source));
  }
  if (nresults) op_result(memory, 0)->name = graph_name(g, root->root->name, "mem");
  for (u32 i = 0; i < n; i++) {
    SourceAccess *a = &root->accesses.at[i];
    if (a->is_store) {
      a->done = op_result(memory, nld + store++);
    } else {
      op_set_operand(a->node, 1, op_result(memory, load));
      a->done = op_result(memory, nld + nst + load++);
    }
  }
}

/* ---- the network of one group ---------------------------------------------------------------- */

/* The token that waits for all of `tokens`, which are emptied; `otherwise` where there are none. */
static Value *join_all(GraphBuilder *g, Tokens *tokens, Value *otherwise, const Str *name) {
  if (!tokens->len) return otherwise;
  Value *joined = tokens->at[0];
  if (tokens->len > 1)
    joined =
        graph_value(g, OP_HANDSHAKE_JOIN, tokens->at, (u32)tokens->len, type_none(g->m->ctx), name);
  vec_clear(tokens);
  return joined;
}

/* True where one of the two stores. *may_differ: they are of one memref, so that their addresses
 * can be compared. */
static bool may_conflict(const SourceAccess *x, const SourceAccess *y, bool *may_differ) {
  /* two arguments that may alias are two memories */
  *may_differ = op_operand(x->source, x->is_store) == op_operand(y->source, y->is_store);
  return x->is_store || y->is_store;
}

/* True where the two may touch the same element in one execution of the region. */
static bool conflict_within(Network *net, const Region *region, const SourceAccess *x,
                            const SourceAccess *y) {
  bool may_differ;
  if (!may_conflict(x, y, &may_differ)) return false;
  return !may_differ ||
         !accesses_apart(net->g->m->ctx, &net->g->solver, region, x->source, y->source);
}

/* True where `late` may conflict with `early` in an earlier iteration of the loop. */
static bool conflict_after(Network *net, const Op *loop, const SourceAccess *early,
                           const SourceAccess *late) {
  bool may_differ;
  if (!may_conflict(early, late, &may_differ)) return false;
  return !may_differ ||
         !access_is_not_met(net->g->m->ctx, &net->g->solver, loop, early->source, late->source);
}

/* True where the two are in different regions of one op, so that neither waits for the other within
 * an iteration. */
static bool in_different_regions(const SourceAccess *x, const SourceAccess *y) {
  for (u32 d = 0; d < x->depth && d < y->depth; d++) {
    if (x->path[d].of != y->path[d].of) return false;
    if (x->path[d].region != y->path[d].region) return true;
  }
  return false;
}

/* True where access k of those in the loop, lo..hi, need not wait for earlier iterations;
 * *must_wait is set where that requires it to wait for textually earlier accesses in its own
 * iteration. An access needs no order with itself: a memory performs the requests of one port in
 * order. */
static bool is_early(Network *net, const Op *loop, u32 lo, u32 hi, u32 k, bool *must_wait) {
  const SourceAccess *access = net->accesses[k];
  for (u32 i = lo; i < hi; i++) {
    const SourceAccess *before = net->accesses[i];
    if (i == k || !conflict_after(net, loop, before, access)) continue;
    if (i > k || in_different_regions(before, access)) return false;
    *must_wait = true;
  }
  return true;
}

/* The end of the item that begins with access i: an access of the level itself, or all those inside
 * one region op. */
static u32 item_end(const Network *net, u32 i, u32 hi, u32 depth) {
  SourceAccess *const *accesses = net->accesses;
  if (accesses[i]->depth <= depth) return i + 1;
  const RegionOp *of = accesses[i]->path[depth].of;
  for (i++; i < hi && accesses[i]->depth > depth && accesses[i]->path[depth].of == of; i++) {
  }
  return i;
}

/* Finds the early items of a loop; returns the number of accesses in them. Items that must wait in
 * their own iteration count only if all other items are early, and *overlapped is then set: else
 * they would wait for earlier iterations through those. */
static u32 find_early(Network *net, const Op *loop, u32 lo, u32 hi, u32 depth, bool *overlapped) {
  u32 stores = 0, found = 0, waiting = 0;
  bool independent = op_attr(loop, "loom.independent");
  for (u32 i = lo; i < hi; i++) stores += net->accesses[i]->is_store;
  bool is_tested = !net->g->serial && (independent || (u64)stores * (hi - lo) <= MAX_PAIRS);
  for (u32 i = lo, end; i < hi; i = end) {
    bool early = is_tested, must_wait = false;
    end = item_end(net, i, hi, depth);
    for (u32 k = i; k < end && early && stores && !independent; k++)
      early = is_early(net, loop, lo, hi, k, &must_wait);
    for (u32 k = i; k < end; k++) net->early[k] = early && !must_wait;
    found += early && !must_wait ? end - i : 0;
    waiting += early && must_wait ? end - i : 0;
  }
  *overlapped = waiting && found + waiting == hi - lo;
  return *overlapped ? hi - lo : found;
}

/* cond_br(condition, token) under the group's name. */
static Op *split_token(Network *net, Value *condition, Value *token) {
  Op *split = graph_split(net->g, condition, token);
  if (!token->name) op_result(split, 0)->name = op_result(split, 1)->name = net->done;
  return split;
}

/* The node that brings `token` into the regions of an if or a counted loop. */
static Op *enter(Network *net, const RegionOp *of, Value *token) {
  if (of->entry->token == token) return of->entry->node;
  Op *node =
      of->is_if
          ? split_token(net, of->condition, token)
          : value_op(graph_value(net->g, OP_DATAFLOW_INVARIANT, (Value *[]){of->condition, token},
                                 2, token->type, net->control));
  if (!of->entry->token) *of->entry = (RegionEntry){.token = token, .node = node};
  return node;
}

/* Prefetches nodes and conditions of accesses some steps ahead, as they are far apart in memory: a
 * condition first, and then its use, to which a new use is linked. */
static void fetch_ahead(const Network *net, u32 i, u32 end) {
  enum { NODES = 8, USES = 4 };
  if (i + NODES >= end) return;
  const SourceAccess *far = net->accesses[i + NODES], *near = net->accesses[i + USES];
  mem_fetch(far->node->operands);
  mem_fetch(far->done);
  for (u32 d = 0; d < far->depth; d++)
    if (far->path[d].of->condition) mem_fetch(far->path[d].of->condition);
  for (u32 d = 0; d < near->depth; d++)
    if (near->path[d].of->condition) mem_fetch(near->path[d].of->condition->uses);
}

static Value *connect_level(Network *net, u32 lo, u32 hi, u32 depth, Entry entry);

/* Connects accesses lo..hi, all in one counted loop, to the token `entry`; returns the token that
 * comes when they are done in all iterations. */
static Value *connect_loop(Network *net, const RegionOp *control, u32 lo, u32 hi, u32 depth,
                           Value *entry) {
  bool overlapped;
  u32 found = find_early(net, control->source, lo, hi, depth + 1, &overlapped);
  bool parallel = found == hi - lo;
  Value *begun = found ? op_result(enter(net, control, entry), 0) : NULL;
  Entry inside = {.ordered = begun};
  if (!parallel)
    inside = (Entry){.ordered = graph_value(net->g, OP_DATAFLOW_CARRY,
                                            (Value *[]){control->condition, entry, NULL}, 3,
                                            type_none(net->g->m->ctx), net->control),
                     .early = begun};
  if (overlapped) vec_push(&net->overlapped, control->source);
  Op *split = split_token(net, control->condition, connect_level(net, lo, hi, depth + 1, inside));
  if (overlapped) net->overlapped.len--;
  if (!parallel) op_set_operand(value_op(inside.ordered), 2, op_result(split, 0));
  return op_result(split, 1);
}

/* Connects accesses lo..hi, all in one region op, to the token `entry`; returns its done token. */
static Value *connect_region_op(Network *net, const RegionOp *control, u32 lo, u32 hi, u32 depth,
                                Value *entry) {
  GraphBuilder *g = net->g;
  const Type *none = type_none(g->m->ctx);
  u32 middle = lo; /* end of the accesses in region 0 */
  while (middle < hi && net->accesses[middle]->path[depth].region == 0) middle++;
  g->b.loc = control->loc;
  g->b.loc_attr = control->loc_attr;

  if (control->is_if) {
    Op *split = enter(net, control, entry);
    Value *then_done =
        connect_level(net, lo, middle, depth + 1, (Entry){op_result(split, 0), NULL});
    Value *else_done =
        connect_level(net, middle, hi, depth + 1, (Entry){op_result(split, 1), NULL});
    return graph_value(g, OP_HANDSHAKE_MUX, (Value *[]){control->condition, else_done, then_done},
                       3, none, net->done);
  }
  if (control->counted) return connect_loop(net, control, lo, hi, depth, entry);
  Value *ctrl = graph_value(g, OP_DATAFLOW_CARRY, (Value *[]){control->condition, entry, NULL}, 3,
                            none, net->control);
  Value *before_done = connect_level(net, lo, middle, depth + 1, (Entry){ctrl, NULL});
  Op *split = split_token(net, control->condition, before_done);
  op_set_operand(value_op(ctrl), 2,
                 connect_level(net, middle, hi, depth + 1, (Entry){op_result(split, 0), NULL}));
  return op_result(split, 1);
}

/* ---- one level ------------------------------------------------------------------------------- */

/* An access of the level, or those inside one region op of it: [lo, hi). */
typedef struct {
  u32 lo, hi;
  bool stores;
  bool early;      /* none of its accesses needs to wait for Entry.ordered */
  bool ordered;    /* it waits for Entry.ordered, directly or through other items */
  bool waited_for; /* a later item waits for it */
  u64 after;       /* where the level is precise: the items it waits for, directly or not */
  u32 complete;    /* it waits for all items with a smaller index than this, directly or not */
  Value *done;
} Item;

typedef struct {
  Network *net;
  const Region *region;
  u32 depth;
  Entry entry;
  bool precise;   /* addresses are compared; else items conflict unless both only load */
  u32 last_store; /* 1 + the last item with a store so far, or 0 */
  Vec(Item) items;
} Level;

static void collect_items(Level *level, u32 lo, u32 hi) {
  const Network *net = level->net;
  for (u32 i = lo, end; i < hi; i = end) {
    end = item_end(net, i, hi, level->depth);
    Item item = {.lo = i, .hi = end, .early = level->entry.early && net->early[i]};
    for (u32 k = i; k < end; k++) item.stores |= net->accesses[k]->is_store;
    vec_push(&level->items, item);
  }
}

/* True where the op's operands depend on results of `source`, in the same block. Looks at *steps
 * ops at most. */
static bool depends_on(const Op *op, const Op *source, u32 *steps) {
  for (u32 i = 0; i < op->noperands && *steps; i++) {
    const Op *def = value_def(op_operand(op, i));
    if (!def || def->block != source->block) continue;
    --*steps;
    if (def == source || depends_on(def, source, steps)) return true;
  }
  return false;
}

/* A store y of a value that depends on x waits for x in any case: to wait for x's done, too, costs
 * nothing, and saves a join of the two tokens. */
static bool depends_on_data(const Level *level, const Item *x, const Item *y) {
  const SourceAccess *first = level->net->accesses[x->lo], *store = level->net->accesses[y->lo];
  u32 steps = MAX_STEPS;
  if (store->depth > level->depth || !store->is_store) return false;
  const Op *source =
      first->depth > level->depth ? first->path[level->depth].of->source : first->source;
  return depends_on(store->source, source, &steps);
}

/* Does y have to wait for x, an earlier item? */
static bool items_conflict(const Level *level, const Item *x, const Item *y, u32 *tests) {
  if (!x->stores && !y->stores) return false;
  if (!level->precise || depends_on_data(level, x, y)) return true;
  for (u32 i = x->lo; i < x->hi; i++)
    for (u32 k = y->lo; k < y->hi; k++) {
      const SourceAccess *a = level->net->accesses[i], *b = level->net->accesses[k];
      if (!a->is_store && !b->is_store) continue;
      if (*tests == 0) return true;
      --*tests;
      if (conflict_within(level->net, level->region, a, b)) return true;
      for (size_t n = 0; n < level->net->overlapped.len; n++)
        if (conflict_after(level->net, level->net->overlapped.at[n], a, b)) return true;
    }
  return false;
}

/* The token that item n waits for: a join of the dones of the earlier items that it may conflict
 * with, without those that another of these waits for; and the level's entry where none of them
 * waits for that. */
static Value *token_for(Level *level, u32 n) {
  Item *items = level->items.at, *item = &items[n];
  u32 tests = MAX_TESTS;
  Tokens *tokens = &level->net->tokens;
  u32 end = item->stores || level->precise ? n : level->last_store;
  for (u32 i = end; i-- > item->complete;) {
    Item *before = &items[i];
    if (level->precise && item->after >> i & 1) continue;
    if (!items_conflict(level, before, item, &tests)) continue;
    before->waited_for = true;
    item->ordered |= before->ordered;
    if (level->precise) item->after |= before->after | (u64)1 << i;
    u32 complete = before->stores && !level->precise ? i + 1 : before->complete;
    if (complete > item->complete) item->complete = complete;
    vec_push(tokens, before->done);
  }
  for (size_t i = 0; i < tokens->len / 2; i++) {
    Value *first = tokens->at[i];
    tokens->at[i] = tokens->at[tokens->len - 1 - i];
    tokens->at[tokens->len - 1 - i] = first;
  }
  if (!item->early && !item->ordered) vec_push(tokens, level->entry.ordered);
  item->ordered |= !item->early;
  return join_all(level->net->g, tokens, level->entry.early, level->net->done);
}

/* Connects accesses lo..hi, whose paths agree up to `depth`, as one level: returns the token that
 * comes when all are done. At least one of them waits for entry.ordered, and so does that token. */
static Value *connect_level(Network *net, u32 lo, u32 hi, u32 depth, Entry entry) {
  if (lo == hi) return entry.ordered;
  const Inside *around = depth ? &net->accesses[lo]->path[depth - 1] : NULL;
  Level level = {.net = net,
                 .depth = depth,
                 .entry = entry,
                 .region = around ? &around->of->source->regions[around->region]
                                  : &net->g->func->regions[0]};
  collect_items(&level, lo, hi);
  level.precise = !net->g->serial && level.items.len <= MAX_ITEMS;
  for (u32 i = 0; i < level.items.len; i++) {
    Item *item = &level.items.at[i];
    SourceAccess *access = net->accesses[item->lo];
    if (access->depth == depth) fetch_ahead(net, item->lo, net->n);
    Value *token = token_for(&level, i);
    if (access->depth > depth) {
      item->done = connect_region_op(net, access->path[depth].of, item->lo, item->hi, depth, token);
    } else {
      op_set_operand(access->node, 2, token);
      item->done = access->done;
    }
    if (item->stores) level.last_store = i + 1;
  }
  for (u32 i = 0; i < level.items.len; i++)
    if (!level.items.at[i].waited_for) vec_push(&net->tokens, level.items.at[i].done);
  Value *done = join_all(net->g, &net->tokens, NULL, net->done);
  vec_free(&level.items);
  return done;
}

/* ---- all groups ------------------------------------------------------------------------------ */

static int in_program_order(const void *a, const void *b) {
  const SourceAccess *const *x = a, *const *y = b;
  return (*x)->order < (*y)->order ? -1 : 1;
}

/* Builds the network of the group whose first root is r: of its accesses and those of later roots
 * of the same alias group. */
static Value *connect_group(GraphBuilder *g, size_t r) {
  const RootMemory *leader = &g->roots.at[r];
  Vec(SourceAccess *) accesses = {0};
  for (size_t k = r; k < g->roots.len; k++) {
    RootMemory *root = &g->roots.at[k];
    if (k != r && (leader->alias_group < 0 || root->alias_group != leader->alias_group)) continue;
    for (size_t i = 0; i < root->accesses.len; i++) vec_push(&accesses, &root->accesses.at[i]);
    if (leader->alias_group < 0) break;
  }
  /* those of one memory are in program order already */
  if (leader->alias_group >= 0)
    qsort(accesses.at, accesses.len, sizeof *accesses.at, in_program_order);
  Network net = {.g = g,
                 .accesses = accesses.at,
                 .n = (u32)accesses.len,
                 .early = NEW_ARRAY(g->notes, bool, accesses.len),
                 .control = graph_name(g, leader->root->name, "ctrl"),
                 .done = graph_name(g, leader->root->name, "done")};
  Value *done = connect_level(&net, 0, (u32)accesses.len, 0, (Entry){g->start, NULL});
  vec_free(&accesses);
  vec_free(&net.overlapped);
  vec_free(&net.tokens);
  return done;
}

static bool is_leader(const GraphBuilder *g, size_t r) {
  i64 group = g->roots.at[r].alias_group;
  for (size_t k = 0; k < r && group >= 0; k++)
    if (g->roots.at[k].alias_group == group && g->roots.at[k].accesses.len) return false;
  return g->roots.at[r].accesses.len > 0;
}

Value *connect_memories(GraphBuilder *g) {
  u32 id = 0;
  for (size_t r = 0; r < g->roots.len; r++)
    if (g->roots.at[r].accesses.len) make_memory(g, &g->roots.at[r], id++);
  Tokens dones = {0};
  for (size_t r = 0; r < g->roots.len; r++)
    if (is_leader(g, r)) vec_push(&dones, connect_group(g, r));
  Value *done = join_all(g, &dones, g->start, str_of(g->m->ctx, "done"));
  vec_free(&dones);
  return done;
}

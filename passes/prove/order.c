/* order.c -- proof of order: accesses that may touch the same element happen in one order.
 *
 *     for %i:  %x = load A[%i]    ; 0          the load's control is the loop's, the store waits
 *              store %x, A[f(%i)] ; 1          for the load's done, the next iteration (through the
 *                                              carry) for the store's done, the return for the last
 *
 * Tokens alone do not order memory: a store whose control is wired to the wrong `none` edge of the
 * same domain leaves every count right and races with the load beside it. So for each group of
 * accesses that may touch one memory, and each two of them of which one is a store:
 *
 *     in the same iteration of all loops they share     the control of the later one covers the
 *                                                       earlier one (cover.c), or their
 *                                                       addresses differ
 *     in different iterations of a shared loop          the control of the one in the later
 *                                                       iteration waits for all earlier ones, or
 *                                                       its address differs from those of the other
 *                                                       in all earlier iterations (affine.c), or it
 *                                                       comes later in the program, too, and its
 *                                                       control covers the other in its own
 *                                                       iteration
 *     at the end                                        the returned control covers all (not
 *                                                       required of a hand-written graph that
 *                                                       returns none)
 *
 * "Later" is program order: the numbers in `loom.access`. A graph without them is checked in an
 * order that its own control network allows; it is then proved to be determinate, not to be any
 * particular program.
 *
 * Requires: balance and liveness.
 *
 * Cost: a group's control network is walked once a round (cover.c). An access whose control covers
 * all it must is checked against a prefix and the loops around it. It is compared with other
 * accesses only where their addresses have to differ: at most MAX_TESTS in its own iteration, and
 * MAX_PAIRS (affine.c) in earlier ones, per loop. */
#include "prove/cover.h"

#include <stdlib.h>

typedef struct {
  Proof *p;
  Network net;
  LoopTable loops;
  Vec(OrderedAccess) accesses; /* of the function, memory by memory */
  Vec(u32) first_access;       /* in `accesses`, by memory; one more at the end */
  u32 reported_loops;          /* how many; see MAX_CULPRITS */
  bool ordered;
} Order;

/* culprit() may walk all carries for each access of a loop: only this many reports call it. */
enum { MAX_CULPRITS = 32 };

/* Address comparisons per access. */
enum { MAX_TESTS = 64 };

/* ---- collecting ----------------------------------------------------------------------------- */

/* The access that feeds all operands of a port, also through forks and buffers; NO_OP where none
 * does. Result 0 of a handshake.load or store is data, the others are addresses; a load's data goes
 * to its user, so its port takes results from 1 on. */
static u32 access_behind(const Proof *p, u32 memory, u32 first, u32 n, bool is_store) {
  u32 access = NO_OP;
  for (u32 i = 0; i < n; i++) {
    u32 v = operand_same(p, memory, first + i), def = p->def.at[v];
    if (def == NO_OP || (access != NO_OP && def != access)) return NO_OP;
    const Node *op = node_at(p, def);
    if (op->kind != (is_store ? OP_HANDSHAKE_STORE : OP_HANDSHAKE_LOAD)) return NO_OP;
    if (v - op->value != i + !is_store) return NO_OP;
    access = def;
  }
  return access;
}

static void collect_port(Order *o, const ProofMemory *memory, u32 port) {
  const Proof *p = o->p;
  const MemoryPorts *ports = &memory->ports;
  bool is_store = port < ports->stores;
  u32 first, end;
  port_operands(ports, port, &first, &end);
  u32 op = access_behind(p, memory->op, first, end - first, is_store);
  u32 address = operand_at(p, memory->op, first + is_store);
  OrderedAccess access = {.op = op,
                          .memory = memory->op,
                          .ctrl = NO_VALUE,
                          .done = node_at(p, memory->op)->value + ports->loads + port,
                          .address = ports->addresses == 1 ? address : NO_VALUE,
                          .domain = p->domain[address],
                          .is_store = is_store,
                          .number = -1};
  if (op != NO_OP) {
    u32 n = operand_count(p, op);
    access.ctrl = operand_at(p, op, n - 1);
    access.address = n == 3 ? operand_at(p, op, 0) : NO_VALUE;
  }
  vec_push(&o->accesses, access);
}

/* Prefetches the op and the attributes stored behind it. */
static void prefetch_op(const Op *op) {
#if defined(__GNUC__)
  enum { LINE = 64, LINES = 6 };
  for (unsigned i = 0; i < LINES; i++) __builtin_prefetch((const char *)op + i * LINE);
#else
  (void)op;
#endif
}

/* The numbers are attributes of the IR's ops, each a cache miss: prefetch AHEAD accesses ahead. */
static void read_numbers(Order *o) {
  enum { AHEAD = 12 };
  for (size_t i = 0; i < o->accesses.len; i++) {
    u32 op = o->accesses.at[i].op,
        soon = o->accesses.at[i + AHEAD < o->accesses.len ? i + AHEAD : i].op;
    if (soon != NO_OP) prefetch_op(o->p->ops.at[soon]);
    if (op != NO_OP) o->accesses.at[i].number = op_attr_int(o->p->ops.at[op], "loom.access", -1);
  }
}

static void collect(Order *o) {
  for (size_t m = 0; m < o->p->memories.len; m++) {
    const ProofMemory *memory = &o->p->memories.at[m];
    vec_push(&o->first_access, (u32)o->accesses.len);
    for (u32 port = 0; port < memory->ports.stores + memory->ports.loads; port++)
      collect_port(o, memory, port);
  }
  vec_push(&o->first_access, (u32)o->accesses.len);
  read_numbers(o);
}

/* ---- reporting ------------------------------------------------------------------------------ */

static const char *access_noun(const OrderedAccess *a) {
  return a->is_store ? "store" : "load";
}
static Loc access_loc(const Order *o, const OrderedAccess *a) {
  return o->p->ops.at[a->op != NO_OP ? a->op : a->memory]->loc;
}

static void put_memory(const Order *o, const OrderedAccess *a, Buf *out) {
  const Op *memory = o->p->ops.at[a->memory];
  if (memory->kind == OP_HANDSHAKE_EXTMEMORY)
    value_describe(o->p, op_operand(memory, 0), out);
  else if (memory->nresults && op_result(memory, 0)->name)
    value_describe(o->p, op_result(memory, 0), out);
  else
    buf_str(out, "a local memory");
}

static void report_race(Order *o, const OrderedAccess *late, const OrderedAccess *early) {
  Buf name = {0};
  put_memory(o, late, &name);
  diag(o->p->ctx, access_loc(o, late), COMP_PROOF_ORDER, "this %s of %s may overtake an earlier %s",
       access_noun(late), name.data, access_noun(early));
  diag_note(o->p->ctx, access_loc(o, early),
            "the control of the %s does not wait for the done token of this %s", access_noun(late),
            access_noun(early));
  buf_free(&name);
  o->ordered = false;
}

static void report_loop(Order *o, const OrderedAccess *late, const OrderedAccess *early,
                        const GroupLoop *loop) {
  const Proof *p = o->p;
  Buf name = {0}, when = {0};
  put_memory(o, late, &name);
  domain_describe(p, domain_true(o->p, domain_at(p, loop->burst)->cond, loop->burst), 0, &when);
  diag(p->ctx, access_loc(o, late), COMP_PROOF_ORDER_LOOP,
       "this %s of %s may overtake a %s of an earlier iteration: it runs %s", access_noun(late),
       name.data, access_noun(early), when.data);
  diag_note(p->ctx, access_loc(o, early),
            "this %s may still be pending when the next iteration starts, and both may access the "
            "same element: %s",
            access_noun(early), loop->obstacle.why);
  diag_hint(p->ctx, "carry the loop's control by a dataflow.carry on the gated condition, and let "
                    "its last operand wait for every access of the iteration");
  buf_free(&name), buf_free(&when);
  o->ordered = false;
}

/* ---- checking one group --------------------------------------------------------------------- */

/* Reports the first earlier access that this one may overtake in the same iteration. A load is
 * compared with stores alone. */
static void check_same_iteration(Order *o, Group *g, u32 number) {
  const OrderedAccess *late = &g->access[number];
  Cover ctrl = cover_of(g, late->ctrl);
  u32 tests = MAX_TESTS;
  u32 early = late->is_store ? ctrl.prefix : g->next_store[ctrl.prefix < g->n ? ctrl.prefix : g->n];
  while (early < number) {
    const OrderedAccess *a = &g->access[early];
    if (cover_has(g, &ctrl, early)) {
      early = domains_exclusive(g->p, a->place, late->place) ? g->run_end[early] : early + 1;
      if (!late->is_store && early < g->n) early = g->next_store[early];
      continue;
    }
    if (!tests-- || !accesses_differ(o->p, a, late)) {
      report_race(o, late, a);
      return;
    }
    early = late->is_store ? early + 1 : g->next_store[early + 1];
  }
}

/* A WaitsFor. A token that covers an access in its own iteration covers it in all earlier ones: the
 * done tokens of a port come in the order of its requests. Two accesses that exclude each other
 * count as covered, but do not wait for each other. */
static bool waits_for(const void *of, const OrderedAccess *first, const OrderedAccess *second) {
  const Group *g = of;
  Cover ctrl = cover_of(g, second->ctrl);
  return !domains_exclusive(g->p, first->place, second->place) &&
         cover_has(g, &ctrl, (u32)(first - g->access));
}

/* The accesses in the loop; NULL: some happen only at its last test (cover.c, *Places*). Computed
 * once per loop. */
static const OrderedAccess **loop_accesses(Group *g, GroupLoop *loop) {
  if (loop->has_accesses) return loop->accesses;
  const OrderedAccess **in = NEW_ARRAY(g->arena, const OrderedAccess *, loop->n);
  for (u32 i = 0; i < loop->n; i++) in[i] = &g->access[g->inside[loop->first + i]];
  u32 c = domain_at(g->p, loop->burst)->cond;
  DomainId burst = domain_climb(g->p, in[0]->domain, c);
  for (u32 i = 1; i < loop->n; i++)
    if (domain_climb(g->p, in[i]->domain, c) != burst) burst = 0;
  loop->has_accesses = true;
  loop->graph_burst = burst;
  loop->accesses = burst ? in : NULL;
  return loop->accesses;
}

/* True where addresses prove that `late` need not wait for earlier iterations of the loop. */
static bool needs_no_wait(Order *o, Group *g, GroupLoop *loop, const OrderedAccess *late) {
  const OrderedAccess **in = loop_accesses(g, loop);
  u32 at = 0;
  loop->obstacle = (Obstacle){.why = "some accesses run only at the end of the loop"};
  if (!in) return false;
  while (in[at] != late) at++;
  return later_iterations_differ(o->p, loop->graph_burst, in, loop->n, at, waits_for, g,
                                 &loop->obstacle);
}

/* The access to name in a report about `late`: one that conflicts with it and that a carry of the
 * loop does not wait for; else the one at which the address proof failed, else any that conflicts.
 */
static const OrderedAccess *culprit(const Group *g, const GroupLoop *loop,
                                    const OrderedAccess *late) {
  const Proof *p = g->p;
  const OrderedAccess *any = loop->obstacle.access ? loop->obstacle.access : late;
  for (u32 i = 0; i < loop->n; i++) {
    u32 number = g->inside[loop->first + i];
    const OrderedAccess *a = &g->access[number];
    if (!a->is_store && !late->is_store) continue;
    if (!loop->obstacle.access) any = a;
    for (size_t k = 0; k < g->stations.len; k++) {
      u32 op = g->net->stations.at[g->stations.at[k]].op;
      if (node_at(p, op)->kind != OP_DATAFLOW_CARRY ||
          domain_at(p, cover_of(g, node_at(p, op)->value).place)->burst != loop->burst)
        continue;
      Cover back = cover_of(g, operand_at(p, op, 2));
      if (!cover_has(g, &back, number)) return a;
    }
  }
  return any;
}

/* Checks an access against earlier iterations of the loops around it; `reported`, by loop of the
 * group: one report each. */
static void check_loops(Order *o, Group *g, u32 number, u32 *reported) {
  const Proof *p = o->p;
  const OrderedAccess *late = &g->access[number];
  Cover ctrl = cover_of(g, late->ctrl);
  DomainId burst = domain_at(p, late->place)->burst;
  for (; burst; burst = outer_burst(p, burst)) {
    GroupLoop *loop = group_loop(g, burst);
    bool conflict = late->is_store || loop->nstores;
    u32 slot = g->loop_table->loop[burst];
    if (!conflict || reported[slot] || cover_waits(&ctrl, domain_at(p, burst)->bursts)) continue;
    if (needs_no_wait(o, g, loop, late)) continue;
    report_loop(o, late, o->reported_loops++ < MAX_CULPRITS ? culprit(g, loop, late) : late, loop);
    reported[slot] = 1;
  }
}

static void check_return(Order *o, Group *g) {
  const Proof *p = o->p;
  const Op *ret = p->nops ? p->ops.at[p->nops - 1] : NULL;
  u32 done = ret && ret->kind == OP_HANDSHAKE_RETURN && ret->noperands
                 ? operand_id(p, ret, ret->noperands - 1)
                 : NO_VALUE;
  if (done != NO_VALUE && !(p->flags.at[done] & VALUE_NONE)) done = NO_VALUE;
  if (done == NO_VALUE && p->mode == PROOF_HANDWRITTEN)
    return; /* a hand-written graph may return no control */
  Cover cover = cover_from(g, done, DOMAIN_ONCE);
  for (u32 i = cover.prefix; i < g->n; i++) {
    const OrderedAccess *a = &g->access[i];
    if (cover_has(g, &cover, i)) continue;
    Buf name = {0};
    put_memory(o, a, &name);
    diag(p->ctx, access_loc(o, a), COMP_PROOF_ORDER_RETURN,
         "the function may return before this %s of %s is done", access_noun(a), name.data);
    if (ret) diag_note(p->ctx, ret->loc, "the returned control does not wait for its done token");
    diag_hint(p->ctx, "join the done tokens of all accesses into the returned control");
    buf_free(&name);
    o->ordered = false;
    return;
  }
}

/* ---- preparing a group ---------------------------------------------------------------------- */

/* Of accesses with one number, in the order of the text. */
static int compare_accesses(const void *a, const void *b) {
  const OrderedAccess *x = a, *y = b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  return x->done < y->done ? -1 : x->done > y->done;
}

/* They are collected port by port, stores before loads: often that is program order already. */
static void sort_by_number(Group *g) {
  u32 i = 1;
  while (i < g->n && compare_accesses(&g->access[i - 1], &g->access[i]) <= 0) i++;
  if (i < g->n) qsort(g->access, g->n, sizeof(OrderedAccess), compare_accesses);
}

static void index_accesses(Group *g) {
  for (u32 i = 0; i < g->n; i++) {
    if (g->access[i].op == NO_OP) continue;
    Station *s = &g->net->stations.at[g->net->station_of_op[g->access[i].op] - 1];
    s->access_group = g->id;
    s->access = i;
  }
}

/* Program order: by loom.access where all have one; else an order that the network allows, near
 * that of the text, ports without an access first. */
static void sort_accesses(Group *g) {
  bool numbered = true;
  for (u32 i = 0; i < g->n; i++) numbered = numbered && g->access[i].number >= 0;
  for (u32 i = 0; i < g->n && !numbered; i++) {
    OrderedAccess *a = &g->access[i];
    a->number = a->op != NO_OP ? (i64)a->op : (i64)i - (i64)g->n;
  }
  sort_by_number(g);
  index_accesses(g);
  cover_reach(g);
  if (!numbered) {
    cover_order(g);
    sort_by_number(g);
    index_accesses(g);
  }
}

static void find_runs(Group *g) {
  g->next_store = NEW_ARRAY(g->arena, u32, g->n + 1);
  g->run_end = NEW_ARRAY(g->arena, u32, g->n + 1);
  g->next_store[g->n] = g->run_end[g->n] = g->n;
  for (u32 i = g->n; i-- > 0;) {
    bool same = i + 1 < g->n && g->access[i].place == g->access[i + 1].place;
    g->run_end[i] = same ? g->run_end[i + 1] : i + 1;
    g->next_store[i] = g->access[i].is_store ? i : g->next_store[i + 1];
  }
}

static void find_loops(Group *g) {
  const Proof *p = g->p;
  LoopTable *t = g->loop_table;
  Vec(GroupLoop) loops = {0};
  u32 total = 0;
  for (u32 i = 0; i < g->n; i++)
    for (DomainId b = domain_at(p, g->access[i].place)->burst; b; b = outer_burst(p, b)) {
      if (t->group[b] != g->id) {
        t->group[b] = g->id;
        t->loop[b] = (u32)loops.len;
        vec_push(&loops, ((GroupLoop){.burst = b}));
      }
      loops.at[t->loop[b]].n++;
      loops.at[t->loop[b]].nstores += g->access[i].is_store;
      total++;
    }
  g->nloops = (u32)loops.len;
  g->loops = arena_copy(g->arena, loops.at, loops.len * sizeof(GroupLoop));
  g->inside = NEW_ARRAY(g->arena, u32, total);
  vec_free(&loops);
  u32 first = 0;
  for (u32 k = 0; k < g->nloops; k++) {
    g->loops[k].first = first;
    first += g->loops[k].n;
    g->loops[k].n = 0;
  }
  for (u32 i = 0; i < g->n; i++)
    for (DomainId b = domain_at(p, g->access[i].place)->burst; b; b = outer_burst(p, b)) {
      GroupLoop *loop = &g->loops[t->loop[b]];
      g->inside[loop->first + loop->n++] = i;
    }
}

static void check_group(Order *o, Group *g) {
  sort_accesses(g);
  cover_places(g);
  find_runs(g);
  find_loops(g);
  cover_solve(g);
  u32 *reported = NEW_ARRAY(g->arena, u32, g->nloops);
  for (u32 i = 0; i < g->n; i++) {
    check_same_iteration(o, g, i);
    check_loops(o, g, i, reported);
  }
  check_return(o, g);
}

/* ---- all groups ----------------------------------------------------------------------------- */

/* The memory's loom.alias_group: its own, or that of the argument it stands for; -1: none. */
static i64 alias_group(const Proof *p, const Op *memory) {
  i64 own = op_attr_int(memory, "loom.alias_group", -1);
  if (own >= 0 || memory->kind != OP_HANDSHAKE_EXTMEMORY) return own;
  const Value *arg = op_operand(memory, 0);
  const Attr *group = arg->is_arg ? op_arg_attr(p->func, arg->index, "loom.alias_group") : NULL;
  return group && group->kind == ATTR_INT ? group->i : -1;
}

/* By memory: the number of its group. Memories with the same loom.alias_group share one. */
static u32 group_memories(const Order *o, u32 *group) {
  Map by_alias = {0};
  u32 n = 0;
  for (size_t m = 0; m < o->p->memories.len; m++) {
    i64 alias = alias_group(o->p, o->p->ops.at[o->p->memories.at[m].op]);
    u64 found;
    if (alias >= 0 && map_get(&by_alias, (u64)alias, &found)) {
      group[m] = (u32)found;
      continue;
    }
    if (alias >= 0) map_put(&by_alias, (u64)alias, n);
    group[m] = n++;
  }
  map_free(&by_alias);
  return n;
}

bool prove_order(Proof *p) {
  Order o = {.p = p, .ordered = true};
  size_t nmemories = p->memories.len;
  collect(&o);
  network_build(p, &o.net);
  u32 *group = NEW_ARRAY(p->arena, u32, nmemories);
  p->groups = group_memories(&o, group);

  /* A counting sort: the accesses of group k become sorted[first[k]] ... sorted[first[k + 1] - 1].
   * While it fills them in, first[k + 1] is where the next one of group k goes. */
  u32 *first = NEW_ARRAY(p->arena, u32, p->groups + 2);
  OrderedAccess *sorted = NEW_ARRAY(p->arena, OrderedAccess, o.accesses.len);
  for (size_t m = 0; m < nmemories; m++)
    first[group[m] + 2] += o.first_access.at[m + 1] - o.first_access.at[m];
  for (u32 k = 2; k < p->groups + 2; k++) first[k] += first[k - 1];
  for (size_t m = 0; m < nmemories; m++)
    for (u32 a = o.first_access.at[m]; a < o.first_access.at[m + 1]; a++)
      sorted[first[group[m] + 1]++] = o.accesses.at[a];

  Group g = {.p = p, .net = &o.net, .loop_table = &o.loops};
  for (u32 k = 0; k < p->groups; k++) {
    g.arena = arena_new();
    g.id = k + 1;
    g.n = first[k + 1] - first[k];
    g.access = sorted + first[k];
    vec_clear(&g.stations), vec_clear(&g.reached);
    check_group(&o, &g);
    arena_free(g.arena);
  }
  vec_free(&g.stations), vec_free(&g.inputs), vec_free(&g.reached), vec_free(&g.waits);
  vec_free(&g.stack), vec_free(&g.runs), vec_free(&o.net.stations);
  mem_free(o.loops.group), mem_free(o.loops.loop);
  vec_free(&o.accesses), vec_free(&o.first_access);
  return o.ordered;
}

/* proof_cover.c -- which accesses are surely done when a control token arrives.
 *
 *     %t0            covers nothing                            0: load   ctrl %t0 -> done %d0
 *     %d0            covers 0                                  1: load   ctrl %t0 -> done %d1
 *     %j = join      covers 0, 1                               2: store  ctrl %j  -> done %d2
 *     %d2            covers 0, 1, 2
 *
 * The done token of an access covers what its control token covers, and itself. A join covers what
 * any of its inputs does, a mux what both do (each side as far as the accesses happen on it). With
 * accesses numbered in program order a cover is nearly always a prefix, and a few runs beyond it
 * while loads overlap: a number, not a set.
 *
 * *Branches.* On the false side of a cond_br what lies under its true side does not happen, and
 * counts as covered.
 *
 * *Loops.* "Covered" is meant within one iteration of every loop that access and token share. Since
 * edges are queues, a token of a later iteration always comes after one of an earlier: so what a
 * token covers in its own iteration it also covers in all before, at the ends of edges that have a
 * token in each iteration. Three things follow. The exit of a loop (the false side of a split on
 * its condition) covers, for all iterations, what the split token covered. A carry whose back
 * operand covers all accesses of its loop gives tokens that come after everything in earlier
 * iterations: bit `waits`, inherited by what is made from them. An invariant's tokens do not.
 *
 * A while loop leaves from its before region: its after region has run in earlier iterations (known
 * if the token `waits`) and does not run in the last. So there the exit covers the after region
 * too.
 *
 * *Places.* A while's condition may also decide an `if` in its before region. Its false side is
 * then both the loop's exit and the else part, and one domain: D. But what is done in the else part
 * is done in the last iteration and not after the loop, and what comes after the `if` in the before
 * region goes on in that iteration. So such tokens are placed where they are: at F(c, B(c, D)),
 * which is not shortened. That is right for the exit too: whatever comes after a loop comes in its
 * last iteration, after the rest. Everything below speaks of places; where no condition is reused
 * they are the domains.
 *
 * Whether a carry is complete depends on covers inside its loop, which may use that it is (for
 * earlier iterations: sound, by induction over them). So all carries are taken to be complete;
 * those that turn out not to be are marked and all is worked out again, until no more are found.
 * The lowering's carries are all complete: one round.
 *
 * Cost: a visit per value the group's done tokens reach, times the runs of a cover (1 or 2). */
#include "lower/proof_cover.h"

#include <stdlib.h>

/* A token skips at most MOST_SKIPPED runs of accesses that cannot happen where it is: where one
 * condition guards many loops, all of them would be skipped at each, again and again. What lies
 * further is decided where it is asked for (cover_has, add_common). */
enum { MOST_RUNS = 256, MOST_ROUNDS = 6, MOST_SKIPPED = 64 };

static bool is_none(const Value *v) {
  return v->type->kind == TYPE_NONE;
}

/* ---- the network ---------------------------------------------------------------------------- */

/* True where a token at operand i of `op` goes on to the op's results. */
static bool goes_through(const Op *op, u32 i) {
  switch ((OpKind)op->kind) {
  case OP_HANDSHAKE_JOIN:
  case OP_HANDSHAKE_SYNC:
  case OP_HANDSHAKE_FORK:
  case OP_HANDSHAKE_LAZY_FORK:
  case OP_HANDSHAKE_BUFFER:
  case OP_HANDSHAKE_BR: return true;
  case OP_HANDSHAKE_COND_BR:
  case OP_HANDSHAKE_MUX:
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: return i > 0;
  default: return false;
  }
}

static bool is_access(const Group *g, const Op *op) {
  return g->tables->group_of_op[op->index] == g->id;
}
static Access *access_at(const Group *g, const Op *op) {
  return &g->access[g->tables->number_of_op[op->index]];
}

/* True where a token at operand i of `op` matters to the network. */
static bool is_network_use(const Group *g, const Op *op, u32 i) {
  if (!is_none(op_operand(op, i))) return false;
  if (op->kind == OP_HANDSHAKE_LOAD || op->kind == OP_HANDSHAKE_STORE)
    return is_access(g, op) && i + 1 == op->noperands;
  return goes_through(op, i);
}

static void reach_op(Group *g, Op *op) {
  Tables *t = g->tables;
  if (t->op_stamp[op->index] == g->id) return;
  t->op_stamp[op->index] = g->id;
  t->need[op->index] = 0;
  t->incomplete[op->index] = false;
  vec_push(&g->net, op);
}

static void reach_value(Group *g, const Value *v) {
  u32 id = value_id(g->p, v);
  if (g->tables->value_stamp[id] == g->id) return;
  g->tables->value_stamp[id] = g->id;
  g->tables->slot[id] = g->nreached++;
  for_each_use (use, v) {
    u32 i = use_index(use);
    if (!is_network_use(g, use->owner, i)) continue;
    reach_op(g, use->owner);
    if (!is_back_operand(use->owner->kind, i)) g->tables->need[use->owner->index]++;
  }
}

void cover_reach(Group *g) {
  for (u32 i = 0; i < g->n; i++) {
    if (g->access[i].op)
      reach_op(g, g->access[i].op);
    else
      reach_value(g, g->access[i].done);
  }
  for (size_t i = 0; i < g->net.len; i++) {
    const Op *op = g->net.at[i];
    if (is_access(g, op)) reach_value(g, access_at(g, op)->done);
    for (u32 r = 0; r < op->nresults; r++)
      if (is_none(op_result(op, r))) reach_value(g, op_result(op, r));
  }
}

static bool is_reached(const Group *g, const Value *v) {
  return g->tables->value_stamp[value_id(g->p, v)] == g->id;
}

/* ---- places --------------------------------------------------------------------------------- */

static DomainId place_of(const Group *g, const Value *v) {
  DomainId domain = g->p->domain[value_id(g->p, v)];
  if (!is_reached(g, v)) return domain;
  DomainId place = g->cover[g->tables->slot[value_id(g->p, v)]].place;
  return place ? place : domain;
}

static void set_place(Group *g, const Value *v, DomainId place) {
  if (is_none(v)) g->cover[g->tables->slot[value_id(g->p, v)]].place = place;
}

/* The loop that a cond_br splits at its end, as a place: the tests of the loop; 0 for an if. */
static DomainId loop_split_by(const Group *g, const Op *op, bool *raw) {
  const Proof *p = g->p;
  DomainId x = p->domain[operand_id(p, op, 1)];
  const Domain *no = domain_at(p, p->domain[value_id(p, op_result(op, 1))]);
  if (no->kind == KIND_FALSE && no->parent == x) return 0;
  u32 loop = domain_at(p, domain_at(p, x)->burst)->cond;
  *raw = operand_same(p, op->index, 0) == loop;
  return domain_climb(p, place_of(g, op_operand(op, 1)), loop);
}

static void place_cond_br(Group *g, const Op *op) {
  Proof *p = g->p;
  u32 c = operand_same(p, op->index, 0);
  bool raw;
  DomainId loop = loop_split_by(g, op, &raw), x = place_of(g, op_operand(op, 1));
  if (loop) x = raw ? loop : domain_term(p, KIND_TRUE, domain_at(p, loop)->cond, loop);
  set_place(g, op_result(op, 0), domain_term(p, KIND_TRUE, c, x));
  set_place(g, op_result(op, 1),
            loop && !(raw && (p->flags.at[c] & VALUE_REUSED)) ? domain_at(p, loop)->parent
                                                              : domain_term(p, KIND_FALSE, c, x));
}

static void place_mux(Group *g, const Op *op) {
  const Proof *p = g->p;
  u32 c = operand_same(p, op->index, 0);
  for (u32 side = 2; side >= 1; side--) {
    const Value *v = op_operand(op, side);
    const Domain *at = domain_at(p, place_of(g, v));
    if (!is_reached(g, v) || at->cond != c || at->kind != (side == 2 ? KIND_TRUE : KIND_FALSE))
      continue;
    set_place(g, op_result(op, 0), at->parent);
    return;
  }
}

static void place_burst(Group *g, const Op *op) {
  Proof *p = g->p;
  Domain out = *domain_at(p, p->domain[value_id(p, op_result(op, 0))]);
  DomainId a = place_of(g, op_operand(op, 1)), place = domain_term(p, KIND_BURST, out.cond, a);
  if (out.kind == KIND_TRUE) place = domain_term(p, KIND_TRUE, out.cond, place);
  set_place(g, op_result(op, 0), place);
}

static void place_op(void *data, const Op *op) {
  Group *g = data;
  const Proof *p = g->p;
  DomainId deepest = 0;
  switch ((OpKind)op->kind) {
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE:
    set_place(g, access_at(g, op)->done, place_of(g, access_at(g, op)->ctrl));
    break;
  case OP_HANDSHAKE_COND_BR: place_cond_br(g, op); break;
  case OP_HANDSHAKE_MUX: place_mux(g, op); break;
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: place_burst(g, op); break;
  default:
    for (u32 i = g->tables->first_input[op->index]; i; i = g->inputs.at[i - 1].next) {
      DomainId place = place_of(g, g->inputs.at[i - 1].value);
      if (domain_at(p, place)->length > domain_at(p, deepest)->length) deepest = place;
    }
    for (u32 r = 0; r < op->nresults; r++) set_place(g, op_result(op, r), deepest);
    break;
  }
}

/* ---- covers --------------------------------------------------------------------------------- */

static u32 loops_around(const Proof *p, DomainId place) {
  return domain_at(p, place)->bursts;
}

Cover cover_of(const Group *g, const Value *v) {
  if (!v) return (Cover){.place = DOMAIN_ONCE};
  if (!is_reached(g, v)) return (Cover){.place = place_of(g, v)};
  return g->cover[g->tables->slot[value_id(g->p, v)]];
}

/* From inside a loop's last iteration to outside: there "covered" means in all iterations, which
 * it is if the token waits for the earlier ones. */
Cover cover_from(const Group *g, const Value *v, DomainId place) {
  Cover cover = cover_of(g, v);
  if (cover.place == place) return cover;
  u32 shared = loops_around(g->p, domain_common(g->p, cover.place, place));
  for (u32 depth = shared + 1; depth <= loops_around(g->p, cover.place); depth++)
    if (!cover_waits(&cover, depth)) return (Cover){.place = cover.place};
  return cover;
}

bool cover_has(const Group *g, const Cover *cover, u32 access) {
  if (access < cover->prefix) return true;
  for (u32 i = 0; i < cover->n; i++)
    if (access >= cover->runs[i].first && access < cover->runs[i].end) return true;
  return domains_exclusive(g->p, g->access[access].place, cover->place);
}

static int compare_runs(const void *a, const void *b) {
  const Run *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

typedef Vec(Run) Runs;

/* Sorts and merges `runs` beyond `prefix`, takes in what cannot happen where the token is, and
 * stores the result as the cover of `v`. Runs past the limit are forgotten: that is safe. */
static Cover *store_cover(Group *g, const Value *v, u32 prefix, Runs *runs) {
  Cover *out = &g->cover[g->tables->slot[value_id(g->p, v)]];
  DomainId at = out->place;
  if (runs->len > 1) qsort(runs->at, runs->len, sizeof(Run), compare_runs);
  size_t taken = 0;
  u32 skipped = 0;
  for (;;) {
    if (taken < runs->len && runs->at[taken].first <= prefix) {
      if (runs->at[taken].end > prefix) prefix = runs->at[taken].end;
      taken++;
    } else if (prefix < g->n && skipped++ < MOST_SKIPPED &&
               domains_exclusive(g->p, g->access[prefix].place, at)) {
      prefix = g->run_end[prefix];
    } else {
      break;
    }
  }
  size_t kept = taken;
  for (size_t i = taken; i < runs->len; i++) {
    if (kept > taken && runs->at[i].first <= runs->at[kept - 1].end) {
      if (runs->at[i].end > runs->at[kept - 1].end) runs->at[kept - 1].end = runs->at[i].end;
    } else {
      runs->at[kept++] = runs->at[i];
    }
  }
  u32 n = (u32)(kept - taken) > MOST_RUNS ? MOST_RUNS : (u32)(kept - taken);
  out->prefix = prefix;
  out->n = n;
  out->runs = n ? arena_copy(g->arena, runs->at + taken, n * sizeof(Run)) : NULL;
  if (!out->waits) out->waits = NEW_ARRAY(g->arena, u64, g->words);
  memset(out->waits, 0, g->words * sizeof(u64));
  return out;
}

static void add_runs(Runs *runs, const Cover *c) {
  for (u32 i = 0; i < c->n; i++) vec_push(runs, c->runs[i]);
}

static u64 bits_below(u32 depth, u32 word) {
  if (depth >= (word + 1) * 64) return ~(u64)0;
  return depth <= word * 64 ? 0 : ((u64)1 << (depth - word * 64)) - 1;
}

/* Takes over what `from` waits for, as far as both lie in the same loops. */
static void take_waits(const Group *g, Cover *out, const Cover *from) {
  if (!from->waits) return;
  u32 depth = loops_around(g->p, domain_common(g->p, from->place, out->place));
  for (u32 w = 0; w < g->words; w++) out->waits[w] |= from->waits[w] & bits_below(depth, w);
}

/* ---- one rule an op ------------------------------------------------------------------------- */

/* `v` covers what `in` does. */
static Cover *pass_on(Group *g, const Value *v, const Cover *in) {
  Runs runs = {0};
  add_runs(&runs, in);
  Cover *out = store_cover(g, v, in->prefix, &runs);
  take_waits(g, out, in);
  vec_free(&runs);
  return out;
}

static void cover_access(Group *g, const Op *op) {
  const Access *access = access_at(g, op);
  u32 number = g->tables->number_of_op[op->index];
  Cover ctrl = cover_of(g, access->ctrl);
  Runs runs = {0};
  add_runs(&runs, &ctrl);
  vec_push(&runs, ((Run){number, number + 1}));
  Cover *out = store_cover(g, access->done, ctrl.prefix, &runs);
  take_waits(g, out, &ctrl);
  vec_free(&runs);
}

/* Of a join of many groups only the operands that this group reaches are looked at. */
static void cover_union(Group *g, const Op *op) {
  Runs runs = {0};
  u32 prefix = 0, first = g->tables->first_input[op->index];
  for (u32 r = 0; r < op->nresults; r++) {
    const Value *v = op_result(op, r);
    if (!is_none(v)) continue;
    vec_clear(&runs);
    for (u32 i = first; i; i = g->inputs.at[i - 1].next) {
      Cover in = cover_from(g, g->inputs.at[i - 1].value, place_of(g, v));
      if (in.prefix > prefix) prefix = in.prefix;
      add_runs(&runs, &in);
    }
    Cover *out = store_cover(g, v, prefix, &runs);
    for (u32 i = first; i; i = g->inputs.at[i - 1].next) {
      Cover in = cover_of(g, g->inputs.at[i - 1].value);
      take_waits(g, out, &in);
    }
  }
  vec_free(&runs);
}

/* The false side of a split on a loop's own condition: see the top. */
static void cover_exit(Group *g, const Op *op, DomainId burst, const Cover *in, bool raw) {
  const Proof *p = g->p;
  const Domain *loop = domain_at(p, burst);
  const GroupLoop *inside = group_loop(g, burst);
  Runs runs = {0};
  u32 prefix = in->prefix;
  add_runs(&runs, in);
  for (u32 i = 0; inside && i < inside->n; i++) {
    u32 access = g->inside[inside->first + i];
    DomainId d = g->access[access].place;
    while (domain_at(p, d)->parent != burst && d != burst) d = domain_at(p, d)->parent;
    bool after =
        d != burst && domain_at(p, d)->kind == KIND_TRUE && domain_at(p, d)->cond == loop->cond;
    if (raw && after && cover_waits(in, loop->bursts)) {
      vec_push(&runs, ((Run){access, access + 1}));
    } else if (!raw && !after) { /* the last test comes after the last iteration */
      if (access < prefix) prefix = access;
      vec_clear(&runs);
    }
  }
  Cover *out = store_cover(g, op_result(op, 1), prefix, &runs);
  take_waits(g, out, in);
  vec_free(&runs);
}

static void cover_cond_br(Group *g, const Op *op) {
  const Value *x = op_operand(op, 1);
  bool raw = false;
  DomainId loop = loop_split_by(g, op, &raw);
  Cover in = loop ? cover_from(g, x, domain_at(g->p, place_of(g, op_result(op, 0)))->parent)
                  : cover_of(g, x);
  pass_on(g, op_result(op, 0), &in);
  if (loop)
    cover_exit(g, op, loop, &in, raw);
  else
    pass_on(g, op_result(op, 1), &in);
}

/* Adds the parts of [first, end) that `other` covers or that cannot happen where it is. */
static void add_common(const Group *g, Runs *runs, u32 first, u32 end, const Cover *other) {
  for (u32 at = first, next; at < end; at = next) {
    next = g->run_end[at] < end ? g->run_end[at] : end;
    if (domains_exclusive(g->p, g->access[at].place, other->place)) {
      vec_push(runs, ((Run){at, next}));
      continue;
    }
    if (at < other->prefix)
      vec_push(runs, ((Run){at, next < other->prefix ? next : other->prefix}));
    for (u32 i = 0; i < other->n; i++) {
      u32 from = other->runs[i].first > at ? other->runs[i].first : at;
      u32 to = other->runs[i].end < next ? other->runs[i].end : next;
      if (from < to) vec_push(runs, ((Run){from, to}));
    }
  }
}

/* What a side of a mux covers, as seen from where that side is: no deeper than the mux and its
 * condition. */
static Cover side_of_mux(Group *g, const Op *op, u32 side) {
  Proof *p = g->p;
  const Value *v = op_operand(op, side);
  DomainId out = place_of(g, op_result(op, 0));
  DomainKind kind = side == 2 ? KIND_TRUE : KIND_FALSE;
  Cover cover = cover_from(g, v, domain_term(p, kind, operand_same(p, op->index, 0), out));
  return cover;
}

static void cover_mux(Group *g, const Op *op) {
  Cover a = side_of_mux(g, op, 1), b = side_of_mux(g, op, 2);
  u32 prefix = a.prefix < b.prefix ? a.prefix : b.prefix;
  Runs runs = {0};
  if (a.prefix != b.prefix || a.n || b.n) {
    add_common(g, &runs, prefix, a.prefix, &b);
    add_common(g, &runs, prefix, b.prefix, &a);
    for (u32 i = 0; i < a.n; i++) add_common(g, &runs, a.runs[i].first, a.runs[i].end, &b);
    for (u32 i = 0; i < b.n; i++) add_common(g, &runs, b.runs[i].first, b.runs[i].end, &a);
  }
  Cover *out = store_cover(g, op_result(op, 0), prefix, &runs);
  if (a.waits && b.waits) {
    u32 depth = loops_around(g->p, domain_common(g->p, a.place, out->place));
    u32 other = loops_around(g->p, domain_common(g->p, b.place, out->place));
    for (u32 w = 0; w < g->words; w++)
      out->waits[w] = a.waits[w] & b.waits[w] & bits_below(depth < other ? depth : other, w);
  }
  vec_free(&runs);
}

static void cover_burst(Group *g, const Op *op) {
  Cover in = cover_of(g, op_operand(op, 1));
  Cover *out = pass_on(g, op_result(op, 0), &in);
  u32 depth = loops_around(g->p, out->place);
  if (op->kind == OP_DATAFLOW_CARRY && !g->tables->incomplete[op->index])
    out->waits[(depth - 1) / 64] |= (u64)1 << ((depth - 1) % 64);
}

static void cover_op(Group *g, const Op *op) {
  switch ((OpKind)op->kind) {
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE: cover_access(g, op); break;
  case OP_HANDSHAKE_COND_BR: cover_cond_br(g, op); break;
  case OP_HANDSHAKE_MUX: cover_mux(g, op); break;
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: cover_burst(g, op); break;
  default: cover_union(g, op); break;
  }
}

/* ---- all of it ------------------------------------------------------------------------------ */

typedef Vec(const Op *) Ready;

static void deliver(Group *g, const Value *v, Ready *ready) {
  if (!is_none(v) || !is_reached(g, v)) return;
  for_each_use (use, v) {
    u32 i = use_index(use);
    if (!is_network_use(g, use->owner, i) || is_back_operand(use->owner->kind, i)) continue;
    vec_push(&g->inputs, ((Input){v, g->tables->first_input[use->owner->index]}));
    g->tables->first_input[use->owner->index] = (u32)g->inputs.len;
    if (--g->tables->left[use->owner->index] == 0) vec_push(ready, use->owner);
  }
}

/* Visits the network so that what an op waits for comes before it. */
static void walk(Group *g, void (*visit)(void *data, const Op *op), void *data) {
  Tables *t = g->tables;
  Ready ready = {0};
  vec_clear(&g->inputs);
  for (size_t i = 0; i < g->net.len; i++) {
    const Op *op = g->net.at[i];
    t->first_input[op->index] = 0;
    t->left[op->index] = t->need[op->index];
    if (t->left[op->index] == 0) vec_push(&ready, op);
  }
  for (u32 i = 0; i < g->n; i++)
    if (!g->access[i].op) deliver(g, g->access[i].done, &ready);
  for (size_t i = 0; i < ready.len; i++) {
    const Op *op = ready.at[i];
    visit(data, op);
    if (is_access(g, op)) deliver(g, access_at(g, op)->done, &ready);
    for (u32 r = 0; r < op->nresults; r++) deliver(g, op_result(op, r), &ready);
  }
  vec_free(&ready);
}

typedef struct {
  Group *g;
  void (*visit)(void *data, const Op *op);
  void *data;
} Visit;

static void visit_access(void *data, const Op *op) {
  Visit *v = data;
  if (is_access(v->g, op)) v->visit(v->data, op);
}

void cover_order(Group *g, void (*visit)(void *data, const Op *op), void *data) {
  Visit v = {g, visit, data};
  walk(g, visit_access, &v);
}

static void visit_cover(void *data, const Op *op) {
  cover_op(data, op);
}

static bool is_complete(const Group *g, const Op *carry) {
  const GroupLoop *loop = group_loop(g, domain_at(g->p, place_of(g, op_result(carry, 0)))->burst);
  DomainId out = place_of(g, op_result(carry, 0));
  DomainId next = domain_term(g->p, KIND_TRUE, operand_same(g->p, carry->index, 0), out);
  Cover back = cover_from(g, op_operand(carry, 2), next);
  for (u32 k = loop ? loop->n : 0; k-- > 0;)
    if (!cover_has(g, &back, g->inside[loop->first + k])) return false;
  return true;
}

/* Marks the carries whose back operand misses an access of their loop, or all; true where there
 * are new ones. */
static bool find_incomplete(Group *g, bool all) {
  bool found = false;
  for (size_t i = 0; i < g->net.len; i++) {
    const Op *op = g->net.at[i];
    if (op->kind != OP_DATAFLOW_CARRY || g->tables->incomplete[op->index]) continue;
    if (all || !is_complete(g, op)) g->tables->incomplete[op->index] = found = true;
  }
  return found;
}

static void grow_loop_tables(Tables *t, size_t n) {
  if (n <= t->nloops) return;
  t->loop_stamp = mem_realloc(t->loop_stamp, mem_size(n, sizeof(u32)));
  t->loop_slot = mem_realloc(t->loop_slot, mem_size(n, sizeof(u32)));
  memset(t->loop_stamp + t->nloops, 0, (n - t->nloops) * sizeof(u32));
  t->nloops = n;
}

void cover_places(Group *g) {
  const Proof *p = g->p;
  g->cover = NEW_ARRAY(g->arena, Cover, g->nreached);
  if (p->any_reused) walk(g, place_op, g);
  for (size_t i = 0; i < g->net.len; i++)
    for (u32 r = 0; r < g->net.at[i]->nresults; r++)
      set_place(g, op_result(g->net.at[i], r), place_of(g, op_result(g->net.at[i], r)));
  for (u32 i = 0; i < g->n; i++) {
    Access *a = &g->access[i];
    set_place(g, a->done, place_of(g, a->done));
    a->place = p->any_reused && a->ctrl ? place_of(g, a->ctrl) : a->domain;
  }
  grow_loop_tables(g->tables, p->domains.len);
}

void cover_solve(Group *g) {
  const Proof *p = g->p;
  u32 depth = 1;
  for (u32 i = 0; i < g->nreached; i++)
    if (loops_around(p, g->cover[i].place) > depth) depth = loops_around(p, g->cover[i].place);
  g->words = (depth + 63) / 64;
  for (u32 i = 0; i < g->n; i++)
    if (!g->access[i].op) { /* a bare port: only itself is known to be done */
      Runs runs = {0};
      vec_push(&runs, ((Run){i, i + 1}));
      store_cover(g, g->access[i].done, 0, &runs);
      vec_free(&runs);
    }
  for (int round = 1;; round++) {
    walk(g, visit_cover, g);
    if (!find_incomplete(g, round >= MOST_ROUNDS)) break;
  }
}

GroupLoop *group_loop(const Group *g, DomainId burst) {
  const Tables *t = g->tables;
  bool known = burst && burst < t->nloops && t->loop_stamp[burst] == g->id;
  return known ? &g->loops[t->loop_slot[burst]] : NULL;
}

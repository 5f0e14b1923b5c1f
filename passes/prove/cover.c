/* cover.c -- which accesses are surely done when a control token arrives, by data-flow analysis.
 *
 *     %t0            covers nothing                            0: load   ctrl %t0 -> done %d0
 *     %d0            covers 0                                  1: load   ctrl %t0 -> done %d1
 *     %j = join      covers 0, 1                               2: store  ctrl %j  -> done %d2
 *     %d2            covers 0, 1, 2
 *
 * The done token of an access covers what its control token covers, and the access itself. A join
 * covers what any of its inputs covers, a mux what both sides cover (accesses that cannot happen on
 * a side count as covered there). With accesses numbered in program order a cover is nearly always
 * a prefix, with a few runs (ranges of numbers) beyond it while loads overlap. It is stored that
 * way, not as a bit set.
 *
 * *Branches.* On the false side of a cond_br the accesses under its true side do not happen, and
 * count as covered.
 *
 * *Loops.* "Covered" is meant within one iteration of every loop that access and token share. Since
 * edges are queues, a token of a later iteration always comes after one of an earlier: so a token
 * covers in all earlier iterations the accesses that it covers in its own, at the ends of edges
 * that have a token in each iteration. Two things follow. The exit of a loop (the false side of a
 * split on its condition) covers, for all iterations, the accesses that the split token covered. A
 * carry is *complete* if its back operand covers all accesses of its loop: its tokens then come
 * after all accesses of earlier iterations. A bit of `waits` records that, and tokens made from
 * these inherit it. An invariant's tokens do not have it.
 *
 * A while loop leaves from its before region: its after region has run in earlier iterations (known
 * if the token `waits`) and does not run in the last. So there the exit covers the after region
 * too.
 *
 * *Places.* A while's condition may also decide an `if` in its before region. Its false side is
 * then both the loop's exit and the else part, and one domain: D. But the else part runs in the
 * last iteration and not after the loop, and the code after the `if` in the before region runs in
 * that iteration too. So such tokens get the place F(c, B(c, D)), which is not reduced to its
 * normal form D. That is right for the exit too: code after a loop can be taken to run in its last
 * iteration, after the rest. The code below uses places; where no condition is reused they are the
 * domains.
 *
 * Whether a carry is complete depends on covers inside its loop, which may use that it is (for
 * earlier iterations: sound, by induction over them). It is a greatest fixed point: all carries are
 * taken to be complete; those that turn out not to be are marked, and all covers are computed
 * again, until a round marks none. After MAX_ROUNDS all carries are marked, which is safe. The
 * lowering's carries are all complete: one round.
 *
 * Cost: rounds times the values that the group's done tokens reach, times the runs of a cover (at
 * most 2 in lowered graphs, never more than MAX_RUNS). */
#include "prove/cover.h"

#include <stdlib.h>

/* store_cover extends a prefix over at most MAX_SKIPPED runs of accesses that cannot happen at the
 * token's place: where one condition guards many loops, every token would skip all of them, which
 * is quadratic. cover_has and add_common test the accesses beyond that one by one. */
enum { MAX_RUNS = 256, MAX_ROUNDS = 6, MAX_SKIPPED = 64 };

/* ---- the network ---------------------------------------------------------------------------- */

static Station *station_at(const Group *g, u32 station) {
  return &g->net->stations.at[station];
}
static bool is_access(const Group *g, const Station *s) {
  return s->access_group == g->id;
}

static void reach_station(Group *g, u32 station) {
  Station *s = station_at(g, station);
  if (s->group == g->id) return;
  s->group = g->id;
  s->need = 0;
  s->incomplete = false;
  vec_push(&g->stations, station);
  vec_push(&g->stack, station);
}

/* False for another group's access: it passes on no tokens of this group. */
static bool is_relevant(const Group *g, const Station *s) {
  return !s->access_group || is_access(g, s);
}

static void reach_value(Group *g, u32 value) {
  const Network *net = g->net;
  u32 track = net->track_of_value[value];
  if (!track-- || net->cover[track].group == g->id) return;
  net->cover[track] = (Cover){.group = g->id, .place = g->p->domain[value]};
  vec_push(&g->reached, track);
  for (u32 u = net->first_user[track]; u < net->first_user[track + 1]; u++) {
    u32 station = net->user[u] / 2;
    if (!is_relevant(g, station_at(g, station))) continue;
    reach_station(g, station);
    if (net->user[u] % 2 == 0) station_at(g, station)->need++;
  }
}

/* The values that leave a station: the done of an access, or the results of an op. */
typedef struct {
  u32 first, end;
} ValueRange;

static ValueRange values_out_of(const Group *g, const Station *s) {
  const Node *n = node_at(g->p, s->op);
  if (!s->access_group) return (ValueRange){n->value, n[1].value};
  u32 done = g->access[s->access].done;
  return (ValueRange){done, done + 1};
}

static void reach_from(Group *g) {
  while (g->stack.len) {
    ValueRange out_values = values_out_of(g, station_at(g, vec_pop(&g->stack)));
    for (u32 v = out_values.first; v < out_values.end; v++) reach_value(g, v);
  }
}

/* Goes depth first, for locality: neighbours in the text are neighbours in memory. */
void cover_reach(Group *g) {
  for (u32 i = 0; i < g->n; i++) {
    if (g->access[i].op != NO_OP)
      reach_station(g, g->net->station_of_op[g->access[i].op] - 1);
    else
      reach_value(g, g->access[i].done);
    reach_from(g);
  }
}

/* The cover of a value that the group reaches; else NULL. */
static Cover *reached_cover(const Group *g, u32 value) {
  u32 track = value == NO_VALUE ? 0 : g->net->track_of_value[value];
  return track && g->net->cover[track - 1].group == g->id ? &g->net->cover[track - 1] : NULL;
}

/* ---- places --------------------------------------------------------------------------------- */

static DomainId place_of(const Group *g, u32 value) {
  const Cover *cover = reached_cover(g, value);
  return cover ? cover->place : g->p->domain[value];
}

static void set_place(Group *g, u32 value, DomainId place) {
  Cover *cover = reached_cover(g, value);
  if (cover && place) cover->place = place;
}

/* The loop that a cond_br is the exit of, as the place of its tests (a BURST); 0 for an if. *raw:
 * it branches on the loop's own condition, not on the gated one. */
static DomainId loop_split_by(const Group *g, u32 op, bool *raw) {
  const Proof *p = g->p;
  DomainId x = p->domain[operand_at(p, op, 1)];
  const Domain *no = domain_at(p, p->domain[node_at(p, op)->value + 1]);
  if (no->kind == KIND_FALSE && no->parent == x) return 0;
  u32 loop = domain_at(p, domain_at(p, x)->burst)->cond;
  *raw = operand_same(p, op, 0) == loop;
  return domain_climb(p, place_of(g, operand_at(p, op, 1)), loop);
}

static void place_cond_br(Group *g, u32 op) {
  Proof *p = g->p;
  u32 c = operand_same(p, op, 0), yes = node_at(p, op)->value;
  bool raw;
  DomainId loop = loop_split_by(g, op, &raw), x = place_of(g, operand_at(p, op, 1));
  if (loop) x = raw ? loop : domain_term(p, KIND_TRUE, domain_at(p, loop)->cond, loop);
  set_place(g, yes, domain_term(p, KIND_TRUE, c, x));
  set_place(g, yes + 1,
            loop && !(raw && (p->flags.at[c] & VALUE_REUSED)) ? domain_at(p, loop)->parent
                                                              : domain_term(p, KIND_FALSE, c, x));
}

/* Places the result where the branch of the mux's condition is that one of its sides comes from. */
static void place_mux(Group *g, u32 op) {
  const Proof *p = g->p;
  u32 c = operand_same(p, op, 0);
  for (u32 side = 2; side >= 1; side--) {
    const Cover *v = reached_cover(g, operand_at(p, op, side));
    if (!v) continue;
    const Domain *at = domain_at(p, v->place);
    if (at->cond != c || at->kind != (side == 2 ? KIND_TRUE : KIND_FALSE)) continue;
    set_place(g, node_at(p, op)->value, at->parent);
    return;
  }
}

static void place_burst(Group *g, u32 op) {
  Proof *p = g->p;
  u32 value = node_at(p, op)->value;
  Domain out = *domain_at(p, p->domain[value]);
  DomainId a = place_of(g, operand_at(p, op, 1)), place = domain_term(p, KIND_BURST, out.cond, a);
  if (out.kind == KIND_TRUE) place = domain_term(p, KIND_TRUE, out.cond, place);
  set_place(g, value, place);
}

static void place_station(Group *g, const Station *s) {
  const Proof *p = g->p;
  ValueRange out_values = values_out_of(g, s);
  DomainId deepest = 0;
  switch (node_at(p, s->op)->kind) {
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE:
    set_place(g, out_values.first, place_of(g, g->access[s->access].ctrl));
    break;
  case OP_HANDSHAKE_COND_BR: place_cond_br(g, s->op); break;
  case OP_HANDSHAKE_MUX: place_mux(g, s->op); break;
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: place_burst(g, s->op); break;
  default:
    for (u32 i = s->first_input; i; i = g->inputs.at[i - 1].next) {
      DomainId place = place_of(g, g->inputs.at[i - 1].value);
      if (domain_at(p, place)->length > domain_at(p, deepest)->length) deepest = place;
    }
    for (u32 v = out_values.first; v < out_values.end; v++) set_place(g, v, deepest);
    break;
  }
}

/* ---- covers --------------------------------------------------------------------------------- */

static u32 loops_around(const Proof *p, DomainId place) {
  return domain_at(p, place)->bursts;
}

Cover cover_of(const Group *g, u32 value) {
  if (value == NO_VALUE) return (Cover){.place = DOMAIN_ONCE};
  const Cover *cover = reached_cover(g, value);
  return cover ? *cover : (Cover){.place = g->p->domain[value]};
}

/* Seen from outside of a loop, "covered" means in all of its iterations: the cover is empty there
 * unless the token waits for the earlier ones. */
Cover cover_from(const Group *g, u32 value, DomainId place) {
  Cover cover = cover_of(g, value);
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
  const AccessRange *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Stores g->runs and `prefix` as the cover of `out`: sorts and merges the runs beyond the prefix,
 * and extends the prefix over accesses that cannot happen at the token's place. Runs beyond
 * MAX_RUNS are dropped, which is safe: the cover only gets smaller. Clears out->waits. */
static void store_cover(Group *g, Cover *out, u32 prefix) {
  Runs *runs = &g->runs;
  if (runs->len > 1) qsort(runs->at, runs->len, sizeof(AccessRange), compare_runs);
  size_t taken = 0;
  u32 skipped = 0;
  for (;;) {
    if (taken < runs->len && runs->at[taken].first <= prefix) {
      if (runs->at[taken].end > prefix) prefix = runs->at[taken].end;
      taken++;
    } else if (prefix < g->n && skipped++ < MAX_SKIPPED &&
               domains_exclusive(g->p, g->access[prefix].place, out->place)) {
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
  u32 n = (u32)(kept - taken) > MAX_RUNS ? MAX_RUNS : (u32)(kept - taken);
  out->prefix = prefix;
  out->n = n;
  out->runs = n ? arena_copy(g->arena, runs->at + taken, n * sizeof(AccessRange)) : NULL;
  memset(out->waits, 0, g->words * sizeof(u64));
}

/* Sets g->runs, for a new cover, to those of `c`. */
static void begin_runs(Group *g, const Cover *c) {
  vec_clear(&g->runs);
  for (u32 i = 0; i < c->n; i++) vec_push(&g->runs, c->runs[i]);
}

static u64 bits_below(u32 depth, u32 word) {
  if (depth >= (word + 1) * 64) return ~(u64)0;
  return depth <= word * 64 ? 0 : ((u64)1 << (depth - word * 64)) - 1;
}

/* Adds the bits of `from` for the loops that both lie in. */
static void inherit_waits(const Group *g, Cover *out, const Cover *from) {
  if (!from->waits) return;
  u32 depth = loops_around(g->p, domain_common(g->p, from->place, out->place));
  for (u32 w = 0; w < g->words; w++) out->waits[w] |= from->waits[w] & bits_below(depth, w);
}

/* ---- one rule per op ------------------------------------------------------------------------ */

/* `out` covers the same accesses as `in`. */
static void copy_cover(Group *g, Cover *out, const Cover *in) {
  begin_runs(g, in);
  store_cover(g, out, in->prefix);
  inherit_waits(g, out, in);
}

static void cover_access(Group *g, const Station *s) {
  const OrderedAccess *access = &g->access[s->access];
  Cover ctrl = cover_of(g, access->ctrl), *out = reached_cover(g, access->done);
  begin_runs(g, &ctrl);
  vec_push(&g->runs, ((AccessRange){s->access, s->access + 1}));
  store_cover(g, out, ctrl.prefix);
  inherit_waits(g, out, &ctrl);
}

/* A join. Only the operands that this group reaches are read: one may join many groups. */
static void cover_union(Group *g, const Station *s) {
  ValueRange out_values = values_out_of(g, s);
  u32 prefix = 0;
  for (u32 v = out_values.first; v < out_values.end; v++) {
    Cover *out = reached_cover(g, v);
    if (!out) continue; /* not a control token */
    vec_clear(&g->runs);
    for (u32 i = s->first_input; i; i = g->inputs.at[i - 1].next) {
      Cover in = cover_from(g, g->inputs.at[i - 1].value, out->place);
      if (in.prefix > prefix) prefix = in.prefix;
      for (u32 k = 0; k < in.n; k++) vec_push(&g->runs, in.runs[k]);
    }
    store_cover(g, out, prefix);
    for (u32 i = s->first_input; i; i = g->inputs.at[i - 1].next) {
      Cover in = cover_of(g, g->inputs.at[i - 1].value);
      inherit_waits(g, out, &in);
    }
  }
}

/* The exit of a loop: see the top, *Loops* and *Places*. */
static void cover_exit(Group *g, Cover *out, DomainId burst, const Cover *in, bool raw) {
  const Proof *p = g->p;
  const Domain *loop = domain_at(p, burst);
  const GroupLoop *inside = group_loop(g, burst);
  u32 prefix = in->prefix;
  begin_runs(g, in);
  for (u32 i = 0; inside && i < inside->n; i++) {
    u32 access = g->inside[inside->first + i];
    DomainId d = g->access[access].place;
    while (domain_at(p, d)->parent != burst && d != burst) d = domain_at(p, d)->parent;
    bool after =
        d != burst && domain_at(p, d)->kind == KIND_TRUE && domain_at(p, d)->cond == loop->cond;
    if (raw && after && cover_waits(in, loop->bursts)) {
      vec_push(&g->runs, ((AccessRange){access, access + 1}));
    } else if (!raw && !after) { /* the last test comes after the last iteration */
      if (access < prefix) prefix = access;
      vec_clear(&g->runs);
    }
  }
  store_cover(g, out, prefix);
  inherit_waits(g, out, in);
}

static void cover_cond_br(Group *g, u32 op) {
  u32 x = operand_at(g->p, op, 1);
  u32 result = node_at(g->p, op)->value;
  Cover *yes = reached_cover(g, result), *no = reached_cover(g, result + 1);
  bool raw = false;
  DomainId loop = loop_split_by(g, op, &raw);
  Cover in = loop ? cover_from(g, x, domain_at(g->p, yes->place)->parent) : cover_of(g, x);
  copy_cover(g, yes, &in);
  if (loop)
    cover_exit(g, no, loop, &in, raw);
  else
    copy_cover(g, no, &in);
}

/* Adds the accesses in [first, end) that `other` covers or that cannot happen at its place. */
static void add_common(Group *g, u32 first, u32 end, const Cover *other) {
  Runs *runs = &g->runs;
  for (u32 at = first, next; at < end; at = next) {
    next = g->run_end[at] < end ? g->run_end[at] : end;
    if (domains_exclusive(g->p, g->access[at].place, other->place)) {
      vec_push(runs, ((AccessRange){at, next}));
      continue;
    }
    if (at < other->prefix)
      vec_push(runs, ((AccessRange){at, next < other->prefix ? next : other->prefix}));
    for (u32 i = 0; i < other->n; i++) {
      u32 from = other->runs[i].first > at ? other->runs[i].first : at;
      u32 to = other->runs[i].end < next ? other->runs[i].end : next;
      if (from < to) vec_push(runs, ((AccessRange){from, to}));
    }
  }
}

/* The cover of a side of a mux, as seen from its branch of the mux's condition. */
static Cover side_of_mux(Group *g, u32 op, u32 side, DomainId place) {
  Proof *p = g->p;
  DomainKind kind = side == 2 ? KIND_TRUE : KIND_FALSE;
  return cover_from(g, operand_at(p, op, side),
                    domain_term(p, kind, operand_same(p, op, 0), place));
}

static void cover_mux(Group *g, u32 op) {
  Cover *out = reached_cover(g, node_at(g->p, op)->value);
  Cover a = side_of_mux(g, op, 1, out->place), b = side_of_mux(g, op, 2, out->place);
  u32 prefix = a.prefix < b.prefix ? a.prefix : b.prefix;
  vec_clear(&g->runs);
  if (a.prefix != b.prefix || a.n || b.n) {
    add_common(g, prefix, a.prefix, &b);
    add_common(g, prefix, b.prefix, &a);
    for (u32 i = 0; i < a.n; i++) add_common(g, a.runs[i].first, a.runs[i].end, &b);
    for (u32 i = 0; i < b.n; i++) add_common(g, b.runs[i].first, b.runs[i].end, &a);
  }
  store_cover(g, out, prefix);
  if (a.waits && b.waits) {
    u32 depth = loops_around(g->p, domain_common(g->p, a.place, out->place));
    u32 other = loops_around(g->p, domain_common(g->p, b.place, out->place));
    for (u32 w = 0; w < g->words; w++)
      out->waits[w] = a.waits[w] & b.waits[w] & bits_below(depth < other ? depth : other, w);
  }
}

static void cover_burst(Group *g, const Station *s) {
  Cover in = cover_of(g, operand_at(g->p, s->op, 1));
  Cover *out = reached_cover(g, node_at(g->p, s->op)->value);
  copy_cover(g, out, &in);
  u32 depth = loops_around(g->p, out->place);
  if (node_at(g->p, s->op)->kind == OP_DATAFLOW_CARRY && !s->incomplete)
    out->waits[(depth - 1) / 64] |= (u64)1 << ((depth - 1) % 64);
}

static void cover_station(Group *g, const Station *s) {
  switch (node_at(g->p, s->op)->kind) {
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE: cover_access(g, s); break;
  case OP_HANDSHAKE_COND_BR: cover_cond_br(g, s->op); break;
  case OP_HANDSHAKE_MUX: cover_mux(g, s->op); break;
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: cover_burst(g, s); break;
  default: cover_union(g, s); break;
  }
}

/* ---- walking the network -------------------------------------------------------------------- */

/* Delivers the value to each of its users; users that now have all their inputs go on the stack. */
static void deliver(Group *g, u32 value) {
  const Network *net = g->net;
  u32 track = net->track_of_value[value];
  if (!track--) return;
  for (u32 u = net->first_user[track]; u < net->first_user[track + 1]; u++) {
    Station *s = station_at(g, net->user[u] / 2);
    if (net->user[u] % 2 || !is_relevant(g, s)) continue;
    if (s->joins) {
      vec_push(&g->inputs, ((ControlInput){value, s->first_input}));
      s->first_input = (u32)g->inputs.len;
    }
    if (--s->left == 0) vec_push(&g->stack, net->user[u] / 2);
  }
}

typedef void Visit(Group *g, const Station *s);

static void walk_from(Group *g, Visit *visit) {
  while (g->stack.len) {
    const Station *s = station_at(g, vec_pop(&g->stack));
    visit(g, s);
    ValueRange out_values = values_out_of(g, s);
    for (u32 v = out_values.first; v < out_values.end; v++) deliver(g, v);
  }
}

/* Visits the network in topological order (Kahn's algorithm, with a stack); operands that close a
 * loop do not count. */
static void walk(Group *g, Visit *visit) {
  vec_clear(&g->inputs);
  for (size_t i = 0; i < g->stations.len; i++) {
    Station *s = station_at(g, g->stations.at[i]);
    s->first_input = 0;
    s->left = s->need;
  }
  for (u32 i = 0; i < g->n; i++) {
    if (g->access[i].op == NO_OP) deliver(g, g->access[i].done);
    walk_from(g, visit);
  }
  for (size_t i = 0; i < g->stations.len; i++) {
    if (station_at(g, g->stations.at[i])->need) continue;
    vec_push(&g->stack, g->stations.at[i]);
    walk_from(g, visit);
  }
}

static void number_access(Group *g, const Station *s) {
  if (s->access_group) g->access[s->access].number = g->next_number++;
}

void cover_order(Group *g) {
  g->next_number = 0;
  walk(g, number_access);
}

/* ---- the fixed point ------------------------------------------------------------------------ */

static bool is_complete(const Group *g, u32 carry) {
  Proof *p = g->p;
  DomainId out = place_of(g, node_at(p, carry)->value);
  const GroupLoop *loop = group_loop(g, domain_at(p, out)->burst);
  DomainId next = domain_term(p, KIND_TRUE, operand_same(p, carry, 0), out);
  Cover back = cover_from(g, operand_at(p, carry, 2), next);
  for (u32 k = loop ? loop->n : 0; k-- > 0;)
    if (!cover_has(g, &back, g->inside[loop->first + k])) return false;
  return true;
}

/* Marks the carries whose back operand misses an access of their loop, or all carries; true where
 * one was newly marked. */
static bool find_incomplete(Group *g, bool all) {
  bool found = false;
  for (size_t i = 0; i < g->stations.len; i++) {
    Station *s = station_at(g, g->stations.at[i]);
    if (node_at(g->p, s->op)->kind != OP_DATAFLOW_CARRY || s->incomplete) continue;
    if (all || !is_complete(g, s->op)) s->incomplete = found = true;
  }
  return found;
}

static void grow_loop_table(LoopTable *t, size_t n) {
  if (n <= t->n) return;
  t->group = mem_realloc(t->group, mem_size(n, sizeof(u32)));
  t->loop = mem_realloc(t->loop, mem_size(n, sizeof(u32)));
  memset(t->group + t->n, 0, (n - t->n) * sizeof(u32));
  t->n = n;
}

void cover_places(Group *g) {
  const Proof *p = g->p;
  if (p->any_reused) walk(g, place_station);
  for (u32 i = 0; i < g->n; i++) {
    OrderedAccess *a = &g->access[i];
    a->place = p->any_reused && a->ctrl != NO_VALUE ? place_of(g, a->ctrl) : a->domain;
  }
  grow_loop_table(g->loop_table, p->domains.len);
}

void cover_solve(Group *g) {
  const Proof *p = g->p;
  size_t n = g->reached.len;
  u32 depth = 1;
  for (size_t i = 0; i < n; i++) {
    u32 around = loops_around(p, g->net->cover[g->reached.at[i]].place);
    if (around > depth) depth = around;
  }
  g->words = (depth + 63) / 64;
  vec_reserve(&g->waits, mem_size(n, g->words));
  for (size_t i = 0; i < n; i++) {
    Cover *cover = &g->net->cover[g->reached.at[i]];
    cover->waits = g->waits.at + i * g->words;
    memset(cover->waits, 0, g->words * sizeof(u64));
  }
  for (u32 i = 0; i < g->n; i++)
    if (g->access[i].op == NO_OP) { /* a bare port: only itself is known to be done */
      vec_clear(&g->runs);
      vec_push(&g->runs, ((AccessRange){i, i + 1}));
      store_cover(g, reached_cover(g, g->access[i].done), 0);
    }
  for (int round = 1;; round++) {
    walk(g, cover_station);
    if (!find_incomplete(g, round >= MAX_ROUNDS)) break;
  }
}

GroupLoop *group_loop(const Group *g, DomainId burst) {
  const LoopTable *t = g->loop_table;
  bool known = burst && burst < t->n && t->group[burst] == g->id;
  return known ? &g->loops[t->loop[burst]] : NULL;
}

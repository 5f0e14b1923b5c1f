/* balance.c -- proof of balance: both ends of every edge have the same number of tokens.
 *
 *     %raw, %more = dataflow.stream %c0, %c1, %n       ONCE x3    -> BURST(more, ONCE)
 *     %i, %again  = dataflow.gate %raw, %more                     -> TRUE(more, BURST(more, ONCE))
 *     %s          = dataflow.carry %more, %zero, %t    ONCE       -> BURST(more, ONCE)
 *     %x, %exit   = cond_br %more, %s                             -> TRUE(more, ...), ONCE
 *     %t          = arith.addi %x, %i                  both TRUE(more, ...): they meet
 *     return %exit                                     ONCE, as it must be
 *
 * Had the addi taken %s instead of %x, it would mix BURST with TRUE: N+1 tokens with N, and one
 * would be left over. So the domain of an edge counts its tokens, for every input at once, without
 * running anything.
 *
 * Requires: a numbered graph. Ensures: each value has its domain; each operand is in the domain
 * that its op's rule requires.
 *
 * How: a forward sweep in dependence order gives every value its domain, ignoring the operands
 * that close loops (a carry's d and b, an invariant's d): the carry's domain follows from `a` and
 * the identity of `d` alone. After the sweep those operands are checked against what the carry
 * assumed. That is induction over the tokens: if the first k tokens of a loop are balanced, so are
 * the next. Parts that the sweep does not reach wait for themselves through ordinary ops: a cycle,
 * refused.
 *
 * There is one exception: a carry or invariant on the gated condition of a stream does wait for the
 * gate, because its domain depends on whether the loop can run zero times.
 *
 * After an error the sweep goes on, so that several mistakes are found at once. The results of an
 * op in error have no domain and are accepted anywhere, so that one mistake is one message.
 *
 * Cost: every part is processed once and every operand looked at once or twice; a term is built in
 * constant time (a hash look-up), but for the zero-trip question, which walks a term once a stream.
 */
#include "prove/parts.h"

typedef struct {
  Proof *p;
  Waiters waiters, ready; /* ready: those whose value is known; the last is next */
  u32 processed;
  bool balanced, reported_depth;
} Sweep;

/* ---- reporting ------------------------------------------------------------------------------ */

static void hint_way(const Proof *p, const Value *v, DomainId have, DomainId want) {
  Buf way = {0}, name = {0};
  value_describe(p, v, &name);
  if (domain_describe_way(p, have, want, &way))
    diag_hint(p->ctx, "for %s: %s", name.data, way.data);
  buf_free(&way);
  buf_free(&name);
}

/* Operand i of `op` is in domain `have`, but must be in `want`, like `because` (may be NULL). */
static void report_mismatch(Sweep *s, const Op *op, u32 i, DomainId want, const Value *because) {
  const Proof *p = s->p;
  const Value *v = op_operand(op, i);
  DomainId have = p->domain[value_id(p, v)];
  Buf is = {0}, must = {0}, name = {0}, other = {0};
  domain_describe(p, have, 0, &is);
  domain_describe(p, want, 0, &must);
  if (strcmp(is.data, must.data) == 0) {
    buf_free(&is), buf_free(&must);
    domain_describe(p, have, 8, &is);
    domain_describe(p, want, 8, &must);
  }
  value_describe(p, v, &name);
  if (because) {
    value_describe(p, because, &other);
    diag(p->ctx, op->loc, COMP_PROOF_BALANCE, "%s (operand %u of %s) arrives %s, but %s arrives %s",
         name.data, i, op_name(op), is.data, other.data, must.data);
  } else {
    diag(p->ctx, op->loc, COMP_PROOF_BALANCE,
         "%s (operand %u of %s) arrives %s, but must arrive %s", name.data, i, op_name(op), is.data,
         must.data);
  }
  if (v->loc && v->loc != op->loc) diag_note(p->ctx, v->loc, "%s is defined here", name.data);
  hint_way(p, v, have, want);
  s->balanced = false;
  buf_free(&is), buf_free(&must), buf_free(&name), buf_free(&other);
}

/* The loop on `c`, to which `op` belongs, may run zero times. */
static void report_zero_trip(Sweep *s, const Op *op, u32 c) {
  Proof *p = s->p;
  bool is_stream = stream_of(p, c) != NO_OP;
  Buf name = {0};
  value_describe(p, op_result(op, 0), &name);
  const Op *where = def_of(p, c) ? def_of(p, c) : op;
  diag(p->ctx, where->loc, COMP_PROOF_ZERO_TRIP,
       "this loop may run zero times, and %s would then keep a token for the next run", name.data);
  diag_note(p->ctx, op->loc,
            "%s takes its first token before the gated condition, which has no token in a run "
            "without iterations",
            name.data);
  if (is_stream)
    diag_hint(p->ctx, "guard the loop by a handshake.cond_br on a comparison of its start and "
                      "bound, or set nonzero = \"reason\" on the stream");
  else
    diag_hint(p->ctx, "a condition that is not a stream's may be false at the first test: use the "
                      "true output of a handshake.cond_br on it instead of its gate");
  set_zero_trip(p, c, ZERO_TRIP_REPORTED);
  s->balanced = false;
  buf_free(&name);
}

/* ---- the rules ------------------------------------------------------------------------------ */

static DomainId operand_domain(const Proof *p, u32 op, u32 i) {
  return p->domain[operand_at(p, op, i)];
}

/* `because`: the operand of the same op that is in `want`, or NO_OPERAND. */
#define NO_OPERAND UINT32_MAX
static bool expect(Sweep *s, u32 op, u32 i, DomainId want, u32 because) {
  DomainId have = operand_domain(s->p, op, i);
  if (!have || !want || have == want) return true;
  const Op *at = s->p->ops.at[op];
  report_mismatch(s, at, i, want, because == NO_OPERAND ? NULL : op_operand(at, because));
  return false;
}

/* Checks that all token operands of `part` are in one domain, and returns it; 0 if unknown. */
static DomainId one_domain(Sweep *s, u32 op, u32 part) {
  DomainId d = DOMAIN_UNKNOWN;
  u32 first = 0, n = operand_count(s->p, op);
  bool meet = true;
  for (u32 i = next_operand(s->p, op, part, 0); i < n; i = next_operand(s->p, op, part, i + 1)) {
    if (d)
      meet = expect(s, op, i, d, first) && meet;
    else
      d = operand_domain(s->p, op, i), first = i;
  }
  return meet ? d : DOMAIN_UNKNOWN;
}

static void set_domain(Sweep *s, u32 value, DomainId d, DomainId from) {
  Proof *p = s->p;
  p->domain[value] = d;
  if (d || !from || s->reported_depth) return;
  s->reported_depth = true;
  diag(p->ctx, value_at(p, value)->loc, COMP_PROOF_OPAQUE, "regions are nested more than %d deep",
       DOMAIN_MAX_LENGTH / 2);
  s->balanced = false;
}

static void give_all(Sweep *s, u32 op, u32 part, DomainId d) {
  const Proof *p = s->p;
  u32 first = node_at(p, op)->value, n = result_count(p, op);
  for (u32 r = next_result(p, op, part, 0); r < n; r = next_result(p, op, part, r + 1))
    p->domain[first + r] = d;
}

static void sweep_cond_br(Sweep *s, u32 op, u32 part) {
  Proof *p = s->p;
  DomainId x = one_domain(s, op, part);
  u32 c = operand_same(p, op, 0), result = node_at(p, op)->value;
  set_domain(s, result, domain_true(p, c, x), x);
  set_domain(s, result + 1, domain_false(p, c, x), x);
}

static void report_opaque(Sweep *s, u32 op, const char *why) {
  const Op *at = s->p->ops.at[op];
  diag(s->p->ctx, at->loc, COMP_PROOF_OPAQUE, "the tokens of %s cannot be counted: %s", op_name(at),
       why);
  s->balanced = false;
}

static void sweep_mux(Sweep *s, u32 op) {
  Proof *p = s->p;
  DomainId x = operand_domain(p, op, 0);
  u32 c = operand_same(p, op, 0);
  if (operand_count(p, op) != 3 || !(p->flags.at[operand_at(p, op, 0)] & VALUE_I1)) {
    report_opaque(s, op, "it must have two inputs and an i1 select");
    return;
  }
  DomainId no = x ? domain_false(p, c, x) : 0, yes = x ? domain_true(p, c, x) : 0;
  expect(s, op, 1, no, NO_OPERAND);
  expect(s, op, 2, yes, NO_OPERAND);
  if (x && domain_at(p, x)->kind == KIND_BURST && domain_at(p, x)->cond == c) {
    p->flags.at[c] |= VALUE_REUSED;
    p->any_reused = true;
  }
  set_domain(s, node_at(p, op)->value, x, x);
}

static void sweep_stream(Sweep *s, u32 op, u32 part) {
  Proof *p = s->p;
  DomainId d = one_domain(s, op, part);
  u32 index = node_at(p, op)->value, more = index + 1;
  DomainId burst = domain_burst(p, more, d);
  set_domain(s, index, burst, d);
  set_domain(s, more, burst, d);
}

static void sweep_gate(Sweep *s, u32 op, u32 part) {
  Proof *p = s->p;
  bool is_value = part == node_at(p, op)->part;
  u32 c = operand_same(p, op, 1);
  DomainId x = operand_domain(p, op, 1), d = x ? domain_burst_parent(p, c, x) : 0;
  if (is_value) {
    expect(s, op, 0, x, 1);
    if (x && !d) {
      const Op *at = p->ops.at[op];
      Buf name = {0};
      value_describe(p, op_operand(at, 1), &name);
      diag(p->ctx, at->loc, COMP_PROOF_BALANCE,
           "%s (operand 1 of dataflow.gate) is not the condition of a loop, so its tokens may not "
           "be true ... true false",
           name.data);
      buf_free(&name);
      s->balanced = false;
    }
  }
  set_domain(s, node_at(p, op)->value + !is_value, d ? domain_true(p, c, x) : 0, d);
}

/* A carry or an invariant: a token of `a` opens a burst whose length d decides. */
static void sweep_burst(Sweep *s, u32 op) {
  Proof *p = s->p;
  u32 d = operand_same(p, op, 0), raw;
  DomainId a = operand_domain(p, op, 1);
  if (a && gated_by(p, d, &raw)) {
    const Domain *of = domain_at(p, p->domain[raw]);
    bool of_this_loop = of->kind == KIND_BURST && of->cond == raw && of->parent == a;
    if (of_this_loop && !loop_runs(p, raw, a)) report_zero_trip(s, p->ops.at[op], raw);
  }
  set_domain(s, node_at(p, op)->value, a ? domain_burst(p, d, a) : 0, a);
}

static void sweep_return(Sweep *s, u32 op) {
  Proof *p = s->p;
  for (u32 i = 0; i < operand_count(p, op); i++) {
    DomainId d = operand_domain(p, op, i);
    if (d <= DOMAIN_ONCE) continue;
    const Op *at = p->ops.at[op];
    Buf name = {0}, when = {0};
    value_describe(p, op_operand(at, i), &name);
    domain_describe(p, d, 1, &when);
    diag(p->ctx, at->loc, COMP_PROOF_RETURN,
         "%s is returned, but arrives %s instead of once per call", name.data, when.data);
    hint_way(p, op_operand(at, i), d, DOMAIN_ONCE);
    s->balanced = false;
    buf_free(&name), buf_free(&when);
  }
}

static void process(Sweep *s, u32 op, u32 part) {
  Proof *p = s->p;
  switch ((FireClass)node_at(p, op)->fire) {
  case FIRE_COND_BR: sweep_cond_br(s, op, part); break;
  case FIRE_MUX: sweep_mux(s, op); break;
  case FIRE_STREAM: sweep_stream(s, op, part); break;
  case FIRE_GATE: sweep_gate(s, op, part); break;
  case FIRE_CARRY:
  case FIRE_INVARIANT: sweep_burst(s, op); break;
  case FIRE_RETURN: sweep_return(s, op); break;
  case FIRE_MERGE:
  case FIRE_CONTROL_MERGE:
    report_opaque(s, op, "it takes whichever input arrives first; use a handshake.mux instead");
    break;
  case FIRE_SOURCE:
    report_opaque(
        s, op, "it produces as many as are consumed; trigger constants by a control token instead");
    break;
  case FIRE_NEVER: report_opaque(s, op, "it never produces one"); break;
  case FIRE_NOT: report_opaque(s, op, "it is not an operation of dataflow graphs"); break;
  case FIRE_BUFFER:
    if (op_attr(p->ops.at[op], "initValues"))
      report_opaque(s, op, "it has initial tokens");
    else
      give_all(s, op, part, one_domain(s, op, part));
    break;
  default: give_all(s, op, part, one_domain(s, op, part)); break;
  }
}

/* ---- the sweep ------------------------------------------------------------------------------ */

static bool is_forward(const Proof *p, u32 op, u32 i) {
  u32 raw;
  if (!is_back_operand(node_at(p, op)->kind, i)) return true;
  if (i != 0) return false;
  return gated_by(p, operand_same(p, op, 0), &raw) && stream_of(p, raw) != NO_OP;
}

/* Processes the part if its operands from i on are known, else makes it wait for the first that is
 * not. */
static void try_part(Sweep *s, u32 op, u32 part, u32 i) {
  Proof *p = s->p;
  u32 n = operand_count(p, op);
  for (i = next_operand(p, op, part, i); i < n; i = next_operand(p, op, part, i + 1)) {
    u32 v = operand_at(p, op, i);
    if (p->flags.at[v] & VALUE_VISITED || !is_forward(p, op, i)) continue;
    wait_for(&s->waiters, &p->first_waiter[v], op, part, i);
    return;
  }
  process(s, op, part);
  s->processed++;
  u32 first = node_at(p, op)->value, nresults = result_count(p, op);
  for (u32 r = next_result(p, op, part, 0); r < nresults; r = next_result(p, op, part, r + 1)) {
    p->flags.at[first + r] |= VALUE_VISITED;
    if (p->first_waiter[first + r]) wake(&s->waiters, &p->first_waiter[first + r], &s->ready);
  }
}

static void run_sweep(Sweep *s) {
  Proof *p = s->p;
  for (u32 i = 0; i < node_at(p, 0)->value; i++) {
    p->domain[i] = DOMAIN_ONCE;
    p->flags.at[i] |= VALUE_VISITED;
  }
  for (u32 op = 0; op < p->nops; op++)
    for (u32 part = node_at(p, op)->part; part < node_at(p, op)[1].part; part++) {
      try_part(s, op, part, 0);
      while (s->ready.len) {
        Waiter w = vec_pop(&s->ready);
        try_part(s, w.op, w.part, w.operand);
      }
    }
}

/* The operands that the sweep ignored must be in the domains that it assumed. */
static void check_back_operands(Sweep *s, u32 op) {
  Proof *p = s->p;
  DomainId out = p->domain[node_at(p, op)->value], d = operand_domain(p, op, 0);
  u32 c = operand_same(p, op, 0), raw;
  if (!out || !d) return;
  const Domain *ticks = domain_at(p, d), *of = domain_at(p, out);
  if (d != out && ticks->kind == KIND_TRUE && of->kind == KIND_BURST && of->cond == c &&
      gated_by(p, c, &raw) && raw == ticks->cond &&
      domain_at(p, ticks->parent)->kind == KIND_BURST &&
      domain_at(p, ticks->parent)->parent == of->parent) {
    report_zero_trip(s, p->ops.at[op], ticks->cond);
    return;
  }
  if (d != out) report_mismatch(s, p->ops.at[op], 0, out, op_result(p->ops.at[op], 0));
  if (node_at(p, op)->kind == OP_DATAFLOW_CARRY)
    expect(s, op, 2, domain_true(p, c, out), NO_OPERAND);
}

/* True where the part waits for an operand: that operand. */
static bool is_stuck(const Proof *p, u32 op, u32 part, u32 *operand) {
  u32 n = operand_count(p, op);
  for (u32 i = next_operand(p, op, part, 0); i < n; i = next_operand(p, op, part, i + 1)) {
    *operand = i;
    if (!(p->flags.at[operand_at(p, op, i)] & VALUE_VISITED) && is_forward(p, op, i)) return true;
  }
  return false;
}

/* Some part was never reached: walks backwards over unreached ones until one comes twice. */
static void report_cycle(Sweep *s) {
  Proof *p = s->p;
  u32 op = 0, part = 0, *step = NEW_ARRAY(p->arena, u32, p->nparts), steps = 1, operand = 0;
  for (; !is_stuck(p, op, part, &operand); part++)
    while (part + 1 >= node_at(p, op)[1].part) op++;
  Vec(u32) path = {0};
  while (!step[part]) {
    step[part] = steps++;
    vec_push(&path, op);
    if (!is_stuck(p, op, part, &operand)) break;
    u32 v = operand_at(p, op, operand);
    op = p->def.at[v];
    part = part_of_result(p, op, v - node_at(p, op)->value);
  }
  Buf text = {0};
  u32 shown = 0;
  for (size_t i = path.len; i-- >= step[part] && shown < 6; shown++) {
    const Op *on = p->ops.at[path.at[i]];
    if (on->nresults)
      buf_str(&text, shown ? " -> " : ""), value_describe(p, op_result(on, 0), &text);
  }
  const Op *at = p->ops.at[op];
  diag(p->ctx, at->loc, COMP_PROOF_CYCLE,
       "this cycle waits for itself: no dataflow.carry or invariant provides its first token");
  if (text.len) diag_note(p->ctx, at->loc, "the cycle: %s%s", text.data, shown == 6 ? " ..." : "");
  buf_free(&text);
  vec_free(&path);
  s->balanced = false;
}

bool prove_balance(Proof *p) {
  Sweep s = {.p = p, .balanced = true};
  run_sweep(&s);
  if (s.processed < p->nparts) report_cycle(&s);
  for (u32 op = 0; op < p->nops; op++) {
    u16 kind = node_at(p, op)->kind;
    if (kind == OP_DATAFLOW_CARRY || kind == OP_DATAFLOW_INVARIANT) check_back_operands(&s, op);
  }
  vec_free(&s.waiters), vec_free(&s.ready);
  return s.balanced;
}

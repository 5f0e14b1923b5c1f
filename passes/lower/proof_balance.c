/* proof_balance.c -- every edge ticks in one domain.
 *
 *     %raw, %more = dataflow.stream %c0, %c1, %n       ONCE x3    -> BURST(more, ONCE)
 *     %i, %again  = dataflow.gate %raw, %more                     -> TRUE(more, BURST(more, ONCE))
 *     %s          = dataflow.carry %more, %zero, %t    ONCE       -> BURST(more, ONCE)
 *     %x, %exit   = cond_br %more, %s                             -> TRUE(more, ...), ONCE
 *     %t          = arith.addi %x, %i                  both TRUE(more, ...): they meet
 *     return %exit                                     ONCE, as it must be
 *
 * Had the addi taken %s instead of %x, it would mix BURST with TRUE: N+1 tokens with N, and one
 * would be left over. That is all there is to the idea: the domain of an edge counts its tokens,
 * for every input at once, without running anything.
 *
 * Requires: a numbered graph. Ensures: each value has its domain, origin and range; each operand
 * is in the domain its op's rule asks for.
 *
 * How: a forward sweep in dependence order gives every value its domain, ignoring the operands
 * that close loops (a carry's d and b, an invariant's d): the carry's domain follows from `a` and
 * the identity of `d` alone. When all is known those operands are checked against what the carry
 * assumed. That is induction over the tokens: if the first k tokens of a loop are balanced, so are
 * the next. What the sweep cannot reach waits for itself through ordinary ops: a cycle, refused.
 *
 * One thing is looked at early: a carry or invariant on the gated condition of a stream waits for
 * the gate, because whether the loop can run zero times decides what its domain is.
 *
 * After an error the sweep goes on, so that several mistakes are found at once. The results of an
 * op in error have no domain and are accepted anywhere, so that one mistake is one message.
 *
 * Cost: every part is processed once and every use looked at once; a term is built in constant
 * time (a hash look-up), but for the zero-trip question, which walks a term once a stream. */
#include "lower/proof_parts.h"

typedef struct {
  Proof *p;
  u32 *pending; /* by part: forward operands not yet known */
  u32 *ready; /* parts that can be processed: a stack, so that neighbours come one after another */
  u32 nready, processed;
  bool good, told_depth;
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

/* Operand i of `op` comes in `have`, but its rule asks for `want`, because of `because` (may be
 * NULL). */
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
    diag(p->ctx, op->loc, COMP_PROOF_BALANCE, "%s (operand %u of %s) comes %s, but %s comes %s",
         name.data, i, op_name(op), is.data, other.data, must.data);
  } else {
    diag(p->ctx, op->loc, COMP_PROOF_BALANCE, "%s (operand %u of %s) comes %s, but must come %s",
         name.data, i, op_name(op), is.data, must.data);
  }
  if (v->loc && v->loc != op->loc) diag_note(p->ctx, v->loc, "%s comes from here", name.data);
  hint_way(p, v, have, want);
  s->good = false;
  buf_free(&is), buf_free(&must), buf_free(&name), buf_free(&other);
}

static void report_opaque(Sweep *s, const Op *op, const char *why) {
  diag(s->p->ctx, op->loc, COMP_PROOF_OPAQUE, "the tokens of %s cannot be counted: %s", op_name(op),
       why);
  s->good = false;
}

/* The loop on `c`, from the view of a body part that ticks in `body`, may run zero times. */
static void report_zero_trip(Sweep *s, const Op *op, u32 c) {
  Proof *p = s->p;
  Op *stream = stream_of(p, c);
  Buf name = {0};
  value_describe(p, op_result(op, 0), &name);
  const Op *where = def_of(p, c) ? def_of(p, c) : op;
  diag(p->ctx, where->loc, COMP_PROOF_ZERO_TRIP,
       "this loop may run zero times, and %s would then keep a token for the next run", name.data);
  diag_note(p->ctx, op->loc,
            "%s takes its first token before it looks at the gated condition, "
            "and a run without iterations gives it none",
            name.data);
  if (stream)
    diag_hint(p->ctx, "put the loop where a comparison of its start and bound is true (handshake."
                      "cond_br on it), or state nonzero = \"reason\" on the stream");
  else
    diag_hint(p->ctx, "a condition that is not a stream's may be false at once: use the true side "
                      "of a handshake.cond_br on it rather than its gate");
  p->zero_trip[c] = ZERO_TRIP_REPORTED;
  s->good = false;
  buf_free(&name);
}

/* ---- the rules ------------------------------------------------------------------------------ */

static DomainId operand_domain(const Proof *p, const Op *op, u32 i) {
  return p->domain[operand_id(p, op, i)];
}

static bool expect(Sweep *s, const Op *op, u32 i, DomainId want, const Value *because) {
  DomainId have = operand_domain(s->p, op, i);
  if (!have || !want || have == want) return true;
  report_mismatch(s, op, i, want, because);
  return false;
}

/* All token operands that belong to `part` in one domain, which is returned; 0 if unknown. */
static DomainId one_domain(Sweep *s, const Op *op, u32 part) {
  DomainId d = DOMAIN_UNKNOWN;
  const Value *first = NULL;
  bool meet = true;
  for (u32 i = next_operand(s->p, op->index, part, 0); i < op->noperands;
       i = next_operand(s->p, op->index, part, i + 1)) {
    if (d)
      meet = expect(s, op, i, d, first) && meet;
    else
      d = operand_domain(s->p, op, i), first = op_operand(op, i);
  }
  return meet ? d : DOMAIN_UNKNOWN;
}

static void set_domain(Sweep *s, Value *result, DomainId d, DomainId from) {
  Proof *p = s->p;
  if (!d && from && !s->told_depth) {
    s->told_depth = true;
    diag(p->ctx, result->loc, COMP_PROOF_OPAQUE,
         "regions are nested more deeply than the proofs follow (%d)", DOMAIN_MAX_LENGTH / 2);
    s->good = false;
  }
  p->domain[value_id(p, result)] = d;
  value_learn(p, result);
}

static void give_all(Sweep *s, const Op *op, u32 part, DomainId d) {
  for (u32 r = next_result(s->p, op->index, part, 0); r < op->nresults;
       r = next_result(s->p, op->index, part, r + 1))
    set_domain(s, op_result(op, r), d, d);
}

static void sweep_cond_br(Sweep *s, const Op *op) {
  Proof *p = s->p;
  DomainId x = one_domain(s, op, p->first_part[op->index]);
  u32 c = operand_same(p, op, 0);
  set_domain(s, op_result(op, 0), domain_true(p, c, x), x);
  set_domain(s, op_result(op, 1), domain_false(p, c, x), x);
}

static void sweep_mux(Sweep *s, const Op *op) {
  Proof *p = s->p;
  DomainId x = operand_domain(p, op, 0);
  if (op->noperands != 3 || !type_is_i1(op_operand(op, 0)->type)) {
    report_opaque(s, op, "only a choice between two by an i1 is understood");
    set_domain(s, op_result(op, 0), DOMAIN_UNKNOWN, DOMAIN_UNKNOWN);
    return;
  }
  u32 c = operand_same(p, op, 0);
  DomainId no = x ? domain_false(p, c, x) : 0, yes = x ? domain_true(p, c, x) : 0;
  expect(s, op, 1, no, NULL);
  expect(s, op, 2, yes, NULL);
  if (x && domain_at(p, x)->kind == KIND_BURST && domain_at(p, x)->cond == c)
    p->reused[c] = p->any_reused = true;
  set_domain(s, op_result(op, 0), x, x);
}

static void sweep_stream(Sweep *s, const Op *op) {
  Proof *p = s->p;
  DomainId d = one_domain(s, op, p->first_part[op->index]);
  Value *more = op_result(op, 1);
  DomainId burst = domain_burst(p, value_id(p, more), d);
  set_domain(s, op_result(op, 0), burst, d);
  set_domain(s, more, burst, d);
}

static void sweep_gate(Sweep *s, const Op *op, u32 part) {
  Proof *p = s->p;
  bool is_value = part == p->first_part[op->index];
  u32 c = operand_same(p, op, 1);
  DomainId x = operand_domain(p, op, 1), d = x ? domain_burst_parent(p, c, x) : 0;
  if (is_value) {
    expect(s, op, 0, x, op_operand(op, 1));
    if (x && !d) {
      Buf name = {0};
      value_describe(p, op_operand(op, 1), &name);
      diag(p->ctx, op->loc, COMP_PROOF_BALANCE,
           "%s (operand 1 of dataflow.gate) is not the condition of a loop: nothing says that it "
           "comes as true ... true false",
           name.data);
      buf_free(&name);
      s->good = false;
    }
  }
  set_domain(s, op_result(op, !is_value), d ? domain_true(p, c, x) : 0, d);
}

/* A carry or an invariant: a token of `a` opens a burst that is as long as d says. */
static void sweep_burst(Sweep *s, const Op *op) {
  Proof *p = s->p;
  u32 d = operand_same(p, op, 0);
  DomainId a = operand_domain(p, op, 1);
  const Op *gate = gate_of(p, d);
  if (gate && a) {
    u32 raw = operand_same(p, gate, 1);
    const Domain *of = domain_at(p, p->domain[raw]);
    bool of_this_loop = of->kind == KIND_BURST && of->cond == raw && of->parent == a;
    if (of_this_loop && !loop_runs(p, raw, a)) report_zero_trip(s, op, raw);
  }
  set_domain(s, op_result(op, 0), a ? domain_burst(p, d, a) : 0, a);
}

static void process(Sweep *s, u32 part) {
  Proof *p = s->p;
  const Op *op = p->ops[p->op_of_part[part]];
  switch ((FireClass)op_info((OpKind)op->kind)->fire) {
  case FIRE_COND_BR: sweep_cond_br(s, op); break;
  case FIRE_MUX: sweep_mux(s, op); break;
  case FIRE_STREAM: sweep_stream(s, op); break;
  case FIRE_GATE: sweep_gate(s, op, part); break;
  case FIRE_CARRY:
  case FIRE_INVARIANT: sweep_burst(s, op); break;
  case FIRE_RETURN:
    for (u32 i = 0; i < op->noperands; i++)
      if (operand_domain(p, op, i) > DOMAIN_ONCE) {
        Buf name = {0}, when = {0};
        value_describe(p, op_operand(op, i), &name);
        domain_describe(p, operand_domain(p, op, i), 1, &when);
        diag(p->ctx, op->loc, COMP_PROOF_RETURN, "%s is returned, but comes %s, not once a call",
             name.data, when.data);
        hint_way(p, op_operand(op, i), operand_domain(p, op, i), DOMAIN_ONCE);
        s->good = false;
        buf_free(&name), buf_free(&when);
      }
    break;
  case FIRE_MERGE:
  case FIRE_CONTROL_MERGE:
    report_opaque(s, op, "it takes whichever input comes first; a handshake.mux says which");
    give_all(s, op, part, DOMAIN_UNKNOWN);
    break;
  case FIRE_SOURCE:
    report_opaque(s, op, "it gives as many as are taken; make literals from a control token");
    give_all(s, op, part, DOMAIN_UNKNOWN);
    break;
  case FIRE_NEVER:
    report_opaque(s, op, "it never gives any");
    give_all(s, op, part, DOMAIN_UNKNOWN);
    break;
  case FIRE_NOT:
    report_opaque(s, op, "it is not an operation of dataflow graphs");
    give_all(s, op, part, DOMAIN_UNKNOWN);
    break;
  case FIRE_BUFFER:
    if (op_attr(op, "initValues")) {
      report_opaque(s, op, "it starts with tokens in it");
      give_all(s, op, part, DOMAIN_UNKNOWN);
      break;
    }
    give_all(s, op, part, one_domain(s, op, part));
    break;
  default: give_all(s, op, part, one_domain(s, op, part)); break;
  }
}

/* ---- the sweep ------------------------------------------------------------------------------ */

static bool is_forward(const Proof *p, u32 op, u32 i) {
  if (!is_back_operand(p->kind[op], i)) return true;
  if (i != 0) return false;
  u32 c = p->same[operand_at(p, op, 0)];
  return gate_of(p, c) && stream_of(p, p->same[operand_at(p, p->def[c], 1)]);
}

/* The first taker in the text is processed first. */
static void deliver(Sweep *s, u32 value) {
  const Proof *p = s->p;
  for (u32 t = p->first_taker[value + 1]; t-- > p->first_taker[value];) {
    Taker by = p->taker[t];
    if (!is_forward(p, by.op, by.operand)) continue;
    PartSpan parts = parts_of_operand(p, by.op, by.operand);
    for (u32 part = parts.first; part < parts.end; part++)
      if (--s->pending[part] == 0) s->ready[s->nready++] = part;
  }
}

static void run_sweep(Sweep *s) {
  Proof *p = s->p;
  for (u32 o = 0; o < p->nops; o++)
    for (u32 i = 0; i < operand_count(p, o); i++) {
      if (!is_forward(p, o, i)) continue;
      PartSpan parts = parts_of_operand(p, o, i);
      for (u32 part = parts.first; part < parts.end; part++) s->pending[part]++;
    }
  for (u32 part = p->nparts; part-- > 0;)
    if (s->pending[part] == 0) s->ready[s->nready++] = part;

  const Block *body = p->func->regions[0].first;
  for (u32 i = 0; i < body->nargs; i++) {
    p->domain[i] = DOMAIN_ONCE;
    value_learn(p, body->args[i]);
    deliver(s, i);
  }
  while (s->nready) {
    u32 part = s->ready[--s->nready];
    const Op *op = op_ahead(p->ops[p->op_of_part[part]]);
    process(s, part);
    s->processed++;
    for (u32 r = next_result(p, op->index, part, 0); r < op->nresults;
         r = next_result(p, op->index, part, r + 1))
      deliver(s, result_id(p, op, r));
  }
}

/* The operands that were ignored must be what the sweep took them for. */
static void check_back_operands(Sweep *s) {
  Proof *p = s->p;
  for (u32 o = 0; o < p->nops; o++) {
    if (p->kind[o] != OP_DATAFLOW_CARRY && p->kind[o] != OP_DATAFLOW_INVARIANT) continue;
    const Op *op = p->ops[o];
    DomainId out = p->domain[p->first_value[o]], d = p->domain[operand_at(p, o, 0)];
    if (!out || !d) continue;
    u32 c = p->same[operand_at(p, o, 0)];
    const Domain *ticks = domain_at(p, d), *of = domain_at(p, out);
    if (d != out && ticks->kind == KIND_TRUE && of->kind == KIND_BURST && of->cond == c &&
        gate_of(p, c) && operand_same(p, gate_of(p, c), 1) == ticks->cond &&
        domain_at(p, ticks->parent)->kind == KIND_BURST &&
        domain_at(p, ticks->parent)->parent == of->parent) {
      report_zero_trip(s, op, ticks->cond);
      continue;
    }
    expect(s, op, 0, out, op_result(op, 0));
    if (op->kind == OP_DATAFLOW_CARRY) expect(s, op, 2, domain_true(p, c, out), NULL);
  }
}

/* Some part was never reached: walk backwards over unreached ones until one comes twice. */
static void report_cycle(Sweep *s) {
  Proof *p = s->p;
  u32 part = 0, *step = NEW_ARRAY(p->arena, u32, p->nparts), steps = 1;
  while (s->pending[part] == 0) part++;
  Vec(u32) path = {0};
  while (!step[part]) {
    step[part] = steps++;
    vec_push(&path, part);
    const Op *op = p->ops[p->op_of_part[part]];
    u32 next = part;
    for (u32 i = next_operand(p, op->index, part, 0); i < op->noperands && next == part;
         i = next_operand(p, op->index, part, i + 1)) {
      const Value *v = op_operand(op, i);
      if (v->is_arg || !is_forward(p, op->index, i)) continue;
      u32 from = part_of_result(p, v->op->index, v->index);
      if (s->pending[from]) next = from;
    }
    part = next;
    if (step[part]) break;
  }
  Buf text = {0};
  u32 shown = 0;
  for (size_t i = path.len; i-- >= step[part] && shown < 6; shown++) {
    const Op *op = p->ops[p->op_of_part[path.at[i]]];
    if (op->nresults)
      buf_str(&text, shown ? " -> " : ""), value_describe(p, op_result(op, 0), &text);
  }
  const Op *op = p->ops[p->op_of_part[part]];
  diag(p->ctx, op->loc, COMP_PROOF_CYCLE,
       "this waits for itself: no dataflow.carry or invariant gives the cycle its first token");
  if (text.len) diag_note(p->ctx, op->loc, "the cycle: %s%s", text.data, shown == 6 ? " ..." : "");
  buf_free(&text);
  vec_free(&path);
  s->good = false;
}

bool prove_balance(Proof *p) {
  Sweep s = {.p = p,
             .pending = NEW_ARRAY(p->arena, u32, p->nparts),
             .ready = NEW_ARRAY(p->arena, u32, p->nparts),
             .good = true};
  run_sweep(&s);
  if (s.processed < p->nparts) report_cycle(&s);
  check_back_operands(&s);
  return s.good;
}

/* token_report.c -- how a run of the token simulator ended once no unit can fire, and why.
 *
 *     An output got no token but is owed one      RUN_DEADLOCK
 *     Tokens are left on edges, a state machine
 *     stopped within a burst, or an output got
 *     more than one token                         RUN_LEFTOVER
 *     None of these                               RUN_FINISHED
 *
 * Deadlock. Units wait for tokens on empty inputs, which other units do not emit because they wait,
 * too: a wait-for graph. It is searched backwards from the outputs that are owed. If it has a
 * cycle, the shortest one found is reported; else the path to a source that has no more tokens (an
 * argument whose tokens are used up, handshake.never).
 *
 * Leftovers. In a loop they nearly always mean that an op of the body is driven by the raw
 * condition of the loop, which has one token more than the body has iterations. So a token left on
 * a control operand is reported with that hint.
 *
 * The shortest cycle is found by a breadth-first search from each unit that can be reached, cut off
 * at the length of the shortest so far: quadratic at worst. So no more searches are begun after
 * MAX_SEARCHED edges, and the shortest cycle so far is reported. */
#include "../plugins/loom_firing.h"
#include "run/token_state.h"

/* Notes of one kind that are shown; edges that searches for cycles may follow. */
enum { MAX_NOTES = 12, MAX_SEARCHED = 1 << 24 };

/* ---- what a unit waits for ------------------------------------------------------------------- */

static u64 head_token(const Input *in) {
  return in->queue->data[in->head & in->queue->mask];
}

/* Whether the unit needs a token on its input `i` to fire. Where the deciding operand is empty,
 * only inputs that are needed in either case count. (A merge needs a token on any input: when it
 * waits all are empty, and all count.) */
static bool is_wanted(const Unit *u, u32 i) {
  unsigned machine;
  switch ((Action)u->action) {
  case DO_STREAM: machine = LOOM_STREAM; break;
  case DO_GATE: machine = LOOM_GATE; break;
  case DO_CARRY: machine = LOOM_CARRY; break;
  case DO_INVARIANT: machine = LOOM_INVARIANT; break;
  case DO_COND_BR: machine = LOOM_COND_BR; break;
  case DO_MUX: return i == 0 || (token_waiting(u->in) && head_token(u->in) + 1 == i);
  default: return true;
  }
  unsigned decider = loom_deciders[machine][u->phase];
  int bit = 0; /* where no operand decides, both rules take the same */
  if (decider < LOOM_NO_DECIDER)
    bit = token_waiting(u->in + decider) ? (int)(head_token(u->in + decider) & 1) : -1;
  return loom_wanted(machine, u->phase, bit) >> i & 1;
}

/* The next input, from *next on, that is empty and needed; NULL: no more. Moves *next past it. */
static Input *next_need(const Unit *u, u32 *next) {
  while (*next < u->nin) {
    u32 i = (*next)++;
    Input *in = &u->in[i];
    if (token_is_endless(in->queue) || token_waiting(in)) continue;
    if (is_wanted(u, i)) return in;
  }
  return NULL;
}

/* Whether it has tokens on its inputs, or is within a burst. */
static bool is_pending(const Unit *u) {
  for (u32 i = 0; i < u->nin; i++)
    if (!token_is_endless(u->in[i].queue) && token_waiting(&u->in[i])) return true;
  return u->phase != 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* "%addr (handshake.load)" */
static void put_node(const Sim *s, u32 node, Buf *buf) {
  const DfgNode *n = &s->dfg->nodes[node];
  if (n->fire == FIRE_ARG)
    buf_printf(buf, "the argument %%%s", dfg_text(s->dfg, n->name));
  else if (n->fire == FIRE_RETURN)
    buf_str(buf, "the return");
  else if (n->nresults == 0)
    buf_str(buf, dfg_text(s->dfg, n->op));
  else
    buf_printf(buf, "%%%s (%s)", dfg_text(s->dfg, n->name), dfg_text(s->dfg, n->op));
}

/* "%c, its condition": a value and the operand that it is, with the dialect's name for that;
 * `whose` is "its " or empty. */
static void put_operand(const Sim *s, u32 edge, const char *whose, Buf *buf) {
  static const char *const carry[] = {"d", "a", "b"}, *const gate[] = {"value", "condition"},
                           *const branch[] = {"condition", "value"},
                           *const stream[] = {"start", "step", "bound"};
  const DfgEdge *e = &s->dfg->edges[edge];
  const DfgNode *n = &s->dfg->nodes[e->to];
  const char *name = NULL;
  switch ((FireClass)n->fire) {
  case FIRE_CARRY:
  case FIRE_INVARIANT: name = carry[e->operand % 3]; break;
  case FIRE_GATE: name = gate[e->operand % 2]; break;
  case FIRE_COND_BR: name = branch[e->operand % 2]; break;
  case FIRE_STREAM: name = stream[e->operand % 3]; break;
  case FIRE_MUX: name = e->operand == 0 ? "select" : NULL; break;
  case FIRE_LOAD:
    name = e->operand == n->noperands - 1   ? "control"
           : e->operand == n->noperands - 2 ? "data from memory"
                                            : "address";
    break;
  case FIRE_STORE:
    name = e->operand == n->noperands - 1   ? "control"
           : e->operand == n->noperands - 2 ? "data"
                                            : "address";
    break;
  default: break;
  }
  buf_printf(buf, "%%%s, %s", dfg_text(s->dfg, s->dfg->results[e->result].name), whose);
  if (name)
    buf_str(buf, name);
  else
    buf_printf(buf, "operand %u", e->operand);
}

/* ---- deadlock -------------------------------------------------------------------------------- */

typedef struct {
  Sim *s;
  u32 *reached, nreached; /* units reached from the outputs that are owed, breadth first */
  u32 *came_from;         /* by unit: 1 + the unit from which it was reached, which waits for it */
  bool *is_reached;       /* by unit */
  u32 *distance, *back;   /* by unit, of the search for one cycle: 1 + steps, or 0; predecessor */
  u32 *queue;             /* of that search; then the units of a path or cycle */
  u64 searched;           /* edges followed so far */
} Waits;

/* The unit that would emit the token that an input waits for; DFG_NONE: none does. */
static u32 awaited(const Input *in) {
  return in->queue->producer;
}

/* Finds all units that the owed outputs wait for, directly or not. */
static void find_reached(Waits *w) {
  Sim *s = w->s;
  for (u32 i = 0; i < s->nunits; i++)
    if (s->units[i].action == DO_RETURN && !s->units[i].fired) {
      w->is_reached[i] = true;
      w->reached[w->nreached++] = i;
    }
  for (u32 at = 0; at < w->nreached; at++) {
    u32 id = w->reached[at], next = 0;
    for (Input *in; (in = next_need(&s->units[id], &next));) {
      u32 to = awaited(in);
      if (to == DFG_NONE || w->is_reached[to]) continue;
      w->is_reached[to] = true;
      w->came_from[to] = id + 1;
      w->reached[w->nreached++] = to;
    }
  }
}

/* The length of the shortest cycle of waits through `start`, shorter than `most`; 0: none. w->back
 * leads along it, backwards. */
static u32 cycle_through(Waits *w, u32 start, u32 most) {
  Sim *s = w->s;
  u32 length = 0, n = 0;
  w->queue[n++] = start;
  w->distance[start] = 1;
  for (u32 at = 0; at < n && !length; at++) {
    u32 id = w->queue[at], next = 0;
    if (w->distance[id] >= most) break;
    for (Input *in; !length && (in = next_need(&s->units[id], &next));) {
      u32 to = awaited(in);
      w->searched++;
      if (to == start) length = w->distance[id];
      if (to == start) w->back[start] = id;
      if (to == DFG_NONE || w->distance[to]) continue;
      w->distance[to] = w->distance[id] + 1;
      w->back[to] = id;
      w->queue[n++] = to;
    }
  }
  for (u32 i = 0; i < n; i++) w->distance[w->queue[i]] = 0;
  return length;
}

/* The input at which a unit waits for another. */
static Input *wait_between(const Sim *s, u32 unit, u32 for_unit) {
  u32 next = 0;
  for (Input *in; (in = next_need(&s->units[unit], &next));)
    if (awaited(in) == for_unit) return in;
  return NULL;
}

static void note_wait(Sim *s, const Unit *u, const Input *in, const char *lead) {
  Buf text = {0};
  buf_str(&text, lead);
  put_node(s, u->node, &text);
  buf_str(&text, " waits for ");
  put_operand(s, in->edge, "its ", &text);
  diag_note(s->ctx, s->dfg->nodes[u->node].loc, "%s", text.data);
  buf_free(&text);
}

/* Notes a path of waits: each unit waits for the next, and in a cycle the last for the first. */
static void note_path(Sim *s, const u32 *units, u32 n, bool is_cycle) {
  u32 steps = is_cycle ? n : n - 1;
  for (u32 i = 0; i < steps; i++) {
    if (i == MAX_NOTES) {
      diag_note(s->ctx, LOC_NONE, "... and %u more on this path", steps - i);
      break;
    }
    u32 to = units[i + 1 < n ? i + 1 : 0];
    const Input *in = wait_between(s, units[i], to);
    if (in) note_wait(s, &s->units[units[i]], in, i ? "and " : is_cycle ? "in a cycle, " : "");
  }
}

/* Notes the shortest cycle; false where there is none. */
static bool note_cycle(Waits *w) {
  u32 shortest = 0, start = 0;
  for (u32 i = 0; i < w->nreached && w->searched < MAX_SEARCHED; i++) {
    u32 length = cycle_through(w, w->reached[i], shortest ? shortest : UINT32_MAX);
    if (!length) continue;
    shortest = length;
    start = w->reached[i];
  }
  if (!shortest) return false;
  cycle_through(w, start, UINT32_MAX);
  u32 at = start;
  for (u32 i = shortest; i-- > 0;) w->queue[i] = at = w->back[at];
  note_path(w->s, w->queue, shortest, true);
  return true;
}

/* Without a cycle: notes the path to the first unit that waits for a source without tokens. */
static void note_exhausted_source(Waits *w) {
  Sim *s = w->s;
  for (u32 i = 0; i < w->nreached; i++) {
    u32 id = w->reached[i], next = 0, n = 0;
    const Unit *u = &s->units[id];
    const Input *empty = NULL;
    for (Input *in; !empty && (in = next_need(u, &next));)
      if (awaited(in) == DFG_NONE) empty = in;
    next = 0;
    if (!empty && u->action != DO_ARG && next_need(u, &next)) continue;
    for (u32 at = id + 1; at; at = w->came_from[at - 1]) w->queue[n++] = at - 1;
    for (u32 k = 0; k < n / 2; k++) {
      u32 other = w->queue[k];
      w->queue[k] = w->queue[n - 1 - k];
      w->queue[n - 1 - k] = other;
    }
    note_path(s, w->queue, n, false);
    if (empty) note_wait(s, u, empty, "and ");
    Buf text = {0};
    put_node(s, empty ? dfg_from(s->dfg, empty->edge) : u->node, &text);
    diag_note(s->ctx, LOC_NONE, "%s gives no more tokens", text.data);
    buf_free(&text);
    return;
  }
}

/* Notes units that wait for a token, and have tokens on other inputs or are within a burst. */
static void note_blocked(Sim *s) {
  u32 n = 0, shown = 0;
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    u32 next = 0;
    if (u->action == DO_ARG || !is_pending(u) || !next_need(u, &next)) continue;
    if (++n > MAX_NOTES) continue;
    next = 0;
    for (Input *in; (in = next_need(u, &next)) && shown < 2 * MAX_NOTES; shown++)
      note_wait(s, u, in, "blocked: ");
  }
  if (n > MAX_NOTES) diag_note(s->ctx, LOC_NONE, "... and %u more are blocked", n - MAX_NOTES);
}

static void report_deadlock(Sim *s) {
  const Dfg *dfg = s->dfg;
  Waits w = {.s = s};
  w.reached = NEW_ARRAY(s->arena, u32, s->nunits);
  w.came_from = NEW_ARRAY(s->arena, u32, s->nunits);
  w.is_reached = NEW_ARRAY(s->arena, bool, s->nunits);
  w.distance = NEW_ARRAY(s->arena, u32, s->nunits);
  w.back = NEW_ARRAY(s->arena, u32, s->nunits);
  w.queue = NEW_ARRAY(s->arena, u32, s->nunits);
  Buf owed = {0};
  u32 n = 0;
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    if (u->action != DO_RETURN || u->fired) continue;
    if (n++ < MAX_NOTES)
      buf_printf(&owed, "%s%s", n > 1 ? ", " : "", dfg_text(dfg, dfg->outputs[u->output].name));
  }
  diag(s->ctx, dfg->nodes[dfg->return_node].loc, RT_DFG_DEADLOCK,
       "deadlock: @%s cannot continue; missing result%s %s%s", dfg_text(dfg, dfg->name),
       n > 1 ? "s" : "", owed.data, n > MAX_NOTES ? ", ..." : "");
  buf_free(&owed);
  find_reached(&w);
  if (!note_cycle(&w)) note_exhausted_source(&w);
  note_blocked(s);
}

/* ---- leftovers ------------------------------------------------------------------------------- */

/* Operands that carry control: tokens are left there when a body is driven by the raw condition. */
static bool is_control_operand(const Sim *s, u32 edge) {
  const DfgEdge *e = &s->dfg->edges[edge];
  const DfgNode *n = &s->dfg->nodes[e->to];
  switch ((FireClass)n->fire) {
  case FIRE_LOAD:
  case FIRE_STORE: return e->operand == n->noperands - 1;
  case FIRE_COND_BR:
  case FIRE_INVARIANT:
  case FIRE_CARRY:
  case FIRE_MUX: return e->operand == 0;
  default: return dfg_edge_type(s->dfg, edge)->kind == TYPE_NONE;
  }
}

/* The raw condition of a stream that drives an edge: it is the edge's value, or the condition of
 * the node that gives it; DFG_NONE: there is none. */
static u32 raw_condition(const Sim *s, u32 edge) {
  const Dfg *dfg = s->dfg;
  for (u32 tries = 0; tries < 2; tries++) {
    const DfgNode *from = &dfg->nodes[dfg_from(dfg, edge)];
    u32 result = dfg->edges[edge].result;
    if (from->fire == FIRE_STREAM && result == from->first_result + 1) return result;
    if (from->fire != FIRE_INVARIANT && from->fire != FIRE_CARRY && from->fire != FIRE_COND_BR)
      return DFG_NONE;
    edge = dfg->operands[from->first_operand];
  }
  return DFG_NONE;
}

typedef struct {
  Sim *s;
  u32 problems;
  bool one_too_many; /* a control operand had one token more than the body takes */
  u32 raw;           /* the raw condition that drives it; DFG_NONE: unknown */
} Leftovers;

/* Reports the first as the error, the others as its notes. */
static void leftover(Leftovers *l, Loc loc, const char *text) {
  if (l->problems++ == 0)
    diag(l->s->ctx, loc, RT_DFG_LEFTOVER, "@%s finished, but %s",
         dfg_text(l->s->dfg, l->s->dfg->name), text);
  else if (l->problems <= MAX_NOTES)
    diag_note(l->s->ctx, loc, "and %s", text);
}

static void leftover_tokens(Leftovers *l, const Input *in) {
  Sim *s = l->s;
  u64 n = token_waiting(in);
  Buf text = {0};
  buf_printf(&text, "%llu token%s left on ", (unsigned long long)n, n == 1 ? " is" : "s are");
  put_operand(s, in->edge, "", &text);
  buf_str(&text, " of ");
  put_node(s, s->dfg->edges[in->edge].to, &text);
  leftover(l, s->dfg->nodes[s->dfg->edges[in->edge].to].loc, text.data);
  buf_free(&text);
  if (!is_control_operand(s, in->edge)) return;
  u32 raw = raw_condition(s, in->edge);
  /* one is left for each run of the loop */
  l->one_too_many = l->one_too_many || n == 1 || raw != DFG_NONE;
  if (l->raw == DFG_NONE) l->raw = raw;
}

static bool report_leftovers(Sim *s) {
  Leftovers l = {.s = s, .raw = DFG_NONE};
  Buf text = {0};
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    for (u32 k = 0; k < u->nin; k++)
      if (!token_is_endless(u->in[k].queue) && token_waiting(&u->in[k]))
        leftover_tokens(&l, &u->in[k]);
  }
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    u32 next = 0;
    const Input *in = next_need(u, &next);
    if (u->phase == 0 || !in) continue;
    text.len = 0;
    put_node(s, u->node, &text);
    buf_str(&text, " stopped within a burst: it waits for ");
    put_operand(s, in->edge, "its ", &text);
    leftover(&l, s->dfg->nodes[u->node].loc, text.data);
  }
  for (u32 i = 0; i < s->nunits; i++) {
    const Unit *u = &s->units[i];
    if (u->action != DO_RETURN || !s->owes || u->fired <= 1) continue;
    text.len = 0;
    buf_printf(&text, "its result %s came %llu times",
               dfg_text(s->dfg, s->dfg->outputs[u->output].name), (unsigned long long)u->fired);
    leftover(&l, s->dfg->nodes[u->node].loc, text.data);
  }
  buf_free(&text);
  if (l.problems > MAX_NOTES)
    diag_note(s->ctx, LOC_NONE, "... and %u more", l.problems - MAX_NOTES);
  if (l.one_too_many && l.raw != DFG_NONE)
    diag_hint(s->ctx,
              "one control token too many: %%%s is the loop's raw condition, with one token more "
              "than iterations; use the gated condition (after_cond) in the body",
              dfg_text(s->dfg, s->dfg->results[l.raw].name));
  else if (l.one_too_many)
    diag_hint(s->ctx, "one control token too many: in the body of a loop, use the gated condition "
                      "(after_cond), not the raw one (raw_will_continue)");
  return l.problems != 0;
}

RunStatus token_judge(Sim *s) {
  for (u32 i = 0; i < s->nunits; i++)
    if (s->owes && s->units[i].action == DO_RETURN && s->units[i].fired == 0) {
      report_deadlock(s);
      return RUN_DEADLOCK;
    }
  return report_leftovers(s) ? RUN_LEFTOVER : RUN_FINISHED;
}

/* step.c -- the reference simulator, cycle by cycle.
 *
 * A cycle is four sweeps over the tables:
 *
 *     settle   registered outputs offer what they hold; then, in the order of Machine.settles,
 *              arbiters choose and units of latency 0 offer the results of their operands
 *     deliver  every input that is offered a token and had room for it takes it; the token of a net
 *              whose inputs all have it is handed on
 *     advance  units whose tokens were handed on advance their state, and fire if they can
 *     latch    a token that was taken and not used at once goes into the latch, or into the shared
 *              buffer behind it
 *
 * `settle` and `deliver` read only the state at the start of the cycle, and whether a buffer of one
 * place gives its token away, which settles from the end of a route to its start. So the order in
 * which units advance does not matter. The one exception is memory: loads of a cycle read before
 * its stores write, and stores write in the order of their units.
 *
 * Each cycle costs time linear in the tables, and for each arbiter in the branches of its nets.
 */
#include "machine/step_state.h"

/* ---- settle ---------------------------------------------------------------------------------- */

static void offer(Run *r, const MachineUnit *u, const Stage *stage) {
  for (u32 o = 0; o < u->noutputs; o++) {
    if (!stage->valid || !((stage->emitted & ~stage->gone) >> o & 1)) continue;
    r->valid[u->first_output + o] = true;
    r->value[u->first_output + o] = stage->values[o];
  }
}

/* A load offers its oldest element from its due cycle on. `done` is offered from the cycle after
 * the request. */
static void offer_answer(Run *r, const MachineUnit *u, UnitState *s) {
  s->outstanding = s->count;
  s->due = 0;
  for (u32 o = 0; o < u->noutputs; o++) {
    u32 waiting = s->count - s->handed[o];
    const Answer *next = &s->answers[(s->head + s->handed[o]) % u->places];
    bool is_data = u->kind == UNIT_LOAD && o == 0;
    bool has_answer = waiting && (!is_data || next->due <= r->cycle);
    if (waiting > has_answer) s->due |= (u32)1 << o;
    if (!has_answer) continue;
    r->valid[u->first_output + o] = true;
    r->value[u->first_output + o] = is_data ? next->value : 0;
  }
}

static void offer_registers(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  switch ((MachineUnitKind)u->kind) {
  case UNIT_INPUT: {
    const MachineTokens *given = r->job->given ? &r->job->given[unit] : NULL;
    if (!given || s->given == given->len) return;
    r->valid[u->first_output] = true;
    r->value[u->first_output] = given->at[s->given];
    return;
  }
  case UNIT_FIFO:
    if (!s->count) return;
    r->valid[u->first_output] = true;
    r->value[u->first_output] = s->queue[s->head];
    return;
  case UNIT_OUTPUT:
  case UNIT_DRAIN: return;
  case UNIT_LOAD:
  case UNIT_STORE: offer_answer(r, u, s); return;
  default:
    if (s->nstages) offer(r, u, offered_stage(u, s));
    return;
  }
}

/* A unit of latency 0 offers its results as soon as it has its operands. stages[0] is not a
 * register here; it records which results were handed on in earlier cycles. */
static void settle_unit(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  Stage *now = s->stages[0];
  u64 needed;
  s->fires = !is_recovering(r, unit) && run_operands_ready(r, unit, &needed);
  if (!s->fires) return;
  now->emitted = run_compute(r, unit, now->values);
  for (u32 o = 0; o < u->noutputs; o++) {
    if (!((now->emitted & ~now->gone) >> o & 1)) continue;
    r->valid[u->first_output + o] = true;
    r->value[u->first_output + o] = now->values[o];
  }
}

/* The token of a buffer of one place leaves if all inputs behind it have it, or take it in this
 * cycle. */
static void settle_buffer(Run *r, u32 unit) {
  const MachineOutput *out = &r->m->outputs[r->m->units[unit].first_output];
  bool leaves = r->units[unit].count > 0;
  for (u32 b = 0; b < out->nbranches; b++) {
    u32 input = r->m->branches[out->first_branch + b];
    leaves = leaves && (r->done[input] || arrives(r, input));
  }
  r->units[unit].leaves = leaves;
}

/* A net requests a channel when some input behind it still lacks the token and has room for it, and
 * the arbiters before it on the route have granted it. Without the latter, two nets through the
 * same two channels could, in turn and for ever, each be granted the one that the other needs. */
static bool requests(const Run *r, u32 arbiter, u32 member) {
  u32 output = r->m->members[r->m->arbiters[arbiter].first_member + member];
  const MachineOutput *out = &r->m->outputs[output];
  if (!r->valid[output]) return false;
  for (u32 b = 0; b < out->nbranches; b++) {
    u32 input = r->m->branches[out->first_branch + b];
    const MachineInput *in = &r->m->inputs[input];
    if (r->done[input] || !has_place(r, input)) continue;
    for (u32 k = 0; k < in->narbiters; k++) {
      u32 passed = r->m->passes[in->first_arbiter + k];
      u32 passed_as = r->m->passed_as[in->first_arbiter + k];
      if (passed == arbiter && passed_as == member) return true;
      if (r->granted[passed] != passed_as) break;
    }
  }
  return false;
}

static void settle_arbiter(Run *r, u32 arbiter) {
  const MachineArbiter *a = &r->m->arbiters[arbiter];
  r->granted[arbiter] = MACHINE_NONE;
  for (u32 k = 0; k < a->nmembers; k++) {
    u32 member = (r->pointer[arbiter] + k) % a->nmembers;
    if (!requests(r, arbiter, member)) continue;
    r->granted[arbiter] = member;
    r->pointer[arbiter] = (member + 1) % a->nmembers;
    return;
  }
}

static void settle(Run *r) {
  const Machine *m = r->m;
  memset(r->valid, 0, m->noutputs * sizeof *r->valid);
  for (u32 u = 0; u < m->nunits; u++) offer_registers(r, u);
  for (u32 k = 0; k < m->nsettles; k++) {
    if (m->settles[k].is_arbiter)
      settle_arbiter(r, m->settles[k].id);
    else if (m->units[m->settles[k].id].is_forward)
      settle_buffer(r, m->settles[k].id);
    else
      settle_unit(r, m->settles[k].id);
  }
}

/* ---- deliver --------------------------------------------------------------------------------- */

static void deliver(Run *r) {
  const Machine *m = r->m;
  for (u32 i = 0; i < m->ninputs; i++) {
    r->used[i] = false;
    r->taken[i] = arrives(r, i);
    if (!r->taken[i]) continue;
    r->arriving[i] = machine_carry(m, &m->inputs[i], r->value[m->inputs[i].output]);
    r->result->transfers[i]++;
    r->moved = true;
    const MachineObserver *observer = r->job->observer;
    if (observer) observer->transfer(observer->user, r->cycle, i, r->arriving[i]);
  }
  for (u32 o = 0; o < m->noutputs; o++) {
    const MachineOutput *out = &m->outputs[o];
    r->handed[o] = r->valid[o];
    for (u32 b = 0; b < out->nbranches; b++) {
      u32 i = m->branches[out->first_branch + b];
      if (!r->done[i] && !r->taken[i]) r->handed[o] = false;
    }
    for (u32 b = 0; b < out->nbranches; b++) {
      u32 i = m->branches[out->first_branch + b];
      r->done[i] = !r->handed[o] && (r->done[i] || r->taken[i]);
    }
    if (r->handed[o]) r->moved = true;
  }
}

/* Advances the instructions of a temporal PE, round robin: first the one after the last that
 * fired. */
static void advance_issue_group(Run *r, u32 group) {
  const IssueGroup *t = &r->m->issue_groups[group];
  u32 first = r->first_in_line[group];
  r->group_has_fired[group] = false;
  for (u32 k = 0; k < t->nunits; k++)
    run_advance(r, t->first_unit + (first - t->first_unit + k) % t->nunits);
}

/* Moves the next token of a shared buffer into the latch, if that is empty. */
static void move_up(Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  Behind *b = &r->behind[input];
  if (r->full[input] || !b->count) return;
  r->full[input] = true;
  r->latch[input] = b->tokens[b->head];
  b->head = (b->head + 1) % r->m->pools[in->pool].places;
  b->count--;
  r->pool_free[in->pool]++;
}

static void put_behind(Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  Behind *b = &r->behind[input];
  b->tokens[(b->head + b->count++) % r->m->pools[in->pool].places] = r->arriving[input];
  r->pool_free[in->pool]--;
}

static void latch_input(Run *r, u32 input) {
  move_up(r, input);
  if (!r->taken[input] || r->used[input]) return;
  if (r->full[input]) {
    put_behind(r, input);
    return;
  }
  r->full[input] = true;
  r->latch[input] = r->arriving[input];
}

static void advance_memories(Run *r, MachineUnitKind kind) {
  const Machine *m = r->m;
  for (u32 c = 0; c < m->nchannels; c++)
    if (m->units[m->channels[c].first_unit].kind == kind) run_advance_channel(r, c);
}

static void step(Run *r) {
  const Machine *m = r->m;
  r->is_delivered = false;
  settle(r);
  deliver(r);
  r->is_delivered = true;
  for (u32 u = 0; u < m->nunits; u++)
    if (m->units[u].channel == MACHINE_NONE && m->units[u].issue_group == MACHINE_NONE)
      run_advance(r, u);
  for (u32 t = 0; t < m->nissue_groups; t++) advance_issue_group(r, t);
  advance_memories(r, UNIT_LOAD);
  advance_memories(r, UNIT_STORE);
  for (u32 i = 0; i < m->ninputs; i++) latch_input(r, i);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static Run *run_new(const Machine *m, const MachineJob *job, MachineResult *result) {
  Arena *arena = arena_new();
  Run *r = NEW(arena, Run);
  *r = (Run){.m = m, .job = job, .result = result, .arena = arena};
  r->units = NEW_ARRAY(arena, UnitState, m->nunits);
  r->full = NEW_ARRAY(arena, bool, m->ninputs);
  r->done = NEW_ARRAY(arena, bool, m->ninputs);
  r->taken = NEW_ARRAY(arena, bool, m->ninputs);
  r->used = NEW_ARRAY(arena, bool, m->ninputs);
  r->latch = NEW_ARRAY(arena, u64, m->ninputs);
  r->behind = NEW_ARRAY(arena, Behind, m->ninputs);
  r->pool_free = NEW_ARRAY(arena, u32, m->npools);
  for (u32 i = 0; i < m->ninputs; i++)
    if (m->inputs[i].pool != MACHINE_NONE)
      r->behind[i].tokens = NEW_ARRAY(arena, u64, m->pools[m->inputs[i].pool].places);
  for (u32 p = 0; p < m->npools; p++) r->pool_free[p] = m->pools[p].places;
  r->arriving = NEW_ARRAY(arena, u64, m->ninputs);
  r->valid = NEW_ARRAY(arena, bool, m->noutputs);
  r->handed = NEW_ARRAY(arena, bool, m->noutputs);
  r->value = NEW_ARRAY(arena, u64, m->noutputs);
  r->granted = NEW_ARRAY(arena, u32, m->narbiters);
  r->pointer = NEW_ARRAY(arena, u32, m->narbiters);
  r->first_in_line = NEW_ARRAY(arena, u32, m->nissue_groups);
  r->group_has_fired = NEW_ARRAY(arena, bool, m->nissue_groups);
  for (u32 t = 0; t < m->nissue_groups; t++) r->first_in_line[t] = m->issue_groups[t].first_unit;
  r->channels = NEW_ARRAY(arena, ChannelState, m->nchannels);
  for (u32 c = 0; c < m->nchannels; c++)
    for (u32 bank = 0; bank < m->channels[c].nbanks; bank++) {
      r->channels[c].first[bank] = m->channels[c].first_unit;
      r->channels[c].held[bank] = MACHINE_NONE;
    }
  r->asked = NEW_ARRAY(arena, u64, m->nunits);
  r->stalls = arena_alloc(arena, (m->nunits + (size_t)1) * sizeof *r->stalls);
  u32 most_values = 0;
  for (u32 k = 0; k < m->nunits; k++) {
    const MachineUnit *u = &m->units[k];
    UnitState *s = &r->units[k];
    u32 nvalues = u->ninputs;
    for (u32 i = 0; i < u->nops; i++) nvalues += m->ops[u->first_op + i].nresults;
    if (nvalues > most_values) most_values = nvalues;
    if (u->kind == UNIT_FIFO) s->queue = NEW_ARRAY(arena, u64, u->latency);
    if (u->channel != MACHINE_NONE) s->answers = NEW_ARRAY(arena, Answer, u->places);
    if (u->kind <= UNIT_DRAIN || u->kind == UNIT_FIFO || s->answers) continue;
    s->nstages = u->latency ? u->latency : 1;
    if (machine_is_flow(u)) s->nstages = 1;
    if (takes_turns(u)) s->nstages++;
    s->stages = NEW_ARRAY(arena, Stage *, s->nstages);
    for (u32 i = 0; i < s->nstages; i++)
      s->stages[i] = arena_alloc(arena, sizeof(Stage) + u->noutputs * sizeof(u64));
  }
  r->values = NEW_ARRAY(arena, u64, most_values + EVAL_MAX_RESULTS);
  r->suppressed = NEW_ARRAY(arena, bool, most_values + EVAL_MAX_RESULTS);
  return r;
}

/* Is no token left in the machine or to be given, and no loop begun? */
static bool is_empty(const Run *r) {
  const Machine *m = r->m;
  for (u32 i = 0; i < m->ninputs; i++)
    if (r->full[i] && m->units[m->inputs[i].unit].kind != UNIT_FIFO) return false;
  for (u32 k = 0; k < m->nunits; k++) {
    const UnitState *s = &r->units[k];
    if (s->phase || s->count) return false;
    if (m->units[k].kind == UNIT_INPUT && r->job->given && s->given < r->job->given[k].len)
      return false;
    for (u32 i = 0; i < s->nstages; i++)
      if (s->stages[i]->valid) return false;
  }
  return true;
}

static RunStatus how_it_ended(const Run *r) {
  const Machine *m = r->m;
  for (u32 k = 0; k < m->nunits; k++)
    if (m->units[k].kind == UNIT_OUTPUT && r->job->owed &&
        r->result->taken[k].len < r->job->owed[k])
      return RUN_DEADLOCK;
  return is_empty(r) ? RUN_FINISHED : RUN_LEFTOVER;
}

/* Was a token offered to this input in the last cycle that it could not take? */
static bool still_wanted(const Run *r, u32 input) {
  return is_offered(r, input) && !r->taken[input] && !r->handed[r->m->inputs[input].output];
}

void machine_result_new(const Machine *m, MachineResult *result) {
  Arena *arena = arena_new();
  *result = (MachineResult){.nunits = m->nunits, .arena = arena};
  result->taken = NEW_ARRAY(arena, MachineTokens, m->nunits);
  result->firings = NEW_ARRAY(arena, u64, m->nunits);
  result->stalls = arena_alloc(arena, mem_size(m->nunits, sizeof *result->stalls));
  result->transfers = NEW_ARRAY(arena, u64, m->ninputs);
  result->waiting = NEW_ARRAY(arena, bool, m->ninputs);
  result->last_firing = NEW_ARRAY(arena, u64, m->nunits);
}

/* Adds the stalls of the cycles since the last call. Those after the last cycle in which something
 * moved are never added. */
static void keep_stalls(Run *r) {
  for (u32 u = 0; u < r->m->nunits; u++) {
    for (u32 k = 0; k < STALL_COUNT; k++) {
      r->result->stalls[u][k] += r->stalls[u][k];
      r->stalls[u][k] = 0;
    }
  }
}

void machine_run(const Machine *m, const MachineJob *job, MachineResult *result) {
  machine_result_new(m, result);
  Run *r = run_new(m, job, result);
  /* A net that was not granted moves when its turn comes: after so many quiet cycles none will. */
  u32 patience = 1;
  for (u32 a = 0; a < m->narbiters; a++) patience += m->arbiters[a].nmembers;
  u32 quiet = 0;
  while (quiet < patience && !r->trapped) {
    if (job->max_cycles && r->cycle == job->max_cycles) break;
    r->moved = r->pending = false;
    step(r);
    r->cycle++;
    quiet = r->moved || r->pending ? 0 : quiet + 1;
    if (!r->moved && !r->trapped) continue;
    result->cycles = r->cycle;
    if (job->stalls) keep_stalls(r);
  }
  result->status = r->trapped ? RUN_TRAP : quiet < patience ? RUN_LIMIT : how_it_ended(r);
  for (u32 i = 0; i < m->ninputs; i++) result->waiting[i] = r->full[i] || still_wanted(r, i);
  if (job->snapshot && !r->trapped) result->snapshot = run_snapshot(r);
  arena_free(r->arena);
}

void machine_result_free(MachineResult *result) {
  for (u32 k = 0; k < result->nunits; k++) vec_free(&result->taken[k]);
  arena_free(result->arena);
  *result = (MachineResult){0};
}

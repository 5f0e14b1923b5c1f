/* advance.c -- the second half of a cycle: what each unit does with what it was given and what was
 * taken from it. A section for each kind of unit; the chapter on the machine has their tables.
 */
#include "ir/timing.h"
#include "machine/step_state.h"

/* Stops the run; the first trap counts. */
static void trap(Run *r, u32 unit, MachineTrap code, u64 a, u64 b) {
  if (r->trapped) return;
  r->trapped = true;
  r->result->trap_unit = unit;
  r->result->trap_op = 0;
  r->result->trap = code;
  r->result->trap_a = a;
  r->result->trap_b = b;
}

/* What operation `k` of a unit came to: 8 / 0. */
static void trap_on(Run *r, u32 unit, u32 k, EvalStatus status, const u64 *in) {
  if (r->trapped || (status != EVAL_DIV_ZERO && status != EVAL_OVERFLOW)) return;
  trap(r, unit, status == EVAL_DIV_ZERO ? MACHINE_TRAP_DIVIDE : MACHINE_TRAP_OVERFLOW, in[0],
       in[1]);
  r->result->trap_op = k;
}

/* What makes a selector cannot trap: that is asked when the machine is built. */
bool run_selector(Run *r, u32 unit, u64 *which) {
  const Machine *m = r->m;
  const MachineUnit *u = &m->units[unit];
  u32 n = u->ninputs;
  if (u->choice.loop_end) {
    *which = r->units[unit].phase;
    return true;
  }
  for (u32 i = 0; i < u->choice.ninputs; i++) {
    if (!is_there(r, u->first_input + i)) return false;
    r->values[i] = operand(r, u->first_input + i);
  }
  for (u32 k = 0; k < u->choice.nops; k++) {
    const MachineOp *op = &m->ops[u->first_op + k];
    u64 in[EVAL_MAX_OPERANDS] = {0};
    for (u32 i = 0; i < op->noperands && op->fire == FIRE_PURE; i++)
      in[i] = r->values[m->values[op->first_operand + i]];
    if (op->fire == FIRE_PURE)
      eval_run(&op->eval, in, r->values + n);
    else
      r->values[n] = op->literal;
    n += op->nresults;
  }
  *which = r->values[u->choice.selector];
  return true;
}

u64 run_side(const Run *r, u32 unit, u64 which) {
  const MachineUnit *u = &r->m->units[unit];
  u64 taken = 0;
  for (u32 i = 0; i < u->ninputs; i++) {
    u32 side = r->m->inputs[u->first_input + i].side;
    if (side == MACHINE_NONE || side == which) taken |= (u64)1 << i;
  }
  return taken;
}

bool run_operands_ready(Run *r, u32 unit, u64 *needed) {
  const MachineUnit *u = &r->m->units[unit];
  *needed = eval_mask(u->ninputs);
  if (u->kind == UNIT_MUX) {
    u64 which;
    if (!run_selector(r, unit, &which)) return false;
    if (which >= u->choice.nsides) {
      trap(r, unit, MACHINE_TRAP_SELECT, which, u->choice.nsides);
      return false;
    }
    *needed = run_side(r, unit, which);
  }
  for (u32 i = 0; i < u->ninputs; i++)
    if (*needed >> i & 1 && !is_there(r, u->first_input + i)) return false;
  return true;
}

/* Of a carry with a branch: does it go on? */
static bool loop_goes_on(const Run *r, u32 unit, u64 decision) {
  return (r->m->units[unit].choice.loop_end == LOOP_TAIL && !r->units[unit].phase) || decision & 1;
}

/* ---- what a firing computes ------------------------------------------------------------------ */

u32 run_compute(Run *r, u32 unit, u64 *out) {
  const Machine *m = r->m;
  const MachineUnit *u = &m->units[unit];
  u64 *v = r->values;
  bool *comes_not = r->comes_not;
  u32 n = u->ninputs;
  for (u32 i = 0; i < n; i++)
    v[i] = is_there(r, u->first_input + i) ? operand(r, u->first_input + i) : 0;
  for (u32 k = 0; k < u->nops; k++) {
    const MachineOp *op = &m->ops[u->first_op + k];
    const u32 *from = m->values + op->first_operand;
    u64 in[EVAL_MAX_OPERANDS] = {0};
    switch ((FireClass)op->fire) {
    case FIRE_PURE:
      for (u32 i = 0; i < op->noperands; i++) in[i] = v[from[i]];
      trap_on(r, unit, k, eval_run(&op->eval, in, v + n), in);
      break;
    case FIRE_CONSTANT: v[n] = op->literal; break;
    case FIRE_COND_BR:
      v[n] = v[n + 1] = v[from[1]];
      comes_not[n] = !loop_goes_on(r, unit, v[from[0]]);
      comes_not[n + 1] = !comes_not[n];
      break;
    case FIRE_MUX: v[n] = v[from[1 + v[from[0]]]]; break;
    case FIRE_CARRY:
      v[n] = v[from[1 + r->units[unit].phase]];
      comes_not[n] = comes_not[from[1 + r->units[unit].phase]];
      break;
    case FIRE_JOIN: v[n] = 0; break;
    case FIRE_STORE: /* index, value, control -> value, index */
      v[n] = v[from[1]];
      v[n + 1] = v[from[0]];
      break;
    default: loom_bug("a unit with op %u in the machine", op->kind);
    }
    n += op->nresults;
  }
  u32 emitted = 0;
  for (u32 o = 0; o < u->noutputs; o++) {
    u32 from = m->values[u->first_yield + o];
    out[o] = v[from];
    if (!comes_not[from]) emitted |= (u32)1 << o;
  }
  memset(comes_not, 0, n * sizeof *comes_not);
  return emitted;
}

static void consume_needed(Run *r, const MachineUnit *u, u64 needed) {
  if (u->choice.loop_end) {
    u32 unit = (u32)(u - r->m->units);
    r->units[unit].phase = loop_goes_on(r, unit, operand(r, u->first_input + u->choice.selector));
  }
  for (u32 i = 0; i < u->ninputs; i++)
    if (needed >> i & 1) consume(r, u->first_input + i);
}

/* ---- advance --------------------------------------------------------------------------------- */

/* The outputs that were handed are gone; true where that was the last of them. */
static bool drains(const Run *r, const MachineUnit *u, Stage *stage) {
  for (u32 o = 0; o < u->noutputs; o++)
    if (r->handed[u->first_output + o]) stage->gone |= (u32)1 << o;
  return !(stage->emitted & ~stage->gone);
}

/* ---- why not --------------------------------------------------------------------------------- */

/* All of it looks at what was so when the cycle had settled, so it does not matter which units have
 * advanced already: a unit that did not fire still has the operands that it had. */

static bool is_lane(const MachineUnit *u) {
  return u->kind == UNIT_LOAD || u->kind == UNIT_STORE;
}

/* All places of the lane were taken at the start of the cycle. */
static bool has_no_place(const Run *r, u32 unit) {
  u32 places = r->m->units[unit].places;
  return r->units[unit].outstanding >= places;
}

/* A request that is whole waits for a place, or for the memory to take the one before it; one on the
 * fabric takes requests in every cycle. */
static bool waits_to_ask(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (!has_no_place(r, unit) && r->channels[u->channel].held[0] == MACHINE_NONE) return false;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++)
    if (!is_there(r, i)) return false;
  return true;
}

/* A token is offered to this operand, but on some channel of its route it is another's turn. */
static bool waits_for_channel(const Run *r, const MachineInput *in) {
  for (u32 k = 0; r->valid[in->output] && k < in->narbiters; k++)
    if (r->granted[r->m->passes[in->first_arbiter + k]] != r->m->passed_as[in->first_arbiter + k])
      return true;
  return false;
}

/* Is what this operand waits for in a memory? Units of latency 0 follow one another in no cycle,
 * so this ends. */
static bool memory_owes(const Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  const MachineOutput *out = &r->m->outputs[in->output];
  const MachineUnit *u = &r->m->units[out->unit];
  const UnitState *s = &r->units[out->unit];
  if (is_lane(u))
    return s->due >> out->index & 1 || waits_to_ask(r, out->unit) || waits_for_channel(r, in);
  if (!machine_is_wire(u) || s->fires) return false;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++)
    if (!is_there(r, i) && memory_owes(r, i)) return true;
  return false;
}

/* The first operand, in the order of outputs, that has not taken what this unit offers; of a lane
 * only with `lanes`. MACHINE_NONE: there is none. */
static u32 who_has_no_room(const Run *r, const MachineUnit *u, bool lanes) {
  for (u32 o = u->first_output; o < u->first_output + u->noutputs; o++) {
    const MachineOutput *out = &r->m->outputs[o];
    if (!r->valid[o] || r->handed[o]) continue;
    for (u32 b = 0; b < out->nbranches; b++) {
      u32 input = r->m->branches[out->first_branch + b];
      if (!r->done[input] && (!lanes || is_lane(&r->m->units[r->m->inputs[input].unit])))
        return input;
    }
  }
  return MACHINE_NONE;
}

/* `input`: the operand that is missing, or where there is no room; MACHINE_NONE: it is no operand.
 */
static void stall(Run *r, u32 unit, MachineStall why, u32 input) {
  const MachineObserver *observer = r->job->observer;
  r->stalls[unit][why]++;
  if (observer && observer->stall) observer->stall(observer->user, r->cycle, unit, why, input);
}

/* Where a token of it is wanted by a lane that cannot take it, it waits for the memory. */
static void count_blocked(Run *r, u32 unit) {
  if (!r->job->stalls) return;
  const MachineUnit *u = &r->m->units[unit];
  u32 lane = who_has_no_room(r, u, true);
  if (lane != MACHINE_NONE)
    stall(r, unit, STALL_MEMORY, lane);
  else
    stall(r, unit, STALL_BLOCKED, who_has_no_room(r, u, false));
}

/* Of the operands that are not there, one that the unit cannot do without. */
static u32 missing_operand(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  u64 missing = run_missing(r, unit);
  for (u32 i = 0; i < u->ninputs; i++)
    if (missing >> i & 1) return u->first_input + i;
  return MACHINE_NONE;
}

/* A unit without all of its operands: does it wait for one, or is there nothing to do? */
static void count_starved(Run *r, u32 unit) {
  if (!r->job->stalls) return;
  const MachineUnit *u = &r->m->units[unit];
  bool has_any = false;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++) {
    if (is_there(r, i)) {
      has_any = true;
    } else if (memory_owes(r, i)) {
      stall(r, unit, STALL_MEMORY, i);
      return;
    }
  }
  if (has_any) stall(r, unit, STALL_STARVED, missing_operand(r, unit));
}

/* ---- a firing -------------------------------------------------------------------------------- */

static void count_firing(Run *r, u32 unit) {
  r->result->firings[unit]++;
  r->result->last_firing[unit] = r->cycle + 1;
}

static void fired(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  const MachineObserver *observer = r->job->observer;
  count_firing(r, unit);
  if (observer && observer->firing) observer->firing(observer->user, r->cycle, unit);
  r->moved = true;
  r->units[u->hardware].fired = r->cycle + 1;
  if (u->issue_group == MACHINE_NONE) return;
  r->group_has_fired[u->issue_group] = true;
  r->first_in_line[u->issue_group] = unit + 1;
}

/* Its interval is not over, or another instruction of its PE fired in this cycle. */
static bool is_busy(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (is_recovering(r, unit)) {
    r->pending = true;
  } else if (u->issue_group == MACHINE_NONE || !r->group_has_fired[u->issue_group]) {
    return false;
  } else if (run_missing(r, unit)) { /* it is not the other one that it waits for */
    count_starved(r, unit);
    return true;
  }
  if (r->job->stalls) stall(r, unit, STALL_BUSY, MACHINE_NONE);
  return true;
}

static void advance_combinational(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  if (is_busy(r, unit)) return;
  if (!s->fires) {
    count_starved(r, unit);
    return;
  }
  if (!drains(r, u, s->stages[0])) {
    count_blocked(r, unit);
    return;
  }
  u64 needed = 0;
  run_operands_ready(r, unit, &needed);
  consume_needed(r, u, needed);
  s->stages[0]->gone = 0;
  fired(r, unit);
}

/* A pipeline that fires once in several cycles holds as many firings as begin within its latency.
 */
static bool is_crowded(const MachineUnit *u, const UnitState *s) {
  u32 inside = 0;
  for (u32 k = 0; k < s->nstages; k++) inside += s->stages[k]->valid;
  return inside >= 1 + (s->nstages - 1) / u->interval;
}

/* Moves every stage whose next one is free, the last first; the first stage is free afterwards or
 * false. */
static bool shift(Run *r, const MachineUnit *u, UnitState *s) {
  Stage *last = s->stages[s->nstages - 1];
  if (last->valid && drains(r, u, last)) last->valid = false;
  for (u32 k = s->nstages - 1; k-- > 0;) {
    if (!s->stages[k]->valid || s->stages[k + 1]->valid) continue;
    Stage *empty = s->stages[k + 1];
    s->stages[k + 1] = s->stages[k];
    s->stages[k] = empty;
    r->pending = true;
  }
  return !s->stages[0]->valid;
}

static void enter(Stage *stage, u32 emitted) {
  stage->valid = true;
  stage->emitted = emitted;
  stage->gone = 0;
}

/* The stage that a firing enters: the first, or that from which it is as many to the end as a
 * division takes. */
static u32 entry_stage(const Run *r, const MachineUnit *u, const UnitState *s) {
  if (!u->early_out) return 0; /* of others there may be no operation */
  const u32 *from = r->m->values + r->m->ops[u->first_op].first_operand;
  return s->nstages - early_out_cycles((EarlyOut)u->early_out, u->width,
                                       operand(r, u->first_input + from[0]),
                                       operand(r, u->first_input + from[1]));
}

static void advance_pipeline(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  bool has_room = shift(r, u, s);
  u64 needed;
  if (is_busy(r, unit)) return;
  if (!run_operands_ready(r, unit, &needed)) {
    count_starved(r, unit);
    return;
  }
  if (!has_room || is_crowded(u, s)) {
    count_blocked(r, unit);
    return;
  }
  Stage *entered = s->stages[entry_stage(r, u, s)];
  enter(entered, run_compute(r, unit, entered->values));
  consume_needed(r, u, needed);
  fired(r, unit);
}

/* ---- memories -------------------------------------------------------------------------------- */

/* The request whose answer is what the lane waits for: of a load the oldest of which no element was
 * handed, of a store the oldest. Those behind it cannot overtake it. */
static bool waits_for_answer(const Run *r, const MachineUnit *u, const UnitState *s) {
  u32 answered = u->kind == UNIT_LOAD ? s->handed[0] : 0;
  return answered < s->count && s->answers[(s->head + answered) % u->places].due > r->cycle;
}

/* The place of the oldest request is free when the memory has answered it and all its tokens were
 * handed. As long as it has not, time passes for something. */
static void leave(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  if (!s->count) return;
  bool leaves = s->answers[s->head].due <= r->cycle;
  if (waits_for_answer(r, u, s)) r->pending = true;
  for (u32 o = 0; o < u->noutputs; o++) {
    s->handed[o] += r->handed[u->first_output + o];
    leaves = leaves && s->handed[o];
  }
  if (!leaves) return;
  for (u32 o = 0; o < u->noutputs; o++) s->handed[o]--;
  s->head = (s->head + 1) % u->places;
  s->count--;
  r->pending = true; /* the next request may have waited for the place */
}

/* A request that is whole and has a place. */
static bool can_ask(Run *r, u32 unit) {
  u64 needed;
  return run_operands_ready(r, unit, &needed) && !has_no_place(r, unit);
}

static void count_no_request(Run *r, u32 unit) {
  const UnitState *s = &r->units[unit];
  u64 needed;
  bool none_left = s->count == s->outstanding; /* in this cycle */
  if (!run_operands_ready(r, unit, &needed))
    count_starved(r, unit);
  else if (has_no_place(r, unit) && none_left && s->answers[s->head].due <= r->cycle)
    count_blocked(r, unit);
  else if (r->job->stalls)
    stall(r, unit, STALL_MEMORY, MACHINE_NONE);
}

/* What it asks for is no element of the region. */
static bool asks_outside(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  u64 address = operand(r, u->first_input);
  u64 elements = r->job->stores ? r->job->stores[u->region].elements : 0;
  if (address < elements) return false;
  trap(r, unit, MACHINE_TRAP_BOUNDS, address, elements);
  return true;
}

/* The cycle in which the answer to a request that is taken in this one comes. */
static u64 answer_cycle(Run *r, u32 channel, u32 latency) {
  const MachineAnswers *model = &r->m->answers;
  ChannelState *c = &r->channels[channel];
  if (!model->most || !r->m->channels[channel].is_external) return r->cycle + latency;
  u64 chance = loom_simulator_chance(model->seed, r->m->channels[channel].number, c->requests++);
  u64 due = r->cycle + latency + (chance & 0xffff) % (model->most + (u64)1);
  c->free = r->cycle + 1 + (chance >> 16 & 0xffff) % (model->most + (u64)1);
  c->last = due > c->last ? due : c->last + 1;
  return c->last;
}

static void take_request(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  MachineStore store = r->job->stores[u->region];
  u64 *element = &store.data[operand(r, u->first_input)];
  Answer *answer = &s->answers[(s->head + s->count++) % u->places];
  if (u->kind == UNIT_STORE)
    *element = operand(r, u->first_input + 1) & eval_mask(r->m->regions[u->region].elem_bits);
  answer->value = u->kind == UNIT_LOAD ? *element : 0;
  answer->due = answer_cycle(r, u->channel, u->latency);
  consume_needed(r, u, eval_mask(u->ninputs));
  fired(r, unit);
}

/* A request that is whole, has a place, and is for a word of this bank. */
static bool can_ask_bank(Run *r, const MachineChannel *c, u32 unit, u32 bank) {
  const MachineUnit *u = &r->m->units[unit];
  if (!can_ask(r, unit)) return false;
  return machine_bank(c, &r->m->regions[u->region], operand(r, u->first_input)) == bank;
}

/* The lane whose request the bank takes in this cycle, or MACHINE_NONE. A request that stands stays,
 * until the memory takes it. */
static u32 choose_request(Run *r, u32 channel, u32 bank) {
  const MachineChannel *c = &r->m->channels[channel];
  ChannelState *s = &r->channels[channel];
  u32 *held = &s->held[bank];
  for (u32 k = 0; *held == MACHINE_NONE && k < c->nunits; k++) {
    u32 unit = c->first_unit + (s->first[bank] - c->first_unit + k) % c->nunits;
    if (can_ask_bank(r, c, unit, bank)) *held = unit;
  }
  if (*held == MACHINE_NONE) return MACHINE_NONE;
  if (!asks_outside(r, *held) && s->free <= r->cycle) return *held;
  r->pending = true;
  return MACHINE_NONE;
}

/* All banks choose before one of them takes what it chose; no lane asks two of them. */
void run_advance_channel(Run *r, u32 channel) {
  const MachineChannel *c = &r->m->channels[channel];
  ChannelState *s = &r->channels[channel];
  u32 taken[FABRIC_MAX_BANKS];
  for (u32 k = 0; k < c->nunits; k++) leave(r, c->first_unit + k);
  for (u32 bank = 0; bank < c->nbanks; bank++) taken[bank] = choose_request(r, channel, bank);
  for (u32 unit = c->first_unit; unit < c->first_unit + c->nunits; unit++) {
    bool is_taken = false;
    for (u32 bank = 0; bank < c->nbanks; bank++) is_taken |= taken[bank] == unit;
    if (!is_taken) count_no_request(r, unit);
  }
  for (u32 bank = 0; bank < c->nbanks; bank++) {
    if (taken[bank] == MACHINE_NONE) continue;
    take_request(r, taken[bank]);
    s->first[bank] = taken[bank] + 1;
    s->held[bank] = MACHINE_NONE;
  }
}

/* ---- the dataflow machines: one step an interval --------------------------------------------- */

/* Frees the registers that were handed; true where those of `wanted` are free now. */
static bool registers_free(Run *r, const MachineUnit *u, Stage *out, u32 wanted) {
  if (out->valid && drains(r, u, out)) out->valid = false;
  return !out->valid || !(out->emitted & ~out->gone & wanted);
}

static void write_register(Stage *out, u32 o, u64 value) {
  if (!out->valid) enter(out, 0);
  out->emitted |= (u32)1 << o;
  out->gone &= ~((u32)1 << o);
  out->values[o] = value;
}

static bool goes_on(const MachineUnit *u, u64 value, u64 bound) {
  return stream_test((DfgContCond)u->cont_cond, u->width, value, bound);
}

/* The bit that decides what a machine does; -1 where it is not there yet. */
static int decided(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  const UnitState *s = &r->units[unit];
  u32 decider = loom_deciders[machine_flow(u)][s->phase], in = u->first_input;
  if (decider == LOOM_NO_DECIDER) return 0;
  if (decider != LOOM_TEST)
    return is_there(r, in + decider) ? (int)(operand(r, in + decider) & 1) : -1;
  if (s->phase) return goes_on(u, s->next, s->bound);
  bool known = is_there(r, in) && is_there(r, in + 2);
  return known ? (int)goes_on(u, operand(r, in), operand(r, in + 2)) : -1;
}

u64 run_machine_wants(const Run *r, u32 unit) {
  return loom_wanted(machine_flow(&r->m->units[unit]), r->units[unit].phase, decided(r, unit));
}

/* A machine that begins a burst keeps what it works on: a stream all its operands, an invariant the
 * value. */
static void keep_operands(Run *r, const MachineUnit *u, UnitState *s) {
  if (s->phase) return;
  s->next = operand(r, u->first_input + (u->kind != UNIT_STREAM));
  if (u->kind != UNIT_STREAM) return;
  s->step = operand(r, u->first_input + 1);
  s->bound = operand(r, u->first_input + 2);
}

/* The next value of a stream whose value passed the test. */
static void step_value(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  u64 value = s->next;
  EvalStatus status = EVAL_DIV_ZERO;
  if (s->step) status = stream_step((DfgStepOp)u->step_op, u->width, value, s->step, &s->next);
  if (status == EVAL_DIV_ZERO)
    trap(r, unit, MACHINE_TRAP_STEP, value, s->step ? s->step : s->bound);
  if (status == EVAL_OVERFLOW) trap(r, unit, MACHINE_TRAP_OVERFLOW, value, s->step);
}

/* One step by the rules of loom_firing.h: false after it was counted why not. */
static bool step_machine(Run *r, u32 unit, Stage *out) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  int bit = decided(r, unit);
  const struct loom_rule *rule = loom_rule(machine_flow(u), s->phase, bit > 0);
  u32 writes = (rule->gives[0] ? 1u : 0) | (rule->gives[1] ? 2u : 0);
  bool has_room = registers_free(r, u, out, writes);
  unsigned wants = loom_wanted(machine_flow(u), s->phase, bit);
  for (u32 i = 0; i < u->ninputs; i++) {
    if (!(wants >> i & 1) || is_there(r, u->first_input + i)) continue;
    count_starved(r, unit);
    return false;
  }
  if (!has_room) {
    count_blocked(r, unit);
    return false;
  }
  keep_operands(r, u, s);
  for (u32 o = 0; o < 2; o++) {
    enum loom_given what = rule->gives[o];
    if (what == LOOM_NO) continue;
    write_register(out, o,
                   what == LOOM_BIT    ? (u64)bit
                   : what == LOOM_KEPT ? s->next
                                       : operand(r, u->first_input + what - LOOM_OP0));
  }
  consume_needed(r, u, rule->takes);
  s->phase = rule->next;
  if (u->kind == UNIT_STREAM && s->phase) step_value(r, unit);
  return true;
}

static void advance_machine(Run *r, u32 unit) {
  Stage *out = r->units[unit].stages[0];
  if (is_busy(r, unit))
    registers_free(r, &r->m->units[unit], out, 0);
  else if (step_machine(r, unit, out))
    fired(r, unit);
}

/* ---- ports and fifos ------------------------------------------------------------------------- */

static void advance_port(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  if (u->kind == UNIT_INPUT) {
    if (!r->handed[u->first_output]) {
      if (r->valid[u->first_output]) count_blocked(r, unit);
      return;
    }
    s->given++;
    count_firing(r, unit);
  } else if (r->taken[u->first_input]) {
    if (u->kind == UNIT_OUTPUT) vec_push(&r->result->taken[unit], r->arriving[u->first_input]);
    r->used[u->first_input] = true;
    count_firing(r, unit);
  }
}

/* `latency` is the depth. Full at the start of a cycle it takes nothing in it, but for a buffer of
 * one place whose token leaves. */
static void advance_fifo(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  if (r->handed[u->first_output]) {
    s->head = (s->head + 1) % u->latency;
    s->count--;
    count_firing(r, unit);
  } else if (s->count) {
    count_blocked(r, unit);
  }
  if (r->taken[u->first_input]) {
    s->queue[(s->head + s->count) % u->latency] = r->arriving[u->first_input];
    s->count++;
    r->used[u->first_input] = true;
  }
  r->full[u->first_input] = s->count == u->latency;
}

void run_advance(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  switch ((MachineUnitKind)u->kind) {
  case UNIT_INPUT:
  case UNIT_OUTPUT:
  case UNIT_DRAIN: advance_port(r, unit); break;
  case UNIT_FIFO: advance_fifo(r, unit); break;
  case UNIT_FIRE:
  case UNIT_MUX:
    if (u->latency)
      advance_pipeline(r, unit);
    else
      advance_combinational(r, unit);
    break;
  case UNIT_STREAM:
  case UNIT_GATE:
  case UNIT_CARRY:
  case UNIT_INVARIANT: advance_machine(r, unit); break;
  case UNIT_LOAD:
  case UNIT_STORE: break; /* run_advance_channel */
  }
}

/* advance.c -- the second half of a cycle of the reference simulator: after tokens were delivered,
 * each unit advances its pipeline, fires if it can, and else counts why it did not. There is a
 * section for each kind of unit; spec-tests/58-machine.md has worked examples with cycle tables.
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

/* Traps if operation `k` of the unit failed with this status, as in 8 / 0. */
static void trap_if_failed(Run *r, u32 unit, u32 k, EvalStatus status, const u64 *in) {
  if (r->trapped || (status != EVAL_DIV_ZERO && status != EVAL_OVERFLOW)) return;
  trap(r, unit, status == EVAL_DIV_ZERO ? MACHINE_TRAP_DIVIDE : MACHINE_TRAP_OVERFLOW, in[0],
       in[1]);
  r->result->trap_op = k;
}

/* No traps here: verify/fabric_groups.c refuses operations that may trap before a mux. */
bool run_selector(Run *r, u32 unit, u64 *side) {
  const Machine *m = r->m;
  const MachineUnit *u = &m->units[unit];
  u32 n = u->ninputs;
  if (u->choice.loop_end) {
    *side = r->units[unit].phase;
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
  *side = r->values[u->choice.selector];
  return true;
}

u64 run_side_inputs(const Run *r, u32 unit, u64 selected) {
  const MachineUnit *u = &r->m->units[unit];
  u64 taken = 0;
  for (u32 i = 0; i < u->ninputs; i++) {
    u32 side = r->m->inputs[u->first_input + i].side;
    if (side == MACHINE_NONE || side == selected) taken |= (u64)1 << i;
  }
  return taken;
}

bool run_operands_ready(Run *r, u32 unit, u64 *needed) {
  const MachineUnit *u = &r->m->units[unit];
  *needed = eval_mask(u->ninputs);
  if (u->kind == UNIT_MUX) {
    u64 side;
    if (!run_selector(r, unit, &side)) return false;
    if (side >= u->choice.nsides) {
      trap(r, unit, MACHINE_TRAP_SELECT, side, u->choice.nsides);
      return false;
    }
    *needed = run_side_inputs(r, unit, side);
  }
  for (u32 i = 0; i < u->ninputs; i++)
    if (*needed >> i & 1 && !is_there(r, u->first_input + i)) return false;
  return true;
}

/* Does a loop end (AdgLoopEnd) continue with another iteration? A LOOP_TAIL that is outside the
 * loop enters it. */
static bool loop_continues(const Run *r, u32 unit, u64 decision) {
  return (r->m->units[unit].choice.loop_end == LOOP_TAIL && !r->units[unit].phase) || decision & 1;
}

/* ---- what a firing computes ------------------------------------------------------------------ */

u32 run_compute(Run *r, u32 unit, u64 *out) {
  const Machine *m = r->m;
  const MachineUnit *u = &m->units[unit];
  u64 *v = r->values;
  bool *suppressed = r->suppressed;
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
      trap_if_failed(r, unit, k, eval_run(&op->eval, in, v + n), in);
      break;
    case FIRE_CONSTANT: v[n] = op->literal; break;
    case FIRE_COND_BR:
      v[n] = v[n + 1] = v[from[1]];
      suppressed[n] = !loop_continues(r, unit, v[from[0]]);
      suppressed[n + 1] = !suppressed[n];
      break;
    case FIRE_MUX: v[n] = v[from[1 + v[from[0]]]]; break;
    case FIRE_CARRY:
      v[n] = v[from[1 + r->units[unit].phase]];
      suppressed[n] = suppressed[from[1 + r->units[unit].phase]];
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
    if (!suppressed[from]) emitted |= (u32)1 << o;
  }
  memset(suppressed, 0, n * sizeof *suppressed);
  return emitted;
}

static void consume_needed(Run *r, const MachineUnit *u, u64 needed) {
  if (u->choice.loop_end) {
    u32 unit = (u32)(u - r->m->units);
    r->units[unit].phase = loop_continues(r, unit, operand(r, u->first_input + u->choice.selector));
  }
  for (u32 i = 0; i < u->ninputs; i++)
    if (needed >> i & 1) consume(r, u->first_input + i);
}

/* Marks the tokens that were handed on in this cycle as gone; returns whether none is left in the
 * stage. */
static bool note_handed(const Run *r, const MachineUnit *u, Stage *stage) {
  for (u32 o = 0; o < u->noutputs; o++)
    if (r->handed[u->first_output + o]) stage->gone |= (u32)1 << o;
  return !(stage->emitted & ~stage->gone);
}

/* ---- stalls: why a unit did not fire --------------------------------------------------------- */

/* These functions read the state in which the cycle settled. A unit that did not fire still has its
 * operands, so it does not matter which units have advanced already. The exception is channels,
 * which advance last, loads before stores: when the stall of a lane depends on a lane of an earlier
 * channel, that channel may have taken the request already, which changes ChannelState.held and the
 * operands of that lane. */

static bool is_lane(const MachineUnit *u) {
  return u->kind == UNIT_LOAD || u->kind == UNIT_STORE;
}

/* Were all places of the lane in use at the start of the cycle? */
static bool has_no_place(const Run *r, u32 unit) {
  u32 places = r->m->units[unit].places;
  return r->units[unit].outstanding >= places;
}

/* Does the lane have a complete request that waits for a place, or for the memory to take the
 * request before it? Bank 0 is enough: only external memories hold requests over a cycle, and they
 * have one bank. */
static bool request_waits(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (!has_no_place(r, unit) && r->channels[u->channel].held[0] == MACHINE_NONE) return false;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++)
    if (!is_there(r, i)) return false;
  return true;
}

/* Is a token offered to this operand, but an arbiter on its route granted another net? */
static bool waits_for_arbiter(const Run *r, const MachineInput *in) {
  for (u32 k = 0; r->valid[in->output] && k < in->narbiters; k++)
    if (r->granted[r->m->passes[in->first_arbiter + k]] != r->m->passed_as[in->first_arbiter + k])
      return true;
  return false;
}

/* Does the operand wait for a memory, directly or through combinational units? Each of those is
 * asked once a question: paths to a unit may be exponentially many. The recursion ends because
 * combinational loops are errors (config/configured_loops.c). */
static bool waits_for_memory(Run *r, u32 input) {
  const MachineInput *in = &r->m->inputs[input];
  const MachineOutput *out = &r->m->outputs[in->output];
  const MachineUnit *u = &r->m->units[out->unit];
  const UnitState *s = &r->units[out->unit];
  if (is_lane(u))
    return s->due >> out->index & 1 || request_waits(r, out->unit) || waits_for_arbiter(r, in);
  if (!machine_is_wire(u) || s->fires || r->asked[out->unit] == r->questions) return false;
  r->asked[out->unit] = r->questions;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++)
    if (!is_there(r, i) && waits_for_memory(r, i)) return true;
  return false;
}

/* The first operand, in the order of outputs, that has not taken a token that this unit offers;
 * with `only_lanes` the first that belongs to a lane. MACHINE_NONE: there is none. */
static u32 blocking_operand(const Run *r, const MachineUnit *u, bool only_lanes) {
  for (u32 o = u->first_output; o < u->first_output + u->noutputs; o++) {
    const MachineOutput *out = &r->m->outputs[o];
    if (!r->valid[o] || r->handed[o]) continue;
    for (u32 b = 0; b < out->nbranches; b++) {
      u32 input = r->m->branches[out->first_branch + b];
      if (!r->done[input] && (!only_lanes || is_lane(&r->m->units[r->m->inputs[input].unit])))
        return input;
    }
  }
  return MACHINE_NONE;
}

/* Counts a stall. `input`: the operand that is missing, or that blocks the unit; MACHINE_NONE:
 * none. */
static void stall(Run *r, u32 unit, MachineStall why, u32 input) {
  const MachineObserver *observer = r->job->observer;
  r->stalls[unit][why]++;
  if (observer && observer->stall) observer->stall(observer->user, r->cycle, unit, why, input);
}

/* Counts a stall of a unit whose token is not taken: where a lane does not take it, a memory stall.
 */
static void count_blocked(Run *r, u32 unit) {
  if (!r->job->stalls) return;
  const MachineUnit *u = &r->m->units[unit];
  u32 lane = blocking_operand(r, u, true);
  if (lane != MACHINE_NONE)
    stall(r, unit, STALL_MEMORY, lane);
  else
    stall(r, unit, STALL_BLOCKED, blocking_operand(r, u, false));
}

/* The first missing operand that the unit needs in order to fire. */
static u32 missing_operand(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  u64 missing = run_missing(r, unit);
  for (u32 i = 0; i < u->ninputs; i++)
    if (missing >> i & 1) return u->first_input + i;
  return MACHINE_NONE;
}

/* Counts a stall of a unit that lacks operands. One that has none, and waits for none from a
 * memory, is idle: no stall. */
static void count_starved(Run *r, u32 unit) {
  if (!r->job->stalls) return;
  const MachineUnit *u = &r->m->units[unit];
  bool has_any = false;
  r->questions++;
  for (u32 i = u->first_input; i < u->first_input + u->ninputs; i++) {
    if (is_there(r, i)) {
      has_any = true;
    } else if (waits_for_memory(r, i)) {
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

static void note_firing(Run *r, u32 unit) {
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

/* Is the unit within its interval, or has another instruction of its PE fired in this cycle? Then
 * it counts the stall. */
static bool is_busy(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  if (is_recovering(r, unit)) {
    r->pending = true;
  } else if (u->issue_group == MACHINE_NONE || !r->group_has_fired[u->issue_group]) {
    return false;
  } else if (run_missing(r, unit)) { /* it could not have fired anyway */
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
  if (!note_handed(r, u, s->stages[0])) {
    count_blocked(r, unit);
    return;
  }
  u64 needed = 0;
  run_operands_ready(r, unit, &needed);
  consume_needed(r, u, needed);
  s->stages[0]->gone = 0;
  note_firing(r, unit);
}

/* A pipeline holds at most as many firings as can begin within its latency; in a temporal PE one
 * more, but those count that are in it at the start of the cycle. */
static u32 most_firings(const MachineUnit *u) {
  return 1 + (u->latency - 1) / u->interval + takes_turns(u);
}

static u32 firings_inside(const UnitState *s) {
  u32 inside = 0;
  for (u32 k = 0; k < s->nstages; k++) inside += s->stages[k]->valid;
  return inside;
}

/* Moves every stage whose next one is free, from the last one backwards; returns whether the first
 * stage is free then. */
static bool shift_stages(Run *r, const MachineUnit *u, UnitState *s) {
  Stage *last = offered_stage(u, s);
  if (last->valid && note_handed(r, u, last)) last->valid = false;
  for (u32 k = s->nstages - 1; k-- > 0;) {
    if (!s->stages[k]->valid || s->stages[k + 1]->valid) continue;
    Stage *empty = s->stages[k + 1];
    s->stages[k + 1] = s->stages[k];
    s->stages[k] = empty;
    r->pending = true;
  }
  return !s->stages[0]->valid;
}

static void fill_stage(Stage *stage, u32 emitted) {
  stage->valid = true;
  stage->emitted = emitted;
  stage->gone = 0;
}

/* The stage that a firing enters: the first, or in a division with early out the one from which the
 * rest of the pipeline takes as many cycles as this division. */
static u32 entry_stage(const Run *r, const MachineUnit *u, const UnitState *s) {
  if (!u->early_out) return 0; /* a unit may have no operation, so ask before m->ops */
  const u32 *from = r->m->values + r->m->ops[u->first_op].first_operand;
  return s->nstages - early_out_cycles((EarlyOut)u->early_out, u->width,
                                       operand(r, u->first_input + from[0]),
                                       operand(r, u->first_input + from[1]));
}

static void advance_pipeline(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  u32 inside = firings_inside(s);
  bool has_room = shift_stages(r, u, s);
  if (!takes_turns(u)) inside = firings_inside(s);
  u64 needed;
  if (is_busy(r, unit)) return;
  if (!run_operands_ready(r, unit, &needed)) {
    count_starved(r, unit);
    return;
  }
  if (!has_room || inside >= most_firings(u)) {
    count_blocked(r, unit);
    return;
  }
  Stage *entered = s->stages[entry_stage(r, u, s)];
  fill_stage(entered, run_compute(r, unit, entered->values));
  consume_needed(r, u, needed);
  note_firing(r, unit);
}

/* ---- memories -------------------------------------------------------------------------------- */

/* Is the lane's next answer still to come? For a load that is the answer to the oldest request
 * whose data was not handed on, for a store to the oldest request. Answers come in order. */
static bool waits_for_answer(const Run *r, const MachineUnit *u, const UnitState *s) {
  u32 answered = u->kind == UNIT_LOAD ? s->handed[0] : 0;
  return answered < s->count && s->answers[(s->head + answered) % u->places].due > r->cycle;
}

/* Frees the place of the oldest request when it is answered and all its tokens were handed on. Sets
 * r->pending while an answer is to come: the run is not deadlocked. */
static void retire_request(Run *r, u32 unit) {
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

/* Does the lane have all operands of a request, and a place for it? */
static bool can_request(Run *r, u32 unit) {
  u64 needed;
  return run_operands_ready(r, unit, &needed) && !has_no_place(r, unit);
}

/* Counts the stall of a lane whose request was not taken. It is blocked where its places are in use
 * because tokens of the oldest request are not taken. */
static void count_no_request(Run *r, u32 unit) {
  const UnitState *s = &r->units[unit];
  u64 needed;
  bool none_left = s->count == s->outstanding; /* no place was freed in this cycle */
  if (!run_operands_ready(r, unit, &needed))
    count_starved(r, unit);
  else if (has_no_place(r, unit) && none_left && s->answers[s->head].due <= r->cycle)
    count_blocked(r, unit);
  else if (r->job->stalls)
    stall(r, unit, STALL_MEMORY, MACHINE_NONE);
}

/* Traps if the address is not in the region. */
static bool is_out_of_bounds(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  u64 address = operand(r, u->first_input);
  u64 elements = r->job->stores ? r->job->stores[u->region].elements : 0;
  if (address < elements) return false;
  trap(r, unit, MACHINE_TRAP_BOUNDS, address, elements);
  return true;
}

/* The cycle of the answer to a request that is taken now. For an external memory with random
 * answers (MachineAnswers) it also sets when the channel takes its next request: both are delayed
 * by 0 to `most` cycles, each by 16 bits of one random number. Answers stay in order. */
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
  note_firing(r, unit);
}

/* The same, for a request for a word of this bank. */
static bool can_request_bank(Run *r, const MachineChannel *c, u32 unit, u32 bank) {
  const MachineUnit *u = &r->m->units[unit];
  if (!can_request(r, unit)) return false;
  return machine_bank(c, &r->m->regions[u->region], operand(r, u->first_input)) == bank;
}

/* The lane whose request the bank takes in this cycle, or MACHINE_NONE: round robin, but a request
 * that was chosen is held until the memory takes it. */
static u32 choose_request(Run *r, u32 channel, u32 bank) {
  const MachineChannel *c = &r->m->channels[channel];
  ChannelState *s = &r->channels[channel];
  u32 *held = &s->held[bank];
  for (u32 k = 0; *held == MACHINE_NONE && k < c->nunits; k++) {
    u32 unit = c->first_unit + (s->first[bank] - c->first_unit + k) % c->nunits;
    if (can_request_bank(r, c, unit, bank)) *held = unit;
  }
  if (*held == MACHINE_NONE) return MACHINE_NONE;
  if (!is_out_of_bounds(r, *held) && s->free <= r->cycle) return *held;
  r->pending = true;
  return MACHINE_NONE;
}

/* All banks choose before the first takes its request. A lane's request is for one bank only. */
void run_advance_channel(Run *r, u32 channel) {
  const MachineChannel *c = &r->m->channels[channel];
  ChannelState *s = &r->channels[channel];
  u32 taken[FABRIC_MAX_BANKS];
  for (u32 k = 0; k < c->nunits; k++) retire_request(r, c->first_unit + k);
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

/* ---- dataflow state machines: one step per interval ------------------------------------------ */

/* The output registers that have a token, as bits. */
static u32 occupied(const Stage *out) {
  return out->valid ? out->emitted & ~out->gone : 0;
}

static void write_register(Stage *out, u32 o, u64 value) {
  if (!out->valid) fill_stage(out, 0);
  out->emitted |= (u32)1 << o;
  out->gone &= ~((u32)1 << o);
  out->values[o] = value;
}

/* Frees the output registers whose tokens were handed on; returns whether those in `wanted`, as
 * bits, are free then. In a temporal PE each output has two places (stages[1], and stages[0] behind
 * it), of which one must have been free at the start of the cycle. */
static bool registers_free(Run *r, const MachineUnit *u, UnitState *s, u32 wanted) {
  Stage *out = s->stages[s->nstages - 1], *behind = s->stages[0];
  u32 full = occupied(out) & occupied(behind);
  if (out->valid && note_handed(r, u, out)) out->valid = false;
  if (!takes_turns(u)) return !(occupied(out) & wanted);
  for (u32 o = 0; o < u->noutputs; o++) {
    if (!((occupied(behind) & ~occupied(out)) >> o & 1)) continue;
    write_register(out, o, behind->values[o]);
    behind->gone |= (u32)1 << o;
    if (!occupied(behind)) behind->valid = false;
  }
  return !(full & wanted);
}

/* A result of a dataflow machine: behind the one that waits, if any. */
static void write_result(UnitState *s, u32 o, u64 value) {
  Stage *out = s->stages[s->nstages - 1];
  write_register(occupied(out) >> o & 1 ? s->stages[0] : out, o, value);
}

static bool stream_continues(const MachineUnit *u, u64 value, u64 bound) {
  return stream_test((DfgContCond)u->cont_cond, u->width, value, bound);
}

/* The bit that selects the machine's rule in this phase (loom_firing.h): that of an operand, or of
 * a stream's test. 0 where no bit decides; -1: not known yet. */
static int deciding_bit(const Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  const UnitState *s = &r->units[unit];
  u32 decider = loom_deciders[machine_flow(u)][s->phase], in = u->first_input;
  if (decider == LOOM_NO_DECIDER) return 0;
  if (decider != LOOM_TEST)
    return is_there(r, in + decider) ? (int)(operand(r, in + decider) & 1) : -1;
  if (s->phase) return stream_continues(u, s->next, s->bound);
  bool known = is_there(r, in) && is_there(r, in + 2);
  return known ? (int)stream_continues(u, operand(r, in), operand(r, in + 2)) : -1;
}

u64 run_machine_wants(const Run *r, u32 unit) {
  return loom_wanted(machine_flow(&r->m->units[unit]), r->units[unit].phase, deciding_bit(r, unit));
}

/* At the start of a loop a stream stores its operands, an invariant its value. Carries and gates
 * store a value, too, but never read it. */
static void store_operands(Run *r, const MachineUnit *u, UnitState *s) {
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

/* One step by the rules of loom_firing.h; counts a stall and returns false where none is possible.
 */
static bool step_machine(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  UnitState *s = &r->units[unit];
  int bit = deciding_bit(r, unit);
  const struct loom_rule *rule = loom_rule(machine_flow(u), s->phase, bit > 0);
  u32 writes = (rule->gives[0] ? 1u : 0) | (rule->gives[1] ? 2u : 0);
  bool has_room = registers_free(r, u, s, writes);
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
  store_operands(r, u, s);
  for (u32 o = 0; o < 2; o++) {
    enum loom_given given = rule->gives[o];
    if (given == LOOM_NO) continue;
    write_result(s, o,
                 given == LOOM_BIT    ? (u64)bit
                 : given == LOOM_KEPT ? s->next
                                      : operand(r, u->first_input + given - LOOM_OP0));
  }
  consume_needed(r, u, rule->takes);
  s->phase = rule->next;
  if (u->kind == UNIT_STREAM && s->phase) step_value(r, unit);
  return true;
}

static void advance_machine(Run *r, u32 unit) {
  if (is_busy(r, unit))
    registers_free(r, &r->m->units[unit], &r->units[unit], 0);
  else if (step_machine(r, unit))
    note_firing(r, unit);
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

/* `latency` is the depth. A FIFO that is full at the start of a cycle takes no token in it, except
 * a buffer of one place whose token leaves (has_place). */
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

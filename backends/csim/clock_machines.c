/* clock_machines.c -- emits stream, gate, carry and invariant by the rules of loom_firing.h: one
 * step a cycle, or one an interval for a stream that multiplies or divides.
 *
 *     carry, within a burst      if (s->f[7]) {                          d is there
 *                                  if (s->v[7] & 1) {
 *                                    if (1 && s->f[9] && !s->r[4]) {     b too, and out has room
 *                                      s->q[4] = s->v[9];
 *                                      s->r[4] = 1; ...
 *
 * r[4], q[4]: output 4 is a register: is it full, and its token. In a temporal PE each has a second
 * place, behind_r4 and behind_q4; behind_l4 is the cycle after the last in which that became free.
 * phase: is the machine within a burst. next, step, bound: the state of a stream; next also holds
 * the value of an invariant.
 */
#include "clock.h"
#include "loom_firing.h"

static unsigned machine_of(const loom_unit *u) {
  return LOOM_STREAM + (u->kind - LOOM_UNIT_STREAM);
}

/* A C condition: all operands that a rule takes are present, except the decider, which was tested
 * before; and the output registers that it writes are empty. */
static const char *can_apply(Clock *k, const loom_unit *u, unsigned state,
                             const struct loom_rule *rule) {
  const char *text = "1";
  for (uint32_t i = 0; i < 3; i++)
    if (rule->takes >> i & 1 && i != loom_deciders[machine_of(u)][state])
      text = csim_format(k->m, "%s && s->f[%u]", text, u->first_input + i);
  for (uint32_t i = 0; i < 2; i++)
    if (rule->gives[i] != LOOM_NO)
      text = clock_takes_turns(u)
                 ? csim_format(k->m, "%s && !s->behind_r%u && s->behind_l%u <= cycle", text,
                               u->first_output + i, u->first_output + i)
                 : csim_format(k->m, "%s && !s->r[%u]", text, u->first_output + i);
  return text;
}

/* Writes the results of the rule to the output registers; `bit` is the C text of LOOM_BIT. */
static void write_given(Clock *k, uint32_t unit, const struct loom_rule *rule, const char *bit) {
  const loom_unit *u = &k->units[unit];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t source = rule->gives[i], output = u->first_output + i;
    if (source == LOOM_NO) continue;
    const char *value = source == LOOM_BIT ? bit
                        : source == LOOM_KEPT
                            ? csim_format(k->m, "s->next%u", unit)
                            : csim_format(k->m, "s->v[%u]", u->first_input + source - LOOM_OP0);
    if (clock_takes_turns(u)) {
      clock_line(k, "if (s->r[%u]) {", output);
      clock_line(k, "s->behind_q%u = %s;", output, value);
      clock_line(k, "s->behind_r%u = 1;", output);
      clock_line(k, "} else {");
    }
    clock_line(k, "s->q[%u] = %s;", output, value);
    clock_line(k, "s->r[%u] = 1;", output);
    if (clock_takes_turns(u)) clock_line(k, "}");
    clock_wake_next(k, k->offer_of[output]);
  }
}

/* `takes`: a set of operands, as in loom_rule. */
static void write_taking(Clock *k, uint32_t unit, uint32_t takes) {
  for (uint32_t i = 0; i < 3; i++)
    if (takes >> i & 1) clock_use(k, k->units[unit].first_input + i);
}

static void write_step_done(Clock *k, uint32_t unit) {
  clock_fired(k, unit);
  clock_wake_next(k, k->at); /* the latches may have the operands of another step */
}

static void write_rule(Clock *k, uint32_t unit, unsigned state, unsigned bit) {
  const loom_unit *u = &k->units[unit];
  const struct loom_rule *rule = loom_rule(machine_of(u), state, bit);
  clock_line(k, "if (%s) {", can_apply(k, u, state, rule));
  if (u->kind == LOOM_UNIT_INVARIANT && !state)
    clock_line(k, "s->next%u = s->v[%u];", unit, u->first_input + 1);
  write_given(k, unit, rule, bit ? "1" : "0");
  write_taking(k, unit, rule->takes);
  if (rule->next != state) clock_line(k, "s->phase%u = %u;", unit, rule->next);
  write_step_done(k, unit);
  clock_line(k, "}");
}

static void write_state(Clock *k, uint32_t unit, unsigned state) {
  const loom_unit *u = &k->units[unit];
  unsigned decider = loom_deciders[machine_of(u)][state];
  if (decider == LOOM_NO_DECIDER) {
    write_rule(k, unit, state, 0);
    return;
  }
  clock_line(k, "if (s->f[%u]) {", u->first_input + decider);
  clock_line(k, "if (s->v[%u] & 1) {", u->first_input + decider);
  write_rule(k, unit, state, 1);
  clock_line(k, "}");
  clock_line(k, "else {");
  write_rule(k, unit, state, 0);
  clock_line(k, "}");
  clock_line(k, "}");
}

/* ---- streams --------------------------------------------------------------------------------- */

/* A C expression of type int64_t: the low `width` bits of a uint64_t, sign-extended. */
static const char *as_signed(Clock *k, const char *value, uint32_t width) {
  return csim_format(k->m, "((int64_t)(%s << %u) >> %u)", value, 64 - width, 64 - width);
}

static void write_trap(Clock *k, uint32_t unit, const char *when, unsigned code,
                       const char *operand) {
  clock_line(k, "if (%s) {", when);
  clock_line(k, "run->trap_unit = %uu;", unit);
  clock_line(k, "loom_trap(%uu, 0, s->next%u, s->%s%u);", code, unit, operand, unit);
  clock_line(k, "}");
}

/* The next value of a stream that goes on. Traps on a step of 0, and on INT_MIN / -1. */
static void write_next(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t w = u->width;
  const char *next = csim_format(k->m, "s->next%u", unit);
  const char *step = csim_format(k->m, "s->step%u", unit);
  write_trap(k, unit, csim_format(k->m, "!%s", step), LOOM_TRAP_STEP, "bound");
  if (u->step_op[0] == '/')
    write_trap(k, unit,
               csim_format(k->m, "%s == -1 && %s == 0x%llxULL", as_signed(k, step, w), next,
                           1ULL << (w - 1)),
               LOOM_TRAP_OVERFLOW, "step");
  clock_line(k, "%s = (%s) & 0x%llxULL;", next,
             csim_step(k->m, u->step_op, "uint64_t", next, step, as_signed(k, next, w),
                       as_signed(k, step, w), w),
             w >= 64 ? ~0ULL : (1ULL << w) - 1);
}

/* Both rules of a state take and give the same (loom_firing.h); they differ in the next state
 * alone, which is the result of the test. */
static void write_stream(Clock *k, uint32_t unit, unsigned state) {
  const loom_unit *u = &k->units[unit];
  const struct loom_rule *rule = loom_rule(LOOM_STREAM, state, 1);
  uint32_t in = u->first_input, w = u->width;
  clock_line(k, "if (%s) {", can_apply(k, u, state, rule));
  clock_line(k, "unsigned more;");
  if (!state)
    clock_line(k, "s->next%u = s->v[%u]; s->step%u = s->v[%u]; s->bound%u = s->v[%u];", unit, in,
               unit, in + 1, unit, in + 2);
  clock_line(k, "more = %s %s %s;", as_signed(k, csim_format(k->m, "s->next%u", unit), w),
             u->cont_cond, as_signed(k, csim_format(k->m, "s->bound%u", unit), w));
  write_given(k, unit, rule, "more");
  write_taking(k, unit, rule->takes);
  clock_line(k, "s->phase%u = more;", unit);
  clock_line(k, "if (more) {");
  write_next(k, unit);
  clock_line(k, "}");
  write_step_done(k, unit);
  clock_line(k, "}");
}

/* ---- entry point ----------------------------------------------------------------------------- */

void clock_advance_machine(Clock *k, uint32_t unit) {
  int is_stream = k->units[unit].kind == LOOM_UNIT_STREAM;
  clock_issue(k, unit);
  clock_recover(k, unit);
  clock_line(k, "{");
  for (unsigned state = 0; state < 2; state++) {
    clock_line(k, state ? "else {" : "if (!s->phase%u) {", unit);
    if (is_stream)
      write_stream(k, unit, state);
    else
      write_state(k, unit, state);
    clock_line(k, "}");
  }
  clock_line(k, "}");
}

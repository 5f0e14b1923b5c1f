/* loom_firing.h -- when a dataflow machine fires, and what it does then.
 *
 * The four operations of `dataflow`, and `handshake.cond_br`, look at a condition before they know
 * which tokens they take and where they put some. Each is a machine of two states: 0, between
 * bursts of tokens, and 1, within one. These tables define them: the token simulator, the simulator
 * of machines and the C that is generated of a machine use them, and the RTL (loom_flow.sv) is
 * compared with them in every state there is.
 *
 *     carry      d: 1 1 0   a: 5   b: 6 7       out: 5 6 7
 *
 *     state 0    takes a, gives it: 5                      goes to state 1
 *     state 1    d is 1: takes d and b, gives b: 6         stays there
 *                d is 1: takes d and b, gives b: 7
 *                d is 0: takes d, gives nothing            goes to state 0
 *
 * What a machine does in a state depends on a bit: that of one of its operands (LOOM_DECIDERS),
 * whose token must be there before anything else is asked; of a stream, whether its value passes
 * the test. Where nothing decides, both rules are the same. A rule says which operands are taken,
 * all at once, and what is given on each of two results. It applies once all that it takes is there
 * and each result that it gives something on has room.
 *
 * An invariant keeps what it takes in state 0. A stream keeps all three, of which the first is its
 * value; when it goes on, the next value is that and the step (its attribute step_op).
 */
#ifndef LOOM_FIRING_H
#define LOOM_FIRING_H

enum loom_machine_kind {
  LOOM_STREAM,    /* start, step, bound -> value, whether it passes the test */
  LOOM_GATE,      /* value, condition -> value, condition */
  LOOM_CARRY,     /* d, a, b -> value */
  LOOM_INVARIANT, /* d, a -> value */
  LOOM_COND_BR,   /* condition, value -> value where true, value where false */
  LOOM_MACHINE_KINDS
};

/* What is given: nothing, the token of operand 0, 1 or 2, what is kept, or the bit. */
enum loom_given { LOOM_NO, LOOM_OP0, LOOM_OP1, LOOM_OP2, LOOM_KEPT, LOOM_BIT };

/* What decides, where it is no operand: nothing, or the test of a stream. */
enum { LOOM_NO_DECIDER = 3, LOOM_TEST = 4 };

/* clang-format off */
/*  machine    in state 0       in state 1 */
#define LOOM_DECIDERS(X) \
  X(STREAM,    LOOM_TEST,       LOOM_TEST) \
  X(GATE,      1,               1) \
  X(CARRY,     LOOM_NO_DECIDER, 0) \
  X(INVARIANT, LOOM_NO_DECIDER, 0) \
  X(COND_BR,   0,               0)

/* `takes` is a set: 1 for operand 0, 2 for operand 1, 4 for operand 2. All rows are there, in
 * order. machine, state, bit, takes, result 0, result 1, next state */
#define LOOM_RULES(X) \
  X(STREAM,    0, 0, 7, KEPT, BIT, 0) \
  X(STREAM,    0, 1, 7, KEPT, BIT, 1) \
  X(STREAM,    1, 0, 0, KEPT, BIT, 0) \
  X(STREAM,    1, 1, 0, KEPT, BIT, 1) \
  X(GATE,      0, 0, 3, NO,   NO,  0) \
  X(GATE,      0, 1, 3, OP0,  NO,  1) \
  X(GATE,      1, 0, 3, NO,   BIT, 0) \
  X(GATE,      1, 1, 3, OP0,  BIT, 1) \
  X(CARRY,     0, 0, 2, OP1,  NO,  1) \
  X(CARRY,     0, 1, 2, OP1,  NO,  1) \
  X(CARRY,     1, 0, 1, NO,   NO,  0) \
  X(CARRY,     1, 1, 5, OP2,  NO,  1) \
  X(INVARIANT, 0, 0, 2, OP1,  NO,  1) \
  X(INVARIANT, 0, 1, 2, OP1,  NO,  1) \
  X(INVARIANT, 1, 0, 1, NO,   NO,  0) \
  X(INVARIANT, 1, 1, 1, KEPT, NO,  1) \
  X(COND_BR,   0, 0, 3, NO,   OP1, 0) \
  X(COND_BR,   0, 1, 3, OP1,  NO,  0) \
  X(COND_BR,   1, 0, 3, NO,   OP1, 0) \
  X(COND_BR,   1, 1, 3, OP1,  NO,  0)
/* clang-format on */

struct loom_rule {
  unsigned char takes, gives[2], next;
};

#define LOOM_RULE_ROW(machine, state, bit, takes, first, second, next)                             \
  {takes, {LOOM_##first, LOOM_##second}, next},
#define LOOM_DECIDER_ROW(machine, first, second) {first, second},

static const struct loom_rule loom_rules[] = {LOOM_RULES(LOOM_RULE_ROW)};
static const unsigned char loom_deciders[][2] = {LOOM_DECIDERS(LOOM_DECIDER_ROW)};

/* What a machine in this state does where the bit is this. */
static inline const struct loom_rule *loom_rule(unsigned machine, unsigned state, unsigned bit) {
  return &loom_rules[4 * machine + 2 * state + bit];
}

/* The operands that it must have before it can do anything, as a set; `bit`: 0 or 1, or -1 where
 * what decides is not there. */
static inline unsigned loom_wanted(unsigned machine, unsigned state, int bit) {
  unsigned takes = loom_rule(machine, state, bit > 0)->takes;
  return bit < 0 ? takes & loom_rule(machine, state, 1)->takes : takes;
}

#endif

/* flow_table.c -- what loom_flow.sv must do, from the rules of loom_firing.h.
 *
 *     flow-table > flow.hex            a line for each combination of state and inputs
 *
 * A combination has: the kind of machine, its state, which operands are present, their lowest bits,
 * whether a stream's value passes its test, which results are in their registers and which of these
 * are taken in this cycle; and, for a stream, whether a next value is still being computed and
 * whether it is for this machine. In each line bits 0 to 15 are the combination, and the bits from
 * 16 on the expected outputs. flow_table.sv reads the lines and compares the module with them. */
#include "../../plugins/loom_firing.h"

#include "lib.h"

#include <stdio.h>

/* What flow_table.sv puts on the operands (above their lowest bits), and what is kept. */
enum { A = 0x2, B = 0x4, C = 0x9, KEPT = 0xb, STEPPED = 0x6 };

typedef struct {
  u32 machine, state, there, a, b, more, valid, handed, stepping, awaits;
} Situation;

static u32 bit_of(const Situation *s) {
  u32 decider = loom_deciders[s->machine][s->state];
  return decider == LOOM_TEST ? s->more : decider == 0 ? s->a : decider == 1 ? s->b : 0;
}

static u32 value_of(const Situation *s, u32 what) {
  u32 values[] = {0, A | s->a, B | s->b, C, KEPT, bit_of(s)};
  return s->machine == LOOM_STREAM && what == LOOM_KEPT && !s->state ? A | s->a : values[what];
}

static void print(const Situation *s) {
  const struct loom_rule *rule = loom_rule(s->machine, s->state, bit_of(s));
  u32 writes = (rule->gives[0] ? 1u : 0) | (rule->gives[1] ? 2u : 0);
  u32 busy = s->valid & ~s->handed, decider = loom_deciders[s->machine][s->state];
  u32 needs = rule->takes | (decider < LOOM_NO_DECIDER ? 1u << decider : 0);
  u32 fires = !(needs & ~s->there) && !(writes & busy) && !s->stepping;
  u32 next = fires ? rule->next : s->state, kept = KEPT;
  if ((fires || (s->stepping && s->awaits)) && s->machine == LOOM_STREAM) kept = STEPPED;
  if (fires && s->machine == LOOM_INVARIANT && !s->state) kept = B | s->b;
  u64 in = (s->machine + 1) | s->state << 3 | s->there << 4 | s->a << 7 | s->b << 8 | s->more << 9 |
           s->valid << 10 | s->handed << 12 | s->stepping << 14 | s->awaits << 15;
  u64 out = fires | (u64)(fires ? rule->takes : 0) << 1 | (u64)next << 4 |
            (u64)(busy | (fires ? writes : 0)) << 5 | (u64)(fires ? writes : 0) << 7 |
            (u64)value_of(s, rule->gives[0]) << 9 | (u64)value_of(s, rule->gives[1]) << 13 |
            (u64)kept << 17;
  printf("%012llx\n", (unsigned long long)(in | out << 16));
}

int main(void) {
  for (u32 i = 0; i < 4 * 1 << 13; i++) {
    Situation s = {i >> 13,    i & 1,      i >> 1 & 7, i >> 4 & 1,  i >> 5 & 1,
                   i >> 6 & 1, i >> 7 & 3, i >> 9 & 3, i >> 11 & 1, i >> 12 & 1};
    if (s.handed & ~s.valid) continue; /* what is handed is there */
    if (s.stepping ? s.machine != LOOM_STREAM : s.awaits) continue;
    print(&s);
  }
  return 0;
}

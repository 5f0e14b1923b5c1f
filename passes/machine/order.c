/* order.c -- orders the parts of a machine that settle within a cycle, each after its drivers.
 *
 * Tokens settle from the source of a route to its end: a unit of latency 0 and an arbiter after
 * those before them. Room settles from the end to the source: a buffer of one place has room when
 * its token is taken in this cycle, so it settles after the arbiters and buffers behind it, and the
 * arbiters before it settle after it.
 *
 * An order exists, since hardware with a combinational loop is not sound
 * (config/configured_loops.c, CFG_COMBINATIONAL). It is found by Kahn's algorithm, in time linear
 * in the inputs and the arbiters that they pass.
 */
#include "machine/build_state.h"

/* Is a unit a step of settling? (The graph has a node for each unit, so that ids are node numbers.)
 */
static bool settles(const MachineUnit *u) {
  return machine_is_wire(u) || u->is_forward;
}

typedef struct {
  MachineBuild *b;
  u32 nunits, n;  /* items: units, then arbiters */
  Vec(u64) edges; /* before << 32 | after */
} Order;

static void comes_before(Order *o, u32 before, u32 after) {
  if (before != MACHINE_NONE && after != MACHINE_NONE)
    vec_push(&o->edges, (u64)before << 32 | after);
}

static void find_edges(Order *o) {
  const MachineBuild *b = o->b;
  for (size_t i = 0; i < b->inputs.len; i++) {
    const MachineInput *in = &b->inputs.at[i];
    u32 from = b->outputs.at[in->output].unit;
    u32 before = machine_is_wire(&b->units.at[from]) ? from : MACHINE_NONE;
    /* The buffers of one place at the start and at the end of the route, where there are any. */
    u32 giver = b->units.at[from].is_forward ? from : MACHINE_NONE;
    u32 taker = b->units.at[in->unit].is_forward ? in->unit : MACHINE_NONE;
    comes_before(o, taker, giver);
    for (u32 k = 0; k < in->narbiters; k++) {
      u32 arbiter = o->nunits + b->passes.at[in->first_arbiter + k];
      comes_before(o, before, arbiter);
      comes_before(o, taker, arbiter);
      comes_before(o, arbiter, giver);
      before = arbiter;
    }
    comes_before(o, before, machine_is_wire(&b->units.at[in->unit]) ? in->unit : MACHINE_NONE);
  }
}

/* Kahn's algorithm with a queue that starts in the order of ids, so the order is deterministic. */
void settle_order(MachineBuild *b) {
  Order o = {.b = b, .nunits = (u32)b->units.len};
  o.n = o.nunits + (u32)b->arbiters.len;
  find_edges(&o);
  u32 *waiting = mem_alloc(mem_size(o.n + 1, sizeof *waiting));
  u32 *first = mem_alloc(mem_size(o.n + 2, sizeof *first));
  u32 *after = mem_alloc(mem_size(o.edges.len + 1, sizeof *after));
  for (size_t e = 0; e < o.edges.len; e++) {
    waiting[(u32)o.edges.at[e]]++;
    first[(o.edges.at[e] >> 32) + 1]++;
  }
  for (u32 i = 0; i < o.n; i++) first[i + 1] += first[i];
  u32 *fill = mem_alloc(mem_size(o.n + 1, sizeof *fill));
  for (size_t e = 0; e < o.edges.len; e++) {
    u32 from = (u32)(o.edges.at[e] >> 32);
    after[first[from] + fill[from]++] = (u32)o.edges.at[e];
  }
  Ids ready = {0};
  for (u32 i = 0; i < o.n; i++)
    if (!waiting[i]) vec_push(&ready, i);
  u32 ordered = 0;
  for (size_t k = 0; k < ready.len; k++, ordered++) {
    u32 item = ready.at[k];
    bool is_arbiter = item >= o.nunits;
    if (is_arbiter || settles(&b->units.at[item])) {
      MachineSettle settle = {is_arbiter, is_arbiter ? item - o.nunits : item};
      vec_push(&b->settles, settle);
    }
    for (u32 e = first[item]; e < first[item + 1]; e++)
      if (!--waiting[after[e]]) vec_push(&ready, after[e]);
  }
  if (ordered < o.n) loom_bug("hardware that is sound has no order to settle in");
  vec_free(&ready);
  vec_free(&o.edges);
  mem_free(waiting);
  mem_free(first);
  mem_free(after);
  mem_free(fill);
}

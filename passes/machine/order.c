/* order.c -- orders the parts of a machine that settle within a cycle, each after its drivers.
 *
 * Tokens settle from the source of a route to its end: a unit of latency 0 and an arbiter after
 * those before them. Room settles from the end to the source: a buffer of one place has room when
 * its token is taken in this cycle, so it settles after the arbiters and buffers behind it, and the
 * arbiters before it settle after it.
 *
 * It is the graph in which config/configured_loops.c finds loops, of units and arbiters of the
 * machine instead of hops and channels of the image. An order exists, since hardware with a loop is
 * not sound (CFG_COMBINATIONAL). The time is linear in the inputs and the arbiters that they pass.
 */
#include "base/digraph.h"
#include "machine/build_state.h"

/* Is a unit a step of settling? (The graph has a node for each unit, so that ids are node numbers.)
 */
static bool settles(const MachineUnit *u) {
  return machine_is_wire(u) || u->is_forward;
}

typedef struct {
  MachineBuild *b;
  u32 nunits; /* nodes: units, then arbiters */
  DigraphEdges edges;
} Order;

static void comes_before(Order *o, u32 before, u32 after) {
  if (before != MACHINE_NONE && after != MACHINE_NONE) digraph_edge(&o->edges, before, after);
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

void settle_order(MachineBuild *b) {
  Arena *arena = arena_new();
  Order o = {.b = b, .nunits = (u32)b->units.len};
  u32 n = o.nunits + (u32)b->arbiters.len;
  find_edges(&o);
  Digraph graph = digraph_new(arena, n, &o.edges);
  u32 *order = NEW_ARRAY(arena, u32, n);
  if (digraph_order(&graph, arena, order) < n)
    loom_bug("hardware that is sound has no order to settle in");
  for (u32 k = 0; k < n; k++) {
    bool is_arbiter = order[k] >= o.nunits;
    if (is_arbiter || settles(&b->units.at[order[k]])) {
      MachineSettle settle = {is_arbiter, is_arbiter ? order[k] - o.nunits : order[k]};
      vec_push(&b->settles, settle);
    }
  }
  vec_free(&o.edges);
  arena_free(arena);
}

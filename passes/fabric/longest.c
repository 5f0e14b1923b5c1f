/* longest.c -- the longest chain of combinational components between two registers, under any
 * configuration of a fabric.
 *
 *     pe_0 -> [ sw_0 -> fifo_3 -> pe_1 ] -> pe_2      fifo_3 can be bypassed, and pe_1 has a
 *                                                     unit of latency 0: three components
 *
 * Static timing analysis of the unconfigured fabric sees this chain; the chain of a mapping
 * (map/chain.c) is no longer. Registers are at the results of units with a latency, at inputs of
 * the fabric, at answers of memories, in FIFOs that cannot be bypassed, and in buffers of switches.
 * In one cycle a token passes switches, FIFOs that can be bypassed, map_tags, and spatial PEs with
 * a combinational unit: from any input to any output, since some configuration connects them.
 * add_tag and del_tag are wires and not counted. The ready signal (back pressure) runs the other
 * way, up to the register or operand latch before; it passes buffers of one place (`forward`), but
 * no PE.
 *
 * The chain is the longest path of a graph of output ports, found in topological order (Kahn's
 * algorithm); outputs that the order never reaches are on combinational loops, or behind them.
 * Linear in the connected pairs of ports. */
#include "fabric/show.h"

typedef struct {
  const Adg *adg;
  bool of_ready; /* the paths of ready, else of tokens */
  bool *is_wire; /* by component: a spatial PE with a combinational unit */
  /* By output port: components on the longest path to it, with its own; the output before it. */
  u32 *length, *previous;
  u32 *waits; /* by output port: predecessors that are not yet known */
  bool *is_known;
  u32 *ready, nready;
} Walk;

/* True where a path can lead through a component. */
static bool passes(const Walk *w, u32 component) {
  const AdgComponent *c = &w->adg->components[component];
  if (adg_is_pe(c)) return !w->of_ready && w->is_wire[component];
  return adg_passes_tokens(c) && !adg_is_register(w->adg, component);
}

/* True where a path continues past an output: it comes through a component, and no register. */
static bool leads_on(const Walk *w, u32 output) {
  u32 buffer = adg_buffer(w->adg, output);
  bool is_register = w->of_ready ? buffer == BUFFER_FULL : buffer != BUFFER_NONE;
  return passes(w, w->adg->ports[output].component) && !is_register;
}

static bool connects(const Adg *adg, const AdgComponent *c, u32 input, u32 output) {
  return !adg_is_switch(c) || adg_connects(adg, &adg->switches[c->detail], input, output);
}

/* The longest path to an output, all of whose predecessors are known. */
static void measure(Walk *w, u32 output) {
  const Adg *adg = w->adg;
  u32 component = adg->ports[output].component;
  const AdgComponent *c = &adg->components[component];
  u32 length = 0;
  for (u32 i = 0; i < c->ninputs; i++) {
    u32 before = adg_driver(adg, adg_input(adg, component, i));
    if (!connects(adg, c, i, adg->ports[output].index) || !leads_on(w, before)) continue;
    if (w->length[before] <= length) continue;
    length = w->length[before];
    w->previous[output] = before;
  }
  w->length[output] = length + adg_is_in_chain(c);
  w->is_known[output] = true;
}

/* Counts an output as known in its successors; those with no unknown predecessor become ready. */
static void release_successors(Walk *w, u32 output) {
  const Adg *adg = w->adg;
  const AdgPort *from = &adg->ports[output];
  for (u32 k = from->first_channel; k < from->first_channel + from->nchannels; k++) {
    const AdgPort *to = &adg->ports[adg->channels[k].to];
    const AdgComponent *c = &adg->components[to->component];
    if (!passes(w, to->component)) continue;
    for (u32 o = 0; o < c->noutputs; o++) {
      u32 next = adg_output(adg, to->component, o);
      if (connects(adg, c, to->index, o) && --w->waits[next] == 0) w->ready[w->nready++] = next;
    }
  }
}

static void count_waits(Walk *w, u32 component) {
  const Adg *adg = w->adg;
  const AdgComponent *c = &adg->components[component];
  for (u32 o = 0; o < c->noutputs; o++) {
    u32 output = adg_output(adg, component, o);
    w->previous[output] = ADG_NONE;
    for (u32 i = 0; i < c->ninputs; i++)
      w->waits[output] +=
          connects(adg, c, i, o) && leads_on(w, adg_driver(adg, adg_input(adg, component, i)));
    if (!w->waits[output]) w->ready[w->nready++] = output;
  }
}

/* An unknown output has an unknown predecessor; going back nports times ends inside a loop. */
static u32 find_in_loop(const Walk *w, u32 output) {
  const Adg *adg = w->adg;
  for (u32 step = 0; step < adg->nports; step++) {
    u32 component = adg->ports[output].component;
    const AdgComponent *c = &adg->components[component];
    for (u32 i = 0; i < c->ninputs; i++) {
      u32 before = adg_driver(adg, adg_input(adg, component, i));
      if (!connects(adg, c, i, adg->ports[output].index) || !leads_on(w, before) ||
          w->is_known[before])
        continue;
      output = before;
      break;
    }
  }
  return adg->ports[output].component;
}

static void walk(Walk *w, Arena *arena, AdgChain *chain) {
  const Adg *adg = w->adg;
  u32 at = ADG_NONE;
  w->length = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->previous = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->waits = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->ready = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->is_known = NEW_ARRAY(arena, bool, adg->nports + (size_t)1);
  w->nready = 0;
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (passes(w, c)) count_waits(w, c);
  for (u32 k = 0; k < w->nready; k++) {
    measure(w, w->ready[k]);
    if (leads_on(w, w->ready[k])) release_successors(w, w->ready[k]);
  }
  for (u32 p = 0; p < adg->nports; p++) {
    if (!adg->ports[p].is_output || !passes(w, adg->ports[p].component)) continue;
    if (!w->is_known[p]) {
      chain->loop_at = find_in_loop(w, p);
      return;
    }
    if (w->length[p] <= chain->length) continue;
    chain->length = w->length[p];
    at = p;
  }
  if (at == ADG_NONE) return;
  chain->components = NEW_ARRAY(arena, u32, chain->length);
  for (u32 n = chain->length; at != ADG_NONE; at = w->previous[at])
    if (adg_is_in_chain(&adg->components[adg->ports[at].component]))
      chain->components[--n] = adg->ports[at].component;
}

AdgChain adg_longest_chain(const Adg *adg, Arena *arena) {
  AdgChain chain = {.loop_at = ADG_NONE};
  Walk w = {.adg = adg, .is_wire = NEW_ARRAY(arena, bool, adg->ncomponents + (size_t)1)};
  for (u32 i = 0; i < adg->npes; i++) {
    const AdgPe *pe = &adg->pes[i];
    for (u32 f = pe->first_fu; !pe->is_temporal && f < pe->first_fu + pe->nfus; f++)
      w.is_wire[pe->component] |= adg_is_wire(&adg->bodies[adg->fus[f].body]);
  }
  walk(&w, arena, &chain);
  w.of_ready = true;
  if (chain.loop_at == ADG_NONE) walk(&w, arena, &chain);
  return chain;
}

/* longest.c -- the longest chain of combinational components between two registers that a fabric's
 * wires allow, whatever its configuration says.
 *
 *     pe_0 -> [ sw_0 -> fifo_3 -> pe_1 ] -> pe_2      fifo_3 can be bypassed, and pe_1 has a unit of
 *                                                     latency 0: three components
 *
 * It is what timing analysis sees, which knows no configuration; a mapping's chain (map/chain.c) is
 * this long at most. Registers are at the results of units with a latency, at inputs of the fabric
 * and answers of memories, in FIFOs that always hold, and in buffers of switches. A token passes,
 * in one cycle, switches, FIFOs that can be bypassed, map_tags, and PEs that have a unit of latency
 * 0: from each of their inputs to each of their outputs, as another configuration may choose any.
 * What puts a tag on or takes it off is wires and not counted. Whether there is room (ready, the
 * back pressure) is said the other way, up to the register or the operand latch before; that goes
 * through buffers of one place (`forward`), but through no PE.
 *
 * Outputs are worked through as soon as all that leads to them is known (Kahn's order); what is left
 * over is in loops of wires, or behind them. Linear in the pairs of ports that are connected. */
#include "fabric/show.h"

typedef struct {
  const Adg *adg;
  bool of_room;  /* of the signal that there is room, else of tokens */
  bool *is_wire; /* by component: a PE with a unit of latency 0 */
  /* By port, of outputs: how many components lead up to it, with its own; and from which output. */
  u32 *length, *behind;
  u32 *waits; /* by port, of outputs: inputs that are not known */
  bool *is_known;
  u32 *ready, nready;
} Walk;

static bool passes(const Walk *w, u32 component) {
  const AdgComponent *c = &w->adg->components[component];
  if (adg_is_pe(c)) return !w->of_room && w->is_wire[component];
  return adg_passes_tokens(c) && !adg_is_register(w->adg, component);
}

/* An output of what passes, and no register. */
static bool leads_on(const Walk *w, u32 output) {
  u32 buffer = adg_buffer(w->adg, output);
  bool is_register = w->of_room ? buffer == BUFFER_FULL : buffer != BUFFER_NONE;
  return passes(w, w->adg->ports[output].component) && !is_register;
}

static bool connects(const Adg *adg, const AdgComponent *c, u32 input, u32 output) {
  return !adg_is_switch(c) || adg_connects(adg, &adg->switches[c->detail], input, output);
}

/* All that leads to it is known. */
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
    w->behind[output] = before;
  }
  w->length[output] = length + adg_is_in_chain(c);
  w->is_known[output] = true;
}

/* What comes behind it may be ready now. */
static void tell_next(Walk *w, u32 output) {
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
    w->behind[output] = ADG_NONE;
    for (u32 i = 0; i < c->ninputs; i++)
      w->waits[output] +=
          connects(adg, c, i, o) && leads_on(w, adg_driver(adg, adg_input(adg, component, i)));
    if (!w->waits[output]) w->ready[w->nready++] = output;
  }
}

/* An output that is not known has one before it that is not: so back and back, into a loop. */
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
  w->behind = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->waits = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->ready = NEW_ARRAY(arena, u32, adg->nports + (size_t)1);
  w->is_known = NEW_ARRAY(arena, bool, adg->nports + (size_t)1);
  w->nready = 0;
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (passes(w, c)) count_waits(w, c);
  for (u32 k = 0; k < w->nready; k++) {
    measure(w, w->ready[k]);
    if (leads_on(w, w->ready[k])) tell_next(w, w->ready[k]);
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
  for (u32 n = chain->length; at != ADG_NONE; at = w->behind[at])
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
  w.of_room = true;
  if (chain.loop_at == ADG_NONE) walk(&w, arena, &chain);
  return chain;
}

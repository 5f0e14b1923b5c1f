/* relief.c -- changes of the fabric that would shorten the interval of a loop in temporal PEs, for
 * the report.
 *
 *     one latch per operand          a loop takes 7 cycles, but 5 if operands that arrive early can
 *                                    wait in a buffer: of how many places?
 *     pe_0_0 fires 4 times           and no PE is free: how many PEs would be enough for fewer?
 *     4 results share a channel      they take turns: how many cycles without the turns?
 *
 * Each change is tried: the loop is simulated again with it, with turns (turns.c) and with the same
 * placement and routes. Gains of less than a sixteenth of the cycles are not reported. More PEs are
 * reported only if firings are spread as evenly as possible over the PEs; otherwise a better
 * placement would be enough.
 *
 * A changed fabric is mapped anew, with another placement. On a mesh of 3x3 PEs 35 of 37 golden
 * kernels took fewer cycles with the reported operand buffers, and two took more (27-routing.md).
 *
 * Cost: for each loop in temporal PEs up to 30 simulations, of which ten have 480 iterations. */
#include "map/marked_graph.h"
#include "map/stages.h"
#include "map/supply.h"

#include <stdlib.h>

/* A large buffer hides that two parts of a loop have different rates until it is full. So many
 * iterations are simulated, and buffers are tried that would be full before the later half. */
enum { EXTRA_PLACES = 48, MANY_ITERATIONS = 480 };

/* True if `a` has at least a sixteenth fewer cycles per iteration than `b`. */
static bool is_much_less(LoopInterval a, LoopInterval b) {
  return a.iterations && b.iterations &&
         (u64)a.cycles * b.iterations * 16 <= (u64)b.cycles * a.iterations * 15;
}

static LoopInterval relieved(const MarkedGraph *f, MarkedRelief relief, u32 iterations) {
  MarkedGraph *with = marked_graph_new(f->mapping, f->rates, f->loop, &relief);
  LoopInterval r = marked_graph_expected(with, iterations);
  marked_graph_free(with);
  return r;
}

/* Counts the loop's firings in each PE. */
static void find_firings(const MarkedGraph *f, MapThroughput *flow) {
  const Mapping *m = f->mapping;
  u32 *fires = mem_alloc(mem_size(m->adg->npes + (size_t)1, sizeof *fires));
  for (u32 u = 0; u < f->nunits; u++) {
    if (f->units[u].unit == MAP_NONE) continue;
    u32 pe = m->adg->fus[f->units[u].unit].pe;
    flow->all_firings++;
    if (++fires[pe] <= flow->firings) continue;
    flow->firings = fires[pe];
    flow->busiest_pe = pe;
  }
  mem_free(fires);
}

/* The most operands in a temporal PE: a buffer of fewer places would not take what is there. */
static u32 most_operands(const Mapping *m) {
  u32 *operands = mem_alloc(mem_size(m->adg->npes + (size_t)1, sizeof *operands)), most = 0;
  for (u32 k = 0; k < m->cover->nclusters; k++) {
    u32 pe = m->places[k].pe;
    if (!m->adg->pes[pe].is_temporal) continue;
    operands[pe] += supply_operands(m->adg, m->cover, &m->cover->matches[m->places[k].match]);
    if (operands[pe] > most) most = operands[pe];
  }
  mem_free(operands);
  return most;
}

static u32 largest_buffer(const Mapping *m) {
  u32 largest = 0;
  for (u32 pe = 0; pe < m->adg->npes; pe++)
    if (m->adg->pes[pe].operand_buffer > largest) largest = m->adg->pes[pe].operand_buffer;
  return largest;
}

/* A buffer with EXTRA_PLACES more than the operands that are in a PE. */
static u32 deep_buffer(const Mapping *m) {
  u32 deep = most_operands(m) + EXTRA_PLACES, largest = largest_buffer(m);
  return deep > largest ? deep : largest;
}

/* The fewest places with which the interval is, but for a sixteenth, what it is with the most. */
static void find_buffer(const MarkedGraph *f, MapThroughput *flow, LoopInterval best,
                        LoopInterval now) {
  u32 small = largest_buffer(f->mapping), large = deep_buffer(f->mapping),
      least = most_operands(f->mapping);
  if (least > small + 1) small = least - 1;
  while (small + 1 < large) {
    u32 middle = (small + large) / 2;
    LoopInterval r = relieved(f, (MarkedRelief){.operand_buffer = middle}, MANY_ITERATIONS);
    *(is_much_less(r, now) && !is_much_less(best, r) ? &large : &small) = middle;
  }
  LoopInterval r = relieved(f, (MarkedRelief){.operand_buffer = large}, MANY_ITERATIONS);
  flow->buffer_places = large;
  flow->buffer_cycles = r.cycles;
  flow->buffer_iterations = r.iterations;
}

enum { MAX_PORTS = 16 };

/* By output port, the different results that its channel takes in an iteration. */
static u32 *count_results(const MarkedGraph *f, u32 nports) {
  u32 *results = mem_alloc(mem_size(nports + (size_t)1, sizeof *results)), n = 0;
  u64 *all = mem_alloc(mem_size(f->nchannels + (size_t)1, sizeof *all));
  for (u32 i = 0; i < f->nchannels; i++)
    if (f->channels[i].turns < nports)
      all[n++] = (u64)f->channels[i].turns << 32 | f->channels[i].tag;
  if (n) qsort(all, n, sizeof *all, compare_u64);
  for (u32 i = 0; i < n; i++) results[all[i] >> 32] += !i || all[i] != all[i - 1];
  mem_free(all);
  return results;
}

/* The channel whose turns cost most, of those with the most results. */
static void find_channel(const MarkedGraph *f, MapThroughput *flow, LoopInterval now) {
  if (!is_much_less(relieved(f, (MarkedRelief){.lone_results = true}, TURN_ITERATIONS), now))
    return;
  u32 nports = f->mapping->adg->nports, ports[MAX_PORTS], n = 0;
  u32 *results = count_results(f, nports), most = 0;
  for (u32 p = 0; p < nports; p++)
    if (results[p] > most) most = results[p];
  for (; most > 1; most--)
    for (u32 p = 0; p < nports && n < MAX_PORTS; p++)
      if (results[p] == most) ports[n++] = p;
  LoopInterval least = now;
  for (u32 i = 0; i < n; i++) {
    LoopInterval r = relieved(f, (MarkedRelief){.lone_port = ports[i] + 1}, TURN_ITERATIONS);
    if (!interval_is_less(r, least) || !is_much_less(r, now)) continue;
    least = r;
    flow->port = ports[i];
    flow->port_results = results[ports[i]];
    flow->port_cycles = r.cycles;
    flow->port_iterations = r.iterations;
  }
  mem_free(results);
}

void mapping_find_reliefs(const MarkedGraph *f, MapThroughput *flow) {
  const Mapping *m = f->mapping;
  LoopInterval now = marked_graph_limited(f, (LoopInterval){flow->cycles, flow->iterations});
  find_firings(f, flow);
  if (!flow->firings) return;
  u32 deep = deep_buffer(m);
  LoopInterval buffers = relieved(f, (MarkedRelief){.operand_buffer = deep}, MANY_ITERATIONS);
  if (is_much_less(buffers, now)) find_buffer(f, flow, buffers, now);
  find_channel(f, flow, now);
  LoopInterval alone = relieved(
      f, (MarkedRelief){.operand_buffer = deep, .lone_instructions = true}, TURN_ITERATIONS);
  u32 npes = 0;
  for (u32 pe = 0; pe < m->adg->npes; pe++) npes += m->adg->pes[pe].is_temporal;
  bool are_spread = (flow->all_firings + npes - 1) / npes == flow->firings;
  if (!are_spread || !alone.iterations || !is_much_less(alone, buffers)) return;
  u32 cycles = (alone.cycles + alone.iterations - 1) / alone.iterations;
  if (cycles >= flow->firings) return;
  flow->pes = (flow->all_firings + cycles - 1) / cycles;
  flow->pes_cycles = cycles;
}

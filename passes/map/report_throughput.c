/* report_throughput.c -- the expected interval of each loop, as text: the waits for tokens and for
 * room that set it, and the FIFOs that would shorten it (computed by marked_graph.c and balance.c).
 *
 *     Loops, with the buffers of this mapping
 *
 *       i_raw  every 7 cycles   at dot.mlir:9:10
 *           i_raw -> i -> a -> product -> next -> sum, which frees the buffer of i_more: i_raw
 *           every 4 cycles with FIFOs of 2 places for i_more.1 at sum, 1 for i_more.2 at sum_5 */
#include "map/names.h"
#include "map/report.h"
#include "map/stages.h"

enum { MAX_LOOPS = 4, MAX_FIFOS = 6 };

/* "every cycle", "every 4 cycles", "every 3.67 cycles". */
static void put_every(Buf *out, u32 cycles, u32 iterations) {
  if (cycles == iterations)
    buf_str(out, "every cycle");
  else if (cycles % iterations == 0)
    buf_printf(out, "every %u cycles", cycles / iterations);
  else
    buf_printf(out, "every %.2f cycles", (double)cycles / iterations);
}

/* The interval, with "about" where it is an estimate: of turns at shared channels and PEs (turns.c),
 * or as if every iteration met both sides of its conditions. An exact figure has "or more" behind
 * it where another loop's turns, a division or a conflict of banks may take longer. An estimate has
 * not: the loop may also be quicker than that. */
static void put_expected(const MapThroughput *throughput, Buf *out) {
  u32 cycles = throughput->cycles, iterations = throughput->iterations;
  bool is_estimate = throughput->is_conditional || throughput->shared > 1;
  if (is_estimate) buf_str(out, "about ");
  if (cycles < throughput->shared * iterations) cycles = throughput->shared, iterations = 1;
  put_every(out, cycles, iterations);
  if (throughput->is_at_least && !is_estimate) buf_str(out, " or more");
}

bool mapping_may_be_faster(const MapThroughput *throughput) {
  return throughput->nfifos && (u64)throughput->open_cycles * throughput->iterations <
                                   (u64)throughput->cycles * throughput->open_iterations;
}

static void put_place(Context *ctx, const Mapping *m, const MapThroughput *throughput,
                      const char *before, Buf *out) {
  if (throughput->node == DFG_NONE) return;
  buf_str(out, before);
  dfg_where(ctx, m->dfg, throughput->node, out);
}

/* The depth that the FIFO before the PE's input where an edge ends must have to get these places;
 * 0: no depth would do. That is so where the mapper bypasses the FIFO, because it would lengthen a
 * recurrence, and where the input is wired to a neighbour PE. */
static u32 depth_with(const Mapping *m, const MapFifo *fifo) {
  const MapRoute *route = &m->routes[fifo->edge];
  u32 input = m->steps[route->first_step + route->nsteps - 1];
  u32 before = m->adg->ports[adg_driver(m->adg, input)].component;
  const AdgComponent *c = &m->adg->components[before];
  if (c->kind == ADG_SPATIAL_PE) return 0;
  if (c->kind != ADG_FIFO) return fifo->places;
  return mapping_fifo_holds(m, before) ? m->adg->fifos[c->detail].depth + fifo->places : 0;
}

/* The depth of FIFOs before the inputs of PEs with which a loop on a preset would be faster; 0: no
 * depth would do, or the fabric is not a preset. */
static u32 depth_for(const Mapping *m, const MapThroughput *throughput) {
  u32 most = 0;
  if (!m->preset || !mapping_may_be_faster(throughput)) return 0;
  for (u32 i = 0; i < throughput->nfifos; i++) {
    u32 depth = depth_with(m, &throughput->fifos[i]);
    if (!depth) return 0;
    if (depth > most) most = depth;
  }
  return most;
}

void mapping_print_throughput(Context *ctx, const Mapping *m, const MapThroughput *throughput,
                              Buf *out) {
  put_expected(throughput, out);
  put_place(ctx, m, throughput, ": the loop at ", out);
  if (!m->advised_fifo || !throughput->advised_iterations) return;
  buf_str(out, "; ");
  put_every(out, throughput->advised_cycles, throughput->advised_iterations);
  buf_str(out, " with deeper FIFOs:");
}

static void put_buffers(const MapThroughput *throughput, Buf *out) {
  if (!throughput->buffer_places) return;
  buf_str(out, "about ");
  put_every(out, throughput->buffer_cycles, throughput->buffer_iterations);
  buf_printf(out, " if operand buffers had %u places (loom adg --operand-buffer %u)",
             throughput->buffer_places, throughput->buffer_places);
}

static void put_firings(const Mapping *m, const MapThroughput *throughput, Buf *out) {
  if (!throughput->pes) return;
  put_every(out, throughput->pes_cycles, 1);
  buf_printf(out, " at best on %u PEs: %s fires %u times per iteration", throughput->pes,
             adg_name(m->adg, m->adg->pes[throughput->busiest_pe].component), throughput->firings);
}

static void put_channel(const Mapping *m, const MapThroughput *throughput, Buf *out) {
  if (!throughput->port_results) return;
  const AdgPort *port = &m->adg->ports[throughput->port];
  buf_str(out, "about ");
  put_every(out, throughput->port_cycles, throughput->port_iterations);
  buf_printf(out, " if %u results did not share output %u of %s", throughput->port_results,
             port->index, adg_name(m->adg, port->component));
}

bool mapping_print_relief(const Mapping *m, const MapThroughput *throughput, u32 which, Buf *out) {
  if (which == 0) put_buffers(throughput, out);
  if (which == 1) put_firings(m, throughput, out);
  if (which == 2) put_channel(m, throughput, out);
  return out->len > 0;
}

/* All FIFOs get the largest depth that a loop of the summary needs. */
u32 mapping_fifo_depth(const Mapping *m) {
  u32 depth = 0;
  for (u32 i = 0; i < mapping_throughputs_shown(m); i++) {
    u32 needed = depth_for(m, &m->throughputs[i]);
    if (needed > depth) depth = needed;
  }
  return depth;
}

bool mapping_print_advice(const Mapping *m, Buf *out) {
  bool is_shorter = false;
  for (u32 i = 0; i < mapping_throughputs_shown(m); i++)
    is_shorter |= m->throughputs[i].advised_iterations > 0;
  if (!m->advised_fifo) return false;
  buf_printf(out, "%sloom adg %s --pe-fifo %u,bypassable -o %s_fifo.mlir",
             is_shorter ? "" : "quicker with the FIFOs of ", m->preset, m->advised_fifo, m->preset);
  return true;
}

/* None for a graph without loops that takes a token of each argument every cycle: the bound on its
 * interval shows that already. */
u32 mapping_throughputs_shown(const Mapping *m) {
  const MapThroughput *first = m->throughputs;
  bool is_plain = m->nthroughputs == 1 && first->node == DFG_NONE &&
                  first->cycles == first->iterations && first->shared < 2;
  if (is_plain) return 0;
  return m->nthroughputs < MAX_LOOPS ? m->nthroughputs : MAX_LOOPS;
}

/* ---- details --------------------------------------------------------------------------------- */

/* The cycle of waits in order: "a -> b" where b waits for a token of a, "which frees the buffer of"
 * where a node waits for another to take a token. It begins after a wait for room, where there is
 * one. Several waits for room in a row (a FIFO waits for the one behind it) are printed once. */
static void put_waits(const Mapping *m, const MapThroughput *throughput, Buf *out) {
  u32 n = throughput->nwaits, start = 0, first = DFG_NONE, last = DFG_NONE;
  bool after_room = true;
  for (u32 i = 0; i < n && !start; i++)
    if (throughput->waits[i].is_room && !throughput->waits[(i + 1) % n].is_room) start = i + 1;
  for (u32 i = 0; i < n; i++) {
    const MapWait *wait = &throughput->waits[(start + i) % n];
    if (wait->is_room) {
      if (!after_room)
        buf_printf(out, ", which frees the buffer of %s: ", edge_name(m, wait->edge));
      after_room = true;
      last = DFG_NONE;
      continue;
    }
    u32 node = wait->node != DFG_NONE ? wait->node : m->dfg->edges[wait->edge].to;
    if (node == last) continue;
    buf_printf(out, "%s%s", after_room ? "" : " -> ", node_name(m, node));
    if (first == DFG_NONE) first = node;
    after_room = false;
    last = node;
  }
  if (first != DFG_NONE && last != first)
    buf_printf(out, "%s%s", after_room ? "" : " -> ", node_name(m, first));
}

static bool has_room_waits(const MapThroughput *throughput) {
  for (u32 i = 0; i < throughput->nwaits; i++)
    if (throughput->waits[i].is_room) return true;
  return false;
}

static void put_fifos(const Mapping *m, const MapThroughput *throughput, Buf *out) {
  put_every(out, throughput->open_cycles, throughput->open_iterations);
  buf_printf(out, " with %sFIFO%s of", throughput->nfifos == 1 ? "a " : "",
             plural(throughput->nfifos));
  for (u32 i = 0; i < throughput->nfifos && i < MAX_FIFOS; i++) {
    const MapFifo *fifo = &throughput->fifos[i];
    buf_printf(out, "%s %u%s for %s at %s", i ? "," : "", fifo->places,
               i                   ? ""
               : fifo->places == 1 ? " place"
                                   : " places",
               edge_name(m, fifo->edge), node_name(m, m->dfg->edges[fifo->edge].to));
  }
  if (throughput->nfifos > MAX_FIFOS)
    buf_printf(out, " and %u more", throughput->nfifos - MAX_FIFOS);
}

void mapping_print_throughputs(Context *ctx, const Mapping *m, Buf *out) {
  if (!m->nthroughputs) return;
  buf_str(out, "\nLoops, with the buffers of this mapping\n\n");
  for (u32 i = 0; i < m->nthroughputs; i++) {
    const MapThroughput *throughput = &m->throughputs[i];
    buf_printf(out, "  %-14s ",
               throughput->node == DFG_NONE ? "arguments" : node_name(m, throughput->node));
    put_expected(throughput, out);
    put_place(ctx, m, throughput, "   at ", out);
    buf_char(out, '\n');
    if (has_room_waits(throughput)) {
      buf_str(out, "      ");
      put_waits(m, throughput, out);
      buf_char(out, '\n');
    }
    for (u32 k = 0; k < THROUGHPUT_RELIEFS; k++) {
      Buf text = {0};
      if (mapping_print_relief(m, throughput, k, &text)) buf_printf(out, "      %s\n", text.data);
      buf_free(&text);
    }
    if (!mapping_may_be_faster(throughput)) continue;
    buf_str(out, "      ");
    put_fifos(m, throughput, out);
    buf_char(out, '\n');
  }
}

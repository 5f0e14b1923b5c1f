/* report_flow.c -- the interval that each loop will have, for people: with the room that there is
 * for tokens, where that is too little, and what would make more of it (flow.h, balance.c).
 *
 *     Loops, with the room that there is for tokens
 *
 *       i_raw  every 7 cycles   at dot.mlir:9:10
 *           i_raw -> i -> a -> product -> next -> sum, which makes room for i_more: i_raw
 *           every 4 cycles with FIFOs of 2 places for i_more.1 at sum, 1 for i_more.2 at sum_5 */
#include "map/report.h"

#include "fabric/show.h"

enum { MOST_LOOPS = 4, MOST_FIFOS = 6 };

static const char *node_name(const Mapping *m, u32 v) {
  return dfg_text(m->dfg, dfg_node(m->dfg, v)->name);
}

static const char *edge_name(const Mapping *m, u32 e) {
  return dfg_text(m->dfg, m->dfg->edges[e].name);
}

/* "every cycle", "every 4 cycles", "every 3.67 cycles". */
static void put_every(Buf *out, u32 cycles, u32 turns) {
  if (cycles == turns)
    buf_str(out, "every cycle");
  else if (cycles % turns == 0)
    buf_printf(out, "every %u cycles", cycles / turns);
  else
    buf_printf(out, "every %.2f cycles", (double)cycles / turns);
}

/* What is shared goes by turns, and then it may be more; what not each turn has may be otherwise.
 */
static void put_expected(const MapFlow *flow, Buf *out) {
  u32 cycles = flow->cycles, turns = flow->turns;
  if (flow->is_conditional) buf_str(out, "about ");
  if (cycles < flow->shared * turns) cycles = flow->shared, turns = 1;
  put_every(out, cycles, turns);
  if (flow->shared > 1) buf_str(out, " or more");
}

static bool may_be_faster(const MapFlow *flow) {
  return flow->nfifos &&
         (u64)flow->open_cycles * flow->turns < (u64)flow->cycles * flow->open_turns;
}

static void put_place(Context *ctx, const Mapping *m, const MapFlow *flow, const char *before,
                      Buf *out) {
  if (flow->node == DFG_NONE) return;
  buf_str(out, before);
  dfg_where(ctx, m->dfg, flow->node, out);
}

void mapping_print_flow(Context *ctx, const Mapping *m, const MapFlow *flow, Buf *out) {
  put_expected(flow, out);
  put_place(ctx, m, flow, ": the loop at ", out);
  if (!may_be_faster(flow) || !m->preset) return;
  buf_str(out, "; ");
  put_every(out, flow->open_cycles, flow->open_turns);
  buf_str(out, " with the FIFOs of");
}

/* As many places as the loops that are shown need at most: more of them do no harm. */
bool mapping_print_advice(const Mapping *m, Buf *out) {
  u32 places = 0;
  for (u32 i = 0; i < mapping_flows_shown(m); i++)
    for (u32 k = 0; k < m->flows[i].nfifos && may_be_faster(&m->flows[i]); k++)
      if (m->flows[i].fifos[k].places > places) places = m->flows[i].fifos[k].places;
  if (!places || !m->preset) return false;
  buf_printf(out, "loom adg %s --pe-fifo %u,bypassable -o %s_fifo.mlir", m->preset, places,
             m->preset);
  return true;
}

/* A graph without loops that takes a token of each argument every cycle says so by its bound. */
u32 mapping_flows_shown(const Mapping *m) {
  const MapFlow *first = m->flows;
  bool is_plain = m->nflows == 1 && first->node == DFG_NONE && first->cycles == first->turns &&
                  first->shared < 2;
  if (is_plain) return 0;
  return m->nflows < MOST_LOOPS ? m->nflows : MOST_LOOPS;
}

/* ---- details --------------------------------------------------------------------------------- */

/* The circle, as it happens: who gives to whom, and who makes room by what it takes. It begins
 * behind a wait for room, where there is one. (Room in a FIFO, which comes from room behind it, is
 * said once.) */
static void put_waits(const Mapping *m, const MapFlow *flow, Buf *out) {
  u32 n = flow->nwaits, start = 0, first = DFG_NONE, last = DFG_NONE;
  bool after_room = true;
  for (u32 i = 0; i < n && !start; i++)
    if (flow->waits[i].is_room && !flow->waits[(i + 1) % n].is_room) start = i + 1;
  for (u32 i = 0; i < n; i++) {
    const MapWait *wait = &flow->waits[(start + i) % n];
    if (wait->is_room) {
      if (!after_room) buf_printf(out, ", which makes room for %s: ", edge_name(m, wait->edge));
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

static bool has_room_waits(const MapFlow *flow) {
  for (u32 i = 0; i < flow->nwaits; i++)
    if (flow->waits[i].is_room) return true;
  return false;
}

static void put_fifos(const Mapping *m, const MapFlow *flow, Buf *out) {
  put_every(out, flow->open_cycles, flow->open_turns);
  buf_printf(out, " with %sFIFO%s of", flow->nfifos == 1 ? "a " : "", flow->nfifos == 1 ? "" : "s");
  for (u32 i = 0; i < flow->nfifos && i < MOST_FIFOS; i++) {
    const MapFifo *fifo = &flow->fifos[i];
    buf_printf(out, "%s %u%s for %s at %s", i ? "," : "", fifo->places,
               i                   ? ""
               : fifo->places == 1 ? " place"
                                   : " places",
               edge_name(m, fifo->edge), node_name(m, m->dfg->edges[fifo->edge].to));
  }
  if (flow->nfifos > MOST_FIFOS) buf_printf(out, " and %u more", flow->nfifos - MOST_FIFOS);
}

void mapping_print_flows(Context *ctx, const Mapping *m, Buf *out) {
  if (!m->nflows) return;
  buf_str(out, "\nLoops, with the room that there is for tokens\n\n");
  for (u32 i = 0; i < m->nflows; i++) {
    const MapFlow *flow = &m->flows[i];
    buf_printf(out, "  %-14s ", flow->node == DFG_NONE ? "arguments" : node_name(m, flow->node));
    put_expected(flow, out);
    put_place(ctx, m, flow, "   at ", out);
    buf_char(out, '\n');
    if (has_room_waits(flow)) {
      buf_str(out, "      ");
      put_waits(m, flow, out);
      buf_char(out, '\n');
    }
    if (!may_be_faster(flow)) continue;
    buf_str(out, "      ");
    put_fifos(m, flow, out);
    buf_char(out, '\n');
  }
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_json_flow(Context *ctx, const Mapping *m, const MapFlow *flow, Buf *out) {
  Buf at = {0};
  buf_str(out, "{");
  if (flow->node != DFG_NONE) {
    buf_str(out, "\"loop\": ");
    buf_json(out, node_name(m, flow->node));
    dfg_where(ctx, m->dfg, flow->node, &at);
    buf_str(out, ", \"at\": ");
    buf_json(out, at.data);
    buf_str(out, ", ");
  }
  buf_printf(
      out, "\"cycles\": %u, \"turns\": %u, \"conditional\": %s, \"shared\": %u,\n     \"waits\": [",
      flow->cycles, flow->turns, flow->is_conditional ? "true" : "false", flow->shared);
  for (u32 i = 0; i < flow->nwaits; i++) {
    const MapWait *wait = &flow->waits[i];
    buf_printf(out, "%s{\"%s\": ", i ? ", " : "",
               wait->node != DFG_NONE ? "node"
               : wait->is_room        ? "room"
                                      : "edge");
    buf_json(out, wait->node != DFG_NONE ? node_name(m, wait->node) : edge_name(m, wait->edge));
    buf_char(out, '}');
  }
  buf_str(out, "]");
  if (may_be_faster(flow)) {
    buf_printf(out, ",\n     \"open\": {\"cycles\": %u, \"turns\": %u, \"fifos\": [",
               flow->open_cycles, flow->open_turns);
    for (u32 i = 0; i < flow->nfifos; i++) {
      buf_printf(out, "%s{\"edge\": ", i ? ", " : "");
      buf_json(out, edge_name(m, flow->fifos[i].edge));
      buf_printf(out, ", \"places\": %u}", flow->fifos[i].places);
    }
    buf_str(out, "]}");
  }
  buf_str(out, "}");
  buf_free(&at);
}

void mapping_print_json_flows(Context *ctx, const Mapping *m, Buf *out) {
  buf_str(out, "[");
  for (u32 i = 0; i < m->nflows; i++) {
    buf_str(out, i ? ",\n    " : "\n    ");
    put_json_flow(ctx, m, &m->flows[i], out);
  }
  buf_str(out, m->nflows ? "\n  ]" : "]");
}

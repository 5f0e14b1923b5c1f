/* report_text.c -- a mapping as text for people, and as a picture (Graphviz).
 *
 *     @dot onto @fabric, seed 0
 *
 *       PEs          23 of 144
 *       memories     2 external (the fabric has 8)
 *       routes       34; 4.1 steps on average, at most 11; wirelength 140
 *       interval     every 5 cycles at best: sum -> next -> sum
 *       expected     every 7 cycles: the loop at dot.mlir:9:10; every 5 cycles with deeper FIFOs:
 *                    loom adg large --pe-fifo 2,bypassable -o large_fifo.mlir
 *       clock        9 components between two registers at most
 *
 * The summary fits a screen. Details follow: the recurrences, the longest chain, the waits that set
 * the intervals of loops (report_throughput.c), the nodes in each PE, the memories, the ports, and
 * the route of every edge. Cost: PEs times clusters; the picture, used channels times the edges of
 * a result. */
#include "ir/fabric.h"
#include "map/names.h"
#include "map/report.h"
#include "map/stages.h"
#include "text/text.h"

static const char *pe_name(const Mapping *m, u32 pe) {
  return adg_name(m->adg, m->adg->pes[pe].component);
}

static const AdgFu *unit_of(const Mapping *m, u32 cluster) {
  const MapPlace *place = &m->places[cluster];
  return &m->adg->fus[m->adg->pes[place->pe].first_fu + place->opcode];
}

/* ---- the summary ----------------------------------------------------------------------------- */

/* The nodes of a recurrence: "sum -> next -> sum"; of a lane "x -> memory -> x". */
static void put_cycle_nodes(Buf *out, const Mapping *m, const MapCycle *cycle, u32 most) {
  u32 shown = 0, last = MAP_NONE;
  for (u32 i = 0; i < cycle->nedges; i++) {
    u32 edge = m->cycle_edges[cycle->first_edge + i], from = dfg_from(m->dfg, edge);
    if (from == last) continue;
    last = from;
    if (shown++ < most) buf_printf(out, "%s -> ", node_name(m, from));
    u32 to = m->dfg->edges[edge].to;
    if (cycle->nedges == 1 && to != from) buf_printf(out, "%s -> ", node_name(m, to));
  }
  if (shown > most) buf_str(out, "... -> ");
  if (cycle->nedges)
    buf_str(out, node_name(m, dfg_from(m->dfg, m->cycle_edges[cycle->first_edge])));
}

/* The loop whose iteration a recurrence is, if that has inner loops. */
static void put_turn(Context *ctx, const Mapping *m, const MapCycle *cycle, Buf *out) {
  if (!cycle->has_inner) return;
  buf_str(out, ", per iteration of the loop at ");
  dfg_where(ctx, m->dfg, cycle->loop, out);
}

typedef struct {
  u32 n, steps, longest;
} RouteSum;

static RouteSum sum_routes(const Mapping *m) {
  RouteSum sum = {0};
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    u32 n = m->routes[e].nsteps;
    if (!n) continue;
    sum.n++;
    sum.steps += n;
    if (n > sum.longest) sum.longest = n;
  }
  return sum;
}

/* A row of the summary: its title and its text, which is freed. */
static void put_line(Buf *out, const char *title, Buf *text) {
  buf_printf(out, "  %-12s %s\n", title, text->data ? text->data : "");
  buf_free(text);
}

static void put_pes(const Mapping *m, Buf *out) {
  Buf text = {0};
  u32 several = m->stats.units_multi;
  buf_printf(&text, "%u of %u", m->stats.pes_used, m->adg->npes);
  if (m->cover->nclusters != m->stats.pes_used)
    buf_printf(&text, ", %u instructions", m->cover->nclusters);
  if (several)
    buf_printf(&text, "; %u unit%s %s several nodes", several, plural(several),
               several == 1 ? "executes" : "execute");
  put_line(out, "PEs", &text);
}

static void put_memories_used(const Mapping *m, Buf *out) {
  Buf text = {0};
  u32 used[2] = {0, 0}, hw[2] = {0, 0};
  for (u32 i = 0; i < m->dfg->nmemories; i++)
    if (m->binding.memories[i].memory != MAP_NONE)
      used[m->adg->memories[m->binding.memories[i].memory].is_external]++;
  for (u32 h = 0; h < m->adg->nmemories; h++) hw[m->adg->memories[h].is_external]++;
  if (used[1]) buf_printf(&text, "%u external (the fabric has %u)", used[1], hw[1]);
  if (used[0])
    buf_printf(&text, "%s%u on-chip (%s has %u)", used[1] ? ", " : "", used[0],
               used[1] ? "it" : "the fabric", hw[0]);
  if (text.len) put_line(out, "memories", &text);
}

static void put_cycles(Buf *out, u32 n) {
  if (n == 1)
    buf_str(out, "every cycle");
  else
    buf_printf(out, "every %u cycles", n);
}

static bool may_end_early(const Mapping *m, const MapCycle *cycle) {
  for (u32 i = 0; i < cycle->nedges; i++)
    if (mapping_ends_early(m, dfg_from(m->dfg, m->cycle_edges[cycle->first_edge + i]))) return true;
  return false;
}

/* True where an iteration may bypass a part of a recurrence: a mux takes only the side that it
 * selects. */
static bool may_be_spared(const Mapping *m, const MapCycle *cycle) {
  if (cycle->has_inner) return true; /* the inner loop may have no iteration */
  for (u32 i = 0; i < cycle->nedges; i++) {
    const DfgEdge *edge = &m->dfg->edges[m->cycle_edges[cycle->first_edge + i]];
    if (m->dfg->nodes[edge->to].fire == FIRE_MUX && edge->operand > 0) return true;
  }
  return false;
}

/* The interval; where it is not a whole number of cycles, as "2 iterations every 3 cycles". */
static void put_best(const Mapping *m, Buf *out) {
  const MapCycle *worst = m->ncycles ? &m->cycles[0] : NULL;
  if (worst && worst->latency > m->stats.ii * (u64)worst->tokens)
    buf_printf(out, "%u iterations every %u cycles", worst->tokens, worst->latency);
  else
    put_cycles(out, m->stats.ii);
}

/* Nodes on the longest recurrence that share a unit: "; p and t share a unit". */
static void put_fused(const Mapping *m, Buf *out) {
  const MapCycle *worst = m->ncycles ? &m->cycles[0] : NULL;
  for (u32 i = 0; worst && i < worst->nedges; i++) {
    u32 from = dfg_from(m->dfg, m->cycle_edges[worst->first_edge + i]);
    u32 c = m->cover->cluster_of[from];
    const MapCluster *cluster = c == MAP_NONE ? NULL : &m->cover->clusters[c];
    if (!cluster || cluster->nnodes < 2) continue;
    buf_str(out, "; ");
    for (u32 k = 0; k < cluster->nnodes; k++)
      buf_printf(out, "%s%s", k ? k + 1 < cluster->nnodes ? ", " : " and " : "",
                 node_name(m, m->cover->nodes[cluster->first_node + k]));
    buf_printf(out, " share a unit%s",
               m->stats.pes_used == m->adg->npes ? ", as all PEs are in use" : "");
    return;
  }
}

/* The cycles that routes add to a recurrence, if any. */
static void put_routing(const MapCycle *cycle, Buf *out) {
  if (cycle && cycle->routing)
    buf_printf(out, "; %u cycle%s in routing registers", cycle->routing, plural(cycle->routing));
}

/* "4 loads of a share a channel of mem_0, per iteration of the loop at f.mlir:3:3" */
static void put_bandwidth(Context *ctx, const Mapping *m, Buf *out) {
  const MapBandwidth *b = &m->stats.bandwidth;
  const char *before = " of ";
  buf_printf(out, ": %u %s", b->requests, b->is_store ? "stores" : "loads");
  for (u32 i = 0; i < m->dfg->nmemories; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    if (m->binding.memories[i].memory != b->memory) continue;
    if (!(b->is_store ? memory->nstores : memory->nloads)) continue;
    buf_printf(out, "%s%s", before, memory_name(m->dfg, memory));
    before = ", ";
  }
  buf_printf(out, " share a %s of %s", m->adg->memories[b->memory].banks > 1 ? "port" : "channel",
             adg_name(m->adg, m->adg->memories[b->memory].component));
  if (b->loop == DFG_NONE) return;
  buf_str(out, ", per iteration of the loop at ");
  dfg_where(ctx, m->dfg, b->loop, out);
}

/* Of a preset: the interval that more channels of an external memory, or more banks of one on the
 * fabric, would allow, and the command that adds them. */
static void put_channels(const Mapping *m, Buf *out) {
  const MapBandwidth *b = &m->stats.bandwidth;
  const AdgMemory *memory = &m->adg->memories[b->memory];
  u32 nrequests = b->requests * memory->channels, channels = 1;
  u32 most = memory->is_external ? FABRIC_MAX_CHANNELS : FABRIC_MAX_BANKS;
  const char *parts = memory->is_external ? "channels" : "banks";
  if (!m->preset) return;
  while (channels < nrequests && channels < most) channels *= 2;
  if (channels <= memory->channels) return;
  put_cycles(out, (nrequests + channels - 1) / channels);
  if (!memory->is_external) buf_str(out, " at best");
  buf_printf(out, " with %u %s", channels, parts);
  if (!memory->is_external) buf_str(out, ", if the requests of a cycle are to different banks");
  buf_printf(out, ": loom adg %s --%s %u -o %s_%s.mlir", m->preset,
             memory->is_external ? "memory-channels" : "pad-banks", channels, m->preset, parts);
}

static u32 slow_node(const Mapping *m) {
  return m->cover->nodes[m->cover->clusters[m->stats.slow_cluster].first_node];
}

/* ": the interval of ratio in pe_2_3_a" */
static void put_slow_unit(const Mapping *m, Buf *out) {
  buf_printf(out, ": the interval of %s in %s", node_name(m, slow_node(m)),
             adg_name(m->adg, m->adg->pes[m->places[m->stats.slow_cluster].pe].component));
}

static void put_interval(Context *ctx, const Mapping *m, Buf *out) {
  Buf text = {0};
  bool is_shared = m->stats.bandwidth.requests > 0;
  bool is_early = m->stats.slow_cluster != MAP_NONE
                      ? mapping_ends_early(m, slow_node(m))
                      : !is_shared && m->ncycles && may_end_early(m, &m->cycles[0]);
  bool is_spared = !is_shared && m->ncycles && may_be_spared(m, &m->cycles[0]);
  put_best(m, &text);
  if (m->stats.slow_cluster != MAP_NONE)
    buf_str(&text, is_early ? " at most" : "");
  else
    buf_str(&text, is_spared || is_early ? " on the longest path" : " at best");
  if (is_shared) {
    put_bandwidth(ctx, m, &text);
  } else if (m->stats.is_busy) {
    buf_printf(&text,
               m->stats.is_unit_busy ? ": a unit of %s is busy for %u cycles per iteration"
                                     : ": %s fires %u times per iteration",
               adg_name(m->adg, m->adg->pes[m->stats.busiest_pe].component), m->stats.ii);
  } else if (m->stats.slow_cluster != MAP_NONE) {
    put_slow_unit(m, &text);
  } else if (m->ncycles) {
    buf_str(&text, ": ");
    put_cycle_nodes(&text, m, &m->cycles[0], 4);
    put_turn(ctx, m, &m->cycles[0], &text);
  }
  put_line(out, "interval", &text);
  if (m->stats.ii > m->stats.mii) {
    put_cycles(&text, m->stats.mii);
    buf_str(&text, " without the delays of placement and routing");
    put_routing(m->ncycles && !is_shared ? &m->cycles[0] : NULL, &text);
  } else if (m->stats.mii == m->stats.apart && !is_spared && !is_early) {
    buf_str(&text, "the minimum for this graph and these units");
  }
  if (text.len) put_line(out, "", &text);
  if (is_shared) put_channels(m, &text);
  if (text.len) put_line(out, "", &text);
  if (m->stats.mii > m->stats.apart) {
    put_cycles(&text, m->stats.apart);
    buf_str(&text, " if each node had its own, fastest unit");
    put_fused(m, &text);
    put_line(out, "", &text);
  }
  if (is_early) {
    buf_str(&text, "worst case: the duration of a division depends on its quotient");
    put_line(out, "", &text);
  }
  if (is_spared) {
    buf_str(&text, "worst case: an iteration that skips conditional parts takes fewer cycles");
    put_line(out, "", &text);
  }
}

static void put_expected(Context *ctx, const Mapping *m, Buf *out) {
  Buf text = {0};
  for (u32 i = 0; i < mapping_throughputs_shown(m); i++) {
    mapping_print_throughput(ctx, m, &m->throughputs[i], &text);
    put_line(out, i ? "" : "expected", &text);
    for (u32 k = 0; k < THROUGHPUT_RELIEFS; k++)
      if (mapping_print_relief(m, &m->throughputs[i], k, &text)) put_line(out, "", &text);
  }
  if (mapping_print_advice(m, &text)) put_line(out, "", &text);
}

static void put_summary(Context *ctx, const Mapping *m, Buf *out) {
  RouteSum sum = sum_routes(m);
  Buf text = {0};
  buf_printf(out, "%s onto %s, seed %u\n\n", symbol_shown(ctx, dfg_text(m->dfg, m->dfg->name)),
             symbol_shown(ctx, adg_text(m->adg, m->adg->name)), m->seed);
  put_pes(m, out);
  put_memories_used(m, out);
  u32 tenths = sum.n ? (10 * sum.steps + sum.n / 2) / sum.n : 0;
  buf_printf(&text, "%u; %u.%u steps on average, at most %u; wirelength %u", sum.n, tenths / 10,
             tenths % 10, sum.longest, mapping_steps(m));
  put_line(out, "routes", &text);
  put_interval(ctx, m, out);
  put_expected(ctx, m, out);
  buf_printf(&text, "%u component%s between two registers at most", m->stats.critical_path,
             plural(m->stats.critical_path));
  put_line(out, "clock", &text);
  buf_printf(&text, "%u placement%s, %llu moves, %u round%s of routing", m->stats.attempts,
             plural(m->stats.attempts), (unsigned long long)m->stats.moves, m->stats.route_rounds,
             plural(m->stats.route_rounds));
  put_line(out, "search", &text);
}

/* ---- details --------------------------------------------------------------------------------- */

static void put_recurrences(Context *ctx, const Mapping *m, Buf *out) {
  if (!m->ncycles) return;
  buf_str(out, "\nRecurrences, longest first\n\n");
  for (u32 i = 0; i < m->ncycles; i++) {
    const MapCycle *cycle = &m->cycles[i];
    u32 first = dfg_from(m->dfg, m->cycle_edges[cycle->first_edge]);
    buf_printf(out, "  %4u cycle%s  ", cycle->latency, cycle->latency == 1 ? " " : "s");
    put_cycle_nodes(out, m, cycle, 12);
    if (cycle->tokens > 1) buf_printf(out, ", %u tokens in flight", cycle->tokens);
    put_routing(cycle, out);
    buf_str(out, "   at ");
    dfg_where(ctx, m->dfg, first, out);
    put_turn(ctx, m, cycle, out);
    buf_char(out, '\n');
  }
}

static void put_chain(const Mapping *m, Buf *out) {
  if (!m->chain.ncomponents) return;
  buf_str(out, "\nLongest chain of components between two registers\n\n     ");
  for (u32 i = 0; i < m->chain.ncomponents; i++)
    buf_printf(out, "%s %s", i ? " ->" : "", adg_name(m->adg, m->chain.components[i]));
  buf_char(out, '\n');
}

static void put_cluster_line(Context *ctx, const Mapping *m, u32 c, Buf *out) {
  const MapCluster *cluster = &m->cover->clusters[c];
  const AdgPe *pe = &m->adg->pes[m->places[c].pe];
  Buf text = {0};
  buf_str(&text, pe_name(m, m->places[c].pe));
  if (pe->is_temporal) buf_printf(&text, "[%u]", m->places[c].instruction);
  buf_printf(out, "  %-14s %-18s ", text.data, adg_text(m->adg, unit_of(m, c)->name));
  text.len = 0;
  for (u32 i = 0; i < cluster->nnodes; i++)
    buf_printf(&text, "%s%s", i ? ", " : "",
               node_name(m, m->cover->nodes[cluster->first_node + i]));
  buf_printf(out, "%-16s ", text.data);
  dfg_where(ctx, m->dfg, m->cover->nodes[cluster->first_node + cluster->nnodes - 1], out);
  buf_char(out, '\n');
  buf_free(&text);
}

static void put_clusters(Context *ctx, const Mapping *m, Buf *out) {
  buf_str(out, "\nPEs: unit, nodes, source location\n\n");
  for (u32 pe = 0; pe < m->adg->npes; pe++)
    for (u32 c = 0; c < m->cover->nclusters; c++)
      if (m->places[c].pe == pe) put_cluster_line(ctx, m, c, out);
}

static void put_memories(const Mapping *m, Buf *out) {
  bool has_title = false;
  for (u32 i = 0; i < m->dfg->nmemories; i++) {
    const DfgMemory *memory = &m->dfg->memories[i];
    const MapMemory *at = &m->binding.memories[i];
    if (at->memory == MAP_NONE) continue;
    if (!has_title) buf_str(out, "\nMemories\n\n");
    has_title = true;
    buf_printf(out, "  %-14s %s, region %u, tags %u to %u:", memory_name(m->dfg, memory),
               adg_name(m->adg, m->adg->memories[at->memory].component), at->region, at->start,
               at->end - 1);
    for (u32 p = 0; p < dfg_memory_ports(memory); p++) {
      u32 access = m->dfg->ports[memory->first_port + p];
      buf_printf(out, "%s %s %s at %u", p ? "," : "", p < memory->nstores ? "store" : "load",
                 access == DFG_NONE ? "?" : node_name(m, access),
                 m->binding.lanes[memory->first_port + p]);
    }
    buf_char(out, '\n');
  }
}

static void put_ports(const Mapping *m, Buf *out) {
  buf_str(out, "\nPorts\n\n");
  for (u32 a = 0; a < m->dfg->nargs; a++) {
    u32 c = m->binding.args[a];
    if (c == MAP_NONE) continue;
    buf_printf(out, "  %-14s from %s", dfg_text(m->dfg, m->dfg->args[a].name), adg_name(m->adg, c));
    if (m->binding.input_tags[c] != MAP_NONE) buf_printf(out, ", tag %u", m->binding.input_tags[c]);
    buf_char(out, '\n');
  }
  for (u32 o = 0; o < m->dfg->noutputs; o++)
    buf_printf(out, "  %-14s to %s\n", dfg_text(m->dfg, m->dfg->outputs[o].name),
               adg_name(m->adg, m->binding.outputs[o]));
}

static void put_path(const Mapping *m, const MapRoute *route, Buf *out) {
  size_t column = 0;
  u32 first = route->first_step, n = route->nsteps;
  for (u32 k = 0; k < n; k++) {
    const AdgPort *port = &m->adg->ports[m->steps[first + k]];
    size_t before = out->len;
    buf_printf(out, "%s%s.%s%u", k ? " -> " : "      ", adg_name(m->adg, port->component),
               port->is_output ? "out" : "in", port->index);
    if (port->is_tagged) buf_printf(out, "@%u", m->tags[first + k]);
    column += out->len - before;
    if (column > 84 && k + 1 < n) {
      buf_str(out, "\n       ");
      column = 7;
    }
  }
  buf_char(out, '\n');
}

static void put_routes(const Mapping *m, Buf *out) {
  buf_str(out, "\nRoutes\n\n");
  for (u32 e = 0; e < m->dfg->nedges; e++) {
    const MapRoute *route = &m->routes[e];
    const DfgEdge *edge = &m->dfg->edges[e];
    if (!route->nsteps && route->register_index == MAP_NONE) continue;
    buf_printf(out, "  %s, operand %u of %s\n", dfg_text(m->dfg, edge->name), edge->operand,
               node_name(m, edge->to));
    if (route->register_index != MAP_NONE)
      buf_printf(out, "      register %u\n", route->register_index);
    if (route->nsteps) put_path(m, route, out);
  }
  for (u32 i = m->dfg->nedges; i < m->nroutes; i++) {
    buf_printf(out, "  %s, discarded\n", result_name(m->dfg, m->routes[i].result));
    put_path(m, &m->routes[i], out);
  }
}

void mapping_print_text(Context *ctx, const Mapping *m, Buf *out) {
  put_summary(ctx, m, out);
  put_recurrences(ctx, m, out);
  put_chain(m, out);
  mapping_print_throughputs(ctx, m, out);
  put_clusters(ctx, m, out);
  put_memories(m, out);
  put_ports(m, out);
  put_routes(m, out);
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* A result on a channel. The edges of a result share it. */
typedef struct {
  u32 from, to; /* ports */
  u32 result;   /* DFG */
} DotWire;

typedef Vec(DotWire) Wires;

static void add_wires(const Mapping *m, const MapRoute *route, Wires *wires) {
  const u32 *steps = m->steps + route->first_step;
  for (u32 k = 0; k + 1 < route->nsteps; k += 2) {
    DotWire wire = {steps[k], steps[k + 1], route->result};
    bool known = false;
    /* the edges of a result come one after another */
    for (size_t i = wires->len; i > 0 && wires->at[i - 1].result == route->result && !known; i--)
      known = wires->at[i - 1].from == wire.from && wires->at[i - 1].to == wire.to;
    if (!known) vec_push(wires, wire);
  }
}

static void dot_text(Buf *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') buf_char(out, '\\');
    buf_char(out, *text);
  }
}

static void dot_components(const Mapping *m, const bool *used, Buf *out) {
  for (u32 c = 0; c < m->adg->ncomponents; c++) {
    const AdgComponent *component = &m->adg->components[c];
    bool is_pe = adg_is_pe(component);
    bool is_memory = adg_is_memory(component);
    if (!used[c]) continue;
    buf_printf(out, "  c%u [label=\"", c);
    dot_text(out, adg_name(m->adg, c));
    for (u32 k = 0; is_pe && k < m->cover->nclusters; k++) {
      const MapCluster *cluster = &m->cover->clusters[k];
      if (m->places[k].pe != component->detail) continue;
      for (u32 i = 0; i < cluster->nnodes; i++) {
        buf_str(out, i ? ", " : "\\n");
        dot_text(out, node_name(m, m->cover->nodes[cluster->first_node + i]));
      }
    }
    buf_printf(out, "\"%s];\n",
               is_pe                      ? ", shape=box, style=filled, fillcolor=\"#dce9f7\""
               : is_memory                ? ", shape=cylinder, style=filled, fillcolor=\"#f3e6cf\""
               : adg_is_switch(component) ? ", shape=diamond, fontsize=9"
                                          : ", shape=plaintext");
  }
}

void mapping_print_dot(const Mapping *m, Buf *out) {
  Wires wires = {0};
  bool *used = mem_alloc(m->adg->ncomponents + (size_t)1);
  for (u32 i = 0; i < m->nroutes; i++) add_wires(m, &m->routes[i], &wires);
  for (size_t i = 0; i < wires.len; i++)
    used[m->adg->ports[wires.at[i].from].component] =
        used[m->adg->ports[wires.at[i].to].component] = true;
  for (u32 c = 0; c < m->cover->nclusters; c++) used[m->adg->pes[m->places[c].pe].component] = true;
  buf_str(out, "digraph \"");
  dot_text(out, dfg_text(m->dfg, m->dfg->name));
  buf_str(out, "\" {\n  node [fontname=\"sans-serif\", fontsize=10];\n"
               "  edge [fontname=\"sans-serif\", fontsize=8, arrowsize=0.6];\n");
  dot_components(m, used, out);
  for (size_t i = 0; i < wires.len; i++) {
    buf_printf(out, "  c%u -> c%u [label=\"", m->adg->ports[wires.at[i].from].component,
               m->adg->ports[wires.at[i].to].component);
    dot_text(out, dfg_text(m->dfg, m->dfg->results[wires.at[i].result].name));
    buf_str(out, "\"];\n");
  }
  buf_str(out, "}\n");
  vec_free(&wires);
  mem_free(used);
}

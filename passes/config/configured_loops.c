/* configured_loops.c -- finds combinational loops.
 *
 *     add ─► sw ─► add          the adder has latency 0: its result depends on its result
 *
 *     inc ─► gather ─► inc      the arbiter of `gather` grants its channel to one of two streams.
 *     x ───► gather ─► inc      Whether inc offers it a token depends on that grant
 *
 * Units of latency 0, outputs of switches that pack lanes, and shared channels, which are those
 * that carry several tags, settle within a cycle, each after its drivers. Switches and bypassed
 * FIFOs between them are wires. All other parts (units with a latency, dataflow operations,
 * memories, FIFOs, registers) offer what they held at the start of the cycle. A loop is
 * combinational where one of its parts would have to settle before itself. The parts are those of
 * machine/order.c, which relies on this check.
 *
 * A buffer of one place at an output of a switch (`forward`) also has room when its token is taken
 * in this cycle. So it settles after the shared channels and such buffers behind it, which decide
 * whether they take the token, and before the shared channels before it.
 *
 * A stream is the tokens that leave a source, a FIFO or a buffer. The edges of this graph, "settles
 * before", are found by walking back from each hop and sink to the last shared channel on its
 * stream; loops are found depth first. Linear, times the hops of a stream.
 */
#include "base/digraph.h"
#include "config/configured_state.h"

typedef struct {
  ConfBuild *b;
  bool *is_shared;    /* by conf_channel */
  DigraphEdges edges; /* `from` settles before `to` */
  Vec(u32) hops; /* by edge: the hop by which tokens come from there; ADG_NONE: there is none */
  u32 nunits;    /* nodes of the graph: units, */
  u32 nbuffers;  /* then channels (conf_channel); from this number on buffers, by hop */
  u32 nnodes;
} Loops;

/* Has the unit latency 0? In a temporal PE none has: results pass a register. */
static bool is_wire(const ConfBuild *b, u32 unit) {
  return !b->adg->pes[b->units.at[unit].pe].is_temporal &&
         adg_is_wire(&b->adg->bodies[b->units.at[unit].body]);
}

/* The channel that leads to a hop. */
static u32 channel_of(const ConfBuild *b, u32 h) {
  return conf_channel(b->adg, &b->hops.at[h]);
}

/* False for hops of an input of the fabric without a sink: it gets no tokens. */
static bool is_alive(const ConfBuild *b, u32 h) {
  const ConfSource *source = &b->sources.at[b->hops.at[h].source];
  return source->kind != CONF_INPUT || source->first_sink != ADG_NONE;
}

/* Finds the channels that tokens of more than one tag pass, even if they are of one stream. */
static void find_shared(Loops *l) {
  const ConfBuild *b = l->b;
  /* By channel: 1 + the first tag found there. */
  u32 *tag = mem_alloc(mem_size(2 * (size_t)b->adg->nports + 1, sizeof *tag));
  for (u32 h = 0; h < b->hops.len; h++) {
    const ConfHop *hop = &b->hops.at[h];
    u32 channel = channel_of(b, h);
    if (hop->tag == CONF_UNTAGGED || !is_alive(b, h)) continue;
    if (!tag[channel]) tag[channel] = hop->tag + 1;
    if (tag[channel] != hop->tag + 1) l->is_shared[channel] = true;
  }
  mem_free(tag);
}

/* The node of a source that settles within the cycle, a unit of latency 0 or an output that packs
 * lanes; else ADG_NONE. */
static u32 source_node(const Loops *l, const ConfSource *source) {
  if (source->kind == CONF_PACKED) return l->nunits + source->port;
  return source->kind == CONF_RESULT && is_wire(l->b, source->of) ? source->of : ADG_NONE;
}

/* The node that settles just before the tokens at a hop: the last shared channel at or before it on
 * its stream, else the node of its source; ADG_NONE: they are known at the start of the cycle. */
static u32 settles_before(const Loops *l, u32 h) {
  const ConfBuild *b = l->b;
  for (u32 fifos = b->hops.at[h].fifos;; h = b->hops.at[h].from) {
    if (b->hops.at[h].fifos != fifos) return ADG_NONE;
    if (l->is_shared[channel_of(b, h)]) return l->nunits + channel_of(b, h);
    if (b->hops.at[h].from == ADG_NONE) break;
  }
  const ConfSource *source = &b->sources.at[b->hops.at[h].source];
  return b->hops.at[h].fifos ? ADG_NONE : source_node(l, source);
}

static void put_edge(Loops *l, u32 from, u32 to, u32 hop) {
  if (from == ADG_NONE) return;
  digraph_edge(&l->edges, from, to);
  vec_push(&l->hops, hop);
}

/* A hop into a buffer of one place. */
static bool is_forward(const ConfBuild *b, u32 h) {
  return adg_buffer(b->adg, b->hops.at[h].port) == BUFFER_FORWARD && is_alive(b, h);
}

static bool has_forward(const ConfBuild *b) {
  for (u32 i = 0; i < b->adg->nswitches; i++)
    if (b->adg->switches[i].buffer == BUFFER_FORWARD) return true;
  return false;
}

/* Adds edges for room in `forward` buffers, which settles from the end of a route to its start. */
static void find_room(Loops *l) {
  const ConfBuild *b = l->b;
  for (u32 h = 0; h < b->hops.len; h++) {
    u32 fifos = b->hops.at[h].fifos, before = h;
    bool ends_here = is_forward(b, h);
    while (before != ADG_NONE && b->hops.at[before].fifos == fifos) {
      bool is_shared = l->is_shared[channel_of(b, before)];
      if (ends_here && is_shared)
        put_edge(l, l->nbuffers + h, l->nunits + channel_of(b, before), ADG_NONE);
      before = b->hops.at[before].from;
    }
    if (before == ADG_NONE || !is_forward(b, before)) continue;
    if (l->is_shared[channel_of(b, h)])
      put_edge(l, l->nunits + channel_of(b, h), l->nbuffers + before, ADG_NONE);
    if (ends_here) put_edge(l, l->nbuffers + h, l->nbuffers + before, ADG_NONE);
  }
}

static void find_edges(Loops *l) {
  ConfBuild *b = l->b;
  if (has_forward(b)) find_room(l);
  for (size_t h = 0; h < b->hops.len; h++) {
    const ConfHop *hop = &b->hops.at[h];
    u32 channel = channel_of(b, (u32)h), before = ADG_NONE;
    if (!l->is_shared[channel] || !is_alive(b, (u32)h)) continue;
    if (hop->from != ADG_NONE && b->hops.at[hop->from].fifos == hop->fifos) {
      before = settles_before(l, hop->from);
    } else if (hop->from == ADG_NONE) {
      before = source_node(l, &b->sources.at[hop->source]);
    }
    put_edge(l, before, l->nunits + channel, hop->from);
  }
  for (u32 u = 0; u < l->nunits; u++) {
    if (!is_wire(b, u)) continue;
    for (u32 k = 0; k < b->adg->bodies[b->units.at[u].body].nargs; k++) {
      u32 sink = b->operands.at[b->units.at[u].first_operand + k];
      if (sink == ADG_NONE || b->sinks.at[sink].hop == ADG_NONE) continue;
      put_edge(l, settles_before(l, b->sinks.at[sink].hop), u, b->sinks.at[sink].hop);
    }
  }
  for (size_t p = 0; p < b->parts.len; p++) {
    u32 sink = b->parts.at[p].sink;
    if (sink == ADG_NONE) continue;
    u32 hop = b->sinks.at[sink].hop, port = b->packs.at[b->sinks.at[sink].of].port;
    put_edge(l, settles_before(l, hop), l->nunits + port, hop);
  }
}

/* The output port of a channel or a buffer. */
static u32 port_of(const Loops *l, u32 node) {
  return node >= l->nbuffers ? l->b->hops.at[node - l->nbuffers].port
                             : (node - l->nunits) % l->b->adg->nports;
}

static void node_text(const Loops *l, u32 node, Buf *out) {
  if (node < l->nunits) {
    conf_unit_text(l->b->conf, node, out);
    return;
  }
  u32 nports = l->b->adg->nports, channel = node - l->nunits;
  bool is_buffer = node >= l->nbuffers;
  const AdgPort *port = &l->b->adg->ports[port_of(l, node)];
  if (is_buffer)
    buf_printf(out, "space in the buffer at output %u of ", port->index);
  else if (channel < nports && l->b->pack_at[channel] != ADG_NONE)
    buf_printf(out, "the lanes packed in output %u of ", port->index);
  else if (channel >= nports)
    buf_printf(out, "the turn at the buffer at output %u of ", port->index);
  else
    buf_str(out, "the shared channel from ");
  buf_printf(out, "'%s'", adg_name(l->b->adg, port->component));
}

/* Appends the components that the tokens of an edge pass as wires: switches, bypassed FIFOs, tag
 * components. */
static void hops_text(const Loops *l, u32 edge, Buf *out) {
  const ConfBuild *b = l->b;
  Vec(u32) passed = {0}; /* backwards */
  for (u32 h = l->hops.at[edge]; h != ADG_NONE && !l->is_shared[channel_of(b, h)];) {
    h = b->hops.at[h].from;
    if (h != ADG_NONE) vec_push(&passed, b->adg->ports[b->hops.at[h].port].component);
  }
  for (size_t i = passed.len; i-- > 0;)
    buf_printf(out, "%s'%s'",
               i + 1 == passed.len ? ", through "
               : i                 ? ", "
                                   : " and ",
               adg_name(b->adg, passed.at[i]));
  vec_free(&passed);
}

/* Reports the loop from `to` along the path, whose last node has an edge back to `to`. next[v] - 1
 * is the place in the graph of the edge by which the path leaves v. */
static void report(Loops *l, const u32 *path, u32 n, u32 to, const Digraph *graph,
                   const u32 *next) {
  ConfBuild *b = l->b;
  Buf text = {0};
  conf_show(b);
  node_text(l, to, &text);
  u32 first = n;
  while (path[first - 1] != to) first--;
  for (u32 i = first - 1; i < n; i++) {
    if (i >= first) buf_str(&text, ", ");
    if (i >= first) node_text(l, path[i], &text);
    hops_text(l, graph->edge[next[path[i]] - 1], &text);
  }
  u32 port = to < l->nunits ? ADG_NONE : port_of(l, to);
  Loc loc = port == ADG_NONE ? conf_unit_loc(b->conf, to)
                             : b->adg->components[b->adg->ports[port].component].loc;
  conf_diag(b, loc, CFG_COMBINATIONAL, "combinational loop without a register: %s", text.data);
  buf_free(&text);
}

/* Depth-first search with an explicit stack: an edge to a node on the path closes a loop. */
static void find_loops(Loops *l) {
  enum { NEW, OPEN, DONE };
  if (!l->hops.len) return;
  Arena *arena = arena_new();
  Digraph graph = digraph_new(arena, l->nnodes, &l->edges);
  u8 *state = NEW_ARRAY(arena, u8, l->nnodes);
  u32 *path = NEW_ARRAY(arena, u32, l->nnodes), *next = NEW_ARRAY(arena, u32, l->nnodes);
  for (u32 root = 0; root < l->nnodes; root++) {
    u32 depth = 0;
    if (state[root] != NEW) continue;
    path[depth++] = root;
    next[root] = graph.first[root];
    state[root] = OPEN;
    while (depth) {
      u32 v = path[depth - 1];
      if (next[v] == graph.first[v + 1]) {
        state[v] = DONE;
        depth--;
        continue;
      }
      u32 w = graph.to[next[v]++];
      if (state[w] == OPEN) report(l, path, depth, w, &graph, next);
      if (state[w] != NEW) continue;
      state[w] = OPEN;
      next[w] = graph.first[w];
      path[depth++] = w;
    }
  }
  arena_free(arena);
}

void conf_report_loops(ConfBuild *b) {
  Loops l = {.b = b, .nunits = (u32)b->units.len};
  l.nbuffers = l.nunits + 2 * b->adg->nports;
  l.nnodes = l.nbuffers + (u32)b->hops.len;
  l.is_shared = mem_alloc(2 * (size_t)b->adg->nports + 1);
  find_shared(&l);
  find_edges(&l);
  find_loops(&l);
  vec_free(&l.edges);
  vec_free(&l.hops);
  mem_free(l.is_shared);
}

/* net.c -- converts a graph, and configured hardware, to nets. See net.h.
 *
 * Sinks of the graph are dropped: hardware discards unused tokens on their way. A memory becomes
 * its ports: a node for each load and each store, labelled by the lane that the binding assigns to
 * it. So both sides consist of arguments, outputs, lanes and operations. Linear but for the search
 * of arguments by component.
 */
#include "check/net.h"

#include "text/text.h"

/* ---- operations and their types -------------------------------------------------------------- */

static const AdgType no_type = {.kind = TYPE_NONE};

/* What an operation computes, but for its types. */
typedef struct {
  u32 kind, noperands, nresults, predicate, step_op, cont_cond;
  u64 literal;
} NetOp;

static NetOp net_op(const Net *net, u32 o) {
  if (net->is_hardware) {
    const ConfOp *op = &net->conf->ops[o];
    const AdgNode *hw = &net->conf->adg->nodes[op->node];
    return (NetOp){hw->kind,    op->noperands, hw->nresults, op->predicate,
                   hw->step_op, op->cont_cond, op->literal};
  }
  const DfgNode *op = &net->dfg->nodes[o];
  return (NetOp){op->kind,    op->noperands, op->nresults, op->predicate,
                 op->step_op, op->cont_cond, op->literal};
}

static AdgType type_of_graph(const DfgType *t) {
  return (AdgType){.kind = t->kind, .float_kind = t->float_kind, .bits = t->bits, .ir = t->ir};
}

static AdgType result_type(const Net *net, u32 o, u32 r) {
  const Configured *conf = net->conf;
  if (!net->is_hardware) {
    const Dfg *dfg = net->dfg;
    return type_of_graph(&dfg->types[dfg->results[dfg->nodes[o].first_result + r].type]);
  }
  const AdgBody *body = &conf->adg->bodies[conf->units[conf->ops[o].unit].body];
  u32 first = body->first_value + conf->adg->nodes[conf->ops[o].node].first_result;
  return conf->adg->values[first + r];
}

static AdgType operand_type(const Net *net, u32 o, u32 i) {
  const Configured *conf = net->conf;
  if (!net->is_hardware) return type_of_graph(dfg_edge_type(net->dfg, dfg_operand(net->dfg, o, i)));
  ConfValue v = conf_operand(conf, o, i);
  if (v.op < conf->nops) return result_type(net, v.op, v.index);
  const AdgBody *body = &conf->adg->bodies[conf->units[conf->ops[o].unit].body];
  return conf->adg->values[body->first_value + v.index];
}

static bool op_commutes(u32 kind) {
  return kind == OP_HANDSHAKE_JOIN || op_info((OpKind)kind)->traits & TRAIT_COMMUTATIVE;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static u64 mix(u64 hash, u64 word) {
  return hash_bytes(&word, sizeof word, hash);
}

static u64 label_type(u64 label, AdgType t) {
  return mix(label,
             (u64)t.kind << 48 | (u64)(t.kind == TYPE_FLOAT ? t.float_kind : 0) << 40 | t.bits);
}

static u64 label_port(NetKind kind, u32 a, u32 b) {
  return mix(mix(kind, a), b);
}

/* The label of all ports of a kind, without a binding. */
static u64 label_any(NetKind kind) {
  return label_port(kind, MAP_NONE, MAP_NONE);
}

static u64 label_op(NetOp op) {
  u64 label = mix(NET_OP, (u64)op.kind << 32 | op.noperands);
  bool compares = op.kind == OP_ARITH_CMPI || op.kind == OP_ARITH_CMPF;
  bool streams = op.kind == OP_DATAFLOW_STREAM;
  label = mix(label, op.nresults);
  label = mix(label, op.kind == OP_HANDSHAKE_CONSTANT ? op.literal : 0);
  return mix(label, (u64)(compares ? op.predicate : 0) << 32 |
                        (streams ? op.step_op << 8 | op.cont_cond : 0));
}

/* With the types. Those of the operands count in any order if the operation is commutative. */
static u64 label_typed(const Net *net, u32 o) {
  NetOp op = net_op(net, o);
  u64 label = label_op(op);
  for (u32 i = 0; i < op.noperands; i++) {
    AdgType t = operand_type(net, o, i);
    label = op_commutes(op.kind) ? label + label_type(1, t) : label_type(label, t);
  }
  for (u32 i = 0; i < op.nresults; i++) label = label_type(label, result_type(net, o, i));
  return label;
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct {
  Vec(NetNode) nodes;
  Vec(NetInput) inputs;
} NetBuild;

static u32 put_node(NetBuild *b, NetKind kind, u64 label, u32 of, u32 nresults) {
  vec_push(&b->nodes, ((NetNode){.kind = (u8)kind,
                                 .label = label,
                                 .of = of,
                                 .first_input = (u32)b->inputs.len,
                                 .nresults = nresults}));
  return (u32)b->nodes.len - 1;
}

static u32 put_op(NetBuild *b, const Net *net, u32 o) {
  NetOp op = net_op(net, o);
  u32 node = put_node(b, NET_OP, label_typed(net, o), o, op.nresults);
  vec_last(&b->nodes).commutes = op_commutes(op.kind);
  return node;
}

static void put_input(NetBuild *b, NetInput input) {
  vec_push(&b->inputs, input);
  vec_last(&b->nodes).ninputs++;
}

static void finish(NetBuild *b, Net *net) {
  Arena *arena = net->arena = arena_new();
  net->nnodes = (u32)b->nodes.len;
  net->ninputs = (u32)b->inputs.len;
  net->nodes = arena_copy(arena, b->nodes.at, net->nnodes * sizeof *net->nodes);
  net->inputs = arena_copy(arena, b->inputs.at, net->ninputs * sizeof *net->inputs);
  net->uses = NEW_ARRAY(arena, NetUse, net->ninputs);
  vec_free(&b->nodes);
  vec_free(&b->inputs);
  for (u32 i = 0; i < net->ninputs; i++)
    if (net->inputs[i].node != MAP_NONE) net->nodes[net->inputs[i].node].nuses++;
  for (u32 n = 0, at = 0; n < net->nnodes; n++) {
    net->nodes[n].first_use = at;
    at += net->nodes[n].nuses;
    net->nodes[n].nuses = 0;
  }
  for (u32 n = 0; n < net->nnodes; n++)
    for (u32 i = 0; i < net->nodes[n].ninputs; i++) {
      u32 from = net->inputs[net->nodes[n].first_input + i].node;
      if (from == MAP_NONE) continue;
      NetNode *f = &net->nodes[from];
      net->uses[f->first_use + f->nuses++] = (NetUse){n, i};
    }
}

void net_free(Net *net) {
  arena_free(net->arena);
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Whether a node of the graph becomes an operation of the net. */
static bool is_operation(const DfgNode *node) {
  switch ((FireClass)node->fire) {
  case FIRE_ARG:
  case FIRE_RETURN:
  case FIRE_MEMORY:
  case FIRE_EXTMEMORY:
  case FIRE_SINK: return false;
  default: return true;
  }
}

typedef struct {
  Context *ctx;
  const Dfg *dfg;
  const Adg *adg;
  const MapBinding *binding;
  NetBuild b;
  u32 *node_of; /* by DFG node: its net node */
  u32 *port_of; /* by Dfg.ports: likewise */
  bool failed;
} GraphNet;

PRINTF_LIKE(3, 4)
static void bad_binding(GraphNet *g, u32 node, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(g->ctx, node == DFG_NONE ? g->dfg->loc : g->dfg->nodes[node].loc, CHECK_BINDING, format,
            args);
  va_end(args);
  g->failed = true;
}

static const DfgMemory *memory_of_node(const GraphNet *g, u32 node) {
  return &g->dfg->memories[g->dfg->nodes[node].memory];
}

/* The driver of an edge. */
static NetInput input_of_edge(const GraphNet *g, u32 edge) {
  u32 result = g->dfg->edges[edge].result, node = g->dfg->results[result].node;
  const DfgNode *from = &g->dfg->nodes[node];
  u32 index = result - from->first_result;
  if (!dfg_is_memory(from)) return (NetInput){g->node_of[node], index, edge};
  const DfgMemory *m = memory_of_node(g, node);
  u32 port = dfg_port_of_result(m, index);
  return (NetInput){g->port_of[m->first_port + port], index >= dfg_memory_ports(m), edge};
}

/* False where the key was taken before. */
static bool take(Map *taken, u64 key) {
  u64 *slot = map_slot(taken, key);
  return !(*slot)++;
}

/* Checks where an argument is bound. False if it is no node of the net. */
static bool check_argument(GraphNet *g, u32 a, Map *taken) {
  const DfgArg *arg = &g->dfg->args[a];
  const char *name = dfg_text(g->dfg, arg->name);
  bool is_used = dfg_arg_is_used(g->dfg, arg);
  if (!g->binding) return is_used;
  u32 c = g->binding->args[a];
  if (c == MAP_NONE) {
    if (is_used)
      bad_binding(g, arg->node, "argument '%s' is used, but not bound to an input of the fabric",
                  name);
    return false;
  }
  if (c >= g->adg->ncomponents || g->adg->components[c].kind != ADG_INPUT) {
    bad_binding(g, arg->node, "argument '%s' is not bound to an input of the fabric", name);
    return false;
  }
  if (!take(taken, c))
    bad_binding(g, arg->node, "two arguments are bound to input '%s' of the fabric",
                adg_name(g->adg, c));
  return true;
}

static void put_arguments(GraphNet *g) {
  Map taken = {0};
  for (u32 a = 0; a < g->dfg->nargs; a++) {
    const DfgArg *arg = &g->dfg->args[a];
    if (arg->role == DFG_ARG_MEMREF || !check_argument(g, a, &taken)) continue;
    u64 label = g->binding ? label_port(NET_ARG, g->binding->args[a], 0) : label_any(NET_ARG);
    g->node_of[arg->node] = put_node(&g->b, NET_ARG, label, a, 1);
  }
  map_free(&taken);
}

/* Checks that the place of a memory exists on the fabric and suits it. */
static bool check_place(GraphNet *g, u32 m) {
  const DfgMemory *memory = &g->dfg->memories[m];
  const MapMemory *place = &g->binding->memories[m];
  const char *name = dfg_text(g->dfg, memory->name);
  const DfgType *elem = &g->dfg->types[memory->elem];
  if (place->memory >= g->adg->nmemories) {
    bad_binding(g, memory->node, "memory '%s' is not bound to a memory of the fabric", name);
    return false;
  }
  const AdgMemory *hw = &g->adg->memories[place->memory];
  const char *hw_name = adg_name(g->adg, hw->component);
  if (place->region >= hw->nregions)
    bad_binding(g, memory->node, "memory '%s' is bound to region %u of '%s', which has %u region%s",
                name, place->region, hw_name, hw->nregions, plural(hw->nregions));
  else if (memory->arg != DFG_NONE ? !hw->is_external && hw->is_private : hw->is_external)
    bad_binding(g, memory->node, "memory '%s' is %s, but '%s' is %s", name,
                memory->arg != DFG_NONE ? "an argument" : "local to the graph", hw_name,
                hw->is_external ? "external" : "private");
  else if (memory->ninitials && hw->is_private)
    bad_binding(g, memory->node, "memory '%s' has initial contents, but '%s' is private", name,
                hw_name);
  else if (memory->arg != DFG_NONE && !hw->is_external &&
           g->dfg->types[g->dfg->args[memory->arg].type].ir->layout)
    bad_binding(g, memory->node,
                "memory '%s' has a memref layout, which on-chip memory '%s' does not support", name,
                hw_name);
  else if (elem->bits > hw->elem_bits)
    bad_binding(g, memory->node, "elements of '%s' have %u bits, but those of '%s' only %u", name,
                elem->bits, hw_name, hw->elem_bits);
  else if (memory->naddresses > 1)
    bad_binding(g, memory->node, "accesses of '%s' have %u addresses, but hardware has only one",
                name, memory->naddresses);
  else
    return true;
  return false;
}

static void check_lane(GraphNet *g, const DfgMemory *memory, const MapMemory *place, bool is_store,
                       u32 lane, Map *taken) {
  const char *noun = is_store ? "store" : "load", *name = dfg_text(g->dfg, memory->name);
  bool is_free = take(taken, (u64)1 << 63 | (u64)place->memory << 32 | (u64)is_store << 31 |
                                 (lane & 0x7fffffff));
  if (lane < place->start || lane >= place->end)
    bad_binding(g, memory->node, "a %s of '%s' is bound to lane %u, outside its region", noun, name,
                lane);
  else if (!is_free)
    bad_binding(g, memory->node, "two %ss of '%s' are bound to lane %u", noun, name, lane);
}

static void put_memories(GraphNet *g) {
  Map taken = {0};
  for (u32 m = 0; m < g->dfg->nmemories; m++) {
    const DfgMemory *memory = &g->dfg->memories[m];
    const MapMemory *place = g->binding ? &g->binding->memories[m] : NULL;
    if (place && !check_place(g, m)) continue;
    if (place && !take(&taken, (u64)place->memory << 32 | place->region))
      bad_binding(g, memory->node, "two memories are bound to region %u of '%s'", place->region,
                  adg_name(g->adg, g->adg->memories[place->memory].component));
    for (u32 p = 0; p < dfg_memory_ports(memory); p++) {
      bool is_store = p < memory->nstores;
      u32 port = memory->first_port + p;
      NetKind kind = is_store ? NET_STORE : NET_LOAD;
      u64 label = label_any(kind);
      if (place) {
        check_lane(g, memory, place, is_store, g->binding->lanes[port], &taken);
        label = label_port(kind, place->memory, g->binding->lanes[port]);
      }
      g->port_of[port] = put_node(&g->b, kind, label, port, is_store ? 1 : 2);
    }
  }
  map_free(&taken);
}

static bool check_output(GraphNet *g, u32 o, Map *taken) {
  u32 c = g->binding->outputs[o];
  if (c >= g->adg->ncomponents || g->adg->components[c].kind != ADG_OUTPUT) {
    bad_binding(g, g->dfg->return_node, "result '%s' is not bound to an output of the fabric",
                dfg_text(g->dfg, g->dfg->outputs[o].name));
    return false;
  }
  if (!take(taken, c))
    bad_binding(g, g->dfg->return_node, "two results are bound to output '%s' of the fabric",
                adg_name(g->adg, c));
  return true;
}

static void put_outputs(GraphNet *g) {
  Map taken = {0};
  for (u32 o = 0; o < g->dfg->noutputs; o++) {
    if (g->binding && !check_output(g, o, &taken)) continue;
    u64 label =
        g->binding ? label_port(NET_OUTPUT, g->binding->outputs[o], 0) : label_any(NET_OUTPUT);
    put_node(&g->b, NET_OUTPUT, label, o, 0);
  }
  map_free(&taken);
}

static void put_inputs(GraphNet *g, u32 n) {
  NetNode *node = &g->b.nodes.at[n];
  const Dfg *dfg = g->dfg;
  node->first_input = (u32)g->b.inputs.len;
  if (node->kind == NET_OP) {
    node->ninputs = dfg->nodes[node->of].noperands;
    for (u32 i = 0; i < node->ninputs; i++)
      vec_push(&g->b.inputs, input_of_edge(g, dfg_operand(dfg, node->of, i)));
  } else if (node->kind == NET_OUTPUT) {
    node->ninputs = 1;
    vec_push(&g->b.inputs, input_of_edge(g, dfg_operand(dfg, dfg->return_node, node->of)));
  } else if (node->kind != NET_ARG) {
    const DfgMemory *m = &dfg->memories[dfg_memory_of_port(dfg, node->of)];
    u32 p = node->of - m->first_port; /* stores have data and address, loads an address */
    u32 at = p < m->nstores ? 2 * p : 2 * m->nstores + (p - m->nstores);
    node->ninputs = p < m->nstores ? 2 : 1;
    vec_push(&g->b.inputs,
             input_of_edge(g, dfg_operand(dfg, m->node, p < m->nstores ? at + 1 : at)));
    if (p < m->nstores) vec_push(&g->b.inputs, input_of_edge(g, dfg_operand(dfg, m->node, at)));
  }
}

bool net_of_graph(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding,
                  Net *net) {
  Arena *arena = arena_new();
  u32 nports = dfg_nports(dfg);
  GraphNet g = {.ctx = ctx,
                .dfg = dfg,
                .adg = adg,
                .binding = binding,
                .node_of = NEW_ARRAY(arena, u32, dfg->nnodes),
                .port_of = NEW_ARRAY(arena, u32, nports)};
  *net = (Net){.dfg = dfg};
  memset(g.node_of, 0xff, mem_size(dfg->nnodes, sizeof(u32)));
  memset(g.port_of, 0xff, mem_size(nports, sizeof(u32)));
  put_arguments(&g);
  put_memories(&g);
  put_outputs(&g);
  for (u32 n = 0; n < dfg->nnodes; n++)
    if (is_operation(&dfg->nodes[n])) g.node_of[n] = put_op(&g.b, net, n);
  for (u32 n = 0; n < g.b.nodes.len; n++) put_inputs(&g, n);
  arena_free(arena);
  finish(&g.b, net);
  return !g.failed;
}

bool mapping_fits(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding) {
  Net net = {0};
  bool good = net_of_graph(ctx, dfg, adg, binding, &net);
  net_free(&net);
  return good;
}

/* ---- the hardware ---------------------------------------------------------------------------- */

/* One step of the conversion of a value by a wire, which reinterprets its bits. */
typedef struct {
  u32 kind; /* arith.extui, ... */
  u32 sink; /* the end of the wire */
  AdgType from, to;
  NetInput input;
} NetCast;

typedef struct {
  const Net *net;
  const Dfg *dfg;
  const Configured *conf;
  const MapBinding *binding;
  u32 *input_of; /* by component: the net node of an input */
  u32 first_lane, first_op, first_cast;
  Vec(NetCast) casts;
} HardwareNet;

static NetInput input_of(const HardwareNet *h, ConfProducer p) {
  NetInput in = {MAP_NONE, p.index, p.sink};
  switch ((ConfProducerKind)p.kind) {
  case CONF_FROM_INPUT: in.node = h->input_of[p.of]; break;
  case CONF_FROM_OP: in.node = p.of < h->conf->nops ? h->first_op + p.of : MAP_NONE; break;
  case CONF_FROM_LANE:
    in.node = h->first_lane + p.of;
    if (h->conf->lanes[p.of].is_store) in.result = 0;
    break;
  case CONF_FROM_PACK:
  case CONF_FROM_NOBODY: break;
  }
  return in;
}

/* ---- types on wires -------------------------------------------------------------------------- */

/* The type of a producer's values: of an argument, as in the graph. None, which matches any type,
 * for other inputs and for data of memories. */
static AdgType producer_type(const HardwareNet *h, ConfProducer p) {
  const Configured *conf = h->conf;
  if (p.kind == CONF_FROM_OP && p.of < conf->nops) return result_type(h->net, p.of, p.index);
  for (u32 a = 0; p.kind == CONF_FROM_INPUT && h->binding && a < h->dfg->nargs; a++)
    if (h->dfg->args[a].role != DFG_ARG_MEMREF && h->binding->args[a] == p.of)
      return type_of_graph(&h->dfg->types[h->dfg->args[a].type]);
  return no_type;
}

static void put_cast(HardwareNet *h, u32 kind, u8 to, u32 bits, AdgType *type, NetInput *in) {
  NetCast cast = {kind, 0, *type, {.kind = to, .bits = bits}, *in};
  vec_push(&h->casts, cast);
  *type = cast.to;
  *in = (NetInput){h->first_cast + (u32)h->casts.len - 1, 0, MAP_NONE};
}

static bool is_number(AdgType t) {
  return t.kind == TYPE_INT || t.kind == TYPE_INDEX || t.kind == TYPE_FLOAT;
}

/* The input of a consumer of type `wants`. If the producer has another type, casts are inserted:
 * the wire passes the same bits, zero-extended. So it must carry all bits that both types have,
 * which check_width checks at the narrower end.
 *
 * A graph cannot do without these casts, as its operands have types. To leave them out of both nets
 * instead would be wrong: units compute casts too, and a graph that truncates and extends a value
 * would equal hardware that does not. */
static NetInput input_as(HardwareNet *h, ConfProducer p, AdgType wants) {
  const Configured *conf = h->conf;
  AdgType type = producer_type(h, p);
  NetInput in = input_of(h, p);
  bool same = type.kind == wants.kind && type.bits == wants.bits &&
              (type.kind != TYPE_FLOAT || type.float_kind == wants.float_kind);
  if (same || !is_number(type) || !is_number(wants) || in.node == MAP_NONE) return in;
  if (!h->binding || p.sink == ADG_NONE) return in;
  if (conf->sinks[p.sink].hop == ADG_NONE || conf->hops[conf->sinks[p.sink].hop].is_moved)
    return in;
  size_t first = h->casts.len;
  bool is_cut = type.bits > wants.bits;
  if (is_cut) in.carrier = MAP_NONE;
  if (type.kind == TYPE_INDEX) put_cast(h, OP_ARITH_INDEX_CAST, TYPE_INT, type.bits, &type, &in);
  if (type.kind == TYPE_FLOAT) put_cast(h, OP_ARITH_BITCAST, TYPE_INT, type.bits, &type, &in);
  if (type.bits != wants.bits)
    put_cast(h, is_cut ? OP_ARITH_TRUNCI : OP_ARITH_EXTUI, TYPE_INT, wants.bits, &type, &in);
  if (wants.kind == TYPE_INDEX) put_cast(h, OP_ARITH_INDEX_CAST, TYPE_INDEX, type.bits, &type, &in);
  if (wants.kind == TYPE_FLOAT) {
    put_cast(h, OP_ARITH_BITCAST, TYPE_FLOAT, type.bits, &type, &in);
    vec_last(&h->casts).to.float_kind = wants.float_kind;
  }
  if (is_cut) in.carrier = p.sink;
  for (size_t k = first; k < h->casts.len; k++) h->casts.at[k].sink = p.sink;
  return in;
}

/* The input that a sink brings; unsound hardware may have no sink here. */
static NetInput input_of_sink(HardwareNet *h, u32 sink, AdgType wants) {
  return sink == ADG_NONE ? (NetInput){MAP_NONE, 0, MAP_NONE}
                          : input_as(h, conf_producer(h->conf, sink), wants);
}

static u64 label_cast(const NetCast *c) {
  NetOp op = {.kind = c->kind, .noperands = 1, .nresults = 1};
  return label_type(label_type(label_op(op), c->from), c->to);
}

/* ---- the hardware's net ---------------------------------------------------------------------- */

static bool is_bound(const Dfg *dfg, const MapBinding *binding, u32 component) {
  for (u32 a = 0; binding && a < dfg->nargs; a++)
    if (dfg->args[a].role != DFG_ARG_MEMREF && binding->args[a] == component) return true;
  return false;
}

static bool is_bound_output(const Dfg *dfg, const MapBinding *binding, u32 component) {
  for (u32 o = 0; o < dfg->noutputs; o++)
    if (binding->outputs[o] == component) return true;
  return false;
}

/* True if a source is an unbound input that only wires and FIFOs connect to unbound outputs: that
 * is a fixed part of the fabric, not the image, and no tokens arrive there. */
static bool is_idle_wire(const Dfg *dfg, const Configured *conf, const MapBinding *binding,
                         u32 source) {
  const Adg *adg = conf->adg;
  if (!binding || conf->sources[source].kind != CONF_INPUT) return false;
  if (is_bound(dfg, binding, conf->sources[source].of)) return false;
  for (u32 s = conf->sources[source].first_sink; s != ADG_NONE; s = conf->sinks[s].next) {
    if (conf->sinks[s].kind != CONF_OUTPUT || is_bound_output(dfg, binding, conf->sinks[s].of))
      return false;
    for (u32 h = conf->hops[conf->sinks[s].hop].from; h != ADG_NONE; h = conf->hops[h].from)
      if (adg->components[adg->ports[conf->hops[h].port].component].kind != ADG_FIFO) return false;
  }
  return true;
}

/* The sink of an output, ADG_NONE if it has none or is the end of an idle wire. */
static u32 output_sink(const HardwareNet *h, u32 component) {
  u32 sink = h->conf->output_sinks[component];
  bool counts =
      sink != ADG_NONE && !is_idle_wire(h->dfg, h->conf, h->binding, h->conf->sinks[sink].source);
  return counts ? sink : ADG_NONE;
}

static void put_inputs_of_hardware(HardwareNet *h, NetBuild *b) {
  const Configured *conf = h->conf;
  for (u32 c = 0; c < conf->adg->ncomponents; c++) {
    u32 source = conf->input_sources[c];
    h->input_of[c] = MAP_NONE;
    if (source == ADG_NONE || conf->sources[source].first_sink == ADG_NONE) continue;
    if (is_idle_wire(h->dfg, conf, h->binding, source)) continue;
    if (conf_is_used(conf, source) || is_bound(h->dfg, h->binding, c))
      h->input_of[c] =
          put_node(b, NET_ARG, h->binding ? label_port(NET_ARG, c, 0) : label_any(NET_ARG), c, 1);
  }
}

void net_of_hardware(const Dfg *dfg, const Configured *conf, const MapBinding *binding, Net *net) {
  const Adg *adg = conf->adg;
  NetBuild b = {0};
  *net = (Net){.is_hardware = true, .dfg = dfg, .conf = conf};
  HardwareNet h = {.net = net,
                   .dfg = dfg,
                   .conf = conf,
                   .binding = binding,
                   .input_of = mem_alloc(mem_size(adg->ncomponents + (size_t)1, sizeof(u32)))};
  put_inputs_of_hardware(&h, &b);
  h.first_lane = (u32)b.nodes.len;
  h.first_op = h.first_lane + conf->nlanes;
  h.first_cast = h.first_op + conf->nops;
  for (u32 c = 0; c < adg->ncomponents; c++) h.first_cast += output_sink(&h, c) != ADG_NONE;
  for (u32 l = 0; l < conf->nlanes; l++) {
    const ConfLane *lane = &conf->lanes[l];
    NetKind kind = lane->is_store ? NET_STORE : NET_LOAD;
    put_node(&b, kind, binding ? label_port(kind, lane->memory, lane->tag) : label_any(kind), l,
             lane->is_store ? 1 : 2);
    put_input(&b, input_of_sink(&h, lane->address,
                                (AdgType){.kind = TYPE_INDEX, .bits = adg->index_width}));
    if (lane->is_store) put_input(&b, input_of_sink(&h, lane->data, no_type));
  }
  for (u32 o = 0; o < conf->nops; o++) {
    put_op(&b, net, o);
    for (u32 i = 0; i < conf->ops[o].noperands; i++)
      put_input(&b, input_as(&h, conf_operand_producer(conf, o, i), operand_type(net, o, i)));
  }
  for (u32 c = 0; c < adg->ncomponents; c++) {
    u32 sink = output_sink(&h, c);
    if (sink == ADG_NONE) continue;
    put_node(&b, NET_OUTPUT, binding ? label_port(NET_OUTPUT, c, 0) : label_any(NET_OUTPUT), c, 0);
    put_input(&b, input_of_sink(&h, sink, no_type));
  }
  for (size_t k = 0; k < h.casts.len; k++) {
    const NetCast *cast = &h.casts.at[k];
    put_node(&b, NET_OP, label_cast(cast), cast->sink, 1);
    vec_last(&b.nodes).is_cast = true;
    put_input(&b, cast->input);
  }
  mem_free(h.input_of);
  vec_free(&h.casts);
  finish(&b, net);
}

/* ---- text for messages ----------------------------------------------------------------------- */

static void lane_text(const char *noun, u32 number, const char *name, Buf *out) {
  buf_printf(out, "%s %u of '%s'", noun, number, name);
}

static void graph_node_text(const Dfg *dfg, const NetNode *node, Buf *out) {
  switch ((NetKind)node->kind) {
  case NET_OP: buf_printf(out, "'%s'", dfg_text(dfg, dfg->nodes[node->of].name)); break;
  case NET_ARG: buf_printf(out, "argument '%s'", dfg_text(dfg, dfg->args[node->of].name)); break;
  case NET_OUTPUT:
    buf_printf(out, "result '%s'", dfg_text(dfg, dfg->outputs[node->of].name));
    break;
  default: {
    const DfgMemory *m = &dfg->memories[dfg_memory_of_port(dfg, node->of)];
    u32 p = node->of - m->first_port;
    lane_text(p < m->nstores ? "store" : "load", p < m->nstores ? p : p - m->nstores,
              dfg_text(dfg, m->name), out);
    break;
  }
  }
}

void net_node_text(const Net *net, u32 n, Buf *out) {
  const NetNode *node = &net->nodes[n];
  if (!net->is_hardware) {
    graph_node_text(net->dfg, node, out);
    return;
  }
  if (node->is_cast) {
    buf_str(out, "the wire ");
    conf_route_text(net->conf, node->of, out);
    return;
  }
  const Adg *adg = net->conf->adg;
  switch ((NetKind)node->kind) {
  case NET_OP: {
    const ConfUnit *unit = &net->conf->units[net->conf->ops[node->of].unit];
    if (unit->nops > 1)
      buf_printf(out, "%s of ",
                 op_info((OpKind)adg->nodes[net->conf->ops[node->of].node].kind)->name);
    conf_unit_text(net->conf, net->conf->ops[node->of].unit, out);
    break;
  }
  case NET_ARG: buf_printf(out, "input '%s'", adg_name(adg, node->of)); break;
  case NET_OUTPUT: buf_printf(out, "output '%s'", adg_name(adg, node->of)); break;
  default: {
    const ConfLane *lane = &net->conf->lanes[node->of];
    lane_text(lane->is_store ? "store" : "load", lane->tag,
              adg_name(adg, adg->memories[lane->memory].component), out);
    break;
  }
  }
}

Loc net_loc(const Net *net, u32 n) {
  const NetNode *node = &net->nodes[n];
  if (net->is_hardware) {
    const Adg *adg = net->conf->adg;
    if (node->is_cast) {
      const ConfHop *hop = &net->conf->hops[net->conf->sinks[node->of].hop];
      return adg->components[adg->ports[hop->port].component].loc;
    }
    if (node->kind == NET_OP) return conf_unit_loc(net->conf, net->conf->ops[node->of].unit);
    if (node->kind == NET_ARG || node->kind == NET_OUTPUT) return adg->components[node->of].loc;
    return adg->components[adg->memories[net->conf->lanes[node->of].memory].component].loc;
  }
  const Dfg *dfg = net->dfg;
  switch ((NetKind)node->kind) {
  case NET_OP: return dfg->nodes[node->of].loc;
  case NET_ARG: return dfg->nodes[dfg->args[node->of].node].loc;
  case NET_OUTPUT: return dfg->nodes[dfg->return_node].loc;
  default: return dfg->nodes[dfg->memories[dfg_memory_of_port(dfg, node->of)].node].loc;
  }
}

static void op_text(const Net *net, u32 o, Buf *out) {
  NetOp op = net_op(net, o);
  buf_str(out, op_info((OpKind)op.kind)->name);
  if (op.kind == OP_HANDSHAKE_CONSTANT) buf_printf(out, " 0x%llx", (unsigned long long)op.literal);
  if (op.kind == OP_ARITH_CMPI || op.kind == OP_ARITH_CMPF)
    buf_printf(out, " predicate %u", op.predicate);
  if (op.kind == OP_DATAFLOW_STREAM)
    buf_printf(out, " %s %s", dfg_step_op_text((DfgStepOp)op.step_op),
               dfg_cont_cond_text((DfgContCond)op.cont_cond));
  buf_str(out, " (");
  for (u32 i = 0; i < op.noperands; i++) {
    if (i) buf_str(out, ", ");
    text_type(operand_type(net, o, i).ir, out);
  }
  buf_str(out, ") -> (");
  for (u32 i = 0; i < op.nresults; i++) {
    if (i) buf_str(out, ", ");
    text_type(result_type(net, o, i).ir, out);
  }
  buf_char(out, ')');
}

void net_what_text(const Net *net, u32 n, Buf *out) {
  const NetNode *node = &net->nodes[n];
  if (node->is_cast)
    buf_str(out, "no operation");
  else if (node->kind == NET_OP)
    op_text(net, node->of, out);
  else
    net_node_text(net, n, out);
}

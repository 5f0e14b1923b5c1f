/* net.c -- converts a graph, and configured hardware, to nets. See net.h.
 *
 * Sinks of the graph are dropped: hardware discards unused tokens on their way. A memory becomes
 * its ports: a node for each load and each store, labelled by the lane that the binding assigns to
 * it. So both sides consist of arguments, outputs, lanes and operations. Linear but for the search
 * of arguments by component.
 */
#include "check/net.h"

static u64 mix(u64 hash, u64 word) {
  return hash_bytes(&word, sizeof word, hash);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static u64 label_type(u64 label, u8 kind, u8 float_kind, u32 bits) {
  return mix(label, (u64)kind << 48 | (u64)(kind == TYPE_FLOAT ? float_kind : 0) << 40 | bits);
}

/* Adds the type of an operand to the label of an operation, independent of the order of operands if
 * the operation is commutative. */
static u64 label_operand(u64 label, bool commutes, u8 kind, u8 float_kind, u32 bits) {
  return commutes ? label + label_type(1, kind, float_kind, bits)
                  : label_type(label, kind, float_kind, bits);
}

static u64 label_port(NetKind kind, u32 a, u32 b) {
  return mix(mix(kind, a), b);
}

/* The label of all ports of a kind, without a binding. */
static u64 label_any(NetKind kind) {
  return label_port(kind, MAP_NONE, MAP_NONE);
}

static u64 label_op(u32 kind, u32 ninputs, u32 nresults, u64 literal, u32 predicate, u32 step_op,
                    u32 cont_cond) {
  u64 label = mix(NET_OP, (u64)kind << 32 | ninputs);
  bool compares = kind == OP_ARITH_CMPI || kind == OP_ARITH_CMPF;
  bool streams = kind == OP_DATAFLOW_STREAM;
  label = mix(label, nresults);
  label = mix(label, kind == OP_HANDSHAKE_CONSTANT ? literal : 0);
  return mix(label,
             (u64)(compares ? predicate : 0) << 32 | (streams ? step_op << 8 | cont_cond : 0));
}

static bool op_commutes(u32 kind) {
  return kind == OP_HANDSHAKE_JOIN || op_info((OpKind)kind)->traits & TRAIT_COMMUTATIVE;
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

static void put_input(NetBuild *b, NetInput input) {
  vec_push(&b->inputs, input);
  vec_last(&b->nodes).ninputs++;
}

static void finish(NetBuild *b, Net *net) {
  net->nodes = b->nodes.at;
  net->nnodes = (u32)b->nodes.len;
  net->inputs = b->inputs.at;
  net->ninputs = (u32)b->inputs.len;
  net->uses = mem_alloc(mem_size(b->inputs.len + 1, sizeof *net->uses));
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
  mem_free(net->nodes);
  mem_free(net->inputs);
  mem_free(net->uses);
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

/* Whether a result has a use other than sinks. */
static bool has_use(const Dfg *dfg, u32 result) {
  const DfgResult *r = &dfg->results[result];
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++)
    if (dfg->nodes[dfg->edges[e].to].fire != FIRE_SINK) return true;
  return false;
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

static void put_any_arguments(GraphNet *g) {
  for (u32 a = 0; a < g->dfg->nargs; a++) {
    const DfgArg *arg = &g->dfg->args[a];
    if (arg->role != DFG_ARG_MEMREF && has_use(g->dfg, g->dfg->nodes[arg->node].first_result))
      g->node_of[arg->node] = put_node(&g->b, NET_ARG, label_any(NET_ARG), a, 1);
  }
}

static void put_any_memories(GraphNet *g) {
  for (u32 m = 0; m < g->dfg->nmemories; m++) {
    const DfgMemory *memory = &g->dfg->memories[m];
    for (u32 p = 0; p < memory->nstores + memory->nloads; p++) {
      NetKind kind = p < memory->nstores ? NET_STORE : NET_LOAD;
      g->port_of[memory->first_port + p] =
          put_node(&g->b, kind, label_any(kind), memory->first_port + p, kind == NET_STORE ? 1 : 2);
    }
  }
}

static void put_arguments(GraphNet *g) {
  Map taken = {0};
  for (u32 a = 0; a < g->dfg->nargs; a++) {
    const DfgArg *arg = &g->dfg->args[a];
    const char *name = dfg_text(g->dfg, arg->name);
    u32 c = g->binding->args[a];
    if (arg->role == DFG_ARG_MEMREF) continue;
    if (c == MAP_NONE) {
      if (has_use(g->dfg, g->dfg->nodes[arg->node].first_result))
        bad_binding(g, arg->node, "argument '%s' is used, but not bound to an input of the fabric",
                    name);
      continue;
    }
    if (c >= g->adg->ncomponents || g->adg->components[c].kind != ADG_INPUT) {
      bad_binding(g, arg->node, "argument '%s' is not bound to an input of the fabric", name);
      continue;
    }
    if (*map_slot(&taken, c))
      bad_binding(g, arg->node, "two arguments are bound to input '%s' of the fabric",
                  adg_name(g->adg, c));
    *map_slot(&taken, c) = 1;
    g->node_of[arg->node] = put_node(&g->b, NET_ARG, label_port(NET_ARG, c, 0), a, 1);
  }
  map_free(&taken);
}

static void put_operations(GraphNet *g) {
  for (u32 n = 0; n < g->dfg->nnodes; n++) {
    const DfgNode *node = &g->dfg->nodes[n];
    if (!is_operation(node)) continue;
    u64 label = label_op(node->kind, node->noperands, node->nresults, node->literal,
                         node->predicate, node->step_op, node->cont_cond);
    for (u32 i = 0; i < node->noperands; i++) {
      const DfgType *t = dfg_edge_type(g->dfg, dfg_operand(g->dfg, n, i));
      label = label_operand(label, op_commutes(node->kind), t->kind, t->float_kind, t->bits);
    }
    for (u32 i = 0; i < node->nresults; i++) {
      const DfgType *t = &g->dfg->types[g->dfg->results[node->first_result + i].type];
      label = label_type(label, t->kind, t->float_kind, t->bits);
    }
    g->node_of[n] = put_node(&g->b, NET_OP, label, n, node->nresults);
    vec_last(&g->b.nodes).commutes = op_commutes(node->kind);
  }
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

static void put_memories(GraphNet *g) {
  Map taken = {0};
  for (u32 m = 0; m < g->dfg->nmemories; m++) {
    const DfgMemory *memory = &g->dfg->memories[m];
    u32 nports = memory->nstores + memory->nloads;
    if (!nports || !check_place(g, m)) continue;
    const MapMemory *place = &g->binding->memories[m];
    if (*map_slot(&taken, (u64)place->memory << 32 | place->region))
      bad_binding(g, memory->node, "two memories are bound to region %u of '%s'", place->region,
                  adg_name(g->adg, g->adg->memories[place->memory].component));
    *map_slot(&taken, (u64)place->memory << 32 | place->region) = 1;
    for (u32 p = 0; p < nports; p++) {
      bool is_store = p < memory->nstores;
      u32 port = memory->first_port + p, lane = g->binding->lanes[port];
      NetKind kind = is_store ? NET_STORE : NET_LOAD;
      u64 *lane_taken = map_slot(&taken, (u64)1 << 63 | (u64)place->memory << 32 |
                                             (u64)is_store << 31 | (lane & 0x7fffffff));
      if (lane < place->start || lane >= place->end)
        bad_binding(g, memory->node, "a %s of '%s' is bound to lane %u, outside its region",
                    is_store ? "store" : "load", dfg_text(g->dfg, memory->name), lane);
      else if (*lane_taken)
        bad_binding(g, memory->node, "two %ss of '%s' are bound to lane %u",
                    is_store ? "store" : "load", dfg_text(g->dfg, memory->name), lane);
      *map_slot(&taken, (u64)1 << 63 | (u64)place->memory << 32 | (u64)is_store << 31 |
                            (lane & 0x7fffffff)) = 1;
      g->port_of[port] =
          put_node(&g->b, kind, label_port(kind, place->memory, lane), port, is_store ? 1 : 2);
    }
  }
  map_free(&taken);
}

static void put_outputs(GraphNet *g) {
  Map taken = {0};
  for (u32 o = 0; o < g->dfg->noutputs; o++) {
    u32 c = g->binding->outputs[o];
    if (c >= g->adg->ncomponents || g->adg->components[c].kind != ADG_OUTPUT) {
      bad_binding(g, g->dfg->return_node, "result '%s' is not bound to an output of the fabric",
                  dfg_text(g->dfg, g->dfg->outputs[o].name));
      continue;
    }
    if (*map_slot(&taken, c))
      bad_binding(g, g->dfg->return_node, "two results are bound to output '%s' of the fabric",
                  adg_name(g->adg, c));
    *map_slot(&taken, c) = 1;
    put_node(&g->b, NET_OUTPUT, label_port(NET_OUTPUT, c, 0), o, 0);
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
  u32 nports = 0;
  for (u32 m = 0; m < dfg->nmemories; m++)
    nports += dfg->memories[m].nstores + dfg->memories[m].nloads;
  GraphNet g = {.ctx = ctx,
                .dfg = dfg,
                .adg = adg,
                .binding = binding,
                .node_of = mem_alloc(mem_size(dfg->nnodes + (size_t)1, sizeof(u32))),
                .port_of = mem_alloc(mem_size(nports + (size_t)1, sizeof(u32)))};
  memset(g.node_of, 0xff, mem_size(dfg->nnodes, sizeof(u32)));
  memset(g.port_of, 0xff, mem_size(nports, sizeof(u32)));
  if (binding) {
    put_arguments(&g);
    put_memories(&g);
    put_outputs(&g);
  } else {
    put_any_arguments(&g);
    put_any_memories(&g);
    for (u32 o = 0; o < dfg->noutputs; o++) put_node(&g.b, NET_OUTPUT, label_any(NET_OUTPUT), o, 0);
  }
  put_operations(&g);
  for (u32 n = 0; n < g.b.nodes.len; n++) put_inputs(&g, n);
  mem_free(g.node_of);
  mem_free(g.port_of);
  *net = (Net){.dfg = dfg};
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

static const AdgType no_type = {.kind = TYPE_NONE};

static AdgType type_of_graph(const Dfg *dfg, u32 type) {
  const DfgType *t = &dfg->types[type];
  return (AdgType){.kind = t->kind, .float_kind = t->float_kind, .bits = t->bits};
}

static AdgType result_type(const Configured *conf, u32 o, u32 r) {
  const AdgBody *body = &conf->adg->bodies[conf->units[conf->ops[o].unit].body];
  u32 first = body->first_value + conf->adg->nodes[conf->ops[o].node].first_result;
  return conf->adg->values[first + r];
}

static AdgType operand_type(const Configured *conf, u32 o, u32 i) {
  ConfValue v = conf_operand(conf, o, i);
  if (v.op < conf->nops) return result_type(conf, v.op, v.index);
  const AdgBody *body = &conf->adg->bodies[conf->units[conf->ops[o].unit].body];
  return conf->adg->values[body->first_value + v.index];
}

/* The type of a producer's values: of an argument, as in the graph. None, which matches any type,
 * for other inputs and for data of memories. */
static AdgType producer_type(const HardwareNet *h, ConfProducer p) {
  const Configured *conf = h->conf;
  if (p.kind == CONF_FROM_OP && p.of < conf->nops) return result_type(conf, p.of, p.index);
  for (u32 a = 0; p.kind == CONF_FROM_INPUT && h->binding && a < h->dfg->nargs; a++)
    if (h->dfg->args[a].role != DFG_ARG_MEMREF && h->binding->args[a] == p.of)
      return type_of_graph(h->dfg, h->dfg->args[a].type);
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
  u64 label = label_op(c->kind, 1, 1, 0, 0, 0, 0);
  label = label_operand(label, false, c->from.kind, c->from.float_kind, c->from.bits);
  return label_type(label, c->to.kind, c->to.float_kind, c->to.bits);
}

static u64 hardware_label(const Configured *conf, u32 o) {
  const ConfOp *op = &conf->ops[o];
  const AdgNode *node = &conf->adg->nodes[op->node];
  u64 label = label_op(node->kind, op->noperands, node->nresults, op->literal, op->predicate,
                       node->step_op, op->cont_cond);
  for (u32 i = 0; i < op->noperands; i++) {
    AdgType t = operand_type(conf, o, i);
    label = label_operand(label, op_commutes(node->kind), t.kind, t.float_kind, t.bits);
  }
  for (u32 i = 0; i < node->nresults; i++) {
    AdgType t = result_type(conf, o, i);
    label = label_type(label, t.kind, t.float_kind, t.bits);
  }
  return label;
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
  HardwareNet h = {.dfg = dfg,
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
    const AdgNode *node = &adg->nodes[conf->ops[o].node];
    put_node(&b, NET_OP, hardware_label(conf, o), o, node->nresults);
    vec_last(&b.nodes).commutes = op_commutes(node->kind);
    for (u32 i = 0; i < conf->ops[o].noperands; i++)
      put_input(&b, input_as(&h, conf_operand_producer(conf, o, i), operand_type(conf, o, i)));
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
  *net = (Net){.is_hardware = true, .dfg = dfg, .conf = conf};
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

static void type_text(u8 kind, u8 float_kind, u32 bits, Buf *out) {
  static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
  if (kind == TYPE_NONE)
    buf_str(out, "none");
  else if (kind == TYPE_INDEX)
    buf_str(out, "index");
  else if (kind == TYPE_FLOAT)
    buf_str(out, floats[float_kind]);
  else
    buf_printf(out, "i%u", bits);
}

static void config_text(u32 kind, u64 literal, u32 predicate, u32 step_op, u32 cont_cond,
                        Buf *out) {
  buf_str(out, op_info((OpKind)kind)->name);
  if (kind == OP_HANDSHAKE_CONSTANT) buf_printf(out, " 0x%llx", (unsigned long long)literal);
  if (kind == OP_ARITH_CMPI || kind == OP_ARITH_CMPF) buf_printf(out, " predicate %u", predicate);
  if (kind == OP_DATAFLOW_STREAM)
    buf_printf(out, " %s %s", dfg_step_op_text((DfgStepOp)step_op),
               dfg_cont_cond_text((DfgContCond)cont_cond));
  buf_str(out, " (");
}

void net_what_text(const Net *net, u32 n, Buf *out) {
  const NetNode *node = &net->nodes[n];
  if (node->is_cast) {
    buf_str(out, "no operation");
    return;
  }
  if (node->kind != NET_OP) {
    net_node_text(net, n, out);
    return;
  }
  if (net->is_hardware) {
    const ConfOp *op = &net->conf->ops[node->of];
    const AdgNode *hw = &net->conf->adg->nodes[op->node];
    u32 first = net->conf->adg->bodies[net->conf->units[op->unit].body].first_value;
    config_text(hw->kind, op->literal, op->predicate, hw->step_op, op->cont_cond, out);
    for (u32 i = 0; i < op->noperands; i++) {
      ConfValue v = conf_operand(net->conf, node->of, i);
      u32 value = v.op == ADG_NONE
                      ? v.index
                      : net->conf->adg->nodes[net->conf->ops[v.op].node].first_result + v.index;
      const AdgType *t = &net->conf->adg->values[first + value];
      if (i) buf_str(out, ", ");
      type_text(t->kind, t->float_kind, t->bits, out);
    }
    buf_str(out, ") -> (");
    for (u32 i = 0; i < hw->nresults; i++) {
      const AdgType *t = &net->conf->adg->values[first + hw->first_result + i];
      if (i) buf_str(out, ", ");
      type_text(t->kind, t->float_kind, t->bits, out);
    }
  } else {
    const DfgNode *op = &net->dfg->nodes[node->of];
    config_text(op->kind, op->literal, op->predicate, op->step_op, op->cont_cond, out);
    for (u32 i = 0; i < op->noperands; i++) {
      if (i) buf_str(out, ", ");
      buf_str(out, dfg_text(net->dfg,
                            dfg_edge_type(net->dfg, dfg_operand(net->dfg, node->of, i))->text));
    }
    buf_str(out, ") -> (");
    for (u32 i = 0; i < op->nresults; i++) {
      if (i) buf_str(out, ", ");
      buf_str(out, dfg_text(net->dfg,
                            net->dfg->types[net->dfg->results[op->first_result + i].type].text));
    }
  }
  buf_char(out, ')');
}

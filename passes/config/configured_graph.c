/* configured_graph.c -- a configured fabric as a dataflow graph of handshake and dataflow ops.
 *
 *     in_0 --> pe_0: add(in_0, in_1) --> out0
 *
 *     handshake.func @top(%in_0: i32, %in_1: i32, ...) -> i32 {
 *       %pe_0 = arith.addi %in_0, %in_1 : i32
 *       handshake.return %pe_0 : i32
 *     }
 *
 * Each ConfOp becomes an operation, each region of a memory in use a memory of its own, inputs and
 * outputs become arguments and results. Routes become edges, without a trace of the switches on
 * them; discarded tokens are results without a use.
 *
 * Hardware moves bits, graphs move values of a type. The values of function units have types; an
 * input gets the type of the first operand that takes from it, a memory's elements the type of its
 * first load, else of what is stored. Where bits go from a unit of one type to a unit of another,
 * or are cut off or moved on the route (no mapper does that), casts and shifts are inserted that do
 * the same. Values may form cycles, so all operations are made first and get their operands
 * afterwards.
 *
 * Linear, but for sorting lanes and, on routes that move bits, their length.
 */
#include "config/configured.h"

#include <stdlib.h>

typedef struct {
  const Configured *conf;
  const ConfSignature *signature; /* NULL: as the fabric has it */
  u32 npasses; /* over ports: 1; 2: control tokens in the second, behind the others */
  Module *m;
  Context *ctx;
  Builder b;
  Op **ops;       /* by Configured.ops */
  Value **inputs; /* by component */
  Value **lanes;  /* by lane: its value, its done */
  Value **packs;  /* by pack */
} GraphWriter;

/* ---- types ----------------------------------------------------------------------------------- */

static const Type *int_of(const GraphWriter *g, u32 bits) {
  return bits ? type_int(g->ctx, bits, SIGNLESS) : type_none(g->ctx);
}

static const AdgType *body_type(const Configured *conf, u32 body, u32 value) {
  return &conf->adg->values[conf->adg->bodies[body].first_value + value];
}

static u32 op_body(const Configured *conf, u32 op) {
  return conf->units[conf->ops[op].unit].body;
}

static const Type *operand_type(const GraphWriter *g, u32 sink) {
  const ConfSink *s = &g->conf->sinks[sink];
  return body_type(g->conf, g->conf->units[s->of].body, s->index)->ir;
}

/* The type of the tokens of an input or a lane: that of the first operand that takes them, else
 * index where they are an address, else an integer of `bits`. */
static const Type *taker_type(const GraphWriter *g, u32 source, u32 bits) {
  const ConfSource *s = &g->conf->sources[source];
  u32 first = ADG_NONE; /* the list runs backwards */
  for (u32 k = s->first_sink; k != ADG_NONE; k = g->conf->sinks[k].next)
    if (g->conf->sinks[k].kind == CONF_OPERAND) first = k;
  if (first != ADG_NONE) return operand_type(g, first);
  for (u32 k = s->first_sink; k != ADG_NONE; k = g->conf->sinks[k].next)
    if (g->conf->sinks[k].kind == CONF_LOAD_ADDR || g->conf->sinks[k].kind == CONF_STORE_ADDR)
      return type_index(g->ctx);
  return int_of(g, bits > 64 ? 64 : bits);
}

static Value *cast(GraphWriter *g, OpKind kind, Value *v, const Type *to) {
  return build_1(&g->b, kind, to, &v, 1);
}

/* The same bits as an integer of `bits`, truncated or zero-extended. */
static Value *as_int(GraphWriter *g, Value *v, u32 bits) {
  u32 has = type_bits(g->ctx, v->type);
  if (v->type->kind == TYPE_INDEX) v = cast(g, OP_ARITH_INDEX_CAST, v, int_of(g, has));
  if (type_is_float(v->type)) v = cast(g, OP_ARITH_BITCAST, v, int_of(g, has));
  if (has > bits) v = cast(g, OP_ARITH_TRUNCI, v, int_of(g, bits));
  if (has < bits) v = cast(g, OP_ARITH_EXTUI, v, int_of(g, bits));
  return v;
}

/* An integer shifted by a constant, which is triggered by the control token `trigger`. */
static Value *shift(GraphWriter *g, OpKind kind, Value *v, u32 by, Value *trigger) {
  if (!by) return v;
  Value *operands[] = {v, cast(g, OP_HANDSHAKE_CONSTANT, trigger, v->type)};
  op_set_attr(g->m, value_def(operands[1]), "value", attr_int(g->ctx, by, v->type));
  return build_1(&g->b, kind, v->type, operands, 2);
}

/* The low `width` bits of a value as a value of another type. */
static Value *adapt(GraphWriter *g, Value *v, const Type *to, u32 width) {
  u32 has = type_bits(g->ctx, v->type), wants = type_bits(g->ctx, to);
  if (v->type == to && width >= has) return v;
  if (!wants) return v->type == to ? v : cast(g, OP_HANDSHAKE_JOIN, v, to);
  if (!has || !width) {
    if (has) v = cast(g, OP_HANDSHAKE_JOIN, v, type_none(g->ctx));
    const Attr *zero = type_is_float(to) ? attr_float_bits(g->ctx, 0, to) : attr_int(g->ctx, 0, to);
    v = cast(g, OP_HANDSHAKE_CONSTANT, v, to);
    op_set_attr(g->m, value_def(v), "value", zero);
    return v;
  }
  if (width < has) v = as_int(g, v, width);
  v = as_int(g, v, wants);
  if (to->kind == TYPE_INDEX) v = cast(g, OP_ARITH_INDEX_CAST, v, to);
  if (type_is_float(to)) v = cast(g, OP_ARITH_BITCAST, v, to);
  return v;
}

/* An integer of `wants` bits with the bits of one move, at their new position. */
static Value *put_piece(GraphWriter *g, Value *whole, const ConfMove *move, u32 wants,
                        Value *trigger) {
  Value *piece = shift(g, OP_ARITH_SHRUI, whole, move->from, trigger);
  piece = as_int(g, as_int(g, piece, move->bits), wants);
  return shift(g, OP_ARITH_SHLI, piece, move->to, trigger);
}

/* A value of another type whose bits are those that `bits` selects from this value. */
static Value *permute(GraphWriter *g, Value *v, const Type *to, const ConfBits *bits) {
  u32 has = type_bits(g->ctx, v->type), wants = type_bits(g->ctx, to);
  ConfMove pieces[CONF_BITS];
  u32 n = conf_pieces(bits, has, wants, pieces);
  if (!n) return adapt(g, v, to, 0);
  if (n == 1 && !pieces->from && !pieces->to) return adapt(g, v, to, pieces->bits);
  Value *whole = as_int(g, v, has), *trigger = cast(g, OP_HANDSHAKE_JOIN, v, type_none(g->ctx));
  Value *result = put_piece(g, whole, &pieces[0], wants, trigger);
  for (u32 i = 1; i < n; i++) {
    Value *operands[] = {result, put_piece(g, whole, &pieces[i], wants, trigger)};
    result = build_1(&g->b, OP_ARITH_ORI, result->type, operands, 2);
  }
  return adapt(g, result, to, wants);
}

/* ---- values ---------------------------------------------------------------------------------- */

static Value *produced_value(const GraphWriter *g, ConfProducer p) {
  switch ((ConfProducerKind)p.kind) {
  case CONF_FROM_INPUT: return g->inputs[p.of];
  case CONF_FROM_OP: return op_result(g->ops[p.of], p.index);
  case CONF_FROM_LANE: return g->lanes[2 * (size_t)p.of + p.index];
  case CONF_FROM_PACK: return g->packs[p.of];
  default: loom_bug("a sound fabric has an operand without a driver");
  }
}

/* The value that arrives from a producer, as one of `type`. */
static Value *arriving_value(GraphWriter *g, ConfProducer p, const Type *type) {
  const ConfSink *sink = p.sink == ADG_NONE ? NULL : &g->conf->sinks[p.sink];
  if (sink && sink->hop != ADG_NONE && g->conf->hops[sink->hop].is_moved) {
    ConfBits bits = conf_bits(g->conf, sink->hop, ADG_NONE);
    return permute(g, produced_value(g, p), type, &bits);
  }
  return adapt(g, produced_value(g, p), type, sink ? sink->width : UINT32_MAX);
}

/* Interns a name and empties its buffer. */
static const Str *take_name(const GraphWriter *g, Buf *name) {
  const Str *str = str_intern(g->ctx, name->data ? name->data : "", name->len);
  buf_free(name);
  return str;
}

static const Str *component_name(const GraphWriter *g, u32 component) {
  Buf name = {0};
  conf_component_name(g->conf, component, &name);
  return take_name(g, &name);
}

/* ---- operations ------------------------------------------------------------------------------ */

static void set_config(GraphWriter *g, Op *made, const ConfOp *op, const AdgNode *node) {
  switch ((OpKind)node->kind) {
  case OP_ARITH_CMPI:
  case OP_ARITH_CMPF:
    op_set_attr(g->m, made, "predicate",
                attr_int(g->ctx, op->predicate, type_int(g->ctx, 64, SIGNLESS)));
    break;
  case OP_DATAFLOW_STREAM: {
    static const char *const texts[] = {"<", "<=", ">", ">=", "!="};
    op_set_attr(g->m, made, "cont_cond", attr_string(g->ctx, str_of(g->ctx, texts[op->cont_cond])));
    break;
  }
  case OP_HANDSHAKE_CONSTANT: {
    const Type *type = op_result(made, 0)->type;
    const Attr *value = type_is_float(type) ? attr_float_bits(g->ctx, op->literal, type)
                                            : attr_int(g->ctx, (i64)op->literal, type);
    if (type_is_i1(type)) value = attr_bool(g->ctx, op->literal & 1);
    op_set_attr(g->m, made, "value", value);
    break;
  }
  default: break;
  }
}

static void make_op(GraphWriter *g, u32 o) {
  const Configured *conf = g->conf;
  const ConfOp *op = &conf->ops[o];
  const AdgNode *node = &conf->adg->nodes[op->node];
  u32 body = op_body(conf, o);
  const Type **types = NEW_ARRAY(g->m->arena, const Type *, node->nresults + (size_t)1);
  for (u32 r = 0; r < node->nresults; r++)
    types[r] = body_type(conf, body, node->first_result + r)->ir;
  Op *made = build_op(&g->b, (OpKind)node->kind, NULL, op->noperands, types, node->nresults, 0);
  for (u32 i = 0; node->attrs && i < node->attrs->n; i++) {
    const NamedAttr *a = &node->attrs->entries[i];
    op_set_attr_str(g->m, made, a->name, a->value, a->property);
  }
  set_config(g, made, op, node);
  if (node->nresults) {
    Buf name = {0};
    conf_op_name(conf, o, &name);
    op_result(made, 0)->name = take_name(g, &name);
  }
  g->ops[o] = made;
}

/* Makes the operations of a pack: the tokens of its parts, each moved to its lanes, are ored.
 * feed_pack sets their operands when all values exist. */
static void make_pack(GraphWriter *g, u32 p) {
  const ConfPack *pack = &g->conf->packs[p];
  u32 bits = g->conf->adg->ports[pack->port].width;
  const Type *type = int_of(g, bits > CONF_WORD ? CONF_WORD : bits);
  for (u32 k = 1; k < pack->nparts; k++) {
    Op *made = build_op(&g->b, OP_ARITH_ORI, NULL, 2, &type, 1, 0);
    if (g->packs[p]) op_set_operand(made, 0, g->packs[p]);
    g->packs[p] = op_result(made, 0);
  }
  Buf name = {0};
  conf_component_name(g->conf, g->conf->adg->ports[pack->port].component, &name);
  buf_printf(&name, ".out%u", g->conf->adg->ports[pack->port].index);
  g->packs[p]->name = take_name(g, &name);
}

static Value *part_value(GraphWriter *g, u32 sink, const Type *type) {
  ConfBits bits = conf_part_bits(g->conf, sink, ADG_NONE);
  return permute(g, produced_value(g, conf_producer(g->conf, sink)), type, &bits);
}

static void feed_pack(GraphWriter *g, u32 p) {
  const ConfPack *pack = &g->conf->packs[p];
  Op *made = value_def(g->packs[p]);
  for (u32 k = pack->nparts; k-- > 1;) {
    op_set_operand(made, 1,
                   part_value(g, g->conf->parts[pack->first_part + k].sink, g->packs[p]->type));
    if (k > 1) made = value_def(op_operand(made, 0));
  }
  op_set_operand(made, 0, part_value(g, g->conf->parts[pack->first_part].sink, g->packs[p]->type));
}

/* No part of it gets tokens. */
static bool is_idle(const GraphWriter *g, u32 pack) {
  return g->conf->packs[pack].source == ADG_NONE;
}

/* The type that operand i of an operation has in its unit's body. */
static const Type *wanted_type(const GraphWriter *g, u32 o, u32 i) {
  const Configured *conf = g->conf;
  ConfValue v = conf_operand(conf, o, i);
  if (v.op == ADG_NONE) return body_type(conf, op_body(conf, o), v.index)->ir;
  return op_result(g->ops[v.op], v.index)->type;
}

/* ---- memories -------------------------------------------------------------------------------- */

/* A lane and its sort keys: stores before loads, as the operands of a memory are. */
typedef struct {
  u32 memory, region, is_load, tag, lane;
} Site;

static int by_place(const void *x, const void *y) {
  const u32 *a = x, *b = y; /* five numbers each */
  for (u32 i = 0; i < sizeof(Site) / sizeof(u32); i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static Site *sorted_lanes(const GraphWriter *g) {
  Site *places = NEW_ARRAY(g->m->arena, Site, g->conf->nlanes + (size_t)1);
  for (u32 l = 0; l < g->conf->nlanes; l++) {
    const ConfLane *lane = &g->conf->lanes[l];
    places[l] = (Site){lane->memory, lane->region, !lane->is_store, lane->tag, l};
  }
  if (g->conf->nlanes > 1) qsort(places, g->conf->nlanes, sizeof *places, by_place);
  return places;
}

/* How many of n places have the same memory and region as the first. */
static u32 group_size(const Site *places, u32 n) {
  u32 size = 1;
  while (size < n && places[size].memory == places->memory && places[size].region == places->region)
    size++;
  return size;
}

static const ConfSignaturePort *signature_memory(const GraphWriter *g, const Site *place) {
  const ConfSignaturePort *ports = g->signature ? g->signature->args : NULL;
  for (u32 i = 0; ports && i < g->signature->nargs; i++)
    if (ports[i].memory == place->memory && ports[i].region == place->region) return &ports[i];
  ports = g->signature ? g->signature->locals : NULL;
  for (u32 i = 0; ports && i < g->signature->nlocals; i++)
    if (ports[i].memory == place->memory && ports[i].region == place->region) return &ports[i];
  return NULL;
}

static const Type *stored_type(const GraphWriter *g, const ConfLane *lane) {
  ConfProducer p = conf_producer(g->conf, lane->data);
  if (p.kind == CONF_FROM_OP)
    return body_type(g->conf, op_body(g->conf, p.of),
                     g->conf->adg->nodes[g->conf->ops[p.of].node].first_result + p.index)
        ->ir;
  return NULL;
}

/* Can the host access a memory: is it outside, or a scratchpad that is not private? */
static bool is_host_visible(const AdgMemory *memory) {
  return memory->is_external || !memory->is_private;
}

static const Type *memory_type(const GraphWriter *g, const Site *places, u32 n) {
  const ConfSignaturePort *port = signature_memory(g, places);
  const AdgMemory *memory = &g->conf->adg->memories[places->memory];
  const ConfRegion *region =
      &g->conf->regions[g->conf->first_region[places->memory] + places->region];
  u32 bits = memory->elem_bits;
  const Type *elem = NULL;
  i64 size = memory->is_external || !is_host_visible(memory) ? DYNAMIC : (i64)region->elements;
  if (region->elem_size_log2 < 3 && bits > (u32)8 << region->elem_size_log2)
    bits = (u32)8 << region->elem_size_log2;
  if (port) return port->type;
  for (u32 i = n; i-- && !elem;) /* loads first */
    elem = places[i].is_load ? taker_type(g, g->conf->lanes[places[i].lane].value, bits)
                             : stored_type(g, &g->conf->lanes[places[i].lane]);
  bool fits = elem && type_is_scalar(elem) && (!bits || type_bits(g->ctx, elem) <= bits);
  if (!fits) elem = int_of(g, bits > 64 ? 64 : bits ? bits : 1);
  return type_memref(g->ctx, &size, 1, elem, NULL, NULL);
}

/* Makes a memory of the lanes of one region. `memref` is its port, NULL of a local one. */
static void make_memory(GraphWriter *g, const Site *places, u32 n, const Type *type, Value *memref,
                        u32 id) {
  const Type *i32 = type_int(g->ctx, 32, SIGNLESS), *none = type_none(g->ctx);
  const ConfSignaturePort *port = signature_memory(g, places);
  u32 nst = 0, at = 0;
  for (u32 i = 0; i < n; i++) nst += !places[i].is_load;
  u32 nld = n - nst, component = g->conf->adg->memories[places->memory].component;
  Value **operands = NEW_ARRAY(g->m->arena, Value *, 1 + 2 * (size_t)n);
  const Type **types = NEW_ARRAY(g->m->arena, const Type *, 2 * (size_t)n);
  if (memref) operands[at++] = memref;
  for (u32 i = 0; i < nld + n; i++) types[i] = i < nld ? type->elem : none;
  Op *made = build_op(&g->b, memref ? OP_HANDSHAKE_EXTMEMORY : OP_HANDSHAKE_MEMORY, operands,
                      at + 2 * nst + nld, types, nld + n, 0);
  op_set_attr(g->m, made, "id", attr_int(g->ctx, id, i32));
  op_set_attr(g->m, made, "ldCount", attr_int(g->ctx, nld, i32));
  op_set_attr(g->m, made, "stCount", attr_int(g->ctx, nst, i32));
  if (!memref) {
    op_set_attr(g->m, made, "lsq", attr_bool(g->ctx, false));
    op_set_attr(g->m, made, "memRefType", attr_type(g->ctx, type));
    if (port && port->init) op_set_attr(g->m, made, "init", port->init);
  }
  for (u32 i = 0; i < n; i++) {
    Value **lane = &g->lanes[2 * (size_t)places[i].lane];
    if (places[i].is_load) lane[0] = op_result(made, i - nst);
    lane[1] = op_result(made, nld + i); /* stores' dones, then loads' */
  }
  const Str *name = component_name(g, component);
  if (places->region) name = str_printf(g->ctx, "%s.r%u", name->text, places->region);
  op_result(made, 0)->name = name;
}

/* Sets the operands of a memory, when all values exist. */
static void feed_memory(GraphWriter *g, const Site *places, u32 n, const Type *type) {
  Op *made = value_def(g->lanes[2 * (size_t)places->lane + 1]);
  const Type *index = type_index(g->ctx);
  u32 at = made->kind == OP_HANDSHAKE_EXTMEMORY;
  for (u32 i = 0; i < n; i++) {
    const ConfLane *lane = &g->conf->lanes[places[i].lane];
    if (lane->is_store)
      op_set_operand(made, at++, arriving_value(g, conf_producer(g->conf, lane->data), type->elem));
    op_set_operand(made, at++, arriving_value(g, conf_producer(g->conf, lane->address), index));
  }
}

/* ---- arguments and results ------------------------------------------------------------------- */

static const Str *port_name(const GraphWriter *g, const char *given, AdgText otherwise) {
  return str_of(g->ctx, given ? given : adg_text(g->conf->adg, otherwise));
}

typedef struct {
  Vec(const Type *) types;
  Vec(const Attr *) names;
} NamedTypes;

static Value *add_arg(GraphWriter *g, NamedTypes *ports, const Type *type, const Str *name) {
  vec_push(&ports->types, type);
  vec_push(&ports->names, attr_string(g->ctx, name));
  return block_add_arg(g->m, g->b.block, type, name, g->b.loc);
}

static void make_signature_args(GraphWriter *g, NamedTypes *ports) {
  for (u32 i = 0; i < g->signature->nargs; i++) {
    const ConfSignaturePort *port = &g->signature->args[i];
    Value *v = add_arg(g, ports, port->type, str_of(g->ctx, port->name));
    if (port->component != ADG_NONE) g->inputs[port->component] = v;
  }
}

/* Is an argument or result of this type made in this pass? */
static bool is_of_pass(const GraphWriter *g, const Type *type, u32 pass) {
  return g->npasses == 1 || (type->kind == TYPE_NONE) == (pass > 0);
}

/* Without a signature: memories that the host can access, in the order of the fabric, then the
 * inputs in use. Sets memrefs[i] where a group of places, those of one region, begins at place i.
  */
static void make_args(GraphWriter *g, NamedTypes *ports, const Site *places, Value **memrefs) {
  const Adg *adg = g->conf->adg;
  for (u32 i = 0; i < g->conf->nlanes; i += group_size(places + i, g->conf->nlanes - i)) {
    const AdgMemory *m = &adg->memories[places[i].memory];
    u32 n = group_size(places + i, g->conf->nlanes - i);
    if (!is_host_visible(m)) continue;
    const Str *name = m->is_external ? port_name(g, NULL, adg->args[m->arg].name)
                                     : component_name(g, m->component);
    if (places[i].region) name = str_printf(g->ctx, "%s.r%u", name->text, places[i].region);
    memrefs[i] = add_arg(g, ports, memory_type(g, places + i, n), name);
  }
  for (u32 pass = 0; pass < g->npasses; pass++)
    for (u32 c = 0; c < adg->ncomponents; c++) {
      u32 source = g->conf->input_sources[c];
      if (source == ADG_NONE || !conf_is_used(g->conf, source)) continue;
      const Type *type = taker_type(g, source, adg->ports[adg_output(adg, c, 0)].width);
      if (is_of_pass(g, type, pass)) g->inputs[c] = add_arg(g, ports, type, component_name(g, c));
    }
}

/* The type of an output: that of the value, unless switches have moved its bits. */
static const Type *output_type(const GraphWriter *g, ConfProducer p, u32 component) {
  const Adg *adg = g->conf->adg;
  if (!g->conf->hops[g->conf->sinks[p.sink].hop].is_moved) return produced_value(g, p)->type;
  u32 bits = adg->ports[adg_input(adg, component, 0)].width;
  return int_of(g, bits > CONF_WORD ? CONF_WORD : bits);
}

static void make_return(GraphWriter *g, NamedTypes *results) {
  const Adg *adg = g->conf->adg;
  Vec(Value *) values = {0};
  u32 n = g->signature ? g->signature->noutputs : adg->noutputs;
  for (u32 k = 0; k < n * g->npasses; k++) {
    u32 i = k % n;
    const ConfSignaturePort *port = g->signature ? &g->signature->outputs[i] : NULL;
    u32 c = port ? port->component : adg->outputs[i].component;
    if (c == ADG_NONE || g->conf->output_sinks[c] == ADG_NONE) continue;
    ConfProducer p = conf_producer(g->conf, g->conf->output_sinks[c]);
    const Type *type = port ? port->type : output_type(g, p, c);
    if (!is_of_pass(g, type, k / n)) continue;
    Value *v = arriving_value(g, p, type);
    vec_push(&values, v);
    vec_push(&results->types, v->type);
    vec_push(&results->names,
             attr_string(g->ctx, port_name(g, port ? port->name : NULL, adg->components[c].name)));
  }
  build_op(&g->b, OP_HANDSHAKE_RETURN, values.at, (u32)values.len, NULL, 0, 0);
  vec_free(&values);
}

static void set_ports(GraphWriter *g, Op *func, NamedTypes *args, const NamedTypes *results) {
  u32 nargs = (u32)args->types.len;
  for (size_t i = 0; i < results->types.len; i++) vec_push(&args->types, results->types.at[i]);
  op_set_attr(g->m, func, "function_type",
              attr_type(g->ctx, type_function(g->ctx, args->types.at, nargs,
                                              args->types.at ? args->types.at + nargs : NULL,
                                              (u32)results->types.len)));
  op_set_attr(g->m, func, "argNames", attr_array(g->ctx, args->names.at, nargs));
  op_set_attr(g->m, func, "resNames",
              attr_array(g->ctx, results->names.at, (u32)results->names.len));
}

/* ---- entry point ----------------------------------------------------------------------------- */

static void make_memories(GraphWriter *g, const Site *places, Value *const *memrefs) {
  u32 id = 0;
  for (u32 i = 0; i < g->conf->nlanes;) {
    u32 n = group_size(places + i, g->conf->nlanes - i);
    Value *memref = memrefs[i];
    for (u32 a = 0; g->signature && a < g->signature->nargs; a++)
      if (g->signature->args[a].memory == places[i].memory &&
          g->signature->args[a].region == places[i].region)
        memref = g->b.block->args[a];
    make_memory(g, places + i, n, memref ? memref->type : memory_type(g, places + i, n), memref,
                id++);
    i += n;
  }
}

static Op *write_graph(Module *m, const Configured *conf, const ConfSignature *signature,
                       u32 npasses) {
  const Adg *adg = conf->adg;
  GraphWriter g = {.conf = conf,
                   .signature = signature,
                   .npasses = npasses,
                   .m = m,
                   .ctx = m->ctx,
                   .ops = NEW_ARRAY(m->arena, Op *, conf->nops + (size_t)1),
                   .inputs = NEW_ARRAY(m->arena, Value *, adg->ncomponents + (size_t)1),
                   .lanes = NEW_ARRAY(m->arena, Value *, 2 * (size_t)conf->nlanes + 1),
                   .packs = NEW_ARRAY(m->arena, Value *, conf->npacks + (size_t)1)};
  Value **memrefs = NEW_ARRAY(m->arena, Value *, conf->nlanes + (size_t)1);
  NamedTypes args = {0}, results = {0};
  Op *func = op_new(m, OP_HANDSHAKE_FUNC, adg->loc, NULL, 0, NULL, 0, 1);
  Site *places = sorted_lanes(&g);
  g.b = (Builder){.m = m, .block = block_new(m, &func->regions[0]), .loc = adg->loc};
  op_set_attr(
      m, func, "sym_name",
      attr_string(m->ctx, str_of(m->ctx, signature ? signature->name : adg_text(adg, adg->name))));
  if (signature)
    make_signature_args(&g, &args);
  else
    make_args(&g, &args, places, memrefs);
  for (u32 o = 0; o < conf->nops; o++) make_op(&g, o);
  for (u32 p = 0; p < conf->npacks; p++)
    if (!is_idle(&g, p)) make_pack(&g, p);
  make_memories(&g, places, memrefs);
  for (u32 o = 0; o < conf->nops; o++)
    for (u32 i = 0; i < conf->ops[o].noperands; i++)
      op_set_operand(g.ops[o], i,
                     arriving_value(&g, conf_operand_producer(conf, o, i), wanted_type(&g, o, i)));
  for (u32 p = 0; p < conf->npacks; p++)
    if (!is_idle(&g, p)) feed_pack(&g, p);
  for (u32 i = 0; i < conf->nlanes; i += group_size(places + i, conf->nlanes - i)) {
    u32 n = group_size(places + i, conf->nlanes - i);
    feed_memory(&g, places + i, n, memory_type(&g, places + i, n));
  }
  make_return(&g, &results);
  set_ports(&g, func, &args, &results);
  vec_free(&args.types);
  vec_free(&args.names);
  vec_free(&results.types);
  vec_free(&results.names);
  op_append(region_entry(&m->top->regions[0]), func);
  return func;
}

Op *configured_graph(Module *m, const Configured *conf, const ConfSignature *signature) {
  return write_graph(m, conf, signature, 1);
}

Op *configured_graph_written(Module *m, const Configured *conf) {
  return write_graph(m, conf, NULL, conf->nlanes ? 2 : 1);
}

/* configure.c -- the mapping as a configuration image.
 *
 *     places   a unit's opcode, its literals and predicates, the muxes of its body
 *     routes   the muxes and demuxes of PEs where a route starts and ends; in between the pairs of
 *              switches, slots, the tags that tag components put on, FIFOs that are bypassed
 *     binding  regions of memories
 *
 * Only what tokens reach is enabled. Slots of temporal switches and rows of map_tags are allocated
 * in the order of the edges whose routes use them. Cost: linear in the steps of the routes, times
 * the slots of a switch, and in the fabric. */
#include "map/stages.h"

#include "config/image.h"

typedef struct {
  const Mapping *m;
  const Adg *adg;
  Image *image;
} Configure;

static void set(Configure *c, u32 component, FieldKind kind, u32 item, u32 a, u64 value) {
  image_set(c->image, component, field_of(kind, item, a), value);
}

static u64 get(const Configure *c, u32 component, FieldKind kind, u32 item) {
  return image_get(c->image, component, field_of(kind, item, 0));
}

/* The slot or row of a component for a tag; a new one if there is none yet. */
static u32 item_of(Configure *c, u32 component, u32 nitems, u32 tag) {
  for (u32 i = 0; i < nitems; i++) {
    if (!get(c, component, FIELD_VALID, i)) {
      set(c, component, FIELD_VALID, i, 0, 1);
      set(c, component, FIELD_TAG, i, 0, tag);
      return i;
    }
    if (get(c, component, FIELD_TAG, i) == tag) return i;
  }
  loom_bug("component %u has no room for tag %u", component, tag);
}

/* ---- routes ---------------------------------------------------------------------------------- */

/* Connects each lane of an output to the same lane of an input. If the output has more lanes, the
 * rest, which is not used, repeats those of the input. */
static void join_lanes(Configure *c, const AdgSwitch *sw, u32 input, u32 output) {
  u32 ni = adg_lanes(c->adg, sw, adg_input(c->adg, sw->component, input));
  u32 no = adg_lanes(c->adg, sw, adg_output(c->adg, sw->component, output));
  for (u32 lane = 0; lane < no; lane++)
    image_set(c->image, sw->component, field_lane_pair(output, lane, input, lane % ni), 1);
}

/* Configures the component that a route enters by step k and leaves by the next. */
static void pass_through(Configure *c, u32 k) {
  const Mapping *m = c->m;
  const AdgPort *in = &c->adg->ports[m->steps[k]], *out = &c->adg->ports[m->steps[k + 1]];
  const AdgComponent *component = &c->adg->components[in->component];
  u32 tag = m->tags[k], out_tag = m->tags[k + 1], item;
  switch ((AdgKind)component->kind) {
  case ADG_SPATIAL_SW:
    join_lanes(c, &c->adg->switches[component->detail], in->index, out->index);
    break;
  case ADG_TEMPORAL_SW:
    item = item_of(c, in->component, c->adg->switches[component->detail].num_route_table, tag);
    image_set(c->image, in->component, field_pair(item, out->index, in->index), 1);
    break;
  case ADG_FIFO:
    if (!mapping_fifo_holds(m, in->component)) set(c, in->component, FIELD_BYPASSED, 0, 0, 1);
    break;
  case ADG_ADD_TAG: set(c, in->component, FIELD_TAG, 0, 0, out_tag); break;
  case ADG_MAP_TAG:
    item = item_of(c, in->component, c->adg->tags[component->detail].table_size, tag);
    set(c, in->component, FIELD_DST_TAG, item, 0, out_tag);
    break;
  default: break;
  }
}

static void configure_route(Configure *c, const MapRoute *route) {
  u32 end = route->first_step + route->nsteps;
  for (u32 k = route->first_step + 1; k + 1 < end; k += 2) pass_through(c, k);
}

static void configure_discard(Configure *c, const MapRoute *route) {
  u32 last = route->first_step + route->nsteps - 1;
  const AdgPort *port = &c->adg->ports[c->m->steps[last]];
  const AdgSwitch *sw = &c->adg->switches[c->adg->components[port->component].detail];
  configure_route(c, route);
  if (sw->num_route_table) {
    item_of(c, port->component, sw->num_route_table, c->m->tags[last]);
    return;
  }
  for (u32 lane = 0; lane < adg_lanes(c->adg, sw, c->m->steps[last]); lane++)
    image_set(c->image, port->component, field_discard(port->index, lane), 1);
}

/* ---- inputs that must not take tokens -------------------------------------------------------- */

/* A tag that no slot of a temporal switch has; 0 where each tag has one. */
static u32 tag_without_slot(const Configure *c, u32 component, u32 tag_width) {
  const AdgSwitch *sw = &c->adg->switches[c->adg->components[component].detail];
  for (u32 tag = 0; tag >> tag_width == 0; tag++) {
    bool is_used = false;
    for (u32 i = 0; i < sw->num_route_table && !is_used; i++)
      is_used = get(c, component, FIELD_VALID, i) && get(c, component, FIELD_TAG, i) == tag;
    if (!is_used) return tag;
  }
  return 0;
}

/* The tokens on an add_tag's wire are for another input. A temporal switch behind the add_tag would
 * take and discard them if a slot had its tag, so it gets a tag that no slot has. */
static void avoid_slots(Configure *c, u32 component) {
  const Adg *adg = c->adg;
  const AdgPort *port = &adg->ports[adg_output(adg, component, 0)];
  if (port->nchannels != 1) return;
  const AdgPort *next = &adg->ports[adg->channels[port->first_channel].to];
  if (adg->components[next->component].kind != ADG_TEMPORAL_SW) return;
  u32 width = next->tag_width < port->tag_width ? next->tag_width : port->tag_width;
  set(c, component, FIELD_TAG, 0, 0, tag_without_slot(c, next->component, width));
}

/* An input on the same wire as the one that takes the tokens must not take any: a FIFO would,
 * unless it is bypassed. */
static void configure_bystander(Configure *c, u32 input) {
  const Adg *adg = c->adg;
  u32 component = adg->ports[input].component;
  const AdgComponent *k = &adg->components[component];
  if (k->kind == ADG_ADD_TAG) avoid_slots(c, component);
  if (k->kind != ADG_FIFO && k->kind != ADG_DEL_TAG) return;
  if (k->kind == ADG_FIFO && adg->fifos[k->detail].bypassable)
    set(c, component, FIELD_BYPASSED, 0, 0, 1);
  const AdgPort *out = &adg->ports[adg_output(adg, component, 0)];
  for (u32 i = out->first_channel; i < out->first_channel + out->nchannels; i++)
    configure_bystander(c, adg->channels[i].to);
}

static void configure_bystanders(Configure *c) {
  const Adg *adg = c->adg;
  bool *entered = mem_alloc(adg->nports + (size_t)1);
  for (u32 k = 0; k < c->m->nsteps; k++) entered[c->m->steps[k]] = true;
  for (u32 p = 0; p < adg->nports; p++) {
    const AdgPort *port = &adg->ports[p];
    if (!entered[p] || !port->is_output || adg_is_switch(&adg->components[port->component]))
      continue;
    for (u32 k = port->first_channel; k < port->first_channel + port->nchannels; k++)
      if (!entered[adg->channels[k].to]) configure_bystander(c, adg->channels[k].to);
  }
  mem_free(entered);
}

/* ---- units ----------------------------------------------------------------------------------- */

/* The configuration of node n of a unit's body: of a fabric.mux its sel, followed by disconnect and
 * discard as the lowest bits; of a join a bit for each input. */
static u64 payload_of(const Mapping *m, const MapCluster *cluster, const MapMatch *match, u32 n) {
  const MapCover *cover = m->cover;
  const AdgBody *body = &m->adg->bodies[match->body];
  const AdgNode *nodes = &m->adg->nodes[body->first_node];
  u64 used = 0;
  u32 i = 0, mux = 0;
  for (u32 k = 0; k < n; k++) mux += nodes[k].kind == OP_FABRIC_MUX;
  while (i < cluster->nnodes && cover->body_nodes[match->first_node + i] != n) i++;
  if (nodes[n].kind == OP_FABRIC_MUX) {
    const MapChoice *choice = &cover->choices[match->first_choice + mux];
    return (u64)choice->sel << 2 | (u64)choice->disconnect << 1 | (u64)choice->discard;
  }
  if (i == cluster->nnodes) return 0;
  const DfgNode *node = &m->dfg->nodes[cover->nodes[cluster->first_node + i]];
  switch ((OpKind)nodes[n].kind) {
  case OP_HANDSHAKE_CONSTANT: return node->literal;
  case OP_ARITH_CMPI:
  case OP_ARITH_CMPF: return node->predicate;
  case OP_DATAFLOW_STREAM: return (u64)1 << node->cont_cond;
  case OP_HANDSHAKE_JOIN:
    for (u32 k = 0; k < nodes[n].noperands; k++) {
      u32 from = m->adg->operands[nodes[n].first_operand + k];
      if (from >= body->nargs || cover->args[match->first_arg + from] != MAP_NONE)
        used |= (u64)1 << k;
    }
    return used;
  default: return 0;
  }
}

bool mapping_same_payload(const Mapping *m, u32 a, u32 a_match, u32 b, u32 b_match) {
  const MapCover *cover = m->cover;
  const MapMatch *p = &cover->matches[a_match], *q = &cover->matches[b_match];
  if (p->body != q->body) return false;
  for (u32 n = 0; n < m->adg->bodies[p->body].nnodes; n++)
    if (payload_of(m, &cover->clusters[a], p, n) != payload_of(m, &cover->clusters[b], q, n))
      return false;
  return true;
}

/* Writes the fields of node n of a unit's body from its payload_of. */
static void configure_node(Configure *c, u32 component, u32 item, u32 opcode, u32 n,
                           const AdgNode *node, u64 value) {
  FieldKind kind;
  switch ((OpKind)node->kind) {
  case OP_FABRIC_MUX:
    image_set(c->image, component, field_node(FIELD_NODE_SEL, item, opcode, n), value >> 2);
    image_set(c->image, component, field_node(FIELD_NODE_DISCONNECT, item, opcode, n),
              value >> 1 & 1);
    image_set(c->image, component, field_node(FIELD_NODE_DISCARD, item, opcode, n), value & 1);
    return;
  case OP_HANDSHAKE_CONSTANT: kind = FIELD_NODE_LITERAL; break;
  case OP_ARITH_CMPI:
  case OP_ARITH_CMPF: kind = FIELD_NODE_PREDICATE; break;
  case OP_DATAFLOW_STREAM: kind = FIELD_NODE_CONT_COND; break;
  case OP_HANDSHAKE_JOIN:
    for (u32 i = 0; i < node->noperands; i++)
      image_set(c->image, component, field_join(item, opcode, n, i), value >> i & 1);
    return;
  default: return;
  }
  image_set(c->image, component, field_node(kind, item, opcode, n), value);
}

/* The first step of a route of this result; MAP_NONE: it has no route. */
static u32 first_step_of(const Mapping *m, u32 result) {
  const DfgResult *r = &m->dfg->results[result];
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++)
    if (m->routes[e].nsteps) return m->routes[e].first_step;
  return MAP_NONE;
}

/* The register that a result goes through; MAP_NONE: none. */
static u32 register_out(const Mapping *m, u32 result) {
  const DfgResult *r = &m->dfg->results[result];
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++)
    if (m->routes[e].register_index != MAP_NONE) return m->routes[e].register_index;
  return MAP_NONE;
}

static void configure_inputs(Configure *c, const AdgPe *pe, u32 item, const MapMatch *match) {
  const Mapping *m = c->m;
  u32 nargs = c->adg->bodies[match->body].nargs;
  for (u32 i = 0; i < pe->max_inputs; i++) {
    u32 edge = i < nargs ? m->cover->args[match->first_arg + i] : MAP_NONE;
    const MapRoute *route = edge == MAP_NONE ? NULL : &m->routes[edge];
    set(c, pe->component, FIELD_MUX_DISCONNECT, item, i, !route || !route->nsteps);
    if (!route) continue;
    if (route->register_index != MAP_NONE) {
      set(c, pe->component, FIELD_OPERAND_REG, item, i, route->register_index);
      set(c, pe->component, FIELD_OPERAND_IS_REG, item, i, 1);
    } else {
      u32 port = m->steps[route->first_step + route->nsteps - 1];
      set(c, pe->component, FIELD_MUX_SEL, item, i, c->adg->ports[port].index);
    }
  }
}

static void configure_outputs(Configure *c, const AdgPe *pe, u32 item, const MapMatch *match) {
  const Mapping *m = c->m;
  u32 nresults = c->adg->bodies[match->body].nresults;
  for (u32 i = 0; i < pe->max_outputs; i++) {
    u32 result = i < nresults ? m->cover->results[match->first_result + i] : MAP_NONE;
    u32 step = result == MAP_NONE ? MAP_NONE : first_step_of(m, result);
    u32 reg = result == MAP_NONE ? MAP_NONE : register_out(m, result);
    bool is_discarded = result != MAP_NONE && step == MAP_NONE && reg == MAP_NONE;
    set(c, pe->component, FIELD_DEMUX_DISCONNECT, item, i, step == MAP_NONE && !is_discarded);
    set(c, pe->component, FIELD_DEMUX_DISCARD, item, i, is_discarded);
    if (reg != MAP_NONE) {
      set(c, pe->component, FIELD_RESULT_REG, item, i, reg);
      set(c, pe->component, FIELD_RESULT_IS_REG, item, i, 1);
    }
    if (step == MAP_NONE) continue;
    set(c, pe->component, FIELD_DEMUX_SEL, item, i, c->adg->ports[m->steps[step]].index);
    if (pe->is_temporal) set(c, pe->component, FIELD_RESULT_TAG, item, i, m->tags[step]);
  }
}

static void configure_cluster(Configure *c, u32 cluster) {
  const MapPlace *place = &c->m->places[cluster];
  const AdgPe *pe = &c->adg->pes[place->pe];
  const MapMatch *match = &c->m->cover->matches[place->match];
  u32 item = place->instruction;
  set(c, pe->component, FIELD_VALID, item, 0, 1);
  set(c, pe->component, FIELD_OPCODE, item, 0, place->opcode);
  if (pe->is_temporal) set(c, pe->component, FIELD_TAG, item, 0, place->tag);
  configure_inputs(c, pe, item, match);
  configure_outputs(c, pe, item, match);
  const AdgBody *body = &c->adg->bodies[match->body];
  for (u32 n = 0; n < body->nnodes; n++)
    configure_node(c, pe->component, layout_payload_item(pe, item), place->opcode, n,
                   &c->adg->nodes[body->first_node + n],
                   payload_of(c->m, &c->m->cover->clusters[cluster], match, n));
}

/* ---- memories -------------------------------------------------------------------------------- */

static void configure_memory(Configure *c, u32 memory) {
  const MapMemory *placed = &c->m->binding.memories[memory];
  const Dfg *dfg = c->m->dfg;
  u32 component = c->adg->memories[placed->memory].component,
      log2 = adg_size_log2(dfg->types[dfg->memories[memory].elem].bits);
  set(c, component, FIELD_VALID, placed->region, 0, 1);
  set(c, component, FIELD_START, placed->region, 0, placed->start);
  set(c, component, FIELD_END, placed->region, 0, placed->end);
  set(c, component, FIELD_ADDR_OFFSET, placed->region, 0, placed->offset);
  set(c, component, FIELD_ELEM_SIZE_LOG2, placed->region, 0, log2);
}

/* Sets the tag under which the host sends the tokens of each tagged input: that of the first step
 * of the argument's route. */
static void set_input_tags(Mapping *m) {
  const Adg *adg = m->adg;
  for (u32 c = 0; c < adg->ncomponents; c++) m->binding.input_tags[c] = MAP_NONE;
  for (u32 a = 0; a < m->dfg->nargs; a++) {
    u32 c = m->binding.args[a];
    if (c == MAP_NONE || !adg->ports[adg->components[c].first_port].is_tagged) continue;
    u32 result = m->dfg->nodes[m->dfg->args[a].node].first_result, step = first_step_of(m, result);
    for (u32 i = m->dfg->nedges; i < m->nroutes && step == MAP_NONE; i++)
      if (m->routes[i].result == result) step = m->routes[i].first_step;
    m->binding.input_tags[c] = step == MAP_NONE ? 0 : m->tags[step];
  }
}

void mapping_configure(Mapping *m) {
  Configure c = {m, m->adg, image_new(m->layout)};
  for (u32 i = 0; i < m->cover->nclusters; i++) configure_cluster(&c, i);
  for (u32 i = 0; i < m->nroutes; i++)
    (i < m->dfg->nedges ? configure_route : configure_discard)(&c, &m->routes[i]);
  configure_bystanders(&c);
  for (u32 i = 0; i < m->dfg->nmemories; i++) configure_memory(&c, i);
  set_input_tags(m);
  m->image = arena_copy(m->arena, c.image->words, mem_size(c.image->nwords, sizeof(u32)));
  image_free(c.image);
}

/* check.c -- checks that an image implements a graph: the functions of the rules (rules.c). See
 * check.h.
 *
 *     bits ---> fields ---> hardware ---> net ----+
 *                                                 |---> pairs of nodes ---> widths, discards,
 *                           graph ------> net ----+                         regions
 *
 * The stages (CheckStage) go from left to right. Both sides are converted to one form (net.h), with
 * ports labelled by the binding.
 */
#include "check/checker.h"

#include "config/image.h"

/* ---- widths ---------------------------------------------------------------------------------- */

/* Checks that the edge into input i of a node of the graph fits all ports on its route. */
static void check_width(Checker *v, u32 x, u32 i) {
  const NetNode *node = &v->graph.nodes[x], *hw = &v->hardware.nodes[v->pairs[x]];
  const NetInput *want = &v->graph.inputs[node->first_input + i];
  const DfgType *type = dfg_edge_type(v->dfg, want->carrier);
  /* Inputs of commutative nodes may be permuted: look for the route of this edge. */
  for (u32 j = 0; j < hw->ninputs; j++) {
    const NetInput *got = &v->hardware.inputs[hw->first_input + j];
    if (!node->commutes && j != i) continue;
    if (got->carrier == MAP_NONE || got->node != v->pairs[want->node] ||
        got->result != want->result)
      continue;
    u32 width = v->conf->sinks[got->carrier].width;
    if (width >= type->bits) continue;
    Buf route = {0};
    conf_route_text(v->conf, got->carrier, &route);
    diag(v->ctx, net_loc(&v->graph, x), CHECK_WIDTH,
         "'%s' has %u bits, but its route carries only %u of them",
         dfg_text(v->dfg, v->dfg->edges[want->carrier].name), type->bits, width);
    diag_note(v->ctx, net_loc(&v->hardware, v->pairs[x]), "the route is %s", route.data);
    buf_free(&route);
    return;
  }
}

void check_widths(Checker *v) {
  for (u32 x = 0; x < v->graph.nnodes; x++)
    for (u32 i = 0; i < v->graph.nodes[x].ninputs; i++) check_width(v, x, i);
}

/* ---- tokens without a use -------------------------------------------------------------------- */

/* The source of a result of a hardware node whose tokens may be discarded; ADG_NONE: none. */
static u32 discarded_source(const Checker *v, u32 y, u32 result) {
  const NetNode *hw = &v->hardware.nodes[y];
  const Configured *conf = v->conf;
  if (hw->is_cast) return ADG_NONE;
  if (hw->kind == NET_ARG) return conf->input_sources[hw->of];
  if (hw->kind == NET_LOAD || hw->kind == NET_STORE) {
    const ConfLane *lane = &conf->lanes[hw->of];
    return hw->kind == NET_LOAD && result == 0 ? lane->value : lane->done;
  }
  const ConfUnit *unit = &conf->units[conf->ops[hw->of].unit];
  for (u32 r = 0; r < conf->adg->bodies[unit->body].nresults; r++) {
    ConfValue value = conf->values[unit->first_yield + r];
    u32 source = conf->results[unit->first_result + r];
    if (source != ADG_NONE && value.op == hw->of && value.index == result &&
        conf->sources[source].is_discarded)
      return source;
  }
  return ADG_NONE;
}

/* Whether an input of a spatial switch is connected to several outputs or none, or is untagged: its
 * tokens can then be discarded without affecting other streams. */
static bool can_discard_alone(const Adg *adg, u32 input) {
  const AdgPort *port = &adg->ports[input];
  const AdgComponent *c = &adg->components[port->component];
  u32 outputs = 0;
  for (u32 o = 0; o < c->noutputs; o++)
    outputs += adg_connects(adg, &adg->switches[c->detail], port->index, o);
  return outputs != 1 || !port->is_tagged;
}

/* True if a sink of the same source that does not discard is reached through this output, too. */
static bool is_for_another(const Configured *conf, u32 sink, u32 output) {
  const ConfSource *source = &conf->sources[conf->sinks[sink].source];
  for (u32 s = source->first_sink; s != ADG_NONE; s = conf->sinks[s].next) {
    if (conf->sinks[s].kind == CONF_DISCARDED) continue;
    for (u32 h = conf->sinks[s].hop; h != ADG_NONE; h = conf->hops[h].from)
      if (adg_driver(conf->adg, conf->hops[h].port) == output) return true;
  }
  return false;
}

/* True if tokens reach a sink only because an output on their route drives several inputs, another
 * of which needs them: no switch was configured to send them there. */
static bool came_along(const Configured *conf, u32 sink) {
  const Adg *adg = conf->adg;
  for (u32 h = conf->sinks[sink].hop; h != ADG_NONE; h = conf->hops[h].from) {
    u32 output = adg_driver(adg, conf->hops[h].port);
    const AdgPort *driver = &adg->ports[output];
    u32 kind = adg->components[driver->component].kind;
    if (driver->nchannels > 1 && is_for_another(conf, sink, output)) return true;
    if (kind == ADG_TEMPORAL_SW) return false;
    if (kind == ADG_SPATIAL_SW && can_discard_alone(adg, conf->hops[conf->hops[h].from].port))
      return false;
  }
  return false;
}

/* Checks that a result that the graph uses is not also discarded. (An unused one must be: hardware
 * with stuck tokens is unsound.) */
static void check_discarded(Checker *v, u32 x, u32 result) {
  const NetNode *node = &v->graph.nodes[x];
  bool used = false;
  for (u32 u = node->first_use; u < node->first_use + node->nuses && !used; u++) {
    const NetUse *use = &v->graph.uses[u];
    const NetNode *taker = &v->graph.nodes[use->node];
    used = v->graph.inputs[taker->first_input + use->input].result == result;
  }
  u32 source = discarded_source(v, v->pairs[x], result);
  if (!used || source == ADG_NONE || !v->conf->sources[source].is_discarded) return;
  u32 discarded = ADG_NONE;
  for (u32 s = v->conf->sources[source].first_sink; s != ADG_NONE; s = v->conf->sinks[s].next)
    if (v->conf->sinks[s].kind == CONF_DISCARDED && !came_along(v->conf, s)) discarded = s;
  if (discarded == ADG_NONE) return;
  Buf text = {0}, where = {0};
  net_node_text(&v->graph, x, &text);
  conf_sink_text(v->conf, discarded, &where);
  diag(v->ctx, net_loc(&v->graph, x), CHECK_EXTRA, "tokens of %s are used, but also go to %s",
       text.data, where.data);
  buf_free(&text);
  buf_free(&where);
}

void check_discards(Checker *v) {
  for (u32 x = 0; x < v->graph.nnodes; x++)
    for (u32 r = 0; r < v->graph.nodes[x].nresults; r++) check_discarded(v, x, r);
}

/* ---- memories -------------------------------------------------------------------------------- */

static u64 bytes_of(const Checker *v, const DfgMemory *memory) {
  return adg_bytes(memory->elements, v->dfg->types[memory->elem].bits);
}

static void check_region(Checker *v, u32 m) {
  const DfgMemory *memory = &v->dfg->memories[m];
  const MapMemory *place = &v->binding->memories[m];
  const AdgMemory *hw = &v->conf->adg->memories[place->memory];
  const ConfRegion *r = &v->conf->regions[v->conf->first_region[place->memory] + place->region];
  u32 log = adg_size_log2(v->dfg->types[memory->elem].bits);
  const char *name = dfg_text(v->dfg, memory->name);
  const char *hw_name = adg_name(v->conf->adg, hw->component);
  Loc loc = v->dfg->nodes[memory->node].loc;
  if (!r->valid || r->start != place->start || r->end != place->end || r->offset != place->offset)
    diag(v->ctx, loc, CHECK_MEMORY,
         "region %u of '%s' must hold '%s', with tags from %u up to %u and offset %u, but it %s",
         place->region, hw_name, name, place->start, place->end, place->offset,
         r->valid ? "is configured differently" : "is not valid");
  else if (r->elem_size_log2 != log)
    diag(v->ctx, loc, CHECK_MEMORY,
         "region %u of '%s' has elements of %u bytes, but '%s' has elements of %u bytes",
         place->region, hw_name, 1u << (r->elem_size_log2 & 31), name, 1u << log);
  else if (hw->elements && !hw->is_external &&
           place->offset + bytes_of(v, memory) > adg_memory_bytes(hw))
    diag(v->ctx, loc, CHECK_MEMORY, "'%s' has %llu element%s and does not fit '%s' from byte %u on",
         name, (unsigned long long)memory->elements, plural(memory->elements), hw_name,
         place->offset);
}

/* Checks the region of each memory of the graph, and that regions on one memory do not overlap and
 * no other region is valid. Quadratic in the memories of the graph, which are few. */
void check_regions(Checker *v) {
  const Adg *adg = v->conf->adg;
  Map bound = {0};
  for (u32 m = 0; m < v->dfg->nmemories; m++) {
    const DfgMemory *memory = &v->dfg->memories[m];
    const MapMemory *place = &v->binding->memories[m];
    map_put(&bound, (u64)place->memory << 32 | place->region, m);
    check_region(v, m);
    for (u32 o = 0; o < m; o++) {
      const MapMemory *other = &v->binding->memories[o];
      const DfgMemory *om = &v->dfg->memories[o];
      if (other->memory != place->memory || adg->memories[place->memory].is_external) continue;
      u64 start = place->offset, end = start + bytes_of(v, memory);
      u64 other_start = other->offset, other_end = other_start + bytes_of(v, om);
      if (start < other_end && other_start < end)
        diag(v->ctx, v->dfg->nodes[memory->node].loc, CHECK_MEMORY, "'%s' and '%s' overlap in '%s'",
             dfg_text(v->dfg, memory->name), dfg_text(v->dfg, om->name),
             adg_name(adg, adg->memories[place->memory].component));
    }
  }
  for (u32 h = 0; h < adg->nmemories; h++)
    for (u32 r = 0; r < adg->memories[h].nregions; r++) {
      u64 m;
      if (!v->conf->regions[v->conf->first_region[h] + r].valid ||
          map_get(&bound, (u64)h << 32 | r, &m))
        continue;
      diag(v->ctx, adg->components[adg->memories[h].component].loc, CHECK_EXTRA,
           "region %u of '%s' is valid, but holds no memory of the graph", r,
           adg_name(adg, adg->memories[h].component));
    }
  map_free(&bound);
}

/* ---- the stages before ----------------------------------------------------------------------- */

void check_fields(Checker *c) {
  image_check(c->ctx, c->image);
}

void check_streams(Checker *c) {
  c->conf = configured_new(c->ctx, c->image);
}

void check_lanes(Checker *c) {
  const Configured *conf = c->conf;
  for (u32 p = 0; p < conf->npacks; p++) {
    const AdgPort *port = &conf->adg->ports[conf->packs[p].port];
    if (conf->packs[p].source == ADG_NONE) continue;
    diag(c->ctx, conf->adg->components[port->component].loc, CFG_LANES_MIXED,
         "output %u of '%s' packs lanes of %u inputs into one token, which no graph can do",
         port->index, adg_name(conf->adg, port->component), conf->packs[p].nparts);
  }
}

void check_spares(Checker *c) {
  const Adg *adg = c->conf->adg;
  if (c->conf->spare != ADG_NONE)
    diag(c->ctx, adg->components[c->conf->spare].loc, CFG_IDLE,
         "'%s' has a slot or an entry for a tag that never arrives", adg_name(adg, c->conf->spare));
}

void check_graph(Checker *c) {
  if (!net_of_graph(c->ctx, c->dfg, c->conf->adg, c->binding, &c->graph)) return;
  net_of_hardware(c->dfg, c->conf, c->binding, &c->hardware);
  c->pairs = mem_alloc(mem_size(c->graph.nnodes + (size_t)1, sizeof *c->pairs));
  nets_match(c->ctx, &c->graph, &c->hardware, c->pairs);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Whether a rule is the first one with its function, which is called once. */
static bool is_first(u32 rule) {
  for (u32 i = 0; i < rule; i++)
    if (mapping_rules[i].check == mapping_rules[rule].check) return false;
  return true;
}

bool mapping_check(Context *ctx, const Dfg *dfg, const Layout *layout, const u32 *words,
                   const MapBinding *binding) {
  u32 before = ctx->errors;
  Image image = {layout, (u32 *)(uintptr_t)words, layout->nwords, binding->input_tags};
  Checker c = {.ctx = ctx, .dfg = dfg, .image = &image, .binding = binding};
  for (u32 stage = 0; stage < CHECK_STAGES && ctx->errors == before; stage++)
    for (u32 i = 0; i < nmapping_rules; i++)
      if (mapping_rules[i].stage == stage && is_first(i)) mapping_rules[i].check(&c);
  net_free(&c.graph);
  net_free(&c.hardware);
  mem_free(c.pairs);
  configured_free(c.conf);
  return ctx->errors == before;
}

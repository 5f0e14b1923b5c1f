/* configured.c -- entry points of the decoder of configured fabrics; see configured.h.
 *
 * First the PEs are decoded (configured_units.c), then tokens are followed from their sources to
 * their sinks (configured_flow.c). This file makes and frees the tables that both fill, decodes the
 * regions of memories, and has the queries on the result: producers, names, texts for messages.
 */
#include "config/configured_state.h"

void conf_diag(ConfBuild *b, Loc loc, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(b->ctx, loc, code, format, args);
  va_end(args);
  if (code != CFG_IDLE) b->conf->is_sound = false;
}

u32 conf_put_source(ConfBuild *b, ConfSourceKind kind, u32 of, u32 index) {
  vec_push(&b->sources,
           ((ConfSource){(u8)kind, false, of, index, ADG_NONE, CONF_UNTAGGED, ADG_NONE}));
  return (u32)b->sources.len - 1;
}

u32 conf_put_sink(ConfBuild *b, ConfSinkKind kind, u32 of, u32 index, u32 source, u32 hop,
                  u32 width) {
  u32 sink = (u32)b->sinks.len, *last = &b->sources.at[source].first_sink;
  vec_push(&b->sinks, ((ConfSink){(u8)kind, of, index, source, hop, width, *last}));
  b->sources.at[source].first_sink = sink;
  return sink;
}

void conf_show(ConfBuild *b) {
#define SHOW(table)  b->conf->table = b->table.at;
#define COUNT(table) b->conf->n##table = (u32)b->table.len;
  CONF_TABLES(SHOW)
  CONF_COUNTED(COUNT)
}

/* ---- memories and inputs --------------------------------------------------------------------- */

/* A region ends where the next one of its memory begins. */
static u64 elements_of_region(const AdgMemory *memory, const ConfRegion *regions, u32 region) {
  const ConfRegion *r = &regions[region];
  u64 end = adg_memory_bytes(memory);
  if (memory->is_external || r->offset > end || r->elem_size_log2 > 63) return 0;
  for (u32 i = 0; i < memory->nregions; i++)
    if (regions[i].valid && regions[i].offset > r->offset && regions[i].offset < end)
      end = regions[i].offset;
  return (end - r->offset) >> r->elem_size_log2;
}

static void put_regions(ConfBuild *b) {
  const Adg *adg = b->adg;
  b->conf->first_region = NEW_ARRAY(b->conf->arena, u32, adg->nmemories);
  for (u32 m = 0; m < adg->nmemories; m++) {
    const AdgMemory *memory = &adg->memories[m];
    u32 c = memory->component, at = b->conf->first_region[m] = (u32)b->regions.len;
    for (u32 r = 0; r < memory->nregions; r++)
      vec_push(&b->regions,
               ((ConfRegion){.valid = (u32)conf_get(b, c, field_of(FIELD_VALID, r, 0)),
                             .start = (u32)conf_get(b, c, field_of(FIELD_START, r, 0)),
                             .end = (u32)conf_get(b, c, field_of(FIELD_END, r, 0)),
                             .offset = (u32)conf_get(b, c, field_of(FIELD_ADDR_OFFSET, r, 0)),
                             .elem_size_log2 =
                                 (u32)conf_get(b, c, field_of(FIELD_ELEM_SIZE_LOG2, r, 0))}));
    ConfRegion *first = b->regions.at + at;
    for (u32 r = 0; r < memory->nregions; r++)
      first[r].elements = elements_of_region(memory, first, r);
  }
}

static void put_inputs(ConfBuild *b) {
  b->conf->input_sources = NEW_ARRAY(b->conf->arena, u32, b->adg->ncomponents);
  b->conf->output_sinks = NEW_ARRAY(b->conf->arena, u32, b->adg->ncomponents);
  for (u32 c = 0; c < b->adg->ncomponents; c++) {
    b->conf->input_sources[c] = b->conf->output_sinks[c] = ADG_NONE;
    if (b->adg->components[c].kind != ADG_INPUT) continue;
    u32 source = conf_put_source(b, CONF_INPUT, c, 0);
    b->sources.at[source].port = adg_output(b->adg, c, 0);
    if (b->image->input_tags && b->adg->ports[b->sources.at[source].port].is_tagged)
      b->sources.at[source].tag = b->image->input_tags[c]; /* ADG_NONE is CONF_UNTAGGED */
    b->conf->input_sources[c] = source;
  }
}

Configured *configured_new(Context *ctx, const Image *image) {
  const Adg *adg = image->layout->adg;
  Arena *arena = arena_new();
  Configured *conf = NEW(arena, Configured);
  *conf = (Configured){.adg = adg, .is_sound = true, .spare = ADG_NONE, .arena = arena};
  ConfBuild b = {.ctx = ctx, .image = image, .adg = adg, .conf = conf, .scratch = arena_new()};
  b.followed = NEW_ARRAY(b.scratch, u32, image->nwords);
  b.routed = NEW_ARRAY(b.scratch, bool, adg->ncomponents);
  b.drivers = NEW_ARRAY(b.scratch, u32, adg->nports);
  b.pack_at = NEW_ARRAY(b.scratch, u32, adg->nports);
  for (u32 p = 0; p < adg->nports; p++) b.drivers[p] = b.pack_at[p] = ADG_NONE;
  put_regions(&b);
  put_inputs(&b);
  conf_build_units(&b);
  conf_follow(&b);
  conf_show(&b);
#define KEEP(table)                                                                                \
  conf->table = arena_copy(arena, b.table.at, b.table.len * sizeof *b.table.at);                   \
  vec_free(&b.table);
  CONF_TABLES(KEEP)
  vec_free(&b.registers);
  vec_free(&b.ends);
  arena_free(b.scratch);
  map_free(&b.takers);
  map_free(&b.units_by_tag);
  map_free(&b.unit_of_fu);
  map_free(&b.slots);
  map_free(&b.entered);
  map_free(&b.lane_of);
  map_free(&b.register_of);
  map_free(&b.passing);
  map_free(&b.fan_takers);
  return conf;
}

void configured_free(Configured *conf) {
  if (conf) arena_free(conf->arena);
}

bool conf_is_used(const Configured *conf, u32 source) {
  for (u32 s = conf->sources[source].first_sink; s != ADG_NONE; s = conf->sinks[s].next)
    if (conf->sinks[s].kind != CONF_DISCARDED) return true;
  return false;
}

/* ---- producers ------------------------------------------------------------------------------- */

ConfProducer conf_producer(const Configured *conf, u32 sink) {
  const ConfSource *source = &conf->sources[conf->sinks[sink].source];
  ConfProducer p = {CONF_FROM_NOBODY, source->of, 0, sink};
  switch ((ConfSourceKind)source->kind) {
  case CONF_INPUT: p.kind = CONF_FROM_INPUT; break;
  case CONF_RESULT: {
    ConfValue v = conf->values[conf->units[source->of].first_yield + source->index];
    if (v.op == ADG_NONE) break;
    p = (ConfProducer){CONF_FROM_OP, v.op, v.index, sink};
    break;
  }
  case CONF_PACKED: p.kind = CONF_FROM_PACK; break;
  case CONF_LOAD_DATA: p.kind = CONF_FROM_LANE; break;
  case CONF_LOAD_DONE:
  case CONF_STORE_DONE:
    p.kind = CONF_FROM_LANE;
    p.index = 1;
    break;
  }
  return p;
}

ConfProducer conf_operand_producer(const Configured *conf, u32 op, u32 i) {
  ConfValue v = conf_operand(conf, op, i);
  const ConfUnit *unit = &conf->units[conf->ops[op].unit];
  if (v.op != ADG_NONE) return (ConfProducer){CONF_FROM_OP, v.op, v.index, ADG_NONE};
  if (v.index >= conf->adg->bodies[unit->body].nargs ||
      conf->operands[unit->first_operand + v.index] == ADG_NONE)
    return (ConfProducer){CONF_FROM_NOBODY, 0, 0, ADG_NONE};
  return conf_producer(conf, conf->operands[unit->first_operand + v.index]);
}

/* ---- names ----------------------------------------------------------------------------------- */

void conf_component_name(const Configured *conf, u32 component, Buf *out) {
  for (const char *c = adg_name(conf->adg, component); *c; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    buf_char(out, plain || strchr("._$-", *c) ? *c : *c == '/' ? '$' : '_');
  }
}

void conf_op_name(const Configured *conf, u32 op, Buf *out) {
  const ConfUnit *unit = &conf->units[conf->ops[op].unit];
  const AdgPe *pe = &conf->adg->pes[unit->pe];
  u32 kind = conf->adg->nodes[conf->ops[op].node].kind, same = 0;
  conf_component_name(conf, pe->component, out);
  if (pe->is_temporal) buf_printf(out, ".i%u", unit->instruction);
  if (unit->nops == 1) return;
  for (u32 o = unit->first_op; o < op; o++)
    same += conf->adg->nodes[conf->ops[o].node].kind == kind;
  buf_printf(out, ".%s", strrchr(op_info((OpKind)kind)->name, '.') + 1);
  if (same) buf_printf(out, ".%u", same);
}

/* ---- texts for messages ---------------------------------------------------------------------- */

Loc conf_unit_loc(const Configured *conf, u32 unit) {
  return conf->adg->components[conf->adg->pes[conf->units[unit].pe].component].loc;
}

void conf_unit_text(const Configured *conf, u32 unit, Buf *out) {
  const ConfUnit *u = &conf->units[unit];
  const AdgPe *pe = &conf->adg->pes[u->pe];
  buf_printf(out, "%s in ", adg_text(conf->adg, conf->adg->fus[u->fu].name));
  if (pe->is_temporal) buf_printf(out, "instruction %u of ", u->instruction);
  buf_printf(out, "'%s'", adg_name(conf->adg, pe->component));
}

static void lane_text(const Configured *conf, u32 lane, Buf *out) {
  const ConfLane *l = &conf->lanes[lane];
  buf_printf(out, "%s %u of '%s'", l->is_store ? "store" : "load", l->tag,
             adg_name(conf->adg, conf->adg->memories[l->memory].component));
}

static void pack_text(const Configured *conf, u32 pack, Buf *out) {
  const AdgPort *port = &conf->adg->ports[conf->packs[pack].port];
  buf_printf(out, "the lanes packed in output %u of '%s'", port->index,
             adg_name(conf->adg, port->component));
}

void conf_source_text(const Configured *conf, u32 source, Buf *out) {
  const ConfSource *s = &conf->sources[source];
  switch ((ConfSourceKind)s->kind) {
  case CONF_INPUT: buf_printf(out, "input '%s'", adg_name(conf->adg, s->of)); break;
  case CONF_RESULT:
    buf_printf(out, "result %u of ", s->index);
    conf_unit_text(conf, s->of, out);
    break;
  case CONF_PACKED: pack_text(conf, s->of, out); break;
  default:
    buf_str(out, s->kind == CONF_LOAD_DATA ? "the data of " : "the done token of ");
    lane_text(conf, s->of, out);
    break;
  }
}

void conf_sink_text(const Configured *conf, u32 sink, Buf *out) {
  const ConfSink *s = &conf->sinks[sink];
  switch ((ConfSinkKind)s->kind) {
  case CONF_OPERAND:
    buf_printf(out, "operand %u of ", s->index);
    conf_unit_text(conf, s->of, out);
    break;
  case CONF_OUTPUT: buf_printf(out, "output '%s'", adg_name(conf->adg, s->of)); break;
  case CONF_PART: pack_text(conf, s->of, out); break;
  case CONF_DISCARDED:
    buf_printf(out, "'%s', which discards it", adg_name(conf->adg, s->of));
    break;
  default:
    buf_str(out, s->kind == CONF_STORE_DATA ? "the data of " : "the address of ");
    lane_text(conf, s->of, out);
    break;
  }
}

static void port_text(const Configured *conf, u32 port, u32 tag, Buf *out) {
  const AdgPort *p = &conf->adg->ports[port];
  buf_printf(out, "%s.%s%u", adg_name(conf->adg, p->component), p->is_output ? "out" : "in",
             p->index);
  if (tag != CONF_UNTAGGED) buf_printf(out, " tag %u", tag);
}

void conf_route_text(const Configured *conf, u32 sink, Buf *out) {
  const ConfSource *source = &conf->sources[conf->sinks[sink].source];
  Vec(u32) hops = {0};
  for (u32 h = conf->sinks[sink].hop; h != ADG_NONE; h = conf->hops[h].from) vec_push(&hops, h);
  if (source->port != ADG_NONE) port_text(conf, source->port, source->tag, out);
  while (hops.len) {
    u32 h = vec_pop(&hops);
    buf_str(out, " -> ");
    port_text(conf, conf->hops[h].port, conf->hops[h].tag, out);
  }
  vec_free(&hops);
}

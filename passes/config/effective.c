/* effective.c -- the face of what a configured fabric is; effective.h tells the story.
 *
 * First the PEs are decoded (effective_units.c), then tokens are followed (effective_flow.c). Here
 * stand the tables that both fill, and who makes a token, seen through all of that.
 */
#include "config/effective_state.h"

void eff_diag(EffBuild *b, Loc loc, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(b->ctx, loc, code, format, args);
  va_end(args);
  if (code != CFG_IDLE) b->eff->is_sound = false;
}

u32 eff_put_source(EffBuild *b, EffSourceKind kind, u32 of, u32 index) {
  vec_push(&b->sources,
           ((EffSource){(u8)kind, false, of, index, ADG_NONE, EFF_UNTAGGED, ADG_NONE}));
  return (u32)b->sources.len - 1;
}

u32 eff_put_sink(EffBuild *b, EffSinkKind kind, u32 of, u32 index, u32 source, u32 hop, u32 width) {
  u32 sink = (u32)b->sinks.len, *last = &b->sources.at[source].first_sink;
  vec_push(&b->sinks, ((EffSink){(u8)kind, of, index, source, hop, width, *last}));
  b->sources.at[source].first_sink = sink;
  return sink;
}

void eff_show(EffBuild *b) {
  Effective *eff = b->eff;
  eff->nsources = (u32)b->sources.len;
  eff->nsinks = (u32)b->sinks.len;
  eff->nhops = (u32)b->hops.len;
  eff->nunits = (u32)b->units.len;
  eff->nops = (u32)b->ops.len;
  eff->nlanes = (u32)b->lanes.len;
  eff->sources = b->sources.at;
  eff->sinks = b->sinks.at;
  eff->hops = b->hops.at;
  eff->units = b->units.at;
  eff->ops = b->ops.at;
  eff->op_results = b->op_results.at;
  eff->values = b->values.at;
  eff->moves = b->moves.at;
  eff->operands = b->operands.at;
  eff->results = b->results.at;
  eff->lanes = b->lanes.at;
  eff->npacks = (u32)b->packs.len;
  eff->packs = b->packs.at;
  eff->parts = b->parts.at;
}

/* ---- memories and inputs --------------------------------------------------------------------- */

/* Regions of a memory do not lie over each other: each ends where the next one begins. */
static u64 elements_of_region(const AdgMemory *memory, const EffRegion *regions, u32 region) {
  const EffRegion *r = &regions[region];
  u64 end = adg_memory_bytes(memory);
  if (memory->is_external || r->offset > end || r->elem_size_log2 > 63) return 0;
  for (u32 i = 0; i < memory->nregions; i++)
    if (regions[i].valid && regions[i].offset > r->offset && regions[i].offset < end)
      end = regions[i].offset;
  return (end - r->offset) >> r->elem_size_log2;
}

static void put_regions(EffBuild *b) {
  Vec(EffRegion) regions = {0};
  b->eff->first_region = mem_alloc(mem_size(b->adg->nmemories + (size_t)1, sizeof(u32)));
  for (u32 m = 0; m < b->adg->nmemories; m++) {
    const AdgMemory *memory = &b->adg->memories[m];
    b->eff->first_region[m] = (u32)regions.len;
    for (u32 r = 0; r < memory->nregions; r++)
      vec_push(&regions,
               ((EffRegion){
                   .valid = (u32)eff_get(b, memory->component, field_of(FIELD_VALID, r, 0)),
                   .start = (u32)eff_get(b, memory->component, field_of(FIELD_START, r, 0)),
                   .end = (u32)eff_get(b, memory->component, field_of(FIELD_END, r, 0)),
                   .offset = (u32)eff_get(b, memory->component, field_of(FIELD_ADDR_OFFSET, r, 0)),
                   .elem_size_log2 =
                       (u32)eff_get(b, memory->component, field_of(FIELD_ELEM_SIZE_LOG2, r, 0))}));
    EffRegion *first = regions.at + b->eff->first_region[m];
    for (u32 r = 0; r < memory->nregions; r++)
      first[r].elements = elements_of_region(memory, first, r);
  }
  b->eff->regions = regions.at;
}

static void put_inputs(EffBuild *b) {
  size_t n = b->adg->ncomponents + (size_t)1;
  b->eff->input_sources = mem_alloc(mem_size(n, sizeof(u32)));
  b->eff->output_sinks = mem_alloc(mem_size(n, sizeof(u32)));
  for (u32 c = 0; c < b->adg->ncomponents; c++) {
    b->eff->input_sources[c] = b->eff->output_sinks[c] = ADG_NONE;
    if (b->adg->components[c].kind != ADG_INPUT) continue;
    u32 source = eff_put_source(b, EFF_INPUT, c, 0);
    b->sources.at[source].port = adg_output(b->adg, c, 0);
    if (b->image->input_tags && b->adg->ports[b->sources.at[source].port].is_tagged)
      b->sources.at[source].tag = b->image->input_tags[c]; /* ADG_NONE is EFF_UNTAGGED */
    b->eff->input_sources[c] = source;
  }
}

Effective *effective_new(Context *ctx, const Image *image) {
  const Adg *adg = image->layout->adg;
  size_t nports = adg->nports + (size_t)1;
  EffBuild b = {.ctx = ctx, .image = image, .adg = adg, .eff = mem_alloc(sizeof(Effective))};
  b.eff->adg = adg;
  b.eff->is_sound = true;
  b.followed = mem_alloc(mem_size(image->nwords + (size_t)1, sizeof *b.followed));
  b.routed = mem_alloc(adg->ncomponents + (size_t)1);
  b.drivers = mem_alloc(mem_size(nports, sizeof *b.drivers));
  b.pack_at = mem_alloc(mem_size(nports, sizeof *b.pack_at));
  for (u32 p = 0; p < adg->nports; p++) b.drivers[p] = b.pack_at[p] = ADG_NONE;
  put_regions(&b);
  put_inputs(&b);
  eff_build_units(&b);
  eff_follow(&b);
  eff_show(&b);
  vec_free(&b.registers);
  vec_free(&b.ends);
  mem_free(b.followed);
  mem_free(b.routed);
  mem_free(b.drivers);
  mem_free(b.pack_at);
  map_free(&b.takers);
  map_free(&b.units_by_tag);
  map_free(&b.unit_of_fu);
  map_free(&b.slots);
  map_free(&b.entered);
  map_free(&b.lane_of);
  map_free(&b.register_of);
  map_free(&b.passing);
  map_free(&b.fan_takers);
  return b.eff;
}

void effective_free(Effective *eff) {
  if (!eff) return;
  mem_free(eff->sources);
  mem_free(eff->sinks);
  mem_free(eff->hops);
  mem_free(eff->units);
  mem_free(eff->ops);
  mem_free(eff->op_results);
  mem_free(eff->values);
  mem_free(eff->moves);
  mem_free(eff->operands);
  mem_free(eff->results);
  mem_free(eff->lanes);
  mem_free(eff->packs);
  mem_free(eff->parts);
  mem_free(eff->first_region);
  mem_free(eff->regions);
  mem_free(eff->output_sinks);
  mem_free(eff->input_sources);
  mem_free(eff);
}

bool eff_is_used(const Effective *eff, u32 source) {
  for (u32 s = eff->sources[source].first_sink; s != ADG_NONE; s = eff->sinks[s].next)
    if (eff->sinks[s].kind != EFF_THROWN) return true;
  return false;
}

/* ---- who makes a token ----------------------------------------------------------------------- */

EffProducer eff_producer(const Effective *eff, u32 sink) {
  const EffSource *source = &eff->sources[eff->sinks[sink].source];
  EffProducer p = {EFF_FROM_NOBODY, source->of, 0, sink};
  switch ((EffSourceKind)source->kind) {
  case EFF_INPUT: p.kind = EFF_FROM_INPUT; break;
  case EFF_RESULT: {
    EffValue v = eff->values[eff->units[source->of].first_yield + source->index];
    if (v.op == ADG_NONE) break;
    p = (EffProducer){EFF_FROM_OP, v.op, v.index, sink};
    break;
  }
  case EFF_PACKED: p.kind = EFF_FROM_PACK; break;
  case EFF_LOAD_DATA: p.kind = EFF_FROM_LANE; break;
  case EFF_LOAD_DONE:
  case EFF_STORE_DONE:
    p.kind = EFF_FROM_LANE;
    p.index = 1;
    break;
  }
  return p;
}

EffProducer eff_operand_producer(const Effective *eff, u32 op, u32 i) {
  EffValue v = eff_operand(eff, op, i);
  const EffUnit *unit = &eff->units[eff->ops[op].unit];
  if (v.op != ADG_NONE) return (EffProducer){EFF_FROM_OP, v.op, v.index, ADG_NONE};
  if (v.index >= eff->adg->bodies[unit->body].nargs ||
      eff->operands[unit->first_operand + v.index] == ADG_NONE)
    return (EffProducer){EFF_FROM_NOBODY, 0, 0, ADG_NONE};
  return eff_producer(eff, eff->operands[unit->first_operand + v.index]);
}

/* ---- names ----------------------------------------------------------------------------------- */

void eff_component_name(const Effective *eff, u32 component, Buf *out) {
  for (const char *c = adg_name(eff->adg, component); *c; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    buf_char(out, plain || strchr("._$-", *c) ? *c : *c == '/' ? '$' : '_');
  }
}

void eff_op_name(const Effective *eff, u32 op, Buf *out) {
  const EffUnit *unit = &eff->units[eff->ops[op].unit];
  const AdgPe *pe = &eff->adg->pes[unit->pe];
  u32 kind = eff->adg->nodes[eff->ops[op].node].kind, same = 0;
  eff_component_name(eff, pe->component, out);
  if (pe->is_temporal) buf_printf(out, ".i%u", unit->instruction);
  if (unit->nops == 1) return;
  for (u32 o = unit->first_op; o < op; o++) same += eff->adg->nodes[eff->ops[o].node].kind == kind;
  buf_printf(out, ".%s", strrchr(op_info((OpKind)kind)->name, '.') + 1);
  if (same) buf_printf(out, ".%u", same);
}

/* ---- for people ------------------------------------------------------------------------------ */

Loc eff_unit_loc(const Effective *eff, u32 unit) {
  return eff->adg->components[eff->adg->pes[eff->units[unit].pe].component].loc;
}

void eff_unit_text(const Effective *eff, u32 unit, Buf *out) {
  const EffUnit *u = &eff->units[unit];
  const AdgPe *pe = &eff->adg->pes[u->pe];
  buf_printf(out, "%s in ", adg_text(eff->adg, eff->adg->fus[u->fu].name));
  if (pe->is_temporal) buf_printf(out, "instruction %u of ", u->instruction);
  buf_printf(out, "'%s'", adg_name(eff->adg, pe->component));
}

static void lane_text(const Effective *eff, u32 lane, Buf *out) {
  const EffLane *l = &eff->lanes[lane];
  buf_printf(out, "%s %u of '%s'", l->is_store ? "store" : "load", l->tag,
             adg_name(eff->adg, eff->adg->memories[l->memory].component));
}

static void pack_text(const Effective *eff, u32 pack, Buf *out) {
  const AdgPort *port = &eff->adg->ports[eff->packs[pack].port];
  buf_printf(out, "the lanes packed in output %u of '%s'", port->index,
             adg_name(eff->adg, port->component));
}

void eff_source_text(const Effective *eff, u32 source, Buf *out) {
  const EffSource *s = &eff->sources[source];
  switch ((EffSourceKind)s->kind) {
  case EFF_INPUT: buf_printf(out, "input '%s'", adg_name(eff->adg, s->of)); break;
  case EFF_RESULT:
    buf_printf(out, "result %u of ", s->index);
    eff_unit_text(eff, s->of, out);
    break;
  case EFF_PACKED: pack_text(eff, s->of, out); break;
  default:
    buf_str(out, s->kind == EFF_LOAD_DATA ? "the data of " : "the done of ");
    lane_text(eff, s->of, out);
    break;
  }
}

void eff_sink_text(const Effective *eff, u32 sink, Buf *out) {
  const EffSink *s = &eff->sinks[sink];
  switch ((EffSinkKind)s->kind) {
  case EFF_OPERAND:
    buf_printf(out, "operand %u of ", s->index);
    eff_unit_text(eff, s->of, out);
    break;
  case EFF_OUTPUT: buf_printf(out, "output '%s'", adg_name(eff->adg, s->of)); break;
  case EFF_PART: pack_text(eff, s->of, out); break;
  case EFF_THROWN: buf_printf(out, "'%s', which throws it away", adg_name(eff->adg, s->of)); break;
  default:
    buf_str(out, s->kind == EFF_STORE_DATA ? "the data of " : "the address of ");
    lane_text(eff, s->of, out);
    break;
  }
}

static void port_text(const Effective *eff, u32 port, u32 tag, Buf *out) {
  const AdgPort *p = &eff->adg->ports[port];
  buf_printf(out, "%s.%s%u", adg_name(eff->adg, p->component), p->is_output ? "out" : "in",
             p->index);
  if (tag != EFF_UNTAGGED) buf_printf(out, " tag %u", tag);
}

void eff_way_text(const Effective *eff, u32 sink, Buf *out) {
  const EffSource *source = &eff->sources[eff->sinks[sink].source];
  Vec(u32) hops = {0};
  for (u32 h = eff->sinks[sink].hop; h != ADG_NONE; h = eff->hops[h].from) vec_push(&hops, h);
  if (source->port != ADG_NONE) port_text(eff, source->port, source->tag, out);
  while (hops.len) {
    u32 h = vec_pop(&hops);
    buf_str(out, " -> ");
    port_text(eff, eff->hops[h].port, eff->hops[h].tag, out);
  }
  vec_free(&hops);
}

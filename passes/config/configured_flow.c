/* configured_flow.c -- follows tokens from sources to sinks.
 *
 *     a source leaves by an output port            its channels lead to input ports: hops
 *     a hop enters a switch                        and leaves by each output that is switched on
 *     a hop enters a switch's buffer               and leaves by the output that has the buffer
 *            ... a FIFO, add_tag, map_tag, del_tag      by its output, with the tag there
 *            ... a PE, a memory, an output              and ends: a sink
 *
 * This is a breadth-first walk over hops. A hop that reaches a memory makes a lane of it, whose
 * results are sources in turn; an output of a switch that packs lanes of several inputs becomes a
 * source when the first of them gets tokens. No port is entered twice with one tag, so the walk
 * ends and is linear in the ports in use.
 *
 * Only switches copy tokens. Where the output of another component is wired to several inputs, one
 * of them may take the tokens. It is the one from which the configuration leads on to a sink: a
 * route that is not configured to lead anywhere gets no tokens, and is no error.
 *
 * Each field of the image that a route depends on is marked. A field that is set and not marked in
 * the end is reported as idle (CFG_IDLE).
 */
#include "config/configured_state.h"

#include <stdlib.h>

static const AdgComponent *component_at(const ConfBuild *b, u32 port) {
  return &b->adg->components[b->adg->ports[port].component];
}

static Loc loc_at(const ConfBuild *b, u32 component) {
  return b->adg->components[component].loc;
}

/* Reads a flag of the image, and marks it as used where it is set. */
static bool is_on(ConfBuild *b, u32 component, Field field) {
  FieldPlace place = layout_find(b->image->layout, component, field);
  if (!place.width || !bits_get(b->image->words, place.at, place.width)) return false;
  bits_set(b->followed, place.at, 1, 1);
  return true;
}

static bool was_followed(const ConfBuild *b, u32 component, Field field) {
  FieldPlace place = layout_find(b->image->layout, component, field);
  return bits_get(b->followed, place.at, 1);
}

static void end_in_error(ConfBuild *b, u32 hop, Code code, const char *why) {
  vec_push(&b->ends, ((ConfEnd){hop, code, why}));
}

/* ---- hops ------------------------------------------------------------------------------------ */

static void enter(ConfBuild *b, u32 port, u32 tag, u32 from, u32 source, u32 width, u32 fifos) {
  const AdgPort *p = &b->adg->ports[port];
  if (p->width < width) width = p->width;
  u64 *entered = map_slot(&b->entered, conf_key(port, tag));
  if (*entered) {
    Buf one = {0}, other = {0};
    conf_show(b);
    conf_source_text(b->conf, b->hops.at[*entered - 1].source, &one);
    conf_source_text(b->conf, source, &other);
    conf_diag(b, loc_at(b, p->component), CFG_STREAMS_MEET,
              "%s %u of '%s' gets tokens from two sources: %s and %s",
              p->is_output ? "output" : "input", p->index, adg_name(b->adg, p->component), one.data,
              other.data);
    buf_free(&one);
    buf_free(&other);
    return;
  }
  *entered = b->hops.len + 1;
  bool is_moved = from != ADG_NONE && b->hops.at[from].is_moved;
  vec_push(&b->hops, ((ConfHop){.port = port,
                                .tag = tag,
                                .from = from,
                                .source = source,
                                .width = width,
                                .fifos = fifos,
                                .is_moved = is_moved}));
}

static void enter_peers(ConfBuild *b, u32 port, u32 tag, u32 hop, u32 source, u32 width,
                        u32 fifos) {
  const AdgPort *p = &b->adg->ports[port];
  for (u32 c = 0; c < p->nchannels; c++)
    enter(b, b->adg->channels[p->first_channel + c].to, tag, hop, source, width, fifos);
}

/* Tokens leave by an output port. `hop`: by which they entered its component; ADG_NONE: they were
 * made there. */
static void leave(ConfBuild *b, u32 port, u32 tag, u32 hop, u32 source, u32 width, u32 fifos) {
  const AdgPort *p = &b->adg->ports[port];
  if (p->width < width) width = p->width;
  if (!p->nchannels && hop != ADG_NONE)
    end_in_error(b, hop, CFG_STUCK, "it leaves by an output that is not connected");
  else if (!p->nchannels && component_at(b, port)->kind != ADG_INPUT)
    conf_diag(b, loc_at(b, p->component), CFG_STUCK,
              "tokens leave by output %u of '%s', which is not connected", p->index,
              adg_name(b->adg, p->component));
  if (p->nchannels && adg_buffer(b->adg, port))
    enter(b, port, tag, hop, source, width, fifos);
  else
    enter_peers(b, port, tag, hop, source, width, fifos);
}

static void start(ConfBuild *b, u32 source) {
  const ConfSource s = b->sources.at[source];
  if (s.port != ADG_NONE) leave(b, s.port, s.tag, ADG_NONE, source, UINT32_MAX, 0);
}

/* Leaves by output o of the component that hop h entered, with the same or another tag. */
static void pass_on(ConfBuild *b, u32 h, u32 o, u32 tag, u32 fifos) {
  const ConfHop hop = b->hops.at[h];
  u32 port = adg_output(b->adg, b->adg->ports[hop.port].component, o);
  if (tag != CONF_UNTAGGED && tag >> b->adg->ports[port].tag_width) {
    end_in_error(b, h, CFG_TAG_LOST, "its tag does not fit the output by which it leaves");
    return;
  }
  leave(b, port, tag, h, hop.source, hop.width, hop.fifos + fifos);
}

static u32 arrive(ConfBuild *b, u32 h, ConfSinkKind kind, u32 of, u32 index) {
  const ConfHop hop = b->hops.at[h];
  b->hops.at[h].takes = true;
  return conf_put_sink(b, kind, of, index, hop.source, h, hop.width);
}

static void discard_tokens(ConfBuild *b, u32 h) {
  b->sources.at[b->hops.at[h].source].is_discarded = true;
  arrive(b, h, CONF_DISCARDED, b->adg->ports[b->hops.at[h].port].component, 0);
}

/* ---- switches -------------------------------------------------------------------------------- */

/* Does input i of an untagged spatial switch drive a lane of its output o? */
static bool gives_lane(const ConfBuild *b, const AdgSwitch *sw, u32 o, u32 i) {
  const Adg *adg = b->adg;
  u32 no = adg_lanes(adg, sw, adg_output(adg, sw->component, o)),
      ni = adg_lanes(adg, sw, adg_input(adg, sw->component, i));
  for (u32 lo = 0; lo < no && adg_connects(adg, sw, i, o); lo++)
    for (u32 li = 0; li < ni; li++)
      if (conf_get(b, sw->component, field_lane_pair(o, lo, i, li))) return true;
  return false;
}

/* Finds the input that drives output o of an untagged spatial switch; where several do, adds a
 * pack. */
static void find_driver(ConfBuild *b, const AdgSwitch *sw, u32 o) {
  u32 port = adg_output(b->adg, sw->component, o), first = (u32)b->parts.len;
  for (u32 i = 0; i < b->adg->components[sw->component].ninputs; i++)
    if (gives_lane(b, sw, o, i)) vec_push(&b->parts, ((ConfPart){i, ADG_NONE, 0, 0}));
  u32 n = (u32)b->parts.len - first;
  if (n == 1) b->drivers[port] = b->parts.at[first].input;
  if (n < 2) {
    b->parts.len = first;
    return;
  }
  b->pack_at[port] = (u32)b->packs.len;
  vec_push(&b->packs, ((ConfPack){port, ADG_NONE, first, n}));
}

/* Lane `from` of an input drives lane `to` of an output. A lane adjacent to the move before, at
 * both ends, is merged into it; bits that no token has are left out. False: bits that a token has
 * would be moved to where none has any. */
static bool put_move(ConfBuild *b, u32 first, u32 lane_bits, u32 from, u32 to) {
  u64 from_bit = (u64)from * lane_bits, to_bit = (u64)to * lane_bits;
  u64 high = from_bit > to_bit ? from_bit : to_bit;
  u64 end = from_bit + lane_bits < CONF_WORD ? from_bit + lane_bits : CONF_WORD;
  if (from_bit < end && to_bit > from_bit && to_bit + (end - from_bit) > CONF_WORD) return false;
  if (high >= CONF_BITS) return true;
  u32 bits = lane_bits < CONF_BITS - high ? lane_bits : (u32)(CONF_BITS - high);
  if (b->moves.len > first) {
    ConfMove *last = &vec_last(&b->moves);
    if (last->from + last->bits == (int)from_bit && last->to + last->bits == (int)to_bit) {
      last->bits = (u8)(last->bits + bits);
      return true;
    }
  }
  vec_push(&b->moves, ((ConfMove){(u8)from_bit, (u8)to_bit, (u8)bits}));
  return true;
}

/* Appends how output o of a spatial switch moves the bits of input i; `first`: the first of these
 * moves. */
static void put_lanes(ConfBuild *b, const AdgSwitch *sw, u32 i, u32 o, u32 first) {
  u32 no = adg_lanes(b->adg, sw, adg_output(b->adg, sw->component, o)),
      ni = adg_lanes(b->adg, sw, adg_input(b->adg, sw->component, i));
  bool fits = true;
  for (u32 lo = 0; lo < no; lo++)
    for (u32 li = 0; li < ni; li++)
      if (is_on(b, sw->component, field_lane_pair(o, lo, i, li)))
        fits &= put_move(b, first, sw->decomposable_bits, li, lo);
  if (!fits)
    conf_diag(b, loc_at(b, sw->component), CFG_LANES_WIDE,
              "lanes of input %u of '%s' are moved above bit %d of output %u, beyond the width of "
              "any token",
              i, adg_name(b->adg, sw->component), CONF_WORD - 1, o);
}

/* The same where it is the only input. Adds no moves where all lanes stay in place, and an empty
 * one where only lanes come that no token has. */
static void move_lanes(ConfBuild *b, const AdgSwitch *sw, u32 i, u32 o, u32 first) {
  u32 no = adg_lanes(b->adg, sw, adg_output(b->adg, sw->component, o)),
      ni = adg_lanes(b->adg, sw, adg_input(b->adg, sw->component, i));
  put_lanes(b, sw, i, o, first);
  if (sw->decomposable_bits && b->moves.len == first) vec_push(&b->moves, ((ConfMove){0}));
  u64 bits = (u64)(no < ni ? no : ni) * sw->decomposable_bits;
  const ConfMove *only = b->moves.len == first + (size_t)1 ? &b->moves.at[first] : NULL;
  if (!sw->decomposable_bits ||
      (only && !only->from && !only->to && only->bits == (bits < CONF_BITS ? bits : CONF_BITS)))
    b->moves.len = first;
}

/* An input is discarded where all its lanes are; marks their fields then. */
static bool is_discarded(ConfBuild *b, const AdgSwitch *sw, u32 i) {
  u32 lanes = adg_lanes(b->adg, sw, adg_input(b->adg, sw->component, i)), n = 0;
  for (u32 l = 0; l < lanes; l++) n += conf_get(b, sw->component, field_discard(i, l)) != 0;
  if (n < lanes) return false;
  for (u32 l = 0; l < lanes; l++) is_on(b, sw->component, field_discard(i, l));
  return true;
}

/* Records the moves of the switch before a hop, and counts the low bits that are still in place. */
static void record_moves(ConfBuild *b, u32 h, u32 first_move, u32 nmoves) {
  ConfHop *hop = &b->hops.at[h];
  hop->first_move = first_move;
  hop->nmoves = nmoves;
  hop->is_moved = hop->is_moved || nmoves;
  if (!hop->is_moved) return;
  conf_show(b);
  ConfBits bits = conf_bits(b->conf, h, ADG_NONE);
  for (hop->width = 0; hop->width < CONF_BITS; hop->width++)
    if (bits.from[hop->width] != hop->width) break;
}

/* Does input i of a spatial switch drive its output o? Of a tagged output it need not be the only
 * one. */
static bool is_driven_by(ConfBuild *b, const AdgSwitch *sw, u32 o, u32 i) {
  u32 port = adg_output(b->adg, sw->component, o);
  if (!b->adg->ports[port].is_tagged) return b->drivers[port] == i;
  return adg_connects(b->adg, sw, i, o) && is_on(b, sw->component, field_pair(0, o, i));
}

/* Ends a hop in the pack of output o, if there is one with lanes of this input. The first hop to
 * end in a pack makes it a source. */
static bool into_pack(ConfBuild *b, const AdgSwitch *sw, u32 o, u32 h) {
  u32 port = adg_output(b->adg, sw->component, o), pack = b->pack_at[port], k = 0;
  if (pack == ADG_NONE) return false;
  const ConfPack *p = &b->packs.at[pack];
  u32 input = b->adg->ports[b->hops.at[h].port].index;
  while (k < p->nparts && b->parts.at[p->first_part + k].input != input) k++;
  if (k == p->nparts) return false;
  ConfPart *part = &b->parts.at[p->first_part + k];
  part->first_move = (u32)b->moves.len;
  put_lanes(b, sw, part->input, o, part->first_move);
  part->nmoves = (u32)b->moves.len - part->first_move;
  part->sink = arrive(b, h, CONF_PART, pack, k);
  if (p->source != ADG_NONE) return true;
  u32 source = b->packs.at[pack].source = conf_put_source(b, CONF_PACKED, pack, 0);
  b->sources.at[source].port = port;
  start(b, source);
  return true;
}

static void through_spatial_sw(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  const AdgPort *p = &b->adg->ports[hop.port];
  const AdgComponent *c = &b->adg->components[p->component];
  const AdgSwitch *sw = &b->adg->switches[c->detail];
  bool any = false;
  for (u32 o = 0; o < c->noutputs; o++) {
    any |= into_pack(b, sw, o, h);
    if (!is_driven_by(b, sw, o, p->index)) continue;
    u32 first = (u32)b->moves.len, entered = (u32)b->hops.len;
    any = true;
    move_lanes(b, sw, p->index, o, first);
    pass_on(b, h, o, hop.tag, 0);
    for (u32 next = entered; next < b->hops.len; next++)
      record_moves(b, next, first, (u32)b->moves.len - first);
  }
  if (is_discarded(b, sw, p->index))
    discard_tokens(b, h);
  else if (!any)
    end_in_error(b, h, CFG_STUCK, "the switch routes this input nowhere");
}

/* The slot or entry for a hop's tag in the table of its component; false: there is none. */
static bool find_item(const ConfBuild *b, const ConfHop *hop, u32 *item) {
  u64 found;
  if (!map_get(&b->slots, conf_key(b->adg->ports[hop->port].component, hop->tag), &found))
    return false;
  *item = (u32)found;
  return true;
}

static void through_temporal_sw(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  const AdgPort *p = &b->adg->ports[hop.port];
  const AdgComponent *c = &b->adg->components[p->component];
  const AdgSwitch *sw = &b->adg->switches[c->detail];
  u32 slot;
  if (!find_item(b, &hop, &slot)) {
    end_in_error(b, h, CFG_STUCK, "no slot of the switch has this tag");
    return;
  }
  bool any = false;
  is_on(b, p->component, field_of(FIELD_VALID, slot, 0));
  for (u32 o = 0; o < c->noutputs; o++) {
    if (!adg_connects(b->adg, sw, p->index, o)) continue;
    if (!is_on(b, p->component, field_pair(slot, o, p->index))) continue;
    any = true;
    pass_on(b, h, o, hop.tag, 0);
  }
  if (!any) discard_tokens(b, h);
}

/* ---- FIFOs and tags -------------------------------------------------------------------------- */

static void through_fifo(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  u32 component = b->adg->ports[hop.port].component;
  const AdgFifo *fifo = &b->adg->fifos[b->adg->components[component].detail];
  bool holds = !(fifo->bypassable && is_on(b, component, field_of(FIELD_BYPASSED, 0, 0)));
  u64 *other = map_slot(&b->passing, component);
  if (holds && *other) {
    conf_diag(b, loc_at(b, component), CFG_SHARED,
              "tokens of tags %u and %u share FIFO '%s', where either could block the other",
              b->hops.at[*other - 1].tag, hop.tag, adg_name(b->adg, component));
  } else {
    *other = h + (u64)1;
  }
  b->hops.at[h].takes = holds;
  pass_on(b, h, 0, hop.tag, holds);
}

static void through_buffer(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  b->hops.at[h].takes = true;
  enter_peers(b, hop.port, hop.tag, h, hop.source, hop.width, hop.fifos + 1);
}

static void through_add_tag(ConfBuild *b, u32 h) {
  u32 component = b->adg->ports[b->hops.at[h].port].component;
  Field tag = field_of(FIELD_TAG, 0, 0);
  is_on(b, component, tag);
  pass_on(b, h, 0, (u32)conf_get(b, component, tag), 0);
}

static void through_map_tag(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  u32 component = b->adg->ports[hop.port].component, entry;
  if (!find_item(b, &hop, &entry)) {
    end_in_error(b, h, CFG_STUCK, "no entry of the map_tag has this tag");
    return;
  }
  is_on(b, component, field_of(FIELD_VALID, entry, 0));
  pass_on(b, h, 0, (u32)conf_get(b, component, field_of(FIELD_DST_TAG, entry, 0)), 0);
}

/* ---- PEs and memories ------------------------------------------------------------------------ */

/* The unit that has an operand (Configured.operands): the last whose operands begin at or before
 * it. */
static u32 unit_of_operand(const ConfBuild *b, u32 operand) {
  u32 low = 0, high = (u32)b->units.len;
  while (high - low > 1) {
    u32 mid = low + (high - low) / 2;
    *(b->units.at[mid].first_operand <= operand ? &low : &high) = mid;
  }
  return low;
}

static void into_pe(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  const AdgPort *p = &b->adg->ports[hop.port];
  bool is_temporal = b->adg->pes[component_at(b, hop.port)->detail].is_temporal;
  u64 taker, ignored;
  if (map_get(&b->takers, conf_key(hop.port, hop.tag), &taker)) {
    u32 operand = (u32)taker - 1, unit = unit_of_operand(b, operand);
    u32 index = operand - b->units.at[unit].first_operand;
    b->operands.at[operand] = arrive(b, h, CONF_OPERAND, unit, index);
    return;
  }
  if (!is_temporal)
    end_in_error(b, h, CFG_STUCK, "no operand of the PE uses this input");
  else if (!map_get(&b->units_by_tag, conf_key(p->component, hop.tag), &ignored))
    end_in_error(b, h, CFG_STUCK, "no instruction of the PE has this tag");
  else
    end_in_error(b, h, CFG_STUCK, "the instruction with this tag does not use this input");
}

/* The region of a memory that has a tag, or ADG_NONE. Linear: few memories have many regions. */
static u32 region_of(const ConfBuild *b, u32 memory, u32 tag) {
  const AdgMemory *m = &b->adg->memories[memory];
  const ConfRegion *regions = b->regions.at + b->conf->first_region[memory];
  for (u32 r = 0; r < m->nregions; r++)
    if (regions[r].valid && regions[r].start <= tag && tag < regions[r].end) return r;
  return ADG_NONE;
}

/* The lane of a tag. A new one starts its sources. */
static ConfLane *lane_of(ConfBuild *b, u32 memory, u32 tag, bool is_store) {
  const AdgMemory *m = &b->adg->memories[memory];
  u64 *known = map_slot(&b->lane_of, conf_key(memory << 1 | is_store, tag));
  if (*known) return &b->lanes.at[*known - 1];
  u32 lane = (u32)b->lanes.len;
  *known = lane + (u64)1;
  vec_push(&b->lanes, ((ConfLane){memory, region_of(b, memory, tag), is_store, tag, ADG_NONE,
                                  ADG_NONE, ADG_NONE, ADG_NONE}));
  if (b->lanes.at[lane].region == ADG_NONE)
    conf_diag(b, loc_at(b, m->component), CFG_STUCK,
              "a %s of '%s' has the tag %u, which is in none of its regions",
              is_store ? "store" : "load", adg_name(b->adg, m->component), tag);
  for (u32 f = ADG_LOAD_DATA; f < ADG_FAMILY_COUNT; f++) {
    if ((f == ADG_STORE_DONE) != is_store || m->ports[f] == ADG_NONE) continue;
    ConfSourceKind kind = f == ADG_LOAD_DATA   ? CONF_LOAD_DATA
                          : f == ADG_LOAD_DONE ? CONF_LOAD_DONE
                                               : CONF_STORE_DONE;
    u32 source = conf_put_source(b, kind, lane, 0);
    u32 port = adg_lane_port(m, f, tag);
    b->sources.at[source].port = port;
    if (b->adg->ports[port].is_tagged) b->sources.at[source].tag = tag;
    *(f == ADG_LOAD_DATA ? &b->lanes.at[lane].value : &b->lanes.at[lane].done) = source;
    start(b, source);
  }
  return &b->lanes.at[lane];
}

static void into_memory(ConfBuild *b, u32 h) {
  const ConfHop hop = b->hops.at[h];
  u32 memory = component_at(b, hop.port)->detail;
  const AdgMemory *m = &b->adg->memories[memory];
  u32 family = adg_port_family(m, hop.port);
  u32 tag = hop.tag == CONF_UNTAGGED ? hop.port - m->ports[family] : hop.tag;
  bool is_store = family != ADG_LOAD_ADDR, is_data = family == ADG_STORE_DATA;
  if (tag >= adg_family_lanes(m, family) || adg_lane_port(m, family, tag) != hop.port) {
    end_in_error(b, h, CFG_STUCK, "the memory has no lane with this tag");
    return;
  }
  const ConfSource *source = &b->sources.at[hop.source];
  if (source->kind == CONF_INPUT && !b->routed[source->of] &&
      region_of(b, memory, tag) == ADG_NONE) {
    end_in_error(b, h, CFG_STUCK, "its tag is in no region of the memory"); /* if any come */
    return;
  }
  u32 lane = (u32)(lane_of(b, memory, tag, is_store) - b->lanes.at);
  ConfSinkKind kind = is_data ? CONF_STORE_DATA : is_store ? CONF_STORE_ADDR : CONF_LOAD_ADDR;
  u32 sink = arrive(b, h, kind, lane, 0);
  *(is_data ? &b->lanes.at[lane].data : &b->lanes.at[lane].address) = sink;
}

/* An output is one result: its reader cannot tell one tag's tokens from another's. */
static void into_output(ConfBuild *b, u32 h) {
  u32 component = b->adg->ports[b->hops.at[h].port].component;
  u32 *sink = &b->conf->output_sinks[component];
  if (*sink != ADG_NONE) {
    Buf one = {0}, other = {0};
    conf_show(b);
    conf_source_text(b->conf, b->sinks.at[*sink].source, &one);
    conf_source_text(b->conf, b->hops.at[h].source, &other);
    conf_diag(b, loc_at(b, component), CFG_STREAMS_MEET,
              "output '%s' gets tokens of two tags: tag %u of %s and tag %u of %s",
              adg_name(b->adg, component), b->hops.at[b->sinks.at[*sink].hop].tag, one.data,
              b->hops.at[h].tag, other.data);
    buf_free(&one);
    buf_free(&other);
    return;
  }
  *sink = arrive(b, h, CONF_OUTPUT, component, 0);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void follow_hop(ConfBuild *b, u32 h) {
  u32 port = b->hops.at[h].port, tag = b->hops.at[h].tag;
  u32 component = b->adg->ports[port].component;
  if (tag != CONF_UNTAGGED && tag >> b->adg->ports[port].tag_width) {
    end_in_error(b, h, CFG_TAG_LOST, "its tag does not fit this port");
    return;
  }
  u32 source = b->hops.at[h].source;
  AdgKind kind = (AdgKind)b->adg->components[component].kind;
  if (b->hops.at[h].from != ADG_NONE && b->sources.at[source].kind == CONF_INPUT) {
    if (adg_is_switch(component_at(b, b->hops.at[b->hops.at[h].from].port)))
      b->routed[b->sources.at[source].of] = true;
  }
  if (b->adg->ports[port].is_output) {
    through_buffer(b, h);
    return;
  }
  switch (kind) {
  case ADG_OUTPUT: into_output(b, h); break;
  case ADG_SPATIAL_PE:
  case ADG_TEMPORAL_PE: into_pe(b, h); break;
  case ADG_SPATIAL_SW: through_spatial_sw(b, h); break;
  case ADG_TEMPORAL_SW: through_temporal_sw(b, h); break;
  case ADG_FIFO: through_fifo(b, h); break;
  case ADG_ADD_TAG: through_add_tag(b, h); break;
  case ADG_MAP_TAG: through_map_tag(b, h); break;
  case ADG_DEL_TAG: pass_on(b, h, 0, CONF_UNTAGGED, 0); break;
  case ADG_MEMORY:
  case ADG_EXTMEMORY: into_memory(b, h); break;
  default: break;
  }
}

/* Makes the operand that reads a register a sink of the result that is written to it. */
static void follow_register(ConfBuild *b, const ConfRegister *r) {
  const char *name = adg_name(b->adg, r->component);
  if (r->writer == ADG_NONE || r->reader == ADG_NONE) {
    conf_diag(b, loc_at(b, r->component), r->writer == ADG_NONE ? CFG_UNDRIVEN : CFG_STUCK,
              r->writer == ADG_NONE ? "register %u of '%s' is read, but never written"
                                    : "register %u of '%s' is written, but never read",
              r->number, name);
    return;
  }
  u32 unit = unit_of_operand(b, r->reader);
  u32 index = r->reader - b->units.at[unit].first_operand;
  b->operands.at[r->reader] =
      conf_put_sink(b, CONF_OPERAND, unit, index, r->writer, ADG_NONE, UINT32_MAX);
}

/* ---- outputs that copy nothing --------------------------------------------------------------- */

/* The output before a hop, if it is wired to several inputs but is no switch's, so that only one of
 * them may take its tokens; else ADG_NONE. */
static u32 plain_fan(const ConfBuild *b, u32 h) {
  u32 port = adg_driver(b->adg, b->hops.at[h].port);
  return adg_is_switch(component_at(b, port)) || b->adg->ports[port].nchannels < 2 ? ADG_NONE
                                                                                   : port;
}

/* Propagates ConfHop.takes backwards along the routes, and fills `fan_takers`. Two hops that take
 * the tokens of one output and tag are an error. */
static void find_takers(ConfBuild *b) {
  for (u32 h = (u32)b->hops.len; h--;) {
    const ConfHop *hop = &b->hops.at[h];
    if (hop->takes && hop->from != ADG_NONE) b->hops.at[hop->from].takes = true;
  }
  for (u32 h = 0; h < b->hops.len; h++) {
    u32 port = plain_fan(b, h), tag = b->hops.at[h].tag;
    if (port == ADG_NONE || !b->hops.at[h].takes) continue;
    u64 *taker = map_slot(&b->fan_takers, conf_key(port, tag));
    if (*taker) {
      const AdgPort *p = &b->adg->ports[b->hops.at[h].port],
                    *q = &b->adg->ports[b->hops.at[*taker - 1].port];
      conf_diag(b, loc_at(b, b->adg->ports[port].component), CFG_FANOUT,
                "output %u of '%s', which is not a switch, feeds two consumers: input %u of '%s' "
                "and input %u of '%s'",
                b->adg->ports[port].index, adg_name(b->adg, b->adg->ports[port].component),
                q->index, adg_name(b->adg, q->component), p->index, adg_name(b->adg, p->component));
    } else {
      *taker = h + (u64)1;
    }
  }
}

/* Does the component of a hop pass tokens on only where it is configured to do so? */
static bool needs_configuration(const ConfBuild *b, u32 h) {
  const AdgComponent *c = component_at(b, b->hops.at[h].port);
  return adg_is_switch(c) || c->kind == ADG_MAP_TAG;
}

/* Is a route that ends in an error one that gets no tokens? It is, where another branch of an
 * output that copies nothing takes them, and no switch or map_tag in between is configured to pass
 * tokens on to it. */
static bool is_not_taken(const ConfBuild *b, u32 h) {
  u64 taker;
  while (h != ADG_NONE && !b->hops.at[h].takes) {
    u32 port = plain_fan(b, h);
    if (port != ADG_NONE && map_get(&b->fan_takers, conf_key(port, b->hops.at[h].tag), &taker))
      return true;
    h = b->hops.at[h].from;
    if (h != ADG_NONE && needs_configuration(b, h)) return false;
  }
  return false;
}

/* ---- reports after the walk ------------------------------------------------------------------ */

/* The number of slots or entries of a table of tags; 0: the component has none. */
static u32 items_of(const ConfBuild *b, u32 component) {
  const AdgComponent *c = &b->adg->components[component];
  if (c->kind == ADG_TEMPORAL_SW) return b->adg->switches[c->detail].num_route_table;
  return c->kind == ADG_MAP_TAG ? b->adg->tags[c->detail].table_size : 0;
}

/* Is nothing of the fabric in use, though this table has entries? Then it lacks one. */
static bool lacks_entry(const ConfBuild *b, u32 component) {
  if (b->units.len || b->lanes.len) return false;
  for (u32 c = 0; c < b->adg->ncomponents; c++)
    if (b->conf->output_sinks[c] != ADG_NONE) return false;
  for (u32 i = 0; i < items_of(b, component); i++)
    if (conf_get(b, component, field_of(FIELD_VALID, i, 0))) return true;
  return false;
}

/* Reports a route that ends in an error; not that of an unused input of the fabric. */
static void report_end(ConfBuild *b, const ConfEnd *end) {
  const ConfHop *hop = &b->hops.at[end->hop];
  const ConfSource *source = &b->sources.at[hop->source];
  const AdgPort *p = &b->adg->ports[hop->port];
  if (is_not_taken(b, end->hop)) return;
  if (end->code == CFG_STUCK && source->kind == CONF_INPUT && source->first_sink == ADG_NONE &&
      !b->routed[source->of] && !lacks_entry(b, p->component))
    return;
  Buf text = {0};
  conf_show(b);
  conf_source_text(b->conf, hop->source, &text);
  if (hop->tag != CONF_UNTAGGED) buf_printf(&text, ", tag %u,", hop->tag);
  conf_diag(b, loc_at(b, p->component), end->code, "%s arrives at input %u of '%s', but %s",
            text.data, p->index, adg_name(b->adg, p->component), end->why);
  buf_free(&text);
}

/* A pack of which no part gets tokens is idle, and reported as such. */
static void report_missing_parts(ConfBuild *b, const ConfPack *pack) {
  const AdgPort *port = &b->adg->ports[pack->port];
  for (u32 k = 0; k < pack->nparts && pack->source != ADG_NONE; k++) {
    const ConfPart *part = &b->parts.at[pack->first_part + k];
    if (part->sink == ADG_NONE)
      conf_diag(b, loc_at(b, port->component), CFG_UNDRIVEN,
                "output %u of '%s' waits for lanes of input %u, but no tokens arrive there",
                port->index, adg_name(b->adg, port->component), part->input);
  }
}

static void report_undriven(ConfBuild *b) {
  for (u32 u = 0; u < b->units.len; u++) {
    const ConfUnit *unit = &b->units.at[u];
    for (u32 k = 0; k < b->adg->bodies[unit->body].nargs; k++) {
      u32 *operand = &b->operands.at[unit->first_operand + k];
      if (*operand != CONF_WANTED) continue;
      *operand = ADG_NONE;
      Buf text = {0};
      conf_show(b);
      conf_unit_text(b->conf, u, &text);
      conf_diag(b, loc_at(b, b->adg->pes[unit->pe].component), CFG_UNDRIVEN,
                "operand %u of %s waits for tokens, but none arrive", k, text.data);
      buf_free(&text);
    }
  }
  for (u32 k = 0; k < b->packs.len; k++) report_missing_parts(b, &b->packs.at[k]);
  for (u32 l = 0; l < b->lanes.len; l++) {
    const ConfLane *lane = &b->lanes.at[l];
    const AdgMemory *m = &b->adg->memories[lane->memory];
    bool no_address = lane->address == ADG_NONE;
    if (no_address || (lane->is_store && lane->data == ADG_NONE))
      conf_diag(b, loc_at(b, m->component), CFG_UNDRIVEN, "%s %u of '%s' gets %s, but no %s",
                lane->is_store ? "store" : "load", lane->tag, adg_name(b->adg, m->component),
                no_address ? "data" : "an address", no_address ? "address" : "data");
  }
}

typedef struct {
  ConfBuild *b;
  u32 component;
} IdleWalk;

/* Is it a field of a slot or entry whose tag never comes? That does no harm. */
static bool is_spare(const ConfBuild *b, u32 component, Field f) {
  AdgKind kind = (AdgKind)b->adg->components[component].kind;
  return (kind == ADG_MAP_TAG || kind == ADG_TEMPORAL_SW) &&
         !was_followed(b, component, field_of(FIELD_VALID, f.item, 0));
}

static void report_idle(void *context, Field f, u64 offset, u32 width) {
  IdleWalk *w = context;
  ConfBuild *b = w->b;
  (void)offset, (void)width;
  bool switches_on = f.kind == FIELD_VALID || f.kind == FIELD_PAIR || f.kind == FIELD_DISCARD ||
                     f.kind == FIELD_BYPASSED ||
                     (f.kind == FIELD_TAG && b->adg->components[w->component].kind == ADG_ADD_TAG);
  if (!switches_on || !conf_get(b, w->component, f) || was_followed(b, w->component, f)) return;
  if (is_spare(b, w->component, f)) b->conf->spare = w->component;
  if (is_spare(b, w->component, f) && !b->ctx->strict) return;
  Buf name = {0};
  layout_name(b->image->layout, w->component, f, &name);
  conf_diag(b, loc_at(b, w->component), CFG_IDLE,
            "%s of '%s' is set, but no token ever arrives there", name.data,
            adg_name(b->adg, w->component));
  buf_free(&name);
}

static void report_all_idle(ConfBuild *b) {
  const Layout *layout = b->image->layout;
  for (u32 s = 0; s < layout->nslices; s++) {
    IdleWalk w = {b, layout->slices[s].component};
    const AdgComponent *c = &b->adg->components[w.component];
    if (!adg_is_pe(c) && !adg_is_memory(c)) layout_visit(layout, s, report_idle, &w);
  }
}

/* ---- tables that are filled first ------------------------------------------------------------ */

static void find_items(ConfBuild *b) {
  for (u32 c = 0; c < b->adg->ncomponents; c++) {
    for (u32 i = items_of(b, c); i--;) /* backwards: of two with one tag the first counts */
      if (conf_get(b, c, field_of(FIELD_VALID, i, 0)))
        map_put(&b->slots, conf_key(c, (u32)conf_get(b, c, field_of(FIELD_TAG, i, 0))), i);
  }
}

static void find_drivers(ConfBuild *b) {
  for (u32 s = 0; s < b->adg->nswitches; s++) {
    const AdgSwitch *sw = &b->adg->switches[s];
    if (adg_carries_tags(b->adg, sw)) continue;
    for (u32 o = 0; o < b->adg->components[sw->component].noutputs; o++) find_driver(b, sw, o);
  }
}

/* ---- the order of lanes ---------------------------------------------------------------------- */

typedef struct {
  u32 memory, is_store, channel, tag, lane;
} LanePlace;

static int by_place(const void *a, const void *b) {
  const LanePlace *x = a, *y = b;
  if (x->memory != y->memory) return x->memory < y->memory ? -1 : 1;
  if (x->is_store != y->is_store) return x->is_store < y->is_store ? -1 : 1;
  if (x->channel != y->channel) return x->channel < y->channel ? -1 : 1;
  return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static bool is_of_lane(u8 sink_kind) {
  return sink_kind == CONF_LOAD_ADDR || sink_kind == CONF_STORE_ADDR ||
         sink_kind == CONF_STORE_DATA;
}

/* Numbers lanes by memory, loads first, then by channel, then by tag. (They were found in the order
 * in which tokens came to them.) Of two stores to one element in one cycle that of the later
 * channel wins, so the order matters. */
static void sort_lanes(ConfBuild *b) {
  u32 n = (u32)b->lanes.len;
  if (n < 2) return;
  LanePlace *places = NEW_ARRAY(b->scratch, LanePlace, n);
  ConfLane *sorted = NEW_ARRAY(b->scratch, ConfLane, n);
  u32 *number = NEW_ARRAY(b->scratch, u32, n);
  for (u32 l = 0; l < n; l++) {
    const ConfLane *lane = &b->lanes.at[l];
    u32 channel = adg_request_channel(&b->adg->memories[lane->memory], lane->tag);
    places[l] = (LanePlace){lane->memory, lane->is_store, channel, lane->tag, l};
  }
  qsort(places, n, sizeof *places, by_place);
  for (u32 l = 0; l < n; l++) {
    sorted[l] = b->lanes.at[places[l].lane];
    number[places[l].lane] = l;
  }
  memcpy(b->lanes.at, sorted, n * sizeof *sorted);
  for (size_t s = 0; s < b->sources.len; s++)
    if (b->sources.at[s].kind >= CONF_LOAD_DATA) b->sources.at[s].of = number[b->sources.at[s].of];
  for (size_t s = 0; s < b->sinks.len; s++)
    if (is_of_lane(b->sinks.at[s].kind)) b->sinks.at[s].of = number[b->sinks.at[s].of];
}

void conf_follow(ConfBuild *b) {
  u32 ninitial = (u32)b->sources.len;
  find_items(b);
  find_drivers(b);
  for (u32 s = 0; s < ninitial; s++) start(b, s);
  for (u32 h = 0; h < b->hops.len; h++) follow_hop(b, h);
  for (u32 r = 0; r < b->registers.len; r++) follow_register(b, &b->registers.at[r]);
  find_takers(b);
  for (u32 e = 0; e < b->ends.len; e++) report_end(b, &b->ends.at[e]);
  sort_lanes(b);
  report_undriven(b);
  conf_report_loops(b);
  if (b->conf->is_sound) report_all_idle(b);
}

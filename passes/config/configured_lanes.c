/* configured_lanes.c -- where the bits of a token come from, once decomposable switches have moved
 * them.
 *
 *     a (16 bits) ─► sw [decomposable_bits = 8] ─► b     "in 0[1] -> out 0[0], in 0[0] -> out 0[1]"
 *
 *     b's bits 0 to 7 are a's 8 to 15, and the other way round: two pieces
 *
 * A switch copies lanes of its inputs to lanes of its outputs. A hop behind a switch that moves
 * lanes has these moves (ConfHop.first_move). Each bit is traced back from the end of the route,
 * hop by hop, in CONF_BITS steps a hop. A bit that a port on the route is too narrow for, or that
 * no lane drives, is 0 from there on.
 *
 *     a (8 bits) ─► sw [decomposable_bits = 8] ─► c     "in 0[0] -> out 0[1], in 1[0] -> out 0[0]"
 *     b (8 bits) ─►
 *
 * Lanes of several inputs in one output are packed: c is a new token, which is made of one token of
 * each input.
 */
#include "config/configured.h"

/* Bit `bit` at a hop is which bit at the hop before? CONF_NO_BIT: none, it is 0. */
static u32 bit_before(const Configured *conf, const ConfHop *hop, u32 bit) {
  u32 from = adg_driver(conf->adg, hop->port);
  if (bit >= conf->adg->ports[hop->port].width || bit >= conf->adg->ports[from].width)
    return CONF_NO_BIT;
  if (!hop->nmoves) return bit;
  for (u32 k = 0; k < hop->nmoves; k++) {
    const ConfMove *move = &conf->moves[hop->first_move + k];
    if (bit >= move->to && bit < (u32)move->to + move->bits) return bit - move->to + move->from;
  }
  return CONF_NO_BIT;
}

ConfBits conf_bits(const Configured *conf, u32 hop, u32 since) {
  ConfBits bits;
  for (u32 k = 0; k < CONF_BITS; k++) {
    u32 bit = k;
    for (u32 h = hop; h != since && h != ADG_NONE && bit != CONF_NO_BIT; h = conf->hops[h].from)
      bit = bit_before(conf, &conf->hops[h], bit);
    bits.from[k] = (u8)bit;
  }
  return bits;
}

ConfBits conf_part_bits(const Configured *conf, u32 sink, u32 since) {
  const ConfSink *s = &conf->sinks[sink];
  const ConfPart *part = &conf->parts[conf->packs[s->of].first_part + s->index];
  ConfBits came = conf_bits(conf, s->hop, since), bits;
  memset(bits.from, CONF_NO_BIT, sizeof bits.from);
  for (u32 k = 0; k < part->nmoves; k++) {
    const ConfMove *move = &conf->moves[part->first_move + k];
    memcpy(bits.from + move->to, came.from + move->from, move->bits);
  }
  return bits;
}

u32 conf_pieces(const ConfBits *bits, u32 has, u32 wants, ConfMove *out) {
  u32 n = 0;
  for (u32 k = 0; k < CONF_BITS && k < wants; k++) {
    u8 from = bits->from[k];
    if (from >= has || from == CONF_NO_BIT) continue;
    ConfMove *last = n ? &out[n - 1] : NULL;
    if (last && (u32)last->to + last->bits == k && last->from + last->bits == from)
      last->bits++;
    else
      out[n++] = (ConfMove){from, (u8)k, 1};
  }
  return n;
}

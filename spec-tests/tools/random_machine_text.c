/* random_machine_text.c -- a machine that has grown (random_machine.c) as a Fabric text. */
#include "random_machine_state.h"

/* No bits: tokens alone. */
static TypeText wire(u32 bits, u32 tag_bits) {
  return wire_type(bits ? bits : NO_VALUE, tag_bits);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The next use of a value; how wide it is there. */
static u32 put_use(Gen *g, u32 v, Buf *out) {
  Value *value = &g->values[v];
  u32 bits = value->uses < 2 ? value->bits : value->copy_bits[value->next];
  if (value->is_sunk)
    buf_printf(out, "%%s%u", v);
  else if (value->uses < 2 && value->is_fifo)
    buf_printf(out, "%%q%u", v);
  else if (value->uses < 2)
    buf_str(out, value->name);
  else
    buf_printf(out, "%%s%u#%u", v, value->next++);
  return bits;
}

/* Where copy c of a value comes from. */
static void put_routes(Gen *g, const Value *v, u32 c) {
  if (!v->lane_bits) {
    buf_printf(g->out, "%sin 0 -> out %u", c ? ", " : "", c);
    return;
  }
  for (u32 l = 0; l < v->copy_bits[c] / v->lane_bits; l++)
    buf_printf(g->out, "%sin 0[%u] -> out %u[%u]", c || l ? ", " : "", v->from[c][l], c, l);
}

/* What a switch says of its buffers, by its number: half of them have none. */
static const char *buffer_text(u32 number) {
  static const char *const texts[] = {"buffer = \"none\"", "buffer = \"none\"",
                                      "buffer = \"forward\"", "buffer = \"full\""};
  return texts[number * 7 % 4];
}

/* One fifo, or of those with two places several, one behind the other. */
static void put_fifos(Gen *g, u32 v) {
  const Value *value = &g->values[v];
  TypeText own = wire(value->bits, value->tag_bits);
  u32 places = 1 + v % 4, hops = places == 2 ? 1 + v % 5 : 1;
  char from[40], to[32];
  memcpy(from, value->name, sizeof value->name);
  for (u32 i = 1; i <= hops; i++) {
    snprintf(to, sizeof to, i < hops ? "q%u_%u" : "q%u", v, i);
    buf_printf(g->out, "  %%%s = fabric.fifo @%s [depth = %u] (%s) : (%s) -> (%s)\n", to, to,
               places, from, own.text, own.text);
    snprintf(from, sizeof from, "%%%s", to);
  }
}

/* Behind a value that is made: the fifo, the switch that copies it. */
static void put_way(Gen *g, u32 v) {
  const Value *value = &g->values[v];
  TypeText own = wire(value->bits, value->tag_bits);
  if (value->is_fifo) put_fifos(g, v);
  char from[16];
  snprintf(from, sizeof from, "%%q%u", v);
  if (!value->is_fifo) memcpy(from, value->name, sizeof from);
  if (value->is_sunk)
    buf_printf(g->out,
               "  %%s%u = fabric.spatial_sw @s%u [connectivity_table = [\"1\"]] (%s) attributes "
               "{discard = [0 : i64]} : (%s) -> (%s)\n",
               v, v, from, own.text, own.text);
  if (value->uses < 2) return;
  buf_printf(g->out, "  %%s%u:%u = fabric.spatial_sw @s%u [", v, value->uses, v);
  if (!value->tag_bits) buf_printf(g->out, "%s, ", buffer_text(v));
  if (value->lane_bits) buf_printf(g->out, "decomposable_bits = %u, ", value->lane_bits);
  buf_str(g->out, "connectivity_table = [");
  for (u32 i = 0; i < value->uses; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
  buf_printf(g->out, "]] (%s) attributes {route_table = [\"", from);
  for (u32 i = 0; i < value->uses; i++) put_routes(g, value, i);
  buf_str(g->out, "\"]");
  buf_printf(g->out, "} : (%s) -> (", own.text);
  for (u32 i = 0; i < value->uses; i++)
    buf_printf(g->out, "%s%s", i ? ", " : "", wire(value->copy_bits[i], value->tag_bits).text);
  buf_str(g->out, ")\n");
}

static void put_unit(Gen *g, const Instruction *in, u32 number) {
  char name[NAME_ROOM];
  snprintf(name, sizeof name, "u%u", number);
  put_function_unit(&unit_texts[in->unit], in->type, name, (int)in->latency, (int)in->interval,
                    in->early_out, g->out);
}

static void put_spatial(Gen *g, u32 part) {
  const Instruction *in = &g->parts[part].at[0];
  const char *operands = unit_texts[in->unit].operands, *results = unit_texts[in->unit].results;
  Buf inputs = {0}, types = {0};
  u32 nresults = (u32)strlen(results);
  for (u32 i = 0; operands[i]; i++) {
    buf_str(&inputs, i ? ", " : "");
    put_use(g, in->operands[i], &inputs);
    buf_printf(&types, "%s%s", i ? ", " : "", wire(gen_bits(g, operands[i]), 0).text);
  }
  buf_printf(g->out, "  %%p%u:%u = fabric.spatial_pe @p%u inputs(%s) : (%s) -> (", part, nresults,
             part, inputs.data, types.data);
  for (u32 r = 0; r < nresults; r++)
    buf_printf(g->out, "%s%s", r ? ", " : "",
               wire(in->results[r] == LOST ? 32 : g->values[in->results[r]].bits, 0).text);
  buf_str(g->out, ") attributes {instruction = \"u0(");
  for (u32 i = 0; operands[i]; i++) buf_printf(g->out, "%sin %u", i ? ", " : "", i);
  buf_str(g->out, ") -> (");
  for (u32 r = 0; r < nresults; r++) {
    buf_str(g->out, r ? ", " : "");
    if (in->results[r] == LOST)
      buf_str(g->out, "discard");
    else
      buf_printf(g->out, "out %u", r);
  }
  buf_str(g->out, ")\"} {\n");
  put_unit(g, in, 0);
  buf_str(g->out, "    fabric.yield\n  }\n");
  buf_free(&inputs);
  buf_free(&types);
}

/* One channel for several: their tokens get tags, and come together in a switch, or in two, and may
 * change their tags behind it. The name of the channel is appended. */
typedef struct {
  u32 n, tags[MAX_INSTRUCTIONS], values[MAX_INSTRUCTIONS];
} Nets;

/* A switch from these channels, each with the tags that `from` says, to one: temporal, or spatial,
 * where whatever comes takes its turn. */
static u32 put_gather_of(Gen *g, const char (*channels)[16], u32 nchannels, const u32 *tags,
                         const u32 *from, u32 n, TypeText type) {
  u32 name = g->names++;
  bool is_spatial = name % 3 == 0;
  if (is_spatial)
    buf_printf(g->out, "  %%g%u = fabric.spatial_sw @g%u (", name, name);
  else
    buf_printf(g->out, "  %%g%u = fabric.temporal_sw @g%u [num_route_table = %u, %s] (", name, name,
               n, buffer_text(name));
  for (u32 i = 0; i < nchannels; i++) buf_printf(g->out, "%s%s", i ? ", " : "", channels[i]);
  buf_str(g->out, ") attributes {route_table = [");
  if (is_spatial) buf_char(g->out, '"');
  for (u32 i = 0; is_spatial && i < nchannels; i++) buf_char(g->out, '1');
  if (is_spatial) buf_char(g->out, '"');
  for (u32 i = 0; !is_spatial && i < n; i++)
    buf_printf(g->out, "%s\"tag %u: in %u -> out 0\"", i ? ", " : "", tags[i], from[i]);
  buf_str(g->out, "]} : (");
  for (u32 i = 0; i < nchannels; i++) buf_printf(g->out, "%s%s", i ? ", " : "", type.text);
  buf_printf(g->out, ") -> %s\n", type.text);
  return name;
}

static void put_gather(Gen *g, const Nets *nets, const Part *p, bool is_nested, Buf *channel) {
  static const u32 side_by_side[MAX_INSTRUCTIONS] = {0, 1, 2, 3}, behind[] = {0, 0, 1, 2};
  char names[MAX_INSTRUCTIONS][16];
  u32 tags[MAX_INSTRUCTIONS];
  TypeText type = wire(p->bits, p->tag_bits);
  bool is_mapped = !gen_below(g, 3); /* other tags before than behind */
  u32 other = gen_below(g, 4);
  for (u32 i = 0; i < nets->n; i++) {
    Buf use = {0};
    u32 bits = put_use(g, nets->values[i], &use);
    tags[i] = is_mapped && nets->n > 1 ? nets->tags[i] ^ other : nets->tags[i];
    snprintf(names[i], sizeof names[i], "%%t%u", g->names);
    buf_printf(g->out, "  %%t%u = fabric.add_tag %s {tag = %u : i64} : %s -> %s\n", g->names,
               use.data, tags[i], wire(bits, 0).text, wire(bits, p->tag_bits).text);
    g->names++;
    buf_free(&use);
  }
  if (nets->n > 1 && (!is_nested || nets->n == 2)) {
    u32 name =
        put_gather_of(g, (const char(*)[16])names, nets->n, tags, side_by_side, nets->n, type);
    snprintf(names[0], sizeof names[0], "%%g%u", name);
  } else if (nets->n > 1) { /* the first two come together, and then the others with them */
    u32 name = put_gather_of(g, (const char(*)[16])names, 2, tags, side_by_side, 2, type);
    snprintf(names[1], sizeof names[1], "%%g%u", name);
    name =
        put_gather_of(g, (const char(*)[16])(names + 1), nets->n - 1, tags, behind, nets->n, type);
    snprintf(names[0], sizeof names[0], "%%g%u", name);
  }
  if (is_mapped && nets->n > 1) {
    buf_printf(g->out, "  %%t%u = fabric.map_tag %s [table_size = %u] attributes {table = [",
               g->names, names[0], nets->n);
    for (u32 i = 0; i < nets->n; i++)
      buf_printf(g->out, "%s[1, %u, %u]", i ? ", " : "", tags[i], nets->tags[i]);
    buf_printf(g->out, "]} : %s -> %s\n", type.text, type.text);
    snprintf(names[0], sizeof names[0], "%%t%u", g->names++);
  }
  buf_str(channel, names[0]);
}

/* The other way round: the values get what the channel has under their tags. */
static void put_scatter(Gen *g, const char *channel, const Nets *nets, TypeText tagged,
                        TypeText plain) {
  u32 name = g->names++, kept = 0, at = 0;
  for (u32 i = 0; i < nets->n; i++) kept += !g->values[nets->values[i]].is_dropped;
  if (nets->n > 1) {
    buf_printf(g->out,
               "  %%d%u:%u = fabric.temporal_sw @d%u [num_route_table = %u, %s, "
               "connectivity_table = [",
               name, kept, name, nets->n, buffer_text(name));
    for (u32 i = 0; i < kept; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
    buf_printf(g->out, "]] (%s) attributes {route_table = [", channel);
    for (u32 i = 0; i < nets->n; i++) {
      buf_printf(g->out, "%s\"tag %u:", i ? ", " : "", nets->tags[i]);
      if (!g->values[nets->values[i]].is_dropped) buf_printf(g->out, " in 0 -> out %u", at++);
      buf_char(g->out, '"');
    }
    buf_printf(g->out, "]} : (%s) -> (", tagged.text);
    for (u32 i = 0; i < kept; i++) buf_printf(g->out, "%s%s", i ? ", " : "", tagged.text);
    buf_str(g->out, ")\n");
  }
  at = 0;
  for (u32 i = 0; i < nets->n; i++) {
    u32 v = nets->values[i];
    if (g->values[v].is_dropped) continue;
    if (nets->n > 1)
      buf_printf(g->out, "  %%v%u = fabric.del_tag %%d%u#%u : %s -> %s\n", v, name, at++,
                 tagged.text, plain.text);
    else
      buf_printf(g->out, "  %%v%u = fabric.del_tag %s : %s -> %s\n", v, channel, tagged.text,
                 plain.text);
  }
}

static void put_instruction(Gen *g, const Part *p, u32 i) {
  const Instruction *in = &p->at[i];
  buf_printf(g->out, "%s\"tag %u: u%u(", i ? ", " : "", i, in->shares);
  for (u32 o = 0; unit_texts[in->unit].operands[o]; o++) {
    buf_str(g->out, o ? ", " : "");
    if (in->operands[o] == FROM)
      buf_str(g->out, "reg 0");
    else
      buf_printf(g->out, "in %u", o);
  }
  buf_str(g->out, ") -> (");
  for (u32 r = 0; unit_texts[in->unit].results[r]; r++) {
    buf_str(g->out, r ? ", " : "");
    if (in->results[r] >= TO) buf_str(g->out, "reg 0");
    if (in->results[r] == NOWHERE + TO) continue;
    if (in->results[r] >= TO) buf_char(g->out, ' ');
    if (in->results[r] == LOST)
      buf_str(g->out, "discard");
    else
      buf_printf(g->out, "out %u tag %u", r, i);
  }
  buf_str(g->out, ")\"");
}

/* What an instruction makes of its unit where each has a configuration of its own. */
static u32 payload_of(Gen *g, const Instruction *in) {
  const char *unit = unit_texts[in->unit].name;
  if (!strncmp(unit, "const", 5)) return gen_below(g, 100);
  if (!strcmp(unit, "cmp") || !strcmp(unit, "several")) return gen_below(g, 10); /* a predicate */
  if (!strcmp(unit, "join")) return 3;
  return !strcmp(unit, "stream") || !strcmp(unit, "multiplied") ? 1
         : !strcmp(unit, "divided")                             ? 4
                                                                : 0;
}

static void put_payloads(Gen *g, const Part *p) {
  buf_str(g->out, "], payload = [");
  for (u32 i = 0; i < p->n; i++)
    buf_printf(g->out, "%s\"0x%x\"", i ? ", " : "", payload_of(g, &p->at[i]));
}

/* One in two has a buffer that its operands share, of a few places more than it needs. The other
 * choices are as they would be without. */
static void put_buffer(Gen *g, const Part *p) {
  Random random = g->random;
  u32 places = random_number(&random, 5);
  for (u32 i = 0; i < p->n; i++)
    for (u32 o = 0; unit_texts[p->at[i].unit].operands[o]; o++)
      places += p->at[i].operands[o] != FROM;
  if (places && random_number(&random, 2))
    buf_printf(g->out, ", enable_share_operand_buffer = true, operand_buffer_size = %u", places);
}

static void put_temporal(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0};
  Buf second = {0};
  TypeText tagged = wire(p->bits, p->tag_bits);
  buf_printf(&second, ", %s", tagged.text);
  bool has_register = false;
  u32 ports = 0;
  for (u32 i = 0; i < p->n; i++)
    for (u32 o = 0; unit_texts[p->at[i].unit].operands[o]; o++) {
      has_register = has_register || p->at[i].operands[o] == FROM;
      if (o >= ports) ports = o + 1;
    }
  for (u32 o = 0; o < ports; o++) {
    Nets nets = {0};
    for (u32 i = 0; i < p->n; i++) {
      if (strlen(unit_texts[p->at[i].unit].operands) <= o || p->at[i].operands[o] == FROM) continue;
      nets.tags[nets.n] = i;
      nets.values[nets.n++] = p->at[i].operands[o];
    }
    buf_str(&inputs, o ? ", " : "");
    put_gather(g, &nets, p, p->is_nested, &inputs);
    buf_printf(&types, "%s%s", o ? ", " : "", tagged.text);
  }
  buf_printf(g->out,
             "  %%p%u:%u = fabric.temporal_pe @p%u inputs(%s) : (%s) -> (%s%s) "
             "[num_register = %u, reg_fifo_depth = %u, num_instruction = %u",
             part, gen_result_count(p), part, inputs.data, types.data, tagged.text,
             gen_result_count(p) > 1 ? second.data : "", has_register,
             has_register ? 1 + part % 3 : 0, p->n);
  put_buffer(g, p);
  if (p->has_own_config) buf_str(g->out, ", unit_config = \"per_instruction\"");
  if (p->has_own_state) buf_str(g->out, ", unit_state = \"per_instruction\"");
  buf_str(g->out, "] attributes {instruction_mem = [");
  for (u32 i = 0; i < p->n; i++) put_instruction(g, p, i);
  if (p->has_own_config && gen_below(g, 3)) put_payloads(g, p);
  buf_str(g->out, "]} {\n");
  for (u32 i = 0; i < p->n; i++)
    if (p->at[i].shares == i) put_unit(g, &p->at[i], i);
  buf_str(g->out, "    fabric.yield\n  }\n");
  for (u32 r = 0; r < 2; r++) {
    Nets nets = {0};
    char channel[16];
    for (u32 i = 0; i < p->n; i++) {
      if (strlen(unit_texts[p->at[i].unit].results) <= r || gen_result(&p->at[i], r) >= LATE)
        continue;
      nets.tags[nets.n] = i;
      nets.values[nets.n++] = gen_result(&p->at[i], r);
    }
    snprintf(channel, sizeof channel, "%%p%u#%u", part, r);
    if (nets.n) put_scatter(g, channel, &nets, tagged, wire(p->bits, 0));
  }
  buf_free(&second);
  buf_free(&inputs);
  buf_free(&types);
}

/* The lanes of a family on port k of it, and their values: of its inputs f is 0 to 2, behind these of
 * its outputs. */
static Nets lanes_on(const Part *p, u32 f, u32 k) {
  Nets nets = {0};
  bool is_store = f == 1 || f == 2 || f == 5;
  for (u32 l = k; l < (is_store ? p->stores : p->n); l += p->channels) {
    nets.tags[nets.n] = l;
    nets.values[nets.n++] = is_store ? p->store[l][f == 5 ? 2 : f - 1] : p->load[l][f ? f - 2 : 0];
  }
  return nets;
}

static void put_memory(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0}, results = {0};
  TypeText tagged = wire(p->bits, p->tag_bits), done = wire(0, p->tag_bits);
  u32 lanes[6] = {p->n, p->stores, p->stores, p->n, p->n, p->stores}, nresults = 0;
  for (u32 f = 0; f < 3; f++)
    for (u32 k = 0; k < gen_ports(p, lanes[f]); k++) {
      Nets nets = lanes_on(p, f, k);
      bool is_tagged = gen_is_shared(p, lanes[f]);
      buf_str(&inputs, ", ");
      if (is_tagged)
        put_gather(g, &nets, p, false, &inputs);
      else
        put_use(g, nets.values[0], &inputs);
      buf_printf(&types, ", %s",
                 is_tagged ? tagged.text : wire(gen_bits(g, f == 2 ? 'i' : 'x'), 0).text);
    }
  for (u32 f = 3; f < 6; f++)
    for (u32 k = 0; k < gen_ports(p, lanes[f]); k++) {
      u32 value = lanes_on(p, f, k).values[0];
      TypeText plain = wire(f == 3 ? g->values[value].bits : 0, 0);
      buf_printf(&results, "%s%s", nresults++ ? ", " : "",
                 !gen_is_shared(p, lanes[f]) ? plain.text
                 : f == 3                    ? tagged.text
                                             : done.text);
    }
  char elem[16], argument[16] = "";
  /* inside a region of narrower elements than the memory's, that begins behind one of them */
  u32 wider = p->is_external ? 0 : part % (4 - p->elem_log2), first = p->is_external ? 0 : part % 3;
  snprintf(elem, sizeof elem, "i%u", 8u << (p->elem_log2 + wider));
  if (p->is_external) snprintf(argument, sizeof argument, "%%m%u", g->nmemories++);
  Buf timing = {0};
  buf_str(&timing, "");
  if (p->channels > 1)
    buf_printf(&timing, "%s = %u, ", p->is_external ? "channels" : "banks", p->channels);
  if (p->depth) buf_printf(&timing, "lsqDepth = %u, ", p->depth);
  if (p->latency) buf_printf(&timing, "latency = %u, ", p->latency);
  buf_printf(g->out,
             "  %%p%u:%u = fabric.%smemory @p%u [ldCount = %u, stCount = %u, %snumRegion = 1, "
             "memrefType = memref<%sx%s>%s] (%s%s) attributes {addr_offset_table = [1, 0, "
             "%u, %u, %u]} : (",
             part, nresults, p->is_external ? "ext" : "", part, p->n, p->stores, timing.data,
             p->is_external ? "?" : "34", elem, p->is_external ? "" : ", is_private = true",
             argument, inputs.data + (p->is_external ? 0 : 2), p->n > p->stores ? p->n : p->stores,
             first << p->elem_log2, p->elem_log2);
  buf_free(&timing);
  if (p->is_external) buf_printf(g->out, "memref<?x%s>", elem);
  buf_printf(g->out, "%s) -> (%s)\n", types.data + (p->is_external ? 0 : 2), results.data);
  for (u32 f = 3, at = 0; f < 6; f++)
    for (u32 k = 0; k < gen_ports(p, lanes[f]); k++, at++) {
      Nets nets = lanes_on(p, f, k);
      char channel[16];
      snprintf(channel, sizeof channel, "%%p%u#%u", part, at);
      if (gen_is_shared(p, lanes[f]))
        put_scatter(g, channel, &nets, f > 3 ? done : tagged, wire(f > 3 ? 0 : p->bits, 0));
    }
  buf_free(&inputs);
  buf_free(&types);
  buf_free(&results);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Does a value leave the fabric? */
static bool leaves(const Value *v) {
  return !v->uses && !v->is_inside && !v->is_dropped;
}

static void put_header(Gen *g) {
  u32 n = 0, outputs = 0;
  buf_str(g->out, "fabric.module @top(");
  for (u32 k = 0, m = 0; k < g->nparts; k++)
    if (g->parts[k].kind == MEMORY && g->parts[k].is_external)
      buf_printf(g->out, "%s%%m%u: memref<?xi%u>", n++ ? ", " : "", m++,
                 8u << g->parts[k].elem_log2);
  for (u32 v = 0; v < g->nvalues; v++)
    if (g->values[v].is_input)
      buf_printf(g->out, "%s%s: %s", n++ ? ", " : "", g->values[v].name,
                 wire(g->values[v].bits, 0).text);
  buf_str(g->out, ") -> (");
  for (u32 v = 0; v < g->nvalues; v++)
    if (leaves(&g->values[v]))
      buf_printf(g->out, "%s%s", outputs++ ? ", " : "",
                 wire(g->values[v].bits, g->values[v].tag_bits).text);
  buf_str(g->out, ") {\n");
}

static void put_footer(Gen *g) {
  u32 n = 0;
  buf_str(g->out, "  fabric.yield");
  for (u32 v = 0; v < g->nvalues; v++) {
    if (!leaves(&g->values[v])) continue;
    buf_str(g->out, n++ ? ", " : " ");
    put_use(g, v, g->out);
  }
  n = 0;
  for (u32 v = 0; v < g->nvalues; v++)
    if (leaves(&g->values[v]))
      buf_printf(g->out, "%s%s", n++ ? ", " : " : ",
                 wire(g->values[v].bits, g->values[v].tag_bits).text);
  buf_str(g->out, "\n}\n");
}

static void put_pack(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0};
  bool is_first = true;
  for (u32 i = 0; i < p->n; i++) {
    buf_str(&inputs, i ? ", " : "");
    put_use(g, p->at[0].operands[i], &inputs);
    buf_printf(&types, "%s%s", i ? ", " : "", wire(p->in_lanes[i] * p->lane_bits, 0).text);
  }
  const char *all = p->n == 2 ? "\"11\", \"11\"" : "\"111\", \"111\"";
  buf_printf(g->out,
             "  %%p%u:2 = fabric.spatial_sw @p%u [decomposable_bits = %u, %s, connectivity_table = "
             "[%s]] (%s) attributes {route_table = [\"",
             part, part, p->lane_bits, buffer_text(part), all, inputs.data);
  for (u32 o = 0; o < 2; o++)
    for (u32 l = 0; l < p->out_lanes[o]; l++) {
      u32 from = p->packed[o][l];
      if (!from) continue;
      buf_printf(g->out, "%sin %u[%u] -> out %u[%u]", is_first ? "" : ", ",
                 (from - 1) / MAX_LANE_COUNT, (from - 1) % MAX_LANE_COUNT, o, l);
      is_first = false;
    }
  buf_printf(g->out, "\"]} : (%s) -> (%s, %s)\n", types.data,
             wire(p->out_lanes[0] * p->lane_bits, 0).text,
             wire(p->out_lanes[1] * p->lane_bits, 0).text);
  buf_free(&inputs);
  buf_free(&types);
}

void gen_text(Gen *g) {
  put_header(g);
  for (u32 k = 0; k < g->nparts; k++) {
    if (g->parts[k].kind == SPATIAL) put_spatial(g, k);
    if (g->parts[k].kind == TEMPORAL) put_temporal(g, k);
    if (g->parts[k].kind == MEMORY) put_memory(g, k);
    if (g->parts[k].kind == PACK) put_pack(g, k);
  }
  for (u32 v = 0; v < g->nvalues; v++)
    if (!g->values[v].is_inside && !g->values[v].is_dropped) put_way(g, v);
  put_footer(g);
}

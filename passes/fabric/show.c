/* show.c -- prints an ADG: a summary, a graph for graphviz (dot), and JSON.
 *
 *     module top: 5 components, 7 channels, index is 32 bits
 *       ports       1 in, 1 out, 1 memref
 *       PEs         2 spatial (1 to 2 units each)
 *       units       arith.addi 2, arith.muli 1
 *       switches    1 spatial (3 to 5 ports, 6 of 6 pairs connected)
 *       memories    ext_0: extmemory of memref<?xi32>, 1 load and 1 store
 *       configured  71 bits in 5 words (spatial_pe 48, spatial_sw 23)
 *       clock       2 components between two registers at most: sw_0 -> sw_1
 *       area        about 9000 (spatial_pe 70 %, spatial_sw 20 %, ...)
 *
 * Linear in the tables of the ADG, plus the cost of the clock (longest.c), of the area (area.c) and
 * of the picture (picture.c). */
#include "fabric/show.h"

#include "text/text.h"

/* ---- the summary ----------------------------------------------------------------------------- */

static void label(Buf *out, const char *text) {
  buf_printf(out, "  %-11s ", text);
}

static void counted(Buf *out, u64 n, const char *noun) {
  buf_printf(out, "%llu %s%s", (unsigned long long)n, noun, plural(n));
}

/* "3", or "3 to 5". */
static void range(Buf *out, u32 low, u32 high) {
  if (low == high)
    buf_printf(out, "%u", low);
  else
    buf_printf(out, "%u to %u", low, high);
}

static void show_ports(const Adg *adg, Buf *out) {
  u32 in = 0, out_count = 0, memrefs = 0;
  for (u32 i = 0; i < adg->nargs; i++) (*(adg->args[i].is_memref ? &memrefs : &in))++;
  for (u32 i = 0; i < adg->noutputs; i++) out_count += !adg->outputs[i].is_memref;
  label(out, "ports");
  buf_printf(out, "%u in, %u out, ", in, out_count);
  counted(out, memrefs, "memref");
  buf_char(out, '\n');
}

static void show_pes(const Adg *adg, Buf *out) {
  static const char *const nouns[] = {"spatial", "temporal"};
  bool any = false;
  for (u32 temporal = 0; temporal < 2; temporal++) {
    u32 n = 0, low = UINT32_MAX, high = 0;
    for (u32 i = 0; i < adg->npes; i++) {
      const AdgPe *pe = &adg->pes[i];
      if (pe->is_temporal != temporal) continue;
      n++;
      if (pe->nfus < low) low = pe->nfus;
      if (pe->nfus > high) high = pe->nfus;
    }
    if (!n) continue;
    if (any)
      buf_str(out, ", ");
    else
      label(out, "PEs");
    any = true;
    buf_printf(out, "%u %s (", n, nouns[temporal]);
    range(out, low, high);
    buf_str(out, high == 1 ? " unit each)" : " units each)");
  }
  if (any) buf_char(out, '\n');
}

/* The number of function units that contain each operation. */
static void show_units(const Adg *adg, Buf *out) {
  u32 *units = mem_alloc(mem_size(OP_COUNT, sizeof *units));
  u32 *of_body = mem_alloc(mem_size(adg->nbodies + (size_t)1, sizeof *of_body));
  u32 on_line = 0;
  for (u32 f = 0; f < adg->nfus; f++) of_body[adg->fus[f].body]++;
  for (u32 i = 0; i < adg->nbodies; i++) {
    const AdgBody *body = &adg->bodies[i];
    u8 seen[OP_COUNT] = {0};
    for (u32 n = 0; n < body->nnodes; n++) {
      u16 kind = adg->nodes[body->first_node + n].kind;
      if (!seen[kind]) units[kind] += of_body[i];
      seen[kind] = 1;
    }
  }
  for (u32 kind = 0; kind < OP_COUNT; kind++) {
    if (!units[kind]) continue;
    if (on_line == 0)
      label(out, "units");
    else if (on_line % 4 == 0)
      buf_str(out, ",\n              ");
    else
      buf_str(out, ", ");
    on_line++;
    buf_printf(out, "%s %u", op_info((OpKind)kind)->name, units[kind]);
  }
  if (on_line) buf_char(out, '\n');
  mem_free(units);
  mem_free(of_body);
}

static void show_switches(const Adg *adg, Buf *out) {
  static const char *const nouns[] = {"spatial", "temporal"};
  bool any = false;
  for (u32 temporal = 0; temporal < 2; temporal++) {
    u32 n = 0, low = UINT32_MAX, high = 0, buffered = 0;
    u64 pairs = 0, total = 0;
    for (u32 i = 0; i < adg->nswitches; i++) {
      const AdgSwitch *sw = &adg->switches[i];
      const AdgComponent *c = &adg->components[sw->component];
      u32 degree = c->ninputs + c->noutputs;
      if ((sw->num_route_table > 0) != temporal) continue;
      n++;
      buffered += sw->buffer != BUFFER_NONE;
      pairs += sw->npairs;
      total += (u64)c->ninputs * c->noutputs;
      if (degree < low) low = degree;
      if (degree > high) high = degree;
    }
    if (!n) continue;
    if (any)
      buf_str(out, ", ");
    else
      label(out, "switches");
    any = true;
    buf_printf(out, "%u %s (", n, nouns[temporal]);
    range(out, low, high);
    buf_printf(out, " ports, %llu of %llu pairs connected", (unsigned long long)pairs,
               (unsigned long long)total);
    if (buffered == n)
      buf_str(out, ", with buffers");
    else if (buffered)
      buf_printf(out, ", %u with buffers", buffered);
    buf_char(out, ')');
  }
  if (any) buf_char(out, '\n');
}

static void show_memories(const Adg *adg, Buf *out) {
  for (u32 i = 0; i < adg->nmemories; i++) {
    const AdgMemory *m = &adg->memories[i];
    const AdgComponent *c = &adg->components[m->component];
    label(out, i ? "" : "memories");
    buf_shown(out, adg_text(adg, c->name));
    buf_printf(out, ": %s of ", adg_kind_text((AdgKind)c->kind));
    text_type(m->memref, out);
    buf_str(out, ", ");
    counted(out, m->nloads, "load");
    buf_str(out, " and ");
    counted(out, m->nstores, "store");
    buf_str(out, ", ");
    counted(out, m->nregions, "region");
    if (m->latency != adg_default_latency(m->is_external)) {
      buf_str(out, ", latency of ");
      counted(out, m->latency, "cycle");
    }
    if (m->channels > 1) {
      buf_str(out, ", ");
      counted(out, m->channels, m->banks > 1 ? "bank" : "channel");
    }
    if (m->lsq_depth) {
      buf_str(out, ", ");
      counted(out, m->lsq_depth, "request");
      buf_str(out, " per lane");
    }
    buf_char(out, '\n');
  }
}

static void show_others(const Adg *adg, Buf *out) {
  u32 tags[ADG_KIND_COUNT] = {0};
  u64 slots = 0;
  for (u32 i = 0; i < adg->nfifos; i++) slots += adg->fifos[i].depth;
  for (u32 i = 0; i < adg->ntags; i++) tags[adg->components[adg->tags[i].component].kind]++;
  if (adg->nfifos) {
    label(out, "FIFOs");
    buf_printf(out, "%u, ", adg->nfifos);
    counted(out, slots, "slot");
    buf_char(out, '\n');
  }
  if (adg->ntags) {
    label(out, "tags");
    buf_printf(out, "%u added, %u mapped, %u removed\n", tags[ADG_ADD_TAG], tags[ADG_MAP_TAG],
               tags[ADG_DEL_TAG]);
  }
}

static void show_area(const Adg *adg, Buf *out) {
  u64 area[ADG_KIND_COUNT] = {0}, total = 0;
  for (u32 i = 0; i < adg->ncomponents; i++) {
    u64 one = adg_area(adg, i);
    area[adg->components[i].kind] += one;
    total += one;
  }
  label(out, "area");
  buf_printf(out, "about %llu", (unsigned long long)total);
  const char *before = " (";
  for (u32 kind = 0; kind < ADG_KIND_COUNT; kind++) {
    u64 share = total ? (area[kind] * 100 + total / 2) / total : 0;
    if (!share) continue;
    buf_printf(out, "%s%s %llu %%", before, adg_kind_text((AdgKind)kind),
               (unsigned long long)share);
    before = ", ";
  }
  buf_str(out, total ? ")\n" : "\n");
}

static void show_clock(const Adg *adg, Buf *out) {
  Arena *arena = arena_new();
  AdgChain chain = adg_longest_chain(adg, arena);
  const char *before = ": ";
  label(out, "clock");
  if (chain.loop_at != ADG_NONE) {
    buf_str(out, "a combinational loop is possible through ");
    buf_shown(out, adg_name(adg, chain.loop_at));
  } else {
    counted(out, chain.length, "component");
    buf_str(out, " between two registers at most");
    for (u32 i = 0; i < chain.length; i++, before = " -> ") {
      buf_str(out, before);
      buf_shown(out, adg_name(adg, chain.components[i]));
    }
  }
  buf_char(out, '\n');
  arena_free(arena);
}

/* The bits of the configuration, and by what they configure. */
static void show_configuration(const Adg *adg, const u64 *configured, Buf *out) {
  u64 bits[ADG_KIND_COUNT] = {0}, total = 0, words = 0;
  for (u32 i = 0; i < adg->ncomponents; i++) {
    u64 one = configured[i];
    bits[adg->components[i].kind] += one;
    total += one;
    words += one / 32 + (one % 32 != 0);
  }
  if (!total) return;
  label(out, "configured");
  counted(out, total, "bit");
  buf_str(out, " in ");
  counted(out, words, "word");
  const char *before = " (";
  for (u32 kind = 0; kind < ADG_KIND_COUNT; kind++) {
    if (!bits[kind]) continue;
    buf_printf(out, "%s%s %llu", before, adg_kind_text((AdgKind)kind),
               (unsigned long long)bits[kind]);
    before = ", ";
  }
  buf_str(out, ")\n");
}

void adg_print_summary(const Adg *adg, const u64 *configured, Buf *out) {
  buf_str(out, "module ");
  buf_shown(out, adg_text(adg, adg->name));
  buf_str(out, ": ");
  counted(out, adg->ncomponents, "component");
  buf_str(out, ", ");
  counted(out, adg->nchannels, "channel");
  buf_printf(out, ", index is %u bits\n", adg->index_width);
  show_ports(adg, out);
  show_pes(adg, out);
  show_units(adg, out);
  show_switches(adg, out);
  show_memories(adg, out);
  show_others(adg, out);
  show_configuration(adg, configured, out);
  show_clock(adg, out);
  show_area(adg, out);
}

/* ---- dot ------------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    [CLASS_PORT] = "plaintext", [CLASS_PE] = "box",      [CLASS_SWITCH] = "diamond",
    [CLASS_FIFO] = "ellipse",   [CLASS_TAG] = "ellipse", [CLASS_MEMORY] = "cylinder"};

static void put_port_type(Buf *out, const AdgPort *port) {
  buf_printf(out, "%u", port->width);
  if (port->is_tagged) buf_printf(out, "+%u", port->tag_width);
}

void adg_print_dot(const Adg *adg, Buf *out) {
  buf_str(out, "digraph ");
  buf_json(out, adg_text(adg, adg->name));
  buf_str(out, " {\n  graph [layout=nop, splines=line, outputorder=edgesfirst];\n"
               "  node [fontname=\"sans-serif\", fixedsize=true, style=filled, fillcolor=white];\n"
               "  edge [fontname=\"sans-serif\", fontsize=6, arrowsize=0.4, labeldistance=1];\n");
  AdgBox *boxes = adg_picture(adg);
  for (u32 i = 0; i < adg->ncomponents; i++) {
    const AdgComponent *c = &adg->components[i];
    buf_printf(out, "  n%u [shape=%s, label=", i, shapes[adg_class(c->kind)]);
    buf_json(out, adg_text(adg, c->name));
    const AdgBox *box = &boxes[i];
    buf_printf(out, ", pos=\"%lld,%lld\", width=%.2f, height=%.2f, fontsize=%d];\n",
               (long long)box->x, (long long)box->y, (double)box->wide / 72, (double)box->high / 72,
               box->high < 12 ? 6 : 10);
  }
  mem_free(boxes);
  for (u32 i = 0; i < adg->nchannels; i++) {
    const AdgPort *from = &adg->ports[adg->channels[i].from];
    const AdgPort *to = &adg->ports[adg->channels[i].to];
    buf_printf(out, "  n%u -> n%u [taillabel=\"%u\", headlabel=\"%u\", label=\"", from->component,
               to->component, from->index, to->index);
    put_port_type(out, from);
    buf_str(out, "\"];\n");
  }
  buf_str(out, "}\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_ports(const Adg *adg, Json *json, const char *key, u32 first, u32 n) {
  json_open(json, key, '[');
  for (u32 i = 0; i < n; i++) {
    const AdgPort *port = &adg->ports[first + i];
    json_open(json, NULL, '{');
    json_put_number(json, "width", port->width);
    if (port->is_tagged) json_put_number(json, "tag", port->tag_width);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void put_units(const Adg *adg, Json *json, const AdgPe *pe) {
  json_open(json, "units", '[');
  for (u32 f = 0; f < pe->nfus; f++) {
    const AdgFu *fu = &adg->fus[pe->first_fu + f];
    const AdgBody *body = &adg->bodies[fu->body];
    json_open(json, NULL, '{');
    json_put_text(json, "name", adg_text(adg, fu->name));
    json_put_text(json, "function_unit", adg_text(adg, body->name));
    json_put_number(json, "latency", body->latency);
    json_put_number(json, "interval", body->interval);
    if (body->early_out) json_put_bool(json, "early_out", true);
    json_open(json, "ops", '[');
    for (u32 n = 0; n < body->nnodes; n++)
      json_put_text(json, NULL, op_info((OpKind)adg->nodes[body->first_node + n].kind)->name);
    json_close(json, ']');
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void put_wires(const Adg *adg, Json *json, const AdgSwitch *sw) {
  const AdgComponent *c = &adg->components[sw->component];
  json_open(json, "connectivity", '[');
  for (u32 o = 0; o < c->noutputs; o++) {
    char row[33] = "";
    for (u32 i = 0; i < c->ninputs; i++) row[i] = adg_connects(adg, sw, i, o) ? '1' : '0';
    json_put_text(json, NULL, row);
  }
  json_close(json, ']');
  if (sw->decomposable_bits) json_put_number(json, "decomposable_bits", sw->decomposable_bits);
}

static void put_memref(const Adg *adg, Json *json, const AdgMemory *m) {
  Buf text = {0};
  text_type(m->memref, &text);
  json_put_text(json, "memref", text.data);
  buf_free(&text);
  if (m->arg != ADG_NONE) json_put_text(json, "argument", adg_text(adg, adg->args[m->arg].name));
}

static void put_component(const Adg *adg, Json *json, u32 i) {
  const AdgComponent *c = &adg->components[i];
  json_open(json, NULL, '{');
  json_put_text(json, "name", adg_text(adg, c->name));
  json_put_text(json, "kind", adg_kind_text((AdgKind)c->kind));
  if (c->definition) json_put_text(json, "definition", adg_text(adg, c->definition));
  put_ports(adg, json, "inputs", c->first_port, c->ninputs);
  put_ports(adg, json, "outputs", c->first_port + c->ninputs, c->noutputs);
  if (adg_is_switch(c)) put_wires(adg, json, &adg->switches[c->detail]);
  adg_print_params(adg, i, json);
  if (adg_is_pe(c)) put_units(adg, json, &adg->pes[c->detail]);
  if (adg_is_memory(c)) put_memref(adg, json, &adg->memories[c->detail]);
  json_put_number(json, "area", (i64)adg_area(adg, i));
  json_close(json, '}');
}

static void put_end(const Adg *adg, Json *json, const char *key, u32 port) {
  json_open(json, key, '[');
  json_put_number(json, NULL, adg->ports[port].component);
  json_put_number(json, NULL, adg->ports[port].index);
  json_close(json, ']');
}

static void put_channel(const Adg *adg, Json *json, const AdgChannel *channel) {
  json_open(json, NULL, '{');
  put_end(adg, json, "from", channel->from);
  put_end(adg, json, "to", channel->to);
  json_close(json, '}');
}

static void put_clock(const Adg *adg, Json *json) {
  Arena *arena = arena_new();
  AdgChain chain = adg_longest_chain(adg, arena);
  if (chain.loop_at != ADG_NONE)
    json_put_text(json, "wire_loop_at", adg_name(adg, chain.loop_at));
  else
    json_put_number(json, "critical_path", chain.length);
  arena_free(arena);
}

void adg_print_json(const Adg *adg, Buf *out) {
  Json json = {.out = out};
  json_open(&json, NULL, '{');
  json_put_text(&json, "module", adg_text(adg, adg->name));
  json_put_number(&json, "index_width", adg->index_width);
  if (adg->viz_file) json_put_text(&json, "viz_file", adg_text(adg, adg->viz_file));
  put_clock(adg, &json);
  json_line(&json, 1);
  json_open(&json, "components", '[');
  for (u32 i = 0; i < adg->ncomponents; i++) {
    json_line(&json, 2);
    put_component(adg, &json, i);
  }
  json_close(&json, ']');
  json_line(&json, 1);
  json_open(&json, "channels", '[');
  for (u32 i = 0; i < adg->nchannels; i++) {
    json_line(&json, 2);
    put_channel(adg, &json, &adg->channels[i]);
  }
  json_close(&json, ']');
  json_close(&json, '}');
  buf_char(out, '\n');
}

/* random_fabric.c -- random fabrics, and random valid configurations of them.
 *
 * What a component computes with is of no interest here, only what can be configured, so nothing is
 * wired to anything: every port of a component is a port of its module. A module gathers its text
 * in pieces (arguments, body, what it yields) and puts them together at the end.
 */
#include "random_fabric.h"
#include "fabric_text.h"

#include "ir/ir.h"

static u32 below(Random *r, u32 n) {
  return (u32)random_below(r, n);
}

/* ---- modules --------------------------------------------------------------------------------- */

typedef struct {
  Buf args, body, yields, types;
  u32 nargs, nresults, nnames;
} ModuleText;

enum { MAX_PORTS = 9 };

/* The ports of one component. */
typedef struct {
  TypeText in[MAX_PORTS], out[MAX_PORTS];
  u32 nin, nout;
} Ports;

static void put_types(Buf *out, const TypeText *types, u32 n) {
  buf_char(out, '(');
  for (u32 i = 0; i < n; i++) buf_printf(out, "%s%s", i ? ", " : "", types[i].text);
  buf_char(out, ')');
}

static void put_signature(Buf *out, const Ports *p) {
  put_types(out, p->in, p->nin);
  buf_str(out, " -> ");
  put_types(out, p->out, p->nout);
}

/* `%c3:2 = `; its results are what the module yields next. */
static void put_results(ModuleText *m, const Ports *p) {
  buf_printf(&m->body, "  %%c%u:%u = ", m->nnames, p->nout);
  for (u32 i = 0; i < p->nout; i++) {
    buf_printf(&m->yields, "%s%%c%u#%u", m->nresults + i ? ", " : "", m->nnames, i);
    buf_printf(&m->types, "%s%s", m->nresults + i ? ", " : "", p->out[i].text);
  }
  m->nresults += p->nout;
  m->nnames++;
}

/* `(%a4, %a5)`: new arguments of the module. */
static void put_operands(ModuleText *m, const Ports *p) {
  buf_char(&m->body, '(');
  for (u32 i = 0; i < p->nin; i++) {
    buf_printf(&m->body, "%s%%a%u", i ? ", " : "", m->nargs);
    buf_printf(&m->args, "%s%%a%u: %s", m->nargs ? ", " : "", m->nargs, p->in[i].text);
    m->nargs++;
  }
  buf_char(&m->body, ')');
}

static void put_module(const char *name, ModuleText *m, Buf *out) {
  buf_printf(out, "fabric.module @%s(%s) -> (%s) {\n%s  fabric.yield %s : %s\n}\n", name,
             m->args.data, m->types.data, m->body.data, m->yields.data, m->types.data);
  buf_free(&m->args);
  buf_free(&m->body);
  buf_free(&m->yields);
  buf_free(&m->types);
}

/* ---- function units -------------------------------------------------------------------------- */

static void yield_type(Buf *out, const char *name, const char *args, const char *type, i64 time) {
  buf_printf(out, "    fabric.function_unit @%s(%s) -> (%s) [latency = %lld, interval = %lld] {\n",
             name, args, type, (long long)time, (long long)(time < 0 ? time : 1));
}

static void put_unit(Random *r, const char *name, Buf *out) {
  static const u32 widths[] = {1, 8, 16, 32, 64};
  u32 w = widths[below(r, COUNT_OF(widths))], n = 1 + below(r, 5);
  char args[512] = "", list[512] = "", kinds[512] = "";
  char type[16];
  snprintf(type, sizeof type, "i%u", w);
  for (u32 i = 0; i < n; i++) {
    size_t a = strlen(args), l = strlen(list), k = strlen(kinds);
    snprintf(args + a, sizeof args - a, "%s%%x%u: none", i ? ", " : "", i);
    snprintf(list + l, sizeof list - l, "%s%%x%u", i ? ", " : "", i);
    snprintf(kinds + k, sizeof kinds - k, "%snone", i ? ", " : "");
  }
  switch (below(r, 9)) {
  case 0:
    yield_type(out, name, "%x: i32, %y: i32", "i32", 1);
    buf_str(out, "      %z = arith.addi %x, %y : i32\n      fabric.yield %z : i32\n    }\n");
    break;
  case 1:
    yield_type(out, name, "%c: none", type, 0);
    buf_printf(out, "      %%z = handshake.constant %%c {value = 1 : %s} : %s\n", type, type);
    buf_printf(out, "      fabric.yield %%z : %s\n    }\n", type);
    break;
  case 2:
    yield_type(out, name, args, "none", 0);
    buf_printf(out, "      %%z = handshake.join %s", list);
    if (one_in(r, 2)) buf_printf(out, " {join_mask = %u : i64}", 1 + below(r, (1u << n) - 1));
    buf_printf(out, " : %s\n      fabric.yield %%z : none\n    }\n", kinds);
    break;
  case 3:
    yield_type(out, name, "%x: i16, %y: i16", "i1", 1);
    buf_printf(out, "      %%z = arith.cmpi %s, %%x, %%y : i16\n", one_in(r, 2) ? "slt" : "uge");
    buf_str(out, "      fabric.yield %z : i1\n    }\n");
    break;
  case 4:
    yield_type(out, name, "%x: f32, %y: f32", "i1", 2);
    buf_str(out, "      %z = arith.cmpf olt, %x, %y : f32\n      fabric.yield %z : i1\n    }\n");
    break;
  case 5:
    yield_type(out, name, "%x: index, %y: index, %z: index", "index, i1", -1);
    buf_printf(out,
               "      %%i, %%m = dataflow.stream %%x, %%y, %%z {step_op = \"+=\", cont_cond = "
               "\"%s\"} : (index, index, index) -> (index, i1)\n"
               "      fabric.yield %%i, %%m : index, i1\n    }\n",
               one_in(r, 2) ? "<" : "!=");
    break;
  case 6: {
    bool third = one_in(r, 2);
    yield_type(out, name, "%x: i32, %y: i32, %z: i32", "i32", 2);
    buf_str(out, "      %m = arith.muli %x, %y : i32\n      %s = arith.addi %m, %z : i32\n");
    buf_printf(
        out,
        "      %%r = fabric.mux %%m, %%s%s {sel = 1 : i64, discard = %s} : i32, i32%s -> i32\n",
        third ? ", %x" : "", one_in(r, 2) ? "true" : "false", third ? ", i32" : "");
    buf_str(out, "      fabric.yield %r : i32\n    }\n");
    break;
  }
  case 7:
    yield_type(out, name, "%x: i32", "i32, i32", 1);
    buf_str(out, "      %m = arith.muli %x, %x : i32\n"
                 "      %r:2 = fabric.mux %m {sel = 0 : i64} : i32 -> i32, i32\n"
                 "      fabric.yield %r#0, %r#1 : i32, i32\n    }\n");
    break;
  default:
    yield_type(out, name, "%x: i64, %c: none", "i1, i64", 1);
    buf_str(out, "      %k = handshake.constant %c {value = -1 : i64} : i64\n"
                 "      %s = arith.addi %x, %k : i64\n"
                 "      %p = arith.cmpi eq, %s, %x : i64\n"
                 "      %o = fabric.mux %s {sel = 0 : i64, discard = false, disconnect = false} : "
                 "i64 -> i64\n"
                 "      fabric.yield %p, %o : i1, i64\n    }\n");
    break;
  }
}

/* ---- components ------------------------------------------------------------------------------ */

typedef struct {
  Random *r;
  Buf definitions;
  u32 ndefinitions;
} Fabric;

static void put_connectivity(Random *r, u32 nin, u32 nout, Buf *out) {
  buf_str(out, "connectivity_table = [");
  for (u32 o = 0; o < nout; o++) {
    u32 sure = below(r, nin);
    buf_str(out, o ? ", \"" : "\"");
    for (u32 i = 0; i < nin; i++) buf_char(out, i == sure || one_in(r, 2) ? '1' : '0');
    buf_char(out, '"');
  }
  buf_char(out, ']');
}

/* Parameters and ports of a switch or FIFO; `hint` is configuration of the definition. */
static const char *random_router(Random *r, Ports *p, Buf *params, Buf *hint) {
  u32 kind = below(r, 4), tag = one_in(r, 2) ? 1 + below(r, 4) : 0;
  p->nin = 1 + below(r, 5);
  p->nout = 1 + below(r, 5);
  if (kind == 3) {
    p->nin = p->nout = 1;
    p->in[0] = p->out[0] = wire_type(8, tag);
    buf_printf(params, "depth = 2%s", one_in(r, 4) ? "" : ", bypassable");
    if (params->len > 10 && one_in(r, 2)) buf_str(hint, "bypassed = true");
    return "fifo";
  }
  if (kind == 2 && !tag) tag = 2;
  u32 lane = kind == 1 ? 1 + below(r, 8) : 0;
  if (lane) tag = 0;
  for (u32 i = 0; i < p->nin; i++) p->in[i] = wire_type(lane ? lane * (1 + below(r, 3)) : 16, tag);
  for (u32 i = 0; i < p->nout; i++)
    p->out[i] = wire_type(lane ? lane * (1 + below(r, 3)) : 16, tag);
  put_connectivity(r, p->nin, p->nout, params);
  if (lane) buf_printf(params, ", decomposable_bits = %u", lane);
  if (kind == 2) buf_printf(params, ", num_route_table = %u", 1 + below(r, 5));
  if ((kind == 2 || !tag) && p->nout % 2)
    buf_str(params, p->nin % 2 ? ", buffer = \"full\"" : ", buffer = \"forward\"");
  if (one_in(r, 3)) {
    if (kind == 2)
      buf_str(hint, "route_table = [\"tag 1:\"]");
    else
      buf_str(hint, "discard = [0 : i64]");
  }
  return kind == 2 ? "temporal_sw" : "spatial_sw";
}

/* A definition of a switch, FIFO or memory with an instance, or the same inline. */
static void put_leaf(Fabric *f, ModuleText *m, const char *kind, const Ports *p, const char *params,
                     const char *hint) {
  bool is_inline = one_in(f->r, 2);
  Buf *out = is_inline ? &m->body : &f->definitions;
  if (is_inline) {
    put_results(m, p);
    buf_printf(out, "fabric.%s [%s] ", kind, params);
    put_operands(m, p);
  } else {
    buf_printf(out, "fabric.%s @d%u [%s]", kind, f->ndefinitions, params);
  }
  if (*hint) buf_printf(out, " attributes {%s}", hint);
  buf_str(out, " : ");
  put_signature(out, p);
  buf_char(out, '\n');
  if (is_inline) return;
  put_results(m, p);
  buf_printf(&m->body, "fabric.instance @d%u", f->ndefinitions++);
  put_operands(m, p);
  if (one_in(f->r, 2)) buf_printf(&m->body, " {sym_name = \"own_%u\"}", m->nnames);
  buf_str(&m->body, " : ");
  put_signature(&m->body, p);
  buf_char(&m->body, '\n');
}

static void put_router(Fabric *f, ModuleText *m) {
  Ports p;
  Buf params = {0}, hint = {0};
  buf_str(&hint, "");
  const char *kind = random_router(f->r, &p, &params, &hint);
  put_leaf(f, m, kind, &p, params.data, hint.data ? hint.data : "");
  buf_free(&params);
  buf_free(&hint);
}

static void put_memory(Fabric *f, ModuleText *m) {
  Ports p = {.nin = 0};
  u32 loads = below(f->r, 4), stores = loads ? below(f->r, 3) : 1;
  bool external = one_in(f->r, 2);
  u32 channels = 1u << below(f->r, 3);
  u32 load_tag = loads > channels ? 2 : 0, store_tag = stores > channels ? 2 : 0;
  u32 load = loads < channels ? loads : channels, store = stores < channels ? stores : channels;
  char params[160];
  if (external) snprintf(p.in[p.nin++].text, sizeof p.in[0].text, "memref<?xi32>");
  for (u32 i = 0; i < load; i++) p.in[p.nin++] = wire_type(32, load_tag);
  for (u32 i = 0; i < 2 * store; i++) p.in[p.nin++] = wire_type(32, store_tag);
  for (u32 i = 0; i < load; i++) p.out[p.nout++] = wire_type(32, load_tag);
  for (u32 i = 0; i < load; i++) p.out[p.nout++] = wire_type(0, load_tag);
  for (u32 i = 0; i < store; i++) p.out[p.nout++] = wire_type(0, store_tag);
  snprintf(params, sizeof params,
           "ldCount = %u, stCount = %u, lsqDepth = %u, memrefType = memref<%sxi32>, numRegion = %u",
           loads, stores, below(f->r, 4), external ? "?" : "8", 1 + below(f->r, 4));
  if (channels > 1) {
    size_t len = strlen(params);
    snprintf(params + len, sizeof params - len, ", %s = %u", external ? "channels" : "banks",
             channels);
  }
  if (one_in(f->r, 2)) {
    size_t len = strlen(params);
    snprintf(params + len, sizeof params - len, ", latency = %u", 1 + below(f->r, 1024));
  }
  put_leaf(f, m, external ? "extmemory" : "memory", &p, params, "");
}

/* add_tag, map_tag, del_tag, one after the other. */
static void put_tags(Fabric *f, ModuleText *m) {
  u32 a = 1 + below(f->r, 5), b = 1 + below(f->r, 5), size = 1 + below(f->r, 9);
  Ports in = {.nin = 1};
  in.in[0] = wire_type(8, 0);
  u32 n = m->nnames++;
  buf_printf(&m->body, "  %%t%u = fabric.add_tag %%a%u {tag = %u : i64} : !fabric.bits<8> -> %s\n",
             n, m->nargs, below(f->r, 2), wire_type(8, a).text);
  buf_printf(&m->args, "%s%%a%u: %s", m->nargs ? ", " : "", m->nargs, in.in[0].text);
  m->nargs++;
  buf_printf(&m->body, "  %%u%u = fabric.map_tag %%t%u [table_size = %u]", n, n, size);
  if (one_in(f->r, 3)) buf_printf(&m->body, " attributes {table = [1 : i64]}");
  buf_printf(&m->body, " : %s -> %s\n", wire_type(8, a).text, wire_type(8, b).text);
  Ports out = {.nout = 1};
  out.out[0] = wire_type(8, 0);
  put_results(m, &out);
  buf_printf(&m->body, "fabric.del_tag %%u%u : %s -> !fabric.bits<8>\n", n, wire_type(8, b).text);
}

static void put_units(Fabric *f, Buf *out) {
  u32 n = 1 + below(f->r, 5);
  bool twins = false;
  for (u32 i = 0; i < n; i++) {
    char name[32];
    if (one_in(f->r, 4)) { /* instances of units around; those without a name share one */
      const char *own = twins || one_in(f->r, 2) ? "" : " {sym_name = \"opcode9\"}";
      twins |= *own != 0;
      buf_printf(out, "    fabric.instance @u%u()%s : () -> ()\n", below(f->r, 3), own);
      continue;
    }
    snprintf(name, sizeof name, "own%u", i);
    put_unit(f->r, name, out);
  }
  buf_str(out, "    fabric.yield\n  }\n");
}

static void put_pe(Fabric *f, ModuleText *m) {
  Random *r = f->r;
  bool temporal = one_in(r, 2), is_inline = one_in(r, 2);
  u32 tag = temporal ? 2 + below(r, 3) : 0;
  Ports p = {.nin = 1 + below(r, 5), .nout = 1 + below(r, 5)};
  char params[200] = "";
  for (u32 i = 0; i < p.nin; i++) p.in[i] = wire_type(64, tag);
  for (u32 i = 0; i < p.nout; i++) p.out[i] = wire_type(64, tag);
  if (temporal) {
    u32 registers = below(r, 6);
    snprintf(params, sizeof params,
             " [num_register = %u, reg_fifo_depth = %u, num_instruction = %u%s%s]", registers,
             registers ? 2 : 0, 1 + below(r, 5),
             one_in(r, 2) ? ", unit_config = \"per_instruction\"" : "",
             one_in(r, 2) ? ", unit_state = \"per_instruction\"" : "");
  }
  Buf *out = is_inline ? &m->body : &f->definitions;
  if (is_inline) {
    put_results(m, &p);
    buf_printf(out, "fabric.%s_pe @p%u inputs", temporal ? "temporal" : "spatial", m->nnames);
    put_operands(m, &p);
    buf_str(out, " : ");
    put_signature(out, &p);
  } else {
    buf_printf(out, "fabric.%s_pe @d%u(", temporal ? "temporal" : "spatial", f->ndefinitions);
    for (u32 i = 0; i < p.nin; i++) buf_printf(out, "%s%%p%u: %s", i ? ", " : "", i, p.in[i].text);
    buf_str(out, ") -> ");
    put_types(out, p.out, p.nout);
  }
  buf_str(out, params);
  if (!is_inline && temporal && one_in(r, 3)) /* a hint for instances to override */
    buf_str(out, " attributes {instruction_mem = [\"0x0\"], payload = [\"0x1\"]}");
  buf_str(out, " {\n");
  put_units(f, out);
  if (is_inline) return;
  u32 instances = 1 + below(r, 2);
  for (u32 i = 0; i < instances; i++) {
    put_results(m, &p);
    buf_printf(&m->body, "fabric.instance @d%u", f->ndefinitions);
    put_operands(m, &p);
    buf_str(&m->body, " : ");
    put_signature(&m->body, &p);
    buf_char(&m->body, '\n');
  }
  f->ndefinitions++;
}

static void put_part(Fabric *f, ModuleText *m) {
  switch (below(f->r, 6)) {
  case 0: put_memory(f, m); break;
  case 1: put_tags(f, m); break;
  case 2:
  case 3: put_pe(f, m); break;
  default: put_router(f, m); break;
  }
}

void random_fabric(Random *r, u32 parts, Buf *out) {
  Fabric f = {.r = r};
  ModuleText top = {.nargs = 0};
  Buf modules = {0};
  for (u32 i = 0; i < 3; i++) {
    char name[8];
    snprintf(name, sizeof name, "u%u", i);
    put_unit(r, name, &f.definitions);
  }
  u32 ninner = below(r, 3);
  for (u32 k = 0; k < ninner; k++) {
    ModuleText inner = {.nargs = 0};
    /* one port on either side, so that instances are easily written down */
    Ports p = {.nin = 1, .nout = 1};
    p.in[0] = p.out[0] = wire_type(8, 0);
    buf_printf(&inner.args, "%%a0: %s", p.in[0].text);
    buf_printf(&inner.types, "%s", p.out[0].text);
    buf_str(&inner.yields, "%s2");
    buf_printf(
        &inner.body,
        "  %%s0 = fabric.fifo [depth = 1, bypassable] (%%a0) : (%s) -> (%s)\n"
        "  %%s1:2 = fabric.spatial_sw [connectivity_table = [\"11\", \"11\"]] (%%s0, %%s1#1) "
        ": (%s, %s) -> (%s, %s)\n",
        p.in[0].text, p.in[0].text, p.in[0].text, p.in[0].text, p.in[0].text, p.in[0].text);
    if (k)
      buf_printf(&inner.body, "  %%s3 = fabric.instance @inner%u(%%s1#0) : (%s) -> (%s)\n", k - 1,
                 p.in[0].text, p.in[0].text);
    buf_printf(&inner.body, "  %%s2 = fabric.fifo [depth = 1, bypassable] (%%%s) : (%s) -> (%s)\n",
               k ? "s3" : "s1#0", p.in[0].text, p.in[0].text);
    char name[16];
    snprintf(name, sizeof name, "inner%u", k);
    put_module(name, &inner, &modules);
    u32 instances = 1 + below(r, 3);
    for (u32 i = 0; i < instances; i++) {
      put_results(&top, &p);
      buf_printf(&top.body, "fabric.instance @%s", name);
      put_operands(&top, &p);
      buf_str(&top.body, " : ");
      put_signature(&top.body, &p);
      buf_char(&top.body, '\n');
    }
  }
  for (u32 i = 0; i < parts; i++) put_part(&f, &top);
  buf_put(out, f.definitions.data, f.definitions.len);
  if (modules.len) buf_put(out, modules.data, modules.len);
  put_module("top", &top, out);
  buf_free(&f.definitions);
  buf_free(&modules);
}

/* ---- configurations -------------------------------------------------------------------------- */

typedef struct {
  Random *r;
  Image *image;
  const Adg *adg;
  u32 component;
} Setter;

static void set(const Setter *s, Field f, u64 value) {
  image_set(s->image, s->component, f, value);
}

static u32 field_width(const Setter *s, Field f) {
  return layout_find(s->image->layout, s->component, f).width;
}

static u64 random_bits(const Setter *s, u32 width) {
  u64 bits = random_next(s->r);
  return width ? bits >> (64 - width) : 0;
}

static u32 lanes_in(const Setter *s, const AdgSwitch *sw, u32 i) {
  u32 bits = sw->decomposable_bits;
  return bits ? s->adg->ports[adg_input(s->adg, s->component, i)].width / bits : 1;
}

static u32 lanes_out(const Setter *s, const AdgSwitch *sw, u32 o) {
  u32 bits = sw->decomposable_bits;
  return bits ? s->adg->ports[adg_output(s->adg, s->component, o)].width / bits : 1;
}

static bool is_routed(const Setter *s, const AdgSwitch *sw, u32 i, u32 il) {
  for (u32 o = 0; o < s->adg->components[s->component].noutputs; o++)
    for (u32 ol = 0; ol < lanes_out(s, sw, o); ol++)
      if (image_get(s->image, s->component, field_lane_pair(o, ol, i, il))) return true;
  return false;
}

/* Each output in use gets one input for each of its lanes. */
static void set_routes(const Setter *s, const AdgSwitch *sw, u32 slot) {
  const AdgComponent *c = &s->adg->components[s->component];
  for (u32 o = 0; o < c->noutputs; o++) {
    if (one_in(s->r, 3)) continue;
    for (u32 ol = 0; ol < lanes_out(s, sw, o); ol++) {
      u32 i = below(s->r, c->ninputs);
      while (!adg_connects(s->adg, sw, i, o)) i = (i + 1) % c->ninputs;
      set(s, (Field){FIELD_PAIR, slot, o, i, ol, below(s->r, lanes_in(s, sw, i))}, 1);
    }
  }
}

static void set_switch(const Setter *s, const AdgSwitch *sw) {
  u32 tag = below(s->r, 16);
  for (u32 slot = 0; slot < sw->num_route_table; slot++) {
    u32 width = field_width(s, field_of(FIELD_TAG, slot, 0));
    if (one_in(s->r, 3) || slot >> width) continue;
    set(s, field_of(FIELD_VALID, slot, 0), 1);
    set(s, field_of(FIELD_TAG, slot, 0), (tag + slot) & ((1u << width) - 1));
    set_routes(s, sw, slot);
  }
  if (sw->num_route_table) return;
  set_routes(s, sw, 0);
  for (u32 i = 0; i < s->adg->components[s->component].ninputs; i++)
    for (u32 l = 0; l < lanes_in(s, sw, i); l++)
      if (!is_routed(s, sw, i, l)) set(s, field_discard(i, l), below(s->r, 2));
}

static void set_table(const Setter *s, u32 size) {
  for (u32 i = 0; i < size; i++) {
    u32 width = field_width(s, field_of(FIELD_TAG, i, 0));
    if (one_in(s->r, 3) || i >> width) continue;
    set(s, field_of(FIELD_VALID, i, 0), 1);
    set(s, field_of(FIELD_TAG, i, 0), i ^ ((1u << width) - 1));
    set(s, field_of(FIELD_DST_TAG, i, 0),
        random_bits(s, field_width(s, field_of(FIELD_DST_TAG, i, 0))));
  }
}

/* Regions take tags from 0 up; later ones get less and less room. */
static void set_regions(const Setter *s, const AdgMemory *m) {
  u64 tags = layout_run(s->image->layout, s->component, field_of(FIELD_START, 0, 0)).limit, at = 0;
  for (u32 i = 0; i < m->nregions && at < tags; i++) {
    if (one_in(s->r, 4)) continue;
    u64 start = at + below(s->r, (u32)(tags - at)),
        end = start + 1 + below(s->r, (u32)(tags - start));
    set(s, field_of(FIELD_VALID, i, 0), 1);
    set(s, field_of(FIELD_START, i, 0), start);
    set(s, field_of(FIELD_END, i, 0), end);
    u32 log2 = below(s->r, 16); /* of the bytes of an element, which lie at multiples */
    set(s, field_of(FIELD_ADDR_OFFSET, i, 0), (i << 24 | random_bits(s, 24)) >> log2 << log2);
    set(s, field_of(FIELD_ELEM_SIZE_LOG2, i, 0), log2);
    at = end;
  }
}

/* What has nothing but numbers. */
static void set_numbers(const Setter *s, const LayoutSlice *slice) {
  const FieldRun *run = s->image->layout->runs.at + slice->first_run;
  for (u32 i = 0; i < slice->nruns; i++, run++)
    set(s, field_of((FieldKind)run->kind, 0, 0),
        run->limit ? random_below(s->r, run->limit) : random_bits(s, run->width));
}

static void set_payload(const Setter *s, const AdgPe *pe, u32 item, u32 opcode) {
  const AdgBody *body = &s->adg->bodies[s->adg->fus[pe->first_fu + opcode].body];
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = &s->adg->nodes[body->first_node + n];
    u32 ways = node->noperands > node->nresults ? node->noperands : node->nresults;
    switch ((OpKind)node->kind) {
    case OP_FABRIC_MUX:
      if (ways > 1 && one_in(s->r, 4)) {
        set(s, field_node(FIELD_NODE_DISCONNECT, item, opcode, n), 1);
      } else {
        set(s, field_node(FIELD_NODE_SEL, item, opcode, n), below(s->r, ways));
        set(s, field_node(FIELD_NODE_DISCARD, item, opcode, n), ways > 1 && one_in(s->r, 2));
      }
      break;
    case OP_HANDSHAKE_CONSTANT:
      set(s, field_node(FIELD_NODE_LITERAL, item, opcode, n),
          random_bits(s, field_width(s, field_node(FIELD_NODE_LITERAL, item, opcode, n))));
      break;
    case OP_HANDSHAKE_JOIN: {
      u32 sure = below(s->r, node->noperands);
      for (u32 i = 0; i < node->noperands; i++)
        set(s, field_join(item, opcode, n, i), i == sure || one_in(s->r, 2));
      break;
    }
    case OP_ARITH_CMPI:
      set(s, field_node(FIELD_NODE_PREDICATE, item, opcode, n), below(s->r, 10));
      break;
    case OP_ARITH_CMPF:
      set(s, field_node(FIELD_NODE_PREDICATE, item, opcode, n), below(s->r, 16));
      break;
    case OP_DATAFLOW_STREAM:
      set(s, field_node(FIELD_NODE_CONT_COND, item, opcode, n), (u64)1 << below(s->r, 5));
      break;
    default: break;
    }
  }
}

static void set_mux(const Setter *s, FieldKind sel, u32 item, u32 k, bool connect, u32 port) {
  set(s, field_of((FieldKind)(sel + 2), item, k), !connect);
  if (!connect) return;
  set(s, field_of(sel, item, k), port);
  set(s, field_of((FieldKind)(sel + 1), item, k), one_in(s->r, 3));
}

/* Returns the opcode. */
static u32 set_instruction(const Setter *s, const AdgPe *pe, u32 item) {
  const AdgComponent *c = &s->adg->components[s->component];
  u32 opcode = below(s->r, pe->nfus), first_port = below(s->r, c->noutputs);
  u32 first_register = below(s->r, pe->num_register);
  const AdgBody *body = &s->adg->bodies[s->adg->fus[pe->first_fu + opcode].body];
  set(s, field_of(FIELD_VALID, item, 0), 1);
  set(s, field_of(FIELD_OPCODE, item, 0), opcode);
  for (u32 k = 0; k < pe->max_inputs; k++) {
    bool there = k < body->nargs, reg = there && pe->num_register && one_in(s->r, 3);
    set(s, field_of(FIELD_OPERAND_IS_REG, item, k), reg);
    if (reg) set(s, field_of(FIELD_OPERAND_REG, item, k), below(s->r, pe->num_register));
    set_mux(s, FIELD_MUX_SEL, item, k, there && !reg && !one_in(s->r, 6), below(s->r, c->ninputs));
  }
  for (u32 k = 0; k < pe->max_outputs; k++) {
    bool there = k < body->nresults, port = there && k < c->noutputs && !one_in(s->r, 5);
    bool reg = there && k < pe->num_register && one_in(s->r, 3);
    set(s, field_of(FIELD_RESULT_IS_REG, item, k), reg);
    if (reg) set(s, field_of(FIELD_RESULT_REG, item, k), (first_register + k) % pe->num_register);
    set_mux(s, FIELD_DEMUX_SEL, item, k, port, (first_port + k) % c->noutputs);
    if (image_get(s->image, s->component, field_of(FIELD_DEMUX_DISCARD, item, k)))
      set(s, field_of(FIELD_DEMUX_SEL, item, k), 0); /* discarded */
    else if (port)
      set(s, field_of(FIELD_RESULT_TAG, item, k),
          random_bits(s, field_width(s, field_of(FIELD_RESULT_TAG, item, k))));
  }
  return opcode;
}

static void set_pe(const Setter *s, const AdgPe *pe) {
  u32 n = pe->is_temporal ? pe->num_instruction : 1, tag = below(s->r, 16);
  bool *used = mem_alloc(pe->nfus + (size_t)1);
  for (u32 i = 0; i < n; i++) {
    u32 width = field_width(s, field_of(FIELD_TAG, i, 0));
    if (one_in(s->r, 4) || (pe->is_temporal && i >> width)) continue;
    u32 opcode = set_instruction(s, pe, i);
    if (pe->is_temporal) set(s, field_of(FIELD_TAG, i, 0), (tag + i) & ((1u << width) - 1));
    if (!used[opcode] || pe->unit_config) set_payload(s, pe, layout_payload_item(pe, i), opcode);
    used[opcode] = true;
  }
  mem_free(used);
}

void random_configuration(Random *r, Image *image) {
  const Layout *layout = image->layout;
  Setter s = {r, image, layout->adg, 0};
  for (u32 i = 0; i < layout->nslices; i++) {
    s.component = layout->slices[i].component;
    const AdgComponent *c = &s.adg->components[s.component];
    image_idle(image, s.component);
    if (one_in(r, 8)) continue;
    switch ((AdgKind)c->kind) {
    case ADG_SPATIAL_SW:
    case ADG_TEMPORAL_SW: set_switch(&s, &s.adg->switches[c->detail]); break;
    case ADG_MAP_TAG: set_table(&s, s.adg->tags[c->detail].table_size); break;
    case ADG_MEMORY:
    case ADG_EXTMEMORY: set_regions(&s, &s.adg->memories[c->detail]); break;
    case ADG_SPATIAL_PE:
    case ADG_TEMPORAL_PE: set_pe(&s, &s.adg->pes[c->detail]); break;
    default: set_numbers(&s, &layout->slices[i]); break;
    }
  }
}

/* random_pair.c -- small fabrics with random connections, and graphs for them.
 *
 * Switches stand in a ring with chords; PEs, memories and the fabric's own ports hang on switches
 * at random. A wire between two switches may be a queue, a stretch under a tag, or be shared with
 * another wire: both get tags, run together, and are parted again. Some PEs are temporal, with or
 * without map_tags in front of them; in some fabrics all switches are, and what has no tags is
 * between an add_tag and a del_tag. In some, outputs of switches lead to several inputs. PEs may
 * have a narrow output, and units of several operations, with muxes of both kinds.
 *
 * The graph takes units of PEs one after the other, each an operation, whose operands are values
 * made before; only what holds its state (carry, invariant) may take what comes after it, so that
 * every loop has a register.
 */
#include "random_pair.h"
#include "fabric_text.h"

#include <stdlib.h>

enum {
  MAX_PES = 24,
  MAX_SWITCHES = 12,
  MAX_PORTS = 32,
  NAME = NAME_ROOM,
  UNITS = 18,
  MAX_VALUES = 256
};

/* Of the graph's operations. */
static const char *const unit_names[UNITS] = {"add",    "sub",  "mul",    "cmp",  "sel",  "const",
                                              "constx", "br",   "brn",    "mux",  "join", "carry",
                                              "inv",    "invn", "stream", "cast", "load", "store"};
enum { BRANCH = 7, JOIN = 10, CARRY, INVN = 13, STREAM, LOAD = 16, STORE };

typedef struct {
  char in[MAX_PORTS][NAME];
  unsigned nin, nout;
} Switch;

typedef struct {
  Random random;
  Buf *out;
  bool is_tagged;           /* the switches are temporal, and all between them is tagged */
  bool has_fans, maps_tags; /* outputs that lead to several inputs; map_tags before temporal PEs */
  unsigned width, tag_bits, nswitches, npes, nmemories, count;
  Switch switches[MAX_SWITCHES];
  unsigned pe_units[MAX_PES][UNITS], npe_units[MAX_PES];
  unsigned loads[4], stores[4]; /* lanes of memories */
  bool is_once;                 /* operations that fire once */
  bool is_used[4];              /* memories of the graph */
} Gen;

static unsigned below(Gen *g, unsigned n) {
  return (unsigned)((random_next(&g->random) >> 33) % n);
}

/* ---- units ----------------------------------------------------------------------------------- */

static const UnitText *unit_of(unsigned u) {
  return unit_named(unit_names[u]);
}

static void put_units(Buf *out) {
  for (unsigned u = 0; u < UNITS; u++)
    put_function_unit(unit_of(u), 0, unit_names[u], u < 5, 1, false, out);
  buf_str(out, "fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32)"
               " [latency = 2, interval = 1] {\n"
               "  %m = arith.muli %a, %b : i32\n"
               "  %s = arith.addi %m, %c : i32\n"
               "  %r = fabric.mux %m, %s {sel = 0 : i64, discard = false, disconnect = false}"
               " : i32, i32 -> i32\n"
               "  fabric.yield %r : i32\n}\n"
               "fabric.function_unit @by(%a: i32, %b: i32, %c: i32) -> (i32)"
               " [latency = 1, interval = 1] {\n"
               "  %m = arith.muli %a, %b : i32\n"
               "  %t = fabric.mux %m, %a {sel = 0 : i64} : i32, i32 -> i32\n"
               "  %s = arith.subi %t, %c : i32\n"
               "  fabric.yield %s : i32\n}\n"
               "fabric.function_unit @on(%a: i32, %b: i32) -> (i32, i32)"
               " [latency = 1, interval = 1] {\n"
               "  %s = arith.addi %a, %b : i32\n"
               "  %t:2 = fabric.mux %s {sel = 0 : i64} : i32 -> i32, i32\n"
               "  %m = arith.muli %t#1, %b : i32\n"
               "  fabric.yield %t#0, %m : i32, i32\n}\n"
               "fabric.function_unit @both(%a: i32, %b: i32) -> (i32, i1)"
               " [latency = 1, interval = 1] {\n"
               "  %s = arith.subi %a, %b : i32\n"
               "  %l = arith.cmpi slt, %a, %b : i32\n"
               "  fabric.yield %s, %l : i32, i1\n}\n");
}

/* ---- wires ----------------------------------------------------------------------------------- */

static void put_type(Gen *g, bool is_tagged) {
  buf_str(g->out, wire_type(g->width, is_tagged ? g->tag_bits : 0).text);
}

static void put_types(Gen *g, unsigned n, bool is_tagged) {
  for (unsigned i = 0; i < n; i++) {
    if (i) buf_str(g->out, ", ");
    put_type(g, is_tagged);
  }
}

static void tap(Gen *g, unsigned sw, char *name) {
  Switch *s = &g->switches[sw];
  bool again = g->has_fans && s->nout && below(g, 6) == 0;
  snprintf(name, NAME, "%%sw_%u#%u", sw, again ? below(g, s->nout) : s->nout++);
}

static void feed(Gen *g, unsigned sw, const char *name) {
  Switch *s = &g->switches[sw];
  snprintf(s->in[s->nin++], NAME, "%s", name);
}

/* A switch with room for one more input and output. */
static unsigned some_switch(Gen *g) {
  for (;;) {
    unsigned sw = below(g, g->nswitches);
    if (g->switches[sw].nin < MAX_PORTS - 4 && g->switches[sw].nout < MAX_PORTS - 4) return sw;
  }
}

/* A component of one input and one output; `name` becomes its output's. */
static void put_line(Gen *g, const char *before, const char *after, char *name, bool tag_in,
                     bool tag_out, bool has_list) {
  char was[NAME];
  snprintf(was, NAME, "%s", name);
  snprintf(name, NAME, "%%w%u", g->count++);
  buf_printf(g->out, "  %s = fabric.%s", name, before);
  if (has_list)
    buf_printf(g->out, " @%s_ %s(%s) : (", name + 1, after, was);
  else
    buf_printf(g->out, " %s %s : ", was, after);
  put_types(g, 1, tag_in);
  buf_str(g->out, has_list ? ") -> (" : " -> ");
  put_types(g, 1, tag_out);
  buf_str(g->out, has_list ? ")\n" : "\n");
}

static void tag_on(Gen *g, char *name) {
  put_line(g, "add_tag", "{tag = 0 : i64}", name, false, true, false);
}

static void tag_off(Gen *g, char *name) {
  put_line(g, "del_tag", "", name, true, false, false);
}

/* Something that a tagged wire may go through. */
static void tagged_stretch(Gen *g, char *name) {
  switch (below(g, 5)) {
  case 0: put_line(g, "fifo", "[depth = 2, bypassable] ", name, true, true, true); break;
  case 1: put_line(g, "map_tag", "[table_size = 2 : i64]", name, true, true, false); break;
  case 2:
    put_line(g, "spatial_sw", "[connectivity_table = [\"1\"]] ", name, true, true, true);
    break;
  case 3:
    put_line(g, "temporal_sw", "[num_route_table = 2, connectivity_table = [\"1\"]] ", name, true,
             true, true);
    break;
  default: break;
  }
}

/* What a wire goes through on its way. */
static void through(Gen *g, char *name) {
  unsigned what = below(g, 10);
  if (what == 0) put_line(g, "fifo", "[depth = 3] ", name, false, false, true);
  if (what == 1) put_line(g, "fifo", "[depth = 1, bypassable] ", name, false, false, true);
  if (what != 2) return;
  tag_on(g, name);
  tagged_stretch(g, name);
  if (below(g, 3) == 0) put_line(g, "fifo", "[depth = 2] ", name, true, true, true);
  tag_off(g, name);
}

/* Two wires through one. */
static void share(Gen *g, char *a, char *b) {
  char one[NAME], two[NAME];
  tag_on(g, a);
  tag_on(g, b);
  unsigned id = g->count++;
  unsigned slots = 2 + below(g, 2);
  if (id % 3 == 0)
    buf_printf(g->out, "  %%g%u = fabric.spatial_sw @g%u_ (%s, %s) : (", id, id, a, b);
  else
    buf_printf(g->out, "  %%g%u = fabric.temporal_sw @g%u_ [num_route_table = %u] (%s, %s) : (", id,
               id, slots, a, b);
  put_types(g, 2, true);
  buf_str(g->out, ") -> (");
  put_types(g, 1, true);
  buf_str(g->out, ")\n");
  snprintf(one, NAME, "%%g%u", id);
  tagged_stretch(g, one);
  tagged_stretch(g, one);
  snprintf(two, NAME, "%s", one);
  buf_printf(g->out,
             "  %%s%u:2 = fabric.temporal_sw @s%u_ [num_route_table = %u, connectivity_table = "
             "[\"1\", \"1\"]] (%s) : (",
             id, id, 2 + below(g, 2), two);
  put_types(g, 1, true);
  buf_str(g->out, ") -> (");
  put_types(g, 2, true);
  buf_str(g->out, ")\n");
  snprintf(a, NAME, "%%s%u#0", id);
  snprintf(b, NAME, "%%s%u#1", id);
  tag_off(g, a);
  tag_off(g, b);
}

/* What leaves the switches, or comes to them, as a wire without a tag. */
static void leave(Gen *g, char *name) {
  if (g->is_tagged) tag_off(g, name);
}

static void join(Gen *g, unsigned sw, char *name) {
  if (g->is_tagged) tag_on(g, name);
  feed(g, sw, name);
}

static void connect(Gen *g, unsigned from, unsigned to) {
  char a[NAME], b[NAME];
  tap(g, from, a);
  if (g->is_tagged) {
    tagged_stretch(g, a);
  } else if (below(g, 8) == 0) {
    tap(g, from, b);
    share(g, a, b);
    feed(g, to, b);
  } else {
    through(g, a);
  }
  feed(g, to, a);
}

/* The results of a PE: the first may be narrow. */
static void put_results(Gen *g, unsigned n, bool is_tagged, bool is_narrow) {
  if (is_narrow) buf_str(g->out, n > 1 ? "!fabric.bits<16>, " : "!fabric.bits<16>");
  put_types(g, n - is_narrow, is_tagged);
}

/* ---- what hangs on the switches -------------------------------------------------------------- */

static void put_pe(Gen *g, unsigned pe) {
  unsigned nin = 3 + below(g, 2), nout = 2 + below(g, 2);
  bool is_temporal = below(g, 6) == 0,
       is_narrow = !is_temporal && !g->is_tagged && below(g, 8) == 0;
  char names[8][NAME];
  for (unsigned i = 0; i < nin; i++) {
    tap(g, some_switch(g), names[i]);
    if (!is_temporal) {
      leave(g, names[i]);
      through(g, names[i]);
      continue;
    }
    if (!g->is_tagged) tag_on(g, names[i]);
    if (g->maps_tags) put_line(g, "map_tag", "[table_size = 4 : i64]", names[i], true, true, false);
  }
  buf_printf(g->out, "  %%pe_%u:%u = fabric.instance @pe_def_%u(", pe, nout, pe);
  for (unsigned i = 0; i < nin; i++) buf_printf(g->out, "%s%s", i ? ", " : "", names[i]);
  buf_printf(g->out, ") {sym_name = \"pe_%u\"} : (", pe);
  put_types(g, nin, is_temporal);
  buf_str(g->out, ") -> (");
  put_results(g, nout, is_temporal, is_narrow);
  buf_str(g->out, ")\n");
  for (unsigned i = 0; i < nout; i++) {
    snprintf(names[0], NAME, "%%pe_%u#%u", pe, i);
    if (is_temporal && !g->is_tagged) tag_off(g, names[0]);
    if (is_temporal)
      feed(g, some_switch(g), names[0]);
    else
      join(g, some_switch(g), names[0]);
  }
  /* Its definition stands before the module: the caller has left room for it. */
  g->npe_units[pe] = 0;
  for (unsigned u = 0; u < UNITS; u++)
    if (below(g, 3) == 0) g->pe_units[pe][g->npe_units[pe]++] = u;
  if (!g->npe_units[pe]) g->pe_units[pe][g->npe_units[pe]++] = below(g, UNITS);
  Buf *out = g->out;
  buf_printf(out, "  // def %u %u %u %u %u\n", pe, nin, nout, is_temporal, is_narrow);
}

static void put_definition(Gen *g, unsigned pe, unsigned nin, unsigned nout, bool is_temporal,
                           bool is_narrow) {
  buf_printf(g->out, "fabric.%s_pe @pe_def_%u(", is_temporal ? "temporal" : "spatial", pe);
  for (unsigned i = 0; i < nin; i++) {
    buf_printf(g->out, "%s%%p%u: ", i ? ", " : "", i);
    put_type(g, is_temporal);
  }
  buf_str(g->out, ") -> (");
  put_results(g, nout, is_temporal, is_narrow);
  buf_str(g->out, ")");
  if (is_temporal) {
    unsigned registers = below(g, 3);
    unsigned own = below(g, 4), instructions = 2 + below(g, 2);
    buf_printf(g->out,
               " [num_register = %u : i64, num_instruction = %u : i64, "
               "reg_fifo_depth = %u : i64%s%s]",
               registers, instructions, registers ? 1 + below(g, 2) : 0,
               own & 1 ? ", unit_config = \"per_instruction\"" : "",
               own & 2 ? ", unit_state = \"per_instruction\"" : "");
  }
  buf_str(g->out, " {\n");
  static const char *const several[] = {"mac", "by", "on", "both"};
  if (below(g, 3) == 0)
    buf_printf(g->out, "  fabric.instance @%s() : () -> ()\n", several[below(g, 4)]);
  for (unsigned i = 0; i < g->npe_units[pe]; i++)
    buf_printf(g->out, "  fabric.instance @%s() : () -> ()\n", unit_names[g->pe_units[pe][i]]);
  buf_str(g->out, "  fabric.yield\n}\n");
}

/* A memory of one load and one store, or of two each, told apart by tags or with a channel each. */
static void put_memory(Gen *g, unsigned m) {
  unsigned lanes = 1 + below(g, 2);
  /* not drawn: the rest stays as it was */
  unsigned latency = 1 + (unsigned)(g->random.state >> 33) % 6,
           depth = (unsigned)(g->random.state >> 43) % 4;
  unsigned channels = lanes == 2 && g->random.state >> 41 & 1 ? 2 : 1, nports = 3 * channels;
  char in[6][NAME], out[NAME];
  g->loads[m] = g->stores[m] = lanes;
  for (unsigned f = 0; f < nports; f++) { /* with two channels a lane has ports to itself */
    tap(g, some_switch(g), in[f]);
    leave(g, in[f]);
    if (lanes == channels) continue;
    char other[NAME];
    tap(g, some_switch(g), other);
    leave(g, other);
    tag_on(g, in[f]);
    tag_on(g, other);
    buf_printf(g->out,
               "  %%m%u_g%u = fabric.temporal_sw @m%u_g%u_ [num_route_table = 2, "
               "connectivity_table = [\"11\"]] (%s, %s) : (",
               m, f, m, f, in[f], other);
    put_types(g, 2, true);
    buf_str(g->out, ") -> (");
    put_types(g, 1, true);
    buf_str(g->out, ")\n");
    snprintf(in[f], NAME, "%%m%u_g%u", m, f);
  }
  buf_printf(g->out,
             "  %%m%u:%u = fabric.extmemory @m%u_ [ldCount = %u, stCount = %u, lsqDepth = %u, "
             "latency = %u, channels = %u, memrefType = memref<?xi32>, numRegion = %u] (%%array_%u",
             m, nports, m, lanes, lanes, depth, latency, channels, lanes, m);
  for (unsigned f = 0; f < nports; f++) buf_printf(g->out, ", %s", in[f]);
  buf_str(g->out, ") : (memref<?xi32>, ");
  put_types(g, nports, lanes > channels);
  buf_str(g->out, ") -> (");
  put_types(g, nports, lanes > channels);
  buf_str(g->out, ")\n");
  for (unsigned f = 0; f < nports; f++) {
    snprintf(out, NAME, "%%m%u#%u", m, f);
    if (lanes == channels) {
      join(g, some_switch(g), out);
      continue;
    }
    buf_printf(g->out,
               "  %%m%u_s%u:2 = fabric.temporal_sw @m%u_s%u_ [num_route_table = 2, "
               "connectivity_table = [\"1\", \"1\"]] (%s) : (",
               m, f, m, f, out);
    put_types(g, 1, true);
    buf_str(g->out, ") -> (");
    put_types(g, 2, true);
    buf_str(g->out, ")\n");
    for (unsigned i = 0; i < 2; i++) {
      snprintf(out, NAME, "%%m%u_s%u#%u", m, f, i);
      tag_off(g, out);
      join(g, some_switch(g), out);
    }
  }
}

static void put_switch(Gen *g, unsigned sw) {
  const Switch *s = &g->switches[sw];
  bool is_full = below(g, 2);
  buf_printf(g->out, "  %%sw_%u:%u = fabric.%s_sw @sw_%u [", sw, s->nout,
             g->is_tagged ? "temporal" : "spatial", sw);
  if (g->is_tagged)
    buf_printf(g->out, "num_route_table = %u, ", 2 + below(g, 3));
  else if (below(g, 5) == 0)
    buf_str(g->out, "decomposable_bits = 16, ");
  /* every other fabric has buffers, in most of its switches: other choices stay as they are */
  if (g->npes % 2 && sw % 4)
    buf_str(g->out, sw % 4 == 2 ? "buffer = \"forward\", " : "buffer = \"full\", ");
  buf_str(g->out, "connectivity_table = [");
  for (unsigned o = 0; o < s->nout; o++) {
    unsigned always = below(g, s->nin);
    buf_str(g->out, o ? ", \"" : "\"");
    for (unsigned i = 0; i < s->nin; i++)
      buf_char(g->out, is_full || i == always || below(g, 4) ? '1' : '0');
    buf_char(g->out, '"');
  }
  buf_str(g->out, "]] (");
  for (unsigned i = 0; i < s->nin; i++) buf_printf(g->out, "%s%s", i ? ", " : "", s->in[i]);
  buf_str(g->out, ") : (");
  put_types(g, s->nin, g->is_tagged);
  buf_str(g->out, ") -> (");
  put_types(g, s->nout, g->is_tagged);
  buf_str(g->out, ")\n");
}

static void put_fabric(Gen *g, Buf *fabric) {
  Buf body = {0};
  char name[NAME];
  g->out = &body;
  g->width = below(g, 2) ? 32 : 64;
  g->tag_bits = 1 + below(g, 3);
  g->is_tagged = below(g, 4) == 0;
  g->has_fans = below(g, 3) == 0;
  g->maps_tags = below(g, 2);
  g->nswitches = 2 + below(g, MAX_SWITCHES - 2);
  g->npes = 2 + below(g, 2 * g->nswitches);
  g->nmemories = below(g, 3);
  unsigned ninputs = 4 + below(g, 3), noutputs = 2 + below(g, 2);
  for (unsigned s = 0; s < g->nswitches; s++)
    for (unsigned t = 0; t < 2; t++) {
      connect(g, s, (s + 1) % g->nswitches);
      connect(g, (s + 1) % g->nswitches, s);
    }
  for (unsigned i = 0; i < g->nswitches; i++) connect(g, some_switch(g), some_switch(g));
  for (unsigned pe = 0; pe < g->npes; pe++) put_pe(g, pe);
  for (unsigned m = 0; m < g->nmemories; m++) put_memory(g, m);
  for (unsigned i = 0; i < ninputs; i++) {
    snprintf(name, NAME, "%%in_%u", i);
    join(g, some_switch(g), name);
  }
  char outputs[4][NAME];
  for (unsigned i = 0; i < noutputs; i++) {
    tap(g, some_switch(g), outputs[i]);
    leave(g, outputs[i]);
  }
  for (unsigned s = 0; s < g->nswitches; s++) put_switch(g, s);
  g->out = fabric;
  put_units(fabric);
  for (char *at = body.data; (at = strstr(at, "  // def ")); at++) {
    unsigned pe, nin, nout, is_temporal, is_narrow;
    sscanf(at, "  // def %u %u %u %u %u", &pe, &nin, &nout, &is_temporal, &is_narrow);
    put_definition(g, pe, nin, nout, is_temporal, is_narrow);
  }
  buf_str(fabric, "fabric.module @fabric(");
  for (unsigned m = 0; m < g->nmemories; m++) buf_printf(fabric, "%%array_%u: memref<?xi32>, ", m);
  for (unsigned i = 0; i < ninputs; i++) {
    buf_printf(fabric, "%s%%in_%u: ", i ? ", " : "", i);
    put_type(g, false);
  }
  buf_str(fabric, ") -> (");
  put_types(g, noutputs, false);
  buf_str(fabric, ") {\n");
  buf_put(fabric, body.data, body.len);
  buf_str(fabric, "  fabric.yield ");
  for (unsigned i = 0; i < noutputs; i++) buf_printf(fabric, "%s%s", i ? ", " : "", outputs[i]);
  buf_str(fabric, " : ");
  put_types(g, noutputs, false);
  buf_str(fabric, "\n}\n");
  buf_free(&body);
}

/* ---- the graph ------------------------------------------------------------------------------- */

typedef struct {
  char name[NAME], type;
} Value;

typedef struct {
  Value at[MAX_VALUES];
  unsigned n;
} Values;

static const char *some_value(Gen *g, const Values *values, char type, unsigned n) {
  unsigned k = 0, chosen = 0;
  for (unsigned i = 0; i < n; i++)
    if (values->at[i].type == type && below(g, ++k) == 0) chosen = i;
  return values->at[chosen].name;
}

/* A unit of a PE; where each is to fire once, one that does, or UNITS. */
static unsigned some_unit(Gen *g, unsigned pe) {
  unsigned found = UNITS, k = 0;
  if (!g->is_once) return g->pe_units[pe][below(g, g->npe_units[pe])];
  for (unsigned i = 0; i < g->npe_units[pe]; i++) {
    unsigned u = g->pe_units[pe][i];
    bool once =
        u < BRANCH || (u >= JOIN && u != CARRY && u != CARRY + 1 && u != INVN && u != STREAM);
    if (once && below(g, ++k) == 0) found = u;
  }
  return found;
}

static void put_graph(Gen *g, Buf *graph) {
  unsigned ops[MAX_PES], first[MAX_PES], port_of[MAX_PES], nops = 0;
  unsigned nloads[4] = {0}, nstores[4] = {0}, memory_of[MAX_PES];
  Values values = {{{"%x", 'i'}, {"%i", 'x'}, {"%p", 'b'}, {"%c", 'n'}}, 4};
  bool sparse = below(g, 2);
  for (unsigned pe = 0; pe < g->npes; pe++) {
    if (sparse && below(g, 2)) continue;
    unsigned u = some_unit(g, pe);
    if (u == UNITS) continue;
    if (u == LOAD || u == STORE) {
      unsigned m = g->nmemories ? below(g, g->nmemories) : 0;
      if (!g->nmemories || (u == LOAD ? nloads : nstores)[m] == g->loads[m]) continue;
      /* In any order: reads, or one write. */
      if (g->is_once && (nstores[m] || (u == STORE && nloads[m]))) continue;
      memory_of[nops] = m;
      port_of[nops] = (u == LOAD ? nloads : nstores)[m]++;
    }
    ops[nops] = u;
    first[nops++] = values.n;
    for (unsigned i = 0; unit_of(u)->results[i]; i++) {
      snprintf(values.at[values.n].name, NAME, "%%v%u", values.n);
      values.at[values.n].type = unit_of(u)->results[i];
      /* What goes to memory is nobody else's. */
      if (u == STORE || (u == LOAD && i == 1)) values.at[values.n].type = '-';
      values.n++;
    }
  }
  buf_str(graph, "handshake.func @main(");
  for (unsigned m = 0; m < g->nmemories; m++)
    if (nloads[m] + nstores[m]) {
      buf_printf(graph, "%%m%u: memref<?xi32>, ", m);
      g->is_used[m] = true;
    }
  buf_str(graph, "%x: i32, %i: index, %p: i1, %c: none) -> (i32, i1) {\n");
  for (unsigned k = 0; k < nops; k++) {
    unsigned u = ops[k];
    char names[3][NAME];
    for (unsigned i = 0; unit_of(u)->operands[i]; i++) {
      bool any = u >= CARRY && u <= INVN;
      snprintf(names[i], NAME, "%s",
               some_value(g, &values, unit_of(u)->operands[i], any ? values.n : first[k]));
      if (u == LOAD && i == 1) snprintf(names[i], NAME, "%%q%u#%u", memory_of[k], port_of[k]);
    }
    buf_printf(graph, "  %s", values.at[first[k]].name);
    if (unit_of(u)->results[1]) buf_printf(graph, ", %s", values.at[first[k] + 1].name);
    UnitText unit = *unit_of(u);
    unit.body = strstr(unit.body, " = "); /* its results have names of the graph's */
    put_body(&unit, (const char(*)[NAME_ROOM])names, graph);
    buf_char(graph, '\n');
  }
  for (unsigned m = 0; m < g->nmemories; m++) {
    unsigned ld = nloads[m], st = nstores[m], n = 0;
    if (!(ld + st)) continue;
    buf_printf(graph,
               "  %%q%u:%u = handshake.extmemory[ld = %u, st = %u] (%%m%u : memref<?xi32>) (", m,
               2 * ld + st, ld, st, m);
    for (unsigned want = 0; want < 2; want++)
      for (unsigned k = 0; k < nops; k++) {
        if (ops[k] != (want ? LOAD : STORE) || memory_of[k] != m) continue;
        if (!want) buf_printf(graph, "%s%s", n++ ? ", " : "", values.at[first[k]].name);
        buf_printf(graph, "%s%s", n++ ? ", " : "", values.at[first[k] + 1].name);
      }
    buf_printf(graph, ") {id = %u : i32} : (", m);
    for (unsigned i = 0; i < st; i++) buf_printf(graph, "%si32, index", i ? ", " : "");
    for (unsigned i = 0; i < ld; i++) buf_printf(graph, "%sindex", i + st ? ", " : "");
    buf_str(graph, ") -> (");
    for (unsigned i = 0; i < 2 * ld + st; i++)
      buf_printf(graph, "%s%s", i ? ", " : "", i < ld ? "i32" : "none");
    buf_str(graph, ")\n");
  }
  buf_printf(graph, "  handshake.return %s, ", some_value(g, &values, 'i', values.n));
  buf_printf(graph, "%s : i32, i1\n}\n", some_value(g, &values, 'b', values.n));
}

static void put_case(Gen *g, Buf *json) {
  buf_str(json, "{\"function\": \"main\", \"args\": [");
  for (unsigned m = 0; m < 4; m++) {
    if (!g->is_used[m]) continue;
    buf_str(json, "{\"memref\": {\"shape\": [8], \"type\": \"i32\", \"data\": [");
    for (unsigned i = 0; i < 8; i++) buf_printf(json, "%s%u", i ? ", " : "", below(g, 1000));
    buf_str(json, "]}}, ");
  }
  buf_printf(json,
             "{\"scalar\": {\"type\": \"i32\", \"value\": %u}}, {\"scalar\": {\"type\": "
             "\"index\", \"value\": %u}}, {\"scalar\": {\"type\": \"i1\", \"value\": %u}}]}",
             below(g, 1000), below(g, 8), below(g, 2));
}

static void make_pair(u64 seed, bool is_once, Buf *fabric, Buf *graph, Buf *json) {
  Gen *g = calloc(1, sizeof *g);
  if (!g) abort();
  g->random.state = seed * 0x9e3779b97f4a7c15u;
  g->is_once = is_once;
  put_fabric(g, fabric);
  put_graph(g, graph);
  if (json) put_case(g, json);
  free(g);
}

void random_pair(u64 seed, Buf *fabric, Buf *graph) {
  make_pair(seed, false, fabric, graph, NULL);
}

void random_pair_once(u64 seed, Buf *fabric, Buf *graph, Buf *json) {
  make_pair(seed, true, fabric, graph, json);
}

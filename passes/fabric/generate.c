/* generate.c -- a fabric from a plan.
 *
 *     S---S---S      chess, 1x2: a PE in each cell, a switch (S) on each corner. A PE has four
 *     |\ /|\ /|      inputs and four outputs, one of each to every corner; `tracks` channels run
 *     | P | P |      each way between neighbouring switches.
 *     |/ \|/ \|
 *     S---S---S      mesh, torus: a switch a cell; all four inputs and outputs of its PE go to it.
 *
 * First every wire is laid, which gives each switch a list of what drives its inputs and a count of
 * its outputs; then the text is written from these lists. Memories and the fabric's own ports
 * are spread evenly over the switches at the rim. A memory of one lane is tied to its switch; one
 * of several shares its ports by tags, and has bridges around it (design of Fabric, "Many lanes"):
 *
 *     switch -> add_tag -+                          +- del_tag -> switch
 *                        temporal_sw -> memory -> temporal_sw
 *     switch -> add_tag -+                          +- del_tag -> switch
 *
 * On a board of temporal PEs every wire between switches and PEs is tagged, and switches are
 * temporal too. What comes in over the border (inputs, what memories answer) is given a tag there,
 * what goes out loses it; the lanes of a memory have tags of their own.
 */
#include "fabric/generate.h"

#include <string.h>

const char *const fabric_topologies[] = {"chess", "mesh", "torus", NULL};
const char *const fabric_unit_libraries[] = {"int", "float", "full", "all", NULL};
const char *const fabric_presets[] = {"tiny", "small", "medium", "large", "xl", "temporal", NULL};

enum { PE_PORTS = 4, MAX_SWITCH_PORTS = 32, REGISTERS = 4, REGISTER_DEPTH = 2 };

FabricPlan fabric_plan_default(void) {
  return (FabricPlan){.topology = TOPOLOGY_CHESS,
                      .units = UNITS_FULL,
                      .rows = 4,
                      .columns = 4,
                      .tracks = 2,
                      .width = 32,
                      .copies = 2,
                      .memories = UINT32_MAX,
                      .scratchpads = 1,
                      .words = 1024,
                      .lanes = 2,
                      .inputs = 4,
                      .outputs = 2};
}

/* What makes a preset. Those of 64 bits hold whatever lowering makes (UNITS_ALL), and memories
 * enough for kernels of their size. */
static const struct {
  u32 side, width, memories, scratchpads, words, lanes, inputs, outputs, instructions;
} preset_plans[] = {
    {2, 32, 3, 1, 1024, 2, 4, 2, 0},    /* tiny */
    {4, 32, 4, 1, 1024, 4, 8, 4, 0},    /* small */
    {8, 64, 6, 2, 4096, 8, 8, 8, 0},    /* medium */
    {12, 64, 8, 4, 4096, 8, 12, 8, 0},  /* large */
    {16, 64, 12, 4, 4096, 8, 16, 8, 0}, /* xl */
    {4, 64, 6, 4, 4096, 8, 8, 8, 16},   /* temporal */
};

bool fabric_plan_preset(const char *name, FabricPlan *plan) {
  for (u32 i = 0; fabric_presets[i]; i++) {
    if (strcmp(name, fabric_presets[i]) != 0) continue;
    *plan = fabric_plan_default();
    plan->rows = plan->columns = preset_plans[i].side;
    plan->width = preset_plans[i].width;
    plan->units = plan->width == 64 ? UNITS_ALL : UNITS_FULL;
    plan->memories = preset_plans[i].memories;
    plan->scratchpads = preset_plans[i].scratchpads;
    plan->words = preset_plans[i].words;
    plan->lanes = preset_plans[i].lanes;
    plan->inputs = preset_plans[i].inputs;
    plan->outputs = preset_plans[i].outputs;
    plan->instructions = preset_plans[i].instructions;
    return true;
  }
  return false;
}

/* ---- wires ----------------------------------------------------------------------------------- */

typedef enum { FROM_SWITCH, FROM_PE, FROM_INPUT, FROM_MEMORY } SourceKind;

/* What drives a wire: output `port` of a component. Of a memory, `id` counts lanes of all memories
 * and `port` is 0 load data, 1 load done, 2 store done. */
typedef struct {
  u32 kind, id, port;
} WireEnd;

typedef struct {
  WireEnd in[MAX_SWITCH_PORTS];
  u32 nin, nout; /* counted on where they do not fit */
} Switch;

typedef struct {
  Context *ctx;
  const FabricPlan *plan;
  u32 rows, columns; /* of switches */
  u32 nlanes, nmemories;
  Switch *switches;
  u32 *rim; /* switches at the rim, clockwise */
  u32 nrim;
  WireEnd *pe_in;   /* PE_PORTS a PE */
  WireEnd *lane_in; /* three a lane: load address, store address, store data */
  WireEnd *outputs;
  Buf *out;
} Board;

/* A new input of a switch. */
static void feed(Board *b, u32 sw, SourceKind kind, u32 id, u32 port) {
  Switch *s = &b->switches[sw];
  if (s->nin < MAX_SWITCH_PORTS) s->in[s->nin] = (WireEnd){kind, id, port};
  s->nin++;
}

/* A new output of a switch. */
static WireEnd tap(Board *b, u32 sw) {
  return (WireEnd){FROM_SWITCH, sw, b->switches[sw].nout++};
}

/* The switch in a direction (0 north, 1 east, 2 south, 3 west), UINT32_MAX where the board ends. A
 * torus of one or two in a row needs no ring: they are neighbours already. */
static u32 neighbour(const Board *b, u32 sw, u32 direction) {
  bool is_ring = b->plan->topology == TOPOLOGY_TORUS;
  bool vertical = direction % 2 == 0, forward = direction == 1 || direction == 2;
  u32 row = sw / b->columns, column = sw % b->columns;
  u32 *at = vertical ? &row : &column, n = vertical ? b->rows : b->columns;
  if (forward ? *at + 1 < n : *at > 0)
    *at = forward ? *at + 1 : *at - 1;
  else if (is_ring && n > 2)
    *at = forward ? 0 : n - 1;
  else
    return UINT32_MAX;
  return row * b->columns + column;
}

static void wire_switches(Board *b) {
  for (u32 sw = 0; sw < b->rows * b->columns; sw++)
    for (u32 direction = 0; direction < 4; direction++) {
      u32 next = neighbour(b, sw, direction);
      for (u32 t = 0; next != UINT32_MAX && t < b->plan->tracks; t++) {
        WireEnd from = tap(b, sw);
        feed(b, next, FROM_SWITCH, from.id, from.port);
      }
    }
}

static void wire_pes(Board *b) {
  bool corners = b->plan->topology == TOPOLOGY_CHESS;
  for (u32 pe = 0; pe < b->plan->rows * b->plan->columns; pe++)
    for (u32 port = 0; port < PE_PORTS; port++) {
      u32 row = pe / b->plan->columns + (corners ? port / 2 : 0);
      u32 column = pe % b->plan->columns + (corners ? port % 2 : 0);
      u32 sw = row * b->columns + column;
      b->pe_in[pe * PE_PORTS + port] = tap(b, sw);
      feed(b, sw, FROM_PE, pe, port);
    }
}

/* The switch at the rim for the i-th of n things that are spread around it. */
static u32 rim_place(const Board *b, u32 i, u32 n) {
  return b->rim[(u64)i * b->nrim / n];
}

/* Lanes of a memory stand side by side at the rim, but not in their order: a program uses the first
 * ones, and if these were neighbours the channels there would be full while others are idle. Of
 * eight: 0 4 2 6 1 5 3 7, the numbers with their bits turned round. */
static u32 lane_place(u32 lane, u32 lanes) {
  u32 place = 0, bits = 0;
  while ((u32)1 << bits < lanes) bits++;
  for (u32 turned = 0; turned < (u32)1 << bits; turned++) {
    u32 other = 0;
    for (u32 i = 0; i < bits; i++) other |= (turned >> i & 1) << (bits - 1 - i);
    if (other == lane) return place;
    place += other < lanes;
  }
  return 0;
}

static void wire_edge(Board *b) {
  for (u32 lane = 0; lane < b->nlanes; lane++) {
    u32 lanes = b->plan->lanes, first = lane / lanes * lanes;
    u32 sw = rim_place(b, first + lane_place(lane - first, lanes), b->nlanes);
    for (u32 port = 0; port < 3; port++) {
      b->lane_in[lane * 3 + port] = tap(b, sw);
      feed(b, sw, FROM_MEMORY, lane, port);
    }
  }
  for (u32 i = 0; i < b->plan->inputs; i++)
    feed(b, rim_place(b, i, b->plan->inputs), FROM_INPUT, i, 0);
  for (u32 i = 0; i < b->plan->outputs; i++)
    b->outputs[i] = tap(b, rim_place(b, i, b->plan->outputs));
}

/* The rim, clockwise from the north-west. A row or a column alone is its own rim, once. */
static void find_rim(Board *b) {
  u32 rows = b->rows, columns = b->columns;
  b->nrim = 0;
  for (u32 c = 0; c < columns; c++) b->rim[b->nrim++] = c;
  for (u32 r = 1; r < rows; r++) b->rim[b->nrim++] = r * columns + columns - 1;
  for (u32 c = columns - 1; rows > 1 && c-- > 0;) b->rim[b->nrim++] = (rows - 1) * columns + c;
  for (u32 r = rows - 1; columns > 1 && r-- > 1;) b->rim[b->nrim++] = r * columns;
}

/* Corners have the fewest channels: nothing is tied to them where there are other switches. */
static void drop_corners(Board *b) {
  u32 n = 0;
  for (u32 i = 0; i < b->nrim; i++) {
    u32 row = b->rim[i] / b->columns, column = b->rim[i] % b->columns;
    bool is_corner = (row == 0 || row == b->rows - 1) && (column == 0 || column == b->columns - 1);
    if (!is_corner) b->rim[n++] = b->rim[i];
  }
  if (n) b->nrim = n;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *const lane_inputs[] = {"la", "sa", "sd"};
static const char *const lane_outputs[] = {"ld", "ldone", "sdone"};

static void put_switch_name(Board *b, u32 sw) {
  buf_printf(b->out, "sw_%u_%u", sw / b->columns, sw % b->columns);
}

static void put_pe_name(Board *b, u32 pe) {
  buf_printf(b->out, "pe_%u_%u", pe / b->plan->columns, pe % b->plan->columns);
}

static void put_memory_name(Board *b, u32 memory) {
  bool outside = memory < b->plan->memories;
  buf_printf(b->out, outside ? "mem_%u" : "pad_%u", outside ? memory : memory - b->plan->memories);
}

static bool is_temporal(const Board *b) {
  return b->plan->instructions > 0;
}

/* How many tags a wire between switches and PEs can have; 0: it has none. */
static u32 net_tags(const Board *b) {
  return b->plan->routes > b->plan->instructions ? b->plan->routes : b->plan->instructions;
}

/* The wire of a lane's output, as it leaves the memory or its bridge. */
static void put_lane_output(Board *b, u32 lane, u32 family) {
  u32 lanes = b->plan->lanes;
  buf_char(b->out, '%');
  put_memory_name(b, lane / lanes);
  if (lanes == 1)
    buf_printf(b->out, "#%u", family);
  else
    buf_printf(b->out, "_%s_%u", lane_outputs[family], lane % lanes);
}

/* A name for a lane's wire on the other side of the border. */
static void put_border_name(Board *b, u32 lane, const char *what, const char *side) {
  buf_char(b->out, '%');
  put_memory_name(b, lane / b->plan->lanes);
  buf_printf(b->out, "_%s_%u_%s", what, lane % b->plan->lanes, side);
}

/* What drives an input of a switch or of a PE. */
static void put_value(Board *b, WireEnd end) {
  switch ((SourceKind)end.kind) {
  case FROM_SWITCH:
    buf_char(b->out, '%');
    put_switch_name(b, end.id);
    break;
  case FROM_PE:
    buf_char(b->out, '%');
    put_pe_name(b, end.id);
    break;
  case FROM_INPUT:
    buf_printf(b->out, is_temporal(b) ? "%%in_%u_tagged" : "%%in_%u", end.id);
    return;
  case FROM_MEMORY:
    if (is_temporal(b))
      put_border_name(b, end.id, lane_outputs[end.port], "tagged");
    else
      put_lane_output(b, end.id, end.port);
    return;
  }
  buf_printf(b->out, "#%u", end.port);
}

/* What drives an input of a lane. */
static void put_lane_input(Board *b, u32 lane, u32 family) {
  if (is_temporal(b))
    put_border_name(b, lane, lane_inputs[family], "plain");
  else
    put_value(b, b->lane_in[lane * 3 + family]);
}

/* What drives an output of the fabric. */
static void put_output(Board *b, u32 i) {
  if (is_temporal(b))
    buf_printf(b->out, "%%out_%u_plain", i);
  else
    put_value(b, b->outputs[i]);
}

/* "!fabric.bits<32>", `n` times with commas. */
static void put_types(Board *b, u32 n) {
  for (u32 i = 0; i < n; i++)
    buf_printf(b->out, "%s!fabric.bits<%u>", i ? ", " : "", b->plan->width);
}

/* A wire's type: a done token has no value; a tag chooses one of `choices`, 0 is no tag. */
static void put_type(Board *b, bool is_done, u32 choices) {
  u32 tag = 1;
  while ((u32)1 << tag < choices) tag++;
  if (choices) buf_str(b->out, "!fabric.tagged<");
  if (is_done)
    buf_str(b->out, "none");
  else
    put_types(b, 1);
  if (choices) buf_printf(b->out, ", i%u>", tag);
}

/* The type of a wire at a memory, before (tagged) or behind its bridge. */
static void put_lane_type(Board *b, bool is_done, bool is_tagged) {
  put_type(b, is_done, is_tagged ? b->plan->lanes : 0);
}

/* `n` wires between switches and PEs. */
static void put_net_types(Board *b, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) buf_str(b->out, ", ");
    put_type(b, false, net_tags(b));
  }
}

static void put_row(Board *b, u32 n) {
  buf_char(b->out, '"');
  for (u32 i = 0; i < n; i++) buf_char(b->out, '1');
  buf_char(b->out, '"');
}

/* A crossbar: everything reaches everything. */
static void put_table(Board *b, u32 nin, u32 nout) {
  buf_str(b->out, "connectivity_table = [");
  for (u32 o = 0; o < nout; o++) {
    if (o) buf_str(b->out, ", ");
    put_row(b, nin);
  }
  buf_char(b->out, ']');
}

/* A temporal switch has ports of one type, so what is narrower (a done) comes to an instance. */
static void put_switch(Board *b, u32 sw) {
  const Switch *s = &b->switches[sw];
  if (is_temporal(b)) {
    buf_str(b->out, "  fabric.temporal_sw @def_");
    put_switch_name(b, sw);
    buf_printf(b->out, " [num_route_table = %u, ", b->plan->routes);
    put_table(b, s->nin, s->nout);
    buf_str(b->out, "] : (");
    put_net_types(b, s->nin);
    buf_str(b->out, ") -> (");
    put_net_types(b, s->nout);
    buf_str(b->out, ")\n");
  }
  buf_str(b->out, "  %");
  put_switch_name(b, sw);
  buf_printf(b->out, ":%u = fabric.%s", s->nout,
             is_temporal(b) ? "instance @def_" : "spatial_sw @");
  put_switch_name(b, sw);
  if (!is_temporal(b)) {
    buf_str(b->out, " [");
    put_table(b, s->nin, s->nout);
    buf_str(b->out, "] ");
  }
  buf_char(b->out, '(');
  for (u32 i = 0; i < s->nin; i++) {
    if (i) buf_str(b->out, ", ");
    put_value(b, s->in[i]);
  }
  buf_char(b->out, ')');
  if (is_temporal(b)) {
    buf_str(b->out, " {sym_name = \"");
    put_switch_name(b, sw);
    buf_str(b->out, "\"}");
  }
  buf_str(b->out, "\n      : (");
  for (u32 i = 0; i < s->nin; i++) {
    bool is_done = s->in[i].kind == FROM_MEMORY && s->in[i].port > 0;
    if (i) buf_str(b->out, ", ");
    put_type(b, is_done, net_tags(b));
  }
  buf_str(b->out, ") -> (");
  put_net_types(b, s->nout);
  buf_str(b->out, ")\n");
}

/* The tags of nets are not those of instructions: before each input of a temporal PE they are
 * mapped, so that two nets may meet in one instruction, and one net go to many. */
static void put_tag_maps(Board *b, u32 pe) {
  u32 entries = b->plan->instructions;
  for (u32 i = 0; i < PE_PORTS; i++) {
    buf_str(b->out, "  %");
    put_pe_name(b, pe);
    buf_printf(b->out, "_in_%u = fabric.map_tag ", i);
    put_value(b, b->pe_in[pe * PE_PORTS + i]);
    buf_printf(b->out, " [table_size = %u : i64] : ", entries);
    put_net_types(b, 1);
    buf_str(b->out, " -> ");
    put_net_types(b, 1);
    buf_char(b->out, '\n');
  }
}

static void put_pe(Board *b, u32 pe) {
  if (is_temporal(b)) put_tag_maps(b, pe);
  buf_str(b->out, "  %");
  put_pe_name(b, pe);
  buf_printf(b->out, ":%u = fabric.instance @pe(", (u32)PE_PORTS);
  for (u32 i = 0; i < PE_PORTS; i++) {
    if (i) buf_str(b->out, ", ");
    if (is_temporal(b)) {
      buf_char(b->out, '%');
      put_pe_name(b, pe);
      buf_printf(b->out, "_in_%u", i);
    } else {
      put_value(b, b->pe_in[pe * PE_PORTS + i]);
    }
  }
  buf_str(b->out, ") {sym_name = \"");
  put_pe_name(b, pe);
  buf_str(b->out, "\"} : (");
  put_net_types(b, PE_PORTS);
  buf_str(b->out, ") -> (");
  put_net_types(b, PE_PORTS);
  buf_str(b->out, ")\n");
}

/* ` = fabric.OP VALUE : FROM -> TO`, the end of a line that puts a tag on, or takes it off. */
static void put_tag_on(Board *b, const char *value, u32 lane, u32 family) {
  buf_str(b->out, " = fabric.add_tag ");
  if (value)
    buf_str(b->out, value);
  else
    put_lane_output(b, lane, family);
  buf_str(b->out, " {tag = 0 : i64} : ");
  put_type(b, family > 0, 0);
  buf_str(b->out, " -> ");
  put_type(b, family > 0, net_tags(b));
  buf_char(b->out, '\n');
}

static void put_tag_off(Board *b, WireEnd from) {
  buf_str(b->out, " = fabric.del_tag ");
  put_value(b, from);
  buf_str(b->out, " : ");
  put_net_types(b, 1);
  buf_str(b->out, " -> ");
  put_types(b, 1);
  buf_char(b->out, '\n');
}

/* Tags put on and taken off where wires cross the border of a temporal board. */
static void put_border(Board *b) {
  for (u32 i = 0; i < b->plan->inputs; i++) {
    char value[32];
    snprintf(value, sizeof value, "%%in_%u", i);
    buf_printf(b->out, "  %%in_%u_tagged", i);
    put_tag_on(b, value, 0, 0);
  }
  for (u32 lane = 0; lane < b->nlanes; lane++)
    for (u32 family = 0; family < 3; family++) {
      buf_str(b->out, "  ");
      put_border_name(b, lane, lane_inputs[family], "plain");
      put_tag_off(b, b->lane_in[lane * 3 + family]);
      buf_str(b->out, "  ");
      put_border_name(b, lane, lane_outputs[family], "tagged");
      put_tag_on(b, NULL, lane, family);
    }
  for (u32 i = 0; i < b->plan->outputs; i++) {
    buf_printf(b->out, "  %%out_%u_plain", i);
    put_tag_off(b, b->outputs[i]);
  }
}

/* The lanes of one family of inputs, each with its tag, brought together: %mem_0_la. */
static void put_gather(Board *b, u32 memory, u32 family) {
  u32 lanes = b->plan->lanes;
  const char *what = lane_inputs[family];
  for (u32 lane = 0; lane < lanes; lane++) {
    buf_str(b->out, "  %");
    put_memory_name(b, memory);
    buf_printf(b->out, "_%s_%u = fabric.add_tag ", what, lane);
    put_lane_input(b, memory * lanes + lane, family);
    buf_printf(b->out, " {tag = %u : i64} : ", lane);
    put_lane_type(b, false, false);
    buf_str(b->out, " -> ");
    put_lane_type(b, false, true);
    buf_char(b->out, '\n');
  }
  buf_str(b->out, "  %");
  put_memory_name(b, memory);
  buf_printf(b->out, "_%s = fabric.temporal_sw @", what);
  put_memory_name(b, memory);
  buf_printf(b->out, "_%s [num_route_table = %u, ", what, lanes);
  put_table(b, lanes, 1);
  buf_str(b->out, "] (");
  for (u32 lane = 0; lane < lanes; lane++) {
    buf_str(b->out, lane ? ", %" : "%");
    put_memory_name(b, memory);
    buf_printf(b->out, "_%s_%u", what, lane);
  }
  buf_str(b->out, ") : (");
  for (u32 lane = 0; lane < lanes; lane++) {
    if (lane) buf_str(b->out, ", ");
    put_lane_type(b, false, true);
  }
  buf_str(b->out, ") -> (");
  put_lane_type(b, false, true);
  buf_str(b->out, ")\n");
}

/* One family of outputs told apart by the tags: %mem_0_ld_0, %mem_0_ld_1, ... */
static void put_scatter(Board *b, u32 memory, u32 family) {
  u32 lanes = b->plan->lanes;
  const char *what = lane_outputs[family];
  bool is_done = family > 0;
  buf_str(b->out, "  %");
  put_memory_name(b, memory);
  buf_printf(b->out, "_%s:%u = fabric.temporal_sw @", what, lanes);
  put_memory_name(b, memory);
  buf_printf(b->out, "_%s [num_route_table = %u, ", what, lanes);
  put_table(b, 1, lanes);
  buf_str(b->out, "] (%");
  put_memory_name(b, memory);
  buf_printf(b->out, "#%u) : (", family);
  put_lane_type(b, is_done, true);
  buf_str(b->out, ") -> (");
  for (u32 lane = 0; lane < lanes; lane++) {
    if (lane) buf_str(b->out, ", ");
    put_lane_type(b, is_done, true);
  }
  buf_str(b->out, ")\n");
  for (u32 lane = 0; lane < lanes; lane++) {
    buf_str(b->out, "  %");
    put_memory_name(b, memory);
    buf_printf(b->out, "_%s_%u = fabric.del_tag %%", what, lane);
    put_memory_name(b, memory);
    buf_printf(b->out, "_%s#%u : ", what, lane);
    put_lane_type(b, is_done, true);
    buf_str(b->out, " -> ");
    put_lane_type(b, is_done, false);
    buf_char(b->out, '\n');
  }
}

static void put_memory(Board *b, u32 memory) {
  bool outside = memory<b->plan->memories, shared = b->plan->lanes> 1;
  for (u32 family = 0; shared && family < 3; family++) put_gather(b, memory, family);
  buf_str(b->out, "  %");
  put_memory_name(b, memory);
  buf_printf(b->out, ":3 = fabric.%s @", outside ? "extmemory" : "memory");
  put_memory_name(b, memory);
  buf_printf(b->out, " [ldCount = %u, stCount = %u, lsqDepth = 0, memrefType = memref<",
             b->plan->lanes, b->plan->lanes);
  if (outside)
    buf_char(b->out, '?');
  else
    buf_printf(b->out, "%u", b->plan->words);
  buf_printf(b->out, "xi%u>, ", b->plan->width);
  buf_printf(b->out, "numRegion = %u] (", b->plan->lanes);
  if (outside) buf_printf(b->out, "%%array_%u, ", memory);
  for (u32 family = 0; family < 3; family++) {
    if (family) buf_str(b->out, ", ");
    if (shared) {
      buf_char(b->out, '%');
      put_memory_name(b, memory);
      buf_printf(b->out, "_%s", lane_inputs[family]);
    } else {
      put_lane_input(b, memory, family);
    }
  }
  buf_str(b->out, ")\n      : (");
  if (outside) buf_printf(b->out, "memref<?xi%u>, ", b->plan->width);
  for (u32 family = 0; family < 3; family++) {
    if (family) buf_str(b->out, ", ");
    put_lane_type(b, false, shared);
  }
  buf_str(b->out, ") -> (");
  for (u32 family = 0; family < 3; family++) {
    if (family) buf_str(b->out, ", ");
    put_lane_type(b, family > 0, shared);
  }
  buf_str(b->out, ")\n");
  for (u32 family = 0; shared && family < 3; family++) put_scatter(b, memory, family);
}

/* The PE that all are instances of, behind the units that it holds. */
static void put_definitions(Board *b) {
  FabricUnitNames names = {0};
  fabric_unit_library(b->ctx, b->plan->units, b->plan->width, b->out, &names);
  buf_printf(b->out, "fabric.%s @pe(", is_temporal(b) ? "temporal_pe" : "spatial_pe");
  for (u32 i = 0; i < PE_PORTS; i++) {
    buf_printf(b->out, "%s%%in_%u: ", i ? ", " : "", i);
    put_net_types(b, 1);
  }
  buf_str(b->out, ") -> (");
  put_net_types(b, PE_PORTS);
  buf_char(b->out, ')');
  if (is_temporal(b))
    buf_printf(b->out,
               "\n    [num_register = %d : i64, num_instruction = %u : i64, "
               "reg_fifo_depth = %d : i64]",
               (int)REGISTERS, b->plan->instructions, (int)REGISTER_DEPTH);
  buf_str(b->out, " {\n");
  for (size_t i = 0; i < names.len; i++) {
    const FabricUnitName *unit = &names.at[i];
    buf_printf(b->out, "  fabric.instance @%s() : () -> ()\n", unit->name);
    for (u32 copy = 1; is_temporal(b) && unit->is_own && copy < b->plan->copies; copy++)
      buf_printf(b->out, "  fabric.instance @%s() {sym_name = \"%s_%u\"} : () -> ()\n", unit->name,
                 unit->name, copy);
  }
  buf_str(b->out, "  fabric.yield\n}\n");
  vec_free(&names);
}

static void put_board(Board *b) {
  const FabricPlan *plan = b->plan;
  put_definitions(b);
  buf_str(b->out, "fabric.module @fabric(");
  for (u32 i = 0; i < plan->memories; i++)
    buf_printf(b->out, "%s%%array_%u: memref<?xi%u>", i ? ", " : "", i, plan->width);
  for (u32 i = 0; i < plan->inputs; i++)
    buf_printf(b->out, "%s%%in_%u: !fabric.bits<%u>", i + plan->memories ? ", " : "", i,
               plan->width);
  buf_str(b->out, ") -> (");
  put_types(b, plan->outputs);
  buf_str(b->out, ") {\n");
  for (u32 sw = 0; sw < b->rows * b->columns; sw++) put_switch(b, sw);
  for (u32 pe = 0; pe < plan->rows * plan->columns; pe++) put_pe(b, pe);
  for (u32 memory = 0; memory < b->nmemories; memory++) put_memory(b, memory);
  if (is_temporal(b)) put_border(b);
  buf_str(b->out, "  fabric.yield ");
  for (u32 i = 0; i < plan->outputs; i++) {
    if (i) buf_str(b->out, ", ");
    put_output(b, i);
  }
  buf_str(b->out, plan->outputs ? " : " : "");
  put_types(b, plan->outputs);
  buf_str(b->out, "\n}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* NULL where every switch has room for its ports. */
static const char *misfit(Context *ctx, const Board *b) {
  for (u32 sw = 0; sw < b->rows * b->columns; sw++) {
    const Switch *s = &b->switches[sw];
    char text[128];
    if (s->nin <= MAX_SWITCH_PORTS && s->nout <= MAX_SWITCH_PORTS) continue;
    int n = snprintf(text, sizeof text,
                     "switch %u,%u would have %u inputs and %u outputs, more than %d",
                     sw / b->columns, sw % b->columns, s->nin, s->nout, (int)MAX_SWITCH_PORTS);
    return str_intern(ctx, text, (size_t)n)->text;
  }
  return NULL;
}

bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, const char **why) {
  FabricPlan whole = *plan;
  u32 corner = plan->topology == TOPOLOGY_CHESS;
  if (whole.memories == UINT32_MAX) {
    whole.memories = (plan->rows + plan->columns) / 2;
    if (whole.memories > 8) whole.memories = 8;
  }
  if (!whole.instructions) whole.routes = 0;
  if (whole.instructions && !whole.routes) whole.routes = 4 * whole.instructions;
  Board b = {.ctx = ctx,
             .plan = &whole,
             .rows = plan->rows + corner,
             .columns = plan->columns + corner,
             .out = out};
  u32 nswitches = b.rows * b.columns, npes = plan->rows * plan->columns;
  b.nmemories = whole.memories + whole.scratchpads;
  b.nlanes = b.nmemories * whole.lanes;
  Arena *arena = arena_new();
  b.switches = NEW_ARRAY(arena, Switch, nswitches);
  b.rim = NEW_ARRAY(arena, u32, nswitches);
  b.pe_in = NEW_ARRAY(arena, WireEnd, npes * PE_PORTS);
  b.lane_in = NEW_ARRAY(arena, WireEnd, b.nlanes * 3);
  b.outputs = NEW_ARRAY(arena, WireEnd, whole.outputs);
  for (int with_corners = 0; with_corners < 2; with_corners++) {
    memset(b.switches, 0, nswitches * sizeof *b.switches);
    find_rim(&b);
    if (!with_corners) drop_corners(&b);
    wire_switches(&b);
    wire_pes(&b);
    wire_edge(&b);
    *why = misfit(ctx, &b);
    if (!*why) break;
  }
  if (!*why) put_board(&b);
  arena_free(arena);
  return !*why;
}

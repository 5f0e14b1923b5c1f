/* edge.c -- writes the memories and the tag adapters at the border of a generated fabric.
 *
 * A memory with one lane is wired to its switch. The lanes of one with several share its ports by
 * tags, through bridges around it:
 *
 *     switch -> add_tag -+                          +- del_tag -> switch
 *                        temporal_sw -> memory -> temporal_sw
 *     switch -> add_tag -+                          +- del_tag -> switch
 *
 * A memory with several channels, or banks, has a port for each, and the bridges connect every lane
 * to every port: the channel of a lane follows from its number, not from its place in the grid.
 * Where each lane has a channel to itself there are no bridges.
 *
 * If the wires between switches are tagged, inputs of the fabric and answers of memories get a tag
 * at the border, and values leaving the grid lose theirs; the tags of a memory's lanes are
 * separate. Linear in the text written. */
#include "generate/grid.h"

static const char *const lane_inputs[] = {"la", "sa", "sd"};
static const char *const lane_outputs[] = {"ld", "ldone", "sdone"};
enum { LOAD_DATA = 0 };

static const char *memory_name(const Grid *g, u32 memory) {
  bool outside = memory < g->plan->memories;
  return str_printf(g->ctx, outside ? "mem_%u" : "pad_%u",
                    outside ? memory : memory - g->plan->memories)
      ->text;
}

/* "mem_0_la_1" and, beyond the border, "mem_0_la_1_plain" */
static const char *lane_name(const Grid *g, u32 lane, const char *family, const char *beyond) {
  return str_printf(g->ctx, "%s_%s_%u%s", memory_name(g, lane / g->lanes), family, lane % g->lanes,
                    beyond)
      ->text;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The type of a family of outputs: done tokens carry no value. */
static const char *family_value(const Grid *g, u32 family) {
  return family == LOAD_DATA ? g->bits : "none";
}

/* The most ports of a family: the channels, or the banks of a memory on the fabric. */
static u32 channels_of(const Grid *g, u32 memory) {
  return memory < g->plan->memories ? fabric_plan_channels(g->plan) : fabric_plan_banks(g->plan);
}

/* True where the ports of a family with so many lanes are tagged, so that lanes can share them. */
static bool is_shared(const Grid *g, u32 memory, u32 lanes) {
  u32 channels = channels_of(g, memory);
  return channels > 1 ? lanes > channels : g->lanes > 1;
}

/* The type of the memory's ports of a family with so many lanes, and the number of these ports. */
static const char *port_type(const Grid *g, u32 memory, const char *value, u32 lanes) {
  return grid_tagged(g, value, is_shared(g, memory, lanes) ? g->plan->memory_tag : 0);
}
static u32 ports_of(const Grid *g, u32 memory, u32 lanes) {
  u32 channels = channels_of(g, memory);
  return lanes < channels ? lanes : channels;
}

static void put_types(Grid *g, const char *type, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) buf_str(g->out, ", ");
    buf_str(g->out, type);
  }
}

/* The end of the line of a switch whose inputs and outputs all have one type. */
static void put_switch_type(Grid *g, const char *type, u32 inputs, u32 outputs) {
  buf_str(g->out, ") : (");
  put_types(g, type, inputs);
  buf_str(g->out, ") -> (");
  put_types(g, type, outputs);
  buf_str(g->out, ")\n");
}

const char *grid_edge_type(const Grid *g, WireEnd end) {
  if (end.kind == FROM_INPUT) return g->net;
  return grid_tagged(g, family_value(g, end.port), g->net_tag);
}

/* The first output of the memory in a family. */
static u32 output_of(const Grid *g, u32 memory, u32 family) {
  u32 n = 0;
  for (u32 i = 0; i < family; i++) n += ports_of(g, memory, grid_lanes_out(g, i));
  return n;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The answer of a lane, as it leaves the memory or its bridge. */
static void put_lane_output(Grid *g, u32 lane, u32 family) {
  u32 memory = lane / g->lanes;
  if (!is_shared(g, memory, grid_lanes_out(g, family)))
    buf_printf(g->out, "%%%s#%u", memory_name(g, memory),
               output_of(g, memory, family) + lane % g->lanes);
  else
    buf_printf(g->out, "%%%s", lane_name(g, lane, lane_outputs[family], ""));
}

/* The request of a lane, untagged. */
static void put_lane_input(Grid *g, u32 lane, u32 family) {
  if (g->net_tag)
    buf_printf(g->out, "%%%s", lane_name(g, lane, lane_inputs[family], "_plain"));
  else
    grid_put_value(g, g->lane_in[lane * FAMILIES + family]);
}

void grid_put_edge_value(Grid *g, WireEnd end) {
  if (end.kind == FROM_INPUT)
    buf_printf(g->out, g->net_tag ? "%%in_%u_tagged" : "%%in_%u", end.id);
  else if (g->net_tag)
    buf_printf(g->out, "%%%s", lane_name(g, end.id, lane_outputs[end.port], "_tagged"));
  else
    put_lane_output(g, end.id, end.port);
}

void grid_put_output(Grid *g, u32 i) {
  if (g->net_tag)
    buf_printf(g->out, "%%out_%u_plain", i);
  else
    grid_put_value(g, g->outputs[i]);
}

/* ---- the border ------------------------------------------------------------------------------ */

void grid_put_add_tag(Grid *g, const char *name, u32 tag, const char *from, const char *to) {
  buf_printf(g->out, " {tag = %u : i64, sym_name = \"%s\"} : %s -> %s\n", tag, name, from, to);
}

void grid_put_del_tag(Grid *g, const char *name, const char *from, const char *to) {
  buf_printf(g->out, " {sym_name = \"%s\"} : %s -> %s\n", name, from, to);
}

static void put_border_del_tag(Grid *g, u32 sw, const char *name, WireEnd from) {
  buf_printf(g->out, "  %%%s = fabric.del_tag ", name);
  grid_put_value(g, from);
  grid_put_del_tag(g, name, g->net, g->bits);
  grid_place_port(g, sw, name, "del_tag");
}

void grid_put_border(Grid *g) {
  if (!g->net_tag) return;
  for (u32 i = 0; i < g->plan->inputs; i++) {
    const char *name = str_printf(g->ctx, "in_%u_tagged", i)->text;
    buf_printf(g->out, "  %%%s = fabric.add_tag %%in_%u", name, i);
    grid_put_add_tag(g, name, 0, g->bits, g->net);
    grid_place_port(g, g->input_at[i], name, "add_tag");
  }
  for (u32 lane = 0; lane < g->nlanes; lane++)
    for (u32 family = 0; family < FAMILIES; family++) {
      if (lane % g->lanes < grid_lanes_in(g, family))
        put_border_del_tag(g, g->lane_at[lane], lane_name(g, lane, lane_inputs[family], "_plain"),
                           g->lane_in[lane * FAMILIES + family]);
      if (lane % g->lanes >= grid_lanes_out(g, family)) continue;
      const char *name = lane_name(g, lane, lane_outputs[family], "_tagged");
      const char *value = family_value(g, family);
      buf_printf(g->out, "  %%%s = fabric.add_tag ", name);
      put_lane_output(g, lane, family);
      grid_put_add_tag(g, name, 0, value, grid_tagged(g, value, g->net_tag));
      grid_place_port(g, g->lane_at[lane], name, "add_tag");
    }
  for (u32 i = 0; i < g->plan->outputs; i++)
    put_border_del_tag(g, g->output_at[i], str_printf(g->ctx, "out_%u_plain", i)->text,
                       g->outputs[i]);
}

/* ---- memories -------------------------------------------------------------------------------- */

/* "mem_0_la" */
static const char *bridge_name(const Grid *g, u32 memory, const char *suffix) {
  return str_printf(g->ctx, "%s_%s", memory_name(g, memory), suffix)->text;
}

/* "mem_0_la", or of several channels "mem_0_la#1" */
static void put_bridge_output(const Grid *g, u32 memory, const char *suffix, u32 channel) {
  buf_printf(g->out, "%%%s", bridge_name(g, memory, suffix));
  if (channels_of(g, memory) > 1) buf_printf(g->out, "#%u", channel);
}

/* The bridge of a family of inputs: each lane gets its tag, and a switch leads all to the shared
 * ports, %mem_0_la. */
static void put_gather(Grid *g, u32 memory, u32 family, int out) {
  u32 first = memory * g->lanes, lanes = grid_lanes_in(g, family);
  u32 ports = ports_of(g, memory, lanes);
  const char *suffix = lane_inputs[family], *shared = port_type(g, memory, g->bits, lanes);
  const char *name = bridge_name(g, memory, suffix);
  for (u32 lane = 0; lane < lanes; lane++) {
    const char *tagged = lane_name(g, first + lane, suffix, "");
    buf_printf(g->out, "  %%%s = fabric.add_tag ", tagged);
    put_lane_input(g, first + lane, family);
    grid_put_add_tag(g, tagged, lane, g->bits, shared);
    grid_place_port(g, g->lane_at[first + lane], tagged, "add_tag");
  }
  buf_printf(g->out, "  %%%s", name);
  if (ports > 1) buf_printf(g->out, ":%u", ports);
  buf_printf(g->out, " = fabric.temporal_sw @%s [num_route_table = %u, ", name, lanes);
  grid_put_table(g, lanes, ports);
  buf_str(g->out, "] (");
  for (u32 lane = 0; lane < lanes; lane++)
    buf_printf(g->out, "%s%%%s", lane ? ", " : "", lane_name(g, first + lane, suffix, ""));
  put_switch_type(g, shared, lanes, ports);
  grid_place(g, name, "temporal_sw",
             grid_outside(&g->switches[g->lane_at[first]], out, (int)family * 10 - 30));
}

/* The bridge of a family of outputs: a switch splits the shared ports by tag into lanes,
 * %mem_0_ld_0, %mem_0_ld_1, ... */
static void put_scatter(Grid *g, u32 memory, u32 family, int out) {
  u32 first = memory * g->lanes, lanes = grid_lanes_out(g, family);
  u32 ports = ports_of(g, memory, lanes);
  const char *suffix = lane_outputs[family], *value = family_value(g, family);
  const char *shared = port_type(g, memory, value, lanes);
  const char *name = bridge_name(g, memory, suffix);
  buf_printf(g->out, "  %%%s:%u = fabric.temporal_sw @%s [num_route_table = %u, ", name, lanes,
             name, lanes);
  grid_put_buffer(g, g->plan->lane_buffer);
  grid_put_table(g, ports, lanes);
  buf_str(g->out, "] (");
  for (u32 i = 0; i < ports; i++)
    buf_printf(g->out, "%s%%%s#%u", i ? ", " : "", memory_name(g, memory),
               output_of(g, memory, family) + i);
  put_switch_type(g, shared, ports, lanes);
  grid_place(g, name, "temporal_sw",
             grid_outside(&g->switches[g->lane_at[first]], out, (int)family * 10 + 10));
  for (u32 lane = 0; lane < lanes; lane++) {
    const char *plain = lane_name(g, first + lane, suffix, "");
    buf_printf(g->out, "  %%%s = fabric.del_tag %%%s#%u", plain, name, lane);
    grid_put_del_tag(g, plain, shared, value);
    grid_place_port(g, g->lane_at[first + lane], plain, "del_tag");
  }
}

/* `[ldCount = 2, ..., is_private = false]`: the parameters that the plan sets. Its lsqDepth holds
 * for memories on the fabric, too. */
static void put_params(const Grid *g, bool outside) {
  const FabricPlan *plan = g->plan;
  const char *before = " [";
  u32 values[FABRIC_PARAM_COUNT];
  memcpy(values, plan->params, sizeof values);
  values[PARAM_EXTMEMORY_ldCount] = values[PARAM_MEMORY_ldCount] = plan->loads;
  values[PARAM_EXTMEMORY_stCount] = values[PARAM_MEMORY_stCount] = plan->stores;
  values[PARAM_EXTMEMORY_numRegion] = values[PARAM_MEMORY_numRegion] = g->lanes;
  values[PARAM_MEMORY_lsqDepth] = values[PARAM_EXTMEMORY_lsqDepth];
  values[PARAM_MEMORY_is_private] = false;
  for_each_param(param, outside ? OP_FABRIC_EXTMEMORY : OP_FABRIC_MEMORY) {
    u32 value = values[param - fabric_param_rows];
    if (value == OPTION_UNSET && param->form != PARAM_OTHER) continue;
    buf_printf(g->out, "%s%s = ", before, param->name);
    before = ", ";
    if (param->form == PARAM_OTHER)
      buf_str(g->out, grid_memref(g, outside));
    else if (param->form == PARAM_FLAG)
      buf_str(g->out, value ? "true" : "false");
    else if (param->form == PARAM_CHOICE)
      buf_printf(g->out, "\"%s\"", param->words[value]);
    else
      buf_u64(g->out, value);
  }
  buf_char(g->out, ']');
}

/* `%mem_0:3 = fabric.extmemory @mem_0 [...] (...) : (...) -> (...)` */
static void put_memory_itself(Grid *g, u32 memory, const char *name) {
  bool outside = memory < g->plan->memories;
  const char *memref = grid_memref(g, outside), *comma = "";
  buf_printf(g->out, "  %%%s:%u = fabric.%s @%s", name, output_of(g, memory, FAMILIES) + !outside,
             outside ? "extmemory" : "memory", name);
  put_params(g, outside);
  buf_str(g->out, " (");
  if (outside) buf_printf(g->out, "%%array_%u, ", memory);
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = grid_lanes_in(g, family);
    for (u32 i = 0; i < ports_of(g, memory, lanes); i++) {
      buf_str(g->out, comma);
      comma = ", ";
      if (is_shared(g, memory, lanes))
        put_bridge_output(g, memory, lane_inputs[family], i);
      else
        put_lane_input(g, memory * g->lanes + i, family);
    }
  }
  buf_printf(g->out, ")\n      : (%s", outside ? memref : "");
  comma = outside ? ", " : "";
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = grid_lanes_in(g, family);
    if (!lanes) continue;
    buf_str(g->out, comma);
    comma = ", ";
    put_types(g, port_type(g, memory, g->bits, lanes), ports_of(g, memory, lanes));
  }
  comma = ") -> (";
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = grid_lanes_out(g, family);
    if (!lanes) continue;
    buf_str(g->out, comma);
    comma = ", ";
    put_types(g, port_type(g, memory, family_value(g, family), lanes), ports_of(g, memory, lanes));
  }
  if (!outside) buf_printf(g->out, "%s%s", comma, memref);
  buf_str(g->out, ")\n");
}

void grid_put_memref(Grid *g, u32 memory) {
  buf_printf(g->out, "%%%s#%u", memory_name(g, memory), output_of(g, memory, FAMILIES));
}

void grid_put_memory(Grid *g, u32 memory) {
  bool outside = memory < g->plan->memories;
  u32 sw = g->lane_at[memory * g->lanes];
  int out = grid_memory_out(g, sw);
  const char *name = memory_name(g, memory);
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = grid_lanes_in(g, family);
    if (lanes && is_shared(g, memory, lanes)) put_gather(g, memory, family, out);
  }
  put_memory_itself(g, memory, name);
  grid_place(g, name, outside ? "extmemory" : "memory",
             grid_outside(&g->switches[sw], out + 20, 0));
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = grid_lanes_out(g, family);
    if (lanes && is_shared(g, memory, lanes)) put_scatter(g, memory, family, out);
  }
}

const char *grid_memref(const Grid *g, bool outside) {
  const char *element =
      g->plan->element ? g->plan->element : str_printf(g->ctx, "i%u", g->plan->width)->text;
  if (outside) return str_printf(g->ctx, "memref<?x%s>", element)->text;
  return str_printf(g->ctx, "memref<%ux%s>", g->plan->words, element)->text;
}

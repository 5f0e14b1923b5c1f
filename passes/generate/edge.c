/* edge.c -- memories and the module's own ports of a generated fabric.
 *
 * A memory of one lane is tied to its switch; one of several shares its ports by tags, and has
 * bridges around it:
 *
 *     switch -> add_tag -+                          +- del_tag -> switch
 *                        temporal_sw -> memory -> temporal_sw
 *     switch -> add_tag -+                          +- del_tag -> switch
 *
 * One of several channels, or banks, has a port for each, and the bridges lead from every lane to every one of
 * them: where a lane is tied to the board says nothing of the channel that its number belongs to.
 * Where a lane has a channel to itself there is no bridge.
 *
 * Where the wires between switches have tags, these are put on and taken off at the border: what
 * comes in (inputs, what memories answer) is given a tag, what goes out loses it; the lanes of a
 * memory have tags of their own. */
#include "generate/board.h"

static const char *const lane_inputs[] = {"la", "sa", "sd"};
static const char *const lane_outputs[] = {"ld", "ldone", "sdone"};
enum { LOAD_DATA = 0 };

static const char *memory_name(const Board *b, u32 memory) {
  bool outside = memory < b->plan->memories;
  return str_printf(b->ctx, outside ? "mem_%u" : "pad_%u",
                    outside ? memory : memory - b->plan->memories)
      ->text;
}

/* "mem_0_la_1" and, beyond the border, "mem_0_la_1_plain" */
static const char *lane_name(const Board *b, u32 lane, const char *family, const char *beyond) {
  return str_printf(b->ctx, "%s_%s_%u%s", memory_name(b, lane / b->lanes), family, lane % b->lanes,
                    beyond)
      ->text;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* A done token has no value. */
static const char *family_value(const Board *b, u32 family) {
  return family == LOAD_DATA ? b->bits : "none";
}

/* Ports of a family, if it has as many lanes: channels, or banks of a memory on the fabric. */
static u32 channels_of(const Board *b, u32 memory) {
  return memory < b->plan->memories ? fabric_plan_channels(b->plan) : fabric_plan_banks(b->plan);
}

/* Several of a family's lanes share a port. */
static bool is_shared(const Board *b, u32 memory, u32 lanes) {
  u32 channels = channels_of(b, memory);
  return channels > 1 ? lanes > channels : b->lanes > 1;
}

/* At the memory, a port of a family of so many lanes; and how many such ports there are. */
static const char *port_type(const Board *b, u32 memory, const char *value, u32 lanes) {
  return board_tagged(b, value, is_shared(b, memory, lanes) ? b->plan->memory_tag : 0);
}
static u32 ports_of(const Board *b, u32 memory, u32 lanes) {
  u32 channels = channels_of(b, memory);
  return lanes < channels ? lanes : channels;
}

static void put_types(Board *b, const char *type, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) buf_str(b->out, ", ");
    buf_str(b->out, type);
  }
}

const char *board_edge_type(const Board *b, WireEnd end) {
  if (end.kind == FROM_INPUT) return b->net;
  return board_tagged(b, family_value(b, end.port), b->net_tag);
}

/* Which output of the memory a family begins with. */
static u32 output_of(const Board *b, u32 memory, u32 family) {
  u32 n = 0;
  for (u32 i = 0; i < family; i++) n += ports_of(b, memory, board_lanes_out(b, i));
  return n;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What a lane gives, as it leaves the memory or its bridge. */
static void put_lane_output(Board *b, u32 lane, u32 family) {
  u32 memory = lane / b->lanes;
  if (!is_shared(b, memory, board_lanes_out(b, family)))
    buf_printf(b->out, "%%%s#%u", memory_name(b, memory),
               output_of(b, memory, family) + lane % b->lanes);
  else
    buf_printf(b->out, "%%%s", lane_name(b, lane, lane_outputs[family], ""));
}

/* What a lane takes. */
static void put_lane_input(Board *b, u32 lane, u32 family) {
  if (b->net_tag)
    buf_printf(b->out, "%%%s", lane_name(b, lane, lane_inputs[family], "_plain"));
  else
    board_put_value(b, b->lane_in[lane * FAMILIES + family]);
}

void board_put_edge_value(Board *b, WireEnd end) {
  if (end.kind == FROM_INPUT)
    buf_printf(b->out, b->net_tag ? "%%in_%u_tagged" : "%%in_%u", end.id);
  else if (b->net_tag)
    buf_printf(b->out, "%%%s", lane_name(b, end.id, lane_outputs[end.port], "_tagged"));
  else
    put_lane_output(b, end.id, end.port);
}

void board_put_output(Board *b, u32 i) {
  if (b->net_tag)
    buf_printf(b->out, "%%out_%u_plain", i);
  else
    board_put_value(b, b->outputs[i]);
}

/* ---- the border ------------------------------------------------------------------------------ */

void board_put_add_tag(Board *b, const char *name, u32 tag, const char *from, const char *to) {
  buf_printf(b->out, " {tag = %u : i64, sym_name = \"%s\"} : %s -> %s\n", tag, name, from, to);
}

void board_put_del_tag(Board *b, const char *name, const char *from, const char *to) {
  buf_printf(b->out, " {sym_name = \"%s\"} : %s -> %s\n", name, from, to);
}

static void put_border_tag_off(Board *b, u32 sw, const char *name, WireEnd from) {
  buf_printf(b->out, "  %%%s = fabric.del_tag ", name);
  board_put_value(b, from);
  board_put_del_tag(b, name, b->net, b->bits);
  board_place_port(b, sw, name, "del_tag");
}

void board_put_border(Board *b) {
  if (!b->net_tag) return;
  for (u32 i = 0; i < b->plan->inputs; i++) {
    const char *name = str_printf(b->ctx, "in_%u_tagged", i)->text;
    buf_printf(b->out, "  %%%s = fabric.add_tag %%in_%u", name, i);
    board_put_add_tag(b, name, 0, b->bits, b->net);
    board_place_port(b, b->input_at[i], name, "add_tag");
  }
  for (u32 lane = 0; lane < b->nlanes; lane++)
    for (u32 family = 0; family < FAMILIES; family++) {
      if (lane % b->lanes < board_lanes_in(b, family))
        put_border_tag_off(b, b->lane_at[lane], lane_name(b, lane, lane_inputs[family], "_plain"),
                           b->lane_in[lane * FAMILIES + family]);
      if (lane % b->lanes >= board_lanes_out(b, family)) continue;
      const char *name = lane_name(b, lane, lane_outputs[family], "_tagged");
      const char *value = family_value(b, family);
      buf_printf(b->out, "  %%%s = fabric.add_tag ", name);
      put_lane_output(b, lane, family);
      board_put_add_tag(b, name, 0, value, board_tagged(b, value, b->net_tag));
      board_place_port(b, b->lane_at[lane], name, "add_tag");
    }
  for (u32 i = 0; i < b->plan->outputs; i++)
    put_border_tag_off(b, b->output_at[i], str_printf(b->ctx, "out_%u_plain", i)->text,
                       b->outputs[i]);
}

/* ---- memories -------------------------------------------------------------------------------- */

/* "mem_0_la" */
static const char *bridge_name(const Board *b, u32 memory, const char *what) {
  return str_printf(b->ctx, "%s_%s", memory_name(b, memory), what)->text;
}

/* "mem_0_la", or of several channels "mem_0_la#1" */
static void put_bridge_output(const Board *b, u32 memory, const char *what, u32 channel) {
  buf_printf(b->out, "%%%s", bridge_name(b, memory, what));
  if (channels_of(b, memory) > 1) buf_printf(b->out, "#%u", channel);
}

/* The lanes of one family of inputs that share ports, each with its tag, brought together:
 * %mem_0_la. */
static void put_gather(Board *b, u32 memory, u32 family, int out) {
  u32 first = memory * b->lanes, lanes = board_lanes_in(b, family);
  u32 ports = ports_of(b, memory, lanes);
  const char *what = lane_inputs[family], *shared = port_type(b, memory, b->bits, lanes);
  const char *name = bridge_name(b, memory, what);
  for (u32 lane = 0; lane < lanes; lane++) {
    const char *tagged = lane_name(b, first + lane, what, "");
    buf_printf(b->out, "  %%%s = fabric.add_tag ", tagged);
    put_lane_input(b, first + lane, family);
    board_put_add_tag(b, tagged, lane, b->bits, shared);
    board_place_port(b, b->lane_at[first + lane], tagged, "add_tag");
  }
  buf_printf(b->out, "  %%%s", name);
  if (ports > 1) buf_printf(b->out, ":%u", ports);
  buf_printf(b->out, " = fabric.temporal_sw @%s [num_route_table = %u, ", name, lanes);
  board_put_table(b, lanes, ports);
  buf_str(b->out, "] (");
  for (u32 lane = 0; lane < lanes; lane++)
    buf_printf(b->out, "%s%%%s", lane ? ", " : "", lane_name(b, first + lane, what, ""));
  buf_str(b->out, ") : (");
  put_types(b, shared, lanes);
  buf_str(b->out, ") -> (");
  put_types(b, shared, ports);
  buf_str(b->out, ")\n");
  board_place(b, name, "temporal_sw",
              board_outside(&b->switches[b->lane_at[first]], out, (int)family * 10 - 30));
}

/* One family of outputs that share ports told apart by the tags: %mem_0_ld_0, %mem_0_ld_1, ... */
static void put_scatter(Board *b, u32 memory, u32 family, int out) {
  u32 first = memory * b->lanes, lanes = board_lanes_out(b, family);
  u32 ports = ports_of(b, memory, lanes);
  const char *what = lane_outputs[family], *value = family_value(b, family);
  const char *shared = port_type(b, memory, value, lanes);
  const char *name = bridge_name(b, memory, what);
  buf_printf(b->out, "  %%%s:%u = fabric.temporal_sw @%s [num_route_table = %u, ", name, lanes,
             name, lanes);
  board_put_buffer(b, b->plan->lane_buffer);
  board_put_table(b, ports, lanes);
  buf_str(b->out, "] (");
  for (u32 i = 0; i < ports; i++)
    buf_printf(b->out, "%s%%%s#%u", i ? ", " : "", memory_name(b, memory),
               output_of(b, memory, family) + i);
  buf_str(b->out, ") : (");
  put_types(b, shared, ports);
  buf_str(b->out, ") -> (");
  put_types(b, shared, lanes);
  buf_str(b->out, ")\n");
  board_place(b, name, "temporal_sw",
              board_outside(&b->switches[b->lane_at[first]], out, (int)family * 10 + 10));
  for (u32 lane = 0; lane < lanes; lane++) {
    const char *plain = lane_name(b, first + lane, what, "");
    buf_printf(b->out, "  %%%s = fabric.del_tag %%%s#%u", plain, name, lane);
    board_put_del_tag(b, plain, shared, value);
    board_place_port(b, b->lane_at[first + lane], plain, "del_tag");
  }
}

/* `[ldCount = 2, ..., is_private = false]`: what the plan says of each, or nothing. What it says of
 * the queues of memories outside goes for all. */
static void put_params(const Board *b, bool outside) {
  const FabricPlan *plan = b->plan;
  const char *before = " [";
  u32 values[FABRIC_PARAM_COUNT];
  memcpy(values, plan->params, sizeof values);
  values[PARAM_EXTMEMORY_ldCount] = values[PARAM_MEMORY_ldCount] = plan->loads;
  values[PARAM_EXTMEMORY_stCount] = values[PARAM_MEMORY_stCount] = plan->stores;
  values[PARAM_EXTMEMORY_numRegion] = values[PARAM_MEMORY_numRegion] = b->lanes;
  values[PARAM_MEMORY_lsqDepth] = values[PARAM_EXTMEMORY_lsqDepth];
  values[PARAM_MEMORY_is_private] = false;
  for_each_param(param, outside ? OP_FABRIC_EXTMEMORY : OP_FABRIC_MEMORY) {
    u32 value = values[param - fabric_param_rows];
    if (value == OPTION_UNSET && param->form != PARAM_OTHER) continue;
    buf_printf(b->out, "%s%s = ", before, param->name);
    before = ", ";
    if (param->form == PARAM_OTHER)
      buf_str(b->out, board_memref(b, outside));
    else if (param->form == PARAM_FLAG)
      buf_str(b->out, value ? "true" : "false");
    else if (param->form == PARAM_CHOICE)
      buf_printf(b->out, "\"%s\"", param->words[value]);
    else
      buf_u64(b->out, value);
  }
  buf_char(b->out, ']');
}

/* `%mem_0:3 = fabric.extmemory @mem_0 [...] (...) : (...) -> (...)` */
static void put_memory_itself(Board *b, u32 memory, const char *name) {
  bool outside = memory < b->plan->memories;
  const char *memref = board_memref(b, outside), *comma = "";
  buf_printf(b->out, "  %%%s:%u = fabric.%s @%s", name, output_of(b, memory, FAMILIES) + !outside,
             outside ? "extmemory" : "memory", name);
  put_params(b, outside);
  buf_str(b->out, " (");
  if (outside) buf_printf(b->out, "%%array_%u, ", memory);
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = board_lanes_in(b, family);
    for (u32 i = 0; i < ports_of(b, memory, lanes); i++) {
      buf_str(b->out, comma);
      comma = ", ";
      if (is_shared(b, memory, lanes))
        put_bridge_output(b, memory, lane_inputs[family], i);
      else
        put_lane_input(b, memory * b->lanes + i, family);
    }
  }
  buf_printf(b->out, ")\n      : (%s", outside ? memref : "");
  comma = outside ? ", " : "";
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = board_lanes_in(b, family);
    if (!lanes) continue;
    buf_str(b->out, comma);
    comma = ", ";
    put_types(b, port_type(b, memory, b->bits, lanes), ports_of(b, memory, lanes));
  }
  comma = ") -> (";
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = board_lanes_out(b, family);
    if (!lanes) continue;
    buf_str(b->out, comma);
    comma = ", ";
    put_types(b, port_type(b, memory, family_value(b, family), lanes), ports_of(b, memory, lanes));
  }
  if (!outside) buf_printf(b->out, "%s%s", comma, memref);
  buf_str(b->out, ")\n");
}

void board_put_memref(Board *b, u32 memory) {
  buf_printf(b->out, "%%%s#%u", memory_name(b, memory), output_of(b, memory, FAMILIES));
}

void board_put_memory(Board *b, u32 memory) {
  bool outside = memory < b->plan->memories;
  u32 sw = b->lane_at[memory * b->lanes];
  int out = board_memory_out(b, sw);
  const char *name = memory_name(b, memory);
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = board_lanes_in(b, family);
    if (lanes && is_shared(b, memory, lanes)) put_gather(b, memory, family, out);
  }
  put_memory_itself(b, memory, name);
  board_place(b, name, outside ? "extmemory" : "memory",
              board_outside(&b->switches[sw], out + 20, 0));
  for (u32 family = 0; family < FAMILIES; family++) {
    u32 lanes = board_lanes_out(b, family);
    if (lanes && is_shared(b, memory, lanes)) put_scatter(b, memory, family, out);
  }
}

const char *board_memref(const Board *b, bool outside) {
  const char *element =
      b->plan->element ? b->plan->element : str_printf(b->ctx, "i%u", b->plan->width)->text;
  if (outside) return str_printf(b->ctx, "memref<?x%s>", element)->text;
  return str_printf(b->ctx, "memref<%ux%s>", b->plan->words, element)->text;
}

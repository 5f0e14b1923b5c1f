/* generate.c -- writes the text of a fabric from a plan.
 *
 *     fabric.module @fabric(%array_0: memref<?xi32>, ..., %in_0: !fabric.bits<32>, ...) -> (...) {
 *       %sw_0_0:8 = fabric.spatial_sw @sw_0_0 [connectivity_table = [...]] (%sw_0_1#6, ...) : ...
 *       ...
 *       %pe_0_0:4 = fabric.instance @pe(%sw_0_0#4, ...) {sym_name = "pe_0_0"} : ...
 *       ...                                                              (memories: edge.c)
 *       fabric.yield %sw_0_1#7, ... : ...
 *     }
 *
 * The wires are laid already (grid.h); here they get their names. Between a switch and a PE there
 * may be a FIFO and, where their tags differ or only one of them has tags, a tag adapter:
 *
 *     channels   PE         before an input             behind an output
 *     plain      spatial    -                           -
 *     tagged     temporal   map_tag                     -
 *     plain      temporal   add_tag (of the port)       del_tag
 *     tagged     spatial    del_tag                     add_tag
 *
 * A temporal PE selects the instruction by the tag of the operands, while the tag on a channel
 * identifies the value. So the tags are mapped before each of its inputs: two values may be
 * operands of one instruction, and one value an operand of many. Linear in the text written. */
#include "generate/grid.h"
#include "text/text.h"

#include <string.h>

/* ---- names and types of wires ---------------------------------------------------------------- */

static bool has_output_adapter(const Grid *g, const GridPe *pe) {
  return pe->is_tagged != (g->net_tag > 0);
}

static const char *link_fifo_name(const Grid *g, u32 sw, u32 port) {
  return str_printf(g->ctx, "%s_fifo_%u", g->switches[sw].name, port)->text;
}

static FabricFifo link_fifo(const Grid *g, u32 sw) {
  const FabricSwitch *kind = g->switches[sw].kind;
  return kind && kind->fifo.depth != OPTION_UNSET ? kind->fifo : g->plan->link;
}

/* "pe_0_1_in_2": the tag adapter, or FIFO, at a port of a PE. */
static const char *port_name(const Grid *g, const Cell *cell, const char *role, u32 port) {
  return str_printf(g->ctx, "%s_%s_%u", cell->name, role, port)->text;
}

/* A PE's output, behind its tag adapter if it has one. */
static void put_output(Grid *g, const Cell *cell, u32 port) {
  if (has_output_adapter(g, cell->pe))
    buf_printf(g->out, "%%%s", port_name(g, cell, "out", port));
  else
    buf_printf(g->out, "%%%s#%u", cell->name, port);
}

static bool has_out_fifo(const Cell *cell, u32 port) {
  return cell->pe->out_fifo.depth && port < cell->pe->nout - cell->pe->nto;
}

void grid_put_value(Grid *g, WireEnd end) {
  switch ((SourceKind)end.kind) {
  case FROM_LINK:
    if (link_fifo(g, end.id).depth) {
      buf_printf(g->out, "%%%s", link_fifo_name(g, end.id, end.port));
      return;
    }
    break;
  case FROM_SWITCH: break;
  case FROM_CELL:
    if (has_out_fifo(&g->cells[end.id], end.port))
      buf_printf(g->out, "%%%s", port_name(g, &g->cells[end.id], "out_fifo", end.port));
    else
      put_output(g, &g->cells[end.id], end.port);
    return;
  case FROM_INPUT:
  case FROM_MEMORY: grid_put_edge_value(g, end); return;
  }
  buf_printf(g->out, "%%%s#%u", g->switches[end.id].name, end.port);
}

/* The type of the driver of an input of a switch. */
static const char *type_of_end(const Grid *g, WireEnd end) {
  if (end.kind == FROM_CELL) {
    const GridPe *pe = g->cells[end.id].pe;
    u32 port = pe->nin + end.port;
    if (!has_output_adapter(g, pe)) return pe->types[port];
    return grid_tagged(g, pe->values[port], g->net_tag);
  }
  return end.kind == FROM_INPUT || end.kind == FROM_MEMORY ? grid_edge_type(g, end) : g->net;
}

static void put_net_types(Grid *g, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) buf_str(g->out, ", ");
    buf_str(g->out, g->net);
  }
}

static void open_fifo(Grid *g, const char *name, FabricFifo fifo) {
  buf_printf(g->out, "  %%%s = fabric.fifo @%s [depth = %u%s] (", name, name, fifo.depth,
             fifo.is_bypassable ? ", bypassable" : "");
}

static void close_fifo(Grid *g) {
  buf_printf(g->out, ") : (%s) -> (%s)\n", g->net, g->net);
}

static void put_fifo(Grid *g, const char *name, FabricFifo fifo, WireEnd from) {
  open_fifo(g, name, fifo);
  grid_put_value(g, from);
  close_fifo(g);
}

/* ---- switches -------------------------------------------------------------------------------- */

#define ALL_PAIRS UINT32_MAX

static void put_table(Grid *g, u32 sw, u32 nin, u32 nout) {
  buf_str(g->out, "connectivity_table = [");
  for (u32 o = 0; o < nout; o++) {
    buf_str(g->out, o ? ", \"" : "\"");
    for (u32 i = 0; i < nin; i++)
      buf_char(g->out, sw == ALL_PAIRS || grid_is_connected(g, sw, i, o) ? '1' : '0');
    buf_char(g->out, '"');
  }
  buf_char(g->out, ']');
}

void grid_put_table(Grid *g, u32 nin, u32 nout) {
  put_table(g, ALL_PAIRS, nin, nout);
}

void grid_put_buffer(Grid *g, u32 buffer) {
  if (buffer) buf_printf(g->out, "buffer = \"%s\", ", SPATIAL_SW_buffer_words[buffer]);
}

static void put_buffer(Grid *g, u32 sw) {
  const FabricSwitch *kind = g->switches[sw].kind;
  grid_put_buffer(g, kind && kind->buffer != OPTION_UNSET
                         ? kind->buffer
                         : g->plan->params[PARAM_SPATIAL_SW_buffer]);
}

/* All ports of a temporal switch have one type. Only an instance may have operands of narrower
 * types (done tokens), so the switch is defined here and instantiated by put_switch. */
static void put_switch_definition(Grid *g, u32 sw) {
  const Switch *s = &g->switches[sw];
  buf_printf(g->out, "  fabric.temporal_sw @def_%s [num_route_table = %u, ", s->name,
             g->plan->routes);
  put_buffer(g, sw);
  put_table(g, sw, s->nin, s->nout);
  buf_str(g->out, "] : (");
  put_net_types(g, s->nin);
  buf_str(g->out, ") -> (");
  put_net_types(g, s->nout);
  buf_str(g->out, ")\n");
}

static void put_link_fifos(Grid *g, u32 sw) {
  const Switch *s = &g->switches[sw];
  for (u32 port = 0; link_fifo(g, sw).depth && port < s->nout; port++) {
    if (s->outputs[port].kind != PORT_LINK) continue;
    const char *name = link_fifo_name(g, sw, port);
    put_fifo(g, name, link_fifo(g, sw), (WireEnd){FROM_SWITCH, sw, port});
    grid_place(g, name, "fifo",
               (Point){s->at.x + 4 + 3 * (int)(port % 6), s->at.y + 4 + 3 * (int)(port / 6)});
  }
}

static void put_switch(Grid *g, u32 sw) {
  const Switch *s = &g->switches[sw];
  if (g->net_tag) put_switch_definition(g, sw);
  buf_printf(g->out, "  %%%s:%u = fabric.%s%s", s->name, s->nout,
             g->net_tag ? "instance @def_" : "spatial_sw @", s->name);
  if (!g->net_tag) {
    buf_str(g->out, " [");
    put_buffer(g, sw);
    put_table(g, sw, s->nin, s->nout);
    buf_str(g->out, "] ");
  }
  for (u32 i = 0; i < s->nin; i++) {
    buf_str(g->out, i ? ", " : "(");
    grid_put_value(g, s->in[i]);
  }
  buf_char(g->out, ')');
  if (g->net_tag) buf_printf(g->out, " {sym_name = \"%s\"}", s->name);
  for (u32 i = 0; i < s->nin; i++)
    buf_printf(g->out, "%s%s", i ? ", " : "\n      : (", type_of_end(g, s->in[i]));
  buf_str(g->out, ") -> (");
  put_net_types(g, s->nout);
  buf_str(g->out, ")\n");
  grid_place(g, s->name, g->net_tag ? "temporal_sw" : "spatial_sw", s->at);
  put_link_fifos(g, sw);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* The value that drives input i of a cell's PE, behind its FIFO if it has one. */
static void put_input(Grid *g, const Cell *cell, u32 i) {
  if (grid_has_fifo(cell->pe, i))
    buf_printf(g->out, "%%%s", port_name(g, cell, "fifo", i));
  else
    grid_put_value(g, g->cell_in[cell->first_in + i]);
}

/* `%to = fabric.OP ` and the driver of input i. */
static void put_port_op(Grid *g, const Cell *cell, u32 i, const char *to, const char *op) {
  buf_printf(g->out, "  %%%s = fabric.%s ", to, op);
  put_input(g, cell, i);
}

/* The position of an adapter or FIFO of a PE's port: ports 0 to 15 are at even distances, 16 to 31
 * between them, further ones below. So they do not reach the next PE of the cell, 34 further. */
static Point port_point(const Cell *cell, u32 port, int down) {
  int x = 2 * (int)(port % 16) + (int)(port / 16 % 2), y = (int)(port / 32);
  return (Point){cell->at.x - 32 + x, cell->at.y + down + y};
}

/* The tag adapter of input i: its name (NULL: there is none), and the type of its output. */
static const char *put_input_adapter(Grid *g, const Cell *cell, u32 i, const char **type) {
  const GridPe *pe = cell->pe;
  const char *name = port_name(g, cell, "in", i), *kind = "map_tag";
  *type = g->net;
  if (!pe->is_tagged && !g->net_tag) return NULL;
  if (!pe->is_tagged) {
    kind = "del_tag";
    put_port_op(g, cell, i, name, kind);
    grid_put_del_tag(g, name, g->net, g->bits);
    *type = g->bits;
  } else if (!g->net_tag) {
    kind = "add_tag";
    put_port_op(g, cell, i, name, kind);
    *type = grid_tagged(g, g->bits, pe->tag);
    grid_put_add_tag(g, name, 0, g->bits, *type);
  } else {
    put_port_op(g, cell, i, name, kind);
    *type = grid_tagged(g, g->bits, pe->tag);
    buf_printf(g->out, " [table_size = %u : i64] attributes {sym_name = \"%s\"} : %s -> %s\n",
               pe->entries, name, g->net, *type);
  }
  grid_place(g, name, kind, port_point(cell, i, -6));
  return name;
}

static void put_output_adapter(Grid *g, const Cell *cell, u32 i) {
  const GridPe *pe = cell->pe;
  const char *name = port_name(g, cell, "out", i);
  const char *type = pe->types[pe->nin + i], *value = pe->values[pe->nin + i];
  buf_printf(g->out, "  %%%s = fabric.%s %%%s#%u", name, pe->is_tagged ? "del_tag" : "add_tag",
             cell->name, i);
  if (pe->is_tagged)
    grid_put_del_tag(g, name, type, value);
  else
    grid_put_add_tag(g, name, 0, type, grid_tagged(g, value, g->net_tag));
  grid_place(g, name, pe->is_tagged ? "del_tag" : "add_tag", port_point(cell, i, 8));
}

static void put_cell(Grid *g, u32 c) {
  const Cell *cell = &g->cells[c];
  const GridPe *pe = cell->pe;
  const char *names[MAX_PE_PORTS], *types[MAX_PE_PORTS];
  for (u32 i = 0; i < pe->nin; i++) {
    if (grid_has_fifo(pe, i)) {
      const char *name = port_name(g, cell, "fifo", i);
      put_fifo(g, name, pe->fifo, g->cell_in[cell->first_in + i]);
      grid_place(g, name, "fifo", port_point(cell, i, -12));
    }
    names[i] = put_input_adapter(g, cell, i, &types[i]);
  }
  buf_printf(g->out, "  %%%s:%u = fabric.instance @%s(", cell->name, pe->nout, pe->name);
  for (u32 i = 0; i < pe->nin; i++) {
    if (i) buf_str(g->out, ", ");
    if (names[i])
      buf_printf(g->out, "%%%s", names[i]);
    else
      put_input(g, cell, i);
  }
  buf_printf(g->out, ") {sym_name = \"%s\"} : (", cell->name);
  for (u32 i = 0; i < pe->nin; i++) buf_printf(g->out, "%s%s", i ? ", " : "", types[i]);
  buf_str(g->out, ") -> (");
  for (u32 i = 0; i < pe->nout; i++)
    buf_printf(g->out, "%s%s", i ? ", " : "", pe->types[pe->nin + i]);
  buf_str(g->out, ")\n");
  grid_place(g, cell->name, pe->is_tagged ? "temporal_pe" : "spatial_pe", cell->at);
  for (u32 i = 0; has_output_adapter(g, pe) && i < pe->nout; i++) put_output_adapter(g, cell, i);
  for (u32 i = 0; has_out_fifo(cell, i); i++) {
    const char *name = port_name(g, cell, "out_fifo", i);
    open_fifo(g, name, pe->out_fifo);
    put_output(g, cell, i);
    close_fifo(g);
    grid_place(g, name, "fifo", port_point(cell, i, 12));
  }
}

/* ---- the module ------------------------------------------------------------------------------ */

/* The types of the module's results: its outputs, then its scratchpads as memrefs, through which
 * the host reads and writes them. */
static void put_output_types(Grid *g) {
  u32 n = g->plan->outputs;
  for (u32 i = 0; i < n; i++) buf_printf(g->out, "%s%s", i ? ", " : "", g->bits);
  for (u32 memory = g->plan->memories; memory < g->nmemories; memory++)
    buf_printf(g->out, "%s%s", n++ ? ", " : "", grid_memref(g, false));
}

static void put_module(Grid *g) {
  const FabricPlan *plan = g->plan;
  if (g->definitions.len) buf_put(g->out, g->definitions.data, g->definitions.len);
  buf_str(g->out, "fabric.module @fabric(");
  for (u32 i = 0; i < plan->memories; i++)
    buf_printf(g->out, "%%array_%u: %s, ", i, grid_memref(g, true));
  for (u32 i = 0; i < plan->inputs; i++) {
    const char *name = str_printf(g->ctx, "in_%u", i)->text;
    buf_printf(g->out, "%s%%%s: %s", i ? ", " : "", name, g->bits);
    grid_place_port(g, g->input_at[i], name, "input");
  }
  buf_str(g->out, ") -> (");
  put_output_types(g);
  buf_char(g->out, ')');
  if (plan->viz_file) {
    buf_str(g->out, " attributes {viz_file = ");
    text_attr(attr_string(g->ctx, str_of(g->ctx, plan->viz_file)), g->out);
    buf_char(g->out, '}');
  }
  buf_str(g->out, " {\n");
  grid_put_border(g);
  for (u32 sw = 0; sw < g->nswitches; sw++) put_switch(g, sw);
  for (u32 c = 0; c < g->ncells; c++) put_cell(g, c);
  for (u32 memory = 0; memory < g->nmemories; memory++) grid_put_memory(g, memory);
  buf_str(g->out, "  fabric.yield ");
  for (u32 i = 0; i < plan->outputs; i++) {
    if (i) buf_str(g->out, ", ");
    grid_put_output(g, i);
    grid_place_port(g, g->output_at[i], str_printf(g->ctx, "out%u", i)->text, "output");
  }
  for (u32 memory = plan->memories; memory < g->nmemories; memory++) {
    if (plan->outputs || memory > plan->memories) buf_str(g->out, ", ");
    grid_put_memref(g, memory);
  }
  buf_str(g->out, " : ");
  put_output_types(g);
  buf_str(g->out, "\n}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Defaults of numbers that the plan leaves open. */
enum { MAX_MEMORIES = 8, INSTRUCTIONS = 4, ROUTES_AN_INSTRUCTION = 4, ROUTES = 16 };

/* The plan, with all OPTION_UNSET numbers chosen. */
static FabricPlan completed(const FabricPlan *plan) {
  FabricPlan full = *plan;
  if (full.memories == OPTION_UNSET) {
    full.memories = (plan->rows + plan->columns) / 2;
    if (full.memories > MAX_MEMORIES) full.memories = MAX_MEMORIES;
  }
  if (full.pattern && strchr(full.pattern, 'T') && !full.instructions)
    full.instructions = INSTRUCTIONS;
  if (full.routes == OPTION_UNSET)
    full.routes = full.instructions ? ROUTES_AN_INSTRUCTION * full.instructions : ROUTES;
  if (full.memory_tag == OPTION_UNSET) full.memory_tag = fabric_plan_lane_bits(plan);
  return full;
}

bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, Buf *viz) {
  FabricPlan full = completed(plan);
  Grid g = {.ctx = ctx, .arena = arena_new(), .plan = &full, .out = out};
  bool has_cores = plan->topology < TOPOLOGY_RING; /* chess, mesh, torus, lattice */
  full.cores.len = has_cores ? plan->cores.len : 0;
  full.cores.at = arena_copy(g.arena, plan->cores.at, full.cores.len * sizeof *plan->cores.at);
  fabric_cores_keep(&full, full.cores.at, &full.cores.len);
  bool is_ok = grid_cells(&g) && grid_wires(&g);
  if (is_ok) put_module(&g);
  if (is_ok && viz) grid_put_layout(&g, viz);
  buf_free(&g.definitions);
  vec_free(&g.placed);
  arena_free(g.arena);
  return is_ok;
}

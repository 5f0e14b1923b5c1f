/* generate.c -- a fabric from a plan: the text.
 *
 *     fabric.module @fabric(%array_0: memref<?xi32>, ..., %in_0: !fabric.bits<32>, ...) -> (...) {
 *       %sw_0_0:8 = fabric.spatial_sw @sw_0_0 [connectivity_table = [...]] (%sw_0_1#6, ...) : ...
 *       ...
 *       %pe_0_0:4 = fabric.instance @pe(%sw_0_0#4, ...) {sym_name = "pe_0_0"} : ...
 *       ...                                                              (memories: edge.c)
 *       fabric.yield %sw_0_1#7, ... : ...
 *     }
 *
 * The wires are laid already (board.h); here they get their names. Between a switch and a PE there
 * may stand a FIFO and, where one has tags and the other has none or has others, a bridge:
 *
 *     channels   PE         before an input             behind an output
 *     plain      spatial    -                           -
 *     tagged     temporal   map_tag                     -
 *     plain      temporal   add_tag (of the port)       del_tag
 *     tagged     spatial    del_tag                     add_tag
 *
 * A temporal PE finds an instruction by the tag of its operands; the tag of a channel says which
 * value it is. So before each of its inputs tags are mapped: two values may meet in one
 * instruction, and one value go to many. */
#include "generate/board.h"
#include "text/text.h"

#include <string.h>

/* ---- names and types of wires ---------------------------------------------------------------- */

static bool is_bridged_out(const Board *b, const BoardPe *pe) {
  return pe->is_tagged != (b->net_tag > 0);
}

static const char *link_fifo_name(const Board *b, u32 sw, u32 port) {
  return str_printf(b->ctx, "%s_fifo_%u", b->switches[sw].name, port)->text;
}

static FabricFifo link_fifo(const Board *b, u32 sw) {
  const FabricSwitch *kind = b->switches[sw].kind;
  return kind && kind->fifo.depth != OPTION_UNSET ? kind->fifo : b->plan->link;
}

/* "pe_0_1_in_2": what bridges a port of a PE. */
static const char *port_name(const Board *b, const Cell *cell, const char *what, u32 port) {
  return str_printf(b->ctx, "%s_%s_%u", cell->name, what, port)->text;
}

/* A PE's output, behind its bridge if it has one. */
static void put_output(Board *b, const Cell *cell, u32 port) {
  if (is_bridged_out(b, cell->pe))
    buf_printf(b->out, "%%%s", port_name(b, cell, "out", port));
  else
    buf_printf(b->out, "%%%s#%u", cell->name, port);
}

static bool has_out_fifo(const Cell *cell, u32 port) {
  return cell->pe->out_fifo.depth && port < cell->pe->nout - cell->pe->nto;
}

void board_put_value(Board *b, WireEnd end) {
  switch ((SourceKind)end.kind) {
  case FROM_LINK:
    if (link_fifo(b, end.id).depth) {
      buf_printf(b->out, "%%%s", link_fifo_name(b, end.id, end.port));
      return;
    }
    break;
  case FROM_SWITCH: break;
  case FROM_CELL:
    if (has_out_fifo(&b->cells[end.id], end.port))
      buf_printf(b->out, "%%%s", port_name(b, &b->cells[end.id], "out_fifo", end.port));
    else
      put_output(b, &b->cells[end.id], end.port);
    return;
  case FROM_INPUT:
  case FROM_MEMORY: board_put_edge_value(b, end); return;
  }
  buf_printf(b->out, "%%%s#%u", b->switches[end.id].name, end.port);
}

/* The type of what drives an input of a switch. */
static const char *type_of_end(const Board *b, WireEnd end) {
  if (end.kind == FROM_CELL) {
    const BoardPe *pe = b->cells[end.id].pe;
    u32 port = pe->nin + end.port;
    if (!is_bridged_out(b, pe)) return pe->types[port];
    return board_tagged(b, pe->values[port], b->net_tag);
  }
  return end.kind == FROM_INPUT || end.kind == FROM_MEMORY ? board_edge_type(b, end) : b->net;
}

static void put_net_types(Board *b, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) buf_str(b->out, ", ");
    buf_str(b->out, b->net);
  }
}

static void open_fifo(Board *b, const char *name, FabricFifo fifo) {
  buf_printf(b->out, "  %%%s = fabric.fifo @%s [depth = %u%s] (", name, name, fifo.depth,
             fifo.is_bypassable ? ", bypassable" : "");
}

static void close_fifo(Board *b) {
  buf_printf(b->out, ") : (%s) -> (%s)\n", b->net, b->net);
}

static void put_fifo(Board *b, const char *name, FabricFifo fifo, WireEnd from) {
  open_fifo(b, name, fifo);
  board_put_value(b, from);
  close_fifo(b);
}

/* ---- switches -------------------------------------------------------------------------------- */

#define ALL_PAIRS UINT32_MAX

static void put_table(Board *b, u32 sw, u32 nin, u32 nout) {
  buf_str(b->out, "connectivity_table = [");
  for (u32 o = 0; o < nout; o++) {
    buf_str(b->out, o ? ", \"" : "\"");
    for (u32 i = 0; i < nin; i++)
      buf_char(b->out, sw == ALL_PAIRS || board_is_connected(b, sw, i, o) ? '1' : '0');
    buf_char(b->out, '"');
  }
  buf_char(b->out, ']');
}

void board_put_table(Board *b, u32 nin, u32 nout) {
  put_table(b, ALL_PAIRS, nin, nout);
}

void board_put_buffer(Board *b, u32 buffer) {
  if (buffer) buf_printf(b->out, "buffer = \"%s\", ", SPATIAL_SW_buffer_words[buffer]);
}

static void put_buffer(Board *b, u32 sw) {
  const FabricSwitch *kind = b->switches[sw].kind;
  board_put_buffer(b, kind && kind->buffer != OPTION_UNSET
                          ? kind->buffer
                          : b->plan->params[PARAM_SPATIAL_SW_buffer]);
}

/* A temporal switch has ports of one type, so what is narrower (a done) comes to an instance. */
static void put_definition_of_switch(Board *b, u32 sw) {
  const Switch *s = &b->switches[sw];
  buf_printf(b->out, "  fabric.temporal_sw @def_%s [num_route_table = %u, ", s->name,
             b->plan->routes);
  put_buffer(b, sw);
  put_table(b, sw, s->nin, s->nout);
  buf_str(b->out, "] : (");
  put_net_types(b, s->nin);
  buf_str(b->out, ") -> (");
  put_net_types(b, s->nout);
  buf_str(b->out, ")\n");
}

static void put_link_fifos(Board *b, u32 sw) {
  const Switch *s = &b->switches[sw];
  for (u32 port = 0; link_fifo(b, sw).depth && port < s->nout; port++) {
    if (s->outputs[port].kind != PORT_LINK) continue;
    const char *name = link_fifo_name(b, sw, port);
    put_fifo(b, name, link_fifo(b, sw), (WireEnd){FROM_SWITCH, sw, port});
    board_place(b, name, "fifo",
                (Point){s->at.x + 4 + 3 * (int)(port % 6), s->at.y + 4 + 3 * (int)(port / 6)});
  }
}

static void put_switch(Board *b, u32 sw) {
  const Switch *s = &b->switches[sw];
  if (b->net_tag) put_definition_of_switch(b, sw);
  buf_printf(b->out, "  %%%s:%u = fabric.%s%s", s->name, s->nout,
             b->net_tag ? "instance @def_" : "spatial_sw @", s->name);
  if (!b->net_tag) {
    buf_str(b->out, " [");
    put_buffer(b, sw);
    put_table(b, sw, s->nin, s->nout);
    buf_str(b->out, "] ");
  }
  for (u32 i = 0; i < s->nin; i++) {
    buf_str(b->out, i ? ", " : "(");
    board_put_value(b, s->in[i]);
  }
  buf_char(b->out, ')');
  if (b->net_tag) buf_printf(b->out, " {sym_name = \"%s\"}", s->name);
  for (u32 i = 0; i < s->nin; i++)
    buf_printf(b->out, "%s%s", i ? ", " : "\n      : (", type_of_end(b, s->in[i]));
  buf_str(b->out, ") -> (");
  put_net_types(b, s->nout);
  buf_str(b->out, ")\n");
  board_place(b, s->name, b->net_tag ? "temporal_sw" : "spatial_sw", s->at);
  put_link_fifos(b, sw);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* `%to = fabric.OP ` and what drives input i of a cell's PE, behind its FIFO if it has one. */
static void put_port_op(Board *b, const Cell *cell, u32 i, const char *to, const char *op) {
  buf_printf(b->out, "  %%%s = fabric.%s ", to, op);
  if (board_has_fifo(cell->pe, i))
    buf_printf(b->out, "%%%s", port_name(b, cell, "fifo", i));
  else
    board_put_value(b, b->cell_in[cell->first_in + i]);
}

/* The point of what belongs to a port of a PE. */
static Point port_point(const Cell *cell, u32 port, int down) {
  return (Point){cell->at.x - 32 + 2 * (int)port, cell->at.y + down};
}

/* What stands before input i: its name and the type of what it gives; NULL: nothing does. */
static const char *put_input_bridge(Board *b, const Cell *cell, u32 i, const char **type) {
  const BoardPe *pe = cell->pe;
  const char *name = port_name(b, cell, "in", i), *kind = "map_tag";
  *type = b->net;
  if (!pe->is_tagged && !b->net_tag) return NULL;
  if (!pe->is_tagged) {
    kind = "del_tag";
    put_port_op(b, cell, i, name, kind);
    board_put_del_tag(b, name, b->net, b->bits);
    *type = b->bits;
  } else if (!b->net_tag) {
    kind = "add_tag";
    put_port_op(b, cell, i, name, kind);
    *type = board_tagged(b, b->bits, pe->tag);
    board_put_add_tag(b, name, 0, b->bits, *type);
  } else {
    put_port_op(b, cell, i, name, kind);
    *type = board_tagged(b, b->bits, pe->tag);
    buf_printf(b->out, " [table_size = %u : i64] attributes {sym_name = \"%s\"} : %s -> %s\n",
               pe->entries, name, b->net, *type);
  }
  board_place(b, name, kind, port_point(cell, i, -6));
  return name;
}

static void put_output_bridge(Board *b, const Cell *cell, u32 i) {
  const BoardPe *pe = cell->pe;
  const char *name = port_name(b, cell, "out", i);
  const char *type = pe->types[pe->nin + i], *value = pe->values[pe->nin + i];
  buf_printf(b->out, "  %%%s = fabric.%s %%%s#%u", name, pe->is_tagged ? "del_tag" : "add_tag",
             cell->name, i);
  if (pe->is_tagged)
    board_put_del_tag(b, name, type, value);
  else
    board_put_add_tag(b, name, 0, type, board_tagged(b, value, b->net_tag));
  board_place(b, name, pe->is_tagged ? "del_tag" : "add_tag", port_point(cell, i, 8));
}

static void put_cell(Board *b, u32 c) {
  const Cell *cell = &b->cells[c];
  const BoardPe *pe = cell->pe;
  const char *names[MAX_PE_PORTS], *types[MAX_PE_PORTS];
  for (u32 i = 0; i < pe->nin; i++) {
    bool has_fifo = board_has_fifo(pe, i);
    if (has_fifo) {
      const char *name = port_name(b, cell, "fifo", i);
      put_fifo(b, name, pe->fifo, b->cell_in[cell->first_in + i]);
      board_place(b, name, "fifo", port_point(cell, i, -12));
    }
    names[i] = put_input_bridge(b, cell, i, &types[i]);
    if (!names[i] && has_fifo) names[i] = port_name(b, cell, "fifo", i);
  }
  buf_printf(b->out, "  %%%s:%u = fabric.instance @%s(", cell->name, pe->nout, pe->name);
  for (u32 i = 0; i < pe->nin; i++) {
    if (i) buf_str(b->out, ", ");
    if (names[i])
      buf_printf(b->out, "%%%s", names[i]);
    else
      board_put_value(b, b->cell_in[cell->first_in + i]);
  }
  buf_printf(b->out, ") {sym_name = \"%s\"} : (", cell->name);
  for (u32 i = 0; i < pe->nin; i++) buf_printf(b->out, "%s%s", i ? ", " : "", types[i]);
  buf_str(b->out, ") -> (");
  for (u32 i = 0; i < pe->nout; i++)
    buf_printf(b->out, "%s%s", i ? ", " : "", pe->types[pe->nin + i]);
  buf_str(b->out, ")\n");
  board_place(b, cell->name, pe->is_tagged ? "temporal_pe" : "spatial_pe", cell->at);
  for (u32 i = 0; is_bridged_out(b, pe) && i < pe->nout; i++) put_output_bridge(b, cell, i);
  for (u32 i = 0; has_out_fifo(cell, i); i++) {
    const char *name = port_name(b, cell, "out_fifo", i);
    open_fifo(b, name, pe->out_fifo);
    put_output(b, cell, i);
    close_fifo(b);
    board_place(b, name, "fifo", port_point(cell, i, 12));
  }
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Those of the outputs, and of the scratchpads, which the host sees. */
static void put_output_types(Board *b) {
  u32 n = b->plan->outputs;
  for (u32 i = 0; i < n; i++) buf_printf(b->out, "%s%s", i ? ", " : "", b->bits);
  for (u32 memory = b->plan->memories; memory < b->nmemories; memory++)
    buf_printf(b->out, "%s%s", n++ ? ", " : "", board_memref(b, false));
}

static void put_board(Board *b) {
  const FabricPlan *plan = b->plan;
  if (b->definitions.len) buf_put(b->out, b->definitions.data, b->definitions.len);
  buf_str(b->out, "fabric.module @fabric(");
  for (u32 i = 0; i < plan->memories; i++)
    buf_printf(b->out, "%%array_%u: %s, ", i, board_memref(b, true));
  for (u32 i = 0; i < plan->inputs; i++) {
    const char *name = str_printf(b->ctx, "in_%u", i)->text;
    buf_printf(b->out, "%s%%%s: %s", i ? ", " : "", name, b->bits);
    board_place_port(b, b->input_at[i], name, "input");
  }
  buf_str(b->out, ") -> (");
  put_output_types(b);
  buf_char(b->out, ')');
  if (plan->viz_file) {
    buf_str(b->out, " attributes {viz_file = ");
    text_attr(attr_string(b->ctx, str_of(b->ctx, plan->viz_file)), b->out);
    buf_char(b->out, '}');
  }
  buf_str(b->out, " {\n");
  board_put_border(b);
  for (u32 sw = 0; sw < b->nswitches; sw++) put_switch(b, sw);
  for (u32 c = 0; c < b->ncells; c++) put_cell(b, c);
  for (u32 memory = 0; memory < b->nmemories; memory++) board_put_memory(b, memory);
  buf_str(b->out, "  fabric.yield ");
  for (u32 i = 0; i < plan->outputs; i++) {
    if (i) buf_str(b->out, ", ");
    board_put_output(b, i);
    board_place_port(b, b->output_at[i], str_printf(b->ctx, "out%u", i)->text, "output");
  }
  for (u32 memory = plan->memories; memory < b->nmemories; memory++) {
    if (plan->outputs || memory > plan->memories) buf_str(b->out, ", ");
    board_put_memref(b, memory);
  }
  buf_str(b->out, " : ");
  put_output_types(b);
  buf_str(b->out, "\n}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What a plan leaves to be chosen. */
static FabricPlan filled_in(const FabricPlan *plan) {
  FabricPlan whole = *plan;
  if (whole.memories == OPTION_UNSET) {
    whole.memories = (plan->rows + plan->columns) / 2;
    if (whole.memories > 8) whole.memories = 8;
  }
  if (whole.pattern && strchr(whole.pattern, 'T') && !whole.instructions) whole.instructions = 4;
  if (whole.routes == OPTION_UNSET) whole.routes = whole.instructions ? 4 * whole.instructions : 16;
  if (whole.memory_tag == OPTION_UNSET) whole.memory_tag = fabric_plan_lane_bits(plan);
  return whole;
}

/* The cores that there is room for. */
static u32 keep_cores(const FabricPlan *plan, FabricCore *cores) {
  u32 n = 0;
  bool is_board = plan->topology < TOPOLOGY_RING;
  for (u32 i = 0; is_board && i < plan->cores.len; i++) {
    const FabricCore *c = &plan->cores.at[i];
    if (c->rows <= plan->rows && c->columns <= plan->columns && c->memories <= plan->memories &&
        c->scratchpads <= plan->scratchpads && c->inputs <= plan->inputs &&
        c->outputs <= plan->outputs)
      cores[n++] = *c;
  }
  return n;
}

bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, Buf *viz) {
  FabricPlan whole = filled_in(plan);
  Board b = {.ctx = ctx, .arena = arena_new(), .plan = &whole, .out = out};
  FabricCore *cores = NEW_ARRAY(b.arena, FabricCore, plan->cores.len + (size_t)1);
  whole.cores.len = keep_cores(&whole, cores);
  whole.cores.at = cores;
  bool good = board_cells(&b) && board_wires(&b);
  if (good) put_board(&b);
  if (good && viz) board_put_layout(&b, viz);
  buf_free(&b.definitions);
  vec_free(&b.placed);
  arena_free(b.arena);
  return good;
}

/* topology.c -- places switches and PEs, and lays every wire between them and to the border.
 *
 *     S---S---S      chess, 1x2: a PE in each cell, a switch (S) on each corner. Input and output
 *     |\ /|\ /|      i of a PE go to corner i % 4; `tracks` channels run each way between
 *     | P | P |      neighbouring switches.
 *     |/ \|/ \|
 *     S---S---S      All others: a switch in each cell, with all ports of the cell's PEs.
 *
 * The neighbours of a switch:
 *
 *     mesh      north, east, south, west           lattice   and the four diagonals
 *     torus     a mesh whose rows and columns are rings where they are longer than two
 *     ring      the previous and the next cell on a path along the rows, in alternating directions,
 *               which is closed from its end to its start
 *     cube      a mesh in each layer, and the same place in the layers above and below
 *     star      the hub, an additional switch without PEs
 *
 * Memories and the fabric's own ports are spread evenly over the border: the outermost switches of
 * the grid (of each layer of a cube), all switches of a ring, all but the hub of a star. Corners of
 * a grid have the fewest channels, so they are used only if some switch would otherwise have too
 * many ports.
 *
 * If a grid has cores (smaller grids in its middle, see FabricCore), the memories and ports of each
 * are at the core's own border, as if it were the whole grid:
 *
 *     . . . m . .
 *     . M S S M .      M: the core's memories, independent of the grid around it
 *     . S S S S .      m: one more, at the border of the grid
 *     . M S S M .
 *     . . . . . .
 *
 * Linear in the switches and wires of each core; explicit places are found by linear search. */
#include "generate/grid.h"

#include <string.h>

enum { PITCH = 100, MOAT = 300 };

static const SwitchPort to_edge = {.kind = PORT_EDGE}, to_memory = {.kind = PORT_MEMORY};

static void add_input(Grid *g, u32 sw, WireEnd driver, SwitchPort port) {
  Switch *s = &g->switches[sw];
  if (s->nin < MAX_SWITCH_PORTS) s->in[s->nin] = driver, s->inputs[s->nin] = port;
  s->nin++;
}

static WireEnd add_output(Grid *g, u32 sw, SwitchPort port) {
  Switch *s = &g->switches[sw];
  if (s->nout < MAX_SWITCH_PORTS) s->outputs[s->nout] = port;
  return (WireEnd){FROM_SWITCH, sw, s->nout++};
}

static void link_switches(Grid *g, u32 from, u32 to) {
  for (u32 t = 0; t < g->plan->tracks; t++) {
    u32 port = add_output(g, from, (SwitchPort){PORT_LINK, to, t, 0}).port;
    add_input(g, to, (WireEnd){FROM_LINK, from, port}, (SwitchPort){PORT_LINK, from, t, 0});
  }
}

/* True of a PE's port that switches must not connect with answers of memories: the class forbids it
 * for ports without a FIFO. */
static bool avoids_memory(const GridPe *pe, u32 port) {
  return pe->class && pe->class->avoids_memory && !grid_has_fifo(pe, port);
}

static bool is_at_edge(const SwitchPort *port) {
  return port->kind == PORT_EDGE || port->kind == PORT_MEMORY;
}

bool grid_is_connected(const Grid *g, u32 sw, u32 in, u32 out) {
  const Switch *s = &g->switches[sw];
  const SwitchPort *i = &s->inputs[in], *o = &s->outputs[out];
  FabricConnect connect = s->kind ? s->kind->connect : CONNECT_ALL;
  if (i->kind == PORT_MEMORY && o->kind == PORT_PE && avoids_memory(g->cells[o->other].pe, o->port))
    return false;
  if (connect == CONNECT_ALL) return true;
  if (i->kind == PORT_LINK && o->kind == PORT_LINK && i->other == o->other) return false;
  if (i->kind == PORT_MEMORY && o->kind == PORT_MEMORY) return false; /* PEs load and store */
  if (connect == CONNECT_TURNS || is_at_edge(i) || is_at_edge(o)) return true;
  if (i->kind == PORT_PE && o->kind == PORT_PE) return true;
  if (i->kind == o->kind) return i->index == o->index || i->other + o->other != 2 * sw;
  return i->index % 2 == o->index % 2;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

typedef struct {
  int layer, row, column;
} Step;

static const Step steps[] = {{0, -1, 0}, {0, 0, 1}, {0, 1, 0},  {0, 0, -1},  /* mesh */
                             {0, -1, 1}, {0, 1, 1}, {0, 1, -1}, {0, -1, -1}, /* lattice */
                             {-1, 0, 0}, {1, 0, 0}};                         /* cube */

/* The index `at` + `step` of n, or UINT32_MAX. A ring of one or two is not closed: its members are
 * neighbours already. */
static u32 stepped(u32 at, int step, u32 n, bool is_ring) {
  i64 to = (i64)at + step;
  if (to >= 0 && to < n) return (u32)to;
  return is_ring && n > 2 ? (u32)((to + n) % n) : UINT32_MAX;
}

static u32 neighbour(const Grid *g, u32 sw, Step step) {
  bool is_ring = g->plan->topology == TOPOLOGY_TORUS;
  u32 in_layer = g->rows * g->columns;
  u32 layer = stepped(sw / in_layer, step.layer, g->layers, false);
  u32 row = stepped(sw % in_layer / g->columns, step.row, g->rows, is_ring);
  u32 column = stepped(sw % g->columns, step.column, g->columns, is_ring);
  if (layer == UINT32_MAX || row == UINT32_MAX || column == UINT32_MAX) return UINT32_MAX;
  return layer * in_layer + row * g->columns + column;
}

/* Links a switch to its neighbours in the directions [first, end) of `steps`. */
static void link_directions(Grid *g, u32 sw, u32 first, u32 end) {
  for (u32 i = first; i < end; i++) {
    u32 next = neighbour(g, sw, steps[i]);
    if (next != UINT32_MAX) link_switches(g, sw, next);
  }
}

static void link_grid(Grid *g) {
  for (u32 sw = 0; sw < g->nswitches; sw++) {
    link_directions(g, sw, 0, g->plan->topology == TOPOLOGY_LATTICE ? 8 : 4);
    link_directions(g, sw, 8, 10);
  }
}

/* The i-th switch on the path along the rows, in alternating directions. */
static u32 ring_switch(const Grid *g, u32 i) {
  u32 row = i / g->columns, column = i % g->columns;
  return row * g->columns + (row % 2 ? g->columns - 1 - column : column);
}

static void link_ring(Grid *g) {
  for (u32 i = 0; i + 1 < g->nswitches + (g->nswitches > 2); i++) {
    u32 from = ring_switch(g, i), to = ring_switch(g, (i + 1) % g->nswitches);
    link_switches(g, from, to);
    link_switches(g, to, from);
  }
}

static void link_star(Grid *g) {
  u32 hub = g->nswitches - 1;
  for (u32 sw = 0; sw < hub; sw++) {
    link_switches(g, sw, hub);
    link_switches(g, hub, sw);
  }
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* The switch that a port of a PE is wired to. */
static u32 switch_of_port(const Grid *g, const Cell *cell, u32 port) {
  u32 corner = g->plan->topology == TOPOLOGY_CHESS ? (port + cell->slot) % PE_PORTS : 0;
  return (cell->layer * g->rows + cell->row + corner / 2) * g->columns + cell->column + corner % 2;
}

static void wire_cells(Grid *g) {
  for (u32 c = 0; c < g->ncells; c++) {
    const Cell *cell = &g->cells[c];
    u32 nin = cell->pe->nin - cell->pe->nfrom, nout = cell->pe->nout - cell->pe->nto;
    for (u32 port = 0; port < nin || port < nout; port++) {
      u32 sw = switch_of_port(g, cell, port);
      u32 index = port / PE_PORTS + cell->slot + cell->row + cell->column;
      SwitchPort end = {PORT_PE, c, index, port};
      if (port < nin) g->cell_in[cell->first_in + port] = add_output(g, sw, end);
      if (port < nout) add_input(g, sw, (WireEnd){FROM_CELL, c, port}, end);
    }
  }
}

/* The wires between PEs of one cell, which are adjacent in the list. */
static void wire_neighbours(Grid *g) {
  for (u32 c = 0; c < g->ncells; c++) {
    Cell *from = &g->cells[c];
    if (!from->pe->nto) continue;
    for (u32 d = c - from->slot; d < g->ncells && (d == c - from->slot || g->cells[d].slot); d++) {
      Cell *to = &g->cells[d];
      if (!grid_feeds(from->pe, to->pe)) continue;
      u32 port = to->pe->nin - to->pe->nfrom + to->nfrom++;
      g->cell_in[to->first_in + port] =
          (WireEnd){FROM_CELL, c, from->pe->nout - from->pe->nto + from->nto++};
    }
  }
}

/* ---- the border ------------------------------------------------------------------------------ */

/* The nearest side of the grid, as Switch.side. */
static u32 nearest_side(u32 row, u32 column, u32 rows, u32 columns) {
  u32 distances[4] = {row, columns - 1 - column, rows - 1 - row, column}, side = 0;
  for (u32 i = 1; i < 4; i++)
    if (distances[i] < distances[side]) side = i;
  return side;
}

static bool is_rectangular(const Grid *g) {
  return g->plan->topology != TOPOLOGY_RING && g->plan->topology != TOPOLOGY_STAR;
}

/* The switches of a core, or of the whole grid. */
typedef struct {
  u32 top, left, rows, columns;
} Area;

static Area area_of(const Grid *g, const FabricCore *core) {
  Area a = {.rows = core->rows + (g->rows - g->plan->rows),
            .columns = core->columns + (g->columns - g->plan->columns)};
  a.top = (g->rows - a.rows) / 2;
  a.left = (g->columns - a.columns) / 2;
  return a;
}

/* Adds a switch of an area, by its row and column there. Its side is now that of the area. */
static void add_to_border(Grid *g, const Area *a, u32 layer, u32 row, u32 column) {
  u32 sw = (layer * g->rows + a->top + row) * g->columns + a->left + column;
  Switch *s = &g->switches[sw];
  s->side = nearest_side(row, column, a->rows, a->columns);
  s->is_corner = (row == 0 || row == a->rows - 1) && (column == 0 || column == a->columns - 1);
  g->border[g->nborder++] = sw;
}

/* The border of an area, clockwise from the north-west, layer by layer; each switch once. */
static void find_border(Grid *g, const Area *a) {
  u32 rows = a->rows, columns = a->columns;
  g->nborder = 0;
  for (u32 i = 0; !is_rectangular(g) && i < rows * columns; i++)
    g->border[g->nborder++] = ring_switch(g, i);
  for (u32 layer = 0; is_rectangular(g) && layer < g->layers; layer++) {
    for (u32 c = 0; c < columns; c++) add_to_border(g, a, layer, 0, c);
    for (u32 r = 1; r < rows; r++) add_to_border(g, a, layer, r, columns - 1);
    for (u32 c = columns - 1; rows > 1 && c-- > 0;) add_to_border(g, a, layer, rows - 1, c);
    for (u32 r = rows - 1; columns > 1 && r-- > 1;) add_to_border(g, a, layer, r, 0);
  }
}

static void drop_corners(Grid *g) {
  u32 n = 0;
  for (u32 i = 0; i < g->nborder; i++) {
    bool is_corner = g->switches[g->border[i]].is_corner;
    if (!is_corner || !is_rectangular(g)) g->border[n++] = g->border[i];
  }
  if (n) g->nborder = n;
}

/* The switch at the border for the i-th of n things spread evenly around it. */
static u32 rim_place(const Grid *g, u32 i, u32 n) {
  return g->border[(u64)i * g->nborder / n];
}

/* The switch that the plan assigns to a port, or to lane `place` of a memory; else `otherwise`. */
static u32 explicit_place(const Grid *g, FabricPlacedKind kind, u32 number, u32 place,
                          u32 otherwise) {
  for (size_t i = 0; i < g->plan->places.len; i++) {
    const FabricPlace *p = &g->plan->places.at[i];
    if (p->kind == kind && p->number == number && p->place == place % p->nplaces)
      return p->row * g->columns + p->column;
  }
  return otherwise;
}

/* Checks that all explicit places, and the memories and ports that they are for, exist. */
static bool places_exist(const Grid *g) {
  const FabricPlan *p = g->plan;
  const u32 counts[] = {p->memories, p->scratchpads, p->inputs, p->outputs};
  bool is_ok = true;
  for (size_t i = 0; i < p->places.len; i++) {
    const FabricPlace *at = &p->places.at[i];
    bool is_thing = at->number < counts[at->kind];
    if (is_thing && at->row < g->rows && at->column < g->columns) continue;
    if (is_thing)
      diag(g->ctx, at->loc, COMP_ADG_PLAN, "cannot place %s%u at %u,%u: the last switch is %u,%u",
           fabric_placed_names[at->kind], at->number, at->row, at->column, g->rows - 1,
           g->columns - 1);
    else
      diag(g->ctx, at->loc, COMP_ADG_PLAN, "%s%u does not exist: the board has %u, numbered from 0",
           fabric_placed_names[at->kind], at->number, counts[at->kind]);
    is_ok = false;
  }
  return is_ok;
}

/* Lanes of a memory are adjacent at the border, but not in order: a program uses the first ones,
 * and if these were neighbours, the channels there would be congested while others are idle. Of
 * eight lanes: 0 4 2 6 1 5 3 7, in bit-reversed order. */
static u32 lane_place(u32 lane, u32 lanes) {
  u32 place = 0, bits = log2_up(lanes);
  for (u32 turned = 0; turned < (u32)1 << bits; turned++) {
    u32 other = 0;
    for (u32 i = 0; i < bits; i++) other |= (turned >> i & 1) << (bits - 1 - i);
    if (other == lane) return place;
    place += other < lanes;
  }
  return 0;
}

/* Wires the i-th of n memories that are spread around the border. */
static void wire_memory(Grid *g, u32 memory, u32 i, u32 n) {
  for (u32 lane = 0; lane < g->lanes; lane++) {
    u32 id = memory * g->lanes + lane;
    u32 sw = rim_place(g, i * g->lanes + lane_place(lane, g->lanes), n * g->lanes);
    bool outside = memory < g->plan->memories;
    sw = explicit_place(g, outside ? PLACED_MEMORY : PLACED_PAD,
                        outside ? memory : memory - g->plan->memories, lane, sw);
    g->lane_at[id] = sw;
    for (u32 family = 0; family < FAMILIES; family++) {
      if (lane < grid_lanes_in(g, family))
        g->lane_in[id * FAMILIES + family] = add_output(g, sw, to_memory);
      if (lane < grid_lanes_out(g, family))
        add_input(g, sw, (WireEnd){FROM_MEMORY, id, family}, to_memory);
    }
  }
}

/* Wires the memories and ports that a core has in addition to the next smaller one. */
static void wire_border(Grid *g, const FabricCore *core, const FabricCore *inner) {
  u32 memories = core->memories - inner->memories;
  u32 n = memories + core->scratchpads - inner->scratchpads;
  u32 inputs = core->inputs - inner->inputs, outputs = core->outputs - inner->outputs;
  for (u32 i = 0; i < n; i++) {
    bool outside = i < memories;
    u32 first = outside ? inner->memories : g->plan->memories + inner->scratchpads;
    wire_memory(g, first + i - (outside ? 0 : memories), i, n);
  }
  for (u32 i = 0; i < inputs; i++) {
    u32 id = inner->inputs + i;
    g->input_at[id] = explicit_place(g, PLACED_IN, id, 0, rim_place(g, i, inputs));
    add_input(g, g->input_at[id], (WireEnd){FROM_INPUT, id, 0}, to_edge);
  }
  for (u32 i = 0; i < outputs; i++) {
    u32 id = inner->outputs + i;
    g->output_at[id] = explicit_place(g, PLACED_OUT, id, 0, rim_place(g, i, outputs));
    g->outputs[id] = add_output(g, g->output_at[id], to_edge);
  }
}

static void wire_edge(Grid *g, bool with_corners) {
  const FabricPlan *p = g->plan;
  FabricCore whole = fabric_plan_board(p), inner = {0};
  for (u32 i = 0; i <= p->cores.len; i++) {
    FabricCore core = i < p->cores.len ? p->cores.at[i] : whole;
    Area area = area_of(g, &core);
    find_border(g, &area);
    if (!with_corners) drop_corners(g);
    wire_border(g, &core, &inner);
    inner = core;
  }
}

/* ---- names and positions --------------------------------------------------------------------- */

/* "sw_0_2", in a cube "sw_1_0_2" with the layer first. */
static const char *place_name(const Grid *g, const char *prefix, u32 layer, u32 row, u32 column) {
  if (g->plan->topology == TOPOLOGY_CUBE)
    return str_printf(g->ctx, "%s_%u_%u_%u", prefix, layer, row, column)->text;
  return str_printf(g->ctx, "%s_%u_%u", prefix, row, column)->text;
}

/* The offset of a row or column that makes room for the memories and ports around a core. */
static int moats_before(u32 at, u32 first, u32 n) {
  return (at >= first ? MOAT : 0) + (at >= first + n ? MOAT : 0);
}

static Point grid_point(const Grid *g, u32 layer, u32 row, u32 column) {
  int between = (int)g->columns + 5;
  Point at = {((int)layer * between + (int)column) * PITCH, (int)row * PITCH};
  for (u32 i = 0; i < g->plan->cores.len; i++) {
    Area a = area_of(g, &g->plan->cores.at[i]);
    at.x += moats_before(column, a.left, a.columns);
    at.y += moats_before(row, a.top, a.rows);
  }
  return at;
}

/* The kind with a letter, without a pattern the first. NULL: CONNECT_ALL. */
static const FabricSwitch *kind_of_switch(const FabricPlan *plan, const char *letter) {
  if (!letter) return plan->switches.len ? plan->switches.at : NULL;
  for (size_t i = 0; i < plan->switches.len; i++)
    if (plan->switches.at[i].letter == *letter) return &plan->switches.at[i];
  return NULL;
}

static void place_switches(Grid *g) {
  u32 in_layer = g->rows * g->columns;
  FabricPatternCell *kinds = NEW_ARRAY(g->arena, FabricPatternCell, in_layer);
  if (g->plan->switch_pattern)
    fabric_pattern_lay(g->plan->switch_pattern, g->rows, g->columns, kinds);
  for (u32 sw = 0; sw < g->layers * in_layer; sw++) {
    u32 layer = sw / in_layer, row = sw % in_layer / g->columns, column = sw % g->columns;
    g->switches[sw] = (Switch){.name = place_name(g, "sw", layer, row, column),
                               .at = grid_point(g, layer, row, column),
                               .kind = kind_of_switch(g->plan, kinds[sw % in_layer].letters),
                               .side = nearest_side(row, column, g->rows, g->columns)};
  }
  if (g->plan->topology == TOPOLOGY_STAR) {
    Point middle = {((int)g->columns - 1) * PITCH / 2 + 20, ((int)g->rows - 1) * PITCH / 2 + 20};
    g->switches[g->nswitches - 1] = (Switch){.name = "hub", .at = middle};
  }
}

static void place_cells(Grid *g) {
  int off = g->plan->topology == TOPOLOGY_CHESS ? PITCH / 2 : 2 * PITCH / 5;
  for (u32 c = 0; c < g->ncells; c++) {
    Cell *cell = &g->cells[c];
    Point at = grid_point(g, cell->layer, cell->row, cell->column);
    bool is_one = !cell->slot && (c + 1 == g->ncells || !cell[1].slot);
    cell->name = place_name(g, "pe", cell->layer, cell->row, cell->column);
    if (!is_one) cell->name = str_printf(g->ctx, "%s_%c", cell->name, 'a' + (int)cell->slot)->text;
    cell->at = (Point){at.x + off, at.y + off};
    if (is_one) continue;
    cell->at.x += cell->slot % 2 ? 17 : -17; /* PEs of one cell stand in rows of two */
    cell->at.y += 13 * ((int)cell->slot / 2 * 2 - 1);
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The first switch with too many ports, or NULL. */
static const Switch *overfull_switch(const Grid *g) {
  for (u32 sw = 0; sw < g->nswitches; sw++)
    if (g->switches[sw].nin > MAX_SWITCH_PORTS || g->switches[sw].nout > MAX_SWITCH_PORTS)
      return &g->switches[sw];
  return NULL;
}

static void lay_wires(Grid *g, bool with_corners) {
  place_switches(g);
  switch (g->plan->topology) {
  case TOPOLOGY_RING: link_ring(g); break;
  case TOPOLOGY_STAR: link_star(g); break;
  default: link_grid(g); break;
  }
  wire_cells(g);
  wire_edge(g, with_corners);
}

bool grid_wires(Grid *g) {
  u32 corner = g->plan->topology == TOPOLOGY_CHESS, inputs = 0;
  g->layers = g->plan->topology == TOPOLOGY_CUBE ? g->plan->depth : 1;
  g->rows = g->plan->rows + corner;
  g->columns = g->plan->columns + corner;
  g->nswitches = g->layers * g->rows * g->columns + (g->plan->topology == TOPOLOGY_STAR);
  g->nmemories = g->plan->memories + g->plan->scratchpads;
  g->lanes = fabric_plan_lanes(g->plan);
  g->nlanes = g->nmemories * g->lanes;
  for (u32 c = 0; c < g->ncells; c++) {
    g->cells[c].first_in = inputs;
    inputs += g->cells[c].pe->nin;
  }
  g->switches = NEW_ARRAY(g->arena, Switch, g->nswitches);
  g->border = NEW_ARRAY(g->arena, u32, g->nswitches);
  g->cell_in = NEW_ARRAY(g->arena, WireEnd, inputs);
  g->lane_at = NEW_ARRAY(g->arena, u32, g->nlanes);
  g->lane_in = NEW_ARRAY(g->arena, WireEnd, g->nlanes * FAMILIES);
  g->input_at = NEW_ARRAY(g->arena, u32, g->plan->inputs);
  g->output_at = NEW_ARRAY(g->arena, u32, g->plan->outputs);
  g->outputs = NEW_ARRAY(g->arena, WireEnd, g->plan->outputs);
  if (!places_exist(g)) return false;
  place_cells(g);
  wire_neighbours(g);
  lay_wires(g, false);
  if (overfull_switch(g)) lay_wires(g, true);
  const Switch *s = overfull_switch(g);
  if (!s) return true;
  diag(g->ctx, LOC_NONE, COMP_ADG_PORTS,
       "switch %s would have %u inputs and %u outputs; the limit is %d", s->name, s->nin, s->nout,
       (int)MAX_SWITCH_PORTS);
  diag_hint(g->ctx, "reduce --tracks, --memories, --lanes or ports, or increase the number of PEs");
  return false;
}

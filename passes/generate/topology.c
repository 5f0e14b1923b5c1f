/* topology.c -- where switches and PEs are, and every wire.
 *
 *     S---S---S      chess, 1x2: a PE in each cell, a switch (S) on each corner. Input and output
 *     |\ /|\ /|      i of a PE go to corner i % 4; `tracks` channels run each way between
 *     | P | P |      neighbouring switches.
 *     |/ \|/ \|
 *     S---S---S      All others: a switch a cell, with all ports of the cell's PE.
 *
 * What is a neighbour:
 *
 *     mesh      north, east, south, west           lattice   and the four diagonals
 *     torus     a mesh whose rows and columns are rings where they are longer than two
 *     ring      the cell before and after on the way along the rows, to and fro, and back from the
 *               end to the start
 *     cube      a mesh in each layer, and the same place in the layers above and below
 *     star      the hub, a switch more, that has no PE
 *
 * Memories and the fabric's own ports are spread evenly over the rim: the border of the board (of
 * each layer of a cube), all switches of a ring, all but the hub of a star. Corners of a board have
 * the fewest channels, so nothing is tied to them unless it has no room elsewhere.
 *
 * Where a board has cores (smaller boards in its middle, see FabricCore), each has its own things
 * around its own rim, where they would be if there were no more than it:
 *
 *     . . . m . .
 *     . M S S M .      M: the core's memories, at the same switches of it whatever is around it
 *     . S S S S .      m: one more, at the rim of the board
 *     . M S S M .
 *     . . . . . .
 */
#include "generate/board.h"

#include <string.h>

enum { PITCH = 100, MOAT = 300 };

static const SwitchPort to_edge = {.kind = PORT_EDGE}, to_memory = {.kind = PORT_MEMORY};

/* A new input of a switch. */
static void feed(Board *b, u32 sw, WireEnd from, SwitchPort what) {
  Switch *s = &b->switches[sw];
  if (s->nin < MAX_SWITCH_PORTS) s->in[s->nin] = from, s->inputs[s->nin] = what;
  s->nin++;
}

/* A new output of a switch. */
static WireEnd tap(Board *b, u32 sw, SwitchPort what) {
  Switch *s = &b->switches[sw];
  if (s->nout < MAX_SWITCH_PORTS) s->outputs[s->nout] = what;
  return (WireEnd){FROM_SWITCH, sw, s->nout++};
}

static void link_switches(Board *b, u32 from, u32 to) {
  for (u32 t = 0; t < b->plan->tracks; t++) {
    u32 port = tap(b, from, (SwitchPort){PORT_LINK, to, t, 0}).port;
    feed(b, to, (WireEnd){FROM_LINK, from, port}, (SwitchPort){PORT_LINK, from, t, 0});
  }
}

/* May no memory's answers come to this port of a PE, as it has no FIFO? */
static bool is_past_memory(const BoardPe *pe, u32 port) {
  return pe->class && pe->class->is_past_memory && !board_has_fifo(pe, port);
}

static bool is_at_edge(const SwitchPort *port) {
  return port->kind == PORT_EDGE || port->kind == PORT_MEMORY;
}

bool board_is_connected(const Board *b, u32 sw, u32 in, u32 out) {
  const Switch *s = &b->switches[sw];
  const SwitchPort *i = &s->inputs[in], *o = &s->outputs[out];
  FabricConnect connect = s->kind ? s->kind->connect : CONNECT_ALL;
  if (i->kind == PORT_MEMORY && o->kind == PORT_PE &&
      is_past_memory(b->cells[o->other].pe, o->port))
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

/* `at` a step further among n, UINT32_MAX where there is no more. A ring of one or two needs no
 * way round: they are neighbours already. */
static u32 stepped(u32 at, int step, u32 n, bool is_ring) {
  i64 to = (i64)at + step;
  if (to >= 0 && to < n) return (u32)to;
  return is_ring && n > 2 ? (u32)((to + n) % n) : UINT32_MAX;
}

static u32 neighbour(const Board *b, u32 sw, Step step) {
  bool is_ring = b->plan->topology == TOPOLOGY_TORUS;
  u32 in_layer = b->rows * b->columns;
  u32 layer = stepped(sw / in_layer, step.layer, b->layers, false);
  u32 row = stepped(sw % in_layer / b->columns, step.row, b->rows, is_ring);
  u32 column = stepped(sw % b->columns, step.column, b->columns, is_ring);
  if (layer == UINT32_MAX || row == UINT32_MAX || column == UINT32_MAX) return UINT32_MAX;
  return layer * in_layer + row * b->columns + column;
}

/* Switches of a board, each with its neighbours in the directions [first, end) of `steps`. */
static void link_directions(Board *b, u32 sw, u32 first, u32 end) {
  for (u32 i = first; i < end; i++) {
    u32 next = neighbour(b, sw, steps[i]);
    if (next != UINT32_MAX) link_switches(b, sw, next);
  }
}

static void link_grid(Board *b) {
  for (u32 sw = 0; sw < b->nswitches; sw++) {
    link_directions(b, sw, 0, b->plan->topology == TOPOLOGY_LATTICE ? 8 : 4);
    link_directions(b, sw, 8, 10);
  }
}

/* The i-th switch on the way along the rows, to and fro. */
static u32 on_the_way(const Board *b, u32 i) {
  u32 row = i / b->columns, column = i % b->columns;
  return row * b->columns + (row % 2 ? b->columns - 1 - column : column);
}

static void link_ring(Board *b) {
  for (u32 i = 0; i + 1 < b->nswitches + (b->nswitches > 2); i++) {
    u32 from = on_the_way(b, i), to = on_the_way(b, (i + 1) % b->nswitches);
    link_switches(b, from, to);
    link_switches(b, to, from);
  }
}

static void link_star(Board *b) {
  u32 hub = b->nswitches - 1;
  for (u32 sw = 0; sw < hub; sw++) {
    link_switches(b, sw, hub);
    link_switches(b, hub, sw);
  }
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* The switch that port `port` of a PE is tied to. */
static u32 switch_of_port(const Board *b, const Cell *cell, u32 port) {
  u32 corner = b->plan->topology == TOPOLOGY_CHESS ? (port + cell->turn) % PE_PORTS : 0;
  return (cell->layer * b->rows + cell->row + corner / 2) * b->columns + cell->column + corner % 2;
}

static void wire_cells(Board *b) {
  for (u32 c = 0; c < b->ncells; c++) {
    const Cell *cell = &b->cells[c];
    u32 nin = cell->pe->nin - cell->pe->nfrom, nout = cell->pe->nout - cell->pe->nto;
    for (u32 port = 0; port < nin || port < nout; port++) {
      u32 sw = switch_of_port(b, cell, port);
      SwitchPort what = {PORT_PE, c, port / PE_PORTS + cell->turn + cell->row + cell->column, port};
      if (port < nin) b->cell_in[cell->first_in + port] = tap(b, sw, what);
      if (port < nout) feed(b, sw, (WireEnd){FROM_CELL, c, port}, what);
    }
  }
}

/* The wires between PEs of one cell, which stand side by side in the list. */
static void wire_neighbours(Board *b) {
  for (u32 c = 0; c < b->ncells; c++) {
    Cell *from = &b->cells[c];
    if (!from->pe->nto) continue;
    for (u32 d = c - from->turn; d < b->ncells && (d == c - from->turn || b->cells[d].turn); d++) {
      Cell *to = &b->cells[d];
      if (!board_feeds(from->pe, to->pe)) continue;
      u32 port = to->pe->nin - to->pe->nfrom + to->nfrom++;
      b->cell_in[to->first_in + port] =
          (WireEnd){FROM_CELL, c, from->pe->nout - from->pe->nto + from->nto++};
    }
  }
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* The way out of the layer that is the shortest. */
static u32 nearest_side(u32 row, u32 column, u32 rows, u32 columns) {
  u32 ways[4] = {row, columns - 1 - column, rows - 1 - row, column}, side = 0;
  for (u32 i = 1; i < 4; i++)
    if (ways[i] < ways[side]) side = i;
  return side;
}

static bool is_grid(const Board *b) {
  return b->plan->topology != TOPOLOGY_RING && b->plan->topology != TOPOLOGY_STAR;
}

/* The switches of a board in the middle of the whole one, or of all of it. */
typedef struct {
  u32 top, left, rows, columns;
} Area;

static Area area_of(const Board *b, const FabricCore *core) {
  Area a = {.rows = core->rows + (b->rows - b->plan->rows),
            .columns = core->columns + (b->columns - b->plan->columns)};
  a.top = (b->rows - a.rows) / 2;
  a.left = (b->columns - a.columns) / 2;
  return a;
}

/* A switch of an area, by its row and column there. Out is now where the area ends. */
static void add_to_rim(Board *b, const Area *a, u32 layer, u32 row, u32 column) {
  u32 sw = (layer * b->rows + a->top + row) * b->columns + a->left + column;
  Switch *s = &b->switches[sw];
  s->side = nearest_side(row, column, a->rows, a->columns);
  s->is_corner = (row == 0 || row == a->rows - 1) && (column == 0 || column == a->columns - 1);
  b->rim[b->nrim++] = sw;
}

/* Clockwise from the north-west, layer by layer. A row or a column alone is its own rim, once. */
static void find_rim(Board *b, const Area *a) {
  u32 rows = a->rows, columns = a->columns;
  b->nrim = 0;
  for (u32 i = 0; !is_grid(b) && i < rows * columns; i++) b->rim[b->nrim++] = on_the_way(b, i);
  for (u32 layer = 0; is_grid(b) && layer < b->layers; layer++) {
    for (u32 c = 0; c < columns; c++) add_to_rim(b, a, layer, 0, c);
    for (u32 r = 1; r < rows; r++) add_to_rim(b, a, layer, r, columns - 1);
    for (u32 c = columns - 1; rows > 1 && c-- > 0;) add_to_rim(b, a, layer, rows - 1, c);
    for (u32 r = rows - 1; columns > 1 && r-- > 1;) add_to_rim(b, a, layer, r, 0);
  }
}

static void drop_corners(Board *b) {
  u32 n = 0;
  for (u32 i = 0; i < b->nrim; i++) {
    bool is_corner = b->switches[b->rim[i]].is_corner;
    if (!is_corner || !is_grid(b)) b->rim[n++] = b->rim[i];
  }
  if (n) b->nrim = n;
}

/* The switch at the rim for the i-th of n things that are spread around it. */
static u32 rim_place(const Board *b, u32 i, u32 n) {
  return b->rim[(u64)i * b->nrim / n];
}

/* The switch that a description has for a thing, or for lane `place` of a memory; else
 * `otherwise`. */
static u32 said_place(const Board *b, FabricPlacedKind kind, u32 number, u32 place, u32 otherwise) {
  for (size_t i = 0; i < b->plan->places.len; i++) {
    const FabricPlace *p = &b->plan->places.at[i];
    if (p->kind == kind && p->number == number && p->place == place % p->nplaces)
      return p->row * b->columns + p->column;
  }
  return otherwise;
}

/* Is there each thing that a place is said of, and each place? */
static bool places_are_there(const Board *b) {
  const FabricPlan *p = b->plan;
  const u32 counts[] = {p->memories, p->scratchpads, p->inputs, p->outputs};
  bool good = true;
  for (size_t i = 0; i < p->places.len; i++) {
    const FabricPlace *at = &p->places.at[i];
    bool is_thing = at->number < counts[at->kind];
    if (is_thing && at->row < b->rows && at->column < b->columns) continue;
    if (is_thing)
      diag(b->ctx, at->loc, COMP_ADG_PLAN, "%s%u cannot stand at %u,%u: the last switch is %u,%u",
           fabric_placed_names[at->kind], at->number, at->row, at->column, b->rows - 1,
           b->columns - 1);
    else
      diag(b->ctx, at->loc, COMP_ADG_PLAN, "there is no %s%u: the board has %u of them, from 0",
           fabric_placed_names[at->kind], at->number, counts[at->kind]);
    good = false;
  }
  return good;
}

/* Lanes of a memory stand side by side at the rim, but not in their order: a program uses the first
 * ones, and if these were neighbours the channels there would be full while others are idle. Of
 * eight: 0 4 2 6 1 5 3 7, the numbers with their bits turned round. */
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

/* The i-th of n memories that are spread around the rim. */
static void wire_memory(Board *b, u32 memory, u32 i, u32 n) {
  for (u32 lane = 0; lane < b->lanes; lane++) {
    u32 id = memory * b->lanes + lane;
    u32 sw = rim_place(b, i * b->lanes + lane_place(lane, b->lanes), n * b->lanes);
    bool outside = memory < b->plan->memories;
    sw = said_place(b, outside ? PLACED_MEMORY : PLACED_PAD,
                    outside ? memory : memory - b->plan->memories, lane, sw);
    b->lane_at[id] = sw;
    for (u32 family = 0; family < FAMILIES; family++) {
      if (lane < board_lanes_in(b, family))
        b->lane_in[id * FAMILIES + family] = tap(b, sw, to_memory);
      if (lane < board_lanes_out(b, family))
        feed(b, sw, (WireEnd){FROM_MEMORY, id, family}, to_memory);
    }
  }
}

/* What a core has more than the one inside of it. */
static void wire_rim(Board *b, const FabricCore *core, const FabricCore *inner) {
  u32 memories = core->memories - inner->memories;
  u32 n = memories + core->scratchpads - inner->scratchpads;
  u32 inputs = core->inputs - inner->inputs, outputs = core->outputs - inner->outputs;
  for (u32 i = 0; i < n; i++) {
    bool outside = i < memories;
    u32 first = outside ? inner->memories : b->plan->memories + inner->scratchpads;
    wire_memory(b, first + i - (outside ? 0 : memories), i, n);
  }
  for (u32 i = 0; i < inputs; i++) {
    u32 id = inner->inputs + i;
    b->input_at[id] = said_place(b, PLACED_IN, id, 0, rim_place(b, i, inputs));
    feed(b, b->input_at[id], (WireEnd){FROM_INPUT, id, 0}, to_edge);
  }
  for (u32 i = 0; i < outputs; i++) {
    u32 id = inner->outputs + i;
    b->output_at[id] = said_place(b, PLACED_OUT, id, 0, rim_place(b, i, outputs));
    b->outputs[id] = tap(b, b->output_at[id], to_edge);
  }
}

static void wire_edge(Board *b, bool with_corners) {
  const FabricPlan *p = b->plan;
  FabricCore whole = {p->rows, p->columns, p->memories, p->scratchpads, p->inputs, p->outputs};
  FabricCore inner = {0};
  for (u32 i = 0; i <= p->cores.len; i++) {
    FabricCore core = i < p->cores.len ? p->cores.at[i] : whole;
    Area area = area_of(b, &core);
    find_rim(b, &area);
    if (!with_corners) drop_corners(b);
    wire_rim(b, &core, &inner);
    inner = core;
  }
}

/* ---- where they are -------------------------------------------------------------------------- */

/* "sw_0_2", in a cube "sw_1_0_2" with the layer first. */
static const char *place_name(const Board *b, const char *what, u32 layer, u32 row, u32 column) {
  if (b->plan->topology == TOPOLOGY_CUBE)
    return str_printf(b->ctx, "%s_%u_%u_%u", what, layer, row, column)->text;
  return str_printf(b->ctx, "%s_%u_%u", what, row, column)->text;
}

/* How far a row or column is moved on so that what stands around cores has room. */
static int moats_before(u32 at, u32 first, u32 n) {
  return (at >= first ? MOAT : 0) + (at >= first + n ? MOAT : 0);
}

static Point grid_point(const Board *b, u32 layer, u32 row, u32 column) {
  int between = (int)b->columns + 5;
  Point at = {((int)layer * between + (int)column) * PITCH, (int)row * PITCH};
  for (u32 i = 0; i < b->plan->cores.len; i++) {
    Area a = area_of(b, &b->plan->cores.at[i]);
    at.x += moats_before(column, a.left, a.columns);
    at.y += moats_before(row, a.top, a.rows);
  }
  return at;
}

static const FabricSwitch *kind_of_switch(const FabricPlan *plan, u32 row, u32 column) {
  const char *pattern = plan->switch_pattern;
  u32 n;
  if (!pattern) return plan->switches.len ? plan->switches.at : NULL;
  char letter = *fabric_pattern_cell(pattern, row, column, &n);
  for (size_t i = 0; i < plan->switches.len; i++)
    if (plan->switches.at[i].letter == letter) return &plan->switches.at[i];
  return NULL;
}

static void place_switches(Board *b) {
  u32 in_layer = b->rows * b->columns;
  for (u32 sw = 0; sw < b->layers * in_layer; sw++) {
    u32 layer = sw / in_layer, row = sw % in_layer / b->columns, column = sw % b->columns;
    b->switches[sw] = (Switch){.name = place_name(b, "sw", layer, row, column),
                               .at = grid_point(b, layer, row, column),
                               .kind = kind_of_switch(b->plan, row, column),
                               .side = nearest_side(row, column, b->rows, b->columns)};
  }
  if (b->plan->topology == TOPOLOGY_STAR) {
    Point middle = {((int)b->columns - 1) * PITCH / 2 + 20, ((int)b->rows - 1) * PITCH / 2 + 20};
    b->switches[b->nswitches - 1] = (Switch){.name = "hub", .at = middle};
  }
}

static void place_cells(Board *b) {
  int off = b->plan->topology == TOPOLOGY_CHESS ? PITCH / 2 : 2 * PITCH / 5;
  for (u32 c = 0; c < b->ncells; c++) {
    Cell *cell = &b->cells[c];
    Point at = grid_point(b, cell->layer, cell->row, cell->column);
    bool is_one = !cell->turn && (c + 1 == b->ncells || !cell[1].turn);
    cell->name = place_name(b, "pe", cell->layer, cell->row, cell->column);
    if (!is_one) cell->name = str_printf(b->ctx, "%s_%c", cell->name, 'a' + (int)cell->turn)->text;
    cell->at = (Point){at.x + off, at.y + off};
    if (is_one) continue;
    cell->at.x += cell->turn % 2 ? 17 : -17; /* PEs of one cell stand in rows of two */
    cell->at.y += 13 * ((int)cell->turn / 2 * 2 - 1);
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const Switch *misfit(const Board *b) {
  for (u32 sw = 0; sw < b->nswitches; sw++)
    if (b->switches[sw].nin > MAX_SWITCH_PORTS || b->switches[sw].nout > MAX_SWITCH_PORTS)
      return &b->switches[sw];
  return NULL;
}

static void lay_wires(Board *b, bool with_corners) {
  place_switches(b);
  switch (b->plan->topology) {
  case TOPOLOGY_RING: link_ring(b); break;
  case TOPOLOGY_STAR: link_star(b); break;
  default: link_grid(b); break;
  }
  wire_cells(b);
  wire_edge(b, with_corners);
}

bool board_wires(Board *b) {
  u32 corner = b->plan->topology == TOPOLOGY_CHESS, inputs = 0;
  b->layers = b->plan->topology == TOPOLOGY_CUBE ? b->plan->depth : 1;
  b->rows = b->plan->rows + corner;
  b->columns = b->plan->columns + corner;
  b->nswitches = b->layers * b->rows * b->columns + (b->plan->topology == TOPOLOGY_STAR);
  b->nmemories = b->plan->memories + b->plan->scratchpads;
  b->lanes = fabric_plan_lanes(b->plan);
  b->nlanes = b->nmemories * b->lanes;
  for (u32 c = 0; c < b->ncells; c++) {
    b->cells[c].first_in = inputs;
    inputs += b->cells[c].pe->nin;
  }
  b->switches = NEW_ARRAY(b->arena, Switch, b->nswitches);
  b->rim = NEW_ARRAY(b->arena, u32, b->nswitches);
  b->cell_in = NEW_ARRAY(b->arena, WireEnd, inputs);
  b->lane_at = NEW_ARRAY(b->arena, u32, b->nlanes);
  b->lane_in = NEW_ARRAY(b->arena, WireEnd, b->nlanes * FAMILIES);
  b->input_at = NEW_ARRAY(b->arena, u32, b->plan->inputs);
  b->output_at = NEW_ARRAY(b->arena, u32, b->plan->outputs);
  b->outputs = NEW_ARRAY(b->arena, WireEnd, b->plan->outputs);
  if (!places_are_there(b)) return false;
  place_cells(b);
  wire_neighbours(b);
  lay_wires(b, false);
  if (misfit(b)) lay_wires(b, true);
  const Switch *s = misfit(b);
  if (!s) return true;
  diag(b->ctx, LOC_NONE, COMP_ADG_PORTS,
       "switch %s would have %u inputs and %u outputs, more than %d", s->name, s->nin, s->nout,
       (int)MAX_SWITCH_PORTS);
  diag_hint(b->ctx, "take fewer --tracks, --memories, --lanes or ports, or more PEs");
  return false;
}

/* grid.h -- private to the generator: a grid of switches, PEs and their wires.
 *
 *     cells.c     the PEs of each cell, and the definitions of all of them
 *     topology.c  the switches, and every wire
 *     generate.c  the text: the module, its switches and PEs
 *     edge.c      the text at the border: memories, tags, the fabric's own ports
 *     drawing.c   where each component is drawn
 *
 * First all wires are laid, which gives each switch a list of the drivers of its inputs and a count
 * of its outputs. Then the text is written from these lists, and the position of each component is
 * recorded as it is written. Both are linear in the fabric. */
#ifndef LOOM_GENERATE_GRID_H
#define LOOM_GENERATE_GRID_H

#include "generate/generate.h"

/* Ports of the default PEs; and the most ports of any PE, of a switch, and entries of a map_tag. */
enum { PE_PORTS = 4, MAX_PE_PORTS = 64, MAX_SWITCH_PORTS = 32, MAX_TAG_TABLE = 256 };

typedef enum {
  FROM_LINK, /* another switch */
  FROM_SWITCH,
  FROM_CELL,
  FROM_INPUT,
  FROM_MEMORY
} SourceKind;

/* The driver of a wire: output `port` of a component. Of a memory, `id` counts lanes of all
 * memories and `port` is 0 load data, 1 load done, 2 store done. */
typedef struct {
  u32 kind, id, port;
} WireEnd;

/* A point of the drawing, 100 units from a switch to the next. */
typedef struct {
  int x, y;
} Point;

/* The other end of a port of a switch: another switch, a PE, a memory, or a port of the fabric. */
typedef struct {
  enum { PORT_LINK, PORT_PE, PORT_MEMORY, PORT_EDGE } kind;
  u32 other; /* the switch, or the cell */
  u32 index; /* the track; of a PE a number that CONNECT_TRACKS assigns to tracks by parity */
  u32 port;  /* of the PE */
} SwitchPort;

typedef struct {
  const char *name;
  Point at;
  u32 side; /* the direction out of the grid: 0 north, 1 east, 2 south, 3 west */
  bool is_corner;
  u32 nplaced, nplaced_memories; /* drawn at it so far */
  const FabricSwitch *kind;      /* NULL: CONNECT_ALL */
  WireEnd in[MAX_SWITCH_PORTS];
  SwitchPort inputs[MAX_SWITCH_PORTS], outputs[MAX_SWITCH_PORTS];
  u32 nin, nout; /* may exceed MAX_SWITCH_PORTS, until grid_wires has checked them */
} Switch;

/* A definition of a PE; types as the text has them, inputs before outputs. */
typedef struct {
  const char *name;
  const FabricClass *class; /* NULL: a default PE, or a user's */
  FabricFifo fifo;          /* before its inputs from switches */
  FabricFifo out_fifo;      /* behind its outputs to switches */
  u32 instructions;
  bool is_tagged; /* temporal */
  u32 tag;        /* bits of its tags */
  u32 entries;    /* of a map_tag before it: one per instruction */
  u32 nin, nout;
  u32 nfrom, nto; /* the last of nin and nout: wires from and to PEs of its cell */
  const char *const *types, *const *values; /* values: without their tags */
} GridPe;

/* An instance of a PE; several may be in one cell. */
typedef struct {
  const char *name; /* "pe_0_1"; of several in a cell "pe_0_1_a" */
  const GridPe *pe;
  u32 layer, row, column;
  u32 slot; /* its number in its cell: its ports start that many corners further */
  Point at;
  u32 first_in;   /* Grid.cell_in */
  u32 nfrom, nto; /* wires from and to PEs of its cell that are laid so far */
} Cell;

typedef struct {
  const char *name, *kind;
  Point at;
} Placed;

typedef struct {
  Context *ctx;
  Arena *arena;
  const FabricPlan *plan;
  /* cells.c */
  FabricPatternCell *pattern; /* by row and column of a layer */
  u32 ncells;
  u32 instructions; /* the most of any PE */
  Cell *cells;
  GridPe spatial, temporal; /* the default PEs: letters S and T */
  GridPe *classes;          /* by FabricPlan.classes */
  Buf definitions;
  /* types of wires */
  u32 net_tag;      /* bits of the tags between switches and PEs; 0: none */
  const char *net;  /* type of a wire between switches and PEs */
  const char *bits; /* the same without its tag */
  /* topology.c */
  u32 layers, rows, columns; /* of switches */
  u32 nswitches;
  Switch *switches;
  u32 *border; /* switches at the border being wired (of a core, or the grid), clockwise */
  u32 nborder;
  WireEnd *cell_in;
  u32 lanes, nlanes, nmemories; /* of one memory, of all */
  u32 *lane_at;                 /* the switch of each lane */
  WireEnd *lane_in;             /* three per lane: load address, store address, store data */
  u32 *input_at, *output_at;
  WireEnd *outputs;
  /* text */
  Buf *out;
  Vec(Placed) placed;
} Grid;

/* Ports of a memory come in families: load address, store address, store data; load data, load
 * done, store done. The lanes of family 0, 1, 2 of its inputs, and of its outputs: */
enum { FAMILIES = 3 };
static inline u32 grid_lanes_in(const Grid *g, u32 family) {
  return family == 0 ? g->plan->loads : g->plan->stores;
}
static inline u32 grid_lanes_out(const Grid *g, u32 family) {
  return family < 2 ? g->plan->loads : g->plan->stores;
}

/* cells.c: fills the cells and the definitions. False after a diagnostic. */
bool grid_cells(Grid *g);
/* True where PEs of one cell are wired from `from` to `to`. */
bool grid_feeds(const GridPe *from, const GridPe *to);
/* True where an input of a PE has a FIFO: only inputs from switches can. */
bool grid_has_fifo(const GridPe *pe, u32 port);
/* topology.c: fills the switches and every wire. False after COMP_ADG_PORTS. */
bool grid_wires(Grid *g);
/* edge.c: the tag adapters between switches and the fabric's own ports and memories. */
void grid_put_border(Grid *g);
void grid_put_memory(Grid *g, u32 memory);
/* `%pad_0#3`: the memref result of a scratchpad, for the host. */
void grid_put_memref(Grid *g, u32 memory);
/* The value that a lane or an input of the fabric drives a switch with, and its type there. */
void grid_put_edge_value(Grid *g, WireEnd end);
const char *grid_edge_type(const Grid *g, WireEnd end);
/* The driver of an output of the fabric. */
void grid_put_output(Grid *g, u32 i);
/* The memref type of an external memory, or of a scratchpad. */
const char *grid_memref(const Grid *g, bool outside);
/* The ends of lines of add_tag and del_tag ops. */
void grid_put_add_tag(Grid *g, const char *name, u32 tag, const char *from, const char *to);
void grid_put_del_tag(Grid *g, const char *name, const char *from, const char *to);

/* generate.c: the value that drives a wire. */
void grid_put_value(Grid *g, WireEnd end);
/* `connectivity_table = ["11", ...]` with all pairs. */
void grid_put_table(Grid *g, u32 nin, u32 nout);
/* `buffer = "full", `, or nothing for BUFFER_NONE. */
void grid_put_buffer(Grid *g, u32 buffer);
/* topology.c: true where an input of a switch is connected to an output. */
bool grid_is_connected(const Grid *g, u32 sw, u32 in, u32 out);

/* drawing.c: records the position of a component. */
void grid_place(Grid *g, const char *name, const char *kind, Point at);
/* The same for the next small component at the border that belongs to a switch. */
void grid_place_port(Grid *g, u32 sw, const char *name, const char *kind);
/* The distance of the next memory from its switch. */
int grid_memory_out(Grid *g, u32 sw);
/* The point at distance `out` outside of a switch, and `along` along the border. */
Point grid_outside(const Switch *s, int out, int along);
void grid_put_layout(const Grid *g, Buf *out);

/* cells.c: the type `value` with a tag of `tag` bits, or unchanged for 0. It lives as long as the
 * context. */
const char *grid_tagged(const Grid *g, const char *value, u32 tag);

#endif

/* grid.h -- private to the generator: a grid of switches and PEs while it is being laid out.
 *
 *     cells.c     which PE stands in each cell, and the definitions of all of them
 *     topology.c  where the switches are, and every wire
 *     generate.c  the text: the module, its switches and PEs
 *     edge.c      the text at the border: memories, tags, the fabric's own ports
 *     drawing.c   where each component is drawn
 *
 * First all is decided and every wire is laid, which gives each switch a list of what drives its
 * inputs and a count of its outputs; then the text is written from these lists, and where each
 * component stands is noted as it is written. */
#ifndef LOOM_GENERATE_GRID_H
#define LOOM_GENERATE_GRID_H

#include "generate/generate.h"

/* Ports of the PEs that cells have by themselves, and of any PE; of a switch; entries of a map_tag.
 */
enum { PE_PORTS = 4, MAX_PE_PORTS = 64, MAX_SWITCH_PORTS = 32, MAX_TAG_TABLE = 256 };

typedef enum {
  FROM_LINK, /* another switch */
  FROM_SWITCH,
  FROM_CELL,
  FROM_INPUT,
  FROM_MEMORY
} SourceKind;

/* What drives a wire: output `port` of a component. Of a memory, `id` counts lanes of all memories
 * and `port` is 0 load data, 1 load done, 2 store done. */
typedef struct {
  u32 kind, id, port;
} WireEnd;

/* A point of the drawing, 100 units from a switch to the next. */
typedef struct {
  int x, y;
} Point;

/* What a port of a switch leads to or comes from: another switch, by which track; a port of a PE;
 * a memory; or something else. */
typedef struct {
  enum { PORT_LINK, PORT_PE, PORT_MEMORY, PORT_EDGE } kind;
  u32 other, index;
  u32 port; /* of the PE */
} SwitchPort;

typedef struct {
  const char *name;
  Point at;
  u32 side; /* which way is out: 0 north, 1 east, 2 south, 3 west */
  bool is_corner;
  u32 nplaced, nplaced_memories; /* drawn at it so far */
  const FabricSwitch *kind;      /* NULL: everything reaches everything */
  WireEnd in[MAX_SWITCH_PORTS];
  SwitchPort inputs[MAX_SWITCH_PORTS], outputs[MAX_SWITCH_PORTS];
  u32 nin, nout; /* counted on where they do not fit */
} Switch;

/* A definition of a PE; types as the text has them, inputs before outputs. */
typedef struct {
  const char *name;
  const FabricClass *class; /* NULL: one that cells have by themselves, or a user's */
  FabricFifo fifo;          /* before its inputs from switches */
  FabricFifo out_fifo;      /* behind its outputs to switches */
  u32 instructions;
  bool is_tagged; /* temporal */
  u32 tag;        /* bits of its tags */
  u32 entries;    /* of a map_tag before it: one an instruction */
  u32 nin, nout;
  u32 nfrom, nto; /* the last of these: wires from and to PEs of its cell */
  const char *const *types, *const *values; /* values: without their tags */
} GridPe;

/* A PE at its place; several may share one. */
typedef struct {
  const char *name; /* "pe_0_1"; of several in a cell "pe_0_1_a" */
  const GridPe *pe;
  u32 layer, row, column;
  u32 turn; /* which of its cell it is: its ports begin so many corners further */
  Point at;
  u32 first_in;   /* Grid.cell_in */
  u32 nfrom, nto; /* wires from and to PEs of its cell that are laid */
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
  u32 instructions; /* the most that a PE has */
  Cell *cells;
  GridPe spatial, temporal; /* those that cells have by themselves */
  GridPe *classes;          /* by FabricPlan.classes */
  Buf definitions;
  /* types of wires */
  u32 net_tag;      /* bits of the tags between switches and PEs; 0: none */
  const char *net;  /* such a wire */
  const char *bits; /* the same without its tag */
  /* topology.c */
  u32 layers, rows, columns; /* of switches */
  u32 nswitches;
  Switch *switches;
  u32 *border; /* switches at the border that things are tied to just now, clockwise */
  u32 nborder;
  WireEnd *cell_in;
  u32 lanes, nlanes, nmemories; /* of one memory, of all */
  u32 *lane_at;                 /* the switch of each lane */
  WireEnd *lane_in;             /* three a lane: load address, store address, store data */
  u32 *input_at, *output_at;
  WireEnd *outputs;
  /* text */
  Buf *out;
  Vec(Placed) placed;
} Grid;

/* Ports of a memory come in families: load address, store address, store data; load data, load
 * done, store done. How many lanes family 0, 1, 2 of its inputs, and of its outputs, has. */
enum { FAMILIES = 3 };
static inline u32 grid_lanes_in(const Grid *g, u32 family) {
  return family == 0 ? g->plan->loads : g->plan->stores;
}
static inline u32 grid_lanes_out(const Grid *g, u32 family) {
  return family < 2 ? g->plan->loads : g->plan->stores;
}

/* cells.c: fills the cells and the definitions. False after a diagnostic. */
bool grid_cells(Grid *g);
/* Does a PE have a wire to another one of its cell? */
bool grid_feeds(const GridPe *from, const GridPe *to);
/* Is there a FIFO before an input of a PE? Only before those from switches. */
bool grid_has_fifo(const GridPe *pe, u32 port);
/* topology.c: fills the switches and every wire. False after COMP_ADG_PORTS. */
bool grid_wires(Grid *g);
/* edge.c: what stands between the fabric's own ports, its memories, and the switches. */
void grid_put_border(Grid *g);
void grid_put_memory(Grid *g, u32 memory);
/* `%pad_0#3`: a scratchpad as the host sees it. */
void grid_put_memref(Grid *g, u32 memory);
/* What a lane or an input gives to a switch, and its type there. */
void grid_put_edge_value(Grid *g, WireEnd end);
const char *grid_edge_type(const Grid *g, WireEnd end);
/* What drives an output of the fabric. */
void grid_put_output(Grid *g, u32 i);
/* The type of a memory outside, or of a scratchpad. */
const char *grid_memref(const Grid *g, bool outside);
/* The ends of lines that put a tag on, and take it off. */
void grid_put_add_tag(Grid *g, const char *name, u32 tag, const char *from, const char *to);
void grid_put_del_tag(Grid *g, const char *name, const char *from, const char *to);

/* generate.c: what drives a wire. */
void grid_put_value(Grid *g, WireEnd end);
/* `connectivity_table = ["11", ...]` where everything reaches everything. */
void grid_put_table(Grid *g, u32 nin, u32 nout);
/* `buffer = "full", `, or nothing where there is none. */
void grid_put_buffer(Grid *g, u32 buffer);
/* topology.c: is an input of a switch wired to an output? */
bool grid_is_connected(const Grid *g, u32 sw, u32 in, u32 out);

/* drawing.c: notes where a component is drawn. */
void grid_place(Grid *g, const char *name, const char *kind, Point at);
/* The same for the next small component at the border that belongs to a switch. */
void grid_place_port(Grid *g, u32 sw, const char *name, const char *kind);
/* How far from its switch the next memory stands. */
int grid_memory_out(Grid *g, u32 sw);
/* So far out of a switch, and so far along the border. */
Point grid_outside(const Switch *s, int out, int along);
void grid_put_layout(const Grid *g, Buf *out);

/* cells.c: text that lives as long as the context: `value` with a tag of so many bits, or with 0 as
 * it is. */
const char *grid_tagged(const Grid *g, const char *value, u32 tag);

#endif

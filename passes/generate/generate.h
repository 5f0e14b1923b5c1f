/* generate.h -- generates fabrics: Fabric text from a plan of a few numbers.
 *
 *     FabricPlan plan = fabric_plan_default();
 *     plan.rows = plan.columns = 2;
 *     fabric_generate(ctx, &plan, &out, NULL);
 *
 * A plan specifies the number of PEs, their wiring and their operations. The generated text is an
 * ordinary Fabric file, which is verified and flattened like one written by hand. Generation is
 * deterministic: equal plans give equal texts. */
#ifndef LOOM_GENERATE_GENERATE_H
#define LOOM_GENERATE_GENERATE_H

#include "base/options.h"
#include "ir/fabric.h"
#include "ir/ir.h"

typedef enum {
  TOPOLOGY_CHESS, /* switches on the corners of the cells; a PE is connected to its four corners */
  TOPOLOGY_MESH,  /* a switch in each cell, wired to its four neighbours and a PE */
  TOPOLOGY_TORUS, /* a mesh whose rows and columns are rings */
  TOPOLOGY_LATTICE, /* a mesh with diagonals: eight neighbours */
  TOPOLOGY_RING,    /* one ring through all cells, along the rows in alternating directions */
  TOPOLOGY_CUBE,    /* meshes in layers, each switch wired to those above and below it */
  TOPOLOGY_STAR     /* every switch wired to one hub */
} FabricTopology;

typedef enum {
  UNITS_INT,   /* control, memory, streams, and integers of 32 and 64 bits */
  UNITS_FLOAT, /* and the floats of arith */
  UNITS_FULL,  /* and all of math */
  UNITS_ALL, /* and arithmetic in i1, i8, i16, f16 and bf16: whatever lowering leaves in a graph */
  UNITS_MERGED /* UNITS_ALL without operations that only simulation implements; operations of the
                * same types, latency and interval share a unit */
} FabricUnits;

enum { NET_SPATIAL, NET_TEMPORAL };
#define NET_BY_PES OPTION_UNSET /* tagged where all PEs are temporal */

/* A FIFO on each wire of some kind; depth 0: no FIFO. */
typedef struct {
  u32 depth;
  bool is_bypassable;
  u32 ports; /* only before the last `ports` inputs of a PE that come from switches; 0: all */
} FabricFifo;

/* A class of PEs: a letter of patterns. It has the units of the plan's library whose names match
 * one of `units`: `addi_*` is addition in every type. */
typedef struct {
  char letter;
  const char *name; /* of the definition */
  Texts units;
  u32 inputs, outputs;
  u32 instructions;           /* 0: spatial */
  FabricFifo fifo;            /* before its inputs; depth OPTION_UNSET: the plan's */
  FabricFifo out_fifo;        /* behind its outputs to switches */
  const char *feeds, *fed_by; /* letters of classes: a wire to, or from, each of their PEs in the
                               * same cell; or NULL */
  bool avoids_memory; /* no switch connects answers of a memory to its inputs without FIFO */
  Loc loc;            /* of its heading in the description */
} FabricClass;

/* The connectivity of a switch. */
typedef enum {
  CONNECT_ALL,
  CONNECT_TURNS, /* all but from a neighbour back to it, and from a memory to a memory */
  CONNECT_TRACKS /* likewise; a channel going straight on stays on its track, and a port of a PE
                  * reaches every second track */
} FabricConnect;

/* A kind of switch: a letter of switch patterns. */
typedef struct {
  char letter;
  FabricConnect connect;
  u32 buffer;      /* of SPATIAL_SW_buffer_words, or OPTION_UNSET: the plan's */
  FabricFifo fifo; /* behind its channels to other switches; depth OPTION_UNSET: the plan's */
} FabricSwitch;

/* The latency and interval of units whose names match a pattern. */
typedef struct {
  const char *units;
  u32 latency, interval;
  Loc loc;
} FabricLatency;

/* An explicit place for a memory or port of the fabric, which by default is at the border: a switch
 * by row and column. The lanes of a memory take its places in turn. */
typedef enum { PLACED_MEMORY, PLACED_PAD, PLACED_IN, PLACED_OUT, PLACED_KINDS } FabricPlacedKind;
typedef struct {
  FabricPlacedKind kind;
  u32 number;
  u32 place, nplaces; /* this is place number `place` of `nplaces` */
  u32 row, column;
  Loc loc;
} FabricPlace;

/* One cell with another PE than the pattern's. */
typedef struct {
  u32 layer, row, column;
  const char *pe; /* without @ */
} FabricCell;

/* A smaller grid in the middle of a grid: its memories and ports stay at its own border, and have
 * the lowest numbers. So a mapping onto the smaller fabric is also one onto the larger, along the
 * same wires. */
typedef struct {
  u32 rows, columns;
  u32 memories, scratchpads, inputs, outputs; /* at its border and further inside */
} FabricCore;

/* Where a description gives a value of the grid. */
typedef struct {
  const char *name;
  Loc loc;
} FabricKey;

/* fabric_plan_options gives the meaning, limits and defaults of the numbers. OPTION_UNSET: chosen
 * by fabric_generate from the other numbers. */
typedef struct {
  FabricTopology topology;
  FabricUnits units;
  u32 rows, columns, depth;    /* of PEs */
  u32 tracks;                  /* channels from a switch to its neighbour, each way */
  u32 width;                   /* bits of a channel, and of the widest value: 32 or 64 */
  u32 operand_buffer;          /* of temporal PEs: places; 0: there is none */
  u32 instructions, registers; /* of temporal PEs; no instructions: PEs are spatial */
  const char *pattern; /* the PEs of each cell: fabric_pattern_ok; NULL: one of the first class or,
                        * without classes, of the library, temporal where there are instructions */
  const char *switch_pattern; /* the kind of each switch; NULL: the first, or CONNECT_ALL */
  Vec(FabricClass) classes;
  Vec(FabricSwitch) switches;
  Vec(FabricLatency) latencies; /* the last match counts */
  u32 net;                      /* NET_...: whether channels of switches and PEs are tagged */
  u32 routes;                   /* of a temporal switch */
  FabricFifo link, pe_input;    /* between switches; before the inputs of PEs */
  u32 lane_buffer; /* of SPATIAL_SW_buffer_words: of switches that split answers by lane */
  u32 memories, scratchpads; /* interfaces to external memory; memories on the fabric */
  u32 words;                 /* of a scratchpad */
  u32 loads, stores;         /* lanes of one memory; not both 0 */
  u32 memory_tag;            /* bits of the tags that distinguish lanes */
  /* By FabricParamId: hardware parameters of memories; and of switches between PEs,
   * PARAM_SPATIAL_SW_buffer for both kinds. */
  u32 params[FABRIC_PARAM_COUNT];
  const char *element;     /* type of a memory's elements; NULL: integers as wide as a channel */
  u32 inputs, outputs;     /* of the fabric itself: scalars and control tokens */
  Vec(FabricCore) cores;   /* in ascending order, each containing the one before; those that exceed
                          * the plan are left out */
  Vec(FabricPlace) places; /* in the order of the text; those of one memory or port are adjacent */
  u32 ncells;
  const FabricCell *cells;
  Vec(FabricKey) keys;     /* of the description, one behind the other; empty: of a preset */
  const Module *unit_file; /* its function units are the library, `units` is not used; or NULL */
  const Module *pe_file;   /* PEs for `cells`; or NULL. Both verified */
  const char *viz_file;    /* name of the layout file, for the text; or NULL */
} FabricPlan;

/* The numbers of a plan as options, with their names, limits and defaults. Offsets are those of
 * FabricPlan. */
extern const Option fabric_plan_options[];

enum {
  FABRIC_MAX_CELLS = 1 << 16,
  FABRIC_MAX_FIFO = 65536,
  FABRIC_MAX_LANES = 32,
  FABRIC_MAX_INSTRUCTIONS = 256, /* of a temporal PE */
  FABRIC_MAX_PES = 16            /* of one cell */
};

/* Gives the plan's `instructions`, which an option has set, to its temporal classes so far. False
 * where that would make them spatial, with 0. */
bool fabric_plan_set_instructions(FabricPlan *plan);
/* The lanes of each memory of the plan. */
u32 fabric_plan_lanes(const FabricPlan *plan);
/* The channels of each external memory, and the banks of each memory on the fabric. */
u32 fabric_plan_channels(const FabricPlan *plan);
u32 fabric_plan_banks(const FabricPlan *plan);
/* Bits that distinguish the lanes of a memory; 0 for one lane. */
u32 fabric_plan_lane_bits(const FabricPlan *plan);

/* Values of a plan that contradict one another. */
typedef struct {
  const char *text;    /* the message */
  const char *keys[4]; /* their names, without dashes, the one to blame first; NULL: no more */
} FabricFault;

/* False, and *fault, where values of the plan contradict one another. `dashes` stands in front of
 * their names in the message: "--", or nothing for a description. */
bool fabric_plan_agrees(Context *ctx, const FabricPlan *plan, const char *dashes,
                        FabricFault *fault);
/* The line of the description that gives one of the values, the first of `keys` that has one; or
 * LOC_NONE. */
Loc fabric_fault_loc(const FabricPlan *plan, const FabricFault *fault);
/* True, after a diagnostic at that line, where values of a description contradict one another. */
bool fabric_plan_refuse(Context *ctx, const FabricPlan *plan);

/* The names of the unit libraries, in the order of their enum, ended by NULL. */
extern const char *const fabric_unit_libraries[];
/* "mem_", "pad_", ...: name prefixes, by FabricPlacedKind. */
extern const char *const fabric_placed_names[];
/* The names of the presets, ended by NULL. */
extern const char *const fabric_presets[];

/* The options' defaults: chess, 4x4, UNITS_FULL. */
FabricPlan fabric_plan_default(void);
/* True of a well-formed pattern: rows of cells with slashes between them, repeated over the grid:
 * "ST/TS" is a checkerboard. A cell is a letter, or several in parentheses, one for each PE. S is a
 * spatial and T a temporal PE with the plan's library; other letters are classes. */
bool fabric_pattern_ok(const FabricPlan *plan, const char *pattern);
/* The same for patterns of switches, one letter for each. */
bool fabric_switch_pattern_ok(const FabricPlan *plan, const char *pattern);

/* The first letter of a pattern that is not a class, or a kind of switches; or NULL. */
const char *fabric_pattern_unknown(const FabricPlan *plan, const char *pattern);
const char *fabric_switch_pattern_unknown(const FabricPlan *plan, const char *pattern);
/* The letters of a cell. */
typedef struct {
  const char *letters;
  u32 n;
} FabricPatternCell;
/* Repeats a pattern over a grid: the letters of each cell, row by row. */
void fabric_pattern_lay(const char *pattern, u32 rows, u32 columns, FabricPatternCell *cells);
/* True where some PE of the pattern is temporal. */
bool fabric_plan_is_temporal(const FabricPlan *plan);
/* Reads a decimal number at the start of a text and returns its end; NULL if there is none or it
 * has more than nine digits. */
const char *fabric_number_read(const char *text, u32 *number);
/* Reads "4", "4,bypassable" or "none"; false if the text is something else. */
bool fabric_fifo_read(const char *text, FabricFifo *fifo);

/* True where no number of `inner` exceeds that of `outer`. */
bool fabric_core_fits(const FabricCore *inner, const FabricCore *outer);
/* The whole grid of the plan as a core. */
FabricCore fabric_plan_board(const FabricPlan *plan);
/* Removes those of *n cores that do not fit into the plan's grid. */
void fabric_cores_keep(const FabricPlan *plan, FabricCore *cores, size_t *n);

/* describe.c: reads a description into a plan, whose whole grid becomes the last of its cores.
 * False after COMP_ADG_PLAN. */
bool fabric_plan_read(Context *ctx, const Source *source, FabricPlan *plan);
/* True of Fabric text: a line begins with an operation of the dialect. */
bool fabric_plan_is_fabric(const Source *source);
bool fabric_is_preset(const char *name);
/* The plan of a preset, which is a built-in description; false if there is no such preset. */
bool fabric_plan_preset(Context *ctx, const char *name, FabricPlan *plan);
void fabric_plan_free(FabricPlan *plan);

/* Appends the text of a plan whose numbers are within the limits above and, unless `viz` is NULL,
 * its layout: JSON with a position for every component. False after a diagnostic, when `out` and
 * `viz` are incomplete: a switch with too many ports (COMP_ADG_PORTS), a cell or its PE that does
 * not exist (COMP_ADG_CELL), something else in a file of units or PEs (COMP_ADG_FILE), two
 * definitions of one name (COMP_ADG_NAME), or a plan that contradicts itself (COMP_ADG_PLAN). */
bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, Buf *viz);

/* Names of function units, without @; they live as long as the context. */
typedef Vec(const char *) FabricUnitNames;

/* True where a name matches a pattern: `*` matches any text, `{a,b}` either. */
bool fabric_name_fits(const char *name, const char *pattern);
bool fabric_class_has(const FabricClass *class, const char *unit);
/* True of the loop ends (loop_...). They are combinational from switch to switch, so only classes
 * of spatial PEs whose `units` match them have them. */
bool fabric_unit_wants_class(const char *unit);
/* True where some PE of the plan may have this unit of the library. */
bool fabric_plan_wants(const FabricPlan *plan, const char *unit);

/* Appends the definitions of those function units of the plan's library that some PE may have, and
 * their names. Used by fabric_generate, and to check names of units. */
void fabric_unit_library(Context *ctx, const FabricPlan *plan, Buf *out, FabricUnitNames *names);

#endif

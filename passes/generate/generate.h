/* generate.h -- fabrics made to measure: Fabric text from a few numbers.
 *
 *     FabricPlan plan = fabric_plan_default();
 *     plan.rows = plan.columns = 2;
 *     fabric_generate(ctx, &plan, &out, NULL);
 *
 * A plan says how many PEs there are, how they are wired and what they can compute. The text that
 * comes of it is an ordinary Fabric file: it verifies, it flattens, and nothing downstream knows
 * that no one wrote it by hand. One plan gives one text, byte by byte. */
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
  TOPOLOGY_RING,    /* one ring through all cells, to and fro along the rows */
  TOPOLOGY_CUBE,    /* meshes in layers, each switch wired to those above and below it */
  TOPOLOGY_STAR     /* every switch wired to one hub */
} FabricTopology;

typedef enum {
  UNITS_INT,   /* control, memory, streams, and integers of 32 and 64 bits */
  UNITS_FLOAT, /* and the floats of arith */
  UNITS_FULL,  /* and all of math */
  UNITS_ALL, /* and arithmetic in i1, i8, i16, f16 and bf16: whatever lowering leaves in a graph */
  UNITS_MERGED /* the same but for what only simulates; operations of the same types and cycles in
                * one unit */
} FabricUnits;

enum { NET_SPATIAL, NET_TEMPORAL };
#define NET_BY_PES OPTION_UNSET /* tagged where all PEs are temporal */

/* A FIFO on each wire of some kind; none where the depth is 0. */
typedef struct {
  u32 depth;
  bool is_bypassable;
  u32 ports; /* before so many inputs of a PE only, the last of those from switches; 0: all */
} FabricFifo;

/* A kind of PE: a letter of patterns. It has those units of the plan's library whose names fit one
 * of `units`: `addi_*` is addition in every type. */
typedef struct {
  char letter;
  const char *name; /* of the definition */
  Texts units;
  u32 inputs, outputs;
  u32 instructions;           /* 0: it is spatial */
  FabricFifo fifo;            /* before its inputs; depth OPTION_UNSET: the plan's */
  FabricFifo out_fifo;        /* behind its outputs to switches */
  const char *feeds, *fed_by; /* letters of classes: a wire to each PE of these in its cell, and
                               * from each; or NULL */
  bool is_past_memory;        /* no answer of a memory comes to it in one switch */
} FabricClass;

/* Which pairs of a switch's ports are wired. */
typedef enum {
  CONNECT_ALL,
  CONNECT_TURNS, /* but a channel does not go back where it comes from, nor a memory's answer to one */
  CONNECT_TRACKS /* likewise; a channel stays on its track, and every second one meets a port of a PE */
} FabricConnect;

/* A kind of switch: a letter of switch patterns. */
typedef struct {
  char letter;
  FabricConnect connect;
  u32 buffer;      /* of SPATIAL_SW_buffer_words, or OPTION_UNSET: the plan's */
  FabricFifo fifo; /* behind its channels to others; depth OPTION_UNSET: the plan's */
} FabricSwitch;

/* Units whose names the pattern takes need so many cycles. */
typedef struct {
  const char *units;
  u32 latency, interval;
  Loc loc;
} FabricLatency;

/* Where something stands that would stand at the border: at switches by row and column, the lanes
 * of a memory at one after another, and again from the first on. */
typedef enum { PLACED_MEMORY, PLACED_PAD, PLACED_IN, PLACED_OUT, PLACED_KINDS } FabricPlacedKind;
typedef struct {
  FabricPlacedKind kind;
  u32 number;
  u32 place, nplaces; /* this place is the `place`-th of so many */
  u32 row, column;
  Loc loc;
} FabricPlace;

/* Another PE than the grid's in one cell. */
typedef struct {
  u32 layer, row, column;
  const char *pe; /* without @ */
} FabricCell;

/* A smaller grid in the middle of a grid: what stands at its border stands there on the larger one,
 * too, and has the first numbers. So whatever fits onto the smaller one fits onto the larger one,
 * with the same wires. */
typedef struct {
  u32 rows, columns;
  u32 memories, scratchpads, inputs, outputs; /* at its border and further inside */
} FabricCore;

/* What the numbers mean, their limits and what they are by themselves: fabric_plan_options. One
 * that fabric_generate is to choose by the others is OPTION_UNSET. */
typedef struct {
  FabricTopology topology;
  FabricUnits units;
  u32 rows, columns, depth;    /* of PEs */
  u32 tracks;                  /* channels from a switch to its neighbour, each way */
  u32 width;                   /* bits of a channel, and of the widest value: 32 or 64 */
  u32 operand_buffer;          /* of temporal PEs: places; 0: there is none */
  u32 instructions, registers; /* of temporal PEs; no instructions: PEs are spatial */
  const char *pattern; /* which PEs a cell has: fabric_pattern_ok; NULL: one of the first class or,
                        * without classes, of the library, temporal where there are instructions */
  const char *switch_pattern; /* which kind a switch is; NULL: the first, or connected to all */
  Vec(FabricClass) classes;
  Vec(FabricSwitch) switches;
  Vec(FabricLatency) latencies; /* the last that fits counts */
  u32 net;                      /* NET_...: do channels between switches and PEs have tags? */
  u32 routes;                   /* of a temporal switch */
  FabricFifo link, pe_input;    /* between switches; before the inputs of PEs */
  u32 lane_buffer; /* of SPATIAL_SW_buffer_words: of switches where a memory's answers part */
  u32 memories, scratchpads; /* ways to memory outside; memories on the fabric */
  u32 words;                 /* of a scratchpad */
  u32 loads, stores;         /* lanes of one memory; not both 0 */
  u32 memory_tag;            /* bits that tell lanes apart */
  /* By FabricParamId: hardware parameters of memories; and of switches between PEs,
   * PARAM_SPATIAL_SW_buffer for both kinds. */
  u32 params[FABRIC_PARAM_COUNT];
  const char *element;   /* type of a memory's elements; NULL: integers as wide as a channel */
  u32 inputs, outputs;   /* of the fabric itself: scalars and control tokens */
  Vec(FabricCore) cores; /* from the smallest to the largest, each with no less than the one before;
                          * one with more than the plan has is left out */
  Vec(FabricPlace) places; /* by thing in the order of the text; the places of one stand together */
  u32 ncells;
  const FabricCell *cells;
  const Module *unit_file; /* its function units are the library, `units` is not used; or NULL */
  const Module *pe_file;   /* PEs for `cells`; or NULL. Both verified */
  const char *viz_file;    /* what the text calls its layout; or NULL */
} FabricPlan;

/* The numbers of a plan as options: a row is what they are called, their limits and their defaults.
 * Offsets are those of FabricPlan. */
extern const Option fabric_plan_options[];

enum {
  FABRIC_MAX_CELLS = 1 << 16,
  FABRIC_MAX_FIFO = 65536,
  FABRIC_MAX_LANES = 32,
  FABRIC_MAX_INSTRUCTIONS = 256, /* of a temporal PE */
  FABRIC_MAX_PES = 16            /* of one cell */
};

/* How many lanes a memory of the plan has, and bits to tell them apart, 0 of one. */
u32 fabric_plan_lanes(const FabricPlan *plan);
/* Of each memory outside. */
u32 fabric_plan_channels(const FabricPlan *plan);
u32 fabric_plan_banks(const FabricPlan *plan);
u32 fabric_plan_lane_bits(const FabricPlan *plan);

/* The names of the unit libraries, in the order of their enum, ended by NULL. */
extern const char *const fabric_unit_libraries[];
/* "mem_", "pad_", ...: what stands before the number of a thing, by FabricPlacedKind. */
extern const char *const fabric_placed_names[];
/* The names of the presets, ended by NULL. */
extern const char *const fabric_presets[];

/* A chess board of 4x4 with all units: what the options say by themselves. */
FabricPlan fabric_plan_default(void);
/* True of a pattern: rows of cells with slashes between them, laid over the grid again and again:
 * "ST/TS" is a checkerboard. A cell is a letter, or several in parentheses: so many PEs. S is a
 * spatial and T a temporal PE of the plan's library, all others are classes. */
bool fabric_pattern_ok(const FabricPlan *plan, const char *pattern);
/* The same of the letters of switches. */
bool fabric_switch_pattern_ok(const FabricPlan *plan, const char *pattern);

/* The first letter of a pattern that no class, or no kind of switches, has; NULL where there is
 * none. */
const char *fabric_pattern_unknown(const FabricPlan *plan, const char *pattern);
const char *fabric_switch_pattern_unknown(const FabricPlan *plan, const char *pattern);
/* The letters of a cell. */
typedef struct {
  const char *letters;
  u32 n;
} FabricPatternCell;
/* What a pattern says of so many rows and columns, row by row. */
void fabric_pattern_lay(const char *pattern, u32 rows, u32 columns, FabricPatternCell *cells);
/* True where a PE of the pattern is temporal. */
bool fabric_plan_is_temporal(const FabricPlan *plan);
/* The end of a decimal number at the start of a text, NULL where there is none or it has more than
 * nine digits. */
const char *fabric_number_read(const char *text, u32 *number);
/* "4", "4,bypassable" or "none" */
bool fabric_fifo_read(const char *text, FabricFifo *fifo);

/* Has a board no less of anything than one in its middle? */
bool fabric_core_fits(const FabricCore *inner, const FabricCore *outer);
/* The plan's own board. */
FabricCore fabric_plan_board(const FabricPlan *plan);
/* Leaves out those of *n cores that do not fit onto the plan's board. */
void fabric_cores_keep(const FabricPlan *plan, FabricCore *cores, size_t *n);

/* describe.c: the plan that a description says; its own grid becomes the last of its cores. False
 * after COMP_ADG_PLAN. */
bool fabric_plan_read(Context *ctx, const Source *source, FabricPlan *plan);
bool fabric_is_preset(const char *name);
/* The plan of a preset, which is a description, too; false where there is none of that name. */
bool fabric_plan_preset(Context *ctx, const char *name, FabricPlan *plan);
void fabric_plan_free(FabricPlan *plan);

/* Appends the text of a plan whose numbers are within the limits above and, where `viz` is not
 * NULL, its layout: JSON with a position for every component. False, after a diagnostic and with
 * nothing worth keeping in the texts, where a switch would have more ports than it can
 * (COMP_ADG_PORTS), a cell or its PE is not there (COMP_ADG_CELL), a file of units or PEs has
 * something else in it (COMP_ADG_FILE), or two definitions would have one name (COMP_ADG_NAME). */
bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, Buf *viz);

/* Names of function units, without @; they live as long as the context. */
typedef Vec(const char *) FabricUnitNames;

/* True where a name is as a pattern says: `*` stands for anything, `{a,b}` for either. */
bool fabric_name_fits(const char *name, const char *pattern);
bool fabric_class_has(const FabricClass *class, const char *unit);
/* A unit that is wires from switch to switch is not for every PE, nor for a temporal one: only a
 * class has it that names it. Those are the loop ends, whose names begin with loop_. */
bool fabric_unit_wants_class(const char *unit);
/* Does a PE of the plan have such a unit of its library? */
bool fabric_plan_wants(const FabricPlan *plan, const char *unit);

/* Appends the function units of the plan's library that it wants, as definitions, and their names.
 * Used by fabric_generate, and where names of units are read. */
void fabric_unit_library(Context *ctx, const FabricPlan *plan, Buf *out, FabricUnitNames *names);

#endif

/* generate.h -- fabrics made to measure: Fabric text from a few numbers.
 *
 *     FabricPlan plan = fabric_plan_default();
 *     plan.rows = plan.columns = 2;
 *     fabric_generate(ctx, &plan, &out, NULL);
 *
 * A plan says how many PEs there are, how they are wired and what they can compute. The text that
 * comes of it is an ordinary Fabric file: it verifies, it flattens, and nothing downstream knows
 * that no one wrote it by hand. One plan gives one text, byte by byte. */
#ifndef LOOM_GENERATE_H
#define LOOM_GENERATE_H

#include "base/options.h"
#include "ir/fabric.h"
#include "ir/ir.h"

typedef enum {
  TOPOLOGY_CHESS,   /* switches on the corners of the cells; a PE hangs on its four corners */
  TOPOLOGY_MESH,    /* a switch in each cell, wired to its four neighbours; a PE hangs on it */
  TOPOLOGY_TORUS,   /* a mesh whose rows and columns are rings */
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
} FabricFifo;

/* Another PE than the board's in one cell. */
typedef struct {
  u32 layer, row, column;
  const char *pe; /* without @ */
} FabricCell;

/* A smaller board in the middle of a board: what stands at its rim stands there on the larger one,
 * too, and has the first numbers. So whatever fits onto the smaller one fits onto the larger one,
 * with the same wires. */
typedef struct {
  u32 rows, columns;
  u32 memories, scratchpads, inputs, outputs; /* at its rim and further inside */
} FabricCore;

/* What the numbers mean, their limits and what they are by themselves: fabric_plan_options. One that
 * fabric_generate is to choose by the others is OPTION_UNSET. */
typedef struct {
  FabricTopology topology;
  FabricUnits units;
  u32 rows, columns, depth;    /* of PEs */
  u32 tracks;                  /* channels from a switch to its neighbour, each way */
  u32 width;                   /* bits of a channel, and of the widest value: 32 or 64 */
  u32 operand_buffer;          /* of temporal PEs: places; 0: there is none */
  u32 instructions, registers; /* of temporal PEs; no instructions: PEs are spatial */
  const char *pattern;         /* which PEs are temporal; NULL: all or none */
  u32 net;                     /* NET_...: do channels between switches and PEs have tags? */
  u32 routes;                  /* of a temporal switch */
  FabricFifo link, pe_input;   /* between switches; before the inputs of PEs */
  u32 memories, scratchpads;   /* ways to memory outside; memories on the fabric */
  u32 words;                   /* of a scratchpad */
  u32 loads, stores;           /* lanes of one memory; not both 0 */
  u32 memory_tag;              /* bits that tell lanes apart */
  u32 params
      [FABRIC_PARAM_COUNT]; /* by FabricParamId: hardware parameters of memories; and of switches
                                   * between PEs, PARAM_SPATIAL_SW_buffer for both kinds */
  const char *element;      /* type of a memory's elements; NULL: integers as wide as a channel */
  u32 inputs, outputs;      /* of the fabric itself: scalars and control tokens */
  u32 ncores; /* from the smallest to the largest, each with no less than the one before; */
  const FabricCore *cores; /* one with more than the plan has is left out */
  u32 ncells;
  const FabricCell *cells;
  const Module *unit_file; /* its function units are the library, `units` is not used; or NULL */
  const Module *pe_file;   /* PEs for `cells`; or NULL. Both verified */
  const char *viz_file;    /* what the text calls its layout; or NULL */
} FabricPlan;

/* The numbers of a plan as options: a row is what they are called, their limits and their defaults.
 * Offsets are those of FabricPlan. */
extern const Option fabric_plan_options[];

enum { FABRIC_MAX_CELLS = 1 << 16, FABRIC_MAX_FIFO = 65536, FABRIC_MAX_LANES = 32 };

/* How many lanes a memory of the plan has, and bits to tell them apart, 0 of one. */
u32 fabric_plan_lanes(const FabricPlan *plan);
u32 fabric_plan_lane_bits(const FabricPlan *plan);

/* The names of the unit libraries, in the order of their enum, ended by NULL. */
extern const char *const fabric_unit_libraries[];
/* The names of the presets, ended by NULL. */
extern const char *const fabric_presets[];

/* A chess board of 4x4 with all units: what the options say by themselves. */
FabricPlan fabric_plan_default(void);
/* The plan of a preset; false where there is none of that name. */
bool fabric_plan_preset(const char *name, FabricPlan *plan);
/* True of a pattern: rows of the letters S (spatial) and T (temporal), between slashes. It is laid
 * over the board again and again: "ST/TS" is a checkerboard. */
bool fabric_pattern_ok(const char *pattern);

/* Appends the text of a plan whose numbers are within the limits above and, where `viz` is not
 * NULL, its layout: JSON with a position for every component. False, after a diagnostic and with
 * nothing worth keeping in the texts, where a switch would have more ports than it can
 * (COMP_ADG_PORTS), a cell or its PE is not there (COMP_ADG_CELL), or a file of units or PEs has
 * something else in it (COMP_ADG_FILE) or a name that is taken (COMP_ADG_NAME). */
bool fabric_generate(Context *ctx, const FabricPlan *plan, Buf *out, Buf *viz);

/* Names of function units, without @; they live as long as the context. */
typedef Vec(const char *) FabricUnitNames;

/* Appends the function units that `units` stands for, as definitions, and their names. Used by
 * fabric_generate. */
void fabric_unit_library(Context *ctx, FabricUnits units, u32 width, Buf *out,
                         FabricUnitNames *names);

#endif

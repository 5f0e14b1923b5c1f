/* origin.h -- which unit of the machine carries out which node of the mapped graph.
 *
 * A machine has components, ports and lanes. With a mapping (its binding, and its JSON with "edges"
 * and "nodes") its units carry out nodes of a graph, its operands take the tokens of edges, and
 * both have a place in the source text. Reports name hardware and graph, or only the hardware where
 * there is no graph.
 */
#ifndef LOOM_MACHINE_ORIGIN_H
#define LOOM_MACHINE_ORIGIN_H

#include "dfg/dfg.h"
#include "machine/machine.h"
#include "config/binding.h"

#include <jansson.h>

typedef struct Origins {
  const Machine *machine;
  const Dfg *dfg; /* NULL: there is no graph; `edge_of` is DFG_NONE then, and no unit has nodes */
  const MapBinding *binding;
  u32 *input_of;   /* by DFG edge: the operand where it ends, or MACHINE_NONE (inside a unit) */
  u32 *edge_of;    /* by input: the edge, or DFG_NONE */
  u32 *first_node; /* by unit, and one more: its nodes are nodes[first_node[u]] up to the next's */
  u32 *nodes;
  u32 *node_ops;       /* beside them: which node of the unit's body (AdgBody) carries it out */
  const char **places; /* by DFG node: "kernel.mlir:14:14"; NULL: unknown */
  Arena *arena;
} Origins;

/* `dfg`, `binding` and `mapping` may be NULL together. All must outlive it; the caller frees. */
Origins *origins_new(Context *ctx, const Machine *machine, const Dfg *dfg,
                     const MapBinding *binding, const json_t *mapping);
void origins_free(Origins *origins); /* NULL is allowed */

/* The edge whose tokens an operand takes; for a fifo, that of the operand behind it. DFG_NONE: none
 * is known. */
u32 origin_edge(const Origins *origins, u32 input);
/* The node that operation `op` of a unit (of its MachineOps) carries out; for a unit without
 * operations, such as a lane of a memory, its first node. DFG_NONE: none is known, or `op` is
 * MACHINE_NONE and there are several. */
u32 origin_node(const Origins *origins, u32 unit, u32 op);
/* The name of the graph's memory in a region of the machine: that of its argument, or its own. NULL
 * where none is known. */
const char *origin_memory(const Origins *origins, u32 region);
/* The place, as "kernel.mlir:14:14", of a unit's first node that has one; else NULL. */
const char *origin_place(const Origins *origins, u32 unit);
/* The location for diagnostics about a unit: its first node in the graph's text, else its component
 * in the fabric's. */
Loc origin_loc(const Origins *origins, u32 unit);
/* Appends the unit's nodes, "%4 %5"; for a port of the fabric its argument or result. Appends
 * nothing where none is known. */
void origin_nodes(const Origins *origins, u32 unit, Buf *out);
/* Appends name, operation and nodes of a unit, for messages: "'pe_0_2' (load data %b)". */
void origin_unit_text(const Origins *origins, u32 unit, Buf *out);

#endif

/* dfg.h -- the frozen dataflow graph, the input of everything after lowering.
 *
 * Rewriting wants pointers and use lists; reading wants arrays. `dfg_freeze` turns a lowered (or
 * hand-written) handshake.func into a `Dfg`: tables of nodes, results, edges, operands, types and
 * memories that refer to one another by 32-bit ids and never change again. The mapper, the
 * simulators, the JIT, the backends and every plugin read only this, so it has everything that a
 * consumer may need, including names and source locations.
 *
 *     handshake.func @f(%a: i32, %b: i32, ...) -> (i32, i32) {
 *       %s = arith.addi %a, %b : i32
 *       %p = arith.muli %s, %s : i32
 *       handshake.return %s, %p : i32, i32
 *     }
 *
 *     nodes   0 a    1 b    2 s    3 p    4 return       (arguments and return are nodes too)
 *     results 0 a    1 b    2 s    3 p                   (one per value that a node emits)
 *     edges   0 a: a -> s.0       1 b: b -> s.1          (one per use of a result)
 *             2 s: s -> p.0       3 s.1: s -> p.1
 *             4 s.2: s -> return.0                        5 p: p -> return.1
 *
 * A result's tokens go to each of its edges; a result without a use has no edge. Ids count up in
 * the order of the source text (the nodes of an inlined instance take its position), edges in the
 * order of their results and then of their consumers. Nothing depends on addresses or hash order:
 * one text gives one graph.
 *
 * Names are unique within nodes, within results and within edges. A result has the printed name of
 * its SSA value (without %): `sum`, `mem#1` of `%mem:2`, `7` of one without a name. The first edge
 * of a result has the result's name, the others `.1`, `.2`, ... after it. A node has the name of
 * its first result's value; one without results that of its op (`return`, `sink`, `sink.1`). Names
 * inside an inlined instance are prefixed with its name and a slash: `call/sum`.
 *
 * Memories. An extmemory's memref operand is no edge: `DfgMemory.arg` is its argument. So all
 * operands of both kinds of memory belong to ports: first those of the stores, each with data and
 * addresses, then the addresses of the loads. Results are load data, store dones, load dones.
 *
 * The Dfg owns all its memory, but for the IR types (`DfgType.ir`) and function pointers of
 * `EvalOp`, which live as long as the context. The module may be freed.
 */
#ifndef LOOM_DFG_DFG_H
#define LOOM_DFG_DFG_H

#include "ir/eval.h"
#include "ir/ir.h"

/* "no such id" */
#define DFG_NONE UINT32_MAX

/* Most nodes of a graph after inlining its instances (COMP_DFG_TOO_LARGE). */
#define DFG_MAX_NODES ((u32)1 << 24)

/* An offset into Dfg.text: a NUL-terminated string. 0 is the empty string. */
typedef u32 DfgText;

typedef struct {
  u8 kind;        /* TypeKind: none, index, int, float, tuple, tagged; memref of an argument. A
                   * tagged value of more than 64 bits is a tuple of two words (run/value.h) */
  u8 float_kind;  /* FloatKind */
  u32 bits;       /* of one token, including tuple elements and the tag; 0 for none */
  u32 first_elem; /* tuple: type ids, in Dfg.type_elems */
  u32 nelems;
  DfgText text;   /* as printed */
  const Type *ir; /* the same type in the IR; plugins do not see it */
} DfgType;

/* The attributes of dataflow.stream: its step operation and its continuation test. */
typedef enum { STEP_ADD, STEP_SUB, STEP_MUL, STEP_DIV, STEP_SHL, STEP_SHR } DfgStepOp;
typedef enum { CONT_LT, CONT_LE, CONT_GT, CONT_GE, CONT_NE } DfgContCond;

typedef struct {
  u16 kind;     /* OpKind; OP_HANDSHAKE_FUNC for an argument */
  u8 fire;      /* FireClass; FIRE_ARG for an argument */
  u8 step_op;   /* stream: DfgStepOp */
  u8 cont_cond; /* stream: DfgContCond */
  u8 predicate; /* comparisons: arith.cmpi's or arith.cmpf's number (also for index.cmp) */
  bool is_fifo; /* buffer: `fifo`, else `seq` */
  DfgText name;
  DfgText op;        /* full name of the op: "arith.addi"; "handshake.func" of an argument */
  u32 first_operand; /* Dfg.operands[first_operand + i] is the edge into operand i */
  u32 noperands;
  u32 first_result; /* results first_result ... first_result + nresults - 1 */
  u32 nresults;
  u64 literal;       /* constant: its value's bits */
  u32 eval;          /* pure ops: Dfg.evals; else DFG_NONE */
  u32 memory;        /* memory, and load or store: Dfg.memories; else DFG_NONE */
  u32 port;          /* load or store: which load or store port of its memory; else DFG_NONE */
  u32 access;        /* load or store: number of its source access (loom.access), for the first of
                * several copies only; else DFG_NONE */
  u32 arg;           /* argument: which one (Dfg.args); else DFG_NONE */
  u32 slots;         /* buffer: its capacity in tokens */
  u32 first_initial; /* buffer: the tokens it starts with, oldest first (Dfg.initials) */
  u32 ninitials;
  Loc loc;          /* of the op; LOC_NONE: unknown */
  DfgText loc_text; /* an explicit loc(...) as printed, or empty; see dfg_where */
} DfgNode;

typedef struct {
  DfgText name;
  u32 node; /* the producer */
  u32 type;
  u32 first_edge; /* edges first_edge ... first_edge + nedges - 1 */
  u32 nedges;
} DfgResult;

typedef struct {
  DfgText name;
  u32 result;   /* the result whose tokens it carries */
  u32 to;       /* consumer: a node */
  u32 operand;  /* of the consumer */
  bool is_back; /* its consumer comes before its producer in Dfg.order, or is the same node */
} DfgEdge;

typedef enum {
  DFG_ARG_VALUE,  /* scalars or tuples: one token, or a stream of them */
  DFG_ARG_MEMREF, /* names a memory; has no tokens */
  DFG_ARG_EXTENT, /* the size of a dynamic dimension of a memref argument */
  DFG_ARG_CONTROL /* type none: one token unless the case (run/case.h) has another number */
} DfgArgRole;

typedef struct {
  DfgText name;
  u8 role; /* DfgArgRole */
  u32 node;
  u32 type;
  u32 of, dim;    /* extent: dimension `dim` of argument `of` */
  DfgText c_type; /* "const int *", from the function's attribute loom.c; empty: not known */
} DfgArg;

typedef struct {
  DfgText name; /* of a result: from resNames if the function has them, else "out0", ... */
  u32 type;
} DfgOutput; /* output i is operand i of the return node */

typedef struct {
  DfgText name; /* its node's */
  u32 node;     /* the handshake.memory or extmemory */
  u32 arg;      /* extmemory: its memref argument (Dfg.args); memory: DFG_NONE */
  u32 elem;     /* type id of an element */
  u32 rank;
  u32 first_extent; /* Dfg.extents: rank of them, DYNAMIC if not in the type */
  u64 elements;     /* of static shape; 0 if dynamic */
  bool is_dynamic;  /* size not in the type: that of an extmemory is given by the case, a memory
                     * extends to the highest element that the run accesses */
  u32 nstores, nloads;
  u32 first_port;    /* Dfg.ports: nstores, then nloads of them */
  u32 naddresses;    /* address operands per port: 1 (an element number), or its rank */
  u32 first_initial; /* memory: initial contents, in Dfg.initials */
  u64 ninitials;     /* 0: all zero; 1: one value for all elements; else one per element */
  i64 id;            /* the op's `id` */
  i64 alias_group;   /* loom.alias_group: memories of one group may overlap; -1: overlaps none */
} DfgMemory;

typedef struct {
  DfgText name;     /* of the function, without @ */
  DfgText c_result; /* its result type in C, from loom.c; empty: not known */
  Loc loc;
  u32 nnodes, nresults, nedges, nargs, noutputs, ntypes, nmemories, nevals, naccesses;
  u32 return_node;
  bool is_determinate; /* no merge or control_merge: token histories are schedule-independent */

  const DfgNode *nodes;
  const DfgResult *results;
  const DfgEdge *edges;
  const u32 *operands; /* edge ids, node by node */
  const DfgType *types;
  const u32 *type_elems;
  const DfgArg *args;       /* in order of the function's arguments */
  const DfgOutput *outputs; /* in order of the function's results */
  const DfgMemory *memories;
  const u32 *ports; /* the load or store node wired to a port; DFG_NONE: other nodes drive it */
  const i64 *extents;
  const u64 *initials;
  const EvalOp *evals;
  const u32 *accesses; /* by number: the load or store node, or DFG_NONE */
  /* All nodes, producers before consumers. Edges that close a loop are ignored: the `d` and `b`
   * of carries, the `d` of invariants, and results of memories. A cycle that remains (hand-written
   * graphs have them, through merges and buffers) is broken at a node: see dfg/order.c. */
  const u32 *order;
  const u32 *nodes_by_name, *results_by_name, *edges_by_name; /* ids, by name in byte order */
  const char *text;
  Arena *arena;
} Dfg;

/* Freezes a verified handshake.func; its instances are looked up in `module` and inlined. NULL
 * after diagnostics: COMP_DFG_OP (an op not allowed in a graph), COMP_DFG_TYPE (a type that tokens
 * cannot have), COMP_DFG_INSTANCE (no such function, one without a body, recursion),
 * COMP_DFG_TOO_LARGE. Linear in the graph but for sorting the names. The caller frees. */
Dfg *dfg_freeze(Context *ctx, Op *handshake_func);
void dfg_free(Dfg *dfg); /* NULL is allowed */

static inline const char *dfg_text(const Dfg *dfg, DfgText text) {
  return dfg->text + text;
}
static inline const DfgNode *dfg_node(const Dfg *dfg, u32 node) {
  return &dfg->nodes[node];
}
/* The edge into operand i of a node, and the node that an edge comes from. */
static inline u32 dfg_operand(const Dfg *dfg, u32 node, u32 i) {
  return dfg->operands[dfg->nodes[node].first_operand + i];
}
static inline u32 dfg_from(const Dfg *dfg, u32 edge) {
  return dfg->results[dfg->edges[edge].result].node;
}
static inline const DfgType *dfg_edge_type(const Dfg *dfg, u32 edge) {
  return &dfg->types[dfg->results[dfg->edges[edge].result].type];
}

static inline bool dfg_is_memory(const DfgNode *node) {
  return node->fire == FIRE_MEMORY || node->fire == FIRE_EXTMEMORY;
}
/* Does a node other than a sink take the argument, which is no memref? */
static inline bool dfg_arg_is_used(const Dfg *dfg, const DfgArg *arg) {
  const DfgResult *r = &dfg->results[dfg->nodes[arg->node].first_result];
  for (u32 e = r->first_edge; e < r->first_edge + r->nedges; e++)
    if (dfg->nodes[dfg->edges[e].to].fire != FIRE_SINK) return true;
  return false;
}
/* Whether the graph stores to the memory of an argument. */
static inline bool dfg_is_stored(const Dfg *dfg, u32 arg) {
  for (u32 m = 0; m < dfg->nmemories; m++)
    if (dfg->memories[m].arg == arg && dfg->memories[m].nstores) return true;
  return false;
}
/* The port of a memory (stores, then loads) to which its i-th result, or i-th operand, belongs; see
 * Memories at the top. For operands naddresses must be 1. */
static inline u32 dfg_port_of_result(const DfgMemory *memory, u32 i) {
  return i < memory->nloads ? memory->nstores + i : i - memory->nloads;
}
static inline u32 dfg_port_of_operand(const DfgMemory *memory, u32 i) {
  return i < 2 * memory->nstores ? i / 2 : i - memory->nstores;
}
static inline u32 dfg_memory_ports(const DfgMemory *memory) {
  return memory->nstores + memory->nloads;
}
/* How many tags tell the loads, and how many the stores, of a memory apart. */
static inline u32 dfg_memory_lanes(const DfgMemory *memory) {
  return memory->nloads > memory->nstores ? memory->nloads : memory->nstores;
}
/* How many entries Dfg.ports has. */
static inline u32 dfg_nports(const Dfg *dfg) {
  u32 n = 0;
  for (u32 m = 0; m < dfg->nmemories; m++) n += dfg_memory_ports(&dfg->memories[m]);
  return n;
}
/* The memory to which an entry of Dfg.ports belongs. Linear in the memories. */
static inline u32 dfg_memory_of_port(const Dfg *dfg, u32 port) {
  const DfgMemory *memory = dfg->memories;
  while (port < memory->first_port || port >= memory->first_port + dfg_memory_ports(memory))
    memory++;
  return (u32)(memory - dfg->memories);
}
/* True if the tokens of operand i are for the next iteration of the loop: `d` and `b` of a carry,
 * `d` of an invariant. */
static inline bool dfg_is_next(const DfgNode *node, u32 i) {
  return (node->fire == FIRE_CARRY && i != 1) || (node->fire == FIRE_INVARIANT && i == 0);
}

/* The carry whose `b` is the only use of a branch's true result and whose condition is that of the
 * branch; DFG_NONE: none. */
static inline u32 dfg_carry_behind(const Dfg *dfg, const DfgNode *branch) {
  const DfgResult *on = &dfg->results[branch->first_result];
  if (branch->fire != FIRE_COND_BR || on->nedges != 1) return DFG_NONE;
  const DfgEdge *next = &dfg->edges[on->first_edge];
  const DfgNode *carry = &dfg->nodes[next->to];
  if (carry->fire != FIRE_CARRY || next->operand != 2) return DFG_NONE;
  u32 decision = dfg->edges[dfg->operands[branch->first_operand]].result;
  return dfg->edges[dfg->operands[carry->first_operand]].result == decision ? next->to : DFG_NONE;
}

/* Ids by name, DFG_NONE if there is none. Binary search: O(log n) comparisons. */
u32 dfg_find_node(const Dfg *dfg, const char *name);
u32 dfg_find_result(const Dfg *dfg, const char *name);
u32 dfg_find_edge(const Dfg *dfg, const char *name);

/* Appends a node's location for messages: its loc(...) as printed, else FILE:LINE:COLUMN, else
 * "unknown". */
void dfg_where(const Context *ctx, const Dfg *dfg, u32 node, Buf *buf);

/* As written in the attributes: "+=", "<". */
const char *dfg_step_op_text(DfgStepOp op);
OpKind dfg_step_kind(DfgStepOp op); /* the arith op that computes it */
const char *dfg_cont_cond_text(DfgContCond cond);

#endif

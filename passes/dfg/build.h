/* build.h -- private to dfg/: a graph while it is being frozen. */
#ifndef LOOM_DFG_BUILD_H
#define LOOM_DFG_BUILD_H

#include "dfg/dfg.h"

/* One copy of a function's body: that of the outermost function, or of an instance (freeze.c). */
typedef struct {
  Op *func;
  u32 parent;          /* frame of the instance; DFG_NONE: the outermost */
  Op *instance;        /* NULL: the outermost */
  DfgText prefix;      /* "call/": stands before all names */
  u32 *at;             /* by Op.index: the op's first result; of an instance, its frame */
  struct Origin *args; /* of an instance: the origins of its arguments, as far as resolved */
} Frame;

/* The definition of a value: an op's result in a frame, or an argument of the outermost. */
typedef struct Origin {
  u32 frame;
  Value *value; /* NULL: not known yet */
} Origin;

typedef struct {
  Context *ctx;
  Op *func;
  Dfg *dfg;
  Arena *scratch;
  Buf text;
  Map functions; /* handshake.funcs of the module, by name */
  Map sizes;     /* by function: nodes with its instances inlined; 0: being measured */
  bool failed;

  Vec(Frame) frames;
  Vec(DfgNode) nodes;
  Vec(Op *) ops; /* by node: its op; the function's own for arguments */
  Vec(u32) node_frames;
  Vec(DfgResult) results;
  Vec(DfgEdge) edges;
  Vec(u32) operands;
  Vec(DfgType) types;
  Vec(u32) type_elems;
  Map type_ids; /* by Type pointer */
  DfgText op_texts[OP_COUNT];
  Vec(DfgArg) args;
  Vec(DfgOutput) outputs;
  Vec(DfgMemory) memories;
  Vec(i64) extents;
  Vec(u64) initials;
  Vec(EvalOp) evals;
  Vec(u32) ports, accesses, order, nodes_by_name, results_by_name, edges_by_name;
} DfgBuild;

/* Append a string to the graph's text, without or with a prefix. The prefix may lie in b->text;
 * `text` and `name` must not, as it moves. */
DfgText build_text(DfgBuild *b, const char *text);
DfgText build_join(DfgBuild *b, const char *prefix, const char *name);

/* The id of a type; if tokens cannot have it, a diagnostic (COMP_DFG_TYPE) and the id of none. */
u32 build_type(DfgBuild *b, const Type *type, Loc loc);

/* names.c: the names of the values of a function. */
typedef struct {
  const Str **args;       /* by argument */
  const Str *const **ops; /* by Op.index: by result */
} ValueNames;
ValueNames names_of_values(DfgBuild *b, const Op *func);
/* Names the nodes and edges, and sorts the lists by name. */
void build_names(DfgBuild *b);

/* attrs.c: the attributes of an op become fields of its node. False after a diagnostic. */
bool build_attributes(DfgBuild *b, u32 node);
/* The memories, and the port that each load and store is wired to; needs the edges. */
bool build_memories(DfgBuild *b);

/* order.c: computes Dfg.order and the back edges. */
void build_order(DfgBuild *b);

#endif

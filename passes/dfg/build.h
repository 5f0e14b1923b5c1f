/* build.h -- private to dfg/: a graph while it is being frozen. */
#ifndef LOOM_DFG_BUILD_H
#define LOOM_DFG_BUILD_H

#include "dfg/dfg.h"

/* One copy of a function's body: the outermost one, or that of an instance (see freeze.c). */
typedef struct {
  Op *func;
  u32 parent;          /* frame of the instance; DFG_NONE: the outermost */
  Op *instance;        /* NULL: the outermost */
  DfgText prefix;      /* "call/": stands before all names */
  u32 *at;             /* by Op.index: the op's first result, or the frame of the instance it is */
  struct Origin *args; /* of an instance: where its arguments come from, once asked */
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
  Map sizes;     /* by function: of its graph with its instances; 0: being measured */
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

/* Puts a string into the graph's text; the same with another before it, which may be in b->text. */
DfgText build_text(DfgBuild *b, const char *text);
DfgText build_join(DfgBuild *b, const char *prefix, const char *name);

/* The id of a type; where no token can have it, a diagnostic (COMP_DFG_TYPE) and that of none. */
u32 build_type(DfgBuild *b, const Type *type, Loc loc);

/* names.c: what the values of a function are called. */
typedef struct {
  const Str **args;       /* by argument */
  const Str *const **ops; /* by Op.index: by result */
} ValueNames;
ValueNames names_of_values(DfgBuild *b, const Op *func);
/* The names of nodes and edges, and the lists in order of names. */
void build_names(DfgBuild *b);

/* attrs.c: what the attributes of an op say, into its node. False after a diagnostic. */
bool build_attributes(DfgBuild *b, u32 node);
/* The memories, and which port each load and store is wired to; needs the edges. */
bool build_memories(DfgBuild *b);

/* order.c: Dfg.order, and which edges go back. */
void build_order(DfgBuild *b);

#endif

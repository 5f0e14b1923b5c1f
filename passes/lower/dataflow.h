/* dataflow.h -- private to lower/: what dataflow.c tells memory.c about the graph it built. */
#ifndef LOOM_LOWER_DATAFLOW_H
#define LOOM_LOWER_DATAFLOW_H

#include "lower/stages.h"

/* One source load or store and the node it became. */
typedef struct {
  Op *source;          /* memref.load or memref.store */
  Op *node;            /* handshake.load or handshake.store; its control is still missing */
  Region *const *path; /* the regions around it, outermost first, the function body left out */
  u32 depth;           /* their number */
  u32 order;           /* in program order, over all memories */
  bool is_store;
  Value *done; /* its done token, once the memory is there */
} Access;

/* One root memory. Its accesses are in program order. */
typedef struct {
  Value *root;     /* function argument, alloc or get_global */
  i64 alias_group; /* loom.alias_group of the argument, or -1 */
  Vec(Access) accesses;
} Root;

typedef struct {
  Module *m;
  Builder b;    /* at the end of the graph's block */
  Op *func;     /* the func.func */
  Value *start; /* the control argument of the graph */
  bool serial;
  Vec(Root) roots;
  Map root_of; /* memref Value -> index in roots */
  u32 naccesses;
  Block *path_block; /* where the last access stood, and its path: its neighbours share it */
  Region **path;
  u32 depth;
  Map splits; /* (condition, value) -> cond_br, by value numbers */
  u32 values; /* value numbers given out */
  bool failed;
} Graph;

/* Nodes of the graph, with the place of g->b. */
Op *graph_op(Graph *g, OpKind kind, Value *const *operands, u32 n, const Type *const *types,
             u32 nresults);
Value *graph_value(Graph *g, OpKind kind, Value *const *operands, u32 n, const Type *type,
                   const Str *name);
/* cond_br(condition, value), one for each pair; result 0 is the true side. */
Op *graph_split(Graph *g, Value *condition, Value *value);
/* A name derived from another: graph_name(g, %i, "more") is i_more; NULL stays NULL. */
const Str *graph_name(Graph *g, const Str *base, const char *suffix);

/* The condition of a lowered region op, in the terms of its inside: after_cond of a for or a
 * stream-shaped while, the raw condition of another while, the condition of an if. */
typedef struct {
  Value *condition;
  bool counted; /* its body hangs on after_cond: a for or a stream-shaped while */
} RegionControl;

static inline RegionControl *region_control(const Op *source) {
  return source->scratch;
}

/* memory.c: makes the memories and the ctrl-done network of every group; returns the token that
 * waits for all of them. */
Value *connect_memories(Graph *g);

#endif

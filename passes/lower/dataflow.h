/* dataflow.h -- private to lower/: the state of building a graph, shared by dataflow.c, scopes.c
 * and memory.c. */
#ifndef LOOM_LOWER_DATAFLOW_H
#define LOOM_LOWER_DATAFLOW_H

#include "lower/stages.h"

/* The node that brings a control token into the regions of an op: an invariant, or a cond_br for
 * both sides of an if. Literals inside use it, and so do memory networks that enter with the same
 * token, as those of memories that are only read do. */
typedef struct {
  Value *token; /* outside; NULL: none yet */
  Op *node;
} RegionEntry;

/* A region op that was lowered, and the condition that controls its inside: after_cond of a for or
 * a stream-shaped while, the raw condition of another while, the condition of an if. The location
 * is copied from the source op, which is no longer in the cache when the memories are connected. */
typedef struct {
  const Op *source;
  Value *condition;
  RegionEntry *entry; /* NULL: a while in its general form */
  const Attr *loc_attr;
  Loc loc;
  bool is_if;
  bool counted; /* its body is controlled by after_cond: a for or a stream-shaped while */
} RegionOp;

/* One of the regions of a RegionOp. */
typedef struct {
  RegionOp *of;
  u32 region;
} Inside;

/* One source load or store and the node it became. */
typedef struct {
  Op *source;         /* memref.load or memref.store */
  Op *node;           /* handshake.load or handshake.store; its control is still missing */
  const Inside *path; /* the regions around it, outermost first, the function body left out */
  u32 depth;          /* their number */
  u32 order;          /* in program order, over all memories */
  bool is_store;
  Value *done; /* its done token, once the memory is there */
} SourceAccess;

/* One root memory. Its accesses are in program order. */
typedef struct {
  Value *root;     /* function argument, alloc or get_global */
  i64 alias_group; /* loom.alias_group of the argument, or -1 */
  Vec(SourceAccess) accesses;
} RootMemory;

/* The graph value that stands for a source value in one scope. The bindings of a source value form
 * a list, newest first, and those of a scope another. */
typedef struct {
  const struct Scope *scope;
  Value *value;
  u32 of;            /* number of the source value */
  u32 older;         /* 1 + index of the value's next binding, or 0 */
  u32 next_in_scope; /* the same for the scope's next, or of the next free one */
} Binding;

typedef struct {
  Module *m;
  Builder b;    /* at the end of the graph's block */
  Arena *notes; /* scratch memory, freed when the graph is finished */
  Op *func;     /* the func.func */
  Value *start; /* the control argument of the graph */
  bool serial;
  LinearSolver solver;
  Vec(RootMemory) roots;
  Map root_of; /* memref Value -> index in roots */
  Map globals; /* name -> memref.global; filled when the first is met */
  u32 naccesses;
  Vec(Inside) nest; /* the regions around the op that is being lowered */
  Inside *path;     /* a copy of `nest`; NULL: none since a region was entered or left */
  Vec(u32) newest;  /* by number of a source value: 1 + index of its newest binding, or 0 */
  Vec(Binding) bindings;
  u32 free_binding; /* 1 + index, or 0 */
  Buf name;         /* scratch of graph_name */
  const Str *key_value, *key_access, *key_step_op, *key_cont_cond, *key_nonzero, *key_independent;
} GraphBuilder;

/* A node of one result, with the source location of g->b. */
Value *graph_value(GraphBuilder *g, OpKind kind, Value *const *operands, u32 n, const Type *type,
                   const Str *name);
/* cond_br(condition, value); result 0 is the true side. */
Op *graph_split(GraphBuilder *g, Value *condition, Value *value);
/* A name derived from another: graph_name(g, %i, "more") is i_more; NULL stays NULL. */
const Str *graph_name(GraphBuilder *g, const Str *base, const char *suffix);

/* ---- scopes (scopes.c) ----------------------------------------------------------------------- */

typedef enum { IN_FUNCTION, IN_COUNTED, IN_BEFORE, IN_AFTER, IN_THEN, IN_ELSE } ScopeKind;

typedef struct Scope {
  struct Scope *parent;
  ScopeKind kind;
  Value *condition;          /* the operand of conversions; NULL: IN_BEFORE, not known yet */
  Value *control;            /* the control token; NULL: not needed yet */
  u32 bindings;              /* 1 + index of the first, or 0 */
  Vec(Op *) unconditioned;   /* IN_BEFORE: nodes that still need the condition */
  const struct Scope *other; /* the other side of an if */
  struct Branch *branch;     /* the last if in it, or NULL */
  RegionEntry *entry;        /* filled in when the control token enters, or NULL */
} Scope;

/* The two sides of an if. A later if in the same region with the same condition, such as the guards
 * of loops with the same bounds, uses the sides again, with the values converted so far. */
typedef struct Branch {
  Scope sides[2];
  RegionEntry entry;
} Branch;

/* Numbers the source values that a block defines itself; must precede scope_bind of them. */
void scope_number(GraphBuilder *g, Block *block);
/* Binds a source value to the graph value that stands for it in this scope. */
void scope_bind(GraphBuilder *g, Scope *s, const Value *source, Value *value);
/* The graph value of `source` in this scope; builds the conversion where it is from outside. */
Value *scope_value(GraphBuilder *g, Scope *s, Value *source);
/* The sides of an if in this scope. */
Branch *scope_branch(GraphBuilder *g, Scope *s, Value *condition);
/* Frees the bindings of the scope, and of the sides of its ifs. */
void scope_end(GraphBuilder *g, Scope *s);

/* memory.c: builds the memories and the ctrl-done network of every group; returns the token that
 * is there when all of them are done. */
Value *connect_memories(GraphBuilder *g);

#endif

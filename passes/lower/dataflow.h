/* dataflow.h -- private to lower/: the graph in the making, as dataflow.c, scopes.c and memory.c
 * share it. */
#ifndef LOOM_LOWER_DATAFLOW_H
#define LOOM_LOWER_DATAFLOW_H

#include "lower/stages.h"

/* How a token came into the regions of an op: by an invariant, or by a cond_br to both sides. The
 * control token does where a literal is needed, and the tokens of memories that are only read are
 * the same one. */
typedef struct {
  Value *token; /* outside; NULL: none yet */
  Op *node;
} RegionEntry;

/* A region op that was lowered, and its condition in the terms of its inside: after_cond of a for
 * or a stream-shaped while, the raw condition of another while, the condition of an if. Its place
 * stands here again, as the source is far away by the time the memories are connected. */
typedef struct {
  const Op *source;
  Value *condition;
  RegionEntry *entry; /* NULL: a while in its general form */
  const Attr *loc_attr;
  Loc loc;
  bool is_if;
  bool counted; /* its body is controlled by after_cond: a for or a stream-shaped while */
} RegionOp;

/* One of its regions. */
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

/* What a source value is in one scope: a link in the list of the value, newest first. */
typedef struct {
  const struct Scope *scope;
  Value *value;
  u32 of;            /* number of the source value */
  u32 older;         /* 1 + index of the value's next, or 0 */
  u32 next_in_scope; /* the same for the scope's next, or for the next that is free */
} Binding;

typedef struct {
  Module *m;
  Builder b;    /* at the end of the graph's block */
  Arena *notes; /* what is not needed when the graph is made */
  Op *func;     /* the func.func */
  Value *start; /* the control argument of the graph */
  bool serial;
  LinearSolver solver;
  Vec(RootMemory) roots;
  Map root_of; /* memref Value -> index in roots */
  u32 naccesses;
  Vec(Inside) here; /* the regions around what is lowered at the moment */
  Inside *path;     /* a copy of it for accesses; NULL: none since a region was entered or left */
  Vec(u32) newest;  /* by number of a source value: 1 + index of its newest binding, or 0 */
  Vec(Binding) bindings;
  u32 free_binding; /* 1 + index, or 0 */
  Buf name;         /* the last that was derived */
  const Str *key_value, *key_access, *key_step_op, *key_cont_cond, *key_nonzero, *key_independent;
} GraphBuilder;

/* A node of one result, with the place of g->b. */
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
  Value *condition; /* what conversion depends on; NULL: IN_BEFORE, not known yet */
  Value *control;   /* NULL: not asked for yet */
  u32 bindings;     /* 1 + index of the first, or 0 */
  Vec(Op *) unconditioned;
  const struct Scope *other; /* of a side of an if: the other one */
  struct Branch *branch;     /* the last if in it, or NULL */
  RegionEntry *entry;        /* where it says how its control came in, or NULL */
} Scope;

/* The two sides of an if. Another if in the same region may have the same condition, as loops with
 * the same bounds have guards: then what was brought into the sides of the first is there in the
 * second too. */
typedef struct Branch {
  Scope sides[2];
  RegionEntry entry;
} Branch;

/* Numbers the source values that a block defines itself; to be done before they are bound. */
void scope_number(GraphBuilder *g, Block *block);
/* In this region, `source` is `value`. */
void scope_bind(GraphBuilder *g, Scope *s, const Value *source, Value *value);
/* What `source` is in this region, converted on the way in where it is from outside. */
Value *scope_value(GraphBuilder *g, Scope *s, Value *source);
/* The sides of an if in this region. */
Branch *scope_branch(GraphBuilder *g, Scope *s, Value *condition);
/* Forgets what values are in it, and in the sides of its ifs. */
void scope_end(GraphBuilder *g, Scope *s);

/* memory.c: makes the memories and the ctrl-done network of every group; returns the token that
 * waits for all of them. */
Value *connect_memories(GraphBuilder *g);

#endif

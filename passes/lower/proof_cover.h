/* proof_cover.h -- private to the order proof: one ordering domain and what its tokens cover.
 *
 * A *group* is the accesses of one memory (or of several that may alias), numbered 0, 1, 2, ... in
 * program order. A control token *covers* an access if the token exists only after the access is
 * done. See proof_cover.c. */
#ifndef LOOM_PROOF_COVER_H
#define LOOM_PROOF_COVER_H

#include "lower/proof_parts.h"

typedef struct {
  u32 first, end;
} Run;

/* What a control token covers, of the accesses in its own iteration of every loop they share:
 * those below `prefix`, and those in `runs`, sorted. And of loops: bit k of `waits` says that it
 * comes after everything the group does in earlier iterations of the loop at depth k + 1. `place`
 * is its domain, but for what comes out of a loop whose condition is reused: see proof_cover.c. */
typedef struct {
  u32 prefix, n;
  Run *runs;
  u64 *waits;
  DomainId place;
} Cover;

/* A loop with accesses of the group in it. */
typedef struct {
  DomainId burst;
  u32 first, n; /* in Group.inside: the accesses, ascending */
  u32 nstores;
  bool asked, disjoint;
  const char *why; /* not disjoint */
} GroupLoop;

typedef struct {
  const Value *value;
  u32 next; /* 1 + index of another, or 0 */
} Input;

typedef struct {
  Proof *p;
  Arena *arena; /* of this group; freed with it */
  u32 id;       /* of the group, from 1: the stamp of what the tables below say about it */
  u32 n;
  Access *access;
  u32 *next_store; /* by access, n + 1: the first store at or after it; n: none */
  u32 *run_end;    /* by access: where the accesses with the same domain end */
  u32 nloops;
  GroupLoop *loops;
  u32 *inside;
  u32 words; /* u64s in Cover.waits */

  Vec(Op *) net;     /* ops its control tokens go through */
  Vec(Input) inputs; /* what came to them so far: lists that begin at Tables.first_input */
  u32 nreached;
  Cover *cover; /* by reached value */

  /* tables for all groups, by id of a thing; valid for this group where the stamp is its id */
  struct Tables *tables;
} Group;

typedef struct Tables {
  u32 *access_of_op; /* by op: 1 + access, before grouping: see proof_order.c */
  u32 *group_of_op, *number_of_op;
  u32 *op_stamp, *need, *left; /* by op: reached operands it waits for */
  u32 *first_input;            /* by op: 1 + index in Group.inputs, or 0 */
  bool *incomplete;            /* by op: a carry whose back operand misses accesses of its loop */
  u32 *value_stamp, *slot;
  u32 *loop_stamp, *loop_slot; /* by domain or place; heap, grown by cover_places */
  size_t nloops;
} Tables;

/* Finds the part of the graph that the group's done tokens reach. */
void cover_reach(Group *g);
/* Numbers the accesses in an order that the network allows: for graphs that do not say their
 * program order. Calls visit(data, op) for each access in that order. */
void cover_order(Group *g, void (*visit)(void *data, const Op *op), void *data);
/* Finds the place of every token and of the accesses. */
void cover_places(Group *g);
/* Works out the cover of every token. Needs the accesses in program order, loops and runs. */
void cover_solve(Group *g);

/* The cover of the tokens of `v` (nothing, where none of the group's done tokens gets there; v may
 * be NULL). */
Cover cover_of(const Group *g, const Value *v);
/* The same as seen from another place in the same domain. */
Cover cover_from(const Group *g, const Value *v, DomainId place);
bool cover_has(const Group *g, const Cover *cover, u32 access);
static inline bool cover_waits(const Cover *cover, u32 depth) {
  return cover->waits && cover->waits[(depth - 1) / 64] >> ((depth - 1) % 64) & 1;
}
GroupLoop *group_loop(const Group *g, DomainId burst);

#endif

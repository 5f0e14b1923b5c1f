/* cover.h -- private to the order proof: one ordering domain and what its tokens cover.
 *
 * A *group* is the accesses of one memory (or of several that may alias), numbered 0, 1, 2, ... in
 * program order. A control token *covers* an access if the token exists only after the access is
 * done. See cover.c. */
#ifndef LOOM_PROVE_COVER_H
#define LOOM_PROVE_COVER_H

#include "prove/parts.h"

typedef struct {
  u32 first, end;
} AccessRange;

/* The accesses that a control token covers, in its own iteration of every loop they share: those
 * below `prefix`, and those in `runs`, sorted. Bit k of `waits`: the token comes after all accesses
 * of the group in earlier iterations of the loop at depth k + 1. `place` is its domain, except
 * around a loop whose condition is reused: see cover.c. */
typedef struct {
  u32 group;     /* whose cover this is; not the current group: its tokens do not get here */
  u32 prefix, n; /* n: of runs */
  DomainId place;
  AccessRange *runs;
  u64 *waits;
} Cover;

/* A loop with accesses of the group in it. */
typedef struct {
  DomainId burst;
  u32 first, n; /* in Group.inside: the accesses, ascending */
  u32 nstores;
  bool has_accesses;              /* graph_burst and accesses are computed */
  DomainId graph_burst;           /* the BURST in the graph that all of them lie in, or 0 */
  const OrderedAccess **accesses; /* all n, ascending; NULL where graph_burst is 0 */
  Obstacle obstacle;              /* of the last address proof that was tried in this loop */
} GroupLoop;

#define NO_GROUP UINT32_MAX

/* ---- the control network -------------------------------------------------------------------- */

/* An op that control tokens go through, or an access that one starts. Members after `joins` are of
 * the group being checked, and valid where `group` is its id. */
typedef struct {
  u32 op;
  u32 access_group, access; /* of a load or store: its group (NO_GROUP: it feeds no port), and its
                               number in that; else 0 */
  bool joins;               /* takes all its operands: not an access, nor a choice or a loop's op */
  u32 group;
  u32 need, left;  /* inputs that the group reaches, without back operands; those yet to come */
  u32 first_input; /* where it joins: 1 + index in Group.inputs, or 0 */
  bool incomplete; /* a carry whose back operand misses accesses of its loop */
} Station;

/* The part of the graph that done tokens may go through, in numbers of its own: *stations*, in the
 * order of the text, and *tracks*, the values of type none between them. */
typedef struct {
  Vec(Station) stations; /* freed by prove_order */
  u32 ntracks;
  u32 *station_of_op;  /* by op: 1 + station, or 0 */
  u32 *track_of_value; /* by value: 1 + track, or 0 */
  u32 *first_user;     /* by track; ntracks + 1: where its users begin in `user` */
  u32 *user;           /* 2 * station, or 2 * station + 1 at an operand that closes a loop */
  Cover *cover;        /* by track: of the last group that reached it */
} Network;

typedef struct {
  u32 value;
  u32 next; /* 1 + index of the station's next input, or 0 */
} ControlInput;

typedef Vec(AccessRange) Runs;

/* By BURST: the group that last had accesses in that loop, and the loop's index in Group.loops. On
 * the heap, grown by cover_places. */
typedef struct {
  u32 *group, *loop;
  size_t n;
} LoopTable;

/* The group being checked. One is used for all groups in turn, so that its lists keep their memory.
 */
typedef struct {
  Proof *p;
  Network *net;
  Arena *arena; /* of this group; freed with it */
  u32 id;       /* of the group, from 1 */
  u32 n;
  OrderedAccess *access;
  u32 *next_store; /* by access, n + 1: the first store at or after it; n: none */
  u32 *run_end;    /* by access: where the accesses with the same place end */
  u32 nloops;
  GroupLoop *loops;
  u32 *inside; /* accesses by loop: see GroupLoop.first */
  u32 words;   /* u64s in Cover.waits */

  Vec(u32) stations;        /* those that its done tokens reach */
  Vec(ControlInput) inputs; /* values delivered to them: lists that begin at Station.first_input */
  Vec(u32) reached;         /* tracks that its done tokens reach */
  Vec(u64) waits;           /* Cover.waits point into it */
  Vec(u32) stack;           /* stations to visit next: the last first */
  Runs runs;                /* of the cover being built */
  i64 next_number;          /* for cover_order */

  LoopTable *loop_table; /* of all groups */
} Group;

/* Builds the network of a balanced graph, in its arena. */
void network_build(Proof *p, Network *net);

/* ---- covers --------------------------------------------------------------------------------- */

/* Finds the part of the graph that the group's done tokens reach. */
void cover_reach(Group *g);
/* Numbers the accesses in an order that the network allows: for graphs without a stated program
 * order. */
void cover_order(Group *g);
/* Finds the place of every token and of the accesses. */
void cover_places(Group *g);
/* Computes the cover of every token. Needs the accesses in program order, loops and runs. */
void cover_solve(Group *g);

/* The cover of a value's tokens: empty where none of the group's done tokens reaches it, and for
 * NO_VALUE. */
Cover cover_of(const Group *g, u32 value);
/* The same as seen from another place in the same domain. */
Cover cover_from(const Group *g, u32 value, DomainId place);
bool cover_has(const Group *g, const Cover *cover, u32 access);
static inline bool cover_waits(const Cover *cover, u32 depth) {
  return cover->waits && cover->waits[(depth - 1) / 64] >> ((depth - 1) % 64) & 1;
}
GroupLoop *group_loop(const Group *g, DomainId burst);

#endif

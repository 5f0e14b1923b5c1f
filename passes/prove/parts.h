/* parts.h -- private to the proofs: the numbered graph and what is known about its values.
 *
 * The proofs see a graph as numbered ops, values and *parts*. A part fires on its own: most
 * ops are one part, but a load sends its address and passes on its data at different times, a
 * memory serves each port by itself, and a gate's two results become known at different moments.
 *
 *     handshake.load    part 0: indices, ctrl -> address      part 1: data -> data
 *     handshake.memory  part j: store port j (data, address -> done)
 *                       part st + j: load port j (address -> data, done)
 *     dataflow.gate     part 0: -> after_value                part 1: -> after_cond
 *
 * The forward sweep of the balance proof computes the domain in which each value's tokens come. For
 * the few values that form addresses or decide whether a loop runs at all, two more facts are
 * computed on demand: the origin (the value it is a copy of) and the interval it lies in.
 */
#ifndef LOOM_PROVE_PARTS_H
#define LOOM_PROVE_PARTS_H

#include "ir/linear.h"
#include "prove/prove.h"

/* ---- domains (domains.c) -------------------------------------------------------------- */

/* A domain says when the tokens of an edge come:
 *
 *     D ::= ONCE            one a call                                            written R
 *         | BURST(c, D)     for each token of D a burst, as long as c says: true* false
 *         | TRUE(c, D)      those tokens of D for which c is true
 *         | FALSE(c, D)     those for which it is false
 *
 * Terms are shared (equal means the same id) and kept in normal form: terms that the rules of
 * chapter 40 make equal have one id. */
typedef u32 DomainId;
enum { DOMAIN_UNKNOWN = 0, DOMAIN_ONCE = 1 };

typedef enum { KIND_UNKNOWN, KIND_ONCE, KIND_BURST, KIND_TRUE, KIND_FALSE } DomainKind;

typedef struct {
  u32 cond;        /* value id of c */
  DomainId parent; /* D */
  DomainId burst;  /* the innermost BURST this lies in (itself, for one); 0: none */
  u16 bursts;      /* number of BURSTs it lies in */
  u16 length;      /* terms from here to ONCE */
  u8 kind;         /* DomainKind */
} Domain;

/* Longer terms are refused: no program nests that deep, and walks along a term stay short. */
enum { DOMAIN_MAX_LENGTH = 1024 };

/* ---- the graph ------------------------------------------------------------------------------ */

/* Ports of a handshake.memory or extmemory. */
typedef struct {
  u32 stores, loads;
  u32 addresses; /* address operands a port has */
  u32 first;     /* operand of the first port: 1 after an extmemory's memref */
} MemoryPorts;

/* The operands [first, end) of a port: the data and the addresses of a store, the addresses of a
 * load. */
static inline void port_operands(const MemoryPorts *ports, u32 port, u32 *first, u32 *end) {
  u32 stores = port < ports->stores ? port : ports->stores, loads = port - stores;
  *first = ports->first + stores * (1 + ports->addresses) + loads * ports->addresses;
  *end = *first + (port < ports->stores) + ports->addresses;
}

typedef struct {
  u32 op;
  MemoryPorts ports;
} ProofMemory;

/* An op: where its results, operands and parts begin. They end where those of the next op begin. */
typedef struct {
  u32 value;   /* id of its first result; arguments come first */
  u32 operand; /* in Proof.operand */
  u32 part;
  u16 kind;      /* OpKind */
  bool is_whole; /* it is one part, which takes all operands and gives all results */
  u8 fire;       /* FireClass */
} Node;

/* Flags of a value, one byte. */
enum {
  VALUE_NAME = 1,      /* a memref, which names a memory and carries no tokens */
  VALUE_NONE = 2,      /* of type none: control */
  VALUE_I1 = 4,        /* of type i1 */
  VALUE_CONTROLS = 8,  /* may control a loop: attachment has rules for it */
  VALUE_VISITED = 16,  /* the current walk has reached it */
  VALUE_REUSED = 32,   /* the condition of a loop, and of a mux in that loop's tests */
  VALUE_ZERO_TRIP = 64 /* of a loop condition: the upper bits are a ZeroTrip */
};
typedef enum { ZERO_TRIP_UNKNOWN, ZERO_TRIP_NO, ZERO_TRIP_MAYBE, ZERO_TRIP_REPORTED } ZeroTrip;

/* What is known about the number on an edge; computed on demand. */
typedef struct {
  u32 origin;     /* an older value that is always equal where both are known */
  DomainId home;  /* of an origin: where it is decided; all values equal to it lie under this */
  Interval range; /* integers and index, as signed numbers */
} Fact;

/* A value whose fact is being computed, and the operands [first, end) it depends on: see values.c.
 */
typedef struct {
  u32 value, first, next, end;
  bool passes_on;
} PendingFact;

#define NO_OP UINT32_MAX

typedef struct {
  Context *ctx;
  Arena *arena; /* all arrays below; freed at the end */
  Op *func;
  ProofMode mode;

  u32 nops, nparts, nvalues;
  Vec(Op *) ops;             /* by Op.index */
  Vec(Node) nodes;           /* by Op.index; one more at the end */
  Vec(u32) operand;          /* value ids, op by op */
  Vec(u32) def;              /* by value: the op it is a result of; NO_OP for arguments */
  Vec(u8) flags;             /* by value: VALUE_... */
  Vec(ProofMemory) memories; /* in the order of the text */
  u32 *same; /* the value looked at through forks, buffers and br: the identity. NULL where the
                graph has none of these: each is its own */

  DomainId *domain; /* by value */
  u32 *fact;        /* by value: its index in `facts`; 0: not computed yet */
  Vec(Fact) facts;
  Vec(PendingFact) pending; /* fact_of's stack */
  u32 *first_waiter;        /* by value: for the current walk; all 0 before and after */
  Map equal;                /* hash of a constant or pure op over origins -> value id */

  Vec(Domain) domains;
  u32 *domain_slots, ndomain_slots; /* a hash table of them */
  bool any_reused;

  LinearSolver solver; /* for questions about addresses */
  u32 groups, promises;
} Proof;

/* Numbers the ops, values and parts of a function's body. False after a diagnostic
 * (COMP_PROOF_OPAQUE): the body is not one block that uses only its own values. */
bool proof_number(Proof *p);

/* Ops and values are named by their numbers from here on. */
static inline const Node *node_at(const Proof *p, u32 op) {
  return &p->nodes.at[op];
}
static inline u32 value_id(const Proof *p, const Value *v) {
  return (v->is_arg ? 0 : node_at(p, value_op(v)->index)->value) + v->index;
}
static inline u32 result_id(const Proof *p, const Op *op, u32 r) {
  return node_at(p, op->index)->value + r;
}
static inline u32 operand_at(const Proof *p, u32 op, u32 i) {
  return p->operand.at[node_at(p, op)->operand + i];
}
static inline u32 operand_id(const Proof *p, const Op *op, u32 i) {
  return operand_at(p, op->index, i);
}
static inline u32 operand_count(const Proof *p, u32 op) {
  return node_at(p, op)[1].operand - node_at(p, op)->operand;
}
static inline u32 result_count(const Proof *p, u32 op) {
  return node_at(p, op)[1].value - node_at(p, op)->value;
}
static inline u32 same_as(const Proof *p, u32 value) {
  return p->same ? p->same[value] : value;
}
/* The identity of an operand. */
static inline u32 operand_same(const Proof *p, u32 op, u32 i) {
  return same_as(p, operand_at(p, op, i));
}
/* The op that a value id is a result of; NULL for arguments. */
static inline Op *def_of(const Proof *p, u32 value) {
  return p->def.at[value] == NO_OP ? NULL : p->ops.at[p->def.at[value]];
}
static inline Value *value_at(const Proof *p, u32 value) {
  Op *op = def_of(p, value);
  return op ? op_result(op, value - node_at(p, op->index)->value)
            : region_entry(&p->func->regions[0])->args[value];
}
static inline bool is_result_of(const Proof *p, u32 value, OpKind kind, u32 result) {
  u32 def = p->def.at[value];
  return def != NO_OP && node_at(p, def)->kind == kind && value == node_at(p, def)->value + result;
}

static inline ZeroTrip zero_trip_of(const Proof *p, u32 c) {
  return (ZeroTrip)(p->flags.at[c] / VALUE_ZERO_TRIP);
}
static inline void set_zero_trip(Proof *p, u32 c, ZeroTrip is) {
  p->flags.at[c] = (u8)(p->flags.at[c] % VALUE_ZERO_TRIP + is * VALUE_ZERO_TRIP);
}

typedef struct {
  u32 first, end; /* part ids */
} PartSpan;

/* The general cases of the three functions below: ops of several parts, or with a memref operand
 * (graph.c). */
PartSpan split_parts_of_operand(const Proof *p, u32 op, u32 i);
u32 split_next_operand(const Proof *p, u32 op, u32 part, u32 i);
u32 split_next_result(const Proof *p, u32 op, u32 part, u32 r);

/* The parts of op number `op` that take operand i; none for a memref operand, which carries no
 * tokens. */
static inline PartSpan parts_of_operand(const Proof *p, u32 op, u32 i) {
  const Node *n = node_at(p, op);
  return n->is_whole ? (PartSpan){n->part, n->part + 1} : split_parts_of_operand(p, op, i);
}
/* The part that gives result r. */
u32 part_of_result(const Proof *p, u32 op, u32 r);
/* The first operand from i on that the part takes, or noperands; the first result from r on that
 * it gives, or nresults. Constant time for a memory, however many ports it has. */
static inline u32 next_operand(const Proof *p, u32 op, u32 part, u32 i) {
  return node_at(p, op)->is_whole ? i : split_next_operand(p, op, part, i);
}
static inline u32 next_result(const Proof *p, u32 op, u32 part, u32 r) {
  return node_at(p, op)->is_whole ? r : split_next_result(p, op, part, r);
}

static inline bool is_memory(u16 kind) {
  return kind == OP_HANDSHAKE_MEMORY || kind == OP_HANDSHAKE_EXTMEMORY;
}

/* Ops whose results are copies of their operand. */
static inline bool passes_on(u16 kind) {
  return kind == OP_HANDSHAKE_FORK || kind == OP_HANDSHAKE_LAZY_FORK ||
         kind == OP_HANDSHAKE_BUFFER || kind == OP_HANDSHAKE_BR;
}

/* True for the operands that close a loop: `d` and `b` of a carry, `d` of an invariant. */
static inline bool is_back_operand(u16 kind, u32 i) {
  return (kind == OP_DATAFLOW_CARRY && i != 1) || (kind == OP_DATAFLOW_INVARIANT && i == 0);
}
/* Where `c` (an identity) is the continue bit of a dataflow.stream: that stream, else NO_OP. */
static inline u32 stream_of(const Proof *p, u32 c) {
  return is_result_of(p, c, OP_DATAFLOW_STREAM, 1) ? p->def.at[c] : NO_OP;
}
/* Where `c` is the after_cond of a dataflow.gate: that gate, else NO_OP. */
static inline u32 gate_of(const Proof *p, u32 c) {
  return is_result_of(p, c, OP_DATAFLOW_GATE, 1) ? p->def.at[c] : NO_OP;
}
/* Where `c` is the after_cond of a gate: the condition it gates. */
static inline bool gated_by(const Proof *p, u32 c, u32 *raw) {
  u32 gate = gate_of(p, c);
  if (gate != NO_OP) *raw = operand_same(p, gate, 1);
  return gate != NO_OP;
}

/* The stream whose index and continue bit the gate takes; else NO_OP. */
static inline u32 gated_stream(const Proof *p, u32 gate) {
  u32 stream = stream_of(p, operand_same(p, gate, 1)), index = operand_same(p, gate, 0);
  bool both = stream != NO_OP && p->def.at[index] == stream && index == node_at(p, stream)->value;
  return both ? stream : NO_OP;
}

/* ---- walks in dependence order -------------------------------------------------------------- */

/* The text is nearly in such an order. A part that is met before one of its operands is known waits
 * at that operand and resumes there: few do, those behind the ports of memories. So most operands
 * are looked at once, in memory order, and no list of users is needed. Proof.first_waiter and the
 * waiters form one list per value. */
typedef struct {
  u32 op, part, operand;
  u32 next; /* 1 + the next one that waits for the same value, or 0 */
} Waiter;
typedef Vec(Waiter) Waiters;

static inline void wait_for(Waiters *waiters, u32 *first, u32 op, u32 part, u32 operand) {
  vec_push(waiters, ((Waiter){op, part, operand, *first}));
  *first = (u32)waiters->len;
}
/* Moves the waiters of the list to `ready`. */
static inline void wake(const Waiters *waiters, u32 *first, Waiters *ready) {
  for (u32 w = *first; w; w = waiters->at[w - 1].next) vec_push(ready, waiters->at[w - 1]);
  *first = 0;
}

/* ---- domains: building and queries ---------------------------------------------------------- */

static inline const Domain *domain_at(const Proof *p, DomainId d) {
  return &p->domains.at[d];
}

void domain_init(Proof *p);
/* Each gives 0 (unknown) where `d` is unknown or the term would be longer than is allowed. */
DomainId domain_burst(Proof *p, u32 c, DomainId d);
DomainId domain_true(Proof *p, u32 c, DomainId d);
DomainId domain_false(Proof *p, u32 c, DomainId d);
/* The term itself, without applying the rules. */
DomainId domain_term(Proof *p, DomainKind kind, u32 c, DomainId d);
/* The innermost BURST on c that d lies in, or 0. */
DomainId domain_climb(const Proof *p, DomainId d, u32 c);
/* The innermost term that both lie in. */
DomainId domain_common(const Proof *p, DomainId a, DomainId b);
/* The BURST around a BURST, or 0. */
static inline DomainId outer_burst(const Proof *p, DomainId burst) {
  return domain_at(p, domain_at(p, burst)->parent)->burst;
}
/* The D for which BURST(c, D) is `d`; 0 where there is none. */
DomainId domain_burst_parent(Proof *p, u32 c, DomainId d);
/* True where d is `above` or lies somewhere in it. */
bool domain_is_under(const Proof *p, DomainId d, DomainId above);
/* True where no token of one can come together with a token of the other: one lies where some
 * condition is true, the other where the same token of it is false. */
bool domains_exclusive(const Proof *p, DomainId a, DomainId b);

/* Appends the domain in words: "once per iteration of the loop at k.mlir:12:5 where %c is true",
 * with `depth` of the loops around it. */
void domain_describe(const Proof *p, DomainId d, u32 depth, Buf *out);
/* Appends how to bring a value from domain `have` to `want`; false: there is no simple way. */
bool domain_describe_way(const Proof *p, DomainId have, DomainId want, Buf *out);
/* Appends "%name", or for a value without a name its op and place. */
void value_describe(const Proof *p, const Value *v, Buf *out);

/* ---- values (values.c) ---------------------------------------------------------------- */

/* Origin, home and range of a value that the sweep has reached; computed once. */
Fact fact_of(Proof *p, u32 value);
/* True where the loop with condition `c` (an identity), which runs once for each token of `d`,
 * provably never starts with false: nonzero(c, D). */
bool loop_runs(Proof *p, u32 c, DomainId d);
/* True where the value is one known number. */
bool range_is_point(Proof *p, u32 value, i64 *number);
/* The index of a stream differs between two iterations by a multiple of this; 0: unknown.
 * Where it may wrap, a power of two. */
i64 stream_stride(Proof *p, const Op *stream);
typedef struct {
  bool down;        /* from its start to lower numbers */
  bool closed;      /* the bound itself is still counted */
  bool never_wraps; /* so it stays on its side of the start */
} StreamOrder;
/* The direction in which a stream counts. False: it may not count towards its bound at all. */
bool stream_order(Proof *p, const Op *stream, StreamOrder *order);

/* ---- the proofs ----------------------------------------------------------------------------- */

/* Fills the domains of all values; false after an error (COMP_PROOF_BALANCE, _RETURN, _ZERO_TRIP,
 * _CYCLE, _OPAQUE). */
bool prove_balance(Proof *p);
/* Needs balance. COMP_PROOF_CYCLE, _QUEUE. */
bool prove_liveness(Proof *p);
/* Needs nothing. COMP_PROOF_ATTACHMENT. */
bool prove_attachment(Proof *p);
/* Needs balance and liveness. COMP_PROOF_ORDER, _ORDER_LOOP, _ORDER_RETURN. */
bool prove_order(Proof *p);

#define NO_VALUE UINT32_MAX

/* One load or store port, with the access that uses it. */
typedef struct {
  u32 op; /* handshake.load or store; NO_OP for a port that is fed directly */
  u32 memory;
  u32 ctrl; /* value; NO_VALUE for such a port: nothing orders it */
  u32 done;
  u32 address; /* value; NO_VALUE: several indices */
  DomainId domain;
  DomainId place; /* the order proof's: see cover.c */
  bool is_store;
  i64 number; /* loom.access, or -1 */
} OrderedAccess;

/* True where the second of two accesses waits for the first one of its own iteration, and so for
 * those of all earlier iterations. */
typedef bool WaitsFor(const void *of, const OrderedAccess *first, const OrderedAccess *second);

/* Why a proof failed. */
typedef struct {
  const char *why;             /* a phrase */
  const OrderedAccess *access; /* or NULL */
} Obstacle;

/* `accesses` are those in the loop `burst` (a BURST), in program order. True where number `late`
 * conflicts in no iteration of one run of the loop with an access of an earlier iteration, other
 * than those it waits for: waits_for(of, ...). (affine.c) */
bool later_iterations_differ(Proof *p, DomainId burst, const OrderedAccess *const *accesses, u32 n,
                             u32 late, WaitsFor *waits_for, const void *of, Obstacle *obstacle);
/* True where the two never touch the same element in the same iteration of all loops they share. */
bool accesses_differ(Proof *p, const OrderedAccess *a, const OrderedAccess *b);

#endif

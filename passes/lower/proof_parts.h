/* proof_parts.h -- private to the proofs: the numbered graph and what is known about its values.
 *
 * The proofs see a graph as numbered ops, values and *parts*. A part is what fires on its own: most
 * ops are one part, but a load sends its address and passes on its data at different times, a
 * memory serves each port by itself, and a gate's two results become known at different moments.
 *
 *     handshake.load    part 0: indices, ctrl -> address      part 1: data -> data
 *     handshake.memory  part j: store port j (data, address -> done)
 *                       part st + j: load port j (address -> data, done)
 *     dataflow.gate     part 0: -> after_value                part 1: -> after_cond
 *
 * Per value three facts are worked out by the forward sweep of the balance proof: the domain in
 * which its tokens come, its origin (the value it is a copy of), and the interval it lies in.
 */
#ifndef LOOM_PROOF_PARTS_H
#define LOOM_PROOF_PARTS_H

#include "lower/proof.h"

/* ---- domains (proof_domains.c) -------------------------------------------------------------- */

/* A domain says when the tokens of an edge come:
 *
 *     D ::= ONCE            one a call                                            written R
 *         | BURST(c, D)     for each token of D a burst, as long as c says: true* false
 *         | TRUE(c, D)      those tokens of D for which c is true
 *         | FALSE(c, D)     those for which it is false
 *
 * Terms are shared (equal means the same id) and kept in normal form: what the rules of chapter 40
 * make equal has one id. */
typedef u32 DomainId;
enum { DOMAIN_UNKNOWN = 0, DOMAIN_ONCE = 1 };

typedef enum { KIND_UNKNOWN, KIND_ONCE, KIND_BURST, KIND_TRUE, KIND_FALSE } DomainKind;

typedef struct {
  u8 kind;         /* DomainKind */
  u32 cond;        /* value id of c */
  DomainId parent; /* D */
  DomainId burst;  /* the innermost BURST this lies in (itself, for one); 0: none */
  u32 bursts;      /* how many BURSTs it lies in */
  u32 length;      /* terms from here to ONCE */
} Domain;

/* Longer terms are refused: no program nests that deep, and walks along a term stay short. */
enum { DOMAIN_MAX_LENGTH = 1024 };

/* ---- the graph ------------------------------------------------------------------------------ */

typedef struct {
  i64 min, max;
} Interval;

typedef enum { ZERO_TRIP_UNKNOWN, ZERO_TRIP_NO, ZERO_TRIP_MAYBE, ZERO_TRIP_REPORTED } ZeroTrip;

/* Ports of a handshake.memory or extmemory. */
typedef struct {
  u32 stores, loads;
  u32 addresses; /* address operands a port has */
  u32 first;     /* operand of the first port: 1 after an extmemory's memref */
} Ports;
Ports memory_ports(const Op *memory);

typedef struct {
  u32 op;
  Ports ports;
} Memory;

/* One use of a value: which operand of which op. */
typedef struct {
  u32 op, operand;
} Taker;

#define NO_OP UINT32_MAX

typedef struct {
  Context *ctx;
  Arena *arena; /* all below; freed at the end */
  Op *func;
  ProofMode mode;

  u32 nops, nparts, nvalues;
  Op **ops;         /* by Op.index */
  u16 *kind;        /* by op: its OpKind */
  bool *is_whole;   /* by op: it is one part, which takes all operands and gives all results */
  u32 *first_part;  /* by op; nops + 1 entries */
  u32 *first_value; /* by op: id of its first result; arguments come first; nops + 1 entries */
  u32 *op_of_part;
  Vec(Memory) memories; /* in the order of the text */
  Value **values;
  u32 *def;           /* by value: the op it is a result of; NO_OP for arguments */
  bool *is_name;      /* by value: a memref, which names a memory and carries no tokens */
  u32 *first_operand; /* by op; nops + 1 entries */
  u32 *operand;       /* value ids, op by op */
  u32 *first_taker;   /* by value; nvalues + 1 entries */
  Taker *taker;       /* value by value, in the order of the text */
  u32 *same;          /* the value looked at through forks, buffers and br: the identity */

  DomainId *domain; /* by value */
  u32 *origin;      /* by value: an older value that is always equal where both are known */
  DomainId *home;   /* by origin: where it is decided; all that equals it lies under this */
  Interval *range;  /* by value: integers and index, as signed numbers */
  u8 *zero_trip;    /* by value: ZeroTrip of a loop condition */
  bool *reused;     /* by value: the condition of a loop and of a mux in its tests */
  bool any_reused;

  Vec(Domain) domains;
  Map domain_ids;
  Map equal; /* hash of a constant or pure op over origins -> 1 + value id */

  u32 sccs, groups, promises;
} Proof;

/* Numbers the ops, values and parts of a function's body. False after a diagnostic
 * (COMP_PROOF_OPAQUE): the body is not one block that uses only its own values. */
bool proof_number(Proof *p);

static inline u32 value_id(const Proof *p, const Value *v) {
  return (v->is_arg ? 0 : p->first_value[v->op->index]) + v->index;
}
static inline u32 result_id(const Proof *p, const Op *op, u32 r) {
  return p->first_value[op->index] + r;
}
static inline u32 operand_id(const Proof *p, const Op *op, u32 i) {
  return p->operand[p->first_operand[op->index] + i];
}
/* The same for the number of an op: for walks that do without the op itself. */
static inline u32 operand_at(const Proof *p, u32 op, u32 i) {
  return p->operand[p->first_operand[op] + i];
}
static inline u32 operand_count(const Proof *p, u32 op) {
  return p->first_operand[op + 1] - p->first_operand[op];
}
static inline u32 result_count(const Proof *p, u32 op) {
  return p->first_value[op + 1] - p->first_value[op];
}
/* The identity of an operand. */
static inline u32 operand_same(const Proof *p, const Op *op, u32 i) {
  return p->same[operand_id(p, op, i)];
}
/* The op that a value id is a result of; NULL for arguments. */
static inline Op *def_of(const Proof *p, u32 value) {
  return p->def[value] == NO_OP ? NULL : p->ops[p->def[value]];
}
static inline bool is_result_of(const Proof *p, u32 value, OpKind kind, u32 result) {
  u32 def = p->def[value];
  return def != NO_OP && p->kind[def] == kind && value == p->first_value[def] + result;
}

typedef struct {
  u32 first, end; /* part ids */
} PartSpan;

/* The same questions for an op of several parts, or with an operand that is a name (proof_graph.c).
 */
PartSpan split_parts_of_operand(const Proof *p, u32 op, u32 i);
u32 split_next_operand(const Proof *p, u32 op, u32 part, u32 i);
u32 split_next_result(const Proof *p, u32 op, u32 part, u32 r);

/* Which parts of op number `op` take operand i; none for a memref operand, which is a name and no
 * token. */
static inline PartSpan parts_of_operand(const Proof *p, u32 op, u32 i) {
  u32 first = p->first_part[op];
  return p->is_whole[op] ? (PartSpan){first, first + 1} : split_parts_of_operand(p, op, i);
}
/* Which part gives result r. */
u32 part_of_result(const Proof *p, u32 op, u32 r);
/* The first operand from i on that the part takes, or noperands; the first result from r on that
 * it gives, or nresults. Constant time for a memory, however many ports it has. */
static inline u32 next_operand(const Proof *p, u32 op, u32 part, u32 i) {
  return p->is_whole[op] ? i : split_next_operand(p, op, part, i);
}
static inline u32 next_result(const Proof *p, u32 op, u32 part, u32 r) {
  return p->is_whole[op] ? r : split_next_result(p, op, part, r);
}

static inline bool is_memory(const Op *op) {
  return op->kind == OP_HANDSHAKE_MEMORY || op->kind == OP_HANDSHAKE_EXTMEMORY;
}

/* True for the operands that close a loop: `d` and `b` of a carry, `d` of an invariant. */
static inline bool is_back_operand(u16 kind, u32 i) {
  return (kind == OP_DATAFLOW_CARRY && i != 1) || (kind == OP_DATAFLOW_INVARIANT && i == 0);
}
/* Where `c` (an identity) is the continue bit of a dataflow.stream: that stream, else NULL. */
static inline Op *stream_of(const Proof *p, u32 c) {
  return is_result_of(p, c, OP_DATAFLOW_STREAM, 1) ? def_of(p, c) : NULL;
}
/* Where `c` is the after_cond of a dataflow.gate: that gate, else NULL. */
static inline Op *gate_of(const Proof *p, u32 c) {
  return is_result_of(p, c, OP_DATAFLOW_GATE, 1) ? def_of(p, c) : NULL;
}

/* ---- domains: building and asking ----------------------------------------------------------- */

static inline const Domain *domain_at(const Proof *p, DomainId d) {
  return &p->domains.at[d];
}

void domain_init(Proof *p);
/* Each gives 0 (unknown) where `d` is unknown or the term would be longer than is allowed. */
DomainId domain_burst(Proof *p, u32 c, DomainId d);
DomainId domain_true(Proof *p, u32 c, DomainId d);
DomainId domain_false(Proof *p, u32 c, DomainId d);
/* The term as it is, without the rules. */
DomainId domain_term(Proof *p, DomainKind kind, u32 c, DomainId d);
/* The innermost BURST on c that d lies in, or 0; the innermost term that both lie in. */
DomainId domain_climb(const Proof *p, DomainId d, u32 c);
DomainId domain_common(const Proof *p, DomainId a, DomainId b);
/* The D for which BURST(c, D) is `d`; 0 where there is none. */
DomainId domain_burst_parent(Proof *p, u32 c, DomainId d);
/* True where d is `above` or lies somewhere in it. */
bool domain_is_under(const Proof *p, DomainId d, DomainId above);
/* True where no token of one can come together with a token of the other: one lies where some
 * condition is true, the other where the same token of it is false. */
bool domains_exclusive(const Proof *p, DomainId a, DomainId b);

/* Appends what a person would say: "once per iteration of the loop at k.mlir:12:5, where %c is
 * true". `depth` is how many loops outwards it tells. */
void domain_describe(const Proof *p, DomainId d, u32 depth, Buf *out);
/* Appends what would bring a value that comes in `have` to `want`; false: nothing simple does. */
bool domain_describe_way(const Proof *p, DomainId have, DomainId want, Buf *out);
/* Appends "%name", or what and where it is for a value without a name. */
void value_describe(const Proof *p, const Value *v, Buf *out);

/* ---- values (proof_values.c) ---------------------------------------------------------------- */

/* Works out origin and range of a result whose op's operands (but for those that close a loop) and
 * whose own domain are known. */
void value_learn(Proof *p, Value *result);
/* True where the loop that `c` (an identity) drives, once a token of `d`, provably never starts
 * with false: nonzero(c, D). */
bool loop_runs(Proof *p, u32 c, DomainId d);
bool range_is_point(const Proof *p, u32 value, i64 *number);

/* ---- the proofs ----------------------------------------------------------------------------- */

/* Fills the facts per value; false after an error (COMP_PROOF_BALANCE, _RETURN, _ZERO_TRIP,
 * _CYCLE, _OPAQUE). */
bool prove_balance(Proof *p);
/* Needs balance. COMP_PROOF_CYCLE, _QUEUE. */
bool prove_liveness(Proof *p);
/* Needs nothing. COMP_PROOF_ATTACHMENT. */
bool prove_attachment(Proof *p);
/* Needs balance and liveness. COMP_PROOF_ORDER, _ORDER_LOOP, _ORDER_RETURN. */
bool prove_order(Proof *p);

/* One load or store port, with the access that uses it. */
typedef struct {
  Op *op; /* handshake.load or store; NULL for a port that is fed directly */
  Op *memory;
  Value *ctrl; /* NULL for such a port, which nothing orders */
  Value *done;
  Value *address; /* NULL: several indices */
  DomainId domain;
  DomainId place; /* the order proof's: see proof_cover.c */
  bool is_store;
  i64 number; /* loom.access, or -1 */
} Access;

/* True where no two different iterations of the loop `burst` (a BURST), in one run of it, make two
 * of the accesses conflict. Otherwise *why, a phrase, says what stood in the way. (proof_affine.c)
 */
bool iterations_disjoint(Proof *p, DomainId burst, const Access *const *accesses, u32 n,
                         const char **why);
/* True where the two never touch the same element in the same iteration of all loops they share. */
bool accesses_differ(Proof *p, const Access *a, const Access *b);

#endif

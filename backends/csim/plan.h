/* plan.h -- private to the loop code: what is known of a proved graph before any code is emitted.
 *
 * Words of the loop code (its files are listed in csim.h):
 *
 *     domain     when a result has tokens; as control dependence regions of a compiler, a tree
 *     BURST      a domain that is a loop: one token an iteration, also of the last test
 *     body       the domain of a loop's iterations, without that last test
 *     level      a loop, or the function: straight code with branches, done once an iteration
 *     item       what is scheduled in a level: a result, a loop, an arm or a record
 *     arm        one side of a mux that becomes an if/else
 *     record     with histories: the code that stores the tokens of one domain
 *     late       a result whose value is known in the next iteration only, or that depends on one
 *     state      a carry, or the first result of a stream: a variable that a loop updates
 *     port       the operands and results of a memory that one load or store uses
 *     root       the representative of a chain of copies (values.h)
 *     storage    of a root: the root in whose variable it is kept
 *
 * The proof gives each result a domain: ONCE a call, BURST(c, D), TRUE(c, X) or FALSE(c, X). A
 * BURST is a loop, a TRUE or FALSE a branch. The innermost BURST around a domain is its *level*
 * (itself, for one), named by its domain id; level 0 is the function itself. What happens in a
 * level happens once an iteration, and an iteration is one straight piece of code with branches in
 * it. It consists of *items*:
 *
 *     a result        its value is computed, or its memory port acts, or it needs no code
 *     a loop          all of an inner level
 *     an arm          of a mux that becomes an if/else: its value is moved to the mux's variable
 *     a record        with histories: the tokens of all results of one domain are recorded
 *
 * Items are ordered by their dependences. Operands that close a loop are none: they are read by the
 * update at the end of an iteration.
 *
 * *Late* results. The second result of a gate tells in one iteration whether there is a next.
 * Results that depend on it can only happen in the next iteration. In lowered graphs those are
 * tokens without data, which cost no code, so late results are not ordered at all; with histories
 * they are counted at the next test. A graph where a late result carries data is refused. */
#ifndef LOOM_CSIM_PLAN_H
#define LOOM_CSIM_PLAN_H

#include "csim.h"

#define NONE LOOM_NONE

typedef enum NodeKind {
  NODE_OTHER, /* not possible in loop code */
  NODE_ARGUMENT,
  NODE_RETURN,
  NODE_PURE,
  NODE_CONSTANT,
  NODE_COND_BR,
  NODE_MUX,
  NODE_JOIN, /* no data */
  NODE_COPY, /* fork, lazy_fork, buffer, br: every result is the operand */
  NODE_SYNC, /* result i is operand i, once all have come */
  NODE_SINK,
  NODE_LOAD,
  NODE_STORE,
  NODE_MEMORY,
  NODE_STREAM,
  NODE_GATE,
  NODE_CARRY,
  NODE_INVARIANT
} NodeKind;

/* Whether a result is late: a gate's second result itself, or one whose domain depends on that. */
enum Late { LATE_NOT, LATE_DOMAIN, LATE_CONDITION };

typedef struct Domain {
  enum loom_domain_kind kind;
  uint32_t condition, parent;
  uint32_t level;    /* domain id of the innermost BURST; 0: the function */
  uint32_t outer;    /* of a BURST: the level around it */
  uint32_t depth;    /* of a BURST: how many are around it, with itself */
  uint32_t body;     /* of a BURST: the domain of its body, TRUE(condition, itself); NONE */
  uint32_t opposite; /* of TRUE the FALSE and the other way round; NONE */
  char is_late;      /* its condition is late */
  char is_used;      /* it or a domain below it has a result */
} Domain;

/* Items by id: results, a loop for each domain, a record for each domain, two arms for each mux
 * (false, true). */
typedef struct Plan {
  Csim *m;
  uint32_t node_count, result_count, domain_count, item_count;
  loom_node *nodes;
  unsigned char *kinds; /* by node: NodeKind */
  uint32_t **inputs;    /* by node: the result on each operand */
  loom_result *results;
  loom_type *types; /* by type */
  loom_memory *memories;
  uint32_t *domain_of; /* by result; NONE: no tokens */
  Domain *domains;
  char *is_late;              /* by result: enum Late */
  char *is_observed;          /* by result: its tokens are stored and handed over, for histories */
  char *is_split;             /* by node: a mux written as if/else */
  uint32_t *mux_number;       /* by node */
  uint32_t mux_count, *muxes; /* by number: the node */
  const char *why;            /* why it cannot be loop code; NULL: it can */

  /* the order of each level's items: those before the loop test, then those of the body */
  uint32_t *item_domain;
  uint32_t *order, *first, *middle, *end; /* by level: in `order` */
  uint32_t *openings; /* by domain: how often its branch is opened in the code */
  uint32_t *tests;    /* by domain: the same, less those opened as an else */
  char *is_early;     /* by BURST: its test needs some items of its body */
} Plan;

/* Reads and orders the graph. False: it cannot be loop code; p->why is the reason. */
int csim_plan_make(Plan *p, Csim *m);

static inline uint32_t loop_item(const Plan *p, uint32_t domain) {
  return p->result_count + domain;
}
static inline uint32_t record_item(const Plan *p, uint32_t domain) {
  return p->result_count + p->domain_count + domain;
}
static inline uint32_t arm_item(const Plan *p, uint32_t node, uint32_t side) {
  return p->result_count + 2 * p->domain_count + 2 * p->mux_number[node] + side;
}
static inline const loom_type *type_of(const Plan *p, uint32_t result) {
  return &p->types[p->results[result].type];
}
static inline int has_data(const Plan *p, uint32_t result) {
  return type_of(p, result)->kind != LOOM_NO_DATA;
}
static inline uint32_t level_of(const Plan *p, uint32_t domain) {
  return p->domains[domain].level;
}
/* True where `domain` is `above` or below it in the tree. */
static inline int is_under(const Plan *p, uint32_t domain, uint32_t above) {
  while (domain > above) domain = p->domains[domain].parent;
  return domain == above;
}
/* The result that `result` is a copy of, through forks, buffers and br. */
uint32_t csim_identity(const Plan *p, uint32_t result);
/* The port of a memory that one of its results belongs to. */
typedef struct Port {
  uint32_t node;    /* the load or store at the port; the memory node, where there is none */
  uint32_t data;    /* the result that is stored; NONE: a load */
  uint32_t address; /* the result on the address operand */
  uint32_t port;    /* stores first, then loads (loom_memory.ports) */
} Port;
/* The port of memory node `n` that acts when its result number `which` is computed: the done of a
 * store, the data of a load. False for the done of a load. */
int csim_port(const Plan *p, uint32_t n, uint32_t which, Port *port);

#endif

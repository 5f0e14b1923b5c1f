/* body.h -- the body of a function unit, as unit.c and operators.c read it. */
#ifndef LOOM_VERILOG_BODY_H
#define LOOM_VERILOG_BODY_H

#include "hardware.h"

#include <string.h>

typedef struct Body {
  Hardware *h;
  Verilog *v;
  uint32_t item, opcode, body_id; /* item: whose payload */
  const loom_body *body;
  loom_body_node *nodes;
  uint32_t *payload_at; /* by node */
  uint32_t payload;
  /* Where values stand in the pipeline, which has `stages`: */
  uint32_t stages, levels; /* of gates, on the longest path */
  /* Levels of operations that have stages to themselves, and how many stages; or 0. */
  uint32_t whole, whole_stages;
  uint32_t *at, *stage; /* by value: levels before it, registers before it */
  uint8_t *halves;      /* by value: 2 is the second half of a load; NULL: there is none */
  uint32_t *literal_of; /* by value: 1 + the node that is a constant; or 0 */
  uint8_t *is_written;  /* by stage and value (and two of the configuration, for each half) */
  uint32_t now, half;   /* the stage, and half of a load, in which something is written */
  int is_early;         /* what is written is computed at once, when the operands come */
} Body;

static inline int is_op(const loom_body_node *n, const char *name) {
  return !strcmp(n->op_name, name);
}
static inline int is_mux(const loom_body_node *n) {
  return is_op(n, "fabric.mux");
}

static inline int has_predicate(const loom_body_node *n) {
  return is_op(n, "arith.cmpi") || is_op(n, "arith.cmpf");
}
/* The lesser or the larger of two numbers: which of them it is says the PE's comparator. */
static inline int is_extremum(const loom_body_node *n) {
  return n->shared == LOOM_OPERATOR_COMPARE && !is_op(n, "arith.cmpi");
}
/* One firing at a time: a module may use its steps again and again. */
static inline int is_serial(const loom_body *body) {
  return body->latency > 1 && body->interval >= body->latency;
}

/* The fields of a fabric.mux: `sel` is as wide as it must be, perhaps 0. */
static inline uint32_t mux_sides(const loom_body_node *n) {
  return n->operand_count > n->result_count ? n->operand_count : n->result_count;
}
static inline uint32_t mux_bits(const loom_body_node *n) {
  return mux_sides(n) > 1 ? choice_bits(mux_sides(n)) : 0;
}

/* The body of unit `opcode` of a PE component; its configuration, of an item, is appended to `f`. */
Body body_read(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode, Fields *f);

/* What the operator of a node is to do: a constant; NULL: the configuration's predicate, or nothing. */
const char *operators_what(const loom_body_node *node);

#endif

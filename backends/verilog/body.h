/* body.h -- the body of a function unit with its configuration, as unit.c and operators.c use
 * it. */
#ifndef LOOM_VERILOG_BODY_H
#define LOOM_VERILOG_BODY_H

#include "hardware.h"

#include <string.h>

typedef struct Body {
  Hardware *h;
  Verilog *v;
  uint32_t item, opcode, body_id; /* item: the instruction whose payload it is */
  const loom_body *body;
  loom_body_node *nodes;
  uint32_t *payload_at; /* by node: the first bit of its configuration in the payload */
  uint32_t payload;     /* bits of all nodes' configuration */
  /* The rest is unit.c's: its pipeline, and the state of writing it. */
  uint32_t stages;
  uint32_t levels; /* of gates, on the longest path */
  /* Levels of operations that have stages to themselves, and how many stages; or 0. */
  uint32_t whole, whole_stages;
  uint32_t *at, *stage; /* by value: levels before it, registers before it */
  uint8_t *halves;      /* by value: 2 is the second half of a load; NULL: there is none */
  uint32_t *literal_of; /* by value: 1 + the constant's node; 0: it is no constant */
  uint8_t *is_written;  /* by stage and value (and two of the configuration, for each half) */
  uint32_t now, half;   /* the stage, and the half of a load, that is being written */
  int is_early;         /* the text being written is computed when the operands come, in no stage */
  int is_temporal;      /* of a temporal PE */
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
/* A minimum or maximum that selects by the PE's shared comparator. */
static inline int is_extremum(const loom_body_node *n) {
  return n->shared == LOOM_OPERATOR_COMPARE && !is_op(n, "arith.cmpi");
}
/* One firing at a time: a module may iterate over the same hardware. */
static inline int is_serial(const loom_body *body) {
  return body->latency > 1 && body->interval >= body->latency;
}

/* Inputs or outputs of a fabric.mux, whichever are more; and the bits of its `sel`, perhaps 0. */
static inline uint32_t mux_sides(const loom_body_node *n) {
  return n->operand_count > n->result_count ? n->operand_count : n->result_count;
}
static inline uint32_t mux_bits(const loom_body_node *n) {
  return mux_sides(n) > 1 ? choice_bits(mux_sides(n)) : 0;
}

/* The body of unit `opcode` of a PE component; appends its configuration, that of `item`, to
 * `f`. */
Body body_read(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode, Fields *f);

/* The mode of a node's operator, a constant (to add or to subtract, ...); NULL: it is the predicate
 * in the configuration, or the operator has no modes. */
const char *operators_mode(const loom_body_node *node);

#endif

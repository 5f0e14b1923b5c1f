/* loom_fabric.h -- for backends that write hardware; used with loom_plugin.h.
 *
 * `loom.fabric/1` is a fabric with its modules flattened: components, their ports, the channels
 * between ports, and what is inside PEs: the hardware, whatever its configuration. `loom.image/1`
 * is one configuration image, with the position of every bit. Memory and `out`, `size` as in
 * loom_plugin.h. Functions that return int return LOOM_OK, or LOOM_ERROR for an id out of range.
 *
 *     component  something with ports: an input or output of the fabric, a PE, a switch, a fifo,
 *                a tag component, a memory. Its ports: first_port ..., inputs before outputs
 *     port       a value of `width` bits (0: only a token) and perhaps a tag. An input port has one
 *                peer, the output port that drives it; an output port has one or more
 *     unit       a function unit of a PE; its index in the PE is its opcode
 *     body       what a unit computes; all units of one definition share it. Values are numbered:
 *                the arguments, then the results of node 0, node 1, ...
 *
 * Values pass between ports of different widths aligned at bit 0, truncated or zero-extended.
 * New enumerators are only added at the end of an enum.
 */
#ifndef LOOM_FABRIC_TABLE_H
#define LOOM_FABRIC_TABLE_H

#include "loom_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum loom_component_kind {
  LOOM_FABRIC_INPUT,  /* one output port */
  LOOM_FABRIC_OUTPUT, /* one input port */
  LOOM_SPATIAL_PE,
  LOOM_TEMPORAL_PE,
  LOOM_SPATIAL_SW,
  LOOM_TEMPORAL_SW,
  LOOM_FIFO,
  LOOM_ADD_TAG,
  LOOM_MAP_TAG,
  LOOM_DEL_TAG,
  LOOM_MEMORY,
  LOOM_EXTMEMORY, /* the last one: new kinds are added after it */
};

/* The families of a memory's ports, in the order of its inputs and outputs. */
enum loom_family {
  LOOM_LOAD_ADDRESS,
  LOOM_STORE_ADDRESS,
  LOOM_STORE_DATA,
  LOOM_LOAD_DATA,
  LOOM_LOAD_DONE,
  LOOM_STORE_DONE,
  LOOM_FAMILIES
};

/* Fields that its kind does not have are 0, NULL or LOOM_NONE. */
typedef struct loom_component {
  enum loom_component_kind kind;
  const char *name;       /* unique: "cluster_1/pe_0" */
  const char *definition; /* the named definition it is an instance of, or "" */
  uint32_t first_port, input_count, output_count;
  /* PEs */
  uint32_t first_unit, unit_count;
  uint32_t operand_count, result_count; /* of the unit that has most: number of mux, demux fields */
  uint32_t register_count, instruction_count, register_depth; /* temporal PE */
  uint32_t operand_buffer; /* places of the buffer that its operands share; 0: each has its own */
  /* switches */
  const uint32_t *rows; /* by output: bit i is set where input i can reach it */
  uint32_t lane_bits;   /* spatial: bits of a sub-lane; 0: whole ports only */
  uint32_t slot_count;  /* temporal */
  /* fifos, map_tag */
  uint32_t depth, is_bypassable, entry_count;
  /* memories */
  uint32_t load_count, store_count; /* lanes; tags distinguish those that share a port */
  uint32_t queue_depth, region_count;
  uint32_t ports[LOOM_FAMILIES]; /* the first port of each; LOOM_NONE: the family is absent */
  uint32_t element_bits;
  uint64_t elements; /* 0: the size is only known at run time */
  uint32_t latency;  /* cycles from a request to its answer */
  uint32_t argument; /* extmemory: which memref argument of the fabric */
  uint32_t places;   /* requests a lane may have outstanding: `queue_depth`, or latency + 1 if 0 */
  uint32_t is_private; /* memory: the host cannot access it */
  /* memory: a family has min(channel_count, lanes) = n ports from ports[family] on, and lane i uses
   * the one at i mod n */
  uint32_t channel_count;
} loom_component;

typedef struct loom_port {
  uint32_t component, index; /* index: among the component's inputs, or its outputs */
  uint32_t is_output, width;
  uint32_t is_tagged, tag_width;
  const uint32_t *peers;
  uint32_t peer_count;
} loom_port;

typedef struct loom_function_unit {
  const char *name; /* of the instance in the PE where it has one */
  uint32_t component, opcode, body;
  /* Opcode of the unit of this PE that computes the same results, in the low bits of its own;
   * mostly the unit itself. */
  uint32_t data_path;
} loom_function_unit;

typedef struct loom_body_value {
  enum loom_kind kind;
  uint32_t bits;
} loom_body_value;

typedef struct loom_body {
  const char *name;
  int32_t latency; /* cycles; -1: a dataflow state machine */
  /* Cycles from one firing to the next, at least 1. Of a stream whose `step_op` is pipelined: its
   * registers + 1. */
  int32_t interval;
  uint32_t argument_count, result_count, value_count, node_count;
  const loom_body_value *values; /* by number */
  const uint32_t *yields;        /* result_count values */
  uint32_t early_out; /* not 0: its one operation is a division that ends early (loom_machine.h) */
} loom_body;

/* Operators that the units of a spatial PE share. Each is as wide as the widest node that uses it;
 * the configured opcode selects its operands:
 *
 *     ADD      x + y, x - y             SHIFT    x << y, x >> y, signed or not
 *     LOGIC    x & y, x | y, x ^ y      COMPARE  cmpi, and the comparison of a minimum or maximum
 *     EXTEND   x of fewer or more bits
 *     MODULE   the operations of one library module on one type: addf and subf, all divisions */
enum loom_operator {
  LOOM_OPERATOR_NONE,
  LOOM_OPERATOR_ADD,
  LOOM_OPERATOR_LOGIC,
  LOOM_OPERATOR_SHIFT,
  LOOM_OPERATOR_COMPARE,
  LOOM_OPERATOR_EXTEND,
  LOOM_OPERATOR_MODULE
};

/* An operation, or a fabric.mux with a configured `sel`: M inputs and 1 output, or 1 and M. */
typedef struct loom_body_node {
  const char *op_name; /* "arith.addi" */
  const uint32_t *operands;
  uint32_t operand_count, first_result, result_count;
  const char *step_op; /* stream: "+=" */
  uint64_t literal;    /* constant: a hint, the image has the configured value */
  uint32_t is_pure;    /* computes its results from its operands and nothing else */
  uint32_t levels;     /* estimated depth in two-input gates */
  /* In a spatial PE: the operator that computes this node, and its index among those of all kinds;
   * NONE: no shared one. Its operands are arguments and literals of the unit. Two nodes of a unit
   * have the same one only if a fabric.mux, their only user, selects one of their results.
   * shared_stages: registers inside the operator, which are the first ones of the unit's pipeline.
   */
  enum loom_operator shared;
  uint32_t shared_index, shared_stages;
} loom_body_node;

typedef struct loom_fabric { /* "loom.fabric/1" */
  uint32_t size;
  const char *(*name)(const loom_design *);
  loom_count *component_count, *port_count, *unit_count, *body_count;
  int (*component)(const loom_design *, uint32_t id, loom_component *out, size_t);
  int (*port)(const loom_design *, uint32_t id, loom_port *out, size_t);
  int (*unit)(const loom_design *, uint32_t id, loom_function_unit *out, size_t);
  int (*body)(const loom_design *, uint32_t id, loom_body *out, size_t);
  int (*node)(const loom_design *, uint32_t body, uint32_t i, loom_body_node *out, size_t);
  /* A hardware parameter by its attribute name: "depth", "num_route_table", "ldCount"; of a flag 0
   * or 1, of an enumeration the index of its word. LOOM_ERROR: the component has none of that name,
   * or it is no number. Parameters added later are only here, not in loom_component. */
  int (*parameter)(const loom_design *, uint32_t component, const char *name, uint32_t *value);
} loom_fabric;

/* ---- positions of configuration bits -------------------------------------------------------------
 * A component that has anything to configure has a slice of the image's words. Its fields start at
 * bit 0 of its first word, without gaps; a field of 0 bits does not exist. */

/* loom_field.item is the index of the slot, entry, region or instruction. Of LOOM_FIELD_NODE_... it
 * is the unit's opcode, and a_lane the instruction if each has its own configuration of its unit,
 * else 0. */
enum loom_field_kind {
  LOOM_FIELD_VALID,   /* of any item; `enable` of a spatial PE */
  LOOM_FIELD_TAG,     /* of a slot or instruction; of an add_tag; src_tag of an entry */
  LOOM_FIELD_PAIR,    /* a: output, b: input; and their lanes. Not connected: 0 bits */
  LOOM_FIELD_DISCARD, /* spatial switch, a: input; and its lane */
  LOOM_FIELD_DST_TAG,
  LOOM_FIELD_BYPASSED,
  LOOM_FIELD_START, /* of a region: its tags are [start, end) */
  LOOM_FIELD_END,
  LOOM_FIELD_OFFSET,
  LOOM_FIELD_SIZE_LOG2,
  LOOM_FIELD_OPCODE,
  LOOM_FIELD_OPERAND_REGISTER, /* a: unit input; the register it comes from */
  LOOM_FIELD_OPERAND_IS_REGISTER,
  LOOM_FIELD_MUX_SELECT, /* a: unit input; the port of the PE it comes from */
  LOOM_FIELD_MUX_DISCARD,
  LOOM_FIELD_MUX_DISCONNECT,
  LOOM_FIELD_DEMUX_SELECT, /* a: unit output; the port of the PE it goes to */
  LOOM_FIELD_DEMUX_DISCARD,
  LOOM_FIELD_DEMUX_DISCONNECT,
  LOOM_FIELD_RESULT_TAG, /* a: unit output */
  LOOM_FIELD_RESULT_REGISTER,
  LOOM_FIELD_RESULT_IS_REGISTER,
  LOOM_FIELD_NODE_SELECT, /* a: node of the unit's body, a fabric.mux */
  LOOM_FIELD_NODE_DISCARD,
  LOOM_FIELD_NODE_DISCONNECT,
  LOOM_FIELD_NODE_LITERAL,
  LOOM_FIELD_NODE_JOIN,      /* b: its input */
  LOOM_FIELD_NODE_PREDICATE, /* 4 bits, MLIR's number */
  LOOM_FIELD_NODE_CONDITION, /* stream: one-hot < <= > >= != */
};

typedef struct loom_field {
  enum loom_field_kind kind;
  uint32_t item, a, b, a_lane, b_lane;
} loom_field;

typedef struct loom_image { /* "loom.image/1" */
  uint32_t size;
  loom_count *word_count;
  const uint32_t *(*words)(const loom_design *);
  /* The slice of a component: index of its *first word (LOOM_NONE: it has none), *count words. */
  int (*slice)(const loom_design *, uint32_t component, uint32_t *first, uint32_t *count);
  /* The position of a field: *width bits from bit *at of the component's slice. Width 0: the field
   * does not exist. LOOM_ERROR: its indices are out of range. */
  int (*field)(const loom_design *, uint32_t component, const loom_field *field, uint32_t *at,
               uint32_t *width);
} loom_image;

#ifdef __cplusplus
}
#endif
#endif

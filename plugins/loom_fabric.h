/* loom_fabric.h -- for backends that write hardware; goes with loom_plugin.h.
 *
 * `loom.fabric/1` is a fabric with its modules opened up: components, their ports, the channels
 * between ports, and what is inside PEs. It is all that hardware can be, not what one image makes
 * of it. `loom.image/1` is such an image, with the place of every configuration bit.
 *
 *     component  something with ports: an input or output of the fabric, a PE, a switch, a fifo,
 *                a tag component, a memory. Its ports: first_port ..., inputs before outputs
 *     port       a value of `width` bits (0: only a token) and perhaps a tag. An input port has one
 *                peer, the output port that drives it; an output port has one or more
 *     unit       a function unit of a PE; its place in the PE is its opcode
 *     body       what a unit computes; all units of one definition share it. Values are numbered:
 *                the arguments, then the results of node 0, node 1, ...
 *
 * Values pass between ports of different widths aligned at bit 0, cut or filled with zeros.
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
  LOOM_EXTMEMORY, /* the last one: new kinds come behind it */
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
  uint32_t operand_count, result_count; /* of the unit that has most: mux and demux fields */
  uint32_t register_count, instruction_count, register_depth; /* temporal PE */
  uint32_t operand_buffer; /* places of the buffer that its operands share; 0: each has its own */
  /* switches */
  const uint32_t *rows; /* by output: bit i is set where input i can reach it */
  uint32_t lane_bits;   /* spatial: bits of a sub-lane; 0: whole ports only */
  uint32_t slot_count;  /* temporal */
  /* fifos, map_tag */
  uint32_t depth, is_bypassable, entry_count;
  /* memories */
  uint32_t load_count, store_count; /* lanes; those that share a port are told apart by the tag */
  uint32_t queue_depth, region_count;
  uint32_t ports[LOOM_FAMILIES]; /* the first port of each; LOOM_NONE: the family is not there */
  uint32_t element_bits;
  uint64_t elements;   /* 0: as many as the host says */
  uint32_t latency;    /* cycles from a request to its answer */
  uint32_t argument;   /* extmemory: which memref argument of the fabric */
  uint32_t places;     /* of a lane: `queue_depth`, or latency + 1 where that is 0 */
  uint32_t is_private; /* memory: the host does not see it */
  /* memory: ports of each family, but no more than lanes; `ports` has the first, and lane i is on
   * the one that is i mod so many behind that */
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
  uint32_t
      data_path; /* opcode of the unit of this PE that computes what it does, in the low bits */
} loom_function_unit;

typedef struct loom_body_value {
  enum loom_kind kind;
  uint32_t bits;
} loom_body_value;

typedef struct loom_body {
  const char *name;
  int32_t latency; /* -1: a dataflow state machine */
  int32_t
      interval; /* cycles from one firing to the next, 1 at least; of a stream by whose `step_op` the next value
                     * is not there in the next cycle one more than its operation has registers */
  uint32_t argument_count, result_count, value_count, node_count;
  const loom_body_value *values; /* by number */
  const uint32_t *yields;        /* result_count values */
  uint32_t early_out; /* not 0: its one operation divides, and ends early (loom_machine.h) */
} loom_body;

/* What the units of a spatial PE share; each is as wide as the widest that needs it, and has its operands
 * as the configured unit says:
 *
 *     ADD      x + y, x - y             SHIFT    x << y, x >> y, signed or not
 *     LOGIC    x & y, x | y, x ^ y      COMPARE  cmpi, and which of two is the larger or smaller
 *     EXTEND   x of fewer or more bits
 *     MODULE   what one module of the library does for operands of one type: addf and subf, all divisions */
enum loom_operator {
  LOOM_OPERATOR_NONE,
  LOOM_OPERATOR_ADD,
  LOOM_OPERATOR_LOGIC,
  LOOM_OPERATOR_SHIFT,
  LOOM_OPERATOR_COMPARE,
  LOOM_OPERATOR_EXTEND,
  LOOM_OPERATOR_MODULE
};

/* An operation, or a fabric.mux, which is configuration: M inputs and 1 output, or 1 and M. */
typedef struct loom_body_node {
  const char *op_name; /* "arith.addi" */
  const uint32_t *operands;
  uint32_t operand_count, first_result, result_count;
  const char *step_op; /* stream: "+=" */
  uint64_t literal;    /* of a constant: a hint, the image says */
  uint32_t is_pure;    /* computes its results from its operands and nothing else */
  uint32_t levels;     /* of gates of two inputs that it has, about */
  /* In a spatial PE: the operator that computes it for all its units, and which of all there are;
   * NONE: the unit does so itself. Its operands are arguments and literals. Two nodes of a unit have the same
   * one where the configuration has the result of one of them: a fabric.mux takes both, and nothing else.
   * With shared_stages it has as many registers inside, the unit's first ones. */
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
  /* A hardware parameter by its name in the text: "depth", "num_route_table", "ldCount"; of a flag
   * 0 or 1, of a choice which of its words. LOOM_ERROR: the component has none of that name, or it
   * is no number. Parameters that come later have no field in loom_component. */
  int (*parameter)(const loom_design *, uint32_t component, const char *name, uint32_t *value);
} loom_fabric;

/* ---- where configuration bits lie --------------------------------------------------------------
 * A component that has anything to configure has a slice of the image's words. Its fields lie from
 * bit 0 of its first word up; a field of 0 bits is not there. */

enum loom_field_kind { /* `item`: which slot, entry, region or instruction; of a node, the opcode, and
                        * `a_lane` the instruction, where that has the unit's configuration */
                       LOOM_FIELD_VALID,   /* of any item; `enable` of a spatial PE */
                       LOOM_FIELD_TAG,     /* of a slot or instruction; of an add_tag; src_tag of an
                                              entry */
                       LOOM_FIELD_PAIR,    /* a: output, b: input; and their lanes. Not connected: 0
                                              bits */
                       LOOM_FIELD_DISCARD, /* spatial switch, a: input; and its lane */
                       LOOM_FIELD_DST_TAG,
                       LOOM_FIELD_BYPASSED,
                       LOOM_FIELD_START, /* of a region: its first tag, and the first behind it */
                       LOOM_FIELD_END,
                       LOOM_FIELD_OFFSET,
                       LOOM_FIELD_SIZE_LOG2,
                       LOOM_FIELD_OPCODE,
                       LOOM_FIELD_OPERAND_REGISTER, /* a: unit input; which register it comes from
                                                       ... */
                       LOOM_FIELD_OPERAND_IS_REGISTER,
                       LOOM_FIELD_MUX_SELECT, /* a: unit input; which port of the PE it comes from
                                               */
                       LOOM_FIELD_MUX_DISCARD,
                       LOOM_FIELD_MUX_DISCONNECT,
                       LOOM_FIELD_DEMUX_SELECT, /* a: unit output; which port of the PE it goes to
                                                 */
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
                       LOOM_FIELD_NODE_CONDITION  /* stream: one-hot < <= > >= != */
};

typedef struct loom_field {
  enum loom_field_kind kind;
  uint32_t item, a, b, a_lane, b_lane;
} loom_field;

typedef struct loom_image { /* "loom.image/1" */
  uint32_t size;
  loom_count *word_count;
  const uint32_t *(*words)(const loom_design *);
  /* The slice of a component: *first word (LOOM_NONE: it has none), *count words. */
  int (*slice)(const loom_design *, uint32_t component, uint32_t *first, uint32_t *count);
  /* Where a field lies: *width bits from bit *at of the component's slice. Width 0: not there. */
  int (*field)(const loom_design *, uint32_t component, const loom_field *field, uint32_t *at,
               uint32_t *width);
} loom_image;

#ifdef __cplusplus
}
#endif
#endif

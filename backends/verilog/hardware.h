/* hardware.h -- the fabric as the files that write it see it: tables, Verilog names, and the
 * positions of configuration bits. Private to the verilog backend.
 *
 *     hardware.c   the tables
 *     names.c      identifiers
 *     fields.c     configuration fields, as slices of a vector
 *     body.c       the body of a function unit, and its payload
 *     unit.c       a module for each body: the data path of a function unit
 *     pe.c         a module for each definition of a PE
 *     operators.c  operators that the function units of a PE share
 *     groups.c     modules with the function units of a PE, up to 32 each
 *     tiles.c      a module for each kind of tile: a PE with its switch, fifos and tag components
 *     top.c        the top module; see wires.h for the wires between components
 */
#ifndef LOOM_VERILOG_HARDWARE_H
#define LOOM_VERILOG_HARDWARE_H

#include "loom_firing.h"
#include "verilog.h"

/* Bits of a tag, at most: `want` has a bit for each tag, so 256. */
enum { MAX_TAG_WIDTH = 8 };
/* Regions of a memory, at most: a request has 8 bits for the number of its region. */
enum { MEMORY_REGIONS = 256 };

/* A PE with its neighbours, as a module of its own (tiles.c). */
typedef struct Tile {
  uint32_t pe, has_module; /* 0: the PE has no such neighbours, and stands in the top module */
  const char *module;      /* shared by tiles of identical text */
} Tile;

/* Components, or ports of channels, by where they stand: for each tile, and behind them for the top
 * module, the first one in it, and for each one the next, in their order; LOOM_NONE ends. */
typedef struct Places {
  uint32_t *of, *first, *next;
} Places;

typedef struct Hardware {
  Verilog *v;
  uint32_t component_count, port_count, unit_count, body_count;
  loom_component *components;
  loom_port *ports;
  loom_function_unit *units;
  loom_body *bodies;
  const char *top_name, **component_names, **body_names; /* unique identifiers */
  /* By body: name and text of its module needs_NAME; NULL: it has none. */
  const char **needs_names, **needs_texts;
  const char **needs_inputs; /* by body and argument: needs_NAME has it as an input */
  Tile *tiles;
  uint32_t tile_count, *tile_of; /* by component; LOOM_NONE: it is in the top module */
  const char **local_names;      /* by component: its name in its tile */
  Places members, channels;      /* of components; of ports, where all ends of their channel are */
  uint32_t scope;                /* the tile whose module is written; LOOM_NONE: the top module */
  const char *const *names;      /* by component: its name in that module */
  int has_loops;                 /* there are combinational loops through components */
  int has_rings;                 /* there are some that an image may close */
} Hardware;

/* The tables of v->fabric, read at the first call; they live until emit returns. NULL where
 * v->status is not LOOM_OK, as after the diagnostic of a port with values of more than 64 bits or
 * tags of more than MAX_TAG_WIDTH, or of a memory that is too large. */
Hardware *hardware_of(Verilog *v);
/* Reports a fabric that has no hardware; emit returns LOOM_UNSUPPORTED, or the status of an earlier
 * failure. */
void hardware_refuse(Verilog *v, const char *code, const char *format, ...) BACKEND_PRINTF(3, 4);

/* ---- names.c --------------------------------------------------------------------------------- */

/* `count` names as distinct identifiers. None is a keyword, and none has two underscores in a row:
 * these separate a component's name from what follows in the names of its wires. */
const char **names_unique(Verilog *v, const char *const *names, uint32_t count);
/* The same; and names derived from one of them (NAME_data, ...) never equal those of another. */
const char **names_of_components(const Hardware *h, const char *const *names);
/* The name of the top module, which differs from those of all other modules. */
const char *names_of_top(const Hardware *h, const char *name);

/* ---- fields.c -------------------------------------------------------------------------------- */

/* A concatenation of configuration fields of one component, from the lowest bits up. */
typedef struct Fields {
  Verilog *v;
  uint32_t component;
  const char *vector; /* the wire with all of the component's configuration bits */
  uint32_t bits;      /* of the concatenation so far */
  struct Run {
    uint32_t at, width; /* bits of the vector from `at` on; LOOM_NONE: zeros */
  } * runs;
  uint32_t count, capacity; /* of runs */
} Fields;

Fields fields_new(Verilog *v, uint32_t component, const char *vector);
/* Appends the field, truncated or zero-extended to `width` bits (0: its own width). Returns how
 * many bits were appended. A field that the component does not have is an error
 * (Verilog.status). */
uint32_t fields_add(Fields *f, loom_field field, uint32_t width);
void fields_zeros(Fields *f, uint32_t width);
/* The concatenation as an expression; "1'b0" where it has no bits. */
const char *fields_text(Fields *f);

static inline loom_field field_of(enum loom_field_kind kind, uint32_t item, uint32_t a) {
  loom_field f = {kind, item, a, 0, 0, 0};
  return f;
}

/* ---- unit.c ---------------------------------------------------------------------------------- */

enum unit_kind {
  UNIT_COMPUTES,
  UNIT_STREAM = 1 + LOOM_STREAM,
  UNIT_GATE = 1 + LOOM_GATE,
  UNIT_CARRY = 1 + LOOM_CARRY,
  UNIT_INVARIANT = 1 + LOOM_INVARIANT
};

/* The properties of a unit's body that its PE depends on. */
typedef struct UnitInterface {
  enum unit_kind kind;
  int is_load;
  int chooses_operands; /* its configuration or a selector decides which operands it takes: it has
                         * a module needs_NAME (Hardware.needs_names) */
  uint64_t half_needs, half_gives; /* a load: operands and results of its second half */
  /* Of a dataflow machine: the unit's operands and results that are its inputs and outputs. */
  uint32_t flow_from[3], flow_to[2];
  uint32_t flow_bits; /* bits of the value that it passes on */
  uint32_t payload;   /* bits of its configuration */
  uint64_t steady; /* results of every firing; whether there are others depends on the operands */
  /* A carry with a branch, and whether the branch is before it. The PE keeps the state of the loop
   * (put_kept in pe.c), which argument `decision` updates. */
  int keeps, is_tail;
  uint32_t decision;
  int has_data_path; /* there is a module unit_NAME, or in temporal PEs temporal_NAME */
  int is_issued; /* in a temporal PE, pipelined: its operands pass a register first (groups.c) */
} UnitInterface;

/* Of the body of unit `opcode` of a PE component. Refuses operations that have no hardware. */
UnitInterface unit_interface(Hardware *h, uint32_t component, uint32_t opcode);
/* Width of the port `move` of its module, the enables of its registers: one bit for each pipeline
 * stage (a load: of both halves; a stream: for each register between one index and the next, 0
 * where it steps in one cycle) but that of its operands if it is issued. */
uint32_t unit_moves(const UnitInterface *interface, const loom_body *body);
/* Bits of a shared operator that the unit's module has as an input, for a node that is computed by
 * that operator: the result, and above it the `skip` of a division that ends early. */
enum { SKIP_BITS = 12 };
#define NO_SKIP ".skip(12'd0)"
static inline uint32_t unit_shared_bits(const loom_body *body, const loom_body_node *node) {
  if (node->shared == LOOM_OPERATOR_COMPARE) return 1;
  return body->values[node->first_result].bits + (body->early_out ? SKIP_BITS : 0);
}
/* The payload of a unit, as slices of the wire `bits`: that of an instruction (`item`), or in a PE
 * without a payload for each instruction the unit's (item 0). */
const char *unit_payload(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode);
/* Writes the modules of a body: `needs_NAME`, unless that of an earlier body is the same, and with
 * `data_path` also `unit_NAME`. The component is any PE that has a unit of the body. */
void unit_write(Hardware *h, uint32_t component, uint32_t opcode, int data_path);

/* ---- pe.c ------------------------------------------------------------------------------------ */

/* Writes the file rtl/MODULE.sv of a PE, and those of its groups. */
void pe_write(Hardware *h, uint32_t component, const char *module);
/* Data width of a PE in bits: the widest of its ports and of all values in its units. */
uint32_t pe_data_width(const Hardware *h, uint32_t component);
/* Channels of a PE that LOOM_OBSERVE shows: operands by instruction, registers, discarded
 * results. */
uint32_t pe_observed(const loom_component *c);

/* ---- widths ---------------------------------------------------------------------------------- */

static inline uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}
static inline uint32_t at_least_1(uint32_t n) {
  return n ? n : 1;
}
/* Bits to choose one of n, from 1 to 32. */
static inline uint32_t choice_bits(uint64_t n) {
  uint32_t bits = 1;
  while (bits < 32 && (uint64_t)1 << bits < n) bits++;
  return bits;
}

#endif

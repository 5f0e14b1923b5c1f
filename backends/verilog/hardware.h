/* hardware.h -- what the files that write a fabric share: its tables, names, and the places of its
 * configuration bits. Private to the verilog backend.
 *
 *     hardware.c   the tables
 *     names.c      identifiers
 *     fields.c     configuration fields, as slices of a vector
 *     unit.c       what a function unit computes: a module for each body
 *     pe.c         a module for each definition of a PE
 *     operators.c  operators that its function units share
 *     groups.c     its function units
 *     tiles.c      a module for each kind of tile: a PE with what is next to it
 *     top.c        the top module
 */
#ifndef LOOM_VERILOG_HARDWARE_H
#define LOOM_VERILOG_HARDWARE_H

#include "loom_firing.h"
#include "verilog.h"

/* Tags that a channel may have: their number is the width of many vectors. */
enum { MAX_TAG_WIDTH = 8 };
/* Of a memory: a request says in 8 bits which it is in. */
enum { MEMORY_REGIONS = 256 };

/* A PE with what is next to it, as a module of its own. */
typedef struct Tile {
  uint32_t pe, is_there; /* not: there is nothing but the PE */
  const char *module;    /* tiles that are alike have the same */
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
  /* By body: its module needs_NAME, and what is in that; NULL: it has none. */
  const char **needs_names, **needs_texts;
  Tile *tiles;
  uint32_t tile_count, *tile_of; /* of a component; LOOM_NONE: it stands in the top module */
  const char **local_names;      /* of components in their tiles */
  Places members, channels;      /* of components; of ports, where all ends of their channel are */
  uint32_t scope;                /* the tile whose module is written; LOOM_NONE: the top module */
  const char *const *names;      /* what components are called there */
  int has_loops;                 /* wires lead round in a loop, through components, */
  int has_rings;                 /* which an image may close */
} Hardware;

/* The tables of v->fabric, read at the first call; they live until emit returns. NULL where
 * v->status is not LOOM_OK, as after the diagnostic of a port with values of more than 64 bits or
 * tags of more than MAX_TAG_WIDTH, or of a memory that is too large. */
Hardware *hardware_of(Verilog *v);
/* Reports that something cannot be written; emit returns LOOM_UNSUPPORTED unless something failed
 * before. */
void hardware_refuse(Verilog *v, const char *code, const char *format, ...) BACKEND_PRINTF(3, 4);

/* ---- names.c --------------------------------------------------------------------------------- */

/* `count` names as identifiers of which no two are the same, none is a keyword, and none has two
 * underscores in a row: those are for what is made of them. */
const char **names_unique(Verilog *v, const char *const *names, uint32_t count);
/* The same; and names derived from one of them (NAME_data, ...) never equal those of another. */
const char **names_of_components(const Hardware *h, const char *const *names);
/* Of the top module: no other module is called so. */
const char *names_of_top(const Hardware *h, const char *name);

/* ---- fields.c -------------------------------------------------------------------------------- */

/* A concatenation of configuration fields of one component, put together from the lowest up. */
typedef struct Fields {
  Verilog *v;
  uint32_t component;
  const char *vector; /* the wire with all of the component's configuration bits */
  uint32_t bits;      /* how many were added */
  struct Run {
    uint32_t at, width; /* bits of the vector from `at` on; LOOM_NONE: zeros */
  } * runs;
  uint32_t count, capacity; /* of runs */
} Fields;

Fields fields_new(Verilog *v, uint32_t component, const char *vector);
/* Appends the field, cut or with zeros above it to `width` bits (0: as many as it has). Returns how
 * many were appended. A field that the component does not have is 0 bits. */
uint32_t fields_add(Fields *f, loom_field field, uint32_t width);
void fields_zeros(Fields *f, uint32_t width);
/* The concatenation as an expression, or "1'b0" where it has no bits. */
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

/* What a PE has to know of a unit's body. */
typedef struct UnitInterface {
  enum unit_kind kind;
  int is_load;
  int chooses_operands; /* which it takes its configuration or a selector says: there is a module
                         * needs_NAME (Hardware.needs_names) */
  uint64_t half_needs, half_gives; /* a load: operands and results of its second half */
  uint32_t flow_from[3], flow_to[2];
  uint32_t flow_bits; /* of what a dataflow machine hands on */
  uint32_t payload;   /* bits of its configuration */
  uint64_t steady; /* results that come with every firing; of others operands say whether they do */
  /* A carry with a branch, and whether the branch is before it. The PE keeps whether it is within
   * the loop (pe.c), by argument `decision`. */
  int keeps, is_tail;
  uint32_t decision;
  int has_data_path; /* there is a module unit_NAME */
} UnitInterface;

/* Of the body of unit `opcode` of a PE component. Refuses what has no hardware. */
UnitInterface unit_interface(Hardware *h, uint32_t component, uint32_t opcode);
/* Width of the port `move` of its module: one bit for each pipeline stage (of a load, of both halves;
 * of a stream, for each register between one index and the next: 0 where it steps in one cycle). */
uint32_t unit_moves(const UnitInterface *interface, const loom_body *body);
/* Of a node that has a shared operator: how many bits its module takes of that, as y and the number
 * of its result; `skip` is the upper ones, of a division that ends early. */
enum { SKIP_BITS = 12 };
#define NO_SKIP ".skip(12'd0)"
static inline uint32_t unit_shared_bits(const loom_body *body, const loom_body_node *node) {
  if (node->shared == LOOM_OPERATOR_COMPARE) return 1;
  return body->values[node->first_result].bits + (body->early_out ? SKIP_BITS : 0);
}
/* The payload of a unit, of `bits`: that in an item, or the unit's (item 0). */
const char *unit_payload(Hardware *h, uint32_t component, uint32_t item, uint32_t opcode);
/* Writes the modules of a body, `needs_NAME` (of bodies that choose in the same way the first
 * alone) and with `data_path` `unit_NAME`; the component is any PE that has a unit of it. */
void unit_write(Hardware *h, uint32_t component, uint32_t opcode, int data_path);

/* ---- pe.c ------------------------------------------------------------------------------------ */

/* Writes the file rtl/MODULE.sv of a PE, and those of its groups. */
void pe_write(Hardware *h, uint32_t component, const char *module);
/* Data width of a PE in bits: the widest of its ports and of all values in its units. */
uint32_t pe_data_width(const Hardware *h, uint32_t component);
/* How many channels LOOM_OBSERVE shows: operands by instruction, registers, results discarded. */
uint32_t pe_observed(const loom_component *c);

/* ---- widths ---------------------------------------------------------------------------------- */

static inline uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}
static inline uint32_t at_least_1(uint32_t n) {
  return n ? n : 1;
}
/* Bits to choose one of n, at least 1. */
static inline uint32_t choice_bits(uint32_t n) {
  uint32_t bits = 1;
  while (bits < 32 && (uint32_t)1 << bits < n) bits++;
  return bits;
}

#endif

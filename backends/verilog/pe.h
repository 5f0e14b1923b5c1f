/* pe.h -- a PE as pe.c, operators.c and groups.c see it: its sizes, units and shared operators. */
#ifndef LOOM_VERILOG_PE_H
#define LOOM_VERILOG_PE_H

#include "hardware.h"

/* An operator that units share (operators.c). */
typedef struct Operator {
  enum loom_operator kind; /* NONE ends the list */
  uint32_t index;          /* loom_body_node.shared_index */
  uint32_t width;          /* of its operands */
  uint32_t at, bits;       /* position and width of its result in `shared` */
  loom_body_node node;     /* the first node that it computes, in `body` */
  const loom_body *body;
  const char *base, *name; /* add, and add_0 */
} Operator;

typedef struct Pe {
  Hardware *h;
  Verilog *v;
  const char *module; /* its name */
  uint32_t component;
  const loom_component *c;
  int is_temporal;
  int own_config;   /* each instruction of a temporal PE has its own payload */
  uint32_t payload; /* bits of the widest */
  uint32_t instructions, width, tag_width;
  uint32_t keeps;           /* firings of a unit that may be in flight, at most, */
  uint32_t late_keeps;      /* and those of a load's second half, */
  uint64_t late;            /* which gives these results */
  uint32_t stages, longest; /* the longest latency of pipelined units; of all units */
  uint32_t latency_bits;
  int has_serial; /* a unit of more than one cycle takes one firing at a time */
  uint32_t opcode_bits, slot_bits, result_bits, in_bits, out_bits, register_bits;
  uint32_t words; /* of its slice of the configuration */
  int halves;     /* a unit is a load: its request and its answer fire separately */
  int flows;      /* a unit is a dataflow machine (loom_flow.sv) */
  int wires;      /* a unit has latency 0 */
  int issues;     /* a unit is issued (UnitInterface.is_issued) */
  int ends_early; /* a unit is a division that ends early */
  int keeps_side; /* a unit is a carry with its branch (UnitInterface.keeps) */
  int is_eager;   /* registers of units load whenever they are free; all units have interval 1 */
  UnitInterface *interfaces; /* by opcode */
  uint32_t *paths;           /* opcodes of units that have a data path of their own */
  uint32_t *path_of;         /* by opcode: index in `paths` of its data path, or LOOM_NONE */
  uint32_t path_count;
  int shares_paths; /* a unit uses another's */
  /* In a temporal PE, by opcode: the result bus of its data path, or LOOM_NONE. In a spatial one
   * bus_count is 1. */
  uint32_t *bus_of, bus_count;
  Operator *operators;
  uint32_t shared_bits; /* of the results of all operators */
  /* By opcode: the unit whose instance of needs_NAME computes its needs; LOOM_NONE: it takes all of
   * its operands. */
  uint32_t *asks;
} Pe;

static inline const loom_body *pe_body(const Pe *pe, uint32_t opcode) {
  return &pe->h->bodies[pe->h->units[pe->c->first_unit + opcode].body];
}
static inline const char *pe_body_name(const Pe *pe, uint32_t opcode) {
  return pe->h->body_names[pe->h->units[pe->c->first_unit + opcode].body];
}

/* Bits of `move` for either half of a unit: in a spatial PE the enables of the longest unit's
 * registers; in a temporal one those of loom_firing's stages alone, since each data path has its
 * own loom_flight. */
static inline uint32_t pe_moves(const Pe *pe) {
  return pe->is_temporal ? pe->stages : pe->longest;
}

/* What the names of modules of units begin with. */
static inline const char *module_kind(const Pe *pe) {
  return pe->is_temporal ? "temporal" : "unit";
}

static inline const char *pe_needs_name(const Pe *pe, uint32_t opcode) {
  return pe->h->needs_names[pe->h->units[pe->c->first_unit + opcode].body];
}

/* An array by opcode of NULLs, for pe_put_rows. */
static inline const char **pe_new_rows(const Pe *pe) {
  return verilog_alloc(pe->v, pe->c->unit_count, sizeof(const char *));
}
/* Puts the items of a case over opcodes; `rows` are the statements by opcode. Opcodes with the same
 * statement share an item; those with NULL are left to the default. Quadratic in units. */
void pe_put_rows(const Pe *pe, const char *const *rows);

/* The width of the configuration that goes to units: `bits` of the PE, or with own_config the
 * payload of the instruction that fires. */
static inline uint32_t pe_config_bits(const Pe *pe) {
  return pe->own_config ? at_least_1(pe->payload) : 32 * pe->words;
}

static inline unsigned long long bits_mask(uint32_t bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

/* ---- operators.c: operators that units share ------------------------------------------------- */

/* Finds the operators of a spatial PE. */
void operators_read(Pe *pe);
/* Puts them into the module of the PE: they compute `shared` from `opcode`, `bits`, `args` and
 * `move`. */
void operators_put(const Pe *pe);
/* The result of a node's operator: `bits` bits of `shared`. */
const char *operators_result(const Pe *pe, const loom_body_node *node, uint32_t bits);

/* ---- groups.c: the function units ------------------------------------------------------------ */

/* Writes the modules of the groups, each to a file of its own. */
void groups_write(const Pe *pe);
/* Puts their instances into the module of the PE: from `chosen`, `to`, `bits`, `args` and `stream`
 * they compute `stepped`, `more` and `unit_trap`, and by instruction, after the unit's latency,
 * `emits` and `results`. */
void groups_put(const Pe *pe);

#endif

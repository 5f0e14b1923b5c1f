/* pe.h -- what pe.c and groups.c share: the sizes of a PE. */
#ifndef LOOM_VERILOG_PE_H
#define LOOM_VERILOG_PE_H

#include "hardware.h"

/* An operator that units share (operators.c). */
typedef struct Operator {
  enum loom_operator kind; /* NONE ends them */
  uint32_t index;
  uint32_t width;      /* of its operands */
  uint32_t at, bits;   /* of its result in `shared` */
  loom_body_node node; /* the first that has it, in `body` */
  const loom_body *body;
  const char *base, *name; /* add, and add_0 */
} Operator;

typedef struct Pe {
  Hardware *h;
  Verilog *v;
  const char *module; /* what it is called */
  uint32_t component;
  const loom_component *c;
  int is_temporal;
  int own_config;   /* each instruction of a temporal PE has a payload */
  uint32_t payload; /* bits of the widest */
  uint32_t instructions, width, tag_width;
  uint32_t keeps;                         /* results of an instruction that may wait */
  uint32_t stages, longest, latency_bits; /* of units that several firings are in; of all units */
  int has_serial; /* a unit of more than one cycle takes one firing at a time */
  uint32_t opcode_bits, slot_bits, result_bits, in_bits, out_bits, register_bits;
  uint32_t words; /* of its slice of the configuration */
  int halves, flows, wires;
  int ends_early; /* one of its units does */
  int keeps_side; /* one of its units is a carry with its branch (UnitInterface.keeps) */
  int is_eager; /* registers of its units load wherever they are free: none of them must not (SERIAL) */
  UnitInterface *interfaces; /* by opcode */
  uint32_t *paths;           /* opcodes of units that have a data path of their own */
  uint32_t *path_of;         /* by opcode: which of `paths` computes it; LOOM_NONE: none does */
  uint32_t path_count;
  Operator *operators;
  uint32_t shared_bits; /* of all their results */
  /* By opcode: the first unit that chooses its operands in the same way; LOOM_NONE: it takes
   * all. */
  uint32_t *asks;
} Pe;

static inline const loom_body *pe_body(const Pe *pe, uint32_t opcode) {
  return &pe->h->bodies[pe->h->units[pe->c->first_unit + opcode].body];
}
static inline const char *pe_body_name(const Pe *pe, uint32_t opcode) {
  return pe->h->body_names[pe->h->units[pe->c->first_unit + opcode].body];
}

/* Bits of `move` for either half of a unit: a spatial PE says to each register whether it loads, a temporal one
 * only moves what is in stages. */
static inline uint32_t pe_moves(const Pe *pe) {
  return pe->is_temporal ? pe->stages : pe->longest;
}

static inline const char *pe_needs_name(const Pe *pe, uint32_t opcode) {
  return pe->h->needs_names[pe->h->units[pe->c->first_unit + opcode].body];
}

/* For pe_put_rows: by opcode, none. */
static inline const char **pe_new_rows(const Pe *pe) {
  return verilog_alloc(pe->v, pe->c->unit_count, sizeof(const char *));
}
/* The rows of a case over opcodes: what stands behind each label, those of one text together. NULL:
 * the default's. */
void pe_put_rows(const Pe *pe, const char *const *rows);

/* What the units have their configuration from: `bits` of the PE, or the payload of the instruction
 * that fires; and how wide that is. */
static inline uint32_t pe_config_bits(const Pe *pe) {
  return pe->own_config ? at_least_1(pe->payload) : 32 * pe->words;
}

static inline unsigned long long bits_mask(uint32_t bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

/* ---- operators.c: what units share ------------------------------------------------------------ */

/* Finds the operators of a spatial PE. */
void operators_read(Pe *pe);
/* Puts them into the module of the PE: from `opcode`, `bits`, `args` and `move` comes `shared`. */
void operators_put(const Pe *pe);
/* What a node that has one gets of it: so many bits of `shared`. */
const char *operators_result(const Pe *pe, const loom_body_node *node, uint32_t bits);

/* ---- groups.c: the function units ------------------------------------------------------------ */

/* Writes the modules of the groups, each to a file of its own. */
void groups_write(const Pe *pe);
/* Puts them into the module of the PE: from `now`, `to`, `bits`, `args` and `stream` come
 * `stepped`, `more` and `unit_trap`, and by instruction, when it has gone through the unit, `emits`
 * and `results`. */
void groups_put(const Pe *pe);

#endif

/* units.h -- private to queues.c: the parts of a graph that fire, and who reads what.
 *
 * A *unit* is a node, or a part of one that waits for nothing else: each port of a memory, each
 * half of a load, each operand of the return. Units are numbered by node; results are queues;
 * inputs are numbered unit by unit. These are the numbers of the token simulator, and with them its
 * order of firing. */
#ifndef LOOM_CSIM_UNITS_H
#define LOOM_CSIM_UNITS_H

#include "csim.h"

typedef enum {
  UNIT_PLAIN,
  UNIT_STATE, /* not the same each time it fires */
  UNIT_MERGE,
  UNIT_ARGUMENT,
  UNIT_RETURN
} UnitKind;

typedef struct {
  UnitKind kind;
  uint32_t node;
  uint32_t part; /* a port of a memory, a half of a load, an operand of the return */
  uint32_t first_input, input_count;
  uint32_t first_queue, queue_count; /* of a load port the data alone */
  uint32_t done;                     /* load port: its other queue; else LOOM_NONE */
} Unit;

typedef struct {
  Csim *m;
  loom_node *nodes;
  uint32_t node_count, result_count, edge_count, unit_count, input_count;
  Unit *units;
  uint32_t *first_unit; /* by node */
  uint32_t *input_unit, *input_edge;
  uint32_t *producer, *words; /* by result */
  uint32_t index_width, most_dimensions;
  int has_sources;
} UnitPlan;

/* Fills the plan; p->m is given. All memory is the host's. LOOM_UNSUPPORTED after a diagnostic
 * where the graph cannot be written as queue code. */
int units_make(UnitPlan *p);

int units_is_op(const loom_node *n, const char *name);
int units_is_memory(const loom_node *n);
loom_type units_type(const UnitPlan *p, uint32_t id);
uint32_t units_result_type(const UnitPlan *p, uint32_t id); /* type id */
uint32_t units_edge_result(const UnitPlan *p, uint32_t id);
loom_memory units_memory(const UnitPlan *p, uint32_t id);
/* Of a type: the words of a token, the bytes of its C type (0: it has none). */
uint32_t units_words(const UnitPlan *p, uint32_t type);
uint32_t units_bytes(const UnitPlan *p, uint32_t type);
/* The argument that is an extent of a memref argument; LOOM_NONE: none is. */
uint32_t units_extent_argument(const UnitPlan *p, uint32_t of, uint32_t dimension);
/* Says why not, and gives LOOM_UNSUPPORTED. */
int units_refuse(const UnitPlan *p, uint32_t node, const char *why);

#endif

/* random_machine_state.h -- a random machine while it grows: what random_machine.c makes and
 * random_machine_text.c writes. */
#ifndef LOOM_RANDOM_MACHINE_STATE_H
#define LOOM_RANDOM_MACHINE_STATE_H

#include "fabric_text.h"
#include "random_machine.h"

enum {
  MAX_VALUES = 256,
  MAX_PARTS = 12,
  MAX_INSTRUCTIONS = 4,
  MAX_OPERANDS = 6,
  MAX_LANES = 4,
  MAX_LATENCY = 6, /* of a memory, */
  MAX_DEPTH = 3,   /* and its lsqDepth */
  MAX_USES = 6,
  MAX_LANE_COUNT = 8,
  MAX_PACKED = 3
};

typedef struct {
  char type;
  char name[16];   /* where it is made */
  u32 bits;        /* of its wire; 0: none */
  u32 tag_bits;    /* of its wire, or 0 */
  bool is_inside;  /* it does not leave its PE */
  bool is_input;   /* of the fabric */
  bool is_dead;    /* no token ever comes: a wire out of the fabric */
  bool is_fifo;    /* behind its source stands a fifo */
  bool is_dropped; /* nobody takes it, and it does not leave the fabric either */
  bool is_sunk;    /* nobody takes it, and a switch throws it away */
  u32 uses, next;  /* takers, and how many of them are written */
  u32 lane_bits;   /* of the switch that copies it; 0: whole ports */
  u32 copy_bits[MAX_USES + 1];
  u8 from[MAX_USES + 1][MAX_LANE_COUNT]; /* by copy and lane: which lane it is */
} Value;

typedef struct {
  u32 unit, latency, interval;
  char type; /* that its i32 is; 0: i32 */
  bool early_out;
  u32 shares; /* the first instruction of its PE that is the same function unit, or its own number */
  u32 operands[MAX_OPERANDS]; /* values; LATE: one of the type, chosen in the end; FROM */
  u32 results[2];             /* values; LOST, or TO + a value or NOWHERE */
} Instruction;

typedef struct {
  enum { SPATIAL, TEMPORAL, MEMORY, PACK } kind;
  u32 n; /* instructions; loads; inputs of a pack */
  Instruction at[MAX_INSTRUCTIONS];
  bool has_own_config, has_own_state; /* of a temporal PE: each instruction has */
  bool is_kindred;    /* of a temporal PE: most of its units differ in types and timing alone */
  bool is_nested;     /* where a gate is shared: two switches, one behind the other */
  u32 bits, tag_bits; /* of its tagged ports */
  bool is_external;   /* a memory */
  u32 elem_log2;      /* of its elements, in bytes */
  u32 latency, depth; /* of its answers, and lsqDepth; 0: nothing is said */
  u32 stores;
  u32 channels; /* of a memory: its lanes are on so many ports of each family, in turn; banks */
  u32 load[MAX_LANES][3], store[MAX_LANES][3];       /* address, data, done; address, data, done */
  u32 lane_bits, in_lanes[MAX_PACKED], out_lanes[2]; /* of a pack, a switch with two outputs; */
  u8 packed[2]
           [MAX_LANE_COUNT]; /* by output and lane: 0: nothing; 1 + MAX_LANE_COUNT * input + lane */
} Part;

enum { LATE = 1 << 16, LOST, NOWHERE, FROM = 1 << 17, TO = 1 << 18 };

typedef struct {
  Random random;
  Buf *out;
  u32 nvalues, nparts, names, nmemories;
  Value values[MAX_VALUES];
  Part parts[MAX_PARTS];
} Gen;

/* Ports of a family of so many lanes, and whether these share them, so that they are tagged. */
static inline u32 gen_ports(const Part *memory, u32 lanes) {
  return lanes < memory->channels ? lanes : memory->channels;
}
static inline bool gen_is_shared(const Part *memory, u32 lanes) {
  return lanes > memory->channels;
}
u32 gen_below(Gen *g, u32 n);
/* How wide a port for values of a type is. */
u32 gen_bits(Gen *g, char type);
/* Where result r of an instruction goes: a value, LOST, or NOWHERE. */
u32 gen_result(const Instruction *in, u32 r);
/* Results that the units of a part have at most. */
u32 gen_result_count(const Part *p);
/* Appends the whole text. */
void gen_text(Gen *g);

#endif

/* machine.h -- the configured hardware as a clocked machine.
 *
 * An ADG and an image together are a synchronous circuit. `machine_build` drops the parts that the
 * image leaves idle and those that are only wires (switches, muxes, tag components), and keeps
 * those that have state or make decisions: units, the latches at their operands, the nets between
 * them, and the arbiters where several nets share a tagged channel.
 *
 *     unit     takes tokens from its operands and offers tokens on its outputs
 *     input    an operand of a unit, with its latch: one token, flow-through
 *     pool     places for further tokens, shared by the operands of a temporal PE that has a shared
 *              operand buffer
 *     output   of a unit; its net leads to any number of inputs, each of which takes the token when
 *              it can (eager fork); the next token comes when all have taken it
 *     arbiter  of a tagged channel: grants it to one of its nets in each cycle, round robin
 *
 * A cycle has two phases. First everything combinational settles: registered outputs offer what
 * they hold, and units of latency 0 offer the results of their operands, in the order of `settles`.
 * Then the state advances: every token that is offered and can be taken is taken. State that is
 * written in a cycle is visible in the next. The rules, with cycle tables, are in
 * spec-tests/58-machine.md; step.c is their reference implementation, written to be obviously
 * right. backends/csim generates C that must agree with it cycle by cycle.
 *
 * Tables refer to one another by ids, as in adg.h. The Machine owns all its memory.
 */
#ifndef LOOM_MACHINE_MACHINE_H
#define LOOM_MACHINE_MACHINE_H

#include "../plugins/loom_firing.h"
#include "../plugins/loom_simulator.h"
#include "config/configured.h"
#include "ir/eval.h"

#define MACHINE_NONE UINT32_MAX

/* Limits of a unit (RT_MACHINE_UNIT): sets of its inputs and outputs are bits of one word. */
enum { MACHINE_MAX_INPUTS = 64, MACHINE_MAX_OUTPUTS = 32 };

/* Limit of the tokens that all FIFOs in use and registers of temporal PEs hold together. */
enum { MACHINE_MAX_PLACES = 1 << 20 };

/* Kinds of units, and the names that users see; loom_machine.h describes them. A UNIT_FIRE without
 * a function unit is an output of a switch that packs lanes of several inputs: it ors them. A
 * UNIT_DRAIN discards tokens, at a port or inside a PE. A UNIT_FIFO is a FIFO, a buffer at an
 * output of a switch, or a register of a temporal PE. The dataflow machines are in the order of
 * loom_firing.h. */
#define MACHINE_UNITS(U)                                                                           \
  U(INPUT, "input")                                                                                \
  U(OUTPUT, "output")                                                                              \
  U(DRAIN, "discard")                                                                              \
  U(FIRE, "")                                                                                      \
  U(MUX, "")                                                                                       \
  U(STREAM, "stream")                                                                              \
  U(GATE, "gate")                                                                                  \
  U(CARRY, "carry")                                                                                \
  U(INVARIANT, "invariant")                                                                        \
  U(FIFO, "fifo")                                                                                  \
  U(LOAD, "load lane")                                                                             \
  U(STORE, "store lane")

typedef enum {
#define U(NAME, shown) UNIT_##NAME,
  MACHINE_UNITS(U)
#undef U
} MachineUnitKind;

/* One operation of a UNIT_FIRE or UNIT_MUX. The values of a unit are numbered: its operands, then
 * the results of its operations in order. */
typedef struct {
  u32 op;            /* Configured.ops; also its index among the operations of configured_graph */
  u32 node;          /* Adg.nodes; ADG_NONE: an arith.ori that packs lanes */
  u16 kind;          /* OpKind */
  u8 fire;           /* FIRE_PURE, FIRE_CONSTANT, FIRE_COND_BR, FIRE_JOIN, FIRE_MUX, ... */
  u32 first_operand; /* Machine.values: noperands value numbers */
  u32 noperands, nresults;
  EvalOp eval; /* FIRE_PURE */
  u64 literal; /* FIRE_CONSTANT */
} MachineOp;

/* How a UNIT_MUX selects the side that it takes. Its first `ninputs` inputs and `nops` operations
 * compute value `selector`, which must be below `nsides`. With `loop_end`, a carry and a branch in
 * one unit, the side is state instead (UnitState.phase): 0 at first, then after each firing its
 * decision, bit 0 of value `selector`. Of a LOOP_TAIL that value takes no part in the firing that
 * enters the loop, whose decision is 1. */
typedef struct {
  u32 ninputs, nops, nsides, selector;
  u8 loop_end; /* AdgLoopEnd; 0: a mux */
} MachineChoice;

typedef struct {
  u8 kind;               /* MachineUnitKind */
  u8 step_op, cont_cond; /* stream: DfgStepOp, DfgContCond */
  u8 width;              /* stream: bits of the index; early_out: of the dividend */
  u8 early_out;          /* FIRE: EarlyOut: it takes early_out_cycles, at most `latency` */
  bool is_forward;       /* FIFO: a buffer of one place that takes a token while it gives one */
  u32 component;         /* the ADG component that it is part of */
  u32 fu;                /* Adg.fus, or MACHINE_NONE */
  /* The first unit on the same hardware: instructions of a temporal PE share function units, whose
   * `interval` holds for all of them together. */
  u32 hardware;
  u32 instruction; /* of a temporal PE (of a drain: the one whose result it discards); else 0 */
  u32 issue_group; /* temporal PE: Machine.issue_groups; else MACHINE_NONE */
  u32 first_input, ninputs;   /* Machine.inputs */
  u32 first_output, noutputs; /* Machine.outputs */
  u32 latency; /* FIRE, MUX: stages, 0: combinational. LOAD, STORE: cycles. FIFO: depth */
  /* FIRE, MUX, dataflow machines: cycles from one firing to the next, at least 1. A pipeline holds
   * latency / interval firings, rounded up. */
  u32 interval;
  u32 first_op, nops;   /* FIRE, MUX: Machine.ops; none (halves of a load): results are operands */
  u32 first_yield;      /* FIRE, MUX: Machine.values: for each output the value that it offers */
  MachineChoice choice; /* MUX */
  u32 memory, region;   /* LOAD, STORE: Machine.memories; Machine.regions: the one of its tag */
  u32 tag;              /* LOAD, STORE: its lane */
  u32 places;           /* LOAD, STORE: the most outstanding requests, at least 1 */
  u32 channel;          /* LOAD, STORE: Machine.channels; else MACHINE_NONE */
} MachineUnit;

/* Does the unit offer its results in the cycle in which it has its operands? */
static inline bool machine_is_wire(const MachineUnit *u) {
  return (u->kind == UNIT_FIRE || u->kind == UNIT_MUX) && u->latency == 0;
}

typedef struct {
  u32 unit, index;
  u32 output;                   /* the output whose net leads here */
  u64 mask;                     /* bits that arrive: those that fit the narrowest port of the route
                                 * and the type of the operand or of the data of a store */
  u32 first_move, nmoves;       /* Machine.moves: where the route moves lanes, the bits that arrive,
                                 * instead of `mask`; else none */
  u32 first_arbiter, narbiters; /* Machine.passes: arbiters on the route, from the source on;
                                 * Machine.passed_as: as which of their members */
  u32 side; /* of a UNIT_MUX: taken only when this side is selected; MACHINE_NONE: always taken */
  u32 port; /* ADG input port; of a buffer the output port that has it; ADG_NONE: the token comes
             * from inside the same PE */
  u32 tag;  /* of its tokens at that port, or MACHINE_NONE */
  /* Identifies the latch in its component. Of a function unit: the argument of the unit's body (of
   * Adg.bodies), in a temporal PE that of MachineUnit.instruction. Of a lane of a memory
   * (MachineUnit.tag): 0 the address, 1 the data. Of a register of a temporal PE, which is a
   * UNIT_FIFO without a port: its number. Of a UNIT_DRAIN without a port: the result of the unit
   * that is discarded. Else 0. */
  u32 argument;
  /* Of an operand of a temporal PE with a shared operand buffer: the Machine.pools for its tokens
   * behind the first, and the index of the PE's input port; else MACHINE_NONE and 0. */
  u32 pool, rank;
} MachineInput;

typedef struct {
  u32 unit, index;
  u32 first_branch, nbranches; /* Machine.branches: inputs. None: its tokens are discarded */
  u32 bits;
  u32 port; /* ADG output port at its start, for reports; or ADG_NONE */
} MachineOutput;

/* A tagged channel that several nets share, or that one net passes with several tags. `members` are
 * outputs, by their tags there. The arbiter grants the channel round robin: to the first requesting
 * member after the one granted last. A member requests it when some input behind the channel lacks
 * its token and, as it has a place at the start of the cycle, could take it. So a net that is stuck
 * never blocks another. */
typedef struct {
  u32 port;                   /* ADG output port. Two arbiters may have it: before and after the
                               * buffers at an output of a switch */
  u32 first_member, nmembers; /* Machine.members */
} MachineArbiter;

/* The instructions of a temporal PE: at most one of them fires in a cycle, in turn. */
typedef struct {
  u32 first_unit, nunits;
} IssueGroup;

/* A request channel: load lanes of a memory, or store lanes, that share it. It takes one request a
 * cycle, round robin over the lanes. A memory with several banks has one channel for its loads and
 * one for its stores, which take one request a cycle for each bank. */
typedef struct {
  u32 first_unit, nunits;
  u32 number; /* for MachineAnswers: 2 * (channel * Adg.nmemories + memory), 1 more for stores */
  bool is_external; /* its memory is outside the fabric, and answers by MachineAnswers */
  u32 nbanks;       /* at least 1: word w of the memory is in bank w mod nbanks */
  u32 word_log2;    /* bytes of a word */
} MachineChannel;

/* How memories outside the fabric answer. With `most` 0 they take a request in every cycle, and
 * answer it after the memory's latency; else both are delayed by a pseudo-random number of up to
 * `most` cycles (loom_simulator_chance). Callers may set it; no result depends on it. */
typedef struct {
  u32 seed, most;
} MachineAnswers;

/* The shared places of an operand buffer: those beside one for each operand, its latch. An operand
 * whose latch is full takes a token into one of them if more than MachineInput.rank are free at the
 * start of the cycle. */
typedef struct {
  u32 component; /* the temporal PE */
  u32 places;    /* may be 0: then there are only the latches */
} MachinePool;

typedef struct {
  u32 valid, start, end; /* of the region: tags */
  u32 offset;            /* bytes */
  u32 size_log2;         /* bytes from an element to the next */
  u32 elem_bits;         /* of an element: the memory's, or less where `size_log2` allows less */
  u64 elements;          /* ConfRegion.elements */
} MachineRegion;

typedef struct {
  u32 first_region, nregions;
} MachineMemory;

/* A step of settling: an arbiter decides, a unit of latency 0 offers its results, or a buffer of
 * one place learns whether its token leaves. */
typedef struct {
  bool is_arbiter;
  u32 id;
} MachineSettle;

typedef struct Machine {
  const Adg *adg;
  u32 nunits, ninputs, noutputs, narbiters, nmemories, nregions, nsettles, nissue_groups, nops,
      npools;
  u32 nchannels;
  const MachineUnit *units;
  const MachineInput *inputs;
  const MachineOutput *outputs;
  const MachineArbiter *arbiters;
  const IssueGroup *issue_groups;
  const MachinePool *pools;
  const MachineChannel *channels;
  const MachineMemory *memories;
  const MachineRegion *regions;
  const MachineOp *ops;
  const MachineSettle *settles;
  const u32 *values, *branches, *members, *passes, *passed_as;
  const ConfMove *moves;
  MachineAnswers answers;
  Arena *arena;
} Machine;

/* A dataflow machine: its enum loom_machine_kind. */
static inline bool machine_is_flow(const MachineUnit *u) {
  return u->kind >= UNIT_STREAM && u->kind <= UNIT_INVARIANT;
}
/* A carry, with a branch in its unit or without. Its operands are the condition, the first value
 * and the next value. */
static inline bool machine_is_carry(const MachineUnit *u) {
  return u->kind == UNIT_CARRY || u->choice.loop_end;
}
static inline unsigned machine_flow(const MachineUnit *u) {
  return LOOM_STREAM + u->kind - UNIT_STREAM;
}

/* The bank of an element of a region; the element may be out of bounds. */
static inline u32 machine_bank(const MachineChannel *c, const MachineRegion *r, u64 element) {
  return (u32)((r->offset + (element << r->size_log2)) >> c->word_log2) & (c->nbanks - 1);
}

/* The value that arrives at an input when `value` is offered to it. */
static inline u64 machine_carry(const Machine *m, const MachineInput *in, u64 value) {
  u64 carried = 0;
  if (!in->nmoves) return value & in->mask;
  for (u32 k = 0; k < in->nmoves; k++) {
    const ConfMove *move = &m->moves[in->first_move + k];
    carried |= (value >> move->from & eval_mask(move->bits)) << move->to;
  }
  return carried;
}

/* Builds the machine of an image and its ADG, which must outlive it. NULL after the diagnostics of
 * configured.h (an unsound fabric), or RT_MACHINE_UNIT for units that cannot be simulated. The
 * caller frees. */
Machine *machine_build(Context *ctx, const Image *image);
void machine_free(Machine *machine); /* NULL is allowed */
/* Changes the depth of a fifo in use, or of the registers of a temporal PE, to try other hardware
 * (remedy.h). */
void machine_set_depth(Machine *machine, u32 component, u32 depth);
/* Likewise enlarges the operand buffer of a temporal PE to so many places; never shrinks it. */
void machine_set_buffer(Machine *machine, u32 component, u32 places);

/* Appends the name of an input, as all output shows it. Names are unique:
 *
 *     pe_0.in1      the port where its tokens enter
 *     tpe.in1[2]    where that port is tagged: in a temporal PE the instruction,
 *     mem.in0[2]    elsewhere the tag
 *     tpe.reg1      a register of a temporal PE
 *     tpe.op0[2]    an operand that comes from one: argument 0 of instruction 2
 *     sw.out0       the buffer at an output of a switch; sw.out0[2]: that of tag 2
 *     pe_0.lost1    result 1 of a PE, which discards it (of a temporal one lost1[2])
 *     sw.in1.out0   lanes of input 1 of a switch that packs them in its output 0
 */
void machine_input_name(const Machine *machine, u32 input, Buf *out);
/* Appends "pe_0.out1", or "pe_0" for an output whose tokens stay in the PE. */
void machine_output_name(const Machine *machine, u32 output, Buf *out);
/* Is the unit an output of a switch that packs lanes of several inputs? */
bool machine_packs(const Machine *machine, u32 unit);
/* Is the unit a buffer at an output of a switch? */
bool machine_is_buffer(const Machine *machine, u32 unit);
/* Appends "pe_0"; for an instruction of a temporal PE "tpe[1]", for its register "tpe.reg0"; for a
 * lane "mem.load[0]", for an output that packs lanes "sw.out0". The two halves of a load, and a
 * drain of a PE's result, have the name of their PE. */
void machine_unit_name(const Machine *machine, u32 unit, Buf *out);
/* Appends what a unit does: "mulf", "muli+addi", "carry", "load address", "fifo". */
void machine_unit_op(const Machine *machine, u32 unit, Buf *out);

#endif

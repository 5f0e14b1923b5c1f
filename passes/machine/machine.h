/* machine.h -- the configured hardware as a clocked machine.
 *
 * An ADG and an image together are a synchronous circuit. `machine_build` cuts away what the image
 * leaves idle and what is only wire (switches, muxes, tag components that are set once), and keeps
 * what has state or decides something: units, the latches at their operands, the nets between
 * them, and the arbiters where several nets share a tagged channel.
 *
 *     unit     something that takes tokens from its operands and offers tokens on its outputs
 *     input    an operand of a unit, with its latch: one token, flow-through
 *     pool     what operands of a temporal PE share for the tokens behind that one, where it has it
 *     output   what a unit offers; its net leads to any number of inputs, each of which takes the
 *              token when it can (eager fork); the next token comes when all have it
 *     arbiter  a tagged channel: one of the nets through it has it for a cycle, in turn
 *
 * One cycle has two phases. First everything combinational settles: outputs that are registers
 * offer what they hold, units of latency 0 offer what their operands give, in `order`. Then the
 * state moves: what was offered and could be taken is taken. What is committed in a cycle is seen
 * in the next. The rules, with cycle tables, are the manual's chapter on the machine; step.c is
 * them in C and meant to be obviously right, backends/csim generates code that must agree with it
 * cycle by cycle.
 *
 * Tables refer to one another by ids, as in adg.h. All memory is the Machine's own.
 */
#ifndef LOOM_MACHINE_MACHINE_H
#define LOOM_MACHINE_MACHINE_H

#include "../plugins/loom_firing.h"
#include "../plugins/loom_simulator.h"
#include "config/configured.h"
#include "ir/eval.h"

#define MACHINE_NONE UINT32_MAX

/* What a unit may have at most (RT_MACHINE_UNIT): sets of them are words. */
enum { MACHINE_MAX_INPUTS = 64, MACHINE_MAX_OUTPUTS = 32 };

/* Tokens that all its FIFOs and registers of temporal PEs hold together, at most. */
enum { MACHINE_MAX_PLACES = 1 << 20 };

/* Kinds of units, and how each is shown; loom_machine.h says what they do. Without a function unit,
 * one that fires is an output of a switch that packs lanes of several inputs: it ors what comes. A
 * drain is also where a port's tokens are discarded, a FIFO also a buffer at an output of a switch.
 * The dataflow machines stand in the order of loom_firing.h. */
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

/* One operation of a UNIT_FIRE or UNIT_MUX; values are numbered: the unit's operands, then the
 * results of the operations in order. */
typedef struct {
  u32 op;            /* Configured.ops; its place among the operations of the decoded graph, too */
  u32 node;          /* Adg.nodes; ADG_NONE: of what packs lanes */
  u16 kind;          /* OpKind */
  u8 fire;           /* FIRE_PURE, FIRE_CONSTANT, FIRE_COND_BR, FIRE_JOIN, FIRE_MUX, ... */
  u32 first_operand; /* Machine.values: noperands value numbers */
  u32 noperands, nresults;
  EvalOp eval; /* FIRE_PURE */
  u64 literal; /* FIRE_CONSTANT */
} MachineOp;

/* How a UNIT_MUX knows which side it takes: its first `ninputs` inputs and `nops` operations make
 * value number `selector`. Below `nsides` it is a side. Of a carry with a branch the unit keeps
 * which: 0 at first, and after a firing its decision, bit 0 of value `selector`. Where the carry is
 * behind the branch that value does not come to the first firing, whose decision is 1. */
typedef struct {
  u32 ninputs, nops, nsides, selector;
  u8 loop_end; /* AdgLoopEnd: it keeps the side */
} MachineChoice;

typedef struct {
  u8 kind;               /* MachineUnitKind */
  u8 step_op, cont_cond; /* stream: DfgStepOp, DfgContCond */
  u8 width;              /* stream: bits of the index; early_out: of what is divided */
  u8 early_out;          /* FIRE: EarlyOut: it is done after early_out_cycles, at most `latency` */
  bool is_forward;       /* FIFO: a buffer of one place, which takes a token while it gives one */
  u32 component;         /* ADG component it is part of */
  u32 fu;                /* Adg.fus, or MACHINE_NONE */
  u32 hardware;    /* the first unit that is the same hardware: instructions of a temporal PE share
                    * function units, and `interval` lies between any two firings of one */
  u32 instruction; /* of a temporal PE (a drain: whose result it is); else 0 */
  u32 issue_group; /* temporal PE: Machine.issue_groups; else MACHINE_NONE */
  u32 first_input, ninputs;   /* Machine.inputs */
  u32 first_output, noutputs; /* Machine.outputs */
  u32 latency; /* FIRE, MUX: stages, 0: combinational. LOAD, STORE: cycles. FIFO: depth */
  u32 interval; /* FIRE, MUX, STREAM: cycles from one firing to the next, at least 1; a pipeline holds
                         * latency / interval of them, rounded up */
  u32 first_op, nops;   /* FIRE, MUX: Machine.ops; none: results are the operands (a wire, the
                       * halves of a load) */
  u32 first_yield;      /* FIRE, MUX: Machine.values: for each output the value it offers */
  MachineChoice choice; /* MUX */
  u32 memory, region;   /* LOAD, STORE: Machine.memories; which region its tag is in */
  u32 tag;              /* LOAD, STORE: its lane */
  u32 places;           /* LOAD, STORE: requests outstanding at most, at least 1 */
  u32 channel;          /* LOAD, STORE: Machine.channels; else MACHINE_NONE */
} MachineUnit;

/* It gives its results in the cycle in which it has its operands. */
static inline bool machine_is_wire(const MachineUnit *u) {
  return (u->kind == UNIT_FIRE || u->kind == UNIT_MUX) && u->latency == 0;
}

typedef struct {
  u32 unit, index;
  u32 output;                   /* whose net ends here */
  u64 mask;                     /* bits that it gets: what the narrowest port on the route lets
                                 * through, and of that an operand of a function unit, or the data
                                 * of a store, what its type has */
  u32 first_move, nmoves;       /* Machine.moves: where lanes are moved on the route, all that comes
                                 * through of the token, instead of `mask`; else none */
  u32 first_arbiter, narbiters; /* Machine.passes: arbiters on the route, from the source on;
                                 * Machine.passed_as: as which of their members */
  u32 side; /* of a UNIT_MUX: it is taken where this side is selected; MACHINE_NONE: always */
  u32 port; /* ADG input port at its end; of a buffer the output port that it is at; ADG_NONE: the
             * token comes from inside the same PE */
  u32 tag;  /* of its tokens at that port, or MACHINE_NONE */
  /* Which latch of its component it is. Of a function unit: the argument of the unit's body (of
   * Adg.bodies), in a temporal PE that of MachineUnit.instruction. Of a lane of a memory
   * (MachineUnit.tag): 0 the address, 1 the data. Of a register of a temporal PE, which is a
   * UNIT_FIFO without a port: its number. Of a UNIT_DRAIN without a port: the result of the unit
   * that is discarded. Else 0. */
  u32 argument;
  /* Of an operand of a temporal PE with a shared operand buffer: which of Machine.pools its tokens
   * behind the first may use, and the number of the PE's input port; else MACHINE_NONE and 0. */
  u32 pool, rank;
} MachineInput;

typedef struct {
  u32 unit, index;
  u32 first_branch, nbranches; /* Machine.branches: inputs. None: the tokens are discarded */
  u32 bits;
  u32 port; /* ADG output port at its start, for reports; or ADG_NONE */
} MachineOutput;

/* A channel that several nets share, or one with several tags. `members` are outputs, by their tags
 * there; in a cycle the arbiter gives the channel to the first member behind the one it gave it to
 * last that asks for it: whose token some input behind the channel wants and, its latch being empty
 * at the start of the cycle, could take. A net that is stuck does not ask, and never stops another.
 */
typedef struct {
  u32 port;                   /* ADG output port; two may have it, before its buffers and behind */
  u32 first_member, nmembers; /* Machine.members */
} MachineArbiter;

/* The instructions of a temporal PE: at most one of them fires in a cycle, in turn. */
typedef struct {
  u32 first_unit, nunits;
} IssueGroup;

/* What the load lanes, or the store lanes, of a memory share: it takes one request a cycle, of the
 * first lane that has one behind the lane whose request it took last. A memory of several banks
 * takes one for each of them: of the lanes that ask for a word of the bank. */
typedef struct {
  u32 first_unit, nunits;
  u32 number;       /* for MachineAnswers: twice that of the memory, and 1 more of stores */
  bool is_external; /* its memory is outside the fabric, and answers as MachineAnswers says */
  u32 nbanks;       /* at least 1: word w of the memory is in bank w mod so many */
  u32 word_log2;    /* bytes of a word */
} MachineChannel;

/* How memories outside the fabric answer. most: 0: always the memory's latency behind a request,
 * and a request is taken in every cycle. Else by chance up to so many cycles later
 * (loom_simulator_chance). Who runs a machine may set it; no result depends on it. */
typedef struct {
  u32 seed, most;
} MachineAnswers;

/* A shared operand buffer: of its places those that no operand has to itself. An operand that has a
 * token takes another while more of them are free at the start of the cycle than
 * MachineInput.rank. */
typedef struct {
  u32 component; /* the temporal PE */
  u32 places;    /* may be 0: then the latches are all there is */
} MachinePool;

typedef struct {
  u32 valid, start, end; /* of the region: tags */
  u32 offset;            /* bytes */
  u32 size_log2;         /* bytes from an element to the next */
  u32 elem_bits;         /* of an element as the region sees it */
  u64 elements;          /* ConfRegion.elements */
} MachineRegion;

typedef struct {
  u32 memory; /* Adg.memories */
  u32 first_region, nregions;
} MachineMemory;

/* What settles within a cycle, in order: an arbiter decides, or a unit of latency 0 offers. */
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
/* With a branch or without. Its operands are the condition, the first value and the next. */
static inline bool machine_is_carry(const MachineUnit *u) {
  return u->kind == UNIT_CARRY || u->choice.loop_end;
}
static inline unsigned machine_flow(const MachineUnit *u) {
  return LOOM_STREAM + u->kind - UNIT_STREAM;
}

/* Which bank of its memory an element of a region is in, also one that the region does not have. */
static inline u32 machine_bank(const MachineChannel *c, const MachineRegion *r, u64 element) {
  return (u32)((r->offset + (element << r->size_log2)) >> c->word_log2) & (c->nbanks - 1);
}

/* What an input gets of a token that is offered to it. */
static inline u64 machine_carry(const Machine *m, const MachineInput *in, u64 value) {
  u64 carried = 0;
  if (!in->nmoves) return value & in->mask;
  for (u32 k = 0; k < in->nmoves; k++) {
    const ConfMove *move = &m->moves[in->first_move + k];
    carried |= (value >> move->from & eval_mask(move->bits)) << move->to;
  }
  return carried;
}

/* Cuts the machine out of ADG and image. NULL after diagnostics: what configured.h refuses,
 * and units that the machine cannot be made of (RT_MACHINE_UNIT). The ADG must
 * outlive the machine. The caller frees. */
Machine *machine_build(Context *ctx, const Image *image);
void machine_free(Machine *machine); /* NULL is allowed */
/* The fifo in use, or the registers of the temporal PE, become so deep: another hardware, for who
 * wants to know what it would do. */
void machine_set_depth(Machine *machine, u32 component, u32 depth);
/* Likewise: the operand buffer of the temporal PE has so many places, or as many as it has. */
void machine_set_buffer(Machine *machine, u32 component, u32 places);

/* Appends what an input is called in all that is printed; no two have the same name:
 *
 *     pe_0.in1      by the port where its tokens come in
 *     tpe.in1[2]    where that port is tagged: in a temporal PE which instruction it is of,
 *     mem.in0[2]    else which tag it takes
 *     tpe.reg1      a register of a temporal PE
 *     tpe.op0[2]    an operand that comes from one: argument 0 of instruction 2
 *     sw.out0       the buffer at an output of a switch; sw.out0[2]: that of tag 2
 *     pe_0.lost1    result 1 of a PE, which discards it (of a temporal one lost1[2])
 *     sw.in1.out0   lanes of input 1 of a switch that packs them in its output 0
 */
void machine_input_name(const Machine *machine, u32 input, Buf *out);
/* "pe_0.out1"; of what does not leave its PE "pe_0". */
void machine_output_name(const Machine *machine, u32 output, Buf *out);
/* True of an output of a switch that packs lanes of several inputs. */
bool machine_packs(const Machine *machine, u32 unit);
/* True of a buffer at an output of a switch. */
bool machine_is_buffer(const Machine *machine, u32 unit);
/* "pe_0"; of an instruction of a temporal PE "tpe[1]", of its register "tpe.reg0"; of lanes
 * "mem.load[0]", of what packs lanes "sw.out0". The halves of a load have one name, and so has what
 * discards its results. */
void machine_unit_name(const Machine *machine, u32 unit, Buf *out);
/* What a unit is: "mulf", "muli+addi", "carry", "load address", "fifo". */
void machine_unit_op(const Machine *machine, u32 unit, Buf *out);

#endif

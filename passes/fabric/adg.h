/* adg.h -- the architecture graph (ADG): a fabric, flattened into tables.
 *
 * A fabric's text describes hardware by definitions, instances and modules inside modules.
 * `adg_flatten` turns one fabric.module of a verified text into an `Adg`: tables of components,
 * ports, channels, PEs, function units, switches and memories that refer to one another by 32-bit
 * ids and never change again. The configuration layout, the mapper, the machine and the Verilog
 * backend read this and nothing else.
 *
 *     fabric.module @top(%a: !fabric.bits<32>) -> (!fabric.bits<32>) {
 *       %s:2 = fabric.spatial_sw @sw [connectivity_table = ["11", "11"]] (%a, %p) : ...
 *       %p = fabric.instance @pe(%s#0) {sym_name = "pe_0"} : (...) -> !fabric.bits<32>
 *       fabric.yield %s#1 : !fabric.bits<32>
 *     }
 *
 *     components  0 a (ADG_INPUT)   1 sw (ADG_SPATIAL_SW)   2 pe_0 (ADG_SPATIAL_PE)   3 out0
 *     ports       0 a.out0    1 sw.in0  2 sw.in1  3 sw.out0  4 sw.out1    5 pe_0.in0  6 pe_0.out0
 *                 7 out0.in0
 *     channels    0 a.out0 -> sw.in0   1 sw.out0 -> pe_0.in0   2 sw.out1 -> out0.in0
 *                 3 pe_0.out0 -> sw.in1
 *
 * Order. Components: the module's arguments (memrefs aside), then its body in the order of the text
 * (an instance of a fabric.module stands for the components inside it, in their order), then its
 * results. Ports: component by component, inputs before outputs. Channels: by the port that drives
 * them, then by the component and port that they feed. PEs, switches, FIFOs, tag components and
 * memories have tables of their own, each in the order of the components. One text gives one graph.
 *
 * Ports. Every data port has a width and maybe a tag. Native types are shorthand: i32 and f32 are
 * 32 bits, index has LOOM_INDEX_WIDTH, none has 0. A channel may join ports of different widths:
 * values are aligned at bit 0, truncated or zero-extended; tags must fit.
 * An input port has exactly one channel, an output port one or more (more than one only
 * behind a switch). A memref is no port: AdgMemory.arg is the memref argument of the module that an
 * extmemory accesses.
 *
 * PEs and function units. A PE's function units are in the order of its text; that order is the
 * opcode. What a function unit computes is a body, a little graph that all instances of one
 * definition share. Body values are numbered: the arguments, then the results of node 0, node 1,
 * ... A node is an operation, or a fabric.mux: its `sel` is configured, and selects among the data
 * paths of the function unit.
 *
 * Names are unique: a component has its sym_name (of an instance, or of an inline component), else
 * the name of its definition, else that of its kind, prefixed with the path of the module instances
 * around it: "cluster_1/pe_0". Of two equal ones the later gets `.1`, `.2`, ...
 *
 * The Adg owns all its memory but for IR types and attributes, which live as long as the context.
 * The module may be freed.
 */
#ifndef LOOM_FABRIC_ADG_H
#define LOOM_FABRIC_ADG_H

#include "ir/eval.h"
#include "ir/ir.h"

/* "no such id" */
#define ADG_NONE UINT32_MAX

/* How many components a flattened graph may have (COMP_FABRIC_TOO_LARGE). */
#define ADG_MAX_COMPONENTS ((u32)1 << 21)

/* An offset into Adg.text: a NUL-terminated string. 0 is the empty string. */
typedef u32 AdgText;

typedef enum {
#define MODULE_PORT(NAME, text)                     ADG_##NAME,
#define COMPONENT(NAME, text, class, configuration) ADG_##NAME,
#include "ir/fabric.def"
  ADG_KIND_COUNT
} AdgKind;

/* Kinds that share a table; AdgComponent.detail is the index in it. */
typedef enum { CLASS_PORT, CLASS_PE, CLASS_SWITCH, CLASS_FIFO, CLASS_TAG, CLASS_MEMORY } AdgClass;

static inline AdgClass adg_class(u32 kind) {
  static const u8 classes[] = {
#define MODULE_PORT(NAME, text)                     [ADG_##NAME] = CLASS_PORT,
#define COMPONENT(NAME, text, class, configuration) [ADG_##NAME] = CLASS_##class,
#include "ir/fabric.def"
  };
  return (AdgClass)classes[kind];
}
typedef struct {
  u8 kind;            /* AdgKind */
  AdgText name;       /* unique; with its path */
  AdgText definition; /* the named definition it is an instance of; empty: it is inline */
  u32 first_port;     /* ports first_port ... : ninputs inputs, then noutputs outputs */
  u32 ninputs, noutputs;
  u32 detail; /* in the table of its kind: args, outputs, pes, switches, fifos, tags, memories */
  /* The runtime configuration in the text (a hint: the mapper makes its own): an ATTR_DICT with the
   * attributes of the component's op, overridden by those of its instance; NULL where there is
   * none. */
  const Attr *runtime;
  Loc loc; /* of the inline component or the instance */
} AdgComponent;

typedef struct {
  u32 component;
  u32 index; /* among the component's inputs, or its outputs */
  bool is_output;
  bool is_tagged;
  u32 width;         /* bits of the value, without the tag; 0 for type none */
  u32 tag_width;     /* 1..16, or 0 */
  u32 first_channel; /* channels first_channel ... of an output; the one channel of an input */
  u32 nchannels;
} AdgPort;

typedef struct {
  u32 from, to; /* ports: an output, an input */
} AdgChannel;

/* ---- PEs ------------------------------------------------------------------------------------- */

typedef struct {
  u32 component;
  u32 first_fu, nfus;          /* Adg.fus; opcode = place in this list */
  u32 max_inputs, max_outputs; /* of its function units; one mux or demux field each */
  bool is_temporal;
  /* temporal PEs only, else 0 */
  u32 num_register, num_instruction, reg_fifo_depth;
  u32 operand_buffer; /* places of the operands' shared buffer; 0: a register per operand */
  u32 unit_config;    /* 0: one configuration per unit; else one per instruction */
  u32 unit_state;     /* the same for the state of dataflow state machines */
} AdgPe;

typedef struct {
  AdgText name; /* of the instance in the PE where it has one, else of the function unit */
  u32 pe;
  u32 opcode;
  u32 body;
  Loc loc; /* the function unit's or instance's place in the PE */
} AdgFu;

/* A carry and a cond_br with the same condition, fused in one unit: combinational except for one
 * bit of state, set while inside the loop. */
typedef enum {
  NO_LOOP_END,
  LOOP_HEAD, /* the cond_br takes the carry's value: into the body, or out */
  LOOP_TAIL  /* the carry takes the cond_br's true result */
} AdgLoopEnd;

/* The type of a value inside a function unit. */
typedef struct {
  u8 kind;       /* TypeKind: none, index, int, float */
  u8 float_kind; /* FloatKind */
  u32 bits;
  const Type *ir;
} AdgType;

typedef struct {
  AdgText name; /* of the fabric.function_unit, without @ */
  i64 latency;  /* cycles from operands to results; -1: a dataflow state machine */
  u32 interval; /* cycles from one start to the next */
  /* EarlyOut (ir/timing.h): a divider that ends as soon as its quotient is complete
   * (early_out_cycles); latency and interval are then the longest it takes. */
  u8 early_out;
  u8 loop_end; /* AdgLoopEnd */
  u32 nargs, nresults;
  u32 first_value, nvalues; /* Adg.values: types, by number; values 0 ... nargs - 1 are arguments */
  u32 first_yield;          /* Adg.operands: nresults values, the function unit's results */
  u32 first_node, nnodes;   /* Adg.nodes, each after those it uses */
  u32 nmuxes;               /* nodes that are fabric.mux */
  Loc loc;
} AdgBody;

/* One operation of a function unit. Fields that its kind does not have are 0. */
typedef struct {
  u16 kind;     /* OpKind: OP_ARITH_..., OP_HANDSHAKE_..., OP_DATAFLOW_..., OP_FABRIC_MUX */
  u8 fire;      /* FireClass; FIRE_NOT for fabric.mux */
  u8 predicate; /* arith.cmpi, arith.cmpf: the predicate's number (a hint: it is configurable) */
  u8 step_op;   /* stream: 0..5 as dfg.h's DfgStepOp (structural) */
  u8 cont_cond; /* stream: 0..4 as dfg.h's DfgContCond (a hint) */
  u32 first_operand; /* Adg.operands: noperands values of the body */
  u32 noperands;
  u32 first_result; /* values first_result ... of the body */
  u32 nresults;
  u32 eval;      /* pure ops: Adg.evals, else ADG_NONE */
  u64 literal;   /* handshake.constant: its bits (a hint) */
  u64 join_mask; /* handshake.join: bit i: it waits for input i (a hint) */
  /* fabric.mux: M inputs and 1 output, or 1 input and M outputs; the rest are hints */
  u32 sel;
  bool discard, disconnect;
  const Attr *attrs; /* all attributes of the op, an ATTR_DICT, or NULL */
  Loc loc;
} AdgNode;

/* An operator that the units of a spatial PE share (operators.c); kinds in the order of
 * loom_operator. */
typedef enum {
  OPERATOR_NONE,
  OPERATOR_ADD,
  OPERATOR_LOGIC,
  OPERATOR_SHIFT,
  OPERATOR_COMPARE,
  OPERATOR_EXTEND,
  OPERATOR_MODULE
} AdgOperatorKind;
typedef struct {
  AdgOperatorKind kind;
  u32 index;  /* numbered over all kinds: nodes with the same index share one operator */
  u32 stages; /* registers inside, of an OPERATOR_MODULE */
} AdgOperator;

/* ---- switches, FIFOs, tags ------------------------------------------------------------------- */

/* The buffer at each output of a switch; numbered as the words of the `buffer` attribute
 * (SPATIAL_SW_buffer_words). */
typedef enum { BUFFER_NONE, BUFFER_FORWARD, BUFFER_FULL } AdgBuffer;

typedef struct {
  u32 component;
  u32 first_row; /* Adg.rows[first_row + o]: bit i is set where input i can reach output o */
  u32 npairs;    /* bits set in all rows */
  u32 decomposable_bits; /* spatial: bits of a sub-lane; 0: whole ports only */
  u32 num_route_table;   /* temporal: slots; 0: spatial */
  u32 buffer;            /* AdgBuffer */
  u32 first_lane_row;    /* Adg.lane_rows, if connections are given per lane; else ADG_NONE */
} AdgSwitch;

typedef struct {
  u32 component;
  u32 depth;
  bool bypassable;
} AdgFifo;

typedef struct {
  u32 component;
  u32 table_size; /* map_tag, else 0; tag widths are the ports' */
} AdgTag;

/* ---- memories -------------------------------------------------------------------------------- */

/* The families of a memory's ports, in the order of the component's inputs and outputs. Without
 * loads, or stores, their families are absent. */
typedef enum {
  ADG_LOAD_ADDR,
  ADG_STORE_ADDR,
  ADG_STORE_DATA,
  ADG_LOAD_DATA,
  ADG_LOAD_DONE,
  ADG_STORE_DONE,
  ADG_FAMILY_COUNT
} AdgFamily;

typedef struct {
  u32 component;
  bool is_external;            /* extmemory */
  bool is_private;             /* memory: it has no memref result, so the host cannot access it */
  u32 nloads, nstores;         /* lanes; tags distinguish those that share a port */
  u32 channels;                /* ports of a family, but no more than lanes: see adg_lane_port; of a
                                * memory on the fabric, = banks */
  u32 banks;                   /* of a memory on the fabric: word w is in bank w mod banks */
  u32 lsq_depth;               /* 0: latency + 1; see adg_lane_places */
  u32 latency;                 /* cycles from a request to its answer */
  u32 nregions;                /* attribute numRegion */
  u32 ports[ADG_FAMILY_COUNT]; /* the first port of each, ADG_NONE where the family is absent */
  u32 arg;                     /* extmemory: index in Adg.args; else ADG_NONE */
  u32 elem_bits;               /* of a memory element */
  u64 elements;                /* of static shape; 0: dynamic */
  const Type *memref;
} AdgMemory;

/* ---- the module's own ports ------------------------------------------------------------------ */

typedef struct {
  AdgText name;       /* of the argument, without %; "argN", "outN" where it has none */
  bool is_memref;     /* has no component of its own */
  u32 component;      /* ADG_INPUT or ADG_OUTPUT; of a memref result the memory, else ADG_NONE */
  const Type *memref; /* its type if is_memref */
} AdgModulePort;

typedef struct {
  AdgText name;     /* of the fabric.module, without @ */
  AdgText viz_file; /* file with positions for drawing it, or empty */
  Loc loc;
  u32 index_width; /* bits assumed for `index` */
  u32 ncomponents, nports, nchannels, npes, nfus, nbodies, nnodes, nvalues, noperands, nevals;
  u32 nswitches, nrows, nlane_rows, nfifos, ntags, nmemories, nargs, noutputs;

  const AdgComponent *components;
  const AdgPort *ports;
  const AdgChannel *channels;
  const AdgPe *pes;
  const AdgFu *fus;
  const AdgBody *bodies;
  const AdgNode *nodes;
  const AdgOperator *node_operators; /* by node */
  const AdgOperator *body_operators; /* by body: the one whose result the body yields unchanged */
  const AdgType *values;
  const u32 *operands; /* body values: of nodes, of yields */
  const EvalOp *evals;
  const AdgSwitch *switches;
  const u32 *rows;
  const u32 *lane_rows; /* bit matrices: a row per output lane, a column per input lane */
  const AdgFifo *fifos;
  const AdgTag *tags;
  const AdgMemory *memories;
  const AdgModulePort *args;     /* in the order of the module's arguments */
  const AdgModulePort *outputs;  /* and results */
  const u32 *components_by_name; /* ids, by name in byte order */
  const char *text;
  Arena *arena;
} Adg;

/* The fabric.module to flatten of a verified builtin.module: the one with this name, or if it is
 * NULL the only one that no other instantiates. NULL after COMP_FABRIC_NO_MODULE. */
Op *adg_top(Module *module, const char *name);
/* Flattens a fabric.module that verify_module accepted. NULL after COMP_FABRIC_TOO_LARGE or
 * COMP_FABRIC_RING. Linear in the flattened graph but for sorting the names. The caller frees. */
Adg *adg_flatten(Context *ctx, Op *fabric_module);
void adg_free(Adg *adg); /* NULL is allowed */

static inline const char *adg_text(const Adg *adg, AdgText text) {
  return adg->text + text;
}
/* The latency, in cycles, of a memory without that attribute. */
u32 adg_default_latency(bool is_external);
/* A hardware parameter of a component by the name of its attribute; false if the ADG does not store
 * one of that name. */
bool adg_param(const Adg *adg, u32 component, const char *name, u32 *value);
/* Cycles from an accepted request to its answer. */
static inline u32 adg_memory_latency(const AdgMemory *memory) {
  return memory->latency;
}
/* How many requests a lane may have outstanding: from the cycle after the one in which a request is
 * accepted to the one in which the last token of its answer is taken. A place is occupied for
 * `latency` + 1 cycles or more, and a lane accepts at most one request a cycle. So the default,
 * `latency` + 1 places, never makes a lane wait for one unless answers are not taken. */
static inline u32 adg_lane_places(const AdgMemory *memory) {
  return memory->lsq_depth ? memory->lsq_depth : adg_memory_latency(memory) + 1;
}
/* The lanes of a family, and its ports: one per channel or bank, but no more than lanes. */
static inline bool adg_is_load_family(u32 family) {
  return family == ADG_LOAD_ADDR || family == ADG_LOAD_DATA || family == ADG_LOAD_DONE;
}
static inline u32 adg_family_lanes(const AdgMemory *memory, u32 family) {
  return adg_is_load_family(family) ? memory->nloads : memory->nstores;
}
static inline u32 adg_family_ports(const AdgMemory *memory, u32 family) {
  u32 lanes = adg_family_lanes(memory, family);
  return lanes < memory->channels ? lanes : memory->channels;
}
/* The channel of a lane; adg_lane_port: its port in a family, or ADG_NONE. */
static inline u32 adg_lane_channel(const AdgMemory *memory, u32 lane) {
  return lane % memory->channels;
}
/* The group of lanes that are arbitrated together: a channel's, or all of a memory with banks. */
static inline u32 adg_request_channel(const AdgMemory *memory, u32 lane) {
  return memory->banks > 1 ? 0 : adg_lane_channel(memory, lane);
}
static inline u32 adg_lane_port(const AdgMemory *memory, u32 family, u32 lane) {
  if (memory->ports[family] == ADG_NONE) return ADG_NONE;
  return memory->ports[family] + lane % adg_family_ports(memory, family);
}
/* The largest number of channels of a memory, at least 1. */
static inline u32 adg_most_channels(const Adg *adg) {
  u32 most = 1;
  for (u32 m = 0; m < adg->nmemories; m++)
    if (adg->memories[m].channels > most) most = adg->memories[m].channels;
  return most;
}
/* The family of a port, which must be the memory's. */
static inline u32 adg_port_family(const AdgMemory *memory, u32 port) {
  u32 f = 0;
  while (memory->ports[f] == ADG_NONE || port < memory->ports[f] ||
         port - memory->ports[f] >= adg_family_ports(memory, f))
    f++;
  return f;
}
static inline const char *adg_name(const Adg *adg, u32 component) {
  return adg->text + adg->components[component].name;
}
/* True of a combinational unit: in a spatial PE its results are valid in the cycle in which its
 * operands are. */
static inline bool adg_is_wire(const AdgBody *body) {
  return body->latency == 0 || body->loop_end;
}

/* True of a dataflow state machine: it keeps state from firing to firing. */
static inline bool adg_keeps_state(const Adg *adg, u32 fu) {
  return adg->bodies[adg->fus[fu].body].latency < 0;
}
/* True if several instructions of a temporal PE may use the unit: it is stateless, or has a state
 * per instruction. */
static inline bool adg_is_shareable(const Adg *adg, const AdgPe *pe, u32 fu) {
  return pe->is_temporal && (pe->unit_state || !adg_keeps_state(adg, fu));
}
/* True if each instruction contains the configuration of its unit (a spatial PE is one
 * instruction); false if the configuration is per unit. */
static inline bool adg_config_in_item(const AdgPe *pe) {
  return !pe->is_temporal || pe->unit_config;
}
/* The shared operator that computes node n of a body in a spatial PE, or OPERATOR_NONE. */
static inline AdgOperator adg_operator(const Adg *adg, const AdgBody *body, u32 n) {
  return adg->node_operators[body->first_node + n];
}
static inline bool adg_is_same_operator(AdgOperator a, AdgOperator b) {
  return a.kind != OPERATOR_NONE && b.kind != OPERATOR_NONE && a.index == b.index;
}
/* Index is an integer type of its width; floats of one width may differ in format. */
static inline bool adg_is_same_type(const AdgType *a, const AdgType *b) {
  bool is_float = a->kind == TYPE_FLOAT;
  return a->bits == b->bits && is_float == (b->kind == TYPE_FLOAT) &&
         (!is_float || a->float_kind == b->float_kind);
}
/* Bits of the widest of a node's operands and results, at least 1. */
static inline u32 adg_node_bits(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  u32 widest = 1;
  for (u32 i = 0; i < node->noperands + node->nresults; i++) {
    u32 value = i < node->noperands ? adg->operands[node->first_operand + i]
                                    : node->first_result + (i - node->noperands);
    u32 bits = adg->values[body->first_value + value].bits;
    if (bits > widest) widest = bits;
  }
  return widest;
}
/* Fills in node_operators and body_operators, from nodes and bodies. */
void adg_find_operators(Adg *adg);
/* The unit of the same PE whose data path computes this unit's results, in the low bits of its own
 * (paths.c); often the unit itself. */
u32 adg_data_path(const Adg *adg, u32 fu);
static inline bool adg_is_pe(const AdgComponent *component) {
  return adg_class(component->kind) == CLASS_PE;
}
static inline bool adg_is_switch(const AdgComponent *component) {
  return adg_class(component->kind) == CLASS_SWITCH;
}
static inline bool adg_is_memory(const AdgComponent *component) {
  return adg_class(component->kind) == CLASS_MEMORY;
}
/* A FIFO that cannot be bypassed. */
static inline bool adg_is_register(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return c->kind == ADG_FIFO && !adg->fifos[c->detail].bypassable;
}
/* False of components that are wires alone (add_tag, del_tag): they add nothing to a combinational
 * path. */
static inline bool adg_is_in_chain(const AdgComponent *component) {
  return component->kind != ADG_ADD_TAG && component->kind != ADG_DEL_TAG;
}
/* True of routing components: switches, FIFOs, tag components. */
static inline bool adg_passes_tokens(const AdgComponent *component) {
  AdgClass class = adg_class(component->kind);
  return class == CLASS_SWITCH || class == CLASS_FIFO || class == CLASS_TAG;
}
/* The ids of a component's ports. */
static inline u32 adg_input(const Adg *adg, u32 component, u32 i) {
  return adg->components[component].first_port + i;
}
static inline u32 adg_output(const Adg *adg, u32 component, u32 i) {
  return adg->components[component].first_port + adg->components[component].ninputs + i;
}
/* The port that drives an input port. */
static inline u32 adg_driver(const Adg *adg, u32 input_port) {
  return adg->channels[adg->ports[input_port].first_channel].from;
}
/* True where the ports of a switch are tagged: several inputs may then share one output. */
static inline bool adg_carries_tags(const Adg *adg, const AdgSwitch *sw) {
  return adg->ports[adg->components[sw->component].first_port].is_tagged;
}
/* The buffer at a port, an AdgBuffer; BUFFER_NONE if it is no output of a switch. */
static inline u32 adg_buffer(const Adg *adg, u32 port) {
  const AdgPort *p = &adg->ports[port];
  const AdgComponent *c = &adg->components[p->component];
  return p->is_output && adg_is_switch(c) ? adg->switches[c->detail].buffer : (u32)BUFFER_NONE;
}
/* Tokens of each tag that a buffer holds. A buffer of one place may accept a token in the cycle in
 * which it sends one, so ready passes it combinationally; a buffer of two places cuts ready. */
static inline u32 adg_buffer_places(u32 buffer) {
  return buffer == BUFFER_FULL ? 2 : buffer == BUFFER_FORWARD;
}
/* Lanes of a port of a switch: 1 unless it is decomposable. */
static inline u32 adg_lanes(const Adg *adg, const AdgSwitch *sw, u32 port) {
  return sw->decomposable_bits ? adg->ports[port].width / sw->decomposable_bits : 1;
}
/* True where input i of a switch can reach its output o. */
static inline bool adg_connects(const Adg *adg, const AdgSwitch *sw, u32 i, u32 o) {
  return adg->rows[sw->first_row + o] >> i & 1;
}

/* True where lane `il` of input i of a switch, which reaches its output o, can reach its lane `ol`.
 */
bool adg_lane_connects(const Adg *adg, const AdgSwitch *sw, u32 i, u32 il, u32 o, u32 ol);
/* True where lane l of output o can come from lane l of input i, for every l; an output with more
 * lanes than the input repeats these (l modulo the input's lanes). */
bool adg_goes_straight(const Adg *adg, const AdgSwitch *sw, u32 i, u32 o);
/* A component by its name, or ADG_NONE. O(log n). */
u32 adg_find(const Adg *adg, const char *name);
/* "spatial_pe", "extmemory", "input", ... */
const char *adg_kind_text(AdgKind kind);
/* OP_FABRIC_SPATIAL_PE, ...; of a port of the module, which is no op, OP_COUNT. */
OpKind adg_op_kind(AdgKind kind);
/* log2 of the bytes of a memory element: its bits, rounded up to a power of two, 8 at least. */
static inline u32 adg_size_log2(u32 bits) {
  u32 log2 = 0;
  while (((u64)8 << log2) < bits) log2++;
  return log2;
}
/* Bytes of an array. Counts are clamped to 2^40 elements, beyond any offset, against overflow. */
static inline u64 adg_bytes(u64 elements, u32 bits) {
  u64 most = (u64)1 << 40;
  return (elements < most ? elements : most) << adg_size_log2(bits);
}
/* Bytes of a memory inside the fabric, clamped to 2^32 elements: addr_offset has 32 bits. */
static inline u64 adg_memory_bytes(const AdgMemory *memory) {
  u64 most = (u64)1 << 32, elements = memory->elements < most ? memory->elements : most;
  return elements << adg_size_log2(memory->elem_bits);
}

#endif

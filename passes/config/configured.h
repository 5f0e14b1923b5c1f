/* configured.h -- a configured fabric, decoded: what its units compute and where tokens go.
 *
 * An ADG describes what the hardware could do, an image selects what it does. `configured_new`
 * combines the two: which function units are on and what each computes with its muxes, masks,
 * literals and predicates set; which route every token takes from its producer to its consumers;
 * which memory lanes are in use. The result is a dataflow graph made of hardware. The checker
 * compares it with the graph that was mapped (check/check.h), `loom config decode --graph` prints
 * it, and machine/build.c makes the simulated machine from it.
 *
 *     sources   producers of tokens: an input of the fabric, a result of a unit, a memory lane, a
 *               pack
 *     hops      a source's tokens entering a component, by an input port and with a tag, or the
 *               buffer at an output of a switch; each knows the hop before it, so the hops of a
 *               source are a tree
 *     sinks ends of routes: an operand of a unit, a memory lane, an output, a part of a pack, or
 *               a place where tokens are discarded
 *     units     function units in use: one in a spatial PE, one per instruction in a temporal PE
 *     ops       the operations of their bodies that the configuration leaves
 *     packs     outputs of decomposable switches that make one token of the lanes of several inputs
 *
 *     in_0 --> sw.in2 ==> sw.out0 --> pe_0.in1 => operand 0 of add a source, two hops, a sink
 *                    \==> sw.out3 --> out0                                a hop and another sink
 *
 * Tokens are followed forwards, from each source, port by port and tag by tag. No two routes may
 * meet: a port has one stream of tokens, a tagged port one for each tag. So every port and tag is
 * entered at most once, the walk is linear in the ports in use, and a loop of switches that feeds
 * itself is either two streams that meet or wires that no token ever reaches: both are errors.
 *
 * The rules that hold for any configuration, whichever graph it is for, are checked on the way;
 * each is a CFG_ code with a page of its own in the manual:
 *
 *     CFG_STREAMS_MEET   two streams meet in one port or register
 *     CFG_STUCK          tokens come to a port that does not take them
 *     CFG_UNDRIVEN       something waits for tokens that never come
 *     CFG_IDLE           something is switched on that no token reaches
 *     CFG_LANES_WIDE     lanes are moved to where no token has bits
 *     CFG_MUX_DISCARD    a mux in front of a unit discards tokens
 *     CFG_UNIT           the inside of a unit is configured to compute nothing
 *     CFG_SHARED         two streams share what one of them could block for ever
 *     CFG_TAG_LOST       a tag does not fit a port on its route
 *     CFG_BUFFER         more operands than a shared operand buffer has places
 *     CFG_FANOUT         an output that is no switch's sends a token to two inputs that take it
 *     CFG_COMBINATIONAL  a loop without a register
 */
#ifndef LOOM_CONFIG_CONFIGURED_H
#define LOOM_CONFIG_CONFIGURED_H

#include "config/image.h"

/* The tag of an untagged token. */
#define CONF_UNTAGGED UINT32_MAX

typedef enum {
  CONF_INPUT,     /* of: the component */
  CONF_RESULT,    /* of: Configured.units; index: which result of the unit's body */
  CONF_PACKED,    /* of: Configured.packs */
  CONF_LOAD_DATA, /* of: Configured.lanes */
  CONF_LOAD_DONE,
  CONF_STORE_DONE
} ConfSourceKind;

/* In a sound fabric each has at least one sink, except inputs of the fabric that go nowhere. */
typedef struct {
  u8 kind;           /* ConfSourceKind */
  bool is_discarded; /* at least one of its routes ends where tokens are discarded */
  u32 of, index;
  u32 port, tag;  /* the output port; ADG_NONE: it goes to a register, or nowhere */
  u32 first_sink; /* Configured.sinks, linked by `next`; ADG_NONE: none */
} ConfSource;

typedef enum {
  CONF_OPERAND,   /* of: Configured.units; index: which argument of the unit's body */
  CONF_LOAD_ADDR, /* of: Configured.lanes */
  CONF_STORE_ADDR,
  CONF_STORE_DATA,
  CONF_OUTPUT,   /* of: the component */
  CONF_PART,     /* of: Configured.packs; index: which of its parts */
  CONF_DISCARDED /* of: the component that discards tokens */
} ConfSinkKind;

typedef struct {
  u8 kind; /* ConfSinkKind */
  u32 of, index;
  u32 source;
  u32 hop;   /* the last of its route; ADG_NONE: inside a PE, by a register or a demux's discard */
  u32 width; /* low bits that arrive unchanged and unmoved: the width of the narrowest port of the
              * route, or less where a decomposable switch moves lanes */
  u32 next;  /* of the same source; ADG_NONE: the last */
} ConfSink;

typedef struct {
  u32 port; /* the input port entered, or the output port whose buffer is entered */
  u32 tag;  /* at that port, or CONF_UNTAGGED */
  u32 from; /* the hop before; ADG_NONE: this is the first behind the source's port */
  u32 source;
  u32 width;              /* low bits that arrive here unchanged and unmoved */
  u32 fifos;              /* how many fifos in use, and buffers, are before it on the route */
  u32 first_move, nmoves; /* Configured.moves: how the decomposable switch before it moves bits;
                           * none: not at all */
  bool is_moved;          /* that switch, or one further back, moves bits */
  bool takes;             /* its tokens are taken, here or further on */
} ConfHop;

/* Moves `bits` bits of a token from bit `from` to bit `to`. Bits of the result that no move sets
 * are 0. */
typedef struct {
  u8 from, to, bits;
} ConfMove;

/* For each bit of a token, which bit it was when the token was sent; CONF_NO_BIT: it is 0. A token
 * has one word, except a tagged value of two (run/value.h), whose second is a tag. */
enum { CONF_WORD = 64, CONF_BITS = CONF_WORD + 16, CONF_NO_BIT = CONF_BITS };
typedef struct {
  u8 from[CONF_BITS];
} ConfBits;

/* The value of an operand of an operation or of a result of a unit, seen through fabric.mux. */
typedef struct {
  u32 op;    /* Configured.ops; ADG_NONE: an argument of the unit */
  u32 index; /* which result of it, or which argument */
} ConfValue;

typedef struct {
  u32 pe; /* Adg.pes */
  u32 fu; /* Adg.fus */
  u32 body;
  u32 instruction, tag; /* of a temporal PE; else 0 and CONF_UNTAGGED */
  u32 first_operand;    /* Configured.operands: for each argument of the body its sink; ADG_NONE
                         * where it is not used */
  u32 first_result;     /* Configured.results: for each result of the body its source, ADG_NONE
                         * where it is not connected */
  u32 first_op, nops;   /* Configured.ops */
  u32 first_yield;      /* Configured.values: for each result of the body its value */
} ConfUnit;

typedef struct {
  u32 unit;
  u32 node;          /* Adg.nodes */
  u8 predicate;      /* as configured, of arith.cmpi and arith.cmpf */
  u8 cont_cond;      /* likewise, of a stream: dfg.h's DfgContCond */
  u64 literal;       /* likewise, of a constant */
  u32 first_operand; /* Configured.values: of a join the inputs in use only */
  u32 noperands;
  u32 first_result; /* Configured.op_results */
} ConfOp;

typedef struct {
  u32 uses;          /* operands of the unit's operations, and connected results, that are it */
  bool is_discarded; /* a fabric.mux discards it */
} ConfOpResult;

typedef struct {
  u32 memory; /* Adg.memories */
  u32 region; /* ADG_NONE: its tag is in none (diagnosed) */
  bool is_store;
  u32 tag;           /* 0 where the memory has no tags */
  u32 address, data; /* sinks; ADG_NONE: absent (diagnosed), or the data of a load */
  u32 value, done;   /* sources; value: of a load */
} ConfLane;

/* An output of a decomposable switch that gets lanes from several inputs: to make a token it takes
 * one from each of them. */
typedef struct {
  u32 port;               /* the output */
  u32 source;             /* ADG_NONE: no part gets tokens */
  u32 first_part, nparts; /* Configured.parts: the inputs, in their order */
} ConfPack;

typedef struct {
  u32 input;              /* index of the switch's input */
  u32 sink;               /* ADG_NONE: it gets no tokens (diagnosed, unless no part does) */
  u32 first_move, nmoves; /* Configured.moves: from the input's token into the pack's */
} ConfPart;

typedef struct {
  u32 valid, start, end, offset, elem_size_log2; /* as configured; offset in bytes */
  u64 elements; /* whole elements from the offset to the next region or the end of the memory; 0 for
                 * an extmemory, whose size the host knows */
} ConfRegion;

typedef struct Configured {
  const Adg *adg;
  bool is_sound; /* no diagnostic but CFG_IDLE was given */
  u32 spare; /* a component with a slot or entry whose tag never comes; ADG_NONE: there is none */
  u32 nsources, nsinks, nhops, nunits, nops, nlanes, npacks;
  ConfSource *sources;
  ConfSink *sinks;
  ConfHop *hops;   /* each after its `from` */
  ConfUnit *units; /* in the order of PEs and their instructions */
  ConfOp *ops;
  ConfOpResult *op_results;
  ConfValue *values;
  ConfMove *moves;
  u32 *operands, *results;
  ConfLane *lanes; /* by memory, loads first, by channel, by tag */
  ConfPack *packs; /* by output port */
  ConfPart *parts;
  u32 *first_region; /* by memory: its first in `regions` */
  ConfRegion *regions;
  u32 *output_sinks;  /* by component: the sink of an ADG_OUTPUT that gets tokens, else ADG_NONE */
  u32 *input_sources; /* by component: the source of an ADG_INPUT, else ADG_NONE */
  Arena *arena;
} Configured;

/* Works for any words: a field whose value does not exist, which image_check reports (CFG_VALUE and
 * others), is treated as if it were not set. Never NULL; the caller frees. Diagnostics point at the
 * components in the Fabric text. Nearly linear in the ADG and the routes: lanes are sorted,
 * searched operands are found by halving, and bits behind a decomposable switch are traced back
 * along the route (conf_bits). The layout must outlive it. */
Configured *configured_new(Context *ctx, const Image *image);
void configured_free(Configured *conf); /* NULL is allowed */

static inline ConfValue conf_operand(const Configured *conf, u32 op, u32 i) {
  return conf->values[conf->ops[op].first_operand + i];
}

/* For each bit of a token at a hop, which bit it was at hop `since`, an earlier one of its route;
 * ADG_NONE: when it was sent. Takes CONF_BITS steps for each hop in between. */
ConfBits conf_bits(const Configured *conf, u32 hop, u32 since);
/* The same for the lanes that a CONF_PART sink contributes to the token of its pack. Bits of other
 * parts are CONF_NO_BIT. */
ConfBits conf_part_bits(const Configured *conf, u32 sink, u32 since);
/* The same as moves, from the low `has` bits to the low `wants` bits. Returns how many: at most
 * CONF_BITS. */
u32 conf_pieces(const ConfBits *bits, u32 has, u32 wants, ConfMove *out);

/* The channel that leads to a hop: below Adg.nports the one from the output port of that number;
 * from Adg.nports up the one inside a switch from its crossbar to the buffer of that output port.
 */
static inline u32 conf_channel(const Adg *adg, const ConfHop *hop) {
  return adg->ports[hop->port].is_output ? adg->nports + hop->port : adg_driver(adg, hop->port);
}

/* False where all tokens of a source are discarded, or have no route. The host sends no tokens to
 * an input of the fabric without a use. */
bool conf_is_used(const Configured *conf, u32 source);

/* The producer of a token, seen through switches and muxes. */
typedef enum {
  CONF_FROM_INPUT,
  CONF_FROM_OP,
  CONF_FROM_LANE,
  CONF_FROM_PACK,
  CONF_FROM_NOBODY
} ConfProducerKind;

typedef struct {
  u8 kind;   /* ConfProducerKind */
  u32 of;    /* component, Configured.ops, Configured.lanes, Configured.packs */
  u32 index; /* of an op: which result; of a lane: 0 the value, 1 done */
  u32 sink;  /* the end of the route by which it comes; ADG_NONE: it comes from the same unit */
} ConfProducer;

/* The producer of the tokens of a sink, and of operand i of an operation. There is no table of the
 * consumers of a producer: walk the consumers instead. */
ConfProducer conf_producer(const Configured *conf, u32 sink);
ConfProducer conf_operand_producer(const Configured *conf, u32 op, u32 i);

/* A port of a graph: its name, and what of the hardware it is. */
typedef struct {
  const char *name;
  u32 component;      /* ADG_INPUT or ADG_OUTPUT; ADG_NONE: a memory, or an argument without use */
  u32 memory, region; /* of a memory (`type` is its memref), else ADG_NONE */
  const Type *type;
  const Attr *init; /* of a local memory: its initial contents (ATTR_DENSE), or NULL */
} ConfSignaturePort;

typedef struct {
  const char *name; /* of the function, without @ */
  u32 nargs, noutputs, nlocals;
  const ConfSignaturePort *args, *outputs, *locals;
} ConfSignature;

/* Appends the hardware as a handshake.func to `m`: an operation for each of Configured.ops, a
 * memory for each region in use, edges for routes. The fabric must be sound. With `signature` the
 * arguments and results are those of another graph, so that a case of that graph can be run; with
 * NULL they are the fabric's, in its order, without those that are not used. The function freezes.
 * Its first operations are Configured.ops, in their order; then come those that
 * assemble packs, n - 1 times arith.ori for n parts. */
Op *configured_graph(Module *m, const Configured *conf, const ConfSignature *signature);
/* The same without a signature, as a graph that others read: where it has memories, control tokens
 * are the last of its arguments and results, as the verifier wants (COMP_HANDSHAKE_FUNC_CONTROL).
 */
Op *configured_graph_written(Module *m, const Configured *conf);

/* The name in configured_graph of an operation's first result, and so of its node once the graph is
 * frozen: the PE ("pe_0_1"), in a temporal PE with the instruction ("pe_0_1.i3"), in a unit of
 * several operations with the operation ("pe_0_1.muli"; the second such: "pe_0_1.muli.1"). The
 * slash of a path becomes "$", any other character that names cannot have "_". */
void conf_op_name(const Configured *conf, u32 op, Buf *out);
void conf_component_name(const Configured *conf, u32 component, Buf *out);

/* For messages: "result 0 of add in 'pe_0'", "input 'a'", "the data of load 2 of 'mem'"; "operand 1
 * of ...". */
void conf_source_text(const Configured *conf, u32 source, Buf *out);
void conf_sink_text(const Configured *conf, u32 sink, Buf *out);
/* "add in 'pe_0'", "add in instruction 3 of 'tpe'". */
void conf_unit_text(const Configured *conf, u32 unit, Buf *out);
/* The ports of a sink's route, with their tags: "a.out0 -> sw.in0 -> pe_0.in1 tag 3". */
void conf_route_text(const Configured *conf, u32 sink, Buf *out);
/* The unit's PE in the Fabric text. */
Loc conf_unit_loc(const Configured *conf, u32 unit);

#endif

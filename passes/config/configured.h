/* configured.h -- a configured fabric, decoded: what its units compute and where tokens go.
 *
 * An ADG says what could be, an image which of it is. `configured_new` puts the two together: which
 * function units work and what each computes with its muxes, masks, literals and predicates set;
 * which route every token takes from where it is made to where it is used; which memory lanes are
 * in use. What is left is a dataflow graph made of hardware. The checker compares it with the graph
 * that was asked for (check/check.h), `loom config decode --graph` prints it, and what simulates
 * hardware can read off it which wires matter.
 *
 *     sources   what tokens come from: an input of the fabric, a result of a unit, a memory lane
 *     hops      a source's tokens entering a component, by an input port and with a tag, or the
 *               buffer at an output of a switch; each knows the hop before it, so the hops of a
 *               source are a tree
 *     sinks     where a route ends: an operand of a unit, a memory lane, an output, or nowhere
 *     units     function units at work: one in a spatial PE, one an instruction in a temporal PE
 *     packs     outputs of decomposable switches that make one token of the lanes of several inputs
 *     ops       what they compute: the operations of their bodies that are left
 *
 *     in_0 --> sw.in2 ==> sw.out0 --> pe_0.in1 => operand 0 of add         a source, a hop, a sink
 *                    \==> sw.out3 --> out0                                 and another
 *
 * Tokens are followed forwards, from each source, port by port and tag by tag. No two routes may
 * meet: a port has one stream of tokens, a tagged port one for each tag. So every port and tag is
 * entered at most once, the walk is linear in what is in use, and a loop of switches that feeds
 * itself is either two streams that meet or wires that no token ever reaches: both are errors.
 *
 * The rules that hold for any configuration, whatever it was meant for, are checked on the way;
 * each is a CFG_ code with a page of its own:
 *
 *     CFG_STREAMS_MEET   two streams meet in one port or register
 *     CFG_STUCK          tokens come to where nothing takes them
 *     CFG_UNDRIVEN       something waits for tokens that never come
 *     CFG_IDLE           something is switched on that no token reaches
 *     CFG_MUX_DISCARD    a mux in front of a unit is to discard tokens
 *     CFG_UNIT           the inside of a unit is set to something that is no computation
 *     CFG_SHARED         two streams share what one of them could block for ever
 *     CFG_TAG_LOST       a tag does not fit a port on its way
 *     CFG_COMBINATIONAL  a loop without a register
 */
#ifndef LOOM_CONFIG_CONFIGURED_H
#define LOOM_CONFIG_CONFIGURED_H

#include "config/image.h"

/* The tag of what has none. */
#define CONF_UNTAGGED UINT32_MAX

typedef enum {
  CONF_INPUT,     /* of: the component */
  CONF_RESULT,    /* of: Configured.units; index: which result of the unit's body */
  CONF_PACKED,    /* of: Configured.packs */
  CONF_LOAD_DATA, /* of: Configured.lanes */
  CONF_LOAD_DONE,
  CONF_STORE_DONE
} ConfSourceKind;

/* Each has a sink at least, but inputs of the fabric that go nowhere. */
typedef struct {
  u8 kind;           /* ConfSourceKind */
  bool is_discarded; /* some of its routes, or the only one, end where tokens are discarded */
  u32 of, index;
  u32 port, tag;  /* the port that it leaves by; ADG_NONE: it goes to a register, or nowhere */
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
  u32 hop;   /* the last of its route; ADG_NONE: inside a PE, by a register or its own discard */
  u32 width; /* low bits that come through whole and in their places: mostly the narrowest port of
              * the way */
  u32 next;  /* of the same source; ADG_NONE: the last */
} ConfSink;

typedef struct {
  u32 port; /* the input port entered; or the output port whose buffer is */
  u32 tag;  /* there, or CONF_UNTAGGED */
  u32 from; /* the hop before; ADG_NONE: the source's own port is before this one */
  u32 source;
  u32 width;              /* low bits that got this far whole, and are where they were */
  u32 fifos;              /* how many fifos that hold tokens, and buffers, it went through */
  u32 first_move, nmoves; /* Configured.moves: what the decomposable switch before it does; none: it
                           * leaves all bits where they are */
  bool is_moved;          /* it does, or some switch further back */
  bool takes;             /* what comes by here is taken, here or further on */
} ConfHop;

/* So many bits of a token go from one place to another; what no piece brings is 0. */
typedef struct {
  u8 from, to, bits;
} ConfMove;

/* Where each bit of a token was when it was sent. */
enum { CONF_BITS = 64, CONF_NO_BIT = CONF_BITS }; /* a token has at most 64; CONF_NO_BIT: it is 0 */
typedef struct {
  u8 from[CONF_BITS];
} ConfBits;

/* What stands behind an operand of an operation or a result of a unit. */
typedef struct {
  u32 op;    /* Configured.ops; ADG_NONE: an argument of the unit */
  u32 index; /* which result of it, or which argument */
} ConfValue;

typedef struct {
  u32 pe; /* Adg.pes */
  u32 fu; /* Adg.fus */
  u32 body;
  u32 instruction, tag; /* of a temporal PE; else 0 and CONF_UNTAGGED */
  u32 first_operand;    /* Configured.operands: for each argument of the body its sink, ADG_NONE
                         * where it is not used */
  u32 first_result;     /* Configured.results: for each result of the body its source, ADG_NONE
                         * where it is not connected */
  u32 first_op, nops;   /* Configured.ops */
  u32 first_yield;      /* Configured.values: for each result of the body what it is */
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
  u32 uses;          /* operations of the unit that take it, and connected results that are it */
  bool is_discarded; /* a fabric.mux discards it */
} ConfOpResult;

typedef struct {
  u32 memory; /* Adg.memories */
  u32 region; /* ADG_NONE: its tag is in none (diagnosed) */
  bool is_store;
  u32 tag;           /* 0 where the memory has no tags */
  u32 address, data; /* sinks; ADG_NONE: absent (diagnosed), or no store's data */
  u32 value, done;   /* sources; value: of a load */
} ConfLane;

/* An output of a decomposable switch to which several inputs give lanes: a token of it takes one of
 * each. */
typedef struct {
  u32 port;               /* the output */
  u32 source;             /* ADG_NONE: no token comes to any part */
  u32 first_part, nparts; /* Configured.parts: the inputs, in their order */
} ConfPack;

typedef struct {
  u32 input;              /* of the switch: which */
  u32 sink;               /* ADG_NONE: no tokens come (diagnosed, unless to none) */
  u32 first_move, nmoves; /* Configured.moves: where its lanes are in the token */
} ConfPart;

typedef struct {
  u32 valid, start, end, offset, elem_size_log2; /* as configured; offset in bytes */
  u64 elements; /* of a memory inside: as many as there are from the offset to where the next region
                 * begins, or the memory ends, in whole; 0 of an extmemory: the host says */
} ConfRegion;

typedef struct Configured {
  const Adg *adg;
  bool is_sound; /* no diagnostic but CFG_IDLE was given */
  u32 spare; /* a component with a slot or entry for a tag that never comes; ADG_NONE: none has */
  u32 nsources, nsinks, nhops, nunits, nops, nlanes, npacks;
  ConfSource *sources;
  ConfSink *sinks;
  ConfHop *hops;   /* each behind the one it comes from */
  ConfUnit *units; /* in the order of PEs and their instructions */
  ConfOp *ops;
  ConfOpResult *op_results;
  ConfValue *values;
  ConfMove *moves;
  u32 *operands, *results;
  ConfLane *lanes; /* by memory, loads first, by tag */
  ConfPack *packs; /* by output port */
  ConfPart *parts;
  u32 *first_region; /* by memory: its first in `regions` */
  ConfRegion *regions;
  u32 *output_sinks;  /* by component: of an ADG_OUTPUT that something reaches, its sink; of all
                       * others ADG_NONE */
  u32 *input_sources; /* by component: of an ADG_INPUT its source, else ADG_NONE */
} Configured;

/* Works for any words whatever; that each field has a value that exists is image_check's business
 * (CFG_VALUE and its like), here such a field is as good as absent. Never NULL; the caller frees.
 * Diagnostics point at the components in the Fabric text. Linear in the ADG and what is in use, but
 * for sorting. The layout must outlive it. */
Configured *configured_new(Context *ctx, const Image *image);
void configured_free(Configured *conf); /* NULL is allowed */

static inline ConfValue conf_operand(const Configured *conf, u32 op, u32 i) {
  return conf->values[conf->ops[op].first_operand + i];
}

/* What a token is at a hop, by bits of what it was behind hop `since`, one further back on its
 * route; ADG_NONE: of what was sent. Steps: the hops in between. */
ConfBits conf_bits(const Configured *conf, u32 hop, u32 since);
/* The same of what a part (an CONF_PART sink) brings: what the token of its pack is, bits of other
 * parts being 0, by bits of what was sent or was behind hop `since`. */
ConfBits conf_part_bits(const Configured *conf, u32 sink, u32 since);
/* The same in pieces, of values of `has` bits in places below `wants`: at most CONF_BITS. */
u32 conf_pieces(const ConfBits *bits, u32 has, u32 wants, ConfMove *out);

/* The channel by which a hop is come to: below Adg.nports that from the output port of that number,
 * else, Adg.nports higher, the one inside its switch that leads to its buffer. */
static inline u32 conf_channel(const Adg *adg, const ConfHop *hop) {
  return adg->ports[hop->port].is_output ? adg->nports + hop->port : adg_driver(adg, hop->port);
}

/* Does anything use what a source makes, or is all of it discarded, or nowhere to go? An input of
 * the fabric without a use may well run into a switch that discards it: no tokens come in
 * there. */
bool conf_is_used(const Configured *conf, u32 source);

/* Who makes a token, seen through PEs and switches. */
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
  u32 sink;  /* what brought it here from another unit; ADG_NONE: nothing, it is the same unit's */
} ConfProducer;

/* Who makes what a sink takes, and what operand i of an operation takes. */
ConfProducer conf_producer(const Configured *conf, u32 sink);
ConfProducer conf_operand_producer(const Configured *conf, u32 op, u32 i);
/* The operations and sinks that take a result of an operation or an input or lane are found the
 * other way, from the takers. */

/* What the ports of a graph are called, and in which order they come. */
typedef struct {
  const char *name;
  u32 component;      /* ADG_INPUT or ADG_OUTPUT; ADG_NONE: a memory, or an argument without use */
  u32 memory, region; /* of a memory (`type` is its memref), else ADG_NONE */
  const Type *type;
  const Attr *init; /* of a local memory: what it starts with (ATTR_DENSE), or NULL */
} ConfSignaturePort;

typedef struct {
  const char *name; /* of the function, without @ */
  u32 nargs, noutputs, nlocals;
  const ConfSignaturePort *args, *outputs, *locals;
} ConfSignature;

/* The hardware as a handshake.func at the end of `m`: operations for what computes, memories for
 * regions in use, edges for routes. Only of a sound fabric. With `signature` (NULL: the fabric's
 * own names and order, what is not used left out) its arguments and results are those of some other
 * graph, so that a case of that graph can be run. The function verifies and freezes. Its first
 * operations are Configured.ops, in their order, and behind them those that put packs together: an
 * arith.ori less than it has parts each. */
Op *configured_graph(Module *m, const Configured *conf, const ConfSignature *signature);

/* What an operation's first result, and so its node once the graph is frozen, is called in the text
 * of configured_graph: the PE ("pe_0_1"), in a temporal PE with its instruction ("pe_0_1.i3"),
 * where the unit is several operations with the operation ("pe_0_1.muli"; the second such:
 * "pe_0_1.muli.1"). What no name can have in it is "_", the slash of a path "$". */
void conf_op_name(const Configured *conf, u32 op, Buf *out);
void conf_component_name(const Configured *conf, u32 component, Buf *out);

/* For people: "result 0 of add in 'pe_0'", "input 'a'", "data of load lane 2 of 'mem'"; "operand 1
 * of ...". */
void conf_source_text(const Configured *conf, u32 source, Buf *out);
void conf_sink_text(const Configured *conf, u32 sink, Buf *out);
/* "add in 'pe_0'", "add in instruction 3 of 'tpe'". */
void conf_unit_text(const Configured *conf, u32 unit, Buf *out);
/* The ports of a sink's route: "a -> sw.in0 -> pe_0.in1", tags where there are any. */
void conf_route_text(const Configured *conf, u32 sink, Buf *out);
/* Where the user's text has it. */
Loc conf_unit_loc(const Configured *conf, u32 unit);

#endif

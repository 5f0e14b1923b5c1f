/* layout.h -- the position of each bit of a configuration; defined here and nowhere else.
 *
 * A configuration image is a list of 32-bit words, and the words are divided into slices, one for
 * each component that has anything to configure. A slice starts on a word; inside it fields follow
 * one another from bit 0 up, without gaps, and may cross words; the rest of its last word is zero.
 * First come the slices of switches, tag components, FIFOs that can be bypassed and memories, in
 * the order of the ADG's components, then those of the PEs, in the order of Adg.pes. A choice among
 * n takes 0 bits for n <= 1, else ceil(log2 n); a field of 0 bits does not exist.
 *
 *     spatial_sw    a bit for each connected pair, output by output; then `discard`, a bit an
 *                   input. Decomposable: a lane counts as a port, in both
 *     temporal_sw   a slot: valid, tag, a bit for each connected pair
 *     add_tag       tag
 *     map_tag       an entry: valid, src_tag, dst_tag
 *     fifo          bypassed
 *     memory,       a region, five fields of a word each: valid, start, end, addr_offset,
 *     extmemory     elem_size_log2
 *     spatial_pe    enable, opcode, muxN of each unit input, demuxN of each unit output, and the
 *                   payload of the unit that the opcode chose: as wide as the widest unit's
 *     temporal_pe   an instruction: valid, tag, opcode, operandN [reg_idx, is_reg], muxN, demuxN,
 *                   resultN [res_tag, reg_idx, is_reg]; then the payloads of all units. With
 *                   unit_config = "per_instruction" each instruction ends with a payload instead,
 *                   as wide as the widest unit's
 *
 * A mux or demux is [sel, discard, disconnect]. A PE without registers has neither reg_idx nor
 * is_reg. A payload has the fields of the body's nodes in their order: of a fabric.mux [sel,
 * discard, disconnect], of a constant its literal, of a join a bit per input, of cmpi and cmpf the
 * predicate in 4 bits, of a stream its cont_cond, one-hot in 5 bits (< <= > >= !=).
 *
 * A `Field` identifies a field by its kind, its slot or instruction, and its ports. layout_find
 * gives its bits; layout_visit visits all fields of a slice in order; layout_name gives its name.
 *
 * layout.c defines the fields once, as runs: kind, name, width, how many per item, upper limit of
 * the value. Sizes, positions, names, the walk over all fields and the checks are derived from
 * them, and so are JSON, `loom config show`, and the Fabric text of components whose attributes are
 * plain numbers.
 *
 *     layout_find(layout, sw, field_pair(0, 2, 1))                 input 1 to output 2
 *     layout_find(layout, pe, field_of(FIELD_MUX_SEL, 3, 0))       first mux of instruction 3
 *     layout_find(layout, pe, field_node(FIELD_NODE_LITERAL, 0, 4, 0)) the constant of opcode 4
 */
#ifndef LOOM_CONFIG_LAYOUT_H
#define LOOM_CONFIG_LAYOUT_H

#include "fabric/adg.h"

/* The most words that an image may have (COMP_FABRIC_TOO_LARGE): 4 MiB. */
#define LAYOUT_MAX_WORDS ((u64)1 << 20)

/* `item` is the index of the slot, entry, region or instruction, 0 where there is only one. In
 * payloads (FIELD_NODE_...) it is the opcode of the unit, and `a_lane` the instruction that the
 * payload is in, 0 where the unit has one for all (layout_payload_item). `a`: see each kind. */
typedef enum {
  FIELD_VALID,            /* of any item; `enable` of a spatial PE */
  FIELD_TAG,              /* of a slot or instruction; of an add_tag; src_tag of an entry */
  FIELD_PAIR,             /* a: output, b: input; and their lanes */
  FIELD_DISCARD,          /* spatial switch, a: input; and its lane */
  FIELD_DST_TAG,          /* of an entry */
  FIELD_BYPASSED,         /* of a FIFO */
  FIELD_START,            /* of a region: its tags are [start, end) */
  FIELD_END,              /* likewise */
  FIELD_ADDR_OFFSET,      /* of a region */
  FIELD_ELEM_SIZE_LOG2,   /* of a region */
  FIELD_OPCODE,           /* of a PE or instruction */
  FIELD_OPERAND_REG,      /* a: unit input; the register it comes from */
  FIELD_OPERAND_IS_REG,   /* likewise; whether it comes from a register */
  FIELD_MUX_SEL,          /* a: unit input; which port of the PE it comes from */
  FIELD_MUX_DISCARD,      /* likewise; tokens at the other ports are discarded */
  FIELD_MUX_DISCONNECT,   /* likewise; it comes from no port */
  FIELD_DEMUX_SEL,        /* a: unit output; which port of the PE it goes to */
  FIELD_DEMUX_DISCARD,    /* likewise; it is discarded (sel is 0) */
  FIELD_DEMUX_DISCONNECT, /* likewise; it goes to no port */
  FIELD_RESULT_TAG,       /* a: unit output; the tag that it gets at the port */
  FIELD_RESULT_REG,       /* likewise; the register it goes to */
  FIELD_RESULT_IS_REG,    /* likewise; whether it goes to a register */
  FIELD_NODE_SEL,         /* a: node of the unit's body, a fabric.mux */
  FIELD_NODE_DISCARD,     /* likewise */
  FIELD_NODE_DISCONNECT,  /* likewise */
  FIELD_NODE_LITERAL,     /* a handshake.constant */
  FIELD_NODE_JOIN,        /* a handshake.join; b: its input */
  FIELD_NODE_PREDICATE,   /* an arith.cmpi or arith.cmpf */
  FIELD_NODE_CONT_COND,   /* a dataflow.stream */
  FIELD_KIND_COUNT
} FieldKind;

typedef struct {
  FieldKind kind;
  u32 item, a, b;
  u32 a_lane, b_lane; /* of a decomposable switch, or of a payload; else 0 */
} Field;

static inline Field field_of(FieldKind kind, u32 item, u32 a) {
  return (Field){kind, item, a, 0, 0, 0};
}
static inline Field field_pair(u32 slot, u32 output, u32 input) {
  return (Field){FIELD_PAIR, slot, output, input, 0, 0};
}
static inline Field field_lane_pair(u32 output, u32 output_lane, u32 input, u32 input_lane) {
  return (Field){FIELD_PAIR, 0, output, input, output_lane, input_lane};
}
static inline Field field_discard(u32 input, u32 lane) {
  return (Field){FIELD_DISCARD, 0, input, 0, lane, 0};
}
static inline Field field_join(u32 item, u32 opcode, u32 node, u32 input) {
  return (Field){FIELD_NODE_JOIN, opcode, node, input, item, 0};
}
static inline Field field_node(FieldKind kind, u32 item, u32 opcode, u32 node) {
  return (Field){kind, opcode, node, 0, item, 0};
}

/* The position of a field: `width` bits, at most 64, from bit `at` of the image or of a slice.
 * Width 0: it does not exist here, and reads as 0. */
typedef struct {
  u64 at;
  u32 width;
} FieldPlace;

/* The fields of one kind in an item: `count` of them, one per `a` (a join's: per `b`), `stride`
 * bits apart. Runs whose fields alternate (mux0.sel, mux0.discard, mux1.sel, ...) are one group. */
typedef struct {
  const char *name; /* in its item or node; %u is the index, below `count` */
  u8 kind;          /* FieldKind */
  u8 group, width;
  u32 count;
  u64 at, stride; /* bits; `at` from the start of the item, or of the node */
  u64 limit;      /* values are below it (2: a flag); 0: any that fits `width` */
} FieldRun;

typedef struct {
  u32 component;
  u32 first_word, nwords;
  u64 bits;
  u32 nitems;           /* slots, entries, regions, instructions; 1 for other components */
  u64 item_bits;        /* from one item to the next, including pairs and a payload in the item */
  u32 first_run, nruns; /* Layout.runs: of an item, without pairs and payload */
} LayoutSlice;

typedef struct {
  const Adg *adg;
  LayoutSlice *slices;
  u32 nslices, nwords;
  Arena *arena;
  Vec(FieldRun) runs;
  u32 *slice_of; /* by component: its slice, ADG_NONE where it has none */
  /* Precomputed sums, in bits: */
  u64 *row_at;     /* by Adg.rows: from the first pair of a slot to the first of this output */
  u64 *pair_bits;  /* by Adg.switches: all pairs of a slot */
  u64 *payload_at; /* by Adg.fus: from the start of the slice, or of the item that holds it */
  u64 *node_at;    /* by Adg.nodes: from the start of the payload */
} Layout;

/* The slices of an ADG, which must outlive it. NULL after COMP_FABRIC_TOO_LARGE. The caller frees.
 */
Layout *layout_new(Context *ctx, const Adg *adg);
void layout_free(Layout *layout); /* NULL is allowed */

/* The slice of a component, or NULL. */
static inline const LayoutSlice *layout_slice(const Layout *layout, u32 component) {
  u32 slice = layout->slice_of[component];
  return slice == ADG_NONE ? NULL : &layout->slices[slice];
}
/* True where the indices of a field are in range for the component, which must have a slice. The
 * field may still have 0 bits: a pair that is not connected, a discard of a temporal switch. */
bool layout_has(const Layout *layout, u32 component, Field field);
/* The position of a component's field in the image. Width 0 where the component has no slice or the
 * field has no bits. A field for which layout_has is false is the caller's bug, and is not always
 * detected. */
FieldPlace layout_find(const Layout *layout, u32 component, Field field);
/* The run that a field belongs to. Pairs and discards belong to none: name is NULL. */
FieldRun layout_run(const Layout *layout, u32 component, Field field);
/* Appends the field's name in its slice: "slot3.out1.in0", "inst0.mux1.sel", "add.0.literal". A
 * unit that shares its name with an earlier unit of the PE, or whose name begins with "opcode", is
 * named by its opcode: "opcode2.0.literal". Names are unique in a slice. */
void layout_name(const Layout *layout, u32 component, Field field, Buf *out);

/* Iterates over the pairs of a slot, output by output and lane by lane:
 *     for (Field f = field_before_pairs(slot); layout_next_pair(adg, sw, &f);) */
static inline Field field_before_pairs(u32 slot) {
  return (Field){FIELD_PAIR, slot, 0, 0, 0, UINT32_MAX};
}
bool layout_next_pair(const Adg *adg, const AdgSwitch *sw, Field *pair);
/* Bits of the payload of a unit (Adg.fus). */
u64 layout_payload_bits(const Layout *layout, u32 fu);
/* Bits of one slot, entry, region or instruction of a component that has a slice, without a payload
 * in it; for a spatial switch, the bits of its pairs. */
u64 layout_item_bits(const Layout *layout, u32 component);
/* Field.a_lane of the payload that this instruction uses. */
static inline u32 layout_payload_item(const AdgPe *pe, u32 instruction) {
  return pe->unit_config ? instruction : 0;
}

/* Calls `visit` for each field of a slice that has bits, in ascending order; `offset` is from the
 * start of the slice. A payload in an item is a union: the fields of all units are visited, though
 * they overlap, and the opcode selects the unit whose fields are valid. */
typedef void (*LayoutVisit)(void *context, Field field, u64 offset, u32 width);
void layout_visit(const Layout *layout, u32 slice, LayoutVisit visit, void *context);
/* The same for the payload of one unit of a PE. */
void layout_visit_unit(const Layout *layout, const AdgPe *pe, u32 item, u32 opcode,
                       LayoutVisit visit, void *context);

static inline bool layout_is_payload(FieldKind kind) {
  return kind >= FIELD_NODE_SEL && kind <= FIELD_NODE_CONT_COND;
}

/* Configuration bits of each component, by id; works for fabrics too large for layout_new, too. The
 * caller frees. */
u64 *layout_all_bits(const Adg *adg);

#endif

/* layout.h -- where each bit of a configuration lies: the one place that knows.
 *
 * A configuration image is a list of 32-bit words, and the words are divided into slices, one for
 * each component that has anything to configure. A slice starts on a word; inside it fields follow
 * one another from bit 0 up, without gaps, across words where need be; what is left of its last
 * word is zero. First come the slices of switches, tag components, FIFOs that can be bypassed and
 * memories, in the order of the ADG's components, then those of the PEs, in the order of Adg.pes.
 * A choice among n takes 0 bits for n <= 1, else ceil(log2 n); a field of 0 bits is not there.
 *
 *     spatial_sw    a bit for each connected pair, output by output; then `discard`, a bit an
 * input. Decomposable: a lane counts as a port, in both temporal_sw   a slot: valid, tag, a bit for
 * each connected pair add_tag       tag map_tag       an entry: valid, src_tag, dst_tag fifo
 * bypassed memory,       a region, each a word: valid, start, end, addr_offset, elem_size_log2
 *     extmemory
 *     spatial_pe    enable, opcode, muxN of each unit input, demuxN of each unit output, and the
 *                   payload of the unit that the opcode chose: as wide as the widest unit's
 *     temporal_pe   an instruction: valid, tag, opcode, operandN [reg_idx, is_reg], muxN, demuxN,
 *                   resultN [res_tag, reg_idx, is_reg]; then the payloads of all units
 *
 * A mux or demux is [sel, discard, disconnect]. Where there are no registers there is nothing to
 * choose, so neither reg_idx nor is_reg. A payload has, in the order of the body, of fabric.mux
 * [sel, discard, disconnect], of a constant its literal, of a join a bit an input, of cmpi and cmpf
 * the predicate in 4 bits, of a stream its cont_cond, one-hot in 5 bits (< <= > >= !=).
 */
#ifndef LOOM_LAYOUT_H
#define LOOM_LAYOUT_H

#include "fabric/adg.h"

/* How many words an image may have (COMP_FABRIC_TOO_LARGE): 4 MiB. */
#define LAYOUT_MAX_WORDS ((u64)1 << 20)

/* What a field is to the rules of a table: a slot, entry, region or instruction is an item. */
typedef enum {
  ROLE_OTHER,
  ROLE_VALID,   /* of an item, or `enable` of a spatial PE */
  ROLE_OPCODE,  /* 0 where the field is not there */
  ROLE_KEY,     /* the tag that an item is found by: one valid item has it at most */
  ROLE_START,   /* of a region: its first tag ... */
  ROLE_END,     /* ... and the first behind it */
  ROLE_PAYLOAD, /* of a unit */
  ROLE_ONE_HOT  /* likewise, and exactly one bit of it is set */
} FieldRole;

typedef struct {
  const char *name; /* within the slice; only good during the visit */
  u32 width;        /* 1..64 bits */
  u64 offset;       /* of bit 0, from the start of the slice */
  u64 limit;        /* the value is below it; 0: any that fits */
  FieldRole role;
  u32 item; /* which slot, entry, region or instruction; else 0 */
  u32 unit; /* ROLE_PAYLOAD, ROLE_ONE_HOT: of which opcode; else ADG_NONE */
} LayoutField;

typedef void (*LayoutVisit)(void *context, const LayoutField *field);

typedef struct {
  u32 component;
  u32 first_word, nwords;
  u64 bits;
} LayoutSlice;

typedef struct {
  const Adg *adg;
  LayoutSlice *slices;
  u32 nslices, nwords;
} Layout;

/* The slices of an ADG, which must outlive it. NULL after COMP_FABRIC_TOO_LARGE. The caller frees.
 */
Layout *layout_new(Context *ctx, const Adg *adg);
void layout_free(Layout *layout); /* NULL is allowed */

/* Calls `visit` for each field of a slice, from low to high. Of a spatial PE these are the fields
 * of every unit's payload, which lie over one another: the opcode says which of them count. */
void layout_visit(const Layout *layout, u32 slice, LayoutVisit visit, void *context);

/* How many bits a component has to configure. Quick also where that is more than any image has. */
u64 layout_bits(const Adg *adg, u32 component);

#endif

/* operands.h -- is there a place in the operand buffers of temporal PEs for every operand? (private
 * to map/)
 *
 *     pe_0_0   4 instructions, operand_buffer_size = 6    add(2) mul(2) select(3): 7 places, one
 *                                                         too many, though instructions are left
 *
 * The operands of a temporal PE may share one buffer (20-fabric.md), in which each operand in use
 * keeps a place. The placer counts every operand of an instruction as if it came from an input,
 * since which come from registers is not known before routing. So clusters go into PEs as items of
 * several sizes into bins: no maximum flow (supply.h) but bin packing, which is NP-hard. Two bounds
 * are checked: all operands need as many places as there are; and of the clusters with t operands
 * or more, a PE with B places takes B / t. Clusters that can also be in a PE without such a buffer
 * are left out. Packing by first fit decreasing shows how much more would do. */
#ifndef LOOM_MAP_OPERANDS_H
#define LOOM_MAP_OPERANDS_H

#include "map/supply.h"

/* Operands of the clusters that can only be in PEs with such a buffer, and places there. */
typedef struct {
  u64 wanted, places; /* 0 places: there is no such PE */
} OperandSum;

OperandSum operands_sum(const Adg *adg, const MapCover *cover, const MapSupply *supply);
/* False after MAP_PES where the operands cannot all have a place. Cost: clusters times slots. */
bool operands_count(Context *ctx, const Dfg *dfg, const MapCover *cover, const MapSupply *supply);
/* Marks the nodes that operands_count blames. */
void operands_mark(const MapCover *cover, const MapSupply *supply, bool *is_missing);
/* Hints at the smallest buffer, and at the number of PEs, with which the operands have places.
 * False where it has no hint: they have places by first fit, or no PE has such a buffer. */
bool operands_hint(Context *ctx, const MapCover *cover, const MapSupply *supply);

#endif

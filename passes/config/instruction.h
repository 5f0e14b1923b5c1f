/* instruction.h -- converts an instruction of a PE between its parsed text and the fields of an
 * image (private to config/). */
#ifndef LOOM_CONFIG_INSTRUCTION_H
#define LOOM_CONFIG_INSTRUCTION_H

#include "config/image.h"
#include "ir/fabric_text.h"

/* Sets the fields of instruction `item` of a PE, and marks it valid. Uses in->opcode, not
 * in->unit. */
void instruction_set(Image *image, u32 component, u32 item, const FabricInstruction *in);
/* Reads these fields: FABRIC_SLOT_INVALID, or FABRIC_SLOT_TEXT with the opcode and without a unit
 * name. The PE's units must have at most FABRIC_MAX_SLOTS arguments and results. */
void instruction_get(const Image *image, u32 component, u32 item, FabricInstruction *in);

#endif

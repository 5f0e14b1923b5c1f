/* instruction.h -- an instruction of a PE as the fields of an image, and back (private to
 * config/). */
#ifndef LOOM_CONFIG_INSTRUCTION_H
#define LOOM_CONFIG_INSTRUCTION_H

#include "config/image.h"
#include "ir/fabric_text.h"

/* Sets the fields of instruction `item` of a PE; the unit is said by its opcode. */
void instruction_set(Image *image, u32 component, u32 item, const FabricInstruction *in);
/* What they are: invalid, or a text whose unit is said by its opcode. Units have at most
 * FABRIC_MAX_SLOTS arguments and results. */
void instruction_get(const Image *image, u32 component, u32 item, FabricInstruction *in);

#endif

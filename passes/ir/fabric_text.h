/* fabric_text.h -- the syntax of route tables and instructions.
 *
 * Runtime configuration that is more than a number is written as strings, one per slot:
 *
 *     spatial_sw   route_table = ["in 0 -> out 1, in 2 -> out 0"]
 *     temporal_sw  route_table = ["tag 3: in 0 -> out 1", "invalid"]
 *     spatial_pe   instruction = "mac_0(in 0, in 2, in 1) -> (out 0)"
 *     temporal_pe  instruction_mem = ["tag 1: mac_0(in 0, reg 1, in 2) -> (out 0 tag 3)", "invalid"]
 *
 * A spatial switch may also have one row per output, like its connectivity_table, in which a 1
 * marks the input that the output is connected to:
 *
 *     spatial_sw   route_table = ["001", "100"]           input 2 to output 0, input 0 to output 1
 *
 * A decomposable switch may have one row per lane of an output, with one character per lane of an
 * input.
 *
 * Every slot may also be the bits of its configuration as one hexadecimal number, "0x2f".
 *
 *   routes       in I -> out O, ...            an input may go to several outputs
 *                in I[L] -> out O[M]           sub-lanes of a decomposable switch
 *   instruction  UNIT(source, ...) -> (result, ...)
 *     UNIT       the name of a function unit in the PE, or `opcode N`
 *     source     in I          from PE input I
 *                reg R         from register R (temporal)
 *                none          not connected: the unit does not use the operand
 *     result     out O         to PE output O
 *                out O tag T   to PE output O with tag T (temporal)
 *                reg R         to register R (temporal); also together with an output
 *                discard       discarded; also together with a register
 *                none          not connected
 *     discard    after a source `in I`: tokens from the other ports are discarded
 *   invalid      the slot is not used
 */
#ifndef LOOM_IR_FABRIC_TEXT_H
#define LOOM_IR_FABRIC_TEXT_H

#include "ir/fabric.h"

enum { FABRIC_MAX_SLOTS = 128, FABRIC_NO_LANE = UINT16_MAX };
enum { FABRIC_MAX_NUMBER = 999999 }; /* the largest number in such a text */

typedef enum {
  FABRIC_SLOT_INVALID,
  FABRIC_SLOT_HEX,
  FABRIC_SLOT_TEXT,
  FABRIC_SLOT_ROW /* routes of one output, one character per input */
} FabricSlotKind;

typedef struct {
  u16 in, out;
  u16 in_lane, out_lane; /* FABRIC_NO_LANE: the whole port */
} FabricRoute;

typedef struct {
  FabricSlotKind kind;
  bool has_tag;
  u32 tag;
  FabricRoute *routes; /* in the arena */
  u32 nroutes;
  u32 row_length; /* FABRIC_SLOT_ROW: its characters */
} FabricRoutes;

typedef struct {
  bool has_port, has_reg, has_tag, discard; /* none of them: `none` */
  u32 port, reg, tag;
} FabricEnd;

typedef struct {
  FabricSlotKind kind;
  bool has_tag;
  u32 tag;
  const char *unit; /* not terminated; NULL: by opcode */
  u32 unit_len;
  u32 opcode;
  u32 nsources, nresults;
  FabricEnd sources[FABRIC_MAX_SLOTS], results[FABRIC_MAX_SLOTS];
} FabricInstruction;

/* The fabric_parse_ functions return NULL, or an error message for a diagnostic. They check only
 * the syntax: whether such ports and units exist is checked by the caller. `slot` is the index of
 * the text in its table: the output, for a row. */
const char *fabric_parse_routes(Arena *arena, const char *text, u32 slot, FabricRoutes *routes);
/* Converts a row of a decomposable switch, whose routes are between lanes numbered across all
 * ports, to routes between lanes of ports. */
void fabric_row_of_lane(FabricRoutes *row, const FabricLanes *lanes);
const char *fabric_parse_instruction(const char *text, FabricInstruction *instruction);
/* Prints an instruction (FABRIC_SLOT_TEXT or _INVALID) as fabric_parse_instruction reads it. */
void fabric_print_instruction(const FabricInstruction *instruction, Buf *out);
/* Whether an instruction can name a unit so: a word that is no keyword. */
bool fabric_is_unit_name(const char *name);
/* Parses an input of a switch, as in a route: "in 2", "in 2[1]". */
const char *fabric_parse_input(const char *text, u16 *port, u16 *lane);

#endif

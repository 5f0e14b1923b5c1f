/* fabric_text.h -- what the generators of fabrics write alike: types of wires, units and their bodies.
 *
 *     random_fabric.c    parts of all kinds, wired to nothing: what can be configured
 *     random_machine.c   configured machines: what runs
 *     random_pair.c      fabrics and graphs for them: what can be mapped
 */
#ifndef TESTS_FABRIC_TEXT_H
#define TESTS_FABRIC_TEXT_H

#include "base/base.h"
#include "lib.h"

/* A dataflow machine has no latency, and registers at its results; a carry with a branch has none of either, and is
 * in spatial PEs alone. */
typedef enum { OF_LATENCY, OWN_REGISTERS, OWN_WIRES } UnitTiming;

/* What a unit computes: its operands and results, a letter a type (i i32, f f32, l i64, h i16, x index, b i1,
 * n none), and its body, of $0 ... and results %r, %s. */
typedef struct {
  const char *name, *operands, *results, *body;
  UnitTiming timing;
} UnitText;

enum { MACHINE_UNITS = 38, NAME_ROOM = 32 };
#define NO_VALUE UINT32_MAX /* of a wire: tokens alone */

extern const UnitText unit_texts[];

const UnitText *unit_named(const char *name);

/* A Fabric type as text. */
typedef struct {
  char text[64];
} TypeText;

TypeText wire_type(u32 bits, u32 tag_bits); /* tag_bits 0: no tag */

/* The body, its operands called so. */
void put_body(const UnitText *unit, const char (*operands)[NAME_ROOM], Buf *out);
/* Can its i32 be another type, of which a letter is given (y: i8)? */
bool can_be_of(const UnitText *unit, char type);
/* The definition, its i32 of another type (0: i32); latency and interval where it is no stream, and whether it has
 * early_out. */
void put_function_unit(const UnitText *unit, char type, const char *name, int latency, int interval,
                       bool early_out, Buf *out);

#endif

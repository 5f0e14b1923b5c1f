/* rtl_units.h -- what the tests of the hardware operations share: a unit, as it stands in the
 * model.
 *
 *     rtl_units.c      writes a module with many units in it, and the table of them (units.inc)
 *     rtl_reference.c  what each must give: the host's own arithmetic; knows nothing of LOOM
 *     rtl_check.c      operands, the comparison, files of vectors
 *     rtl_model.cpp    the module, as Verilator has it
 */
#ifndef RTL_UNITS_H
#define RTL_UNITS_H

#include <stdint.h>

enum { RTL_MAX_RESULTS = 3 }; /* two, and a trap */

typedef struct {
  char kind; /* 'i' integer, 'f' IEEE float, 'b' bf16 */
  unsigned bits;
} RtlType;

typedef struct {
  const char *op;
  RtlType a, b, c, y; /* operands that there are not: 0 bits */
  unsigned results;   /* words that it drives in the model: results, then the trap where it may */
} RtlUnit;

/* Computes what a unit gives: `out` its results, then the trap. Operands are cut to their widths.
 * With a trap (out[unit->results - 1] != 0) the results mean nothing. */
typedef void RtlReference(const RtlUnit *unit, const uint64_t in[3], unsigned predicate,
                          uint64_t out[RTL_MAX_RESULTS]);
/* NULL where there is none: then the test must fail. */
RtlReference *rtl_reference(const char *op);

#endif

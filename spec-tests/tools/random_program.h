/* random_program.h -- well-defined random programs: nested SCF text and a case to run it on.
 *
 * The interface of the generator that fuzz_diff.c, reduce.c and mlir_check.sh share. One seed gives
 * one program, byte for byte, on every machine.
 */
#ifndef LOOM_RANDOM_PROGRAM_H
#define LOOM_RANDOM_PROGRAM_H

#include "base/base.h"

typedef struct {
  u64 seed;
  unsigned size; /* 1 (a handful of ops) to 10; 0 lets the seed choose 1..5 */
  bool portable; /* only what MLIR's own lowering defines to the last bit (see mlir_check.sh) */
  bool edges;    /* most loops at the edges of their types (random_loops.c) */
  bool gotos;    /* blocks that lead anywhere, instead (random_gotos.c) */
  bool sixteen;  /* only what mlir-opt 16 reads too (no maximumf, no expand_shape, ...) */
} RandomOptions;

typedef struct {
  Buf text; /* the module; the function to run is @main */
  Buf json; /* the case: {"function": "main", "args": [...]} */
  Buf mlir; /* a func @entry for mlir-runner: calls @main on the case, prints all that it made */
} RandomProgram;

/* Fills `program`, which the caller starts as {0} and frees with random_program_free. */
void random_program(RandomProgram *program, const RandomOptions *options);
void random_program_free(RandomProgram *program);

#endif

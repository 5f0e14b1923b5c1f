/* loom_kernel.h -- the interface of a kernel that was generated as C.
 *
 * `loom emit csim` turns a dataflow graph into one C file. Compiled, it exports `loom_kernel`: what
 * the function is called, what it needs, and `run`. The same file is compiled in memory for
 * `--engine jit`, by the system's compiler for `--engine cc`, and by you; with -DLOOM_MAIN it is a
 * program that reads a case. These lines are copied into each such file, so it stands alone.
 *
 * Who calls `run` owns everything: it provides memories of the right size (run checks them before
 * it touches one), room for results, and the functions that run calls. `run` allocates by `grow`
 * alone (histories, memories of no fixed size), keeps nothing between calls, and may be called from
 * several threads with different structs.
 */
#ifndef LOOM_KERNEL_H
#define LOOM_KERNEL_H

#include <stdint.h>

#define LOOM_KERNEL_ABI  4
#define LOOM_KERNEL_NONE 0xffffffffu

enum loom_kernel_status {
  LOOM_KERNEL_FINISHED = 0,
  LOOM_KERNEL_REFUSED = 3 /* a memory is missing or has the wrong size, or `grow` gave nothing */
};

/* Codes of `trap`, of machines too (loom_simulator.h). BOUNDS: a is the address, b the elements of
 * the memory. SELECT, of a machine's mux: a is the select, b the inputs it has. */
enum loom_kernel_trap {
  LOOM_TRAP_DIVIDE = 1,
  LOOM_TRAP_OVERFLOW = 2,
  LOOM_TRAP_BOUNDS = 3,
  LOOM_TRAP_STEP = 4,
  LOOM_TRAP_SELECT = 5
};

typedef struct loom_kernel_memory {
  void *data;        /* elements in C types: uint8_t ... uint64_t, float, double, uint16_t of f16 */
  uint64_t elements; /* and so many */
} loom_kernel_memory;

typedef struct loom_kernel_run {
  uint32_t abi;                 /* LOOM_KERNEL_ABI */
  void *user;                   /* yours */
  const uint64_t *args;         /* by argument: the bits of a scalar or extent */
  loom_kernel_memory *memories; /* by memory of the graph; run writes into the data */
  uint64_t *results;            /* by output: the bits of its token */
  uint64_t *result_counts;      /* by output: 1 where it came */
  /* A trap at a node of the graph. Must not return (longjmp, exit). */
  void (*trap)(struct loom_kernel_run *, uint32_t code, uint32_t node, uint64_t a, uint64_t b);
  /* Kernels with histories: the next `n` tokens of a result, as an array of its C type (NULL for
   * none). Results that tick together are handed over together, in order of their ids. */
  void (*tokens)(struct loom_kernel_run *, uint32_t result, const void *data, uint32_t n);
  /* Kernels with fuel: called when `fuel` loop iterations are used up; gives how many more there
   * may be before it is called again (at least 1), or does not return. */
  uint64_t fuel;
  uint64_t (*refuel)(struct loom_kernel_run *);
  /* Histories and own memories of no fixed size: like realloc, freed by who called run; NULL: no
   * memory. */
  void *(*grow)(struct loom_kernel_run *, void *old, uint64_t bytes);
  uint32_t skip_same; /* 1: `tokens` is not called for results that `same` maps to another */
} loom_kernel_run;

typedef struct loom_kernel_info {
  uint32_t abi;
  const char *name; /* of the function */
  uint32_t args, outputs, memories, results;
  uint32_t has_histories; /* 1: of every result; 2: only of what memories take and give */
  uint32_t has_fuel;
  int (*run)(loom_kernel_run *);
  /* With histories, by result: one that always has the same tokens, of the same type, in the same
   * order, or itself. NULL: not known. */
  const uint32_t *same;
} loom_kernel_info;

#endif

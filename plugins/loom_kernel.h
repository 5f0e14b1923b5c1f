/* loom_kernel.h -- the face of a kernel that was generated as C.
 *
 * `loom emit csim` turns a dataflow graph into one C file. Compiled, it exports `loom_kernel`: what
 * the function is called, what it needs, and `run`. The same file is compiled in memory for
 * `--engine jit`, by the system's compiler for `--engine cc`, and by you; with -DLOOM_MAIN it is a
 * program that reads a case. These lines are copied into each such file, so it stands alone.
 *
 * Who calls `run` owns everything: it provides memories of the right size (run checks them before
 * it touches one), room for results, and three functions. `run` allocates nothing unless the graph
 * needs queues (then by `grow`), keeps nothing between calls, and may be called from several
 * threads with different structs.
 */
#ifndef LOOM_KERNEL_H
#define LOOM_KERNEL_H

#include <stdint.h>

#define LOOM_KERNEL_ABI 1

enum loom_kernel_status {
  LOOM_KERNEL_FINISHED = 0,
  LOOM_KERNEL_LEFTOVER = 1, /* queues only: tokens are left, or a machine stopped halfway */
  LOOM_KERNEL_DEADLOCK = 2, /* queues only */
  LOOM_KERNEL_REFUSED = 3   /* a memory is missing or has the wrong size, or no room for queues */
};

enum loom_kernel_trap {                         /* codes of `trap`; a and b: */
                        LOOM_TRAP_DIVIDE = 1,   /* nothing */
                        LOOM_TRAP_OVERFLOW = 2, /* nothing */
                        LOOM_TRAP_BOUNDS = 3,   /* the address, and the elements of the memory */
                        LOOM_TRAP_STEP = 4,     /* nothing */
                        LOOM_TRAP_SELECT = 5    /* the selector of a mux, and its inputs */
};

typedef struct loom_kernel_memory {
  void *data;        /* elements in C types: uint8_t ... uint64_t, float, double, uint16_t of f16 */
  uint64_t elements; /* and so many */
} loom_kernel_memory;

typedef struct loom_kernel_run {
  uint32_t abi; /* LOOM_KERNEL_ABI */
  void *user;   /* yours */
  /* By argument: the bits of a scalar or extent. With queues an argument may be a stream of
   * `arg_counts[i]` tokens at `arg_tokens[i]`; NULL tables: one token each. */
  const uint64_t *args;
  const uint64_t *const *arg_tokens;
  const uint64_t *arg_counts;
  loom_kernel_memory *memories; /* by memory of the graph; run writes into the data */
  uint64_t *results;            /* by output: the bits of its last token (but a tuple's) */
  uint64_t *result_counts;      /* by output: how many tokens came */
  /* A trap at a node of the graph. Must not return (longjmp, exit). */
  void (*trap)(struct loom_kernel_run *, uint32_t code, uint32_t node, uint64_t a, uint64_t b);
  /* Kernels with histories: the next `n` tokens of a result, as an array of its C type (NULL for
   * none; of a tuple, its scalars one after the other, each as a uint64_t). Results that tick
   * together are handed over together, in order of their ids. */
  void (*tokens)(struct loom_kernel_run *, uint32_t result, const void *data, uint32_t n);
  /* Kernels with fuel: called when `fuel` loop iterations or firings are used up; gives how many
   * more there may be before it is called again (at least 1), or does not return. */
  uint64_t fuel;
  uint64_t (*refuel)(struct loom_kernel_run *);
  /* Queues and own memories of no fixed size: like realloc, freed by who called run; NULL: no
   * memory. */
  void *(*grow)(struct loom_kernel_run *, void *old, uint64_t bytes);
} loom_kernel_run;

typedef struct loom_kernel_info {
  uint32_t abi;
  const char *name; /* of the function */
  uint32_t args, outputs, memories, results;
  uint32_t has_queues, has_histories, has_fuel;
  int (*run)(loom_kernel_run *);
} loom_kernel_info;

#endif

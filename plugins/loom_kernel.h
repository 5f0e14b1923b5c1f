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

#define LOOM_KERNEL_ABI  3
#define LOOM_KERNEL_NONE 0xffffffffu

enum loom_kernel_status {
  LOOM_KERNEL_FINISHED = 0,
  LOOM_KERNEL_LEFTOVER = 1, /* queues only: tokens are left, or a machine stopped halfway */
  LOOM_KERNEL_DEADLOCK = 2, /* queues only */
  LOOM_KERNEL_REFUSED = 3,  /* a memory is missing or has the wrong size, or `grow` gave nothing */
  LOOM_KERNEL_FULL = 4, /* queues only: more than `max_queued` tokens would wait; `at` says where */
  LOOM_KERNEL_ENDLESS = 5 /* queues only: node `at` has nothing but sources before it */
};

/* Codes of `trap`. BOUNDS: a is the address (UINT64_MAX: one of several indices is outside), b the
 * elements of the memory. SELECT, of a mux: a is the select, b the inputs it has. */
enum loom_kernel_trap {
  LOOM_TRAP_DIVIDE = 1,
  LOOM_TRAP_OVERFLOW = 2,
  LOOM_TRAP_BOUNDS = 3,
  LOOM_TRAP_STEP = 4,
  LOOM_TRAP_SELECT = 5
};

/* What `left` reports: output `id` came n times, and once was owed; n tokens wait on edge `id`; the
 * state machine of node `id` stopped within a burst. */
enum loom_kernel_left { LOOM_LEFT_OWED = 1, LOOM_LEFT_TOKENS = 2, LOOM_LEFT_HALFWAY = 3 };

typedef struct loom_kernel_memory {
  void *data;        /* elements in C types: uint8_t ... uint64_t, float, double, uint16_t of f16 */
  uint64_t elements; /* and so many */
} loom_kernel_memory;

typedef struct loom_kernel_run {
  uint32_t abi; /* LOOM_KERNEL_ABI */
  void *user;   /* yours */
  /* By argument: the bits of a scalar or extent; a tagged value of more than 64 bits is two words
   * (the elements of its type), and its high one stands `args` of loom_kernel_info behind. With queues an argument may be a stream of
   * `arg_counts[i]` tokens at `arg_tokens[i]`; NULL tables or entries: one token. Outputs are owed
   * one token each unless there is a stream, be it of one token. */
  const uint64_t *args;
  const uint64_t *const *arg_tokens;
  const uint64_t *arg_counts;
  loom_kernel_memory *memories; /* by memory of the graph; run writes into the data */
  uint64_t *results;            /* by output: the bits of its last token (not of tuples) */
  uint64_t *result_counts;      /* by output: how many tokens came */
  /* A trap at a node of the graph. Must not return (longjmp, exit). */
  void (*trap)(struct loom_kernel_run *, uint32_t code, uint32_t node, uint64_t a, uint64_t b);
  /* Kernels with histories: the next `n` tokens of a result, as an array of its C type (NULL for
   * none; for tuples the words that `output` gets). Results that tick together are handed over
   * together, in order of their ids; with queues each comes by itself. */
  void (*tokens)(struct loom_kernel_run *, uint32_t result, const void *data, uint32_t n);
  /* Kernels with fuel: called when `fuel` loop iterations or firings are used up; gives how many
   * more there may be before it is called again (at least 1), or does not return. */
  uint64_t fuel;
  uint64_t (*refuel)(struct loom_kernel_run *);
  /* Queues and own memories of no fixed size: like realloc, freed by who called run; NULL: no
   * memory. */
  void *(*grow)(struct loom_kernel_run *, void *old, uint64_t bytes);
  /* Queues only. The next `n` tokens of an output, one uint64_t a scalar; a control token has none,
   * but in a tuple a zero. NULL: not wanted. */
  void (*output)(struct loom_kernel_run *, uint32_t output, const uint64_t *words, uint32_t n);
  /* Queues only: called before run returns LEFTOVER or DEADLOCK, for each thing that is wrong
   * (enum loom_kernel_left); NULL: not wanted. */
  void (*left)(struct loom_kernel_run *, uint32_t what, uint32_t id, uint64_t n);
  uint64_t max_queued; /* tokens that may wait in all queues together; 0: 2^26 */
  uint32_t at;         /* set by FULL, a result, and ENDLESS, a node */
  uint64_t waiting;    /* set by FULL: tokens waiting on that result */
  uint32_t skip_same;  /* 1: `tokens` is not called for results that `same` maps to another */
} loom_kernel_run;

typedef struct loom_kernel_info {
  uint32_t abi;
  const char *name; /* of the function */
  uint32_t args, outputs, memories, results;
  uint32_t has_queues, has_histories, has_fuel; /* has_histories 2: only of what memories take and
                                                   give; 1: of every result */
  int (*run)(loom_kernel_run *);
  /* With histories, by result: one that always has the same tokens, of the same type, in the same
   * order, or itself. NULL: not known. */
  const uint32_t *same;
} loom_kernel_info;

#endif

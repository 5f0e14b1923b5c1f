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

#define LOOM_KERNEL_ABI  2
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

/* What `left` tells: output `id` came n times, and once was owed; n tokens wait on edge `id`; the
 * state machine of node `id` stopped within a burst. */
enum loom_kernel_left { LOOM_LEFT_OWED = 1, LOOM_LEFT_TOKENS = 2, LOOM_LEFT_HALFWAY = 3 };

/* ---- columns ----------------------------------------------------------------------------------
 * Kernels that were generated with --columns store what does not follow from other tokens, and
 * leave the rest to the caller. What they store lies in tables. A *table* has a row each time a
 * branch is taken, or an iteration of a loop: then its rows are parted into *bursts*, one each time
 * the loop is entered. `rows` hands over a table's next rows. A *column* has a token for each of
 * them, or, of a loop itself, one more for each burst that ended, behind its rows: that of the test
 * that ended it. Columns stand in an order in which those they are made from come first.
 *
 *     STORED        stand at `at` in the block that `rows` gives, one behind the other
 *     LOOSE         the same, floats; in place of every NaN the positive quiet one without payload
 *     LITERAL       all `value`; of no table
 *     DERIVED       what the pure operation of `result` gives for the columns `from`
 *     LOADED        the elements of memory `value` at the addresses in column from[0]
 *     COUNTED       each burst starts with the literal from[0] or, where that is NONE, its own
 * value at `at`, and then each token is `value` more than the one before it SPREAD        each
 * burst has one token, again and again: its value at `at` WHOLE         of a loop: column from[0],
 * and at the end of each burst its value at `at` or, where that is NONE, what COUNTED from[0] would
 * go on with SPREAD_WHOLE  of a loop: SPREAD MORE          of a loop: bytes 1, and 0 at the end of
 * each burst AGAIN         of a loop: the same without the first of each burst
 *
 * Whoever works with them may write past what is stored: there is room for as many tokens as `rows`
 * and `bursts` have together, and 64 more. */
enum loom_kernel_column_kind {
  LOOM_COLUMN_STORED,
  LOOM_COLUMN_LOOSE,
  LOOM_COLUMN_LITERAL,
  LOOM_COLUMN_DERIVED,
  LOOM_COLUMN_LOADED,
  LOOM_COLUMN_COUNTED,
  LOOM_COLUMN_SPREAD,
  LOOM_COLUMN_WHOLE,
  LOOM_COLUMN_SPREAD_WHOLE,
  LOOM_COLUMN_MORE,
  LOOM_COLUMN_AGAIN
};

typedef struct loom_kernel_column {
  uint32_t kind, bytes;    /* bytes of an element: 1, 2, 4, 8 */
  uint32_t table, of_loop; /* of_loop 1: one more for each burst that ended */
  uint32_t result;         /* whose values they are; NONE: nobody's */
  uint32_t from[3];        /* columns; NONE */
  uint32_t at;             /* bytes from the start of the block; NONE */
  uint64_t value;
} loom_kernel_column;

/* How many tokens of a result come with n rows of its table, of which k bursts end: n, n + k; those
 * of AGAIN, and of them the ones and the zeros. */
enum loom_kernel_when {
  LOOM_TOLD_NEVER,
  LOOM_TOLD_ROWS,
  LOOM_TOLD_ALL,
  LOOM_TOLD_AGAIN,
  LOOM_TOLD_ENTERED,
  LOOM_TOLD_LEFT
};

typedef struct loom_kernel_told {
  uint32_t when, table;
  uint32_t column; /* NONE: they have no data */
} loom_kernel_told;

typedef struct loom_kernel_columns {
  uint32_t column_count, table_count;
  uint32_t rows, bursts; /* most that are handed over at once */
  const loom_kernel_column *columns;
  const loom_kernel_told *told; /* by result */
  /* By table: where in the block a uint32_t for each burst says how many rows come before its end;
   * what rows there are after the last end belong to a burst that is not over. NONE: no bursts. */
  const uint32_t *ends;
} loom_kernel_columns;

typedef struct loom_kernel_memory {
  void *data;        /* elements in C types: uint8_t ... uint64_t, float, double, uint16_t of f16 */
  uint64_t elements; /* and so many */
} loom_kernel_memory;

typedef struct loom_kernel_run {
  uint32_t abi; /* LOOM_KERNEL_ABI */
  void *user;   /* yours */
  /* By argument: the bits of a scalar or extent. With queues an argument may be a stream of
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
  /* Kernels with histories but no columns: the next `n` tokens of a result, as an array of its C type (NULL for
   * none; for tuples the words that `output` tells of). Results that tick together are handed over
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
  /* Kernels with columns, in place of `tokens`: the next `rows` of a table, `ended` bursts of which
   * ended. `goes_on`: the first of them had rows before these; what it started with is the caller's
   * to keep. `block` is as before until this returns, but for what the caller changes. */
  void (*rows)(struct loom_kernel_run *, uint32_t table, void *block, uint32_t rows, uint32_t ended,
               uint32_t goes_on);
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
  const loom_kernel_columns *columns; /* NULL: it has none */
} loom_kernel_info;

#endif

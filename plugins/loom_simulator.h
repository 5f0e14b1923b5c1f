/* loom_simulator.h -- the interface of a machine that was generated as C.
 *
 * `loom emit csim` of a configured fabric gives one C file that is the machine, cycle by cycle.
 * Compiled, it exports `loom_simulator`. These lines are copied into each such file, so it stands
 * alone. Who calls `run` owns everything.
 */
#ifndef LOOM_SIMULATOR_H
#define LOOM_SIMULATOR_H

#include <stdint.h>

#define LOOM_SIMULATOR_ABI 2

/* A number by chance for request number `request`, from 0 on, of a request channel: how memories
 * outside answer where they do so by chance. With x the number and `most` of the run, the answer
 * comes (x & 0xffff) % (most + 1) cycles later than the memory's latency says, or one cycle behind
 * the answer before it where that is later; and the memory takes no other request in the (x >> 16 &
 * 0xffff) % (most + 1) cycles behind the one in which it took this. */
#ifdef __GNUC__
__attribute__((unused)) /* a program without such memories has a copy of this, too */
#endif
static inline uint64_t
loom_simulator_chance(uint64_t seed, uint64_t channel, uint64_t request) {
  uint64_t x = (seed * 65536 + channel + 1) * 0x9e3779b97f4a7c15u + request;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 29;
}

/* Why a unit that held or was offered a token did not fire. */
enum loom_stall { LOOM_STALL_STARVED, LOOM_STALL_BLOCKED, LOOM_STALL_BUSY, LOOM_STALLS };

typedef struct loom_simulator_store {
  uint64_t *data; /* elements, zero-extended */
  uint64_t elements;
} loom_simulator_store;

typedef struct loom_simulator_run {
  uint32_t abi; /* LOOM_SIMULATOR_ABI */
  void *user;   /* yours */
  /* By unit: the tokens of an input of the fabric. */
  const uint64_t *const *given;
  const uint64_t *given_counts;
  loom_simulator_store *stores;      /* by region; run writes into the data */
  uint64_t max_cycles;               /* at most so many; 0: no limit */
  uint32_t memory_seed, memory_most; /* most 0: memories answer after their latency, always */
  /* An output of the fabric took a token. */
  void (*taken)(struct loom_simulator_run *, uint32_t unit, uint64_t value);
  /* Simulators with transfers: every token that an input took. */
  void (*transfer)(struct loom_simulator_run *, uint64_t cycle, uint32_t input, uint64_t value);
  /* A trap in unit trap_unit; codes as in loom_kernel.h. Must not return (longjmp, exit). */
  void (*trap)(struct loom_simulator_run *, uint32_t code, uint64_t a, uint64_t b);
  /* Set by run. */
  uint64_t cycles;     /* until the last token was taken or the last unit fired */
  uint64_t *firings;   /* by unit, room for all; NULL: not wanted */
  uint64_t *transfers; /* by input, likewise */
  uint8_t *waiting;    /* by input, likewise: at the end a token is in its latch */
  uint32_t trap_unit;
} loom_simulator_run;

enum loom_simulator_status {
  LOOM_SIMULATOR_QUIET = 0,    /* nothing moves, and nothing is left anywhere */
  LOOM_SIMULATOR_LEFTOVER = 1, /* nothing moves, but there are tokens */
  LOOM_SIMULATOR_LIMIT = 2
};

typedef struct loom_simulator_info {
  uint32_t abi;
  uint32_t units, inputs, regions, has_transfers;
  int (*run)(loom_simulator_run *);
} loom_simulator_info;

#endif

/* loom_rtl.h -- the RTL of a system, compiled by Verilator, as a bus for the driver. */
#ifndef LOOM_RTL_H
#define LOOM_RTL_H

#include "loom_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the buses behave, above all the memory behind the AXI master. Zeros: it answers a read after
 * a few cycles, a word a cycle. */
typedef struct loom_rtl_memory {
  uint32_t
      latency; /* cycles from an address to the first word, and from a last word to its answer; 0: 8 */
  uint32_t stalls; /* of 256 cycles in how many, by chance, a channel waits; the CPU's, too */
  uint32_t seed;
  int is_silent; /* takes what comes and does not answer */
} loom_rtl_memory;

/* What was seen of it. */
typedef struct loom_rtl_seen {
  uint64_t cycles;        /* of the clock */
  uint64_t reads, writes; /* bursts */
  uint64_t words_read, words_written;
  uint64_t first_read;  /* cycle of the first address, since CONTROL was written; or 0 */
  uint64_t started;     /* cycle in which CONTROL was written last */
  uint64_t outstanding; /* bursts that have not been answered to the end */
  uint64_t broken;      /* rules of AXI that the system broke: 0 */
} loom_rtl_seen;

/* `bytes` of memory, shared with the hardware, which sees it at 0x40000000. There is one system in
 * a program. */
void loom_rtl_open(loom_bus *bus, size_t bytes, const loom_rtl_memory *memory);
void loom_rtl_behave(const loom_rtl_memory *memory);
/* Words at these addresses are answered with an error: 2 SLVERR, 3 DECERR. */
void loom_rtl_refuse(uint64_t from, uint64_t to, uint32_t response);
/* Clocks and reset, as a board has them. */
void loom_rtl_step(uint64_t cycles);
void loom_rtl_reset(void);
int loom_rtl_irq(void);
loom_rtl_seen *loom_rtl_look(void);
void loom_rtl_close(loom_bus *bus);

#ifdef __cplusplus
}
#endif
#endif

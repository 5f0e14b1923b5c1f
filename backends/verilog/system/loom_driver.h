/* loom_driver.h -- drives a LOOM system (loom_system.sv) from C99, with no operating system and no
 * allocation.
 *
 *     loom_device device;
 *     if (loom_open(&device, &bus)) ...                    what bus: see below
 *     if (loom_configure(&device, &fir_kernel)) ...        its image, unless it is there already
 *     loom_bind(&device, 0, x, 100); ...                   its memories: where, and how many elements
 *     loom_argument(&device, 0, n);
 *     if (loom_start(&device) || loom_wait(&device)) printf("%s\n", loom_why(&device));
 *     loom_result(&device, 0, &sum);
 *
 * Which number is which memory, argument and result stands in kernels/NAME.h. The call that LOOM
 * writes for each mapped kernel does all but the first: it is declared there as the C function is
 * that it stands for, and runs on the device of loom_use.
 *
 *     loom_use(&device);
 *     sum = fir(x, 100);
 *     if (loom_last(&device)) printf("%s\n", loom_why(&device));
 *
 * Every function returns LOOM_DONE, which is 0, or why not; loom_why says it in words. What is used
 * wrongly (a result before there is one, memory that the hardware cannot reach, an image of other
 * hardware) is found and said before anything happens. A device is for one thread; several devices
 * are several structs.
 *
 * Memory. Hardware and program share the memory of `bus`: `memory` for the program, `address` for
 * the hardware, `bytes` of both. What is bound must lie there, and belongs to the hardware from
 * loom_start to the end of loom_wait. Where caches are not coherent, `clean` writes back what the
 * program wrote, before a run, of all that is bound, and `invalidate` forgets what it read, behind
 * one, of what the kernel stores to. NULL: the memory is coherent. Between the program's writes of
 * memory and the start the driver has a fence.
 */
#ifndef LOOM_DRIVER_H
#define LOOM_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- how the registers are reached, and which memory is shared ----------------------------------- */

typedef struct loom_bus {
  void *user; /* handed to each of the functions */
  /* A word at a byte offset from the system's first register. 0, or something else: the bus
   * failed. */
  int (*read)(void *user, uint32_t at, uint32_t *word);
  int (*write)(void *user, uint32_t at, uint32_t word);
  /* Called between two looks at STATUS: may wait for the interrupt, if that is on, or for a while.
   * Something else than 0 ends the wait with LOOM_TIMEOUT. NULL: looks again at once. */
  int (*idle)(void *user, int interrupt_is_on);
  void (*clean)(void *user, const void *from, size_t bytes);
  void (*invalidate)(void *user, void *from, size_t bytes);
  void *memory;
  uint64_t address;
  size_t bytes;
} loom_bus;

/* Registers that are memory, as on bare metal or mapped from /dev/uioN: `registers` is where. */
typedef struct loom_mapped {
  volatile uint32_t *registers;
} loom_mapped;
int loom_mapped_read(void *mapped, uint32_t at, uint32_t *word);
int loom_mapped_write(void *mapped, uint32_t at, uint32_t word);

/* ---- what a kernel is, as LOOM writes it ------------------------------------------------------------- */

typedef struct loom_kernel_region {
  uint16_t region;
  uint8_t size_log2;       /* an element has 2^size_log2 bytes */
  uint8_t is_inside;       /* in a memory of the fabric: copied there before a run, and back */
  uint8_t is_stored;       /* the kernel stores there */
  uint8_t is_own;          /* the kernel's own: not bound by the caller */
  uint32_t offset;         /* inside: its first byte in that memory */
  uint64_t elements;       /* inside: how many there is room for */
  const uint64_t *initial; /* own: NULL zeros; else `initial_count`, 1 for all or one each */
  uint64_t initial_count;
} loom_kernel_region;

typedef struct loom_kernel {
  const char *name;
  uint64_t hardware; /* the hash of the hardware that it is of */
  const uint32_t *words;
  uint32_t word_count, checksum;
  uint32_t shape; /* register SHAPE of that hardware */
  const uint8_t
      *inputs; /* of the fabric: those of the arguments, and behind them those that only start it */
  uint32_t argument_count, input_count;
  const uint8_t *
      outputs; /* of the fabric: those of the results, and behind them those that only say it is over */
  uint32_t result_count, output_count;
  const loom_kernel_region *regions; /* by memory */
  uint32_t region_count;
} loom_kernel;

/* ---- the device --------------------------------------------------------------------------------------- */

typedef enum loom_status {
  LOOM_DONE = 0,
  LOOM_BUS_FAILED,     /* a register could not be read or written */
  LOOM_NO_SYSTEM,      /* there is no LOOM system, or one that this driver does not know */
  LOOM_OTHER_HARDWARE, /* the kernel is of another fabric */
  LOOM_BAD_IMAGE,      /* the hardware did not take the image */
  LOOM_NOT_OPEN,       /* loom_open first */
  LOOM_NOT_CONFIGURED, /* loom_configure first */
  LOOM_BUSY,           /* a run is under way: loom_wait or loom_abort first */
  LOOM_NOT_STARTED,    /* there is no run to wait for, or no result yet */
  LOOM_NO_SUCH,        /* the kernel has no argument, memory or result of that number */
  LOOM_NOT_BOUND,      /* a memory was not bound */
  LOOM_NOT_GIVEN,      /* an argument was not given */
  LOOM_OUT_OF_REACH,   /* not in the memory that the hardware shares */
  LOOM_NOT_ALIGNED,    /* not at a multiple of an element's bytes */
  LOOM_NO_ROOM,        /* more elements than there is room for in the fabric */
  LOOM_TIMEOUT,        /* the wait was ended; the run goes on */
  LOOM_RUN_FAILED      /* the run ended with an error: loom_error has its number */
} loom_status;

enum { LOOM_MAX_REGIONS = 256, LOOM_MAX_STREAMS = 64 }; /* of any system */

typedef struct loom_bound {
  void *data;
  uint64_t elements;
} loom_bound;

typedef struct loom_device { /* nothing in it is for the program, but `looks` */
  const loom_bus *bus;
  const loom_kernel *kernel; /* whose image is in the hardware */
  uint64_t hardware;
  uint64_t looks; /* at STATUS that loom_wait may take; 0: for ever */
  loom_status last;
  uint32_t error, response; /* STATUS.ERROR and STATUS.RESPONSE of the last run */
  uint32_t missing;
  int interrupt_is_on, is_running, is_over, is_stuck;
  uint64_t given; /* bit i: argument i */
  uint64_t arguments[LOOM_MAX_STREAMS];
  loom_bound bound[LOOM_MAX_REGIONS];
} loom_device;

/* The system behind a bus, which must stay. Ends whatever it was doing. */
loom_status loom_open(loom_device *device, const loom_bus *bus);
/* Loads the kernel's image, which must stay, unless it is the one that is there; and forgets what
 * is bound and given. Switching costs word_count words over the bus. */
loom_status loom_configure(loom_device *device, const loom_kernel *kernel);
/* Memory `memory` of the kernel is these elements. Stays bound for further runs. LOOM_ALL: as many
 * as there are from `data` to the end of the shared memory. */
#define LOOM_ALL SIZE_MAX
loom_status loom_bind(loom_device *device, uint32_t memory, void *data, size_t elements);
/* The bits of a scalar. Stays given for further runs. */
loom_status loom_argument(loom_device *device, uint32_t argument, uint64_t bits);
/* Begins a run of the kernel: all memories must be bound, all arguments given. */
loom_status loom_start(loom_device *device);
/* Until the run is over and its stores are in the memory. */
loom_status loom_wait(loom_device *device);
/* The bits of a result of the run that is over. */
loom_status loom_result(loom_device *device, uint32_t result, uint64_t *bits);

/* Cycles of the last run that was good. */
loom_status loom_cycles(loom_device *device, uint64_t *cycles);
/* A run in which nothing moves for so many cycles ends with error 9, and where the memory then does
 * not answer for so many, with error 13; 0: never, as after loom_open. More than the memory ever
 * takes to answer. After error 13 nothing runs until it has answered, or the hardware was reset:
 * what is tried ends with error 13 again. */
loom_status loom_watchdog(loom_device *device, uint32_t cycles);
/* The interrupt comes when a run is over, and bus->idle waits for it; or not, as after
 * loom_open. */
loom_status loom_interrupt(loom_device *device, int is_on);
/* Ends a run, from another thread or an interrupt, too: loom_wait then returns LOOM_RUN_FAILED,
 * error 12, unless the run was over before. Leaves loom_last as it is. */
loom_status loom_abort(loom_device *device);
/* Ends whatever there is; image, bindings and arguments stay. */
loom_status loom_clear(loom_device *device);

/* The device that calls of kernels (kernels/NAME.h) run on; one for the program. */
void loom_use(loom_device *device);
loom_device *loom_used(void);

/* What the last function returned, also within the call of a kernel. */
loom_status loom_last(const loom_device *device);
/* Why the last function failed, in words; of LOOM_RUN_FAILED and LOOM_BAD_IMAGE what the hardware
 * says. */
const char *loom_why(const loom_device *device);
/* The hardware's error (STATUS.ERROR) of the last run or image, or 0: 1 to 9 the fabric's, 10 and
 * 11 the bus, 12 an abort, 13 a memory that does not answer. */
uint32_t loom_error(const loom_device *device);
/* Of LOOM_NOT_BOUND and LOOM_NOT_GIVEN: the number of the memory, or of the argument. */
uint32_t loom_missing(const loom_device *device);
/* Of errors 10 and 11: the address at which the bus failed. */
loom_status loom_fault(loom_device *device, uint64_t *address);

#ifdef __cplusplus
}
#endif
#endif

/* loom_driver.c -- see loom_driver.h. The registers are those of registers.md.
 *
 * The driver reads no register to know what it knows: it keeps which image is there, what is bound
 * and given, and whether a run is under way. What the hardware alone knows (that a run is over, and
 * how) it asks.
 */
#include "loom_driver.h"

#include "loom_registers.h"

/* ---- words ------------------------------------------------------------------------------------------- */

int loom_mapped_read(void *mapped, uint32_t at, uint32_t *word) {
  *word = ((loom_mapped *)mapped)->registers[at / 4];
  return 0;
}

int loom_mapped_write(void *mapped, uint32_t at, uint32_t word) {
  ((loom_mapped *)mapped)->registers[at / 4] = word;
  return 0;
}

static void fence(void) {
#if defined(__GNUC__)
  __sync_synchronize();
#endif
}

static loom_status ends(loom_device *d, loom_status status) {
  d->last = status;
  return status;
}

static int get(loom_device *d, uint32_t at, uint32_t *word) {
  return d->bus->read(d->bus->user, at, word);
}

static int put(loom_device *d, uint32_t at, uint32_t word) {
  return d->bus->write(d->bus->user, at, word);
}

static uint32_t numbered(uint32_t at, uint32_t i) {
  return at + 16 * i;
}

/* ---- open --------------------------------------------------------------------------------------------- */

/* Until STATUS has one of the bits `until`: LOOM_TIMEOUT where d->looks or the bus end that. */
static loom_status look(loom_device *d, uint32_t until, uint32_t *status) {
  uint64_t looks = 0;
  for (;;) {
    if (get(d, LOOM_STATUS, status)) return LOOM_BUS_FAILED;
    if (*status & until) break;
    if ((d->looks && ++looks >= d->looks) ||
        (d->bus->idle && d->bus->idle(d->bus->user, d->interrupt_is_on)))
      return LOOM_TIMEOUT;
  }
  d->error = (*status & LOOM_STATUS_ERROR_MASK) >> LOOM_STATUS_ERROR_SHIFT;
  d->response = (*status & LOOM_STATUS_RESPONSE_MASK) >> LOOM_STATUS_RESPONSE_SHIFT;
  return LOOM_DONE;
}

/* Over when all accesses of the memory have been answered, or the hardware no longer waits for
 * that. Until it is, the device is stuck: what comes next clears it first. */
static loom_status clear(loom_device *d) {
  uint32_t status;
  loom_status ended;
  d->is_running = d->is_over = 0;
  d->error = d->response = 0;
  d->is_stuck = 1;
  if (put(d, LOOM_CONTROL, LOOM_CONTROL_CLEAR)) return LOOM_BUS_FAILED;
  ended = look(d, LOOM_STATUS_IDLE | LOOM_STATUS_DONE, &status);
  d->is_stuck = ended || !(status & LOOM_STATUS_IDLE);
  return ended ? ended : d->is_stuck ? LOOM_RUN_FAILED : LOOM_DONE;
}

/* Cycles for which the memory may still owe answers to an earlier user. */
enum { OPEN_PATIENCE = 1000000 };

loom_status loom_open(loom_device *d, const loom_bus *bus) {
  static const loom_device none;
  uint32_t id, version, low, high;
  loom_status status;
  *d = none;
  if (!bus || !bus->read || !bus->write) return ends(d, LOOM_NOT_OPEN);
  d->bus = bus;
  if (get(d, LOOM_ID, &id) || get(d, LOOM_VERSION, &version) || get(d, LOOM_HASH_LOW, &low) ||
      get(d, LOOM_HASH_HIGH, &high))
    return d->bus = 0, ends(d, LOOM_BUS_FAILED);
  if (id != 0x4d4f4f4cu || version >> LOOM_VERSION_MAJOR_SHIFT != 1)
    return d->bus = 0, ends(d, LOOM_NO_SYSTEM);
  d->hardware = (uint64_t)high << 32 | low;
  if (put(d, LOOM_WATCHDOG, OPEN_PATIENCE) || put(d, LOOM_INTERRUPT, 0))
    return d->bus = 0, ends(d, LOOM_BUS_FAILED);
  status = clear(d);
  return ends(d, put(d, LOOM_WATCHDOG, 0) ? LOOM_BUS_FAILED : status);
}

/* ---- configure ------------------------------------------------------------------------------------------ */

static loom_status load(loom_device *d, const loom_kernel *k) {
  uint32_t status, i;
  if (put(d, LOOM_IMAGE, LOOM_IMAGE_FIRST)) return LOOM_BUS_FAILED;
  for (i = 0; i < k->word_count; i++)
    if (put(d, LOOM_IMAGE_DATA, k->words[i])) return LOOM_BUS_FAILED;
  if (put(d, LOOM_IMAGE, LOOM_IMAGE_LAST) || put(d, LOOM_IMAGE_DATA, k->checksum) ||
      get(d, LOOM_STATUS, &status))
    return LOOM_BUS_FAILED;
  d->error = (status & LOOM_STATUS_ERROR_MASK) >> LOOM_STATUS_ERROR_SHIFT;
  return status & LOOM_STATUS_CONFIGURED ? LOOM_DONE : LOOM_BAD_IMAGE;
}

/* Every input and output of the fabric has its count: 1 where the kernel has a token there. */
static int set_counts(loom_device *d, uint32_t at, uint32_t all, const uint8_t *used,
                      uint32_t count) {
  uint32_t i, j;
  for (i = 0; i < all; i++) {
    uint32_t tokens = 0;
    for (j = 0; j < count; j++) tokens += used[j] == i;
    if (put(d, numbered(at, i), tokens)) return 1;
  }
  return 0;
}

static int set_all_counts(loom_device *d, const loom_kernel *k) {
  uint32_t shape;
  return get(d, LOOM_SHAPE, &shape) ||
         set_counts(d, LOOM_INPUT_COUNT, shape & LOOM_SHAPE_INPUTS_MASK, k->inputs,
                    k->input_count) ||
         set_counts(d, LOOM_OUTPUT_COUNT,
                    (shape & LOOM_SHAPE_OUTPUTS_MASK) >> LOOM_SHAPE_OUTPUTS_SHIFT, k->outputs,
                    k->output_count);
}

loom_status loom_configure(loom_device *d, const loom_kernel *k) {
  loom_status status;
  uint32_t i;
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (d->is_running) return ends(d, LOOM_BUSY);
  if (!k) return ends(d, LOOM_NOT_CONFIGURED);
  if (k->region_count > LOOM_MAX_REGIONS || k->input_count > LOOM_MAX_STREAMS)
    return ends(d, LOOM_NO_SUCH);
  if (k->hardware != d->hardware) return ends(d, LOOM_OTHER_HARDWARE);
  for (i = 0; i < k->region_count; i++) d->bound[i].data = 0;
  d->is_over = 0;
  d->given = 0;
  if (d->kernel == k && !d->is_stuck) return ends(d, LOOM_DONE);
  d->kernel = 0;
  status = clear(d);
  if (!status) status = load(d, k);
  if (!status && set_all_counts(d, k)) status = LOOM_BUS_FAILED;
  if (!status) d->kernel = k;
  return ends(d, status);
}

/* ---- what a run works on --------------------------------------------------------------------------------- */

loom_status loom_bind(loom_device *d, uint32_t memory, void *data, size_t elements) {
  const loom_kernel_region *r;
  const loom_bus *bus = d->bus;
  uintptr_t at = (uintptr_t)data, begin;
  if (!bus) return ends(d, LOOM_NOT_OPEN);
  if (!d->kernel) return ends(d, LOOM_NOT_CONFIGURED);
  if (d->is_running) return ends(d, LOOM_BUSY);
  if (memory >= d->kernel->region_count || d->kernel->regions[memory].is_own)
    return ends(d, LOOM_NO_SUCH);
  r = &d->kernel->regions[memory];
  begin = (uintptr_t)bus->memory;
  if (at & ((1u << r->size_log2) - 1)) return ends(d, LOOM_NOT_ALIGNED);
  if (r->is_inside && elements > r->elements) return ends(d, LOOM_NO_ROOM);
  if (elements == LOOM_ALL && at >= begin && at - begin <= bus->bytes)
    elements = (bus->bytes - (at - begin)) >> r->size_log2;
  if (elements > UINT32_MAX) return ends(d, LOOM_OUT_OF_REACH);
  if (!r->is_inside && (at < begin || at - begin > bus->bytes ||
                        elements > (bus->bytes - (at - begin)) >> r->size_log2))
    return ends(d, LOOM_OUT_OF_REACH);
  d->bound[memory].data = data;
  d->bound[memory].elements = elements;
  return ends(d, LOOM_DONE);
}

loom_status loom_argument(loom_device *d, uint32_t argument, uint64_t bits) {
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (!d->kernel) return ends(d, LOOM_NOT_CONFIGURED);
  if (d->is_running) return ends(d, LOOM_BUSY);
  if (argument >= d->kernel->argument_count) return ends(d, LOOM_NO_SUCH);
  d->arguments[argument] = bits;
  d->given |= (uint64_t)1 << argument;
  return ends(d, LOOM_DONE);
}

/* ---- memories inside the fabric, through the window -------------------------------------------------------- */

static uint64_t element_of(const loom_kernel_region *r, const void *data, uint64_t i) {
  switch (r->size_log2) {
  case 0: return ((const uint8_t *)data)[i];
  case 1: return ((const uint16_t *)data)[i];
  case 2: return ((const uint32_t *)data)[i];
  default: return ((const uint64_t *)data)[i];
  }
}

static void set_element(const loom_kernel_region *r, void *data, uint64_t i, uint64_t value) {
  switch (r->size_log2) {
  case 0: ((uint8_t *)data)[i] = (uint8_t)value; break;
  case 1: ((uint16_t *)data)[i] = (uint16_t)value; break;
  case 2: ((uint32_t *)data)[i] = (uint32_t)value; break;
  default: ((uint64_t *)data)[i] = value;
  }
}

static int open_window(loom_device *d, const loom_kernel_region *r) {
  return put(d, LOOM_WINDOW,
             (uint32_t)r->region | (uint32_t)r->size_log2 << LOOM_WINDOW_SIZE_SHIFT) ||
         put(d, LOOM_WINDOW_AT, r->offset);
}

static int copy_in(loom_device *d, const loom_kernel_region *r, const loom_bound *b) {
  uint64_t i, n = r->is_own ? r->elements : b->elements;
  if (open_window(d, r)) return 1;
  for (i = 0; i < n; i++) {
    uint64_t word = !r->is_own          ? element_of(r, b->data, i)
                    : !r->initial_count ? 0
                                        : r->initial[r->initial_count > 1 ? i : 0];
    if (r->size_log2 == 3 && put(d, LOOM_WINDOW_HIGH, (uint32_t)(word >> 32))) return 1;
    if (put(d, LOOM_WINDOW_DATA, (uint32_t)word)) return 1;
  }
  return 0;
}

static int copy_out(loom_device *d, const loom_kernel_region *r, const loom_bound *b) {
  uint64_t i;
  if (open_window(d, r)) return 1;
  for (i = 0; i < b->elements; i++) {
    uint32_t low, high = 0;
    if (put(d, LOOM_WINDOW_AT, r->offset + ((uint32_t)i << r->size_log2)) ||
        get(d, LOOM_WINDOW_DATA, &low) || (r->size_log2 == 3 && get(d, LOOM_WINDOW_HIGH, &high)))
      return 1;
    set_element(r, b->data, i, (uint64_t)high << 32 | low);
  }
  return 0;
}

/* ---- a run --------------------------------------------------------------------------------------------------- */

static int set_region(loom_device *d, const loom_kernel_region *r, const loom_bound *b) {
  const loom_bus *bus = d->bus;
  uint64_t elements = r->is_own ? r->elements : b->elements, base;
  if (put(d, numbered(LOOM_ELEMENTS, r->region), (uint32_t)elements)) return 1;
  if (r->is_inside) return copy_in(d, r, b);
  base = bus->address + (uint64_t)((const char *)b->data - (const char *)bus->memory);
  if (bus->clean) bus->clean(bus->user, b->data, (size_t)elements << r->size_log2);
  return put(d, numbered(LOOM_BASE_LOW, r->region), (uint32_t)base) ||
         put(d, numbered(LOOM_BASE_HIGH, r->region), (uint32_t)(base >> 32)) ||
         put(d, numbered(LOOM_SIZE, r->region), r->size_log2);
}

/* A token for every input that the kernel uses. */
static int give(loom_device *d, uint32_t i) {
  uint64_t bits = i < d->kernel->argument_count ? d->arguments[i] : 0;
  return put(d, numbered(LOOM_INPUT_HIGH, d->kernel->inputs[i]), (uint32_t)(bits >> 32)) ||
         put(d, numbered(LOOM_INPUT_DATA, d->kernel->inputs[i]), (uint32_t)bits);
}

static loom_status misses(loom_device *d, loom_status status, uint32_t number) {
  d->missing = number;
  return ends(d, status);
}

/* Where the bus fails, tokens may be in the queues that are none of the next run: it is stuck. */
static int give_all(loom_device *d, const loom_kernel *k) {
  uint32_t i;
  for (i = 0; i < k->region_count; i++)
    if (set_region(d, &k->regions[i], &d->bound[i])) return 1;
  for (i = 0; i < k->input_count; i++)
    if (give(d, i)) return 1;
  fence();
  return put(d, LOOM_STATUS, LOOM_STATUS_DONE | LOOM_STATUS_FAILED | LOOM_STATUS_REFUSED) ||
         put(d, LOOM_CONTROL, LOOM_CONTROL_START);
}

loom_status loom_start(loom_device *d) {
  const loom_kernel *k = d->kernel;
  loom_status status;
  uint32_t i;
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (!k) return ends(d, LOOM_NOT_CONFIGURED);
  if (d->is_running) return ends(d, LOOM_BUSY);
  if (d->is_stuck && (status = clear(d)) != LOOM_DONE) return ends(d, status);
  for (i = 0; i < k->region_count; i++)
    if (!k->regions[i].is_own && !d->bound[i].data) return misses(d, LOOM_NOT_BOUND, i);
  for (i = 0; i < k->argument_count; i++)
    if (!(d->given >> i & 1)) return misses(d, LOOM_NOT_GIVEN, i);
  d->is_over = 0;
  d->is_stuck = give_all(d, k);
  if (d->is_stuck) return ends(d, LOOM_BUS_FAILED);
  d->is_running = 1;
  d->error = 0;
  return ends(d, LOOM_DONE);
}

static loom_status take_memories(loom_device *d) {
  const loom_kernel *k = d->kernel;
  uint32_t i;
  fence();
  for (i = 0; i < k->region_count; i++) {
    const loom_kernel_region *r = &k->regions[i];
    const loom_bound *b = &d->bound[i];
    if (r->is_own) continue;
    if (r->is_inside && r->is_stored && copy_out(d, r, b)) return LOOM_BUS_FAILED;
    if (!r->is_inside && r->is_stored && d->bus->invalidate)
      d->bus->invalidate(d->bus->user, b->data, (size_t)b->elements << r->size_log2);
  }
  return LOOM_DONE;
}

/* Tokens that the failed run did not take are none of the next. */
static loom_status end_failed(loom_device *d) {
  uint32_t error = d->error, response = d->response;
  loom_status status = clear(d);
  d->error = error;
  d->response = response;
  return status ? status : LOOM_RUN_FAILED;
}

loom_status loom_wait(loom_device *d) {
  uint32_t status;
  loom_status ended;
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (!d->is_running) return ends(d, LOOM_NOT_STARTED);
  ended = look(d, LOOM_STATUS_DONE, &status);
  if (ended) return ends(d, ended);
  d->is_running = 0;
  if (status & LOOM_STATUS_FAILED) return ends(d, end_failed(d));
  d->is_over = 1;
  if (put(d, LOOM_STATUS, LOOM_STATUS_DONE)) return ends(d, LOOM_BUS_FAILED);
  return ends(d, take_memories(d));
}

loom_status loom_result(loom_device *d, uint32_t result, uint64_t *bits) {
  uint32_t low, high, output;
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (!d->is_over) return ends(d, LOOM_NOT_STARTED);
  if (result >= d->kernel->result_count) return ends(d, LOOM_NO_SUCH);
  output = d->kernel->outputs[result];
  if (get(d, numbered(LOOM_OUTPUT_DATA, output), &low) ||
      get(d, numbered(LOOM_OUTPUT_HIGH, output), &high))
    return ends(d, LOOM_BUS_FAILED);
  *bits = (uint64_t)high << 32 | low;
  return ends(d, LOOM_DONE);
}

/* ---- the rest -------------------------------------------------------------------------------------------------- */

static loom_status read_pair(loom_device *d, uint32_t low_at, uint32_t high_at, uint64_t *value) {
  uint32_t low, high;
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  if (get(d, low_at, &low) || get(d, high_at, &high)) return ends(d, LOOM_BUS_FAILED);
  *value = (uint64_t)high << 32 | low;
  return ends(d, LOOM_DONE);
}

static loom_status set_word(loom_device *d, uint32_t at, uint32_t word) {
  if (!d->bus) return ends(d, LOOM_NOT_OPEN);
  return ends(d, put(d, at, word) ? LOOM_BUS_FAILED : LOOM_DONE);
}

loom_status loom_cycles(loom_device *d, uint64_t *cycles) {
  if (d->bus && !d->is_over) return ends(d, LOOM_NOT_STARTED);
  return read_pair(d, LOOM_CYCLES_LOW, LOOM_CYCLES_HIGH, cycles);
}

uint32_t loom_missing(const loom_device *d) {
  return d->missing;
}

loom_status loom_fault(loom_device *d, uint64_t *address) {
  return read_pair(d, LOOM_FAULT_LOW, LOOM_FAULT_HIGH, address);
}

loom_status loom_watchdog(loom_device *d, uint32_t cycles) {
  return set_word(d, LOOM_WATCHDOG, cycles);
}

loom_status loom_interrupt(loom_device *d, int is_on) {
  d->interrupt_is_on = is_on != 0;
  return set_word(d, LOOM_INTERRUPT, is_on ? LOOM_INTERRUPT_DONE | LOOM_INTERRUPT_FAILED : 0);
}

loom_status loom_abort(loom_device *d) {
  if (!d->bus) return LOOM_NOT_OPEN;
  return put(d, LOOM_CONTROL, LOOM_CONTROL_ABORT) ? LOOM_BUS_FAILED : LOOM_DONE;
}

loom_status loom_clear(loom_device *d) {
  return ends(d, d->bus ? clear(d) : LOOM_NOT_OPEN);
}

static loom_device closed, *used = &closed;

void loom_use(loom_device *d) {
  used = d ? d : &closed;
}

loom_device *loom_used(void) {
  return used;
}

loom_status loom_last(const loom_device *d) {
  return d->last;
}

uint32_t loom_error(const loom_device *d) {
  return d->error;
}

const char *loom_why(const loom_device *d) {
  static const char *const statuses[] = {
      "done",
      "the bus failed: a register could not be read or written",
      "no LOOM system found, or one of an unknown version",
      "the kernel was built for different hardware",
      "the hardware rejected the image",
      "the device is not open",
      "no kernel is configured",
      "a run is in progress",
      "no run was started, or it is not finished",
      "no argument, memory or result of the kernel has this number",
      "a memory is not bound",
      "an argument is not given",
      "not in the memory shared by program and hardware",
      "not aligned to the size of an element",
      "more elements than fit in the memory of the fabric",
      "the run is not finished",
      "the run failed"};
  static const char *const errors[] = {"",
                                       "a division by zero",
                                       "a division that overflows",
                                       "an access outside a memory",
                                       "a stream that steps by zero",
                                       "a mux selects an input that it does not have",
                                       "the image has the wrong length",
                                       "the image has the wrong checksum",
                                       "started without a complete image",
                                       "the watchdog expired: no token moved",
                                       "the bus rejected a read (SLVERR)",
                                       "the bus rejected a write (SLVERR)",
                                       "aborted",
                                       "the memory does not answer"};
  static const char *const nothing_there[] = {
      "the address of a read does not exist on the bus (DECERR)",
      "the address of a write does not exist on the bus (DECERR)"};
  int of_hardware = d->last == LOOM_RUN_FAILED || d->last == LOOM_BAD_IMAGE;
  if (of_hardware && d->response == 3 && (d->error == 10 || d->error == 11))
    return nothing_there[d->error - 10];
  if (of_hardware && d->error && d->error < sizeof errors / sizeof *errors) return errors[d->error];
  return statuses[d->last];
}

/* loom_simulated.c -- see loom_simulated.h. What each register does stands in registers.md. */
#include "loom_simulated.h"

#include "loom_registers.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 64, REGIONS = 256, DEPTH = 4, BASE = 0x40000000, BUS_READ = 10, ABORTED = 12 };

typedef struct {
  uint64_t token[DEPTH];
  uint32_t count;
} Queue;

struct loom_simulated {
  const loom_simulated_kernel *const *kernels;
  uint32_t kernel_count;
  const loom_simulated_kernel *loaded; /* NULL: no image */
  uint32_t words, crc, first, last;
  uint32_t status, error, interrupt, watchdog, window, window_at, window_high, input_high;
  uint64_t cycles, fault;
  int is_running;
  Queue inputs[STREAMS], outputs[STREAMS];
  uint32_t input_count[STREAMS], output_count[STREAMS];
  uint64_t base[REGIONS];
  uint32_t elements[REGIONS], size[REGIONS];
  loom_simulator_store stores[REGIONS];
  unsigned char *memory, *pads[REGIONS]; /* pads: of memories inside, by region */
  size_t bytes, pad_bytes[REGIONS];
  jmp_buf trapped;
};

/* ---- images ------------------------------------------------------------------------------------------- */

static uint32_t crc_of(uint32_t crc, uint32_t word) {
  int i;
  for (i = 0; i < 32; i++) crc = crc >> 1 ^ ((crc ^ word >> i) & 1 ? 0xedb88320u : 0);
  return crc;
}

static void fail(loom_simulated *s, uint32_t error) {
  s->error = error;
  s->status |= LOOM_STATUS_FAILED;
}

static void end_image(loom_simulated *s, uint32_t checksum) {
  const loom_kernel *k = s->kernels[0]->kernel; /* all have the same length */
  uint32_t i;
  if (s->words != k->word_count) {
    fail(s, 6);
    return;
  }
  for (i = 0; i < s->kernel_count; i++)
    if (s->kernels[i]->kernel->checksum == checksum) s->loaded = s->kernels[i];
  if (checksum != ~s->crc) s->loaded = NULL;
  if (s->loaded)
    s->status |= LOOM_STATUS_CONFIGURED;
  else
    fail(s, 7);
}

static void take_word(loom_simulated *s, uint32_t word) {
  if (s->is_running) {
    s->status |= LOOM_STATUS_REFUSED;
    return;
  }
  if (s->first) {
    s->words = 0;
    s->crc = UINT32_MAX;
  }
  s->loaded = NULL;
  s->error = 0;
  s->status &= ~(uint32_t)LOOM_STATUS_CONFIGURED;
  if (s->last) {
    end_image(s, word);
  } else {
    s->words++;
    s->crc = crc_of(s->crc, word);
  }
  s->first = s->last = 0;
}

/* ---- a run ---------------------------------------------------------------------------------------------- */

static void on_trap(loom_simulator_run *run, uint32_t code, uint64_t a, uint64_t b) {
  loom_simulated *s = (loom_simulated *)run->user;
  (void)a;
  (void)b;
  s->error = code;
  longjmp(s->trapped, 1);
}

static void on_taken(loom_simulator_run *run, uint32_t unit, uint64_t value) {
  loom_simulated *s = (loom_simulated *)run->user;
  const loom_kernel *k = s->loaded->kernel;
  uint32_t i;
  for (i = 0; i < k->output_count; i++)
    if (s->loaded->outputs[i] == unit) {
      Queue *q = &s->outputs[k->outputs[i]];
      if (q->count < DEPTH) q->token[q->count++] = value;
    }
}

static unsigned char *bytes_of(loom_simulated *s, const loom_kernel_region *r) {
  uint64_t bytes = (uint64_t)s->elements[r->region] << r->size_log2, at = s->base[r->region] - BASE;
  if (r->is_inside) return bytes <= s->pad_bytes[r->region] ? s->pads[r->region] : NULL;
  return at <= s->bytes && bytes <= s->bytes - at ? s->memory + at : NULL;
}

static void unpack(const unsigned char *from, uint32_t size_log2, uint64_t n, uint64_t *to) {
  uint64_t i;
  switch (size_log2) {
  case 0:
    for (i = 0; i < n; i++) to[i] = from[i];
    break;
  case 1:
    for (i = 0; i < n; i++) to[i] = ((const uint16_t *)(const void *)from)[i];
    break;
  case 2:
    for (i = 0; i < n; i++) to[i] = ((const uint32_t *)(const void *)from)[i];
    break;
  default: memcpy(to, from, (size_t)n * 8);
  }
}

static void pack(const uint64_t *from, uint32_t size_log2, uint64_t n, unsigned char *to) {
  uint64_t i;
  switch (size_log2) {
  case 0:
    for (i = 0; i < n; i++) to[i] = (unsigned char)from[i];
    break;
  case 1:
    for (i = 0; i < n; i++) ((uint16_t *)(void *)to)[i] = (uint16_t)from[i];
    break;
  case 2:
    for (i = 0; i < n; i++) ((uint32_t *)(void *)to)[i] = (uint32_t)from[i];
    break;
  default: memcpy(to, from, (size_t)n * 8);
  }
}

/* What the machine works on: elements of 64 bits. 0: they cannot be had. */
static int fill(loom_simulated *s) {
  const loom_kernel *k = s->loaded->kernel;
  uint32_t i;
  for (i = 0; i < k->region_count; i++) {
    const loom_kernel_region *r = &k->regions[i];
    const unsigned char *from = bytes_of(s, r);
    uint64_t n = s->elements[r->region];
    if (!from) {
      s->fault = s->base[r->region];
      return 0;
    }
    s->stores[r->region].data = (uint64_t *)malloc((size_t)(n + 1) * 8);
    s->stores[r->region].elements = n;
    if (!s->stores[r->region].data) return 0;
    unpack(from, r->size_log2, n, s->stores[r->region].data);
  }
  return 1;
}

static void drain(loom_simulated *s, int is_filled) {
  const loom_kernel *k = s->loaded->kernel;
  uint32_t i;
  for (i = 0; i < k->region_count; i++) {
    const loom_kernel_region *r = &k->regions[i];
    loom_simulator_store *store = &s->stores[r->region];
    if (is_filled && r->is_stored) pack(store->data, r->size_log2, store->elements, bytes_of(s, r));
    free(store->data);
    store->data = NULL;
    store->elements = 0;
  }
}

static int is_owed(const loom_simulated *s) {
  uint32_t i;
  for (i = 0; i < STREAMS; i++)
    if (s->outputs[i].count < (s->output_count[i] < DEPTH ? s->output_count[i] : DEPTH)) return 1;
  return 0;
}

static int give(loom_simulated *s, const uint64_t **given, uint64_t *counts) {
  const loom_kernel *k = s->loaded->kernel;
  uint32_t i;
  for (i = 0; i < k->input_count; i++) {
    Queue *q = &s->inputs[k->inputs[i]];
    if (q->count < s->input_count[k->inputs[i]]) return 0; /* it waits for the rest */
    given[s->loaded->inputs[i]] = q->token;
    counts[s->loaded->inputs[i]] = s->input_count[k->inputs[i]];
  }
  return 1;
}

static void take_given(loom_simulated *s) {
  uint32_t i;
  for (i = 0; i < STREAMS; i++)
    s->inputs[i].count -=
        s->input_count[i] < s->inputs[i].count ? s->input_count[i] : s->inputs[i].count;
}

/* Silence is an error where the watchdog waits for it; without it the run does not end. */
static void end_silent(loom_simulated *s) {
  if (s->watchdog)
    s->error = 9;
  else
    s->is_running = 1;
}

static void run_machine(loom_simulated *s, loom_simulator_run *run) {
  volatile int ended = LOOM_SIMULATOR_QUIET;
  if (setjmp(s->trapped) == 0) {
    ended = s->loaded->machine->run(run);
    if (ended != LOOM_SIMULATOR_QUIET || is_owed(s)) end_silent(s);
  }
  s->cycles = run->cycles;
}

static void start(loom_simulated *s) {
  loom_simulator_run run;
  const uint64_t **given;
  uint64_t *counts;
  uint32_t i;
  s->status &= ~(uint32_t)(LOOM_STATUS_DONE | LOOM_STATUS_FAILED);
  s->error = 0;
  s->cycles = 0;
  for (i = 0; i < STREAMS; i++) s->outputs[i].count = 0;
  memset(&run, 0, sizeof run);
  if (!s->loaded) {
    s->error = 8;
  } else {
    given = (const uint64_t **)calloc(s->loaded->machine->units + 1u, sizeof *given);
    counts = (uint64_t *)calloc(s->loaded->machine->units + 1u, sizeof *counts);
    run.abi = LOOM_SIMULATOR_ABI;
    run.user = s;
    run.given = given;
    run.given_counts = counts;
    run.stores = s->stores;
    run.taken = on_taken;
    run.trap = on_trap;
    if (!given || !counts || !fill(s)) {
      s->error = BUS_READ;
      drain(s, 0);
    } else {
      if (give(s, given, counts)) {
        run_machine(s, &run);
        take_given(s);
      } else {
        end_silent(s);
      }
      drain(s, 1);
    }
    free((void *)given);
    free(counts);
  }
  if (!s->is_running) s->status |= LOOM_STATUS_DONE | (s->error ? LOOM_STATUS_FAILED : 0u);
}

static void control(loom_simulated *s, uint32_t word) {
  uint32_t i;
  if (word & LOOM_CONTROL_CLEAR) {
    for (i = 0; i < STREAMS; i++) s->inputs[i].count = s->outputs[i].count = 0;
    s->is_running = 0;
    s->error = s->first = s->last = 0;
    s->status &= LOOM_STATUS_CONFIGURED;
  } else if ((word & LOOM_CONTROL_ABORT) && s->is_running) {
    s->is_running = 0;
    s->error = ABORTED;
    s->status |= LOOM_STATUS_DONE | LOOM_STATUS_FAILED;
  } else if (word & LOOM_CONTROL_START) {
    if (s->is_running)
      s->status |= LOOM_STATUS_REFUSED;
    else
      start(s);
  }
}

/* ---- registers -------------------------------------------------------------------------------------------- */

static unsigned char *pad_at(loom_simulated *s) {
  uint32_t region = s->window & LOOM_WINDOW_REGION_MASK, i;
  const loom_kernel *k = s->loaded ? s->loaded->kernel : NULL;
  for (i = 0; k && i < k->region_count; i++) {
    uint32_t at = s->window_at - k->regions[i].offset;
    if (k->regions[i].region == region && s->pad_bytes[region] >= 8 &&
        at <= s->pad_bytes[region] - 8)
      return s->pads[region] + at;
  }
  return NULL;
}

static void push(loom_simulated *s, uint32_t input, uint32_t low) {
  Queue *q = &s->inputs[input % STREAMS];
  if (input < (s->kernels[0]->kernel->shape & LOOM_SHAPE_INPUTS_MASK) && q->count < DEPTH)
    q->token[q->count++] = (uint64_t)s->input_high << 32 | low;
  else
    s->status |= LOOM_STATUS_REFUSED;
  s->input_high = 0;
}

static void pop(Queue *q) {
  if (!q->count) return;
  q->count--;
  memmove(q->token, q->token + 1, q->count * sizeof *q->token);
}

/* A register that keeps what is written, of an input, output or region; NULL: it is none. */
static uint32_t *kept(loom_simulated *s, uint32_t at) {
  uint32_t i = (at & 0xfff) / 16;
  switch (at >= 0x1000 ? at & 0x100f : at & 0xc0f) {
  case LOOM_INPUT_COUNT: return &s->input_count[i & 63];
  case LOOM_OUTPUT_COUNT: return &s->output_count[i & 63];
  case LOOM_ELEMENTS: return &s->elements[i];
  case LOOM_SIZE: return &s->size[i];
  default: return NULL;
  }
}

static void write_window(loom_simulated *s, uint32_t word) {
  unsigned char *to = pad_at(s);
  uint64_t value = (uint64_t)s->window_high << 32 | word;
  uint32_t size = (s->window & LOOM_WINDOW_SIZE_MASK) >> LOOM_WINDOW_SIZE_SHIFT;
  if (to) memcpy(to, &value, (size_t)1 << size);
  s->window_at += 1u << size;
}

static int write_word(void *user, uint32_t at, uint32_t word) {
  loom_simulated *s = (loom_simulated *)user;
  uint32_t *keeps = kept(s, at), i = (at & 0xfff) / 16;
  int is_bound = keeps || at >= 0x1000 || at == LOOM_WINDOW_DATA;
  if (is_bound && s->is_running) { /* what a run works on stays as it is */
    s->status |= LOOM_STATUS_REFUSED;
    return 0;
  }
  if (keeps) {
    *keeps = word;
    return 0;
  }
  if (at >= 0x1000) {
    uint64_t shift = at & 4 ? 32 : 0;
    s->base[i] = (s->base[i] & ~((uint64_t)UINT32_MAX << shift)) | (uint64_t)word << shift;
    return 0;
  }
  switch (at) {
  case LOOM_CONTROL: control(s, word); break;
  case LOOM_STATUS:
    s->status &= ~(word & (LOOM_STATUS_DONE | LOOM_STATUS_FAILED | LOOM_STATUS_REFUSED));
    break;
  case LOOM_INTERRUPT: s->interrupt = word & 3; break;
  case LOOM_WATCHDOG: s->watchdog = word; break;
  case LOOM_IMAGE: s->first = word & LOOM_IMAGE_FIRST, s->last = word & LOOM_IMAGE_LAST; break;
  case LOOM_IMAGE_DATA: take_word(s, word); break;
  case LOOM_WINDOW: s->window = word; break;
  case LOOM_WINDOW_AT: s->window_at = word; break;
  case LOOM_WINDOW_HIGH: s->window_high = word; break;
  case LOOM_WINDOW_DATA: write_window(s, word); break;
  default:
    if ((at & 0xc0f) == LOOM_INPUT_DATA) push(s, i & 63, word);
    if ((at & 0xc0f) == LOOM_INPUT_HIGH) s->input_high = word;
    if ((at & 0xc0f) == LOOM_OUTPUT_DATA) pop(&s->outputs[i & 63]);
  }
  return 0;
}

static uint32_t read_status(const loom_simulated *s) {
  return s->status | s->error << LOOM_STATUS_ERROR_SHIFT |
         (s->is_running ? 0u : (uint32_t)LOOM_STATUS_IDLE);
}

static uint32_t read_window(loom_simulated *s, int high) {
  const unsigned char *from = pad_at(s);
  uint32_t size = (s->window & LOOM_WINDOW_SIZE_MASK) >> LOOM_WINDOW_SIZE_SHIFT;
  uint64_t value = 0;
  if (from) memcpy(&value, from, (size_t)1 << size);
  return (uint32_t)(high ? value >> 32 : value);
}

static uint32_t read_stream(loom_simulated *s, uint32_t at) {
  uint32_t i = (at & 0x3ff) / 16;
  const Queue *q = at < LOOM_OUTPUT_DATA ? &s->inputs[i] : &s->outputs[i];
  switch (at & 0xc0f) {
  case LOOM_INPUT_STATE:
    return q->count | (q->count == DEPTH ? (uint32_t)LOOM_INPUT_STATE_FULL : 0u);
  case LOOM_OUTPUT_DATA: return q->count ? (uint32_t)q->token[0] : 0;
  case LOOM_OUTPUT_HIGH: return q->count ? (uint32_t)(q->token[0] >> 32) : 0;
  case LOOM_OUTPUT_STATE: return q->count;
  default: return 0;
  }
}

static uint32_t read_fixed(loom_simulated *s, uint32_t at) {
  const loom_kernel *k = s->kernels[0]->kernel;
  switch (at) {
  case LOOM_ID: return 0x4d4f4f4c;
  case LOOM_VERSION: return 1u << LOOM_VERSION_MAJOR_SHIFT;
  case LOOM_HASH_LOW: return (uint32_t)k->hardware;
  case LOOM_HASH_HIGH: return (uint32_t)(k->hardware >> 32);
  case LOOM_SHAPE: return k->shape;
  case LOOM_WORDS: return k->word_count;
  case LOOM_STATUS: return read_status(s);
  case LOOM_INTERRUPT: return s->interrupt;
  case LOOM_CYCLES_LOW: return (uint32_t)s->cycles;
  case LOOM_CYCLES_HIGH: return (uint32_t)(s->cycles >> 32);
  case LOOM_WATCHDOG: return s->watchdog;
  case LOOM_FAULT_LOW: return (uint32_t)s->fault;
  case LOOM_FAULT_HIGH: return (uint32_t)(s->fault >> 32);
  case LOOM_WINDOW: return s->window;
  case LOOM_WINDOW_AT: return s->window_at;
  case LOOM_WINDOW_DATA: return read_window(s, 0);
  case LOOM_WINDOW_HIGH: return read_window(s, 1);
  default: return read_stream(s, at);
  }
}

static int read_word(void *user, uint32_t at, uint32_t *word) {
  loom_simulated *s = (loom_simulated *)user;
  const uint32_t *keeps = kept(s, at);
  if (keeps)
    *word = *keeps;
  else if (at >= 0x1000)
    *word = (uint32_t)(s->base[(at & 0xfff) / 16] >> (at & 4 ? 32 : 0));
  else
    *word = read_fixed(s, at);
  return 0;
}

/* ---- open ---------------------------------------------------------------------------------------------------- */

void loom_simulated_reset(loom_bus *bus) {
  loom_simulated *s = (loom_simulated *)bus->user, fresh;
  memset(&fresh, 0, sizeof fresh);
  fresh.kernels = s->kernels;
  fresh.kernel_count = s->kernel_count;
  fresh.memory = s->memory;
  fresh.bytes = s->bytes;
  memcpy(fresh.pads, s->pads, sizeof fresh.pads);
  memcpy(fresh.pad_bytes, s->pad_bytes, sizeof fresh.pad_bytes);
  *s = fresh;
}

/* A region inside has room for the longest that a kernel has there, and a word of the window. 0:
 * there is no memory. */
static int make_pads(loom_simulated *s) {
  uint32_t i, j;
  for (i = 0; i < s->kernel_count; i++)
    for (j = 0; j < s->kernels[i]->kernel->region_count; j++) {
      const loom_kernel_region *r = &s->kernels[i]->kernel->regions[j];
      size_t bytes = (size_t)r->elements << r->size_log2;
      if (r->is_inside && s->pad_bytes[r->region] < bytes + 8) s->pad_bytes[r->region] = bytes + 8;
    }
  for (i = 0; i < REGIONS; i++)
    if (s->pad_bytes[i] && !(s->pads[i] = (unsigned char *)calloc(1, s->pad_bytes[i]))) return 0;
  return 1;
}

int loom_simulated_open(loom_bus *bus, size_t bytes, const loom_simulated_kernel *const *kernels,
                        uint32_t count) {
  static const loom_bus none;
  loom_simulated *s = (loom_simulated *)calloc(1, sizeof *s);
  *bus = none;
  if (!s) return -1;
  s->memory = (unsigned char *)calloc(1, bytes);
  s->bytes = bytes;
  s->kernels = kernels;
  s->kernel_count = count;
  bus->user = s;
  bus->read = read_word;
  bus->write = write_word;
  bus->memory = s->memory;
  bus->address = BASE;
  bus->bytes = bytes;
  if (s->memory && count && make_pads(s)) return 0;
  loom_simulated_close(bus);
  return -1;
}

int loom_simulated_irq(const loom_bus *bus) {
  const loom_simulated *s = (const loom_simulated *)bus->user;
  return (s->interrupt & s->status & 3) != 0;
}

void loom_simulated_close(loom_bus *bus) {
  loom_simulated *s = (loom_simulated *)bus->user;
  uint32_t i;
  if (!s) return;
  free(s->memory);
  for (i = 0; i < REGIONS; i++) free(s->pads[i]);
  free(s);
  bus->user = NULL;
  bus->memory = NULL;
}

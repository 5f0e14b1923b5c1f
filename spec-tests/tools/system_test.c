/* system_test.c -- tests a system of smooth() and edge() (examples/system), using only its headers,
 * on the RTL (-DRTL), on LOOM's simulator, or on the simulator behind an emulated Linux UIO device
 * (-DUIO, system_uio.c):
 *
 *     system_test TURNS SEED
 *
 * Every register is compared with the documented table; the driver is misused in every way that it
 * documents an error for; then TURNS runs follow, of a random one of the two kernels, with aborts,
 * resets, incomplete images and bus errors between them, while the memory behind the RTL stalls at
 * random. Each result is compared with that of the same C code on this CPU. */
#include "edge.h"
#include "loom_registers.h"
#include "smooth.h"
#ifdef RTL
#include "loom_rtl.h"
#elif defined UIO
#include "system_uio.h"
#else
#include "loom_simulated.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, BYTES = 3 * 512 };

void c_smooth(const int16_t *in, int16_t *out, int n);
int c_edge(const int16_t *in, int16_t *out, int n, int limit);

static loom_bus bus;
static loom_device device;
static unsigned wrong;
static uint64_t state;

static unsigned chance(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static void expect(int good, const char *what, unsigned long long number) {
  if (good) return;
  printf("wrong: %s %llu (%s)\n", what, number, loom_why(&device));
  if (++wrong > 20) exit(1);
}

/* ---- where it runs ------------------------------------------------------------------------------- */

static void reset(void) {
#ifdef RTL
  loom_rtl_reset();
#elif defined UIO
  system_uio_reset();
#else
  loom_simulated_reset(&bus);
#endif
  loom_open(&device, &bus);
}

static void open_system(void) {
#ifdef RTL
  loom_rtl_open(&bus, BYTES, NULL);
#else
  extern const loom_simulated_kernel smooth_simulated, edge_simulated;
  static const loom_simulated_kernel *const kernels[2] = {&smooth_simulated, &edge_simulated};
#ifdef UIO
  expect(!system_uio_open(&bus, BYTES, kernels, 2), "UIO", 0);
#else
  expect(!loom_simulated_open(&bus, BYTES, kernels, 2), "simulator", 0);
#endif
#endif
}

static int irq(void) {
#ifdef RTL
  return loom_rtl_irq();
#elif defined UIO
  return system_uio_irq();
#else
  return loom_simulated_irq(&bus);
#endif
}

static uint32_t get(uint32_t at) {
  uint32_t word = 0;
  expect(!bus.read(bus.user, at, &word), "read", at);
  return word;
}

static void put(uint32_t at, uint32_t word) {
  expect(!bus.write(bus.user, at, word), "write", at);
}

/* ---- registers ------------------------------------------------------------------------------------ */

/* What keeps a word keeps all of its bits; what only can be read stays as it was; the rest of a word is 0. */
static void test_register(uint32_t at, uint32_t read, uint32_t keep, uint32_t clear) {
  uint32_t before = get(at);
  expect((before & ~read) == 0, "bits of no field, register", at);
  if (keep) {
    put(at, 0xffffffff);
    expect((get(at) & keep) == keep, "keeps ones, register", at);
    put(at, 0);
    expect((get(at) & keep) == 0, "keeps zeros, register", at);
    put(at, before);
  } else if (read && !clear && at != LOOM_WINDOW_DATA && at != LOOM_WINDOW_HIGH &&
             at != LOOM_CONTROL) {
    put(at, ~before);
    expect(get(at) == before, "only to be read, register", at);
  }
}

static void test_registers(void) {
#define ROW(name, at, read, keep, clear) test_register(at, read, keep, clear);
  LOOM_REGISTER_TABLE(ROW)
  expect(get(LOOM_ID) == 0x4d4f4f4c, "ID", get(LOOM_ID));
  expect(get(LOOM_WORDS) == smooth_kernel.word_count, "WORDS", get(LOOM_WORDS));
  expect(get(LOOM_SHAPE) == smooth_kernel.shape, "SHAPE", get(LOOM_SHAPE));
  expect(get(0x3fc) == 0, "no register", 0x3fc);
  put(LOOM_WATCHDOG, 0);
  put(LOOM_INTERRUPT, 0);
}

static int is_refused(void) {
  int yes = (get(LOOM_STATUS) & LOOM_STATUS_REFUSED) != 0;
  put(LOOM_STATUS, LOOM_STATUS_REFUSED);
  return yes;
}

/* A queue takes as many tokens as it has places and refuses the next; of an input that is not there it refuses all. */
static void test_queues(void) {
  uint32_t inputs = get(LOOM_SHAPE) & LOOM_SHAPE_INPUTS_MASK, places = 0;
  put(LOOM_CONTROL, LOOM_CONTROL_CLEAR);
  while (!(get(LOOM_INPUT_STATE + 16 * (inputs - 1)) & LOOM_INPUT_STATE_FULL) && places < 100) {
    put(LOOM_INPUT_DATA + 16 * (inputs - 1), places++);
    expect(!is_refused(), "there is room for token", places);
  }
  put(LOOM_INPUT_DATA + 16 * (inputs - 1), 7);
  expect(is_refused(), "a token too many, behind", places);
  expect((get(LOOM_INPUT_STATE + 16 * (inputs - 1)) & LOOM_INPUT_STATE_QUEUED_MASK) == places,
         "places of a queue", places);
  put(LOOM_INPUT_DATA + 16 * inputs, 7);
  expect(is_refused(), "a token for no input", inputs);
  put(LOOM_CONTROL, LOOM_CONTROL_CLEAR);
  expect(!is_refused(), "nothing is left of it", 0);
}

/* While a run waits for its tokens, what it works on stays as it is. */
static void test_in_run(void) {
  static const uint32_t bound[] = {LOOM_INPUT_COUNT, LOOM_OUTPUT_COUNT, LOOM_BASE_LOW,
                                   LOOM_BASE_HIGH,   LOOM_ELEMENTS,     LOOM_SIZE,
                                   LOOM_WINDOW_DATA};
  loom_open(&device, &bus);
  loom_configure(&device, &smooth_kernel);
  for (unsigned i = 0; i < smooth_kernel.region_count; i++)
    put(LOOM_BASE_LOW + 16 * smooth_kernel.regions[i].region, (uint32_t)bus.address);
  put(LOOM_CONTROL, LOOM_CONTROL_START);
  expect(!(get(LOOM_STATUS) & LOOM_STATUS_IDLE) && !is_refused(), "a run that waits", 0);
  for (unsigned i = 0; i < sizeof bound / sizeof *bound; i++) {
    uint32_t before = get(bound[i]);
    put(bound[i], before ^ 3);
    expect(is_refused(), "refused in a run, register", bound[i]);
    expect(bound[i] == LOOM_WINDOW_DATA || get(bound[i]) == before, "kept in a run, register",
           bound[i]);
  }
  put(LOOM_CONTROL, LOOM_CONTROL_START);
  for (unsigned i = 0; i < 20; i++) get(LOOM_STATUS);
  expect(is_refused(), "a start in a run", 0);
  put(LOOM_IMAGE_DATA, 0);
  expect(is_refused(), "an image in a run", 0);
  put(LOOM_CONTROL, LOOM_CONTROL_CLEAR);
  expect(!is_refused(), "nothing is left of that", 0);
}

/* ---- the driver, used wrongly ----------------------------------------------------------------------- */

static void test_wrong_use(void) {
  static const loom_device none;
  int16_t *memory = (int16_t *)bus.memory, elsewhere[8] = {0};
  loom_kernel other = smooth_kernel;
  uint64_t bits;
  device = none;
  expect(loom_start(&device) == LOOM_NOT_OPEN, "start, not open", 0);
  expect(loom_configure(&device, &smooth_kernel) == LOOM_NOT_OPEN, "configure, not open", 0);
  expect(loom_open(&device, &bus) == LOOM_DONE, "open", 0);
  expect(loom_start(&device) == LOOM_NOT_CONFIGURED, "start, not configured", 0);
  expect(loom_wait(&device) == LOOM_NOT_STARTED, "wait, not started", 0);
  expect(loom_configure(&device, NULL) == LOOM_NOT_CONFIGURED, "configure, no kernel", 0);
  other.hardware ^= 1;
  expect(loom_configure(&device, &other) == LOOM_OTHER_HARDWARE, "configure, other hardware", 0);
  other = smooth_kernel;
  other.checksum ^= 1;
  expect(loom_configure(&device, &other) == LOOM_BAD_IMAGE && loom_error(&device) == 7, "checksum",
         loom_error(&device));
  other = smooth_kernel;
  other.word_count--;
  expect(loom_configure(&device, &other) == LOOM_BAD_IMAGE && loom_error(&device) == 6, "length",
         loom_error(&device));
  expect(loom_configure(&device, &smooth_kernel) == LOOM_DONE, "configure", 0);
  expect(!loom_bind(&device, 0, memory, 4), "bind", 0);
  expect(loom_start(&device) == LOOM_NOT_BOUND && loom_missing(&device) == 1, "start, not bound",
         loom_missing(&device));
  expect(loom_bind(&device, 0, elsewhere, 8) == LOOM_OUT_OF_REACH, "bind, out of reach", 0);
  expect(loom_bind(&device, 0, memory, BYTES / 2 + 1) == LOOM_OUT_OF_REACH, "bind, too many", 0);
  expect(loom_bind(&device, 0, (char *)memory + 1, 4) == LOOM_NOT_ALIGNED, "bind, not aligned", 0);
  expect(loom_bind(&device, 9, memory, 4) == LOOM_NO_SUCH, "bind, no such", 0);
  expect(!loom_bind(&device, 0, memory, LOOM_ALL) && !loom_bind(&device, 1, memory + 256, LOOM_ALL),
         "bind", 0);
  expect(loom_start(&device) == LOOM_NOT_GIVEN && loom_missing(&device) == 0, "start, not given",
         loom_missing(&device));
  expect(loom_argument(&device, 9, 0) == LOOM_NO_SUCH, "argument, no such", 0);
  expect(loom_result(&device, 0, &bits) == LOOM_NOT_STARTED, "result, no run", 0);
  expect(!loom_argument(&device, 0, 4) && !loom_start(&device), "start", 0);
  expect(loom_start(&device) == LOOM_BUSY, "start, busy", 0);
  expect(loom_configure(&device, &edge_kernel) == LOOM_BUSY, "configure, busy", 0);
  expect(loom_wait(&device) == LOOM_DONE, "wait", 0);
  expect(loom_result(&device, 0, &bits) == LOOM_NO_SUCH, "result, no such", 0);
  put(LOOM_CONTROL, LOOM_CONTROL_CLEAR);
}

/* ---- turns --------------------------------------------------------------------------------------------- */

static int16_t *in, *out;
static int n, limit;

static void draw(void) {
  in = (int16_t *)bus.memory;
  out = in + 256 + chance(8); /* of any place in a word */
  n = (int)chance(MOST);
  limit = (int)chance(100);
  for (int i = 0; i < MOST + 1; i++) in[i] = (int16_t)(chance(400) - 200);
  memset(out, 0x55, MOST * sizeof *out);
}

static void run(unsigned turn) {
  static int16_t expected[MOST + 1];
  int sum = 0, c_sum = 0;
  memset(expected, 0x55, sizeof expected);
  if (chance(2)) {
    smooth(in, out, n);
    c_smooth(in, expected, n);
  } else {
    sum = edge(in, out, n, limit);
    c_sum = c_edge(in, expected, n, limit);
  }
  expect(loom_last(&device) == LOOM_DONE && sum == c_sum &&
             !memcmp(out, expected, MOST * sizeof *out),
         "turn", turn);
}

static void start_smooth(void) {
  loom_configure(&device, &smooth_kernel);
  loom_bind(&device, 0, in, LOOM_ALL);
  loom_bind(&device, 1, out, LOOM_ALL);
  loom_argument(&device, 0, MOST);
  expect(loom_start(&device) == LOOM_DONE, "start", 0);
}

/* ---- interrupts ----------------------------------------------------------------------------------------- */

static int (*bus_idle)(void *, int);
static unsigned idles, with_interrupt;

static int counts_idle(void *user, int interrupt_is_on) {
  idles++;
  with_interrupt += interrupt_is_on != 0;
  return bus_idle ? bus_idle(user, interrupt_is_on) : 0;
}

/* The line is up from the end of a run to the end of loom_wait, where it is on; idle() is told whether. */
static void test_interrupt(void) {
  bus_idle = bus.idle;
  bus.idle = counts_idle;
  for (int on = 0; on < 2; on++) {
    idles = with_interrupt = 0;
    loom_interrupt(&device, on);
    start_smooth();
#ifdef RTL
    expect(!irq(), "an interrupt before the end", (unsigned)on);
    for (int i = 0; i < 5000 && !irq(); i++) loom_rtl_step(1);
#endif
    expect(irq() == on, "the interrupt", (unsigned)on);
    expect(!loom_wait(&device) && !irq(), "behind it no interrupt", (unsigned)on);
    start_smooth();
    expect(!loom_wait(&device), "a wait", (unsigned)on);
    expect(with_interrupt == (on ? idles : 0), "idle() knows of the interrupt", with_interrupt);
  }
  loom_interrupt(&device, 0);
  bus.idle = bus_idle;
}

/* ---- images that are there already ---------------------------------------------------------------------- */

static int (*bus_write)(void *, uint32_t, uint32_t);
static unsigned words_written;

static int counts_writes(void *user, uint32_t at, uint32_t word) {
  words_written++;
  return bus_write(user, at, word);
}

static unsigned written_by_configure(const loom_kernel *kernel) {
  words_written = 0;
  expect(!loom_configure(&device, kernel), "configure", 0);
  return words_written;
}

/* An image is sent when another is there, and not again. */
static void test_switching(void) {
  unsigned words = smooth_kernel.word_count, some;
  bus_write = bus.write;
  bus.write = counts_writes;
  loom_open(&device, &bus);
  for (int i = 0; i < 2; i++) {
    some = written_by_configure(&smooth_kernel);
    expect(some >= words && some < words + 20, "words of an image", some);
    expect(!written_by_configure(&smooth_kernel), "words of one that is there", words_written);
    draw();
    smooth(in, out, n);
    expect(!written_by_configure(&smooth_kernel), "and behind a run", words_written);
    some = written_by_configure(&edge_kernel);
    expect(some >= words && some < words + 20, "words of another", some);
  }
  bus.write = bus_write;
}

/* ---- caches that are not coherent --------------------------------------------------------------------------- */

static unsigned char cache[BYTES];

static void clean(void *user, const void *from, size_t bytes) {
  size_t at = (size_t)((const unsigned char *)from - cache);
  (void)user;
  memcpy((unsigned char *)bus.memory + at, cache + at, bytes);
}

static void invalidate(void *user, void *from, size_t bytes) {
  size_t at = (size_t)((unsigned char *)from - cache);
  (void)user;
  memcpy(cache + at, (unsigned char *)bus.memory + at, bytes);
}

/* The program sees a memory of its own; what it has in common with the hardware's, clean and invalidate carry. */
static void test_caches(void) {
  static int16_t expected[MOST];
  loom_bus cached = bus;
  int16_t *from = (int16_t *)(void *)cache, *to = from + 256;
  cached.memory = cache;
  cached.clean = clean;
  cached.invalidate = invalidate;
  memset(bus.memory, 0x33, BYTES);
  for (int i = 0; i < 256; i++) from[i] = (int16_t)(chance(400) - 200);
  memset(to, 0x44, MOST * sizeof *to);
  loom_open(&device, &cached);
  c_smooth(from, expected, MOST);
  smooth(from, to, MOST);
  expect(!loom_last(&device) && !memcmp(to, expected, sizeof expected), "with caches", 0);
  from[0] = 77; /* a kernel that only reads it leaves what the program has of it */
  loom_configure(&device, &smooth_kernel);
  loom_bind(&device, 0, from, 100);
  loom_bind(&device, 1, to, 99);
  loom_argument(&device, 0, 99);
  loom_start(&device);
  from[0] = 78;
  expect(!loom_wait(&device) && from[0] == 78, "nothing else is invalidated", (unsigned)from[0]);
  loom_open(&device, &bus);
}

/* A bus that takes so many words more, and refuses the rest. */
static uint64_t words_left;
static int write_some(void *user, uint32_t at, uint32_t word) {
  if (!words_left) return 1;
  words_left--;
  return bus.write(user, at, word);
}

static loom_status run_smooth(int16_t *from, int16_t *to, uint32_t n) {
  loom_bind(&device, 0, from, n + 1);
  loom_bind(&device, 1, to, n);
  loom_argument(&device, 0, n);
  return loom_start(&device);
}

/* Wherever the bus failed in a start or in a clear, nothing of that is in the next run. */
static void test_bus_fails(void) {
  static int16_t expected[MOST];
  loom_bus some = bus;
  int16_t *from = (int16_t *)bus.memory, *to = from + 256;
  loom_status status = LOOM_BUS_FAILED;
  some.write = write_some;
  for (uint64_t n = 0; status != LOOM_DONE; n++) {
    for (int i = 0; i < 256; i++) from[i] = (int16_t)(chance(400) - 200);
    words_left = UINT64_MAX;
    loom_open(&device, &some);
    loom_configure(&device, &smooth_kernel);
    words_left = n;
    status = run_smooth(from, to, 99);
    words_left = 0;
    expect(status == LOOM_DONE || status == LOOM_BUS_FAILED, "a start on a bus that fails", n);
    if (status == LOOM_DONE || chance(2))
      expect(loom_clear(&device) == LOOM_BUS_FAILED, "a clear on a bus that fails", n);
    words_left = UINT64_MAX;
    c_smooth(from, expected, 40); /* behind it, the start before may have stored */
    expect(!run_smooth(from, to, 40) && !loom_wait(&device) &&
               !memcmp(to, expected, 40 * sizeof *to),
           "a run behind a bus that failed", n);
  }
  loom_open(&device, &bus);
}

/* What comes between: nothing of it may be seen in the turns behind it. */
static void half_image(void) {
  loom_clear(&device);
  put(LOOM_IMAGE, LOOM_IMAGE_FIRST);
  for (unsigned i = 0, words = 1 + chance(80); i < words; i++) put(LOOM_IMAGE_DATA, chance(65536));
  put(LOOM_INTERRUPT, LOOM_INTERRUPT_FAILED);
  expect(!irq(), "an interrupt before an error", 0);
  put(LOOM_CONTROL, LOOM_CONTROL_START);
  for (unsigned i = 0; i < 20; i++) get(LOOM_STATUS);
  expect(irq(), "the interrupt of an error", 0);
  expect((get(LOOM_STATUS) & LOOM_STATUS_ERROR_MASK) >> LOOM_STATUS_ERROR_SHIFT == 8,
         "half an image", get(LOOM_STATUS));
  loom_open(&device, &bus);
  expect(!irq(), "no interrupt behind that", 0);
}

#ifdef RTL
static void expect_drained(void) {
  expect(!loom_rtl_look()->outstanding, "bursts are outstanding", loom_rtl_look()->outstanding);
}

static void abort_run(void) {
  start_smooth();
  loom_rtl_step(chance(MOST));
  loom_abort(&device);
  expect(loom_wait(&device) == LOOM_RUN_FAILED && loom_error(&device) == 12, "abort",
         loom_error(&device));
  expect_drained();
}

static void reset_in_run(void) {
  start_smooth();
  loom_rtl_step(chance(MOST));
  reset();
}

/* Some words within a burst, in the first half of the memory, which is read, or in the second. */
static void refuse(void) {
  int is_read = chance(2) != 0;
  uint64_t line = bus.address + (is_read ? 64 * chance(6) : 512 + 64 * (1 + chance(4))), fault = 0;
  uint64_t from = line + 4 * chance(16),
           to = from + 4 * (1 + chance((unsigned)(line + 64 - from) / 4));
  uint32_t response = 2 + chance(2);
  loom_rtl_refuse(from, to, response);
  start_smooth();
  expect(loom_wait(&device) == LOOM_RUN_FAILED && loom_error(&device) == (is_read ? 10u : 11u),
         "a bus that refuses", loom_error(&device));
  expect(strstr(loom_why(&device), response == 2 ? "SLVERR" : "DECERR") != NULL, "how", response);
  loom_fault(&device, &fault);
  expect(fault == (is_read ? from : line), "where it refused", fault);
  expect_drained();
  loom_rtl_refuse(0, 0, 0);
}

/* A memory that takes what comes and does not answer, for a while, or until the reset. */
static void silence(void) {
  loom_rtl_memory memory = {1 + chance(40), 0, 1, 1};
  loom_rtl_behave(&memory);
  loom_watchdog(&device, 300 + chance(100));
  start_smooth();
  expect(loom_wait(&device) == LOOM_RUN_FAILED && loom_error(&device) == 13, "silence",
         loom_error(&device));
  expect(loom_start(&device) == LOOM_RUN_FAILED && loom_error(&device) == 13, "silence, again",
         loom_error(&device));
  expect(loom_configure(&device, &edge_kernel) == LOOM_RUN_FAILED, "silence, another kernel", 0);
  expect(loom_rtl_look()->outstanding != 0, "something is outstanding", 0);
  memory.is_silent = 0;
  loom_rtl_behave(&memory);
  if (chance(2)) {
    loom_rtl_step(500);
    expect_drained();
  } else {
    reset();
  }
  loom_watchdog(&device, 0);
}

static void other_memory(unsigned turn) {
  loom_rtl_memory memory = {1 + chance(40), chance(3) ? chance(200) : 0, turn, 0};
  loom_rtl_behave(&memory);
}
#endif

static void between(unsigned turn) {
  unsigned what = chance(12);
  (void)turn;
  if (what == 0) reset();
  if (what == 1) half_image();
  if (what == 2) loom_clear(&device);
#ifdef RTL
  if (what == 3 || what == 4) abort_run();
  if (what == 5) reset_in_run();
  if (what == 6) refuse();
  if (what == 7) other_memory(turn);
  if (what == 8 && chance(4) == 0) silence();
#endif
}

int main(int argc, char **argv) {
  unsigned turns = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
  state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
  open_system();
  loom_use(&device);
  test_registers();
  test_queues();
  test_in_run();
  test_wrong_use();
  loom_open(&device, &bus);
  draw();
  test_interrupt();
  test_switching();
  test_caches();
  test_bus_fails();
  for (unsigned turn = 0; turn < turns; turn++) {
    draw();
    between(turn);
    draw();
    run(turn);
  }
#ifdef UIO
  expect(system_uio_accesses > 1000 && system_uio_came == 1 && system_uio_waits == 1, "through UIO",
         system_uio_accesses);
  system_uio_close();
#endif
#ifdef RTL
  expect(!loom_rtl_look()->broken, "rules of AXI", loom_rtl_look()->broken);
  {
    loom_rtl_seen *seen = loom_rtl_look();
    uint64_t before = seen->cycles;
    loom_rtl_behave(NULL);
    reset();
    draw();
    before = seen->cycles;
    loom_configure(&device, &smooth_kernel);
    before = seen->cycles - before;
    expect(before < smooth_kernel.word_count + 48, "a word a cycle", before);
    printf("configured in %u cycles, %u words\n", (unsigned)before, smooth_kernel.word_count);
    start_smooth();
    loom_wait(&device);
    before = seen->first_read - seen->started;
    expect(before <= 20, "the first request", before);
    printf("first request %u cycles behind the start\n", (unsigned)before);
  }
#endif
  if (!wrong) printf("%u turns, good\n", turns);
  return wrong != 0;
}

/* npy_memory.c -- large .npy files need memory for one copy of their data.
 *
 *     npy-memory LOOM SCRATCH
 *
 * Runs kernels on two arrays, small ones and large ones, and takes the peak of the process's memory
 * from the system each time. What the large ones need more must be their data and little else: not
 * a copy for the file, one for the case, one for the engine and one for the result. Every engine
 * reads two arrays; reads two, writes into one of them and writes both as files again, whose bytes
 * are checked; reads files of another element type; and all engines together read the same two
 * arrays. Sizes are what is measured, never times. Then a file that changes while LOOM has it open
 * must end LOOM with a word. Prints "N passed, N failed". */
#include "lib.h"
#include "run/array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL = 1000, LARGE = 2000000, HEADER = 128 };

static const char *loom, *scratch;
static const char *path_of(const char *name) {
  return path_in(scratch, name);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put(FILE *out, const void *data, size_t size) {
  if (fwrite(data, 1, size, out) != size) exit(1);
}

/* Element i of array `which`: nothing that repeats soon. */
static u32 number(u32 which, u32 i) {
  return (i + 1) * (which ? 2654435761u : 2246822519u);
}

/* `bytes` of each number, as `descr`. */
static void write_array(const char *name, u32 which, u32 n, const char *descr, size_t bytes) {
  FILE *out = fopen(path_of(name), "wb");
  if (!out) exit(1);
  char header[HEADER];
  memset(header, ' ', sizeof header);
  memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
  int len = snprintf(header + 10, sizeof header - 10,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (%u,), }", descr, n);
  header[10 + len] = ' ';
  header[HEADER - 1] = '\n';
  put(out, header, sizeof header);
  for (u32 i = 0; i < n; i++) {
    u32 value = number(which, i);
    put(out, &value, bytes);
  }
  if (fclose(out)) exit(1);
}

/* Whether out/b.npy is the sum of both, and out/a.npy what it was. */
static bool sums_are_right(u32 n) {
  FILE *a = fopen(path_of("out/a.npy"), "rb"), *b = fopen(path_of("out/b.npy"), "rb");
  bool good = a && b && fseek(a, HEADER, SEEK_SET) == 0 && fseek(b, HEADER, SEEK_SET) == 0;
  for (u32 i = 0, x, y; good && i < n; i++)
    good = fread(&x, 4, 1, a) == 1 && fread(&y, 4, 1, b) == 1 && x == number(0, i) &&
           y == number(0, i) + number(1, i);
  if (a) fclose(a);
  if (b) fclose(b);
  return good;
}

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct {
  const char *name, *kernel, *descr;
  bool writes; /* the arrays as files again */
  size_t bytes;
  u32 copies; /* of a memory that is stored in, when all engines run: each has its own */
} Trial;

static const char reading[] =
    "func.func @f(%a: memref<?xi32>, %b: memref<?xi32>) -> i32 {\n"
    "  %0 = arith.constant 0 : index\n"
    "  %1 = arith.constant 1 : index\n"
    "  %zero = arith.constant 0 : i32\n"
    "  %n = memref.dim %a, %0 : memref<?xi32>\n"
    "  %sum = scf.for %i = %0 to %n step %1 iter_args(%acc = %zero) -> (i32) {\n"
    "    %x = memref.load %a[%i] : memref<?xi32>\n"
    "    %y = memref.load %b[%i] : memref<?xi32>\n"
    "    %p = arith.muli %x, %y : i32\n"
    "    %t = arith.addi %acc, %p : i32\n"
    "    scf.yield %t : i32\n"
    "  }\n"
    "  return %sum : i32\n"
    "}\n";

static const char writing[] = "func.func @f(%a: memref<?xi32>, %b: memref<?xi32>) {\n"
                              "  %0 = arith.constant 0 : index\n"
                              "  %1 = arith.constant 1 : index\n"
                              "  %n = memref.dim %a, %0 : memref<?xi32>\n"
                              "  scf.for %i = %0 to %n step %1 {\n"
                              "    %x = memref.load %a[%i] : memref<?xi32>\n"
                              "    %y = memref.load %b[%i] : memref<?xi32>\n"
                              "    %t = arith.addi %x, %y : i32\n"
                              "    memref.store %t, %b[%i] : memref<?xi32>\n"
                              "  }\n"
                              "  return\n"
                              "}\n";

static const Trial trials[] = {
    {"reading", reading, "<i4", false, 4, 0},
    {"reading and writing", writing, "<i4", true, 4, 3},
    {"files of another type", reading, "|u1", false, 1, 0},
};

/* Peak of LOOM's memory in bytes; 0 where it did not end well. */
static u64 peak_of(const Trial *trial, const char *engine) {
  char a[1010], b[1010];
  u64 peak = 0;
  snprintf(a, sizeof a, "a=%s", path_of("a.npy"));
  snprintf(b, sizeof b, "b=%s", path_of("b.npy"));
  const char *words[] = {loom,       "run",  path_of("f.mlir"), "--in",         a,   "--in", b,
                         "--engine", engine, "--out-dir",       path_of("out"), NULL};
  if (!trial->writes) words[9] = NULL;
  return run_program(words, &(RunLimits){.out = "/dev/null", .peak = &peak}) ? 0 : peak;
}

static void write_arrays(const Trial *trial, u32 n) {
  write_array("a.npy", 0, n, trial->descr, trial->bytes);
  write_array("b.npy", 1, n, trial->descr, trial->bytes);
}

static void check_trial(const Trial *trial, const char *engine) {
  char what[100];
  snprintf(what, sizeof what, "%s on %s", trial->name, engine);
  write_file(path_of("f.mlir"), trial->kernel, strlen(trial->kernel));
  write_arrays(trial, SMALL);
  peak_of(trial, engine); /* cc compiles now, and finds the kernel from here on */
  u64 small = peak_of(trial, engine);
  write_arrays(trial, LARGE);
  u64 large = peak_of(trial, engine), array = (u64)LARGE * sizeof(u32), data = 2 * array;
  if (strcmp(engine, "all") == 0) data += trial->copies * array;
  check(small && large, "%s: LOOM did not end with 0", what);
  if (trial->writes)
    check(sums_are_right(LARGE), "%s: the files are not what they should be", what);
#ifndef ARENA_MALLOC /* the sanitizers' own memory would be measured */
  u64 most = data + data / 8 + (1 << 20), took = large > small ? large - small : 0;
  check(took <= most, "%s: %llu bytes of data took %llu more", what, (unsigned long long)data,
        (unsigned long long)took);
  check(took >= array, "%s: so little memory cannot be: this test measures nothing", what);
#else
  (void)data;
#endif
}

/* ---- files that change ----------------------------------------------------------------------- */

/* An open array of a file that is of another size when its elements are wanted. */
static int read_late(void *size) {
  int fd = open(path_of("a.npy"), O_RDONLY);
  Array *a = array_of_file(fd, "a.npy", HEADER, SMALL, 4);
  if (truncate(path_of("a.npy"), *(off_t *)size)) return 1;
  array_release(array_share(a));
  return 0;
}

static void check_changing(off_t size, const char *word) {
  write_array("a.npy", 0, SMALL, "<i4", 4);
  int status = run_apart(read_late, &size, &(RunLimits){.err = path_of("said")});
  char *said = read_file(path_of("said"), NULL);
  check(status == EXIT_FAULT, "%s: it went on", word);
  check(strstr(said, word) != NULL, "%s: it says %s", word, said);
  free(said);
}

int main(int argc, char **argv) {
  if (argc != 3) wrong_usage("npy-memory LOOM SCRATCH");
  loom = argv[1];
  scratch = argv[2];
  mkdir(scratch, 0777);
  setenv("XDG_CACHE_HOME", path_of("cache"), 1);
  static const char *const engines[] = {"ref", "dfg", "jit", "cc", "all"};
  for (size_t t = 0; t < COUNT_OF(trials); t++)
    for (size_t e = 0; e < COUNT_OF(engines); e++) check_trial(&trials[t], engines[e]);
  check_changing(HEADER + 100, "the file became shorter during the run");
  check_changing(HEADER + 4 * SMALL + 100, "the file was changed during the run");
  return checks_end();
}

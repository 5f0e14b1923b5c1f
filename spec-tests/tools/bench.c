/* bench.c -- `make bench`: how fast LOOM is and how lean its graphs are, as tables.
 *
 *     bench LOOM GOLDEN
 *
 * Whole runs of the binary are timed from outside (start to finish, peak memory); the stages from
 * inside, on generated programs, so that reading does not hide lowering. Every figure is the median
 * of several runs, with the fastest and slowest beside it. Goals stand in the last column; nothing
 * fails when one is missed, because a timed test is a test of the machine.
 */
#include "subjects.h"

#include "dfg/dfg.h"
#include "lower/lower.h"
#include "run/literal.h"
#include "run/ref.h"
#include "run/token.h"
#include "text/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 7, STARTS = 101, SECONDS_A_ROW = 10 };

NORETURN static void give_up(const char *why) {
  fprintf(stderr, "bench: %s\n", why);
  exit(1);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void row(const char *what, const char *unit, double *values, size_t n, const char *goal) {
  double middle = median(values, n);
  printf("| %-44s | %9.4g | %9.4g | %9.4g | %-10s | %-10s |\n", what, middle, values[0],
         values[n - 1], unit, goal);
  fflush(stdout);
}

static void heading(const char *title) {
  printf("\n%s\n\n", title);
  printf("| %-44s | %9s | %9s | %9s | %-10s | %-10s |\n", "", "median", "least", "most", "unit",
         "goal");
  printf(
      "|----------------------------------------------|-----------|-----------|-----------|------"
      "------|------------|\n");
}

static void print_machine(void) {
  char line[256], model[200] = "unknown processor";
  struct utsname system;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
      snprintf(model, sizeof model, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
               strchr(line, ':') + 2);
  if (file) fclose(file);
  uname(&system);
  printf("%s, %ld cores, %s %s; one core is used\n", model, sysconf(_SC_NPROCESSORS_ONLN),
         system.sysname, system.release);
}

/* ---- whole runs ----------------------------------------------------------------------------- */

/* Runs argv with its output discarded: seconds of wall time; *peak is its peak memory in bytes.
 */
static double run_whole(const char *const *argv, double *peak) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  char *environment[] = {NULL};
  pid_t child;
  int status;
  struct rusage usage;
  double start = seconds_now();
  if (posix_spawn(&child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environment))
    give_up("cannot run loom");
  wait4(child, &status, 0, &usage);
  double seconds = seconds_now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (!WIFEXITED(status) || WEXITSTATUS(status)) give_up("loom failed");
  *peak = (double)usage.ru_maxrss * 1024;
  return seconds;
}

/* ---- generated programs --------------------------------------------------------------------- */

/* One loop nest of about 25 ops: loads, stores, a carried sum, an if. Over a square one guard
 * serves both of its loops; otherwise each wants its own. */
static void put_nest(Buf *out, u32 i, bool square) {
  buf_printf(out,
             "  %%s%u = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%a = %%zero) -> (i32) {\n"
             "    %%t = scf.for %%j = %%c0 to %%%c step %%c1 iter_args(%%b = %%a) -> (i32) {\n"
             "      %%x = memref.load %%m[%%j] : memref<64xi32>\n"
             "      %%y = memref.load %%p[%%i] : memref<64xi32>\n"
             "      %%u = arith.muli %%x, %%y : i32\n"
             "      %%v = arith.addi %%u, %%b : i32\n"
             "      %%w = arith.xori %%v, %%k%u : i32\n"
             "      %%c = arith.cmpi slt, %%w, %%b : i32\n"
             "      %%r = scf.if %%c -> (i32) {\n"
             "        %%d = arith.subi %%w, %%x : i32\n"
             "        memref.store %%d, %%q[%%j] : memref<64xi32>\n"
             "        scf.yield %%d : i32\n"
             "      } else {\n"
             "        %%e = arith.shli %%w, %%one : i32\n"
             "        scf.yield %%e : i32\n"
             "      }\n"
             "      %%f = arith.andi %%r, %%y : i32\n"
             "      scf.yield %%f : i32\n"
             "    }\n"
             "    memref.store %%t, %%q[%%i] : memref<64xi32>\n"
             "    scf.yield %%t : i32\n"
             "  }\n",
             i, square ? 'n' : 'l', i);
}

enum { OPS_A_NEST = 21, LARGEST_FUNCTION = 400 };

/* Functions of up to `nests` loop nests each, `total` in all. */
static void put_program(Buf *out, u32 total, u32 nests, bool square) {
  for (u32 done = 0, f = 0; done < total; f++) {
    u32 here = total - done < nests ? total - done : nests;
    buf_printf(out,
               "func.func @f%u(%%m: memref<64xi32>, %%p: memref<64xi32>, %%q: memref<64xi32>, "
               "%%n: index, %%l: index) -> i32 {\n"
               "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
               "  %%zero = arith.constant 0 : i32\n  %%one = arith.constant 1 : i32\n",
               f);
    for (u32 i = 0; i < here; i++)
      buf_printf(out, "  %%k%u = arith.constant %u : i32\n", i, i * 7 + 3);
    for (u32 i = 0; i < here; i++) put_nest(out, i, square);
    buf_printf(out, "  return %%s%u : i32\n}\n", here - 1);
    done += here;
  }
}

static void put_matmul(Buf *out, u32 n) {
  buf_printf(out,
             "func.func @matmul(%%a: memref<%ux%uxf32>, %%b: memref<%ux%uxf32>, "
             "%%c: memref<%ux%uxf32>) {\n"
             "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
             "  %%n = arith.constant %u : index\n"
             "  scf.for %%i = %%c0 to %%n step %%c1 {\n"
             "    scf.for %%j = %%c0 to %%n step %%c1 {\n"
             "      %%z = memref.load %%c[%%i, %%j] : memref<%ux%uxf32>\n"
             "      %%s = scf.for %%k = %%c0 to %%n step %%c1 iter_args(%%acc = %%z) -> (f32) {\n"
             "        %%x = memref.load %%a[%%i, %%k] : memref<%ux%uxf32>\n"
             "        %%y = memref.load %%b[%%k, %%j] : memref<%ux%uxf32>\n"
             "        %%p = arith.mulf %%x, %%y : f32\n"
             "        %%t = arith.addf %%acc, %%p : f32\n"
             "        scf.yield %%t : f32\n      }\n"
             "      memref.store %%s, %%c[%%i, %%j] : memref<%ux%uxf32>\n    }\n  }\n  return\n}\n",
             n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
}

/* ---- stages from inside --------------------------------------------------------------------- */

static Module *read_program(Context *ctx, const Buf *text) {
  Module *module = module_read(ctx, "bench.mlir", text->data, text->len);
  if (!module) give_up("a generated program is not accepted");
  return module;
}

static u32 count_ops(const Region *region) {
  u32 n = 0;
  for_each_block (block, region)
    for_each_op (op, block) {
      n++;
      for (u32 i = 0; i < op->nregions; i++) n += count_ops(&op->regions[i]);
    }
  return n;
}

static void bench_text(const char *loom) {
  Buf text = {0};
  put_program(&text, 7000, LARGEST_FUNCTION, true);
  const char *path = path_in(temp_folder(), "text.mlir");
  write_file(path, text.data, text.len);
  double megabytes = (double)text.len / 1e6, speed[RUNS], whole[RUNS], memory[RUNS];
  for (u32 i = 0; i < RUNS; i++) {
    Context *ctx = context_new();
    Buf out = {0};
    double start = seconds_now();
    Module *module = read_program(ctx, &text);
    text_print(module, (PrintOptions){0}, &out);
    speed[i] = megabytes / (seconds_now() - start);
    buf_free(&out);
    module_free(module);
    context_free(ctx);
    const char *argv[] = {loom, "opt", path, NULL};
    double peak;
    whole[i] = megabytes / run_whole(argv, &peak);
    memory[i] = peak / (double)text.len;
  }
  char title[80];
  snprintf(title, sizeof title, "Text: nested scf of %.1f MB", megabytes);
  heading(title);
  row("parse + verify + print, inside", "MB/s", speed, RUNS, ">= 100");
  row("loom opt FILE, start to finish", "MB/s", whole, RUNS, "");
  row("peak memory of it, times the file", "x", memory, RUNS, "<= 12");
  buf_free(&text);
}

/* Lowers the text RUNS times, as far as `stop_after` (NULL: proofs included), and prints its row.
 */
static void lowering_row(const Buf *text, const char *what, const char *stop_after) {
  double speed[RUNS], begin = seconds_now();
  u32 ops = 0, runs = 0;
  while (runs < RUNS && (runs == 0 || seconds_now() - begin < SECONDS_A_ROW)) {
    Context *ctx = context_new();
    Module *module = read_program(ctx, text);
    ops = count_ops(&module->top->regions[0]);
    LowerOptions options = {0};
    if (stop_after) options.stop_after = lower_stage_find(stop_after, strlen(stop_after));
    double start = seconds_now();
    if (!lower_module(module, &options)) give_up("a generated program is not lowered");
    speed[runs++] = ops / (seconds_now() - start) / 1e6;
    module_free(module);
    context_free(ctx);
  }
  char title[80];
  snprintf(title, sizeof title, "%u ops in %s%s", ops, what, stop_after ? "" : ", and proofs");
  row(title, "M ops/s", speed, runs, stop_after ? ">= 1" : "");
}

/* The same for a whole run: reading, proofs and printing, and memory that is new to the process. */
static void whole_lowering_row(const char *loom, const Buf *text, const char *what) {
  const char *path = path_in(temp_folder(), "program.mlir");
  char title[80];
  write_file(path, text->data, text->len);
  Context *ctx = context_new();
  Module *module = read_program(ctx, text);
  u32 ops = count_ops(&module->top->regions[0]);
  module_free(module);
  context_free(ctx);
  double speed[RUNS], peak;
  const char *argv[] = {loom, "lower", path, NULL};
  for (u32 i = 0; i < RUNS; i++) speed[i] = ops / run_whole(argv, &peak) / 1e6;
  snprintf(title, sizeof title, "%u ops in %s, start to finish", ops, what);
  row(title, "M ops/s", speed, RUNS, "");
}

static void bench_lowering(const char *loom) {
  heading("Lowering");
  for (u32 goal = 25000; goal <= 200000; goal *= 2) {
    for (u32 many = 0; many < 2; many++) {
      Buf text = {0};
      put_program(&text, goal / OPS_A_NEST, many ? 20 : goal / OPS_A_NEST, true);
      const char *what = many ? "small functions" : "one function";
      lowering_row(&text, what, "clean");
      lowering_row(&text, what, NULL);
      if (goal == 200000) whole_lowering_row(loom, &text, what);
      buf_free(&text);
    }
    Buf text = {0};
    put_program(&text, goal / OPS_A_NEST, goal / OPS_A_NEST, false);
    lowering_row(&text, "one function, two guards", "clean");
    buf_free(&text);
  }
}

/* A case for a function whose memrefs are static: all zeros. */
static Case *zero_case(Context *ctx, const Op *func) {
  const Block *entry = region_entry(&func->regions[0]);
  const Type *types[8];
  Buf args = {0};
  for (u32 i = 0; i < entry->nargs; i++) {
    types[i] = entry->args[i]->type;
    buf_printf(&args, "%s[0 x %lld]", i ? ", " : "", (long long)type_static_elements(types[i]));
  }
  Literals in = {.ctx = ctx, .at = args.data, .end = args.data + args.len};
  Case *c = literal_case(&in, str_of(ctx, op_attr_text(func, "sym_name")), types, entry->nargs);
  if (!c) give_up(in.problem);
  buf_free(&args);
  return c;
}

static void bench_engines(void) {
  heading("Engines, with histories: a 128 x 128 matrix product");
  Buf text = {0};
  put_matmul(&text, 128);
  Context *ctx = context_new();
  Module *module = read_program(ctx, &text);
  Op *func = region_entry(&module->top->regions[0])->first;
  const Str *name = str_of(ctx, "matmul");
  Case *c = zero_case(ctx, func);
  RunOptions options = run_options();
  double ref[RUNS], dfg[RUNS];
  for (u32 i = 0; i < RUNS; i++) {
    RunResult result = {0};
    if (ref_run(ctx, module, name, c, &options, &result) != RUN_FINISHED) give_up("ref failed");
    ref[i] = (double)result.steps / result.seconds / 1e6;
    run_result_free(&result);
  }
  LowerOptions lower = {0};
  Dfg *graph =
      lower_module(module, &lower) ? dfg_freeze(ctx, symbol_find(module->top, name)) : NULL;
  if (!graph) give_up("the matrix product is not lowered");
  for (u32 i = 0; i < RUNS; i++) {
    RunResult result = {0};
    if (token_run(ctx, graph, c, &options, &result) != RUN_FINISHED) give_up("dfg failed");
    dfg[i] = (double)result.steps / result.seconds / 1e6;
    run_result_free(&result);
  }
  row("ref", "M ops/s", ref, RUNS, ">= 50");
  row("dfg", "M firings/s", dfg, RUNS, ">= 40");
  dfg_free(graph);
  case_free(c);
  module_free(module);
  context_free(ctx);
  buf_free(&text);
}

static void bench_start(const char *loom) {
  static const char kernel[] =
      "func.func @sum(%m: memref<64xi32>) -> i32 {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %c1 = arith.constant 1 : index\n"
      "  %n = arith.constant 64 : index\n"
      "  %zero = arith.constant 0 : i32\n"
      "  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {\n"
      "    %x = memref.load %m[%i] : memref<64xi32>\n"
      "    %t = arith.addi %a, %x : i32\n"
      "    scf.yield %t : i32\n"
      "  }\n"
      "  return %s : i32\n"
      "}\n";
  const char *path = path_in(temp_folder(), "sum.mlir"), *args = "--args=[1 x 64]";
  write_file(path, kernel, sizeof kernel - 1);
  static const char *const titles[] = {"loom opt, ten lines", "loom lower, ten lines",
                                       "loom run on both engines, ten lines"};
  const char *calls[][5] = {{loom, "opt", path, NULL, NULL},
                            {loom, "lower", path, NULL, NULL},
                            {loom, "run", path, args, NULL}};
  heading("Start to finish");
  for (u32 c = 0; c < COUNT_OF(calls); c++) {
    double times[STARTS], peak;
    for (u32 i = 0; i < STARTS; i++) times[i] = run_whole(calls[c], &peak) * 1e3;
    row(titles[c], "ms", times, STARTS, "<= 5");
  }
}

/* ---- the build ------------------------------------------------------------------------------ */

static void bench_build(void) {
  const char *dir = temp_folder();
  char command[256], binary[64];
  double seconds, size;
  struct stat info;
  heading("Clean build, all cores");
  snprintf(command, sizeof command,
           "env -u MAKEFLAGS -u MAKELEVEL make -s BUILD=%s all >/dev/null && strip %s/loom", dir,
           dir);
  snprintf(binary, sizeof binary, "%s/loom", dir);
  double start = seconds_now();
  if (system(command) != 0 || stat(binary, &info) != 0) give_up("make failed");
  seconds = seconds_now() - start;
  size = (double)info.st_size / 1e6;
  row("make", "s", &seconds, 1, "<= 20");
  row("the binary without debug information", "MB", &size, 1, "<= 4");
}

/* ---- the graphs ----------------------------------------------------------------------------- */

/* What a prototype of the same templates needed that did not clean up: to be below. */
static u32 prototype_nodes(const char *name) {
  static const struct {
    const char *name;
    u32 nodes;
  } known[] = {{"matmul", 49}, {"histogram", 58}, {"spmv_csr", 67}, {"median", 75}};
  for (u32 i = 0; i < COUNT_OF(known); i++)
    if (strcmp(known[i].name, name) == 0) return known[i].nodes;
  return 0;
}

/* Reads golden/NAME/kernel.mlir, lowers it and prints its row. */
static void golden_row(const char *golden, const char *name) {
  Context *ctx = context_new();
  LowerOptions options = {0};
  Kernel k;
  bool good = kernel_read(ctx, path_in(golden, name), &k);
  Module *module = k.subject.module;
  u32 ops = good ? count_ops(&module->top->regions[0]) : 0;
  good = good && lower_module(module, &options);
  for (Op *func = good ? region_entry(&module->top->regions[0])->first : NULL; func;
       func = func->next) {
    u32 nodes = 0, ports = 0, memories = 0;
    if (func->kind != OP_HANDSHAKE_FUNC) continue;
    for_each_op (op, region_entry(&func->regions[0])) {
      bool memory = op->kind == OP_HANDSHAKE_MEMORY || op->kind == OP_HANDSHAKE_EXTMEMORY;
      bool port = op->kind == OP_HANDSHAKE_LOAD || op->kind == OP_HANDSHAKE_STORE;
      memories += memory;
      ports += port;
      nodes += !memory && !port && op->kind != OP_HANDSHAKE_RETURN;
    }
    char goal[16] = "";
    if (prototype_nodes(name)) snprintf(goal, sizeof goal, "< %u", prototype_nodes(name));
    printf("| %-24s | %6u | %6u | %6u | %8u | %6s |\n", name, ops, nodes, ports, memories, goal);
  }
  kernel_free(&k);
  context_free(ctx);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void bench_golden(const char *golden) {
  struct dirent **entries;
  int n = scandir(golden, &entries, NULL, by_name);
  printf("\nGraphs of the golden kernels\n\n| %-24s | %6s | %6s | %6s | %8s | %6s |\n", "", "ops",
         "nodes", "ports", "memories", "goal");
  printf("|--------------------------|--------|--------|--------|----------|--------|\n");
  for (int i = 0; i < n; i++) {
    if (entries[i]->d_type == DT_DIR && !strchr(entries[i]->d_name, '.'))
      golden_row(golden, entries[i]->d_name);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
}

int main(int argc, char **argv) {
  if (argc != 3) give_up("usage: bench LOOM GOLDEN");
  print_machine();
  bench_start(argv[1]);
  bench_text(argv[1]);
  bench_lowering(argv[1]);
  bench_engines();
  bench_build();
  bench_golden(argv[2]);
  return 0;
}

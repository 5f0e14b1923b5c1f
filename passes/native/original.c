/* original.c -- runs the kernel without LOOM, compiled by the compiler of its own language, on this
 * processor.
 *
 *     native.c, native.flags ─ the system's compiler ─► a shared object ─ a child ─► RunResult
 *
 * A front end may write C that calls the function in the file that it read
 * (plugins/loom_frontend.h). It is compiled at -O2, without the cache, since the files that it
 * includes are not known here; and it runs in a child process, which may crash or never end
 * (MAX_SECONDS). Arguments and results are in memory that both processes share:
 *
 *     head | arguments: memories, before and after the call, and scalars | results | spare results
 *
 * The results are those of the first call. Then it is called again for a few milliseconds, in rows
 * of calls, each on fresh arguments: the fastest row gives the time of a call with warm caches.
 * Cycles are those of the time stamp counter, where the processor has one. */
#include "native/code.h"

#include "base/interrupt.h"
#include "native/tools.h"
#include "ir/eval.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALIGNMENT = 64, MAX_ROW = 16, MAX_ROWS = 1000, MAX_SECONDS = 10 };
static const double seconds_of_calls = 3e-3;

typedef void NativeCall(void *const *arguments, void *const *results);

/* The report of the child. */
typedef struct {
  bool called;
  char why[200]; /* where it was not called: the reason */
  u64 cycles;
  double seconds;
} Head;

typedef struct {
  Context *ctx;
  Arena *arena;
  const Case *input;
  const RunResult *like; /* another run, which has the types of results */
  Head *head;
  size_t size;
  void **arguments, **results; /* into the shared memory, behind the head */
  void **spare;                /* likewise: for results that are not used */
  size_t *bytes;               /* of arguments */
} Native;

/* Reads the time stamp counter after all earlier instructions, and before later ones. */
static u64 processor_cycles(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_lfence();
  u64 now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
#else
  return 0;
#endif
}

/* ---- the shared memory ----------------------------------------------------------------------- */

static unsigned bytes_of(const Native *n, const Type *type) {
  return element_bytes(type_bits(n->ctx, type));
}

/* Reserves `bytes` more: their offset; *size grows. */
static size_t reserve(size_t *size, size_t bytes) {
  size_t at = *size;
  *size += (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  return at;
}

static bool share_memory(Native *n) {
  size_t nargs = n->input->nargs, nresults = n->like->results.len;
  size_t *places = NEW_ARRAY(n->arena, size_t, nargs + 2 * nresults);
  reserve(&n->size, sizeof *n->head);
  n->bytes = NEW_ARRAY(n->arena, size_t, nargs);
  for (size_t i = 0; i < nargs; i++) {
    const CaseArg *arg = &n->input->args[i];
    n->bytes[i] = (arg->kind == CASE_MEMREF ? arg->n : 1) * bytes_of(n, arg->type);
    places[i] = reserve(&n->size, n->bytes[i]);
  }
  for (size_t i = 0; i < 2 * nresults; i++) places[nargs + i] = reserve(&n->size, sizeof(u64));
  void *memory = mmap(NULL, n->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  n->head = memory;
  n->arguments = NEW_ARRAY(n->arena, void *, nargs);
  n->results = NEW_ARRAY(n->arena, void *, nresults);
  for (size_t i = 0; i < nargs; i++) n->arguments[i] = (char *)memory + places[i];
  n->spare = NEW_ARRAY(n->arena, void *, nresults);
  for (size_t i = 0; i < nresults; i++) {
    n->results[i] = (char *)memory + places[nargs + i];
    n->spare[i] = (char *)memory + places[nargs + nresults + i];
  }
  return true;
}

static void fill_arguments(const Native *n) {
  for (u32 i = 0; i < n->input->nargs; i++) {
    const CaseArg *arg = &n->input->args[i];
    if (arg->kind == CASE_MEMREF) {
      Array *rows = array_share(arg->array);
      memcpy(n->arguments[i], array_data(rows), n->bytes[i]);
      array_release(rows);
    } else {
      element_put(n->arguments[i], (unsigned)n->bytes[i], 0, arg->data[0]);
    }
  }
}

/* ---- the child ------------------------------------------------------------------------------- */

/* The arguments of the calls that are measured together: reading a clock takes as long as a short
 * call. */
typedef struct {
  void **arguments[MAX_ROW];
  u32 n;
} TimedCalls;

/* False: out of memory. */
static bool make_row(const Native *n, TimedCalls *row) {
  row->n = MAX_ROW;
  while (row->n > 1 && row->n * n->size > (size_t)1 << 18) row->n /= 2;
  for (u32 c = 0; c < row->n; c++) {
    row->arguments[c] = malloc((n->input->nargs + (size_t)1) * sizeof(void *));
    for (u32 i = 0; row->arguments[c] && i < n->input->nargs; i++)
      if (!(row->arguments[c][i] = malloc(n->bytes[i] + ALIGNMENT))) return false;
    if (!row->arguments[c]) return false;
  }
  return true;
}

/* Measures repeated calls, each on copies of the original arguments. */
static void measure(const Native *n, NativeCall *call, void *const *fresh) {
  TimedCalls row = {.n = 0};
  double start = seconds_now();
  if (!make_row(n, &row) || !row.n) return;
  for (u32 k = 0; k < MAX_ROWS && (k < 2 || seconds_now() - start < seconds_of_calls); k++) {
    for (u32 c = 0; c < row.n; c++)
      for (u32 i = 0; i < n->input->nargs && fresh[i]; i++)
        memcpy(row.arguments[c][i], fresh[i], n->bytes[i]);
    double begin = seconds_now();
    u64 first = processor_cycles();
    for (u32 c = 0; c < row.n; c++) call(row.arguments[c], n->spare);
    u64 cycles = (processor_cycles() - first) / row.n;
    double seconds = (seconds_now() - begin) / row.n;
    if (k == 0 || cycles < n->head->cycles) n->head->cycles = cycles;
    if (k == 0 || seconds < n->head->seconds) n->head->seconds = seconds;
  }
}

static void child_main(const Native *n, const char *library, const char *function) {
  alarm(MAX_SECONDS);
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *symbol = handle ? dlsym(handle, function) : NULL;
  NativeCall *call;
  memcpy(&call, &symbol, sizeof call);
  if (!call) {
    const char *why = dlerror();
    snprintf(n->head->why, sizeof n->head->why, "%s", why ? why : "it cannot be loaded");
    _exit(1);
  }
  void **fresh = calloc(n->input->nargs + (size_t)1, sizeof *fresh);
  for (u32 i = 0; fresh && i < n->input->nargs; i++) {
    fresh[i] = malloc(n->bytes[i] + 8);
    if (!fresh[i]) _exit(1);
    memcpy(fresh[i], n->arguments[i], n->bytes[i]);
  }
  call(n->arguments, n->results);
  n->head->called = true;
  if (fresh) measure(n, call, fresh);
  _exit(0);
}

static void run_child(Native *n, const char *library, const char *function) {
  fflush(NULL);
  pid_t child = interrupt_fork();
  int status = 0;
  if (child == 0) child_main(n, library, function);
  bool waited = child > 0 && interrupt_wait(child, &status);
  if (n->head->called || n->head->why[0]) return;
  snprintf(n->head->why, sizeof n->head->why, "%s",
           !waited                                              ? "a process cannot be started"
           : WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it does not end"
                                                                : "it crashes");
}

/* ---- results --------------------------------------------------------------------------------- */

/* LOOM makes every NaN the same one. */
static u64 one_nan(const Type *type, u64 bits) {
  FloatKind kind = (FloatKind)type->float_kind;
  return type_is_float(type) ? eval_float_bits(kind, eval_float_value(kind, bits)) : bits;
}

static void take_results(const Native *n, RunResult *result) {
  result->status = RUN_FINISHED;
  for (size_t i = 0; i < n->like->results.len; i++) {
    RunTokens tokens = {.type = n->like->results.at[i].type};
    u64 bits = element_get(n->results[i], bytes_of(n, tokens.type), 0);
    vec_push(&tokens.tokens, one_nan(tokens.type, bits));
    vec_push(&result->results, tokens);
  }
  for (u32 i = 0; i < n->input->nargs; i++) {
    const CaseArg *arg = &n->input->args[i];
    if (arg->kind != CASE_MEMREF) continue;
    unsigned bytes = bytes_of(n, arg->type);
    Array *array = array_new(arg->n, bytes), *before = array_share(arg->array);
    for (size_t k = 0; k < arg->n; k++) {
      u64 was = element_of(array_elements(before), k), is = element_get(n->arguments[i], bytes, k);
      element_put(array_data(array), bytes, k, is == was ? is : one_nan(arg->type, is));
    }
    array_release(before);
    vec_push(
        &result->memories,
        ((RunMemory){
            .arg = i, .elem = arg->type, .array = array, .rank = arg->rank, .shape = arg->shape}));
  }
}

/* The lines of native.flags. */
static u32 split_flags(Arena *arena, const Str *flags, const char ***out) {
  u32 n = 0;
  char *copy = arena_copy(arena, flags->text, flags->len + 1), *rest = NULL;
  *out = NEW_ARRAY(arena, const char *, flags->len + 1);
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    (*out)[n++] = line;
  return n;
}

bool original_run(Context *ctx, const Str *code, const Str *flags, const char *function,
                  const Case *input, const RunResult *like, Original *out) {
  Native n = {.ctx = ctx, .arena = arena_new(), .input = input, .like = like};
  const char **words;
  u32 nwords = split_flags(n.arena, flags, &words);
  double start = seconds_now();
  *out = (Original){0};
  Buf text = {0};
  buf_str(&text, code->text);
  const char *folder = cc_make_object(ctx, n.arena, &text, words, nwords, &out->why);
  buf_free(&text);
  out->compile_seconds = seconds_now() - start;
  if (folder && !share_memory(&n)) {
    out->why = "no memory for its arguments";
  } else if (folder) {
    fill_arguments(&n);
    run_child(&n, arena_printf(n.arena, "%s/kernel.so", folder),
              arena_printf(n.arena, "loom_native_%s", function));
    out->cycles = n.head->cycles;
    out->seconds = n.head->seconds;
    out->ran = n.head->called;
    if (out->ran) take_results(&n, &out->result);
    if (!out->ran) out->why = str_of(ctx, n.head->why)->text;
    munmap(n.head, n.size);
  }
  if (folder) tool_remove(folder);
  arena_free(n.arena);
  return out->ran;
}

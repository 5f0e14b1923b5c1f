/* kernel.c -- runs a compiled kernel on a case, with the results of the token simulator.
 *
 *     Case ── entries ──► args, memories ─┐
 *                                         ├─ info->run ─► results, memories ──► RunResult
 *     histories ◄── taps ◄── tokens ──────┘
 *
 * A kernel works on C types: an i8 is a byte, an f32 four of them, as in arrays (array.h). The size
 * of each memory is checked before it is allocated, and its elements are in its type's layout.
 *
 * **Exits.** A trap or an exhausted limit leaves the kernel by longjmp: it is C without anything to
 * clean up, and all its memory is ours.
 */
#include "native/taps.h"

#include <setjmp.h>

/* Bytes that growing memories and histories may take together. */
static const u64 most_grown = (u64)1 << 33;
/* Iterations between two looks at the clock. */
static const u64 usual_fuel = (u64)1 << 20;

/* A memory that a kernel has allocated: `aligned` in `block` is at a multiple of 64 bytes, so that
 * no vector register is loaded from two cache lines. */
typedef struct {
  u8 *block, *aligned;
  u64 bytes;
} Grown;

typedef struct {
  loom_kernel_run run;
  const loom_kernel_info *info;
  Context *ctx;
  const Dfg *dfg;
  const RunOptions *options;
  RunResult *result;
  Arena *arena;
  KernelEnd end;
  jmp_buf out;
  double started;
  u64 spent; /* fuel given out so far */
  ArgEntry *entries;
  Array **arrays; /* by memory: held; NULL: not an argument's */
  Taps *taps;     /* NULL: no histories */
  u32 *tokens_at; /* by output: index in RunResult.results, or DFG_NONE */
  Vec(Grown) grown;
  u64 grown_bytes;
} Kernel;

/* ---- callbacks of the kernel ----------------------------------------------------------------- */

NORETURN static void on_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a,
                             uint64_t b) {
  Kernel *k = run->user;
  k->end = (KernelEnd){.status = RUN_TRAP, .trap = code, .node = node, .a = a, .b = b};
  longjmp(k->out, 1);
}

/* The size of the next chunk of fuel; 0: --max-tokens is used up. */
static u64 next_fuel(const Kernel *k) {
  u64 most = k->options->max_steps;
  if (!most || most - k->spent > usual_fuel) return usual_fuel;
  return most - k->spent;
}

static uint64_t on_refuel(loom_kernel_run *run) {
  Kernel *k = run->user;
  const RunOptions *o = k->options;
  u64 fuel = next_fuel(k);
  bool late = o->max_seconds > 0 && seconds_now() - k->started > o->max_seconds;
  if (fuel && !late) {
    k->spent += fuel;
    return fuel;
  }
  if (late)
    diag(k->ctx, k->dfg->loc, RT_LIMIT, "stopped after %g seconds", o->max_seconds);
  else
    diag(k->ctx, k->dfg->loc, RT_LIMIT, "stopped after %llu loop iterations",
         (unsigned long long)k->spent);
  k->end = (KernelEnd){.status = RUN_LIMIT, .is_reported = true};
  longjmp(k->out, 1);
}

static void *on_grow(loom_kernel_run *run, void *old, uint64_t bytes) {
  Kernel *k = run->user;
  if (bytes > most_grown - k->grown_bytes) return NULL;
  k->grown_bytes += bytes; /* the old size stays counted: sizes double */
  enum { ALIGNMENT = 64 };
  size_t i = k->grown.len;
  while (old && i > 0 && k->grown.at[i - 1].aligned != old) i--;
  if (!old || i == 0) {
    vec_push(&k->grown, (Grown){0});
    i = k->grown.len;
  }
  Grown *at = &k->grown.at[i - 1], before = *at;
  at->block = mem_realloc(NULL, mem_size((size_t)bytes + ALIGNMENT, 1));
  at->aligned = at->block + (ALIGNMENT - (uintptr_t)at->block % ALIGNMENT);
  at->bytes = bytes;
  if (before.bytes)
    memcpy(at->aligned, before.aligned, before.bytes < bytes ? before.bytes : bytes);
  mem_free(before.block);
  return at->aligned;
}

static void on_tokens(loom_kernel_run *run, uint32_t result, const void *data, uint32_t n) {
  Kernel *k = run->user;
  taps_take(k->taps, result, data, n);
}

/* ---- memories -------------------------------------------------------------------------------- */

static void *new_elements(Kernel *k, u64 n, u32 type) {
  return arena_alloc(k->arena,
                     mem_size((size_t)(n ? n : 1), token_shape(k->dfg->types[type].bits).stride));
}

/* The memory of an argument: the case's elements in the type's layout. One without stores may share
 * the case's array. */
static void open_argument(Kernel *k, u32 memory) {
  const DfgMemory *decl = &k->dfg->memories[memory];
  const ArgEntry *arg = &k->entries[decl->arg];
  Array *array = case_memory(arg->entry, &arg->layout);
  if (decl->nstores) array = array_own(array);
  k->arrays[memory] = array;
  k->run.memories[memory] = (loom_kernel_memory){array_data(array), (u64)arg->layout.elements};
}

static bool make_memories(Kernel *k) {
  const Dfg *dfg = k->dfg;
  k->run.memories = NEW_ARRAY(k->arena, loom_kernel_memory, dfg->nmemories);
  k->arrays = NEW_ARRAY(k->arena, Array *, dfg->nmemories);
  for (u32 i = 0; i < dfg->nmemories; i++) {
    const DfgMemory *decl = &dfg->memories[i];
    loom_kernel_memory *memory = &k->run.memories[i];
    unsigned stride = token_shape(dfg->types[decl->elem].bits).stride;
    if (!entries_memory_fits(k->ctx, dfg, i)) return false;
    if (decl->arg != DFG_NONE) {
      open_argument(k, i);
    } else if (!decl->is_dynamic) {
      memory->elements = decl->elements;
      memory->data = new_elements(k, memory->elements, decl->elem);
      for (u64 e = 0; decl->ninitials && e < decl->elements; e++)
        element_put(memory->data, stride, e, entries_initial(dfg, decl, e));
    }
  }
  return true;
}

/* The final contents of each memref argument. One that no memory is of is unchanged. */
static void take_memories(Kernel *k) {
  const Dfg *dfg = k->dfg;
  for (u32 i = 0; i < dfg->nargs; i++) {
    if (dfg->args[i].role != DFG_ARG_MEMREF) continue;
    const ArgEntry *arg = &k->entries[i];
    u32 m = 0;
    while (m < dfg->nmemories && dfg->memories[m].arg != i) m++;
    Array *memory =
        m < dfg->nmemories ? array_retain(k->arrays[m]) : case_memory(arg->entry, &arg->layout);
    vec_push(&k->result->memories, case_result(i, arg->entry, memory, &arg->layout));
    array_release(memory);
  }
}

/* ---- arguments and results ------------------------------------------------------------------- */

static void make_arguments(Kernel *k) {
  const Dfg *dfg = k->dfg;
  u64 *args = NEW_ARRAY(k->arena, u64, dfg->nargs);
  for (u32 i = 0; i < dfg->nargs; i++)
    if (dfg->args[i].role != DFG_ARG_MEMREF && k->entries[i].ntokens)
      args[i] = k->entries[i].tokens[0];
  k->run.args = args;
}

static void make_results(Kernel *k) {
  const Dfg *dfg = k->dfg;
  k->run.results = NEW_ARRAY(k->arena, u64, dfg->noutputs);
  k->run.result_counts = NEW_ARRAY(k->arena, u64, dfg->noutputs);
  k->tokens_at = NEW_ARRAY(k->arena, u32, dfg->noutputs);
  for (u32 i = 0; i < dfg->noutputs; i++) {
    const Type *type = dfg->types[dfg->outputs[i].type].ir;
    k->tokens_at[i] = DFG_NONE;
    if (type->kind == TYPE_NONE) continue;
    k->tokens_at[i] = (u32)k->result->results.len;
    vec_push(&k->result->results, ((RunTokens){.type = type}));
  }
}

/* Each output is given one token. */
static void take_results(Kernel *k) {
  for (u32 i = 0; i < k->dfg->noutputs; i++)
    if (k->tokens_at[i] != DFG_NONE && k->run.result_counts[i])
      vec_push(&k->result->results.at[k->tokens_at[i]].tokens, k->run.results[i]);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void check_kernel(const Kernel *k) {
  const loom_kernel_info *info = k->info;
  const Dfg *dfg = k->dfg;
  if (info->abi != LOOM_KERNEL_ABI || info->args != dfg->nargs || info->outputs != dfg->noutputs ||
      info->memories != dfg->nmemories || info->results != dfg->nresults)
    loom_bug("a kernel that was made of another graph");
}

static RunStatus status_of(const Kernel *k, int returned) {
  if (returned == LOOM_KERNEL_FINISHED) return RUN_FINISHED;
  if (returned == LOOM_KERNEL_REFUSED && k->grown_bytes) return RUN_LIMIT; /* too much memory */
  loom_bug("a kernel came back with %d", returned);
}

/* A function of its own: after a longjmp, changed locals of this frame would be indeterminate. */
static void call_kernel(Kernel *k) {
  if (setjmp(k->out)) return;
  int returned = k->info->run(&k->run);
  k->end.status = status_of(k, returned);
}

static bool set_up(Kernel *k, const Case *c, const NativeOptions *more, TokenTrace *trace) {
  const Dfg *dfg = k->dfg;
  k->entries = NEW_ARRAY(k->arena, ArgEntry, dfg->nargs);
  if (!entries_read(k->ctx, dfg, c, k->arena, k->entries)) return false;
  if (!make_memories(k)) return false;
  make_arguments(k);
  make_results(k);
  if (!k->info->has_histories) return true;
  if (k->options->histories && dfg->naccesses) {
    k->result->observable = true;
    run_access(k->result, dfg->naccesses - 1);
  }
  bool edges = trace && more->edges;
  k->run.skip_same = 1;
  k->taps =
      taps_open(k->arena, k->ctx, dfg, k->info, k->options->keep, k->result, edges ? trace : NULL);
  return true;
}

static void clear(Kernel *k) {
  for (u32 i = 0; k->arrays && i < k->dfg->nmemories; i++) array_release(k->arrays[i]);
  for (size_t i = 0; i < k->grown.len; i++) mem_free(k->grown.at[i].block);
  vec_free(&k->grown);
  arena_free(k->arena);
}

KernelEnd kernel_run(Context *ctx, const Dfg *dfg, const loom_kernel_info *info, const Case *c,
                     const RunOptions *options, const NativeOptions *more, RunResult *result,
                     TokenTrace *trace) {
  static const NativeOptions nothing;
  Kernel k = {.info = info,
              .ctx = ctx,
              .dfg = dfg,
              .options = options,
              .result = result,
              .arena = arena_new(),
              .end = {.status = RUN_REFUSED, .is_reported = true}};
  if (!more) more = &nothing;
  check_kernel(&k);
  *result = (RunResult){0};
  if (trace) token_trace_open(trace, dfg, more->edges && info->has_histories, more->keep);
  if (set_up(&k, c, more, trace)) {
    k.end = (KernelEnd){0};
    k.run.abi = LOOM_KERNEL_ABI;
    k.run.user = &k;
    k.run.trap = on_trap;
    k.run.tokens = on_tokens;
    k.run.refuel = on_refuel;
    k.run.grow = on_grow;
    k.run.fuel = k.spent = next_fuel(&k);
    k.started = seconds_now();
    call_kernel(&k);
    result->seconds = seconds_now() - k.started;
    if (k.end.status == RUN_FINISHED) take_results(&k);
    take_memories(&k);
    if (k.taps) taps_finish(k.taps, trace);
  }
  clear(&k);
  result->status = k.end.status;
  return k.end;
}

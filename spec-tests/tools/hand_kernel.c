/* hand_kernel.c -- see hand_kernel.h. */
#include "hand_kernel.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- arguments ------------------------------------------------------------------------------ */

static void put(HandArray *array, size_t i, u64 bits) {
  u8 *at = (u8 *)array->fresh + i * array->stride;
  switch (array->stride) {
  case 1: *at = (u8)bits; break;
  case 2: *(u16 *)(void *)at = (u16)bits; break;
  case 4: *(u32 *)(void *)at = (u32)bits; break;
  default: *(u64 *)(void *)at = bits;
  }
}

static u64 get(const HandArray *array, size_t i) {
  const u8 *at = (const u8 *)array->data + i * array->stride;
  switch (array->stride) {
  case 1: return *at;
  case 2: return *(const u16 *)(const void *)at;
  case 4: return *(const u32 *)(const void *)at;
  default: return *(const u64 *)(const void *)at;
  }
}

static void add_array(HandKernel *k, const CaseArg *arg) {
  Arena *arena = k->input->arena;
  HandArray *array = &k->arrays[k->narrays++];
  unsigned bytes = history_bytes(type_bits(k->ctx, arg->type)), stride = 1;
  while (stride < bytes) stride *= 2;
  *array = (HandArray){.elements = arg->n, .stride = stride};
  array->data = arena_alloc(arena, mem_size(arg->n + 1, stride));
  array->fresh = arena_alloc(arena, mem_size(arg->n + 1, stride));
  Array *given = array_share(arg->array);
  for (size_t i = 0; i < arg->n; i++) put(array, i, element_of(array_elements(given), i));
  array_release(given);
}

static void take_arguments(HandKernel *k) {
  Arena *arena = k->input->arena;
  u32 n = k->input->nargs, nextents = 0, nscalars = 0;
  void **memrefs = NEW_ARRAY(arena, void *, n + 1);
  int64_t *extents = NEW_ARRAY(arena, int64_t, (size_t)n * 16 + 1);
  uint64_t *scalars = NEW_ARRAY(arena, uint64_t, n + 1);
  k->arrays = NEW_ARRAY(arena, HandArray, n + 1);
  for (u32 i = 0; i < n; i++) {
    const CaseArg *arg = &k->input->args[i];
    if (arg->kind == CASE_SCALAR) scalars[nscalars++] = arg->data[0];
    if (arg->kind != CASE_MEMREF) continue;
    add_array(k, arg);
    memrefs[k->narrays - 1] = k->arrays[k->narrays - 1].data;
    for (u32 d = 0; d < arg->rank && d < 16; d++) extents[nextents++] = arg->shape[d];
  }
  for (u32 i = 0; i < k->dfg->noutputs; i++)
    k->nresults += k->dfg->types[k->dfg->outputs[i].type].kind != TYPE_NONE;
  k->result = NEW_ARRAY(arena, u64, k->nresults + 1);
  k->call = (HandCall){memrefs, extents, scalars, (uint64_t *)k->result};
}

/* ---- kernels -------------------------------------------------------------------------------- */

bool hand_kernel_read(const char *dir, HandKernel *k) {
  *k = (HandKernel){.dir = dir, .ctx = context_new()};
  k->ctx->err = stderr;
  if (!kernel_lower(k->ctx, dir, &k->kernel)) return false;
  k->input = k->kernel.input;
  k->dfg = k->kernel.subject.dfg;
  k->domains = subject_domains(&k->kernel.subject);
  take_arguments(k);
  return true;
}

void hand_kernel_free(HandKernel *k) {
  kernel_free(&k->kernel);
  context_free(k->ctx);
  *k = (HandKernel){0};
}

void hand_kernel_restore(HandKernel *k) {
  for (u32 i = 0; i < k->narrays; i++)
    memcpy(k->arrays[i].data, k->arrays[i].fresh, k->arrays[i].elements * k->arrays[i].stride);
}

bool hand_kernel_check(HandKernel *k, const u64 *results) {
  RunResult run = {.status = RUN_FINISHED};
  for (u32 i = 0, r = 0; i < k->dfg->noutputs; i++) {
    const Type *type = k->dfg->types[k->dfg->outputs[i].type].ir;
    if (type->kind == TYPE_NONE) continue;
    vec_push(&run.results, ((RunTokens){.type = type}));
    vec_push(&vec_last(&run.results).tokens, results[r++]);
  }
  for (u32 i = 0, a = 0; i < k->input->nargs; i++) {
    const CaseArg *arg = &k->input->args[i];
    if (arg->kind != CASE_MEMREF) continue;
    const HandArray *array = &k->arrays[a++];
    RunMemory memory = {.arg = i, .elem = arg->type, .rank = arg->rank, .shape = arg->shape};
    memory.array = array_new(arg->n, array->stride);
    for (size_t e = 0; e < arg->n; e++)
      element_put(array_data(memory.array), array->stride, e, get(array, e));
    vec_push(&run.memories, memory);
  }
  bool good = k->input->has_expected && case_compare(k->ctx, k->input, &run, 0);
  run_result_free(&run);
  return good;
}

/* ---- libtcc --------------------------------------------------------------------------------- */

static void say(void *dir, const char *message) {
  fprintf(stderr, "%s/hand.c, by libtcc: %s\n", (const char *)dir, message);
}

static bool place(TCCState *tcc) {
#ifdef TCC_RELOCATE_AUTO
  return tcc_relocate(tcc, TCC_RELOCATE_AUTO) >= 0;
#else
  return tcc_relocate(tcc) >= 0;
#endif
}

HandFunction hand_by_tcc(const char *dir, TCCState **state) {
  HandFunction function = NULL;
  TCCState *tcc = *state = tcc_new();
  if (!tcc) return NULL;
  tcc_set_error_func(tcc, (void *)dir, say);
  tcc_set_options(tcc, "-nostdlib -nostdinc");
  tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
  tcc_define_symbol(tcc, "HAND_NO_HEADERS", "1");
  if (tcc_add_file(tcc, path_in(dir, "hand.c")) != 0) return NULL;
  jit_add_symbols(tcc);
  if (!place(tcc)) return NULL;
  void *address = tcc_get_symbol(tcc, "hand");
  memcpy(&function, &address, sizeof function);
  return function;
}

HandFunction hand_by_cc(const char *cc, const char *dir, void **library) {
  const char *path = path_in(temp_folder(), "hand.so");
  char command[8192];
  HandFunction function = NULL;
  snprintf(command, sizeof command,
           "%s -O2 -std=c11 -ffp-contract=off -fno-math-errno -fPIC -shared -o %s %s/hand.c -lm",
           cc, path, dir);
  *library = system(command) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  void *address = *library ? dlsym(*library, "hand") : NULL;
  memcpy(&function, &address, sizeof function);
  unlink(path);
  return function;
}

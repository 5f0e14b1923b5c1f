/* call.c -- emits a graph as a plain C function, and the header that declares it.
 *
 *     int32_t fir(const int16_t *x, int n) {
 *       loom_kernel_memory loom_memories[2] = {{0, 0}};
 *       uint64_t loom_args[2] = {0};
 *       ...
 *       loom_memories[0].data = (void *)(uintptr_t)x;
 *       loom_args[1] = (uint32_t)n;
 *       loom_call(&loom_run);
 *       return (int32_t)(uint32_t)loom_results[0];
 *     }
 *
 * So a program that calls fir can be linked with this file in place of its own definition. The host
 * gives the declaration of the function (loom.call/1). Under LOOM_MAIN, whose program has functions
 * of its own, of any name, and under LOOM_NO_HEADERS it is left out. A memory passed as a pointer
 * alone has no known size, and is given one that no access reaches. The graph's own memories are on
 * the stack if they are small, else from malloc. A trap, such as a division by zero, aborts. */
#include "csim.h"

enum { LARGE = 4096 }; /* bytes of a memory that are still put on the stack */

static const loom_memory *memory_of(Csim *m, uint32_t id, loom_memory *memory) {
  m->dfg->memory(m->design, id, memory, sizeof *memory);
  return memory;
}

static int is_own(const loom_memory *memory) {
  return memory->argument == LOOM_NONE;
}

static uint32_t bits_of(Csim *m, uint32_t type) {
  loom_type t;
  m->dfg->type(m->design, type, &t, sizeof t);
  return t.bits;
}

/* ---- helpers --------------------------------------------------------------------------------- */

static void write_helpers(Csim *m) {
  static const char *const lines[] = {
      "#if !defined(LOOM_NO_HEADERS) && !defined(LOOM_MAIN)",
      "#include <stdbool.h>",
      "#include <stdlib.h>",
      "static void loom_on_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a,",
      "                         uint64_t b) {",
      "  (void)run, (void)code, (void)node, (void)a, (void)b;",
      "  abort();",
      "}",
      "static void *loom_on_grow(loom_kernel_run *run, void *old, uint64_t bytes) {",
      "  (void)run;",
      "  return realloc(old, (size_t)bytes);",
      "}",
      "static void loom_call(loom_kernel_run *run) {",
      "  run->abi = LOOM_KERNEL_ABI;",
      "  run->trap = loom_on_trap;",
      "  run->grow = loom_on_grow;",
      "  if (loom_kernel.run(run) != LOOM_KERNEL_FINISHED) abort();",
      "}",
      "",
      NULL};
  csim_put(m, "\n");
  csim_text(m, lines);
}

/* ---- memories -------------------------------------------------------------------------------- */

/* Is it one of the graph's own memories, and small enough for the stack? */
static int is_on_stack(Csim *m, const loom_memory *memory) {
  return is_own(memory) && !memory->is_dynamic &&
         memory->elements <= LARGE * 8 / (bits_of(m, memory->element) + 1);
}

static void write_own(Csim *m, uint32_t id) {
  loom_memory memory;
  if (is_on_stack(m, memory_of(m, id, &memory)))
    csim_put(m, "  %s loom_own%u[%llu];\n", m->c->type_name(m->design, memory.element), id,
             (unsigned long long)(memory.elements ? memory.elements : 1));
}

static void write_memory(Csim *m, uint32_t id) {
  loom_memory memory;
  unsigned long long elements = memory_of(m, id, &memory)->elements;
  const char *type = m->c->type_name(m->design, memory.element);
  if (is_own(&memory) && memory.is_dynamic) return; /* grows */
  if (!is_own(&memory))
    csim_put(m, "  loom_memories[%u].data = (void *)(uintptr_t)%s;\n", id,
             m->call->parameter(m->design, memory.argument));
  else if (is_on_stack(m, &memory))
    csim_put(m, "  loom_memories[%u].data = loom_own%u;\n", id, id);
  else
    csim_put(m,
             "  loom_memories[%u].data = malloc(%lluu * sizeof(%s));\n"
             "  if (!loom_memories[%u].data) abort();\n",
             id, elements, type, id);
  if (memory.is_dynamic)
    csim_put(m, "  loom_memories[%u].elements = UINT64_MAX / 16;\n", id);
  else
    csim_put(m, "  loom_memories[%u].elements = %lluu;\n", id, elements);
}

static void write_free(Csim *m, uint32_t id) {
  loom_memory memory;
  if (is_own(memory_of(m, id, &memory)) && !is_on_stack(m, &memory))
    csim_put(m, "  free(loom_memories[%u].data);\n", id);
}

/* ---- scalars --------------------------------------------------------------------------------- */

static void write_argument(Csim *m, uint32_t i) {
  const char *name = m->call->parameter(m->design, i), *type;
  loom_argument a;
  loom_type t;
  m->dfg->argument(m->design, i, &a, sizeof a);
  m->dfg->type(m->design, a.type, &t, sizeof t);
  type = m->c->type_name(m->design, a.type);
  if (!name || a.role == LOOM_MEMREF) return;
  if (t.kind == LOOM_INTEGER || t.kind == LOOM_INDEX)
    csim_put(m, "  loom_args[%u] = (%s)%s%s;\n", i, type, name,
             t.bits < 64 ? csim_format(m, " & 0x%llxu", ~(~0ull << t.bits)) : "");
  else
    csim_put(m, "  loom_args[%u] = %s;\n", i, m->c->to_bits(m->host, m->design, a.type, name));
}

/* An integer narrower than its C type is sign-extended from its own width, except i1; the cast to
 * the C type makes it signed or unsigned. */
static const char *result_text(Csim *m, uint32_t i) {
  uint32_t id = csim_output_type(m, i), width;
  const char *bits = csim_format(m, "loom_results[%u]", i);
  loom_type t;
  m->dfg->type(m->design, id, &t, sizeof t);
  if (t.kind != LOOM_INTEGER && t.kind != LOOM_INDEX)
    return m->c->from_bits(m->host, m->design, id, bits);
  width = t.bits <= 8 ? 8 : t.bits <= 16 ? 16 : t.bits <= 32 ? 32 : 64;
  if (t.bits == width || t.bits == 1)
    return csim_format(m, "(%s)(uint%u_t)%s", m->call->out_type(m->design, i), width, bits);
  return csim_format(m, "(%s)((int64_t)(%s << %u) >> %u)", m->call->out_type(m->design, i), bits,
                     64 - t.bits, 64 - t.bits);
}

static void write_results(Csim *m) {
  const char *returned = NULL;
  for (uint32_t i = 0; i < m->dfg->output_count(m->design); i++) {
    const char *name = m->call->out_parameter(m->design, i);
    if (name)
      csim_put(m, "  *%s = %s;\n", name, result_text(m, i));
    else if (m->call->out_type(m->design, i))
      returned = result_text(m, i);
  }
  for (uint32_t i = 0; i < m->dfg->memory_count(m->design); i++) write_free(m, i);
  if (returned) csim_put(m, "  return %s;\n", returned);
}

/* ---- the function ---------------------------------------------------------------------------- */

void csim_write_call(Csim *m) {
  uint32_t memories = m->dfg->memory_count(m->design);
  write_helpers(m);
  csim_put(m, "%s%s;\n%s {\n", m->call->before(m->design), m->call->declaration(m->design),
           m->call->declaration(m->design));
  csim_put(m,
           "  loom_kernel_memory loom_memories[%u] = {{0, 0}};\n"
           "  uint64_t loom_args[%u] = {0}, loom_results[%u], loom_counts[%u];\n"
           "  loom_kernel_run loom_this = {0};\n",
           memories + 1, m->dfg->argument_count(m->design) + 1, m->dfg->output_count(m->design) + 1,
           m->dfg->output_count(m->design) + 1);
  for (uint32_t i = 0; i < memories; i++) write_own(m, i);
  for (uint32_t i = 0; i < memories; i++) write_memory(m, i);
  for (uint32_t i = 0; i < m->dfg->argument_count(m->design); i++) write_argument(m, i);
  csim_put(m, "  loom_this.args = loom_args;\n"
              "  loom_this.memories = loom_memories;\n"
              "  loom_this.results = loom_results;\n"
              "  loom_this.result_counts = loom_counts;\n"
              "  loom_call(&loom_this);\n");
  write_results(m);
  csim_put(m, "}\n#endif\n");
}

/* ---- its header ------------------------------------------------------------------------------ */

/* Are there two pointers that must not overlap, and is one of their memories written? */
static int has_distinct(Csim *m) {
  uint32_t pointers = 0, written = 0;
  loom_memory memory;
  for (uint32_t i = 0; i < m->dfg->memory_count(m->design); i++) {
    memory_of(m, i, &memory);
    if (is_own(&memory) || memory.alias_group != LOOM_NONE) continue;
    pointers++;
    written += memory.store_count != 0;
  }
  return pointers > 1 && written > 0;
}

void csim_write_header(Csim *m) {
  const char *name = m->call->name(m->design);
  csim_put(m,
           "/* SPDX-License-Identifier: MIT\n * @%s, generated by LOOM %s (loom emit csim)%s */\n"
           "#ifndef LOOM_CALL_%s\n#define LOOM_CALL_%s\n\n"
           "#include <stdbool.h>\n#include <stdint.h>\n\n"
           "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
           csim_comment_text(m, m->dfg->name(m->design)), m->host->version,
           has_distinct(m)
               ? ".\n * What one pointer leads to must not overlap what another one does."
               : "",
           name, name);
  csim_put(m, "%s%s;\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n", m->call->before(m->design),
           m->call->declaration(m->design));
}

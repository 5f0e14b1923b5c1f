/* system_kernel.c -- a C function that runs a mapped kernel: kernels/NAME.h and NAME.c, which use
 * loom_driver.h.
 *
 *     int edge(const int16_t *in, int16_t *out, int n, int limit);
 *
 * It has the declaration of the kernel's C function (loom.call/1), like that of `emit csim`, so a
 * program can link either of them, or its own. It runs on the device of loom_use: it configures
 * that if another kernel is loaded, binds memories, passes arguments, waits, and returns the
 * result. The extent of a pointer's memory is unknown, and taken to be all of the shared memory
 * from there on.
 *
 * NAME.c also has NAME_kernel, the image and tables, for programs that take the steps one by one
 * (loom_configure, loom_bind, ...). NAME_simulated.c maps its inputs and outputs to units of the
 * machine that `loom emit csim` generates for the same mapping.
 *
 * Names in these files that are not from the source begin with loom_, which those from the source
 * do not (loom.call/1), and no header is included that declares functions of C: so a kernel may be
 * called memcpy or words, and a parameter NAME_kernel. */
#include "system.h"

#include "loom_call.h"

#include <string.h>

typedef struct {
  Verilog *v;
  const SystemShape *shape;
  const loom_design *graph;
  const loom_dfg *dfg;
  const loom_binding *binding;
  const loom_machine *machine;
  const loom_call *call;
  const char *name;
} Kernel;

/* Reports, once, that the kernel cannot be called; returns 0. */
static int refuse(Kernel *k, const char *format, const char *what) {
  if (k->v->status == LOOM_OK) {
    k->v->host->diag(k->v->host, LOOM_FAILURE, "VERILOG_KERNEL", LOOM_NONE,
                     text(k->v, format, what));
    k->v->status = LOOM_UNSUPPORTED;
  }
  return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

static loom_type type_of(Kernel *k, uint32_t id) {
  loom_type t;
  k->dfg->type(k->graph, id, &t, sizeof t);
  return t;
}

static uint32_t size_log2(const loom_type *t) {
  uint32_t log2 = 0;
  while (8u << log2 < t->bits) log2++;
  return log2;
}

static loom_argument argument(Kernel *k, uint32_t i) {
  loom_argument a;
  k->dfg->argument(k->graph, i, &a, sizeof a);
  return a;
}

static loom_type output_type(Kernel *k, uint32_t i) {
  loom_node node;
  loom_edge edge;
  loom_result result;
  k->dfg->node(k->graph, k->dfg->return_node(k->graph), &node, sizeof node);
  k->dfg->edge(k->graph, node.operands[i], &edge, sizeof edge);
  k->dfg->result(k->graph, edge.result, &result, sizeof result);
  return type_of(k, result.type);
}

static int is_result(Kernel *k, uint32_t i) {
  return output_type(k, i).kind != LOOM_NO_DATA;
}

/* ---- arguments and outputs as streams of the fabric ------------------------------------------ */

/* Which of the fabric's inputs, or outputs, a unit of the machine is. */
static uint32_t stream_of(Kernel *k, uint32_t unit, const uint32_t *ids, uint32_t count) {
  loom_unit u;
  k->machine->unit(k->v->design, unit, &u, sizeof u);
  for (uint32_t i = 0; i < count; i++) {
    loom_component c = component_of(k->v, ids[i]);
    if (!strcmp(c.name, u.name)) return i;
  }
  return LOOM_NONE;
}

/* The arguments, or outputs, that the mapping binds to a unit, those with data first: its number in
 * the kernel, its unit in the machine, and its index among the fabric's inputs or outputs. A system
 * has at most 64 of these (MAX_STREAMS). */
typedef struct {
  uint32_t at[128], unit[128], stream[128], count, data_count;
} Streams;

static void add_stream(Kernel *k, Streams *s, uint32_t i, uint32_t unit, int is_input) {
  uint32_t n = s->count;
  if (unit == LOOM_NONE || n == LOOM_COUNT(s->at)) return;
  s->at[n] = i;
  s->unit[n] = unit;
  s->stream[n] = is_input ? stream_of(k, unit, k->shape->inputs, k->shape->input_count)
                          : stream_of(k, unit, k->shape->outputs, k->shape->output_count);
  s->count++;
}

static Streams find_inputs(Kernel *k) {
  Streams s = {.count = 0};
  for (int control = 0; control < 2; control++) {
    for (uint32_t i = 0; i < k->dfg->argument_count(k->graph); i++)
      if ((argument(k, i).role == LOOM_CONTROL) == control && argument(k, i).role != LOOM_MEMREF)
        add_stream(k, &s, i, k->binding->argument(k->v->design, i), 1);
    if (!control) s.data_count = s.count;
  }
  return s;
}

static Streams find_outputs(Kernel *k) {
  Streams s = {.count = 0};
  for (int control = 0; control < 2; control++) {
    for (uint32_t i = 0; i < k->dfg->output_count(k->graph); i++)
      if (is_result(k, i) != control) add_stream(k, &s, i, k->binding->output(k->v->design, i), 0);
    if (!control) s.data_count = s.count;
  }
  return s;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static int memory_is_supported(Kernel *k, uint32_t m) {
  loom_memory memory;
  uint32_t region = k->binding->region(k->v->design, m);
  if (region == LOOM_NONE) return 1;
  k->dfg->memory(k->graph, m, &memory, sizeof memory);
  loom_component c = component_of(k->v, k->shape->regions[region].component);
  if (type_of(k, memory.element).bits > 64)
    return refuse(k, "elements of memory `%s` have more than 64 bits", memory.name);
  if (memory.strides)
    return refuse(k, "memory `%s` has strides, which are not supported", memory.name);
  if (memory.argument == LOOM_NONE && c.kind == LOOM_EXTMEMORY)
    return refuse(k, "memory `%s` is local to the kernel, but mapped to external memory",
                  memory.name);
  if (c.kind == LOOM_MEMORY && c.is_private)
    return refuse(k, "memory `%s` is mapped to a private memory", memory.name);
  if (memory.argument != LOOM_NONE && memory.is_dynamic && c.kind == LOOM_MEMORY)
    return refuse(k, "memory `%s` has no static size, but is mapped to a memory on the fabric",
                  memory.name);
  return 1;
}

static int is_supported(Kernel *k) {
  if (!k->call)
    return refuse(k, "@%s has an argument or a result without a C type", k->dfg->name(k->graph));
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++)
    if (!memory_is_supported(k, m)) return 0;
  return 1;
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void write_opening(Kernel *k) {
  put(k->v,
      "/* SPDX-License-Identifier: MIT\n * @%s on the fabric @%s, by LOOM %s (loom emit system). "
      "*/\n",
      k->name, top_name(k->v), k->v->host->version);
}

/* Adds to a list of a step's numbers, "loom_argument: 0 n, 1 limit", for programs that take the
 * steps one by one. */
static void put_number(Kernel *k, uint32_t number, const char *step, const char *name) {
  put(k->v, "%s%u %s", number ? ", " : step, number, name ? name : "(a token)");
}

static void put_memory_numbers(Kernel *k) {
  uint32_t at = 0;
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    loom_memory memory;
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) == LOOM_NONE) continue;
    put_number(k, at++, "\n *   loom_bind:     ",
               memory.argument == LOOM_NONE ? "(its own)"
                                            : k->call->parameter(k->graph, memory.argument));
  }
}

static void put_step_numbers(Kernel *k) {
  Streams in = find_inputs(k), out = find_outputs(k);
  put(k->v, "/* Or in steps: loom_configure(device, &%s_kernel), and then by number", k->name);
  put_memory_numbers(k);
  for (uint32_t i = 0; i < in.data_count; i++)
    put_number(k, i, "\n *   loom_argument: ", k->call->parameter(k->graph, in.at[i]));
  put(k->v, "\n *   loom_start and loom_wait");
  for (uint32_t i = 0; i < out.data_count; i++) {
    const char *name = k->call->out_parameter(k->graph, out.at[i]);
    put_number(k, i, "\n *   loom_result:   ", name ? name : "what is returned");
  }
  put(k->v, " */\n");
}

static void write_header(Kernel *k) {
  Verilog *v = k->v;
  v->stream = text(v, "kernels/%s.h", k->name);
  write_opening(k);
  put(v,
      "#ifndef LOOM_KERNEL_%s_H\n#define LOOM_KERNEL_%s_H\n\n#include \"loom_driver.h\"\n\n"
      "#include <stdbool.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
      k->name, k->name);
  put(v,
      "/* Runs on the device of loom_use, and waits for its end; loom_last says how that was. "
      "*/\n%s%s;\n\n",
      k->call->before(k->graph), k->call->declaration(k->graph));
  put_step_numbers(k);
  put(v, "extern const loom_kernel %s_kernel;\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n", k->name);
}

/* ---- NAME_kernel ----------------------------------------------------------------------------- */

static void put_initial(Kernel *k, uint32_t m, const loom_memory *memory) {
  if (memory->argument != LOOM_NONE || !memory->initial_count) return;
  put(k->v, "static const uint64_t loom_initial_%u[] = {", m);
  for (uint64_t i = 0; i < memory->initial_count; i++)
    put(k->v, "%s0x%llx,", i % 8 ? " " : "\n    ", (unsigned long long)memory->initial[i]);
  put(k->v, "};\n");
}

static void put_region(Kernel *k, uint32_t m, const loom_memory *memory) {
  uint32_t region = k->binding->region(k->v->design, m);
  SystemRegion at = k->shape->regions[region];
  loom_type t = type_of(k, memory->element);
  uint32_t inside, own = memory->argument == LOOM_NONE;
  loom_component c = component_of(k->v, at.component);
  inside = c.kind == LOOM_MEMORY;
  put(k->v, "    {%u, %u, %u, %u, %u, %lluu, %lluu, %s, %llu},  /* %s */\n", region,
      inside ? (uint32_t)region_field(k->v, at.component, LOOM_FIELD_SIZE_LOG2, at.region)
             : size_log2(&t),
      inside, memory->store_count != 0, own,
      (unsigned long long)(inside ? region_field(k->v, at.component, LOOM_FIELD_OFFSET, at.region)
                                  : 0),
      (unsigned long long)(inside ? k->binding->elements(k->v->design, m) : 0),
      own && memory->initial_count ? text(k->v, "loom_initial_%u", m) : "0",
      (unsigned long long)(own ? memory->initial_count : 0), names_identifier(k->v, memory->name));
}

/* Memories that are not accessed have no region. */
static void put_regions(Kernel *k) {
  uint32_t count = 0;
  loom_memory memory;
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) != LOOM_NONE) put_initial(k, m, &memory);
  }
  put(k->v, "static const loom_kernel_region loom_regions[] = {\n");
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) == LOOM_NONE) continue;
    put_region(k, m, &memory);
    count++;
  }
  put(k->v, "%s};\nenum { loom_region_count = %u };\n\n",
      count ? "" : "    {0, 0, 0, 0, 0, 0, 0, 0, 0}\n", count);
}

static void put_numbers(Kernel *k, const char *head, const uint32_t *numbers, uint32_t count) {
  put(k->v, "%s[] = {", head);
  for (uint32_t i = 0; i < count; i++) put(k->v, "%s%u", i ? ", " : "", numbers[i]);
  put(k->v, "%s};\n", count ? "" : "0");
}

static void put_kernel(Kernel *k, unsigned long long hash) {
  Verilog *v = k->v;
  const uint32_t *words = v->image->words(v->design);
  uint32_t count = v->image->word_count(v->design);
  Streams in = find_inputs(k), out = find_outputs(k);
  put(v, "static const uint32_t loom_words[] = {");
  for (uint32_t i = 0; i < count; i++) put(v, "%s0x%08x,", i % 8 ? " " : "\n    ", words[i]);
  put(v, "%s};\n\n", count ? "\n" : "0");
  put_numbers(k, "static const uint8_t loom_inputs", in.stream, in.count);
  put_numbers(k, "static const uint8_t loom_outputs", out.stream, out.count);
  put_regions(k);
  put_named(v, k->name,
            "const loom_kernel $_kernel = {\n"
            "    \"$\", 0x%016llxu, loom_words, %u, 0x%08xu, 0x%xu,\n"
            "    loom_inputs, %u, %u, loom_outputs, %u, %u, loom_regions, loom_region_count};\n"
            "static const loom_kernel *const loom_this = &$_kernel;\n\n",
            hash, count, backend_checksum(words, count),
            k->shape->input_count | k->shape->output_count << 8 | k->shape->region_count << 16,
            in.data_count, in.count, out.data_count, out.count);
}

/* ---- the function ---------------------------------------------------------------------------- */

static const char *elements_text(Kernel *k, const loom_memory *memory) {
  return memory->is_dynamic ? "LOOM_ALL" : text(k->v, "%llu", (unsigned long long)memory->elements);
}

static void put_binds(Kernel *k) {
  uint32_t at = 0;
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    loom_memory memory;
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) == LOOM_NONE) continue;
    if (memory.argument != LOOM_NONE)
      put(k->v, "  if (!loom_now) loom_now = loom_bind(loom_on, %u, (void *)(uintptr_t)%s, %s);\n",
          at, k->call->parameter(k->graph, memory.argument), elements_text(k, &memory));
    at++;
  }
}

static int is_integer(const loom_type *t) {
  return t->kind == LOOM_INTEGER || t->kind == LOOM_INDEX;
}

static void put_argument(Kernel *k, uint32_t number, uint32_t i) {
  loom_type t = type_of(k, argument(k, i).type);
  const char *name = k->call->parameter(k->graph, i);
  if (name && !is_integer(&t))
    put(k->v, "  loom_bits = 0;\n  loom_copy(&loom_bits, &%s, sizeof %s);\n", name, name);
  else
    put(k->v, "  loom_bits = (uint64_t)%s%s;\n", name ? name : "0",
        t.bits < 64 ? text(k->v, " & 0x%llxu", ~(~0ull << t.bits)) : "");
  put(k->v, "  if (!loom_now) loom_now = loom_argument(loom_on, %u, loom_bits);\n", number);
}

/* An integer is sign-extended to 64 bits by two shifts; the cast to its C type then gives its value
 * in either signedness. */
static void put_result(Kernel *k, uint32_t number, uint32_t i) {
  loom_type t = output_type(k, i);
  const char *name = k->call->out_parameter(k->graph, i), *type = k->call->out_type(k->graph, i);
  const char *to = name ? text(k->v, "*%s", name) : "loom_returned";
  unsigned spare = 64 - t.bits;
  put(k->v, "  if (!loom_now && !(loom_now = loom_result(loom_on, %u, &loom_bits)))", number);
  if (!is_integer(&t))
    put(k->v, " loom_copy(&%s, &loom_bits, sizeof %s);\n", to, to);
  else if (t.bits == 1 || !spare)
    put(k->v, " %s = (%s)loom_bits;\n", to, type);
  else
    put(k->v, " %s = (%s)((int64_t)(loom_bits << %u) >> %u);\n", to, type, spare, spare);
}

static int has_floats(Kernel *k, const Streams *in, const Streams *out) {
  for (uint32_t i = 0; i < in->data_count; i++) {
    loom_type t = type_of(k, argument(k, in->at[i]).type);
    if (!is_integer(&t)) return 1;
  }
  for (uint32_t i = 0; i < out->data_count; i++) {
    loom_type t = output_type(k, out->at[i]);
    if (!is_integer(&t)) return 1;
  }
  return 0;
}

static const char *returned_type(Kernel *k) {
  for (uint32_t i = 0; i < k->dfg->output_count(k->graph); i++)
    if (k->call->out_type(k->graph, i) && !k->call->out_parameter(k->graph, i))
      return k->call->out_type(k->graph, i);
  return NULL;
}

static void write_call(Kernel *k, unsigned long long hash) {
  Verilog *v = k->v;
  Streams in = find_inputs(k), out = find_outputs(k);
  const char *returned = returned_type(k);
  v->stream = text(v, "kernels/%s.c", k->name);
  write_opening(k);
  put(v, "#include \"%s.h\"\n\n", k->name);
  put_kernel(k, hash);
  if (has_floats(k, &in, &out))
    put(v, "static void loom_copy(void *to, const void *from, size_t bytes) {\n"
           "  while (bytes--) ((char *)to)[bytes] = ((const char *)from)[bytes];\n}\n\n");
  put(v, "%s {\n  loom_device *loom_on = loom_used();\n  uint64_t loom_bits = 0;\n",
      k->call->declaration(k->graph));
  if (returned) put(v, "  %s loom_returned = 0;\n", returned);
  put(v, "  loom_status loom_now = loom_configure(loom_on, loom_this);\n");
  put_binds(k);
  for (uint32_t i = 0; i < in.data_count; i++) put_argument(k, i, in.at[i]);
  put(v, "  if (!loom_now) loom_now = loom_start(loom_on);\n  if (!loom_now) loom_now = "
         "loom_wait(loom_on);\n");
  for (uint32_t i = 0; i < out.data_count; i++) put_result(k, i, out.at[i]);
  put(v, "  (void)loom_now, (void)loom_bits;\n%s}\n", returned ? "  return loom_returned;\n" : "");
}

static void write_simulated(Kernel *k) {
  Verilog *v = k->v;
  Streams in = find_inputs(k), out = find_outputs(k);
  v->stream = text(v, "kernels/%s_simulated.c", k->name);
  put(v,
      "/* SPDX-License-Identifier: MIT\n"
      " * @%s for loom_simulated.h, by LOOM %s (loom emit system). Its machine is what `loom emit "
      "csim`\n"
      " * makes of the mapping, compiled with -Dloom_simulator=%s_machine. */\n",
      k->name, v->host->version, k->name);
  put_named(v, k->name,
            "#include \"loom_simulated.h\"\n#include \"$.h\"\n\n"
            "extern const loom_simulator_info $_machine;\n"
            "extern const loom_simulated_kernel $_simulated;\n\n");
  put_numbers(k, "static const uint32_t loom_inputs", in.unit, in.count);
  put_numbers(k, "static const uint32_t loom_outputs", out.unit, out.count);
  put_named(v, k->name,
            "const loom_simulated_kernel $_simulated = {&$_kernel, &$_machine, loom_inputs, "
            "loom_outputs};\n");
}

void system_write_kernel(Verilog *v, const SystemShape *shape, unsigned long long hash) {
  Kernel k = {.v = v, .shape = shape};
  k.binding = v->host->get_extension(v->host, "loom.binding/1");
  k.machine = v->host->get_extension(v->host, "loom.machine/1");
  k.dfg = v->host->get_extension(v->host, "loom.dfg/1");
  k.call = v->host->get_extension(v->host, "loom.call/1");
  if (!k.binding || !k.machine || !k.dfg) return;
  k.graph = k.binding->graph(v->design);
  if (!is_supported(&k)) return;
  k.name = k.call->name(k.graph);
  write_header(&k);
  write_call(&k, hash);
  write_simulated(&k);
}

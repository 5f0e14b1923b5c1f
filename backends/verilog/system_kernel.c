/* system_kernel.c -- the call of a mapped kernel: kernels/NAME.h and NAME.c, for loom_driver.h.
 *
 *     loom_status dot(loom_device *device, const float *x, size_t x_dim0, const float *y, size_t y_dim0, float *dot);
 *
 * It configures the device where another kernel is on it, binds memories, gives arguments, runs, and gives
 * the results where pointers at the end point to. Behind a memref stand its sizes that are not fixed. Beside it stand
 * what it is made of, NAME_kernel, for programs that want the steps apart, and NAME_simulated.c, which
 * says what is what in the machine that `loom emit csim` makes of the same mapping.
 */
#include "system.h"

#include <string.h>

typedef struct {
  Verilog *v;
  const SystemShape *shape;
  const loom_design *graph;
  const loom_dfg *dfg;
  const loom_binding *binding;
  const loom_machine *machine;
  const char *name;
} Kernel;

static int refuse(Kernel *k, const char *format, const char *what) {
  if (k->v->status == LOOM_OK) {
    k->v->host->diag(k->v->host, LOOM_FAILURE, "VERILOG_KERNEL", LOOM_NONE, text(k->v, format, what));
    k->v->status = LOOM_UNSUPPORTED;
  }
  return 0;
}

/* A name that C takes: one that Verilog takes, and no word of C. */
static const char *c_name(Kernel *k, const char *name) {
  static const char *const words[] = {"auto",   "char",   "double", "float",   "goto",     "inline", "long",
                                      "return", "short",  "sizeof", "switch",  "volatile", "_Bool",  "int",
                                      "device", "status", "bits",   "register"};
  const char *made = top_name(k->v, name);
  for (size_t i = 0; i < LOOM_COUNT(words); i++)
    if (!strcmp(words[i], made)) return text(k->v, "%s_", made);
  return strncmp(made, "loom", 4) ? made : text(k->v, "k_%s", made);
}

/* ---- types --------------------------------------------------------------------------------------- */

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

/* Integers are signed; f16 and bf16 are their bits. NULL: C has none. */
static const char *c_type(const loom_type *t) {
  static const char *const integers[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
  if (t->tag_bits || t->kind == LOOM_NO_DATA || t->kind == LOOM_TUPLE || t->bits > 64) return NULL;
  if (t->kind == LOOM_BF16 || (t->kind == LOOM_IEEE && t->bits == 16)) return "uint16_t";
  if (t->kind == LOOM_IEEE) return t->bits == 32 ? "float" : "double";
  return integers[size_log2(t)];
}

static loom_argument argument(Kernel *k, uint32_t i) {
  loom_argument a;
  k->dfg->argument(k->graph, i, &a, sizeof a);
  return a;
}

/* The memory that a memref argument is; LOOM_NONE: nobody accesses it. */
static uint32_t memory_of(Kernel *k, uint32_t argument, loom_memory *memory) {
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    k->dfg->memory(k->graph, m, memory, sizeof *memory);
    if (memory->argument == argument) return m;
  }
  return LOOM_NONE;
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

/* ---- what is where -------------------------------------------------------------------------------- */

/* Which of the fabric's inputs, or outputs, a unit of the machine is. */
static uint32_t stream_of(Kernel *k, uint32_t unit, const uint32_t *ids, uint32_t count) {
  loom_unit u;
  k->machine->unit(k->v->design, unit, &u, sizeof u);
  for (uint32_t i = 0; i < count; i++) {
    loom_component c;
    k->v->fabric->component(k->v->design, ids[i], &c, sizeof c);
    if (!strcmp(c.name, u.name)) return i;
  }
  return LOOM_NONE;
}

/* Calls `put` for each argument (or output) that has a unit, those with data first; how many have. */
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

/* ---- what can be called ---------------------------------------------------------------------------- */

static int is_supported(Kernel *k) {
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    loom_memory memory;
    loom_component c = {0};
    loom_type t;
    uint32_t region = k->binding->region(k->v->design, m);
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    t = type_of(k, memory.element);
    if (!c_type(&t)) return refuse(k, "elements of memory `%s` are nothing that C has", memory.name);
    if (memory.strides) return refuse(k, "memory `%s` has strides: give it without", memory.name);
    if (region == LOOM_NONE) continue;
    k->v->fabric->component(k->v->design, k->shape->regions[region].component, &c, sizeof c);
    if (memory.argument == LOOM_NONE && c.kind == LOOM_EXTMEMORY)
      return refuse(k, "memory `%s` is the kernel's own, and outside of the fabric", memory.name);
    if (c.kind == LOOM_MEMORY && c.is_private)
      return refuse(k, "memory `%s` is in one that is private", memory.name);
  }
  for (uint32_t i = 0; i < k->dfg->argument_count(k->graph); i++) {
    loom_argument a = argument(k, i);
    loom_type t = type_of(k, a.type);
    if (a.role == LOOM_VALUE && !c_type(&t)) return refuse(k, "argument `%s` is nothing that C has", a.name);
  }
  for (uint32_t i = 0; i < k->dfg->output_count(k->graph); i++) {
    loom_type t = output_type(k, i);
    if (is_result(k, i) && !c_type(&t)) return refuse(k, "result `%s` is nothing that C has", k->dfg->output_name(k->graph, i));
  }
  return 1;
}

/* ---- the declaration -------------------------------------------------------------------------------- */

static uint32_t extent_of(Kernel *k, uint32_t memref, uint32_t dimension) {
  for (uint32_t i = 0; i < k->dfg->argument_count(k->graph); i++) {
    loom_argument a = argument(k, i);
    if (a.role == LOOM_EXTENT && a.of == memref && a.dimension == dimension) return i;
  }
  return LOOM_NONE;
}

/* `size_t x_dim0`: of each dimension that the type leaves open. */
static const char *dimension_name(Kernel *k, uint32_t memref, uint32_t d) {
  uint32_t i = extent_of(k, memref, d);
  return i != LOOM_NONE ? c_name(k, argument(k, i).name)
                        : text(k->v, "%s_dim%u", c_name(k, argument(k, memref).name), (unsigned)d);
}

static void put_memref(Kernel *k, uint32_t i) {
  loom_memory memory;
  loom_type t;
  if (memory_of(k, i, &memory) == LOOM_NONE) return;
  t = type_of(k, memory.element);
  put(k->v, ", %s%s *%s", memory.store_count ? "" : "const ", c_type(&t), c_name(k, argument(k, i).name));
  for (uint32_t d = 0; d < memory.rank; d++)
    if (memory.extents[d] < 0) put(k->v, ", size_t %s", dimension_name(k, i, d));
}

static void put_declaration(Kernel *k) {
  put(k->v, "loom_status %s(loom_device *device", k->name);
  for (uint32_t i = 0; i < k->dfg->argument_count(k->graph); i++) {
    loom_argument a = argument(k, i);
    loom_type t = type_of(k, a.type);
    if (a.role == LOOM_MEMREF) put_memref(k, i);
    if (a.role == LOOM_VALUE) put(k->v, ", %s %s", c_type(&t), c_name(k, a.name));
  }
  for (uint32_t i = 0; i < k->dfg->output_count(k->graph); i++) {
    loom_type t = output_type(k, i);
    if (is_result(k, i)) put(k->v, ", %s *result_%s", c_type(&t), c_name(k, k->dfg->output_name(k->graph, i)));
  }
  put(k->v, ")");
}

static void write_header(Kernel *k) {
  Verilog *v = k->v;
  v->stream = text(v, "kernels/%s.h", k->name);
  put(v, "/* SPDX-License-Identifier: MIT\n * @%s on the fabric @%s, by LOOM %s (loom emit system). */\n",
      k->name, top_name(v, v->fabric->name(v->design)), v->host->version);
  put(v, "#ifndef LOOM_KERNEL_%s_H\n#define LOOM_KERNEL_%s_H\n\n#include \"loom_driver.h\"\n\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nextern const loom_kernel %s_kernel;\n\n",
      k->name, k->name, k->name);
  put(v, "/* Runs it, and waits for its end. Memories lie in that of the bus; sizes count elements. */\n");
  put_declaration(k);
  put(v, ";\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

/* ---- what it is made of ------------------------------------------------------------------------------- */

static uint32_t checksum(const uint32_t *words, uint32_t count) {
  uint32_t crc = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++)
    for (int bit = 0; bit < 32; bit++)
      crc = crc >> 1 ^ ((crc ^ words[i] >> bit) & 1 ? 0xedb88320u : 0);
  return ~crc;
}

static uint64_t field(Kernel *k, uint32_t component, enum loom_field_kind kind, uint32_t region) {
  loom_field f = {.kind = kind, .item = region};
  uint32_t at = 0, width = 0, first = 0, count = 0;
  uint64_t value = 0;
  const uint32_t *words = k->v->image->words(k->v->design);
  k->v->image->slice(k->v->design, component, &first, &count);
  k->v->image->field(k->v->design, component, &f, &at, &width);
  for (uint32_t bit = 0; bit < width; bit++)
    value |= (uint64_t)(words[first + (at + bit) / 32] >> (at + bit) % 32 & 1) << bit;
  return value;
}

static void put_initial(Kernel *k, uint32_t m, const loom_memory *memory) {
  if (memory->argument != LOOM_NONE || !memory->initial_count) return;
  put(k->v, "static const uint64_t initial_%u[] = {", (unsigned)m);
  for (uint64_t i = 0; i < memory->initial_count; i++)
    put(k->v, "%s0x%llx,", i % 8 ? " " : "\n    ", (unsigned long long)memory->initial[i]);
  put(k->v, "};\n");
}

static void put_region(Kernel *k, uint32_t m, const loom_memory *memory) {
  uint32_t region = k->binding->region(k->v->design, m);
  SystemRegion at = k->shape->regions[region];
  loom_component c;
  loom_type t = type_of(k, memory->element);
  uint32_t inside, own = memory->argument == LOOM_NONE;
  k->v->fabric->component(k->v->design, at.component, &c, sizeof c);
  inside = c.kind == LOOM_MEMORY;
  put(k->v, "    {%u, %u, %u, %u, %u, %lluu, %lluu, %s, %llu},  /* %s */\n", (unsigned)region,
      (unsigned)(inside ? field(k, at.component, LOOM_FIELD_SIZE_LOG2, at.region) : size_log2(&t)), (unsigned)inside,
      (unsigned)(memory->store_count != 0), (unsigned)own,
      (unsigned long long)(inside ? field(k, at.component, LOOM_FIELD_OFFSET, at.region) : 0),
      (unsigned long long)(inside ? k->binding->elements(k->v->design, m) : 0),
      own && memory->initial_count ? text(k->v, "initial_%u", (unsigned)m) : "0",
      (unsigned long long)(own ? memory->initial_count : 0), top_name(k->v, memory->name));
}

/* Of memories that nobody asks there is no region. */
static void put_regions(Kernel *k) {
  uint32_t count = 0;
  loom_memory memory;
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) != LOOM_NONE) put_initial(k, m, &memory);
  }
  put(k->v, "static const loom_kernel_region regions[] = {\n");
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) == LOOM_NONE) continue;
    put_region(k, m, &memory);
    count++;
  }
  put(k->v, "%s};\nenum { region_count = %u };\n\n", count ? "" : "    {0, 0, 0, 0, 0, 0, 0, 0, 0}\n", (unsigned)count);
}

static void put_numbers(Kernel *k, const char *head, const uint32_t *numbers, uint32_t count) {
  put(k->v, "%s[] = {", head);
  for (uint32_t i = 0; i < count; i++) put(k->v, "%s%u", i ? ", " : "", (unsigned)numbers[i]);
  put(k->v, "%s};\n", count ? "" : "0");
}

static void put_kernel(Kernel *k, unsigned long long hash) {
  Verilog *v = k->v;
  const uint32_t *words = v->image->words(v->design);
  uint32_t count = v->image->word_count(v->design);
  Streams in = find_inputs(k), out = find_outputs(k);
  put(v, "static const uint32_t words[] = {");
  for (uint32_t i = 0; i < count; i++) put(v, "%s0x%08x,", i % 8 ? " " : "\n    ", (unsigned)words[i]);
  put(v, "%s};\n\n", count ? "\n" : "0");
  put_numbers(k, "static const uint8_t inputs", in.stream, in.count);
  put_numbers(k, "static const uint8_t outputs", out.stream, out.count);
  put_regions(k);
  put(v, "const loom_kernel %s_kernel = {\n    \"%s\", 0x%016llxu, words, %u, 0x%08xu, 0x%xu,\n"
         "    inputs, %u, %u, outputs, %u, %u, regions, region_count};\n\n",
      k->name, k->name, hash, (unsigned)count, (unsigned)checksum(words, count),
      (unsigned)(k->shape->input_count | k->shape->output_count << 8 | k->shape->region_count << 16),
      (unsigned)in.data_count, (unsigned)in.count, (unsigned)out.data_count, (unsigned)out.count);
}

/* ---- the call ------------------------------------------------------------------------------------------ */

static const char *elements_text(Kernel *k, const loom_memory *memory) {
  const char *all = "";
  for (uint32_t d = 0; d < memory->rank; d++)
    all = text(k->v, "%s%s%s", all, *all ? " * " : "",
               memory->extents[d] < 0 ? dimension_name(k, memory->argument, d)
                                      : text(k->v, "%lld", (long long)memory->extents[d]));
  return *all ? all : "1";
}

static void put_binds(Kernel *k) {
  uint32_t at = 0;
  for (uint32_t m = 0; m < k->dfg->memory_count(k->graph); m++) {
    loom_memory memory;
    k->dfg->memory(k->graph, m, &memory, sizeof memory);
    if (k->binding->region(k->v->design, m) == LOOM_NONE) continue;
    if (memory.argument != LOOM_NONE)
      put(k->v, "  if (!status) status = loom_bind(device, %u, (void *)(uintptr_t)%s, %s);\n", (unsigned)at,
          c_name(k, argument(k, memory.argument).name), elements_text(k, &memory));
    at++;
  }
}

static int is_float(const loom_type *t) {
  return t->kind == LOOM_IEEE && t->bits >= 32;
}

static void put_argument(Kernel *k, uint32_t number, uint32_t i) {
  loom_argument a = argument(k, i);
  loom_type t = type_of(k, a.type);
  const char *name = a.role == LOOM_EXTENT ? dimension_name(k, a.of, a.dimension) : c_name(k, a.name);
  if (a.role == LOOM_VALUE && is_float(&t))
    put(k->v, "  bits = 0;\n  memcpy(&bits, &%s, sizeof %s);\n", name, name);
  else
    put(k->v, "  bits = (uint64_t)%s%s;\n", name,
        t.bits < 64 ? text(k->v, " & 0x%llxu", ~(~0ull << t.bits)) : "");
  put(k->v, "  if (!status) status = loom_argument(device, %u, bits);\n", (unsigned)number);
}

static void put_result(Kernel *k, uint32_t number, uint32_t i) {
  loom_type t = output_type(k, i);
  const char *name = c_name(k, k->dfg->output_name(k->graph, i));
  put(k->v, "  if (!status) status = loom_result(device, %u, &bits);\n", (unsigned)number);
  if (is_float(&t))
    put(k->v, "  if (!status) memcpy(result_%s, &bits, sizeof *result_%s);\n", name, name);
  else if (t.bits == 1 || t.bits == 8u << size_log2(&t))
    put(k->v, "  if (!status) *result_%s = (%s)bits;\n", name, c_type(&t));
  else
    put(k->v, "  if (!status) *result_%s = (%s)((int64_t)(bits << %u) >> %u);\n", name, c_type(&t),
        (unsigned)(64 - t.bits), (unsigned)(64 - t.bits));
}

static void write_call(Kernel *k, unsigned long long hash) {
  Verilog *v = k->v;
  Streams in = find_inputs(k), out = find_outputs(k);
  v->stream = text(v, "kernels/%s.c", k->name);
  put(v, "/* SPDX-License-Identifier: MIT\n * @%s on the fabric @%s, by LOOM %s (loom emit system). */\n",
      k->name, top_name(v, v->fabric->name(v->design)), v->host->version);
  put(v, "#include \"%s.h\"\n\n#include <string.h>\n\n", k->name);
  put_kernel(k, hash);
  put_declaration(k);
  put(v, " {\n  uint64_t bits = 0;\n  loom_status status = loom_configure(device, &%s_kernel);\n", k->name);
  put_binds(k);
  for (uint32_t i = 0; i < in.data_count; i++) put_argument(k, i, in.at[i]);
  put(v, "  if (!status) status = loom_start(device);\n  if (!status) status = loom_wait(device);\n");
  for (uint32_t i = 0; i < out.data_count; i++) put_result(k, i, out.at[i]);
  put(v, "  (void)bits;\n  return status;\n}\n");
}

static void write_simulated(Kernel *k) {
  Verilog *v = k->v;
  Streams in = find_inputs(k), out = find_outputs(k);
  v->stream = text(v, "kernels/%s_simulated.c", k->name);
  put(v, "/* SPDX-License-Identifier: MIT\n"
         " * @%s for loom_simulated.h, by LOOM %s (loom emit system). Its machine is what `loom emit csim`\n"
         " * makes of the mapping, compiled with -Dloom_simulator=%s_machine. */\n",
      k->name, v->host->version, k->name);
  put(v, "#include \"loom_simulated.h\"\n#include \"%s.h\"\n\nextern const loom_simulator_info %s_machine;\n"
         "extern const loom_simulated_kernel %s_simulated;\n\n",
      k->name, k->name, k->name);
  put_numbers(k, "static const uint32_t inputs", in.unit, in.count);
  put_numbers(k, "static const uint32_t outputs", out.unit, out.count);
  put(v, "const loom_simulated_kernel %s_simulated = {&%s_kernel, &%s_machine, inputs, outputs};\n", k->name,
      k->name, k->name);
}

void system_write_kernel(Verilog *v, const SystemShape *shape, unsigned long long hash) {
  Kernel k = {.v = v, .shape = shape};
  k.binding = v->host->get_extension(v->host, "loom.binding/1");
  k.machine = v->host->get_extension(v->host, "loom.machine/1");
  k.dfg = v->host->get_extension(v->host, "loom.dfg/1");
  if (!k.binding || !k.machine || !k.dfg) return;
  k.graph = k.binding->graph(v->design);
  k.name = c_name(&k, k.dfg->name(k.graph));
  if (!is_supported(&k)) return;
  write_header(&k);
  write_call(&k, hash);
  write_simulated(&k);
}

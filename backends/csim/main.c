/* main.c -- the end of the file: a program that reads a case, under -DLOOM_MAIN.
 *
 * The program itself is a text that is the same for all graphs (text/main_*.h: how a case is read,
 * checked, printed and compared). Before it come the tables that it reads, written here: the
 * types, arguments, memories and outputs of the function, and, for messages, the name and source
 * location of each node. For a machine these are tables of the graph that it implements, with the
 * unit of each argument and output, and the region of each memory.
 *
 *     static const MainArgument main_argument_table[] = {
 *       {"x", MAIN_MEMREF, &main_types[3], &main_shapes[0], 0, 0},
 *       {"start", MAIN_CONTROL, &main_types[1], 0, 0, 0},
 */
#include "csim.h"
#include "main_case.inc"
#include "main_json.inc"
#include "main_kernel.inc"
#include "main_machine.inc"
#include "main_run.inc"
#include "main_values.inc"

#include <stdlib.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"MAIN_NONE", "MAIN_INTEGER", "MAIN_F16",
                                    "MAIN_BF16", "MAIN_F32",     "MAIN_F64"};

static const char wide_f64[] = "!dataflow.tagged<f64,";

static const char *kind_of(const loom_type *t) {
  uint32_t bits = t->bits - t->tag_bits;
  switch (t->kind) {
  case LOOM_NO_DATA: return kinds[0];
  case LOOM_BF16: return kinds[3];
  case LOOM_IEEE: return bits == 16 ? kinds[2] : bits == 32 ? kinds[4] : kinds[5];
  case LOOM_TUPLE: /* a tagged value of two words: its text gives its type */
    return strncmp(t->text, wide_f64, sizeof wide_f64 - 1) ? kinds[1] : kinds[5];
  default: return kinds[1];
  }
}

static void write_types(Csim *m) {
  csim_put(m, "static const MainType main_types[] = {\n");
  for (uint32_t i = 0; i < m->dfg->type_count(m->design); i++) {
    loom_type t;
    m->dfg->type(m->design, i, &t, sizeof t);
    csim_put(m, "  {%s, %s, %u, %u},\n", csim_quoted(m, t.text), kind_of(&t), t.bits - t.tag_bits,
             t.tag_bits);
  }
  csim_put(m, "  {0, 0, 0, 0}};\n");
}

/* The width of index; 32 where the graph has none. */
static uint32_t index_bits(Csim *m) {
  loom_type t;
  for (uint32_t i = 0; i < m->dfg->type_count(m->design); i++) {
    m->dfg->type(m->design, i, &t, sizeof t);
    if (t.kind == LOOM_INDEX) return t.bits;
  }
  return 32;
}

/* The element type of a memref, from its text: an argument that no memory uses has nothing else. */
static void write_element(Csim *m, const char *text, size_t length) {
  static const struct {
    const char *text;
    int kind;
    unsigned bits;
  } names[] = {{"f16", 2, 16}, {"bf16", 3, 16}, {"f32", 4, 32}, {"f64", 5, 64}};
  unsigned bits = text[0] == 'i' ? (unsigned)strtoul(text + 1, NULL, 10) : 0;
  const char *kind = kinds[1];
  for (uint32_t i = 0; i < LOOM_COUNT(names); i++)
    if (strlen(names[i].text) == length && memcmp(text, names[i].text, length) == 0) {
      kind = kinds[names[i].kind];
      bits = names[i].bits;
    }
  csim_put(m, "{%s, %s, %u, 0}", csim_quoted(m, csim_format(m, "%.*s", (int)length, text)), kind,
           bits ? bits : index_bits(m));
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* "memref<4x?xi32, strided<...>>": the extents, -1 for `?`, and the element. */
static void write_memref(Csim *m, uint32_t argument, const char *text) {
  const char *p = strchr(text, '<');
  uint32_t rank = 0;
  char *end;
  p = p ? p + 1 : text;
  csim_put(m, "static const int64_t main_extents_%u[] = {", argument);
  while (*p == '?' || (*p >= '0' && *p <= '9')) {
    if (*p == '?') {
      csim_put(m, "-1, ");
      end = (char *)(uintptr_t)(p + 1);
    } else {
      csim_put(m, "%lld, ", strtoll(p, &end, 10));
    }
    p = *end == 'x' ? end + 1 : end;
    rank++;
  }
  csim_put(m, "0};\nstatic const MainType main_element_%u = ", argument);
  write_element(m, p, strcspn(p, ",>"));
  csim_put(m,
           ";\nstatic const MainMemory main_memref_%u = {%u, &main_element_%u, 0, %u, "
           "main_extents_%u, 0, 0};\n",
           argument, argument, argument, rank, argument);
}

static void write_arguments(Csim *m) {
  static const char *const roles[] = {"MAIN_VALUE", "MAIN_MEMREF", "MAIN_EXTENT", "MAIN_CONTROL"};
  uint32_t count = m->dfg->argument_count(m->design);
  loom_argument a;
  loom_type t;
  for (uint32_t i = 0; i < count; i++) {
    m->dfg->argument(m->design, i, &a, sizeof a);
    m->dfg->type(m->design, a.type, &t, sizeof t);
    if (a.role == LOOM_MEMREF) write_memref(m, i, t.text);
  }
  csim_put(m, "static const MainArgument main_argument_table[] = {\n");
  for (uint32_t i = 0; i < count; i++) {
    m->dfg->argument(m->design, i, &a, sizeof a);
    csim_put(m, "  {%s, %s, &main_types[%u], %s, %u, %u},\n", csim_quoted(m, a.name), roles[a.role],
             a.type, a.role == LOOM_MEMREF ? csim_format(m, "&main_memref_%u", i) : "0",
             a.role == LOOM_EXTENT ? a.of : 0, a.role == LOOM_EXTENT ? a.dimension : 0);
  }
  csim_put(m, "  {0, 0, 0, 0, 0, 0}};\n");
}

/* ---- memories and outputs -------------------------------------------------------------------- */

/* Those of the graph. */
static void write_memories(Csim *m) {
  loom_memory memory;
  for (uint32_t i = 0; i < m->dfg->memory_count(m->design); i++) {
    m->dfg->memory(m->design, i, &memory, sizeof memory);
    if (!memory.strides) continue;
    csim_put(m, "static const int64_t main_strides_%u[] = {", i);
    for (uint32_t d = 0; d < memory.rank; d++)
      if (memory.strides[d] == INT64_MIN)
        csim_put(m, "INT64_MIN, ");
      else
        csim_put(m, "%lld, ", (long long)memory.strides[d]);
    csim_put(m, "0};\n");
  }
  csim_put(m, "static const MainMemory main_memory_table[] = {\n");
  for (uint32_t i = 0; i < m->dfg->memory_count(m->design); i++) {
    m->dfg->memory(m->design, i, &memory, sizeof memory);
    if (memory.argument == LOOM_NONE)
      csim_put(m, "  {MAIN_NOTHING, &main_types[%u], %lluull, 0, 0, 0, 0},\n", memory.element,
               (unsigned long long)memory.elements);
    else
      csim_put(m, "  {%u, &main_element_%u, 0, %u, main_extents_%u, %s, %lld},\n", memory.argument,
               memory.argument, memory.rank, memory.argument,
               memory.strides ? csim_format(m, "main_strides_%u", i) : "0",
               (long long)memory.offset);
  }
  csim_put(m, "  {0, 0, 0, 0, 0, 0, 0}};\n");
}

static void write_outputs(Csim *m) {
  csim_put(m, "static const MainOutputType main_output_table[] = {\n");
  for (uint32_t i = 0; i < m->dfg->output_count(m->design); i++)
    csim_put(m, "  {%s, &main_types[%u]},\n", csim_quoted(m, m->dfg->output_name(m->design, i)),
             csim_output_type(m, i));
  csim_put(m, "  {0, 0}};\n");
}

/* ---- for messages ---------------------------------------------------------------------------- */

/* A memory that is an argument has the argument's name. */
static const char *memory_name(Csim *m, uint32_t id) {
  loom_memory memory;
  loom_argument argument;
  m->dfg->memory(m->design, id, &memory, sizeof memory);
  if (memory.argument == LOOM_NONE) return memory.name;
  m->dfg->argument(m->design, memory.argument, &argument, sizeof argument);
  return argument.name;
}

static void write_places(Csim *m) {
  csim_put(m, "static const MainNode main_nodes[] = {\n");
  for (uint32_t i = 0; i < m->dfg->node_count(m->design); i++) {
    loom_node node;
    m->dfg->node(m->design, i, &node, sizeof node);
    csim_put(m, "  {%s, \"%s\", %s, %s},\n", csim_quoted(m, node.name), node.op_name,
             csim_quoted(m, node.where),
             node.memory == LOOM_NONE ? "0" : csim_quoted(m, memory_name(m, node.memory)));
  }
  csim_put(m, "  {0, 0, 0, 0}};\n\n");
}

/* ---- machines -------------------------------------------------------------------------------- */

static void write_id(Csim *m, uint32_t id) {
  csim_put(m, id == LOOM_NONE ? "MAIN_NOTHING, " : "%u, ", id);
}

/* The initial contents of a memory, if it is the graph's own. `graph` is a design of its own. */
static void write_initial(Csim *m, const loom_design *graph, uint32_t id) {
  loom_memory memory;
  m->dfg->memory(graph, id, &memory, sizeof memory);
  if (memory.argument != LOOM_NONE || !memory.initial_count) return;
  csim_put(m, "static const uint64_t main_initial_%u[] = {", id);
  for (uint32_t i = 0; i < memory.initial_count; i++)
    csim_put(m, "%s0x%llxull", i ? ", " : "", (unsigned long long)memory.initial[i]);
  csim_put(m, "};\n");
}

static void write_binding(Csim *m, const loom_design *machine, const loom_design *graph) {
  uint32_t n = m->machine->unit_count(machine);
  csim_put(m, "enum { MAIN_UNITS = %u, MAIN_REGIONS = %u };\n", n,
           m->machine->region_count(machine));
  csim_put(m, "enum { MAIN_DIVIDE = %u, MAIN_OVERFLOW = %u, MAIN_BOUNDS = %u, MAIN_STEP = %u };\n",
           LOOM_TRAP_DIVIDE, LOOM_TRAP_OVERFLOW, LOOM_TRAP_BOUNDS, LOOM_TRAP_STEP);
  csim_put(m, "static const uint32_t main_argument_units[] = {");
  for (uint32_t i = 0; i < m->dfg->argument_count(graph); i++)
    write_id(m, m->binding->argument(machine, i));
  csim_put(m, "0};\nstatic const uint32_t main_output_units[] = {");
  for (uint32_t i = 0; i < m->dfg->output_count(graph); i++)
    write_id(m, m->binding->output(machine, i));
  csim_put(m, "0};\n");
  for (uint32_t i = 0; i < m->dfg->memory_count(graph); i++) write_initial(m, graph, i);
  csim_put(m,
           "static const struct {\n"
           "  uint32_t region;\n"
           "  uint64_t elements; /* of the graph's own; of an argument what there is room for */\n"
           "  const uint64_t *initial;\n"
           "  uint64_t count; /* of initial: 0: zeros; 1: all the same */\n"
           "} main_regions[] = {\n");
  for (uint32_t i = 0; i < m->dfg->memory_count(graph); i++) {
    loom_memory memory;
    int has_initial;
    m->dfg->memory(graph, i, &memory, sizeof memory);
    has_initial = memory.argument == LOOM_NONE && memory.initial_count;
    csim_put(m, "  {");
    write_id(m, m->binding->region(machine, i));
    csim_put(m, "%lluull, %s, %lluull},\n", (unsigned long long)m->binding->elements(machine, i),
             has_initial ? csim_format(m, "main_initial_%u", i) : "0",
             has_initial ? (unsigned long long)memory.initial_count : 0);
  }
  csim_put(m, "  {0, 0, 0, 0}};\nstatic const char *const main_unit_names[] = {\n");
  for (uint32_t i = 0; i < n; i++) {
    loom_unit unit;
    m->machine->unit(machine, i, &unit, sizeof unit);
    csim_put(m, "  %s,\n", csim_quoted(m, unit.name));
  }
  csim_put(m, "  0};\n\n");
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* The types of the tables, and the constants in them. */
static void write_declarations(Csim *m) {
  const loom_dfg *dfg = m->dfg;
  csim_put(m,
           "\n#ifdef LOOM_MAIN\n"
           "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
           "enum { %s, %s, %s, %s, %s, %s };\n"
           "enum { MAIN_VALUE, MAIN_MEMREF, MAIN_EXTENT, MAIN_CONTROL };\n"
           "enum { MAIN_FINISHED, MAIN_LEFTOVER, MAIN_DEADLOCK, MAIN_REFUSED };\n"
           "#define MAIN_NAME %s\n"
           "enum { MAIN_ARGUMENTS = %u, MAIN_OUTPUTS = %u, MAIN_MEMORIES = %u };\n"
           "enum { MAIN_INDEX_BITS = %u };\n"
           "#define MAIN_NOTHING (~(uint32_t)0)\n\n",
           kinds[0], kinds[1], kinds[2], kinds[3], kinds[4], kinds[5],
           csim_quoted(m, dfg->name(m->design)), dfg->argument_count(m->design),
           dfg->output_count(m->design), dfg->memory_count(m->design), index_bits(m));
  csim_put(m, "typedef struct {\n"
              "  const char *text;\n"
              "  uint32_t kind, bits, tag; /* bits: of the value, below those of its tag */\n"
              "} MainType;\n"
              "typedef struct {\n"
              "  uint32_t argument; /* or MAIN_NOTHING: the graph's own */\n"
              "  const MainType *element;\n"
              "  uint64_t elements; /* of the graph's own */\n"
              "  uint32_t rank;\n"
              "  const int64_t *extents; /* -1: dynamic */\n"
              "  const int64_t *strides; /* 0, or INT64_MIN in it: as rows are long */\n"
              "  int64_t offset;\n"
              "} MainMemory;\n"
              "typedef struct {\n"
              "  const char *name;\n"
              "  uint32_t role;\n"
              "  const MainType *type;\n"
              "  const MainMemory *memory; /* of memrefs */\n"
              "  uint32_t of, dimension;   /* of extents */\n"
              "} MainArgument;\n"
              "typedef struct {\n"
              "  const char *name;\n"
              "  const MainType *type;\n"
              "} MainOutputType;\n"
              "typedef struct {\n"
              "  const char *name, *op, *where;\n"
              "  const char *memory; /* name, of what reads or writes one */\n"
              "} MainNode;\n\n");
}

int csim_write_main(Csim *m) {
  const loom_design *machine = m->machine ? m->design : NULL;
  if (machine) m->design = m->binding->graph(machine);
  write_declarations(m);
  write_types(m);
  write_arguments(m);
  write_memories(m);
  write_outputs(m);
  if (machine)
    write_binding(m, machine, m->design);
  else
    write_places(m);
  csim_unpacked(m, main_json);
  csim_unpacked(m, main_values);
  csim_unpacked(m, main_case);
  csim_unpacked(m, machine ? main_machine : main_kernel);
  csim_unpacked(m, main_run);
  csim_put(m, "#endif\n");
  if (machine) m->design = machine;
  return m->status;
}

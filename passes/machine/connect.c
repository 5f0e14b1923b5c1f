/* connect.c -- a case as the inputs of a machine, and the results of its run.
 *
 *     Case -> MachineJob            arguments become tokens at the units of input ports, memrefs
 *                                   the contents of regions
 *     MachineResult -> RunResult    tokens at output ports become results, regions memories
 *
 * The binding (config/binding.h) maps arguments, results and memories of the graph to components
 * and regions. */
#include "machine/connect.h"

#include "machine/ending.h"
#include "run/entries.h"

struct Connection {
  const Machine *machine;
  const Dfg *dfg;
  const MapBinding *binding;
  ArgEntry *entries;
  MachineJob job;
  MachineTokens *given;          /* by unit: MachineJob.given */
  u64 *owed;                     /* by unit: MachineJob.owed */
  MachineStore *stores;          /* by region */
  u32 *input_unit, *output_unit; /* by component: the unit there, or MACHINE_NONE */
  u64 *wide, nwide; /* tokens of two words (number_wide): the words, and how many tokens */
  Arena *arena;
};

u32 connect_region(const Machine *machine, const MapBinding *binding, u32 memory) {
  const MapMemory *at = &binding->memories[memory];
  return machine->memories[at->memory].first_region + at->region;
}

u64 connect_elements(const Machine *machine, const Dfg *dfg, const MapBinding *binding,
                     u32 memory) {
  const DfgMemory *decl = &dfg->memories[memory];
  u32 region = connect_region(machine, binding, memory);
  const AdgMemory *at = &machine->adg->memories[binding->memories[memory].memory];
  if (decl->arg != DFG_NONE && at->is_external) return UINT64_MAX;
  bool is_whole_region = decl->is_dynamic || decl->arg != DFG_NONE || at->is_private;
  return is_whole_region ? machine->regions[region].elements : decl->elements;
}

/* ---- a case ---------------------------------------------------------------------------------- */

static void find_units(Connection *c) {
  const Machine *m = c->machine;
  c->input_unit = NEW_ARRAY(c->arena, u32, m->adg->ncomponents + 1);
  c->output_unit = NEW_ARRAY(c->arena, u32, m->adg->ncomponents + 1);
  for (u32 i = 0; i < m->adg->ncomponents; i++) c->input_unit[i] = c->output_unit[i] = MACHINE_NONE;
  for (u32 u = 0; u < m->nunits; u++) {
    if (m->units[u].kind == UNIT_INPUT) c->input_unit[m->units[u].component] = u;
    if (m->units[u].kind == UNIT_OUTPUT) c->output_unit[m->units[u].component] = u;
  }
}

/* Checks that the image connects the input port of each argument and the output port of each
 * result, which an image for another graph may not. False after CHECK_BINDING. */
static bool reaches_ports(Context *ctx, const Connection *c) {
  const Dfg *dfg = c->dfg;
  const Adg *adg = c->machine->adg;
  u32 errors = ctx->errors;
  for (u32 a = 0; a < dfg->nargs; a++) {
    u32 component = c->binding->args[a];
    if (component == MAP_NONE || c->input_unit[component] != MACHINE_NONE ||
        !dfg_arg_is_used(dfg, &dfg->args[a]))
      continue;
    diag(ctx, dfg->nodes[dfg->args[a].node].loc, CHECK_BINDING,
         "cannot bind argument '%s' to '%s': this image does not use that input",
         dfg_text(dfg, dfg->args[a].name), adg_name(adg, component));
  }
  for (u32 o = 0; o < dfg->noutputs; o++) {
    u32 component = c->binding->outputs[o];
    if (c->output_unit[component] != MACHINE_NONE) continue;
    diag(ctx, dfg->loc, CHECK_BINDING,
         "cannot bind result '%s' to '%s': this image does not drive that output",
         dfg_text(dfg, dfg->outputs[o].name), adg_name(adg, component));
  }
  return ctx->errors == errors;
}

static void alloc_wide(Connection *c) {
  u64 n = 0;
  for (u32 a = 0; a < c->dfg->nargs; a++)
    if (c->dfg->types[c->dfg->args[a].type].kind == TYPE_TUPLE) n += c->entries[a].ntokens;
  c->wide = NEW_ARRAY(c->arena, u64, 2 * n + 1);
}

/* Stores a tagged value of two words and returns its number. The machine gets the number as token,
 * since no unit computes with such values. */
static u64 number_wide(Connection *c, const u64 *words) {
  memcpy(c->wide + 2 * c->nwide, words, 2 * sizeof *words);
  return c->nwide++;
}

/* Sets the tokens of input units; an argument without a unit is not used. Each output is owed one
 * token, unless an argument is a stream: then the number of results is not known. */
static void give_arguments(Connection *c) {
  bool streams = false;
  for (u32 a = 0; a < c->dfg->nargs; a++) {
    u32 component = c->binding->args[a];
    streams = streams || c->entries[a].is_stream;
    if (component == MAP_NONE || c->input_unit[component] == MACHINE_NONE) continue;
    MachineTokens *given = &c->given[c->input_unit[component]];
    bool is_wide = c->dfg->types[c->dfg->args[a].type].kind == TYPE_TUPLE;
    for (u64 t = 0; t < c->entries[a].ntokens; t++)
      vec_push(given,
               is_wide ? number_wide(c, c->entries[a].tokens + 2 * t) : c->entries[a].tokens[t]);
  }
  for (u32 o = 0; o < c->dfg->noutputs && !streams; o++)
    c->owed[c->output_unit[c->binding->outputs[o]]] = 1;
}

static u32 region_of(const Connection *c, u32 memory) {
  return connect_region(c->machine, c->binding, memory);
}

/* The contents of the region of a memory: an argument's array, or initial values. False after
 * RT_CASE_ARGS or RT_ALLOC_SIZE. */
static bool make_memory(Context *ctx, Connection *c, u32 memory) {
  const DfgMemory *decl = &c->dfg->memories[memory];
  MachineStore *store = &c->stores[region_of(c, memory)];
  if (!entries_memory_fits(ctx, c->dfg, memory)) return false;
  if (decl->arg == DFG_NONE) {
    store->elements = connect_elements(c->machine, c->dfg, c->binding, memory);
    store->data = NEW_ARRAY(c->arena, u64, store->elements + 1);
    for (u64 e = 0; decl->ninitials && e < decl->elements; e++)
      store->data[e] = entries_initial(c->dfg, decl, e);
    return true;
  }
  const ArgEntry *arg = &c->entries[decl->arg];
  u32 memory_at = c->binding->memories[memory].memory;
  u64 room = connect_elements(c->machine, c->dfg, c->binding, memory);
  if ((u64)arg->layout.elements > room) {
    diag(ctx, c->dfg->nodes[c->dfg->args[decl->arg].node].loc, RT_CASE_ARGS,
         "%%%s has %lld elements, but its region of '%s' has room for only %llu",
         dfg_text(c->dfg, c->dfg->args[decl->arg].name), (long long)arg->layout.elements,
         adg_name(c->machine->adg, c->machine->adg->memories[memory_at].component),
         (unsigned long long)room);
    return false;
  }
  store->elements = (u64)arg->layout.elements;
  store->data = NEW_ARRAY(c->arena, u64, store->elements + 1);
  if (!layout_is_empty(&arg->layout)) {
    Array *array = array_laid_out(arg->entry->array, &arg->layout);
    Elements from = array_elements(array);
    for (size_t e = 0; e < from.n; e++) store->data[e] = element_of(from, e);
    array_release(array);
  }
  return true;
}

Connection *connect_case(Context *ctx, const Machine *machine, const Dfg *dfg,
                         const MapBinding *binding, const Case *input) {
  Arena *arena = arena_new();
  Connection *c = NEW(arena, Connection);
  *c = (Connection){.machine = machine, .dfg = dfg, .binding = binding, .arena = arena};
  c->entries = NEW_ARRAY(arena, ArgEntry, dfg->nargs + 1);
  c->given = NEW_ARRAY(arena, MachineTokens, machine->nunits + 1);
  c->owed = NEW_ARRAY(arena, u64, machine->nunits + 1);
  c->stores = NEW_ARRAY(arena, MachineStore, machine->nregions + 1);
  find_units(c);
  bool ok = reaches_ports(ctx, c) && entries_read(ctx, dfg, input, arena, c->entries);
  for (u32 m = 0; ok && m < dfg->nmemories; m++) ok = make_memory(ctx, c, m);
  if (!ok) {
    connect_free(c);
    return NULL;
  }
  alloc_wide(c);
  give_arguments(c);
  c->job = (MachineJob){.given = c->given, .owed = c->owed, .stores = c->stores};
  return c;
}

const u64 *connect_wide(const Connection *connection) {
  return connection->wide;
}

MachineJob *connect_job(Connection *connection) {
  return &connection->job;
}

void connect_free(Connection *c) {
  if (!c) return;
  for (u32 u = 0; u < c->machine->nunits; u++) vec_free(&c->given[u]);
  arena_free(c->arena); /* the connection is in it too */
}

/* ---- results --------------------------------------------------------------------------------- */

/* The final contents of a memref argument: of its region, or as given where the run does not access
 * it. */
static void take_memory(const Connection *c, u32 arg, RunResult *result) {
  const ArgEntry *entry = &c->entries[arg];
  const CaseArg *given = entry->entry;
  u32 m = 0;
  while (m < c->dfg->nmemories && c->dfg->memories[m].arg != arg) m++;
  Array *memory;
  if (m == c->dfg->nmemories) {
    memory = case_memory(given, &entry->layout);
  } else {
    const MachineStore *store = &c->stores[region_of(c, m)];
    u32 bits = c->dfg->types[c->dfg->memories[m].elem].bits;
    memory = array_of_words(store->data, (size_t)entry->layout.elements, element_bytes(bits));
  }
  vec_push(&result->memories, case_result(arg, given, memory, &entry->layout));
  array_release(memory);
}

static void take_results(const Connection *c, const MachineResult *from, RunResult *result) {
  for (u32 o = 0; o < c->dfg->noutputs; o++) {
    const DfgType *type = &c->dfg->types[c->dfg->outputs[o].type];
    if (type->kind == TYPE_NONE) continue;
    RunTokens tokens = {.type = type->ir};
    const MachineTokens *taken = &from->taken[c->output_unit[c->binding->outputs[o]]];
    for (size_t t = 0; t < taken->len; t++) {
      bool is_wide = type->kind == TYPE_TUPLE && taken->at[t] < c->nwide;
      vec_push(&tokens.tokens,
               is_wide ? c->wide[2 * taken->at[t]] : taken->at[t] & eval_mask(type->bits));
      if (is_wide) vec_push(&tokens.tokens, c->wide[2 * taken->at[t] + 1]);
    }
    vec_push(&result->results, tokens);
  }
}

void connect_take(const Connection *c, const MachineResult *from, RunResult *result) {
  *result = (RunResult){.status = from->status, .steps = from->cycles};
  take_results(c, from, result);
  for (u32 a = 0; a < c->dfg->nargs; a++)
    if (c->dfg->args[a].role == DFG_ARG_MEMREF) take_memory(c, a, result);
}

void connect_result(Context *ctx, const Connection *c, const Origins *origins,
                    const MachineResult *from, RunResult *result) {
  connect_take(c, from, result);
  result->status = ending_report(ctx, origins, &c->job, from);
}

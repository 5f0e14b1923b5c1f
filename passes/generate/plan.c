/* plan.c -- plans of fabrics: the table of options, patterns of cells and switches, patterns of
 * unit names (matched by simulating an NFA over the prefixes of a name, in O(name * pattern)), and
 * the notation of FIFOs. */
#include "generate/generate.h"
#include "ir/fabric.h"

#include <stdlib.h>
#include <string.h>

const char *const fabric_unit_libraries[] = {"int", "float", "full", "all", "merged", NULL};

static const char *const topologies[] = {"chess", "mesh", "torus", "lattice",
                                         "ring",  "cube", "star",  NULL};
static const char *const nets[] = {"spatial", "temporal", NULL};
static const char *const widths[] = {"32", "64", NULL};
static const char *const elements[] = {"i1",   "i8",  "i16", "i32",   "i64", "f16",
                                       "bf16", "f32", "f64", "index", NULL};

#define ROW(kind_, name_, arg_, field_, ...)                                                       \
  {                                                                                                \
    .kind = kind_, .name = name_, .arg = arg_, .offset = offsetof(FabricPlan, field_),             \
    .help = __VA_ARGS__                                                                            \
  }
#define NUMBER(name, field, least, most, ...)                                                      \
  ROW(OPTION_NUMBER, name, "N", field, __VA_ARGS__, .low = least, .high = most)

/* A hardware parameter, with the bounds of its row in ir/fabric.def. */
#define PARAMETER(name, kind, param, ...)                                                          \
  NUMBER(name, params[PARAM_##kind##_##param], LOWEST_##kind##_##param, HIGHEST_##kind##_##param,  \
         __VA_ARGS__)

const Option fabric_plan_options[] = {
    ROW(OPTION_INDEX, "--topology", "NAME", topology,
        "generate a chess, mesh, torus, lattice, ring, cube or star", .choices = topologies),
    NUMBER("--rows", rows, 1, 256, "rows of PEs", .initial = "4"),
    NUMBER("--cols", columns, 1, 256, "columns of PEs", .initial = "4"),
    NUMBER("--depth", depth, 1, 16, "layers of a cube", .initial = "1"),
    NUMBER("--tracks", tracks, 1, 28, "channels between neighbouring switches", .initial = "2"),
    ROW(OPTION_NUMBER, "--width", "N", width, "bits of a channel: 32 or 64", .choices = widths,
        .initial = "32"),
    NUMBER("--instructions", instructions, 0, FABRIC_MAX_INSTRUCTIONS,
           "instructions of a temporal PE; 0: PEs are spatial", .initial = "0"),
    NUMBER("--registers", registers, 0, 256, "registers of a temporal PE", .initial = "4"),
    NUMBER("--operand-buffer", operand_buffer, 0, 8192,
           "entries of a temporal PE's shared operand buffer; 0: a latch per operand",
           .initial = "0"),
    ROW(OPTION_TEXT, "--pattern", "ROWS", pattern,
        "rows of PEs: S and T, or letters of classes, such as ST/TS"),
    ROW(OPTION_TEXT, "--switch-pattern", "ROWS", switch_pattern,
        "rows of switches: letters of kinds of switches"),
    ROW(OPTION_INDEX, "--switches", "KIND", net,
        "spatial or temporal switches (temporal if all PEs are)", .choices = nets),
    NUMBER("--routes", routes, 1, 1024, "routes of a temporal switch; default 4 per instruction"),
    ROW(OPTION_INDEX, "--sw-buffer", "KIND", params[PARAM_SPATIAL_SW_buffer],
        "buffer at outputs of switches between PEs: none, forward or full",
        .choices = SPATIAL_SW_buffer_words, .initial = "none"),
    NUMBER("--memories", memories, 0, 4096,
           "interfaces to external memory; default by the number of cells"),
    NUMBER("--scratchpads", scratchpads, 0, 4096, "memories on the fabric", .initial = "1"),
    NUMBER("--words", words, 1, 1 << 24, "words of a memory on the fabric", .initial = "1024"),
    NUMBER("--loads", loads, 0, FABRIC_MAX_LANES, "load lanes of a memory; 0: it is only written",
           .initial = "2"),
    NUMBER("--stores", stores, 0, FABRIC_MAX_LANES, "store lanes of a memory; 0: it is only read",
           .initial = "2"),
    NUMBER("--mem-tag", memory_tag, 1, FABRIC_MAX_TAG,
           "bits of the tags of memory lanes; default as few as needed"),
    ROW(OPTION_CHOICE, "--mem-type", "TYPE", element,
        "element type of memories (an integer of the channel width)", .choices = elements),
    PARAMETER("--memory-channels", EXTMEMORY, channels,
              "loads and stores per cycle of external memory, a power of two; default 1"),
    PARAMETER("--pad-banks", MEMORY, banks,
              "banks of a memory on the fabric, each with a load and a store per cycle; default 1"),
    ROW(OPTION_INDEX, "--lane-buffer", "KIND", lane_buffer,
        "buffer where responses of a memory branch to its lanes: none, forward or full",
        .choices = SPATIAL_SW_buffer_words, .initial = "none"),
    PARAMETER("--mem-latency", EXTMEMORY, latency,
              "latency of external memory in cycles; default 4"),
    PARAMETER("--pad-latency", MEMORY, latency,
              "latency of memory on the fabric in cycles; default 1"),
    PARAMETER("--lsq", EXTMEMORY, lsqDepth, "outstanding requests of a lane; 0: no limit",
              .initial = "0"),
    NUMBER("--inputs", inputs, 1, 4096, "inputs of the fabric", .initial = "4"),
    NUMBER("--outputs", outputs, 1, 4096, "outputs of the fabric", .initial = "2"),
    OPTIONS_END,
};

FabricPlan fabric_plan_default(void) {
  FabricPlan plan = {.units = UNITS_FULL};
  for (u32 i = 0; i < FABRIC_PARAM_COUNT; i++) plan.params[i] = OPTION_UNSET;
  options_default((OptionTable){fabric_plan_options, &plan});
  plan.topology = TOPOLOGY_CHESS;
  return plan;
}

u32 fabric_plan_lanes(const FabricPlan *plan) {
  return plan->loads > plan->stores ? plan->loads : plan->stores;
}

u32 fabric_plan_channels(const FabricPlan *plan) {
  u32 channels = plan->params[PARAM_EXTMEMORY_channels];
  return channels == OPTION_UNSET ? 1 : channels;
}

u32 fabric_plan_banks(const FabricPlan *plan) {
  u32 banks = plan->params[PARAM_MEMORY_banks];
  return banks == OPTION_UNSET ? 1 : banks;
}

u32 fabric_plan_lane_bits(const FabricPlan *plan) {
  return log2_up(fabric_plan_lanes(plan));
}

/* ---- values that depend on one another ------------------------------------------------------- */

/* Whether elements of this type fit into words of so many bits. */
static bool element_fits(const char *element, u32 width) {
  return !strstr(element, "64") || width == 64;
}

static bool has_temporal(const FabricPlan *plan) {
  bool has = plan->instructions || (plan->pattern && strchr(plan->pattern, 'T'));
  for (size_t i = 0; i < plan->classes.len; i++) has |= plan->classes.at[i].instructions > 0;
  return has;
}

static bool put_fault(FabricFault *fault, const Str *text, FabricFault keys) {
  *fault = keys;
  fault->text = text->text;
  return false;
}

bool fabric_plan_agrees(Context *ctx, const FabricPlan *plan, const char *dashes,
                        FabricFault *fault) {
  const char *d = dashes;
  u32 channels = fabric_plan_channels(plan), banks = fabric_plan_banks(plan);
  if (plan->depth > 1 && plan->topology != TOPOLOGY_CUBE)
    return put_fault(fault, str_printf(ctx, "%sdepth requires %stopology cube", d, d),
                     (FabricFault){.keys = {"depth", "topology"}});
  if ((u64)plan->rows * plan->columns * plan->depth > FABRIC_MAX_CELLS)
    return put_fault(fault,
                     str_printf(ctx, "%srows, %scols and %sdepth give more than %d PEs", d, d, d,
                                (int)FABRIC_MAX_CELLS),
                     (FabricFault){.keys = {"rows", "cols", "depth"}});
  if (plan->pattern && !fabric_pattern_ok(plan, plan->pattern))
    return put_fault(fault,
                     str_printf(ctx,
                                "%spattern expects rows of S and T%s, separated by /, but got "
                                "'%s'",
                                d, plan->classes.len ? " and letters of classes" : "",
                                plan->pattern),
                     (FabricFault){.keys = {"pattern"}});
  if (plan->switch_pattern && !fabric_switch_pattern_ok(plan, plan->switch_pattern))
    return put_fault(fault,
                     str_printf(ctx,
                                "%sswitch-pattern expects rows of letters of switches, "
                                "separated by /, but got '%s'",
                                d, plan->switch_pattern),
                     (FabricFault){.keys = {"switch-pattern"}});
  if (plan->operand_buffer && !has_temporal(plan))
    return put_fault(
        fault, str_printf(ctx, "%soperand-buffer requires temporal PEs: use %sinstructions", d, d),
        (FabricFault){.keys = {"operand-buffer", "instructions", "pattern"}});
  if (!fabric_plan_lanes(plan))
    return put_fault(fault, str_printf(ctx, "%sloads and %sstores cannot both be 0", d, d),
                     (FabricFault){.keys = {"loads", "stores", "lanes"}});
  if (channels & (channels - 1))
    return put_fault(
        fault,
        str_printf(ctx, "%smemory-channels expects a power of two, but got '%u'", d, channels),
        (FabricFault){.keys = {"memory-channels"}});
  if (banks & (banks - 1))
    return put_fault(fault,
                     str_printf(ctx, "%spad-banks expects a power of two, but got '%u'", d, banks),
                     (FabricFault){.keys = {"pad-banks"}});
  if (plan->scratchpads && banks > plan->words)
    return put_fault(fault,
                     str_printf(ctx, "%spad-banks %u exceeds %swords %u", d, banks, d, plan->words),
                     (FabricFault){.keys = {"pad-banks", "words", "scratchpads"}});
  if (plan->memory_tag < fabric_plan_lane_bits(plan))
    return put_fault(fault,
                     str_printf(ctx, "%smem-tag %u has too few bits for the tags of %u lanes", d,
                                plan->memory_tag, fabric_plan_lanes(plan)),
                     (FabricFault){.keys = {"mem-tag", "loads", "stores", "lanes"}});
  if (plan->element && !element_fits(plan->element, plan->width))
    return put_fault(fault,
                     str_printf(ctx, "%smem-type %s requires %swidth 64", d, plan->element, d),
                     (FabricFault){.keys = {"mem-type", "width"}});
  return true;
}

Loc fabric_fault_loc(const FabricPlan *plan, const FabricFault *fault) {
  for (u32 k = 0; k < COUNT_OF(fault->keys) && fault->keys[k]; k++)
    for (size_t i = plan->keys.len; i-- > 0;)
      if (strcmp(plan->keys.at[i].name, fault->keys[k]) == 0) return plan->keys.at[i].loc;
  return LOC_NONE;
}

bool fabric_plan_refuse(Context *ctx, const FabricPlan *plan) {
  FabricFault fault;
  if (fabric_plan_agrees(ctx, plan, "", &fault)) return false;
  diag(ctx, fabric_fault_loc(plan, &fault), COMP_ADG_PLAN, "%s", fault.text);
  return true;
}

bool fabric_core_fits(const FabricCore *inner, const FabricCore *outer) {
  return inner->rows <= outer->rows && inner->columns <= outer->columns &&
         inner->memories <= outer->memories && inner->scratchpads <= outer->scratchpads &&
         inner->inputs <= outer->inputs && inner->outputs <= outer->outputs;
}

FabricCore fabric_plan_board(const FabricPlan *plan) {
  return (FabricCore){plan->rows,        plan->columns, plan->memories,
                      plan->scratchpads, plan->inputs,  plan->outputs};
}

void fabric_cores_keep(const FabricPlan *plan, FabricCore *cores, size_t *n) {
  FabricCore board = fabric_plan_board(plan);
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++)
    if (fabric_core_fits(&cores[i], &board)) cores[kept++] = cores[i];
  *n = kept;
}

const char *fabric_number_read(const char *text, u32 *number) {
  u32 value = 0;
  size_t digits = strspn(text, "0123456789");
  if (!digits || digits > 9) return NULL;
  for (size_t i = 0; i < digits; i++) value = value * 10 + (u32)(text[i] - '0');
  *number = value;
  return text + digits;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static bool is_letter_of_pe(const FabricPlan *plan, char letter) {
  for (size_t i = 0; i < plan->classes.len; i++)
    if (plan->classes.at[i].letter == letter) return true;
  return letter == 'S' || letter == 'T';
}

/* The end of the cell at `at`, whose letters are *first[0 .. *n); NULL if it is ill-formed. */
static const char *cell_end(const char *at, const char **first, u32 *n) {
  bool is_group = *at == '(';
  *first = at + is_group;
  *n = is_group ? (u32)strcspn(*first, "()/") : 1;
  at = *first + *n;
  return !is_group ? at : *at == ')' && *n ? at + 1 : NULL;
}

bool fabric_pattern_ok(const FabricPlan *plan, const char *pattern) {
  const char *letters;
  u32 n, in_row = 0;
  for (; *pattern; in_row++) {
    if (*pattern == '/' && in_row) in_row = 0, pattern++;
    if (*pattern == '/' || !(pattern = cell_end(pattern, &letters, &n)) || n > FABRIC_MAX_PES)
      return false;
    for (u32 i = 0; i < n; i++)
      if (!is_letter_of_pe(plan, letters[i])) return false;
  }
  return in_row > 0;
}

const char *fabric_pattern_unknown(const FabricPlan *plan, const char *pattern) {
  while (*pattern && (strchr("()/", *pattern) || is_letter_of_pe(plan, *pattern))) pattern++;
  return *pattern ? pattern : NULL;
}

void fabric_pattern_lay(const char *pattern, u32 rows, u32 columns, FabricPatternCell *cells) {
  const char *start = pattern;
  for (u32 row = 0; row < rows; row++) {
    const char *at = start;
    for (u32 column = 0; column < columns; column++, cells++) {
      if (!*at || *at == '/') at = start;
      at = cell_end(at, &cells->letters, &cells->n);
    }
    start += strcspn(start, "/");
    start = *start ? start + 1 : pattern;
  }
}

static bool is_letter_of_switch(const FabricPlan *plan, char letter) {
  for (size_t i = 0; i < plan->switches.len; i++)
    if (plan->switches.at[i].letter == letter) return true;
  return false;
}

bool fabric_switch_pattern_ok(const FabricPlan *plan, const char *pattern) {
  u32 in_row = 0;
  for (; *pattern; pattern++) {
    if (*pattern == '/' ? !in_row : !is_letter_of_switch(plan, *pattern)) return false;
    in_row = *pattern == '/' ? 0 : in_row + 1;
  }
  return in_row > 0;
}

const char *fabric_switch_pattern_unknown(const FabricPlan *plan, const char *pattern) {
  while (*pattern == '/' || is_letter_of_switch(plan, *pattern)) pattern++;
  return *pattern ? pattern : NULL;
}

bool fabric_plan_set_instructions(FabricPlan *plan) {
  for (size_t i = 0; i < plan->classes.len; i++) {
    if (!plan->classes.at[i].instructions) continue;
    if (!plan->instructions) return false;
    plan->classes.at[i].instructions = plan->instructions;
  }
  return true;
}

static bool letter_is_temporal(const FabricPlan *plan, char letter) {
  for (size_t i = 0; i < plan->classes.len; i++)
    if (plan->classes.at[i].letter == letter) return plan->classes.at[i].instructions > 0;
  return letter == 'T';
}

bool fabric_plan_is_temporal(const FabricPlan *plan) {
  if (!plan->pattern)
    return plan->classes.len ? plan->classes.at[0].instructions > 0 : plan->instructions > 0;
  for (const char *at = plan->pattern; *at; at++)
    if (!strchr("/()", *at) && letter_is_temporal(plan, *at)) return true;
  return false;
}

/* ---- names of units -------------------------------------------------------------------------- */

/* One step of a pattern (a character, `*`, or `{...}`): from the lengths of the name's prefixes
 * that match the pattern before it, those that match with it. Returns the rest of the pattern; NULL
 * for an unclosed brace. */
static const char *fit_step(const char *name, size_t len, const char *pattern, const bool *fits,
                            bool *next) {
  const char *end = *pattern == '{' ? strchr(pattern, '}') : pattern;
  for (size_t i = 0; i <= len && *pattern == '*'; i++) next[i] = fits[i] || (i && next[i - 1]);
  for (size_t i = 0; i < len && !strchr("*{", *pattern); i++)
    next[i + 1] = fits[i] && name[i] == *pattern;
  for (const char *word = pattern + 1; *pattern == '{' && end && word <= end;) {
    size_t n = strcspn(word, ",}");
    for (size_t i = 0; i + n <= len; i++) next[i + n] |= fits[i] && memcmp(name + i, word, n) == 0;
    word += n + 1;
  }
  return end ? end + 1 : NULL;
}

/* All prefixes of the name advance together, so there is no backtracking. */
bool fabric_name_fits(const char *name, const char *pattern) {
  size_t len = strlen(name);
  bool few[2 * 64], *fits = FEW_OR_ALLOC(few, 2 * (len + 1)), *next = fits + len + 1;
  for (size_t i = 0; i <= len; i++) fits[i] = i == 0;
  while (pattern && *pattern) {
    memset(next, 0, len + 1);
    pattern = fit_step(name, len, pattern, fits, next);
    memcpy(fits, next, len + 1);
  }
  bool is_fit = pattern && fits[len];
  few_free(few, fits);
  return is_fit;
}

bool fabric_unit_wants_class(const char *unit) {
  return strncmp(unit, "loop_", 5) == 0;
}

bool fabric_class_has(const FabricClass *class, const char *unit) {
  if (class->instructions && fabric_unit_wants_class(unit)) return false;
  for (size_t i = 0; i < class->units.len; i++)
    if (fabric_name_fits(unit, class->units.at[i])) return true;
  return false;
}

bool fabric_plan_wants(const FabricPlan *plan, const char *unit) {
  bool all = !plan->classes.len || (plan->pattern && strpbrk(plan->pattern, "ST"));
  all = all && !fabric_unit_wants_class(unit);
  for (size_t i = 0; !all && i < plan->classes.len; i++)
    all = fabric_class_has(&plan->classes.at[i], unit);
  return all;
}

bool fabric_fifo_read(const char *text, FabricFifo *fifo) {
  char *end;
  *fifo = (FabricFifo){0};
  if (strcmp(text, "none") == 0) return true;
  u64 depth = strtoull(text, &end, 10);
  fifo->is_bypassable = strcmp(end, ",bypassable") == 0;
  fifo->depth = (u32)depth;
  return *text >= '0' && *text <= '9' && (!*end || fifo->is_bypassable) && depth >= 1 &&
         depth <= FABRIC_MAX_FIFO;
}

/* plan.c -- plans: their numbers as options, the plans that have names, and the names in plans. */
#include "generate/generate.h"
#include "ir/fabric.h"

#include <string.h>

const char *const fabric_unit_libraries[] = {"int", "float", "full", "all", "merged", NULL};
const char *const fabric_presets[] = {"tiny", "small", "medium", "large", "xl", "temporal", NULL};

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

const Option fabric_plan_options[] = {
    ROW(OPTION_INDEX, "--topology", "NAME", topology,
        "make one: chess mesh torus lattice ring cube star", .choices = topologies),
    NUMBER("--rows", rows, 1, 256, "rows of PEs", .initial = "4"),
    NUMBER("--cols", columns, 1, 256, "columns of PEs", .initial = "4"),
    NUMBER("--depth", depth, 1, 16, "layers of a cube", .initial = "1"),
    NUMBER("--tracks", tracks, 1, 28, "channels between neighbouring switches", .initial = "2"),
    ROW(OPTION_NUMBER, "--width", "N", width, "bits of a channel: 32 or 64", .choices = widths,
        .initial = "32"),
    NUMBER("--instructions", instructions, 0, 256, "that a temporal PE holds; 0: PEs are spatial",
           .initial = "0"),
    NUMBER("--registers", registers, 0, 256, "of a temporal PE", .initial = "4"),
    NUMBER("--operand-buffer", operand_buffer, 0, 8192,
           "places that operands of a temporal PE share; 0: a latch each", .initial = "0"),
    ROW(OPTION_TEXT, "--pattern", "ROWS", pattern,
        "which PEs are temporal: ST/TS is a checkerboard"),
    ROW(OPTION_INDEX, "--switches", "KIND", net, "spatial or temporal (temporal where all PEs are)",
        .choices = nets),
    NUMBER("--routes", routes, 1, 1024, "of a temporal switch; four for each instruction"),
    ROW(OPTION_INDEX, "--sw-buffer", "KIND", params[PARAM_SPATIAL_SW_buffer],
        "at each output of a switch between PEs: none or full", .choices = SPATIAL_SW_buffer_words,
        .initial = "none"),
    NUMBER("--memories", memories, 0, 4096, "ways to memory outside; by the size of the board"),
    NUMBER("--scratchpads", scratchpads, 0, 4096, "memories on the fabric", .initial = "1"),
    NUMBER("--words", words, 1, 1 << 24, "of a memory on the fabric", .initial = "1024"),
    NUMBER("--loads", loads, 0, FABRIC_MAX_LANES, "lanes of a memory that load; 0: written only",
           .initial = "2"),
    NUMBER("--stores", stores, 0, FABRIC_MAX_LANES, "lanes of a memory that store; 0: read only",
           .initial = "2"),
    NUMBER("--mem-tag", memory_tag, 1, FABRIC_MAX_TAG,
           "bits of the tags that tell lanes apart; as few as will do"),
    ROW(OPTION_CHOICE, "--mem-type", "TYPE", element,
        "of a memory's elements (an integer of the width)", .choices = elements),
    NUMBER("--mem-latency", params[PARAM_EXTMEMORY_latency], 1, FABRIC_MAX_LATENCY,
           "cycles to an answer from memory outside; 4"),
    NUMBER("--pad-latency", params[PARAM_MEMORY_latency], 1, FABRIC_MAX_LATENCY,
           "the same from memory on the fabric; 1"),
    NUMBER("--lsq", params[PARAM_EXTMEMORY_lsqDepth], 0, FABRIC_MAX_LATENCY,
           "requests that a lane may have under way; 0: any number", .initial = "0"),
    NUMBER("--inputs", inputs, 1, 4096, "inputs of the fabric itself", .initial = "4"),
    NUMBER("--outputs", outputs, 1, 4096, "outputs of the fabric itself", .initial = "2"),
    OPTIONS_END,
};

FabricPlan fabric_plan_default(void) {
  FabricPlan plan = {.units = UNITS_FULL};
  for (u32 i = 0; i < FABRIC_PARAM_COUNT; i++) plan.params[i] = OPTION_UNSET;
  options_default((OptionTable){fabric_plan_options, &plan});
  plan.topology = TOPOLOGY_CHESS;
  return plan;
}

/* The boards of the presets. Each of `medium`, `large` and `xl` has the one before in its middle.
 */
static const FabricCore preset_boards[] = {
    {2, 2, 3, 1, 4, 2},      /* tiny */
    {4, 4, 4, 1, 8, 4},      /* small */
    {8, 8, 6, 2, 8, 8},      /* medium */
    {12, 12, 8, 4, 24, 24},  /* large */
    {16, 16, 12, 4, 32, 32}, /* xl */
    {4, 4, 6, 4, 8, 8},      /* temporal */
};

/* What else makes a preset. Those of 64 bits hold whatever lowering makes (UNITS_ALL), and memories
 * enough for kernels of their size. The last of its cores is its own board: made larger, a preset
 * keeps in its middle what it was. */
static const struct {
  u32 width, words, lanes, instructions, ncores;
} preset_plans[] = {
    {32, 1024, 2, 0, 1}, {32, 1024, 4, 0, 1}, {64, 4096, 8, 0, 1},
    {64, 4096, 8, 0, 2}, {64, 4096, 8, 0, 3}, {64, 4096, 8, 16, 1},
};

bool fabric_plan_preset(const char *name, FabricPlan *plan) {
  for (u32 i = 0; fabric_presets[i]; i++) {
    if (strcmp(name, fabric_presets[i]) != 0) continue;
    const FabricCore *board = &preset_boards[i];
    *plan = fabric_plan_default();
    plan->rows = board->rows;
    plan->columns = board->columns;
    plan->memories = board->memories;
    plan->scratchpads = board->scratchpads;
    plan->inputs = board->inputs;
    plan->outputs = board->outputs;
    plan->width = preset_plans[i].width;
    plan->units = plan->width == 64 ? UNITS_ALL : UNITS_FULL;
    plan->words = preset_plans[i].words;
    plan->loads = plan->stores = preset_plans[i].lanes;
    plan->instructions = preset_plans[i].instructions;
    if (plan->instructions) plan->operand_buffer = 64, plan->units = UNITS_MERGED;
    plan->ncores = preset_plans[i].ncores;
    plan->cores = board + 1 - plan->ncores;
    return true;
  }
  return false;
}

u32 fabric_plan_lanes(const FabricPlan *plan) {
  return plan->loads > plan->stores ? plan->loads : plan->stores;
}

u32 fabric_plan_lane_bits(const FabricPlan *plan) {
  u32 bits = 0;
  while ((u32)1 << bits < fabric_plan_lanes(plan)) bits++;
  return bits;
}

bool fabric_pattern_ok(const char *pattern) {
  u32 letters = 0;
  for (; *pattern; pattern++) {
    if (*pattern == 'S' || *pattern == 'T')
      letters++;
    else if (*pattern != '/' || !letters)
      return false;
    else
      letters = 0;
  }
  return letters > 0;
}

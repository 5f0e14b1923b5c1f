/* plan.c -- the plans that have names, and the names in plans. */
#include "generate/generate.h"

#include <string.h>

const char *const fabric_topologies[] = {"chess", "mesh", "torus", "lattice",
                                         "ring",  "cube", "star",  NULL};
const char *const fabric_unit_libraries[] = {"int", "float", "full", "all", NULL};
const char *const fabric_presets[] = {"tiny", "small", "medium", "large", "xl", "temporal", NULL};

FabricPlan fabric_plan_default(void) {
  return (FabricPlan){.topology = TOPOLOGY_CHESS,
                      .units = UNITS_FULL,
                      .rows = 4,
                      .columns = 4,
                      .depth = 1,
                      .tracks = 2,
                      .width = 32,
                      .registers = 4,
                      .copies = 2,
                      .memories = UINT32_MAX,
                      .scratchpads = 1,
                      .words = 1024,
                      .loads = 2,
                      .stores = 2,
                      .inputs = 4,
                      .outputs = 2};
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
    if (plan->instructions) plan->copies = 3;
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

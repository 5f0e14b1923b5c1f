/* plan.c -- the plans that have names, and the names in plans. */
#include "fabric/generate.h"

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

/* What makes a preset. Those of 64 bits hold whatever lowering makes (UNITS_ALL), and memories
 * enough for kernels of their size. */
static const struct {
  u32 side, width, memories, scratchpads, words, lanes, inputs, outputs, instructions;
} preset_plans[] = {
    {2, 32, 3, 1, 1024, 2, 4, 2, 0},    /* tiny */
    {4, 32, 4, 1, 1024, 4, 8, 4, 0},    /* small */
    {8, 64, 6, 2, 4096, 8, 8, 8, 0},    /* medium */
    {12, 64, 8, 4, 4096, 8, 24, 24, 0}, /* large */
    {16, 64, 12, 4, 4096, 8, 32, 32, 0}, /* xl */
    {4, 64, 6, 4, 4096, 8, 8, 8, 16},   /* temporal */
};

bool fabric_plan_preset(const char *name, FabricPlan *plan) {
  for (u32 i = 0; fabric_presets[i]; i++) {
    if (strcmp(name, fabric_presets[i]) != 0) continue;
    *plan = fabric_plan_default();
    plan->rows = plan->columns = preset_plans[i].side;
    plan->width = preset_plans[i].width;
    plan->units = plan->width == 64 ? UNITS_ALL : UNITS_FULL;
    plan->memories = preset_plans[i].memories;
    plan->scratchpads = preset_plans[i].scratchpads;
    plan->words = preset_plans[i].words;
    plan->loads = plan->stores = preset_plans[i].lanes;
    plan->inputs = preset_plans[i].inputs;
    plan->outputs = preset_plans[i].outputs;
    plan->instructions = preset_plans[i].instructions;
    if (plan->instructions) plan->copies = 3;
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

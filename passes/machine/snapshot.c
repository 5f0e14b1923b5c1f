/* snapshot.c -- records the state of a machine that has stopped (MachineSnapshot in step.h), and
 * finds the operands that a unit lacks. */
#include "machine/step_state.h"

u64 run_missing(Run *r, u32 unit) {
  const MachineUnit *u = &r->m->units[unit];
  u32 first = u->first_input, n = u->ninputs;
  u64 needs = eval_mask(n), missing = 0, side;
  switch ((MachineUnitKind)u->kind) {
  case UNIT_STREAM:
  case UNIT_GATE:
  case UNIT_CARRY:
  case UNIT_INVARIANT: needs = run_machine_wants(r, unit); break;
  case UNIT_MUX:
    if (!run_selector(r, unit, &side) || side >= u->choice.nsides) side = MACHINE_NONE;
    needs = run_side_inputs(r, unit, side);
    break;
  default: break;
  }
  for (u32 i = 0; i < n; i++)
    if (needs >> i & 1 && !is_there(r, first + i)) missing |= (u64)1 << i;
  return missing;
}

MachineSnapshot *run_snapshot(Run *r) {
  const Machine *m = r->m;
  Arena *arena = r->result->arena;
  MachineSnapshot *now = NEW(arena, MachineSnapshot);
  now->holds = NEW_ARRAY(arena, bool, m->ninputs);
  now->lacks = NEW_ARRAY(arena, bool, m->ninputs);
  now->taken = NEW_ARRAY(arena, bool, m->ninputs);
  now->offers = NEW_ARRAY(arena, bool, m->noutputs);
  now->given = NEW_ARRAY(arena, u64, m->nunits);
  now->exhausted = NEW_ARRAY(arena, bool, m->nunits);
  now->has_begun = NEW_ARRAY(arena, bool, m->nunits);
  for (u32 i = 0; i < m->ninputs; i++) {
    now->holds[i] = r->full[i];
    now->taken[i] = r->done[i];
  }
  for (u32 o = 0; o < m->noutputs; o++) now->offers[o] = r->valid[o] && !r->handed[o];
  for (u32 u = 0; u < m->nunits; u++) {
    u64 missing = run_missing(r, u);
    now->has_begun[u] = r->units[u].phase;
    for (u32 i = 0; i < m->units[u].ninputs; i++)
      now->lacks[m->units[u].first_input + i] = missing >> i & 1;
    if (m->units[u].kind != UNIT_INPUT) continue;
    now->given[u] = r->units[u].given;
    now->exhausted[u] = !r->job->given || r->units[u].given == r->job->given[u].len;
  }
  return now;
}

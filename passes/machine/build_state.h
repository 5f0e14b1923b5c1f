/* build_state.h -- the machine while it is built: what build.c and order.c share. */
#ifndef LOOM_MACHINE_BUILD_STATE_H
#define LOOM_MACHINE_BUILD_STATE_H

#include "config/configured.h"
#include "machine/machine.h"

typedef Vec(u32) Ids;

typedef struct {
  Context *ctx;
  const Image *image;
  const Configured *conf;
  const Adg *adg;
  Vec(MachineUnit) units;
  Vec(MachineInput) inputs;
  Vec(MachineOutput) outputs;
  Vec(MachineArbiter) arbiters;
  Vec(IssueGroup) issue_groups;
  Vec(MachinePool) pools;
  Vec(MachineChannel) channels;
  Vec(MachineRegion) regions;
  Vec(MachineMemory) memories;
  Vec(MachineOp) ops;
  Vec(MachineSettle) settles;
  Vec(ConfMove) moves;
  Ids values, branches, members, member_tags, passes, passed_as;
  u32 *output_of_source; /* by ConfSource: where its tokens leave a unit */
  u32 *register_at;      /* by ConfSource: the output of the register that its tokens go to */
  u32 *input_of_sink;    /* by ConfSink: where they end */
  u32 *fifo_at;          /* by ConfHop: the output of the fifo entered there, if it holds tokens */
  u32 *arbiter_at;       /* by conf_channel: its arbiter */
  Arena *arena;          /* of the tables above */
  bool ok;
} MachineBuild;

/* Fills `settles`. */
void settle_order(MachineBuild *b);

#endif

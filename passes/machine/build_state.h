/* build_state.h -- the growing tables of a machine that is being built, for build.c and order.c. */
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
  Ids values, branches, members, passes, passed_as;
  Ids member_tags;       /* beside `members` */
  u32 *output_of_source; /* by ConfSource: its output; MACHINE_NONE for "none" here and below */
  u32 *register_at;      /* by ConfSource: the output of the register that its tokens go to */
  u32 *input_of_sink;    /* by ConfSink: its input */
  u32 *fifo_at;          /* by ConfHop: the output of the fifo or buffer entered there */
  u32 *arbiter_at;       /* by conf_channel: its arbiter */
  Arena *arena;          /* of the tables above */
  bool ok;
} MachineBuild;

/* Fills `settles` (order.c). */
void settle_order(MachineBuild *b);

#endif

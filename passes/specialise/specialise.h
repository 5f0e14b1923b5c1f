/* specialise.h -- the part of a fabric that some mappings use, and that part as a fabric of its
 * own.
 *
 *     FabricUse *use = use_new(adg);
 *     use_add(use, mapping);             each mapping that is to stay possible
 *     use_print(ctx, use, &text);        a fabric.module of what they use, and nothing else
 *
 * What is used is counted finely: function units of PEs, ports, the paths through a switch, FIFOs
 * that hold tokens, lanes and regions of memories, instructions of temporal PEs. So whatever was
 * mapped can be mapped again, in the same places and along the same routes, with as many registers
 * on each. Components keep their names.
 *
 * Specialising a fabric for a set of kernels, as DSAGEN (Weng et al., ISCA 2020) and REVAMP
 * (Bandara et al., ASPLOS 2022) do it, is to take this part, take something more away, map again,
 * and so on:
 *
 *     Specialisation s = {.ctx = ctx, .kernels = kernels, .part = whole, .cost = cycles, .steps = 300};
 *     specialise_search(&s)              s.part is what is left; kernels[i].mapping is onto it */
#ifndef LOOM_SPECIALISE_SPECIALISE_H
#define LOOM_SPECIALISE_SPECIALISE_H

#include "map/map.h"

/* Percent that kernels may become slower, at most. */
enum { SPECIALISE_MOST_SLACK = 1000 };

typedef struct {
  Arena *arena;
  const Adg *adg;
  bool *ports;                   /* by Adg.ports */
  bool *units;                   /* by Adg.fus */
  bool *holds;                   /* by component: a FIFO that holds tokens in some mapping */
  u32 *rows;                     /* by Adg.rows: the inputs that go to that output */
  u32 *loads, *stores, *regions; /* by Adg.memories: how many there must be */
  u32 *instructions;             /* by Adg.pes: likewise, of a temporal one */
  /* made by use_decide */
  bool *stays; /* by component */
  bool *keeps; /* by Adg.ports: the ports of these that stay */
} FabricUse;

/* Of nothing, and of all there is. The ADG must outlive it; the caller frees. */
FabricUse *use_new(const Adg *adg);
FabricUse *use_of_all(const Adg *adg);
void use_free(FabricUse *use); /* NULL is allowed */
/* And of what a mapping onto that ADG uses. */
void use_add(FabricUse *use, const Mapping *mapping);
/* Are all units of a mapping of this part, and all ports and steps of its routes? */
bool use_covers(const FabricUse *use, const Mapping *mapping);
/* Decides what stays, once all is added. */
void use_decide(FabricUse *use);
/* True of a FIFO that can be bypassed, and always is: a wire. */
bool use_is_wire(const FabricUse *use, u32 component);
/* The output port that drives an input port, behind such wires. */
u32 use_driver(const FabricUse *use, u32 input);
/* The fabric.module with its definitions, in MLIR's generic form, of what stays. */
void use_print(Context *ctx, const FabricUse *use, Buf *out);
/* A mapping that the part covers, brought onto what came of its text: the same places, routes,
 * lanes and tags, and another image. In place: it is then a mapping of that layout's ADG. */
void use_carry(const FabricUse *use, Mapping *mapping, const Layout *layout);
/* The other way: adds to `whole` what `part`, a use of the fabric that came of `decided`, is of. */
void use_lift(FabricUse *whole, const FabricUse *decided, const FabricUse *part);

/* ---- the search ------------------------------------------------------------------------------ */

/* What is left of a fabric. */
typedef struct {
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} FabricPart;

void part_free(FabricPart *part);

typedef struct {
  Dfg *dfg;
  Mapping *mapping; /* onto Specialisation.part; the caller frees */
  u64 before, cost; /* on the fabric as it was given, and now */
  void *user;
  Mapping *trial; /* the search's: NULL where a trial leaves it as it is */
  u64 trial_cost;
} SpecialiseKernel;

typedef struct Specialisation {
  Context *ctx;
  SpecialiseKernel *kernels;
  u32 nkernels; /* at most 64 */
  u32 seed, slack,
      steps; /* slack: percent more that a kernel may cost; steps: tried at most, for each of
                           * the slacks up to that one */
  /* Cycles of a kernel on a mapping; 0: more than `most`, or it fails. */
  u64 (*cost)(Context *ctx, const SpecialiseKernel *kernel, const Mapping *mapping, u64 most);
  void (*progress)(const struct Specialisation *s); /* NULL, or called behind each step */
  FabricPart part; /* the fabric to begin with, and what is left of it; the caller frees */
  u64 area;        /* of the part of it in use */
  u64 of_whole;    /* area of the fabric given */
  u32 tried, kept;
  /* The slack that is searched with now; the least with which a step would have been kept since the
   * last that was; and how many steps may have been tried behind this slack. */
  u32 allowed, needed, most;
} Specialisation;

/* False: what is in use cannot be printed and read back, which is a fault of LOOM. */
bool specialise_search(Specialisation *s);

#endif

/* specialise.h -- the part of a fabric that some mappings use, as a fabric of its own; and the
 * search for a small such part.
 *
 *     FabricUse *use = use_new(adg);
 *     use_add(use, mapping);             each mapping that must remain possible
 *     use_decide(use);
 *     use_print(ctx, use, &text);        a fabric.module of the part that they use
 *
 * Use is recorded by function units of PEs, ports, paths through a switch, FIFOs that hold tokens,
 * lanes and regions of memories, and instructions of temporal PEs. So the mappings remain possible
 * on the part, with the same places and routes, and as many registers on each. Components keep
 * their names.
 *
 * Specialising a fabric for a set of kernels, as in DSAGEN (Weng et al., ISCA 2020) and REVAMP
 * (Bandara et al., ASPLOS 2022), alternates between removing something from this part and mapping
 * again:
 *
 *     Specialisation s = {.ctx = ctx, .kernels = kernels, .part = whole, .cost = cycles,
 *                         .steps = 300};
 *     specialise_search(&s)              s.part is the rest; kernels[i].mapping is onto it */
#ifndef LOOM_SPECIALISE_SPECIALISE_H
#define LOOM_SPECIALISE_SPECIALISE_H

#include "map/map.h"

/* The largest slack: percent that kernels may become slower. */
enum { SPECIALISE_MOST_SLACK = 1000 };

typedef struct {
  Arena *arena;
  const Adg *adg;
  bool *ports;                   /* by Adg.ports */
  bool *units;                   /* by Adg.fus */
  bool *holds;                   /* by component: a FIFO that holds tokens in some mapping */
  u32 *rows;                     /* by Adg.rows: the inputs that are routed to that output */
  u32 *loads, *stores, *regions; /* by Adg.memories: the number needed */
  u32 *instructions;             /* by Adg.pes: the number needed, of a temporal PE */
  /* set by use_decide */
  bool *stays; /* by component: it is in the part */
  bool *keeps; /* by Adg.ports: it is in the part */
} FabricUse;

/* The use of nothing, and of the whole fabric. The ADG must outlive it; the caller frees. */
FabricUse *use_new(const Adg *adg);
FabricUse *use_of_all(const Adg *adg);
void use_free(FabricUse *use); /* NULL is allowed */
/* Adds the use of a mapping onto that ADG. */
void use_add(FabricUse *use, const Mapping *mapping);
/* True where the use includes all units of a mapping, and all ports and steps of its routes. */
bool use_covers(const FabricUse *use, const Mapping *mapping);
/* Decides which components and ports are in the part, once all mappings are added. */
void use_decide(FabricUse *use);
/* True of a FIFO that can be bypassed and holds tokens in no mapping: a wire in the part. */
bool use_is_wire(const FabricUse *use, u32 component);
/* The output port that drives an input port, through such wires. */
u32 use_driver(const FabricUse *use, u32 input);
/* Prints the part as a fabric.module with its definitions, in MLIR's generic form. */
void use_print(Context *ctx, const FabricUse *use, Buf *out);
/* Transfers a mapping that the part covers onto the part, flattened from its text: the same places,
 * routes, lanes and tags, with a new configuration image. In place: it is then a mapping onto the
 * ADG of the layout. */
void use_carry(const FabricUse *use, Mapping *mapping, const Layout *layout);
/* The inverse: adds `part`, a use of the fabric printed from `decided`, to `whole`, a use of the
 * fabric of `decided`. */
void use_lift(FabricUse *whole, const FabricUse *decided, const FabricUse *part);

/* ---- the search ------------------------------------------------------------------------------ */

/* A part of the fabric, as a fabric of its own. */
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
  u64 before, cost; /* on the given fabric, and on the current part */
  void *user;
  /* of the search: the mapping of the current trial; NULL: unchanged by it */
  Mapping *trial;
  u64 trial_cost;
} SpecialiseKernel;

typedef struct Specialisation {
  Context *ctx;
  SpecialiseKernel *kernels;
  u32 nkernels; /* at most 64 */
  u32 seed;
  u32 slack; /* percent more that a kernel may cost */
  u32 steps; /* the most steps tried, for each of the slacks up to that one */
  /* Cycles of a kernel on a mapping; 0: more than `most`, or it fails. */
  u64 (*cost)(Context *ctx, const SpecialiseKernel *kernel, const Mapping *mapping, u64 most);
  void (*progress)(const struct Specialisation *s); /* called after each step, unless NULL */
  FabricPart part; /* first the given fabric, then the part of it; the caller frees */
  u64 area;        /* of the part of it that is in use */
  u64 of_whole;    /* area of the given fabric */
  u32 tried, kept; /* steps */
  u32 allowed;     /* the current slack */
  u32 needed;      /* no step rejected since the last kept one passes with less slack */
  u32 most;        /* the value of `tried` at which the search with this slack ends */
} Specialisation;

/* False if the part in use cannot be printed and read back, which is a fault of LOOM. */
bool specialise_search(Specialisation *s);

#endif

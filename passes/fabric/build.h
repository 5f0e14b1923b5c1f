/* build.h -- private to fabric/: a graph while it is being flattened. */
#ifndef LOOM_FABRIC_BUILD_H
#define LOOM_FABRIC_BUILD_H

#include "fabric/adg.h"
#include "ir/fabric.h"

/* One instantiation of a fabric.module: the top, or what an instance stands for. The ops of the
 * module's body are numbered by Op.index. */
typedef struct {
  const Op *module;
  const Op *instance; /* in `outer`; NULL: the top */
  u32 outer;          /* a context; ADG_NONE: the top */
  AdgText path;       /* "cluster_1/", or empty */
  u32 *made;          /* by Op.index: component or context */
} AdgContext;

typedef struct {
  Context *ctx;
  Arena *scratch;
  Vec(AdgContext) contexts;
  Vec(AdgComponent) components;
  Vec(AdgPort) ports;
  Vec(AdgPe) pes;
  Vec(AdgFu) fus;
  Vec(AdgBody) bodies;
  Vec(AdgNode) nodes;
  Vec(AdgType) values;
  Vec(u32) operands;
  Vec(EvalOp) evals;
  Vec(AdgSwitch) switches;
  Vec(u32) rows, lane_rows;
  Vec(AdgFifo) fifos;
  Vec(AdgTag) tags;
  Vec(AdgMemory) memories;
  Buf text;
  Map names;       /* Str -> how often it was wanted */
  Map body_of;     /* function unit (Op) -> body */
  Map pe_of;       /* definition of a PE (Op) -> the first PE that is one */
  Map definitions; /* Str of a definition's name -> its text */
  bool too_large;
  bool is_ring; /* a wire that comes from nowhere was reported */
  size_t steps; /* out of modules and into them */
} AdgBuild;

/* A copy of a text in the graph. */
AdgText adg_put(AdgBuild *b, const char *text, size_t len);

/* The hardware parameters of `def` into the struct of its class, AdgPe and the like (params.c). */
void adg_read_params(const Op *def, void *detail);

/* The function units of a PE as `def` says it, for PE `pe` (bodies.c). */
void adg_build_units(AdgBuild *b, u32 pe, const Op *def);

#endif

/* build.h -- private to fabric/: the growing tables of an ADG during flattening (flatten.c). */
#ifndef LOOM_FABRIC_BUILD_H
#define LOOM_FABRIC_BUILD_H

#include "fabric/adg.h"
#include "ir/fabric.h"

/* One instantiation of a fabric.module: the top, or an instance inside another context. The ops of
 * the module's body are numbered by Op.index. */
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
  Map names;       /* Str -> the last suffix `.n` given to it */
  Map body_of;     /* function unit (Op) -> body */
  Map pe_of;       /* definition of a PE (Op) -> the first PE that is one */
  Map definitions; /* Str of a definition's name -> its text */
  bool too_large;
  bool is_ring; /* a wire without a driver was reported */
  size_t steps; /* across module boundaries, of follow_value */
} AdgBuild;

/* A copy of a text in the graph. */
AdgText adg_put(AdgBuild *b, const char *text, size_t len);

/* The hardware parameters of `def` into the struct of its class, AdgPe and the like (params.c). */
void adg_read_params(const Op *def, void *detail);

/* The function units of PE `pe`, whose definition is `def` (bodies.c). */
void adg_build_units(AdgBuild *b, u32 pe, const Op *def);

#endif

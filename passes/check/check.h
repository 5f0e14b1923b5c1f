/* check.h -- does an image implement a graph? An independent check.
 *
 * The checker decodes the image (config/configured.h), walks the hardware from every active unit,
 * memory lane and port to what feeds it, and so rebuilds a dataflow graph. That graph must be the
 * one that was asked for: the same nodes with the same operations, types and constants, wired the
 * same, the same ports at the same arguments and results, the same loads and stores at the same
 * memories. It shares nothing with the mapper: only the ADG, the layout of images and the binding.
 */
#ifndef LOOM_CHECK_CHECK_H
#define LOOM_CHECK_CHECK_H

#include "dfg/dfg.h"
#include "config/configured.h"
#include "config/binding.h"

/* True where the image does what the graph says and nothing else. Otherwise diagnostics (CHECK_...)
 * name the hardware and the nodes and edges of the graph that differ. Linear in both but for the
 * routes through the switches. */
bool mapping_check(Context *ctx, const Dfg *dfg, const Layout *layout, const u32 *image,
                   const MapBinding *binding);

/* True where the binding puts every port and memory of the graph where the fabric has one for it,
 * whatever the image says. Otherwise CHECK_BINDING. */
bool mapping_fits(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding);

/* What is checked in which order: a stage only where the ones before found nothing. */
typedef enum {
  CHECK_FIELDS,   /* every field has a value that exists, what is not used is as it must be */
  CHECK_STREAMS,  /* what the hardware is with it: no stream meets another, waits, or is stuck */
  CHECK_HARDWARE, /* it is such as a graph can be */
  CHECK_GRAPH,    /* the hardware and the graph have the same nodes, wired the same */
  CHECK_VALUES,   /* what goes along the edges, and where memories are */
  CHECK_STAGES
} CheckStage;

/* A rule of legality, the codes of what breaks it, and the function that checks it. */
typedef struct Checker Checker;
typedef struct {
  const char *name; /* "C1" ... "C11", "T1" ... */
  const char *text;
  CheckStage stage;
  void (*check)(Checker *checker);
  Code codes[7]; /* 0, which is no code of the checker: no more */
} MapRule;

extern const MapRule mapping_rules[];
extern const u32 nmapping_rules;

#endif

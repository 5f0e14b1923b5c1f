/* check.h -- an independent check that an image implements a graph.
 *
 * The checker decodes the image (config/configured.h), traces the inputs of every active unit,
 * memory lane and port back to their drivers, and so rebuilds a dataflow graph. That graph must be
 * the mapped one: the same nodes with the same operations, types and constants, connected in the
 * same way, the same ports for the same arguments and results, the same loads and stores on the
 * same memories. It shares no code with the mapper, only the ADG, the layout of images and the
 * binding.
 */
#ifndef LOOM_CHECK_CHECK_H
#define LOOM_CHECK_CHECK_H

#include "dfg/dfg.h"
#include "config/configured.h"
#include "config/binding.h"

/* True if the image implements the graph and nothing else. Otherwise diagnostics (CHECK_... and
 * CFG_...) name the hardware and the nodes and edges of the graph that differ. Linear in both but
 * for routes through switches and the choices among similar nodes (match.c). */
bool mapping_check(Context *ctx, const Dfg *dfg, const Layout *layout, const u32 *image,
                   const MapBinding *binding);

/* True if the binding assigns every port and memory of the graph to a suitable one of the fabric,
 * whatever the image. Otherwise CHECK_BINDING. */
bool mapping_fits(Context *ctx, const Dfg *dfg, const Adg *adg, const MapBinding *binding);

/* The stages of the check, in order. A stage runs only if the previous ones found no error. */
typedef enum {
  CHECK_FIELDS,   /* every field has a legal value, and unused ones none */
  CHECK_STREAMS,  /* the configured hardware: no token streams collide, block or get stuck */
  CHECK_HARDWARE, /* it has only features that a graph can express */
  CHECK_GRAPH,    /* hardware and graph have the same nodes, connected in the same way */
  CHECK_VALUES,   /* widths and discards along the edges, and the regions of memories */
  CHECK_STAGES
} CheckStage;

/* A rule of legality, the codes that report violations, and the function that checks it. */
typedef struct Checker Checker;
typedef struct {
  const char *name; /* "C1" ... "C11", "T1" ... */
  const char *text;
  CheckStage stage;
  void (*check)(Checker *checker);
  Code codes[7]; /* ended by 0, which is no code of the checker */
} MapRule;

extern const MapRule mapping_rules[];
extern const u32 nmapping_rules;

#endif

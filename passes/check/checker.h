/* checker.h -- what the functions of the rules share (private to check/). */
#ifndef LOOM_CHECK_CHECKER_H
#define LOOM_CHECK_CHECKER_H

#include "check/check.h"
#include "check/net.h"

/* What is checked, and what earlier stages have made of it. */
struct Checker {
  Context *ctx;
  const Dfg *dfg;
  const Image *image;
  const MapBinding *binding;
  Configured *conf;    /* from CHECK_HARDWARE on: what the hardware is with the image */
  Net graph, hardware; /* in CHECK_VALUES: both as nets, */
  u32 *pairs;          /* and which node of the hardware each of the graph is */
};

/* Each reports all that is wrong. */
void check_fields(Checker *c);
void check_streams(Checker *c);
void check_lanes(Checker *c);
void check_spares(Checker *c);
void check_graph(Checker *c);
void check_widths(Checker *c);
void check_discards(Checker *c);
void check_regions(Checker *c);

#endif

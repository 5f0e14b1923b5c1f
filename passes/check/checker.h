/* checker.h -- the state shared by the functions of the rules; private to check/. */
#ifndef LOOM_CHECK_CHECKER_H
#define LOOM_CHECK_CHECKER_H

#include "check/check.h"
#include "check/net.h"

/* The input of the check, and the results of earlier stages. */
struct Checker {
  Context *ctx;
  const Dfg *dfg;
  const Image *image;
  const MapBinding *binding;
  Configured *conf;    /* from CHECK_HARDWARE on: the hardware configured by the image */
  Net graph, hardware; /* in CHECK_VALUES: both as nets, */
  u32 *pairs;          /* and the hardware node of each node of the graph */
};

/* Each reports all violations that it finds. */
void check_fields(Checker *c);
void check_streams(Checker *c);
void check_lanes(Checker *c);
void check_spares(Checker *c);
void check_graph(Checker *c);
void check_widths(Checker *c);
void check_discards(Checker *c);
void check_regions(Checker *c);

#endif

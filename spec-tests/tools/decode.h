/* decode.h -- hardware as a graph that has the ports of the graph it was made for: so a case of the
 * one is a case of the other. Made of the image and the binding alone. */
#ifndef TESTS_DECODE_H
#define TESTS_DECODE_H

#include "check/check.h"
#include "native/trial.h"

typedef struct {
  Configured *conf;
  Module *module;
  Dfg *dfg; /* NULL: it is no graph */
} Decoded;

/* Of an image that mapping_check accepts. To be freed in either case. */
bool decoded_of(Context *ctx, const Dfg *asked, const Image *image, const MapBinding *binding,
                Decoded *d);
void decoded_free(Decoded *d);

/* Runs of the two: did the results of each operation have the same tokens? Prints what differs. */
bool decoded_tokens_agree(const Dfg *asked, const Decoded *d, const MapBinding *binding,
                          const Trial *a, const Trial *b);
/* Every operation of the hardware is found in its graph by its name, and is what it should be. */
bool decoded_names_hold(const Decoded *d);

#endif

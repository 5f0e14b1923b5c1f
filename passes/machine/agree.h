/* agree.h -- compares, for each edge of a graph, the tokens in the machine with those in the graph.
 *
 * Every edge of a mapped graph ends in the hardware at an operand of a unit, a memory lane or an
 * output of the fabric. The tokens that this operand takes, in their order, must be those that the
 * edge carries when the graph itself is run, in whichever cycles they come. Edges inside a unit are
 * its wires, and are not compared.
 */
#ifndef LOOM_MACHINE_AGREE_H
#define LOOM_MACHINE_AGREE_H

#include "machine/origin.h"
#include "run/token.h"

typedef struct Agreement Agreement;

/* `origins` must have a graph, and outlive the agreement. The caller frees. */
Agreement *agree_new(const Origins *origins);
void agree_free(Agreement *agreement); /* NULL is allowed */
/* Records that an operand took a token. `wide`: see connect_wide. */
void agree_take(Agreement *agreement, u32 input, u64 value, const u64 *wide);
/* Compares with a run of the graph (TokenTrace.results); *compared: how many edges. False after
 * RT_ENGINES_DIFFER for the first edge, in the order of the graph, whose tokens differ. */
bool agree_compare(Context *ctx, const Agreement *agreement, const TokenTrace *trace,
                   u32 *compared);

#endif

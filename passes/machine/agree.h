/* agree.h -- one history an edge: the machine's against the graph's.
 *
 * Every edge of a graph that was mapped has a consumer in the hardware: an operand of a unit, a
 * port of a memory lane, an output of the fabric. What that operand takes, token after token, must
 * be what the edge carries in the graph, whatever the cycles. Edges inside a unit are wires of the
 * unit and are not seen.
 */
#ifndef LOOM_MACHINE_AGREE_H
#define LOOM_MACHINE_AGREE_H

#include "machine/origin.h"
#include "run/token.h"

typedef struct Agreement Agreement;

/* Of a graph's origins, which must outlive it; the caller frees. */
Agreement *agree_new(const Origins *origins);
void agree_free(Agreement *agreement); /* NULL is allowed */
/* An operand took a token. `wide`: see connect_wide. */
void agree_take(Agreement *agreement, u32 input, u64 value, const u64 *wide);
/* Compares with the graph's own run (TokenTrace.results). False after RT_ENGINES_DIFFER for the
 * first edge, in the order of the graph, whose tokens differ. */
bool agree_compare(Context *ctx, const Agreement *agreement, const TokenTrace *trace,
                   u32 *compared);

#endif

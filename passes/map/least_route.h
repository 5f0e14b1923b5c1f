/* least_route.h -- the least cycles that routes of a fabric take, wherever their ends are placed.
 * Made once for a fabric and used by all bounds on cycles (mapping_least_cycles).
 *
 *     pe_0 -> sw_0 -> FIFO -> pe_1      a bypassed FIFO: a chain of two components, and no cycle;
 *                                       a FIFO that holds tokens: a chain of one, and a cycle
 *
 * The cycles of a route depend on how many components may follow one another without a register:
 * the fewer, the more cycles. Before placement only the kinds of the two ends are known: the PEs of
 * one definition are a kind, all memories are one, and all inputs and outputs are one. The bound of
 * an edge is the least over all routes from a kind that could compute its result to one that could
 * take it, so no mapping has a quicker route. A result with several consumers does not start at a
 * port that leads to a single one (graph_leads_to_one). */
#ifndef LOOM_MAP_LEAST_ROUTE_H
#define LOOM_MAP_LEAST_ROUTE_H

#include "map/map.h"

#define NO_ROUTE UINT32_MAX

typedef struct LeastRoutes LeastRoutes;

LeastRoutes *least_routes_new(const Adg *adg);
void least_routes_free(LeastRoutes *routes); /* NULL is allowed */

/* The least cycles of an edge's route, where chains have at most `most` components (0: any number);
 * 0 for an edge inside a unit; NO_ROUTE where there is no such route. */
u32 least_route(LeastRoutes *routes, u32 most, const Dfg *dfg, const MapCover *cover, u32 edge);

#endif

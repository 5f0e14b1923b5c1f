/* least_route.h -- what routes of a fabric take at the least, wherever their ends are: made once
 * for a fabric, and asked by all bounds of cycles on it (mapping_least_cycles).
 *
 *     pe_0 -> sw_0 -> FIFO -> pe_1      the FIFO can be bypassed: then a chain of two components, and no
 *                                       cycle; or it holds tokens: a chain of one, and a cycle
 *
 * So the cycles of a route depend on how many components may follow one another without a register:
 * the fewer, the more cycles. Where both ends are is not known, but what they are: PEs that are
 * instances of one definition are an end, all memories are one, and so are inputs and outputs. Of
 * an edge it is the least over all routes from where its result could be made to where it could be
 * taken, so no mapping has a quicker one. A result that several take starts at no port that leads
 * to one of them alone. */
#ifndef LOOM_MAP_LEAST_ROUTE_H
#define LOOM_MAP_LEAST_ROUTE_H

#include "map/map.h"

#define NO_ROUTE UINT32_MAX

typedef struct LeastRoutes LeastRoutes;

LeastRoutes *least_routes_new(const Adg *adg);
void least_routes_free(LeastRoutes *routes); /* NULL is allowed */

/* Cycles of the route of an edge, where chains have `most` components (0: any number); 0: the edge
 * is inside a unit. NO_ROUTE: there is no such route. */
u32 least_route(LeastRoutes *routes, u32 most, const Dfg *dfg, const MapCover *cover, u32 edge);

#endif

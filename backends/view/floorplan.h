/* floorplan.h -- where the components of a fabric are drawn, and how its channels run between them.
 */
#ifndef LOOM_VIEW_FLOORPLAN_H
#define LOOM_VIEW_FLOORPLAN_H

#include "backend.h"
#include "loom_fabric.h"
#include "loom_show.h"

typedef struct {
  int x, y, w, h; /* top left */
} PlanBox;

/* One channel: from an output port to an input port. */
typedef struct {
  uint32_t from, to;
  int points[2 * 8]; /* x, y, x, y, ...: right angles only */
  int npoints;
} PlanChannel;

typedef struct {
  int width, height;
  PlanBox *boxes; /* by component */
  uint32_t nchannels;
  PlanChannel *channels;
} Floorplan;

/* `drawing` has the approximate places of components; NULL: they are not known. */
void floorplan_make(const loom_host *host, const loom_design *design, const loom_fabric *fabric,
                    const loom_drawing *drawing, Floorplan *plan);

#endif

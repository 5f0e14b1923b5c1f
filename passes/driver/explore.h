/* explore.h -- the parts of loom explore: the command (explore.c), one point of a plan
 * (explore_point.c), and all points in parallel (explore_run.c). */
#ifndef LOOM_DRIVER_EXPLORE_H
#define LOOM_DRIVER_EXPLORE_H

#include "driver/driver.h"
#include "driver/optimise.h"
#include "explore/explore.h"
#include "ir/ir.h"
#include "run/case.h"

/* A kernel, read and lowered once at a level, whatever the number of points. */
typedef struct {
  Call call; /* as of a call with this kernel alone */
  Module *module;
  const char *function;
  Case *input;
  Programs programs; /* at -O2 those of which each fabric gets the best */
} PointKernel;

typedef struct {
  Call *call;
  const char *path;   /* of the plan */
  const char *quoted; /* likewise, for a shell */
  ExplorePlan plan;
  const char **names;    /* of the functions of its kernels */
  PointKernel **kernels; /* by level of lowering; NULL: no point has it */
  Front front;           /* of the waves before: points that it beats are pruned */
  u64 raise; /* fault injection for tests: LOOM_EXPLORE_BOUND=N makes bounds N cycles too high */
  Arena *arena;
} Exploration;

/* ---- explore_point.c ---- */

/* Can an axis have that value, or any (NULL)? An ExploreCheck; `user`: the call. */
bool point_check(void *user, const char *axis, const char *value, Buf *why);
/* Reads kernels and their cases, and runs each case, which must give what it expects. An exit
 * status. */
int point_kernels(Exploration *x);
void point_kernels_free(Exploration *x);
/* Evaluates a point. Standard error must be a file (said_begin), from which messages of failures
 * are taken. The fabric and the mappings are written to `dir`, if it is not NULL. */
ExploreRow point_run(Exploration *x, u64 point, const char *dir);

/* "loom explore PLAN --point N", with the options that its row depends on */
const char *point_command(const Exploration *x, u64 point);
void point_options(const Exploration *x, Buf *out);

/* ---- explore.c ---- */

/* As one word of a shell; lives with the context. */
const char *shell_quoted(Context *ctx, const char *text);

/* ---- explore_run.c ---- */

/* Evaluates all points, wave after wave, and writes the results. An exit status. */
int explore_run(Exploration *x);
/* Evaluates the point of --point, and prints its row. */
int explore_point(Exploration *x);

extern const char *const explore_executors[];

#endif

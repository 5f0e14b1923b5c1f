/* explore.h -- design space exploration: the best fabrics for some kernels.
 *
 *     {"kernels": [{"file": "dot.mlir", "case": "dot.json"},
 *                  {"file": "fir.mlir", "case": "fir.json"}],
 *      "axes": {"topology": "mesh", "rows": [2, 3, 4], "cols": [2, 3, 4], "tracks": [1, 2]},
 *      "objectives": ["area", "cycles"]}
 *
 * A plan (plan.c) spans a grid: a point is one value for each axis, and has a number. Each point
 * gives a row (row.c): the area of the fabric and, for each kernel, the cycles of its case, or the
 * reason why there are none. Rows are stored in a database (store.c), so an interrupted run can be
 * continued. The points that no other dominates are the Pareto front (front.c).
 *
 *     point 17 --> process --> row, a line of JSON --> database --> front --> text, CSV, page
 *
 * A point is pruned, and not mapped, if the front dominates its area and lower bounds
 * (map/least.c). To give the same result on one core, on many, and after an interruption, points
 * are visited in waves of a size given by the plan, and pruning depends on earlier waves only.
 *
 * The driver makes the fabric and the mappings of a point: driver/explore_point.c. */
#ifndef LOOM_EXPLORE_EXPLORE_H
#define LOOM_EXPLORE_EXPLORE_H

#include "base/json.h"

/* Objectives, to be minimised. Cycles and time are in thousandths: rounded means can be compared
 * exactly. Time is cycles times the components on the longest path between two registers. */
typedef enum { GOAL_AREA, GOAL_CYCLES, GOAL_TIME, GOAL_CHAIN, GOALS } ExploreGoal;
extern const char *const explore_goals[GOALS + 1];

typedef struct {
  u64 of[GOALS];
} ExploreFigures;

typedef struct {
  const char *name;
  const char *const *values; /* as text, like those of options */
  u32 nvalues;
  Loc loc;
} ExploreAxis;

typedef struct {
  const char *file, *input; /* paths; input: of the case */
  const char *function;     /* NULL: the only one */
  Loc loc;
} ExploreKernel;

typedef struct {
  const Source *source;
  ExploreKernel *kernels;
  u32 nkernels;
  ExploreAxis *axes;
  u32 naxes;
  bool is_goal[GOALS];
  bool is_worst; /* the figure is the worst over the kernels, not the geometric mean */
  u32 rounds, wave;
  u64 max_cycles; /* of a case */
  u64 npoints;    /* of the grid */
  u64 nvisits;    /* points that are visited */
  u64 stride;     /* of explore_visit */
} ExplorePlan;

/* ---- plan.c ---------------------------------------------------------------------------------- */

/* True if the axis exists and can have the value (NULL: any); else the reason is in `why`. */
typedef bool ExploreCheck(void *user, const char *axis, const char *value, Buf *why);

/* False after EXPLORE_PLAN at each error, or COMP_FILE_READ. */
bool explore_plan_read(Context *ctx, const char *path, ExploreCheck *check, void *user,
                       ExplorePlan *plan);
/* The k-th point to visit; consecutive points are far apart on the grid. */
u64 explore_visit(const ExplorePlan *plan, u64 k);
/* The value of an axis at a point. */
const char *explore_value(const ExplorePlan *plan, u64 point, u32 axis);
/* The figures of a point: its area, the longest chain, and the mean or worst cycles and times of
 * the kernels. By kernel: cycles, times (cycles times chain) and chains. */
ExploreFigures explore_figures(const ExplorePlan *plan, u64 area, const u64 *cycles,
                               const u64 *times, const u32 *chains);

/* ---- row.c ----------------------------------------------------------------------------------- */

typedef enum { ROW_MAPPED, ROW_FAILED, ROW_PRUNED, ROW_SKIPPED, ROW_STATUSES } RowStatus;
extern const char *const row_statuses[ROW_STATUSES + 1];

typedef struct {
  u8 status;                  /* RowStatus; skipped: another kernel has failed */
  const char *code, *message; /* of a failure; else NULL */
  const char *loops;          /* the loop transformations that -O2 chose for this fabric, or NULL */
  u64 bound, cycles;          /* bound: a lower bound on the cycles; 0: unknown */
  u32 ii, chain;
} ExploreResult;

typedef struct {
  u64 point;
  u8 status;                  /* mapped, failed, pruned */
  const char *code, *message; /* of the first failure; else NULL */
  u64 area;                   /* 0: there is no fabric */
  ExploreFigures figures;     /* if mapped; if pruned: lower bounds */
  u64 by;                     /* pruned: the point that dominates it */
  const char **names;         /* of the kernels */
  ExploreResult *results;     /* by kernel */
  u32 nresults;
  const char *command;
} ExploreRow;

ExploreRow row_new(Arena *arena, u64 point, u32 nkernels);
/* A row as one line of JSON, with a newline. */
void row_print(const ExplorePlan *plan, const ExploreRow *row, Buf *out);
/* A row as the next value of a larger JSON text. */
void row_put(const ExplorePlan *plan, const ExploreRow *row, Json *j);
/* Parses a line of row_print; false if it is not a row of this plan. Texts are in the arena. */
bool row_parse(const ExplorePlan *plan, const char *text, size_t len, Arena *arena,
               ExploreRow *row);
/* The values of a point's axes: {"rows": "3", ...} */
void row_print_settings(const ExplorePlan *plan, u64 point, Buf *out);
/* A figure in its unit: 1234567 thousandths as 1234.567 */
void row_print_figure(u64 figure, ExploreGoal goal, Buf *out);

/* ---- front.c --------------------------------------------------------------------------------- */

typedef struct {
  u64 point;
  ExploreFigures figures;
} FrontPoint;
typedef Vec(FrontPoint) Front;

/* A point of the front that dominates these figures, or NULL. */
const FrontPoint *front_beats(const ExplorePlan *plan, const Front *front, const ExploreFigures *f);
/* Adds a point, unless it is dominated, and removes those that it dominates. The front is sorted by
 * point. */
void front_add(const ExplorePlan *plan, Front *front, u64 point, const ExploreFigures *figures);
/* The front as JSON, for points that are run elsewhere. */
void front_print(const Front *front, Buf *out);
bool front_parse(Context *ctx, const Source *source, Front *front);

/* ---- store.c --------------------------------------------------------------------------------- */

typedef struct Store Store;

/* Opens or makes DIR/explore.db. `stamp` identifies the plan, kernels and LOOM of its rows; a
 * database with another stamp is refused. NULL after EXPLORE_STORE. Locked until it is closed. */
Store *store_open(Context *ctx, const char *dir, const ExplorePlan *plan, const char *stamp);
void store_close(Store *store); /* NULL is allowed */
/* Calls `row` for each stored row, by point. False after EXPLORE_STORE. */
bool store_read(Store *store, Arena *arena, void (*row)(void *user, const ExploreRow *row),
                void *user);
/* Stores a row in one transaction. False after EXPLORE_STORE. */
bool store_put(Store *store, const ExploreRow *row);
/* Marks the points of the front. */
bool store_front(Store *store, const Front *front);

/* ---- pool.c ---------------------------------------------------------------------------------- */

typedef struct {
  u32 njobs;
  void *user;
  /* Called in a child process: writes the result of an item to `out`. */
  void (*work)(void *user, u64 item, Buf *out);
  /* Called in this process: `out` and standard error (`said`) of a child, and its status of
   * waitpid. False ends the run. */
  bool (*done)(void *user, u64 item, const Buf *out, int status, const Buf *said);
} Pool;

/* Runs all items, `njobs` at once; false if `done` was false, a process could not be started, or
 * after an interrupt, which kills the children. */
bool pool_run(const Pool *pool, const u64 *items, size_t n);
/* Redirects standard error to an anonymous file, and restores it, returning the text written. */
int said_begin(void);
void said_end(int was, Buf *said);

/* ---- page.c ---------------------------------------------------------------------------------- */

typedef Vec(ExploreRow) Rows;

/* All rows as one HTML page, with links to the points' folders in `folder`; the front as text and
 * as CSV. Rows are sorted by point. */
void page_print(const ExplorePlan *plan, const Rows *rows, const Front *front, const char *folder,
                Buf *out);
void front_print_text(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out);
void front_print_csv(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out);

#endif

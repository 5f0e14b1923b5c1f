/* explore.h -- which fabric for these kernels: plans, points, and what came of them.
 *
 *     {"kernels": [{"file": "dot.mlir", "case": "dot.json"}, {"file": "fir.mlir", "case": "fir.json"}],
 *      "axes": {"topology": "mesh", "rows": [2, 3, 4], "cols": [2, 3, 4], "tracks": [1, 2]},
 *      "objectives": ["area", "cycles"]}
 *
 * A plan (plan.c) spans a grid: a point is one value for each axis, and has a number. Of each point
 * comes a row (row.c): the area of the fabric and, for each kernel, the cycles of its case, or why
 * there are none. Rows are kept in a database (store.c), from which a run goes on where it was. Of
 * what all points reach, the front (front.c) is that which nothing else beats.
 *
 *     point 17 --> process --> row, a line of JSON --> database --> front --> text, CSV, page
 *
 * A point whose area and lower bounds (map/least.c) the front beats already is not mapped. So that
 * this is the same on one core, on many and after an interruption, points are visited in waves of a
 * size that the plan says, and what is pruned follows from the waves before alone.
 *
 * What a point is made of, a fabric and mappings, is of the driver: driver/explore_point.c. */
#ifndef LOOM_EXPLORE_EXPLORE_H
#define LOOM_EXPLORE_EXPLORE_H

#include "base/json.h"

/* What can be kept small. Cycles and time are in thousandths: means are cut there, so that they can
 * be compared. Time is cycles by components on the longest path between two registers. */
typedef enum { GOAL_AREA, GOAL_CYCLES, GOAL_TIME, GOAL_CHAIN, GOALS } ExploreGoal;
extern const char *const explore_goals[GOALS + 1];

typedef struct {
  u64 of[GOALS];
} ExploreFigures;

typedef struct {
  const char *name;
  const char *const *values; /* as one would type them */
  u32 nvalues;
  Loc loc;
} ExploreAxis;

typedef struct {
  const char *file, *input,
      *function; /* as seen from here; input: a case; function: NULL, the only one */
  Loc loc;
} ExploreKernel;

typedef struct {
  const Source *source;
  ExploreKernel *kernels;
  u32 nkernels;
  ExploreAxis *axes;
  u32 naxes;
  bool is_goal[GOALS];
  bool is_worst; /* over the kernels the worst counts, not the mean */
  u32 rounds, wave;
  u64 max_cycles; /* of a case */
  u64 npoints;    /* of the grid */
  u64 nvisits;    /* of these so many are visited */
  u64 stride;     /* explore_visit */
} ExplorePlan;

/* ---- plan.c ---------------------------------------------------------------------------------- */

/* Is there such an axis, and can it have that value? Else why not, in `why`. */
typedef bool ExploreCheck(void *user, const char *axis, const char *value, Buf *why);

/* False after EXPLORE_PLAN at the places that are wrong, or COMP_FILE_READ. */
bool explore_plan_read(Context *ctx, const char *path, ExploreCheck *check, void *user,
                       ExplorePlan *plan);
/* The point that is visited k-th: neighbours on the grid are far apart. */
u64 explore_visit(const ExplorePlan *plan, u64 k);
/* Which value an axis has there. */
const char *explore_value(const ExplorePlan *plan, u64 point, u32 axis);
/* Area and chain, and the mean or the worst of what the kernels take. By kernel: cycles, and cycles
 * by components of a chain. */
ExploreFigures explore_figures(const ExplorePlan *plan, u64 area, const u64 *cycles,
                               const u64 *times, const u32 *chains);

/* ---- row.c ----------------------------------------------------------------------------------- */

typedef enum { ROW_MAPPED, ROW_FAILED, ROW_PRUNED, ROW_SKIPPED, ROW_STATUSES } RowStatus;
extern const char *const row_statuses[ROW_STATUSES + 1];

typedef struct {
  u8 status;                  /* RowStatus; skipped: another has failed */
  const char *code, *message; /* of a failure; else NULL */
  const char *loops;          /* of -O2: what it did with them, on this fabric; else NULL */
  u64 bound, cycles;          /* bound: cycles at the least; 0: not known */
  u32 ii, chain;
} ExploreResult;

typedef struct {
  u64 point;
  u8 status;                  /* mapped, failed, pruned */
  const char *code, *message; /* of the first failure; else NULL */
  u64 area;                   /* 0: no fabric came of it */
  ExploreFigures figures; /* of one that is mapped; pruned: what it could have reached at best */
  u64 by;                 /* pruned: because of this point */
  const char **names;     /* of the kernels */
  ExploreResult *results; /* by kernel */
  u32 nresults;
  const char *command;
} ExploreRow;

ExploreRow row_new(Arena *arena, u64 point, u32 nkernels);
/* One line of JSON, with its end. */
void row_print(const ExplorePlan *plan, const ExploreRow *row, Buf *out);
/* The same as the next value of a larger text. */
void row_put(const ExplorePlan *plan, const ExploreRow *row, Json *j);
/* The other way; false where it is none of this plan's. Texts are in the arena. */
bool row_parse(const ExplorePlan *plan, const char *text, size_t len, Arena *arena,
               ExploreRow *row);
/* {"rows": "3", ...} */
void row_print_settings(const ExplorePlan *plan, u64 point, Buf *out);
/* 1234567 thousandths as 1234.567 */
void row_print_figure(u64 figure, ExploreGoal goal, Buf *out);

/* ---- front.c --------------------------------------------------------------------------------- */

typedef struct {
  u64 point;
  ExploreFigures figures;
} FrontPoint;
typedef Vec(FrontPoint) Front;

/* A point that dominates these figures; NULL: none. */
const FrontPoint *front_beats(const ExplorePlan *plan, const Front *front, const ExploreFigures *f);
/* Takes a point in, unless it is dominated, and leaves out whom it dominates. By number. */
void front_add(const ExplorePlan *plan, Front *front, u64 point, const ExploreFigures *figures);
/* As JSON, for points that are run elsewhere. */
void front_print(const Front *front, Buf *out);
bool front_parse(Context *ctx, const Source *source, Front *front);

/* ---- store.c --------------------------------------------------------------------------------- */

typedef struct Store Store;

/* Opens or makes DIR/explore.db. `stamp` says of what its rows are; of another one they are no use.
 * NULL after EXPLORE_STORE. Nobody else can open it until it is closed. */
Store *store_open(Context *ctx, const char *dir, const ExplorePlan *plan, const char *stamp);
void store_close(Store *store); /* NULL is allowed */
/* Hands out each row that is there. */
bool store_read(Store *store, Arena *arena, void (*row)(void *user, const ExploreRow *row),
                void *user);
/* One transaction: all of it or nothing. False after EXPLORE_STORE. */
bool store_put(Store *store, const ExploreRow *row);
/* Which points are the front. */
bool store_front(Store *store, const Front *front);

/* ---- pool.c ---------------------------------------------------------------------------------- */

typedef struct {
  u32 njobs;
  void *user;
  /* In a process of its own: writes what comes of an item to `out`. */
  void (*work)(void *user, u64 item, Buf *out);
  /* Here: that, or what the process said before it ended otherwise. False: no more of them. */
  bool (*done)(void *user, u64 item, const Buf *out, int status, const Buf *said);
} Pool;

/* All items, so many at once; false where `done` has said so. An interrupt ends them all. */
bool pool_run(const Pool *pool, const u64 *items, size_t n);
/* Standard error into a nameless file, and back, with what came in between. */
int said_begin(void);
void said_end(int was, Buf *said);

/* ---- page.c ---------------------------------------------------------------------------------- */

typedef Vec(ExploreRow) Rows;

/* All that was mapped as one page, which will be in `folder`; the front as text and as CSV. Rows by
 * point. */
void page_print(const ExplorePlan *plan, const Rows *rows, const Front *front, const char *folder,
                Buf *out);
void front_print_text(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out);
void front_print_csv(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out);

#endif

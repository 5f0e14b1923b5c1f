/* plan.c -- reads the plan of an exploration from JSON. See explore.h.
 *
 * As many errors as possible are reported, each at its place in the file. An axis is named like an
 * option of `loom adg`, without the dashes; a single value needs no list. Each value is checked
 * against the option's bounds here, so a point can fail only by the combination of its values.
 *
 * A point is a number in mixed radix, the last axis being the lowest digit. Points are visited in
 * steps of a fixed stride modulo their number. The stride is coprime to it, so each point is
 * visited once, and about 0.618 of it (the golden ratio), so any first few points are spread over
 * the grid: they give a front that prunes many others. */
#include "base/json.h"
#include "explore/explore.h"
#include "map/map.h"

#include <jansson.h>
#include <math.h>

enum { MAX_KERNELS = 64, MAX_AXES = 32, MAX_VALUES = 4096, MAX_VISITS = 1000000 };

typedef struct {
  Context *ctx;
  ExplorePlan *plan;
  ExploreCheck *check;
  void *user;
  bool is_ok;
} Reader;

/* ---- errors ---------------------------------------------------------------------------------- */

static bool PRINTF_LIKE(3, 4) wrong(Reader *r, const Path *path, const char *format, ...) {
  va_list args;
  va_start(args, format);
  path_diag(r->ctx, r->plan->source, path, EXPLORE_PLAN, format, args);
  va_end(args);
  return r->is_ok = false;
}

static void only_members(Reader *r, const Path *up, json_t *object, const char *const *names,
                         size_t n) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    bool known = false;
    for (size_t i = 0; i < n; i++) known |= strcmp(key, names[i]) == 0;
    const char *near = known ? NULL : nearest_name(key, names, n);
    if (!known)
      wrong(r, &(Path){up, key, PATH_NAME}, "unknown member '%s'%s%s%s", key,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
}

static u64 read_number(Reader *r, json_t *root, const char *key, u64 low, u64 high, u64 otherwise) {
  json_t *value = json_object_get(root, key);
  if (!value) return otherwise;
  json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < (json_int_t)low || number > (json_int_t)high)
    wrong(r, &(Path){NULL, key, 0}, "expected a number from %llu to %llu", (unsigned long long)low,
          (unsigned long long)high);
  return (u64)number;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char *read_text(Reader *r, const Path *up, json_t *object, const char *key,
                             bool must) {
  json_t *value = json_object_get(object, key);
  const char *text = json_string_value(value);
  if (!value && !must) return NULL;
  if (text && *text && strlen(text) == json_string_length(value)) return str_of(r->ctx, text)->text;
  wrong(r, value ? &(Path){up, key, 0} : up,
        value ? "expected a name in quotes" : "missing member '%s'", key);
  return NULL;
}

/* The path of a readable file, or NULL after a report. */
static const char *read_file(Reader *r, const Path *up, json_t *object, const char *key) {
  const char *name = read_text(r, up, object, key, true),
             *path = name ? file_beside(r->ctx, r->plan->source->name, name) : NULL;
  const char *problem = path ? file_read_problem(path) : NULL;
  if (problem) wrong(r, &(Path){up, key, 0}, "cannot read %s: %s", path, problem);
  return problem ? NULL : path;
}

static void read_kernels(Reader *r, json_t *list) {
  static const char *const members[] = {"file", "case", "function"};
  Path path = {NULL, "kernels", 0};
  ExplorePlan *plan = r->plan;
  size_t n = json_array_size(list);
  if (!n || n > MAX_KERNELS) {
    wrong(r, list ? &path : NULL, "expected \"kernels\": a list of 1 to %d kernels",
          (int)MAX_KERNELS);
    return;
  }
  plan->kernels = NEW_ARRAY(r->ctx->arena, ExploreKernel, n);
  for (size_t i = 0; i < n; i++) {
    Path at = {&path, NULL, i};
    json_t *one = json_array_get(list, i);
    if (!json_is_object(one)) {
      wrong(r, &at, "expected a kernel: {\"file\": ..., \"case\": ...}");
      continue;
    }
    only_members(r, &at, one, members, COUNT_OF(members));
    const char *file = read_file(r, &at, one, "file"), *input = read_file(r, &at, one, "case");
    if (file && input)
      plan->kernels[plan->nkernels++] = (ExploreKernel){
          file, input, read_text(r, &at, one, "function", false), path_loc(r->plan->source, &at)};
  }
}

/* ---- axes ------------------------------------------------------------------------------------ */

static const char *value_text(const Reader *r, json_t *value) {
  if (json_is_integer(value))
    return str_printf(r->ctx, "%lld", (long long)json_integer_value(value))->text;
  const char *text = json_string_value(value);
  return text && *text && strlen(text) == json_string_length(value) ? str_of(r->ctx, text)->text
                                                                    : NULL;
}

static void read_value(Reader *r, const Path *path, ExploreAxis *axis, const char **values,
                       json_t *value) {
  Buf why = {0};
  const char *text = value_text(r, value);
  if (!text)
    wrong(r, path, "expected a number or a word in quotes");
  else if (!r->check(r->user, axis->name, text, &why))
    wrong(r, path, "%s", why.data);
  for (u32 i = 0; text && i < axis->nvalues; i++)
    if (strcmp(values[i], text) == 0) wrong(r, path, "duplicate value '%s'", text);
  if (text) values[axis->nvalues++] = text;
  buf_free(&why);
}

static void read_axis(Reader *r, const Path *path, json_t *given) {
  size_t n = json_is_array(given) ? json_array_size(given) : 1;
  if (!n || n > MAX_VALUES || r->plan->naxes == MAX_AXES) {
    wrong(r, path, "expected a value or a list of 1 to %d values, in at most %d axes",
          (int)MAX_VALUES, (int)MAX_AXES);
    return;
  }
  Buf why = {0};
  Path name = *path;
  name.index = PATH_NAME;
  bool is_axis = r->check(r->user, path->key, NULL, &why);
  if (!is_axis) wrong(r, &name, "%s", why.data);
  buf_free(&why);
  if (!is_axis) return;
  const char **values = NEW_ARRAY(r->ctx->arena, const char *, n);
  ExploreAxis *axis = &r->plan->axes[r->plan->naxes++];
  *axis =
      (ExploreAxis){str_of(r->ctx, path->key)->text, values, 0, path_loc(r->plan->source, path)};
  if (!json_is_array(given)) read_value(r, path, axis, values, given);
  for (size_t i = 0; json_is_array(given) && i < n; i++)
    read_value(r, &(Path){path, NULL, i}, axis, values, json_array_get(given, i));
}

static void read_axes(Reader *r, json_t *axes) {
  Path path = {NULL, "axes", 0};
  const char *key;
  json_t *value;
  if (!json_object_size(axes)) {
    wrong(r, axes ? &path : NULL,
          "expected \"axes\": {\"rows\": [2, 3, 4], ...}, with names of options of loom adg");
    return;
  }
  r->plan->axes = NEW_ARRAY(r->ctx->arena, ExploreAxis, MAX_AXES);
  json_object_foreach(axes, key, value) {
    read_axis(r, &(Path){&path, key, 0}, value);
  }
}

/* ---- goals ----------------------------------------------------------------------------------- */

static void read_goals(Reader *r, json_t *list) {
  Path path = {NULL, "objectives", 0};
  bool *is_goal = r->plan->is_goal;
  if (!list) is_goal[GOAL_AREA] = is_goal[GOAL_CYCLES] = true;
  if (list && !json_array_size(list))
    wrong(r, &path, "expected a list of area, cycles, time and chain");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    u32 g = 0;
    while (g < GOALS && (!name || strcmp(name, explore_goals[g]) != 0)) g++;
    if (g < GOALS)
      is_goal[g] = true;
    else
      wrong(r, &(Path){&path, NULL, i}, "expected area, cycles, time or chain");
  }
}

static void read_over(Reader *r, json_t *over) {
  const char *name = json_string_value(over);
  r->plan->is_worst = name && strcmp(name, "worst") == 0;
  if (over && !r->plan->is_worst && (!name || strcmp(name, "mean") != 0))
    wrong(r, &(Path){NULL, "over", 0}, "expected \"mean\" (the geometric mean) or \"worst\"");
}

/* ---- points ---------------------------------------------------------------------------------- */

static void count_points(Reader *r, json_t *root) {
  ExplorePlan *p = r->plan;
  bool samples = json_object_get(root, "points");
  u64 most = (u64)1 << 31;
  p->npoints = 1;
  for (u32 i = 0; i < p->naxes; i++) {
    u64 n = p->axes[i].nvalues ? p->axes[i].nvalues : 1; /* 0 after a report */
    p->npoints = p->npoints > most / n ? most : p->npoints * n;
  }
  if (p->npoints >= most)
    wrong(r, &(Path){NULL, "axes", 0}, "the axes span more than 2^31 points");
  else if (!samples && p->npoints > MAX_VISITS)
    wrong(r, &(Path){NULL, "axes", 0},
          "the axes span %llu points; limit them with \"points\" to at most %d",
          (unsigned long long)p->npoints, (int)MAX_VISITS);
  p->nvisits = read_number(r, root, "points", 1, MAX_VISITS, p->npoints);
  if (p->nvisits > p->npoints) p->nvisits = p->npoints;
  p->stride = (u64)((double)p->npoints * 0.6180339887498949);
  while (p->stride < 2 || gcd(p->stride, p->npoints) != 1) p->stride++;
}

u64 explore_visit(const ExplorePlan *plan, u64 k) {
  return k * (plan->stride % plan->npoints) % plan->npoints;
}

const char *explore_value(const ExplorePlan *plan, u64 point, u32 axis) {
  for (u32 i = plan->naxes - 1; i > axis; i--) point /= plan->axes[i].nvalues;
  return plan->axes[axis].values[point % plan->axes[axis].nvalues];
}

/* ---- figures --------------------------------------------------------------------------------- */

/* The geometric mean or the maximum, in thousandths. */
static u64 over_kernels(const ExplorePlan *plan, const double *values) {
  double sum = 0, worst = 0;
  for (u32 k = 0; k < plan->nkernels; k++) {
    sum += log(values[k] < 1 ? 1 : values[k]);
    if (values[k] > worst) worst = values[k];
  }
  return (u64)((plan->is_worst ? worst : exp(sum / plan->nkernels)) * 1000 + 0.5);
}

ExploreFigures explore_figures(const ExplorePlan *plan, u64 area, const u64 *cycles,
                               const u64 *times, const u32 *chains) {
  double cycles_of[MAX_KERNELS], time_of[MAX_KERNELS];
  ExploreFigures f = {{area, 0, 0, 1}};
  for (u32 k = 0; k < plan->nkernels; k++) {
    cycles_of[k] = (double)cycles[k];
    time_of[k] = (double)times[k];
    if (chains[k] > f.of[GOAL_CHAIN]) f.of[GOAL_CHAIN] = chains[k];
  }
  f.of[GOAL_CYCLES] = over_kernels(plan, cycles_of);
  f.of[GOAL_TIME] = over_kernels(plan, time_of);
  return f;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool explore_plan_read(Context *ctx, const char *path, ExploreCheck *check, void *user,
                       ExplorePlan *plan) {
  static const char *const members[] = {"kernels", "axes",   "objectives", "over",
                                        "points",  "rounds", "wave",       "max-cycles"};
  *plan = (ExplorePlan){.source = source_read(ctx, path)};
  if (!plan->source) return false;
  Reader r = {ctx, plan, check, user, true};
  json_t *root = json_read(ctx, plan->source, EXPLORE_PLAN);
  if (!root) return false;
  if (!json_is_object(root)) {
    wrong(&r, NULL, "expected a plan: {\"kernels\": [...], \"axes\": {...}}");
  } else {
    only_members(&r, NULL, root, members, COUNT_OF(members));
    read_kernels(&r, json_object_get(root, "kernels"));
    read_axes(&r, json_object_get(root, "axes"));
    read_goals(&r, json_object_get(root, "objectives"));
    read_over(&r, json_object_get(root, "over"));
    plan->rounds = (u32)read_number(&r, root, "rounds", 1, 1000000, MAP_ENOUGH_ROUNDS);
    plan->wave = (u32)read_number(&r, root, "wave", 1, 1000, 32);
    plan->max_cycles = read_number(&r, root, "max-cycles", 1, (u64)1 << 40, 10000000);
    count_points(&r, root);
  }
  json_decref(root);
  return r.is_ok;
}

/* row.c -- prints and parses the row of a point: a line of JSON. See explore.h.
 *
 *     {"point": 17, "settings": {"rows": "3", "cols": "2"}, "status": "mapped", "area": 52110,
 *      "cycles": 420.117, "time": 840.234, "chain": 2,
 *      "kernels": [{"kernel": "dot", "status": "mapped", "bound": 64, "cycles": 78, "ii": 1,
 *                   "chain": 2}],
 *      "command": "loom explore plan.json --point 17"}
 *
 * Rows pass between processes and to the database in this form, which --json prints, too. Figures
 * of a pruned point are lower bounds; a failed point has none. */
#include "base/json.h"
#include "explore/explore.h"

#include <jansson.h>

const char *const row_statuses[ROW_STATUSES + 1] = {"mapped", "failed", "pruned", "skipped", NULL};

ExploreRow row_new(Arena *arena, u64 point, u32 nkernels) {
  return (ExploreRow){.point = point,
                      .names = NEW_ARRAY(arena, const char *, nkernels),
                      .results = NEW_ARRAY(arena, ExploreResult, nkernels),
                      .nresults = nkernels};
}

static bool is_exact(ExploreGoal goal) {
  return goal == GOAL_AREA || goal == GOAL_CHAIN;
}

void row_print_figure(u64 figure, ExploreGoal goal, Buf *out) {
  if (is_exact(goal))
    buf_u64(out, figure);
  else
    buf_printf(out, "%llu.%03llu", (unsigned long long)(figure / 1000),
               (unsigned long long)(figure % 1000));
}

void row_print_settings(const ExplorePlan *plan, u64 point, Buf *out) {
  Json j = {.out = out};
  json_open(&j, NULL, '{');
  for (u32 a = 0; a < plan->naxes; a++)
    json_put_text(&j, plan->axes[a].name, explore_value(plan, point, a));
  json_close(&j, '}');
}

static void put_failure(Json *j, const char *code, const char *message) {
  if (code) json_put_text(j, "code", code);
  if (message) json_put_text(j, "message", message);
}

static void print_result(Json *j, const char *name, const ExploreResult *r) {
  json_open(j, NULL, '{');
  json_put_text(j, "kernel", name);
  json_put_text(j, "status", row_statuses[r->status]);
  put_failure(j, r->code, r->message);
  if (r->bound) json_put_number(j, "bound", (i64)r->bound);
  if (r->status == ROW_MAPPED) {
    json_put_number(j, "cycles", (i64)r->cycles);
    json_put_number(j, "ii", r->ii);
    json_put_number(j, "chain", r->chain);
    if (r->loops) json_put_text(j, "loops", r->loops);
  }
  json_close(j, '}');
}

void row_put(const ExplorePlan *plan, const ExploreRow *row, Json *j) {
  json_open(j, NULL, '{');
  json_put_number(j, "point", (i64)row->point);
  json_open(j, "settings", '{');
  for (u32 a = 0; a < plan->naxes; a++)
    json_put_text(j, plan->axes[a].name, explore_value(plan, row->point, a));
  json_close(j, '}');
  json_put_text(j, "status", row_statuses[row->status]);
  put_failure(j, row->code, row->message);
  if (row->area) json_put_number(j, "area", (i64)row->area);
  for (u32 g = GOAL_CYCLES; g < GOALS && row->status != ROW_FAILED; g++) {
    if (is_exact((ExploreGoal)g))
      json_put_number(j, explore_goals[g], (i64)row->figures.of[g]);
    else
      json_put_real(j, explore_goals[g], (double)row->figures.of[g] / 1000, 3);
  }
  if (row->status == ROW_PRUNED) json_put_number(j, "pruned_by", (i64)row->by);
  json_open(j, "kernels", '[');
  for (u32 k = 0; k < row->nresults; k++) print_result(j, row->names[k], &row->results[k]);
  json_close(j, ']');
  json_put_text(j, "command", row->command);
  json_close(j, '}');
}

void row_print(const ExplorePlan *plan, const ExploreRow *row, Buf *out) {
  row_put(plan, row, &(Json){.out = out});
  buf_char(out, '\n');
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* Figures below this fit 64 bits in thousandths. */
#define MOST_FIGURE 1e16

static const char *text_of(Arena *arena, json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_copy(arena, text, strlen(text) + 1) : NULL;
}

static u64 number_of(json_t *object, const char *key) {
  return (u64)json_integer_value(json_object_get(object, key));
}

static u8 status_of(json_t *object) {
  const char *text = json_string_value(json_object_get(object, "status"));
  u8 s = 0;
  while (s < ROW_STATUSES && (!text || strcmp(text, row_statuses[s]) != 0)) s++;
  return s;
}

bool row_parse(const ExplorePlan *plan, const char *text, size_t len, Arena *arena,
               ExploreRow *row) {
  json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL),
         *kernels = json_object_get(root, "kernels");
  bool is_ok = json_array_size(kernels) == plan->nkernels && status_of(root) < ROW_SKIPPED &&
               json_is_integer(json_object_get(root, "point"));
  if (is_ok) {
    *row = row_new(arena, number_of(root, "point"), plan->nkernels);
    row->status = status_of(root);
    row->code = text_of(arena, root, "code");
    row->message = text_of(arena, root, "message");
    row->command = text_of(arena, root, "command");
    is_ok = row->status != ROW_FAILED || (row->code && row->message);
    row->area = number_of(root, "area");
    row->by = number_of(root, "pruned_by");
    row->figures.of[GOAL_AREA] = row->area;
    for (u32 g = GOAL_CYCLES; g < GOALS; g++) {
      double figure = json_number_value(json_object_get(root, explore_goals[g]));
      is_ok &= figure >= 0 && figure < MOST_FIGURE;
      if (is_ok)
        row->figures.of[g] = (u64)(is_exact((ExploreGoal)g) ? figure : figure * 1000 + 0.5);
    }
  }
  for (u32 k = 0; is_ok && k < plan->nkernels; k++) {
    json_t *one = json_array_get(kernels, k);
    row->names[k] = text_of(arena, one, "kernel");
    row->results[k] = (ExploreResult){.status = status_of(one),
                                      .code = text_of(arena, one, "code"),
                                      .message = text_of(arena, one, "message"),
                                      .loops = text_of(arena, one, "loops"),
                                      .bound = number_of(one, "bound"),
                                      .cycles = number_of(one, "cycles"),
                                      .ii = (u32)number_of(one, "ii"),
                                      .chain = (u32)number_of(one, "chain")};
    is_ok = row->names[k] && row->results[k].status < ROW_STATUSES;
  }
  json_decref(root);
  return is_ok;
}

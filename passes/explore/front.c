/* front.c -- the Pareto front: the points that no other dominates. See explore.h.
 *
 *     area 40, 900 cycles     on the front
 *     area 55, 620 cycles     on the front: quicker
 *     area 60, 900 cycles     not: the first is smaller, and as quick
 *
 * Points with equal figures do not dominate one another, so both are on it. A point is compared
 * with the whole front. */
#include "base/json.h"
#include "explore/explore.h"

#include <jansson.h>

const char *const explore_goals[GOALS + 1] = {"area", "cycles", "time", "chain", NULL};

/* True where a is better than b in some goal, and worse in none. */
static bool dominates(const ExplorePlan *plan, const ExploreFigures *a, const ExploreFigures *b) {
  bool is_better = false;
  for (u32 g = 0; g < GOALS; g++) {
    if (!plan->is_goal[g]) continue;
    if (a->of[g] > b->of[g]) return false;
    is_better |= a->of[g] < b->of[g];
  }
  return is_better;
}

/* The index of a point that dominates these figures, or the front's length. */
static size_t index_of_dominating(const ExplorePlan *plan, const Front *front,
                                  const ExploreFigures *f) {
  size_t i = 0;
  while (i < front->len && !dominates(plan, &front->at[i].figures, f)) i++;
  return i;
}

const FrontPoint *front_beats(const ExplorePlan *plan, const Front *front,
                              const ExploreFigures *f) {
  size_t i = index_of_dominating(plan, front, f);
  return i < front->len ? &front->at[i] : NULL;
}

void front_add(const ExplorePlan *plan, Front *front, u64 point, const ExploreFigures *figures) {
  size_t n = 0, at;
  if (index_of_dominating(plan, front, figures) < front->len) return;
  for (size_t i = 0; i < front->len; i++)
    if (!dominates(plan, figures, &front->at[i].figures)) front->at[n++] = front->at[i];
  front->len = n;
  vec_push(front, ((FrontPoint){point, *figures}));
  for (at = n; at && front->at[at - 1].point > point; at--) front->at[at] = front->at[at - 1];
  front->at[at] = (FrontPoint){point, *figures};
}

/* [[12, 40, 900000, 900000, 1], ...] */
void front_print(const Front *front, Buf *out) {
  buf_char(out, '[');
  for (size_t i = 0; i < front->len; i++) {
    buf_printf(out, "%s\n[%llu", i ? "," : "", (unsigned long long)front->at[i].point);
    for (u32 g = 0; g < GOALS; g++)
      buf_printf(out, ", %llu", (unsigned long long)front->at[i].figures.of[g]);
    buf_char(out, ']');
  }
  buf_str(out, "]\n");
}

bool front_parse(Context *ctx, const Source *source, Front *front) {
  json_t *root = json_read(ctx, source, EXPLORE_PLAN);
  bool is_ok = json_is_array(root);
  for (size_t i = 0; is_ok && i < json_array_size(root); i++) {
    FrontPoint p = {.point = 0};
    for (u32 g = 0; g <= GOALS; g++) {
      json_t *number = json_array_get(json_array_get(root, i), g);
      is_ok &= json_is_integer(number);
      *(g ? &p.figures.of[g - 1] : &p.point) = (u64)json_integer_value(number);
    }
    vec_push(front, p);
  }
  if (root && !is_ok)
    diag(ctx, source->base, EXPLORE_PLAN, "this is not a front written by loom explore");
  json_decref(root);
  return is_ok;
}

/* page.c -- the results of an exploration as text, CSV, and an HTML page. See explore.h.
 *
 * The page is one self-contained file: page.html with the rows in it as JSON. A point on it links
 * to its folder, which for points of the front contains the fabric and the mappings. */
#include "explore/explore.h"

#include <assert.h>

#include "text/explore_page.inc"

/* The row of a point, which must exist: a binary search. */
static const ExploreRow *row_of(const Rows *rows, u64 point) {
  size_t low = 0, high = rows->len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (rows->at[middle].point < point)
      low = middle + 1;
    else
      high = middle;
  }
  return &rows->at[low];
}

static int width_of(u32 goal) {
  return goal == GOAL_CHAIN ? 7 : 12;
}

void front_print_text(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out) {
  buf_printf(out, "%8s", "point");
  for (u32 g = 0; g < GOALS; g++) buf_printf(out, "%*s", width_of(g), explore_goals[g]);
  buf_char(out, '\n');
  for (size_t i = 0; i < front->len; i++) {
    const ExploreRow *row = row_of(rows, front->at[i].point);
    buf_printf(out, "%8llu", (unsigned long long)row->point);
    for (u32 g = 0; g < GOALS; g++) {
      Buf figure = {0};
      row_print_figure(row->figures.of[g], (ExploreGoal)g, &figure);
      buf_printf(out, "%*s", width_of(g), figure.data);
      buf_free(&figure);
    }
    for (u32 a = 0; a < plan->naxes; a++) {
      if (plan->axes[a].nvalues == 1) continue;
      buf_printf(out, "  %s ", plan->axes[a].name);
      buf_shown(out, explore_value(plan, row->point, a));
    }
    buf_char(out, '\n');
  }
}

/* A further field of a CSV record, quoted as in RFC 4180. */
static void put_field(Buf *out, const char *text) {
  buf_str(out, ",\"");
  for (; *text; text++) {
    if (*text == '"') buf_char(out, '"');
    buf_char(out, *text);
  }
  buf_char(out, '"');
}

void front_print_csv(const ExplorePlan *plan, const Rows *rows, const Front *front, Buf *out) {
  buf_str(out, "point");
  for (u32 g = 0; g < GOALS; g++) buf_printf(out, ",%s", explore_goals[g]);
  for (u32 a = 0; a < plan->naxes; a++) put_field(out, plan->axes[a].name);
  buf_char(out, '\n');
  for (size_t i = 0; i < front->len; i++) {
    const ExploreRow *row = row_of(rows, front->at[i].point);
    buf_u64(out, row->point);
    for (u32 g = 0; g < GOALS; g++) {
      buf_char(out, ',');
      row_print_figure(row->figures.of[g], (ExploreGoal)g, out);
    }
    for (u32 a = 0; a < plan->naxes; a++) put_field(out, explore_value(plan, row->point, a));
    buf_char(out, '\n');
  }
}

static void print_data(const ExplorePlan *plan, const Rows *rows, const Front *front,
                       const char *folder, Buf *out) {
  Json j = {.out = out};
  json_open(&j, NULL, '{');
  json_open(&j, "goals", '[');
  for (u32 g = 0; g < GOALS; g++)
    if (plan->is_goal[g]) json_put_text(&j, NULL, explore_goals[g]);
  json_close(&j, ']');
  json_put_text(&j, "over", plan->is_worst ? "worst" : "mean");
  json_open(&j, "kernels", '[');
  for (u32 k = 0; rows->len && k < plan->nkernels; k++)
    json_put_text(&j, NULL, rows->at[0].names[k]);
  json_close(&j, ']');
  json_put_text(&j, "folder", folder);
  json_open(&j, "cases", '[');
  for (u32 k = 0; k < plan->nkernels; k++) json_put_text(&j, NULL, plan->kernels[k].input);
  json_close(&j, ']');
  json_open(&j, "front", '[');
  for (size_t i = 0; i < front->len; i++) json_put_number(&j, NULL, (i64)front->at[i].point);
  json_close(&j, ']');
  json_open(&j, "rows", '[');
  for (size_t i = 0; i < rows->len; i++) {
    if (i) json_line(&j, 0);
    row_put(plan, &rows->at[i], &j);
  }
  json_close(&j, ']');
  json_close(&j, '}');
}

void page_print(const ExplorePlan *plan, const Rows *rows, const Front *front, const char *folder,
                Buf *out) {
  static const char mark[] = "\nDATA\n";
  Buf page = {0}, data = {0};
  for (const char *const *part = explore_page; *part; part++) buf_str(&page, *part);
  const char *at = strstr(page.data, mark);
  assert(at); /* page.html has it */
  print_data(plan, rows, front, folder, &data);
  buf_put(out, page.data, (size_t)(at + 1 - page.data));
  for (size_t i = 0; i < data.len; i++) /* escaped: no text can close the enclosing <script> */
    if (data.data[i] == '<')
      buf_str(out, "\\u003c");
    else
      buf_char(out, data.data[i]);
  buf_str(out, at + strlen(mark) - 1);
  buf_free(&page);
  buf_free(&data);
}

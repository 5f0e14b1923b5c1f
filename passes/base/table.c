/* table.c -- text tables whose columns are as wide as their cells. See table.h. */
#include "base/table.h"

#include <assert.h>

Table table_of(const char *columns) {
  return (Table){.columns = columns};
}

void table_cell(Table *t, const char *format, ...) {
  Buf cell = {0};
  va_list args;
  va_start(args, format);
  buf_vprintf(&cell, format, args);
  va_end(args);
  vec_push(&t->cells, t->text.len);
  buf_shown(&t->text, cell.data);
  buf_char(&t->text, '\0');
  buf_free(&cell);
}

static const char *cell(const Table *t, size_t i) {
  return t->text.data + t->cells.at[i];
}

enum { WIDEST = 80 };

/* The width of each column; 0: it is empty but for its title. */
static void find_widths(const Table *t, size_t ncolumns, size_t *widths) {
  for (size_t i = t->is_untitled ? 0 : ncolumns; i < t->cells.len; i++) {
    size_t length = strlen(cell(t, i));
    if (length > widths[i % ncolumns] && length <= WIDEST) widths[i % ncolumns] = length;
  }
  for (size_t c = 0; c < ncolumns && c < t->cells.len; c++)
    if (widths[c] && strlen(cell(t, c)) > widths[c]) widths[c] = strlen(cell(t, c));
}

void table_print(Table *t, Buf *out) {
  size_t ncolumns = strlen(t->columns), last = 0;
  assert(ncolumns);
  size_t *widths = mem_alloc(mem_size(ncolumns, sizeof *widths));
  find_widths(t, ncolumns, widths);
  for (size_t c = 0; c < ncolumns; c++)
    if (widths[c]) last = c;
  for (size_t i = 0; i < t->cells.len; i++) {
    size_t column = i % ncolumns;
    bool is_left = t->columns[column] == '<';
    if (widths[column])
      buf_printf(out, "%*s%s",
                 is_left && column == last ? 0 : (is_left ? -1 : 1) * (int)widths[column],
                 cell(t, i), column == last ? "" : "  ");
    if (column + 1 == ncolumns) buf_char(out, '\n');
  }
  mem_free(widths);
  vec_free(&t->cells);
  buf_free(&t->text);
}

void table_show(Table *t) {
  Buf out = {0};
  table_print(t, &out);
  if (out.len) fputs(out.data, stdout);
  buf_free(&out);
}

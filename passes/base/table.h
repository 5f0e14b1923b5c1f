/* table.h -- text tables whose columns are as wide as their cells.
 *
 *     Table table = table_of("<>");            two columns: to the left, to the right
 *     table_cell(&table, "unit");  table_cell(&table, "firings");
 *     table_cell(&table, "pe_0");  table_cell(&table, "%u", 12);
 *     table_print(&table, &out);               and frees it
 */
#ifndef LOOM_BASE_TABLE_H
#define LOOM_BASE_TABLE_H

#include "base/base.h"

typedef struct {
  const char *columns; /* '<' or '>' for each */
  bool is_untitled;    /* the first row holds data, not titles */
  Buf text;            /* the cells, each with its NUL */
  Vec(size_t) cells;   /* their offsets in `text`, row by row */
} Table;

Table table_of(const char *columns);
void table_cell(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends the table, two spaces between columns, and frees it. Rows must be complete; the first one
 * holds the titles (unless untitled). A column that is empty below its title is left out, and a
 * cell of more than 80 bytes does not widen its column. */
void table_print(Table *table, Buf *out);
/* The same on standard output. */
void table_show(Table *table);

#endif

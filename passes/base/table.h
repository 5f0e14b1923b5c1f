/* table.h -- tables as wide as what is in them.
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
  bool is_untitled;    /* the first row is one like the others */
  Buf text;            /* the cells, each with its NUL */
  Vec(size_t) cells;   /* where in it they begin, row by row */
} Table;

Table table_of(const char *columns);
void table_cell(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends the table, two spaces between columns, and frees it. Rows are whole; the first one is the
 * titles (unless it is untitled), and a column in which nothing stands below its title is left out.
 * A text that is much longer than others stands out of its column. */
void table_print(Table *table, Buf *out);
/* The same on standard output. */
void table_show(Table *table);

#endif

/* table.h -- tables as wide as what is in them.
 *
 *     Table table = table_of("<>");            two columns: to the left, to the right
 *     table_cell(&table, "unit");  table_cell(&table, "firings");
 *     table_cell(&table, "pe_0");  table_cell(&table, "%u", 12);
 *     table_print(&table);                     and frees it
 */
#ifndef LOOM_DRIVER_TABLE_H
#define LOOM_DRIVER_TABLE_H

#include "base/base.h"

typedef struct {
  const char *columns; /* '<' or '>' for each */
  Buf text;            /* the cells, each with its NUL */
  Vec(size_t) cells;   /* where in it they begin, row by row */
} Table;

Table table_of(const char *columns);
void table_cell(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
/* To standard output, two spaces between columns, and frees it. Rows are whole; the first one is
 * the titles, and a column in which nothing stands below its title is left out. */
void table_print(Table *table);

#endif

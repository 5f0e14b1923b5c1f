/* sim_show.c -- what loom sim prints of a run. See sim_show.h. */
#include "driver/sim_show.h"
#include "driver/steps.h"
#include "sim/value.h"

/* ---- the table of cycles --------------------------------------------------------------------- */

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  CycleTable *table = user;
  TransferSeen t = {cycle, input, value};
  if (cycle < MOST_CYCLES_SHOWN) vec_push(&table->seen, t);
}

MachineObserver cycle_table_watcher(CycleTable *table) {
  return (MachineObserver){.user = table, .transfer = on_transfer};
}

void cycle_table_free(CycleTable *table) {
  vec_free(&table->seen);
}

/* The type of the edge whose tokens an operand takes; NULL where no mapping says, or of no data. */
static const DfgType *type_of(const Simulation *s, u32 input) {
  u32 edge = origin_edge(s->origins, input);
  if (edge == DFG_NONE) return NULL;
  const DfgType *type = dfg_edge_type(s->asked, edge);
  return type->kind == TYPE_NONE || type->ir->kind == TYPE_TUPLE ? NULL : type;
}

/* As its type is written; a channel may be wider than what goes through it. Else bits, as a number
 * without a sign. */
static void put_value(const Simulation *s, const DfgType *type, u64 value, Buf *out) {
  if (type && type->kind == TYPE_TUPLE)
    value_token_text(s->call->ctx, type->ir, s->wide + 2 * value, out);
  else if (type)
    value_text(s->call->ctx, type->ir, value & eval_mask(type->bits), out);
  else
    buf_printf(out, "%llu", (unsigned long long)value);
}

/* What a cell of the row of `cycle` holds, or nothing. */
typedef struct {
  u32 at, len; /* in CycleRows.text; len 0: nothing */
} Cell;

typedef struct {
  const Simulation *s;
  const DfgType **types; /* by input */
  size_t *widths;
  Cell *cells;
  Buf text;
} CycleRows;

/* The transfers from `at` on that are of this cycle. Behind the last. */
static size_t read_row(CycleRows *rows, const CycleTable *table, size_t at, u64 cycle) {
  rows->text.len = 0;
  memset(rows->cells, 0, rows->s->machine->ninputs * sizeof *rows->cells);
  for (; at < table->seen.len && table->seen.at[at].cycle == cycle; at++) {
    const TransferSeen *t = &table->seen.at[at];
    Cell *cell = &rows->cells[t->input];
    cell->at = (u32)rows->text.len;
    put_value(rows->s, rows->types[t->input], t->value, &rows->text);
    cell->len = (u32)rows->text.len - cell->at;
  }
  return at;
}

/* A column is as wide as its name, or the longest value in it. */
static void widen(CycleRows *rows, const CycleTable *table, u64 cycles) {
  size_t at = 0;
  for (u64 cycle = 0; cycle < cycles && cycle < MOST_CYCLES_SHOWN; cycle++) {
    at = read_row(rows, table, at, cycle);
    for (u32 i = 0; i < rows->s->machine->ninputs; i++)
      if (rows->cells[i].len > rows->widths[i]) rows->widths[i] = rows->cells[i].len;
  }
}

static void print_head(const CycleRows *rows, const Buf *names) {
  const char *name = names->data ? names->data : "";
  printf("cycle");
  for (u32 i = 0; i < rows->s->machine->ninputs; i++, name += strlen(name) + 1)
    printf("  %*s", (int)rows->widths[i], name);
  printf("\n");
}

/* A row a cycle, a column an operand: what it took. Columns are as in the machine's tables. */
void cycle_table_print(const Simulation *s, const CycleTable *table, u64 cycles) {
  u32 n = s->machine->ninputs;
  Buf names = {0};
  CycleRows rows = {.s = s,
                    .types = mem_alloc(mem_size((size_t)n + 1, sizeof *rows.types)),
                    .widths = mem_alloc(mem_size((size_t)n + 1, sizeof *rows.widths)),
                    .cells = mem_alloc(mem_size((size_t)n + 1, sizeof *rows.cells))};
  for (u32 i = 0; i < n; i++) {
    size_t at = names.len;
    rows.types[i] = type_of(s, i);
    machine_input_name(s->machine, i, &names);
    rows.widths[i] = names.len - at;
    buf_char(&names, '\0');
  }
  widen(&rows, table, cycles);
  print_head(&rows, &names);
  size_t at = 0;
  for (u64 cycle = 0; cycle < cycles && cycle < MOST_CYCLES_SHOWN; cycle++) {
    at = read_row(&rows, table, at, cycle);
    printf("%5llu", (unsigned long long)cycle);
    for (u32 i = 0; i < n; i++) {
      const Cell *cell = &rows.cells[i];
      printf("%*s%.*s", (int)(rows.widths[i] + 2 - (cell->len ? cell->len : 1)), "",
             cell->len ? (int)cell->len : 1, cell->len ? rows.text.data + cell->at : ".");
    }
    printf("\n");
  }
  mem_free(rows.types);
  mem_free(rows.widths);
  mem_free(rows.cells);
  buf_free(&rows.text);
  buf_free(&names);
}

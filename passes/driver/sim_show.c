/* sim_show.c -- loom sim --cycles: a table of the transfers of a run. See sim_show.h. */
#include "driver/sim_show.h"
#include "base/table.h"
#include "run/value.h"

/* ---- the table of cycles --------------------------------------------------------------------- */

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  CycleTable *table = user;
  TransferSeen t = {cycle, input, value};
  if (cycle < MAX_CYCLES_SHOWN) vec_push(&table->seen, t);
}

MachineObserver cycle_table_watcher(CycleTable *table) {
  return (MachineObserver){.user = table, .transfer = on_transfer};
}

void cycle_table_free(CycleTable *table) {
  vec_free(&table->seen);
}

/* The type of the edge whose tokens an operand takes; NULL: there is no mapping, or no data. */
static const DfgType *type_of(const Simulation *s, u32 input) {
  u32 edge = origin_edge(s->origins, input);
  if (edge == DFG_NONE) return NULL;
  const DfgType *type = dfg_edge_type(s->asked, edge);
  return type->kind == TYPE_NONE || type->ir->kind == TYPE_TUPLE ? NULL : type;
}

/* A value in the notation of its type, cut to the type's width, as a channel may be wider; without
 * a type the bits as an unsigned number. */
static void put_value(const Simulation *s, const DfgType *type, u64 value, Buf *out) {
  if (type && type->kind == TYPE_TUPLE)
    value_token_text(s->call->ctx, type->ir, s->wide + 2 * value, out);
  else if (type)
    value_text(s->call->ctx, type->ir, value & eval_mask(type->bits), out);
  else
    buf_printf(out, "%llu", (unsigned long long)value);
}

static void value_cell(Table *t, const Simulation *s, const TransferSeen *seen) {
  Buf text = {0};
  put_value(s, type_of(s, seen->input), seen->value, &text);
  table_cell(t, "%s", text.data);
  buf_free(&text);
}

/* A row for each of the first cycles, a column for each operand of the machine: the value that it
 * took. */
void cycle_table_print(const Simulation *s, const CycleTable *table, u64 cycles) {
  u32 n = s->machine->ninputs;
  Buf columns = {0};
  for (u32 i = 0; i <= n; i++) buf_char(&columns, '>');
  const TransferSeen **row = mem_alloc(mem_size((size_t)n + 1, sizeof *row));
  Table t = table_of(columns.data);
  table_cell(&t, "cycle");
  for (u32 i = 0; i < n; i++) {
    Buf name = {0};
    machine_input_name(s->machine, i, &name);
    table_cell(&t, "%s", name.data);
    buf_free(&name);
  }
  size_t at = 0;
  for (u64 cycle = 0; cycle < cycles && cycle < MAX_CYCLES_SHOWN; cycle++) {
    memset(row, 0, n * sizeof *row);
    for (; at < table->seen.len && table->seen.at[at].cycle == cycle; at++)
      row[table->seen.at[at].input] = &table->seen.at[at];
    table_cell(&t, "%llu", (unsigned long long)cycle);
    for (u32 i = 0; i < n; i++) row[i] ? value_cell(&t, s, row[i]) : table_cell(&t, ".");
  }
  table_show(&t);
  if (cycles > MAX_CYCLES_SHOWN)
    printf("... and %llu more: `loom emit trace` writes all\n",
           (unsigned long long)(cycles - MAX_CYCLES_SHOWN));
  mem_free(row);
  buf_free(&columns);
}

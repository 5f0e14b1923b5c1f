/* machine_csv.c -- tables of a run of hardware, as CSV.
 *
 *     file            a line for each         columns
 *     transfers.csv   token at an operand     cycle, operand, name, value, at
 *     stalls.csv      stall of a unit         from, to, unit, operation, cause, operand, at
 *     switches.csv    token in a switch       cycle, switch, input, output, operand, at
 *     load.csv        component whose words   (load.c; only with --load)
 *                     are loaded
 *
 * `name` is the value of the graph that an operand takes, `at` its place in the source; a stall
 * lasts from cycle `from` to `to`, both included. The parts of a line that do not change are
 * formatted once, in quotes where CSV needs them.
 */
#include "machine.h"

struct Tables {
  Out transfers, stalls, switches;
  const char **operands;     /* by input: its name */
  const char **columns;      /* by input: ",OPERAND,NAME," */
  const char **ends;         /* by input: ",LOCATION\n" */
  const char **units;        /* by unit: "NAME,OPERATION" */
  const char **locations;    /* by unit */
  const char **switch_names; /* by component; NULL: no token has passed it yet */
};

static void format_fields(MachineTrace *m, Tables *tables) {
  Trace *t = m->t;
  tables->operands = trace_alloc(t, m->ninputs, sizeof *tables->operands);
  tables->columns = trace_alloc(t, m->ninputs, sizeof *tables->columns);
  tables->ends = trace_alloc(t, m->ninputs, sizeof *tables->ends);
  for (uint32_t i = 0; i < m->ninputs; i++) {
    tables->operands[i] = csv_field(t, m->names[i]);
    tables->columns[i] =
        trace_format(t, ",%s,%s,", tables->operands[i], csv_field(t, m->values[i]));
    tables->ends[i] = trace_format(t, ",%s\n", csv_field(t, m->locations[i]));
  }
  tables->units = trace_alloc(t, m->nunits, sizeof *tables->units);
  tables->locations = trace_alloc(t, m->nunits, sizeof *tables->locations);
  for (uint32_t u = 0; u < m->nunits; u++) {
    tables->units[u] = trace_format(t, "%s,%s", csv_field(t, m->units[u].name),
                                    csv_field(t, trace_machine_operation(m, u)));
    tables->locations[u] = csv_field(t, trace_machine_location(m, u));
  }
  if (m->routes) {
    uint32_t components = m->fabric->component_count(t->design);
    tables->switch_names = trace_alloc(t, components, sizeof *tables->switch_names);
  }
}

static void begin(MachineTrace *m) {
  Trace *t = m->t;
  Tables *tables = m->tables = trace_alloc(t, 1, sizeof *tables);
  format_fields(m, tables);
  tables->transfers.stream = "transfers.csv";
  tables->stalls.stream = "stalls.csv";
  tables->switches.stream = "switches.csv";
  trace_text(t, &tables->transfers, "cycle,operand,name,value,at\n");
  trace_text(t, &tables->stalls, "from,to,unit,operation,cause,operand,at\n");
  trace_text(t, &tables->switches, "cycle,switch,input,output,operand,at\n");
}

static void transfer(MachineTrace *m, uint64_t cycle, uint32_t input, uint64_t value) {
  Trace *t = m->t;
  Tables *tables = m->tables;
  char text[VALUE_ROOM];
  trace_machine_value(m, input, value, text);
  trace_number(t, &tables->transfers, cycle);
  trace_text(t, &tables->transfers, tables->columns[input]);
  trace_text(t, &tables->transfers, text);
  trace_text(t, &tables->transfers, tables->ends[input]);
}

static void passage(MachineTrace *m, const Passage *p) {
  Trace *t = m->t;
  Tables *tables = m->tables;
  const char **name = &tables->switch_names[p->component];
  if (!*name) *name = csv_field(t, p->name);
  trace_printf(t, &tables->switches, "%llu,%s,%u,%u,%s%s", (unsigned long long)p->cycle, *name,
               p->from, p->to, tables->operands[p->input], tables->ends[p->input]);
}

static void stall(MachineTrace *m, const Stall *s) {
  Tables *tables = m->tables;
  trace_printf(m->t, &tables->stalls, "%llu,%llu,%s,%s,%s,%s\n", (unsigned long long)s->from,
               (unsigned long long)(s->to - 1), tables->units[s->unit], loom_wait_name(s->why),
               s->input == LOOM_NONE ? "" : tables->operands[s->input], tables->locations[s->unit]);
}

static void end(MachineTrace *m, uint64_t cycles) {
  Trace *t = m->t;
  (void)cycles;
  trace_flush(t, &m->tables->transfers);
  trace_flush(t, &m->tables->stalls);
  trace_flush(t, &m->tables->switches);
  load_table(t);
}

const MachineFormat trace_machine_csv = {
    .name = "csv",
    .begin = begin,
    .transfer = transfer,
    .passage = passage,
    .stall = stall,
    .end = end,
};

/* machine_json.c -- trace.json of configured hardware: a timeline in the trace event format that
 * Chrome and Perfetto read (timeline.c describes it; there for graphs).
 *
 *     {"ph":"X","pid":1,"tid":7,"ts":41,"dur":1,"name":"arith.addi","args":{...}},
 *     {"ph":"X","cat":"stall","pid":1,"tid":7,"ts":42,"dur":3,"name":"starved","args":{...}},
 *
 * A microsecond is a cycle; the load of a configuration, where it is shown, comes before cycle 0 of
 * the run (Trace.lead). Each unit is a track (tid). A firing is a slice with the operands that it
 * took, a stall a slice with its cause. Switches that tokens pass are tracks behind those of the
 * units. Process (pid) 1 is the design; each instance of a module in it, such as a tile, is
 * another.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

struct Tracks {
  Out out;
  uint32_t *process;                   /* by unit: its pid */
  uint32_t processes;                  /* how many */
  const char **operations, **operands; /* by unit, by input: strings of JSON */
  unsigned char *declared;             /* by component: a switch that has its track */
};

/* ---- processes ------------------------------------------------------------------------------- */

/* A unit whose component is in an instance of a module: "tile_3" of "tile_3/pe". */
typedef struct {
  const char *name; /* of the component; its first `length` characters are the instance's */
  size_t length;
  uint32_t unit;
} InstanceUnit;

static int compare_instances(const InstanceUnit *a, const InstanceUnit *b) {
  int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
  return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

static int by_instance(const void *x, const void *y) {
  const InstanceUnit *a = x, *b = y;
  int order = compare_instances(a, b);
  return order ? order : a->unit < b->unit ? -1 : a->unit > b->unit;
}

static int by_unit(const void *x, const void *y) {
  const InstanceUnit *a = x, *b = y;
  return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static int is_shown(const MachineTrace *m, uint32_t unit) {
  return trace_machine_fires(m, unit) && m->unit_chosen[unit];
}

/* The shown units that are in instances, sorted by the instance; *count: how many. */
static InstanceUnit *find_instance_units(const MachineTrace *m, uint32_t *count) {
  InstanceUnit *found = trace_alloc(m->t, m->nunits, sizeof *found);
  uint32_t n = 0;
  for (uint32_t u = 0; u < m->nunits; u++) {
    const char *slash = strrchr(m->units[u].name, '/');
    if (slash && slash > m->units[u].name && is_shown(m, u))
      found[n++] = (InstanceUnit){m->units[u].name, (size_t)(slash - m->units[u].name), u};
  }
  qsort(found, n, sizeof *found, by_instance);
  *count = n;
  return found;
}

/* Gives each instance a process, in the order of their first units. */
static void find_processes(MachineTrace *m, Tracks *tracks) {
  Trace *t = m->t;
  uint32_t n, nfirsts = 0;
  InstanceUnit *units = find_instance_units(m, &n), *firsts = trace_alloc(t, n, sizeof *firsts);
  /* by unit: the first one of its instance */
  uint32_t *first_of = trace_alloc(t, m->nunits, sizeof *first_of);
  for (uint32_t i = 0; i < n; i++) {
    if (i == 0 || compare_instances(&units[i - 1], &units[i])) firsts[nfirsts++] = units[i];
    first_of[units[i].unit] = firsts[nfirsts - 1].unit;
  }
  qsort(firsts, nfirsts, sizeof *firsts, by_unit);
  tracks->processes = 1;
  for (uint32_t u = 0; u < m->nunits; u++) tracks->process[u] = 1;
  for (uint32_t i = 0; i < nfirsts; i++) {
    const char *name = trace_format(t, "%.*s", (int)firsts[i].length, firsts[i].name);
    tracks->process[firsts[i].unit] = ++tracks->processes;
    trace_printf(t, &tracks->out,
                 ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":%s}}",
                 tracks->processes, trace_json(t, name));
  }
  for (uint32_t i = 0; i < n; i++)
    tracks->process[units[i].unit] = tracks->process[first_of[units[i].unit]];
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static void put_track(MachineTrace *m, uint32_t process, uint32_t track, const char *name) {
  trace_printf(m->t, &m->tracks->out,
               ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
               "\"args\":{\"name\":%s}}",
               process, track, trace_json(m->t, name));
}

/* "pe: arith.addi sum at fir.c:6:21" */
static const char *track_name(MachineTrace *m, uint32_t unit) {
  uint32_t reader = m->reader_of[unit];
  const char *location = trace_machine_location(m, unit);
  return trace_format(m->t, "%s: %s%s%s%s%s", m->units[unit].name, trace_machine_operation(m, unit),
                      reader == LOOM_NONE ? "" : " ", reader == LOOM_NONE ? "" : m->values[reader],
                      *location ? " at " : "", location);
}

static void begin(MachineTrace *m) {
  Trace *t = m->t;
  Tracks *tracks = m->tracks = trace_alloc(t, 1, sizeof *tracks);
  tracks->out.stream = "trace.json";
  tracks->process = trace_alloc(t, m->nunits, sizeof *tracks->process);
  tracks->operations = trace_alloc(t, m->nunits, sizeof *tracks->operations);
  tracks->operands = trace_alloc(t, m->ninputs, sizeof *tracks->operands);
  if (m->routes) tracks->declared = trace_alloc(t, m->fabric->component_count(t->design), 1);
  trace_printf(t, &tracks->out,
               "{\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
               "\"args\":{\"name\":%s}}",
               trace_json(t, trace_machine_name(m)));
  find_processes(m, tracks);
  for (uint32_t u = 0; u < m->nunits; u++) {
    if (!is_shown(m, u)) continue;
    tracks->operations[u] = trace_json(t, trace_machine_operation(m, u));
    put_track(m, tracks->process[u], u, track_name(m, u));
  }
  for (uint32_t i = 0; i < m->ninputs; i++)
    tracks->operands[i] = trace_json(
        t, trace_format(t, "%s%s%s", m->names[i], *m->values[i] ? " " : "", m->values[i]));
  load_timeline(t, &tracks->out, tracks->processes + 1);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Which operands a mux, stream, gate, carry or invariant took is not known here: they are not
 * written. */
static int takes_all(const loom_unit *unit) {
  return unit->kind == LOOM_UNIT_FIRE || unit->kind == LOOM_UNIT_LOAD ||
         unit->kind == LOOM_UNIT_STORE;
}

static void firing(MachineTrace *m, uint64_t cycle, uint32_t unit) {
  Trace *t = m->t;
  Tracks *tracks = m->tracks;
  const loom_unit *u = &m->units[unit];
  char value[VALUE_ROOM];
  trace_printf(
      t, &tracks->out,
      ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":1,\"name\":%s,\"args\":{",
      tracks->process[unit], unit, (unsigned long long)cycle + t->lead, tracks->operations[unit]);
  for (uint32_t i = 0; takes_all(u) && i < u->input_count; i++) {
    trace_machine_value(m, u->first_input + i, m->last[u->first_input + i], value);
    trace_printf(t, &tracks->out, "%s%s:\"%s\"", i ? "," : "", tracks->operands[u->first_input + i],
                 value);
  }
  trace_text(t, &tracks->out, "}}");
}

static void passage(MachineTrace *m, const Passage *p) {
  Tracks *tracks = m->tracks;
  uint32_t track = m->nunits + p->component;
  if (!tracks->declared[p->component]) put_track(m, 1, track, p->name);
  tracks->declared[p->component] = 1;
  trace_printf(m->t, &tracks->out,
               ",\n{\"ph\":\"X\",\"cat\":\"switch\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":1,"
               "\"name\":\"in%u to out%u\",\"args\":{\"to\":%s}}",
               track, (unsigned long long)p->cycle + m->t->lead, p->from, p->to,
               tracks->operands[p->input]);
}

static void stall(MachineTrace *m, const Stall *s) {
  Tracks *tracks = m->tracks;
  trace_printf(m->t, &tracks->out,
               ",\n{\"ph\":\"X\",\"cat\":\"stall\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,"
               "\"name\":\"%s\",\"args\":{%s%s}}",
               tracks->process[s->unit], s->unit, (unsigned long long)s->from + m->t->lead,
               (unsigned long long)(s->to - s->from), loom_wait_name(s->why),
               s->input == LOOM_NONE ? "" : "\"at\":",
               s->input == LOOM_NONE ? "" : tracks->operands[s->input]);
}

static void end(MachineTrace *m, uint64_t cycles) {
  (void)cycles;
  trace_text(m->t, &m->tracks->out, "\n]}\n");
  trace_flush(m->t, &m->tracks->out);
}

const MachineFormat trace_machine_json = {
    .name = "perfetto",
    .begin = begin,
    .passage = passage,
    .firing = firing,
    .stall = stall,
    .end = end,
};

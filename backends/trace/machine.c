/* machine.c -- the traces of configured hardware: time is cycles.
 *
 *     loom emit trace DIR --case case.json -o out -- --format=vcd --edges='pe_0_*' --from=100
 *
 *     vcd       trace.vcd       each component a scope, in it each operand a valid and a data
 *                               signal: valid in a cycle in which it takes a token, of that value;
 *                               each unit that fires a signal that is the cause of its stall
 *     perfetto  trace.json      each unit a track, each firing a slice of one microsecond at its
 *                               cycle, with the operands it fired on;
 *                               each stall a slice from its first cycle to its last, with its
 *                               cause; each switch that is passed a track, too
 *     csv       transfers.csv   a line a token: cycle, operand, what travels there, value, source
 *               stalls.csv      a line a stall: its cycles, unit, cause, operand, source
 *               switches.csv    a line a token and switch: cycle, switch, input, output, operand
 *               load.csv        with --load: a line a component, when its words are loaded (load.c)
 *     hash      channels.timed  what `loom sim --timed` writes
 *
 * Operands are called as loom sim calls them. Where a mapping tells which edge of the graph an
 * operand takes, the value of the graph that travels there is named, too, and written as its type
 * is, and where in the source it is computed; else values are bits, as numbers without a sign.
 * --edges chooses among the names of both; --from and --count are cycles. Where components are in
 * instances of other modules, "tile_3/pe", each instance is a scope and a process of its own.
 * Nothing is kept of the events, but for waves the stalls: they are reported when they end, and
 * waves are in the order of time, so the run is replayed twice.
 */
#include "trace.h"

#include "loom_fabric.h"
#include "loom_show.h"
#include "loom_timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From a cycle on a unit has a cause to stall, or (0) none. */
typedef struct {
  uint64_t cycle;
  uint32_t unit, cause;
} StallChange;

typedef struct {
  StallChange *at;
  size_t count, room, next;
} StallList;

/* A stall's cause as a number in waves: 0 none, else that of enum loom_wait and 1. */
enum { CAUSE_BITS = 3 };

typedef struct {
  Trace *t;
  const loom_machine *machine;
  const loom_cycles *run;
  uint32_t ninputs, nunits;
  loom_unit_input *inputs;
  loom_unit *units;
  const char **names;  /* by input */
  const char **values; /* by input: what the graph calls that which travels there; "": not known */
  const char **places; /* by input: where in the source that is computed; "": not known */
  loom_type *types;    /* by input; kind NO_DATA: not known, or of no data */
  unsigned char *chosen; /* by input: --edges */
  unsigned char *unit_chosen;
  uint32_t *process; /* by unit: of the timeline */
  uint32_t processes;
  const char **columns;       /* by input: ",NAME,VALUE," of the table */
  const char **ends;          /* by input: ",PLACE", the end of its line */
  const char **kinds, **keys; /* by unit, by input: quoted, for the timeline */
  const char **stalled;       /* by unit: the source, as a column */
  uint64_t *last;             /* by input: the token it took last */
  uint64_t *counts, *sums;    /* by input: of all cycles */
  Out json, csv, stalls, switches;
  uint32_t *level; /* by unit: its signal among the waves, or LOOM_NONE */
  StallList list;
  const loom_fabric *fabric; /* both NULL: it is not known which routes tokens take */
  const loom_routes *routes;
  uint32_t *route_of;      /* by input: a route, or LOOM_NONE */
  unsigned char *declared; /* by component: a switch that has its track */
  int wants_vcd, wants_json, wants_csv;
} Wave;

/* ---- setting up ------------------------------------------------------------------------------ */

/* Of the graph that the hardware is to be. */
static const char *design_name(const Trace *t) {
  const loom_binding *binding = t->host->get_extension(t->host, "loom.binding/1");
  return t->dfg->name(binding ? binding->graph(t->design) : t->design);
}

/* Of the edge whose tokens an input takes: the name of the value, and its type. */
static void find_values(Wave *w) {
  Trace *t = w->t;
  const loom_binding *binding = t->host->get_extension(t->host, "loom.binding/1");
  const loom_design *graph = binding ? binding->graph(t->design) : NULL;
  uint32_t i;
  for (i = 0; i < w->ninputs; i++) {
    loom_edge edge;
    loom_result result;
    uint32_t id = binding && LOOM_HAS(binding, edge) ? binding->edge(t->design, i) : LOOM_NONE;
    w->values[i] = w->places[i] = "";
    if (id == LOOM_NONE || t->dfg->edge(graph, id, &edge, sizeof edge) ||
        t->dfg->result(graph, edge.result, &result, sizeof result))
      continue;
    w->values[i] = result.name;
    w->places[i] = trace_location(t, edge.from);
    t->dfg->type(graph, result.type, &w->types[i], sizeof w->types[i]);
  }
}

static int read_machine(Wave *w) {
  Trace *t = w->t;
  const char *patterns = t->host->option(t->host, "edges");
  int all = strcmp(patterns, "*") == 0, any = all;
  uint32_t i;
  w->ninputs = w->machine->input_count(t->design);
  w->nunits = w->machine->unit_count(t->design);
  w->inputs = trace_alloc(t, w->ninputs, sizeof *w->inputs);
  w->units = trace_alloc(t, w->nunits, sizeof *w->units);
  w->names = trace_alloc(t, w->ninputs, sizeof *w->names);
  w->values = trace_alloc(t, w->ninputs, sizeof *w->values);
  w->places = trace_alloc(t, w->ninputs, sizeof *w->places);
  w->ends = trace_alloc(t, w->ninputs, sizeof *w->ends);
  w->types = trace_alloc(t, w->ninputs, sizeof *w->types);
  w->chosen = trace_alloc(t, w->ninputs, 1);
  w->unit_chosen = trace_alloc(t, w->nunits, 1);
  w->process = trace_alloc(t, w->nunits, sizeof *w->process);
  w->kinds = trace_alloc(t, w->nunits, sizeof *w->kinds);
  w->stalled = trace_alloc(t, w->nunits, sizeof *w->stalled);
  w->columns = trace_alloc(t, w->ninputs, sizeof *w->columns);
  w->keys = trace_alloc(t, w->ninputs, sizeof *w->keys);
  w->last = trace_alloc(t, w->ninputs, sizeof *w->last);
  w->level = trace_alloc(t, w->nunits, sizeof *w->level);
  w->counts = trace_alloc(t, w->ninputs, sizeof *w->counts);
  w->sums = trace_alloc(t, w->ninputs, sizeof *w->sums);
  find_values(w);
  for (i = 0; i < w->nunits; i++) w->level[i] = LOOM_NONE;
  for (i = 0; i < w->nunits; i++)
    if (w->machine->unit(t->design, i, &w->units[i], sizeof w->units[i])) return LOOM_ERROR;
  for (i = 0; i < w->ninputs; i++) {
    if (w->machine->input(t->design, i, &w->inputs[i], sizeof w->inputs[i])) return LOOM_ERROR;
    w->names[i] = w->run->input_name(t->design, i);
    w->columns[i] =
        trace_format(t, ",%s,%s,", csv_field(t, w->names[i]), csv_field(t, w->values[i]));
    w->ends[i] = trace_format(t, ",%s\n", csv_field(t, w->places[i]));
    w->sums[i] = LOOM_TIMED_START;
    w->chosen[i] = (unsigned char)(all || trace_matches(patterns, w->names[i]) ||
                                   (*w->values[i] && trace_matches(patterns, w->values[i])));
    if (!w->chosen[i]) continue;
    w->unit_chosen[w->inputs[i].unit] = 1;
    any = 1;
  }
  if (any) return LOOM_OK;
  t->host->diag(t->host, LOOM_FAILURE, "TRACE_NO_EDGE", LOOM_NONE,
                "--edges matches no operand; names are those that loom sim --timed writes, or the "
                "graph's");
  return LOOM_ERROR;
}

/* A channel may be wider than what goes through it. */
static void value_text(const Wave *w, uint32_t input, uint64_t value, char out[VALUE_ROOM]) {
  const loom_type *type = &w->types[input];
  if (type->kind == LOOM_NO_DATA || type->kind == LOOM_TUPLE)
    snprintf(out, VALUE_ROOM, "%llu", (unsigned long long)value);
  else
    trace_value(type, type->bits < 64 ? value & (((uint64_t)1 << type->bits) - 1) : value, out);
}

/* An input that takes what a unit makes: the first of its results that has a name in the graph.
 * LOOM_NONE: none. */
static uint32_t result_of(const Wave *w, uint32_t unit) {
  const loom_unit *u = &w->units[unit];
  uint32_t o, i;
  for (o = u->first_output; o < u->first_output + u->output_count; o++) {
    loom_unit_output out;
    if (w->machine->output(w->t->design, o, &out, sizeof out)) return LOOM_NONE;
    for (i = 0; i < out.input_count; i++)
      if (*w->values[out.inputs[i]]) return out.inputs[i];
  }
  return LOOM_NONE;
}

static const char *unit_place(const Wave *w, uint32_t unit) {
  uint32_t made = result_of(w, unit);
  return made == LOOM_NONE ? "" : w->places[made];
}

/* ---- waves ----------------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t mask) {
  uint32_t n = 0;
  for (; mask; mask >>= 1) n++;
  return n;
}

static int fires(const loom_unit *u) {
  return u->kind >= LOOM_UNIT_FIRE && u->kind != LOOM_UNIT_FIFO;
}

/* Of a component's units that fire; where there are several, in their order. */
static void declare_stalls(Wave *w, const char *component) {
  uint32_t u, n = 0, i = 0;
  for (u = 0; u < w->nunits; u++)
    n += fires(&w->units[u]) && strcmp(w->units[u].name, component) == 0;
  for (u = 0; u < w->nunits; u++)
    if (fires(&w->units[u]) && strcmp(w->units[u].name, component) == 0) {
      vcd_location(w->t, unit_place(w, u));
      w->level[u] =
          vcd_level(w->t, n > 1 ? trace_format(w->t, "stall%u", i++) : "stall", CAUSE_BITS);
    }
}

/* An operand to be declared: where it is, "tile_3/pe", and what it is called there, "in0". */
typedef struct {
  const char *component, *operand;
  uint32_t input;
} Place;

/* A slash comes before all else, so that what is in one scope lies together. */
static int by_place(const void *x, const void *y) {
  const Place *p = x, *q = y;
  const char *a = p->component, *b = q->component;
  for (; *a && *a == *b; a++) b++;
  if (*a != *b) {
    int left = *a == '/' ? 1 : (unsigned char)*a, right = *b == '/' ? 1 : (unsigned char)*b;
    return left < right ? -1 : 1;
  }
  return p->input < q->input ? -1 : p->input > q->input;
}

static Place place_of(const Wave *w, uint32_t input) {
  const char *component = w->units[w->inputs[input].unit].name, *name = w->names[input];
  size_t length = strlen(component);
  if (strncmp(name, component, length) != 0 || name[length] != '.')
    return (Place){"", name, input}; /* it says for itself where it is */
  return (Place){component, name + length + 1, input};
}

/* Leaves the scopes of `from`, all but those that `to` is in, too, and enters the rest of `to`. */
static void change_scope(Wave *w, const char *from, const char *to) {
  Trace *t = w->t;
  size_t i, shared = 0;
  for (i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '/') shared = i + 1;
  if (!from[i] && !to[i]) return;
  if ((!from[i] && to[i] == '/') || (!to[i] && from[i] == '/')) shared = i + 1;
  for (i = shared; i < strlen(from); i += strcspn(from + i, "/") + 1) vcd_leave(t);
  for (i = shared; i < strlen(to); i += strcspn(to + i, "/") + 1)
    vcd_enter(t, to + i, strcspn(to + i, "/"));
}

static void begin_vcd(Wave *w) {
  Trace *t = w->t;
  Place *places = trace_alloc(t, w->ninputs, sizeof *places);
  const char *scope = "";
  uint32_t i, n = 0;
  vcd_new(t, w->ninputs, design_name(t));
  for (i = 0; i < w->ninputs; i++)
    if (w->chosen[i]) places[n++] = place_of(w, i);
  if (n) qsort(places, n, sizeof *places, by_place);
  for (i = 0; i < n; i++) {
    uint32_t input = places[i].input, bits = bits_of(w->inputs[input].mask);
    const char *value = w->values[input]; /* signals are called as what travels there */
    change_scope(w, scope, places[i].component);
    scope = places[i].component;
    vcd_channel(t, input, places[i].operand, w->places[input],
                *value ? trace_format(t, "%s_valid", value) : "valid");
    if (bits) vcd_data(t, input, bits, *value ? value : "data");
    vcd_leave(t);
    if (i + 1 == n || strcmp(places[i + 1].component, scope) != 0) declare_stalls(w, scope);
  }
  change_scope(w, scope, "");
  load_declare(t);
  vcd_declared(t);
}

static int by_cycle(const void *a, const void *b) {
  const StallChange *x = a, *y = b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
  return x->cause < y->cause ? -1 : x->cause > y->cause; /* one ends, and the next begins */
}

/* The stalls up to a cycle. */
static void vcd_stalls(Wave *w, uint64_t cycle) {
  StallList *list = &w->list;
  for (; list->next < list->count && list->at[list->next].cycle <= cycle; list->next++) {
    const StallChange *change = &list->at[list->next];
    vcd_change(w->t, change->cycle + w->t->lead, w->level[change->unit], change->cause);
  }
}

static void vcd_transfer(Wave *w, uint64_t cycle, uint32_t input, uint64_t value) {
  uint32_t bits = bits_of(w->inputs[input].mask);
  vcd_stalls(w, cycle);
  vcd_token(w->t, cycle + w->t->lead, input);
  if (bits) vcd_word(w->t, input, 0, bits, value);
}

/* ---- the timeline ---------------------------------------------------------------------------- */

static const char *kind_text(Wave *w, uint32_t unit) {
  loom_node node;
  switch (w->units[unit].kind) {
  case LOOM_UNIT_STREAM: return "dataflow.stream";
  case LOOM_UNIT_GATE: return "dataflow.gate";
  case LOOM_UNIT_CARRY: return "dataflow.carry";
  case LOOM_UNIT_INVARIANT: return "dataflow.invariant";
  case LOOM_UNIT_LOAD: return "load";
  case LOOM_UNIT_STORE: return "store";
  default: break;
  }
  if (w->units[unit].node == LOOM_NONE ||
      w->t->dfg->node(w->t->design, w->units[unit].node, &node, sizeof node))
    return "handshake.load";
  return node.op_name;
}

/* The instance that a component is in: how long its name is. */
static size_t instance_length(const char *component) {
  const char *slash = strrchr(component, '/');
  return slash ? (size_t)(slash - component) : 0;
}

/* Process 1 is the design, and each instance of a module in it another. */
static void find_processes(Wave *w) {
  Trace *t = w->t;
  uint32_t u, v;
  w->processes = 1;
  for (u = 0; u < w->nunits; u++) {
    const char *name = w->units[u].name;
    size_t length = instance_length(name);
    w->process[u] = 1;
    if (!length || !fires(&w->units[u]) || !w->unit_chosen[u]) continue;
    for (v = 0; v < u; v++)
      if (w->process[v] > 1 && instance_length(w->units[v].name) == length &&
          !strncmp(w->units[v].name, name, length))
        break;
    w->process[u] = v < u ? w->process[v] : ++w->processes;
    if (v < u) continue;
    trace_printf(t, &w->json,
                 ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":%s}}",
                 w->process[u], trace_json(t, trace_format(t, "%.*s", (int)length, name)));
  }
}

static void begin_json(Wave *w) {
  Trace *t = w->t;
  uint32_t u, i;
  trace_printf(t, &w->json,
               "{\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
               "\"args\":{\"name\":%s}}",
               trace_json(t, design_name(t)));
  find_processes(w);
  for (u = 0; u < w->nunits; u++) {
    const char *kind = kind_text(w, u), *place = unit_place(w, u);
    uint32_t made = result_of(w, u);
    if (!fires(&w->units[u]) || !w->unit_chosen[u]) continue;
    w->kinds[u] = trace_json(t, kind);
    trace_printf(t, &w->json,
                 ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
                 "\"args\":{\"name\":%s}}",
                 w->process[u], u,
                 trace_json(t, trace_format(t, "%s: %s%s%s%s%s", w->units[u].name, kind,
                                            made == LOOM_NONE ? "" : " ",
                                            made == LOOM_NONE ? "" : w->values[made],
                                            *place ? " at " : "", place)));
  }
  for (i = 0; i < w->ninputs; i++)
    w->keys[i] = trace_json(
        t, trace_format(t, "%s%s%s", w->names[i], *w->values[i] ? " " : "", w->values[i]));
}

/* Which operands a mux or a machine took does not show; all others take all. */
static void json_firing(Wave *w, uint64_t cycle, uint32_t unit) {
  Trace *t = w->t;
  const loom_unit *u = &w->units[unit];
  int takes_all =
      u->kind == LOOM_UNIT_FIRE || u->kind == LOOM_UNIT_LOAD || u->kind == LOOM_UNIT_STORE;
  char value[VALUE_ROOM];
  uint32_t i;
  trace_printf(
      t, &w->json,
      ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":1,\"name\":%s,\"args\":{",
      w->process[unit], unit, (unsigned long long)cycle + t->lead, w->kinds[unit]);
  for (i = 0; takes_all && i < u->input_count; i++) {
    value_text(w, u->first_input + i, w->last[u->first_input + i], value);
    trace_text(t, &w->json, i ? "," : "");
    trace_text(t, &w->json, w->keys[u->first_input + i]);
    trace_printf(t, &w->json, ":\"%s\"", value);
  }
  trace_text(t, &w->json, "}}");
}

/* ---- switches -------------------------------------------------------------------------------- */

static int is_switch(const loom_component *c) {
  return c->kind == LOOM_SPATIAL_SW || c->kind == LOOM_TEMPORAL_SW;
}

/* Of each input the route of its tokens. */
static void find_routes(Wave *w) {
  Trace *t = w->t;
  uint32_t i, n;
  w->fabric = t->host->get_extension(t->host, "loom.fabric/1");
  w->routes = w->fabric ? t->host->get_extension(t->host, "loom.routes/1") : NULL;
  if (!w->routes) return;
  w->route_of = trace_alloc(t, w->ninputs, sizeof *w->route_of);
  w->declared = trace_alloc(t, w->fabric->component_count(t->design), 1);
  for (i = 0; i < w->ninputs; i++) w->route_of[i] = LOOM_NONE;
  for (i = 0, n = w->routes->route_count(t->design); i < n; i++) {
    loom_route route;
    w->routes->route(t->design, i, &route, sizeof route);
    if (route.input != LOOM_NONE) w->route_of[route.input] = i;
  }
}

/* Tracks of switches stand behind those of units. */
static void put_switch(Wave *w, uint64_t cycle, uint32_t input, uint32_t in, uint32_t out) {
  Trace *t = w->t;
  loom_port from, to;
  loom_component c;
  uint32_t track;
  w->fabric->port(t->design, in, &from, sizeof from);
  w->fabric->port(t->design, out, &to, sizeof to);
  w->fabric->component(t->design, from.component, &c, sizeof c);
  if (!is_switch(&c)) return;
  if (w->wants_csv)
    trace_printf(t, &w->switches, "%llu,%s,%u,%u,%s%s", (unsigned long long)cycle,
                 csv_field(t, c.name), from.index, to.index, csv_field(t, w->names[input]),
                 w->ends[input]);
  if (!w->wants_json) return;
  track = w->nunits + from.component;
  if (!w->declared[from.component])
    trace_printf(t, &w->json,
                 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
                 "\"args\":{\"name\":%s}}",
                 track, trace_json(t, c.name));
  w->declared[from.component] = 1;
  trace_printf(t, &w->json,
               ",\n{\"ph\":\"X\",\"cat\":\"switch\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":1,"
               "\"name\":\"in%u to out%u\",\"args\":{\"to\":%s}}",
               track, (unsigned long long)cycle + t->lead, from.index, to.index, w->keys[input]);
}

/* A token that is taken has passed the switches of its net in this cycle. */
static void put_switches(Wave *w, uint64_t cycle, uint32_t input) {
  loom_route route;
  uint32_t k;
  if (!w->routes || w->route_of[input] == LOOM_NONE) return;
  w->routes->route(w->t->design, w->route_of[input], &route, sizeof route);
  for (k = route.first + 1; k + 1 < route.port_count; k += 2)
    put_switch(w, cycle, input, route.ports[k], route.ports[k + 1]);
}

/* ---- stalls ---------------------------------------------------------------------------------- */

/* Ports and FIFOs stall like units; here those are shown that fire. */
static int on_stall(void *user, uint64_t from, uint64_t to, uint32_t unit, enum loom_wait why,
                    uint32_t input) {
  Wave *w = user;
  Trace *t = w->t;
  if (!fires(&w->units[unit]) || !w->unit_chosen[unit]) return LOOM_OK;
  if (from < t->from) from = t->from;
  if (to > t->to) to = t->to;
  if (from >= to) return LOOM_OK;
  if (w->wants_json)
    trace_printf(
        t, &w->json,
        ",\n{\"ph\":\"X\",\"cat\":\"stall\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,"
        "\"name\":\"%s\",\"args\":{%s%s}}",
        w->process[unit], unit, (unsigned long long)from + t->lead, (unsigned long long)(to - from),
        loom_wait_name(why),
        input == LOOM_NONE ? "" : "\"at\":", input == LOOM_NONE ? "" : w->keys[input]);
  if (w->wants_csv)
    trace_printf(t, &w->stalls, "%llu,%llu,%s,%s,%s,%s,%s\n", (unsigned long long)from,
                 (unsigned long long)(to - 1), csv_field(t, w->units[unit].name),
                 kind_text(w, unit), loom_wait_name(why),
                 input == LOOM_NONE ? "" : csv_field(t, w->names[input]), w->stalled[unit]);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static void list_change(Wave *w, uint64_t cycle, uint32_t unit, uint32_t cause) {
  StallList *list = &w->list;
  if (list->count == list->room) {
    StallChange *at = trace_alloc(w->t, list->room = 2 * list->room + 256, sizeof *at);
    if (list->count) memcpy(at, list->at, list->count * sizeof *at);
    list->at = at;
  }
  list->at[list->count++] = (StallChange){cycle, unit, cause};
}

static int on_stall_for_waves(void *user, uint64_t from, uint64_t to, uint32_t unit,
                              enum loom_wait why, uint32_t input) {
  Wave *w = user;
  (void)input;
  if (w->level[unit] == LOOM_NONE) return LOOM_OK;
  if (from < w->t->from) from = w->t->from;
  if (to > w->t->to) to = w->t->to;
  if (from >= to) return LOOM_OK;
  list_change(w, from, unit, 1 + (uint32_t)why);
  list_change(w, to, unit, 0);
  return LOOM_OK;
}

/* Replays the run for its stalls alone. Where one follows another there is one change. */
static void find_stalls(Wave *w, uint64_t most) {
  const loom_machine_visitor visitor = {
      .size = sizeof visitor, .user = w, .stall = on_stall_for_waves};
  StallList *list = &w->list;
  size_t i, n = 0;
  uint32_t u;
  for (u = 0; u < w->nunits; u++)
    if (w->level[u] != LOOM_NONE) list_change(w, w->t->from, u, 0);
  w->run->replay(w->t->design, &visitor, most, NULL);
  if (list->count) qsort(list->at, list->count, sizeof *list->at, by_cycle);
  for (i = 0; i < list->count; i++) {
    int is_same =
        n && list->at[n - 1].cycle == list->at[i].cycle && list->at[n - 1].unit == list->at[i].unit;
    list->at[is_same ? n - 1 : n++] = list->at[i];
  }
  list->count = n;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int on_transfer(void *user, uint64_t cycle, uint32_t input, uint64_t value) {
  Wave *w = user;
  Trace *t = w->t;
  t->seen++;
  w->sums[input] = loom_timed_fold(w->sums[input], cycle, value);
  w->counts[input]++;
  w->last[input] = value;
  if (!w->chosen[input] || cycle < t->from || cycle >= t->to) return LOOM_OK;
  if (w->wants_vcd) vcd_transfer(w, cycle, input, value);
  if (w->wants_json || w->wants_csv) put_switches(w, cycle, input);
  if (w->wants_csv) {
    char text[VALUE_ROOM];
    value_text(w, input, value, text);
    trace_number(t, &w->csv, cycle);
    trace_text(t, &w->csv, w->columns[input]);
    trace_text(t, &w->csv, text);
    trace_text(t, &w->csv, w->ends[input]);
  }
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static int on_firing(void *user, uint64_t cycle, uint32_t unit) {
  Wave *w = user;
  Trace *t = w->t;
  if (!w->wants_json || !w->unit_chosen[unit] || cycle < t->from || cycle >= t->to) return LOOM_OK;
  json_firing(w, cycle, unit);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  uint64_t count, sum;
} ChannelLine;

static int by_name(const void *a, const void *b) {
  return strcmp(((const ChannelLine *)a)->name, ((const ChannelLine *)b)->name);
}

static int write_numbers(Wave *w, uint64_t cycles) {
  Trace *t = w->t;
  Out *out = trace_alloc(t, 1, sizeof *out);
  ChannelLine *lines = trace_alloc(t, w->ninputs, sizeof *lines);
  uint32_t i;
  out->stream = "channels.timed";
  for (i = 0; i < w->ninputs; i++) lines[i] = (ChannelLine){w->names[i], w->counts[i], w->sums[i]};
  qsort(lines, w->ninputs, sizeof *lines, by_name);
  trace_printf(t, out, LOOM_TIMED_CYCLES, (unsigned long long)cycles);
  for (i = 0; i < w->ninputs; i++)
    trace_printf(t, out, LOOM_TIMED_CHANNEL, lines[i].name, (unsigned long long)lines[i].count,
                 (unsigned long long)lines[i].sum);
  trace_flush(t, out);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

int trace_machine(Trace *t, const loom_machine *machine, const loom_cycles *run) {
  Wave *w = trace_alloc(t, 1, sizeof *w);
  const char *format = t->host->option(t->host, "format");
  int all = strcmp(format, "all") == 0, hash = all || strcmp(format, "hash") == 0;
  uint64_t cycles = 0;
  w->t = t;
  w->machine = machine;
  w->run = run;
  w->wants_vcd = all || strcmp(format, "vcd") == 0;
  w->wants_json = all || strcmp(format, "perfetto") == 0;
  w->wants_csv = all || strcmp(format, "csv") == 0;
  w->json.stream = "trace.json";
  w->csv.stream = "transfers.csv";
  w->stalls.stream = "stalls.csv";
  w->switches.stream = "switches.csv";
  if (read_machine(w)) return LOOM_ERROR;
  find_routes(w);
  for (uint32_t u = 0; u < w->nunits; u++) w->stalled[u] = csv_field(t, unit_place(w, u));
  if (w->wants_vcd) begin_vcd(w), load_waves(t);
  if (w->wants_json) begin_json(w), load_timeline(t, &w->json, w->processes + 1);
  if (w->wants_csv) {
    trace_text(t, &w->csv, "cycle,operand,name,value,at\n");
    trace_text(t, &w->stalls, "from,to,unit,operation,cause,operand,at\n");
    trace_text(t, &w->switches, "cycle,switch,input,output,operand,at\n");
  }
  {
    const loom_machine_visitor visitor = {
        sizeof visitor, w,    on_transfer,
        on_firing,      NULL, w->wants_json || w->wants_csv ? on_stall : NULL};
    /* the numbers are of the whole run, also where only a part is shown */
    uint64_t most = hash || t->to == UINT64_MAX ? 0 : t->to;
    int status;
    if (w->wants_vcd) find_stalls(w, most);
    status = run->replay(t->design, &visitor, most, &cycles);
    if (t->failed) return LOOM_ERROR;
    if (status != LOOM_OK)
      t->host->diag(t->host, LOOM_NOTE, "TRACE_CUT", LOOM_NONE,
                    "the run failed; the trace shows what happened until then");
    if (t->from && t->from >= cycles) return trace_nothing(t, cycles, "cycles");
  }
  if (w->wants_vcd) {
    vcd_stalls(w, t->to < cycles ? t->to : cycles);
    vcd_end(t);
  }
  if (w->wants_json) {
    trace_text(t, &w->json, "\n]}\n");
    trace_flush(t, &w->json);
  }
  if (w->wants_csv) trace_flush(t, &w->csv);
  if (w->wants_csv) trace_flush(t, &w->stalls);
  if (w->wants_csv) trace_flush(t, &w->switches);
  if (w->wants_csv) load_table(t);
  if (t->failed) return LOOM_ERROR;
  return hash ? write_numbers(w, cycles) : LOOM_OK;
}

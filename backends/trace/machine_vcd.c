/* machine_vcd.c -- trace.vcd of hardware: waves (vcd.c).
 *
 * Each component is a scope, and in it each operand a scope of two signals: one is 1 in a cycle in
 * which the operand takes a token, the other has the token's value. Each unit that fires has a
 * signal with the cause of its stall. Instances of modules, "tile_3" of "tile_3/pe", are scopes
 * around those of components.
 *
 * Signals must change in the order of time, but a stall is reported when it ends. So the run is
 * first replayed for its stalls alone, which are kept and sorted.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* From `cycle` on, `cause` is why the unit stalls; 0: it does not. */
typedef struct {
  uint64_t cycle;
  uint32_t unit, cause;
} StallChange;

/* A stall's cause as a number in waves: 0 none, else that of enum loom_wait and 1. */
enum { CAUSE_BITS = 3 };

/* An operand or a unit to be declared: its scope, "tile_3/pe", its name there, "in0", and its
 * number. */
typedef struct {
  const char *scope, *name;
  uint32_t id;
} Signal;

struct Waves {
  uint32_t *level;  /* by unit: the signal of its stalls, or LOOM_NONE */
  Signal *stalling; /* units that fire, by scope */
  uint32_t nstalling, next_stalling;
  StallChange *changes; /* by cycle */
  size_t nchanges, room, next_change;
};

/* ---- scopes ---------------------------------------------------------------------------------- */

static int rank(char c) {
  return c == '\0' ? 0 : c == '/' ? 1 : 2 + (unsigned char)c;
}

/* A slash sorts before all other characters, so that the scopes within one scope are adjacent. */
static int compare_scopes(const char *a, const char *b) {
  for (; *a && *a == *b; a++) b++;
  return rank(*a) - rank(*b);
}

static int by_scope(const void *x, const void *y) {
  const Signal *a = x, *b = y;
  int order = compare_scopes(a->scope, b->scope);
  return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static Signal operand_signal(const MachineTrace *m, uint32_t input) {
  const char *component = m->units[m->inputs[input].unit].name, *name = m->names[input];
  size_t length = strlen(component);
  if (strncmp(name, component, length) != 0 || name[length] != '.')
    return (Signal){"", name, input}; /* a complete name */
  return (Signal){component, name + length + 1, input};
}

/* Leaves the scopes of `from` that do not enclose `to`, and enters the missing ones of `to`. */
static void change_scope(Trace *t, const char *from, const char *to) {
  size_t i, shared = 0;
  for (i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '/') shared = i + 1;
  if (!from[i] && !to[i]) return;
  if ((!from[i] && to[i] == '/') || (!to[i] && from[i] == '/')) shared = i + 1;
  for (i = shared; i < strlen(from); i += strcspn(from + i, "/") + 1) vcd_leave(t);
  for (i = shared; i < strlen(to); i += strcspn(to + i, "/") + 1)
    vcd_enter(t, to + i, strcspn(to + i, "/"));
}

/* ---- declarations ---------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t mask) {
  uint32_t n = 0;
  for (; mask; mask >>= 1) n++;
  return n;
}

static void find_stalling(MachineTrace *m) {
  Waves *w = m->waves;
  w->level = trace_alloc(m->t, m->nunits, sizeof *w->level);
  w->stalling = trace_alloc(m->t, m->nunits, sizeof *w->stalling);
  for (uint32_t u = 0; u < m->nunits; u++) {
    w->level[u] = LOOM_NONE;
    if (trace_machine_fires(m, u)) w->stalling[w->nstalling++] = (Signal){m->units[u].name, "", u};
  }
  qsort(w->stalling, w->nstalling, sizeof *w->stalling, by_scope);
}

/* Declares the stall signals of a component: numbered, if it has several units that fire. Calls
 * must be in the order of compare_scopes. */
static void declare_stalls(MachineTrace *m, const char *scope) {
  Waves *w = m->waves;
  uint32_t first, n = 0;
  while (w->next_stalling < w->nstalling &&
         compare_scopes(w->stalling[w->next_stalling].scope, scope) < 0)
    w->next_stalling++;
  first = w->next_stalling;
  while (first + n < w->nstalling && strcmp(w->stalling[first + n].scope, scope) == 0) n++;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t unit = w->stalling[first + i].id;
    vcd_location(m->t, trace_machine_location(m, unit));
    w->level[unit] =
        vcd_level(m->t, n > 1 ? trace_format(m->t, "stall%u", i) : "stall", CAUSE_BITS);
  }
}

/* Signals have the name of the operand's value, if that is known. */
static void declare_operand(MachineTrace *m, const Signal *operand) {
  Trace *t = m->t;
  uint32_t input = operand->id, bits = bits_of(m->inputs[input].mask);
  const char *value = m->values[input];
  vcd_channel(t, input, operand->name, m->locations[input],
              *value ? trace_format(t, "%s_valid", value) : "valid");
  if (bits) vcd_data(t, input, bits, *value ? value : "data");
  vcd_leave(t);
}

static void declare(MachineTrace *m) {
  Trace *t = m->t;
  Signal *operands = trace_alloc(t, m->ninputs, sizeof *operands);
  const char *scope = "";
  uint32_t n = 0;
  vcd_new(t, m->ninputs, trace_machine_name(m));
  for (uint32_t i = 0; i < m->ninputs; i++)
    if (m->chosen[i]) operands[n++] = operand_signal(m, i);
  qsort(operands, n, sizeof *operands, by_scope);
  for (uint32_t i = 0; i < n; i++) {
    change_scope(t, scope, operands[i].scope);
    scope = operands[i].scope;
    declare_operand(m, &operands[i]);
    if (i + 1 == n || strcmp(operands[i + 1].scope, scope) != 0) declare_stalls(m, scope);
  }
  change_scope(t, scope, "");
  load_declare(t);
  vcd_declared(t);
}

/* ---- stalls ---------------------------------------------------------------------------------- */

static void keep_change(MachineTrace *m, uint64_t cycle, uint32_t unit, uint32_t cause) {
  Waves *w = m->waves;
  if (w->nchanges == w->room) {
    StallChange *changes = trace_alloc(m->t, w->room = 2 * w->room + 256, sizeof *changes);
    if (w->nchanges) memcpy(changes, w->changes, w->nchanges * sizeof *changes);
    w->changes = changes;
  }
  w->changes[w->nchanges++] = (StallChange){cycle, unit, cause};
}

static int on_stall(void *user, uint64_t from, uint64_t to, uint32_t unit, enum loom_wait why,
                    uint32_t input) {
  MachineTrace *m = user;
  (void)input;
  if (m->waves->level[unit] == LOOM_NONE || !trace_machine_clip(m, &from, &to)) return LOOM_OK;
  keep_change(m, from, unit, 1 + (uint32_t)why);
  keep_change(m, to, unit, 0);
  return LOOM_OK;
}

static int by_cycle(const void *a, const void *b) {
  const StallChange *x = a, *y = b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
  return x->cause < y->cause ? -1 : x->cause > y->cause; /* one ends, and the next begins */
}

/* Replays the run for its stalls alone. Between two adjacent ones of a unit one change is kept. */
static void find_stalls(MachineTrace *m) {
  const loom_machine_visitor visitor = {.size = sizeof visitor, .user = m, .stall = on_stall};
  Waves *w = m->waves;
  size_t n = 0;
  for (uint32_t u = 0; u < m->nunits; u++)
    if (w->level[u] != LOOM_NONE) keep_change(m, m->t->from, u, 0);
  if (!w->nchanges) return; /* nothing is shown that could stall */
  m->run->replay(m->t->design, &visitor, m->max_cycles, NULL);
  qsort(w->changes, w->nchanges, sizeof *w->changes, by_cycle);
  for (size_t i = 0; i < w->nchanges; i++) {
    const StallChange *last = n ? &w->changes[n - 1] : NULL, *next = &w->changes[i];
    if (last && last->cycle == next->cycle && last->unit == next->unit) n--;
    w->changes[n++] = *next;
  }
  w->nchanges = n;
}

/* The stalls up to a cycle. */
static void put_stalls(MachineTrace *m, uint64_t cycle) {
  Waves *w = m->waves;
  for (; w->next_change < w->nchanges && w->changes[w->next_change].cycle <= cycle;
       w->next_change++) {
    const StallChange *change = &w->changes[w->next_change];
    vcd_change(m->t, change->cycle + m->t->lead, w->level[change->unit], change->cause);
  }
}

/* ---- the format ------------------------------------------------------------------------------ */

static void begin(MachineTrace *m) {
  m->waves = trace_alloc(m->t, 1, sizeof *m->waves);
  find_stalling(m);
  declare(m);
  load_waves(m->t);
  find_stalls(m);
}

static void transfer(MachineTrace *m, uint64_t cycle, uint32_t input, uint64_t value) {
  uint32_t bits = bits_of(m->inputs[input].mask);
  put_stalls(m, cycle);
  vcd_token(m->t, cycle + m->t->lead, input);
  if (bits) vcd_word(m->t, input, 0, bits, value);
}

static void end(MachineTrace *m, uint64_t cycles) {
  put_stalls(m, m->t->to < cycles ? m->t->to : cycles);
  vcd_end(m->t);
}

const MachineFormat trace_machine_vcd = {
    .name = "vcd",
    .begin = begin,
    .transfer = transfer,
    .end = end,
};

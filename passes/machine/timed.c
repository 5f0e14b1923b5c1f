/* timed.c -- hashes the transfers of a run into one number per channel. See timed.h. */
#include "machine/timed.h"

#include <stdlib.h>

Timed *timed_new(const Machine *machine) {
  Timed *t = mem_alloc(sizeof *t + mem_size(machine->ninputs, sizeof *t->channels));
  t->machine = machine;
  for (u32 i = 0; i < machine->ninputs; i++) t->channels[i].hash = LOOM_TIMED_START;
  return t;
}

void timed_free(Timed *t) {
  mem_free(t);
}

static void on_transfer(void *user, u64 cycle, u32 input, u64 value) {
  timed_put(&((Timed *)user)->channels[input], cycle, value);
}

MachineObserver timed_observer(Timed *t) {
  return (MachineObserver){.user = t, .transfer = on_transfer};
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  TimedChannel channel;
} TimedLine;

static int by_name(const void *a, const void *b) {
  const TimedLine *x = a, *y = b;
  return strcmp(x->name, y->name);
}

void timed_print(const Timed *t, u64 cycles, Buf *out) {
  u32 n = t->machine->ninputs;
  Buf names = {0};
  size_t *name_at = mem_alloc(mem_size((size_t)n + 1, sizeof *name_at)); /* `names` may move */
  TimedLine *lines = mem_alloc(mem_size((size_t)n + 1, sizeof *lines));
  for (u32 i = 0; i < n; i++) {
    name_at[i] = names.len;
    machine_input_name(t->machine, i, &names);
    buf_char(&names, '\0');
  }
  for (u32 i = 0; i < n; i++) lines[i] = (TimedLine){names.data + name_at[i], t->channels[i]};
  qsort(lines, n, sizeof *lines, by_name);
  buf_printf(out, LOOM_TIMED_CYCLES, (unsigned long long)cycles);
  for (u32 i = 0; i < n; i++)
    buf_printf(out, LOOM_TIMED_CHANNEL, lines[i].name, (unsigned long long)lines[i].channel.count,
               (unsigned long long)lines[i].channel.hash);
  mem_free(lines);
  mem_free(name_at);
  buf_free(&names);
}

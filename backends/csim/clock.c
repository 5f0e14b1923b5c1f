/* clock.c -- emits a configured fabric as one C file: a cycle-accurate simulator of the machine.
 *
 * clock_units.c and clock_nets.c emit the code of units and nets. This file reads the machine's
 * tables, orders the items that may run in a cycle (clock.h), and emits the state and the main loop
 * around them. Time and text are linear in the tables, but for the sets of words that each word of
 * items wakes.
 */
#include "clock.h"
#include "loom_simulator.inc"

#include <string.h>

enum { LARGE_STATE = 1 << 16 }; /* words */

/* ---- lines ----------------------------------------------------------------------------------- */

void clock_line(Clock *k, const char *format, ...) {
  va_list args;
  va_start(args, format);
  csim_put_line(k->m, format, args);
  va_end(args);
}

static unsigned long long bit_of(uint32_t item) {
  return 1ULL << (item % 64);
}

/* Sets an item's bit in `when`: "now" or "then". */
static void wake(Clock *k, const char *when, uint32_t item, char *sets) {
  uint32_t word = item / 64;
  if (k->at == LOOM_NONE) {
    clock_line(k, "LOOM_BITS(%s, %u) |= 0x%llxULL;", when, word, bit_of(item));
    return;
  }
  if (word != k->at / 64) sets[word] = 1;
  clock_line(k, "%s%u |= 0x%llxULL;", when, word, bit_of(item));
}

static void wake_now(Clock *k, uint32_t item) {
  wake(k, "now", item, k->sets_now);
}

void clock_wake_next(Clock *k, uint32_t item) {
  wake(k, "then", item, k->sets_then);
}

void clock_open_when_due(Clock *k, uint32_t unit, const char *at) {
  clock_line(k, "if (cycle < s->t%u[%s]) {", unit, at);
  clock_line(k, "pending = 1;");
  clock_wake_next(k, k->at);
  clock_line(k, "} else {");
}

void clock_wake(Clock *k, uint32_t item) {
  if (item > k->at)
    wake_now(k, item);
  else
    clock_wake_next(k, item);
}

void clock_wait(Clock *k) {
  clock_line(k, "wait%u |= 0x%llxULL;", k->at / 64, bit_of(k->at));
}

void clock_wake_waiting(Clock *k, uint32_t item) {
  uint32_t word = item / 64;
  if (word == k->at / 64) {
    clock_line(k, "then%u |= wait%u & 0x%llxULL;", word, word, bit_of(item));
  } else {
    k->sets_then[word] = 1;
    clock_line(k, "then%u |= LOOM_BITS(wait, %u) & 0x%llxULL;", word, word, bit_of(item));
  }
}

/* ---- the tables ------------------------------------------------------------------------------ */

#define READ_ALL(k, count, array, call)                                                            \
  do {                                                                                             \
    uint32_t i_;                                                                                   \
    (k)->array = csim_alloc((k)->m, (count), sizeof *(k)->array);                                  \
    for (i_ = 0; i_ < (count); i_++)                                                               \
      (k)->machine->call((k)->m->design, i_, &(k)->array[i_], sizeof *(k)->array);                 \
  } while (0)

static uint32_t *nones(Clock *k, uint32_t count) {
  uint32_t *ids = csim_alloc(k->m, count, sizeof *ids);
  for (uint32_t i = 0; i < count; i++) ids[i] = LOOM_NONE;
  return ids;
}

static void read_machine(Clock *k) {
  const loom_machine *machine = k->machine;
  const loom_design *d = k->m->design;
  k->nunits = machine->unit_count(d);
  k->ninputs = machine->input_count(d);
  k->noutputs = machine->output_count(d);
  k->narbiters = machine->arbiter_count(d);
  k->noperations = machine->operation_count(d);
  k->ngroups = machine->issue_group_count(d);
  k->nregions = machine->region_count(d);
  k->nchannels = machine->request_channel_count(d);
  READ_ALL(k, k->nunits, units, unit);
  READ_ALL(k, k->ninputs, inputs, input);
  READ_ALL(k, k->noutputs, outputs, output);
  READ_ALL(k, k->narbiters, arbiters, arbiter);
  READ_ALL(k, k->noperations, operations, operation);
  READ_ALL(k, k->nchannels, channels, request_channel);
  k->is_forward = csim_alloc(k->m, k->nunits, 1);
  k->ring_of = nones(k, k->nunits);
  k->pipe_of = nones(k, k->nunits);
  k->hops = csim_alloc(k->m, k->nunits, sizeof *k->hops);
  k->hop = csim_alloc(k->m, k->nunits, sizeof *k->hop);
  k->items = csim_alloc(
      k->m, (size_t)k->noutputs * 2 + k->nunits + k->narbiters + k->ngroups + k->nchannels,
      sizeof *k->items);
  k->offer_of = nones(k, k->noutputs);
  k->finish_of = nones(k, k->noutputs);
  k->work_of = nones(k, k->nunits);
  k->item_of_arbiter = nones(k, k->narbiters);
  k->first_of_group = nones(k, k->ngroups);
  k->last_of_group = nones(k, k->ngroups);
}

/* ---- the order of the items ------------------------------------------------------------------ */

static uint32_t add_item(Clock *k, enum item_kind kind, uint32_t id) {
  k->items[k->nitems].kind = kind;
  k->items[k->nitems].id = id;
  return k->nitems++;
}

static void add_offers(Clock *k) {
  for (uint32_t o = 0; o < k->noutputs; o++) {
    const loom_unit *u = &k->units[k->outputs[o].unit];
    if (clock_is_combinational(u) || k->offer_of[o] != LOOM_NONE) continue;
    if (k->pipe_of[k->outputs[o].unit] != LOOM_NONE) continue;
    k->offer_of[o] = add_item(k, ITEM_OFFER, o);
    for (uint32_t i = 1; clock_is_pipeline(u) && i < u->output_count; i++)
      k->offer_of[o + i] = k->offer_of[o];
  }
}

static void add_advance(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  int has_registers = clock_is_pipeline(u) || clock_is_machine(u) || u->kind == LOOM_UNIT_FIFO;
  if (!has_registers || k->pipe_of[unit] != LOOM_NONE) return;
  if (u->issue_group == LOOM_NONE) {
    k->work_of[unit] = add_item(k, ITEM_ADVANCE, unit);
    return;
  }
  if (k->first_of_group[u->issue_group] == LOOM_NONE) {
    k->first_of_group[u->issue_group] = unit;
    add_item(k, ITEM_ISSUE, u->issue_group);
  }
  k->last_of_group[u->issue_group] = unit; /* the units of a group are consecutive */
  k->work_of[unit] = k->nitems - 1;
}

/* `kind`: loads or stores; all lanes of a channel share one item. */
static void add_channels(Clock *k, enum loom_unit_kind kind) {
  for (uint32_t c = 0; c < k->nchannels; c++) {
    const loom_request_channel *channel = &k->channels[c];
    if (k->units[channel->first_unit].kind != kind) continue;
    for (uint32_t i = 0; i < channel->unit_count; i++)
      k->work_of[channel->first_unit + i] = k->nitems;
    add_item(k, ITEM_CHANNEL, c);
  }
}

static void add_finish(Clock *k, uint32_t output) {
  if (clock_is_shared(k, output)) k->finish_of[output] = add_item(k, ITEM_FINISH, output);
}

/* Gives each FIFO its part of the array `ring`. */
static void allocate_rings(Clock *k) {
  for (uint32_t i = 0; i < k->nunits; i++) {
    if (k->units[i].kind != LOOM_UNIT_FIFO || k->pipe_of[i] != LOOM_NONE) continue;
    k->ring_of[i] = k->nring;
    k->nring += k->units[i].latency;
  }
}

/* All items in the order in which they run in a cycle: offers, settles and arbiters in the
 * machine's order, finishes, advances, then loads before stores. */
static void make_items(Clock *k) {
  uint32_t count = k->machine->settle_count(k->m->design);
  loom_settle settle = {0};
  for (uint32_t i = 0; i < count; i++) {
    k->machine->settle(k->m->design, i, &settle, sizeof settle);
    if (!settle.is_arbiter) k->is_forward[settle.id] = k->units[settle.id].kind == LOOM_UNIT_FIFO;
  }
  clock_find_pipes(k);
  allocate_rings(k);
  add_offers(k);
  for (uint32_t i = 0; i < count; i++) {
    k->machine->settle(k->m->design, i, &settle, sizeof settle);
    if (settle.is_arbiter)
      k->item_of_arbiter[settle.id] = add_item(k, ITEM_ARBITER, settle.id);
    else if (k->is_forward[settle.id])
      add_finish(k, k->units[settle.id].first_output);
    else
      k->work_of[settle.id] = add_item(k, ITEM_SETTLE, settle.id);
  }
  for (uint32_t i = 0; i < k->noutputs; i++)
    if (k->finish_of[i] == LOOM_NONE) add_finish(k, i);
  /* temporal PEs after all others: of several traps in one cycle the first counts */
  for (uint32_t i = 0; i < k->nunits; i++)
    if (k->units[i].issue_group == LOOM_NONE) add_advance(k, i);
  for (uint32_t i = 0; i < k->nunits; i++)
    if (k->units[i].issue_group != LOOM_NONE) add_advance(k, i);
  add_channels(k, LOOM_UNIT_LOAD);
  add_channels(k, LOOM_UNIT_STORE);
}

/* ---- the function ---------------------------------------------------------------------------- */

/* The instructions of a temporal PE, round robin: first the one after the last that fired. */
static void write_issue_group(Clock *k, uint32_t group) {
  uint32_t first = k->first_of_group[group], count = k->last_of_group[group] - first + 1;
  clock_line(k, "unsigned has_fired = 0, tried, member = s->turn%u;", group);
  clock_line(k, "for (tried = 0; tried < %uu; tried++) {", count);
  clock_line(k, "switch (member) {");
  for (uint32_t i = 0; i < count; i++) {
    clock_line(k, "case %u: {", i);
    clock_advance_item(k, first + i);
    clock_line(k, "break;");
    clock_line(k, "}");
  }
  clock_line(k, "}");
  clock_line(k, "member = member == %uu ? 0 : member + 1;", count - 1);
  clock_line(k, "}");
  clock_pool(k, first, k->last_of_group[group]);
}

static void write_item(Clock *k, uint32_t number) {
  const Item *item = &k->items[number];
  k->at = number;
  clock_line(k, "if (now%u & 0x%llxULL) {", number / 64, bit_of(number));
  switch (item->kind) {
  case ITEM_OFFER: clock_offer_item(k, item->id); break;
  case ITEM_SETTLE: clock_settle_item(k, item->id); break;
  case ITEM_ARBITER: clock_arbiter(k, item->id); break;
  case ITEM_FINISH: clock_finish_item(k, item->id); break;
  case ITEM_ADVANCE: clock_advance_item(k, item->id); break;
  case ITEM_ISSUE: write_issue_group(k, item->id); break;
  case ITEM_CHANNEL: clock_channel_item(k, item->id); break;
  }
  clock_line(k, "}");
}

/* One test guards four items. An item may wake a later one of the same four, or of a later group:
 * each test reads the current value of the word. */
static void write_items(Clock *k, uint32_t first) {
  for (uint32_t i = first; i < first + 64 && i < k->nitems; i += 4) {
    clock_line(k, "if (now%u & 0x%llxULL) {", first / 64, 0xfULL << (i % 64));
    for (uint32_t j = i; j < i + 4 && j < k->nitems; j++) write_item(k, j);
    clock_line(k, "}");
  }
}

/* For each other word in which the word being written sets bits. */
static void write_sets(Clock *k, const char *macro, const char *when, const char *sets) {
  for (uint32_t i = 0; i < k->nwords; i++)
    if (sets[i]) clock_line(k, "%s(%s, %u)", macro, when, i);
}

static void write_word(Clock *k, uint32_t word) {
  Text items = {0};
  csim_put(k->m, "LOOM_WORD(%u)\n", word);
  k->m->indent = 1; /* the macro opens a block */
  memset(k->sets_now, 0, k->nwords);
  memset(k->sets_then, 0, k->nwords);
  k->m->held = &items;
  write_items(k, 64 * word);
  k->m->held = NULL;
  write_sets(k, "LOOM_OTHER", "now", k->sets_now);
  write_sets(k, "LOOM_OTHER", "then", k->sets_then);
  if (items.data) csim_put(k->m, "%s", items.data);
  write_sets(k, "LOOM_OTHER_END", "now", k->sets_now);
  write_sets(k, "LOOM_OTHER_END", "then", k->sets_then);
  csim_put(k->m, "LOOM_WORD_END(%u)\n\n", word);
}

/* The state that is carried from cycle to cycle; initially all zeros. By input: f, v (latch full,
 * its token), k (has the current token of its net), T (transfers). By output: r, q (register full,
 * its token), n (offers in this cycle). By unit: c, h, g (tokens, head and handed outputs of a
 * ring; clock_units.c), F (firings). By FIFO place: ring, when, room. By arbiter: p, s. By issue
 * group: turn, the member to try first. Arrays come first: TinyCC looks a field up by walking all
 * fields before it. */
static void write_state(Clock *k) {
  clock_line(k, "typedef struct loom_state {");
  clock_line(k, "uint64_t cycle, now[%u], then[%u], wait[%u];", k->nwords, k->nwords, k->nwords);
  clock_line(k, "uint64_t v[%u], q[%u];", k->ninputs + 1, k->noutputs + 1);
  clock_line(k, "uint64_t ring[%u], when[%u], room[%u];", k->nring + 1, k->nring + 1, k->nring + 1);
  clock_line(k, "uint32_t c[%u], h[%u], g[%u];", k->nunits + 1, k->nunits + 1, k->nunits + 1);
  clock_line(k, "uint8_t f[%u], k[%u];", k->ninputs + 1, k->ninputs + 1);
  clock_line(k, "uint8_t n[%u], r[%u];", k->noutputs + 1, k->noutputs + 1);
  clock_line(k, "uint32_t moved, pending;");
  for (uint32_t i = 0; i < k->nunits; i++) clock_declare_wide(k, i);
  for (uint32_t i = 0; i < k->nchannels; i++) clock_declare_channel(k, i);
  if (k->transfers) clock_line(k, "uint64_t T[%u], F[%u];", k->ninputs + 1, k->nunits + 1);
  for (uint32_t i = 0; i < k->nunits; i++) clock_declare_narrow(k, i);
  for (uint32_t i = 0; i < k->narbiters; i++) {
    clock_line(k, "uint32_t p%u;", i);
    for (uint32_t j = 0; j < k->arbiters[i].member_count; j++)
      clock_line(k, "uint8_t s%u_%u;", i, j);
  }
  for (uint32_t i = 0; i < k->ngroups; i++) clock_line(k, "uint32_t turn%u;", i);
  clock_declare_pools(k);
  clock_line(k, "} loom_state;\n");
}

/* Inputs of the fabric that were given tokens offer from the first cycle on. */
static void write_start(Clock *k) {
  k->at = LOOM_NONE; /* outside of all words */
  for (uint32_t i = 0; i < k->nunits; i++) {
    if (k->units[i].kind != LOOM_UNIT_INPUT) continue;
    clock_line(k, "if (run->given_counts[%u]) {", i);
    clock_wake_next(k, k->offer_of[k->units[i].first_output]);
    clock_line(k, "}");
  }
}

/* Reports whether the latch of this input holds a token. In a pipe (clock_pipes.c) that has come to
 * rest, tokens fill the buffers at its end, two each. */
static void write_waiting(Clock *k, uint32_t input) {
  uint32_t unit = k->inputs[input].unit;
  uint32_t pipe = k->hops[unit] ? unit : k->pipe_of[unit];
  if (pipe == LOOM_NONE)
    clock_line(k, "run->waiting[%u] = (uint8_t)s->f[%u];", input, input);
  else
    clock_line(k, "run->waiting[%u] = s->c[%u] >= %uu;", input, pipe,
               2 * (k->hops[pipe] - k->hop[unit]));
}

/* Sets `left` if tokens remain in inputs, latches, pipelines, registers or FIFOs, or a machine is
 * within a burst; then reports what the caller asked for. */
static void write_end(Clock *k, uint32_t patience) {
  for (uint32_t i = 0; i < k->nunits; i++) {
    const loom_unit *u = &k->units[i];
    if (clock_is_pipeline(u) || clock_is_lane(u) || u->kind == LOOM_UNIT_FIFO)
      clock_line(k, "if (s->c[%u]) left = 1;", i);
    if (k->hops[i]) clock_pipe_end(k, i, patience);
    if (clock_has_phase(u)) clock_line(k, "if (s->phase%u) left = 1;", i);
    for (uint32_t o = 0; clock_is_machine(u) && o < u->output_count; o++)
      clock_line(k, "if (s->r[%u]) left = 1;", u->first_output + o);
    if (u->kind == LOOM_UNIT_INPUT)
      clock_line(k, "if (s->pos%u < run->given_counts[%u]) left = 1;", i, i);
  }
  for (uint32_t i = 0; i < k->ninputs; i++)
    if (k->units[k->inputs[i].unit].kind != LOOM_UNIT_FIFO)
      clock_line(k, "if (s->f[%u]) left = 1;", i);
  clock_line(k, "if (run->waiting) {");
  for (uint32_t i = 0; i < k->ninputs; i++) write_waiting(k, i);
  clock_line(k, "}");
  if (!k->transfers) return;
  clock_line(k, "if (run->transfers) {");
  for (uint32_t i = 0; i < k->ninputs; i++) clock_line(k, "run->transfers[%u] = s->T[%u];", i, i);
  clock_line(k, "}");
  clock_line(k, "if (run->firings) {");
  for (uint32_t i = 0; i < k->nunits; i++) {
    const loom_unit *u = &k->units[i];
    /* these have no outputs: count the tokens they take */
    int is_end = u->kind == LOOM_UNIT_OUTPUT || u->kind == LOOM_UNIT_DRAIN;
    clock_line(k, "run->firings[%u] = s->%c[%u];", i, is_end ? 'T' : 'F',
               is_end ? u->first_input : i);
  }
  clock_line(k, "}");
}

/* Words of the state that FIFOs, pipelines, lanes and operand pools take. */
static uint64_t count_places(const Clock *k) {
  uint64_t words = 3 * (uint64_t)k->nring;
  for (uint32_t i = 0; i < k->nunits; i++) {
    const loom_unit *u = &k->units[i];
    if (clock_is_lane(u)) words += 2 * (uint64_t)u->places;
    if (clock_is_pipeline(u)) words += (u->output_count + 2ULL) * clock_places(u);
  }
  for (uint32_t i = 0; i < k->ninputs; i++) words += k->inputs[i].pool_places;
  return words;
}

/* A large state does not fit on a stack. It is static, and cleared at the start of each run. */
static void declare_state(Clock *k) {
  if (count_places(k) <= LARGE_STATE) {
    clock_line(k, "loom_state state = {0};");
    return;
  }
  clock_line(k, "static loom_state state;");
  clock_line(k, "unsigned char *byte = (unsigned char *)&state;");
}

static void clear_state(Clock *k) {
  if (count_places(k) > LARGE_STATE)
    clock_line(k, "while (byte < (unsigned char *)(&state + 1)) *byte++ = 0;");
}

/* The start of loom_run, up to where a cycle runs the words. `has_variables`: the shape whose state
 * bits are local variables (see shapes). */
static void write_begin(Clock *k, int has_variables) {
  k->m->indent = 0;
  clock_line(k, "static int loom_run(loom_simulator_run *run) {");
  declare_state(k);
  for (uint32_t i = 0; has_variables && i < k->nwords; i++)
    clock_line(k, "uint64_t now%u, then%u = 0, wait%u = 0;", i, i, i);
  if (has_variables) clock_line(k, "uint64_t cycle = 0;");
  if (has_variables) clock_line(k, "unsigned moved, pending;");
  clock_line(k, "uint64_t last = 0;");
  clock_line(k, "unsigned quiet = 0, left = 0, limit = 0;");
  clear_state(k);
  write_start(k);
  clock_line(k, "for (;;) {");
  clock_line(k, "if (run->max_cycles && cycle == run->max_cycles) {");
  clock_line(k, "limit = 1;");
  clock_line(k, "break;");
  clock_line(k, "}");
  clock_line(k, "moved = pending = 0;");
  for (uint32_t i = 0; i < k->nwords; i++) {
    clock_line(k, "LOOM_BITS(now, %u) = LOOM_BITS(then, %u);", i, i);
    clock_line(k, "LOOM_BITS(then, %u) = 0;", i);
  }
}

/* The text of the words (64 items each) has two shapes.
 *
 * gcc and clang: a function for each word, since the time an optimiser needs grows faster than the
 * length of a function. The function collects `now`, `then`, `wait`, `moved` and `pending` in local
 * variables and merges them into the state at its end: repeated read-modify-write of the same
 * memory would be the critical path of a cycle.
 *
 * Compilers that do not optimise (tcc): words are blocks within loom_run, and those variables are
 * locals of loom_run, so that nothing is copied.
 *
 * (A jump table to the next item that is set is half as fast as testing them all: activity repeats
 * in the same order, so the branches are predicted well.)
 *
 * At its start a word clears the `wait` bits of all items that are about to run. An item of latency
 * 0 that an earlier item of the same word wakes later keeps its `wait` bit and may run once more
 * than necessary, without effect. The `now` bits of offers are always complete when their word
 * begins. */
static const char *const shapes[] = {
    "#if defined(__GNUC__) && !defined(__TINYC__)",
    "#define LOOM_BITS(when, i) s->when[i]",
    "#define LOOM_WORD(i) \\",
    "  __attribute__((noinline)) \\",
    "  static void loom_word##i(loom_state *s, loom_simulator_run *run) { \\",
    "    const uint64_t cycle = s->cycle; \\",
    "    uint64_t now##i = s->now[i], then##i = 0, wait##i = s->wait[i] & ~now##i; \\",
    "    unsigned moved = 0, pending = 0; \\",
    "    (void)cycle, (void)now##i, (void)run;",
    "#define LOOM_WORD_END(i) \\",
    "    s->then[i] |= then##i; \\",
    "    s->wait[i] = wait##i; \\",
    "    s->moved |= moved; \\",
    "    s->pending |= pending; \\",
    "  }",
    "#define LOOM_OTHER(when, i) uint64_t when##i = 0;",
    "#define LOOM_OTHER_END(when, i) s->when[i] |= when##i;",
    "#else",
    "#define LOOM_BITS(when, i) when##i",
    "#define LOOM_WORD(i) if (now##i) { wait##i &= ~now##i;",
    "#define LOOM_WORD_END(i) }",
    "#define LOOM_OTHER(when, i)",
    "#define LOOM_OTHER_END(when, i)",
    "#define s (&state)",
    NULL};

static void write_words(Clock *k) {
  csim_text(k->m, shapes);
  write_begin(k, 1);
  csim_put(k->m, "#endif\n\n");
  for (uint32_t word = 0; word < k->nwords; word++) write_word(k, word);
  csim_put(k->m, "#if defined(__GNUC__) && !defined(__TINYC__)\n"
                 "#define s (&state)\n"
                 "#define cycle state.cycle\n"
                 "#define moved state.moved\n"
                 "#define pending state.pending\n\n");
  write_begin(k, 0);
  for (uint32_t word = 0; word < k->nwords; word++)
    clock_line(k, "if (state.now[%u]) loom_word%u(&state, run);", word, word);
  csim_put(k->m, "#endif\n");
}

/* The main loop: runs cycles until nothing has moved and nothing is pending for `patience` cycles
 * in a row. In so many cycles every net has its turn at every arbiter. */
static void write_function(Clock *k) {
  uint32_t patience = 1;
  for (uint32_t i = 0; i < k->narbiters; i++) patience += k->arbiters[i].member_count;
  write_words(k);
  clock_line(k, "cycle++;");
  clock_line(k, "if (moved) last = cycle;");
  clock_line(k, "if (moved || pending) quiet = 0;");
  clock_line(k, "else if (++quiet == %uu) break;", patience);
  clock_line(k, "}");
  write_end(k, patience);
  clock_line(k, "run->cycles = last;");
  clock_line(k, "return limit ? LOOM_SIMULATOR_LIMIT : left ? LOOM_SIMULATOR_LEFTOVER : "
                "LOOM_SIMULATOR_QUIET;");
  clock_line(k, "}");
}

static void write_head(Clock *k) {
  const char *const *line;
  csim_write_top(k->m, ": a fabric and its image, cycle by cycle.\n *\n"
                       " *     cc -O2 -DLOOM_MAIN FILE.c -lm      a program that reads a case");
  for (line = loom_simulator; *line; line++)
    if (strncmp(*line, "#include", 8) != 0) csim_put(k->m, "%s\n", *line);
  csim_put(k->m,
           "\n/* Does not return. */\n"
           "#define loom_trap(code, node, a, b) \\\n"
           "  (run->cycles = cycle + 1, run->trap(run, code, a, b))\n\n%s",
           k->m->c->prelude(k->m->design));
}

int csim_write_clock(Csim *m) {
  Clock *k = csim_alloc(m, 1, sizeof *k);
  k->m = m;
  k->machine = m->machine;
  k->transfers = m->histories != CSIM_NO_HISTORIES;
  read_machine(k);
  make_items(k);
  k->nwords = k->nitems ? (k->nitems + 63) / 64 : 1;
  k->sets_now = csim_alloc(m, k->nwords, 1);
  k->sets_then = csim_alloc(m, k->nwords, 1);
  write_head(k);
  write_state(k);
  clock_write_rest_helper(k);
  clock_write_division_helpers(k);
  write_function(k);
  csim_put(m,
           "\nextern const loom_simulator_info loom_simulator;\n"
           "const loom_simulator_info loom_simulator = {\n"
           "    LOOM_SIMULATOR_ABI, %u, %u, %u, %d, loom_run};\n",
           k->nunits, k->ninputs, k->nregions, k->transfers);
  if (m->binding && m->host->option(m->host, "main")[0] == '1') return csim_write_main(m);
  return m->status;
}

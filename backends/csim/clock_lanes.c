/* clock_lanes.c -- lanes of memories, and the request channels that they share.
 *
 * State of a lane u: a ring of c[u] outstanding requests, the oldest at h[u]. By place: t, the
 * first cycle that has the memory's answer, and w, the loaded value. By output: d, how many
 * of the oldest requests have handed their token on it. l: the cycle after the one in which a place
 * last became free.
 *
 * State of request channel 3: m3_held is 1 + the number of the lane whose request is pending, or 0;
 * m3_first the lane that has priority, one for each bank where the memory has several (these choose
 * one after the other). Of a memory outside the fabric also m3_requests, how many were taken;
 * m3_free, the cycle from which on the next can be; and m3_last, the cycle of the last answer. */
#include "clock.h"

void clock_declare_lane(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_line(k, "uint64_t l%u, t%u[%u];", unit, unit, u->places);
  if (u->kind == LOOM_UNIT_LOAD) clock_line(k, "uint64_t w%u[%u];", unit, u->places);
  for (uint32_t o = 0; o < u->output_count; o++)
    clock_line(k, "uint32_t d%u;", u->first_output + o);
}

void clock_declare_channel(Clock *k, uint32_t c) {
  clock_line(k, "uint32_t m%u_held;", c);
  if (k->channels[c].bank_count > 1)
    clock_line(k, "uint32_t m%u_first[%u];", c, k->channels[c].bank_count);
  else
    clock_line(k, "uint32_t m%u_first;", c);
  if (k->channels[c].is_external)
    clock_line(k, "uint64_t m%u_requests, m%u_free, m%u_last;", c, c, c);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static int is_data(const Clock *k, uint32_t output) {
  const loom_unit *u = &k->units[k->outputs[output].unit];
  return u->kind == LOOM_UNIT_LOAD && output == u->first_output;
}

const char *clock_lane_value(Clock *k, uint32_t output) {
  return is_data(k, output) ? csim_format(k->m, "s->w%u[at]", k->outputs[output].unit) : "0";
}

void clock_open_lane_offer(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  if (!is_data(k, output)) return;
  clock_line(k, "uint32_t at = (s->h[%u] + s->d%u) %% %uu;", unit, output, k->units[unit].places);
  clock_open_when_due(k, unit, "at");
}

void clock_close_lane_offer(Clock *k, uint32_t output) {
  if (is_data(k, output)) clock_line(k, "}");
}

void clock_lane_handed(Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  clock_line(k, "if (++s->d%u < s->c[%u]) {", output, unit);
  clock_wake_next(k, k->offer_of[output]);
  clock_line(k, "}");
  clock_wake(k, k->work_of[unit]);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The oldest request gives its place back when the memory has answered it and all its tokens are
 * handed. Only stores test for the answer: data of a load are not handed before it. */
static void write_leaving(Clock *k, uint32_t channel, uint32_t lane) {
  uint32_t unit = k->channels[channel].first_unit + lane;
  const loom_unit *u = &k->units[unit];
  const char *is_done = csim_format(k->m, "s->c[%u]", unit);
  if (u->kind == LOOM_UNIT_STORE) {
    clock_line(k, "if (s->c[%u] && cycle < s->t%u[s->h[%u]]) {", unit, unit, unit);
    clock_line(k, "pending = 1;");
    clock_wake_next(k, k->at);
    clock_line(k, "} else");
  }
  for (uint32_t o = 0; o < u->output_count; o++)
    is_done = csim_format(k->m, "%s && s->d%u", is_done, u->first_output + o);
  clock_line(k, "if (%s) {", is_done);
  for (uint32_t o = 0; o < u->output_count; o++) clock_line(k, "s->d%u--;", u->first_output + o);
  clock_line(k, "s->c[%u]--;", unit);
  clock_line(k, "s->h[%u] = s->h[%u] == %uu ? 0 : s->h[%u] + 1;", unit, unit, u->places - 1, unit);
  clock_line(k, "s->l%u = cycle + 1;", unit);
  clock_line(k, "pending = 1; /* the next request may have waited for the place */");
  clock_wake_next(k, k->at);
  clock_line(k, "}");
}

/* C text: the bank of the element that a lane addresses, which its region need not have. */
static const char *bank_of(Clock *k, uint32_t channel, uint32_t unit) {
  const loom_request_channel *c = &k->channels[channel];
  const loom_unit *u = &k->units[unit];
  return csim_format(k->m, "((%uu + (s->v[%u] << %u)) >> %u & %uu)", u->offset, u->first_input,
                     u->size_log2, c->word_log2, c->bank_count - 1);
}

/* C text: the lane that has priority at the memory, or at its bank `bank`. */
static const char *first_of(Clock *k, uint32_t channel) {
  return csim_format(
      k->m, k->channels[channel].bank_count > 1 ? "s->m%u_first[bank]" : "s->m%u_first", channel);
}

/* A lane makes a request if all operands and a place are there; an address out of bounds traps. A
 * place that became free in this cycle counts from the next. `turn`: a C condition before these. */
static void write_request(Clock *k, uint32_t channel, uint32_t lane, const char *turn) {
  uint32_t unit = k->channels[channel].first_unit + lane, address = k->units[unit].first_input;
  const char *room =
      csim_format(k->m, "s->c[%u] + (s->l%u > cycle) < %uu", unit, unit, k->units[unit].places);
  if (k->channels[channel].bank_count > 1)
    room = csim_format(k->m, "%s == bank && %s", bank_of(k, channel, unit), room);
  clock_line(k, "if (%s%s) {", turn, clock_can_fire(k, unit, room));
  clock_line(k, "const loom_simulator_store *store = &run->stores[%u];", k->units[unit].region);
  clock_line(k, "s->m%u_held = %u;", channel, lane + 1);
  clock_line(k, "if (s->v[%u] >= store->elements) {", address);
  clock_line(k, "run->trap_unit = %uu;", unit);
  clock_line(k, "loom_trap(%uu, 0, s->v[%u], store->elements);", LOOM_TRAP_BOUNDS, address);
  clock_line(k, "}");
  clock_line(k, "}");
}

/* The first lane that can make a request does, from m_first on round robin:
 *
 *     if (first <= 0 && 0 can) 0 does  else if (1 can) 1 does  else if (0 can) 0 does
 */
static void write_requests(Clock *k, uint32_t c) {
  uint32_t count = k->channels[c].unit_count;
  clock_line(k, "if (!s->m%u_held) {", c);
  for (uint32_t i = 0; i < 2 * count - 1; i++) {
    if (i) clock_line(k, "else");
    write_request(k, c, i < count ? i : i - count,
                  i + 1 < count ? csim_format(k->m, "%s <= %u && ", first_of(k, c), i) : "");
  }
  clock_line(k, "}");
}

/* The cycle in which the answer to a request that is taken now is due, as `due`. */
static void write_due(Clock *k, uint32_t c, uint32_t latency) {
  clock_line(k, "uint64_t due = cycle + %uu;", latency);
  if (!k->channels[c].is_external) return;
  clock_line(k, "if (run->memory_most) {");
  clock_line(k, "uint64_t most = run->memory_most + (uint64_t)1;");
  clock_line(k,
             "uint64_t chance = loom_simulator_chance(run->memory_seed, %uu, s->m%u_requests++);",
             k->channels[c].number, c);
  clock_line(k, "due += (chance & 0xffff) %% most;");
  clock_line(k, "if (due <= s->m%u_last) due = s->m%u_last + 1;", c, c);
  clock_line(k, "s->m%u_last = due;", c);
  clock_line(k, "s->m%u_free = cycle + 1 + (chance >> 16 & 0xffff) %% most;", c);
  clock_line(k, "}");
}

/* The memory takes a lane's request. */
static void write_access(Clock *k, uint32_t channel, uint32_t lane) {
  uint32_t count = k->channels[channel].unit_count;
  uint32_t unit = k->channels[channel].first_unit + lane;
  const loom_unit *u = &k->units[unit];
  uint32_t address = u->first_input;
  clock_line(k, "uint32_t behind = (s->h[%u] + s->c[%u]) %% %uu;", unit, unit, u->places);
  clock_line(k, "uint64_t *element = &run->stores[%u].data[s->v[%u]];", u->region, address);
  write_due(k, channel, u->latency);
  clock_line(k, "s->t%u[behind] = due;", unit);
  if (u->kind == LOOM_UNIT_LOAD) {
    clock_line(k, "s->w%u[behind] = *element;", unit);
  } else {
    uint32_t bits = k->machine->element_bits(k->m->design, u->region);
    clock_line(k, "*element = s->v[%u] & 0x%llxULL;", address + 1,
               bits >= 64 ? ~0ULL : (1ULL << bits) - 1);
    clock_wake_next(k, k->at); /* for its answer */
  }
  for (uint32_t o = u->first_output; o < u->first_output + u->output_count; o++) {
    clock_line(k, "if (s->d%u == s->c[%u]) {", o, unit);
    clock_wake_next(k, k->offer_of[o]);
    clock_line(k, "}");
  }
  clock_line(k, "s->c[%u]++;", unit);
  clock_fired(k, unit);
  clock_consume(k, unit);
  clock_line(k, "s->m%u_held = 0;", channel);
  if (count == 1) return;
  clock_line(k, "%s = %u;", first_of(k, channel), (lane + 1) % count);
  clock_wake_next(k, k->at); /* other lanes may have requests */
}

/* The memory takes the pending request. */
static void write_accesses(Clock *k, uint32_t c) {
  uint32_t count = k->channels[c].unit_count;
  if (count == 1) {
    write_access(k, c, 0);
    return;
  }
  clock_line(k, "switch (s->m%u_held - 1) {", c);
  for (uint32_t i = 0; i < count; i++) {
    clock_line(k, "case %u: {", i);
    write_access(k, c, i);
    clock_line(k, "break;");
    clock_line(k, "}");
  }
  clock_line(k, "}");
}

/* The memory, or its bank `bank`, takes a request. A pending one stays until it is taken. */
static void write_taking(Clock *k, uint32_t c) {
  write_requests(k, c);
  if (k->channels[c].is_external) {
    clock_line(k, "if (s->m%u_held && cycle < s->m%u_free) {", c, c);
    clock_line(k, "pending = 1;");
    clock_wake_next(k, k->at);
    clock_line(k, "} else");
  }
  clock_line(k, "if (s->m%u_held) {", c);
  write_accesses(k, c);
  clock_line(k, "}");
}

void clock_channel_item(Clock *k, uint32_t c) {
  uint32_t banks = k->channels[c].bank_count;
  for (uint32_t i = 0; i < k->channels[c].unit_count; i++) write_leaving(k, c, i);
  if (banks > 1) {
    clock_line(k, "unsigned bank;");
    clock_line(k, "for (bank = 0; bank < %uu; bank++) {", banks);
  }
  write_taking(k, c);
  if (banks > 1) {
    clock_line(k, "}");
  }
}

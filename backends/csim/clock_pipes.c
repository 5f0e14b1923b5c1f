/* clock_pipes.c -- merges consecutive buffers into one unit, a pipe.
 *
 *     sw.out2 [a b] -> sw.out1 [c .] -> sw.out3 [d .]  three buffers of a route, of two places each
 *     pipe    [a b c d . .]                            in the emitted code: six places, three hops
 *
 * A route through registered switches is a buffer a hop, and a token would cost work in each. Where
 * each of n buffers has two places, feeds only one other and needs no arbiter, the other units see
 * only when the last offers a token and when the first has room. Let x(k) be the cycle in which the
 * first takes token k, and d(k) that in which the last hands it on:
 *
 *     d(k) >= x(k) + n        a token moves a hop a cycle
 *     x(k) >= d(k - 2n) + n   and a free place moves back a hop a cycle
 *
 * There are no other constraints. Token k enters a buffer at the earliest one cycle after it
 * entered the previous one, after token k-1 entered it, and after token k-2 left it. A longer chain
 * of such steps is one of the two above, or follows from at most one token a cycle: a step forward
 * and one back cost two cycles and two tokens.
 *
 * By place, `when` is the first cycle in which its token can be handed, `room` the first in which
 * the place can be filled again. Where transfers are observed no pipes are made. */
#include "clock.h"

static int is_buffer(const Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  return u->kind == LOOM_UNIT_FIFO && u->latency == 2 && !k->is_forward[unit] &&
         u->issue_group == LOOM_NONE && !clock_is_shared(k, u->first_output);
}

/* The buffer that this one hands all its tokens to, or LOOM_NONE. */
static uint32_t next_of(const Clock *k, uint32_t unit) {
  const loom_unit_output *out = &k->outputs[k->units[unit].first_output];
  const loom_unit_input *in;
  if (!is_buffer(k, unit) || out->input_count != 1) return LOOM_NONE;
  in = &k->inputs[out->inputs[0]];
  return !in->move_count && is_buffer(k, in->unit) ? in->unit : LOOM_NONE;
}

/* Makes the pipe that begins with this buffer, which takes over the output of the last one. */
static void join(Clock *k, uint32_t first) {
  loom_unit *u = &k->units[first];
  uint32_t last = first, hops = 1;
  uint64_t mask = k->inputs[u->first_input].mask;
  for (uint32_t unit = next_of(k, first); unit != LOOM_NONE; unit = next_of(k, unit)) {
    mask &= k->inputs[k->units[unit].first_input].mask;
    k->pipe_of[unit] = first;
    k->hop[unit] = hops++;
    last = unit;
  }
  k->hops[first] = hops;
  u->latency = 2 * hops;
  k->inputs[u->first_input].mask = mask;
  k->outputs[u->first_output] = k->outputs[k->units[last].first_output];
  k->outputs[u->first_output].unit = first;
  for (uint32_t i = 0; i < k->outputs[u->first_output].input_count; i++)
    k->inputs[k->outputs[u->first_output].inputs[i]].output = u->first_output;
}

void clock_find_pipes(Clock *k) {
  unsigned char *has_one_before = csim_alloc(k->m, k->nunits, 1);
  uint32_t next;
  if (k->transfers) return;
  for (uint32_t i = 0; i < k->nunits; i++) {
    next = next_of(k, i);
    if (next != LOOM_NONE) has_one_before[next] = 1;
  }
  for (uint32_t i = 0; i < k->nunits; i++)
    if (!has_one_before[i] && next_of(k, i) != LOOM_NONE) join(k, i);
}

/* At the end tokens may still be on their way to where they come to rest: two in the last buffer,
 * two in the one before it, and so on. A token that rests `ahead` buffers from the end, its own
 * included, gets there n - ahead cycles after it entered, or `ahead` cycles after the token that
 * was 2 * ahead in front of it left the pipe, whichever is later. The last to move is the youngest
 * or the one in front of it. The run ends `patience` quiet cycles after that, or at its limit. */
static const char *const rest[] = {
    "static uint64_t loom_rest(const uint64_t *when, const uint64_t *room, uint32_t head,",
    "                          uint32_t count, uint32_t hops) {",
    "  uint32_t places = 2 * hops, end = count > 2 ? count - 2 : 0;",
    "  uint64_t rest = 0;",
    "  for (; count > end; count--) {",
    "    uint32_t ahead = (count + 1) / 2, token = (head + count - 1) % places;",
    "    uint64_t at = when[token] - ahead, of = room[(token + places - 2 * ahead) % places];",
    "    if (of && of + ahead - hops > at) at = of + ahead - hops;",
    "    if (at + 1 > rest) rest = at + 1;",
    "  }",
    "  return rest;",
    "}\n",
    NULL};

void clock_write_rest_helper(Clock *k) {
  for (uint32_t i = 0; i < k->nunits; i++)
    if (k->hops[i]) {
      csim_text(k->m, rest);
      return;
    }
}

void clock_pipe_end(Clock *k, uint32_t unit, uint32_t patience) {
  uint32_t at = k->ring_of[unit];
  clock_line(k, "if (s->c[%u]) {", unit);
  clock_line(k, "uint64_t rest = loom_rest(s->when + %u, s->room + %u, s->h[%u], s->c[%u], %u);",
             at, at, unit, unit, k->hops[unit]);
  clock_line(k, "if (run->max_cycles && rest + %uu > run->max_cycles) {", patience);
  clock_line(k, "limit = 1;");
  clock_line(k, "if (rest > run->max_cycles) rest = run->max_cycles;");
  clock_line(k, "}");
  clock_line(k, "if (rest > last) last = rest;");
  clock_line(k, "}");
}

void clock_pipe_advance(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t input = u->first_input, places = u->latency;
  clock_line(k, "if (s->f[%u]) pending = 1; /* waiting outputs run in the next cycle */", input);
  clock_line(k, "s->f[%u] = s->c[%u] == %uu ||", input, unit, places);
  clock_line(k, "           s->room[%u + (s->h[%u] + s->c[%u]) %% %uu] > cycle + 1;",
             k->ring_of[unit], unit, unit, places);
  clock_line(k, "if (!s->f[%u]) {", input);
  clock_freed(k, input);
  clock_line(k, "} else if (s->c[%u] < %uu) {", unit, places);
  clock_wake_next(k, k->work_of[unit]);
  clock_line(k, "}");
}

/* clock_nets.c -- emits the transfer of tokens from outputs to inputs, and the arbiters on routes.
 *
 * State in the emitted C:
 *
 *     f[7], v[7]  the latch of input 7: is it full, and its token
 *     k[7]        input 7 has taken the token that its net offers now; only of nets with several
 *                 inputs, and of shared ones
 *     wait        by item, a bit: some input had no room for what this item offers; the unit that
 *                 frees a latch of that net runs the item again
 *     n[3], q[3]  the shared output 3 (clock_is_shared) offers in this cycle; the token it offers
 *     p2          the member at which arbiter 2 starts its round-robin search
 *     s2_3        arbiter 2 granted its member 3 in this cycle
 *
 * An input with a pool (a shared operand buffer) queues the tokens behind the one in its latch: a
 * linked list of behind7 cells of pool2, from head7 to tail7. pool2_next[cell] is the next cell of
 * the list; in a free cell it is 1 + the next free cell, or 0 (the initial value) if that is the
 * adjacent cell. pool2_used is the number of cells in use at the start of the cycle, pool2_now the
 * current one. */
#include "clock.h"

/* Are there k bits for the inputs of this output? */
static int is_kept(const Clock *k, uint32_t output) {
  return k->outputs[output].input_count > 1 || clock_is_shared(k, output);
}

int clock_is_shared(const Clock *k, uint32_t output) {
  const loom_unit_output *out = &k->outputs[output];
  for (uint32_t i = 0; i < out->input_count; i++) {
    const loom_unit_input *in = &k->inputs[out->inputs[i]];
    if (in->arbiter_count || k->is_forward[in->unit]) return 1;
  }
  return 0;
}

/* The item that offers on an output. */
static uint32_t offering_item(const Clock *k, uint32_t output) {
  uint32_t unit = k->outputs[output].unit;
  return clock_is_combinational(&k->units[unit]) ? k->work_of[unit] : k->offer_of[output];
}

/* Shared outputs need no wake-up: they offer again in each cycle. */
void clock_freed(Clock *k, uint32_t input) {
  uint32_t output = k->inputs[input].output;
  if (clock_is_shared(k, output)) return;
  clock_wake_waiting(k, offering_item(k, output));
}

/* A C condition: the input has room for a token, as of the start of the cycle: an empty
 * latch, or more than pool_rank free cells in its pool (loom_machine.h). */
static const char *has_place(const Clock *k, uint32_t input) {
  const loom_unit_input *in = &k->inputs[input];
  if (!in->pool_places) return csim_format(k->m, "!s->f[%u]", input);
  return csim_format(k->m, "(!s->f[%u] || s->pool%u_used + %uu < %uu)", input, in->pool,
                     in->pool_rank, in->pool_places);
}

/* Appends the token to the input's list in the pool. */
static void enqueue(Clock *k, uint32_t input, const char *value) {
  uint32_t pool = k->inputs[input].pool;
  clock_line(k, "uint32_t cell = s->pool%u_free;", pool);
  clock_line(k, "s->pool%u_free = s->pool%u_next[cell] ? s->pool%u_next[cell] - 1 : cell + 1;",
             pool, pool, pool);
  clock_line(k, "if (s->behind%u) s->pool%u_next[s->tail%u] = cell;", input, pool, input);
  clock_line(k, "else s->head%u = cell;", input);
  clock_line(k, "s->tail%u = cell;", input);
  clock_line(k, "s->behind%u++;", input);
  clock_line(k, "s->pool%u_now++;", pool);
  clock_line(k, "s->pool%u_token[cell] = %s;", pool, value);
}

/* Moves the first token of the list into the latch; the unit may fire again. */
static void dequeue(Clock *k, uint32_t input) {
  const loom_unit_input *in = &k->inputs[input];
  clock_line(k, "uint32_t cell = s->head%u;", input);
  clock_line(k, "s->v[%u] = s->pool%u_token[cell];", input, in->pool);
  clock_line(k, "s->head%u = s->pool%u_next[cell];", input, in->pool);
  clock_line(k, "s->pool%u_next[cell] = s->pool%u_free + 1;", in->pool, in->pool);
  clock_line(k, "s->pool%u_free = cell;", in->pool);
  clock_line(k, "s->behind%u--;", input);
  clock_line(k, "s->pool%u_now--;", in->pool);
  clock_wake_next(k, k->work_of[in->unit]);
}

/* Wakes the outputs that wait for a cell of the pool if one is free in the next cycle. All inputs
 * of a pool belong to one issue group, whose item runs whenever one of them got or used a token. */
void clock_pool(Clock *k, uint32_t first, uint32_t last) {
  uint32_t pool = LOOM_NONE;
  for (uint32_t unit = first; unit <= last; unit++)
    for (uint32_t i = k->units[unit].first_input;
         i < k->units[unit].first_input + k->units[unit].input_count; i++) {
      if (!k->inputs[i].pool_places) continue;
      if (pool == LOOM_NONE) {
        pool = k->inputs[i].pool;
        clock_line(k, "s->pool%u_used = s->pool%u_now;", pool, pool);
      }
      if (clock_is_shared(k, k->inputs[i].output)) continue;
      clock_line(k, "if (%s) {", has_place(k, i));
      clock_wake_waiting(k, offering_item(k, k->inputs[i].output));
      clock_line(k, "}");
    }
}

void clock_declare_pools(Clock *k) {
  uint32_t next = 0, i; /* pools are numbered in the order of their first inputs */
  for (i = 0; i < k->ninputs; i++) {
    const loom_unit_input *in = &k->inputs[i];
    if (!in->pool_places) continue;
    clock_line(k, "uint32_t head%u, tail%u, behind%u;", i, i, i);
    if (in->pool < next) continue;
    next = in->pool + 1;
    clock_line(k, "uint64_t pool%u_token[%u];", in->pool, in->pool_places);
    clock_line(k, "uint32_t pool%u_next[%u], pool%u_free, pool%u_used, pool%u_now;", in->pool,
               in->pool_places, in->pool, in->pool, in->pool);
  }
}

void clock_use(Clock *k, uint32_t input) {
  if (k->inputs[input].pool_places) {
    clock_line(k, "if (s->behind%u) {", input);
    dequeue(k, input);
    clock_line(k, "} else {");
    clock_line(k, "s->f[%u] = 0;", input);
    clock_line(k, "}");
    return;
  }
  clock_line(k, "s->f[%u] = 0;", input);
  clock_freed(k, input);
}

/* A C expression: the bits of a token that arrive at the input, by its moves or its mask. */
static const char *arriving_bits(const Clock *k, const loom_unit_input *in, const char *value) {
  const char *bits = NULL;
  for (uint32_t i = 0; i < in->move_count; i++) {
    const loom_move *move = &in->moves[i];
    const char *piece = csim_format(
        k->m, "((%s) >> %u & 0x%llxULL) << %u", value, move->from,
        (unsigned long long)(move->bits < 64 ? (UINT64_C(1) << move->bits) - 1 : UINT64_MAX),
        move->to);
    bits = bits ? csim_format(k->m, "%s | (%s)", bits, piece) : csim_format(k->m, "(%s)", piece);
  }
  if (bits) return csim_format(k->m, "(%s)", bits);
  if (in->mask == UINT64_MAX) return value;
  return csim_format(k->m, "(%s & 0x%llxULL)", value, (unsigned long long)in->mask);
}

/* Inputs that always have room. */
static int takes_always(const Clock *k, uint32_t input) {
  enum loom_unit_kind kind = k->units[k->inputs[input].unit].kind;
  return kind == LOOM_UNIT_OUTPUT || kind == LOOM_UNIT_DRAIN;
}

/* The input takes the token. */
static void take(Clock *k, uint32_t input, const char *value) {
  const loom_unit_input *in = &k->inputs[input];
  const loom_unit *u = &k->units[in->unit];
  const char *masked = arriving_bits(k, in, value);
  if (u->kind == LOOM_UNIT_OUTPUT) clock_line(k, "run->taken(run, %uu, %s);", in->unit, masked);
  if (u->kind == LOOM_UNIT_FIFO) {
    clock_line(k, "uint32_t place = %u + (s->h[%u] + s->c[%u]) %% %uu;", k->ring_of[in->unit],
               in->unit, in->unit, u->latency);
    clock_line(k, "s->ring[place] = %s;", masked);
    if (k->hops[in->unit]) clock_line(k, "s->when[place] = cycle + %u;", k->hops[in->unit]);
    clock_line(k, "s->c[%u]++;", in->unit);
  } else if (in->pool_places) {
    clock_line(k, "if (s->f[%u]) {", input);
    enqueue(k, input, masked);
    clock_line(k, "} else {");
    clock_line(k, "s->v[%u] = %s;", input, masked);
    clock_line(k, "s->f[%u] = 1;", input);
    clock_line(k, "}");
  } else if (!takes_always(k, input)) {
    clock_line(k, "s->v[%u] = %s;", input, masked);
    clock_line(k, "s->f[%u] = 1;", input);
  }
  if (is_kept(k, in->output)) clock_line(k, "s->k[%u] = 1;", input);
  if (k->transfers) {
    clock_line(k, "s->T[%u]++;", input);
    clock_line(k, "if (run->transfer) run->transfer(run, cycle, %uu, %s);", input, masked);
  }
  clock_line(k, "moved = 1;");
  if (k->work_of[in->unit] != LOOM_NONE) clock_wake(k, k->work_of[in->unit]);
}

/* An input of a net with k bits takes the token, if it has not yet and has room. Otherwise `all` is
 * cleared, unless the net is shared: there clock_deliver_forward reads the k bits at the end. */
static void deliver(Clock *k, uint32_t input, const char *value) {
  clock_line(k, "if (!s->k[%u]) {", input);
  if (!takes_always(k, input)) clock_line(k, "if (%s) {", has_place(k, input));
  take(k, input, value);
  if (!takes_always(k, input)) {
    if (!clock_is_shared(k, k->inputs[input].output)) {
      clock_line(k, "} else {");
      clock_line(k, "all = 0;");
      clock_wait(k);
    }
    clock_line(k, "}");
  }
  clock_line(k, "}");
}

/* Inputs behind neither an arbiter nor a forward FIFO take the token at once; arbiters are
 * woken. */
static void offer_shared(Clock *k, uint32_t output, const char *value) {
  const loom_unit_output *out = &k->outputs[output];
  clock_line(k, "s->n[%u] = 1;", output);
  clock_line(k, "s->q[%u] = %s;", output, value);
  clock_wake(k, k->finish_of[output]);
  for (uint32_t i = 0; i < out->input_count; i++) {
    const loom_unit_input *in = &k->inputs[out->inputs[i]];
    if (in->arbiter_count)
      clock_wake(k, k->item_of_arbiter[in->arbiters[0]]);
    else if (!k->is_forward[in->unit])
      deliver(k, out->inputs[i], value);
  }
}

int clock_open_offer(Clock *k, uint32_t output, const char *value) {
  const loom_unit_output *out = &k->outputs[output];
  if (clock_is_shared(k, output)) {
    offer_shared(k, output, value);
    return 0;
  }
  if (out->input_count > 1) {
    clock_line(k, "unsigned all = 1;");
    for (uint32_t i = 0; i < out->input_count; i++) deliver(k, out->inputs[i], value);
    clock_line(k, "if (all) {");
  } else if (out->input_count) {
    if (takes_always(k, out->inputs[0]))
      clock_line(k, "{");
    else
      clock_line(k, "if (%s) {", has_place(k, out->inputs[0]));
    take(k, out->inputs[0], value);
  } else {
    clock_line(k, "{");
    clock_line(k, "moved = 1;");
  }
  return 1;
}

void clock_close_offer(Clock *k, uint32_t output) {
  const loom_unit_output *out = &k->outputs[output];
  if (out->input_count == 1 && !takes_always(k, out->inputs[0])) {
    clock_line(k, "} else {");
    clock_wait(k);
  }
  clock_line(k, "}");
}

void clock_clear_taken(Clock *k, uint32_t output) {
  const loom_unit_output *out = &k->outputs[output];
  for (uint32_t i = 0; is_kept(k, output) && i < out->input_count; i++)
    clock_line(k, "s->k[%u] = 0;", out->inputs[i]);
}

void clock_deliver_forward(Clock *k, uint32_t output) {
  const loom_unit_output *out = &k->outputs[output];
  for (uint32_t i = 0; i < out->input_count; i++) {
    const loom_unit_input *in = &k->inputs[out->inputs[i]];
    if (k->is_forward[in->unit] && !in->arbiter_count)
      deliver(k, out->inputs[i], csim_format(k->m, "s->q[%u]", output));
  }
  for (uint32_t i = 0; i < out->input_count; i++)
    clock_line(k, "if (!s->k[%u]) all = 0;", out->inputs[i]);
}

/* ---- arbiters -------------------------------------------------------------------------------- */

/* Does the route to an input pass through this member of the arbiter? *at: the arbiter's position
 * on the route. */
static int passes(const loom_unit_input *in, uint32_t arbiter, uint32_t member, uint32_t *at) {
  for (*at = 0; *at < in->arbiter_count; ++*at)
    if (in->arbiters[*at] == arbiter && in->arbiter_members[*at] == member) return 1;
  return 0;
}

/* A C condition: this member requests the arbiter. Its output offers, the arbiters before this one
 * granted it, and some input behind has not taken the token and has room. */
static const char *requests(Clock *k, uint32_t arbiter, uint32_t member) {
  uint32_t output = k->arbiters[arbiter].members[member];
  const loom_unit_output *out = &k->outputs[output];
  const char *wants = NULL;
  uint32_t at;
  for (uint32_t i = 0; i < out->input_count; i++) {
    const loom_unit_input *in = &k->inputs[out->inputs[i]];
    const char *one;
    if (!passes(in, arbiter, member, &at)) continue;
    one = csim_format(k->m, "!s->k[%u] && %s", out->inputs[i], has_place(k, out->inputs[i]));
    for (uint32_t before = 0; before < at; before++)
      one = csim_format(k->m, "%s && s->s%u_%u", one, in->arbiters[before],
                        in->arbiter_members[before]);
    wants = wants ? csim_format(k->m, "%s || (%s)", wants, one) : csim_format(k->m, "(%s)", one);
  }
  return csim_format(k->m, "s->n[%u] && (%s)", output, wants ? wants : "0");
}

/* The token goes on to inputs whose last arbiter this is, and wakes the next arbiter of the
 * others. */
static void grant(Clock *k, uint32_t arbiter, uint32_t member) {
  uint32_t output = k->arbiters[arbiter].members[member];
  const loom_unit_output *out = &k->outputs[output];
  const char *value = csim_format(k->m, "s->q[%u]", output);
  uint32_t at;
  for (uint32_t i = 0; i < out->input_count; i++) {
    const loom_unit_input *in = &k->inputs[out->inputs[i]];
    if (!passes(in, arbiter, member, &at)) continue;
    for (uint32_t before = 0; before < at; before++)
      clock_line(k, "if (s->s%u_%u) {", in->arbiters[before], in->arbiter_members[before]);
    if (at + 1 < in->arbiter_count) {
      clock_line(k, "s->s%u_%u = 1;", arbiter, member);
      clock_wake(k, k->item_of_arbiter[in->arbiters[at + 1]]);
    } else {
      deliver(k, out->inputs[i], value);
    }
    for (uint32_t before = 0; before < at; before++) clock_line(k, "}");
  }
}

/* Round robin: grants the first member that requests, from p on; the next search starts after
 * it. */
void clock_arbiter(Clock *k, uint32_t arbiter) {
  const loom_arbiter *a = &k->arbiters[arbiter];
  clock_line(k, "unsigned tried, member = s->p%u;", arbiter);
  for (uint32_t i = 0; i < a->member_count; i++) clock_line(k, "s->s%u_%u = 0;", arbiter, i);
  clock_line(k, "for (tried = 0; tried < %uu; tried++) {", a->member_count);
  clock_line(k, "int asked = 0;");
  clock_line(k, "switch (member) {");
  for (uint32_t i = 0; i < a->member_count; i++) {
    clock_line(k, "case %u: {", i);
    clock_line(k, "if (!(%s)) break;", requests(k, arbiter, i));
    clock_line(k, "asked = 1;");
    grant(k, arbiter, i);
    clock_line(k, "break;");
    clock_line(k, "}");
  }
  clock_line(k, "}");
  clock_line(k, "member = member == %uu ? 0 : member + 1;", a->member_count - 1);
  clock_line(k, "if (!asked) continue;");
  clock_line(k, "s->p%u = member;", arbiter);
  clock_line(k, "break;");
  clock_line(k, "}");
}

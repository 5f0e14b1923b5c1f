/* ---- queues: the firing rules ------------------------------------------------------------------
 * One function a kind of unit: it fires as often as it can in one go and leaves in *b what stopped
 * it, an input without tokens or a queue without room. */

/* ---- the plain rule: one token of every input, one to every output ---- */

Q_STATIC int q_ready(Sim *s, uint32_t unit, Burst *b) {
  uint32_t i;
  for (i = unit_input[unit]; i < unit_input[unit + 1]; i++) q_need(s, b, i);
  for (i = 0; i < unit_queues[unit]; i++) q_room(s, b, unit_queue[unit] + i);
  return b->n != 0;
}

Q_STATIC void q_done(Sim *s, uint32_t unit, const Burst *b) {
  uint32_t i;
  s->units[unit].fired += b->n;
  s->steps += b->n;
  for (i = unit_input[unit]; i < unit_input[unit + 1]; i++) q_take(s, i, b->n);
  for (i = 0; i < unit_queues[unit]; i++) q_emit(s, unit_queue[unit] + i, b->n);
}

/* Wires (buffer, br, the halves of a load), fork, sync, join, sink: output k is input k, or the
 * only input. Control tokens have no words to copy. */
Q_STATIC void q_copies(Sim *s, uint32_t unit, Burst *b) {
  uint32_t k, in = unit_input[unit], several = unit_input[unit + 1] - in > 1;
  uint64_t i;
  if (!q_ready(s, unit, b)) return;
  for (k = 0; k < unit_queues[unit]; k++) {
    Queue *q = &s->queues[unit_queue[unit] + k];
    if (q->words)
      for (i = 0; i < b->n; i++) q_copy(q_put(q, i), q_peek(s, several ? in + k : in, i), q->words);
  }
  q_done(s, unit, b);
}

Q_STATIC void q_constant(Sim *s, uint32_t unit, Burst *b, uint64_t literal) {
  Queue *q = &s->queues[unit_queue[unit]];
  uint64_t i;
  if (!q_ready(s, unit, b)) return;
  for (i = 0; q->words && i < b->n; i++) *q_put(q, i) = literal;
  q_done(s, unit, b);
}

/* Operands of a store: addresses, data, control; results: data, addresses. */
Q_STATIC void q_store(Sim *s, uint32_t unit, Burst *b) {
  uint32_t in = unit_input[unit], addresses = unit_queues[unit] - 1, k;
  uint64_t i;
  if (!q_ready(s, unit, b)) return;
  for (k = 0; k <= addresses; k++) {
    Queue *q = &s->queues[unit_queue[unit] + k];
    for (i = 0; i < b->n; i++)
      q_copy(q_put(q, i), q_peek(s, k ? in + k - 1 : in + addresses, i), q->words);
  }
  q_done(s, unit, b);
}

/* A tuple's words are those of its elements in a row, and a zero for a control token. */
Q_STATIC void q_pack(Sim *s, uint32_t unit, Burst *b) {
  uint32_t in;
  uint64_t i;
  Queue *q = &s->queues[unit_queue[unit]];
  if (!q_ready(s, unit, b)) return;
  for (i = 0; i < b->n; i++) {
    uint64_t *to = q_put(q, i);
    for (in = unit_input[unit]; in < unit_input[unit + 1]; in++) {
      uint32_t words = s->queues[input_queue[in]].words;
      uint32_t is_control = queue_is_control[input_queue[in]];
      q_copy(to, q_peek(s, in, i), words);
      if (is_control) *to = 0;
      to += words + is_control;
    }
  }
  q_done(s, unit, b);
}

Q_STATIC void q_unpack(Sim *s, uint32_t unit, Burst *b) {
  uint32_t k;
  uint64_t i;
  if (!q_ready(s, unit, b)) return;
  for (i = 0; i < b->n; i++) {
    const uint64_t *from = q_peek(s, unit_input[unit], i);
    for (k = 0; k < unit_queues[unit]; k++) {
      Queue *q = &s->queues[unit_queue[unit] + k];
      q_copy(q_put(q, i), from, q->words);
      from += q->words + queue_is_control[unit_queue[unit] + k];
    }
  }
  q_done(s, unit, b);
}

/* ---- what comes in and what goes out ---- */

/* 1 when all has been given. */
Q_STATIC int q_argument(Sim *s, uint32_t unit, Burst *b, uint32_t argument) {
  const loom_kernel_run *run = s->run;
  Unit *u = &s->units[unit];
  Queue *q = &s->queues[unit_queue[unit]];
  const uint64_t *tokens = run->arg_tokens ? run->arg_tokens[argument] : 0;
  uint64_t count = tokens ? run->arg_counts[argument] : 1, i;
  if (!tokens) tokens = run->args + argument;
  if (b->n > count - u->fired) b->n = count - u->fired;
  q_room(s, b, unit_queue[unit]);
  for (i = 0; q->words && i < b->n; i++)
    q_copy(q_put(q, i), tokens + (u->fired + i) * q->words, q->words);
  u->fired += b->n;
  q_emit(s, unit_queue[unit], b->n);
  return u->fired == count;
}

Q_STATIC void q_return(Sim *s, uint32_t unit, Burst *b, uint32_t output) {
  loom_kernel_run *run = s->run;
  Unit *u = &s->units[unit];
  uint32_t in = unit_input[unit];
  Queue *q = &s->queues[input_queue[in]];
  uint64_t left;
  q_need(s, b, in);
  if (q_is_endless(q)) { /* as much as is owed, and never more */
    b->n = !u->fired;
    b->starved = in + 1;
  }
  u->fired += b->n;
  run->result_counts[output] += b->n;
  if (b->n && q->words == 1) run->results[output] = *q_peek(s, in, b->n - 1);
  for (left = b->n; left;) { /* twice where the ring ends */
    uint64_t at = s->inputs[in].head & q->mask, n = left;
    if (n > q->mask + 1 - at) n = q->mask + 1 - at;
    if (run->output) run->output(run, output, q->data + at * q->words, (uint32_t)n);
    q_take(s, in, n);
    left -= n;
  }
}

/* ---- state machines ---- */

enum { Q_ADD, Q_SUB, Q_MUL, Q_DIV, Q_SHL, Q_SHR };
enum { Q_LT, Q_LE, Q_GT, Q_GE, Q_NE };

Q_STATIC int64_t q_signed(uint64_t x, uint32_t width) {
  uint64_t sign = (uint64_t)1 << (width - 1);
  x &= sign | (sign - 1);
  return x & sign ? -(int64_t)(~x & (sign - 1)) - 1 : (int64_t)x;
}

Q_STATIC int q_continues(const Unit *u, int condition) {
  return condition == Q_LT   ? u->value < u->bound
         : condition == Q_LE ? u->value <= u->bound
         : condition == Q_GT ? u->value > u->bound
         : condition == Q_GE ? u->value >= u->bound
                             : u->value != u->bound;
}

/* value op step, in the width of index. */
Q_STATIC void q_step(Sim *s, uint32_t unit, uint32_t width, int op) {
  Unit *u = &s->units[unit];
  uint64_t value = (uint64_t)u->value, step = (uint64_t)u->step;
  uint64_t bits = step & (~(uint64_t)0 >> (64 - width)), down;
  switch (op) {
  case Q_ADD: value += step; break;
  case Q_SUB: value -= step; break;
  case Q_MUL: value *= step; break;
  case Q_DIV:
    if (u->step == -1 && u->value == q_signed((uint64_t)1 << (width - 1), width))
      s->run->trap(s->run, LOOM_TRAP_OVERFLOW, unit_node[unit], 0, 0);
    value = (uint64_t)(u->value / u->step);
    break;
  case Q_SHL: value = bits >= width ? 0 : value << bits; break;
  default: /* shifts the sign in */
    down = bits >= width ? width - 1 : bits;
    value = u->value < 0 ? ~(~value >> down) : value >> down;
  }
  u->value = q_signed(value, width);
}

/* Phase 0: wait for start, step and bound; phase 1: running. */
Q_STATIC void q_stream(Sim *s, uint32_t unit, Burst *b, uint32_t width, int op, int condition) {
  Unit *u = &s->units[unit];
  uint32_t in = unit_input[unit], index = unit_queue[unit], more = index + 1;
  Queue *iq = &s->queues[index], *mq = &s->queues[more];
  uint64_t emitted = 0;
  while (emitted < b->n) {
    int starts = u->phase == 0;
    if (iq->limit - iq->tail == emitted || mq->limit - mq->tail == emitted) {
      /* room is counted from the tail: move it before asking for more */
      u->fired += emitted;
      s->steps += emitted;
      q_emit(s, index, emitted);
      q_emit(s, more, emitted);
      b->n -= emitted;
      emitted = 0;
      if (!q_has_room(s, b, index) || !q_has_room(s, b, more)) return;
    }
    if (starts) {
      if (!q_has_token(s, b, in) || !q_has_token(s, b, in + 1) || !q_has_token(s, b, in + 2)) break;
      u->value = q_signed(*q_peek(s, in, 0), width);
      u->step = q_signed(*q_peek(s, in + 1, 0), width);
      u->bound = q_signed(*q_peek(s, in + 2, 0), width);
      q_take(s, in, 1);
      q_take(s, in + 1, 1);
      q_take(s, in + 2, 1);
    }
    u->phase = (uint8_t)q_continues(u, condition);
    *q_put(iq, emitted) = (uint64_t)u->value & (~(uint64_t)0 >> (64 - width));
    *q_put(mq, emitted) = u->phase;
    emitted++;
    if (!u->phase) continue;
    if (starts && u->step == 0) s->run->trap(s->run, LOOM_TRAP_STEP, unit_node[unit], 0, 0);
    q_step(s, unit, width, op);
  }
  u->fired += emitted;
  s->steps += emitted;
  if (!emitted) return;
  q_emit(s, index, emitted);
  q_emit(s, more, emitted);
}

/* Phase 0: a true launches a burst and emits the value alone; phase 1: true emits both, false the
 * condition alone. */
Q_STATIC void q_gate(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint32_t value = unit_input[unit], cond = value + 1;
  uint32_t after_value = unit_queue[unit], after_cond = after_value + 1;
  uint64_t n;
  for (n = 0; n < b->n; n++) {
    uint8_t more;
    if (!q_has_token(s, b, cond) || !q_has_token(s, b, value)) break;
    more = *q_peek(s, cond, 0) & 1;
    if (more && !q_has_room(s, b, after_value)) break;
    if (u->phase && !q_has_room(s, b, after_cond)) break;
    if (more)
      q_pass(s, value, after_value);
    else
      q_take(s, value, 1);
    if (u->phase) {
      *q_put(&s->queues[after_cond], 0) = more;
      q_emit(s, after_cond, 1);
    }
    u->phase = more;
    q_take(s, cond, 1);
  }
  u->fired += n;
  s->steps += n;
}

/* Phase 0: pass one `a`; phase 1: look at `d`; phase 2 (d was true): pass one `b`. */
Q_STATIC void q_carry(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint32_t d = unit_input[unit], out = unit_queue[unit];
  uint64_t n;
  for (n = 0; n < b->n; n++) {
    if (u->phase == 1) {
      if (!q_has_token(s, b, d)) break;
      u->phase = *q_peek(s, d, 0) & 1 ? 2 : 0;
      q_take(s, d, 1);
    }
    if (!q_has_token(s, b, u->phase ? d + 2 : d + 1) || !q_has_room(s, b, out)) break;
    q_pass(s, u->phase ? d + 2 : d + 1, out);
    u->phase = 1;
  }
  u->fired += n;
  s->steps += n;
}

/* Phase 0: pass one `a` and keep it; phase 1: a true passes it again. */
Q_STATIC void q_invariant(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint32_t d = unit_input[unit], out = unit_queue[unit];
  Queue *q = &s->queues[out];
  uint64_t n;
  for (n = 0; n < b->n; n++) {
    if (u->phase == 1) {
      if (!q_has_token(s, b, d)) break;
      if (*q_peek(s, d, 0) & 1) {
        if (!q_has_room(s, b, out)) break;
        q_take(s, d, 1);
        if (q->words) *q_put(q, 0) = (uint64_t)u->value;
        q_emit(s, out, 1);
        continue;
      }
      q_take(s, d, 1);
      u->phase = 0;
    }
    if (!q_has_token(s, b, d + 1) || !q_has_room(s, b, out)) break;
    if (q->words) u->value = (int64_t)*q_peek(s, d + 1, 0);
    q_pass(s, d + 1, out);
    u->phase = 1;
  }
  u->fired += n;
  s->steps += n;
}

/* ---- routing ---- */

Q_STATIC void q_mux(Sim *s, uint32_t unit, Burst *b) {
  uint32_t select = unit_input[unit], inputs = unit_input[unit + 1] - select - 1;
  uint64_t n;
  for (n = 0; n < b->n; n++) {
    uint64_t which;
    if (!q_has_token(s, b, select)) break;
    which = *q_peek(s, select, 0);
    if (which >= inputs) s->run->trap(s->run, LOOM_TRAP_SELECT, unit_node[unit], which, inputs);
    if (!q_has_token(s, b, select + 1 + (uint32_t)which) || !q_has_room(s, b, unit_queue[unit]))
      break;
    q_take(s, select, 1);
    q_pass(s, select + 1 + (uint32_t)which, unit_queue[unit]);
  }
  s->units[unit].fired += n;
  s->steps += n;
}

Q_STATIC void q_cond_br(Sim *s, uint32_t unit, Burst *b) {
  uint32_t cond = unit_input[unit];
  uint64_t n;
  for (n = 0; n < b->n; n++) {
    uint32_t out;
    if (!q_has_token(s, b, cond) || !q_has_token(s, b, cond + 1)) break;
    out = *q_peek(s, cond, 0) & 1 ? unit_queue[unit] : unit_queue[unit] + 1;
    if (!q_has_room(s, b, out)) break;
    q_take(s, cond, 1);
    q_pass(s, cond + 1, out);
  }
  s->units[unit].fired += n;
  s->steps += n;
}

/* merge and control_merge: in the order of arrival. 1 where it need not wait for anything: the next
 * arrival puts it into the line. */
Q_STATIC int q_merge(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint32_t out = unit_queue[unit], tells = unit_queues[unit] > 1;
  uint64_t n;
  for (n = 0; n < b->n && u->served < u->arrived; n++) {
    Arrival *a = &u->arrivals[u->served & u->arrivals_mask];
    uint32_t operand = a->operand;
    if (!q_has_room(s, b, out) || (tells && !q_has_room(s, b, out + 1))) break;
    if (--a->n == 0) u->served++;
    q_pass(s, unit_input[unit] + operand, out);
    if (tells) {
      *q_put(&s->queues[out + 1], 0) = operand;
      q_emit(s, out + 1, 1);
    }
  }
  u->fired += n;
  s->steps += n;
  u->is_queued = b->full || u->served != u->arrived;
  return !u->is_queued;
}

/* ---- memories ---- */

/* The element that one token of each address operand names; traps outside the memory. One of no
 * fixed size grows to hold it. */
Q_STATIC uint64_t q_address(Sim *s, uint32_t first, uint32_t addresses, uint64_t i, uint32_t memory,
                            uint32_t bytes, uint32_t grows, uint32_t node) {
  loom_kernel_memory *m = &s->run->memories[memory];
  const Shape *shape = &s->shapes[memory];
  uint64_t address = shape->offset, elements, at;
  uint32_t d;
  if (addresses == 1) {
    address = *q_peek(s, first, i);
  } else {
    for (d = 0; d < addresses; d++) {
      uint64_t index = *q_peek(s, first + d, i);
      if (index >= shape->sizes[d]) break;
      address += index * shape->strides[d];
    }
    if (d < addresses) address = ~(uint64_t)0;
  }
  if (address < m->elements) return address;
  if (grows && address < (uint64_t)1 << 28) {
    uint8_t *data;
    elements = m->elements ? m->elements : 64;
    while (elements <= address) elements *= 2;
    data = (uint8_t *)s->run->grow(s->run, m->data, elements * bytes);
    if (data) {
      for (at = m->elements * bytes; at < elements * bytes; at++) data[at] = 0;
      m->data = data;
      m->elements = elements;
      return address;
    }
    q_stop(s, LOOM_KERNEL_REFUSED); /* and then as if outside */
  }
  s->run->trap(s->run, LOOM_TRAP_BOUNDS, node, address, m->elements);
  return 0;
}

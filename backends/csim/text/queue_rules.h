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

/* The tokens of an input, or of a queue to be, in a burst: word i of those with one word. */
#define Q_READ(k, in)                                                                              \
  const uint64_t *const from##k = s->queues[input_queue[in]].data;                                 \
  const uint64_t first##k = s->inputs[in].head, wrap##k = s->queues[input_queue[in]].mask
#define Q_WRITE(k, queue)                                                                          \
  uint64_t *const to##k = s->queues[queue].data;                                                   \
  const uint64_t last##k = s->queues[queue].tail, ring##k = s->queues[queue].mask
#define Q_TOKEN(k)  (from##k[(first##k + i) & wrap##k])
#define Q_RESULT(k) (to##k[(last##k + i) & ring##k])

/* n tokens of an input go on a queue. Control tokens have no words to copy. */
Q_STATIC void q_move(Sim *s, uint32_t in, uint32_t queue, uint64_t n) {
  uint32_t words = s->queues[queue].words;
  uint64_t i;
  Q_READ(0, in);
  Q_WRITE(0, queue);
  if (words == 1)
    for (i = 0; i < n; i++) Q_RESULT(0) = Q_TOKEN(0);
  else if (words)
    for (i = 0; i < n; i++) q_copy(q_put(&s->queues[queue], i), q_peek(s, in, i), words);
}

/* Wires (buffer, br, the halves of a load), fork, sync, join, sink: output k is input k, or the
 * only input. */
Q_STATIC void q_copies(Sim *s, uint32_t unit, Burst *b) {
  uint32_t k, in = unit_input[unit], several = unit_input[unit + 1] - in > 1;
  if (!q_ready(s, unit, b)) return;
  for (k = 0; k < unit_queues[unit]; k++)
    q_move(s, several ? in + k : in, unit_queue[unit] + k, b->n);
  q_done(s, unit, b);
}

Q_STATIC void q_constant(Sim *s, uint32_t unit, Burst *b, uint64_t literal) {
  uint64_t i;
  if (!q_ready(s, unit, b)) return;
  if (s->queues[unit_queue[unit]].words) {
    Q_WRITE(0, unit_queue[unit]);
    for (i = 0; i < b->n; i++) Q_RESULT(0) = literal;
  }
  q_done(s, unit, b);
}

/* Operands of a store: addresses, data, control; results: data, addresses. */
Q_STATIC void q_store(Sim *s, uint32_t unit, Burst *b) {
  uint32_t in = unit_input[unit], addresses = unit_queues[unit] - 1, k;
  if (!q_ready(s, unit, b)) return;
  for (k = 0; k <= addresses; k++)
    q_move(s, k ? in + k - 1 : in + addresses, unit_queue[unit] + k, b->n);
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
  uint32_t k;
  if (b->n > count - u->fired) b->n = count - u->fired;
  q_room(s, b, unit_queue[unit]);
  for (i = 0; q->words && i < b->n; i++)
    if (tokens)
      q_copy(q_put(q, i), tokens + (u->fired + i) * q->words, q->words);
    else
      for (k = 0; k < q->words; k++) q_put(q, i)[k] = run->args[argument + k * ARGUMENTS];
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
  const uint64_t mask = ~(uint64_t)0 >> (64 - width);
  uint64_t emitted = 0;
  Q_IN(start, unit_input[unit]);
  Q_IN(step, unit_input[unit] + 1);
  Q_IN(bound, unit_input[unit] + 2);
  Q_OUT(index, unit_queue[unit]);
  Q_OUT(more, unit_queue[unit] + 1);
  while (emitted < b->n) {
    int starts = u->phase == 0;
    if (oindex->limit - oindex->tail == emitted || omore->limit - omore->tail == emitted) {
      /* room is counted from the tail: move it before asking for more */
      u->fired += emitted;
      s->steps += emitted;
      q_emit(s, out_index, emitted);
      q_emit(s, out_more, emitted);
      b->n -= emitted;
      emitted = 0;
      if (!Q_ROOM(index) || !Q_ROOM(more)) return;
    }
    if (starts) {
      if (!Q_HAS(start) || !Q_HAS(step) || !Q_HAS(bound)) break;
      u->value = q_signed(Q_WORD(start), width);
      u->step = q_signed(Q_WORD(step), width);
      u->bound = q_signed(Q_WORD(bound), width);
      Q_TAKE(start);
      Q_TAKE(step);
      Q_TAKE(bound);
    }
    u->phase = (uint8_t)q_continues(u, condition);
    oindex->data[(oindex->tail + emitted) & oindex->mask] = (uint64_t)u->value & mask;
    omore->data[(omore->tail + emitted) & omore->mask] = u->phase;
    emitted++;
    if (!u->phase) continue;
    if (starts && u->step == 0) s->run->trap(s->run, LOOM_TRAP_STEP, unit_node[unit], 0, 0);
    if (op == Q_ADD)
      u->value = q_signed((uint64_t)u->value + (uint64_t)u->step, width);
    else
      q_step(s, unit, width, op);
  }
  u->fired += emitted;
  s->steps += emitted;
  if (!emitted) return;
  q_emit(s, out_index, emitted);
  q_emit(s, out_more, emitted);
}

/* Phase 0: a true launches a burst and emits the value alone; phase 1: true emits both, false the
 * condition alone. */
Q_STATIC void q_gate(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint64_t n;
  Q_IN(value, unit_input[unit]);
  Q_IN(cond, unit_input[unit] + 1);
  Q_OUT(value, unit_queue[unit]);
  Q_OUT(cond, unit_queue[unit] + 1);
  for (n = 0; n < b->n; n++) {
    uint8_t more;
    if (!Q_HAS(cond) || !Q_HAS(value)) break;
    more = Q_WORD(cond) & 1;
    if (more && !Q_ROOM(value)) break;
    if (u->phase && !Q_ROOM(cond)) break;
    if (more)
      Q_PASS(value, value);
    else
      Q_TAKE(value);
    if (u->phase) {
      Q_NEXT(cond) = more;
      Q_EMIT(cond);
    }
    u->phase = more;
    Q_TAKE(cond);
  }
  u->fired += n;
  s->steps += n;
}

/* Phase 0: pass one `a`; phase 1: look at `d`; phase 2 (d was true): pass one `b`. */
Q_STATIC void q_carry(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint64_t n;
  Q_IN(d, unit_input[unit]);
  Q_IN(a, unit_input[unit] + 1);
  Q_IN(b, unit_input[unit] + 2);
  Q_OUT(out, unit_queue[unit]);
  for (n = 0; n < b->n; n++) {
    if (u->phase == 1) {
      if (!Q_HAS(d)) break;
      u->phase = Q_WORD(d) & 1 ? 2 : 0;
      Q_TAKE(d);
    }
    if (u->phase) {
      if (!Q_HAS(b) || !Q_ROOM(out)) break;
      Q_PASS(b, out);
    } else {
      if (!Q_HAS(a) || !Q_ROOM(out)) break;
      Q_PASS(a, out);
    }
    u->phase = 1;
  }
  u->fired += n;
  s->steps += n;
}

/* Phase 0: pass one `a` and keep it; phase 1: a true passes it again. */
Q_STATIC void q_invariant(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint64_t n;
  Q_IN(d, unit_input[unit]);
  Q_IN(a, unit_input[unit] + 1);
  Q_OUT(out, unit_queue[unit]);
  for (n = 0; n < b->n; n++) {
    if (u->phase == 1) {
      if (!Q_HAS(d)) break;
      if (Q_WORD(d) & 1) {
        if (!Q_ROOM(out)) break;
        Q_TAKE(d);
        if (oout->words == 1)
          Q_NEXT(out) = (uint64_t)u->value;
        else if (oout->words)
          q_copy(q_put(oout, 0), u->kept, oout->words);
        Q_EMIT(out);
        continue;
      }
      Q_TAKE(d);
      u->phase = 0;
    }
    if (!Q_HAS(a) || !Q_ROOM(out)) break;
    if (oout->words == 1)
      u->value = (int64_t)Q_WORD(a);
    else if (oout->words)
      q_copy(u->kept, q_peek(s, in_a, 0), oout->words);
    Q_PASS(a, out);
    u->phase = 1;
  }
  u->fired += n;
  s->steps += n;
}

/* ---- routing ---- */

Q_STATIC void q_mux(Sim *s, uint32_t unit, Burst *b) {
  uint32_t inputs = unit_input[unit + 1] - unit_input[unit] - 1;
  uint64_t n;
  Q_IN(select, unit_input[unit]);
  Q_OUT(out, unit_queue[unit]);
  for (n = 0; n < b->n; n++) {
    uint64_t which;
    if (!Q_HAS(select)) break;
    which = Q_WORD(select);
    if (which >= inputs) s->run->trap(s->run, LOOM_TRAP_SELECT, unit_node[unit], which, inputs);
    {
      Q_IN(value, in_select + 1 + (uint32_t)which);
      if (!Q_HAS(value) || !Q_ROOM(out)) break;
      Q_TAKE(select);
      Q_PASS(value, out);
    }
  }
  s->units[unit].fired += n;
  s->steps += n;
}

Q_STATIC void q_cond_br(Sim *s, uint32_t unit, Burst *b) {
  uint64_t n;
  Q_IN(cond, unit_input[unit]);
  Q_IN(value, unit_input[unit] + 1);
  Q_OUT(yes, unit_queue[unit]);
  Q_OUT(no, unit_queue[unit] + 1);
  for (n = 0; n < b->n; n++) {
    if (!Q_HAS(cond) || !Q_HAS(value)) break;
    if (Q_WORD(cond) & 1) {
      if (!Q_ROOM(yes)) break;
      Q_TAKE(cond);
      Q_PASS(value, yes);
    } else {
      if (!Q_ROOM(no)) break;
      Q_TAKE(cond);
      Q_PASS(value, no);
    }
  }
  s->units[unit].fired += n;
  s->steps += n;
}

/* merge and control_merge: in the order of arrival. 1 where it need not wait for anything: the next
 * arrival puts it into the line. */
Q_STATIC int q_merge(Sim *s, uint32_t unit, Burst *b) {
  Unit *u = &s->units[unit];
  uint32_t tells = unit_queues[unit] > 1;
  uint64_t n;
  Q_OUT(out, unit_queue[unit]);
  Q_OUT(which, unit_queue[unit] + tells);
  for (n = 0; n < b->n && u->served < u->arrived; n++) {
    Arrival *a = &u->arrivals[u->served & u->arrivals_mask];
    uint32_t operand = a->operand;
    Q_IN(value, unit_input[unit] + operand);
    if (!Q_ROOM(out) || (tells && !Q_ROOM(which))) break;
    if (--a->n == 0) u->served++;
    Q_PASS(value, out);
    if (tells) {
      Q_NEXT(which) = operand;
      Q_EMIT(which);
    }
  }
  u->fired += n;
  s->steps += n;
  u->is_queued = b->full || u->served != u->arrived;
  return !u->is_queued;
}

/* ---- memories ---- */

/* An address that is not in the memory: one of no fixed size grows to hold it, else it traps. */
Q_STATIC uint64_t q_outside(Sim *s, uint64_t address, uint32_t memory, uint32_t bytes,
                            uint32_t grows, uint32_t node) {
  loom_kernel_memory *m = &s->run->memories[memory];
  if (grows && address < (uint64_t)1 << 28) {
    uint64_t elements = m->elements ? m->elements : 64, at;
    uint8_t *data;
    while (elements <= address) elements *= 2;
    data = (uint8_t *)s->run->grow(s->run, m->data, elements * bytes);
    if (!data) {
      q_stop(s, LOOM_KERNEL_REFUSED);
      return 0;
    }
    for (at = m->elements * bytes; at < elements * bytes; at++) data[at] = 0;
    m->data = data;
    m->elements = elements;
    return address;
  }
  s->run->trap(s->run, LOOM_TRAP_BOUNDS, node, address, m->elements);
  return 0;
}

/* The element that one token of each of several address operands names. */
Q_STATIC uint64_t q_address(Sim *s, uint32_t first, uint32_t addresses, uint64_t i, uint32_t memory,
                            uint32_t bytes, uint32_t grows, uint32_t node) {
  const Shape *shape = &s->shapes[memory];
  uint64_t address = shape->offset;
  uint32_t d;
  for (d = 0; d < addresses; d++) {
    uint64_t index = *q_peek(s, first + d, i);
    if (index >= shape->sizes[d]) break;
    address += index * shape->strides[d];
  }
  if (d < addresses) address = ~(uint64_t)0;
  if (address < s->run->memories[memory].elements) return address;
  return q_outside(s, address, memory, bytes, grows, node);
}

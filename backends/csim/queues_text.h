/* ---- queues ------------------------------------------------------------------------------------
 * A *unit* is what fires: a node of the graph, or a part of one that waits for nothing else (a port
 * of a memory, a half of a load, an operand of the return). A *queue* is a ring that holds the
 * tokens of one result, once, however many read them: each reader is an *input* with a position of
 * its own. A token is as many 64-bit words as its type has scalars (a control token none, a tuple
 * several).
 *
 * Units that may be able to fire stand in a line, first in first out. One at the head fires as
 * often as its inputs and the room in its outputs allow, and then waits for exactly one thing: a
 * token on one empty input (it *watches* that), or room in one full queue. So the work is in
 * proportion to the firings. When nobody can do anything but some wait for room, their rings
 * double. This is the order of firing of `loom run --engine dfg`, so even a graph with a merge,
 * whose results depend on the order, gives what it gives there.
 *
 * What the graph is made of stands in the tables above, what each unit does in q_visit below. */
typedef struct {
  uint64_t *data;    /* token number i starts at data[(i & mask) * words] */
  uint64_t mask;     /* capacity - 1 */
  uint64_t tail;     /* tokens emitted so far */
  uint64_t limit;    /* tail may come to this without asking q_make_room */
  uint64_t recorded; /* tokens that run->tokens has seen */
  uint32_t words;
  uint32_t watchers;
  uint8_t is_blocked; /* its producer waits for room */
  uint8_t is_listed;  /* in Sim.full */
} Queue;

typedef struct {
  uint64_t head; /* tokens taken so far */
  uint64_t seen; /* of a merge: tokens in its arrivals */
  uint8_t is_watched;
} Input;

/* Tokens that came to a merge together, on one operand. */
typedef struct {
  uint64_t n;
  uint32_t operand;
} Arrival;

typedef struct {
  uint64_t fired;
  int64_t value, step, bound; /* stream; an invariant's value */
  uint64_t arrived, served, arrivals_mask;
  Arrival *arrivals;
  uint8_t phase;      /* of a state machine; 0 is the first */
  uint8_t is_queued;  /* merges only */
  uint8_t is_endless; /* nobody runs it: it gives one token for ever */
} Unit;

/* Element (i, j, ...) stands at offset + i * strides[0] + ...; rows are strides without gaps. */
typedef struct {
  uint64_t sizes[MOST_DIMENSIONS], rows[MOST_DIMENSIONS], strides[MOST_DIMENSIONS], offset;
} Shape;

typedef struct {
  loom_kernel_run *run;
  Unit units[UNITS + 1]; /* arrays of nothing do not exist */
  Input inputs[INPUTS + 1];
  Queue queues[QUEUES + 1];
  uint32_t line[LINE]; /* from head to tail: units that may be able to fire */
  uint64_t head, tail;
  uint32_t resumed[UNITS + 1]; /* waited for room, and there is some */
  uint32_t full[QUEUES + 1];   /* queues whose producer waits; also some whose does not any more */
  uint32_t resumed_count, full_count;
  Shape shapes[MEMORIES + 1]; /* of memories addressed by several indices */
  uint64_t burst;             /* a unit fires at most so often in a row */
  uint64_t room;              /* capacities of all rings together */
  uint64_t steps, check_at;
  int status, stop;
  int owes; /* each output is owed a token */
} Sim;

/* The tail of a queue that never runs dry: what comes of handshake.source and constants on it. */
#define Q_ENDLESS ((uint64_t)1 << 62)

Q_STATIC int q_is_endless(const Queue *q) {
  return q->tail >= Q_ENDLESS / 2;
}

Q_STATIC uint64_t q_waiting(const Sim *s, uint32_t in) {
  return s->queues[input_queue[in]].tail - s->inputs[in].head;
}

/* Token number i of those that wait on an input; the place of the next token but i of a queue. */
Q_STATIC const uint64_t *q_peek(const Sim *s, uint32_t in, uint64_t i) {
  const Queue *q = &s->queues[input_queue[in]];
  return q->data + ((s->inputs[in].head + i) & q->mask) * q->words;
}

Q_STATIC uint64_t *q_put(Queue *q, uint64_t i) {
  return q->data + ((q->tail + i) & q->mask) * q->words;
}

Q_STATIC void q_copy(uint64_t *to, const uint64_t *from, uint32_t words) {
  uint32_t k;
  for (k = 0; k < words; k++) to[k] = from[k];
}

Q_STATIC void q_stop(Sim *s, int status) {
  s->status = status;
  s->stop = 1;
}

/* ---- histories ---- */

/* Hands the tokens from `recorded` to the tail to run->tokens, in their C type. */
Q_STATIC void q_record(Sim *s, uint32_t queue) {
  union {
    uint8_t of1[256];
    uint16_t of2[256];
    uint32_t of4[256];
    uint64_t of8[256];
  } block;
  Queue *q = &s->queues[queue];
  uint32_t bytes = queue_bytes[queue]; /* 0: control tokens and tuples */
  while (q->recorded != q->tail) {
    uint64_t n = q->tail - q->recorded, at = q->recorded & q->mask, i;
    const uint64_t *from = q->data + at * q->words;
    if (q->words && n > q->mask + 1 - at) n = q->mask + 1 - at;
    if (n > 1u << 30) n = 1u << 30;
    if (bytes && n > 256) n = 256;
    for (i = 0; bytes && i < n; i++) {
      if (bytes == 1) block.of1[i] = (uint8_t)from[i];
      if (bytes == 2) block.of2[i] = (uint16_t)from[i];
      if (bytes == 4) block.of4[i] = (uint32_t)from[i];
      if (bytes == 8) block.of8[i] = from[i];
    }
    if (bytes)
      s->run->tokens(s->run, queue, &block, (uint32_t)n);
    else
      s->run->tokens(s->run, queue, q->words ? from : 0, (uint32_t)n);
    q->recorded += n;
  }
}

/* ---- who goes next ---- */

Q_STATIC void q_push(Sim *s, uint32_t unit) {
  s->line[s->tail++ & (LINE - 1)] = unit;
}

/* Writes down that tokens came to a merge, so that it serves them in this order. */
Q_STATIC void q_log_arrival(Sim *s, uint32_t in) {
  uint32_t unit = input_unit[in];
  Unit *u = &s->units[unit];
  Queue *q = &s->queues[input_queue[in]];
  uint64_t n = q->tail - s->inputs[in].seen, i;
  Arrival *a;
  if (n == 0) return;
  s->inputs[in].seen += n;
  if (!u->arrivals || u->arrived - u->served > u->arrivals_mask) {
    uint64_t old = u->arrivals ? u->arrivals_mask + 1 : 0, capacity = old ? 2 * old : 16;
    a = (Arrival *)s->run->grow(s->run, u->arrivals, capacity * sizeof *a);
    if (!a) {
      q_stop(s, LOOM_KERNEL_REFUSED);
      return;
    }
    for (i = u->served; i != u->arrived; i++)
      if (i & old) a[i & (capacity - 1)] = a[i & (old - 1)];
    u->arrivals = a;
    u->arrivals_mask = capacity - 1;
  }
  a = &u->arrivals[u->arrived++ & u->arrivals_mask];
  a->operand = in - unit_input[unit];
  a->n = n;
  if (u->is_queued) return;
  u->is_queued = 1;
  q_push(s, unit);
}

/* Tokens came to a queue that somebody watches. */
Q_STATIC void q_wake(Sim *s, uint32_t queue) {
  uint32_t i;
  s->queues[queue].watchers = 0;
  for (i = queue_reader[queue]; i < queue_reader[queue + 1]; i++) {
    uint32_t in = reader[i];
    if (!s->inputs[in].is_watched) continue;
    if (unit_kind[input_unit[in]] == Q_MERGE) { /* watches all its inputs for ever */
      s->queues[queue].watchers++;
      q_log_arrival(s, in);
    } else {
      s->inputs[in].is_watched = 0;
      q_push(s, input_unit[in]);
    }
  }
}

Q_STATIC void q_watch(Sim *s, uint32_t in) {
  s->inputs[in].is_watched = 1;
  s->queues[input_queue[in]].watchers++;
}

/* How far the tail may go, having made what room there is; never grows the ring. */
Q_STATIC uint64_t q_make_room(Sim *s, uint32_t queue) {
  Queue *q = &s->queues[queue];
  uint64_t first = q->tail;
  uint32_t i;
  for (i = queue_reader[queue]; i < queue_reader[queue + 1]; i++)
    if (s->inputs[reader[i]].head < first) first = s->inputs[reader[i]].head;
  if (HISTORIES) q_record(s, queue);
  return q->limit = first + q->mask + 1;
}

/* Twice the ring, for which there must be no room. */
Q_STATIC int q_grow(Sim *s, uint32_t queue) {
  Queue *q = &s->queues[queue];
  uint64_t capacity = q->mask + 1, i;
  uint64_t most = s->run->max_queued ? s->run->max_queued : (uint64_t)1 << 26;
  if (s->room + capacity > most) {
    s->run->at = queue;
    s->run->waiting = capacity;
    q_stop(s, LOOM_KERNEL_FULL);
    return 0;
  }
  if (q->words) { /* a new one: the first of all queues are one block */
    uint64_t *data = (uint64_t *)s->run->grow(s->run, 0, 16 * capacity * q->words);
    if (!data) {
      q_stop(s, LOOM_KERNEL_REFUSED);
      return 0;
    }
    for (i = q->tail - capacity; i != q->tail; i++)
      q_copy(data + (i & (2 * capacity - 1)) * q->words, q->data + (i & q->mask) * q->words,
             q->words);
    q->data = data;
  }
  q->mask = 2 * capacity - 1;
  s->room += capacity;
  q_make_room(s, queue);
  return 1;
}

/* ---- a burst ---- */

typedef struct {
  uint64_t n;       /* times the unit can fire */
  uint32_t starved; /* 1 + the input that has no more than that, */
  uint32_t full;    /* or 1 + the queue that has no more room */
} Burst;

/* One token of `in` each time. */
Q_STATIC void q_need(Sim *s, Burst *b, uint32_t in) {
  uint64_t waiting = q_waiting(s, in);
  if (waiting >= b->n) return;
  b->n = waiting;
  b->starved = in + 1;
}

/* Room for one token in `queue` each time. After all needs: a starved unit needs no room. */
Q_STATIC void q_room(Sim *s, Burst *b, uint32_t queue) {
  Queue *q = &s->queues[queue];
  uint64_t there;
  if (q->limit - q->tail >= b->n) return;
  there = q_make_room(s, queue) - q->tail;
  if (there >= b->n) return;
  b->n = there;
  b->starved = 0;
  b->full = queue + 1;
}

Q_STATIC int q_has_token(Sim *s, Burst *b, uint32_t in) {
  if (q_waiting(s, in)) return 1;
  b->starved = in + 1;
  return 0;
}

Q_STATIC int q_has_room(Sim *s, Burst *b, uint32_t queue) {
  Queue *q = &s->queues[queue];
  if (q->limit != q->tail || q_make_room(s, queue) != q->tail) return 1;
  b->full = queue + 1;
  return 0;
}

/* Whoever waits for room gets on once all others have done what they can. */
Q_STATIC void q_take(Sim *s, uint32_t in, uint64_t n) {
  Queue *q = &s->queues[input_queue[in]];
  s->inputs[in].head += n;
  if (!q->is_blocked) return;
  q->is_blocked = 0;
  s->resumed[s->resumed_count++] = queue_producer[input_queue[in]];
}

Q_STATIC void q_emit(Sim *s, uint32_t queue, uint64_t n) {
  Queue *q = &s->queues[queue];
  q->tail += n;
  if (q->watchers && n) q_wake(s, queue);
}

/* Takes one token of an input and emits it on a queue. */
Q_STATIC void q_pass(Sim *s, uint32_t in, uint32_t queue) {
  Queue *q = &s->queues[queue];
  q_copy(q_put(q, 0), q_peek(s, in, 0), q->words);
  q_take(s, in, 1);
  q_emit(s, queue, 1);
}

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

/* ---- on demand ---- */

static void q_visit(Sim *s, uint32_t unit);

Q_STATIC int q_all_endless(const Sim *s, uint32_t unit) {
  uint32_t i;
  for (i = unit_input[unit]; i < unit_input[unit + 1]; i++)
    if (!q_is_endless(&s->queues[input_queue[i]])) return 0;
  return 1;
}

Q_STATIC void q_refuse(Sim *s, uint32_t unit) {
  s->run->at = unit_node[unit];
  q_stop(s, LOOM_KERNEL_ENDLESS);
}

/* A unit that works on nothing but what a source gives, gives the same token whenever one is
 * wanted: it fires once, its queues never run dry, and nobody runs it again. A state machine or a
 * memory port on nothing else would never stop, so that is refused. In topological order. */
Q_STATIC void q_find_endless(Sim *s) {
  uint32_t o, i;
  for (o = 0; o != UNITS && !s->stop; o++) {
    uint32_t unit = first_line[o], kind = unit_kind[unit];
    Unit *u = &s->units[unit];
    if (kind == Q_MERGE)
      for (i = unit_input[unit]; i < unit_input[unit + 1]; i++)
        if (q_is_endless(&s->queues[input_queue[i]])) q_refuse(s, unit);
    if (kind == Q_ARGUMENT || kind == Q_RETURN || kind == Q_MERGE || !q_all_endless(s, unit))
      continue;
    if (kind == Q_STATE) {
      q_refuse(s, unit);
      continue;
    }
    s->burst = 1;
    if (unit_input[unit] != unit_input[unit + 1]) q_visit(s, unit);
    for (i = 0; i < unit_queues[unit]; i++) {
      Queue *q = &s->queues[unit_queue[unit] + i];
      if (unit_input[unit] != unit_input[unit + 1] && q->tail == 0)
        continue; /* the other side of a cond_br */
      q->tail = Q_ENDLESS;
      q->mask = 0;
      q->limit = ~(uint64_t)0;
    }
    for (i = unit_input[unit]; i < unit_input[unit + 1]; i++) s->inputs[i].head = 0;
    u->is_endless = 1;
    u->fired = 0;
  }
  s->head = s->tail = s->steps = 0;
  s->resumed_count = 0;
}

/* Units on demand fired as often as the most eager of their readers took. */
Q_STATIC void q_settle_endless(Sim *s) {
  uint32_t o, i, k;
  for (o = UNITS; o-- > 0;) {
    uint32_t unit = first_line[o];
    Unit *u = &s->units[unit];
    if (!u->is_endless) continue;
    for (k = unit_queue[unit]; k < unit_queue[unit] + unit_queues[unit]; k++)
      for (i = queue_reader[k]; i < queue_reader[k + 1]; i++)
        if (s->inputs[reader[i]].head > u->fired) u->fired = s->inputs[reader[i]].head;
    for (i = unit_input[unit]; i < unit_input[unit + 1]; i++) s->inputs[i].head = u->fired;
    for (k = unit_queue[unit]; HISTORIES && k < unit_queue[unit] + unit_queues[unit]; k++) {
      Queue *q = &s->queues[k];
      if (!q_is_endless(q)) continue;
      for (q->recorded = 0; q->recorded < u->fired;) {
        q->tail = q->recorded + 1; /* the one token, once more */
        q_record(s, k);
      }
      q->tail = Q_ENDLESS;
    }
  }
}

/* ---- the run ---- */

/* Where a unit waits that has fired as often as it could in one go. */
Q_STATIC void q_wait(Sim *s, uint32_t unit, const Burst *b) {
  if (b->full) {
    Queue *q = &s->queues[b->full - 1];
    q->is_blocked = 1;
    if (q->is_listed) return;
    q->is_listed = 1;
    s->full[s->full_count++] = b->full - 1;
  } else if (b->starved) {
    q_watch(s, b->starved - 1);
  } else {
    q_push(s, unit);
  }
}

/* All that is left is blocked: gives every full queue twice its room. 0 where none is. */
Q_STATIC int q_grow_full(Sim *s) {
  uint32_t i, any = 0;
  for (i = 0; i < s->full_count; i++) {
    uint32_t queue = s->full[i];
    s->queues[queue].is_listed = 0;
    if (!s->queues[queue].is_blocked) continue;
    if (!q_grow(s, queue)) return 0;
    s->queues[queue].is_blocked = 0;
    q_push(s, queue_producer[queue]);
    any = 1;
  }
  s->full_count = 0;
  return any != 0;
}

Q_STATIC void q_fire(Sim *s) {
  uint32_t i;
  do {
    for (;;) {
      while (s->head != s->tail) {
        q_visit(s, s->line[s->head++ & (LINE - 1)]);
        if (s->stop) return;
        if (FUEL && s->run->refuel && s->steps >= s->check_at)
          s->check_at = s->steps + s->run->refuel(s->run);
      }
      if (!s->resumed_count) break;
      for (i = 0; i < s->resumed_count; i++) q_push(s, s->resumed[i]);
      s->resumed_count = 0;
    }
  } while (q_grow_full(s));
}

Q_STATIC void q_tell(Sim *s, int status, uint32_t what, uint32_t id, uint64_t n) {
  if (s->status == LOOM_KERNEL_FINISHED) s->status = status;
  if (s->run->left) s->run->left(s->run, what, id, n);
}

/* Nothing can fire. How did it end? */
Q_STATIC void q_judge(Sim *s) {
  uint32_t i;
  for (i = 0; i != UNITS && s->owes; i++)
    if (unit_kind[i] == Q_RETURN && !s->units[i].fired)
      q_tell(s, LOOM_KERNEL_DEADLOCK, LOOM_LEFT_OWED, unit_output[i], 0);
  for (i = 0; i != INPUTS; i++)
    if (!q_is_endless(&s->queues[input_queue[i]]) && q_waiting(s, i))
      q_tell(s, LOOM_KERNEL_LEFTOVER, LOOM_LEFT_TOKENS, input_edge[i], q_waiting(s, i));
  for (i = 0; i != UNITS; i++)
    if (s->units[i].phase) q_tell(s, LOOM_KERNEL_LEFTOVER, LOOM_LEFT_HALFWAY, unit_node[i], 0);
  for (i = 0; i != UNITS && s->owes; i++)
    if (unit_kind[i] == Q_RETURN && s->units[i].fired > 1)
      q_tell(s, LOOM_KERNEL_LEFTOVER, LOOM_LEFT_OWED, unit_output[i], s->units[i].fired);
}

/* Rings, who watches what, who stands in the line. 0 where there is no memory. */
Q_STATIC int q_start(Sim *s) {
  loom_kernel_run *run = s->run;
  uint64_t words = 0, *data = 0;
  uint32_t i;
  for (i = 0; i != QUEUES; i++) {
    s->room += queue_capacity[i];
    words += (uint64_t)queue_capacity[i] * queue_words[i];
  }
  if (words) data = (uint64_t *)run->grow(run, 0, words * sizeof *data);
  if (words && !data) return 0;
  for (i = 0; i != QUEUES; i++) {
    Queue *q = &s->queues[i];
    int is_kept = HISTORIES || queue_reader[i] != queue_reader[i + 1];
    q->words = queue_words[i];
    q->mask = queue_capacity[i] - 1;
    q->limit = is_kept ? queue_capacity[i] : ~(uint64_t)0; /* else overwritten for ever */
    q->data = data;
    if (words) data += (uint64_t)queue_capacity[i] * queue_words[i];
  }
  for (i = 0; i != INPUTS; i++)
    if (unit_kind[input_unit[i]] == Q_MERGE) q_watch(s, i);
  s->owes = 1;
  for (i = 0; i != ARGUMENTS && run->arg_tokens; i++)
    if (run->arg_tokens[i]) s->owes = 0;
  s->burst = 1 << 12;
  s->check_at = run->fuel;
  if (HAS_SOURCES) q_find_endless(s);
  s->burst = 1 << 12;
  return 1;
}

/* The tokens that a buffer starts with. */
Q_STATIC void q_fill(Sim *s, uint32_t queue, const uint64_t *tokens, uint64_t n) {
  Queue *q = &s->queues[queue];
  uint64_t i;
  for (i = 0; q->words && i < n; i++) q_copy(q_put(q, i), tokens + i * q->words, q->words);
  q_emit(s, queue, n);
}

Q_STATIC void q_run(Sim *s) {
  uint32_t o, i;
  for (o = 0; o != UNITS; o++) /* arrivals put a merge into the line */
    if (unit_kind[first_line[o]] != Q_MERGE && !s->units[first_line[o]].is_endless)
      q_push(s, first_line[o]);
  q_fire(s);
  if (HAS_SOURCES) q_settle_endless(s);
  for (i = 0; HISTORIES && i != QUEUES; i++)
    if (!q_is_endless(&s->queues[i])) q_record(s, i);
  if (!s->stop) q_judge(s);
}

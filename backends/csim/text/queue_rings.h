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
  uint64_t kept[2];           /* an invariant's, where it is two words */
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

/* Whoever waits for room gets on once all others have done what they can. */
Q_STATIC void q_unblock(Sim *s, uint32_t queue) {
  s->queues[queue].is_blocked = 0;
  s->resumed[s->resumed_count++] = queue_producer[queue];
}

Q_STATIC void q_take(Sim *s, uint32_t in, uint64_t n) {
  s->inputs[in].head += n;
  if (s->queues[input_queue[in]].is_blocked) q_unblock(s, input_queue[in]);
}

Q_STATIC void q_emit(Sim *s, uint32_t queue, uint64_t n) {
  Queue *q = &s->queues[queue];
  q->tail += n;
  if (q->watchers && n) q_wake(s, queue);
}

/* What happens for every token is written as macros: not every compiler makes a call of a function
 * cost nothing. In a function, input `k` and queue `k` are opened by these, */
#define Q_IN(k, in)                                                                                \
  const uint32_t in_##k = (in), fed_by_##k = input_queue[in_##k];                                  \
  Input *const i##k = &s->inputs[in_##k];                                                          \
  Queue *const q##k = &s->queues[fed_by_##k]
#define Q_OUT(k, queue)                                                                            \
  const uint32_t out_##k = (queue);                                                                \
  Queue *const o##k = &s->queues[out_##k]
/* then are these what they say. The last two leave in *b what the unit waits for. */
#define Q_WORD(k) (q##k->data[i##k->head & q##k->mask])
#define Q_NEXT(k) (o##k->data[o##k->tail & o##k->mask])
#define Q_TAKE(k) (i##k->head++, q##k->is_blocked ? q_unblock(s, fed_by_##k) : (void)0)
#define Q_EMIT(k) (o##k->tail++, o##k->watchers ? q_wake(s, out_##k) : (void)0)
#define Q_HAS(k)  (q##k->tail != i##k->head || (b->starved = in_##k + 1, 0))
#define Q_ROOM(k)                                                                                  \
  (o##k->limit != o##k->tail || q_make_room(s, out_##k) != o##k->tail || (b->full = out_##k + 1, 0))
/* One token of input `from` becomes the next of queue `to`. */
#define Q_PASS(from, to)                                                                           \
  do {                                                                                             \
    if (o##to->words == 1)                                                                         \
      Q_NEXT(to) = Q_WORD(from);                                                                   \
    else                                                                                           \
      q_copy(q_put(o##to, 0), q_peek(s, in_##from, 0), o##to->words);                              \
    Q_TAKE(from);                                                                                  \
    Q_EMIT(to);                                                                                    \
  } while (0)

/* ---- queues: the run ----------------------------------------------------------------------------
 * What happens before the first firing, which unit is next, and how it ended. */

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

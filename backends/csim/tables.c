/* tables.c -- writes the tables of columns.c: storing rows, and handing over what they tell.
 *
 *     history->s7[k3] = n;                          before a loop: what all its iterations have
 *     while (more) {
 *       *(float *)words4 = sum;                     in each iteration: its row
 *       *(float *)(words4 + 6400) = a;
 *       if (++n4 == 1024) flush4(...), n4 = k3 = 0
 *     }
 *     history->e9[k3] = sum;                        behind it: what the last test had
 *     history->ends3[k3] = n4;
 *     if (++k3 == 512) flush4(...), n4 = k3 = 0
 *
 * A loop whose test takes statements ends with `if (...) { what the last test had; break; }` behind
 * them. Where a row has several values of one size, their arrays stand behind one another and are
 * written through one pointer to the row, which spares a compiler that does not optimise (tcc) the
 * addresses.
 *
 * flush4 has the caller derive what was not stored, in order of need, and hands over the tokens of
 * all results of the body, the loop, and what hangs on whether there is a next iteration. */
#include "columns.h"
#include "writer.h"

enum { FIELDS = 256 }; /* of one struct: compilers look for a field by going through all */

static unsigned rows(const Writer *w) {
  return w->p.result_count > MANY ? BUFFERED_OF_MANY : BUFFERED;
}
static unsigned bursts(const Writer *w) {
  return rows(w) / 2;
}

/* Bytes of an array's elements; elements that it has room for. */
static unsigned bytes_of(const Writer *w, const Array *a) {
  unsigned bits = a->root == NONE ? 8 : type_of(&w->p, a->root)->bits;
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}
static unsigned room_of(const Writer *w) {
  return rows(w) + bursts(w) + 64;
}

/* A field of an array: "a", its tokens; "s" and "e", what bursts start and end with. */
static const char *field(Writer *w, const char *kind, uint32_t id) {
  const Array *a = &w->v.columns->arrays[id];
  if (a->slot != NONE)
    return csim_format(w->m, "history->t%u_%u[%u]", a->table, bytes_of(w, a), a->slot);
  if (w->v.columns->count > 2 * FIELDS)
    return csim_format(w->m, "history->part%u.%s%u", id / FIELDS, kind, id);
  return csim_format(w->m, "history->%s%u", kind, id);
}

static const char *type_of_array(Writer *w, const Array *a) {
  return a->root == NONE ? "uint8_t" : csim_type(&w->v, a->root);
}

/* How many arrays of a size stand behind one another. */
static uint32_t slots(const Writer *w, uint32_t d, unsigned bytes) {
  const Columns *c = w->v.columns;
  uint32_t id, count = 0;
  for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table)
    count += c->arrays[id].slot != NONE && bytes_of(w, &c->arrays[id]) == bytes;
  return count;
}

void csim_choose_slots(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t d, id;
  unsigned bytes;
  for (d = 1; d < w->p.domain_count; d++)
    for (bytes = 1; bytes <= 8; bytes *= 2) {
      uint32_t last = NONE, count = 0;
      for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table) {
        Array *a = &c->arrays[id];
        if (a->kind != ARRAY_STORED || bytes_of(w, a) != bytes) continue;
        a->slot = count++;
        last = id;
      }
      if (count == 1) c->arrays[last].slot = NONE;
    }
}

/* What the pointer to rows of a size is called. */
static const char *pointer(Writer *w, uint32_t d, unsigned bytes) {
  static const char *const names[] = {"bytes", "halves", "words", "longs"};
  return csim_format(w->m, "%s%u", names[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3], d);
}

/* The pointers to the row of a table that comes next: what is done with each. */
static void write_pointers(Writer *w, uint32_t d, int declare, int advance) {
  unsigned bytes;
  for (bytes = 1; d && bytes <= 8; bytes *= 2) {
    if (!slots(w, d, bytes)) continue;
    if (advance)
      csim_line(w, "%s += %u;", pointer(w, d, bytes), bytes);
    else
      csim_line(w, "%s%s = (uint8_t *)history->t%u_%u;", declare ? "uint8_t *" : "",
                pointer(w, d, bytes), d, bytes);
  }
}

/* Stored as it is: its NaNs are made canonical many at a time. */
static int is_loose(const Writer *w, const Array *a) {
  return a->kind == ARRAY_STORED && a->table != 0 && is_float(&w->p, a->root) &&
         w->v.nans[a->root] == NAN_LOOSE;
}

static void write_stored(Writer *w, uint32_t id) {
  const Array *a = &w->v.columns->arrays[id];
  const char *value = (is_loose(w, a) ? csim_value : csim_exact)(&w->v, a->root);
  if (a->slot == NONE)
    csim_line(w, "%s[n%u] = %s;", field(w, "a", id), a->table, value);
  else if (a->slot == 0)
    csim_line(w, "*(%s *)%s = %s;", type_of_array(w, a), pointer(w, a->table, bytes_of(w, a)),
              value);
  else
    csim_line(w, "*(%s *)(%s + %u) = %s;", type_of_array(w, a),
              pointer(w, a->table, bytes_of(w, a)), a->slot * room_of(w) * bytes_of(w, a), value);
}

/* ---- in the loops ---------------------------------------------------------------------------- */

static void write_flush_if(Writer *w, const char *counter, uint32_t of, unsigned limit,
                           uint32_t body) {
  uint32_t level = level_of(&w->p, body);
  if (*counter == 'n') write_pointers(w, body, 0, 1);
  csim_line(w, "if (++%s%u == %u) {", counter, of, limit);
  w->indent++;
  if (is_body(&w->p, body)) {
    csim_line(w, "flush%u(run, history, n%u, k%u, open%u);", body, body, level, level);
    csim_line(w, "n%u = k%u = 0;", body, level);
    csim_line(w, "open%u = %d;", level, *counter == 'n'); /* a burst goes on */
  } else {
    csim_line(w, "flush%u(run, history, n%u);", body, body);
    csim_line(w, "n%u = 0;", body);
  }
  write_pointers(w, body, 0, 0);
  w->indent--;
  csim_line(w, "}");
}

void csim_write_row(Writer *w, uint32_t d) {
  const Columns *c = w->v.columns;
  uint32_t id;
  if (w->first_token[d] == NONE || is_looped(&w->p, d)) return;
  csim_go_to(w, d);
  for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table)
    if (c->arrays[id].kind == ARRAY_STORED) write_stored(w, id);
  write_flush_if(w, "n", d, rows(w), d);
}

/* Something is stored of it at the start of each burst. */
static int has_start(const Array *a) {
  return a->kind == ARRAY_SPREAD || a->kind == ARRAY_SPREAD_WHOLE;
}

static void write_burst(Writer *w, uint32_t table, uint32_t level, const char *kind, int at_start) {
  const Columns *c = w->v.columns;
  uint32_t id;
  for (id = c->first_in_table[table]; id != NONE; id = c->arrays[id].next_in_table) {
    const Array *a = &c->arrays[id];
    int starts = has_start(a);
    if (at_start ? starts : a->kind == ARRAY_WHOLE)
      csim_line(w, "%s[k%u] = %s;", field(w, kind, id), level, csim_exact(&w->v, a->root));
  }
}

void csim_write_burst_start(Writer *w, uint32_t level) {
  write_burst(w, level, level, "s", 1);
  write_burst(w, w->p.domains[level].body, level, "s", 1);
}

void csim_write_burst_end(Writer *w, uint32_t level) {
  uint32_t body = w->p.domains[level].body;
  write_burst(w, level, level, "e", 0);
  csim_line(w, "history->ends%u[k%u] = n%u;", level, level, body);
  write_flush_if(w, "k", level, bursts(w), body);
}

void csim_write_counters(Writer *w) {
  const Plan *p = &w->p;
  uint32_t d;
  for (d = 0; d < p->domain_count; d++) {
    if (w->first_token[d] == NONE && !(d && is_body(p, d))) continue;
    if (is_looped(p, d))
      csim_line(w, "uint32_t k%u = 0, open%u = 0;", d, d);
    else if (!p->domains[d].is_late)
      csim_line(w, "uint32_t n%u = 0;", d);
  }
}

void csim_write_rows(Writer *w) {
  uint32_t d;
  for (d = 1; d < w->p.domain_count; d++) write_pointers(w, d, 1, 0);
}

void csim_write_last_flushes(Writer *w) {
  const Plan *p = &w->p;
  uint32_t d;
  for (d = 0; d < p->domain_count; d++) {
    uint32_t level = level_of(p, d);
    if (w->first_token[d] == NONE || is_looped(p, d) || p->domains[d].is_late) continue;
    if (is_body(p, d))
      csim_line(w, "if (n%u || k%u) flush%u(run, history, n%u, k%u, open%u);", d, level, d, d,
                level, level);
    else
      csim_line(w, "if (n%u) flush%u(run, history, n%u);", d, d, d);
  }
}

/* ---- handing over ---------------------------------------------------------------------------- */

/* The caller makes an array of a table. */
static void write_array(Writer *w, uint32_t id, const char *count) {
  const Plan *p = &w->p;
  const Array *a = &w->v.columns->arrays[id];
  const char *to = field(w, "a", id);
  uint32_t k, n;
  switch (a->kind) {
  case ARRAY_STORED:
    if (is_loose(w, a))
      csim_line(w, "  run->bursts(LOOM_BURST_CANONICAL, %s, 0, 0, sizeof %s[0], &b);", to, to);
    break;
  case ARRAY_DERIVED:
    n = p->nodes[p->results[a->root].node].operand_count;
    csim_line(w, "  {");
    csim_line(w, "    const void *from[3];");
    for (k = 0; k < n && k < 3; k++)
      csim_line(w, "    from[%u] = %s;", k, field(w, "a", a->from[k]));
    csim_line(w, "    run->derive(run, %uu, %s, from, %s);", a->root, to, count);
    csim_line(w, "  }");
    break;
  case ARRAY_WHOLE:
    csim_line(w, "  run->bursts(LOOM_BURST_WHOLE, %s, %s, %s, sizeof %s[0], &b);", to,
              field(w, "a", a->from[0]), field(w, "e", id), to);
    break;
  case ARRAY_SPREAD:
    csim_line(w, "  run->bursts(LOOM_BURST_SPREAD, %s, 0, %s, sizeof %s[0], &b);", to,
              field(w, "s", id), to);
    break;
  case ARRAY_SPREAD_WHOLE:
    csim_line(w, "  run->bursts(LOOM_BURST_SPREAD_WHOLE, %s, 0, %s, sizeof %s[0], &b);", to,
              field(w, "s", id), to);
    break;
  case ARRAY_MORE: csim_line(w, "  run->bursts(LOOM_BURST_MORE, %s, 0, 0, 1, &b);", to); break;
  case ARRAY_AGAIN:
    csim_line(w, "  again = run->bursts(LOOM_BURST_AGAIN, %s, 0, 0, 1, &b);", to);
    break;
  default: break;
  }
}

static void write_arrays(Writer *w, uint32_t table, const char *count) {
  const Columns *c = w->v.columns;
  uint32_t id;
  for (id = c->first_in_table[table]; id != NONE; id = c->arrays[id].next_in_table)
    write_array(w, id, count);
}

static void write_tokens(Writer *w, uint32_t first, const uint32_t *next, const char *count) {
  Columns *c = w->v.columns;
  const Plan *p = &w->p;
  uint32_t r, *last, last_none = NONE;
  for (r = first; r != NONE; r = next[r]) {
    uint32_t id = c->array_of[r];
    last = id == NONE ? &last_none : &c->arrays[id].last;
    if (*last != NONE && p->domain_of[*last] == p->domain_of[r] &&
        type_of(p, *last)->bits == type_of(p, r)->bits)
      w->same[r] = w->same[*last];
    *last = r;
    csim_line(w, "  %srun->tokens(run, %uu, %s, %s);",
              w->same[r] != r ? "if (!run->skip_same) " : "", r,
              id == NONE ? "0" : field(w, "a", id), count);
  }
}

/* A burst that goes on keeps what it started with. */
static void write_kept_starts(Writer *w, uint32_t table) {
  const Columns *c = w->v.columns;
  uint32_t id;
  for (id = c->first_in_table[table]; id != NONE; id = c->arrays[id].next_in_table)
    if (has_start(&c->arrays[id]))
      csim_line(w, "  %s[0] = %s[k];", field(w, "s", id), field(w, "s", id));
}

/* Literals: their first token at once, as many more as a table has rows when it has them. */
static void write_fills(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t id;
  csim_line(w, "static void fill_constants(loom_kernel_run *run, struct history *history, "
               "uint32_t all) {");
  csim_line(w, "  const uint32_t more = all - history->filled;");
  csim_line(w, "  loom_kernel_bursts b;");
  csim_line(w, "  b.rows = b.longest = more;");
  csim_line(w, "  b.ended = b.goes_on = 0;");
  csim_line(w, "  b.ends = 0;");
  for (id = c->first_filled; id != NONE; id = c->arrays[id].next_of_root) {
    const char *to = field(w, "a", id);
    csim_line(w, "  run->bursts(LOOM_BURST_SPREAD, %s + history->filled, 0, %s, sizeof %s[0], &b);",
              to, to, to);
  }
  csim_line(w, "  history->filled = all;");
  csim_line(w, "  (void)run;");
  csim_line(w, "}");
}

void csim_write_constants(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t id;
  csim_line(w, "history->filled = 1;");
  for (id = c->first_filled; id != NONE; id = c->arrays[id].next_of_root)
    csim_line(w, "%s[0] = %s;", field(w, "a", id), csim_exact(&w->v, c->arrays[id].root));
}

static void write_fill_if(Writer *w, const char *count) {
  if (w->v.columns->first_filled != NONE)
    csim_line(w, "  if (history->filled < %s) fill_constants(run, history, %s);", count, count);
}

static void write_loop_flush(Writer *w, uint32_t body) {
  const Plan *p = &w->p;
  uint32_t level = level_of(p, body), d, late = 0;
  csim_line(w, "static void flush%u(loom_kernel_run *run, struct history *history, uint32_t n,",
            body);
  csim_line(w, "                   uint32_t k, uint32_t goes_on) {");
  csim_line(w, "  loom_kernel_bursts b;");
  csim_line(w, "  uint32_t again = 0;");
  csim_line(w, "  (void)again;");
  csim_line(w, "  b.rows = n;");
  csim_line(w, "  b.ended = k;");
  csim_line(w, "  b.goes_on = goes_on;");
  csim_line(w, "  b.longest = 0;");
  csim_line(w, "  b.ends = history->ends%u;", level);
  write_fill_if(w, "n + k");
  write_arrays(w, body, "n");
  write_arrays(w, level, "n + k");
  write_tokens(w, w->first_token[body], w->next_token, "n");
  write_tokens(w, w->first_token[level], w->next_token, "n + k");
  write_tokens(w, w->first_late[level], w->next_late, "again");
  for (d = body + 1; d < p->domain_count; d++) {
    const Domain *at = &p->domains[d];
    if (at->parent != body || !at->is_late || w->first_token[d] == NONE) continue;
    if (!late) csim_line(w, "  n = run->bursts(LOOM_BURST_LAST, 0, 0, 0, 1, &b);");
    late = 1;
    write_tokens(w, w->first_token[d], w->next_token, at->kind == LOOM_TRUE ? "again - n" : "n");
  }
  write_kept_starts(w, body);
  write_kept_starts(w, level);
  csim_line(w, "}");
}

static void write_flush(Writer *w, uint32_t d) {
  csim_line(w, "static void flush%u(loom_kernel_run *run, struct history *history, uint32_t n) {",
            d);
  csim_line(w, "  loom_kernel_bursts b;");
  csim_line(w, "  b.rows = n;");
  csim_line(w, "  b.ended = 0;");
  csim_line(w, "  b.goes_on = 0;");
  csim_line(w, "  b.longest = n;");
  csim_line(w, "  b.ends = 0;");
  csim_line(w, "  (void)history, (void)b;");
  write_fill_if(w, "n");
  write_arrays(w, d, "n");
  write_tokens(w, w->first_token[d], w->next_token, "n");
  csim_line(w, "}");
}

/* ---- the buffers ----------------------------------------------------------------------------- */

static void write_fields(Writer *w, uint32_t id) {
  const Array *a = &w->v.columns->arrays[id];
  const char *type = type_of_array(w, a), *name = "the loop goes on";
  unsigned n = a->table == 0 ? 1 : room_of(w);
  if (a->slot != NONE) return;
  if (a->root != NONE) name = csim_harmless(w->m, w->p.results[a->root].name);
  csim_line(w, "  %s a%u[%u]; /* %s */", type, id, n, name);
  if (has_start(a)) csim_line(w, "  %s s%u[%u];", type, id, bursts(w) + 1);
  if (a->kind == ARRAY_WHOLE) csim_line(w, "  %s e%u[%u];", type, id, bursts(w) + 1);
}

static void write_struct(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t id, d;
  unsigned bytes;
  int is_parted = c->count > 2 * FIELDS;
  csim_line(w, "struct history { /* the next tokens of what is stored, and of what follows */");
  csim_line(w, "  uint32_t filled; /* tokens of literals */");
  for (d = 1; d < w->p.domain_count; d++) {
    if (is_looped(&w->p, d)) csim_line(w, "  uint32_t ends%u[%u];", d, bursts(w));
    for (bytes = 1; bytes <= 8; bytes *= 2)
      if (slots(w, d, bytes))
        csim_line(w, "  uint%u_t t%u_%u[%u][%u];", 8 * bytes, d, bytes, slots(w, d, bytes),
                  room_of(w));
  }
  for (id = 0; id < c->count; id++) {
    if (is_parted && id % FIELDS == 0) csim_line(w, "  struct {\n    uint32_t unused;");
    write_fields(w, id);
    if (is_parted && (id % FIELDS == FIELDS - 1 || id == c->count - 1))
      csim_line(w, "  } part%u;", id / FIELDS);
  }
  csim_line(w, "};");
}

void csim_write_tables(Writer *w) {
  const Plan *p = &w->p;
  Text flushes = {0}, *out = w->out;
  uint32_t d;
  w->out = &flushes; /* cppcheck-suppress autoVariables ; for a moment, see below */
  for (d = 0; d < p->domain_count; d++) {
    if (w->first_token[d] == NONE || is_looped(p, d) || p->domains[d].is_late) continue;
    if (is_body(p, d))
      write_loop_flush(w, d);
    else
      write_flush(w, d);
  }
  w->out = out;
  csim_write_same(w);
  write_struct(w);
  if (w->v.columns->first_filled != NONE) write_fills(w);
  if (flushes.length) csim_append(w, flushes.data, flushes.length);
  csim_word(w, "\n");
}

/* tables.c -- writes the tables of columns.c: storing rows, and what the caller makes of them.
 *
 *     history->s7[k3] = n;                          before a loop: what all its iterations have
 *     while (more) {
 *       *(float *)words4 = sum;                     in each iteration: its row
 *       *(float *)(words4 + 24832) = a;
 *       if (++n4 == 4096) run->rows(run, 4, history, n4, k3, open3), n4 = k3 = 0
 *     }
 *     history->e9[k3] = sum;                        behind it: what the last test had
 *     history->ends3[k3] = n4;
 *     if (++k3 == 2048) run->rows(run, 4, history, n4, k3, open3), n4 = k3 = 0
 *
 * A loop whose test takes statements ends with `if (...) { what the last test had; break; }` behind
 * them. Where a row has several values of one size, their arrays stand behind one another and are
 * written through one pointer to the row, which spares a compiler that does not optimise (tcc) the
 * addresses.
 *
 * How all tokens follow from what is stored is told by constant tables (loom_kernel.h): of columns,
 * operands first, and for each result in which column its tokens stand. They name what is stored by
 * its offset in struct history, whose fields all have a multiple of 64 bytes, so that nobody puts
 * anything between them. */
#include "columns.h"
#include "writer.h"

enum { FIELDS = 256 }; /* of one struct: compilers look for a field by going through all */

/* In which table's rows the tokens of a result come, and how many of them; when: NULL: never. */
typedef struct Told {
  uint32_t table;
  const char *when;
} Told;

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
static unsigned bursts_room(const Writer *w) {
  return bursts(w) + 64;
}
static unsigned rows_of(const Writer *w, const Array *a) {
  return a->table == 0 ? 64 : room_of(w);
}

static int is_parted(const Writer *w) {
  return w->v.columns->count > 2 * FIELDS;
}

/* A field of an array: "a", its tokens; "s" and "e", what bursts start and end with. */
static const char *field(Writer *w, const char *kind, uint32_t id) {
  const Array *a = &w->v.columns->arrays[id];
  if (a->slot != NONE)
    return csim_format(w->m, "history->t%u_%u[%u]", a->table, bytes_of(w, a), a->slot);
  if (is_parted(w)) return csim_format(w->m, "history->part%u.%s%u", id / FIELDS, kind, id);
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

static void choose_slots(Writer *w, uint32_t d, unsigned bytes) {
  const Columns *c = w->v.columns;
  uint32_t id, count = 0;
  for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table) {
    Array *a = &c->arrays[id];
    if (a->kind == ARRAY_STORED && bytes_of(w, a) == bytes) a->slot = count++;
  }
}

/* Fields of struct history, in order; `at` is where the next one stands. */
static uint32_t lay_out_slots(Writer *w, uint32_t d, unsigned bytes, uint32_t at) {
  const Columns *c = w->v.columns;
  uint32_t id;
  for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table) {
    Array *a = &c->arrays[id];
    if (a->slot == NONE || bytes_of(w, a) != bytes) continue;
    a->rows_at = at;
    at += room_of(w) * bytes;
  }
  return at;
}

void csim_lay_out(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t d, id, at = 0;
  unsigned bytes;
  w->ends_at = csim_alloc(w->m, w->p.domain_count, sizeof *w->ends_at);
  if (!w->ends_at) return;
  for (d = 0; d < w->p.domain_count; d++) {
    w->ends_at[d] = NONE;
    if (d == 0) continue;
    if (is_looped(&w->p, d)) {
      w->ends_at[d] = at;
      at += bursts_room(w) * 4;
    }
    for (bytes = 1; bytes <= 8; bytes *= 2) {
      choose_slots(w, d, bytes);
      at = lay_out_slots(w, d, bytes, at);
    }
  }
  for (id = 0; id < c->count; id++) {
    Array *a = &c->arrays[id];
    if (is_parted(w) && id % FIELDS == 0) at += 64;
    bytes = bytes_of(w, a);
    if (a->kind == ARRAY_STORED && a->slot == NONE) {
      a->rows_at = at;
      at += rows_of(w, a) * bytes;
    }
    if (has_start(a) || has_end(c, a)) {
      a->burst_at = at;
      at += bursts_room(w) * bytes;
    }
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

/* The rows of a table, and the bursts they are of, go to the caller; why: it has no room for more
 * rows, or for more bursts. */
static void write_flush(Writer *w, uint32_t d, const char *if_full, int goes_on) {
  uint32_t level = level_of(&w->p, d);
  csim_line(w, "%s {", if_full);
  w->indent++;
  if (is_body(&w->p, d)) {
    csim_line(w, "run->rows(run, %uu, history, n%u, k%u, open%u);", d, d, level, level);
    csim_line(w, "n%u = k%u = 0;", d, level);
    csim_line(w, "open%u = %d;", level, goes_on);
  } else {
    csim_line(w, "run->rows(run, %uu, history, n%u, 0, 0);", d, d);
    csim_line(w, "n%u = 0;", d);
  }
  write_pointers(w, d, 0, 0);
  w->indent--;
  csim_line(w, "}");
}

void csim_write_row(Writer *w, uint32_t d) {
  const Columns *c = w->v.columns;
  uint32_t id;
  if (!w->has_rows[d] || is_looped(&w->p, d)) return;
  csim_go_to(w, d);
  for (id = c->first_in_table[d]; id != NONE; id = c->arrays[id].next_in_table)
    if (c->arrays[id].kind == ARRAY_STORED) write_stored(w, id);
  write_pointers(w, d, 0, 1);
  if (w->pieces == NOT_IN_PIECES)
    write_flush(w, d, csim_format(w->m, "if (++n%u == %u)", d, rows(w)), 1);
  else if (w->pieces == IN_PIECES || !is_body(&w->p, d))
    csim_line(w, "n%u++;", d);
}

/* ---- in pieces ------------------------------------------------------------------------------- */

static int is_branch_of(const Writer *w, uint32_t d, uint32_t level) {
  const Plan *p = &w->p;
  return level_of(p, d) == level && d != level && d != p->domains[level].body && w->has_rows[d] &&
         !p->domains[d].is_late;
}

int csim_can_be_in_pieces(const Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  uint32_t i;
  if (!w->v.columns || !is_looped(p, level) || p->is_early[level] ||
      !w->has_rows[p->domains[level].body])
    return 0;
  for (i = p->first[level]; i < p->end[level]; i++)
    if (p->order[i] >= p->result_count && p->order[i] < p->result_count + p->domain_count) return 0;
  return 1;
}

/* So many more iterations, as `room`, until one of the tables may be full. */
void csim_write_room(Writer *w, uint32_t level) {
  uint32_t d;
  csim_line(w, "uint32_t room%u = %u - n%u;", level, rows(w), w->p.domains[level].body);
  for (d = level + 1; d < w->p.domain_count; d++)
    if (is_branch_of(w, d, level))
      csim_line(w, "if (room%u > %u - n%u) room%u = %u - n%u;", level, rows(w), d, level, rows(w),
                d);
}

void csim_write_full(Writer *w, uint32_t level) {
  uint32_t d, body = w->p.domains[level].body;
  for (d = level + 1; d < w->p.domain_count; d++)
    if (d == body || is_branch_of(w, d, level))
      write_flush(w, d, csim_format(w->m, "if (n%u == %u)", d, rows(w)), 1);
}

/* ---- bursts ---------------------------------------------------------------------------------- */

static void write_burst(Writer *w, uint32_t table, uint32_t level, const char *kind, int at_start) {
  const Columns *c = w->v.columns;
  uint32_t id;
  for (id = c->first_in_table[table]; id != NONE; id = c->arrays[id].next_in_table) {
    const Array *a = &c->arrays[id];
    if (at_start ? has_start(a) : has_end(c, a))
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
  write_flush(w, body, csim_format(w->m, "if (++k%u == %u)", level, bursts(w)), 0);
}

void csim_write_counters(Writer *w) {
  const Plan *p = &w->p;
  uint32_t d;
  for (d = 0; d < p->domain_count; d++) {
    if (!w->has_rows[table_of(p, d)]) continue;
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
    if (!w->has_rows[d] || is_looped(p, d)) continue;
    if (is_body(p, d))
      csim_line(w, "if (n%u || k%u) run->rows(run, %uu, history, n%u, k%u, open%u);", d, level, d,
                d, level, level);
    else
      csim_line(w, "if (n%u) run->rows(run, %uu, history, n%u, 0, 0);", d, d, d);
  }
}

/* ---- what the caller makes of it ------------------------------------------------------------- */

static const char *kind_name(const Writer *w, const Array *a) {
  static const char *const names[] = {
      [ARRAY_STORED] = "STORED",   [ARRAY_FILLED] = "LITERAL",
      [ARRAY_DERIVED] = "DERIVED", [ARRAY_LOADED] = "LOADED",
      [ARRAY_COUNTED] = "COUNTED", [ARRAY_SPREAD] = "SPREAD",
      [ARRAY_WHOLE] = "WHOLE",     [ARRAY_SPREAD_WHOLE] = "SPREAD_WHOLE",
      [ARRAY_MORE] = "MORE",       [ARRAY_AGAIN] = "AGAIN"};
  return is_loose(w, a) ? "LOOSE" : names[a->kind];
}

static const char *number(Writer *w, uint32_t id) {
  return id == NONE ? "LOOM_KERNEL_NONE" : csim_format(w->m, "%u", id);
}

static const char *name_of(Writer *w, const Array *a) {
  if (a->root == NONE) return "the loop goes on";
  return csim_harmless(w->m, w->p.results[a->root].name);
}

static void write_column(Writer *w, const Array *a) {
  const Plan *p = &w->p;
  const loom_node *node = a->root == NONE ? NULL : &p->nodes[p->results[a->root].node];
  uint32_t from[3], k, at = a->kind == ARRAY_STORED ? a->rows_at : a->burst_at, table = a->table;
  int of_loop = table != NONE && is_looped(p, table);
  unsigned long long value = 0;
  for (k = 0; k < 3; k++) from[k] = NONE;
  switch (a->kind) {
  case ARRAY_FILLED: value = node->literal; break;
  case ARRAY_DERIVED:
    for (k = 0; k < 3 && k < node->operand_count; k++) from[k] = a->from[k];
    break;
  case ARRAY_LOADED:
    from[0] = a->from[0];
    value = node->memory;
    break;
  case ARRAY_COUNTED:
    from[0] = a->from[0];
    value = a->step;
    break;
  case ARRAY_WHOLE: from[0] = a->from[0]; break;
  default: break;
  }
  if (of_loop) table = p->domains[table].body;
  csim_line(w, "  {LOOM_COLUMN_%s, %u, %s, %d, %s, {%s, %s, %s}, %s, 0x%llxu}, /* %s */",
            kind_name(w, a), bytes_of(w, a), number(w, table), of_loop, number(w, a->root),
            number(w, from[0]), number(w, from[1]), number(w, from[2]), number(w, at), value,
            name_of(w, a));
}

/* A result that always has the tokens of one before it in its domain. */
static void note_same(Writer *w, uint32_t r, uint32_t *last) {
  const Plan *p = &w->p;
  if (*last != NONE && p->domain_of[*last] == p->domain_of[r] &&
      type_of(p, *last)->bits == type_of(p, r)->bits)
    w->same[r] = w->same[*last];
  *last = r;
}

static void note_told(Writer *w, Told *told, uint32_t first, const uint32_t *next, uint32_t table,
                      const char *when) {
  Columns *c = w->v.columns;
  uint32_t r, last = NONE;
  for (r = first; r != NONE; r = next[r]) {
    uint32_t id = c->array_of[r];
    note_same(w, r, id == NONE ? &last : &c->arrays[id].last);
    told[r] = (Told){table, when};
  }
}

static void find_told(Writer *w, Told *told) {
  const Plan *p = &w->p;
  uint32_t d, late;
  for (d = 0; d < p->domain_count; d++) {
    uint32_t level = level_of(p, d);
    if (is_looped(p, d) || p->domains[d].is_late) continue;
    note_told(w, told, w->first_token[d], w->next_token, d, "ROWS");
    if (!is_body(p, d)) continue;
    note_told(w, told, w->first_token[level], w->next_token, d, "ALL");
    note_told(w, told, w->first_late[level], w->next_late, d, "AGAIN");
    for (late = d + 1; late < p->domain_count; late++)
      if (p->domains[late].parent == d && p->domains[late].is_late)
        note_told(w, told, w->first_token[late], w->next_token, d,
                  p->domains[late].kind == LOOM_TRUE ? "ENTERED" : "LEFT");
  }
}

static void write_told(Writer *w) {
  const Plan *p = &w->p;
  const Columns *c = w->v.columns;
  Told *told = csim_alloc(w->m, p->result_count, sizeof *told);
  uint32_t r;
  if (!told) return;
  find_told(w, told);
  csim_line(w, "static const loom_kernel_told loom_told[] = {");
  for (r = 0; r < p->result_count; r++)
    if (told[r].when)
      csim_line(w, "  {LOOM_TOLD_%s, %u, %s}, /* %u: %s */", told[r].when, told[r].table,
                number(w, c->array_of[r]), r, csim_harmless(w->m, p->results[r].name));
    else
      csim_line(w, "  {LOOM_TOLD_NEVER, 0, LOOM_KERNEL_NONE},");
  csim_line(w, "  {LOOM_TOLD_NEVER, 0, LOOM_KERNEL_NONE}};");
}

static void write_descriptions(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t id, d;
  csim_line(w, "static const loom_kernel_column loom_column[] = {");
  for (id = 0; id < c->count; id++) write_column(w, &c->arrays[id]);
  csim_line(w, "  {LOOM_COLUMN_LITERAL, 1, 0, 0, 0, {0, 0, 0}, 0, 0}};");
  write_told(w);
  csim_line(w, "static const uint32_t loom_ends[] = { /* by table: of a loop's body */");
  for (d = 0; d < w->p.domain_count; d++)
    csim_line(w, "  %s,", number(w, is_body(&w->p, d) ? w->ends_at[level_of(&w->p, d)] : NONE));
  csim_line(w, "  0};");
  csim_line(w, "static const loom_kernel_columns loom_columns = {");
  csim_line(w, "    %u, %u, %u, %u, loom_column, loom_told, loom_ends};", c->count,
            w->p.domain_count, rows(w), bursts(w));
}

/* ---- the buffers ----------------------------------------------------------------------------- */

static void write_fields(Writer *w, uint32_t id) {
  const Array *a = &w->v.columns->arrays[id];
  const char *type = type_of_array(w, a);
  if (a->kind == ARRAY_STORED && a->slot == NONE)
    csim_line(w, "  %s a%u[%u]; /* %s */", type, id, rows_of(w, a), name_of(w, a));
  if (a->burst_at != NONE)
    csim_line(w, "  %s %s%u[%u]; /* %s: as a burst %s */", type, has_start(a) ? "s" : "e", id,
              bursts_room(w), name_of(w, a), has_start(a) ? "starts" : "ends");
}

static void write_struct(Writer *w) {
  const Columns *c = w->v.columns;
  uint32_t id, d;
  unsigned bytes;
  csim_line(w, "struct history { /* the next tokens of what is stored */");
  for (d = 1; d < w->p.domain_count; d++) {
    if (is_looped(&w->p, d)) csim_line(w, "  uint32_t ends%u[%u];", d, bursts_room(w));
    for (bytes = 1; bytes <= 8; bytes *= 2)
      if (slots(w, d, bytes))
        csim_line(w, "  uint%u_t t%u_%u[%u][%u];", 8 * bytes, d, bytes, slots(w, d, bytes),
                  room_of(w));
  }
  for (id = 0; id < c->count; id++) {
    if (is_parted(w) && id % FIELDS == 0) csim_line(w, "  struct {\n    uint8_t unused[64];");
    write_fields(w, id);
    if (is_parted(w) && (id % FIELDS == FIELDS - 1 || id == c->count - 1))
      csim_line(w, "  } part%u;", id / FIELDS);
  }
  csim_line(w, "  uint8_t unused[64];");
  csim_line(w, "};");
}

void csim_write_tables(Writer *w) {
  write_descriptions(w);
  csim_write_same(w);
  write_struct(w);
  csim_word(w, "\n");
}

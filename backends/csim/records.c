/* records.c -- histories: each token goes into a buffer of its result.
 *
 *     loom_history->r12[loom_n3] = sum;                  once in each iteration of domain 3
 *     loom_history->r15[loom_n3] = i;
 *     if (++loom_n3 == 4096) {
 *       loom_flush3(loom_this, loom_history, loom_n3);   tokens(..., 12, loom_history->r12, n) ...
 *       loom_n3 = 0;
 *     }
 *
 * All results of a domain are recorded at one place in it, late ones (plan.h) in the next
 * iteration. The buffers are one block from run->grow, so that a large graph does not overflow the
 * stack. */
#include "writer.h"

#include <string.h>

/* Many buffers are split into several structs: compilers search the fields of a struct one by one.
 */
enum { FIELDS = 256 };

static int is_split(const Writer *w) {
  return w->p.result_count > 4 * FIELDS;
}

static const char *buffer_of(Writer *w, uint32_t r) {
  if (is_split(w)) return csim_format(w->m, "loom_history->part%u.r%u", r / FIELDS, r);
  return csim_format(w->m, "loom_history->r%u", r);
}

static unsigned buffered(const Writer *w) {
  return w->p.result_count > MANY ? BUFFERED_OF_MANY : BUFFERED;
}

static void count_token(Writer *w, const char *counter, const char *flush, uint32_t d) {
  csim_line(w, "if (++loom_%s%u == %u) {", counter, d, buffered(w));
  csim_line(w, "loom_%s%u(loom_this, loom_history, loom_%s%u);", flush, d, counter, d);
  csim_line(w, "loom_%s%u = 0;", counter, d);
  csim_line(w, "}");
}

static int same_type(Writer *w, uint32_t a, uint32_t b) {
  return strcmp(csim_type(&w->v, a), csim_type(&w->v, b)) == 0;
}

/* The buffer that is filled with this constant; all domains but 0 share it. */
static uint32_t constant_buffer(Writer *w, uint32_t r) {
  const char *text = csim_canonical(&w->v, r), *at;
  uint32_t hash = 2166136261u, c, *list; /* FNV-1a */
  for (at = text; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
  list = &w->constants[hash % CONSTANT_LISTS];
  for (c = *list; c != NONE; c = w->next_alike[c])
    if (same_type(w, c, r) && strcmp(csim_canonical(&w->v, c), text) == 0) return c;
  w->next_alike[r] = *list;
  w->next_constant[r] = w->first_constant;
  return *list = w->first_constant = r;
}

/* Notes that `r` has the tokens of `before`, if both are of one domain and one width. */
static void note_same(Writer *w, uint32_t r, uint32_t before) {
  const Plan *p = &w->p;
  if (before != NONE && p->domain_of[before] == p->domain_of[r] &&
      type_of(p, before)->bits == type_of(p, r)->bits)
    w->same[r] = w->same[before];
}

/* Chooses the buffer of a result, and stores its token where no other result has done so: tokens
 * that are always the same, or the same as those of another result of the domain, cost nothing. */
static void keep_token(Writer *w, uint32_t r, uint32_t d) {
  uint32_t root = w->v.root[r], *last = &w->last_kept[root];
  if (d != 0 && w->v.literal[root]) {
    uint32_t buffer = w->kept[r] = constant_buffer(w, r);
    note_same(w, r, w->last_constant[buffer]);
    w->last_constant[buffer] = r;
  } else if (*last != NONE && w->p.domain_of[*last] == d && same_type(w, *last, r)) {
    w->kept[r] = w->kept[*last];
    note_same(w, r, *last);
  } else {
    w->kept[r] = *last = r;
    csim_line(w, "%s[loom_n%u] = %s;", buffer_of(w, r), d, csim_canonical(&w->v, r));
  }
}

void csim_write_record(Writer *w, uint32_t d) {
  uint32_t last_none = NONE;
  if (w->first_token[d] == NONE) return;
  csim_enter_domain(w, d);
  for (uint32_t r = w->first_token[d]; r != NONE; r = w->next_token[r]) {
    if (has_data(&w->p, r)) {
      keep_token(w, r, d);
    } else {
      note_same(w, r, last_none);
      last_none = r;
    }
  }
  count_token(w, "n", "flush", d);
}

/* The late results, now that it is known whether this iteration takes place. */
void csim_write_late(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  uint32_t body = p->domains[level].body;
  const char *condition = csim_value(&w->v, p->domains[level].condition);
  if (body == NONE) return;
  csim_line(w, "if (loom_started%u) {", level);
  for (uint32_t r = w->first_late[level]; r != NONE; r = w->next_late[r]) { /* all the same */
    w->kept[r] = w->first_late[level];
    w->same[r] = w->kept[r];
    if (w->kept[r] == r) csim_line(w, "%s[loom_late%u] = %s;", buffer_of(w, r), level, condition);
  }
  if (w->first_late[level] != NONE) count_token(w, "late", "flush_late", level);
  for (uint32_t d = body + 1; d < p->domain_count; d++) {
    const Domain *at = &p->domains[d];
    if (at->parent != body || !at->is_late || w->first_token[d] == NONE) continue;
    csim_line(w, at->kind == LOOM_TRUE ? "if (%s) {" : "if (!%s) {", condition);
    count_token(w, "n", "flush", d);
    csim_line(w, "}");
  }
  csim_line(w, "}");
}

static void write_flush(Writer *w, const char *name, uint32_t d, uint32_t first,
                        const uint32_t *next) {
  if (first == NONE) return;
  csim_line(w,
            "static void loom_%s%u(loom_kernel_run *run, const struct loom_history *loom_history, "
            "uint32_t n) {",
            name, d);
  csim_line(w, "(void)loom_history;");
  for (uint32_t r = first; r != NONE; r = next[r]) {
    const char *guard = w->same[r] != r ? "if (!run->skip_same) " : "";
    if (has_data(&w->p, r))
      csim_line(w, "%srun->tokens(run, %uu, %s, n);", guard, r, buffer_of(w, w->kept[r]));
    else
      csim_line(w, "%srun->tokens(run, %uu, 0, n);", guard, r);
  }
  csim_line(w, "}");
}

/* The table of loom_kernel_info.same. */
static void write_same(Writer *w) {
  csim_put(w->m, "static const uint32_t loom_same[] = { /* loom_kernel_info.same */");
  for (uint32_t r = 0; r < w->p.result_count; r++)
    csim_put(w->m, r % 12 ? " %u," : "\n  %u,", w->same[r]);
  csim_put(w->m, "\n  0};\n");
}

void csim_write_buffers(Writer *w) {
  const Plan *p = &w->p;
  write_same(w);
  csim_line(w, "struct loom_history { /* the next tokens of each result */");
  csim_line(w, "uint32_t unused;");
  for (uint32_t r = 0; r < p->result_count; r++) {
    if (is_split(w) && r % FIELDS == 0) {
      csim_line(w, "struct {");
      csim_line(w, "uint32_t unused;");
    }
    if (w->kept[r] == r)
      csim_line(w, "%s r%u[%u]; /* %s */", csim_type(&w->v, r), r,
                p->domain_of[r] == 0 ? 1 : buffered(w) + 16,
                csim_comment_text(w->m, p->results[r].name));
    if (is_split(w) && (r % FIELDS == FIELDS - 1 || r == p->result_count - 1))
      csim_line(w, "} part%u;", r / FIELDS);
  }
  csim_line(w, "};");
  if (w->first_constant != NONE) {
    csim_line(w, "static void loom_fill_constants(struct loom_history *loom_history) {");
    csim_line(w, "uint32_t i;");
    csim_line(w, "for (i = 0; i < %u; i++) {", buffered(w));
    for (uint32_t r = w->first_constant; r != NONE; r = w->next_constant[r])
      csim_line(w, "%s[i] = %s;", buffer_of(w, r), csim_canonical(&w->v, r));
    csim_line(w, "}");
    csim_line(w, "}");
  }
  for (uint32_t d = 0; d < p->domain_count; d++) {
    write_flush(w, "flush", d, w->first_token[d], w->next_token);
    write_flush(w, "flush_late", d, w->first_late[d], w->next_late);
  }
  csim_put(w->m, "\n");
}

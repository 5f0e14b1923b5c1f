/* loops.c -- writes a proved graph as nested loops over scalars.
 *
 *     %raw, %more = dataflow.stream %c0, %c1, %n        uint32_t i = 0u;
 *     %i, %again  = dataflow.gate %raw, %more           uint32_t sum = 0u;
 *     %sum = dataflow.carry %more, %zero, %next         while ((int32_t)i < (int32_t)n) {
 *     %s, %out = handshake.cond_br %more, %sum            if (i >= a_size) loom_trap(...);
 *     %x, ... = handshake.load [%i] ...                   sum = sum + a[i];
 *     %next = arith.addi %s, %x                           i = i + 1u;
 *     handshake.return %out                             }
 *
 * plan.c has put things in order, values.c says how values are written; what is left is to print
 * them with their branches and loops around them. A loop is
 *
 *     set the variables of its carries and streams to what they begin with
 *     for (;;) {
 *       the tests' part of its items
 *       if (!condition) break;
 *       the body's items
 *       set those variables to what they go on with
 *     }
 *
 * The last line is a parallel assignment: one variable is set only when no other that is still to
 * be set reads it; where that goes round in a circle, a copy breaks it.
 *
 * With histories every result of a domain is written into a buffer at one place of that domain, the
 * record, and buffers are handed to the caller when they are full and at the end. The buffers are
 * one block from run->grow, so that a large graph does not overflow the stack. */
#include "counting.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Tokens of a result that are gathered: the more the faster, as long as all fit a cache. */
enum { BUFFERED = 1024, BUFFERED_OF_MANY = 128, MANY = 1000 };

typedef struct Text {
  char *data;
  size_t length, size;
} Text;

/* An address was found to be below a memory's size, in a domain: where that lies around a later
 * access, it need not be looked at again. */
typedef struct Checked {
  struct Checked *next, *before; /* before: the one that was added before, of any address */
  uint32_t address;
  uint32_t domain, memory; /* memory: of dynamic size; NONE: */
  uint64_t elements;       /* a size that is fixed */
} Checked;

typedef struct Writer {
  Csim *m;
  Plan p;
  Values v;
  Text *out; /* what is being written */
  unsigned indent;
  uint32_t open;         /* the domain whose block is open */
  uint32_t *first_state; /* by level: lists of carries and streams' indices; NONE ends */
  uint32_t *next_state;
  uint32_t *first_token, *next_token; /* with histories, by domain: its results, late ones too */
  uint32_t *first_late, *next_late;   /* by BURST: results that are its gates' second, and copies */
  char *is_sized, *is_stored;         /* by memory */
  Checked *last_checked;
  char *is_safe;     /* by result: its port's address was seen to be inside before the loop */
  Checked **checked; /* by root: bounds it was held against, newest first */
  char *is_else;     /* by domain: its block was opened as the else of another */
  uint32_t *kept;    /* with histories, by result: whose buffer has its tokens; NONE: no such yet */
  uint32_t *last_kept;                     /* by root: the result that was recorded last */
  uint32_t first_constant, *next_constant; /* results whose buffers are filled once for all */
  uint32_t *last_constant;                 /* by such a result: who used its buffer last */
  uint32_t *same;                          /* by result: loom_kernel_info.same */
  uint32_t copies;
  int grows;
} Writer;

/* ---- text -------------------------------------------------------------------------------------
 */

static void append(Writer *w, const char *text, size_t length) {
  Text *t = w->out;
  if (t->length + length + 1 > t->size) {
    size_t size = 2 * t->size + length + 256;
    char *data = csim_alloc(w->m, size, 1);
    if (!data) return;
    if (t->length) memcpy(data, t->data, t->length);
    t->data = data;
    t->size = size;
  }
  memcpy(t->data + t->length, text, length);
  t->length += length;
  t->data[t->length] = 0;
}

static void put(Writer *w, const char *text) {
  append(w, text, strlen(text));
}

/* One line, indented; long ones too. */
static void line(Writer *w, const char *format, ...) CSIM_PRINTF(2, 3);
static void line(Writer *w, const char *format, ...) {
  char text[1024];
  va_list args;
  int length;
  unsigned i;
  for (i = 0; i < w->indent; i++) put(w, "  ");
  va_start(args, format);
  length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length >= 0 && (size_t)length < sizeof text) {
    append(w, text, (size_t)length);
  } else if (length >= 0) {
    char *longer = csim_alloc(w->m, (size_t)length + 1, 1);
    if (!longer) return;
    va_start(args, format);
    vsnprintf(longer, (size_t)length + 1, format, args);
    va_end(args);
    append(w, longer, (size_t)length);
  }
  put(w, "\n");
}

/* ---- branches ---------------------------------------------------------------------------------
 */

static int is_name(const char *text) {
  for (; *text; text++)
    if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
          (*text >= '0' && *text <= '9') || *text == '_'))
      return 0;
  return 1;
}

/* "Not": no `!` before a comparison, which tcc gets wrong for NaNs. */
static const char *negated(Writer *w, const char *condition) {
  return csim_format(w->m, is_name(condition) ? "!%s" : "%s == 0", condition);
}

static void open_branch(Writer *w, uint32_t d, int is_else) {
  const Domain *at = &w->p.domains[d];
  const char *condition = csim_value(&w->v, at->condition);
  if (is_else) {
    line(w, "} else {");
  } else {
    if (at->kind == LOOM_FALSE) condition = negated(w, condition);
    line(w, *condition == '(' && at->kind == LOOM_TRUE ? "if %s {" : "if (%s) {", condition);
  }
  w->is_else[d] = (char)is_else;
  w->indent++;
}

/* May the block of `d` be the else of the one that was just closed? */
static int is_else_of(const Writer *w, uint32_t d, uint32_t closed) {
  return w->p.domains[d].opposite == closed && !w->is_else[closed];
}

static void open_down_to(Writer *w, uint32_t d, uint32_t closed) {
  const Domain *at = &w->p.domains[d];
  if (d == w->open) return;
  if (at->parent != w->open) open_down_to(w, at->parent, closed), closed = NONE;
  if (closed != NONE && !is_else_of(w, d, closed)) {
    line(w, "}");
    closed = NONE;
  }
  open_branch(w, d, closed != NONE);
  w->open = d;
}

/* Closes and opens blocks until the one of `d` is open. */
static void go_to(Writer *w, uint32_t d) {
  const Plan *p = &w->p;
  uint32_t closed = NONE, top = d;
  while (!is_under(p, d, w->open)) {
    if (closed != NONE) line(w, "}");
    closed = w->open;
    w->indent--;
    w->open = p->domains[w->open].parent;
  }
  while (top != w->open && p->domains[top].parent != w->open) top = p->domains[top].parent;
  if (closed != NONE && (d == w->open || !is_else_of(w, top, closed))) {
    line(w, "}");
    closed = NONE;
  }
  open_down_to(w, d, closed);
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* Without the parentheses around all of it. */
static const char *bare(Writer *w, const char *text) {
  size_t length = strlen(text), i;
  int depth = 0;
  if (*text != '(') return text;
  for (i = 0; i < length; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && i + 1 < length) return text;
  }
  return csim_format(w->m, "%.*s", (int)length - 2, text + 1);
}

static void assign(Writer *w, uint32_t root, const char *text) {
  Values *v = &w->v;
  const char *name = v->names[v->holder[root]];
  if (!name || strcmp(name, text) == 0) return;
  if (v->is_local[root])
    line(w, "const %s %s = %s;", csim_type(v, root), name, bare(w, text));
  else
    line(w, "%s = %s;", name, bare(w, text));
}

/* True where the bounds were seen to hold already; remembers that they are now. */
static int is_checked(Writer *w, uint32_t address, uint32_t domain, uint32_t id) {
  const Plan *p = &w->p;
  const loom_memory *memory = &p->memories[id];
  uint32_t dynamic = memory->is_dynamic ? id : NONE;
  Checked *c;
  for (c = w->checked[address]; c; c = c->next)
    if (c->memory == dynamic && (memory->is_dynamic || c->elements <= memory->elements) &&
        is_under(p, domain, c->domain))
      return 1;
  c = csim_alloc(w->m, 1, sizeof *c);
  if (!c) return 1;
  *c = (Checked){w->checked[address], w->last_checked, address, domain, dynamic, memory->elements};
  w->checked[address] = w->last_checked = c;
  return 0;
}

/* As if nothing had been checked since `last` was. */
static void forget_checks(Writer *w, const Checked *last) {
  for (; w->last_checked != last; w->last_checked = w->last_checked->before)
    w->checked[w->last_checked->address] = w->last_checked->next;
}

static void write_check(Writer *w, uint32_t r, const Port *port) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t id = p->nodes[p->results[r].node].memory, address = v->root[port->address];
  uint32_t bits = type_of(p, address)->bits;
  const loom_memory *memory = &p->memories[id];
  const char *name = v->memory_names[id], *at = csim_value(v, address);
  if (w->is_safe[r] || csim_is_inside(w->v.ranges, port->address, memory)) return;
  if (!memory->is_dynamic) {
    const char *size =
        csim_format(w->m, "%llu%s", (unsigned long long)memory->elements, bits > 32 ? "ull" : "u");
    if (bits < 64 && memory->elements >= (uint64_t)1 << bits) return;
    if (is_checked(w, address, p->domain_of[r], id)) return;
    line(w, "if (%s >= %s) loom_trap(3u, %uu, %s, %s);", at, size, port->node, at, size);
    return;
  }
  if (is_checked(w, address, p->domain_of[r], id)) return;
  w->is_sized[id] = 1;
  if (memory->argument != NONE) {
    line(w, "if (%s >= %s_size) loom_trap(3u, %uu, %s, %s_size);", at, name, port->node, at, name);
    return;
  }
  w->grows = 1;
  v->is_touched[id] = 1;
  line(w, "if (%s >= %s_size) {", at, name);
  line(w, "  if (!loom_grow(run, %uu, sizeof *%s, %s, %uu)) return LOOM_KERNEL_REFUSED;", id, name,
       at, port->node);
  line(w, "  %s = run->memories[%u].data;", name, id);
  line(w, "  %s_size = run->memories[%u].elements;", name, id);
  line(w, "}");
}

static void write_port(Writer *w, uint32_t r, const Port *port) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t id = p->nodes[p->results[r].node].memory;
  go_to(w, p->domain_of[r]);
  write_check(w, r, port);
  if (port->data != NONE) {
    v->is_touched[id] = w->is_stored[id] = 1;
    line(w, "%s[%s] = %s;", v->memory_names[id], csim_value(v, port->address),
         bare(w, csim_exact(v, port->data)));
  } else if (v->is_needed[r] && v->root[r] == r && !v->is_inlined[r]) {
    assign(w, r, csim_made(v, r));
  }
}

static void write_result(Writer *w, uint32_t r) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  Port port;
  if (p->kinds[n] == NODE_MEMORY && csim_port(p, n, r - p->nodes[n].first_result, &port)) {
    write_port(w, r, &port);
    return;
  }
  if (!has_data(p, r) || v->root[r] != r || !v->is_needed[r] || v->is_inlined[r]) return;
  switch (p->kinds[n]) {
  case NODE_MUX:
    if (p->is_split[n]) return;
    break;
  case NODE_STREAM:
    if (r == p->nodes[n].first_result) return;
    break;
  case NODE_PURE: break;
  default: return;
  }
  go_to(w, p->domain_of[r]);
  assign(w, r, csim_made(v, r));
}

static void write_arm(Writer *w, uint32_t item) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t number = item - p->result_count - 2 * p->domain_count, side = number % 2, r, from;
  uint32_t n = p->muxes[number / 2];
  r = p->nodes[n].first_result;
  if (!v->is_needed[r]) return;
  from = v->root[p->inputs[n][1 + side]];
  if (!v->literal[from] && v->holder[from] == v->holder[r]) return;
  go_to(w, p->item_domain[item]);
  line(w, "%s = %s;", v->names[v->holder[r]],
       v->nans[r] == NAN_EXACT ? csim_exact(v, from) : csim_value(v, from));
}

/* ---- histories --------------------------------------------------------------------------------
 */

/* Many buffers are parted into structs of some: compilers look for a field by going through all. */
enum { FIELDS = 256 };

static int is_parted(const Writer *w) {
  return w->p.result_count > 4 * FIELDS;
}

static const char *buffer_of(Writer *w, uint32_t r) {
  if (is_parted(w)) return csim_format(w->m, "history->part%u.r%u", r / FIELDS, r);
  return csim_format(w->m, "history->r%u", r);
}

static unsigned buffered(const Writer *w) {
  return w->p.result_count > MANY ? BUFFERED_OF_MANY : BUFFERED;
}

static void count_token(Writer *w, const char *counter, const char *flush, uint32_t d) {
  line(w, "if (++%s%u == %u) {", counter, d, buffered(w));
  line(w, "  %s%u(run, history, %s%u);", flush, d, counter, d);
  line(w, "  %s%u = 0;", counter, d);
  line(w, "}");
}

static int same_type(Writer *w, uint32_t a, uint32_t b) {
  return strcmp(csim_type(&w->v, a), csim_type(&w->v, b)) == 0;
}

/* A buffer whose every place has this constant, and which all loops may hand over from. */
static uint32_t constant_buffer(Writer *w, uint32_t r) {
  const char *text = csim_exact(&w->v, r);
  uint32_t c;
  for (c = w->first_constant; c != NONE; c = w->next_constant[c])
    if (same_type(w, c, r) && strcmp(csim_exact(&w->v, c), text) == 0) return c;
  w->next_constant[r] = w->first_constant;
  return w->first_constant = r;
}

/* Says that `r` has the tokens of `before`, where both tick together and have one type. */
static void note_same(Writer *w, uint32_t r, uint32_t before) {
  const Plan *p = &w->p;
  if (before != NONE && p->domain_of[before] == p->domain_of[r] &&
      type_of(p, before)->bits == type_of(p, r)->bits)
    w->same[r] = w->same[before];
}

/* Chooses the buffer of a result, and stores its token where no other result has done so: tokens
 * that are always the same, or the same as those of another result that ticks with it, cost
 * nothing. */
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
    line(w, "%s[n%u] = %s;", buffer_of(w, r), d, csim_exact(&w->v, r));
  }
}

static void write_record(Writer *w, uint32_t d) {
  uint32_t r, last_none = NONE;
  if (w->first_token[d] == NONE) return;
  go_to(w, d);
  for (r = w->first_token[d]; r != NONE; r = w->next_token[r]) {
    if (has_data(&w->p, r)) {
      keep_token(w, r, d);
    } else {
      note_same(w, r, last_none);
      last_none = r;
    }
  }
  count_token(w, "n", "flush", d);
}

/* What hung on whether there would be this iteration, now that it is known. */
static void write_late(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  uint32_t d, r, body = p->domains[level].body;
  const char *condition = csim_value(&w->v, p->domains[level].condition);
  if (body == NONE) return;
  line(w, "if (started%u) {", level);
  w->indent++;
  for (r = w->first_late[level]; r != NONE; r = w->next_late[r]) { /* all the same */
    w->kept[r] = w->first_late[level];
    w->same[r] = w->kept[r];
    if (w->kept[r] == r) line(w, "%s[late%u] = %s;", buffer_of(w, r), level, condition);
  }
  if (w->first_late[level] != NONE) count_token(w, "late", "flush_late", level);
  for (d = body + 1; d < p->domain_count; d++) {
    const Domain *at = &p->domains[d];
    if (at->parent != body || !at->is_late || w->first_token[d] == NONE) continue;
    line(w, at->kind == LOOM_TRUE ? "if (%s) {" : "if (!%s) {", condition);
    w->indent++;
    count_token(w, "n", "flush", d);
    w->indent--;
    line(w, "}");
  }
  w->indent--;
  line(w, "}");
}

static void write_flush(Writer *w, const char *name, uint32_t d, uint32_t first,
                        const uint32_t *next) {
  uint32_t r;
  if (first == NONE) return;
  line(w, "static void %s%u(loom_kernel_run *run, const struct history *history, uint32_t n) {",
       name, d);
  line(w, "  (void)history;");
  for (r = first; r != NONE; r = next[r]) {
    const char *unless = w->same[r] != r ? "if (!run->skip_same) " : "";
    if (has_data(&w->p, r))
      line(w, "  %srun->tokens(run, %uu, %s, n);", unless, r, buffer_of(w, w->kept[r]));
    else
      line(w, "  %srun->tokens(run, %uu, 0, n);", unless, r);
  }
  line(w, "}");
}

static void write_buffers(Writer *w) {
  const Plan *p = &w->p;
  uint32_t d, r;
  line(w, "static const uint32_t loom_same[] = { /* loom_kernel_info.same */");
  for (r = 0; r < p->result_count; r += 12) {
    put(w, " ");
    for (d = r; d < r + 12 && d < p->result_count; d++)
      put(w, csim_format(w->m, " %u,", w->same[d]));
    put(w, "\n");
  }
  line(w, "  0};");
  line(w, "struct history { /* the next tokens of each result */");
  line(w, "  uint32_t unused;");
  for (r = 0; r < p->result_count; r++) {
    if (is_parted(w) && r % FIELDS == 0) line(w, "  struct {\n    uint32_t unused;");
    if (w->kept[r] == r)
      line(w, "  %s r%u[%u]; /* %s */", csim_type(&w->v, r), r,
           p->domain_of[r] == 0 ? 1 : buffered(w) + 16, csim_harmless(w->m, p->results[r].name));
    if (is_parted(w) && (r % FIELDS == FIELDS - 1 || r == p->result_count - 1))
      line(w, "  } part%u;", r / FIELDS);
  }
  line(w, "};");
  if (w->first_constant != NONE) {
    line(w, "static void fill_constants(struct history *history) {");
    line(w, "  uint32_t i;");
    line(w, "  for (i = 0; i < %u; i++) {", buffered(w));
    for (r = w->first_constant; r != NONE; r = w->next_constant[r])
      line(w, "    %s[i] = %s;", buffer_of(w, r), csim_exact(&w->v, r));
    line(w, "  }");
    line(w, "}");
  }
  for (d = 0; d < p->domain_count; d++) {
    write_flush(w, "flush", d, w->first_token[d], w->next_token);
    write_flush(w, "flush_late", d, w->first_late[d], w->next_late);
  }
  put(w, "\n");
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static void write_items(Writer *w, uint32_t first, uint32_t end);

static const char *stepped(Writer *w, uint32_t r) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node, bits = type_of(p, r)->bits, full = bits == 32 || bits == 64;
  const char *name = csim_value(v, r), *step = csim_value(v, p->inputs[n][1]), *made;
  const char *op = p->nodes[n].step_op, *type = csim_type(v, r);
  if (strcmp(op, "/=") == 0) {
    const char *i = csim_signed(v, r), *by = csim_signed(v, p->inputs[n][1]);
    line(w, "if (%s == -1 && %s == %s) loom_trap(2u, %uu, 0, 0);", by, name,
         csim_format(w->m, bits > 32 ? "0x%llxull" : "0x%llxu", 1ull << (bits - 1)), n);
    made = csim_format(w->m, "(%s)(%s / %s)", type, i, by);
  } else if (strcmp(op, "<<=") == 0) {
    made = csim_format(w->m, "%s >= %uu ? 0u : %s << %s", step, bits, name, step);
  } else if (strcmp(op, ">>=") == 0) {
    made = csim_format(w->m, "(%s)(%s >> (%s >= %uu ? %uu : %s))", type, csim_signed(v, r), step,
                       bits, bits - 1, step);
  } else {
    made = csim_format(w->m, "%s %c %s", name, *op, step);
  }
  return full ? made : csim_format(w->m, "(%s) & 0x%llxull", made, (1ull << bits) - 1);
}

/* What the variable of a carry or stream goes on with; NULL: it stays. */
static const char *going_on(Writer *w, uint32_t r) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  if (p->kinds[n] == NODE_STREAM) return stepped(w, r);
  if (w->v.root[p->inputs[n][2]] == r) return NULL;
  return csim_made(&w->v, r);
}

/* True where what `r` goes on with reads the variable of `other`. */
static int goes_on_with(const Writer *w, uint32_t r, uint32_t other) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  if (p->kinds[n] == NODE_STREAM) return r == other || csim_reads(&w->v, p->inputs[n][1], other);
  return csim_reads(&w->v, p->inputs[n][2], other);
}

static void write_updates(Writer *w, uint32_t level) {
  Values *v = &w->v;
  uint32_t r, other, count = 0, i, k, left, *states;
  const char **texts;
  for (r = w->first_state[level]; r != NONE; r = w->next_state[r]) count++;
  states = csim_alloc(w->m, count, sizeof *states);
  texts = csim_alloc(w->m, count, sizeof *texts);
  if (w->m->status != LOOM_OK) return;
  for (i = 0, r = w->first_state[level]; r != NONE; r = w->next_state[r]) {
    const char *text = v->is_needed[r] ? going_on(w, r) : NULL;
    if (text) states[i] = r, texts[i++] = text;
  }
  for (left = count = i; left;) {
    int progress = 0;
    for (i = 0; i < count; i++) {
      int is_read = 0;
      if (!texts[i]) continue;
      for (k = 0; k < count && !is_read; k++) {
        other = states[k];
        is_read = k != i && texts[k] && states[k] != NONE && goes_on_with(w, other, states[i]);
      }
      if (is_read) continue;
      line(w, "%s = %s;", v->names[states[i]], bare(w, texts[i]));
      texts[i] = NULL;
      left--;
      progress = 1;
    }
    if (progress) continue;
    /* a circle: all that is left is kept first */
    for (i = 0; i < count; i++)
      if (texts[i])
        line(w, "const %s next%u = %s;", csim_type(v, states[i]), w->copies + i, texts[i]);
    for (i = 0; i < count; i++)
      if (texts[i]) line(w, "%s = next%u;", v->names[states[i]], w->copies + i);
    w->copies += count;
    return;
  }
}

static void write_starts(Writer *w, uint32_t level) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t r;
  for (r = w->first_state[level]; r != NONE; r = w->next_state[r]) {
    uint32_t n = p->results[r].node, is_stream = p->kinds[n] == NODE_STREAM;
    uint32_t from = p->inputs[n][is_stream ? 0 : 1];
    if (is_stream && !v->literal[v->root[p->inputs[n][1]]]) {
      line(w, "if (%s == 0 && %s %s %s) loom_trap(4u, %uu, 0, 0);", csim_value(v, p->inputs[n][1]),
           csim_signed(v, p->inputs[n][0]), p->nodes[n].cont_cond, csim_signed(v, p->inputs[n][2]),
           n);
    } else if (is_stream && p->nodes[p->results[v->root[p->inputs[n][1]]].node].literal == 0) {
      line(w, "if (%s %s %s) loom_trap(4u, %uu, 0, 0);", csim_signed(v, p->inputs[n][0]),
           p->nodes[n].cont_cond, csim_signed(v, p->inputs[n][2]), n);
    }
    if (!v->is_needed[r]) continue;
    line(w, "%s%s%s = %s;", v->is_local[r] ? csim_type(v, r) : "", v->is_local[r] ? " " : "",
         v->names[r], v->nans[r] == NAN_EXACT ? csim_exact(v, from) : csim_value(v, from));
  }
}

/* Ports of a loop that counts whose addresses can be looked at before it: marks them, and gives
 * what must hold; NULL: there are none. */
enum { MOST_COPIED = 400 }; /* items of a loop that is written twice */

static const char *find_safe(Writer *w, uint32_t level) {
  Plan *p = &w->p;
  Values *v = &w->v;
  Counting counting;
  const char *holds;
  uint32_t i, n;
  Port port;
  Checked *last = w->last_checked;
  if (w->m->histories || p->end[level] - p->first[level] > MOST_COPIED ||
      !csim_counting(v, level, &counting))
    return NULL;
  holds = NULL;
  for (i = p->first[level]; i < p->end[level]; i++) {
    uint32_t r = p->order[i], id;
    const char *first, *end, *size, *both;
    if (r >= p->result_count) continue;
    n = p->results[r].node;
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, r - p->nodes[n].first_result, &port))
      continue;
    id = p->nodes[n].memory;
    if (csim_is_inside(v->ranges, port.address, &p->memories[id])) continue;
    if (p->memories[id].is_dynamic && p->memories[id].argument == NONE) continue;
    first = csim_linear(v, &counting, port.address, counting.first);
    end = csim_linear(v, &counting, port.address, counting.last);
    if (!first || !end) continue;
    w->is_safe[r] = 1;
    if (is_checked(w, v->root[port.address], level, id)) continue;
    size = csim_format(w->m, "%llu", (unsigned long long)p->memories[id].elements);
    if (p->memories[id].is_dynamic) {
      w->is_sized[id] = 1;
      size = csim_format(w->m, "%s_size", v->memory_names[id]);
    }
    both = csim_format(w->m, "(uint64_t)(%s) < %s && (uint64_t)(%s) < %s", first, size, end, size);
    holds =
        holds ? csim_format(w->m, "%s &&\n%*s%s", holds, 2 * (int)w->indent + 4, "", both) : both;
  }
  forget_checks(w, last);
  if (holds && counting.holds) holds = csim_format(w->m, "%s && %s", counting.holds, holds);
  return holds;
}

/* The loop itself, from `while` on. */
static void write_iterations(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  Text tests = {0}, *out = w->out;
  uint32_t r = p->domains[level].condition;
  const char *condition;
  w->indent++;
  w->out = &tests;
  w->open = level;
  write_items(w, p->first[level], p->middle[level]);
  go_to(w, level);
  if (w->m->histories) write_late(w, level);
  condition = csim_value(&w->v, r);
  w->out = out;
  w->indent--;
  if (tests.length == 0) {
    line(w, *condition == '(' ? "while %s { /* %s */" : "while (%s) { /* %s */", condition,
         csim_harmless(w->m, p->nodes[p->results[r].node].where));
    w->indent++;
  } else {
    line(w, "for (;;) { /* %s */", csim_harmless(w->m, p->nodes[p->results[r].node].where));
    w->indent++;
    append(w, tests.data, tests.length);
    line(w, "if (%s) break;", negated(w, condition));
  }
  if (w->m->fuel) line(w, "if (--fuel == 0) fuel = run->refuel(run);");
  if (p->domains[level].body != NONE) {
    w->open = p->domains[level].body;
    write_items(w, p->middle[level], p->end[level]);
    go_to(w, p->domains[level].body);
  }
  write_updates(w, level);
  if (w->m->histories) line(w, "started%u = 1;", level);
  w->indent--;
  line(w, "}");
}

static void write_loop(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  const char *holds;
  Checked *last;
  uint32_t i;
  go_to(w, p->domains[level].parent);
  write_starts(w, level);
  if (w->m->histories) line(w, "uint32_t started%u = 0;", level);
  last = w->last_checked;
  holds = find_safe(w, level);
  if (holds) {
    line(w, "if (%s) {", holds);
    w->indent++;
    write_iterations(w, level);
    w->indent--;
    line(w, "} else { /* the same, but some access is outside */");
    forget_checks(w, last);
    for (i = p->first[level]; i < p->end[level]; i++)
      if (p->order[i] < p->result_count) w->is_safe[p->order[i]] = 0;
    w->indent++;
    write_iterations(w, level);
    w->indent--;
    line(w, "}");
  } else {
    write_iterations(w, level);
  }
  w->open = p->domains[level].parent;
}

static void write_items(Writer *w, uint32_t first, uint32_t end) {
  const Plan *p = &w->p;
  uint32_t i;
  for (i = first; i < end && w->m->status == LOOM_OK; i++) {
    uint32_t item = p->order[i];
    if (item < p->result_count)
      write_result(w, item);
    else if (item < p->result_count + p->domain_count)
      write_loop(w, item - p->result_count);
    else if (item < p->result_count + 2 * p->domain_count)
      write_record(w, item - p->result_count - p->domain_count);
    else
      write_arm(w, item);
  }
}

/* ---- the function -----------------------------------------------------------------------------
 */

static void write_grow(Writer *w) {
  static const char *const text[] = {
      "/* Makes room for an element of a memory of no fixed size. */",
      "static int loom_grow(loom_kernel_run *run, uint32_t id, uint64_t bytes, uint64_t address,",
      "                     uint32_t node) {",
      "  loom_kernel_memory *memory = &run->memories[id];",
      "  uint64_t elements = memory->elements ? memory->elements : 64, at;",
      "  uint8_t *data;",
      "  if (address >= (uint64_t)1 << 28) run->trap(run, 3u, node, address, memory->elements);",
      "  while (elements <= address) elements *= 2;",
      "  data = run->grow(run, memory->data, elements * bytes);",
      "  if (!data) return 0;",
      "  for (at = memory->elements * bytes; at < elements * bytes; at++) data[at] = 0;",
      "  memory->data = data;",
      "  memory->elements = elements;",
      "  return 1;",
      "}",
      "",
      NULL};
  if (w->grows) csim_text(w->m, text);
}

static const char *bits_literal(Writer *w, uint32_t type, uint64_t bits) {
  const char *text = csim_format(w->m, "0x%llxu", (unsigned long long)bits);
  return w->m->c->from_bits(w->m->host, w->m->design, type, text);
}

static int bits_of_elements(const Plan *p, const loom_memory *memory) {
  uint32_t bits = p->types[memory->element].bits;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

/* First contents of the graph's own memories of several values: their bits. */
static void write_contents(Writer *w) {
  const Plan *p = &w->p;
  uint32_t id, count = w->m->dfg->memory_count(w->m->design);
  uint64_t i;
  for (id = 0; id < count; id++) {
    const loom_memory *memory = &p->memories[id];
    if (memory->argument != NONE || memory->initial_count < 2) continue;
    csim_put(w->m, "static const uint%d_t contents%u[%llu] = {", bits_of_elements(p, memory), id,
             (unsigned long long)memory->initial_count);
    for (i = 0; i < memory->initial_count; i++)
      csim_put(w->m, i % 8 ? " 0x%llxu," : "\n    0x%llxu,",
               (unsigned long long)memory->initial[i]);
    csim_put(w->m, "\n};\n\n");
  }
}

static void write_memory(Writer *w, uint32_t id) {
  Csim *m = w->m;
  const loom_memory *memory = &w->p.memories[id];
  const char *type = m->c->type_name(m->design, memory->element);
  unsigned long long elements = memory->elements;
  int own = memory->argument == NONE, bits = bits_of_elements(&w->p, memory);
  if (own && memory->is_dynamic) {
    line(w, "run->memories[%u].elements = 0;", id);
    line(w, "run->memories[%u].data = 0;", id);
  } else {
    if (!memory->is_dynamic)
      line(w, "if (run->memories[%u].elements != %lluull) return LOOM_KERNEL_REFUSED;", id,
           elements);
    line(w,
         "if (run->memories[%u].elements && !run->memories[%u].data) return LOOM_KERNEL_REFUSED;",
         id, id);
  }
  if (own && !memory->is_dynamic) {
    if (memory->initial_count > 1)
      line(w,
           "for (at = 0; at < %lluu; at++) ((uint%d_t *)run->memories[%u].data)[at] = "
           "contents%u[at];",
           elements, bits, id, id);
    else
      line(w, "for (at = 0; at < %lluu; at++) ((%s *)run->memories[%u].data)[at] = %s;", elements,
           type, id,
           bits_literal(w, memory->element, memory->initial_count ? memory->initial[0] : 0));
  }
}

/* A memory is a parameter, because only of parameters all compilers believe `restrict`. Those of no
 * fixed size move when they grow, and are variables. */
static int is_parameter(const Writer *w, uint32_t id) {
  const loom_memory *memory = &w->p.memories[id];
  return w->v.is_touched[id] && (memory->argument != NONE || !memory->is_dynamic) && id < 100;
}

static const char *pointer_type(Writer *w, uint32_t id) {
  const char *type = w->m->c->type_name(w->m->design, w->p.memories[id].element);
  return csim_format(w->m, "%s%s *restrict", w->is_stored[id] ? "" : "const ", type);
}

static void write_pointer(Writer *w, uint32_t id) {
  const loom_memory *memory = &w->p.memories[id];
  const char *name = w->v.memory_names[id];
  const char *fixed = memory->argument == NONE && memory->is_dynamic ? "" : "const ";
  if (w->v.is_touched[id] && !is_parameter(w, id))
    line(w, "%s %s%s = run->memories[%u].data;", pointer_type(w, id), fixed, name, id);
  if (w->is_sized[id]) line(w, "%suint64_t %s_size = run->memories[%u].elements;", fixed, name, id);
}

/* What is checked and filled before the first access. */
static void write_memories(Writer *w) {
  const Plan *p = &w->p;
  uint32_t id, memories = w->m->dfg->memory_count(w->m->design), fills = 0;
  for (id = 0; id < memories; id++)
    fills |= p->memories[id].argument == NONE && !p->memories[id].is_dynamic;
  if (fills) line(w, "uint64_t at;");
  for (id = 0; id < memories; id++) write_memory(w, id);
  put(w, "  return run_loops(run");
  for (id = 0; id < memories; id++)
    if (is_parameter(w, id)) put(w, csim_format(w->m, ", run->memories[%u].data", id));
  put(w, ");\n");
}

static void write_head(Writer *w) {
  Csim *m = w->m;
  const Plan *p = &w->p;
  Values *v = &w->v;
  uint32_t r, id, memories = m->dfg->memory_count(m->design);
  put(w, "static int run_loops(loom_kernel_run *run");
  for (id = 0; id < memories; id++)
    if (is_parameter(w, id))
      put(w, csim_format(m, ", %s %s", pointer_type(w, id), v->memory_names[id]));
  put(w, ") {\n");
  if (m->fuel) line(w, "uint64_t fuel = run->fuel;");
  if (m->histories) {
    line(w, "struct history *const history = run->grow(run, 0, sizeof *history);");
    for (id = 0; id < p->domain_count; id++) {
      if (w->first_token[id] != NONE) line(w, "uint32_t n%u = 0;", id);
      if (w->first_late[id] != NONE) line(w, "uint32_t late%u = 0;", id);
    }
    line(w, "if (!history) return LOOM_KERNEL_REFUSED;");
    if (w->first_constant != NONE) line(w, "fill_constants(history);");
  }
  for (id = 0; id < memories; id++) write_pointer(w, id);
  for (r = 0; r < p->result_count; r++) {
    uint32_t n = p->results[r].node;
    if (!v->names[r]) continue;
    if (p->kinds[n] == NODE_ARGUMENT)
      line(w, "const %s %s = %s;", csim_type(v, r), v->names[r],
           m->c->from_bits(m->host, m->design, p->results[r].type,
                           csim_format(m, "run->args[%u]", p->nodes[n].argument)));
    else if (!v->is_local[r])
      line(w, "%s %s = 0;", csim_type(v, r), v->names[r]);
  }
}

static void write_end(Writer *w) {
  Csim *m = w->m;
  const Plan *p = &w->p;
  uint32_t d, i, ret = m->dfg->return_node(m->design);
  for (d = 0; m->histories && d < p->domain_count; d++) {
    if (w->first_token[d] != NONE) line(w, "if (n%u) flush%u(run, history, n%u);", d, d, d);
    if (w->first_late[d] != NONE)
      line(w, "if (late%u) flush_late%u(run, history, late%u);", d, d, d);
  }
  for (i = 0; i < p->nodes[ret].operand_count; i++) {
    uint32_t r = p->inputs[ret][i];
    if (has_data(p, r))
      line(w, "run->results[%u] = %s;", i,
           m->c->to_bits(m->host, m->design, p->results[r].type, csim_exact(&w->v, r)));
    else
      line(w, "run->results[%u] = 0;", i);
    line(w, "run->result_counts[%u] = 1;", i);
  }
  line(w, "return LOOM_KERNEL_FINISHED;");
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Puts each domain's results and each level's carries into lists, in order of their ids. */
static void make_lists(Writer *w) {
  Csim *m = w->m;
  Plan *p = &w->p;
  uint32_t r, d, n = p->result_count, memories = m->dfg->memory_count(m->design);
  w->first_state = csim_alloc(m, p->domain_count, sizeof *w->first_state);
  w->first_token = csim_alloc(m, p->domain_count, sizeof *w->first_token);
  w->first_late = csim_alloc(m, p->domain_count, sizeof *w->first_late);
  w->next_state = csim_alloc(m, n, sizeof *w->next_state);
  w->next_token = csim_alloc(m, n, sizeof *w->next_token);
  w->next_late = csim_alloc(m, n, sizeof *w->next_late);
  w->checked = csim_alloc(m, n, sizeof *w->checked);
  w->first_constant = NONE;
  w->last_constant = csim_alloc(m, n, sizeof *w->last_constant);
  w->same = csim_alloc(m, n, sizeof *w->same);
  w->next_constant = csim_alloc(m, n, sizeof *w->next_constant);
  w->kept = csim_alloc(m, n, sizeof *w->kept);
  w->last_kept = csim_alloc(m, n, sizeof *w->last_kept);
  w->is_safe = csim_alloc(m, n, 1);
  w->is_else = csim_alloc(m, w->p.domain_count, 1);
  w->is_sized = csim_alloc(m, memories, 1);
  w->is_stored = csim_alloc(m, memories, 1);
  if (m->status != LOOM_OK) return;
  for (d = 0; d < p->domain_count; d++)
    w->first_state[d] = w->first_token[d] = w->first_late[d] = NONE;
  for (r = n; r-- > 0;) {
    uint32_t node = p->results[r].node, kind = p->kinds[node];
    w->kept[r] = w->last_kept[r] = w->last_constant[r] = NONE;
    w->same[r] = r;
    d = p->domain_of[r];
    if (d == NONE) continue;
    if (p->is_late[r] != 2 && m->histories)
      w->next_token[r] = w->first_token[d], w->first_token[d] = r;
    if (p->is_late[r] == 2 && m->histories) {
      d = level_of(p, d);
      w->next_late[r] = w->first_late[d], w->first_late[d] = r;
    }
    if (p->is_late[r] || !has_data(p, r)) continue;
    if (kind == NODE_CARRY || (kind == NODE_STREAM && r == p->nodes[node].first_result))
      w->next_state[r] = w->first_state[d], w->first_state[d] = r;
  }
}

int csim_write_loops(Csim *m) {
  Writer *w = csim_alloc(m, 1, sizeof *w);
  Text buffers = {0}, head = {0}, body = {0}, start = {0};
  if (!w) return LOOM_ERROR;
  w->m = m;
  if (!m->domains) {
    m->why = "the proofs do not say when its tokens come";
    return LOOM_UNSUPPORTED;
  }
  if (!csim_plan_make(&w->p, m)) {
    m->why = w->p.why;
    return m->status == LOOM_OK ? LOOM_UNSUPPORTED : m->status;
  }
  csim_values_make(&w->v, &w->p);
  make_lists(w);
  if (m->status != LOOM_OK) return m->status;
  w->out = &body;
  w->indent = 1;
  w->open = 0;
  write_items(w, w->p.first[0], w->p.end[0]);
  go_to(w, 0);
  write_end(w);
  w->out = &head;
  write_head(w);
  w->out = &start;
  write_memories(w);
  w->out = &buffers;
  w->indent = 0;
  if (m->histories) write_buffers(w);
  write_grow(w);
  write_contents(w);
  if (buffers.length) csim_put(m, "%s", buffers.data);
  csim_put(m, "%s%s}\n\nstatic int loom_run(loom_kernel_run *run) {\n%s}\n", head.data, body.data,
           start.data);
  return m->status;
}

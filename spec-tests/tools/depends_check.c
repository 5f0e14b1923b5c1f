/* depends_check.c -- dependence analysis of loads and stores, compared with enumerating all
 * iterations.
 *
 *     depends-check [--seed S] [--count N]             N passed, 0 failed
 *
 * Draws nests of loops around a load and a store of one array %a, with bounds that may hang on
 * loops around, steps, sums, quotients, remainders and exclusive ors in the addresses, all of it
 * small. In half of them the two are in loops beside each other. Counting all iterations out tells
 * which loops have iterations that touch the same element, and whether the two meet in one
 * iteration.
 *
 *   - The lowered graph has to order just those: a loop's control goes round (dataflow.carry) or
 *     not, the second of two loops begins with the first one's done or not. (Where the second in
 *     the text touches what the first has in an earlier iteration, it has to wait for it in its
 *     own, and no control goes round.) Where a bound is an argument it may order more, as only some
 *     values are counted. A second array, %b, of which no two iterations share an element, shows
 *     that the proof agreed: else all would be serial.
 *   - The order proof alone: the same nest is lowered with %a's store a thousand elements away, and
 *     in the graph's text the thousand becomes what it was. The proof then has to refuse just
 *     the graphs whose counting shows a conflict that nothing orders.
 *
 *   - Where the load and the store are in one loop, that and the loop around it are asked to change places
 *     (the stage `interchange`), of which a third array, %y, makes it worth their while. They have to stay just where
 *     counting finds two iterations with a common element of which the one is earlier in the outer loop and
 *     later in the inner one, or where the inner one's bounds hang on the outer one.
 *
 * A nest of which an access is out of bounds where its innermost loop begins is a wrong program,
 * and nothing is said about it.
 *
 * In a third of the nests %a has two dimensions of unknown extent, and each access a subscript for
 * either: the two meet where both subscripts agree. */
#include "base/base.h"
#include "lib.h"
#include "lower/lower.h"
#include "text/text.h"
#include "verify/verify.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LOOPS = 3, MAX_POINTS = 4000, AWAY = 1000 };

typedef struct {
  int low_from, low, high_from, high, step; /* _from: the loop whose variable is added, or -1 */
  int cap;                                  /* the bound is no more than this */
  bool to_n;                                /* the bound is %n + high */
} Loop;

typedef struct {
  int factor[MAX_LOOPS], offset;
  int divided, divisor; /* the loop whose variable is divided, or -1 */
  bool by_bits;         /* a shift and a mask instead of a division */
  int quotient, remainder;
  int flipped, mask, times; /* the loop whose variable is turned over, or -1 */
} Address;

typedef struct {
  int nloops;
  bool beside; /* the store in loop nloops - 2, the load in loop nloops - 1, beside it */
  bool store_loaded;
  bool has_rows; /* %a has rows: */
  Loop loops[MAX_LOOPS];
  Address store, load, store_row, load_row;
} Nest;

typedef struct {
  int at[MAX_LOOPS], element, row;
  bool first; /* iteration of the innermost loop */
} Point;

/* What counting finds. */
typedef struct {
  bool forward[MAX_LOOPS]; /* the second in the text touches what the first has in an earlier
                             * iteration of the loop */
  bool
      backward[MAX_LOOPS]; /* the first in the text touches what the second has in an earlier one */
  bool within;  /* the load and the store meet in one iteration of the loops around both */
  bool outside; /* in the first iteration of its loop an access has a negative subscript */
} Conflicts;

/* ---- drawing --------------------------------------------------------------------------------- */

static int drawn(Random *random, int low, int high) {
  return low + (int)random_below(random, (u64)(high - low + 1));
}

static bool encloses(const Nest *n, int outer, int inner) {
  return outer < inner && !(n->beside && inner == n->nloops - 1 && outer == n->nloops - 2);
}

static Loop draw_loop(Random *random, const Nest *n, int at) {
  Loop loop = {.low_from = -1, .high_from = -1};
  loop.low = drawn(random, 0, 2);
  loop.high = drawn(random, 2, 6);
  loop.cap = one_in(random, 4) ? drawn(random, 1, 5) : INT_MAX;
  loop.step = one_in(random, 3) ? drawn(random, 2, 3) : 1;
  if (at > 0 && one_in(random, 2)) {
    int outer = drawn(random, 0, at - 1);
    if (!encloses(n, outer, at)) return loop;
    if (one_in(random, 2)) {
      loop.high_from = outer;
      loop.high = drawn(random, -1, 2);
    } else {
      loop.low_from = outer;
      loop.low = drawn(random, -1, 2);
    }
  }
  return loop;
}

static Address draw_address(Random *random, const Nest *n, int innermost, const Address *like) {
  static const int factors[] = {0, 1, 1, 2, 3, 4, 6, 7, 8, -1, -3, 1 << 30, -1 - INT_MAX};
  Address a = {.divided = -1, .flipped = -1};
  for (int i = 0; i <= innermost; i++)
    if (i == innermost || encloses(n, i, innermost))
      a.factor[i] = factors[random_below(random, sizeof factors / sizeof *factors)];
  if (like && one_in(random, 2)) memcpy(a.factor, like->factor, sizeof a.factor);
  if (n->beside && like)
    a.factor[innermost] = like->factor[n->nloops - 2], a.factor[n->nloops - 2] = 0;
  if (one_in(random, 6) && n->loops[innermost].low_from < 0) {
    a.divided = innermost;
    a.by_bits = one_in(random, 2);
    a.divisor = a.by_bits ? 2 * drawn(random, 1, 2) : drawn(random, 2, 3);
    a.quotient = drawn(random, 0, 3);
    a.remainder = drawn(random, 0, 3);
    a.factor[innermost] = 0;
  }
  if (one_in(random, 4)) {
    a.flipped = innermost;
    a.mask = one_in(random, 2) ? 1 : 3;
    a.times = drawn(random, 1, 3);
    if (one_in(random, 2)) a.factor[innermost] = 0;
  }
  a.offset = drawn(random, -8, 8);
  return a;
}

static Nest draw_nest(Random *random) {
  Nest n = {.beside = one_in(random, 2), .store_loaded = one_in(random, 2)};
  n.nloops = drawn(random, n.beside ? 2 : 1, MAX_LOOPS);
  for (int i = 0; i < n.nloops; i++) n.loops[i] = draw_loop(random, &n, i);
  if (one_in(random, 4)) {
    Loop *loop = &n.loops[drawn(random, 0, n.nloops - 1)];
    loop->to_n = loop->high_from < 0;
  }
  n.store = draw_address(random, &n, n.nloops - 1 - n.beside, NULL);
  n.load = draw_address(random, &n, n.nloops - 1, &n.store);
  int inside = one_in(random, 4) ? 0 : 128;
  n.store.offset += inside;
  n.load.offset += inside;
  n.store_row = n.load_row = (Address){.divided = -1, .flipped = -1};
  if (one_in(random, 3)) {
    n.has_rows = true;
    n.store_row = draw_address(random, &n, n.nloops - 1 - n.beside, NULL);
    n.load_row = draw_address(random, &n, n.nloops - 1, &n.store_row);
  }
  return n;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* As index wraps. */
static int element(const Address *a, const int *at) {
  u32 sum = (u32)a->offset;
  for (int i = 0; i < MAX_LOOPS; i++) sum += (u32)a->factor[i] * (u32)at[i];
  if (a->divided >= 0)
    sum += (u32)(a->quotient * (at[a->divided] / a->divisor) +
                 a->remainder * (at[a->divided] % a->divisor));
  if (a->flipped >= 0) sum += (u32)a->times * ((u32)at[a->flipped] ^ (u32)a->mask);
  return (int)sum;
}

typedef struct {
  const Nest *nest;
  int bound, n;
  bool outside;
  Point points[MAX_POINTS];
} Points;

/* Iterations of the loops around `a`, of which `last` is the innermost. */
static void count_points(Points *p, int loop, int last, Point *at, const Address *a,
                         const Address *row) {
  const Nest *n = p->nest;
  if (n->beside && loop == n->nloops - 2 && last == n->nloops - 1) loop++;
  if (loop > last) {
    if (p->n == MAX_POINTS) return;
    at->element = element(a, at->at);
    at->row = element(row, at->at);
    p->outside |= at->first && at->element < 0;
    p->points[p->n++] = *at;
    return;
  }
  const Loop *l = &n->loops[loop];
  int low = l->low + (l->low_from >= 0 ? at->at[l->low_from] : 0);
  int high =
      l->to_n ? p->bound + l->high : l->high + (l->high_from >= 0 ? at->at[l->high_from] : 0);
  if (high > l->cap) high = l->cap;
  for (at->at[loop] = low; at->at[loop] < high; at->at[loop] += l->step) {
    at->first = at->at[loop] == low;
    count_points(p, loop + 1, last, at, a, row);
  }
  at->at[loop] = 0;
}

/* A store alone needs no order among its own requests: only it and the load are looked at. */
static void meet(const Nest *n, const Points *stores, const Points *loads, Conflicts *found) {
  int common = n->beside ? n->nloops - 2 : n->nloops;
  for (int i = 0; i < stores->n; i++)
    for (int k = 0; k < loads->n; k++) {
      const Point *a = &stores->points[i], *b = &loads->points[k];
      int shared = 0;
      if (a->element != b->element || a->row != b->row) continue;
      while (shared < common && a->at[shared] == b->at[shared]) shared++;
      if (shared == common)
        found->within = true;
      else if ((a->at[shared] < b->at[shared]) == n->beside) /* the store is first */
        found->forward[shared] = true;
      else
        found->backward[shared] = true;
    }
}

static void count_both(const Nest *n, int bound, Points *stores, Points *loads) {
  Point at = {0};
  stores->nest = loads->nest = n;
  stores->bound = loads->bound = bound;
  stores->n = loads->n = 0;
  stores->outside = loads->outside = false;
  count_points(stores, 0, n->nloops - 1 - n->beside, &at, &n->store, &n->store_row);
  count_points(loads, 0, n->nloops - 1, &at, &n->load, &n->load_row);
}

static void count(const Nest *n, int bound, Conflicts *found) {
  static Points stores, loads;
  count_both(n, bound, &stores, &loads);
  found->outside |= stores.outside || loads.outside;
  meet(n, &stores, &loads, found);
}

/* Does one of `a`, earlier in the loop `outer` and later in the next one, share an element with one of `b`? */
static bool cross(const Points *a, const Points *b, int outer, bool has_rows) {
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++) {
      const Point *p = &a->points[i], *q = &b->points[k];
      if (p->element == q->element && (!has_rows || p->row == q->row) &&
          !memcmp(p->at, q->at, (size_t)outer * sizeof *p->at) && p->at[outer] < q->at[outer] &&
          p->at[outer + 1] > q->at[outer + 1])
        return true;
    }
  return false;
}

static bool is_there(const char *graph, int loop) {
  char condition[24];
  snprintf(condition, sizeof condition, "%%i%d_again", loop);
  return strstr(graph, condition);
}

/* A subscript that is a literal is not told apart from the others in the sum that an address is;
 * and what an exclusive or gives is known only where its bits turn over all there are. */
static bool is_vague(const Nest *n, const char *graph) {
  const Address *all[] = {&n->store, &n->load, &n->store_row, &n->load_row};
  for (int k = 0; k < (n->has_rows ? 4 : 2); k++) {
    const Address *a = all[k];
    bool varies = a->divided >= 0 && is_there(graph, a->divided) && (a->quotient || a->remainder);
    for (int i = 0; i < n->nloops; i++) varies |= a->factor[i] && is_there(graph, i);
    if (n->has_rows && !varies) return true;
    const Loop *l = a->flipped >= 0 ? &n->loops[a->flipped] : NULL;
    if (l && (l->low_from >= 0 || l->high_from >= 0 || l->high - 1 > a->mask)) return true;
  }
  return false;
}

static bool has_symbol(const Nest *n) {
  for (int i = 0; i < n->nloops; i++)
    if (n->loops[i].to_n) return true;
  return false;
}

/* What the load brings, goes to %c, which has no rows. *runs: the outer loop does so twice. */
static bool count_crossing(const Nest *n, bool *runs) {
  static Points stores, loads;
  int first = has_symbol(n) ? -2 : 0, last = has_symbol(n) ? 7 : 0, outer = n->nloops - 2;
  bool found = false;
  for (int bound = first; bound <= last && !found; bound++) {
    count_both(n, bound, &stores, &loads);
    for (int i = 1; i < loads.n; i++)
      *runs |= loads.points[i].at[outer] != loads.points[0].at[outer];
    found = cross(&stores, &loads, outer, true) || cross(&loads, &stores, outer, true) ||
            cross(&stores, &stores, outer, true) || cross(&loads, &loads, outer, false);
  }
  return found;
}

static Conflicts count_all(const Nest *n) {
  Conflicts found = {0};
  int first = has_symbol(n) ? -2 : 0, last = has_symbol(n) ? 7 : 0;
  for (int bound = first; bound <= last; bound++) count(n, bound, &found);
  return found;
}

/* ---- the text -------------------------------------------------------------------------------- */

static void put_bound(Buf *out, const char *name, int loop, int from, const char *symbol,
                      int more) {
  if (from < 0 && !symbol) {
    buf_printf(out, "%%%s%d = arith.constant %d : index\n", name, loop, more);
    return;
  }
  buf_printf(out, "%%%sk%d = arith.constant %d : index\n", name, loop, more);
  if (symbol)
    buf_printf(out, "%%%s%d = arith.addi %%%s, %%%sk%d : index\n", name, loop, symbol, name, loop);
  else
    buf_printf(out, "%%%s%d = arith.addi %%i%d, %%%sk%d : index\n", name, loop, from, name, loop);
}

static void put_loop(Buf *out, const Nest *n, int i) {
  const Loop *l = &n->loops[i];
  put_bound(out, "low", i, l->low_from, NULL, l->low);
  put_bound(out, "high", i, l->high_from, l->to_n ? "n" : NULL, l->high);
  buf_printf(out, "%%step%d = arith.constant %d : index\n", i, l->step);
  if (l->cap < INT_MAX) {
    buf_printf(out, "%%cap%d = arith.constant %d : index\n", i, l->cap);
    buf_printf(out, "%%least%d = arith.minsi %%high%d, %%cap%d : index\n", i, i, i);
  }
  buf_printf(out, "scf.for %%i%d = %%low%d to %%%s%d step %%step%d {\n", i, i,
             l->cap < INT_MAX ? "least" : "high", i, i);
}

static void put_term(Buf *out, const char *name, int *at, const char *value, int factor) {
  buf_printf(out, "%%%sf%d = arith.constant %d : index\n", name, *at, factor);
  buf_printf(out, "%%%st%d = arith.muli %s, %%%sf%d : index\n", name, *at, value, name, *at);
  buf_printf(out, "%%%s%d = arith.addi %%%s%d, %%%st%d : index\n", name, *at + 1, name, *at, name,
             *at);
  ++*at;
}

/* The number of the last sum, which is the address. */
static int put_address(Buf *out, const char *name, const Address *a, int away) {
  int at = 0;
  char value[40];
  buf_printf(out, "%%%s0 = arith.constant %d : index\n", name, 0);
  for (int i = 0; i < MAX_LOOPS; i++) {
    snprintf(value, sizeof value, "%%i%d", i);
    if (a->factor[i]) put_term(out, name, &at, value, a->factor[i]);
  }
  for (int r = 0; r < 2 && a->divided >= 0; r++) {
    static const char *const ops[2][2] = {{"divui", "remui"}, {"shrui", "andi"}};
    int by = !a->by_bits ? a->divisor : r ? a->divisor - 1 : a->divisor / 2;
    buf_printf(out, "%%%sd%d = arith.constant %d : index\n", name, r, by);
    buf_printf(out, "%%%sq%d = arith.%s %%i%d, %%%sd%d : index\n", name, r, ops[a->by_bits][r],
               a->divided, name, r);
    snprintf(value, sizeof value, "%%%sq%d", name, r);
    put_term(out, name, &at, value, r ? a->remainder : a->quotient);
  }
  if (a->flipped >= 0) {
    buf_printf(out, "%%%sm = arith.constant %d : index\n", name, a->mask);
    buf_printf(out, "%%%sx = arith.xori %%i%d, %%%sm : index\n", name, a->flipped, name);
    snprintf(value, sizeof value, "%%%sx", name);
    put_term(out, name, &at, value, a->times);
  }
  buf_printf(out, "%%%so = arith.constant %d : index\n", name, a->offset + away);
  buf_printf(out, "%%%s%d = arith.addi %%%s%d, %%%so : index\n", name, at + 1, name, at, name);
  return at + 1;
}

static void put_store(Buf *out, const Nest *n, int innermost, int away) {
  Address other = {.divided = -1, .flipped = -1};
  for (int i = 0, factor = 1; i <= innermost; i++, factor *= 100) other.factor[i] = factor;
  int a = put_address(out, "s", &n->store, away), b = put_address(out, "b", &other, 0);
  const char *value = n->store_loaded && !n->beside ? "%x" : "%v";
  if (n->has_rows)
    buf_printf(out, "memref.store %s, %%a[%%r%d, %%s%d] : memref<?x?xi32>\n", value,
               put_address(out, "r", &n->store_row, 0), a);
  else
    buf_printf(out, "memref.store %s, %%a[%%s%d] : memref<?xi32>\n", value, a);
  buf_printf(out, "memref.store %%v, %%b[%%b%d] : memref<?xi32>\n", b);
}

static void put_load(Buf *out, const Nest *n) {
  int l = put_address(out, "l", &n->load, 0);
  if (n->has_rows)
    buf_printf(out, "%%x = memref.load %%a[%%q%d, %%l%d] : memref<?x?xi32>\n",
               put_address(out, "q", &n->load_row, 0), l);
  else
    buf_printf(out, "%%x = memref.load %%a[%%l%d] : memref<?xi32>\n", l);
  buf_printf(out, "memref.store %%x, %%c[%%l%d] : memref<?xi32>\n", l);
}

static void put_head(Buf *out, const Nest *n) {
  buf_printf(out,
             "func.func @f(%%a: memref<%s?xi32>, %%b: memref<?xi32>, %%c: memref<?xi32>, "
             "%%y: memref<?xi32>, %%n: index, %%v: i32) {\n",
             n->has_rows ? "?x" : "");
}

/* With a sum for each iteration of the last loop but one. */
static void put_sums(Buf *out, const Nest *n) {
  put_head(out, n);
  for (int i = 0; i < n->nloops; i++) put_loop(out, n, i);
  put_load(out, n);
  put_store(out, n, n->nloops - 1, 0);
  buf_printf(out,
             "%%old = memref.load %%y[%%i%d] : memref<?xi32>\n"
             "%%new = arith.addi %%old, %%v : i32\n"
             "memref.store %%new, %%y[%%i%d] : memref<?xi32>\n",
             n->nloops - 2, n->nloops - 2);
  for (int i = 0; i < n->nloops; i++) buf_str(out, "}\n");
  buf_str(out, "return\n}\n");
}

static void put_nest(Buf *out, const Nest *n, int away) {
  put_head(out, n);
  int around = n->beside ? n->nloops - 2 : n->nloops;
  for (int i = 0; i < around; i++) put_loop(out, n, i);
  if (n->beside) put_loop(out, n, around);
  if (!n->beside) put_load(out, n);
  put_store(out, n, n->nloops - 1 - n->beside, away);
  if (n->beside) {
    buf_str(out, "}\n");
    put_loop(out, n, around + 1);
    put_load(out, n);
    buf_str(out, "}\n");
  }
  for (int i = 0; i < around; i++) buf_str(out, "}\n");
  buf_str(out, "return\n}\n");
}

/* ---- what LOOM makes of it ------------------------------------------------------------------- */

static void lower_text(const Buf *text, Buf *graph) {
  Context *ctx = context_new();
  Module *m = text_parse(ctx, source_from_memory(ctx, "nest", text->data, text->len));
  if (check(m && verify_module(m) && lower_module(m, &(LowerOptions){0}), "not lowered:\n%s",
            text->data))
    text_print(m, (PrintOptions){0}, graph);
  if (m) module_free(m);
  context_free(ctx);
}

/* The line of the graph with all of the words in this order, or NULL. */
static const char *line_with(const char *graph, const char *first, const char *second,
                             const char *third) {
  for (const char *line = graph; line; line = strchr(line, '\n'), line += line != NULL) {
    const char *end = strchr(line, '\n'), *at = strstr(line, first);
    if (at) at = strstr(at, second);
    if (at) at = strstr(at, third);
    if (at && end && at < end) return at;
  }
  return NULL;
}

static bool goes_round(const char *graph, const char *memory, int loop) {
  char name[16], condition[24];
  snprintf(name, sizeof name, "    %%%s_ctrl", memory);
  snprintf(condition, sizeof condition, "%%i%d_again", loop);
  return line_with(graph, name, " = dataflow.carry ", condition);
}

/* Of two loops beside each other: the second one begins with a done. */
static bool is_ordered(const char *graph, int loop) {
  char condition[24];
  snprintf(condition, sizeof condition, "%%i%d_again", loop);
  const char *at = line_with(graph, "    %a_ctrl", " = dataflow.", condition);
  const char *token = at ? strchr(at, ',') : NULL;
  return token && strncmp(token, ", %a_done", 9) == 0;
}

/* Of two accesses of one iteration: the store begins with the load's done. */
static bool store_waits(const char *graph) {
  const char *token = line_with(graph, "    %a_st:2", " = handshake.store ", " {loom.access");
  while (token && *token != '%') token--;
  return token && strncmp(token, "%a_mem", 6) == 0;
}

/* Whether the second access has to wait for the first: also for that of earlier iterations, where
 * no control goes round. */
static bool has_to_wait(const Nest *n, const Conflicts *found, const char *graph) {
  bool wait = found->within;
  for (int i = 0; i < n->nloops; i++)
    wait |= found->forward[i] && is_there(graph, i) && !goes_round(graph, "a", i);
  return wait;
}

static bool is_waiting(const Nest *n, const char *graph) {
  return n->beside ? is_ordered(graph, n->nloops - 1) : store_waits(graph);
}

static void check_lowering(const Nest *n, u64 seed) {
  Buf text = {0}, graph = {0};
  Conflicts found = count_all(n);
  if (found.outside) return;
  put_nest(&text, n, 0);
  lower_text(&text, &graph);
  bool exact = graph.data && !has_symbol(n) && !is_vague(n, graph.data);
  for (int i = 0; graph.data && i < n->nloops; i++) {
    if (!is_there(graph.data, i)) continue;
    bool round = goes_round(graph.data, "a", i);
    check(found.backward[i] ? round : !round || !exact, "seed %llu: loop %d %s:\n%s",
          (unsigned long long)seed, i, round ? "is ordered" : "is not ordered", text.data);
    check(!exact || !goes_round(graph.data, "b", i), "seed %llu: the proof did not agree:\n%s",
          (unsigned long long)seed, text.data);
  }
  bool both =
      graph.data &&
      (!n->beside || (is_there(graph.data, n->nloops - 1) && is_there(graph.data, n->nloops - 2)));
  if (both) {
    bool waits = is_waiting(n, graph.data), free = n->beside && exact;
    check(has_to_wait(n, &found, graph.data) ? waits : !waits || !free,
          "seed %llu: the second %s:\n%s", (unsigned long long)seed,
          waits ? "waits" : "does not wait", text.data);
  }
  buf_free(&text);
  buf_free(&graph);
}

/* The thousand in the graph's text becomes what it was before. */
static bool move_back(const Nest *n, const Buf *graph, Buf *out) {
  char away[48];
  snprintf(away, sizeof away, "{value = %d : index}", n->store.offset + AWAY);
  const char *at = graph->data, *next;
  bool found = false;
  while ((next = strstr(at, away))) {
    buf_printf(out, "%.*s{value = %d : index}", (int)(next - at), at, n->store.offset);
    at = next + strlen(away);
    found = true;
  }
  buf_str(out, at);
  return found;
}

static bool is_proved(const Buf *text) {
  Context *ctx = context_new();
  bool proved = false;
  Module *m = text_parse(ctx, source_from_memory(ctx, "graph", text->data, text->len));
  QuietScope quiet = diag_quiet(ctx);
  if (m)
    for_each_op (op, region_entry(&m->top->regions[0]))
      proved = prove_dataflow(ctx, op, PROOF_LOWERED, NULL);
  diag_quiet_end(ctx, &quiet);
  if (m) module_free(m);
  context_free(ctx);
  return proved;
}

static void check_proof(const Nest *n, u64 seed) {
  Buf text = {0}, graph = {0}, moved = {0};
  Conflicts found = count_all(n);
  if (found.outside) return;
  put_nest(&text, n, AWAY);
  lower_text(&text, &graph);
  bool whole = graph.data != NULL; /* a loop that runs once is no loop any more */
  for (int i = 0; i < n->nloops && n->beside; i++) whole = whole && is_there(graph.data, i);
  if (whole && move_back(n, &graph, &moved)) {
    bool broken = has_to_wait(n, &found, moved.data) && !is_waiting(n, moved.data);
    for (int i = 0; i < n->nloops; i++)
      broken |= found.backward[i] && is_there(moved.data, i) && !goes_round(moved.data, "a", i);
    bool proved = is_proved(&moved);
    bool exact = !has_symbol(n) && !is_vague(n, moved.data);
    check(broken ? !proved : proved || !exact, "seed %llu: %s\n%s%s", (unsigned long long)seed,
          proved ? "proved, and is not ordered:" : "not proved:", text.data, moved.data);
  }
  buf_free(&text);
  buf_free(&graph);
  buf_free(&moved);
}

static bool flips(const Nest *n) {
  return n->store.flipped >= 0 || n->load.flipped >= 0;
}

static bool change_places(const Buf *text, const Nest *n) {
  Context *ctx = context_new();
  Buf out = {0};
  char inner[24], outer[24];
  const LowerStage *stage = lower_stage_find("interchange", strlen("interchange"));
  snprintf(outer, sizeof outer, "for %%i%d =", n->nloops - 2);
  snprintf(inner, sizeof inner, "for %%i%d =", n->nloops - 1);
  Module *m = text_parse(ctx, source_from_memory(ctx, "nest", text->data, text->len));
  bool changed = false;
  if (check(m && verify_module(m) && lower_pass(m, stage), "not read:\n%s", text->data)) {
    text_print(m, (PrintOptions){0}, &out);
    changed = strstr(out.data, inner) < strstr(out.data, outer);
  }
  buf_free(&out);
  if (m) module_free(m);
  context_free(ctx);
  return changed;
}

/* Subscripts that are apart only together, are not seen to be so. */
static void check_places(const Nest *n, u64 seed) {
  Buf text = {0};
  if (n->beside || n->nloops < 2) return;
  const Loop *inner = &n->loops[n->nloops - 1];
  bool hangs = inner->low_from == n->nloops - 2 || inner->high_from == n->nloops - 2;
  bool runs = false, has_to_stay = hangs || count_crossing(n, &runs);
  bool exact = runs && !has_symbol(n) && !n->has_rows && !flips(n);
  put_sums(&text, n);
  bool changed = change_places(&text, n);
  check(has_to_stay ? !changed : changed || !exact, "seed %llu: the loops %s:\n%s",
        (unsigned long long)seed, changed ? "changed places" : "stay", text.data);
  buf_free(&text);
}

int main(int argc, char **argv) {
  u64 seed = 1, n = 2000;
  tool_options(argc, argv, TOOL_OPTIONS(TOOL_NUMBER("--seed", seed), TOOL_NUMBER("--count", n)),
               "depends-check [--seed S] [--count N]");
  for (u64 k = 0; k < n; k++, seed++) {
    Random random = {seed};
    Nest nest = draw_nest(&random);
    check_lowering(&nest, seed);
    check_proof(&nest, seed);
    check_places(&nest, seed);
  }
  return checks_end();
}

/* random_loops.c -- loops at the edges of their types, for the random program generator.
 *
 *     scf.for unsigned %i = -7 to -2 step 3 : i5            25 and 28; 31 is past the bound
 *     scf.for %i = %a to %b step 2147483647                 with %a, %b unknown to the compiler
 *     scf.while %x > %min, %x -= 2^62 : i63
 *
 * Every integer type from i1 to i64 and index; signed and unsigned; bounds and steps next to 0, to
 * the least and the greatest value, to powers of two, or anywhere; loops in one another, where a
 * bound is the variable of the loop around; and what they run over is looked at: summed up, switched
 * on, used as an index where it is one.
 *
 * Only loops that end soon are printed: how often one runs is found here by counting, with wraps,
 * the way C's unsigned numbers do, in each width that index may have. Numbers that the compiler shall
 * not know are made from the argument %edge, whose value only the case and the generator have:
 *
 *     %t = arith.trunci %edge : i64 to i8
 *     %v = arith.xori %t, %c : i8                           any wanted number, by the right %c
 *
 * and sometimes hidden behind a minimum, a mask or an extension, of which ranges are known. */
#include "random_gen.h"

enum { MAX_TRIPS = 20, TRIES = 80, WIDTHS = 3, INDEX_LITERAL_BITS = 32 };
static const unsigned index_widths[WIDTHS] = {32, 37, 64};

/* Values of a loop's variable, one after the other, in each width of index. */
typedef struct {
  unsigned n[WIDTHS];
  u64 at[WIDTHS][MAX_TRIPS];
} Trace;

/* A number, or the variable of the loop around. */
typedef struct {
  Val val;
  bool varies;
  i64 number;
} Number;

/* The loop around, where the next may take its variable as a bound. */
typedef struct {
  Val iv;
  Trace trace;
} Around;

/* ---- types and numbers ----------------------------------------------------------------------- */

#define I(n)                                                                                       \
  { "i" #n, 'i', n }
#define I9(t) I(t##1), I(t##2), I(t##3), I(t##4), I(t##5), I(t##6), I(t##7), I(t##8), I(t##9)
static const Scalar widths[] = {{"", 'i', 0}, I9(),  I(10), I9(1), I(20), I9(2),
                                I(30),        I9(3), I(40), I9(4), I(50), I9(5),
                                I(60),        I(61), I(62), I(63), I(64)};

static const Scalar *edge_type(Gen *g) {
  static const u8 common[] = {1, 5, 8, 13, 16, 32, 33, 48, 64};
  unsigned n = below(g, 10);
  if (n < 3) return scalar_named("index");
  unsigned width = n < 7 ? common[below(g, COUNT_OF(common))] : 1 + below(g, 64);
  for (size_t i = 0; i < COUNT_OF(common);
       i++) /* the generator's own, so that others use it, too */
    if (common[i] == width) return scalar_named(widths[width].name);
  return &widths[width];
}

static u64 low_bits(u64 bits, unsigned width) {
  return width >= 64 ? bits : bits & (((u64)1 << width) - 1);
}
static i64 as_signed(u64 bits, unsigned width) {
  u64 top = (u64)1 << (width - 1);
  return (i64)((low_bits(bits, width) ^ top) - top);
}

static i64 edge_number(Gen *g, unsigned width) {
  u64 least = (u64)1 << (width - 1), near = below(g, 5), bits;
  switch (below(g, 9)) {
  case 0: bits = near; break;
  case 1: bits = 0 - near; break;
  case 2: bits = least + near; break;
  case 3: bits = least - 1 - near; break;
  case 4: bits = ((u64)1 << below(g, width)) + near - 2; break;
  case 5: bits = least / 2 + near - 2; break;
  case 6: bits = below(g, 256); break;
  default: bits = random_u64(g) >> below(g, 64); break;
  }
  return as_signed(bits, width);
}

static unsigned width_of(const Scalar *t, unsigned w) {
  return t->kind == 'x' ? index_widths[w] : t->width;
}

/* ---- numbers that the compiler does not know ------------------------------------------------- */

static Val plain_hidden(Gen *g, const Scalar *t, i64 number) {
  const Scalar *in = t->kind == 'x' ? scalar_named("i32") : t;
  Val edge = g->edge, key, v;
  if (in->width < 64) {
    edge = new_value(g, "v", in);
    say(g, "%s = arith.trunci %s : i64 to %s", edge.name, g->edge.name, in->name);
  }
  key = constant_int(g, in, as_signed((u64)number ^ g->edge_number, in->width));
  v = new_value(g, "v", in);
  say(g, "%s = arith.xori %s, %s : %s", v.name, edge.name, key.name, in->name);
  if (in == t) return v;
  Val cast = new_value(g, "v", t);
  say(g, "%s = arith.index_cast %s : i32 to index", cast.name, v.name);
  return cast;
}

static Val computed(Gen *g, const char *op, const Scalar *t, Val a, i64 b) {
  Val c = constant_int(g, t, b), v = new_value(g, "v", t);
  say(g, "%s = %s %s, %s : %s", v.name, op, a.name, c.name, t->name);
  return v;
}

static Val hidden(Gen *g, const Scalar *t, i64 number) {
  unsigned width = t->kind == 'x' ? INDEX_LITERAL_BITS : t->width;
  i64 other = edge_number(g, width);
  if (width == 1) return plain_hidden(g, t, number);
  switch (below(g, 8)) {
  case 0:
  case 1: {
    Val a = plain_hidden(g, t, number);
    return computed(g, number <= other ? "arith.minsi" : "arith.maxsi", t, a, other);
  }
  case 2: {
    i64 mask = number | other;
    Val a = plain_hidden(g, t, number | (edge_number(g, width) & ~mask));
    return computed(g, "arith.andi", t, a, mask);
  }
  case 3: {
    unsigned narrow = 1 + below(g, width - 1);
    const Scalar *from = &widths[narrow];
    if (t->kind == 'x' || (u64)number != low_bits((u64)number, narrow)) break;
    Val a = plain_hidden(g, from, as_signed((u64)number, narrow)), v = new_value(g, "v", t);
    say(g, "%s = arith.extui %s : %s to %s", v.name, a.name, from->name, t->name);
    return v;
  }
  default: break;
  }
  return plain_hidden(g, t, number);
}

/* Prints the number: as a literal, or hidden. A for loop over a type wider than index is lowered
 * only where literals tell how often it runs. */
static void print_number(Gen *g, const Scalar *t, bool may_hide, Number *n) {
  if (n->varies) return;
  bool hides = may_hide && g->edge.type && chance(g, 50);
  n->val = hides ? hidden(g, t, n->number) : constant_int(g, t, n->number);
}

/* ---- counting -------------------------------------------------------------------------------- */

static u64 bits_in(const Number *n, const Around *around, unsigned w, unsigned k, unsigned width) {
  return low_bits(n->varies ? around->trace.at[w][k] : (u64)n->number, width);
}

typedef struct {
  const char *op, *compare;
  bool is_unsigned;
} Steps;

static bool holds(const char *compare, u64 a, u64 b, unsigned width) {
  i64 x = as_signed(a, width), y = as_signed(b, width);
  if (!strcmp(compare, "slt")) return x < y;
  if (!strcmp(compare, "sle")) return x <= y;
  if (!strcmp(compare, "sgt")) return x > y;
  if (!strcmp(compare, "sge")) return x >= y;
  if (!strcmp(compare, "ult")) return a < b;
  if (!strcmp(compare, "ule")) return a <= b;
  if (!strcmp(compare, "ugt")) return a > b;
  if (!strcmp(compare, "uge")) return a >= b;
  return a != b;
}

/* One step; false where it would trap, or be something that MLIR leaves open, unless that may be. */
static bool take_step(const char *op, u64 *value, u64 step, unsigned width, bool may_be_open) {
  if (!may_be_open && !strncmp(op, "arith.sh", 8) && step >= width) return false;
  i64 x = as_signed(*value, width), y = as_signed(step, width);
  if (!strcmp(op, "arith.addi")) *value += step;
  if (!strcmp(op, "arith.subi")) *value -= step;
  if (!strcmp(op, "arith.muli")) *value *= step;
  if (!strcmp(op, "arith.shli")) *value = step >= width ? 0 : *value << step;
  if (!strcmp(op, "arith.shrsi")) *value = (u64)(x >> (step >= width ? width - 1 : step));
  if (!strcmp(op, "arith.divsi")) {
    if (y == 0 || (y == -1 && x == as_signed((u64)1 << (width - 1), width))) return false;
    *value = (u64)(x / y);
  }
  *value = low_bits(*value, width);
  return true;
}

/* Fills the trace, for all turns of the loop around one after the other; false where there are more
 * turns than `most`, or a step that a loop may not take. A stream refuses a step of zero, which by
 * addition would be endless anyway; by division it traps. */
static bool count(const Gen *g, const Scalar *t, Steps how, const Number n[3], const Around *around,
                  unsigned most, Trace *trace) {
  for (unsigned w = 0; w < WIDTHS; w++) {
    unsigned width = width_of(t, w), rounds = around ? around->trace.n[w] : 1;
    trace->n[w] = 0;
    for (unsigned k = 0; k < rounds; k++) {
      u64 value = bits_in(&n[0], around, w, k, width), bound = bits_in(&n[1], around, w, k, width);
      u64 step = bits_in(&n[2], around, w, k, width);
      while (holds(how.compare, value, bound, width)) {
        if (trace->n[w] == most) return false;
        trace->at[w][trace->n[w]++] = value;
        if (!take_step(how.op, &value, step, width, !g->options->portable)) return false;
      }
    }
  }
  return true;
}

/* True where the loop is worth it: a variable that comes back on the other side, or a number of
 * which the upper bit is set. */
static bool is_interesting(const Scalar *t, const Number n[3], const Trace *trace) {
  if (t->width > 1 && (n[0].number < 0 || n[1].number < 0) && trace->n[0]) return true;
  for (unsigned k = 1; k < trace->n[0]; k++)
    if ((trace->at[0][k] < trace->at[0][k - 1]) != (n[2].number < 0)) return true;
  return false;
}

static bool draw(Gen *g, const Scalar *t, Steps how, const Around *around, unsigned most,
                 Number n[3], Trace *trace) {
  unsigned width = t->kind == 'x' ? INDEX_LITERAL_BITS : t->width;
  bool may_vary = around && around->iv.type == t;
  for (unsigned tries = 0; tries < TRIES; tries++) {
    for (unsigned i = 0; i < 3; i++) {
      n[i] = (Number){.number = edge_number(g, width)};
      if (i == 2 && chance(g, 30)) n[i].number = as_signed(1 + below(g, 3), width);
      if (may_vary && chance(g, 25)) n[i] = (Number){.val = around->iv, .varies = true};
    }
    if (chance(g, 10)) { /* comes round to where it began, or next to it, in two steps */
      n[0] = (Number){.number = as_signed(below(g, 8), width)};
      n[2] = (Number){.number = as_signed(((u64)1 << (width - 1)) - 1 - below(g, 2), width)};
    }
    if (chance(g, 40)) n[1].number = as_signed((u64)n[0].number + 1 + below(g, 9), width);
    if (count(g, t, how, n, around, most, trace) && (tries > 40 || is_interesting(t, n, trace)))
      return true;
  }
  return false;
}

/* ---- what loops do with what they run over ----------------------------------------------------
 */

static Val widened(Gen *g, const Scalar *t, Val v, bool is_unsigned) {
  const Scalar *i64_type = scalar_named("i64");
  if (t->width == 64) return v;
  Val x = new_value(g, "v", i64_type);
  const char *u = is_unsigned ? "ui" : "si";
  if (t->kind == 'x')
    say(g, "%s = arith.index_cast%s %s : index to i64", x.name, is_unsigned ? "ui" : "", v.name);
  else
    say(g, "%s = arith.ext%s %s : %s to i64", x.name, u, v.name, t->name);
  return x;
}

static Val as_index(Gen *g, const Scalar *t, Val v) {
  if (t->kind == 'x') return v;
  Val x = new_value(g, "v", scalar_named("index"));
  say(g, "%s = arith.index_cast%s %s : %s to index", x.name, chance(g, 50) ? "ui" : "", v.name,
      t->name);
  return x;
}

/* sum * 31 + x: what came first matters. */
static Val summed(Gen *g, Val sum, Val x) {
  const Scalar *t = scalar_named("i64");
  Val product = computed(g, "arith.muli", t, sum, 31), s = new_value(g, "v", t);
  say(g, "%s = arith.addi %s, %s : i64", s.name, product.name, x.name);
  return s;
}

/* if (iv < extent - d) m[iv + d] = m[iv], or the other way round */
static void guarded_access(Gen *g, Val index) {
  const Scalar *t = scalar_named("index");
  char type[LINE];
  Mem m;
  if (g->no_effects || !choose_mem(g, true, &m) || m.rank != 1 || m.extent[0] < 2) return;
  i64 d = below(g, (unsigned)m.extent[0]);
  Val p = new_value(g, "p", scalar_named("i1")), room = constant_int(g, t, m.extent[0] - d);
  say(g, "%s = arith.cmpi ult, %s, %s : index", p.name, index.name, room.name);
  say(g, "scf.if %s {", p.name);
  Scope s = enter(g, 1);
  Val far = computed(g, "arith.addi", t, index, d), x = new_value(g, "x", m.elem);
  bool up = chance(g, 50);
  mem_type(&m, type);
  say(g, "%s = memref.load %s[%s] : %s", x.name, m.name, up ? index.name : far.name, type);
  if (m.elem->kind != 'f') {
    Val y = new_value(g, "v", m.elem), by = any_value(g, m.elem);
    say(g, "%s = arith.addi %s, %s : %s", y.name, x.name, by.name, m.elem->name);
    x = y;
  }
  store_at(g, &m, up ? &far : &index, x);
  leave(g, s);
  say(g, "}");
}

/* What the variable is, asked by a switch on some of its values. */
static Val switched(Gen *g, Val index, Val sum, const Trace *trace) {
  const Scalar *t = scalar_named("i64");
  i64 cases[3];
  unsigned n = 0, wanted = 1 + below(g, 3);
  Val r = new_value(g, "r", t);
  for (unsigned i = 0; i < wanted; i++) {
    i64 number = edge_number(g, INDEX_LITERAL_BITS);
    if (trace->n[0] && chance(g, 70))
      number = as_signed(trace->at[0][below(g, trace->n[0])], INDEX_LITERAL_BITS);
    if (chance(g, 15)) number = (i64)((u64)number + ((u64)1 << 32)); /* the same where that is 32 */
    bool known = false;
    for (unsigned k = 0; k < n; k++) known |= cases[k] == number;
    if (!known) cases[n++] = number;
  }
  say(g, "%s = scf.index_switch %s -> i64", r.name, index.name);
  for (unsigned i = 0; i <= n; i++) {
    if (i < n)
      say(g, "case %lld {", (long long)cases[i]);
    else
      say(g, "default {");
    Scope s = enter(g, 1);
    Val v = computed(g, "arith.xori", t, sum, 1 + (i64)i * 1000);
    terminate(g, s, "scf.yield", &v, 1);
    leave(g, s);
    say(g, "}");
  }
  return r;
}

static Val edge_loop(Gen *g, const Around *around, Val sum);

/* The body of a loop whose variable is `iv`: the new sum. */
static Val body_of(Gen *g, const Scalar *t, Val iv, bool is_unsigned, const Trace *trace, Val sum) {
  Val x = widened(g, t, iv, chance(g, 50) ? is_unsigned : chance(g, 50));
  sum = summed(g, sum, x);
  if (chance(g, 30)) guarded_access(g, as_index(g, t, iv));
  /* MLIR's own lowering of a switch looks at 32 bits of an index only */
  if (chance(g, 15) && !g->options->portable) sum = switched(g, as_index(g, t, iv), sum, trace);
  if (g->depth < 4 && chance(g, 30)) {
    Around here = {.iv = iv, .trace = *trace};
    sum = edge_loop(g, &here, sum);
  }
  if (chance(g, 10)) statements(g, 1, 1);
  return sum;
}

static unsigned most_turns(const Trace *trace) {
  unsigned most = 1;
  for (unsigned w = 0; w < WIDTHS; w++)
    if (trace->n[w] > most) most = trace->n[w];
  return most;
}

/* ---- the loops ------------------------------------------------------------------------------- */

static Val print_edge_for(Gen *g, const Scalar *t, bool is_unsigned, Number n[3],
                          const Trace *trace, Val sum) {
  const Scalar *i64_type = scalar_named("i64");
  bool may_hide = t->kind == 'x' || t->width <= INDEX_LITERAL_BITS;
  for (unsigned i = 0; i < 3; i++) print_number(g, t, may_hide, &n[i]);
  Val r = new_value(g, "r", i64_type), acc = new_value(g, "acc", i64_type);
  Val iv = new_value(g, "i", t);
  char type[LINE] = "";
  if (t->kind != 'x') append(type, " : %s", t->name);
  say(g, "%s = scf.for%s %s = %s to %s step %s iter_args(%s = %s) -> (i64)%s {", r.name,
      is_unsigned ? " unsigned" : "", iv.name, n[0].val.name, n[1].val.name, n[2].val.name,
      acc.name, sum.name, type);
  Scope s = enter(g, most_turns(trace));
  remember(g, iv);
  Val next = body_of(g, t, iv, is_unsigned, trace, acc);
  terminate(g, s, "scf.yield", &next, 1);
  leave(g, s);
  say(g, "}");
  return r;
}

/* Independent iterations, summed up in order. */
static Val print_edge_parallel(Gen *g, Number n[3], const Trace *trace, Val sum) {
  const Scalar *t = scalar_named("index"), *i64_type = scalar_named("i64");
  for (unsigned i = 0; i < 3; i++) print_number(g, t, true, &n[i]);
  Val r = new_value(g, "r", i64_type), iv = new_value(g, "i", t);
  Val a = new_value(g, "a", i64_type), b = new_value(g, "b", i64_type);
  say(g, "%s = scf.parallel (%s) = (%s) to (%s) step (%s) init (%s) -> i64 {", r.name, iv.name,
      n[0].val.name, n[1].val.name, n[2].val.name, sum.name);
  Scope s = enter(g, most_turns(trace));
  Val x = widened(g, t, iv, chance(g, 50));
  say(g, "scf.reduce(%s : i64) {", x.name);
  say(g, "^bb0(%s: i64, %s: i64):", a.name, b.name);
  Val next = summed(g, a, b);
  say(g, "scf.reduce.return %s : i64", next.name);
  say(g, "}");
  leave(g, s);
  say(g, "}");
  return r;
}

static Val print_edge_while(Gen *g, const Scalar *t, Steps how, Number n[3], const Trace *trace,
                            Val sum) {
  const Scalar *i64_type = scalar_named("i64");
  for (unsigned i = 0; i < 3; i++) print_number(g, t, true, &n[i]);
  Val v = new_value(g, "a", t), acc = new_value(g, "acc", i64_type);
  unsigned id = g->next_name++;
  Val last = {.type = t}, r = {.type = i64_type};
  snprintf(last.name, sizeof last.name, "%%r%u#0", id);
  snprintf(r.name, sizeof r.name, "%%r%u#1", id);
  say(g, "%%r%u:2 = scf.while (%s = %s, %s = %s) : (%s, i64) -> (%s, i64) {", id, v.name,
      n[0].val.name, acc.name, sum.name, t->name, t->name);
  Scope s = enter(g, most_turns(trace) + 1);
  Val p = new_value(g, "p", scalar_named("i1"));
  say(g, "%s = arith.cmpi %s, %s, %s : %s", p.name, how.compare, v.name, n[1].val.name, t->name);
  char keyword[LINE] = "";
  append(keyword, "scf.condition(%s)", p.name);
  terminate(g, s, keyword, (Val[]){v, acc}, 2);
  leave(g, s);
  Val iv = new_value(g, "b", t), inner = new_value(g, "acc", i64_type);
  say(g, "} do {");
  say(g, "^bb0(%s: %s, %s: i64):", iv.name, t->name, inner.name);
  s = enter(g, most_turns(trace));
  remember(g, iv);
  Val next[2] = {new_value(g, "v", t), body_of(g, t, iv, how.compare[0] == 'u', trace, inner)};
  say(g, "%s = %s %s, %s : %s", next[0].name, how.op, iv.name, n[2].val.name, t->name);
  terminate(g, s, "scf.yield", next, 2);
  leave(g, s);
  say(g, "}");
  Val x = widened(g, t, last, chance(g, 50));
  return summed(g, r, x);
}

/* A loop that goes on with the sum; its result. */
static Val edge_loop(Gen *g, const Around *around, Val sum) {
  static const char *const ops[] = {"arith.addi",  "arith.subi", "arith.muli",
                                    "arith.divsi", "arith.shli", "arith.shrsi"};
  static const char *const compares[] = {"slt", "sle", "sgt", "sge", "ne",
                                         "ult", "ule", "ugt", "uge"};
  const Scalar *t = around && chance(g, 60) ? around->iv.type : edge_type(g);
  Steps how = {"arith.addi", "slt", false};
  Number n[3];
  Trace trace;
  u64 room = 400 / g->trips;
  bool counts = chance(g, 65);
  if (counts && chance(g, 40) && !g->options->sixteen) how.compare = "ult";
  if (!counts) how.op = ops[below(g, 10) < 5 ? below(g, 2) : below(g, COUNT_OF(ops))];
  if (!counts) how.compare = compares[below(g, COUNT_OF(compares))];
  if (room < 2) return sum;
  unsigned most = room > MAX_TRIPS ? MAX_TRIPS : (unsigned)room;
  /* a for loop over a type wider than index takes no number that is not known */
  bool wide = counts && t->kind != 'x' && t->width > INDEX_LITERAL_BITS;
  if (!draw(g, t, how, wide ? NULL : around, most, n, &trace)) return sum;
  if (!counts) return print_edge_while(g, t, how, n, &trace, sum);
  if (t->kind == 'x' && how.compare[0] == 's' && chance(g, 15) && !g->options->sixteen)
    return print_edge_parallel(g, n, &trace, sum);
  return print_edge_for(g, t, how.compare[0] == 'u', n, &trace, sum);
}

/* Stores the sum in some memory of integers, so that somebody sees it. */
static void store_sum(Gen *g, Val sum) {
  Val indices[MAX_RANK], v = sum;
  Mem m;
  if (g->no_effects || !choose_mem(g, true, &m) || m.elem->kind != 'i') return;
  if (m.elem->width < 64) {
    v = new_value(g, "v", m.elem);
    say(g, "%s = arith.trunci %s : i64 to %s", v.name, sum.name, m.elem->name);
  }
  for (unsigned i = 0; i < m.rank; i++) indices[i] = index_below(g, m.extent[i]);
  store_at(g, &m, indices, v);
}

void edge_statement(Gen *g) {
  Val sum = any_value(g, scalar_named("i64"));
  Val r = edge_loop(g, NULL, sum);
  if (strcmp(r.name, sum.name) == 0) return;
  remember(g, r);
  store_sum(g, r);
}

Val edge_loops(Gen *g) {
  Val sum = g->edge;
  if (chance(g, 40)) view_statement(g); /* for the accesses */
  for (unsigned n = 1 + below(g, 3); n > 0; n--) sum = edge_loop(g, NULL, sum);
  return remember(g, sum);
}

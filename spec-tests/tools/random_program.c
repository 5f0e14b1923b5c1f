/* random_program.c -- random programs: from a seed to a module of nested SCF and a case to run it
 * on.
 *
 *     seed 7  ->  func.func @main(%a0: memref<?xi32>, %a1: index) -> i32 {
 *                   ...loops, whiles, branches, calls, loads and stores...
 *                 }
 *                 {"function": "main", "args": [{"memref": ...}, {"scalar": ...}]}
 *
 * A program is a tree of statements drawn by weights. Each is well-defined by construction (see
 * random_values.c and random_memory.c for values and accesses), so a generated program needs no
 * filtering: whatever two engines disagree about is a fault of theirs.
 *
 * Every loop ends. A `for` has bounds of known range. A `while` either burns fuel (a counter that
 * its condition also looks at, carried as an argument or kept in a memory) or counts in one of
 * the ways that lowering raises to a counted loop or a stream: + - * / << >> against a bound. The
 * generator multiplies up how often the op at hand can run at most; past a budget, statements
 * print nothing more, so a program runs at most some ten thousand ops.
 *
 * What is favoured is what has to be lowered with care: values from far outside used deep inside,
 * arguments yielded unchanged or swapped, loops that run zero times, bounds that are the variable
 * of the loop around, results that nobody uses, branches without else, several loads and stores
 * of one memory on one level, views, helpers called twice.
 */
#include "random_gen.h"

/* ---- names, types, scopes ------------------------------------------------------------------ */

typedef struct {
  unsigned n;
  const Scalar *at[MAX_RESULTS];
} Types;

static Types random_types(Gen *g, unsigned least, unsigned most) {
  Types t = {.n = (unsigned)between(g, least, most)};
  for (unsigned i = 0; i < t.n; i++) t.at[i] = random_scalar(g);
  return t;
}

static void append_types(char out[LINE], const Types *t) {
  for (unsigned i = 0; i < t->n; i++) append(out, "%s%s", i ? ", " : "", t->at[i]->name);
}

static void append_values(char out[LINE], const Val *v, unsigned n) {
  for (unsigned i = 0; i < n; i++) append(out, "%s%s", i ? ", " : "", v[i].name);
}

/* " -> (i32, f32)" or nothing */
static void append_arrow(char out[LINE], const Types *t) {
  if (!t->n) return;
  append(out, " -> (");
  append_types(out, t);
  append(out, ")");
}

/* Names for the results of one op: returns "%r5:2 = " in `prefix`, the values in `results`. */
static void name_results(Gen *g, const Types *t, char prefix[NAME_SIZE], Val *results) {
  unsigned id = g->next_name++;
  prefix[0] = 0;
  if (t->n == 1) snprintf(prefix, NAME_SIZE, "%%r%u = ", id);
  if (t->n > 1) snprintf(prefix, NAME_SIZE, "%%r%u:%u = ", id, t->n);
  for (unsigned i = 0; i < t->n; i++) {
    results[i] = (Val){.type = t->at[i]};
    if (t->n == 1)
      snprintf(results[i].name, NAME_SIZE, "%%r%u", id);
    else
      snprintf(results[i].name, NAME_SIZE, "%%r%u#%u", id, i);
  }
}

static void remember_all(Gen *g, const Val *v, unsigned n) {
  for (unsigned i = 0; i < n; i++) remember(g, v[i]);
}

static void any_values(Gen *g, const Types *t, Val *v) {
  for (unsigned i = 0; i < t->n; i++) v[i] = any_value(g, t->at[i]);
}

Scope enter(Gen *g, u64 trips) {
  Scope s = {g->vals.len, g->mems.len, g->trips};
  g->indent++;
  g->depth++;
  g->trips *= trips;
  return s;
}

void leave(Gen *g, Scope s) {
  g->indent--;
  g->depth--;
  g->trips = s.trips;
  g->vals.len = s.vals;
  g->mems.len = s.mems;
}

void terminate(Gen *g, Scope s, const char *keyword, const Val *v, unsigned n) {
  char line[LINE] = "";
  free_locals(g, s.mems);
  append(line, "%s", keyword);
  if (n) append(line, " ");
  append_values(line, v, n);
  for (unsigned i = 0; i < n; i++) append(line, "%s%s", i ? ", " : " : ", v[i].type->name);
  say(g, "%s", line);
}

/* Statements, then the yield; `always` prints it also where it yields nothing. */
static void body(Gen *g, Scope s, unsigned most, const Types *t, bool always) {
  Val yields[MAX_RESULTS];
  statements(g, t->n ? 0 : 1, most);
  any_values(g, t, yields);
  if (t->n || always)
    terminate(g, s, "scf.yield", yields, t->n);
  else
    free_locals(g, s.mems);
}

/* ---- scf.if, index_switch, execute_region -------------------------------------------------- */

static void if_statement(Gen *g) {
  Types t = random_types(g, 0, chance(g, 50) ? 0 : 3);
  Val cond = any_value(g, scalar_named("i1")), results[MAX_RESULTS];
  char prefix[NAME_SIZE], arrow[LINE] = "";
  name_results(g, &t, prefix, results);
  append_arrow(arrow, &t);
  say(g, "%sscf.if %s%s {", prefix, cond.name, arrow);
  Scope s = enter(g, 1);
  body(g, s, 3, &t, false);
  leave(g, s);
  if (t.n || chance(g, 50)) {
    say(g, "} else {");
    s = enter(g, 1);
    body(g, s, 3, &t, false);
    leave(g, s);
  }
  say(g, "}");
  remember_all(g, results, t.n);
}

static void switch_statement(Gen *g) {
  Types t = random_types(g, 0, 2);
  Val arg = small_value(g, scalar_named("index"), 4, false), results[MAX_RESULTS];
  char prefix[NAME_SIZE], types[LINE] = "";
  unsigned cases = below(g, 4);
  name_results(g, &t, prefix, results);
  append_types(types, &t);
  say(g, "%sscf.index_switch %s%s%s", prefix, arg.name, t.n ? " -> " : "", types);
  for (unsigned i = 0; i <= cases; i++) {
    if (i < cases)
      say(g, "case %u {", 2 * i - (i > 1));
    else
      say(g, "default {");
    Scope s = enter(g, 1);
    body(g, s, 2, &t, true);
    leave(g, s);
    say(g, "}");
  }
  remember_all(g, results, t.n);
}

static void execute_region_statement(Gen *g) {
  Types t = random_types(g, 0, 2);
  Val results[MAX_RESULTS];
  char prefix[NAME_SIZE], arrow[LINE] = "";
  name_results(g, &t, prefix, results);
  append_arrow(arrow, &t);
  say(g, "%sscf.execute_region%s {", prefix, arrow);
  Scope s = enter(g, 1);
  body(g, s, 3, &t, true);
  leave(g, s);
  say(g, "}");
  remember_all(g, results, t.n);
}

/* ---- scf.for ------------------------------------------------------------------------------- */

enum { MAX_RUNS = 400 };

typedef struct {
  const Scalar *type;
  Val lb, ub, step;
  u64 trips; /* at most */
} Bounds;

static i64 most_trips(const Gen *g, i64 wanted) {
  i64 most = MAX_RUNS / (i64)g->trips;
  return most < 1 ? 1 : most < wanted ? most : wanted;
}

static void set_trips(Bounds *b) {
  i64 distance = b->ub.hi - b->lb.lo;
  b->trips = distance <= 0 ? 0 : (u64)((distance + b->step.lo - 1) / b->step.lo);
}

/* 0 to the extent of some memory, asked of memref.dim or known */
static bool bounds_of_memory(Gen *g, Bounds *b) {
  Mem m;
  const Scalar *t = scalar_named("index");
  if (!choose_mem(g, false, &m) || m.rank == 0) return false;
  unsigned d = below(g, m.rank);
  if (m.extent[d] > most_trips(g, 16)) return false;
  b->lb = constant_int(g, t, 0);
  if (m.dynamic[d] || chance(g, 20)) {
    char type[LINE];
    mem_type(&m, type);
    Val which = constant_int(g, t, d);
    b->ub = with_range(new_value(g, "n", t), m.extent[d], m.extent[d]);
    say(g, "%s = memref.dim %s, %s : %s", b->ub.name, m.name, which.name, type);
    remember(g, b->ub);
  } else {
    b->ub = constant_int(g, t, m.extent[d] - below(g, 2));
  }
  return true;
}

static void bounds_of_numbers(Gen *g, Bounds *b) {
  i64 most = most_trips(g, 9);
  switch (below(g, 6)) {
  case 0:
    b->lb = constant_int(g, b->type, 0);
    b->ub = constant_int(g, b->type, between(g, 0, most));
    return;
  case 1: /* may be zero trips, or not, as the range of the bound tells */
    b->lb = constant_int(g, b->type, below(g, 2));
    b->ub = small_value(g, b->type, most, chance(g, 40));
    return;
  case 2:
    b->lb = small_value(g, b->type, most, false);
    b->ub = constant_int(g, b->type, between(g, 0, most));
    return;
  case 3:
    b->lb = constant_int(g, b->type, between(g, -3, 3));
    b->ub = constant_int(g, b->type, b->lb.lo + between(g, -1, most));
    return;
  case 4: /* often backwards */
    b->lb = small_value(g, b->type, most, false);
    b->ub = small_value(g, b->type, most, false);
    return;
  default: /* a variable of a loop around and what is some constant past it */
    if (!choose_within(g, b->type, 0, 16, &b->lb)) b->lb = small_value(g, b->type, 2, false);
    i64 reach = most - (b->lb.hi - b->lb.lo);
    if (reach < 1) reach = 1;
    b->ub = binary(g, "arith.addi", b->type, b->lb, constant_int(g, b->type, between(g, 0, reach)));
    return;
  }
}

static Bounds random_bounds(Gen *g) {
  unsigned kind = below(g, 100);
  Bounds b = {.type = scalar_named("index")};
  if (kind < 22 && !g->options->sixteen)
    b.type = scalar_named(kind < 14 ? "i32" : kind < 17 ? "i8" : kind < 20 ? "i16" : "i64");
  if (b.type->kind == 'i' && b.type->width == 64) { /* provably inside index: constants only */
    b.lb = constant_int(g, b.type, between(g, -2, 1));
    b.ub = constant_int(g, b.type, between(g, -1, most_trips(g, 5)));
    b.step = constant_int(g, b.type, between(g, 1, 3));
    set_trips(&b);
    return b;
  }
  if (b.type->kind != 'x' || chance(g, 50) || !bounds_of_memory(g, &b)) bounds_of_numbers(g, &b);
  if (chance(g, 12))
    b.step = small_value(g, b.type, 4, true);
  else
    b.step = constant_int(g, b.type, chance(g, 75) ? 1 : between(g, 2, 4));
  set_trips(&b);
  if (!b.trips && !g->options->sixteen && chance(g, 30))
    b.step = constant_int(g, b.type, 0); /* nobody looks at it */
  return b;
}

/* Yields for loop arguments: sometimes the arguments themselves, unchanged or swapped. */
static void loop_yields(Gen *g, const Types *t, const Val *args, Val *yields) {
  for (unsigned i = 0; i < t->n; i++) {
    unsigned j = below(g, t->n);
    if (chance(g, 15) && t->at[j] == t->at[i])
      yields[i] = args[j];
    else
      yields[i] = any_value(g, t->at[i]);
  }
}

static void print_for(Gen *g, const Bounds *b, const Types *t, const Val *inits, Val *results) {
  char prefix[NAME_SIZE], header[LINE] = "";
  Val args[MAX_RESULTS], yields[MAX_RESULTS];
  name_results(g, t, prefix, results);
  i64 last = b->ub.hi - 1 > b->lb.lo ? b->ub.hi - 1 : b->lb.lo;
  Val iv = with_range(new_value(g, "i", b->type), b->lb.lo, last);
  append(header, "%sscf.for %s = %s to %s step %s", prefix, iv.name, b->lb.name, b->ub.name,
         b->step.name);
  for (unsigned i = 0; i < t->n; i++) {
    args[i] = new_value(g, "acc", t->at[i]);
    append(header, "%s%s = %s", i ? ", " : " iter_args(", args[i].name, inits[i].name);
  }
  if (t->n) append(header, ")");
  append_arrow(header, t);
  if (b->type->kind == 'i') append(header, " : %s", b->type->name);
  say(g, "%s {", header);
  Scope s = enter(g, b->trips ? b->trips : 1);
  remember(g, iv);
  remember_all(g, args, t->n);
  if (b->lb.lo >= 0 && chance(g, 6)) /* the bound is above zero here, and may not be outside */
    binary(g, "arith.remui", b->type, any_value(g, b->type), b->ub);
  statements(g, 1, 4);
  loop_yields(g, t, args, yields);
  if (t->n)
    terminate(g, s, "scf.yield", yields, t->n);
  else
    free_locals(g, s.mems);
  leave(g, s);
  if (g->next_name % 3 == 0)
    say(g, "} {loom.copies = %u : i32}", 2 + g->next_name % 4); /* for -O2 */
  else
    say(g, "}");
}

/* A loop, sometimes inside a guard that its author wrote: if (lb < ub) for (...). */
static void for_statement(Gen *g) {
  Bounds b = random_bounds(g);
  Types t = random_types(g, 0, chance(g, 30) ? 0 : 3);
  Val inits[MAX_RESULTS], results[MAX_RESULTS], guarded[MAX_RESULTS];
  char prefix[NAME_SIZE], arrow[LINE] = "";
  if (b.trips * g->trips > 2 * MAX_RUNS) return;
  any_values(g, &t, inits);
  if (!chance(g, 12)) {
    print_for(g, &b, &t, inits, results);
    remember_all(g, results, t.n);
    return;
  }
  Val cond = remember(g, new_value(g, "p", scalar_named("i1")));
  bool turned = chance(g, 30);
  say(g, "%s = arith.cmpi %s, %s, %s : %s", cond.name, turned ? "sgt" : "slt",
      turned ? b.ub.name : b.lb.name, turned ? b.lb.name : b.ub.name, b.type->name);
  name_results(g, &t, prefix, guarded);
  append_arrow(arrow, &t);
  say(g, "%sscf.if %s%s {", prefix, cond.name, arrow);
  Scope s = enter(g, 1);
  print_for(g, &b, &t, inits, results);
  if (t.n) terminate(g, s, "scf.yield", results, t.n);
  leave(g, s);
  if (t.n) {
    say(g, "} else {");
    s = enter(g, 1);
    terminate(g, s, "scf.yield", inits, t.n);
    leave(g, s);
  }
  say(g, "}");
  remember_all(g, guarded, t.n);
}

/* ---- scf.while ----------------------------------------------------------------------------- */

/* `%r:2 = scf.while (%a = %init, ...) : (i32, f32) -> (f32) {`; without arguments, `() -> ...` */
static void print_while(Gen *g, const Types *t, const Types *out, const char *prefix,
                        const Val *args, const Val *inits) {
  char header[LINE] = "";
  append(header, "%sscf.while", prefix);
  for (unsigned i = 0; i < t->n; i++)
    append(header, "%s%s = %s", i ? ", " : " (", args[i].name, inits[i].name);
  append(header, t->n ? ") : (" : " : (");
  append_types(header, t);
  append(header, ") -> (");
  append_types(header, out);
  append(header, ")");
  say(g, "%s {", header);
}

static void print_condition(Gen *g, Scope s, Val cond, const Val *v, unsigned n) {
  char keyword[LINE] = "";
  append(keyword, "scf.condition(%s)", cond.name);
  terminate(g, s, keyword, v, n);
}

static void print_do(Gen *g, const Val *args, unsigned n) {
  char line[LINE] = "^bb0(";
  say(g, "} do {");
  for (unsigned i = 0; i < n; i++)
    append(line, "%s%s: %s", i ? ", " : "", args[i].name, args[i].type->name);
  if (n) say(g, "%s):", line);
}

static void end_while(Gen *g) {
  if (g->next_name % 2 == 0)
    say(g, "} attributes {loom.copies = %u : i32}", 2 + g->next_name % 4); /* for -O2 */
  else
    say(g, "}");
}

/* `fuel > 0` and some other condition, as `and` or as a branch that asks the other only then. */
static Val burning(Gen *g, Val fuel) {
  const Scalar *i1 = scalar_named("i1");
  Val zero = constant_int(g, fuel.type, 0), p = remember(g, new_value(g, "p", i1));
  say(g, "%s = arith.cmpi %s, %s, %s : %s", p.name, chance(g, 80) ? "sgt" : "ne", fuel.name,
      zero.name, fuel.type->name);
  if (chance(g, 25)) return p;
  Val q = new_value(g, "p", i1);
  if (chance(g, 60)) {
    Val other = any_value(g, i1);
    say(g, "%s = arith.andi %s, %s : i1", q.name, p.name, other.name);
    return remember(g, q);
  }
  say(g, "%s = scf.if %s -> (i1) {", q.name, p.name);
  Scope s = enter(g, 1);
  body(g, s, 2, &(Types){.n = 1, .at = {i1}}, false);
  leave(g, s);
  say(g, "} else {");
  s = enter(g, 1);
  Val no = constant_int(g, i1, 0);
  terminate(g, s, "scf.yield", &no, 1);
  leave(g, s);
  say(g, "}");
  return remember(g, q);
}

static Val spent(Gen *g, Val fuel) {
  return binary(g, "arith.subi", fuel.type, fuel, constant_int(g, fuel.type, 1));
}

/* Condition arguments: `must` somewhere among others of any type. */
static Types condition_args(Gen *g, const Val *must, unsigned *at, Val *v) {
  Types t = random_types(g, 0, 2);
  *at = must ? below(g, t.n + 1) : t.n;
  if (must) {
    for (unsigned i = t.n++; i > *at; i--) t.at[i] = t.at[i - 1];
    t.at[*at] = must->type;
  }
  for (unsigned i = 0; i < t.n; i++) v[i] = must && i == *at ? *must : any_value(g, t.at[i]);
  return t;
}

/* Burns fuel that it carries: decremented before or after the condition is asked. */
static void while_with_fuel(Gen *g) {
  static const char *const fuels[] = {"i32", "index", "i8", "i32"};
  const Scalar *type = scalar_named(fuels[below(g, 4)]);
  i64 most = most_trips(g, 7);
  Types t = random_types(g, 0, 2), out;
  Val inits[MAX_RESULTS], args[MAX_RESULTS] = {0}, passed[MAX_RESULTS], results[MAX_RESULTS];
  Val after[MAX_RESULTS] = {0}, yields[MAX_RESULTS];
  unsigned fuel_at = below(g, t.n + 1), after_at;
  for (unsigned i = t.n++; i > fuel_at; i--) t.at[i] = t.at[i - 1];
  t.at[fuel_at] = type;
  any_values(g, &t, inits);
  inits[fuel_at] = small_value(g, type, most, false);
  for (unsigned i = 0; i < t.n; i++) args[i] = new_value(g, "a", t.at[i]);
  args[fuel_at] = with_range(args[fuel_at], 0, most);

  /* the header names the results, whose types the condition decides: print the region aside */
  Buf region = {0}, *out_buf = g->out;
  g->out = &region;
  Scope s = enter(g, (u64)most + 1);
  remember_all(g, args, t.n);
  statements(g, 0, 2);
  Val cond = burning(g, args[fuel_at]);
  bool early = chance(g, 40);
  Val left = early ? spent(g, args[fuel_at]) : args[fuel_at];
  out = condition_args(g, &left, &after_at, passed);
  print_condition(g, s, cond, passed, out.n);
  leave(g, s);
  g->out = out_buf;
  char prefix[NAME_SIZE];
  name_results(g, &out, prefix, results);
  print_while(g, &t, &out, prefix, args, inits);
  buf_put(g->out, region.data, region.len);
  buf_free(&region);

  for (unsigned i = 0; i < out.n; i++) after[i] = new_value(g, "b", out.at[i]);
  after[after_at] = with_range(after[after_at], 0, most);
  print_do(g, after, out.n);
  s = enter(g, (u64)most);
  remember_all(g, after, out.n);
  statements(g, 0, 3);
  any_values(g, &t, yields);
  yields[fuel_at] = early ? after[after_at] : spent(g, after[after_at]);
  terminate(g, s, "scf.yield", yields, t.n);
  leave(g, s);
  end_while(g);
  remember_all(g, results, out.n);
}

/* Burns fuel that lies in a memory of its own: a loop that carries nothing. */
static void while_without_args(Gen *g) {
  const Scalar *t = scalar_named("i32"), *index = scalar_named("index");
  i64 most = most_trips(g, 5);
  Mem tank = {.elem = t, .rank = 1, .root = ++g->next_root, .extent = {1}};
  Val zero = constant_int(g, index, 0), full = small_value(g, t, most, false);
  Types none = {.n = 0};
  snprintf(tank.name, sizeof tank.name, "%%m%u", g->next_name++);
  say(g, "%s = memref.alloca() : memref<1xi32>", tank.name);
  store_at(g, &tank, &zero, full);
  print_while(g, &none, &none, "", &zero, &zero); /* of which none is printed */
  Scope s = enter(g, (u64)most + 1);
  Val fuel = remember(g, new_value(g, "x", t));
  say(g, "%s = memref.load %s[%s] : memref<1xi32>", fuel.name, tank.name, zero.name);
  statements(g, 0, 2);
  print_condition(g, s, burning(g, fuel), NULL, 0);
  leave(g, s);
  print_do(g, NULL, 0);
  s = enter(g, (u64)most);
  statements(g, 0, 2);
  Val now = remember(g, new_value(g, "x", t));
  say(g, "%s = memref.load %s[%s] : memref<1xi32>", now.name, tank.name, zero.name);
  store_at(g, &tank, &zero, spent(g, now));
  terminate(g, s, "scf.yield", NULL, 0);
  leave(g, s);
  end_while(g);
}

/* One way of counting: start, bound and step are drawn from the given ranges, so that it ends
 * within `trips` for all of them. `exact` ones reach the bound and may ask != for it. */
typedef struct {
  const char *op, *compare;
  i64 start_lo, start_hi, bound_lo, bound_hi, step_lo, step_hi;
  unsigned trips;
} Counting;

static const Counting countings[] = {
    {"arith.addi", "slt", -2, 3, 0, 7, 1, 3, 9},   {"arith.addi", "sle", -2, 3, 0, 6, 1, 3, 9},
    {"arith.addi", "ne", 0, 2, 2, 7, 1, 1, 7},     {"arith.subi", "sgt", 0, 7, -1, 3, 1, 3, 8},
    {"arith.subi", "sge", 0, 7, 0, 3, 1, 2, 8},    {"arith.subi", "ne", 4, 7, 0, 4, 1, 1, 7},
    {"arith.muli", "slt", 1, 3, 0, 100, 2, 3, 7},  {"arith.muli", "sle", 1, 3, 0, 100, 2, 3, 7},
    {"arith.divsi", "sgt", 0, 100, 0, 5, 2, 4, 7}, {"arith.divsi", "sge", 0, 100, 1, 5, 2, 4, 7},
    {"arith.divsi", "ne", 0, 100, 0, 0, 2, 4, 8},  {"arith.shli", "slt", 1, 3, 0, 100, 1, 2, 7},
    {"arith.shli", "sle", 1, 3, 0, 100, 1, 2, 7},  {"arith.shrsi", "sgt", 0, 100, 0, 5, 1, 2, 7},
    {"arith.shrsi", "ne", 0, 100, 0, 0, 1, 2, 7},  {"arith.shrsi", "sge", 0, 100, 1, 5, 1, 2, 7},
    {"arith.shrui", "sgt", 0, 100, 0, 5, 1, 2, 7}, {"arith.divui", "sgt", 0, 100, 0, 5, 2, 4, 7},
    {"arith.addi", "ult", 0, 3, 0, 7, 1, 3, 7},    {"arith.subi", "ugt", 4, 7, 0, 3, 1, 1, 7},
};

/* A value of t in [lo, hi]; not a constant if it can be helped. */
static Val drawn(Gen *g, const Scalar *t, i64 lo, i64 hi, bool constant) {
  Val v;
  if (!constant && lo < hi && chance(g, 30) && choose_within(g, t, lo, hi, &v)) return v;
  if (constant || lo == hi || chance(g, 40)) return constant_int(g, t, between(g, lo, hi));
  v = small_value(g, t, hi - lo, false);
  return lo ? binary(g, "arith.addi", t, v, constant_int(g, t, lo)) : v;
}

static const char *turned_around(const char *predicate) {
  static const char *const pairs[][2] = {{"slt", "sgt"}, {"sle", "sge"}, {"ult", "ugt"}};
  for (size_t i = 0; i < COUNT_OF(pairs); i++) {
    if (!strcmp(predicate, pairs[i][0])) return pairs[i][1];
    if (!strcmp(predicate, pairs[i][1])) return pairs[i][0];
  }
  return predicate;
}

/* The values that the counter has while the loop goes on, as far as that is known. */
static Val counter_range(Val v, const Counting *c, const Val *start, const Val *bound) {
  if (!strcmp(c->compare, "slt") || !strcmp(c->compare, "ult"))
    return with_range(v, start->lo, bound->hi - 1);
  if (!strcmp(c->compare, "sle")) return with_range(v, start->lo, bound->hi);
  if (!strcmp(c->compare, "sgt") || !strcmp(c->compare, "ugt"))
    return with_range(v, bound->lo + 1, start->hi);
  if (!strcmp(c->compare, "sge")) return with_range(v, bound->lo, start->hi);
  return v;
}

/* Counts in one of the ways above: `while (i < bound) { ...; i += step }`. The step is taken in
 * the after region, or before the condition is asked, or there but passed on. */
static void while_that_counts(Gen *g) {
  static const char *const types[] = {"index", "index", "i32", "i32", "i16", "i64"};
  const Counting *c = &countings[below(g, COUNT_OF(countings))];
  const Scalar *t = scalar_named(types[below(g, 6)]);
  if (c->trips * g->trips > MAX_RUNS) return;
  bool exact = !strcmp(c->compare, "ne");
  Val start = drawn(g, t, c->start_lo, c->start_hi, false);
  Val bound = drawn(g, t, c->bound_lo, c->bound_hi, false);
  Val step = drawn(g, t, c->step_lo, c->step_hi, exact && c->step_lo == c->step_hi);
  if (exact && !strncmp(c->op, "arith.add", 9) && start.hi > bound.lo) return;
  if (exact && !strncmp(c->op, "arith.sub", 9) && start.lo < bound.hi) return;

  Types carried = random_types(g, 0, 2), all = {.n = carried.n + 1, .at = {t}};
  for (unsigned i = 0; i < carried.n; i++) all.at[i + 1] = carried.at[i];
  Val inits[MAX_RESULTS], args[MAX_RESULTS], after[MAX_RESULTS], yields[MAX_RESULTS];
  Val results[MAX_RESULTS];
  char prefix[NAME_SIZE];
  any_values(g, &all, inits);
  inits[0] = start;
  for (unsigned i = 0; i < all.n; i++) args[i] = new_value(g, "a", all.at[i]);
  name_results(g, &all, prefix, results);
  print_while(g, &all, &all, prefix, args, inits);

  Scope s = enter(g, c->trips + 1);
  remember_all(g, args, all.n);
  if (chance(g, 25)) statements(g, 1, 1);
  if (chance(g, 15)) /* the bound itself again, worked out each time around */
    bound = binary(g, "arith.maxsi", t, bound, constant_int(g, t, bound.lo));
  Val cond = new_value(g, "p", scalar_named("i1"));
  bool turned = chance(g, 20);
  say(g, "%s = arith.cmpi %s, %s, %s : %s", cond.name,
      turned ? turned_around(c->compare) : c->compare, turned ? bound.name : args[0].name,
      turned ? args[0].name : bound.name, t->name);
  bool early = chance(g, 20);
  Val passed[MAX_RESULTS];
  for (unsigned i = 0; i < all.n; i++) passed[i] = args[i];
  if (early) passed[0] = binary(g, c->op, t, args[0], step);
  print_condition(g, s, cond, passed, all.n);
  leave(g, s);

  for (unsigned i = 0; i < all.n; i++) after[i] = new_value(g, "b", all.at[i]);
  if (!early) after[0] = counter_range(after[0], c, &start, &bound);
  print_do(g, after, all.n);
  s = enter(g, c->trips);
  remember_all(g, after, all.n);
  bool first = !early && chance(g, 30);
  Val next = after[0];
  if (first) next = binary(g, c->op, t, after[0], step);
  statements(g, 0, 3);
  if (!early && !first) next = binary(g, c->op, t, after[0], step);
  loop_yields(g, &all, after, yields);
  yields[0] = next;
  terminate(g, s, "scf.yield", yields, all.n);
  leave(g, s);
  end_while(g);
  remember_all(g, results, all.n);
}

static void while_statement(Gen *g) {
  unsigned form = below(g, 100);
  if (form < 50)
    while_that_counts(g);
  else if (form < 90)
    while_with_fuel(g);
  else if (!g->no_effects)
    while_without_args(g);
}

/* ---- scf.parallel -------------------------------------------------------------------------- */

/* One of as many elements for each of them, and no sum of anything: %i xor a literal. */
static Val elsewhere(Gen *g, Val index, unsigned extent) {
  if ((extent & (extent - 1)) || !chance(g, 50)) return index;
  Val other = constant_int(g, index.type, below(g, extent)), at = new_value(g, "p", index.type);
  say(g, "%s = arith.xori %s, %s : index", at.name, index.name, other.name);
  return at;
}

/* What was in the element before goes in. */
static Val with_element(Gen *g, const Mem *m, const Val *indices, Val value) {
  Val was = new_value(g, "x", m->elem), mixed = new_value(g, "v", m->elem);
  char list[LINE] = "", type[LINE];
  append_values(list, indices, m->rank);
  mem_type(m, type);
  say(g, "%s = memref.load %s[%s] : %s", was.name, m->name, list, type);
  say(g, "%s = arith.xori %s, %s : %s", mixed.name, was.name, value.name, m->elem->name);
  return mixed;
}

/* What an iteration does that stores its own element of a memory, of which it reads no other. */
static void own_element(Gen *g, const Mem *m, Val *iv,
                        void (*inside)(Gen *g, unsigned least, unsigned most)) {
  g->no_effects++;
  g->hidden_root = m->root;
  inside(g, 0, 2);
  Val value = any_value(g, m->elem);
  g->hidden_root = 0;
  g->no_effects--;
  for (unsigned i = 0; i < m->rank; i++) iv[i] = elsewhere(g, iv[i], m->extent[i]);
  if (m->elem->kind != 'f' && chance(g, 50)) value = with_element(g, m, iv, value);
  store_at(g, m, iv, value);
}

/* Of scf.parallel every iteration does so. */
static void parallel_statement(Gen *g) {
  const Scalar *t = scalar_named("index");
  Mem m;
  char ivs[LINE] = "", lows[LINE] = "", highs[LINE] = "", steps[LINE] = "";
  Val iv[MAX_RANK];
  u64 trips = 1;
  if (g->no_effects || !choose_mem(g, true, &m) || m.rank == 0 || m.rank > 2) return;
  if (g->trips * (u64)mem_elements(&m) > MAX_RUNS) return;
  for (unsigned i = 0; i < m.rank; i++) {
    const char *comma = i ? ", " : "";
    Val low = constant_int(g, t, below(g, 2)), step = constant_int(g, t, between(g, 1, 2));
    Val high =
        chance(g, 60) ? constant_int(g, t, m.extent[i]) : small_value(g, t, m.extent[i], false);
    i64 last = high.hi - 1 > low.lo ? high.hi - 1 : low.lo;
    iv[i] = with_range(new_value(g, "i", t), low.lo, last);
    append(ivs, "%s%s", comma, iv[i].name);
    append(lows, "%s%s", comma, low.name);
    append(highs, "%s%s", comma, high.name);
    append(steps, "%s%s", comma, step.name);
    trips *= (u64)m.extent[i];
  }
  say(g, "scf.parallel (%s) = (%s) to (%s) step (%s) {", ivs, lows, highs, steps);
  Scope s = enter(g, trips);
  remember_all(g, iv, m.rank);
  own_element(g, &m, iv, statements);
  leave(g, s);
  say(g, "}");
}

static void straight_statement(Gen *g);

static void one_while(Gen *g, unsigned least, unsigned most) {
  for (unsigned n = least + below(g, most - least + 1); n; n--) straight_statement(g);
  while_with_fuel(g);
  if (chance(g, 40)) straight_statement(g);
}

/* A loop with a while inside, whose iterations may take turns: each stores its own element, of which it reads no other. */
static void turns_statement(Gen *g) {
  const Scalar *t = scalar_named("index");
  Mem m;
  if (g->no_effects || !choose_mem(g, true, &m) || m.rank != 1) return;
  if (8 * g->trips * (u64)mem_elements(&m) > 2 * MAX_RUNS) return;
  Val low = chance(g, 50) ? constant_int(g, t, below(g, 3)) : small_value(g, t, 2, false);
  Val high =
      chance(g, 40) ? constant_int(g, t, m.extent[0]) : small_value(g, t, m.extent[0], false);
  Val step = constant_int(g, t, between(g, 1, 2));
  i64 last = high.hi - 1 > low.lo ? high.hi - 1 : low.lo;
  Val iv = with_range(new_value(g, "i", t), low.lo, last);
  say(g, "scf.for %s = %s to %s step %s {", iv.name, low.name, high.name, step.name);
  Scope s = enter(g, (u64)m.extent[0]);
  remember(g, iv);
  own_element(g, &m, &iv, one_while);
  leave(g, s);
  say(g, "} {loom.copies = %u : i32}", 2 + g->next_name % 4);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* A memory that may stand for the helper's parameter: the same type. */
static bool argument_for(Gen *g, const Mem *param, Mem *chosen) {
  char wanted[LINE], type[LINE];
  mem_type(param, wanted);
  for (unsigned tries = 0; tries < 8; tries++) {
    if (!choose_mem(g, !param->read_only, chosen)) return false;
    mem_type(chosen, type);
    bool same = !strcmp(type, wanted);
    for (unsigned i = 0; same && i < param->rank; i++) same = param->extent[i] == chosen->extent[i];
    if (same) return true;
  }
  return false;
}

static void call_statement(Gen *g) {
  if (!g->helpers.len || g->no_effects) return;
  Helper h = g->helpers.at[below(g, (unsigned)g->helpers.len)];
  char args[LINE] = "", types[LINE] = "", prefix[NAME_SIZE], results_types[LINE] = "";
  Val results[MAX_RESULTS];
  Types t = {.n = h.nresults};
  if (g->cost + h.cost * g->trips > 2 * g->budget) return;
  for (unsigned i = 0; i < h.nmems; i++) {
    Mem m;
    char type[LINE];
    if (!argument_for(g, &h.mems[i], &m)) return;
    mem_type(&m, type);
    append(args, "%s%s", i ? ", " : "", m.name);
    append(types, "%s%s", i ? ", " : "", type);
  }
  for (unsigned i = 0; i < h.nparams; i++) {
    const Val *p = &h.params[i];
    Val v = p->ranged ? small_value(g, p->type, p->hi, false) : any_value(g, p->type);
    append(args, "%s%s", i + h.nmems ? ", " : "", v.name);
    append(types, "%s%s", i + h.nmems ? ", " : "", p->type->name);
  }
  for (unsigned i = 0; i < t.n; i++) t.at[i] = h.results[i];
  name_results(g, &t, prefix, results);
  append_types(results_types, &t);
  say(g, "%sfunc.call @%s(%s) : (%s) -> (%s)", prefix, h.name, args, types, results_types);
  g->cost += h.cost * g->trips;
  remember_all(g, results, t.n);
}

/* ---- globals ------------------------------------------------------------------------------- */

static void global_statement(Gen *g) {
  char type[LINE];
  if (!g->globals.len) return;
  Mem m = g->globals.at[below(g, (unsigned)g->globals.len)];
  char symbol[NAME_SIZE];
  memcpy(symbol, m.name, sizeof symbol);
  mem_type(&m, type);
  snprintf(m.name, sizeof m.name, "%%t%u", g->next_name++);
  say(g, "%s = memref.get_global @%s : %s", m.name, symbol, type);
  vec_push(&g->mems, m);
}

/* ---- statements ---------------------------------------------------------------------------- */

enum { MAX_DEPTH = 5 };

static void control_statement(Gen *g) {
  if (g->options->edges && chance(g, 60)) {
    edge_statement(g);
    return;
  }
  unsigned form = below(g, 100);
  if (form < 44)
    for_statement(g);
  else if (form < 66)
    if_statement(g);
  else if (form < 88)
    while_statement(g);
  else if (form < 92)
    switch_statement(g);
  else if (form < 95)
    execute_region_statement(g);
  else if (form < 98)
    parallel_statement(g);
  else
    turns_statement(g);
}

static void straight_statement(Gen *g) {
  unsigned form = below(g, 100);
  if (form < 18)
    make_value(g, random_scalar(g));
  else if (form < 21)
    guarded_division_statement(g);
  else if (form < 24)
    guarded_load_statement(g);
  else if (form < 35)
    update_statement(g);
  else if (form < 40)
    exchange_statement(g);
  else if (form < 76)
    store_statement(g);
  else if (form < 84)
    view_statement(g);
  else if (form < 89)
    alloc_statement(g);
  else if (form < 92)
    copy_statement(g);
  else if (form < 95)
    global_statement(g);
  else
    call_statement(g);
}

static void statement(Gen *g) {
  if (g->cost > g->budget) return;
  if (g->depth < MAX_DEPTH && chance(g, 60 - 10 * g->depth))
    control_statement(g);
  else
    straight_statement(g);
}

void statements(Gen *g, unsigned least, unsigned most) {
  for (i64 n = between(g, least, most); n > 0; n--) statement(g);
}

/* ---- functions ----------------------------------------------------------------------------- */

typedef struct {
  bool is_mem;
  Mem mem;
  Val val;
  Buf literal; /* its value in MLIR's syntax */
} Argument;

typedef Vec(Argument) Arguments;

static void print_parameter(Gen *g, const Argument *a, bool first) {
  char type[LINE];
  if (a->is_mem) mem_type(&a->mem, type);
  buf_printf(g->out, "%s%s: %s", first ? "" : ", ", a->is_mem ? a->mem.name : a->val.name,
             a->is_mem ? type : a->val.type->name);
}

static void print_function(Gen *g, const char *name, const Arguments *args, Types results,
                           unsigned nstatements) {
  Val returned[MAX_RESULTS];
  buf_printf(g->out, "func.func @%s(", name);
  for (size_t i = 0; i < args->len; i++) {
    const Argument *a = &args->at[i];
    print_parameter(g, a, i == 0);
    if (a->is_mem)
      vec_push(&g->mems, a->mem);
    else
      remember(g, a->val);
  }
  char arrow[LINE] = "";
  append_arrow(arrow, &results);
  buf_printf(g->out, ")%s {\n", arrow);
  Scope s = enter(g, 1);
  if (chance(g, 70)) global_statement(g);
  bool sums = g->edge.type && results.n;
  Val sum = sums ? edge_loops(g) : (Val){.type = NULL};
  statements(g, nstatements, nstatements);
  any_values(g, &results, returned);
  if (sums) returned[0] = sum;
  terminate(g, s, "return", returned, results.n);
  leave(g, s);
  buf_str(g->out, "}\n");
  g->vals.len = g->mems.len = 0;
  g->depth = 0;
}

static Argument scalar_argument(Gen *g, Buf *json) {
  Argument a = {.val = new_value(g, "n", random_scalar(g))};
  bool small = a.val.type->kind == 'x' || (a.val.type->kind == 'i' && chance(g, 40));
  Buf value = {0};
  if (small && a.val.type->width > 4) {
    i64 n = below(g, 10);
    a.val = with_range(a.val, n, n);
    buf_i64(&a.literal, n);
    buf_i64(&value, n);
  } else {
    random_literal(g, a.val.type, &a.literal, &value);
  }
  buf_printf(json, "{\"scalar\": {\"type\": \"%s\", \"value\": %s}}", a.val.type->name, value.data);
  buf_free(&value);
  return a;
}

/* A number that no one but the case knows: see random_loops.c. */
static Argument edge_argument(Gen *g, Buf *json) {
  Argument a = {.val = new_value(g, "edge", scalar_named("i64"))};
  g->edge = a.val;
  g->edge_number = random_u64(g);
  buf_i64(&a.literal, (i64)g->edge_number);
  buf_printf(json, ",\n  {\"scalar\": {\"type\": \"i64\", \"value\": %lld}}",
             (long long)g->edge_number);
  return a;
}

static Argument memory_argument(Gen *g, Buf *json) {
  Argument a = {.is_mem = true, .mem = random_mem(g)};
  Mem *m = &a.mem;
  snprintf(m->name, sizeof m->name, "%%m%u", g->next_name++);
  for (unsigned i = 0; i < m->rank; i++) m->dynamic[i] = chance(g, 35);
  buf_str(json, "{\"memref\": {\"shape\": [");
  for (unsigned i = 0; i < m->rank; i++)
    buf_printf(json, "%s%lld", i ? ", " : "", (long long)m->extent[i]);
  buf_printf(json, "], \"type\": \"%s\", \"data\": [", m->elem->name);
  dense_literal(g, m, &a.literal, json);
  buf_str(json, "]}}");
  return a;
}

static void add_global(Gen *g) {
  char type[LINE];
  Mem m = random_mem(g);
  Buf literal = {0};
  snprintf(m.name, sizeof m.name, "t%u", (unsigned)g->globals.len);
  m.read_only = chance(g, 60);
  mem_type(&m, type);
  dense_literal(g, &m, &literal, NULL);
  say(g, "memref.global \"private\" %s@%s : %s = %s", m.read_only ? "constant " : "", m.name, type,
      literal.data);
  buf_free(&literal);
  vec_push(&g->globals, m);
}

/* A helper whose memories are like some of main's, so that calls find what to pass. */
static void add_helper(Gen *g, const Arguments *main_args) {
  Helper h = {.nmems = 0};
  Arguments args = {0};
  h.nparams = below(g, 3);
  h.nresults = below(g, 3);
  Types results = {.n = h.nresults};
  for (size_t i = 0; i < main_args->len && h.nmems < 2; i++) {
    Argument a = {.is_mem = true, .mem = main_args->at[i].mem};
    if (!main_args->at[i].is_mem || !chance(g, 50)) continue;
    snprintf(a.mem.name, sizeof a.mem.name, "%%m%u", g->next_name++);
    a.mem.root = ++g->next_root;
    h.mems[h.nmems++] = a.mem;
    vec_push(&args, a);
  }
  for (unsigned i = 0; i < h.nparams; i++) {
    Argument a = {.val = new_value(g, "n", random_scalar(g))};
    if (a.val.type->kind == 'x') a.val = with_range(a.val, 0, between(g, 1, 6));
    h.params[i] = a.val;
    vec_push(&args, a);
  }
  for (unsigned i = 0; i < h.nresults; i++) results.at[i] = h.results[i] = random_scalar(g);
  snprintf(h.name, sizeof h.name, "h%u", (unsigned)g->helpers.len);
  g->cost = 0;
  g->budget = 200;
  print_function(g, h.name, &args, results, 1 + below(g, 3));
  h.cost = g->cost;
  vec_push(&g->helpers, h);
  vec_free(&args);
}

/* ---- the call that mlir-runner makes -------------------------------------------------------- */

/* Prints v's bits as a number on a line of its own, any NaN as the canonical one. */
static void print_bits(Gen *g, Val v) {
  const Scalar *t = v.type;
  char as_int[NAME_SIZE];
  if (t->kind == 'f') {
    const char *quiet = t->width == 64             ? "0x7FF8000000000000"
                        : t->width == 32           ? "0x7FC00000"
                        : !strcmp(t->name, "bf16") ? "0x7FC0"
                                                   : "0x7E00";
    unsigned id = g->next_name++;
    say(g, "%%u%u = arith.cmpf uno, %s, %s : %s", id, v.name, v.name, t->name);
    say(g, "%%q%u = arith.constant %s : %s", id, quiet, t->name);
    say(g, "%%s%u = arith.select %%u%u, %%q%u, %s : %s", id, id, id, v.name, t->name);
    snprintf(as_int, sizeof as_int, "%%b%u", id);
    say(g, "%s = arith.bitcast %%s%u : %s to i%u", as_int, id, t->name, t->width);
  } else {
    snprintf(as_int, sizeof as_int, "%s", v.name);
  }
  if (t->kind == 'x') {
    unsigned id = g->next_name++;
    say(g, "%%e%u = arith.index_castui %s : index to i64", id, as_int);
    snprintf(as_int, sizeof as_int, "%%e%u", id);
  } else if (t->width < 64) {
    unsigned id = g->next_name++;
    say(g, "%%e%u = arith.extui %s : i%u to i64", id, as_int, t->width);
    snprintf(as_int, sizeof as_int, "%%e%u", id);
  }
  say(g, "func.call @printU64(%s) : (i64) -> ()", as_int);
  say(g, "func.call @printNewline() : () -> ()");
}

static void print_memory(Gen *g, const Mem *m) {
  const Scalar *t = scalar_named("index");
  Val indices[MAX_RANK], value = new_value(g, "x", m->elem);
  char list[LINE] = "", type[LINE];
  for (unsigned i = 0; i < m->rank; i++) {
    Val low = constant_int(g, t, 0), high = constant_int(g, t, m->extent[i]);
    Val step = constant_int(g, t, 1);
    indices[i] = new_value(g, "i", t);
    say(g, "scf.for %s = %s to %s step %s {", indices[i].name, low.name, high.name, step.name);
    g->indent++;
  }
  append_values(list, indices, m->rank);
  mem_type(m, type);
  say(g, "%s = memref.load %s[%s] : %s", value.name, m->name, list, type);
  print_bits(g, value);
  for (unsigned i = 0; i < m->rank; i++) {
    g->indent--;
    say(g, "}");
  }
  g->vals.len = 0;
}

/* The arguments as globals, the call, and everything that came out of it. */
static void print_entry(Gen *g, const Arguments *args, const Types *results) {
  char values[LINE] = "", types[LINE] = "", prefix[NAME_SIZE], results_types[LINE] = "";
  Val returned[MAX_RESULTS];
  say(g, "func.func private @printU64(i64)");
  say(g, "func.func private @printNewline()");
  for (size_t i = 0; i < args->len; i++) {
    Mem m = args->at[i].mem;
    char type[LINE];
    if (!args->at[i].is_mem) continue;
    memset(m.dynamic, 0, sizeof m.dynamic);
    mem_type(&m, type);
    for (unsigned d = 0; d < g->indent; d++) buf_str(g->out, "  ");
    buf_printf(g->out, "memref.global \"private\" @in%zu : %s = %s\n", i, type,
               args->at[i].literal.data);
  }
  say(g, "func.func @entry() {");
  g->indent++;
  for (size_t i = 0; i < args->len; i++) {
    const Argument *a = &args->at[i];
    const char *comma = i ? ", " : "";
    char type[LINE], wanted[LINE];
    if (a->is_mem) {
      Mem m = a->mem;
      memset(m.dynamic, 0, sizeof m.dynamic);
      mem_type(&m, type);
      mem_type(&a->mem, wanted);
      say(g, "%%in%zu = memref.get_global @in%zu : %s", i, i, type);
      say(g, "%s = memref.cast %%in%zu : %s to %s", m.name, i, type, wanted);
      append(values, "%s%s", comma, m.name);
      append(types, "%s%s", comma, wanted);
    } else {
      const char *t = a->val.type->name;
      bool is_bool = a->val.type->width == 1;
      say(g, "%s = arith.constant %s%s%s", a->val.name, a->literal.data, is_bool ? "" : " : ",
          is_bool ? "" : t);
      append(values, "%s%s", comma, a->val.name);
      append(types, "%s%s", comma, t);
    }
  }
  name_results(g, results, prefix, returned);
  append_types(results_types, results);
  say(g, "%sfunc.call @main(%s) : (%s) -> (%s)", prefix, values, types, results_types);
  for (unsigned i = 0; i < results->n; i++) print_bits(g, returned[i]);
  for (size_t i = 0; i < args->len; i++)
    if (args->at[i].is_mem) print_memory(g, &args->at[i].mem);
  say(g, "return");
  g->indent--;
  say(g, "}");
}

/* ---- the entry point ------------------------------------------------------------------------- */

void random_program(RandomProgram *program, const RandomOptions *options) {
  Gen g = {.options = options, .random = {options->seed * 0x2545f4914f6cdd1du}, .trips = 1};
  Buf helpers = {0}, main_text = {0};
  Arguments args = {0};
  if (options->gotos) {
    random_gotos(&g, program);
    return;
  }
  g.size = options->size ? options->size : 1 + below(&g, 5);
  if (options->edges && !options->size) g.size = 1;
  g.out = &program->text;
  for (unsigned n = below(&g, 3); n > 0; n--) add_global(&g);

  buf_str(&program->json, "{\"function\": \"main\", \"args\": [");
  for (unsigned i = 0, n = 2 + below(&g, 2 + g.size); i < n; i++) {
    if (i) buf_str(&program->json, ",\n  ");
    Argument a = i == 0 || chance(&g, 50) ? memory_argument(&g, &program->json)
                                          : scalar_argument(&g, &program->json);
    vec_push(&args, a);
  }

  g.out = &helpers;
  for (unsigned n = below(&g, 3); n > 0; n--) add_helper(&g, &args);
  if (options->edges) {
    Argument edge = edge_argument(&g, &program->json);
    vec_push(&args, edge);
  }
  buf_str(&program->json, "]}\n");
  Types results = random_types(&g, options->edges, 3);
  if (options->edges) results.at[0] = scalar_named("i64");
  g.out = &main_text;
  g.cost = 0;
  g.budget = 1000 * g.size;
  print_function(&g, "main", &args, results, options->edges ? below(&g, 3) : 2 + 2 * g.size);
  bool main_first = chance(&g, 50);
  const Buf *first = main_first ? &main_text : &helpers;
  const Buf *second = main_first ? &helpers : &main_text;
  buf_put(&program->text, first->data, first->len);
  buf_put(&program->text, second->data, second->len);

  g.out = &program->mlir;
  print_entry(&g, &args, &results);
  for (size_t i = 0; i < args.len; i++) buf_free(&args.at[i].literal);
  vec_free(&args);
  vec_free(&g.vals);
  vec_free(&g.mems);
  vec_free(&g.globals);
  vec_free(&g.helpers);
  buf_free(&helpers);
  buf_free(&main_text);
}

void random_program_free(RandomProgram *program) {
  buf_free(&program->text);
  buf_free(&program->json);
  buf_free(&program->mlir);
}

/* random_values.c -- the scalar half of the random program generator: numbers, literals, and one
 * pure op after another.
 *
 * Everything made here is defined to the last bit, so that two engines have no excuse:
 *
 *     wanted                what is printed
 *     a / b                 a / ((b & 7) | 1)              never zero, never MIN / -1
 *     a << b                a << (b & (w - 1))             never past the width
 *     float to int          |x| < 2^(w-1) ? x : 1.0 first  never out of range
 *     a value in [0, n)     b & m, b remui n, a clamp, a loop variable, a constant
 *
 * Beside its type a value may carry a range (see Val); addition, multiplication and the like keep
 * it where nothing can overflow. Ranges are what loop bounds and indices are chosen by.
 *
 * The same seed must give the same text everywhere, and C leaves open in which order a call's
 * arguments are evaluated: no call here has two arguments that draw or print.
 *
 * With options->portable, ops are left out whose last bit MLIR's own lowering does not promise:
 * the sign of a NaN, which zero minnumf picks, rounding twice on the way to a half float.
 */
#include "random_gen.h"

#include <stdlib.h>

/* ---- numbers ------------------------------------------------------------------------------- */

u64 random_u64(Gen *g) {
  return random_next(&g->random);
}

unsigned below(Gen *g, unsigned n) {
  return (unsigned)((random_u64(g) >> 32) * n >> 32);
}
bool chance(Gen *g, unsigned percent) {
  return below(g, 100) < percent;
}
i64 between(Gen *g, i64 lo, i64 hi) {
  return lo + (i64)below(g, (unsigned)(hi - lo + 1));
}

/* ---- printing ------------------------------------------------------------------------------ */

void say(Gen *g, const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  for (unsigned i = 0; i < g->indent; i++) buf_str(g->out, "  ");
  buf_str(g->out, line);
  buf_char(g->out, '\n');
  g->cost += g->trips;
}

void append(char out[LINE], const char *format, ...) {
  size_t len = strlen(out);
  va_list args;
  va_start(args, format);
  size_t wanted = (size_t)vsnprintf(out + len, LINE - len, format, args);
  va_end(args);
  if (wanted < LINE - len) return;
  fprintf(stderr, "a generated line is longer than %d bytes\n", LINE);
  exit(2); /* a line cut short would be another program */
}

Val new_value(Gen *g, const char *prefix, const Scalar *type) {
  Val v = {.type = type};
  snprintf(v.name, sizeof v.name, "%%%s%u", prefix, g->next_name++);
  return v;
}

Val remember(Gen *g, Val v) {
  vec_push(&g->vals, v);
  return v;
}

/* ---- types --------------------------------------------------------------------------------- */

enum { INDEX_BITS = 32 };

/* The first five and index, i1, f32 are what kernels are made of, and are drawn more often. */
static const Scalar scalars[] = {
    {"i32", 'i', 32},           {"i8", 'i', 8},   {"i16", 'i', 16},
    {"i64", 'i', 64},           {"i1", 'i', 1},   {"i5", 'i', 5},
    {"i13", 'i', 13},           {"i33", 'i', 33}, {"i48", 'i', 48},
    {"index", 'x', INDEX_BITS}, {"f32", 'f', 32}, {"bf16", 'f', 16},
    {"f64", 'f', 64},           {"f16", 'f', 16},
};
enum { INT_COUNT = 9, INDEX_AT = 9, FLOAT_AT = 10 };

const Scalar *scalar_named(const char *name) {
  for (size_t i = 0; i < COUNT_OF(scalars); i++)
    if (!strcmp(scalars[i].name, name)) return &scalars[i];
  loom_bug("no scalar type %s", name);
}

static const Scalar *random_integer(Gen *g) {
  unsigned n = below(g, 20);
  if (n < 6) return &scalars[0];
  if (n < 9) return &scalars[INDEX_AT];
  return &scalars[below(g, n < 18 ? 5 : INT_COUNT)];
}

static const Scalar *random_float(Gen *g) {
  return &scalars[chance(g, 60) ? FLOAT_AT : FLOAT_AT + below(g, 4)];
}

const Scalar *random_scalar(Gen *g) {
  return chance(g, 70) ? random_integer(g) : random_float(g);
}

static bool fits(const Scalar *t, i64 lo, i64 hi) {
  unsigned bits = t->width > 30 ? 30 : t->width; /* small, so that sums of ranges cannot overflow */
  return t->kind != 'f' && bits > 1 && lo >= -((i64)1 << (bits - 1)) &&
         hi < ((i64)1 << (bits - 1)) && lo <= hi;
}

Val with_range(Val v, i64 lo, i64 hi) {
  v.ranged = fits(v.type, lo, hi);
  v.lo = lo;
  v.hi = hi;
  return v;
}

/* ---- literals ------------------------------------------------------------------------------ */

static i64 random_number(Gen *g, const Scalar *t) {
  u64 bits = random_u64(g);
  switch (below(g, 8)) {
  case 0: break;
  case 1: bits = (u64)1 << below(g, t->width); break;             /* MIN among them */
  case 2: bits = ((u64)1 << (t->width - 1)) - below(g, 2); break; /* MAX or MIN */
  case 3: bits = (u64)0 - below(g, 10); break;
  default: bits = below(g, 12); break;
  }
  unsigned unused = 64 - t->width;
  return (i64)(bits << unused) >> unused;
}

/* The bits that start and end a float format, for its inf, NaN and smallest denormal. */
static u64 float_special(const Scalar *t, unsigned which) {
  u64 inf = !strcmp(t->name, "f16")    ? 0x7c00
            : !strcmp(t->name, "bf16") ? 0x7f80
            : t->width == 32           ? 0x7f800000
                                       : 0x7ff0000000000000;
  u64 quiet = !strcmp(t->name, "f16")    ? 0x200
              : !strcmp(t->name, "bf16") ? 0x40
              : t->width == 32           ? 0x400000
                                         : 0x8000000000000;
  u64 sign = (u64)1 << (t->width - 1);
  u64 bits[] = {inf, inf | sign, inf | quiet, 1, inf - 1};
  return bits[which];
}

static void float_literal(Gen *g, const Scalar *t, Buf *mlir, Buf *json) {
  static const char *const names[] = {"\"inf\"", "\"-inf\"", "\"nan\""};
  if (chance(g, 6)) {
    unsigned which = below(g, json ? 3 : 5);
    buf_printf(mlir, "0x%0*llX", t->width / 4, (unsigned long long)float_special(t, which));
    if (json) buf_str(json, names[which]);
    return;
  }
  char text[16];
  int quarters = (int)between(g, -120, 120);
  int size = quarters < 0 ? -quarters : quarters;
  const char *sign = quarters < 0 || (!quarters && chance(g, 50)) ? "-" : "";
  snprintf(text, sizeof text, "%s%d.%02d", sign, size / 4, size % 4 * 25);
  buf_str(mlir, text);
  if (json) buf_str(json, text);
}

void random_literal(Gen *g, const Scalar *t, Buf *mlir, Buf *json) {
  if (t->kind == 'f') {
    float_literal(g, t, mlir, json);
    return;
  }
  i64 number = random_number(g, t);
  if (t->width == 1)
    buf_str(mlir, number ? "true" : "false");
  else
    buf_i64(mlir, number);
  if (json) buf_i64(json, t->width == 1 ? number & 1 : number);
}

/* A constant of that value that stands in scope already. */
static bool choose_constant(const Gen *g, const Scalar *t, i64 value, Val *v) {
  for (size_t i = g->vals.len; i-- > 0;) {
    *v = g->vals.at[i];
    if (v->type == t && v->name[1] == 'c' && v->ranged && v->lo == value && v->hi == value)
      return true;
  }
  return false;
}

Val constant_int(Gen *g, const Scalar *t, i64 value) {
  Val known;
  if (chance(g, 60) && choose_constant(g, t, value, &known)) return known;
  Val v = new_value(g, "c", t);
  v.literal = true;
  if (t->width == 1) {
    say(g, "%s = arith.constant %s", v.name, value & 1 ? "true" : "false");
  } else {
    say(g, "%s = arith.constant %lld : %s", v.name, (long long)value, t->name);
    v = with_range(v, value, value);
  }
  return remember(g, v);
}

static Val random_constant(Gen *g, const Scalar *t) {
  if (t->kind != 'f') return constant_int(g, t, random_number(g, t));
  Buf text = {0};
  float_literal(g, t, &text, NULL);
  Val v = new_value(g, "c", t);
  v.literal = true;
  say(g, "%s = arith.constant %s : %s", v.name, text.data, t->name);
  buf_free(&text);
  return remember(g, v);
}

/* ---- choosing from what is in scope -------------------------------------------------------- */

/* What is asked of a value in scope. */
typedef struct {
  const Scalar *type;
  bool ranged; /* known to lie in [lo, hi] */
  bool no_literal;
  i64 lo, hi;
} Wish;

static bool meets(const Val *v, const Wish *w) {
  return v->type == w->type && !(w->no_literal && v->literal) &&
         (!w->ranged || (v->ranged && v->lo >= w->lo && v->hi <= w->hi));
}

/* A value in scope that meets the wish, the recent ones more often. */
static bool choose(Gen *g, Wish w, Val *chosen) {
  unsigned n = 0;
  for (size_t i = 0; i < g->vals.len; i++) n += meets(&g->vals.at[i], &w);
  if (!n) return false;
  unsigned pick = below(g, n);
  if (chance(g, 50)) {
    unsigned other = below(g, n);
    if (other > pick) pick = other;
  }
  for (size_t i = 0;; i++)
    if (meets(&g->vals.at[i], &w) && pick-- == 0) {
      *chosen = g->vals.at[i];
      return true;
    }
}

static bool choose_with_luck(Gen *g, Wish w, Val *chosen) {
  w.no_literal = chance(g, 90);
  if (choose(g, w, chosen)) return true;
  if (!w.no_literal || chance(g, 50)) return false;
  w.no_literal = false;
  return choose(g, w, chosen);
}

bool choose_within(Gen *g, const Scalar *t, i64 lo, i64 hi, Val *chosen) {
  return choose_with_luck(g, (Wish){.type = t, .ranged = true, .lo = lo, .hi = hi}, chosen);
}

/* ---- ops ----------------------------------------------------------------------------------- */

static Val unary(Gen *g, const char *op, const Scalar *t, Val a) {
  Val v = new_value(g, "v", t);
  v.literal = a.literal;
  say(g, "%s = %s %s : %s", v.name, op, a.name, t->name);
  return remember(g, v);
}

static Val binary_plain(Gen *g, const char *op, const Scalar *t, Val a, Val b) {
  Val v = new_value(g, "v", t);
  v.literal = a.literal && b.literal;
  if (!strncmp(op, "index.", 6))
    say(g, "%s = %s %s, %s", v.name, op, a.name, b.name);
  else
    say(g, "%s = %s %s, %s : %s", v.name, op, a.name, b.name, t->name);
  return v;
}

static i64 min_of(i64 a, i64 b) {
  return a < b ? a : b;
}
static i64 max_of(i64 a, i64 b) {
  return a > b ? a : b;
}

/* The range of op's result where those of its operands are known. */
static Val ranged_binary(const char *op, Val v, Val a, Val b) {
  const char *name = strchr(op, '.') + 1;
  if (!strncmp(name, "add", 3)) return with_range(v, a.lo + b.lo, a.hi + b.hi);
  if (!strncmp(name, "sub", 3)) return with_range(v, a.lo - b.hi, a.hi - b.lo);
  if (!strcmp(name, "mul") || !strcmp(name, "muli")) {
    i64 p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    return with_range(v, min_of(min_of(p, q), min_of(r, s)), max_of(max_of(p, q), max_of(r, s)));
  }
  if (!strncmp(name, "mins", 4)) return with_range(v, min_of(a.lo, b.lo), min_of(a.hi, b.hi));
  if (!strncmp(name, "maxs", 4)) return with_range(v, max_of(a.lo, b.lo), max_of(a.hi, b.hi));
  return v;
}

Val binary(Gen *g, const char *op, const Scalar *t, Val a, Val b) {
  Val v = binary_plain(g, op, t, a, b);
  if (a.ranged && b.ranged) v = ranged_binary(op, v, a, b);
  return remember(g, v);
}

/* a & mask, a remui n: in a range whatever `a` is. */
static Val masked(Gen *g, const Scalar *t, Val a, i64 mask) {
  Val m = constant_int(g, t, mask);
  return remember(g, with_range(binary_plain(g, "arith.andi", t, a, m), 0, mask));
}

static Val remainder_of(Gen *g, const Scalar *t, Val a, i64 n) {
  Val m = constant_int(g, t, n);
  return remember(g, with_range(binary_plain(g, "arith.remui", t, a, m), 0, n - 1));
}

static Val clamped(Gen *g, const Scalar *t, Val a, i64 lo, i64 hi) {
  Val low = constant_int(g, t, lo), high = constant_int(g, t, hi);
  Val v = remember(g, binary_plain(g, "arith.maxsi", t, a, low));
  return remember(g, with_range(binary_plain(g, "arith.minsi", t, v, high), lo, hi));
}

/* One of a's type, and not `a` again if it can be helped. */
static Val other_value(Gen *g, Val a) {
  Val v = any_value(g, a.type);
  if (strcmp(v.name, a.name)) return v;
  return make_value(g, a.type);
}

static Val any_binary(Gen *g, const Scalar *t) {
  static const char *const ops[] = {"arith.addi",  "arith.addi",  "arith.subi",  "arith.muli",
                                    "arith.andi",  "arith.ori",   "arith.xori",  "arith.maxsi",
                                    "arith.minsi", "arith.maxui", "arith.minui", "arith.muli"};
  static const char *const index_ops[] = {"index.add",  "index.sub",  "index.mul", "index.maxs",
                                          "index.mins", "index.maxu", "index.and", "index.xor"};
  bool of_index = t->kind == 'x' && !g->options->sixteen && chance(g, 15);
  const char *op =
      of_index ? index_ops[below(g, COUNT_OF(index_ops))] : ops[below(g, COUNT_OF(ops))];
  Val a = any_value(g, t);
  Val b = chance(g, 5) ? a : other_value(g, a);
  return binary(g, op, t, a, b);
}

/* a to the power of something small, and what MLIR calls poison: 0 here. */
static Val curiosity(Gen *g, const Scalar *t) {
  if (t->width > 4 && chance(g, 70)) {
    Val a = any_value(g, t), by = masked(g, t, any_value(g, t), 7);
    if (t->kind == 'i') return binary(g, "math.ipowi", t, a, by);
  }
  Val v = new_value(g, "v", t);
  say(g, "%s = ub.poison : %s", v.name, t->name);
  return remember(g, v);
}

static Val any_division(Gen *g, const Scalar *t) {
  static const char *const ops[] = {"arith.divui",    "arith.remui",      "arith.divsi",
                                    "arith.remsi",    "arith.floordivsi", "arith.ceildivsi",
                                    "arith.ceildivui"};
  Val a = any_value(g, t);
  const char *op = ops[below(g, t->width < 4 ? 2 : COUNT_OF(ops))];
  if (chance(g, 30) || t->width < 4) {
    i64 most = t->width < 4 ? 1 : 7;
    return binary(g, op, t, a, constant_int(g, t, between(g, 1, most)));
  }
  i64 mask = chance(g, 50) ? 7 : 3;
  Val b = masked(g, t, any_value(g, t), mask);
  Val one = constant_int(g, t, 1);
  b = remember(g, binary_plain(g, "arith.ori", t, b, one));
  return binary(g, op, t, a, b);
}

/* if (b > 0) a / b else c: the division must not be done where the branch is not taken. */
void guarded_division_statement(Gen *g) {
  static const char *const ops[] = {"arith.divsi", "arith.remui", "arith.floordivsi",
                                    "arith.remsi"};
  const Scalar *t = random_integer(g);
  if (t->width < 4) return;
  Val a = any_value(g, t), b = any_value(g, t), c = any_value(g, t), zero = constant_int(g, t, 0);
  Val p = remember(g, new_value(g, "p", scalar_named("i1")));
  Val v = new_value(g, "v", t), q = new_value(g, "v", t);
  say(g, "%s = arith.cmpi sgt, %s, %s : %s", p.name, b.name, zero.name, t->name);
  say(g, "%s = scf.if %s -> (%s) {", v.name, p.name, t->name);
  say(g, "  %s = %s %s, %s : %s", q.name, ops[below(g, 4)], a.name, b.name, t->name);
  say(g, "  scf.yield %s : %s", q.name, t->name);
  say(g, "} else {");
  say(g, "  scf.yield %s : %s", c.name, t->name);
  say(g, "}");
  remember(g, v);
}

static Val any_shift(Gen *g, const Scalar *t) {
  static const char *const ops[] = {"arith.shli", "arith.shrsi", "arith.shrui"};
  if (t->width < 3) return any_binary(g, t);
  const char *op = ops[below(g, 3)];
  Val a = any_value(g, t), by;
  if (!g->options->portable && chance(g, 10)) {
    by = any_value(g, t); /* past the width too: ours has a value for that */
  } else if (chance(g, 50)) {
    by = constant_int(g, t, between(g, 0, min_of(t->width - 1, chance(g, 80) ? 3 : 63)));
  } else {
    i64 mask = t->width > 15 ? 7 : 3; /* what the narrowest types hold as a positive number too */
    by = masked(g, t, any_value(g, t), t->width == 3 ? 1 : mask);
  }
  return binary(g, op, t, a, by);
}

static Val compare(Gen *g) {
  static const char *const ints[] = {"slt", "slt", "sle", "sgt", "sge", "eq",
                                     "ne",  "ult", "ule", "ugt", "uge"};
  static const char *const floats[] = {"olt", "ogt", "ole", "oge", "oeq", "one", "ord",
                                       "ult", "ugt", "ule", "uge", "ueq", "une", "uno"};
  const Scalar *t = random_scalar(g);
  bool is_float = t->kind == 'f';
  Val a = any_value(g, t), b = other_value(g, a);
  Val v = new_value(g, "p", scalar_named("i1"));
  if (!is_float && t->kind == 'x' && !g->options->sixteen && chance(g, 10))
    say(g, "%s = index.cmp %s(%s, %s)", v.name, ints[below(g, 11)], a.name, b.name);
  else
    say(g, "%s = arith.cmp%c %s, %s, %s : %s", v.name, is_float ? 'f' : 'i',
        is_float ? floats[below(g, 14)] : ints[below(g, 11)], a.name, b.name, t->name);
  return remember(g, v);
}

static Val select_value(Gen *g, const Scalar *t) {
  Val c = any_value(g, scalar_named("i1"));
  Val a = any_value(g, t), b = other_value(g, a);
  Val v = new_value(g, "v", t);
  say(g, "%s = arith.select %s, %s, %s : %s", v.name, c.name, a.name, b.name, t->name);
  if (a.ranged && b.ranged) v = with_range(v, min_of(a.lo, b.lo), max_of(a.hi, b.hi));
  return remember(g, v);
}

static Val cast(Gen *g, const char *op, Val a, const Scalar *to) {
  Val v = new_value(g, "v", to);
  v.literal = a.literal;
  say(g, "%s = %s %s : %s to %s", v.name, op, a.name, a.type->name, to->name);
  if (a.ranged && (to->kind == 'x' || a.type->kind == 'x' || !strcmp(op, "arith.extsi")) &&
      (a.lo >= 0 || strcmp(op, "arith.index_castui")))
    v = with_range(v, a.lo, a.hi);
  return remember(g, v);
}

/* |x| < limit ? x : 1.0, so that a conversion to a small integer is defined. */
static Val within(Gen *g, Val x, i64 limit, bool no_negative) {
  const Scalar *t = x.type;
  Val most = new_value(g, "c", t), one = new_value(g, "c", t);
  say(g, "%s = arith.constant %lld.0 : %s", most.name, (long long)limit, t->name);
  say(g, "%s = arith.constant 1.0 : %s", one.name, t->name);
  Val size = unary(g, "math.absf", t, x);
  Val ok = new_value(g, "p", scalar_named("i1")), v = new_value(g, "v", t);
  say(g, "%s = arith.cmpf olt, %s, %s : %s", ok.name, size.name, most.name, t->name);
  say(g, "%s = arith.select %s, %s, %s : %s", v.name, ok.name, no_negative ? size.name : x.name,
      one.name, t->name);
  return v;
}

static Val from_float(Gen *g, const Scalar *t) {
  bool is_signed = chance(g, 60);
  Val x = any_value(g, random_float(g));
  unsigned bits = t->width - (is_signed ? 1 : 0);
  i64 limit = bits > 7 ? 128 : (i64)1 << bits; /* 128 is exact in every format */
  if (g->options->portable || chance(g, 80)) x = within(g, x, limit, !is_signed);
  return cast(g, is_signed ? "arith.fptosi" : "arith.fptoui", x, t);
}

static Val bitcast(Gen *g, const Scalar *t) {
  const char *from = NULL;
  if (!strcmp(t->name, "f32")) from = "i32";
  if (!strcmp(t->name, "f64")) from = "i64";
  if (!strcmp(t->name, "f16") || !strcmp(t->name, "bf16")) from = "i16";
  if (!g->options->portable) { /* the bits of a NaN are ours, not MLIR's */
    if (!strcmp(t->name, "i32")) from = "f32";
    if (!strcmp(t->name, "i64")) from = "f64";
    if (!strcmp(t->name, "i16")) from = chance(g, 50) ? "f16" : "bf16";
  }
  if (!from) return make_value(g, t);
  return cast(g, "arith.bitcast", any_value(g, scalar_named(from)), t);
}

static Val cast_to_int(Gen *g, const Scalar *t) {
  if (chance(g, 15) && t->kind == 'i' && t->width > 2) return from_float(g, t);
  if (chance(g, 8)) return bitcast(g, t);
  const Scalar *from = random_integer(g);
  if (from == t) from = scalar_named(t->kind == 'x' ? "i32" : "index");
  Val a = any_value(g, from);
  if (t->kind == 'x' || from->kind == 'x')
    return cast(g, chance(g, 80) ? "arith.index_cast" : "arith.index_castui", a, t);
  if (from->width > t->width) return cast(g, "arith.trunci", a, t);
  return cast(g, chance(g, 60) ? "arith.extsi" : "arith.extui", a, t);
}

static Val bit_count(Gen *g, const Scalar *t) {
  static const char *const ops[] = {"math.ctpop", "math.absi", "math.ctlz", "math.cttz"};
  Val a = any_value(g, t);
  if (chance(g, 20) && t->kind == 'i') {
    Val v = new_value(g, "v", t);
    say(g, "%s = llvm.intr.bitreverse(%s) : (%s) -> %s", v.name, a.name, t->name, t->name);
    return remember(g, v);
  }
  return unary(g, ops[below(g, 4)], t, a);
}

/* Two results, of which one or the other is what was asked for. */
static Val extended(Gen *g, const Scalar *t) {
  if (t->kind != 'i') return any_binary(g, t);
  Val a = any_value(g, t), b = any_value(g, t);
  Val low = new_value(g, "lo", t), high = new_value(g, "hi", t);
  if (chance(g, 40)) {
    high.type = scalar_named("i1");
    say(g, "%s, %s = arith.addui_extended %s, %s : %s, i1", low.name, high.name, a.name, b.name,
        t->name);
    remember(g, high);
    return remember(g, low);
  }
  say(g, "%s, %s = arith.mul%ci_extended %s, %s : %s", low.name, high.name,
      chance(g, 50) ? 's' : 'u', a.name, b.name, t->name);
  remember(g, low);
  return remember(g, high);
}

static Val make_int(Gen *g, const Scalar *t) {
  Val v;
  if (t->width == 1 && chance(g, 70)) return compare(g);
  switch (below(g, 16)) {
  case 0:
  case 1: return random_constant(g, t);
  case 2:
    if (!g->options->portable && !g->options->sixteen && chance(g, 8)) return curiosity(g, t);
    return any_division(g, t);
  case 3: return any_shift(g, t);
  case 4: return select_value(g, t);
  case 5:
  case 6: return cast_to_int(g, t);
  case 7: return chance(g, 70) ? bit_count(g, t) : extended(g, t);
  case 8:
  case 9:
  case 10:
    if (load_value(g, t, &v)) return v;
    return any_binary(g, t);
  default: return any_binary(g, t);
  }
}

static Val any_float_op(Gen *g, const Scalar *t) {
  static const char *const twos[] = {"arith.addf",     "arith.subf",    "arith.mulf",
                                     "arith.divf",     "arith.addf",    "arith.mulf",
                                     "arith.maximumf", "arith.minimumf"};
  static const char *const ones[] = {"math.absf",  "math.floor", "math.ceil",      "math.sqrt",
                                     "arith.negf", "math.trunc", "math.roundeven", "math.round"};
  unsigned which = below(g, 12);
  Val a = any_value(g, t);
  if (which == 0 && !(g->options->portable && t->width == 16)) {
    Val b = any_value(g, t), c = any_value(g, t), v = new_value(g, "v", t);
    say(g, "%s = math.fma %s, %s, %s : %s", v.name, a.name, b.name, c.name, t->name);
    return remember(g, v);
  }
  if (which == 5) return binary(g, "arith.remf", t, a, other_value(g, a));
  if (which == 1 && !g->options->portable) return binary(g, "math.copysign", t, a, any_value(g, t));
  if (which == 2 && !g->options->portable && !g->options->sixteen) {
    const char *op = chance(g, 50) ? "arith.maxnumf" : "arith.minnumf";
    return binary(g, op, t, a, any_value(g, t));
  }
  if (which <= 4) return unary(g, ones[below(g, 8)], t, a);
  const char *op = twos[below(g, g->options->sixteen ? 6 : 8)];
  return binary(g, op, t, a, other_value(g, a));
}

static Val cast_to_float(Gen *g, const Scalar *t) {
  if (chance(g, 20)) return bitcast(g, t);
  if (chance(g, 40)) {
    const Scalar *from = random_float(g);
    bool twice = from->width == 64 && t->width == 16; /* where a library may round on the way */
    if (from->width != t->width && !(twice && g->options->portable))
      return cast(g, from->width < t->width ? "arith.extf" : "arith.truncf", any_value(g, from), t);
  }
  const Scalar *from = random_integer(g);
  bool exact = from->width <= 16 || t->width > 16;
  if (from->kind == 'x' || (g->options->portable && !exact)) from = scalar_named("i8");
  const char *op = chance(g, 60) ? "arith.sitofp" : "arith.uitofp";
  return cast(g, op, any_value(g, from), t);
}

static Val make_float(Gen *g, const Scalar *t) {
  Val v;
  switch (below(g, 10)) {
  case 0: return random_constant(g, t);
  case 1: return select_value(g, t);
  case 2: return cast_to_float(g, t);
  case 3:
  case 4:
  case 5:
    if (load_value(g, t, &v)) return v;
    return any_float_op(g, t);
  default: return any_float_op(g, t);
  }
}

/* Where a value is wanted at once: another number in scope as the type asked for. */
static Val converted(Gen *g, const Scalar *t) {
  static const char *const from[] = {"i32", "index", "i8", "i16", "i64"};
  const Scalar *other = scalar_named(from[below(g, 5)]);
  Val v;
  if (other == t || g->cost > g->budget ||
      (t->kind == 'f' && (other->kind == 'x' || other->width > 8)))
    return random_constant(g, t);
  if (!choose(g, (Wish){.type = other, .no_literal = true}, &v)) return random_constant(g, t);
  if (t->kind == 'f') return cast(g, "arith.sitofp", v, t);
  if (t->kind == 'x' || other->kind == 'x') return cast(g, "arith.index_cast", v, t);
  return cast(g, other->width > t->width ? "arith.trunci" : "arith.extsi", v, t);
}

Val make_value(Gen *g, const Scalar *t) {
  if (g->expression > 3 || g->cost > g->budget) return converted(g, t);
  g->expression++;
  Val v = t->kind == 'f' ? make_float(g, t) : make_int(g, t);
  g->expression--;
  return v;
}

/* ---- what others ask for ------------------------------------------------------------------ */

Val any_value(Gen *g, const Scalar *t) {
  Val v;
  unsigned percent = 60 + 10 * g->expression;
  if (chance(g, percent) && choose_with_luck(g, (Wish){.type = t}, &v)) return v;
  return make_value(g, t);
}

Val small_value(Gen *g, const Scalar *t, i64 hi, bool one) {
  Val v;
  i64 lo = one ? 1 : 0;
  bool hurry = g->expression > 3 || g->cost > g->budget;
  if ((hurry || chance(g, 50)) && choose_within(g, t, lo, hi, &v)) return v;
  unsigned how = below(g, 12);
  if (hi == lo || how == 11 || hurry) return constant_int(g, t, between(g, lo, hi));
  g->expression++;
  Val x = any_value(g, t);
  if (how <= 4) {
    i64 mask = 1;
    while (2 * mask + 1 <= hi - lo) mask = 2 * mask + 1;
    v = masked(g, t, x, mask);
  } else if (how <= 7) {
    v = clamped(g, t, x, lo, hi);
    one = false;
  } else {
    v = remainder_of(g, t, x, hi - lo + 1);
  }
  if (one) v = binary(g, "arith.addi", t, v, constant_int(g, t, 1));
  g->expression--;
  return v;
}

/* rtl_check.c -- operands for the units in the model, and the comparison with the host's
 * arithmetic.
 *
 *     rtl-check N [SEED]          chosen cases and N random ones: N passed, N failed, one a unit
 *     rtl-check --list N [SEED]   the same, and a line for each unit with what was compared
 *     rtl-check --few N [SEED]    the chosen ones from the start of the table alone
 *     rtl-vectors --few N [SEED]  vectors for a test bench that reads them by $readmemh (built with
 *                                 RTL_VECTORS)
 *
 * Chosen are all pairs from a table of special values, with every predicate and a third from the
 * same table, and for formats of 16 bits every single operand. Random ones are half of them any
 * bits, and half such as make trouble: close to one another, products that nearly cancel the third
 * operand, sums with many zeros (ties), the smallest exponents, integers. A NaN must be LOOM's
 * quiet one.
 */
#include "rtl_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const RtlUnit units[] = {
#include "units.inc"
};
enum { UNITS = sizeof units / sizeof *units, MAX_SHOWN = 3, MAX_SPECIALS = 256 };

static RtlReference *references[UNITS];
static unsigned long compared[UNITS], differ[UNITS];

/* ---- operands -------------------------------------------------------------------------------- */

static uint64_t random_state = 1;

static uint64_t random_word(void) { /* splitmix64, S. Vigna */
  uint64_t x = random_state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* The format of the group, by its addf; 0 bits where it is the integers. */
static RtlType format;
static unsigned exponent_bits, fraction_bits;

static void find_format(void) {
  for (unsigned i = 0; i < UNITS; i++)
    if (strcmp(units[i].op, "arith.addf") == 0) format = units[i].y;
  exponent_bits = format.bits == 64 ? 11 : format.bits == 32 || format.kind == 'b' ? 8 : 5;
  fraction_bits = format.bits ? format.bits - 1 - exponent_bits : 0;
}

static uint64_t make_float(uint64_t sign, uint64_t exponent, uint64_t fraction) {
  uint64_t top = ((uint64_t)1 << exponent_bits) - 1, all = ((uint64_t)1 << fraction_bits) - 1;
  return (sign & 1) << (format.bits - 1) | (exponent & top) << fraction_bits | (fraction & all);
}

static uint64_t specials[MAX_SPECIALS];
static unsigned nspecials;

static void special(uint64_t x) {
  if (nspecials < MAX_SPECIALS) specials[nspecials++] = x;
}

static void find_specials(void) {
  static const unsigned ends[] = {1, 2, 3, 6, 7, 8, 15, 16, 30, 31, 32, 33, 62, 63};
  if (!format.bits) {
    const unsigned n = sizeof ends / sizeof *ends;
    for (uint64_t i = 0; i < 11; i++) special(i), special(0 - i);
    for (unsigned i = 0; i < n; i++) {
      uint64_t x = (uint64_t)1 << ends[i];
      special(x), special(x - 1), special(x + 1), special(0 - x), special(~x);
    }
    special(0x5555555555555555), special(0x3333333333333333), special(0x0123456789abcdef);
    return;
  }
  uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1, top = 2 * bias + 1, all = UINT64_MAX;
  uint64_t half = (uint64_t)1 << (fraction_bits - 1), m = fraction_bits;
  for (uint64_t sign = 0; sign < 2; sign++) {
    const uint64_t exponents[] = {
        0,        1,        2,       m,       bias - m,  bias - 2, bias - 1,     bias,
        bias + 1, bias + m, top - 2, top - 1, bias + 31, bias / 2, bias * 3 / 2, bias + m + 1};
    for (unsigned e = 0; e < sizeof exponents / sizeof *exponents; e++) {
      special(make_float(sign, exponents[e], 0));
      special(make_float(sign, exponents[e], 1));
      special(make_float(sign, exponents[e], all));
      if (e % 2) special(make_float(sign, exponents[e], half));
    }
    special(make_float(sign, top, 0));              /* infinity */
    special(make_float(sign, top, half));           /* quiet NaN */
    special(make_float(sign, top, 1));              /* signalling */
    special(make_float(sign, top, all));            /* with a payload */
    special(make_float(sign, bias, half | 1));      /* 1.5 and a bit */
    special(make_float(sign, bias + 1, half >> 1)); /* 2.5 */
  }
}

/* An integer of any size, as integer or as float. */
static uint64_t some_integer(void) {
  uint64_t x = random_word() >> (random_word() & 63), sign = random_word();
  if (!format.bits) return sign & 1 ? 0 - x : x;
  if (x == 0) return make_float(sign, 0, 0);
  unsigned length = 64 - (unsigned)__builtin_clzll(x);
  uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1;
  uint64_t fraction = length > fraction_bits ? x >> (length - 1 - fraction_bits)
                                             : x << (fraction_bits - length + 1);
  uint64_t shift = random_word() % 4 ? 0 : 1 + random_word() % 3; /* or with a fraction */
  return make_float(sign, bias + length - 1 - shift, fraction);
}

/* Few bits set at the top of the fraction, exponents near one another: sums and products that tie.
 */
static uint64_t short_float(void) {
  uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1;
  uint64_t low = (uint64_t)1 << (random_word() % (fraction_bits + 1));
  return make_float(random_word(), bias + random_word() % (fraction_bits + 4),
                    random_word() & ~(low - 1));
}

/* A float whose exponent is among the smallest. */
static uint64_t small_float(void) {
  return make_float(random_word(), random_word() % (fraction_bits + 3), random_word());
}

/* A float whose exponent makes a product with `x` end near the smallest exponents. */
static uint64_t partner(uint64_t x) {
  uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1;
  uint64_t e = x >> fraction_bits & (2 * bias + 1);
  return make_float(random_word(), bias - e + random_word() % (2 * fraction_bits) - fraction_bits,
                    random_word());
}

static uint64_t close_to(uint64_t x) {
  uint64_t flipped = random_word() % 4 ? (uint64_t)1 << (format.bits - 1) : 0;
  return (x ^ flipped) + (random_word() & 7) - 4 +
         ((random_word() % 5 - 2) << fraction_bits) * (random_word() & 1);
}

/* Near -a * b, by fields: what rounding makes of it does not matter. */
static uint64_t cancelling(uint64_t a, uint64_t b) {
  uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1, all = 2 * bias + 1;
  uint64_t one = (uint64_t)1 << fraction_bits;
  double x = 1 + (double)(a & (one - 1)) / (double)one,
         y = 1 + (double)(b & (one - 1)) / (double)one;
  double p = x * y;
  uint64_t e = (a >> fraction_bits & all) + (b >> fraction_bits & all) - bias;
  if (p >= 2) p /= 2, e++;
  uint64_t sign = (a ^ b) >> (format.bits - 1) ^ 1;
  return make_float(sign, e, (uint64_t)((p - 1) * (double)one) + random_word() % 3 - 1);
}

static void random_operands(uint64_t in[3]) {
  uint64_t pick = random_word();
  for (int i = 0; i < 3; i++) in[i] = random_word();
  if (pick & 1) return;
  if (!format.bits) {
    for (int i = 0; i < 3; i++) in[i] = pick >> (8 + i) & 1 ? some_integer() : random_word();
    if (pick & 2) in[1] = random_word() % 67;
    if (pick & 4) in[0] = specials[random_word() % nspecials];
    return;
  }
  switch (pick >> 8 & 7) {
  case 0: in[1] = close_to(in[0]); break;
  case 1: in[2] = cancelling(in[0], in[1]); break;
  case 2:
    in[0] = short_float(), in[1] = short_float();
    in[2] = pick & 2 ? short_float() : cancelling(in[0], in[1]);
    break;
  case 3:
    for (int i = 0; i < 3; i++) in[i] = small_float();
    break;
  case 4: in[1] = partner(in[0]), in[2] = small_float(); break;
  case 5:
    for (int i = 0; i < 3; i++) in[i] = some_integer();
    break;
  case 6: /* integers for the conversions */
    for (int i = 0; i < 3; i++) in[i] = random_word() >> (random_word() & 63);
    if (pick & 2) in[0] = 0 - in[0];
    break;
  default: in[0] = specials[random_word() % nspecials]; break;
  }
}

/* ---- one case -------------------------------------------------------------------------------- */

/* What all units give for it, to `each`. */
typedef void Each(unsigned unit, const uint64_t in[3], unsigned predicate,
                  const uint64_t want[RTL_MAX_RESULTS]);

static void run_units(const uint64_t in[3], unsigned predicate, Each *each) {
  for (unsigned i = 0; i < UNITS; i++) {
    uint64_t want[RTL_MAX_RESULTS] = {0};
    references[i](&units[i], in, predicate, want);
    each(i, in, predicate, want);
  }
}

static bool may_trap(const RtlUnit *u) {
  return strstr(u->op, "div") && u->y.kind == 'i'
             ? true
             : strstr(u->op, "rems") || strstr(u->op, "remu") || strstr(u->op, "ipowi");
}

static bool has_trapped(const RtlUnit *u, const uint64_t *want) {
  return may_trap(u) && want[u->results - 1] != 0;
}

typedef void Case(const uint64_t in[3], unsigned predicate);

static void every_case(Case *run, unsigned long n, bool few) {
  uint64_t in[3];
  if (few) nspecials /= format.bits ? 4 : 8;
  for (unsigned i = 0; i < nspecials; i++)
    for (unsigned j = 0; j < nspecials; j++)
      for (unsigned p = 0; p < (i == j ? 16 : 1); p++) {
        in[0] = specials[i], in[1] = specials[j], in[2] = specials[random_word() % nspecials];
        run(in, i == j ? p : (unsigned)(random_word() & 15));
      }
  for (unsigned long i = 0; i < n; i++) {
    random_operands(in);
    if (format.bits == 16 && i < 65536) in[0] = i;
    run(in, (unsigned)(random_word() & 15));
  }
}

static const char *type_name(RtlType t) {
  static char names[4][16];
  static unsigned next;
  char *name = names[next++ % 4];
  snprintf(name, sizeof names[0], "%s%u", t.kind == 'i' ? "i" : t.kind == 'b' ? "bf" : "f", t.bits);
  return name;
}

#ifndef RTL_VECTORS

/* ---- against the model ----------------------------------------------------------------------- */

const uint32_t *rtl_model(const uint64_t in[3], unsigned predicate);

static const uint32_t *model;
static unsigned model_word;

static void compare(unsigned i, const uint64_t in[3], unsigned predicate, const uint64_t *want) {
  const RtlUnit *u = &units[i];
  bool trapped = has_trapped(u, want), good = true;
  uint64_t got[RTL_MAX_RESULTS];
  for (unsigned r = 0; r < u->results; r++, model_word++) {
    got[r] = model[2 * model_word] | (uint64_t)model[2 * model_word + 1] << 32;
    good &= (trapped && r + 1 < u->results) || got[r] == want[r];
  }
  compared[i]++;
  if (good || differ[i]++ >= MAX_SHOWN) return;
  printf("FAIL %s %s -> %s, predicate %u:", u->op, type_name(u->a), type_name(u->y), predicate);
  for (int k = 0; k < 3; k++) printf(" %llx", (unsigned long long)in[k]);
  for (unsigned r = 0; r < u->results; r++)
    printf(" gives %llx, must be %llx", (unsigned long long)got[r], (unsigned long long)want[r]);
  printf("\n");
}

static void run_case(const uint64_t in[3], unsigned predicate) {
  model = rtl_model(in, predicate);
  model_word = 0;
  run_units(in, predicate, compare);
}

static int finish(bool lists) {
  unsigned passed = 0, failed = 0;
  for (unsigned i = 0; i < UNITS; i++) {
    if (lists)
      printf("%-22s %-5s -> %-5s %10lu compared, %lu differ\n", units[i].op, type_name(units[i].a),
             type_name(units[i].y), compared[i], differ[i]);
    if (differ[i] || !compared[i])
      failed++;
    else
      passed++;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

#else

/* ---- vectors --------------------------------------------------------------------------------- */

/* A line: y (the last word first; x where a trap makes it mean nothing), predicate, c, b, a. */
static uint64_t words[UNITS * RTL_MAX_RESULTS];
static bool is_free[UNITS * RTL_MAX_RESULTS];
static unsigned nwords;

static void note(unsigned i, const uint64_t in[3], unsigned predicate, const uint64_t *want) {
  (void)in, (void)predicate;
  for (unsigned r = 0; r < units[i].results; r++) {
    is_free[nwords] = has_trapped(&units[i], want) && r + 1 < units[i].results;
    words[nwords++] = want[r];
  }
}

static void run_case(const uint64_t in[3], unsigned predicate) {
  nwords = 0;
  run_units(in, predicate, note);
  for (unsigned i = nwords; i-- > 0;) {
    if (is_free[i])
      printf("xxxxxxxxxxxxxxxx");
    else
      printf("%016llx", (unsigned long long)words[i]);
  }
  printf("%x%016llx%016llx%016llx\n", predicate, (unsigned long long)in[2],
         (unsigned long long)in[1], (unsigned long long)in[0]);
}

static int finish(bool lists) {
  (void)lists, (void)type_name, (void)compared, (void)differ;
  return 0;
}

#endif

int main(int argc, char **argv) {
  bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
  bool few = argc > 1 && strcmp(argv[1], "--few") == 0;
  int first = lists || few ? 2 : 1;
  unsigned long n = argc > first ? strtoul(argv[first], NULL, 10) : 1000;
  if (argc > first + 1) random_state = strtoull(argv[first + 1], NULL, 10);
  for (unsigned i = 0; i < UNITS; i++) {
    references[i] = rtl_reference(units[i].op);
    bool good = references[i] && (!may_trap(&units[i]) || units[i].results == 2);
    if (good) continue;
    printf("FAIL %s: there is no reference, or no trap\n0 passed, 1 failed\n", units[i].op);
    return 1;
  }
  find_format();
  find_specials();
  every_case(run_case, n, few);
  return finish(lists);
}

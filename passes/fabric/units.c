/* units.c -- the function units of a generated fabric.
 *
 *     fabric.function_unit @addi_i32(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
 *       %r = arith.addi %a, %b : i32
 *       fabric.yield %r : i32
 *     }
 *
 * One unit an operation and type. Operations whose form is regular (all operands of one type, or a
 * cast) are taken off ops.def, so that an operation added there is in the library at once; the rest
 * are written out in a table. What an operation costs in cycles is a guess at a middling process:
 * what counts is that a division is slower than an addition. */
#include "fabric/generate.h"

#include "ir/ir.h"

#include <string.h>

typedef struct {
  const char *text;
  u32 bits;
  bool computes; /* arithmetic is done in it; the others are only cast from and to */
} UnitType;

static const UnitType all_ints[] = {
    {"i1", 1, false}, {"i8", 8, false}, {"i16", 16, false}, {"i32", 32, true}, {"i64", 64, true}};
static const UnitType all_floats[] = {
    {"f16", 16, false}, {"bf16", 16, false}, {"f32", 32, true}, {"f64", 64, true}};
enum {
  NINTS = sizeof all_ints / sizeof *all_ints,
  NFLOATS = sizeof all_floats / sizeof *all_floats
};

typedef struct {
  Buf *out, *names;
  u32 width;
  UnitType ints[NINTS], floats[NFLOATS];
} Library;

/* The start of a definition. `args` and `results` are as the text has them. */
static void unit_open(Library *lib, const char *name, const char *args, const char *results,
                      int latency, int interval) {
  buf_printf(lib->out, "fabric.function_unit @%s(%s) -> (%s) [latency = %d, interval = %d] {\n  ",
             name, args, results, latency, interval);
  if (lib->names) buf_printf(lib->names, "%s\n", name);
}

static void unit_close(Library *lib, const char *values, const char *results) {
  buf_printf(lib->out, "\n  fabric.yield %s : %s\n}\n", values, results);
}

/* ---- regular operations ---------------------------------------------------------------------- */

static bool one_of(OpKind kind, const OpKind *kinds, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (kinds[i] == kind) return true;
  return false;
}

static int latency_of(OpKind kind) {
  static const OpKind multiply[] = {OP_ARITH_MULI, OP_ARITH_ADDF, OP_ARITH_SUBF, OP_ARITH_MULF,
                                    OP_MATH_FMA};
  static const OpKind divide[] = {
      OP_ARITH_DIVSI, OP_ARITH_DIVUI, OP_ARITH_CEILDIVSI, OP_ARITH_CEILDIVUI, OP_ARITH_FLOORDIVSI,
      OP_ARITH_REMSI, OP_ARITH_REMUI, OP_ARITH_DIVF,      OP_ARITH_REMF,      OP_MATH_IPOWI};
  static const OpKind quick[] = {OP_MATH_ABSF, OP_MATH_COPYSIGN, OP_MATH_ABSI,
                                 OP_MATH_CTLZ, OP_MATH_CTTZ,     OP_MATH_CTPOP};
  if (one_of(kind, multiply, sizeof multiply / sizeof *multiply)) return 3;
  if (one_of(kind, divide, sizeof divide / sizeof *divide)) return 12;
  if (one_of(kind, quick, sizeof quick / sizeof *quick)) return 1;
  return kind >= OP_MATH_ABSF && kind <= OP_MATH_IPOWI ? 12 : 1;
}

/* "addi" of "arith.addi". */
static const char *short_name(OpKind kind) {
  return strrchr(op_info(kind)->name, '.') + 1;
}

static void same_unit(Library *lib, OpKind kind, const char *type) {
  static const char *const operands[] = {"", "%a", "%a, %b", "%a, %b, %c"};
  u32 n = op_info(kind)->noperands;
  char name[64], args[96];
  size_t len = 0;
  snprintf(name, sizeof name, "%s_%s", short_name(kind), type);
  for (u32 i = 0; i < n; i++)
    len += (size_t)snprintf(args + len, sizeof args - len, "%s%%%c: %s", i ? ", " : "",
                            'a' + (int)i, type);
  unit_open(lib, name, args, type, latency_of(kind), 1);
  buf_printf(lib->out, "%%r = %s %s : %s", op_info(kind)->name, operands[n], type);
  unit_close(lib, "%r", type);
}

static void cast_unit(Library *lib, OpKind kind, const char *from, const char *to) {
  char name[64], args[32];
  snprintf(name, sizeof name, "%s_%s_%s", short_name(kind), from, to);
  snprintf(args, sizeof args, "%%a: %s", from);
  unit_open(lib, name, args, to, latency_of(kind), 1);
  buf_printf(lib->out, "%%r = %s %%a : %s to %s", op_info(kind)->name, from, to);
  unit_close(lib, "%r", to);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Units of a cast for every pair of types that `lists` have and that the rule allows. */
static void cast_units(Library *lib, OpKind kind, const UnitType *from, int nfrom,
                       const UnitType *to, int nto, bool (*allows)(UnitType, UnitType)) {
  for (int i = 0; i < nfrom; i++)
    for (int j = 0; j < nto; j++)
      if (from[i].bits <= lib->width && to[j].bits <= lib->width && allows(from[i], to[j]))
        cast_unit(lib, kind, from[i].text, to[j].text);
}

static bool widens(UnitType a, UnitType b) {
  return a.bits < b.bits;
}
static bool narrows(UnitType a, UnitType b) {
  return a.bits > b.bits;
}
static bool both_words(UnitType a, UnitType b) {
  return a.computes && b.computes;
}
static bool equal_words(UnitType a, UnitType b) {
  return a.bits == b.bits && a.computes && b.computes;
}

static void index_casts(Library *lib, OpKind kind) {
  for (int i = 0; i < NINTS; i++) {
    if (lib->ints[i].bits > lib->width) continue;
    cast_unit(lib, kind, lib->ints[i].text, "index");
    cast_unit(lib, kind, "index", lib->ints[i].text);
  }
}

static void words(Library *lib, OpKind kind, const UnitType *types, int n) {
  for (int i = 0; i < n; i++)
    if (types[i].computes && types[i].bits <= lib->width) same_unit(lib, kind, types[i].text);
}

/* The units of one row of ops.def, where its form is regular. */
static void regular_units(Library *lib, OpKind kind, bool with_floats) {
  u8 types = op_info(kind)->types;
  if (op_info(kind)->form != FORM_SAME && op_info(kind)->form != FORM_CAST) return;
  if (types == TYPES_INT) words(lib, kind, lib->ints, NINTS);
  if (types == TYPES_WIDEN_INT) cast_units(lib, kind, lib->ints, NINTS, lib->ints, NINTS, widens);
  if (types == TYPES_NARROW_INT) cast_units(lib, kind, lib->ints, NINTS, lib->ints, NINTS, narrows);
  if (types == TYPES_INDEX_CAST) index_casts(lib, kind);
  if (!with_floats) return;
  if (types == TYPES_FLOAT) words(lib, kind, lib->floats, NFLOATS);
  if (types == TYPES_WIDEN_FLOAT)
    cast_units(lib, kind, lib->floats, NFLOATS, lib->floats, NFLOATS, widens);
  if (types == TYPES_NARROW_FLOAT)
    cast_units(lib, kind, lib->floats, NFLOATS, lib->floats, NFLOATS, narrows);
  if (types == TYPES_INT_TO_FLOAT)
    cast_units(lib, kind, lib->ints, NINTS, lib->floats, NFLOATS, both_words);
  if (types == TYPES_FLOAT_TO_INT)
    cast_units(lib, kind, lib->floats, NFLOATS, lib->ints, NINTS, both_words);
  if (types == TYPES_BITCAST) {
    cast_units(lib, kind, lib->ints, NINTS, lib->floats, NFLOATS, equal_words);
    cast_units(lib, kind, lib->floats, NFLOATS, lib->ints, NINTS, equal_words);
  }
}

/* ---- the others ------------------------------------------------------------------------------ */

/* `$` stands for an integer type of the width of a channel, or for a float type. Tokens that a unit
 * only passes on (cond_br, mux, carry, ...) may be of any type that is no wider. */
typedef struct {
  const char *name, *args, *op, *values, *results;
  int latency, interval;
  FabricUnits since; /* the least library that has it */
  bool is_float;     /* `$` is a float */
} Irregular;

#define STREAM(name, step)                                                                         \
  {                                                                                                \
    name, "%a: index, %b: index, %c: index",                                                       \
        "%r, %s = dataflow.stream %a, %b, %c {step_op = \"" step                                   \
        "\", cont_cond = \"<\"} : (index, index, index) -> (index, i1)",                           \
        "%r, %s", "index, i1", -1, -1, UNITS_INT, false                                            \
  }
#define FLOAT_TEST(name)                                                                           \
  { name, "%a: $", "%r = math." name " %a : $", "%r", "i1", 1, 1, UNITS_FULL, true }

static const Irregular irregulars[] = {
    {"constant", "%a: none", "%r = handshake.constant %a {value = 0 : $} : $", "%r", "$", 0, 1,
     UNITS_INT, false},
    {"cond_br", "%a: i1, %b: $", "%r, %s = handshake.cond_br %a, %b : $", "%r, %s", "$, $", 0, 1,
     UNITS_INT, false},
    {"mux2", "%a: i1, %b: $, %c: $", "%r = handshake.mux %a [%b, %c] : i1, $", "%r", "$", 0, 1,
     UNITS_INT, false},
    {"mux3", "%a: index, %b: $, %c: $, %d: $", "%r = handshake.mux %a [%b, %c, %d] : index, $",
     "%r", "$", 0, 1, UNITS_INT, false},
    {"join", "%a: none, %b: none, %c: none, %d: none",
     "%r = handshake.join %a, %b, %c, %d : none, none, none, none", "%r", "none", 0, 1, UNITS_INT,
     false},
    {"load", "%a: index, %b: $, %c: none", "%r, %s = handshake.load [%a] %b, %c : index, $",
     "%r, %s", "$, index", 0, 1, UNITS_INT, false},
    {"store", "%a: index, %b: $, %c: none", "%r, %s = handshake.store [%a] %b, %c : index, $",
     "%r, %s", "$, index", 0, 1, UNITS_INT, false},
    STREAM("stream_add", "+="),
    STREAM("stream_sub", "-="),
    STREAM("stream_mul", "*="),
    STREAM("stream_div", "/="),
    STREAM("stream_shl", "<<="),
    STREAM("stream_shr", ">>="),
    {"gate", "%a: $, %b: i1", "%r, %s = dataflow.gate %a, %b : $, i1 -> $, i1", "%r, %s", "$, i1",
     -1, -1, UNITS_INT, false},
    {"carry", "%a: i1, %b: $, %c: $", "%r = dataflow.carry %a, %b, %c : i1, $, $ -> $", "%r", "$",
     -1, -1, UNITS_INT, false},
    {"invariant", "%a: i1, %b: $", "%r = dataflow.invariant %a, %b : i1, $ -> $", "%r", "$", -1, -1,
     UNITS_INT, false},
    {"select", "%a: i1, %b: $, %c: $", "%r = arith.select %a, %b, %c : $", "%r", "$", 1, 1,
     UNITS_INT, false},
    {"cmpi", "%a: $, %b: $", "%r = arith.cmpi eq, %a, %b : $", "%r", "i1", 1, 1, UNITS_INT, false},
    {"addui_extended", "%a: $, %b: $", "%r, %s = arith.addui_extended %a, %b : $, i1", "%r, %s",
     "$, i1", 1, 1, UNITS_INT, false},
    {"mulsi_extended", "%a: $, %b: $", "%r, %s = arith.mulsi_extended %a, %b : $", "%r, %s", "$, $",
     3, 1, UNITS_INT, false},
    {"mului_extended", "%a: $, %b: $", "%r, %s = arith.mului_extended %a, %b : $", "%r, %s", "$, $",
     3, 1, UNITS_INT, false},
    {"bitreverse", "%a: $", "%r = \"llvm.intr.bitreverse\"(%a) : ($) -> $", "%r", "$", 1, 1,
     UNITS_FULL, false},
    {"cmpf", "%a: $, %b: $", "%r = arith.cmpf oeq, %a, %b : $", "%r", "i1", 1, 1, UNITS_FLOAT,
     true},
    {"fpowi", "%a: $, %b: i32", "%r = math.fpowi %a, %b : $, i32", "%r", "$", 12, 1, UNITS_FULL,
     true},
    FLOAT_TEST("isfinite"),
    FLOAT_TEST("isinf"),
    FLOAT_TEST("isnan"),
    FLOAT_TEST("isnormal"),
};
enum { NIRREGULARS = sizeof irregulars / sizeof *irregulars };

/* `pattern` with the type put for every `$`. */
static const char *with_type(char *to, size_t size, const char *pattern, const char *type) {
  size_t len = 0;
  for (; *pattern && len + 8 < size; pattern++) {
    if (*pattern == '$')
      len += (size_t)snprintf(to + len, size - len, "%s", type);
    else
      to[len++] = *pattern;
  }
  to[len] = 0;
  return to;
}

static void irregular_unit(Library *lib, const Irregular *u, const char *type) {
  char name[64], args[128], op[192], results[64];
  bool is_typed = strchr(u->args, '$') || strchr(u->op, '$');
  snprintf(name, sizeof name, is_typed ? "%s_%s" : "%s", u->name, type);
  with_type(results, sizeof results, u->results, type);
  unit_open(lib, name, with_type(args, sizeof args, u->args, type), results, u->latency,
            u->interval);
  buf_str(lib->out, with_type(op, sizeof op, u->op, type));
  unit_close(lib, u->values, results);
}

/* What only moves tokens needs no second unit for narrower ones; what computes does. */
static bool computes(const Irregular *u) {
  return strstr(u->op, "arith.cmp") || strstr(u->op, "_extended") || strstr(u->op, "math.") ||
         strstr(u->op, "bitreverse");
}

static void irregular_units(Library *lib, FabricUnits units) {
  for (int i = 0; i < NIRREGULARS; i++) {
    const Irregular *u = &irregulars[i];
    const UnitType *types = u->is_float ? lib->floats : lib->ints;
    int n = u->is_float ? NFLOATS : NINTS;
    if (u->since > units) continue;
    for (int t = 0; t < n; t++)
      if (types[t].computes && types[t].bits <= lib->width &&
          (types[t].bits == lib->width || computes(u)))
        irregular_unit(lib, u, types[t].text);
  }
}

void fabric_unit_library(FabricUnits units, u32 width, Buf *out, Buf *names) {
  Library lib = {.out = out, .names = names, .width = width};
  for (int i = 0; i < NINTS; i++) lib.ints[i] = all_ints[i];
  for (int i = 0; i < NFLOATS; i++) lib.floats[i] = all_floats[i];
  for (int i = 0; units == UNITS_ALL && i < NINTS; i++) lib.ints[i].computes = true;
  for (int i = 0; units == UNITS_ALL && i < NFLOATS; i++) lib.floats[i].computes = true;
  irregular_units(&lib, units);
  for (OpKind kind = OP_ARITH_ADDI; kind <= OP_ARITH_BITCAST; kind++)
    regular_units(&lib, kind, units >= UNITS_FLOAT);
  if (units < UNITS_FULL) return;
  for (OpKind kind = OP_MATH_ABSF; kind <= OP_MATH_IPOWI; kind++) regular_units(&lib, kind, true);
}

/* units.c -- writes the function units of a generated fabric.
 *
 *     fabric.function_unit @addi_i32(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
 *       %r = arith.addi %a, %b : i32
 *       fabric.yield %r : i32
 *     }
 *
 * There is one unit for each operation and type: a unit hosts an operation of exactly its types, so
 * `index` has units beside those of i32, though the bits are the same. Regular operations (all
 * operands and results of one type, or a cast) are generated from ops.def, so an operation added
 * there is in the library at once. The others are rows of a table, followed by units of several
 * operations, with a fabric.mux where the configuration selects. Units that only move tokens exist
 * for every type that a channel can carry; units that compute, for words (32 bits and more,
 * and index), and in UNITS_ALL for narrower types, too.
 *
 * In UNITS_MERGED, regular operations of the same types, latency and interval are one unit, which
 * instructions of a temporal PE share, each with its own selection:
 *
 *     fabric.function_unit @alu2_i32_i32(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
 *       %r0 = arith.addi %a, %b : i32
 *       %r1 = arith.subi %a, %b : i32
 *       ...
 *       %r = fabric.mux %r0, %r1, ... {sel = 0 : i64} : i32, i32, ... -> i32
 *       fabric.yield %r : i32
 *     }
 *
 * Latencies and intervals come from ir/timing.def. The cost is that of the text, all units of which
 * are written and matched with the plan's patterns, even those that are then dropped. */
#include "generate/generate.h"

#include "ir/timing.h"
#include "ir/ir.h"

#include <string.h>

/* Bits, for sets of them. */
typedef enum { SORT_NONE = 1, SORT_INT = 2, SORT_INDEX = 4, SORT_FLOAT = 8 } Sort;

typedef struct {
  const char *text;
  u32 bits; /* of index: at least */
  Sort sort;
} UnitType;

static const UnitType types[] = {
    {"none", 0, SORT_NONE},    {"i1", 1, SORT_INT},     {"i8", 8, SORT_INT},
    {"i16", 16, SORT_INT},     {"i32", 32, SORT_INT},   {"i64", 64, SORT_INT},
    {"index", 32, SORT_INDEX}, {"f16", 16, SORT_FLOAT}, {"bf16", 16, SORT_FLOAT},
    {"f32", 32, SORT_FLOAT},   {"f64", 64, SORT_FLOAT}};
enum { NTYPES = sizeof types / sizeof *types };

/* Attributes of fabric.function_unit. Both -1: a dataflow state machine. */
typedef struct {
  int latency, interval;
  bool early_out;
} UnitTiming;

/* The operations of UNITS_MERGED that become one unit. */
typedef struct {
  const char *name, *args, *result;
  UnitTiming timing;
  Vec(const char *) ops; /* "arith.addi %a, %b : i32" */
} MergedUnit;

typedef struct {
  Context *ctx;
  Buf *out;
  FabricUnitNames *names;
  FabricUnits units;
  u32 width;
  Vec(MergedUnit) merged;
  const FabricPlan *plan;
  size_t start; /* of the definition being written */
} Library;

/* True where channels can carry the type, and the library has its sort. */
static bool can_move(const Library *lib, const UnitType *t) {
  return t->bits <= lib->width && (t->sort != SORT_FLOAT || lib->units >= UNITS_FLOAT);
}

/* True where units that compute have the type. */
static bool can_compute(const Library *lib, const UnitType *t) {
  return can_move(lib, t) && t->sort != SORT_NONE && (t->bits >= 32 || lib->units >= UNITS_ALL);
}

/* The start and the end of a definition; unit_close drops it if no PE has the unit. `args` and
 * `results` are text. */
static void unit_open(Library *lib, const char *name, const char *args, const char *results,
                      UnitTiming timing) {
  for (size_t i = 0; timing.latency >= 0 && i < lib->plan->latencies.len; i++) {
    const FabricLatency *l = &lib->plan->latencies.at[i];
    if (fabric_name_fits(name, l->units))
      timing = (UnitTiming){(int)l->latency, (int)l->interval, false};
  }
  bool has_early = timing.early_out && !fabric_plan_is_temporal(lib->plan); /* no effect there */
  lib->start = lib->out->len;
  buf_printf(lib->out, "fabric.function_unit @%s(%s) -> (%s) [latency = %d, interval = %d%s] {\n  ",
             name, args, results, timing.latency, timing.interval,
             has_early ? ", early_out = true" : "");
}

static void unit_close(Library *lib, const char *name, const char *values, const char *results) {
  buf_printf(lib->out, "\n  fabric.yield %s : %s\n}\n", values, results);
  if (fabric_plan_wants(lib->plan, name))
    vec_push(lib->names, str_of(lib->ctx, name)->text);
  else
    lib->out->len = lib->start;
}

/* ---- regular operations ---------------------------------------------------------------------- */

static bool one_of(OpKind kind, const OpKind *kinds, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (kinds[i] == kind) return true;
  return false;
}

/* Functions of math that have an implementation in hardware, not just a model for simulation. */
static bool is_hardware(OpKind kind) {
  static const OpKind kinds[] = {OP_MATH_ABSF,  OP_MATH_COPYSIGN,  OP_MATH_SQRT,    OP_MATH_RSQRT,
                                 OP_MATH_FLOOR, OP_MATH_CEIL,      OP_MATH_TRUNC,   OP_MATH_ROUND,
                                 OP_MATH_FMA,   OP_MATH_ROUNDEVEN, OP_MATH_ABSI,    OP_MATH_CTLZ,
                                 OP_MATH_CTTZ,  OP_MATH_CTPOP,     OP_MATH_IPOWI,   OP_MATH_ISNAN,
                                 OP_MATH_ISINF, OP_MATH_ISFINITE,  OP_MATH_ISNORMAL};
  return one_of(kind, kinds, sizeof kinds / sizeof *kinds);
}

static bool is_function(OpKind kind) {
  return kind >= OP_MATH_ABSF && kind <= OP_MATH_IPOWI;
}

/* The timing of a chain of operations: one cycle if all fit into one stage, else the sum. */
static UnitTiming timing_of(const OpKind *path, size_t n, u32 bits) {
  enum { GUESS = 12 }; /* the latency of operations without an implementation in hardware */
  UnitTiming all = {0, 1, false};
  u32 levels = 0;
  for (size_t i = 0; i < n; i++) {
    OpTiming one = op_timing(path[i], bits);
    if (is_function(path[i]) && !is_hardware(path[i])) one.latency = GUESS;
    levels += one.levels, all.latency += (int)one.latency;
    if ((int)one.interval > all.interval) all.interval = (int)one.interval;
  }
  if (n > 1 && levels <= TIMING_LEVELS) all.latency = 1;
  /* f16 and bf16 have the same latency, but may need different times to end early: bf16 decides */
  EarlyOut how = op_early_out(path[0], bits == 16 ? FLOAT_BF16 : FLOAT_F32);
  all.early_out = n == 1 && how && all.latency >= (int)early_out_most(how, bits);
  return all;
}

/* "addi" of "arith.addi". */
static const char *short_name(OpKind kind) {
  return strrchr(op_info(kind)->name, '.') + 1;
}

static MergedUnit *merged_unit(Library *lib, const char *args, const char *result,
                               UnitTiming timing) {
  for (size_t i = 0; i < lib->merged.len; i++) {
    MergedUnit *m = &lib->merged.at[i];
    if (!strcmp(m->args, args) && !strcmp(m->result, result) &&
        m->timing.latency == timing.latency && m->timing.interval == timing.interval)
      return m;
  }
  vec_push(
      &lib->merged,
      ((MergedUnit){.args = str_of(lib->ctx, args)->text, .result = result, .timing = timing}));
  return &vec_last(&lib->merged);
}

/* A unit of one operation with n operands of one type; in UNITS_MERGED, a part of a merged unit. */
static void regular_unit(Library *lib, const char *name, u32 n, const char *from, const char *to,
                         UnitTiming timing, const char *op) {
  char args[96];
  size_t len = 0;
  for (u32 i = 0; i < n; i++)
    len += (size_t)snprintf(args + len, sizeof args - len, "%s%%%c: %s", i ? ", " : "",
                            'a' + (int)i, from);
  if (lib->units == UNITS_MERGED) {
    timing.early_out = false; /* only units of a single operation can end early */
    MergedUnit *m = merged_unit(lib, args, to, timing);
    char merged[64];
    snprintf(merged, sizeof merged, timing.latency > 1 ? "alu%u_%s_%s_%d" : "alu%u_%s_%s", n, from,
             to, timing.latency);
    m->name = str_of(lib->ctx, merged)->text;
    vec_push(&m->ops, str_of(lib->ctx, op)->text);
    return;
  }
  unit_open(lib, name, args, to, timing);
  buf_printf(lib->out, "%%r = %s", op);
  unit_close(lib, name, "%r", to);
}

static void put_merged(Library *lib, MergedUnit *m) {
  unit_open(lib, m->name, m->args, m->result, m->timing);
  for (size_t i = 0; i < m->ops.len; i++)
    buf_printf(lib->out, "%s%%r%zu = %s", i ? "\n  " : "", i, m->ops.at[i]);
  if (m->ops.len > 1) {
    buf_str(lib->out, "\n  %r = fabric.mux ");
    for (size_t i = 0; i < m->ops.len; i++) buf_printf(lib->out, "%s%%r%zu", i ? ", " : "", i);
    buf_str(lib->out, " {sel = 0 : i64} : ");
    for (size_t i = 0; i < m->ops.len; i++) buf_printf(lib->out, "%s%s", i ? ", " : "", m->result);
    buf_printf(lib->out, " -> %s", m->result);
  }
  unit_close(lib, m->name, m->ops.len > 1 ? "%r" : "%r0", m->result);
  vec_free(&m->ops);
}

static void same_unit(Library *lib, OpKind kind, const UnitType *type) {
  static const char *const operands[] = {"", "%a", "%a, %b", "%a, %b, %c"};
  u32 n = op_shape(kind).noperands;
  char name[64], op[96];
  snprintf(name, sizeof name, "%s_%s", short_name(kind), type->text);
  snprintf(op, sizeof op, "%s %s : %s", op_info(kind)->name, operands[n], type->text);
  regular_unit(lib, name, n, type->text, type->text, timing_of(&kind, 1, type->bits), op);
}

static void cast_unit(Library *lib, OpKind kind, const UnitType *from, const UnitType *to) {
  char name[64], op[96];
  snprintf(name, sizeof name, "%s_%s_%s", short_name(kind), from->text, to->text);
  snprintf(op, sizeof op, "%s %%a : %s to %s", op_info(kind)->name, from->text, to->text);
  u32 bits = from->bits > to->bits ? from->bits : to->bits;
  regular_unit(lib, name, 1, from->text, to->text, timing_of(&kind, 1, bits), op);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Units of a cast for every pair of types of these sorts that `allows` accepts. */
static void cast_units(Library *lib, OpKind kind, u32 from, u32 to,
                       bool (*allows)(const Library *, const UnitType *, const UnitType *)) {
  for (int i = 0; i < NTYPES; i++)
    for (int j = 0; j < NTYPES; j++)
      if (types[i].sort & from && types[j].sort & to && can_move(lib, &types[i]) &&
          can_move(lib, &types[j]) && allows(lib, &types[i], &types[j]))
        cast_unit(lib, kind, &types[i], &types[j]);
}

static bool widens(const Library *lib, const UnitType *a, const UnitType *b) {
  (void)lib;
  return a->bits < b->bits;
}
static bool narrows(const Library *lib, const UnitType *a, const UnitType *b) {
  return widens(lib, b, a);
}
static bool both_compute(const Library *lib, const UnitType *a, const UnitType *b) {
  return can_compute(lib, a) && can_compute(lib, b);
}
static bool equal_words(const Library *lib, const UnitType *a, const UnitType *b) {
  return a != b && a->bits == b->bits && both_compute(lib, a, b);
}
static bool one_index(const Library *lib, const UnitType *a, const UnitType *b) {
  (void)lib;
  return a->sort != b->sort;
}

/* Operations that every library has on conditions (i1). */
static bool is_logic(OpKind kind) {
  return kind == OP_ARITH_ANDI || kind == OP_ARITH_ORI || kind == OP_ARITH_XORI;
}

static void word_units(Library *lib, OpKind kind, u32 sorts) {
  for (int i = 0; i < NTYPES; i++)
    if (types[i].sort & sorts &&
        (can_compute(lib, &types[i]) || (is_logic(kind) && types[i].bits == 1)))
      same_unit(lib, kind, &types[i]);
}

/* The units of one row of ops.def, if it is regular. In a library without floats, float operations
 * match no type. */
static void regular_units(Library *lib, OpKind kind) {
  OpTypes rule = (OpTypes)op_info(kind)->types;
  if ((rule == TYPES_INT || rule == TYPES_FLOAT) && !op_is_uniform(kind)) return;
  switch (rule) {
  case TYPES_INT: word_units(lib, kind, SORT_INT | SORT_INDEX); break;
  case TYPES_FLOAT: word_units(lib, kind, SORT_FLOAT); break;
  case TYPES_WIDEN_INT: cast_units(lib, kind, SORT_INT, SORT_INT, widens); break;
  case TYPES_NARROW_INT: cast_units(lib, kind, SORT_INT, SORT_INT, narrows); break;
  case TYPES_WIDEN_FLOAT: cast_units(lib, kind, SORT_FLOAT, SORT_FLOAT, widens); break;
  case TYPES_NARROW_FLOAT: cast_units(lib, kind, SORT_FLOAT, SORT_FLOAT, narrows); break;
  case TYPES_INT_TO_FLOAT: cast_units(lib, kind, SORT_INT, SORT_FLOAT, both_compute); break;
  case TYPES_FLOAT_TO_INT: cast_units(lib, kind, SORT_FLOAT, SORT_INT, both_compute); break;
  case TYPES_INDEX_CAST:
    cast_units(lib, kind, SORT_INT | SORT_INDEX, SORT_INT | SORT_INDEX, one_index);
    break;
  case TYPES_BITCAST:
    cast_units(lib, kind, SORT_INT, SORT_FLOAT, equal_words);
    cast_units(lib, kind, SORT_FLOAT, SORT_INT | SORT_FLOAT, equal_words);
    break;
  default: break;
  }
}

/* ---- the others ------------------------------------------------------------------------------ */

/* The types that `$` stands for in a row; `#` is a zero of the type. */
typedef enum {
  IN_NONE,   /* the row has no `$` */
  IN_TOKENS, /* all that a channel can carry */
  IN_VALUES, /* those but none */
  IN_INTS,   /* integers and index of units that compute */
  IN_BITS,   /* those but index */
  IN_FLOATS  /* floats of units that compute */
} UnitTypes;

/* The latency: 0, that of the operations on the critical path, or that of a state machine (-1). */
typedef enum { TIMED_AS_WIRES, TIMED_BY_OPERATIONS, TIMED_AS_STATES } TimingRule;

typedef struct {
  const char *name, *args, *op, *values, *results;
  TimingRule rule;
  OpKind first, then; /* operations on the critical path; or 0 */
  UnitTypes types;
  FabricUnits since; /* the least library that has it */
} Irregular;

/* A timing rule with the operations on the critical path. */
#define LOGIC(op)          TIMED_BY_OPERATIONS, OP_##op, 0
#define CHAIN(first, then) TIMED_BY_OPERATIONS, OP_##first, OP_##then
#define WIRES              TIMED_AS_WIRES, 0, 0
#define STATES             TIMED_AS_STATES, 0, 0
#define STREAM(name, step)                                                                         \
  {                                                                                                \
    name, "%a: index, %b: index, %c: index",                                                       \
        "%r, %s = dataflow.stream %a, %b, %c {step_op = \"" step                                   \
        "\", cont_cond = \"<\"} : (index, index, index) -> (index, i1)",                           \
        "%r, %s", "index, i1", STATES, IN_NONE, UNITS_INT                                          \
  }
#define FLOAT_TEST(name)                                                                           \
  {                                                                                                \
    name, "%a: $", "%r = math." name " %a : $", "%r", "i1", LOGIC(MATH_ISNAN), IN_FLOATS,          \
        UNITS_FULL                                                                                 \
  }
#define FPOWI(name, exponent, since)                                                               \
  {                                                                                                \
    name, "%a: $, %b: " exponent, "%r = math.fpowi %a, %b : $, " exponent, "%r", "$",              \
        LOGIC(MATH_FPOWI), IN_FLOATS, since                                                        \
  }
/* A configured selection among values of one body. */
#define CHOOSE_2(a, b)    "\n  %r = fabric.mux " a ", " b " {sel = 0 : i64} : $, $ -> $"
#define CHOOSE_3(a, b, c) "\n  %r = fabric.mux " a ", " b ", " c " {sel = 0 : i64} : $, $, $ -> $"
#define AND_OR                                                                                     \
  "\n  %x = arith.andi %p, %c : i1\n  %y = arith.ori %p, %c : i1\n"                                \
  "  %r = fabric.mux %x, %y {sel = 0 : i64} : i1, i1 -> i1"
/* The constant operand %k of a unit with a literal. LITERAL: triggered by operand %b itself.
 * LITERAL_BY_TOKEN, of float units: by a control token %a. (With LITERAL, the mapper would put a
 * product with a literal alone into such a unit, although a mac could do it together with the
 * following addition; float units are too large for that.) */
#define LITERAL                                                                                    \
  "%t = handshake.join %b : $\n"                                                                   \
  "  %k = handshake.constant %t {value = # : $} : $\n  "
#define LITERAL_BY_TOKEN "%k = handshake.constant %a {value = # : $} : $\n  "

static const Irregular irregulars[] = {
    {"constant", "%a: none", "%r = handshake.constant %a {value = # : $} : $", "%r", "$", WIRES,
     IN_VALUES, UNITS_INT},
    {"cond_br", "%a: i1, %b: $", "%r, %s = handshake.cond_br %a, %b : $", "%r, %s", "$, $", WIRES,
     IN_TOKENS, UNITS_INT},
    {"mux2", "%a: i1, %b: $, %c: $", "%r = handshake.mux %a [%b, %c] : i1, $", "%r", "$", WIRES,
     IN_TOKENS, UNITS_INT},
    {"mux3", "%a: index, %b: $, %c: $, %d: $", "%r = handshake.mux %a [%b, %c, %d] : index, $",
     "%r", "$", WIRES, IN_TOKENS, UNITS_INT},
    {"join", "%a: none, %b: none, %c: none, %d: none",
     "%r = handshake.join %a, %b, %c, %d : none, none, none, none", "%r", "none", WIRES, IN_NONE,
     UNITS_INT},
    {"token", "%a: $", "%r = handshake.join %a : $", "%r", "none", WIRES, IN_INTS, UNITS_INT},
    {"load", "%a: index, %b: $, %c: none", "%r, %s = handshake.load [%a] %b, %c : index, $",
     "%r, %s", "$, index", WIRES, IN_VALUES, UNITS_INT},
    {"store", "%a: index, %b: $, %c: none", "%r, %s = handshake.store [%a] %b, %c : index, $",
     "%r, %s", "$, index", WIRES, IN_VALUES, UNITS_INT},
    STREAM("stream_add", "+="),
    STREAM("stream_sub", "-="),
    STREAM("stream_mul", "*="),
    STREAM("stream_div", "/="),
    STREAM("stream_shl", "<<="),
    STREAM("stream_shr", ">>="),
    {"gate", "%a: $, %b: i1", "%r, %s = dataflow.gate %a, %b : $, i1 -> $, i1", "%r, %s", "$, i1",
     STATES, IN_TOKENS, UNITS_INT},
    {"carry", "%a: i1, %b: $, %c: $", "%r = dataflow.carry %a, %b, %c : i1, $, $ -> $", "%r", "$",
     STATES, IN_TOKENS, UNITS_INT},
    {"loop_head", "%a: i1, %b: $, %c: $",
     "%v = dataflow.carry %a, %b, %c : i1, $, $ -> $\n  %r, %s = handshake.cond_br %a, %v : $",
     "%r, %s", "$, $", STATES, IN_TOKENS, UNITS_INT},
    {"loop_tail", "%a: i1, %b: $, %c: $",
     "%t, %s = handshake.cond_br %a, %c : $\n  %r = dataflow.carry %a, %b, %t : i1, $, $ -> $",
     "%r, %s", "$, $", STATES, IN_TOKENS, UNITS_INT},
    {"invariant", "%a: i1, %b: $", "%r = dataflow.invariant %a, %b : i1, $ -> $", "%r", "$", STATES,
     IN_TOKENS, UNITS_INT},
    {"select", "%a: i1, %b: $, %c: $", "%r = arith.select %a, %b, %c : $", "%r", "$",
     LOGIC(ARITH_SELECT), IN_VALUES, UNITS_INT},
    {"cmpi", "%a: $, %b: $", "%r = arith.cmpi eq, %a, %b : $", "%r", "i1", LOGIC(ARITH_CMPI),
     IN_INTS, UNITS_INT},
    {"addui_extended", "%a: $, %b: $", "%r, %s = arith.addui_extended %a, %b : $, i1", "%r, %s",
     "$, i1", LOGIC(ARITH_ADDUI_EXTENDED), IN_INTS, UNITS_INT},
    {"mulsi_extended", "%a: $, %b: $", "%r, %s = arith.mulsi_extended %a, %b : $", "%r, %s", "$, $",
     LOGIC(ARITH_MULSI_EXTENDED), IN_INTS, UNITS_INT},
    {"mului_extended", "%a: $, %b: $", "%r, %s = arith.mului_extended %a, %b : $", "%r, %s", "$, $",
     LOGIC(ARITH_MULUI_EXTENDED), IN_INTS, UNITS_INT},
    {"bitreverse", "%a: $", "%r = \"llvm.intr.bitreverse\"(%a) : ($) -> $", "%r", "$",
     LOGIC(ARITH_ANDI), IN_BITS, UNITS_FULL},
    {"cmpf", "%a: $, %b: $", "%r = arith.cmpf oeq, %a, %b : $", "%r", "i1", LOGIC(ARITH_CMPF),
     IN_FLOATS, UNITS_FLOAT},
    FPOWI("fpowi", "i32", UNITS_FULL),
    FPOWI("fpowi_by_i8", "i8", UNITS_ALL),
    FPOWI("fpowi_by_i16", "i16", UNITS_ALL),
    FPOWI("fpowi_by_i64", "i64", UNITS_ALL),
    FLOAT_TEST("isfinite"),
    FLOAT_TEST("isinf"),
    FLOAT_TEST("isnan"),
    FLOAT_TEST("isnormal"),
    /* several operations */
    {"mac", "%a: $, %b: $, %c: $",
     "%m = arith.muli %a, %b : $\n  %s = arith.addi %m, %c : $" CHOOSE_2("%m", "%s"), "%r", "$",
     CHAIN(ARITH_MULI, ARITH_ADDI), IN_INTS, UNITS_INT},
    {"mac", "%a: $, %b: $, %c: $",
     "%m = arith.mulf %a, %b : $\n  %s = arith.addf %m, %c : $" CHOOSE_2("%m", "%s"), "%r", "$",
     CHAIN(ARITH_MULF, ARITH_ADDF), IN_FLOATS, UNITS_FLOAT},
    {"const_add", "%b: $",
     LITERAL "%x = arith.addi %b, %k : $\n  %y = arith.subi %b, %k : $\n"
             "  %z = arith.subi %k, %b : $" CHOOSE_3("%x", "%y", "%z"),
     "%r", "$", LOGIC(ARITH_ADDI), IN_INTS, UNITS_INT},
    {"const_add", "%a: none, %b: $",
     LITERAL_BY_TOKEN "%x = arith.addf %b, %k : $\n  %y = arith.subf %b, %k : $\n"
                      "  %z = arith.subf %k, %b : $" CHOOSE_3("%x", "%y", "%z"),
     "%r", "$", LOGIC(ARITH_ADDF), IN_FLOATS, UNITS_FLOAT},
    {"const_mul", "%b: $", LITERAL "%r = arith.muli %b, %k : $", "%r", "$", LOGIC(ARITH_MULI),
     IN_INTS, UNITS_INT},
    {"const_mul", "%a: none, %b: $", LITERAL_BY_TOKEN "%r = arith.mulf %b, %k : $", "%r", "$",
     LOGIC(ARITH_MULF), IN_FLOATS, UNITS_FLOAT},
    {"const_bits", "%b: $",
     LITERAL "%x = arith.andi %b, %k : $\n  %y = arith.ori %b, %k : $\n"
             "  %z = arith.xori %b, %k : $" CHOOSE_3("%x", "%y", "%z"),
     "%r", "$", LOGIC(ARITH_ANDI), IN_INTS, UNITS_INT},
    {"const_shift", "%b: $",
     LITERAL "%x = arith.shli %b, %k : $\n  %y = arith.shrsi %b, %k : $\n"
             "  %z = arith.shrui %b, %k : $" CHOOSE_3("%x", "%y", "%z"),
     "%r", "$", LOGIC(ARITH_SHLI), IN_INTS, UNITS_INT},
    {"const_cmp", "%b: $", LITERAL "%r = arith.cmpi eq, %b, %k : $", "%r", "i1", LOGIC(ARITH_CMPI),
     IN_INTS, UNITS_INT},
    {"cmp_br", "%a: $, %b: $, %c: $",
     "%p = arith.cmpi eq, %a, %b : $\n  %t, %f = handshake.cond_br %p, %c : $", "%p, %t, %f",
     "i1, $, $", CHAIN(ARITH_CMPI, HANDSHAKE_COND_BR), IN_INTS, UNITS_INT},
    {"cmp_br_none", "%a: $, %b: $, %c: none",
     "%p = arith.cmpi eq, %a, %b : $\n  %t, %f = handshake.cond_br %p, %c : none", "%p, %t, %f",
     "i1, none, none", CHAIN(ARITH_CMPI, HANDSHAKE_COND_BR), IN_INTS, UNITS_INT},
    {"cmp_select", "%a: $, %b: $, %c: $, %d: $",
     "%p = arith.cmpi eq, %a, %b : $\n  %r = arith.select %p, %c, %d : $", "%p, %r", "i1, $",
     CHAIN(ARITH_CMPI, ARITH_SELECT), IN_INTS, UNITS_INT},
    {"cmp_select", "%a: $, %b: $, %c: $, %d: $",
     "%p = arith.cmpf oeq, %a, %b : $\n  %r = arith.select %p, %c, %d : $", "%p, %r", "i1, $",
     CHAIN(ARITH_CMPF, ARITH_SELECT), IN_FLOATS, UNITS_FLOAT},
    {"select_chain", "%a: i1, %b: i1, %c: $, %d: $",
     "%s = arith.select %b, %c, %d : $\n  %x = arith.select %a, %s, %d : $\n"
     "  %y = arith.select %a, %c, %s : $" CHOOSE_2("%x", "%y"),
     "%r", "$", CHAIN(ARITH_SELECT, ARITH_SELECT), IN_VALUES, UNITS_INT},
    {"cmp_pick", "%a: $, %b: $",
     "%p = arith.cmpi eq, %a, %b : $\n  %x = arith.select %p, %a, %b : $\n"
     "  %y = arith.select %p, %b, %a : $" CHOOSE_2("%x", "%y"),
     "%p, %r", "i1, $", CHAIN(ARITH_CMPI, ARITH_SELECT), IN_INTS, UNITS_INT},
    {"cmp_pick", "%a: $, %b: $",
     "%p = arith.cmpf oeq, %a, %b : $\n  %x = arith.select %p, %a, %b : $\n"
     "  %y = arith.select %p, %b, %a : $" CHOOSE_2("%x", "%y"),
     "%p, %r", "i1, $", CHAIN(ARITH_CMPF, ARITH_SELECT), IN_FLOATS, UNITS_FLOAT},
    {"cmp_logic", "%a: $, %b: $, %c: i1", "%p = arith.cmpi eq, %a, %b : $" AND_OR, "%p, %r",
     "i1, i1", CHAIN(ARITH_CMPI, ARITH_ANDI), IN_INTS, UNITS_INT},
    {"const_cmp_logic", "%b: $, %c: i1", LITERAL "%p = arith.cmpi eq, %b, %k : $" AND_OR, "%p, %r",
     "i1, i1", CHAIN(ARITH_CMPI, ARITH_ANDI), IN_INTS, UNITS_INT},
    {"shift_bits", "%b: $, %c: $",
     LITERAL "%x = arith.shli %b, %k : $\n  %y = arith.shrui %b, %k : $\n"
             "  %o = fabric.mux %x, %y {sel = 0 : i64} : $, $ -> $\n"
             "  %p = arith.andi %o, %c : $\n  %q = arith.ori %o, %c : $\n"
             "  %s = arith.xori %o, %c : $" CHOOSE_3("%p", "%q", "%s"),
     "%r", "$", CHAIN(ARITH_SHLI, ARITH_XORI), IN_INTS, UNITS_INT},
    {"const_add_mux", "%b: $, %c: i1, %d: $",
     LITERAL "%x = arith.addi %b, %k : $\n  %y = arith.subi %b, %k : $\n"
             "  %o = fabric.mux %x, %y {sel = 0 : i64} : $, $ -> $\n"
             "  %u = fabric.mux %o, %d {sel = 0 : i64} : $, $ -> $\n"
             "  %v = fabric.mux %d, %o {sel = 0 : i64} : $, $ -> $\n"
             "  %r = handshake.mux %c [%u, %v] : i1, $",
     "%r", "$", CHAIN(ARITH_ADDI, ARITH_SELECT), IN_INTS, UNITS_INT},
};
enum { NIRREGULARS = sizeof irregulars / sizeof *irregulars };

/* `pattern` with every `$` replaced by the type, and every `#` by a zero of it. */
static const char *with_type(char *to, size_t size, const char *pattern, const UnitType *type) {
  size_t len = 0;
  for (; *pattern && len + 8 < size; pattern++) {
    if (*pattern == '$')
      len += (size_t)snprintf(to + len, size - len, "%s", type->text);
    else if (*pattern == '#')
      len += (size_t)snprintf(to + len, size - len, type->sort == SORT_FLOAT ? "0.0" : "0");
    else
      to[len++] = *pattern;
  }
  to[len] = 0;
  return to;
}

static void irregular_unit(Library *lib, const Irregular *u, const UnitType *type) {
  char name[64], args[128], op[1024], results[64];
  snprintf(name, sizeof name, u->types == IN_NONE ? "%s" : "%s_%s", u->name, type->text);
  with_type(results, sizeof results, u->results, type);
  UnitTiming timing = {0, 1, false};
  if (u->rule == TIMED_AS_STATES) timing = (UnitTiming){-1, -1, false};
  if (u->rule == TIMED_BY_OPERATIONS)
    timing = timing_of((OpKind[]){u->first, u->then}, u->then ? 2 : 1, type->bits);
  unit_open(lib, name, with_type(args, sizeof args, u->args, type), results, timing);
  buf_str(lib->out, with_type(op, sizeof op, u->op, type));
  unit_close(lib, name, u->values, results);
}

static bool has_type(const Library *lib, UnitTypes which, const UnitType *t) {
  switch (which) {
  case IN_NONE: return t->sort == SORT_NONE; /* once */
  case IN_TOKENS: return can_move(lib, t);
  case IN_VALUES: return can_move(lib, t) && t->sort != SORT_NONE;
  case IN_INTS: return can_compute(lib, t) && t->sort != SORT_FLOAT;
  case IN_BITS: return can_compute(lib, t) && t->sort == SORT_INT;
  case IN_FLOATS: return can_compute(lib, t) && t->sort == SORT_FLOAT;
  }
  return false;
}

static void irregular_units(Library *lib) {
  for (int i = 0; i < NIRREGULARS; i++) {
    const Irregular *u = &irregulars[i];
    bool is_simulated = lib->units == UNITS_MERGED && !strncmp(u->name, "fpowi", 5);
    if (u->since > lib->units || is_simulated || (lib->width < 64 && strstr(u->args, "i64")))
      continue;
    for (int t = 0; t < NTYPES; t++)
      if (has_type(lib, u->types, &types[t])) irregular_unit(lib, u, &types[t]);
  }
}

void fabric_unit_library(Context *ctx, const FabricPlan *plan, Buf *out, FabricUnitNames *names) {
  FabricUnits units = plan->units;
  Library lib = {
      .ctx = ctx, .out = out, .names = names, .units = units, .width = plan->width, .plan = plan};
  irregular_units(&lib);
  for (OpKind kind = OP_ARITH_ADDI; kind <= OP_ARITH_BITCAST; kind++) regular_units(&lib, kind);
  for (OpKind kind = OP_MATH_ABSF; units >= UNITS_FULL && kind <= OP_MATH_IPOWI; kind++)
    if (units != UNITS_MERGED || is_hardware(kind)) regular_units(&lib, kind);
  for (size_t i = 0; i < lib.merged.len; i++) put_merged(&lib, &lib.merged.at[i]);
  vec_free(&lib.merged);
}

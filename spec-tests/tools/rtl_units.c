/* rtl_units.c -- writes a module that holds every operation of hardware, for tests.
 *
 *     rtl-units int DIR       units.sv and units.inc: every integer operation, at many widths
 *     rtl-units f32 DIR       the same of a float format: f16, bf16, f32, f64
 *     rtl-units f32 DIR icarus    without those that need DPI calls
 *     rtl-units f32 DIR synthesis without those that are simulated only
 *     rtl-units f32 DIR arith.mulf    that one operation
 *     rtl-units f32 DIR 3         those that have steps with 3 registers, and
 *     rtl-units f32 DIR serial 3  serial where they can be
 *     rtl-units f32 DIR [OP] own  serial ones, with as many as passes/ir/timing.def says, up to 300
 *
 * The units are written by operation_write, so it is that which is tested, and the library behind
 * it. All take their operands from the same three words and give theirs to a word of y. Where there
 * are registers, what has some takes its operands when `first` is 1, and other ones behind. Which
 * operations there are, and of which types, ops.def says; what each gives, rtl_reference.c.
 */
#include "ir/timing.h"
#include "operation.h"
#include "rtl_units.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which there are ------------------------------------------------------------------------- */

typedef enum {
  INT_1,
  INT_2,
  INT_PAIR, /* two results as wide as the operands */
  INT_CARRY,
  INT_COMPARE,
  INT_WIDEN,
  INT_NARROW,
  INT_INDEX, /* to narrower, wider and as wide */
  FLOAT_1,
  FLOAT_2,
  FLOAT_3,
  FLOAT_POWER, /* the second an integer */
  FLOAT_COMPARE,
  FLOAT_IS,
  FLOAT_WIDEN,
  FLOAT_NARROW,
  FLOAT_TO_INT,
  INT_TO_FLOAT,
  ANY_SELECT,
  ANY_BITCAST
} Shape;

/* The operations of hardware, as ops.def has them: all pure ones of these dialects. */
static struct {
  const char *op;
  Shape shape;
} shapes[OP_COUNT];
static size_t nshapes;

static Shape shape_of(OpKind kind, const OpInfo *info) {
  u32 n = op_shape(kind).noperands;
  switch (kind) {
  case OP_ARITH_ADDUI_EXTENDED: return INT_CARRY;
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED: return INT_PAIR;
  case OP_ARITH_CMPI: return INT_COMPARE;
  case OP_ARITH_CMPF: return FLOAT_COMPARE;
  case OP_ARITH_SELECT: return ANY_SELECT;
  case OP_MATH_FPOWI: return FLOAT_POWER;
  case OP_MATH_ISFINITE:
  case OP_MATH_ISINF:
  case OP_MATH_ISNAN:
  case OP_MATH_ISNORMAL: return FLOAT_IS;
  case OP_LLVM_BITREVERSE: return INT_1;
  default: break;
  }
  switch ((OpTypes)info->types) {
  case TYPES_INT: return n == 1 ? INT_1 : INT_2;
  case TYPES_FLOAT: return n == 1 ? FLOAT_1 : n == 2 ? FLOAT_2 : FLOAT_3;
  case TYPES_WIDEN_INT: return INT_WIDEN;
  case TYPES_NARROW_INT: return INT_NARROW;
  case TYPES_INDEX_CAST: return INT_INDEX;
  case TYPES_WIDEN_FLOAT: return FLOAT_WIDEN;
  case TYPES_NARROW_FLOAT: return FLOAT_NARROW;
  case TYPES_FLOAT_TO_INT: return FLOAT_TO_INT;
  case TYPES_INT_TO_FLOAT: return INT_TO_FLOAT;
  case TYPES_BITCAST: return ANY_BITCAST;
  default: printf("FAIL %s: nobody knows its operands here\n", info->name); exit(1);
  }
}

static void find_shapes(void) {
  for (u32 k = 0; k < OP_COUNT; k++) {
    const OpInfo *info = op_info((OpKind)k);
    bool is_ours = strncmp(info->name, "arith.", 6) == 0 || strncmp(info->name, "math.", 5) == 0 ||
                   strncmp(info->name, "llvm.", 5) == 0;
    if (!is_ours || info->fire != FIRE_PURE) continue;
    shapes[nshapes].op = info->name;
    shapes[nshapes++].shape = shape_of((OpKind)k, info);
  }
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A host that writes to a file, as much of one as operation_write asks for. */
static FILE *output;

static int write_file(const loom_host *host, const char *stream, const void *bytes, size_t length) {
  (void)host, (void)stream;
  return fwrite(bytes, 1, length, output) == length ? LOOM_OK : LOOM_ERROR;
}

static RtlUnit units[2048];
static uint32_t nunits, nwords;

static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(output, format, args);
  va_end(args);
}

static Wire wire_of(const char *name, RtlType type) {
  enum loom_kind kind = type.kind == 'i' ? LOOM_INTEGER : type.kind == 'b' ? LOOM_BF16 : LOOM_IEEE;
  return (Wire){name, kind, type.bits};
}

static uint32_t stages; /* registers of what has steps; of all operations the most */
static bool serial;     /* where it can */
static bool own;        /* serial ones, with as many as timing.def says of each */

/* Not remainders of f64, which have 2,103 stages: rtl_shared.sh has those. */
enum { MAX_OWN = 300 };

/* What timing.def says of a unit, by the widest of its operands and results. */
static OpTiming timing_of(const char *op, RtlType a, RtlType b, RtlType c, RtlType y) {
  uint32_t bits = a.bits;
  if (b.bits > bits) bits = b.bits;
  if (c.bits > bits) bits = c.bits;
  if (y.bits > bits) bits = y.bits;
  OpKind kind = 0;
  while (kind < OP_COUNT && strcmp(op_infos[kind].name, op) != 0) kind++;
  return op_timing(kind, bits);
}

static bool put_unit(const RtlUnit *unit, uint32_t number, uint32_t word) {
  static loom_host host = {.write = write_file};
  Verilog v = {.host = &host};
  char names[7][32];
  const RtlType types[] = {unit->a, unit->b, unit->c};
  bool traps = operation_may_trap(unit->op);
  uint32_t results = unit->results - traps;
  OpTiming timing = timing_of(unit->op, unit->a, unit->b, unit->c, unit->y);
  uint32_t here = own ? timing.latency : stages;
  char move[32];
  Wire operands[3], made[2];
  snprintf(move, sizeof move, here ? "move[%u:0]" : "1'b0", here - 1);
  for (uint32_t i = 0; i < 3; i++) {
    snprintf(names[i], sizeof names[i], "%s%c_%u", operation_has_steps(unit->op) ? "first_" : "",
             (char)('a' + i), types[i].bits);
    operands[i] = wire_of(names[i], types[i]);
  }
  for (uint32_t r = 0; r < results; r++) {
    bool is_carry = r == 1 && strcmp(unit->op, "arith.addui_extended") == 0;
    RtlType type = is_carry ? (RtlType){'i', 1} : unit->y;
    snprintf(names[3 + r], sizeof names[3 + r], "u%u_y%u", number, r);
    made[r] = wire_of(names[3 + r], type);
    say("  logic [%u:0] %s;\n  assign y[%u +: 64] = 64'(%s);\n", type.bits - 1, names[3 + r],
        64 * (word + r), names[3 + r]);
  }
  snprintf(names[5], sizeof names[5], "u%u", number);
  snprintf(names[6], sizeof names[6], "u%u_t", number);
  if (traps)
    say("  logic [2:0] %s;\n  assign y[%u +: 64] = 64'(%s);\n", names[6], 64 * (word + results),
        names[6]);
  Operation op = {.op_name = unit->op,
                  .operands = operands,
                  .results = made,
                  .predicate = "predicate",
                  .instance = names[5],
                  .stages = here,
                  .first = here && !own ? number * 37 % 256 : 0,
                  .last = here && !own ? number * 91 % 256 : 0,
                  .is_serial = here && (own || serial),
                  .clk = "clk",
                  .move = move};
  Operation early = op; /* what goes wrong is known at once */
  Wire held[] = {operands[0], operands[1]};
  for (uint32_t i = 0; i < 2; i++)
    held[i].name += operation_has_steps(unit->op) ? strlen("first_") : 0;
  early.operands = held;
  if (traps) operation_write_trap(&v, &early, names[6]);
  return operation_write(&v, &op) == LOOM_OK;
}

/* What loom_dpi.c computes. */
static bool needs_dpi(const char *op) {
  static const char *const ops[] = {"cbrt", "erf", "erfc", "exp2", "expm1", "log1p", "log2"};
  for (size_t i = 0; i < COUNT_OF(ops); i++)
    if (strncmp(op, "math.", 5) == 0 && strcmp(op + 5, ops[i]) == 0) return true;
  return false;
}

static const char *tool = "verilator";

static bool is_wanted(const char *op) {
  if (strchr(tool, '.')) return strcmp(tool, op) == 0;
  if (strcmp(tool, "icarus") == 0) return !needs_dpi(op);
  return strcmp(tool, "synthesis") != 0 || operation_is_synthesizable(op);
}

static void add(const char *op, RtlType a, RtlType b, RtlType c, RtlType y, uint32_t results) {
  if (!is_wanted(op) || ((stages || own) && !operation_has_steps(op))) return;
  OpTiming timing = timing_of(op, a, b, c, y);
  if (own && (timing.interval == 1 || timing.latency > MAX_OWN)) return;
  if (own && timing.latency > stages) stages = timing.latency;
  if (nunits == COUNT_OF(units)) exit(1);
  units[nunits] = (RtlUnit){op, a, b, c, y, results + operation_may_trap(op)};
  nwords += units[nunits++].results;
}

/* ---- the units of a group -------------------------------------------------------------------- */

static const unsigned widths[] = {1, 7, 8, 16, 31, 32, 33, 63, 64};
static const RtlType formats[] = {{'f', 16}, {'b', 16}, {'f', 32}, {'f', 64}};
static const RtlType none, i1 = {'i', 1};

static void add_int(const char *op, Shape shape, RtlType t) {
  switch (shape) {
  case INT_1: add(op, t, none, none, t, 1); break;
  case INT_2: add(op, t, t, none, t, 1); break;
  case INT_PAIR: add(op, t, t, none, t, 2); break;
  case INT_CARRY: add(op, t, t, none, t, 2); break;
  case INT_COMPARE: add(op, t, t, none, i1, 1); break;
  case ANY_SELECT: add(op, i1, t, t, t, 1); break;
  case INT_WIDEN:
  case INT_NARROW:
  case INT_INDEX:
    for (size_t i = 0; i < COUNT_OF(widths); i++)
      if (shape == INT_INDEX || (shape == INT_WIDEN ? widths[i] > t.bits : widths[i] < t.bits))
        add(op, t, none, none, (RtlType){'i', widths[i]}, 1);
    break;
  default: break;
  }
}

static void add_float(const char *op, Shape shape, RtlType t) {
  static const unsigned powers[] = {8, 32, 64};
  switch (shape) {
  case FLOAT_1: add(op, t, none, none, t, 1); break;
  case FLOAT_2: add(op, t, t, none, t, 1); break;
  case FLOAT_3: add(op, t, t, t, t, 1); break;
  case FLOAT_POWER:
    for (size_t i = 0; i < COUNT_OF(powers); i++) add(op, t, (RtlType){'i', powers[i]}, none, t, 1);
    break;
  case FLOAT_COMPARE: add(op, t, t, none, i1, 1); break;
  case FLOAT_IS: add(op, t, none, none, i1, 1); break;
  case FLOAT_WIDEN:
  case FLOAT_NARROW:
    for (size_t i = 0; i < COUNT_OF(formats); i++)
      if (shape == FLOAT_WIDEN ? formats[i].bits > t.bits : formats[i].bits < t.bits)
        add(op, t, none, none, formats[i], 1);
    break;
  case FLOAT_TO_INT:
  case INT_TO_FLOAT:
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
      RtlType whole = {'i', widths[i]};
      add(op, shape == FLOAT_TO_INT ? t : whole, none, none, shape == FLOAT_TO_INT ? whole : t, 1);
    }
    break;
  case ANY_SELECT: add(op, i1, t, t, t, 1); break;
  case ANY_BITCAST: add(op, t, none, none, (RtlType){'i', t.bits}, 1); break;
  default: break;
  }
}

static bool add_group(const char *group) {
  static const char *const names[] = {"f16", "bf16", "f32", "f64"};
  if (strcmp(group, "int") == 0) {
    for (size_t i = 0; i < nshapes; i++)
      for (size_t w = 0; w < COUNT_OF(widths); w++)
        add_int(shapes[i].op, shapes[i].shape, (RtlType){'i', widths[w]});
    return true;
  }
  for (size_t f = 0; f < COUNT_OF(names); f++) {
    if (strcmp(group, names[f]) != 0) continue;
    for (size_t i = 0; i < nshapes; i++) add_float(shapes[i].op, shapes[i].shape, formats[f]);
    return true;
  }
  return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void open_file(const char *dir, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  output = fopen(path, "w");
  if (!output) {
    perror(path);
    exit(1);
  }
}

/* The operands as wide as anybody wants them. */
static void put_operands(void) {
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t bits = 1; bits <= 64; bits++) {
      bool is_used = false;
      for (uint32_t u = 0; u < nunits; u++) {
        const RtlType types[] = {units[u].a, units[u].b, units[u].c};
        is_used |= types[i].bits == bits;
      }
      char x = (char)('a' + i);
      if (is_used)
        say("  logic [%u:0] %c_%u, first_%c_%u;\n  assign %c_%u = %c[%u:0];\n"
            "  assign first_%c_%u = %c_%u ^ {%u{!first}};\n",
            bits - 1, x, bits, x, bits, x, bits, x, bits - 1, x, bits, x, bits, bits);
    }
}

static bool put_module(const char *dir) {
  bool good = true;
  open_file(dir, "units.sv");
  say("// Every unit of a group, from the same operands. Narrow ones leave bits of them unused.\n"
      "// verilator lint_off UNUSEDSIGNAL\n"
      "module units (\n  input logic clk,\n  input logic first,\n  input logic [%u:0] move,\n"
      "  input logic [63:0] a,\n  input logic [63:0] b,\n"
      "  input logic [63:0] c,\n  input logic [3:0] predicate,\n  output logic [%u:0] y\n);\n",
      stages ? stages - 1 : 0, 64 * nwords - 1);
  put_operands();
  say("// verilator lint_on UNUSEDSIGNAL\n");
  for (uint32_t i = 0, word = 0; i < nunits; word += units[i++].results) {
    if (put_unit(&units[i], i, word)) continue;
    printf("FAIL %s: not an operation of hardware\n", units[i].op);
    good = false;
  }
  say("endmodule\n");
  if (fclose(output) != 0) good = false;
  return good;
}

static bool put_table(const char *dir) {
  open_file(dir, "stages.h");
  say("#define STAGES %u\n", stages);
  if (fclose(output) != 0) return false;
  open_file(dir, "units.inc");
  for (uint32_t i = 0; i < nunits; i++) {
    const RtlUnit *u = &units[i];
    say("{\"%s\", {'%c', %u}, {'%c', %u}, {'%c', %u}, {'%c', %u}, %u},\n", u->op, u->a.kind,
        u->a.bits, u->b.bits ? u->b.kind : 'i', u->b.bits, u->c.bits ? u->c.kind : 'i', u->c.bits,
        u->y.kind, u->y.bits, u->results);
  }
  return fclose(output) == 0;
}

int main(int argc, char **argv) {
  if (argc > 3) tool = argv[3];
  if (argc > 3) stages = (uint32_t)atoi(argv[argc - 1]);
  serial = strcmp(tool, "serial") == 0;
  own = argc > 3 && strcmp(argv[argc - 1], "own") == 0;
  find_shapes();
  if (argc < 3 || !add_group(argv[1])) {
    fprintf(
        stderr,
        "rtl-units int|f16|bf16|f32|f64 DIR [icarus|synthesis|OP|STAGES|serial STAGES|[OP] own]\n");
    return 2;
  }
  bool good = put_module(argv[2]);
  good &= put_table(argv[2]);
  return good ? 0 : 1;
}

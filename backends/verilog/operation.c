/* operation.c -- one operation of a function unit, as SystemVerilog.
 *
 *     arith.addi %x, %y : i32      assign s = x + y;
 *     arith.divsi %x, %y : i32     loom_int_divide #(.W(32), .SERIAL(1'b0), ...) u3 (...);
 *
 * Each operation is a row of a table: a template in which a dollar and a letter are replaced.
 *
 *     $a $b $c    operands            $A  bits of the first operand   $n  the instance's name
 *     $y $z       results             $Y  bits of the first result    $p  the predicate's wire
 *     $s          the sign bit of $a
 *     $B  bits of the second operand                                  $o  the operation: math_sin
 *     $f  parameters of the first operand's float format: .E(8), .M(23); $g of the first result's;
 *     $r  the same as .RE(8), .RM(23)
 *     $P  parameters that place the registers, $Q those of a module that may be serial,
 *     $m  the ports to the registers: clk and move
 *     $w  the mode: a wire, or the constant in `modes`
 *     $e  "_early" for a division that ends early, and $k its port `skip`; else nothing
 *
 * An operation is an expression where one is enough, else a module of library/. The expressions do
 * not index bits of a wire, so that a wire of one bit may be a scalar. They change widths by a cast
 * alone: 64'($signed(x)). Rows are found by a linear search.
 */
#include "operation.h"

#include <string.h>

typedef struct {
  const char *op_name, *text;
} Row;

#define ASSIGN(expression)                "assign $y = " expression ";"
#define MODULE(module, parameters, ports) module " #(" parameters ") $n (" ports ");"

#define DIVIDE MODULE("loom_int_divide$e", ".W($A), $Q", "$m, .a($a), .b($b), .mode($w), .y($y)$k")
#define WIDE(sign)                                                                                 \
  MODULE("loom_int_multiply_wide", ".W($A), .SIGNED(1'b" sign "), $P",                             \
         "$m, .a($a), .b($b), .low($y), .high($z)")
#define FLOAT_1(module, parameters) MODULE("loom_float_" module, "$f" parameters, ".a($a), .y($y)")
#define EXTREMUM                    MODULE("loom_float_extremum", "$f", ".a($a), .b($b), .mode($w), .y($y)")

/* The same for modules with registers: `parameters` has $P, or $Q where it may be serial. */
#define STEPS_1(module, parameters)                                                                \
  MODULE("loom_float_" module, "$f, " parameters, "$m, .a($a), .y($y)")
#define STEPS_2(module, parameters)                                                                \
  MODULE("loom_float_" module, "$f, " parameters, "$m, .a($a), .b($b), .y($y)")
#define ADD      MODULE("loom_float_add", "$f, $P", "$m, .a($a), .b($b), .mode($w), .y($y)")
#define INTEGRAL MODULE("loom_float_integral", "$f, $P", "$m, .a($a), .mode($w), .y($y)")
#define FROM_INT MODULE("loom_float_from_int", "$g, .W($A), $P", "$m, .a($a), .mode($w), .y($y)")
#define TO_INT   MODULE("loom_float_to_int", "$f, .W($Y), $P", "$m, .a($a), .mode($w), .y($y)")

/* Simulation only: for synthesis, the instance of a missing module whose name is the message. Only
 * these rows begin with ` (is_simulated). */
#define MATH(module, parameters, ports)                                                            \
  "`ifdef SYNTHESIS\n  $o_is_not_synthesizable $n (" ports                                         \
  ");\n`else\n  " MODULE(module, "$f" parameters, ports) "\n`endif"
#define MATH_1(name) MATH("loom_math", ", .NAME(\"" name "\")", ".a($a), .b($A'd0), .y($y)")
#define MATH_2(name) MATH("loom_math", ", .NAME(\"" name "\")", ".a($a), .b($b), .y($y)")

#define COUNT(what) MODULE("loom_int_count", ".W($A), .WHAT(" what ")", ".a($a), .y($y)")

/* Truncations and extensions: fill_text chooses the template by the two widths. */
#define FILL_SIGNED   "signed"
#define FILL_UNSIGNED "unsigned"

static const Row rows[] = {
    {"arith.addi", ASSIGN("$a + $b")},
    {"arith.subi", ASSIGN("$a - $b")},
    {"arith.muli", MODULE("loom_int_multiply", ".W($A), $P", "$m, .a($a), .b($b), .y($y)")},
    {"arith.andi", ASSIGN("$a & $b")},
    {"arith.ori", ASSIGN("$a | $b")},
    {"arith.xori", ASSIGN("$a ^ $b")},
    {"arith.shli", ASSIGN("$a << $b")},
    {"arith.shrui", ASSIGN("$a >> $b")},
    {"arith.shrsi", ASSIGN("$signed($a) >>> $b")},
    {"arith.maxsi", ASSIGN("($a ^ $s) > ($b ^ $s) ? $a : $b")},
    {"arith.minsi", ASSIGN("($a ^ $s) < ($b ^ $s) ? $a : $b")},
    {"arith.maxui", ASSIGN("$a > $b ? $a : $b")},
    {"arith.minui", ASSIGN("$a < $b ? $a : $b")},
    {"arith.addui_extended", "assign {$z, $y} = {1'b0, $a} + {1'b0, $b};"},
    {"arith.mului_extended", WIDE("0")},
    {"arith.mulsi_extended", WIDE("1")},
    {"arith.divui", DIVIDE},
    {"arith.divsi", DIVIDE},
    {"arith.ceildivui", DIVIDE},
    {"arith.ceildivsi", DIVIDE},
    {"arith.floordivsi", DIVIDE},
    {"arith.remui", DIVIDE},
    {"arith.remsi", DIVIDE},
    {"math.ipowi", MODULE("loom_int_power", ".W($A), $Q", "$m, .a($a), .b($b), .y($y)")},
    {"arith.cmpi", MODULE("loom_int_compare", ".W($A)", ".a($a), .b($b), .predicate($p), .y($y)")},
    {"arith.select", ASSIGN("$a ? $b : $c")},
    {"arith.extsi", FILL_SIGNED},
    {"arith.extui", FILL_UNSIGNED},
    {"arith.trunci", FILL_UNSIGNED},
    {"arith.index_cast", FILL_SIGNED},
    {"arith.index_castui", FILL_UNSIGNED},
    {"arith.bitcast", ASSIGN("$a")},
    {"math.absi", ASSIGN("($a & $s) == $s ? -$a : $a")},
    {"math.ctlz", COUNT("0")},
    {"math.cttz", COUNT("1")},
    {"math.ctpop", COUNT("2")},
    {"llvm.intr.bitreverse", MODULE("loom_int_reverse", ".W($A)", ".a($a), .y($y)")},
    {"arith.negf", ASSIGN("$a ^ $s")},
    {"math.absf", ASSIGN("$a & ~$s")},
    {"math.copysign", ASSIGN("($a & ~$s) | ($b & $s)")},
    {"arith.addf", ADD},
    {"arith.subf", ADD},
    {"arith.mulf", STEPS_2("mul", "$P")},
    {"arith.divf", STEPS_2("div", "$Q")},
    {"arith.remf", MODULE("loom_float_rem$e", "$f, $Q", "$m, .a($a), .b($b), .y($y)$k")},
    {"math.fma", MODULE("loom_float_fma", "$f, $P", "$m, .a($a), .b($b), .c($c), .y($y)")},
    {"math.sqrt", STEPS_1("sqrt", "$Q")},
    {"math.rsqrt", STEPS_1("rsqrt", "$Q")},
    {"arith.cmpf", MODULE("loom_float_compare", "$f", ".a($a), .b($b), .predicate($p), .y($y)")},
    {"arith.maximumf", EXTREMUM},
    {"arith.minimumf", EXTREMUM},
    {"arith.maxf", EXTREMUM},
    {"arith.minf", EXTREMUM},
    {"arith.maxnumf", EXTREMUM},
    {"arith.minnumf", EXTREMUM},
    {"math.trunc", INTEGRAL},
    {"math.floor", INTEGRAL},
    {"math.ceil", INTEGRAL},
    {"math.round", INTEGRAL},
    {"math.roundeven", INTEGRAL},
    {"math.isfinite", FLOAT_1("is", ", .WHAT(0)")},
    {"math.isinf", FLOAT_1("is", ", .WHAT(1)")},
    {"math.isnan", FLOAT_1("is", ", .WHAT(2)")},
    {"math.isnormal", FLOAT_1("is", ", .WHAT(3)")},
    {"arith.extf", STEPS_1("convert", "$r, $P")},
    {"arith.truncf", STEPS_1("convert", "$r, $P")},
    {"arith.fptosi", TO_INT},
    {"arith.fptoui", TO_INT},
    {"arith.sitofp", FROM_INT},
    {"arith.uitofp", FROM_INT},
    {"math.acos", MATH_1("acos")},
    {"math.acosh", MATH_1("acosh")},
    {"math.asin", MATH_1("asin")},
    {"math.asinh", MATH_1("asinh")},
    {"math.atan", MATH_1("atan")},
    {"math.atanh", MATH_1("atanh")},
    {"math.cbrt", MATH_1("cbrt")},
    {"math.cos", MATH_1("cos")},
    {"math.cosh", MATH_1("cosh")},
    {"math.erf", MATH_1("erf")},
    {"math.erfc", MATH_1("erfc")},
    {"math.exp", MATH_1("exp")},
    {"math.exp2", MATH_1("exp2")},
    {"math.expm1", MATH_1("expm1")},
    {"math.log", MATH_1("log")},
    {"math.log10", MATH_1("log10")},
    {"math.log1p", MATH_1("log1p")},
    {"math.log2", MATH_1("log2")},
    {"math.sin", MATH_1("sin")},
    {"math.sinh", MATH_1("sinh")},
    {"math.tan", MATH_1("tan")},
    {"math.tanh", MATH_1("tanh")},
    {"math.atan2", MATH_2("atan2")},
    {"math.powf", MATH_2("pow")},
    {"math.fpowi", MATH("loom_math_powi", ", .W($B)", ".a($a), .b($b), .y($y)")},
};

/* The value of the port `mode` that selects the operation in its module. */
static const Row modes[] = {
    {"arith.divui", "4'b0000"},     {"arith.divsi", "4'b1000"},      {"arith.ceildivui", "4'b0010"},
    {"arith.ceildivsi", "4'b1010"}, {"arith.floordivsi", "4'b1001"}, {"arith.remui", "4'b0100"},
    {"arith.remsi", "4'b1100"},     {"arith.addf", "1'd0"},          {"arith.subf", "1'd1"},
    {"arith.maximumf", "2'd1"},     {"arith.minimumf", "2'd0"},      {"arith.maxf", "2'd1"},
    {"arith.minf", "2'd0"},         {"arith.maxnumf", "2'd3"},       {"arith.minnumf", "2'd2"},
    {"math.trunc", "3'd0"},         {"math.floor", "3'd1"},          {"math.ceil", "3'd2"},
    {"math.round", "3'd3"},         {"math.roundeven", "3'd4"},      {"arith.fptosi", "1'd1"},
    {"arith.fptoui", "1'd0"},       {"arith.sitofp", "1'd1"},        {"arith.uitofp", "1'd0"},
};

/* The module that computes an operation's trap code. */
#define TRAP_SIGNED   "loom_int_divide_trap #(.W($A), .SIGNED(1'b1))"
#define TRAP_UNSIGNED "loom_int_divide_trap #(.W($A), .SIGNED(1'b0))"

static const Row traps[] = {
    {"arith.divui", TRAP_UNSIGNED},     {"arith.divsi", TRAP_SIGNED},
    {"arith.ceildivui", TRAP_UNSIGNED}, {"arith.ceildivsi", TRAP_SIGNED},
    {"arith.floordivsi", TRAP_SIGNED},  {"arith.remui", TRAP_UNSIGNED},
    {"arith.remsi", TRAP_SIGNED},       {"math.ipowi", "loom_int_power_trap #(.W($A))"},
};

static const char *text_of(const Row *table, size_t count, const char *op_name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].op_name, op_name) == 0) return table[i].text;
  return NULL;
}

static const char *trap_of(const char *op_name) {
  return text_of(traps, LOOM_COUNT(traps), op_name);
}

static const char *row_text(const char *op_name) {
  return text_of(rows, LOOM_COUNT(rows), op_name);
}

const char *operation_module(Verilog *v, const char *op_name) {
  const char *name = row_text(op_name) + strlen("loom_");
  return text(v, "%.*s", (int)strcspn(name, " $"), name);
}

const char *operation_mode(const char *op_name) {
  return text_of(modes, LOOM_COUNT(modes), op_name);
}

static int is_simulated(const char *row) {
  return row[0] == '`';
}

int operation_is_synthesizable(const char *op_name) {
  const char *row = row_text(op_name);
  return row && !is_simulated(row);
}

int operation_may_trap(const char *op_name) {
  return trap_of(op_name) != NULL;
}

int operation_has_steps(const char *op_name) {
  const char *row = row_text(op_name);
  return row && strstr(row, "$m");
}

static const char *fill_text(const Operation *op, const char *kind) {
  uint32_t from = op->operands[0].bits, to = op->results[0].bits;
  if (from == to) return ASSIGN("$a");
  if (from > to) return MODULE("loom_int_cut", ".W($A), .R($Y)", ".a($a), .y($y)");
  return strcmp(kind, FILL_SIGNED) == 0 ? ASSIGN("$Y'($signed($a))") : ASSIGN("$Y'($a)");
}

static void put_format(Verilog *v, const Wire *wire, const char *r) {
  int exponent = wire->kind == LOOM_BF16 || wire->bits == 32 ? 8 : wire->bits == 16 ? 5 : 11;
  put(v, ".%sE(%d), .%sM(%d)", r, exponent, r, (int)wire->bits - 1 - exponent);
}

/* math.sin as a name of SystemVerilog: math_sin. */
static void put_op_name(Verilog *v, const char *name) {
  for (; *name; name++) put(v, "%c", *name == '.' ? '_' : *name);
}

/* Replaces a dollar and `letter`. */
static void put_place(Verilog *v, const Operation *op, char letter) {
  uint32_t bits = op->operands[0].bits;
  switch (letter) {
  case 'a':
  case 'b':
  case 'c': put(v, "%s", op->operands[letter - 'a'].name); break;
  case 'y':
  case 'z': put(v, "%s", op->results[letter - 'y'].name); break;
  case 'A': put(v, "%u", bits); break;
  case 'B': put(v, "%u", op->operands[1].bits); break;
  case 'Y': put(v, "%u", op->results[0].bits); break;
  case 's': put(v, "%u'h%llx", bits, 1ull << (bits - 1)); break;
  case 'f': put_format(v, &op->operands[0], ""); break;
  case 'g': put_format(v, &op->results[0], ""); break;
  case 'r': put_format(v, &op->results[0], "R"); break;
  case 'o': put_op_name(v, op->op_name); break;
  case 'n': put(v, "%s", op->instance); break;
  case 'p': put(v, "%s", op->predicate); break;
  case 'w': put(v, "%s", op->mode ? op->mode : operation_mode(op->op_name)); break;
  case 'm': put(v, ".clk(%s), .move(%s)", op->clk, op->move); break;
  case 'Q': put(v, ".SERIAL(1'b%d), .STAGES(%u)", op->is_serial, op->stages); break;
  case 'e': put(v, "%s", op->skip ? "_early" : ""); break;
  case 'k':
    if (op->skip) put(v, ", .skip(%s)", op->skip);
    break;
  case 'P': put(v, ".STAGES(%u), .FIRST(%u), .LAST(%u)", op->stages, op->first, op->last); break;
  default: break;
  }
}

static void put_row(Verilog *v, const Operation *op, const char *at) {
  for (; *at; at++) {
    if (at[0] == '$' && strncmp(at, "$signed", 7) != 0) {
      put_place(v, op, *++at);
    } else {
      put(v, "%c", *at);
    }
  }
}

int operation_write(Verilog *v, const Operation *op) {
  const char *row = row_text(op->op_name), *at = row;
  if (!row) return LOOM_UNSUPPORTED;
  if (strcmp(at, FILL_SIGNED) == 0 || strcmp(at, FILL_UNSIGNED) == 0) at = fill_text(op, at);
  if (!is_simulated(row)) put(v, "  ");
  put_row(v, op, at);
  put(v, "\n");
  return LOOM_OK;
}

void operation_write_trap(Verilog *v, const Operation *op, const char *trap) {
  put(v, "  ");
  put_row(v, op, trap_of(op->op_name));
  put(v, " %s_of (.a(%s), .b(%s), .trap(%s));\n", trap, op->operands[0].name, op->operands[1].name,
      trap);
}

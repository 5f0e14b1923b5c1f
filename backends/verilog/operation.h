/* operation.h -- one operation of a function unit, as hardware.
 *
 *     arith.addi %x, %y : i32          assign y = x + z;
 *     arith.mulf %x, %y : f32          loom_float_mul #(.E(8), .M(23), .STAGES(4), ...) u3 (...);
 *
 * What is short is combinational. What has several steps has registers of its own, as many as it is
 * told. Bits are those that the interpreters give (ir/eval.c), NaNs included.
 */
#ifndef LOOM_VERILOG_OPERATION_H
#define LOOM_VERILOG_OPERATION_H

#include "verilog.h"

/* A value: a wire or variable `logic [bits-1:0]` (or `logic`, of one bit), by its name. Kind
 * LOOM_NO_DATA has no bits and no wire. */
typedef struct Wire {
  const char *name;
  enum loom_kind kind;
  uint32_t bits;
} Wire;

typedef struct Operation {
  const char *op_name; /* "arith.addi" */
  const Wire *operands, *results;
  uint32_t operand_count, result_count;
  const char *predicate; /* cmpi, cmpf: a wire of 4 bits with MLIR's number; else NULL */
  const char *mode;      /* a wire that says it, where operation_mode is not it; else NULL */
  const char *instance;  /* begins the names of what it declares; unique in the module */
  /* Where operation_has_steps: its registers, and the 256ths of a stage that others have used up
   * before it begins, and leave to it when it ends (library/loom_cut.sv). */
  uint32_t stages, first, last;
  int is_serial;    /* it need not begin again in as many cycles */
  const char *skip; /* NULL, or of a division that ends early: a wire of SKIP_BITS bits for loom_firing */
  const char *clk, *move; /* the enable of each register, a wire of at_least_1(stages) bits */
} Operation;

/* 1: it exists in hardware; 0: in simulation only (sin, exp, ...: a DPI call). */
int operation_is_synthesizable(const char *op_name);
int operation_may_trap(const char *op_name);
/* What its module is called behind loom_: "float_add". */
const char *operation_module(Verilog *v, const char *op_name);
/* Of one that shares a module with others, which one it is, as a constant: "2'd1". NULL: it does not. */
const char *operation_mode(const char *op_name);
/* 1: it can have registers inside. */
int operation_has_steps(const char *op_name);
/* Writes statements and instances, inside a module, that drive the results. LOOM_UNSUPPORTED: there
 * is no such operation. */
int operation_write(Verilog *v, const Operation *op);

/* Writes what drives `trap`, 3 bits, where operation_may_trap: 0, or a code as in loom_kernel.h (1
 * divides by zero, 2 overflows). */
void operation_write_trap(Verilog *v, const Operation *op, const char *trap);

#endif

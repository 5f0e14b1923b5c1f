/* operation.h -- one operation of a function unit, as hardware.
 *
 *     arith.addi %x, %y : i32          assign z = x + y;
 *     arith.mulf %x, %y : f32          loom_float_mul #(.E(8), .M(23), .STAGES(4), ...) u3 (...);
 *
 * Short operations are combinational. Those of several steps have `stages` registers inside.
 * Results are bit for bit those of the interpreters (ir/eval.c), NaNs included.
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
  const char *predicate; /* cmpi, cmpf: a wire of 4 bits with MLIR's number; else NULL */
  const char *mode;      /* a wire that selects the mode; NULL: it is the constant operation_mode */
  const char *instance;  /* the instance's name, unique in the module */
  /* Where operation_has_steps: its registers, and the 256ths of a stage that other operations take
   * before it in its first stage, and after its last register (library/loom_cut.sv). */
  uint32_t stages, first, last;
  int is_serial;    /* it has one firing at a time, and may iterate over the same hardware */
  const char *skip; /* a division that ends early drives this wire of SKIP_BITS bits; else NULL */
  const char *clk, *move; /* the enable of each register, a wire of at_least_1(stages) bits */
} Operation;

/* 0: it exists in simulation only (sin, exp, ...: a DPI call), or not at all. */
int operation_is_synthesizable(const char *op_name);
int operation_may_trap(const char *op_name);
/* The name of its library module without loom_: "float_add". It must have one. */
const char *operation_module(Verilog *v, const char *op_name);
/* The constant that selects the operation in a module of several: "2'd1". NULL: it has no modes. */
const char *operation_mode(const char *op_name);
/* 1: it can have registers inside. */
int operation_has_steps(const char *op_name);
/* Writes the statement or instance that drives the results. LOOM_UNSUPPORTED: there is no such
 * operation. */
int operation_write(Verilog *v, const Operation *op);

/* Where operation_may_trap: writes the instance that drives `trap`, 3 bits: 0, or a code as in
 * loom_kernel.h (1 division by zero, 2 overflow). */
void operation_write_trap(Verilog *v, const Operation *op, const char *trap);

#endif

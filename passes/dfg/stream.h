/* stream.h -- the test and the step of dataflow.stream, shared by all simulators.
 *
 *     dataflow.stream %a, %s, %n {step_op = "+=", cont_cond = "<"}       a, a + s, ... while < n
 *
 * Values are of type index: `width` bits, zero-extended; they are compared as signed numbers. */
#ifndef LOOM_DFG_STREAM_H
#define LOOM_DFG_STREAM_H

#include "dfg/dfg.h"

static inline bool stream_test(DfgContCond condition, unsigned width, u64 value, u64 bound) {
  i64 a = eval_signed(value, width), b = eval_signed(bound, width);
  switch (condition) {
  case CONT_LT: return a < b;
  case CONT_LE: return a <= b;
  case CONT_GT: return a > b;
  case CONT_GE: return a >= b;
  case CONT_NE: return a != b;
  }
  return false;
}

/* Computes the value after `value`. EVAL_DIV_ZERO and EVAL_OVERFLOW: *next is `value`; EVAL_POISON:
 * a shift by the width or more, and *next is the documented result. */
static inline EvalStatus stream_step(DfgStepOp op, unsigned width, u64 value, u64 step, u64 *next) {
  i64 a = eval_signed(value, width), b = eval_signed(step, width);
  bool overshifts = step >= width;
  *next = value;
  switch (op) {
  case STEP_ADD: value += step; break;
  case STEP_SUB: value -= step; break;
  case STEP_MUL: value *= step; break;
  case STEP_DIV:
    if (b == 0) return EVAL_DIV_ZERO;
    if (b == -1 && a == eval_signed((u64)1 << (width - 1), width)) return EVAL_OVERFLOW;
    value = (u64)(a / b);
    break;
  case STEP_SHL: value = overshifts ? 0 : value << step; break;
  case STEP_SHR: value = (u64)(a >> (overshifts ? width - 1 : step)); break;
  }
  *next = value & eval_mask(width);
  return overshifts && (op == STEP_SHL || op == STEP_SHR) ? EVAL_POISON : EVAL_OK;
}

#endif

/* stream.h -- test and step of dataflow.stream, for all simulators.
 *
 *     dataflow.stream %a, %s, %n {step_op = "+=", cont_cond = "<"}       a, a + s, ... while < n
 *
 * Values are of an index: `width` bits, zero-extended; they are compared as signed numbers. */
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

/* The value behind `value`. EVAL_DIV_ZERO or EVAL_OVERFLOW leave it; EVAL_POISON: it is shifted by
 * its width or more, and *next is what is documented for that. */
static inline EvalStatus stream_step(DfgStepOp op, unsigned width, u64 value, u64 step, u64 *next) {
  i64 a = eval_signed(value, width), b = eval_signed(step, width);
  bool far = step >= width;
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
  case STEP_SHL: value = far ? 0 : value << step; break;
  case STEP_SHR: value = (u64)(a >> (far ? width - 1 : step)); break;
  }
  *next = value & eval_mask(width);
  return far && (op == STEP_SHL || op == STEP_SHR) ? EVAL_POISON : EVAL_OK;
}

#endif

/* eval.h -- the evaluation of pure operations: functions from bit patterns to bit patterns.
 *
 * A scalar value at run time is a u64: an integer's bits zero-extended from its width, a float's
 * bits in its own format, an index in ctx->index_width bits, 0 for `none`. The evaluation of most
 * ops is the last column of their row in ops.def; eval.c expands it. The interpreters prepare an
 * op once and run it many times; folding runs it once:
 *
 *     EvalOp add;
 *     eval_prepare(ctx, OP_ARITH_ADDI, op, (const Type *[]){i8, i8}, i8, &add);
 *     eval_run(&add, (u64[]){200, 100}, out)      EVAL_OK, out[0] == 44
 */
#ifndef LOOM_IR_EVAL_H
#define LOOM_IR_EVAL_H

#include "ir/ir.h"

typedef enum {
  EVAL_OK,
  EVAL_POISON,   /* poison in MLIR's sense: the documented value was written */
  EVAL_DIV_ZERO, /* traps: nothing was written */
  EVAL_OVERFLOW  /* MIN / -1: traps */
} EvalStatus;

/* At most three operands (fma) and two results (mulsi_extended). */
enum { EVAL_MAX_OPERANDS = 3, EVAL_MAX_RESULTS = 2 };

typedef struct EvalOp EvalOp;
typedef EvalStatus (*EvalFn)(const EvalOp *, const u64 *in, u64 *out);

struct EvalOp {
  EvalFn run;
  EvalFn unflagged;         /* `run` without the check of `flags`; set if there are any */
  u64 mask;                 /* the low `rw` bits, to which a result is truncated */
  u8 w, rw;                 /* bits of the operands (select: its values), of the first result */
  u8 format, result_format; /* FloatKind of the operands and the result, if they are floats */
  u8 predicate;             /* of a comparison: the relations it holds for (eval.c) */
  u8 flags;                 /* promises (nsw, exact, ...) that make the result poison when broken */
  u8 noperands, nresults;
};

/* Fills *e for one op. `op` has the attributes (predicate, overflow flags) and may be NULL for
 * kinds that have none; `operands` are its operand types, `result` the type of its first result.
 * False, without a diagnostic, if the op cannot be evaluated (not a pure scalar operation, a
 * vector, a rounding mode other than to nearest even). */
bool eval_prepare(const Context *ctx, OpKind kind, const Op *op, const Type *const *operands,
                  const Type *result, EvalOp *e);

/* Indexed by CmpiPredicate: "eq", "ne", "slt", ... */
extern const char *const int_predicate_names[INT_PREDICATES];

/* The predicate of an arith.cmpi, arith.cmpf or index.cmp as MLIR's number; -1 if it has none. */
i64 eval_predicate(const Op *op);

/* Sets the predicate of a comparison by MLIR's number: in hardware it is part of the configuration.
 * Any kind but arith.cmpf is an integer comparison. False if there is no such number. */
bool eval_set_predicate(EvalOp *e, OpKind kind, unsigned number);

static inline EvalStatus eval_run(const EvalOp *e, const u64 *in, u64 *out) {
  return e->run(e, in, out);
}

/* Constant folding: false if the op cannot be evaluated, would trap, or gives poison. Writes as
 * many of `out` as the op has results (two for the ..._extended ones). */
bool eval_pure(const Context *ctx, OpKind kind, const Op *op, const Type *const *operands,
               const Type *result, const u64 *in, u64 *out);

/* The bits of a constant op's value (arith.constant, index.constant, index.bool.constant,
 * index.sizeof, ub.poison, handshake.constant) of scalar or none type; false for any other op. */
bool eval_constant(const Context *ctx, const Op *op, u64 *bits);

/* The exact value of a float; and the nearest float of a format: ties to even, overflow to
 * infinity, every NaN to the canonical quiet one (positive, only the top mantissa bit set). */
double eval_float_value(FloatKind format, u64 bits);
u64 eval_float_bits(FloatKind format, double value);

/* x sign-extended from its low `width` bits; width 0 gives 0. */
static inline i64 eval_signed(u64 x, unsigned width) {
  return width ? (i64)(x << (64 - width)) >> (64 - width) : 0;
}
/* A mask of the low `width` bits, 0..64. */
static inline u64 eval_mask(unsigned width) {
  return width >= 64 ? ~(u64)0 : ((u64)1 << width) - 1;
}

#endif

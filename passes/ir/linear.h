/* linear.h -- has a system of linear constraints over the integers a solution?
 *
 *     0 <= i < n, 0 <= j < n, i + 1 <= j, 32*i = 32*j            none: i and j differ
 *     0 <= i < 16, 0 <= k < 16, 2*i = 2*k + 1                    none: one is even, one is odd
 *
 * Who asks whether two accesses of a memory can touch one element builds such a system: variables
 * with bounds, rows that are zero or not negative, and in the end the equation of the two
 * addresses. The answer is exact, by isl's integer emptiness test, or "there may be one" where the
 * system is too large, where a number in it is, or where isl took more steps than it is granted.
 *
 * Machine numbers wrap and these do not: linear_machine says what a sum of so many bits is as a
 * number, with a variable for how often it wrapped, unless the bounds show that it does not.
 *
 * The lowering asks about its source, the order proof about the finished graph: each builds its
 * systems from what it has read itself, and what they share is arithmetic. */
#ifndef LOOM_IR_LINEAR_H
#define LOOM_IR_LINEAR_H

#include "ir/interval.h"

/* Holds products of numbers of 64 bits. */
__extension__ typedef __int128 Wide;

enum { LINEAR_VARS = 40, LINEAR_ROWS = 64 };

/* constant + factor[0] * variable 0 + ... of the first `nvars` variables. The factors behind are
 * not set, and a form is passed by its address: most have few variables, and there are many
 * forms. */
typedef struct {
  u32 nvars;
  Wide constant, factor[LINEAR_VARS];
} LinearForm;

typedef struct {
  Wide min, max;
} LinearRange;

typedef struct {
  u32 nvars, nrows;
  LinearRange range[LINEAR_VARS]; /* by variable */
  struct {
    LinearForm form;
    bool is_zero; /* or else it is not negative */
  } rows[LINEAR_ROWS];
  bool too_large; /* something did not fit: nothing can be shown */
} LinearSystem;

/* Who asks, of one function: how many queries are left, and isl's state, made when it is first
 * needed. Loop nests, functions and candidates of a search that are alike ask the same: what isl
 * said of a system stays in the context. */
typedef struct {
  Context *ctx;
  struct isl_ctx *isl;
  i64 queries;
  u32 turn;   /* counts the context's solvers */
  Buf system; /* that is asked about */
} LinearSolver;

void linear_begin(LinearSystem *s);
void linear_constant(LinearForm *form, Wide number);
void linear_copy(LinearForm *to, const LinearForm *form);
/* The form becomes one new variable. */
void linear_variable(LinearSystem *s, LinearForm *form, Wide min, Wide max);
/* *to += factor * form. */
void linear_add(LinearSystem *s, LinearForm *to, const LinearForm *form, Wide factor);
void linear_add_number(LinearSystem *s, LinearForm *to, Wide number, Wide factor);
/* The form is zero, or (linear_not_negative) zero or more. */
void linear_zero(LinearSystem *s, const LinearForm *form);
void linear_not_negative(LinearSystem *s, const LinearForm *form);
/* Makes of a sum what it is modulo 2^bits, as a signed number of so many bits. */
void linear_machine(LinearSystem *s, LinearForm *sum, u32 bits);
/* True where the bounds alone keep the two sums from being equal modulo 2^bits: quick, and often
 * enough. */
bool linear_bounds_differ(LinearSystem *s, const LinearForm *a, const LinearForm *b, u32 bits);
/* True where no assignment of integers meets all bounds and rows and makes the two sums equal
 * modulo 2^bits. */
bool linear_never_equal(LinearSolver *solver, LinearSystem *s, const LinearForm *a,
                        const LinearForm *b, u32 bits);

LinearSolver linear_solver(Context *ctx);
void linear_solver_free(LinearSolver *solver);

#endif

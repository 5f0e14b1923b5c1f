/* linear.h -- decides whether a system of linear constraints has an integer solution.
 *
 *     0 <= i < n, 0 <= j < n, i + 1 <= j, 32*i = 32*j            none: i and j differ
 *     0 <= i < 16, 0 <= k < 16, 2*i = 2*k + 1                    none: one is even, one is odd
 *
 * The dependence tests build such a system to find out whether two accesses to a memory can touch
 * the same element: variables with bounds, rows that are zero or not negative, and finally the
 * equation of the two addresses. The answer is exact, by isl's integer emptiness test, or "there
 * may be a solution" if the system or a number in it is too large, or isl exceeds its step limit.
 *
 * Machine integers wrap and these do not: linear_machine reduces a sum to a given width, with a
 * variable for the number of wraps, unless the bounds exclude wrapping.
 *
 * The lowering tests its source, the order proof the finished graph: each builds its systems from
 * its own analysis, and they share only this arithmetic. */
#ifndef LOOM_IR_LINEAR_H
#define LOOM_IR_LINEAR_H

#include "ir/interval.h"

/* Holds products of numbers of 64 bits. */
__extension__ typedef __int128 Wide;

enum { LINEAR_VARS = 40, LINEAR_ROWS = 64 };

/* constant + factor[0] * variable 0 + ... over the first `nvars` variables. The other factors are
 * not set, and forms are passed by address: there are many, and most have few variables. */
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
    bool is_zero; /* the form is zero; else not negative */
  } rows[LINEAR_ROWS];
  bool too_large; /* something did not fit: nothing can be shown */
} LinearSystem;

/* The solver of one function: its remaining queries, and isl's context, which is created on demand.
 * Similar loop nests, functions and candidates of a search pose the same systems, so isl's answers
 * are cached in the LOOM context. */
typedef struct {
  Context *ctx;
  struct isl_ctx *isl;
  i64 queries;
  u32 turn;   /* number of this solver in the context */
  Buf system; /* the encoding of the system at hand */
} LinearSolver;

void linear_begin(LinearSystem *s);
void linear_constant(LinearForm *form, Wide number);
void linear_copy(LinearForm *to, const LinearForm *form);
/* The form becomes one new variable. */
void linear_variable(LinearSystem *s, LinearForm *form, Wide min, Wide max);
/* *to += factor * form. */
void linear_add(LinearSystem *s, LinearForm *to, const LinearForm *form, Wide factor);
void linear_add_number(LinearSystem *s, LinearForm *to, Wide number, Wide factor);
/* Add the constraint that the form is zero, or at least zero. */
void linear_zero(LinearSystem *s, const LinearForm *form);
void linear_not_negative(LinearSystem *s, const LinearForm *form);
/* Reduces a sum modulo 2^bits to a signed number of that many bits. */
void linear_machine(LinearSystem *s, LinearForm *sum, u32 bits);
/* True if the bounds alone exclude that the two sums are equal modulo 2^bits: quick, and often
 * sufficient. */
bool linear_bounds_differ(LinearSystem *s, const LinearForm *a, const LinearForm *b, u32 bits);
/* True if no assignment of integers satisfies all bounds and rows and makes the two sums equal
 * modulo 2^bits. Adds to the system. */
bool linear_never_equal(LinearSolver *solver, LinearSystem *s, const LinearForm *a,
                        const LinearForm *b, u32 bits);

LinearSolver linear_solver(Context *ctx);
void linear_solver_free(LinearSolver *solver);

#endif

/* linear.c -- has a system of linear constraints over the integers a solution?
 *
 * The equation of two addresses can be held against the bounds of its variables alone: where it cannot
 * be zero for any of their values (Banerjee's test), the answer is there at once, which is so for
 * most pairs of accesses in practice. The rest is for isl, whose test is exact: simplex, then
 * integer points by generalised basis reduction. All variables are bounded, so it ends; a
 * limit on its steps makes it end soon. The limit counts isl's own operations and no time, so that
 * an answer is the same on every machine.
 *
 * Numbers are of 128 bits here, which products of a coefficient and a 64-bit bound fit into; what
 * does not fit makes the whole system say nothing. */
#include "ir/linear.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* isl's own operations for one question; and questions, of which one that came to that end counts
 * as many. */
enum { MAX_OPERATIONS = 20000, MAX_QUESTIONS = 4096, VAIN_QUESTION = 128 };

void linear_begin(LinearSystem *s) {
  s->nvars = s->nrows = 0;
  s->too_large = false;
}

LinearForm linear_variable(LinearSystem *s, Wide min, Wide max) {
  LinearForm form = {0};
  if (s->nvars == LINEAR_VARS) {
    s->too_large = true;
    return form;
  }
  s->range[s->nvars] = (LinearRange){min, max};
  form.factor[s->nvars++] = 1;
  return form;
}

static void add_product(LinearSystem *s, Wide *to, Wide a, Wide b) {
  Wide product;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*to, product, to))
    s->too_large = true;
}

void linear_add(LinearSystem *s, LinearForm *to, const LinearForm *form, Wide factor) {
  add_product(s, &to->constant, form->constant, factor);
  for (u32 i = 0; i < s->nvars; i++) add_product(s, &to->factor[i], form->factor[i], factor);
}

static void add_row(LinearSystem *s, const LinearForm *form, bool is_zero) {
  if (s->nrows == LINEAR_ROWS) {
    s->too_large = true;
    return;
  }
  s->rows[s->nrows].form = *form;
  s->rows[s->nrows++].is_zero = is_zero;
}

void linear_zero(LinearSystem *s, const LinearForm *form) {
  add_row(s, form, true);
}

void linear_not_negative(LinearSystem *s, const LinearForm *form) {
  add_row(s, form, false);
}

LinearRange linear_range(LinearSystem *s, const LinearForm *form) {
  LinearRange all = {form->constant, form->constant};
  for (u32 i = 0; i < s->nvars; i++) {
    Wide factor = form->factor[i];
    bool flip = factor < 0;
    add_product(s, &all.min, factor, flip ? s->range[i].max : s->range[i].min);
    add_product(s, &all.max, factor, flip ? s->range[i].min : s->range[i].max);
  }
  return all;
}

/* How often a sum within `all` may have wrapped to lie in [low, low + 2^bits). */
static LinearRange wraps(LinearRange all, Wide low, u32 bits) {
  return (LinearRange){(all.min - low) >> bits, (all.max - low) >> bits};
}

LinearForm linear_machine(LinearSystem *s, const LinearForm *sum, u32 bits) {
  Wide half = (Wide)1 << (bits - 1);
  LinearForm machine = *sum;
  LinearRange n = wraps(linear_range(s, sum), -half, bits);
  if (n.min == 0 && n.max == 0) return machine;
  LinearForm count = linear_variable(s, n.min, n.max), low, high = {.constant = half - 1};
  linear_add(s, &machine, &count, -2 * half);
  low = machine;
  low.constant += half;
  linear_add(s, &high, &machine, -1);
  linear_not_negative(s, &low);
  linear_not_negative(s, &high);
  return machine;
}

/* ---- isl ------------------------------------------------------------------------------------- */

static isl_val *to_isl(isl_ctx *isl, Wide number) {
  bool negative = number < 0;
  __extension__ unsigned __int128 size = (unsigned __int128)number;
  if (negative) size = -size;
  u64 chunks[2] = {(u64)size, (u64)(size >> 64)};
  isl_val *v = isl_val_int_from_chunks(isl, 2, sizeof chunks[0], chunks);
  return negative ? isl_val_neg(v) : v;
}

static isl_basic_set *add_constraint(isl_basic_set *set, const LinearForm *form, u32 nvars,
                                     bool is_zero) {
  isl_ctx *isl = isl_basic_set_get_ctx(set);
  isl_local_space *space = isl_basic_set_get_local_space(set);
  isl_constraint *c =
      is_zero ? isl_constraint_alloc_equality(space) : isl_constraint_alloc_inequality(space);
  c = isl_constraint_set_constant_val(c, to_isl(isl, form->constant));
  for (u32 i = 0; i < nvars; i++)
    if (form->factor[i])
      c = isl_constraint_set_coefficient_val(c, isl_dim_set, (int)i, to_isl(isl, form->factor[i]));
  return isl_basic_set_add_constraint(set, c);
}

static bool has_no_solution(LinearSolver *solver, const LinearSystem *s) {
  if (!solver->isl) {
    solver->isl = isl_ctx_alloc();
    if (!solver->isl) return false;
    isl_options_set_on_error(solver->isl, ISL_ON_ERROR_CONTINUE);
  }
  if (solver->questions <= 0) return false;
  isl_ctx *isl = solver->isl;
  isl_ctx_reset_operations(isl);
  isl_ctx_set_max_operations(isl, MAX_OPERATIONS);
  isl_basic_set *set = isl_basic_set_universe(isl_space_set_alloc(isl, 0, s->nvars));
  for (u32 i = 0; i < s->nvars; i++) {
    LinearForm low = {.constant = -s->range[i].min}, high = {.constant = s->range[i].max};
    low.factor[i] = 1;
    high.factor[i] = -1;
    set = add_constraint(set, &low, s->nvars, false);
    set = add_constraint(set, &high, s->nvars, false);
  }
  for (u32 i = 0; i < s->nrows; i++)
    set = add_constraint(set, &s->rows[i].form, s->nvars, s->rows[i].is_zero);
  bool empty = isl_basic_set_is_empty(set) == isl_bool_true;
  isl_basic_set_free(set);
  solver->questions -= isl_ctx_last_error(isl) == isl_error_none ? 1 : VAIN_QUESTION;
  isl_ctx_reset_error(isl);
  return empty;
}

/* a - b, and which multiples of 2^bits the bounds leave it. */
static LinearForm difference(LinearSystem *s, const LinearForm *a, const LinearForm *b, u32 bits,
                             LinearRange *n) {
  LinearForm apart = *a;
  linear_add(s, &apart, b, -1);
  LinearRange all = linear_range(s, &apart);
  *n = (LinearRange){-(-all.min >> bits), all.max >> bits};
  return apart;
}

bool linear_bounds_differ(LinearSystem *s, const LinearForm *a, const LinearForm *b, u32 bits) {
  LinearRange n;
  difference(s, a, b, bits, &n);
  return !s->too_large && n.min > n.max;
}

bool linear_never_equal(LinearSolver *solver, LinearSystem *s, const LinearForm *a,
                        const LinearForm *b, u32 bits) {
  LinearRange n;
  LinearForm apart = difference(s, a, b, bits, &n), count = linear_variable(s, n.min, n.max);
  linear_add(s, &apart, &count, -((Wide)1 << bits));
  linear_zero(s, &apart);
  return !s->too_large && has_no_solution(solver, s);
}

LinearSolver linear_solver(void) {
  return (LinearSolver){.questions = MAX_QUESTIONS};
}

void linear_solver_free(LinearSolver *solver) {
  if (solver->isl) isl_ctx_free(solver->isl);
}

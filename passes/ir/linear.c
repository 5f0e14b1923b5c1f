/* linear.c -- decides whether a system of linear constraints has an integer solution. See linear.h.
 *
 * First the equation of two addresses is checked against the bounds of its variables alone
 * (Banerjee's test), which decides most pairs of accesses in practice. The others are decided by
 * isl, whose test is exact: simplex, then integer points by generalised basis reduction. All
 * variables are bounded, so it ends; a limit on its steps makes it end soon. The limit counts isl's
 * operations instead of time, so that an answer is the same on every machine.
 *
 * Numbers have 128 bits, which suffice for the product of a coefficient and a 64-bit bound. If a
 * number overflows, nothing is concluded from the system. */
#include "ir/linear.h"

#include <isl/ctx.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* Limits: isl's operations per query, and queries per solver. A query that exceeds the former
 * counts as COST_OF_GIVING_UP queries. */
enum { MAX_OPERATIONS = 20000, MAX_QUERIES = 4096, COST_OF_GIVING_UP = 128 };

void linear_begin(LinearSystem *s) {
  s->nvars = s->nrows = 0;
  s->too_large = false;
}

void linear_constant(LinearForm *form, Wide number) {
  form->nvars = 0;
  form->constant = number;
}

void linear_copy(LinearForm *to, const LinearForm *form) {
  to->nvars = form->nvars;
  to->constant = form->constant;
  for (u32 i = 0; i < form->nvars; i++) to->factor[i] = form->factor[i];
}

/* Extends a form with zero factors to at least that many variables. */
static void widen(LinearForm *form, u32 nvars) {
  while (form->nvars < nvars) form->factor[form->nvars++] = 0;
}

void linear_variable(LinearSystem *s, LinearForm *form, Wide min, Wide max) {
  linear_constant(form, 0);
  if (s->nvars == LINEAR_VARS) {
    s->too_large = true;
    return;
  }
  s->range[s->nvars++] = (LinearRange){min, max};
  widen(form, s->nvars);
  form->factor[s->nvars - 1] = 1;
}

static void add_product(LinearSystem *s, Wide *to, Wide a, Wide b) {
  Wide product;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*to, product, to))
    s->too_large = true;
}

void linear_add(LinearSystem *s, LinearForm *to, const LinearForm *form, Wide factor) {
  add_product(s, &to->constant, form->constant, factor);
  widen(to, form->nvars);
  for (u32 i = 0; i < form->nvars; i++) /* most are 0 */
    if (form->factor[i]) add_product(s, &to->factor[i], form->factor[i], factor);
}

void linear_add_number(LinearSystem *s, LinearForm *to, Wide number, Wide factor) {
  add_product(s, &to->constant, number, factor);
}

static void add_row(LinearSystem *s, const LinearForm *form, bool is_zero) {
  if (s->nrows == LINEAR_ROWS) {
    s->too_large = true;
    return;
  }
  linear_copy(&s->rows[s->nrows].form, form);
  s->rows[s->nrows++].is_zero = is_zero;
}

void linear_zero(LinearSystem *s, const LinearForm *form) {
  add_row(s, form, true);
}

void linear_not_negative(LinearSystem *s, const LinearForm *form) {
  add_row(s, form, false);
}

/* The range of a form by the bounds of its variables. */
static LinearRange range_of(LinearSystem *s, const LinearForm *form) {
  LinearRange range = {form->constant, form->constant};
  for (u32 i = 0; i < form->nvars; i++) {
    Wide factor = form->factor[i];
    bool flip = factor < 0;
    if (!factor) continue;
    add_product(s, &range.min, factor, flip ? s->range[i].max : s->range[i].min);
    add_product(s, &range.max, factor, flip ? s->range[i].min : s->range[i].max);
  }
  return range;
}

/* How many times a sum within `range` may wrap to get into [low, low + 2^bits). */
static LinearRange wraps(LinearRange range, Wide low, u32 bits) {
  return (LinearRange){(range.min - low) >> bits, (range.max - low) >> bits};
}

void linear_machine(LinearSystem *s, LinearForm *sum, u32 bits) {
  Wide half = (Wide)1 << (bits - 1);
  LinearRange n = wraps(range_of(s, sum), -half, bits);
  if (n.min == 0 && n.max == 0) return;
  LinearForm count, high;
  linear_variable(s, &count, n.min, n.max);
  linear_constant(&high, half - 1);
  linear_add(s, sum, &count, -2 * half);
  linear_add(s, &high, sum, -1);
  sum->constant += half;
  linear_not_negative(s, sum);
  sum->constant -= half;
  linear_not_negative(s, &high);
}

/* ---- isl ------------------------------------------------------------------------------------- */

static isl_val *to_isl(isl_ctx *isl, Wide number) {
  bool negative = number < 0;
  __extension__ unsigned __int128 magnitude = (unsigned __int128)number;
  if (negative) magnitude = -magnitude;
  u64 chunks[2] = {(u64)magnitude, (u64)(magnitude >> 64)};
  isl_val *v = isl_val_int_from_chunks(isl, 2, sizeof chunks[0], chunks);
  return negative ? isl_val_neg(v) : v;
}

static Wide factor_of(const LinearForm *form, u32 variable) {
  return variable < form->nvars ? form->factor[variable] : 0;
}

/* Fills a row of a matrix: the constant, then one factor per variable. */
static isl_mat *set_row(isl_mat *rows, u32 row, const LinearForm *form, u32 nvars) {
  isl_ctx *isl = isl_mat_get_ctx(rows);
  for (u32 i = 0; i <= nvars; i++)
    rows = isl_mat_set_element_val(rows, (int)row, (int)i,
                                   to_isl(isl, i ? factor_of(form, i - 1) : form->constant));
  return rows;
}

/* The system as a set, built from matrices at once: isl simplifies a set whenever a constraint is
 * added to it. */
static isl_basic_set *set_of(isl_ctx *isl, const LinearSystem *s) {
  u32 nzero = 0, zero = 0, other = 2 * s->nvars;
  for (u32 i = 0; i < s->nrows; i++) nzero += s->rows[i].is_zero;
  isl_mat *zeros = isl_mat_alloc(isl, nzero, s->nvars + 1);
  isl_mat *others = isl_mat_alloc(isl, other + s->nrows - nzero, s->nvars + 1);
  for (u32 i = 0; i < s->nvars; i++) {
    LinearForm low = {.nvars = i + 1, .constant = -s->range[i].min};
    LinearForm high = {.nvars = i + 1, .constant = s->range[i].max};
    low.factor[i] = 1;
    high.factor[i] = -1;
    others = set_row(others, 2 * i, &low, s->nvars);
    others = set_row(others, 2 * i + 1, &high, s->nvars);
  }
  for (u32 i = 0; i < s->nrows; i++)
    if (s->rows[i].is_zero)
      zeros = set_row(zeros, zero++, &s->rows[i].form, s->nvars);
    else
      others = set_row(others, other++, &s->rows[i].form, s->nvars);
  return isl_basic_set_from_constraint_matrices(isl_space_set_alloc(isl, 0, s->nvars), zeros,
                                                others, isl_dim_cst, isl_dim_param, isl_dim_set,
                                                isl_dim_div);
}

static bool ask_isl(LinearSolver *solver, const LinearSystem *s, i64 *cost) {
  *cost = 1;
  if (!solver->isl) {
    solver->isl = isl_ctx_alloc();
    if (!solver->isl) return false;
    isl_options_set_on_error(solver->isl, ISL_ON_ERROR_CONTINUE);
  }
  isl_ctx *isl = solver->isl;
  isl_ctx_reset_operations(isl);
  isl_ctx_set_max_operations(isl, MAX_OPERATIONS);
  isl_basic_set *set = set_of(isl, s);
  bool empty = isl_basic_set_is_empty(set) == isl_bool_true;
  isl_basic_set_free(set);
  if (isl_ctx_last_error(isl) != isl_error_none) *cost = COST_OF_GIVING_UP;
  isl_ctx_reset_error(isl);
  return empty;
}

/* ---- the cache of answers -------------------------------------------------------------------- */

/* A system and isl's answer. Few share a slot. */
typedef struct Answer {
  struct Answer *next;
  u64 hash;
  u32 len;
  u32 turn; /* number of the last solver that used it */
  i64 cost; /* in queries */
  bool is_empty;
  char system[];
} Answer;

struct LinearAnswers {
  Answer **slots; /* buckets by hash, a power of two of them */
  u32 cap, len;
  u32 turn; /* solvers so far */
};

static LinearAnswers *answers_of(Context *ctx) {
  if (!ctx->answers) ctx->answers = NEW(ctx->arena, LinearAnswers);
  return ctx->answers;
}

static void make_room(Arena *arena, LinearAnswers *answers) {
  if (answers->len < answers->cap) return;
  u32 cap = answers->cap ? 2 * answers->cap : 256;
  Answer **slots = NEW_ARRAY(arena, Answer *, cap);
  for (u32 i = 0; i < answers->cap; i++)
    for (Answer *answer = answers->slots[i], *next; answer; answer = next) {
      Answer **slot = &slots[answer->hash & (cap - 1)];
      next = answer->next;
      answer->next = *slot;
      *slot = answer;
    }
  answers->slots = slots;
  answers->cap = cap;
}

/* The cached answer for the encoded system, or a new one with cost 0. The encoding begins with the
 * numbers of variables and rows, so equal bytes are equal systems. */
static Answer *answer_to(Context *ctx, const Buf *system) {
  LinearAnswers *answers = answers_of(ctx);
  u64 hash = hash_bytes(system->data, system->len, 0);
  make_room(ctx->arena, answers);
  Answer **slot = &answers->slots[hash & (answers->cap - 1)];
  for (Answer *answer = *slot; answer; answer = answer->next)
    if (answer->hash == hash && answer->len == system->len &&
        memcmp(answer->system, system->data, system->len) == 0)
      return answer;
  Answer *answer = arena_alloc(ctx->arena, sizeof *answer + system->len);
  *answer = (Answer){.next = *slot, .hash = hash, .len = (u32)system->len};
  memcpy(answer->system, system->data, system->len);
  *slot = answer;
  answers->len++;
  return answer;
}

/* Signed LEB128, seven bits per byte: most numbers are small. */
static char *put_number(char *at, Wide number) {
  for (; number < -64 || number > 63; number >>= 7) *at++ = (char)((number & 127) | 128);
  *at++ = (char)(number & 127);
  return at;
}

static void put_system(Buf *out, const LinearSystem *s) {
  enum { NUMBER_BYTES = (127 + 7) / 7 };
  char piece[(2 + LINEAR_VARS) * NUMBER_BYTES], *at = put_number(piece, s->nvars);
  at = put_number(at, s->nrows);
  buf_put(out, piece, (size_t)(at - piece));
  buf_put(out, s->range, s->nvars * sizeof s->range[0]); /* raw: bounds are mostly large */
  for (u32 r = 0; r < s->nrows; r++) {
    at = put_number(piece, s->rows[r].is_zero);
    at = put_number(at, s->rows[r].form.constant);
    for (u32 i = 0; i < s->nvars; i++) at = put_number(at, factor_of(&s->rows[r].form, i));
    buf_put(out, piece, (size_t)(at - piece));
  }
}

/* An answer found by another solver costs this one as many queries as it did there, so that the
 * result for a function does not depend on the functions before it. */
static bool has_no_solution(LinearSolver *solver, const LinearSystem *s) {
  solver->system.len = 0;
  put_system(&solver->system, s);
  Answer *answer = answer_to(solver->ctx, &solver->system);
  if (answer->turn == solver->turn) return answer->is_empty;
  if (solver->queries <= 0) return false;
  if (!answer->cost) answer->is_empty = ask_isl(solver, s, &answer->cost);
  answer->turn = solver->turn;
  solver->queries -= answer->cost;
  return answer->is_empty;
}

/* Computes a - b, and in *n the multiples of 2^bits that its bounds allow. */
static void difference(LinearSystem *s, LinearForm *apart, const LinearForm *a, const LinearForm *b,
                       u32 bits, LinearRange *n) {
  linear_copy(apart, a);
  linear_add(s, apart, b, -1);
  LinearRange range = range_of(s, apart);
  *n = (LinearRange){-(-range.min >> bits), range.max >> bits};
}

bool linear_bounds_differ(LinearSystem *s, const LinearForm *a, const LinearForm *b, u32 bits) {
  LinearRange n;
  LinearForm apart;
  difference(s, &apart, a, b, bits, &n);
  return !s->too_large && n.min > n.max;
}

bool linear_never_equal(LinearSolver *solver, LinearSystem *s, const LinearForm *a,
                        const LinearForm *b, u32 bits) {
  LinearRange n;
  LinearForm apart, count;
  difference(s, &apart, a, b, bits, &n);
  linear_constant(&count, n.min);
  if (n.min != n.max) linear_variable(s, &count, n.min, n.max);
  linear_add(s, &apart, &count, -((Wide)1 << bits));
  linear_zero(s, &apart);
  return !s->too_large && has_no_solution(solver, s);
}

LinearSolver linear_solver(Context *ctx) {
  return (LinearSolver){.ctx = ctx, .turn = ++answers_of(ctx)->turn, .queries = MAX_QUERIES};
}

void linear_solver_free(LinearSolver *solver) {
  if (solver->isl) isl_ctx_free(solver->isl);
  buf_free(&solver->system);
}

/* case_check.c -- checks a case against a function, compares a run with a case's expected results,
 * and writes a run's results as a case would expect them.
 *
 * A comparison is bit for bit, but floats may be some representable numbers apart (--ulp), and any
 * NaN equals any other. The first difference of each list is the error, at its place in the case; a
 * few more are notes. Linear in the values compared.
 */
#include "run/case_state.h"

#include "base/json.h"

#include "ir/eval.h"
#include "run/layout.h"
#include "run/value.h"
#include "text/text.h"

static const size_t differences_shown = 5;
static const u64 too_far = UINT64_MAX; /* whatever --ulp allows */

/* ---- types ----------------------------------------------------------------------------------- */

static const char *kind_name(CaseArgKind kind) {
  return kind == CASE_SCALAR ? "scalar" : kind == CASE_MEMREF ? "memref" : "stream";
}

static bool fits(const CaseArg *arg, const Type *type) {
  ElementLayout layout;
  if (type->kind != TYPE_MEMREF) return arg->kind != CASE_MEMREF && arg->type == type;
  return arg->kind == CASE_MEMREF && arg->type == type->elem && arg->rank == type->rank &&
         layout_of(type, arg->shape, &layout);
}

/* "memref of i32 with the shape [2, 3]" */
static void argument_text(const CaseArg *arg, Buf *buf) {
  buf_printf(buf, "%s of ", kind_name(arg->kind));
  text_type(arg->type, buf);
  if (arg->kind != CASE_MEMREF) return;
  buf_str(buf, " with the shape ");
  case_shape_text(arg->shape, arg->rank, buf);
}

/* An argument of several dimensions for memref<?xT> becomes one of one dimension, row after row. */
static void flatten(const Case *c, CaseArg *arg, const Type *type) {
  if (arg->kind != CASE_MEMREF || !type_is_flat(type) || arg->rank < 2) return;
  i64 *length = NEW_ARRAY(c->arena, i64, 1);
  *length = (i64)arg->n;
  arg->rank = 1;
  arg->shape = length;
}

static bool refuse_count(Context *ctx, const Case *c, Loc where, u32 taken) {
  diag(ctx, c->loc ? c->loc : where, RT_CASE_ARGS,
       "the case has %u argument%s, but the function takes %u", c->nargs, plural(c->nargs), taken);
  if (where) diag_note(ctx, where, "the function is here");
  return false;
}

const char *case_argument(Context *ctx, const Case *c, u32 i) {
  const Str *name = c->args[i].loc ? str_printf(ctx, "args[%u]", i)
                                   : str_printf(ctx, "argument %u of %u", i + 1, c->nargs);
  return name->text;
}

bool case_fits(Context *ctx, const Case *c, Loc where, const Type *const *types, u32 n) {
  bool good = true;
  if (c->nargs != n) return refuse_count(ctx, c, where, n);
  for (u32 i = 0; i < n; i++) {
    CaseArg *arg = &c->args[i];
    flatten(c, arg, types[i]);
    if (fits(arg, types[i])) continue;
    /* the last argument of a lowered function is its start token */
    if (i + 1 == n && types[i]->kind == TYPE_NONE) return refuse_count(ctx, c, where, i);
    Buf given = {0}, wanted = {0};
    argument_text(arg, &given);
    text_type(types[i], &wanted);
    diag(ctx, arg->loc ? arg->loc : where, RT_CASE_ARGS, "%s is a %s, but the function takes %s",
         case_argument(ctx, c, i), given.data, wanted.data);
    buf_free(&given);
    buf_free(&wanted);
    good = false;
  }
  return good;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The distance of two values: 0 if they are the same; of floats in units in the last place. All
 * NaNs are the same: JSON cannot tell them apart. */
static u64 distance(const Context *ctx, const Type *type, u64 a, u64 b) {
  if (a == b) return 0;
  if (!type_is_float(type)) return too_far;
  double x = eval_float_value((FloatKind)type->float_kind, a);
  double y = eval_float_value((FloatKind)type->float_kind, b);
  if (x != x || y != y) return x != x && y != y ? 0 : too_far;
  /* the floats of a format, in order, are its bit patterns as sign and magnitude */
  unsigned width = type_bits(ctx, type);
  u64 sign = (u64)1 << (width - 1), p = a & (sign - 1), q = b & (sign - 1);
  if ((a & sign) != (b & sign)) return p + q ? p + q : 1; /* -0 and +0 are not the same bits */
  return p > q ? p - q : q - p;
}

/* The distance of two tokens; different tags are too far apart. */
static u64 token_distance(const Context *ctx, const Type *type, const u64 *a, const u64 *b) {
  if (type->kind != TYPE_TAGGED) return distance(ctx, type, *a, *b);
  u64 value[2], tag[2];
  value_unpack(ctx, type, a, &value[0], &tag[0]);
  value_unpack(ctx, type, b, &value[1], &tag[1]);
  return tag[0] == tag[1] ? distance(ctx, type->elem, value[0], value[1]) : too_far;
}

typedef struct {
  Context *ctx;
  const Expected *expected;
  u64 ulp;
  bool good;
} ExpectedCheck;

/* Reports that `got` is not `want`; the first of a list as an error, the others as notes. */
static void mismatch(ExpectedCheck *k, const Path *path, const char *what, const Type *type,
                     const u64 *got, const u64 *want, size_t nth) {
  Buf x = {0}, y = {0};
  value_token_text(k->ctx, type, got, &x);
  value_token_text(k->ctx, type, want, &y);
  if (nth == 1)
    diag(k->ctx, path_loc(k->expected->source, path), RT_CASE_MISMATCH, "%s is %s, expected %s",
         what, x.data, y.data);
  else
    diag_note(k->ctx, LOC_NONE, "%s is %s, expected %s", what, x.data, y.data);
  buf_free(&x);
  buf_free(&y);
  k->good = false;
}

/* An expected number as bits of the type that the result has. */
static bool number_bits(ExpectedCheck *k, const Path *path, const Type *type, const Number *number,
                        u64 *bits) {
  CaseReader r = {.ctx = k->ctx, .source = k->expected->source};
  if (number->kind == NUMBER_TEXT) {
    const char *why = value_read(k->ctx, type, number->text, bits);
    return !why || case_fail(&r, path, RT_CASE_VALUE, "\"%.60s\" %s", number->text, why);
  }
  if (type->kind == TYPE_NONE) return *bits = 0, true;
  if (type_is_float(type)) return case_float(&r, path, type, number->real, bits);
  if (number->kind != NUMBER_INT)
    return case_fail(&r, path, RT_CASE_VALUE,
                     "the result is an integer, but the expected value is not");
  return case_integer(&r, path, type, number->integer, bits);
}

/* The same for a token of value_words words. */
static bool token_bits(ExpectedCheck *k, const Path *path, const Type *type, const Number *number,
                       u64 *words) {
  if ((type->kind == TYPE_TAGGED) == number->has_tag) {
    if (!number->has_tag) return number_bits(k, path, type, number, words);
    u64 value = 0;
    if (!number_bits(k, path, type->elem, number, &value)) return false;
    value_pack(k->ctx, type, value, (u64)number->tag, words);
    if (number->tag >> type->width == 0) return true;
  }
  CaseReader r = {.ctx = k->ctx, .source = k->expected->source};
  if (type->kind != TYPE_TAGGED)
    return case_fail(&r, path, RT_CASE_VALUE,
                     "the result has no tag, but the expected value has one");
  return case_fail(&r, path, RT_CASE_VALUE, "the result has a tag of %u bits; expected %s",
                   type->width, "{\"value\": 5, \"tag\": 3}");
}

static void check_result(ExpectedCheck *k, size_t index, const RunTokens *got) {
  Path at = {NULL, "expected", 0}, list = {&at, "results", 0}, result = {&list, NULL, index};
  const ExpectedResult *want = &k->expected->results[index];
  size_t n = run_count(k->ctx, got);
  if (n != want->n) {
    diag(k->ctx, path_loc(k->expected->source, &result), RT_CASE_MISMATCH,
         "results[%zu] has %zu token%s, expected %zu", index, n, plural(n), want->n);
    k->good = false;
    return;
  }
  size_t differences = 0;
  const u64 *next = got->tokens.at;
  for (size_t i = 0; i < want->n; i++) {
    Path token = {&result, NULL, i};
    const Path *path = want->is_list ? &token : &result;
    u64 bits[2] = {0};
    const u64 *is = next;
    const Type *type = run_scalar_type(k->ctx, got, (size_t)(next - got->tokens.at));
    next += value_words(k->ctx, type);
    if (!token_bits(k, path, type, &want->tokens[i], bits)) {
      k->good = false;
      return;
    }
    if (token_distance(k->ctx, type, is, bits) <= k->ulp) continue;
    if (++differences > differences_shown) continue;
    char what[64];
    if (want->is_list)
      snprintf(what, sizeof what, "results[%zu], token %zu", index, i);
    else
      snprintf(what, sizeof what, "results[%zu]", index);
    mismatch(k, path, what, type, is, bits, differences);
  }
  if (differences > differences_shown)
    diag_note(k->ctx, LOC_NONE, "%zu of %zu tokens differ", differences, want->n);
}

/* "[3, 5]" for an element number of a row-major shape. */
static void index_text(const RunMemory *memory, size_t at, Buf *buf) {
  i64 indices[LAYOUT_MAX_RANK] = {0};
  for (u32 d = memory->rank; d-- > 0;) {
    size_t extent = (size_t)memory->shape[d];
    indices[d] = (i64)(at % extent);
    at /= extent;
  }
  case_shape_text(indices, memory->rank, buf);
}

static void check_memory(ExpectedCheck *k, size_t index, const RunMemory *got) {
  Path at = {NULL, "expected", 0}, list = {&at, "memrefs", 0}, memory = {&list, NULL, index};
  Path data = {&memory, "data", 0};
  const ExpectedMemory *want = &k->expected->memories[index];
  size_t n = array_length(want->array), differences = 0;
  if (array_length(got->array) != n)
    loom_bug("a memory of %zu elements came back with %zu", n, array_length(got->array));
  if (array_same(got->array, want->array)) return;
  Array *wanted = array_share(want->array);
  Elements x = array_elements(got->array), y = array_elements(wanted);
  for (size_t i = 0; i < n; i++) {
    if (distance(k->ctx, got->elem, element_of(x, i), element_of(y, i)) <= k->ulp) continue;
    if (++differences > differences_shown) continue;
    Path element = {&data, NULL, i};
    Buf what = {0};
    buf_printf(&what, "args[%u] at ", want->arg);
    index_text(got, i, &what);
    mismatch(k, &element, what.data, got->elem, (const u64[]){element_of(x, i)},
             (const u64[]){element_of(y, i)}, differences);
    buf_free(&what);
  }
  array_release(wanted);
  if (differences > differences_shown)
    diag_note(k->ctx, LOC_NONE, "%zu of %zu elements differ", differences, n);
}

bool case_compare(Context *ctx, const Case *c, const RunResult *result, u64 ulp) {
  if (!c->has_expected) return true;
  ExpectedCheck k = {ctx, c->expected, ulp < too_far ? ulp : too_far - 1, true};
  const Expected *e = c->expected;
  Path at = {NULL, "expected", 0}, list = {&at, "results", 0};
  if (e->has_results && e->nresults != result->results.len) {
    diag(ctx, path_loc(e->source, &list), RT_CASE_MISMATCH, "there are %zu results, expected %zu",
         result->results.len, e->nresults);
    return false;
  }
  for (size_t i = 0; i < e->nresults; i++) check_result(&k, i, &result->results.at[i]);
  for (size_t i = 0; i < e->nmemories; i++)
    for (size_t m = 0; m < result->memories.len; m++)
      if (result->memories.at[m].arg == e->memories[i].arg)
        check_memory(&k, i, &result->memories.at[m]);
  return k.good;
}

/* ---- writing --------------------------------------------------------------------------------- */

enum { NUMBERS_A_LINE = 16 };

/* Breaks the line in front of element i of a list where one is full. */
static void break_line(Json *json, size_t i) {
  if (i && i % NUMBERS_A_LINE == 0) json_line(json, 6);
}

static void write_result(Json *json, const Context *ctx, const RunTokens *tokens) {
  size_t n = run_count(ctx, tokens);
  if (n != 1) json_open(json, NULL, '[');
  for (size_t t = 0, at = 0; t < n; t++) {
    const Type *type = run_scalar_type(ctx, tokens, at);
    break_line(json, t);
    value_token_json(ctx, type, tokens->tokens.at + at, json_put_other(json, NULL));
    at += value_words(ctx, type);
  }
  if (n != 1) json_close(json, ']');
}

static void write_memory(Json *json, const Context *ctx, const RunMemory *memory) {
  Elements elements = array_elements(memory->array);
  json_open(json, NULL, '{');
  json_put_number(json, "arg", memory->arg);
  json_open(json, "data", '[');
  for (size_t i = 0; i < elements.n; i++) {
    break_line(json, i);
    value_json(ctx, memory->elem, element_of(elements, i), json_put_other(json, NULL));
  }
  json_close(json, ']');
  json_close(json, '}');
}

void case_write_expected(const Context *ctx, const RunResult *result, Buf *buf) {
  Json json = {.out = buf};
  json_open(&json, NULL, '{');
  json_line(&json, 2);
  json_open(&json, "results", '[');
  for (size_t i = 0; i < result->results.len; i++) write_result(&json, ctx, &result->results.at[i]);
  json_close(&json, ']');
  json_line(&json, 2);
  json_open(&json, "memrefs", '[');
  for (size_t i = 0; i < result->memories.len; i++) {
    json_line(&json, 4);
    write_memory(&json, ctx, &result->memories.at[i]);
  }
  if (result->memories.len) json_line(&json, 2);
  json_close(&json, ']');
  json_line(&json, 0);
  json_close(&json, '}');
  buf_char(buf, '\n');
}

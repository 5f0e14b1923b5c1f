/* run.c -- results of runs: freed, and compared between two engines.
 *
 * Two engines that ran the same program on the same case must agree in everything that can be
 * observed: how the run ended, every token of every result, every element of every memory, and
 * the history of every load and store. The differences of one result, memory or access are one
 * error and some notes, so that the first difference, which is nearest to the bug, is on top. Cost:
 * linear in tokens and elements; histories are compared by count and hash.
 */
#include "run/run.h"

#include "run/value.h"

#include <assert.h>

static const u64 default_steps = 1000000000000;
static const size_t differences_shown = 5;

RunOptions run_options(void) {
  return (RunOptions){.max_steps = default_steps, .histories = true};
}

void run_result_free(RunResult *result) {
  for (size_t i = 0; i < result->results.len; i++) vec_free(&result->results.at[i].tokens);
  for (size_t i = 0; i < result->memories.len; i++) array_release(result->memories.at[i].array);
  for (size_t i = 0; i < result->accesses.len; i++) history_free(&result->accesses.at[i].history);
  vec_free(&result->results);
  vec_free(&result->memories);
  vec_free(&result->accesses);
  *result = (RunResult){0};
}

static size_t words_of(const Context *ctx, const Type *type) {
  size_t n = 0;
  if (type->kind != TYPE_TUPLE) return value_words(ctx, type);
  for (u32 i = 0; i < type->nelems; i++) n += words_of(ctx, type->elems[i]);
  return n;
}

const Type *run_scalar_type(const Context *ctx, const RunTokens *tokens, size_t i) {
  const Type *type = tokens->type;
  if (type->kind == TYPE_TUPLE) {
    size_t n = words_of(ctx, type);
    assert(n > 0 && "a tuple without scalars has no words to ask about");
    i %= n;
  }
  while (type->kind == TYPE_TUPLE) {
    u32 e = 0;
    for (size_t n; i >= (n = words_of(ctx, type->elems[e])); e++) i -= n;
    type = type->elems[e];
  }
  return type;
}

size_t run_count(const Context *ctx, const RunTokens *tokens) {
  size_t n = 0;
  for (size_t i = 0; i < tokens->tokens.len; n++)
    i += value_words(ctx, run_scalar_type(ctx, tokens, i));
  return n;
}

RunAccess *run_access(RunResult *result, u32 number) {
  while (result->accesses.len <= number) vec_push(&result->accesses, ((RunAccess){0}));
  return &result->accesses.at[number];
}

void run_access_describe(const Context *ctx, RunAccess *access, bool is_store, const Type *type,
                         Loc loc, bool keep) {
  access->present = true;
  access->is_store = is_store;
  access->address_bytes = (u8)history_bytes(ctx->index_width);
  access->value_bytes = (u8)history_bytes(type_bits(ctx, type));
  access->type = type;
  access->loc = loc;
  access->history.keep = keep;
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  const char *a, *b; /* names of the engines */
  bool same;
} Comparison;

PRINTF_LIKE(3, 4)
static void differ(Comparison *c, Loc loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = str_vprintf(c->ctx, format, args)->text;
  va_end(args);
  diag(c->ctx, loc, RT_ENGINES_DIFFER, "%s and %s disagree: %s", c->a, c->b, text);
  c->same = false;
}

static const char *status_name(RunStatus status) {
  switch (status) {
  case RUN_FINISHED: return "finished";
  case RUN_LEFTOVER: return "left tokens behind";
  case RUN_DEADLOCK: return "deadlocked";
  case RUN_TRAP: return "trapped";
  case RUN_LIMIT: return "reached a limit";
  case RUN_REFUSED: return "was refused";
  }
  return "?";
}

/* Token i of `words` words. */
static void token_of(Elements e, size_t i, u32 words, u64 *token) {
  for (u32 w = 0; w < words; w++) token[w] = element_of(e, i * words + w);
}

/* Reports the first differences of two lists of values; `what` and the index name the value. */
static void compare_values(Comparison *c, const char *what, const Type *type, Elements a,
                           Elements b) {
  if (elements_equal(a, b)) return;
  u32 words = value_words(c->ctx, type);
  if (a.n != b.n)
    differ(c, LOC_NONE, "%s has %zu and %zu elements", what, a.n / words, b.n / words);
  size_t n = (a.n < b.n ? a.n : b.n) / words, differences = 0;
  for (size_t i = 0; i < n; i++) {
    u64 at[2] = {0}, bt[2] = {0};
    token_of(a, i, words, at);
    token_of(b, i, words, bt);
    if ((at[0] == bt[0] && at[1] == bt[1]) || ++differences > differences_shown) continue;
    Buf x = {0}, y = {0};
    value_token_text(c->ctx, type, at, &x);
    value_token_text(c->ctx, type, bt, &y);
    if (differences == 1)
      differ(c, LOC_NONE, "%s, value %zu, is %s and %s", what, i, x.data, y.data);
    else
      diag_note(c->ctx, LOC_NONE, "%s, value %zu, is %s and %s", what, i, x.data, y.data);
    buf_free(&x);
    buf_free(&y);
  }
  if (differences > differences_shown)
    diag_note(c->ctx, LOC_NONE, "%zu of %zu elements differ", differences, n);
}

static void compare_results(Comparison *c, const RunResult *ra, const RunResult *rb) {
  if (ra->results.len != rb->results.len)
    differ(c, LOC_NONE, "there are %zu and %zu results", ra->results.len, rb->results.len);
  for (size_t i = 0; i < ra->results.len && i < rb->results.len; i++) {
    const RunTokens *x = &ra->results.at[i], *y = &rb->results.at[i];
    char what[40];
    snprintf(what, sizeof what, "results[%zu]", i);
    if (x->type != y->type)
      differ(c, LOC_NONE, "%s has different types", what);
    else
      compare_values(c, what, x->type, elements_of_words(x->tokens.at, x->tokens.len),
                     elements_of_words(y->tokens.at, y->tokens.len));
  }
}

static void compare_memories(Comparison *c, const RunResult *ra, const RunResult *rb) {
  if (ra->memories.len != rb->memories.len)
    differ(c, LOC_NONE, "there are %zu and %zu memories", ra->memories.len, rb->memories.len);
  for (size_t i = 0; i < ra->memories.len && i < rb->memories.len; i++) {
    const RunMemory *x = &ra->memories.at[i], *y = &rb->memories.at[i];
    char what[40];
    snprintf(what, sizeof what, "the memory of args[%u]", x->arg);
    if (x->arg != y->arg || x->elem != y->elem)
      differ(c, LOC_NONE, "memory %zu is of different arguments or types", i);
    else if (x->array != y->array)
      compare_values(c, what, x->elem, array_elements(x->array), array_elements(y->array));
  }
}

/* Notes the first entry that differs, where both runs kept their entries. */
static void show_first_entry(Comparison *c, const RunAccess *x, const RunAccess *y) {
  const History *hx = &x->history, *hy = &y->history;
  size_t n = hx->kept.len < hy->kept.len ? hx->kept.len : hy->kept.len;
  for (size_t i = 0; i + 1 < n; i += 2) {
    if (hx->kept.at[i] == hy->kept.at[i] && hx->kept.at[i + 1] == hy->kept.at[i + 1]) continue;
    diag_note(c->ctx, LOC_NONE,
              "the first difference is at execution %zu: address %llu, bits 0x%llx (%s) and "
              "address %llu, bits 0x%llx (%s)",
              i / 2, (unsigned long long)hx->kept.at[i], (unsigned long long)hx->kept.at[i + 1],
              c->a, (unsigned long long)hy->kept.at[i], (unsigned long long)hy->kept.at[i + 1],
              c->b);
    return;
  }
}

static void compare_accesses(Comparison *c, const RunResult *ra, const RunResult *rb) {
  static const RunAccess absent;
  size_t n = ra->accesses.len > rb->accesses.len ? ra->accesses.len : rb->accesses.len;
  for (size_t i = 0; i < n; i++) {
    const RunAccess *x = i < ra->accesses.len ? &ra->accesses.at[i] : &absent;
    const RunAccess *y = i < rb->accesses.len ? &rb->accesses.at[i] : &absent;
    if (history_equal(&x->history, &y->history)) continue;
    bool is_store = x->present ? x->is_store : y->is_store;
    const char *kind = is_store ? "store" : "load";
    Loc loc = x->loc ? x->loc : y->loc;
    if (x->history.count != y->history.count)
      differ(c, loc, "%s.%zu is executed %llu and %llu times", kind, i,
             (unsigned long long)x->history.count, (unsigned long long)y->history.count);
    else
      differ(c, loc, "%s.%zu, executed %llu times, has different addresses or values", kind, i,
             (unsigned long long)x->history.count);
    show_first_entry(c, x, y);
  }
}

bool run_compare(Context *ctx, const char *a, const RunResult *ra, const char *b,
                 const RunResult *rb) {
  Comparison c = {ctx, a, b, true};
  if (ra->status != rb->status) {
    differ(&c, LOC_NONE, "one run %s, the other %s", status_name(ra->status),
           status_name(rb->status));
    return false;
  }
  if (ra->status != RUN_FINISHED && ra->status != RUN_LEFTOVER) return true;
  compare_results(&c, ra, rb);
  compare_memories(&c, ra, rb);
  if (ra->observable && rb->observable) compare_accesses(&c, ra, rb);
  return c.same;
}

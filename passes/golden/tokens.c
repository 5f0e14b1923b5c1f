/* tokens.c -- finds the token that differs between two histories with different hashes.
 *
 * Hashes only show that two histories differ. So check.c repeats the runs with every token kept,
 * for the engines concerned, and here the histories of one line are compared token by token:
 *
 *     dfg   0  1  3  6 10        token 3 is 6 on dfg, 7 on jit
 *     jit   0  1  3  7 11
 *
 * If no engine agrees with the file, there is only its count and hash. They still show whether the
 * file's history is a prefix of ours (by hashing that many of our tokens), and whether only the
 * count was altered (the hashes are equal).
 *
 * Of all lines that differ, the cause is the edge whose first differing token comes earliest in a
 * run (golden_earliest_token). Everything is linear in the number of tokens.
 */
#include "golden/check.h"
#include "run/value.h"

enum { TOKENS_SHOWN = 8 };

/* The tokens of one line: each has types.len scalars, of these types. */
typedef struct {
  Context *ctx;
  const u64 *at;
  size_t n;
  bool is_access; /* a token is an address and a value */
  Vec(const Type *) types;
} Tokens;

static void add_scalars(const Type *type, Tokens *tokens) {
  if (type->kind == TYPE_TAGGED && value_words(tokens->ctx, type) > 1) {
    vec_push(&tokens->types, type_int(tokens->ctx, 64, SIGNLESS));
    vec_push(&tokens->types, type_int(tokens->ctx, type_bits(tokens->ctx, type) - 64, SIGNLESS));
    return;
  }
  if (type->kind != TYPE_TUPLE) {
    vec_push(&tokens->types, type);
    return;
  }
  for (u32 i = 0; i < type->nelems; i++) add_scalars(type->elems[i], tokens);
}

static void set_values(Tokens *tokens, const u64 *at, size_t words) {
  tokens->at = at;
  tokens->n = tokens->types.len ? words / tokens->types.len : 0;
}

static Tokens tokens_of(Context *ctx, const Dfg *dfg, const GoldenLine *line, bool is_edge,
                        const GoldenTrial *trial) {
  Tokens tokens = {.ctx = ctx};
  const RunResult *result = &trial->run.result;
  bool is_access = strncmp(line->name, "load.", 5) == 0 || strncmp(line->name, "store.", 6) == 0;
  if (is_edge) {
    u32 r = dfg->edges[line->id].result;
    add_scalars(dfg->types[dfg->results[r].type].ir, &tokens);
    if (trial->run.trace.results)
      set_values(&tokens, trial->run.trace.results[r].kept.at,
                 trial->run.trace.results[r].kept.len);
  } else if (is_access && line->id < result->accesses.len && result->accesses.at[line->id].type) {
    const RunAccess *access = &result->accesses.at[line->id];
    tokens.is_access = true;
    vec_push(&tokens.types, type_index(ctx));
    vec_push(&tokens.types, access->type);
    set_values(&tokens, access->history.kept.at, access->history.kept.len);
  } else if (strncmp(line->name, "result.", 7) == 0 && line->id < result->results.len) {
    const RunTokens *values = &result->results.at[line->id];
    add_scalars(values->type, &tokens);
    set_values(&tokens, values->tokens.at, values->tokens.len);
  }
  for (size_t i = 0; strncmp(line->name, "memory.", 7) == 0 && !is_edge && i < result->memories.len;
       i++) {
    const RunMemory *memory = &result->memories.at[i];
    if (memory->arg != line->id) continue;
    add_scalars(memory->elem, &tokens);
    set_values(&tokens, array_words(ctx->arena, memory->array), array_length(memory->array));
  }
  return tokens;
}

/* Appends token i: "7", "(7, 8)", "5 at element 3"; "missing" past the end of the history. */
static void token_text(const Tokens *tokens, size_t i, Buf *buf) {
  size_t words = tokens->types.len;
  const u64 *at = tokens->at + i * words;
  if (i >= tokens->n) {
    buf_str(buf, "missing");
    return;
  }
  if (tokens->is_access) {
    value_text(tokens->ctx, tokens->types.at[1], at[1], buf);
    buf_printf(buf, " at element %llu", (unsigned long long)at[0]);
    return;
  }
  if (words != 1) buf_char(buf, '(');
  for (size_t k = 0; k < words; k++) {
    if (k) buf_str(buf, ", ");
    value_text(tokens->ctx, tokens->types.at[k], at[k], buf);
  }
  if (words != 1) buf_char(buf, ')');
}

static size_t first_differing(const Tokens *a, const Tokens *b) {
  size_t words = a->types.len, n = a->n < b->n ? a->n : b->n, i = 0;
  while (i < n && memcmp(a->at + i * words, b->at + i * words, words * sizeof *a->at) == 0) i++;
  return i;
}

bool golden_first_token(Context *ctx, const Dfg *dfg, const GoldenLine *line, bool is_edge,
                        const GoldenTrial *a, const GoldenTrial *b, Buf *text) {
  Tokens x = tokens_of(ctx, dfg, line, is_edge, a), y = tokens_of(ctx, dfg, line, is_edge, b);
  bool differ = false;
  if (x.types.len == y.types.len) {
    size_t i = first_differing(&x, &y);
    differ = i < x.n || i < y.n;
    if (differ) {
      buf_printf(text, "token %zu is ", i);
      token_text(&x, i, text);
      buf_printf(text, " on %s, ", a->run.name);
      token_text(&y, i, text);
      buf_printf(text, " on %s", b->run.name);
    }
  }
  vec_free(&x.types);
  vec_free(&y.types);
  return differ;
}

/* ---- the earliest difference ----------------------------------------------------------------- */

/* By result: the first token that differs, UINT64_MAX if none does; and the tokens so far. */
typedef struct {
  u64 *differs, *seen;
  u32 found; /* the result with the earliest; DFG_NONE: none yet */
} TokenSearch;

static bool on_token(void *user, u64 time, u32 result, const u64 *scalars, size_t n) {
  TokenSearch *search = user;
  (void)time;
  (void)scalars;
  (void)n;
  if (search->seen[result]++ != search->differs[result]) return true;
  search->found = result;
  return false;
}

/* The first token in which the kept histories of a result differ. *is_missing: one of them ends
 * there. */
static u64 first_of_result(const Dfg *dfg, u32 r, const GoldenTrial *a, const GoldenTrial *b,
                           bool *is_missing) {
  const History *x = &a->run.trace.results[r], *y = &b->run.trace.results[r];
  size_t n = x->kept.len < y->kept.len ? x->kept.len : y->kept.len, i = 0;
  *is_missing = false;
  if (history_equal(x, y)) return UINT64_MAX;
  while (i < n && x->kept.at[i] == y->kept.at[i]) i++;
  *is_missing = i == n;
  /* A token of a tuple has several words, or none if it is empty. */
  if (dfg->types[dfg->results[r].type].kind != TYPE_TUPLE) return i;
  const History *longer = x->kept.len > y->kept.len ? x : y;
  return longer->kept.len ? i * longer->count / longer->kept.len : 0;
}

/* A token is missing or superfluous because a condition had another value; and loops in generated
 * code emit the first token of a loop-invariant value later than a graph does. So if any token has
 * another value, missing ones are taken for consequences and ignored. */
static void find_first_tokens(TokenSearch *search, const Dfg *dfg, const GoldenTrial *a,
                              const GoldenTrial *b) {
  bool *is_missing = mem_alloc((size_t)dfg->nresults + 1), any_value = false;
  for (u32 r = 0; r < dfg->nresults; r++) {
    search->differs[r] = first_of_result(dfg, r, a, b, &is_missing[r]);
    any_value |= search->differs[r] != UINT64_MAX && !is_missing[r];
  }
  for (u32 r = 0; r < dfg->nresults; r++)
    if (any_value && is_missing[r]) search->differs[r] = UINT64_MAX;
  mem_free(is_missing);
}

bool golden_earliest_token(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *a,
                           const GoldenTrial *b, u32 *result, u64 *token) {
  if (!a->run.trace.results || !b->run.trace.results) return false;
  TokenSearch search = {.found = DFG_NONE};
  search.differs = mem_alloc(mem_size((size_t)dfg->nresults + 1, sizeof(u64)));
  search.seen = mem_alloc(mem_size((size_t)dfg->nresults + 1, sizeof(u64)));
  find_first_tokens(&search, dfg, a, b);
  TokenObserver observer = {.user = &search, .token = on_token};
  TokenOptions more = {.observer = &observer};
  RunOptions options = run_options();
  RunResult run;
  token_run_traced(ctx, dfg, input, &options, &more, &run, NULL);
  run_result_free(&run);
  if (search.found != DFG_NONE) {
    *result = search.found;
    *token = search.differs[search.found];
  }
  mem_free(search.differs);
  mem_free(search.seen);
  return search.found != DFG_NONE;
}

/* ---- comparing with a hash only -------------------------------------------------------------- */

/* The hash of the first `n` tokens. */
static Hash128 hash_of_first(const Tokens *tokens, size_t n) {
  History history = {0};
  size_t words = tokens->types.len;
  for (size_t i = 0; i < n * words; i++)
    history_piece(&history, tokens->at[i],
                  history_bytes(type_bits(tokens->ctx, tokens->types.at[i % words])));
  Hash128 hash = history_hash(&history);
  history_free(&history);
  return hash;
}

static bool same_hash(Hash128 a, Hash128 b) {
  return a.high == b.high && a.low == b.low;
}

void golden_compare_kept(Context *ctx, const Dfg *dfg, const GoldenLine *ours,
                         const GoldenLine *file, bool is_edge, const GoldenTrial *trial) {
  Tokens tokens = tokens_of(ctx, dfg, ours, is_edge, trial);
  Buf text = {0};
  if (file->count < tokens.n && same_hash(hash_of_first(&tokens, file->count), file->hash)) {
    buf_printf(&text, "the file has only the first %llu token%s: token %llu, which is ",
               (unsigned long long)file->count, plural(file->count),
               (unsigned long long)file->count);
    token_text(&tokens, file->count, &text);
    buf_str(&text, ", is the first one missing");
  } else if (file->count == ours->count && same_hash(ours->hash, file->hash)) {
    buf_str(&text, "the tokens are the same; only the type differs");
  } else if (file->count != ours->count && same_hash(ours->hash, file->hash)) {
    buf_str(&text, "the hash is the same; only the number of tokens was altered in the file");
  } else if (tokens.n) {
    buf_str(&text, tokens.n == 1
                       ? "the hash does not show the old token; the new token is "
                       : "the hash does not show which token differs; the new tokens are ");
    for (size_t i = 0; i < tokens.n && i < TOKENS_SHOWN; i++) {
      if (i) buf_str(&text, ", ");
      token_text(&tokens, i, &text);
    }
    if (tokens.n > TOKENS_SHOWN) buf_str(&text, ", ...");
  }
  if (text.len) diag_note(ctx, LOC_NONE, "%s", text.data);
  buf_free(&text);
  vec_free(&tokens.types);
}

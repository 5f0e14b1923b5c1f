/* golden_token.c -- is the token named that really differs?
 *
 *     golden-token DIR...
 *
 * No two engines of LOOM disagree, so their disagreement is made here. The graph of a golden kernel
 * runs once with every token kept. A copy of that trial gets one bit of one token on one result
 * flipped and, as in a true fault, tokens of what follows from it (the results of nodes that stand
 * later in topological order and are given a token that changed) changed as well; then
 * golden_first_difference must name an edge of that result, and golden_first_token that token with
 * both values. With that one change alone,
 * golden_earliest_token must find it by time, and trials_agree_on_edges, by which all engines are
 * compared, must see it.
 *
 * Besides, the first folder's trace is cut at every length, which must be refused unless only its
 * end is missing, and each of its bytes is changed, which must be refused or read. Prints "N
 * passed, M failed".
 */
#include "golden/check.h"
#include "ir/eval.h"
#include "subjects.h"
#include "run/value.h"

enum { TRIES = 20 };

/* The same history with the bits of token `at` flipped by `flip`. */
static History altered(const History *h, unsigned bytes, size_t at, u64 flip) {
  History out = {.keep = true};
  for (size_t i = 0; i < h->kept.len; i++)
    history_token(&out, h->kept.at[i] ^ (i == at ? flip : 0), bytes);
  return out;
}

typedef struct {
  Context *ctx;
  const Dfg *dfg;
  const Case *input;
  const GoldenTrial *good;
  const char *dir;
} Tampered;

static unsigned result_bits(const Dfg *dfg, u32 result) {
  return dfg->types[dfg->results[result].type].bits;
}

/* A result with an edge and a token that has bits; false where the draw was not one. */
static bool draw(const Tampered *s, Random *random, u32 *result, size_t *token) {
  *result = (u32)(random_below(random, s->dfg->nresults));
  const History *h = &s->good->run.trace.results[*result];
  if (!s->dfg->results[*result].nedges || !h->kept.len || !result_bits(s->dfg, *result))
    return false;
  *token = random_below(random, h->kept.len);
  return true;
}

static void names_it(const Tampered *s, const GoldenTrial *bad, const GoldenDifference *d,
                     u32 result, size_t token) {
  u64 was = s->good->run.trace.results[result].kept.at[token];
  u64 is = bad->run.trace.results[result].kept.at[token];
  const Type *type = s->dfg->types[s->dfg->results[result].type].ir;
  Buf want = {0}, got = {0};
  buf_printf(&want, "token %zu is ", token);
  value_text(s->ctx, type, is, &want);
  buf_str(&want, " on bad, ");
  value_text(s->ctx, type, was, &want);
  buf_str(&want, " on good");
  bool good = d->ours && s->dfg->edges[d->ours->id].result == result &&
              golden_first_token(s->ctx, s->dfg, d->ours, true, bad, s->good, &got) &&
              strcmp(want.data, got.data) == 0;
  check(good, "%s: wanted %%%s, %s; got edge %s, %s", s->dir,
        dfg_text(s->dfg, s->dfg->results[result].name), want.data, d->ours ? d->ours->name : "?",
        got.data ? got.data : "nothing");
  buf_free(&want);
  buf_free(&got);
}

/* Whether a node is given an edge of a result that was changed. */
static bool is_given(const Dfg *dfg, u32 node, const bool *changed) {
  for (u32 i = 0; i < dfg->nodes[node].noperands; i++)
    if (changed[dfg->edges[dfg_operand(dfg, node, i)].result]) return true;
  return false;
}

/* The good trial with one bit of a token flipped; with `random`, tokens of what follows from it
 * too. */
static GoldenTrial tampered(const Tampered *s, u32 result, size_t token, Random *random) {
  const Dfg *dfg = s->dfg;
  GoldenTrial bad = {.run = {.name = "bad", .ran = true}};
  bad.run.trace.nresults = dfg->nresults;
  bad.run.trace.results = mem_alloc(mem_size(dfg->nresults, sizeof(History)));
  bool *changed = mem_alloc(mem_size(dfg->nresults, sizeof *changed));
  bool behind = false;
  for (u32 i = 0; i < dfg->nnodes; i++) {
    const DfgNode *node = &dfg->nodes[dfg->order[i]];
    bool follows = behind && is_given(dfg, dfg->order[i], changed);
    for (u32 r = node->first_result; r < node->first_result + node->nresults; r++) {
      const History *h = &s->good->run.trace.results[r];
      bool change = r == result || (random && follows && random_below(random, 2));
      changed[r] = change && h->kept.len && result_bits(dfg, r);
      size_t at = r == result             ? token
                  : random && h->kept.len ? random_below(random, h->kept.len)
                                          : 0;
      bad.run.trace.results[r] = altered(h, history_bytes(result_bits(dfg, r)), at, change);
    }
    behind = behind || dfg->order[i] == dfg->results[result].node;
  }
  mem_free(changed);
  golden_take_edges(s->ctx, dfg, bad.run.trace.results, &bad.golden);
  return bad;
}

static void bad_free(GoldenTrial *bad) {
  golden_free(&bad->golden);
  token_trace_free(&bad->run.trace);
}

static void try_one(const Tampered *s, Random *random) {
  u32 result, earliest = 0;
  size_t token;
  u64 which = 0;
  if (!draw(s, random, &result, &token)) return;
  GoldenTrial bad = tampered(s, result, token, random), alone = tampered(s, result, token, NULL);
  GoldenDifference d = {0};
  golden_first_difference(s->dfg, &bad, &s->good->golden, true, &d);
  names_it(s, &bad, &d, result, token);
  bool found =
      golden_earliest_token(s->ctx, s->dfg, s->input, &alone, s->good, &earliest, &which) &&
      earliest == result && which == token;
  check(found, "%s: the earliest token was not found", s->dir);
  s->ctx->err = NULL; /* it is said that they differ */
  bool agrees = trials_agree_on_edges(s->ctx, s->dfg, &alone.run, &s->good->run);
  s->ctx->err = stderr;
  check(!agrees && trials_agree_on_edges(s->ctx, s->dfg, &s->good->run, &s->good->run),
        "%s: engines are said to agree where one token differs, or to differ where none does",
        s->dir);
  bad_free(&bad);
  bad_free(&alone);
}

static bool has_tuples(const Dfg *dfg) {
  for (u32 t = 0; t < dfg->ntypes; t++)
    if (dfg->types[t].kind == TYPE_TUPLE) return true;
  return false;
}

static void try_folder(const char *dir) {
  Context *ctx = context_new();
  Kernel k;
  if (kernel_lower(ctx, dir, &k)) {
    const Dfg *dfg = k.subject.dfg;
    GoldenTrial trial = {0};
    TrialOptions options = {.run = run_options(), .edges = true};
    options.run.keep = true;
    trial_run(&k.subject, ON_DFG, &options, &trial.run);
    trial.run.name = "good";
    golden_take_edges(ctx, dfg, trial.run.trace.results, &trial.golden);
    Tampered subject = {ctx, dfg, k.input, &trial, dir};
    Random random = {hash_bytes(dir, strlen(dir), 1)};
    for (int i = 0; i < TRIES && !has_tuples(dfg); i++) try_one(&subject, &random);
    golden_free(&trial.golden);
    trial_free(&trial.run);
  } else {
    check(false, "%s cannot be lowered", dir);
  }
  kernel_free(&k);
  context_free(ctx);
}

/* ---- broken files ---------------------------------------------------------------------------- */

static bool parses(const char *text, size_t len) {
  Context *ctx = context_new();
  Golden golden = {0};
  ctx->err = NULL;
  bool good = golden_parse(ctx, source_from_memory(ctx, "golden.trace", text, len), &golden);
  if (!good && !ctx->errors) check(false, "a trace of %zu bytes is refused without a word", len);
  golden_free(&golden);
  context_free(ctx);
  return good;
}

/* Whether `len` bytes end at the end of a line of the last section. */
static bool is_whole(const char *text, size_t len) {
  return len >= 7 && text[len - 1] == '\n' && strstr(text, "\nedges\n") + 7 <= text + len;
}

static void break_trace(const char *dir) {
  Context *ctx = context_new();
  const Source *source = source_read(ctx, str_printf(ctx, "%s/golden.trace", dir)->text);
  size_t len = source ? source->len : 0;
  char *text = arena_copy(ctx->arena, source ? source->text : "", len + 1);
  for (size_t cut = 0; cut <= len; cut++) {
    check(parses(text, cut) == is_whole(text, cut), "%s: cut at %zu", dir, cut);
  }
  for (size_t at = 0; at < len; at++) {
    static const char changes[] = {0, '\n', ' ', '9', 'x', (char)0xff};
    char was = text[at];
    for (size_t k = 0; k < sizeof changes; k++) {
      text[at] = changes[k];
      (void)parses(text, len);
    }
    text[at] = was;
    passed++;
  }
  context_free(ctx);
}

int main(int argc, char **argv) {
  mem_init();
  if (argc > 1) break_trace(argv[1]);
  for (int i = 1; i < argc; i++) try_folder(argv[i]);
  return checks_end();
}

/* golden_token.c -- does `loom golden check` name the token that really differs?
 *
 *     golden-token DIR...                                  N passed, N failed
 *
 * No two engines of LOOM disagree, so their disagreement is made here. The graph of a golden kernel
 * runs once with every token kept. A copy of that trial gets one bit of one token on one result
 * flipped and, as in a true fault, tokens of what follows from it (results of nodes that are given
 * a token that changed) changed as well. Then
 *
 *     golden_first_difference    must name an edge of that result
 *     golden_first_token         must name that token, with both values
 *     golden_earliest_token      must find it by time: where it is the only change, where another
 *                                result lacks all of its tokens, and where another one differs,
 *                                too, before or behind it in a run of the graph
 *     golden_find_cause          must come from any other edge to one of that result
 *     trials_agree_on_edges      by which all engines are compared, must see the change
 *
 * Besides, the first folder's trace is cut at every length, which must be refused unless only its
 * end is missing, and each of its bytes is changed, which must be refused or read.
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

static bool feeds(const Dfg *dfg, u32 from, u32 to) {
  for (u32 i = 0; i < dfg->nodes[to].noperands; i++)
    if (dfg->results[dfg->edges[dfg_operand(dfg, to, i)].result].node == from) return true;
  return false;
}

/* Tokens of a node that is given what was changed: of each of its results one, or none. */
static void change_results(const Tampered *s, u32 node, GoldenTrial *bad, bool *changed,
                           Random *random) {
  const Dfg *dfg = s->dfg;
  if (!is_given(dfg, node, changed)) return;
  for (u32 r = dfg->nodes[node].first_result, k = 0; k < dfg->nodes[node].nresults; k++, r++) {
    const History *h = &s->good->run.trace.results[r];
    if (changed[r] || !h->kept.len || !result_bits(dfg, r) || random_below(random, 2)) continue;
    history_free(&bad->run.trace.results[r]);
    bad->run.trace.results[r] =
        altered(h, history_bytes(result_bits(dfg, r)), random_below(random, h->kept.len), 1);
    changed[r] = true;
  }
}

/* The good trial with one bit of a token flipped; with `random`, tokens of what follows from it
 * too: of nodes behind it in the order, and in every other trial, as through a loop, of nodes
 * before it from which it takes nothing. The result `cut`, which is another one, has no tokens. */
static GoldenTrial tampered(const Tampered *s, u32 result, size_t token, Random *random, u32 cut) {
  const Dfg *dfg = s->dfg;
  GoldenTrial bad = {.run = {.name = "bad", .ran = true}};
  bad.run.trace.nresults = dfg->nresults;
  bad.run.trace.results = mem_alloc(mem_size(dfg->nresults, sizeof(History)));
  bool *changed = mem_alloc(mem_size(dfg->nresults, sizeof *changed));
  for (u32 r = 0; r < dfg->nresults; r++) {
    const History *h = &s->good->run.trace.results[r];
    bad.run.trace.results[r] =
        r == cut ? (History){.keep = true}
                 : altered(h, history_bytes(result_bits(dfg, r)), token, r == result);
  }
  changed[result] = true;
  u32 self = dfg->results[result].node, place = 0;
  while (dfg->order[place] != self) place++;
  bool goes_round = random && random_below(random, 2);
  for (u32 i = place + 1; random && i < dfg->nnodes; i++)
    if (!goes_round || !feeds(dfg, dfg->order[i], self))
      change_results(s, dfg->order[i], &bad, changed, random);
  for (u32 i = 0; goes_round && i < place; i++)
    if (!feeds(dfg, dfg->order[i], self)) change_results(s, dfg->order[i], &bad, changed, random);
  mem_free(changed);
  golden_take_edges(s->ctx, dfg, bad.run.trace.results, &bad.golden);
  return bad;
}

static void bad_free(GoldenTrial *bad) {
  golden_free(&bad->golden);
  token_trace_free(&bad->run.trace);
}

/* Two tokens of different results, and which of them a run of the graph has first. */
typedef struct {
  u32 results[2], winner;
  u64 tokens[2], seen[2];
} Race;

static bool on_token(void *user, u64 time, u32 result, const u64 *scalars, size_t n) {
  Race *race = user;
  (void)time, (void)scalars, (void)n;
  for (u32 k = 0; k < 2; k++)
    if (result == race->results[k] && race->seen[k]++ == race->tokens[k] && race->winner == 2)
      race->winner = k;
  return true;
}

/* Where two tokens differ, the earlier one is found: `bad` has one of them, and gets another. */
static void finds_earlier(const Tampered *s, GoldenTrial *bad, u32 result, size_t token,
                          Random *random) {
  u32 other, earliest = 0;
  size_t at;
  u64 which = 0;
  if (!draw(s, random, &other, &at) || other == result) return;
  history_free(&bad->run.trace.results[other]);
  bad->run.trace.results[other] =
      altered(&s->good->run.trace.results[other], history_bytes(result_bits(s->dfg, other)), at, 1);
  Race race = {{result, other}, 2, {token, at}, {0, 0}};
  TokenObserver observer = {.user = &race, .token = on_token};
  RunOptions options = run_options();
  RunResult run;
  token_run_traced(s->ctx, s->dfg, s->input, &options, &(TokenOptions){.observer = &observer}, &run,
                   NULL);
  run_result_free(&run);
  check(golden_earliest_token(s->ctx, s->dfg, s->input, bad, s->good, &earliest, &which) &&
            race.winner < 2 && earliest == race.results[race.winner] &&
            which == race.tokens[race.winner],
        "%s: of two tokens that differ the later one is found", s->dir);
}

/* In a loop the line that comes first may be another one; here it is any. */
static void names_cause(const Tampered *s, const GoldenTrial *alone, u32 result, Random *random) {
  const GoldenLines *lines = &alone->golden.edges, *file = &s->good->golden.edges;
  const GoldenLine *any = &lines->at[random_below(random, lines->len)];
  GoldenDifference d = {any, golden_find(file, any->name), true, 0};
  golden_find_cause(s->ctx, s->dfg, s->input, alone, s->good, &alone->golden, &s->good->golden, &d);
  check(s->dfg->edges[d.ours->id].result == result && d.file == golden_find(file, d.ours->name),
        "%s: edge %s is named, and not one of %%%s", s->dir, d.ours->name,
        dfg_text(s->dfg, s->dfg->results[result].name));
}

static void try_one(const Tampered *s, Random *random) {
  u32 result, earliest = 0;
  size_t token;
  u64 which = 0;
  if (!draw(s, random, &result, &token)) return;
  u32 cut = (result + 1 + (u32)random_below(random, s->dfg->nresults)) % s->dfg->nresults;
  if (cut == result) cut = DFG_NONE;
  GoldenTrial bad = tampered(s, result, token, random, DFG_NONE),
              alone = tampered(s, result, token, NULL, DFG_NONE),
              short_of = tampered(s, result, token, NULL, cut);
  GoldenDifference d = {0};
  golden_first_difference(s->dfg, &bad, &s->good->golden, true, &d);
  names_it(s, &bad, &d, result, token);
  check(golden_earliest_token(s->ctx, s->dfg, s->input, &alone, s->good, &earliest, &which) &&
            earliest == result && which == token,
        "%s: the earliest token was not found", s->dir);
  check(golden_earliest_token(s->ctx, s->dfg, s->input, &short_of, s->good, &earliest, &which) &&
            earliest == result && which == token,
        "%s: missing tokens are taken for the cause", s->dir);
  names_cause(s, &alone, result, random);
  s->ctx->err = NULL; /* it is said that they differ */
  bool agrees = trials_agree_on_edges(s->ctx, s->dfg, &alone.run, &s->good->run);
  s->ctx->err = stderr;
  check(!agrees && trials_agree_on_edges(s->ctx, s->dfg, &s->good->run, &s->good->run),
        "%s: engines are said to agree where one token differs, or to differ where none does",
        s->dir);
  finds_earlier(s, &alone, result, token, random);
  bad_free(&bad);
  bad_free(&alone);
  bad_free(&short_of);
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

/* streams_agree.c -- graphs written by hand, on random streams: does the order of firing matter?
 *
 *     streams-agree --count 10 spec-tests/17-dataflow.md ...       N passed, N failed
 *
 * Every handshake.func in the examples of the chapters, right or wrong, is run on `count` cases made
 * up for it: first one token an argument, then streams of random lengths, some longer than the
 * queues are at first. Each is run in the usual order, in bursts, and once more under a random
 * schedule. Most of these runs end badly, in a deadlock or with tokens left over, and that is as good
 * a test: status, results, memories and the tokens of every result must be the same. Where a run
 * traps or reaches a limit, where a graph is not determinate (merges) or its accesses may race, there
 * is nothing to compare.
 *
 * Everything random comes from the seed of the graph's place in the order of the files.
 */
#include "subjects.h"

#include "manual/manual.h"
#include "text/text.h"

#include <stdlib.h>

/* ---- cases ----------------------------------------------------------------------------------- */

/* Small numbers: streams must come to their bounds, addresses into their memories. */
static void put_value(const Type *type, bool is_last, Buf *out) {
  static const char *const floats[] = {"0", "-0.0", "1", "0.5", "-2.25", "\"inf\"", "\"nan\"", "3"};
  if (type->kind == TYPE_NONE)
    buf_char(out, '0');
  else if (type_is_float(type))
    buf_str(out, floats[any_below(COUNT_OF(floats))]);
  else if (type_is_i1(type))
    buf_u64(out, is_last && any_below(4) ? 0 : any_below(3) != 0); /* loops end */
  else if (any_below(8) == 0 && type->width != 2)
    buf_str(out, "-1");
  else
    buf_u64(out, any_below(type->kind == TYPE_INT && type->width < 4 ? 2 : 6));
}

static void put_list(const Type *type, u64 n, Buf *out) {
  buf_char(out, '[');
  for (u64 i = 0; i < n; i++) {
    if (i) buf_char(out, ',');
    put_value(type, i + 1 == n, out);
  }
  buf_char(out, ']');
}

static void put_memref(const Type *type, const char *element, Buf *out) {
  u64 n = 1;
  buf_str(out, "{\"memref\": {\"shape\": [");
  for (u32 d = 0; d < type->rank; d++) {
    u64 extent = type->shape[d] == DYNAMIC ? 1 + any_below(4) : (u64)type->shape[d];
    buf_printf(out, "%s%llu", d ? "," : "", (unsigned long long)extent);
    n *= extent;
  }
  buf_printf(out, "], \"type\": \"%s\", \"data\": ", element);
  put_list(type->elem, n, out);
  buf_str(out, "}}");
}

/* `length` 0: one token an argument, controls left out; else streams of about that length. */
static void make_case(const Dfg *dfg, u64 length, Buf *out) {
  bool first = true;
  buf_str(out, "{\"args\": [");
  for (u32 i = 0; i < dfg->nargs; i++) {
    const DfgType *type = &dfg->types[dfg->args[i].type];
    u8 role = dfg->args[i].role;
    if (role == DFG_ARG_EXTENT || (role == DFG_ARG_CONTROL && !length)) continue;
    buf_str(out, first ? "" : ", ");
    first = false;
    if (role == DFG_ARG_MEMREF) {
      Buf element = {0};
      text_type(type->ir->elem, &element);
      put_memref(type->ir, element.data, out);
      buf_free(&element);
      continue;
    }
    buf_printf(out, "{\"%s\": {\"type\": \"%s\", \"%s\": ", length ? "stream" : "scalar",
               dfg_text(dfg, type->text), length ? "data" : "value");
    if (length)
      put_list(type->ir, any_below(4) ? length : any_below(length + 3), out);
    else
      put_value(type->ir, true, out);
    buf_str(out, "}}");
  }
  buf_str(out, "]}");
}

/* ---- one graph ------------------------------------------------------------------------------- */

typedef struct {
  u64 count;
  u64 finished;
  const char *where; /* the section */
} Tally;

static bool has_edges(RunStatus status) {
  return status == RUN_FINISHED || status == RUN_LEFTOVER || status == RUN_DEADLOCK;
}

/* Runs both and compares. Nothing is said but what differs. */
static bool compare(Context *ctx, const Dfg *dfg, const Case *c, Tally *t) {
  enum { MAX_FIRINGS = 200000 };
  RunOptions options = {.max_steps = MAX_FIRINGS, .histories = true};
  TokenOptions usual = {.edges = true},
               shuffled = {.edges = true, .schedule_seed = any_below(~0ull) | 1};
  Trial expected = {.name = "dfg"}, got = {.name = "shuffled"};
  FILE *err = ctx->err;
  ctx->err = NULL;
  RunStatus status =
      token_run_traced(ctx, dfg, c, &options, &usual, &expected.result, &expected.trace);
  RunStatus other = token_run_traced(ctx, dfg, c, &options, &shuffled, &got.result, &got.trace);
  ctx->err = err;
  bool good = !has_edges(status) || !has_edges(other) || other == status;
  if (!good) fprintf(err, "the usual order ends with status %d, another with %d\n", status, other);
  if (good && has_edges(status) && has_edges(other)) good = trials_agree(ctx, dfg, &expected, &got);
  t->finished += status == RUN_FINISHED;
  trial_free(&expected);
  trial_free(&got);
  return good;
}

static void ask_case(Context *ctx, const Dfg *dfg, u64 length, Tally *t) {
  Buf json = {0};
  Heard heard;
  make_case(dfg, length, &json);
  heard_start(ctx, &heard);
  Case *c = case_parse(ctx, source_from_memory(ctx, "case.json", json.data, json.len));
  bool good = c && compare(ctx, dfg, c, t);
  heard_stop(ctx, &heard);
  check(good, "%s, @%s on %s\n%s", t->where, dfg_text(dfg, dfg->name), json.data, heard.text);
  case_free(c);
  free(heard.text);
  buf_free(&json);
}

static bool has_merge(const Dfg *dfg) {
  for (u32 i = 0; i < dfg->nnodes; i++)
    if (dfg->nodes[i].fire == FIRE_MERGE || dfg->nodes[i].fire == FIRE_CONTROL_MERGE) return true;
  return false;
}

/* A store and another access of one memory may come in any order. */
static bool may_race(const Dfg *dfg) {
  for (u32 i = 0; i < dfg->nmemories; i++)
    if (dfg->memories[i].nstores && dfg->memories[i].nstores + dfg->memories[i].nloads > 1)
      return true;
  return false;
}

static bool is_left_out(const Dfg *dfg) {
  if (dfg->nnodes > 10000 || has_merge(dfg) || may_race(dfg)) return true;
  for (u32 i = 0; i < dfg->nargs; i++)
    if (dfg->types[dfg->args[i].type].kind == TYPE_TUPLE ||
        dfg->types[dfg->args[i].type].kind == TYPE_TAGGED)
      return true; /* no case can give one */
  return false;
}

static void ask_graph(Context *ctx, const Dfg *dfg, Tally *t) {
  static const u64 lengths[] = {0, 1, 3, 5, 2, 8, 13, 90, 4, 300};
  if (is_left_out(dfg)) return;
  for (u64 i = 0; i < t->count; i++) ask_case(ctx, dfg, lengths[i % COUNT_OF(lengths)], t);
}

/* ---- chapters -------------------------------------------------------------------------------- */

static void ask_text(const char *text, size_t len, Tally *t) {
  Context *ctx = context_new();
  ctx->err = NULL;
  Module *module = module_read(ctx, "in.mlir", text, len);
  if (module)
    for_each_op (op, region_entry(&module->top->regions[0])) {
      if (op->kind != OP_HANDSHAKE_FUNC || op->nregions == 0) continue;
      Dfg *dfg = dfg_freeze(ctx, op);
      if (dfg) ask_graph(ctx, dfg, t);
      dfg_free(dfg);
    }
  module_free(module);
  context_free(ctx);
}

static void ask_chapter(Context *ctx, const char *path, Tally *t) {
  Chapter chapter = {0};
  const Source *source = source_read(ctx, path);
  if (!source) exit(EXIT_BAD_INPUT);
  chapter_read(ctx->arena, path, source->text, source->len, &chapter);
  for (size_t s = 0; s < chapter.sections.len; s++) {
    const Section *section = &chapter.sections.at[s];
    Buf text = {0};
    t->where = section->path;
    for (u32 i = section->first; i < section->first + section->n; i++)
      if (chapter.fences.at[i].kind == FENCE_MLIR)
        buf_put(&text, chapter.fences.at[i].text, chapter.fences.at[i].len);
    if (text.len) ask_text(text.data, text.len, t);
    buf_free(&text);
  }
  chapter_free(&chapter);
}

int main(int argc, char **argv) {
  Tally t = {.count = 10};
  Context *ctx = context_new();
  int n = tool_options(argc, argv, TOOL_OPTIONS(TOOL_NUMBER("--count", t.count)),
                       "streams-agree [--count N] CHAPTER...");
  for (int i = 1; i < n; i++) {
    random_state.state = (u64)i;
    ask_chapter(ctx, argv[i], &t);
  }
  context_free(ctx);
  printf("%llu runs finished clean\n", (unsigned long long)t.finished);
  return checks_end();
}

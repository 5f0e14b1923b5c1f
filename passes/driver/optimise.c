/* optimise.c -- which loops -O2 lays side by side: a search that ends with the machine's own count.
 *
 *     as -O1 leaves it                                  198,697 cycles, on the machine
 *     4 copies of the first loop, 2 of the second          25,061
 *
 * A candidate says how many copies of each loop there shall be (lower/unroll_jam.c): of one loop, or of
 * one and a loop inside it; or that neighbours are fused. It is lowered and proved, counted against
 * the fabric, and run by the token simulator; from the tokens follow the cycles that it takes at the
 * least, wherever it is placed (map/least.c): its recurrences, the channels of its memories, its units.
 * The FEW_MAPPED with the fewest, of equals the smallest, are mapped, and the machine runs the case on
 * each. What takes the fewest cycles is chosen; the program of -O1 is one of them, and none is
 * taken that is not faster.
 *
 * All is bounded by counts, not by time: MAX_CANDIDATES lowered, FEW_MAPPED + 1 mapped, each in a few rounds. */
#include "driver/optimise.h"
#include "driver/mapping.h"
#include "driver/steps.h"
#include "map/stages.h"
#include "sim/token.h"

enum { MAX_CANDIDATES = 40, FEW_MAPPED = 3, ROUNDS = 3000, NODES_A_PE = 2 };
static const u64 max_cycles = 100000000;

typedef struct {
  LoopChoice choice;
  u64 least, cycles; /* 0: it does not fit, or does not end */
  u32 nodes;
} Candidate;

typedef struct {
  Call *call;
  const Module *source;
  const char *function;
  const Case *input;
  MapJob fabric; /* nothing of it but the hardware */
  LoopChoice loops;
  int parent[MAX_CHOSEN];
  u32 ncandidates;
  Candidate candidates[MAX_CANDIDATES];
} Search;

/* ---- the loops -------------------------------------------------------------------------------- */

static void list_loops(Search *s, const Region *region, int parent) {
  for_each_block (block, region)
    for_each_op (op, block) {
      int own = parent;
      if (op->kind == OP_SCF_FOR && s->loops.n < MAX_CHOSEN) {
        own = (int)s->loops.n++;
        s->parent[own] = parent;
        s->loops.at[own] = op->loc;
      }
      for (u32 r = 0; r < op->nregions; r++) list_loops(s, &op->regions[r], own);
    }
}

static bool note_loops(void *user, const Op *func, const LowerStage *stage, u32 known) {
  Search *s = user;
  (void)known;
  if (strcmp(stage->name, "unroll") != 0) return true;
  s->loops.n = 0;
  list_loops(s, &func->regions[0], -1);
  return true;
}

/* ---- a candidate ------------------------------------------------------------------------------ */

static Module *copy_of(const Module *m) {
  Map made = {0};
  Module *copy = module_new(m->ctx);
  for_each_op (op, region_entry(&m->top->regions[0]))
    op_append(region_entry(&copy->top->regions[0]), op_clone(copy, op, &made));
  map_free(&made);
  return copy;
}

/* The graph as the fabric has it; NULL: it is not lowered. */
static Dfg *make_graph(Search *s, const LoopChoice *choice, Module **graph) {
  Module *m = copy_of(s->source);
  LowerOptions options = call_lower_options(s->call);
  options.func = s->function;
  options.after_stage = note_loops;
  options.user = s;
  loop_choice_apply(choice, &options);
  Dfg *dfg = NULL;
  *graph = NULL;
  if (lower_module(m, &options))
    dfg = graph_for_fabric(s->call->ctx, m, s->function, s->fabric.adg, graph);
  module_free(m);
  return dfg;
}

static u64 least_cycles(Search *s, const Dfg *dfg, const MapCover *cover) {
  RunResult result = {.status = RUN_REFUSED};
  TokenTrace trace = {0};
  RunOptions options = call_run_options(s->call);
  TokenOptions more = {.edges = true};
  u64 *tokens = mem_alloc(mem_size((size_t)dfg->nresults + 1, sizeof *tokens)), least = 0;
  if (token_run_traced(s->call->ctx, dfg, s->input, &options, &more, &result, &trace) ==
      RUN_FINISHED) {
    for (u32 r = 0; r < dfg->nresults; r++) tokens[r] = trace.results[r].count;
    least = mapping_least_cycles(dfg, s->fabric.adg, cover, tokens);
  }
  mem_free(tokens);
  run_result_free(&result);
  token_trace_free(&trace);
  return least;
}

/* Cycles at the least, 0 where it cannot fit. */
static void bound(Search *s, Candidate *c) {
  Context *ctx = s->call->ctx;
  Module *graph;
  MapCover *cover = NULL;
  Dfg *dfg = make_graph(s, &c->choice, &graph);
  c->nodes = dfg ? dfg->nnodes : 0;
  bool is_small = dfg && dfg->nnodes <= NODES_A_PE * s->fabric.adg->npes;
  if (is_small) cover = mapping_cover(ctx, dfg, s->fabric.adg, NULL);
  if (cover && mapping_count(ctx, dfg, s->fabric.adg, cover) &&
      mapping_cut(ctx, dfg, s->fabric.adg, cover, NULL, NULL))
    c->least = least_cycles(s, dfg, cover);
  mapping_cover_free(cover);
  dfg_free(dfg);
  module_free(graph);
}

/* Its cycles, as the machine counts them; 0: it does not map, or takes `most` or more. */
static void measure(Search *s, Candidate *c, u64 most) {
  Context *ctx = s->call->ctx;
  Module *graph;
  MapOptions options = mapping_options_default();
  options.seed = s->call->set.seed;
  options.max_chain = s->call->set.max_comb;
  options.max_rounds = ROUNDS;
  Dfg *dfg = make_graph(s, &c->choice, &graph);
  Mapping *mapping = dfg ? mapping_graph(ctx, dfg, s->fabric.layout, &options) : NULL;
  if (mapping) c->cycles = mapping_run_case(ctx, mapping, s->input, most);
  mapping_free(mapping);
  dfg_free(dfg);
  module_free(graph);
}

/* ---- which there are -------------------------------------------------------------------------- */

static Candidate *add(Search *s, u32 level) {
  if (s->ncandidates == MAX_CANDIDATES) return NULL;
  Candidate *c = &s->candidates[s->ncandidates++];
  *c = (Candidate){.choice = s->loops};
  c->choice.level = level;
  return c;
}

static bool is_inside(const Search *s, int loop, int outer) {
  while (loop >= 0 && loop != outer) loop = s->parent[loop];
  return loop >= 0;
}

static void add_copies(Search *s, u32 loop, u32 copies, u32 other, u32 more) {
  Candidate *c = add(s, 2);
  if (!c) return;
  c->choice.copies[loop] = copies;
  if (more) c->choice.copies[other] = more;
}

static void add_all(Search *s) {
  static const u32 counts[] = {2, 4, 8};
  u32 n = s->loops.n;
  for (size_t k = 0; k < COUNT_OF(counts); k++)
    for (u32 i = 0; i < n; i++) add_copies(s, i, counts[k], 0, 0);
  if (n > 1) add(s, LOWER_BY_NAME);
  for (u32 i = n; i-- > 0;)
    for (u32 k = i + 1; k < n; k++)
      for (u32 a = 2; is_inside(s, (int)k, (int)i) && a <= 4; a += 2)
        for (u32 b = 2; b <= 4; b += 2) add_copies(s, i, a, k, b);
}

/* ---- the search ------------------------------------------------------------------------------- */

/* The most promising of those that were not mapped. */
static Candidate *next_best(Search *s) {
  Candidate *best = NULL;
  for (u32 i = 1; i < s->ncandidates; i++) {
    Candidate *c = &s->candidates[i];
    if (!c->least) continue;
    if (!best || c->least < best->least || (c->least == best->least && c->nodes < best->nodes))
      best = c;
  }
  return best;
}

static void search(Search *s, LoopChoice *choice) {
  Candidate *plain = add(s, 1), *best = plain;
  measure(s, plain, max_cycles);
  plain->choice.n = s->loops.n;
  memcpy(plain->choice.at, s->loops.at, sizeof s->loops.at);
  add_all(s);
  for (u32 i = 1; i < s->ncandidates; i++) bound(s, &s->candidates[i]);
  u32 mapped = 1;
  for (Candidate *c; mapped <= FEW_MAPPED && (c = next_best(s)); mapped++) {
    if (best->cycles && c->least >= best->cycles) break;
    measure(s, c, best->cycles ? best->cycles : max_cycles);
    c->least = 0;
    if (c->cycles && (!best->cycles || c->cycles < best->cycles)) best = c;
  }
  *choice = best->choice;
  choice->before = plain->cycles;
  choice->cycles = best->cycles;
  choice->tried = s->ncandidates;
  choice->mapped = mapped;
}

int choose_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *fabric, LoopChoice *choice) {
  Search *s = mem_alloc(sizeof *s);
  *s = (Search){.call = call, .source = source, .function = function, .input = input};
  s->fabric = (MapJob){.call = call, .module = source, .function = function};
  int status = map_job_hardware(&s->fabric, fabric);
  if (!status) {
    QuietScope quiet = diag_quiet(call->ctx);
    search(s, choice);
    diag_quiet_end(call->ctx, &quiet);
  }
  map_job_free(&s->fabric);
  mem_free(s);
  return status;
}

void loop_choice_apply(const LoopChoice *choice, LowerOptions *options) {
  options->level = choice->level;
  options->copies = choice->copies;
  options->ncopies = choice->n;
}

void loop_choice_print(Context *ctx, const LoopChoice *c, Buf *out) {
  const char *comma = "";
  for (u32 i = 0; i < c->n; i++) {
    if (c->copies[i] < 2) continue;
    Place place = source_place(ctx, c->at[i]);
    buf_printf(out, "%s%u copies of the loop at %u:%u", comma, c->copies[i], place.line,
               place.column);
    comma = ", ";
  }
  if (c->level == LOWER_BY_NAME) buf_str(out, "loops over the same range are one");
  if (c->level == 1) buf_str(out, "as -O1 makes them");
  if (c->cycles) buf_printf(out, ": %s cycles", grouped_digits(ctx, c->cycles));
  if (c->cycles && c->before && c->level != 1)
    buf_printf(out, " instead of %s", grouped_digits(ctx, c->before));
  buf_printf(out, " (%u programs, %u mapped)", c->tried, c->mapped);
}

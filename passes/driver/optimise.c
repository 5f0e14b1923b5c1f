/* optimise.c -- the search of -O2 for the form of a kernel's loops with the fewest cycles: best
 * first by lower bounds, then mapped and simulated.
 *
 *     as -O1 leaves it                                  100,386 cycles, on the machine
 *     copies of the first loop and of the second           13,605
 *
 * A *program* is a choice, lowered: the number of copies of each loop (unroll_jam.c; of a while
 * unroll_while.c), and which optional stages run: fusion (fuse.c), sliding windows (reuse.c),
 * speculation (speculate.c), private memories for scattered sums (privatise.c), overshooting whiles
 * (overshoot.c), values for small local arrays (locals.c), interleaved iterations (interleave.c),
 * loop interchange (interchange.c; prepared by expand.c, fission.c), and coalescing of nests of
 * short loops (coalesce.c). It is proved, and run by the token simulator. All that is the same for
 * every fabric, so it is done once.
 *
 * A *variant* is a program on a fabric. Its tokens bound its cycles from below, wherever it is
 * placed (map/least.c): by its recurrences, the channels of its memories and its units; and by its
 * run, firing by firing, with the latencies of the quickest units (map/earliest.c), which includes
 * loops that wait for one another and iterations that a condition makes longer. Its *promise*, an
 * estimate, is this bound, raised where the program fills much of the fabric. (Where a run is too
 * long to be recorded whole, the bounds of its loops are added, as if each waited for the one
 * before.)
 *
 * The search is best first. It begins with the unchanged loops; a step is twice as many copies of
 * one loop, or half as many again where those do not fit, or one of the stages; the steps from the
 * most promising variant that fits are tried next. Two stages are no steps. Coalescing is nearly
 * independent of the others, and would double the number of programs: the MOST_COALESCED most
 * promising are tried with it at the end. Interchange changes what every other step does: programs
 * with it have a search of their own, of MORE_PROGRAMS, of which FEW_MORE are mapped.
 *
 * The FEW_MAPPED most promising of all, of equals the smallest, and the coalesced ones are mapped
 * briefly, and the machine runs the case on each. After one has no mapping, none with as many nodes
 * is tried; nor is one whose bound is no less than the cycles of another. The one with the fewest
 * cycles is mapped again at length, which may be no quicker, and with MORE_SEEDS other seeds while
 * its cycles exceed its bound by more than a fifth. The program of -O1 is a candidate, and is kept
 * unless another is faster. At -O0 and -O1 there is one program, and nothing to choose.
 *
 * The cost is bounded by counts, not by time: at most MAX_PROGRAMS, MORE_PROGRAMS and
 * MOST_COALESCED programs are lowered; FEW_MAPPED + MOST_COALESCED + FEW_MORE are mapped briefly,
 * and 2 + MORE_SEEDS times one is mapped at length, each in a bounded number of rounds. */
#include "driver/optimise.h"
#include "driver/mapping.h"
#include "driver/steps.h"
#include "map/stages.h"
#include "run/token.h"

#include <unistd.h>

/* NODES_A_PE: a program with more nodes for each PE is not tried. */
enum { FEW_MAPPED = 5, FEW_MORE = 3, MORE_SEEDS = 2, MOST_COPIES = 8, NODES_A_PE = 2 };

/* Phases of the search; in each, variants are taken from the most promising on. */
typedef enum { EXPANDING, PAIRING, MAPPING } Phase;

/* ---- the loops ------------------------------------------------------------------------------- */

static void list_loops(LoopChoice *loops, const Region *region) {
  for_each_block (block, region)
    for_each_op (op, block) {
      if ((op->kind == OP_SCF_FOR || op->kind == OP_SCF_WHILE) && loops->n < MAX_CHOSEN) {
        loops->is_while[loops->n] = op->kind == OP_SCF_WHILE;
        loops->at[loops->n++] = op->loc;
      }
      for (u32 r = 0; r < op->nregions; r++) list_loops(loops, &op->regions[r]);
    }
}

static bool note_loops(void *user, const Op *func, const LowerStage *stage, u32 known) {
  (void)known;
  if (stage->numbers_loops) list_loops(user, &func->regions[0]);
  return true;
}

/* Marks for loops that interleaving has turned into whiles, which have the same location. */
static void list_interleaved(LoopChoice *choice, const Region *region) {
  for_each_block (block, region)
    for_each_op (op, block) {
      for (u32 i = 0; i < choice->n && op->kind == OP_SCF_WHILE; i++)
        choice->is_interleaved[i] |= choice->at[i] == op->loc && !choice->is_while[i];
      for (u32 r = 0; r < op->nregions; r++) list_interleaved(choice, &op->regions[r]);
    }
}

static bool note_interleaved(void *user, const Op *func, const LowerStage *stage, u32 known) {
  (void)known;
  if (stage->choice == LOWER_INTERLEAVED) list_interleaved(user, &func->regions[0]);
  return true;
}

/* ---- programs -------------------------------------------------------------------------------- */

static Module *copy_of(const Module *m) {
  Map copies = {0};
  Module *copy = module_new(m->ctx);
  for_each_op (op, region_entry(&m->top->regions[0]))
    op_append(region_entry(&copy->top->regions[0]), op_clone(copy, op, &copies));
  map_free(&copies);
  return copy;
}

static void program_free(Program *p) {
  earliest_free(&p->run);
  mem_free(p->tokens);
  dfg_free(p->dfg);
  module_free(p->module);
  p->tokens = NULL;
  p->dfg = NULL;
  p->module = NULL;
}

/* Legalisation for a fabric adds nodes and removes others (map/legalise.c). Those that stay are
 * found by name, so each result is given a unique one: %sum.12. */
static void name_results(Context *ctx, const Op *func) {
  u32 n = 0;
  for_each_op (op, region_entry(&func->regions[0]))
    for (u32 r = 0; r < op->nresults; r++, n++)
      op->results[r].name =
          str_printf(ctx, "%s.%u", op->results[r].name ? op->results[r].name->text : "r", n);
}

/* Lowers a program, unless the source is a graph. Lists the loops in `loops`, if it is not NULL. */
static bool lower_program(const Programs *programs, Program *p, LoopChoice *loops) {
  p->module = copy_of(programs->source);
  LowerOptions options = call_lower_options(programs->call);
  options.func = programs->function;
  options.after_stage = loops ? note_loops : note_interleaved;
  options.user = loops ? loops : &p->choice;
  loop_choice_apply(&p->choice, &options);
  Op *func = function_named(p->module, programs->function);
  if (func->kind != OP_FUNC_FUNC || lower_module(p->module, &options)) {
    func = function_named(p->module, programs->function);
    if (p != programs->at[0]) name_results(programs->call->ctx, func);
    p->dfg = dfg_freeze(programs->call->ctx, func);
  }
  if (!p->dfg) program_free(p);
  return p->dfg;
}

static Program *add_program(Programs *programs, const LoopChoice *choice) {
  if (programs->n == programs->room) {
    programs->room = programs->room ? 2 * programs->room : MAX_PROGRAMS;
    programs->at = mem_realloc(programs->at, mem_size(programs->room, sizeof *programs->at));
  }
  Program *p = programs->at[programs->n++] = mem_alloc(sizeof *p);
  *p = (Program){.choice = *choice};
  memset(p->choice.is_interleaved, 0, sizeof p->choice.is_interleaved);
  return p;
}

/* The program of a choice, made where there is none yet. */
static Program *program_of(Programs *programs, const LoopChoice *choice) {
  for (size_t i = 1; i < programs->n; i++) {
    const LoopChoice *c = &programs->at[i]->choice;
    if (c->choices == choice->choices && !memcmp(c->copies, choice->copies, sizeof c->copies))
      return programs->at[i];
  }
  Program *p = add_program(programs, choice);
  lower_program(programs, p, NULL);
  return p;
}

static u32 count_steps(const Programs *programs) {
  return programs->loops.n + LOWER_CHOICES;
}

/* Changes a choice by a step: the first steps double the copies of a loop, or with `is_half` raise
 * them by a half; the others add a stage, LOWER_FUSED the first. False: it is not possible. */
static bool take_step(const Programs *programs, u32 step, bool is_half, LoopChoice *choice) {
  u32 n = programs->loops.n, stage = step < n ? 0 : (u32)LOWER_FUSED << (step - n);
  if (!stage) {
    if (programs->fixed[step]) return false;
    u32 copies = choice->copies[step] ? choice->copies[step] : 1;
    if (is_half && copies % 2) return false;
    choice->copies[step] = is_half ? copies / 2 * 3 : 2 * copies;
    return choice->copies[step] <= MOST_COPIES;
  }
  bool is_new = !((choice->choices | programs->ineffective | programs->separate) & stage);
  choice->choices |= stage;
  return is_new;
}

static bool is_same(const Program *a, const Program *b) {
  return a->dfg && b->dfg && a->dfg->nnodes == b->dfg->nnodes && a->dfg->nedges == b->dfg->nedges;
}

bool programs_make(Programs *programs, Call *call, const Module *source, const char *function,
                   const Case *input) {
  *programs = (Programs){.call = call, .source = source, .function = function, .input = input};
  bool is_searched =
      call->set.optimise == 2 && input && function_named(source, function)->kind == OP_FUNC_FUNC;
  LoopChoice loops = {.level = 1};
  Program *plain = add_program(programs, &(LoopChoice){.level = is_searched});
  if (!lower_program(programs, plain, is_searched ? &loops : NULL)) return false;
  if (!is_searched) return true;
  plain->choice = loops;
  loops.level = 2;
  programs->loops = loops;
  QuietScope quiet = diag_quiet(call->ctx);
  const Program *start = program_of(programs, &loops);
  for (u32 step = 0; step < count_steps(programs); step++) {
    LoopChoice next = loops;
    if (!take_step(programs, step, false, &next) || !is_same(program_of(programs, &next), start))
      continue;
    programs->ineffective |= next.choices;
    if (step < loops.n) programs->fixed[step] = !loops.is_while[step];
  }
  programs->separate = LOWER_INTERCHANGED | LOWER_COALESCED;
  diag_quiet_end(call->ctx, &quiet);
  return true;
}

void programs_free(Programs *programs) {
  for (size_t i = 0; i < programs->n; i++) {
    program_free(programs->at[i]);
    mem_free(programs->at[i]);
  }
  mem_free(programs->at);
}

/* Counts the tokens of each result in the case, of the graph before it is legalised. False: the run
 * fails or does not give what the case expects, and the program is discarded. */
static bool count_tokens(const Programs *programs, Program *p) {
  Context *ctx = programs->call->ctx;
  RunResult result = {.status = RUN_REFUSED};
  TokenTrace trace = {0};
  RunOptions options = call_run_options(programs->call);
  TokenOptions more = {.edges = true};
  if (p->tokens) return true;
  bool good = p->dfg &&
              token_run_traced(ctx, p->dfg, programs->input, &options, &more, &result, &trace) ==
                  RUN_FINISHED &&
              case_compare(ctx, programs->input, &result, 0);
  if (good) {
    p->tokens = mem_alloc(mem_size((size_t)p->dfg->nresults + 1, sizeof *p->tokens));
    for (u32 r = 0; r < p->dfg->nresults; r++) p->tokens[r] = trace.results[r].count;
  } else {
    program_free(p);
  }
  run_result_free(&result);
  token_trace_free(&trace);
  return good;
}

/* Runs the case once more and records its firings; its results were checked by count_tokens. */
static void record_run(const Programs *programs, const Program *p, EarliestRun *run) {
  RunResult result;
  RunOptions options = call_run_options(programs->call);
  *run = (EarliestRun){.dfg = p->dfg};
  TokenObserver observer = earliest_observer(run);
  TokenOptions more = {.observer = &observer};
  token_run_traced(programs->call->ctx, p->dfg, programs->input, &options, &more, &result, NULL);
  run_result_free(&result);
}

bool programs_run(Programs *programs) {
  if (!count_tokens(programs, programs->at[0])) return false;
  if (!programs->loops.level) record_run(programs, programs->at[0], &programs->at[0]->run);
  QuietScope quiet = diag_quiet(programs->call->ctx);
  for (size_t i = 1; i < programs->n; i++) count_tokens(programs, programs->at[i]);
  diag_quiet_end(programs->call->ctx, &quiet);
  return true;
}

/* ---- on a fabric ----------------------------------------------------------------------------- */

/* The same counts for the legalised graph, by the names of nodes; 0 for nodes that were added. */
static u64 *tokens_of(const Program *p, const Dfg *dfg) {
  u64 *tokens = mem_alloc(mem_size((size_t)dfg->nresults + 1, sizeof *tokens));
  for (u32 n = 0; n < dfg->nnodes; n++) {
    const DfgNode *node = dfg_node(dfg, n);
    u32 was = dfg_find_node(p->dfg, dfg_text(dfg, node->name));
    if (was == DFG_NONE || dfg_node(p->dfg, was)->nresults != node->nresults) continue;
    for (u32 r = 0; r < node->nresults; r++)
      tokens[node->first_result + r] = p->tokens[dfg_node(p->dfg, was)->first_result + r];
  }
  return tokens;
}

/* The fuller a fabric is, the longer are its routes: a run takes about a quarter more cycles where
 * it is half full, as was measured. */
static u64 crowded(u64 cycles, const Dfg *dfg, const Adg *adg) {
  double room = 0;
  for (u32 pe = 0; pe < adg->npes; pe++)
    room += adg->pes[pe].is_temporal ? adg->pes[pe].num_instruction : 1;
  double full = room > 0 ? dfg->nnodes / room : 0;
  return (u64)((double)cycles * (1 + full * full));
}

static void bound_cycles(Variant *c, const Programs *programs, const Adg *adg,
                         const MapCover *cover, const u64 *tokens, LeastRoutes *routes) {
  const Program *p = c->program;
  EarliestRun own = {0};
  bool is_kept = p->run.dfg;
  if (!is_kept) record_run(programs, p, &own);
  const EarliestRun *run = is_kept ? &p->run : &own;
  u64 in_turn;
  c->least = mapping_least_cycles(c->dfg, adg, cover, tokens, run, routes, &in_turn);
  c->promise = crowded(run->is_partial ? c->least + in_turn : c->least, c->dfg, adg);
  earliest_free(&own);
}

static void bound(Variant *c, const Programs *programs, Program *p, const Adg *adg,
                  LeastRoutes *routes) {
  Context *ctx = programs->call->ctx;
  bool is_first = p == programs->at[0];
  MapCover *cover = NULL;
  *c = (Variant){.program = p};
  if (p->dfg) c->dfg = graph_for_fabric(ctx, p->module, programs->function, adg, &c->graph);
  if (!c->dfg || (!is_first && c->dfg->nnodes > NODES_A_PE * adg->npes)) return;
  cover = mapping_cover(ctx, c->dfg, adg, NULL);
  c->fits =
      (cover || is_first) && mapping_count(ctx, c->dfg, adg, cover) && count_tokens(programs, p);
  if (c->fits) {
    u64 *tokens = tokens_of(p, c->dfg);
    bound_cycles(c, programs, adg, cover, tokens, routes);
    if (programs->is_timed)
      c->time =
          mapping_least_time(c->dfg, adg, cover, tokens, &p->run, routes, c->least, &c->chain);
    mem_free(tokens);
  }
  mapping_cover_free(cover);
}

static void show_progress(const Programs *programs, const Variants *variants, u64 cycles) {
  if (!programs->shows) return;
  fprintf(stderr, "\r  loops    %u tried", variants->n);
  if (variants->mapped) fprintf(stderr, ", %u mapped", variants->mapped);
  if (cycles) fprintf(stderr, ", %llu cycles", (unsigned long long)cycles);
  fprintf(stderr, "\033[K");
  fflush(stderr);
}

static Variant *add_variant(Variants *variants, const Programs *programs, Program *p,
                            const Adg *adg) {
  Variant *c = &variants->at[variants->n++];
  bound(c, programs, p, adg, variants->routes);
  if (c->fits && (!variants->fits || c->least < variants->least)) variants->least = c->least;
  if (c->fits && (!variants->fits || c->time < variants->time)) variants->time = c->time;
  if (c->fits && (!variants->fits || c->chain < variants->chain)) variants->chain = c->chain;
  variants->fits |= c->fits;
  show_progress(programs, variants, 0);
  return c;
}

static Variant *variant_of(Variants *variants, const Program *p) {
  for (u32 i = 0; i < variants->n; i++)
    if (variants->at[i].program == p) return &variants->at[i];
  return NULL;
}

static bool is_interchanged(const Variant *c) {
  return c->program->choice.choices & LOWER_INTERCHANGED;
}

static bool is_taken(const Variant *c, Phase phase) {
  return phase == EXPANDING ? c->is_expanded : phase == PAIRING ? c->is_paired : c->is_tried;
}

/* The most promising variant that fits and was not yet taken in this phase, of those with
 * interchanged loops or of the others; NULL: there is none. */
static Variant *next_best(Variants *variants, Phase phase, bool interchanged) {
  Variant *best = NULL;
  for (u32 i = 0; i < variants->n; i++) {
    Variant *c = &variants->at[i];
    if (!c->fits || is_taken(c, phase) || is_interchanged(c) != interchanged) continue;
    if (!best || c->promise < best->promise ||
        (c->promise == best->promise && c->dfg->nnodes < best->dfg->nnodes))
      best = c;
  }
  return best;
}

/* Adds the variant that a step leads to. False: it does not fit; true also where the step is not
 * possible. A program that the step did not change is neither expanded nor mapped. */
static bool try_step(Variants *variants, Programs *programs, const Variant *from, u32 step,
                     bool is_half, const Adg *adg) {
  LoopChoice next = from->program->choice;
  if (!take_step(programs, step, is_half, &next)) return true;
  Program *p = program_of(programs, &next);
  Variant *c = variant_of(variants, p);
  if (c) return c->fits;
  c = add_variant(variants, programs, p, adg);
  if (is_same(p, from->program)) c->is_tried = c->is_expanded = true;
  return c->fits;
}

/* Tries all steps from a variant. Where twice as many copies do not fit, half as many again may. */
static void expand(Variants *variants, Programs *programs, Variant *from, u32 most,
                   const Adg *adg) {
  from->is_expanded = true;
  for (u32 step = 0; step < count_steps(programs) && variants->n < most; step++)
    if (!try_step(variants, programs, from, step, false, adg) && variants->n < most)
      try_step(variants, programs, from, step, true, adg);
}

/* Best-first search from a choice, of at most `more` variants. */
static void bound_from(Variants *variants, Programs *programs, const LoopChoice *start, u32 more,
                       const Adg *adg) {
  u32 most = variants->n + more;
  Variant *next = add_variant(variants, programs, program_of(programs, start), adg);
  next->is_tried = is_same(next->program, programs->at[0]);
  do expand(variants, programs, next, most, adg);
  while (variants->n < most && (next = next_best(variants, EXPANDING, is_interchanged(next))));
}

/* Adds the most promising variants once more, with nests coalesced. */
static void add_coalesced(Variants *variants, Programs *programs, const Adg *adg) {
  Variant *c, *last = NULL;
  for (u32 i = 0; i < MOST_COALESCED && (c = next_best(variants, PAIRING, false)); i++) {
    LoopChoice choice = c->program->choice;
    choice.level = programs->loops.level;
    choice.choices |= LOWER_COALESCED;
    Program *p = program_of(programs, &choice);
    c->is_paired = true;
    if (is_same(p, c->program) || (last && is_same(p, last->program))) continue;
    last = add_variant(variants, programs, p, adg);
    last->is_paired = true;
    variants->coalesced++;
  }
}

void variants_bound(Variants *variants, Programs *programs, const Adg *adg, LeastRoutes *routes) {
  *variants = (Variants){.routes = routes};
  add_variant(variants, programs, programs->at[0], adg)->is_expanded = true;
  if (!programs->loops.level) return;
  QuietScope quiet = diag_quiet(programs->call->ctx);
  bound_from(variants, programs, &programs->loops, MAX_PROGRAMS - 1, adg);
  if (!(programs->ineffective & LOWER_COALESCED)) add_coalesced(variants, programs, adg);
  LoopChoice interchanged = programs->loops;
  interchanged.choices |= LOWER_INTERCHANGED;
  if (!(programs->ineffective & LOWER_INTERCHANGED))
    bound_from(variants, programs, &interchanged, MORE_PROGRAMS, adg);
  diag_quiet_end(programs->call->ctx, &quiet);
}

/* Maps a variant and simulates the case: its cycles; 0: it does not map, or takes more than `most`
 * (0: no limit). */
static void measure(Variant *c, const Programs *programs, const Layout *layout, MapOptions options,
                    u64 most) {
  Context *ctx = programs->call->ctx;
  c->is_tried = true;
  c->mapping = NULL;
  if (!c->fits) return;
  u64 *tokens;
  (void)tokens_in_case(programs->call, c->dfg, programs->input, &tokens); /* NULL: unknown */
  options.tokens = tokens;
  c->mapping = mapping_graph(ctx, c->dfg, layout, &options);
  mem_free(tokens);
  if (c->mapping) c->cycles = mapping_run_case(ctx, c->mapping, programs->input, most);
}

/* Maps the most promising briefly, unless they cannot be quicker than `best`. Returns the quickest;
 * the mappings of the others are freed, except that of the first variant. */
static Variant *map_most_promising(Variants *variants, const Programs *programs,
                                   const Layout *layout, const MapOptions *options, u64 most,
                                   Variant *best, bool interchanged) {
  MapOptions brief = *options;
  brief.is_brief = true;
  u32 too_many = UINT32_MAX; /* nodes: a variant with so many had no mapping */
  u32 last = variants->mapped + (interchanged ? FEW_MORE : FEW_MAPPED + variants->coalesced);
  for (Variant *c; variants->mapped < last && (c = next_best(variants, MAPPING, interchanged));) {
    c->is_tried = true;
    if ((best->cycles && c->least >= best->cycles) || c->dfg->nnodes >= too_many) continue;
    measure(c, programs, layout, brief, best->cycles ? best->cycles : most);
    Code why = (Code)programs->call->ctx->last_error;
    if (!c->mapping && (why == MAP_CUT || why == MAP_NO_WAY)) continue; /* no wires can carry it */
    variants->mapped++;
    if (!c->mapping) too_many = c->dfg->nnodes;
    bool is_better = c->cycles && (!best->cycles || c->cycles < best->cycles);
    Variant *loser = is_better ? best : c;
    if (is_better) best = c;
    if (loser != &variants->at[0]) mapping_free(loser->mapping), loser->mapping = NULL;
    show_progress(programs, variants, best->cycles);
  }
  return best;
}

/* Maps the best variant again, at length. The brief mapping is kept if it takes no more cycles. */
static void map_at_length(Variant *c, const Programs *programs, const Layout *layout,
                          const MapOptions *options) {
  Mapping *brief = c->mapping;
  u64 cycles = c->cycles;
  measure(c, programs, layout, *options, cycles);
  bool is_better = c->cycles && c->cycles < cycles;
  mapping_free(is_better ? brief : c->mapping);
  if (is_better) return;
  c->mapping = brief;
  c->cycles = cycles;
}

Variant *variants_map(Variants *variants, const Programs *programs, const Layout *layout,
                      const MapOptions *options, u64 most) {
  Variant *first = &variants->at[0], *best = first;
  measure(first, programs, layout, *options, most);
  QuietScope quiet = diag_quiet(programs->call->ctx);
  variants->mapped = 1;
  for (int interchanged = 0; interchanged < 2; interchanged++)
    best = map_most_promising(variants, programs, layout, options, most, best, interchanged);
  if (best != first) map_at_length(best, programs, layout, options);
  diag_quiet_end(programs->call->ctx, &quiet);
  return best->cycles ? best : NULL;
}

void variants_free(Variants *variants) {
  for (u32 i = 0; i < variants->n; i++) {
    Variant *c = &variants->at[i];
    mapping_free(c->mapping);
    dfg_free(c->dfg);
    module_free(c->graph);
  }
}

/* ---- all at once ----------------------------------------------------------------------------- */

static MapOptions options_of(const Call *call) {
  return (MapOptions){
      .seed = call->set.seed, .max_chain = call->set.max_comb, .max_rounds = MAP_ENOUGH_ROUNDS};
}

/* Placement depends on the seed. Where the chosen variant takes much longer than its bound, it is
 * mapped with other seeds too, and the quickest mapping is kept. */
static void other_seeds(Variant *c, const Programs *programs, const Layout *layout,
                        MapOptions options) {
  assert(c->mapping); /* its cycles were measured */
  u64 cycles = c->cycles;
  Mapping *quickest = c->mapping;
  QuietScope quiet = diag_quiet(programs->call->ctx);
  for (u32 more = 1; more <= MORE_SEEDS && cycles * 5 > c->least * 6; more++) {
    options.seed++;
    measure(c, programs, layout, options, cycles);
    bool is_better = c->cycles && c->cycles < cycles;
    mapping_free(is_better ? quickest : c->mapping);
    if (!is_better) continue;
    quickest = c->mapping;
    cycles = c->cycles;
  }
  diag_quiet_end(programs->call->ctx, &quiet);
  c->mapping = quickest;
  c->cycles = cycles;
}

static void search(Programs *programs, const MapJob *fabric, LoopChoice *choice,
                   FoundMapping *found) {
  MapOptions options = options_of(programs->call);
  Variants *variants = mem_alloc(sizeof *variants);
  LeastRoutes *routes = least_routes_new(fabric->adg);
  variants_bound(variants, programs, fabric->adg, routes);
  Variant *best = variants_map(variants, programs, fabric->layout, &options, CYCLES_ALLOWED);
  *choice = programs->at[0]->choice;
  if (best) *choice = best->program->choice;
  if (best && choice->level > 1) other_seeds(best, programs, fabric->layout, options);
  choice->before = variants->at[0].cycles;
  choice->cycles = best ? best->cycles : 0;
  choice->tried = variants->n;
  choice->mapped = variants->mapped;
  if (best && found) {
    *found = (FoundMapping){best->mapping, mapping_shape(best->dfg, fabric->layout)};
    best->mapping = NULL;
  }
  variants_free(variants);
  least_routes_free(routes);
  mem_free(variants);
}

/* Does the program of -O1 map onto the fabric, and its case end there? */
static bool takes_first(Programs *programs, const MapJob *fabric) {
  Variants *variants = mem_alloc(sizeof *variants);
  *variants = (Variants){.routes = least_routes_new(fabric->adg)};
  Variant *first = add_variant(variants, programs, programs->at[0], fabric->adg);
  MapOptions options = options_of(programs->call);
  measure(first, programs, fabric->layout, options, CYCLES_ALLOWED);
  bool takes = first->cycles > 0;
  least_routes_free(variants->routes);
  variants_free(variants);
  mem_free(variants);
  return takes;
}

int search_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *const *fabrics, LoopChoice *choice, FoundMapping *found) {
  *choice = (LoopChoice){0};
  if (call->set.optimise != 2 || !input || function_named(source, function)->kind != OP_FUNC_FUNC)
    return EXIT_GOOD;
  int status = EXIT_GOOD;
  Programs *programs = mem_alloc(sizeof *programs);
  QuietScope quiet = diag_quiet(call->ctx);
  bool is_made = programs_make(programs, call, source, function, input);
  programs->shows = isatty(STDERR_FILENO);
  diag_quiet_end(call->ctx, &quiet);
  for (; *fabrics && !status && !choice->fabric; fabrics++) {
    MapJob hardware = {.call = call, .module = source, .function = function};
    status = map_job_hardware(&hardware, *fabrics);
    quiet = diag_quiet(call->ctx);
    if (!status && is_made && (!fabrics[1] || takes_first(programs, &hardware))) {
      search(programs, &hardware, choice, found);
      choice->fabric = *fabrics;
    }
    diag_quiet_end(call->ctx, &quiet);
    map_job_free(&hardware);
  }
  if (programs->shows) fprintf(stderr, "\r\033[K");
  programs_free(programs);
  mem_free(programs);
  return status;
}

void loop_choice_apply(const LoopChoice *choice, LowerOptions *options) {
  if (!choice->level) return;
  options->level = choice->level;
  options->choices = choice->choices;
  options->copies = choice->copies;
  options->ncopies = choice->n;
}

void loop_choice_print(Context *ctx, const LoopChoice *c, Buf *out) {
  static const struct {
    u32 choice;
    const char *text;
  } others[] = {{LOWER_FUSED, "loops fused"},
                {LOWER_WINDOWS, "loaded windows reused"},
                {LOWER_SPECULATED, "ifs and whiles speculated"},
                {LOWER_PRIVATE, "sums privatised"},
                {LOWER_OVERSHOT, "whiles overshooting"},
                {LOWER_LOCALS, "local arrays scalarised"},
                {LOWER_INTERCHANGED, "loops interchanged"},
                {LOWER_COALESCED, "loop nests coalesced"}};
  const char *comma = "";
  for (u32 i = 0; i < c->n; i++) {
    bool is_interleaved = c->is_interleaved[i], has_copies = c->copies[i] > 1;
    if (!is_interleaved && !has_copies) continue;
    Place place = source_place(ctx, c->at[i]);
    buf_str(out, comma);
    if (is_interleaved)
      buf_str(out, "iterations of ");
    else
      buf_printf(out, "%u %s ", c->copies[i], c->is_while[i] ? "tests at once in" : "copies of");
    buf_printf(out, "the loop at %u:%u", place.line, place.column);
    if (is_interleaved) buf_str(out, " interleaved");
    if (is_interleaved && has_copies) buf_printf(out, " in %u slots", c->copies[i]);
    comma = ", ";
  }
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    if (!(c->choices & others[i].choice)) continue;
    buf_printf(out, "%s%s", comma, others[i].text);
    comma = ", ";
  }
  if (c->level == 1) buf_str(out, "as with -O1");
}

void loop_choice_print_search(Context *ctx, const LoopChoice *c, Buf *out) {
  loop_choice_print(ctx, c, out);
  if (c->cycles) buf_printf(out, ": %s cycles", grouped_digits(ctx, c->cycles));
  if (c->cycles && c->before && c->level != 1)
    buf_printf(out, " instead of %s", grouped_digits(ctx, c->before));
  buf_printf(out, " (%u programs tried, %u mapped)", c->tried, c->mapped);
}

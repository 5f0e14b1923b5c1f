/* optimise.c -- which loops -O2 lays side by side: a search that ends with the machine's own count.
 *
 *     as -O1 leaves it                                  198,697 cycles, on the machine
 *     4 copies of the first loop, 2 of the second          25,061
 *
 * A program says how many copies of each loop there shall be (lower/unroll_jam.c): of one loop, or of
 * one and a loop inside it; or that neighbours are fused. It is lowered and proved, and run by the token
 * simulator. All that is the same for every fabric, so an exploration does it once.
 *
 * On a fabric a program is a variant: it is counted against it; from the tokens follow the cycles that it
 * takes at the least, wherever it is placed (map/least.c): its recurrences, the channels of its memories, its
 * units. The FEW_MAPPED with the fewest, of equals the smallest, are mapped, and the machine runs the case on
 * each. What takes the fewest cycles is chosen; the program of -O1 is one of them, and none is
 * taken that is not faster. At -O0 and -O1 there is one program, and nothing to choose.
 *
 * All is bounded by counts, not by time: MAX_PROGRAMS lowered, FEW_MAPPED + 1 mapped, each in so many rounds. */
#include "driver/optimise.h"
#include "driver/mapping.h"
#include "driver/steps.h"
#include "map/stages.h"
#include "sim/token.h"

enum { FEW_MAPPED = 3, NODES_A_PE = 2 };
static const u64 max_cycles = 100000000;

typedef struct {
  Programs *programs;
  const Module *source;
  LoopChoice loops; /* which there are */
  int parent[MAX_CHOSEN];
} Maker;

/* ---- the loops -------------------------------------------------------------------------------- */

static void list_loops(Maker *k, const Region *region, int parent) {
  for_each_block (block, region)
    for_each_op (op, block) {
      int own = parent;
      if (op->kind == OP_SCF_FOR && k->loops.n < MAX_CHOSEN) {
        own = (int)k->loops.n++;
        k->parent[own] = parent;
        k->loops.at[own] = op->loc;
      }
      for (u32 r = 0; r < op->nregions; r++) list_loops(k, &op->regions[r], own);
    }
}

static bool note_loops(void *user, const Op *func, const LowerStage *stage, u32 known) {
  Maker *k = user;
  (void)known;
  if (strcmp(stage->name, "unroll") != 0) return true;
  k->loops.n = 0;
  list_loops(k, &func->regions[0], -1);
  return true;
}

/* ---- programs --------------------------------------------------------------------------------- */

static Module *copy_of(const Module *m) {
  Map made = {0};
  Module *copy = module_new(m->ctx);
  for_each_op (op, region_entry(&m->top->regions[0]))
    op_append(region_entry(&copy->top->regions[0]), op_clone(copy, op, &made));
  map_free(&made);
  return copy;
}

static void program_free(Program *p) {
  mem_free(p->tokens);
  dfg_free(p->dfg);
  module_free(p->module);
  p->tokens = NULL;
  p->dfg = NULL;
  p->module = NULL;
}

/* A graph stays as it is. */
static bool lower_program(Maker *k, Program *p) {
  Programs *all = k->programs;
  p->module = copy_of(k->source);
  LowerOptions options = call_lower_options(all->call);
  options.func = all->function;
  options.after_stage = note_loops;
  options.user = k;
  loop_choice_apply(&p->choice, &options);
  const Op *func = function_named(p->module, all->function);
  if (func->kind != OP_FUNC_FUNC || lower_module(p->module, &options))
    p->dfg = dfg_freeze(all->call->ctx, function_named(p->module, all->function));
  if (!p->dfg) program_free(p);
  return p->dfg;
}

static void add_program(Maker *k, const LoopChoice *choice) {
  Programs *all = k->programs;
  if (all->n == MAX_PROGRAMS) return;
  Program *p = &all->at[all->n++];
  *p = (Program){.choice = *choice};
  lower_program(k, p);
}

static bool is_inside(const Maker *k, int loop, int outer) {
  while (loop >= 0 && loop != outer) loop = k->parent[loop];
  return loop >= 0;
}

static void add_copies(Maker *k, const LoopChoice *loops, u32 loop, u32 copies, u32 other,
                       u32 more) {
  LoopChoice choice = *loops;
  choice.copies[loop] = copies;
  if (more) choice.copies[other] = more;
  add_program(k, &choice);
}

static void add_all(Maker *k) {
  static const u32 counts[] = {2, 4, 8};
  LoopChoice loops = k->loops; /* lowering a program lists its own */
  loops.level = 2;
  u32 n = loops.n;
  for (size_t c = 0; c < COUNT_OF(counts); c++)
    for (u32 i = 0; i < n; i++) add_copies(k, &loops, i, counts[c], 0, 0);
  if (n > 1) {
    LoopChoice fused = loops;
    fused.level = LOWER_BY_NAME;
    add_program(k, &fused);
  }
  for (u32 i = n; i-- > 0;)
    for (u32 j = i + 1; j < n; j++)
      for (u32 a = 2; is_inside(k, (int)j, (int)i) && a <= 4; a += 2)
        for (u32 b = 2; b <= 4; b += 2) add_copies(k, &loops, i, a, j, b);
}

bool programs_make(Programs *programs, Call *call, const Module *source, const char *function,
                   const Case *input) {
  *programs = (Programs){.call = call, .function = function, .input = input, .n = 1};
  Maker k = {.programs = programs, .source = source};
  Program *plain = &programs->at[0];
  bool is_searched =
      call->set.optimise == 2 && input && function_named(source, function)->kind == OP_FUNC_FUNC;
  plain->choice.level = is_searched;
  if (!lower_program(&k, plain)) return false;
  if (!is_searched) return true;
  plain->choice = k.loops;
  plain->choice.level = 1;
  QuietScope quiet = diag_quiet(call->ctx);
  add_all(&k);
  diag_quiet_end(call->ctx, &quiet);
  return true;
}

void programs_free(Programs *programs) {
  for (u32 i = 0; i < programs->n; i++) program_free(&programs->at[i]);
}

/* What each result gives, asked of the graph as it was lowered. */
static bool count_tokens(const Programs *all, Program *p) {
  Context *ctx = all->call->ctx;
  RunResult result = {.status = RUN_REFUSED};
  TokenTrace trace = {0};
  RunOptions options = call_run_options(all->call);
  TokenOptions more = {.edges = true};
  if (p->tokens) return true;
  bool good =
      p->dfg &&
      token_run_traced(ctx, p->dfg, all->input, &options, &more, &result, &trace) == RUN_FINISHED &&
      case_compare(ctx, all->input, &result, 0);
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

bool programs_run(Programs *programs) {
  if (!count_tokens(programs, &programs->at[0])) return false;
  QuietScope quiet = diag_quiet(programs->call->ctx);
  for (u32 i = 1; i < programs->n; i++) count_tokens(programs, &programs->at[i]);
  diag_quiet_end(programs->call->ctx, &quiet);
  return true;
}

/* ---- on a fabric ------------------------------------------------------------------------------ */

/* The same counts for the graph as the fabric has it: nodes have kept their names. */
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

/* Of copies a cheap look first, and what wires can carry; the first is told why it does not fit. */
static bool fits(Context *ctx, const Variant *c, const Adg *adg, const MapCover *cover,
                 bool is_first) {
  if (is_first) return mapping_count(ctx, c->dfg, adg, cover);
  return cover && mapping_count(ctx, c->dfg, adg, cover) &&
         mapping_cut(ctx, c->dfg, adg, cover, NULL, NULL);
}

static void bound(Variant *c, const Programs *all, Program *p, const Adg *adg) {
  Context *ctx = all->call->ctx;
  bool is_first = p == &all->at[0];
  MapCover *cover = NULL;
  *c = (Variant){.program = p};
  if (p->dfg) c->dfg = graph_for_fabric(ctx, p->module, all->function, adg, &c->graph);
  if (!c->dfg || (!is_first && c->dfg->nnodes > NODES_A_PE * adg->npes)) return;
  cover = mapping_cover(ctx, c->dfg, adg, NULL);
  c->fits = fits(ctx, c, adg, cover, is_first) && count_tokens(all, p);
  if (c->fits) {
    u64 *tokens = tokens_of(p, c->dfg);
    c->least = mapping_least_cycles(c->dfg, adg, cover, tokens);
    mem_free(tokens);
  }
  mapping_cover_free(cover);
}

void variants_bound(Variants *variants, Programs *programs, const Adg *adg) {
  *variants = (Variants){.n = programs->n};
  QuietScope quiet = {0};
  for (u32 i = 0; i < programs->n; i++) {
    Variant *c = &variants->at[i];
    if (i == 1) quiet = diag_quiet(programs->call->ctx);
    bound(c, programs, &programs->at[i], adg);
    if (c->fits && (!variants->fits || c->least < variants->least)) variants->least = c->least;
    variants->fits |= c->fits;
  }
  if (programs->n > 1) diag_quiet_end(programs->call->ctx, &quiet);
}

/* Its cycles, as the machine counts them; 0: it does not map, or takes more. */
static void measure(Variant *c, const Programs *all, const Layout *layout,
                    const MapOptions *options, u64 most) {
  Context *ctx = all->call->ctx;
  c->is_tried = true;
  if (c->fits) c->mapping = mapping_graph(ctx, c->dfg, layout, options);
  if (c->mapping) c->cycles = mapping_run_case(ctx, c->mapping, all->input, most);
}

/* The most promising of those that were not mapped. */
static Variant *next_best(Variants *all) {
  Variant *best = NULL;
  for (u32 i = 0; i < all->n; i++) {
    Variant *c = &all->at[i];
    if (!c->fits || c->is_tried) continue;
    if (!best || c->least < best->least ||
        (c->least == best->least && c->dfg->nnodes < best->dfg->nnodes))
      best = c;
  }
  return best;
}

Variant *variants_map(Variants *variants, const Programs *programs, const Layout *layout,
                      const MapOptions *options, u64 most) {
  Context *ctx = programs->call->ctx;
  Variant *best = &variants->at[0];
  measure(best, programs, layout, options, most);
  QuietScope quiet = diag_quiet(ctx);
  variants->mapped = 1;
  for (Variant *c; variants->mapped <= FEW_MAPPED && (c = next_best(variants));
       variants->mapped++) {
    if (best->cycles && c->least >= best->cycles) break;
    measure(c, programs, layout, options, best->cycles ? best->cycles : most);
    bool is_better = c->cycles && (!best->cycles || c->cycles < best->cycles);
    Variant *loser = is_better ? best : c;
    if (is_better) best = c;
    mapping_free(loser->mapping);
    loser->mapping = NULL;
  }
  diag_quiet_end(ctx, &quiet);
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

/* ---- all at once ------------------------------------------------------------------------------ */

static void search(Programs *programs, const MapJob *fabric, LoopChoice *choice) {
  const Settings *set = &programs->call->set;
  MapOptions options = {
      .seed = set->seed, .max_chain = set->max_comb, .max_rounds = MAP_ENOUGH_ROUNDS};
  Variants *all = mem_alloc(sizeof *all);
  variants_bound(all, programs, fabric->adg);
  const Variant *best = variants_map(all, programs, fabric->layout, &options, max_cycles);
  *choice = programs->at[0].choice;
  if (best) *choice = best->program->choice;
  choice->before = all->at[0].cycles;
  choice->cycles = best ? best->cycles : 0;
  choice->tried = programs->n;
  choice->mapped = all->mapped;
  variants_free(all);
  mem_free(all);
}

int search_loops(Call *call, const Module *source, const char *function, const Case *input,
                 const char *fabric, LoopChoice *choice) {
  *choice = (LoopChoice){0};
  if (call->set.optimise != 2 || !input || function_named(source, function)->kind != OP_FUNC_FUNC)
    return EXIT_GOOD;
  MapJob hardware = {.call = call, .module = source, .function = function};
  int status = map_job_hardware(&hardware, fabric);
  Programs *programs = mem_alloc(sizeof *programs);
  if (!status) {
    QuietScope quiet = diag_quiet(call->ctx);
    if (programs_make(programs, call, source, function, input)) search(programs, &hardware, choice);
    diag_quiet_end(call->ctx, &quiet);
  }
  programs_free(programs);
  mem_free(programs);
  map_job_free(&hardware);
  return status;
}

void loop_choice_apply(const LoopChoice *choice, LowerOptions *options) {
  if (!choice->level) return;
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
}

void loop_choice_print_search(Context *ctx, const LoopChoice *c, Buf *out) {
  loop_choice_print(ctx, c, out);
  if (c->cycles) buf_printf(out, ": %s cycles", grouped_digits(ctx, c->cycles));
  if (c->cycles && c->before && c->level != 1)
    buf_printf(out, " instead of %s", grouped_digits(ctx, c->before));
  buf_printf(out, " (%u programs, %u mapped)", c->tried, c->mapped);
}

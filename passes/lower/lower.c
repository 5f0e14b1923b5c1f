/* lower.c -- selects the functions to lower, and has the table of the stages (passes).
 *
 *     func.func @f { scf... }  =>  handshake.func @f { dataflow..., handshake..., arith... }
 *
 * Functions are lowered one by one: the one that LowerOptions.func names, else those that are not
 * private, else all. Calls are inlined, so the other functions have no callers left and are
 * dropped; so are globals, which have become initial contents of memories. With stop_after nothing
 * is dropped, and each lowered function is left as that stage made it.
 *
 * Requires a verified module. Ensures: each lowered function is balanced, attached and ordered
 * (prove/prove.h). A proof that fails is a bug of LOOM; it is reported as an error, and the
 * lowering fails. */
#include "prove/prove.h"
#include "lower/loops.h"
#include "lower/stages.h"

/* ---- stages ---------------------------------------------------------------------------------- */

static bool run_lift(Lowering *l) {
  return lift_branches_of(l->m, l->func);
}

static bool run_inline(Lowering *l) {
  return inline_calls(l->m, l->func, l->has_calls);
}

static bool run_structure(Lowering *l) {
  return structure_regions(l->m, l->func);
}

static bool run_simplify(Lowering *l) {
  l->simplify_again = simplify_function(l->m, l->func) == MAX_ROUNDS;
  return true;
}

static bool run_raise(Lowering *l) {
  l->simplify_again |= raise_loops(l->m, l->func);
  return true;
}

/* Where a stage changed the function, simplifies it and renumbers its accesses. */
static bool run_transform(Lowering *l, bool (*transform)(Module *m, Op *func)) {
  if (!transform(l->m, l->func)) return true;
  simplify_function(l->m, l->func);
  number_accesses(l->m, l->func);
  return true;
}

static bool run_unroll_while(Lowering *l) {
  mark_copies(l->m, l->func, l->copies, l->ncopies);
  return run_transform(l, unroll_whiles);
}

/* Marks loops before it unrolls any, since LowerOptions.copies is by textual order; unroll-while,
 * which follows, then marks none. */
static bool run_unroll_locals(Lowering *l) {
  mark_copies(l->m, l->func, l->copies, l->ncopies);
  l->ncopies = 0;
  return run_transform(l, unroll_for_locals);
}

static bool run_divide(Lowering *l) {
  l->simplify_again |= divide_by_literals(l->m, l->func);
  return true;
}

static bool run_views(Lowering *l) {
  if (!linearise_views(l->m, l->func, &l->simplify_again)) return false;
  return !l->simplify_again || run_simplify(l);
}

/* Simplifying may remove a guard with a constant condition together with its loop; a while around
 * them may then have the shape of a counted loop, which needs a guard too. */
static bool run_guard(Lowering *l) {
  l->simplify_again |= guard_loops(l->m, l->func);
  if (l->simplify_again && simplify_function(l->m, l->func)) guard_loops(l->m, l->func);
  return true;
}

static bool run_dataflow(Lowering *l) {
  Op *graph = build_dataflow(l->m, l->func, l->serial);
  if (!graph) return false;
  l->source = l->func;
  l->func = graph;
  return true;
}

static bool run_clean(Lowering *l) {
  clean_dataflow(l->m, l->func);
  return true;
}

static bool is_proved(Lowering *l, bool is_quiet) {
  QuietScope quiet = {0};
  if (is_quiet) quiet = diag_quiet(l->m->ctx);
  bool good = prove_dataflow(l->m->ctx, l->func, PROOF_LOWERED, l->report);
  if (is_quiet) diag_quiet_end(l->m->ctx, &quiet);
  return good;
}

/* Accesses overlap where depends.c has shown them independent. The order proof checks that on the
 * finished graph with rules of its own; where it fails, the graph is built again in its serial form
 * (LowerOptions.serial). */
static bool run_prove(Lowering *l) {
  if (l->serial) return is_proved(l, false);
  if (is_proved(l, true)) return true;
  op_erase(l->func);
  l->func = build_dataflow(l->m, l->source, true);
  clean_dataflow(l->m, l->func);
  return is_proved(l, false);
}

/* In the order in which they run. interchange comes after mark_copies, since marks are given by
 * textual order and then move with their loops; and before unroll-and-jam, whose copies of an outer
 * loop that has become the one with the recurrence would overlap dependent iterations.
 * scalar-replace comes after both, and undoes expand where no loops were interchanged. */
const LowerStage lower_stages[] = {
    {.name = "lift",
     .summary = "turn branches between blocks into while and if",
     .run = run_lift,
     .ensures = LOWER_LIFTED},
    {.name = "inline",
     .summary = "inline calls; number the memory accesses",
     .run = run_inline,
     .requires = LOWER_LIFTED,
     .ensures = LOWER_NO_CALLS},
    {.name = "structure",
     .summary = "turn execute_region, index_switch, parallel, forall and copy into for and if; "
                "drop asserts",
     .run = run_structure,
     .requires = LOWER_LIFTED,
     .ensures = LOWER_STRUCTURED},
    {.name = "simplify",
     .summary = "fold constants, merge equal values, remove dead ones, turn small ifs into selects",
     .run = run_simplify,
     .requires = LOWER_LIFTED,
     .breaks = LOWER_TRAPS},
    {.name = "raise",
     .summary = "turn counting while loops into for loops",
     .run = run_raise,
     .requires = LOWER_LIFTED},
    {.name = "unroll",
     .summary = "unroll short loops completely (-O1)",
     .transform = unroll_loops,
     .level = 1,
     .numbers_loops = true},
    {.name = "unroll-locals",
     .summary = "unroll loops over subscripts of small local arrays (by --pass or -O2)",
     .run = run_unroll_locals,
     .requires = LOWER_LIFTED,
     .choice = LOWER_LOCALS},
    {.name = "locals",
     .summary = "turn small local arrays with literal subscripts into values (-O1)",
     .transform = promote_locals,
     .level = 1},
    {.name = "speculate",
     .summary = "compute values of ifs and whiles before their conditions (by --pass or -O2)",
     .transform = speculate,
     .choice = LOWER_SPECULATED},
    {.name = "unroll-while",
     .summary = "unroll whiles marked loom.copies, testing several iterations at once (-O2)",
     .run = run_unroll_while,
     .requires = LOWER_LIFTED,
     .level = 2},
    {.name = "overshoot",
     .summary = "let a while run on for some iterations after its exit (by --pass or -O2)",
     .transform = overshoot_whiles,
     .choice = LOWER_OVERSHOT},
    {.name = "expand",
     .summary = "accumulate a sum in the memory element that it is stored to (by --pass or -O2)",
     .transform = expand_sums,
     .choice = LOWER_INTERCHANGED},
    {.name = "fission",
     .summary = "split a loop into two, each with a part of its body (by --pass or -O2)",
     .transform = split_loops,
     .choice = LOWER_INTERCHANGED},
    {.name = "interchange",
     .summary = "interchange two loops, to move a recurrence outwards (by --pass or -O2)",
     .transform = interchange_loops,
     .choice = LOWER_INTERCHANGED},
    {.name = "interleave",
     .summary = "interleave iterations of a loop in the while inside it (by --pass or -O2)",
     .transform = interleave_loops,
     .choice = LOWER_INTERLEAVED},
    {.name = "unroll-and-jam",
     .summary = "run iterations of loops marked loom.copies side by side (-O2)",
     .transform = unroll_jam,
     .level = 2},
    {.name = "privatise",
     .summary = "give sums scattered over a memory private copies of it (by --pass or -O2)",
     .transform = privatise,
     .choice = LOWER_PRIVATE},
    {.name = "fuse",
     .summary = "fuse loops over the same range (by --pass or -O2)",
     .transform = fuse_loops,
     .choice = LOWER_FUSED},
    {.name = "scalar-replace",
     .summary = "keep an element with a loop-invariant address in a value (-O1)",
     .transform = scalar_replace,
     .level = 1},
    {.name = "reuse",
     .summary = "pass stored values to the next iteration instead of loading them (-O1)",
     .transform = reuse_stored,
     .level = 1},
    {.name = "window",
     .summary = "pass loaded values to the next iteration (by --pass or -O2)",
     .transform = reuse_loaded,
     .choice = LOWER_WINDOWS},
    {.name = "coalesce",
     .summary = "coalesce a short loop with the loop around it (by --pass or -O2)",
     .transform = coalesce_loops,
     .choice = LOWER_COALESCED},
    {.name = "divide",
     .summary = "turn divisions by literals into products, shifts or comparisons (-O1)",
     .run = run_divide,
     .requires = LOWER_LIFTED,
     .level = 1},
    {.name = "views",
     .summary = "turn accesses through views into element numbers of the root memory",
     .run = run_views,
     .requires = LOWER_NO_CALLS | LOWER_STRUCTURED,
     .ensures = LOWER_LINEAR,
     .never_alone = true},
    {.name = "guard",
     .summary = "wrap loops that may run zero times in `if (lb < ub)`",
     .run = run_guard,
     .requires = LOWER_LIFTED,
     .ensures = LOWER_GUARDED},
    {.name = "dataflow",
     .summary = "turn regions into streams, and memory order into ctrl and done tokens",
     .run = run_dataflow,
     .requires = LOWER_NO_CALLS | LOWER_STRUCTURED | LOWER_LINEAR | LOWER_GUARDED,
     .ensures = LOWER_GRAPH,
     .never_alone = true},
    {.name = "clean",
     .summary = "merge equal nodes, remove unused ones",
     .run = run_clean,
     .requires = LOWER_GRAPH,
     .ensures = LOWER_CLEAN},
    {.name = "prove",
     .summary = "prove balance, attachment and order; else fall back to serial order",
     .run = run_prove,
     .requires = LOWER_GRAPH | LOWER_CLEAN,
     .ensures = LOWER_PROVED,
     .never_alone = true},
};
const size_t lower_stage_count = COUNT_OF(lower_stages);

const LowerStage *lower_stage_find(const char *name, size_t len) {
  for (size_t i = 0; i < lower_stage_count; i++)
    if (strlen(lower_stages[i].name) == len && memcmp(lower_stages[i].name, name, len) == 0)
      return &lower_stages[i];
  return NULL;
}

static u32 requirements(const LowerStage *stage) {
  return stage->transform ? LOWER_LIFTED : stage->requires;
}

static bool run_stage(Lowering *l, const LowerStage *stage) {
  return stage->run ? stage->run(l) : run_transform(l, stage->transform);
}

static bool run_stages(Lowering *l, const LowerOptions *options) {
  u32 known = LOWER_TRAPS;
  for (size_t i = 0; i < lower_stage_count; i++) {
    const LowerStage *stage = &lower_stages[i];
    assert((known & requirements(stage)) == requirements(stage));
    bool is_wanted =
        stage->choice ? options->choices & stage->choice : stage->level <= options->level;
    if (!is_wanted && stage != options->stop_after) continue;
    if (!run_stage(l, stage)) return false;
    known = (known | stage->ensures) & ~stage->breaks;
    if (!(known & LOWER_GRAPH) && options->after_stage &&
        !options->after_stage(options->user, l->func, stage, known))
      return false;
    if (stage == options->stop_after) break;
  }
  return true;
}

static bool lower_function(Module *m, Op *func, bool has_calls, const LowerOptions *options) {
  Lowering l = {.m = m,
                .func = func,
                .serial = options->serial,
                .copies = options->copies,
                .ncopies = options->ncopies,
                .has_calls = has_calls,
                .report = options->report};
  bool good = run_stages(&l, options);
  if (l.source) op_erase(l.source);
  return good;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_named(const Op *func, const char *name) {
  return strcmp(op_attr_text(func, "sym_name"), name) == 0;
}

static bool is_private(const Op *func) {
  const char *visibility = op_attr_text(func, "sym_visibility");
  return visibility && strcmp(visibility, "private") == 0;
}

/* Erases functions that were not lowered, and globals: nothing refers to them any more. */
static void drop_leftovers(Module *m) {
  Block *body = region_entry(&m->top->regions[0]);
  for_each_op_safe (op, body)
    if (op->kind == OP_FUNC_FUNC || op->kind == OP_MEMREF_GLOBAL) op_erase(op);
}

static bool is_call(const Op *op) {
  return op->kind == OP_FUNC_CALL;
}

bool lower_module(Module *m, const LowerOptions *options) {
  Block *body = region_entry(&m->top->regions[0]);
  Vec(Op *) funcs = {0};
  bool has_others = false;
  for_each_op (op, body) {
    if (op->kind != OP_FUNC_FUNC || !op->regions[0].first) continue;
    bool is_wanted = options->func ? is_named(op, options->func) : !is_private(op);
    if (is_wanted)
      vec_push(&funcs, op);
    else
      has_others = true;
  }
  if (!funcs.len && !options->func && has_others)
    for_each_op (op, body)
      if (op->kind == OP_FUNC_FUNC && op->regions[0].first) vec_push(&funcs, op);
  bool good = true;
  /* Inlining needs the callees as they were read, so where there are calls each function is lowered
   * as a copy. Copies are appended, so that symbol_find still finds the originals. */
  bool calls = has_op(&m->top->regions[0], is_call);
  for (size_t i = 0; i < funcs.len; i++) {
    Op *func = funcs.at[i];
    if (calls) {
      Map map = {0};
      func = op_clone(m, func, &map);
      map_free(&map);
    } else {
      op_unlink(func);
    }
    op_append(body, func);
    good = lower_function(m, func, calls, options) && good;
  }
  for (size_t i = 0; i < funcs.len && calls; i++) op_erase(funcs.at[i]);
  if (good && !options->stop_after) drop_leftovers(m);
  vec_free(&funcs);
  return good;
}

/* ---- single stages -------------------------------------------------------------------------- */

static bool is_lifted(const Region *region) {
  if (region->first && region->first->next) return false;
  for_each_block (block, region)
    for_each_op (op, block)
      for (u32 r = 0; r < op->nregions; r++)
        if (!is_lifted(&op->regions[r])) return false;
  return true;
}

bool lower_pass(Module *m, const LowerStage *stage) {
  OpKind kind = requirements(stage) & LOWER_GRAPH ? OP_HANDSHAKE_FUNC : OP_FUNC_FUNC;
  bool good = true;
  for_each_op (op, region_entry(&m->top->regions[0])) {
    if (op->kind != kind || !op->nregions || !op->regions[0].first) continue;
    Lowering l = {.m = m, .func = op, .has_calls = true};
    if (!(requirements(stage) & LOWER_LIFTED) || is_lifted(&op->regions[0])) {
      good = run_stage(&l, stage) && good;
      continue;
    }
    diag(m->ctx, op->loc, COMP_LOWER_CFG, "@%s is unchanged: it has several blocks",
         op_attr_text(op, "sym_name"));
    diag_hint(m->ctx, "use --pass=lift,%s to lift its branches first", stage->name);
    good = false;
  }
  return good;
}

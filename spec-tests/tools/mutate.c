/* mutate.c -- breaks proved graphs in every small way and asks whether the proofs notice.
 *
 *     mutate golden/(kernel folders)       the default: a sample a kernel, some seconds
 *     mutate --count 2000 golden/fft       more of one kernel
 *     mutate --list golden/dot             also names the mutants that are another program
 *     mutate --blind golden/dot            runs them all, whatever the proofs say: what there is to
 *                                          be caught
 *     mutate --jit golden/dot              runs them all as machine code, and asks whether that
 *                                          does what the graph does (mutate_native.c)
 *
 * Each kernel is lowered in both memory orders. The graph as it is must be proved, and run clean.
 * Then, one at a time, each of these is done to it and undone again:
 *
 *     raw/gated swap     one use of a loop's raw continue bit becomes its gated condition, or the
 *                        other way round; the same with raw and gated index
 *     gate dropped       all users of a gate take what the gate takes
 *     guard dropped      the comparison around a loop that may run zero times is always true
 *     control rewired    one operand of type none comes from another edge of type none
 *     condition rewired  one operand of type i1 from another i1
 *     data rewired       one other operand from another edge of its type (a random sample)
 *
 * A mutant that a proof rejects is dealt with. One that all three accept is run, in the usual
 * order of firing and in two random ones, and may be
 *
 *     the same           results, memories and the histories of accesses are those of the graph
 *     another program    it ends clean and gives the same in all three orders, only not what the
 *                        graph gave: a value was rewired to another one of its domain. The proofs
 *                        are not about values. Allowed where the operand is data; counted, and
 *                        listed with --list. (A trap, or a loop that does not end any more, is
 *                        another program too.)
 *     bad                tokens are left, it deadlocks, orders disagree (a race), or control was
 *                        rewired and the outcome differs. The proofs should have said no.
 *
 * A kernel's accepted mutants are run until --firings are spent on it; what is not run is counted.
 * The last line is `N passed, N failed`: graphs and mutants that are as they should be, and bad
 * ones.
 */
#include "mutate_native.h"
#include "subjects.h"

#include "dfg/dfg.h"
#include "prove/prove.h"
#include "run/token.h"
#include "text/text.h"

typedef enum { SWAP_CONDITION, SWAP_INDEX, DROP_GATE, DROP_GUARD, CONTROL, CONDITION, DATA } Kind;
enum { KINDS = DATA + 1, MAX_EDITS = 4096 };

static const char *const kind_names[KINDS] = {"raw/gated condition swapped",
                                              "raw/gated index swapped",
                                              "gate dropped",
                                              "guard dropped",
                                              "control rewired",
                                              "condition rewired",
                                              "data rewired"};

typedef struct {
  u64 seed, count, firings;
  bool list, blind, jit;
} Settings;

typedef struct {
  u64 mutants, balance, attachment, order, same, other, unrun, bad;
} Tally;

typedef struct {
  Kind kind;
  Op *op;
  u32 operand; /* of a rewiring or swap */
  Value *to;
} Mutant;

typedef struct {
  Op *op;
  u32 operand;
  Value *old;
} Edit;

/* One graph, and what it does unharmed. */
typedef struct {
  const Settings *settings;
  Tally *tallies;
  Context *ctx;
  Module *module;
  Op *func;
  const char *name, *order;
  Kernel kernel;
  RunResult expected;
  u64 spent; /* firings */
  Random random;
  Edit edits[MAX_EDITS];
  u32 nedits;
  const Attr *predicate; /* of a dropped guard, to be put back */
} Victim;

/* ---- doing and undoing ---------------------------------------------------------------------- */

static void edit(Victim *s, Op *op, u32 operand, Value *to) {
  if (s->nedits == MAX_EDITS) return;
  s->edits[s->nedits++] = (Edit){op, operand, op_operand(op, operand)};
  op_set_operand(op, operand, to);
}

static void redirect(Victim *s, Value *from, Value *to) {
  while (from->uses && s->nedits < MAX_EDITS) edit(s, from->uses->owner, use_index(from->uses), to);
}

static void apply(Victim *s, const Mutant *m) {
  switch (m->kind) {
  case DROP_GATE:
    redirect(s, op_result(m->op, 0), op_operand(m->op, 0));
    redirect(s, op_result(m->op, 1), op_operand(m->op, 1));
    break;
  case DROP_GUARD: /* a == a */
    s->predicate = op_attr(m->op, "predicate");
    op_set_attr(s->module, m->op, "predicate", attr_int(s->ctx, 0, type_int(s->ctx, 64, SIGNLESS)));
    edit(s, m->op, 1, op_operand(m->op, 0));
    break;
  default: edit(s, m->op, m->operand, m->to); break;
  }
}

static void undo(Victim *s, const Mutant *m) {
  while (s->nedits) {
    Edit *e = &s->edits[--s->nedits];
    op_set_operand(e->op, e->operand, e->old);
  }
  if (m->kind == DROP_GUARD) op_set_attr(s->module, m->op, "predicate", s->predicate);
}

static void describe(const Victim *s, const Mutant *m, const char *what) {
  Buf text = {0};
  const Value *old = s->edits[0].old;
  Place place = source_place(s->ctx, m->op->loc);
  buf_printf(&text, "%s %s: %s: %s at line %u", s->name, s->order, kind_names[m->kind],
             op_name(m->op), place.line);
  if (m->kind != DROP_GATE && m->kind != DROP_GUARD)
    buf_printf(&text, ", operand %u: %s -> %s", m->operand, old->name ? old->name->text : "?",
               m->to->name ? m->to->name->text : "?");
  printf("%s: %s\n", what, text.data);
  buf_free(&text);
}

/* ---- judging -------------------------------------------------------------------------------- */

static RunStatus run(Victim *s, const Dfg *dfg, u64 schedule, RunResult *result) {
  RunOptions options = run_options();
  TokenOptions more = {.schedule_seed = schedule, .max_queued = 1 << 20};
  options.max_steps = s->expected.steps ? 3 * s->expected.steps + 1000 : (u64)1 << 32;
  RunStatus status = token_run_traced(s->ctx, dfg, s->kernel.input, &options, &more, result, NULL);
  s->spent += result->steps;
  return status;
}

typedef enum { SAME, OTHER, BAD } Outcome;

/* Runs an accepted mutant in three orders; *why says what is wrong with a bad one. */
static Outcome run_mutant(Victim *s, const char **why) {
  Dfg *dfg = dfg_freeze(s->ctx, s->func);
  RunResult results[3] = {{.steps = 0}};
  RunStatus status[3];
  Outcome outcome = SAME;
  *why = "it cannot be frozen";
  if (!dfg) return BAD;
  for (int i = 0; i < 3 && outcome != BAD; i++) {
    status[i] = run(s, dfg, i ? random_next(&s->random) | 1 : 0, &results[i]);
    if (status[i] == RUN_LEFTOVER || status[i] == RUN_DEADLOCK) {
      *why = status[i] == RUN_LEFTOVER ? "it leaves tokens" : "it deadlocks";
      outcome = BAD;
    } else if (status[i] != RUN_FINISHED) {
      outcome = OTHER; /* a trap or a limit: no use running it again */
      break;
    } else if (!run_compare(s->ctx, "graph", &s->expected, "mutant", &results[i])) {
      outcome = OTHER;
    }
    if (i && outcome != BAD && !run_compare(s->ctx, "first", &results[0], "other", &results[i])) {
      *why = "it races";
      outcome = BAD;
    }
  }
  for (int i = 0; i < 3; i++) run_result_free(&results[i]);
  dfg_free(dfg);
  return outcome;
}

/* A mutant that should not be, and with --list its graph. */
static void complain(Victim *s, const Mutant *m, const char *why) {
  describe(s, m, "BAD");
  printf("     %s\n", why);
  if (!s->settings->list) return;
  Buf text = {0};
  text_print(s->module, (PrintOptions){0}, &text);
  fputs(text.data, stdout);
  buf_free(&text);
}

static void judge_code(Victim *s, const Mutant *m) {
  bool races;
  apply(s, m);
  const char *why = native_disagrees(s->ctx, s->func, s->kernel.input, s->random.state, &races);
  passed += !why;
  failed += why != NULL;
  if (why) complain(s, m, why);
  undo(s, m);
}

static void judge(Victim *s, const Mutant *m) {
  if (s->settings->jit) {
    judge_code(s, m);
    return;
  }
  Tally *t = &s->tallies[m->kind];
  ProofReport report;
  const char *why = "control was rewired, and it gives something else";
  apply(s, m);
  t->mutants++;
  passed++;
  bool proved = prove_dataflow(s->ctx, s->func, PROOF_LOWERED, &report);
  if (!proved && !s->settings->blind) {
    if (!report.balanced)
      t->balance++;
    else if (!report.attached)
      t->attachment++;
    else
      t->order++;
  } else if (s->spent > s->settings->firings) {
    t->unrun++;
  } else {
    Outcome outcome = run_mutant(s, &why);
    if (outcome == OTHER && m->kind != DATA && m->kind != CONDITION) outcome = BAD;
    if (outcome == SAME)
      t->same++;
    else if (outcome == OTHER)
      t->other++;
    else
      t->bad++;
    if (outcome == BAD) {
      passed--;
      failed++;
      complain(s, m, why);
    } else if (outcome == OTHER && s->settings->list) {
      describe(s, m, "another program");
    }
  }
  undo(s, m);
}

/* ---- finding mutants ------------------------------------------------------------------------ */

static Block *body_of(const Victim *s) {
  return region_entry(&s->func->regions[0]);
}

static void swap_uses(Victim *s, Kind kind, Value *from, Value *to, const Op *gate) {
  Vec(Mutant) found = {0};
  for_each_use (use, from)
    if (use->owner != gate) vec_push(&found, ((Mutant){kind, use->owner, use_index(use), to}));
  for (size_t i = 0; i < found.len; i++) judge(s, &found.at[i]);
  vec_free(&found);
}

static bool splits(const Value *condition) {
  for_each_use (use, condition)
    if (use->owner->kind == OP_HANDSHAKE_COND_BR && use_index(use) == 0) return true;
  return false;
}

static void mutate_structure(Victim *s) {
  for_each_op (op, body_of(s)) {
    if (op->kind == OP_DATAFLOW_GATE) {
      Value *raw_index = op_operand(op, 0), *raw = op_operand(op, 1);
      swap_uses(s, SWAP_INDEX, raw_index, op_result(op, 0), op);
      swap_uses(s, SWAP_INDEX, op_result(op, 0), raw_index, op);
      swap_uses(s, SWAP_CONDITION, raw, op_result(op, 1), op);
      swap_uses(s, SWAP_CONDITION, op_result(op, 1), raw, op);
      judge(s, &(Mutant){.kind = DROP_GATE, .op = op});
    } else if (op->kind == OP_ARITH_CMPI && op_result(op, 0)->name &&
               strncmp(op_result(op, 0)->name->text, "runs", 4) == 0 && splits(op_result(op, 0))) {
      judge(s, &(Mutant){.kind = DROP_GUARD, .op = op});
    }
  }
}

static Kind rewiring_kind(const Type *type) {
  return type->kind == TYPE_NONE ? CONTROL : type_is_i1(type) ? CONDITION : DATA;
}

/* Every other edge of the type for every operand: all of them, or a sample of `count` a kind. */
static void rewire(Victim *s) {
  Vec(Value *) values = {0};
  Vec(Mutant) all[KINDS] = {0};
  for (u32 i = 0; i < body_of(s)->nargs; i++) vec_push(&values, body_of(s)->args[i]);
  for_each_op (op, body_of(s))
    for (u32 r = 0; r < op->nresults; r++) vec_push(&values, op_result(op, r));
  for_each_op (op, body_of(s))
    for (u32 i = 0; i < op->noperands; i++) {
      Value *old = op_operand(op, i);
      if (type_is_memref(old->type)) continue;
      for (size_t v = 0; v < values.len; v++)
        if (values.at[v] != old && values.at[v]->type == old->type)
          vec_push(&all[rewiring_kind(old->type)],
                   ((Mutant){rewiring_kind(old->type), op, i, values.at[v]}));
    }
  for (int kind = CONTROL; kind < KINDS; kind++) {
    size_t n = all[kind].len;
    for (size_t i = 0; i < n && i < s->settings->count; i++) {
      size_t k = i + random_next(&s->random) % (n - i); /* a random one of the rest */
      Mutant m = all[kind].at[k];
      all[kind].at[k] = all[kind].at[i];
      all[kind].at[i] = m;
      judge(s, &m);
    }
    vec_free(&all[kind]);
  }
  vec_free(&values);
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static bool prepare(Victim *s, bool serial) {
  LowerOptions options = {.serial = serial};
  if (!kernel_read(s->ctx, s->name, &s->kernel)) return false;
  if (!subject_make_graph(&s->kernel.subject, &options)) return false;
  s->module = s->kernel.subject.module;
  s->func = subject_function(&s->kernel.subject);
  bool clean = run(s, s->kernel.subject.dfg, 0, &s->expected) == RUN_FINISHED;
  s->spent = 0;
  return clean;
}

static void mutate_kernel(const Settings *settings, Tally *tallies, const char *dir, bool serial) {
  Victim *s = mem_alloc(sizeof *s);
  *s = (Victim){.settings = settings,
                .tallies = tallies,
                .ctx = context_new(),
                .name = dir,
                .order = serial ? "serial" : "auto",
                .random = {settings->seed}};
  if (check(prepare(s, serial), "%s %s: the graph as it is was not lowered, proved and run clean",
            dir, s->order)) {
    s->ctx->err = NULL; /* from here on errors are what we want */
    mutate_structure(s);
    rewire(s);
  }
  run_result_free(&s->expected);
  kernel_free(&s->kernel);
  context_free(s->ctx);
  mem_free(s);
}

static void print_table(const Tally *tallies) {
  printf("%-28s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "", "rejected", "by", "", "accepted", "",
         "", "");
  printf("%-28s %8s %8s %8s %8s %8s %8s %8s %8s\n", "mutation", "mutants", "balance", "attach",
         "order", "same", "other", "not run", "bad");
  for (int k = 0; k < KINDS; k++) {
    const Tally *t = &tallies[k];
    printf("%-28s %8lu %8lu %8lu %8lu %8lu %8lu %8lu %8lu\n", kind_names[k],
           (unsigned long)t->mutants, (unsigned long)t->balance, (unsigned long)t->attachment,
           (unsigned long)t->order, (unsigned long)t->same, (unsigned long)t->other,
           (unsigned long)t->unrun, (unsigned long)t->bad);
  }
}

int main(int argc, char **argv) {
  Settings s = {.seed = 1, .count = 100, .firings = 1000000};
  Tally tallies[KINDS] = {{0}};
  int n =
      tool_options(argc, argv,
                   TOOL_OPTIONS(TOOL_FLAG("--list", s.list), TOOL_FLAG("--blind", s.blind),
                                TOOL_FLAG("--jit", s.jit), TOOL_NUMBER("--count", s.count),
                                TOOL_NUMBER("--seed", s.seed), TOOL_NUMBER("--firings", s.firings)),
                   "mutate [--count N] [--seed S] [--firings N] [--jit] [--list] [--blind] DIR...");
  for (int i = 1; i < n; i++) {
    size_t len = strlen(argv[i]);
    if (len > 1 && argv[i][len - 1] == '/') argv[i][len - 1] = 0;
    for (int serial = 0; serial < 2; serial++) mutate_kernel(&s, tallies, argv[i], serial);
  }
  if (!s.jit) print_table(tallies);
  return checks_end();
}

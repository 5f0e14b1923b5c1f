/* golden_mutate.c -- is an operation that generated code gets wrong named by its edge?
 *
 *     golden-mutate [--seed N] [--every M] DIR...      golden folders
 *
 * The C text of a golden kernel is changed in one place at a time: where it makes the value of a
 * pure operation, a load, a stream, a carry or a mux.
 *
 *     const uint32_t y = i * i;        const uint32_t y = i + i;        another operation
 *     const uint32_t y = i * i;        const uint32_t y = (i * i) ^ 1;  another result
 *     sum = t;                         sum = (t) ^ 1;                   what a carry goes on with
 *
 * What comes of it is compiled (by libtcc, as --engine jit does; one in M also by the C compiler,
 * as --engine cc does) and run, and its histories are held to golden.trace as `loom golden check`
 * does it: it names the edge of the token that differs first in time from those of the token
 * simulator, and that must be one of that result. That works only where the code
 * stores the tokens of every result itself, so that is asked of its text, too.
 *
 * A mutant may be the same program on this case: `a | b` is `a + b` where they have no bit in
 * common. Whether it is, is not read off a list: the interpreter evaluates the other operation on
 * all operands that the token simulator saw. Where that gives the same tokens, the histories must
 * be the golden ones, and where not, they must not.
 *
 * A mutant may trap or never end, which fails the check, too, but names no edge. Where all mutants
 * of a place do, its result is changed in one iteration only: the last, the first, or one in
 * between. That leaves few results (the size of an array that is filled to its last element) of
 * which every change stops the run; they are counted.
 *
 * Code that stores the tokens of accesses alone, as `loom run` has it, is asked the same: it must
 * store the addresses and values of each load and store, and where one is changed the history of
 * that access must differ.
 *
 * A mutant may also write where it should not, since code leaves out checks that cannot fail. So
 * each runs in a process of its own. Prints "N passed, M failed", and before that how many there
 * were of each kind.
 */
#include "hand_kernel.h"
#include "golden/check.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
  HandKernel kernel;
  GoldenTrial good; /* on the token simulator, every token kept */
  Golden file;
  NativeShape shape;
  Buf text;
  const char *access; /* the line that must differ: "load.3"; NULL: edges are compared */
} Victim;

/* What is said of a mutant. */
typedef enum { NAMED, THE_SAME, ANOTHER, STOPPED, VERDICTS } Verdict;
static const char *const verdict_names[VERDICTS] = {
    "named by its edge", "the same on this case", "named by another edge",
    "stopped, by a trap, a signal or too many iterations"};

/* An expression in the text, which makes the value of a result. */
typedef struct {
  u32 result;
  const char *name; /* of the variable */
  size_t at, len;
  u32 lines;   /* that set the variable, */
  u32 changes; /* but for the one that declares it */
} Site;

static u32 counts[VERDICTS], by_compiler, places, stopping;
static u64 seed = 1, every = 10;

/* ---- the text -------------------------------------------------------------------------------- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* What is stored in a buffer: from `name;` of `loom_history->r12[loom_n4] = name;` on. NULL: nothing. */
static const char *stored_in(const Victim *s, const char *buffer) {
  const size_t len = strlen(buffer);
  for (const char *at = s->text.data; (at = strstr(at, buffer)); at++) {
    const char *end = at[len] == '[' ? strchr(at, ']') : NULL;
    if (end && strncmp(end, "] = ", 4) == 0) return end + 4;
  }
  return NULL;
}

/* The same of the buffer that is handed over as the tokens of a result:
 * `run->tokens(run, 14u, loom_history->r12, n);`, where a literal's is that of another. */
static const char *record_of(const Victim *s, u32 result) {
  const char *call = str_printf(s->kernel.ctx, "tokens(run, %uu, ", result)->text;
  const char *at = strstr(s->text.data, call);
  if (!at) return NULL;
  at += strlen(call);
  return stored_in(s, str_printf(s->kernel.ctx, "%.*s", (int)strcspn(at, ","), at)->text);
}

/* The variable in it; a float's NaNs may be made canonical. NULL: it is a literal. */
static const char *name_of(const Victim *s, u32 result) {
  const char *at = record_of(s, result);
  size_t len = 0;
  if (at && strncmp(at, "LOOM_CANONICAL_", 15) == 0) at = strchr(at, '(') + 1;
  while (at && is_word(at[len])) len++;
  if (!at || *at <= '9' || (at[len] != ';' && at[len] != ')')) return NULL;
  return str_printf(s->kernel.ctx, "%.*s", (int)len, at)->text;
}

/* The last line that sets a variable. False where there is none. */
static bool find_place(const Buf *text, const char *name, Site *place) {
  size_t len = strlen(name);
  const char *at = strstr(text->data, "static int loom_loops(");
  bool found = false;
  place->name = name;
  place->lines = place->changes = 0;
  while ((at = strstr(at + 1, name))) {
    if (is_word(at[-1]) || at[-1] != ' ' || strncmp(at + len, " = ", 3) != 0) continue;
    const char *line = at, *expression = at + len + 3;
    while (line[-1] != '\n') line--;
    line += strspn(line, " ");
    const char *end = strstr(expression, ";\n");
    if (strncmp(line, "if ", 3) == 0 || strncmp(line, "loom_history", 12) == 0 || !end) continue;
    place->lines++;
    place->changes += line == at;
    place->at = (size_t)(expression - text->data);
    place->len = (size_t)(end - expression);
    found = true;
  }
  return found;
}

/* ---- places ---------------------------------------------------------------------------------- */

static const History *tokens_of(const Victim *s, u32 result) {
  return &s->good.run.trace.results[result];
}

static const DfgType *type_of(const Victim *s, u32 result) {
  const Dfg *dfg = s->kernel.dfg;
  return &dfg->types[dfg->results[result].type];
}

static u32 operand_result(const Victim *s, const DfgNode *node, u32 i) {
  const Dfg *dfg = s->kernel.dfg;
  return dfg->edges[dfg->operands[node->first_operand + i]].result;
}

/* An integer that is only called another type: there is nothing to be done in C. */
static bool is_renaming(const Victim *s, const DfgNode *node) {
  bool casts = node->kind == OP_ARITH_INDEX_CAST || node->kind == OP_ARITH_INDEX_CASTUI ||
               node->kind == OP_INDEX_CASTS || node->kind == OP_INDEX_CASTU;
  return casts &&
         type_of(s, node->first_result)->bits == type_of(s, operand_result(s, node, 0))->bits;
}

/* True of a result whose value the code makes, rather than passes on. */
static bool is_made(const Victim *s, u32 result) {
  const DfgNode *node = &s->kernel.dfg->nodes[s->kernel.dfg->results[result].node];
  if (!s->kernel.dfg->results[result].nedges) return false;
  switch ((FireClass)node->fire) {
  case FIRE_PURE: return !is_renaming(s, node);
  case FIRE_MEMORY:
  case FIRE_EXTMEMORY:
  case FIRE_STREAM:
  case FIRE_CARRY:
  case FIRE_MUX: return true;
  default: return false;
  }
}

/* How often its place is come to: of the state of a loop, in each iteration, whose token is that of
 * the next test; what it starts with comes from elsewhere. */
static u64 times_made(const Victim *s, u32 result) {
  const DfgNode *node = &s->kernel.dfg->nodes[s->kernel.dfg->results[result].node];
  u64 starts = 0;
  if (node->fire == FIRE_CARRY || (node->fire == FIRE_STREAM && result == node->first_result))
    starts = tokens_of(s, operand_result(s, node, node->fire == FIRE_CARRY))->count;
  return tokens_of(s, result)->count - starts;
}

/* ---- one mutant ------------------------------------------------------------------------------ */

static Verdict judge(const Victim *s, const Site *place, GoldenTrial *bad) {
  const HandKernel *k = &s->kernel;
  GoldenDifference d;
  golden_take_edges(k->ctx, k->dfg, bad->run.trace.results, &bad->golden);
  if (!golden_first_difference(k->dfg, bad, &s->file, true, &d)) return THE_SAME;
  golden_find_cause(k->ctx, k->dfg, k->input, bad, &s->good, &bad->golden, &s->file, &d);
  return d.ours && k->dfg->edges[d.ours->id].result == place->result ? NAMED : ANOTHER;
}

static Verdict judge_access(const Victim *s, GoldenTrial *bad) {
  golden_take(s->kernel.ctx, &bad->run.result, &bad->golden);
  const GoldenLine *ours = golden_find(&bad->golden.observable, s->access);
  const GoldenLine *file = golden_find(&s->file.observable, s->access);
  bool same = ours && file && ours->count == file->count && ours->hash.low == file->hash.low &&
              ours->hash.high == file->hash.high;
  return same ? THE_SAME : NAMED;
}

static Verdict run_mutant(const Victim *s, const Site *place, const Buf *text, bool by_cc) {
  const HandKernel *k = &s->kernel;
  Compiled code;
  GoldenTrial bad = {.run = {.name = "mutant", .ran = true}};
  RunOptions options = run_options();
  NativeOptions more = {.edges = !s->access, .keep = true};
  options.max_steps = 4 * s->good.run.result.steps + 100000;
  if (!native_compile(k->ctx, by_cc ? NATIVE_CC : NATIVE_JIT, text, NULL, &code)) return ANOTHER;
  KernelEnd end = kernel_run(k->ctx, k->dfg, code.info, k->input, &options, &more, &bad.run.result,
                             &bad.run.trace);
  if (end.status != RUN_FINISHED) return STOPPED;
  return s->access ? judge_access(s, &bad) : judge(s, place, &bad);
}

typedef struct {
  const Victim *victim;
  const Site *place;
  const Buf *text;
  bool by_cc;
} Attempt;

enum { FIRST = 64 }; /* no exit of a sanitizer */

static int run_attempt(void *attempt) {
  const Attempt *a = attempt;
  _exit(FIRST + (int)run_mutant(a->victim, a->place, a->text, a->by_cc));
}

/* The same in a process of its own. */
static Verdict try_mutant(const Victim *s, const Site *place, const Buf *text, bool by_cc) {
  int code = run_apart(run_attempt, &(Attempt){s, place, text, by_cc}, NULL) - FIRST;
  return code >= 0 && code < VERDICTS ? (Verdict)code : STOPPED;
}

static bool is_drawn(const Victim *s, const Site *place, const char *what) {
  const char *key = str_printf(s->kernel.ctx, "%s %u %s", s->kernel.dir, place->result, what)->text;
  return every && hash_bytes(key, strlen(key), seed) % every == 0;
}

static void fail(const Victim *s, const Site *place, const char *what, const char *why) {
  check(false, "%s: %%%s, %s: %s", s->kernel.dir,
        dfg_text(s->kernel.dfg, s->kernel.dfg->results[place->result].name), what, why);
}

/* `is_same`: the interpreter says that no token changes. */
static Verdict check_mutant(const Victim *s, const Site *place, const char *what, const Buf *text,
                            bool is_same) {
  Verdict verdict = try_mutant(s, place, text, false);
  counts[verdict]++;
  if (verdict == ANOTHER || (verdict == THE_SAME) != (is_same && verdict != STOPPED))
    fail(s, place, what,
         verdict == ANOTHER ? verdict_names[ANOTHER]
         : is_same          ? "tokens differ that should be the same"
                            : "nobody noticed");
  else
    passed++;
  if (verdict == STOPPED || !is_drawn(s, place, what)) return verdict;
  by_compiler++;
  Verdict other = try_mutant(s, place, text, true);
  if (other != verdict)
    fail(s, place, what, "the C compiler's code is told otherwise");
  else
    passed++;
  return verdict;
}

/* ---- another operation ----------------------------------------------------------------------- */

/* Of the same types, and neither traps. */
static const OpKind swaps[][2] = {
    {OP_ARITH_ADDI, OP_ARITH_SUBI},         {OP_ARITH_SUBI, OP_ARITH_ADDI},
    {OP_ARITH_MULI, OP_ARITH_ADDI},         {OP_ARITH_ANDI, OP_ARITH_ORI},
    {OP_ARITH_ORI, OP_ARITH_ADDI},          {OP_ARITH_XORI, OP_ARITH_ORI},
    {OP_ARITH_SHLI, OP_ARITH_SHRUI},        {OP_ARITH_SHRUI, OP_ARITH_SHRSI},
    {OP_ARITH_SHRSI, OP_ARITH_SHRUI},       {OP_ARITH_MINSI, OP_ARITH_MAXSI},
    {OP_ARITH_MAXSI, OP_ARITH_MINSI},       {OP_ARITH_MINUI, OP_ARITH_MAXUI},
    {OP_ARITH_MAXUI, OP_ARITH_MINUI},       {OP_ARITH_EXTSI, OP_ARITH_EXTUI},
    {OP_ARITH_EXTUI, OP_ARITH_EXTSI},       {OP_ARITH_ADDF, OP_ARITH_SUBF},
    {OP_ARITH_SUBF, OP_ARITH_ADDF},         {OP_ARITH_MULF, OP_ARITH_ADDF},
    {OP_ARITH_DIVF, OP_ARITH_MULF},         {OP_ARITH_MAXIMUMF, OP_ARITH_MINIMUMF},
    {OP_ARITH_MINIMUMF, OP_ARITH_MAXIMUMF}, {OP_ARITH_SITOFP, OP_ARITH_UITOFP},
    {OP_ARITH_CMPI, OP_ARITH_CMPI},         {OP_ARITH_CMPF, OP_ARITH_CMPF},
};

/* eq ne slt sle sgt sge ult ule ugt uge: with or without equality, or the opposite. */
static const u8 other_integer[] = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8};
/* false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true */
static const u8 other_float[] = {15, 6, 3, 2, 5, 4, 1, 14, 13, 10, 9, 12, 11, 8, 7, 0};

/* The node as another operation. False where there is none for it. */
static bool swap(const Victim *s, DfgNode *node, EvalOp *eval) {
  const Type *operands[EVAL_MAX_OPERANDS];
  size_t i = 0;
  while (i < COUNT_OF(swaps) && swaps[i][0] != (OpKind)node->kind) i++;
  if (i == COUNT_OF(swaps)) return false;
  node->kind = (u16)swaps[i][1];
  if (node->kind == OP_ARITH_CMPI || node->kind == OP_ARITH_CMPF) {
    node->predicate = (node->kind == OP_ARITH_CMPI ? other_integer : other_float)[node->predicate];
    return eval_set_predicate(eval, (OpKind)node->kind, node->predicate);
  }
  for (u32 o = 0; o < node->noperands; o++)
    operands[o] = type_of(s, operand_result(s, node, o))->ir;
  return eval_prepare(s->kernel.ctx, (OpKind)node->kind, NULL, operands,
                      type_of(s, node->first_result)->ir, eval);
}

/* Whether it gives the tokens of the result on all operands there were. */
static bool gives_same(const Victim *s, const DfgNode *node, const EvalOp *eval) {
  const History *result = tokens_of(s, node->first_result);
  for (size_t t = 0; t < result->kept.len; t++) {
    u64 in[EVAL_MAX_OPERANDS] = {0}, out[EVAL_MAX_RESULTS] = {0};
    for (u32 o = 0; o < node->noperands; o++)
      in[o] = tokens_of(s, operand_result(s, node, o))->kept.at[t];
    eval_run(eval, in, out);
    if (out[0] != result->kept.at[t]) return false;
  }
  return true;
}

static bool is_same_line(const char *x, const char *y) {
  size_t n = strcspn(x, "\n");
  return n == strcspn(y, "\n") && memcmp(x, y, n) == 0;
}

static const char *next_line(const char *at) {
  at += strcspn(at, "\n");
  return *at ? at + 1 : at;
}

/* Are the lines of x, in their order, among those of y? */
static bool are_among(const char *x, const char *y) {
  for (; *x && *y; y = next_line(y))
    if (is_same_line(x, y)) x = next_line(x);
  return !*x;
}

/* `a` with one line of its function as it is in `b`: the first that differs. False where there is more to it than
 * checks that one of the two can do without, as it knows how large a number is. */
static bool put_other_line(const Buf *a, const Buf *b, Buf *out) {
  const char *x = strstr(a->data, "static int loom_loops("),
             *y = strstr(b->data, "static int loom_loops(");
  while (*x && is_same_line(x, y)) x = next_line(x), y = next_line(y);
  const char *behind_x = next_line(x), *behind_y = next_line(y);
  buf_put(out, a->data, (size_t)(x - a->data));
  buf_put(out, y, (size_t)(behind_y - y));
  buf_str(out, behind_x);
  return are_among(behind_x, behind_y) || are_among(behind_y, behind_x);
}

/* False where there is no other operation. */
static bool try_swap(const Victim *s, const Site *place, Verdict *verdict) {
  const Dfg *dfg = s->kernel.dfg;
  const u32 id = dfg->results[place->result].node;
  if (dfg->nodes[id].fire != FIRE_PURE || dfg->nodes[id].nresults != 1) return false;
  DfgNode *nodes = arena_copy(s->kernel.ctx->arena, dfg->nodes, dfg->nnodes * sizeof *nodes);
  EvalOp *evals = arena_copy(s->kernel.ctx->arena, dfg->evals, dfg->nevals * sizeof *evals);
  Dfg other = *dfg;
  other.nodes = nodes;
  other.evals = evals;
  if (!swap(s, &nodes[id], &evals[nodes[id].eval])) return false;
  Buf whole = {0}, text = {0};
  if (native_text(s->kernel.ctx, &other, s->kernel.domains, s->shape, &whole) != EXIT_GOOD ||
      !put_other_line(&s->text, &whole, &text)) {
    fail(s, place, "another operation", "it is more than one line of C");
    *verdict = ANOTHER;
  } else {
    *verdict = check_mutant(s, place, "another operation", &text,
                            gives_same(s, &nodes[id], &evals[nodes[id].eval]));
  }
  buf_free(&whole);
  buf_free(&text);
  return true;
}

/* ---- another result -------------------------------------------------------------------------- */

static bool is_float(const DfgType *type) {
  return type->kind == TYPE_FLOAT && type->bits >= 32; /* others are their bits */
}

static bool is_nan(const DfgType *type, u64 bits) {
  return is_float(type) &&
         (type->bits == 32 ? (bits & 0x7fffffff) > 0x7f800000 : (bits << 1) > (u64)0x7ff << 53);
}

/* Whether no token changes where the last bit (of a float the sign) is flipped. */
static bool flips_nothing(const Victim *s, u32 result) {
  const History *h = tokens_of(s, result);
  if (times_made(s, result) == 0) return true;
  for (size_t t = 0; t < h->kept.len; t++)
    if (!is_nan(type_of(s, result), h->kept.at[t])) return false;
  return true;
}

/* `when`: in which iteration, from 1; 0: in all. */
static Verdict try_flip(const Victim *s, const Site *place, u64 when) {
  static const char counter[] = "static uint64_t loom_flips;\n";
  const char *function = strstr(s->text.data, "static int loom_loops(");
  const size_t head = (size_t)(function - s->text.data);
  const bool of_float = is_float(type_of(s, place->result));
  Buf text = {0};
  buf_put(&text, s->text.data, head);
  buf_str(&text, counter);
  buf_put(&text, s->text.data + head, place->at - head);
  buf_str(&text, of_float ? "((" : "(");
  buf_put(&text, s->text.data + place->at, place->len);
  buf_printf(
      &text, of_float ? ") * (%s ? -1 : 1))" : ") ^ (%s)",
      when ? str_printf(s->kernel.ctx, "++loom_flips == %lluu", (unsigned long long)when)->text
           : "1");
  buf_str(&text, s->text.data + place->at + place->len);
  Verdict verdict = check_mutant(s, place, when ? "another result, once" : "another result", &text,
                                 flips_nothing(s, place->result));
  buf_free(&text);
  return verdict;
}

/* One that ends is named, or the interpreter says that it is the same program; there must be one.
 */
static void try_place(const Victim *s, const Site *place) {
  const u64 n = times_made(s, place->result);
  const u64 once[] = {n, n - 1, 1, n / 2, n / 3, n - n / 3};
  Verdict first = STOPPED, second = try_flip(s, place, 0);
  bool ended =
      try_swap(s, place, &first) ? first != STOPPED || second != STOPPED : second != STOPPED;
  for (size_t i = 0; i < COUNT_OF(once) && !ended && n; i++)
    if (once[i] && once[i] <= n) ended = try_flip(s, place, once[i]) != STOPPED;
  places++;
  stopping += !ended;
}

static void try_result(const Victim *s, u32 r) {
  Site place = {.result = r};
  if (!type_of(s, r)->bits || !tokens_of(s, r)->count) return;
  if (!record_of(s, r)) {
    fail(s, &place, "as it is", "the code does not store its tokens");
    return;
  }
  const char *name = is_made(s, r) ? name_of(s, r) : NULL;
  if (!name) return;
  if (!find_place(&s->text, name, &place)) {
    fail(s, &place, "as it is", "no line of the code makes it");
    return;
  }
  bool is_mux = s->kernel.dfg->nodes[s->kernel.dfg->results[r].node].fire == FIRE_MUX;
  if (!is_mux || place.changes < 2) try_place(s, &place); /* else an if/else, which only moves */
}

/* ---- accesses alone -------------------------------------------------------------------------- */

/* One part of an access: the tokens of a result. */
static void try_part(const Victim *s, u32 result) {
  Site place = {.result = result};
  if (!record_of(s, result)) {
    fail(s, &place, s->access, "the code does not store it");
    return;
  }
  const char *name = name_of(s, result);
  if (name && find_place(&s->text, name, &place) && place.lines == 1) try_flip(s, &place, 0);
  passed++;
}

/* The value and the addresses at port `p` of a memory, stores first. */
static void try_port(const Victim *s, const DfgMemory *m, u32 p) {
  const Dfg *dfg = s->kernel.dfg;
  const DfgNode *node = &dfg->nodes[m->node];
  bool is_store = p < m->nstores;
  u32 of_store = 1 + m->naddresses; /* operands: value and addresses of stores, then addresses */
  u32 first =
      is_store ? p * of_store + 1 : m->nstores * of_store + (p - m->nstores) * m->naddresses;
  try_part(s, is_store ? operand_result(s, node, first - 1) : node->first_result + p - m->nstores);
  for (u32 i = 0; i < m->naddresses; i++) try_part(s, operand_result(s, node, first + i));
}

static void try_accesses(const Victim *edges) {
  const HandKernel *k = &edges->kernel;
  Victim s = *edges;
  s.shape.accesses = true;
  s.text = (Buf){0};
  if (native_text(k->ctx, k->dfg, k->domains, s.shape, &s.text) != EXIT_GOOD) exit(EXIT_FAILURE);
  for (u32 m = 0; m < k->dfg->nmemories; m++)
    for (u32 p = 0; p < k->dfg->memories[m].nstores + k->dfg->memories[m].nloads; p++) {
      u32 user = k->dfg->ports[k->dfg->memories[m].first_port + p];
      u32 access = user == DFG_NONE ? DFG_NONE : k->dfg->nodes[user].access;
      s.access =
          str_printf(k->ctx, "%s.%u", p < k->dfg->memories[m].nstores ? "store" : "load", access)
              ->text;
      if (access != DFG_NONE && golden_find(&s.file.observable, s.access))
        try_port(&s, &k->dfg->memories[m], p);
    }
  buf_free(&s.text);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool run_good(Victim *s) {
  HandKernel *k = &s->kernel;
  TrialOptions options = {.run = run_options(), .edges = true};
  options.run.keep = true;
  return golden_read(k->ctx, path_in(k->dir, "golden.trace"), &s->file) &&
         trial_run(&k->kernel.subject, ON_DFG, &options, &s->good.run) == RUN_FINISHED;
}

static void try_folder(const char *dir) {
  Victim s = {.shape = {.histories = true, .fuel = true}};
  if (hand_kernel_read(dir, &s.kernel) && s.kernel.domains && run_good(&s) &&
      native_text(s.kernel.ctx, s.kernel.dfg, s.kernel.domains, s.shape, &s.text) == EXIT_GOOD) {
    Site none = {.result = DFG_NONE};
    u64 before = passed + failed;
    s.kernel.ctx->err = NULL;
    if (try_mutant(&s, &none, &s.text, false) != THE_SAME)
      check(false, "%s: the code as it is differs from the trace", dir);
    for (u32 r = 0; r < s.kernel.dfg->nresults; r++) try_result(&s, r);
    try_accesses(&s);
    if (passed + failed == before) check(false, "%s: no operation was found", dir);
  } else {
    check(false, "%s: not read, proved and run", dir);
  }
  golden_free(&s.file);
  golden_free(&s.good.golden);
  trial_free(&s.good.run);
  buf_free(&s.text);
  hand_kernel_free(&s.kernel);
}

int main(int argc, char **argv) {
  mem_init();
  int n = tool_options(argc, argv,
                       TOOL_OPTIONS(TOOL_NUMBER("--seed", seed), TOOL_NUMBER("--every", every)),
                       "golden-mutate [--seed S] [--every N] DIR...");
  for (int i = 1; i < n; i++) try_folder(argv[i]);
  for (int v = 0; v < VERDICTS; v++) printf("%6u %s\n", counts[v], verdict_names[v]);
  printf("%6u by the C compiler too (--seed %llu)\n", by_compiler, (unsigned long long)seed);
  printf("%6u results; of %u every mutant stops\n", places, stopping);
  return checks_end();
}

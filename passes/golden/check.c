/* check.c -- runs a golden folder on every engine and compares the histories with its file.
 *
 *     kernel.mlir ─┬─ ref ────────────────────────────┐ observable
 *                  └─ lower, prove, freeze ─┬─ dfg ───┤
 *                                           ├─ jit ───┤ observable and edges ── golden.trace
 *                                           └─ cc ────┘
 *
 * All engines run first and record only counts and hashes. Then the first difference of each engine
 * in each section is reported, equal ones once with all their engines, and the others are only
 * counted: one wrong token makes everything after it wrong, too. In the observable section the
 * first one is that of the lowest access number; among the edges it is one whose producer received
 * the tokens of the file. In a loop, where all edges depend on each other, that does not find the
 * cause. So the engine that differs and, if there is one, an engine that agrees with the file run
 * again with every token kept (tokens.c), and the edge whose token differs first in time is
 * reported.
 *
 * Blessing does not trust a single run: the case's expected values must result, and ref and dfg
 * must agree in everything observable. Then it renews the edges; a change of the observable
 * section, which no change of lowering can cause, needs --observable.
 */
#include "golden/check.h"

#include "text/text.h"
#include "verify/verify.h"

#include <unistd.h>

/* A folder being checked or blessed. */
typedef struct {
  Context *ctx;
  const char *dir;
  const GoldenOptions *options;
  const Source *source;
  Case *input;
  const char *trace_path;
  Subject graph; /* of the kernel */
  Golden file;
  GoldenTrial trials[ENGINES];
} Folder;

/* ---- reading --------------------------------------------------------------------------------- */

static const char *path_in(const Folder *f, const char *name) {
  size_t len = strlen(f->dir);
  const char *slash = len && f->dir[len - 1] == '/' ? "" : "/";
  return str_printf(f->ctx, "%s%s%s", f->dir, slash, name)->text;
}

/* Parses and verifies the kernel; the caller frees. NULL after diagnostics. */
static Module *read_kernel(const Folder *f) {
  Module *module = text_parse(f->ctx, f->source);
  if (module && verify_module(module)) return module;
  module_free(module);
  return NULL;
}

/* Whether the kernel is a graph already, which ref cannot run. */
static bool is_graph(const Folder *f) {
  return !f->graph.is_lowered;
}

static bool make_graph(Folder *f) {
  if (!subject_make_graph(&f->graph, NULL)) return false;
  if (f->graph.dfg->is_determinate) return true;
  diag(f->ctx, f->graph.dfg->loc, RT_GOLDEN_FOLDER,
       "the graph has a merge: its histories depend on the schedule, so there is no golden trace");
  return false;
}

static bool open_folder(Folder *f) {
  Context *ctx = f->ctx;
  f->trace_path = path_in(f, "golden.trace");
  f->source = source_read(ctx, path_in(f, "kernel.mlir"));
  f->input = f->source ? case_read(ctx, path_in(f, "case.json")) : NULL;
  if (!f->input) return false;
  if (!f->input->function) {
    diag(ctx, f->input->loc, RT_GOLDEN_FOLDER, "the case must name the \"function\" to run");
    return false;
  }
  f->graph = (Subject){.ctx = ctx, .function = f->input->function, .input = f->input};
  f->graph.module = read_kernel(f);
  if (!f->graph.module) return false;
  if (subject_function(&f->graph)) return make_graph(f);
  diag(ctx, f->input->loc, RT_CASE_FUNCTION, "there is no function @%s in %s",
       f->input->function->text, f->source->name);
  return false;
}

/* ---- running --------------------------------------------------------------------------------- */

static void close_trial(GoldenTrial *trial) {
  trial_free(&trial->run);
  golden_free(&trial->golden);
}

static void close_folder(Folder *f) {
  for (int e = 0; e < ENGINES; e++) close_trial(&f->trials[e]);
  golden_free(&f->file);
  subject_free(&f->graph);
  module_free(f->graph.module);
  case_free(f->input);
}

/* cc runs only on request: a machine may have no compiler. */
static bool is_wanted(const Folder *f, EngineId engine) {
  const char *name = f->options->engine;
  if (engine == ON_REF && is_graph(f)) return false;
  if (!name) return engine != ON_CC;
  return strcmp(name, "all") == 0 || strcmp(name, engine_names[engine]) == 0;
}

/* Runs one engine; `keep`: with every token. False after diagnostics, and where it did not run. */
static bool run_engine(Folder *f, EngineId engine, bool keep, GoldenTrial *trial) {
  TrialOptions options = {.run = run_options(), .edges = true, .if_able = !f->options->engine};
  Subject source = f->graph;
  options.run.keep = keep;
  *trial = (GoldenTrial){0};
  if (engine != ON_REF) return trial_run(&f->graph, engine, &options, &trial->run) == RUN_FINISHED;
  source.module = read_kernel(f); /* the graph's module has been lowered */
  if (!source.module) return false;
  trial_run(&source, ON_REF, &options, &trial->run);
  module_free(source.module);
  return trial->run.result.status == RUN_FINISHED;
}

/* Runs an engine, takes the lines of its run, and checks the expected values of the case. A run
 * that did not finish has no lines. */
static bool try_engine(Folder *f, EngineId engine) {
  GoldenTrial *trial = &f->trials[engine];
  if (!run_engine(f, engine, false, trial)) {
    bool was_skipped = !trial->run.ran;
    trial->run.ran = false;
    return was_skipped;
  }
  golden_take(f->ctx, &trial->run.result, &trial->golden);
  if (trial->run.trace.results)
    golden_take_edges(f->ctx, f->graph.dfg, trial->run.trace.results, &trial->golden);
  return case_compare(f->ctx, f->input, &trial->run.result, f->options->ulp);
}

/* ---- the first difference -------------------------------------------------------------------- */

static bool same_line(const GoldenLine *a, const GoldenLine *b) {
  if (!a || !b) return a == b;
  return strcmp(a->name, b->name) == 0 && golden_same(a, b);
}

/* What the order of differing edges depends on. */
typedef struct {
  u32 *positions; /* by node: its position in the graph's topological order */
  bool *differs;  /* by edge */
} EdgeRanks;

/* Whether the producer of an edge received other tokens than in the file. */
static bool is_consequence(const EdgeRanks *ranks, const Dfg *dfg, u32 edge) {
  u32 from = dfg_from(dfg, edge);
  for (u32 i = 0; i < dfg->nodes[from].noperands; i++)
    if (ranks->differs[dfg_operand(dfg, from, i)]) return true;
  return false;
}

/* The rank of a line in its section; less is earlier. Edges: first those that are no consequence of
 * others, then by the topological position of the producer, then by id. */
static u64 rank_of(const EdgeRanks *ranks, const Dfg *dfg, const GoldenLine *line, bool is_edge) {
  if (is_edge)
    return (u64)is_consequence(ranks, dfg, line->id) << 62 |
           (u64)ranks->positions[dfg_from(dfg, line->id)] << 30 | (line->id & ((1u << 30) - 1));
  u64 kind = strncmp(line->name, "memory.", 7) == 0   ? 1
             : strncmp(line->name, "result.", 7) == 0 ? 2
                                                      : 0;
  return kind << 32 | line->id;
}

static void ranks_make(EdgeRanks *ranks, const Dfg *dfg, const GoldenLines *a,
                       const GoldenLines *b) {
  const GoldenLine *ours, *theirs;
  size_t i = 0, j = 0;
  ranks->positions = mem_alloc(mem_size((size_t)dfg->nnodes + 1, sizeof *ranks->positions));
  ranks->differs = mem_alloc(mem_size((size_t)dfg->nedges + 1, sizeof *ranks->differs));
  for (u32 n = 0; n < dfg->nnodes; n++) ranks->positions[dfg->order[n]] = n;
  while (golden_next_difference(a, &i, b, &j, &ours, &theirs))
    if (ours) ranks->differs[ours->id] = true;
}

bool golden_first_difference(const Dfg *dfg, const GoldenTrial *trial, const Golden *file,
                             bool edges, GoldenDifference *out) {
  const GoldenLines *a = edges ? &trial->golden.edges : &trial->golden.observable;
  const GoldenLines *b = edges ? &file->edges : &file->observable;
  const GoldenLine *ours, *theirs;
  EdgeRanks ranks = {0};
  if (edges) ranks_make(&ranks, dfg, a, b);
  *out = (GoldenDifference){.is_edge = edges};
  u64 best = UINT64_MAX;
  size_t n = 0, i = 0, j = 0;
  while (golden_next_difference(a, &i, b, &j, &ours, &theirs)) {
    u64 rank = ours ? rank_of(&ranks, dfg, ours, edges) : 0;
    if (!ours || !theirs) rank = UINT64_MAX - 1; /* a name that only one side has */
    if (rank < best) {
      best = rank;
      *out = (GoldenDifference){.ours = ours, .file = theirs, .is_edge = edges};
    }
    n++;
  }
  mem_free(ranks.positions);
  mem_free(ranks.differs);
  out->more = n ? n - 1 : 0;
  return n > 0;
}

void golden_find_cause(Context *ctx, const Dfg *dfg, const Case *input, const GoldenTrial *kept,
                       const GoldenTrial *right, const Golden *ours, const Golden *file,
                       GoldenDifference *d) {
  u32 r;
  u64 token;
  if (!d->is_edge || !d->ours || !golden_earliest_token(ctx, dfg, input, kept, right, &r, &token))
    return;
  const DfgResult *result = &dfg->results[r];
  if (dfg->edges[d->ours->id].result == r || !result->nedges) return;
  const char *name = dfg_text(dfg, dfg->edges[result->first_edge].name);
  const GoldenLine *line = golden_find(&ours->edges, name);
  const GoldenLine *wanted = golden_find(&file->edges, name);
  if (!line || !wanted || same_line(line, wanted)) return;
  d->ours = line;
  d->file = wanted;
}

/* ---- the report ------------------------------------------------------------------------------ */

static const GoldenLines *section(const Golden *golden, bool edges) {
  return edges ? &golden->edges : &golden->observable;
}

/* Whether a trial has this line (NULL: has no line called `name`). */
static bool has_line(const GoldenTrial *trial, bool edges, const GoldenLine *line,
                     const char *name) {
  if (!trial->run.ran || (edges && !trial->run.trace.results)) return false; /* ref has no edges */
  return same_line(golden_find(section(&trial->golden, edges), name), line);
}

/* "dfg", "ref and dfg", "ref, dfg and jit": the trials that have the line. */
static void engines_with(const Folder *f, const GoldenDifference *d, const char *name, Buf *buf) {
  u32 n = 0, k = 0;
  for (int e = 0; e < ENGINES; e++) n += has_line(&f->trials[e], d->is_edge, d->ours, name);
  for (int e = 0; e < ENGINES; e++) {
    if (!has_line(&f->trials[e], d->is_edge, d->ours, name)) continue;
    buf_printf(buf, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", engine_names[e]);
    k++;
  }
}

/* Names the subject of a line: "edge 'sum'", "load.3". */
static void subject(const GoldenDifference *d, const char *name, Buf *buf) {
  buf_printf(buf, d->is_edge ? "edge '%s'" : "%s", name);
}

static void headline(const Folder *f, const GoldenDifference *d, const char *name) {
  const GoldenLine *ours = d->ours, *file = d->file;
  Code code = d->is_edge ? RT_GOLDEN_EDGE : RT_GOLDEN_OBSERVABLE;
  Loc loc = file ? file->loc : LOC_NONE;
  Buf label = {0}, engines = {0};
  subject(d, name, &label);
  engines_with(f, d, name, &engines);
  if (!file)
    diag(f->ctx, loc, code, "%s has %llu token%s on %s, but is not in %s", label.data,
         (unsigned long long)ours->count, plural(ours->count), engines.data, f->trace_path);
  else if (!ours)
    diag(f->ctx, loc, code, "%s is in the file, but not on %s", label.data, engines.data);
  else if (strcmp(ours->type, file->type) != 0)
    diag(f->ctx, loc, code, "%s is of type %s on %s, but of type %s in the file", label.data,
         ours->type, engines.data, file->type);
  else if (ours->count != file->count)
    diag(f->ctx, loc, code, "%s has %llu token%s on %s, but %llu in the file", label.data,
         (unsigned long long)ours->count, plural(ours->count), engines.data,
         (unsigned long long)file->count);
  else
    diag(f->ctx, loc, code, "the tokens of %s on %s differ from those in the file (%llu in both)",
         label.data, engines.data, (unsigned long long)ours->count);
  buf_free(&label);
  buf_free(&engines);
}

/* Adds a note on the origin of the history in the program. */
static void report_place(const Folder *f, const GoldenDifference *d) {
  if (!d->ours) return;
  if (!d->is_edge) {
    if (d->ours->loc) diag_note(f->ctx, d->ours->loc, "%s is here", d->ours->name);
    return;
  }
  const DfgNode *node = &f->graph.dfg->nodes[dfg_from(f->graph.dfg, d->ours->id)];
  const DfgEdge *edge = &f->graph.dfg->edges[d->ours->id];
  const DfgNode *to = &f->graph.dfg->nodes[edge->to];
  const char *where = dfg_text(f->graph.dfg, node->loc_text);
  diag_note(f->ctx, node->loc, "the edge is from %s (%s) to operand %u of %s (%s)%s%s",
            dfg_text(f->graph.dfg, node->name), dfg_text(f->graph.dfg, node->op), edge->operand,
            dfg_text(f->graph.dfg, to->name), dfg_text(f->graph.dfg, to->op), *where ? "; " : "",
            where);
}

/* The other edges of a result carry the same tokens. If the file has our tokens for one of them,
 * the line at hand was altered in the file. */
static bool report_siblings(const Folder *f, const GoldenDifference *d) {
  const DfgResult *result = &f->graph.dfg->results[f->graph.dfg->edges[d->ours->id].result];
  for (u32 e = result->first_edge; e < result->first_edge + result->nedges; e++) {
    const char *name = dfg_text(f->graph.dfg, f->graph.dfg->edges[e].name);
    const GoldenLine *line = golden_find(&f->file.edges, name);
    if (e == d->ours->id || !line) continue;
    if (line->count != d->ours->count || line->hash.high != d->ours->hash.high ||
        line->hash.low != d->ours->hash.low)
      continue;
    diag_note(f->ctx, line->loc,
              "edge '%s' carries the same tokens, and matches the file: the other line was altered",
              name);
    return true;
  }
  return false;
}

/* Adds a note if all edges into the producer of this edge are as in the file. */
static void report_operands(const Folder *f, const GoldenDifference *d, const GoldenTrial *trial) {
  u32 id = dfg_from(f->graph.dfg, d->ours->id);
  const DfgNode *node = &f->graph.dfg->nodes[id];
  for (u32 i = 0; i < node->noperands; i++) {
    const char *name =
        dfg_text(f->graph.dfg, f->graph.dfg->edges[dfg_operand(f->graph.dfg, id, i)].name);
    const GoldenLine *ours = golden_find(&trial->golden.edges, name);
    if (!ours || !same_line(ours, golden_find(&f->file.edges, name))) return;
  }
  if (node->noperands)
    diag_note(f->ctx, LOC_NONE, "every edge into %s matches the file",
              dfg_text(f->graph.dfg, node->name));
}

/* The engine to compare with: one that agrees with the file on this line, else one that agrees
 * neither with the file nor with ours, else ENGINES. */
static EngineId witness(const Folder *f, const GoldenDifference *d, const char *name,
                        bool *agrees) {
  EngineId other = ENGINES;
  *agrees = false;
  for (int e = 0; e < ENGINES && !*agrees; e++) {
    const GoldenTrial *trial = &f->trials[e];
    if (!trial->run.ran || (d->is_edge && !trial->run.trace.results)) continue;
    *agrees = has_line(trial, d->is_edge, d->file, name);
    if (*agrees || !has_line(trial, d->is_edge, d->ours, name)) other = (EngineId)e;
  }
  return other;
}

/* An engine that differs and one to compare it with, run again with every token kept. */
typedef struct {
  GoldenTrial ours, other;
  bool agrees; /* the other one has the line of the file */
  bool ran, both_ran;
} KeptRuns;

static void keep_tokens(Folder *f, const GoldenDifference *d, EngineId engine, KeptRuns *kept) {
  const GoldenLine *line = d->ours ? d->ours : d->file;
  *kept = (KeptRuns){0};
  kept->ran = run_engine(f, engine, true, &kept->ours);
  EngineId with = witness(f, d, line->name, &kept->agrees);
  if (kept->ran && with != ENGINES && d->ours)
    kept->both_ran = run_engine(f, with, true, &kept->other);
}

/* Reports the token that differs: from another engine's run, else as far as the count and the hash
 * of the file allow. */
static void report_token(const Folder *f, const GoldenDifference *d, const KeptRuns *kept) {
  const GoldenLine *line = d->ours ? d->ours : d->file;
  Buf text = {0};
  if (kept->both_ran) {
    if (golden_first_token(f->ctx, f->graph.dfg, line, d->is_edge, &kept->ours, &kept->other,
                           &text))
      diag_note(f->ctx, LOC_NONE, "%s, which %s", text.data,
                kept->agrees ? "matches the file" : "differs from the file too");
  } else if (kept->ran && d->ours && d->file) {
    golden_compare_kept(f->ctx, f->graph.dfg, d->ours, d->file, d->is_edge, &kept->ours);
  }
  buf_free(&text);
}

/* Whether at least one engine with edges has this line, and all edges of each such engine are as in
 * the file. */
static bool edges_agree(const Folder *f, const GoldenDifference *d) {
  bool any = false;
  for (int e = 0; e < ENGINES && d->ours; e++) {
    GoldenDifference other;
    const GoldenTrial *trial = &f->trials[e];
    if (!trial->run.trace.results || !has_line(trial, d->is_edge, d->ours, d->ours->name)) continue;
    any = true;
    if (golden_first_difference(f->graph.dfg, trial, &f->file, true, &other)) return false;
  }
  return any;
}

/* Reports how much else differs. If nothing does, the file was probably altered: a wrong token
 * would change the edges after it, and accesses and results follow from edges. */
static void report_extent(const Folder *f, const GoldenDifference *d) {
  bool is_alone = d->is_edge ? d->more == 0 : edges_agree(f, d);
  if (d->more)
    diag_note(f->ctx, LOC_NONE, "%zu other line%s of that section differ%s too", d->more,
              plural(d->more), d->more == 1 ? "s" : "");
  else
    diag_note(f->ctx, LOC_NONE, "every other line of that section matches the file");
  if (!is_alone || !d->ours || !d->file) return;
  diag_note(f->ctx, LOC_NONE, "%s",
            d->is_edge ? "the values computed from it match too: either this line was altered, or "
                         "its node changed and nothing depends on it"
                       : "all edges, from which this line follows, match the file: the line was "
                         "altered, and no token differs");
}

static void report(Folder *f, GoldenDifference d, EngineId engine) {
  if (!d.ours && !d.file) return;
  KeptRuns kept;
  keep_tokens(f, &d, engine, &kept);
  if (kept.both_ran && kept.agrees)
    golden_find_cause(f->ctx, f->graph.dfg, f->input, &kept.ours, &kept.other,
                      &f->trials[engine].golden, &f->file, &d);
  headline(f, &d, (d.ours ? d.ours : d.file)->name);
  report_place(f, &d);
  report_token(f, &d, &kept);
  if (d.is_edge && d.ours && d.file && !report_siblings(f, &d))
    report_operands(f, &d, &f->trials[engine]);
  report_extent(f, &d);
  if (d.is_edge && kept.both_ran && kept.agrees)
    diag_hint(f->ctx, "engines that disagree are a bug in LOOM: please report it with %s", f->dir);
  else if (d.is_edge)
    diag_hint(
        f->ctx,
        "if the change of lowering is intended, run `loom golden bless %s` to update the edges",
        f->dir);
  close_trial(&kept.ours);
  close_trial(&kept.other);
}

/* Reports the first difference of each engine in a section, equal ones once. True if there is none.
 */
static bool compare_section(Folder *f, bool edges) {
  GoldenDifference reported[ENGINES];
  u32 nreported = 0;
  for (int e = 0; e < ENGINES; e++) {
    const GoldenTrial *trial = &f->trials[e];
    GoldenDifference d;
    if (!trial->run.ran || (edges && !trial->run.trace.results)) continue;
    if (!golden_first_difference(f->graph.dfg, trial, &f->file, edges, &d)) continue;
    bool is_new = true;
    for (u32 i = 0; i < nreported; i++)
      if (reported[i].file == d.file && same_line(reported[i].ours, d.ours)) is_new = false;
    if (!is_new) continue;
    reported[nreported++] = d;
    report(f, d, (EngineId)e);
  }
  return nreported == 0;
}

/* ---- check ----------------------------------------------------------------------------------- */

static bool width_fits(const Folder *f) {
  if (f->file.index_width == f->ctx->index_width) return true;
  diag(f->ctx, LOC_NONE, RT_GOLDEN_FOLDER,
       "%s was made with an index of %u bits, but index has %u bits now (LOOM_INDEX_WIDTH)",
       f->trace_path, f->file.index_width, f->ctx->index_width);
  return false;
}

static bool no_such_engine(const Folder *f) {
  const char *name = f->options->engine;
  if (!name || (is_graph(f) ? strcmp(name, "ref") != 0 : true)) return false;
  diag(f->ctx, f->input->loc, RT_GOLDEN_FOLDER, "ref cannot run the kernel: it is already a graph");
  return true;
}

static int report_failure(const Folder *f, int status) {
  printf("FAIL %s\n", text_shown(f->ctx, f->dir));
  fflush(stdout);
  return status;
}

static void show_pass(const Folder *f) {
  printf("PASS %s:", text_shown(f->ctx, f->dir));
  for (int e = 0; e < ENGINES; e++)
    if (f->trials[e].run.ran) printf(" %s", engine_names[e]);
  printf(" (%zu observable, %zu edges)\n", f->file.observable.len, f->file.edges.len);
}

static int check(Folder *f) {
  if (!open_folder(f)) return report_failure(f, EXIT_BAD_INPUT);
  if (access(f->trace_path, F_OK) != 0) {
    diag(f->ctx, LOC_NONE, RT_GOLDEN_FOLDER, "%s is missing", f->trace_path);
    diag_hint(f->ctx, "run `loom golden bless %s` to create it", f->dir);
    return report_failure(f, EXIT_BAD_INPUT);
  }
  if (!golden_read(f->ctx, f->trace_path, &f->file) || !width_fits(f) || no_such_engine(f))
    return report_failure(f, EXIT_BAD_INPUT);
  bool good = true;
  for (int e = 0; e < ENGINES; e++)
    if (is_wanted(f, (EngineId)e)) good = try_engine(f, (EngineId)e) && good;
  good = compare_section(f, false) && good;
  good = compare_section(f, true) && good;
  if (!good) return report_failure(f, EXIT_RUN_FAILED);
  show_pass(f);
  return EXIT_GOOD;
}

int golden_check(Context *ctx, const char *dir, const GoldenOptions *options) {
  Folder f = {.ctx = ctx, .dir = dir, .options = options};
  int status = check(&f);
  close_folder(&f);
  return status;
}

/* ---- bless ----------------------------------------------------------------------------------- */

typedef struct {
  size_t changed, added, gone;
} Changes;

static Changes changes_in(const GoldenLines *now, const GoldenLines *file) {
  Changes changes = {0};
  const GoldenLine *ours, *theirs;
  size_t i = 0, j = 0;
  while (golden_next_difference(now, &i, file, &j, &ours, &theirs)) {
    changes.changed += ours && theirs;
    changes.added += !theirs;
    changes.gone += !ours;
  }
  return changes;
}

static bool has_changes(Changes c) {
  return c.changed + c.added + c.gone > 0;
}

/* ", edges: 3 changed, 1 new, 2 gone" */
static void show_changes(const char *title, Changes c) {
  if (!has_changes(c)) return;
  const char *separator = "";
  printf(" %s:", title);
  const struct {
    size_t n;
    const char *what;
  } parts[] = {{c.changed, "changed"}, {c.added, "new"}, {c.gone, "removed"}};
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    if (!parts[i].n) continue;
    printf("%s %zu %s", separator, parts[i].n, parts[i].what);
    separator = ",";
  }
  printf(";");
}

/* The trace to write: the observable section of ref (of dfg if ref cannot run the kernel), and the
 * edges of dfg. */
static void take_sections(Folder *f, Golden *now) {
  bool from_ref = f->trials[ON_REF].run.ran;
  now->index_width = f->ctx->index_width;
  now->observable = f->trials[from_ref ? ON_REF : ON_DFG].golden.observable;
  now->edges = f->trials[ON_DFG].golden.edges;
}

static bool write_trace(const Folder *f, const Golden *now) {
  Buf text = {0};
  golden_write(now, &text);
  bool good = file_write(f->ctx, f->trace_path, text.data, text.len);
  buf_free(&text);
  return good;
}

static int refuse(Folder *f) {
  compare_section(f, false);
  diag_hint(f->ctx, "lowering cannot change this section; if the change of the kernel or its case "
                    "is intended, add --observable");
  return report_failure(f, EXIT_RUN_FAILED);
}

static int bless(Folder *f) {
  if (!open_folder(f)) return report_failure(f, EXIT_BAD_INPUT);
  bool is_new = access(f->trace_path, F_OK) != 0;
  if (!is_new && !golden_read(f->ctx, f->trace_path, &f->file)) {
    diag_hint(f->ctx, "remove the file to create it again");
    return report_failure(f, EXIT_BAD_INPUT);
  }
  if (!is_new && !width_fits(f)) return report_failure(f, EXIT_BAD_INPUT);
  for (int e = ON_REF; e <= ON_DFG; e++)
    if (is_wanted(f, (EngineId)e) && !try_engine(f, (EngineId)e))
      return report_failure(f, EXIT_RUN_FAILED);
  if (f->trials[ON_REF].run.ran &&
      !trials_agree(f->ctx, f->graph.dfg, &f->trials[ON_REF].run, &f->trials[ON_DFG].run))
    return report_failure(f, EXIT_RUN_FAILED);
  Golden now;
  take_sections(f, &now);
  Changes observable = changes_in(&now.observable, &f->file.observable);
  Changes edges = changes_in(&now.edges, &f->file.edges);
  if (!is_new && has_changes(observable) && !f->options->observable) return refuse(f);
  if (!is_new && !has_changes(observable) && !has_changes(edges)) {
    printf("%s: unchanged\n", text_shown(f->ctx, f->dir));
    return EXIT_GOOD;
  }
  if (!write_trace(f, &now)) return EXIT_FAULT;
  printf("%s:", text_shown(f->ctx, f->dir));
  show_changes("observable", observable);
  show_changes("edges", edges);
  printf(" written\n");
  return EXIT_GOOD;
}

int golden_bless(Context *ctx, const char *dir, const GoldenOptions *options) {
  Folder f = {.ctx = ctx, .dir = dir, .options = options};
  int status = bless(&f);
  close_folder(&f);
  return status;
}

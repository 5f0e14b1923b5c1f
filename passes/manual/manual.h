/* manual.h -- the manual: its chapters are tests, and its code pages are in the binary.
 *
 * spec-tests/00-index.md tells a reader how examples are written and checked; it is the contract
 * that this folder implements. `loom test` goes
 *
 *     chapter.md ─ markdown.c ─► sections ─ runner.c ─┬─ example.c   mlir blocks, in this process
 *                                                     └─ console.c   commands, in a child process
 *
 * and coverage.c lists what the sections do not show. explain.c serves the pages of the 9x
 * chapters, which spec-tests/tools/embed.c turns into a table when LOOM is built.
 */
#ifndef LOOM_MANUAL_MANUAL_H
#define LOOM_MANUAL_MANUAL_H

#include "ir/ir.h"

/* ---- chapters (markdown.c) ------------------------------------------------------------------ */

typedef enum { FENCE_MLIR, FENCE_CONSOLE, FENCE_JSON, FENCE_TEXT, FENCE_C } FenceKind;

typedef struct {
  FenceKind kind;
  u32 line;         /* of the opening fence, from 1; the content starts on the next */
  const char *file; /* file=NAME, or NULL */
  u64 size;         /* size=N: the file is padded with zeros to N bytes; 0: not given */
  const char *text; /* the content: whole lines inside the chapter's text */
  size_t len;
} Fence;

/* The text under a heading, up to the next one. Sections without a fence are not tests. */
typedef struct {
  const char *path; /* the headings above it and its own: "Loops / scf.for / Zero trips" */
  u32 line;
  u32 first, n;            /* its fences in the chapter */
  const char *skip;        /* the reason of <!-- skip: ... -->, or NULL */
  bool ref_only, dfg_only; /* <!-- engines: ref (...) --> */
  const char *prose;       /* all of the section's text, for citations */
  size_t prose_len;
} Section;

typedef struct {
  u32 line;
  const char *message;
} ChapterError;

typedef struct {
  const char *name; /* the path as given */
  const char *text;
  size_t len;
  Vec(Section) sections;
  Vec(Fence) fences;
  Vec(ChapterError) errors; /* unknown labels, unclosed fences, no example, ... */
} Chapter;

/* Splits a chapter's text; strings live in `arena`, slices in `text`. Never fails: mistakes are
 * listed in `errors`. chapter_free frees the lists. */
void chapter_read(Arena *arena, const char *name, const char *text, size_t len, Chapter *chapter);
void chapter_free(Chapter *chapter);

/* ---- commands (console.c) ------------------------------------------------------------------- */

typedef enum {
  CONSOLE_SAME,    /* the output is as written */
  CONSOLE_DIFFERS, /* something else was printed */
  CONSOLE_BROKEN   /* a crash, a timeout, not a command: nothing to bless */
} ConsoleOutcome;

/* Runs the commands of a console block in the folder `dir` and compares their output. `report`
 * receives the differences; `actual` the text that the block should have, in which parts that
 * matched are as written (with their `...`). */
ConsoleOutcome console_run(const Fence *fence, const char *dir, Buf *report, Buf *actual);

/* True if a command of the block may run the chapter's own code (a compiler, a program built by it,
 * a plugin) or reach out of its folder. */
bool console_is_native(const Fence *fence);

/* ---- examples (example.c) ------------------------------------------------------------------- */

/* What the manual has shown so far, for --coverage. Lives in memory shared by the worker processes;
 * bytes are only ever set. */
typedef struct {
  u8 ops[OP_COUNT];     /* by OpKind: was evaluated, or refused as expected */
  u8 codes[CODE_COUNT]; /* by Code: was expected and reported */
} Shown;

/* in.mlir of a section: its mlir blocks joined, with the chapter's line of each line. */
typedef struct {
  const char *chapter;
  const Section *section;
  const char *text;
  size_t len;
  const u32 *chapter_lines; /* [i]: of line i + 1 of in.mlir */
  u32 nlines;
} Example;

/* Checks one in.mlir: its annotations, values and streams, on every engine. True if it passes;
 * `report` receives the failures, each with its place in the chapter. */
bool example_check(const Example *example, Shown *shown, Buf *report);

/* ---- loom test (runner.c, coverage.c) ------------------------------------------------------- */

typedef struct {
  bool bless, coverage, verbose;
  bool native; /* sections that compile and run their own code too; else they are skipped */
  u32 jobs;    /* processes; 0: one per core */
} TestOptions;

/* Runs the chapters (files, or folders of .md files) and prints failures and, last, the count.
 * Returns the exit status. */
int manual_test(Context *ctx, const char *const *paths, u32 npaths, const TestOptions *options);

/* Prints the operations and codes that the chapters lack; returns their number. */
u32 manual_coverage(const Chapter *chapters, u32 n, const Shown *shown);

/* ---- loom explain (explain.c) --------------------------------------------------------------- */

/* All codes: LOOM's own (codes.def, by Code), then those of the shipped backends. */
u32 explain_ncodes(void);
const char *explain_code(u32 i);
/* Appends a one-line summary of a code: for a backend's the first sentence of its page. */
void explain_summary(const Buf *pages, u32 i, Buf *out);
/* Unpacks the pages of all codes, in Markdown, into the empty buffer `pages`, for pages_find. */
void explain_unpack(Buf *pages);
/* Appends a page rendered for a terminal. */
void explain_render(const char *page, Buf *buf);

#endif

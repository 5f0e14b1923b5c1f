/* manual.h -- the manual: its chapters are tests, and its code pages are in the binary.
 *
 * spec-tests/00-index.md tells a reader how examples are written and checked; it is the contract
 * that this folder implements. `loom test` goes
 *
 *     chapter.md ─ markdown.c ─► sections ─ runner.c ─┬─ example.c   mlir blocks, in this process
 *                                                     └─ console.c   commands, in a child process
 *
 * and coverage.c adds up what the sections did not show. explain.c serves the pages of the 9x
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
  u64 size;         /* size=N: the file is N bytes long, zeros after the text; 0: not said */
  const char *text; /* the content: whole lines inside the chapter's text */
  size_t len;
} Fence;

/* What a heading opens. Sections without a fence are not tests. */
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

/* Splits a chapter's text; strings live in `arena`, slices in `text`. Never fails: what is wrong
 * is listed in `errors`. chapter_free frees the lists. */
void chapter_read(Arena *arena, const char *name, const char *text, size_t len, Chapter *chapter);
void chapter_free(Chapter *chapter);

/* ---- commands (console.c) ------------------------------------------------------------------- */

typedef enum {
  CONSOLE_SAME,    /* all is as written */
  CONSOLE_DIFFERS, /* something else was printed */
  CONSOLE_BROKEN   /* a crash, a timeout, not a command: nothing to bless */
} ConsoleOutcome;

/* Runs the commands of a console block in the folder `dir` and compares what they print. `report`
 * gets the differences in words; `actual` the block as it would have to read, where parts that
 * matched stand as they were written (with their `...`). */
ConsoleOutcome console_run(const Fence *fence, const char *dir, Buf *report, Buf *actual);

/* True where a command of the block would run code that came with the chapter: a compiler, what it
 * built, a plugin. */
bool console_is_native(const Fence *fence);

/* ---- examples (example.c) ------------------------------------------------------------------- */

/* What the manual has shown so far, for --coverage. Lives in memory that the worker processes
 * share; a byte is only ever set. */
typedef struct {
  u8 ops[OP_COUNT];     /* by OpKind: stood in a section with a value, or was refused by name */
  u8 codes[CODE_COUNT]; /* by Code: was expected and seen */
} Shown;

/* in.mlir of a section: its mlir blocks joined, and where each line stands in the chapter. */
typedef struct {
  const char *chapter;
  const Section *section;
  const char *text;
  size_t len;
  const u32 *chapter_lines; /* of line i + 1 of in.mlir */
  u32 nlines;
} Example;

/* Checks one in.mlir: its annotations, values and streams, on every engine. True where all holds;
 * `report` gets what does not, each with its place in the chapter. */
bool example_check(const Example *example, Shown *shown, Buf *report);

/* ---- loom test (runner.c, coverage.c) ------------------------------------------------------- */

typedef struct {
  bool bless, coverage, verbose;
  bool native; /* sections that compile and run their own code too; else they are skipped */
  u32 jobs;    /* processes; 0: one a core */
} TestOptions;

/* Runs the chapters (files, or folders of .md files) and prints failures and, last, the count.
 * Returns the exit status. */
int manual_test(Context *ctx, const char *const *paths, u32 npaths, const TestOptions *options);

/* Prints what the chapters do not show; returns how many lines that took. */
u32 manual_coverage(const Chapter *chapters, u32 n, const Shown *shown);

/* ---- loom explain (explain.c) --------------------------------------------------------------- */

/* All codes there are: LOOM's own (codes.def, by Code), then those that the shipped backends give
 * their complaints. */
u32 explain_ncodes(void);
const char *explain_code(u32 i);
/* Appends what a code means in a line: of a backend's the first sentence of its page. */
void explain_summary(const Buf *pages, u32 i, Buf *out);
/* Puts the pages of all codes, as they stand in the manual, into `pages`, which is empty; base.h
 * has pages_find. */
void explain_unpack(Buf *pages);
/* Appends a page as a terminal shows it. */
void explain_render(const char *page, Buf *buf);

#endif

/* subjects.h -- what the tools test, read: modules, hardware, golden kernels; and what was said. */
#ifndef TESTS_SUBJECTS_H
#define TESTS_SUBJECTS_H

#include "config/config.h"
#include "native/trial.h"
#include "lib.h"

/* Appends a file; false, after a word on stderr, where it cannot be read. */
bool read_buf(const char *path, Buf *buf);

/* Parsed and verified; NULL after diagnostics. `text` may be gone then. */
Module *module_read(Context *ctx, const char *name, const char *text, size_t len);

/* ---- hardware --------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} Hardware;

/* False after diagnostics. To be freed in either case. */
bool hardware_of_text(Context *ctx, const Buf *text, Hardware *h);
/* A preset, or else a file. */
bool hardware_named(Context *ctx, const char *name, Hardware *h);
void hardware_free(Hardware *h);

/* The graph of a subject as the mapper takes it: lowered, and legalised for the hardware. */
bool subject_map_graph(Subject *s, const Adg *adg);

/* ---- golden kernels --------------------------------------------------------------------------- */

typedef struct {
  const char *dir;
  Case *input;
  Subject subject; /* as it was read; subject_make_graph lowers it */
} Kernel;

/* DIR/kernel.mlir and DIR/case.json. False after diagnostics. To be freed in either case. */
bool kernel_read(Context *ctx, const char *dir, Kernel *k);
/* And lowered. */
bool kernel_lower(Context *ctx, const char *dir, Kernel *k);
void kernel_free(Kernel *k);

/* ---- what was said ---------------------------------------------------------------------------- */

/* Between the two the diagnostics of a context come here, and are counted anew. */
typedef struct {
  char *text; /* after heard_stop; the caller frees */
  size_t len;
  FILE *before;
} Heard;

void heard_start(Context *ctx, Heard *h);
void heard_stop(Context *ctx, Heard *h);
/* The CODE of the first `error[CODE]` in a text, or "". */
const char *first_code(const char *said, char code[64]);

#endif

/* steps.h -- steps that several commands share: read, choose, print, count. */
#ifndef LOOM_DRIVER_STEPS_H
#define LOOM_DRIVER_STEPS_H

#include "dfg/dfg.h"
#include "run/case.h"
#include "driver/driver.h"
#include "fabric/adg.h"
#include "native/native.h"
#include "ir/ir.h"
#include "lower/lower.h"
#include "run/run.h"

/* ---- of a call (call.c, fabric.c) ------------------------------------------------------------ */

/* The registry of plugins, opened once a call; NULL after a diagnostic about one of --plugin. */
Registry *call_registry(Call *call);
/* Reads, parses and verifies the call's first file: MLIR, or a front end's translation of
 * `function` (or NULL) where one reads files of this ending. NULL after diagnostics; the caller
 * frees. */
Module *call_read_kernel(Call *call, const char *function);
Module *call_read_module(Call *call); /* the function is that of --func */
/* Verifies a module that LOOM made, before it is printed. Where it breaks a rule: diagnostics and
 * loom_bug, which names the pass `maker`. Warnings are not reported: the input had them, too. */
void call_verify_own(Module *module, const char *maker);
/* Reads and verifies a Fabric file, or the preset of that name, and finds its top module (adg_top,
 * --module). NULL after diagnostics; the caller frees. has_hints: it is to be mapped onto
 * (verify_with_hints). */
Module *call_read_fabric(Call *call, const char *path, bool has_hints, Op **top);
/* The file that places a fabric's components in a drawing: its attribute viz_file names it, beside
 * the fabric's own file. NULL where there is none that can be read; reports nothing. */
const Source *fabric_drawing(Context *ctx, const Op *top);
/* Is that the name of a preset, or of a file that can be read? Else false, after a diagnostic. */
bool call_finds_fabric(Call *call, const char *path);
/* Generates the text of a fabric from `base` (a preset, a file that describes one, or NULL: the
 * default) with the call's options applied. An exit status. */
int call_make_fabric(Call *call, const char *base, Buf *text);
/* Finds the function of that name, or, without a name, the only one that nothing calls. An exit
 * status: a name that is wrong or missing is an error of the call, a file without functions one of
 * the input. */
int call_function(Call *call, const Module *module, const char *name, Op **func);
/* The same in a module that was not read from the call's first file. */
int call_function_in(Call *call, const Module *module, const char *name, const char *file,
                     Op **func);
/* The name in --func, or else in the case, if there is one; NULL: in neither. */
const char *call_function_name(const Call *call, const Case *input);
/* Finds the function of that name. An exit status. */
int call_function_of(Call *call, const Module *module, const Case *input, Op **func);
/* As call_function, but instead of wrong_call puts a message into `why`, which names `file` and
 * `how`, the option that chooses a function. */
Op *function_chosen(Context *ctx, const Module *module, const char *name, const char *file,
                    const char *how, Buf *why);
/* True where the module describes hardware: it has a fabric.module, and no function. */
bool call_is_fabric(const Module *module);

/* True where -o is given and is not standard output. */
bool names_folder(const Call *call);
/* Writes a text to a file, whole or not at all; "-" is standard output. An exit status. */
int call_write(Call *call, const char *path, const Buf *text);
/* The same with a module, in the form that --generic and --print-locs ask for. */
int call_print_module(Call *call, const Module *module, const char *path);
/* The stage of lowering of that name; `alone`: one that can run by itself. NULL after wrong_call,
 * which calls it a `noun`. */
const LowerStage *call_stage(const Call *call, const char *noun, const char *name, size_t len,
                             bool alone);

/* Reads the case of --args and --in for a function, whose arguments are those of `entry` or, where
 * that is NULL, of its graph. As inputs_read (run/inputs.h). */
int call_read_inputs(const Call *call, const char *function, const Block *entry, const Dfg *dfg,
                     Case **input);
/* True where there is --args or --in. --case and --args at once are a wrong call: *status says. */
bool call_has_inputs(const Call *call, int *status);

/* The options of passes, from those of the call. */
LowerOptions call_lower_options(const Call *call);
RunOptions call_run_options(const Call *call);

/* ---- of a module (call.c) -------------------------------------------------------------------- */

/* A func.func or handshake.func with a body. */
bool is_function(const Op *op);
const char *function_name(const Op *func);
Op *function_named(const Module *module, const char *name);

/* ---- of a graph (count.c) -------------------------------------------------------------------- */

typedef struct {
  u32 kinds[OP_COUNT]; /* nodes that hardware is made of, by kind */
  u32 nodes, edges;
  u32 memories, ports; /* not counted as nodes */
} GraphCount;

GraphCount graph_count(const Op *func);
/* Iterates over kinds, the most frequent first, equals in the order of the op table: the kind after
 * `last` (OP_COUNT: the first). OP_COUNT at the end. */
u32 graph_next_kind(const GraphCount *count, u32 last);

/* ---- words ----------------------------------------------------------------------------------- */

/* 1234567 as "1,234,567"; in the context's memory. */
const char *grouped_digits(Context *ctx, u64 number);

/* ---- pages (emit.c) ---- */

/* `loom emit view FILES -o dir`, with the case of this call. Prints the page's path, except with
 * --json. An exit status. */
int emit_view(Call *call, const char *const *files, u32 nfiles, const char *dir);

#endif

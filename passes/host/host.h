/* host.h -- plugins: backends, which write a design in another language, and front ends, which read
 * sources in one.
 *
 * Everything that leaves the binary in another language is written by a backend: a table of
 * functions declared in plugins/loom_plugin.h, loaded from a shared object or built in. This folder
 * keeps the registry of plugins, passes a design to backends through the public extension tables
 * and nothing else, and gathers their output.
 *
 *     registry.c       all plugins: --plugin, LOOM_PLUGIN_PATH, beside the binary, built in
 *     plugin_*.c       loads one plugin and checks its tables (plugin.h)
 *     trust.c          may a file be loaded, by its owner and mode?
 *     watch.c          loads plugins in a child process, which survives their crashes
 *     guard.c          reports which plugin crashed or ended the program
 *     list.c           plugins and their options, for people and programs
 *     emit.c           one emit: options, streams, diagnostics, atomic files; one translation
 *     design.c         loom.dfg/1 and loom.domains/1: the frozen graph
 *     c_table.c        loom.c/1: pure ops as C text, made from ops.def by c_text.c and prelude.c
 *     call_table.c     loom.call/1: the declaration of the kernel in C
 *     replay.c         loom.histories/1: a run of the token simulator
 *     machine_table.c  loom.machine/1: a clocked machine
 *     binding_table.c  loom.binding/1: a machine's ports and memories in the graph that was mapped
 *     cycles_table.c   loom.cycles/1: a run of the machine on a case
 *     show_table.c     most of loom_show.h: sources, drawings, routes
 *     fabric_table.c   loom.fabric/1 and loom.image/1: ADG, layout and image
 *     headers.c        the public headers, embedded in the binary
 */
#ifndef LOOM_HOST_H
#define LOOM_HOST_H

#include "../plugins/loom_frontend.h"
#include "../plugins/loom_machine.h"
#include "dfg/dfg.h"
#include "prove/prove.h"
#include "run/case.h"
#include "run/run.h"
#include "run/token.h"

#include <jansson.h>

/* ---- designs -------------------------------------------------------------------------------- */

/* A design of a graph, which backends read. `dfg` and `c` (NULL: no case) are borrowed and must
 * outlive it, as is `proved`, the domains of its values (NULL: not provable, or not proved). The
 * caller frees with design_free; NULL is allowed there. */
loom_design *design_new(Context *ctx, const Dfg *dfg, const ProofDomains *proved, const Case *c,
                        const RunOptions *options);
void design_free(loom_design *design);
/* A design of a machine, and the frozen graph that configured_graph made of the same image. */
struct Machine;
loom_design *design_of_machine(Context *ctx, const struct Machine *machine, const Dfg *decoded);
struct Image;
/* A design of a fabric and an image for it, borrowed. `machine` and `decoded` are NULL where the
 * image was not decoded. */
loom_design *design_of_fabric(Context *ctx, const struct Image *image,
                              const struct Machine *machine, const Dfg *decoded);
/* Adds a fabric to a design of a graph that is not mapped onto it, or of none. Borrowed. */
void design_add_fabric(loom_design *design, const struct Image *image);
/* For loom.binding/1: the graph that was mapped (`asked`), the ports and memories to which its
 * arguments are bound, and the edges whose tokens the machine's operands take; for loom.cycles/1
 * and loom.histories/1 a case of that graph, or NULL. All are borrowed. */
struct MapBinding;
struct Origins;
void design_bind(loom_design *design, const Dfg *asked, const ProofDomains *proved,
                 const struct MapBinding *binding, const struct Origins *origins,
                 const Case *input);

/* Adds the mapping of a design, for loom.mapping/1, and the file that places its components in a
 * drawing; each may be NULL. Borrowed. */
void design_explain(loom_design *design, const json_t *mapping, const Source *mapping_text,
                    const Source *drawing);
/* ---- backends ------------------------------------------------------------------------------- */

typedef struct Registry Registry;

/* A part of a plugin: a backend or a front end. */
typedef struct {
  const loom_backend *backend;   /* or NULL */
  const loom_frontend *frontend; /* where `backend` is NULL */
  const char *kind;              /* "backend", "front end" */
  const char *id, *version, *summary;
  const loom_option *const *options;
  u32 option_count;
  const char *path; /* of the shared object; NULL: built in */
  u16 abi_major, abi_minor;
} PluginPart;

PluginPart backend_part(const loom_backend *backend);
PluginPart frontend_part(const loom_frontend *frontend);

/* Opens every plugin found: those of `plugins` (the --plugin options, n of them), then those of
 * LOOM_PLUGIN_PATH, then plugins/ and backends/ beside the running binary (and in
 * ../lib/loom/{plugins,backends} of an installed one), then what is built in. A file that is not a
 * plugin gets a diagnostic (RT_PLUGIN_...): an error for those of `plugins`, a warning for those
 * that were found; the others are there all the same. Never looks into the current directory.
 * Backends are good until registry_close. */
Registry *registry_open(Context *ctx, const char *const *plugins, u32 n);
void registry_close(Registry *registry);
u32 registry_count(const Registry *registry);
const PluginPart *registry_at(const Registry *registry, u32 i);
/* The backend of this id; the front end that reads files with the ending of this one. NULL where
 * there is none. */
const PluginPart *registry_backend(const Registry *registry, const char *id);
const PluginPart *registry_frontend(const Registry *registry, const char *file);

/* Lists plugins, as a table for people and as JSON for programs (list.c): all, or those called
 * `name`, where that is not NULL. */
void registry_print(const Registry *registry, Buf *out);
void registry_json(const Registry *registry, const char *name, Buf *out);
/* The headers of plugins/ that this binary was built with, each a page named after its file
 * (headers.c). The caller frees. */
void plugin_headers(Buf *pages);

/* ---- emitting ------------------------------------------------------------------------------- */

typedef struct {
  const char *name, *value;
} EmitOption;

typedef Vec(EmitOption) EmitOptions;

/* True where a value fits an option's type: a FLAG is 0 or 1, an INT decimal. */
bool emit_option_fits(const loom_option *option, const char *value);
/* Reads the words of a call, `--name=value`, `--name value` or `--flag`, by the table of a part
 * (of a front end, without `--name value`; messages then say --read for the dashes).
 * EXIT_GOOD, or EXIT_BAD_CALL after one plain line that starts with `command`. Values point into
 * the words. The caller frees the list. */
int emit_options_read(Context *ctx, const char *command, const PluginPart *part,
                      const char *const *words, u32 n, EmitOptions *options);
/* Prints the options of a part, a line for each. */
void emit_options_print(const PluginPart *part, Buf *out);

/* Where streams go: into the folder `dir` (made if need be; files appear all at once, when the
 * backend has succeeded), or, where dir is NULL, appended to `text` (the stream of any name; a
 * backend that writes two is refused). */
typedef struct {
  const char *dir;
  Buf *text;
} EmitSink;

/* The outcome of an emit. Start with {0}; the caller frees `files`. */
typedef struct {
  int status; /* EXIT_GOOD; EXIT_BAD_INPUT: not this design; EXIT_FAULT: the backend's or the disk's
               */
  Buf files;  /* the names written, a line each, in the order of their first bytes */
} EmitReport;

/* Runs one backend on a design. False after diagnostics (RT_EMIT_..., COMP_FILE_WRITE, or the
 * backend's own codes), and then nothing is written. The options must fit the backend's table (else
 * it is a bug). `report` may be NULL. */
bool host_emit(Context *ctx, const loom_backend *backend, loom_design *design,
               const EmitOption *options, u32 noptions, EmitSink sink, EmitReport *report);

/* Has a front end turn a source into MLIR. `out` gets its streams; the last two may be empty. False
 * after diagnostics (RT_FRONTEND_..., or its own). The caller frees. */
typedef struct {
  Buf kernel, native, flags; /* kernel.mlir, native.c, native.flags */
} Translation;
bool host_translate(Context *ctx, const loom_frontend *frontend, const Source *source,
                    const char *function, const EmitOption *options, u32 noptions,
                    Translation *out);

/* The built-in backends that LOOM itself uses (registry.c lists all). */
extern const loom_plugin loom_csim_plugin, loom_trace_plugin, loom_verilog_plugin;

#endif

/* host.h -- plugins: what writes a design in another language, and what reads sources in one.
 *
 * Everything that leaves the binary in another language is written by a backend: a table of
 * functions behind plugins/loom_plugin.h, loaded from a shared object or built in. This folder
 * keeps their registry, shows them a design through the public extension tables and nothing else,
 * and gathers what they write.
 *
 *     registry.c   what there is: --plugin, LOOM_PLUGIN_PATH, beside the binary, built in
 *     plugin_*.c   opening one plugin and checking what it claims (plugin.h)
 *     guard.c      who is to blame when foreign code crashes
 *     list.c       backends and their options for people and programs
 *     emit.c       one emit: options, streams, diagnostics, atomic files; one translation
 *     design.c     loom.dfg/1 and loom.domains/1 over the frozen graph
 *     c_text.c      the expressions of ops.def as C text; c_table.c, loom.c/1, shows them
 *     replay.c     loom.histories/1 over the token simulator
 *     machine_table.c  loom.machine/1 over a clocked machine
 *     binding_table.c  loom.binding/1 over the graph that it is to be
 *     cycles_table.c   loom.cycles/1: a run of it on a case
 *     show_table.c     most of loom_show.h: sources, drawings, routes
 *     fabric_table.c   loom.fabric/1 and loom.image/1 over ADG, layout and image
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

/* What backends read. `dfg` and `c` (NULL: no case) are borrowed and must outlive it. `proved`
 * says when tokens come and may be NULL: the graph is then not provable (or was not proved). The
 * caller frees with design_free; NULL is allowed there. */
loom_design *design_new(Context *ctx, const Dfg *dfg, const ProofDomains *proved, const Case *c,
                        const RunOptions *options);
void design_free(loom_design *design);
/* A configured fabric: `machine`, and the graph that configured_graph made of the same image,
 * frozen.
 */
struct Machine;
loom_design *design_of_machine(Context *ctx, const struct Machine *machine, const Dfg *decoded);
struct Image;
/* Hardware as it stands in the fabric, and an image for it, both borrowed. `machine` and `decoded`
 * are NULL where the image need not mean anything. */
loom_design *design_of_fabric(Context *ctx, const struct Image *image,
                              const struct Machine *machine, const Dfg *decoded);
/* Hardware beside a graph, or no graph, that has not been brought onto it. Borrowed. */
void design_add_fabric(loom_design *design, const struct Image *image);
/* For loom.binding/1: the graph that a machine is to be, and which of its ports and memories are
 * what, and whose tokens its operands take; for loom.cycles/1 and loom.histories/1 (the graph's own
 * run) a case of that graph, or NULL. All are borrowed. */
struct MapBinding;
struct Origins;
void design_bind(loom_design *design, const Dfg *asked, const ProofDomains *proved,
                 const struct MapBinding *binding, const struct Origins *origins,
                 const Case *input);

/* The mapping that a design is of, for loom.mapping/1, and the file that says where its fabric is
 * drawn; each may be NULL. Borrowed. */
void design_explain(loom_design *design, const json_t *mapping, const Source *mapping_text,
                    const Source *drawing);
/* ---- backends ------------------------------------------------------------------------------- */

typedef struct Registry Registry;

/* What a plugin offers: a backend or a front end. */
typedef struct {
  const loom_backend *backend;   /* or NULL, and then */
  const loom_frontend *frontend; /* this */
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
/* The backend of this id; the front end that reads files whose names end like this one's. NULL
 * where there is none. */
const PluginPart *registry_backend(const Registry *registry, const char *id);
const PluginPart *registry_frontend(const Registry *registry, const char *file);

/* What there is, as a table for people and as JSON for programs (list.c): all, or, where `name` is
 * not NULL, those that are called so. */
void registry_print(const Registry *registry, Buf *out);
void registry_json(const Registry *registry, const char *name, Buf *out);
/* The headers of plugins/ as this binary was built with them, each a page called after its file
 * (headers.c). The caller frees. */
void plugin_headers(Buf *pages);

/* ---- emitting ------------------------------------------------------------------------------- */

typedef struct {
  const char *name, *value;
} EmitOption;

typedef Vec(EmitOption) EmitOptions;

/* True where a value fits an option's type: a FLAG is 0 or 1, an INT decimal. */
bool emit_option_fits(const loom_option *option, const char *value);
/* Reads the words of a call, `--name=value`, `--name value` or `--flag`, by the table of a part.
 * EXIT_GOOD, or EXIT_BAD_CALL after one plain line that starts with `who`. Values point into the
 * words. The caller frees the list. */
int emit_options_read(Context *ctx, const char *who, const PluginPart *part,
                      const char *const *words, u32 n, EmitOptions *options);
/* The table for people, a line an option. */
void emit_options_print(const PluginPart *part, Buf *out);

/* Where streams go: into the folder `dir` (made if need be; files appear all at once, when the
 * backend has succeeded), or, where dir is NULL, appended to `text` (the stream of any name; a
 * backend that writes two is refused). */
typedef struct {
  const char *dir;
  Buf *text;
} EmitSink;

/* What came of it. Start with {0}; the caller frees `files`. */
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

/* Has a front end turn a source into MLIR: what it wrote, by stream; each may be empty. False after
 * diagnostics (RT_FRONTEND_..., or its own). The caller frees. */
typedef struct {
  Buf kernel, native, flags; /* kernel.mlir, native.c, native.flags */
} Translation;
bool host_translate(Context *ctx, const loom_frontend *frontend, const Source *source,
                    const char *function, const EmitOption *options, u32 noptions,
                    Translation *out);

/* Those of the backends in the binary that LOOM itself uses (registry.c has all). */
extern const loom_plugin loom_csim_plugin, loom_trace_plugin, loom_verilog_plugin;

#endif

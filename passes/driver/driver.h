/* driver.h -- the commands: for each a story that calls the passes in their order and says what
 * came of it, and the table of its options.
 *
 *     opt        read, verify, (prove,) print                                     opt.c
 *     lower      read, verify, lower and prove, print                             lower.c
 *     run        on the source; lower, prove, on the graph; compare               run.c
 *     build      the same with a summary and the files in a folder                build.c
 *     adg        read and verify a fabric, or generate one; show what it is       fabric.c
 *     config     configurations, from texts to images and back                    config.c
 *     map        read, verify, lower and prove, count, map onto a fabric          map.c
 *     sim        configured hardware, cycle by cycle                              sim.c
 *     golden     the histories of every engine against a file                     golden.c
 *     emit       read, verify, lower and prove, hand to a backend                 emit.c
 *     backends   what backends there are                                          emit.c
 *     test       the manual's examples                                            manual.c
 *     explain    the manual's code pages                                          manual.c
 *
 * What stories have in common lies beside them: steps.h (read a module, choose its function, print
 * it, count its nodes) and job.h (one function with its arguments: lower it, run it on engines,
 * compare them), mapping.h (a graph onto a fabric) and simulation.h (configured hardware and a
 * case). The command line itself, which names the stories, reads the options and calls, is loom.c.
 *
 * Two kinds of mistakes end here. A wrong call (an unknown option, a missing value) is one plain
 * line and status 2: wrong_call. A wrong input is told by the passes as diagnostics; a story only
 * decides whether to go on: EXIT_BAD_INPUT where a file is wrong, EXIT_RUN_FAILED where a run is.
 */
#ifndef LOOM_DRIVER_H
#define LOOM_DRIVER_H

#include "base/options.h"

/* What options say; each command's tables name the fields that it reads. */
typedef struct {
  const char *trace_dir, *module;
  const char *out_dir;
  const char *topology, *units, *adg, *from;
  const char *color, *output, *func, *case_path, *args, *out, *engine, *order, *stop_after, *passes;
  u64 max_cycles, max_errors, max_tokens, ulp, jobs, schedule_seed;
  const char *pattern, *net, *link_fifo, *pe_fifo, *element, *pe_file, *viz;
  u64 rows, columns, depth, tracks, width, instructions, registers, routes, copies;
  u64 memories, scratchpads, words, lanes, loads, stores, memory_tag, inputs, outputs, seed;
  u64 memory_latency, scratchpad_latency, lane_depth;
  double max_seconds, budget;
  bool help, generic, print_locs, verify_only, verify_balance, strict, stats, check_stages;
  bool bless, coverage, verbose, list, observable, json, native, header, dot, count, text;
  bool graph, rules;   /* of loom config */
  bool cycles, alone;  /* of loom sim */
  const char *timed;   /* likewise */
  const char *headers; /* of loom backends */
  Texts plugins, ins, cells, pins;
} Settings;

#define NOT_GIVEN UINT64_MAX /* of a count whose default depends on others */

/* One call of a command. */
typedef struct {
  Context *ctx;
  const char *who; /* "loom opt": starts every complaint */
  Settings set;
  const char *const *files;
  u32 nfiles;
  const char *const *words; /* behind "--", of commands that hand them on */
  u32 nwords;
} Call;

/* The stories. Each returns an exit status, after one plain line (EXIT_BAD_CALL) or diagnostics. */
int drive_opt(Call *call);
int drive_lower(Call *call);
int drive_run(Call *call);
int drive_build(Call *call);
int drive_adg(Call *call);
int drive_config(Call *call);
int drive_map(Call *call);
int drive_sim(Call *call);
int drive_golden(Call *call);
int drive_emit(Call *call);
int drive_backends(Call *call);
int drive_test(Call *call);
int drive_explain(Call *call);

/* Their options, each table ended by OPTIONS_END. */
extern const Option options_opt[], options_lower[], options_run[], options_build[], options_adg[],
    options_config[], options_map[], options_sim[], options_golden[], options_emit[],
    options_backends[], options_test[], options_explain[];
/* Those of every command that takes a function and its arguments: run, build, emit. */
extern const Option options_job[];

/* Rows of such tables; `field` is one of Settings. */
#define FLAG(name, field, help)                                                                    \
  { name, NULL, OPTION_FLAG, offsetof(Settings, field), help, NULL }
#define TEXT(name, value, field, help)                                                             \
  { name, value, OPTION_TEXT, offsetof(Settings, field), help, NULL }
#define LIST(name, value, field, help)                                                             \
  { name, value, OPTION_LIST, offsetof(Settings, field), help, NULL }
#define TEXTS(name, value, field, help)                                                            \
  { name, value, OPTION_TEXTS, offsetof(Settings, field), help, NULL }
#define COUNT(name, value, field, help)                                                            \
  { name, value, OPTION_COUNT, offsetof(Settings, field), help, NULL }
#define SECONDS(name, value, field, help)                                                          \
  { name, value, OPTION_SECONDS, offsetof(Settings, field), help, NULL }
#define CHOICE(name, value, field, help, choices)                                                  \
  { name, value, OPTION_CHOICE, offsetof(Settings, field), help, choices }

/* Of every command that writes one text. */
#define OUTPUT_FILE TEXT("-o", "FILE", output, "write here; - is standard output (the default)")

/* The values of --order. */
extern const char *const order_choices[];

#endif

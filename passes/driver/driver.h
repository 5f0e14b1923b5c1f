/* driver.h -- the commands: each calls the passes in their order and reports the outcome.
 *
 *     opt        read, verify, (prove,) print                                     opt.c
 *     lower      read, verify, lower and prove, print                             lower.c
 *     run        on the source; lower, prove, on the graph; compare               run.c
 *     build      the same with a summary and the files in a folder                build.c
 *     adg        read and verify a fabric, or generate one; show what it is       fabric.c
 *     config     configurations, from texts to images and back                    config.c
 *     map        read, verify, lower and prove, count, map onto a fabric          map.c
 *     specialise reduce a fabric to the hardware that some kernels need           specialise.c
 *     explore    the best fabrics for some kernels, of all that a plan describes  explore.c
 *     sim        configured hardware, cycle by cycle                              sim.c
 *     golden     the histories of every engine against a file                     golden.c
 *     emit       read, verify, lower and prove, hand to a backend                 emit.c
 *     plugins    list backends and front ends; also called backends               emit.c
 *     test       the manual's examples                                            manual.c
 *     explain    the manual's code pages                                          manual.c
 *
 * A file ends with its `Command`: name, help, the table of options and the function that runs it. A
 * new command is such a file and its name in COMMANDS below; a new option is a field of Settings, a
 * row in the command's table, and its use.
 *
 * Code that commands share lies beside them: steps.h (read a module, choose its function, print
 * it, count its nodes), job.h (one function with its arguments: lower it, run it on engines,
 * compare them), mapping.h (a graph onto a fabric) and simulation.h (configured hardware and a
 * case). The command line itself, which reads the options and calls, is loom.c.
 *
 * Two kinds of mistakes end here. A wrong call (an unknown option, a missing value) is one plain
 * line and status 2: wrong_call. The passes report a wrong input as diagnostics; a command only
 * decides whether to go on: EXIT_BAD_INPUT where a file is wrong, EXIT_RUN_FAILED where a run is.
 */
#ifndef LOOM_DRIVER_DRIVER_H
#define LOOM_DRIVER_DRIVER_H

#include "base/options.h"
#include "generate/generate.h"

/* The values of options; each command's tables name the fields that it reads. */
typedef struct {
  const char *trace_dir, *module;
  const char *out_dir;
  const char *adg, *from, *color, *output, *func, *case_path, *args, *out, *engine, *order,
      *stop_after, *passes;
  u64 max_cycles, max_tokens, ulp, schedule_seed;
  u32 max_errors, jobs, seed, optimise;
  double max_seconds, budget;
  u32 max_comb;
  bool help, generic, print_locs, verify_only, verify_balance, strict, stats, check_stages;
  bool bless, coverage, verbose, list, observable, json, native, header, dot, count, text;
  bool graph, rules;            /* of loom config */
  bool view;                    /* of loom map, build: the page, too; */
  const char *view_dir;         /* of loom sim: and where to */
  bool cycles, alone;           /* of loom sim */
  const char *timed;            /* likewise */
  const char *memory;           /* of loom sim, emit: how memories outside of a fabric answer */
  const char *headers;          /* of loom backends */
  const char *man, *completion; /* of loom help */
  FabricPlan plan;              /* of loom adg: options not given are OPTION_UNSET, or NULL */
  const char *units, *link_fifo, *pe_fifo, *pe_file, *viz; /* likewise */
  u32 lanes;
  Texts plugins, reads, ins, cells, pins;
  Texts cases;                    /* of loom specialise */
  u32 slack, steps;               /* likewise */
  const char *maps;               /* likewise */
  const char *executor, *against; /* of loom explore */
  u32 point;                      /* likewise */
  bool whole;                     /* likewise */
} Settings;

/* One call of a command. */
typedef struct {
  Context *ctx;
  const char *command; /* "loom opt": messages about a wrong call begin with it */
  Settings set;
  const char *const *files;
  u32 nfiles;
  const char *const *words; /* behind "--", of commands that hand them on */
  u32 nwords;
  struct Registry *registry;        /* NULL until call_registry */
  const Str *native, *native_flags; /* how the kernel is compiled without LOOM; or NULL */
  bool is_of_several;               /* kernels: --read may be meant for another of them */
  bool is_wrong; /* wrong_call was called by a step that does not return a status */
} Call;

/* The first word of a call, where a command has several: `show` of `loom config show FABRIC`. */
typedef struct {
  const char *name, *takes; /* takes: what follows it, "FABRIC [IMAGE]" */
  u32 min_files, max_files; /* likewise; Option.verbs restricts options to verbs */
  int (*run)(Call *call);   /* the call's files are those behind the word */
} Verb;

typedef struct {
  const char *name, *takes, *summary; /* takes: "FABRIC IMAGE", as the help shows it */
  const char *text;                   /* a paragraph for `loom help NAME` */
  const Option *options, *shared;     /* shared: NULL, or those of several commands */
  size_t shared_at;                   /* the offset in Settings of the struct they set */
  const char *shared_verbs;           /* as Option.verbs, of all that are shared */
  u32 min_files, max_files;
  const Verb *verbs;        /* ended by one without a name; or NULL */
  const char *const *names; /* words that shells complete beside files; or NULL */
  bool hands_on;            /* `run` gets what follows "--", and --help behind a file */
  void (*help)(void);       /* prints more help below the options; or NULL */
  /* Returns an exit status, after one plain line (EXIT_BAD_CALL) or diagnostics. NULL: the first
   * word is a verb. */
  int (*run)(Call *call);
} Command;

/* All commands, for install.c. */
typedef struct {
  const Command *const *commands;
  size_t n;
  const Option *common; /* of every command */
} CommandTable;

/* Pages for man, into a folder; a script that completes, bash's or zsh's, on standard output. Exit
 * statuses. */
int install_man(Call *call, const CommandTable *table, const char *dir);
int install_completion(Call *call, const CommandTable *table, const char *shell);

/* In the order in which help lists them: command_opt, ... */
#define COMMANDS(C)                                                                                \
  C(opt)                                                                                           \
  C(lower)                                                                                         \
  C(run)                                                                                           \
  C(build)                                                                                         \
  C(adg)                                                                                           \
  C(config)                                                                                        \
  C(map)                                                                                           \
  C(specialise)                                                                                    \
  C(explore)                                                                                       \
  C(sim)                                                                                           \
  C(golden)                                                                                        \
  C(emit)                                                                                          \
  C(backends)                                                                                      \
  C(plugins)                                                                                       \
  C(test)                                                                                          \
  C(explain)

#define DECLARE(name) extern const Command command_##name;
COMMANDS(DECLARE)
#undef DECLARE

/* Options of every command that takes a function and its arguments: run, build, emit. */
extern const Option options_job[];

/* Rows of such tables; `field` is one of Settings. Further fields of Option may follow the help:
 * .initial = "60", .low = 1, .high = 64. */
#define OPTION(kind_, name_, arg_, field_, ...)                                                    \
  {                                                                                                \
    .kind = kind_, .name = name_, .arg = arg_, .offset = offsetof(Settings, field_),               \
    .help = __VA_ARGS__                                                                            \
  }
#define FLAG(name, field, ...)         OPTION(OPTION_FLAG, name, NULL, field, __VA_ARGS__)
#define TEXT(name, arg, field, ...)    OPTION(OPTION_TEXT, name, arg, field, __VA_ARGS__)
#define LIST(name, arg, field, ...)    OPTION(OPTION_LIST, name, arg, field, __VA_ARGS__)
#define TEXTS(name, arg, field, ...)   OPTION(OPTION_TEXTS, name, arg, field, __VA_ARGS__)
#define COUNT(name, arg, field, ...)   OPTION(OPTION_COUNT, name, arg, field, __VA_ARGS__)
#define NUMBER(name, arg, field, ...)  OPTION(OPTION_NUMBER, name, arg, field, __VA_ARGS__)
#define SECONDS(name, arg, field, ...) OPTION(OPTION_SECONDS, name, arg, field, __VA_ARGS__)
#define CHOICE(name, arg, field, among, ...)                                                       \
  OPTION(OPTION_CHOICE, name, arg, field, __VA_ARGS__, .choices = among)

/* Of loom adg; with fabric_plan_options they describe a fabric to be generated. */
extern const Option options_adg[];

/* Of every command that takes a kernel. */
#define KERNEL_OPTIONS                                                                             \
  TEXTS("--plugin", "FILE", plugins,                                                               \
        "also load the backends and front ends of this shared object"),                            \
      TEXTS("--read", "NAME=VALUE", reads, "set an option of the front end that reads KERNEL")

/* Of commands that simulate hardware. */
#define MEMORY_ANSWERS                                                                             \
  TEXT("--memory", "HOW", memory, "latency of external memories: fixed, or random:SEED[:MOST]",    \
       .initial = "fixed")
/* The default of --max-cycles: a case on hardware is stopped then. */
#define CYCLES_ALLOWED   100000000
#define AS_TEXT(number)  AS_TEXT_(number)
#define AS_TEXT_(number) #number
#define CYCLES_LIMIT(help)                                                                         \
  COUNT("--max-cycles", "N", max_cycles, help, .initial = AS_TEXT(CYCLES_ALLOWED))
/* Of every command that writes one text. */
#define OUTPUT_FILE TEXT("-o", "FILE", output, "output file; - is standard output", .initial = "-")

/* The values of --order. */
extern const char *const order_choices[];

/* Of commands that lower a kernel to map it or run it. */
#define OPTIMISE_LEVEL OPTIMISE_LEVEL_OF(NULL)
#define OPTIMISE_LEVEL_OF(verbs_)                                                                  \
  OPTION(OPTION_INDEX, "-O", "LEVEL", optimise,                                                    \
         "loops: 0: keep as written, 1: optimise, 2: search for the fastest form", .initial = "0", \
         .choices = level_choices, .verbs = verbs_)
extern const char *const level_choices[];

#endif

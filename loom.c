/* loom.c -- the command line.
 *
 * One table holds the commands: a name, what it takes, help, its options, and the story that does
 * it. The stories are in passes/driver, a file a command or two (driver.h lists them); here are the
 * table, the reading of options, and `loom help`. To add a command: a row here, its story and its
 * options there.
 *
 * Options live in tables too, which say where in `Settings` a value goes (base/options.h). A
 * command has its own, may share those of all that take a function and its arguments (options_job),
 * and has those that every command has.
 */
#include "base/interrupt.h"
#include "driver/driver.h"
#include "lower/lower.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  const char *name, *takes, *summary, *text; /* text: a paragraph for `help NAME` */
  const Option *options, *shared;            /* shared: NULL, or options_job */
  u32 min_files, max_files;
  int (*run)(Call *call);
} Command;

static const char *const color_choices[] = {"auto", "always", "never", NULL};

static const Option common_options[] = {
    CHOICE("--color", "WHEN", color, "colours: auto (on a terminal), always, never", color_choices),
    COUNT("--max-errors", "N", max_errors, "errors to show; 0 shows all (20)"),
    FLAG("--help", help, "this text"),
    OPTIONS_END,
};

static const Option no_options[] = {
    OPTIONS_END,
};

static int version(Call *call) {
  (void)call;
  printf("loom " LOOM_VERSION "\n");
  return EXIT_GOOD;
}

static int help(Call *call); /* prints the table */

/* ---- the table ------------------------------------------------------------------------------ */

static const Command commands[] = {
    {"opt", "FILE", "check a file and print it",
     "Reads MLIR text, verifies it, and prints it as mlir-opt does. Every rule that is broken is\n"
     "reported with its place and a code; `loom explain CODE` tells what it means.",
     options_opt, NULL, 1, 1, drive_opt},
    {"lower", "FILE", "turn functions into dataflow graphs, and prove them",
     "Lowers every func.func to a handshake.func with explicit memory order, proves that no token\n"
     "is lost or left behind and that no two accesses race, and prints the result.",
     options_lower, NULL, 1, 1, drive_lower},
    {"run", "FILE", "run a function on the source and on its graph, and compare",
     "Runs a func.func on the reference interpreter, then lowers it, proves it and runs the graph\n"
     "token by token; both must agree in results, memories and the order of every access. A\n"
     "handshake.func runs on the graph engine. With a case that has \"expected\", prints PASS or\n"
     "FAIL; without, the values.",
     options_run, options_job, 1, 1, drive_run},
    {"build", "KERNEL", "all of it with a summary: lower, prove, run, compare, map, simulate",
     "Takes a kernel the whole way, says what happened on it, and writes the graph (dfg.mlir),\n"
     "the results (results.json) and the mapping (NAME.map.txt and others) into a folder.",
     options_build, options_job, 1, 1, drive_build},
    {"adg", "show FILE", "what a fabric is made of; or make one",
     "show flattens the hardware of a Fabric file and says what is there: PEs, function units,\n"
     "switches, memories, and a rough measure of area to compare fabrics by. --dot draws it.\n"
     "With a preset (tiny to xl, temporal) or a --topology, writes a Fabric file.",
     options_adg, NULL, 0, 2, drive_adg},
    {"config", "HOW FABRIC", "show, encode, decode or check: what configures a fabric",
     "show FABRIC lists the slices and fields of a configuration image of the hardware: where\n"
     "each lies and how wide it is; show FABRIC IMAGE checks an image and prints the values, too.\n"
     "encode FABRIC makes the image of the configuration that stands in the text, encode FABRIC\n"
     "FIELDS.json that of a file of fields. decode FABRIC IMAGE goes back: to such a file or, "
     "with\n"
     "--text, to the text; with --graph, to the dataflow graph that the hardware then is. check\n"
     "FABRIC IMAGE asks whether the hardware can work so, check FABRIC IMAGE GRAPH [BINDING]\n"
     "whether it is that graph; BINDING says which port of the one is which of the other.",
     options_config, NULL, 1, 5, drive_config},
    {"map", "GRAPH", "lay a graph onto a fabric",
     "Chooses a function unit for every node of a function (or handshake.func), a way through the\n"
     "switches of --adg for every edge, a place for every memory; checks the configuration that\n"
     "comes of it against the graph, and writes it with reports into a folder.",
     options_map, NULL, 1, 1, drive_map},
    {"sim", "FABRIC...", "configured hardware, cycle by cycle",
     "Runs a fabric as the machine that an image makes of it: FABRIC IMAGE, or FABRIC alone, "
     "whose\n"
     "text then says the configuration. The case gives what goes in at the ports in use, in their\n"
     "order. Prints the results and how many cycles they took; with --stats where the cycles "
     "went.\n"
     "Of a machine in which nothing moves any more it says who waits for whom, and which fifo\n"
     "would open it.",
     options_sim, NULL, 1, 2, drive_sim},
    {"golden", "HOW DIR...", "check or bless: hold the histories of every engine to a file",
     "HOW is check or bless; each DIR has kernel.mlir, case.json and golden.trace. check runs the\n"
     "case on every engine and compares the history of each access, memory, result and edge with\n"
     "the file; bless writes it, but changes the observable section only with --observable.",
     options_golden, NULL, 2, UINT32_MAX, drive_golden},
    {"emit", "BACKEND INPUT", "write a graph or a fabric in another form: C, Verilog, yours",
     "Lowers and proves the function (a handshake.func is taken as it is) and hands the graph to\n"
     "a backend, which writes files. They appear all at once when it has succeeded; of one that\n"
     "failed nothing is kept. What follows -- are the backend's own options, which\n"
     "`loom emit BACKEND --help` lists. Hardware is given as loom sim takes it: FABRIC [IMAGE], "
     "or\n"
     "the folder of a mapping.",
     options_emit, options_job, 1, 3, drive_emit},
    {"backends", "", "list the backends that were found, and where",
     "Lists the backends that are built in and those of plugins: from --plugin, from the folders\n"
     "of LOOM_PLUGIN_PATH, from plugins/ and backends/ beside the binary. The current folder is\n"
     "not searched. To write a plugin, begin with `loom backends --header -o loom_plugin.h`.",
     options_backends, NULL, 0, 0, drive_backends},
    {"test", "PATH...", "run the examples of the manual's chapters",
     "Runs every example in the chapters (Markdown files, or folders of them) and prints failures\n"
     "and the count. spec-tests/00-index.md tells how examples are written.",
     options_test, NULL, 1, UINT32_MAX, drive_test},
    {"explain", "CODE", "what a diagnostic code means, with examples",
     "Prints the manual's page of a diagnostic code: what it means, why the rule exists, a wrong\n"
     "and a right example.",
     options_explain, NULL, 0, 1, drive_explain},
    {"version", "", "print the version", "Prints the version.", no_options, NULL, 0, 0, version},
    {"help", "[COMMAND]", "print this, or the options of a command", "Prints help.", no_options,
     NULL, 0, 1, help},
};

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

static int no_such_command(Context *ctx, const char *name) {
  size_t len = strlen(name);
  if (name[0] == '-')
    return wrong_call("loom", "a command comes first, then its options: loom COMMAND %s ...", name);
  if (len > 5 && strcmp(name + len - 5, ".mlir") == 0)
    return wrong_call("loom", "a command comes before the file: loom opt %s", name);
  const char *names[COUNT_OF(commands)];
  for (size_t i = 0; i < COUNT_OF(commands); i++) names[i] = commands[i].name;
  return wrong_call("loom", "there is no command '%s'%s", name,
                    suggestion(ctx, name, names, COUNT_OF(commands)));
}

/* ---- help ----------------------------------------------------------------------------------- */

static int help_command(const Command *command) {
  printf("usage: loom %s [options]%s%s\n\n%s\n\n", command->name, *command->takes ? " " : "",
         command->takes, command->text);
  options_print(command->options, stdout);
  if (command->shared) options_print(command->shared, stdout);
  options_print(common_options, stdout);
  if (command->options == options_lower) {
    printf("\nstages:");
    for (size_t i = 0; i < lower_stage_count; i++) printf(" %s", lower_stage_names[i]);
    printf("\n");
  }
  return EXIT_GOOD;
}

static int help_all(void) {
  printf("LOOM turns loop kernels into dataflow graphs, proves them, and runs them.\n\n"
         "usage: loom COMMAND [options] FILE    (- is standard input or output)\n\n");
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    printf("  %-8s %-13s %s\n", commands[i].name, commands[i].takes, commands[i].summary);
  printf("\n`loom help COMMAND` lists a command's options.\n"
         "LOOM_INDEX_WIDTH=32..64 sets the width of `index`; NO_COLOR turns colours off.\n"
         "Exit status: 0 good, 1 the input is wrong, 2 the call is wrong, 3 it cannot be mapped,\n"
         "4 the run failed, 5 a fault inside LOOM or of the machine.\n");
  return EXIT_GOOD;
}

static int help(Call *call) {
  if (call->nfiles == 0) return help_all();
  const Command *command = find_command(call->files[0]);
  return command ? help_command(command) : no_such_command(call->ctx, call->files[0]);
}

/* ---- main ----------------------------------------------------------------------------------- */

static bool want_colour(const char *when) {
  if (strcmp(when, "auto") != 0) return strcmp(when, "always") == 0;
  const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
}

/* Hands on to a backend what follows "--", and --help where one is named. */
static bool hands_on(const Command *command) {
  return command->run == drive_emit;
}

/* What is still to come where `n` words of it are there: "DIR..." of "HOW DIR...". */
static const char *rest_of(const char *takes, u32 n) {
  for (const char *space; n > 0 && (space = strchr(takes, ' ')); n--) takes = space + 1;
  return takes;
}

/* Ctrl-C is told in the name of the command. */
static int run_story(const Command *command, Call *call) {
  interrupt_init(call->who);
  return command->run(call);
}

/* Reads the options behind the command's name and runs it. */
static int run_command(Context *ctx, const Command *command, int argc, char **argv) {
  Call call = {.ctx = ctx,
               .who = str_printf(ctx, "loom %s", command->name)->text,
               .set = {.color = "auto",
                       .output = "-",
                       .max_errors = ctx->max_errors,
                       .max_cycles = 100000000,
                       .rows = NOT_GIVEN,
                       .columns = NOT_GIVEN,
                       .tracks = NOT_GIVEN,
                       .width = NOT_GIVEN,
                       .depth = NOT_GIVEN,
                       .instructions = NOT_GIVEN,
                       .registers = NOT_GIVEN,
                       .routes = NOT_GIVEN,
                       .copies = NOT_GIVEN,
                       .memories = NOT_GIVEN,
                       .scratchpads = NOT_GIVEN,
                       .words = NOT_GIVEN,
                       .lanes = NOT_GIVEN,
                       .loads = NOT_GIVEN,
                       .stores = NOT_GIVEN,
                       .memory_tag = NOT_GIVEN,
                       .memory_latency = NOT_GIVEN,
                       .lane_depth = NOT_GIVEN,
                       .scratchpad_latency = NOT_GIVEN,
                       .inputs = NOT_GIVEN,
                       .outputs = NOT_GIVEN}};
  OptionReader reader = {.ctx = ctx,
                         .who = call.who,
                         .tables = {command->options, command->shared, common_options},
                         .settings = &call.set};
  if (hands_on(command)) reader.hint = "; options of a backend stand behind --";
  int own = 0;
  while (own < argc && !(hands_on(command) && strcmp(argv[own], "--") == 0)) own++;
  int status = options_read(&reader, own, argv);
  call.words = (const char *const *)argv + own + 1;
  call.nwords = own < argc ? (u32)(argc - own - 1) : 0;
  call.files = reader.files.at;
  call.nfiles = (u32)reader.files.len;
  ctx->colour = want_colour(call.set.color);
  ctx->strict = call.set.strict;
  ctx->max_errors = (u32)(call.set.max_errors > UINT32_MAX ? 0 : call.set.max_errors);
  if (!status && call.set.help && !(hands_on(command) && call.nfiles))
    status = help_command(command);
  else if (!status && call.nfiles < command->min_files)
    status = wrong_call(call.who, "%s is missing", rest_of(command->takes, call.nfiles));
  else if (!status && call.nfiles > command->max_files)
    status = wrong_call(call.who, "'%s' is one argument too many", call.files[command->max_files]);
  else if (!status)
    status = run_story(command, &call);
  vec_free(&reader.files);
  vec_free(&call.set.plugins);
  vec_free(&call.set.ins);
  vec_free(&call.set.cells);
  vec_free(&call.set.pins);
  return status;
}

/* LOOM_INDEX_WIDTH, where it is set. */
static bool read_index_width(Context *ctx) {
  const char *text = getenv("LOOM_INDEX_WIDTH");
  if (!text) return true;
  size_t digits = strspn(text, "0123456789");
  long width = digits && digits < 4 && !text[digits] ? strtol(text, NULL, 10) : 0;
  if (width >= 32 && width <= 64) {
    ctx->index_width = (unsigned)width;
    return true;
  }
  wrong_call("loom", "LOOM_INDEX_WIDTH must be a number from 32 to 64, not '%s'", text);
  return false;
}

/* An assertion that failed: it has said which. What plugins do is watched elsewhere (guard.c). */
static void on_abort(int number) {
  static const char said[] = "This is a bug in LOOM, not in your input. Please report it with the "
                             "input and the command line.\n";
  (void)number;
  if (write(STDERR_FILENO, said, sizeof said - 1) > 0) _exit(EXIT_FAULT);
  _exit(EXIT_FAULT); /* nobody listens */
}

int main(int argc, char **argv) {
  files_init();
  signal(SIGABRT, on_abort);
  mem_init();
  Context *ctx = context_new();
  const char *name = argc > 1 ? argv[1] : NULL;
  if (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) name = "help";
  if (name && strcmp(name, "--version") == 0) name = "version";
  const Command *command = name ? find_command(name) : NULL;
  int status = EXIT_BAD_CALL;
  if (!name)
    wrong_call("loom", "a command is missing; `loom help` lists them");
  else if (!command)
    no_such_command(ctx, name);
  else if (read_index_width(ctx))
    status = run_command(ctx, command, argc - 2, argv + 2);
  /* what was printed line by line shows only now whether it could be written */
  if (fflush(stdout) != 0 || ferror(stdout)) {
    diag(ctx, LOC_NONE, COMP_FILE_WRITE, "cannot write standard output: %s", strerror(errno));
    status = EXIT_FAULT;
  }
  context_free(ctx);
  return status;
}

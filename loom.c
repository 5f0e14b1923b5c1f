/* loom.c -- the command line: finds the command, reads its options, runs it; and `loom help`.
 *
 * The commands are in passes/driver, a file a command or two; driver.h lists them and says what one
 * is made of. Options are read by tables that say where in `Settings` a value goes
 * (base/options.h): a command's own, those it shares with others, and those that every command has.
 */
#include "base/interrupt.h"
#include "driver/driver.h"
#include "host/host.h"
#include "text/text.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const color_choices[] = {"auto", "always", "never", NULL};

static const Option common_options[] = {
    CHOICE("--color", "WHEN", color, color_choices,
           "when to use colours: auto (on a terminal), always or never", .initial = "auto"),
    NUMBER("--max-errors", "N", max_errors, "print at most N errors; 0: print all",
           .initial = "20"),
    FLAG("--help", help, "print this help"),
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

/* ---- the commands --------------------------------------------------------------------------- */

static const Command command_version = {
    .name = "version",
    .takes = "",
    .summary = "print the version",
    .text = "Prints the version.",
    .options = no_options,
    .run = version,
};

static const char *const shells[] = {"bash", "zsh", NULL};

static const Option options_help[] = {
    TEXT("--man", "DIR", man, "write man pages into DIR: loom.1, and one for each command"),
    CHOICE("--completion", "SHELL", completion, shells,
           "print a completion script for bash or zsh"),
    OPTIONS_END,
};

static const Command command_help = {
    .name = "help",
    .takes = "[COMMAND]",
    .summary = "print this help, or that of a command",
    .text = "Prints this help or that of a command; or writes the man pages or a completion\n"
            "script, as `make install` does.",
    .options = options_help,
    .max_files = 1,
    .run = help,
};

#define ADDRESS(name) &command_##name,
static const Command *const commands[] = {COMMANDS(ADDRESS) & command_version, &command_help};
#undef ADDRESS

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

static int no_such_command(Context *ctx, const char *name) {
  size_t len = strlen(name);
  if (name[0] == '-')
    return wrong_call("loom",
                      "expected a command before the options; `loom help` lists the commands");
  if (len > 5 && strcmp(name + len - 5, ".mlir") == 0)
    return wrong_call("loom", "expected a command before the file name, for example loom opt %s",
                      name);
  const char *names[COUNT_OF(commands)];
  for (size_t i = 0; i < COUNT_OF(commands); i++) names[i] = commands[i]->name;
  return wrong_call("loom", "unknown command '%s'%s", name,
                    suggestion(ctx, name, names, COUNT_OF(commands)));
}

/* ---- help ----------------------------------------------------------------------------------- */

static int help_command(const Command *command) {
  printf("usage: loom %s [options]%s%s\n\n%s\n\n", command->name, *command->takes ? " " : "",
         command->takes, command->text);
  options_print(command->options, stdout);
  if (command->shared) options_print(command->shared, stdout);
  options_print(common_options, stdout);
  if (command->help) command->help();
  return EXIT_GOOD;
}

static int help_all(void) {
  printf("LOOM compiles loop kernels to dataflow graphs, verifies them, maps them onto\n"
         "coarse-grained reconfigurable arrays (CGRAs), and simulates both.\n"
         "\n"
         "usage: loom COMMAND [options] FILE    (FILE - is standard input or output)\n"
         "\n");
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    printf("  %-10s %-13s %s\n", commands[i]->name, commands[i]->takes, commands[i]->summary);
  printf(
      "\n"
      "`loom help COMMAND` lists a command's options.\n"
      "LOOM_INDEX_WIDTH=32..64 sets the width of `index`; NO_COLOR turns colours off.\n"
      "Exit status: 0 success, 1 error in the input, 2 error in the command line, 3 no mapping,\n"
      "4 the run failed, 5 internal error, or no memory or disk space left.\n");
  return EXIT_GOOD;
}

static int help(Call *call) {
  const CommandTable table = {commands, COUNT_OF(commands), common_options};
  if ((call->nfiles > 0) + !!call->set.man + !!call->set.completion > 1)
    return wrong_call(call->command, "expected only one of COMMAND, --man and --completion");
  if (call->set.man) return install_man(call, &table, call->set.man);
  if (call->set.completion) return install_completion(call, &table, call->set.completion);
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

/* The options of a command, with their defaults; those it shares say themselves where these are. */
static OptionReader reader_of(Call *call, const Command *command) {
  OptionReader reader = {.ctx = call->ctx,
                         .who = call->command,
                         .tables = {{command->options, &call->set},
                                    {command->shared, (char *)&call->set + command->shared_at},
                                    {common_options, &call->set}},
                         .hint =
                             command->hands_on ? "; options of a backend must follow --" : NULL};
  options_default(reader.tables[0]);
  if (command->shared) options_unset(reader.tables[1]);
  options_default(reader.tables[2]);
  return reader;
}

/* ---- verbs ---------------------------------------------------------------------------------- */

static const Verb *find_verb(const Call *call, const Command *command) {
  for (const Verb *v = command->verbs; v && v->name; v++)
    if (call->nfiles && strcmp(v->name, call->files[0]) == 0) return v;
  return NULL;
}

static int no_such_verb(const Call *call, const Verb *verbs) {
  Vec(const char *) names = {0};
  Buf all = {0};
  for (const Verb *v = verbs; v->name; v++) {
    bool is_last = !v[1].name;
    buf_printf(&all, "%s%s", !names.len ? "" : is_last ? " or " : ", ", v->name);
    vec_push(&names, v->name);
  }
  const char *word = call->nfiles ? call->files[0] : NULL;
  if (word)
    wrong_call(call->command, "expected %s, but got '%s'%s", all.data, word,
               suggestion(call->ctx, word, names.at, names.len));
  else
    wrong_call(call->command, "expected %s", all.data);
  buf_free(&all);
  vec_free(&names);
  return EXIT_BAD_CALL;
}

/* Options of another verb, or, where `verb` is NULL, of any, are refused. */
static int check_options(const Call *call, const Command *command, const OptionReader *reader,
                         const Verb *verb) {
  const OptionTable *shared = &reader->tables[1];
  for (size_t i = 0; i < reader->given.len; i++) {
    const Option *option = reader->given.at[i];
    const char *verbs = option->verbs;
    for (const Option *o = shared->rows; o && o->name; o++)
      if (o == option) verbs = command->shared_verbs;
    if (!verbs || (verb ? word_in(verbs, verb->name) : !*verbs)) continue;
    if (!*verbs)
      return wrong_call(call->command, "%s does not apply to %s", option->name, verb->name);
    return wrong_call(call->command, "%s applies only to %s%s%s", option->name, verbs,
                      verb ? ", not to " : "", verb ? verb->name : "");
  }
  return EXIT_GOOD;
}

/* ---- running a command ---------------------------------------------------------------------- */

/* What is missing where `n` words of it are there: "DIR..." of "FABRIC DIR... [IMAGE]". */
static const char *rest_of(Context *ctx, const char *takes, u32 n) {
  for (const char *space; n > 0 && (space = strchr(takes, ' ')); n--) takes = space + 1;
  const char *optional = strstr(takes, " [");
  return optional ? str_intern(ctx, takes, (size_t)(optional - takes))->text : takes;
}

static int run_call(Call *call, const Command *command, const OptionReader *reader) {
  const Verb *verb = find_verb(call, command);
  if (!verb && !command->run) return no_such_verb(call, command->verbs);
  const char *takes = verb ? verb->takes : command->takes;
  u32 min = verb ? verb->min_files : command->min_files;
  u32 max = verb ? verb->max_files : command->max_files;
  if (verb) call->files++, call->nfiles--;
  if (call->nfiles < min)
    return wrong_call(call->command, "missing argument %s",
                      rest_of(call->ctx, takes, call->nfiles));
  if (call->nfiles > max)
    return wrong_call(call->command, "unexpected argument '%s'", call->files[max]);
  if (command->verbs && check_options(call, command, reader, verb)) return EXIT_BAD_CALL;
  interrupt_init(call->command); /* Ctrl-C is reported in the name of the command */
  int status = (verb ? verb->run : command->run)(call);
  return status == EXIT_BAD_INPUT && call->is_wrong ? EXIT_BAD_CALL : status;
}

/* Reads the options behind the command's name and runs it. */
static int run_command(Context *ctx, const Command *command, int argc, char **argv) {
  Call call = {.ctx = ctx, .command = str_printf(ctx, "loom %s", command->name)->text};
  OptionReader reader = reader_of(&call, command);
  int own = 0;
  while (own < argc && !(command->hands_on && strcmp(argv[own], "--") == 0)) own++;
  int status = options_read(&reader, own, argv);
  call.words = (const char *const *)argv + own + 1;
  call.nwords = own < argc ? (u32)(argc - own - 1) : 0;
  call.files = reader.files.at;
  call.nfiles = (u32)reader.files.len;
  ctx->colour = want_colour(call.set.color);
  ctx->strict = call.set.strict;
  ctx->max_errors = call.set.max_errors;
  if (!status && call.set.help && !(command->hands_on && call.nfiles))
    status = help_command(command);
  else if (!status)
    status = run_call(&call, command, &reader);
  vec_free(&reader.files);
  vec_free(&reader.given);
  registry_close(call.registry);
  vec_free(&call.set.plugins);
  vec_free(&call.set.reads);
  vec_free(&call.set.ins);
  vec_free(&call.set.cells);
  vec_free(&call.set.pins);
  vec_free(&call.set.cases);
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
  wrong_call("loom", "LOOM_INDEX_WIDTH expects a number from 32 to 64, but got '%s'", text);
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
    wrong_call("loom", "missing command; `loom help` lists the commands");
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

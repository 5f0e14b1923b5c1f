/* c.c -- the front end for C and C++: starts loom-c, which asks clang and LLVM, and hands on what
 * it says.
 *
 *     c.so   in LOOM's process: this file                 loom-c   beside it: child.c and the rest
 *
 * LLVM stays out of LOOM's process: it may abort, and takes 100 MB. loom-c writes the MLIR, with
 * what is to be known for a comparison with the system's compiler behind it, to its standard
 * output, as
 *
 *     == kernel.mlir
 *     func.func @fir(...
 *     == native.c
 *     ...
 *
 * and what is wrong to its standard error, a line each, as compilers do:
 *
 *     fir.c:12:7: error[C_CALL]: cannot call g: its body is not in this file
 *
 * A line that is no such line is clang's own explanation of something else, and is shown as it
 * is. */
#include "loom_frontend.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

/* Exit statuses of a child that did not begin: it is not there; the system does not find a library
 * of it. */
enum { NO_CHILD = 126, NO_LIBRARY = 127 };

/* What a child said on one of its two streams. */
typedef struct {
  char *text;
  size_t length, room;
} Said;

static int fail(const loom_host *host, const char *code, const char *what, const char *why) {
  char message[LONGEST_PATH + 200];
  snprintf(message, sizeof message, "%s%s%s", what, why ? ": " : "", why ? why : "");
  host->diag(host, LOOM_FAILURE, code, LOOM_NONE, message);
  return LOOM_ERROR;
}

/* ---- the child -------------------------------------------------------------------------------- */

extern const loom_plugin LOOM_PLUGIN_NAME;

/* loom-c lies in the folder that this plugin was loaded from. */
static int find_child(char path[LONGEST_PATH]) {
  Dl_info info;
  const char *slash;
  if (!dladdr((const void *)&LOOM_PLUGIN_NAME, &info) || !info.dli_fname) return 0;
  slash = strrchr(info.dli_fname, '/');
  if (!slash) return 0;
  return snprintf(path, LONGEST_PATH, "%.*s/loom-c", (int)(slash - info.dli_fname),
                  info.dli_fname) < LONGEST_PATH;
}

/* False where there is no more. */
static int take(int fd, Said *said) {
  ssize_t n;
  if (said->room - said->length < 4096) {
    said->room = 2 * said->room + 65536;
    said->text = realloc(said->text, said->room);
    if (!said->text) abort();
  }
  do n = read(fd, said->text + said->length, said->room - said->length - 1);
  while (n < 0 && errno == EINTR);
  if (n > 0) said->length += (size_t)n;
  said->text[said->length] = '\0';
  return n > 0;
}

static void take_all(int out, int err, Said *output, Said *errors) {
  struct pollfd ends[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  int open_ends = 2;
  while (open_ends > 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; i++)
      if (ends[i].fd >= 0 && ends[i].revents && !take(ends[i].fd, i ? errors : output)) {
        ends[i].fd = -1;
        open_ends--;
      }
  }
}

/* Runs the child; its exit status, or -1 after it was killed, or could not be started. */
static int run(char *const *words, Said *output, Said *errors) {
  int out[2], err[2], status;
  pid_t child;
  if (pipe(out) != 0) return -1;
  if (pipe(err) != 0) {
    close(out[0]), close(out[1]);
    return -1;
  }
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* its parent is gone then */
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    close(out[0]), close(out[1]), close(err[0]), close(err[1]);
    execv(words[0], words);
    _exit(NO_CHILD);
  }
  close(out[1]), close(err[1]);
  if (child > 0) take_all(out[0], err[0], output, errors);
  close(out[0]), close(err[0]);
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- what it said ------------------------------------------------------------------------------ */

/* FILE:LINE:COLUMN, cut into its parts; false where it is none. */
static int cut_place(char *place, uint32_t *line, uint32_t *column) {
  char *last = strrchr(place, ':'), *before = last;
  while (before && before > place && *--before != ':') continue;
  if (!last || before == place || *before != ':') return 0;
  *column = (uint32_t)strtoul(last + 1, NULL, 10);
  *line = (uint32_t)strtoul(before + 1, NULL, 10);
  *before = '\0';
  return 1;
}

/* Where a line says `word[CODE]: ` or `word: `, at its start or behind ": "; NULL: nowhere. */
static char *find_word(char *line, const char *word) {
  size_t length = strlen(word);
  for (char *at = strstr(line, word); at; at = strstr(at + 1, word)) {
    const char *behind = at + length, *end = *behind == '[' ? strstr(behind, "]: ") : NULL;
    bool begins = at == line || (at - line >= 2 && !memcmp(at - 2, ": ", 2));
    if (begins && (end || !strncmp(behind, ": ", 2))) return at;
  }
  return NULL;
}

/* FILE:LINE:COLUMN: error[CODE]: TEXT, or the same with warning or note, and without a code, which
 * is then clang's; without a place it is about the options. The first such word counts: the text may
 * have others. False where the line is none. */
static int say_line(const loom_host *host, const loom_places *places, char *line) {
  static const char *const words[] = {"error", "warning", "note", "fatal error"};
  static const enum loom_severity severities[] = {LOOM_FAILURE, LOOM_WARNING, LOOM_NOTE,
                                                  LOOM_FAILURE};
  const char *code = "C_CLANG";
  char *word = NULL, *text;
  uint32_t row, column;
  size_t which = 0;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    char *at = find_word(line, words[k]);
    if (at && (!word || at < word)) word = at, which = k;
  }
  if (!word) return 0;
  text = word + strlen(words[which]);
  if (*text == '[') {
    code = text + 1;
    text = strstr(text, "]: ");
    *text++ = '\0';
  }
  if (word > line) word[-2] = '\0';
  if (word > line && cut_place(line, &row, &column))
    places->diag(host, severities[which], code, line, row, column, text + 2);
  else
    host->diag(host, severities[which], code, LOOM_NONE, text + 2);
  return 1;
}

/* What else clang says is shown as it is, once; of a crash not what it had on its stack. */
static void say_lines(const loom_host *host, char *text) {
  const loom_places *places = host->get_extension(host, "loom.places/1");
  char *rest = NULL, *before = NULL;
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
       before = line, line = strtok_r(NULL, "\n", &rest)) {
    if (!strcmp(line, "Stack dump:")) return;
    if (before && !strcmp(before, line)) continue;
    if (!say_line(host, places, line)) host->diag(host, LOOM_NOTE, "", LOOM_NONE, line);
  }
}

/* The parts of its output, each behind a line "== NAME". */
static void write_parts(const loom_host *host, char *text) {
  while (text && strncmp(text, "== ", 3) == 0) {
    char *name = text + 3, *body = strchr(name, '\n'), *next;
    if (!body) return;
    *body++ = '\0';
    next = strncmp(body, "== ", 3) == 0 ? body : strstr(body, "\n== ");
    if (next && next != body) next++;
    host->write(host, name, body, next ? (size_t)(next - body) : strlen(body));
    text = next;
  }
}

/* ---- the front end ----------------------------------------------------------------------------- */

static int convert(const loom_host *host, const loom_kernel_file *file, Said *output,
                   Said *errors) {
  enum { OWN_WORDS = 8 };
  char path[LONGEST_PATH], **words, *flags, *rest = NULL;
  const char *given = host->option(host, "flags");
  size_t length = strlen(given), n = 0;
  int status;
  if (!find_child(path)) return fail(host, "C_FAILED", "loom-c was not found", NULL);
  flags = host->alloc(host, length + 1);
  words = host->alloc(host, (OWN_WORDS + length / 2 + 1) * sizeof *words);
  strcpy(flags, given);
  words[n++] = path;
  if (file->function) words[n++] = (char *)"--func", words[n++] = (char *)file->function;
  if (*host->option(host, "alias") == 'm') words[n++] = (char *)"--may-alias";
  words[n++] = (char *)file->name;
  words[n++] = (char *)"--";
  for (char *flag = strtok_r(flags, " ", &rest); flag; flag = strtok_r(NULL, " ", &rest))
    words[n++] = flag;
  words[n] = NULL;
  status = run(words, output, errors);
  if (status == NO_CHILD) return fail(host, "C_FAILED", path, strerror(ENOENT));
  say_lines(host, errors->text);
  if (status == NO_LIBRARY)
    return fail(host, "C_NO_CLANG",
                "LLVM 19's library is not installed (Debian's package libllvm19)", NULL);
  if (status == 0) write_parts(host, output->text);
  if (status == 0 || status == 1) return status ? LOOM_ERROR : LOOM_OK;
  if (status == 3)
    return fail(host, "C_NO_CLANG", "clang-19 is not installed (Debian's package clang-19)", NULL);
  return fail(host, "C_FAILED", "clang or LLVM crashed on this file", file->name);
}

static int read_file(const loom_host *host, const loom_kernel_file *file) {
  Said output = {NULL, 0, 0}, errors = {NULL, 0, 0};
  int status = convert(host, file, &output, &errors);
  free(output.text);
  free(errors.text);
  return status;
}

static const loom_option flags = {
    sizeof flags, "flags", LOOM_TEXT,
    "",           NULL,    "options for clang: --read 'flags=-DN=64 -Iinclude'"};
static const loom_option alias = {
    sizeof alias,   "alias",
    LOOM_CHOICE,    "distinct",
    "distinct|may", "whether plain pointers of arguments may point into one another's memory"};
static const loom_option *const options[] = {&flags, &alias};
static const char *const endings[] = {".c", ".cc", ".cpp"};
static const loom_frontend c = {
    sizeof c,  "c",
    "1.0",     "functions of C and C++, through clang and LLVM 19",
    endings,   LOOM_COUNT(endings),
    options,   LOOM_COUNT(options),
    read_file,
};
static const loom_frontend *const frontends[] = {&c};

LOOM_PLUGIN_ENTRY = LOOM_FRONTENDS(frontends);

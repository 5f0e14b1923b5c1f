/* console.c -- runs the commands of a console block and compares what they print.
 *
 *     $ loom opt in.mlir            a command: words split here, never by a shell
 *     func.func @f() {              its expected output, both streams interleaved
 *     ...                           any number of lines
 *     [1]                           the exit status, if it is not 0
 *
 * `loom` is /proc/self/exe, the running binary. A command runs in its own process with an almost
 * empty environment, in the section's folder, with a deadline, so it cannot hang the suite or crash
 * the runner. `cat` is built in. `cc` is the system's C compiler and `./NAME` a program built by
 * it: they run a chapter's own code, so blocks with them run only under --native.
 *
 * Expected lines are matched like a glob pattern in which `...` is the star: on a mismatch after a
 * star, the star takes one line more. That is quadratic at worst and linear on real output.
 */
#include "manual/manual.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SECONDS_A_COMMAND = 60, /* CPU time */
  SECONDS_ASLEEP = 1800,  /* wall-clock time: the machine may be busy */
  MAX_OUTPUT = 8 << 20,
  MAX_DIFF_LINES = 30,
  MAX_PAIRS = 1 << 20, /* of lines compared to bless a block */
  MAX_WORD = 64,
  CONTEXT_LINES = 2
};

/* ---- lines ---------------------------------------------------------------------------------- */

typedef struct {
  const char *at;
  size_t len; /* without the newline */
} Line;

typedef Vec(Line) Lines;

static void split_lines(const char *text, size_t len, Lines *lines) {
  for (size_t at = 0; at < len;) {
    const char *stop = memchr(text + at, '\n', len - at);
    Line line = {text + at, stop ? (size_t)(stop - text) - at : len - at};
    vec_push(lines, line);
    at += line.len + 1;
  }
}

static bool line_is(Line line, const char *text) {
  return line.len == strlen(text) && memcmp(line.at, text, line.len) == 0;
}

static bool same_line(Line a, Line b) {
  return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static bool lines_match(const Lines *want, const Lines *got) {
  size_t w = 0, g = 0, star = SIZE_MAX, resume = 0;
  while (g < got->len) {
    if (w < want->len && line_is(want->at[w], "...")) {
      star = w++;
      resume = g;
    } else if (w < want->len && same_line(want->at[w], got->at[g])) {
      w++, g++;
    } else if (star != SIZE_MAX) {
      w = star + 1;
      g = ++resume;
    } else {
      return false;
    }
  }
  while (w < want->len && line_is(want->at[w], "...")) w++;
  return w == want->len;
}

static void put_lines(Buf *report, char mark, const Lines *lines, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    if (i - first == MAX_DIFF_LINES) {
      buf_printf(report, "    %c ... and %zu more lines\n", mark, end - i);
      break;
    }
    buf_printf(report, "    %c %.*s\n", mark, (int)lines->at[i].len, lines->at[i].at);
  }
}

static void put_diff(const char *expected, size_t nexpected, const char *actual, size_t nactual,
                     Buf *report) {
  Lines want = {0}, got = {0};
  split_lines(expected, nexpected, &want);
  split_lines(actual, nactual, &got);
  size_t shorter = want.len < got.len ? want.len : got.len, head = 0, tail = 0;
  while (head < shorter && same_line(want.at[head], got.at[head])) head++;
  while (tail < shorter - head &&
         same_line(want.at[want.len - 1 - tail], got.at[got.len - 1 - tail]))
    tail++;
  size_t before = head < CONTEXT_LINES ? 0 : head - CONTEXT_LINES;
  size_t after = tail < CONTEXT_LINES ? tail : CONTEXT_LINES;
  put_lines(report, ' ', &got, before, head);
  put_lines(report, '-', &want, head, want.len - tail);
  put_lines(report, '+', &got, head, got.len - tail);
  put_lines(report, ' ', &got, got.len - tail, got.len - tail + after);
  vec_free(&want);
  vec_free(&got);
}

/* ---- blessing ------------------------------------------------------------------------------- */

/* The next word of a line, from *at on, without its digits. */
static size_t next_word(Line line, size_t *at, char word[MAX_WORD]) {
  size_t len = 0;
  while (*at < line.len && line.at[*at] == ' ') ++*at;
  for (; *at < line.len && line.at[*at] != ' '; ++*at)
    if (len < MAX_WORD && !isdigit((unsigned char)line.at[*at])) word[len++] = line.at[*at];
  return len;
}

/* Scores: of an equal line, and the limit of a similar one. An equal line outweighs several similar
 * ones. */
enum { SAME = 1000, LIKE = 200 };

/* The similarity of a line of the output to one of the block; 0 if it has less than half of its
 * words, by length. */
static i64 likeness(Line want, Line got) {
  if (same_line(want, got)) return SAME;
  char word[MAX_WORD], other[MAX_WORD];
  size_t all = 0, found = 0;
  for (size_t w = 0; w < want.len;) {
    size_t len = next_word(want, &w, word), at = 0;
    bool is_found = false;
    while (len && at < got.len && !is_found)
      is_found = next_word(got, &at, other) == len && memcmp(word, other, len) == 0;
    all += len;
    found += is_found ? len : 0;
  }
  return 2 * found < all ? 0 : 1 + (i64)(LIKE * found / (all + got.len + 1));
}

/* Appends the printed lines, with `...` where the block had it: a sequence alignment by dynamic
 * programming. Every line of the block but `...` is paired, in order, with a similar line of the
 * output; an unpaired line of the output costs 1 unless a `...` covers it, and the total score is
 * maximal. False if there is no such alignment, or no `...` in the block. best[w][g] is the best
 * score of the lines from w and g on; O(nw * ng * line length). */
static bool put_elided(Arena *arena, const Lines *want, const Lines *got, Buf *out) {
  enum { NO_WAY = -(1 << 30) };
  size_t nw = want->len, ng = got->len, row = ng + 1;
  bool any = false;
  for (size_t w = 0; w < nw; w++) any = any || line_is(want->at[w], "...");
  if (!any || (nw + 1) * row > MAX_PAIRS) return false;
  i64 *best = NEW_ARRAY(arena, i64, (nw + 1) * row);
  for (size_t w = nw + 1; w-- > 0;)
    for (size_t g = row; g-- > 0;) {
      i64 *score = &best[w * row + g], alike;
      bool star = w < nw && line_is(want->at[w], "...");
      *score = w == nw && g == ng ? 0 : NO_WAY;
      if (star) *score = score[row];
      if (g < ng && score[1] - !star > *score) *score = score[1] - !star;
      if (g < ng && w < nw && !star && (alike = likeness(want->at[w], got->at[g])) &&
          score[row + 1] + alike > *score)
        *score = score[row + 1] + alike;
    }
  if (best[0] < NO_WAY / 2) return false;
  for (size_t w = 0, g = 0; w < nw || g < ng;) {
    const i64 *score = &best[w * row + g];
    bool star = w < nw && line_is(want->at[w], "...");
    bool is_unpaired = g < ng && *score == score[1] - !star; /* elided, or new */
    if (!star || !is_unpaired) {
      Line line = star ? want->at[w] : got->at[g];
      buf_put(out, line.at, line.len);
      buf_char(out, '\n');
    }
    if (!is_unpaired) w++;
    if (is_unpaired || !star) g++;
  }
  return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

typedef struct {
  Arena *arena;
  Vec(char *) words;       /* ends with NULL */
  Vec(char *) environment; /* likewise */
  const char *input;       /* < FILE, or NULL */
  const char *problem;     /* why it cannot be run, or NULL */
} ShellCommand;

/* Reads one word. Quotes and backslashes work as in a shell, nothing else is special. NULL if a
 * quote is not closed. */
static char *read_word(Arena *arena, const char **at, const char *end) {
  Buf word = {0};
  char quote = 0;
  const char *p = *at;
  for (; p < end && (quote || (*p != ' ' && *p != '\t')); p++) {
    if (quote ? *p == quote : *p == '\'' || *p == '"') {
      quote = quote ? 0 : *p;
    } else {
      if (*p == '\\' && quote != '\'' && p + 1 < end) p++;
      buf_char(&word, *p);
    }
  }
  *at = p;
  char *text = quote ? NULL : arena_copy(arena, word.len ? word.data : "", word.len + 1);
  buf_free(&word);
  return text;
}

static bool is_assignment(const char *word) {
  size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  return name && word[name] == '=';
}

static void split_command(Arena *arena, Line line, ShellCommand *command) {
  *command = (ShellCommand){.arena = arena};
  const char *at = line.at, *end = line.at + line.len;
  bool want_input = false;
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (at == end) break;
    bool bare_less = *at == '<' && (at + 1 == end || at[1] == ' ');
    char *word = read_word(arena, &at, end);
    if (!word) {
      command->problem = "unterminated quote";
      return;
    }
    if (want_input) {
      command->input = word;
      want_input = false;
    } else if (bare_less) {
      want_input = true;
    } else if (command->words.len == 0 && is_assignment(word)) {
      vec_push(&command->environment, word);
    } else {
      vec_push(&command->words, word);
    }
  }
  if (want_input) command->problem = "expected a file name after <";
  if (command->words.len && strcmp(command->words.at[0], "cc") == 0 && getenv("PATH")) {
    Buf path = {0}; /* a compiler runs other programs */
    buf_printf(&path, "PATH=%s", getenv("PATH"));
    vec_push(&command->environment, arena_copy(arena, path.data, path.len + 1));
    buf_free(&path);
  }
  if (command->words.len == 0) command->problem = "missing command";
  vec_push(&command->words, NULL);
  vec_push(&command->environment, NULL);
}

static void free_command(ShellCommand *command) {
  vec_free(&command->words);
  vec_free(&command->environment);
}

/* ---- running -------------------------------------------------------------------------------- */

static u64 milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

static const char *first_word(const ShellCommand *command) {
  return command->words.at[0];
}

/* The program that a command runs, or NULL. */
static const char *program_of(const ShellCommand *command) {
  const char *word = first_word(command), *cc = getenv("CC");
  if (strcmp(word, "loom") == 0) return "/proc/self/exe";
  if (strcmp(word, "cc") == 0) return cc && *cc && !strchr(cc, ' ') ? cc : "cc";
  return strncmp(word, "./", 2) == 0 && !strstr(word, "..") ? word : NULL;
}

/* Executes the program in the child process, with TMPDIR in the section's folder. LSAN_OPTIONS is
 * inherited, for `make asan`. */
NORETURN static void execute(const char *program, ShellCommand *command, const char *dir,
                             int output) {
  int input = -1;
  Buf tmp = {0}, leaks = {0};
  buf_printf(&tmp, "TMPDIR=%s", dir);
  command->environment.len--;
  vec_push(&command->environment, tmp.data);
  if (getenv("LSAN_OPTIONS")) {
    buf_printf(&leaks, "LSAN_OPTIONS=%s", getenv("LSAN_OPTIONS"));
    vec_push(&command->environment, leaks.data);
  }
  vec_push(&command->environment, NULL);
  if (chdir(dir) == 0) input = open(command->input ? command->input : "/dev/null", O_RDONLY);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0)
    _exit(126);
  execvpe(program, command->words.at, command->environment.at);
  _exit(127);
}

/* Reads until the end of the pipe, the deadline or the size limit. True at the end. */
static bool collect(int fd, Buf *output) {
  u64 deadline = milliseconds() + SECONDS_ASLEEP * 1000;
  for (;;) {
    u64 now = milliseconds();
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (now >= deadline || output->len > MAX_OUTPUT) return false;
    int n = poll(&ready, 1, (int)(deadline - now));
    if (n < 0 && errno != EINTR) return false;
    if (n <= 0) continue;
    char block[1 << 12];
    ssize_t got = read(fd, block, sizeof block);
    if (got == 0) return true;
    if (got > 0) buf_put(output, block, (size_t)got);
  }
}

/* Exit status of the program, or -signal; the output in `output`. */
static int run_program(const char *program, ShellCommand *command, const char *dir, Buf *output) {
  int ends[2];
  if (pipe(ends) != 0) {
    buf_printf(output, "(no pipe: %s)\n", strerror(errno));
    return -1;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* end with the worker */
    close(ends[0]);
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_A_COMMAND, SECONDS_A_COMMAND + 1});
    execute(program, command, dir, ends[1]);
  }
  close(ends[1]);
  bool ended = child > 0 && collect(ends[0], output);
  close(ends[0]);
  if (child < 0) return -1;
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
    buf_printf(output, "(stopped: it took more than %d seconds or printed more than %d MB)\n",
               SECONDS_A_COMMAND, MAX_OUTPUT >> 20);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int show_files(const ShellCommand *command, const char *dir, Buf *output) {
  int status = 0;
  for (size_t i = 1; i + 1 < command->words.len; i++) {
    Buf path = {0};
    buf_printf(&path, "%s/%s", dir, command->words.at[i]);
    FILE *file = strstr(command->words.at[i], "..") ? NULL : fopen(path.data, "r");
    buf_free(&path);
    if (!file) {
      buf_printf(output, "cat: cannot find %s\n", command->words.at[i]);
      status = 1;
      continue;
    }
    char block[1 << 12];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) buf_put(output, block, got);
    fclose(file);
  }
  return status;
}

static int run_command(ShellCommand *command, const char *dir, Buf *output) {
  int status;
  if (command->problem) {
    buf_printf(output, "(%s)\n", command->problem);
    return -1;
  }
  const char *program = program_of(command);
  if (program) {
    status = run_program(program, command, dir, output);
  } else if (strcmp(first_word(command), "cat") == 0) {
    status = show_files(command, dir, output);
  } else {
    buf_printf(output, "(only loom, cat, cc and programs ./NAME that cc built can be run here)\n");
    return -1;
  }
  if (output->len && output->data[output->len - 1] != '\n')
    buf_str(output, "\n(no newline at the end)\n");
  return status;
}

/* ---- a block -------------------------------------------------------------------------------- */

static bool is_command(Line line) {
  return line.len >= 2 && line.at[0] == '$' && line.at[1] == ' ';
}

/* `[N]`: N, else -1. */
static int status_of(Line line) {
  if (line.len < 3 || line.len > 5 || line.at[0] != '[' || line.at[line.len - 1] != ']') return -1;
  int status = 0;
  for (size_t i = 1; i + 1 < line.len; i++) {
    if (line.at[i] < '0' || line.at[i] > '9') return -1;
    status = status * 10 + (line.at[i] - '0');
  }
  return status;
}

/* Runs one command; `want` is the text of the block below it. */
static ConsoleOutcome check_command(Arena *arena, Line line, Line want, const char *dir,
                                    Buf *report, Buf *actual) {
  ShellCommand command;
  split_command(arena, (Line){line.at + 2, line.len - 2}, &command);
  Buf output = {0};
  int status = run_command(&command, dir, &output);
  free_command(&command);

  Lines expected = {0}, got = {0};
  split_lines(want.at, want.len, &expected);
  split_lines(output.data, output.len, &got);
  int expected_status = expected.len ? status_of(vec_last(&expected)) : -1;
  if (expected_status >= 0)
    expected.len--;
  else
    expected_status = 0;
  bool good = status == expected_status && lines_match(&expected, &got);
  Buf elided = {0};
  bool is_elided = !good && put_elided(arena, &expected, &got, &elided);
  size_t printed = output.len;
  vec_free(&expected);
  vec_free(&got);

  if (status < 0)
    buf_printf(&output, "(killed by signal %d)\n", -status);
  else if (status > 0)
    buf_printf(&output, "[%d]\n", status);
  buf_put(actual, line.at, line.len);
  buf_char(actual, '\n');
  if (good) {
    buf_put(actual, want.at, want.len);
  } else {
    size_t from = is_elided ? printed : 0;
    buf_put(actual, elided.data, elided.len);
    buf_put(actual, output.data ? output.data + from : "", output.len - from);
    buf_printf(report, "    %.*s\n", (int)line.len, line.at);
    put_diff(want.at, want.len, output.data ? output.data : "", output.len, report);
  }
  buf_free(&elided);
  buf_free(&output);
  return good ? CONSOLE_SAME : status < 0 ? CONSOLE_BROKEN : CONSOLE_DIFFERS;
}

/* Variables that cannot make a command load or run code. */
static bool is_harmless(const char *assignment) {
  static const char *const names[] = {"LOOM_INDEX_WIDTH=",
                                      "LOOM_FAIL_ALLOC=",
                                      "LOOM_INTERRUPT=",
                                      "NO_COLOR=",
                                      "XDG_CACHE_HOME=",
                                      "HOME=",
                                      "TMPDIR=",
                                      "TERM=",
                                      "LANG=",
                                      "LC_ALL="};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strncmp(assignment, names[i], strlen(names[i])) == 0) return true;
  return false;
}

/* Whether a word, or what follows its `=`, is a path outside the folder in which the block runs. */
static bool leads_out(const char *word) {
  const char *equals = strchr(word, '='), *path = equals ? equals + 1 : word;
  if (*path == '/') return true;
  for (const char *at = path; (at = strstr(at, "..")); at += 2)
    if ((at == path || at[-1] == '/') && (at[2] == '\0' || at[2] == '/')) return true;
  return false;
}

static bool command_is_native(const ShellCommand *command) {
  const char *program = first_word(command);
  if (!program) return false;
  if (strcmp(program, "loom") != 0 && strcmp(program, "cat") != 0) return true;
  for (size_t i = 0; i + 1 < command->words.len; i++)
    if (strncmp(command->words.at[i], "--plugin", 8) == 0 ||
        strncmp(command->words.at[i], "--native", 8) == 0 || leads_out(command->words.at[i]))
      return true;
  for (size_t i = 0; i + 1 < command->environment.len; i++)
    if (!is_harmless(command->environment.at[i]) || leads_out(command->environment.at[i]))
      return true;
  return false;
}

bool console_is_native(const Fence *fence) {
  Arena *arena = arena_new();
  Lines lines = {0};
  bool native = false;
  if (fence->kind == FENCE_CONSOLE) split_lines(fence->text, fence->len, &lines);
  for (size_t i = 0; i < lines.len; i++) {
    if (!is_command(lines.at[i])) continue;
    ShellCommand command;
    Line line = {lines.at[i].at + 2, lines.at[i].len - 2};
    split_command(arena, line, &command);
    native = native || (!command.problem && command_is_native(&command));
    free_command(&command);
  }
  vec_free(&lines);
  arena_free(arena);
  return native;
}

ConsoleOutcome console_run(const Fence *fence, const char *dir, Buf *report, Buf *actual) {
  Arena *arena = arena_new();
  Lines lines = {0};
  split_lines(fence->text, fence->len, &lines);
  ConsoleOutcome outcome = CONSOLE_SAME;
  if (lines.len == 0 || !is_command(lines.at[0])) {
    buf_str(report, "    expected a command, $ loom ..., at the start of a console block\n");
    buf_put(actual, fence->text, fence->len);
    lines.len = 0;
    outcome = CONSOLE_BROKEN;
  }
  for (size_t i = 0, next; i < lines.len; i = next) {
    for (next = i + 1; next < lines.len && !is_command(lines.at[next]);) next++;
    const char *end = next < lines.len ? lines.at[next].at : fence->text + fence->len;
    const char *below = i + 1 < lines.len ? lines.at[i + 1].at : end;
    Line want = {below, (size_t)(end - below)};
    ConsoleOutcome one = check_command(arena, lines.at[i], want, dir, report, actual);
    if (one > outcome) outcome = one;
  }
  vec_free(&lines);
  arena_free(arena);
  return outcome;
}

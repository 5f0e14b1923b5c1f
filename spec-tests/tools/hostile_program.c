/* hostile_program.c -- broken cases for a program that csim generated: it may refuse them, or run
 * into a trap, but it may not crash, hang, or do what a sanitizer sees.
 *
 *     hostile-program PROGRAM CASE.json 200          N passed, N failed
 *
 * The case itself must pass. Then it is cut off at many places, and broken many times: bytes
 * changed, pieces removed, repeated, moved, and replaced by what hurts (endless numbers, deep
 * nesting, unknown escapes). A few files are made of nothing but one such thing. Each is read by
 * the program in a process of its own, with ten seconds; it must end with one of the statuses it
 * documents. The program should be compiled with sanitizers; their status is made another one.
 * Everything random comes from a fixed seed.
 */
#include "base/base.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static u64 random_state = 1;

static size_t below(size_t n) { /* splitmix64 */
  u64 z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return n ? (size_t)((z ^ (z >> 31)) % n) : 0;
}

static const char *const pieces[] = {
    "[",         "]",        "{",          "}",           ",",
    ":",         "\"",       "\\",         "\"\\u12",     "1e999",
    "-",         "-1",       "0x",         "\"0x\"",      "\"\"",
    "null",      "[]",       "{}",         "[[[[[[",      "18446744073709551616",
    "\"inf\"",   "\"nanx\"", "268435457",  "1.5",         "01",
    "\"index\"", "\"i32\"",  "\"stream\"", "\"\\ud800\"", "true",
    "1e-400",    "\"\\q\"",  "\x01",       "\xff\xfe",    "4294967296",
    "-0",
};

typedef struct {
  const char *program, *path;
  int passed, failed;
} Trial;

static void write_case(const char *path, const Buf *text) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text->data, 1, text->len, file) != text->len || fclose(file) != 0) exit(1);
}

/* The program's status on a case; 128 and more: it was killed. */
static int status_on(const Trial *t, const Buf *text) {
  write_case(t->path, text);
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(126);
    execl(t->program, t->program, t->path, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) exit(1);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void ask(Trial *t, const Buf *text, const char *what) {
  int status = status_on(t, text);
  if (status == 0 || status == 1 || status == 4) {
    t->passed++;
    return;
  }
  printf("FAIL %s: the program ended with %d on this case:\n%.*s\n", what, status,
         (int)(text->len < 2000 ? text->len : 2000), text->data);
  t->failed++;
}

static void put_range(Buf *out, const Buf *text, size_t from, size_t to) {
  buf_put(out, text->data + from, to - from);
}

/* One change, somewhere. */
static void break_once(const Buf *text, Buf *out) {
  size_t at = below(text->len), end = at + below(below(4) ? 8 : text->len - at);
  if (end > text->len) end = text->len;
  put_range(out, text, 0, at);
  switch (below(5)) {
  case 0: buf_char(out, (char)below(256)); break; /* for what stood there */
  case 1: break;                                  /* removed */
  case 2:                                         /* repeated */
    put_range(out, text, at, end);
    put_range(out, text, at, end);
    break;
  case 3: /* replaced */ buf_str(out, pieces[below(COUNT_OF(pieces))]); break;
  default: /* a piece from elsewhere */
    put_range(out, text, at, end);
    at = below(text->len);
    put_range(out, text, at, at + below(text->len - at < 20 ? text->len - at : 20));
  }
  put_range(out, text, end, text->len);
}

static void ask_broken(Trial *t, const Buf *text, int count) {
  for (int i = 0; i < count; i++) {
    Buf one = {0}, two = {0};
    break_once(text, &one);
    for (size_t more = below(3); more > 0 && one.len; more--) {
      break_once(&one, &two);
      Buf swap = one;
      one = two;
      two = swap;
      two.len = 0;
    }
    ask(t, &one, "broken");
    buf_free(&one);
    buf_free(&two);
  }
}

/* Cut off at `count` places. */
static void ask_cut(Trial *t, const Buf *text, int count) {
  for (int i = 0; i < count; i++) {
    Buf cut = {0};
    put_range(&cut, text, 0, text->len * (size_t)i / (size_t)count);
    ask(t, &cut, "cut off");
    buf_free(&cut);
  }
}

/* A file of one thing a hundred thousand times. */
static void ask_repeated(Trial *t) {
  static const char *const things[] = {"[", "{\"args\":", "\"", "1", "-", "\\", " ", "[1,"};
  for (size_t k = 0; k < COUNT_OF(things); k++) {
    Buf text = {0};
    for (int i = 0; i < 100000; i++) buf_str(&text, things[k]);
    ask(t, &text, "repeated");
    buf_free(&text);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fputs("usage: hostile-program PROGRAM CASE.json COUNT\n", stderr);
    return 2;
  }
  char path[] = "/tmp/loom-hostile-XXXXXX";
  Trial t = {.program = argv[1], .path = path};
  int file = mkstemp(path), count = atoi(argv[3]), byte;
  FILE *in = fopen(argv[2], "rb");
  Buf text = {0};
  if (file < 0 || !in) return 1;
  close(file);
  while ((byte = getc(in)) != EOF) buf_char(&text, (char)byte);
  fclose(in);
  setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1", 1);
  setenv("UBSAN_OPTIONS", "exitcode=99", 1);
  if (status_on(&t, &text) != 0) {
    puts("FAIL the case does not pass as it is");
    t.failed++;
  }
  ask_cut(&t, &text, count);
  ask_broken(&t, &text, 2 * count);
  ask_repeated(&t);
  buf_free(&text);
  unlink(path);
  printf("%d passed, %d failed\n", t.passed, t.failed);
  return t.failed != 0;
}

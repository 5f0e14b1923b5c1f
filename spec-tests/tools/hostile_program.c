/* hostile_program.c -- broken cases for a program that csim generated: it may refuse them, or run
 * into a trap, but it may not crash, hang, or do what a sanitizer sees.
 *
 *     hostile-program PROGRAM CASE.json 200          N passed, N failed
 *
 * The case itself must pass. Then it is cut off at many places, and broken many times: bytes
 * changed, pieces removed, repeated, moved, and replaced by what hurts (endless numbers, deep
 * nesting, unknown escapes). A few files are made of nothing but one such thing. Each is read by
 * the program in a process of its own, with ten seconds of a core; it must end with one of the statuses it
 * documents. The program should be compiled with sanitizers; their status is made another one.
 * Everything random comes from a fixed seed.
 */
#include "subjects.h"

#include <stdlib.h>

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

static const char *program, *path; /* what is tested, and where its case goes */

/* The program's status on a case. */
static int status_on(const Buf *text) {
  RunLimits limits = {.out = "/dev/null", .err = "/dev/null", .seconds = 10};
  write_file(path, text->data ? text->data : "", text->len);
  return run_program((const char *[]){program, path, NULL}, &limits);
}

static void ask(const Buf *text, const char *what) {
  int status = status_on(text);
  check(status == 0 || status == 1 || status == 4,
        "%s: the program ended with %d on this case:\n%.*s", what, status,
        (int)(text->len < 2000 ? text->len : 2000), text->data);
}

static void put_range(Buf *out, const Buf *text, size_t from, size_t to) {
  buf_put(out, text->data + from, to - from);
}

/* One change, somewhere. */
static void break_once(const Buf *text, Buf *out) {
  size_t at = any_below(text->len), end = at + any_below(any_below(4) ? 8 : text->len - at);
  if (end > text->len) end = text->len;
  put_range(out, text, 0, at);
  switch (any_below(5)) {
  case 0: buf_char(out, (char)any_below(256)); break; /* for what stood there */
  case 1: break;                                      /* removed */
  case 2:                                             /* repeated */
    put_range(out, text, at, end);
    put_range(out, text, at, end);
    break;
  case 3: /* replaced */ buf_str(out, pieces[any_below(COUNT_OF(pieces))]); break;
  default: /* a piece from elsewhere */
    put_range(out, text, at, end);
    at = any_below(text->len);
    put_range(out, text, at, at + any_below(text->len - at < 20 ? text->len - at : 20));
  }
  put_range(out, text, end, text->len);
}

static void ask_broken(const Buf *text, int count) {
  for (int i = 0; i < count; i++) {
    Buf one = {0}, two = {0};
    break_once(text, &one);
    for (size_t more = any_below(3); more > 0 && one.len; more--) {
      break_once(&one, &two);
      Buf swap = one;
      one = two;
      two = swap;
      two.len = 0;
    }
    ask(&one, "broken");
    buf_free(&one);
    buf_free(&two);
  }
}

/* Cut off at `count` places. */
static void ask_cut(const Buf *text, int count) {
  for (int i = 0; i < count; i++) {
    Buf cut = {0};
    put_range(&cut, text, 0, text->len * (size_t)i / (size_t)count);
    ask(&cut, "cut off");
    buf_free(&cut);
  }
}

/* A file of one thing a hundred thousand times. */
static void ask_repeated(void) {
  static const char *const things[] = {"[", "{\"args\":", "\"", "1", "-", "\\", " ", "[1,"};
  for (size_t k = 0; k < COUNT_OF(things); k++) {
    Buf text = {0};
    for (int i = 0; i < 100000; i++) buf_str(&text, things[k]);
    ask(&text, "repeated");
    buf_free(&text);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) wrong_usage("hostile-program PROGRAM CASE.json COUNT");
  int count = atoi(argv[3]);
  Buf text = {0};
  program = argv[1];
  path = path_in(temp_folder(), "case.json");
  if (!read_buf(argv[2], &text)) return 1;
  setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1", 1);
  setenv("UBSAN_OPTIONS", "exitcode=99", 1);
  if (status_on(&text) != 0) check(false, "the case does not pass as it is");
  ask_cut(&text, count);
  ask_broken(&text, 2 * count);
  ask_repeated();
  buf_free(&text);
  return checks_end();
}

/* lib.h -- what the tools of the tests share. Knows nothing of LOOM: so do some of the tools.
 *
 * Random numbers from a seed, counted checks, options, files, and programs and functions that run
 * in a process of their own. A tool's last line is what checks_end prints:
 *
 *     N passed, N failed
 */
#ifndef TESTS_LIB_H
#define TESTS_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

/* ---- random numbers --------------------------------------------------------------------------- */

/* splitmix64: the same numbers from the same seed, on every machine. */
typedef struct {
  u64 state;
} Random;

u64 random_next(Random *r);
u64 random_below(Random *r, u64 n); /* 0 where n is 0 */
bool one_in(Random *r, u64 n);
/* Of a tool that needs only one row of numbers; from 1 on, or from where it sets the state. */
extern Random random_state;
u64 any_number(void);
u64 any_below(u64 n);

/* ---- checks ----------------------------------------------------------------------------------- */

extern u64 passed, failed;

/* Counts it; one that failed is printed: "FAIL ..." (the first thirty). Gives back what it was. */
__attribute__((format(printf, 2, 3))) bool check(bool good, const char *format, ...);
/* The last line, and the exit status of the tool. */
int checks_end(void);

/* ---- options ---------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  bool *flag;        /* --name */
  u64 *number;       /* --name N */
  const char **text; /* --name TEXT */
} ToolOption;

#define TOOL_FLAG(name, to)                                                                        \
  { name, .flag = &(to) }
#define TOOL_NUMBER(name, to)                                                                      \
  { name, .number = &(to) }
#define TOOL_TEXT(name, to)                                                                        \
  { name, .text = &(to) }
#define TOOL_OPTIONS(...)                                                                          \
  (const ToolOption[]) {                                                                           \
    __VA_ARGS__, {                                                                                 \
      0                                                                                            \
    }                                                                                              \
  }

/* Takes the options out of argv, wherever they stand; what is left begins at argv[1]. How many
 * words that is, argv[0] with them. Anything else that begins with two dashes ends the tool with
 * its usage; a `--` alone is left. */
int tool_options(int argc, char **argv, const ToolOption *options, const char *usage);
/* Ends the tool with status 2. */
__attribute__((noreturn)) void wrong_usage(const char *usage);

/* ---- files ------------------------------------------------------------------------------------ */

/* All of a file and a NUL, to be freed; NULL: it cannot be read. `len` may be NULL. */
char *read_file(const char *path, size_t *len);
/* Ends the tool where that is not possible. */
void write_file(const char *path, const void *data, size_t len);
/* "folder/name"; good until the 16th call from here. */
const char *path_in(const char *folder, const char *name);
/* A folder of this process's own, removed at its end with all that is in it. */
const char *temp_folder(void);
void remove_folder(const char *path);

/* ---- processes -------------------------------------------------------------------------------- */

typedef struct {
  const char *out, *err; /* files, anew, or one for both; NULL: those of this process */
  unsigned seconds;      /* of a core, not of the clock; 0: any number */
  u64 memory;            /* bytes of address space; 0: all there is */
  u64 *peak;             /* gets how many bytes it had at most */
} RunLimits;

/* Runs a program, found as a shell finds it: its exit status; 128 + the number of a signal; -1: it
 * could not be started. `words` end with NULL. */
int run_program(const char *const *words, const RunLimits *limits);
/* The same for a function, whose result is the status. */
int run_apart(int (*function)(void *), void *data, const RunLimits *limits);

/* ---- figures ---------------------------------------------------------------------------------- */

double median(double *values, size_t n); /* sorts them */

#endif

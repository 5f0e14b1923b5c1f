/* options.h -- reading a command line by tables.
 *
 *     {"--order", "HOW", OPTION_CHOICE, offsetof(Settings, order), "memory order",
 *      {"auto", "serial"}}
 *
 * A row says what the option is called, what it takes, where in a struct of settings its value
 * goes, and what the help says. Reading an option, listing it, and suggesting it for a misspelt one
 * are then one loop each. Values follow as the next word or after `=`; `--` ends the options; a
 * lone `-` is a file. Options may stand before, between and after files. Nothing but a list may be empty.
 */
#ifndef LOOM_OPTIONS_H
#define LOOM_OPTIONS_H

#include "base/base.h"

typedef enum {
  OPTION_FLAG,    /* bool: true where given */
  OPTION_TEXT,    /* const char *: a name or path, never "" */
  OPTION_LIST,    /* const char *, which may be "": a list of nothing */
  OPTION_COUNT,   /* u64, decimal */
  OPTION_SECONDS, /* double, not negative */
  OPTION_CHOICE,  /* const char *: one of `choices` */
  OPTION_TEXTS    /* Texts: one more text each time it is given; the caller frees */
} OptionKind;

typedef Vec(const char *) Texts;

typedef struct {
  const char *name, *value; /* value: what stands for it in the help; NULL for a flag */
  OptionKind kind;
  size_t offset; /* of its field in the settings */
  const char *help;
  const char *const *choices; /* ended by NULL; only of OPTION_CHOICE */
} Option;

#define OPTIONS_END                                                                                \
  { NULL, NULL, OPTION_FLAG, 0, NULL, NULL }

enum { OPTION_TABLES = 3 }; /* of one command: its own, those it shares, everybody's */

typedef struct {
  Context *ctx;
  const char *who; /* starts every complaint: "loom opt" */
  /* Each table ended by OPTIONS_END; NULL: none. In the order in which help shows them. */
  const Option *tables[OPTION_TABLES];
  void *settings;
  const char *hint;        /* said of an unknown option that is near to none; NULL: nothing */
  Vec(const char *) files; /* what is no option, in order */
} OptionReader;

/* Reads argv[0 .. argc). EXIT_GOOD, or EXIT_BAD_CALL after one plain line on standard error. */
int options_read(OptionReader *reader, int argc, char **argv);
/* Prints a table, a line an option. */
void options_print(const Option *table, FILE *out);

/* One plain line on standard error, `who: ...`; returns EXIT_BAD_CALL. */
int wrong_call(const char *who, const char *format, ...) PRINTF_LIKE(2, 3);
/* "; did you mean 'NAME'?", or nothing where no name is near. Lives as long as the context. */
const char *suggestion(Context *ctx, const char *word, const char *const *names, size_t n);

#endif

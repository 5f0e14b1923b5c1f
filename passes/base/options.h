/* options.h -- reading a command line by tables.
 *
 *     {.name = "--rows", .arg = "N", .kind = OPTION_NUMBER, .offset = offsetof(Settings, rows),
 *      .help = "rows of PEs", .low = 1, .high = 256, .initial = "4"}
 *
 * A row says all there is to say about an option: what it is called, what it takes and in which
 * bounds, where in a struct of settings its value goes, what that is where the option is not given,
 * and what the help says. Reading an option, checking it, listing it, and suggesting it for a
 * misspelt one are then one loop each. Values follow as the next word or after `=`; `--` ends the
 * options; a lone `-` is a file. Options may stand before, between and after files. Nothing but a
 * list may be empty.
 */
#ifndef LOOM_BASE_OPTIONS_H
#define LOOM_BASE_OPTIONS_H

#include "base/base.h"

typedef enum {
  OPTION_FLAG,    /* bool: true where given */
  OPTION_TEXT,    /* const char *: a name or path, never "" */
  OPTION_LIST,    /* const char *, which may be "": a list of nothing */
  OPTION_COUNT,   /* u64, decimal */
  OPTION_NUMBER,  /* u32, decimal */
  OPTION_SECONDS, /* double, decimal and finite */
  OPTION_CHOICE,  /* const char *: one of `choices` */
  OPTION_INDEX,   /* u32, or an enum: which of `choices` */
  OPTION_TEXTS    /* Texts: one more text each time it is given; the caller frees */
} OptionKind;

typedef Vec(const char *) Texts;

typedef struct {
  const char *name, *arg; /* arg: what stands for its value in the help; NULL for a flag */
  OptionKind kind;
  size_t offset;              /* of its field in the settings */
  const char *const *choices; /* ended by NULL; or NULL: any value of its kind */
  const char *const *names;   /* likewise, of a text: some that shells complete; or NULL */
  u64 low, high;              /* of counts and numbers; high 0: no bound */
  const char *initial;        /* the value where it is not given, as one would type it; or NULL */
  const char *verbs;          /* of a command with verbs: those that it is for, as words, "" none
                               * of them; NULL: any */
  const char *help;           /* to which bounds and `initial` are added */
} Option;

#define OPTIONS_END                                                                                \
  { .name = NULL }

/* A number or index that was not given and has no `initial`. */
#define OPTION_UNSET UINT32_MAX

/* Rows, ended by OPTIONS_END, and the struct that their offsets are of. */
typedef struct {
  const Option *rows; /* NULL: none */
  void *settings;
} OptionTable;

enum { OPTION_TABLES = 3 }; /* of one command: its own, those it shares, everybody's */

typedef struct {
  Context *ctx;
  const char *who;                   /* starts every complaint: "loom opt" */
  OptionTable tables[OPTION_TABLES]; /* in the order in which help shows them */
  const char *hint;        /* said of an unknown option that is near to none; NULL: nothing */
  Vec(const char *) files; /* what is no option, in order */
  Vec(const Option *) given;
} OptionReader;

/* Numbers and indices become OPTION_UNSET, other fields stay. */
void options_unset(OptionTable table);
/* Every option gets its `initial`; numbers and indices that have none become OPTION_UNSET. */
void options_default(OptionTable table);
/* Numbers, indices and texts that are set in `table` take the place of those in `to`, a struct of
 * the same type. */
void options_overlay(OptionTable table, void *to);
/* Reads argv[0 .. argc) into settings that have their defaults already. EXIT_GOOD, or EXIT_BAD_CALL
 * after one plain line on standard error. */
int options_read(OptionReader *reader, int argc, char **argv);
/* Gives an option a value as one would type it; false with the reason, which begins with the
 * option's name, appended to `why`. */
bool option_set(const Option *option, void *settings, const char *value, Buf *why);
/* Prints a table, a line an option. */
void options_print(const Option *rows, FILE *out);

/* One plain line on standard error, `who: ...`; returns EXIT_BAD_CALL. */
int wrong_call(const char *who, const char *format, ...) PRINTF_LIKE(2, 3);
/* "; did you mean 'NAME'?", or nothing where no name is near. Lives as long as the context. */
const char *suggestion(Context *ctx, const char *word, const char *const *names, size_t n);

#endif

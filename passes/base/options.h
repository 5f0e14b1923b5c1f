/* options.h -- a table-driven command-line parser.
 *
 *     {.name = "--rows", .arg = "N", .kind = OPTION_NUMBER, .offset = offsetof(Settings, rows),
 *      .help = "rows of PEs", .low = 1, .high = 256, .initial = "4"}
 *
 * A row describes an option completely: its name, its argument and bounds, the field of a settings
 * struct that receives the value, the default, and the help text. Reading, checking, listing and
 * suggesting options are then one loop each. A value is the next word or follows `=`; `--` ends the
 * options; a lone `-` is a file. Options may stand before, between and after files. Only lists may
 * be empty.
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
  const char *name, *arg; /* arg: placeholder for the value in the help; NULL for a flag */
  OptionKind kind;
  size_t offset;              /* of its field in the settings */
  const char *const *choices; /* ended by NULL; or NULL: any value of its kind */
  const char *const *names;   /* likewise: words that shells complete for a text; or NULL */
  u64 low, high;              /* bounds of counts and numbers; high 0: none */
  const char *initial;        /* the default, as one would type it; or NULL */
  const char *verbs;          /* in a command with verbs: the verbs that take the option, as words
                               * ("": none of them); NULL: all */
  const char *help;           /* bounds and `initial` are appended to it */
} Option;

#define OPTIONS_END                                                                                \
  { .name = NULL }

/* A number or index that was not given and has no `initial`. */
#define OPTION_UNSET UINT32_MAX

/* Rows, ended by OPTIONS_END, and the struct that their offsets refer to. */
typedef struct {
  const Option *rows; /* NULL: none */
  void *settings;
} OptionTable;

enum { OPTION_TABLES = 3 }; /* a command's own, those shared with some others, the global ones */

typedef struct {
  Context *ctx;
  const char *who;                   /* prefix of error messages: "loom opt" */
  OptionTable tables[OPTION_TABLES]; /* in the order in which help shows them */
  const char *hint;        /* appended for an unknown option with no similar name; or NULL */
  Vec(const char *) files; /* arguments that are no options, in order */
  Vec(const Option *) given;
} OptionReader;

/* Numbers and indices become OPTION_UNSET, other fields stay. */
void options_unset(OptionTable table);
/* Every option gets its `initial`; numbers and indices that have none become OPTION_UNSET. */
void options_default(OptionTable table);
/* Copies the numbers, indices and texts that are set in `table` to `to`, a struct of the same
 * type. */
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
/* "; did you mean 'NAME'?", or "" if no name is similar. Lives as long as the context. */
const char *suggestion(Context *ctx, const char *word, const char *const *names, size_t n);

#endif

/* options.c -- the command-line parser. See options.h. Linear search: tables have tens of rows. */
#include "base/options.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>

int wrong_call(const char *who, const char *format, ...) {
  fflush(stdout);
  fprintf(stderr, "%s: ", who);
  va_list args;
  va_start(args, format);
  put_message(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return EXIT_BAD_CALL;
}

const char *suggestion(Context *ctx, const char *word, const char *const *names, size_t n) {
  const char *near = nearest_name(word, names, n);
  return near ? str_printf(ctx, "; did you mean '%s'?", near)->text : "";
}

static const Option *find_option(const OptionReader *r, const char *name, size_t len,
                                 void **settings) {
  for (u32 t = 0; t < OPTION_TABLES; t++)
    for (const Option *o = r->tables[t].rows; o && o->name; o++)
      if (strlen(o->name) == len && memcmp(o->name, name, len) == 0) {
        *settings = r->tables[t].settings;
        return o;
      }
  return NULL;
}

/* The option of an argument with the value joined to a letter, as in -O1 and -j2. Only options with
 * choices or a number, so that a misspelt word is not taken for one. */
static const Option *find_joined(const OptionReader *r, const char *arg, void **settings) {
  const Option *option = arg[1] != '-' && arg[2] ? find_option(r, arg, 2, settings) : NULL;
  bool is_number = option && option->kind == OPTION_NUMBER && arg[2] >= '0' && arg[2] <= '9';
  return option && (option->choices || is_number) ? option : NULL;
}

static int unknown_option(OptionReader *r, const char *name, size_t len) {
  Vec(const char *) names = {0};
  for (u32 t = 0; t < OPTION_TABLES; t++)
    for (const Option *o = r->tables[t].rows; o && o->name; o++) vec_push(&names, o->name);
  const char *word = str_intern(r->ctx, name, len)->text;
  const char *near = suggestion(r->ctx, word, names.at, names.len);
  vec_free(&names);
  return wrong_call(r->who, "unknown option '%s'%s", word, *near || !r->hint ? near : r->hint);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_u32(const Option *option) {
  return option->kind == OPTION_NUMBER || option->kind == OPTION_INDEX;
}

static u64 highest(const Option *option) {
  if (option->high) return option->high;
  return option->kind == OPTION_NUMBER ? UINT32_MAX - 1 : UINT64_MAX;
}

/* The index of the value among the option's choices. */
static bool read_choice(const Option *option, const char *value, u32 *index, Buf *why) {
  for (*index = 0; option->choices[*index]; ++*index)
    if (strcmp(value, option->choices[*index]) == 0) return true;
  buf_printf(why, "%s expects ", option->name);
  for (size_t i = 0; option->choices[i]; i++)
    buf_printf(why, "%s%s", !i ? "" : option->choices[i + 1] ? ", " : " or ", option->choices[i]);
  buf_printf(why, ", but got '%s'", value);
  return false;
}

static bool read_number(const Option *option, const char *value, u64 *number, Buf *why) {
  char *end = NULL;
  errno = 0;
  *number = strtoull(value, &end, 10);
  bool is_number = *value >= '0' && *value <= '9' && !*end && !errno;
  if (is_number && *number >= option->low && *number <= highest(option)) return true;
  buf_printf(why, "%s expects a number from %llu to %llu, but got '%s'", option->name,
             (unsigned long long)option->low, (unsigned long long)highest(option), value);
  return false;
}

static bool read_seconds(const Option *option, const char *value, double *seconds, Buf *why) {
  char *end = NULL;
  bool has_digit = (*value >= '0' && *value <= '9') || *value == '.'; /* not inf, nan, -1 */
  *seconds = strtod(value, &end);
  if (has_digit && end != value && !*end && !strpbrk(value, "xX") && *seconds <= DBL_MAX)
    return true;
  buf_printf(why, "%s expects a number of seconds, but got '%s'", option->name, value);
  return false;
}

bool option_set(const Option *option, void *settings, const char *value, Buf *why) {
  void *field = (char *)settings + option->offset;
  u32 index = 0;
  u64 number = 0;
  if (option->choices && !read_choice(option, value, &index, why)) return false;
  if ((option->kind == OPTION_COUNT || option->kind == OPTION_NUMBER) &&
      !read_number(option, value, &number, why))
    return false;
  switch (option->kind) {
  case OPTION_FLAG: *(bool *)field = true; break;
  case OPTION_TEXT:
  case OPTION_TEXTS:
    /* An unset variable of a script: "" as a folder would mean the root. */
    if (!*value) {
      buf_printf(why, "%s expects %s, but got an empty string", option->name, option->arg);
      return false;
    }
    if (option->kind == OPTION_TEXTS)
      vec_push((Texts *)field, value);
    else
      *(const char **)field = value;
    break;
  case OPTION_LIST:
  case OPTION_CHOICE: *(const char **)field = value; break;
  case OPTION_COUNT: *(u64 *)field = number; break;
  case OPTION_NUMBER: *(u32 *)field = (u32)number; break;
  case OPTION_INDEX: *(u32 *)field = index; break;
  case OPTION_SECONDS: return read_seconds(option, value, field, why);
  }
  return true;
}

/* The same for a command line. */
static int set_option(const char *who, const Option *option, void *settings, const char *value) {
  Buf why = {0};
  bool good = option_set(option, settings, value, &why);
  int status = good ? EXIT_GOOD : wrong_call(who, "%s", why.data);
  buf_free(&why);
  return status;
}

void options_unset(OptionTable table) {
  for (const Option *o = table.rows; o->name; o++)
    if (is_u32(o)) *(u32 *)((char *)table.settings + o->offset) = OPTION_UNSET;
}

void options_default(OptionTable table) {
  options_unset(table);
  for (const Option *o = table.rows; o->name; o++)
    if (o->initial && set_option("loom", o, table.settings, o->initial))
      loom_bug("the default of %s is not one of its values", o->name);
}

void options_overlay(OptionTable table, void *to) {
  for (const Option *o = table.rows; o->name; o++) {
    const char *from = (const char *)table.settings + o->offset;
    char *field = (char *)to + o->offset;
    if (is_u32(o) && *(const u32 *)from != OPTION_UNSET)
      *(u32 *)field = *(const u32 *)from;
    else if (!is_u32(o) && *(const char *const *)from)
      *(const char **)field = *(const char *const *)from;
  }
}

/* ---- the command line ------------------------------------------------------------------------ */

/* One argument that starts with a dash; *i moves on where the value is the next argument. */
static int read_option(OptionReader *r, int argc, char **argv, int *i) {
  const char *arg = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i];
  const char *equals = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;
  size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
  void *settings;
  const Option *option = find_option(r, arg, len, &settings);
  const Option *joined = option ? NULL : find_joined(r, arg, &settings);
  if (!option && !joined) return unknown_option(r, arg, len);
  vec_push(&r->given, option ? option : joined);
  if (joined) return set_option(r->who, joined, settings, arg + 2);
  if (option->kind == OPTION_FLAG && equals)
    return wrong_call(r->who, "%s takes no value", option->name);
  if (option->kind == OPTION_FLAG) return set_option(r->who, option, settings, "");
  if (equals) return set_option(r->who, option, settings, equals + 1);
  if (*i + 1 >= argc)
    return wrong_call(r->who, "%s requires an argument: %s", option->name, option->arg);
  return set_option(r->who, option, settings, argv[++*i]);
}

int options_read(OptionReader *r, int argc, char **argv) {
  bool only_files = false;
  for (int i = 0; i < argc; i++) {
    if (!*argv[i]) return wrong_call(r->who, "argument %d is an empty string", i + 1);
    if (only_files || argv[i][0] != '-' || argv[i][1] == '\0') {
      vec_push(&r->files, argv[i]);
    } else if (strcmp(argv[i], "--") == 0) {
      only_files = true;
    } else {
      int status = read_option(r, argc, argv, &i);
      if (status) return status;
    }
  }
  return EXIT_GOOD;
}

void options_print(const Option *option, FILE *out) {
  for (; option->name; option++) {
    const char *arg = option->arg ? option->arg : "";
    int width = 20 - (int)strlen(option->name);
    fprintf(out, "  %s%s%-*s  %s", option->name, *arg ? " " : "", width - (*arg ? 1 : 0), arg,
            option->help);
    if (option->initial || option->high) fputs(" (", out);
    if (option->initial) fputs(option->initial, out);
    if (option->high)
      fprintf(out, "%s%llu to %llu", option->initial ? "; " : "", (unsigned long long)option->low,
              (unsigned long long)option->high);
    fputs(option->initial || option->high ? ")\n" : "\n", out);
  }
}

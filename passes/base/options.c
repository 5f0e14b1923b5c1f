/* options.c -- see options.h. */
#include "base/options.h"

#include <errno.h>
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

static const Option *find_option(const OptionReader *r, const char *name, size_t len) {
  for (u32 t = 0; t < OPTION_TABLES; t++)
    for (const Option *o = r->tables[t]; o && o->name; o++)
      if (strlen(o->name) == len && memcmp(o->name, name, len) == 0) return o;
  return NULL;
}

static int unknown_option(OptionReader *r, const char *name, size_t len) {
  const char *names[64];
  size_t n = 0;
  for (u32 t = 0; t < OPTION_TABLES; t++)
    for (const Option *o = r->tables[t]; o && o->name && n < COUNT_OF(names); o++)
      names[n++] = o->name;
  const char *word = str_intern(r->ctx, name, len)->text;
  const char *near = suggestion(r->ctx, word, names, n);
  return wrong_call(r->who, "there is no option '%s'%s", word, *near || !r->hint ? near : r->hint);
}

static int set_choice(OptionReader *r, const Option *option, const char *value,
                      const char **field) {
  size_t n = 0;
  for (; option->choices[n]; n++) {
    if (strcmp(value, option->choices[n]) != 0) continue;
    *field = value;
    return EXIT_GOOD;
  }
  Buf all = {0};
  for (size_t i = 0; i < n; i++) buf_printf(&all, "%s%s", i ? " or " : "", option->choices[i]);
  int status = wrong_call(r->who, "%s wants %s, not '%s'", option->name, all.data, value);
  buf_free(&all);
  return status;
}

static int set_option(OptionReader *r, const Option *option, const char *value) {
  void *field = (char *)r->settings + option->offset;
  char *end = NULL;
  errno = 0;
  switch (option->kind) {
  case OPTION_FLAG: *(bool *)field = true; break;
  case OPTION_TEXT:
  case OPTION_TEXTS:
    /* The unset variable of a script: as a folder it would be the root. */
    if (!*value) return wrong_call(r->who, "%s wants %s, not nothing", option->name, option->value);
    if (option->kind == OPTION_TEXTS)
      vec_push((Texts *)field, value);
    else
      *(const char **)field = value;
    break;
  case OPTION_LIST: *(const char **)field = value; break;
  case OPTION_CHOICE: return set_choice(r, option, value, field);
  case OPTION_COUNT:
    *(u64 *)field = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno)
      return wrong_call(r->who, "%s wants a number, not '%s'", option->name, value);
    break;
  case OPTION_SECONDS:
    *(double *)field = strtod(value, &end);
    if (end == value || *end || !(*(double *)field >= 0))
      return wrong_call(r->who, "%s wants a number of seconds, not '%s'", option->name, value);
    break;
  }
  return EXIT_GOOD;
}

/* One argument that starts with a dash; *i moves on where the value is the next argument. */
static int read_option(OptionReader *r, int argc, char **argv, int *i) {
  const char *arg = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i];
  const char *equals = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;
  size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
  const Option *option = find_option(r, arg, len);
  if (!option) return unknown_option(r, arg, len);
  if (option->kind == OPTION_FLAG && equals)
    return wrong_call(r->who, "%s takes no value", option->name);
  if (option->kind == OPTION_FLAG) return set_option(r, option, NULL);
  if (equals) return set_option(r, option, equals + 1);
  if (*i + 1 >= argc) return wrong_call(r->who, "%s wants %s", option->name, option->value);
  return set_option(r, option, argv[++*i]);
}

int options_read(OptionReader *r, int argc, char **argv) {
  bool only_files = false;
  for (int i = 0; i < argc; i++) {
    if (!*argv[i]) return wrong_call(r->who, "argument %d is empty", i + 1);
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
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    fprintf(out, "  %-20s  %s\n", left, option->help);
  }
}

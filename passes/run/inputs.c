/* inputs.c -- makes a case of the arguments on the command line and in files.
 *
 * Each --in gives one argument; the others come from the case or, in order, from --args.
 */
#include "run/inputs.h"

#include "base/options.h"
#include "run/literal.h"

typedef struct {
  Context *ctx;
  const Inputs *in;
  const char **file_of; /* by argument: the file of its --in, or NULL */
} Gatherer;

/* The argument with this name or number; in->n where there is none. */
static u32 argument_named(const Inputs *in, const char *name, size_t len) {
  u32 i = 0;
  while (i < in->n && (strlen(in->names[i]) != len || memcmp(in->names[i], name, len) != 0)) i++;
  bool is_number = i == in->n && len && len < 9 && strspn(name, "0123456789") == len;
  for (size_t k = 0, number = 0; is_number && k < len; k++) {
    number = number * 10 + (size_t)(name[k] - '0');
    if (k + 1 == len && number < in->n) i = (u32)number;
  }
  return i;
}

static int no_such_argument(const Gatherer *g, const char *name) {
  enum { MOST_LISTED = 8 };
  const Inputs *in = g->in;
  const char *near = suggestion(g->ctx, name, in->names, in->n);
  Buf list = {0};
  for (u32 i = 0; i < in->n && i < MOST_LISTED && !*near; i++)
    buf_printf(&list, "%s%s", i ? ", " : " (it has ", in->names[i]);
  if (list.len) buf_str(&list, in->n > MOST_LISTED ? ", ...)" : ")");
  int status = wrong_call(in->who, "@%s has no argument '%s'%s%s", in->function->text, name, near,
                          list.len ? list.data : "");
  buf_free(&list);
  return status;
}

/* Assigns the file of every --in NAME=FILE to its argument. */
static int assign_files(const Gatherer *g) {
  const Inputs *in = g->in;
  for (u32 f = 0; f < in->nfiles; f++) {
    const char *word = in->files[f], *equals = strchr(word, '=');
    if (!equals || !equals[1])
      return wrong_call(in->who, "--in expects NAME=FILE, but got '%s'", word);
    const char *name = str_intern(g->ctx, word, (size_t)(equals - word))->text;
    u32 i = argument_named(in, name, strlen(name));
    if (i == in->n) return no_such_argument(g, name);
    if (g->file_of[i]) return wrong_call(in->who, "--in gives argument '%s' twice", in->names[i]);
    g->file_of[i] = equals + 1;
  }
  return EXIT_GOOD;
}

/* Reads the arguments without a file from --args, in order. */
static int read_literals(const Gatherer *g, Case *c) {
  const Inputs *in = g->in;
  const char *text = in->args ? in->args : "";
  Literals literals = {.ctx = g->ctx, .at = text, .end = text + strlen(text)};
  u32 wanted = 0;
  for (u32 i = 0; i < in->n; i++) wanted += !g->file_of[i];
  if (wanted && !in->args)
    return wrong_call(in->who, "@%s takes %u argument%s: give %s with --args, --in or --case",
                      in->function->text, in->n, plural(in->n),
                      wanted == 1 && in->n == 1 ? "it"
                      : wanted == in->n         ? "them"
                                                : "the others");
  const Type **types = NEW_ARRAY(c->arena, const Type *, in->n);
  for (u32 i = 0, k = 0; i < in->n; i++)
    if (!g->file_of[i]) types[k++] = in->types[i];
  Case *by_hand = literal_case(&literals, in->function, types, wanted);
  literal_space(&literals);
  bool good = by_hand && literals.at == literals.end;
  if (!good && literals.argument) {
    u32 i = 0; /* the argument of the function, without those that --in gives */
    for (u32 k = literals.argument; k -= !g->file_of[i]; i++)
      ;
    wrong_call(in->who, "--args: argument %u of %u, '%s': %s", i + 1, in->n, in->names[i],
               literals.problem);
  } else if (!good && literals.problem)
    wrong_call(in->who, "--args: %s", literals.problem);
  else if (!good)
    wrong_call(in->who, "--args: too many arguments: @%s takes %u%s", in->function->text, wanted,
               wanted < in->n ? " more" : "");
  for (u32 i = 0, k = 0; good && i < in->n; i++)
    if (!g->file_of[i]) case_copy_arg(g->ctx, c, i, &by_hand->args[k++]);
  case_free(by_hand);
  return good ? EXIT_GOOD : EXIT_BAD_CALL;
}

static int read_files(const Gatherer *g, Case *c) {
  for (u32 i = 0; i < g->in->n; i++) {
    if (!g->file_of[i]) continue;
    if (!case_give_npy(g->ctx, c, i, g->in->names[i], g->in->types[i], g->file_of[i]))
      return EXIT_BAD_INPUT;
  }
  return EXIT_GOOD;
}

/* Reports an argument that neither the case nor a file gives. */
static int check_complete(const Gatherer *g, u32 given) {
  for (u32 i = given; i < g->in->n; i++)
    if (!g->file_of[i])
      return wrong_call(g->in->who, "neither the case nor --in gives argument '%s' of @%s",
                        g->in->names[i], g->in->function->text);
  return EXIT_GOOD;
}

u32 inputs_of_function(Context *ctx, const Block *entry, const Type **types, const char **names) {
  for (u32 i = 0; i < entry->nargs; i++) {
    types[i] = entry->args[i]->type;
    if (names) names[i] = arg_shown_name(ctx, entry->args[i]);
  }
  return entry->nargs;
}

u32 inputs_of_graph(Context *ctx, const Dfg *dfg, const Type **types, const char **names) {
  u32 n = 0;
  for (u32 i = 0; i < dfg->nargs; i++) {
    const DfgArg *arg = &dfg->args[i];
    if (arg->role != DFG_ARG_VALUE && arg->role != DFG_ARG_MEMREF) continue;
    types[n] = dfg->types[arg->type].ir;
    if (names) names[n] = str_of(ctx, dfg_text(dfg, arg->name))->text;
    n++;
  }
  return n;
}

int inputs_read(Context *ctx, const Inputs *inputs, Case **c) {
  const char **file_of = mem_alloc(mem_size((size_t)inputs->n + 1, sizeof *file_of));
  Gatherer g = {ctx, inputs, file_of};
  bool completes = *c != NULL;
  int status = assign_files(&g);
  if (!status && completes) status = check_complete(&g, (*c)->nargs);
  if (!status && !completes) {
    *c = case_new(inputs->function, inputs->n);
    status = read_literals(&g, *c);
  }
  if (!status && inputs->nfiles) {
    case_make_room(*c, inputs->n);
    status = read_files(&g, *c);
    (*c)->has_expected = false;
  }
  mem_free(file_of);
  return status;
}

/* case_npy.c -- arguments of cases from .npy files, and results and memories into .npy files.
 *
 *     loom run kernel.mlir --in A=a.npy --args 7 --out-dir out      out/A.npy out/result0.npy
 *
 * The files of one run appear together or not at all (files_write), so that a folder never holds
 * the memories of one run and the results of another. The format itself is in npy.c.
 */
#include "run/npy.h"

#include "run/case_state.h"
#include "run/value.h"
#include "text/text.h"

Case *case_new(const Str *function, u32 nargs) {
  Arena *arena = arena_new();
  Case *c = NEW(arena, Case);
  *c = (Case){.function = function,
              .args = NEW_ARRAY(arena, CaseArg, nargs),
              .nargs = nargs,
              .arena = arena};
  return c;
}

void case_make_room(Case *c, u32 nargs) {
  if (nargs <= c->nargs) return;
  CaseArg *args = NEW_ARRAY(c->arena, CaseArg, nargs);
  for (u32 i = 0; i < c->nargs; i++) args[i] = c->args[i];
  c->args = args;
  c->nargs = nargs;
}

void case_copy_arg(const Context *ctx, Case *c, u32 i, const CaseArg *arg) {
  u32 words = value_words(ctx, arg->type);
  array_release(c->args[i].array);
  c->args[i] = *arg;
  c->args[i].shape = arena_copy(c->arena, arg->shape, arg->rank * sizeof *arg->shape);
  if (arg->data)
    c->args[i].data = arena_copy(c->arena, arg->data, mem_size(arg->n, words * sizeof *arg->data));
  if (arg->array) array_retain(arg->array);
}

RunMemory case_result(u32 i, const CaseArg *arg, Array *memory, const ElementLayout *layout) {
  return (RunMemory){.arg = i,
                     .elem = arg->type,
                     .array = array_in_rows(memory, layout),
                     .rank = arg->rank,
                     .shape = arg->shape};
}

/* Whether a memref can have the array's shape; case_fits checks its layout later. */
static bool shape_fits(Context *ctx, const NpyArray *array, const char *name, const Type *type,
                       const char *path) {
  if (array->rank && type_is_flat(type)) return true;
  bool good = array->rank == type->rank;
  for (u32 d = 0; good && d < type->rank; d++)
    good = type->shape[d] == DYNAMIC || type->shape[d] == array->shape[d];
  if (good) return true;
  Buf shape = {0}, wanted = {0};
  case_shape_text(array->shape, array->rank, &shape);
  text_type(type, &wanted);
  diag(ctx, LOC_NONE, RT_NPY_SHAPE, "%s: the array has the shape %s, but argument '%s' is %s", path,
       shape.data, name, wanted.data);
  buf_free(&shape);
  buf_free(&wanted);
  return false;
}

bool case_give_npy(Context *ctx, Case *c, u32 i, const char *name, const Type *type,
                   const char *path) {
  bool is_memref = type->kind == TYPE_MEMREF;
  const Type *elem = is_memref ? type->elem : type;
  NpyArray file = {0};
  if (!type_is_scalar(elem)) {
    Buf text = {0};
    text_type(type, &text);
    diag(ctx, LOC_NONE, RT_NPY_TYPE, "%s: argument '%s' is of type %s, not an array of numbers",
         path, name, text.data);
    buf_free(&text);
    return false;
  }
  if (!npy_read(ctx, path, elem, c->arena, &file)) return false;
  CaseArg arg = {.kind = is_memref        ? CASE_MEMREF
                         : file.rank == 0 ? CASE_SCALAR
                                          : CASE_STREAM,
                 .type = elem,
                 .rank = is_memref ? file.rank : 0,
                 .shape = file.shape,
                 .n = array_length(file.array)};
  if (!is_memref && file.rank > 1) {
    diag(ctx, LOC_NONE, RT_NPY_SHAPE,
         "%s: argument '%s' is a number or a stream of numbers, but the array has %u dimensions",
         path, name, file.rank);
    array_release(file.array);
    return false;
  }
  array_release(c->args[i].array);
  if (is_memref)
    arg.array = file.array;
  else
    arg.data = array_words(c->arena, file.array);
  if (!is_memref) array_release(file.array);
  c->args[i] = arg;
  return !is_memref || shape_fits(ctx, &file, name, type, path);
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  const char *dir;
  Vec(FileText) files;
  Vec(Buf) texts;
} Writer;

/* The path of an array's file, by the array's name, with _ appended until it is unique. */
static const char *file_name(Writer *w, const char *name) {
  Buf text = {0};
  buf_printf(&text, "%s/%s", w->dir, file_name_of(w->ctx, name));
  const char *out = NULL;
  for (bool is_taken = true; is_taken;) {
    out = str_printf(w->ctx, "%s.npy", text.data)->text;
    is_taken = false;
    for (size_t i = 0; i < w->files.len; i++) is_taken |= w->files.at[i].path == out;
    buf_char(&text, '_');
  }
  buf_free(&text);
  return out;
}

static bool add_array(Writer *w, const char *name, const Type *elem, const i64 *shape, u32 rank,
                      Elements elements) {
  if (!type_is_scalar(elem)) {
    Buf text = {0};
    text_type(elem, &text);
    diag(w->ctx, LOC_NONE, RT_NPY_TYPE, "cannot write %s to a .npy file: its type is %s", name,
         text.data);
    buf_free(&text);
    return false;
  }
  Buf bytes = {0};
  bool as_they_stand = npy_write(w->ctx, elem, shape, rank, elements, &bytes);
  FileText file = {.path = file_name(w, name), .fd = -1, .data = bytes.data, .len = bytes.len};
  if (as_they_stand) {
    file.tail = elements.at;
    file.more = mem_size(elements.n, elements.bytes);
  }
  vec_push(&w->files, file);
  vec_push(&w->texts, bytes);
  return true;
}

static bool add_all(Writer *w, const RunResult *result, const char *const *names) {
  bool good = true;
  for (size_t i = 0; i < result->results.len; i++) {
    const RunTokens *r = &result->results.at[i];
    i64 n = (i64)r->tokens.len;
    char name[32];
    snprintf(name, sizeof name, "result%zu", i);
    Elements tokens = elements_of_words(r->tokens.at, r->tokens.len);
    good = add_array(w, name, r->type, &n, n != 1, tokens) && good;
  }
  for (size_t i = 0; i < result->memories.len; i++) {
    const RunMemory *m = &result->memories.at[i];
    good =
        add_array(w, names[m->arg], m->elem, m->shape, m->rank, array_elements(m->array)) && good;
  }
  return good;
}

int case_write_npy(Context *ctx, const RunResult *result, const char *const *names,
                   const char *dir) {
  Writer w = {.ctx = ctx, .dir = dir};
  int status = add_all(&w, result, names) ? EXIT_GOOD : EXIT_BAD_INPUT;
  if (!status && (!file_make_dir(ctx, dir) || !files_write(ctx, w.files.at, w.files.len)))
    status = EXIT_FAULT;
  for (size_t i = 0; i < w.texts.len; i++) buf_free(&w.texts.at[i]);
  vec_free(&w.texts);
  vec_free(&w.files);
  return status;
}

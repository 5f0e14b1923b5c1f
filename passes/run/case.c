/* case.c -- reads cases from JSON.
 *
 * jansson parses the file; this file interprets the tree and reports errors at their place: every
 * value is reached by a path, `args[1].memref.data[3]`, kept as a chain on the stack (base/json.h).
 *
 * Floats written without a point. jansson reads `-0` as the integer 0, without the sign. So floats
 * are taken from a second tree of the same text in which every number is a real; it is parsed only
 * when the case holds floats.
 *
 * Reading stops at the first wrong element of a list, and reports MAX_ERRORS errors of a file at
 * most: locating one costs the length of the file. Otherwise the cost is linear.
 */
#include "run/case.h"

#include "ir/eval.h"
#include "run/case_state.h"
#include "run/layout.h"
#include "run/npy.h"
#include "run/value.h"
#include "text/text.h"

#include <stdlib.h>

enum { MAX_ERRORS = 10 };

/* ---- reading --------------------------------------------------------------------------------- */

bool case_fail(CaseReader *r, const Path *path, Code code, const char *format, ...) {
  if (r->errors++ >= MAX_ERRORS) return false;
  va_list args;
  va_start(args, format);
  path_diag(r->ctx, r->source, path, code, format, args);
  va_end(args);
  return false;
}

static json_t *follow_path(json_t *root, const Path *path) {
  if (!path) return root;
  json_t *up = follow_path(root, path->up);
  return path->key ? json_object_get(up, path->key) : json_array_get(up, path->index);
}

/* The same value in the tree of reals; NULL where jansson cannot hold it as one. */
static json_t *as_real(CaseReader *r, const Path *path) {
  if (!r->reals)
    r->reals = json_loadb(r->source->text, r->source->len, JSON_DECODE_INT_AS_REAL, NULL);
  return r->reals ? follow_path(r->reals, path) : NULL;
}

/* Members other than the known ones are errors: a misspelt "expected" must not pass every run. */
static bool only_members(CaseReader *r, const Path *path, json_t *object, const char *const *names,
                         size_t n) {
  bool good = true;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    bool known = false;
    for (size_t i = 0; i < n; i++) known |= strcmp(key, names[i]) == 0;
    if (known) continue;
    good = case_fail(r, &(Path){path, key, PATH_NAME}, RT_CASE_FORM, "unknown member \"%s\"", key);
    const char *near = nearest_name(key, names, n);
    if (near) {
      diag_hint(r->ctx, "did you mean \"%s\"?", near);
      continue;
    }
    Buf list = {0};
    for (size_t i = 0; i < n; i++) buf_printf(&list, "%s\"%s\"", i ? ", " : "", names[i]);
    diag_hint(r->ctx, "the possible members are %s", list.data);
    buf_free(&list);
  }
  return good;
}
#define ONLY_MEMBERS(r, path, object, ...)                                                         \
  only_members(r, path, object, (const char *const[]){__VA_ARGS__},                                \
               COUNT_OF(((const char *const[]){__VA_ARGS__})))

bool case_integer(CaseReader *r, const Path *path, const Type *type, i64 value, u64 *bits) {
  unsigned width = type_bits(r->ctx, type);
  bool fits = width == 64 || (value >= eval_signed((u64)1 << (width - 1), width) &&
                              value <= (i64)eval_mask(width));
  if (!fits) {
    Buf name = {0};
    text_type(type, &name);
    case_fail(r, path, RT_CASE_VALUE, "%lld does not fit %s", (long long)value, name.data);
    buf_free(&name);
  }
  *bits = (u64)value & eval_mask(width);
  return fits;
}

bool case_float(CaseReader *r, const Path *path, const Type *type, double value, u64 *bits) {
  *bits = eval_float_bits((FloatKind)type->float_kind, value);
  double rounded = eval_float_value((FloatKind)type->float_kind, *bits);
  return rounded - rounded == 0 ||
         case_fail(r, path, RT_CASE_VALUE,
                   "%g is too large for its type; write \"inf\" for infinity", value);
}

/* One number of a known type. `real` is the same value in the tree of reals (floats only). */
static bool read_value(CaseReader *r, const Path *path, const Type *type, json_t *value,
                       json_t *real, u64 *bits) {
  if (json_is_string(value)) {
    const char *why = value_read(r->ctx, type, json_string_value(value), bits);
    return !why || case_fail(r, path, RT_CASE_VALUE, "\"%.60s\" %s", json_string_value(value), why);
  }
  if (type->kind == TYPE_NONE) return *bits = 0, true;
  if (type_is_float(type)) {
    if (!json_is_number(value)) return case_fail(r, path, RT_CASE_VALUE, "expected a number");
    return case_float(r, path, type, json_number_value(json_is_number(real) ? real : value), bits);
  }
  if (json_is_boolean(value) && type_is_i1(type)) return *bits = json_is_true(value), true;
  if (!json_is_integer(value)) return case_fail(r, path, RT_CASE_VALUE, "expected an integer");
  return case_integer(r, path, type, json_integer_value(value), bits);
}

/* {"value": 5, "tag": 3} for a tagged type; else a number. Sets value_words words. */
static bool read_token(CaseReader *r, const Path *path, const Type *type, json_t *value,
                       json_t *real, u64 *words) {
  if (type->kind != TYPE_TAGGED) return read_value(r, path, type, value, real, words);
  Path value_at = {path, "value", 0}, tag_at = {path, "tag", 0};
  json_t *number = json_object_get(value, "value"), *tag = json_object_get(value, "tag");
  u64 bits = 0;
  if (!number || !tag)
    return case_fail(r, path, RT_CASE_VALUE, "expected {\"value\": 5, \"tag\": 3}");
  if (!ONLY_MEMBERS(r, path, value, "value", "tag") ||
      !read_value(r, &value_at, type->elem, number, json_object_get(real, "value"), &bits))
    return false;
  if (!json_is_integer(tag) || json_integer_value(tag) < 0 ||
      json_integer_value(tag) >> type->width)
    return case_fail(r, &tag_at, RT_CASE_VALUE, "expected a tag of %u bits, 0 to %u", type->width,
                     (1u << type->width) - 1);
  value_pack(r->ctx, type, bits, (u64)json_integer_value(tag), words);
  return true;
}

/* Whether values of the type are read from the tree of reals, too. */
static bool has_reals(const Type *type) {
  return type_is_float(type->kind == TYPE_TAGGED ? type->elem : type);
}

/* {"npy": "file.npy"}: an array in a file, named relative to the case's. */
static bool read_npy(CaseReader *r, const Path *path, const Type *type, json_t *object,
                     NpyArray *array) {
  const char *file = json_string_value(json_object_get(object, "npy"));
  if (!file || !*file || json_object_size(object) != 1)
    return case_fail(r, path, RT_CASE_NPY, "expected {\"npy\": \"FILE\"} or a list of numbers");
  const char *full = file_beside(r->ctx, r->source->name, file);
  u32 before = r->ctx->errors;
  if (npy_read(r->ctx, full, type, r->arena, array)) return true;
  if (r->ctx->errors > before)
    diag_note(r->ctx, path_loc(r->source, path), "the case names the file here");
  return false;
}

void case_shape_text(const i64 *shape, u32 rank, Buf *buf) {
  for (u32 d = 0; d < rank; d++) buf_printf(buf, "%s%lld", d ? ", " : "[", (long long)shape[d]);
  buf_str(buf, rank ? "]" : "[]");
}

/* The file's shape must be this one. */
static bool has_shape(CaseReader *r, const Path *path, const NpyArray *array, const i64 *shape,
                      u32 rank) {
  bool same = array->rank == rank;
  for (u32 d = 0; same && d < rank; d++) same = array->shape[d] == shape[d];
  if (same) return true;
  Buf is = {0}, wanted = {0};
  case_shape_text(array->shape, array->rank, &is);
  case_shape_text(shape, rank, &wanted);
  case_fail(r, path, RT_CASE_SHAPE, "the array in the file has the shape %s, expected %s", is.data,
            wanted.data);
  buf_free(&is);
  buf_free(&wanted);
  return false;
}

/* A list of numbers of one type into the arena, or an array of one dimension in a file. */
static bool read_data(CaseReader *r, const Path *path, const Type *type, json_t *list, u64 **data,
                      size_t *n) {
  if (json_is_object(list)) {
    NpyArray file = {0};
    if (!read_npy(r, path, type, list, &file)) return false;
    *n = array_length(file.array);
    *data = array_words(r->arena, file.array);
    array_release(file.array);
    return file.rank == 1 || has_shape(r, path, &file, (const i64[]){(i64)*n}, 1);
  }
  if (!json_is_array(list)) return case_fail(r, path, RT_CASE_FORM, "expected a list of numbers");
  json_t *reals = has_reals(type) ? as_real(r, path) : NULL;
  u32 words = value_words(r->ctx, type);
  *n = json_array_size(list);
  *data = NEW_ARRAY(r->arena, u64, *n * words);
  for (size_t i = 0; i < *n; i++) {
    Path at = {path, NULL, i};
    if (!read_token(r, &at, type, json_array_get(list, i), json_array_get(reals, i),
                    &(*data)[i * words]))
      return false;
  }
  return true;
}

/* A list of numbers as the elements of a memref, held in *array; *n of them. */
static bool read_elements(CaseReader *r, const Path *path, const Type *type, json_t *list,
                          Array **array, size_t *n) {
  ArenaMark mark = arena_mark(r->arena);
  u64 *data = NULL;
  bool good = read_data(r, path, type, list, &data, n);
  if (good) *array = array_of_words(data, *n, element_bytes(type_bits(r->ctx, type)));
  arena_release(r->arena, mark);
  return good;
}

static bool is_tagged_scalar(const Type *type) {
  return type->kind == TYPE_TAGGED && type_is_scalar(type->elem) && type->width >= 1 &&
         type->width <= 16;
}

static const Type *read_type(CaseReader *r, const Path *path, json_t *object) {
  Path at = {path, "type", 0};
  json_t *name = json_object_get(object, "type");
  if (!json_is_string(name)) {
    case_fail(r, name ? &at : path, RT_CASE_FORM, "\"type\" must name a type, such as \"i32\"");
    return NULL;
  }
  const Type *type = text_parse_type(r->ctx, json_string_value(name));
  if (type && (type_is_scalar(type) || type->kind == TYPE_NONE)) return type;
  if (type && is_tagged_scalar(type)) return type;
  case_fail(r, &at, RT_CASE_FORM,
            "\"%.60s\" is not a scalar type (i1 to i64, index, f16, bf16, f32, f64, or one of them "
            "with a tag)",
            json_string_value(name));
  return NULL;
}

static bool read_scalar(CaseReader *r, const Path *path, json_t *object, CaseArg *arg) {
  Path at = {path, "value", 0};
  arg->kind = CASE_SCALAR;
  if (!ONLY_MEMBERS(r, path, object, "type", "value")) return false;
  arg->type = read_type(r, path, object);
  if (!arg->type) return false;
  u64 *value = NEW_ARRAY(r->arena, u64, value_words(r->ctx, arg->type));
  arg->data = value;
  arg->n = 1;
  if (arg->type->kind == TYPE_NONE) return true;
  json_t *number = json_object_get(object, "value");
  if (!number) return case_fail(r, path, RT_CASE_FORM, "the scalar has no \"value\"");
  json_t *real = has_reals(arg->type) ? as_real(r, &at) : NULL;
  return read_token(r, &at, arg->type, number, real, value);
}

static bool read_stream(CaseReader *r, const Path *path, json_t *object, CaseArg *arg) {
  Path at = {path, "data", 0};
  arg->kind = CASE_STREAM;
  if (!ONLY_MEMBERS(r, path, object, "type", "data")) return false;
  arg->type = read_type(r, path, object);
  if (!arg->type) return false;
  if (!json_object_get(object, "data"))
    return case_fail(r, path, RT_CASE_FORM, "the stream has no \"data\"");
  u64 *data = NULL;
  if (!read_data(r, &at, arg->type, json_object_get(object, "data"), &data, &arg->n)) return false;
  arg->data = data;
  return true;
}

/* The shape into arg->shape; *count is the number of elements. */
static bool read_shape(CaseReader *r, const Path *path, json_t *object, CaseArg *arg, i64 *count) {
  Path at = {path, "shape", 0};
  json_t *shape = json_object_get(object, "shape");
  if (!json_is_array(shape))
    return case_fail(r, shape ? &at : path, RT_CASE_FORM, "\"shape\" must be a list of extents");
  if (json_array_size(shape) > LAYOUT_MAX_RANK)
    return case_fail(r, &at, RT_CASE_SHAPE, "a memref may have at most %d dimensions",
                     LAYOUT_MAX_RANK);
  arg->rank = (u32)json_array_size(shape);
  i64 *extents = NEW_ARRAY(r->arena, i64, arg->rank);
  arg->shape = extents;
  *count = 1;
  bool empty = false;
  for (u32 d = 0; d < arg->rank; d++) {
    Path dim = {&at, NULL, d};
    json_t *extent = json_array_get(shape, d);
    if (!json_is_integer(extent) || json_integer_value(extent) < 0)
      return case_fail(r, &dim, RT_CASE_SHAPE, "an extent must be an integer of 0 or more");
    extents[d] = json_integer_value(extent);
    empty |= extents[d] == 0;
    if (extents[d] > LAYOUT_MAX_ELEMENTS ||
        *count * (extents[d] ? extents[d] : 1) > LAYOUT_MAX_ELEMENTS)
      return case_fail(r, &at, RT_CASE_SHAPE, "a memref may have at most %lld elements",
                       (long long)LAYOUT_MAX_ELEMENTS);
    if (extents[d]) *count *= extents[d];
  }
  if (empty) *count = 0;
  return true;
}

/* Contents from a file, which has a shape too. */
static bool read_memref_file(CaseReader *r, const Path *path, json_t *object, CaseArg *arg) {
  NpyArray file = {0};
  if (!read_npy(r, path, arg->type, object, &file)) return false;
  arg->array = file.array;
  if (arg->shape && !has_shape(r, path, &file, arg->shape, arg->rank)) return false;
  arg->rank = file.rank;
  arg->shape = file.shape;
  arg->n = array_length(file.array);
  return true;
}

static bool read_memref(CaseReader *r, const Path *path, json_t *object, CaseArg *arg) {
  Path at = {path, "data", 0};
  arg->kind = CASE_MEMREF;
  if (!ONLY_MEMBERS(r, path, object, "shape", "type", "data")) return false;
  arg->type = read_type(r, path, object);
  if (!arg->type) return false;
  if (!type_is_scalar(arg->type))
    return case_fail(r, path, RT_CASE_FORM, "a memref cannot have elements of type %s",
                     arg->type->kind == TYPE_NONE ? "none" : "!dataflow.tagged");
  json_t *list = json_object_get(object, "data");
  bool in_file = json_is_object(list);
  i64 count = 0;
  if ((!in_file || json_object_get(object, "shape")) && !read_shape(r, path, object, arg, &count))
    return false;
  if (in_file) return read_memref_file(r, &at, list, arg);
  if (!list) {
    arg->n = (size_t)count;
    arg->array = array_new(arg->n, element_bytes(type_bits(r->ctx, arg->type)));
    return true;
  }
  if (!read_elements(r, &at, arg->type, list, &arg->array, &arg->n)) return false;
  if (arg->n == (size_t)count) return true;
  return case_fail(r, &at, RT_CASE_SHAPE,
                   "the list has %zu number%s, but the shape has %lld element%s", arg->n,
                   plural(arg->n), (long long)count, plural((u64)count));
}

static bool read_arg(CaseReader *r, const Path *path, json_t *object, CaseArg *arg) {
  static const struct {
    const char *name;
    bool (*read)(CaseReader *, const Path *, json_t *, CaseArg *);
  } kinds[] = {{"scalar", read_scalar}, {"memref", read_memref}, {"stream", read_stream}};
  if (!json_is_object(object) || json_object_size(object) != 1)
    return case_fail(r, path, RT_CASE_FORM,
                     "expected {\"scalar\": ...}, {\"memref\": ...} or {\"stream\": ...}");
  if (!ONLY_MEMBERS(r, path, object, "scalar", "memref", "stream")) return false;
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    json_t *body = json_object_get(object, kinds[i].name);
    Path at = {path, kinds[i].name, 0};
    if (!body) continue;
    if (!json_is_object(body)) return case_fail(r, &at, RT_CASE_FORM, "expected an object");
    return kinds[i].read(r, &at, body, arg);
  }
  return false;
}

/* All arguments; their locations are found in one walk over the text. */
static bool read_args(CaseReader *r, json_t *list, Case *c) {
  Path at = {NULL, "args", 0};
  if (!list) return true;
  if (!json_is_array(list)) return case_fail(r, &at, RT_CASE_FORM, "expected a list of arguments");
  if (json_array_size(list) > UINT32_MAX)
    return case_fail(r, &at, RT_CASE_FORM, "too many arguments");
  c->nargs = (u32)json_array_size(list);
  c->args = NEW_ARRAY(r->arena, CaseArg, c->nargs);
  const char *text = r->source->text, *p = path_locate(text, &at) + 1;
  bool good = true;
  for (u32 i = 0; i < c->nargs; i++) {
    Path arg = {&at, NULL, i};
    p = json_skip_space(p);
    c->args[i].loc = r->source->base + (Loc)(p - text);
    p = json_skip_space(json_skip_value(p));
    if (*p == ',') p++;
    good &= read_arg(r, &arg, json_array_get(list, i), &c->args[i]);
  }
  return good;
}

/* ---- reading expected results ---------------------------------------------------------------- */

static bool read_number(CaseReader *r, const Path *path, json_t *value, Number *number) {
  if (json_is_object(value)) {
    Path value_at = {path, "value", 0}, tag_at = {path, "tag", 0};
    json_t *inner = json_object_get(value, "value"), *tag = json_object_get(value, "tag");
    if (!inner || json_is_object(inner) || !json_is_integer(tag))
      return case_fail(r, path, RT_CASE_FORM, "expected a number or {\"value\": 5, \"tag\": 3}");
    if (!ONLY_MEMBERS(r, path, value, "value", "tag") || !read_number(r, &value_at, inner, number))
      return false;
    number->has_tag = true;
    number->tag = json_integer_value(tag);
    if (number->tag >= 0 && number->tag <= UINT16_MAX) return true;
    return case_fail(r, &tag_at, RT_CASE_VALUE, "expected a tag from 0 to 65535");
  }
  if (json_is_string(value)) {
    *number = (Number){.kind = NUMBER_TEXT};
    number->text = arena_copy(r->arena, json_string_value(value), json_string_length(value) + 1);
  } else if (json_is_integer(value)) {
    json_t *real = as_real(r, path);
    i64 integer = json_integer_value(value);
    *number = (Number){.kind = NUMBER_INT, .integer = integer};
    number->real = json_is_number(real) ? json_number_value(real) : (double)integer;
  } else if (json_is_real(value)) {
    *number = (Number){.kind = NUMBER_REAL, .real = json_real_value(value)};
  } else if (json_is_boolean(value)) {
    *number = (Number){.kind = NUMBER_INT, .integer = json_is_true(value)};
    number->real = (double)number->integer;
  } else {
    return case_fail(r, path, RT_CASE_FORM, "expected a number");
  }
  return true;
}

static bool read_expected_result(CaseReader *r, const Path *path, json_t *value,
                                 ExpectedResult *out) {
  out->is_list = json_is_array(value);
  out->n = out->is_list ? json_array_size(value) : 1;
  out->tokens = NEW_ARRAY(r->arena, Number, out->n);
  if (!out->is_list) return read_number(r, path, value, &out->tokens[0]);
  for (size_t i = 0; i < out->n; i++) {
    Path at = {path, NULL, i};
    if (!read_number(r, &at, json_array_get(value, i), &out->tokens[i])) return false;
  }
  return true;
}

static bool read_expected_memory(CaseReader *r, const Path *path, json_t *object, const Case *c,
                                 ExpectedMemory *out) {
  Path number = {path, "arg", 0}, data = {path, "data", 0};
  json_t *arg = json_object_get(object, "arg");
  if (!json_is_object(object) || !arg || !json_object_get(object, "data"))
    return case_fail(r, path, RT_CASE_FORM, "expected {\"arg\": NUMBER, \"data\": [...]}");
  if (!ONLY_MEMBERS(r, path, object, "arg", "data")) return false;
  if (!json_is_integer(arg) || json_integer_value(arg) < 0 || json_integer_value(arg) >= c->nargs ||
      c->args[json_integer_value(arg)].kind != CASE_MEMREF)
    return case_fail(r, &number, RT_CASE_FORM, "expected the number of a memref in \"args\"");
  out->arg = (u32)json_integer_value(arg);
  const CaseArg *memref = &c->args[out->arg];
  json_t *list = json_object_get(object, "data");
  if (json_is_object(list)) {
    NpyArray file = {0};
    if (!read_npy(r, &data, memref->type, list, &file)) return false;
    out->array = file.array;
    return has_shape(r, &data, &file, memref->shape, memref->rank);
  }
  size_t n = 0;
  if (!read_elements(r, &data, memref->type, list, &out->array, &n)) return false;
  if (n == memref->n) return true;
  return case_fail(r, &data, RT_CASE_SHAPE,
                   "the list has %zu number%s, but the argument has %zu element%s", n, plural(n),
                   memref->n, plural(memref->n));
}

static bool read_expected(CaseReader *r, json_t *object, Case *c) {
  Path at = {NULL, "expected", 0}, results_at = {&at, "results", 0},
       memories_at = {&at, "memrefs", 0};
  if (!object) return true;
  if (!json_is_object(object)) return case_fail(r, &at, RT_CASE_FORM, "expected an object");
  if (!ONLY_MEMBERS(r, &at, object, "results", "memrefs")) return false;
  Expected *e = c->expected = NEW(r->arena, Expected);
  json_t *results = json_object_get(object, "results"),
         *memories = json_object_get(object, "memrefs");
  if (results && !json_is_array(results))
    return case_fail(r, &results_at, RT_CASE_FORM, "expected a list of results");
  if (memories && !json_is_array(memories))
    return case_fail(r, &memories_at, RT_CASE_FORM, "expected a list of memories");
  e->source = r->source;
  e->has_results = results != NULL;
  e->nresults = json_array_size(results);
  e->nmemories = json_array_size(memories);
  e->results = NEW_ARRAY(r->arena, ExpectedResult, e->nresults);
  e->memories = NEW_ARRAY(r->arena, ExpectedMemory, e->nmemories);
  bool good = true;
  for (size_t i = 0; i < e->nresults; i++) {
    Path result = {&results_at, NULL, i};
    good &= read_expected_result(r, &result, json_array_get(results, i), &e->results[i]);
  }
  for (size_t i = 0; i < e->nmemories; i++) {
    Path memory = {&memories_at, NULL, i};
    good &= read_expected_memory(r, &memory, json_array_get(memories, i), c, &e->memories[i]);
  }
  c->has_expected = true;
  return good;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static bool read_case(CaseReader *r, Case *c) {
  if (!json_is_object(r->root))
    return case_fail(r, NULL, RT_CASE_FORM,
                     "expected a JSON object with \"args\" and \"expected\"");
  bool good = ONLY_MEMBERS(r, NULL, r->root, "function", "args", "expected");
  json_t *function = json_object_get(r->root, "function");
  Path path = {NULL, "function", 0};
  if (function && !json_is_string(function)) {
    good = case_fail(r, &path, RT_CASE_FORM, "expected a name");
  } else if (function) {
    c->function = str_of(r->ctx, json_string_value(function));
    c->function_loc = path_loc(r->source, &path);
  }
  good &= read_args(r, json_object_get(r->root, "args"), c);
  /* the arguments give the types of expected memories */
  return good && read_expected(r, json_object_get(r->root, "expected"), c);
}

Case *case_parse(Context *ctx, const Source *source) {
  Arena *arena = arena_new();
  Case *c = NEW(arena, Case);
  c->arena = arena;
  c->loc = source->base;
  CaseReader r = {.ctx = ctx, .arena = arena, .source = source};
  r.root = json_read(ctx, source, RT_CASE_JSON);
  bool good = r.root && read_case(&r, c);
  json_decref(r.root);
  json_decref(r.reals);
  if (good) return c;
  case_free(c);
  return NULL;
}

Case *case_read(Context *ctx, const char *path) {
  const Source *source = source_read(ctx, path);
  return source ? case_parse(ctx, source) : NULL;
}

static u64 hash_array(Array *array, u64 hash) {
  if (!array) return hash;
  Array *read = array_share(array);
  Elements e = array_elements(read);
  hash = hash_bytes(e.at, mem_size(e.n, e.bytes), hash);
  array_release(read);
  return hash;
}

u64 case_hash(const Case *c, u64 hash) {
  for (u32 i = 0; i < c->nargs; i++) hash = hash_array(c->args[i].array, hash);
  for (size_t i = 0; c->expected && i < c->expected->nmemories; i++)
    hash = hash_array(c->expected->memories[i].array, hash);
  return hash;
}

void case_free(Case *c) {
  if (!c) return;
  for (u32 i = 0; i < c->nargs; i++) array_release(c->args[i].array);
  for (size_t i = 0; c->expected && i < c->expected->nmemories; i++)
    array_release(c->expected->memories[i].array);
  arena_free(c->arena);
}

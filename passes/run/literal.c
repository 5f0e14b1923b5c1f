/* literal.c -- see literal.h. A recursive-descent parser, its depth bounded by the length of
 * Literal.shape, its output by MAX_ELEMENTS, so that no text can exhaust the memory. Linear in the
 * text and the output. */
#include "run/literal.h"

#include "run/value.h"
#include "text/text.h"

#include <ctype.h>

enum { MAX_ELEMENTS = 1 << 24, LONGEST_SCALAR = 64 };

PRINTF_LIKE(2, 3)
static bool problem(Literals *in, const char *format, ...) {
  if (in->problem) return false; /* later problems follow from the first */
  va_list args;
  va_start(args, format);
  in->problem = str_vprintf(in->ctx, format, args)->text;
  va_end(args);
  return false;
}

void literal_space(Literals *in) {
  while (in->at < in->end && isspace((unsigned char)*in->at)) in->at++;
}

bool literal_token(Literals *in, const char *token) {
  literal_space(in);
  size_t len = strlen(token);
  if ((size_t)(in->end - in->at) < len || memcmp(in->at, token, len) != 0) return false;
  in->at += len;
  return true;
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || (c && strchr("_$.-", c));
}

size_t literal_name(Literals *in, const char **name) {
  literal_space(in);
  *name = in->at;
  while (in->at < in->end && is_name(*in->at)) in->at++;
  return (size_t)(in->at - *name);
}

static bool no_scalar(Literals *in, const char *text, const Type *type) {
  Buf name = {0};
  text_type(type, &name);
  problem(in, "cannot read '%s' as %s, which is not a scalar type", text, name.data);
  buf_free(&name);
  return false;
}

static bool read_scalar(Literals *in, const Type *type, Literal *out);

/* `{"value": 5, "tag": 3}` */
static bool read_tagged(Literals *in, const Type *type, Literal *out) {
  size_t first = out->data.len;
  const Type *tag_type = type_int(in->ctx, type->width, SIGNLESS);
  bool good = literal_token(in, "{") && literal_token(in, "\"value\"") && literal_token(in, ":");
  if (!good) return problem(in, "expected a tagged value: {\"value\": 5, \"tag\": 3}");
  if (!read_scalar(in, type->elem, out)) return false;
  good = literal_token(in, ",") && literal_token(in, "\"tag\"") && literal_token(in, ":");
  if (!good) return problem(in, "expected a tagged value: {\"value\": 5, \"tag\": 3}");
  if (literal_token(in, "-")) return problem(in, "a tag cannot be negative");
  if (!read_scalar(in, tag_type, out)) return false;
  if (!literal_token(in, "}")) return problem(in, "expected '}'");
  u64 words[2] = {0};
  value_pack(in->ctx, type, out->data.at[first], out->data.at[first + 1], words);
  out->data.len = first;
  for (u32 i = 0; i < value_words(in->ctx, type); i++) vec_push(&out->data, words[i]);
  return true;
}

static bool read_scalar(Literals *in, const Type *type, Literal *out) {
  if (type->kind == TYPE_TAGGED) return read_tagged(in, type, out);
  if (type->kind == TYPE_NONE) {
    if (!literal_token(in, "()")) return problem(in, "expected (), the only value of type none");
    vec_push(&out->data, 0);
    return true;
  }
  literal_space(in);
  char text[LONGEST_SCALAR + 1];
  size_t len = 0;
  while (in->at + len < in->end && (is_name(in->at[len]) || in->at[len] == '+')) len++;
  if (len == 0) return problem(in, "expected a value");
  if (len > LONGEST_SCALAR) return problem(in, "a value is too long");
  memcpy(text, in->at, len);
  text[len] = '\0';
  u64 bits = 0;
  const char *why = value_read(in->ctx, type, text, &bits);
  if (why && !type_is_scalar(type)) return no_scalar(in, text, type);
  if (why) return problem(in, "'%s' %s", text, why);
  in->at += len;
  vec_push(&out->data, bits);
  return true;
}

/* `x COUNT` after an item of `n` elements: appends COUNT - 1 copies, and adds them to *items. */
static bool repeat(Literals *in, Literal *out, size_t n, i64 *items) {
  const char *back = in->at;
  if (!literal_token(in, "x")) return true;
  literal_space(in);
  u64 count = 0;
  const char *digits = in->at;
  for (; in->at < in->end && isdigit((unsigned char)*in->at) && count <= MAX_ELEMENTS; in->at++)
    count = count * 10 + (u64)(*in->at - '0');
  if (in->at == digits) {
    in->at = back;
    return problem(in, "expected a count after x");
  }
  if (count > MAX_ELEMENTS || count * (n ? n : 1) > MAX_ELEMENTS)
    return problem(in, "a list may have at most %d elements", MAX_ELEMENTS);
  if (count == 0) out->data.len -= n;
  vec_reserve(&out->data, out->data.len + (size_t)count * n);
  for (u64 i = 1; i < count; i++)
    for (size_t e = 0; e < n; e++) {
      u64 copy = out->data.at[out->data.len - n];
      vec_push(&out->data, copy);
    }
  *items += (i64)count - 1;
  return true;
}

static bool read_list(Literals *in, const Type *scalar, Literal *out, u32 depth) {
  if (depth >= COUNT_OF(out->shape)) return problem(in, "a list is nested too deeply");
  i64 items = 0;
  bool is_first = true; /* `items` does not tell: [1 x 0, 2] */
  if (depth + 1 > out->depth) {
    if (out->data.len) return problem(in, "a list mixes values and lists");
    out->depth = depth + 1;
    out->shape[depth] = -1;
  }
  while (!literal_token(in, "]")) {
    if (!is_first && !literal_token(in, ",")) return problem(in, "expected ',' or ']'");
    is_first = false;
    size_t before = out->data.len;
    if (literal_token(in, "[")) {
      if (!read_list(in, scalar, out, depth + 1)) return false;
    } else {
      if (depth + 1 != out->depth) return problem(in, "a list mixes values and lists");
      if (!read_scalar(in, scalar, out)) return false;
    }
    items++;
    if (!repeat(in, out, out->data.len - before, &items)) return false;
    if (out->data.len > MAX_ELEMENTS)
      return problem(in, "a list may have at most %d elements", MAX_ELEMENTS);
  }
  if (out->shape[depth] >= 0 && out->shape[depth] != items)
    return problem(in, "the lists inside a list have different lengths");
  out->shape[depth] = items;
  return true;
}

/* "text": its bytes, with a zero behind them as in C. */
static bool read_string(Literals *in, const Type *scalar, Literal *out) {
  static const char letters[] = "ntr0\\\"", means[] = "\n\t\r\0\\\"";
  bool is_byte = scalar->kind == TYPE_INT && scalar->width == 8;
  if (!is_byte) return problem(in, "a string requires a memref of i8");
  for (; in->at < in->end && *in->at != '"'; in->at++) {
    const char *escaped = NULL;
    if (*in->at == '\\') {
      escaped = ++in->at < in->end ? strchr(letters, *in->at) : NULL;
      if (!escaped || !*escaped)
        return problem(in, "unknown escape; expected \\n"
                           " \\t \\r \\0 \\\\ or \\\"");
    }
    vec_push(&out->data, (unsigned char)(escaped ? means[escaped - letters] : *in->at));
  }
  if (!literal_token(in, "\"")) return problem(in, "expected '\"'");
  vec_push(&out->data, 0);
  out->depth = 1;
  out->shape[0] = (i64)out->data.len;
  return true;
}

bool literal_value(Literals *in, const Type *scalar, Literal *out) {
  *out = (Literal){0};
  if (literal_token(in, "\"")) return read_string(in, scalar, out);
  if (!literal_token(in, "[")) return read_scalar(in, scalar, out);
  return read_list(in, scalar, out, 0);
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* Sets the shape of a memref argument: the list's own, or the type's where the list is flat; a
 * memref<?xT>, what a pointer of C becomes, takes lists of any depth, row after row. */
static bool shape_memref(Literals *in, Arena *arena, const Type *type, const Literal *list,
                         CaseArg *arg) {
  i64 elements = type_static_elements(type);
  bool flat = list->depth == 1 && elements == (i64)list->data.len;
  bool in_rows = list->depth && type_is_flat(type);
  const i64 length = (i64)list->data.len;
  if (!flat && !in_rows && list->depth != type->rank)
    return problem(in, "a memref of rank %u expects a list of that depth%s", type->rank,
                   type->rank == 1   ? ", such as [1, 2]"
                   : type->rank == 2 ? ", such as [[1, 2], [3, 4]]"
                                     : "");
  const i64 *shape = in_rows ? &length : flat ? type->shape : list->shape;
  for (u32 d = 0; d < type->rank; d++)
    if (type->shape[d] != DYNAMIC && type->shape[d] != shape[d])
      return problem(in, "dimension %u has %lld element%s, but that of the memref has %lld", d,
                     (long long)shape[d], plural(shape[d]), (long long)type->shape[d]);
  arg->kind = CASE_MEMREF;
  arg->rank = type->rank;
  arg->shape = arena_copy(arena, shape, mem_size(type->rank, sizeof *shape));
  return true;
}

bool literal_arg(Literals *in, Arena *arena, const Type *type, CaseArg *arg) {
  Literal list;
  bool memref = type_is_memref(type);
  arg->type = memref ? type->elem : type;
  bool good = literal_value(in, arg->type, &list);
  if (good && memref)
    good = shape_memref(in, arena, type, &list, arg);
  else if (good && list.depth)
    arg->kind = CASE_STREAM;
  if (good) {
    arg->n = list.data.len / value_words(in->ctx, arg->type);
    if (memref)
      arg->array =
          array_of_words(list.data.at, list.data.len, element_bytes(type_bits(in->ctx, arg->type)));
    else
      arg->data = arena_copy(arena, list.data.at, mem_size(list.data.len, sizeof(u64)));
  }
  vec_free(&list.data);
  return good;
}

Case *literal_case(Literals *in, const Str *function, const Type *const *types, u32 n) {
  Arena *arena = arena_new();
  Case *c = NEW(arena, Case);
  *c = (Case){
      .function = function, .args = NEW_ARRAY(arena, CaseArg, n), .nargs = n, .arena = arena};
  bool good = true;
  for (u32 i = 0; good && i < n; i++) {
    literal_space(in);
    bool is_end = in->at == in->end || *in->at == ')';
    if (i && is_end)
      good = problem(in, "expected %u argument%s, but got %u", n, plural(n), i);
    else if (i && !literal_token(in, ","))
      good = problem(in, "expected ',' after argument %u of %u", i, n);
    else if (!(good = literal_arg(in, arena, types[i], &c->args[i])))
      in->argument = i + 1;
  }
  if (good) return c;
  case_free(c);
  return NULL;
}

/* ---- printing ------------------------------------------------------------------------------- */

typedef struct {
  const Context *ctx;
  const Type *scalar;
  const i64 *shape;
  u32 rank;
  Elements elements;
  size_t left; /* elements still to be printed */
  Buf *buf;
} LiteralPrinter;

/* Prints the elements with one index prefix; returns how many it has printed. */
static size_t print_level(LiteralPrinter *p, u32 level, size_t at) {
  if (level == p->rank) {
    if (p->left) {
      u32 words = value_words(p->ctx, p->scalar);
      u64 token[2] = {element_of(p->elements, at * words)};
      if (words > 1) token[1] = element_of(p->elements, at * words + 1);
      value_token_text(p->ctx, p->scalar, token, p->buf);
      p->left--;
    }
    return 1;
  }
  size_t n = 0;
  buf_char(p->buf, '[');
  for (i64 i = 0; i < p->shape[level]; i++) {
    if (i) buf_str(p->buf, ", ");
    if (!p->left) {
      buf_str(p->buf, "...");
      break;
    }
    n += print_level(p, level + 1, at + n);
  }
  buf_char(p->buf, ']');
  return n;
}

void literal_print(const Context *ctx, const Type *scalar, const i64 *shape, u32 rank,
                   Elements elements, size_t most, Buf *buf) {
  LiteralPrinter p = {ctx, scalar, shape, rank, elements, most < elements.n ? most : elements.n,
                      buf};
  print_level(&p, 0, 0);
}

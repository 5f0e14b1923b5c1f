/* npy.c -- reads and writes .npy files: parses the header, a Python literal, and reads the elements
 * unchanged or, where they are of another type, converts them block by block.
 *
 * Files are not trusted: lengths are compared with the size of the file before anything is
 * allocated, products are checked, and the header is parsed by a small recursive-descent parser for
 * exactly the literals that a header can have. Errors are reported at their place in the header.
 *
 * An element is converted as an integer (64 bits, and whether it is negative), as a float (a
 * double, which holds every f16, f32 and f64 exactly), or, where the file has the element type
 * itself, as bits. A value that the element type cannot hold is an error, never rounded. Cost:
 * linear in the elements; in Fortran order the whole file is held in memory.
 */
#include "run/npy.h"

#include "ir/eval.h"
#include "run/layout.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 6, ALIGNMENT = 64, SMALL = 1 << 18 };
static const char magic[MAGIC + 1] = "\x93NUMPY";

/* A decoded header. */
typedef struct {
  size_t start; /* where the elements start in the file */
  char kind;    /* b bool, i, u integers, f float, V bits */
  unsigned bytes;
  bool is_big_endian, is_fortran;
  u32 rank;
  i64 shape[LAYOUT_MAX_RANK];
  size_t n;
  const char *descr; /* its place in the header, for messages */
} Header;

typedef struct {
  Context *ctx;
  int fd;
  const Source *source;
  const char *at, *end; /* in the header */
  const Type *elem;
} HeaderReader;

PRINTF_LIKE(4, 5)
static bool fail(const HeaderReader *r, const char *at, Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(r->ctx, r->source->base + (Loc)(at - r->source->text), code, format, args);
  va_end(args);
  return false;
}

/* ---- the header ------------------------------------------------------------------------------ */

static void skip_blanks(HeaderReader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n')) r->at++;
}

static bool take(HeaderReader *r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool want(HeaderReader *r, char c) {
  return take(r, c) || fail(r, r->at, RT_NPY_FORM, "expected '%c' in the header", c);
}

static bool take_word(HeaderReader *r, const char *word) {
  size_t len = strlen(word);
  skip_blanks(r);
  if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0) return false;
  r->at += len;
  return true;
}

/* 'text' or "text" without escapes. */
static bool read_string(HeaderReader *r, const char **text, size_t *len) {
  skip_blanks(r);
  if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
    return fail(r, r->at, RT_NPY_FORM, "expected a string in the header");
  char quote = *r->at++;
  const char *stop = memchr(r->at, quote, (size_t)(r->end - r->at));
  if (!stop) return fail(r, r->at - 1, RT_NPY_FORM, "unterminated string");
  *text = r->at;
  *len = (size_t)(stop - r->at);
  r->at = stop + 1;
  return true;
}

/* '<f4': byte order, kind, bytes. */
static bool read_descr(HeaderReader *r, Header *h) {
  skip_blanks(r);
  const char *start = h->descr = r->at, *text = NULL;
  size_t len = 0;
  if (start < r->end && *start == '[')
    return fail(r, start, RT_NPY_TYPE, "structured elements are not supported");
  if (!read_string(r, &text, &len)) return false;
  bool has_order = len && strchr("<>|=", *text);
  h->is_big_endian = len && *text == '>';
  text += has_order;
  len -= has_order;
  h->kind = len ? *text : '?';
  h->bytes = len == 2 && text[1] >= '1' && text[1] <= '8' ? (unsigned)(text[1] - '0') : 0;
  unsigned b = h->bytes;
  bool good = h->kind == 'b'                     ? b == 1
              : h->kind == 'i' || h->kind == 'u' ? b == 1 || b == 2 || b == 4 || b == 8
              : h->kind == 'f'                   ? b == 2 || b == 4 || b == 8
              : h->kind == 'V'                   ? b == 2
                                                 : false;
  if (good) return true;
  const char *what = h->kind == 'O'
                         ? "Python objects are not numbers, and loading them would run code"
                     : h->kind == 'c'                   ? "complex numbers are not supported"
                     : h->kind == 'S' || h->kind == 'U' ? "strings are not numbers"
                     : h->kind == 'M' || h->kind == 'm' ? "times are not numbers"
                                                        : "this number format is not supported";
  return fail(r, start, RT_NPY_TYPE, "%s; expected b1, i1 to i8, u1 to u8, f2 to f8 or V2", what);
}

static bool read_fortran(HeaderReader *r, Header *h) {
  h->is_fortran = take_word(r, "True");
  return h->is_fortran || take_word(r, "False") ||
         fail(r, r->at, RT_NPY_FORM, "expected True or False in the header");
}

static bool read_extent(HeaderReader *r, i64 *extent) {
  skip_blanks(r);
  const char *start = r->at;
  *extent = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
    *extent = *extent * 10 + (*r->at - '0');
    if (*extent > LAYOUT_MAX_ELEMENTS)
      return fail(r, start, RT_NPY_SHAPE, "a memref may have at most %lld elements",
                  (long long)LAYOUT_MAX_ELEMENTS);
  }
  if (r->at == start) return fail(r, start, RT_NPY_FORM, "expected an extent in the header");
  if (r->at < r->end && *r->at == 'L') r->at++; /* as Python 2 wrote them */
  return true;
}

static bool read_shape(HeaderReader *r, Header *h) {
  skip_blanks(r);
  const char *start = r->at;
  h->n = 1;
  if (!want(r, '(')) return false;
  while (!take(r, ')')) {
    i64 extent;
    if (h->rank == LAYOUT_MAX_RANK)
      return fail(r, start, RT_NPY_SHAPE, "a memref may have at most %d dimensions",
                  LAYOUT_MAX_RANK);
    if (!read_extent(r, &extent)) return false;
    h->shape[h->rank++] = extent;
    if (take(r, ',')) continue;
    if (!want(r, ')')) return false;
    break;
  }
  bool is_empty = false;
  for (u32 d = 0; d < h->rank; d++) {
    is_empty |= h->shape[d] == 0;
    h->n *= h->shape[d] ? (size_t)h->shape[d] : 1;
    if (h->n > (size_t)LAYOUT_MAX_ELEMENTS)
      return fail(r, start, RT_NPY_SHAPE, "a memref may have at most %lld elements",
                  (long long)LAYOUT_MAX_ELEMENTS);
  }
  if (is_empty) h->n = 0;
  return true;
}

/* {'descr': ..., 'fortran_order': ..., 'shape': ...}, in any order, each once. */
static bool read_dict(HeaderReader *r, Header *h) {
  static const struct {
    const char *key;
    bool (*read)(HeaderReader *, Header *);
  } members[] = {{"descr", read_descr}, {"fortran_order", read_fortran}, {"shape", read_shape}};
  unsigned seen = 0;
  skip_blanks(r);
  const char *start = r->at;
  if (!want(r, '{')) return false;
  while (!take(r, '}')) {
    const char *key = NULL;
    size_t len = 0, m = 0;
    skip_blanks(r);
    const char *at = r->at;
    if (!read_string(r, &key, &len)) return false;
    while (m < COUNT_OF(members) &&
           (strlen(members[m].key) != len || memcmp(members[m].key, key, len) != 0))
      m++;
    if (m == COUNT_OF(members) || seen & 1u << m)
      return fail(r, at, RT_NPY_FORM, "expected 'descr', 'fortran_order' and 'shape', once each");
    seen |= 1u << m;
    if (!want(r, ':') || !members[m].read(r, h)) return false;
    if (!take(r, ',')) {
      if (!want(r, '}')) return false;
      break;
    }
  }
  skip_blanks(r);
  if (seen != 7)
    return fail(r, start, RT_NPY_FORM, "missing 'descr', 'fortran_order' or 'shape' in the header");
  return r->at == r->end || fail(r, r->at, RT_NPY_FORM, "expected the end of the header");
}

/* The number of bytes before the dict; *dict: the length of the dict, 0 where the file ends before
 * that is stated. */
static size_t header_size(const u8 *bytes, size_t len, size_t *dict) {
  unsigned digits = len > MAGIC && bytes[MAGIC] == 1 ? 2 : 4;
  size_t start = MAGIC + 2 + digits;
  *dict = 0;
  for (unsigned i = 0; i < digits && start <= len; i++)
    *dict |= (size_t)bytes[MAGIC + 2 + i] << (8 * i);
  return start;
}

/* Reads magic, version and length, then the dict. The source ends where the elements start. */
static bool read_header(HeaderReader *r, Header *h) {
  const Source *s = r->source;
  const u8 *bytes = (const u8 *)s->text;
  if (s->len >= 4 && memcmp(s->text, "PK\3\4", 4) == 0)
    return fail(r, s->text, RT_NPY_FORM,
                "this is a .npz archive of arrays; unpack it (`unzip`), and give one .npy file");
  if (s->len < MAGIC + 4 || memcmp(s->text, magic, MAGIC) != 0)
    return fail(r, s->text, RT_NPY_FORM,
                "this is not a .npy file: it does not start with \\x93NUMPY");
  unsigned version = bytes[MAGIC];
  if (version < 1 || version > 3 || bytes[MAGIC + 1] != 0)
    return fail(r, s->text + MAGIC, RT_NPY_FORM, "unknown version %u.%u of the format", version,
                bytes[MAGIC + 1]);
  size_t len, start = header_size(bytes, s->len, &len);
  if (start > s->len || len > s->len - start)
    return fail(r, s->text + MAGIC + 2, RT_NPY_FORM,
                "the header has %zu bytes, but the file is shorter", len);
  r->at = s->text + start;
  r->end = r->at + len;
  h->start = start + len;
  return read_dict(r, h);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The bits of one number of the file. */
static u64 number_at(const Header *h, const u8 *at) {
  u64 bits = 0;
  for (unsigned i = 0; i < h->bytes; i++)
    bits |= (u64)at[h->is_big_endian ? h->bytes - 1 - i : i] << (8 * i);
  return bits;
}

static FloatKind float_kind(const Header *h) {
  return h->bytes == 2 ? FLOAT_F16 : h->bytes == 4 ? FLOAT_F32 : FLOAT_F64;
}

/* An integer into the bits of an integer type: its value, read signed or unsigned, must fit. */
static bool integer_bits(const Header *h, u64 bits, unsigned width, u64 *out) {
  bool is_signed = h->kind == 'i';
  unsigned has = 8 * h->bytes;
  i64 value = is_signed ? eval_signed(bits, has) : (i64)bits;
  bool is_negative = is_signed && value < 0;
  *out = (u64)value & eval_mask(width);
  if (h->kind == 'b') return bits <= 1;
  if (is_negative) return value >= eval_signed((u64)1 << (width - 1), width);
  return (u64)value <= eval_mask(width);
}

/* A float into the bits of a float type; NaNs become the type's one NaN. */
static bool float_bits(const Header *h, u64 bits, FloatKind kind, u64 *out) {
  double value = eval_float_value(float_kind(h), bits);
  *out = eval_float_bits(kind, value);
  double back = eval_float_value(kind, *out);
  return back == value || value != value;
}

static bool element_bits(const HeaderReader *r, const Header *h, u64 bits, u64 *out) {
  const Type *elem = r->elem;
  if (!type_is_float(elem)) return integer_bits(h, bits, type_bits(r->ctx, elem), out);
  bool is_same = h->kind != 'f' || (elem->float_kind == float_kind(h));
  *out = bits;
  return is_same || float_bits(h, bits, (FloatKind)elem->float_kind, out);
}

/* Whether numbers of the file's kind can be elements at all. */
static bool kinds_fit(const HeaderReader *r, const Header *h) {
  bool is_float = type_is_float(r->elem), is_bf16 = is_float && r->elem->float_kind == FLOAT_BF16;
  bool fits = h->kind == 'f'   ? is_float
              : h->kind == 'V' ? is_bf16
              : is_bf16        ? h->kind == 'u' && h->bytes == 2
                               : !is_float;
  if (fits && type_is_scalar(r->elem)) return true;
  Buf type = {0};
  text_type(r->elem, &type);
  fail(r, h->descr, RT_NPY_TYPE, "%c%u numbers cannot be elements of type %s", h->kind, h->bytes,
       type.data);
  buf_free(&type);
  return false;
}

/* The number in decimal, for messages. */
static void number_text(const Header *h, u64 bits, Buf *buf) {
  if (h->kind == 'f')
    buf_printf(buf, "%.17g", eval_float_value(float_kind(h), bits));
  else if (h->kind == 'i')
    buf_i64(buf, eval_signed(bits, 8 * h->bytes));
  else
    buf_u64(buf, bits);
}

static bool misfit(const HeaderReader *r, u64 bits, const i64 *index, const Header *h) {
  Buf where = {0}, number = {0}, type = {0};
  for (u32 d = 0; d < h->rank; d++)
    buf_printf(&where, "%s%lld", d ? ", " : "", (long long)index[d]);
  number_text(h, bits, &number);
  text_type(r->elem, &type);
  fail(r, h->descr, RT_NPY_VALUE, "element [%s] is %s, which %s cannot hold%s",
       where.data ? where.data : "", number.data, type.data,
       type_is_float(r->elem) ? " without rounding" : "");
  buf_free(&where);
  buf_free(&number);
  buf_free(&type);
  return false;
}

/* Whether the file has the elements in their form in memory, so that they need no conversion. */
static bool is_as_it_stands(const HeaderReader *r, const Header *h) {
  unsigned bits = type_bits(r->ctx, r->elem);
  if ((h->is_big_endian && h->bytes > 1) || h->bytes * 8 != bits || !is_little_endian())
    return false;
  if (h->is_fortran && h->rank > 1) return false;
  return h->kind != 'b' && (h->kind != 'f' || r->elem->float_kind == float_kind(h));
}

static bool cannot_read(const HeaderReader *r, const char *path, const char *why) {
  diag(r->ctx, LOC_NONE, COMP_FILE_READ, "cannot read %s: %s", path, why);
  return false;
}

/* `size` bytes from `at` on. */
static bool read_bytes(const HeaderReader *r, const char *path, void *to, u64 at, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(r->fd, (char *)to + done, size - done, (off_t)(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return cannot_read(r, path, got ? strerror(errno) : "the file became shorter");
    done += (size_t)got;
  }
  return true;
}

/* A walk over the elements in row-major order; in Fortran's order the first index moves fastest. */
typedef struct {
  i64 index[LAYOUT_MAX_RANK];
  size_t strides[LAYOUT_MAX_RANK];
  size_t at; /* number of the element in the file */
} ElementWalk;

static void walk_start(const Header *h, ElementWalk *w) {
  size_t stride = 1;
  *w = (ElementWalk){0};
  for (u32 k = 0; k < h->rank; k++) {
    u32 d = h->is_fortran ? k : h->rank - 1 - k;
    w->strides[d] = stride;
    stride *= (size_t)h->shape[d];
  }
}

static void walk_on(const Header *h, ElementWalk *w) {
  for (u32 d = h->rank; d-- > 0;) {
    w->at += w->strides[d];
    if (++w->index[d] < h->shape[d]) return;
    w->at -= w->strides[d] * (size_t)h->shape[d];
    w->index[d] = 0;
  }
}

/* Converts the elements; only a block of the file is in memory, but in Fortran's order all of it.
 */
static bool convert(const HeaderReader *r, const char *path, const Header *h, Array *out) {
  enum { BLOCK = 1 << 14 };
  size_t block = h->is_fortran || h->n < BLOCK ? h->n : BLOCK;
  Array *bytes = array_new(block * h->bytes, 1);
  u8 *data = array_data(bytes);
  unsigned wide = array_elements(out).bytes;
  ElementWalk w;
  walk_start(h, &w);
  bool good = true;
  for (size_t i = 0; good && i < h->n; i++) {
    size_t now = h->n - i < block ? h->n - i : block;
    if (i % block == 0) good = read_bytes(r, path, data, h->start + i * h->bytes, now * h->bytes);
    u64 bits = number_at(h, data + w.at % block * h->bytes), value;
    if (good && !element_bits(r, h, bits, &value)) good = misfit(r, bits, w.index, h);
    if (good) element_put(array_data(out), wide, i, value);
    walk_on(h, &w);
  }
  array_release(bytes);
  return good;
}

/* Opens the file, and reads it as far as its elements as a source. */
static bool open_header(HeaderReader *r, const char *path, u64 *size) {
  struct stat info;
  u8 first[MAGIC + 6];
  r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (r->fd < 0) return cannot_read(r, path, strerror(errno));
  if (fstat(r->fd, &info) != 0 || S_ISDIR(info.st_mode))
    return cannot_read(r, path, strerror(EISDIR));
  if (!S_ISREG(info.st_mode)) { /* it may have no end, and a case from anywhere may name one */
    diag(r->ctx, LOC_NONE, RT_NPY_FORM, "%s is a device or a pipe; expected a file on disk", path);
    return false;
  }
  *size = (u64)info.st_size;
  size_t known = *size < sizeof first ? (size_t)*size : sizeof first, dict = 0;
  if (!read_bytes(r, path, first, 0, known)) return false;
  size_t len = header_size(first, known, &dict) + dict;
  if (known < MAGIC || memcmp(first, magic, MAGIC) != 0) len = known;
  if (len > *size) len = (size_t)*size;
  char *text = mem_alloc(len + 1);
  bool good = read_bytes(r, path, text, 0, len);
  r->source = good ? source_from_memory(r->ctx, path, text, len) : NULL;
  mem_free(text);
  return r->source != NULL;
}

static bool read_array(HeaderReader *r, const char *path, Arena *arena, NpyArray *out) {
  Header h = {0};
  u64 size;
  if (!open_header(r, path, &size) || !read_header(r, &h) || !kinds_fit(r, &h)) return false;
  if (size - h.start != h.n * h.bytes)
    return fail(r, r->source->text + h.start, RT_NPY_FORM,
                "%zu elements of %u bytes take %zu bytes, but the file has %llu", h.n, h.bytes,
                h.n * h.bytes, (unsigned long long)(size - h.start));
  *out = (NpyArray){.rank = h.rank};
  out->shape = arena_copy(arena, h.shape, h.rank * sizeof h.shape[0]);
  if (is_as_it_stands(r, &h)) {
    Array *file = array_of_file(r->fd, path, h.start, h.n, h.bytes);
    bool is_small = size < SMALL; /* then it need not stay open */
    out->array = is_small ? array_share(file) : array_retain(file);
    array_release(file);
    if (is_small) out->array = array_own(out->array);
    r->fd = -1;
    return true;
  }
  out->array = array_new(h.n, element_bytes(type_bits(r->ctx, r->elem)));
  if (convert(r, path, &h, out->array)) return true;
  array_release(out->array);
  return false;
}

bool npy_read(Context *ctx, const char *path, const Type *elem, Arena *arena, NpyArray *out) {
  if (strcmp(path, "-") == 0) path = "./-"; /* not standard input */
  HeaderReader r = {.ctx = ctx, .elem = elem, .fd = -1};
  bool good = read_array(&r, path, arena, out);
  if (r.fd >= 0) close(r.fd);
  return good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The kind and the bytes with which a type is written. */
static void written_as(const Context *ctx, const Type *elem, char *kind, unsigned *bytes) {
  unsigned bits = type_bits(ctx, elem);
  *bytes = element_bytes(bits);
  *kind = 'i';
  if (bits == 1) *kind = 'b';
  if (type_is_float(elem)) *kind = elem->float_kind == FLOAT_BF16 ? 'V' : 'f';
}

bool npy_write(const Context *ctx, const Type *elem, const i64 *shape, u32 rank, Elements elements,
               Buf *out) {
  char kind;
  unsigned bytes, bits = type_bits(ctx, elem);
  Buf dict = {0};
  written_as(ctx, elem, &kind, &bytes);
  buf_printf(&dict, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
             kind != 'V' && bytes == 1 ? '|' : '<', kind, bytes);
  for (u32 d = 0; d < rank; d++) buf_printf(&dict, "%s%lld", d ? ", " : "", (long long)shape[d]);
  buf_str(&dict, rank == 1 ? ",), }" : "), }");
  while ((MAGIC + 4 + dict.len + 1) % ALIGNMENT) buf_char(&dict, ' ');
  buf_char(&dict, '\n');
  buf_put(out, magic, MAGIC);
  const u8 version_and_length[4] = {1, 0, (u8)dict.len, (u8)(dict.len >> 8)};
  buf_put(out, version_and_length, sizeof version_and_length);
  buf_put(out, dict.data, dict.len);
  buf_free(&dict);
  bool is_whole = kind != 'i' || bits == 8 * bytes; /* else it has to be sign-extended */
  if (is_whole && elements.bytes == bytes && is_little_endian()) return true;
  for (size_t i = 0; i < elements.n; i++) {
    u64 value = element_of(elements, i);
    if (kind == 'i') value = (u64)eval_signed(value, bits);
    u8 little[8];
    for (unsigned b = 0; b < bytes; b++) little[b] = (u8)(value >> (8 * b));
    buf_put(out, little, bytes);
  }
  return false;
}

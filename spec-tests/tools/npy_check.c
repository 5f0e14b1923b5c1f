/* npy_check.c -- .npy files: written byte for byte as specified, and rejected where they are
 * broken.
 *
 *     npy-check LOOM SCRATCH
 *
 * Knows the format from its specification and nothing of LOOM. For each element type it makes a
 * file as NumPy would, has a kernel copy it from one memref to another, and wants the very same
 * bytes back; then the same array in other byte orders, orders of dimensions, versions, and
 * widths, which must all give those bytes. Then bad files: made by hand, with the code that must be
 * reported, and a good one cut at every length and with every byte of its header changed, which
 * must be refused or read, but never end the process otherwise. Prints "N passed, N failed".
 */
#include "lib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 2, COLUMNS = 3, ELEMENTS = ROWS * COLUMNS };

static const char *loom, *scratch;
/* ---- files ----------------------------------------------------------------------------------- */

typedef struct {
  unsigned char at[4096];
  size_t len;
} File;

static void put(File *f, const void *bytes, size_t n) {
  memcpy(f->at + f->len, bytes, n);
  f->len += n;
}

/* A file of this version; the header is padded so that data start at a multiple of 64. */
static File file_of(int version, const char *dict, const void *data, size_t bytes) {
  File f = {{0}, 0};
  char header[400];
  size_t prefix = version == 1 ? 10 : 12, len = strlen(dict);
  memcpy(header, dict, len);
  while ((prefix + len + 1) % 64) header[len++] = ' ';
  header[len++] = '\n';
  put(&f, "\x93NUMPY", 6);
  unsigned char rest[6] = {(unsigned char)version,    0, (unsigned char)len,
                           (unsigned char)(len >> 8), 0, 0};
  put(&f, rest, prefix - 6);
  put(&f, header, len);
  put(&f, data, bytes);
  return f;
}

static void write_bytes(const char *name, const void *data, size_t len) {
  write_file(path_in(scratch, name), data, len);
}

static File read_bytes(const char *name) {
  File f = {{0}, 0};
  char *text = read_file(path_in(scratch, name), &f.len);
  if (f.len > sizeof f.at) f.len = sizeof f.at;
  if (text) memcpy(f.at, text, f.len);
  free(text);
  return f;
}

/* loom run copy.mlir --in A=FILE --in B=zeros.npy --out-dir out; the exit status, or -1. */
static int run(const char *file) {
  char a[1010], b[1010];
  snprintf(a, sizeof a, "A=%s", path_in(scratch, file));
  snprintf(b, sizeof b, "B=%s", path_in(scratch, "zeros.npy"));
  RunLimits limits = {.out = "/dev/null", .err = path_in(scratch, "said")};
  const char *const words[] = {loom, "run",       path_in(scratch, "copy.mlir"), "--in", a, "--in",
                               b,    "--out-dir", path_in(scratch, "out"),       NULL};
  return run_program(words, &limits);
}

/* ---- good files ------------------------------------------------------------------------------ */

typedef struct {
  const char *type, *descr; /* as it is written */
  unsigned bits;
  bool is_float;
} Kind;

static const Kind kinds[] = {
    {"i1", "|b1", 1, false},   {"i8", "|i1", 8, false},     {"i16", "<i2", 16, false},
    {"i24", "<i4", 24, false}, {"i32", "<i4", 32, false},   {"i47", "<i8", 47, false},
    {"i64", "<i8", 64, false}, {"index", "<i4", 32, false}, {"f16", "<f2", 16, true},
    {"bf16", "<V2", 16, true}, {"f32", "<f4", 32, true},    {"f64", "<f8", 64, true},
};

static void write_kernel(const char *type) {
  char text[1200];
  int len = snprintf(text, sizeof text,
                     "func.func @copy(%%A: memref<2x3x%s>, %%B: memref<2x3x%s>) {\n"
                     "  %%0 = arith.constant 0 : index\n"
                     "  %%1 = arith.constant 1 : index\n"
                     "  %%2 = arith.constant 2 : index\n"
                     "  %%3 = arith.constant 3 : index\n"
                     "  scf.for %%i = %%0 to %%2 step %%1 {\n"
                     "    scf.for %%j = %%0 to %%3 step %%1 {\n"
                     "      %%x = memref.load %%A[%%i, %%j] : memref<2x3x%s>\n"
                     "      memref.store %%x, %%B[%%i, %%j] : memref<2x3x%s>\n"
                     "    }\n  }\n  return\n}\n",
                     type, type, type, type);
  write_bytes("copy.mlir", text, (size_t)len);
}

/* Elements as bytes of a width, sign-extended, in an order of bytes and of dimensions. */
static size_t lay_out(const uint64_t *values, unsigned bytes, bool big, bool fortran,
                      unsigned char *out) {
  size_t n = 0;
  for (size_t k = 0; k < ELEMENTS; k++) {
    size_t at = fortran ? k % ROWS * COLUMNS + k / ROWS : k;
    for (unsigned b = 0; b < bytes; b++)
      out[n++] = (unsigned char)(values[at] >> 8 * (big ? bytes - 1 - b : b));
  }
  return n;
}

static File array(int version, const char *descr, bool fortran, const uint64_t *values) {
  char dict[200];
  unsigned char data[8 * ELEMENTS];
  size_t n = lay_out(values, (unsigned)(descr[2] - '0'), descr[0] == '>', fortran, data);
  snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", descr,
           fortran ? "True" : "False", ROWS, COLUMNS);
  return file_of(version, dict, data, n);
}

/* The kernel must copy the first file's array into just the second file. */
static void copies(const char *type, const char *how, const File *in, const File *out) {
  write_bytes("in.npy", in->at, in->len);
  int status = run("in.npy");
  File got = read_bytes("out/B.npy");
  bool same = got.len == out->len && memcmp(got.at, out->at, got.len) == 0;
  check(status == 0 && same, "%s, %s: %s", type, how,
        status ? "loom run failed" : "other bytes came back");
}

static void check_kind(const Kind *kind, Random random) {
  uint64_t values[ELEMENTS], zeros[ELEMENTS] = {0};
  unsigned bytes = (unsigned)(kind->descr[2] - '0');
  write_kernel(kind->type);
  for (int i = 0; i < ELEMENTS; i++) {
    values[i] = random_next(&random) >> (64 - kind->bits);
    bool negative = values[i] >> (kind->bits - 1) & 1;
    if (negative && kind->bits > 1 && kind->bits < 64 && !kind->is_float)
      values[i] |= ~(uint64_t)0 << kind->bits;
  }
  File zero = array(1, kind->descr, false, zeros), good = array(1, kind->descr, false, values);
  write_bytes("zeros.npy", zero.at, zero.len);
  copies(kind->type, "as NumPy writes it", &good, &good);
  File two = array(2, kind->descr, false, values), three = array(3, kind->descr, false, values);
  copies(kind->type, "version 2.0", &two, &good);
  copies(kind->type, "version 3.0", &three, &good);
  File fortran = array(1, kind->descr, true, values);
  copies(kind->type, "Fortran's order", &fortran, &good);
  char big[4] = {'>', kind->descr[1], kind->descr[2], '\0'};
  File swapped = array(1, big, false, values), both = array(2, big, true, values);
  copies(kind->type, "big-endian", &swapped, &good);
  copies(kind->type, "big-endian, Fortran's order", &both, &good);
  if (kind->is_float) return;
  File wide = array(1, "<i8", false, values);
  copies(kind->type, "from <i8", &wide, &good);
  char unsigned_descr[4] = {'<', 'u', (char)('0' + bytes), '\0'};
  if (8 * bytes == kind->bits || kind->bits == 1) {
    File same_bits = array(1, unsigned_descr, false, values);
    copies(kind->type, "unsigned", &same_bits, &good);
  }
}

/* ---- bad files ------------------------------------------------------------------------------- */

#define F "{'descr': '<f4', 'fortran_order': False, "
static const struct {
  const char *dict, *code;
} bad_dicts[] = {
    {"", "RT_NPY_FORM"},
    {"{", "RT_NPY_FORM"},
    {"{}", "RT_NPY_FORM"},
    {"garbage", "RT_NPY_FORM"},
    {F "'shape': (2, 3), } more", "RT_NPY_FORM"},
    {F "}", "RT_NPY_FORM"},
    {F "'shape': (2, 3), 'shape': (2, 3)}", "RT_NPY_FORM"},
    {F "'shape': (2, 3), 'extra': 1}", "RT_NPY_FORM"},
    {F "'shape': (2, -3)}", "RT_NPY_FORM"},
    {F "'shape': (2, 3}", "RT_NPY_FORM"},
    {F "'shape': [2, 3]}", "RT_NPY_FORM"},
    {F "'shape': (2,, 3)}", "RT_NPY_FORM"},
    {F "'shape': (2, 3', 'x': '", "RT_NPY_FORM"},
    {F "'shape': (3, 3)}", "RT_NPY_FORM"}, /* fewer bytes */
    {F "'shape': (2, 2)}", "RT_NPY_FORM"}, /* more bytes */
    {F "'shape': (0, 3)}", "RT_NPY_FORM"}, /* more bytes */
    {F "'shape': (6,)}", "RT_NPY_SHAPE"},  /* a good file that does not fit */
    {F "'shape': (4294967296, 4294967296)}", "RT_NPY_SHAPE"},
    {F "'shape': (268435456, 268435456, 0)}", "RT_NPY_SHAPE"},
    {F "'shape': (99999999999999999999999999999999,)}", "RT_NPY_SHAPE"},
    {F "'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "RT_NPY_SHAPE"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}", "RT_NPY_FORM"},
    {"{'descr': '<f4, 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<U4', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<f3', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
    {"{'descr': '<V2', 'fortran_order': False, 'shape': (2, 3)}", "RT_NPY_TYPE"},
};

static void is_refused(const File *f, const char *what, const char *code) {
  write_bytes("in.npy", f->at, f->len);
  int status = run("in.npy");
  File said = read_bytes("said");
  said.at[said.len < sizeof said.at ? said.len : sizeof said.at - 1] = '\0';
  check(status == 1 && strstr((const char *)said.at, code), "%s: %s", what, code);
}

static void check_bad_files(void) {
  const uint64_t values[ELEMENTS] = {0x3f800000, 0x40000000, 0, 1, 2, 3};
  unsigned char data[4 * ELEMENTS];
  size_t n = lay_out(values, 4, false, false, data);
  write_kernel("f32");
  File zero = array(1, "<f4", false, values), good = zero;
  write_bytes("zeros.npy", zero.at, zero.len);
  for (size_t i = 0; i < sizeof bad_dicts / sizeof bad_dicts[0]; i++) {
    File bad = file_of(1, bad_dicts[i].dict, data, n);
    is_refused(&bad, bad_dicts[i].dict, bad_dicts[i].code);
  }
  for (size_t len = 0; len < good.len; len++) {
    File cut = good;
    char what[40];
    cut.len = len;
    snprintf(what, sizeof what, "cut at %zu", len);
    is_refused(&cut, what, "RT_NPY_FORM");
  }
  const unsigned char changes[] = {0x00, 0xff, ' ', '9', '\'', ')'};
  for (size_t at = 0; at < good.len - n; at++)
    for (size_t k = 0; k < sizeof changes; k++) {
      File changed = good;
      changed.at[at] = changes[k];
      write_bytes("in.npy", changed.at, changed.len);
      int status = run("in.npy");
      check(status == 0 || status == 1, "byte %zu is %02x: neither read nor refused", at,
            changes[k]);
    }
}

int main(int argc, char **argv) {
  if (argc != 3) wrong_usage("npy-check LOOM SCRATCH");
  loom = argv[1];
  scratch = argv[2];
  mkdir(scratch, 0700);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) check_kind(&kinds[i], (Random){i});
  check_bad_files();
  return checks_end();
}

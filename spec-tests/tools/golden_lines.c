/* golden_lines.c -- is a golden trace true? Works lines of it out without LOOM.
 *
 *     golden-lines DIR...                                  N passed, N failed: a check a line
 *
 * The observable section of golden/NAME/golden.trace says what the program does. Here those of its
 * lines that can be known without running LOOM are worked out again from case.json, which a C
 * program wrote, with nothing but jansson and xxHash:
 *
 *     memory.N, result.N     of every kernel: "expected", encoded and hashed
 *     load.N, store.N        of eight kernels, in which each type of elements and each kind of memory
 *                            and view occurs: their loops once more in C, each access noted as it
 *                            happens
 *
 * and the form of the file is looked at: sorted, no name twice. So traces that were blessed while all
 * engines were wrong alike are found: where histories have other bytes, addresses or values.
 */
#include "token_bytes.h"

#include <jansson.h>

enum { MAX_ARGS = 16, MAX_ACCESSES = 8 };

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t bits_of(json_t *value, const char *type) {
  const char *text = json_string_value(value);
  if (text && strncmp(text, "0x", 2) == 0) return strtoull(text, NULL, 16);
  if (!is_float_type(type)) return (uint64_t)json_integer_value(value);
  return float_bits(text ? strtod(text, NULL) : json_number_value(value), type);
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef struct {
  const char *dir;
  char *text; /* the lines of the observable section, ended by NULs */
  json_t *root;
} Folder;

/* The line of a name in the observable section, copied to `line`; false: none. */
static bool find_line(const Folder *f, const char *name, char line[200]) {
  const char *at = strstr(f->text, "\nobservable\n"), *end = at ? strstr(at, "\n\n") : NULL;
  size_t len = strlen(name);
  for (; at && at < end; at = strchr(at + 1, '\n')) {
    if (strncmp(at + 1, name, len) != 0 || at[1 + len] != ' ') continue;
    copy_until(line, at + 1, "\n");
    return true;
  }
  return false;
}

/* The line of a history must be this and no other. */
static void expect(const Folder *f, const char *name, const char *type, const Bytes *bytes) {
  char want[200], got[200], history[80];
  count_and_hash(bytes, history);
  snprintf(want, sizeof want, "%s %s %s", name, type, history);
  bool found = find_line(f, name, got);
  check(found && strcmp(want, got) == 0, "%s: %s; the file has: %s", f->dir, want,
        found ? got : "no such line");
}

/* Both sections sorted, every line of four words or more. */
static void check_form(const Folder *f) {
  char before[200] = "";
  static const char start[] = "loom golden trace 1\nindex 32\n\nobservable\n";
  bool good = strncmp(f->text, start, sizeof start - 1) == 0;
  for (const char *at = f->text + sizeof start - 1, *stop; good && *at; at = stop + 1) {
    stop = strchr(at, '\n');
    if (!stop) break;
    char name[200];
    copy_until(name, at, " \n");
    bool starts = stop == at || strcmp(name, "edges") == 0;
    good = starts || strcmp(before, name) < 0;
    memcpy(before, starts ? "" : name, starts ? 1 : sizeof name);
  }
  check(good, "%s: the file is not sorted", f->dir);
}

/* ---- memories and results -------------------------------------------------------------------- */

static const char *element_type(const Folder *f, json_int_t arg) {
  json_t *entry = json_array_get(json_object_get(f->root, "args"), (size_t)arg);
  return json_string_value(json_object_get(json_object_get(entry, "memref"), "type"));
}

static void check_expected(const Folder *f) {
  json_t *expected = json_object_get(f->root, "expected"), *value;
  size_t i, k;
  json_array_foreach(json_object_get(expected, "memrefs"), i, value) {
    json_int_t arg = json_integer_value(json_object_get(value, "arg"));
    const char *type = element_type(f, arg);
    Bytes bytes = {0};
    json_t *element;
    json_array_foreach(json_object_get(value, "data"), k, element) {
      put(&bytes, bits_of(element, type), bytes_of(type));
      bytes.count++;
    }
    char name[40];
    snprintf(name, sizeof name, "memory.%d", (int)arg);
    expect(f, name, type, &bytes);
    free(bytes.at);
  }
  json_array_foreach(json_object_get(expected, "results"), i, value) {
    char name[40], line[200], type[200];
    snprintf(name, sizeof name, "result.%zu", i);
    if (!find_line(f, name, line)) snprintf(line, sizeof line, "%s i8", name);
    sscanf(line + strlen(name) + 1, "%199s", type); /* a case does not say it */
    Bytes bytes = {.count = 1};
    put(&bytes, bits_of(value, type), bytes_of(type));
    expect(f, name, type, &bytes);
    free(bytes.at);
  }
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* A kernel at work on the arrays of its case. */
typedef struct {
  double scalar[MAX_ARGS];
  double *memory[MAX_ARGS]; /* all values used here are exact in a double */
  const char *type[MAX_ARGS];
  size_t extent[MAX_ARGS][2];
  Bytes access[MAX_ACCESSES];
  const char *access_type[MAX_ACCESSES];
} Work;

static void note(Work *w, int access, int arg, size_t at) {
  Bytes *b = &w->access[access];
  json_t *value = w->type[arg][0] == 'f' ? json_real(w->memory[arg][at])
                                         : json_integer((json_int_t)w->memory[arg][at]);
  put(b, at, 4);
  put(b, bits_of(value, w->type[arg]), bytes_of(w->type[arg]));
  b->count++;
  w->access_type[access] = w->type[arg];
  json_decref(value);
}

static double load(Work *w, int access, int arg, size_t at) {
  note(w, access, arg, at);
  return w->memory[arg][at];
}

static void store(Work *w, int access, int arg, size_t at, double value) {
  w->memory[arg][at] = value;
  note(w, access, arg, at);
}

static void matmul(Work *w) {
  for (size_t i = 0; i < 32; i++)
    for (size_t j = 0; j < 32; j++)
      for (size_t k = 0; k < 32; k++) {
        float a = (float)load(w, 0, 0, 32 * i + k), b = (float)load(w, 1, 1, 32 * k + j);
        float c = (float)load(w, 2, 2, 32 * i + j), product = a * b;
        store(w, 3, 2, 32 * i + j, (double)(c + product));
      }
}

static void transpose(Work *w) {
  size_t n = w->extent[0][0];
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) {
      double upper = load(w, 0, 0, n * i + j), lower = load(w, 1, 0, n * j + i);
      store(w, 2, 0, n * i + j, lower);
      store(w, 3, 0, n * j + i, upper);
    }
}

static void bubble_sort(Work *w) {
  bool swapped = true;
  for (size_t last = w->extent[0][0] - 1; swapped; last--) {
    swapped = false;
    for (size_t i = 0; i < last; i++) {
      double x = load(w, 0, 0, i), y = load(w, 1, 0, i + 1);
      if (x <= y) continue;
      store(w, 2, 0, i, y);
      store(w, 3, 0, i + 1, x);
      swapped = true;
    }
  }
}

static void histogram(Work *w) {
  for (size_t bin = 0; bin < 256; bin++) store(w, 0, 1, bin, 0);
  for (size_t i = 0; i < w->extent[0][0]; i++) {
    size_t bin = (uint8_t)(int)load(w, 1, 0, i);
    double count = load(w, 2, 1, bin);
    store(w, 3, 1, bin, count + 1);
  }
}

static void gemm_i8(Work *w) {
  for (size_t block = 0; block < 3 * 2 * 4; block++) {
    size_t i0 = block / 8 * 8, j0 = block / 4 % 2 * 8, k0 = block % 4 * 8;
    for (size_t i = i0; i < i0 + 8; i++)
      for (size_t j = j0; j < j0 + 8; j++) {
        double sum = load(w, 0, 2, 16 * i + j);
        for (size_t k = k0; k < k0 + 8; k++) {
          double a = load(w, 1, 0, 32 * i + k), b = load(w, 2, 1, 16 * k + j);
          sum += a * b;
        }
        store(w, 3, 2, 16 * i + j, sum);
      }
  }
}

/* A memory of the kernel's own, as argument `slot`. */
static void local(Work *w, int slot, const char *type, size_t elements) {
  w->type[slot] = type;
  w->memory[slot] = calloc(elements, sizeof(double));
  if (!w->memory[slot]) fatal("no memory");
}

static void insertion_sort(Work *w) {
  for (size_t i = 1; i < w->extent[0][0]; i++) {
    double key = load(w, 0, 0, i);
    size_t j = i;
    for (; j > 0 && load(w, 1, 0, j - 1) > key; j--) store(w, 3, 0, j, load(w, 2, 0, j - 1));
    store(w, 4, 0, j, key);
  }
}

static void game_of_life(Work *w) {
  local(w, 1, "i1", 480);
  for (int t = 0; t < 3; t++) {
    for (size_t y = 0; y < 20; y++)
      for (size_t x = 0; x < 24; x++) {
        double around = 0;
        for (size_t k = 0; k < 9; k++)
          if (k != 4) around += load(w, 0, 0, (y + k / 3 + 19) % 20 * 24 + (x + k % 3 + 23) % 24);
        double self = load(w, 1, 0, 24 * y + x);
        store(w, 2, 1, 24 * y + x, around == 3 || (self == 1 && around == 2));
      }
    for (size_t i = 0; i < 480; i++) store(w, 4, 0, i, load(w, 3, 1, i));
  }
}

static void jacobi1d(Work *w) {
  size_t last = w->extent[0][0] - 1;
  for (int t = 0; t < (int)w->scalar[2]; t++) {
    for (size_t i = 1; i < last; i++) {
      double l = load(w, 0, 0, i - 1), m = load(w, 1, 0, i), r = load(w, 2, 0, i + 1);
      store(w, 3, 1, i, (l + m + r) * 0.33333333333333331);
    }
    for (size_t i = 1; i < last; i++) store(w, 5, 0, i, load(w, 4, 1, i));
  }
}

static const struct {
  const char *name;
  bool stores[MAX_ACCESSES];
  int accesses;
  void (*run)(Work *);
} kernels[] = {
    {"matmul", {false, false, false, true}, 4, matmul},
    {"transpose", {false, false, true, true}, 4, transpose},
    {"bubble_sort", {false, false, true, true}, 4, bubble_sort},
    {"histogram", {true, false, false, true}, 4, histogram},
    {"gemm_i8", {false, false, false, true}, 4, gemm_i8},
    {"insertion_sort", {false, false, false, true, true}, 5, insertion_sort},
    {"game_of_life", {false, false, true, false, true}, 5, game_of_life},
    {"jacobi1d", {false, false, false, true, false, true}, 6, jacobi1d},
};

static void load_arguments(const Folder *f, Work *w) {
  json_t *entry, *value;
  size_t i, k;
  json_array_foreach(json_object_get(f->root, "args"), i, entry) {
    json_t *memref = json_object_get(entry, "memref"), *data = json_object_get(memref, "data");
    json_t *scalar = json_object_get(entry, "scalar");
    if (i >= MAX_ARGS) continue;
    if (scalar) w->scalar[i] = json_number_value(json_object_get(scalar, "value"));
    if (!memref) continue;
    size_t elements = 1, rank = json_array_size(json_object_get(memref, "shape"));
    for (k = 0; k < rank && k < 2; k++) {
      w->extent[i][k] =
          (size_t)json_integer_value(json_array_get(json_object_get(memref, "shape"), k));
      elements *= w->extent[i][k];
    }
    w->type[i] = json_string_value(json_object_get(memref, "type"));
    w->memory[i] = calloc(elements + 1, sizeof(double));
    if (!w->memory[i]) fatal("no memory");
    json_array_foreach(data, k, value) {
      double x = json_number_value(value);
      w->memory[i][k] = strcmp(w->type[i], "f32") == 0 ? (double)(float)x : x;
    }
  }
}

static void check_accesses(const Folder *f) {
  const char *name = json_string_value(json_object_get(f->root, "function"));
  for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
    if (strcmp(kernels[k].name, name) != 0) continue;
    Work w = {0};
    load_arguments(f, &w);
    kernels[k].run(&w);
    for (int i = 0; i < kernels[k].accesses; i++) {
      char line[40];
      snprintf(line, sizeof line, "%s.%d", kernels[k].stores[i] ? "store" : "load", i);
      expect(f, line, w.access_type[i], &w.access[i]);
      free(w.access[i].at);
    }
    for (size_t i = 0; i < MAX_ARGS; i++) free(w.memory[i]);
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *json = read_file(path_in(argv[i], "case.json"), NULL);
    Folder f = {argv[i], read_file(path_in(argv[i], "golden.trace"), NULL),
                json ? json_loads(json, 0, NULL) : NULL};
    check(f.text && f.root, "%s: case.json or golden.trace cannot be read", f.dir);
    if (f.text && f.root) {
      check_form(&f);
      check_expected(&f);
      check_accesses(&f);
    }
    json_decref(f.root);
    free(json);
    free(f.text);
  }
  return checks_end();
}

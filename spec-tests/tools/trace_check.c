/* trace_check.c -- do the files of the trace backend show what happened?
 *
 *     trace-check LOOM SCRATCH DIR...
 *
 * For each golden kernel that is not too long: `loom emit trace`, then each format is read by a
 * reader of this file's own and turned back into histories, which must be those of golden.trace:
 *
 *     trace.vcd        each edge's valid and data, sampled once a unit of time
 *     edges/NAME.csv   the values
 *     trace.json       the tokens of each result, from the slices' args; and slices stand one
 *                      behind the other, one a unit of time
 *     histories.trace  line for line
 *
 * Besides: trace.json of a kernel whose path is not UTF-8 is JSON all the same; and of hardware,
 * names of units that are far longer than a line take no memory for each firing.
 *
 * Prints what is wrong and "N passed, N failed", where each history read counts.
 */
#include "token_bytes.h"

#include <jansson.h>

enum { MAX_EDGES = 2000, MAX_TOKENS = 24000 };

/* An edge, as golden.trace has it, and what was read of it. */
typedef struct {
  char name[200], type[40], history[80];
  Bytes bytes;
} Edge;

typedef struct {
  const char *dir;
  char out[900];
  Edge edges[MAX_EDGES];
  size_t n;
} Kernel;

static Edge *edge_named(Kernel *k, const char *name) {
  for (size_t i = 0; i < k->n; i++)
    if (strcmp(k->edges[i].name, name) == 0) return &k->edges[i];
  return NULL;
}

/* The edges section; the number of tokens on all edges. */
static size_t read_golden(Kernel *k) {
  char *text = read_file(path_in(k->dir, "golden.trace"), NULL),
       *at = text ? strstr(text, "\nedges\n") : NULL;
  size_t tokens = 0;
  for (at = at ? at + 7 : NULL; at && *at && k->n < MAX_EDGES; at = strchr(at, '\n') + 1) {
    Edge *e = &k->edges[k->n++];
    char type[200], history[200];
    copy_until(e->name, at, " ");
    copy_until(type, at + strlen(e->name) + 1, " ");
    copy_until(history, at + strlen(e->name) + strlen(type) + 2, "\n");
    snprintf(e->type, sizeof e->type, "%.39s", type);
    snprintf(e->history, sizeof e->history, "%.79s", history);
    tokens += strtoull(history, NULL, 10);
  }
  free(text);
  return tokens;
}

static bool is_none(const Edge *e) {
  return strcmp(e->type, "none") == 0;
}

static void add_bits(Edge *e, uint64_t bits) {
  if (!is_none(e)) put(&e->bytes, bits, bytes_of(e->type));
  e->bytes.count++;
}

static void add_text(Edge *e, const char *text) {
  add_bits(e, is_none(e)               ? 0
              : is_float_type(e->type) ? float_bits(strtod(text, NULL), e->type)
                                       : (uint64_t)strtoll(text, NULL, 10));
}

/* Holds what was read of every edge to golden.trace, and starts over. */
static void compare(Kernel *k, const char *format) {
  for (size_t i = 0; i < k->n; i++) {
    Edge *e = &k->edges[i];
    char history[80];
    count_and_hash(&e->bytes, history);
    check(strcmp(history, e->history) == 0, "%s: %s: %s", k->dir, format, e->name);
    free(e->bytes.at);
    e->bytes = (Bytes){0};
  }
}

/* ---- waves ----------------------------------------------------------------------------------- */

typedef struct {
  char code[8];
  Edge *edge;
  bool is_valid, level;
  uint64_t data;
} Signal;

typedef struct {
  Signal signals[2 * MAX_EDGES];
  size_t n;
} Waves;

static Signal *signal_of(Waves *w, const char *code) {
  for (size_t i = 0; i < w->n; i++)
    if (strcmp(w->signals[i].code, code) == 0) return &w->signals[i];
  fatal("a signal that was not declared");
  return NULL;
}

/* The unit of time that ends: who is valid had a token. A data signal stands behind its valid. */
static void sample(Waves *w, uint64_t units) {
  for (size_t i = 0; i < w->n; i++) {
    Signal *valid = &w->signals[i];
    if (!valid->is_valid || !valid->level) continue;
    for (uint64_t u = 0; u < units; u++)
      add_bits(valid->edge, is_none(valid->edge) ? 0 : valid[1].data);
  }
}

static void read_vcd(Kernel *k) {
  Waves *w = calloc(1, sizeof *w);
  char *text = read_file(path_in(k->out, "trace.vcd"), NULL), *save = NULL;
  if (!w || !text) fatal("no trace.vcd");
  char scope[200] = "", word[200];
  bool started = false;
  uint64_t now = 0;
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    Signal *s = &w->signals[w->n];
    if (sscanf(line, "$scope module %199s", scope) == 1) continue;
    if (sscanf(line, "$var wire %*u %7s %199s", s->code, word) == 2) {
      s->edge = edge_named(k, scope);
      s->is_valid = strcmp(word, "valid") == 0;
      if (!s->edge) fatal("an edge that golden.trace does not have");
      w->n++;
    } else if (*line == '#') {
      uint64_t time = strtoull(line + 1, NULL, 10);
      if (started && time <= now) fatal("time stands still");
      if (started) sample(w, time - now);
      started = true;
      now = time;
    } else if (*line == 'b') {
      uint64_t data = strtoull(line + 1, NULL, 2);
      signal_of(w, strchr(line, ' ') + 1)->data = data;
    } else if (*line == '0' || *line == '1') {
      signal_of(w, line + 1)->level = *line == '1';
    }
  }
  for (size_t i = 0; i < w->n; i++)
    if (w->signals[i].level) fatal("something is valid at the end");
  free(text);
  free(w);
  compare(k, "trace.vcd");
}

/* ---- tables, hashes -------------------------------------------------------------------------- */

static void read_csv(Kernel *k) {
  for (size_t i = 0; i < k->n; i++) {
    Edge *e = &k->edges[i];
    char path[300], value[100];
    snprintf(path, sizeof path, "edges/%s.csv", e->name);
    char *text = read_file(path_in(k->out, path), NULL), *save = NULL;
    unsigned long long number, time;
    if (!text) fatal(path);
    char *line = strtok_r(text, "\n", &save);
    if (strcmp(line, is_none(e) ? "token,time" : "token,time,value") != 0) fatal("a wrong header");
    while ((line = strtok_r(NULL, "\n", &save))) {
      value[0] = '\0';
      sscanf(line, "%llu,%llu,%99s", &number, &time, value);
      if (number != e->bytes.count) fatal("tokens are not numbered");
      add_text(e, value);
    }
    free(text);
  }
  compare(k, "csv");
}

static void read_hashes(Kernel *k) {
  char *text = read_file(path_in(k->out, "histories.trace"), NULL);
  char *golden = read_file(path_in(k->dir, "golden.trace"), NULL);
  const char *a = text ? strstr(text, "\nedges\n") : NULL;
  const char *b = golden ? strstr(golden, "\nedges\n") : NULL;
  check(a && b && strcmp(a, b) == 0, "%s: %s: %s", k->dir, "histories.trace", "the edges section");
  free(text);
  free(golden);
}

/* ---- the timeline ---------------------------------------------------------------------------- */

/* A result's tokens are those of each of its edges; its first edge has its name. */
static void read_timeline(Kernel *k) {
  char path[1000];
  snprintf(path, sizeof path, "%s/trace.json", k->out);
  json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *event, *value;
  json_int_t next = 0;
  size_t i;
  const char *name;
  bool in_order = root != NULL;
  json_array_foreach(json_object_get(root, "traceEvents"), i, event) {
    if (strcmp(json_string_value(json_object_get(event, "ph")), "X") != 0) continue;
    in_order = in_order && json_integer_value(json_object_get(event, "ts")) == next++;
    json_object_foreach(json_object_get(event, "args"), name, value) {
      Edge *e = edge_named(k, name);
      if (e) add_text(e, json_string_value(value)); /* a result without an edge has none */
    }
  }
  check(in_order, "%s: %s: %s", k->dir, "trace.json", "slices are not one behind the other");
  for (size_t e = 0; e < k->n; e++) {
    char history[80], *dot = strrchr(k->edges[e].name, '.');
    count_and_hash(&k->edges[e].bytes, history);
    if (!dot)
      check(strcmp(history, k->edges[e].history) == 0, "%s: %s: %s", k->dir, "trace.json",
            k->edges[e].name);
    free(k->edges[e].bytes.at);
    k->edges[e].bytes = (Bytes){0};
  }
  json_decref(root);
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static bool emit(const char *loom, const Kernel *k) {
  const char *const words[] = {
      loom, "emit", "trace", path_in(k->dir, "kernel.mlir"), "--case", path_in(k->dir, "case.json"),
      "-o", k->out, NULL};
  return run_program(words, &(RunLimits){.out = "/dev/null"}) == 0;
}

/* ---- hostile texts --------------------------------------------------------------------------- */

static void check_path(const char *loom, const char *dir) {
  char kernel[1000], timeline[1000];
  const char *folder = temp_folder();
  size_t length;
  char *text = read_file(path_in(dir, "kernel.mlir"), &length);
  if (!text) fatal("no kernel.mlir");
  snprintf(kernel, sizeof kernel, "%s/\xc3\xa9\xff.mlir", folder);
  snprintf(timeline, sizeof timeline, "%s/trace.json", folder);
  write_file(kernel, text, length);
  free(text);
  const char *const words[] = {loom,     "emit",
                               "trace",  kernel,
                               "--case", path_in(dir, "case.json"),
                               "-o",     folder,
                               "--",     "--format=perfetto",
                               NULL};
  check(run_program(words, &(RunLimits){.out = "/dev/null"}) == 0, "a path that is not UTF-8");
  json_t *root = json_load_file(timeline, 0, NULL); /* jansson refuses what is not UTF-8 */
  check(root != NULL, "trace.json of a source whose path is not UTF-8");
  json_decref(root);
}

static FILE *create_file(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) fatal(path);
  return f;
}

/* A switch and a PE behind it that takes a token every other cycle. */
static void write_fabric(const char *path, const char *name) {
  FILE *f = create_file(path);
  fprintf(f,
          "fabric.module @top(%%a: !fabric.bits<8>) -> (!fabric.bits<8>) {\n"
          "  %%s = fabric.spatial_sw @s_%s [connectivity_table = [\"1\"]] (%%a)"
          " attributes {route_table = [\"in 0 -> out 0\"]}"
          " : (!fabric.bits<8>) -> (!fabric.bits<8>)\n"
          "  %%p = fabric.spatial_pe @p_%s inputs(%%s) : (!fabric.bits<8>) -> (!fabric.bits<8>)"
          " attributes {instruction = \"twice(in 0) -> (out 0)\"} {\n"
          "    fabric.function_unit @twice(%%x: i8) -> (i8) [latency = 2, interval = 2] {\n"
          "      %%z = arith.addi %%x, %%x : i8\n      fabric.yield %%z : i8\n    }\n"
          "    fabric.yield\n  }\n  fabric.yield %%p : !fabric.bits<8>\n}\n",
          name, name);
  fclose(f);
}

static void write_case(const char *path, int tokens) {
  FILE *f = create_file(path);
  fprintf(f, "{\"args\":[{\"stream\":{\"type\":\"i8\",\"data\":[0");
  for (int i = 1; i < tokens; i++) fprintf(f, ",%d", i % 100);
  fprintf(f, "]}}]}\n");
  fclose(f);
}

/* The most memory that a trace of 20,000 tokens takes, with names of such a length. */
static u64 memory_for_names(const char *loom, size_t length) {
  char name[1000], fabric[1000], input[1000];
  const char *folder = temp_folder();
  u64 peak = 0;
  memset(name, 'n', length);
  name[length] = '\0';
  snprintf(fabric, sizeof fabric, "%s/fabric.mlir", folder);
  snprintf(input, sizeof input, "%s/case.json", folder);
  write_fabric(fabric, name);
  write_case(input, 20000);
  const char *const words[] = {loom, "emit", "trace", fabric, "--case", input, "-o", folder, NULL};
  check(run_program(words, &(RunLimits){.out = "/dev/null", .peak = &peak}) == 0,
        "a trace with names of %zu bytes", length);
  return peak;
}

static void check_memory(const char *loom) {
  u64 usual = memory_for_names(loom, 200), most = memory_for_names(loom, 800);
  check(most < usual + (8 << 20), "long names take %llu KB more", (most - usual) / 1024ULL);
}

int main(int argc, char **argv) {
  Kernel *k = calloc(1, sizeof *k);
  if (argc < 4 || !k) wrong_usage("trace-check LOOM SCRATCH DIR...");
  for (int i = 3; i < argc; i++) {
    *k = (Kernel){.dir = argv[i]};
    if (read_golden(k) > MAX_TOKENS || k->n == 0) continue;
    snprintf(k->out, sizeof k->out, "%s/%d", argv[2], i);
    if (!emit(argv[1], k)) {
      check(false, "%s: %s: %s", k->dir, "loom emit trace", "failed");
      continue;
    }
    read_vcd(k);
    read_csv(k);
    read_hashes(k);
    read_timeline(k);
  }
  free(k);
  check_path(argv[1], argv[3]);
  check_memory(argv[1]);
  return checks_end();
}

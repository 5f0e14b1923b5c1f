/* ---- a program ---------------------------------------------------------------------------------
 * With -DLOOM_MAIN this file is a program that reads a case, as `loom run --case` does:
 *
 *     {"args": [{"scalar": {"type": "f32", "value": 2.5}},
 *               {"memref": {"shape": [4], "type": "f32", "data": [1, 2, "inf", -0.0]}},
 *               {"stream": {"type": "i1", "data": [1, 1, 0]}}],
 *      "expected": {"results": [7], "memrefs": [{"arg": 1, "data": [2.5, 5, "inf", 0]}]}}
 *
 * It prints results and memories in the shape of "expected", and, where that is given, whether
 * they are what was expected, bit for bit. Exit status: 0 good, 1 the case is wrong, 2 the call is
 * wrong, 4 the run failed, 5 the machine (no memory, output cannot be written). The tables above
 * say what the function takes and where its operations come from. */

enum { MAIN_MAX_NESTED = 64, MAIN_MAX_RANK = 16, MAIN_DIFFERENCES_SHOWN = 5 };
#define MAIN_MAX_ELEMENTS ((uint64_t)1 << 28)

/* ---- memory ---- */

/* All blocks are in one list until the end, so that every exit frees them. */
typedef struct MainBlock {
  struct MainBlock *next, *previous;
  uint64_t room[2]; /* what follows is aligned for anything */
} MainBlock;

static MainBlock main_blocks = {&main_blocks, &main_blocks, {0, 0}};

static void main_no_memory(void) {
  fputs("error: there is not enough memory\n", stderr);
  exit(5);
}

/* Zeroed where new; NULL where there is none. */
static void *main_resize(void *old, uint64_t bytes) {
  MainBlock *block = old ? (MainBlock *)old - 1 : NULL;
  if (bytes > (uint64_t)(SIZE_MAX / 2)) return NULL;
  if (block) {
    block->next->previous = block->previous;
    block->previous->next = block->next;
    block = (MainBlock *)realloc(block, sizeof *block + (size_t)bytes);
  } else {
    block = (MainBlock *)calloc(1, sizeof *block + (size_t)bytes);
  }
  if (!block) return NULL;
  block->next = main_blocks.next;
  block->previous = &main_blocks;
  block->next->previous = block;
  main_blocks.next = block;
  return block + 1;
}

static void *main_new(uint64_t count, size_t size) {
  void *memory = count <= SIZE_MAX / 2 / size ? main_resize(NULL, count * size + 1) : NULL;
  if (!memory) main_no_memory();
  return memory;
}

static void main_free_all(void) {
  while (main_blocks.next != &main_blocks) {
    MainBlock *block = main_blocks.next;
    main_blocks.next = block->next;
    free(block);
  }
}

/* ---- the case file ---- */

static const char *main_path, *main_case, *main_end;

static void main_place(const char *at) {
  const char *p, *line = main_case;
  unsigned long lines = 1;
  for (p = main_case; p < at; p++)
    if (*p == '\n') {
      lines++;
      line = p + 1;
    }
  fprintf(stderr, "%s:%lu:%lu: error: ", main_path, lines, (unsigned long)(at - line) + 1);
}

/* What is wrong at a place in the case, and the end. */
static void main_fail(const char *at, const char *what) {
  main_place(at);
  fprintf(stderr, "%s\n", what);
  main_free_all();
  exit(1);
}

static void main_read(const char *path) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t used = 0, capacity = 1 << 16, n;
  char *text = (char *)main_new(capacity + 1, 1);
  main_path = path;
  if (!file) {
    fprintf(stderr, "error: cannot read %s: %s\n", path, strerror(errno));
    main_free_all();
    exit(1);
  }
  while ((n = fread(text + used, 1, capacity - used, file)) > 0) {
    used += n;
    if (used < capacity) continue;
    capacity *= 2;
    text = (char *)main_resize(text, (uint64_t)capacity + 1);
    if (!text) main_no_memory();
  }
  if (ferror(file)) {
    fprintf(stderr, "error: cannot read %s: %s\n", path, strerror(errno));
    main_free_all();
    exit(1);
  }
  if (file != stdin) fclose(file);
  text[used] = 0;
  main_case = text;
  main_end = text + used;
}

/* ---- JSON ---- */

/* A value; those of a list or an object are a chain of siblings. Numbers stay text: what they are
 * depends on the type that is wanted. */
typedef struct MainJson {
  char kind;              /* { [ " 0 (number) t f n */
  const char *at;         /* where it stands */
  const char *key;        /* of a member */
  char *text;             /* of strings and numbers */
  struct MainJson *child; /* the first */
  struct MainJson *next;  /* sibling */
  uint64_t count;         /* of children */
} MainJson;

static const char *main_skip(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  return p;
}

static int main_hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* A string without its escapes. Nothing that a case may say has a character beyond ASCII, so
 * those become '?'. */
static const char *main_string(const char *p, char **text) {
  const char *start = p++;
  char *to;
  while (p < main_end && *p != '"') p += *p == '\\' && p + 1 < main_end ? 2 : 1;
  if (p >= main_end) main_fail(start, "unterminated string");
  *text = to = (char *)main_new((uint64_t)(p - start) + 1, 1);
  for (p = start + 1; *p != '"'; p++) {
    if ((unsigned char)*p < ' ') main_fail(p, "invalid byte in a string");
    if (*p != '\\') {
      *to++ = *p;
      continue;
    }
    p++;
    if (*p == 'u') {
      int i, code = 0;
      for (i = 1; i <= 4; i++) {
        if (main_hex(p[i]) < 0) main_fail(p, "expected four hexadecimal digits");
        code = code * 16 + main_hex(p[i]);
      }
      *to++ = (char)(code > 0 && code < 128 ? code : '?');
      p += 4;
    } else {
      const char *escapes = "\"\"\\\\//b\bf\fn\nr\rt\t", *e = escapes;
      while (*e && *e != *p) e += 2;
      if (!*e) main_fail(p, "unknown escape");
      *to++ = e[1];
    }
  }
  *to = 0;
  return p + 1;
}

static const char *main_digits(const char *p) {
  if (*p < '0' || *p > '9') main_fail(p, "expected a digit");
  while (*p >= '0' && *p <= '9') p++;
  return p;
}

static const char *main_number(const char *p, MainJson *json) {
  const char *start = p;
  size_t length;
  if (*p == '-') p++;
  if (*p == '0' && p[1] >= '0' && p[1] <= '9') main_fail(p, "a number cannot start with 0");
  p = main_digits(p);
  if (*p == '.') p = main_digits(p + 1);
  if (*p == 'e' || *p == 'E') p = main_digits(p + (p[1] == '+' || p[1] == '-' ? 2 : 1));
  length = (size_t)(p - start);
  json->kind = '0';
  json->text = (char *)main_new(length + 1, 1);
  memcpy(json->text, start, length);
  return p;
}

static const char *main_value(const char *p, MainJson *json, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  MainJson **last = &json->child;
  char end;
  int i;
  json->at = p;
  json->kind = *p;
  if (*p == '"') return main_string(p, &json->text);
  if (*p == '-' || (*p >= '0' && *p <= '9')) return main_number(p, json);
  for (i = 0; i < 3; i++)
    if (strncmp(p, words[i], strlen(words[i])) == 0) return p + strlen(words[i]);
  if (*p != '{' && *p != '[') main_fail(p, "expected a value");
  if (depth > MAIN_MAX_NESTED) main_fail(p, "nested too deeply");
  end = *p == '{' ? '}' : ']';
  p = main_skip(p + 1);
  while (*p != end) {
    MainJson *child = (MainJson *)main_new(1, sizeof *child);
    if (json->count++ && *p++ != ',') main_fail(p - 1, "expected a comma or the end");
    p = main_skip(p);
    if (end == '}') {
      char *key;
      if (*p != '"') main_fail(p, "expected the name of a member");
      p = main_skip(main_string(p, &key));
      child->key = key;
      if (*p != ':') main_fail(p, "expected a colon");
      p = main_skip(p + 1);
    }
    p = main_skip(main_value(p, child, depth + 1));
    *last = child;
    last = &child->next;
  }
  return p + 1;
}

/* The values of the members `names` (at most 4, the rest NULL); any other member is an error. */
static void main_members(const MainJson *object, const char *const *names, const MainJson **found) {
  const MainJson *m;
  int i;
  if (object->kind != '{') main_fail(object->at, "expected an object");
  for (i = 0; names[i]; i++) found[i] = NULL;
  for (m = object->child; m; m = m->next) {
    for (i = 0; names[i] && strcmp(names[i], m->key) != 0; i++) continue;
    if (!names[i]) main_fail(m->at, "unknown member");
    if (found[i]) main_fail(m->at, "duplicate member");
    found[i] = m;
  }
}

static const MainJson *main_list(const MainJson *json) {
  static const char *const npy[] = {"npy", NULL};
  if (json->kind == '{' && json->child && strcmp(json->child->key, npy[0]) == 0)
    main_fail(json->at, "this program cannot read .npy files; write the numbers");
  if (json->kind != '[') main_fail(json->at, "expected a list");
  return json->child;
}

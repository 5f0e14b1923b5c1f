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

enum { MAIN_MOST_NESTED = 64, MAIN_MOST_RANK = 16, MAIN_DIFFERENCES_SHOWN = 5 };
#define MAIN_MOST_ELEMENTS ((uint64_t)1 << 28)

/* ---- memory ---- */

/* All blocks hang in one list until the end: nothing is lost on any way out. */
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
  if (p >= main_end) main_fail(start, "the string has no end");
  *text = to = (char *)main_new((uint64_t)(p - start) + 1, 1);
  for (p = start + 1; *p != '"'; p++) {
    if ((unsigned char)*p < ' ') main_fail(p, "a string cannot hold this byte");
    if (*p != '\\') {
      *to++ = *p;
      continue;
    }
    p++;
    if (*p == 'u') {
      int i, code = 0;
      for (i = 1; i <= 4; i++) {
        if (main_hex(p[i]) < 0) main_fail(p, "four hexadecimal digits are wanted here");
        code = code * 16 + main_hex(p[i]);
      }
      *to++ = (char)(code > 0 && code < 128 ? code : '?');
      p += 4;
    } else {
      const char *escapes = "\"\"\\\\//b\bf\fn\nr\rt\t", *e = escapes;
      while (*e && *e != *p) e += 2;
      if (!*e) main_fail(p, "there is no such escape");
      *to++ = e[1];
    }
  }
  *to = 0;
  return p + 1;
}

static const char *main_digits(const char *p) {
  if (*p < '0' || *p > '9') main_fail(p, "a digit is wanted here");
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
  if (*p != '{' && *p != '[') main_fail(p, "a value is wanted here");
  if (depth > MAIN_MOST_NESTED) main_fail(p, "this is nested too deeply");
  end = *p == '{' ? '}' : ']';
  p = main_skip(p + 1);
  while (*p != end) {
    MainJson *child = (MainJson *)main_new(1, sizeof *child);
    if (json->count++ && *p++ != ',') main_fail(p - 1, "a comma or the end is wanted here");
    p = main_skip(p);
    if (end == '}') {
      char *key;
      if (*p != '"') main_fail(p, "the name of a member is wanted here");
      p = main_skip(main_string(p, &key));
      child->key = key;
      if (*p != ':') main_fail(p, "a colon is wanted here");
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
  if (object->kind != '{') main_fail(object->at, "an object is wanted here");
  for (i = 0; names[i]; i++) found[i] = NULL;
  for (m = object->child; m; m = m->next) {
    for (i = 0; names[i] && strcmp(names[i], m->key) != 0; i++) continue;
    if (!names[i]) main_fail(m->at, "there is no such member here");
    if (found[i]) main_fail(m->at, "this member stands here twice");
    found[i] = m;
  }
}

static const MainJson *main_list(const MainJson *json) {
  static const char *const npy[] = {"npy", NULL};
  if (json->kind == '{' && json->child && strcmp(json->child->key, npy[0]) == 0)
    main_fail(json->at, "data in .npy files cannot be read by this program; write the numbers");
  if (json->kind != '[') main_fail(json->at, "a list is wanted here");
  return json->child;
}

/* ---- values ---- */

static double main_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t main_double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Bits of the exponent and the fraction of a float. */
static void main_format(int kind, int *ebits, int *mbits) {
  *ebits = kind == MAIN_F16 ? 5 : kind == MAIN_F64 ? 11 : 8;
  *mbits = kind == MAIN_F16 ? 10 : kind == MAIN_BF16 ? 7 : kind == MAIN_F32 ? 23 : 52;
}

/* The value of a float's bits, exactly. */
static double main_float_value(int kind, uint64_t bits) {
  int ebits, mbits, bias, exponent;
  uint64_t fraction, all;
  double magnitude;
  main_format(kind, &ebits, &mbits);
  if (kind == MAIN_F64) return main_double(bits);
  all = ((uint64_t)1 << ebits) - 1;
  bias = (1 << (ebits - 1)) - 1;
  fraction = bits & (((uint64_t)1 << mbits) - 1);
  exponent = (int)(bits >> mbits & all);
  if ((uint64_t)exponent == all)
    magnitude = main_double((uint64_t)2047 << 52 | fraction << (52 - mbits));
  else if (exponent)
    magnitude = main_double((uint64_t)(exponent - bias + 1023) << 52 | fraction << (52 - mbits));
  else /* a subnormal: fraction * 2^(1 - bias - mbits) */
    magnitude = (double)fraction * main_double((uint64_t)(1 - bias - mbits + 1023) << 52);
  return bits >> (ebits + mbits) & 1 ? -magnitude : magnitude;
}

/* The nearest float of a kind, ties to even; every NaN the positive quiet one. */
static uint64_t main_float_bits(int kind, double value) {
  int ebits, mbits, bias, exponent, below, shift;
  uint64_t bits = main_double_bits(value), sign, infinity, fraction, kept, rest, half, result;
  main_format(kind, &ebits, &mbits);
  infinity = (((uint64_t)1 << ebits) - 1) << mbits;
  if (value != value) return infinity | (uint64_t)1 << (mbits - 1);
  if (kind == MAIN_F64) return bits;
  sign = bits >> 63 << (ebits + mbits);
  bias = (1 << (ebits - 1)) - 1;
  exponent = (int)(bits >> 52 & 2047) - 1023;
  if (exponent == 1024) return sign | infinity;
  below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  shift = 52 - mbits + below;
  if (shift > 54) return sign; /* under half of the smallest subnormal */
  fraction = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  kept = fraction >> shift;
  rest = fraction & (((uint64_t)1 << shift) - 1);
  half = (uint64_t)1 << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) kept++;
  result = below ? kept : ((uint64_t)(exponent + bias - 1) << mbits) + kept;
  return sign | (result < infinity ? result : infinity);
}

static int main_is_float(const MainType *type) {
  return type->kind >= MAIN_F16 && type->kind <= MAIN_F64;
}

static uint64_t main_mask(const MainType *type) {
  return type->bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << type->bits) - 1;
}

/* An integer in its type's signed or unsigned range. */
static uint64_t main_integer(const MainJson *json, const char *text, const MainType *type) {
  uint64_t mask = main_mask(type), magnitude, limit;
  int negative = *text == '-';
  char *end;
  text += negative || *text == '+';
  if (*text < '0' || *text > '9') main_fail(json->at, "an integer is wanted here");
  errno = 0;
  magnitude = strtoull(text, &end, 10);
  if (*end) main_fail(json->at, "an integer is wanted here");
  limit = negative ? (uint64_t)1 << (type->bits - 1) : mask;
  if (errno || magnitude > limit) main_fail(json->at, "the number does not fit its type");
  return (negative ? 0 - magnitude : magnitude) & mask;
}

static uint64_t main_decimal(const MainJson *json, const char *text, const MainType *type) {
  char *end;
  uint64_t bits;
  double value;
  const char *digits = text + (*text == '-' || *text == '+');
  if ((*digits < '0' || *digits > '9') && *digits != '.')
    main_fail(json->at, "a number is wanted here");
  if (digits[0] == '0' && (digits[1] | 32) == 'x') main_fail(json->at, "a number is wanted here");
  value = strtod(text, &end);
  if (end == text || *end) main_fail(json->at, "a number is wanted here");
  bits = main_float_bits((int)type->kind, value);
  value = main_float_value((int)type->kind, bits);
  if (value - value != 0)
    main_fail(json->at, "the number is too large for its type; infinity is \"inf\"");
  return bits;
}

/* Strings: "inf", "-inf", "nan", "0x..." (the bits themselves), or a number. */
static uint64_t main_word(const MainJson *json, const MainType *type) {
  const char *text = json->text;
  if (text[0] == '0' && text[1] == 'x') {
    char *end;
    uint64_t bits;
    errno = 0;
    bits = strtoull(text + 2, &end, 16);
    if (main_hex(text[2]) < 0 || *end) main_fail(json->at, "this is not a number");
    if (errno || bits > main_mask(type)) main_fail(json->at, "the number has too many bits");
    return bits;
  }
  if (!main_is_float(type)) {
    if (strcmp(text, "true") == 0) return 1;
    if (strcmp(text, "false") == 0) return 0;
    return main_integer(json, text, type);
  }
  if (strcmp(text, "nan") == 0)
    return main_float_bits((int)type->kind, main_double((uint64_t)2047 << 52 | 1));
  if (strcmp(text + (*text == '-' || *text == '+'), "inf") == 0)
    return main_float_bits((int)type->kind,
                           main_double((uint64_t)(*text == '-' ? 4095 : 2047) << 52));
  return main_decimal(json, text, type);
}

static uint64_t main_scalar(const MainJson *json, const MainType *type) {
  if (type->kind == MAIN_NONE) return 0;
  if (json->kind == '"') return main_word(json, type);
  if ((json->kind == 't' || json->kind == 'f') && type->bits == 1) return json->kind == 't';
  if (json->kind != '0') main_fail(json->at, "a number is wanted here");
  return main_is_float(type) ? main_decimal(json, json->text, type)
                             : main_integer(json, json->text, type);
}

/* A float with the fewest digits that read back to the same bits. */
static void main_print_float(FILE *out, int kind, uint64_t bits) {
  static const int digits_kept[] = {3, 2, 6, 15}, digits_enough[] = {5, 4, 9, 17};
  double value = main_float_value(kind, bits), magnitude = value < 0 ? -value : value;
  int ebits, mbits, digits, subnormal;
  char text[64];
  main_format(kind, &ebits, &mbits);
  if (value != value) {
    fputs("\"nan\"", out);
  } else if (value - value != 0) {
    fputs(value < 0 ? "\"-inf\"" : "\"inf\"", out);
  } else if (value == 0) {
    fputs(bits >> (ebits + mbits) & 1 ? "-0.0" : "0", out);
  } else if (magnitude < 1e7 && value == (double)(int32_t)value) {
    fprintf(out, "%ld", (long)value);
  } else {
    subnormal = (bits >> mbits & (((uint64_t)1 << ebits) - 1)) == 0;
    for (digits = subnormal ? 1 : digits_kept[kind - MAIN_F16];; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, value);
      if (digits >= digits_enough[kind - MAIN_F16] ||
          main_float_bits(kind, strtod(text, NULL)) == bits)
        break;
    }
    fputs(text, out);
  }
}

static void main_print(FILE *out, const MainType *type, uint64_t bits) {
  if (type->kind == MAIN_NONE)
    fputs("\"()\"", out);
  else if (main_is_float(type))
    main_print_float(out, (int)type->kind, bits);
  else if (type->bits > 1 && bits >> (type->bits - 1) & 1)
    fprintf(out, "-%llu", (unsigned long long)((0 - bits) & main_mask(type)));
  else
    fprintf(out, "%llu", (unsigned long long)bits);
}

/* `types` are those of the words of a token, `words` of them. */
static const MainType *main_type_of(const uint32_t *types, uint32_t words, uint64_t i) {
  return &main_types[types[i % words]];
}

static void main_print_list(FILE *out, const MainType *type, const uint32_t *types, uint32_t words,
                            const uint64_t *data, uint64_t n) {
  uint64_t i;
  fputc('[', out);
  for (i = 0; i < n; i++) {
    if (i) fputs(i % 16 ? ", " : ",\n      ", out);
    main_print(out, words ? main_type_of(types, words, i) : type, data[i]);
  }
  fputc(']', out);
}

/* ---- arguments ---- */

typedef struct {
  uint32_t argument; /* of the function */
  int is_stream;
  uint64_t n; /* tokens; elements in row-major order */
  uint64_t *data;
  uint64_t shape[MAIN_MOST_RANK];
} MainEntry;

static MainEntry *main_entries; /* of the case's "args" */
static uint32_t main_entry_count;
static const MainEntry *main_entry_of[MAIN_ARGUMENTS + 1]; /* by argument; NULL: none */

static uint64_t *main_data(const MainJson *list, const MainType *type, uint64_t *n) {
  const MainJson *child = main_list(list);
  uint64_t *data = (uint64_t *)main_new(list->count, sizeof *data);
  for (*n = 0; child; child = child->next) data[(*n)++] = main_scalar(child, type);
  return data;
}

static void main_check_type(const MainJson *json, const MainJson *body, const MainType *type) {
  if (!json || json->kind != '"')
    main_fail(json ? json->at : body->at, "\"type\" must name a type, such as \"i32\"");
  if (strcmp(json->text, type->text) == 0) return;
  main_place(json->at);
  fprintf(stderr, "the type is %s, but the function takes %s\n", json->text, type->text);
  main_free_all();
  exit(1);
}

static uint64_t main_extent(const MainJson *json) {
  static const MainType index = {"index", MAIN_INTEGER, 32};
  if (json->kind != '0' || *json->text == '-')
    main_fail(json->at, "an extent must be an integer of 0 or more");
  return main_integer(json, json->text, &index);
}

static void main_memref(const MainJson *body, const MainArgument *argument, MainEntry *entry) {
  static const char *const names[] = {"shape", "type", "data", NULL};
  const MainMemory *memory = argument->memory;
  const MainJson *found[3], *extent;
  uint64_t elements = 1, room = 1;
  uint32_t d = 0;
  main_members(body, names, found);
  main_check_type(found[1], body, memory->element);
  if (!found[0] || found[0]->kind != '[')
    main_fail(body->at, "\"shape\" must be a list of extents");
  if (found[0]->count != memory->rank) main_fail(found[0]->at, "the memref has another rank");
  for (extent = found[0]->child; extent; extent = extent->next, d++) {
    entry->shape[d] = main_extent(extent);
    if (memory->extents[d] >= 0 && entry->shape[d] != (uint64_t)memory->extents[d])
      main_fail(extent->at, "the memref has another extent");
    elements *= entry->shape[d];
    if (entry->shape[d]) room *= entry->shape[d];
    if (entry->shape[d] > MAIN_MOST_ELEMENTS || room > MAIN_MOST_ELEMENTS)
      main_fail(found[0]->at, "the memref has too many elements");
  }
  if (!found[2]) {
    entry->n = elements;
    entry->data = (uint64_t *)main_new(elements, sizeof *entry->data);
    return;
  }
  entry->data = main_data(found[2], memory->element, &entry->n);
  if (entry->n != elements)
    main_fail(found[2]->at, "the list and the shape have different numbers of elements");
}

static void main_tokens(const MainJson *body, const MainArgument *argument, MainEntry *entry) {
  static const char *const scalar[] = {"type", "value", NULL}, *const stream[] = {"type", "data",
                                                                                  NULL};
  const MainJson *found[2];
  main_members(body, entry->is_stream ? stream : scalar, found);
  main_check_type(found[0], body, argument->type);
  if (!found[1] && (entry->is_stream || argument->type->kind != MAIN_NONE))
    main_fail(body->at,
              entry->is_stream ? "the stream has no \"data\"" : "the scalar has no \"value\"");
  if (entry->is_stream) {
    entry->data = main_data(found[1], argument->type, &entry->n);
    return;
  }
  entry->n = 1;
  entry->data = (uint64_t *)main_new(1, sizeof *entry->data);
  if (found[1]) *entry->data = main_scalar(found[1], argument->type);
}

static void main_argument(const MainJson *json, const MainArgument *argument, MainEntry *entry) {
  const MainJson *body = json->child;
  int is_memref;
  if (json->kind != '{' || json->count != 1)
    main_fail(json->at, "an argument is {\"scalar\": ...}, {\"memref\": ...} or {\"stream\": ...}");
  is_memref = strcmp(body->key, "memref") == 0;
  entry->is_stream = strcmp(body->key, "stream") == 0;
  if (!is_memref && !entry->is_stream && strcmp(body->key, "scalar") != 0)
    main_fail(body->at, "there is no such member here");
  if (is_memref != (argument->role == MAIN_MEMREF))
    main_fail(json->at,
              is_memref ? "the function takes no memref here" : "the function takes a memref here");
  if (is_memref)
    main_memref(body, argument, entry);
  else
    main_tokens(body, argument, entry);
}

/* A case may leave out what follows from the rest: control inputs, and the extents of memrefs.
 * Which arguments it has an entry for shows in their number: those of the source function; those
 * and the controls; all. */
static int main_has_entry(int form, const MainArgument *argument) {
  return argument->role == MAIN_VALUE || argument->role == MAIN_MEMREF ||
         (argument->role == MAIN_CONTROL && form >= 1) || form == 2;
}

static void main_arguments(const MainJson *root, const MainJson *list) {
  const MainJson *json = list ? main_list(list) : NULL;
  uint64_t given = list ? list->count : 0, wanted[3] = {0, 0, 0};
  uint32_t i;
  int form;
  for (form = 0; form < 3; form++)
    for (i = 0; i != MAIN_ARGUMENTS; i++)
      wanted[form] += (uint64_t)main_has_entry(form, &main_argument_table[i]);
  for (form = 0; form < 2 && wanted[form] != given; form++) continue;
  if (wanted[form] != given) {
    main_place(list ? list->at : root->at);
    fprintf(stderr, "the case has %lu arguments, but the function takes %lu\n",
            (unsigned long)given, (unsigned long)wanted[0]);
    main_free_all();
    exit(1);
  }
  main_entries = (MainEntry *)main_new(MAIN_ARGUMENTS, sizeof *main_entries);
  for (i = 0; i != MAIN_ARGUMENTS && json; i++) {
    MainEntry *entry = &main_entries[main_entry_count];
    if (!main_has_entry(form, &main_argument_table[i])) continue;
    entry->argument = i;
    main_entry_of[i] = entry;
    main_argument(json, &main_argument_table[i], entry);
    json = json->next;
    main_entry_count++;
  }
}

/* ---- memories: the case has the elements in row-major order, the memory where its layout says
 * ---- */

typedef struct {
  uint64_t strides[MAIN_MOST_RANK], offset, elements;
} MainLayout;

/* 0 where the shape does not fit: an element would lie outside every memory. */
static int main_layout(const MainMemory *memory, const MainEntry *entry, MainLayout *layout) {
  int64_t low, high, stride = 1;
  uint32_t d;
  layout->offset = (uint64_t)memory->offset;
  layout->elements = 0;
  low = high = memory->offset;
  for (d = memory->rank; d-- > 0;) {
    int64_t own = memory->strides ? memory->strides[d] : INT64_MIN;
    if (own == INT64_MIN) own = stride;
    if (own > (int64_t)MAIN_MOST_ELEMENTS || own < -(int64_t)MAIN_MOST_ELEMENTS) return 0;
    layout->strides[d] = (uint64_t)own;
    if (entry->shape[d]) stride *= (int64_t)entry->shape[d];
    if (entry->shape[d] > 0) *(own < 0 ? &low : &high) += ((int64_t)entry->shape[d] - 1) * own;
  }
  if (entry->n == 0) return 1;
  if (low < 0 || high >= (int64_t)MAIN_MOST_ELEMENTS) return 0;
  layout->elements = (uint64_t)high + 1;
  return 1;
}

/* Element number `i` in row-major order stands at this number. */
static uint64_t main_at(const MainMemory *memory, const MainEntry *entry, const MainLayout *layout,
                        uint64_t i) {
  uint64_t at = layout->offset;
  uint32_t d;
  for (d = memory->rank; d-- > 0; i /= entry->shape[d])
    at += i % entry->shape[d] * layout->strides[d];
  return at;
}

static void main_put(void *data, uint32_t bytes, uint64_t at, uint64_t bits) {
  uint8_t of1 = (uint8_t)bits;
  uint16_t of2 = (uint16_t)bits;
  uint32_t of4 = (uint32_t)bits;
  memcpy((char *)data + at * bytes,
         bytes == 1   ? (const void *)&of1
         : bytes == 2 ? (const void *)&of2
         : bytes == 4 ? (const void *)&of4
                      : (const void *)&bits,
         bytes);
}

static uint64_t main_get(const void *data, uint32_t bytes, uint64_t at) {
  const char *from = (const char *)data + at * bytes;
  uint8_t of1;
  uint16_t of2;
  uint32_t of4;
  uint64_t of8;
  switch (bytes) {
  case 1: memcpy(&of1, from, 1); return of1;
  case 2: memcpy(&of2, from, 2); return of2;
  case 4: memcpy(&of4, from, 4); return of4;
  default: memcpy(&of8, from, 8); return of8;
  }
}

static uint32_t main_bytes(const MainType *type) {
  return type->bits <= 8 ? 1 : type->bits <= 16 ? 2 : type->bits <= 32 ? 4 : 8;
}

static void main_fill(const MainMemory *memory, loom_kernel_memory *into) {
  uint32_t bytes = main_bytes(memory->element);
  const MainEntry *entry;
  MainLayout layout;
  uint64_t i;
  if (memory->argument == MAIN_NOTHING) {
    into->elements = memory->elements; /* one of no fixed size starts with none and grows */
    into->data = into->elements ? main_new(into->elements, bytes) : NULL;
    return;
  }
  entry = main_entry_of[memory->argument];
  if (!main_layout(memory, entry, &layout))
    main_fail(main_case, "a memref's layout does not fit its shape");
  into->elements = layout.elements;
  into->data = main_new(into->elements, bytes);
  for (i = 0; i < entry->n; i++)
    main_put(into->data, bytes, main_at(memory, entry, &layout, i), entry->data[i]);
}

/* The other way round, into the entry. */
static void main_take(const MainMemory *memory, const loom_kernel_memory *from) {
  const MainEntry *entry =
      memory->argument == MAIN_NOTHING ? NULL : main_entry_of[memory->argument];
  MainLayout layout;
  uint64_t i;
  if (!entry || !main_layout(memory, entry, &layout)) return;
  for (i = 0; i < entry->n; i++)
    entry->data[i] =
        main_get(from->data, main_bytes(memory->element), main_at(memory, entry, &layout, i));
}

/* ---- the run ---- */

typedef struct {
  uint64_t *words;
  uint64_t n, capacity, tokens;
} MainOutput;

static MainOutput main_outputs[MAIN_OUTPUTS + 1];

static void main_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a, uint64_t b) {
  const MainNode *n = &main_nodes[node];
  (void)run;
  fprintf(stderr, "%s: error: ", n->where);
  if (code == LOOM_TRAP_DIVIDE)
    fprintf(stderr, "%%%s = %s divides by zero\n", n->name, n->op);
  else if (code == LOOM_TRAP_OVERFLOW)
    fprintf(stderr, "%%%s = %s: the quotient does not fit its type\n", n->name, n->op);
  else if (code == LOOM_TRAP_STEP)
    fprintf(stderr, "%%%s = %s: the step is 0\n", n->name, n->op);
  else if (code == LOOM_TRAP_SELECT)
    fprintf(stderr, "%%%s = %s: input %llu is selected, but there are only %llu\n", n->name, n->op,
            (unsigned long long)a, (unsigned long long)b);
  else if (a == ~(uint64_t)0)
    fprintf(stderr, "an index of %%%s = %s is outside %%%s\n", n->name, n->op, n->memory);
  else
    fprintf(stderr, "%%%s[%lld] does not exist: it has %llu elements\n", n->memory,
            a >> (MAIN_INDEX_BITS - 1) & 1
                ? (long long)(a | ~(~(uint64_t)0 >> (64 - MAIN_INDEX_BITS)))
                : (long long)a,
            (unsigned long long)b);
  fprintf(stderr, "FAIL @%s: stopped by an error\n", loom_kernel.name);
  fflush(stdout);
  main_free_all();
  exit(4);
}

static void main_history(loom_kernel_run *run, uint32_t result, const void *data, uint32_t n) {
  (void)run, (void)result, (void)data, (void)n;
}

static uint64_t main_refuel(loom_kernel_run *run) {
  (void)run;
  return ~(uint64_t)0 >> 1; /* no limit */
}

static void *main_grow(loom_kernel_run *run, void *old, uint64_t bytes) {
  (void)run;
  return main_resize(old, bytes);
}

static void main_output(loom_kernel_run *run, uint32_t output, const uint64_t *words, uint32_t n) {
  MainOutput *o = &main_outputs[output];
  uint64_t all = (uint64_t)n * main_output_table[output].words;
  (void)run;
  while (o->n + all > o->capacity) {
    o->capacity = o->capacity ? 2 * o->capacity : 64;
    o->words = (uint64_t *)main_resize(o->words, o->capacity * sizeof *o->words);
    if (!o->words) main_no_memory();
  }
  if (all) memcpy(o->words + o->n, words, (size_t)all * sizeof *words);
  o->n += all;
  o->tokens += n;
}

static void main_left(loom_kernel_run *run, uint32_t what, uint32_t id, uint64_t n) {
  static uint32_t said;
  (void)run;
  if (++said > 12) return;
  if (what == LOOM_LEFT_OWED && n == 0)
    fprintf(stderr, "note: result %s did not come\n", main_output_table[id].name);
  else if (what == LOOM_LEFT_OWED)
    fprintf(stderr, "note: result %s came %llu times\n", main_output_table[id].name,
            (unsigned long long)n);
  else if (what == LOOM_LEFT_TOKENS)
    fprintf(stderr, "%s: note: %llu token%s left on %%%s, an operand of %%%s (%s)\n",
            main_nodes[main_edges[id].to].where, (unsigned long long)n, n == 1 ? " is" : "s are",
            main_edges[id].name, main_nodes[main_edges[id].to].name,
            main_nodes[main_edges[id].to].op);
  else
    fprintf(stderr, "%s: note: %%%s (%s) stopped within a burst\n", main_nodes[id].where,
            main_nodes[id].name, main_nodes[id].op);
}

static int main_run(void) {
  static loom_kernel_run run;
  static uint64_t args[MAIN_ARGUMENTS + 1], counts[MAIN_ARGUMENTS + 1];
  static const uint64_t *tokens[MAIN_ARGUMENTS + 1];
  static loom_kernel_memory memories[MAIN_MEMORIES + 1];
  static uint64_t results[MAIN_OUTPUTS + 1], result_counts[MAIN_OUTPUTS + 1];
  uint32_t i;
  int status;
  for (i = 0; i != MAIN_ARGUMENTS; i++) {
    const MainArgument *argument = &main_argument_table[i];
    const MainEntry *entry = main_entry_of[i];
    if (argument->role == MAIN_MEMREF) continue;
    if (entry && entry->is_stream && !loom_kernel.has_queues)
      main_fail(main_case, "streams want a file that was generated with --mode=queues");
    if (entry && entry->is_stream) tokens[i] = entry->data;
    if (entry) counts[i] = entry->n;
    if (entry && entry->n) args[i] = entry->data[0];
    if (!entry && argument->role == MAIN_EXTENT)
      args[i] = main_entry_of[argument->of]->shape[argument->dimension];
  }
  for (i = 0; i != MAIN_MEMORIES; i++) main_fill(&main_memory_table[i], &memories[i]);
  run.abi = LOOM_KERNEL_ABI;
  run.args = args;
  run.arg_tokens = tokens;
  run.arg_counts = counts;
  run.memories = memories;
  run.results = results;
  run.result_counts = result_counts;
  run.trap = main_trap;
  run.tokens = main_history;
  run.fuel = ~(uint64_t)0 >> 1;
  run.refuel = main_refuel;
  run.grow = main_grow;
  run.output = main_output;
  run.left = main_left;
  status = loom_kernel.run(&run);
  for (i = 0; i != MAIN_MEMORIES; i++) main_take(&main_memory_table[i], &memories[i]);
  for (i = 0; i != MAIN_OUTPUTS && !loom_kernel.has_queues; i++)
    main_output(&run, i, &results[i], (uint32_t)result_counts[i]);
  if (status == LOOM_KERNEL_FULL)
    fprintf(stderr, "error: %llu tokens are waiting in one queue, which is too many\n",
            (unsigned long long)run.waiting);
  if (status == LOOM_KERNEL_ENDLESS)
    fprintf(stderr, "%s: error: %%%s is fed by nothing but handshake.source: it would never stop\n",
            main_nodes[run.at].where, main_nodes[run.at].name);
  return status;
}

/* ---- what came out ---- */

static void main_print_results(FILE *out) {
  uint32_t i, n = 0;
  fputs("{\n  \"results\": [", out);
  for (i = 0; i != MAIN_OUTPUTS; i++) {
    const MainOutput *o = &main_outputs[i];
    const MainType *type = main_output_table[i].type;
    if (type->kind == MAIN_NONE) continue;
    if (n++) fputs(", ", out);
    if (o->n == 1)
      main_print(out, main_type_of(main_output_table[i].types, 1, 0), o->words[0]);
    else
      main_print_list(out, type, main_output_table[i].types, main_output_table[i].words, o->words,
                      o->n);
  }
  fputs("],\n  \"memrefs\": [", out);
  for (i = 0, n = 0; i < main_entry_count; i++) {
    const MainArgument *argument = &main_argument_table[main_entries[i].argument];
    if (argument->role != MAIN_MEMREF) continue;
    fprintf(out, "%s\n    {\"arg\": %lu, \"data\": ", n++ ? "," : "", (unsigned long)i);
    main_print_list(out, argument->memory->element, NULL, 0, main_entries[i].data,
                    main_entries[i].n);
    fputc('}', out);
  }
  fputs(n ? "\n  ]\n}\n" : "]\n}\n", out);
}

/* Are they the same? Any NaN is like any other: JSON cannot tell them apart. */
static int main_same(const MainType *type, uint64_t a, uint64_t b) {
  double x, y;
  if (a == b) return 1;
  if (!main_is_float(type)) return 0;
  x = main_float_value((int)type->kind, a);
  y = main_float_value((int)type->kind, b);
  return x != x && y != y;
}

/* Compares a list with what is expected; 1 where they are the same. */
static int main_compare(const char *what, uint64_t number, const MainJson *json,
                        const MainJson *values, uint64_t expected, const MainType *type,
                        const uint32_t *types, uint32_t words, const uint64_t *got, uint64_t n) {
  uint64_t i, differences = 0;
  if (expected != n) {
    main_place(json->at);
    fprintf(stderr, "%s %lu has %llu values, expected %llu\n", what, (unsigned long)number,
            (unsigned long long)n, (unsigned long long)expected);
    return 0;
  }
  for (i = 0; i < n; i++, values = values->next) {
    const MainType *own = words ? main_type_of(types, words, i) : type;
    uint64_t want = main_scalar(values, own);
    if (main_same(own, got[i], want) || ++differences > MAIN_DIFFERENCES_SHOWN) continue;
    main_place(values->at);
    fprintf(stderr, "%s %lu", what, (unsigned long)number);
    if (n != 1) fprintf(stderr, " at %llu", (unsigned long long)i);
    fputs(" is ", stderr);
    main_print(stderr, own, got[i]);
    fputs(", expected ", stderr);
    main_print(stderr, own, want);
    fputs("\n", stderr);
  }
  return differences == 0;
}

static int main_expected_results(const MainJson *list) {
  const MainJson *want = main_list(list);
  uint32_t i, number = 0, good = 1;
  for (i = 0; i != MAIN_OUTPUTS; i++) {
    const MainOutput *o = &main_outputs[i];
    const MainType *type = main_output_table[i].type;
    int is_list;
    if (type->kind == MAIN_NONE) continue;
    if (!want) break;
    is_list = want->kind == '[';
    good &= (uint32_t)main_compare("result", number++, want, is_list ? want->child : want,
                                   is_list ? want->count : 1, type, main_output_table[i].types,
                                   main_output_table[i].words, o->words, o->n);
    want = want->next;
  }
  if (i == MAIN_OUTPUTS && !want) return (int)good;
  main_place(list->at);
  fprintf(stderr, "the function has another number of results\n");
  return 0;
}

static int main_expected_memory(const MainJson *json) {
  static const char *const names[] = {"arg", "data", NULL};
  static const MainType index = {"index", MAIN_INTEGER, 32};
  const MainJson *found[2];
  const MainEntry *entry;
  uint64_t number;
  main_members(json, names, found);
  if (!found[0] || !found[1] || found[0]->kind != '0')
    main_fail(json->at, "{\"arg\": NUMBER, \"data\": [...]} is wanted here");
  number = main_integer(found[0], found[0]->text, &index);
  entry = number < main_entry_count ? &main_entries[number] : NULL;
  if (!entry || main_argument_table[entry->argument].role != MAIN_MEMREF)
    main_fail(found[0]->at, "this is not the number of a memref among \"args\"");
  return main_compare("argument", number, found[1], main_list(found[1]), found[1]->count,
                      main_argument_table[entry->argument].memory->element, NULL, 0, entry->data,
                      entry->n);
}

static int main_expected(const MainJson *json) {
  static const char *const names[] = {"results", "memrefs", NULL};
  const MainJson *found[2], *memory;
  int good = 1;
  main_members(json, names, found);
  if (found[0]) good &= main_expected_results(found[0]);
  if (found[1])
    for (memory = main_list(found[1]); memory; memory = memory->next)
      good &= main_expected_memory(memory);
  return good;
}

/* ---- the way in ---- */

int main(int argc, char **argv) {
  static const char *const names[] = {"function", "args", "expected", NULL};
  static const char *const ends[] = {"",
                                     ": tokens are left behind",
                                     ": deadlock",
                                     ": it did not start",
                                     ": a limit was reached",
                                     ": it did not start"};
  const MainJson *found[3];
  MainJson root;
  const char *end;
  int status, good = 1, asks = argc == 2 && strcmp(argv[1], "--help") == 0;
  if (argc != 2 || asks || (argv[1][0] == '-' && argv[1][1])) {
    fprintf(asks ? stdout : stderr,
            "usage: %s CASE.json\n"
            "Runs @%s on a case (- is standard input) and prints its results and memories; with\n"
            "\"expected\" in the case, PASS or FAIL.\n",
            argc > 0 ? argv[0] : loom_kernel.name, loom_kernel.name);
    return asks ? 0 : 2;
  }
  main_read(argv[1]);
  memset(&root, 0, sizeof root);
  end = main_skip(main_value(main_skip(main_case), &root, 0));
  if (end != main_end) main_fail(end, "the file should end here");
  main_members(&root, names, found);
  if (found[0] && (found[0]->kind != '"' || strcmp(found[0]->text, loom_kernel.name) != 0))
    main_fail(found[0]->at, "the case is for another function");
  main_arguments(&root, found[1]);
  status = main_run();
  main_print_results(stdout);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "error: cannot write: %s\n", strerror(errno));
    return 5;
  }
  if (status == LOOM_KERNEL_FINISHED && found[2]) good = main_expected(found[2]);
  if (status != LOOM_KERNEL_FINISHED || !good)
    fprintf(stderr, "FAIL @%s%s\n", loom_kernel.name, ends[status]);
  else if (found[2])
    fprintf(stderr, "PASS @%s\n", loom_kernel.name);
  main_free_all();
  if (status == LOOM_KERNEL_REFUSED || status == LOOM_KERNEL_ENDLESS) return 1;
  return status != LOOM_KERNEL_FINISHED || !good ? 4 : 0;
}

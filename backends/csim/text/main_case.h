/* ---- a program: what the case gives -------------------------------------------------------------
 * Arguments, and the memories behind those that are memrefs. */

/* ---- arguments ---- */

typedef struct {
  uint32_t argument; /* of the function */
  int is_stream;
  uint64_t n; /* tokens; elements in row-major order */
  uint64_t *data;
  uint64_t shape[MAIN_MAX_RANK];
} MainEntry;

static MainEntry *main_entries; /* of the case's "args" */
static uint32_t main_entry_count;
static const MainEntry *main_entry_of[MAIN_ARGUMENTS + 1]; /* by argument; NULL: none */

static uint64_t *main_data(const MainJson *list, const MainType *type, uint64_t *n) {
  const MainJson *child = main_list(list);
  uint32_t words = main_words(type);
  uint64_t *data = (uint64_t *)main_new(list->count, words * sizeof *data);
  for (*n = 0; child; child = child->next) main_token(child, type, data + (*n)++ * words);
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
  static const MainType index = {"index", MAIN_INTEGER, 32, 0};
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
  int is_flat = memory->rank == 1 && memory->extents[0] < 0 && !memory->strides;
  main_members(body, names, found);
  main_check_type(found[1], body, memory->element);
  if (!found[0] || found[0]->kind != '[')
    main_fail(body->at, "\"shape\" must be a list of extents");
  if (found[0]->count != memory->rank && (!is_flat || !found[0]->count))
    main_fail(found[0]->at, "the memref has a different rank");
  for (extent = found[0]->child; extent; extent = extent->next, d += !is_flat) {
    entry->shape[d] = main_extent(extent);
    if (memory->extents[d] >= 0 && entry->shape[d] != (uint64_t)memory->extents[d])
      main_fail(extent->at, "the memref has a different extent");
    elements *= entry->shape[d];
    if (entry->shape[d]) room *= entry->shape[d];
    if (entry->shape[d] > MAIN_MAX_ELEMENTS || room > MAIN_MAX_ELEMENTS)
      main_fail(found[0]->at, "the memref has too many elements");
  }
  if (is_flat) entry->shape[0] = elements;
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
  entry->data = (uint64_t *)main_new(main_words(argument->type), sizeof *entry->data);
  if (found[1]) main_token(found[1], argument->type, entry->data);
}

static void main_argument(const MainJson *json, const MainArgument *argument, MainEntry *entry) {
  const MainJson *body = json->child;
  int is_memref;
  if (json->kind != '{' || json->count != 1)
    main_fail(json->at, "expected {\"scalar\": ...}, {\"memref\": ...} or {\"stream\": ...}");
  is_memref = strcmp(body->key, "memref") == 0;
  entry->is_stream = strcmp(body->key, "stream") == 0;
  if (!is_memref && !entry->is_stream && strcmp(body->key, "scalar") != 0)
    main_fail(body->at, "unknown member");
  if (is_memref != (argument->role == MAIN_MEMREF))
    main_fail(json->at, is_memref ? "the argument is not a memref" : "the argument is a memref");
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
  uint64_t strides[MAIN_MAX_RANK], offset, elements;
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
    if (own > (int64_t)MAIN_MAX_ELEMENTS || own < -(int64_t)MAIN_MAX_ELEMENTS) return 0;
    layout->strides[d] = (uint64_t)own;
    if (entry->shape[d]) stride *= (int64_t)entry->shape[d];
    if (entry->shape[d] > 0) *(own < 0 ? &low : &high) += ((int64_t)entry->shape[d] - 1) * own;
  }
  if (entry->n == 0) return 1;
  if (low < 0 || high >= (int64_t)MAIN_MAX_ELEMENTS) return 0;
  layout->elements = (uint64_t)high + 1;
  return 1;
}

/* Element number `i` in row-major order stands at this number. */
static uint64_t main_at(const MainMemory *memory, const MainEntry *entry, const MainLayout *layout,
                        uint64_t i) {
  uint64_t at = layout->offset;
  uint32_t d = memory->rank;
  while (d > 0) {
    d--;
    at += i % entry->shape[d] * layout->strides[d];
    i /= entry->shape[d];
  }
  return at;
}

/* ---- what comes out ---- */

typedef struct {
  uint64_t *words;
  uint64_t n, capacity, tokens;
} MainOutput;

static MainOutput main_outputs[MAIN_OUTPUTS + 1];

static void main_push(uint32_t output, const uint64_t *words, uint32_t n) {
  MainOutput *o = &main_outputs[output];
  uint64_t all = (uint64_t)n * main_words(main_output_table[output].type);
  while (o->n + all > o->capacity) {
    o->capacity = o->capacity ? 2 * o->capacity : 64;
    o->words = (uint64_t *)main_resize(o->words, o->capacity * sizeof *o->words);
    if (!o->words) main_no_memory();
  }
  if (all) memcpy(o->words + o->n, words, (size_t)all * sizeof *words);
  o->n += all;
  o->tokens += n;
}

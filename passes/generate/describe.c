/* describe.c -- reads the description of a fabric: a plan, in lines of words.
 *
 *     # a grid of 4x4, in half of whose cells are two PEs
 *     rows 4
 *     cols 4
 *     pattern (MC)A/A(MC)
 *     class A alu
 *       units addi_* subi_* andi_* cmpi_* select_*
 *       fifo 4,bypassable
 *     class C control
 *       units constant_* cond_br_* carry_*
 *     class M mac
 *       units muli_* mac_*
 *
 * First comes the grid: the options of `loom adg` without their dashes. Then classes of PEs and
 * kinds of switches, each followed by its own keys, up to the next class or kind. Presets are such
 * descriptions, under presets/, which the build copies into the program. The grammar is in the
 * manual, with the options. A line's first word selects its reader in a table of keys; errors are
 * reported at the word (COMP_ADG_PLAN), all of them. Each name of units is matched with the whole
 * library; apart from that the cost is linear. */
#include "generate/generate.h"

#include <assert.h>
#include <string.h>

/* ---- presets --------------------------------------------------------------------------------- */

#include "text/preset_full.inc"
#include "text/preset_large.inc"
#include "text/preset_medium.inc"
#include "text/preset_small.inc"
#include "text/preset_temporal.inc"
#include "text/preset_tiny.inc"
#include "text/preset_xl.inc"

/* In the order in which they are listed. */
#define PRESETS(ROW) ROW(tiny) ROW(small) ROW(medium) ROW(large) ROW(xl) ROW(full) ROW(temporal)
#define PRESET(name) {#name, preset_##name},
static const struct {
  const char *name;
  const char *const *text;
} presets[] = {PRESETS(PRESET)};
#undef PRESET

#define PRESET(name) #name,
const char *const fabric_presets[] = {PRESETS(PRESET) NULL};
#undef PRESET

enum { MAX_CLASS_PORTS = 64 };

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  const Source *source;
  const char *at; /* the end of the last word */
  FabricPlan *plan;
  FabricClass *class; /* being described; or NULL */
  FabricSwitch *kind; /* likewise */
  FabricUnitNames library;
  const char *loop_ends;                /* the class's first word that names loop ends, or NULL */
  const char *pattern, *switch_pattern; /* position in the text; NULL: absent */
  const char *key_at;                   /* the key of this line */
  size_t nlatencies;                    /* latencies that come from a preset */
  bool has_lines;                       /* a line has been read */
  bool is_nameless; /* the heading of these lines was wrong: their keys are not checked */
} DescriptionReader;

/* A key, and the reader of the rest of its line. */
typedef struct Key {
  const char *name;
  bool (*read)(DescriptionReader *r, const struct Key *key, void *field);
  size_t field;               /* its offset in the plan, the class or the switch */
  u32 most;                   /* the largest number, from 1 on */
  const char *const *choices; /* the possible words */
} Key;

static Loc loc_of(const DescriptionReader *r, const char *at) {
  return r->source->base + (Loc)(at - r->source->text);
}

static void PRINTF_LIKE(3, 4)
    wrong(const DescriptionReader *r, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(r->ctx, loc_of(r, at), COMP_ADG_PLAN, format, args);
  va_end(args);
}

/* The next word of the line, NULL at its end; `*start` is its position. */
static const char *next_word(DescriptionReader *r, const char **start) {
  r->at += strspn(r->at, " \t\r");
  if (start) *start = r->at;
  size_t len = *r->at == '#' ? 0 : strcspn(r->at, " \t\r\n");
  if (!len) return NULL;
  const char *word = str_intern(r->ctx, r->at, len)->text;
  r->at += len;
  return word;
}

/* The one word that a key takes. */
static const char *only_word(DescriptionReader *r, const char *key, const char *expected,
                             const char **start) {
  const char *word = next_word(r, start), *more;
  if (!word)
    wrong(r, *start, "%s expects %s", key, expected);
  else if (next_word(r, &more))
    wrong(r, more, "%s expects only one word", key);
  else
    return word;
  return NULL;
}

/* Sets an option, within its bounds; messages show its name without the dashes. */
static bool set_option(DescriptionReader *r, const Option *option, const char *word,
                       const char *start, void *to) {
  Buf why = {0};
  bool is_ok = option_set(option, to, word, &why);
  if (!is_ok) wrong(r, start, "%s", why.data + strspn(why.data, "-"));
  buf_free(&why);
  return is_ok;
}

static bool read_number(DescriptionReader *r, const Key *key, void *number) {
  const char *start, *word = only_word(r, key->name, "a number", &start);
  Option row = {.name = key->name, .kind = OPTION_NUMBER, .low = 1, .high = key->most};
  return word && set_option(r, &row, word, start, number);
}

/* The index of a word in the key's choices. */
static bool read_choice(DescriptionReader *r, const Key *key, void *index) {
  const char *start, *word = only_word(r, key->name, "a word", &start);
  Option row = {.name = key->name, .kind = OPTION_INDEX, .choices = key->choices};
  return word && set_option(r, &row, word, start, index);
}

static bool parse_fifo(DescriptionReader *r, const char *key, const char *word, const char *at,
                       FabricFifo *fifo) {
  if (fabric_fifo_read(word, fifo)) return true;
  wrong(r, at, "%s expects none, a depth from 1 to %d, or a depth and ',bypassable', but got '%s'",
        key, (int)FABRIC_MAX_FIFO, word);
  return false;
}

static bool read_fifo(DescriptionReader *r, const Key *key, void *fifo) {
  const char *start, *word = only_word(r, key->name, "a depth", &start);
  return word && parse_fifo(r, key->name, word, start, fifo);
}

/* FIFOs before inputs of PEs: `8 last 2`, only before the last two inputs of each PE. */
static bool read_in_fifo(DescriptionReader *r, const Key *key, void *field) {
  const Key last = {.name = "last", .most = MAX_CLASS_PORTS};
  const char *start, *at, *word = next_word(r, &start), *more = next_word(r, &at);
  FabricFifo *fifo = field;
  u32 ports = 0;
  if (!word)
    wrong(r, start, "%s expects a depth", key->name);
  else if (more && strcmp(more, "last") != 0)
    wrong(r, at, "%s expects a depth, or a depth, 'last' and a number of inputs", key->name);
  else if ((!more || read_number(r, &last, &ports)) &&
           parse_fifo(r, key->name, word, start, fifo)) {
    fifo->ports = ports;
    return true;
  }
  return false;
}

/* A key without a value. */
static bool read_flag(DescriptionReader *r, const Key *key, void *flag) {
  const char *start, *more = next_word(r, &start);
  *(bool *)flag = true;
  if (more) wrong(r, start, "%s takes no value", key->name);
  return !more;
}

/* ---- the grid ------------------------------------------------------------------------------- */

/* The option of this name, without the dashes; or NULL. */
static const Option *option_of(const char *key) {
  for (const Option *o = fabric_plan_options; o->name; o++)
    if (strcmp(key, o->name + 2) == 0) return o;
  return NULL;
}

static bool read_option(DescriptionReader *r, const Option *option) {
  const char *key = option->name + 2;
  const char *start, *word = only_word(r, key, option->arg, &start);
  if (!word) return false;
  if (strcmp(key, "pattern") == 0) r->pattern = start;
  if (strcmp(key, "switch-pattern") == 0) r->switch_pattern = start;
  if (!set_option(r, option, word, start, r->plan)) return false;
  if (strcmp(key, "instructions") != 0 || fabric_plan_set_instructions(r->plan)) return true;
  wrong(r, start, "instructions cannot be 0 here: classes of the preset are temporal");
  return false;
}

/* Reads a line by the key `word`. `object`: a class, a switch, or the plan, whose options are keys,
 * too. */
static bool read_by(DescriptionReader *r, const char *word, const Key *keys, size_t n, void *object,
                    const char *owner) {
  const Option *options = object == r->plan ? fabric_plan_options : NULL;
  Vec(const char *) names = {0};
  if (object == r->plan)
    vec_push(&r->plan->keys, ((FabricKey){str_of(r->ctx, word)->text, loc_of(r, r->key_at)}));
  for (size_t i = 0; i < n; i++)
    if (strcmp(word, keys[i].name) == 0)
      return keys[i].read(r, &keys[i], (char *)object + keys[i].field);
  if (options && option_of(word)) return read_option(r, option_of(word));
  for (const Option *o = options; o && o->name; o++) vec_push(&names, o->name + 2);
  for (size_t i = 0; i < n; i++) vec_push(&names, keys[i].name);
  wrong(r, r->key_at, "unknown key '%s' of a %s%s", word, owner,
        suggestion(r->ctx, word, names.at, names.len));
  vec_free(&names);
  return false;
}

static bool read_lanes(DescriptionReader *r, const Key *key, void *field) {
  FabricPlan *plan = field;
  bool is_ok = read_number(r, key, &plan->loads);
  plan->stores = plan->loads;
  return is_ok;
}

static bool read_latency(DescriptionReader *r, const Key *key, void *field) {
  (void)field;
  FabricLatency l = {.interval = 1};
  const char *start, *word = next_word(r, &start), *at = start;
  const char *end = word ? fabric_number_read(word, &l.latency) : NULL;
  if (end && *end == ',') end = fabric_number_read(end + 1, &l.interval);
  if (!end || *end || l.latency > FABRIC_MAX_UNIT_LATENCY || l.interval < 1 ||
      l.interval > FABRIC_MAX_UNIT_LATENCY || !(l.units = next_word(r, &at))) {
    wrong(r, word ? start : r->key_at, "%s expects CYCLES or CYCLES,INTERVAL, and names of units",
          key->name);
    return false;
  }
  for (; l.units; l.units = next_word(r, &at)) {
    l.loc = loc_of(r, at);
    vec_push(&r->plan->latencies, l);
  }
  return true;
}

static bool read_core(DescriptionReader *r, const Key *key, void *field) {
  (void)field;
  static const char *const keys[] = {"rows",        "cols",   "memories",
                                     "scratchpads", "inputs", "outputs"};
  FabricPlan numbers = {0};
  const char *start, *word = next_word(r, &start);
  size_t n = 0;
  for (; n < COUNT_OF(keys) && word; word = next_word(r, &start)) {
    const Option *option = option_of(keys[n++]);
    assert(option);
    if (!set_option(r, option, word, start, &numbers)) return false;
  }
  if (n < COUNT_OF(keys) || word) {
    wrong(r, word ? start : r->key_at, "%s expects ROWS COLS MEMORIES SCRATCHPADS INPUTS OUTPUTS",
          key->name);
    return false;
  }
  FabricCore core = fabric_plan_board(&numbers);
  if (r->plan->cores.len && !fabric_core_fits(&vec_last(&r->plan->cores), &core)) {
    wrong(r, r->key_at, "a core cannot be smaller than the previous one in any number");
    return false;
  }
  vec_push(&r->plan->cores, core);
  return true;
}

const char *const fabric_placed_names[] = {"mem_", "pad_", "in_", "out_"};

/* "mem_3": the kind and number of a memory or port. */
static bool read_placed_name(const char *word, FabricPlace *place) {
  for (u32 kind = 0; kind < PLACED_KINDS; kind++) {
    size_t len = strlen(fabric_placed_names[kind]);
    if (strncmp(word, fabric_placed_names[kind], len) != 0) continue;
    const char *end = fabric_number_read(word + len, &place->number);
    place->kind = (FabricPlacedKind)kind;
    return end && !*end;
  }
  return false;
}

/* "0,1": row and column. */
static bool read_place(const char *word, FabricPlace *place) {
  const char *end = fabric_number_read(word, &place->row);
  end = end && *end == ',' ? fabric_number_read(end + 1, &place->column) : NULL;
  return end && !*end;
}

/* at mem_0 1,1 2,2: replaces earlier places of mem_0. */
static bool read_at(DescriptionReader *r, const Key *key, void *field) {
  (void)key, (void)field;
  const char *start, *word = next_word(r, &start);
  FabricPlace place = {.loc = loc_of(r, word ? start : r->key_at)};
  if (!word || !read_placed_name(word, &place)) {
    wrong(r, word ? start : r->key_at,
          "at expects mem_N, pad_N, in_N or out_N, and positions, such as 0,1 for row 0, column 1");
    return false;
  }
  size_t n = 0;
  for (size_t i = 0; i < r->plan->places.len; i++) {
    const FabricPlace *p = &r->plan->places.at[i];
    if (p->kind != place.kind || p->number != place.number) r->plan->places.at[n++] = *p;
  }
  size_t first = r->plan->places.len = n;
  while ((word = next_word(r, &start))) {
    if (!read_place(word, &place)) {
      wrong(r, start, "expected a position, such as 0,1 for row 0, column 1, but got '%s'", word);
      return false;
    }
    place.place = (u32)(r->plan->places.len - first);
    if (place.place && (place.kind == PLACED_IN || place.kind == PLACED_OUT)) {
      wrong(r, start, "an input or output has only one position");
      return false;
    }
    vec_push(&r->plan->places, place);
  }
  if (r->plan->places.len == first)
    wrong(r, r->key_at, "at expects positions, such as 0,1 for row 0, column 1");
  for (size_t i = first; i < r->plan->places.len; i++)
    r->plan->places.at[i].nplaces = (u32)(r->plan->places.len - first);
  return r->plan->places.len > first;
}

/* Starts from a preset, whose grid becomes a core, in the middle. */
static bool read_like(DescriptionReader *r, const Key *key, void *field) {
  (void)field;
  const char *start, *word = only_word(r, key->name, "a preset", &start);
  if (!word) return false;
  if (r->has_lines)
    wrong(r, r->key_at, "%s must be the first line", key->name);
  else if (!fabric_is_preset(word))
    wrong(r, start, "unknown preset '%s'", word);
  else {
    vec_free(&r->plan->keys); /* the plan begins anew */
    bool is_ok = fabric_plan_preset(r->ctx, word, r->plan);
    r->nlatencies = r->plan->latencies.len;
    r->plan->keys.len = 0;
    return is_ok;
  }
  return false;
}

/* ---- classes and kinds ----------------------------------------------------------------------- */

/* The letter of a new class or kind, which must be unused. */
static bool read_letter(DescriptionReader *r, const char *key, char *letter) {
  const char *start, *word = next_word(r, &start);
  bool is_taken = false;
  bool is_switch = strcmp(key, "switch") == 0;
  if (!word || word[1] || !((*word >= 'A' && *word <= 'Z') || (*word >= 'a' && *word <= 'z'))) {
    wrong(r, start, "%s expects a letter", key);
    return false;
  }
  for (size_t i = 0; !is_switch && i < r->plan->classes.len; i++)
    is_taken |= r->plan->classes.at[i].letter == *word;
  for (size_t i = 0; is_switch && i < r->plan->switches.len; i++)
    is_taken |= r->plan->switches.at[i].letter == *word;
  bool is_default = !is_switch && (*word == 'S' || *word == 'T');
  if (is_default)
    wrong(r, start, "letter %s is reserved for a PE with all units", word);
  else if (is_taken)
    wrong(r, start, "letter %s is already used for another %s", word, key);
  *letter = *word;
  return !is_taken && !is_default;
}

/* The names of all units of the library. It depends on the grid's options, which come first. */
static void load_library(DescriptionReader *r) {
  if (r->library.len) return;
  FabricPlan all = *r->plan;
  FabricClass any = {0};
  Buf text = {0};
  memset(&all.classes, 0, sizeof all.classes);
  vec_push(&any.units, "*");
  vec_push(&all.classes, any);
  fabric_unit_library(r->ctx, &all, &text, &r->library);
  buf_free(&text);
  vec_free(&any.units);
  vec_free(&all.classes);
}

static bool begin_class(DescriptionReader *r, const Key *key, void *field) {
  (void)field;
  FabricClass class = {
      .inputs = 4, .outputs = 4, .fifo.depth = OPTION_UNSET, .loc = loc_of(r, r->key_at)};
  const char *start;
  if (!read_letter(r, key->name, &class.letter)) return false;
  class.name = next_word(r, &start);
  if (!class.name ||
      strspn(class.name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(class.name) ||
      (*class.name >= '0' && *class.name <= '9')) {
    wrong(r, start, "%s expects a letter and a name", key->name);
    return false;
  }
  load_library(r);
  vec_push(&r->plan->classes, class);
  r->class = &r->plan->classes.at[r->plan->classes.len - 1];
  r->loop_ends = NULL;
  return true;
}

static bool begin_switch(DescriptionReader *r, const Key *key, void *field) {
  (void)field;
  FabricSwitch kind = {.buffer = OPTION_UNSET, .fifo.depth = OPTION_UNSET};
  if (!read_letter(r, key->name, &kind.letter)) return false;
  vec_push(&r->plan->switches, kind);
  r->kind = &r->plan->switches.at[r->plan->switches.len - 1];
  return true;
}

static bool no_such_unit(DescriptionReader *r, Loc loc, const char *name) {
  diag(r->ctx, loc, COMP_ADG_PLAN, "unknown unit '%s'%s", name,
       suggestion(r->ctx, name, r->library.at, r->library.len));
  return false;
}

/* Patterns of unit names, each of which must match a unit of the library. Loop ends count as named
 * (for loop_ends_agree) if a pattern matches nothing else or contains "loop_". */
static bool read_units(DescriptionReader *r, const Key *key, void *field) {
  (void)key, (void)field;
  const char *start, *word;
  bool is_ok = true;
  while ((word = next_word(r, &start))) {
    bool has_ends = false, has_others = false;
    for (size_t i = 0; i < r->library.len; i++) {
      bool fits = fabric_name_fits(r->library.at[i], word);
      bool is_end = fabric_unit_wants_class(r->library.at[i]);
      has_ends |= fits && is_end, has_others |= fits && !is_end;
    }
    bool names_ends = has_ends && (!has_others || strstr(word, "loop_"));
    if (names_ends && !r->loop_ends) r->loop_ends = start;
    if (!has_ends && !has_others) is_ok = no_such_unit(r, loc_of(r, start), word);
    vec_push(&r->class->units, word);
  }
  return is_ok;
}

/* Letters of classes described above. */
static bool read_neighbours(DescriptionReader *r, const Key *key, void *letters) {
  const char *start, *word = only_word(r, key->name, "letters of classes", &start);
  for (const char *at = word; at && *at; at++) {
    bool is_known = false;
    for (size_t i = 0; i < r->plan->classes.len; i++)
      is_known |= r->plan->classes.at[i].letter == *at && *at != r->class->letter;
    if (is_known) continue;
    wrong(r, start + (at - word), "no class with the letter '%c' is defined above", *at);
    return false;
  }
  *(const char **)letters = word;
  return word;
}

/* A class of temporal PEs must not name loop ends. Keys come in any order, so each checks it. */
static bool loop_ends_agree(DescriptionReader *r) {
  if (!r->loop_ends || !r->class->instructions) return true;
  wrong(r, r->loop_ends, "a carry with a branch requires spatial PEs, but these are temporal");
  diag_hint(r->ctx, "use carry_* and cond_br_* here, or move it to a class without instructions");
  r->loop_ends = NULL;
  return false;
}

/* ---- a description --------------------------------------------------------------------------- */

#define ROW(of, key, reader, member) .name = key, .read = reader, .field = offsetof(of, member)
static const Key class_keys[] = {
    {ROW(FabricClass, "units", read_units, units)},
    {ROW(FabricClass, "fifo", read_in_fifo, fifo)},
    {ROW(FabricClass, "out-fifo", read_fifo, out_fifo)},
    {ROW(FabricClass, "inputs", read_number, inputs), .most = MAX_CLASS_PORTS},
    {ROW(FabricClass, "outputs", read_number, outputs), .most = MAX_CLASS_PORTS},
    {ROW(FabricClass, "instructions", read_number, instructions), .most = FABRIC_MAX_INSTRUCTIONS},
    {ROW(FabricClass, "feeds", read_neighbours, feeds)},
    {ROW(FabricClass, "fed-by", read_neighbours, fed_by)},
    {ROW(FabricClass, "no-memory", read_flag, avoids_memory)},
};

static const char *const connections[] = {"all", "turns", "tracks", NULL};
static const Key switch_keys[] = {
    {ROW(FabricSwitch, "connect", read_choice, connect), .choices = connections},
    {ROW(FabricSwitch, "buffer", read_choice, buffer), .choices = SPATIAL_SW_buffer_words},
    {ROW(FabricSwitch, "fifo", read_fifo, fifo)},
};

/* Of the grid, beside its options. */
static const Key grid_keys[] = {
    {ROW(FabricPlan, "fifo", read_fifo, link)},
    {ROW(FabricPlan, "pe-fifo", read_in_fifo, pe_input)},
    {.name = "like", .read = read_like},
    {.name = "latency", .read = read_latency},
    {.name = "core", .read = read_core},
    {.name = "at", .read = read_at},
    {.name = "lanes", .read = read_lanes, .most = FABRIC_MAX_LANES},
    {.name = "class", .read = begin_class},
    {.name = "switch", .read = begin_switch},
    {ROW(FabricPlan, "fu", read_choice, units), .choices = fabric_unit_libraries},
};
#undef ROW

static bool read_keyed(DescriptionReader *r, const char *key) {
  if (strcmp(key, "class") == 0 || strcmp(key, "switch") == 0) {
    r->class = NULL, r->kind = NULL;
    r->is_nameless = !read_by(r, key, grid_keys, COUNT_OF(grid_keys), r->plan, "board");
    return !r->is_nameless;
  }
  if (r->is_nameless) return false;
  if (r->class) {
    bool is_ok = read_by(r, key, class_keys, COUNT_OF(class_keys), r->class, "class");
    return loop_ends_agree(r) && is_ok;
  }
  if (r->kind) return read_by(r, key, switch_keys, COUNT_OF(switch_keys), r->kind, "switch");
  return read_by(r, key, grid_keys, COUNT_OF(grid_keys), r->plan, "board");
}

static bool read_line(DescriptionReader *r) {
  const char *key = next_word(r, &r->key_at);
  if (!key) return true;
  bool is_ok = read_keyed(r, key);
  r->has_lines = true;
  return is_ok;
}

/* Reports an ill-formed pattern: `unknown` is its first undefined letter, or NULL. */
static bool wrong_pattern(const DescriptionReader *r, const char *start, const char *pattern,
                          const char *unknown, const char *owner, const char *form) {
  if (unknown)
    wrong(r, start + (unknown - pattern), "no %s with the letter '%c' is defined", owner, *unknown);
  else
    wrong(r, start, "%s", form);
  return false;
}

static bool pattern_agrees(const DescriptionReader *r) {
  const FabricPlan *plan = r->plan;
  return !r->pattern || fabric_pattern_ok(plan, plan->pattern) ||
         wrong_pattern(
             r, r->pattern, plan->pattern, fabric_pattern_unknown(plan, plan->pattern), "class",
             "expected rows of letters of classes, separated by /; (AB) puts several in a cell");
}

static bool switch_pattern_agrees(const DescriptionReader *r) {
  const FabricPlan *plan = r->plan;
  return !r->switch_pattern || fabric_switch_pattern_ok(plan, plan->switch_pattern) ||
         wrong_pattern(r, r->switch_pattern, plan->switch_pattern,
                       fabric_switch_pattern_unknown(plan, plan->switch_pattern),
                       "kind of switches", "expected rows of letters of switches, separated by /");
}

/* The pattern of each latency must match a unit of the library. */
static bool latencies_agree(DescriptionReader *r) {
  bool is_ok = true;
  for (size_t i = r->nlatencies; i < r->plan->latencies.len; i++) {
    const FabricLatency *l = &r->plan->latencies.at[i];
    bool is_known = false;
    load_library(r);
    for (size_t u = 0; u < r->library.len && !is_known; u++)
      is_known = fabric_name_fits(r->library.at[u], l->units);
    if (!is_known) is_ok = no_such_unit(r, l->loc, l->units);
  }
  return is_ok;
}

bool fabric_plan_is_fabric(const Source *source) {
  for (const char *at = source->text; *at; at += *at == '\n') {
    at += strspn(at, " \t");
    if (strncmp(at, "fabric.", 7) == 0) return true;
    at += strcspn(at, "\n");
  }
  return false;
}

/* Is that MLIR? */
static bool is_program(const Source *source) {
  static const char *const starts[] = {"func.func", "handshake.func", "module {", "\"builtin"};
  for (const char *at = source->text; *at; at += *at == '\n') {
    at += strspn(at, " \t");
    for (u32 i = 0; i < COUNT_OF(starts); i++)
      if (strncmp(at, starts[i], strlen(starts[i])) == 0) return true;
    at += strcspn(at, "\n");
  }
  return false;
}

bool fabric_plan_read(Context *ctx, const Source *source, FabricPlan *plan) {
  if (fabric_plan_is_fabric(source)) {
    diag(ctx, source->base, COMP_ADG_PLAN, "this is a fabric, not a description of one");
    diag_hint(ctx, "use `loom adg show` to show what is in it");
    return false;
  }
  if (is_program(source)) {
    diag(ctx, source->base, COMP_ADG_PLAN, "this is a program, not a description of a fabric");
    return false;
  }
  DescriptionReader r = {.ctx = ctx, .source = source, .at = source->text, .plan = plan};
  bool is_ok = true;
  *plan = fabric_plan_default();
  for (; *r.at; r.at += *r.at == '\n') {
    is_ok &= read_line(&r);
    r.at += strcspn(r.at, "\n");
  }
  if (r.at < source->text + source->len) {
    wrong(&r, r.at, "unexpected zero byte in a description");
    is_ok = false;
  } else if (!r.has_lines) {
    wrong(&r, source->text, "the description says nothing");
    diag_hint(ctx, "'rows 4' is a board of four rows, with a default for everything else");
    is_ok = false;
  }
  if (is_ok) {
    is_ok = pattern_agrees(&r);
    is_ok &= switch_pattern_agrees(&r);
    is_ok &= latencies_agree(&r);
  }
  fabric_cores_keep(plan, plan->cores.at, &plan->cores.len);
  vec_push(&plan->cores, fabric_plan_board(plan));
  vec_free(&r.library);
  if (!is_ok) fabric_plan_free(plan);
  return is_ok;
}

bool fabric_is_preset(const char *name) {
  for (size_t i = 0; i < COUNT_OF(presets); i++)
    if (strcmp(name, presets[i].name) == 0) return true;
  return false;
}

bool fabric_plan_preset(Context *ctx, const char *name, FabricPlan *plan) {
  for (size_t i = 0; i < COUNT_OF(presets); i++) {
    if (strcmp(name, presets[i].name) != 0) continue;
    Buf text = {0};
    for (const char *const *line = presets[i].text; *line; line++) buf_printf(&text, "%s\n", *line);
    const Source *source = source_from_memory(ctx, name, text.data, text.len);
    if (!fabric_plan_read(ctx, source, plan)) loom_bug("the preset %s is no description", name);
    buf_free(&text);
    return true;
  }
  return false;
}

void fabric_plan_free(FabricPlan *plan) {
  for (size_t i = 0; i < plan->classes.len; i++) vec_free(&plan->classes.at[i].units);
  vec_free(&plan->classes);
  vec_free(&plan->switches);
  vec_free(&plan->latencies);
  vec_free(&plan->cores);
  vec_free(&plan->places);
  vec_free(&plan->keys);
}

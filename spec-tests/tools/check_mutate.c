/* check_mutate.c -- does the checker of mappings reject broken mappings?
 *
 *     check-mutate [--list] [--random N] [--fabrics N] spec-tests/26-checking.md ...
 *                                                                     N passed, N failed
 *
 * A section of a chapter that has a fabric with its configuration (its mlir blocks without a name)
 * and a graph (`mlir file=graph.mlir`; and maybe a `json file=binding.json`) is a mapping. It must
 * be accepted. Then
 *
 *     bits     every single bit of the image is flipped, and over all sections bits of every kind
 *              of field of every kind of component. All of these must be refused, but for those
 *              whose field the section names in a comment
 *              <!-- harmless: FIELD of 'COMPONENT' -->
 *     fields   N times one to three fields get random values. Where that is accepted, the graph
 *              that the hardware then is must give what the graph that was asked for gives, on the
 *              token simulator with random arguments
 *     words    N times all words are random: whatever they say, it is refused or accepted
 *
 * Then N random fabrics (random_fabric.h) are configured at random, by the rules and against them.
 * Nothing may crash; where the hardware is sound, it is a graph that verifies and freezes.
 *
 * --list prints what each bit that was flipped was refused with.
 */
#include "decode.h"
#include "random_fabric.h"
#include "subjects.h"

#include "machine/machine.h"
#include "manual/manual.h"
#include "run/case.h"
#include "run/token.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

/* ---- a mapping ------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  const Section *section;
  Hardware fabric;
  Module *graph;
  Image *image;
  Dfg *dfg;
  MapBinding *binding;
  Buf binding_text;
} Mapped;

typedef struct {
  bool list;
  u64 random, fabrics, sound;
  u64 sections, accepted_fields;
  u32 refused[FIELD_KIND_COUNT][ADG_KIND_COUNT]; /* bits of such fields of such components */
} Tally;

static void expect(const Mapped *m, bool good, const char *what) {
  check(good, "%s: %s", m->section->path, what);
}

static Op *only_graph(const Module *module) {
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_HANDSHAKE_FUNC) return op;
  return NULL;
}

/* Reads the parts of a section. False where it is no mapping, or (after a word) a broken one. */
static bool read_section(const Chapter *chapter, const Section *section, Mapped *m, bool *is_one) {
  Buf fabric = {0}, graph = {0}, binding = {0};
  for (u32 i = section->first; i < section->first + section->n; i++) {
    const Fence *f = &chapter->fences.at[i];
    if (f->kind == FENCE_MLIR && !f->file) buf_put(&fabric, f->text, f->len);
    if (f->kind == FENCE_MLIR && f->file && strcmp(f->file, "graph.mlir") == 0)
      buf_put(&graph, f->text, f->len);
    if (f->kind == FENCE_JSON && f->file && strcmp(f->file, "binding.json") == 0)
      buf_put(&binding, f->text, f->len);
  }
  *m = (Mapped){.section = section};
  *is_one = fabric.len && graph.len && !section->skip;
  if (*is_one) {
    m->ctx = context_new();
    hardware_of_text(m->ctx, &fabric, &m->fabric);
    m->graph = module_read(m->ctx, "graph.mlir", graph.data, graph.len);
  }
  Op *func = m->graph ? only_graph(m->graph) : NULL;
  m->image = m->fabric.layout ? config_of_text(m->ctx, m->fabric.layout) : NULL;
  m->dfg = func ? dfg_freeze(m->ctx, func) : NULL;
  if (m->dfg && m->image)
    m->binding = binding_read(
        m->ctx, m->dfg, m->image,
        binding.len ? source_from_memory(m->ctx, "binding.json", binding.data, binding.len) : NULL);
  buf_free(&fabric);
  buf_free(&graph);
  m->binding_text = binding;
  return m->binding != NULL;
}

static void free_mapped(Mapped *m) {
  binding_free(m->binding);
  buf_free(&m->binding_text);
  dfg_free(m->dfg);
  image_free(m->image);
  hardware_free(&m->fabric);
  module_free(m->graph);
  if (m->ctx) context_free(m->ctx);
}

/* Is it accepted? `said`: what was said about it; the caller frees. */
static bool accepts(const Mapped *m, const Image *image, char **said) {
  Heard heard;
  heard_start(m->ctx, &heard);
  bool good = mapping_check(m->ctx, m->dfg, m->fabric.layout, image->words, m->binding);
  heard_stop(m->ctx, &heard);
  if (good != !m->ctx->errors) check(false, "%s: refused without a word", m->section->path);
  if (said)
    *said = heard.text;
  else
    free(heard.text);
  return good;
}

/* ---- what the hardware gives ----------------------------------------------------------------- */

/* Small numbers, so that loops end and addresses are in their memories. */
static void make_case(const Dfg *dfg, Buf *out) {
  bool first = true;
  buf_str(out, "{\"args\": [");
  for (u32 i = 0; i < dfg->nargs; i++) {
    const DfgArg *arg = &dfg->args[i];
    const DfgType *type = &dfg->types[arg->type];
    if (arg->role == DFG_ARG_EXTENT || arg->role == DFG_ARG_CONTROL) continue;
    buf_str(out, first ? "" : ", ");
    first = false;
    if (arg->role == DFG_ARG_MEMREF) {
      Buf elem = {0};
      text_type(type->ir->elem, &elem);
      buf_printf(out, "{\"memref\": {\"shape\": [16], \"type\": \"%s\", \"data\": [", elem.data);
      for (u32 k = 0; k < 16; k++) buf_printf(out, "%s%u", k ? ", " : "", (u32)any_below(100));
      buf_str(out, "]}}");
      buf_free(&elem);
    } else {
      buf_printf(out, "{\"scalar\": {\"type\": \"%s\", \"value\": %u}}", dfg_text(dfg, type->text),
                 (u32)(type->bits == 1 ? any_below(2) : 1 + any_below(12)));
    }
  }
  buf_str(out, "]}");
}

/* Runs both graphs on one case and compares results and memories. */
static bool same_run(Context *ctx, const Dfg *a, const Dfg *b) {
  Buf json = {0};
  make_case(a, &json);
  Case *c = case_parse(ctx, source_from_memory(ctx, "case.json", json.data, json.len));
  RunOptions options = {.max_steps = 100000};
  RunResult ra = {0}, rb = {0};
  bool same = false;
  if (c) {
    token_run(ctx, a, c, &options, &ra);
    token_run(ctx, b, c, &options, &rb);
    same = run_compare(ctx, "graph", &ra, "hardware", &rb);
  }
  run_result_free(&ra);
  run_result_free(&rb);
  case_free(c);
  buf_free(&json);
  return same;
}

/* An image that was accepted gives what the graph gives. */
static bool same_values(const Mapped *m, const Image *image) {
  Decoded d;
  FILE *err = m->ctx->err;
  m->ctx->errors = 0;
  m->ctx->err = NULL;
  bool same = decoded_of(m->ctx, m->dfg, image, m->binding, &d) && decoded_names_hold(&d);
  for (u32 i = 0; same && i < 3; i++) same = same_run(m->ctx, m->dfg, d.dfg);
  m->ctx->err = err;
  decoded_free(&d);
  return same;
}

/* ---- bits ------------------------------------------------------------------------------------ */

typedef struct {
  const Image *image;
  u32 component;
  u64 at, offset; /* the bit; where the slice starts */
  Buf name;
  u32 kind; /* FieldKind, or FIELD_KIND_COUNT */
} FieldSearch;

static void find_field(void *context, Field field, u64 offset, u32 width) {
  FieldSearch *s = context;
  const Adg *adg = s->image->layout->adg;
  if (s->at < offset || s->at >= offset + width || s->name.len) return;
  if (!image_uses(s->image, s->component, field)) return;
  layout_name(s->image->layout, s->component, field, &s->name);
  s->kind = field.kind;
  buf_printf(&s->name, " of '%s'", adg_name(adg, s->component));
}

/* "mux0.sel of 'pe_0'": the field that a bit of the image is in. Its kind; where it is in none,
 * FIELD_KIND_COUNT. */
static u32 field_text(const Image *image, u64 bit, u32 *component, Buf *out) {
  const Layout *layout = image->layout;
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    u64 start = (u64)s->first_word * 32;
    if (bit < start || bit >= start + (u64)s->nwords * 32) continue;
    FieldSearch search = {image, s->component, bit - start, start, {0}, FIELD_KIND_COUNT};
    layout_visit(layout, i, find_field, &search);
    buf_str(out, search.name.len ? search.name.data : "no field");
    buf_free(&search.name);
    *component = layout->adg->components[s->component].kind;
    return search.kind;
  }
  return FIELD_KIND_COUNT;
}

static bool is_harmless(const Section *section, const char *field) {
  Buf prose = {0}, wanted = {0};
  buf_put(&prose, section->prose, section->prose_len);
  buf_printf(&wanted, "<!-- harmless: %s -->", field);
  bool found = prose.data && strstr(prose.data, wanted.data);
  buf_free(&prose);
  buf_free(&wanted);
  return found;
}

static void flip_bits(Tally *t, Mapped *m) {
  for (u64 bit = 0; bit < (u64)m->image->nwords * 32; bit++) {
    Buf field = {0};
    char *said = NULL, code[64];
    m->image->words[bit / 32] ^= (u32)1 << bit % 32;
    bool accepted = accepts(m, m->image, &said);
    u32 component = 0, kind = field_text(m->image, bit, &component, &field);
    if (!accepted && kind < FIELD_KIND_COUNT) t->refused[kind][component]++;
    bool harmless = is_harmless(m->section, field.data);
    if (t->list) {
      printf("%s: bit %llu, %s: %s\n", m->section->path, (unsigned long long)bit, field.data,
             accepted ? "accepted" : first_code(said, code));
    }
    check(!accepted || harmless, "%s: bit %llu, %s, was flipped and nobody saw it",
          m->section->path, (unsigned long long)bit, field.data);
    if (accepted)
      expect(m, same_values(m, m->image), "an image that was accepted gives other values");
    m->image->words[bit / 32] ^= (u32)1 << bit % 32;
    free(said);
    buf_free(&field);
  }
}

/* What each kind of component has to configure. A queue that is passed by or not is the same graph,
 * and where a memory outside begins is the host's business. */
static void expect_all_kinds(Tally *t) {
  enum { FIRST = FIELD_MUX_SEL, LAST = FIELD_DEMUX_DISCONNECT };
  static const u8 wanted[][2] = {
      {FIELD_PAIR, ADG_SPATIAL_SW},
      {FIELD_DISCARD, ADG_SPATIAL_SW},
      {FIELD_VALID, ADG_TEMPORAL_SW},
      {FIELD_TAG, ADG_TEMPORAL_SW},
      {FIELD_PAIR, ADG_TEMPORAL_SW},
      {FIELD_TAG, ADG_ADD_TAG},
      {FIELD_VALID, ADG_MAP_TAG},
      {FIELD_TAG, ADG_MAP_TAG},
      {FIELD_DST_TAG, ADG_MAP_TAG},
      {FIELD_VALID, ADG_MEMORY},
      {FIELD_START, ADG_MEMORY},
      {FIELD_END, ADG_MEMORY},
      {FIELD_ADDR_OFFSET, ADG_MEMORY},
      {FIELD_ELEM_SIZE_LOG2, ADG_MEMORY},
      {FIELD_VALID, ADG_EXTMEMORY},
      {FIELD_START, ADG_EXTMEMORY},
      {FIELD_END, ADG_EXTMEMORY},
      {FIELD_ELEM_SIZE_LOG2, ADG_EXTMEMORY},
      {FIELD_VALID, ADG_SPATIAL_PE},
      {FIELD_OPCODE, ADG_SPATIAL_PE},
      {FIELD_NODE_SEL, ADG_SPATIAL_PE},
      {FIELD_NODE_DISCARD, ADG_SPATIAL_PE},
      {FIELD_NODE_DISCONNECT, ADG_SPATIAL_PE},
      {FIELD_NODE_LITERAL, ADG_SPATIAL_PE},
      {FIELD_NODE_JOIN, ADG_SPATIAL_PE},
      {FIELD_NODE_PREDICATE, ADG_SPATIAL_PE},
      {FIELD_NODE_CONT_COND, ADG_SPATIAL_PE},
      {FIELD_VALID, ADG_TEMPORAL_PE},
      {FIELD_TAG, ADG_TEMPORAL_PE},
      {FIELD_OPCODE, ADG_TEMPORAL_PE},
      {FIELD_OPERAND_REG, ADG_TEMPORAL_PE},
      {FIELD_OPERAND_IS_REG, ADG_TEMPORAL_PE},
      {FIELD_RESULT_TAG, ADG_TEMPORAL_PE},
      {FIELD_RESULT_REG, ADG_TEMPORAL_PE},
      {FIELD_RESULT_IS_REG, ADG_TEMPORAL_PE},
  };
  bool all = true;
  for (u32 i = 0; i < COUNT_OF(wanted); i++) {
    if (t->refused[wanted[i][0]][wanted[i][1]]) continue;
    printf("no bit of field kind %u of a %s was refused\n", wanted[i][0],
           adg_kind_text((AdgKind)wanted[i][1]));
    all = false;
  }
  /* (The temporal PE of the chapter has one output: no demux has anything to select.) */
  for (u32 f = FIRST; f <= LAST; f++) {
    bool both =
        t->refused[f][ADG_SPATIAL_PE] && (f == FIELD_DEMUX_SEL || t->refused[f][ADG_TEMPORAL_PE]);
    if (!both) printf("no bit of field kind %u of a PE was refused\n", f);
    all = all && both;
  }
  check(all, "not every kind of field was seen to be checked");
}

/* ---- bindings -------------------------------------------------------------------------------- */

/* Read as a binding, and if it is one, checked. Whatever is refused is refused with a word. */
static bool ask_binding(const Mapped *m, const char *text, size_t len) {
  m->ctx->errors = 0;
  MapBinding *binding =
      binding_read(m->ctx, m->dfg, m->image, source_from_memory(m->ctx, "b.json", text, len));
  bool good = binding && mapping_check(m->ctx, m->dfg, m->fabric.layout, m->image->words, binding);
  binding_free(binding);
  return good == !m->ctx->errors;
}

static void break_binding(Mapped *m) {
  static const char bytes[] = {'0', '9', '-', '"', '{', 'x', '\0', (char)0xff};
  for (size_t i = 0; i < m->binding_text.len; i++) {
    char kept = m->binding_text.data[i];
    bool good = ask_binding(m, m->binding_text.data, i);
    for (u32 k = 0; k < sizeof bytes; k++) {
      m->binding_text.data[i] = bytes[k];
      good &= ask_binding(m, m->binding_text.data, m->binding_text.len);
    }
    m->binding_text.data[i] = kept;
    expect(m, good, "a broken binding is refused without a word");
  }
}

/* ---- fields and words ------------------------------------------------------------------------ */

typedef struct {
  Field field;
  u32 width;
} Pick;

typedef struct {
  Vec(Pick) all;
} Picks;

static void put_field(void *context, Field field, u64 offset, u32 width) {
  Picks *p = context;
  (void)offset;
  vec_push(&p->all, ((Pick){field, width}));
}

static void change_fields(Tally *t, Mapped *m) {
  u32 *kept = calloc(m->image->nwords + (size_t)1, sizeof *kept);
  memcpy(kept, m->image->words, m->image->nwords * sizeof *kept);
  for (u64 n = 0; n < t->random && m->fabric.layout->nslices; n++) {
    for (u64 k = 1 + any_below(3); k--;) {
      u32 slice = (u32)any_below(m->fabric.layout->nslices);
      Picks p = {0};
      layout_visit(m->fabric.layout, slice, put_field, &p);
      const Pick *pick = &p.all.at[any_below(p.all.len)];
      image_set(m->image, m->fabric.layout->slices[slice].component, pick->field,
                any_number() >> (64 - pick->width));
      vec_free(&p.all);
    }
    bool changed = memcmp(kept, m->image->words, m->image->nwords * sizeof *kept) != 0;
    if (accepts(m, m->image, NULL)) {
      t->accepted_fields += changed;
      expect(m, same_values(m, m->image), "fields were changed, accepted, and give other values");
    } else {
      expect(m, changed, "an image that was accepted is refused");
    }
    memcpy(m->image->words, kept, m->image->nwords * sizeof *kept);
  }
  for (u64 n = 0; n < t->random; n++) {
    u64 density = any_below(32);
    for (u32 w = 0; w < m->image->nwords; w++)
      m->image->words[w] =
          density < 8 ? (u32)(any_number() & any_number() & any_number()) : (u32)any_number();
    configured_free(configured_new(m->ctx, m->image));
    expect(m, !accepts(m, m->image, NULL) || same_values(m, m->image), "random words");
    memcpy(m->image->words, kept, m->image->nwords * sizeof *kept);
  }
  free(kept);
}

/* ---- random fabrics -------------------------------------------------------------------------- */

/* Sound hardware is a machine, but for units that no machine can be made of. */
static bool is_machine(Context *ctx, const Image *image) {
  Heard heard;
  heard_start(ctx, &heard);
  Machine *machine = machine_build(ctx, image);
  heard_stop(ctx, &heard);
  bool good = machine || strstr(heard.text, "error[RT_MACHINE_");
  machine_free(machine);
  free(heard.text);
  return good;
}

/* Where the hardware is sound, it is a graph, and a machine. */
static bool is_graph_if_sound(Context *ctx, const Image *image, Tally *t) {
  ctx->errors = 0;
  Decoded d = {.conf = configured_new(ctx, image)};
  bool good = d.conf->is_sound || ctx->errors;
  if (!ctx->errors) {
    d.module = module_new(ctx);
    Op *func = configured_graph(d.module, d.conf, NULL);
    d.dfg = verify_module(d.module) ? dfg_freeze(ctx, func) : NULL;
    t->sound++;
    good = d.dfg && decoded_names_hold(&d) && (!image_check(ctx, image) || is_machine(ctx, image));
  }
  decoded_free(&d);
  return good;
}

static void try_fabric(u64 seed, Tally *t) {
  Random r = {seed};
  Buf text = {0};
  Context *ctx = context_new();
  random_fabric(&r, 1 + (u32)random_below(&r, 12), &text);
  Hardware h;
  bool good = hardware_of_text(ctx, &text, &h);
  ctx->err = NULL;
  for (u32 i = 0; good && i < 8; i++) {
    Image *image = image_new(h.layout);
    if (i < 3) random_configuration(&r, image);
    for (u32 w = 0; w < image->nwords && i >= 3; w++)
      if (i > 4)
        image->words[w] = (u32)(random_next(&r) & (i < 7 ? random_next(&r) : UINT64_MAX));
      else if (random_below(&r, 4) == 0)
        image->words[w] ^= (u32)1 << random_below(&r, 32);
    good = is_graph_if_sound(ctx, image, t);
    image_free(image);
  }
  check(good, "fabric of seed %llu", (unsigned long long)seed);
  hardware_free(&h);
  context_free(ctx);
  buf_free(&text);
}

/* ---- chapters -------------------------------------------------------------------------------- */

static void try_section(const Chapter *chapter, const Section *section, Tally *t) {
  Mapped m;
  bool is_one;
  bool good = read_section(chapter, section, &m, &is_one);
  if (is_one && (!good || !accepts(&m, m.image, NULL))) {
    expect(&m, false, "the mapping itself is not accepted");
  } else if (is_one) {
    t->sections++;
    expect(&m, same_values(&m, m.image), "the hardware gives other values than the graph");
    m.ctx->err = NULL;
    flip_bits(t, &m);
    change_fields(t, &m);
    break_binding(&m);
  }
  free_mapped(&m);
}

static void try_chapter(Context *ctx, const char *path, Tally *t) {
  Chapter chapter = {0};
  const Source *source = source_read(ctx, path);
  if (!source) exit(EXIT_BAD_INPUT);
  chapter_read(ctx->arena, path, source->text, source->len, &chapter);
  for (size_t s = 0; s < chapter.sections.len; s++)
    try_section(&chapter, &chapter.sections.at[s], t);
  chapter_free(&chapter);
}

int main(int argc, char **argv) {
  Tally t = {.random = 200, .fabrics = 300};
  Context *ctx = context_new();
  int n = tool_options(argc, argv,
                       TOOL_OPTIONS(TOOL_FLAG("--list", t.list), TOOL_NUMBER("--random", t.random),
                                    TOOL_NUMBER("--fabrics", t.fabrics)),
                       "check-mutate [--list] [--random N] [--fabrics N] CHAPTER...");
  for (int i = 1; i < n; i++) try_chapter(ctx, argv[i], &t);
  context_free(ctx);
  if (t.sections) expect_all_kinds(&t);
  for (u64 seed = 1; seed <= t.fabrics; seed++) try_fabric(seed, &t);
  printf("%llu mappings; %llu changes of fields made another good one; %llu random "
         "configurations are sound\n",
         (unsigned long long)t.sections, (unsigned long long)t.accepted_fields,
         (unsigned long long)t.sound);
  return checks_end();
}

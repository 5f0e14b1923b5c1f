/* config_check.c -- configurations of random fabrics: written down and read back, and broken.
 *
 *     config-check [--count N] [--seed S] [--show]         N passed, N failed
 *
 * For each of N random fabrics:
 *
 *     layout    the fields of a slice lie one behind the other from bit 0 to the last, each where
 *               layout_find says, and no two have one name; what is set is what is read, whatever
 *               else is set
 *     fields    a random configuration, printed as JSON and encoded again, is the same words
 *     text      put into the Fabric text, printed, parsed, flattened and encoded, it is, too
 *     files     the three files say the same words
 *     bits      each bit of a small image flipped: it is refused, or is another configuration, in
 *               fields and in text
 *
 * Then the presets have one random configuration each, by fields and text. The seed of a fabric is
 * S, S + 1, ...; --show prints the first one's text.
 */
#include "random_fabric.h"
#include "subjects.h"

#include "generate/generate.h"
#include "text/text.h"

#include <stdlib.h>
#include <unistd.h>

enum { CONFIGURATIONS = 3, SMALL_WORDS = 24, FILES_EVERY = 16 };

/* A Fabric text, read, in a context of its own. */
static bool read_target(Hardware *t, const Buf *text) {
  return hardware_of_text(context_new(), text, t);
}

static void free_target(Hardware *t) {
  Context *ctx = t->ctx;
  hardware_free(t);
  context_free(ctx);
}

static void expect(bool good, u64 seed, const char *what) {
  check(good, "seed %llu: %s", (unsigned long long)seed, what);
}

static bool same_words(const Image *a, const Image *b) {
  return a && b && a->nwords == b->nwords &&
         memcmp(a->words, b->words, a->nwords * sizeof *a->words) == 0;
}

/* ---- layout ---------------------------------------------------------------------------------- */

typedef struct {
  const Layout *layout;
  const LayoutSlice *slice;
  bool has_own_payloads;
  u64 at, end; /* of the last field; the furthest so far */
  u32 unit, item;
  Map names;
  Vec(Field) fields;
  const char *wrong;
} LayoutCheck;

static bool has_own_payloads(const Adg *adg, u32 component) {
  const AdgComponent *c = &adg->components[component];
  return adg_is_pe(c) && adg_config_in_item(&adg->pes[c->detail]);
}

static void check_place(void *context, Field f, u64 offset, u32 width) {
  LayoutCheck *c = context;
  FieldPlace place = layout_find(c->layout, c->slice->component, f);
  Buf name = {0};
  u64 seen;
  if (c->has_own_payloads && layout_is_payload(f.kind)) {
    if (f.item != c->unit || f.a_lane != c->item) /* the next payload lies over the last */
      c->at = f.a_lane * c->slice->item_bits + layout_item_bits(c->layout, c->slice->component);
    c->unit = f.item;
    c->item = f.a_lane;
  } else if (c->has_own_payloads && f.item != c->item) {
    c->at = f.item * c->slice->item_bits;
    c->item = f.item;
    c->unit = ADG_NONE;
  }
  if (offset != c->at) c->wrong = "a field does not begin where the last one ends";
  if (!width || width > 64) c->wrong = "a field has no bits, or too many";
  if (place.at != offset + (u64)c->slice->first_word * 32 || place.width != width)
    c->wrong = "layout_find and layout_visit disagree";
  c->at = offset + width;
  if (c->at > c->end) c->end = c->at;
  layout_name(c->layout, c->slice->component, f, &name);
  u64 key = hash_bytes(name.data, name.len, 0);
  if (map_get(&c->names, key, &seen)) c->wrong = "two fields have one name";
  map_put(&c->names, key, 1);
  vec_push(&c->fields, f);
  buf_free(&name);
}

/* Sets all fields, in an order of its own, to random values, and reads them. */
static bool fields_hold(Random *r, const LayoutCheck *c, Image *image) {
  size_t n = c->fields.len;
  u64 *values = calloc(n + 1, sizeof *values);
  bool good = true;
  for (size_t i = n; i-- > 0;) {
    u32 width = layout_find(c->layout, c->slice->component, c->fields.at[i]).width;
    values[i] = random_next(r) >> (64 - width);
    image_set(image, c->slice->component, c->fields.at[i], values[i]);
  }
  for (size_t i = 0; i < n; i++)
    good &= image_get(image, c->slice->component, c->fields.at[i]) == values[i];
  image_idle(image, c->slice->component);
  free(values);
  return good;
}

static void check_layout(Random *r, u64 seed, const Layout *layout) {
  Image *image = image_new(layout);
  const char *wrong = NULL;
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    LayoutCheck c = {.layout = layout,
                     .slice = s,
                     .has_own_payloads = has_own_payloads(layout->adg, s->component),
                     .unit = ADG_NONE};
    layout_visit(layout, i, check_place, &c);
    if (c.end != s->bits) c.wrong = "the last field does not end where its slice does";
    if (!c.has_own_payloads && !fields_hold(r, &c, image)) c.wrong = "a field lost its value";
    if (c.wrong) wrong = c.wrong;
    map_free(&c.names);
    vec_free(&c.fields);
  }
  image_free(image);
  expect(!wrong, seed, wrong);
}

/* ---- there and back -------------------------------------------------------------------------- */

static void print_text(Hardware *t, const Image *image, Buf *out) {
  config_fill_text(t->module, t->top, image);
  text_print(t->module, (PrintOptions){0}, out);
}

static void check_fields(Hardware *t, u64 seed, const Image *image) {
  Buf text = {0};
  config_print_fields(image, &text);
  Image *again = config_of_fields(t->ctx, t->layout,
                                  source_from_memory(t->ctx, "fields.json", text.data, text.len));
  expect(same_words(image, again), seed, "encoded from its fields it is another image");
  image_free(again);
  buf_free(&text);
}

static void check_text(Hardware *t, u64 seed, const Image *image) {
  Buf text = {0};
  Hardware other;
  print_text(t, image, &text);
  Image *again = read_target(&other, &text) ? config_of_text(other.ctx, other.layout) : NULL;
  expect(same_words(image, again), seed, "encoded from the text it is another image");
  if (!same_words(image, again) && failed < 3) fputs(text.data, stdout);
  image_free(again);
  free_target(&other);
  buf_free(&text);
}

static bool file_has_words(Hardware *t, const char *path, const Image *image) {
  Image *again = image_read(t->ctx, t->layout, path);
  bool same = same_words(image, again);
  image_free(again);
  return same;
}

/* CRC-32 (ISO 3309), by bytes and a table, over the words little-endian. */
static u32 crc32_of(const Image *image) {
  u32 table[256], crc = UINT32_MAX;
  for (u32 i = 0; i < 256; i++) {
    table[i] = i;
    for (int k = 0; k < 8; k++)
      table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
  }
  for (u32 byte = 0; byte < 4 * image->nwords; byte++)
    crc = crc >> 8 ^ table[(crc ^ image->words[byte / 4] >> byte % 4 * 8) & 255];
  return ~crc;
}

/* The C file: its numbers behind 0x, words and their checksum; where there are no words, one zero. */
static bool c_has_words(const char *path, const Image *image) {
  FILE *file = fopen(path, "r");
  char line[256];
  u32 n = 0;
  bool same = file != NULL;
  while (file && fgets(line, sizeof line, file))
    for (char *at = strstr(line, "0x"); at; at = strstr(at + 1, "0x"), n++)
      same = same && strtoull(at, NULL, 16) == (n < image->nwords              ? image->words[n]
                                                : n == 0 && image->nwords == 0 ? 0
                                                                               : crc32_of(image));
  if (file) fclose(file);
  return same && n == (image->nwords ? image->nwords : 1) + 1;
}

static void check_files(Hardware *t, u64 seed, const Image *image) {
  static const char *const endings[] = {"bin", "json", "h"};
  bool good = config_write(t->ctx, image, path_in(temp_folder(), "x"));
  char path[100];
  for (u32 i = 0; i < COUNT_OF(endings); i++) {
    snprintf(path, sizeof path, "%s/x.config.%s", temp_folder(), endings[i]);
    good = good && (i < 2 ? file_has_words(t, path, image) : c_has_words(path, image));
    unlink(path);
  }
  expect(good, seed, "a file has other words");
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void check_bits(Hardware *t, u64 seed, Image *image) {
  Buf fields = {0}, text = {0};
  config_print_fields(image, &fields);
  print_text(t, image, &text);
  FILE *err = t->ctx->err;
  bool in_fields = true, in_text = true;
  t->ctx->err = NULL;
  for (u32 bit = 0; bit < image->nwords * 32; bit++) {
    Buf other_fields = {0}, other_text = {0};
    image->words[bit / 32] ^= 1u << bit % 32;
    if (image_check(t->ctx, image)) {
      config_print_fields(image, &other_fields);
      print_text(t, image, &other_text);
      in_fields = in_fields && strcmp(fields.data, other_fields.data) != 0;
      in_text = in_text && strcmp(text.data, other_text.data) != 0;
    }
    image->words[bit / 32] ^= 1u << bit % 32;
    buf_free(&other_fields);
    buf_free(&other_text);
  }
  t->ctx->err = err;
  expect(in_fields, seed, "a flipped bit is in no field");
  expect(in_text, seed, "a flipped bit is not in the text");
  buf_free(&fields);
  buf_free(&text);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void check_fabric(u64 seed, bool show) {
  Random r = {seed * 0x632be59bd9b4e019u};
  Buf text = {0};
  Hardware t;
  random_fabric(&r, 1 + (u32)random_below(&r, 5), &text);
  if (show) fputs(text.data, stdout);
  bool read = read_target(&t, &text);
  expect(read, seed, "the fabric is not good");
  if (read) check_layout(&r, seed, t.layout);
  for (u32 i = 0; read && i < CONFIGURATIONS; i++) {
    Image *image = image_new(t.layout);
    if (i) random_configuration(&r, image);
    expect(image_check(t.ctx, image), seed, "a configuration is not good");
    check_fields(&t, seed, image);
    check_text(&t, seed, image);
    if (seed % FILES_EVERY == 0) check_files(&t, seed, image);
    if (i + 1 == CONFIGURATIONS && image->nwords <= SMALL_WORDS) check_bits(&t, seed, image);
    image_free(image);
  }
  free_target(&t);
  buf_free(&text);
}

/* A preset is large, and has what fabrics really have: one random configuration of it. */
static void check_preset(const char *name, u64 seed) {
  Hardware t;
  Random r = {seed};
  bool read = hardware_named(context_new(), name, &t);
  expect(read, seed, name);
  if (read) {
    Image *image = image_new(t.layout);
    random_configuration(&r, image);
    expect(image_check(t.ctx, image), seed, "a configuration of a preset is not good");
    check_layout(&r, seed, t.layout);
    check_fields(&t, seed, image);
    check_text(&t, seed, image);
    image_free(image);
  }
  free_target(&t);
}

int main(int argc, char **argv) {
  u64 count = 300, seed = 1;
  bool show = false;
  tool_options(argc, argv,
               TOOL_OPTIONS(TOOL_FLAG("--show", show), TOOL_NUMBER("--count", count),
                            TOOL_NUMBER("--seed", seed)),
               "config-check [--count N] [--seed S] [--show]");
  printf("seeds %llu to %llu\n", (unsigned long long)seed, (unsigned long long)(seed + count - 1));
  for (u64 i = 0; i < count; i++) check_fabric(seed + i, show && i == 0);
  for (size_t i = 0; count > 1 && fabric_presets[i]; i++) check_preset(fabric_presets[i], seed + i);
  return checks_end();
}

/* image.c -- images in memory, read from files, and printed. image_check.c checks them.
 *
 * Files are read as raw words or, by their name, as JSON, whose "version", "module" and "slices"
 * must fit the layout where they are given.
 */
#include "config/image.h"

#include "base/json.h"

#include <jansson.h>

/* ---- bits ------------------------------------------------------------------------------------ */

u64 bits_get(const u32 *words, u64 at, u32 width) {
  u64 value = 0;
  for (u32 got = 0; got < width;) {
    u32 shift = (u32)((at + got) % 32), n = 32 - shift;
    if (n > width - got) n = width - got;
    u64 part = words[(at + got) / 32] >> shift & (((u64)1 << n) - 1);
    value |= part << got;
    got += n;
  }
  return value;
}

void bits_set(u32 *words, u64 at, u32 width, u64 value) {
  for (u32 done = 0; done < width;) {
    u32 shift = (u32)((at + done) % 32), n = 32 - shift;
    if (n > width - done) n = width - done;
    u32 mask = (u32)((((u64)1 << n) - 1) << shift), *word = &words[(at + done) / 32];
    *word = (*word & ~mask) | ((u32)(value >> done << shift) & mask);
    done += n;
  }
}

/* ---- in memory ------------------------------------------------------------------------------- */

u64 image_get(const Image *image, u32 component, Field field) {
  FieldPlace place = layout_find(image->layout, component, field);
  return bits_get(image->words, place.at, place.width);
}

u32 image_port_operands(const Image *image, const AdgPe *pe) {
  u32 component = pe->component, n = 0;
  for (u32 i = 0; i < pe->num_instruction; i++)
    for (u32 k = 0; image_get(image, component, field_of(FIELD_VALID, i, 0)) && k < pe->max_inputs;
         k++)
      n += !image_get(image, component, field_of(FIELD_MUX_DISCONNECT, i, k)) &&
           !(pe->num_register && image_get(image, component, field_of(FIELD_OPERAND_IS_REG, i, k)));
  return n;
}

void image_set(Image *image, u32 component, Field field, u64 value) {
  FieldPlace place = layout_find(image->layout, component, field);
  if (place.width < 64 && value >> place.width) {
    Buf name = {0};
    layout_name(image->layout, component, field, &name);
    loom_bug("%s of '%s' cannot be %llu", name.data, adg_name(image->layout->adg, component),
             (unsigned long long)value);
  }
  bits_set(image->words, place.at, place.width, value);
}

bool image_uses(const Image *image, u32 component, Field field) {
  if (!layout_is_payload(field.kind)) return true;
  const Adg *adg = image->layout->adg;
  if (!adg_config_in_item(&adg->pes[adg->components[component].detail])) return true;
  return image_get(image, component, field_of(FIELD_VALID, field.a_lane, 0)) &&
         image_get(image, component, field_of(FIELD_OPCODE, field.a_lane, 0)) == field.item;
}

void image_idle(Image *image, u32 component) {
  const Layout *layout = image->layout;
  const AdgComponent *c = &layout->adg->components[component];
  if (layout->slice_of[component] == ADG_NONE) return;
  const LayoutSlice *s = &layout->slices[layout->slice_of[component]];
  memset(image->words + s->first_word, 0, s->nwords * sizeof *image->words);
  if (c->kind != ADG_SPATIAL_PE) return;
  const AdgPe *pe = &layout->adg->pes[c->detail];
  for (u32 i = 0; i < pe->max_inputs; i++)
    image_set(image, component, field_of(FIELD_MUX_DISCONNECT, 0, i), 1);
  for (u32 i = 0; i < pe->max_outputs; i++)
    image_set(image, component, field_of(FIELD_DEMUX_DISCONNECT, 0, i), 1);
}

static Image *empty_image(const Layout *layout) {
  Image *image = mem_alloc(sizeof *image);
  *image = (Image){layout, mem_alloc(mem_size(layout->nwords + (size_t)1, sizeof *image->words)),
                   layout->nwords, NULL};
  return image;
}

Image *image_new(const Layout *layout) {
  Image *image = empty_image(layout);
  for (u32 i = 0; i < layout->adg->npes; i++) image_idle(image, layout->adg->pes[i].component);
  return image;
}

void image_free(Image *image) {
  if (!image) return;
  mem_free(image->words);
  mem_free(image);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool length_matches(Context *ctx, const Layout *layout, const char *path, size_t len,
                           size_t want, const char *unit) {
  if (len == want) return true;
  diag(ctx, LOC_NONE, CFG_LENGTH, "%s has %zu %s, but an image of @%s has %zu", path, len, unit,
       adg_text(layout->adg, layout->adg->name), want);
  return false;
}

static bool read_bytes(Context *ctx, const Layout *layout, const Source *source, u32 *image) {
  if (!length_matches(ctx, layout, source->name, source->len, (size_t)layout->nwords * 4, "bytes"))
    return false;
  const unsigned char *bytes = (const unsigned char *)source->text;
  for (u32 i = 0; i < layout->nwords; i++, bytes += 4)
    image[i] = bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24;
  return true;
}

bool image_json_head(Context *ctx, const Layout *layout, const Source *source, const json_t *root) {
  const json_t *version = json_object_get(root, "version"),
               *module = json_object_get(root, "module");
  const char *name = adg_text(layout->adg, layout->adg->name);
  if (version && (!json_is_integer(version) || json_integer_value(version) != CONFIG_VERSION))
    diag(ctx, source->base, CFG_JSON, "unsupported version of the format; expected %d",
         CONFIG_VERSION);
  else if (module && (!json_is_string(module) || strcmp(json_string_value(module), name) != 0))
    diag(ctx, source->base, CFG_FABRIC, "this is not a configuration of @%s", name);
  else
    return true;
  return false;
}

static bool is_number(const json_t *value, u64 number) {
  return json_is_integer(value) && json_integer_value(value) == (json_int_t)number;
}

/* Does the table of slices, if there is one, describe this layout? */
static bool slices_match(Context *ctx, const Layout *layout, const Source *source,
                         const json_t *root) {
  const json_t *slices = json_object_get(root, "slices");
  bool ok = !slices || (json_is_array(slices) && json_array_size(slices) == layout->nslices);
  for (u32 i = 0; slices && ok && i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    const json_t *slice = json_array_get(slices, i);
    const char *name = json_string_value(json_object_get(slice, "component"));
    ok = name && strcmp(name, adg_name(layout->adg, s->component)) == 0 &&
         is_number(json_object_get(slice, "word"), s->first_word) &&
         is_number(json_object_get(slice, "bits"), s->bits);
  }
  if (!ok)
    diag(ctx, source->base, CFG_FABRIC, "the slices of this image do not match those of @%s",
         adg_text(layout->adg, layout->adg->name));
  return ok;
}

/* {"words": [...]}, and optionally the fabric that it is for. */
static bool read_json(Context *ctx, const Layout *layout, const Source *source, u32 *image) {
  json_t *root = json_read(ctx, source, CFG_JSON);
  json_t *words = json_object_get(root, "words");
  bool ok = json_is_array(words);
  for (size_t i = 0; ok && i < json_array_size(words); i++) {
    json_t *word = json_array_get(words, i);
    ok = json_is_integer(word) && json_integer_value(word) >= 0 &&
         json_integer_value(word) <= UINT32_MAX;
  }
  if (root && !ok)
    diag(ctx, source->base, CFG_JSON,
         "expected an object with a member 'words' that is an array of numbers from 0 to "
         "4294967295");
  const char *format = json_string_value(json_object_get(root, "format"));
  if (root && !ok && format && strcmp(format, "loom mapping") == 0)
    diag_hint(ctx, "this is a mapping; beside it are its images, NAME.config.json and .config.bin");
  ok = ok && image_json_head(ctx, layout, source, root) &&
       slices_match(ctx, layout, source, root) &&
       length_matches(ctx, layout, source->name, json_array_size(words), layout->nwords, "words");
  for (u32 i = 0; ok && i < layout->nwords; i++)
    image[i] = (u32)json_integer_value(json_array_get(words, i));
  json_decref(root);
  return ok;
}

Image *image_parse(Context *ctx, const Layout *layout, const Source *source) {
  size_t len = strlen(source->name);
  bool is_json = len >= 5 && strcmp(source->name + len - 5, ".json") == 0;
  Image *image = empty_image(layout);
  if ((is_json ? read_json : read_bytes)(ctx, layout, source, image->words) &&
      image_check(ctx, image))
    return image;
  image_free(image);
  return NULL;
}

Image *image_read(Context *ctx, const Layout *layout, const char *path) {
  const Source *source = source_read(ctx, path);
  return source ? image_parse(ctx, layout, source) : NULL;
}

/* ---- printing -------------------------------------------------------------------------------- */

typedef struct {
  Buf *out;
  const Layout *layout;
  const Image *image; /* NULL: none */
  u32 component;
} FieldPrinting;

/* "    14      2  slot1.tag = 3" */
static void print_field(void *context, Field f, u64 offset, u32 width) {
  FieldPrinting *p = context;
  if (p->image && !image_uses(p->image, p->component, f)) return;
  buf_printf(p->out, "  %6llu %4u  ", (unsigned long long)offset, width);
  layout_name(p->layout, p->component, f, p->out);
  if (p->image)
    buf_printf(p->out, " = %llu", (unsigned long long)image_get(p->image, p->component, f));
  buf_char(p->out, '\n');
}

void image_print(const Layout *layout, const Image *image, Buf *out) {
  const Adg *adg = layout->adg;
  buf_str(out, "module ");
  buf_shown(out, adg_text(adg, adg->name));
  buf_printf(out, ": %u word%s\n", layout->nwords, plural(layout->nwords));
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    AdgKind kind = (AdgKind)adg->components[s->component].kind;
    buf_shown(out, adg_name(adg, s->component));
    buf_printf(out, ": %s, %llu bit%s from word %u\n", adg_kind_text(kind),
               (unsigned long long)s->bits, plural(s->bits), s->first_word);
    FieldPrinting p = {out, layout, image, s->component};
    layout_visit(layout, i, print_field, &p);
  }
}

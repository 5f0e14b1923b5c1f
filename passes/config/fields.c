/* fields.c -- configurations as JSON, a field by its name, and the files that an image is written
 * to.
 *
 *     {"version": 1, "module": "top",
 *      "components": {
 *       "sw": {"out0.in1": 1, "discard.in0": 1},
 *       "pe_0": {"enable": 1, "opcode": 2, "mul.0.literal": "0xffffffffffffffff"}}}
 *
 * Names are looked up in a hash table of the fields of their slice, which is made for each
 * component that is read. Where payloads are in the items, those of all units share bits; so
 * payloads are set last, when the opcode is known. Numbers from 2^53 on, which many readers of JSON
 * round, are written as hexadecimal strings; both forms are read.
 */
#include "config/config.h"
#include "base/json.h"

#include <jansson.h>

/* ---- printing -------------------------------------------------------------------------------- */

enum { EXACT_BITS = 53 }; /* all integers of so many bits are doubles */

typedef struct {
  const Image *image;
  u32 component;
  Json *json;
  Buf name;
} FieldPrinter;

static void print_field(void *context, Field f, u64 offset, u32 width) {
  FieldPrinter *p = context;
  u64 value = image_get(p->image, p->component, f);
  (void)offset, (void)width;
  if (!value || !image_uses(p->image, p->component, f)) return;
  p->name.len = 0;
  layout_name(p->image->layout, p->component, f, &p->name);
  if (value >> EXACT_BITS)
    buf_printf(json_put_other(p->json, p->name.data), "\"0x%llx\"", (unsigned long long)value);
  else
    json_put_number(p->json, p->name.data, (i64)value);
}

static void print_head(const Layout *layout, Json *json) {
  json_open(json, NULL, '{');
  json_put_number(json, "version", CONFIG_VERSION);
  json_put_text(json, "module", adg_text(layout->adg, layout->adg->name));
  json_line(json, 1);
}

void config_print_fields(const Image *image, Buf *out) {
  const Layout *layout = image->layout;
  Image *idle = image_new(layout);
  Json json = {.out = out};
  print_head(layout, &json);
  json_open(&json, "components", '{');
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    if (memcmp(idle->words + s->first_word, image->words + s->first_word,
               s->nwords * sizeof *image->words) == 0)
      continue;
    FieldPrinter p = {.image = image, .component = s->component, .json = &json};
    json_line(&json, 2);
    json_open(&json, adg_name(layout->adg, s->component), '{');
    layout_visit(layout, i, print_field, &p);
    json_close(&json, '}');
    buf_free(&p.name);
  }
  json_close(&json, '}');
  json_close(&json, '}');
  buf_char(out, '\n');
  image_free(idle);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct {
  Context *ctx;
  const Source *source;
  Image *image;
  u32 component;
  Map by_name; /* hash of a name -> 1 + index in `fields` */
  Vec(Field) fields;
  Buf name;
} FieldReader;

enum { MAX_LOCATED = 1000 }; /* errors after these are reported without their position */

/* The position of `key` in the file, at or after `from`; 0 where it is written with escapes, or
 * after MAX_LOCATED errors, since each search is linear. */
static size_t find_key(const FieldReader *r, const char *key, size_t from) {
  size_t len = strlen(key);
  if (r->ctx->errors > MAX_LOCATED) return 0;
  for (size_t at = from; at + len + 2 <= r->source->len; at++)
    if (r->source->text[at] == '"' && memcmp(r->source->text + at + 1, key, len) == 0 &&
        r->source->text[at + 1 + len] == '"')
      return at;
  return 0;
}

static Loc loc_of_field(const FieldReader *r, const char *field) {
  size_t at = find_key(r, adg_name(r->image->layout->adg, r->component), 0);
  return r->source->base + (Loc)find_key(r, field, at);
}

static void index_field(void *context, Field f, u64 offset, u32 width) {
  FieldReader *r = context;
  (void)offset, (void)width;
  r->name.len = 0;
  layout_name(r->image->layout, r->component, f, &r->name);
  vec_push(&r->fields, f);
  map_put(&r->by_name, hash_bytes(r->name.data, r->name.len, 0), r->fields.len);
}

/* A number from 0 to 2^64 - 1: an integer, a boolean, or a string of digits, which json_read makes
 * of integers from 2^63 on, or of "0x" and hexadecimal ones. */
static bool read_value(const json_t *json, u64 *value) {
  if (json_is_boolean(json)) {
    *value = json_is_true(json);
    return true;
  }
  if (json_is_integer(json)) {
    *value = (u64)json_integer_value(json);
    return json_integer_value(json) >= 0;
  }
  const char *text = json_string_value(json);
  bool is_hex = text && text[0] == '0' && text[1] == 'x';
  if (is_hex) text += 2;
  if (!text || !*text) return false;
  *value = 0;
  for (u64 base = is_hex ? 16 : 10; *text; text++) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = strchr(digits, *text);
    u64 digit = found ? (u64)(found - digits) % 16 : base;
    if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
        __builtin_add_overflow(*value, digit, value))
      return false;
  }
  return true;
}

/* Sets one field. A pass with `payloads` sets only fields of payloads, one without only the others.
 */
static void read_field(FieldReader *r, const char *name, const json_t *json, bool payloads) {
  u64 found, value;
  const char *component = adg_name(r->image->layout->adg, r->component);
  if (!map_get(&r->by_name, hash_bytes(name, strlen(name), 0), &found)) {
    if (!payloads)
      diag(r->ctx, loc_of_field(r, name), CFG_FIELD, "'%s' has no field '%s'", component, name);
    return;
  }
  Field f = r->fields.at[found - 1];
  if (layout_is_payload(f.kind) != payloads) return;
  u32 width = layout_find(r->image->layout, r->component, f).width;
  if (!read_value(json, &value) || (width < 64 && value >> width))
    diag(r->ctx, loc_of_field(r, name), CFG_FIELD,
         "%s of '%s' must be a number of %u bit%s, or a string \"0x...\"", name, component, width,
         plural(width));
  else if (payloads && !image_uses(r->image, r->component, f))
    diag(r->ctx, loc_of_field(r, name), CFG_FIELD,
         "%s of '%s' belongs to a unit that the opcode does not select", name, component);
  else
    image_set(r->image, r->component, f, value);
}

static void read_component(FieldReader *r, const char *name, json_t *fields) {
  const Layout *layout = r->image->layout;
  const char *key;
  json_t *value;
  r->component = adg_find(layout->adg, name);
  u32 slice = r->component == ADG_NONE ? ADG_NONE : layout->slice_of[r->component];
  if (slice == ADG_NONE || !json_is_object(fields)) {
    diag(r->ctx, r->source->base + (Loc)find_key(r, name, 0), CFG_FIELD,
         slice == ADG_NONE ? "@%s has no configurable component '%s'"
                           : "in @%s the fields of '%s' must be an object",
         adg_text(layout->adg, layout->adg->name), name);
    return;
  }
  const LayoutSlice *s = &layout->slices[slice];
  memset(r->image->words + s->first_word, 0, s->nwords * sizeof *r->image->words);
  layout_visit(layout, slice, index_field, r);
  json_object_foreach(fields, key, value) {
    read_field(r, key, value, false);
  }
  json_object_foreach(fields, key, value) {
    read_field(r, key, value, true);
  }
  map_free(&r->by_name);
  r->by_name = (Map){0};
  vec_clear(&r->fields);
}

Image *config_of_fields(Context *ctx, const Layout *layout, const Source *source) {
  u32 before = ctx->errors;
  json_t *root = json_read(ctx, source, CFG_JSON), *fields;
  json_t *components = json_object_get(root, "components");
  const char *name;
  FieldReader r = {.ctx = ctx, .source = source, .image = image_new(layout)};
  if (root && !json_is_object(components))
    diag(ctx, source->base, CFG_JSON,
         "expected an object with a member 'components' that is an object");
  else if (root && image_json_head(ctx, layout, source, root))
    json_object_foreach(components, name, fields) {
      read_component(&r, name, fields);
    }
  json_decref(root);
  buf_free(&r.name);
  vec_free(&r.fields);
  if (ctx->errors == before && image_check(ctx, r.image)) return r.image;
  image_free(r.image);
  return NULL;
}

/* ---- files of an image ----------------------------------------------------------------------- */

void config_print_binary(const Image *image, Buf *out) {
  for (u32 i = 0; i < image->nwords; i++) {
    u32 w = image->words[i];
    const char bytes[4] = {(char)w, (char)(w >> 8), (char)(w >> 16), (char)(w >> 24)};
    buf_put(out, bytes, sizeof bytes);
  }
}

void config_print_words(const Image *image, Buf *out) {
  const Layout *layout = image->layout;
  Json json = {.out = out};
  print_head(layout, &json);
  json_open(&json, "words", '[');
  for (u32 i = 0; i < image->nwords; i++) {
    if (i && i % 8 == 0) json_line(&json, 2);
    json_put_number(&json, NULL, image->words[i]);
  }
  json_close(&json, ']');
  json_line(&json, 1);
  json_open(&json, "slices", '[');
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    json_line(&json, 2);
    json_open(&json, NULL, '{');
    json_put_text(&json, "component", adg_name(layout->adg, s->component));
    json_put_text(&json, "kind",
                  adg_kind_text((AdgKind)layout->adg->components[s->component].kind));
    json_put_number(&json, "word", s->first_word);
    json_put_number(&json, "words", s->nwords);
    json_put_number(&json, "bits", (i64)s->bits);
    json_close(&json, '}');
  }
  json_close(&json, ']');
  json_close(&json, '}');
  buf_char(out, '\n');
}

/* Makes a C identifier of the last part of a path; x where that is empty. */
static void put_identifier(const char *path, Buf *out) {
  const char *name = path + file_folder(path);
  if (!*name) buf_char(out, 'x');
  if (*name >= '0' && *name <= '9') buf_char(out, '_');
  for (; *name; name++) {
    bool is_alphanumeric = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
                           (*name >= 'A' && *name <= 'Z');
    buf_char(out, is_alphanumeric ? *name : '_');
  }
}

/* CRC-32 of the words' bytes, as zlib computes it: the lowest bit first. */
static u32 checksum(const Image *image) {
  u32 crc = UINT32_MAX;
  for (u32 i = 0; i < image->nwords; i++)
    for (u32 bit = 0; bit < 32; bit++)
      crc = crc >> 1 ^ ((crc ^ image->words[i] >> bit) & 1 ? 0xedb88320u : 0);
  return ~crc;
}

/* C has no empty arrays: an image without words becomes an array of one zero, with a length of 0.
 */
void config_print_header(const Image *image, const char *path, Buf *out) {
  Buf name = {0};
  put_identifier(path, &name);
  buf_printf(out,
             "/* SPDX-License-Identifier: MIT\n"
             " * A configuration, in words in the order of loading, by LOOM " LOOM_VERSION
             " (loom config encode). */\n"
             "#include <stdint.h>\n\n"
             "enum { %s_config_words = %u };\n\n"
             "static const uint32_t %s_config[%u] = {",
             name.data, image->nwords, name.data, image->nwords ? image->nwords : 1);
  for (u32 i = 0; i < image->nwords || i == 0; i++)
    buf_printf(out, "%s0x%08x,", i % 6 ? " " : "\n  ", i < image->nwords ? image->words[i] : 0);
  buf_printf(out,
             "\n};\n\n/* The hardware expects this after the words, and rejects an image without "
             "it. */\n#define %s_config_crc32 0x%08xu\n",
             name.data, checksum(image));
  buf_free(&name);
}

bool config_write(Context *ctx, const Image *image, const char *path) {
  static const char *const endings[] = {"bin", "json", "h"};
  const char *slash = strrchr(path, '/');
  Buf texts[COUNT_OF(endings)] = {{0}};
  FileText files[COUNT_OF(endings)];
  config_print_binary(image, &texts[0]);
  config_print_words(image, &texts[1]);
  config_print_header(image, path, &texts[2]);
  for (u32 i = 0; i < COUNT_OF(endings); i++)
    files[i] = (FileText){.path = str_printf(ctx, "%s.config.%s", path, endings[i])->text,
                          .fd = -1,
                          .data = texts[i].data,
                          .len = texts[i].len};
  bool ok = true;
  if (slash && slash > path)
    ok = file_make_dir(ctx, str_intern(ctx, path, (size_t)(slash - path))->text);
  ok = ok && files_write(ctx, files, COUNT_OF(files));
  for (u32 i = 0; i < COUNT_OF(endings); i++) buf_free(&texts[i]);
  return ok;
}

/* image.c -- reading, checking and printing configuration images.
 *
 * The check is one walk over the fields of each slice. What it must remember of earlier fields is
 * little: whether the item it is in is valid, the tags so far, the opcodes that valid instructions
 * use (their units must be set up; of others nobody looks at the payload), the regions.
 */
#include "fabric/image.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

u64 config_get(const u32 *words, u64 offset, u32 width) {
  u64 value = 0;
  for (u32 got = 0; got < width;) {
    u32 shift = (u32)((offset + got) % 32), n = 32 - shift;
    if (n > width - got) n = width - got;
    u64 part = words[(offset + got) / 32] >> shift & (((u64)1 << n) - 1);
    value |= part << got;
    got += n;
  }
  return value;
}

/* ---- the check ------------------------------------------------------------------------------- */

typedef struct {
  u64 start, end;
  u32 item;
} TagRange;

typedef struct {
  Context *ctx;
  const Adg *adg;
  const LayoutSlice *slice;
  const u32 *words; /* of the slice */
  bool is_spatial_pe, is_pe;
  bool valid;      /* the item we are in */
  u32 active;      /* the opcode of the last valid instruction; ADG_NONE: none */
  u64 payload_end; /* behind the last bit that counts */
  Map used;        /* opcodes of valid instructions */
  Map tags;        /* tag -> item */
  Vec(TagRange) regions;
} Check;

static const char *slice_name(const Check *c) {
  return adg_name(c->adg, c->slice->component);
}

static Loc slice_loc(const Check *c) {
  return c->adg->components[c->slice->component].loc;
}

static unsigned long long word_of(const Check *c, u64 offset) {
  return c->slice->first_word + offset / 32;
}

/* An instruction that holds, from its opcode on or, where a PE has one unit, from `valid` on. */
static void use_unit(Check *c, u32 opcode) {
  c->active = opcode;
  map_put(&c->used, opcode, 1);
}

static void check_value(Check *c, const LayoutField *f, u64 value) {
  if (!f->limit || value < f->limit) return;
  diag(c->ctx, slice_loc(c), CFG_VALUE, "%s of '%s' (word %llu) is %llu, but must be below %llu",
       f->name, slice_name(c), word_of(c, f->offset), (unsigned long long)value,
       (unsigned long long)f->limit);
}

static void check_key(Check *c, const LayoutField *f, u64 tag) {
  u64 other;
  if (!c->valid) return;
  if (map_get(&c->tags, tag, &other))
    diag(c->ctx, slice_loc(c), CFG_TAG_DUPLICATE,
         "entries %u and %u of '%s' have the same tag %u (word %llu)", (u32)other, f->item,
         slice_name(c), (u32)tag, word_of(c, f->offset));
  else
    map_put(&c->tags, tag, f->item);
}

static void check_field(void *context, const LayoutField *f) {
  Check *c = context;
  u64 value = config_get(c->words, f->offset, f->width), seen;
  if (f->unit != ADG_NONE) {
    if (c->is_spatial_pe && f->unit != c->active) return;
    c->payload_end = f->offset + f->width;
  }
  check_value(c, f, value);
  switch (f->role) {
  case ROLE_VALID:
    c->valid = value != 0;
    if (c->valid && c->is_pe &&
        c->adg->pes[c->adg->components[c->slice->component].detail].nfus == 1)
      use_unit(c, 0);
    break;
  case ROLE_OPCODE:
    if (c->valid) use_unit(c, (u32)value);
    break;
  case ROLE_KEY: check_key(c, f, value); break;
  case ROLE_START:
    if (c->valid) vec_push(&c->regions, ((TagRange){value, 0, f->item}));
    break;
  case ROLE_END:
    if (c->valid) vec_last(&c->regions).end = value;
    break;
  case ROLE_ONE_HOT:
    if (!value && !map_get(&c->used, f->unit, &seen)) break;
    if (value && !(value & (value - 1))) break;
    diag(c->ctx, slice_loc(c), CFG_ONE_HOT,
         "%s of '%s' (word %llu) is 0x%llx, but must have exactly one bit set", f->name,
         slice_name(c), word_of(c, f->offset), (unsigned long long)value);
    break;
  default: break;
  }
}

static int by_start(const void *a, const void *b) {
  const TagRange *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

static void check_regions(Check *c) {
  if (c->regions.len > 1) qsort(c->regions.at, c->regions.len, sizeof(TagRange), by_start);
  for (size_t i = 0; i < c->regions.len; i++) {
    const TagRange *r = &c->regions.at[i], *before = i ? r - 1 : NULL;
    if (r->start >= r->end)
      diag(c->ctx, slice_loc(c), CFG_REGION, "region %u of '%s' has no tags: from %llu up to %llu",
           r->item, slice_name(c), (unsigned long long)r->start, (unsigned long long)r->end);
    else if (before && before->end > r->start)
      diag(c->ctx, slice_loc(c), CFG_REGION, "regions %u and %u of '%s' both have tag %llu",
           before->item, r->item, slice_name(c), (unsigned long long)r->start);
  }
}

/* No bit is set from `from` to the end of the slice's last word. */
static void check_unused(Check *c, u64 from) {
  u64 end = (u64)c->slice->nwords * 32;
  for (u64 at = from; at < end; at += 32 - at % 32) {
    u32 left = c->words[at / 32] >> at % 32;
    if (!left) continue;
    while (!(left & 1)) left >>= 1, at++;
    diag(c->ctx, slice_loc(c), CFG_UNUSED,
         "bit %llu of word %llu is set, but nothing of '%s' is there",
         (unsigned long long)(at % 32), word_of(c, at), slice_name(c));
    return;
  }
}

static void payload_start(void *context, const LayoutField *f) {
  Check *c = context;
  if (f->unit == ADG_NONE) c->payload_end = f->offset + f->width;
}

static void check_slice(Context *ctx, const Layout *layout, u32 slice, const u32 *image) {
  const LayoutSlice *s = &layout->slices[slice];
  AdgKind kind = (AdgKind)layout->adg->components[s->component].kind;
  Check c = {.ctx = ctx,
             .adg = layout->adg,
             .slice = s,
             .words = image + s->first_word,
             .is_spatial_pe = kind == ADG_SPATIAL_PE,
             .is_pe = kind == ADG_SPATIAL_PE || kind == ADG_TEMPORAL_PE,
             .active = ADG_NONE};
  if (c.is_spatial_pe) layout_visit(layout, slice, payload_start, &c);
  layout_visit(layout, slice, check_field, &c);
  check_regions(&c);
  check_unused(&c, c.is_spatial_pe ? c.payload_end : s->bits);
  map_free(&c.used);
  map_free(&c.tags);
  vec_free(&c.regions);
}

bool config_check(Context *ctx, const Layout *layout, const u32 *image) {
  u32 before = ctx->errors;
  for (u32 i = 0; i < layout->nslices; i++) check_slice(ctx, layout, i, image);
  return ctx->errors == before;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool right_length(Context *ctx, const Layout *layout, const char *path, size_t len,
                         size_t want, const char *unit) {
  if (len == want) return true;
  diag(ctx, LOC_NONE, CFG_LENGTH, "%s has %zu %s, but an image of @%s has %zu", path, len, unit,
       adg_text(layout->adg, layout->adg->name), want);
  return false;
}

static bool read_bytes(Context *ctx, const Layout *layout, const Source *source, u32 *image) {
  if (!right_length(ctx, layout, source->name, source->len, (size_t)layout->nwords * 4, "bytes"))
    return false;
  const unsigned char *bytes = (const unsigned char *)source->text;
  for (u32 i = 0; i < layout->nwords; i++, bytes += 4)
    image[i] = bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24;
  return true;
}

/* {"words": [...]}, whatever else the object has. */
static bool read_json(Context *ctx, const Layout *layout, const Source *source, u32 *image) {
  json_error_t error;
  json_t *root = json_loadb(source->text, source->len, JSON_REJECT_DUPLICATES, &error);
  json_t *words = json_object_get(root, "words");
  bool good = json_is_array(words);
  for (size_t i = 0; good && i < json_array_size(words); i++) {
    json_t *word = json_array_get(words, i);
    good = json_is_integer(word) && json_integer_value(word) >= 0 &&
           json_integer_value(word) <= UINT32_MAX;
  }
  size_t at = !root && error.position > 0 ? (size_t)error.position - 1 : 0;
  if (!good)
    diag(ctx, source->base + (Loc)(at < source->len ? at : source->len), CFG_JSON, "%s",
         root ? "an image is an object whose 'words' is an array of numbers from 0 to 4294967295"
              : error.text);
  good = good &&
         right_length(ctx, layout, source->name, json_array_size(words), layout->nwords, "words");
  for (u32 i = 0; good && i < layout->nwords; i++)
    image[i] = (u32)json_integer_value(json_array_get(words, i));
  json_decref(root);
  return good;
}

u32 *config_read(Context *ctx, const Layout *layout, const char *path) {
  const Source *source = source_read(ctx, path);
  if (!source) return NULL;
  size_t len = strlen(path);
  bool is_json = len >= 5 && strcmp(path + len - 5, ".json") == 0;
  u32 *image = mem_alloc(mem_size(layout->nwords + (size_t)1, sizeof *image));
  if ((is_json ? read_json : read_bytes)(ctx, layout, source, image) &&
      config_check(ctx, layout, image))
    return image;
  mem_free(image);
  return NULL;
}

/* ---- printing -------------------------------------------------------------------------------- */

typedef struct {
  Buf *out;
  const u32 *words; /* NULL: no image */
  bool is_spatial;
  u32 active;
} Printer;

/* "    14      2  slot1.tag = 3" */
static void print_field(void *context, const LayoutField *f) {
  Printer *p = context;
  u64 value = p->words ? config_get(p->words, f->offset, f->width) : 0;
  if (f->role == ROLE_VALID && value) p->active = 0;
  if (f->role == ROLE_OPCODE && p->active != ADG_NONE) p->active = (u32)value;
  if (p->words && p->is_spatial && f->unit != ADG_NONE && f->unit != p->active) return;
  buf_printf(p->out, "  %6llu %4u  %s", (unsigned long long)f->offset, f->width, f->name);
  if (p->words) buf_printf(p->out, " = %llu", (unsigned long long)value);
  buf_char(p->out, '\n');
}

void config_print(const Layout *layout, const u32 *image, Buf *out) {
  const Adg *adg = layout->adg;
  buf_printf(out, "module %s: %u word%s\n", adg_text(adg, adg->name), layout->nwords,
             layout->nwords == 1 ? "" : "s");
  for (u32 i = 0; i < layout->nslices; i++) {
    const LayoutSlice *s = &layout->slices[i];
    AdgKind kind = (AdgKind)adg->components[s->component].kind;
    buf_printf(out, "%s: %s, %llu bit%s from word %u\n", adg_name(adg, s->component),
               adg_kind_text(kind), (unsigned long long)s->bits, s->bits == 1 ? "" : "s",
               s->first_word);
    Printer p = {out, image ? image + s->first_word : NULL, kind == ADG_SPATIAL_PE, ADG_NONE};
    layout_visit(layout, i, print_field, &p);
  }
}

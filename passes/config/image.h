/* image.h -- configuration images: in memory, in files, for people.
 *
 * An `Image` is the words of a configuration and the layout that says what they mean. A field is
 * read and written by its name of numbers (layout.h):
 *
 *     Image *image = image_new(layout);                              nothing is on
 *     image_set(image, sw, field_pair(0, 2, 1), 1);                  switch: input 1 to output 2
 *     image_set(image, pe, field_of(FIELD_VALID, 0, 0), 1);          a spatial PE: on
 *     image_set(image, pe, field_of(FIELD_OPCODE, 0, 0), 3);
 *     image_set(image, pe, field_of(FIELD_MUX_DISCONNECT, 0, 0), 0); its first unit input
 *     image_set(image, pe, field_of(FIELD_MUX_SEL, 0, 0), 2);        from its port 2
 *     if (image_get(image, pe, field_node(FIELD_NODE_LITERAL, 0, 3, 0)) == 7) ...
 *
 * In a file an image is its words, little-endian and nothing else, or, where the name ends in
 * .json, an object whose "words" is an array of numbers. An image that passes image_check can be
 * followed by hardware: every choice is one that exists, no table has a tag twice, what is not used
 * is as it must be.
 */
#ifndef LOOM_CONFIG_IMAGE_H
#define LOOM_CONFIG_IMAGE_H

#include "config/layout.h"

typedef struct Image {
  const Layout *layout;
  u32 *words;
  u32 nwords; /* layout->nwords */
  /* What no image says: by component, the tag under which the host sends what comes in at a tagged
   * ADG_INPUT; ADG_NONE: it does not say. NULL: of none. Borrowed. */
  const u32 *input_tags;
} Image;

/* The image that does nothing: muxes of spatial PEs are disconnected, all else is zero. The caller
 * frees; the layout must outlive it. */
Image *image_new(const Layout *layout);
void image_free(Image *image); /* NULL is allowed */

/* A field's value: 0 where the field is not there (layout_find). */
u64 image_get(const Image *image, u32 component, Field field);
/* How many operands of a temporal PE's instructions come from its inputs, not from registers: so
 * many places of a shared operand buffer are not shared. */
u32 image_port_operands(const Image *image, const AdgPe *pe);
/* The value must fit the field (0, where it is not there): anything else is the caller's mistake.
 */
void image_set(Image *image, u32 component, Field field, u64 value);

/* Does the field say anything? Not, where units have their configuration in the item, one of a unit
 * that its opcode does not choose. */
bool image_uses(const Image *image, u32 component, Field field);

/* `width` bits (0 to 64) from bit `at` of a row of words. */
u64 bits_get(const u32 *words, u64 at, u32 width);
void bits_set(u32 *words, u64 at, u32 width, u64 value);

/* Makes a component's slice what it is in image_new. */
void image_idle(Image *image, u32 component);

/* The version of the JSON formats, written and asked for. */
enum { CONFIG_VERSION = 1 };
/* Is a JSON object (of jansson) from `source` for this fabric, where it says so at all: "version"
 * and "module"? False after CFG_JSON, CFG_FABRIC. */
struct json_t;
bool image_json_head(Context *ctx, const Layout *layout, const Source *source,
                     const struct json_t *root);

/* Reads and checks the image in a file ("-": standard input). NULL after diagnostics
 * (COMP_FILE_..., CFG_...), which point at the components in the Fabric text. The caller frees. */
Image *image_read(Context *ctx, const Layout *layout, const char *path);
/* The same of a file that was read. */
Image *image_parse(Context *ctx, const Layout *layout, const Source *source);
/* The check alone; and that of one slice of the layout, which reports alone. */
bool image_check(Context *ctx, const Image *image);
void image_check_slice(Context *ctx, const Image *image, u32 slice);

/* The slices and their fields; with an image (not NULL) also the values, and of a PE's units only
 * the one that is chosen. */
void image_print(const Layout *layout, const Image *image, Buf *out);

#endif

/* image.h -- configuration images: in memory, read from files, checked, and printed.
 *
 * An `Image` is the words of a configuration and the layout that defines their meaning. Fields are
 * read and written by `Field` (layout.h):
 *
 *     Image *image = image_new(layout);                              all components are idle
 *     image_set(image, sw, field_pair(0, 2, 1), 1);                  switch: input 1 to output 2
 *     image_set(image, pe, field_of(FIELD_VALID, 0, 0), 1);          a spatial PE: on
 *     image_set(image, pe, field_of(FIELD_OPCODE, 0, 0), 3);
 *     image_set(image, pe, field_of(FIELD_MUX_DISCONNECT, 0, 0), 0); its first unit input
 *     image_set(image, pe, field_of(FIELD_MUX_SEL, 0, 0), 2);        from its port 2
 *     if (image_get(image, pe, field_node(FIELD_NODE_LITERAL, 0, 3, 0)) == 7) ...
 *
 * In a file an image is its words, little-endian and nothing else, or, where the name ends in
 * .json, an object whose "words" is an array of numbers. An image that passes image_check is valid
 * for the hardware: every field has a value that exists, no table has a tag twice, and unused
 * fields have their idle value.
 */
#ifndef LOOM_CONFIG_IMAGE_H
#define LOOM_CONFIG_IMAGE_H

#include "config/layout.h"

typedef struct Image {
  const Layout *layout;
  u32 *words;
  u32 nwords; /* layout->nwords */
  /* Not part of the words: by component, the tag that the host puts on the tokens of a tagged
   * ADG_INPUT, or ADG_NONE where it is not known. NULL: none is known. Borrowed. */
  const u32 *input_tags;
} Image;

/* An image in which all components are idle: muxes of spatial PEs are disconnected, all other
 * fields are zero. The caller frees; the layout must outlive it. */
Image *image_new(const Layout *layout);
void image_free(Image *image); /* NULL is allowed */

/* A field's value; 0 where the field does not exist (layout_find). */
u64 image_get(const Image *image, u32 component, Field field);
/* How many operands of a temporal PE's valid instructions come from its inputs, not from registers.
 * Each of them has a place of its own in a shared operand buffer. */
u32 image_port_operands(const Image *image, const AdgPe *pe);
/* A value that does not fit the field is the caller's bug; a field that does not exist fits 0. */
void image_set(Image *image, u32 component, Field field, u64 value);

/* Does the field mean anything in this image? False for payload fields of a unit that the opcode of
 * their item does not select, where payloads are in the items. */
bool image_uses(const Image *image, u32 component, Field field);

/* `width` bits (0 to 64) from bit `at` of a row of words. */
u64 bits_get(const u32 *words, u64 at, u32 width);
void bits_set(u32 *words, u64 at, u32 width, u64 value);

/* Resets a component's slice to what it is in image_new. */
void image_idle(Image *image, u32 component);

/* The version of the JSON formats, as written and as required. */
enum { CONFIG_VERSION = 1 };
/* Checks "version" and "module" of a JSON object (of jansson) from `source`, where it has them.
 * False after CFG_JSON, CFG_FABRIC. */
struct json_t;
bool image_json_head(Context *ctx, const Layout *layout, const Source *source,
                     const struct json_t *root);

/* Reads and checks the image in a file ("-": standard input). NULL after diagnostics
 * (COMP_FILE_..., CFG_...), which point at the components in the Fabric text. The caller frees. */
Image *image_read(Context *ctx, const Layout *layout, const char *path);
/* The same for a file that was read already. */
Image *image_parse(Context *ctx, const Layout *layout, const Source *source);
/* The check alone: of all slices, false after diagnostics; and of one slice, which only reports. */
bool image_check(Context *ctx, const Image *image);
void image_check_slice(Context *ctx, const Image *image, u32 slice);

/* Prints the slices and their fields; with an image (not NULL) also the values, and of payloads in
 * an item only that of the selected unit. */
void image_print(const Layout *layout, const Image *image, Buf *out);

#endif

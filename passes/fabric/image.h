/* image.h -- configuration images: read, held to the rules, printed.
 *
 * An image is words of 32 bits: little-endian in a file and nothing else, or, in a file whose name
 * ends in .json, an object whose "words" is an array of numbers. layout.h says what they mean. An
 * image that passes config_read can be followed by hardware: every choice is one that exists, no
 * table has a tag twice.
 */
#ifndef LOOM_IMAGE_H
#define LOOM_IMAGE_H

#include "fabric/layout.h"

/* Reads and checks the image in a file ("-": standard input): layout->nwords words, NULL after
 * diagnostics (COMP_FILE_..., CFG_...), which point at the components in the Fabric text. The
 * caller frees with mem_free. */
u32 *config_read(Context *ctx, const Layout *layout, const char *path);
/* The check alone. */
bool config_check(Context *ctx, const Layout *layout, const u32 *image);

/* A field's value: `width` bits (1..64) from bit `offset` of a slice that starts at `words`. */
u64 config_get(const u32 *words, u64 offset, u32 width);

/* The slices and their fields; with an image (not NULL) also the values, and of a PE's units only
 * the one that is chosen. */
void config_print(const Layout *layout, const u32 *image, Buf *out);

#endif

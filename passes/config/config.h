/* config.h -- converts configurations between images and the two forms that are written by hand or
 * by programs: Fabric text and JSON.
 *
 *                     config_of_text                        config_fill_text
 *     Fabric text  ------------------->             ------------------------>  Fabric text
 *                                         Image
 *     fields.json  ------------------->             ------------------------>  fields.json
 *                     config_of_fields                      config_print_fields
 *
 * Both round trips are exact for every image that passes image_check. A Fabric text holds a
 * configuration in the runtime attributes of its components: route tables, instructions, tables of
 * tags and regions (ir/fabric_text.h defines their language, verify/fabric_config.c the rules). A
 * JSON file holds the fields of the layout by name:
 *
 *     {"version": 1, "module": "top",
 *      "components": {"sw": {"out0.in0": 1, "out2.in1": 1}, "pe_0": {"enable": 1, ...}}}
 *
 * In both a component that is not mentioned is idle, as in image_new; in one that is mentioned, a
 * field that is not mentioned is 0.
 */
#ifndef LOOM_CONFIG_CONFIG_H
#define LOOM_CONFIG_CONFIG_H

#include "config/image.h"

/* The image that the runtime attributes of the text (AdgComponent.runtime) describe. Where an
 * instruction uses a unit whose payload is not given, the payload is taken from the unit's body.
 * NULL after diagnostics (COMP_FABRIC_CONFIG, CFG_...). The caller frees. */
Image *config_of_text(Context *ctx, const Layout *layout);

/* The same for a mapping to begin with: a component whose attributes are wrong is left idle, after
 * a warning (MAP_HINT). */
Image *config_of_hints(Context *ctx, const Layout *layout);

/* The image of the fields in a JSON file. NULL after diagnostics (CFG_JSON, CFG_FABRIC, CFG_FIELD,
 * CFG_...). The caller frees. */
Image *config_of_fields(Context *ctx, const Layout *layout, const Source *source);

/* The fields as JSON, without those that are 0 and components that do nothing. */
void config_print_fields(const Image *image, Buf *out);

/* Puts the configuration into the text: all runtime attributes of the components of `top`, the
 * fabric.module that the image's ADG was flattened from, are replaced by the image's. Where `top`
 * has modules inside, each instance gets a module of its own, named after it. The image must have
 * passed image_check. */
void config_fill_text(Module *module, Op *top, const Image *image);

/* The words, little-endian and nothing else; and as an array for C programs, which is named after
 * the last part of `path`. */
void config_print_binary(const Image *image, Buf *out);
void config_print_header(const Image *image, const char *path, Buf *out);

/* The words and the table of slices as JSON. */
void config_print_words(const Image *image, Buf *out);

/* Writes `path`.config.bin (the words, little-endian, nothing else), `path`.config.json (an object
 * with the words and the table of slices; image_read reads it) and `path`.config.h (an array for C
 * programs), all or none. Makes the folder. False after COMP_FILE_WRITE. */
bool config_write(Context *ctx, const Image *image, const char *path);

#endif

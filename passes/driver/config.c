/* config.c -- loom config: what configures a fabric, from texts to images and back. */
#include "driver/steps.h"
#include "fabric/config.h"
#include "text/text.h"

/* The fabric of a call, kept as text, too: a configuration may be put into it. */
typedef struct {
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} Target;

static bool read_target(Call *call, const char *path, Target *t) {
  *t = (Target){0};
  t->module = call_read_fabric(call, path, &t->top);
  t->adg = t->module ? adg_flatten(call->ctx, t->top) : NULL;
  t->layout = t->adg ? layout_new(call->ctx, t->adg) : NULL;
  return t->layout;
}

static void free_target(Target *t) {
  layout_free(t->layout);
  adg_free(t->adg);
  module_free(t->module);
}

/* show FABRIC [IMAGE]: where each field lies, and what it is in an image. */
static int show(Call *call, const Target *t) {
  Image *image = call->nfiles == 3 ? image_read(call->ctx, t->layout, call->files[2]) : NULL;
  if (call->nfiles == 3 && !image) return EXIT_BAD_INPUT;
  Buf out = {0};
  image_print(t->layout, image, &out);
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  image_free(image);
  return status;
}

/* encode FABRIC [FIELDS]: the image of what the text, or a file of fields, says. */
static int encode(Call *call, const Target *t) {
  const char *path = call->set.output;
  if (path && *path && path[strlen(path) - 1] == '/')
    return wrong_call(call->who, "-o takes a folder and a name: %sNAME", path);
  const Source *fields = call->nfiles == 3 ? source_read(call->ctx, call->files[2]) : NULL;
  if (call->nfiles == 3 && !fields) return EXIT_BAD_INPUT;
  Image *image = fields ? config_of_fields(call->ctx, t->layout, fields)
                        : config_of_text(call->ctx, t->layout);
  int status = image ? EXIT_GOOD : EXIT_BAD_INPUT;
  if (image && path && strcmp(path, "-") != 0) {
    if (!config_write(call->ctx, image, path)) status = EXIT_FAULT;
  } else if (image) {
    Buf out = {0};
    config_print_words(image, &out);
    status = call_write(call, path, &out);
    buf_free(&out);
  }
  image_free(image);
  return status;
}

/* decode FABRIC IMAGE: what an image says, as fields or in the text. */
static int decode(Call *call, const Target *t) {
  if (call->nfiles != 3) return wrong_call(call->who, "decode needs a fabric and an image");
  Image *image = image_read(call->ctx, t->layout, call->files[2]);
  if (!image) return EXIT_BAD_INPUT;
  Buf out = {0};
  if (call->set.text) {
    config_fill_text(t->module, t->top, image);
    text_print(t->module, (PrintOptions){0}, &out);
  } else {
    config_print_fields(image, &out);
  }
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  image_free(image);
  return status;
}

int drive_config(Call *call) {
  static const struct {
    const char *verb;
    int (*run)(Call *call, const Target *target);
  } verbs[] = {{"show", show}, {"encode", encode}, {"decode", decode}};
  for (u32 i = 0; i < COUNT_OF(verbs); i++) {
    if (strcmp(call->files[0], verbs[i].verb) != 0) continue;
    if (call->nfiles < 2)
      return wrong_call(call->who, "%s needs the file of a fabric", verbs[i].verb);
    Target target;
    int status =
        read_target(call, call->files[1], &target) ? verbs[i].run(call, &target) : EXIT_BAD_INPUT;
    free_target(&target);
    return status;
  }
  return wrong_call(call->who, "say show, encode or decode, not '%s'", call->files[0]);
}

const Option options_config[] = {
    TEXT("-o", "FILE", output, "write here; encode: FILE.config.bin, .json and .h"),
    FLAG("--text", text, "decode: the Fabric text with the configuration in it"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

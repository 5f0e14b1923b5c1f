/* config.c -- loom config: what configures a fabric, from texts to images and back. */
#include "driver/steps.h"
#include "config/config.h"
#include "config/configured.h"
#include "check/check.h"
#include "map/map.h"
#include "text/text.h"
#include "verify/verify.h"

/* The fabric of a call, kept as text, too: a configuration may be put into it. */
typedef struct {
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} Target;

static bool read_target(Call *call, const char *path, Target *t) {
  *t = (Target){0};
  t->module = call_read_fabric(call, path, false, &t->top);
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

/* Appends what a configured fabric computes, as a graph in a module of its own. False after
 * diagnostics where it computes nothing sound. */
static bool print_graph(Call *call, const Image *image, Buf *out) {
  Configured *conf = configured_new(call->ctx, image);
  Module *module = call->ctx->errors ? NULL : module_new(call->ctx);
  if (module) {
    configured_graph(module, conf, NULL);
    text_print(module, (PrintOptions){0}, out);
    module_free(module);
  }
  configured_free(conf);
  return module != NULL;
}

/* decode FABRIC IMAGE: what an image says, as fields, in the text, or as a graph. */
static int decode(Call *call, const Target *t) {
  if (call->nfiles != 3) return wrong_call(call->who, "decode needs a fabric and an image");
  Image *image = image_read(call->ctx, t->layout, call->files[2]);
  if (!image) return EXIT_BAD_INPUT;
  Buf out = {0};
  if (call->set.graph) {
    if (!print_graph(call, image, &out)) {
      image_free(image);
      return EXIT_BAD_INPUT;
    }
  } else if (call->set.text) {
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

/* The graph that an image should be, made such that the fabric can be it. */
static Dfg *read_graph(Call *call, const Adg *adg, Module **module) {
  const Source *source = source_read(call->ctx, call->files[3]);
  *module = source ? text_parse(call->ctx, source) : NULL;
  if (!*module || !verify_module(*module)) return NULL;
  Op *func = call_function(call, *module, call->set.func);
  if (!func) return NULL;
  const char *name = str_of(call->ctx, function_name(func))->text;
  LowerOptions options = call_lower_options(call);
  options.func = name;
  if (func->kind == OP_FUNC_FUNC && !lower_module(*module, &options)) return NULL;
  func = function_named(*module, name);
  mapping_legalise(*module, func, adg);
  return dfg_freeze(call->ctx, func);
}

/* check --rules: what a mapping is held to. */
static int print_rules(Call *call) {
  Buf out = {0};
  for (u32 i = 0; i < nmapping_rules; i++) {
    const MapRule *rule = &mapping_rules[i];
    buf_printf(&out, "%-3s %s\n   ", rule->name, rule->text);
    for (u32 k = 0; k < COUNT_OF(rule->codes) && rule->codes[k]; k++)
      buf_printf(&out, " %s", code_name(rule->codes[k]));
    buf_char(&out, '\n');
  }
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  return status;
}

/* check FABRIC IMAGE [GRAPH [BINDING]]: is the image good, and is it that graph? */
static int check(Call *call, const Target *t) {
  if (call->nfiles < 3) return wrong_call(call->who, "check needs a fabric and an image");
  Image *image = image_read(call->ctx, t->layout, call->files[2]);
  Module *module = NULL;
  Dfg *dfg = image && call->nfiles > 3 ? read_graph(call, t->adg, &module) : NULL;
  const Source *source = call->nfiles > 4 ? source_read(call->ctx, call->files[4]) : NULL;
  MapBinding *binding =
      dfg && (source || call->nfiles < 5) ? binding_read(call->ctx, dfg, image, source) : NULL;
  bool good = image != NULL;
  if (good && call->nfiles == 3)
    configured_free(configured_new(call->ctx, image));
  else
    good = binding && mapping_check(call->ctx, dfg, t->layout, image->words, binding);
  good = good && !call->ctx->errors;
  if (good && dfg)
    printf("the hardware is the graph %s\n", symbol_shown(call->ctx, dfg_text(dfg, dfg->name)));
  if (good && !dfg) printf("the hardware is sound\n");
  binding_free(binding);
  dfg_free(dfg);
  module_free(module);
  image_free(image);
  return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static const char *const verbs[] = {"show", "encode", "decode", "check", NULL};

static int drive_config(Call *call) {
  if (call->set.rules && strcmp(call->files[0], "check") == 0) return print_rules(call);
  static int (*const run[])(Call * call, const Target *target) = {show, encode, decode, check};
  for (u32 i = 0; verbs[i]; i++) {
    if (strcmp(call->files[0], verbs[i]) != 0) continue;
    if (call->nfiles < 2) return wrong_call(call->who, "%s needs the file of a fabric", verbs[i]);
    Target target;
    int status =
        read_target(call, call->files[1], &target) ? run[i](call, &target) : EXIT_BAD_INPUT;
    free_target(&target);
    return status;
  }
  return wrong_call(call->who, "say show, encode, decode or check, not '%s'", call->files[0]);
}

static const Option options_config[] = {
    TEXT("-o", "FILE", output, "write here; encode: FILE.config.bin, .json and .h", .initial = "-"),
    FLAG("--text", text, "decode: the Fabric text with the configuration in it"),
    FLAG("--graph", graph, "decode: what the fabric computes, as a handshake.func"),
    FLAG("--rules", rules, "check: only list the rules that a mapping must obey"),
    OPTIMISE_LEVEL,
    TEXT("--func", "NAME", func, "check: which function (the one that nothing calls)"),
    TEXT("--module", "NAME", module, "which fabric.module (the one no other contains)"),
    FLAG("--strict", strict, "warnings are errors"),
    OPTIONS_END,
};

const Command command_config = {
    .name = "config",
    .takes = "HOW FABRIC",
    .verbs = verbs,
    .summary = "show, encode, decode or check: what configures a fabric",
    .text = "show FABRIC lists the slices and fields of a configuration image of the\n"
            "hardware: where each lies and how wide it is; show FABRIC IMAGE checks an image\n"
            "and prints the values, too. encode FABRIC makes the image of the configuration\n"
            "that stands in the text, encode FABRIC FIELDS.json that of a file of fields.\n"
            "decode FABRIC IMAGE goes back: to such a file or, with --text, to the text; with\n"
            "--graph, to the dataflow graph that the hardware then is. check FABRIC IMAGE\n"
            "asks whether the hardware can work so, check FABRIC IMAGE GRAPH [BINDING]\n"
            "whether it is that graph; BINDING says which port of the one is which of the\n"
            "other.",
    .options = options_config,
    .min_files = 1,
    .max_files = 5,
    .run = drive_config,
};

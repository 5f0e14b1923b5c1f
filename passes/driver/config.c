/* config.c -- loom config: shows the fields of configuration images, encodes images from the
 * fabric's text or a file of fields, decodes them, and checks them against a graph. Each verb is a
 * function of a call and the fabric that it names; the table of them is at the end. */
#include "driver/steps.h"
#include "config/config.h"
#include "config/configured.h"
#include "check/check.h"
#include "map/map.h"
#include "text/text.h"
#include "verify/verify.h"

/* The fabric of a call; its module, too, as `decode --text` puts a configuration into that. */
typedef struct {
  Module *module;
  Op *top;
  Adg *adg;
  Layout *layout;
} Target;

/* The call's first file is the fabric. */
static int on_fabric(Call *call, int (*act)(Call *call, const Target *target)) {
  Target t = {.module = NULL};
  t.module = call_read_fabric(call, call->files[0], false, &t.top);
  t.adg = t.module ? adg_flatten(call->ctx, t.top) : NULL;
  t.layout = t.adg ? layout_new(call->ctx, t.adg) : NULL;
  int status = t.layout ? act(call, &t) : EXIT_BAD_INPUT;
  layout_free(t.layout);
  adg_free(t.adg);
  module_free(t.module);
  return status;
}

/* show FABRIC [IMAGE]: the place of each field, and its value in an image. */
static int show_image(Call *call, const Target *t) {
  bool has_image = call->nfiles > 1;
  Image *image = has_image ? image_read(call->ctx, t->layout, call->files[1]) : NULL;
  if (has_image && !image) return EXIT_BAD_INPUT;
  Buf out = {0};
  image_print(t->layout, image, &out);
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  image_free(image);
  return status;
}

/* encode FABRIC [FIELDS]: the image of the configuration in the text, or in a file of fields. */
static int encode_image(Call *call, const Target *t) {
  const char *path = call->set.output;
  bool has_fields = call->nfiles > 1;
  const Source *fields = has_fields ? source_read(call->ctx, call->files[1]) : NULL;
  if (has_fields && !fields) return EXIT_BAD_INPUT;
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

/* Appends the graph that a configured fabric computes, in a module of its own. False after
 * diagnostics where it computes nothing sound. */
static bool print_graph(Call *call, const Image *image, Buf *out) {
  Configured *conf = configured_new(call->ctx, image);
  Module *module = call->ctx->errors ? NULL : module_new(call->ctx);
  if (module) {
    configured_graph_written(module, conf);
    text_print(module, (PrintOptions){0}, out);
    module_free(module);
  }
  configured_free(conf);
  return module != NULL;
}

/* decode FABRIC IMAGE: an image as fields, in the fabric's text, or as a graph. */
static int decode_image(Call *call, const Target *t) {
  Image *image = image_read(call->ctx, t->layout, call->files[1]);
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

/* The graph that an image should configure, legalised for the fabric; NULL: *status is not
 * EXIT_GOOD. */
static Dfg *read_graph(Call *call, const Adg *adg, Module **module, int *status) {
  *status = EXIT_BAD_INPUT;
  const Source *source = source_read(call->ctx, call->files[2]);
  *module = source ? text_parse(call->ctx, source) : NULL;
  if (!*module || !verify_module(*module)) return NULL;
  Op *func;
  int found = call_function_in(call, *module, call->set.func, call->files[2], &func);
  if (found) {
    *status = found;
    return NULL;
  }
  const char *name = str_of(call->ctx, function_name(func))->text;
  LowerOptions options = call_lower_options(call);
  options.func = name;
  if (func->kind == OP_FUNC_FUNC && !lower_module(*module, &options)) return NULL;
  func = function_named(*module, name);
  mapping_legalise(*module, func, adg);
  return dfg_freeze(call->ctx, func);
}

/* check --rules: the rules that a mapping must obey. */
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
static int check_image(Call *call, const Target *t) {
  bool has_graph = call->nfiles > 2, has_binding = call->nfiles > 3;
  Image *image = image_read(call->ctx, t->layout, call->files[1]);
  Module *module = NULL;
  int status = EXIT_BAD_INPUT;
  Dfg *dfg = image && has_graph ? read_graph(call, t->adg, &module, &status) : NULL;
  const Source *source = has_binding ? source_read(call->ctx, call->files[3]) : NULL;
  MapBinding *binding =
      dfg && (source || !has_binding) ? binding_read(call->ctx, dfg, image, source) : NULL;
  bool good = image != NULL;
  if (good && !has_graph)
    configured_free(configured_new(call->ctx, image));
  else
    good = binding && mapping_check(call->ctx, dfg, t->layout, image->words, binding);
  good = good && !call->ctx->errors;
  Buf out = {0};
  if (good && dfg)
    buf_printf(&out, "the hardware implements the graph %s\n",
               symbol_shown(call->ctx, dfg_text(dfg, dfg->name)));
  else if (good)
    buf_str(&out, "the hardware is sound\n");
  if (good) status = call_write(call, call->set.output, &out);
  buf_free(&out);
  binding_free(binding);
  dfg_free(dfg);
  module_free(module);
  image_free(image);
  return status;
}

static int show(Call *call) {
  return on_fabric(call, show_image);
}

static int encode(Call *call) {
  const char *path = call->set.output;
  if (path[strlen(path) - 1] == '/')
    return wrong_call(call->command, "-o expects a name after the folder: %sNAME", path);
  return on_fabric(call, encode_image);
}

static int decode(Call *call) {
  if (call->set.text && call->set.graph)
    return wrong_call(call->command, "--text and --graph cannot be combined");
  return on_fabric(call, decode_image);
}

static int check(Call *call) {
  if (call->set.rules && call->nfiles)
    return wrong_call(call->command, "--rules only lists the rules: it takes no files");
  if (call->set.rules) return print_rules(call);
  if (call->nfiles < 2) return wrong_call(call->command, "check expects a fabric and an image");
  return on_fabric(call, check_image);
}

static const Verb verbs[] = {
    {"show", "FABRIC [IMAGE]", 1, 2, show},
    {"encode", "FABRIC [FIELDS]", 1, 2, encode},
    {"decode", "FABRIC IMAGE", 2, 2, decode},
    {"check", "FABRIC IMAGE [GRAPH [BINDING]]", 0, 4, check},
    {.name = NULL},
};

static const Option options_config[] = {
    TEXT("-o", "FILE", output, "output file; encode: FILE.config.bin, .json and .h",
         .initial = "-"),
    FLAG("--text", text, "decode: print the Fabric text with the configuration", .verbs = "decode"),
    FLAG("--graph", graph, "decode: print the configured dataflow graph, a handshake.func",
         .verbs = "decode"),
    FLAG("--rules", rules, "check: only list the rules for mappings", .verbs = "check"),
    OPTIMISE_LEVEL_OF("check"),
    TEXT("--func", "NAME", func, "check: the function to use (the one that no other calls)",
         .verbs = "check"),
    TEXT("--module", "NAME", module,
         "the fabric.module to use (the one that no other instantiates)"),
    FLAG("--strict", strict, "treat warnings as errors"),
    OPTIONS_END,
};

const Command command_config = {
    .name = "config",
    .takes = "VERB FABRIC",
    .verbs = verbs,
    .summary = "show, encode, decode or check the configuration of a fabric",
    .text = "show FABRIC lists the slices and fields of the fabric's configuration image, with\n"
            "their offsets and widths; show FABRIC IMAGE also checks an image and prints its\n"
            "values. encode FABRIC writes the image of the configuration in the Fabric text,\n"
            "encode FABRIC FIELDS.json that of a file of fields. decode FABRIC IMAGE prints\n"
            "such a file; with --text, the Fabric text; with --graph, the dataflow graph that\n"
            "the configured hardware computes. check FABRIC IMAGE checks that the configured\n"
            "hardware is legal, check FABRIC IMAGE GRAPH [BINDING] also that it computes that\n"
            "graph; BINDING assigns ports of the graph to ports of the fabric.",
    .options = options_config,
};

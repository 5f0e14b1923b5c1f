/* fuzz_parse.c -- the entry point of fuzzers, which pass it arbitrary bytes: nothing may crash,
 * hang or leak.
 *
 *     bytes ─ parse ─ verify ─ print ─ parse ─ print      in both forms: the prints are equal
 *                        └──── lower (with its proofs)    where the input is small
 *                        └──── flatten, show              where there is hardware
 *                                └──── encode, decode     where it is small: the images are equal
 *
 * Three ways to build it:
 *
 *     clang -fsanitize=fuzzer,address,undefined ...        make fuzz SECONDS=60
 *     afl-clang-fast -fsanitize=fuzzer ...                 make fuzz-afl
 *     cc -DREPLAY ...                                      fuzz-replay FILE...: runs files, for
 *                                                          corpora and what a fuzzer found
 *
 * The seed corpus is the .mlir files of spec-tests/fuzz-corpus/, the dictionary mlir.dict there.
 *
 * Builds with: cc $(CFLAGS) -DREPLAY fuzz_parse.c $(OBJECTS) -ljansson -lm
 */
#include "config/config.h"
#include "fabric/show.h"
#include "lower/lower.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

enum { LARGEST = 1 << 26, LARGEST_LOWERED = 1 << 13, LARGEST_SHOWN = 1 << 12 };
enum { LARGEST_CONFIGURED = 1 << 8, LONGEST_IMAGE = 1 << 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact, const char *what, const Buf *first, const Buf *second) {
  if (fact) return;
  fprintf(stderr, "fuzz_parse: %s\n---- first print\n%s\n", what, first->data);
  if (second) fprintf(stderr, "---- second print\n%s\n", second->data ? second->data : "(none)");
  abort();
}

/* What a verified module prints must parse, verify, and print the same again. */
static void check_print(Context *ctx, const Module *module, PrintOptions options) {
  Buf first = {0}, second = {0};
  text_print(module, options, &first);
  const Source *source = source_from_memory(ctx, "print", first.data, first.len);
  Module *again = text_parse(ctx, source);
  must(again != NULL, "a print does not parse", &first, NULL);
  must(verify_module(again), "a print does not verify", &first, NULL);
  text_print(again, options, &second);
  must(first.len == second.len && !memcmp(first.data, second.data, first.len),
       "printing is no fixed point", &first, &second);
  module_free(again);
  buf_free(&first);
  buf_free(&second);
}

static void must_adg(bool fact, const char *what) {
  if (fact) return;
  fprintf(stderr, "fuzz_parse: ADG: %s\n", what);
  abort();
}

/* What adg.h promises of ports, channels, names and function units. */
static void check_adg(const Adg *adg) {
  u32 ports = 0, channels = 0;
  for (u32 i = 0; i < adg->ncomponents; i++) {
    const AdgComponent *c = &adg->components[i];
    must_adg(c->first_port == ports, "ports are not component by component");
    must_adg(adg_find(adg, adg_name(adg, i)) == i, "a name does not find its component");
    for (u32 k = 0; k < c->ninputs + c->noutputs; k++, ports++) {
      const AdgPort *port = &adg->ports[ports];
      must_adg(port->component == i && port->is_output == (k >= c->ninputs) &&
                   port->index == (port->is_output ? k - c->ninputs : k),
               "a port does not know where it is");
      if (port->is_output) {
        must_adg(port->first_channel == channels, "channels are not in the order of drivers");
        channels += port->nchannels;
      } else {
        must_adg(port->nchannels == 1 && adg->channels[port->first_channel].to == ports,
                 "an input has not one channel of its own");
        must_adg(adg->ports[adg_driver(adg, ports)].is_output, "an input drives");
      }
    }
  }
  must_adg(ports == adg->nports && channels == adg->nchannels, "ports or channels left over");
  for (u32 i = 0; i < adg->nfus; i++) {
    const AdgFu *fu = &adg->fus[i];
    must_adg(adg->pes[fu->pe].first_fu + fu->opcode == i, "opcodes are not the order of units");
  }
  for (u32 i = 0; i < adg->nbodies; i++) {
    const AdgBody *body = &adg->bodies[i];
    u32 known = body->nargs;
    for (u32 n = 0; n < body->nnodes; n++) {
      const AdgNode *node = &adg->nodes[body->first_node + n];
      for (u32 k = 0; k < node->noperands; k++)
        must_adg(adg->operands[node->first_operand + k] < known, "a node uses what comes later");
      must_adg(node->first_result == known, "values are not numbered along the nodes");
      known += node->nresults;
    }
    must_adg(known == body->nvalues, "values left over");
  }
}

/* Encodes the configuration in a text, where it is small; NULL where it is none. */
static Image *encode(Context *ctx, const Adg *adg, Layout **layout) {
  *layout = adg && adg->ncomponents <= LARGEST_CONFIGURED ? layout_new(ctx, adg) : NULL;
  return *layout && (*layout)->nwords <= LONGEST_IMAGE ? config_of_text(ctx, *layout) : NULL;
}

/* An image that a text says, put into the text and into fields: both say it again. */
static void configure(Context *ctx, Module *module, Op *top, const Adg *adg) {
  Layout *layout, *other_layout = NULL;
  Image *image = encode(ctx, adg, &layout);
  if (image) {
    Buf text = {0}, fields = {0};
    config_print_fields(image, &fields);
    Image *same =
        config_of_fields(ctx, layout, source_from_memory(ctx, "fields", fields.data, fields.len));
    config_fill_text(module, top, image);
    text_print(module, (PrintOptions){0}, &text);
    Module *again = text_parse(ctx, source_from_memory(ctx, "text", text.data, text.len));
    must(again && verify_module(again), "a configured text is no good", &text, NULL);
    Op *other_top = adg_top(again, adg_text(adg, adg->name));
    Adg *other = other_top ? adg_flatten(ctx, other_top) : NULL;
    Image *other_image = encode(ctx, other, &other_layout);
    size_t size = image->nwords * sizeof *image->words;
    must(same && memcmp(image->words, same->words, size) == 0, "fields say something else", &fields,
         NULL);
    must(other_image && other_image->nwords == image->nwords &&
             memcmp(image->words, other_image->words, size) == 0,
         "a configured text says something else", &text, NULL);
    image_free(same);
    image_free(other_image);
    layout_free(other_layout);
    adg_free(other);
    module_free(again);
    buf_free(&text);
    buf_free(&fields);
  }
  image_free(image);
  layout_free(layout);
}

/* Each module of hardware, whoever contains it, as all that can be shown of it; the last that can
 * is configured, which changes the text. */
static void flatten(Context *ctx, Module *module) {
  Op *last = NULL;
  for_each_op (op, region_entry(&module->top->regions[0])) {
    Adg *adg = op->kind == OP_FABRIC_MODULE ? adg_flatten(ctx, op) : NULL;
    if (!adg) continue;
    Buf out = {0};
    check_adg(adg);
    if (adg->ncomponents <= LARGEST_SHOWN) {
      u64 *configured = layout_all_bits(adg);
      adg_print_summary(adg, configured, &out);
      free(configured);
      adg_print_dot(adg, &out);
      adg_print_json(adg, &out);
    }
    buf_free(&out);
    adg_free(adg);
    last = op;
  }
  Adg *adg = last ? adg_flatten(ctx, last) : NULL;
  if (adg) configure(ctx, module, last, adg);
  adg_free(adg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > LARGEST) return 0;
  Context *ctx = context_new();
  ctx->err = NULL;
  const Source *source = source_from_memory(ctx, "input", (const char *)data, size);
  Module *module = source ? text_parse(ctx, source) : NULL;
  if (module && verify_module(module)) {
    check_print(ctx, module, (PrintOptions){.generic = false});
    check_print(ctx, module, (PrintOptions){.generic = true, .locs = size % 2});
    flatten(ctx, module);
    if (size <= LARGEST_LOWERED) lower_module(module, &(LowerOptions){.serial = size % 3 == 0});
  }
  if (module) module_free(module);
  context_free(ctx);
  return 0;
}

/* lower.c -- loom lower: reads and verifies a module, lowers its functions to dataflow graphs and
 * proves them (lower/), and prints the module or counts of nodes. */
#include "driver/steps.h"
#include "text/text.h"

static void print_counts(Context *ctx, const Op *func, Buf *out) {
  GraphCount count = graph_count(func);
  buf_printf(out, "%s: %s node%s, %s edge%s", symbol_shown(ctx, function_name(func)),
             grouped_digits(ctx, count.nodes), plural(count.nodes),
             grouped_digits(ctx, count.edges), plural(count.edges));
  if (count.memories)
    buf_printf(out, "; plus %u port%s on %u memor%s", count.ports, plural(count.ports),
               count.memories, count.memories == 1 ? "y" : "ies");
  buf_char(out, '\n');
  for (u32 k = OP_COUNT; (k = graph_next_kind(&count, k)) != OP_COUNT;)
    buf_printf(out, "%6u  %s\n", count.kinds[k], op_info((OpKind)k)->name);
}

static int print_stats(Call *call, const Module *module) {
  Buf out = {0};
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_HANDSHAKE_FUNC) print_counts(call->ctx, op, &out);
  int status = call_write(call, "-", &out);
  buf_free(&out);
  return status;
}

static int drive_lower(Call *call) {
  LowerOptions options = call_lower_options(call);
  const char *stage = call->set.stop_after;
  if (stage && !(options.stop_after = call_stage(call, "stage", stage, strlen(stage), false)))
    return EXIT_BAD_CALL;
  Module *module = call_read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  Op *func;
  int status = options.func ? call_function(call, module, options.func, &func) : EXIT_GOOD;
  if (!status && !lower_module(module, &options)) status = EXIT_BAD_INPUT;
  /* After the stage `views` an access has one subscript whatever its memref's rank, so only the
   * finished graph obeys every rule. */
  if (!status && !stage) call_verify_own(module, "lower");
  if (!status && (!call->set.stats || strcmp(call->set.output, "-") != 0))
    status = call_print_module(call, module, call->set.output);
  if (!status && call->set.stats) status = print_stats(call, module);
  module_free(module);
  return status;
}

static void print_stages(void) {
  printf("\nstages:\n");
  for (size_t i = 0; i < lower_stage_count; i++)
    printf("  %-15s %s\n", lower_stages[i].name, lower_stages[i].summary);
}

static const Option options_lower[] = {
    OUTPUT_FILE,
    TEXT("--func", "NAME", func, "lower only this function"),
    OPTIMISE_LEVEL,
    CHOICE("--order", "HOW", order, order_choices,
           "memory order: auto overlaps iterations where proved safe, serial never does"),
    TEXT("--stop-after", "STAGE", stop_after,
         "stop after this stage and print its output (see below)"),
    KERNEL_OPTIONS,
    FLAG("--stats", stats, "print the number of nodes of each kind"),
    FLAG("--generic", generic, "print every op in its generic form"),
    FLAG("--print-locs", print_locs, "print locations"),
    OPTIONS_END,
};

const Command command_lower = {
    .name = "lower",
    .takes = "FILE",
    .summary = "lower functions to dataflow graphs, and prove them correct",
    .text = "Lowers every func.func to a handshake.func with explicit memory order, proves\n"
            "that no token is lost or left behind and that no two accesses race, and prints\n"
            "the result.",
    .options = options_lower,
    .min_files = 1,
    .max_files = 1,
    .help = print_stages,
    .run = drive_lower,
};

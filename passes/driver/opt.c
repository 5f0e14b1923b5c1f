/* opt.c -- loom opt: reads and verifies a module, runs stages of the lowering on it (--pass),
 * proves its graphs (--verify-balance), and prints it. */
#include "driver/steps.h"
#include "prove/prove.h"

/* Runs the three proofs on every graph of the module. In graphs written by hand, violations of
 * balance and order are errors; shapes that lowering would not make are warnings. */
static bool prove_module(Call *call, Module *module) {
  bool good = true;
  for_each_op (op, region_entry(&module->top->regions[0])) {
    if (op->kind != OP_HANDSHAKE_FUNC) continue;
    ProofReport report = {0};
    good = prove_dataflow(call->ctx, op, PROOF_HANDWRITTEN, &report) && good;
  }
  return good;
}

/* Runs the passes of --pass=NAME,NAME in their order. */
static int run_passes(Call *call, Module *module) {
  for (const char *at = call->set.passes; at && *at;) {
    size_t len = strcspn(at, ",");
    const LowerStage *stage = call_stage(call, "pass", at, len, true);
    if (!stage) return EXIT_BAD_CALL;
    if (!lower_pass(module, stage)) return EXIT_BAD_INPUT;
    call_verify_own(module, stage->name);
    at += len + (at[len] == ',');
  }
  return EXIT_GOOD;
}

static int drive_opt(Call *call) {
  Module *module = call_read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  int status = run_passes(call, module);
  if (status != EXIT_GOOD) {
    module_free(module);
    return status;
  }
  if (call->set.verify_balance && !prove_module(call, module))
    status = EXIT_BAD_INPUT;
  else if (!call->set.verify_only)
    status = call_print_module(call, module, call->set.output);
  module_free(module);
  return status;
}

static const Option options_opt[] = {
    OUTPUT_FILE,
    FLAG("--generic", generic, "print every op in its generic form"),
    FLAG("--print-locs", print_locs, "print locations"),
    FLAG("--verify-only", verify_only, "verify only, print nothing"),
    FLAG("--verify-balance", verify_balance,
         "prove every handshake.func: balance, attachment, order"),
    TEXT("--pass", "NAME,...", passes,
         "run these lowering stages in this order; `loom help lower` lists them"),
    FLAG("--strict", strict, "treat warnings as errors"),
    KERNEL_OPTIONS,
    OPTIONS_END,
};

const Command command_opt = {
    .name = "opt",
    .takes = "FILE",
    .summary = "verify a file and print it",
    .text = "Reads MLIR text, verifies it, and prints it as mlir-opt does. Every error is\n"
            "reported with its location and a code, which `loom explain CODE` explains.",
    .options = options_opt,
    .min_files = 1,
    .max_files = 1,
    .run = drive_opt,
};

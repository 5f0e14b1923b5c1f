/* call.c -- the steps of a call that most commands take: see steps.h. */
#include "driver/steps.h"
#include "ir/fabric.h"
#include "run/inputs.h"
#include "text/text.h"
#include "verify/verify.h"

/* ---- the passes, a step at a time ----------------------------------------------------------- */

Registry *call_registry(Call *call) {
  const Texts *plugins = &call->set.plugins;
  u32 errors = call->ctx->errors;
  if (call->registry) return call->registry;
  call->registry = registry_open(call->ctx, plugins->at, (u32)plugins->len);
  return call->ctx->errors == errors ? call->registry : NULL;
}

/* Endings of source files that are not MLIR, and the packages from which LOOM's front end for the
 * language is built; NULL: LOOM has none. */
static const struct {
  const char *ending, *language, *packages;
} languages[] = {
    {".c", "C", "clang-19 and llvm-19-dev"},
    {".cc", "C++", "clang-19 and llvm-19-dev"},
    {".cpp", "C++", "clang-19 and llvm-19-dev"},
    {".f90", "Fortran", NULL},
    {".rs", "Rust", NULL},
    {".py", "Python", NULL},
};

static bool lacks_frontend(Context *ctx, const char *path, const char *ending) {
  for (size_t i = 0; i < COUNT_OF(languages); i++) {
    if (strcmp(languages[i].ending, ending) != 0) continue;
    diag(ctx, LOC_NONE, COMP_NO_FRONTEND, "cannot read %s: no front end for %s", path,
         languages[i].language);
    if (languages[i].packages)
      diag_hint(ctx, "LOOM's own is built where the Debian packages %s are installed",
                languages[i].packages);
    else
      diag_hint(ctx, "`loom plugins` lists the front ends; --plugin FILE adds one");
    return true;
  }
  return false;
}

/* The options of --read. */
static int read_options(Call *call, const PluginPart *part, EmitOptions *options) {
  const Texts *reads = &call->set.reads;
  const char **words = NEW_ARRAY(call->ctx->arena, const char *, reads->len);
  for (size_t i = 0; i < reads->len; i++)
    words[i] = str_printf(call->ctx, "--%s", reads->at[i])->text;
  int status = emit_options_read(call->ctx, call->command, part, words, (u32)reads->len, options);
  call->is_wrong |= status == EXIT_BAD_CALL;
  return status;
}

static const Str *keep(Context *ctx, const Buf *text) {
  return str_intern(ctx, text->len ? text->data : "", text->len);
}

static const Source *translate(Call *call, const PluginPart *part, const Source *source,
                               const char *function) {
  Translation made = {0};
  EmitOptions options = {0};
  const Source *mlir = NULL;
  if (read_options(call, part, &options) == EXIT_GOOD &&
      host_translate(call->ctx, part->frontend, source, function, options.at, (u32)options.len,
                     &made))
    mlir = source_from_translation(
        call->ctx, str_printf(call->ctx, "%s, as MLIR", source->name)->text, &made.kernel);
  call->native = made.native.len ? keep(call->ctx, &made.native) : NULL;
  call->native_flags = keep(call->ctx, &made.flags);
  buf_free(&made.kernel);
  buf_free(&made.native);
  buf_free(&made.flags);
  vec_free(&options);
  return mlir;
}

/* A file that no front end reads, so that the options of --read are a mistake. */
static const Source *read_text(Call *call, const char *path) {
  if (!call->set.reads.len || call->is_of_several) return source_read(call->ctx, path);
  wrong_call(call->command, "--read %s has no effect: no front end reads %s", call->set.reads.at[0],
             path);
  call->is_wrong = true;
  return NULL;
}

/* The call's first file as MLIR: as it is, or translated by a front end. */
static const Source *read_mlir(Call *call, const char *function) {
  const char *path = call->files[0], *ending = strrchr(path + file_folder(path), '.');
  if (!ending || strcmp(ending, ".mlir") == 0) return read_text(call, path);
  const Registry *registry = call_registry(call);
  const PluginPart *part = registry ? registry_frontend(registry, path) : NULL;
  if (!registry || (!part && lacks_frontend(call->ctx, path, ending))) return NULL;
  if (!part) return read_text(call, path);
  const Source *source = source_read(call->ctx, path);
  return source ? translate(call, part, source, function) : NULL;
}

Module *call_read_module(Call *call) {
  return call_read_kernel(call, call->set.func);
}

Module *call_read_kernel(Call *call, const char *function) {
  const Source *source = read_mlir(call, function);
  Module *module = source ? text_parse(call->ctx, source) : NULL;
  if (module && !verify_module(module)) {
    module_free(module);
    module = NULL;
  }
  if (module) fabric_canonicalise(module);
  return module;
}

void call_verify_own(Module *module, const char *maker) {
  QuietScope quiet = diag_quiet(module->ctx);
  bool good = verify_module(module);
  diag_quiet_end(module->ctx, &quiet);
  if (good) return;
  verify_module(module); /* reports the errors */
  loom_bug("'%s' made a program that LOOM itself refuses", maker);
}

bool names_folder(const Call *call) {
  return call->set.output && strcmp(call->set.output, "-") != 0;
}

int call_write(Call *call, const char *path, const Buf *text) {
  return file_write(call->ctx, path, text->data ? text->data : "", text->len) ? EXIT_GOOD
                                                                              : EXIT_FAULT;
}

int call_print_module(Call *call, const Module *module, const char *path) {
  Buf text = {0};
  text_print(module, (PrintOptions){.generic = call->set.generic, .locs = call->set.print_locs},
             &text);
  int status = call_write(call, path, &text);
  buf_free(&text);
  return status;
}

const LowerStage *call_stage(const Call *call, const char *noun, const char *name, size_t len,
                             bool alone) {
  const LowerStage *found = lower_stage_find(name, len);
  if (found && !(alone && found->never_alone)) return found;
  Vec(const char *) names = {0};
  Buf list = {0};
  for (size_t i = 0; i < lower_stage_count; i++) {
    if (alone && lower_stages[i].never_alone) continue;
    buf_printf(&list, "%s%s", names.len ? ", " : "", lower_stages[i].name);
    vec_push(&names, lower_stages[i].name);
  }
  const char *word = str_intern(call->ctx, name, len)->text;
  wrong_call(call->command, "unknown %s '%s'%s (%s)", noun, word,
             suggestion(call->ctx, word, names.at, names.len), list.data);
  buf_free(&list);
  vec_free(&names);
  return NULL;
}

/* ---- functions of a module ------------------------------------------------------------------ */

bool is_function(const Op *op) {
  return (op->kind == OP_FUNC_FUNC || op->kind == OP_HANDSHAKE_FUNC) && op->nregions == 1 &&
         op->regions[0].first;
}

const char *function_name(const Op *func) {
  return op_attr_text(func, "sym_name");
}

/* Adds the interned names of the functions that are called inside `region`. */
static void find_callees(Context *ctx, const Region *region, Map *callees) {
  for_each_block (block, region) {
    for_each_op (op, block) {
      const char *callee = op->kind == OP_FUNC_CALL            ? op_attr_text(op, "callee")
                           : op->kind == OP_HANDSHAKE_INSTANCE ? op_attr_text(op, "module")
                                                               : NULL;
      if (callee) map_put(callees, PTR_KEY(str_of(ctx, callee)), 1);
      for (u32 i = 0; i < op->nregions; i++) find_callees(ctx, &op->regions[i], callees);
    }
  }
}

bool call_is_fabric(const Module *module) {
  bool is_fabric = false;
  for_each_op (op, region_entry(&module->top->regions[0])) {
    if (is_function(op)) return false;
    is_fabric |= op->kind == OP_FABRIC_MODULE;
  }
  return is_fabric;
}

/* The nearest name of a function in the module; declarations count, since a front end gives them
 * for a file without the wanted function (loom_frontend.h). NULL: none is near. */
static const char *nearest_function(const Module *module, const char *name) {
  Vec(const char *) names = {0};
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (op->kind == OP_FUNC_FUNC || op->kind == OP_HANDSHAKE_FUNC)
      vec_push(&names, function_name(op));
  const char *near = nearest_name(name, names.at, names.len);
  vec_free(&names);
  return near;
}

static void report_missing(Context *ctx, const Module *module, const char *name, const char *file,
                           Buf *why) {
  if (function_named(module, name)) {
    buf_printf(why, "function '%s' in %s has no body", name, file);
    return;
  }
  const char *near = nearest_function(module, name);
  buf_printf(why, "there is no function '%s' in %s%s", name, file,
             near ? str_printf(ctx, "; did you mean '%s'?", near)->text : "");
}

/* Has the module a function with a body? */
static bool has_functions(const Module *module) {
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (is_function(op)) return true;
  return false;
}

Op *function_chosen(Context *ctx, const Module *module, const char *name, const char *file,
                    const char *how, Buf *why) {
  const Op *top = module->top;
  Vec(const char *) names = {0};
  Op *found = NULL;
  Map callees = {0};
  u64 known;
  if (!name) find_callees(ctx, &top->regions[0], &callees);
  /* where all functions are called, as recursive ones are, any may be meant */
  for (bool takes_callees = name != NULL; !names.len; takes_callees = true) {
    for_each_op (func, region_entry(&top->regions[0])) {
      if (!is_function(func) ||
          (!takes_callees && map_get(&callees, PTR_KEY(str_of(ctx, function_name(func))), &known)))
        continue;
      vec_push(&names, function_name(func));
      if (!name || strcmp(function_name(func), name) == 0) found = func;
    }
    if (takes_callees) break;
  }
  size_t n = names.len;
  if (name && !found)
    report_missing(ctx, module, name, file, why);
  else if (n == 0)
    buf_printf(why, "there is no function with a body in %s%s", file,
               call_is_fabric(module) ? ": it describes a fabric" : "");
  else if (!name && n > 1)
    buf_printf(why, "there are several functions in %s: name one with %s (%s, %s%s)", file, how,
               names.at[0], names.at[1], n > 2 ? ", ..." : "");
  vec_free(&names);
  map_free(&callees);
  return name || n == 1 ? found : NULL;
}

int call_function(Call *call, const Module *module, const char *name, Op **func) {
  return call_function_in(call, module, name, call->files[0], func);
}

int call_function_in(Call *call, const Module *module, const char *name, const char *file,
                     Op **func) {
  Context *ctx = call->ctx;
  *func = NULL;
  if (!name && !has_functions(module)) {
    diag(ctx, module->top->loc, COMP_NO_FUNCTION, "there is no function with a body in this file");
    if (call_is_fabric(module)) diag_hint(ctx, "it describes a fabric");
    return EXIT_BAD_INPUT;
  }
  Buf why = {0};
  *func = function_chosen(ctx, module, name, file, "--func", &why);
  if (why.len) wrong_call(call->command, "%s", why.data);
  buf_free(&why);
  return *func ? EXIT_GOOD : EXIT_BAD_CALL;
}

const char *call_function_name(const Call *call, const Case *input) {
  return !call->set.func && input && input->function ? input->function->text : call->set.func;
}

/* Has the module the function that the case names? Else false, after a diagnostic. */
static bool has_function_of(const Call *call, const Module *module, const Case *input) {
  const char *name = input->function->text;
  for_each_op (op, region_entry(&module->top->regions[0]))
    if (is_function(op) && strcmp(function_name(op), name) == 0) return true;
  diag(call->ctx, input->function_loc, RT_CASE_FUNCTION, "there is no function @%s in %s", name,
       call->files[0]);
  const char *near = nearest_function(module, name);
  if (near) diag_hint(call->ctx, "did you mean \"%s\"?", near);
  return false;
}

int call_function_of(Call *call, const Module *module, const Case *input, Op **func) {
  bool of_case = !call->set.func && input && input->function;
  if (of_case && !has_function_of(call, module, input)) return EXIT_BAD_INPUT;
  return call_function(call, module, call_function_name(call, input), func);
}

Op *function_named(const Module *module, const char *name) {
  return symbol_find(module->top, str_of(module->ctx, name));
}

const char *const order_choices[] = {"auto", "serial", NULL};
const char *const level_choices[] = {"0", "1", "2", NULL};

/* ---- options of passes ----------------------------------------------------------------------- */

LowerOptions call_lower_options(const Call *call) {
  return (LowerOptions){
      .func = call->set.func,
      .level = call->set.optimise == OPTION_UNSET ? 0 : call->set.optimise,
      .serial = call->set.order && strcmp(call->set.order, "serial") == 0,
  };
}

RunOptions call_run_options(const Call *call) {
  RunOptions options = run_options();
  if (call->set.max_tokens) options.max_steps = call->set.max_tokens;
  options.max_seconds = call->set.max_seconds;
  options.strict = call->set.strict;
  return options;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *grouped_digits(Context *ctx, u64 number) {
  char digits[32], out[48];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) out[at++] = ',';
    out[at++] = digits[i];
  }
  return str_intern(ctx, out, (size_t)at)->text;
}

/* ---- arguments by hand ---------------------------------------------------------------------- */

int call_read_inputs(const Call *call, const char *function, const Block *entry, const Dfg *dfg,
                     Case **input) {
  u32 most = entry ? entry->nargs : dfg->nargs;
  const Type **types = NEW_ARRAY(call->ctx->arena, const Type *, most);
  const char **names = NEW_ARRAY(call->ctx->arena, const char *, most);
  Inputs inputs = {.who = call->command,
                   .function = str_of(call->ctx, function),
                   .types = types,
                   .names = names,
                   .n = entry ? inputs_of_function(call->ctx, entry, types, names)
                              : inputs_of_graph(call->ctx, dfg, types, names),
                   .args = call->set.args,
                   .files = call->set.ins.at,
                   .nfiles = (u32)call->set.ins.len};
  return inputs_read(call->ctx, &inputs, input);
}

bool call_has_inputs(const Call *call, int *status) {
  *status = call->set.case_path && call->set.args
                ? wrong_call(call->command, "--case cannot be combined with --args")
                : EXIT_GOOD;
  return call->set.args || call->set.ins.len;
}

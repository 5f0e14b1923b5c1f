/* fabric.c -- loom adg: generates a fabric from a preset, a file that describes one, or options, or
 * shows what one consists of; and reads fabrics for the other commands (steps.h). */
#include "driver/steps.h"
#include "generate/generate.h"
#include "config/layout.h"
#include "fabric/show.h"
#include "ir/fabric.h"
#include "text/text.h"
#include "verify/verify.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- reading --------------------------------------------------------------------------------- */

static const char *nearest_preset(const char *name) {
  size_t n = 0;
  while (fabric_presets[n]) n++;
  return nearest_name(name, fabric_presets, n);
}

static const Source *read_file(Call *call, const char *path) {
  const Source *source = source_read(call->ctx, path);
  const char *near = source ? NULL : nearest_preset(path);
  if (near) diag_hint(call->ctx, "did you mean the preset '%s'?", near);
  return source;
}

bool call_finds_fabric(Call *call, const char *path) {
  for (size_t i = 0; fabric_presets[i]; i++)
    if (strcmp(fabric_presets[i], path) == 0) return true;
  if (strcmp(path, "-") == 0 || access(path, R_OK) == 0)
    return true; /* a pipe can be read only once */
  return read_file(call, path);
}

/* True of a description (loom adg FILE.adg), and not of a fabric in a file of such a name. */
static bool is_description(const Source *file, const char *path) {
  size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".adg") == 0 && !fabric_plan_is_fabric(file);
}

/* Fabric text: a file's or, where `path` is the name of a preset or of a description, what is
 * generated from that. Locations in generated text do not name the description, which has other
 * lines. */
static const Source *read_fabric(Call *call, const char *path) {
  FabricPlan plan;
  const Source *source = NULL;
  const char *name = path;
  if (!fabric_plan_preset(call->ctx, path, &plan)) {
    const Source *file = read_file(call, path);
    if (!file || !is_description(file, path)) return file;
    if (!fabric_plan_read(call->ctx, file, &plan)) return NULL;
    name = str_printf(call->ctx, "%s (generated)", path)->text;
  }
  Buf text = {0};
  if (fabric_plan_refuse(call->ctx, &plan) || !fabric_generate(call->ctx, &plan, &text, NULL))
    source = NULL;
  else
    source = source_from_memory(call->ctx, name, text.data, text.len);
  fabric_plan_free(&plan);
  buf_free(&text);
  return source;
}

const Source *fabric_drawing(Context *ctx, const Op *top) {
  const char *name = op_attr_text(top, "viz_file"), *fabric = source_place(ctx, top->loc).file;
  if (!name || !*name || !fabric || file_path_problem(name)) return NULL;
  QuietScope quiet = diag_quiet(ctx);
  const Source *source = source_read(ctx, file_beside(ctx, fabric, name));
  diag_quiet_end(ctx, &quiet);
  return source;
}

/* A verified module, NULL after diagnostics. */
static Module *read_source(Call *call, const Source *source, bool has_hints) {
  Module *module = source ? text_parse(call->ctx, source) : NULL;
  if (!module || (has_hints ? verify_with_hints(module) : verify_module(module))) return module;
  module_free(module);
  return NULL;
}

/* The hardware that --module names, or else the top one. NULL after diagnostics. */
static Op *find_top(Call *call, Module *module, const char *path) {
  const char *name = call->set.module;
  Vec(const char *) names = {0};
  bool is_there = false;
  for_each_op (op, region_entry(&module->top->regions[0])) {
    const char *other = op->kind == OP_FABRIC_MODULE ? op_attr_text(op, "sym_name") : NULL;
    if (!name || !other) continue;
    vec_push(&names, other);
    is_there |= strcmp(other, name) == 0;
  }
  bool has_any = names.len, is_wrong = has_any && !is_there;
  if (is_wrong)
    wrong_call(call->command, "there is no fabric.module '%s' in %s%s", name, path,
               suggestion(call->ctx, name, names.at, names.len));
  call->is_wrong |= is_wrong;
  vec_free(&names);
  return is_wrong ? NULL : adg_top(module, has_any ? name : NULL);
}

Module *call_read_fabric(Call *call, const char *path, bool has_hints, Op **top) {
  Module *module = read_source(call, read_fabric(call, path), has_hints);
  *top = module ? find_top(call, module, path) : NULL;
  if (*top) {
    fabric_canonicalise(module);
    return module;
  }
  module_free(module);
  return NULL;
}

/* The ADG of a Fabric file, or of the preset of that name, flattened. NULL after diagnostics; the
 * caller frees. */
static Adg *read_adg(Call *call, const char *path) {
  Op *top;
  Module *module = call_read_fabric(call, path, false, &top);
  Adg *adg = module ? adg_flatten(call->ctx, top) : NULL;
  module_free(module);
  return adg;
}

static int show_adg(Call *call) {
  Adg *adg = read_adg(call, call->files[0]);
  if (!adg) return EXIT_BAD_INPUT;
  Buf out = {0};
  if (call->set.dot)
    adg_print_dot(adg, &out);
  else if (call->set.json)
    adg_print_json(adg, &out);
  else {
    u64 *configured = layout_all_bits(adg);
    adg_print_summary(adg, configured, &out);
    mem_free(configured);
  }
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  adg_free(adg);
  return status;
}

/* ---- a plan from options --------------------------------------------------------------------- */

/* "4", "4,bypassable" or "none" */
static bool plan_fifo(Call *call, const char *option, const char *given, FabricFifo *fifo) {
  if (!given || fabric_fifo_read(given, fifo)) return true;
  wrong_call(call->command,
             "%s expects none, a depth from 1 to %d, or a depth and ',bypassable', but got '%s'",
             option, (int)FABRIC_MAX_FIFO, given);
  return false;
}

/* "ROW,COLUMN=PE", in a cube "LAYER,ROW,COLUMN=PE" */
static bool plan_cell(Call *call, const char *given, bool is_cube, FabricCell *cell) {
  const char *at = given;
  u32 *const numbers[] = {&cell->layer, &cell->row, &cell->column};
  *cell = (FabricCell){0};
  for (int i = is_cube ? 0 : 1; at && i < 3; i++) {
    at = fabric_number_read(at, numbers[i]);
    if (at && *at++ != (i < 2 ? ',' : '=')) at = NULL;
  }
  if (at && *at) {
    cell->pe = *at == '@' ? at + 1 : at;
    return true;
  }
  wrong_call(call->command, "--cell expects %sROW,COLUMN=PE, but got '%s'", is_cube ? "LAYER," : "",
             given);
  return false;
}

static bool has_spatial_classes_only(const FabricPlan *plan) {
  for (size_t i = 0; i < plan->classes.len; i++)
    if (plan->classes.at[i].instructions) return false;
  return plan->classes.len && !(plan->pattern && strchr(plan->pattern, 'T'));
}

/* Does the call give an option of a plan? `key` is its name without dashes. */
static bool is_given(const Settings *set, const char *key) {
  if (strcmp(key, "lanes") == 0) return set->lanes != OPTION_UNSET;
  for (const Option *o = fabric_plan_options; o->name; o++) {
    const char *field = (const char *)&set->plan + o->offset;
    if (strcmp(o->name + 2, key) != 0) continue;
    return o->kind == OPTION_TEXT || o->kind == OPTION_CHOICE ? *(const char *const *)field != NULL
                                                              : *(const u32 *)field != OPTION_UNSET;
  }
  return false;
}

/* Checks the values that depend on one another. EXIT_GOOD, or another status after a diagnostic: at
 * the line of the description, if all these values come from there. */
static int plan_agrees(Call *call, const FabricPlan *plan) {
  FabricFault fault;
  if (fabric_plan_agrees(call->ctx, plan, "--", &fault)) return EXIT_GOOD;
  bool is_of_call = !fabric_fault_loc(plan, &fault);
  for (u32 i = 0; i < COUNT_OF(fault.keys) && fault.keys[i]; i++)
    is_of_call |= is_given(&call->set, fault.keys[i]);
  if (is_of_call) return wrong_call(call->command, "%s", fault.text);
  fabric_plan_refuse(call->ctx, plan);
  return EXIT_BAD_INPUT;
}

/* Overwrites a plan with the options that are given. An exit status. `cells` has room for all of
 * --cell. */
static int read_plan(Call *call, FabricPlan *plan, FabricCell *cells) {
  const Settings *set = &call->set;
  if (set->lanes != OPTION_UNSET) plan->loads = plan->stores = set->lanes;
  options_overlay((OptionTable){fabric_plan_options, &call->set.plan}, plan);
  if (set->plan.instructions != OPTION_UNSET && !fabric_plan_set_instructions(plan)) {
    wrong_call(call->command,
               "--instructions cannot be 0 here: classes of the fabric are temporal");
    return EXIT_BAD_CALL;
  }
  if (set->plan.instructions != OPTION_UNSET && plan->instructions &&
      has_spatial_classes_only(plan)) {
    wrong_call(call->command, "--instructions has no effect: all PEs of the fabric are spatial");
    return EXIT_BAD_CALL;
  }
  if (!plan_fifo(call, "--fifo", set->link_fifo, &plan->link) ||
      !plan_fifo(call, "--pe-fifo", set->pe_fifo, &plan->pe_input))
    return EXIT_BAD_CALL;
  int status = plan_agrees(call, plan);
  if (status) return status;
  plan->cells = cells;
  plan->ncells = (u32)set->cells.len;
  for (u32 i = 0; i < plan->ncells; i++)
    if (!plan_cell(call, set->cells.at[i], plan->topology == TOPOLOGY_CUBE, &cells[i]))
      return EXIT_BAD_CALL;
  return EXIT_GOOD;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Can the file be replaced by renaming another? Not standard output, nor a device. */
static bool is_file_name(const char *path) {
  struct stat info;
  return strcmp(path, "-") != 0 && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

/* Returns the last part of a path; *folder is its folder, zeros where there is none. */
static const char *split_path(Context *ctx, const char *path, struct stat *folder) {
  size_t len = file_folder(path);
  if (stat(len ? str_intern(ctx, path, len)->text : ".", folder) != 0) *folder = (struct stat){0};
  return path + len;
}

/* Do two paths name the same file, however their folders are written? */
static bool is_same_place(Context *ctx, const char *a, const char *b) {
  struct stat of_a, of_b;
  return strcmp(split_path(ctx, a, &of_a), split_path(ctx, b, &of_b)) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Writes the fabric and its layout; where both are files, both or none. */
static int write_both(Call *call, const Buf *text, const Buf *layout) {
  const char *output = file_behind(call->ctx, call->set.output), *viz = call->set.viz;
  if (viz) viz = file_behind(call->ctx, viz);
  if (!viz) return call_write(call, output, text);
  if (is_same_place(call->ctx, output, viz))
    return wrong_call(call->command, "-o and --viz both write to %s", output);
  if (!is_file_name(output) || !is_file_name(viz)) {
    int status = call_write(call, viz, layout);
    return status ? status : call_write(call, output, text);
  }
  FileText files[] = {{.path = output, .fd = -1, .data = text->data, .len = text->len},
                      {.path = viz, .fd = -1, .data = layout->data, .len = layout->len}};
  return files_write(call->ctx, files, 2) ? EXIT_GOOD : EXIT_FAULT;
}

/* The name of the layout in the text: without its folder, if the text is in the same one. */
static const char *drawing_name(const char *viz, const char *output) {
  size_t len = file_folder(viz);
  return len == file_folder(output) && strncmp(viz, output, len) == 0 ? viz + len : viz;
}

/* A file named in the call, read once; false after diagnostics. */
static bool read_named(Call *call, const char *path, const Module **module) {
  *module = path ? read_source(call, source_read(call->ctx, path), false) : NULL;
  return !path || *module;
}

/* `layout` may be NULL. */
static int make_planned(Call *call, FabricPlan *plan, const char *unit_file, const char *pe_file,
                        Buf *text, Buf *layout) {
  int status = EXIT_BAD_INPUT;
  bool is_same = unit_file && pe_file && strcmp(unit_file, pe_file) == 0;
  if (read_named(call, unit_file, &plan->unit_file) &&
      (is_same || read_named(call, pe_file, &plan->pe_file))) {
    if (is_same) plan->pe_file = plan->unit_file;
    if (fabric_generate(call->ctx, plan, text, layout)) status = EXIT_GOOD;
  }
  if (!is_same) module_free((Module *)plan->pe_file);
  module_free((Module *)plan->unit_file);
  return status;
}

/* --fu: a library of units by its name, or a file of units. */
static int read_units(Call *call, FabricPlan *plan, const char **unit_file) {
  const char *units = call->set.units;
  if (!units) return EXIT_GOOD;
  for (u32 i = 0; fabric_unit_libraries[i]; i++) {
    if (strcmp(units, fabric_unit_libraries[i]) != 0) continue;
    plan->units = (FabricUnits)i;
    return EXIT_GOOD;
  }
  *unit_file = units;
  if (strpbrk(units, "./")) return EXIT_GOOD;
  Buf names = {0};
  for (u32 i = 0; fabric_unit_libraries[i]; i++)
    buf_printf(&names, "%s, ", fabric_unit_libraries[i]);
  int status = wrong_call(call->command, "--fu expects %sor a file name with . or /, but got '%s'",
                          names.data, units);
  buf_free(&names);
  return status;
}

/* Generates the text of a plan, overwritten with the options, and its layout; frees the plan. */
static int make_text(Call *call, FabricPlan plan, Buf *text, Buf *layout) {
  const char *unit_file = NULL;
  int status = read_units(call, &plan, &unit_file);
  if (!status) {
    if (call->set.viz) plan.viz_file = drawing_name(call->set.viz, call->set.output);
    FabricCell *cells = mem_alloc(mem_size(call->set.cells.len, sizeof *cells));
    status = read_plan(call, &plan, cells);
    if (!status) status = make_planned(call, &plan, unit_file, call->set.pe_file, text, layout);
    mem_free(cells);
  }
  fabric_plan_free(&plan);
  return status;
}

static int make_adg(Call *call, FabricPlan plan) {
  Buf text = {0}, layout = {0};
  int status = make_text(call, plan, &text, call->set.viz ? &layout : NULL);
  if (!status) status = write_both(call, &text, &layout);
  buf_free(&text);
  buf_free(&layout);
  return status;
}

int call_make_fabric(Call *call, const char *base, Buf *text) {
  FabricPlan plan = fabric_plan_default();
  if (base && !fabric_plan_preset(call->ctx, base, &plan)) {
    const Source *source = source_read(call->ctx, base);
    if (!source || !fabric_plan_read(call->ctx, source, &plan)) return EXIT_BAD_INPUT;
  }
  return make_text(call, plan, text, NULL);
}

static int drive_adg(Call *call) {
  FabricPlan plan = fabric_plan_default();
  const char *name = call->nfiles ? call->files[0] : NULL;
  if (!name && call->set.plan.topology != (FabricTopology)OPTION_UNSET) return make_adg(call, plan);
  if (!name) return wrong_call(call->command, "expected show FILE, a preset, a file or --topology");
  if (fabric_plan_preset(call->ctx, name, &plan)) {
    if (call->nfiles == 1) return make_adg(call, plan);
    fabric_plan_free(&plan);
    return wrong_call(call->command,
                      "unexpected argument '%s'; to show a preset, use loom adg show %s",
                      call->files[1], name);
  }
  if (strpbrk(name, "./") && call->nfiles == 1) {
    const Source *source = source_read(call->ctx, name);
    bool good = source && fabric_plan_read(call->ctx, source, &plan);
    return good ? make_adg(call, plan) : EXIT_BAD_INPUT;
  }
  const char *near = nearest_preset(name);
  return wrong_call(call->command,
                    "expected show FILE, a preset (tiny small medium large xl full temporal) or a "
                    "file name with . or /, but got '%s'%s%s%s",
                    name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Those that set fields of FabricPlan are fabric_plan_options. */
const Option options_adg[] = {
    OUTPUT_FILE,
    FLAG("--dot", dot, "show: print a graph for Graphviz", .verbs = "show"),
    FLAG("--json", json, "show: print all details as JSON", .verbs = "show"),
    TEXT("--module", "NAME", module,
         "the fabric.module to use (the one that no other instantiates)", .verbs = "show"),
    FLAG("--strict", strict, "treat warnings as errors"),
    TEXT("--viz", "FILE", viz, "write the positions for drawings into FILE, as JSON", .verbs = ""),
    TEXT("--fu", "NAME", units,
         "function units: int, float, full, all, merged, or a file of units (full)", .verbs = ""),
    TEXTS("--cell", "R,C=PE", cells, "use a PE from --pes in this cell; L,R,C=PE in a cube",
          .verbs = ""),
    TEXT("--pes", "FILE", pe_file, "the file that defines the PEs of --cell", .verbs = ""),
    TEXT("--fifo", "N[,bypassable]", link_fifo,
         "put a FIFO of depth N on channels between switches", .verbs = ""),
    TEXT("--pe-fifo", "N[,bypassable]", pe_fifo, "put a FIFO of depth N before inputs of PEs",
         .verbs = ""),
    NUMBER("--lanes", "N", lanes, "set both --loads and --stores", .low = 1,
           .high = FABRIC_MAX_LANES, .verbs = ""),
    OPTIONS_END,
};

static const Verb adg_verbs[] = {
    {"show", "FILE", 1, 1, show_adg},
    {.name = NULL},
};

const Command command_adg = {
    .name = "adg",
    .takes = "[show] FILE",
    .summary = "show the contents of a fabric, or generate one",
    .text = "show flattens the hardware of a Fabric file and lists its contents: PEs, function\n"
            "units, switches, memories, and an estimate of the area for comparing fabrics.\n"
            "--dot draws it. Without show, FILE is a description of a fabric or the name of a\n"
            "preset (tiny to xl, full, temporal), from which a Fabric file is generated.\n"
            "--topology generates one without a FILE.",
    .options = options_adg,
    .shared = fabric_plan_options,
    .shared_at = offsetof(Settings, plan),
    .shared_verbs = "",
    .max_files = 2,
    .verbs = adg_verbs,
    .names = fabric_presets,
    .run = drive_adg,
};

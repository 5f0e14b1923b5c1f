/* emit.c -- loom emit: has a backend write a graph or hardware in another form; and loom plugins,
 * which lists backends and front ends.
 *
 *     a function        lowered and proved: a design with a graph
 *     FABRIC [IMAGE]    decoded if the backend or a case needs it: a design with hardware
 *     a mapping         the same, bound to the graph that was mapped
 *     a fabric alone, or the closest attempt at a mapping: for backends that require nothing
 */
#include "driver/job.h"
#include "driver/simulation.h"
#include "driver/steps.h"

static int no_such_backend(const Call *call, const Registry *registry, const char *id) {
  u32 n = 0;
  const char **names = NEW_ARRAY(call->ctx->arena, const char *, registry_count(registry));
  for (u32 i = 0; i < registry_count(registry); i++)
    if (registry_at(registry, i)->backend) names[n++] = registry_at(registry, i)->id;
  const char *near = suggestion(call->ctx, id, names, n);
  if (strpbrk(id, "./"))
    near = "; expected the name of a backend before INPUT (--plugin FILE loads backends)";
  if (strcmp(id, "view") == 0)
    near = "; this LOOM was built without Graphviz (Debian's libgraphviz-dev)";
  return wrong_call(call->command, "unknown backend '%s'%s", id,
                    *near ? near : "; `loom backends` lists them");
}

static void help_part(const PluginPart *part, Buf *out) {
  buf_printf(out, "%s %s: %s\n", part->id, part->version, part->summary);
  if (part->backend)
    buf_printf(out, "\nusage: loom emit %s [options] INPUT [-- backend's options]\n", part->id);
  else
    buf_printf(out, "\nusage: loom COMMAND [options] FILE%s [--read NAME=VALUE]\n",
               part->frontend->endings[0]);
  if (part->option_count) buf_char(out, '\n');
  emit_options_print(part, out);
}

/* Runs the backend: files go to a folder, and their names are printed; or one to standard output.
 */
static int write_design(Call *call, const loom_backend *backend, const EmitOptions *options,
                        loom_design *design) {
  bool to_output = strcmp(call->set.output, "-") == 0;
  Buf text = {0};
  EmitReport report = {0};
  EmitSink sink = {to_output ? NULL : call->set.output, &text};
  host_emit(call->ctx, backend, design, options->at, (u32)options->len, sink, &report);
  int status = report.status;
  if (!status && to_output) status = call_write(call, "-", &text);
  bool names = !status && !to_output && !call->set.json;
  for (const char *at = report.files.data; names && at && *at;) {
    size_t len = strcspn(at, "\n");
    printf("%s/%.*s\n", call->set.output, (int)len, at);
    at += len + 1;
  }
  buf_free(&text);
  buf_free(&report.files);
  design_free(design);
  return status;
}

/* ---- a function ------------------------------------------------------------------------------ */

static int emit_graph(Job *job, const loom_backend *backend, const EmitOptions *options) {
  Call *call = job->call;
  Subject *s = &job->subject;
  if (!job_make_graph(job)) return EXIT_BAD_INPUT;
  RunOptions limit = call_run_options(call);
  return write_design(call, backend, options,
                      design_new(s->ctx, s->dfg, subject_domains(s), job->input, &limit));
}

/* A given option that is for hardware alone; NULL: there is none. */
static const char *ignored_by_function(const Settings *set) {
  if (set->module) return "--module";
  if (strcmp(set->memory, "fixed") != 0) return "--memory";
  return set->max_cycles != CYCLES_ALLOWED ? "--max-cycles" : NULL;
}

static int emit_function(Call *call, const loom_backend *backend, const EmitOptions *options,
                         Module *module) {
  const char *ignored = ignored_by_function(&call->set);
  Job job = {.call = call, .subject.module = module, .needs_no_case = true};
  int status = ignored ? wrong_call(call->command, "%s has no effect with a function", ignored)
                       : job_prepare(&job);
  if (!status) status = emit_graph(&job, backend, options);
  job_free(&job);
  return status;
}

/* ---- hardware -------------------------------------------------------------------------------- */

static bool requires(const loom_backend *backend, const char *id) {
  for (u32 i = 0; i < backend->require_count; i++)
    if (strcmp(backend->requires[i], id) == 0) return true;
  return false;
}

/* Is the input a mapping, or FABRIC [IMAGE] for a backend of hardware? */
static bool is_hardware(const Call *call, const loom_backend *backend) {
  return requires(backend, "loom.fabric/1") || requires(backend, "loom.image/1") ||
         requires(backend, "loom.machine/1") || call->nfiles > 1 ||
         simulation_is_mapping(call->files[0]);
}

/* A test bench expects the run of the machine: warns where that is not a good run of the case. */
static void warn_of_replay(const Simulation *s, const loom_design *design) {
  Context *ctx = s->call->ctx;
  RunResult result;
  design_replayed(design, &result);
  unsigned long long cycles = (unsigned long long)result.steps;
  Buf fault = {0};
  QuietScope quiet = diag_quiet(ctx);
  if (result.status == RUN_DEADLOCK)
    buf_printf(&fault, "deadlocks after %llu cycle%s, before all results", cycles, plural(cycles));
  else if (result.status == RUN_LEFTOVER)
    buf_printf(&fault, "stops after %llu cycle%s with tokens left over", cycles, plural(cycles));
  else if (result.status == RUN_TRAP)
    buf_printf(&fault, "traps in cycle %llu", cycles - 1);
  else if (s->input->has_expected && !case_compare(ctx, s->input, &result, s->call->set.ulp))
    buf_str(&fault, "does not give the expected results");
  diag_quiet_end(ctx, &quiet);
  if (fault.len) {
    diag_warning(ctx, LOC_NONE, RT_REPLAY,
                 "with this case the machine %s; the test bench expects exactly that", fault.data);
    diag_hint(ctx, "`loom sim` with the same hardware and case reports the cause");
  }
  buf_free(&fault);
  run_result_free(&result);
}

/* A backend that requires no extension takes any design, also an incomplete one. */
static bool takes_all(const loom_backend *backend) {
  return backend->require_count == 0;
}

/* The domains of the graph that was mapped; NULL: there is none, or they are not proved. */
static ProofDomains *domains_of_asked(const Simulation *s) {
  if (!s->asked) return NULL;
  Op *func = function_named(s->source, dfg_text(s->asked, s->asked->name));
  return func ? proof_domains(s->call->ctx, func, PROOF_HANDWRITTEN) : NULL;
}

/* Runs the case, if there is one, on the machine, for backends that use the run. */
static int emit_bound(const Simulation *s, const loom_backend *backend, const EmitOptions *options,
                      const ProofDomains *proved) {
  Call *call = s->call;
  loom_design *design = design_of_fabric(call->ctx, s->image, s->machine, s->decoded);
  ReplayCase replay = {
      .dfg = s->dfg, .binding = s->binding, .input = s->input, .max_cycles = call->set.max_cycles};
  if (s->binding)
    design_bind(design, s->dfg, proved, s->binding, s->origins, s->is_given ? s->input : NULL);
  design_explain(design, s->mapping, s->mapping_text, fabric_drawing(s->call->ctx, s->top));
  int status = EXIT_GOOD;
  u32 errors = call->ctx->errors;
  if (s->is_given && requires(backend, "loom.fabric/1")) {
    status = design_replay(design, &replay);
    if (!status) warn_of_replay(s, design);
    if (!status && call->ctx->errors > errors) status = EXIT_RUN_FAILED; /* --strict */
  }
  bool wants_outcome = takes_all(backend) || requires(backend, "loom.outcome/1");
  if (!status && s->is_given && wants_outcome && !design_outcome(design, call->set.max_cycles))
    status = EXIT_BAD_INPUT;
  if (!status) return write_design(call, backend, options, design);
  design_free(design);
  return status;
}

static int emit_machine(const Simulation *s, const loom_backend *backend,
                        const EmitOptions *options) {
  ProofDomains *proved = domains_of_asked(s);
  int status = emit_bound(s, backend, options, proved);
  proof_domains_free(proved);
  return status;
}

/* Hardware without a configuration; or the closest attempt at a mapping, with its graph. */
static int emit_idle(const Simulation *s, const loom_backend *backend, const EmitOptions *options) {
  ProofDomains *proved = domains_of_asked(s);
  Context *ctx = s->call->ctx;
  loom_design *design = s->asked ? design_new(ctx, s->asked, proved, NULL, NULL)
                                 : design_new(ctx, NULL, NULL, NULL, NULL);
  design_add_fabric(design, s->image);
  design_explain(design, s->mapping, s->mapping_text, fabric_drawing(s->call->ctx, s->top));
  int status = write_design(s->call, backend, options, design);
  proof_domains_free(proved);
  return status;
}

/* A given option that is for functions alone; NULL: there is none. */
static const char *ignored_by_hardware(const Settings *set) {
  if (set->func) return "--func";
  if (set->optimise && set->optimise != OPTION_UNSET) return "-O";
  if (set->order) return "--order";
  if (set->max_tokens) return "--max-tokens";
  return set->max_seconds > 0 ? "--max-seconds" : NULL;
}

/* An image need not decode to a graph unless it is to be shown or run. */
static int emit_hardware(Call *call, const loom_backend *backend, const EmitOptions *options) {
  const char *ignored = ignored_by_hardware(&call->set);
  if (ignored) return wrong_call(call->command, "%s has no effect with hardware", ignored);
  Simulation s = {.call = call, .must_be_configured = true, .takes_incomplete = takes_all(backend)};
  bool is_given = call->set.case_path || call->set.args || call->set.ins.len;
  bool must_decode = is_given || !requires(backend, "loom.fabric/1") ||
                     requires(backend, "loom.machine/1") || requires(backend, "loom.dfg/1") ||
                     simulation_is_mapping(call->files[0]);
  bool good = simulation_read_fabric(&s, call->files[0], call->nfiles > 1 ? call->files[1] : NULL);
  if (good && takes_all(backend) && (s.is_incomplete || !simulation_is_configured(&s))) {
    int idle = is_given ? wrong_call(call->command,
                                     "a case has no effect with hardware that is not configured")
                        : emit_idle(&s, backend, options);
    simulation_free(&s);
    return idle;
  }
  good = good && (!must_decode || simulation_make_machine(&s));
  int status = !good ? EXIT_BAD_INPUT : is_given ? simulation_read_inputs(&s) : EXIT_GOOD;
  if (!status) status = emit_machine(&s, backend, options);
  simulation_free(&s);
  return status;
}

/* A file with a fabric and no function is hardware, configured by its text. */
static int emit_input(Call *call, const loom_backend *backend, const EmitOptions *options) {
  if (is_hardware(call, backend)) return emit_hardware(call, backend, options);
  Module *module = call_read_module(call);
  if (!module) return EXIT_BAD_INPUT;
  if (!call_is_fabric(module)) return emit_function(call, backend, options, module);
  module_free(module);
  return emit_hardware(call, backend, options);
}

static int emit_with(Call *call, const loom_backend *backend) {
  Call inner = *call; /* without the backend's name */
  inner.files++, inner.nfiles--;
  EmitOptions options = {0};
  const PluginPart part = backend_part(backend);
  int status =
      emit_options_read(call->ctx, call->command, &part, call->words, call->nwords, &options);
  if (!status && inner.nfiles == 0) status = wrong_call(call->command, "missing argument INPUT");
  if (!status) status = emit_input(&inner, backend, &options);
  vec_free(&options);
  return status;
}

int emit_view(Call *call, const char *const *files, u32 nfiles, const char *dir) {
  const char **words = NEW_ARRAY(call->ctx->arena, const char *, nfiles + (size_t)1);
  fflush(stdout);
  if (!call_registry(call)) return EXIT_BAD_INPUT;
  Call inner = *call;
  words[0] = "view"; /* the backend */
  for (u32 i = 0; i < nfiles; i++) words[i + 1] = files[i];
  inner.files = words;
  inner.nfiles = nfiles + 1;
  inner.nwords = 0;
  inner.set.output = dir;
  inner.set.func = inner.set.order = NULL;
  inner.set.optimise = 0;
  inner.set.max_tokens = 0;
  inner.set.max_seconds = 0;
  inner.set.max_cycles = call->set.max_cycles ? call->set.max_cycles : CYCLES_ALLOWED;
  return command_emit.run(&inner);
}

static int drive_emit(Call *call) {
  const Registry *registry = call_registry(call);
  if (!registry) return EXIT_BAD_INPUT;
  const PluginPart *found = registry_backend(registry, call->files[0]);
  if (!found) return no_such_backend(call, registry, call->files[0]);
  if (!call->set.help) return emit_with(call, found->backend);
  Buf out = {0};
  help_part(found, &out);
  int status = call_write(call, "-", &out);
  buf_free(&out);
  return status;
}

static const Option options_emit[] = {
    TEXT("-o", "DIR", output, "output folder; - is standard output", .initial = "-"),
    TEXT("--module", "NAME", module,
         "of hardware: the fabric.module to use (the one that no other instantiates)"),
    MEMORY_ANSWERS,
    CYCLES_LIMIT("of hardware with a case: stop after N cycles; 0: no limit"),
    FLAG("--strict", strict, "treat warnings as errors"),
    OPTIONS_END,
};

const Command command_emit = {
    .name = "emit",
    .takes = "BACKEND INPUT",
    .summary = "write a graph or a fabric as C, Verilog, a trace, a picture, ...",
    .text = "Lowers and proves the function (a handshake.func is used unchanged) and passes\n"
            "the graph to a backend, which writes files: all of them, or none if it fails.\n"
            "Arguments after -- are options of the backend; `loom emit BACKEND --help` lists\n"
            "them. Hardware is given as for loom sim: FABRIC [IMAGE], or the folder of a\n"
            "mapping.",
    .options = options_emit,
    .shared = options_job,
    .min_files = 1,
    .max_files = 3,
    .hands_on = true,
    .run = drive_emit,
};

static int print_header(Call *call) {
  Buf pages = {0}, out = {0};
  plugin_headers(&pages);
  buf_str(&out, pages_find(&pages, "loom_plugin.h"));
  int status = call_write(call, call->set.output, &out);
  buf_free(&out);
  buf_free(&pages);
  return status;
}

/* Writes all headers of plugins/, or none. */
static int write_headers(Call *call, const char *folder) {
  Context *ctx = call->ctx;
  Buf pages = {0};
  Vec(FileText) files = {0};
  plugin_headers(&pages);
  for (const char *page = NULL; (page = pages_next(&pages, page));) {
    size_t name = strcspn(page, "\n");
    Buf path = {0};
    buf_printf(&path, "%s/%.*s", folder, (int)name, page);
    FileText file = {.path = arena_copy(ctx->arena, path.data, path.len + 1),
                     .fd = -1,
                     .data = page + name + 1,
                     .len = strlen(page + name + 1)};
    vec_push(&files, file);
    buf_free(&path);
  }
  bool good = file_make_dir(ctx, folder) && files_write(ctx, files.at, files.len);
  vec_free(&files);
  buf_free(&pages);
  return good ? EXIT_GOOD : EXIT_FAULT;
}

/* Prints the help of all plugins of this name; returns how many there are. */
static u32 help_named(const Registry *registry, const char *name, Buf *out) {
  u32 found = 0;
  for (u32 i = 0; i < registry_count(registry); i++) {
    const PluginPart *part = registry_at(registry, i);
    if (strcmp(part->id, name) != 0) continue;
    if (found++) buf_char(out, '\n');
    help_part(part, out);
  }
  return found;
}

/* Lists all plugins, or those of the name that is given. */
static int drive_plugins(Call *call) {
  bool is_copy = call->set.headers || call->set.header;
  if ((call->set.headers && call->set.header) || (is_copy && (call->nfiles || call->set.json)))
    return wrong_call(call->command, "%s cannot be combined with NAME, --json or %s",
                      call->set.headers ? "--headers" : "--header",
                      call->set.headers ? "--header" : "--headers");
  if (call->set.headers) return write_headers(call, call->set.headers);
  if (call->set.header) return print_header(call);
  u32 errors = call->ctx->errors;
  const char *name = call->nfiles ? call->files[0] : NULL;
  call_registry(call);
  const Registry *registry = call->registry;
  Buf out = {0};
  if (name && !help_named(registry, name, &out)) {
    const char **names = NEW_ARRAY(call->ctx->arena, const char *, registry_count(registry));
    u32 n = registry_count(registry);
    for (u32 i = 0; i < n; i++) names[i] = registry_at(registry, i)->id;
    const char *near = suggestion(call->ctx, name, names, n);
    return wrong_call(call->command, "unknown plugin '%s'%s", name,
                      *near ? near : "; `loom plugins` lists them");
  }
  if (call->set.json) {
    out.len = 0;
    registry_json(registry, name, &out);
  } else if (!name) {
    registry_print(registry, &out);
  }
  int status = call_write(call, call->set.output, &out);
  if (!status && call->ctx->errors > errors) status = EXIT_BAD_INPUT;
  buf_free(&out);
  return status;
}

static const Option options_plugins[] = {
    TEXTS("--plugin", "FILE", plugins,
          "also load the backends and front ends of this shared object"),
    FLAG("--json", json, "print them as JSON, with all details"),
    FLAG("--header", header, "print loom_plugin.h, the header that a plugin includes"),
    TEXT("--headers", "DIR", headers, "write all headers for plugins into DIR"),
    OUTPUT_FILE,
    OPTIONS_END,
};

/* Under two names: the first is older than front ends. */
#define PLUGINS(name_)                                                                             \
  {                                                                                                \
    .name = name_, .takes = "[NAME]", .summary = "list the available backends and front ends",     \
    .text = "Lists the available backends and front ends: the built-in ones, and those of\n"       \
            "plugins, from --plugin, the folders of LOOM_PLUGIN_PATH, and plugins/ and\n"          \
            "backends/ beside the binary. The current folder is not searched. With a NAME,\n"      \
            "prints the options of that one. To write a plugin, start with\n"                      \
            "`loom backends --headers include`.",                                                  \
    .options = options_plugins, .max_files = 1, .run = drive_plugins,                              \
  }
const Command command_backends = PLUGINS("backends"), command_plugins = PLUGINS("plugins");

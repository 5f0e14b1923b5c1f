/* simulation.c -- reads configured hardware and a case, runs them on an engine and reports what
 * went wrong, for loom sim and loom build. See simulation.h. */
#include "driver/simulation.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "driver/steps.h"
#include "config/config.h"
#include "config/configured.h"
#include "machine/remedy.h"
#include "check/check.h"
#include "run/token.h"
#include "text/text.h"
#include "verify/verify.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* The most cycles of a random delay of a memory: less than half of 16 bits. */
enum { MOST_DELAY = 1000, MOST_SEED = 999999999 };

const char *const simulation_engines[SIM_ENGINES + 1] = {"step", "jit", "cc", NULL};

/* A configuration that uses nothing may be blank, have fields set in vain (CFG_IDLE), or be
 * wrong. */
typedef enum { BLANK, IDLE, WRONG } Unused;

static bool uses_anything(const Simulation *s, Unused *unused) {
  const Adg *adg = s->adg;
  Context *ctx = s->call->ctx;
  QuietScope quiet = diag_quiet(ctx);
  Configured *conf = configured_new(ctx, s->image);
  bool is_used = conf->nunits || conf->nlanes;
  for (u32 c = 0; c < adg->ncomponents; c++) is_used |= conf->output_sinks[c] != ADG_NONE;
  *unused = !conf->is_sound ? WRONG : ctx->errors != quiet.errors ? IDLE : BLANK;
  configured_free(conf);
  diag_quiet_end(ctx, &quiet);
  return is_used;
}

bool simulation_is_configured(const Simulation *s) {
  Unused unused;
  return uses_anything(s, &unused);
}

/* May the hardware be decoded? Where it uses nothing, one CFG_NOTHING replaces the errors about
 * fields that are set in vain; errors of a wrong configuration are left to decode. */
static bool may_decode(const Simulation *s) {
  Unused unused;
  if (uses_anything(s, &unused) || unused == WRONG || (!s->must_be_configured && unused == BLANK))
    return true;
  diag(s->call->ctx, s->top->loc, CFG_NOTHING, "nothing of this fabric is configured");
  if (s->call->nfiles > 1)
    diag_hint(s->call->ctx, "image %s uses no unit, no memory and no output", s->call->files[1]);
  else
    diag_hint(s->call->ctx,
              "add an image, or give the folder that `loom map GRAPH --adg %s -o DIR` writes",
              s->call->files[0]);
  return false;
}

static Dfg *decode(Simulation *s) {
  Configured *conf = configured_new(s->call->ctx, s->image);
  Dfg *dfg = NULL;
  if (conf->is_sound) {
    s->graph = module_new(s->call->ctx);
    dfg = dfg_freeze(s->call->ctx, configured_graph(s->graph, conf, NULL));
  }
  configured_free(conf);
  return dfg;
}

/* The case of the call, which must be of the mapped function; empty where the call has none. */
static Case *read_case(const Simulation *s) {
  const Call *call = s->call;
  if (!call->set.case_path) return case_new(NULL, 0);
  Case *input = case_read(call->ctx, call->set.case_path);
  const char *asked = s->asked ? dfg_text(s->asked, s->asked->name) : NULL;
  if (!input || !input->function || !asked || strcmp(input->function->text, asked) == 0)
    return input;
  diag(call->ctx, input->function_loc, RT_CASE_FUNCTION,
       "this case is for @%s, but the mapping is of @%s", input->function->text, asked);
  case_free(input);
  return NULL;
}

/* ---- a mapping's folder ---------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The one NAME.map.json of a folder; NULL after diagnostics, where there is none, or several. */
static const char *find_mapping(Call *call, const char *dir) {
  DIR *d = opendir(dir);
  int error = errno;
  Vec(const char *) found = {0};
  for (struct dirent *e; d && (e = readdir(d));) {
    size_t len = strlen(e->d_name);
    if (len < 9 || strcmp(e->d_name + len - 9, ".map.json") != 0) continue;
    vec_push(&found, str_printf(call->ctx, "%s/%s", dir, e->d_name)->text);
  }
  if (d) closedir(d);
  size_t n = found.len;
  if (n > 1) qsort(found.at, n, sizeof *found.at, compare_names);
  const char *first = n ? found.at[0] : NULL;
  if (!d)
    diag(call->ctx, LOC_NONE, COMP_FILE_READ, "cannot read %s: %s", dir, strerror(error));
  else if (n > 1)
    diag(call->ctx, LOC_NONE, MAP_FILE, "%s has %zu mappings; give one of them: %s, %s%s", dir, n,
         first, found.at[1], n > 2 ? ", ..." : "");
  else if (!n)
    diag(call->ctx, LOC_NONE, MAP_FILE,
         "%s has no mapping: expected a .map.json file, as loom map writes it", dir);
  vec_free(&found);
  return n == 1 ? first : NULL;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool simulation_is_mapping(const char *path) {
  size_t len = strlen(path);
  return is_folder(path) || (len > 9 && strcmp(path + len - 9, ".map.json") == 0);
}

/* A file beside the mapping, by the name that member "graph" or "fabric" gives; NULL after
 * MAP_FILE. */
static const char *named_file(Simulation *s, const char *mapping, const char *member) {
  const char *file =
      json_string_value(json_object_get(json_object_get(s->mapping, member), "file"));
  const char *why = file ? file_path_problem(file) : "it is missing";
  if (!why && strchr(file, '/')) why = "it must be beside the mapping";
  if (why) {
    diag(s->call->ctx, s->mapping_text->base, MAP_FILE, "%s: invalid file name of the %s: %s",
         mapping, member, why);
    return NULL;
  }
  return file_beside(s->call->ctx, mapping, file);
}

static bool read_asked(Simulation *s, const char *path) {
  Call *call = s->call;
  const Source *source = path ? source_read(call->ctx, path) : NULL;
  s->source = source ? text_parse(call->ctx, source) : NULL;
  Op *func = NULL;
  if (s->source && verify_module(s->source)) call_function_in(call, s->source, NULL, path, &func);
  s->asked = func ? dfg_freeze(call->ctx, func) : NULL;
  return s->asked;
}

/* DIR, or DIR/NAME.map.json. False after diagnostics. */
static bool read_mapping(Simulation *s, const char *path, const char **fabric, const char **image) {
  Call *call = s->call;
  if (is_folder(path)) path = find_mapping(call, path);
  s->mapping_text = path ? source_read(call->ctx, path) : NULL;
  if (!s->mapping_text) return false;
  s->mapping = json_read(call->ctx, s->mapping_text, MAP_FILE);
  if (!s->mapping) return false;
  if (!json_is_object(s->mapping)) {
    diag(call->ctx, s->mapping_text->base, MAP_FILE, "%s is not a mapping: expected an object",
         path);
    return false;
  }
  s->is_incomplete = json_is_true(json_object_get(s->mapping, "incomplete"));
  if (s->is_incomplete && !s->takes_incomplete) {
    diag(call->ctx, s->mapping_text->base, MAP_INCOMPLETE,
         "%s is an incomplete mapping, without an image", path);
    diag_hint(call->ctx,
              "its \"unplaced\" and \"unrouted\" list what is missing, \"why\" the reason");
    return false;
  }
  *fabric = named_file(s, path, "fabric");
  if (!s->is_incomplete)
    *image = str_printf(call->ctx, "%.*s.config.bin", (int)strlen(path) - 9, path)->text;
  return *fabric && read_asked(s, named_file(s, path, "graph"));
}

bool simulation_read_fabric(Simulation *s, const char *fabric, const char *image) {
  Call *call = s->call;
  if (simulation_is_mapping(fabric) && !read_mapping(s, fabric, &fabric, &image)) return false;
  s->fabric = call_read_fabric(call, fabric, false, &s->top);
  s->adg = s->fabric ? adg_flatten(call->ctx, s->top) : NULL;
  s->layout = s->adg ? layout_new(call->ctx, s->adg) : NULL;
  if (!s->layout) return false;
  s->image = image ? image_read(call->ctx, s->layout, image) : config_of_text(call->ctx, s->layout);
  return s->image;
}

bool simulation_make_machine(Simulation *s) {
  Call *call = s->call;
  u32 errors = call->ctx->errors;
  if (s->asked) s->binding = binding_read(call->ctx, s->asked, s->image, s->mapping_text);
  if (s->asked && !s->binding) return false;
  if (s->binding) s->image->input_tags = s->binding->input_tags;
  s->decoded = may_decode(s) ? decode(s) : NULL;
  if (call->ctx->errors > errors) return false; /* also for harmless ones, as CFG_IDLE */
  s->dfg = s->asked ? s->asked : s->decoded;
  if (!s->decoded) return false;
  if (!s->asked) s->binding = binding_read(call->ctx, s->dfg, s->image, NULL);
  if (s->binding && s->asked && !mapping_fits(call->ctx, s->asked, s->adg, s->binding))
    return false;
  s->machine = s->binding ? machine_build(call->ctx, s->image) : NULL;
  if (s->machine) s->origins = origins_new(call->ctx, s->machine, s->asked, s->binding, s->mapping);
  if (!s->machine) return false;
  if (!s->input) s->input = read_case(s);
  return s->input;
}

bool simulation_read(Simulation *s, const char *fabric, const char *image) {
  return simulation_read_fabric(s, fabric, image) && simulation_make_machine(s);
}

/* Reads digits of a number up to `most`; unlike scanf neither signs nor blanks. */
static bool read_digits(const char **at, u32 most, u32 *number) {
  const char *first = *at;
  for (*number = 0; **at >= '0' && **at <= '9' && *number <= most / 10; ++*at)
    *number = *number * 10 + (u32)(**at - '0');
  return *at > first && *number <= most;
}

/* fixed, random:SEED or random:SEED:MOST. */
static int read_answers(Simulation *s) {
  static const char prefix[] = "random:";
  const char *at = s->call->set.memory;
  MachineAnswers *answers = &s->machine->answers;
  if (!at || strcmp(at, "fixed") == 0) return EXIT_GOOD;
  bool good = strncmp(at, prefix, strlen(prefix)) == 0;
  if (good) at += strlen(prefix);
  answers->most = 8;
  good = good && read_digits(&at, MOST_SEED, &answers->seed);
  if (good && *at == ':') at++, good = read_digits(&at, MOST_DELAY, &answers->most);
  if (good && !*at && answers->most) return EXIT_GOOD;
  return wrong_call(
      s->call->command,
      "--memory expects fixed, random:SEED or random:SEED:MOST (SEED up to %d, MOST 1 "
      "to %d), but got '%s'",
      MOST_SEED, MOST_DELAY, s->call->set.memory);
}

int simulation_read_inputs(Simulation *s) {
  int status = read_answers(s);
  if (status) return status;
  bool has_inputs = call_has_inputs(s->call, &status);
  s->is_given = has_inputs || s->call->set.case_path;
  if (status || !has_inputs) return status;
  if (!s->call->set.case_path) {
    case_free(s->input);
    s->input = NULL;
  }
  return call_read_inputs(s->call, dfg_text(s->dfg, s->dfg->name), NULL, s->dfg, &s->input);
}

void simulation_free(Simulation *s) {
  case_free(s->input);
  if (s->mapping) json_decref(s->mapping);
  dfg_free(s->asked);
  module_free(s->source);
  origins_free(s->origins);
  machine_free(s->machine);
  binding_free(s->binding);
  dfg_free(s->decoded);
  image_free(s->image);
  layout_free(s->layout);
  adg_free(s->adg);
  module_free(s->graph);
  module_free(s->fabric);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Passes a transfer on to all observers. */
static void watch(void *user, u64 cycle, u32 input, u64 value) {
  const SimulationRun *run = user;
  if (run->agreement) agree_take(run->agreement, input, value, connect_wide(run->connection));
  for (u32 w = 0; w < run->nwatchers; w++)
    run->watchers[w].transfer(run->watchers[w].user, cycle, input, value);
}

static bool run_engine(Simulation *s, SimulationRun *run, const MachineJob *job) {
  static const char *const doing[] = {[SIM_STEP] = "the machine ran on step",
                                      [SIM_JIT] = "the machine ran on jit",
                                      [SIM_CC] = "the machine ran on cc"};
  double start = seconds_now();
  interrupt_while(doing[run->engine]);
  bool good = true;
  if (run->engine == SIM_STEP)
    machine_run(s->machine, job, &run->machine);
  else
    good = clocked_run(s->call->ctx, run->engine == SIM_JIT ? NATIVE_JIT : NATIVE_CC, s->machine,
                       s->decoded, job, run->counts, &run->machine, &run->native);
  interrupt_while(NULL);
  run->seconds = run->engine == SIM_STEP ? seconds_now() - start : run->native.run;
  return good;
}

/* ---- failed runs ----------------------------------------------------------------------------- */

static bool is_stuck(RunStatus status) {
  return status == RUN_DEADLOCK || status == RUN_LEFTOVER;
}

/* Generated code keeps no snapshot of the last state, nor the operands of a trap. After a failed
 * run the reference engine repeats it to get them, unless the run was long. */
static void run_reference_again(Simulation *s, SimulationRun *run) {
  enum { MAX_REPEATED = 10000000 }; /* cycles */
  RunStatus end = run->machine.status;
  if (run->engine == SIM_STEP || run->machine.cycles > MAX_REPEATED) return;
  if (end == RUN_FINISHED || (end == RUN_LIMIT && run->max_cycles > MAX_REPEATED)) return;
  Connection *c = connect_case(s->call->ctx, s->machine, s->dfg, s->binding, s->input);
  MachineResult again = {0};
  if (!c) return;
  MachineJob *job = connect_job(c);
  job->max_cycles = run->max_cycles;
  job->snapshot = true;
  interrupt_while("the machine ran on step, to say why it ended so");
  machine_run(s->machine, job, &again);
  interrupt_while(NULL);
  MachineResult *own = &run->machine;
  if (again.trap == own->trap && again.trap_unit == own->trap_unit && again.cycles == own->cycles) {
    own->trap_op = again.trap_op;
    own->trap_a = again.trap_a;
    own->trap_b = again.trap_b;
  }
  own->snapshot = again.snapshot;
  own->last_firing = again.last_firing;
  own->firings = again.firings;
  own->waiting = again.waiting;
  run->again = again;
  connect_free(c);
}

/* A RemedyTrial: 0 where the case finishes, -1 at the limit, else 1. */
static int try_machine(void *user, const Machine *machine, u64 max_cycles, u64 *cycles) {
  const Simulation *s = user;
  Connection *c = connect_case(s->call->ctx, machine, s->dfg, s->binding, s->input);
  MachineResult result = {0};
  if (!c) return 1;
  MachineJob *job = connect_job(c);
  job->max_cycles = max_cycles;
  machine_run(machine, job, &result);
  int answer = result.status == RUN_FINISHED ? 0 : result.status == RUN_LIMIT ? -1 : 1;
  *cycles = result.cycles;
  machine_result_free(&result);
  connect_free(c);
  return answer;
}

static void report_remedy(Simulation *s) {
  RemedyTrial trial = {.user = s, .run = try_machine};
  interrupt_while("FIFOs of other depths were tried");
  Remedy remedy = remedy_find(s->call->ctx, s->image, &trial);
  interrupt_while(NULL);
  remedy_report(s->call->ctx, s->adg, &remedy);
}

int simulation_run(Simulation *s, SimulationRun *run) {
  Context *ctx = s->call->ctx;
  run->connection = connect_case(ctx, s->machine, s->dfg, s->binding, s->input);
  if (!run->connection) return EXIT_BAD_INPUT;
  s->wide = connect_wide(run->connection);
  if (s->asked && run->compares) run->agreement = agree_new(s->origins);
  MachineObserver observer = {.user = run, .transfer = watch};
  MachineJob *job = connect_job(run->connection);
  job->max_cycles = run->max_cycles;
  job->stalls = run->counts;
  job->snapshot = true;
  job->observer = run->nwatchers || run->agreement ? &observer : NULL;
  bool ran = run_engine(s, run, job);
  job->observer = NULL; /* it ends with this frame */
  if (!ran) return EXIT_FAULT;
  if (run->may_stop && run->machine.status == RUN_LIMIT) {
    run->result.status = RUN_LIMIT;
    return EXIT_GOOD;
  }
  run_reference_again(s, run);
  connect_result(ctx, run->connection, s->origins, &run->machine, &run->result);
  if (is_stuck(run->machine.status)) report_remedy(s);
  if (run->machine.status == RUN_LIMIT)
    diag_hint(ctx, "--max-cycles N sets another limit, --max-cycles 0 none");
  return EXIT_GOOD;
}

void simulation_run_free(SimulationRun *run) {
  run_result_free(&run->result);
  machine_result_free(&run->machine);
  machine_result_free(&run->again);
  agree_free(run->agreement);
  connect_free(run->connection);
}

bool simulation_agrees(Simulation *s, const SimulationRun *run, u32 *compared) {
  Context *ctx = s->call->ctx;
  RunOptions options = call_run_options(s->call);
  TokenOptions more = {.edges = true};
  RunResult expected;
  TokenTrace trace = {0};
  options.histories = false;
  interrupt_while("the graph ran, to be compared with the machine");
  bool good =
      token_run_traced(ctx, s->asked, s->input, &options, &more, &expected, &trace) == RUN_FINISHED;
  good = good && run_compare(ctx, "the graph", &expected, "the machine", &run->result);
  good = good && agree_compare(ctx, run->agreement, &trace, compared);
  interrupt_while(NULL);
  token_trace_free(&trace);
  run_result_free(&expected);
  return good;
}

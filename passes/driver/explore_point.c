/* explore_point.c -- evaluates one point of an exploration: from settings to a row. This is branch
 * and bound over the kernels of the point.
 *
 *     settings -> fabric, its area -> of each kernel: can it fit (counting), and the least cycles
 *              -> does the front beat that already? -> map and run one kernel after the other
 *
 * After each kernel the bound is the cycles of the kernels that were mapped and the least cycles of
 * the others; so a point may be pruned half way. The first kernel that cannot be mapped ends a
 * point: the others are skipped. The message of a failure is its first error. */
#include "driver/explore.h"
#include "driver/mapping.h"
#include "driver/steps.h"
#include "fabric/show.h"
#include "text/text.h"
#include "verify/verify.h"

#include <errno.h>
#include <unistd.h>

/* ---- axes ------------------------------------------------------------------------------------ */

/* Options that can be axes, beside fabric_plan_options: of loom adg, map and lower. */
static const char *const of_adg[] = {"--fu", "--fifo", "--pe-fifo", "--lanes"};
static const Option of_map[] = {
    NUMBER("--max-comb", "N", max_comb, "", .initial = "0"),
    NUMBER("--seed", "N", seed, "", .initial = "0"),
    OPTIONS_END,
};

static const Option of_lower[] = {OPTIMISE_LEVEL, OPTIONS_END};

static const char *axis_name(const Option *o) {
  return o->name + strspn(o->name, "-");
}

static bool is_named(const Option *o, const char *axis) {
  return strcmp(axis_name(o), axis) == 0;
}

/* Sets an axis to a value; without one only checks that there is such an axis. False where it is
 * wrong; `why` is the reason. */
static bool set_axis(Settings *set, const char *axis, const char *value, Buf *why) {
  FabricFifo fifo;
  if (strcmp(axis, "fabric") == 0) {
    set->adg = value;
    return true;
  }
  for (const Option *o = fabric_plan_options; o->name; o++)
    if (is_named(o, axis)) return !value || option_set(o, &set->plan, value, why);
  for (const Option *o = of_map; o->name; o++)
    if (is_named(o, axis)) return !value || option_set(o, set, value, why);
  for (const Option *o = of_lower; o->name; o++)
    if (is_named(o, axis)) return !value || option_set(o, set, value, why);
  for (const Option *o = options_adg; o->name; o++)
    for (size_t i = 0; i < COUNT_OF(of_adg); i++)
      if (strcmp(o->name, of_adg[i]) == 0 && is_named(o, axis)) {
        bool good = !value || !strstr(axis, "fifo") || fabric_fifo_read(value, &fifo);
        if (!good)
          buf_printf(why, "expected none, a depth from 1 to %d, or a depth and ',bypassable'",
                     FABRIC_MAX_FIFO);
        return good && (!value || option_set(o, set, value, why));
      }
  const char *names[96] = {"fabric"};
  size_t n = 1;
  for (const Option *o = fabric_plan_options; o->name; o++) names[n++] = axis_name(o);
  for (const Option *o = of_map; o->name; o++) names[n++] = axis_name(o);
  for (const Option *o = of_lower; o->name; o++) names[n++] = axis_name(o);
  for (size_t i = 0; i < COUNT_OF(of_adg); i++) names[n++] = of_adg[i] + 2;
  const char *near = nearest_name(axis, names, n);
  buf_printf(why, "unknown axis '%s'%s%s%s", axis, near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
  return false;
}

static Settings settings_without_axes(const Call *call) {
  Settings set = call->set;
  options_default((OptionTable){options_adg, &set});
  options_default((OptionTable){of_map, &set});
  options_unset((OptionTable){fabric_plan_options, &set.plan});
  set.plan.pattern = set.plan.switch_pattern = set.plan.element = NULL;
  set.adg = set.units = set.link_fifo = set.pe_fifo = set.pe_file = set.viz = set.module = NULL;
  return set;
}

static bool is_among(const char *name, const char *const *names) {
  for (size_t i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* Can the file be read? Else false; `why` is the reason. `names`: what could be meant instead. */
static bool is_there(const char *path, const char *const *names, Buf *why) {
  const char *problem = file_read_problem(path);
  if (!problem) return true;
  bool is_missing = errno == ENOENT;
  buf_str(why, is_missing ? "cannot find file '" : "'");
  buf_shown(why, path);
  if (!is_missing) {
    buf_printf(why, "' cannot be read: %s", problem);
    return false;
  }
  buf_str(why, "', which is also none of:");
  for (size_t i = 0; names[i]; i++) buf_printf(why, " %s", names[i]);
  return false;
}

static bool is_mlir(const char *path) {
  size_t len = path ? strlen(path) : 0;
  return len > 5 && strcmp(path + len - 5, ".mlir") == 0;
}

/* Can a fabric be generated with this file of units? The smallest is. */
static bool has_units(Context *ctx, const char *path) {
  const Source *source = source_read(ctx, path);
  Module *module = source ? text_parse(ctx, source) : NULL;
  FabricPlan plan = fabric_plan_default();
  Buf text = {0};
  plan.rows = plan.columns = plan.tracks = plan.inputs = plan.outputs = 1;
  plan.memories = plan.scratchpads = 0;
  plan.unit_file = module;
  bool good = module && verify_module(module) && fabric_generate(ctx, &plan, &text, NULL);
  buf_free(&text);
  module_free(module);
  return good;
}

static bool is_description(Context *ctx, const char *path) {
  const Source *source = source_read(ctx, path);
  FabricPlan plan;
  bool good = source && fabric_plan_read(ctx, source, &plan);
  if (good) fabric_plan_free(&plan);
  return good;
}

static bool is_fabric(Call *call, const char *path) {
  MapJob job = {.call = call};
  bool good = !map_job_hardware(&job, path);
  map_job_free(&job);
  return good;
}

/* A file that a plan names is read once, before anything is run, so that its errors are reported
 * first: a whole fabric (`is_whole`) or a description of one, or units. */
static bool is_readable(Call *call, const char *path, bool is_whole, Buf *why) {
  if (call->set.point != OPTION_UNSET) return true;
  if (!is_whole       ? has_units(call->ctx, path)
      : is_mlir(path) ? is_fabric(call, path)
                      : is_description(call->ctx, path))
    return true;
  buf_str(why, "'");
  buf_shown(why, path);
  buf_str(why, "' cannot be used because of the errors above");
  return false;
}

bool point_check(void *user, const char *axis, const char *value, Buf *why) {
  Call *call = user;
  Settings set = settings_without_axes(call);
  if (!set_axis(&set, axis, value, why)) return false;
  if (!value) return true;
  bool is_whole = strcmp(axis, "fabric") == 0;
  if (!is_whole && strcmp(axis, "fu") != 0) return true;
  const char *const *names = is_whole ? fabric_presets : fabric_unit_libraries;
  return is_among(value, names) ||
         (is_there(value, names, why) && is_readable(call, value, is_whole, why));
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int read_kernel(Exploration *x, u32 level, u32 at) {
  PointKernel *k = &x->kernels[level][at];
  ExploreKernel *given = &x->plan.kernels[at];
  k->call = *x->call;
  k->call.set.optimise = level;
  k->call.files = &given->file;
  k->call.nfiles = 1;
  k->call.is_of_several = x->plan.nkernels > 1;
  k->call.set.func = given->function;
  Context *ctx = k->call.ctx;
  k->module = call_read_module(&k->call);
  x->call->registry = k->call.registry; /* plugins are loaded once */
  x->call->is_wrong |= k->call.is_wrong;
  Buf why = {0};
  Op *func = k->module ? function_chosen(ctx, k->module, given->function, given->file,
                                         "\"function\"", &why)
                       : NULL;
  if (why.len) diag(ctx, given->loc, EXPLORE_PLAN, "%s", why.data);
  buf_free(&why);
  if (!func) return EXIT_BAD_INPUT;
  k->function = x->names[at] = str_of(ctx, function_name(func))->text;
  for (u32 other = 0; other < at; other++)
    if (strcmp(x->names[other], k->function) == 0) {
      diag(ctx, given->loc, EXPLORE_PLAN, "another kernel already has a function '%s'",
           k->function);
      return EXIT_BAD_INPUT;
    }
  k->input = case_read(ctx, given->input);
  if (k->input && k->input->function && strcmp(k->input->function->text, k->function) != 0) {
    diag(ctx, k->input->function_loc, EXPLORE_PLAN, "the case is for '%s', but the kernel is '%s'",
         k->input->function->text, k->function);
    return EXIT_BAD_INPUT;
  }
  if (!k->input || !programs_make(&k->programs, &k->call, k->module, k->function, k->input))
    return EXIT_BAD_INPUT;
  k->programs.is_timed = x->plan.is_goal[GOAL_TIME] || x->plan.is_goal[GOAL_CHAIN];
  return programs_run(&k->programs) ? EXIT_GOOD : EXIT_RUN_FAILED;
}

static u32 count_levels(void) {
  u32 n = 0;
  while (level_choices[n]) n++;
  return n;
}

/* Has the point of --point, or else some point of the plan, that level of -O? */
static bool is_level_used(const Exploration *x, u32 level) {
  const ExplorePlan *plan = &x->plan;
  u64 point = x->call->set.point;
  for (u32 a = 0; a < plan->naxes; a++) {
    const ExploreAxis *axis = &plan->axes[a];
    if (strcmp(axis->name, axis_name(of_lower)) != 0) continue;
    if (point < plan->npoints)
      return strcmp(explore_value(plan, point, a), level_choices[level]) == 0;
    for (u32 v = 0; v < axis->nvalues; v++)
      if (strcmp(axis->values[v], level_choices[level]) == 0) return true;
    return false;
  }
  return level == x->call->set.optimise;
}

int point_kernels(Exploration *x) {
  int status = EXIT_GOOD;
  u32 levels = count_levels();
  x->kernels = NEW_ARRAY(x->arena, PointKernel *, levels);
  x->names = NEW_ARRAY(x->arena, const char *, x->plan.nkernels);
  for (u32 l = 0; l < levels && !status; l++) {
    if (!is_level_used(x, l)) continue;
    x->kernels[l] = NEW_ARRAY(x->arena, PointKernel, x->plan.nkernels);
    for (u32 i = 0; i < x->plan.nkernels && !status; i++) status = read_kernel(x, l, i);
  }
  return status;
}

void point_kernels_free(Exploration *x) {
  for (u32 l = 0; x->kernels && l < count_levels(); l++)
    for (u32 i = 0; x->kernels[l] && i < x->plan.nkernels; i++) {
      PointKernel *k = &x->kernels[l][i];
      programs_free(&k->programs);
      case_free(k->input);
      module_free(k->module);
    }
}

/* ---- a point --------------------------------------------------------------------------------- */

typedef struct {
  Exploration *x;
  Call call;            /* with its settings */
  PointKernel *kernels; /* at its level of lowering */
  ExploreRow row;
  Module *fabric;
  Op *top;
  Adg *adg;
  Layout *layout;
  LeastRoutes *routes;
  Variants *variants;  /* by kernel */
  Variant **best;      /* by kernel: the quickest that was mapped; NULL: none yet */
  u64 *cycles, *times; /* by kernel: measured, or a lower bound */
  u32 *chains;         /* likewise */
  i64 said;            /* the offset in standard error at which the current step began */
} Point;

/* The text that the current step wrote to standard error, from the first error on: warnings may
 * come before it. Without an error, all of it. */
static const char *first_error(const Point *p, Buf *said) {
  char part[4096];
  i64 at = p->said;
  fflush(stderr);
  buf_str(said, "");
  for (ssize_t n; (n = pread(STDERR_FILENO, part, sizeof part, at)) > 0; at += n)
    buf_put(said, part, (size_t)n);
  for (const char *line = said->data; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *mark = strstr(line, "error[");
    if (mark && mark < line + strcspn(line, "\n")) return line;
  }
  return said->data;
}

/* Splits the first error of the current step, "in.mlir:2:8: error[MAP_PES]: there are ...", into
 * code and message. Without a code the line is the message. */
static void take_said(Point *p, const char **code, const char **message) {
  Buf said = {0}, text = {0};
  const char *command = p->call.command, *first = first_error(p, &said);
  const char *line = arena_printf(p->x->arena, "%.*s", (int)strcspn(first, "\n"), first);
  const char *begin = strstr(line, "]: "), *mark = strstr(line, "error[");
  size_t len = strlen(command);
  if (begin)
    begin += 3;
  else
    begin = strncmp(line, command, len) == 0 && line[len] == ':' ? line + len + 2 : line;
  buf_shown(&text, begin);
  *message = arena_copy(p->x->arena, text.len ? text.data : "", text.len + 1);
  *code = mark && mark < begin ? str_intern(p->call.ctx, mark + 6, (size_t)(begin - mark) - 9)->text
                               : code_name(EXPLORE_POINT);
  buf_free(&text);
  buf_free(&said);
}

/* Begins a step: errors and messages before it are not those of its failure. */
static void begin_step(Point *p) {
  fflush(stderr);
  p->call.ctx->errors = 0;
  p->said = lseek(STDERR_FILENO, 0, SEEK_CUR);
}

static void fail_point(Point *p) {
  p->row.status = ROW_FAILED;
  take_said(p, &p->row.code, &p->row.message);
}

static void fail_kernel(Point *p, u32 k) {
  ExploreResult *r = &p->row.results[k];
  r->status = ROW_FAILED;
  take_said(p, &r->code, &r->message);
  if (p->row.status == ROW_FAILED) return;
  p->row.status = ROW_FAILED;
  p->row.code = r->code;
  p->row.message = str_printf(p->call.ctx, "%s: %s", p->row.names[k], r->message)->text;
}

static bool make_fabric(Point *p) {
  Context *ctx = p->call.ctx;
  const char *base = p->call.set.adg;
  Buf text = {0};
  if (is_mlir(base)) {
    p->fabric = call_read_fabric(&p->call, base, true, &p->top);
  } else if (!call_make_fabric(&p->call, base, &text)) {
    const Source *source = source_from_memory(ctx, "the fabric of the point", text.data, text.len);
    p->fabric = source ? text_parse(ctx, source) : NULL;
    p->top = p->fabric && verify_module(p->fabric) ? adg_top(p->fabric, NULL) : NULL;
  }
  buf_free(&text);
  p->adg = p->top ? adg_flatten(ctx, p->top) : NULL;
  p->layout = p->adg ? layout_new(ctx, p->adg) : NULL;
  p->routes = p->layout ? least_routes_new(p->adg) : NULL;
  if (p->layout) p->row.area = adg_whole_area(p->adg);
  return p->layout;
}

/* Can the kernel fit, and in how many cycles at best? */
static void bound_kernel(Point *p, u32 k) {
  Variants *variants = &p->variants[k];
  begin_step(p);
  variants_bound(variants, &p->kernels[k].programs, p->adg, p->routes);
  if (variants->fits) {
    p->row.results[k].bound = variants->least;
    p->cycles[k] = variants->least + p->x->raise;
    p->chains[k] = variants->chain ? variants->chain : 1;
    p->times[k] = (variants->time ? variants->time : variants->least) + p->x->raise * p->chains[k];
    p->row.results[k].status = ROW_SKIPPED;
  } else {
    fail_kernel(p, k);
  }
}

/* Does the front beat the bounds of the point? Then it is pruned. */
static bool is_beaten(Point *p) {
  ExploreFigures *f = &p->row.figures;
  *f = explore_figures(&p->x->plan, p->row.area, p->cycles, p->times, p->chains);
  const FrontPoint *by = front_beats(&p->x->plan, &p->x->front, f);
  if (!by) return false;
  p->row.status = ROW_PRUNED;
  p->row.by = by->point;
  return true;
}

static const char *loops_of(Point *p, const Variant *c) {
  Buf text = {0};
  if (!c->program->choice.level) return NULL;
  loop_choice_print(p->call.ctx, &c->program->choice, &text);
  const char *kept = arena_copy(p->x->arena, text.data, text.len + 1);
  buf_free(&text);
  return kept;
}

static bool map_kernel(Point *p, u32 k) {
  Context *ctx = p->call.ctx;
  ExploreResult *r = &p->row.results[k];
  const PointKernel *kernel = &p->kernels[k];
  Variants *variants = &p->variants[k];
  MapOptions options = {
      .seed = p->call.set.seed, .max_chain = p->call.set.max_comb, .max_rounds = p->x->plan.rounds};
  u64 most = p->x->plan.max_cycles;
  begin_step(p);
  Variant *best = p->best[k] = variants_map(variants, &kernel->programs, p->layout, &options, most);
  if (!best && variants->at[0].mapping && !ctx->errors)
    diag(ctx, LOC_NONE, RT_LIMIT, "the case does not finish within %llu cycles",
         (unsigned long long)most);
  if (!best) {
    fail_kernel(p, k);
    return false;
  }
  if (best->cycles < best->least)
    loom_bug("%s takes %llu cycles, less than its lower bound of %llu", kernel->function,
             (unsigned long long)best->cycles, (unsigned long long)best->least);
  u32 chain = best->mapping->chain.length ? best->mapping->chain.length : 1;
  if (chain < best->chain || best->cycles * chain < best->time)
    loom_bug("%s has a chain of %u and %llu cycles, but lower bounds of %u for the chain and %llu "
             "for the product",
             kernel->function, chain, (unsigned long long)best->cycles, best->chain,
             (unsigned long long)best->time);
  r->status = ROW_MAPPED;
  r->cycles = p->cycles[k] = best->cycles;
  r->ii = best->mapping->stats.ii;
  r->chain = best->mapping->chain.length;
  p->chains[k] = chain;
  p->times[k] = best->cycles * chain;
  r->loops = loops_of(p, best);
  return true;
}

/* Kernels by their number of nodes: mapping the smallest costs least, and may suffice to prune the
 * point. An insertion sort. */
static u32 *mapping_order(const Point *p) {
  u32 n = p->x->plan.nkernels, *order = NEW_ARRAY(p->x->arena, u32, n);
  for (u32 k = 0; k < n; k++) {
    u32 at = k, nodes = p->kernels[k].programs.at[0]->dfg->nnodes;
    for (; at && p->kernels[order[at - 1]].programs.at[0]->dfg->nnodes > nodes; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  return order;
}

static void evaluate_kernels(Point *p) {
  u32 n = p->x->plan.nkernels;
  for (u32 k = 0; k < n; k++) bound_kernel(p, k);
  if (p->row.status == ROW_FAILED) return;
  const u32 *order = mapping_order(p);
  for (u32 k = 0; k < n && p->row.status != ROW_FAILED; k++)
    if (is_beaten(p) || !map_kernel(p, order[k])) return;
  if (p->row.status != ROW_FAILED)
    p->row.figures = explore_figures(&p->x->plan, p->row.area, p->cycles, p->times, p->chains);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_files(Point *p, const char *dir) {
  Context *ctx = p->call.ctx;
  Buf text = {0};
  text_print(p->fabric, (PrintOptions){0}, &text); /* before a mapping configures it */
  bool good = file_make_dir(ctx, dir) &&
              file_write(ctx, str_printf(ctx, "%s/fabric.mlir", dir)->text, text.data, text.len);
  for (u32 k = 0; k < p->x->plan.nkernels && good; k++) {
    const Variant *best = p->best[k];
    if (!best) continue;
    MapJob borrowed = {.call = &p->call,
                       .function = p->x->names[k],
                       .fabric = p->fabric,
                       .graph = best->graph,
                       .top = p->top,
                       .adg = p->adg,
                       .layout = p->layout,
                       .dfg = best->dfg,
                       .mapping = best->mapping};
    good = !map_job_write(&borrowed, dir);
  }
  buf_free(&text);
  return good;
}

/* ---- entry points ---------------------------------------------------------------------------- */

void point_options(const Exploration *x, Buf *out) {
  const Settings *set = &x->call->set;
  Context *ctx = x->call->ctx;
  if (set->optimise) buf_printf(out, " -O%s", level_choices[set->optimise]);
  if (set->order) buf_printf(out, " --order %s", set->order);
  for (size_t i = 0; i < set->plugins.len; i++)
    buf_printf(out, " --plugin %s", shell_quoted(ctx, set->plugins.at[i]));
  for (size_t i = 0; i < set->reads.len; i++)
    buf_printf(out, " --read %s", shell_quoted(ctx, set->reads.at[i]));
}

const char *point_command(const Exploration *x, u64 point) {
  Buf out = {0};
  buf_printf(&out, "loom explore %s --point %llu", x->quoted, (unsigned long long)point);
  point_options(x, &out);
  const char *kept = arena_copy(x->arena, out.data, out.len + 1);
  buf_free(&out);
  return kept;
}

static Point point_begin(Exploration *x, u64 point) {
  Arena *a = x->arena;
  u32 n = x->plan.nkernels;
  Point p = {.x = x, .call = *x->call, .row = row_new(a, point, n)};
  Buf why = {0};
  p.call.set = settings_without_axes(x->call);
  for (u32 i = 0; i < x->plan.naxes; i++)
    set_axis(&p.call.set, x->plan.axes[i].name, explore_value(&x->plan, point, i), &why);
  buf_free(&why); /* empty: point_check has accepted the values */
  p.variants = NEW_ARRAY(a, Variants, n);
  p.best = NEW_ARRAY(a, Variant *, n);
  p.cycles = NEW_ARRAY(a, u64, n);
  p.times = NEW_ARRAY(a, u64, n);
  p.chains = NEW_ARRAY(a, u32, n);
  for (u32 k = 0; k < n; k++) {
    p.row.names[k] = x->names[k];
    p.row.results[k].status = ROW_SKIPPED;
    p.chains[k] = 1;
  }
  p.kernels = x->kernels[p.call.set.optimise];
  p.row.command = point_command(x, point);
  return p;
}

static void point_end(Point *p) {
  for (u32 k = 0; k < p->x->plan.nkernels; k++) variants_free(&p->variants[k]);
  least_routes_free(p->routes);
  layout_free(p->layout);
  adg_free(p->adg);
  module_free(p->fabric);
}

ExploreRow point_run(Exploration *x, u64 point, const char *dir) {
  Context *ctx = x->call->ctx;
  Point p = point_begin(x, point);
  bool colour = ctx->colour;
  ctx->colour = false; /* messages are taken from standard error, which is a file */
  begin_step(&p);
  if (make_fabric(&p))
    evaluate_kernels(&p);
  else
    fail_point(&p);
  if (dir && p.adg && !write_files(&p, dir)) fail_point(&p);
  ctx->colour = colour;
  point_end(&p);
  return p.row;
}

/* remedy.c -- finds the smallest change of one fifo that resolves a deadlock. See remedy.h. */
#include "machine/remedy.h"

#include "config/configured.h"

typedef struct {
  u32 component;
  bool is_bypassed;
  bool is_buffer; /* the operand buffer of a temporal PE, not its registers */
  u32 depth;      /* in the fabric */
} ChangeableFifo;

typedef struct {
  Context *ctx;
  const Image *image;
  const RemedyTrial *trial;
  Vec(ChangeableFifo) fifos; /* those on routes */
  u64 steps;                 /* steps of units that the search may still take */
  bool is_long;              /* a run did not end within them */
} RemedySearch;

/* ---- the fifos on routes --------------------------------------------------------------------- */

static void add_fifo(RemedySearch *s, u32 component, bool is_bypassed, u32 depth) {
  ChangeableFifo fifo = {component, is_bypassed, false, depth};
  vec_push(&s->fifos, fifo);
}

static void add_pe(RemedySearch *s, u32 component, const AdgPe *pe) {
  if (pe->reg_fifo_depth) add_fifo(s, component, false, pe->reg_fifo_depth);
  if (!pe->operand_buffer) return;
  ChangeableFifo buffer = {component, false, true, pe->operand_buffer};
  vec_push(&s->fifos, buffer);
}

/* Never makes a fifo shallower: where all are tried together one may be deeper already. */
static void deepen(Machine *m, const ChangeableFifo *fifo, u32 depth) {
  if (depth < fifo->depth) return;
  if (fifo->is_buffer)
    machine_set_buffer(m, fifo->component, depth);
  else
    machine_set_depth(m, fifo->component, depth);
}

static void find_fifos(RemedySearch *s) {
  Configured *conf = configured_new(s->ctx, s->image);
  const Adg *adg = conf->adg;
  bool *passed = mem_alloc(mem_size((size_t)adg->ncomponents + 1, sizeof *passed));
  for (u32 h = 0; h < conf->nhops; h++) passed[adg->ports[conf->hops[h].port].component] = true;
  for (u32 k = 0; k < conf->nsources; k++)
    if (conf->sources[k].kind == CONF_RESULT && conf->sources[k].port == ADG_NONE)
      passed[adg->pes[conf->units[conf->sources[k].of].pe].component] = true;
  for (u32 c = 0; c < adg->ncomponents; c++) {
    const AdgComponent *at = &adg->components[c];
    if (passed[c] && at->kind == ADG_FIFO)
      add_fifo(s, c, image_get(s->image, c, field_of(FIELD_BYPASSED, 0, 0)) != 0,
               adg->fifos[at->detail].depth);
    if (passed[c] && at->kind == ADG_TEMPORAL_PE) add_pe(s, c, &adg->pes[at->detail]);
  }
  mem_free(passed);
  configured_free(conf);
}

/* ---- trying ---------------------------------------------------------------------------------- */

/* Tries fifo `which`, or all with MACHINE_NONE, in use and so deep. True where the run finishes. */
static bool try_depth(RemedySearch *s, u32 which, u32 depth, u64 *cycles) {
  Image image = *s->image;
  image.words = mem_alloc(mem_size((size_t)image.nwords + 1, sizeof *image.words));
  memcpy(image.words, s->image->words, image.nwords * sizeof *image.words);
  for (u32 i = 0; i < s->fifos.len; i++)
    if ((which == MACHINE_NONE || which == i) && s->fifos.at[i].is_bypassed)
      image_set(&image, s->fifos.at[i].component, field_of(FIELD_BYPASSED, 0, 0), 0);
  Machine *m = machine_build(s->ctx, &image);
  int ended = 1;
  if (m) {
    for (u32 i = 0; i < s->fifos.len; i++)
      if (which == MACHINE_NONE || which == i) deepen(m, &s->fifos.at[i], depth);
    u64 most = s->steps / (m->nunits + 1) + 1;
    ended = s->is_long ? -1 : s->trial->run(s->trial->user, m, most, cycles);
    s->is_long = ended < 0;
    s->steps -= ended < 0 ? s->steps : s->steps / most * (*cycles < most ? *cycles : most);
  }
  machine_free(m);
  mem_free(image.words);
  return ended == 0;
}

/* The least depth, up to `most`, with which this fifo alone resolves the deadlock; 0: none does. */
static u32 least_depth(RemedySearch *s, u32 which, u32 most, u64 *cycles) {
  const ChangeableFifo *fifo = &s->fifos.at[which];
  u32 low = fifo->is_bypassed ? fifo->depth : fifo->depth + 1, high = most;
  u64 then = 0;
  if (low > most || !try_depth(s, which, most, cycles)) return 0;
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    if (try_depth(s, which, middle, &then)) {
      high = middle;
      *cycles = then;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

static void try_each(RemedySearch *s, Remedy *best) {
  u32 extra = REMEDY_DEEP; /* additional places of the best so far, which others must undercut */
  for (u32 i = 0; i < s->fifos.len && extra && !s->is_long; i++) {
    const ChangeableFifo *fifo = &s->fifos.at[i];
    u64 cycles = 0;
    u32 depth = least_depth(s, i, fifo->depth + extra - 1, &cycles);
    if (!depth || s->is_long) continue;
    extra = depth - fifo->depth;
    *best = (Remedy){.answer = REMEDY_FOUND,
                     .component = fifo->component,
                     .is_bypassed = fifo->is_bypassed,
                     .is_buffer = fifo->is_buffer,
                     .had = fifo->depth,
                     .depth = depth,
                     .cycles = cycles};
  }
}

Remedy remedy_find(Context *ctx, const Image *image, const RemedyTrial *trial) {
  RemedySearch s = {.ctx = ctx, .image = image, .trial = trial, .steps = 100000000};
  Remedy r = {.answer = REMEDY_NO_FIFO};
  u64 cycles = 0;
  QuietScope quiet = diag_quiet(ctx); /* diagnostics of the trials were reported before */
  find_fifos(&s);
  if (s.fifos.len) {
    bool is_resolved = try_depth(&s, MACHINE_NONE, REMEDY_DEEP, &cycles);
    r.answer = is_resolved ? REMEDY_SEVERAL : REMEDY_NONE;
    if (r.answer == REMEDY_SEVERAL) try_each(&s, &r);
    if (s.is_long && r.answer != REMEDY_FOUND) r.answer = REMEDY_LONG;
  }
  r.nfifos = (u32)s.fifos.len;
  diag_quiet_end(ctx, &quiet);
  vec_free(&s.fifos);
  return r;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void report_found(Context *ctx, const Adg *adg, const Remedy *r) {
  const char *name = adg_name(adg, r->component);
  unsigned long long cycles = (unsigned long long)r->cycles;
  if (r->is_buffer)
    diag_hint(ctx,
              "with an operand buffer of %u places in '%s' instead of %u, the run ends after %llu "
              "cycles (simulated)",
              r->depth, name, r->had, cycles);
  else if (adg->components[r->component].kind == ADG_TEMPORAL_PE)
    diag_hint(
        ctx,
        "with registers of '%s' %u deep instead of %u, the run ends after %llu cycles (simulated)",
        name, r->depth, r->had, cycles);
  else if (r->is_bypassed && r->depth == r->had)
    diag_hint(ctx,
              "with fifo '%s' not bypassed (depth %u), the run ends after %llu cycles (simulated)",
              name, r->had, cycles);
  else
    diag_hint(ctx,
              "with fifo '%s' %s%u deep instead of %u, the run ends after %llu cycles (simulated)",
              name, r->is_bypassed ? "not bypassed and " : "", r->depth, r->had, cycles);
}

void remedy_report(Context *ctx, const Adg *adg, const Remedy *r) {
  const char *all = r->nfifos == 1 ? "the one fifo" : "all fifos";
  switch (r->answer) {
  case REMEDY_FOUND: report_found(ctx, adg, r); break;
  case REMEDY_NO_FIFO: diag_hint(ctx, "no fifo helps: none is on the route of any token"); break;
  case REMEDY_NONE:
    diag_hint(
        ctx,
        "no fifo helps: even with %s on the routes enabled and %d deep, the run stops (simulated)",
        all, REMEDY_DEEP);
    break;
  case REMEDY_SEVERAL:
    diag_hint(ctx,
              "no single fifo helps; with all %u on the routes enabled and %d deep, the run ends "
              "(simulated)",
              r->nfifos, REMEDY_DEEP);
    break;
  case REMEDY_LONG:
    diag_hint(ctx, "it is not known whether a larger fifo helps: simulating that takes too long");
    break;
  }
}

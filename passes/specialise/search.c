/* search.c -- removes from a fabric what some kernels can do without.
 *
 *     PE        used by     unit of it    area
 *     pe_1_2    dot         muli           390        tried first: few kernels, much area
 *     pe_0_0    dot fir     addi            34        tried last
 *
 * First PEs that no mapping uses go, then those that few kernels use, then single units that cost
 * much: half of the list at once, and where that was too much a quarter, and so on down to one
 * (delta debugging; Zeller and Hildebrandt, IEEE TSE 2002). Whoever has lost a unit is mapped
 * again, from where it was, onto what is left of the whole fabric, with all its wires. A step is
 * kept if all kernels still map, none costs more than it may, and what they use together is smaller
 * than before. Where one was kept the list is made anew: it gets shorter with every step kept, and
 * chunks get smaller with every round in which none was, so it ends. Each step costs a mapping and
 * a run of each kernel that has lost something; there are at most `steps` of them for each slack.
 *
 * Such a search is greedy: what a larger slack allows first may lead where less can be taken away
 * in the end. So it begins without any, and goes on from there with 1, 2, 5, 10, ... percent, up to
 * what is allowed. A fabric with more slack is thus never larger than one with less of that row.
 * Where nothing that was tried in vain would have needed so little, a slack is passed over.
 *
 * At the end only what is in use is left, wires and all, and the mappings are brought onto that. */
#include "base/interrupt.h"
#include "fabric/show.h"
#include "specialise/specialise.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>

/* ---- parts ---------------------------------------------------------------------------------- */

void part_free(FabricPart *b) {
  layout_free(b->layout);
  adg_free(b->adg);
  module_free(b->module);
  *b = (FabricPart){0};
}

/* The fabric of what stays. It comes from a verified one: that it is one is not in doubt. */
static bool part_of_use(Context *ctx, const FabricUse *use, FabricPart *b) {
  Buf text = {0};
  use_print(ctx, use, &text);
  const Source *source = source_from_memory(ctx, "the part in use", text.data, text.len);
  *b = (FabricPart){.module = source ? text_parse(ctx, source) : NULL};
  bool good = b->module && verify_module(b->module);
  b->top = good ? adg_top(b->module, NULL) : NULL;
  b->adg = b->top ? adg_flatten(ctx, b->top) : NULL;
  b->layout = b->adg ? layout_new(ctx, b->adg) : NULL;
  buf_free(&text);
  if (!b->layout) part_free(b);
  return b->layout;
}

static FabricUse *use_of_kernels(const Specialisation *s) {
  FabricUse *use = use_new(s->part.adg);
  for (u32 k = 0; k < s->nkernels; k++) use_add(use, s->kernels[k].mapping);
  use_decide(use);
  return use;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static u64 allowed(const SpecialiseKernel *k, u32 slack) {
  return k->before + k->before * slack / 100;
}

/* Is a trial quick enough? Else the slack that it would need is noted. */
static bool is_quick(Specialisation *s, SpecialiseKernel *k) {
  u32 most = s->slack ? SPECIALISE_MOST_SLACK : 0;
  k->trial_cost = s->cost(s->ctx, k, k->trial, allowed(k, most));
  if (k->trial_cost && k->trial_cost <= allowed(k, s->allowed)) return true;
  for (u32 need = s->allowed + 1; k->trial_cost && need < s->needed; need++)
    if (k->trial_cost <= allowed(k, need)) s->needed = need;
  return false;
}

/* Where its clusters were, for the mapper to begin with, as nodes and PEs of the part. */
static MapPin *places_of(const SpecialiseKernel *k, const FabricUse *use, const Adg *part, u32 *n) {
  const Mapping *m = k->mapping;
  MapPin *pins = mem_alloc(mem_size((size_t)m->dfg->nnodes + 1, sizeof *pins));
  u32 *pes = mem_alloc(mem_size((size_t)use->adg->npes + 1, sizeof *pes));
  for (u32 i = 0, at = 0; i < use->adg->ncomponents; i++) {
    const AdgComponent *c = &use->adg->components[i];
    if (adg_is_pe(c)) pes[c->detail] = use->stays[i] ? part->components[at].detail : ADG_NONE;
    at += use->stays[i];
  }
  *n = 0;
  for (u32 c = 0; c < m->cover->nclusters; c++) {
    const MapCluster *cluster = &m->cover->clusters[c];
    u32 pe = pes[m->places[c].pe];
    for (u32 i = 0; i < cluster->nnodes && pe != ADG_NONE; i++)
      pins[(*n)++] = (MapPin){m->cover->nodes[cluster->first_node + i], pe};
  }
  mem_free(pes);
  return pins;
}

/* Maps a kernel anew onto the part, if it must be. False: it cannot be, or is too slow. */
static bool try_kernel(Specialisation *s, SpecialiseKernel *k, const FabricUse *use,
                       const FabricPart *part) {
  Context *ctx = s->ctx;
  if (use_covers(use, k->mapping)) return true;
  MapOptions options = mapping_options_default();
  MapPin *pins = places_of(k, use, part->adg, &options.nhints);
  options.hints = pins;
  options.seed = s->seed;
  k->trial = mapping_graph(ctx, k->dfg, part->layout, &options);
  mem_free(pins);
  return k->trial && is_quick(s, k);
}

/* The area of what the kernels would use together: those mapped anew on the part, and the others.
 */
static u64 area_in_use(const Specialisation *s, const FabricUse *decided, const FabricPart *part) {
  FabricUse *in_use = use_new(s->part.adg);
  for (u32 i = 0; i < s->nkernels; i++) {
    const SpecialiseKernel *k = &s->kernels[i];
    if (!k->trial) {
      use_add(in_use, k->mapping);
      continue;
    }
    FabricUse *own = use_new(part->adg);
    use_add(own, k->trial);
    use_lift(in_use, decided, own);
    use_free(own);
  }
  FabricPart small;
  use_decide(in_use);
  u64 area = part_of_use(s->ctx, in_use, &small) ? adg_whole_area(small.adg) : UINT64_MAX;
  part_free(&small);
  use_free(in_use);
  return area;
}

static void forget_trials(Specialisation *s) {
  for (u32 k = 0; k < s->nkernels; k++) {
    mapping_free(s->kernels[k].trial);
    s->kernels[k].trial = NULL;
  }
}

static void take_trials(Specialisation *s, const FabricUse *decided, const FabricPart *part) {
  for (u32 i = 0; i < s->nkernels; i++) {
    SpecialiseKernel *k = &s->kernels[i];
    if (!k->trial) {
      use_carry(decided, k->mapping, part->layout);
      continue;
    }
    mapping_free(k->mapping);
    k->mapping = k->trial;
    k->cost = k->trial_cost;
    k->trial = NULL;
  }
}

/* Goes on with what is left of the whole, if that is good. */
static bool try_part(Specialisation *s, FabricUse *use) {
  FabricPart part;
  QuietScope quiet = diag_quiet(s->ctx);
  s->tried++;
  use_decide(use);
  bool good = part_of_use(s->ctx, use, &part);
  for (u32 k = 0; k < s->nkernels && good; k++) {
    good = try_kernel(s, &s->kernels[k], use, &part);
    interrupt_tick();
  }
  u64 area = good ? area_in_use(s, use, &part) : UINT64_MAX;
  good = area < s->area;
  diag_quiet_end(s->ctx, &quiet);
  if (good) {
    take_trials(s, use, &part);
    part_free(&s->part);
    s->part = part;
    s->area = area;
    s->needed = SPECIALISE_MOST_SLACK + 1;
    s->kept++;
  } else {
    forget_trials(s);
    part_free(&part);
  }
  return good;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* What may be taken away at once: the units in use of a PE, or one of them. */
typedef struct {
  u32 pe, unit; /* unit: of Adg.fus; ADG_NONE: all */
  u32 users;    /* kernels that use it, */
  u64 who;      /* a bit each */
  u64 area;
} Item;
typedef Vec(Item) Items;

static int by_worth(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->users != y->users) return x->users < y->users ? -1 : 1;
  if (x->who != y->who) return x->who < y->who ? -1 : 1;
  if (x->area != y->area) return x->area > y->area ? -1 : 1;
  if (x->pe != y->pe) return x->pe < y->pe ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* By function unit, and behind them by PE: which kernels use it, a bit each. */
static u64 *users_of(const Specialisation *s) {
  const Adg *adg = s->part.adg;
  u64 *users = mem_alloc(mem_size((size_t)adg->nfus + adg->npes + 1, sizeof *users));
  for (u32 k = 0; k < s->nkernels; k++) {
    FabricUse *use = use_new(adg);
    use_add(use, s->kernels[k].mapping);
    for (u32 f = 0; f < adg->nfus; f++)
      if (use->units[f]) {
        users[f] |= (u64)1 << k;
        users[adg->nfus + adg->fus[f].pe] |= (u64)1 << k;
      }
    use_free(use);
  }
  return users;
}

static u32 count_bits(u64 bits) {
  u32 n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}

static Items items_of(const Specialisation *s, bool whole_pes) {
  const Adg *adg = s->part.adg;
  Items items = {0};
  u64 *users = users_of(s);
  for (u32 pe = 0; pe < adg->npes; pe++) {
    u64 area = 0, who = users[adg->nfus + pe];
    for (u32 f = adg->pes[pe].first_fu; f < adg->pes[pe].first_fu + adg->pes[pe].nfus; f++) {
      u64 own = users[f] ? adg_body_area(adg, &adg->bodies[adg->fus[f].body]) : 0;
      area += own;
      if (own && !whole_pes) vec_push(&items, ((Item){pe, f, count_bits(users[f]), users[f], own}));
    }
    if (who && whole_pes) vec_push(&items, ((Item){pe, ADG_NONE, count_bits(who), who, area}));
  }
  mem_free(users);
  if (items.len) qsort(items.at, items.len, sizeof *items.at, by_worth);
  return items;
}

static void take_away(FabricUse *use, const Item *item) {
  const AdgPe *pe = &use->adg->pes[item->pe];
  if (item->unit != ADG_NONE) use->units[item->unit] = false;
  for (u32 f = 0; f < pe->nfus && item->unit == ADG_NONE; f++) use->units[pe->first_fu + f] = false;
}

/* PEs without a use; what units the others have besides may still be of use. */
static void take_unused_pes(Specialisation *s) {
  FabricUse *use = use_of_all(s->part.adg), *in_use = use_of_kernels(s);
  for (u32 pe = 0; pe < use->adg->npes; pe++) {
    Item item = {.pe = pe, .unit = ADG_NONE};
    if (!in_use->stays[use->adg->pes[pe].component]) take_away(use, &item);
  }
  u64 area = s->area++;
  try_part(s, use);
  s->area = area;
  use_free(in_use);
  use_free(use);
}

/* Items first to first + n - 1 at once. */
static bool try_items(Specialisation *s, const Items *items, size_t first, size_t n) {
  FabricUse *use = use_of_all(s->part.adg);
  for (size_t i = first; i < first + n && i < items->len; i++) take_away(use, &items->at[i]);
  bool good = try_part(s, use);
  use_free(use);
  if (s->progress) s->progress(s);
  return good;
}

/* Chunk after chunk; where one went, what there is has changed, and it begins again. */
static void take_as_many(Specialisation *s, bool whole_pes) {
  Items items = items_of(s, whole_pes);
  size_t chunk = (items.len + 1) / 2, first = 0;
  while (chunk && items.len && s->tried < s->most) {
    if (try_items(s, &items, first, chunk)) {
      vec_free(&items);
      items = items_of(s, whole_pes);
      if (chunk > items.len) chunk = items.len;
      first = 0;
    } else if ((first += chunk) >= items.len) {
      chunk = chunk == 1 ? 0 : (chunk + 1) / 2;
      first = 0;
    }
  }
  vec_free(&items);
}

/* With so many percent of slack, if any step since the last that was kept would have needed no
 * more. */
static void take_away_all(Specialisation *s, u32 slack) {
  if (s->needed > slack) return;
  s->allowed = slack;
  s->needed = SPECIALISE_MOST_SLACK + 1;
  s->most = s->tried + s->steps;
  take_as_many(s, true);
  take_as_many(s, false);
}

static bool keep_what_is_used(Specialisation *s) {
  FabricPart part;
  FabricUse *use = use_of_kernels(s);
  bool good = part_of_use(s->ctx, use, &part);
  if (good) {
    take_trials(s, use, &part);
    part_free(&s->part);
    s->part = part;
    s->area = adg_whole_area(part.adg);
  }
  use_free(use);
  return good;
}

static const u32 slacks[] = {0, 1, 2, 5, 10, 20, 50, 100, 200, 500};

bool specialise_search(Specialisation *s) {
  FabricPart small;
  FabricUse *use = use_of_kernels(s);
  bool good = part_of_use(s->ctx, use, &small);
  s->of_whole = adg_whole_area(s->part.adg);
  s->area = good ? adg_whole_area(small.adg) : 0;
  part_free(&small);
  use_free(use);
  if (!good) return false;
  take_unused_pes(s);
  s->needed = 0;
  for (u32 i = 0; i < COUNT_OF(slacks) && slacks[i] < s->slack; i++) take_away_all(s, slacks[i]);
  take_away_all(s, s->slack);
  return keep_what_is_used(s);
}

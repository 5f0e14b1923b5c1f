/* search.c -- specialises a fabric: removes PEs and units that some kernels can do without.
 *
 *     PE        used by     unit of it    area
 *     pe_1_2    dot         muli           390        tried first: few kernels, much area
 *     pe_0_0    dot fir     addi            34        tried last
 *
 * First PEs that no mapping uses are removed; then PEs, fewest users first; then single units,
 * fewest users and largest area first. Half of the list is tried at once, then chunks of a quarter,
 * and so on down to one item (delta debugging; Zeller and Hildebrandt, IEEE TSE 2002). Kernels that
 * used a removed unit are mapped again, starting from their previous placement, onto the remaining
 * fabric with all its wires. A step is kept if all kernels still map, none exceeds its slack, and
 * the area of what they use together has decreased; then the list is made again. After a round
 * without a kept step, chunks get smaller. So the search ends, even without a limit of steps.
 *
 * The search is greedy: a step that only a large slack allows may prevent others later. So it
 * starts with a slack of 0 and continues from there with 1, 2, 5, 10, ... percent, up to the given
 * slack; among these, a larger slack never gives a larger fabric. A slack is skipped if no step
 * that was rejected since the last kept one would have been accepted with it.
 *
 * At the end only the part in use is left, wires included, and the mappings are transferred to it.
 *
 * Cost: a step maps and runs each kernel that has lost something, and prints and flattens two parts
 * of the fabric; there are at most `steps` steps for each slack. */
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

/* The part of a decided use as a fabric: printed, parsed, verified and flattened. False only after
 * a fault of LOOM. */
static bool part_of_use(Context *ctx, const FabricUse *use, FabricPart *b) {
  Buf text = {0};
  use_print(ctx, use, &text);
  const Source *source = source_from_memory(ctx, "the part in use", text.data, text.len);
  *b = (FabricPart){.module = source ? text_parse(ctx, source) : NULL};
  bool is_ok = b->module && verify_module(b->module);
  b->top = is_ok ? adg_top(b->module, NULL) : NULL;
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

static u64 cost_limit(const SpecialiseKernel *k, u32 slack) {
  return k->before + k->before * slack / 100;
}

/* Runs a trial: true if its cost is within the current slack; else records the slack needed. */
static bool is_within_slack(Specialisation *s, SpecialiseKernel *k) {
  u32 most = s->slack ? SPECIALISE_MOST_SLACK : 0;
  k->trial_cost = s->cost(s->ctx, k, k->trial, cost_limit(k, most));
  if (k->trial_cost && k->trial_cost <= cost_limit(k, s->allowed)) return true;
  for (u32 need = s->allowed + 1; k->trial_cost && need < s->needed; need++)
    if (k->trial_cost <= cost_limit(k, need)) s->needed = need;
  return false;
}

/* The previous placement of a kernel as hints for mapping it onto the part: the PE of each node. */
static MapPin *placement_hints(const SpecialiseKernel *k, const FabricUse *use, const Adg *part,
                               u32 *n) {
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

/* Maps a kernel again onto the part, if its mapping uses something removed. False if it cannot be
 * mapped, or is too slow. */
static bool try_kernel(Specialisation *s, SpecialiseKernel *k, const FabricUse *use,
                       const FabricPart *part) {
  Context *ctx = s->ctx;
  if (use_covers(use, k->mapping)) return true;
  MapOptions options = mapping_options_default();
  MapPin *pins = placement_hints(k, use, part->adg, &options.nhints);
  options.hints = pins;
  options.seed = s->seed;
  k->trial = mapping_graph(ctx, k->dfg, part->layout, &options);
  mem_free(pins);
  return k->trial && is_within_slack(s, k);
}

/* The area that all kernels would use together, those with a trial mapping and the others. */
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

static void drop_trials(Specialisation *s) {
  for (u32 k = 0; k < s->nkernels; k++) {
    mapping_free(s->kernels[k].trial);
    s->kernels[k].trial = NULL;
  }
}

/* Makes the trials the kernels' mappings, and transfers the other mappings to the part. */
static void accept_trials(Specialisation *s, const FabricUse *decided, const FabricPart *part) {
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

/* A step: continues with the part `use`, if all kernels map onto it and use less area. */
static bool try_part(Specialisation *s, FabricUse *use) {
  FabricPart part;
  QuietScope quiet = diag_quiet(s->ctx);
  s->tried++;
  use_decide(use);
  bool is_ok = part_of_use(s->ctx, use, &part);
  for (u32 k = 0; k < s->nkernels && is_ok; k++) {
    is_ok = try_kernel(s, &s->kernels[k], use, &part);
    interrupt_tick();
  }
  u64 area = is_ok ? area_in_use(s, use, &part) : UINT64_MAX;
  is_ok = area < s->area;
  diag_quiet_end(s->ctx, &quiet);
  if (is_ok) {
    accept_trials(s, use, &part);
    part_free(&s->part);
    s->part = part;
    s->area = area;
    s->needed = SPECIALISE_MOST_SLACK + 1;
    s->kept++;
  } else {
    drop_trials(s);
    part_free(&part);
  }
  return is_ok;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* A candidate for removal: all units of a PE, or one of its units that is in use. */
typedef struct {
  u32 pe, unit; /* unit: of Adg.fus; ADG_NONE: all */
  u32 nusers;   /* the number of kernels that use it */
  u64 users;    /* a bit for each of them */
  u64 area;     /* of the units in use */
} Item;
typedef Vec(Item) Items;

/* The order in which items are tried. */
static int by_worth(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->nusers != y->nusers) return x->nusers < y->nusers ? -1 : 1;
  if (x->users != y->users) return x->users < y->users ? -1 : 1;
  if (x->area != y->area) return x->area > y->area ? -1 : 1;
  if (x->pe != y->pe) return x->pe < y->pe ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* The kernels that use each function unit, and then each PE, as bits. */
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
    u64 area = 0, pe_users = users[adg->nfus + pe];
    for (u32 f = adg->pes[pe].first_fu; f < adg->pes[pe].first_fu + adg->pes[pe].nfus; f++) {
      u64 own = users[f] ? adg_body_area(adg, &adg->bodies[adg->fus[f].body]) : 0;
      area += own;
      if (own && !whole_pes) vec_push(&items, ((Item){pe, f, count_bits(users[f]), users[f], own}));
    }
    if (pe_users && whole_pes)
      vec_push(&items, ((Item){pe, ADG_NONE, count_bits(pe_users), pe_users, area}));
  }
  mem_free(users);
  if (items.len) qsort(items.at, items.len, sizeof *items.at, by_worth);
  return items;
}

static void remove_item(FabricUse *use, const Item *item) {
  const AdgPe *pe = &use->adg->pes[item->pe];
  if (item->unit != ADG_NONE) use->units[item->unit] = false;
  for (u32 f = 0; f < pe->nfus && item->unit == ADG_NONE; f++) use->units[pe->first_fu + f] = false;
}

/* Removes PEs that no mapping uses. Unused units of other PEs stay for now: later mappings may use
 * them. The area in use does not change, so it is raised by 1 for try_part to accept the step. */
static void remove_unused_pes(Specialisation *s) {
  FabricUse *use = use_of_all(s->part.adg), *in_use = use_of_kernels(s);
  for (u32 pe = 0; pe < use->adg->npes; pe++) {
    Item item = {.pe = pe, .unit = ADG_NONE};
    if (!in_use->stays[use->adg->pes[pe].component]) remove_item(use, &item);
  }
  u64 area = s->area++;
  try_part(s, use);
  s->area = area;
  use_free(in_use);
  use_free(use);
}

/* Tries to remove items first to first + n - 1 at once. */
static bool try_items(Specialisation *s, const Items *items, size_t first, size_t n) {
  FabricUse *use = use_of_all(s->part.adg);
  for (size_t i = first; i < first + n && i < items->len; i++) remove_item(use, &items->at[i]);
  bool is_ok = try_part(s, use);
  use_free(use);
  if (s->progress) s->progress(s);
  return is_ok;
}

/* Tries chunk after chunk; after a success, starts again with a new list. */
static void remove_chunks(Specialisation *s, bool whole_pes) {
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

/* Searches with a slack, unless no step rejected since the last kept one would pass with it. */
static void search_with_slack(Specialisation *s, u32 slack) {
  if (s->needed > slack) return;
  s->allowed = slack;
  s->needed = SPECIALISE_MOST_SLACK + 1;
  s->most = s->tried + s->steps;
  remove_chunks(s, true);
  remove_chunks(s, false);
}

/* Reduces the part to what the mappings use. */
static bool reduce_to_use(Specialisation *s) {
  FabricPart part;
  FabricUse *use = use_of_kernels(s);
  bool is_ok = part_of_use(s->ctx, use, &part);
  if (is_ok) {
    accept_trials(s, use, &part);
    part_free(&s->part);
    s->part = part;
    s->area = adg_whole_area(part.adg);
  }
  use_free(use);
  return is_ok;
}

static const u32 slacks[] = {0, 1, 2, 5, 10, 20, 50, 100, 200, 500};

bool specialise_search(Specialisation *s) {
  FabricPart small;
  FabricUse *use = use_of_kernels(s);
  bool is_ok = part_of_use(s->ctx, use, &small);
  s->of_whole = adg_whole_area(s->part.adg);
  s->area = is_ok ? adg_whole_area(small.adg) : 0;
  part_free(&small);
  use_free(use);
  if (!is_ok) return false;
  remove_unused_pes(s);
  s->needed = 0;
  for (u32 i = 0; i < COUNT_OF(slacks) && slacks[i] < s->slack; i++)
    search_with_slack(s, slacks[i]);
  search_with_slack(s, s->slack);
  return reduce_to_use(s);
}

/* operands.c -- places in the operand buffers of temporal PEs. See operands.h. */
#include "map/operands.h"

#include "map/names.h"

#include <stdlib.h>

enum { MOST_PLACES = 8192, MOST_INSTRUCTIONS = 256 };

typedef struct {
  const Adg *adg;
  const MapCover *cover;
  const MapSupply *s;
  u32 *in_class;  /* by cluster and class: operands_in */
  u32 *least;     /* by cluster: its operands, in the class where it has fewest; 0: left out */
  bool *has_some; /* by class: its PEs have a buffer, and some of these clusters can be there */
  u32 most;       /* of least */
  Arena *arena;
} Operands;

static const AdgPe *pe_of(const MapSupply *s, u32 class) {
  return &s->adg->pes[s->classes[class].first_pe];
}

/* The fewest operands of a cluster in PEs of a class; MAP_NONE: it cannot be there. */
static u32 operands_in(const MapSupply *s, const MapCover *cover, u32 cluster, u32 class) {
  const SupplyKind *kind = &s->kinds[s->kind_of[cluster]];
  const MapCluster *c = &cover->clusters[cluster];
  u32 least = MAP_NONE;
  for (u32 l = kind->first_link; l < kind->first_link + kind->nlinks; l++) {
    const SupplySlot *slot = &s->slots[s->links[l]];
    if (slot->class != class) continue;
    for (u32 m = c->first_match; m < c->first_match + c->nmatches; m++) {
      if (cover->matches[m].body != slot->body) continue;
      u32 wanted = supply_operands(s->adg, cover, &cover->matches[m]);
      if (wanted < least) least = wanted;
    }
  }
  return least;
}

static Operands operands_find(const MapCover *cover, const MapSupply *s) {
  Arena *arena = arena_new();
  Operands o = {.adg = s->adg,
                .cover = cover,
                .s = s,
                .in_class = NEW_ARRAY(arena, u32, (size_t)cover->nclusters * s->nclasses + 1),
                .least = NEW_ARRAY(arena, u32, cover->nclusters + (size_t)1),
                .has_some = NEW_ARRAY(arena, bool, s->nclasses + (size_t)1),
                .arena = arena};
  for (u32 c = 0; c < cover->nclusters; c++) {
    u32 least = MAP_NONE;
    bool is_free = false;
    u32 *in_class = o.in_class + (size_t)c * s->nclasses;
    for (u32 k = 0; k < s->nclasses; k++) {
      u32 wanted = in_class[k] = operands_in(s, cover, c, k);
      is_free |= wanted != MAP_NONE && !pe_of(s, k)->operand_buffer;
      if (wanted < least) least = wanted;
    }
    if (is_free || least == MAP_NONE) continue;
    o.least[c] = least;
    if (least > o.most) o.most = least;
    for (u32 k = 0; k < s->nclasses; k++) o.has_some[k] |= in_class[k] != MAP_NONE;
  }
  return o;
}

/* Places in all PEs. */
static OperandSum sum_of(const Operands *o) {
  OperandSum sum = {0};
  for (u32 c = 0; c < o->cover->nclusters; c++) sum.wanted += o->least[c];
  for (u32 k = 0; k < o->s->nclasses; k++)
    if (o->has_some[k]) sum.places += (u64)o->s->classes[k].npes * pe_of(o->s, k)->operand_buffer;
  return sum;
}

/* Clusters with so many operands or more that all PEs have room for; in their buffers alone, or with
 * their instructions. */
static u64 room_for(const Operands *o, u32 operands, bool with_instructions) {
  u64 room = 0;
  for (u32 k = 0; k < o->s->nclasses; k++) {
    if (!o->has_some[k]) continue;
    u32 most = UINT32_MAX;
    if (with_instructions) most = supply_instructions(o->adg, o->s->classes[k].first_pe);
    u32 fitting = pe_of(o->s, k)->operand_buffer / operands;
    room += (u64)o->s->classes[k].npes * (fitting < most ? fitting : most);
  }
  return room;
}

static u32 count_with(const Operands *o, u32 operands) {
  u32 n = 0;
  for (u32 c = 0; c < o->cover->nclusters; c++) n += o->least[c] >= operands;
  return n;
}

/* The number of operands from which on there are too many clusters; 0: there is none. The largest
 * number is blamed, as it leaves the fewest clusters to look at. */
static u32 find_shortage(const Operands *o, bool with_instructions) {
  for (u32 t = o->most; t > 0; t--)
    if (count_with(o, t) > room_for(o, t, with_instructions)) return t;
  return 0;
}

OperandSum operands_sum(const Adg *adg, const MapCover *cover, const MapSupply *supply) {
  for (u32 pe = 0; pe < adg->npes; pe++) {
    if (!adg->pes[pe].operand_buffer) continue;
    Operands o = operands_find(cover, supply);
    OperandSum sum = sum_of(&o);
    arena_free(o.arena);
    return sum;
  }
  return (OperandSum){0};
}

/* ---- how much would do ----------------------------------------------------------------------- */

/* A PE while clusters are packed. */
typedef struct {
  u32 class, instructions, places;
} Bin;

typedef struct {
  u32 places, instructions; /* of each PE; 0: as they are */
  u32 extra_pes;            /* of the first class that has such a buffer */
} Packing;

/* True where first fit decreasing finds a place for all clusters. Cost: clusters times PEs. */
static bool packs(const Operands *o, const Packing *with) {
  const MapSupply *s = o->s;
  Arena *arena = arena_new();
  Bin *bins = NEW_ARRAY(arena, Bin, o->adg->npes + (size_t)with->extra_pes + 1);
  u32 nbins = 0, first = MAP_NONE;
  for (u32 pe = 0; pe < o->adg->npes + with->extra_pes; pe++) {
    u32 k = pe < o->adg->npes ? s->class_of[pe] : first;
    if (k == MAP_NONE || !o->has_some[k]) continue;
    if (first == MAP_NONE) first = k;
    bins[nbins++] = (Bin){k,
                          with->instructions ? with->instructions
                                             : supply_instructions(o->adg, s->classes[k].first_pe),
                          with->places ? with->places : pe_of(s, k)->operand_buffer};
  }
  bool fits = true;
  for (u32 t = o->most; t > 0 && fits; t--)
    for (u32 c = 0; c < o->cover->nclusters && fits; c++) {
      if (o->least[c] != t) continue;
      fits = false;
      for (u32 i = 0; i < nbins && !fits; i++) {
        u32 wanted = o->in_class[(size_t)c * s->nclasses + bins[i].class];
        if (wanted > bins[i].places || !bins[i].instructions) continue;
        bins[i].places -= wanted;
        bins[i].instructions--;
        fits = true;
      }
    }
  arena_free(arena);
  return fits;
}

/* The least *size, a member of `with`, above `small` and up to `most` with which all are packed; 0:
 * none. By doubling and bisection: more room seldom makes first fit worse, and what is returned is
 * enough. */
static u32 least_size(const Operands *o, Packing *with, u32 *size, u32 small, u32 most) {
  for (*size = small; !packs(o, with); *size = *size > most / 2 ? most : 2 * *size + !*size) {
    if (*size >= most) return 0;
    small = *size;
  }
  u32 large = *size;
  while (small + 1 < large) {
    u32 middle = *size = small + (large - small) / 2;
    *(packs(o, with) ? &large : &small) = middle;
  }
  return *size = large;
}

static u32 largest_buffer(const Operands *o) {
  u32 largest = 0;
  for (u32 k = 0; k < o->s->nclasses; k++)
    if (o->has_some[k] && pe_of(o->s, k)->operand_buffer > largest)
      largest = pe_of(o->s, k)->operand_buffer;
  return largest;
}

static bool hint(Context *ctx, const Operands *o) {
  Packing pes = {0}, wide = {0}, deep = {.places = MOST_PLACES};
  u32 buffer = largest_buffer(o);
  if (!buffer || packs(o, &pes)) return false;
  u32 npes = least_size(o, &pes, &pes.extra_pes, 0, o->cover->nclusters);
  u32 places = least_size(o, &wide, &wide.places, buffer, MOST_PLACES);
  u32 instructions = places ? 0 : least_size(o, &deep, &deep.instructions, 1, MOST_INSTRUCTIONS);
  if (instructions) places = least_size(o, &deep, &deep.places, buffer, MOST_PLACES);
  Buf text = {0};
  if (instructions && places == buffer)
    buf_printf(&text, "use %u instructions (loom adg --instructions %u)", instructions,
               instructions);
  else if (instructions)
    buf_printf(&text,
               "use %u instructions and operand buffers of %u places (loom adg --instructions %u "
               "--operand-buffer %u)",
               instructions, places, instructions, places);
  else if (places)
    buf_printf(&text, "use operand buffers of %u places (loom adg --operand-buffer %u)", places,
               places);
  if (npes)
    buf_printf(&text, "%s %u more such PE%s", text.len ? ", or" : "use", npes, plural(npes));
  bool is_given = text.len > 0;
  if (is_given) diag_hint(ctx, "%s", text.data);
  buf_free(&text);
  return is_given;
}

bool operands_hint(Context *ctx, const MapCover *cover, const MapSupply *supply) {
  Operands o = operands_find(cover, supply);
  bool is_given = hint(ctx, &o);
  arena_free(o.arena);
  return is_given;
}

/* ---- the count ------------------------------------------------------------------------------- */

enum { MAX_PES = 4 };

/* Notes the PEs and the places of their buffers, class by class. */
static void note_buffers(Context *ctx, const Operands *o) {
  for (u32 k = 0; k < o->s->nclasses; k++) {
    const AdgPe *pe = pe_of(o->s, k);
    if (!o->has_some[k]) continue;
    NameList names = {.most = MAX_PES};
    for (u32 p = 0; p < o->adg->npes; p++)
      if (o->s->class_of[p] == k) names_add(&names, adg_name(o->adg, o->adg->pes[p].component));
    diag_note(ctx, o->adg->components[pe->component].loc,
              "the operands of %u instruction%s share %u place%s in %s", pe->num_instruction,
              plural(pe->num_instruction), pe->operand_buffer, plural(pe->operand_buffer),
              names_end_open(&names));
    buf_free(&names.text);
  }
}

/* The operands from which on clusters are blamed: all of them (1) where places are too few in all;
 * 0: nothing is wrong. Where instructions are too few as well, they are reported instead (count.c),
 * unless the buffers alone are too small. */
static u32 blamed_from(const Operands *o, OperandSum sum) {
  u32 from = find_shortage(o, o->s->unmet == 0);
  return from || sum.wanted <= sum.places ? from : 1;
}

bool operands_count(Context *ctx, const Dfg *dfg, const MapCover *cover, const MapSupply *supply) {
  Operands o = operands_find(cover, supply);
  OperandSum sum = sum_of(&o);
  u32 from = blamed_from(&o, sum), first = 0;
  if (from) {
    const char *fabric = adg_text(o.adg, o.adg->name);
    while (o.least[first] < from) first++;
    Loc loc = dfg_node(dfg, cover->nodes[cover->clusters[first].first_node])->loc;
    u32 n = count_with(&o, from);
    if (sum.wanted > sum.places)
      diag(ctx, loc, MAP_PES,
           "the operands of %u node%s need %llu places in operand buffers, but @%s has only %llu",
           count_with(&o, 1), plural(count_with(&o, 1)), (unsigned long long)sum.wanted, fabric,
           (unsigned long long)sum.places);
    else
      diag(ctx, loc, MAP_PES,
           "%u node%s %s at least %u operands, but the operand buffers of @%s hold only %llu such "
           "nodes",
           n, plural(n), n == 1 ? "has" : "have", from, fabric,
           (unsigned long long)room_for(&o, from, o.s->unmet == 0));
    note_buffers(ctx, &o);
    hint(ctx, &o);
  }
  arena_free(o.arena);
  return !from;
}

void operands_mark(const MapCover *cover, const MapSupply *supply, bool *is_missing) {
  Operands o = operands_find(cover, supply);
  u32 from = blamed_from(&o, sum_of(&o));
  for (u32 c = 0; from && c < cover->nclusters; c++)
    for (u32 i = 0; i < cover->clusters[c].nnodes && o.least[c] >= from; i++)
      is_missing[cover->nodes[cover->clusters[c].first_node + i]] = true;
  arena_free(o.arena);
}

/* supply.c -- are there enough PEs? See supply.h.
 *
 * The flow is the textbook's: a cluster that finds no free PE looks for one that another cluster
 * could leave, breadth first, along what is full. Where none is found the kinds and classes that the
 * search has reached are the reason: all those clusters can only go to those PEs, and there are
 * fewer of them (Hall). */
#include "map/supply.h"
#include "map/stages.h"

#include <stdlib.h>

/* ---- can this PE be this cluster? ------------------------------------------------------------ */

static void wider_first(u32 *at, u32 n) {
  for (u32 i = 1; i < n; i++)
    for (u32 k = i; k > 0 && at[k - 1] < at[k]; k--) {
      u32 t = at[k];
      at[k] = at[k - 1];
      at[k - 1] = t;
    }
}

enum { MOST_PORTS = 128 };

/* Values of these widths, each on a port of its own that is wide enough? (Any value can be led to
 * any port: so the widest goes to the widest.) */
static bool fit(const Adg *adg, u32 first_port, u32 nports, u32 *widths, u32 n) {
  u32 ports[MOST_PORTS];
  if (n > nports || nports > MOST_PORTS) return false;
  for (u32 i = 0; i < nports; i++) ports[i] = adg->ports[first_port + i].width;
  wider_first(ports, nports);
  wider_first(widths, n);
  for (u32 i = 0; i < n; i++)
    if (widths[i] > ports[i]) return false;
  return true;
}

/* Through registers of a temporal PE values need no port, but are as wide as one at most. */
static bool fit_registers(const Adg *adg, u32 first_port, u32 nports, const u32 *widths, u32 n) {
  u32 widest = 0;
  for (u32 i = 0; i < nports; i++)
    if (adg->ports[first_port + i].width > widest) widest = adg->ports[first_port + i].width;
  for (u32 i = 0; i < n; i++)
    if (widths[i] > widest) return false;
  return true;
}

bool mapping_hosts(const Dfg *dfg, const Adg *adg, const MapCover *cover, const MapMatch *match,
                   u32 pe) {
  const AdgPe *p = &adg->pes[pe];
  const AdgComponent *c = &adg->components[p->component];
  const AdgBody *body = &adg->bodies[match->body];
  u32 in[MOST_PORTS], out[MOST_PORTS], nin = 0, nout = 0;
  if (body->nargs > MOST_PORTS || body->nresults > MOST_PORTS) return false;
  for (u32 a = 0; a < body->nargs; a++)
    if (cover->args[match->first_arg + a] != MAP_NONE)
      in[nin++] = adg->values[body->first_value + a].bits;
  for (u32 r = 0; r < body->nresults; r++) {
    u32 result = cover->results[match->first_result + r];
    if (result != MAP_NONE && dfg->results[result].nedges)
      out[nout++] = adg->values[body->first_value + adg->operands[body->first_yield + r]].bits;
  }
  if (p->is_temporal && p->num_register)
    return fit_registers(adg, c->first_port, c->ninputs + c->noutputs, in, nin) &&
           fit_registers(adg, c->first_port, c->ninputs + c->noutputs, out, nout);
  return fit(adg, c->first_port, c->ninputs, in, nin) &&
         fit(adg, c->first_port + c->ninputs, c->noutputs, out, nout);
}

/* ---- classes ----------------------------------------------------------------------------------- */

typedef Vec(u32) Words;

/* All that makes a difference between PEs, as numbers. */
static void describe_pe(const Adg *adg, u32 pe, Words *out) {
  const AdgPe *p = &adg->pes[pe];
  const AdgComponent *c = &adg->components[p->component];
  vec_clear(out);
  vec_push(out, c->kind);
  vec_push(out, c->ninputs);
  vec_push(out, c->noutputs);
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++) {
    vec_push(out, adg->ports[c->first_port + i].width);
    vec_push(out, adg->ports[c->first_port + i].tag_width);
  }
  vec_push(out, p->num_instruction);
  vec_push(out, p->operand_buffer ? p->num_register : p->num_register > 0);
  vec_push(out, p->operand_buffer);
  for (u32 f = 0; f < p->nfus; f++) vec_push(out, adg->fus[p->first_fu + f].body);
}

/* Numbers for descriptions: equal ones get the number of the first. */
typedef struct {
  Map by_hash; /* hash -> 1 + the last number with it */
  Words words;
  Vec(u32) ends; /* by number: where its words end */
  Vec(u32) same; /* by number: 1 + an earlier one of the same hash, 0: none */
} Numbers;

static u32 number_of(Numbers *numbers, const Words *words, bool *is_new) {
  u64 *slot = map_slot(&numbers->by_hash, hash_bytes(words->at, words->len * sizeof(u32), 0));
  *is_new = false;
  for (u32 at = (u32)*slot; at; at = numbers->same.at[at - 1]) {
    u32 begin = at > 1 ? numbers->ends.at[at - 2] : 0, end = numbers->ends.at[at - 1];
    if (end - begin != words->len) continue;
    if (!words->len || !memcmp(numbers->words.at + begin, words->at, words->len * sizeof(u32)))
      return at - 1;
  }
  *is_new = true;
  for (size_t i = 0; i < words->len; i++) vec_push(&numbers->words, words->at[i]);
  vec_push(&numbers->ends, (u32)numbers->words.len);
  vec_push(&numbers->same, (u32)*slot);
  *slot = numbers->ends.len;
  return (u32)numbers->ends.len - 1;
}

static void numbers_free(Numbers *numbers) {
  map_free(&numbers->by_hash);
  vec_free(&numbers->words);
  vec_free(&numbers->ends);
  vec_free(&numbers->same);
}

static int by_size(const void *a, const void *b) {
  u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}

/* The most instructions, of units that each serve one, whose operands have a place each in the buffer
 * that they share, or come from a register each. */
static u32 fit_buffer(const Adg *adg, const AdgPe *pe) {
  u32 *operands = mem_alloc(mem_size(pe->nfus + (size_t)1, sizeof *operands)), n = 0;
  u64 left = (u64)pe->operand_buffer + pe->num_register;
  for (u32 f = 0; f < pe->nfus; f++)
    operands[f] = adg->bodies[adg->fus[pe->first_fu + f].body].nargs;
  if (pe->nfus) qsort(operands, pe->nfus, sizeof *operands, by_size);
  for (; n < pe->nfus && operands[n] <= left; n++) left -= operands[n];
  mem_free(operands);
  return n;
}

u32 supply_instructions(const Adg *adg, u32 pe) {
  const AdgPe *p = &adg->pes[pe];
  const AdgPort *port = &adg->ports[adg->components[p->component].first_port];
  u32 tags = port->is_tagged ? (u32)1 << port->tag_width : 1, n = p->num_instruction;
  if (!p->is_temporal) return 1;
  if (n > tags) n = tags;
  u32 fit = p->operand_buffer ? fit_buffer(adg, p) : n;
  return fit < n ? fit : n;
}

static u32 pe_capacity(const Adg *adg, u32 pe) {
  u32 instructions = supply_instructions(adg, pe), nfus = adg->pes[pe].nfus;
  return !adg->pes[pe].is_temporal || instructions < nfus ? instructions : nfus;
}

/* Makes in the order of their first PE; of each its bodies as slots, in the order of bodies. */
static void find_classes(MapSupply *s) {
  const Adg *adg = s->adg;
  Numbers numbers = {0};
  Words words = {0};
  s->class_of = NEW_ARRAY(s->arena, u32, adg->npes);
  s->classes = NEW_ARRAY(s->arena, PeClass, adg->npes);
  for (u32 pe = 0; pe < adg->npes; pe++) {
    bool is_new;
    describe_pe(adg, pe, &words);
    u32 class = number_of(&numbers, &words, &is_new);
    if (is_new) s->classes[s->nclasses++] = (PeClass){.first_pe = pe};
    s->class_of[pe] = class;
    s->classes[class].npes++;
    s->classes[class].capacity += pe_capacity(adg, pe);
  }
  numbers_free(&numbers);
  vec_free(&words);
}

static void find_slots(MapSupply *s) {
  const Adg *adg = s->adg;
  u32 *copies = NEW_ARRAY(s->arena, u32, adg->nbodies);
  Vec(SupplySlot) slots = {0};
  for (u32 m = 0; m < s->nclasses; m++) {
    PeClass *class = &s->classes[m];
    const AdgPe *pe = &adg->pes[class->first_pe];
    class->first_slot = (u32)slots.len;
    for (u32 f = 0; f < pe->nfus; f++) copies[adg->fus[pe->first_fu + f].body]++;
    for (u32 f = 0; f < pe->nfus; f++) {
      u32 body = adg->fus[pe->first_fu + f].body;
      if (!copies[body]) continue;
      SupplySlot slot = {
          .class = m, .body = body, .capacity = class->npes * (pe->is_temporal ? copies[body] : 1)};
      copies[body] = 0;
      vec_push(&slots, slot);
    }
    class->nslots = (u32)slots.len - class->first_slot;
  }
  s->nslots = (u32)slots.len;
  s->slots = NEW_ARRAY(s->arena, SupplySlot, s->nslots);
  if (s->nslots) memcpy(s->slots, slots.at, s->nslots * sizeof *s->slots);
  vec_free(&slots);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static void describe_cluster(const Dfg *dfg, const Adg *adg, const MapCover *cover, u32 cluster,
                             Words *out) {
  const MapCluster *c = &cover->clusters[cluster];
  vec_clear(out);
  for (u32 n = 0; n < c->nnodes; n++) /* which makes no difference but to those who read of it */
    vec_push(out, dfg_node(dfg, cover->nodes[c->first_node + n])->kind);
  for (u32 w = 0; w < c->nmatches; w++) {
    const MapMatch *match = &cover->matches[c->first_match + w];
    const AdgBody *body = &adg->bodies[match->body];
    vec_push(out, match->body);
    for (u32 a = 0; a < body->nargs; a++)
      vec_push(out, cover->args[match->first_arg + a] != MAP_NONE);
    for (u32 r = 0; r < body->nresults; r++) {
      u32 result = cover->results[match->first_result + r];
      vec_push(out, result != MAP_NONE && dfg->results[result].nedges);
    }
  }
}

typedef Vec(SupplyLink) Links;

/* The slots of each body, one list after another. */
static void slots_by_body(const MapSupply *s, u32 *first, u32 *slots) {
  u32 n = s->adg->nbodies;
  for (u32 i = 0; i < s->nslots; i++) first[s->slots[i].body]++;
  for (u32 b = 1; b <= n; b++) first[b] += first[b - 1]; /* where each list ends */
  for (u32 i = s->nslots; i-- > 0;) slots[--first[s->slots[i].body]] = i;
}

/* Links from a kind to every slot that can be it. */
static void link_kind(MapSupply *s, const Dfg *dfg, const MapCover *cover, u32 kind,
                      const u32 *first, const u32 *slots, Links *links) {
  const MapCluster *c = &cover->clusters[s->kinds[kind].cluster];
  s->kinds[kind].first_link = (u32)links->len;
  for (u32 w = 0; w < c->nmatches; w++) {
    const MapMatch *match = &cover->matches[c->first_match + w];
    for (u32 i = first[match->body]; i < first[match->body + 1]; i++) {
      u32 pe = s->classes[s->slots[slots[i]].class].first_pe;
      SupplyLink link = {.kind = kind, .slot = slots[i]};
      if (mapping_hosts(dfg, s->adg, cover, match, pe)) vec_push(links, link);
    }
  }
  s->kinds[kind].nlinks = (u32)links->len - s->kinds[kind].first_link;
}

/* Kinds in the order of their first cluster, and the slots that lists of links end in. */
static void find_kinds(MapSupply *s, const Dfg *dfg, const MapCover *cover) {
  Arena *scratch = arena_new();
  u32 *first = NEW_ARRAY(scratch, u32, s->adg->nbodies + 1);
  u32 *slots = NEW_ARRAY(scratch, u32, s->nslots);
  Numbers numbers = {0};
  Words words = {0};
  Links links = {0};
  slots_by_body(s, first, slots);
  s->kind_of = NEW_ARRAY(s->arena, u32, cover->nclusters);
  s->kinds = NEW_ARRAY(s->arena, SupplyKind, cover->nclusters);
  for (u32 c = 0; c < cover->nclusters; c++) {
    bool is_new;
    describe_cluster(dfg, s->adg, cover, c, &words);
    u32 kind = s->kind_of[c] = number_of(&numbers, &words, &is_new);
    if (!is_new) continue;
    s->kinds[s->nkinds++] = (SupplyKind){.cluster = c};
    link_kind(s, dfg, cover, kind, first, slots, &links);
  }
  s->nlinks = (u32)links.len;
  s->links = NEW_ARRAY(s->arena, SupplyLink, s->nlinks);
  s->into = NEW_ARRAY(s->arena, u32, s->nlinks);
  if (s->nlinks) memcpy(s->links, links.at, s->nlinks * sizeof *s->links);
  for (u32 i = 0; i < s->nlinks; i++) s->slots[s->links[i].slot].nin++;
  for (u32 t = 0, at = 0; t < s->nslots; t++) {
    s->slots[t].first_in = at;
    at += s->slots[t].nin;
    s->slots[t].nin = 0;
  }
  for (u32 i = 0; i < s->nlinks; i++) {
    SupplySlot *slot = &s->slots[s->links[i].slot];
    s->into[slot->first_in + slot->nin++] = i;
  }
  numbers_free(&numbers);
  vec_free(&words);
  vec_free(&links);
  arena_free(scratch);
}

MapSupply *supply_new(const Dfg *dfg, const Adg *adg, const MapCover *cover) {
  Arena *arena = arena_new();
  MapSupply *s = NEW(arena, MapSupply);
  s->adg = adg;
  s->arena = arena;
  find_classes(s);
  find_slots(s);
  find_kinds(s, dfg, cover);
  u32 n = s->nkinds + s->nslots + s->nclasses;
  s->parent = NEW_ARRAY(arena, u32, n);
  s->parent_link = NEW_ARRAY(arena, u32, n);
  s->queue = NEW_ARRAY(arena, u32, n);
  return s;
}

void supply_free(MapSupply *supply) {
  if (supply) arena_free(supply->arena);
}

/* ---- the flow -------------------------------------------------------------------------------- */

/* Kinds, slots and classes as one numbering. */
static u32 slot_vertex(const MapSupply *s, u32 slot) {
  return s->nkinds + slot;
}
static u32 class_vertex(const MapSupply *s, u32 class) {
  return s->nkinds + s->nslots + class;
}

typedef struct {
  u32 begin, end;
} Walk;

static void reach(MapSupply *s, Walk *walk, u32 vertex, u32 from, u32 link) {
  if (s->parent[vertex] != MAP_NONE) return;
  s->parent[vertex] = from;
  s->parent_link[vertex] = link;
  s->queue[walk->end++] = vertex;
}

static void walk_kind(MapSupply *s, Walk *walk, u32 kind) {
  const SupplyKind *k = &s->kinds[kind];
  for (u32 l = k->first_link; l < k->first_link + k->nlinks; l++)
    reach(s, walk, slot_vertex(s, s->links[l].slot), kind, l);
}

/* Whoever is in a slot may go elsewhere. */
static void walk_slot(MapSupply *s, Walk *walk, u32 slot) {
  const SupplySlot *t = &s->slots[slot];
  if (t->used < t->capacity) reach(s, walk, class_vertex(s, t->class), slot_vertex(s, slot), 0);
  for (u32 i = t->first_in; i < t->first_in + t->nin; i++)
    if (s->links[s->into[i]].flow)
      reach(s, walk, s->links[s->into[i]].kind, slot_vertex(s, slot), s->into[i]);
}

static void walk_class(MapSupply *s, Walk *walk, u32 class) {
  const PeClass *m = &s->classes[class];
  for (u32 t = m->first_slot; t < m->first_slot + m->nslots; t++)
    if (s->slots[t].used) reach(s, walk, slot_vertex(s, t), class_vertex(s, class), 0);
}

/* From the kinds that have been reached on; the class with room that was met first, or MAP_NONE. */
static u32 walk_on(MapSupply *s, Walk *walk) {
  while (walk->begin < walk->end) {
    u32 v = s->queue[walk->begin++];
    if (v < s->nkinds) {
      walk_kind(s, walk, v);
    } else if (v < s->nkinds + s->nslots) {
      walk_slot(s, walk, v - s->nkinds);
    } else {
      u32 class = v - s->nkinds - s->nslots;
      if (s->classes[class].used < s->classes[class].capacity) return class;
      walk_class(s, walk, class);
    }
  }
  return MAP_NONE;
}

static Walk walk_start(MapSupply *s) {
  for (u32 v = 0; v < s->nkinds + s->nslots + s->nclasses; v++) s->parent[v] = MAP_NONE;
  return (Walk){0, 0};
}

/* Moves everybody on the route from a kind to a class by one. */
static void shift(MapSupply *s, u32 class) {
  u32 to = class_vertex(s, class);
  s->classes[class].used++;
  for (;;) {
    u32 from = s->parent[to];
    if (from == to) break; /* the kind that it began with */
    bool to_slot = to >= s->nkinds && to < s->nkinds + s->nslots;
    if (from < s->nkinds) {
      s->links[s->parent_link[to]].flow++; /* kind into slot */
    } else if (to < s->nkinds) {
      s->links[s->parent_link[to]].flow--; /* kind out of slot */
    } else if (to_slot) {
      s->slots[to - s->nkinds].used--; /* class gives a slot's place away */
    } else {
      s->slots[from - s->nkinds].used++; /* slot takes a place of its class */
    }
    to = from;
  }
}

/* One more cluster of a kind finds a PE; false: there is none. */
static bool augment(MapSupply *s, u32 kind) {
  Walk walk = walk_start(s);
  reach(s, &walk, kind, kind, 0);
  u32 class = walk_on(s, &walk);
  if (class == MAP_NONE) return false;
  shift(s, class);
  s->kinds[kind].met++;
  return true;
}

void supply_take(MapSupply *s, u32 cluster) {
  u32 kind = s->kind_of[cluster];
  s->kinds[kind].wanted++;
  if (!augment(s, kind)) s->unmet++;
}

/* One of a kind leaves its PE; somebody who had none may come. */
static void leave_pe(MapSupply *s, u32 kind) {
  SupplyKind *k = &s->kinds[kind];
  u32 l = k->first_link;
  while (!s->links[l].flow) l++;
  SupplySlot *slot = &s->slots[s->links[l].slot];
  s->links[l].flow--;
  slot->used--;
  s->classes[slot->class].used--;
  k->met--;
  for (u32 other = 0; s->unmet && other < s->nkinds; other++) {
    if (s->kinds[other].wanted == s->kinds[other].met || !augment(s, other)) continue;
    s->unmet--;
    break; /* one has left, so one at most can come */
  }
}

void supply_give(MapSupply *s, u32 cluster) {
  u32 kind = s->kind_of[cluster];
  SupplyKind *k = &s->kinds[kind];
  k->wanted--;
  if (k->wanted < k->met)
    leave_pe(s, kind);
  else
    s->unmet--;
}

/* ---- the reason ------------------------------------------------------------------------------ */

void supply_find_cut(MapSupply *s) {
  Walk walk = walk_start(s);
  for (u32 k = 0; k < s->nkinds; k++)
    if (s->kinds[k].met < s->kinds[k].wanted) reach(s, &walk, k, k, 0);
  walk_on(s, &walk);
}

bool supply_reached_kind(const MapSupply *s, u32 kind) {
  return s->parent[kind] != MAP_NONE;
}
bool supply_reached_slot(const MapSupply *s, u32 slot) {
  return s->parent[slot_vertex(s, slot)] != MAP_NONE;
}
bool supply_reached_class(const MapSupply *s, u32 class) {
  return s->parent[class_vertex(s, class)] != MAP_NONE;
}

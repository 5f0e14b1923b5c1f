/* count.c -- what cannot fit, proved by counting before any search.
 *
 * Searching for a mapping takes seconds and, when it fails, proves nothing. Counting takes
 * milliseconds, and what it refuses no search can find:
 *
 *   PEs        every cluster needs a PE that has its unit, and ports that are wide enough. Whether
 *              there are enough is a maximum flow (supply.h). If not, the minimum cut names kinds
 *              of clusters that are more than the PEs that can carry them out (MAP_PES).
 *   operands   where the operands of temporal PEs share buffers, each has a place there
 *              (operands.h, MAP_PES).
 *   memories   every memory of the graph must fit a memory of the fabric on its own: outside or
 *              inside, lanes, width and number of elements (MAP_MEMORY). And all of them together:
 *              regions, lanes and tags of one are shared by those in it (MAP_MEMORIES).
 *   ports      every argument with a use that is no memref, and every result, needs a port of the
 *              fabric that is wide enough (MAP_PORTS).
 *
 * Placing the memories together is bin packing, which is NP-hard; there are few, so all
 * combinations are tried, and after PACKING_STEPS of them the memories are taken to fit. */
#include "map/match.h"
#include "map/names.h"
#include "map/operands.h"
#include "map/stages.h"
#include "map/supply.h"

#include <stdlib.h>

/* ---- PEs ------------------------------------------------------------------------------------- */

/* Appends the signatures of a cluster's nodes. */
static void put_cluster(const Dfg *dfg, const MapCover *cover, u32 cluster, Buf *out) {
  const MapCluster *c = &cover->clusters[cluster];
  buf_char(out, '`');
  for (u32 i = 0; i < c->nnodes; i++) {
    if (i) buf_str(out, " + ");
    dfg_node_signature(dfg, cover->nodes[c->first_node + i], out);
  }
  buf_char(out, '`');
}

/* A row of a table of kinds. */
typedef struct {
  Buf text;
  u32 wanted, room;
} KindRow;

/* Does row a come before row b: with more clusters wanted or, by_room, less room for each? */
static bool is_before(const KindRow *a, const KindRow *b, bool by_room) {
  if (by_room) return (u64)a->room * b->wanted < (u64)b->room * a->wanted;
  return a->wanted > b->wanted;
}

static void sort_rows(KindRow *rows, u32 n, bool by_room) {
  for (u32 i = 1; i < n; i++) {
    KindRow row = rows[i];
    u32 at = i;
    for (; at > 0 && is_before(&row, &rows[at - 1], by_room); at--) rows[at] = rows[at - 1];
    rows[at] = row;
  }
}

/* Adds a kind to the `n` rows, or to the row with the same text. Returns the new number of rows. */
static u32 add_row(KindRow *rows, u32 n, const Dfg *dfg, const MapCover *cover,
                   const SupplyKind *kind, u32 room) {
  KindRow row = {.wanted = kind->wanted, .room = room};
  u32 same = 0;
  put_cluster(dfg, cover, kind->cluster, &row.text);
  while (same < n && strcmp(rows[same].text.data, row.text.data) != 0) same++;
  if (same == n) {
    rows[n] = row;
    return n + 1;
  }
  rows[same].wanted += row.wanted;
  buf_free(&row.text);
  return n;
}

/* Are the PEs of a class, or units of theirs, among what is too few? */
static bool reached_units(const MapSupply *s, u32 class) {
  bool is_reached = supply_reached_class(s, class);
  for (u32 t = 0; !is_reached && t < s->classes[class].nslots; t++)
    is_reached = supply_reached_slot(s, s->classes[class].first_slot + t);
  return is_reached;
}

/* Notes what limits temporal PEs, if some are among the PEs that are too few. */
static void note_temporal(Context *ctx, const MapSupply *s) {
  for (u32 m = 0; m < s->nclasses; m++) {
    const AdgPe *pe = &s->adg->pes[s->classes[m].first_pe];
    if (!pe->is_temporal || !reached_units(s, m)) continue;
    const AdgPort *port = &s->adg->ports[s->adg->components[pe->component].first_port];
    Loc loc = s->adg->components[pe->component].loc;
    u32 fit = s->classes[m].fit_buffer, tags = (u32)1 << port->tag_width;
    diag_note(ctx, loc, "this PE has %u instruction%s and %u function unit%s; a unit with state %s",
              pe->num_instruction, plural(pe->num_instruction), pe->nfus, plural(pe->nfus),
              pe->unit_state ? "has one state per instruction" : "serves only one instruction");
    if (tags < pe->num_instruction)
      diag_note(ctx, loc, "its tag of %u bit%s distinguishes only %u instructions", port->tag_width,
                plural(port->tag_width), tags);
    if (fit < pe->num_instruction && fit < tags)
      diag_note(ctx, loc,
                "its operand buffer of %u place%s holds the operands of at most %u of them",
                pe->operand_buffer, plural(pe->operand_buffer), fit);
    return;
  }
}

/* Where PEs have the unit, but not the ports: notes which ports the first such PE lacks. */
static void note_ports(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover,
                       u32 cluster) {
  const MapMatch *match = &cover->matches[cover->clusters[cluster].first_match];
  const AdgBody *body = &adg->bodies[match->body];
  u32 fu = 0;
  while (fu < adg->nfus && adg->fus[fu].body != match->body) fu++;
  if (fu == adg->nfus) return;
  const AdgComponent *c = &adg->components[adg->pes[adg->fus[fu].pe].component];
  u32 *widths = mem_alloc(mem_size((size_t)body->nargs + body->nresults + 1, sizeof *widths));
  bool is_reported = false;
  for (u32 outputs = 0; outputs < 2 && !is_reported; outputs++) {
    u32 n = supply_widths(dfg, adg, cover, match, outputs, widths);
    u32 nports = outputs ? c->noutputs : c->ninputs;
    const AdgPort *ports = &adg->ports[c->first_port + (outputs ? c->ninputs : 0)];
    for (u32 wanted = 1; wanted <= n && !is_reported; wanted++) {
      u32 has = 0, bits = widths[wanted - 1];
      for (u32 i = 0; i < nports; i++) has += ports[i].width >= bits;
      if (has >= wanted || (wanted < n && widths[wanted] == bits)) continue;
      Buf wide = {0};
      if (bits) buf_printf(&wide, " of %u bit%s or more", bits, plural(bits));
      diag_note(ctx, c->loc, "%s has the unit, but %u %s%s%s instead of %u",
                adg_name(adg, adg->pes[adg->fus[fu].pe].component), has,
                outputs ? "output" : "input", plural(has), wide.data ? wide.data : "", wanted);
      buf_free(&wide);
      is_reported = true;
    }
  }
  mem_free(widths);
}

enum { MAX_KINDS = 6, MOST_INSTRUCTIONS = 256 };

/* Lists the PEs that are too few. */
static NameList pes_in_cut(const MapSupply *s) {
  NameList names = {0};
  for (u32 pe = 0; pe < s->adg->npes; pe++)
    if (reached_units(s, s->class_of[pe]))
      names_add(&names, adg_name(s->adg, s->adg->pes[pe].component));
  return names;
}

/* Notes the clusters that are too many. Kinds with the same text differ in the results used. */
static void note_kinds(Context *ctx, const Dfg *dfg, const MapCover *cover, const MapSupply *s) {
  KindRow *rows = mem_alloc(mem_size(s->nkinds + (size_t)1, sizeof *rows));
  u32 nrows = 0, rest = 0;
  for (u32 k = 0; k < s->nkinds; k++)
    if (supply_reached_kind(s, k) && s->kinds[k].wanted)
      nrows = add_row(rows, nrows, dfg, cover, &s->kinds[k], 0);
  sort_rows(rows, nrows, false);
  for (u32 i = 0; i < nrows; i++) {
    if (i < MAX_KINDS)
      diag_note(ctx, LOC_NONE, "%u of them %s %s", rows[i].wanted,
                rows[i].wanted == 1 ? "is" : "are", rows[i].text.data);
    else
      rest += rows[i].wanted;
    buf_free(&rows[i].text);
  }
  if (rest) diag_note(ctx, LOC_NONE, "and %u are of %u other kinds", rest, nrows - MAX_KINDS);
  mem_free(rows);
}

/* The instructions that each PE of the cut must have so that there is room, where nothing but
 * instructions is too few: all the PEs are temporal and share units that any instruction
 * may use, and their operand buffers have room. 0: something else is too few. */
static u32 instructions_that_do(const MapSupply *s, u32 wanted) {
  u32 npes = 0, least = MAP_NONE, most = 0;
  for (u32 m = 0; m < s->nclasses; m++) {
    const PeClass *class = &s->classes[m];
    const AdgPe *pe = &s->adg->pes[class->first_pe];
    if (!reached_units(s, m)) continue;
    if (!supply_reached_class(s, m)) return 0; /* its units are too few */
    if (!pe->is_temporal ||
        class->capacity < class->npes * supply_instructions(s->adg, class->first_pe))
      return 0;
    npes += class->npes;
    if (class->fit_buffer < least) least = class->fit_buffer;
    if (pe->num_instruction > most) most = pe->num_instruction;
  }
  u32 each = npes ? (wanted + npes - 1) / npes : 0;
  return each > most && each <= least ? each : 0;
}

static void report_shortfall(Context *ctx, const Dfg *dfg, const MapCover *cover, MapSupply *s) {
  u32 wanted = 0, room = 0;
  supply_find_cut(s);
  for (u32 m = 0; m < s->nclasses; m++)
    if (supply_reached_class(s, m)) room += s->classes[m].capacity;
  for (u32 t = 0; t < s->nslots; t++)
    if (supply_reached_slot(s, t) && !supply_reached_class(s, s->slots[t].class))
      room += s->slots[t].capacity;
  u32 first = MAP_NONE;
  for (u32 k = 0; k < s->nkinds; k++) {
    if (!supply_reached_kind(s, k) || !s->kinds[k].wanted) continue;
    wanted += s->kinds[k].wanted;
    if (first == MAP_NONE) first = s->kinds[k].cluster;
  }
  NameList pes = pes_in_cut(s);
  u32 npes = pes.n;
  Loc loc = dfg_node(dfg, cover->nodes[cover->clusters[first].first_node])->loc;
  Buf where = {0}, roomy = {0};
  if (npes != room) buf_printf(&roomy, " with room for %u", room);
  if (npes == 0)
    buf_printf(&where, "no PE of @%s has with enough ports for them",
               adg_text(s->adg, s->adg->name));
  else
    buf_printf(&where, "only %u PE%s of @%s %s", npes, plural(npes), adg_text(s->adg, s->adg->name),
               npes == 1 ? "has" : "have");
  if (npes != room) buf_printf(&where, ", with room for %u", room);
  if (npes) buf_printf(&where, ": %s", names_end_open(&pes));
  if (npes == s->adg->npes && wanted == cover->nclusters)
    diag(ctx, loc, MAP_PES, "%u node%s of @%s %s a PE, but @%s has only %u PE%s%s", wanted,
         plural(wanted), dfg_text(dfg, dfg->name), wanted == 1 ? "needs" : "need",
         adg_text(s->adg, s->adg->name), npes, plural(npes), roomy.data ? roomy.data : "");
  else
    diag(ctx, loc, MAP_PES, "%u node%s %s units that %s", wanted, plural(wanted),
         wanted == 1 ? "needs" : "need", where.data);
  buf_free(&roomy);
  buf_free(&where);
  note_kinds(ctx, dfg, cover, s);
  note_temporal(ctx, s);
  if (!npes) note_ports(ctx, dfg, s->adg, cover, first);
  u32 instructions = npes ? instructions_that_do(s, wanted) : 0;
  if (instructions && instructions <= MOST_INSTRUCTIONS)
    diag_hint(ctx,
              "use PEs with %u instructions each (loom adg --instructions %u); %u more are "
              "needed",
              instructions, instructions, wanted - room);
  else if (npes && !operands_hint(ctx, cover, s))
    diag_hint(ctx, "use a fabric with room for %u more such node%s", wanted - room,
              plural(wanted - room));
  buf_free(&pes.text);
}

static bool count_pes(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover) {
  MapSupply *s = supply_new(dfg, adg, cover);
  for (u32 c = 0; c < cover->nclusters; c++) supply_take(s, c);
  bool fits = s->unmet == 0;
  if (!operands_count(ctx, dfg, cover, s))
    fits = false;
  else if (!fits)
    report_shortfall(ctx, dfg, cover, s);
  supply_free(s);
  return fits;
}

/* ---- one memory ------------------------------------------------------------------------------ */

static u32 tags_of(const AdgMemory *hw) {
  return hw->nloads > hw->nstores ? hw->nloads : hw->nstores;
}

/* What is left of a memory of the fabric, what one of the graph needs, or a sum of either. Bytes
 * are those of scratchpads. A memory of dynamic size takes all bytes that are left, so a scratchpad
 * holds one such at most. */
typedef struct {
  u64 bytes;
  u32 loads, stores, tags, regions;
  u32 dynamics, n; /* n: of a sum, how many; no gap, so that equal ones are equal byte by byte */
} MemoryRoom;

static MemoryRoom room_of(const AdgMemory *hw) {
  u32 tags = tags_of(hw);
  return (MemoryRoom){.bytes =
                          hw->is_external ? UINT64_MAX : adg_bytes(hw->elements, hw->elem_bits),
                      .loads = hw->nloads,
                      .stores = hw->nstores,
                      .tags = tags,
                      .regions = tags > 1 ? hw->nregions : 1,
                      .dynamics = hw->is_external ? UINT32_MAX : 1};
}

static MemoryRoom needs_of(const Dfg *dfg, const DfgMemory *sw) {
  u64 elements = sw->elements ? sw->elements : 1;
  return (MemoryRoom){.bytes = sw->is_dynamic ? 0 : adg_bytes(elements, dfg->types[sw->elem].bits),
                      .loads = sw->nloads,
                      .stores = sw->nstores,
                      .tags = dfg_memory_lanes(sw),
                      .regions = 1,
                      .dynamics = sw->is_dynamic};
}

static void add_room(MemoryRoom *sum, MemoryRoom more) {
  sum->bytes += more.bytes;
  sum->loads += more.loads;
  sum->stores += more.stores;
  sum->tags += more.tags;
  sum->regions += more.regions;
  sum->n++;
}

static MemoryRoom sum_hardware(const Adg *adg, bool outside) {
  MemoryRoom sum = {0};
  for (u32 h = 0; h < adg->nmemories; h++)
    if (adg->memories[h].is_external == outside) add_room(&sum, room_of(&adg->memories[h]));
  return sum;
}

static MemoryRoom sum_graph(const Dfg *dfg, bool outside) {
  MemoryRoom sum = {0};
  for (u32 m = 0; m < dfg->nmemories; m++)
    if ((dfg->memories[m].arg != DFG_NONE) == outside)
      add_room(&sum, needs_of(dfg, &dfg->memories[m]));
  return sum;
}

/* Has the argument a layout of its own? Then it must be in an external memory. */
static bool has_own_layout(const Dfg *dfg, const DfgMemory *sw) {
  return dfg->types[dfg->args[sw->arg].type].ir->layout;
}

/* Have the external memories as many regions and lanes as all arguments want together? */
static bool args_fit_outside(const Dfg *dfg, const Adg *adg) {
  MemoryRoom has = sum_hardware(adg, true), wanted = sum_graph(dfg, true);
  return wanted.regions <= has.regions && wanted.loads <= has.loads &&
         wanted.stores <= has.stores && wanted.tags <= has.tags;
}

/* Arguments are in external memories; if these are too few for all arguments, the host may also
 * copy one into a scratchpad that is not private. Memories that the graph allocates are in
 * scratchpads. */
static bool is_on_right_side(const Dfg *dfg, const Adg *adg, const DfgMemory *sw,
                             const AdgMemory *hw) {
  if (sw->arg == DFG_NONE) return !hw->is_external;
  return hw->is_external ||
         (!hw->is_private && !args_fit_outside(dfg, adg) && !has_own_layout(dfg, sw));
}

/* memory_lacks of an external memory where a scratchpad is needed, or the reverse: more than all
 * other properties together. */
enum { WRONG_SIDE = 8 };

/* Writes what a memory of the fabric lacks to hold one of the graph; returns the number of
 * properties that it lacks, or WRONG_SIDE. */
static u32 memory_lacks(const Dfg *dfg, const Adg *adg, const DfgMemory *sw, const AdgMemory *hw,
                        Buf *out) {
  u32 wrong = 0, bits = dfg->types[sw->elem].bits;
  out->len = 0;
  if (!is_on_right_side(dfg, adg, sw, hw)) return WRONG_SIDE;
  const char *comma[] = {"", ", "};
  if (hw->nloads < sw->nloads)
    buf_printf(out, "%sit has %u load lane%s", comma[wrong++ > 0], hw->nloads, plural(hw->nloads));
  if (hw->nstores < sw->nstores)
    buf_printf(out, "%sit has %u store lane%s", comma[wrong++ > 0], hw->nstores,
               plural(hw->nstores));
  if (hw->elem_bits < bits)
    buf_printf(out, "%sits elements have %u bits", comma[wrong++ > 0], hw->elem_bits);
  if (hw->elements && sw->elements > hw->elements)
    buf_printf(out, "%sit has %llu element%s", comma[wrong++ > 0], (unsigned long long)hw->elements,
               plural(hw->elements));
  if (sw->naddresses > 1) buf_printf(out, "%sit has one address per port", comma[wrong++ > 0]);
  if (sw->ninitials && hw->is_private)
    buf_printf(out, "%sit is private, so it cannot get initial contents", comma[wrong++ > 0]);
  return wrong;
}

bool mapping_memory_fits(const Dfg *dfg, const Adg *adg, u32 memory, u32 hw_memory) {
  Buf text = {0};
  u32 wrong = memory_lacks(dfg, adg, &dfg->memories[memory], &adg->memories[hw_memory], &text);
  buf_free(&text);
  return wrong == 0;
}

/* Hints at the generator's options for lanes. */
static void hint_lanes(Context *ctx, const DfgMemory *sw, const AdgMemory *hw) {
  if (hw->nloads < sw->nloads)
    diag_hint(ctx, "`loom adg --loads %u` makes a fabric with that many load lanes per memory",
              sw->nloads);
  else if (hw->nstores < sw->nstores)
    diag_hint(ctx, "`loom adg --stores %u` makes a fabric with that many store lanes per memory",
              sw->nstores);
}

/* True where some memory of the fabric could hold this one alone; else reports the nearest. */
static bool count_memory(Context *ctx, const Dfg *dfg, const Adg *adg, u32 memory) {
  const DfgMemory *sw = &dfg->memories[memory];
  Buf text = {0}, best = {0};
  u32 least = WRONG_SIDE, nearest = MAP_NONE;
  for (u32 h = 0; h < adg->nmemories; h++) {
    u32 wrong = memory_lacks(dfg, adg, sw, &adg->memories[h], &text);
    if (wrong >= least) continue;
    least = wrong;
    nearest = h;
    best.len = 0;
    buf_str(&best, text.data ? text.data : "");
  }
  if (least > 0) {
    Buf needs = {0};
    buf_printf(&needs, "%u load%s, %u store%s and ", sw->nloads, plural(sw->nloads), sw->nstores,
               plural(sw->nstores));
    if (sw->elements)
      buf_printf(&needs, "%llu element%s", (unsigned long long)sw->elements, plural(sw->elements));
    else
      buf_str(&needs, "elements");
    buf_printf(&needs, " of %u bit%s", dfg->types[sw->elem].bits,
               plural(dfg->types[sw->elem].bits));
    bool outside = sw->arg != DFG_NONE;
    u32 declared = outside ? dfg->args[sw->arg].node : sw->node;
    diag(ctx, dfg_node(dfg, declared)->loc, MAP_MEMORY,
         "no memory of @%s can hold '%s', which needs %s", adg_text(adg, adg->name),
         memory_name(dfg, sw), needs.data);
    if (nearest == MAP_NONE)
      diag_note(ctx, adg->loc,
                outside ? "it has no fabric.extmemory, which memref arguments need"
                        : "it has no fabric.memory, which local memories need");
    else
      diag_note(ctx, adg->components[adg->memories[nearest].component].loc,
                "the closest match is %s: %s", adg_name(adg, adg->memories[nearest].component),
                best.data);
    if (nearest != MAP_NONE) hint_lanes(ctx, sw, &adg->memories[nearest]);
    buf_free(&needs);
  }
  buf_free(&text);
  buf_free(&best);
  return least == 0;
}

/* ---- all memories ---------------------------------------------------------------------------- */

enum { PACKING_STEPS = 200000 };

typedef struct {
  const Dfg *dfg;
  const Adg *adg;
  MemoryRoom *rooms;
  u64 *order; /* memories of the graph, in the lower halves; those with the most lanes first */
  u32 steps;
} Packing;

static bool has_room(const MemoryRoom *room, const MemoryRoom *needs) {
  return room->regions && room->loads >= needs->loads && room->stores >= needs->stores &&
         room->tags >= needs->tags && room->bytes >= needs->bytes &&
         room->dynamics >= needs->dynamics;
}

/* True where an equal memory of the fabric with the same room left has been tried. */
static bool tried_before(const Packing *p, u32 h) {
  for (u32 i = 0; i < h; i++)
    if (!memcmp(&p->rooms[i], &p->rooms[h], sizeof *p->rooms) &&
        p->adg->memories[i].is_external == p->adg->memories[h].is_external &&
        p->adg->memories[i].is_private == p->adg->memories[h].is_private &&
        p->adg->memories[i].elem_bits == p->adg->memories[h].elem_bits &&
        p->adg->memories[i].elements == p->adg->memories[h].elements)
      return true;
  return false;
}

/* True where the memories from the `i`th on can be packed, or the steps are used up. */
static bool pack(Packing *p, u32 i) {
  if (i == p->dfg->nmemories || ++p->steps > PACKING_STEPS) return true;
  u32 memory = (u32)p->order[i];
  MemoryRoom needs = needs_of(p->dfg, &p->dfg->memories[memory]);
  for (u32 h = 0; h < p->adg->nmemories; h++) {
    MemoryRoom *room = &p->rooms[h], old = *room;
    if (!has_room(room, &needs) || tried_before(p, h) ||
        !mapping_memory_fits(p->dfg, p->adg, memory, h))
      continue;
    room->regions--;
    room->loads -= needs.loads;
    room->stores -= needs.stores;
    room->tags -= needs.tags;
    room->bytes -= needs.bytes;
    room->dynamics -= needs.dynamics;
    if (pack(p, i + 1)) return true;
    *room = old;
  }
  return false;
}

static void report_memories(Context *ctx, const Dfg *dfg, const Adg *adg) {
  for (u32 outside = 0; outside < 2; outside++) {
    MemoryRoom want = sum_graph(dfg, outside), has = sum_hardware(adg, outside);
    const char *where = outside ? "external" : "on-chip";
    if (!want.n) continue;
    Buf wanted = {0}, available = {0};
    if (!outside) {
      buf_printf(&wanted, ", %llu byte%s in total", (unsigned long long)want.bytes,
                 plural(want.bytes));
      buf_printf(&available, ", %llu byte%s", (unsigned long long)has.bytes, plural(has.bytes));
    }
    diag_note(ctx, LOC_NONE, "%s: the graph needs %u memor%s with %u load%s and %u store%s%s",
              where, want.n, want.n == 1 ? "y" : "ies", want.loads, plural(want.loads), want.stores,
              plural(want.stores), wanted.data ? wanted.data : "");
    diag_note(ctx, adg->loc,
              "%s: the fabric has %u with %u region%s, %u load lane%s, %u store lane%s%s", where,
              has.n, has.regions, plural(has.regions), has.loads, plural(has.loads), has.stores,
              plural(has.stores), available.data ? available.data : "");
    buf_free(&wanted);
    buf_free(&available);
  }
}

static bool count_memories(Context *ctx, const Dfg *dfg, const Adg *adg) {
  bool fits = true;
  for (u32 i = 0; i < dfg->nmemories; i++) fits = count_memory(ctx, dfg, adg, i) && fits;
  if (!fits || !dfg->nmemories) return fits;
  Arena *arena = arena_new();
  Packing p = {.dfg = dfg,
               .adg = adg,
               .rooms = NEW_ARRAY(arena, MemoryRoom, adg->nmemories),
               .order = NEW_ARRAY(arena, u64, dfg->nmemories)};
  for (u32 h = 0; h < adg->nmemories; h++) p.rooms[h] = room_of(&adg->memories[h]);
  for (u32 i = 0; i < dfg->nmemories; i++)
    p.order[i] = (u64)(UINT32_MAX - dfg_memory_lanes(&dfg->memories[i])) << 32 | i;
  qsort(p.order, dfg->nmemories, sizeof *p.order, compare_u64);
  fits = pack(&p, 0);
  if (!fits) {
    diag(ctx, dfg->loc, MAP_MEMORIES, "the memories of @%s do not all fit in the memories of @%s",
         dfg_text(dfg, dfg->name), adg_text(adg, adg->name));
    report_memories(ctx, dfg, adg);
    diag_hint(ctx, "use a fabric with more memories, or with more lanes in each (loom adg "
                   "--memories, --loads, --stores)");
  }
  arena_free(arena);
  return fits;
}

/* ---- ports ----------------------------------------------------------------------------------- */

typedef Vec(u32) Widths;

/* The widths of the fabric's inputs or outputs. */
static void module_ports(const Adg *adg, AdgKind kind, Widths *out) {
  for (u32 c = 0; c < adg->ncomponents; c++)
    if (adg->components[c].kind == kind)
      vec_push(out, adg->ports[adg->components[c].first_port].width);
}

static bool compare_ports(Context *ctx, const Dfg *dfg, const Adg *adg, const char *noun,
                          const char *ports, const Widths *want, const Widths *have) {
  widest_first(want->at, want->len);
  widest_first(have->at, have->len);
  for (size_t i = 0; i < want->len; i++) {
    if (i < have->len && want->at[i] <= have->at[i]) continue;
    u32 bits = want->at[i], nwant = 0, nhave = 0;
    for (size_t k = 0; k < want->len; k++) nwant += want->at[k] >= bits;
    for (size_t k = 0; k < have->len; k++) nhave += have->at[k] >= bits;
    Buf wide = {0};
    if (bits) buf_printf(&wide, " of at least %u bit%s", bits, plural(bits));
    diag(ctx, dfg->loc, MAP_PORTS, "@%s has %u %s%s%s, but @%s has %u %s%s%s",
         dfg_text(dfg, dfg->name), nwant, noun, plural(nwant), wide.data ? wide.data : "",
         adg_text(adg, adg->name), nhave, ports, plural(nhave), bits ? " of that width" : "");
    diag_note(ctx, adg->loc, "@%s is declared here", adg_text(adg, adg->name));
    if (have->len < want->len)
      diag_hint(ctx, "use a fabric with %zu %ss (loom adg --%ss %zu)", want->len, ports, ports,
                want->len);
    buf_free(&wide);
    return false;
  }
  return true;
}

/* True of an argument that enters the fabric as tokens: no memref, and it has a use. */
static bool needs_input(const Dfg *dfg, const DfgArg *arg) {
  const DfgNode *node = dfg_node(dfg, arg->node);
  return arg->role != DFG_ARG_MEMREF && node->nresults && dfg->results[node->first_result].nedges;
}

static bool count_ports(Context *ctx, const Dfg *dfg, const Adg *adg) {
  Widths args = {0}, results = {0}, inputs = {0}, outputs = {0};
  for (u32 i = 0; i < dfg->nargs; i++) {
    if (needs_input(dfg, &dfg->args[i])) vec_push(&args, dfg->types[dfg->args[i].type].bits);
  }
  for (u32 i = 0; i < dfg->noutputs; i++) vec_push(&results, dfg->types[dfg->outputs[i].type].bits);
  module_ports(adg, ADG_INPUT, &inputs);
  bool fits = compare_ports(ctx, dfg, adg, "argument", "input", &args, &inputs);
  module_ports(adg, ADG_OUTPUT, &outputs);
  fits = compare_ports(ctx, dfg, adg, "result", "output", &results, &outputs) && fits;
  vec_free(&args);
  vec_free(&results);
  vec_free(&inputs);
  vec_free(&outputs);
  return fits;
}

bool mapping_count(Context *ctx, const Dfg *dfg, const Adg *adg, const MapCover *cover) {
  bool fits = cover && count_pes(ctx, dfg, adg, cover);
  fits = count_memories(ctx, dfg, adg) && fits;
  return count_ports(ctx, dfg, adg) && fits;
}

/* ---- nodes and memories that are refused ----------------------------------------------------- */

/* Nodes that no unit can be. */
static void mark_without_unit(const Dfg *dfg, const Adg *adg, bool *is_missing) {
  MapCandidates *candidates = candidates_find(dfg, adg);
  const MapCover *found = &candidates->all;
  for (u32 v = 0; v < dfg->nnodes; v++) is_missing[v] = match_wants_unit(dfg_node(dfg, v));
  for (u32 c = 0; c < found->nclusters; c++)
    for (u32 i = 0; i < found->clusters[c].nnodes; i++)
      is_missing[found->nodes[found->clusters[c].first_node + i]] = false;
  candidates_free(candidates);
}

/* Nodes of the kinds that are more than the PEs for them. */
static void mark_too_many(const Dfg *dfg, const Adg *adg, const MapCover *cover, bool *is_missing) {
  MapSupply *s = supply_new(dfg, adg, cover);
  for (u32 c = 0; c < cover->nclusters; c++) supply_take(s, c);
  if (s->unmet)
    supply_find_cut(s);
  else
    operands_mark(cover, s, is_missing);
  for (u32 c = 0; s->unmet && c < cover->nclusters; c++)
    for (u32 i = 0; i < cover->clusters[c].nnodes && supply_reached_kind(s, s->kind_of[c]); i++)
      is_missing[cover->nodes[cover->clusters[c].first_node + i]] = true;
  supply_free(s);
}

void mapping_count_missing(const Dfg *dfg, const Adg *adg, const MapCover *cover,
                           bool *is_missing) {
  if (cover)
    mark_too_many(dfg, adg, cover, is_missing);
  else
    mark_without_unit(dfg, adg, is_missing);
  for (u32 i = 0; i < dfg->nmemories; i++) {
    u32 fits = 0;
    for (u32 h = 0; h < adg->nmemories; h++) fits += mapping_memory_fits(dfg, adg, i, h);
    if (!fits) is_missing[dfg->memories[i].node] = true;
  }
}

/* ---- the count, for people ------------------------------------------------------------------- */

/* PEs, or instructions of temporal ones, that could carry out clusters of a kind. `in_class` has
 * room for all classes. */
static u32 room_for(const MapSupply *s, u32 kind, u32 *in_class) {
  const SupplyKind *k = &s->kinds[kind];
  u32 room = 0;
  for (u32 m = 0; m < s->nclasses; m++) in_class[m] = 0;
  for (u32 l = k->first_link; l < k->first_link + k->nlinks; l++) {
    const SupplySlot *slot = &s->slots[s->links[l]];
    in_class[slot->class] += slot->capacity;
  }
  for (u32 m = 0; m < s->nclasses; m++)
    room += in_class[m] < s->classes[m].capacity ? in_class[m] : s->classes[m].capacity;
  return room;
}

static void print_rows(const Dfg *dfg, const MapCover *cover, const MapSupply *s, Buf *out) {
  u32 *in_class = mem_alloc(mem_size(s->nclasses + (size_t)1, sizeof *in_class)), nrows = 0;
  KindRow *rows = mem_alloc(mem_size(s->nkinds + (size_t)1, sizeof *rows));
  for (u32 k = 0; k < s->nkinds; k++)
    nrows = add_row(rows, nrows, dfg, cover, &s->kinds[k], room_for(s, k, in_class));
  sort_rows(rows, nrows, true);
  for (u32 i = 0; i < nrows; i++) {
    buf_printf(out, "%8u of %-6u %s\n", rows[i].wanted, rows[i].room, rows[i].text.data);
    buf_free(&rows[i].text);
  }
  mem_free(rows);
  mem_free(in_class);
}

void mapping_count_print(const Dfg *dfg, const Adg *adg, const MapCover *cover, Buf *out) {
  MapSupply *s = supply_new(dfg, adg, cover);
  u32 room = 0, inputs = 0, outputs = 0, args = 0;
  for (u32 c = 0; c < cover->nclusters; c++) supply_take(s, c);
  for (u32 m = 0; m < s->nclasses; m++) room += s->classes[m].capacity;
  for (u32 c = 0; c < adg->ncomponents; c++) {
    inputs += adg->components[c].kind == ADG_INPUT;
    outputs += adg->components[c].kind == ADG_OUTPUT;
  }
  for (u32 i = 0; i < dfg->nargs; i++) {
    args += needs_input(dfg, &dfg->args[i]);
  }
  buf_printf(out, "%8u of %-6u %s\n", cover->nclusters, room,
             room == adg->npes ? "PEs" : "instructions");
  OperandSum operands = operands_sum(adg, cover, s);
  if (operands.places)
    buf_printf(out, "%8llu of %-6llu places for operands\n", (unsigned long long)operands.wanted,
               (unsigned long long)operands.places);
  for (u32 outside = 2; outside-- > 0;) {
    u32 n = (u32)sum_graph(dfg, outside).n, has = (u32)sum_hardware(adg, outside).n;
    if (n) buf_printf(out, "%8u in %-6u %s memories\n", n, has, outside ? "external" : "on-chip");
  }
  buf_printf(out, "%8u of %-6u inputs\n%8u of %-6u outputs\n", args, inputs, dfg->noutputs,
             outputs);
  print_rows(dfg, cover, s, out);
  supply_free(s);
}

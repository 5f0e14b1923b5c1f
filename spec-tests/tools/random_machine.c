/* random_machine.c -- randomly configured fabrics. See random_machine.h.
 *
 * A machine grows part by part: each takes values that are there, and gives new ones. A part is a
 * spatial PE with one unit, a temporal PE with several instructions, or a memory. What has a
 * register may also take a value that is made later, so every loop has one. In the end a value with
 * several takers gets a switch that copies it, and one without any leaves the fabric.
 *
 * Some switches pack lanes of several values: each is in their first output, and the second has of
 * them what it happens to get.
 *
 * Wires are as wide as it happens, and so are ports: what comes out of a narrow one has lost its
 * upper bits. Some of the switches that copy values move their lanes, or drop a copy, and so do
 * temporal ones. Only indices keep four bits at least, and all in their places: what steps by
 * nothing, or asks for elements that are not there, ends the run.
 */
#include "random_machine_state.h"

u32 random_number(Random *random, u32 n) {
  u64 bits = random_next(random) >> 33;
  return n ? (u32)(bits % n) : 0;
}

u32 gen_below(Gen *g, u32 n) {
  return random_number(&g->random, n);
}

/* ---- what there is --------------------------------------------------------------------------- */

/* How wide a port for values of a type is. */
u32 gen_bits(Gen *g, char type) {
  static const u8 widths[] = {1, 2, 3, 4, 6, 7, 8, 12, 13, 16, 24, 31, 33, 40, 48, 63, 64};
  u32 bits = gen_below(g, 2) ? 32 : widths[gen_below(g, COUNT_OF(widths))];
  return type == 'x' && bits < 4 ? 16 : bits;
}

static u32 add_value(Gen *g, char type, u32 bits) {
  Value *v = &g->values[g->nvalues];
  *v = (Value){.type = type, .bits = bits, .is_fifo = !gen_below(g, 4)};
  snprintf(v->name, sizeof v->name, "%%v%u", g->nvalues);
  return g->nvalues++;
}

static u32 add_input(Gen *g, char type) {
  u32 v = add_value(g, type, gen_bits(g, type));
  g->values[v].is_input = true;
  snprintf(g->values[v].name, sizeof g->values[v].name, "%%%c%u", type, v);
  return v;
}

/* What comes out of a component itself. */
static u32 add_result(Gen *g, char type, u32 bits, u32 part, u32 result) {
  u32 v = add_value(g, type, bits);
  snprintf(g->values[v].name, sizeof g->values[v].name, "%%p%u#%u", part, result);
  return v;
}

/* A value of a type, one in two the newest that nobody takes. Some values of each type are there
 * from the start. */
static u32 pick(Gen *g, char type, bool wide) {
  u32 from = gen_below(g, 2) ? gen_below(g, g->nvalues) : g->nvalues - 1;
  for (u32 round = 0; round < 2; round++)
    for (u32 k = 0; k < g->nvalues; k++) {
      u32 v = (from + g->nvalues - k) % g->nvalues;
      const Value *value = &g->values[v];
      if (value->type != type || value->is_inside || value->is_dead) continue;
      if (wide && !value->bits) continue;
      if (round == 0 && value->uses) continue;
      if (round == 1 && value->uses >= MAX_USES) continue;
      return v;
    }
  return add_input(g, type);
}

static u32 take(Gen *g, char type, bool wide) {
  u32 v = pick(g, type, wide);
  g->values[v].uses++;
  return v;
}

/* Some type that the i32 of a unit can be, or 0. */
static char any_type(Gen *g, const UnitText *unit) {
  static const char types[] = {'b', 'y', 'h', 'l', 'x', 'f'};
  char type = types[gen_below(g, sizeof types)];
  return can_be_of(unit, type) ? type : 0;
}

static void choose_unit(Gen *g, Part *p, u32 i) {
  Instruction *in = &p->at[i];
  in->shares = i && gen_below(g, 2) ? p->at[gen_below(g, i)].shares : i;
  if (in->shares < i) {
    const Instruction *first = &p->at[in->shares];
    in->unit = first->unit, in->latency = first->latency, in->interval = first->interval;
    in->early_out = first->early_out, in->type = first->type;
    p->has_own_state = p->has_own_state || unit_texts[in->unit].timing != OF_LATENCY;
    return;
  }
  do in->unit = gen_below(g, MACHINE_UNITS);
  while (p->kind == TEMPORAL && unit_texts[in->unit].timing == OWN_WIRES);
  bool is_kin = p->is_kindred && i && gen_below(g, 4);
  if (is_kin) in->unit = p->at[0].unit;
  in->latency = gen_below(g, p->is_kindred ? 6 : 4);
  in->interval = 1 + (gen_below(g, 3) ? 0 : gen_below(g, 3));
  const char *name = unit_texts[in->unit].name;
  u32 most = strcmp(name, "rem") == 0    ? 19
             : strcmp(name, "divl") == 0 ? 35
             : strcmp(name, "remf") == 0 ? 282
                                         : 0;
  in->early_out = most && gen_below(g, 4);
  if (in->early_out) in->latency = in->interval = most + gen_below(g, 3);
  if (p->is_kindred) in->type = any_type(g, &unit_texts[in->unit]);
  if (is_kin && !in->early_out && !p->at[0].early_out && gen_below(g, 4))
    in->latency = p->at[0].latency, in->interval = p->at[0].interval;
}

/* What is a float goes where integers of as many bits do. */
static char of_wires(char type) {
  return type == 'f' ? 'i' : type;
}

static void make_instruction(Gen *g, Instruction *in, bool is_temporal) {
  const UnitText *unit = &unit_texts[in->unit];
  bool has_register = unit->timing == OF_LATENCY ? in->latency > 0 : unit->timing == OWN_REGISTERS;
  for (u32 i = 0; unit_texts[in->unit].operands[i]; i++) {
    if (has_register && !gen_below(g, 6))
      in->operands[i] = LATE;
    else
      in->operands[i] = take(g, of_wires(unit_texts[in->unit].operands[i]), is_temporal);
  }
}

static u32 make_result(Gen *g, const Instruction *in, u32 r, bool is_temporal) {
  char type = of_wires(unit_texts[in->unit].results[r]);
  u32 self = g->nparts - 1;
  if (is_temporal) return add_value(g, type, g->parts[self].bits);
  return add_result(g, type, gen_bits(g, type), self, r);
}

/* An output that is not used has a wire all the same. */
static void add_dead(Gen *g, u32 part, u32 result, u32 bits, u32 tag_bits) {
  u32 v = add_result(g, ' ', bits, part, result);
  g->values[v].tag_bits = tag_bits;
  g->values[v].is_dead = true;
  g->values[v].is_fifo = false;
}

u32 gen_result(const Instruction *in, u32 r) {
  u32 v = in->results[r];
  return v >= TO ? v - TO : v;
}

u32 gen_result_count(const Part *p) {
  u32 n = 1;
  for (u32 i = 0; i < p->n; i++)
    if (unit_texts[p->at[i].unit].results[1]) n = 2;
  return n;
}

static void add_dead_outputs(Gen *g, const Part *p) {
  for (u32 r = 0; r < gen_result_count(p); r++) {
    bool is_used = false;
    for (u32 i = 0; i < p->n; i++)
      is_used =
          is_used || (unit_texts[p->at[i].unit].results[r] && gen_result(&p->at[i], r) < LATE);
    if (!is_used && p->kind == TEMPORAL)
      add_dead(g, g->nparts - 1, r, p->bits, p->tag_bits);
    else if (!is_used)
      add_dead(g, g->nparts - 1, r, 32, 0);
  }
}

/* One of two results at least goes somewhere. */
static void make_results(Gen *g, Instruction *in, bool is_temporal) {
  for (u32 r = 0; unit_texts[in->unit].results[r]; r++) {
    bool is_lost = unit_texts[in->unit].results[1] && !gen_below(g, 6);
    in->results[r] = is_lost ? LOST : make_result(g, in, r, is_temporal);
  }
  if (in->results[0] >= LATE && unit_texts[in->unit].results[1] && in->results[1] >= LATE)
    in->results[0] = make_result(g, in, 0, is_temporal);
}

/* Does operand `o` of some other instruction come in at the port of that number? */
static bool has_other(const Part *p, u32 to, u32 o) {
  for (u32 i = 0; i < p->n; i++)
    if (i != to && strlen(unit_texts[p->at[i].unit].operands) > o) return true;
  return false;
}

/* Result 0 of an instruction goes to a register that a later one reads, in place of an operand; and
 * perhaps to where it went before, too. */
static void make_register(Gen *g, Part *p) {
  u32 from = gen_below(g, p->n - 1), to = from + 1 + gen_below(g, p->n - from - 1);
  Instruction *writer = &p->at[from], *reader = &p->at[to];
  for (u32 i = 0; unit_texts[reader->unit].operands[i]; i++) {
    if (unit_texts[reader->unit].operands[i] != unit_texts[writer->unit].results[0]) continue;
    if (writer->results[0] >= LATE || !has_other(p, to, i)) return;
    if (reader->operands[i] < LATE) g->values[reader->operands[i]].uses--;
    reader->operands[i] = FROM;
    if (gen_below(g, 2)) {
      g->values[writer->results[0]].is_inside = true;
      writer->results[0] = NOWHERE;
    }
    writer->results[0] += TO;
    return;
  }
}

static void make_memory(Gen *g, Part *p) {
  p->n = 1 + gen_below(g, MAX_LANES);
  p->stores = gen_below(g, MAX_LANES + 1);
  p->latency = gen_below(g, MAX_LATENCY + 1);
  p->depth = gen_below(g, MAX_DEPTH + 1);
  for (u32 l = 0; l < p->n; l++) p->load[l][0] = take(g, 'x', true);
  for (u32 l = 0; l < p->stores; l++) {
    p->store[l][0] = take(g, 'x', true);
    p->store[l][1] = take(g, 'i', true);
  }
  u32 self = g->nparts - 1;
  /* of one inside not drawn: the rest stays as it was */
  p->channels = 1u << (p->is_external ? gen_below(g, 3) : (self + p->n + p->latency) % 4);
  u32 ports = gen_ports(p, p->n);
  bool is_alone = !gen_is_shared(p, p->n);
  for (u32 l = 0; l < p->n; l++)
    p->load[l][1] =
        is_alone ? add_result(g, 'i', gen_bits(g, 'i'), self, l) : add_value(g, 'i', p->bits);
  for (u32 l = 0; l < p->n; l++)
    p->load[l][2] = is_alone ? add_result(g, 'n', 0, self, ports + l) : add_value(g, 'n', 0);
  for (u32 l = 0; l < p->stores; l++)
    p->store[l][2] = gen_is_shared(p, p->stores) ? add_value(g, 'n', 0)
                                                 : add_result(g, 'n', 0, self, 2 * ports + l);
}

static u8 any_lane(Gen *g, const Part *p, u32 input) {
  return (u8)(1 + MAX_LANE_COUNT * input + gen_below(g, p->in_lanes[input]));
}

static void make_pack(Gen *g, Part *p) {
  static const char types[] = {'i', 'h', 'l', 'b'};
  p->n = 2 + gen_below(g, MAX_PACKED - 1);
  p->lane_bits = 1 + gen_below(g, 12);
  for (u32 i = 0; i < p->n; i++) {
    p->at[0].operands[i] = take(g, types[gen_below(g, 4)], false);
    p->in_lanes[i] = 1 + gen_below(g, 4);
  }
  for (u32 o = 0; o < 2; o++) {
    u32 lanes = p->out_lanes[o] = p->n + gen_below(g, 3), turn = gen_below(g, lanes);
    for (u32 l = 0; l < lanes; l++) {
      bool is_own = l < p->n && (o == 0 || l == 0);
      bool is_any = gen_below(g, 2);
      u32 input = is_own && o == 0 ? l : gen_below(g, p->n);
      p->packed[o][(l + turn) % lanes] = is_own || is_any ? any_lane(g, p, input) : 0;
    }
    add_result(g, types[gen_below(g, 2)], lanes * p->lane_bits, g->nparts - 1, o);
  }
}

static void make_part(Gen *g) {
  Part *p = &g->parts[g->nparts++];
  u32 kind = gen_below(g, 12);
  p->kind = kind < 6 ? SPATIAL : kind < 8 ? TEMPORAL : kind < 10 ? MEMORY : PACK;
  p->is_nested = gen_below(g, 2);
  p->bits = gen_bits(g, 'x');
  p->tag_bits = 2 + gen_below(g, 5);
  p->is_external = gen_below(g, 3);
  p->elem_log2 = gen_below(g, 3) ? 2 : gen_below(g, 4);
  if (p->kind == MEMORY) {
    make_memory(g, p);
    return;
  }
  if (p->kind == PACK) {
    make_pack(g, p);
    return;
  }
  p->n = p->kind == SPATIAL ? 1 : 1 + gen_below(g, MAX_INSTRUCTIONS);
  p->has_own_config = gen_below(g, 2);
  p->has_own_state = gen_below(g, 2);
  p->is_kindred = p->kind == TEMPORAL && gen_below(g, 2);
  for (u32 i = 0; i < p->n; i++) {
    choose_unit(g, p, i);
    make_instruction(g, &p->at[i], p->kind == TEMPORAL);
  }
  for (u32 i = 0; i < p->n; i++) make_results(g, &p->at[i], p->kind == TEMPORAL);
  if (p->n > 1 && p->kind == TEMPORAL && gen_below(g, 2)) make_register(g, p);
  add_dead_outputs(g, p);
}

static void choose_late(Gen *g) {
  for (u32 k = 0; k < g->nparts; k++) {
    Part *p = &g->parts[k];
    for (u32 i = 0; (p->kind == SPATIAL || p->kind == TEMPORAL) && i < p->n; i++)
      for (u32 o = 0; unit_texts[p->at[i].unit].operands[o]; o++)
        if (p->at[i].operands[o] == LATE)
          p->at[i].operands[o] =
              take(g, unit_texts[p->at[i].unit].operands[o], p->kind == TEMPORAL);
  }
}

static void choose_sunk(Gen *g) {
  for (u32 v = 0; v < g->nvalues; v++) {
    Value *value = &g->values[v];
    bool can_be = !value->uses && !value->is_dropped && !value->is_inside && !value->is_dead;
    value->is_sunk = can_be && !value->is_input && !gen_below(g, 3);
  }
}

/* The lanes of the switch that copies a value: those of each copy. */
static void choose_lanes(Gen *g, Value *v) {
  u32 ports = v->uses, lane = 1 + gen_below(g, 16), lanes = v->bits / lane;
  bool has_lanes = !v->tag_bits && v->bits && v->bits % lane == 0 && lanes <= MAX_LANE_COUNT;
  for (u32 c = 0; c < ports; c++) v->copy_bits[c] = v->bits;
  if (!has_lanes || v->type == 'x' || gen_below(g, 2)) return;
  v->lane_bits = lane;
  for (u32 c = 0; c < ports; c++) {
    u32 n = 1 + gen_below(g, MAX_LANE_COUNT);
    while (n * lane > 64) n--;
    v->copy_bits[c] = n * lane;
    bool is_straight = !gen_below(g, 3);
    for (u32 l = 0; l < n; l++)
      v->from[c][l] = (u8)(is_straight && l < lanes ? l : gen_below(g, lanes));
  }
}

/* Some results without a consumer are discarded: those with a switch before them. */
static void choose_dropped(Gen *g) {
  for (u32 k = 0; k < g->nparts; k++) {
    const Part *p = &g->parts[k];
    for (u32 r = 0; r < 2 && p->kind == TEMPORAL; r++) {
      u32 kept = 0;
      for (u32 i = 0; i < p->n; i++)
        if (unit_texts[p->at[i].unit].results[r] &&
            (r == 0 || unit_texts[p->at[i].unit].results[1]) && gen_result(&p->at[i], r) < LATE)
          kept++;
      for (u32 i = 0; i < p->n && kept > 1; i++) {
        if (!unit_texts[p->at[i].unit].results[r] || gen_result(&p->at[i], r) >= LATE) continue;
        Value *v = &g->values[gen_result(&p->at[i], r)];
        if (v->uses || v->is_inside || gen_below(g, 2)) continue;
        v->is_dropped = true;
        v->is_fifo = false;
        kept--;
      }
    }
  }
}

void random_machine(u64 seed, Buf *out) {
  Gen *g = mem_alloc(sizeof *g);
  g->random.state = seed;
  g->out = out;
  for (const char *type = "iiibbxxn"; *type; type++) add_input(g, *type);
  for (u32 parts = 2 + gen_below(g, MAX_PARTS - 1); g->nparts < parts;) make_part(g);
  choose_late(g);
  choose_dropped(g);
  choose_sunk(g);
  for (u32 v = 0; v < g->nvalues; v++) choose_lanes(g, &g->values[v]);
  gen_text(g);
  mem_free(g);
}

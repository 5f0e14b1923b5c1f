/* random_machine.c -- fabrics that are configured at random. See random_machine.h.
 *
 * A machine grows part by part: each takes values that are there, and gives new ones. A part is a
 * spatial PE with one unit, a temporal PE with several instructions, or a memory. What has a
 * register may also take a value that is made later, so every loop has one. In the end a value with
 * several takers gets a switch that copies it, and one without any leaves the fabric.
 *
 * Wires are as wide as it happens, and so are ports: what comes out of a narrow one has lost its
 * upper bits. Some of the switches that copy values move their lanes, or drop a copy, and so do
 * temporal ones. Only indices keep four bits at least, and all in their places: what steps by
 * nothing, or asks for elements that are not there, ends the run.
 */
#include "random_machine.h"

#include <stdlib.h>

enum {
  MOST_VALUES = 256,
  MOST_PARTS = 12,
  MOST_INSTRUCTIONS = 4,
  MOST_OPERANDS = 4,
  MOST_LANES = 2
};

/* Units: operands and results, i i32, l i64, h i16, x index, b i1, n none; the body, of $0 ... and
 * results %r, %s. */
static const struct {
  const char *operands, *results, *body;
  bool is_stream; /* a dataflow machine: outputs are registers */
} units[] = {
    {"ii", "i", "%r = arith.addi $0, $1 : i32", false},
    {"ii", "i", "%r = arith.subi $0, $1 : i32", false},
    {"ii", "i", "%r = arith.muli $0, $1 : i32", false},
    {"iii", "i", "%t = arith.muli $0, $1 : i32\n      %r = arith.addi %t, $2 : i32", false},
    {"ii", "b", "%r = arith.cmpi slt, $0, $1 : i32", false},
    {"bii", "i", "%r = arith.select $0, $1, $2 : i32", false},
    {"xx", "x", "%r = arith.minui $0, $1 : index", false},
    {"x", "i", "%r = arith.index_cast $0 : index to i32", false},
    {"n", "i", "%r = handshake.constant $0 {value = 7 : i32} : i32", false},
    {"n", "x", "%r = handshake.constant $0 {value = 3 : index} : index", false},
    {"nn", "n", "%r = handshake.join $0, $1 : none, none", false},
    {"bi", "ii", "%r, %s = handshake.cond_br $0, $1 : i32", false},
    {"bn", "nn", "%r, %s = handshake.cond_br $0, $1 : none", false},
    {"bii", "i", "%r = handshake.mux $0 [$1, $2] : i1, i32", false},
    {"ib", "ib", "%r, %s = dataflow.gate $0, $1 : i32, i1 -> i32, i1", true},
    {"bii", "i", "%r = dataflow.carry $0, $1, $2 : i1, i32, i32 -> i32", true},
    {"bi", "i", "%r = dataflow.invariant $0, $1 : i1, i32 -> i32", true},
    {"i", "l", "%r = arith.extsi $0 : i32 to i64", false},
    {"ll", "l", "%r = arith.addi $0, $1 : i64", false},
    {"l", "i", "%r = arith.trunci $0 : i64 to i32", false},
    {"ih", "h", "%t = arith.trunci $0 : i32 to i16\n      %r = arith.muli %t, $1 : i16", false},
    {"h", "i", "%r = arith.extui $0 : i16 to i32", false},
    {"xin", "ix", "%r, %s = handshake.load [$0] $1, $2 : index, i32", false},
    {"xin", "ix", "%r, %s = handshake.store [$0] $1, $2 : index, i32", false},
    {"xxx", "xb",
     "%r, %s = dataflow.stream $0, $1, $2 {step_op = \"+=\", cont_cond = \"<\"} : (index, index, "
     "index) -> (index, i1)",
     true},
};

/* A Fabric type as text. */
typedef struct {
  char text[64];
} Wire;

enum { MOST_USES = 6, MOST_LANE_COUNT = 8, UNMOVED = 255 };

typedef struct {
  char type;
  char name[16];   /* where it is made */
  u32 bits;        /* of its wire; 0: none */
  u32 tag_bits;    /* of its wire, or 0 */
  bool is_inside;  /* it does not leave its PE */
  bool is_input;   /* of the fabric */
  bool is_dead;    /* no token ever comes: a wire out of the fabric */
  bool is_fifo;    /* behind its source stands a fifo */
  bool is_dropped; /* nobody takes it, and it does not leave the fabric either */
  bool is_sunk;    /* nobody takes it, and a switch throws it away */
  u32 uses, next;  /* takers, and how many of them are written */
  u32 lane_bits;   /* of the switch that copies it; 0: whole ports */
  u32 copy_bits[MOST_USES + 1];
  u8 from[MOST_USES + 1][MOST_LANE_COUNT]; /* by copy and lane: which lane it is */
} Value;

typedef struct {
  u32 unit, latency, interval;
  u32 operands[MOST_OPERANDS]; /* values; LATE: one of the type, chosen in the end; FROM */
  u32 results[2];              /* values; LOST, or TO + a value or NOWHERE */
} Instruction;

typedef struct {
  enum { SPATIAL, TEMPORAL, MEMORY } kind;
  u32 n; /* instructions; loads */
  Instruction at[MOST_INSTRUCTIONS];
  bool is_nested;     /* where a gate is shared: two switches, one behind the other */
  u32 bits, tag_bits; /* of its tagged ports */
  bool is_external;   /* a memory */
  u32 elem_log2;      /* of its elements, in bytes */
  u32 stores;
  u32 load[MOST_LANES][3], store[MOST_LANES][3]; /* address, data, done; address, data, done */
} Part;

enum { LATE = 1 << 16, LOST, NOWHERE, FROM = 1 << 17, TO = 1 << 18 };

typedef struct {
  u64 state;
  Buf *out;
  u32 nvalues, nparts, names, nmemories;
  Value values[MOST_VALUES];
  Part parts[MOST_PARTS];
} Gen;

u32 random_number(u64 *state, u32 n) {
  u64 z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return n ? (u32)((z >> 33) % n) : 0;
}

static u32 below(Gen *g, u32 n) {
  return random_number(&g->state, n);
}

/* ---- what there is --------------------------------------------------------------------------- */

static Wire wire(u32 bits, u32 tag_bits) {
  Wire w;
  if (bits)
    snprintf(w.text, sizeof w.text, "!fabric.bits<%u>", bits);
  else
    snprintf(w.text, sizeof w.text, "none");
  if (!tag_bits) return w;
  Wire tagged;
  snprintf(tagged.text, sizeof tagged.text, "!fabric.tagged<%.20s, i%u>", w.text, tag_bits);
  return tagged;
}

/* How wide a port for values of a type is. */
static u32 some_bits(Gen *g, char type) {
  static const u8 widths[] = {1, 2, 3, 4, 6, 7, 8, 12, 13, 16, 24, 31, 33, 40, 48, 63, 64};
  u32 bits = below(g, 2) ? 32 : widths[below(g, COUNT_OF(widths))];
  return type == 'x' && bits < 4 ? 16 : bits;
}

static u32 add_value(Gen *g, char type, u32 bits) {
  Value *v = &g->values[g->nvalues];
  *v = (Value){.type = type, .bits = bits, .is_fifo = !below(g, 4)};
  snprintf(v->name, sizeof v->name, "%%v%u", g->nvalues);
  return g->nvalues++;
}

static u32 add_input(Gen *g, char type) {
  u32 v = add_value(g, type, some_bits(g, type));
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
  u32 from = below(g, 2) ? below(g, g->nvalues) : g->nvalues - 1;
  for (u32 round = 0; round < 2; round++)
    for (u32 k = 0; k < g->nvalues; k++) {
      u32 v = (from + g->nvalues - k) % g->nvalues;
      const Value *value = &g->values[v];
      if (value->type != type || value->is_inside || value->is_dead) continue;
      if (wide && !value->bits) continue;
      if (round == 0 && value->uses) continue;
      if (round == 1 && value->uses >= MOST_USES) continue;
      return v;
    }
  return add_input(g, type);
}

static u32 take(Gen *g, char type, bool wide) {
  u32 v = pick(g, type, wide);
  g->values[v].uses++;
  return v;
}

static void make_instruction(Gen *g, Instruction *in, bool is_temporal) {
  in->unit = below(g, COUNT_OF(units));
  in->latency = below(g, 4);
  in->interval = 1 + (below(g, 3) ? 0 : below(g, 3));
  bool has_register = in->latency || units[in->unit].is_stream;
  for (u32 i = 0; units[in->unit].operands[i]; i++) {
    if (has_register && !below(g, 6))
      in->operands[i] = LATE;
    else
      in->operands[i] = take(g, units[in->unit].operands[i], is_temporal);
  }
}

static u32 make_result(Gen *g, const Instruction *in, u32 r, bool is_temporal) {
  char type = units[in->unit].results[r];
  u32 self = g->nparts - 1;
  if (is_temporal) return add_value(g, type, g->parts[self].bits);
  return add_result(g, type, some_bits(g, type), self, r);
}

/* An output that is not used has a wire all the same. */
static void add_dead(Gen *g, u32 part, u32 result, u32 bits, u32 tag_bits) {
  u32 v = add_result(g, ' ', bits, part, result);
  g->values[v].tag_bits = tag_bits;
  g->values[v].is_dead = true;
  g->values[v].is_fifo = false;
}

static u32 result_of(const Instruction *in, u32 r) {
  u32 v = in->results[r];
  return v >= TO ? v - TO : v;
}

static u32 count_results(const Part *p) {
  u32 n = 1;
  for (u32 i = 0; i < p->n; i++)
    if (units[p->at[i].unit].results[1]) n = 2;
  return n;
}

static void add_dead_outputs(Gen *g, const Part *p) {
  for (u32 r = 0; r < count_results(p); r++) {
    bool is_used = false;
    for (u32 i = 0; i < p->n; i++)
      is_used = is_used || (units[p->at[i].unit].results[r] && result_of(&p->at[i], r) < LATE);
    if (!is_used && p->kind == TEMPORAL)
      add_dead(g, g->nparts - 1, r, p->bits, p->tag_bits);
    else if (!is_used)
      add_dead(g, g->nparts - 1, r, 32, 0);
  }
}

/* One of two results at least goes somewhere. */
static void make_results(Gen *g, Instruction *in, bool is_temporal) {
  for (u32 r = 0; units[in->unit].results[r]; r++) {
    bool is_lost = units[in->unit].results[1] && !below(g, 6);
    in->results[r] = is_lost ? LOST : make_result(g, in, r, is_temporal);
  }
  if (in->results[0] >= LATE && units[in->unit].results[1] && in->results[1] >= LATE)
    in->results[0] = make_result(g, in, 0, is_temporal);
}

/* Does operand `o` of some other instruction come in at the port of that number? */
static bool has_other(const Part *p, u32 to, u32 o) {
  for (u32 i = 0; i < p->n; i++)
    if (i != to && strlen(units[p->at[i].unit].operands) > o) return true;
  return false;
}

/* Result 0 of an instruction goes to a register that a later one reads, in place of an operand; and
 * perhaps to where it went before, too. */
static void make_register(Gen *g, Part *p) {
  u32 from = below(g, p->n - 1), to = from + 1 + below(g, p->n - from - 1);
  Instruction *writer = &p->at[from], *reader = &p->at[to];
  for (u32 i = 0; units[reader->unit].operands[i]; i++) {
    if (units[reader->unit].operands[i] != units[writer->unit].results[0]) continue;
    if (writer->results[0] >= LATE || !has_other(p, to, i)) return;
    if (reader->operands[i] < LATE) g->values[reader->operands[i]].uses--;
    reader->operands[i] = FROM;
    if (below(g, 2)) {
      g->values[writer->results[0]].is_inside = true;
      writer->results[0] = NOWHERE;
    }
    writer->results[0] += TO;
    return;
  }
}

static void make_memory(Gen *g, Part *p) {
  p->n = 1 + below(g, MOST_LANES);
  p->stores = below(g, MOST_LANES + 1);
  for (u32 l = 0; l < p->n; l++) p->load[l][0] = take(g, 'x', true);
  for (u32 l = 0; l < p->stores; l++) {
    p->store[l][0] = take(g, 'x', true);
    p->store[l][1] = take(g, 'i', true);
  }
  for (u32 l = 0; l < p->n; l++) {
    u32 self = g->nparts - 1;
    bool is_alone = p->n == 1;
    p->load[l][1] =
        is_alone ? add_result(g, 'i', some_bits(g, 'i'), self, 0) : add_value(g, 'i', p->bits);
    p->load[l][2] = is_alone ? add_result(g, 'n', 0, self, 1) : add_value(g, 'n', 0);
  }
  for (u32 l = 0; l < p->stores; l++)
    p->store[l][2] =
        p->stores == 1 ? add_result(g, 'n', 0, g->nparts - 1, 2) : add_value(g, 'n', 0);
}

static void make_part(Gen *g) {
  Part *p = &g->parts[g->nparts++];
  u32 kind = below(g, 10);
  p->kind = kind < 6 ? SPATIAL : kind < 8 ? TEMPORAL : MEMORY;
  p->is_nested = below(g, 2);
  p->bits = some_bits(g, 'x');
  p->tag_bits = 2 + below(g, 3);
  p->is_external = below(g, 3);
  p->elem_log2 = below(g, 3) ? 2 : below(g, 4);
  if (p->kind == MEMORY) {
    make_memory(g, p);
    return;
  }
  p->n = p->kind == SPATIAL ? 1 : 2 + below(g, MOST_INSTRUCTIONS - 1);
  for (u32 i = 0; i < p->n; i++) make_instruction(g, &p->at[i], p->kind == TEMPORAL);
  for (u32 i = 0; i < p->n; i++) make_results(g, &p->at[i], p->kind == TEMPORAL);
  if (p->kind == TEMPORAL && below(g, 2)) make_register(g, p);
  add_dead_outputs(g, p);
}

static void choose_late(Gen *g) {
  for (u32 k = 0; k < g->nparts; k++) {
    Part *p = &g->parts[k];
    for (u32 i = 0; p->kind != MEMORY && i < p->n; i++)
      for (u32 o = 0; units[p->at[i].unit].operands[o]; o++)
        if (p->at[i].operands[o] == LATE)
          p->at[i].operands[o] = take(g, units[p->at[i].unit].operands[o], p->kind == TEMPORAL);
  }
}

static void choose_sunk(Gen *g) {
  for (u32 v = 0; v < g->nvalues; v++) {
    Value *value = &g->values[v];
    bool can_be = !value->uses && !value->is_dropped && !value->is_inside && !value->is_dead;
    value->is_sunk = can_be && !value->is_input && !below(g, 3);
  }
}

/* The lanes of the switch that copies a value: those of each copy. */
static void choose_lanes(Gen *g, Value *v) {
  u32 ports = v->uses, lane = 1 + below(g, 16), lanes = v->bits / lane;
  bool has_lanes = !v->tag_bits && v->bits && v->bits % lane == 0 && lanes <= MOST_LANE_COUNT;
  for (u32 c = 0; c < ports; c++) v->copy_bits[c] = v->bits;
  if (!has_lanes || v->type == 'x' || below(g, 2)) return;
  v->lane_bits = lane;
  for (u32 c = 0; c < ports; c++) {
    u32 n = 1 + below(g, MOST_LANE_COUNT);
    while (n * lane > 64) n--;
    v->copy_bits[c] = n * lane;
    bool is_straight = !below(g, 3);
    for (u32 l = 0; l < n; l++)
      v->from[c][l] = (u8)(is_straight && l < lanes ? l : below(g, lanes));
  }
}

/* Of what nobody takes some is thrown away: what has a switch before it there. */
static void choose_dropped(Gen *g) {
  for (u32 k = 0; k < g->nparts; k++) {
    const Part *p = &g->parts[k];
    for (u32 r = 0; r < 2 && p->kind == TEMPORAL; r++) {
      u32 kept = 0;
      for (u32 i = 0; i < p->n; i++)
        if (units[p->at[i].unit].results[r] && (r == 0 || units[p->at[i].unit].results[1]) &&
            result_of(&p->at[i], r) < LATE)
          kept++;
      for (u32 i = 0; i < p->n && kept > 1; i++) {
        if (!units[p->at[i].unit].results[r] || result_of(&p->at[i], r) >= LATE) continue;
        Value *v = &g->values[result_of(&p->at[i], r)];
        if (v->uses || v->is_inside || below(g, 2)) continue;
        v->is_dropped = true;
        v->is_fifo = false;
        kept--;
      }
    }
  }
}

/* ---- the text -------------------------------------------------------------------------------- */

static const char *type_text(char type) {
  switch (type) {
  case 'i': return "i32";
  case 'l': return "i64";
  case 'h': return "i16";
  case 'x': return "index";
  case 'b': return "i1";
  default: return "none";
  }
}

/* The next use of a value; how wide it is there. */
static u32 put_use(Gen *g, u32 v, Buf *out) {
  Value *value = &g->values[v];
  u32 bits = value->uses < 2 ? value->bits : value->copy_bits[value->next];
  if (value->is_sunk)
    buf_printf(out, "%%s%u", v);
  else if (value->uses < 2 && value->is_fifo)
    buf_printf(out, "%%q%u", v);
  else if (value->uses < 2)
    buf_str(out, value->name);
  else
    buf_printf(out, "%%s%u#%u", v, value->next++);
  return bits;
}

/* Where copy c of a value comes from. */
static void put_routes(Gen *g, const Value *v, u32 c) {
  if (!v->lane_bits) {
    buf_printf(g->out, "%sin 0 -> out %u", c ? ", " : "", c);
    return;
  }
  for (u32 l = 0; l < v->copy_bits[c] / v->lane_bits; l++)
    buf_printf(g->out, "%sin 0[%u] -> out %u[%u]", c || l ? ", " : "", v->from[c][l], c, l);
}

/* Behind a value that is made: the fifo, the switch that copies it. */
static void put_way(Gen *g, u32 v) {
  const Value *value = &g->values[v];
  Wire own = wire(value->bits, value->tag_bits);
  if (value->is_fifo)
    buf_printf(g->out, "  %%q%u = fabric.fifo @q%u [depth = %u] (%s) : (%s) -> (%s)\n", v, v,
               1 + v % 4, value->name, own.text, own.text);
  char from[16];
  snprintf(from, sizeof from, "%%q%u", v);
  if (!value->is_fifo) memcpy(from, value->name, sizeof from);
  if (value->is_sunk)
    buf_printf(g->out,
               "  %%s%u = fabric.spatial_sw @s%u [connectivity_table = [\"1\"]] (%s) attributes "
               "{discard = [0 : i64]} : (%s) -> (%s)\n",
               v, v, from, own.text, own.text);
  if (value->uses < 2) return;
  buf_printf(g->out, "  %%s%u:%u = fabric.spatial_sw @s%u [", v, value->uses, v);
  if (value->lane_bits) buf_printf(g->out, "decomposable_bits = %u, ", value->lane_bits);
  buf_str(g->out, "connectivity_table = [");
  for (u32 i = 0; i < value->uses; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
  buf_printf(g->out, "]] (%s) attributes {route_table = [\"", from);
  for (u32 i = 0; i < value->uses; i++) put_routes(g, value, i);
  buf_str(g->out, "\"]");
  buf_printf(g->out, "} : (%s) -> (", own.text);
  for (u32 i = 0; i < value->uses; i++)
    buf_printf(g->out, "%s%s", i ? ", " : "", wire(value->copy_bits[i], value->tag_bits).text);
  buf_str(g->out, ")\n");
}

static void put_unit(Gen *g, const Instruction *in, u32 name) {
  const char *operands = units[in->unit].operands, *results = units[in->unit].results;
  buf_printf(g->out, "    fabric.function_unit @u%u(", name);
  for (u32 i = 0; operands[i]; i++)
    buf_printf(g->out, "%s%%a%u: %s", i ? ", " : "", i, type_text(operands[i]));
  buf_str(g->out, ") -> (");
  for (u32 r = 0; results[r]; r++) buf_printf(g->out, "%s%s", r ? ", " : "", type_text(results[r]));
  if (units[in->unit].is_stream)
    buf_str(g->out, ") [latency = -1, interval = -1] {\n      ");
  else
    buf_printf(g->out, ") [latency = %u, interval = %u] {\n      ", in->latency, in->interval);
  for (const char *at = units[in->unit].body; *at; at++)
    if (*at == '$')
      buf_str(g->out, "%a");
    else
      buf_char(g->out, *at);
  buf_printf(g->out, "\n      fabric.yield %%r%s : ", results[1] ? ", %s" : "");
  for (u32 r = 0; results[r]; r++) buf_printf(g->out, "%s%s", r ? ", " : "", type_text(results[r]));
  buf_str(g->out, "\n    }\n");
}

static void put_spatial(Gen *g, u32 part) {
  const Instruction *in = &g->parts[part].at[0];
  const char *operands = units[in->unit].operands, *results = units[in->unit].results;
  Buf inputs = {0}, types = {0};
  u32 nresults = (u32)strlen(results);
  for (u32 i = 0; operands[i]; i++) {
    buf_str(&inputs, i ? ", " : "");
    put_use(g, in->operands[i], &inputs);
    buf_printf(&types, "%s%s", i ? ", " : "", wire(some_bits(g, operands[i]), 0).text);
  }
  buf_printf(g->out, "  %%p%u:%u = fabric.spatial_pe @p%u inputs(%s) : (%s) -> (", part, nresults,
             part, inputs.data, types.data);
  for (u32 r = 0; r < nresults; r++)
    buf_printf(g->out, "%s%s", r ? ", " : "",
               wire(in->results[r] == LOST ? 32 : g->values[in->results[r]].bits, 0).text);
  buf_str(g->out, ") attributes {instruction = \"u0(");
  for (u32 i = 0; operands[i]; i++) buf_printf(g->out, "%sin %u", i ? ", " : "", i);
  buf_str(g->out, ") -> (");
  for (u32 r = 0; r < nresults; r++) {
    buf_str(g->out, r ? ", " : "");
    if (in->results[r] == LOST)
      buf_str(g->out, "discard");
    else
      buf_printf(g->out, "out %u", r);
  }
  buf_str(g->out, ")\"} {\n");
  put_unit(g, in, 0);
  buf_str(g->out, "    fabric.yield\n  }\n");
  buf_free(&inputs);
  buf_free(&types);
}

/* One channel for several: their tokens get tags, and come together in a switch, or in two, and may
 * change their tags behind it. The name of the channel is appended. */
typedef struct {
  u32 n, tags[MOST_INSTRUCTIONS], values[MOST_INSTRUCTIONS];
} Nets;

/* A temporal switch from these channels, each with the tags that `from` says, to one. */
static u32 put_gather_of(Gen *g, const char (*channels)[16], u32 nchannels, const u32 *tags,
                         const u32 *from, u32 n, Wire type) {
  u32 name = g->names++;
  buf_printf(g->out,
             "  %%g%u = fabric.temporal_sw @g%u [num_route_table = %u, connectivity_table = [\"",
             name, name, n);
  for (u32 i = 0; i < nchannels; i++) buf_char(g->out, '1');
  buf_str(g->out, "\"]] (");
  for (u32 i = 0; i < nchannels; i++) buf_printf(g->out, "%s%s", i ? ", " : "", channels[i]);
  buf_str(g->out, ") attributes {route_table = [");
  for (u32 i = 0; i < n; i++)
    buf_printf(g->out, "%s\"tag %u: in %u -> out 0\"", i ? ", " : "", tags[i], from[i]);
  buf_str(g->out, "]} : (");
  for (u32 i = 0; i < nchannels; i++) buf_printf(g->out, "%s%s", i ? ", " : "", type.text);
  buf_printf(g->out, ") -> %s\n", type.text);
  return name;
}

static void put_gather(Gen *g, const Nets *nets, const Part *p, bool is_nested, Buf *channel) {
  static const u32 side_by_side[MOST_INSTRUCTIONS] = {0, 1, 2, 3}, behind[] = {0, 0, 1, 2};
  char names[MOST_INSTRUCTIONS][16];
  u32 tags[MOST_INSTRUCTIONS];
  Wire type = wire(p->bits, p->tag_bits);
  bool is_mapped = !below(g, 3); /* other tags before than behind */
  u32 other = below(g, 4);
  for (u32 i = 0; i < nets->n; i++) {
    Buf use = {0};
    u32 bits = put_use(g, nets->values[i], &use);
    tags[i] = is_mapped && nets->n > 1 ? nets->tags[i] ^ other : nets->tags[i];
    snprintf(names[i], sizeof names[i], "%%t%u", g->names);
    buf_printf(g->out, "  %%t%u = fabric.add_tag %s {tag = %u : i64} : %s -> %s\n", g->names,
               use.data, tags[i], wire(bits, 0).text, wire(bits, p->tag_bits).text);
    g->names++;
    buf_free(&use);
  }
  if (nets->n > 1 && (!is_nested || nets->n == 2)) {
    u32 name =
        put_gather_of(g, (const char(*)[16])names, nets->n, tags, side_by_side, nets->n, type);
    snprintf(names[0], sizeof names[0], "%%g%u", name);
  } else if (nets->n > 1) { /* the first two come together, and then the others with them */
    u32 name = put_gather_of(g, (const char(*)[16])names, 2, tags, side_by_side, 2, type);
    snprintf(names[1], sizeof names[1], "%%g%u", name);
    name =
        put_gather_of(g, (const char(*)[16])(names + 1), nets->n - 1, tags, behind, nets->n, type);
    snprintf(names[0], sizeof names[0], "%%g%u", name);
  }
  if (is_mapped && nets->n > 1) {
    buf_printf(g->out, "  %%t%u = fabric.map_tag %s [table_size = %u] attributes {table = [",
               g->names, names[0], nets->n);
    for (u32 i = 0; i < nets->n; i++)
      buf_printf(g->out, "%s[1, %u, %u]", i ? ", " : "", tags[i], nets->tags[i]);
    buf_printf(g->out, "]} : %s -> %s\n", type.text, type.text);
    snprintf(names[0], sizeof names[0], "%%t%u", g->names++);
  }
  buf_str(channel, names[0]);
}

/* The other way round: the values get what the channel has under their tags. */
static void put_scatter(Gen *g, const char *channel, const Nets *nets, Wire tagged, Wire plain) {
  u32 name = g->names++, kept = 0, at = 0;
  for (u32 i = 0; i < nets->n; i++) kept += !g->values[nets->values[i]].is_dropped;
  if (nets->n > 1) {
    buf_printf(g->out,
               "  %%d%u:%u = fabric.temporal_sw @d%u [num_route_table = %u, "
               "connectivity_table = [",
               name, kept, name, nets->n);
    for (u32 i = 0; i < kept; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
    buf_printf(g->out, "]] (%s) attributes {route_table = [", channel);
    for (u32 i = 0; i < nets->n; i++) {
      buf_printf(g->out, "%s\"tag %u:", i ? ", " : "", nets->tags[i]);
      if (!g->values[nets->values[i]].is_dropped) buf_printf(g->out, " in 0 -> out %u", at++);
      buf_char(g->out, '"');
    }
    buf_printf(g->out, "]} : (%s) -> (", tagged.text);
    for (u32 i = 0; i < kept; i++) buf_printf(g->out, "%s%s", i ? ", " : "", tagged.text);
    buf_str(g->out, ")\n");
  }
  at = 0;
  for (u32 i = 0; i < nets->n; i++) {
    u32 v = nets->values[i];
    if (g->values[v].is_dropped) continue;
    if (nets->n > 1)
      buf_printf(g->out, "  %%v%u = fabric.del_tag %%d%u#%u : %s -> %s\n", v, name, at++,
                 tagged.text, plain.text);
    else
      buf_printf(g->out, "  %%v%u = fabric.del_tag %s : %s -> %s\n", v, channel, tagged.text,
                 plain.text);
  }
}

static void put_instruction(Gen *g, const Part *p, u32 i) {
  const Instruction *in = &p->at[i];
  buf_printf(g->out, "%s\"tag %u: u%u(", i ? ", " : "", i, i);
  for (u32 o = 0; units[in->unit].operands[o]; o++) {
    buf_str(g->out, o ? ", " : "");
    if (in->operands[o] == FROM)
      buf_str(g->out, "reg 0");
    else
      buf_printf(g->out, "in %u", o);
  }
  buf_str(g->out, ") -> (");
  for (u32 r = 0; units[in->unit].results[r]; r++) {
    buf_str(g->out, r ? ", " : "");
    if (in->results[r] >= TO) buf_str(g->out, "reg 0");
    if (in->results[r] == NOWHERE + TO) continue;
    if (in->results[r] >= TO) buf_char(g->out, ' ');
    if (in->results[r] == LOST)
      buf_str(g->out, "discard");
    else
      buf_printf(g->out, "out %u tag %u", r, i);
  }
  buf_str(g->out, ")\"");
}

static void put_temporal(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0};
  Buf second = {0};
  Wire tagged = wire(p->bits, p->tag_bits);
  buf_printf(&second, ", %s", tagged.text);
  bool has_register = false;
  u32 ports = 0;
  for (u32 i = 0; i < p->n; i++)
    for (u32 o = 0; units[p->at[i].unit].operands[o]; o++) {
      has_register = has_register || p->at[i].operands[o] == FROM;
      if (o >= ports) ports = o + 1;
    }
  for (u32 o = 0; o < ports; o++) {
    Nets nets = {0};
    for (u32 i = 0; i < p->n; i++) {
      if (strlen(units[p->at[i].unit].operands) <= o || p->at[i].operands[o] == FROM) continue;
      nets.tags[nets.n] = i;
      nets.values[nets.n++] = p->at[i].operands[o];
    }
    buf_str(&inputs, o ? ", " : "");
    put_gather(g, &nets, p, p->is_nested, &inputs);
    buf_printf(&types, "%s%s", o ? ", " : "", tagged.text);
  }
  buf_printf(g->out,
             "  %%p%u:%u = fabric.temporal_pe @p%u inputs(%s) : (%s) -> (%s%s) "
             "[num_register = %u, reg_fifo_depth = %u, num_instruction = %u] attributes "
             "{instruction_mem = [",
             part, count_results(p), part, inputs.data, types.data, tagged.text,
             count_results(p) > 1 ? second.data : "", has_register, has_register ? 1 + part % 3 : 0,
             p->n);
  for (u32 i = 0; i < p->n; i++) put_instruction(g, p, i);
  buf_str(g->out, "]} {\n");
  for (u32 i = 0; i < p->n; i++) put_unit(g, &p->at[i], i);
  buf_str(g->out, "    fabric.yield\n  }\n");
  for (u32 r = 0; r < 2; r++) {
    Nets nets = {0};
    char channel[16];
    for (u32 i = 0; i < p->n; i++) {
      if (strlen(units[p->at[i].unit].results) <= r || result_of(&p->at[i], r) >= LATE) continue;
      nets.tags[nets.n] = i;
      nets.values[nets.n++] = result_of(&p->at[i], r);
    }
    snprintf(channel, sizeof channel, "%%p%u#%u", part, r);
    if (nets.n) put_scatter(g, channel, &nets, tagged, wire(p->bits, 0));
  }
  buf_free(&second);
  buf_free(&inputs);
  buf_free(&types);
}

static void put_memory(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0}, results = {0};
  Wire tagged = wire(p->bits, p->tag_bits), done = wire(0, p->tag_bits);
  bool is_tagged[2] = {p->n > 1, p->stores > 1};
  for (u32 f = 0; f < 3; f++) {
    bool is_store = f > 0;
    Nets nets = {.n = is_store ? p->stores : p->n};
    if (!nets.n) continue;
    for (u32 l = 0; l < nets.n; l++) {
      nets.tags[l] = l;
      nets.values[l] = is_store ? p->store[l][f - 1] : p->load[l][0];
    }
    buf_str(&inputs, ", ");
    if (is_tagged[is_store])
      put_gather(g, &nets, p, false, &inputs);
    else
      put_use(g, nets.values[0], &inputs);
    buf_printf(&types, ", %s",
               is_tagged[is_store] ? tagged.text : wire(some_bits(g, f == 2 ? 'i' : 'x'), 0).text);
  }
  if (is_tagged[0])
    buf_printf(&results, "%s, %s", tagged.text, done.text);
  else
    buf_printf(&results, "%s, none", wire(g->values[p->load[0][1]].bits, 0).text);
  if (p->stores) buf_printf(&results, ", %s", is_tagged[1] ? done.text : "none");
  char elem[16], argument[16] = "";
  snprintf(elem, sizeof elem, "i%u", 8u << p->elem_log2);
  if (p->is_external) snprintf(argument, sizeof argument, "%%m%u", g->nmemories++);
  buf_printf(g->out,
             "  %%p%u:%u = fabric.%smemory @p%u [ldCount = %u, stCount = %u, numRegion = 1, "
             "memrefType = memref<%sx%s>%s] (%s%s) attributes {addr_offset_table = [1, 0, "
             "%u, 0, %u]} : (",
             part, p->stores ? 3 : 2, p->is_external ? "ext" : "", part, p->n, p->stores,
             p->is_external ? "?" : "32", elem, p->is_external ? "" : ", is_private = true",
             argument, inputs.data + (p->is_external ? 0 : 2), p->n > p->stores ? p->n : p->stores,
             p->elem_log2);
  if (p->is_external) buf_printf(g->out, "memref<?x%s>", elem);
  buf_printf(g->out, "%s) -> (%s)\n", types.data + (p->is_external ? 0 : 2), results.data);
  for (u32 f = 0; f < 3; f++) {
    u32 n = f == 2 ? p->stores : p->n;
    Nets nets = {.n = n};
    char channel[16];
    snprintf(channel, sizeof channel, "%%p%u#%u", part, f);
    for (u32 l = 0; l < n; l++) {
      nets.tags[l] = l;
      nets.values[l] = f == 2 ? p->store[l][2] : p->load[l][f + 1];
    }
    if (n > 1) put_scatter(g, channel, &nets, f ? done : tagged, f ? wire(0, 0) : wire(p->bits, 0));
  }
  buf_free(&inputs);
  buf_free(&types);
  buf_free(&results);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Does a value leave the fabric? */
static bool leaves(const Value *v) {
  return !v->uses && !v->is_inside && !v->is_dropped;
}

static void put_header(Gen *g) {
  u32 n = 0, outputs = 0;
  buf_str(g->out, "fabric.module @top(");
  for (u32 k = 0, m = 0; k < g->nparts; k++)
    if (g->parts[k].kind == MEMORY && g->parts[k].is_external)
      buf_printf(g->out, "%s%%m%u: memref<?xi%u>", n++ ? ", " : "", m++,
                 8u << g->parts[k].elem_log2);
  for (u32 v = 0; v < g->nvalues; v++)
    if (g->values[v].is_input)
      buf_printf(g->out, "%s%s: %s", n++ ? ", " : "", g->values[v].name,
                 wire(g->values[v].bits, 0).text);
  buf_str(g->out, ") -> (");
  for (u32 v = 0; v < g->nvalues; v++)
    if (leaves(&g->values[v]))
      buf_printf(g->out, "%s%s", outputs++ ? ", " : "",
                 wire(g->values[v].bits, g->values[v].tag_bits).text);
  buf_str(g->out, ") {\n");
}

static void put_footer(Gen *g) {
  u32 n = 0;
  buf_str(g->out, "  fabric.yield");
  for (u32 v = 0; v < g->nvalues; v++) {
    if (!leaves(&g->values[v])) continue;
    buf_str(g->out, n++ ? ", " : " ");
    put_use(g, v, g->out);
  }
  n = 0;
  for (u32 v = 0; v < g->nvalues; v++)
    if (leaves(&g->values[v]))
      buf_printf(g->out, "%s%s", n++ ? ", " : " : ",
                 wire(g->values[v].bits, g->values[v].tag_bits).text);
  buf_str(g->out, "\n}\n");
}

void random_machine(u64 seed, Buf *out) {
  Gen *g = mem_alloc(sizeof *g);
  g->state = seed;
  g->out = out;
  for (const char *type = "iiibbxxn"; *type; type++) add_input(g, *type);
  for (u32 parts = 2 + below(g, MOST_PARTS - 1); g->nparts < parts;) make_part(g);
  choose_late(g);
  choose_dropped(g);
  choose_sunk(g);
  for (u32 v = 0; v < g->nvalues; v++) choose_lanes(g, &g->values[v]);
  put_header(g);
  for (u32 k = 0; k < g->nparts; k++) {
    if (g->parts[k].kind == SPATIAL) put_spatial(g, k);
    if (g->parts[k].kind == TEMPORAL) put_temporal(g, k);
    if (g->parts[k].kind == MEMORY) put_memory(g, k);
  }
  for (u32 v = 0; v < g->nvalues; v++)
    if (!g->values[v].is_inside && !g->values[v].is_dropped) put_way(g, v);
  put_footer(g);
  mem_free(g);
}

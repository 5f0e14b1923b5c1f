/* random_machine.c -- fabrics that are configured at random. See random_machine.h.
 *
 * A machine grows part by part: each takes values that are there, and gives new ones. A part is a
 * spatial PE with one unit, a temporal PE with several instructions, or a memory. What has a
 * register may also take a value that is made later, so every loop has one. In the end a value with
 * several takers gets a switch that copies it, and one without any leaves the fabric.
 *
 * All values but the dones of memories are 32 bits wide on their way, whatever their type.
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

#define WIRE        "!fabric.bits<32>"
#define TAGGED      "!fabric.tagged<!fabric.bits<32>, i2>"
#define TAGGED_NONE "!fabric.tagged<none, i2>"

/* Units: operands and results, i i32, x index, b i1, n none; the body, of $0 ... and results %r,
 * %s. */
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
    {"xxx", "xb",
     "%r, %s = dataflow.stream $0, $1, $2 {step_op = \"+=\", cont_cond = \"<\"} : (index, index, "
     "index) -> (index, i1)",
     true},
};

typedef struct {
  char type;
  char name[16];    /* where it is made */
  const char *wire; /* the Fabric type; NULL: it does not leave its PE */
  bool is_input;    /* of the fabric */
  bool is_dead;     /* no token ever comes: a wire out of the fabric */
  bool is_fifo;     /* behind its source stands a fifo */
  u32 uses, next;   /* takers, and how many of them are written */
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
  bool is_nested; /* where a gate is shared: two switches, one behind the other */
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

static u32 add_value(Gen *g, char type, const char *wire) {
  Value *v = &g->values[g->nvalues];
  *v = (Value){.type = type, .wire = wire, .is_fifo = !below(g, 4)};
  snprintf(v->name, sizeof v->name, "%%v%u", g->nvalues);
  return g->nvalues++;
}

static u32 add_input(Gen *g, char type) {
  u32 v = add_value(g, type, WIRE);
  g->values[v].is_input = true;
  snprintf(g->values[v].name, sizeof g->values[v].name, "%%%c%u", type, v);
  return v;
}

/* What comes out of a component itself. */
static u32 add_result(Gen *g, char type, const char *wire, u32 part, u32 result) {
  u32 v = add_value(g, type, wire);
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
      if (value->type != type || !value->wire || value->is_dead) continue;
      if (wide && strcmp(value->wire, WIRE) != 0) continue;
      if (round == 0 && value->uses) continue;
      if (round == 1 && value->uses > 5) continue;
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
  return is_temporal ? add_value(g, type, WIRE) : add_result(g, type, WIRE, g->nparts - 1, r);
}

/* An output that is not used has a wire all the same. */
static void add_dead(Gen *g, u32 part, u32 result, const char *wire) {
  u32 v = add_result(g, ' ', wire, part, result);
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
    if (!is_used) add_dead(g, g->nparts - 1, r, p->kind == TEMPORAL ? TAGGED : WIRE);
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
      g->values[writer->results[0]].wire = NULL;
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
    p->load[l][1] = is_alone ? add_result(g, 'i', WIRE, self, 0) : add_value(g, 'i', WIRE);
    p->load[l][2] = is_alone ? add_result(g, 'n', "none", self, 1) : add_value(g, 'n', "none");
  }
  for (u32 l = 0; l < p->stores; l++)
    p->store[l][2] =
        p->stores == 1 ? add_result(g, 'n', "none", g->nparts - 1, 2) : add_value(g, 'n', "none");
}

static void make_part(Gen *g) {
  Part *p = &g->parts[g->nparts++];
  u32 kind = below(g, 10);
  p->kind = kind < 6 ? SPATIAL : kind < 8 ? TEMPORAL : MEMORY;
  p->is_nested = below(g, 2);
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

/* ---- the text -------------------------------------------------------------------------------- */

static const char *type_text(char type) {
  return type == 'i' ? "i32" : type == 'x' ? "index" : type == 'b' ? "i1" : "none";
}

/* The next use of a value. */
static void put_use(Gen *g, u32 v, Buf *out) {
  Value *value = &g->values[v];
  if (value->uses < 2 && value->is_fifo)
    buf_printf(out, "%%q%u", v);
  else if (value->uses < 2)
    buf_str(out, value->name);
  else
    buf_printf(out, "%%s%u#%u", v, value->next++);
}

/* Behind a value that is made: the fifo, the switch that copies it. */
static void put_way(Gen *g, u32 v) {
  const Value *value = &g->values[v];
  if (value->is_fifo)
    buf_printf(g->out, "  %%q%u = fabric.fifo @q%u [depth = %u] (%s) : (%s) -> (%s)\n", v, v,
               1 + v % 4, value->name, value->wire, value->wire);
  if (value->uses < 2) return;
  buf_printf(g->out, "  %%s%u:%u = fabric.spatial_sw @s%u [connectivity_table = [", v, value->uses,
             v);
  for (u32 i = 0; i < value->uses; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
  if (value->is_fifo)
    buf_printf(g->out, "]] (%%q%u) attributes {route_table = [\"", v);
  else
    buf_printf(g->out, "]] (%s) attributes {route_table = [\"", value->name);
  for (u32 i = 0; i < value->uses; i++) buf_printf(g->out, "%sin 0 -> out %u", i ? ", " : "", i);
  buf_printf(g->out, "\"]} : (%s) -> (", value->wire);
  for (u32 i = 0; i < value->uses; i++) buf_printf(g->out, "%s%s", i ? ", " : "", value->wire);
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
    buf_printf(&types, "%s%s", i ? ", " : "", g->values[in->operands[i]].wire);
  }
  buf_printf(g->out,
             "  %%p%u:%u = fabric.spatial_pe @p%u inputs(%s) : (%s) -> (%s%s) attributes "
             "{instruction = \"u0(",
             part, nresults, part, inputs.data, types.data, WIRE, nresults > 1 ? ", " WIRE : "");
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

/* One channel for several: their tokens get tags, and come together in a switch, or in two. The
 * name of the channel is appended. */
typedef struct {
  u32 n, tags[MOST_INSTRUCTIONS], values[MOST_INSTRUCTIONS];
} Nets;

static void put_gather_of(Gen *g, u32 name, const char *const *from, const u32 *tags, u32 n) {
  buf_printf(g->out,
             "  %%g%u = fabric.temporal_sw @g%u [num_route_table = %u, connectivity_table = [\"",
             name, name, n);
  for (u32 i = 0; i < n; i++) buf_char(g->out, '1');
  buf_str(g->out, "\"]] (");
  for (u32 i = 0; i < n; i++) buf_printf(g->out, "%s%s", i ? ", " : "", from[i]);
  buf_str(g->out, ") attributes {route_table = [");
  for (u32 i = 0; i < n; i++)
    buf_printf(g->out, "%s\"tag %u: in %u -> out 0\"", i ? ", " : "", tags[i], i);
  buf_str(g->out, "]} : (");
  for (u32 i = 0; i < n; i++) buf_printf(g->out, "%s%s", i ? ", " : "", TAGGED);
  buf_printf(g->out, ") -> %s\n", TAGGED);
}

static void put_gather(Gen *g, const Nets *nets, bool is_nested, Buf *channel) {
  char names[MOST_INSTRUCTIONS][16];
  const char *from[MOST_INSTRUCTIONS];
  for (u32 i = 0; i < nets->n; i++) {
    Buf use = {0};
    put_use(g, nets->values[i], &use);
    snprintf(names[i], sizeof names[i], "%%t%u", g->names);
    from[i] = names[i];
    buf_printf(g->out, "  %%t%u = fabric.add_tag %s {tag = %u : i64} : %s -> %s\n", g->names,
               use.data, nets->tags[i], WIRE, TAGGED);
    g->names++;
    buf_free(&use);
  }
  if (nets->n == 1) {
    buf_str(channel, names[0]);
    return;
  }
  u32 first = g->names++;
  if (!is_nested || nets->n == 2) {
    put_gather_of(g, first, from, nets->tags, nets->n);
  } else { /* the first two come together, and then the others with them */
    put_gather_of(g, first, from, nets->tags, 2);
    u32 second = g->names++;
    buf_printf(g->out,
               "  %%g%u = fabric.temporal_sw @g%u [num_route_table = %u, connectivity_table = "
               "[\"",
               second, second, nets->n);
    for (u32 i = 1; i < nets->n; i++) buf_char(g->out, '1');
    buf_printf(g->out, "\"]] (%%g%u", first);
    for (u32 i = 2; i < nets->n; i++) buf_printf(g->out, ", %s", from[i]);
    buf_str(g->out, ") attributes {route_table = [");
    for (u32 i = 0; i < nets->n; i++)
      buf_printf(g->out, "%s\"tag %u: in %u -> out 0\"", i ? ", " : "", nets->tags[i],
                 i < 2 ? 0 : i - 1);
    buf_str(g->out, "]} : (");
    for (u32 i = 1; i < nets->n; i++) buf_printf(g->out, "%s%s", i > 1 ? ", " : "", TAGGED);
    buf_printf(g->out, ") -> %s\n", TAGGED);
    first = second;
  }
  buf_printf(channel, "%%g%u", first);
}

/* The other way round: the values get what the channel has under their tags. */
static void put_scatter(Gen *g, const char *channel, const Nets *nets, bool is_none) {
  const char *tagged = is_none ? TAGGED_NONE : TAGGED, *wire = is_none ? "none" : WIRE;
  u32 name = g->names++;
  if (nets->n > 1) {
    buf_printf(g->out,
               "  %%d%u:%u = fabric.temporal_sw @d%u [num_route_table = %u, "
               "connectivity_table = [",
               name, nets->n, name, nets->n);
    for (u32 i = 0; i < nets->n; i++) buf_printf(g->out, "%s\"1\"", i ? ", " : "");
    buf_printf(g->out, "]] (%s) attributes {route_table = [", channel);
    for (u32 i = 0; i < nets->n; i++)
      buf_printf(g->out, "%s\"tag %u: in 0 -> out %u\"", i ? ", " : "", nets->tags[i], i);
    buf_printf(g->out, "]} : (%s) -> (", tagged);
    for (u32 i = 0; i < nets->n; i++) buf_printf(g->out, "%s%s", i ? ", " : "", tagged);
    buf_str(g->out, ")\n");
  }
  for (u32 i = 0; i < nets->n; i++) {
    u32 v = nets->values[i];
    if (nets->n > 1)
      buf_printf(g->out, "  %%v%u = fabric.del_tag %%d%u#%u : %s -> %s\n", v, name, i, tagged,
                 wire);
    else
      buf_printf(g->out, "  %%v%u = fabric.del_tag %s : %s -> %s\n", v, channel, tagged, wire);
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
    put_gather(g, &nets, p->is_nested, &inputs);
    buf_printf(&types, "%s%s", o ? ", " : "", TAGGED);
  }
  buf_printf(g->out,
             "  %%p%u:%u = fabric.temporal_pe @p%u inputs(%s) : (%s) -> (%s%s) "
             "[num_register = %u, reg_fifo_depth = %u, num_instruction = %u] attributes "
             "{instruction_mem = [",
             part, count_results(p), part, inputs.data, types.data, TAGGED,
             count_results(p) > 1 ? ", " TAGGED : "", has_register, has_register ? 1 + part % 3 : 0,
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
    if (nets.n) put_scatter(g, channel, &nets, false);
  }
  buf_free(&inputs);
  buf_free(&types);
}

static void put_memory(Gen *g, u32 part) {
  const Part *p = &g->parts[part];
  Buf inputs = {0}, types = {0}, results = {0};
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
      put_gather(g, &nets, false, &inputs);
    else
      put_use(g, nets.values[0], &inputs);
    buf_printf(&types, ", %s", is_tagged[is_store] ? TAGGED : WIRE);
  }
  buf_printf(&results, "%s, %s", is_tagged[0] ? TAGGED : WIRE, is_tagged[0] ? TAGGED_NONE : "none");
  if (p->stores) buf_printf(&results, ", %s", is_tagged[1] ? TAGGED_NONE : "none");
  buf_printf(g->out,
             "  %%p%u:%u = fabric.extmemory @p%u [ldCount = %u, stCount = %u, numRegion = 1, "
             "memrefType = memref<?xi32>] (%%m%u%s) attributes {addr_offset_table = [1, 0, "
             "%u, 0, 2]} : (memref<?xi32>%s) -> (%s)\n",
             part, p->stores ? 3 : 2, part, p->n, p->stores, g->nmemories++, inputs.data,
             p->n > p->stores ? p->n : p->stores, types.data, results.data);
  for (u32 f = 0; f < 3; f++) {
    u32 n = f == 2 ? p->stores : p->n;
    Nets nets = {.n = n};
    char channel[16];
    snprintf(channel, sizeof channel, "%%p%u#%u", part, f);
    for (u32 l = 0; l < n; l++) {
      nets.tags[l] = l;
      nets.values[l] = f == 2 ? p->store[l][2] : p->load[l][f + 1];
    }
    if (n > 1) put_scatter(g, channel, &nets, f > 0);
  }
  buf_free(&inputs);
  buf_free(&types);
  buf_free(&results);
}

/* ---- all together ---------------------------------------------------------------------------- */

static void put_header(Gen *g) {
  u32 n = 0, outputs = 0;
  buf_str(g->out, "fabric.module @top(");
  for (u32 k = 0, m = 0; k < g->nparts; k++)
    if (g->parts[k].kind == MEMORY)
      buf_printf(g->out, "%s%%m%u: memref<?xi32>", n++ ? ", " : "", m++);
  for (u32 v = 0; v < g->nvalues; v++)
    if (g->values[v].is_input)
      buf_printf(g->out, "%s%s: %s", n++ ? ", " : "", g->values[v].name, WIRE);
  buf_str(g->out, ") -> (");
  for (u32 v = 0; v < g->nvalues; v++)
    if (!g->values[v].uses && g->values[v].wire)
      buf_printf(g->out, "%s%s", outputs++ ? ", " : "", g->values[v].wire);
  buf_str(g->out, ") {\n");
}

static void put_footer(Gen *g) {
  u32 n = 0;
  buf_str(g->out, "  fabric.yield");
  for (u32 v = 0; v < g->nvalues; v++) {
    if (g->values[v].uses || !g->values[v].wire) continue;
    buf_str(g->out, n++ ? ", " : " ");
    put_use(g, v, g->out);
  }
  n = 0;
  for (u32 v = 0; v < g->nvalues; v++)
    if (!g->values[v].uses && g->values[v].wire)
      buf_printf(g->out, "%s%s", n++ ? ", " : " : ", g->values[v].wire);
  buf_str(g->out, "\n}\n");
}

void random_machine(u64 seed, Buf *out) {
  Gen *g = mem_alloc(sizeof *g);
  g->state = seed;
  g->out = out;
  for (const char *type = "iiibbxxn"; *type; type++) add_input(g, *type);
  for (u32 parts = 2 + below(g, MOST_PARTS - 1); g->nparts < parts;) make_part(g);
  choose_late(g);
  put_header(g);
  for (u32 k = 0; k < g->nparts; k++) {
    if (g->parts[k].kind == SPATIAL) put_spatial(g, k);
    if (g->parts[k].kind == TEMPORAL) put_temporal(g, k);
    if (g->parts[k].kind == MEMORY) put_memory(g, k);
  }
  for (u32 v = 0; v < g->nvalues; v++)
    if (g->values[v].wire) put_way(g, v);
  put_footer(g);
  mem_free(g);
}

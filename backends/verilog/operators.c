/* operators.c -- resource sharing in a spatial PE: its units share an adder, a comparator, a
 * shifter and others (`kinds`, below), since only the configured one is active in a run. The fabric
 * assigns nodes of bodies to operators (loom_body_node.shared).
 *
 *     args, literals ─ chosen by the opcode ─► add_0, compare_0, ... ─ shared ─► units (groups.c)
 *
 * An operand of an operator is the OR of its sources, each under a mask:
 *
 *     add_0_b = add_0_b_0 & args[32+:32] | add_0_b_fixed
 *
 * The masks select a source, truncate it to the width of the unit's type, and sign-extend it.
 * Masks, literals and modes (to subtract, which predicate) depend on the configuration alone and
 * are in registers, so during a run they are not on a path. The table `rows` specifies how a narrow
 * operand is extended to a wide operator.
 *
 * Operations that are modules of the library are operators too, each of one type; their registers
 * have the enables of the active unit's first registers. Cost: the bodies of all units are read
 * once for each operand of each operator. */
#include "body.h"
#include "operation.h"
#include "pe.h"

#include <stdlib.h>

/* How a narrow operand is extended to a wide operator. */
enum presented {
  WHOLE,   /* not at all: the upper bits of the result are not used */
  ZEROS,   /* zero-extended */
  SIGNS,   /* sign-extended */
  REVERSED /* in reverse order of bits: a left shift is a right shift of the reverse */
};

typedef struct {
  const char *op_name;
  enum presented operands[2];
  const char *mode; /* of the operator; NULL: the configuration's predicate, or none */
} Row;

/* Predicates have MLIR's numbers. */
static const Row rows[] = {
    {"arith.addi", {WHOLE, WHOLE}, "1'd0"},  {"arith.subi", {WHOLE, WHOLE}, "1'd1"},
    {"arith.andi", {WHOLE, WHOLE}, "2'd0"},  {"arith.ori", {WHOLE, WHOLE}, "2'd1"},
    {"arith.xori", {WHOLE, WHOLE}, "2'd2"},  {"arith.shrui", {ZEROS, ZEROS}, "1'd0"},
    {"arith.shrsi", {SIGNS, ZEROS}, "1'd0"}, {"arith.shli", {REVERSED, ZEROS}, "1'd1"},
    {"arith.cmpi", {ZEROS, ZEROS}, NULL},    {"arith.minsi", {ZEROS, ZEROS}, "4'd2"},
    {"arith.maxsi", {ZEROS, ZEROS}, "4'd4"}, {"arith.minui", {ZEROS, ZEROS}, "4'd6"},
    {"arith.maxui", {ZEROS, ZEROS}, "4'd8"}, {"arith.extsi", {SIGNS}, NULL},
    {"arith.extui", {ZEROS}, NULL},          {"arith.trunci", {WHOLE}, NULL},
    {"arith.index_cast", {SIGNS}, NULL},     {"arith.index_castui", {ZEROS}, NULL},
    {"arith.sitofp", {SIGNS}, NULL},         {"arith.uitofp", {ZEROS}, NULL},
};

/* By enum loom_operator; modules have the text of their operation instead (put_module). */
static const struct {
  const char *name;
  unsigned mode_bits;
  const char *text; /* $: its name; @: its width in bits */
} kinds[] = {
    {"", 0, ""},
    {"add", 1, "logic $_carry;\n  assign {$, $_carry} = {$_a, 1'b1} + {$_b ^ {@{$_is}}, $_is};"},
    {"logic", 2, "assign $ = $_is == 2'd0 ? $_a & $_b : $_is == 2'd1 ? $_a | $_b : $_a ^ $_b;"},
    {"shift", 1, "loom_shift #(.W(@)) u_$ (.a($_a), .b($_b), .left($_is), .y($));"},
    {"compare", 4,
     "loom_compare #(.W(@)) u_$ (.clk(clk), .a($_a), .b($_b), .sign($_at), .predicate($_is), "
     ".y($));"},
    {"extend", 0, "assign $ = $_a;"},
};

/* Operations without a row are those of modules, whose operands have the width of the operator. */
static enum presented presented(const char *op_name, uint32_t operand) {
  for (size_t i = 0; i < LOOM_COUNT(rows); i++)
    if (!strcmp(rows[i].op_name, op_name)) return rows[i].operands[operand];
  return WHOLE;
}

const char *operators_mode(const loom_body_node *node) {
  for (size_t i = 0; i < LOOM_COUNT(rows) && node->shared != LOOM_OPERATOR_MODULE; i++)
    if (!strcmp(rows[i].op_name, node->op_name)) return rows[i].mode;
  return operation_mode(node->op_name);
}

static Body read_unit(const Pe *pe, uint32_t opcode, Fields *f) {
  *f = fields_new(pe->v, pe->component, "bits");
  return body_read(pe->h, pe->component, 0, opcode, f);
}

static Operator *find(const Pe *pe, const loom_body_node *node) {
  Operator *o = pe->operators;
  while (o->kind && o->index != node->shared_index) o++;
  return o;
}

/* Adds a node that the operator computes: the operator is as wide as the widest of them. */
static void read_operator(Operator *o, const Body *b, const loom_body_node *node) {
  if (!o->kind)
    *o = (Operator){
        .kind = node->shared, .index = node->shared_index, .node = *node, .body = b->body};
  for (uint32_t i = 0; i < node->operand_count; i++)
    o->width = larger(o->width, b->body->values[node->operands[i]].bits);
  o->bits = larger(o->bits, unit_shared_bits(b->body, node));
  if (o->kind == LOOM_OPERATOR_MODULE || o->kind == LOOM_OPERATOR_COMPARE) return;
  o->width = o->bits = larger(o->width, o->bits); /* its result is as wide as its operands */
}

/* add_0, float_add_0, float_add_1: operators of one base name are numbered in their order. */
static void name_operator(const Pe *pe, Operator *o) {
  o->base = o->kind == LOOM_OPERATOR_MODULE ? operation_module(pe->v, o->node.op_name)
                                            : kinds[o->kind].name;
  unsigned before = 0;
  for (const Operator *other = pe->operators; other < o; other++)
    before += !strcmp(other->base, o->base);
  o->name = text(pe->v, "%s_%u", o->base, before);
}

void operators_read(Pe *pe) {
  uint32_t most = 1;
  for (uint32_t k = 0; k < pe->c->unit_count; k++) most += pe_body(pe, k)->node_count;
  pe->operators = verilog_alloc(pe->v, most, sizeof *pe->operators);
  if (pe->is_temporal) return;
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    Fields f;
    Body b = read_unit(pe, k, &f);
    for (uint32_t n = 0; n < b.body->node_count; n++)
      if (b.nodes[n].shared) read_operator(find(pe, &b.nodes[n]), &b, &b.nodes[n]);
  }
  for (Operator *o = pe->operators; o->kind; o++) {
    name_operator(pe, o);
    o->at = pe->shared_bits;
    pe->shared_bits += o->bits;
  }
}

const char *operators_result(const Pe *pe, const loom_body_node *node, uint32_t bits) {
  return text(pe->v, "shared[%u+:%u]", find(pe, node)->at, bits);
}

/* ---- users ----------------------------------------------------------------------------------- */

/* `width` bits of a unit's payload, from bit `from` on, as a slice of `bits`: they are contiguous
 * there, since they belong to one field. */
static const char *config_of(const Pe *pe, const Fields *f, uint32_t from, uint32_t width) {
  const struct Run *run = f->runs;
  while (from >= run->width) from -= run++->width;
  unsigned at = run->at + from;
  return width == 1 ? text(pe->v, "bits[%u]", at) : text(pe->v, "bits[%u:%u]", at + width - 1, at);
}

/* A value that depends on a unit's configuration: one for all users of an operator in the unit, or
 * a list of which the setting of a fabric.mux selects one. */
typedef struct Choice {
  const char *value, *when; /* when: the condition under which it is selected */
  uint32_t sides;           /* how many users have it */
  struct Choice *next;
} Choice;

/* A node of a unit that an operator computes. A unit may have several such `users` of one operator;
 * they are then inputs of a fabric.mux, which selects one of them. */
typedef struct {
  const Pe *pe;
  Body *b;
  Fields *f;
  uint32_t node, users;
} User;

/* The condition under which a fabric.mux selects the user. */
static const char *side_of(const User *u) {
  const Body *b = u->b;
  for (uint32_t m = 0; m < b->body->node_count; m++)
    for (uint32_t i = 0; is_mux(&b->nodes[m]) && i < b->nodes[m].operand_count; i++) {
      uint32_t bits = mux_bits(&b->nodes[m]);
      if (b->nodes[m].operands[i] == b->nodes[u->node].first_result)
        return text(u->pe->v, "%s == %u'd%u", config_of(u->pe, u->f, b->payload_at[m], bits), bits,
                    i);
    }
  return "1'b1";
}

static Choice **new_choices(const Pe *pe) {
  return verilog_alloc(pe->v, pe->c->unit_count, sizeof(Choice *));
}

static void choose(const User *u, Choice **by_opcode, const char *value) {
  const char *side = u->users > 1 ? side_of(u) : "1'b1";
  Choice **at = &by_opcode[u->b->opcode];
  while (*at && strcmp((*at)->value, value) != 0) at = &(*at)->next;
  if (!*at) {
    *at = verilog_alloc(u->pe->v, 1, sizeof **at);
    **at = (Choice){value, side, 1, NULL};
    return;
  }
  (*at)->when = text(u->pe->v, "%s || %s", (*at)->when, side);
  (*at)->sides++;
}

static const char *choice_text(const Pe *pe, const Choice *c, uint32_t users) {
  if (!c) return "'0";
  if (c->sides == users) return c->value;
  return text(pe->v, "%s ? %s : %s", c->when, c->value, choice_text(pe, c->next, users));
}

/* Calls `visit` for all users of an operator, by opcode. */
static void each_user(const Pe *pe, const Operator *o, void (*visit)(const User *, void *),
                      void *with) {
  for (uint32_t k = 0; k < pe->c->unit_count; k++) {
    Fields f;
    Body b = read_unit(pe, k, &f);
    uint32_t users = 0;
    for (uint32_t n = 0; n < b.body->node_count; n++)
      users += b.nodes[n].shared && find(pe, &b.nodes[n]) == o;
    for (uint32_t n = 0; n < b.body->node_count; n++) {
      User u = {pe, &b, &f, n, users};
      if (b.nodes[n].shared && find(pe, &b.nodes[n]) == o) visit(&u, with);
    }
  }
}

/* ---- an operand ------------------------------------------------------------------------------ */

typedef struct {
  const char *from; /* an expression of the operand's width */
  Choice **masks;   /* by opcode */
  int is_whole;     /* all masks are all ones */
} Source;

typedef struct Operand {
  const Pe *pe;
  const Operator *o;
  struct Operand *sign; /* one bit: the sign of the operand that is sign-extended */
  const char *name;     /* add_0_a */
  uint32_t width;
  Source *sources;
  uint32_t source_count, fixed_count;
  Choice **fixed;    /* by opcode: a literal */
  uint32_t *users;   /* by opcode: of the operator in that unit */
  uint64_t reversed; /* a set: operands of the PE whose reverse has been declared */
} Operand;

/* Adds a source, of which the user takes the bits of `mask`; "'1": all. */
static void add_source(Operand *x, const User *u, const char *from, const char *mask) {
  Source *s = x->sources;
  while (s->from && strcmp(s->from, from) != 0) s++;
  if (!s->from) {
    *s = (Source){from, new_choices(x->pe), 1};
    x->source_count++;
  }
  s->is_whole &= !strcmp(mask, "'1");
  choose(u, s->masks, mask);
}

/* Zero-extended by `above` bits. */
static const char *padded(Verilog *v, uint32_t above, const char *value) {
  return above ? text(v, "{%u'd0, %s}", above, value) : value;
}

/* Adds operand `slot` of the PE as a source; `bits` is the width of the unit's type. */
static void add_argument(Operand *x, const User *u, uint32_t slot, uint32_t bits,
                         enum presented how) {
  Verilog *v = x->pe->v;
  unsigned at = slot * x->pe->width, w = x->o->width;
  const char *whole = padded(v, x->width - w, text(v, "args[%u+:%u]", at, w));
  const char *low = bits == x->width ? "'1" : text(v, "%u'h%llx", x->width, bits_mask(bits));
  switch (how) {
  case WHOLE: add_source(x, u, whole, "'1"); break;
  case ZEROS: add_source(x, u, whole, low); break;
  case SIGNS:
    add_source(x, u, whole, low);
    if (bits == x->width) break;
    add_source(x, u, text(v, "{%u{%s}}", x->width, x->sign->name), text(v, "~%s", low));
    add_source(x->sign, u, text(v, "args[%u]", at + bits - 1), "'1");
    break;
  case REVERSED: {
    const char *name = text(v, "%s_reversed_%u", x->name, slot);
    if (!(x->reversed >> slot & 1))
      put_named(v, name,
                "  logic [%u:0] $;\n  loom_int_reverse #(.W(%u)) u_$ (.a(args[%u+:%u]), .y($));\n",
                w - 1, w, at, w);
    x->reversed |= (uint64_t)1 << slot;
    add_source(x, u, padded(v, x->width - w, name), "'1");
  }
  }
}

/* A literal, extended; its lowest bit is bit `from` of the unit's payload. */
static const char *literal_text(const Operand *x, const User *u, uint32_t from, uint32_t bits,
                                enum presented how) {
  Verilog *v = x->pe->v;
  const char *value = config_of(x->pe, u->f, from, bits), *all = "";
  switch (how) {
  case SIGNS: return text(v, "%u'($signed(%s))", x->width, value);
  case REVERSED: /* below the top bit, which is that of the sign */
    for (uint32_t i = 0; i < bits; i++)
      all = text(v, "%s%s%s", all, i ? ", " : "{", config_of(x->pe, u->f, from + i, 1));
    return text(v, "{1'b0, %s}%s}", all,
                bits < x->o->width ? text(v, ", %u'd0", x->o->width - bits) : "");
  default: return text(v, "%u'(%s)", x->width, value);
  }
}

/* Declares a register whose value is a function of opcode and configuration. */
static void put_register(const Pe *pe, const char *name, unsigned bits, Choice *const *by_opcode,
                         const uint32_t *users) {
  const char **cases = pe_new_rows(pe);
  for (uint32_t k = 0; k < pe->c->unit_count; k++)
    if (by_opcode[k])
      cases[k] = text(pe->v, "%s <= %s;", name, choice_text(pe, by_opcode[k], users[k]));
  put(pe->v, "  logic [%u:0] %s;\n  always_ff @(posedge clk)\n    case (opcode)\n", bits - 1, name);
  pe_put_rows(pe, cases);
  put(pe->v, "      default: %s <= '0;\n    endcase\n", name);
}

/* Declares the operand, the OR of its sources. A single source that all users take whole needs no
 * mask. */
static void put_sources(const Operand *x) {
  Verilog *v = x->pe->v;
  const char *all = "";
  if (x->fixed_count) {
    all = text(v, "%s_fixed", x->name);
    put_register(x->pe, all, x->width, x->fixed, x->users);
  }
  for (uint32_t i = 0; i < x->source_count; i++) {
    const Source *s = &x->sources[i];
    const char *mask = text(v, "%s_%u", x->name, i), *term = s->from;
    if (x->source_count > 1 || x->fixed_count || !s->is_whole) {
      put_register(x->pe, mask, x->width, s->masks, x->users);
      term = text(v, "%s & %s", mask, s->from);
    }
    all = text(v, "%s%s%s", all, *all ? " | " : "", term);
  }
  put_named(v, x->name, "  logic [%u:0] $;\n  assign $ = %s;\n", x->width - 1, *all ? all : "'0");
}

typedef struct {
  Operand *x;
  uint32_t i; /* which operand */
} Visit;

static void visit_operand(const User *u, void *with) {
  const Visit *visit = with;
  const loom_body_node *node = &u->b->nodes[u->node];
  Operand *x = visit->x;
  if (visit->i >= node->operand_count) return;
  uint32_t value = node->operands[visit->i], bits = u->b->body->values[value].bits;
  enum presented how = presented(node->op_name, visit->i);
  x->users[u->b->opcode] = u->users;
  if (!u->b->literal_of[value]) {
    add_argument(x, u, value, bits, how);
    return;
  }
  uint32_t from = u->b->payload_at[u->b->literal_of[value] - 1];
  choose(u, x->fixed, literal_text(x, u, from, bits, how));
  x->fixed_count++;
}

static Operand new_operand(const Pe *pe, const Operator *o, const char *name, uint32_t width) {
  uint32_t most = 1;
  for (uint32_t k = 0; k < pe->c->unit_count; k++) most += 2 * pe_body(pe, k)->node_count;
  return (Operand){.pe = pe,
                   .o = o,
                   .name = name,
                   .width = width,
                   .sources = verilog_alloc(pe->v, most, sizeof(Source)),
                   .fixed = new_choices(pe),
                   .users = verilog_alloc(pe->v, pe->c->unit_count, sizeof(uint32_t))};
}

static void put_operand(const Pe *pe, const Operator *o, uint32_t i) {
  const char *name = text(pe->v, "%s_%c", o->name, "abc"[i]);
  /* The shifted operand has one more bit at the top, the one that is shifted in. */
  Operand x = new_operand(pe, o, name, o->width + (o->kind == LOOM_OPERATOR_SHIFT && !i));
  Operand sign = new_operand(pe, o, text(pe->v, "%s_sign", name), 1);
  x.sign = &sign;
  sign.users = x.users;
  if (pe->v->status != LOOM_OK) return;
  each_user(pe, o, visit_operand, &(Visit){&x, i});
  if (sign.source_count) put_sources(&sign);
  put_sources(&x);
}

/* By opcode: the mode or predicate of the operator, and a mask of the sign bit of its operands. */
typedef struct {
  Choice **mode, **sign;
  uint32_t *users;
  uint32_t width;
} Modes;

static void visit_mode(const User *u, void *with) {
  Modes *m = with;
  const loom_body_node *node = &u->b->nodes[u->node];
  const char *mode = operators_mode(node);
  if (!mode) mode = config_of(u->pe, u->f, u->b->payload_at[u->node], 4);
  uint32_t bits = u->b->body->values[node->operands[0]].bits;
  m->users[u->b->opcode] = u->users;
  choose(u, m->mode, mode);
  choose(u, m->sign, text(u->pe->v, "%u'h%llx", m->width, 1ull << (bits - 1)));
}

/* Bits of an operator's mode or predicate; 0: it has a single mode. */
static unsigned mode_bits(const Operator *o) {
  const char *mode = operation_mode(o->node.op_name); /* "2'd1": begins with the width */
  if (o->kind != LOOM_OPERATOR_MODULE) return kinds[o->kind].mode_bits;
  return mode ? atoi(mode) : has_predicate(&o->node) ? 4 : 0;
}

/* Declares the register with the mode, and for a comparator that with the sign bit; returns the
 * name of the first. NULL: the operator has a single mode. */
static const char *put_mode(const Pe *pe, const Operator *o) {
  Modes m = {new_choices(pe), new_choices(pe),
             verilog_alloc(pe->v, pe->c->unit_count, sizeof *m.users), o->width};
  const char *name = text(pe->v, "%s_is", o->name);
  unsigned bits = mode_bits(o);
  if (pe->v->status != LOOM_OK || !bits) return NULL;
  each_user(pe, o, visit_mode, &m);
  put_register(pe, name, bits, m.mode, m.users);
  if (o->kind == LOOM_OPERATOR_COMPARE)
    put_register(pe, text(pe->v, "%s_at", o->name), o->width, m.sign, m.users);
  return name;
}

/* Puts the text of the operator's kind. */
static void put_template(const Pe *pe, const Operator *o) {
  for (const char *at = kinds[o->kind].text; *at; at++) {
    if (*at == '$')
      put(pe->v, "%s", o->name);
    else if (*at == '@')
      put(pe->v, "%u", o->width);
    else
      put(pe->v, "%c", *at);
  }
  put(pe->v, "\n");
}

/* Instantiates the library module of an operation, with the wire `mode` as its mode or
 * predicate. */
static void put_module(const Pe *pe, const Operator *o, const char *mode) {
  Verilog *v = pe->v;
  const loom_body_node *node = &o->node;
  uint32_t result_bits = o->bits - (o->body->early_out ? SKIP_BITS : 0);
  const char *result = text(v, "%s[0+:%u]", o->name, result_bits);
  Wire operands[3], results[] = {{result, o->body->values[node->first_result].kind, result_bits}};
  for (uint32_t i = 0; i < node->operand_count && i < LOOM_COUNT(operands); i++)
    operands[i] = (Wire){text(v, "%s_%c", o->name, "abc"[i]),
                         o->body->values[node->operands[i]].kind, o->width};
  Operation op = {.op_name = node->op_name,
                  .operands = operands,
                  .results = results,
                  .predicate = mode,
                  .mode = mode,
                  .instance = text(v, "u_%s", o->name),
                  .stages = node->shared_stages,
                  .is_serial = is_serial(o->body),
                  .clk = "clk",
                  .move = text(v, "move[0+:%u]", at_least_1(node->shared_stages))};
  if (o->body->early_out) op.skip = text(v, "%s[%u+:%u]", o->name, result_bits, SKIP_BITS);
  operation_write(v, &op);
}

void operators_put(const Pe *pe) {
  if (!pe->shared_bits) return;
  put(pe->v,
      "\n  // operators that units share; the opcode selects their operands\n  logic [%u:0] "
      "shared;\n",
      pe->shared_bits - 1);
  for (const Operator *o = pe->operators; o->kind; o++) {
    for (uint32_t i = 0; i < o->node.operand_count; i++) put_operand(pe, o, i);
    const char *mode = put_mode(pe, o);
    put(pe->v, "  logic [%u:0] %s;\n  ", o->bits - 1, o->name);
    if (o->kind == LOOM_OPERATOR_MODULE)
      put_module(pe, o, mode);
    else
      put_template(pe, o);
    put(pe->v, "  assign shared[%u+:%u] = %s;\n", o->at, o->bits, o->name);
  }
}

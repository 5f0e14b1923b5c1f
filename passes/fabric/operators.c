/* operators.c -- operators that the units of a spatial PE share.
 *
 * Of the 101 data paths that a PE for integers had, 28 compared, 20 shifted and 17 added, each in its first cycle, and only
 * one of them is ever at work:
 *
 *     @addi_i32       arith.addi %a, %b            ─┐
 *     @const_add_i8   arith.addi %a, literal       ─┼─ operands chosen by the opcode ─► one adder
 *     @load_at_i32    arith.addi %base, %offset    ─┘
 *
 * So a PE has one adder, one comparator, one shifter. Their operands are chosen by registers that stand
 * still during a run: this is datapath merging, of operations that have their operands from the arguments
 * and literals of a unit and nothing before them. (N. Moreano et al., Efficient Datapath Merging for
 * Partially Reconfigurable Architectures, 2005, merge whole graphs; what stands behind another operation
 * would bring loops through the choices of two units, and a longest path that no unit has.)
 *
 * What the library has a module for is shared likewise, but only by units that need it with the same types
 * and as many registers (integers are filled up where that is right): one f64 multiplier for mulf, for a
 * product with a literal and for one to which something is added; one divider for quotients, remainders and
 * all ways to round. Such an operation has whole stages of the unit to itself, as many as its share of the
 * levels comes to, unless a stage would get too long by it.
 *
 * A unit that adds twice at once needs two adders: which of them an operation has is its `turn`. Two
 * sides of one fabric.mux need but one, since the configuration has the result of one of them.
 *
 * A unit of a temporal PE is shared by instructions, and has what it computes with to itself. */
#include "fabric/adg.h"
#include "ir/timing.h"

typedef enum {
  FLAT,    /* nothing but gates: in units of one cycle */
  STEPS,   /* has registers inside */
  ANY_INT, /* the same, of integers of any width, each filled up, to one type */
  LOW_BITS /* the same, of which the low bits of a result depend on those of operands alone */
} Form;

typedef struct {
  OpKind kind;
  AdgOperatorKind operator;
  OpKind first; /* of all that one operator does */
  Form form;
} Row;

static const Row rows[] = {
    {OP_ARITH_ADDI, OPERATOR_ADD, OP_ARITH_ADDI, FLAT},
    {OP_ARITH_SUBI, OPERATOR_ADD, OP_ARITH_ADDI, FLAT},
    {OP_ARITH_ANDI, OPERATOR_LOGIC, OP_ARITH_ANDI, FLAT},
    {OP_ARITH_ORI, OPERATOR_LOGIC, OP_ARITH_ANDI, FLAT},
    {OP_ARITH_XORI, OPERATOR_LOGIC, OP_ARITH_ANDI, FLAT},
    {OP_ARITH_SHLI, OPERATOR_SHIFT, OP_ARITH_SHLI, FLAT},
    {OP_ARITH_SHRUI, OPERATOR_SHIFT, OP_ARITH_SHLI, FLAT},
    {OP_ARITH_SHRSI, OPERATOR_SHIFT, OP_ARITH_SHLI, FLAT},
    {OP_ARITH_CMPI, OPERATOR_COMPARE, OP_ARITH_CMPI, FLAT},
    {OP_ARITH_MAXSI, OPERATOR_COMPARE, OP_ARITH_CMPI, FLAT},
    {OP_ARITH_MAXUI, OPERATOR_COMPARE, OP_ARITH_CMPI, FLAT},
    {OP_ARITH_MINSI, OPERATOR_COMPARE, OP_ARITH_CMPI, FLAT},
    {OP_ARITH_MINUI, OPERATOR_COMPARE, OP_ARITH_CMPI, FLAT},
    {OP_ARITH_EXTSI, OPERATOR_EXTEND, OP_ARITH_EXTSI, FLAT},
    {OP_ARITH_EXTUI, OPERATOR_EXTEND, OP_ARITH_EXTSI, FLAT},
    {OP_ARITH_TRUNCI, OPERATOR_EXTEND, OP_ARITH_EXTSI, FLAT},
    {OP_ARITH_INDEX_CAST, OPERATOR_EXTEND, OP_ARITH_EXTSI, FLAT},
    {OP_ARITH_INDEX_CASTUI, OPERATOR_EXTEND, OP_ARITH_EXTSI, FLAT},
    {OP_ARITH_CMPF, OPERATOR_MODULE, OP_ARITH_CMPF, FLAT},
    {OP_ARITH_MAXIMUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, FLAT},
    {OP_ARITH_MINIMUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, FLAT},
    {OP_ARITH_MAXNUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, FLAT},
    {OP_ARITH_MINNUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, FLAT},
    {OP_ARITH_MULI, OPERATOR_MODULE, OP_ARITH_MULI, LOW_BITS},
    {OP_ARITH_DIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_DIVUI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_CEILDIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_CEILDIVUI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_FLOORDIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_REMSI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_REMUI, OPERATOR_MODULE, OP_ARITH_DIVSI, STEPS},
    {OP_ARITH_ADDF, OPERATOR_MODULE, OP_ARITH_ADDF, STEPS},
    {OP_ARITH_SUBF, OPERATOR_MODULE, OP_ARITH_ADDF, STEPS},
    {OP_ARITH_MULF, OPERATOR_MODULE, OP_ARITH_MULF, STEPS},
    {OP_MATH_FMA, OPERATOR_MODULE, OP_MATH_FMA, STEPS},
    {OP_MATH_TRUNC, OPERATOR_MODULE, OP_MATH_TRUNC, STEPS},
    {OP_MATH_FLOOR, OPERATOR_MODULE, OP_MATH_TRUNC, STEPS},
    {OP_MATH_CEIL, OPERATOR_MODULE, OP_MATH_TRUNC, STEPS},
    {OP_MATH_ROUND, OPERATOR_MODULE, OP_MATH_TRUNC, STEPS},
    {OP_MATH_ROUNDEVEN, OPERATOR_MODULE, OP_MATH_TRUNC, STEPS},
    {OP_ARITH_SITOFP, OPERATOR_MODULE, OP_ARITH_SITOFP, ANY_INT},
    {OP_ARITH_UITOFP, OPERATOR_MODULE, OP_ARITH_SITOFP, ANY_INT},
    {OP_ARITH_FPTOSI, OPERATOR_MODULE, OP_ARITH_FPTOSI, STEPS},
    {OP_ARITH_FPTOUI, OPERATOR_MODULE, OP_ARITH_FPTOSI, STEPS},
};

static const Row *row_of(OpKind kind) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == kind) return &rows[i];
  return NULL;
}

static const AdgNode *node_at(const Adg *adg, const AdgBody *body, u32 n) {
  return &adg->nodes[body->first_node + n];
}
static u32 operand_of(const Adg *adg, const AdgNode *node, u32 i) {
  return adg->operands[node->first_operand + i];
}
static bool is_choice(const AdgNode *node) {
  return node->kind == OP_FABRIC_MUX && node->nresults == 1;
}

/* The node that a value is a result of; nnodes: it is an argument. */
static u32 maker_of(const Adg *adg, const AdgBody *body, u32 value) {
  u32 n = 0;
  while (n < body->nnodes &&
         value - node_at(adg, body, n)->first_result >= node_at(adg, body, n)->nresults)
    n++;
  return n;
}

/* From arguments and literals alone. */
static bool is_first(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  for (u32 i = 0; i < node->noperands; i++) {
    u32 maker = maker_of(adg, body, operand_of(adg, node, i));
    if (maker < body->nnodes && node_at(adg, body, maker)->kind != OP_HANDSHAKE_CONSTANT)
      return false;
  }
  return true;
}

/* ---- stages of what has registers inside ------------------------------------------------------ */

static u32 levels_of(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  return op_timing((OpKind)node->kind, adg_node_bits(adg, body, node)).levels;
}

/* Levels of gates on the longest path through a body; `at` has room for its values. */
static u32 body_levels(const Adg *adg, const AdgBody *body, u32 *at) {
  u32 longest = 1;
  for (u32 i = 0; i < body->nargs; i++) at[i] = 0;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = node_at(adg, body, n);
    u32 end = 0;
    for (u32 i = 0; i < node->noperands; i++)
      if (at[operand_of(adg, node, i)] > end) end = at[operand_of(adg, node, i)];
    end += levels_of(adg, body, node);
    for (u32 r = 0; r < node->nresults; r++) at[node->first_result + r] = end;
    if (end > longest) longest = end;
  }
  return longest;
}

/* Stages of a unit that its first operation, of `levels` of `all`, has to itself; 0: it shares one with
 * others, since a stage would get longer than any need be. A choice may stand behind the last register. */
static u32 whole_stages(const AdgBody *body, u32 levels, u32 all) {
  enum { CHOICE = 4 };
  u32 latency = (u32)body->latency, most = (all + latency - 1) / latency;
  u32 stages = (2 * latency * levels + all) / (2 * all), left = latency - stages,
      rest = all - levels;
  if (most < TIMING_LEVELS) most = TIMING_LEVELS;
  if (!stages || levels > most * stages) return 0;
  return rest <= (left ? most * left : CHOICE) ? stages : 0;
}

static bool loads(const Adg *adg, const AdgBody *body) {
  for (u32 n = 0; n < body->nnodes; n++)
    if (node_at(adg, body, n)->kind == OP_HANDSHAKE_LOAD) return true;
  return false;
}

/* ---- which operator --------------------------------------------------------------------------- */

/* What nodes must agree in to have one. */
typedef struct {
  AdgOperatorKind kind;
  OpKind first;
  /* Of a module; else there is none of this. */
  AdgType operand, result;
  u32 stages;
  bool is_serial, early_out;
  u32 turn; /* of several that a unit needs at once */
} Key;

typedef struct {
  Adg *adg;
  Key *keys; /* of operators, by index */
  u32 count;
  u32 *at; /* by value, of the body that is looked at */
} Finder;

static bool is_same_key(const Key *a, const Key *b) {
  return a->kind == b->kind && a->first == b->first && adg_is_same_type(&a->operand, &b->operand) &&
         adg_is_same_type(&a->result, &b->result) && a->stages == b->stages &&
         a->is_serial == b->is_serial && a->early_out == b->early_out;
}

/* Operations that have stages to themselves are as deep as each other in one unit. */
static bool has_whole(const Finder *f, const AdgBody *body, u32 n, u32 levels) {
  for (u32 m = 0; m < n; m++)
    if (adg_operator(f->adg, body, m).stages &&
        levels_of(f->adg, body, node_at(f->adg, body, m)) != levels)
      return true;
  return false;
}

/* Its turn is 0. */
static Key key_of(const Finder *f, const AdgBody *body, u32 n) {
  const AdgNode *node = node_at(f->adg, body, n);
  const Row *row = row_of((OpKind)node->kind);
  Key key = {.kind = OPERATOR_NONE};
  if (!row || body->latency < 1 || (row->form == FLAT && body->latency > 1) ||
      !is_first(f->adg, body, node))
    return key;
  if (row->form != FLAT && loads(f->adg, body)) return key;
  const AdgType *values = &f->adg->values[body->first_value];
  if (row->form != FLAT) {
    u32 levels = levels_of(f->adg, body, node), all = body_levels(f->adg, body, f->at);
    key.stages = whole_stages(body, levels, all);
    if (!key.stages || has_whole(f, body, n, levels)) return key;
    key.is_serial = body->latency > 1 && body->interval >= body->latency;
    key.early_out = body->early_out != EARLY_NO;
  }
  key.kind = row->operator;
  key.first = row->first;
  if (key.kind != OPERATOR_MODULE) return key;
  if (row->form != LOW_BITS) key.result = values[node->first_result];
  if (row->form == FLAT || row->form == STEPS) key.operand = values[operand_of(f->adg, node, 0)];
  return key;
}

static AdgOperator operator_at(Finder *f, const Key *key) {
  u32 i = 0;
  while (i < f->count && !(is_same_key(&f->keys[i], key) && f->keys[i].turn == key->turn)) i++;
  if (i == f->count) f->keys[f->count++] = *key;
  return (AdgOperator){key->kind, i, key->stages};
}

/* The fabric.mux that alone takes the result of a node, by whichever operand; nnodes: others take it, too. */
static u32 choice_of(const Adg *adg, const AdgBody *body, u32 n) {
  u32 value = node_at(adg, body, n)->first_result, uses = 0, choice = body->nnodes;
  for (u32 m = 0; m < body->nnodes; m++)
    for (u32 i = 0; i < node_at(adg, body, m)->noperands; i++)
      if (operand_of(adg, node_at(adg, body, m), i) == value) choice = m, uses++;
  for (u32 r = 0; r < body->nresults; r++) uses += adg->operands[body->first_yield + r] == value;
  return uses == 1 && choice < body->nnodes && is_choice(node_at(adg, body, choice)) ? choice
                                                                                     : body->nnodes;
}

static AdgOperator operator_of(Finder *f, const AdgBody *body, u32 n) {
  const Adg *adg = f->adg;
  Key own = key_of(f, body, n);
  if (own.kind == OPERATOR_NONE) return (AdgOperator){OPERATOR_NONE, 0, 0};
  u32 choice = choice_of(adg, body, n);
  for (u32 m = 0; m < n; m++) {
    AdgOperator other = adg_operator(adg, body, m);
    if (other.kind == OPERATOR_NONE || !is_same_key(&f->keys[other.index], &own)) continue;
    u32 turn = f->keys[other.index].turn;
    bool is_exclusive = choice < body->nnodes && choice_of(adg, body, m) == choice;
    if (is_exclusive && turn >= own.turn) return other;
    if (!is_exclusive && turn >= own.turn) own.turn = turn + 1;
  }
  return operator_at(f, &own);
}

/* The operator that gives a value as it is: not the lesser of two, which a comparator does not give. */
static AdgOperator giver_of(const Adg *adg, const AdgBody *body, u32 value) {
  const AdgOperator none = {OPERATOR_NONE, 0, 0};
  AdgOperator giver = none;
  u32 n = maker_of(adg, body, value);
  if (n == body->nnodes) return giver;
  const AdgNode *node = node_at(adg, body, n);
  if (!is_choice(node)) {
    AdgOperator own = adg_operator(adg, body, n);
    return own.kind != OPERATOR_COMPARE || node->kind == OP_ARITH_CMPI ? own : none;
  }
  for (u32 i = 0; i < node->noperands; i++) {
    AdgOperator one = giver_of(adg, body, operand_of(adg, node, i));
    if (i && (one.kind != giver.kind || one.index != giver.index)) return none;
    giver = one;
  }
  return giver;
}

/* Of a unit that goes wrong with some operands, a division, the data path is its own, which says so. */
static AdgOperator operator_of_body(const Adg *adg, const AdgBody *body) {
  const AdgOperator none = {OPERATOR_NONE, 0, 0};
  bool is_signed;
  if (body->nresults != 1) return none;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = node_at(adg, body, n);
    if (op_divides((OpKind)node->kind, &is_signed)) return none;
    if (!is_choice(node) && node->kind != OP_HANDSHAKE_CONSTANT &&
        node->kind != OP_HANDSHAKE_JOIN && adg_operator(adg, body, n).kind == OPERATOR_NONE)
      return none;
  }
  return giver_of(adg, body, adg->operands[body->first_yield]);
}

void adg_find_operators(Adg *adg) {
  AdgOperator *nodes = NEW_ARRAY(adg->arena, AdgOperator, adg->nnodes);
  AdgOperator *bodies = NEW_ARRAY(adg->arena, AdgOperator, adg->nbodies);
  u32 most = 1;
  for (u32 b = 0; b < adg->nbodies; b++)
    if (adg->bodies[b].nvalues > most) most = adg->bodies[b].nvalues;
  Finder f = {adg, NEW_ARRAY(adg->arena, Key, adg->nnodes), 0, NEW_ARRAY(adg->arena, u32, most)};
  adg->node_operators = nodes;
  adg->body_operators = bodies;
  for (u32 b = 0; b < adg->nbodies; b++) {
    const AdgBody *body = &adg->bodies[b];
    for (u32 n = 0; n < body->nnodes; n++) nodes[body->first_node + n] = operator_of(&f, body, n);
    bodies[b] = operator_of_body(adg, body);
  }
}

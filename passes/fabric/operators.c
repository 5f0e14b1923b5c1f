/* operators.c -- finds the operators (adders, multipliers, ...) that units of a spatial PE share.
 *
 * A configuration uses only one unit of a spatial PE. Yet of the 101 data paths that a PE for
 * integers had, 28 compared, 20 shifted and 17 added, each in its first cycle:
 *
 *     @addi_i32       arith.addi %a, %b            ─┐
 *     @const_add_i8   arith.addi %a, literal       ─┼─ operands chosen by the opcode ─► one adder
 *     @load_at_i32    arith.addi %base, %offset    ─┘
 *
 * So a PE has one adder, one comparator, one shifter, whose operand muxes are set by configuration
 * registers. This is datapath merging, restricted to operations whose operands are arguments and
 * literals of their unit. (N. Moreano et al., Efficient Datapath Merging for Partially
 * Reconfigurable Architectures, 2005, merge whole graphs. Merging operations that follow others
 * would make combinational loops through the muxes of two units, and a critical path that no single
 * unit has.)
 *
 * Operations that are modules of the Verilog library are shared likewise, but only by units that
 * need the module with the same types and number of registers (integers are extended where that is
 * right): one f64 multiplier for mulf, const_mul and mac; one divider for quotients, remainders and
 * all roundings. Such an operation occupies whole pipeline stages of its unit, in proportion to its
 * share of the levels of logic, unless a stage would become too long.
 *
 * A unit that adds twice at once needs two adders: `copy` numbers them. Two operands of one
 * fabric.mux can use the same adder, since the configuration selects one of them.
 *
 * Units of temporal PEs have no shared operators: which unit is in use changes from cycle to cycle.
 *
 * Cost: each node is compared with the distinct operators found so far, and with the earlier nodes
 * of its body. */
#include "fabric/adg.h"
#include "ir/timing.h"

typedef enum {
  COMBINATIONAL, /* no registers inside: for units of one cycle */
  SEQUENTIAL,    /* registers inside; shared for one type of operands and of results */
  ANY_INT,       /* likewise, but integer operands of any width are extended */
  LOW_BITS       /* likewise for any width: low result bits depend on low operand bits only */
} Form;

typedef struct {
  OpKind kind;
  AdgOperatorKind operator;
  OpKind first; /* the first operation of the same operator in this table: names the operator */
  Form form;
} Row;

static const Row rows[] = {
    {OP_ARITH_ADDI, OPERATOR_ADD, OP_ARITH_ADDI, COMBINATIONAL},
    {OP_ARITH_SUBI, OPERATOR_ADD, OP_ARITH_ADDI, COMBINATIONAL},
    {OP_ARITH_ANDI, OPERATOR_LOGIC, OP_ARITH_ANDI, COMBINATIONAL},
    {OP_ARITH_ORI, OPERATOR_LOGIC, OP_ARITH_ANDI, COMBINATIONAL},
    {OP_ARITH_XORI, OPERATOR_LOGIC, OP_ARITH_ANDI, COMBINATIONAL},
    {OP_ARITH_SHLI, OPERATOR_SHIFT, OP_ARITH_SHLI, COMBINATIONAL},
    {OP_ARITH_SHRUI, OPERATOR_SHIFT, OP_ARITH_SHLI, COMBINATIONAL},
    {OP_ARITH_SHRSI, OPERATOR_SHIFT, OP_ARITH_SHLI, COMBINATIONAL},
    {OP_ARITH_CMPI, OPERATOR_COMPARE, OP_ARITH_CMPI, COMBINATIONAL},
    {OP_ARITH_MAXSI, OPERATOR_COMPARE, OP_ARITH_CMPI, COMBINATIONAL},
    {OP_ARITH_MAXUI, OPERATOR_COMPARE, OP_ARITH_CMPI, COMBINATIONAL},
    {OP_ARITH_MINSI, OPERATOR_COMPARE, OP_ARITH_CMPI, COMBINATIONAL},
    {OP_ARITH_MINUI, OPERATOR_COMPARE, OP_ARITH_CMPI, COMBINATIONAL},
    {OP_ARITH_EXTSI, OPERATOR_EXTEND, OP_ARITH_EXTSI, COMBINATIONAL},
    {OP_ARITH_EXTUI, OPERATOR_EXTEND, OP_ARITH_EXTSI, COMBINATIONAL},
    {OP_ARITH_TRUNCI, OPERATOR_EXTEND, OP_ARITH_EXTSI, COMBINATIONAL},
    {OP_ARITH_INDEX_CAST, OPERATOR_EXTEND, OP_ARITH_EXTSI, COMBINATIONAL},
    {OP_ARITH_INDEX_CASTUI, OPERATOR_EXTEND, OP_ARITH_EXTSI, COMBINATIONAL},
    {OP_ARITH_CMPF, OPERATOR_MODULE, OP_ARITH_CMPF, COMBINATIONAL},
    {OP_ARITH_MAXIMUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, COMBINATIONAL},
    {OP_ARITH_MINIMUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, COMBINATIONAL},
    {OP_ARITH_MAXNUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, COMBINATIONAL},
    {OP_ARITH_MINNUMF, OPERATOR_MODULE, OP_ARITH_MAXIMUMF, COMBINATIONAL},
    {OP_ARITH_MULI, OPERATOR_MODULE, OP_ARITH_MULI, LOW_BITS},
    {OP_ARITH_DIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_DIVUI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_CEILDIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_CEILDIVUI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_FLOORDIVSI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_REMSI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_REMUI, OPERATOR_MODULE, OP_ARITH_DIVSI, SEQUENTIAL},
    {OP_ARITH_ADDF, OPERATOR_MODULE, OP_ARITH_ADDF, SEQUENTIAL},
    {OP_ARITH_SUBF, OPERATOR_MODULE, OP_ARITH_ADDF, SEQUENTIAL},
    {OP_ARITH_MULF, OPERATOR_MODULE, OP_ARITH_MULF, SEQUENTIAL},
    {OP_MATH_FMA, OPERATOR_MODULE, OP_MATH_FMA, SEQUENTIAL},
    {OP_MATH_TRUNC, OPERATOR_MODULE, OP_MATH_TRUNC, SEQUENTIAL},
    {OP_MATH_FLOOR, OPERATOR_MODULE, OP_MATH_TRUNC, SEQUENTIAL},
    {OP_MATH_CEIL, OPERATOR_MODULE, OP_MATH_TRUNC, SEQUENTIAL},
    {OP_MATH_ROUND, OPERATOR_MODULE, OP_MATH_TRUNC, SEQUENTIAL},
    {OP_MATH_ROUNDEVEN, OPERATOR_MODULE, OP_MATH_TRUNC, SEQUENTIAL},
    {OP_ARITH_SITOFP, OPERATOR_MODULE, OP_ARITH_SITOFP, ANY_INT},
    {OP_ARITH_UITOFP, OPERATOR_MODULE, OP_ARITH_SITOFP, ANY_INT},
    {OP_ARITH_FPTOSI, OPERATOR_MODULE, OP_ARITH_FPTOSI, SEQUENTIAL},
    {OP_ARITH_FPTOUI, OPERATOR_MODULE, OP_ARITH_FPTOSI, SEQUENTIAL},
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

/* The node that defines a value; nnodes for an argument. */
static u32 defining_node(const Adg *adg, const AdgBody *body, u32 value) {
  u32 n = 0;
  while (n < body->nnodes &&
         value - node_at(adg, body, n)->first_result >= node_at(adg, body, n)->nresults)
    n++;
  return n;
}

/* True where all operands of a node are arguments and literals. */
static bool reads_inputs_only(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  for (u32 i = 0; i < node->noperands; i++) {
    u32 def = defining_node(adg, body, operand_of(adg, node, i));
    if (def < body->nnodes && node_at(adg, body, def)->kind != OP_HANDSHAKE_CONSTANT) return false;
  }
  return true;
}

/* ---- stages of sequential operators ---------------------------------------------------------- */

static u32 levels_of(const Adg *adg, const AdgBody *body, const AdgNode *node) {
  return op_timing((OpKind)node->kind, adg_node_bits(adg, body, node)).levels;
}

/* Levels of logic on the longest path through a body; `arrival` has room for its values. */
static u32 body_levels(const Adg *adg, const AdgBody *body, u32 *arrival) {
  u32 longest = 1;
  for (u32 i = 0; i < body->nargs; i++) arrival[i] = 0;
  for (u32 n = 0; n < body->nnodes; n++) {
    const AdgNode *node = node_at(adg, body, n);
    u32 end = 0;
    for (u32 i = 0; i < node->noperands; i++)
      if (arrival[operand_of(adg, node, i)] > end) end = arrival[operand_of(adg, node, i)];
    end += levels_of(adg, body, node);
    for (u32 r = 0; r < node->nresults; r++) arrival[node->first_result + r] = end;
    if (end > longest) longest = end;
  }
  return longest;
}

/* Whole stages of a unit for an operation with `levels` of its `all_levels` levels of logic; 0 if
 * some stage would become too long by it. A mux may follow the last register. */
static u32 whole_stages(const AdgBody *body, u32 levels, u32 all_levels) {
  enum { MUX_LEVELS = 4 };
  u32 latency = (u32)body->latency, most = (all_levels + latency - 1) / latency;
  u32 stages = (2 * latency * levels + all_levels) / (2 * all_levels), left = latency - stages,
      rest = all_levels - levels;
  if (most < TIMING_LEVELS) most = TIMING_LEVELS;
  if (!stages || levels > most * stages) return 0;
  return rest <= (left ? most * left : MUX_LEVELS) ? stages : 0;
}

static bool loads(const Adg *adg, const AdgBody *body) {
  for (u32 n = 0; n < body->nnodes; n++)
    if (node_at(adg, body, n)->kind == OP_HANDSHAKE_LOAD) return true;
  return false;
}

/* ---- the operator of a node ------------------------------------------------------------------ */

/* Nodes with equal keys share an operator. */
typedef struct {
  AdgOperatorKind kind;
  OpKind first; /* Row.first */
  /* Of OPERATOR_MODULE, else 0. A type stays 0 where the module is shared by all types. */
  AdgType operand, result;
  u32 stages;
  bool is_serial, early_out;
  u32 copy; /* 0, 1, ...: of several that one unit needs at once */
} Key;

typedef struct {
  Adg *adg;
  Key *keys; /* of operators, by index */
  u32 count;
  u32 *arrival; /* scratch of body_levels, by value of a body */
} Finder;

/* Equal but for `copy`. */
static bool is_same_key(const Key *a, const Key *b) {
  return a->kind == b->kind && a->first == b->first && adg_is_same_type(&a->operand, &b->operand) &&
         adg_is_same_type(&a->result, &b->result) && a->stages == b->stages &&
         a->is_serial == b->is_serial && a->early_out == b->early_out;
}

/* Sequential operators of one unit must have equal levels: true where an earlier one differs. */
static bool differs_in_levels(const Finder *f, const AdgBody *body, u32 n, u32 levels) {
  for (u32 m = 0; m < n; m++)
    if (adg_operator(f->adg, body, m).stages &&
        levels_of(f->adg, body, node_at(f->adg, body, m)) != levels)
      return true;
  return false;
}

/* The key of a node, with copy 0; OPERATOR_NONE if it cannot share. */
static Key key_of(const Finder *f, const AdgBody *body, u32 n) {
  const AdgNode *node = node_at(f->adg, body, n);
  const Row *row = row_of((OpKind)node->kind);
  Key key = {.kind = OPERATOR_NONE};
  if (!row || body->latency < 1 || (row->form == COMBINATIONAL && body->latency > 1) ||
      !reads_inputs_only(f->adg, body, node))
    return key;
  if (row->form != COMBINATIONAL && loads(f->adg, body)) return key;
  const AdgType *values = &f->adg->values[body->first_value];
  if (row->form != COMBINATIONAL) {
    u32 levels = levels_of(f->adg, body, node), all_levels = body_levels(f->adg, body, f->arrival);
    key.stages = whole_stages(body, levels, all_levels);
    if (!key.stages || differs_in_levels(f, body, n, levels)) return key;
    key.is_serial = body->latency > 1 && body->interval >= body->latency;
    key.early_out = body->early_out != EARLY_NO;
  }
  key.kind = row->operator;
  key.first = row->first;
  if (key.kind != OPERATOR_MODULE) return key;
  if (row->form != LOW_BITS) key.result = values[node->first_result];
  if (row->form == COMBINATIONAL || row->form == SEQUENTIAL)
    key.operand = values[operand_of(f->adg, node, 0)];
  return key;
}

static AdgOperator operator_at(Finder *f, const Key *key) {
  u32 i = 0;
  while (i < f->count && !(is_same_key(&f->keys[i], key) && f->keys[i].copy == key->copy)) i++;
  if (i == f->count) f->keys[f->count++] = *key;
  return (AdgOperator){key->kind, i, key->stages};
}

/* The fabric.mux that is the only user of a node's result; nnodes if there is no such mux. */
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
    u32 copy = f->keys[other.index].copy;
    bool is_exclusive = choice < body->nnodes && choice_of(adg, body, m) == choice;
    if (is_exclusive && copy >= own.copy) return other;
    if (!is_exclusive && copy >= own.copy) own.copy = copy + 1;
  }
  return operator_at(f, &own);
}

/* The operator whose result is a value, unchanged but for muxes. A comparator is not that of a
 * minimum or maximum: it only selects the operand. */
static AdgOperator operator_of_value(const Adg *adg, const AdgBody *body, u32 value) {
  const AdgOperator none = {OPERATOR_NONE, 0, 0};
  AdgOperator result = none;
  u32 n = defining_node(adg, body, value);
  if (n == body->nnodes) return result;
  const AdgNode *node = node_at(adg, body, n);
  if (!is_choice(node)) {
    AdgOperator own = adg_operator(adg, body, n);
    return own.kind != OPERATOR_COMPARE || node->kind == OP_ARITH_CMPI ? own : none;
  }
  for (u32 i = 0; i < node->noperands; i++) {
    AdgOperator one = operator_of_value(adg, body, operand_of(adg, node, i));
    if (i && (one.kind != result.kind || one.index != result.index)) return none;
    result = one;
  }
  return result;
}

/* The operator whose result a body yields; none for a body with operations outside operators, or
 * with a division, since its data path must check the operands. */
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
  return operator_of_value(adg, body, adg->operands[body->first_yield]);
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

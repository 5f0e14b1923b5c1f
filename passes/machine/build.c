/* build.c -- builds the machine from ADG and image.
 *
 * configured_new has decoded the fabric: units, and the route of every token from its source to its
 * sinks. Here these become the parts of a clocked machine:
 *
 *     units     inputs of the fabric, function units, memory lanes, fifos on the routes, registers
 *               of temporal PEs, outputs of switches that pack lanes, outputs, drains
 *     nets      the routes, cut at fifos in use
 *     arbiters  of tagged channels that carry two or more tags
 *
 * and those that settle within a cycle are ordered (order.c).
 *
 * A unit of several operations fires as one, with all its operands. A mux or a load in it is the
 * exception: operands then fall into groups that are taken at different times (operand_groups.h).
 *
 * Linear in the configured fabric but for the length of routes, and quadratic in the nets of one
 * channel, the instructions of one PE and the bodies of units, which are small.
 */
#include "ir/operand_groups.h"
#include "ir/timing.h"
#include "machine/build_state.h"

/* ---- units ----------------------------------------------------------------------------------- */

/* Adds a unit. The inputs, outputs, ops and values that are added next belong to it. */
static MachineUnit *add_unit(MachineBuild *b, MachineUnitKind kind, u32 component) {
  MachineUnit unit = {.kind = (u8)kind,
                      .component = component,
                      .fu = MACHINE_NONE,
                      .hardware = (u32)b->units.len,
                      .issue_group = MACHINE_NONE,
                      .channel = MACHINE_NONE,
                      .memory = MACHINE_NONE,
                      .region = MACHINE_NONE,
                      .interval = 1,
                      .first_input = (u32)b->inputs.len,
                      .first_output = (u32)b->outputs.len,
                      .first_op = (u32)b->ops.len,
                      .first_yield = (u32)b->values.len};
  vec_push(&b->units, unit);
  return &vec_last(&b->units);
}

static void add_input(MachineBuild *b, u32 sink) {
  MachineUnit *u = &vec_last(&b->units);
  MachineInput in = {.unit = (u32)b->units.len - 1,
                     .index = u->ninputs++,
                     .output = MACHINE_NONE,
                     .side = MACHINE_NONE,
                     .port = ADG_NONE,
                     .tag = CONF_UNTAGGED,
                     .pool = MACHINE_NONE};
  if (sink != ADG_NONE) b->input_of_sink[sink] = (u32)b->inputs.len;
  vec_push(&b->inputs, in);
}

static u32 add_output(MachineBuild *b, u32 source, u32 port, u32 bits) {
  MachineUnit *u = &vec_last(&b->units);
  MachineOutput out = {
      .unit = (u32)b->units.len - 1, .index = u->noutputs++, .bits = bits, .port = port};
  u32 id = (u32)b->outputs.len;
  vec_push(&b->outputs, out);
  if (source != ADG_NONE) b->output_of_source[source] = id;
  return id;
}

static void add_source_output(MachineBuild *b, u32 source) {
  const ConfSource *s = &b->conf->sources[source];
  u32 bits = s->port == ADG_NONE ? 64 : b->adg->ports[s->port].width;
  add_output(b, source, s->port, bits);
}

/* ---- function units -------------------------------------------------------------------------- */

static const AdgNode *node_of(const MachineBuild *b, u32 op) {
  return &b->adg->nodes[b->conf->ops[op].node];
}

/* Adds argument number `argument` of a unit's body as an input. */
static void add_operand(MachineBuild *b, const ConfUnit *unit, u32 argument) {
  add_input(b, b->conf->operands[unit->first_operand + argument]);
  vec_last(&b->inputs).argument = argument;
}

/* Adds the inputs of a unit that is one operation, in the order of the operation's operands. */
static void add_operands_of_op(MachineBuild *b, const ConfUnit *unit, u32 op) {
  for (u32 i = 0; i < b->conf->ops[op].noperands; i++)
    add_operand(b, unit, conf_operand(b->conf, op, i).index);
}

/* Adds an output for each connected result of the unit that is result `result` of operation `op`;
 * `value` is its number. */
static void add_result(MachineBuild *b, const ConfUnit *unit, u32 op, u32 result, u32 value) {
  const AdgBody *body = &b->adg->bodies[unit->body];
  for (u32 r = 0; r < body->nresults; r++) {
    u32 source = b->conf->results[unit->first_result + r];
    if (source == ADG_NONE) continue;
    u32 sink = b->conf->sources[source].first_sink;
    if (sink == ADG_NONE) continue;
    ConfProducer from = conf_producer(b->conf, sink);
    if (from.kind != CONF_FROM_OP || from.of != op || from.index != result) continue;
    add_source_output(b, source);
    vec_push(&b->values, value);
  }
}

static MachineUnit *add_function_unit(MachineBuild *b, const ConfUnit *unit, MachineUnitKind kind) {
  const AdgPe *pe = &b->adg->pes[unit->pe];
  const AdgBody *body = &b->adg->bodies[unit->body];
  MachineUnit *u = add_unit(b, kind, pe->component);
  u->fu = unit->fu;
  u->instruction = unit->instruction;
  u->latency = body->latency > 0 ? (u32)body->latency : 0;
  u->interval = body->interval;
  /* Results of a temporal PE pass a register of their unit. */
  if (pe->is_temporal && !u->latency) u->latency = 1;
  if (!pe->is_temporal && body->early_out) {
    u->early_out = body->early_out;
    u->width = (u8)b->adg->values[body->first_value].bits;
  }
  return u;
}

/* dataflow.stream, gate, carry, invariant: results in the order in which the op has them. */
static void add_state_machine(MachineBuild *b, const ConfUnit *unit, MachineUnitKind kind) {
  u32 op = unit->first_op;
  const AdgNode *node = node_of(b, op);
  MachineUnit *u = add_function_unit(b, unit, kind);
  u->step_op = node->step_op;
  u->cont_cond = b->conf->ops[op].cont_cond;
  const AdgBody *body = &b->adg->bodies[unit->body];
  u->width = (u8)b->adg->values[body->first_value].bits;
  add_operands_of_op(b, unit, op);
  /* loom_firing.h numbers the outputs, so a result that nothing takes has an output, too. */
  for (u32 r = 0; r < node->nresults; r++) {
    u32 before = (u32)b->outputs.len;
    add_result(b, unit, op, r, 0);
    if (b->outputs.len == before) {
      add_output(b, ADG_NONE, ADG_NONE, 64);
      vec_push(&b->values, 0);
    }
  }
}

static void add_op(MachineBuild *b, u32 op, const u32 *operands, u32 noperands) {
  const ConfOp *e = &b->conf->ops[op];
  const AdgNode *node = node_of(b, op);
  MachineOp m = {.op = op,
                 .node = e->node,
                 .kind = node->kind,
                 .fire = node->fire,
                 .first_operand = (u32)b->values.len,
                 .noperands = noperands,
                 .nresults = node->nresults,
                 .literal = e->literal};
  for (u32 i = 0; i < noperands; i++) vec_push(&b->values, operands[i]);
  if (node->fire == FIRE_PURE) {
    m.eval = b->adg->evals[node->eval];
    if (node->kind == OP_ARITH_CMPI || node->kind == OP_ARITH_CMPF)
      eval_set_predicate(&m.eval, (OpKind)node->kind, e->predicate);
  }
  vec_push(&b->ops, m);
  vec_last(&b->units).nops++;
}

/* ---- a mux or a load among other operations -------------------------------------------------- */

/* The groups of a unit (operand_groups.h), as bits. */
typedef struct {
  u32 apart; /* Configured.ops: the mux or the load */
  u64 *args; /* by argument: the groups that take it */
  u64 *ops;  /* by operation: the groups that it belongs to */
} UnitGroups;

static void put_in_group(const ConfUnit *unit, UnitGroups *groups, ConfValue v, u64 group) {
  if (v.op == ADG_NONE)
    groups->args[v.index] |= group;
  else if (v.op != groups->apart)
    groups->ops[v.op - unit->first_op] |= group;
}

/* Propagates the groups of the operands of `apart` backwards: an operation comes after those that
 * it uses. One that no other uses belongs to GROUP_REST. */
static UnitGroups find_groups(const MachineBuild *b, const ConfUnit *unit, u32 apart) {
  u32 nargs = b->adg->bodies[unit->body].nargs;
  UnitGroups groups = {apart, NEW_ARRAY(b->arena, u64, nargs + 1),
                       NEW_ARRAY(b->arena, u64, unit->nops + 1)};
  bool is_mux = node_of(b, apart)->fire == FIRE_MUX;
  for (u32 i = 0; i < b->conf->ops[apart].noperands; i++)
    put_in_group(unit, &groups, conf_operand(b->conf, apart, i), group_of_operand(is_mux, i));
  for (u32 k = unit->nops; k-- > 0;) {
    u32 op = unit->first_op + k;
    if (op == apart) continue;
    if (!groups.ops[k]) groups.ops[k] = GROUP_REST;
    for (u32 i = 0; i < b->conf->ops[op].noperands; i++)
      put_in_group(unit, &groups, conf_operand(b->conf, op, i), groups.ops[k]);
  }
  return groups;
}

/* The numbers of the values of a unit (MachineOp), while it is built. */
typedef struct {
  const ConfUnit *unit;
  u32 *of_arg, *of_op; /* of an argument, and of an operation's first result */
  u32 next;
} Numbers;

static Numbers numbers_new(const MachineBuild *b, const ConfUnit *unit) {
  u32 nargs = b->adg->bodies[unit->body].nargs;
  return (Numbers){unit, NEW_ARRAY(b->arena, u32, nargs + 1),
                   NEW_ARRAY(b->arena, u32, unit->nops + 1), 0};
}

static u32 number_of(const Numbers *n, ConfValue v) {
  return v.op == ADG_NONE ? n->of_arg[v.index] : n->of_op[v.op - n->unit->first_op] + v.index;
}

static void add_numbered_arg(MachineBuild *b, Numbers *n, u32 argument) {
  n->of_arg[argument] = n->next++;
  add_operand(b, n->unit, argument);
}

static void add_numbered_op(MachineBuild *b, Numbers *n, u32 op) {
  u32 operands[MACHINE_MAX_INPUTS], noperands = b->conf->ops[op].noperands;
  for (u32 i = 0; i < noperands; i++) operands[i] = number_of(n, conf_operand(b->conf, op, i));
  add_op(b, op, operands, noperands);
  n->of_op[op - n->unit->first_op] = n->next;
  n->next += node_of(b, op)->nresults;
}

static void add_numbered_results(MachineBuild *b, const Numbers *n, u32 op) {
  for (u32 r = 0; r < node_of(b, op)->nresults; r++)
    add_result(b, n->unit, op, r, number_of(n, (ConfValue){op, r}));
}

/* Add the arguments, or the operations, of any group in `wanted` and of none in `others`. */
static void add_args_of(MachineBuild *b, Numbers *n, const UnitGroups *groups, u64 wanted,
                        u64 others) {
  for (u32 a = 0; a < b->adg->bodies[n->unit->body].nargs; a++)
    if (groups->args[a] & wanted && !(groups->args[a] & others)) add_numbered_arg(b, n, a);
}
static void add_ops_of(MachineBuild *b, Numbers *n, const UnitGroups *groups, u64 wanted,
                       u64 others) {
  for (u32 k = 0; k < n->unit->nops; k++)
    if (groups->ops[k] & wanted && !(groups->ops[k] & others))
      add_numbered_op(b, n, n->unit->first_op + k);
}

/* Inputs are in the order: those of the selector, of the rest, of the sides. Operations: those of
 * the selector, of the sides, the mux, the rest. */
static void add_mux(MachineBuild *b, const ConfUnit *unit, u32 mux) {
  UnitGroups groups = find_groups(b, unit, mux);
  Numbers n = numbers_new(b, unit);
  MachineChoice choice = {.nsides = b->conf->ops[mux].noperands - 1};
  add_function_unit(b, unit, UNIT_MUX);
  add_args_of(b, &n, &groups, GROUP_SELECTOR, 0);
  choice.ninputs = n.next;
  add_args_of(b, &n, &groups, GROUP_REST, GROUP_SELECTOR);
  for (u32 side = 0; side < choice.nsides; side++) {
    u32 first = (u32)b->inputs.len;
    if (unit->nops > 1)
      add_args_of(b, &n, &groups, (u64)GROUP_SIDE << side, 0);
    else
      add_numbered_arg(b, &n, conf_operand(b->conf, mux, side + 1).index);
    for (u32 i = first; i < b->inputs.len; i++) b->inputs.at[i].side = side;
  }
  add_ops_of(b, &n, &groups, GROUP_SELECTOR, 0);
  choice.nops = vec_last(&b->units).nops;
  choice.selector = number_of(&n, conf_operand(b->conf, mux, 0));
  add_ops_of(b, &n, &groups, groups_inside(true), 0);
  add_numbered_op(b, &n, mux);
  add_ops_of(b, &n, &groups, GROUP_REST, GROUP_SELECTOR);
  vec_last(&b->units).choice = choice;
  vec_last(&b->units).first_yield = (u32)b->values.len;
  for (u32 op = unit->first_op; op < unit->first_op + unit->nops; op++)
    add_numbered_results(b, &n, op);
}

/* A carry and a branch are a mux of the first value and the next value. Its side is the last
 * decision, which the unit stores. */
static void add_loop_end(MachineBuild *b, const ConfUnit *unit, AdgLoopEnd end) {
  u32 carry = unit->first_op + (end == LOOP_TAIL), next = end == LOOP_TAIL ? 1 : 2;
  MachineChoice choice = {.nsides = 2, .loop_end = (u8)end};
  Numbers n = numbers_new(b, unit);
  add_function_unit(b, unit, UNIT_MUX);
  add_numbered_arg(b, &n, conf_operand(b->conf, carry, 0).index);
  if (end == LOOP_TAIL) vec_last(&b->inputs).side = 1;
  add_numbered_arg(b, &n, conf_operand(b->conf, carry, 1).index);
  vec_last(&b->inputs).side = 0;
  add_numbered_arg(b, &n, conf_operand(b->conf, unit->first_op, next).index);
  vec_last(&b->inputs).side = 1;
  for (u32 k = 0; k < 2; k++) add_numbered_op(b, &n, unit->first_op + k);
  vec_last(&b->units).choice = choice; /* the decision is value 0 */
  vec_last(&b->units).first_yield = (u32)b->values.len;
  for (u32 k = 0; k < 2; k++) add_numbered_results(b, &n, unit->first_op + k);
}

/* A handshake.load becomes two units: index and control -> index; data -> data. Operations that
 * compute index or control belong to the first, those that use the data to the second. */
static void add_load(MachineBuild *b, const ConfUnit *unit, u32 load) {
  UnitGroups groups = find_groups(b, unit, load);
  Numbers request = numbers_new(b, unit), response = numbers_new(b, unit);
  add_function_unit(b, unit, UNIT_FIRE);
  if (unit->nops == 1) { /* in the order of its operands */
    add_numbered_arg(b, &request, conf_operand(b->conf, load, 0).index);
    add_numbered_arg(b, &request, conf_operand(b->conf, load, 2).index);
  } else {
    add_args_of(b, &request, &groups, GROUP_REQUEST, 0);
  }
  add_ops_of(b, &request, &groups, GROUP_REQUEST, 0);
  vec_last(&b->units).first_yield = (u32)b->values.len;
  add_result(b, unit, load, 1, number_of(&request, conf_operand(b->conf, load, 0)));
  add_function_unit(b, unit, UNIT_FIRE);
  add_args_of(b, &response, &groups, GROUP_RESPONSE, 0);
  response.of_op[load - unit->first_op] = response.of_arg[conf_operand(b->conf, load, 1).index];
  add_ops_of(b, &response, &groups, GROUP_RESPONSE, 0);
  vec_last(&b->units).first_yield = (u32)b->values.len;
  add_result(b, unit, load, 0, number_of(&response, (ConfValue){load, 0}));
  for (u32 op = unit->first_op; op < unit->first_op + unit->nops; op++)
    if (op != load && groups.ops[op - unit->first_op] & GROUP_RESPONSE)
      add_numbered_results(b, &response, op);
}

/* A unit of other operations takes all its operands and fires as one. */
static void add_fire(MachineBuild *b, const ConfUnit *unit) {
  const AdgBody *body = &b->adg->bodies[unit->body];
  Numbers n = numbers_new(b, unit);
  add_function_unit(b, unit, UNIT_FIRE);
  for (u32 a = 0; a < body->nargs; a++)
    if (b->conf->operands[unit->first_operand + a] != ADG_NONE) add_numbered_arg(b, &n, a);
  for (u32 k = 0; k < unit->nops; k++) add_numbered_op(b, &n, unit->first_op + k);
  vec_last(&b->units).first_yield = (u32)b->values.len;
  for (u32 k = 0; k < unit->nops; k++) add_numbered_results(b, &n, unit->first_op + k);
}

/* Dataflow machines, which must be the only operation of their unit. */
static bool stands_alone(u8 fire) {
  return fire == FIRE_STREAM || fire == FIRE_GATE || fire == FIRE_CARRY || fire == FIRE_INVARIANT;
}

/* Operations that do not take all their operands at once. */
static bool is_apart(u8 fire) {
  return fire == FIRE_LOAD || fire == FIRE_MUX;
}

static u32 apart_of(const MachineBuild *b, const ConfUnit *unit) {
  for (u32 op = unit->first_op; op < unit->first_op + unit->nops; op++)
    if (is_apart(node_of(b, op)->fire)) return op;
  return ADG_NONE;
}

static void refuse(MachineBuild *b, const ConfUnit *unit, const char *format, ...)
    PRINTF_LIKE(3, 4);
static void refuse(MachineBuild *b, const ConfUnit *unit, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_args(b->ctx, b->adg->fus[unit->fu].loc, RT_MACHINE_UNIT, format, args);
  va_end(args);
  b->ok = false;
}

static u32 count_used(const u32 *ids, u32 n) {
  u32 used = 0;
  for (u32 i = 0; i < n; i++) used += ids[i] != ADG_NONE;
  return used;
}

static bool takes_one_twice(const MachineBuild *b, u32 op) {
  for (u32 i = 0; i < b->conf->ops[op].noperands; i++)
    for (u32 k = 0; k < i; k++) {
      ConfValue v = conf_operand(b->conf, op, i), w = conf_operand(b->conf, op, k);
      if (v.op == w.op && v.index == w.index) return true;
    }
  return false;
}

static bool gives_one_twice(const MachineBuild *b, const ConfUnit *unit) {
  u32 nresults = b->adg->bodies[unit->body].nresults;
  const u32 *sources = b->conf->results + unit->first_result;
  const ConfValue *values = b->conf->values + unit->first_yield;
  for (u32 i = 0; i < nresults; i++)
    for (u32 k = 0; k < i; k++)
      if (sources[i] != ADG_NONE && sources[k] != ADG_NONE && values[i].op == values[k].op &&
          values[i].index == values[k].index)
        return true;
  return false;
}

/* Can a unit of a mux or a load and other operations be simulated? An argument or operation may not
 * belong to two groups that are taken at different times (groups_are_divided); loaded data must be
 * an argument of the unit, and no operation may use the address that the load hands on; results of
 * operations of a side, or of a load's request, may not leave the unit; and there are at most as
 * many sides as bits. */
static bool falls_into_groups(const MachineBuild *b, const ConfUnit *unit, u32 apart) {
  bool is_mux = node_of(b, apart)->fire == FIRE_MUX;
  UnitGroups groups = find_groups(b, unit, apart);
  if (is_mux && b->conf->ops[apart].noperands - 1 > GROUP_MAX_SIDES) return false;
  if (!is_mux && conf_operand(b->conf, apart, 1).op != ADG_NONE) return false;
  for (u32 a = 0; a < b->adg->bodies[unit->body].nargs; a++)
    if (groups_are_divided(is_mux, groups.args[a])) return false;
  for (u32 k = 0; k < unit->nops; k++) {
    u32 op = unit->first_op + k;
    if (op == apart) continue;
    OpKind kind = (OpKind)node_of(b, op)->kind;
    FireClass fire = (FireClass)node_of(b, op)->fire;
    if (stands_alone(fire) || is_apart(fire)) return false;
    if (groups_are_divided(is_mux, groups.ops[k]) ||
        !groups_suit(is_mux, groups.ops[k], kind, fire))
      return false;
    for (u32 i = 0; i < b->conf->ops[op].noperands; i++)
      if (!is_mux && conf_operand(b->conf, op, i).op == apart && conf_operand(b->conf, op, i).index)
        return false;
  }
  for (u32 r = 0; r < b->adg->bodies[unit->body].nresults; r++) {
    ConfValue v = b->conf->values[unit->first_yield + r];
    if (b->conf->results[unit->first_result + r] == ADG_NONE || v.op == ADG_NONE || v.op == apart)
      continue;
    if (groups.ops[v.op - unit->first_op] & groups_inside(is_mux)) return false;
  }
  return true;
}

/* False after RT_MACHINE_UNIT. */
static bool can_be_simulated(MachineBuild *b, const ConfUnit *unit) {
  const AdgBody *body = &b->adg->bodies[unit->body];
  u32 inputs = count_used(b->conf->operands + unit->first_operand, body->nargs);
  u32 outputs = count_used(b->conf->results + unit->first_result, body->nresults);
  if (inputs > MACHINE_MAX_INPUTS || outputs > MACHINE_MAX_OUTPUTS) {
    refuse(b, unit,
           "the unit has %u operand%s in use and %u result%s; at most %d and %d can be "
           "simulated",
           inputs, plural(inputs), outputs, plural(outputs), MACHINE_MAX_INPUTS,
           MACHINE_MAX_OUTPUTS);
    return false;
  }
  for (u32 k = unit->first_op; k < unit->first_op + unit->nops && !body->loop_end; k++) {
    const char *name = op_info((OpKind)node_of(b, k)->kind)->name;
    u8 fire = node_of(b, k)->fire;
    if (unit->nops > 1 &&
        (stands_alone(fire) || (is_apart(fire) && !falls_into_groups(b, unit, k)))) {
      refuse(b, unit,
             "%s takes its operands one at a time and cannot stand in a unit with %s operations",
             name, is_apart(fire) ? "these" : "other");
      return false;
    }
    if (stands_alone(fire) && gives_one_twice(b, unit)) {
      refuse(b, unit,
             "two results of the unit are the same result of %s, which gives each token once",
             name);
      return false;
    }
    if ((!stands_alone(fire) && !is_apart(fire)) || !takes_one_twice(b, k)) continue;
    refuse(b, unit,
           "two operands of %s are the same argument of the unit, but it takes them one at a time",
           name);
    return false;
  }
  return true;
}

static void add_function(MachineBuild *b, const ConfUnit *unit) {
  if (!can_be_simulated(b, unit)) return;
  if (!unit->nops) return;
  AdgLoopEnd end = (AdgLoopEnd)b->adg->bodies[unit->body].loop_end;
  if (end) {
    add_loop_end(b, unit, end);
    return;
  }
  u32 apart = apart_of(b, unit);
  if (apart != ADG_NONE) {
    if (node_of(b, apart)->fire == FIRE_MUX)
      add_mux(b, unit, apart);
    else
      add_load(b, unit, apart);
    return;
  }
  switch ((FireClass)node_of(b, unit->first_op)->fire) {
  case FIRE_STREAM: add_state_machine(b, unit, UNIT_STREAM); break;
  case FIRE_GATE: add_state_machine(b, unit, UNIT_GATE); break;
  case FIRE_CARRY: add_state_machine(b, unit, UNIT_CARRY); break;
  case FIRE_INVARIANT: add_state_machine(b, unit, UNIT_INVARIANT); break;
  default: add_fire(b, unit); break;
  }
}

/* Is a unit the second half of a load, whose halves follow one another? `first`: of its PE. */
static bool is_second_half(const MachineBuild *b, u32 first, u32 unit) {
  const MachineUnit *u = &b->units.at[unit];
  return unit > first && u[-1].fu == u->fu && u[-1].instruction == u->instruction;
}

/* Instructions of a temporal PE that name one function unit share that hardware; of a load, each
 * half is hardware of its own. */
static void find_hardware(MachineBuild *b, u32 first) {
  for (u32 u = first; u < b->units.len; u++)
    for (u32 other = first; other < u; other++) {
      if (b->units.at[other].fu != b->units.at[u].fu ||
          is_second_half(b, first, other) != is_second_half(b, first, u))
        continue;
      b->units.at[u].hardware = other;
      break;
    }
}

static void add_functions(MachineBuild *b) {
  for (u32 k = 0; k < b->conf->nunits;) {
    u32 pe = b->conf->units[k].pe, first = (u32)b->units.len;
    for (; k < b->conf->nunits && b->conf->units[k].pe == pe; k++)
      add_function(b, &b->conf->units[k]);
    if (!b->adg->pes[pe].is_temporal) continue;
    IssueGroup group = {first, (u32)b->units.len - first};
    for (u32 u = first; u < b->units.len; u++)
      b->units.at[u].issue_group = (u32)b->issue_groups.len;
    vec_push(&b->issue_groups, group);
    find_hardware(b, first);
  }
}

/* ---- memories -------------------------------------------------------------------------------- */

static void add_memories(MachineBuild *b) {
  const Adg *adg = b->adg;
  for (u32 m = 0; m < adg->nmemories; m++) {
    MachineMemory memory = {(u32)b->regions.len, adg->memories[m].nregions};
    vec_push(&b->memories, memory);
    for (u32 r = 0; r < memory.nregions; r++) {
      const ConfRegion *from = &b->conf->regions[b->conf->first_region[m] + r];
      u32 bits = from->elem_size_log2 > 3 ? 64 : (u32)8 << from->elem_size_log2;
      if (bits > adg->memories[m].elem_bits) bits = adg->memories[m].elem_bits;
      MachineRegion region = {.valid = from->valid,
                              .start = from->start,
                              .end = from->end,
                              .offset = from->offset,
                              .size_log2 = from->elem_size_log2 & 63,
                              .elem_bits = bits,
                              .elements = from->elements};
      vec_push(&b->regions, region);
    }
  }
}

/* The channel of a lane, whose unit was just added: that of the lane before it, or a new one. Lanes
 * are ordered by memory, loads first, by channel. Those of a memory with several banks share one
 * channel, since each lane can access every bank. */
static u32 lane_channel(MachineBuild *b, const ConfLane *lane) {
  const AdgMemory *memory = &b->adg->memories[lane->memory];
  u32 at = adg_request_channel(memory, lane->tag);
  u32 number = 2 * (at * b->adg->nmemories + lane->memory) + lane->is_store;
  u32 unit = (u32)b->units.len - 1;
  if (!b->channels.len || vec_last(&b->channels).number != number) {
    MachineChannel channel = {.first_unit = unit,
                              .number = number,
                              .is_external = memory->is_external,
                              .nbanks = memory->banks,
                              .word_log2 = adg_size_log2(memory->elem_bits)};
    vec_push(&b->channels, channel);
  }
  vec_last(&b->channels).nunits++;
  return (u32)b->channels.len - 1;
}

static void add_lanes(MachineBuild *b) {
  for (u32 k = 0; k < b->conf->nlanes; k++) {
    const ConfLane *lane = &b->conf->lanes[k];
    const AdgMemory *memory = &b->adg->memories[lane->memory];
    MachineUnit *u = add_unit(b, lane->is_store ? UNIT_STORE : UNIT_LOAD, memory->component);
    u->memory = lane->memory;
    u->region = b->memories.at[lane->memory].first_region + lane->region;
    u->tag = lane->tag;
    u->latency = adg_memory_latency(memory);
    u->places = adg_lane_places(memory);
    u->channel = lane_channel(b, lane);
    add_input(b, lane->address);
    if (lane->is_store) {
      add_input(b, lane->data);
      vec_last(&b->inputs).argument = 1;
    } else {
      add_source_output(b, lane->value);
    }
    add_source_output(b, lane->done);
  }
}

/* ---- packs ----------------------------------------------------------------------------------- */

/* Adds an arith.ori, which combines two values whose lanes are in place already. */
static void add_or(MachineBuild *b, u32 op, u32 left, u32 right) {
  const Type *type = type_int(b->ctx, CONF_WORD, SIGNLESS);
  MachineOp m = {.op = op,
                 .node = ADG_NONE,
                 .kind = OP_ARITH_ORI,
                 .fire = FIRE_PURE,
                 .first_operand = (u32)b->values.len,
                 .noperands = 2,
                 .nresults = 1};
  if (!eval_prepare(b->ctx, OP_ARITH_ORI, NULL, (const Type *[]){type, type}, type, &m.eval))
    loom_bug("arith.ori cannot be evaluated");
  vec_push(&b->values, left);
  vec_push(&b->values, right);
  vec_push(&b->ops, m);
  vec_last(&b->units).nops++;
}

/* An output that packs lanes of several inputs is a unit of latency 0. */
static void add_packs(MachineBuild *b) {
  u32 op = b->conf->nops;
  for (u32 p = 0; p < b->conf->npacks; p++) {
    const ConfPack *pack = &b->conf->packs[p];
    u32 n = pack->nparts;
    if (pack->source == ADG_NONE) continue;
    add_unit(b, UNIT_FIRE, b->adg->ports[pack->port].component);
    for (u32 k = 0; k < n; k++) add_input(b, b->conf->parts[pack->first_part + k].sink);
    for (u32 k = 1; k < n; k++) add_or(b, op++, k == 1 ? 0 : n + k - 2, k);
    vec_last(&b->units).first_yield = (u32)b->values.len;
    add_source_output(b, pack->source);
    vec_push(&b->values, 2 * n - 2);
  }
}

/* ---- ports, fifos, registers ----------------------------------------------------------------- */

static void add_fabric_inputs(MachineBuild *b) {
  for (u32 c = 0; c < b->adg->ncomponents; c++) {
    u32 source = b->conf->input_sources[c];
    if (source == ADG_NONE || b->conf->sources[source].first_sink == ADG_NONE) continue;
    add_unit(b, UNIT_INPUT, c);
    add_source_output(b, source);
  }
}

static void add_ends(MachineBuild *b) {
  for (u32 c = 0; c < b->adg->ncomponents; c++) {
    if (b->conf->output_sinks[c] == ADG_NONE) continue;
    add_unit(b, UNIT_OUTPUT, c);
    add_input(b, b->conf->output_sinks[c]);
  }
  for (u32 s = 0; s < b->conf->nsinks; s++) {
    if (b->conf->sinks[s].kind != CONF_DISCARDED) continue;
    MachineUnit *u = add_unit(b, UNIT_DRAIN, b->conf->sinks[s].of);
    add_input(b, s);
    if (b->conf->sinks[s].hop != ADG_NONE) continue;
    const ConfSource *source = &b->conf->sources[b->conf->sinks[s].source];
    u->instruction = b->conf->units[source->of].instruction;
    vec_last(&b->inputs).argument = source->index;
  }
}

/* Do tokens pass this hop? An input of the fabric without a consumer gets none. */
static bool is_alive(const MachineBuild *b, u32 hop) {
  return b->output_of_source[b->conf->hops[hop].source] != MACHINE_NONE;
}

/* The places of the fifo or buffer that is entered by this hop; 0: there is none, or it is
 * bypassed. */
static u32 places_at(const MachineBuild *b, u32 hop) {
  const ConfHop *h = &b->conf->hops[hop];
  const AdgComponent *c = &b->adg->components[b->adg->ports[h->port].component];
  if (b->adg->ports[h->port].is_output) return adg_buffer_places(adg_buffer(b->adg, h->port));
  if (c->kind != ADG_FIFO ||
      image_get(b->image, b->adg->ports[h->port].component, field_of(FIELD_BYPASSED, 0, 0)))
    return 0;
  return b->adg->fifos[c->detail].depth;
}

static void add_fifos(MachineBuild *b) {
  for (u32 h = 0; h < b->conf->nhops; h++) {
    b->fifo_at[h] = MACHINE_NONE;
    u32 port = b->conf->hops[h].port, component = b->adg->ports[port].component;
    u32 places = is_alive(b, h) ? places_at(b, h) : 0;
    if (!places) continue;
    MachineUnit *u = add_unit(b, UNIT_FIFO, component);
    u->latency = places;
    u->is_forward = adg_buffer(b->adg, port) == BUFFER_FORWARD;
    add_input(b, ADG_NONE);
    u32 out = b->adg->ports[port].is_output ? port : adg_output(b->adg, component, 0);
    b->fifo_at[h] = add_output(b, ADG_NONE, out, b->adg->ports[out].width);
  }
}

/* Does a sink read a register of a temporal PE? */
static bool reads_register(const ConfSink *sink) {
  return sink->kind == CONF_OPERAND && sink->hop == ADG_NONE;
}

/* A register of a temporal PE is a fifo. The result that is written to it may go to a port as well,
 * or be discarded there. */
static void add_registers(MachineBuild *b) {
  for (u32 s = 0; s < b->conf->nsources; s++) {
    const ConfSource *source = &b->conf->sources[s];
    u32 sink = source->first_sink;
    while (sink != ADG_NONE && !reads_register(&b->conf->sinks[sink]))
      sink = b->conf->sinks[sink].next;
    if (sink == ADG_NONE) continue;
    const ConfUnit *writer = &b->conf->units[source->of];
    const AdgPe *pe = &b->adg->pes[writer->pe];
    MachineUnit *u = add_unit(b, UNIT_FIFO, pe->component);
    u->latency = pe->reg_fifo_depth;
    add_input(b, ADG_NONE);
    MachineInput *in = &vec_last(&b->inputs);
    in->output = b->output_of_source[s];
    in->mask = ~(u64)0;
    in->argument = (u32)image_get(b->image, pe->component,
                                  field_of(FIELD_RESULT_REG, writer->instruction, source->index));
    b->register_at[s] = add_output(b, ADG_NONE, ADG_NONE, 64);
  }
}

/* Limits the memory of the simulators, which allocate every place of every fifo. */
static void check_places(MachineBuild *b) {
  u64 places = 0;
  u32 deepest = 0;
  for (u32 u = 0; u < b->units.len; u++) {
    const MachineUnit *unit = &b->units.at[u];
    if (unit->kind != UNIT_FIFO) continue;
    places += unit->latency;
    if (b->units.at[deepest].kind != UNIT_FIFO || unit->latency > b->units.at[deepest].latency)
      deepest = u;
  }
  if (places <= MACHINE_MAX_PLACES) return;
  const AdgComponent *at = &b->adg->components[b->units.at[deepest].component];
  diag(b->ctx, at->loc, RT_MACHINE_UNIT,
       "the FIFOs and registers in use hold %llu tokens, %u of them this one; at most %d can be "
       "simulated",
       (unsigned long long)places, b->units.at[deepest].latency, MACHINE_MAX_PLACES);
  b->ok = false;
}

/* ---- nets ------------------------------------------------------------------------------------ */

/* The output whose net leads to a hop: that of the last fifo before it, or of the source. */
static u32 net_into(const MachineBuild *b, u32 hop) {
  for (u32 h = b->conf->hops[hop].from; h != ADG_NONE; h = b->conf->hops[h].from)
    if (b->fifo_at[h] != MACHINE_NONE) return b->fifo_at[h];
  return b->output_of_source[b->conf->hops[hop].source];
}

static u32 channel_of(const MachineBuild *b, u32 hop) {
  return conf_channel(b->adg, &b->conf->hops[hop]);
}

static bool is_tagged(const MachineBuild *b, u32 hop) {
  return b->conf->hops[hop].tag != CONF_UNTAGGED;
}

/* A net through a tagged channel, and its tag there, which no other net has. */
typedef struct {
  u32 tag, net;
} Passing;
typedef Vec(Passing) PassingList;

/* Lists the nets that pass each tagged channel, by their tags there. */
static void find_members(MachineBuild *b, PassingList *nets_of_channel) {
  for (u32 h = 0; h < b->conf->nhops; h++) {
    if (!is_tagged(b, h) || !is_alive(b, h)) continue;
    Passing passing = {b->conf->hops[h].tag, net_into(b, h)};
    PassingList *list = &nets_of_channel[channel_of(b, h)];
    size_t at = 0;
    while (at < list->len && list->at[at].tag < passing.tag) at++;
    if (at < list->len && list->at[at].tag == passing.tag) continue; /* the net branches here */
    vec_push(list, passing);
    for (size_t i = list->len - 1; i > at; i--) list->at[i] = list->at[i - 1];
    list->at[at] = passing;
  }
}

/* Adds an arbiter for the nets that pass a channel, if they have several tags there. */
static void add_arbiter(MachineBuild *b, u32 channel, const PassingList *nets) {
  u32 first = (u32)b->members.len;
  if (nets->len < 2) return;
  for (size_t i = 0; i < nets->len; i++) {
    vec_push(&b->members, nets->at[i].net);
    vec_push(&b->member_tags, nets->at[i].tag);
  }
  b->arbiter_at[channel] = (u32)b->arbiters.len;
  vec_push(&b->arbiters, ((MachineArbiter){channel % b->adg->nports, first, (u32)nets->len}));
}

/* The index of the arbiter's member with this tag. */
static u32 member_of(const MachineBuild *b, u32 arbiter, u32 tag) {
  const MachineArbiter *a = &b->arbiters.at[arbiter];
  u32 member = 0;
  while (b->member_tags.at[a->first_member + member] != tag) member++;
  return member;
}

static void add_arbiters(MachineBuild *b) {
  u32 nchannels = 2 * b->adg->nports;
  PassingList *nets = mem_alloc(mem_size(nchannels + 1, sizeof *nets));
  find_members(b, nets);
  for (u32 c = 0; c < nchannels; c++) {
    add_arbiter(b, c, &nets[c]);
    vec_free(&nets[c]);
  }
  mem_free(nets);
}

/* How many bits an input takes. A route may be wider than the operand at its end, as from an i32 of
 * one unit to an i16 of another: a function unit takes as many bits as its operand's type has, a
 * store those of an element. */
static u32 operand_bits(const MachineBuild *b, const MachineInput *in) {
  const MachineUnit *u = &b->units.at[in->unit];
  if (u->kind == UNIT_STORE && in->argument) return b->adg->memories[u->memory].elem_bits;
  if (u->fu == MACHINE_NONE) return CONF_WORD;
  const AdgBody *body = &b->adg->bodies[b->adg->fus[u->fu].body];
  return b->adg->values[body->first_value + in->argument].bits;
}

/* Sets the mask or the moves of an input: the bits of its net's token that arrive by `hop`. They
 * are those of the route since the last fifo. `part`: the CONF_PART sink, or ADG_NONE. */
static void set_carried_bits(MachineBuild *b, MachineInput *in, u32 hop, u32 part) {
  ConfMove pieces[CONF_BITS];
  u32 since = b->conf->hops[hop].from;
  while (since != ADG_NONE && b->fifo_at[since] == MACHINE_NONE) since = b->conf->hops[since].from;
  ConfBits bits =
      part == ADG_NONE ? conf_bits(b->conf, hop, since) : conf_part_bits(b->conf, part, since);
  u32 n = conf_pieces(&bits, CONF_WORD, operand_bits(b, in), pieces);
  bool is_cut = !n || (n == 1 && !pieces[0].from && !pieces[0].to);
  in->mask = eval_mask(n && is_cut ? pieces[0].bits : 0);
  in->first_move = (u32)b->moves.len;
  in->nmoves = is_cut ? 0 : n;
  for (u32 k = 0; k < in->nmoves; k++) vec_push(&b->moves, pieces[k]);
}

/* Connects an input to the net that leads to it by `hop`, with the arbiters on the route. */
static void wire(MachineBuild *b, u32 input, u32 hop, u32 part) {
  MachineInput *in = &b->inputs.at[input];
  in->output = net_into(b, hop);
  set_carried_bits(b, in, hop, part);
  in->port = b->conf->hops[hop].port;
  in->tag = b->conf->hops[hop].tag;
  in->first_arbiter = (u32)b->passes.len;
  for (u32 h = hop; h != ADG_NONE; h = b->conf->hops[h].from) {
    if (h != hop && b->fifo_at[h] != MACHINE_NONE) break;
    u32 arbiter = is_tagged(b, h) ? b->arbiter_at[channel_of(b, h)] : MACHINE_NONE;
    if (arbiter == MACHINE_NONE) continue;
    vec_push(&b->passes, arbiter);
    vec_push(&b->passed_as, member_of(b, arbiter, b->conf->hops[h].tag));
  }
  in->narbiters = (u32)b->passes.len - in->first_arbiter;
  reverse(b->passes.at + in->first_arbiter, in->narbiters); /* from the source on */
  reverse(b->passed_as.at + in->first_arbiter, in->narbiters);
}

static void wire_all(MachineBuild *b) {
  for (u32 h = 0; h < b->conf->nhops; h++)
    if (b->fifo_at[h] != MACHINE_NONE)
      wire(b, b->units.at[b->outputs.at[b->fifo_at[h]].unit].first_input, h, ADG_NONE);
  for (u32 s = 0; s < b->conf->nsinks; s++) {
    const ConfSink *sink = &b->conf->sinks[s];
    u32 input = b->input_of_sink[s];
    if (input == MACHINE_NONE) continue;
    if (sink->hop != ADG_NONE) {
      wire(b, input, sink->hop, sink->kind == CONF_PART ? s : ADG_NONE);
      continue;
    }
    b->inputs.at[input].output =
        reads_register(sink) ? b->register_at[sink->source] : b->output_of_source[sink->source];
    b->inputs.at[input].mask = eval_mask(operand_bits(b, &b->inputs.at[input]));
  }
}

/* Adds the pool of a temporal PE: each operand that comes from an input has one place of the
 * operand buffer, its latch; they share the others. */
static void add_pool(MachineBuild *b, const IssueGroup *group) {
  const AdgComponent *c = &b->adg->components[b->units.at[group->first_unit].component];
  const AdgPe *pe = &b->adg->pes[c->detail];
  u32 own = image_port_operands(b->image, pe), pool = (u32)b->pools.len;
  if (!pe->operand_buffer) return;
  if (own > pe->operand_buffer) loom_bug("a buffer with less places than operands");
  vec_push(&b->pools, ((MachinePool){pe->component, pe->operand_buffer - own}));
  for (u32 u = group->first_unit; u < group->first_unit + group->nunits; u++) {
    const MachineUnit *unit = &b->units.at[u];
    for (u32 i = unit->first_input; i < unit->first_input + unit->ninputs; i++) {
      MachineInput *in = &b->inputs.at[i];
      if (in->port == ADG_NONE) continue; /* from a register */
      in->pool = pool;
      in->rank = b->adg->ports[in->port].index;
    }
  }
}

/* Fills `branches`, the inputs of each output, by counting sort. */
static void find_branches(MachineBuild *b) {
  for (size_t i = 0; i < b->inputs.len; i++) {
    if (b->inputs.at[i].output == MACHINE_NONE) loom_bug("an operand of the machine has no net");
    b->outputs.at[b->inputs.at[i].output].nbranches++;
    vec_push(&b->branches, 0);
  }
  u32 next = 0;
  for (size_t o = 0; o < b->outputs.len; o++) {
    b->outputs.at[o].first_branch = next;
    next += b->outputs.at[o].nbranches;
    b->outputs.at[o].nbranches = 0;
  }
  for (size_t i = 0; i < b->inputs.len; i++) {
    MachineOutput *out = &b->outputs.at[b->inputs.at[i].output];
    b->branches.at[out->first_branch + out->nbranches++] = (u32)i;
  }
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* Moves a table to the machine; COUNT also says there how long it is. */
#define KEEP(m, b, table)                                                                          \
  ((m)->table = arena_copy((m)->arena, (b)->table.at, (b)->table.len * sizeof *(b)->table.at),     \
   vec_free(&(b)->table))
#define COUNT(m, b, table) ((m)->n##table = (u32)(b)->table.len, KEEP(m, b, table))

static Machine *finish(MachineBuild *b) {
  Arena *arena = arena_new();
  Machine *m = NEW(arena, Machine);
  *m = (Machine){.adg = b->adg, .arena = arena};
  COUNT(m, b, units);
  COUNT(m, b, inputs);
  COUNT(m, b, outputs);
  COUNT(m, b, arbiters);
  COUNT(m, b, issue_groups);
  COUNT(m, b, pools);
  COUNT(m, b, channels);
  COUNT(m, b, memories);
  COUNT(m, b, regions);
  COUNT(m, b, ops);
  COUNT(m, b, settles);
  KEEP(m, b, values);
  KEEP(m, b, branches);
  KEEP(m, b, members);
  KEEP(m, b, passes);
  KEEP(m, b, passed_as);
  KEEP(m, b, moves);
  vec_free(&b->member_tags);
  return m;
}

/* A table of n times MACHINE_NONE. */
static u32 *none(Arena *arena, u32 n) {
  u32 *table = NEW_ARRAY(arena, u32, n + 1);
  for (u32 i = 0; i < n; i++) table[i] = MACHINE_NONE;
  return table;
}

Machine *machine_build(Context *ctx, const Image *image) {
  Configured *conf = configured_new(ctx, image);
  MachineBuild b = {.ctx = ctx,
                    .image = image,
                    .conf = conf,
                    .adg = conf->adg,
                    .arena = arena_new(),
                    .ok = conf->is_sound};
  Machine *m = NULL;
  if (b.ok) {
    b.output_of_source = none(b.arena, conf->nsources);
    b.register_at = none(b.arena, conf->nsources);
    b.input_of_sink = none(b.arena, conf->nsinks);
    b.fifo_at = none(b.arena, conf->nhops);
    b.arbiter_at = none(b.arena, 2 * conf->adg->nports);
    add_memories(&b);
    add_fabric_inputs(&b);
    add_functions(&b);
    if (b.ok) {
      add_lanes(&b);
      add_packs(&b);
      add_fifos(&b);
      add_registers(&b);
      check_places(&b);
    }
    if (b.ok) {
      add_ends(&b);
      add_arbiters(&b);
      wire_all(&b);
      for (u32 t = 0; t < b.issue_groups.len; t++)
        if (b.issue_groups.at[t].nunits) add_pool(&b, &b.issue_groups.at[t]);
      find_branches(&b);
      settle_order(&b);
    }
    m = finish(&b);
    if (!b.ok) {
      machine_free(m);
      m = NULL;
    }
  }
  arena_free(b.arena);
  configured_free(conf);
  return m;
}

void machine_free(Machine *m) {
  if (m) arena_free(m->arena);
}

void machine_set_depth(Machine *m, u32 component, u32 depth) {
  MachineUnit *units = arena_copy(m->arena, m->units, m->nunits * sizeof *units);
  for (u32 u = 0; u < m->nunits; u++)
    if (units[u].kind == UNIT_FIFO && units[u].component == component) units[u].latency = depth;
  m->units = units;
}

void machine_set_buffer(Machine *m, u32 component, u32 places) {
  MachinePool *pools = arena_copy(m->arena, m->pools, m->npools * sizeof *pools);
  u32 has = m->adg->pes[m->adg->components[component].detail].operand_buffer;
  for (u32 p = 0; p < m->npools; p++)
    if (pools[p].component == component && places > has) pools[p].places += places - has;
  m->pools = pools;
}

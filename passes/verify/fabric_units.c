/* fabric_units.c -- rules of function units, the muxes inside them, and the PEs that hold them.
 *
 *     fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> (i32) [latency = 2, interval = 1] {
 *       %m = arith.muli %a, %b : i32
 *       %s = arith.addi %m, %c : i32
 *       %r = fabric.mux %m, %s {sel = 1 : i64, discard = false, disconnect = false}
 *              : i32, i32 -> i32
 *       fabric.yield %r : i32
 *     }
 *
 * A function unit is a small acyclic graph of hardware operations on scalar values. Each of the
 * four dataflow operations is a state machine, so it has a unit to itself, with latency and
 * interval -1; except that a carry may share one with a branch on the same condition. That is a
 * loop end: one bit of state, and wires.
 */
#include "ir/timing.h"
#include "verify/fabric.h"

enum { MAX_JOIN = 64 };

/* ---- function units -------------------------------------------------------------------------- */

static bool is_dataflow(OpKind kind) {
  return kind >= OP_DATAFLOW_STREAM && kind <= OP_DATAFLOW_INVARIANT;
}

static bool unit_may_hold(OpKind kind) {
  if (kind > OP_ARITH_CONSTANT && kind <= OP_ARITH_BITCAST) return true;
  if (kind >= OP_MATH_ABSF && kind <= OP_MATH_IPOWI) return true;
  switch (kind) {
  case OP_LLVM_BITREVERSE:
  case OP_HANDSHAKE_COND_BR:
  case OP_HANDSHAKE_CONSTANT:
  case OP_HANDSHAKE_JOIN:
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_MUX:
  case OP_HANDSHAKE_STORE:
  case OP_FABRIC_MUX:
  case OP_FABRIC_YIELD: return true;
  default: return is_dataflow(kind);
  }
}

static bool unit_type_ok(Verifier *v, Loc loc, const Type *type, const char *noun, u32 i, u32 n) {
  if (fabric_is_native(type)) return true;
  diag(v->ctx, loc, COMP_FABRIC_FU_TYPE,
       "%s %u of %u must be a native scalar inside a function unit, but got %s", noun, i + 1, n,
       type_text(v, type));
  diag_hint(v->ctx, "the native scalars are i1 to i64, f16, bf16, f32, f64, index and none");
  return false;
}

/* join_mask: a bit for each input that the join waits for, at least one. */
static void check_join_mask(Verifier *v, Op *join) {
  const Attr *mask = op_attr(join, "join_mask");
  u32 n = join->noperands;
  if (!mask || n > MAX_JOIN) return;
  if (mask->kind == ATTR_INT && mask->i && (n == MAX_JOIN || !((u64)mask->i >> n))) return;
  u32 before = begin_configuration(v);
  diag(v->ctx, join->loc, COMP_FABRIC_CONFIG,
       "'join_mask' must be a nonzero integer with one bit for each of the %u inputs", n);
  end_configuration(v, join, "join_mask", before);
}

/* Checks each op of the body by itself. Returns how many there are; *machine is the first that is a
 * state machine. */
static u32 check_unit_ops(Verifier *v, const Op *op, const Op **machine) {
  u32 n = 0;
  for_each_op (inner, op->regions[0].first) {
    if (!unit_may_hold((OpKind)inner->kind)) {
      diag(v->ctx, inner->loc, COMP_FABRIC_FU_OP, "%s is not allowed in a function unit",
           op_name(inner));
      if (inner->kind == OP_ARITH_CONSTANT)
        diag_hint(v->ctx, "use handshake.constant, whose value is configuration");
    }
    if (inner->kind == OP_FABRIC_YIELD) continue;
    n++;
    if (is_dataflow((OpKind)inner->kind) && !*machine) *machine = inner;
    if (inner->kind == OP_HANDSHAKE_JOIN && inner->noperands > MAX_JOIN)
      diag(v->ctx, inner->loc, COMP_FABRIC_FU_JOIN,
           "a join in hardware must have 1 to %d inputs, but got %u", MAX_JOIN, inner->noperands);
    if (inner->kind == OP_HANDSHAKE_JOIN) check_join_mask(v, inner);
    for (u32 i = 0; i < inner->nresults; i++)
      if (!unit_type_ok(v, inner->loc, type_of_result(inner, i), "result", i, inner->nresults))
        break;
  }
  return n;
}

/* These two check the counts, too: the rules of these ops run after that of the unit. */
static bool is_carry(const Op *op) {
  return op->kind == OP_DATAFLOW_CARRY && op->noperands == 3 && op->nresults == 1;
}
static bool is_branch(const Op *op) {
  return op->kind == OP_HANDSHAKE_COND_BR && op->noperands == 2 && op->nresults == 2;
}

/* True for a carry and a branch on the same condition, if the only use of the first one's result is
 * by the second: the branch passes the carry's value on, or the carry takes the branch's true
 * result as its next value. The three other operands are different values. */
static bool is_loop_end(const Op *unit) {
  const Block *body = unit->nregions ? unit->regions[0].first : NULL;
  const Op *first = body ? body->first : NULL, *second = first ? first->next : NULL;
  if (!second || !second->next || second->next->kind != OP_FABRIC_YIELD) return false;
  bool is_head = is_carry(first) && is_branch(second);
  bool is_tail = is_branch(first) && is_carry(second);
  if (!is_head && !is_tail) return false;
  const Value *between = op_result(first, 0), *decision = op_operand(first, 0),
              *start = op_operand(is_head ? first : second, 1),
              *next = is_head ? op_operand(first, 2) : op_operand(first, 1);
  return op_operand(second, 0) == decision && op_operand(second, is_head ? 1 : 2) == between &&
         value_has_one_use(between) && start != decision && next != decision && start != next;
}

static void check_timing(Verifier *v, const Op *op, const Op *machine) {
  if (!params_ok(v, op)) return;
  i64 latency = op_attr_int(op, "latency", 0), interval = op_attr_int(op, "interval", 1);
  if (machine) {
    if (latency == -1 && interval == -1) return;
    diag(v->ctx, op->loc, COMP_FABRIC_FU_TIMING,
         "a unit of %s must have latency = -1 and interval = -1, but got %lld and %lld",
         op_name(machine), (long long)latency, (long long)interval);
  } else if (latency < 0 || interval < 1) {
    diag(v->ctx, op->loc, COMP_FABRIC_FU_TIMING,
         "latency must be at least 0 and interval at least 1, but got %lld and %lld",
         (long long)latency, (long long)interval);
    if (latency == -1 || interval == -1)
      diag_hint(v->ctx, "-1 is only for units of a dataflow operation");
  }
}

static u32 levels_of(Context *ctx, const Op *op) {
  u32 widest = 0;
  for (u32 i = 0; i < op->noperands + op->nresults; i++) {
    const Value *v = i < op->noperands ? op_operand(op, i) : op_result(op, i - op->noperands);
    u32 bits = type_bits(ctx, v->type);
    if (bits > widest) widest = bits;
  }
  return op_timing((OpKind)op->kind, widest).levels;
}

/* Levels of gates on the longest path through a unit, whatever its muxes are set to; `*last` is the
 * op at its end. */
static u64 longest_path(Context *ctx, const Op *unit, const Op **last) {
  Map done = {0}; /* op -> levels up to its results */
  u64 longest = 0;
  for_each_op (op, unit->regions[0].first) {
    if (op->kind == OP_FABRIC_YIELD) break;
    u64 start = 0, at;
    for (u32 i = 0; i < op->noperands; i++) {
      const Value *value = op_operand(op, i);
      if (!value->is_arg && map_get(&done, PTR_KEY(value_op(value)), &at) && at > start) start = at;
    }
    u64 end = start + levels_of(ctx, op);
    map_put(&done, PTR_KEY(op), end);
    if (end <= longest) continue;
    longest = end;
    *last = op;
  }
  map_free(&done);
  return longest;
}

/* Only a unit that is one integer division or remainder can end early, and only if its interval is
 * its latency, as it does one division at a time, and that has a cycle for each digit. The width of
 * index is not a property of the fabric: with one that is too wide the unit takes its latency
 * (fabric/bodies.c). */
static void check_early_out(Verifier *v, const Op *op) {
  const Op *division = op->regions[0].first->first;
  if (!fabric_flag(op, "early_out")) return;
  const Type *type = division && division->noperands ? op_operand(division, 0)->type : NULL;
  EarlyOut early =
      type ? op_early_out((OpKind)division->kind, (FloatKind)type->float_kind) : EARLY_NO;
  if (!early || !division->next || division->next->kind != OP_FABRIC_YIELD) {
    diag(v->ctx, op->loc, COMP_FABRIC_FU_TIMING,
         "early_out needs a function unit of a single integer division or a single remainder");
    return;
  }
  i64 latency = op_attr_int(op, "latency", 0), interval = op_attr_int(op, "interval", 1);
  u32 bits = type_bits(v->ctx, type), least = early_out_most(early, bits);
  if (latency == interval && (type->kind == TYPE_INDEX || latency >= least)) return;
  diag(v->ctx, op->loc, COMP_FABRIC_FU_TIMING,
       "a %u-bit division with early_out must have latency = interval, at least %u, but got %lld "
       "and %lld",
       bits, least, (long long)latency, (long long)interval);
}

/* Warns of a latency too short for the depth of the unit's logic. A stage of the library has at
 * most TIMING_LEVELS levels of gates; a slower clock allows more, but hardly MAX_LEVELS. */
static void check_latency(Verifier *v, const Op *op) {
  enum { MAX_LEVELS = 80 };
  const Op *last = NULL;
  u64 levels = longest_path(v->ctx, op, &last);
  u64 least = levels <= MAX_LEVELS ? 0 : (levels + MAX_LEVELS - 1) / MAX_LEVELS;
  i64 latency = op_attr_int(op, "latency", -1);
  if (latency < 0 || (u64)latency >= least) return;
  diag_warning(
      v->ctx, op->loc, COMP_FABRIC_FU_LATENCY,
      "latency = %lld, but this unit is %llu levels of gates deep, and a cycle has at most %d",
      (long long)latency, (unsigned long long)levels, MAX_LEVELS);
  diag_hint(v->ctx, "set latency = %llu or more", (unsigned long long)least);
  diag_note(v->ctx, last->loc, "the longest path ends here");
}

static void check_unit_yield(Verifier *v, const Op *op) {
  const Op *yield = need_end(v, op, 0, OP_FABRIC_YIELD);
  for (u32 i = 0; yield && i < yield->noperands; i++) {
    if (!op_operand(yield, i)->is_arg) continue;
    diag(v->ctx, yield->loc, COMP_FABRIC_FU_PASS, "output %u is an unchanged argument", i);
    diag_hint(v->ctx, "route the value through a switch instead of a function unit");
  }
}

void rule_FABRIC_FUNCTION_UNIT(Verifier *v, Op *op) {
  const Op *machine = NULL;
  if (!component_ok(v, op)) return;
  const Type *ports = op_function_type(op);
  const Block *body = op->regions[0].first;
  if (!lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(body, 0), "block argument",
                   function_inputs(ports), "declared input"))
    return;
  for (u32 i = 0; i < body->nargs; i++) {
    const Value *arg = body->args[i];
    Loc loc = arg->loc ? arg->loc : op->loc;
    if (unit_type_ok(v, loc, arg->type, "argument", i, body->nargs) && !arg->uses)
      diag(v->ctx, loc, COMP_FABRIC_FU_UNUSED,
           "argument %u of %u of the function unit is never used", i + 1, body->nargs);
  }
  for (u32 i = 0; i < ports_out(ports); i++)
    if (!unit_type_ok(v, op->loc, port_out(ports, i), "output", i, ports_out(ports))) return;
  u32 n = check_unit_ops(v, op, &machine);
  if (n == 0) diag(v->ctx, op->loc, COMP_FABRIC_FU_EMPTY, "this function unit computes nothing");
  if (machine && n > 1 && !is_loop_end(op)) {
    diag(v->ctx, machine->loc, COMP_FABRIC_FU_ALONE, "%s needs a function unit to itself",
         op_name(machine));
    if (machine->kind == OP_DATAFLOW_CARRY)
      diag_hint(v->ctx, "dataflow.carry may share it with a handshake.cond_br on the same "
                        "condition that splits its result or gives its next value");
  }
  check_timing(v, op, machine);
  check_latency(v, op);
  check_early_out(v, op);
  fabric_check_groups(v, op);
  check_unit_yield(v, op);
}

/* ---- fabric.mux ------------------------------------------------------------------------------ */

void rule_FABRIC_MUX(Verifier *v, Op *op) {
  u32 n = op->noperands > op->nresults ? op->noperands : op->nresults;
  i64 sel = 0;
  const Op *parent = op_parent(op);
  if (!parent || parent->kind != OP_FABRIC_FUNCTION_UNIT) {
    diag(v->ctx, op->loc, COMP_FABRIC_PLACE,
         "fabric.mux must be directly in a fabric.function_unit, but is in %s",
         parent ? op_name(parent) : "nothing");
    return;
  }
  if (op->noperands > 1 && op->nresults > 1) {
    diag(v->ctx, op->loc, COMP_FABRIC_MUX_SHAPE,
         "fabric.mux must have one input or one output, but got %u inputs and %u outputs",
         op->noperands, op->nresults);
    return;
  }
  const Type *type = type_of(op, 0);
  for (u32 i = 1; i < op->noperands; i++)
    if (!operand_is(v, op, i, type, COMP_FABRIC_MUX_TYPE, "like the first operand")) return;
  for (u32 i = 0; i < op->nresults; i++)
    if (!result_is(v, op, i, type, COMP_FABRIC_MUX_TYPE, "like the operand")) return;
  u32 before = begin_configuration(v);
  optional_param(v, op, "sel", COMP_FABRIC_MUX_SEL, 0, (i64)n - 1, &sel);
  bool flags = optional_flag(v, op, "discard", COMP_FABRIC_CONFIG) &&
               optional_flag(v, op, "disconnect", COMP_FABRIC_CONFIG);
  if (flags && n == 1 && (fabric_flag(op, "discard") || fabric_flag(op, "disconnect")))
    diag(v->ctx, op->loc, COMP_FABRIC_MUX_SINGLE,
         "a fabric.mux of one input and one output cannot discard or disconnect");
  end_configuration(v, op, fabric_runtime(OP_FABRIC_MUX), before);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

/* Checks what both kinds have in common; returns the ports. */
static const Type *check_pe(Verifier *v, const Op *op) {
  const Type *ports = component_ok(v, op);
  if (!ports) return NULL;
  const Block *body = op->regions[0].first;
  if (fabric_is_inline(op) && !body->nargs) {
    /* its ports have no names */
  } else if (!lists_agree(v, op->loc, COMP_BLOCK_ARGS, arg_types(body, 0), "block argument",
                          function_inputs(ports), "declared input")) {
    return NULL;
  }
  need_end(v, op, 0, OP_FABRIC_YIELD);
  u32 units = 0;
  for_each_op (inner, body) {
    if (inner->kind == OP_FABRIC_FUNCTION_UNIT || inner->kind == OP_FABRIC_INSTANCE) units++;
    if (fabric_is_op(inner)) continue; /* in the wrong place: its own rule says so */
    diag(v->ctx, inner->loc, COMP_FABRIC_BODY, "%s can contain only function units, but got %s",
         op_name(op), op_name(inner));
    diag_hint(v->ctx, "operations that compute belong in a fabric.function_unit");
  }
  if (units == 0)
    diag(v->ctx, op->loc, COMP_FABRIC_PE_EMPTY, "this %s has no function unit", op_name(op));
  return ports;
}

void rule_FABRIC_SPATIAL_PE(Verifier *v, Op *op) {
  const Type *ports = check_pe(v, op);
  for (u32 i = 0; ports && i < ports->nelems; i++)
    if (port_shape(v, ports->elems[i]).is_tagged) {
      diag(v->ctx, op->loc, COMP_FABRIC_PE_PORT,
           "a spatial PE cannot have tagged ports, but got %s", type_text(v, ports->elems[i]));
      diag_hint(v->ctx, "remove the tag with fabric.del_tag, or use a fabric.temporal_pe");
      return;
    }
}

/* A loop end is one bit of state and wires. In a temporal PE it would need the bit for each
 * instruction and a register behind it, which leaves no advantage over two units. */
static void check_loop_ends(Verifier *v, const Op *op) {
  for_each_op (inner, op->regions[0].first) {
    const Op *unit = inner->kind == OP_FABRIC_INSTANCE ? fabric_definition(inner) : inner;
    if (!unit || unit->kind != OP_FABRIC_FUNCTION_UNIT) continue;
    if (!is_loop_end(unit)) continue;
    diag(v->ctx, inner->loc, COMP_FABRIC_FU_ALONE,
         "in a temporal PE dataflow.carry needs a function unit to itself");
    diag_hint(v->ctx, "a unit of a carry and a branch can only be in a spatial PE");
  }
}

static void check_registers(Verifier *v, const Op *op) {
  i64 registers = op_attr_int(op, "num_register", 0), depth = op_attr_int(op, "reg_fifo_depth", 0);
  if ((registers > 0) != (depth > 0))
    diag(v->ctx, op->loc, COMP_FABRIC_PE_REGISTERS,
         registers ? "num_register = %lld needs a reg_fifo_depth of at least 1"
                   : "num_register = %lld needs reg_fifo_depth = 0",
         (long long)registers);
}

static void check_operand_buffer(Verifier *v, const Op *op) {
  bool shared = fabric_flag(op, "enable_share_operand_buffer");
  if (shared != (op_attr(op, "operand_buffer_size") != NULL))
    diag(v->ctx, op->loc, COMP_FABRIC_PE_BUFFER,
         shared ? "enable_share_operand_buffer needs operand_buffer_size"
                : "operand_buffer_size needs enable_share_operand_buffer");
}

void rule_FABRIC_TEMPORAL_PE(Verifier *v, Op *op) {
  const Type *ports = check_pe(v, op);
  if (!ports) return;
  check_one_tag(v, op, ports);
  check_loop_ends(v, op);
  if (!params_ok(v, op)) return;
  check_registers(v, op);
  check_operand_buffer(v, op);
}

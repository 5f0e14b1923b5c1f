/* configured_units.c -- what each function unit computes with its configuration, and how it is
 * connected to the ports and registers of its PE.
 *
 *     body     m = muli a, b     s = addi m, c     r = mux m, s     yield r
 *     sel = 1  ops: muli(arg 0, arg 1), addi(muli, arg 2)           result 0: addi
 *     sel = 0  ops: muli(arg 0, arg 1)                              result 0: muli; c is not used
 *
 * First the muxes are resolved: every value of the body is an argument, a result of an operation,
 * or nothing. Then dead operations are removed: the connected results are live, and so is, from the
 * last node to the first, whatever a live node takes. An operation with several results may have
 * some without a consumer; their tokens would wait for ever (CFG_STUCK), unless a fabric.mux is
 * configured to discard them. Both walks are linear in the body.
 */
#include "config/configured_state.h"

#define NOTHING (UINT32_MAX - 1) /* as ConfValue.op: a value that never has a token */

/* The body of a unit that is being decoded. ConfValue.op is a node of the body here, not one of
 * Configured.ops; ADG_NONE for an argument. */
typedef struct {
  ConfBuild *b;
  u32 component, pe, item, opcode, unit; /* item: Field.a_lane of its payload */
  const AdgBody *body;
  ConfValue *values; /* by value of the body: the same, seen through muxes */
  bool *live;        /* by node */
  u32 *uses;         /* by value */
  bool *discarded;   /* by value */
  bool *used_args;
  bool *connected; /* by result of the body */
} Inside;

static const AdgNode *node_of(const Inside *in, u32 n) {
  return &in->b->adg->nodes[in->body->first_node + n];
}

static u32 operand_of(const Inside *in, const AdgNode *node, u32 i) {
  return in->b->adg->operands[node->first_operand + i];
}

static u64 node_field(const Inside *in, FieldKind kind, u32 n) {
  return conf_get(in->b, in->component, field_node(kind, in->item, in->opcode, n));
}

static u64 mux_sel(const Inside *in, u32 n) {
  return node_of(in, n)->kind == OP_FABRIC_MUX ? node_field(in, FIELD_NODE_SEL, n) : 0;
}

static const char *fu_name(const Inside *in) {
  const Adg *adg = in->b->adg;
  return adg_text(adg, adg->fus[adg->pes[in->pe].first_fu + in->opcode].name);
}

static const char *pe_name(const Inside *in) {
  return adg_name(in->b->adg, in->component);
}

static Loc pe_loc(const Inside *in) {
  return in->b->adg->components[in->component].loc;
}

/* The number in the body of a result of a node or of an argument. */
static u32 value_number(const Inside *in, ConfValue v) {
  return v.op == ADG_NONE ? v.index : node_of(in, v.op)->first_result + v.index;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Resolves the results of a fabric.mux. With `discard` it discards the tokens of its operands that
 * it does not pass on. */
static void resolve_mux(Inside *in, u32 n) {
  const AdgNode *node = node_of(in, n);
  u64 sel = node_field(in, FIELD_NODE_SEL, n);
  bool off = node_field(in, FIELD_NODE_DISCONNECT, n),
       discard = node_field(in, FIELD_NODE_DISCARD, n);
  for (u32 r = 0; r < node->nresults; r++) {
    ConfValue *v = &in->values[node->first_result + r];
    if (off || (node->nresults > 1 && (discard || r != sel)))
      *v = (ConfValue){NOTHING, 0};
    else if (node->nresults == 1 && sel < node->noperands)
      *v = in->values[operand_of(in, node, (u32)sel)];
    else
      *v = node->nresults == 1 ? (ConfValue){NOTHING, 0} : in->values[operand_of(in, node, 0)];
  }
  if (off || !discard) return;
  for (u32 i = 0; i < node->noperands; i++) {
    ConfValue v = in->values[operand_of(in, node, i)];
    if ((node->nresults > 1 || i != sel) && v.op != NOTHING)
      in->discarded[value_number(in, v)] = true;
  }
}

static void resolve_muxes(Inside *in) {
  for (u32 i = 0; i < in->body->nargs; i++) in->values[i] = (ConfValue){ADG_NONE, i};
  for (u32 n = 0; n < in->body->nnodes; n++) {
    const AdgNode *node = node_of(in, n);
    if (node->kind == OP_FABRIC_MUX)
      resolve_mux(in, n);
    else
      for (u32 r = 0; r < node->nresults; r++)
        in->values[node->first_result + r] = (ConfValue){n, r};
  }
}

/* Does node n take operand i? A join takes those of its mask. */
static bool takes(const Inside *in, u32 n, u32 i) {
  return node_of(in, n)->kind != OP_HANDSHAKE_JOIN ||
         conf_get(in->b, in->component, field_join(in->item, in->opcode, n, i));
}

static void add_use(Inside *in, ConfValue v) {
  in->uses[value_number(in, v)]++;
  if (v.op == ADG_NONE)
    in->used_args[v.index] = true;
  else
    in->live[v.op] = true;
}

/* Reports fields of a fabric.mux without effect: `sel` where no value that it passes on is used,
 * `discard` where no live operation makes a token for it to discard. */
static void check_mux(Inside *in, u32 n, const bool *needed) {
  const AdgNode *node = node_of(in, n);
  bool is_needed = false, discards = false, discard = node_field(in, FIELD_NODE_DISCARD, n);
  u64 sel = node_field(in, FIELD_NODE_SEL, n);
  for (u32 r = 0; r < node->nresults; r++) is_needed |= needed[node->first_result + r];
  for (u32 i = 0; i < node->noperands; i++) {
    ConfValue v = in->values[operand_of(in, node, i)];
    if ((node->nresults == 1 && i == sel) || v.op == NOTHING || v.op == ADG_NONE) continue;
    discards |= in->live[v.op] && !in->uses[value_number(in, v)];
  }
  if ((!is_needed && sel) || (discard && !discards))
    conf_diag(in->b, pe_loc(in), CFG_IDLE,
              "%s of fabric.mux %u in %s of '%s' is set, but has no effect",
              discard && !discards ? "discard" : "sel", n, fu_name(in), pe_name(in));
}

static void check_muxes(Inside *in) {
  bool *needed =
      NEW_ARRAY(in->b->scratch, bool, in->body->nvalues); /* by value, not seen through muxes */
  for (u32 r = 0; r < in->body->nresults; r++)
    if (in->connected[r]) needed[in->b->adg->operands[in->body->first_yield + r]] = true;
  for (u32 n = in->body->nnodes; n--;) {
    const AdgNode *node = node_of(in, n);
    u64 sel = mux_sel(in, n);
    for (u32 i = 0; i < node->noperands; i++) {
      bool needs =
          node->kind == OP_FABRIC_MUX
              ? (node->nresults > 1 ? sel < node->nresults && needed[node->first_result + sel]
                                    : i == sel && needed[node->first_result])
              : in->live[n] && takes(in, n, i);
      if (needs) needed[operand_of(in, node, i)] = true;
    }
  }
  for (u32 n = 0; n < in->body->nnodes; n++)
    if (node_of(in, n)->kind == OP_FABRIC_MUX) check_mux(in, n, needed);
}

/* Marks the nodes live that live nodes use. A node comes after those that it uses. */
static void mark_live(Inside *in) {
  for (u32 n = in->body->nnodes; n--;) {
    const AdgNode *node = node_of(in, n);
    u32 taken = 0;
    if (!in->live[n]) continue;
    for (u32 i = 0; i < node->noperands; i++) {
      if (!takes(in, n, i)) continue;
      ConfValue v = in->values[operand_of(in, node, i)];
      taken++;
      if (v.op == NOTHING)
        conf_diag(in->b, pe_loc(in), CFG_UNIT,
                  "operand %u of %s in %s of '%s' comes from a fabric.mux that passes nothing on",
                  i, op_info((OpKind)node->kind)->name, fu_name(in), pe_name(in));
      else
        add_use(in, v);
    }
    if (!taken && node->noperands)
      conf_diag(in->b, pe_loc(in), CFG_UNIT, "%s in %s of '%s' has no operand",
                op_info((OpKind)node->kind)->name, fu_name(in), pe_name(in));
  }
}

static u8 condition_of(u64 one_hot) {
  for (u8 i = 0; i < 5; i++)
    if (one_hot >> i & 1) return i;
  return 0;
}

/* Turns live nodes into ops; the values that they and the unit's results take refer to ops. */
static void put_ops(Inside *in, ConfUnit *unit) {
  ConfBuild *b = in->b;
  u32 *op_of = NEW_ARRAY(in->b->scratch, u32, in->body->nnodes);
  for (u32 n = 0; n < in->body->nnodes; n++) {
    const AdgNode *node = node_of(in, n);
    if (!in->live[n]) continue;
    op_of[n] = (u32)b->ops.len;
    ConfOp op = {.unit = in->unit,
                 .node = in->body->first_node + n,
                 .predicate = node->predicate,
                 .cont_cond = node->cont_cond,
                 .literal = node->literal,
                 .first_operand = (u32)b->values.len,
                 .first_result = (u32)b->op_results.len};
    if (node->kind == OP_ARITH_CMPI || node->kind == OP_ARITH_CMPF)
      op.predicate = (u8)node_field(in, FIELD_NODE_PREDICATE, n);
    if (node->kind == OP_DATAFLOW_STREAM)
      op.cont_cond = condition_of(node_field(in, FIELD_NODE_CONT_COND, n));
    if (node->kind == OP_HANDSHAKE_CONSTANT) op.literal = node_field(in, FIELD_NODE_LITERAL, n);
    for (u32 i = 0; i < node->noperands; i++) {
      ConfValue v = in->values[operand_of(in, node, i)];
      if (!takes(in, n, i)) continue;
      if (v.op != ADG_NONE && v.op != NOTHING) v.op = op_of[v.op];
      vec_push(&b->values, v);
      op.noperands++;
    }
    for (u32 r = 0; r < node->nresults; r++) {
      u32 v = node->first_result + r;
      vec_push(&b->op_results, ((ConfOpResult){in->uses[v], in->discarded[v]}));
      if (!in->uses[v] && !in->discarded[v])
        conf_diag(b, pe_loc(in), CFG_STUCK,
                  "result %u of %s in %s of '%s' is not connected: its tokens would wait forever",
                  r, op_info((OpKind)node->kind)->name, fu_name(in), pe_name(in));
    }
    vec_push(&b->ops, op);
  }
  unit->nops = (u32)b->ops.len - unit->first_op;
  unit->first_yield = (u32)b->values.len;
  for (u32 r = 0; r < in->body->nresults; r++) {
    ConfValue v = in->values[b->adg->operands[in->body->first_yield + r]];
    if (b->results.at[unit->first_result + r] == ADG_NONE || v.op == NOTHING)
      v = (ConfValue){ADG_NONE, ADG_NONE};
    else if (v.op != ADG_NONE)
      v.op = op_of[v.op];
    vec_push(&b->values, v);
  }
}

/* ---- ports and registers --------------------------------------------------------------------- */

static ConfRegister *register_of(ConfBuild *b, u32 component, u32 number) {
  u64 *slot = map_slot(&b->register_of, conf_key(component, number));
  if (!*slot) {
    vec_push(&b->registers, ((ConfRegister){component, number, ADG_NONE, ADG_NONE}));
    *slot = b->registers.len;
  }
  return &b->registers.at[*slot - 1];
}

static void connect_operand(Inside *in, const ConfUnit *unit, u32 k, bool is_used) {
  ConfBuild *b = in->b;
  const AdgPe *pe = &b->adg->pes[in->pe];
  u32 item = unit->instruction, operand = unit->first_operand + k;
  bool is_reg =
      pe->num_register && conf_get(b, in->component, field_of(FIELD_OPERAND_IS_REG, item, k));
  bool off = conf_get(b, in->component, field_of(FIELD_MUX_DISCONNECT, item, k));
  if (!is_used) {
    if (is_reg || !off)
      conf_diag(b, pe_loc(in), CFG_STUCK,
                "operand %u of %s in '%s' is connected, but %s as configured does not use it", k,
                fu_name(in), pe_name(in), fu_name(in));
    return;
  }
  if (is_reg) {
    ConfRegister *r = register_of(
        b, in->component, (u32)conf_get(b, in->component, field_of(FIELD_OPERAND_REG, item, k)));
    if (r->reader != ADG_NONE)
      conf_diag(b, pe_loc(in), CFG_SHARED, "two operands read register %u of '%s'", r->number,
                pe_name(in));
    r->reader = operand;
    return;
  }
  u32 sel = (u32)conf_get(b, in->component, field_of(FIELD_MUX_SEL, item, k));
  if (off || sel >= b->adg->components[in->component].ninputs) {
    conf_diag(b, pe_loc(in), CFG_UNDRIVEN, "operand %u of %s in '%s' is not connected", k,
              fu_name(in), pe_name(in));
    return;
  }
  u64 *taker = map_slot(&b->takers, conf_key(adg_input(b->adg, in->component, sel), unit->tag));
  if (*taker)
    conf_diag(b, pe_loc(in), CFG_SHARED,
              "two operands of %s in '%s' use its input %u, but only one can", fu_name(in),
              pe_name(in), sel);
  else {
    *taker = operand + (u64)1;
    b->operands.at[operand] = CONF_WANTED;
  }
}

/* Makes a source for result k; ADG_NONE: it is not connected. */
static u32 connect_result(Inside *in, const ConfUnit *unit, u32 k) {
  ConfBuild *b = in->b;
  const AdgPe *pe = &b->adg->pes[in->pe];
  u32 item = unit->instruction;
  bool is_reg =
      pe->num_register && conf_get(b, in->component, field_of(FIELD_RESULT_IS_REG, item, k));
  bool off = conf_get(b, in->component, field_of(FIELD_DEMUX_DISCONNECT, item, k)),
       discard = conf_get(b, in->component, field_of(FIELD_DEMUX_DISCARD, item, k));
  u32 sel = (u32)conf_get(b, in->component, field_of(FIELD_DEMUX_SEL, item, k));
  if (off && !is_reg) return ADG_NONE;
  u32 id = conf_put_source(b, CONF_RESULT, in->unit, k);
  ConfSource *source = &b->sources.at[id];
  if (!off && !discard && sel < b->adg->components[in->component].noutputs) {
    source->port = adg_output(b->adg, in->component, sel);
    if (pe->is_temporal)
      source->tag = (u32)conf_get(b, in->component, field_of(FIELD_RESULT_TAG, item, k));
  }
  if (!off && discard) {
    source->is_discarded = true;
    conf_put_sink(b, CONF_DISCARDED, in->component, 0, id, ADG_NONE, UINT32_MAX);
  }
  if (is_reg) {
    ConfRegister *r = register_of(
        b, in->component, (u32)conf_get(b, in->component, field_of(FIELD_RESULT_REG, item, k)));
    if (r->writer != ADG_NONE)
      conf_diag(b, pe_loc(in), CFG_STREAMS_MEET, "two results are written to register %u of '%s'",
                r->number, pe_name(in));
    else
      r->writer = id;
  }
  return id;
}

static void mux_discards(Inside *in, const ConfUnit *unit, u32 k) {
  Field discard = field_of(FIELD_MUX_DISCARD, unit->instruction, k);
  if (conf_get(in->b, in->component, discard))
    conf_diag(in->b, pe_loc(in), CFG_MUX_DISCARD,
              "mux %u of '%s' is set to discard tokens of its other inputs, where none may arrive",
              k, pe_name(in));
}

/* ---- units ----------------------------------------------------------------------------------- */

static void connect_results(Inside *in, const ConfUnit *unit) {
  ConfBuild *b = in->b;
  bool any = false;
  for (u32 r = 0; r < in->body->nresults; r++) {
    ConfValue v = in->values[b->adg->operands[in->body->first_yield + r]];
    u32 source = connect_result(in, unit, r);
    vec_push(&b->results, source);
    if (source == ADG_NONE) continue;
    any = in->connected[r] = true;
    if (v.op == NOTHING)
      conf_diag(b, pe_loc(in), CFG_UNIT,
                "result %u of %s in '%s' is connected, but no operation drives it", r, fu_name(in),
                pe_name(in));
    else if (v.op == ADG_NONE)
      conf_diag(
          b, pe_loc(in), CFG_UNIT,
          "result %u of %s in '%s' only passes on operand %u: a unit cannot be used as a wire", r,
          fu_name(in), pe_name(in), v.index);
    if (v.op != NOTHING) add_use(in, v);
  }
  if (!any)
    conf_diag(b, pe_loc(in), CFG_UNIT, "%s in '%s' is on, but none of its results is connected",
              fu_name(in), pe_name(in));
}

static void put_unit(ConfBuild *b, u32 pe_id, u32 instruction) {
  const Adg *adg = b->adg;
  const AdgPe *pe = &adg->pes[pe_id];
  u32 opcode = (u32)conf_get(b, pe->component, field_of(FIELD_OPCODE, instruction, 0));
  if (opcode >= pe->nfus) return;
  ConfUnit unit = {.pe = pe_id,
                   .fu = pe->first_fu + opcode,
                   .body = adg->fus[pe->first_fu + opcode].body,
                   .instruction = instruction,
                   .tag = CONF_UNTAGGED,
                   .first_operand = (u32)b->operands.len,
                   .first_result = (u32)b->results.len,
                   .first_op = (u32)b->ops.len};
  const AdgBody *body = &adg->bodies[unit.body];
  ArenaMark before = arena_mark(b->scratch);
  Inside in = {.b = b,
               .component = pe->component,
               .pe = pe_id,
               .item = layout_payload_item(pe, instruction),
               .opcode = opcode,
               .unit = (u32)b->units.len,
               .body = body,
               .values = NEW_ARRAY(b->scratch, ConfValue, body->nvalues),
               .live = NEW_ARRAY(b->scratch, bool, body->nnodes),
               .uses = NEW_ARRAY(b->scratch, u32, body->nvalues),
               .discarded = NEW_ARRAY(b->scratch, bool, body->nvalues),
               .used_args = NEW_ARRAY(b->scratch, bool, body->nargs),
               .connected = NEW_ARRAY(b->scratch, bool, body->nresults)};
  if (pe->is_temporal)
    unit.tag = (u32)conf_get(b, pe->component, field_of(FIELD_TAG, instruction, 0));
  resolve_muxes(&in);
  connect_results(&in, &unit);
  mark_live(&in);
  check_muxes(&in);
  put_ops(&in, &unit);
  for (u32 k = 0; k < body->nargs; k++) vec_push(&b->operands, ADG_NONE);
  for (u32 k = 0; k < body->nargs; k++) {
    connect_operand(&in, &unit, k, in.used_args[k]);
    mux_discards(&in, &unit, k);
  }
  vec_push(&b->units, unit);
  arena_release(b->scratch, before);
}

static void put_instructions(ConfBuild *b, u32 pe_id) {
  const AdgPe *pe = &b->adg->pes[pe_id];
  for (u32 i = 0; i < pe->num_instruction; i++) {
    if (!conf_get(b, pe->component, field_of(FIELD_VALID, i, 0))) continue;
    u32 tag = (u32)conf_get(b, pe->component, field_of(FIELD_TAG, i, 0));
    u64 *unit = map_slot(&b->units_by_tag, conf_key(pe->component, tag));
    size_t before = b->units.len;
    if (*unit) continue; /* image_check reports it: CFG_TAG_DUPLICATE */
    *unit = before + 1;
    put_unit(b, pe_id, i);
    if (b->units.len == before) continue; /* its opcode does not exist */
    const ConfUnit *added = &vec_last(&b->units);
    if (adg_is_shareable(b->adg, pe, added->fu)) continue;
    u64 *first = map_slot(&b->unit_of_fu, added->fu);
    if (*first)
      conf_diag(b, b->adg->components[pe->component].loc, CFG_SHARED,
                "instructions %u and %u of '%s' both use %s, which has state for only one",
                b->units.at[*first - 1].instruction, i, adg_name(b->adg, pe->component),
                adg_text(b->adg, b->adg->fus[added->fu].name));
    else
      *first = b->units.len;
  }
}

/* Each operand that comes from an input needs a place of its own in a shared operand buffer. */
static void check_buffer(ConfBuild *b, const AdgPe *pe) {
  u32 operands = image_port_operands(b->image, pe);
  if (!pe->operand_buffer || operands <= pe->operand_buffer) return;
  conf_diag(b, b->adg->components[pe->component].loc, CFG_BUFFER,
            "instructions of '%s' have %u operands from its inputs, but the operand buffer has %u "
            "place%s",
            adg_name(b->adg, pe->component), operands, pe->operand_buffer,
            plural(pe->operand_buffer));
}

void conf_build_units(ConfBuild *b) {
  for (u32 p = 0; p < b->adg->npes; p++)
    if (b->adg->pes[p].is_temporal) {
      put_instructions(b, p);
      check_buffer(b, &b->adg->pes[p]);
    } else if (conf_get(b, b->adg->pes[p].component, field_of(FIELD_VALID, 0, 0)))
      put_unit(b, p, 0);
}

/* machine_table.c -- loom.machine/1: a clocked machine, as backends see it.
 *
 * The tables of machine.h and of the public header have the same ids and order. The public ones
 * have pointers and names in place of indices, and an operation is a node of the graph that the
 * image configures: Configured.ops and the nodes behind the graph's arguments have the same order.
 */
#include "dfg/dfg.h"
#include "host/design.h"
#include "host/plugin.h"
#include "machine/machine.h"
#include "ir/timing.h"

loom_design *design_of_machine(Context *ctx, const Machine *machine, const Dfg *decoded) {
  loom_design *design = design_new(ctx, decoded, NULL, NULL, NULL);
  design->machine = machine;
  return design;
}

loom_design *design_of_fabric(Context *ctx, const Image *image, const Machine *machine,
                              const Dfg *decoded) {
  loom_design *design = design_new(ctx, decoded, NULL, NULL, NULL);
  design->machine = machine;
  design_add_fabric(design, image);
  return design;
}

static u32 unit_count(const loom_design *d) {
  return d->machine->nunits;
}
static u32 input_count(const loom_design *d) {
  return d->machine->ninputs;
}
static u32 output_count(const loom_design *d) {
  return d->machine->noutputs;
}
static u32 arbiter_count(const loom_design *d) {
  return d->machine->narbiters;
}
static u32 operation_count(const loom_design *d) {
  return d->machine->nops;
}
static u32 issue_group_count(const loom_design *d) {
  return d->machine->nissue_groups;
}
static u32 region_count(const loom_design *d) {
  return d->machine->nregions;
}
static u32 settle_count(const loom_design *d) {
  return d->machine->nsettles;
}

/* In the decoded graph operations follow the arguments. */
static u32 node_of(const loom_design *d, const MachineOp *op) {
  u32 node = d->dfg->nargs + op->op;
  if (node >= d->dfg->nnodes || d->dfg->nodes[node].kind != op->kind)
    loom_bug("operation %u of the machine is not where the graph has it", op->op);
  return node;
}

static const enum loom_unit_kind unit_kinds[] = {
#define U(NAME, shown) LOOM_UNIT_##NAME,
    MACHINE_UNITS(U)
#undef U
};

/* Does a backend whose header has the first `size` bytes of a unit see all that this unit does?
 * Else false, after a diagnostic. */
static bool is_known(const loom_design *d, const MachineUnit *u, size_t size) {
  const char *missing = NULL;
  if (u->early_out && size < UP_TO(loom_unit, early_out)) missing = "early_out";
  if (u->early_out >= EARLY_FLOAT && size < UP_TO(loom_unit, exponent_bits))
    missing = "early_out of floats";
  if (u->choice.loop_end && size < UP_TO(loom_unit, loop_end)) missing = "loop_end";
  if (!missing) return true;
  diag(d->ctx, d->dfg->nodes[node_of(d, &d->machine->ops[u->first_op])].loc, RT_EMIT_UNSUPPORTED,
       "the backend was built before units had %s, which '%s' uses", missing,
       adg_name(d->machine->adg, u->component));
  diag_hint(d->ctx, "rebuild it with the loom_machine.h of this LOOM");
  return false;
}

static int unit(const loom_design *d, u32 id, loom_unit *out, size_t size) {
  const Machine *m = d->machine;
  if (id >= m->nunits) return LOOM_ERROR;
  const MachineUnit *u = &m->units[id];
  if (!is_known(d, u, size)) return LOOM_UNSUPPORTED;
  FILL(loom_unit full = {
           .kind = unit_kinds[u->kind],
           .name = adg_name(m->adg, u->component),
           .first_input = u->first_input,
           .input_count = u->ninputs,
           .first_output = u->first_output,
           .output_count = u->noutputs,
           .latency = u->latency,
           .places = u->places,
           .interval = u->interval,
           .hardware = u->hardware,
           .first_operation = u->first_op,
           .operation_count = u->nops,
           .yields = m->values + u->first_yield,
           .width = u->width,
           .early_out = u->early_out < EARLY_FLOAT ? u->early_out : EARLY_FLOAT,
           .exponent_bits = u->early_out < EARLY_FLOAT
                                ? 0
                                : early_out_exponent_bits((EarlyOut)u->early_out, u->width),
           .loop_end = u->choice.loop_end,
           .step_op = dfg_step_op_text((DfgStepOp)u->step_op),
           .cont_cond = dfg_cont_cond_text((DfgContCond)u->cont_cond),
           .region = u->region,
           .offset = u->channel == MACHINE_NONE ? 0 : m->regions[u->region].offset,
           .size_log2 = u->channel == MACHINE_NONE ? 0 : m->regions[u->region].size_log2,
           .issue_group = u->issue_group,
           .channel = u->channel,
           .choice_inputs = u->choice.ninputs,
           .choice_operations = u->choice.nops,
           .selector = u->choice.selector,
           .sides = u->choice.nsides,
           .node = u->nops ? node_of(d, &m->ops[u->first_op + u->nops - 1]) : LOOM_NONE,
       });
}

static enum loom_operation_kind operation_kind(const MachineOp *op) {
  switch ((FireClass)op->fire) {
  case FIRE_CONSTANT: return LOOM_LITERAL;
  case FIRE_COND_BR: return LOOM_BRANCH;
  case FIRE_MUX: return LOOM_CHOOSE;
  case FIRE_CARRY: return LOOM_CARRIED;
  case FIRE_JOIN: return LOOM_NOTHING;
  case FIRE_STORE: return LOOM_REQUEST;
  default: return LOOM_COMPUTE;
  }
}

static int operation(const loom_design *d, u32 id, loom_operation *out, size_t size) {
  const Machine *m = d->machine;
  if (id >= m->nops) return LOOM_ERROR;
  const MachineOp *op = &m->ops[id];
  FILL(loom_operation full = {
           .kind = operation_kind(op),
           .node = node_of(d, op),
           .operands = m->values + op->first_operand,
           .operand_count = op->noperands,
           .result_count = op->nresults,
           .literal = op->literal,
       });
}

static const loom_move *moves_of(const loom_design *d, const MachineInput *in) {
  loom_move *moves = in->nmoves ? NEW_ARRAY(d->arena, loom_move, in->nmoves) : NULL;
  for (u32 k = 0; k < in->nmoves; k++) {
    const ConfMove *move = &d->machine->moves[in->first_move + k];
    moves[k] = (loom_move){move->from, move->to, move->bits};
  }
  return moves;
}

static int input(const loom_design *d, u32 id, loom_unit_input *out, size_t size) {
  const Machine *m = d->machine;
  if (id >= m->ninputs) return LOOM_ERROR;
  const MachineInput *in = &m->inputs[id];
  FILL(loom_unit_input full = {
           .unit = in->unit,
           .index = in->index,
           .output = in->output,
           .mask = in->mask,
           .arbiters = m->passes + in->first_arbiter,
           .arbiter_count = in->narbiters,
           .arbiter_members = m->passed_as + in->first_arbiter,
           .moves = moves_of(d, in),
           .move_count = in->nmoves,
           .pool_places = in->pool == MACHINE_NONE ? 0 : m->pools[in->pool].places,
           .pool = in->pool == MACHINE_NONE ? 0 : in->pool,
           .pool_rank = in->rank,
           .side = in->side,
       });
}

static int output(const loom_design *d, u32 id, loom_unit_output *out, size_t size) {
  const Machine *m = d->machine;
  if (id >= m->noutputs) return LOOM_ERROR;
  const MachineOutput *o = &m->outputs[id];
  FILL(loom_unit_output full = {
           .unit = o->unit,
           .index = o->index,
           .inputs = m->branches + o->first_branch,
           .input_count = o->nbranches,
           .bits = o->bits,
       });
}

static int arbiter(const loom_design *d, u32 id, loom_arbiter *out, size_t size) {
  const Machine *m = d->machine;
  if (id >= m->narbiters) return LOOM_ERROR;
  const MachineArbiter *a = &m->arbiters[id];
  FILL(loom_arbiter full = {
           .name = adg_name(m->adg, m->adg->ports[a->port].component),
           .members = m->members + a->first_member,
           .member_count = a->nmembers,
       });
}

static int settle(const loom_design *d, u32 i, loom_settle *out, size_t size) {
  if (i >= d->machine->nsettles) return LOOM_ERROR;
  FILL(loom_settle full = {.is_arbiter = d->machine->settles[i].is_arbiter,
                           .id = d->machine->settles[i].id});
}

static u32 request_channel_count(const loom_design *d) {
  return d->machine->nchannels;
}

static int request_channel(const loom_design *d, u32 id, loom_request_channel *out, size_t size) {
  if (id >= d->machine->nchannels) return LOOM_ERROR;
  const MachineChannel *c = &d->machine->channels[id];
  if (c->nbanks > 1 && size < UP_TO(loom_request_channel, word_log2)) {
    const MachineUnit *u = &d->machine->units[c->first_unit];
    diag(d->ctx, d->machine->adg->components[u->component].loc, RT_EMIT_UNSUPPORTED,
         "the backend was built before memories had banks, which '%s' uses",
         adg_name(d->machine->adg, u->component));
    diag_hint(d->ctx, "rebuild it with the loom_machine.h of this LOOM");
    return LOOM_UNSUPPORTED;
  }
  FILL(loom_request_channel full = {.first_unit = c->first_unit,
                                    .unit_count = c->nunits,
                                    .number = c->number,
                                    .is_external = c->is_external,
                                    .bank_count = c->nbanks,
                                    .word_log2 = c->word_log2});
}

static u32 element_bits(const loom_design *d, u32 region) {
  return region < d->machine->nregions ? d->machine->regions[region].elem_bits : 0;
}

const loom_machine loom_machine_table = {
    .size = sizeof(loom_machine),
    .unit_count = unit_count,
    .input_count = input_count,
    .output_count = output_count,
    .arbiter_count = arbiter_count,
    .operation_count = operation_count,
    .issue_group_count = issue_group_count,
    .region_count = region_count,
    .settle_count = settle_count,
    .unit = unit,
    .operation = operation,
    .input = input,
    .output = output,
    .arbiter = arbiter,
    .settle = settle,
    .element_bits = element_bits,
    .request_channel_count = request_channel_count,
    .request_channel = request_channel,
};

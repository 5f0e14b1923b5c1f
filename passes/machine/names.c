/* names.c -- what the operands of a machine are called. See machine.h. */
#include "machine/machine.h"

static bool is_temporal(const Machine *m, const MachineUnit *u) {
  const AdgComponent *c = &m->adg->components[u->component];
  return c->kind == ADG_TEMPORAL_PE;
}

/* An operand whose token does not leave its PE. */
static void name_inside(const Machine *m, const MachineInput *in, Buf *out) {
  const MachineUnit *u = &m->units[in->unit];
  buf_printf(out, ".%s%u",
             u->kind == UNIT_FIFO    ? "reg"
             : u->kind == UNIT_DRAIN ? "lost"
                                     : "op",
             in->argument);
  if (u->kind != UNIT_FIFO && is_temporal(m, u)) buf_printf(out, "[%u]", u->instruction);
}

void machine_input_name(const Machine *m, u32 input, Buf *out) {
  const MachineInput *in = &m->inputs[input];
  const MachineUnit *u = &m->units[in->unit];
  buf_str(out, adg_name(m->adg, u->component));
  if (in->port == ADG_NONE) {
    name_inside(m, in, out);
    return;
  }
  const AdgPort *port = &m->adg->ports[in->port];
  buf_printf(out, ".in%u", port->index);
  if (port->is_tagged) buf_printf(out, "[%u]", u->turn != MACHINE_NONE ? u->instruction : in->tag);
}

/* names.c -- the names of units, inputs and outputs of a machine. See machine.h. */
#include "machine/machine.h"

static bool is_temporal(const Machine *m, const MachineUnit *u) {
  const AdgComponent *c = &m->adg->components[u->component];
  return c->kind == ADG_TEMPORAL_PE;
}

bool machine_packs(const Machine *m, u32 unit) {
  return m->units[unit].kind == UNIT_FIRE && m->units[unit].fu == MACHINE_NONE;
}

bool machine_is_buffer(const Machine *m, u32 unit) {
  const MachineUnit *u = &m->units[unit];
  if (u->kind != UNIT_FIFO) return false;
  u32 port = m->inputs[u->first_input].port;
  return port != ADG_NONE && m->adg->ports[port].is_output;
}

/* Appends the name of an input whose token comes from inside its PE. */
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
  buf_printf(out, ".%s%u", port->is_output ? "out" : "in", port->index);
  if (port->is_tagged)
    buf_printf(out, "[%u]", u->issue_group != MACHINE_NONE ? u->instruction : in->tag);
  if (machine_packs(m, in->unit))
    buf_printf(out, ".out%u", m->adg->ports[m->outputs[u->first_output].port].index);
}

void machine_output_name(const Machine *m, u32 output, Buf *out) {
  const MachineOutput *o = &m->outputs[output];
  if (o->port == ADG_NONE) {
    buf_str(out, adg_name(m->adg, m->units[o->unit].component));
    return;
  }
  const AdgPort *port = &m->adg->ports[o->port];
  buf_printf(out, "%s.out%u", adg_name(m->adg, port->component), port->index);
}

void machine_unit_name(const Machine *m, u32 unit, Buf *out) {
  const MachineUnit *u = &m->units[unit];
  bool is_register = u->kind == UNIT_FIFO && m->inputs[u->first_input].port == ADG_NONE;
  if (is_register || machine_is_buffer(m, unit)) {
    machine_input_name(m, u->first_input, out);
    return;
  }
  if (machine_packs(m, unit)) {
    machine_output_name(m, u->first_output, out);
    return;
  }
  buf_str(out, adg_name(m->adg, u->component));
  if (u->kind == UNIT_LOAD || u->kind == UNIT_STORE)
    buf_printf(out, ".%s[%u]", u->kind == UNIT_LOAD ? "load" : "store", u->tag);
  else if (u->issue_group != MACHINE_NONE)
    buf_printf(out, "[%u]", u->instruction);
}

void machine_unit_op(const Machine *m, u32 unit, Buf *out) {
  static const char *const kinds[] = {
#define U(NAME, shown) shown,
      MACHINE_UNITS(U)
#undef U
  };
  const MachineUnit *u = &m->units[unit];
  buf_str(out, machine_is_buffer(m, unit) ? "buffer" : kinds[u->kind]);
  if (machine_packs(m, unit)) {
    buf_str(out, "packs lanes");
    return;
  }
  if (u->kind == UNIT_FIRE && !u->nops) /* the halves of a load */
    buf_str(out, u->ninputs == 2 ? "load address" : "load data");
  for (u32 k = 0; k < u->nops; k++)
    buf_printf(out, "%s%s", k ? "+" : "",
               strchr(op_info((OpKind)m->ops[u->first_op + k].kind)->name, '.') + 1);
}

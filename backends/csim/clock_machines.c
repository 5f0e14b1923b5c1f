/* clock_machines.c -- stream, gate, carry, invariant: one step a cycle.
 *
 * r5, q5: output 5 is a register; is there a token in it, and which. phase: is it within a burst.
 */
#include "clock.h"

#include <string.h>

static void write_register(Clock *k, uint32_t output, const char *value) {
  clock_line(k, "s->q%u = %s;", output, value);
  clock_line(k, "s->r%u = 1;", output);
  clock_wake_next(k, k->offer_of[output]);
}

static void write_step_done(Clock *k, uint32_t unit) {
  clock_fired(k, unit);
  clock_wake_next(k, k->at); /* what is in the latches may be enough for another step */
}

/* A C expression of type int64_t: the low `width` bits of an unsigned one, signed. */
static const char *as_signed(Clock *k, const char *value, uint32_t width) {
  return csim_format(k->m, "((int64_t)(%s << %u) >> %u)", value, 64 - width, 64 - width);
}

static void advance_stream(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t in = u->first_input, out = u->first_output, w = u->width;
  unsigned long long mask = w >= 64 ? ~0ULL : (1ULL << w) - 1;
  const char *op = u->step_op, *value;
  clock_line(k, "if (!s->r%u && !s->r%u && (s->phase%u || (s->f%u && s->f%u && s->f%u))) {", out,
             out + 1, unit, in, in + 1, in + 2);
  k->indent++;
  clock_line(k, "unsigned more;");
  clock_line(k, "if (!s->phase%u) {", unit);
  clock_line(k, "  s->next%u = s->v%u; s->step%u = s->v%u; s->bound%u = s->v%u;", unit, in, unit,
             in + 1, unit, in + 2);
  k->indent++;
  clock_use(k, in);
  clock_use(k, in + 1);
  clock_use(k, in + 2);
  k->indent--;
  clock_line(k, "}");
  clock_line(k, "more = %s %s %s;", as_signed(k, csim_format(k->m, "s->next%u", unit), w),
             u->cont_cond, as_signed(k, csim_format(k->m, "s->bound%u", unit), w));
  write_register(k, out, csim_format(k->m, "s->next%u", unit));
  write_register(k, out + 1, "more");
  clock_line(k, "s->phase%u = more;", unit);
  clock_line(k, "if (more) {");
  k->indent++;
  clock_line(k, "if (!s->step%u) {", unit);
  clock_line(k, "  run->trap_unit = %uu;", unit);
  clock_line(k, "  loom_trap(4u, 0, s->next%u, s->bound%u);", unit, unit);
  clock_line(k, "}");
  if (strcmp(op, "/=") == 0) {
    clock_line(k, "if (%s == -1 && s->next%u == 0x%llxULL) {",
               as_signed(k, csim_format(k->m, "s->step%u", unit), w), unit, 1ULL << (w - 1));
    clock_line(k, "  run->trap_unit = %uu;", unit);
    clock_line(k, "  loom_trap(2u, 0, s->next%u, s->step%u);", unit, unit);
    clock_line(k, "}");
    value = csim_format(k->m, "(uint64_t)(%s / %s)",
                        as_signed(k, csim_format(k->m, "s->next%u", unit), w),
                        as_signed(k, csim_format(k->m, "s->step%u", unit), w));
  } else if (strcmp(op, "<<=") == 0) {
    value = csim_format(k->m, "s->step%u >= %uu ? 0 : s->next%u << s->step%u", unit, w, unit, unit);
  } else if (strcmp(op, ">>=") == 0) {
    value =
        csim_format(k->m, "(uint64_t)(%s >> (s->step%u >= %uu ? %uu : s->step%u))",
                    as_signed(k, csim_format(k->m, "s->next%u", unit), w), unit, w, w - 1, unit);
  } else {
    value = csim_format(k->m, "s->next%u %c s->step%u", unit, op[0], unit);
  }
  clock_line(k, "s->next%u = (%s) & 0x%llxULL;", unit, value, mask);
  k->indent--;
  clock_line(k, "}");
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
}

static void advance_gate(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t value = u->first_input, cond = value + 1, out = u->first_output;
  clock_line(k, "if (s->f%u && s->f%u && !(s->v%u & 1 && s->r%u) && !(s->phase%u && s->r%u)) {",
             value, cond, cond, out, unit, out + 1);
  k->indent++;
  clock_line(k, "unsigned more = s->v%u & 1;", cond);
  clock_line(k, "if (more) {");
  k->indent++;
  write_register(k, out, csim_format(k->m, "s->v%u", value));
  k->indent--;
  clock_line(k, "}");
  clock_line(k, "if (s->phase%u) {", unit);
  k->indent++;
  write_register(k, out + 1, "more");
  k->indent--;
  clock_line(k, "}");
  clock_line(k, "s->phase%u = more;", unit);
  clock_use(k, value);
  clock_use(k, cond);
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
}

static void advance_carry(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t d = u->first_input, a = d + 1, b = d + 2, out = u->first_output;
  int keeps = u->kind == LOOM_UNIT_INVARIANT;
  clock_line(k, "if (!s->phase%u) {", unit);
  k->indent++;
  clock_line(k, "if (s->f%u && !s->r%u) {", a, out);
  k->indent++;
  if (keeps) clock_line(k, "s->next%u = s->v%u;", unit, a);
  write_register(k, out, csim_format(k->m, "s->v%u", a));
  clock_use(k, a);
  clock_line(k, "s->phase%u = 1;", unit);
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
  k->indent--;
  clock_line(k, "} else if (s->f%u) {", d);
  k->indent++;
  clock_line(k, "if (!(s->v%u & 1)) {", d);
  k->indent++;
  clock_use(k, d);
  clock_line(k, "s->phase%u = 0;", unit);
  write_step_done(k, unit);
  k->indent--;
  if (keeps)
    clock_line(k, "} else if (!s->r%u) {", out);
  else
    clock_line(k, "} else if (s->f%u && !s->r%u) {", b, out);
  k->indent++;
  write_register(k, out,
                 keeps ? csim_format(k->m, "s->next%u", unit) : csim_format(k->m, "s->v%u", b));
  clock_use(k, d);
  if (!keeps) clock_use(k, b);
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
  k->indent--;
  clock_line(k, "}");
}

void clock_advance_machine(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  clock_turn(k, unit);
  clock_line(k, "{");
  k->indent++;
  if (u->kind == LOOM_UNIT_STREAM)
    advance_stream(k, unit);
  else if (u->kind == LOOM_UNIT_GATE)
    advance_gate(k, unit);
  else
    advance_carry(k, unit);
  k->indent--;
  clock_line(k, "}");
}

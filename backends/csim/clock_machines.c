/* clock_machines.c -- stream, gate, carry, invariant: one step a cycle.
 *
 * r5, q5: output 5 is a register; is there a token in it, and which. phase: is it within a burst.
 */
#include "clock.h"

#include <string.h>

static void write_register(Clock *k, uint32_t output, const char *value) {
  clock_line(k, "q%u = %s;", output, value);
  clock_line(k, "r%u = 1;", output);
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
  clock_line(k, "if (!r%u && !r%u && (phase%u || (f%u && f%u && f%u))) {", out, out + 1, unit, in,
             in + 1, in + 2);
  k->indent++;
  clock_line(k, "unsigned more;");
  clock_line(k, "if (!phase%u) {", unit);
  clock_line(k, "  next%u = v%u; step%u = v%u; bound%u = v%u;", unit, in, unit, in + 1, unit,
             in + 2);
  clock_line(k, "  f%u = f%u = f%u = 0;", in, in + 1, in + 2);
  clock_line(k, "}");
  clock_line(k, "more = %s %s %s;", as_signed(k, csim_format(k->m, "next%u", unit), w),
             u->cont_cond, as_signed(k, csim_format(k->m, "bound%u", unit), w));
  write_register(k, out, csim_format(k->m, "next%u", unit));
  write_register(k, out + 1, "more");
  clock_line(k, "phase%u = more;", unit);
  clock_line(k, "if (more) {");
  k->indent++;
  clock_line(k, "if (!step%u) {", unit);
  clock_line(k, "  run->trap_unit = %uu;", unit);
  clock_line(k, "  loom_trap(4u, 0, next%u, bound%u);", unit, unit);
  clock_line(k, "}");
  if (strcmp(op, "/=") == 0) {
    clock_line(k, "if (%s == -1 && next%u == 0x%llxULL) {",
               as_signed(k, csim_format(k->m, "step%u", unit), w), unit, 1ULL << (w - 1));
    clock_line(k, "  run->trap_unit = %uu;", unit);
    clock_line(k, "  loom_trap(2u, 0, next%u, step%u);", unit, unit);
    clock_line(k, "}");
    value =
        csim_format(k->m, "(uint64_t)(%s / %s)", as_signed(k, csim_format(k->m, "next%u", unit), w),
                    as_signed(k, csim_format(k->m, "step%u", unit), w));
  } else if (strcmp(op, "<<=") == 0) {
    value = csim_format(k->m, "step%u >= %uu ? 0 : next%u << step%u", unit, w, unit, unit);
  } else if (strcmp(op, ">>=") == 0) {
    value = csim_format(k->m, "(uint64_t)(%s >> (step%u >= %uu ? %uu : step%u))",
                        as_signed(k, csim_format(k->m, "next%u", unit), w), unit, w, w - 1, unit);
  } else {
    value = csim_format(k->m, "next%u %c step%u", unit, op[0], unit);
  }
  clock_line(k, "next%u = (%s) & 0x%llxULL;", unit, value, mask);
  k->indent--;
  clock_line(k, "}");
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
}

static void advance_gate(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t value = u->first_input, cond = value + 1, out = u->first_output;
  clock_line(k, "if (f%u && f%u && !(v%u & 1 && r%u) && !(phase%u && r%u)) {", value, cond, cond,
             out, unit, out + 1);
  k->indent++;
  clock_line(k, "unsigned more = v%u & 1;", cond);
  clock_line(k, "if (more) {");
  k->indent++;
  write_register(k, out, csim_format(k->m, "v%u", value));
  k->indent--;
  clock_line(k, "}");
  clock_line(k, "if (phase%u) {", unit);
  k->indent++;
  write_register(k, out + 1, "more");
  k->indent--;
  clock_line(k, "}");
  clock_line(k, "phase%u = more;", unit);
  clock_line(k, "f%u = f%u = 0;", value, cond);
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
}

static void advance_carry(Clock *k, uint32_t unit) {
  const loom_unit *u = &k->units[unit];
  uint32_t d = u->first_input, a = d + 1, b = d + 2, out = u->first_output;
  int keeps = u->kind == LOOM_UNIT_INVARIANT;
  clock_line(k, "if (!phase%u) {", unit);
  k->indent++;
  clock_line(k, "if (f%u && !r%u) {", a, out);
  k->indent++;
  if (keeps) clock_line(k, "next%u = v%u;", unit, a);
  write_register(k, out, csim_format(k->m, "v%u", a));
  clock_line(k, "f%u = 0;", a);
  clock_line(k, "phase%u = 1;", unit);
  write_step_done(k, unit);
  k->indent--;
  clock_line(k, "}");
  k->indent--;
  clock_line(k, "} else if (f%u) {", d);
  k->indent++;
  clock_line(k, "if (!(v%u & 1)) {", d);
  k->indent++;
  clock_line(k, "f%u = 0;", d);
  clock_line(k, "phase%u = 0;", unit);
  write_step_done(k, unit);
  k->indent--;
  if (keeps)
    clock_line(k, "} else if (!r%u) {", out);
  else
    clock_line(k, "} else if (f%u && !r%u) {", b, out);
  k->indent++;
  write_register(k, out, keeps ? csim_format(k->m, "next%u", unit) : csim_format(k->m, "v%u", b));
  clock_line(k, "f%u = 0;", d);
  if (!keeps) clock_line(k, "f%u = 0;", b);
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

/* rtl_model.cpp -- the module with the units (rtl_units.c), as Verilator makes it a C++ class. */
#include "Vunits.h"

#ifndef STAGES
#define STAGES 0
#endif

/* All words of y, low halves first. One token goes through all registers, and what is offered behind
 * it are other operands. */
extern "C" const uint32_t *rtl_model(const uint64_t in[3], unsigned predicate) {
  static Vunits top;
  top.a = in[0];
  top.b = in[1];
  top.c = in[2];
  top.predicate = predicate;
  for (int k = 0; k <= STAGES; k++) {
    for (int clk = 0; clk <= (k < STAGES); clk++) {
      top.clk = clk;
      top.first = k == 0;
      top.move = k < STAGES ? 1u << k : 0;
      top.eval();
    }
  }
  return &top.y[0];
}

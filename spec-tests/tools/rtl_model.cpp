/* rtl_model.cpp -- the module with the units (rtl_units.c), as Verilator makes it a C++ class. */
#include "Vunits.h"

/* All words of y, low halves first. */
extern "C" const uint32_t *rtl_model(const uint64_t in[3], unsigned predicate) {
  static Vunits top;
  top.a = in[0];
  top.b = in[1];
  top.c = in[2];
  top.predicate = predicate;
  top.eval();
  return &top.y[0];
}

/* rtl_model.cpp -- the module with the units (rtl_units.c), as Verilator makes it a C++ class. */
#include "Vunits.h"
#include "stages.h"

/* Of the enables of all registers that of number k, if there is such. */
template <class Move> static void set_move(Move &move, int k) {
  move = k < STAGES ? Move(1) << k : 0;
}
template <std::size_t Words> static void set_move(VlWide<Words> &move, int k) {
  for (std::size_t i = 0; i < Words; i++)
    move[i] = k < STAGES && k / 32 == (int)i ? 1u << k % 32 : 0;
}

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
      set_move(top.move, k);
      top.eval();
    }
  }
  return reinterpret_cast<const uint32_t *>(&top.y);
}

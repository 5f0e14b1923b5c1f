// The clock of the test bench under Verilator.
#include "Vtb.h"
#include "verilated.h"

int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Vtb tb(&context);
  tb.eval();  // what is initialised: `finished`
  while (!tb.finished) {
    tb.clk = 0;
    tb.eval();
    tb.clk = 1;
    tb.eval();
    context.timeInc(1);
  }
  tb.final();
  return tb.failed;
}

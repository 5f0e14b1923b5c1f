/* system_dot.c -- runs the golden kernel dot on the RTL of a system under Verilator, using only the
 * headers of that system. The image must load at one word a cycle, and the sum must be the one that
 * the loop in this file computes. */
#include "dot.h"
#include "loom_rtl.h"

#include <stdio.h>

enum { COUNT = 256 };

int main(void) {
  static loom_bus bus;
  static loom_device device;
  loom_rtl_open(&bus, 2 * COUNT * sizeof(float), NULL);
  loom_use(&device);
  loom_open(&device, &bus);

  uint64_t before = loom_rtl_look()->cycles, cycles = 0;
  loom_status said = loom_configure(&device, &dot_kernel);
  uint64_t configured = loom_rtl_look()->cycles - before;
  if (said != LOOM_DONE || configured >= dot_kernel.word_count + 48) {
    printf("wrong: an image of %u words took %u cycles (%s)\n", (unsigned)dot_kernel.word_count,
           (unsigned)configured, loom_why(&device));
    return 1;
  }

  /* Integers, so that no order of the sum rounds otherwise. */
  float *x = (float *)bus.memory, *y = x + COUNT, expected = 0;
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)(i % 17 - 8);
    y[i] = (float)(i % 5);
    expected += x[i] * y[i];
  }
  float sum = dot(x, y, COUNT);
  loom_cycles(&device, &cycles);
  if (loom_last(&device) != LOOM_DONE || sum != expected) {
    printf("wrong: %g, not %g (%s)\n", (double)sum, (double)expected, loom_why(&device));
    return 1;
  }
  if (loom_rtl_look()->broken) {
    printf("wrong: %u rules of AXI broken\n", (unsigned)loom_rtl_look()->broken);
    return 1;
  }
  printf("configured in %u cycles, %u words; dot of %d elements: %u cycles\n", (unsigned)configured,
         (unsigned)dot_kernel.word_count, COUNT, (unsigned)cycles);
  return 0;
}

#include <stdint.h>
/* How much a pixel differs from the next; nothing below a limit. */
int edge(const int16_t *in, int16_t *out, int n, int limit) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int d = in[i + 1] - in[i];
    out[i] = d < limit ? 0 : d;
    sum += d;
  }
  return sum;
}

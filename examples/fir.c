/* A filter of four taps. `loom build fir.c --case fir.json -o fir` takes it all the way. */
void fir(const int *restrict x, const int h[4], int *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += h[k] * x[i + k];
    y[i] = sum >> 4;
  }
}

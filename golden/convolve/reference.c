/* convolve: 100 by 20 numbers of 64 bits; each product is added where it
   belongs, modulo 2^64. The output is longer than the convolution: its last
   three elements sum nothing. */

#include "../case.h"

enum { N = 100, M = 20, LENGTH = N + M - 1 + 3 };

int main(void)
{
    static int64_t x[N], h[M], y[LENGTH];
    for (int i = 0; i < N; i++)
        x[i] = (i - 50) * INT64_C(123456789012345);
    for (int k = 0; k < M; k++)
        h[k] = k * k * INT64_C(98765) - 1000000;
    for (int i = 0; i < LENGTH; i++)
        y[i] = -1;

    case_begin("convolve");
    arg_memref(I64, x, N);
    arg_memref(I64, h, M);
    arg_memref(I64, y, LENGTH);

    uint64_t sums[LENGTH] = {0};
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            sums[i + k] += (uint64_t)x[i] * (uint64_t)h[k];
    memcpy(y, sums, sizeof y);

    case_end();
    return 0;
}

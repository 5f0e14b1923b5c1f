/* log2_bins: 600 numbers of all sizes and both signs, some of them zero (which
   has 32 trailing zeros). */

#include "../case.h"

enum { N = 600, BINS = 33 };

int main(void)
{
    static int32_t x[N], bins[BINS];
    uint32_t seed = 31;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        int32_t magnitude = (int32_t)(seed >> (1 + i % 32 - i % 32 / 31));
        x[i] = i % 3 == 0 ? -magnitude : i % 50 == 7 ? 0 : magnitude;
    }

    case_begin("log2_bins");
    arg_memref(I32, x, N);
    arg_memref(I32, bins, BINS);

    int twos = 0;
    for (int i = 0; i < N; i++) {
        uint32_t magnitude = x[i] < 0 ? -(uint32_t)x[i] : (uint32_t)x[i];
        int bin = 0;
        while (bin < 32 && magnitude >> bin != 0)
            bin++;
        bins[bin]++;
        int factor = 0;
        while (factor < 32 && ((uint32_t)x[i] >> factor & 1) == 0)
            factor++;
        twos += factor;
    }

    result_int(I32, twos);
    case_end();
    return 0;
}

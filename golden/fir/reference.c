/* fir: 16 taps over 300 outputs, scaled down by 2^12, rounding to -infinity. */

#include "../case.h"

enum { N = 300, M = 16 };

int main(void)
{
    static int16_t x[N + M - 1], taps[M];
    static int32_t y[N];
    for (int i = 0; i < N + M - 1; i++)
        x[i] = (int16_t)(i * 1237 % 65536 - 32768);
    for (int k = 0; k < M; k++)
        taps[k] = (int16_t)((k - 5) * 1500 + k * k * 80);

    case_begin("fir");
    arg_memref(I16, x, N + M - 1);
    arg_memref(I16, taps, M);
    arg_memref(I32, y, N);

    for (int i = 0; i < N; i++) {
        int64_t sum = 0;
        for (int k = 0; k < M; k++)
            sum += (int64_t)taps[k] * x[i + M - 1 - k];
        int64_t rest = (sum % 4096 + 4096) % 4096;
        y[i] = (int32_t)((sum - rest) / 4096);
    }

    case_end();
    return 0;
}

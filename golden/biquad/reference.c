/* biquad: y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y'' over 600 samples. */

#include "../case.h"

enum { N = 600 };

int main(void)
{
    static float signal[N], x[N + 2], y[N + 2]; /* x and y begin with two zeros */
    for (int i = 0; i < N; i++)
        signal[i] = i % 100 < 50 ? 1.0f : -1.0f + (float)(i % 7) / 16.0f;

    case_begin("biquad");
    arg_memref(F32, signal, N);

    memcpy(x + 2, signal, sizeof signal);
    for (int i = 2; i < N + 2; i++)
        y[i] = 0.2f * x[i] + 0.4f * x[i - 1] + 0.2f * x[i - 2] - -0.75f * y[i - 1] - 0.5f * y[i - 2];
    memcpy(signal, y + 2, sizeof signal);

    result_float(F32, x[N + 1]);
    result_float(F32, x[N]);
    result_float(F32, y[N + 1]);
    result_float(F32, y[N]);
    case_end();
    return 0;
}

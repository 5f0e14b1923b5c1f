/* fast_rsqrt: of 400 numbers from tiny to huge. */

#include "../case.h"

enum { N = 400 };

int main(void)
{
    static float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = ldexpf(1.0f + (float)(i % 13) / 13.0f, i / 4 - 50);

    case_begin("fast_rsqrt");
    arg_memref(F32, x, N);
    arg_memref(F32, y, N);

    float worst = 0.0f;
    for (int i = 0; i < N; i++) {
        float r = float_of_bits(0x5F3759DFu - bits_of_float(x[i]) / 2);
        for (int k = 0; k < 3; k++)
            r *= 1.5f - 0.5f * x[i] * (r * r);
        y[i] = r;
        worst = fmaxf(worst, fabsf(x[i] * r * r - 1.0f));
    }

    result_float(F32, worst);
    case_end();
    return 0;
}

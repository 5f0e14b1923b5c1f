/* fast_rsqrt: 1/sqrt(x) by a guess from the bits and three of Newton's steps; the worst error. */

#include "../hand.h"

static float fast_rsqrt(int n, const float *restrict x, float *restrict y)
{
    float worst = 0;
    for (int i = 0; i < n; i++) {
        float v = x[i], minus_half = -(v * 0.5f);
        float r = float_of_bits(0x5f3759df - (bits_of_float(v) >> 1));
        for (int k = 0; k < 3; k++)
            r = r * (1.5f + minus_half * (r * r));
        y[i] = r;
        float distance = fabsf(v * r * r - 1.0f);
        if (!(distance <= worst))
            worst = distance;
    }
    return worst;
}

void hand(const HandCall *call)
{
    call->result[0] =
        bits_of_float(fast_rsqrt((int)call->extent[0], call->memref[0], call->memref[1]));
}

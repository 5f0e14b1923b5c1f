/* quantize: f32 to i8 by a scale; the largest error and the sum of squares of all. */

#include "../hand.h"

static float quantize(int n, const float *restrict x, int8_t *restrict q, float scale, float *worst)
{
    float most = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
        float whole = floorf(x[i] * scale + 0.5f);
        if (whole < -128.0f)
            whole = -128.0f;
        if (whole > 127.0f)
            whole = 127.0f;
        q[i] = (int8_t)(int)whole;
        float error = fabsf(x[i] - (float)q[i] / scale);
        if (error > most)
            most = error;
        squares += (double)error * error;
    }
    *worst = most;
    return (float)squares;
}

void hand(const HandCall *call)
{
    float worst, scale = float_of_bits((uint32_t)call->scalar[0]);
    float total = quantize((int)call->extent[0], call->memref[0], call->memref[1], scale, &worst);
    call->result[0] = bits_of_float(worst);
    call->result[1] = bits_of_float(total);
}

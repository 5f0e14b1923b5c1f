/* dot: the dot product of two vectors of f32. */

#include "../hand.h"

static float dot(int n, const float *restrict x, const float *restrict y)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void hand(const HandCall *call)
{
    call->result[0] = bits_of_float(dot((int)call->extent[0], call->memref[0], call->memref[1]));
}

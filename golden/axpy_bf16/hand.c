/* axpy_bf16: y = a x + y in bfloat16, and the sum of y in f32. */

#include "../hand.h"

static float axpy(int n, const uint16_t *restrict x, uint16_t *restrict y, uint16_t a)
{
    float sum = 0, wide_a = bf16_value(a);
    for (int i = 0; i < n; i++) {
        float product = bf16_value(bf16_of(wide_a * bf16_value(x[i])));
        y[i] = bf16_of(product + bf16_value(y[i]));
        sum += bf16_value(y[i]);
    }
    return sum;
}

void hand(const HandCall *call)
{
    call->result[0] = bits_of_float(
        axpy((int)call->extent[0], call->memref[0], call->memref[1], (uint16_t)call->scalar[0]));
}

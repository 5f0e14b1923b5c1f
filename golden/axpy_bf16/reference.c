/* axpy_bf16: y = a * x + y in bfloat16 and the f32 sum of the new y.

   A bf16 operation is done in float and rounded once more to 8 bits. For sums
   and products that equals rounding the exact result: float has 24 bits, more
   than twice 8 plus two. */

#include "../case.h"

enum { N = 640 };

/* To the nearest bf16, ties to even. All values here are finite. */
static uint16_t to_bf16(float f)
{
    uint32_t u = bits_of_float(f);
    uint32_t round = 0x7FFF + (u >> 16 & 1);
    return (uint16_t)((u + round) >> 16);
}

int main(void)
{
    static uint16_t x[N], y[N];
    uint16_t a = to_bf16(0.7f);
    for (int i = 0; i < N; i++) {
        x[i] = to_bf16((float)(i % 91 - 45) / 7.0f);
        y[i] = to_bf16((float)(i * i % 127) / 3.0f - 11.0f);
    }

    case_begin("axpy_bf16");
    arg_memref(BF16, x, N);
    arg_memref(BF16, y, N);
    arg_float(BF16, bf16_value(a));

    float sum = 0.0f;
    for (int i = 0; i < N; i++) {
        uint16_t product = to_bf16(bf16_value(a) * bf16_value(x[i]));
        y[i] = to_bf16(bf16_value(product) + bf16_value(y[i]));
        sum += bf16_value(y[i]);
    }

    result_float(F32, sum);
    case_end();
    return 0;
}

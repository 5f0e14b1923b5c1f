/* half_precision: 700 numbers, from 2^-30 to 2^20 and infinity, to f16 and bf16.

   Both roundings are to nearest, ties to even, by search: among all finite
   values of the format, which are ordered as their bits are. */

#include "../case.h"

enum { N = 700 };

typedef float Value(uint16_t bits);

/* The bits of the value nearest to x. top is the format's infinity; rounding
   treats it as the next power of two, whose midpoint to the largest finite
   value the caller gives. */
static uint16_t nearest(float x, Value *value, uint16_t top, double overflow)
{
    double magnitude = fabs((double)x);
    uint16_t sign = signbit(x) ? 0x8000 : 0, low = 0, high = top;
    if (magnitude >= overflow)
        return sign | top;
    while (high - low > 1) { /* value(low) <= magnitude < value(high) */
        uint16_t middle = (uint16_t)((low + high) / 2);
        if ((double)value(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    if (high == top)
        return sign | low;
    double down = magnitude - (double)value(low), up = (double)value(high) - magnitude;
    return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

int main(void)
{
    static float x[N];
    static uint16_t half[N], brain[N];
    for (int i = 0; i < N; i++) {
        float fraction = i % 4 == 0   ? (float)(i % 128) / 128.0f   /* short */
                         : i % 4 == 1 ? (float)(i % 4096) / 2048.0f /* ties of f16 */
                         : i % 4 == 2 ? (float)(i % 256) / 256.0f   /* ties of bf16 */
                                      : (float)i / 701.0f;
        x[i] = ldexpf(1.0f + fraction, i % 51 - 30) * (i % 3 == 0 ? -1.0f : 1.0f);
    }
    x[0] = 0.0f;
    x[1] = -0.0f;
    x[2] = INFINITY;
    x[3] = 65504.0f; /* the largest f16 */
    x[4] = 65519.996f;
    x[5] = 65520.0f; /* the smallest that overflows */

    case_begin("half_precision");
    arg_memref(F32, x, N);
    arg_memref(F16, half, N);
    arg_memref(BF16, brain, N);

    int halves = 0, brains = 0;
    for (int i = 0; i < N; i++) {
        half[i] = nearest(x[i], f16_value, 0x7C00, 65520.0);
        brain[i] = nearest(x[i], bf16_value, 0x7F80, ldexp(511.0, 119));
        halves += f16_value(half[i]) == x[i];
        brains += bf16_value(brain[i]) == x[i];
    }

    result_int(I32, halves);
    result_int(I32, brains);
    case_end();
    return 0;
}

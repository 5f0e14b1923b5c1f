/* quantize: 600 values between -5 and 5 with 24 steps to the unit; the outer
   ones do not fit a byte. */

#include "../case.h"

enum { N = 600 };

int main(void)
{
    static float x[N];
    static int8_t q[N];
    float scale = 24.0f;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 37 % 1201 - 600) / 110.0f;

    case_begin("quantize");
    arg_memref(F32, x, N);
    arg_memref(I8, q, N);
    arg_float(F32, scale);

    float worst = 0.0f;
    double squares = 0.0;
    for (int i = 0; i < N; i++) {
        float level = floorf(x[i] * scale + 0.5f);
        level = level < -128.0f ? -128.0f : level > 127.0f ? 127.0f : level;
        q[i] = (int8_t)level;
        float error = fabsf(x[i] - level / scale);
        worst = error > worst ? error : worst;
        squares += (double)error * (double)error;
    }

    result_float(F32, worst);
    result_float(F32, (float)squares);
    case_end();
    return 0;
}

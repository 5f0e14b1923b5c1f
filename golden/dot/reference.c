/* dot: the sum of x[i] * y[i], added from left to right in f32. */

#include "../case.h"

enum { N = 1024 };

int main(void)
{
    static float x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 37 - 18) / 3.0f;
        y[i] = (float)(i % 11) * 0.1f;
    }

    case_begin("dot");
    arg_memref(F32, x, N);
    arg_memref(F32, y, N);

    float sum = 0.0f;
    for (int i = 0; i < N; i++)
        sum += x[i] * y[i];

    result_float(F32, sum);
    case_end();
    return 0;
}

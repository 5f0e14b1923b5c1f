/* reduction_tree: 512 numbers halved nine times; then every third. */

#include "../case.h"

enum { N = 512, STRIDE = 3 };

int main(void)
{
    static float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 61 % 257) / 17.0f;

    case_begin("reduction_tree");
    arg_memref(F32, x, N);
    arg_int(INDEX, STRIDE);

    for (int width = N / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            x[i] += x[i + width];
    float rest = 0.0f;
    for (int i = STRIDE; i < N; i += STRIDE)
        rest += x[i];

    result_float(F32, x[0]);
    result_float(F32, rest);
    case_end();
    return 0;
}

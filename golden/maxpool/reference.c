/* maxpool: the largest of each 2x2 square and zero. Some pixels are NaN, some
   infinite, some -0: a NaN makes its square NaN, -0 never shows. */

#include "../case.h"

enum { N = 40 };

int main(void)
{
    static float image[N][N], pooled[N / 2][N / 2];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int k = (y * 29 + x * 17) % 97;
            image[y][x] = k == 96 ? NAN : k == 95 ? INFINITY : k == 94 ? -INFINITY : (float)(k - 60) / 9.0f;
            if (y % 8 < 2)
                image[y][x] = -0.0f;
        }

    case_begin("maxpool");
    arg_memref(F32, image, N, N);
    arg_memref(F32, pooled, N / 2, N / 2);

    for (int y = 0; y < N / 2; y++)
        for (int x = 0; x < N / 2; x++) {
            float best = 0.0f;
            for (int k = 0; k < 4; k++) {
                float v = image[2 * y + k / 2][2 * x + k % 2];
                if (isnan(v) || v > best)
                    best = v;
                if (isnan(v))
                    break;
            }
            pooled[y][x] = best;
        }

    case_end();
    return 0;
}

/* syrk: C = alpha * A * A^T + beta * C on the lower triangle of C. */

#include "../case.h"

enum { N = 28, K = 20 };

int main(void)
{
    static float A[N][K], C[N][N];
    float alpha = 1.5f, beta = 0.75f;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < K; k++)
            A[i][k] = (float)((i * 3 + k * 7) % 13 - 6) / 5.0f;
        for (int j = 0; j < N; j++)
            C[i][j] = (float)(i - j);
    }

    case_begin("syrk");
    arg_memref(F32, A, N, K);
    arg_memref(F32, C, N, N);
    arg_float(F32, alpha);
    arg_float(F32, beta);

    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            C[i][j] *= beta;
            for (int k = 0; k < K; k++)
                C[i][j] += alpha * A[i][k] * A[j][k];
        }

    case_end();
    return 0;
}

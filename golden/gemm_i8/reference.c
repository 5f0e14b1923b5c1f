/* gemm_i8: C += A * B, 24x32 times 32x16, i8 into i32. Integer sums do not
   depend on their order, so the reference is not blocked. */

#include "../case.h"

enum { M = 24, K = 32, N = 16 };

int main(void)
{
    static int8_t A[M][K], B[K][N];
    static int32_t C[M][N];
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            A[i][k] = (int8_t)((i * 53 + k * 29) % 256 - 128);
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            B[k][j] = (int8_t)((k * 71 + j * 37) % 256 - 128);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = 100 * i - j;

    case_begin("gemm_i8");
    arg_memref(I8, A, M, K);
    arg_memref(I8, B, K, N);
    arg_memref(I32, C, M, N);

    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                C[i][j] += A[i][k] * B[k][j];

    case_end();
    return 0;
}

/* matmul: C += A * B on 32x32 matrices of f32, rounded after every operation. */

#include "../case.h"

enum { N = 32 };

int main(void)
{
    static float A[N][N], B[N][N], C[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (float)((i * 7 + j * 3) % 17 - 8) / 8.0f;
            B[i][j] = (float)((i * 5 + j * 11) % 23 - 11) / 10.0f;
            C[i][j] = (float)((i + j) % 5);
        }

    case_begin("matmul");
    arg_memref(F32, A, N, N);
    arg_memref(F32, B, N, N);
    arg_memref(F32, C, N, N);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];

    case_end();
    return 0;
}

/* cholesky: A = L * L^T for a symmetric, diagonally dominant A; L replaces the
   lower triangle of A, column by column. */

#include "../case.h"

enum { N = 32 };

int main(void)
{
    static float A[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? 9.0f + (float)(i % 4) : 3.0f / (float)(1 + (i - j) * (i - j));

    case_begin("cholesky");
    arg_memref(F32, A, N, N);

    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++)
            A[j][j] -= A[j][k] * A[j][k];
        A[j][j] = sqrtf(A[j][j]);
        for (int i = j + 1; i < N; i++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }

    case_end();
    return 0;
}

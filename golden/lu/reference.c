/* lu: Gaussian elimination without pivoting; the factors replace A. */

#include "../case.h"

enum { N = 24 };

int main(void)
{
    static double A[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? 60.0 : (double)((i * 5 + j * 9) % 11 - 5);

    case_begin("lu");
    arg_memref(F64, A, N, N);

    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }

    case_end();
    return 0;
}

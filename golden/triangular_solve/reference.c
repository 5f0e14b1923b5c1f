/* triangular_solve: x from L * x = b, row by row from the top, x replacing b. */

#include "../case.h"

enum { N = 40 };

int main(void)
{
    static double L[N][N], b[N];
    for (int i = 0; i < N; i++) {
        b[i] = (double)(i % 6) - 2.5;
        for (int j = 0; j <= i; j++)
            L[i][j] = i == j ? 2.0 + i % 3 : (double)((i + 2 * j) % 7 - 3) / 16.0;
        for (int j = i + 1; j < N; j++)
            L[i][j] = 99.0; /* above the diagonal: never read */
    }

    case_begin("triangular_solve");
    arg_memref(F64, L, N, N);
    arg_memref(F64, b, N);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            b[i] -= L[i][j] * b[j];
        b[i] /= L[i][i];
    }

    case_end();
    return 0;
}

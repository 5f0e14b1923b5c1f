/* jacobi1d: 12 sweeps of a three-point average over 80 points, ends fixed. */

#include "../case.h"

enum { N = 80, STEPS = 12 };

int main(void)
{
    static double A[N], B[N];
    for (int i = 0; i < N; i++) {
        A[i] = i % 10 == 0 ? 100.0 : (double)i / 8.0;
        B[i] = -1.0;
    }

    case_begin("jacobi1d");
    arg_memref(F64, A, N);
    arg_memref(F64, B, N);
    arg_int(INDEX, STEPS);

    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) * (1.0 / 3.0);
        for (int i = 1; i < N - 1; i++)
            A[i] = B[i];
    }

    case_end();
    return 0;
}

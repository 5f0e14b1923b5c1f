/* jacobi1d: means of three neighbours, step by step. */

#include "../hand.h"

static void jacobi1d(int n, double *restrict A, double *restrict B, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) * 0.33333333333333331;
        for (int i = 1; i < n - 1; i++)
            A[i] = B[i];
    }
}

void hand(const HandCall *call)
{
    jacobi1d((int)call->extent[0], call->memref[0], call->memref[1], (int)call->scalar[0]);
}

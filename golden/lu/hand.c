/* lu: A = L U in place, without pivoting. */

#include "../hand.h"

enum { N = 24 };

static void lu(double (*A)[N])
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double factor = A[i][k] / A[k][k];
            A[i][k] = factor;
            for (int j = k + 1; j < N; j++)
                A[i][j] -= factor * A[k][j];
        }
}

void hand(const HandCall *call)
{
    lu(call->memref[0]);
}
